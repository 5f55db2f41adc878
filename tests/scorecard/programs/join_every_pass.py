# sizes: 10000 100000 1000000
import numpy as np

n = 10_000
steps = 10
q = np.ones(n)
r = np.ones(n)
for step in range(steps):
    z = np.concatenate([q, r])
    s = z * 2.0
