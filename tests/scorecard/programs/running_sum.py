# sizes: 100000 1000000 4000000
import numpy as np

n = 100_000
steps = 10
a = np.random.rand(n)
for step in range(steps):
    c = np.cumsum(a)
