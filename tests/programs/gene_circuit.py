# verdict: SIGNIFICANT REFACTOR
# gates: 2 uncertain, 4 pass
"""Stochastic simulation of a gene circuit: each cell is a sequence of single events, and the cells are independent."""

import numpy as np

CHANGES = np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]])


def rates(counts, k):
    return np.array([k[0] / (1.0 + counts[1] ** 2), k[1] * counts[0], k[2] * counts[0], k[3] * counts[1]])


def history(k, horizon, samples, rng):
    t = 0.0
    counts = np.zeros(2)
    times = np.linspace(0.0, horizon, samples)
    seen = np.zeros((samples, 2))
    j = 0
    while t < horizon:
        rate = rates(counts, k)
        total = rate.sum()
        wait = -np.log(rng.random(1)[0]) / total
        while j < samples and times[j] < t + wait:
            seen[j] = counts
            j += 1
        event = np.searchsorted(np.cumsum(rate), rng.random(1)[0] * total)
        counts = counts + CHANGES[event]
        t = t + wait
    return seen


def main():
    rng = np.random.default_rng(1)
    k = np.array([50.0, 1.0, 2.0, 0.1])
    runs = np.stack([history(k, 100.0, 200, rng) for _ in range(1_000_000)])
    print(runs.mean(axis=0)[-1])


if __name__ == "__main__":
    main()
