# verdict: READY
# gates: 1 fail, 2 pass, 3 pass, 4 pass
# composite: no-go
"""A field that no machine of the default size holds: 8 TB in one array."""

import numpy as np

N = 1_000_000


def main():
    field = np.zeros((N, N))
    for k in range(100):
        field *= 0.99
        field += 1.0
    print(field.mean())


if __name__ == "__main__":
    main()
