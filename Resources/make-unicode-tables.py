#!/usr/bin/env python3
"""Prints Sources/Terminal/CodePointRanges+Unicode.swift from the files of the Unicode Character Database.

    python3 Resources/make-unicode-tables.py /usr/share/unicode > Sources/Terminal/CodePointRanges+Unicode.swift

The folder holds the database as Debian's package unicode-data installs it, or as
https://www.unicode.org/Public/VERSION/ucd/ has it. Which version it is the files say themselves. Run
Tests/torture/alignment afterwards: a terminal that is older than the tables disagrees with them.
"""

import pathlib
import re
import sys

FILES = [
    "EastAsianWidth.txt",
    "extracted/DerivedGeneralCategory.txt",
    "auxiliary/GraphemeBreakProperty.txt",
    "emoji/emoji-data.txt",
]

if len(sys.argv) != 2:
    sys.exit(__doc__)
folder = pathlib.Path(sys.argv[1])


def read(name):
    """The lines of a file as (first, last, value)."""
    for line in (folder / name).read_text(encoding="utf-8").splitlines():
        fields = line.split("#")[0].split(";")
        if len(fields) == 2:
            points = [int(point, 16) for point in fields[0].strip().split("..")]
            yield points[0], points[-1], fields[1].strip()


def code_points(name, values):
    return {
        point
        for first, last, value in read(name)
        if value in values
        for point in range(first, last + 1)
    }


def version(name):
    head = (folder / name).read_text(encoding="utf-8")[:2000]
    found = re.search(r"-(\d+\.\d+\.\d+)\.txt|[Vv]ersion:? (\d+\.\d+)", head)
    if not found:
        sys.exit(f"{folder / name}: names no version in its head")
    return found[1] or found[2]


versions = {name: version(name) for name in FILES}
VERSION = versions[FILES[0]]
for name, other in versions.items():
    # The files of emoji name a version of two parts.
    if not VERSION.startswith(other):
        sys.exit(f"{folder / name}: version {other}, but {FILES[0]} has {VERSION}")

marks = code_points(FILES[1], {"Mn", "Me"})
unseen = code_points(FILES[1], {"Mn", "Me", "Cf", "Cc"})
unassigned = code_points(FILES[1], {"Cn"})

TABLES = {
    "wide": (
        ["The code points that take two columns: EastAsianWidth W and F, of assigned and reserved code",
         "points, without marks."],
        code_points(FILES[0], {"W", "F"}) - marks
        - code_points(FILES[1], {"Mc"}),
    ),
    "joining": (
        ["The code points whose columns depend on the code point before them: Grapheme_Cluster_Break",
         "Extend, SpacingMark, V and T, without zero-width marks."],
        code_points(FILES[2], {"Extend", "SpacingMark", "V", "T"}) - unseen,
    ),
    "futureEmoji": (
        ["Unassigned code points with Extended_Pictographic. A newer terminal may draw them as emoji",
         "in two columns, and an older one differently."],
        code_points(FILES[3], {"Extended_Pictographic"}) & unassigned,
    ),
}


def ranges(points):
    result = []
    for point in sorted(points):
        if result and result[-1][1] + 1 == point:
            result[-1][1] = point
        else:
            result.append([point, point])
    return result


print(f"""// Made by Resources/make-unicode-tables.py; do not edit.

/// Unicode {VERSION} data that the standard library does not provide.
///
/// From {FILES[0]}, {FILES[1]},
/// {FILES[2]} and {FILES[3]} of
/// https://www.unicode.org/Public/{VERSION}/ucd/. To update, run
/// `python3 Resources/make-unicode-tables.py FOLDER`, where FOLDER holds these files, such as
/// /usr/share/unicode of Debian's package unicode-data, into this file. This is deliberately not
/// the newest version, since most terminals in use are older than that.
///
/// utf8proc, which folds names, has such tables too. But their version is that of the installed
/// library, so the columns of a text would differ between machines. Also, utf8proc 2.8.0 gives one
/// column to 61,000 reserved code points for which Unicode promises two.
extension CodePointRanges {{""")
for index, (name, (comment, points)) in enumerate(TABLES.items()):
    if index:
        print()
    for line in comment:
        print(f"    /// {line}")
    print(f"    static let {name} = CodePointRanges([")
    pairs = ranges(points)
    for start in range(0, len(pairs), 3):
        row = pairs[start : start + 3]
        print("        " + " ".join(f"(0x{first:05x}, 0x{last:05x})," for first, last in row))
    print("    ])")
print("}")
