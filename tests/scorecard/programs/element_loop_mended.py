# sizes: 100 300 900
# mends: element_loop by RR-loop
import numpy as np

n = 100
steps = 10
q = np.ones(n)
for step in range(steps):
    q *= 0.5
