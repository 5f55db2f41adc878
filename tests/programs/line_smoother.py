# verdict: READY
# gates: 3 pass, 4 uncertain, 5 pass
"""Smooths an image along its rows with a recursive filter: whole columns, but one after the other."""

import numpy as np


def forward(image, a, b):
    out = np.empty_like(image)
    out[:, 0] = a * image[:, 0]
    for j in range(1, image.shape[1]):
        out[:, j] = a * image[:, j] + b * out[:, j - 1]
    return out


def backward(image, a, b):
    out = np.empty_like(image)
    last = image.shape[1] - 1
    out[:, last] = a * image[:, last]
    for j in range(last - 1, -1, -1):
        out[:, j] = a * image[:, j] + b * out[:, j + 1]
    return out


def smooth(image, alpha):
    b = np.exp(-alpha)
    a = 1.0 - b
    return 0.5 * (forward(image, a, b) + backward(image, a, b))


def main(rows, columns):
    image = np.random.rand(rows, columns)
    return smooth(image, 0.3).mean()
