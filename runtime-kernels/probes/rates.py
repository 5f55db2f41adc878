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
        "in place": (lambda i: np.add(a, b, out=a), COUNT),
        "fill": (lambda i: filled(i), COUNT),
        "sum": (lambda i: a.sum(), COUNT),
        "dot": (lambda i: a.dot(b), COUNT),
        "axis 0": (lambda i: matrix.sum(axis=0), COUNT),
        "axis 1": (lambda i: matrix.sum(axis=1), COUNT),
    }
    _, finished = measure.measure(steps, machine.seconds(6))
    how = "%d Mi float64, %d processors under Legate" % (size >> 20, machine.processors)
    if machine.processors == 1:
        # In place nothing is read that is not counted; what takes longer elsewhere is lines read to be written.
        rate(record, finished, "in place", "bandwidth", 24 * size, "np.add(a, b, out=a), " + how)
        place, apart = value_of(finished["in place"]), value_of(finished["add"])
        if not machine.gpu:
            reads = [min(max(3.0 * (x / y - 1), 0.0), 1.0)
                     for x, y in ((apart.value, place.value), (apart.low, place.high), (apart.high, place.low))]
            allocate = Value([reads[0]])
            allocate.low, allocate.high, allocate.samples = reads[1], reads[2], apart.samples
            record.number("write_allocate", allocate, "np.add(a, b, out=c) against out=a, " + how)
        fill = measure.difference(finished["fill"], finished["add"])
        if fill.low > 0:
            record.number("fill_rate", fill.rate(8 * size), "b.fill(x) before a + b, beyond the addition, " + how)
        # Two numbers are read for each that is added: what bounds a sum beside the bytes shows in a sum alone.
        rate(record, finished, "dot", "reduction_rate", 16 * size, "a.dot(b), " + how)
        rate(record, finished, "sum", "fold_rate", size, "a.sum(), " + how)
        rate(record, finished, "axis 1", "axis_reduction_rate", 8 * size, "sum along axis 1 of 1024 columns, " + how)
        rate(record, finished, "axis 0", "outer_reduction_rate", 8 * size, "sum along axis 0 of 1024 columns, " + how)
    if machine.processors == machine.most and not machine.gpu:
        rate(record, finished, "in place", "bandwidth_shared", 24 * size, "np.add(a, b, out=a), " + how)
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


def together(machine):
    """The same work for each processor, on one and on all: what is left of its rates when all are at work."""
    record = measure.Record("together")
    size = machine.large_elements // 4 * machine.processors
    order = 4096 if machine.gpu else 512
    a, c = np.random.rand(size), np.ones(size)
    # Cut along its rows, the longest axis, a product is one of square matrices to each processor.
    m, k = np.random.rand(machine.processors * order, order), np.random.rand(order, order)
    o = np.zeros((machine.processors * order, order))
    steps = {
        "arithmetic": (lambda i: np.exp(a, out=c), COUNT),
        "product": (lambda i: np.matmul(m, k, out=o), COUNT),
    }
    _, finished = measure.measure(steps, machine.seconds(4))
    for name in steps:
        record.reading("together " + name, machine.processors, value_of(finished[name]))
    return record


def queues(machine):
    """The same operations with few and with many behind them, on all processors: the runtime's threads, which find no
    core of their own, slow those tasks that run while others wait (26.6.1)."""
    record = measure.Record("queues")
    if machine.processors != machine.most:
        return record
    size = machine.large_elements
    a, b = np.random.rand(size), np.ones(size)
    operations = {"a + b": lambda i: a + b, "np.exp(a)": lambda i: np.exp(a)}
    few, many = 8, 128
    steps = {(name, count): (step, count) for name, step in operations.items() for count in (few, many)}
    _, finished = measure.measure(steps, machine.seconds(4))
    # All that is longer counts: what disturbs the calls is what is asked for.
    factors = []
    for name in operations:
        queued, alone = (Value([seconds for seconds, _ in finished[name, count]]) for count in (many, few))
        factor = Value([queued.value / alone.value])
        factor.low, factor.high = queued.low / alone.high, queued.high / alone.low
        factor.samples = queued.samples
        record.reading("queued " + name, machine.processors, factor.kept_above(1.0))
        factors.append(factor)
    middle = Value([measure.math.prod(factor.value for factor in factors) ** (1 / len(factors))])
    middle.low, middle.high = min(factor.low for factor in factors), max(factor.high for factor in factors)
    middle.samples = sum(factor.samples for factor in factors)
    record.number("queued_factor", middle.kept_above(1.0), "%s of %d Mi elements, %d in a row against %d, %d processors under Legate"
                  % (" and ".join(operations), size >> 20, many, few, machine.processors))
    return record


def walks(machine):
    """Operations whose operands are no blocks of one shape: a number with an array, parts of two axes."""
    record = measure.Record("walks")
    size = machine.large_elements
    side = int(size**0.5)
    a, c = np.ones(size), np.ones(size)
    m, o = np.ones((side, side)), np.ones((side, side))
    steps = {
        "number": (lambda i: np.add(a, 1.0, out=c), COUNT),
        "matrix": (lambda i: np.add(m, 1.0, out=o), COUNT),
        "part": (lambda i: np.add(m[1:-1, 1:-1], m[:-2, 2:], out=o[1:-1, 1:-1]), COUNT),
    }
    _, finished = measure.measure(steps, machine.seconds(4))
    rate(record, finished, "number", "walk_rate", size, "np.add(a, 1.0, out=c), %d Mi float64 under Legate" % (size >> 20))
    extra = [measure.difference(finished[name], finished["number"]) for name in ("matrix", "part")]
    if all(value.low > 0 for value in extra):
        rates = [value.rate(side * side) for value in extra]
        both = Value([(rates[0].value * rates[1].value) ** 0.5])
        both.low, both.high = min(r.low for r in rates), max(r.high for r in rates)
        both.samples = sum(r.samples for r in rates)
        record.number("walk_axis_rate", both, "a number with a matrix and parts of matrices against a number with a vector, "
                      "the interval spans both, order %d under Legate" % side)
    return record


def choices(machine):
    """What is decided element by element, and what takes long per element."""
    record = measure.Record("choices")
    size = machine.large_elements // 2
    a, b, c = np.random.rand(size), np.random.rand(size) + 0.5, np.ones(size)
    mask = a > 0.5
    steps = {
        "where": (lambda i: np.where(mask, a, b), COUNT),
        "mask": (lambda i: a[mask], 2),
        "histogram": (lambda i: np.histogram(a, bins=64, range=(0.0, 1.0)), 2),
        "root": (lambda i: np.sqrt(a, out=c), COUNT),
        "quotient": (lambda i: np.divide(a, b, out=c), COUNT),
    }
    _, finished = measure.measure(steps, machine.seconds(6))
    how = ", %d Mi float64 under Legate" % (size >> 20)
    rate(record, finished, "where", "choice_rate", size, "np.where(mask, a, b), half of a random mask" + how)
    rate(record, finished, "mask", "mask_rate", size, "a[mask], half of a random mask" + how)
    rate(record, finished, "histogram", "histogram_rate", size, "np.histogram into 64 bins of a known range" + how)
    rates = [value_of(finished[name]).rate(size) for name in ("root", "quotient")]
    both = Value([(rates[0].value * rates[1].value) ** 0.5])
    both.low, both.high = min(r.low for r in rates), max(r.high for r in rates)
    both.samples = rates[0].samples + rates[1].samples
    record.number("division_rate", both, "np.sqrt and np.divide, the interval spans both" + how)
    return record


def normals(machine):
    record = measure.Record("normals")
    size = machine.large_elements // 2
    _, finished = measure.measure({"normal": (lambda i: np.random.normal(size=size), 2)}, machine.seconds(2))
    rate(record, finished, "normal", "normal_rate", size, "np.random.normal(size=n), %d Mi elements under Legate" % (size >> 20))
    return record


def small_tables(machine):
    """Reads and writes by indices of what the last cache holds: by the difference of two sizes, because a call waits."""
    record = measure.Record("small tables")
    few, many = (1 << 19, 1 << 21) if machine.gpu else (1 << 14, 1 << 17)
    steps = {}
    for size in (few, many):
        a, c, indices = np.random.rand(size), np.ones(size), np.random.randint(0, size, size)
        steps["gather", size] = (lambda i, a=a, k=indices: a[k], 8)
        steps["scatter", size] = (lambda i, a=a, c=c, k=indices: c.__setitem__(k, a), 8)
    _, finished = measure.measure(steps, machine.seconds(3))
    for name in ("gather", "scatter"):
        more = measure.difference(finished[name, many], finished[name, few])
        if more.low > 0:
            record.number(name + "_cached_rate", more.rate(many - few),
                          "%s by random int64, %d against %d elements under Legate" % (name, many, few))
        else:
            record.problem("small tables: %s of %d elements takes no longer than of %d" % (name, many, few))
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
