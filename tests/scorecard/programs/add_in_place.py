# sizes: 100000 1000000 8000000
import numpy as np

n = 100_000
steps = 10
a = np.ones(n)
b = np.ones(n)
for step in range(steps):
    a += b
