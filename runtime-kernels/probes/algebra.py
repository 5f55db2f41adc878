"""Matrix products, factorisations and spectra on one processor."""

import cupynumeric as np
import measure


SMALL = 8  # an order at which a call is all launch and wait


def timed(machine, cases, seconds, base_of):
    """{key: step} -> {key: Value} of seconds per call beyond those of the smallest matrix, which are the launch's and the
    wait's; `base_of(key)` is its key."""
    _, finished = measure.measure({key: (step, 3) for key, step in cases.items()}, seconds, least=4)
    values = {key: measure.difference(samples, finished[base_of(key)])
              for key, samples in finished.items() if key != base_of(key)}
    return {key: value for key, value in values.items() if value.low > 0.1 * value.value > 0}  # the rest is noise


def count_of(values):
    return sum(value.samples for value in values.values())


def largest_two(values, orders):
    """The rate at the largest order; the interval spans that at the one before."""
    before, last = (values[n].rate(2 * n**3) for n in orders[-2:])
    last.low, last.high = min(before.low, last.low), max(before.high, last.high)
    return last


def products(machine):
    record = measure.Record("products")
    orders = (256, 384, 512, 768, 1024) if not machine.gpu else (1024, 2048, 4096, 8192)
    for dtype, parameter in (("float64", "product_rate_f64"), ("float32", "product_rate_f32")):
        cases = {}
        for n in (SMALL, *orders):
            a, b = np.random.rand(n, n).astype(dtype), np.random.rand(n, n).astype(dtype)
            c = np.zeros((n, n), dtype=dtype)
            cases[n] = lambda i, a=a, b=b, c=c: np.matmul(a, b, out=c)
        values = timed(machine, cases, machine.seconds(4), lambda n: SMALL)
        if len(values) < 3:
            record.problem("products: noise hides what small matrices take, %s" % dtype)
            continue
        record.curve("matrix product, %s, under Legate" % dtype, "order", "flop/s",
                     [[n, 2 * n**3 / values[n].value] for n in values])
        # t = 2 n^3 / rate (1 + half / n)
        points = [(2.0 * n * n, 2.0 * n**3, values[n].value) for n in values]
        p, q, error_p, error_q = measure.line(points)
        how = "square products of order %d to %d, one processor under Legate" % (orders[0], orders[-1])
        if error_p >= p:
            # The two terms cannot be told apart: then what large products reach, not where a line would end.
            record.number(parameter, largest_two(values, sorted(values)), how)
            continue
        record.number(parameter, measure.inverse(q, error_q, count_of(values)), how)
        if dtype == "float64":
            half = measure.around(p / q, error_p / q, count_of(values))
            record.number("product_half_size", half, how)
    return record


def factorisations(machine):
    record = measure.Record("factorisations")
    orders = (64, 128, 256, 512, 1024) if not machine.gpu else (512, 1024, 2048, 4096, 8192)
    cases = {}
    for n in (SMALL, *orders):
        a = np.random.rand(n, n)
        a = a @ a.T + n * np.eye(n)
        b = np.random.rand(n, 1)
        cases["cholesky", n] = lambda i, a=a: np.linalg.cholesky(a)
        cases["solve", n] = lambda i, a=a, b=b: np.linalg.solve(a, b)
    values = timed(machine, cases, machine.seconds(6), lambda key: (key[0], SMALL))
    points = []
    for (name, n), value in values.items():
        points.append((float(n), n**3 / 3, value.value) if name == "cholesky" else (1.5 * n, 2 * n**3 / 3, value.value))
    if len(points) < 4:
        record.problem("factorisations: noise hides what small matrices take")
        return record
    p, q, error_p, error_q = measure.line(points)
    how = "cholesky and solve of order %d to %d, one processor under Legate" % (orders[0], orders[-1])
    record.number("factor_rate", measure.inverse(q, error_q, count_of(values)), how)
    record.number("factor_column", measure.around(p, error_p, count_of(values)), how)
    return record


def spectra(machine):
    record = measure.Record("spectra")
    orders = (96, 128, 192, 256, 384) if not machine.gpu else (256, 512, 1024, 2048)
    cases = {}
    for n in (SMALL, *orders):
        a = np.random.rand(n, n)
        symmetric = a + a.T
        cases["svd", n] = lambda i, a=a: np.linalg.svd(a)
        cases["eigh", n] = lambda i, a=symmetric: np.linalg.eigh(a)
    values = timed(machine, cases, machine.seconds(5), lambda key: (key[0], SMALL))
    points = []
    for (name, n), value in values.items():
        points.append((float(n), (20.0 if name == "svd" else 9.0) * n**3, value.value))
    if len(points) < 4:
        record.problem("spectra: noise hides what small matrices take")
        return record
    p, q, error_p, error_q = measure.line(points)
    how = "svd (20 n^3) and eigh (9 n^3) of order %d to %d, one processor under Legate" % (orders[0], orders[-1])
    record.number("spectral_rate", measure.inverse(q, error_q, count_of(values)), how)
    record.number("spectral_column", measure.around(p, error_p, count_of(values)), how)
    return record
