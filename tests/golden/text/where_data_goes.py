"""Which way data goes between the device and what runs on the host."""
import dask.array as da
import numpy as np
from scipy.integrate import quad


def stored(plan, n: int):
    result = np.zeros((n, n))
    da.store(sources=plan, targets=result)
    return result


def integrated(n: int):
    limits = np.linspace(0.0, 1.0, n)
    return quad(abs, limits[0], limits[-1])
