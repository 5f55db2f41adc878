import numpy as np


def step(n):
    u = np.zeros((n, n + 2), dtype=np.float32)
    inner = u[1:-1, 1:-1]
    flat = inner.reshape(-1)
    mean = u.mean(axis=0)
    copy = u.T.copy()
    counts = np.arange(n) // 2
    mixed = counts + mean[:1]
    names = [str(i) for i in range(n)]
    return inner, flat, mean, copy, mixed, names
