import numpy as np


def route(n, k):
    q = np.zeros(n)
    e = np.linspace(0.0, 1.0, n)
    for j in range(n):
        q[j] = q[j] - k * q[j] * e[j]
    return q


def settle(days, n):
    bed = np.ones(n)
    for day in range(days):
        if bed.max() > 2.0:
            bed = 0.5 * bed
        print(day, float(bed.mean()))
    return bed
