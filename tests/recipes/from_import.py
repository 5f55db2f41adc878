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


def rolled(n: int, window: int, group: bool):
    import pandas as pd
    from numpy.lib.stride_tricks import sliding_window_view  # says: R119 "import it from host NumPy as before"

    counts = pd.DataFrame(ones((n, n)))
    if group:
        counts = counts.groupby(counts.index).sum()
    return sliding_window_view(counts, window, axis=1).mean(axis=2)


def rolled_on_device(n: int, window: int):
    from numpy.lib.stride_tricks import sliding_window_view  # lacks: R119 "host NumPy"

    return sliding_window_view(ones((n, n)), window, axis=1).mean(axis=2)
