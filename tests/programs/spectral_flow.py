# verdict: READY
# gates: 2 pass, 3 pass, 4 pass, 5 pass
# composite: pilot
"""Viscous decay of a vortex field, solved by transforms along both axes."""

import numpy as np

N = 8192


def wave_numbers(n):
    k = np.arange(n, dtype=np.float64)
    return np.where(k > n // 2, k - n, k)


def main():
    k = wave_numbers(N)
    squares = k[:, None] ** 2 + k[None, :] ** 2
    decay = np.exp(-1e-6 * squares)
    vortex = np.random.rand(N, N)
    for step in range(500):
        modes = np.fft.rfft2(vortex)
        modes = modes * decay[:, : N // 2 + 1]
        vortex = np.fft.irfft2(modes)
    print(np.sum(vortex * vortex))


if __name__ == "__main__":
    main()
