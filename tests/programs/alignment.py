# verdict: NOT RECOMMENDED
# gates: 4 fail
"""Global alignment of two sequences: a table filled cell by cell, each cell from three neighbours."""

import numpy as np

MATCH, MISMATCH, GAP = 2, -1, -2


def encode(text):
    return np.frombuffer(text.encode("ascii"), dtype=np.uint8)


def score_table(a, b):
    rows, columns = a.shape[0] + 1, b.shape[0] + 1
    table = np.zeros((rows, columns), dtype=np.int64)
    for i in range(1, rows):
        table[i, 0] = i * GAP
    for j in range(1, columns):
        table[0, j] = j * GAP
    for i in range(1, rows):
        for j in range(1, columns):
            same = MATCH if a[i - 1] == b[j - 1] else MISMATCH
            diagonal = table[i - 1, j - 1] + same
            up = table[i - 1, j] + GAP
            left = table[i, j - 1] + GAP
            table[i, j] = max(diagonal, up, left)
    return table


def align(first, second):
    table = score_table(encode(first), encode(second))
    return table[-1, -1]


if __name__ == "__main__":
    print(align("GATTACA" * 200, "GCATGCT" * 200))
