# sizes: 100000 500000 2000000
# mends: nonzero_write by RR-mask
import numpy as np

n = 100_000
steps = 10
q = np.random.rand(n)
for step in range(steps):
    q[q > 0.5] = 0.75
