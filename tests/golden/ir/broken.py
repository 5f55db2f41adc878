import numpy as np

def before(a):
    return np.sum(a)

x = before(1

y = x + 1

def after(a):
    b = a + * 2
    return b, x
