"""More expressions: subscripts of `mgrid`, `ogrid`, `c_` and `s_`, the spread of values along axes, numbers."""
import json

import numpy as np


# with: 7
def grid(n: int):
    yy, xx = np.mgrid[-1:1:64j, 0:n:n * 1j]  # follow: R119 expression
    return xx + 2.0 * yy


# with: 7
def stacked_grid(n: int):
    a = np.mgrid[-1:1:4j, 0:n:complex(0, n)]  # follow: R119 expression
    return a


# with: 7
def line(n: int):
    return np.mgrid[1:n:1j * n] - 2.0  # follow: R119 expression


def mixed(n: int):
    return np.mgrid[0:1:5j, 0:n]  # says: R119 "make the lines with `np.linspace`"


# with: 5
def open_grid(n: int):
    i, j = np.ogrid[:n, 1:n + 2]  # follow: R112 subscript
    return i * 10 + j


# with: 5
def open_lines(n: int):
    return np.ogrid[0:1:4j, -1:1:n * 1j][1] + 1.0  # follow: R112 subscript


def open_mixed(n: int):
    return np.ogrid[0:1:4j, 0:n]  # lacks: R112 "linspace"


# with: 4
def columns(n: int):
    x = np.arange(n) * 2.0
    return np.c_[x, x + 1.0]  # follow: R112 subscript


def columns_of_two_ranks(n: int):
    x = np.arange(n) * 2.0
    return np.c_[x[:, None] * np.ones((n, 2)), x + 1.0]  # says: R112 "(all 1-D, or all 2-D of equal height)"


# with: 4
def column(n: int):
    x = np.arange(n) * 2.0
    return np.c_[x]  # follow: R112 subscript


def unknown_columns(x, y):
    return np.c_[x, y]  # says: R112 "np.column_stack((a, b))` (all 1-D,"


# with: 9
def part(n: int):
    x = np.arange(n * n).reshape(n, n)
    return x[np.s_[2:5, :n - 1]]  # follow: R112 subscript


# with: 9
def part_of_one(n: int):
    return np.arange(n)[np.s_[2:]]  # follow: R112 subscript


# with: 9
def part_by_tuple(n: int):
    return np.arange(n)[np.index_exp[2:n - 2]]  # follow: R112 subscript


# with: ramp(6, 5)
def scores(x):
    return (x - x.mean(axis=1, keepdims=True)) / np.std(x, axis=1, keepdims=True)  # follow: R112 call


# with: 6
def scores_by_method(n: int):
    x = np.sqrt(np.arange(n * n)).reshape(n, n)
    return x / x.std(1, keepdims=True)  # follow: R112 call


# with: 6
def of_sample(n: int):
    x = np.sqrt(np.arange(n * n)).reshape(n, n)
    return x.std(axis=0, ddof=1) + np.std(x, ddof=1)  # follow: R112 call


# with: 6
def of_sample_in_all(n: int):
    x = np.sqrt(np.arange(n * n)).reshape(n, n)
    return np.std(x, None, None, None, n - 4)  # follow: R112 call


# with: 6
def without_missing(n: int):
    x = np.sqrt(np.arange(n * n)).reshape(n, n)
    return np.nanstd(x, axis=0, keepdims=True) * 2.0  # follow: R112 call


# with: 6
def range_along(n: int):
    x = np.sqrt(np.arange(n * n)).reshape(n, n)
    return x / np.ptp(x, axis=0, keepdims=True)  # follow: R112 call


def over_several_axes(n: int):
    x = np.ones((n, n, n))
    return np.std(x, axis=(0, 1), ddof=1)  # says: R112 "ddof= divides by n - ddof instead"


def in_other_type(n: int):
    x = np.ones((n, n), dtype=np.float32)
    return np.std(x, dtype=np.float64)  # says: R112 "what `dtype=` asks for is to be added"


# with: 3
def diagonals(n: int):
    x = np.arange(n * n * n).reshape(n, n, n)
    return np.linalg.diagonal(x, offset=1)  # follow: R112 call


def diagonals_of_some(x: np.ndarray):
    return np.linalg.diagonal(x)  # says: R112 "of a stack `np.einsum('...ii->...i', x)`"


def number_of_a_literal(n: int):
    x = np.ones(n)
    for _ in range(n):
        x = x / np.sqrt(2 * np.pi)  # lacks: R216 "raises where"
    return x


def number_of_a_variable(n: int, a: float):
    x = np.ones(n)
    for _ in range(n):
        x = x / np.sqrt(a)  # says: R216 "raises where NumPy gives NaN"
    return x


def number_out_of_range(n: int):
    x = np.ones(n)
    for _ in range(n):
        x = x / np.sqrt(-2.0)  # says: R216 "raises where NumPy gives NaN"
    return x


def columns_of_positions(n: int):
    q = np.arange(n * n).reshape(n, n) * 0.1
    at = np.argwhere(q > 0.5)  # says: R204 "`q[q > 0.5] = 0.0`"
    q[at[:, 0], at[:, 1]] = 0.0
    return q


# with: 5
def singular_values(n: int):
    x = np.ones((n, n)) + np.eye(n)
    return np.linalg.svd(x + 1.0, compute_uv=False) * 2.0  # follow: R113 call


def larger(a: np.ndarray, b: np.ndarray, n: int):
    for _ in range(n):
        a = a * 0.5
        if max(a.max(), b.max()) > 1.0:  # says: R105 "so that the test alone waits"
            a = a + 1
    return a


def scaled_by_larger(a: np.ndarray, b: np.ndarray, n: int):
    for _ in range(n):
        a = a / max(a.max(), b.max())  # says: R105 "the result stays on the device"
    return a


def cold_gather(a: np.ndarray):
    rows = np.argsort(a[:, 0])
    return a[rows, rows]  # lacks: R116 "before the loop"


# with: 4
def sea_of_fields(n: int):
    u, land = np.arange(6.0 * n * n).reshape(3, 2, n, n), np.arange(n * n).reshape(n, n) % 3 == 0
    return u[..., land]  # follow: R119 expression


# with: 4
def sea_says(n: int):
    u, land = np.arange(6.0 * n * n).reshape(3, 2, n, n), np.arange(n * n).reshape(n, n) % 3 == 0
    return u[..., land]  # says: R119 "write `u[:, :, land]`"


# with: 4
def sea_before_the_rest(n: int):
    v, land = np.arange(3.0 * n * n).reshape(n, n, 3), np.arange(n * n).reshape(n, n) % 3 == 0
    return v[land, ...]  # follow: R119 expression


# with: 4
def sea_of_one_field(n: int):
    u, land = np.arange(6.0 * n * n).reshape(3, 2, n, n), np.arange(n * n).reshape(n, n) % 3 == 0
    return u[0, ..., land]  # follow: R119 expression


# with: 4
def sea_and_no_more(n: int):
    w = np.arange(1.0 * n * n).reshape(n, n)
    return w[..., w > 3.0]  # follow: R119 expression


# with: 4
def sea_on_a_new_axis(n: int):
    u, land = np.arange(3.0 * n * n).reshape(3, n, n), np.arange(n * n).reshape(n, n) % 3 == 0
    return u[..., None, land]  # lacks: R119 "write `u["


# with: 4
def written_results(n: int):
    u = np.arange(1.0 * n)
    return json.dumps({"mean": u.mean(), "rows": [1, u[0]]})  # follow: R314 expression


# with: 4
def written_with_indents(n: int):
    u = np.arange(1.0 * n)
    return json.dumps([u.sum()], indent=1)  # says: R314 "`json.dumps([u.sum()], indent=1, default=float)`"
