import numpy as np


# with: 4
def counted_pairs(n: int):
    g = np.zeros((n, n))
    i, j = np.arange(3 * n) % n, np.arange(3 * n) // 5
    np.add.at(g, (i, j), 1)  # follow: R112 call
    return g


# with: 4
def weighted_pairs(n: int):
    g = np.zeros((n, n))
    i, j, w = np.arange(3 * n) % n, np.arange(3 * n) // 5, np.linspace(0.0, 1.0, 3 * n)
    np.add.at(g, (i, j), w)  # follow: R112 call
    return g


# with: 4, 3
def counted_again(n: int, steps: int):
    h, i = np.zeros(n), np.arange(3 * n) % n
    for k in range(steps):
        np.add.at(h, i, 1)  # follow: R112 call
        i = (2 * i + k) % n
    return h


def counted_again_without_wait(n: int, steps: int):
    h, i = np.zeros(n), np.arange(3 * n) % n
    for k in range(steps):
        np.add.at(h, i, 1)  # lacks: R112 "bincount"
        i = (2 * i + k) % n
    return h


# with: 4
def added_rows(n: int):
    g, i, part = np.zeros((n, 3)), np.arange(2 * n) % n, np.linspace(0.0, 1.0, 6 * n).reshape(2 * n, 3)
    np.add.at(g, i, part)  # follow: R112 call
    return g


# with: 4
def added_row_to_rows(n: int):
    g, i = np.zeros((n, n)), np.arange(n)
    np.add.at(g, i, np.ones(n))  # follow: R112 named
    return g


# with: np.ones((4, 3)), np.array([0, -1, 0]), np.arange(3.0)
# with: np.ones((4, 3)), np.array([[0, -1], [1, 0]]), 2.5
# with: np.ones(4, dtype=np.int64), np.array([0, 3, 0]), np.array([1, 2, 3])
# with: np.ones(4, dtype=np.float32), 2, 3.0
# with: np.ones((2, 3)), np.ones((2, 3)) > 0, np.arange(6)
def added_at_unknown(g, i, w):
    np.add.at(g, i, w)  # follow: R112 named
    return g


# with: np.ones((2, 4, 3)), np.array([[0, -1, 0], [1, 1, 1]]), np.arange(6.0).reshape(2, 3)
def added_at_unknown_again(meshes, places, parts):
    for t in range(meshes.shape[0]):
        np.add.at(meshes[t], (slice(None), places[t]), parts[t])  # follow: R112 named
        np.subtract.at(meshes[t], places[t], 1)
    return meshes


# with: np.ones((2, 4, 3)), np.array([[0, -1, 0], [1, 1, 1]])
def counted_off(meshes, places):
    for t in range(meshes.shape[0]):
        np.subtract.at(meshes[t], places[t], 1)  # follow: R112 named
    return meshes


# with: 4
def weighted_triples(n: int):
    g = np.zeros((n, 3, 5))
    i, j, k = np.arange(3 * n) % n, np.arange(3 * n) % 3, np.arange(3 * n) % 5
    w = np.linspace(0.0, 1.0, 3 * n)
    np.add.at(g, (i, j, k), w)  # follow: R112 call
    return g


# with: 4, 3
def weighted_triples_again(n: int, steps: int):
    g = np.zeros((n, 3, 5))
    i, j, k = np.arange(3 * n) % n, np.arange(3 * n) % 3, np.arange(3 * n) % 5
    w = np.linspace(0.0, 1.0, 3 * n)
    for _ in range(steps):
        np.add.at(g, (i, j, k), w)  # follow: R112 call
        w = 0.5 * w
    return g


# with: 4
def triples_of_planes(n: int):
    g, i = np.zeros((n, 3, 5)), np.arange(n)
    np.add.at(g, (i, i % 3), np.ones((n, 5)))  # follow: R112 named
    return g


# with: 5
def taken_away(n: int):
    h, i, w = np.zeros(n), np.arange(3 * n) % n, np.linspace(0.0, 1.0, 3 * n)
    np.subtract.at(h, i, w)  # follow: R112 call
    return h


# with: 5
def taken_away_twice(n: int):
    h, i = np.zeros(n), np.arange(3 * n) % n
    np.subtract.at(h, i, 2)  # follow: R112 call
    return h


def each_of_its_own(n: int):
    h, i = np.ones(n), np.arange(n)
    np.add.at(h, i, 1.0)  # says: R112 "bincount"
    np.multiply.at(h, i, 2.0)  # says: R112 "no substitute in one line is known"
    return h


def largest_at(n: int):
    h, i = np.zeros(n), np.arange(n)
    np.maximum.at(h, i, 1.0)  # says: R112 "no substitute in one line is known"
    return h


# with: 4
def counted_in_unsigned(n: int):
    h = np.zeros(n, dtype=np.uint32)
    np.add.at(h, np.arange(3 * n) % n, 1)  # follow: R112 call
    return h


# with: 4
def counted_pairs_in_unsigned(n: int):
    g = np.zeros((n, n), dtype=np.uint16)
    i, j = np.arange(3 * n) % n, np.arange(3 * n) // 5
    np.add.at(g, (i, j), 1)  # follow: R112 call
    return g


def nothing_to_assign_to(x: np.ndarray, n: int):
    np.add.at(x.T, np.arange(3 * n) % n, 1)  # lacks: R112 "x.T +="
    np.add.at(x.ravel(), np.arange(3 * n) % n, 1)  # lacks: R112 "x.ravel() +="
    return x
