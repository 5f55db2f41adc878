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
    x[idx, 0] = np.arange(1.0 * k)  # says: R116 "draw without replacement"
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


# with: np.log(np.arange(1.0, 13.0).reshape(4, 3)), np.array([0, 2, 1, 1])
def one_of_each_row(p: np.ndarray, y):
    p = p.reshape(p.shape[0], -1) + 0.0
    y = np.asarray(y).reshape(-1)
    return p[np.arange(p.shape[0]), y]  # follow: R116 expression


# with: 4, np.array([0, 2, 1, 1])
def written_in_each_row(n: int, y):
    out = np.zeros((n, 3))
    y = np.asarray(y).reshape(-1)
    out[np.arange(n), y] = 1.0  # follow: R116 statement
    return out


# with: 4, np.array([0, 2, 1, 1])
def written_in_each_row_of_bytes(n: int, y):
    out = np.zeros((n, 3), dtype=np.int8)
    y = np.asarray(y).reshape(-1)
    return out[np.arange(n), y]  # lacks: R116 "np.sum"


# with: 5
def largest_of_two_axes(n: int):
    res = np.sin(np.arange(n * n * 1.0)).reshape(n, n)
    peak = np.unravel_index(np.argmax(res), res.shape)
    return res[peak]  # follow: R116 expression


# with: 5
def furthest_of_two_axes(n: int):
    res = np.sin(np.arange(n * n * 1.0)).reshape(n, n)
    flat = np.argmax(np.abs(res))
    peak = np.unravel_index(flat, res.shape)
    return res[peak]  # follow: R116 expression


def furthest_without_a_name(n: int):
    res = np.sin(np.arange(n * n * 1.0)).reshape(n, n)
    peak = np.unravel_index(np.argmax(np.abs(res)), res.shape)
    return res[peak]  # says: R116 "`np.take(res.ravel(), flat_.reshape(1), axis=0, mode='clip')[0]` with `flat_ = np.argmax(np.abs(res))`"


def at_the_place_of_another(n: int):
    res, model = np.sin(np.arange(n * n * 1.0)).reshape(n, n), np.ones((n, 2 * n))
    peak = np.unravel_index(np.argmax(np.abs(res)), res.shape)
    return model[peak]  # says: R116 "find such positions on the host"


def changed_since(n: int):
    res = np.sin(np.arange(n * n * 1.0)).reshape(n, n)
    peak = np.unravel_index(np.argmax(res), res.shape)
    res[0, 0] = 3.0
    return res[peak]  # lacks: R116 "np.max(res)"


def around(y, c: int, h: int):
    y = np.asarray(y) + 0.0
    return y[np.arange(c - h, c + h, dtype=int)]  # says: R116 "where `c - h` is not negative, `y[c - h:c + h]` is a view"


def between_halves(n: int):
    y = np.ones(n)
    return y[np.arange(0.5, 3.0, dtype=int)]  # lacks: R116 "stretch"


# with: 9
def at_some(n: int):
    y = np.zeros(n)
    y[np.array([0, -1])] = 1.0  # lacks: R116 "duplicates"
    return y


def where_larger(m, n: int):
    y = np.zeros(n)
    y[np.where(np.asarray(m) > 0)[0]] = 1.0  # lacks: R116 "duplicates"
    return y


def while_it_changes(i, steps: int):
    u, total = np.ones((90, 80)), 0.0
    i, j = np.arange(60) // 2, np.arange(60) // 3
    for _ in range(steps):
        u *= 0.5
        total = total + u[i, j].sum()  # lacks: R116 "before the loop"
    return total


def drawn_and_raised(n: int):
    x = np.zeros(n)
    clicks = np.random.default_rng(3).integers(0, n, size=50)
    x[clicks] += 2.0  # says: R116 "gets the same number each time, so that nothing is undefined, and as with NumPy it counts once"
    return x


def drawn_and_set(n: int):
    x = np.zeros(n)
    x[np.random.default_rng(3).integers(0, n, size=50)] = 1.0  # lacks: R116 "bincount"
    return x


def drawn_and_raised_apart(n: int):
    x = np.zeros(n)
    clicks = np.random.default_rng(3).integers(0, n, size=50)
    x[clicks] += np.arange(50.0)  # says: R116 "it is undefined which write stays"
    return x


# with: 40
def selected_for_the_host(n: int):
    labels, near = np.arange(n) % 7, np.arange(n) % 3
    at = np.nonzero(near)[0]  # says: R204 "`labels[near != 0]`: what it selects goes to the host"
    return sorted(set(labels[at].tolist()))
