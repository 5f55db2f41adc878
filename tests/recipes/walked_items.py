# Walks of arrays whose items the host needs: as keys, as list indices, as bounds of slices.
from collections import Counter, defaultdict
from functools import lru_cache
from itertools import product

import numpy as np


# with: 6
def keyed(n: int):
    ids, d = np.arange(n) * 3, {}
    for i in ids:  # follow: R103 walk
        d[i] = 0.5 * i
    return [d[k] for k in range(0, 3 * n, 3)]


# with: 6
def keyed_by_counter(n: int):
    d = {}
    for i in np.arange(n):  # says: R103 "count in Python: `range(n)`"
        d[i] = 1
    return len(d)


# with: 6
def keyed_by_pairs(n: int):
    c = {}
    for j in np.arange(n - 1) + 1:  # follow: R103 walk
        for k in range(3):
            c[(j + 1, k)] = 2.0 * k
    return [c[(j, 2)] for j in range(2, n + 1)]


# with: 7, 3
def rest(n: int, m: int):
    component = np.arange(m) * 2
    return sorted(set(range(n)) - set(component))  # follow: R103 expression


# with: 9
def tallied(n: int):
    counts = Counter(np.arange(n) // 4)  # follow: R314 expression
    return [counts[0], counts[1], counts[7]]


# with: 5
def prepared(n: int):
    known = dict.fromkeys(np.arange(n) + 2)  # follow: R314 expression
    return [k in known for k in range(9)]


@lru_cache
def term(n, m):
    return n * m + 1


# with: ramp(5)
def kept(u: np.ndarray):
    k = u.argmax()
    return term(3, k)  # says: R314 "convert it: `int(k)`, which waits"


# with: 4, 2, [1.0, 2.0, 3.0, 4.0]
def picked_by_rows(n: int, dim: int, weights: list):
    names = [["a", "b", "c", "d", "e", "f", "g"], ["p", "q", "r", "s", "t", "u", "v"]]
    indices, skew = np.arange(n * dim).reshape(n, dim) % 5, np.ones(dim, dtype=int)
    found = defaultdict(float)
    for row, weight in zip(indices + skew, weights):  # follow: R103 walk
        chosen = [value[k] for k, value in zip(row, names)]
        for one in product(chosen, chosen):
            found[one] += weight
    return sorted(found.items())


# with: 9
def picked_from_list(n: int):
    names, order = [str(k) for k in range(n)], np.argsort(np.cos(np.arange(n)))
    return [names[k] for k in order]  # follow: R103 walk


# with: 9
def picked_says(n: int):
    names, order = [str(k) for k in range(n)], np.argsort(np.cos(np.arange(n)))
    return [names[k] for k in order]  # says: R103 "nothing but Python needs the numbers: fetch them once and walk `order.tolist()`"


# with: 8
def summed_windows(n: int):
    y, x = np.linspace(0.0, 1.0, 4 * n), np.linspace(0.0, 1.0, n)
    starts, ends, total = np.arange(n) * 2, np.arange(n) * 2 + 3, 0.0
    for shift, start, end in zip(x, starts, ends):  # says: R103 "fetch them at once: `starts.tolist()`, `ends.tolist()`"
        total = total + y[start:end].sum() * shift
    return total


# with: 8
def summed_windows_followed(n: int):
    y, x = np.linspace(0.0, 1.0, 4 * n), np.linspace(0.0, 1.0, n)
    starts, ends, total = np.arange(n) * 2, np.arange(n) * 2 + 3, 0.0
    for shift, start, end in zip(x, starts, ends):  # follow: R103 walk
        total = total + y[start:end].sum() * shift
    return total


# with: 5, 4
def called_by_pairs(n: int, m: int):
    grid = np.array(np.meshgrid(np.arange(n), np.arange(m))).T
    result, args = np.empty(grid.shape[:2]), [0, 0]
    for i, row in enumerate(grid):  # follow: R103 walk
        for j, pair in enumerate(row):
            args[0] = pair[0]
            args[1] = pair[1]
            result[i, j] = divmod(args[0], args[1] + 1)[1]
    return result


# with: 6
def whole_rows(n: int):
    table, total = np.ones((n, 3)), np.zeros(3)
    for row in table:  # lacks: R103 ".tolist()"
        total = total + row * 2
    return total


# with: 4
def masked_by_rows(n: int):
    numbers = {0: np.arange(n), 1: np.arange(n) * 2}
    rows = np.eye(n, dtype=bool)
    return [numbers[1][row].sum() for row in rows]  # lacks: R103 ".tolist()"


# with: 4
def numbered_rows(n: int):
    total = 0.0
    for i, row in enumerate(np.ones((n, 3))):  # lacks: R103 ".tolist()"
        total = total + i
    return total


# with: 6, 5
def counted_rows(samples: int, length: int):
    rng = np.random.RandomState(3)
    drawn = rng.randint(0, length, size=(samples, length))
    return np.vstack([np.bincount(row, minlength=length) for row in drawn]) / length  # follow: R103 comprehension


# with: 6, 5
def counted_shifted_rows(samples: int, length: int):
    drawn = np.arange(samples * length).reshape(samples, length) % (length + 1)
    return np.array([np.bincount(row, minlength=length + 1) for row in drawn])  # follow: R103 comprehension


# with: 6, 5
def counted_and_summed(samples: int, length: int):
    drawn = np.arange(samples * length).reshape(samples, length) % length
    return [np.bincount(row, minlength=length) * row for row in drawn]  # lacks: R103 "all rows at once"


# with: 7
def edges_before(n: int):
    gaps, out, total = np.cos(np.arange(3.0 * n)).reshape(n, 3), [], 0
    for g in gaps:  # follow: R103 sums
        out.append(total)
        total += g[1] - g[0]
    return np.asarray(out), total


# with: 7
def edges_after(n: int):
    gaps, out, total = np.cos(np.arange(3.0 * n)).reshape(n, 3), [], 0.0
    for g in gaps:  # follow: R103 sums
        total = total + 2.0 * g[1] * g[0]
        out.append(total)
    return np.asarray(out), total


# with: 7
def sums_of_numbers(n: int):
    steps, out, total = np.cos(np.arange(1.0 * n)), [], 0.0
    for step in steps:  # follow: R103 sums
        total = total + step
        out.append(total)
    return np.asarray(out), total


# with: 7
def sums_from_another_number(n: int):
    steps, out, total = np.cos(np.arange(1.0 * n)), [], 1.5
    for step in steps:  # lacks: R103 "cumsum"
        total = total + step
        out.append(total)
    return np.asarray(out), total


# with: 7
def decayed_sums(n: int):
    steps, out, total = np.cos(np.arange(1.0 * n)), [], 0.0
    for step in steps:  # lacks: R103 "cumsum"
        total = 0.5 * total + step
        out.append(total)
    return np.asarray(out), total


# with: 7
def sums_and_more(n: int):
    gaps, out, total = np.cos(np.arange(3.0 * n)).reshape(n, 3), [], 0.0
    for g in gaps:  # lacks: R103 "cumsum"
        total = total + g[1]
        out.append(total)
        out.append(g[0])
    return np.asarray(out), total


# with: 7
def capped_sums(n: int):
    gaps, out, total = np.cos(np.arange(3.0 * n)).reshape(n, 3), [], 0.0
    for g in gaps:  # lacks: R103 "cumsum"
        if total < 2.0:
            total = total + g[1]
        out.append(total)
    return np.asarray(out), total


def printed_rows(n: int):
    table = np.arange(3 * n).reshape(n, 3)
    for row in table:  # lacks: R103 "nothing but Python needs"
        print(row)


def printed_numbers(n: int):
    for number in np.arange(n) % 3:  # says: R103 "nothing but Python needs the numbers: fetch them once and walk `(np.arange(n) % 3).tolist()`"
        print(number)


# with: "abcdef", 1.5
def pairs_with_texts(names: list, start: float):
    p = np.linspace(0.0, start, 6)
    out = []
    for _ in range(300):
        p = p * 0.99
        out = [(float(c), s) for c, s in zip(p, names)]  # follow: R104 walks
    return out


# with: 1.5
def pairs_of_numbers(start: float):
    p, q = np.linspace(0.0, start, 6), np.linspace(1.0, start, 6)
    out = []
    for _ in range(300):
        p = p * 0.99
        q = q * 0.9
        out = [(float(c), float(d)) for c, d in zip(p, q)]  # follow: R104 walks
    return out


# with: 1.5
def pairs_of_numbers_says(start: float):
    p, q = np.linspace(0.0, start, 6), np.linspace(1.0, start, 6)
    out = []
    for _ in range(300):
        p = p * 0.99
        q = q * 0.9
        out = [(float(c), float(d)) for c, d in zip(p, q)]  # says: R104 "walk `zip(p.tolist(), q.tolist())`"
    return out


# with: 1.5
def numbered_numbers(start: float):
    p = np.linspace(0.0, start, 6)
    out = {}
    for _ in range(300):
        p = p * 0.99
        out = {i: int(10 * c) for i, c in enumerate(p - 0.5)}  # follow: R104 walks
    return out


def items_by_their_method(start: float):
    p = np.linspace(0.0, start, 6)
    out = []
    for _ in range(300):
        p = p * 0.99
        out = [c.item() for c in p]  # says: R104 "walk `p.tolist()`, whose items are Python numbers, without `.item()`"
    return out


# with: 1.5
def numbers_and_arrays(start: float):
    p, q, u = np.linspace(0.0, start, 6), np.linspace(1.0, start, 6), np.ones(9)
    out = []
    for _ in range(300):
        p = p * 0.99
        for c, d in zip(p, q):
            u += d.astype(np.float32) * u
            out.append(float(c))  # says: R104 "walk `zip(p.tolist(), q)`"
    return out, u


def changed_on_the_way(start: float):
    p = np.linspace(0.0, start, 6)
    out = []
    for _ in range(300):
        p = p * 0.99
        for c in p:
            p[5] = 2.0
            out.append(float(c))  # lacks: R104 "tolist"
    return out


# with: 1.5
def factors(start: float):
    p, u = np.linspace(0.0, start, 6), np.ones(9)
    for _ in range(300):
        p = p * 0.99
        for c in p:
            u *= float(c)  # says: R104 "leave the conversion out"
    return u


# with: 6
def divided_by_items(n: int):
    p, out = np.linspace(1.0, 2.0, n), []
    for _ in range(300):
        p = p * 0.99
        out = [(float(1.0 / c), s) for c, s in zip(p, "abcdef")]  # lacks: R104 "tolist"
    return out


def roots_of_items(p: np.ndarray):
    out = []
    for _ in range(300):
        p = p * 0.99
        out = [(float((c - 1.0) ** 0.5), s) for c, s in zip(p, "abcdef")]  # lacks: R104 "tolist"
    return out


def divided_elsewhere(n: int):
    p, out = np.linspace(1.0, 2.0, n), []
    for _ in range(300):
        p = p * 0.99
        for c, s in zip(p, "abcdef"):
            out.append(float(c))  # lacks: R104 "tolist"
            d = c - 1.0
            out.append(float(2.0 % d))
    return out


# with: 6
def halved_items(n: int):
    p, out = np.linspace(1.0, 2.0, n), []
    for _ in range(300):
        p = p * 0.99
        out = [(float((c - 1.0) / 2), s) for c, s in zip(p, "abcdef")]  # follow: R104 walks
    return out
