"""Advice that holds under conditions only: it is given where they are met, or says them."""
import numpy as np


def relax(n, tol, most):
    x, err = np.ones(n), np.ones(n)
    for it in range(most):
        x = 0.5 * (x + np.roll(x, 1))
        if np.abs(err).max() < tol:  # says: R105 "do no harm: `if it % 25 == 0 and np.abs(err).max() < tol:`"
            break
        err = x - 1.0
    return x


def relax_or_complain(n, tol, most):
    x = np.ones(n)
    for it in range(most):
        x = 0.5 * (x + np.roll(x, 1))
        if not x.max() > tol:  # says: R105 "test in the last pass as well"
            break
    else:
        print("not converged")
    return x


def until(n, tol):
    x = np.ones(n)
    while x.max() > tol:  # says: R105 "where a few passes more do no harm"
        x = 0.5 * (x + np.roll(x, 1))
    return x


def cure_inside(n, t_end, limit):
    x, t = np.ones(n), 0.0
    while t < t_end:
        x = x * 1.1
        if x.max() > limit:  # says: R105 "let the device choose: `x = np.where(x.max() > limit, new, old)`"
            x = x / x.max()
        t += 0.1
    return x


def conjugate_gradient(A, b, most, tol):
    A, b = np.eye(50) * A, np.ones(50) * b
    x = np.zeros(50)
    r = b - A @ x
    p = r
    rs = r @ r
    for it in range(most):
        Ap = A @ p
        alpha = rs / (p @ Ap)
        x = x + alpha * p
        r = r - alpha * Ap
        new = r @ r
        if np.sqrt(new) < tol:  # says: R105 "may divide by zero"
            break
        p = r + (new / rs) * p
        rs = new
    return x


def exact_end(n, most):
    x = np.ones(n)
    for it in range(most):
        x = np.roll(x, 1) * 0.5
        if x.sum() == 0:  # says: R105 "on every pass unless"
            break
    return x


def recorded_at_times(n, steps):
    u, seen = np.linspace(0.1, 2.0, n), []
    for it in range(steps):
        u = u * 0.5
        if it % 3 == 0:
            seen.append(float(u.max()))  # lacks: R104 "hist"
    return u, seen


def recorded_until(n, steps, tol):
    u, seen = np.linspace(0.1, 2.0, n), []
    for it in range(steps):
        u = u * 0.5
        seen.append(float(u.max()))  # lacks: R104 "hist"
        if it > tol:
            break
    return u, seen


def recorded_and_read(n, steps):
    u, seen = np.linspace(0.1, 2.0, n), []
    for it in range(steps):
        u = u * 0.5
        seen.append(float(u.max()))  # lacks: R104 "hist"
        u = u + len(seen)
    return u, seen


def used_at_once(n, steps):
    u = np.linspace(0.1, 2.0, n)
    for it in range(steps):
        top = float(u.max())  # says: R104 "leave the conversion out"
        u = u / top
    return u


def taken_out_of_a_function(u, w):
    for _ in range(100):
        u = scaled(u, w)
    return u


def scaled(u, w):
    half = 0.5 * w
    return u * np.exp(half)


def hot(n):
    return taken_out_of_a_function(np.ones(n), np.ones(n))


def draws_until_it_fits(n, least):
    rng = np.random.default_rng(1)
    A = rng.random((50, 50))
    while A.max() < least:  # says: R105 "test them together, and take the first that passes"
        A = rng.random((50, 50))
    return A


def lower_triangle(n: int):
    A = np.eye(n)
    for i in range(n):  # says: R101 "trips read what other trips write to `A`"
        for j in range(i):
            A[i, j] -= A[i, :j] @ A[:j, j]
    return A


def by_table(n: int):
    x, p = np.ones(n), np.zeros(n, dtype=np.int64)
    for i in range(n):  # says: R101 "trips read what other trips write to `x`"
        x[i] = x[p[i]] * 2.0
    return x


def counted(n: int):
    u, total = np.ones(n), 0.0
    for i in np.arange(n):  # says: R103 "count in Python: `range(n)`"
        total = total + u.sum() * i
    return total


def rows_of_all_passes(n: int, steps: int):
    row = np.ones(2000)
    rows = np.zeros((0, 2000))
    for it in range(steps):
        row = row * 0.5
        rows = np.vstack([rows, row])  # says: R203 "write row `it` on each pass"
    return rows


def rows_after_the_first(n: int, steps: int):
    row = np.ones(2000)
    rows = np.ones((1, 2000))
    for it in range(steps):
        row = row * 0.5
        rows = np.vstack([rows, row])  # says: R203 "write row `it + 1` on each pass"
    return rows


def rows_of_some_passes(n: int, steps: int):
    row = np.ones(2000)
    rows = np.zeros((0, 2000))
    for it in range(steps):
        row = row * 0.5
        if it % 3 == 0:
            rows = np.vstack([rows, row])  # says: R203 "collect the pieces in a list"
    return rows


def rows_that_are_read(n: int, steps: int):
    row = np.ones(2000)
    rows = np.zeros((0, 2000))
    for it in range(steps):
        row = row * 0.5
        rows = np.vstack([rows, row, row])  # says: R203 "where nothing in it needs all of them"
        row = row + rows.sum()
    return rows


# with: 9, 4
def checked(n: int, steps: int):
    u = np.ones(n)
    for step in range(steps):
        u = 0.5 * u
        if not np.isfinite(u).all():  # says: R105 "`if step % 100 == 0 and ...:`"
            raise FloatingPointError(step)
    return u


# with: 9, 4
def turned(n: int, steps: int):
    u = np.ones(n)
    for _ in range(steps):
        if u.max() > 0.5:  # lacks: R105 "can come later"
            u = -u
        else:
            u = 2 * u
    return u


def after_the_first(n, most):
    u = np.ones(n)
    for it in range(most):
        e = u.sum()
        u = 0.5 * (u + np.roll(u, 1))
        if it > 0 and abs(u[-1] - e) < 1e-8:  # says: R105 "`if it % 25 == 0 and it > 0 and abs(u[-1] - e) < 1e-8:`"
            break
    return u


def with_one_before(n, most, tol):
    u, prev = np.ones(n), None
    for it in range(most):
        u = 0.5 * (u + np.roll(u, 1))
        if prev is not None and np.abs(u - prev).max() < tol:  # says: R105 "25 == 0 and prev is not None and np.abs(u"
            break
        prev = u
    return u


def two_tests(n, most):
    x = np.ones(n)
    for it in range(most):
        x = 0.5 * (x + np.roll(x, 1))
        if x.max() < 1e-3 and x.min() > 0.0:  # says: R105 "`if it % 25 == 0 and x.max() < 1e-3 and x.min() > 0.0:`"
            break
    return x


def either_test(n, most, tol):
    x = np.ones(n)
    for it in range(most):
        x = 0.5 * (x + np.roll(x, 1))
        if x.max() < tol or it > n:  # says: R105 "`if it % 25 == 0 and (x.max() < tol or it > n):`"
            break
    return x


def turned_round(n, most, tol):
    x = np.ones(n)
    for it in range(most):
        x = 0.5 * (x + np.roll(x, 1))
        if not x.max() > tol:  # says: R105 "`if it % 25 == 0 and not x.max() > tol:`"
            break
    return x


def seldom_already(n, most, tol):
    x = np.ones(n)
    for it in range(most):
        x = 0.5 * (x + np.roll(x, 1))
        if it % 5 == 4 and x.max() < tol:  # lacks: R105 "25"
            break
    return x


def selected_before(n: int, most):
    w = np.ones(n)
    x = np.linspace(0.0, 1.0, n)
    for it in range(most):
        alive = x * it < 0.9
        dw = w[alive] * 0.1
        w[alive] -= dw  # says: R212 "compute `dw` of all elements (`w * 0.1`), then write `np.putmask(w, alive, w - dw)`"
    return w


def selected_and_kept(n: int, most):
    w = np.ones(n)
    x, seen = np.linspace(0.0, 1.0, n), 0.0
    for it in range(most):
        alive = x * it < 0.9
        dw = w[alive] * 0.1
        w[alive] -= dw  # says: R212 "what else reads `dw` selects from it"
        seen += dw.sum()
    return w, seen


def ends_in_else(n, most, tol):
    x = np.ones(n)
    for it in range(most):
        if x.max() > tol and it < 50:  # says: R105 "where a few passes more do no harm, count the passes and test"
            x = 0.5 * (x + np.roll(x, 1))
        else:
            break
    return x


def reported_at_end(n, most, tol):
    x = np.ones(n)
    for it in range(most):
        x = 0.5 * (x + np.roll(x, 1))
        if x.max() < tol:  # says: R105 "`if it % 25 == 0 and x.max() < tol:`"
            print("done")
            break
    return x


def told_now_and_then(n):
    u = np.ones(n)
    for epoch in range(50):
        u = 0.5 * (u + np.roll(u, 1))
        print(epoch, u.max())  # says: R117 "`if epoch % 10 == 0:`"
    return u


def told_of_few(n):
    u = np.ones(n)
    for epoch in range(20):
        u = 0.5 * (u + np.roll(u, 1))
        print(epoch, u.max())  # says: R117 "`if epoch % 10 == 0:`"
    return u


def told_of_many(n):
    u = np.ones(n)
    for epoch in range(500):
        u = 0.5 * (u + np.roll(u, 1))
        print(epoch, u.max())  # says: R117 "`if epoch % 100 == 0:`"
    return u


def counted_by_mask(n: int, steps: int):
    c, total = np.arange(n) % 7, np.zeros(10)
    for k in range(steps):
        m = c > k
        total += np.bincount(c[m], minlength=10)  # says: R114 "`np.bincount(c, weights=m.astype(np.float64), minlength=10)`"
    return total


def weighed_by_mask(n: int, steps: int):
    c, w, total = np.arange(n) % 7, np.ones(n), np.zeros(10)
    for k in range(steps):
        m = c > k
        total += np.bincount(c[m], weights=w[m], minlength=10)  # says: R114 "with weights that are 0 where the mask does not"
    return total


def few_passes(n, tol):
    x = np.ones(n)
    for it in range(50):
        x = 0.5 * (x + np.roll(x, 1))
        if x.max() < tol:  # says: R105 "where up to 9 passes more do no harm: `if it % 10 == 0 and x.max() < tol:`"
            break
    return x


def long_test(n, most, tol):
    x = np.ones(n)
    for it in range(most):
        x = 0.5 * (x + np.roll(x, 1))
        if x.max() < tol * 0.25 and x.min() > tol * -0.25 and x.max() - x.min() < tol:  # says: R105 "with the test as it is"
            break
    return x


# with: np.linspace(-1.0, 3.0, 9), 6
# with: np.linspace(-1.0, 1.5, 9), 3
def bins_by_mean(x: np.ndarray, steps: int):
    found = []
    for _ in range(steps):
        x = 0.5 * x
        c = x.mean()  # follow: R105 statement
        if abs(abs(c) - 0.5) <= 1e-8:
            c = np.sign(c) * 0.49
        if abs(c) < 0.1:
            c = 0.0
        found.append(int(round(40 / np.sqrt(1 - c * c))))
    return found


# with: np.linspace(-1.0, 2.0, 9), 1e-3
def needed_on_each_pass(x: np.ndarray, tol: float):
    best = 100.0
    for it in range(100):
        x = 0.5 * x
        err = np.abs(x).max()  # follow: R105 statement
        if err < 0.5:
            best = err
        if err < tol:
            break
    return x, float(best), it


# with: np.linspace(-1.0, 2.0, 9), 1e-3
def raises_at_limit(x: np.ndarray, tol: float):
    for it in range(100):
        x = 0.5 * x
        if np.abs(x).max() < tol:  # says: R105 "test in the last pass as well"
            break
        if it == 99:
            raise ValueError("too many")
    return x


# with: np.linspace(-1.0, 2.0, 9), 1e-3
def raises_behind(x: np.ndarray, tol: float):
    for it in range(100):
        x = 0.5 * x
        if np.abs(x).max() < tol:  # says: R105 "test in the last pass as well"
            return x
    raise ValueError("too many")


# with: np.linspace(-1.0, 2.0, 9), 1e-3
def raises_for_bad_values(x: np.ndarray, tol: float):
    for it in range(100):
        x = 0.5 * x
        if np.abs(x).max() < tol:  # lacks: R105 "last pass"
            break
        if tol < 0:
            raise ValueError("negative")
    return x


# with: np.linspace(1.0, 2.0, 99), 120.0, 90
def searches(x: np.ndarray, least: float, most):
    k = most
    while k > 1:
        if np.dot(x[:-k], x[k:]) >= least:  # says: R105 "where the loop ends is what it looks for"
            break
        k //= 3
    return k


# with: np.linspace(1.0, 2.0, 99), 120.0, 90
def goes_on(x: np.ndarray, least: float, most: int):
    k = most
    while k > 1:
        x = x * 1.01
        if np.dot(x, x) >= least:  # lacks: R105 "looks for"
            break
        k -= 3
    return k


# with: np.linspace(1.0, 2.0, 9), 4.0
def rejects(x: np.ndarray, most: float):
    rng = np.random.default_rng(7)
    sample = np.zeros_like(x)
    for _ in range(1000):
        sample[:] = rng.normal(size=x.size)
        if np.dot(sample, x) < most:  # says: R105 "take the first that passes"
            return sample
    raise ValueError("none")


# with: np.linspace(1.0, 2.0, 9), 4.0
def wanders(x: np.ndarray, most: float):
    rng = np.random.default_rng(7)
    for _ in range(1000):
        x = x + rng.normal(size=x.size)
        if np.dot(x, x) > most:  # lacks: R105 "take the first that passes"
            return x
    raise ValueError("none")


def grown_in_place(n: int, steps: int):
    u = np.ones(n)
    for _ in range(steps):
        if u.max() < 2.0:  # says: R105 "`u[...] = np.where(u.max() < 2.0, ..., ...)` with the values of the two ways"
            u += 1.0
        u *= 0.75
    return u


def set_in_place(n: int, steps: int):
    u = np.ones(n)
    for _ in range(steps):
        u = u * 0.5
        if u.max() < 2.0:  # says: R105 "`u[0, :3] = np.where(u.max() < 2.0, ..., ...)`"
            u[0, :3] = 3.0
    return u


def left_or_scaled(n: int, steps: int):
    u, total = np.ones(n), np.zeros(n)
    for k in range(steps):
        total = total + u * k
        if u.max() < 2.0:  # lacks: R105 "np.where"
            u = u * 0.5
        else:
            break
    return total


# with: 6, 0.3, 0.2
# with: 6, 30.0, 0.01
def asked_often(n: int, a: float, b: float):
    u = np.linspace(0.5, 2.0, n)
    v = u * 0.5
    for _ in range(30):
        dt = 0.4 / np.max(np.abs(u))
        if dt < a:  # follow: R105 fetch
            u = u * 1.01
        if dt > b:
            v = v * 0.5
        if 2.0 * dt > b:
            v = v * 0.75
        u = u + v * dt
    return u


# with: 6, 0.3, 0.2
def clamped_often(n: int, a: float, b: float):
    u = np.linspace(0.5, 2.0, n)
    v = u * 0.5
    for _ in range(30):
        dt = 0.4 / np.max(np.abs(u))
        step = min(dt, a)  # follow: R105 fetch
        step = max(step, b)
        if 2.0 * dt > b:
            v = v * 0.75
        u = u + v * step
    return u


def asked_twice(n: int, a: float, b: float):
    u = np.linspace(0.5, 2.0, n)
    v = u * 0.5
    for _ in range(30):
        dt = 0.4 / np.max(np.abs(u))
        if dt < a:  # says: R105 "`u = np.where(dt < a, new, old)`"
            u = u * 1.01
        if dt > b:
            v = v * 0.5
        u = u + v * dt
    return u


# with: 7
def asked_of_kept_axes(n: int):
    x = np.linspace(0.0, 1.0, n)
    for _ in range(300):
        c = np.max(x, keepdims=True)  # follow: R105 statement
        if c > 0.5:
            x = x * 0.5
        if c > 0.25:
            x = x * 0.75
        if c < 0.1:
            x = x + 1.0
    return x


def asked_of_a_draw(n: int, rng: np.random.Generator):
    x = np.linspace(0.0, 1.0, n)
    for _ in range(300):
        c = np.searchsorted(x, rng.random())
        if c > 3:  # says: R105 "`c = np.searchsorted(x, rng.random()).item()`"
            x = x * 0.5
        if c > 2:
            x = x * 0.75
        if c < 1:
            x = x + 1.0
    return x


def one_arm_of_three(x: np.ndarray, mode: int):
    for _ in range(300):
        c = 0.4 / np.max(x)
        if mode == 1:
            if c > 1:  # lacks: R105 "more than once"
                x = x * 0.5
        elif mode == 2:
            if c > 2:
                x = x * 0.25
        else:
            if c > 3:
                x = x * 0.125
        x = x + c
    return x


def arms_of_separate_tests(x: np.ndarray, mode: int):
    for _ in range(300):
        c = 0.4 / np.max(x)
        if mode == 1:
            x = x + min(c, 1.0)  # says: R105 "np.minimum(c, 1.0)"
        if mode == 2:
            x = x + min(c, 2.0)
        if mode == 3:
            x = x + max(c, 3.0)
    return x


def else_of_two_parts(x: np.ndarray, mode: int, more: bool):
    for _ in range(300):
        c = 0.4 / np.max(x)
        if mode == 1 and more:
            x = x + min(c, 1.0)  # lacks: R105 "more than once"
        else:
            x = x + min(c, 2.0) + x[0]
            x = x + max(c, 3.0)
    return x


def all_in_one_arm(x: np.ndarray, mode: int):
    for _ in range(300):
        c = 0.4 / np.max(x)
        if mode == 1:
            if c > 1:  # says: R105 "fetch it once, `c = (0.4 / np.max(x)).item()`"
                x = x * 0.5
            if c > 2:
                x = x * 0.25
            if c > 3:
                x = x * 0.125
        x = x + c
    return x


def on_passes_of_their_own(x: np.ndarray):
    for it in range(300):
        c = 0.4 / np.max(x)
        if it % 4 == 0 and c > 1:  # lacks: R105 "more than once"
            x = x * 0.5
        if it % 4 == 1 and c > 2:
            x = x * 0.25
        if it % 4 == 2 and c > 3:
            x = x * 0.125
    return x


def behind_one_cadence(x: np.ndarray):
    for it in range(300):
        if it % 4 == 0:
            c = 0.4 / np.max(x)
            if c > 1:  # says: R105 "fetch it once, `c = (0.4 / np.max(x)).item()`"
                x = x * 0.5
            if c > 2:
                x = x * 0.25
            if c > 3:
                x = x * 0.125
        x = x + 1.0
    return x


def told_in_one_way(x: np.ndarray, y: np.ndarray):
    for _ in range(300):
        c = np.max(x)
        d = np.max(y)
        if c > d:  # lacks: R105 "np.where"
            x = x * 0.5
        if c > 1:
            x = x * 0.25
        if d > 0:
            x = x * 0.125
    return x
