"""A plucked string of two thousand points, and three notes to print.

The loop over notes has nothing to do with the time loop, so it is no way out of the small size.
"""

# verdict: NOT RECOMMENDED
# gates: 2 fail, 3 pass, 4 pass

import numpy as np

POINTS = 2000
STEPS = 20_000


def pluck():
    string = np.zeros(POINTS)
    string[: POINTS // 4] = np.linspace(0.0, 1.0, POINTS // 4)
    return string


def swing(string):
    before = string.copy()
    for step in range(STEPS):
        bend = string[2:] - 2.0 * string[1:-1] + string[:-2]
        after = string.copy()
        after[1:-1] = 2.0 * string[1:-1] - before[1:-1] + 0.25 * bend
        before, string = string, after
    return string


def notes(names):
    for name in names:
        pitch = np.sqrt(np.ones(100))
        print(name, pitch.sum())


if __name__ == "__main__":
    notes(["e", "a", "d"])
    print(swing(pluck()).max())
