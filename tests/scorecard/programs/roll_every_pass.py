# sizes: 100000 1000000 4000000
import numpy as np

n = 100_000
steps = 10
q = np.random.rand(n)
w = np.zeros(n)
for step in range(steps):
    w = q - np.roll(q, 1)
