"""What the arms of a test change: the device chooses it only where that is an array."""
import numpy as np


def bound(n: int):
    u = np.ones(n)
    for _ in range(1000):
        if u.max() > 0.5:  # says: R105 "`u = np.where(u.max() > 0.5, new, old)`"
            u = u * 0.5
    return u


def bound_where_it_fails(n: int):
    u = np.ones(n)
    for _ in range(1000):
        if not (u > 1e-3).all():  # says: R105 "`u = np.where((u > 1e-3).all(), old, new)`"
            u = np.maximum(u, 1e-3)
    return u


def bound_before(n: int):
    u, v = np.ones(n), np.zeros(n)
    for _ in range(1000):
        u = u * 0.9
        w = u * 0.5
        if w.max() > 0.5:  # says: R105 "`v = np.where(w.max() > 0.5, new, old)`"
            v = w
    return v


def entry(n: int):
    u, hits = np.ones(n), np.zeros((7, 2))
    for k in range(1000):
        u = u * 0.5
        if u[0] * u.max() > 0.5:  # says: R105 "what it gets, `hits[k % 7, 0] = np.where("
            hits[k % 7, 0] += 1
    return hits


class Chain:
    def __init__(self, x: np.ndarray):
        self.x = x * 1.0
        self.ll = x.sum()


def exchanged(n: int):
    p, q, swaps = Chain(np.ones(n)), Chain(np.zeros(n)), np.zeros(2)
    for _ in range(1000):
        if p.ll * q.ll < 0.5:  # says: R105 "what each of them gets, `p.x = np.where(test, ..., ...)` after `test = p.ll * q.ll < 0.5`"
            p.x, q.x = q.x, p.x
            p.ll, q.ll = q.ll, p.ll
            swaps[0] += 1
    return p.x, q.x, swaps


def counted_on_the_host(n: int):
    u, seen = np.ones(n), {}
    for k in range(1000):
        u = u * 0.5
        if u.max() > 0.5:  # lacks: R105 "np.where"
            seen[k] = 1
    return seen


def skipped(n: int):
    u, kept = np.ones(n), []
    for k in range(1000):
        u = u * 0.5
        if u.max() > 0.5:  # lacks: R105 "np.where"
            continue
        kept.append(k)
    return kept


class Posterior:
    def __init__(self, y: np.ndarray):
        self.y = y

    def prior(self, x: np.ndarray):
        if np.any(np.abs(x) > 50.0):
            return -np.inf
        return -0.5 * np.sum(x * x)


# with: 9
def of_two_ways(n: int):
    post = Posterior(np.ones(n))
    x, kept = np.zeros(n), 0
    for it in range(60):
        prop = x + post.y
        lp = post.prior(prop)  # follow: R105 statement
        if not np.isfinite(lp):
            continue
        if lp < -0.25 * it * n:
            x = prop
            kept += 1
        if int(lp) % 2 == 0:
            kept += 1
    return x, kept


def first_or_rest(n: int):
    u = np.ones(n)
    for _ in range(60):
        u = halved(u)
    return u


def halved(u: np.ndarray):
    if u.max() < 0.5:  # lacks: R105 "np.where"
        return u
    u[0] = 2.0
    return u * 0.5


def skipped_and_rest(n: int):
    u, v = np.ones(n), np.zeros(n)
    for _ in range(60):
        w = v + u
        if w.max() < 0.5:  # lacks: R105 "np.where"
            continue
        v = w * 0.5
        u[0] = 2.0
    return u, v


def not_known(n: int, a, b):
    u = np.ones(n)
    for _ in range(60):
        u = u * 0.5
        if u.max() < 0.5:  # says: R105 "where `a` is an array or a number and both arms only assign arrays, let the device choose: `a = np.where(u.max() < 0.5, new, old)`"
            a = b.next(a)
    return u, a
