# Slices with steps beside other keys: the axis that is taken from counts behind the indices.
import numpy as np


# with: 12, 5
# with: 7, 0
def behind_an_index(n: int, m: int):
    a = np.arange(1.0 * n * m).reshape(n, m)
    return a[5, ::4]  # follow: R106 expression


# with: 12, 6
# with: 0, 6
def before_an_index(n: int, m: int):
    a = np.arange(1.0 * n * m).reshape(n, m)
    return a[::2, 3]  # follow: R106 expression


# with: 12, 6
def second_axis(n: int, m: int):
    a = np.arange(1.0 * n * m).reshape(n, m)
    return a[:, 1::4]  # follow: R106 expression


# with: 12, 6
def last_axis(n: int, m: int):
    a = np.arange(1.0 * n * m).reshape(n, m)
    return a[..., ::2]  # follow: R106 expression


# with: 3, 4, 5
def behind_an_ellipsis(n: int, m: int, k: int):
    a = np.arange(1.0 * n * m * k).reshape(n, m, k)
    return a[..., ::2, 1]  # follow: R106 expression


# with: 3, 4, 5
def before_an_ellipsis(n: int, m: int, k: int):
    a = np.arange(1.0 * n * m * k).reshape(n, m, k)
    return a[0, ::2, ...]  # follow: R106 expression


# with: 3, 4, 5
def beside_a_new_axis(n: int, m: int, k: int):
    a = np.arange(1.0 * n * m * k).reshape(n, m, k)
    return a[1, None, ::2, 2:4]  # follow: R106 expression


# with: 7, 10
# with: 1, 3
def both_axes(n: int, m: int):
    a = np.arange(1.0 * n * m).reshape(n, m)
    return a[::3, 1::2]  # follow: R106 expression


# with: 12, 6
# with: 3, 4
def up_to_an_end(n: int, m: int):
    a = np.arange(1.0 * n * m).reshape(n, m)
    return a[1:10:2, -1]  # follow: R106 bound


# with: 12, 6
# with: 3, 4
def up_to_an_end_by_its_name(n: int, m: int):
    x = np.arange(1.0 * n * m).reshape(n, m)
    y = x[1, 1:-1:2]  # follow: R106 bound
    return y, x


# with: 12
# with: 3
def from_the_end(n: int):
    a = np.arange(1.0 * n)
    return a[-5::2]  # follow: R106 bound


# with: 12, 6
def of_an_expression(n: int, m: int):
    x = np.arange(1.0 * n * m).reshape(n, m)
    y = (x + 1.0)[2, ::2]  # follow: R106 bound
    return y, x


# with: 12, 6, 2
# with: 5, 7, 3
def with_a_named_step(n: int, m: int, k: int):
    a = np.arange(1.0 * n * m).reshape(n, m)
    return a[:, ::k]  # says: R106 "where `k` is positive, write `np.take(a, np.arange(0, a.shape[1], k), axis=1, mode='clip')`"


# with: 4, 6
def turned_columns(n: int, m: int):
    a = np.arange(1.0 * n * m).reshape(n, m)
    return a[:, ::-1]  # follow: R106 expression


# with: 4, 6
def turned_row(n: int, m: int):
    a = np.arange(1.0 * n * m).reshape(n, m)
    return a[2, ::-1]  # follow: R106 expression


# with: 4, 6
# with: 5, 7
def every_other_backwards(n: int, m: int):
    a = np.arange(1.0 * n * m).reshape(n, m)
    return a[1:3, ::-2]  # follow: R106 expression


# with: 6
# with: 7
def every_other_of_a_vector_backwards(n: int):
    a = np.arange(1.0 * n) + 1.0
    return a[::-2]  # follow: R106 expression


# with: 6
def turned_write(n: int):
    a, b = np.zeros(n), np.arange(1.0 * n)
    a[::-1] = b  # follow: R106 statement
    return a


# with: 6
def turned_write_of_a_number(n: int):
    a = np.zeros((n, 2))
    a[::-1] = 3.0  # follow: R106 statement
    return a


def turned_write_of_a_row(n: int):
    a, b = np.zeros((n, 2)), np.arange(2.0)
    a[::-1] = b  # says: R106 "where they have that axis"
    return a


def beside_an_index_array(n: int, m: int, k):
    a, i = np.arange(1.0 * n * m).reshape(n, m), np.argsort(np.ones(n))
    return a[i, ::4]  # says: R106 "`np.take(x, np.arange(0, x.shape[axis], step), axis=axis, mode='clip')`"


def beside_an_unknown_key(n: int, m: int, k):
    a = np.arange(1.0 * n * m).reshape(n, m)
    return a[k, ::4]  # lacks: R106 "axis=0"


# with: 12
# with: 3
def written_up_to_an_end(n: int):
    a = np.arange(1.0 * n)
    a[1:10:3] = 7.0  # follow: R106 named_part
    return a


# with: 12, 5
# with: 4, 2
def written_beside_an_index(n: int, m: int):
    a = np.arange(1.0 * n * m).reshape(n, m)
    a[::2, 1] += 7.0  # follow: R106 named_part
    return a


# with: 12, 5
def written_columns(n: int, m: int):
    a = np.arange(1.0 * n * m).reshape(n, m)
    a[3, 1::2] = np.arange(2.0)  # follow: R106 named_part
    return a


# with: 12, 5
def written_rows(n: int, m: int):
    a = np.arange(1.0 * n * m).reshape(n, m)
    a[2::2, :] = 1.5  # follow: R106 named_part
    return a


# with: 12, 5
def written_columns_with_a_number(n: int, m: int):
    a = np.arange(1.0 * n * m).reshape(n, m)
    a[:, ::2] = 1.5  # follow: R106 statement
    return a


# with: 4, 5, 6
def written_middle_with_a_number(n: int, m: int, k: int):
    a = np.arange(n * m * k).reshape(n, m, k)
    a[:, 1::3] = 7  # follow: R106 statement
    return a


# with: 12, 5
def scaled_columns(n: int, m: int):
    a = np.arange(1.0 * n * m).reshape(n, m)
    a[:, 1::2] *= 1.5  # follow: R106 statement
    return a


# with: 12, 5
def marked_columns(n: int, m: int):
    a = np.ones((n, m), dtype=bool)
    a[:, ::2] = False  # follow: R106 statement
    return a


# with: 12, 5
def written_by_two_steps(n: int, m: int):
    a = np.arange(1.0 * n * m).reshape(n, m)
    a[::2, ::2] = 1.5  # says: R106 "write through a mask over each stepped axis"
    return a


def written_columns_with_columns(n: int, m: int):
    a = np.arange(1.0 * n * m).reshape(n, m)
    a[:, ::2] = np.ones((n, 1))  # says: R106 "write through a mask over each stepped axis"
    return a


# with: 12, 5
def written_behind_an_ellipsis(n: int, m: int):
    a = np.arange(1.0 * n * m).reshape(n, m)
    a[..., ::2] = 1.5  # says: R106 "write through a mask over each stepped axis"
    return a


# with: 12, 5
# with: 7, 1
def all_by_a_named_step(n: int, k: int):
    a = np.arange(1.0 * n)
    a[::k] = 1.5  # follow: R106 statement
    return a


# with: 12, 5
def columns_by_a_named_step(n: int, k: int):
    a = np.ones((n, n))
    a[:, ::k] = 1.5  # follow: R106 statement
    return a


# with: 12, 5
def rows_by_a_named_step(n: int, k: int):
    a = np.ones((n, n))
    a[1::k] *= 1.5  # says: R106 ", where `k` is positive"
    return a


# with: 12, 5
def entries_by_a_named_step(n: int, k: int):
    a = np.ones((n, n))
    a[1, 2:9:k] = 1.5  # follow: R106 named_part
    return a


# with: 12, 5
def read_by_a_named_step(n: int, k: int):
    a = np.arange(1.0 * n)
    return a[::k]  # says: R106 "where `k` is positive, write `np.take(a,"
