# sizes: 500 1500 3000
import numpy as np

n = 500
steps = 10
a = np.random.rand(n, n)
x = np.ones(n)
for step in range(steps):
    y = a @ x
    x = y / np.sqrt(y.dot(y))
