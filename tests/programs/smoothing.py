# verdict: NOT RECOMMENDED
# gates: 4 fail
"""Exponential smoothing of one long series, walked value by value: each level needs the one before."""

import numpy as np


def smooth(series, alpha):
    level = series[0]
    levels = []
    for value in series:
        level = (1 - alpha) * level + alpha * value
        levels.append(level)
    return np.array(levels)


def spread(series, levels):
    residuals = series - levels
    return np.sqrt((residuals * residuals).mean())


def main():
    series = np.sin(np.arange(10_000_000) * 0.001)
    levels = smooth(series, 0.1)
    print(levels[-1], spread(series, levels))


if __name__ == "__main__":
    main()
