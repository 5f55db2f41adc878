"""Other libraries that array work goes to. Nothing of this runs: they are not there where recipes are run."""
import dask.array as da
import numpy as np


def by_dask(n: int):
    a, b = np.ones((n, n)), np.ones((n, n))
    return da.einsum("ik,jk->ij", a, b)  # says: R118 "`np.einsum` in place of `da.einsum`"


def into_dask(n: int):
    a = np.ones((n, n))
    return da.asarray(a).sum()  # says: R118 "keep the array as it is, without `da.asarray`"


def root(n: int):
    from scipy.optimize import brentq  # says: R301 "hand over limits as numbers of Python, `float(a)`"

    limits = np.linspace(-1.0, 1.0, n)
    return brentq(np.sinh, limits[0], limits[-1])


def samples(n: int):
    from scipy.integrate import simpson  # says: R301 "convert once"

    return simpson(np.ones(n))
