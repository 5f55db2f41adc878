# sizes: 100000 1000000 8000000
import numpy as np

n = 100_000
steps = 10
for step in range(steps):
    q = np.ones(n).astype(np.float32)
    w = q * 2
