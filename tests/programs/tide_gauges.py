# verdict: LIGHT REFACTOR
# gates: 3 pass, 4 pass
"""Tides at many stations: the loop over time is fine, one call inside it does not exist."""

import numpy as np


def constituents(count):
    speed = np.linspace(0.2, 0.6, count)
    phase = np.linspace(0.0, 3.0, count)
    return speed, phase


def simulate(stations, steps, dt):
    level = np.zeros(stations)
    amplitude = np.random.rand(stations)
    mean_square = np.zeros(stations)
    for k in range(steps):
        level = amplitude * np.cos(0.5 * k * dt + level)
        spread = np.std(level)
        mean_square = mean_square + level * level / (1.0 + spread)
    return mean_square / steps


def main(stations):
    return simulate(stations, 1000, 0.1).max()
