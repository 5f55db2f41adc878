"""Heat spreading through a square plate: explicit time steps of the five-point stencil.

Runs under NumPy as it is; with `import cupynumeric as np` the same slices become distributed stencil tasks.
"""

import argparse

import numpy as np


def initial_plate(n):
    """A cold plate whose left edge is held at 100 degrees."""
    plate = np.zeros((n, n))
    plate[:, 0] = 100.0
    return plate


def step(u, diffusivity, dt, dx):
    """One explicit step; the edges keep their temperature."""
    centre = u[1:-1, 1:-1]
    neighbours = u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:]
    u[1:-1, 1:-1] = centre + diffusivity * dt / dx**2 * (neighbours - 4.0 * centre)


def simulate(n, steps, diffusivity=1.0, check_every=50, tolerance=1e-3):
    """Steps until the plate hardly changes, or `steps` times; returns the plate and the number of steps."""
    dx = 1.0 / (n - 1)
    dt = 0.2 * dx**2 / diffusivity
    u = initial_plate(n)
    before = u.copy()
    for done in range(1, steps + 1):
        step(u, diffusivity, dt, dx)
        if done % check_every == 0:
            change = float(np.max(np.abs(u - before)))
            if change < tolerance:
                return u, done
            before[:] = u
    return u, steps


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-n", type=int, default=128, help="grid points per side")
    parser.add_argument("--steps", type=int, default=500)
    args = parser.parse_args()
    plate, steps = simulate(args.n, args.steps)
    print(f"after {steps} steps the mean temperature is {plate.mean():.4f}")


if __name__ == "__main__":
    main()
