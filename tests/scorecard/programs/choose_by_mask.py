# sizes: 100000 1000000 8000000
import numpy as np

n = 100_000
steps = 10
a = np.random.rand(n)
b = np.ones(n)
for step in range(steps):
    c = np.where(a > 0.5, a, b)
