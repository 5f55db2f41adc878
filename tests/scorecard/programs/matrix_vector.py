# sizes: 500 1500 4000
import numpy as np

n = 500
steps = 10
a = np.random.rand(n, n)
x = np.random.rand(n)
for step in range(steps):
    y = a @ x
