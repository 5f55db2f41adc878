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


def pieces(n: int, m: int):
    from scipy.interpolate import interp1d

    x, y = np.linspace(0.0, 1.0, n), np.linspace(0.0, 2.0, n)
    ends, length, out = np.cumsum(np.arange(m)), np.linspace(1.0, 2.0, m), []
    for i in range(m - 1):  # says: R101 "keep this loop there, with what it reads fetched once before it, `onp.asarray(ends)`"
        s, e = ends[i], ends[i + 1]
        out.append(interp1d(x[s:e], y[s:e])(np.linspace(0.0, length[i], 10)))
    return out


def whole(n: int):
    from scipy.interpolate import interp1d

    x, y = np.linspace(0.0, 1.0, n), np.linspace(0.0, 2.0, n)
    out = np.zeros(n)
    for i in range(n):  # lacks: R101 "keep this loop there"
        out[i] = interp1d(x, y)(0.5) * x[i]
    return out


def compiled(n: int, steps: int):
    import jax
    import jax.numpy as jnp

    @jax.jit
    def energy(x):
        return jnp.sum(x**2)

    u, seen = np.ones(n), []
    for _ in range(steps):
        u = u * 0.5
        seen.append(energy(u))  # says: R117 "arrays of host NumPy: `onp.asarray(u)`"
    return seen
