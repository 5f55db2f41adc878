# sizes: 4 8 16
# mends: systems_one_by_one by RR-batch
import numpy as np

n = 4
steps = 10
a = np.random.rand(n, 50, 50) + 50 * np.eye(50)
b = np.random.rand(n, 50, 1)
for step in range(steps):
    x = np.linalg.solve(a, b)
