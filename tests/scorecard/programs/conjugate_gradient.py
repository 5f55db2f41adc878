# sizes: 300 1000 2500
import numpy as np

n = 300
steps = 10
a = np.random.rand(n, n) + n * np.eye(n)
x = np.zeros(n)
r = np.ones(n)
p = r.copy()
rr = r.dot(r)
for step in range(steps):
    q = a @ p
    alpha = rr / p.dot(q)
    x += alpha * p
    r -= alpha * q
    new = r.dot(r)
    p = r + (new / rr) * p
    rr = new
