"""Values that a loop fetches again and again and does not change."""
import numpy as np


# with: 9, 4
def looked_up(n: int, steps: int):
    chosen, u = np.arange(n) * 2, np.ones(n)
    found_at = []
    for idx in range(steps):
        u = u * 0.5
        if idx in chosen:  # follow: R104 before
            found_at.append(idx)
    return found_at, u


# with: 9, 4
def not_looked_up(n: int, steps: int):
    chosen, u = np.arange(n) * 2, np.ones(n)
    left = []
    for idx in range(steps):
        u = u * 0.5
        if idx + 1 not in chosen:  # follow: R104 before
            left.append(idx)
    return left, u


# with: 5, 9
def looked_up_in_matrix(n: int, steps: int):
    m, u = np.linspace(0.0, 4.0, n * 2).reshape(n, 2), np.ones(n)
    left = []
    for idx in range(steps):
        u = u * 0.5
        if 0.5 * idx in m:  # follow: R104 before
            left.append(idx)
    return left, u


# with: 9, 4
# with: 3, 4
def tested(n: int, steps: int):
    u = np.linspace(0.0, 1.0, n)
    test_of = u.sum()
    for _ in range(steps):
        if test_of < 3.0:  # follow: R105 before
            u = u + 1.0
        else:
            u = u * 2.0
    return u


# with: 9, 8
def tested_by_counter(n: int, steps: int):
    u = np.linspace(0.0, 4.0, n)
    top = u.max()
    for k in range(steps):
        if top < k:  # follow: R105 before
            u = u + 1.0
        else:
            u = u * 2.0
    return u


def tested_and_changed(n: int, steps: int):
    u = np.linspace(0.0, 4.0, n)
    top = u.max()
    for k in range(steps):
        if top < k:  # lacks: R105 "once before"
            u = u + 1.0
        top = top * 1.5
    return u


# with: 9, 8
def converted(n: int, steps: int):
    u, v = np.ones(n), np.linspace(0.0, 1.0, n)
    rows = [u, v]
    out = np.zeros(n)
    for k in range(steps):
        out = out + rows[int(v.max())] * k  # follow: R104 hoist
    return out


def converted_anew(n: int, steps: int):
    v = np.linspace(0.0, 1.0, n)
    rows = [np.ones(n), np.zeros(n)]
    out = np.zeros(n)
    for _ in range(steps):
        out = out + rows[int(v.max())]  # lacks: R104 "once before"
        v[0] = 1.0
    return out


# with: 9, 4
def cast(n: int, steps: int):
    m = np.linspace(-1.0, 1.0, n * 2).reshape(n, 2)
    out = np.zeros((n, 2))
    for _ in range(steps):
        m = m * 1.1
        out += m * np.float32(m > 0)  # follow: R104 expression
    return out


def cast_number(n: int, steps: int):
    m = np.linspace(-1.0, 1.0, n)
    out = np.zeros(n)
    for _ in range(steps):
        m = m * 1.1
        out += m * float(m.max())  # lacks: R104 "astype"
    return out


def item(n: int, steps: int):
    rows = [np.ones(n), np.zeros(n)]
    out = np.zeros(n)
    for k in range(steps):
        i = np.argmax(out[:2] * k)
        out = out + rows[i]  # says: R104 "np.take(rows, i.reshape(1), axis=0, mode='clip')[0]"
    return out


def items(n: int, steps: int):
    rows, others = [np.ones(n), np.zeros(n)], [np.zeros(n), np.ones(n)]
    out = np.zeros(n)
    for k in range(steps):
        i = np.argmax(out[:2] * k)
        out = out + rows[i] * others[i]  # says: R104 "fetch `i` once per pass for all of these places"
    return out


def drawn(n: int, steps: int):
    u = np.ones(n)
    for _ in range(steps):
        if np.random.rand() < 0.5:  # says: R105 "`onp.random.rand()`"
            u = u + 1.0
    return u


def drawn_by_generator(n: int, steps: int, seed: int):
    rng = np.random.default_rng(seed)
    u = np.ones(n)
    for _ in range(steps):
        level = 2 * np.log(1.0 / rng.uniform(0.1, 1.0))
        if level > 1.0:  # says: R105 "`host_rng.uniform(0.1, 1.0)`, with `host_rng = onp.random.default_rng(seed)` made once, and what is computed from it by `math`"
            u = u + 1.0
    return u


def drawn_beside_others(n: int, steps: int):
    u = np.ones(n)
    for _ in range(steps):
        u = u * 0.9
        if np.random.rand() < u.max():  # lacks: R105 "onp.random.rand()"
            u = u + 1.0
    return u


def drawn_many(n: int, steps: int):
    u = np.ones(n)
    for _ in range(steps):
        if np.random.rand(n).max() < 0.5:  # lacks: R105 "onp.random.rand"
            u = u + 1.0
    return u


def drawn_index(n: int, steps: int, seed: int):
    rng = np.random.default_rng(seed)
    rows = [np.ones(n), np.zeros(n)]
    out = np.zeros(n)
    for _ in range(steps):
        out = out + rows[rng.integers(0, 2)]  # says: R104 "`host_rng.integers(0, 2)`"
    return out


def made_in_arm(n: int, steps: int):
    u = np.ones(n)
    for k in range(steps):
        u = u * 0.9
        if u.max() > 0.5:  # lacks: R105 "fresh["
            fresh = np.zeros(n)
            fresh[k] = 1.0
            u = u + fresh
    return u


# with: 9, 4
def several(n: int, steps: int):
    u = np.arange(n * 1.0)
    found = []
    for _ in range(steps):
        u = u * 1.25
        rows = [int(u.max()), int(u.min())]  # follow: R104 pair
        found.append(range(rows[1], rows[0]))
    return found


def one_after_the_other(n: int, steps: int):
    u, rows = np.arange(n * 1.0), list(range(100))
    total = 0
    for _ in range(steps):
        u = u * 0.5
        first = int(u.max())  # lacks: R104 "np.stack"
        total += rows[first] + int((u * rows[first]).min())
    return total


def written_between(n: int, steps: int):
    u, v = np.arange(n * 1.0), np.arange(n * 1.0)
    rows, total = list(range(100)), 0
    for _ in range(steps):
        u = u * 0.5
        first = rows[int(u.max())]  # lacks: R104 "np.stack"
        v[0] = first
        total += rows[int(v.min())]
    return total


# with: 9, 3
def last_row(n: int, steps: int):
    outside = np.linspace(0.0, 1.0, n) < 0.8
    most = np.nonzero(outside)[0][-1]
    u, total = np.ones(n), 0.0
    for _ in range(steps):
        u = u * 0.5
        for s in range(most):  # says: R104 "no pass changes this number: convert it, `int(most)`, once before"
            total = total + s
    return total, u
