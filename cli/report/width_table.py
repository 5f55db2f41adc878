#!/usr/bin/env python3
"""Prints width_table.inc: the ranges of characters that take no cell, or two, on a terminal.

    python3 cli/report/width_table.py > cli/report/width_table.inc

The source is Python's unicodedata, that is UnicodeData.txt and EastAsianWidth.txt of the Unicode version named in the
output. No cell: nonspacing and enclosing marks, format characters, Hangul vowels and final consonants (they join the
syllable before them). Two cells: East Asian Wide and Fullwidth, which include all emoji that are pictures by default,
and the code points that these blocks reserve.
"""

import unicodedata

SOFT_HYPHEN = 0xAD  # a format character that terminals show
PLANES_OF_IDEOGRAPHS = ((0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x2FFFD), (0x30000, 0x3FFFD))


def width(code):
    character = chr(code)
    if 0x1160 <= code <= 0x11FF or 0xD7B0 <= code <= 0xD7FF:
        return 0
    if code != SOFT_HYPHEN and unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    if unicodedata.east_asian_width(character) in "WF" or any(a <= code <= b for a, b in PLANES_OF_IDEOGRAPHS):
        return 2
    return 1


def ranges(wanted):
    start = None
    for code in range(0x110001):
        inside = code < 0x110000 and width(code) == wanted
        if inside and start is None:
            start = code
        elif not inside and start is not None:
            yield start, code - 1
            start = None


def main():
    print(f"// Made by width_table.py from Unicode {unicodedata.unidata_version}; not edited by hand.")
    for name, wanted in (("kZeroWidth", 0), ("kDoubleWidth", 2)):
        print(f"constexpr Range {name}[] = {{")
        line = "   "
        for first, last in ranges(wanted):
            item = f" {{0x{first:x}, 0x{last:x}}},"
            if len(line) + len(item) > 118:
                print(line)
                line = "   "
            line += item
        print(line)
        print("};")


if __name__ == "__main__":
    main()
