# sizes: 100000 500000 2000000
# mends: histogram_without_range by RR-range
import numpy as np

n = 100_000
steps = 10
q = np.random.rand(n)
for step in range(steps):
    h, e = np.histogram(q, bins=10, range=(0.0, 1.0))
