"""A surface model out of laser points: the highest point of each cell, strip by strip.

`np.maximum.at` has nothing that stands for it in one line: the binning has to be thought of anew, by sorting or on the host.
"""

# verdict: SIGNIFICANT REFACTOR
# gates: 2 pass, 3 fail, 4 pass

import numpy as np

CELLS = 4096
POINTS = 40_000_000


def surface(strips):
    rng = np.random.default_rng(11)
    heights = np.zeros(CELLS * CELLS)
    for strip in range(strips):
        x = rng.random(POINTS)
        y = rng.random(POINTS)
        z = np.abs(np.sin(x * 7.0) * np.cos(y * 5.0)) + 0.01 * strip
        cell = (x * CELLS).astype(np.int64) * CELLS + (y * CELLS).astype(np.int64)
        np.maximum.at(heights, cell, z)
    return heights.reshape(CELLS, CELLS)


if __name__ == "__main__":
    model = surface(200)
    print(model.mean(), model.max())
