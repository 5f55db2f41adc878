# verdict: LIGHT REFACTOR
# gates: 3 pass
"""Statistics of river gauges: nothing loops, but two of the calls do not exist."""

import numpy as np


def clean(levels):
    return np.where(levels < 0.0, 0.0, levels)


def standard_scores(levels):
    return (levels - levels.mean()) / np.std(levels)


def flow(levels, known_levels, known_flows):
    return np.interp(levels, known_levels, known_flows)


def report(levels, known_levels, known_flows):
    levels = clean(levels)
    scores = standard_scores(levels)
    q = flow(levels, known_levels, known_flows)
    return {"mean": q.mean(), "peak": q.max(), "unusual": np.count_nonzero(np.abs(scores) > 3.0)}


def main(path):
    data = np.load(path)
    return report(data[:, 0], data[:, 1], data[:, 2])
