"""What is plain in NumPy and raises, or gives other numbers: masks of rows, axes, stacked inverses, every third row."""
import numpy as np


# with: 9
def stepped_products(n: int):
    y = np.linspace(0.0, 1.0, n)
    y[::3] *= 2.0  # follow: R106 statement
    return y


# with: 9
def stepped_counts(n: int):
    y = np.arange(n)
    y[1::2] -= 5  # follow: R106 statement
    return y


# with: 9
def stepped_rows_multiplied(n: int):
    y = np.ones((n, 2, 3)) * np.arange(3)
    y[2::3] *= 2.0  # follow: R106 statement
    return y


# with: 9
def stepped_rows_cleared(n: int):
    y = np.ones((n, 2, 3))
    y[1::3] = 0.0  # follow: R106 statement
    return y


# with: 9
def masked_rows(n: int):
    y = np.linspace(0.0, 1.0, 3 * n).reshape(n, 3)
    y[y[:, 0] < 0.5] = np.nan  # follow: R119 statement
    return y


# with: 9
def masked_planes(n: int):
    y = np.linspace(0.0, 1.0, 6 * n).reshape(n, 2, 3)
    y[y[:, 0, 0] < 0.5] = 7.0  # follow: R119 statement
    return y


# with: 5
def turned_products(n: int):
    y = np.linspace(0.0, 1.0, 6 * n).reshape(n, 2, 3)
    return y @ y.transpose(0, 2, 1)  # follow: R113 expression


# with: 5
def inverses(n: int):
    y = np.linspace(0.0, 1.0, 9 * n).reshape(n, 3, 3) + np.eye(3)
    return np.linalg.inv(y)  # follow: R113 call


# with: 5
def single_inverses(n: int):
    y = np.array(np.linspace(0.0, 1.0, 9 * n).reshape(n, 3, 3) + np.eye(3), dtype=np.float32)
    return np.linalg.inv(y)  # follow: R113 call


# with: 5
def inverses_of_two_axes(n: int):
    y = np.linspace(0.0, 1.0, 18 * n).reshape(n, 2, 3, 3) + np.eye(3)
    return np.linalg.inv(y)  # follow: R113 call


table = np.linspace(0.0, 1.0, 9)


# with: 2.0
def stepped_elsewhere(factor: float):
    table[::3] *= factor  # follow: R106 statement
    return table
