# verdict: LIGHT REFACTOR
# gates: 2 pass, 3 pass, 4 pass
"""Savings that grow every day; above a cap a part of the growth is taken away. What the mask selects is no more than
there is."""

import numpy as np

N = 10_000_000


def main():
    savings = np.full(N, 100.0)
    for day in range(365):
        savings *= 1.001
        savings[savings > 120.0] *= 0.99
    print(savings.mean())


if __name__ == "__main__":
    main()
