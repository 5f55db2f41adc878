# sizes: 100000 1000000 8000000
import numpy as np

n = 100_000
steps = 10
q = np.ones(n)
for step in range(steps):
    w = np.zeros(n)
    w += q
    q = q * 0.5
