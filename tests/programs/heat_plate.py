# verdict: READY
# gates: 1 pass, 2 pass, 3 pass, 4 pass, 5 pass
# composite: strong-go
"""Heat spreads over a square plate whose left edge is kept hot; explicit steps on a five-point stencil."""

import numpy as np

N = 16384
STEPS = 5000
KAPPA = 0.2


def make_plate(n):
    plate = np.zeros((n, n))
    plate[:, 0] = 100.0
    return plate


def step(plate, work):
    """One explicit step; the edges keep their temperatures."""
    work[1:-1, 1:-1] = plate[1:-1, 1:-1] + KAPPA * (
        plate[2:, 1:-1] + plate[:-2, 1:-1] + plate[1:-1, 2:] + plate[1:-1, :-2] - 4.0 * plate[1:-1, 1:-1]
    )
    work[:, 0] = plate[:, 0]
    work[:, -1] = plate[:, -1]
    work[0, :] = plate[0, :]
    work[-1, :] = plate[-1, :]


def main():
    plate = make_plate(N)
    work = np.zeros_like(plate)
    for i in range(STEPS):
        step(plate, work)
        plate, work = work, plate
    print("mean temperature:", plate.mean())


if __name__ == "__main__":
    main()
