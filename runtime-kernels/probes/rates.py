"""Rates of the classes of operations, as the runtime achieves them on one processor, and of memory on all."""

import cupynumeric as np
import measure
from measure import Value, value_of

COUNT = 4


def rate(record, finished, name, parameter, amount, method):
    record.number(parameter, value_of(finished[name]).rate(amount), method)


def first_touch(machine):
    """Before anything else: memory of the pool that nobody wrote yet."""
    record = measure.Record("first touch")
    size = machine.large_elements
    samples, arrays = [], []
    for _ in range(4):
        measure.fence()
        before = measure.switches()
        start = measure.time.perf_counter()
        arrays.append(np.full(size, 1.0))
        np.add(arrays[-1], 0.0, out=arrays[-1])  # a fill alone is lazy
        measure.fence()
        samples.append((measure.time.perf_counter() - start, measure.switches() != before))
    steps = {"again": (lambda i: np.add(arrays[0], 0.0, out=arrays[0]), 1)}
    _, finished = measure.measure(steps, machine.seconds(0.5))
    fresh = measure.difference(samples, (finished["again"] * 4)[: len(samples)])
    if machine.processors == 1 and fresh.low > 0:
        record.number("first_touch", fresh.rate(8 * size), "first write to %d MiB of the pool" % (8 * size >> 20))
    elif machine.processors == 1:
        record.problem("first touch: no slower than later writes")
    return record


def streams(machine):
    """Bandwidth over one processor and over all; fills and sums."""
    record = measure.Record("streams")
    size = machine.large_elements
    a, b, c = np.ones(size), np.ones(size), np.ones(size)
    matrix = np.ones((size // 1024, 1024))

    def filled(i):
        b.fill(float(i))  # lazy: it is written when somebody reads it
        np.add(a, b, out=c)

    steps = {
        "add": (lambda i: np.add(a, b, out=c), COUNT),
        "fill": (lambda i: filled(i), COUNT),
        "sum": (lambda i: a.sum(), COUNT),
        "axis 0": (lambda i: matrix.sum(axis=0), COUNT),
        "axis 1": (lambda i: matrix.sum(axis=1), COUNT),
    }
    _, finished = measure.measure(steps, machine.seconds(6))
    how = "%d Mi float64, %d processors under Legate" % (size >> 20, machine.processors)
    if machine.processors == 1:
        rate(record, finished, "add", "bandwidth", 24 * size, "np.add(a, b, out=c), " + how)
        fill = measure.difference(finished["fill"], finished["add"])
        if fill.low > 0:
            record.number("fill_rate", fill.rate(8 * size), "b.fill(x) before a + b, beyond the addition, " + how)
        rate(record, finished, "sum", "reduction_rate", 8 * size, "a.sum(), " + how)
        rates = [value_of(finished[name]).rate(8 * size) for name in ("axis 0", "axis 1")]
        both = Value([(rates[0].value * rates[1].value) ** 0.5])
        both.low, both.high = min(r.low for r in rates), max(r.high for r in rates)
        both.samples = rates[0].samples + rates[1].samples
        record.number("axis_reduction_rate", both, "sums along axis 0 and 1, the interval spans both, " + how)
    if machine.processors == machine.most and not machine.gpu:
        rate(record, finished, "add", "bandwidth_shared", 24 * size, "np.add(a, b, out=c), " + how)
    record.reading("add", machine.processors, value_of(finished["add"]).rate(24 * size))
    return record


def classes(machine):
    """The operations that are not a stream."""
    record = measure.Record("classes")
    size = machine.large_elements // 2
    a, c = np.random.rand(size), np.ones(size)
    indices = np.random.randint(0, size, size)
    steps = {
        "exp": (lambda i: np.exp(a, out=c), COUNT),
        "random": (lambda i: np.random.rand(size), COUNT),
        "scan": (lambda i: np.cumsum(a), 2),
        "gather": (lambda i: a[indices], 2),
        "scatter": (lambda i: c.__setitem__(indices, a), 2),
    }
    _, finished = measure.measure(steps, machine.seconds(6))
    how = ", %d Mi elements under Legate" % (size >> 20)
    rate(record, finished, "exp", "transcendental_rate", size, "np.exp(a, out=c)" + how)
    rate(record, finished, "random", "random_rate", size, "np.random.rand(n)" + how)
    rate(record, finished, "scan", "scan_rate", 16 * size, "np.cumsum(a)" + how)
    rate(record, finished, "gather", "gather_rate", size, "a[i] by random int64" + how)
    rate(record, finished, "scatter", "scatter_rate", size, "a[i] = b by random int64" + how)
    return record


def sort(machine):
    record = measure.Record("sort")
    size = 10_000_000
    a = np.random.rand(size)
    _, finished = measure.measure({"sort": (lambda i: np.sort(a), 1)}, machine.seconds(4), least=3)
    rate(record, finished, "sort", "sort_rate", size, "np.sort of 1e7 float64 under Legate")
    return record


def fourier(machine):
    """GPUs only: the CPU variant raises."""
    record = measure.Record("fourier")
    size = 1 << 24
    a = np.random.rand(size) + 0j
    _, finished = measure.measure({"fft": (lambda i: np.fft.fft(a), 2)}, machine.seconds(2))
    # Two sweeps at this length, each reads and writes complex128.
    rate(record, finished, "fft", "fft_rate", 2 * 32 * size, "np.fft.fft of 2^24 complex128 under Legate, two sweeps")
    return record
