# verdict: NOT RECOMMENDED
# gates: 4 fail
"""Counts words of a large text by length and first letter; arrays only hold the counts."""

import re
import sys

import numpy as np

WORD = re.compile(r"[a-z]+")
LONGEST = 32


def words_of(line):
    return re.findall(r"[a-z]+", line.lower())


def count(path):
    lengths = np.zeros(LONGEST, dtype=np.int64)
    first = {}
    with open(path, encoding="utf-8") as text:
        for line in text:
            for word in line.strip().lower().split(" "):
                word = word.strip(".,;:!?").replace("'", "")
                if word.startswith("#") or not word.isalpha():
                    continue
                letter = word.upper()[:1]
                first[letter] = first.get(letter, 0) + 1
    return lengths, first


def main():
    lengths, first = count(sys.argv[1])
    for letter in sorted(first):
        print(letter.lower(), first[letter])


if __name__ == "__main__":
    main()
