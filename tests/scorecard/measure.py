"""Times the scorecard's programs under the real cuPyNumeric, one pass of their loop: run by scorecard.py under legate.

usage: measure.py PROGRAMS OUTPUT SECONDS [NAME...]

The clock starts in front of the loop over steps and stops when all its work is done; a pass is (T(2k) - T(k)) / k, so that
first calls and the fence cancel. Each row is written as soon as it is there: a program that ends the process costs its own
row alone.
"""

import json
import pathlib
import re
import statistics
import sys
import time

import cupynumeric
from legate.core import get_legate_runtime

REPEATS = 7


def source_of(path: pathlib.Path, n: int, steps: int) -> str:
    text = path.read_text(encoding="utf-8")
    text = re.sub(r"(?m)^n = .*$", f"n = {n}", text)
    text = re.sub(r"(?m)^steps = .*$", f"steps = {steps}", text)
    text = re.sub(r"(?m)^(for \w+ in range\(steps\):)", r"__start__()\n\1", text)
    return text.replace("import numpy as np", "import cupynumeric as np")


def seconds(path: pathlib.Path, n: int, steps: int) -> float:
    code = compile(source_of(path, n, steps), path.name, "exec")
    runtime = get_legate_runtime()
    started = []

    def start():
        runtime.issue_execution_fence(block=True)
        started.append(time.perf_counter())

    exec(code, {"__name__": "__main__", "__start__": start})
    runtime.issue_execution_fence(block=True)
    return time.perf_counter() - started[-1]


def measure(path: pathlib.Path, n: int, budget: float) -> dict:
    seconds(path, n, 2)  # first calls
    steps = 2
    while steps < 4096:
        took = seconds(path, n, steps)
        if took > budget / 4:
            break
        steps *= 2
    passes = sorted((seconds(path, n, 2 * steps) - seconds(path, n, steps)) / steps for _ in range(REPEATS))
    middle = statistics.median(passes)
    spread = statistics.median(abs(value - middle) for value in passes)
    return {"program": path.stem, "n": n, "seconds": middle, "mad": spread, "steps": steps, "repeats": REPEATS}


def main() -> None:
    folder, output, budget = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), float(sys.argv[3])
    names = sys.argv[4:]
    done = {(row["program"], row["n"]) for row in map(json.loads, output.read_text().splitlines())}
    for path in sorted(folder.glob("*.py")):
        if names and path.stem not in names:
            continue
        sizes = re.search(r"(?m)^# sizes: (.*)$", path.read_text(encoding="utf-8"))[1].split()
        for n in map(int, sizes):
            if (path.stem, n) in done:
                continue
            # Told before it runs: a program that ends the process is not tried again.
            with output.open("a", encoding="utf-8") as out:
                mark = out.tell()
                print(json.dumps({"program": path.stem, "n": n, "seconds": None}), file=out)
            row = measure(path, n, budget)
            with output.open("r+", encoding="utf-8") as out:
                out.seek(mark)
                out.truncate()
                print(json.dumps(row), file=out)


main()
