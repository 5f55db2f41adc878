"""What stays on the host: positions, objects, counts of what is there already."""
import numpy as np


class Peak:
    def __init__(self, place):
        self.place = place


# with: 3
def positions(n: int):
    return [i + 10 * j for i, j in np.ndindex(n, 2)]  # follow: R119 call


# with: 3
def positions_of_shape(n: int):
    found = {}
    for place in np.ndindex((n, 2)):  # follow: R119 call
        found[place] = sum(place)
    return found


def elements(n: int):
    u = np.zeros((n, n))
    for i, j in np.ndindex(n, n):  # says: R119 "work on the whole array"
        u[i, j] = i + j
    return u


def numbered_elements(n: int):
    u = np.zeros((n, n))
    for count, place in enumerate(np.ndindex(u.shape)):  # says: R119 "work on the whole array"
        u[place] = count
    return u


def of_another(n: int, found: dict):
    u = np.zeros((n, n))
    for place in np.ndindex(found.shape):  # lacks: R119 "whole array"
        found[place] = u[0, 0]
    return found


# with: 3
def objects(n: int):
    peaks = np.empty(n, dtype=object)  # follow: R107 expression
    for i in range(n):
        peaks[i] = Peak(i)
    return [peak.place for peak in peaks]


def listed_objects():
    return np.array([Peak(1), Peak(2)])  # says: R107 "keep the objects in a list or, with host NumPy as `onp`, in `onp.array(["


# with: ("a", "b")
def texts(words: tuple):
    labels = []
    for word in words:
        labels.append("<" + word + ">")
    return np.asarray(labels).reshape(2, 1).tolist()  # follow: R107 expression


def gaps():
    return np.asarray([1.0, None, 2.0])  # says: R107 "`np.nan` in the place of None"


def table_with_gaps():
    return np.asarray([[1.0, None], [2.0, 3.0]])  # says: R107 "`np.nan` in the place of None"


def gaps_alone(n: int):
    return np.array([[None] * n]).T  # says: R107 "`np.nan` in the place of None"


def gaps_for_objects(n: int):
    return np.array([None] * n, dtype=object)  # says: R107 "keep objects in a list"


def rows(n: int):
    found = np.empty(n, dtype=object)  # says: R107 "pad them into one matrix"
    for i in range(n):
        found[i] = np.arange(i)
    return found


def unknown_items(values):
    return np.array(values, dtype=object)  # says: R107 "keep objects in a list"


# with: counts(9) - 2
def counted(x: np.ndarray):
    values, many = np.unique(x, return_counts=True)  # follow: R113 named
    return values, many


# with: [3, 1, 3, -1]
def counted_list(x):
    return np.unique(x, return_counts=True)  # follow: R113 named


# with: ramp(3, 3)
def counted_table(x: np.ndarray):
    values, many = np.unique(np.round(x), return_counts=True)  # follow: R113 named
    return values, many


def counted_positions(x: np.ndarray):
    return np.unique(np.searchsorted(x, x), return_counts=True)  # says: R113 "np.bincount"


def counted_signed(x: np.ndarray):
    return np.unique(x - 1, return_counts=True)  # lacks: R113 "bincount"


# with: ramp(4), ramp(3, dtype="float32"), counts(5)
def common_type(x: np.ndarray, y: np.ndarray, z: np.ndarray):
    return np.zeros(3, dtype=np.result_type(x.dtype, y, z))  # follow: R112 call


def pickled(path: str):
    settings = np.load(path, allow_pickle=True).item()  # says: R119 "as they are, `onp.load(path, allow_pickle=True)`"
    return settings["n"]


def pickled_records(path: str):
    records = np.load(path, allow_pickle=True)  # lacks: R119 "name"
    return [record["n"] for record in records]


def archived(path: str):
    fields = np.load(path, allow_pickle=True)  # says: R119 "np.asarray(onp.load(path)["name"])"
    return fields["u"]


def mapped(path: str):
    field = np.load(path, mmap_mode="r")  # says: R119 "`np.asarray(mapped[i:j])`"
    return field[:10].sum()


def saved(path: str, n: int):
    settings = {"n": n}
    np.save(path, settings)  # says: R112 "`onp.save(path, settings)`"


def saved_array(path: str, n: int):
    np.save(path, np.zeros(n))  # says: R112 "`onp.save(path, onp.asarray(np.zeros(n)))`"


# with: ramp(6, 3)
def flat_entries(x: np.ndarray):
    out = []
    for k in range(400):
        u = np.sin(x + k)
        out.append(np.diag(u[0].flat))  # follow: R104 expression
    return out


def corners_of_patches(x: np.ndarray, n: int):
    from matplotlib.patches import Polygon

    patches = []
    for i in range(n):
        patches.append(Polygon(np.stack((x + i, x - i), axis=1)))  # says: R117 "it is no drawing yet"
    return patches


def patches_of_their_own(n: int):
    from matplotlib.patches import Polygon

    rows = np.ones((n, 4, 2))
    patches = []
    for i in range(n):
        corners = np.zeros((4, 2))
        corners[0] = rows[i, 0] + i
        patches.append(Polygon(corners))  # says: R117 "it is no drawing yet"
    return patches


def patch_of_each_row(n: int):
    from matplotlib.patches import Polygon

    rows = np.ones((n, 4, 2))
    return [Polygon(rows[i]) for i in range(n)]  # says: R117 "it is no drawing yet"


def sorted_patches(ax, n: int):
    from matplotlib.patches import Polygon

    rows = np.ones((n, 4, 2))
    for i in range(n):
        rows.sort()
        ax.add_patch(Polygon(rows[i]))  # lacks: R117 "before the loop"


def moved_patch(ax, n: int):
    from matplotlib.patches import Polygon

    x = np.zeros((n, 2))
    for _ in range(n):
        x += 0.1
        ax.add_patch(Polygon(x[:, :]))  # lacks: R117 "before the loop"


def grown_patch(ax, n: int):
    from matplotlib.patches import Polygon

    x = np.zeros((n, 2))
    for i in range(n):
        x = x * 1.1 + i
        ax.add_patch(Polygon(x))  # lacks: R117 "before the loop"


def patch_of_changed_rows(ax, n: int):
    from matplotlib.patches import Polygon

    rows = np.ones((n, 4, 2))
    for i in range(1, n):
        rows[i] = rows[i - 1] * 2.0
        corners = np.zeros((4, 2))
        corners[0] = rows[i, 0]
        ax.add_patch(Polygon(corners))  # lacks: R117 "before the loop"


def roots_of_a_polynomial(n: int):
    p = np.ones(n)
    return np.roots(p)  # says: R306 "`np.asarray(onp.roots(onp.asarray(p)))`"


# with: np.arange(6.0).reshape(2, 3)
def first_entry(x: np.ndarray):
    u, total = x, 0.0
    for _ in range(300):
        u = u * 0.5
        total = total + next(u[1:].flat)  # follow: R104 call
    return total


def entries_one_by_one(x: np.ndarray):
    u, total = x, 0.0
    for _ in range(300):
        u = u * 0.5
        entries = u.flat  # lacks: R104 "ravel"
        total = total + next(entries) - next(entries)
    return total
