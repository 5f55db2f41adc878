# sizes: 100000 1000000 8000000
# mends: fill_every_pass by RR-alloc
import numpy as np

n = 100_000
steps = 10
q = np.ones(n)
w = np.zeros(n)
for step in range(steps):
    w += q
    q = q * 0.5
