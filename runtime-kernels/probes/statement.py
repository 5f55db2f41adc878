"""Plain Python: what a statement costs. Runs under any Python, without cuPyNumeric."""

import json
import statistics
import time


def work(count):
    total = 0
    last = 1
    for i in range(count):
        last = i + 3
        total += last
        if total > 1 << 60:
            total = 0
        last = abs(total)
    return total


def main():
    print(json.dumps({"begin": "statement"}), flush=True)
    count = 20_000
    samples = []
    for _ in range(30):
        start = time.perf_counter()
        work(count)
        samples.append((time.perf_counter() - start) / (4 * count))
    samples.sort()
    number = {"number": "statement", "value": statistics.median(samples[:20]), "low": samples[0], "high": samples[19],
              "samples": len(samples), "method": "assignments, a test and a call of a builtin in a loop, the faster two thirds"}
    print(json.dumps({"bench": "statement", "numbers": [number]}), flush=True)


if __name__ == "__main__":
    main()
