# sizes: 300 1000 2500
import numpy as np

n = 300
steps = 10
q = np.random.rand(n * n)
w = np.ones((n, n))
for step in range(steps):
    w = w * 0.5 + q.reshape(n, n)
