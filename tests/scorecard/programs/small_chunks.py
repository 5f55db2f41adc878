# sizes: 100000 200000 400000
import numpy as np

n = 100_000
steps = 10
q = np.ones(n)
for step in range(steps):
    for i in range(0, n, 10_000):
        q[i : i + 10_000] *= 0.5
