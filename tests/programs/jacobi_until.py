# verdict: LIGHT REFACTOR
# gates: 3 pass, 4 pass, 5 uncertain
"""Jacobi's method on a diagonally dominant system, with the residual tested on every pass."""

import numpy as np


def system(n):
    matrix = np.random.rand(n, n)
    matrix = matrix + n * np.eye(n)
    return matrix, np.random.rand(n)


def solve(matrix, right, tolerance, most):
    diagonal = np.diag(matrix)
    rest = matrix - np.diagflat(diagonal)
    x = np.zeros(right.shape[0])
    for k in range(most):
        new = (right - rest @ x) / diagonal
        if np.linalg.norm(new - x) < tolerance:
            return new
        x = new
    return x


def main(n):
    matrix, right = system(n)
    x = solve(matrix, right, 1e-8, 500)
    return np.linalg.norm(matrix @ x - right)
