# sizes: 100 300 900
import numpy as np

n = 100
steps = 10
q = np.ones(n)
for step in range(steps):
    s = sum(q)
