#!/bin/sh
# Imports 100,000 and 400,000 items, as lines and as JSON, and fails if four times the data takes more than 4.4 times
# the memory, or more than 1.2 kB an item. Needs python3.
#
#     Tests/torture/import-memory.sh [.build/release/sheaf]
set -eu
sheaf=$(realpath "${1:-.build/debug/sheaf}")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
HOME=$folder SHEAF=$sheaf python3 - <<'PYTHON'
import os, subprocess, sys, uuid

def peak(arguments):
    """The most memory that the program had, in kB."""
    process = subprocess.Popen(arguments, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f"{arguments}: ended with {status}")
    return usage.ru_maxrss

failed = False
for form in ("txt", "json"):
    peaks = []
    for count in (100_000, 400_000):
        name = f"{count}.{form}"
        with open(name, "w") as file:
            if form == "txt":
                file.writelines(f"An item of an ordinary length, number {i}\n" for i in range(count))
            else:
                file.write("[" + ",\n".join(
                    f'{{"id": "{uuid.uuid4()}", "name": "An item of an ordinary length, number {i}",'
                    f' "note": "", "tags": ["t{i % 7}"]}}' for i in range(count)) + "]")
        peaks.append(peak([os.environ["SHEAF"], "import", "--store", f"{name}.sqlite", name]))
        print(f"{name}: {os.path.getsize(name) // 1000} kB of text, {peaks[-1]} kB of memory at most")
    if peaks[1] > 4.4 * peaks[0] or peaks[1] > 1.2 * 400_000:
        print(f"{form}: memory grows worse than the data")
        failed = True
sys.exit(failed)
PYTHON
