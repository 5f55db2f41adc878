# verdict: NOT RECOMMENDED
# gates: 2 fail, 3 pass, 4 pass
"""A vibrating string with 101 points, as it is shown in a first lecture."""

import numpy as np

POINTS = 101
STEPS = 2000


def pluck(n):
    x = np.linspace(0.0, 1.0, n)
    return np.where(x < 0.3, x / 0.3, (1.0 - x) / 0.7)


def run(n, steps, courant):
    before = pluck(n)
    now = before.copy()
    after = np.zeros(n)
    for k in range(steps):
        after[1:-1] = 2.0 * now[1:-1] - before[1:-1] + courant * (now[2:] - 2.0 * now[1:-1] + now[:-2])
        before, now, after = now, after, before
    return now


def main():
    string = run(POINTS, STEPS, 0.9)
    print("largest amplitude:", string.max())


if __name__ == "__main__":
    main()
