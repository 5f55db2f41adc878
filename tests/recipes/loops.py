"""Element loops, and the statements that stand for them."""
import numpy as np


# with: 9
def whole(n: int):
    q, e = np.linspace(1.0, 2.0, n), np.linspace(0.0, 1.0, n)
    for j in range(n):  # follow: R101 loop
        q[j] = q[j] - 0.5 * q[j] * e[j]
    return q


# with: 9
# with: 2
# with: 0
def neighbours(n: int):
    x, y = np.linspace(0.0, 1.0, n), np.zeros(n)
    for i in range(1, n - 1):  # follow: R101 loop
        y[i] = x[i - 1] - 2.0 * x[i] + x[i + 1]
    return y


# with: 9
# with: 1
def differences(n: int):
    x = np.linspace(0.0, 1.0, n) ** 2
    d = np.zeros(len(x) - 1)
    for i in range(len(x) - 1):  # follow: R101 loop
        d[i] = x[i + 1] - x[i]
    return d


# with: 9
# with: 8
def longer_than_the_range(n: int):
    a, b = np.ones(n + 4), np.linspace(0.0, 1.0, n + 2)
    for i in range(n):  # follow: R101 loop
        a[i] = 2.0 * b[i + 1]
    return a


# with: 5, ramp(3, 4)
# with: 9, ramp(3, 3)
# with: 0, ramp(3, 3)
def of_unknown_extent(n: int, y):
    x, z = np.linspace(0.0, 1.0, n), np.ravel(y)
    for i in range(n):  # follow: R101 loop
        z[i] = z[i] + x[i]
    return z


# with: ramp(9), 0.5
def scaled_by_unknown(x, k):
    q = np.ravel(x)
    for j in range(q.shape[0]):  # follow: R101 loop
        q[j] = q[j] - k * q[j] * k
    return q


# with: 3, 4
def by_shape(rows: int, columns: int):
    u = np.ones((rows, columns))
    n, m = u.shape
    for i in range(n):  # follow: R101 loop
        for j in range(m - 1):
            u[i, j] = u[i, j] * 2.0
    return u


# with: ramp(9)
def of_unknown_rank(x):
    y = np.zeros(x.shape[0])
    for i in range(x.shape[0]):  # words: R101
        y[i] = 2.0 * x[i]
    return y


# with: 9
# with: 12
def behind_the_first(n: int):
    a, b = np.zeros(n), np.linspace(0.0, 1.0, n)
    for i in range(3, 12):  # follow: R101 loop
        a[i - 3] = b[i - 3]
    return a


# with: ramp(4, 5)
# with: ramp(1, 1)
def two_axes(u):
    n, m = u.shape
    v = np.zeros((n, m))
    for i in range(1, n - 1):  # follow: R101 loop
        for j in range(1, m - 1):
            v[i, j] = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1])
    return v


# with: ramp(4, 5)
def columns_first(u):
    n, m = u.shape
    v = np.ones((n, m))
    for j in range(m):  # follow: R101 loop
        for i in range(n):
            v[i, j] *= u[i, j] + 1.0
    return v


# with: 9
def added_up(n: int):
    x, y = np.linspace(0.0, 1.0, n), np.ones(n)
    for i in range(len(x)):  # follow: R101 loop
        y[i] += np.sqrt(x[i]) / 2.0
    return y


# with: 9
def into_integers(n: int):
    a, b = np.ones(n, dtype=np.int64), np.linspace(0.0, 9.0, n)
    for i in range(n):  # follow: R101 loop
        a[i] += b[i] * 1.5
    return a


# with: 9
def powers(n: int):
    a = np.linspace(1.0, 2.0, n)
    for i in range(n):  # follow: R101 loop
        a[i] **= 2.0 + 1.0
    return a


# with: 9
def comparisons(n: int):
    a, low = np.linspace(0.0, 2.0, n), np.zeros(n, dtype=bool)
    for i in range(n):  # follow: R101 loop
        low[i] = a[i] < 0.5
    return low


# with: 9
def largest(n: int):
    a, b = np.linspace(0.0, 2.0, n), np.linspace(2.0, 0.0, n)
    for i in range(n):  # follow: R101 loop
        a[i] = np.maximum(a[i], -b[i] + 1.0)
    return a


RATES = np.ones(9)


# with: 9
def of_the_module(n: int):
    e = np.linspace(0.0, 1.0, n)
    for i in range(9):  # follow: R101 loop
        RATES[i] *= 0.5 * e[i]
    return RATES.copy()


# --- no statement that does the same, or none that can be shown to ---


# with: 9
def counter_as_value(n: int):
    a = np.zeros(n)
    for i in range(n):  # words: R101
        a[i] = i * 2.0
    return a


# with: 9
def counter_in_key_and_value(n: int):
    a, b = np.zeros(n), np.ones(n)
    for i in range(n):  # words: R101
        a[i] = b[i] + i
    return a


# with: 9
def running_sum(n: int):
    a = np.ones(n)
    for i in range(1, n):  # words: R101
        a[i] = a[i] + a[i - 1]
    return a


# with: 9
def looks_ahead(n: int):
    a = np.linspace(0.0, 1.0, n)
    for i in range(n - 1):  # words: R101
        a[i] = a[i + 1]
    return a


# with: 9
def every_second(n: int):
    a = np.ones(n)
    for i in range(0, n, 2):  # words: R101
        a[i] = 2.0 * a[i]
    return a


# with: 9
def backwards(n: int):
    a, b = np.ones(n), np.linspace(0.0, 1.0, n)
    for i in range(n - 1, -1, -1):  # words: R101
        a[i] = b[i]
    return a


# with: 9
def mirrored(n: int):
    a, b = np.ones(n), np.linspace(0.0, 1.0, n)
    for i in range(n):  # words: R101
        a[i] = b[n - 1 - i]
    return a


# with: 9
def from_the_end(n: int):
    a, b = np.ones(n), np.linspace(0.0, 1.0, n)
    for i in range(n):  # words: R101
        a[i] = b[i - 1]
    return a


# with: 9
def two_statements(n: int):
    a, b = np.ones(n), np.linspace(0.0, 1.0, n)
    for i in range(n):  # words: R101
        a[i] = b[i]
        b[i] = 2.0 * a[i]
    return a, b


# with: 9
def counter_read_later(n: int):
    a = np.ones(n)
    for i in range(n):  # words: R101
        a[i] = 2.0 * a[i]
    return a, i


# with: ramp(5, 5)
def triangle(u):
    n = u.shape[0]
    v = np.zeros((n, n))
    for i in range(n):  # words: R101
        for j in range(i):
            v[i, j] = u[i, j]
    return v


# with: ramp(5, 5)
def transposed(u):
    n, m = u.shape
    v = np.zeros((n, n))
    for i in range(n):  # follow: R101 loop
        for j in range(n):
            v[i, j] = u[j, i]
    return v


# with: ramp(5, 4, 3)
def axes_the_other_way_round(u):
    n, m, k = u.shape
    v = np.zeros((k, m, n))
    for i in range(k):  # follow: R101 loop
        for j in range(m):
            for p in range(n):
                v[i, j, p] = u[p, j, i]
    return v


# with: ramp(4, 4, 4)
def turned_of_unknown_rank(u):
    n = u.shape[0]
    v = np.zeros((n, n, n))
    for i in range(n):  # follow: R101 loop
        for j in range(n):
            for p in range(n):
                v[i, j, p] = u[p, j, i]
    return v


# with: ramp(4, 4)
def doubled_of_unknown_rank(u):
    n = u.shape[0]
    v = np.zeros((n, n))
    for i in range(n):  # words: R101
        for j in range(n):
            v[i, j] = 2.0 * u[j, i]
    return v


# with: ramp(5, 4, 3)
def axes_moved_on(u):
    n, m, k = u.shape
    v = np.ones((k, n, m))
    for i in range(k):  # follow: R101 loop
        for j in range(n):
            for p in range(m):
                v[i, j, p] += 2.0 * u[j, p, i]
    return v


# with: ramp(6, 5)
def transposed_inside(u):
    n, m = u.shape
    v = np.zeros((m, n))
    for i in range(1, m - 1):  # follow: R101 loop
        for j in range(n - 1):
            v[i, j] = u[j, i] + u[j + 1, i - 1] * v[i, j]
    return v


# with: ramp(5, 5)
def mirrored_in_place(u):
    n, m = u.shape
    v = u + 1.0
    for i in range(n):  # words: R101
        for j in range(n):
            v[i, j] = v[j, i] * 2.0
    return v


# with: ramp(5, 4)
def first_column(u):
    n, m = u.shape
    v = np.zeros((n, 3))
    for i in range(n):  # follow: R101 loop
        v[i, 0] = 2.0 * u[i, 1]
    return v


# with: ramp(5, 4), 1
def own_column(u, k: int):
    n, m = u.shape
    v = u + 1.0
    for i in range(1, n):  # words: R101
        v[i, k] = v[i - 1, k]
    return v


# with: ramp(5, 4), 1
# with: ramp(5, 4), 0
def next_column(u, k: int):
    n, m = u.shape
    v = u + 1.0
    for i in range(1, n):  # follow: R101 loop
        v[i, k] = v[i - 1, k + 1] * u[i, k]
    return v


# with: 5, 6
def column_by_column(m: int, n: int):
    r, f = np.ones((m, n)), np.full((m, n), 0.25)
    for y in range(1, n):
        for x in range(m):  # follow: R101 loop
            r[x, y] = 0.5 * r[x, y - 1] + f[x, y]
    return r


# with: 5, 6
def from_the_last_column(n: int, m: int):
    v, u = np.ones((n, m)), np.full((n, m), 0.25)
    for y in reversed(range(m - 1)):
        for x in range(1, n):  # follow: R101 loop
            v[x, y] = 0.5 * v[x - 1, y + 1] + u[x, y]
    return v


# with: ramp(5, 4)
def edge_of_each_row(u):
    n, m = u.shape
    v = np.zeros((n, m))
    for i in range(n):  # words: R101
        v[i, 0] = 1.0
        for j in range(m):
            v[i, j] = 2.0 * u[i, j]
    return v


# with: 9
def last_value_is_kept(n: int):
    a, b = np.ones(n), np.linspace(0.0, 1.0, n)
    last = 0.0
    for i in range(n):  # words: R101
        a[i] = last = b[i]
    return a, last


def nearest_tour(n: int):
    dist, tour = np.ones((n, n)), np.zeros(n, dtype=int)
    for k in range(1, n):
        row = dist[tour[k - 1]]
        tour[k] = np.argmin(row)  # lacks: R101 "tolist"
    return tour


def nearest_tour_again(n: int):
    dist, tour = np.ones((n, n)), np.zeros(n, dtype=int)
    for k in range(1, n):
        row = dist[tour[k - 1]]
        tour[k] = np.argmin(row)  # says: R101 "trips read what other trips write to `tour`: that order stays"
    return tour


def smoothed_rows(x, n: int):
    out = np.zeros_like(x)
    for k in range(1, n):  # says: R101 "trips read what other trips write to `out`: that order stays"
        out[k] = 0.8 * out[k - 1] + 0.2 * x[k]
    return out


def least_mean_squares(n: int):
    x, e, w = np.ones(n), np.zeros(n), np.zeros(64)
    for k in range(64, n):
        u = x[k - 64 : k]
        e[k] = x[k] - w @ u
        w = w + 0.01 * e[k] * u  # says: R101 "each trip needs the `w` that the one before left: over `e` this stays"
    return e


def least_mean_squares_in_place(n: int):
    x, e, w = np.ones(n), np.zeros(n), np.zeros(64)
    for k in range(64, n):
        u = x[k - 64 : k]
        e[k] = x[k] - w @ u
        w += 0.01 * e[k] * u  # says: R101 "each trip needs the `w` that the one before left"
    return e


def smoothed_level(n: int):
    x, y = np.ones(n), np.zeros(n)
    level = 0.0
    for i in range(n):
        level = 0.9 * level + x[i]
        y[i] = level  # says: R101 "each trip needs the `level` that the one before left"
    return y


def weighted_profiles(n: int):
    x, y, z, acc = np.ones(n), np.ones(50), np.ones(n), np.zeros(50)
    for i in range(n):
        z[i] = 2.0 * x[i]
        acc = acc + x[i] * y  # lacks: R101 "sequential"
    return acc, z


def drained(n: int):
    acc, recv = np.ones(n), np.zeros(n, dtype=int)
    order = np.argsort(acc)
    for p in order:
        acc[recv[p]] += acc[p]  # says: R103 "trips read what other trips write to `acc`: that order stays; take the num"
    return acc


def counted(n: int):
    acc, order = np.zeros(n), np.arange(n) % 7
    for p in order:
        acc[p] += 1.0  # says: R103 "work on all of `order` at once"
    return acc


def pieces(x, n: int):
    u, kept = np.linspace(0.0, 1.0, n), []
    w = np.nonzero(u > 0.5)[0]
    for i in range(len(w) - 1):  # says: R101 "`w.tolist()`; pieces of different lengths stay a list"
        kept.append(u[w[i] : w[i + 1]])
    return kept


def charges(rows: list):
    found = np.zeros(len(rows))
    for i, words in enumerate(rows):  # says: R101 "collect them in a list"
        found[i] = float(words[1])
    return found


def scaled_entries(rows: list, n: int):
    found, u = np.zeros(n), np.ones(n)
    for i, words in enumerate(rows):  # lacks: R101 "collect them in a list"
        found[i] = u[i] * 2.0
    return found


def tabulated(grid, rows: list, s):
    from scipy.interpolate import CubicSpline

    splines = [CubicSpline(grid, row) for row in rows]
    table, scaled = np.zeros((len(splines), len(s))), np.zeros((len(splines), len(s)))
    for k in range(len(splines)):  # says: R101 "convert `table` once after the loop, `np.asarray(table)`"
        table[k, :] = splines[k](s)
    for k in range(len(splines)):  # lacks: R101 "another library makes these slabs"
        scaled[k, :] = table[k, :] * 2.0
    return table, scaled


def rays(function, n: int):
    u, out = np.ones((n, 8)), np.zeros((n, 8))
    for i in range(n):  # says: R101 "what callers hand over as `function` has to take all rows"
        out[i] = function(u[i])
    return out


def rows_of_draws(draw, n: int):
    u, out = np.ones((n, 8)), np.zeros((n, 8))
    for i in range(n):  # lacks: R101 "hand over"
        out[i] = u[i] * draw(8)
    return out


def rows_by_rows(n: int):
    u, out = np.ones((n, 8)), np.zeros((n, 8))
    for i in range(n):  # lacks: R101 "hand over"
        out[i] = np.sqrt(u[i]) + 1.0
    return out


def exact(x):
    from decimal import Decimal

    return float(Decimal(x) * 3)


def mapped_exactly(n: int):
    u = np.linspace(0.0, 1.0, n)
    return list(map(exact, u))  # says: R102 "`exact` works with Python objects: fetch the numbers at once, `u.tolist()`"


def mapped(n: int):
    def twice(x):
        return x * 2.0

    u = np.linspace(0.0, 1.0, n)
    return list(map(twice, u))  # says: R102 "call `twice` on the whole array"


# with: np.eye(4)
# with: np.ones((3, 3))
def symmetric(cov):
    cov = np.array(cov)
    n = cov.shape[0]
    if cov.ndim != 2:
        raise ValueError("no matrix")
    for i in range(n):  # follow: R101 loop
        for j in range(i):
            if not cov[i][j] == cov[j][i]:
                raise ValueError("not symmetric")
    return cov


# with: 9
def symmetric_by_pairs(n: int):
    c = np.ones((n, n))
    for i in range(n):  # follow: R101 loop
        for j in range(i + 1, n):
            if c[i, j] != c[j, i]:
                raise ValueError("not symmetric")
    return c


# with: np.eye(4)
def antisymmetric(u):
    n = u.shape[0]
    c = u - u.T
    for i in range(n):  # words: R101
        for j in range(i):
            if c[i, j] != -c[j, i]:
                raise ValueError("not antisymmetric")
    return c


# with: np.eye(4)
def counted_differences(u):
    n = u.shape[0]
    c = np.array(u)
    different = 0
    for i in range(n):  # words: R101
        for j in range(i):
            if c[i, j] != c[j, i]:
                different += 1
    return different


# with: np.eye(4)
def neighbours_equal(u):
    n = u.shape[0]
    c = u * 0.0
    for i in range(n - 1):  # words: R101
        for j in range(n - 1):
            if c[i, j] != c[j, i + 1]:
                raise ValueError("not equal")
    return c


def named_columns(x, n: int):
    for j in range(1, x.shape[1]):
        col = x[:, j]
        x[:, j] = (col - col.mean()) / n  # says: R101 "work on all columns of `x` at once"
    return x


def named_columns_by_the_last(x, n: int):
    out = np.zeros((n, n))
    for k in range(n):
        row = out[k]
        out[k] = row + 0.5
        x[k] = out[n - 1] + x[k]  # says: R101 "trips read what other trips write to `out`"
    return out


def overlap_add(n: int, hop: int):
    frames = np.ones((100, n))
    out = np.zeros(n * 100)
    for t in range(100):  # says: R101 "cut the rows into blocks as long as the step from piece to piece"
        out[t * hop : t * hop + n] += frames[t]
    return out


def own_rows(n: int):
    x = np.ones((n, 80))
    for u in range(n):  # lacks: R101 "trips read what other trips write"
        x[u, x[u] > 0.5] = 0.0
    return x


def overlap_and_add(n: int, hop: int):
    frames = np.ones((n, 2 * hop))
    out = np.zeros((n + 1) * hop)
    for t in range(n):  # says: R101 "as many slices as a row has blocks"
        out[t * hop : t * hop + 2 * hop] += frames[t]
    return out


def row_added_to_three(n: int):
    a = np.zeros((n, n))
    b = np.ones((n, n))
    for k in range(1, n - 1):  # lacks: R101 "blocks"
        a[k - 1 : k + 2] += b[k]
    return a


def number_added_to_pieces(n: int, hop: int):
    frames = np.ones((n, 2 * hop))
    out = np.zeros((n + 1) * hop)
    for t in range(n):  # lacks: R101 "blocks"
        out[t * hop : t * hop + 2 * hop] += frames[t].mean()
    return out
