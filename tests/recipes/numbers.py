# Functions of Python numbers in hot loops.
import math

import numpy as np


# with: 6, 3
def scaled_by_numbers(n: int, steps: int):
    u = np.ones(n)
    for k in range(steps):
        u = u * (np.sqrt(2) * np.sqrt(k + 1))  # follow: R216 expression
    return u


# with: 6, 3
def scaled_by_one(n: int, steps: int):
    u = np.ones(n)
    for k in range(steps):
        u = u * (0.5 * np.sqrt(np.abs(k - 2)))  # follow: R216 expression
    return u * math.pi
