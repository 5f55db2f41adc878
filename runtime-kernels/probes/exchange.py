"""What moves between processors (R8): neighbours' edges and other ways to cut an array."""

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
    """A small sort and a small gather: everyone exchanges with everyone, and hardly any data."""
    record = Record("everybody")
    size = machine.split
    a = np.random.rand(size)
    indices = np.random.randint(0, size, size)
    steps = {"take": (lambda i: a[indices], 10), "add": (lambda i: np.add(a, a), 10)}
    _, finished = measure.measure(steps, machine.seconds(2))
    record.reading("small gather beyond an addition", machine.processors,
                   measure.difference(finished["take"], finished["add"]).kept_above(0.0))
    return record
