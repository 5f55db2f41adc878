"""What derives from ndarray, and what the help says where the library makes plain arrays."""
import numpy as np


class Quantity(np.ndarray):
    unit = ""


def converted(value):
    return np.asanyarray(value) * 2.0  # says: R112 "of a class derived from ndarray, as `Quantity` is"


def converted_list(n: int):
    return np.asanyarray([1.0, n]) * 2.0  # lacks: R112 "Quantity"


def contiguous(value):
    return np.ascontiguousarray(value) * 2.0  # lacks: R112 "Quantity"


def handed_on(value):
    return np.array(value, copy=True, subok=True)  # says: R113 "also of an object of a class derived from ndarray, as `Quantity` is"


def like(value):
    return np.zeros_like(value, subok=False)  # says: R113 "a plain array comes out either way"
