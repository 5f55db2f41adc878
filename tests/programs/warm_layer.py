# verdict: LIGHT REFACTOR
# gates: 3 pass, 4 pass, 5 pass
"""Emission of a layer by quadrature: its nodes are a host matter, the temperatures are not."""
import numpy as np

POINTS = 50_000_000
HOURS = 240


def emission(temperature):
    nodes, weights = np.polynomial.legendre.leggauss(16)
    total = np.zeros_like(temperature)
    for g in range(16):
        total += weights[g] * np.exp(-nodes[g] / temperature)
    return total


def main():
    temperature = np.full(POINTS, 280.0)
    for _ in range(HOURS):
        temperature = 0.5 * (temperature + emission(temperature))
    print(temperature.mean())


if __name__ == "__main__":
    main()
