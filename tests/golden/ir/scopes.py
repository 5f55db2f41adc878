import numpy as np

count = 0
table = {}


def outer(a, *rest, k=2, **options):
    state = a

    def bump():
        nonlocal state
        state += 1
        global count
        count = state
        return a, sum

    def read():
        return state

    a = k
    return bump, read, [lambda: i + j for i in a for j in i if (last := j)], last


class Grid:
    size = 4
    cells = [size for _ in range(size)]
    sum = sum(cells)

    def step(self):
        return self.size, size


def later():
    table = np.zeros(count)
    del table
    return missing
