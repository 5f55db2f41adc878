"""Arguments that the library lacks: what the help says in their place."""
import numpy as np


# with: ramp(9)
def guarded_quotient(x):
    b = x - x[4]
    return np.divide(x + 1.0, b, out=np.zeros_like(x), where=b != 0)  # follow: R113 call


# with: ramp(9)
def guarded_root(x):
    b, r = x - x[4], np.zeros(9)
    np.sqrt(b, where=b > 0, out=r)  # follow: R113 call
    return r


def distinct_rows(n: int):
    x = np.ones((n, 3))
    return np.unique(x, axis=0)  # says: R113 "say what `axis=` asks for by other calls"


# with: 9, 3
# with: 9, 4
def convolved(n: int, m: int):
    x, h = np.linspace(0.0, 1.0, n), np.arange(m) + 1.0
    return np.convolve(x, h)  # follow: R113 expression


# with: 9, 4
def convolved_by_name(n: int, m: int):
    x, h = np.linspace(0.0, 1.0, n), np.arange(m) + 1.0
    return 2.0 * np.convolve(x, h, mode="full")  # follow: R113 call


# with: 9
def filtered_by_long_words(n: int):
    x, h = np.linspace(0.0, 1.0, n), np.ones(3)
    return np.convolve(x * np.sqrt(x), h / h.sum() * 2.0 + x[:3])  # follow: R113 named


def trials_by_array(rng: np.random.Generator, n: int):
    p = np.linspace(0.0, 1.0, n)
    return rng.binomial(10, p)  # says: R113 "`np.sum(rng.random((10, *p.shape)) < p, axis=0)`"


def one_trial_each(n: int):
    rng = np.random.default_rng(3)
    p = np.linspace(0.0, 1.0, n)
    return rng.binomial(1, p, size=n)  # says: R113 "`(rng.random(n) < p).astype(np.int64)`"


def many_trials(n: int):
    rng = np.random.default_rng(3)
    p = np.linspace(0.0, 1.0, n)
    return rng.binomial(n, p)  # says: R113 "`np.asarray(host_rng.binomial(n, onp.asarray(p)))`"


def scaled(n: int):
    rng = np.random.default_rng(3)
    scale = np.linspace(0.0, 1.0, n)
    return rng.normal(0.0, scale)  # says: R113 "(scale * rng.normal(0.0, 1.0, scale.shape))"


def between(n: int):
    low = np.linspace(0.0, 1.0, n)
    return np.random.uniform(low, 2.0)  # says: R113 "(low + (2.0 - low) * np.random.random(low.shape))"


def counted(n: int):
    lam = np.linspace(0.0, 1.0, n)
    return np.random.poisson(lam)  # says: R113 "`np.asarray(onp.random.poisson(onp.asarray(lam)))`"


# with: 9, 3
# with: 9, 4
# with: 9, 9
# with: 5, 1
def convolved_inside(n: int, m: int):
    x, h = np.linspace(0.0, 1.0, n), np.arange(m) + 1.0
    return 2.0 * np.convolve(x, h, mode="valid")  # follow: R113 call


# with: 20
def smoothed_inside(n: int):
    x = np.linspace(0.0, 1.0, n)
    return np.convolve(x, np.ones(8) / 8.0, "valid")  # follow: R113 call


def convolved_from_afar(signal_of_the_left_channel, signal_of_the_right_channel, kernel, offset):
    return np.convolve(signal_of_the_left_channel[offset:] - signal_of_the_right_channel[:-1], kernel, mode="valid")  # says: R113 "`np.convolve(x_, kernel, mode='same')[len(kernel) // 2:len(x_) - (len(kernel) - 1) // 2]`"


def complete(n: int):
    return np.linalg.qr(np.eye(n), mode="complete")  # lacks: R113 "pad the signal"


def ends_on_the_device(n: int):
    y = np.linspace(0.0, 1.0, n)
    return np.arange(np.ceil(y.min()), np.ceil(y.max() * 5.0))  # says: R113 "`np.arange(float(np.ceil(y.min())), float(np.ceil(y.max() * 5.0)))`"


def ends_of_single_precision(n: int):
    y = np.ones(n, dtype=np.float32)
    return np.arange(y.min(), y.max() * 5)  # says: R113 "`dtype=np.float32`"


def some_axes(n: int):
    y = np.ones((n, 3, 4))
    return np.any(y, axis=(0, 1))  # says: R113 "one axis after the other"


# with: 6
def chosen_by_mask(n: int):
    x = np.linspace(-1.0, 1.0, n)
    return np.choose(x < 0, [x, -x])  # follow: R113 call


# with: ramp(20), ramp(20), 4
def bins_of_both_axes(x: np.ndarray, v: np.ndarray, nbins: int):
    h, _, _ = np.histogram2d(x, v, bins=nbins)  # follow: R113 expression
    return h


# with: ramp(20), ramp(20), 4
def bins_by_position(x: np.ndarray, v: np.ndarray, nbins: int):
    return np.histogram2d(x, v, nbins + 1)[0]  # follow: R113 expression


def bins_by_default(x: np.ndarray, v: np.ndarray):
    return np.histogram2d(x, v)[0]  # says: R113 "`bins=(10, 10)`"


# with: (2, 3)
def filled_by_keywords(shape):
    return np.full(shape=shape, fill_value=False)  # follow: R113 call


# with: 4
def filled_out_of_order(n: int):
    return np.full(dtype=np.float32, fill_value=n + 1, shape=(n, 2))  # follow: R113 call


def filled_behind_a_position(n: int):
    return np.full(n, fill_value=0.5)  # says: R113 "pass `0.5` by position"


# with: ramp(2, 3)
def inverse_of_a_wide_matrix(x: np.ndarray):
    x = x.reshape(2, 3) + np.eye(2, 3)
    return np.linalg.pinv(x)  # follow: R113 call


# with: ramp(2, 3)
def factors_of_a_wide_matrix(x: np.ndarray):
    x = x.reshape(2, 3) + np.eye(2, 3)
    u, s, vt = np.linalg.svd(x, full_matrices=False)  # follow: R113 call
    return (u * s) @ vt


# with: ramp(2, 3)
def singular_values_of_a_wide_matrix(x: np.ndarray):
    x = x.reshape(2, 3) + np.eye(2, 3)
    return np.linalg.svd(x, 0)[1]  # follow: R113 call


# with: ramp(2, 3)
def full_factors_of_a_wide_matrix(x: np.ndarray):
    x = x.reshape(2, 3) + np.eye(2, 3) * 1j
    u, s, vt = np.linalg.svd(a=x)  # follow: R113 call
    return (u * s) @ vt[:2]


# with: ramp(2, 3)
def coarse_inverse_of_a_wide_matrix(x: np.ndarray):
    x = x.reshape(2, 3) + np.eye(2, 3)
    return np.linalg.pinv(x, 0.7)  # follow: R113 call


# with: ramp(4, 3, 3)
def inverses_of_a_stack(x: np.ndarray):
    x = x.reshape(4, 3, 3) + np.eye(3)
    return np.linalg.pinv(x)  # follow: R113 call


def factors_of_a_stack(x: np.ndarray):
    x = x.reshape(4, 3, 3) + np.eye(3)
    return np.linalg.qr(x)  # says: R113 "`onp.linalg.qr(onp.asarray(x))`, with `np.asarray` around each part of what it gives"


# with: ramp(4)
def differences_of_all(x: np.ndarray):
    return np.subtract.reduce(x + 1.0)  # lacks: R113 "drop the argument"


def largest_of_complex_numbers(x: np.ndarray):
    z = np.ones(len(x)) * 1j
    return np.max(z)  # says: R113 "`z.real`, or where their size is meant on `np.abs(z)`"


# with: 3
def median_of_complex_numbers(n: int):
    x = np.linspace(-1.0, 2.0, 5 * n).reshape(5, n)
    z = x * 1j - x**2
    return np.median(z, axis=0)  # follow: R113 call


def differences_of_rows(n: int):
    return np.subtract.reduce(np.ones((n, n)))  # says: R113 "the first axis in a short loop"


def differences_of_numbers(n: int):
    return np.subtract.reduce(np.ones(n))  # lacks: R113 "loop"
