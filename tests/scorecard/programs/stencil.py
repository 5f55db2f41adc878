# sizes: 300 1000 2500
import numpy as np

n = 300
steps = 10
u = np.random.rand(n, n)
v = np.zeros((n, n))
for step in range(steps):
    v[1:-1, 1:-1] = 0.25 * (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:])
    u, v = v, u
