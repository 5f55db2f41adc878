# sizes: 300 1000 3000
import numpy as np

n = 300
steps = 10
a = np.random.rand(n, n)
for step in range(steps):
    s = a.sum(axis=1)
