"""Lets scripts know the name that a JSON list is written to, which otherwise nobody can guess."""
import atexit, os, shutil, subprocess, sys, tempfile

_folder = tempfile.mkdtemp(prefix="sheaf-known-")
atexit.register(shutil.rmtree, _folder, ignore_errors=True)
_library = f"{_folder}/known-drafts.so"
_source = f"{os.path.dirname(os.path.abspath(__file__))}/known-drafts.c"
_result = subprocess.run(
    ["clang", "-shared", "-fPIC", "-o", _library, _source], capture_output=True, text=True)
if _result.returncode:
    sys.exit(f"{_source}: {_result.stderr}")

# Of the program that strace meets.
ENVIRONMENT = {"LD_PRELOAD": _library}


def draft(store):
    """What the list at `store` is written to before it is replaced."""
    return f"{os.path.dirname(store)}/.{os.path.basename(store)}.sheaf-new-{'0' * 32}"
