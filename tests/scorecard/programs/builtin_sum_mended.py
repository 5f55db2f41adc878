# sizes: 100 300 900
# mends: builtin_sum by RR-builtin
import numpy as np

n = 100
steps = 10
q = np.ones(n)
for step in range(steps):
    s = np.sum(q)
