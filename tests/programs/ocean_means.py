# verdict: SIGNIFICANT REFACTOR
# gates: 3 fail
"""Monthly means of sea temperatures; land is masked out of every field."""

import numpy as np

LAND = -999.0


def read(path):
    return np.ma.masked_equal(np.load(path), LAND)


def anomaly(field, climate):
    return field - climate


def monthly(path, months):
    field = read(path)
    climate = field.mean(axis=0)
    out = []
    for month in range(months):
        out.append(anomaly(field[month], climate).mean())
    return out


def zonal(path):
    field = np.ma.masked_less(np.load(path), -100.0)
    return field.mean(axis=2)
