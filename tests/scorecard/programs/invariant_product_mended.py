# sizes: 200 500 1000
# mends: invariant_product by RR-hoist
import numpy as np

n = 200
steps = 10
a = np.random.rand(n, n)
b = np.random.rand(n, n)
q = np.ones((n, n))
ab = a @ b
for step in range(steps):
    q = q * 0.5 + ab
