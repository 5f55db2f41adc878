# sizes: 100000 1000000 3000000
import numpy as np

n = 100_000
steps = 10
s = np.random.rand(n) + 1.0
k = np.random.rand(n) + 1.0
for step in range(steps):
    d = (np.log(s / k) + 0.06) / 0.3
    call = s * np.exp(-d * d) - k * np.exp(-0.02) * np.exp(-(d - 0.3) * (d - 0.3))
