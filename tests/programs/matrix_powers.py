# verdict: READY
# gates: 1 pass, 2 pass, 3 pass, 4 pass, 5 pass
# composite: strong-go
"""Repeated products of large dense matrices, normalised now and then."""

import numpy as np

N = 20_000


def main():
    a = np.random.rand(N, N)
    b = np.random.rand(N, N)
    for k in range(50):
        b = a @ b
        if k % 10 == 9:
            b /= np.linalg.norm(b)
    print(np.trace(b))


if __name__ == "__main__":
    main()
