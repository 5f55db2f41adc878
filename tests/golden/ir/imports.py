from __future__ import annotations
import os.path, numpy.linalg as la
from . import sibling
from ..pkg.mod import (thing as other, another)
from numpy import *


def use(x: ndarray) -> array:
    import scipy.sparse
    return zeros(3), other, os, scipy, la
