"""Calls every function and method of NumPy's table with arguments of every kind, sensible or not: cpnlint must answer.

Each model of a function reads shapes and arguments that may be known, open or wrong. A name and a pair of arguments for
each of a few first arguments make a line; the lines are parsed and inferred, nothing is run. Without options the lines of the test.
"""

from __future__ import annotations

import argparse
import itertools
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import common

TABLE = common.ROOT / "rulesets" / "api" / "numpy-2.4.json"
METHOD = "numpy.ndarray."
LINES_PER_FILE = 3000
SECONDS_PER_FILE = 300

HEAD = """import numpy as np
def called(v, x, n, k, f):
    opened = np.asarray(v)
    line = np.zeros(n)
    table = np.ones((n, k), dtype=np.float32)
    number = np.zeros(())
    deep = np.zeros((1, 1, 1, 1, 1, 1, 1))
    two = [line, table]
"""
# A value of open rank that is an array only by its use, arrays of open and of known rank, and what is no array.
FIRST = ("x.values", "opened", "table", "number", "deep", "two", "[]", "3")
ARGUMENTS = ("None", "-1", "0", "10**30", "()", "[]", "(0, 1)", "(n, k)", "[[1], 2]", '"ij->"', "opened", "opened.shape", "*two")
KEYWORDS = ("axis", "axes", "out", "dtype", "shape", "size", "where", "k", "shift", "repeats", "weights", "bins")


def arguments(keywords: tuple[str, ...]) -> Iterator[str]:
    yield ""
    for first, second in itertools.product(ARGUMENTS, repeat=2):
        yield f"{first}, {second}"
    for keyword, value in itertools.product(keywords, ARGUMENTS[:-1]):
        yield f"{keyword}={value}"


def lines(firsts: tuple[str, ...], keywords: tuple[str, ...]) -> Iterator[str]:
    for name in json.loads(TABLE.read_text(encoding="utf-8"))["entries"]:
        if name.startswith(METHOD):
            yield from (f"    {first}.{name[len(METHOD):]}({rest})" for first in firsts[:3] for rest in arguments(keywords))
        else:
            called = name.replace("numpy", "np", 1)
            yield from (f"    {called}({first}, {rest})" for first in firsts for rest in arguments(keywords))
            yield f"    {called}()"
    for first, (one, other) in itertools.product(firsts, itertools.product(ARGUMENTS[:-1], repeat=2)):
        yield f"    {first}[{one}, {other}]"
        yield f"    {first} @ {one} + {other}"


def broken(text: list[str], folder: Path) -> str | None:
    """How cpnlint ended on these lines where it did not end as it should."""
    file = folder / "calls.py"
    file.write_text(HEAD + "\n".join(text) + "\n", encoding="utf-8")
    try:
        done = common.run("check", "--isolated", "--select", "ALL", "--fail-on", "never", file, timeout=SECONDS_PER_FILE)
    except subprocess.TimeoutExpired:
        return f"no end in {SECONDS_PER_FILE} s"
    return None if done.returncode == 0 else f"ended with {done.returncode}: {done.stderr.strip()[-1000:]}"


def smallest(text: list[str], folder: Path) -> list[str]:
    """The half that still breaks it, again and again."""
    while len(text) > 1:
        middle = len(text) // 2
        half = next((half for half in (text[:middle], text[middle:]) if broken(half, folder)), None)
        if half is None:
            break
        text = half
    return text


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--all", action="store_true", help="with every first argument and keyword: some ten times as many")
    args = parser.parse_args()
    written = list(lines(FIRST, KEYWORDS) if args.all else lines(FIRST[:1], ()))
    failed = 0
    with tempfile.TemporaryDirectory() as name:
        for start in range(0, len(written), LINES_PER_FILE):
            text = written[start : start + LINES_PER_FILE]
            how = broken(text, Path(name))
            if how is None:
                continue
            failed += 1
            print(f"{how}\n  " + "\n  ".join(line.strip() for line in smallest(text, Path(name))[:5]))
    print(f"api arguments: {len(written)} calls, {failed} failures")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
