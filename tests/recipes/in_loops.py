"""Statements and expressions in hot loops."""
import math

import numpy as np


# with: 9, 4
def hoisted(n: int, steps: int):
    u, depth = np.ones(n), np.linspace(0.1, 1.0, n)
    for _ in range(steps):
        damping = depth * 0.5
        u = u * np.exp(-damping)  # follow: R213 hoist
    return u


# with: 9, 4
def hoisted_whole(n: int, steps: int):
    u, depth = np.ones(n), np.linspace(0.1, 1.0, n)
    for _ in range(steps):
        u = u * np.exp(-depth)  # follow: R213 hoist
    return u


# with: 9, 4
def masked_number(n: int, steps: int):
    u = np.linspace(0.1, 2.0, n)
    a, b = 0.25, 0.125
    for _ in range(steps):
        wet = u > 0.5
        u[wet] -= a - b  # follow: R212 statement
    return u


# with: 9, 4
def masked_integer(n: int, steps: int):
    u = np.arange(n)
    for _ in range(steps):
        wet = u > 3
        u[wet] *= 2  # follow: R212 statement
    return u


# with: 9, 4
def masked_bytes(n: int, steps: int):
    u = np.arange(n, dtype=np.uint8)
    for _ in range(steps):
        wet = u > 3
        u[wet] += 2  # follow: R212 statement
    return u


# with: 9, 4
def masked_remainder(n: int, steps: int):
    u = np.linspace(0.1, 9.0, n)
    for _ in range(steps):
        wet = u > 0.5
        u[wet] %= 1.0 + steps  # follow: R212 statement
    return u


# with: 9, 4
def masked_arrays(n: int, steps: int):
    u, v = np.linspace(0.1, 2.0, n), np.linspace(2.0, 3.0, n)
    for _ in range(steps):
        wet = u > 0.5
        u[wet] *= v[wet] - u[wet]  # follow: R212 statement
    return u


# with: 9, 4
def scaled(n: int, steps: int):
    u = np.linspace(0.1, 2.0, n)
    dt, dx = 0.1, 0.3
    for _ in range(steps):
        u = u - (u + 1.0) * (dt + dx) / dx / (dx - dt)  # follow: R209 expression
    return u


# with: 9, 4
def rebound(n: int, steps: int):
    u, v = np.linspace(0.1, 2.0, n), np.ones(n)
    for _ in range(steps):
        u = u - v  # follow: R202 statement
    return u


# with: 9, 4
def kept_on_the_device(n: int, steps: int):
    u = np.linspace(0.1, 2.0, n)
    seen = []
    for it in range(steps):
        u = u * 0.5
        seen.append(float(u.max()))  # follow: R104 history
    return u, seen


# with: 9, 4
def smaller(n: int, steps: int):
    u = np.linspace(0.1, 2.0, n)
    for _ in range(steps):
        u = u * min(u.max(), 1.0)  # follow: R105 expression
    return u


# with: 9, 4
def selected(n: int, steps: int):
    u, total = np.linspace(0.1, 2.0, n), 0.0
    for _ in range(steps):
        u = u * 0.9
        total = total + u[u > 0.5].sum()  # follow: R114 call
    return total


# with: 9, 4
def positions(n: int, steps: int):
    u = np.linspace(0.1, 2.0, n)
    for _ in range(steps):
        dry = u < 0.5
        i = np.nonzero(dry)
        u[i] = 0.75  # follow: R204 statement
    return u


# with: 9, 4
def positions_of_numbers(n: int, steps: int):
    u, k = np.linspace(0.1, 2.0, n), np.arange(n) % 3
    for _ in range(steps):
        i = np.nonzero(k)
        u[i] = 0.75  # follow: R204 statement
    return u


# with: 9, 4
def numbers_alone(n: int, steps: int):
    u, x = np.ones(n), 2.0
    for it in range(steps):
        x = 3.0 * np.square(it + 1.0) ** 0.5  # follow: R216 expression
        u = u + x
    return u


# with: 9, 4
def powers_of_numbers(n: int, steps: int):
    u = np.ones(n)
    for it in range(steps):
        u = u * (1.0 - np.power(it + 1.0, -1.0) ** 2)  # follow: R216 expression
    return u


# with: 5, 3
def positions_on_two_axes(n: int, steps: int):
    u, v = np.linspace(-1.0, 1.0, n * n).reshape(n, n), np.ones((n, n))
    for _ in range(steps):
        u = u * 0.5
        wet = np.nonzero(u > 0.0)
        picked = v[wet]  # says: R116 "keep the mask `u > 0.0` and select with it"
        v = v * 1.5
        v[wet[0], 1 + wet[1] // 2] += picked.sum()
    return v


# with: 5, 3
def positions_in_a_tuple(n: int, steps: int):
    rows, columns = np.arange(n - 1), np.arange(n - 1) + 1
    v = np.ones((n, n))
    for _ in range(steps):
        v = v + v[np.ix_(rows, columns)].sum()  # lacks: R116 "np.take"
    return v


# with: 9, 4
def gathered_rows(n: int, steps: int):
    v, rows = np.ones((n, 2)), np.arange(n) // 2
    for _ in range(steps):
        v = v * 0.5 + v[rows]  # follow: R116 expression
    return v


# with: 7, 3
def positions_one_by_one(n: int, states: int):
    seen = np.arange(n) % states
    a, b = np.ones((states, states)), np.ones((states, n))
    d = np.zeros((n, states))
    d[0] = 1.0
    for t in range(1, n):  # says: R101 "`seen.tolist()`"
        d[t] = (d[t - 1][:, None] + a).max(axis=0) + b[:, seen[t]]
    return d


def as_text(n: int):
    level, table = np.linspace(0.0, 1.0, n), np.ones((n, 3))
    for i in range(n):  # says: R101 "only makes text of these numbers: fetch all of `level` at once before the loop, `level.tolist()`"
        print(f"{i:4d} {level[i]:8.3f}", round(100 * float(level[i]), 1))
    for i in range(n):  # says: R101 "`onp.asarray(table)` with host NumPy as `onp`"
        print("%d: %g" % (i, table[i, 0] + table[i, 1]))


def as_text_and_more(n: int):
    level, total = np.linspace(0.0, 1.0, n), 0.0
    for i in range(n):  # says: R101 "work on `level` as a whole"
        print(level[i])
        total = total + level[i]
    return total


def iterated_mixture(n: int, steps: int):
    x, covs = np.ones((n, 8)), np.ones((5, 8, 8)) + np.eye(8)
    for _ in range(steps):
        for j in range(5):
            lower = np.linalg.cholesky(covs[j])  # says: R116 "`np.linalg.cholesky(covs)`, before `for j in range(5)`"
            x = x + 0.1 * (x @ lower)
            covs[j] = x.T @ x
    return x


def iterated_matrix(n: int, steps: int):
    w = np.eye(n)
    for _ in range(steps):
        s, u = np.linalg.eigh(w @ w.T)  # says: R116 "where each pass needs the one before, run several problems side by"
        w = u * np.sqrt(s)
    return w


def chained_systems(n: int, steps: int):
    a = np.ones((n, 8, 8))
    for _ in range(steps):
        for j in range(1, n):
            a[j] = np.linalg.cholesky(a[j - 1])  # lacks: R116 "whole stack"
    return a


def thresholded(n: int, steps: int):
    a = np.ones((3 * n, n))
    for _ in range(steps):
        u, s, vt = np.linalg.svd(a, full_matrices=False)  # says: R116 "`np.linalg.svd` takes no stacks"
        a = (u * np.maximum(s - 1.0, 0.0)) @ vt
    return a


def small_triangles(steps: int):
    a, total = np.ones((64, 16)), 0.0
    for k in range(steps):
        q, r = np.linalg.qr(a * (k + 1.0))  # says: R116 "`np.linalg.qr` takes no stacks"
        total = total + r
    return total


def scattered_sum(n: int, steps: int):
    w, v = np.ones(n), np.ones(n)
    src = np.arange(n) // 2
    for _ in range(steps):
        w[src] += 0.5 * v  # says: R116 "write through it; duplicates in `src` are undefined"
    return w


def scattered_sum_again(n: int, steps: int):
    w, v = np.ones(n), np.ones(n)
    src = np.arange(n) // 2
    for _ in range(steps):
        w[src] += 0.5 * v  # lacks: R116 "np.take"
    return w


def raised_where_largest(n: int, steps: int):
    w = np.ones(n)
    for _ in range(steps):
        k = np.argmin(w)
        w[k] += 1.0  # says: R116 "find such positions on the host, all of them before the loop"
    return w


def gathered(n: int, steps: int):
    w, src = np.ones(n), np.arange(n) // 2
    for _ in range(steps):
        w = 0.5 * (w + w[src])  # says: R116 "`np.take(w, src, axis=0, mode='clip')`"
    return w


def one_position(n: int):
    h = np.ones((n, 3))
    k = h[:, 2].argmax()
    return h[k, 2]  # says: R116 "find such positions on the host, or work on many at once with index arrays"


def drawn_normal(n: int, steps: int):
    rng, u = np.random.default_rng(1), np.zeros(1_000_000)
    for _ in range(steps):
        u += rng.normal(0.0, 1.0, 1_000_000)  # lacks: R201 "out="
    return u


def drawn_uniform(n: int, steps: int):
    rng, u = np.random.default_rng(1), np.zeros(1_000_000)
    for _ in range(steps):
        u += rng.random(1_000_000)  # says: R201 "draw for all passes at once before the loop and use one row per pass; or keep"
    return u


def drawn_until(t_end: float):
    rng, u, t = np.random.default_rng(1), np.zeros(1_000_000), 0.0
    while t < t_end:
        u += rng.normal(0.0, 1.0, 1_000_000)  # says: R201 "draw for many passes at once, use one row per pass"
        t += 0.1
    return u


def faded(new: np.ndarray):
    xs = np.zeros(2000)
    for k in range(300):
        xs *= 0.9
        xs = np.append(xs, new + k)  # says: R203 "make the array in its final length before the loop and work on the part"
    return xs


def best_of_many(x: np.ndarray, picked: np.ndarray):
    best, at = -1.0, 0
    for f in picked:  # says: R103 "work on all of `picked` at once"
        gain = np.cumsum(x * f)
        gain[0] = 0.0
        if gain[3] > best:
            best, at = gain[3], f
    return best, at


def changed_first(covs: np.ndarray, steps):
    total = np.zeros((4, 4))
    for k in range(steps):
        for j in range(100):
            covs[j] = covs[j] * 0.5 + np.eye(4)
            total += np.linalg.cholesky(covs[j])  # lacks: R116 "whole stack"
    return total


def two_uses_of_selections(n: int, steps: int):
    q, heat = np.linspace(0.0, 1.0, n), np.zeros(steps)
    for it in range(steps):
        q *= 0.99
        heat[it] = q[q > 0.5].sum() + q[q > 0.9].max()  # says: R114 "for `q[q > 0.9]` write `np.max(q, where=q > 0.9"
    return heat


def one_use_of_two_selections(n: int, steps: int):
    q, heat = np.linspace(0.0, 1.0, n), np.zeros(steps)
    for it in range(steps):
        q *= 0.99
        heat[it] = q[q > 0.5].sum() + q[q < 0.1].sum()  # says: R114 "likewise with the other masks"
    return heat


def direction(n: int, steps: int):
    x, y = np.linspace(0.0, 1.0, n), np.zeros(n)
    for k in range(steps):
        x *= 0.5
        if x[0] > 0.5:  # lacks: R105 "np.where"
            order = range(n)
        else:
            order = range(n - 1, -1, -1)
        y += len(order)
    return y


def left_by_a_test(n: int, steps: int):
    x = np.linspace(0.0, 1.0, n)
    for k in range(steps):
        x *= 0.5
        if x.sum() > 0.5:  # lacks: R105 "np.where"
            return x
    return None


def one_of_two_arrays(n: int, steps: int):
    x, y = np.linspace(0.0, 1.0, n), np.zeros(n)
    for k in range(steps):
        x *= 0.5
        if x.sum() > 0.5:  # says: R105 "np.where"
            y = x + 1.0
        else:
            y = x - 1.0
    return y


def one_of_two_numbers(n: int, steps: int):
    x, dt = np.linspace(0.0, 1.0, n), 0.1
    for k in range(steps):
        x *= dt
        if x.sum() > 0.5:  # says: R105 "np.where"
            dt = dt * 0.5
    return x


def one_of_two_texts(n: int, steps: int):
    x, names = np.linspace(0.0, 1.0, n), ""
    for k in range(steps):
        x *= 0.5
        names += "a" if x.sum() > 3.0 else "b"  # lacks: R105 "np.where"
    return names


def cut_by_number(n: int, steps: int):
    x = np.linspace(0.0, 1.0, n)
    for k in range(steps):
        x *= 0.5
        end = int(np.sum(x > 0.5))  # says: R104 "work on the whole axis, with a mask"
        x[:end] *= 2.0
    return x


def cut_by_table(a: np.ndarray, n: int, steps: int):
    ends = np.arange(3)
    for k in range(steps):
        a *= 2.0
        for i in range(3):
            a[: int(ends[i])] = 1.0  # says: R104 "`ends = ends.tolist()`, and slice by `ends[i]`"
    return a


def cut_by_one_entry(a: np.ndarray, steps: int):
    ends = np.arange(3)
    for k in range(steps):
        a *= 2.0
        a[: int(ends[0])] = 1.0  # says: R104 "convert it once before the loop"
    return a


def names_of(n: int):
    x, names = np.ones((n, n)), ["a"] * n
    found = []
    for i, j in np.argwhere(x > 0.5):  # says: R103 "`np.argwhere(x > 0.5).tolist()`"
        found.append(names[i] + names[j])
    return found


def names_in_order(n, names):
    x = np.ones(n)
    total = 0
    for i in np.argsort(x):  # says: R103 "`np.argsort(x).tolist()`"
        total = total * 2 + len(names[i])
    return total


def rows_of(n: int):
    x = np.ones((n, n))
    return [row.max() for row in x]  # lacks: R103 ".tolist()"


# with: np.linspace(0.0, 1.0, 50), 5
def sampled(x: np.ndarray, passes: int):
    rng = np.random.default_rng(5)
    total = np.zeros(3)
    for _ in range(passes):
        total = 0.5 * total + rng.gamma(4.0, np.sum(x * x) / (1.0 + total[0]), 3)  # follow: R115 expression
    return total


# with: np.linspace(0.0, 1.0, 50), 5
def shifted(x: np.ndarray, passes: int):
    rng = np.random.default_rng(5)
    total = np.zeros(3)
    for _ in range(passes):
        total = 0.5 * total + rng.normal(total[0], np.max(x) + total[1] ** 2, size=3)  # follow: R115 expression
    return total


def sampled_one(x: np.ndarray, passes: int):
    rng = np.random.default_rng(5)
    for _ in range(passes):
        x = x * rng.gamma(4.0, 1.0 / np.sum(x))  # says: R115 "apply it to what is drawn: `((1.0 / np.sum(x)) * rng.gamma(4.0, 1.0, size=1)[0])`"
    return x


def sampled_shape(x: np.ndarray, passes: int):
    rng = np.random.default_rng(5)
    for _ in range(passes):
        x = x * rng.gamma(np.sum(x), 2.0, 1)  # says: R115 "another one on each pass and is needed on the host, so this wait stays"
    return x


def sampled_the_same(x: np.ndarray, u: np.ndarray, passes: int):
    rng = np.random.default_rng(5)
    rate = np.sum(u)
    for _ in range(passes):
        x = x * rng.gamma(4.0, rate, 1)  # says: R115 "fetch the parameter once before the loop"
    return x


# with: np.ones((60, 40)), np.linspace(0.0, 1.0, 2400).reshape(60, 40), 5
def attenuated(t: np.ndarray, dp: np.ndarray, hours: int):
    for _ in range(hours):
        depth = 0.15 * np.cumsum(dp, axis=0)  # says: R115 "compute `np.cumsum(dp, axis=0)` once before the loop"
        t = t + np.exp(-depth)  # follow: R213 hoist
    return t


def scanned(t: np.ndarray, hours: int):
    for _ in range(hours):
        t = t + np.cumsum(t, axis=0)  # says: R115 "scan once after the loop"
    return t


def attenuated_in_words(t: np.ndarray, dp: np.ndarray, hours: int):
    for _ in range(hours):
        depth = 0.15 * dp
        t = t + np.exp(-depth)  # says: R213 "once before the loop, together with the statement that makes `depth`"
    return t
# with: 9, 4
def logarithms_at_positions(n: int, steps: int):
    u, r = np.zeros(n), np.linspace(-1.0, 2.0, n)
    for _ in range(steps):
        i = np.where(r > 0)
        u[i] = np.log(r[i]) * 2.0  # follow: R204 statement
        r = r - 0.125
    return u


# with: 9, 4
def quotients_at_positions(n: int, steps: int):
    u, r = np.linspace(1.0, 2.0, n), np.linspace(-1.0, 2.0, n)
    for _ in range(steps):
        i = np.where(r > 0)
        u[i] /= r[i] + 1.0  # follow: R204 statement
    return u


def computed_at_positions(n: int, steps: int):
    u, r = np.linspace(1.0, 2.0, n), np.linspace(-1.0, 2.0, n)
    for _ in range(steps):
        i = np.where(r > 0)  # lacks: R204 "np.sum"
        v = u[i] * 2.0
    return v


def summed_at_positions(n: int, steps: int):
    u, r = np.linspace(1.0, 2.0, n), np.linspace(-1.0, 2.0, n)
    total = 0.0
    for _ in range(steps):
        i = np.where(r > 0)  # says: R204 "`np.sum(u, where=r > 0)` for what is reduced"
        total = total + u[i].sum()
    return total


# with: 9, 4
def counted_at_positions(n: int, steps: int):
    u, r = np.linspace(1.0, 2.0, n), np.linspace(-1.0, 2.0, n)
    for _ in range(steps):
        i = np.where(r > 0)
        u[i] += 1  # follow: R204 statement
    return u


def trimmed(n: int, steps: int):
    u = np.linspace(0.0, 1.0, n)
    total = np.zeros(1)
    for _ in range(steps):
        u = np.sqrt(u)
        w, keep = u * 2.0, u > 0.5
        if np.any(keep):  # says: R105 "arrays of different lengths"
            w = w[keep]
        total = total + w.sum()
    return total


def halved(n: int, steps: int):
    u = np.linspace(0.0, 1.0, n)
    total = np.zeros(1)
    for _ in range(steps):
        u = np.sqrt(u)
        w, keep = u * 2.0, u > 0.5
        if np.any(keep):  # says: R105 "np.where(np.any(keep), new, old)"
            w = w * 0.5
        total = total + w.sum()
    return total


def scaled_where_positive(n: int, steps: int):
    u, w = np.linspace(0.0, 1.0, n), np.linspace(0.0, 1.0, n)[np.linspace(0.0, 1.0, n) > 0.5]
    for _ in range(steps):
        if u.sum() > 0:  # lacks: R105 "different lengths"
            w = w * 0.5
        u = u * 0.5
    return w


def filtered_in_python(order: list, n: int, steps: int):
    u = np.linspace(0.0, 1.0, n)
    kept = []
    for _ in range(steps):
        kept.extend([i for i in order if u[i] > 0.5])  # says: R105 "a filter has no two values"
        u = u * 0.5
    return kept


# with: 9, 3, {"drag": 0.25}
def settings(n: int, steps: int, cfg):
    u = np.linspace(0.0, 1.0, n)
    for _ in range(steps):
        u[u > 0.5] *= 1.0 - cfg["drag"]  # follow: R212 statement
    return u


# with: 9, 3, {"lift": 0.25}
def a_setting_alone(n: int, steps: int, cfg):
    u = np.linspace(0.0, 1.0, n)
    for _ in range(steps):
        u[u > 0.5] -= cfg["lift"]  # follow: R212 statement
    return u


def settings_are_numbers(n: int, steps: int, cfg):
    u = np.linspace(0.0, 1.0, n)
    for _ in range(steps):
        u[u > 0.5] -= cfg["lift"]  # says: R212 "`, where `cfg["lift"]` is a number"
    return u


# with: 9, 3
# with: 1, 2
def walls(n: int, steps: int):
    v = np.linspace(0.0, 1.0, 3 * n).reshape(n, 3)
    for _ in range(steps):
        v *= 0.9
        hit = v[:, 0] > 0.3
        v[hit] = np.arange(3.0)  # follow: R114 statement
    return v


# with: 9, 3
def layers(n: int, steps: int):
    v = np.linspace(0.0, 1.0, 8 * n).reshape(n, 2, 4)
    for _ in range(steps):
        v *= 0.9
        v[v[:, 0, 0] > 0.3] = np.arange(4.0) if steps > 2 else np.ones(4)  # follow: R114 statement
        v[v[:, :, 0] > 0.5] = np.zeros(4)  # follow: R114 statement
    return v


def groups(n: int, steps: int):
    x, which = np.linspace(0.0, 1.0, n), np.arange(n) % 3
    out = []
    for b in range(steps):
        out.append(np.median(x[which == b]))  # says: R114 "`np.median` takes no `where=`, so it needs the selection"
    return out


def counted(ixs, n: int):
    u = np.ones(n)
    for i, _ in enumerate(np.zeros(n)):  # says: R103 "walk `range(len(np.zeros(n)))` in place of `np.zeros(n)`"
        u = 0.9 * u + i
    return u


def told_on_the_way(n: int, steps: int):
    u = np.ones(n)
    for k in range(steps):
        u *= 0.5
        print(f"{u.sum()} {u.max()}")  # says: R117 "write it every k passes only"
    return u


def texts_of_passes(n: int, steps: int):
    u, lines = np.ones(n), []
    for _ in range(steps):
        u *= 0.5
        lines.append("%g" % u.sum())  # says: R117 "keep `u.sum()` of all passes in an array on the device"
    return lines


def texts_of_items(n: int):
    pairs = np.vstack((np.arange(n), np.arange(n)[::1]))
    lines = []
    for i in range(pairs.shape[1]):
        pair = pairs[:, i]
        lines.append("CNOT {} {}".format(pair[0], pair[1]))  # says: R117 "`onp.asarray(pairs)` of host NumPy, and make the text of that"
    return lines


def written_to_a_file(n: int, steps: int, path):
    u = np.ones(n)
    with open(path, "w") as file:
        for k in range(steps):
            u *= 0.5
            file.write(f"{u.sum()}\n")  # lacks: R117 "every k passes"
    return u


# with: 5, 4
def roots_of_means(n: int, steps: int):
    u = np.linspace(0.5, 1.0, n)
    seen = []
    for step in range(steps):
        u *= 0.9
        seen.append(math.sqrt(u.mean()))  # follow: R104 history
    return seen, u


# with: 5, 4
def roots_of_means_says(n: int, steps: int):
    u = np.linspace(0.5, 1.0, n)
    seen = []
    for step in range(steps):
        u *= 0.9
        seen.append(math.sqrt(u.mean()))  # says: R104 "`hist[step] = np.sqrt(u.mean())` in it"
    return seen, u


# with: 5, 4
def whole_numbers(n: int, steps: int):
    u = np.linspace(0.5, 9.0, n)
    seen = []
    for step in range(steps):
        u *= 0.9
        seen.append(math.floor(u.sum()))  # lacks: R104 "hist"
    return seen, u


# with: 5, 4
def scaled_and_seen(n: int, steps: int):
    u = np.linspace(0.5, 9.0, n)
    seen = []
    for step in range(steps):
        s = math.sqrt(u.mean())  # says: R104 "write `np.sqrt(u.mean())`"
        u /= s
        seen.append(s)
    return seen, u


def the_same_number_twice(n: int, steps: int):
    u = np.linspace(0.5, 9.0, n)
    seen = []
    for step in range(steps):
        u *= 0.9
        seen.append((int(u.sum()), int(u.sum()) + step))  # lacks: R104 "np.stack"
    return seen
