# sizes: 100000 1000000 8000000
# mends: cast_after_fill by RR-create
import numpy as np

n = 100_000
steps = 10
for step in range(steps):
    q = np.ones(n, dtype=np.float32)
    w = q * 2
