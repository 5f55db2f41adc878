import numpy as np

total = np.sum(np.ones(1_000_000))
