# verdict: LIGHT REFACTOR
# gates: 4 uncertain, 5 fail
"""Carries a field on from column to column: each one needs the one behind it, its entries do not need each other."""

import numpy as np


def carried_on(source, loss):
    n = source.shape[1]
    field = np.zeros((6000, n))
    for y in reversed(range(n - 1)):
        for x in range(6000):
            field[x, y] = (1.0 - loss) * field[x, y + 1]
            field[x, y] += 0.5 * source[x, y]
            if x != 0:
                field[x, y] += loss * field[x - 1, y + 1]
    return field


def main():
    source = np.random.default_rng(1).random((6000, 6000))
    field = carried_on(source, 0.25)
    print(field.sum())


if __name__ == "__main__":
    main()
