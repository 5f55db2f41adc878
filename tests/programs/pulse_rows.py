"""Fifty thousand detector pulses of sixteen samples, normalised and fitted one after the other.

No pulse needs another one: the loop over rows is an axis that nobody made.
"""

# verdict: LIGHT REFACTOR
# gates: 2 uncertain, 3 pass, 4 pass

import numpy as np

PULSES = 50_000
SAMPLES = 16


def slopes(pulses, times):
    found = np.zeros((PULSES, 2))
    for row in range(PULSES):
        pulse = pulses[row] - pulses[row].mean()
        found[row, 0] = (pulse * times).sum()
        found[row, 1] = (pulse * pulse).sum()
    return found


def main():
    times = np.linspace(-1.0, 1.0, SAMPLES)
    pulses = np.random.rand(PULSES, SAMPLES)
    found = slopes(pulses, times)
    print(found.mean(axis=0))


if __name__ == "__main__":
    main()
