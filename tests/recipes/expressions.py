"""Expressions that a help puts into other code, where they need parentheses or other care."""
import numpy as np


# with: 3
def integer_product(n: int):
    a = np.full((n, n), 2, dtype=np.int64)
    return (a + 1) @ (a - 1)  # follow: R308 expression


# with: 3
def integer_dot(n: int):
    a = np.ones((n, n), dtype=np.int32)
    return np.dot(a + 1, a * a)  # follow: R308 expression


# with: counts(3, 3)
def boolean_product(a):
    reach = a.reshape(3, 3) > 2
    return reach @ reach  # follow: R308 expression


# with: 9
def divided(n: int):
    a = np.ones(n, dtype=np.int64)
    b = np.arange(n, dtype=np.int64)
    return (a + 100) // b  # follow: R120 expression


# with: 9
def remainder(n: int):
    b = np.arange(n, dtype=np.int32)
    c = np.full(n, 7, dtype=np.int32)
    return 1 + c % b  # follow: R120 expression


# with: 9
def narrow_variance(n: int):
    a = np.arange(n, dtype=np.int8)
    return np.var(a + a, ddof=1)  # follow: R120 expression


# with: 9
def narrow_variance_of_sum(n: int):
    a = np.arange(n, dtype=np.int16)
    return (a + a).var()  # follow: R120 expression


# with: counts(3, 4)
def any_of_complex(a):
    z = a.reshape(3, 4).astype(np.complex128)
    return np.any(z - 1.0, axis=1)  # follow: R120 expression


# with: counts(9)
def integer_variance(a):
    a = a.reshape(9).astype(np.int64)
    return np.var(a - 2, ddof=1)  # follow: R314 expression


# with: counts(9)
def any_of_all(a):
    z = a.reshape(9).astype(np.complex128)
    return np.any(z - 1.0)  # follow: R314 expression


# with: counts(9)
def unsigned_sum(a):
    a = a.reshape(9).astype(np.uint8)
    return np.cumsum(a)  # says: R314 "dtype=np.uint64"


# with: ramp(3, 4)
def folded(a):
    a = a.reshape(3, 4)
    return (a + 1.0).reshape(4, 3, order="F")  # follow: R109 call


# with: ramp(3, 4), 4, 3
def folded_to_shape(a, n, m):
    shape = (n, m)
    b = np.ones((3, 4)) * a
    return b.reshape(shape, order="F")  # follow: R109 call


# with: ramp(3, 4)
def folded_by_pair(a):
    b = np.ones((3, 4)) * a
    return np.reshape(b * 2.0, (6, 2), order="F")  # follow: R109 call


# with: ramp(3, 4)
def unrolled(a):
    b = np.ones((3, 4)) * a
    return (b - 1.0).ravel(order="F")  # follow: R109 call


# with: ramp(9)
def walked(x):
    y = np.ones(9) * x
    return sum(y * 2.0)  # follow: R110 expression


# with: ramp(9, 4)
def walked_rows(x):
    y = np.ones((9, 4)) * x
    return sum(y)  # follow: R110 expression


# with: ramp(9)
def largest(x):
    y = np.ones(9) * x
    return max(y - 1.0)  # follow: R110 expression


# with: 9
def stepped(n: int):
    y = np.linspace(0.0, 1.0, 12)
    return (y + 1.0)[::3]  # follow: R106 expression


# with: 9
def stepped_from_one(n: int):
    y = np.linspace(0.0, 1.0, 12)
    return y[1::3] * 2.0  # follow: R106 expression


# with: 9
def stepped_writes(n: int):
    y = np.linspace(0.0, 1.0, n)
    y[1::2] = 7.0  # follow: R106 statement
    return y


# with: 9
def stepped_sums(n: int):
    y = np.linspace(0.0, 1.0, n)
    y[::3] += y[0] + 1.0  # follow: R106 statement
    return y


# with: 30
def multiples(n: int):
    prime = np.ones(n, dtype=bool)
    for p in range(2, n):
        prime[p * p :: p] = False  # follow: R106 statement
    return prime


# with: 9
# with: 4
def from_the_sixth(n: int):
    y = np.linspace(0.0, 1.0, n)
    y[5::2] += 1.0  # follow: R106 statement
    return y


# with: 12, 4
# with: 11, 4
def shares(m: int, k: int):
    y = np.linspace(0.0, 1.0, m)
    return [y[i::k].sum() for i in range(k)]  # says: R106 "`y.reshape(-1, k)[:, i]` where the extent is a multiple of `k`"


# with: 9
def turned(n: int):
    y = np.linspace(0.0, 1.0, n)
    return (y * y)[::-1]  # follow: R106 expression


# with: 9
def converted(n: int):
    return np.linspace(0.0, 1.0, 5000).astype(np.float32)[:n]  # follow: R208 expression


# with: 4
def solved(n: int):
    a = np.eye(3000) * 2.0
    b = np.ones(3000)
    return (np.linalg.inv(a + a) @ (b + b))[:n]  # says: R305 "np.linalg.solve(a + a, b + b)"


# with: ramp(4, 3)
def spread(x):
    return 2.0 * np.std(x - 1.0, axis=0)  # follow: R112 call


# with: ramp(4, 3)
def spread_of_all(x):
    y = np.ones((4, 3)) * x
    return (y - 1.0).std()  # follow: R112 call


# with: ramp(9)
def extent(x):
    return 2.0 * np.ptp(x - 1.0)  # follow: R112 call


# with: ramp(9)
def area(x):
    return 1.0 - np.trapezoid(x * x, x)  # follow: R112 call


# with: ramp(2, 3)
def blocks(x):
    return np.kron(x + 1.0, x)  # follow: R112 call


# with: ramp(9)
def common(x):
    return np.intersect1d(x - 1.0, x)  # follow: R112 call


# with: 3
def of_positions(n: int):
    return 2 + np.fromfunction(lambda i, j: i * (j + 2) / n, (n, n))  # follow: R112 call


# with: 3
def of_typed_positions(n: int):
    return np.fromfunction(lambda i: (i + 1) % 4, (n,), dtype=np.int32)  # follow: R112 call


# with: ramp(4)
def all_pairs(x):
    return np.subtract.outer(x * 2.0, x + 1.0)  # follow: R112 call


def drawn(n: int):
    return np.random.choice([-1, +1], n)  # says: R112 "np.asarray([-1, +1])[np.random.randint(0, len([-1, +1]), n)]"


def drawn_numbers(n: int):
    return np.random.choice(10, n)  # says: R112 "`np.random.randint(0, 10, n)`"


def drawn_without_repeats(n: int):
    return np.random.choice(10, n, replace=False)  # says: R112 "`np.argsort(np.random.random(10))[:n]`"


def drawn_one(rng: np.random.Generator):
    return rng.choice(10)  # says: R112 "`random.randrange(10)` (one number, drawn on the host: nothing waits for it)"


def printed():
    np.set_printoptions(precision=5, linewidth=120)  # says: R112 "`onp.set_printoptions(precision=5, linewidth=120)`"
    return np.ones(3)


# with: 4
def same_bytes(n: int):
    x = np.ones(n)
    return x.view(np.int64)  # follow: R119 expression


# with: 4
def set_shape(n: int):
    x = np.ones(12)
    x.shape = (n, 3)  # follow: R119 statement
    return x


# with: 4
def set_flat(n: int):
    x = np.ones((4, 3))
    x[1:].flat = np.linspace(0.0, 1.0, 9)  # follow: R119 statement
    return x


# with: ramp(4, 3)
def extents(x):
    y = np.ones((4, 3)) * x
    return np.size(y, 0) + np.size(y)  # follow: R112 call


# with: ramp(4, 3)
def repeated(x):
    y = np.ones((4, 3)) * x
    return y.repeat(2, axis=0)  # follow: R112 call


# with: ramp(4, 3)
def axis_in_front(x):
    y = np.ones((4, 3)) * x
    return np.rollaxis(y, 1)  # follow: R112 call


# with: ramp(4, 3)
def running_products(x):
    return np.multiply.accumulate(x)  # follow: R112 call


def running_largest(x):
    return np.maximum.accumulate(x)  # says: R112 "no substitute in one line is known"


# with: 5
def counted_into(n: int):
    h, i = np.zeros(n), np.arange(3 * n) % n
    np.add.at(h, i, 1)  # follow: R112 call
    return h


# with: 5
def added_into(n: int):
    h, i, w = np.zeros(n), np.arange(3 * n) % n, np.linspace(0.0, 1.0, 3 * n)
    np.add.at(h, i, w)  # follow: R112 call
    return h


def of_positive_definite(n: int):
    cov = np.eye(n) * 2.0
    return np.linalg.det(cov)  # says: R112 "`np.prod(np.diag(np.linalg.cholesky(cov)))**2`"


class Grid(np.ndarray):
    pass


def as_grid(n: int):
    return np.ones(n).view(Grid)  # says: R119 "keep the array in an attribute"


# with: 4
def zero_diagonal(n: int):
    m, v = np.ones((n, n)), 2.0
    np.diagonal(m)[:] = v * 3.0  # says: R205 "`np.fill_diagonal(m, v * 3.0)`"
    return m


# with: 9, 4
def drawn_by_a_state(n: int, m: int):
    state = np.random.RandomState(3)
    a = state.rand(n, m)  # says: R112 "`state.random((n, m))` (`state` made by np.random.default_rng(seed)"
    b = state.randn(n)  # says: R112 "`state.normal(0.0, 1.0, n)`"
    c = state.randint(0, 5, size=n)  # says: R112 "`state.integers(0, 5, size=n)`"
    d = state.uniform(-1.0, 1.0, n)  # says: R112 "`state.uniform(-1.0, 1.0, n)`"
    e = state.choice(n, m)  # says: R112 "`state.integers(0, n, m)`"
    return a, b, c, d, e


# with: 9
def kept(n: int):
    u, v = np.ones(n), np.zeros(n)
    np.savez('kept.npz', u, v=v)  # says: R112 "`onp.savez('kept.npz', onp.asarray(u), v=onp.asarray(v))`"
    return u


def between_points(x, v):
    x, v = np.asarray(x) + 1.0, np.asarray(v) + 2.0
    return np.interp(0.3, x, v)  # says: R112 "`onp.interp(0.3, onp.asarray(x), onp.asarray(v))`"


def between_points_of(q, x, v):
    q, x = np.asarray(q) + 1.0, np.asarray(x) + 2.0
    return np.interp(q, x, v, left=0.0)  # says: R112 "`np.asarray(onp.interp(onp.asarray(q), onp.asarray(x), onp.asarray(v), left=0.0))`"


def correlated(n: int):
    x, y = np.ones(n), np.arange(n)
    return np.corrcoef(x, y)[0, 1]  # says: R112 "after `cov_ = np.cov(np.stack((x, y)))` (`x` and `y` 1-D and real)"


# with: 5
def area_of_rows(n: int):
    y, x = np.linspace(0.0, 1.0, n * n).reshape(n, n), np.linspace(0.0, 2.0, n) ** 2
    return np.trapezoid(y, x, axis=1) + np.trapezoid(y, x)  # follow: R112 call


# with: 5
def area_of_columns(n: int):
    y, x = np.linspace(0.0, 1.0, n * n).reshape(n, n), np.linspace(0.0, 2.0, n) ** 2
    return np.trapezoid(y, x, axis=0)  # follow: R112 call


# with: 5
def area_by_step(n: int):
    y = np.linspace(0.0, 1.0, n) ** 2
    return np.trapezoid(y, dx=0.1)  # follow: R112 call


# with: 5
def area_of_units(n: int):
    return np.trapezoid(np.linspace(0.0, 1.0, n))  # follow: R112 named


def chosen_once_each(rng: np.random.Generator):
    return rng.choice(1000, 20, replace=False)  # says: R112 "`np.argsort(rng.random(1000))[:20]`"


def chosen_items_once_each(n: int):
    a = np.ones(n)
    return np.random.choice(a, size=20, replace=False)  # says: R112 "`a[np.argsort(np.random.random(len(a)))[:20]]`"


def state_in_passing():
    return np.random.RandomState(1).laplace(size=5)  # says: R112 "write `np.random.default_rng(1).laplace(size=5)`"


def state_of_a_seed(seed):
    return np.random.RandomState(seed).randn(3, 4)  # says: R112 "`np.random.default_rng(seed).normal(0.0, 1.0, (3, 4))` (a seed other than 0)"


def fitted(n: int):
    a = np.linspace(0.0, 1.0, 2 * n).reshape(n, 2) ** 2 + 0.5
    return np.linalg.lstsq(a, np.ones(n), rcond=None)[0]  # says: R112 "`np.linalg.solve(a.T @ a, a.T @ np.ones(n))`"


def fitted_waves(n: int):
    a = np.exp(1j * np.linspace(0.0, 1.0, 2 * n)).reshape(n, 2)
    return np.linalg.lstsq(a, np.ones(n), rcond=None)[0]  # says: R112 "np.linalg.solve(a.conj().T @ a, a.conj().T @"


def fitted_unknown(a, n: int):
    return np.linalg.lstsq(a, np.ones(n), rcond=None)[0]  # says: R112 "np.linalg.solve(a.conj().T @ a, a.conj().T @"


def tall_vectors(n: int):
    a = np.ones((n, 3))
    u, s, vt = np.linalg.svd(a, full_matrices=False)  # says: R302 "`squares, right = np.linalg.eigh(a.T @ a)`"
    return u * s, vt


def tall_values(n: int):
    a = np.ones((n, 3))
    return np.linalg.svd(a, full_matrices=False)[1]  # says: R302 "the square roots of `np.linalg.eigvalsh(a.T @ a)`"


def tall_values_unpacked(n: int):
    a = np.ones((n, 3))
    _, s, _ = np.linalg.svd(a, full_matrices=False)  # says: R302 "the square roots of `np.linalg.eigvalsh(a.T @ a)`"
    return s


def tall_right_vectors(n: int):
    a = np.ones((n, 3))
    _, s, vt = np.linalg.svd(a, full_matrices=False)  # lacks: R302 "eigvalsh"
    return s, vt


def tall_triangle(n: int):
    a = np.ones((n, 3))
    return np.linalg.qr(a)[1]  # says: R302 "`np.linalg.cholesky(a.T @ a).T` up to signs"


def one_spectrum(n: int):
    return np.fft.rfft(np.ones(n))  # says: R303 "between real and complex data many signals use one GPU, too"


def one_spectrum_back(n: int):
    return np.fft.irfft(np.exp(1j * np.ones(n)))  # lacks: R303 "several signals as rows"


def one_whole_spectrum(n: int):
    return np.fft.fft(np.ones(n))  # says: R303 "several signals as rows of one array are split over the GPUs"


def padded_spectra(n: int, m: int):
    return np.fft.fft(np.ones((n, n)), n=m)  # says: R303 "pad or cut the array before the transform"


def largest_so_far(n: int, out):
    return np.maximum.accumulate(np.ones(n), out=out)  # says: R112 "no substitute in one line is known"


def tall_product(n: int):
    weights, measured = np.ones((n, n)), np.ones((n, 3))
    return np.linalg.pinv((weights + weights.T) @ measured)  # says: R302 "`np.linalg.solve(a.T @ a, a.T @ b)`, at half"


def drawn_with_weights(rng: np.random.Generator, p: np.ndarray):
    return rng.choice(50, size=(40, 8), p=p)  # says: R112 "`np.searchsorted(np.cumsum(p)[:-1], rng.random((40, 8)))`"


def drawn_with_weights_once(rng: np.random.Generator, p: np.ndarray):
    return rng.choice(50, size=7, replace=False, p=p)  # lacks: R112 "integers"


# with: 9
def area_under_long_words(n: int):
    x = np.linspace(0.0, 1.0, n)
    return np.trapezoid(x * np.sqrt(x) + np.sin(x), x * 2.0 + 1.0)  # follow: R112 named


# with: 9
def spread_of_long_words(n: int):
    x = np.linspace(0.0, 1.0, n)
    return np.std(x * np.sqrt(x) + np.sin(x) * 3.0)  # follow: R112 named


def cut_words(x: np.ndarray):
    y = np.linspace(0.0, 1.0, x.shape[0])
    return np.trapezoid(  # says: R112 "`np.sum(0.5 * (y_[1:] + y_[:-1]))` after `y_ = "
        np.sin(y) * np.cos(y) + np.exp(-y) * np.sin(y) * np.cos(y) * np.exp(y) + y * 2.0 + np.sqrt(y)
    )


def short_words(n: int):
    y = np.linspace(0.0, 1.0, n)
    return np.trapezoid(2.0 * y)  # lacks: R112 "after"


def of_any_matrix(a: np.ndarray):
    return np.linalg.det(a)  # says: R112 "`onp.linalg.det(onp.asarray(a))`"


def of_a_stack(n: int):
    stack = np.ones((n, 3, 3)) + np.eye(3)
    return np.linalg.det(stack)  # says: R112 "`np.asarray(onp.linalg.det(onp.asarray(stack)))`"


def sign_and_logarithm(n: int):
    cov = np.eye(n) * 2.0
    return np.linalg.slogdet(cov)  # says: R112 "`onp.linalg.slogdet(onp.asarray(cov))`"


def transposed(n: int):
    a, b = np.ones((3, n)), np.ones(n)
    s = np.linalg.svd(a.T, full_matrices=False)[0]  # says: R302 "`squares, right = np.linalg.eigh(a @ a.T)`"
    return np.linalg.lstsq(a.T, b)[0], s  # lacks: R112 ".T.T"


def transposed_complex(n: int):
    a = np.ones((3, n), dtype=np.complex128)
    return np.linalg.qr(a.T)  # says: R302 "`np.linalg.cholesky(a.conj() @ a.T).conj().T`"


def of_a_state(n: int):
    p = np.linspace(0.0, 1.0, n)
    state = np.random.RandomState(2)
    return state.binomial(10, p)  # says: R112 "`np.asarray(host_rng.binomial(10, onp.asarray(p)))`"


def of_a_state_and_numbers(n: int):
    state = np.random.RandomState(2)
    return state.binomial(10, 0.5, n)  # says: R112 "`state.binomial(10, 0.5, n)`"


def smoothed_columns(n: int):
    x, k = np.ones((n, n)), np.ones(5)
    return np.apply_along_axis(np.convolve, 0, x, k, mode="same")  # says: R102 "add up its shifted slices"


def smoothed_rows(n: int):
    x, k = np.ones((n, n)), np.ones(5)
    return np.apply_along_axis(lambda r: np.convolve(r, k, mode="same"), 1, x)  # says: R102 "add up its shifted slices"


def summed_rows(n: int):
    x = np.ones((n, n))
    return np.apply_along_axis(lambda r: r.sum() + 1.0, 1, x)  # says: R102 "reductions and sorts get the axis"


# with: 8
def correlated_columns(n: int):
    x = np.linspace(0.0, 1.0, 3 * n).reshape(n, 3) ** np.arange(1.0, 4.0)
    return np.round(np.corrcoef(x, rowvar=False), 9)  # follow: R112 named


def nodes(x: np.ndarray):
    points, weights = np.polynomial.legendre.leggauss(16)  # says: R112 "nothing of the device is handed to it: with host NumPy as `onp`, write `onp.polynomial.legendre.leggauss(16)`"
    return np.sum(x) * weights[0] * points[0]


def fitted_polynomial(x: np.ndarray):
    return np.polynomial.polynomial.polyfit(x, x, 2)  # says: R112 "write `onp.polynomial`, with `onp.asarray` around device arrays"


def of_a_class(x: np.ndarray):
    return np.polynomial.Polynomial([1.0, 2.0])(x)  # says: R112 "write `onp.polynomial`, with `onp.asarray` around device arrays"


def spelled(n: int):
    return np.base_repr(n, 3)  # says: R112 "write `onp.base_repr(n, 3)`"


def one_draw():
    rng = np.random.default_rng(5)
    return 1.0 / rng.gamma(4.0, 0.5)  # says: R309 "take the number out: `rng.gamma(4.0, 0.5, size=1)[0]`"


def one_uniform_draw():
    rng = np.random.default_rng(5)
    return 2.0 * rng.random()  # says: R309 "`rng.random(size=1)[0]`"


def one_asked_for():
    rng = np.random.default_rng(5)
    return 2.0 * rng.normal(0.0, 1.0, None)  # says: R309 "`rng.normal(0.0, 1.0, 1)[0]`"


def converted_draw():
    rng = np.random.default_rng(5)
    return float(rng.normal())  # lacks: R309 "float("
def blocks_of(x, rows: int, columns: int):
    a = np.asarray(x).copy()
    step = a.strides[-1]
    return np.lib.stride_tricks.as_strided(a, (rows, columns), (columns * step, step))  # says: R119 "`a[:rows * columns].reshape(rows, columns)`"


def blocks_by_name(x, rows: int, columns: int):
    a = np.asarray(x).copy()
    return np.lib.stride_tricks.as_strided(a, shape=(rows, columns), strides=(a.strides[-1] * columns, a.strides[-1]))  # says: R119 "`a[:rows * columns].reshape(rows, columns)`"


def windows_of(x, rows: int, columns: int):
    a = np.asarray(x).copy()
    return np.lib.stride_tricks.as_strided(a, (rows, columns), (a.strides[-1], a.strides[-1]))  # lacks: R119 "do not overlap: `"


def buffer_in_file(path: str, n: int):
    return np.memmap(path, mode="w+", shape=(n,))  # says: R119 "keep it with host NumPy, `onp.memmap`"


def read_in_file(path: str):
    return np.memmap(path, mode="r")  # says: R119 "read blocks with h5py"


def is_mapped(x):
    return isinstance(x, np.memmap)  # says: R119 "write `onp.memmap`"


def upper_part(n: int):
    a = np.ones((n, n))
    return a[np.triu_indices(n, 1)]  # lacks: R116 "before the loop"


def upper_part_on_each_pass(n: int):
    a, total = np.ones((n, n)), np.zeros(1)
    for _ in range(1000):
        total = 0.5 * total + a[np.triu_indices(n, 1)].sum()  # says: R116 "gather once before the loop where `a` and the indices"
    return total


def eigenvalues(n: int):
    a = np.ones((n, n))
    return np.linalg.eigvalsh(a)  # says: R302 "one alone gains nothing"


def inverse(n: int):
    a = np.eye(n) * 2.0
    return np.linalg.inv(a)  # says: R305 "one alone gains nothing"


def turned_picture(n: int):
    picture = np.ones((n, n))
    return np.flip(picture, axis=0)  # lacks: R306 "kernel"


def turned_kernel(x: np.ndarray, n: int):
    return np.convolve(x, np.flip(np.linspace(0.0, 1.0, n)), mode="same")  # says: R306 "symmetric kernel"


# with: 9
def range_with_a_step(n: int):
    positions = np.arange(0, 2 * n + 1)
    return positions[1::2]  # follow: R106 expression


# with: 9
def stepped_odd(n: int):
    y = np.linspace(0.0, 1.0, 2 * 4 + 1)
    return y[1::2] + n  # follow: R106 expression


def stepped_unknown(n: int):
    y = np.linspace(0.0, 1.0, n)
    return y[::2]  # says: R106 "where the extent is a multiple of 2, else `np.take(y, np.arange(0, len(y), 2), axis=0, mode='clip')`"


def stepped_twice(n: int):
    y = np.ones((n, n))
    return y[::3, ::3]  # says: R106 "where the extents are multiples of the steps"


def place_of(x, k: int):
    order = np.argsort(x.values)
    for _ in range(1000):
        x.best = x.values[order[k]]
    return np.asarray(x.values)[order[k]]  # says: R116 ".reshape(1)` and a `[0]` behind where it is a single position"


def stepped_rows(n: int):
    y = np.ones((n, n))
    return y[::3]  # says: R106 "write `np.take(y, np.arange(0, len(y), 3), axis=0, mode='clip')`"


# with: 5
def turned_both_ways(n: int):
    u = np.arange(3.0 * n).reshape(n, 3)
    return np.fliplr(np.flipud(u + 1.0))  # follow: R306 expression


# with: 5
def turned_both_ways_again(n: int):
    u = np.arange(3.0 * n).reshape(n, 3)
    return np.flipud(np.fliplr(u))  # follow: R306 expression


# with: 20, 5, 3, 4
def frames(n: int, rows: int, hop: int, width: int):
    x = np.arange(1.0 * n)
    s = x.strides[0]
    return np.lib.stride_tricks.as_strided(x, shape=(rows, width), strides=(s * hop, s))  # follow: R119 call


# with: 20, 5, 3, 4
def frames_of_a_sum(n: int, rows: int, hop: int, width: int):
    x = np.arange(1.0 * n)
    return np.lib.stride_tricks.as_strided(x, (rows - 1, width + 1), ((hop + 1) * x.strides[0], x.strides[-1]))  # follow: R119 call


# with: 20, 4
def frames_one_by_one(n: int, width: int):
    x = np.arange(1.0 * n)
    return np.lib.stride_tricks.as_strided(x, (n - width + 1, width), (x.strides[0], x.strides[0]))  # follow: R119 call


def frames_of_unknown(x: np.ndarray, rows: int, hop: int, width: int):
    return np.lib.stride_tricks.as_strided(x, (rows, width), (x.strides[0] * hop, x.strides[0]))  # says: R119 "where `x` is a vector, gather the rows"


def frames_of_a_matrix(n: int):
    x = np.ones((n, n))
    return np.lib.stride_tricks.as_strided(x, (4, 3), (x.strides[0] * 2, x.strides[0]))  # lacks: R119 "gather the rows"


def frames_of_another(x: np.ndarray, y: np.ndarray):
    return np.lib.stride_tricks.as_strided(x, (4, 3), (y.strides[0] * 2, y.strides[0]))  # lacks: R119 "gather the rows"


# with: counts(3, 3)
def three_in_a_row(a: np.ndarray):
    b = a.reshape(3, 3).astype(np.int8)
    return b @ b @ (b % 2)  # follow: R308 expression


# with: counts(3, 3)
def two_behind(a: np.ndarray):
    b = a.reshape(3, 3).astype(np.int8) % 3
    return b @ (b @ b)  # follow: R308 expression


def sums_of_bytes(n: int):
    b = np.ones((n, n), dtype=np.int8)
    return b @ b  # says: R308 "fits int8, in which NumPy's wrap around; `.astype(np.int64)` holds larger ones"
