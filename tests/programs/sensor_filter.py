# verdict: NOT RECOMMENDED
# gates: 4 fail
# composite: no-go
"""A low-pass filter over one long series of a sensor: each value needs the filtered one before."""

import numpy as np


def low_pass(raw, alpha):
    smooth = np.zeros_like(raw)
    smooth[0] = raw[0]
    for i in range(1, raw.shape[0]):
        smooth[i] = smooth[i - 1] + alpha * (raw[i] - smooth[i - 1])
    return smooth


def high_pass(raw, alpha):
    sharp = np.zeros_like(raw)
    sharp[0] = raw[0]
    for i in range(1, raw.shape[0]):
        sharp[i] = alpha * (sharp[i - 1] + raw[i] - raw[i - 1])
    return sharp


def main():
    n = 2_000_000
    t = np.linspace(0.0, 100.0, n)
    raw = np.sin(t) + 0.1 * np.sin(40.0 * t)
    slow = low_pass(raw, 0.01)
    fast = high_pass(raw, 0.99)
    print("power below:", np.sum(slow * slow))
    print("power above:", np.sum(fast * fast))


if __name__ == "__main__":
    main()
