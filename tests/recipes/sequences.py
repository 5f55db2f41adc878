"""Loops whose passes need others: series, tables of neighbours."""
import numpy as np


# with: 9
def smoothed(n: int):
    series = np.linspace(0.0, 1.0, n)
    level = series[0]
    levels = []
    for value in series:  # says: R103 "each pass needs the one before"
        level = 0.9 * level + 0.1 * value
        levels.append(level)
    return np.array(levels)


# with: 9
def energy(n: int):
    series = np.linspace(0.0, 1.0, n)
    total = 0.0
    for value in series:  # lacks: R103 "each pass needs the one before"
        total += 0.5 * value * value
    return total


# with: 9
def filtered(n: int):
    series = np.linspace(0.0, 1.0, n)
    out = np.zeros(len(series))
    for i, value in enumerate(series):  # says: R103 "each pass needs the one before"
        out[i] = 0.5 * out[i - 1] + value
    return out


# with: ramp(9), ramp(7)
def aligned(a: np.ndarray, b: np.ndarray):
    score = np.zeros((len(a) + 1, len(b) + 1))
    for i in range(1, len(a) + 1):  # says: R101 "anti-diagonal"
        for j in range(1, len(b) + 1):
            same = 2.0 if a[i - 1] == b[j - 1] else -1.0
            score[i, j] = max(0.0, score[i - 1, j - 1] + same, score[i - 1, j] - 2.0, score[i, j - 1] - 2.0)
    return score


# with: 6
def relaxed(n: int):
    u = np.ones((n, n))
    for i in range(1, n - 1):  # says: R101 "anti-diagonal"
        for j in range(1, n - 1):
            u[i, j] = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1])
    return u


# with: 6
def needs_the_diagonal(n: int):
    u = np.ones((n, n))
    for i in range(1, n - 1):  # lacks: R101 "anti-diagonal"
        for j in range(1, n - 1):
            u[i, j] = 0.5 * (u[i - 1, j + 1] + u[i, j - 1])
    return u


# with: 6
def needs_rows_alone(n: int):
    u = np.ones((n, n))
    for i in range(1, n):  # lacks: R101 "anti-diagonal"
        for j in range(n):
            u[i, j] = 0.5 * u[i - 1, j] + 1.0
    return u


# with: 6
def relaxed_upwards(n: int):
    u = np.ones((n, n))
    for i in reversed(range(1, n - 1)):  # lacks: R101 "anti-diagonal"
        for j in range(1, n - 1):
            u[i, j] = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1])
    return u
