# sizes: 100000 500000 2000000
import numpy as np

n = 100_000
steps = 10
q = np.random.rand(n)
for step in range(steps):
    i = np.nonzero(q > 0.5)
    q[i] = 0.75
