# sizes: 100000 500000 2000000
import numpy as np

n = 100_000
steps = 10
a = np.random.rand(n)
i = np.random.randint(0, n, size=n)
for step in range(steps):
    c = a[i]
