"""Calls of what the library lacks: what stands for them, and what host NumPy does in their place."""
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
