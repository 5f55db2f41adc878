# sizes: 300 1000 2500
import numpy as np

n = 300
steps = 10
u = np.random.rand(n, n)
w = np.random.rand(n, n)
lap = np.zeros((n, n))
for step in range(steps):
    lap[1:-1, 1:-1] = u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:] - 4.0 * u[1:-1, 1:-1]
    w = 2.0 * u - w + 0.1 * lap
    u, w = w, u
