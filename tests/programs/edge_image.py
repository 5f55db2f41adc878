# verdict: LIGHT REFACTOR
# gates: 1 uncertain, 2 uncertain, 3 pass, 5 fail
"""Sobel edges of a grey image, pixel by pixel, as it was first written down."""

import numpy as np


def load(path):
    return np.load(path).astype(np.float64)


def edges(image):
    rows, columns = image.shape
    strength = np.zeros((rows, columns))
    for i in range(1, rows - 1):
        for j in range(1, columns - 1):
            gx = (
                image[i - 1, j + 1] + 2.0 * image[i, j + 1] + image[i + 1, j + 1]
                - image[i - 1, j - 1] - 2.0 * image[i, j - 1] - image[i + 1, j - 1]
            )
            gy = (
                image[i + 1, j - 1] + 2.0 * image[i + 1, j] + image[i + 1, j + 1]
                - image[i - 1, j - 1] - 2.0 * image[i - 1, j] - image[i - 1, j + 1]
            )
            strength[i, j] = (gx * gx + gy * gy) ** 0.5
    return strength


def normalise(strength):
    low = strength.min()
    high = strength.max()
    return (strength - low) / (high - low)


def main(path):
    return normalise(edges(load(path)))
