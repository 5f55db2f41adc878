"""What it costs to submit operations, and to wait for them (R1 to R7)."""

import threading

import cupynumeric as np
import measure
from measure import Record, Value, value_of

FEW, MANY = 40, 160  # calls of a burst; the difference leaves out what a burst costs by itself


def per_call(finished, name):
    """Seconds per call between FEW and MANY calls."""
    few = [(seconds * FEW, disturbed) for seconds, disturbed in finished[name, FEW]]
    many = [(seconds * MANY, disturbed) for seconds, disturbed in finished[name, MANY]]
    return measure.difference(many, few).times(1 / (MANY - FEW)).kept_above(1e-9)


def both_lengths(steps):
    return {(name, count): (step, count) for name, step in steps.items() for count in (FEW, MANY)}


def operations(machine):
    """R1, R2: independent operations on arrays that are just large enough to be divided."""
    record = Record("operations")
    size = machine.split
    a, b = np.ones(size), np.ones(size)
    # Most programs make a new array with each operation, which costs a quarter more than to write one that is there.
    steps = {"aligned": lambda i: a + b, "sliced": lambda i: a[1:-1] + b[2:]}
    returned, finished = measure.measure(both_lengths(steps), machine.seconds(4), most=40)
    aligned, sliced = per_call(finished, "aligned"), per_call(finished, "sliced")
    record.reading("operation aligned", machine.processors, aligned)
    record.reading("operation sliced", machine.processors, sliced)
    if machine.processors == 1:
        record.number("launch_python", value_of(returned["aligned", FEW]),
                      "a + b until the call returns, %d calls at a time" % FEW)
    return record


def host_work(machine):
    """The processor time that the runtime's own threads take beside Python and the tasks. It counts what each thread
    ran, not how long anything lasted, so other programs hardly change it."""
    record = Record("host work")
    if machine.processors != machine.most:
        return record  # it is what all of a node leave to the runtime that counts
    few, many = machine.split, machine.large_elements // 4
    arrays = {size: (np.ones(size), [np.ones(size) for _ in range(8)]) for size in (few, many)}
    steps = {}
    for name, size in (("short", few), ("long", many)):
        a, outs = arrays[size]
        steps["result there", name] = lambda i, a=a, outs=outs: np.add(a, a, out=outs[i % 8])
        steps["result new", name] = lambda i, a=a: a + a
    counts = {"short": MANY, "long": FEW}

    def spent(step, count):
        measure.fence()
        before = measure.processor_seconds()
        for i in range(count):
            step(i)
        measure.fence()
        return {thread: seconds - before.get(thread, 0.0) for thread, seconds in measure.processor_seconds().items()}

    # The threads that run tasks are those that exponentials keep at work.
    a, outs = arrays[many]
    busy = spent(lambda i: np.exp(a, out=outs[i % 8]), FEW)
    python = threading.get_native_id()
    others = sorted((thread for thread in busy if thread != python), key=busy.get)
    tasks = set(others[len(others) - machine.processors :])
    samples = {key: [] for key in steps}
    end = measure.time.perf_counter() + machine.seconds(3)
    while len(samples["result new", "long"]) < 5 or measure.time.perf_counter() < end:
        for (kind, name), step in steps.items():
            count = counts[name]
            runtime = [seconds for thread, seconds in spent(step, count).items() if thread != python and thread not in tasks]
            samples[kind, name].append(sum(runtime) / count / machine.processors)
    values = {key: Value(series) for key, series in samples.items()}
    for (kind, name), value in values.items():
        record.reading("runtime's own work, %s, %s" % (kind, name), machine.processors, value)
    # Programs have short operations and long ones: the value is in the middle of all, the interval reaches from the least
    # to the most.
    middles = [value.value for value in values.values()]
    either = Value([measure.math.prod(middles) ** (1 / len(middles))])
    either.low, either.high = min(middles), max(middles)
    either.samples = sum(value.samples for value in values.values())
    record.number("runtime_work", either, "processor time of the runtime's own threads per a + a of %d and of %d elements and "
                  "processor, into a new array and into one that is there; the interval spans all; %d processors under Legate"
                  % (few, many, machine.processors))
    return record


def chains(machine):
    """R3, R4: how much longer operations take that need each other's result. Their arrays are large enough that the
    processor, not the submission, sets the pace; otherwise the wait would hide behind the next call."""
    record = Record("chains")
    size = machine.busy_elements
    b = np.full(size, 1.0 / size**0.5)
    outs = [np.ones(size) for _ in range(8)]
    s0 = b.dot(b)

    # Both write one array after the other and read the one written before, in cache or not; in the chain it is this
    # call's result that the next one reads.
    def apart(i):
        np.add(outs[(i + 4) % 8], b, out=outs[i % 8])

    def chain(i):
        np.add(outs[(i + 7) % 8], b, out=outs[i % 8])

    def apart_scalar(i):
        np.multiply(b, s0, out=outs[i % 8])
        outs[7 - i % 8].dot(b)

    def chain_scalar(i):
        nonlocal s
        np.multiply(b, s, out=outs[i % 8])
        s = outs[i % 8].dot(b)

    s = s0
    count = 24
    steps = {"apart": (apart, count), "chain": (chain, count), "apart scalar": (apart_scalar, count),
             "chain scalar": (chain_scalar, count)}
    _, finished = measure.measure(steps, machine.seconds(5), most=200)
    latency = measure.difference(finished["chain"], finished["apart"]).kept_above(0.0)
    scalar = measure.difference(finished["chain scalar"], finished["apart scalar"])
    scalar = scalar.kept_above(0.0)
    record.reading("chain", machine.processors, latency)
    record.reading("scalar chain", machine.processors, scalar)
    if machine.processors == 1:
        record.number("dependent_latency", latency,
                      "additions of %d float64, each to the last one's result, against independent ones" % size)
        record.number("scalar_latency", scalar, "dot -> multiply -> dot against the same operations apart, one processor")
    return record


def waits(machine):
    """R5: what a look at a result costs beyond the work, and what one element costs."""
    record = Record("waits")
    size = machine.split
    a, b = np.ones(size), np.ones(size)
    steps = {
        "write": (lambda i: a.__setitem__(i, 1.0), 100),
        "read": (lambda i: float(b[i]), 30),
        "sum": (lambda i: b.sum(), 60),
        "look": (lambda i: float(b.sum()), 30),
        "fence": (lambda i: measure.fence(), 30),
        "array": (lambda i: b.sum().__array__(), 30),
    }
    _, finished = measure.measure(steps, machine.seconds(4))
    if machine.processors == 1:
        record.number("element_access", value_of(finished["write"]), "a[i] = 1.0, submitted and not waited for")
        read = measure.difference(finished["read"], finished["write"]).kept_above(0.0)
        look = measure.difference(finished["look"], finished["sum"]).kept_above(0.0)
        either = Value([read.value, look.value])
        either.low, either.high = min(read.low, look.low), max(read.high, look.high)
        either.samples = read.samples + look.samples
        record.number("wait", either, "float(a[i]) against a[i] = x, float(a.sum()) against a.sum(); the interval spans both")
    for name in ("fence", "look", "array"):
        record.reading("wait " + name, machine.processors, value_of(finished[name]))
    return record


def sizes(machine):
    """R6: time of an operation over its size: dispatch first, then the processor. The curve shows the size from which
    on it pays (METG), and its slope where the processor is busy has the floor of a task in it."""
    record = Record("sizes")
    largest = machine.large_elements
    arrays = {}
    size = machine.split
    while size <= largest // 2:
        arrays[size] = (np.ones(size), np.ones(size), [np.ones(size) for _ in range(2)])
        size *= 4
    steps = {}
    for size, (a, b, outs) in arrays.items():
        count = max(4, min(100, int(2e7 / size)))
        steps[size] = (lambda i, a=a, b=b, outs=outs: np.add(a, b, out=outs[i % 2]), count)
    _, finished = measure.measure(steps, machine.seconds(4))
    points = [(size, value_of(finished[size]).value) for size in arrays]
    record.curve("operation, %d processors" % machine.processors, "elements", "s", [list(point) for point in points])
    slowest = points[-1][1] / points[-1][0]  # seconds per element, large
    dispatch = points[0][1]
    for size, seconds in points:
        if seconds <= 2 * slowest * size:
            value = Value([size])
            value.low, value.high = size / 4, size
            record.reading("elements that keep 50 % efficiency", machine.processors, value)
            break
    else:
        record.problem("sizes: no size keeps half the efficiency; dispatch takes %.0f us" % (dispatch * 1e6))
    return record


def window(machine):
    """R7: how many operations may be outstanding before the submitting thread stalls."""
    record = Record("window")
    size = machine.busy_elements
    a, b, c = np.ones(size), np.ones(size), np.ones(size)
    np.add(a, b, out=c)
    found = []
    for _ in range(2):
        measure.fence()
        times = []
        last = measure.time.perf_counter()
        for _ in range(2500):
            np.add(c, b, out=c)
            now = measure.time.perf_counter()
            times.append(now - last)
            last = now
            if now > last + 20:
                break
        measure.fence()
        median = Value(times).value
        stalls = [i for i, seconds in enumerate(times) if seconds > max(100 * median, 0.02)]
        if stalls and 64 <= stalls[0] <= 2400:
            found.append(stalls[0])
    if len(found) == 2 and max(found) < 1.3 * min(found):
        record.reading("outstanding operations at the first stall", machine.processors, Value(found))
        if machine.processors == 1:
            record.number("window", Value(found), "first call that stalls while the processor is behind")
    else:
        record.problem("window: no clear stall within 2500 operations; Legion's default stands")
    return record
