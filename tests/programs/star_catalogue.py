# verdict: SIGNIFICANT REFACTOR
# gates: 3 fail
"""Stars with names, places and spectra in one table of objects, which every function reaches into."""

import numpy as np


class Catalogue:
    def __init__(self, size):
        self.rows = np.empty((size, 4), dtype=object)
        self.magnitude = np.zeros(size)
        self.used = 0

    def add(self, name, place, spectrum, magnitude):
        self.rows[self.used] = [name, place, spectrum, None]
        self.magnitude[self.used] = magnitude
        self.used += 1

    def brighter_than(self, limit):
        return self.magnitude < limit

    def distances(self, parallax):
        return 1.0 / parallax

    def absolute(self, parallax):
        return self.magnitude + 5.0 * (1.0 + np.log10(parallax))


def summary(catalogue, parallax):
    absolute = catalogue.absolute(parallax)
    return absolute.mean(), absolute.min(), catalogue.brighter_than(6.0).sum()
