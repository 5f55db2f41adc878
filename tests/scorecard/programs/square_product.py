# sizes: 200 600 1200
import numpy as np

n = 200
steps = 10
a = np.random.rand(n, n)
b = np.random.rand(n, n)
for step in range(steps):
    c = a @ b
