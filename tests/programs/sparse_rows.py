# verdict: NOT RECOMMENDED
# gates: 4 fail
"""Power iteration on a sparse matrix in compressed rows, kept as three arrays."""

import numpy as np


def multiply(indptr, indices, data, x):
    rows = indptr.shape[0] - 1
    y = np.zeros(rows)
    for i in range(rows):
        total = 0.0
        for k in range(indptr[i], indptr[i + 1]):
            total += data[k] * x[indices[k]]
        y[i] = total
    return y


def power(indptr, indices, data, passes):
    x = np.ones(indptr.shape[0] - 1)
    for p in range(passes):
        y = multiply(indptr, indices, data, x)
        x = y / np.sqrt(np.sum(y * y))
    return x


def main(path):
    indptr = np.load(path + ".indptr.npy")
    indices = np.load(path + ".indices.npy")
    data = np.load(path + ".data.npy")
    return power(indptr, indices, data, 100)
