"""Solves Poisson's equation on the unit square by conjugate gradients, without forming the matrix."""

import numpy as np


def laplace(u, h):
    """The five-point operator with zero boundary values, as slices of a padded copy."""
    padded = np.pad(u, 1)
    return (4.0 * u - padded[:-2, 1:-1] - padded[2:, 1:-1] - padded[1:-1, :-2] - padded[1:-1, 2:]) / h**2


def conjugate_gradient(apply, b, tolerance=1e-8, limit=1000):
    """Returns the solution and the number of iterations. The products stay on the device; only the test needs one."""
    x = np.zeros_like(b)
    r = b - apply(x)
    p = r.copy()
    rr = np.sum(r * r)
    target = tolerance**2 * float(np.sum(b * b))
    for iteration in range(limit):
        ap = apply(p)
        alpha = rr / np.sum(p * ap)
        x += alpha * p
        r -= alpha * ap
        rr_next = np.sum(r * r)
        if rr_next < target:
            return x, iteration + 1
        p = r + (rr_next / rr) * p
        rr = rr_next
    return x, limit


def main(n=64):
    h = 1.0 / (n + 1)
    grid = np.linspace(h, 1.0 - h, n)
    exact = (grid * (1.0 - grid))[:, None] * np.sin(2.0 * np.pi * grid**2)[None, :]
    solution, iterations = conjugate_gradient(lambda u: laplace(u, h), laplace(exact, h))
    print(f"{iterations} iterations, largest error {np.max(np.abs(solution - exact)):.2e}")


if __name__ == "__main__":
    main()
