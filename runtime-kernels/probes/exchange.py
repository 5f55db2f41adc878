"""What moves between processors (R8): neighbours' edges and other ways to cut an array."""

import math

import cupynumeric as np
import measure
from measure import Record


def edges(machine):
    """A shift by one, back and forth, against the same operations without a shift: one face to each side."""
    record = Record("edges")
    size = machine.busy_elements * machine.processors
    a, b, c, d = (np.ones(size) for _ in range(4))

    def shifted(i):
        np.add(a[2:], a[:-2], out=b[1:-1])
        np.add(b[2:], b[:-2], out=a[1:-1])

    def straight(i):
        np.add(c[1:-1], c[1:-1], out=d[1:-1])
        np.add(d[1:-1], d[1:-1], out=c[1:-1])

    _, finished = measure.measure({"shifted": (shifted, 12), "straight": (straight, 12)}, machine.seconds(4))
    # Two operations per call, and each waits for copies from two sides of which the busiest processor has both.
    extra = measure.difference(finished["shifted"], finished["straight"]).times(0.25).kept_above(0.0)
    if machine.processors == machine.most:
        record.number("copy_latency", extra,
                      "a[2:] + a[:-2] back and forth against operations without a shift, per face, %d processors under Legate"
                      % machine.processors)
    record.reading("edge", machine.processors, extra)
    return record


def layouts(machine):
    """Columns read where rows were written: all but 1/n of the array changes its processor."""
    record = Record("layouts")
    order = int(machine.large_elements**0.5) // 64 * 64
    a, b, c = (np.ones((order, order)) for _ in range(3))

    def turned(i):
        np.add(a, 1.0, out=a)
        np.add(a.T, b, out=c)

    def straight(i):
        np.add(a, 1.0, out=a)
        np.add(a, b, out=c)

    _, finished = measure.measure({"turned": (turned, 3), "straight": (straight, 3)}, machine.seconds(4))
    extra = measure.difference(finished["turned"], finished["straight"])
    moved = 8 * order * order * (machine.processors - 1) / machine.processors / machine.processors
    if machine.processors == machine.most and extra.low > 0:
        record.number("copy_bandwidth", extra.rate(moved),
                      "a.T + b after a += 1 against a + b, order %d, bytes per processor, %d processors under Legate"
                      % (order, machine.processors))
    elif machine.processors == machine.most:
        record.problem("layouts: a transposed operand costs no more than a straight one")
    return record


def everybody(machine):
    """Gathers of little data and of more: everyone exchanges with everyone."""
    record = Record("everybody")
    few, many = machine.split, 8 * machine.split
    steps = {}
    for size in (few, many):
        a, indices = np.random.rand(size), np.random.randint(0, size, size)
        steps["take", size] = (lambda i, a=a, k=indices: a[k], 6)
        steps["add", size] = (lambda i, a=a: np.add(a, a), 6)
    _, finished = measure.measure(steps, machine.seconds(3))
    beyond = measure.difference(finished["take", few], finished["add", few]).kept_above(0.0)
    more = measure.difference(finished["take", many], finished["take", few])
    if not machine.gpu and more.low > 0:
        # Without NCCL each element is copied by itself: that time is no latency.
        if machine.processors == machine.most:
            record.number("indexed_exchange_rate", more.rate((many - few) / machine.processors),
                          "a[i] by random int64, %d against %d elements on %d processors under Legate, per processor"
                          % (many, few, machine.processors))
        share = few / (many - few)
        values = (beyond.value - share * more.value, beyond.low - share * more.high, beyond.high - share * more.low)
        beyond.value, beyond.low, beyond.high = (max(value, 0.0) for value in values)
    record.reading("small gather beyond an addition", machine.processors, beyond)
    return record


def merges(machine):
    """A sort of one long line against sorts of as many lines as there are processors, each of which is sorted where it
    is: what is exchanged and merged."""
    record = Record("merges")
    size = machine.large_elements // 4
    line = np.random.rand(size)
    lines = np.random.rand(machine.processors, size // machine.processors)
    steps = {"line": (lambda i: np.sort(line), 1), "lines": (lambda i: np.sort(lines, axis=1), 1)}
    _, finished = measure.measure(steps, machine.seconds(4), least=3)
    more = measure.difference(finished["line"], finished["lines"])
    if machine.processors == machine.most and more.low > 0:
        keys = size / machine.processors * math.log2(machine.processors)
        record.number("merge_rate", more.rate(keys),
                      "np.sort of %d float64 against that of %d lines, %d processors under Legate, per processor and round"
                      % (size, machine.processors, machine.processors))
    elif machine.processors == machine.most:
        record.problem("merges: a line is sorted no slower than several")
    return record
