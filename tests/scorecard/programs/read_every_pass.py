# sizes: 100000 1000000 8000000
import numpy as np

n = 100_000
steps = 10
q = np.ones(n)
total = 0.0
for step in range(steps):
    q *= 0.999
    total += float(q.sum())
