# Gathers by positions: along one axis, written out, in range for sure, of masks.
import numpy as np


# with: 5, 7
def drawn_rows(n: int, k: int):
    rng = np.random.RandomState(3)
    x = np.arange(4.0 * n).reshape(n, 4)
    idx = rng.randint(0, n, size=(k,))
    return x[idx, :]  # follow: R116 expression


# with: 5
def permuted_rows(n: int):
    x = np.cos(np.arange(4.0 * n)).reshape(n, 4)
    order = np.argsort(x[:, 0])
    return x[order, :]  # follow: R116 expression


# with: 5
def permuted_rows_says(n: int):
    x = np.cos(np.arange(4.0 * n)).reshape(n, 4)
    order = np.argsort(x[:, 0])
    return x[order, :]  # says: R116 "every index is in range: `np.take(x, order, axis=0, mode='clip')`"


# with: 5
def chosen_columns(n: int):
    x, idx = np.arange(3.0 * n).reshape(3, n), np.arange(n) // 2
    return x[:, idx]  # follow: R116 expression


# with: 5
def rotated(n: int):
    q = np.arange(4.0 * n).reshape(n, 4)
    return q[:, (1, 2, 3, 0)]  # follow: R116 expression


# with: 5
def rotated_says(n: int):
    q = np.arange(4.0 * n).reshape(n, 4)
    return q[:, (1, 2, 3, 0)]  # says: R116 "`np.concatenate((q[:, 1:4], q[:, :1]), axis=1)`"


# with: 5
def one_stretch(n: int):
    q = np.arange(4.0 * n).reshape(n, 4)
    return q[:, [1, 2]]  # follow: R116 expression


# with: 5
def swapped_rows(n: int):
    q = np.arange(4.0 * n).reshape(4, n)
    return q[[2, 0]]  # follow: R116 expression


# with: 5
def far_apart(n: int):
    q = np.arange(12.0 * n).reshape(n, 12)
    return q[:, [0, 2, 4, 6, 8]]  # follow: R116 expression


# with: 5
def below_zero(n: int):
    q = np.arange(4.0 * n).reshape(n, 4)
    return q[:, [-1, 0]]  # follow: R116 expression


# with: 5
def from_the_end(n: int):
    q = np.arange(4.0 * n).reshape(n, 4)
    return q[:, [-3, -2, -1, 0, 1]]  # follow: R116 expression


# with: 5, [0, 2]
def some_from_the_end(n: int, columns: list):
    q = np.arange(4.0 * n).reshape(n, 4)
    return q[:, list(columns) + [-1]]  # lacks: R116 "np.take"


# with: 5, 3
def first_columns(n: int, k: int):
    q = np.arange(4.0 * n).reshape(n, 4)
    return q[:, list(range(k))]  # follow: R116 expression


# with: 4
def counted_pairs(n: int):
    counts = np.arange(n * n).reshape(n, n) % 3
    x, pairs = counts - 1.5, np.nonzero(counts)
    return (x[pairs] < 0).any()  # says: R116 "keep the mask `counts != 0` and select with it"


# with: 4
def compared_pairs(n: int):
    counts = np.arange(n * n).reshape(n, n) % 3
    x, pairs = counts - 1.5, np.nonzero((counts == 1) | (counts > 7))
    return (x[pairs] < 0).any()  # lacks: R116 "!= 0"


# with: 4
def counted_sum_pairs(n: int):
    counts = np.arange(n * n).reshape(n, n) % 3
    x, pairs = counts - 1.5, np.nonzero(counts - 1)
    return (x[pairs] < 0).any()  # says: R116 "keep the mask `counts - 1 != 0` and select with it"


def written_by_order(n: int):
    x, y = np.ones((n, 3)), np.cos(np.arange(n))
    order = np.argsort(y)
    x[order, 0] = y - 2.0  # lacks: R116 "duplicates"
    return x


def written_by_halves(n: int):
    x = np.ones((n, 3))
    half = np.arange(n) // 2
    x[half, 0] = 2.0  # says: R116 "duplicates in `half` are undefined"
    return x


def written_by_draws(n: int, k: int):
    x = np.ones((n, 3))
    idx = np.random.randint(0, n, size=(k,))
    x[idx, 0] = 2.0  # says: R116 "draw without replacement"
    return x


# with: 4
def odd_extent(n: int):
    return np.linspace(-2.0, 2.0, 2 * n + 3)[1::2].round()  # follow: R106 bound


# with: 4
def odd_extent_says(n: int):
    return np.linspace(-2.0, 2.0, 2 * n + 3)[1::2].round()  # lacks: R106 "reshape"


# with: 4
def even_extent(n: int):
    return np.linspace(-2.0, 2.0, 2 * n + 4)[1::2].round()  # follow: R106 expression


# with: 4
def even_extent_says(n: int):
    return np.linspace(-2.0, 2.0, 2 * n + 4)[1::2].round()  # lacks: R106 "np.take"
