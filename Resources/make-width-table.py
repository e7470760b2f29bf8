#!/usr/bin/env python3
"""Prints Sources/Terminal/WideCodePoints.swift from the tables of the wcwidth package.

    pip install wcwidth==0.2.13
    python3 Resources/make-width-table.py > Sources/Terminal/WideCodePoints.swift

Nothing is fetched: the tables come with the package, which made them from EastAsianWidth.txt.
"""

import wcwidth.table_wide

VERSION = "15.1.0"

# The package counts skin tones as joined to what they follow; one alone takes two columns.
SKIN_TONES = (0x1F3FB, 0x1F3FF)

ranges = []
for first, last in sorted([*wcwidth.table_wide.WIDE_EASTASIAN[VERSION], SKIN_TONES]):
    if ranges and ranges[-1][1] + 1 == first:
        ranges[-1] = (ranges[-1][0], last)
    else:
        ranges.append((first, last))

print(f"""// Made by Resources/make-width-table.py; do not edit.

/// The code points that take two columns.
///
/// Unicode {VERSION}, EastAsianWidth W and F, from the tables of wcwidth 0.2.13 (PyPI). Not the
/// newest Unicode, on purpose: most terminals in use are older than that.
enum WideCodePoints {{
    /// Whether `value` takes two columns. O(log n) of some {len(ranges)} ranges.
    static func contains(_ value: UInt32) -> Bool {{
        var low = 0
        var high = ranges.count
        while low < high {{
            let middle = (low + high) / 2
            if value > ranges[middle].last {{
                low = middle + 1
            }} else if value < ranges[middle].first {{
                high = middle
            }} else {{
                return true
            }}
        }}
        return false
    }}

    private static let ranges: [(first: UInt32, last: UInt32)] = [""")
for start in range(0, len(ranges), 3):
    row = ranges[start : start + 3]
    print("        " + " ".join(f"(0x{first:05x}, 0x{last:05x})," for first, last in row))
print("    ]\n}")
