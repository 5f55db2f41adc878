"""What is one of two values knows no more than either of them: facts that a choice keeps must hold for both.

    choices.py            every pair of values below, chosen in every way below; exit status 1 where a fact is too strong

A value is chosen by a branch, a dictionary, a list, a function's returns, an attribute, a loop, an argument, an exception
or a global name. What `cpnlint inspect facts` prints of it is held against what it prints where both choices are the same.
"""

from __future__ import annotations

import itertools
import re
import sys
import tempfile
from pathlib import Path

import common

VALUES = (
    *("np.ones((3, 4))", "np.ones((3, 5))", "np.ones((3, 4), dtype=np.float32)", "np.ones((3, 4), dtype=int)"),
    *("np.ones(4)", "np.array(1.0)", "np.ones((3, 4), dtype=bool)", "np.ones((3, 4)).shape", "np.sum", "np.cumsum"),
    *("np.float32", "np.float64", 'np.dtype("f4")', "3", "4", "2.5", '"abc"', '"abd"', "True", "False", "None"),
    *("(3, 4)", "(3, 5)", "(1, 2, 3)", "[1, 2]", "[1.5]", "[np.ones(3)]", '{"u": np.ones(3)}', '{"u": 3}', "range(3)"),
    *("slice(0, 2)", "Grid()", "Mesh()", "Grid", "line", "plane"),
)
START = '''import numpy as np


class Grid:
    def __init__(self):
        self.u = np.ones(3)


class Mesh:
    def __init__(self):
        self.u = np.ones((3, 4), dtype=np.float32)


def line():
    return np.ones(3)


def plane():
    return np.ones((3, 4), dtype=np.float32)


'''
WAYS = {
    "expression": "def f{i}(flag):\n    x{i} = {a} if flag else {b}\n    return x{i}\n",
    "branch": "def f{i}(flag):\n    if flag:\n        y = {a}\n    else:\n        y = {b}\n    x{i} = y\n    return x{i}\n",
    "dictionary": 'D{i} = {{"a": {a}, "b": {b}}}\n\n\ndef f{i}(flag):\n    x{i} = D{i}[flag]\n    return x{i}\n',
    "list": "def f{i}(flag):\n    items = [{a}, {b}]\n    x{i} = items[flag]\n    return x{i}\n",
    "returns": "def g{i}(flag):\n    if flag:\n        return {a}\n    return {b}\n\n\n"
    "def f{i}(flag):\n    x{i} = g{i}(flag)\n    return x{i}\n",
    "attribute": "class C{i}:\n    def __init__(self):\n        self.v = {a}\n\n    def other(self):\n        self.v = {b}\n\n"
    "    def read(self):\n        x{i} = self.v\n        return x{i}\n",
    "loop": "def f{i}(n):\n    y = {a}\n    for _ in range(n):\n        x{i} = y\n        y = {b}\n    return x{i}\n",
    "walk": "def f{i}():\n    for v in ({a}, {b}):\n        x{i} = v\n    return x{i}\n",
    "argument": "def f{i}(v):\n    x{i} = v\n    return x{i}\n\n\nf{i}({a})\nf{i}({b})\n",
    "exception": "def f{i}(p):\n    try:\n        y = {a}\n        open(p)\n    except OSError:\n        y = {b}\n"
    "    x{i} = y\n    return x{i}\n",
    "global": "G{i} = {a}\n\n\ndef s{i}():\n    global G{i}\n    G{i} = {b}\n\n\ndef f{i}():\n    x{i} = G{i}\n    return x{i}\n",
}
ARRAY = re.compile(r"(\w+|\?)\[(.*)\]$")
NUMBERS = ("bool", "int", "float", "number")


def facts_of(way: str, pairs: list[tuple[str, str]], folder: Path) -> list[str]:
    """What is printed of x0, x1, ... of a program with one function for each pair."""
    program = folder / f"{way}.py"
    program.write_text(START + "\n\n".join(WAYS[way].format(i=i, a=a, b=b) for i, (a, b) in enumerate(pairs)))
    out = common.run("inspect", "facts", str(program)).stdout
    found = dict(re.findall(r"(?m)^\d+: x(\d+) = (.*)$", out))
    return [found[str(i)] for i in range(len(pairs))]


def holds(chosen: str, one: str) -> bool:
    """Whether what is said of the choice is true of one of its values, as that is said to be alone."""
    sure = not re.search(r" (likely|possible)\b", chosen)
    chosen, one = (re.sub(r" (view-of\(.*|likely|possible)$", "", text) for text in (chosen, one))
    array, of_one = ARRAY.match(chosen), ARRAY.match(one)
    if not array and (chosen.startswith("?") or chosen == one):
        return True
    if array and not of_one:  # `total = 0` before arrays are added to it: never for sure
        return not sure and one.split()[0] in NUMBERS
    if array and of_one:
        if array[1] not in ("?", of_one[1]):
            return False
        if array[2] == "...":
            return True
        extents, of_one_extents = array[2].split(", "), of_one[2].split(", ")
        same_rank = len(extents) == len(of_one_extents) and (array[2] == "") == (of_one[2] == "")
        return same_rank and all(a == b for a, b in zip(extents, of_one_extents, strict=True) if a.isdigit())
    kind, of_kind = re.split(r"[ (]", chosen)[0], re.split(r"[ (]", one)[0]
    if kind in NUMBERS:
        value = re.fullmatch(r"\w+ (-?[\d.]+|True|False)", chosen)
        return of_kind in NUMBERS[: NUMBERS.index(kind) + 1] and value is None
    if kind == "str":
        return of_kind == "str" and '"' not in chosen
    if kind in ("api", "dtype"):
        return False  # they are not the same, as compared above
    if kind == "function" and of_kind == "api":  # one of several
        return True
    items = re.fullmatch(r"tuple\(([\d, ]+)\)", chosen)
    return of_kind == kind and items is None


def main() -> int:
    pairs = list(itertools.product(VALUES, VALUES))
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for way in WAYS:
            texts = dict(zip(pairs, facts_of(way, pairs, Path(folder)), strict=True))
            for (a, b), chosen in texts.items():
                for one in (a, b):
                    if a == b or one == "None" or holds(chosen, texts[one, one]):  # `u = None` before there is one
                        continue
                    if way == "loop" and ARRAY.match(chosen) and one == a:  # `err = 1.0` before `err = u.max()`
                        continue
                    wrong += 1
                    print(f"{way}: {a} or {b} is said to be `{chosen}`, which {one} (`{texts[one, one]}`) is not")
    print(f"choices: {len(pairs) * len(WAYS)} choices, {wrong} facts too strong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
