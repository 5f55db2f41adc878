"""The river model after the port: what docs/tutorial.md makes of river.py, finding by finding. Same numbers, no waits.

Runs under cuPyNumeric; with `import numpy as np` it runs under NumPy and prints what river.py prints.
"""

import cupynumeric as np
import numpy as onp


def read_gauges(n):
    """Station names stay on the host; the levels alone are an array."""
    names = [f"km {i}" for i in range(n)]
    levels = 1.0 + 0.1 * np.arange(n)
    return names, levels


def initial_state(n):
    depth = np.linspace(2.0, 1.0, n)
    bed = np.ones((n, 4))
    return depth, bed


def roughness_of(depth):
    return np.where(depth > 1.5, 0.03, 0.05)


def route(q, inflow, k):
    """Each reach passes on a share of its water."""
    lost = k * q
    q -= lost
    q[1:] += lost[:-1]
    q[0] += inflow
    return q


def settle(sediment):
    """Averages neighbouring cells of the bed: even ones with odd ones."""
    cells = sediment.reshape(-1, 2)
    return np.repeat(0.5 * (cells[:, 0] + cells[:, 1]), 2)


def flooded(depth, limit):
    """Water above the banks is taken off."""
    return np.minimum(depth, limit)


def simulate(n=200, days=30):
    depth, bed = initial_state(n)
    # Thirty numbers: drawn on the host, where they are the same on any machine.
    rain = onp.random.default_rng(3).gamma(2.0, 0.1, days)
    history = np.empty((days, n))
    stored = np.zeros(days)
    for day in range(days):
        depth = route(depth, rain[day], 0.1)
        friction = roughness_of(depth)
        depth = flooded(depth, 4.0)
        bed[:, 0] = settle(bed[:, 0] + 0.01 * friction)
        volume = np.sum(depth)
        depth = np.where(np.max(depth) > 3.9, 0.95 * depth, depth)
        stored[day] = np.mean(depth) * volume
        history[day] = depth
    return history, float(np.sum(stored))


def main():
    names, _ = read_gauges(5)
    history, stored = simulate()
    spread = float(np.sqrt(np.mean((history - np.mean(history)) ** 2)))
    print(f"{len(names)} gauges, {history.shape[0]} days, stored {stored:.1f}, spread {spread:.4f}")


if __name__ == "__main__":
    main()
