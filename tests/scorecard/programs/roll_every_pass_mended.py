# sizes: 100000 1000000 4000000
# mends: roll_every_pass by RR-shift
import numpy as np

n = 100_000
steps = 10
q = np.random.rand(n)
w = np.zeros(n)
for step in range(steps):
    w[1:] = q[1:] - q[:-1]
    w[0] = q[0] - q[-1]
