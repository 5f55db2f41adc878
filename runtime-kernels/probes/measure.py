"""What the probes share: timing of bursts of array operations, robust numbers, and the lines that cpnlint reads."""

import json
import math
import os
import random
import resource
import statistics
import time

import cupynumeric as np
from legate.core import get_legate_runtime

EFFORTS = {"quick": 1.0, "standard": 2.5, "full": 6.0}


def fence():
    """Waits until everything submitted is done."""
    get_legate_runtime().issue_execution_fence(block=True)


def switches():
    return resource.getrusage(resource.RUSAGE_SELF).ru_nivcsw


def processor_seconds():
    """{thread of this process: seconds of processor time so far}; a thread that just ended is left out."""
    seconds = {}
    for thread in os.listdir("/proc/self/task"):
        try:
            with open("/proc/self/task/%s/schedstat" % thread, encoding="ascii") as file:
                seconds[int(thread)] = int(file.read().split()[0]) * 1e-9
        except (FileNotFoundError, ProcessLookupError):
            continue
    return seconds


class Value:
    """A median with its 95 % interval by order statistics."""

    def __init__(self, samples):
        ordered = sorted(samples)
        count = len(ordered)
        rank = 0 if count < 6 else max(0, math.floor(count / 2 - 0.98 * math.sqrt(count)))
        self.value = statistics.median(ordered)
        self.low, self.high = ordered[rank], ordered[count - 1 - rank]
        self.samples = count

    def rate(self, amount):
        """amount per second of a time."""
        result = Value([1.0])
        result.value, result.low, result.high = amount / self.value, amount / self.high, amount / self.low
        result.samples = self.samples
        return result

    def times(self, factor):
        result = Value([1.0])
        result.value, result.low, result.high = self.value * factor, self.low * factor, self.high * factor
        result.samples = self.samples
        return result

    def kept_above(self, least):
        """The same, with what lies below `least` (a difference of two noisy times) raised to it."""
        result = Value([1.0])
        result.value, result.low, result.high = (max(x, least) for x in (self.value, self.low, self.high))
        result.samples = self.samples
        return result


def undisturbed(samples):
    """Of (value, was disturbed) pairs the values that count. What disturbs only makes longer, so where nearly all
    were disturbed the faster half stands for them."""
    clean = [value for value, disturbed in samples if not disturbed]
    if len(clean) >= max(3, len(samples) // 4):
        return clean
    ordered = sorted(value for value, _ in samples)
    return ordered[: max(3, (len(ordered) + 1) // 2)]


def burst(step, count):
    """Seconds per call until the last call returned, and until all the work was done."""
    fence()
    start = time.perf_counter()
    for i in range(count):
        step(i)
    returned = time.perf_counter()
    fence()
    return (returned - start) / count, (time.perf_counter() - start) / count


def measure(steps, seconds, least=5, most=60):
    """Bursts of all steps ({name: (step, count)}) in turn, in random order, for about so many seconds. Gives
    {name: [(seconds per call, was disturbed)]} of the returned calls and of the finished work."""
    returned = {name: [] for name in steps}
    finished = {name: [] for name in steps}
    for step, count in steps.values():
        burst(step, min(count, 10))  # instances, partitions and libraries are made at the first call
    end = time.perf_counter() + seconds
    names = list(steps)
    rounds = 0
    while rounds < least or (time.perf_counter() < end and rounds < most):
        random.shuffle(names)
        for name in names:
            step, count = steps[name]
            before = switches()
            call, done = burst(step, count)
            disturbed = switches() != before
            returned[name].append((call, disturbed))
            finished[name].append((done, disturbed))
        rounds += 1
        if rounds >= least and time.perf_counter() > end + 3 * seconds:
            break
    return returned, finished


def value_of(samples):
    return Value(undisturbed(samples))


def difference(more, less):
    """Of two series that were taken in turn: how much longer one is."""
    pairs = [(a - b, da or db) for (a, da), (b, db) in zip(more, less)]
    clean = [value for value, disturbed in pairs if not disturbed]
    if len(clean) >= max(3, len(pairs) // 4):
        return Value(clean)
    # Every pair was disturbed somewhere: the difference of what each takes at its best.
    a, b = Value(undisturbed(more)), Value(undisturbed(less))
    result = Value([a.value - b.value])
    result.low, result.high = a.low - b.high, a.high - b.low
    result.samples = a.samples + b.samples
    return result


class Record:
    """All that one probe has to say."""

    def __init__(self, bench):
        self.content = {"bench": bench, "numbers": [], "readings": [], "curves": [], "problems": []}

    def number(self, name, value, method):
        self.content["numbers"].append(
            {"number": name, "value": value.value, "low": max(value.low, 0.0), "high": value.high,
             "samples": value.samples, "method": method})

    def reading(self, name, processors, value):
        self.content["readings"].append(
            {"reading": name, "processors": processors, "value": value.value, "low": max(value.low, 0.0),
             "high": value.high, "samples": value.samples})

    def curve(self, name, x_unit, y_unit, points):
        self.content["curves"].append({"name": name, "x_unit": x_unit, "y_unit": y_unit, "points": points})

    def problem(self, text):
        self.content["problems"].append(text)


def say(content):
    print(json.dumps(content), flush=True)


def line(points):
    """t = u * p + v * q by least squares on relative errors, Huber's weights: (p, q, error of p, error of q), with p
    held at 0 where it would be negative. Points are (u, v, t)."""
    weights = [1.0] * len(points)
    p = q = 0.0
    with_p = True
    covariance = (0.0, 0.0)
    for _ in range(60):
        uu = uv = vv = ut = vt = 0.0
        for weight, (u, v, t) in zip(weights, points):
            w = weight / (t * t)
            uu, uv, vv, ut, vt = uu + w * u * u, uv + w * u * v, vv + w * v * v, ut + w * u * t, vt + w * v * t
        determinant = uu * vv - uv * uv
        if with_p and determinant > 1e-12 * uu * vv:
            p, q = (ut * vv - vt * uv) / determinant, (vt * uu - ut * uv) / determinant
            covariance = (vv / determinant, uu / determinant)
            if p < 0:
                with_p = False
                continue
        else:
            p, q, covariance = 0.0, vt / vv, (0.0, 1 / vv)
        residuals = [abs(t - u * p - v * q) / t for u, v, t in points]
        scale = max(1.4826 * statistics.median(residuals), 0.01)
        weights = [1.0 if r <= 1.345 * scale else 1.345 * scale / r for r in residuals]
    degrees = max(len(points) - (2 if with_p else 1), 1)
    residual = math.sqrt(sum(w * ((t - u * p - v * q) / t) ** 2 for w, (u, v, t) in zip(weights, points)) / degrees)
    residual = max(residual, 0.01)
    quantile = {1: 12.7, 2: 4.3, 3: 3.18, 4: 2.78, 5: 2.57}.get(degrees, 2.3)
    return p, q, quantile * residual * math.sqrt(covariance[0]), quantile * residual * math.sqrt(covariance[1])


def around(value, error, samples):
    result = Value([value])
    result.low, result.high, result.samples = max(value - error, 0.0), value + error, samples
    return result


def inverse(value, error, samples):
    """1 / value; an interval that reaches zero bounds it from below alone."""
    result = Value([1 / value])
    result.low = 1 / (value + error)
    result.high = min(2 / value, 1 / (value - error)) if error < value else 2 / value
    result.samples = samples
    return result
