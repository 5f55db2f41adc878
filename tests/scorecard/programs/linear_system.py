# sizes: 100 300 800
import numpy as np

n = 100
steps = 10
a = np.random.rand(n, n) + n * np.eye(n)
b = np.random.rand(n)
for step in range(steps):
    x = np.linalg.solve(a, b)
