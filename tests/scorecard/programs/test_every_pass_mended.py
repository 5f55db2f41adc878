# sizes: 100000 1000000 8000000
# mends: test_every_pass by RR-converge
import numpy as np

n = 100_000
steps = 10
q = np.ones(n)
for step in range(steps):
    q *= 0.999
    if step % 10 == 0 and q.max() < 1e-9:
        break
