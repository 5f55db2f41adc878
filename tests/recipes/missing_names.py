"""Calls of what the library lacks: what stands for them, and what host NumPy does in their place."""
import math
import random
import statistics
from decimal import Decimal
from fractions import Fraction

import numpy as np


def spread_in_rows(n: int):
    x = np.ones((n, 3))
    return np.std(x, axis=0, keepdims=True)  # says: R112 "**2, 0, keepdims=True))`"


def spread_of_sample(n: int):
    return np.std(np.ones(n), ddof=1)  # lacks: R112 "asks for"


def where_both(x, v):
    x, v = np.asarray(x), np.asarray(v)
    return np.intersect1d(x, v, return_indices=True)[1]  # says: R112 "`onp.intersect1d(onp.asarray(x), onp.asarray(v), return_indices=True)`"


def both(x, v):
    x, v = np.asarray(x), np.asarray(v)
    return np.intersect1d(x, v, assume_unique=True)  # lacks: R112 "asks for"


def handed_over(x, spread=np.std):  # says: R112 "`def std(x, axis=None, keepdims=False): return np.sqrt(np.mean("
    return spread(np.asarray(x), 0)


def differences_of(table, points):
    return np.subtract.outer(table.y, points.y)  # says: R112 "`np.subtract(table.y.reshape(table.y.shape + (1,) * points.y.ndim), points.y)`"


# with: 4
def differences_of_rows(n: int):
    x = np.arange(n * 2.0).reshape(n, 2)
    return np.subtract.outer(x, np.arange(3.0))  # follow: R112 call


# with: 4
def differences_of_tables(n: int):
    x = np.arange(n * 2.0).reshape(n, 2)
    return np.subtract.outer(np.arange(3.0), x)  # follow: R112 call


def printed_row(n: int):
    return np.array2string(np.ones(n), precision=3)  # says: R112 "`onp.array2string(onp.asarray(np.ones(n)), precision=3)`"


def printed_row_alone(n: int):
    return np.array2string(np.ones(n), precision=3)  # lacks: R112 "brings what it gives"


def fitted(n: int):
    x = np.arange(n) + 0.5
    return np.polyfit(x, x, 2)  # says: R112 "`onp.polyfit(onp.asarray(x), onp.asarray(x), 2)`; `np.asarray` brings what it gives to the device"


def between_all(points):
    return np.interp(*points)  # says: R112 "`np.asarray(onp.interp(*map(onp.asarray, points)))`"


def between_columns(table, other):
    return np.interp(table.x, other.x, other.y, left=0.0)  # says: R112 "onp.interp(onp.asarray(table.x), onp.asarray(other.x), onp.asarray(other.y), left=0.0)"


def common_type(n: int, scale: float):
    x = np.ones(n)
    return np.result_type(x, scale)  # says: R112 "`onp.result_type(x.dtype, scale)`"


def checked(n: int):
    x = np.ones(n)
    np.testing.assert_allclose(x, 1.0)  # says: R112 "`onp.testing`, with `onp.asarray` around device arrays"
    return x


def type_of(name: str):
    return np.sctypeDict[name]  # says: R112 "write `onp.sctypeDict`"


def kept_by_names(path: str, arrays: dict):
    np.savez(path, **arrays)  # says: R112 "`onp.savez(path, **{name: onp.asarray(one) for name, one in arrays.items()})`"
    return arrays


def spaced_by_name(lowest: float, highest: float):
    return np.geomspace(lowest, highest, num=5)  # lacks: R112 "asks for"


# with: True
# with: np.True_
# with: 1
def is_flag(value):
    return value is True or value is np.True_  # follow: R112 expression


# with: np.False_
# with: False
def is_no_flag(value):
    return value is not np.False_  # follow: R112 expression


def flag(n: int):
    return n > 3 == np.True_  # says: R112 "write `True`"


# with: 9
def one_joined(n: int):
    path = np.linspace(0.0, 1.0, 2 * n).reshape(n, 2)
    x = np.r_[path[:, 0]]  # follow: R112 subscript
    x[0] = 7.0
    return x, path


# with: 9
def one_range(n: int):
    return np.r_[2:n]  # follow: R112 subscript


# with: 9
def one_line(n: int):
    return np.r_[0:1:5j] * n  # follow: R112 subscript


# with: 9
def one_number(n: int):
    return np.r_[3.5] * n  # follow: R112 subscript


# with: [1, 2, 3]
# with: 2.5
# with: ramp(3)
def one_or_more(freq):
    """Of frequencies.

    :param freq: frequencies
    :type freq: float or numpy.ndarray
    """
    first = np.linspace(0.0, 1.0, 2)
    return first[0] + np.r_[freq]  # follow: R112 subscript


def two_joined(n: int):
    a = np.ones(n)
    return np.r_[a, a]  # says: R112 "np.concatenate((a, a))"


# with: [1, 2, 3]
# with: ramp(4, 2)
# with: 3.0
def how_many(x):
    return np.size(x) == 0, np.size(x) * 2  # follow: R112 call


# with: [1, 2, 3]
# with: ramp(4, 2)
def how_many_of_either(x: list | np.ndarray | tuple):
    return 1 + np.size(x)  # follow: R112 call


def how_many_of_array(x: np.ndarray):
    return np.size(x)  # says: R112 "write `x.size`"


# with: 5
def drawn_shape(n: int):
    mean, cov = np.zeros(3), np.eye(3) * 2.0
    return np.random.multivariate_normal(mean, cov, n).shape  # follow: R112 call


# with: 200000
def drawn_spread(n: int):
    cov = np.array([[2.0, 0.6, 0.0], [0.6, 1.0, -0.3], [0.0, -0.3, 0.5]])
    rng = np.random.default_rng(3)
    x = rng.multivariate_normal([1.0, 2.0, 3.0], cov, size=n)  # follow: R112 call
    return np.abs(np.cov(x.T) - cov).max() < 0.05, np.abs(x.mean(axis=0) - np.array([1.0, 2.0, 3.0])).max() < 0.05


# with: 5
def drawn_table(n: int):
    rng = np.random.default_rng(3)
    return rng.multivariate_normal(np.zeros(2), [[1, 0], [0, 1]], size=(n, 4)).shape  # follow: R112 call


# with: 5
def drawn_once(n: int):
    rng = np.random.default_rng(3)
    return rng.multivariate_normal(np.zeros(n), np.eye(n), check_valid="ignore").shape  # follow: R112 call


def drawn_by_state(state: np.random.RandomState, n: int):
    cov = np.eye(2)
    mean = np.zeros(2)
    return state.multivariate_normal(mean, cov, size=n)  # says: R112 "state.normal(0.0, 1.0, (n, len(mean)))"


# with: 9
def coefficients(n: int):
    x, y = np.sin(np.arange(n * 1.0)), np.cos(np.arange(n * 1.0) ** 2)
    return np.round(np.corrcoef(x, y), 9)  # follow: R112 named


def polynomial(n: int, p):
    ang = np.linspace(0.0, 6.0, n)
    return np.polyval(p, ang)  # says: R112 "`for c_ in p: y_ = y_ * ang + c_` after `y_ = np.zeros_like(ang)`"


def polynomial_of_array(n: int):
    ang, coef = np.linspace(0.0, 6.0, n), np.ones(3)
    return np.polyval(coef[0:2], ang)  # says: R112 "`for c_ in coef[0:2].tolist(): y_ = y_ * ang + c_`"


# with: np.array([[1, 0, 2], [1, 1, 0]])
# with: np.array([True, True, False])
def odd_so_far(x):
    return np.logical_xor.accumulate(x)  # follow: R112 call


def spins(n: int):
    return np.random.choice([-1, 1], size=n)  # lacks: R112 "replacement"


# with: 9
def real_spread(n: int):
    return np.std(np.ones(n) + np.arange(n))  # lacks: R112 "np.abs"


def table(path):
    raw = np.genfromtxt(path, delimiter=",", names=True)  # says: R112 "`onp.genfromtxt(path, delimiter=",", names=True)` and leave what it gives on the host"
    return raw["a"]


def table_of_numbers(path):
    return np.genfromtxt(path, delimiter=",")  # says: R112 "`np.asarray(onp.genfromtxt(path, delimiter=","))`"


def mixed_table(path):
    return np.genfromtxt(path, dtype=None)  # says: R112 "has fields where the columns differ"


# with: np.array([3, 1, 1, 7])
def categories(x):
    x = np.asarray(x).reshape(-1)
    return np.unique(x, return_inverse=True, return_counts=True)  # follow: R113 named


# with: np.array([3, 1, 1, 7])
def places(x):
    x = np.asarray(x).reshape(-1)
    return np.unique(x, return_inverse=True)  # follow: R113 named


def table_shape(theta, phi):
    theta, phi = np.asarray(theta), np.asarray(phi)
    return np.empty(np.broadcast(theta, phi).shape + (4,))  # says: R306 "`np.broadcast_shapes(theta.shape, phi.shape)`"


# with: 5
def one_in_front(n: int):
    prob = np.linspace(0.0, 1.0, n)
    return np.r_[1.0, prob]  # follow: R112 subscript


# with: 5
def counted_behind(n: int):
    return np.r_[np.arange(n), 2:n, 7]  # follow: R112 subscript


def of_smaller_type(n: int):
    return np.r_[1.0, np.ones(n, dtype=np.float32)]  # lacks: R112 "[1.0]"


def modes(n: int):
    a = np.outer(np.arange(n * 1.0), np.ones(n))
    return np.linalg.eigvals(0.5 * (a + a.T))  # says: R302 "`np.linalg.eigvalsh(0.5 * (a + a.T))`"


def modes_of_any(n: int):
    a = np.outer(np.arange(n * 1.0), np.ones(n))
    return np.linalg.eigvals(0.5 * (a - a.T))  # lacks: R302 "eigvalsh"


def shuffled_list(n: int):
    rng = np.random.default_rng(1)
    order = list(range(n))
    rng.shuffle(order)  # says: R112 "`order[:] = [order[i] for i in np.argsort(rng.random(len(order))).tolist()]`"
    return order


def shuffled_row(rows: list[list[int]], i: int):
    rows = [[1, 2, 3], [4, 5, 6]]
    np.random.shuffle(rows[i])  # says: R112 "`rows[i][:] = [rows[i][k] for k in np.argsort(np.random.random(len(rows[i]))).tolist()]`"
    return rows


def shuffled_array(n: int):
    rng = np.random.default_rng(1)
    order = np.arange(n)
    rng.shuffle(order)  # says: R112 "`order[:] = order[np.argsort(rng.random(order.shape[0]))]`"
    return order


# with: 7
def deviation(n: int):
    x = np.linspace(0.0, 1.0, n)
    return statistics.stdev(x)  # follow: R119 expression


# with: 7
def whole_deviation(n: int):
    x = np.linspace(0.0, 1.0, n)
    return statistics.pstdev(x)  # follow: R119 expression


# with: 7
def ratio(n: int):
    x = np.arange(n)
    return Fraction(x.sum(), 3)  # follow: R119 expression


def two_counts(n: int):
    x = np.arange(n)
    return Fraction(x.sum(), x.max())  # says: R119 "`Fraction(int(x.sum()), int(x.max()))`"


def commonest(n: int):
    x = np.linspace(0.0, 1.0, n)
    return statistics.mode(x)  # says: R119 "`x.tolist()`"


# with: 7
def exact(n: int):
    x = np.linspace(0.0, 1.0, n)
    return Decimal(x.sum())  # follow: R119 expression


# with: 7
def cut_off(n: int):
    x = np.linspace(0.0, 10.0, n)
    return math.trunc(x.sum())  # follow: R119 expression


# with: 5
def order_of_items(items: int):
    rng = np.random.default_rng(3)
    return np.sort(rng.permutation(items))  # follow: R112 call


def order_of_a_length(rng: np.random.Generator, items):
    return np.sum(np.ones(3)) + rng.permutation(len(items))  # says: R112 "`np.argsort(rng.random(len(items)))`"


# with: 6
def order_of_a_range(n: int):
    return np.sort(np.random.permutation(range(n)))  # follow: R112 call


# with: 6
def order_of_a_later_range(n: int):
    return np.sort(np.random.permutation(range(2, n)))  # follow: R112 call


# with: 3
def order_of_texts(n: int):
    return sorted(np.random.permutation(["a", "b", "c"]))  # follow: R112 call


# with: ramp(4, 3)
def order_of_columns(x: np.ndarray):
    rng = np.random.default_rng(3)
    return np.sort(rng.permutation(x, axis=1), axis=1)  # follow: R112 call


# with: 4
def chosen_texts(n: int):
    names = ["a", "a"]
    return list(np.random.choice(names, n))  # follow: R112 call


# with: 3
def chosen_texts_once(n: int):
    names = ["a", "b", "c"]
    return sorted(np.random.choice(names, 3, replace=False))  # follow: R112 call


# with: ramp(5)
def shuffled_copy(x: np.ndarray):
    rng = np.random.default_rng(3)
    return np.sort(rng.permutation(x))  # says: R112 "`x[np.argsort(rng.random(len(x)))]`"


# with: 5
def drawn_counts(n: int):
    rng = np.random.default_rng(3)
    return rng.multinomial(n, [0.2, 0.8])  # says: R112 "draw on the host: `np.asarray(host_rng.multinomial(n, [0.2, 0.8]))`, with `host_rng"


def state_of_a_generator(n: int):
    rng = np.random.RandomState(3)
    return rng.get_state()  # says: R112 "gets its seed once, `np.random.default_rng(seed)`"


def resized(n: int):
    a = np.ones(n)
    a.resize(2 * n)  # says: R112 "`np.concatenate`"
    return a


def sequence_of_seeds(n: int):
    return np.random.default_rng(np.random.SeedSequence(n))  # says: R112 "a seed alone makes one of the device"


def product_of_polynomials(n: int):
    return np.polymul(np.ones(n), np.ones(3))  # lacks: R112 "cpnlint api"
