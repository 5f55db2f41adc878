"""A river in reaches: rain runs in, water runs down, sediment settles. Written the way such models grow.

It gives right results under NumPy and is slow; under cuPyNumeric it would not even start. It holds ten classic
mistakes, one of each kind; `./dev run docs/examples/river.py` finds them.
"""

import numpy as np


def read_gauges(n):
    """Station names beside levels, in one array."""
    gauges = np.empty((n, 2), dtype=object)
    for i in range(n):
        gauges[i] = [f"km {i}", 1.0 + 0.1 * i]
    return gauges


def initial_state(n):
    depth = np.linspace(2.0, 1.0, n)
    bed = np.ones((n, 4), order="F")
    return depth, bed


def roughness_of(depth):
    if depth > 1.5:
        return 0.03
    return 0.05


def route(q, inflow, k):
    """Each reach passes on a share of its water."""
    n = q.shape[0]
    lost = np.zeros(n)
    for j in range(n):
        lost[j] = k * q[j]
    q -= lost
    q[1:] += lost[:-1]
    q[0] += inflow
    return q


def settle(sediment):
    """Averages neighbouring cells of the bed: even ones with odd ones."""
    pairs = 0.5 * (sediment[::2] + sediment[1::2])
    sediment[::2] = pairs
    sediment[1::2] = pairs
    return sediment


def flooded(depth, limit):
    """Water above the banks is taken off."""
    where = np.nonzero(depth > limit)
    depth[where] = limit
    return depth


def simulate(n=200, days=30):
    depth, bed = initial_state(n)
    rain = np.random.default_rng(3).gamma(2.0, 0.1, days)
    roughness = np.vectorize(roughness_of)
    history = np.zeros((0, n))
    stored = 0.0
    for day in range(days):
        depth = route(depth, rain[day], 0.1)
        friction = roughness(depth)
        depth = flooded(depth, 4.0)
        bed[:, 0] = settle(bed[:, 0] + 0.01 * friction)
        volume = sum(depth)
        if depth.max() > 3.9:
            depth = 0.95 * depth
        stored = stored + float(depth.mean()) * volume
        history = np.vstack([history, depth])
    return history, stored


def main():
    gauges = read_gauges(5)
    history, stored = simulate()
    print(f"{len(gauges)} gauges, {history.shape[0]} days, stored {stored:.1f}, spread {np.std(history):.4f}")


if __name__ == "__main__":
    main()
