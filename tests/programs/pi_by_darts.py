# verdict: LIGHT REFACTOR
# gates: 2 pass, 3 pass, 4 pass, 5 pass
# composite: pilot
# options: --preview
"""The area of a circle by throwing darts, in batches that fit into memory."""

import numpy as np

BATCH = 50_000_000
BATCHES = 100


def hits(count):
    x = np.random.random(count)
    y = np.random.random(count)
    return np.count_nonzero(x * x + y * y <= 1.0)


def main():
    np.random.seed(12)
    inside = np.zeros((), dtype=np.int64)
    for k in range(BATCHES):
        inside = inside + hits(BATCH)
    print("pi is about", 4.0 * inside / (BATCH * BATCHES))


if __name__ == "__main__":
    main()
