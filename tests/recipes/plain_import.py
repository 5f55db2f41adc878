"""A module that calls the library by its own name."""
import numpy


# with: 3
def spread(n):
    y = numpy.linspace(0.0, 1.0, n * n).reshape(n, n)
    return 2.0 * numpy.std(y - 1.0, axis=0)  # follow: R112 call


# with: 9
def walked(n):
    y = numpy.linspace(0.0, 1.0, n)
    return max(y - 1.0)  # follow: R110 expression
