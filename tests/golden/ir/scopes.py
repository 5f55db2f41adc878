import numpy as np
from numpy import sin as sine

try:
    import cupynumeric as xp
except ImportError:
    import numpy as xp

counter = 0


def count():
    global counter
    counter += 1
    return counter


def outer(a):
    scale = 2.0

    def inner(b):
        nonlocal scale
        scale = scale + 1
        return a * b * scale

    return inner


class Grid:
    ghost = 1

    def __init__(self, n):
        self.u = np.zeros((n, n))

    @property
    def inside(self):
        g = self.ghost
        return self.u[g:-g, g:-g]


squares = [x * x for x in range(10) if x % 2]
pairs = {(i, j): i + j for i in range(3) for j in range(i)}
wave = lambda t, w=2.0: sine(w * t)
if (n := len(squares)) > 3:
    del squares
