"""A module that has the names of the library and not the library."""
from numpy import *


def spread(n: int):
    return std(ones(n))  # says: R112 "np.mean(ones(n), keepdims=True))**2))`; it needs `import numpy as np`"


def decided(n: int, steps: int):
    y = ones(n)
    for k in range(steps):
        y *= 0.5
        if y.max() < 1.0:  # says: R105 "it needs `import numpy as np`"
            y += 1.0
    return y


def between(x, v):
    return interp(0.3, ones(3), ones(3))  # lacks: R112 "it needs"
