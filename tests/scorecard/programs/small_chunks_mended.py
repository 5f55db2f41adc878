# sizes: 100000 200000 400000
# mends: small_chunks by RR-chunk
import numpy as np

n = 100_000
steps = 10
q = np.ones(n)
for step in range(steps):
    q *= 0.5
