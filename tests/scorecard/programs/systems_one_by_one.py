# sizes: 4 8 16
import numpy as np

n = 4
steps = 10
a = np.random.rand(n, 50, 50) + 50 * np.eye(50)
b = np.random.rand(n, 50, 1)
for step in range(steps):
    for i in range(n):
        x = np.linalg.solve(a[i], b[i])
