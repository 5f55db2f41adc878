# verdict: SIGNIFICANT REFACTOR
# gates: 3 fail
"""Half of the work was moved to CuPy years ago; data goes back and forth in both loops."""

import cupy as cp
import numpy as np


def smooth(field, passes):
    for k in range(passes):
        on_gpu = cp.asarray(field)
        on_gpu = 0.5 * (cp.roll(on_gpu, 1, 0) + cp.roll(on_gpu, -1, 0))
        field = np.asarray(on_gpu.get())
        field = field - field.mean()
    return field


def accumulate(field, steps):
    total = np.zeros_like(field)
    for k in range(steps):
        scaled = field * (1.0 / (k + 1))
        running = cp.cumsum(cp.asarray(scaled), axis=0)
        total = total + np.asarray(cp.asnumpy(running))
    return total


def main(n):
    field = np.ones((n, n))
    field = smooth(field, 200)
    return accumulate(field, 50).sum()
