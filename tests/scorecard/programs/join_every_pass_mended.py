# sizes: 10000 100000 1000000
# mends: join_every_pass by RR-hoist
import numpy as np

n = 10_000
steps = 10
z = np.ones(2 * n)
for step in range(steps):
    s = z * 2.0
