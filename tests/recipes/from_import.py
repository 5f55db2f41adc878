"""A module that takes some names out of the library."""
from numpy import linspace, ones


def kept(n: int):
    from numpy import savez  # says: R112 "write `onp.savez("a.npz", y=onp.asarray(y))`"

    y = ones(n)
    savez("a.npz", y=y)


def windows(n: int):
    from numpy.lib.stride_tricks import as_strided  # says: R119 "it is never used: delete the import"

    return ones(n)


def used_windows(n: int):
    from numpy.lib.stride_tricks import as_strided  # says: R119 "sum shifted slices in a short loop over the window"

    return as_strided(ones(n), (n, 2))


def forgotten(n: int):
    from numpy import std  # says: R112 "it is never used: delete the import"

    return linspace(0.0, 1.0, n)
