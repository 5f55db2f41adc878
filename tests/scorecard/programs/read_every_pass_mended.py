# sizes: 100000 1000000 8000000
# mends: read_every_pass by RR-sync
import numpy as np

n = 100_000
steps = 10
q = np.ones(n)
total = np.zeros(())
for step in range(steps):
    q *= 0.999
    total = total + q.sum()
