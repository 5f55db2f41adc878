# sizes: 100000 500000 2000000
# mends: masked_mean by RR-masked-reduce
import numpy as np

n = 100_000
steps = 10
q = np.random.rand(n)
for step in range(steps):
    s = np.sum(q, where=q > 0.5)
