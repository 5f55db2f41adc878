"""Runs pairs of programs under NumPy and says how they differ: recipes_test.py starts it, with the jobs as JSON on
standard input, in the environment that has NumPy."""

from __future__ import annotations

import ast
import copy
import io
import json
import math
import sys
import warnings
from contextlib import redirect_stdout
from typing import Any

import numpy


def ramp(*shape: int, dtype: str = "float64") -> numpy.ndarray:
    count = math.prod(shape)
    return (numpy.linspace(0.1, 2.0, count) if count else numpy.zeros(0)).reshape(shape).astype(dtype)


def counts(*shape: int, dtype: str = "int64") -> numpy.ndarray:
    return (numpy.arange(math.prod(shape)) % 7).reshape(shape).astype(dtype)


def run(source: str, call: str) -> tuple[Any, Any]:
    """The result, and the arguments as the call leaves them."""
    space: dict[str, Any] = {"__name__": "program", "onp": numpy}  # as help texts call NumPy on the host
    exec(compile(source, "program", "exec"), space)
    names = {**space, "np": numpy, "ramp": ramp, "counts": counts}
    tree = ast.parse(call, mode="eval").body
    assert isinstance(tree, ast.Call)
    arguments = [eval(ast.unparse(argument), names) for argument in tree.args]
    with redirect_stdout(io.StringIO()):
        result = eval(ast.unparse(tree.func), names)(*arguments)
    return copy.deepcopy(result), arguments


def difference(a: Any, b: Any) -> str:
    if isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)):
        if len(a) != len(b) or type(a) is not type(b):
            return f"{type(b).__name__} of {len(b)} instead of {type(a).__name__} of {len(a)}"
        return next((text for x, y in zip(a, b) if (text := difference(x, y))), "")
    if isinstance(a, dict) and isinstance(b, dict):
        return difference(list(a.items()), list(b.items()))
    array = (numpy.ndarray, numpy.generic)
    if isinstance(a, array) and isinstance(b, array):
        if a.shape != b.shape:
            return f"shape {b.shape} instead of {a.shape}"
        if a.dtype != b.dtype:
            return f"{b.dtype} instead of {a.dtype}"
        exact = a.dtype.kind not in "fc"
        tolerance = 0.0 if exact else 1e-5 if a.dtype.itemsize <= 4 else 1e-12
        same = numpy.allclose(a, b, rtol=tolerance, atol=tolerance, equal_nan=not exact)
        return "" if same else f"{b} instead of {a}"
    # One number may be Python's or NumPy's.
    numbers = (bool, int, float, complex, numpy.ndarray, numpy.generic)
    if isinstance(a, numbers) and isinstance(b, numbers):
        same = numpy.shape(a) == numpy.shape(b) and numpy.allclose(a, b, rtol=1e-12, equal_nan=True)
        return "" if same else f"{b} instead of {a}"
    return "" if a == b else f"{b!r} instead of {a!r}"


def judge(job: dict[str, Any]) -> str:
    for call in job["calls"]:
        before = run(job["before"], call)
        try:
            after = run(job["after"], call)
        except Exception as error:
            return f"{call}: {type(error).__name__}: {error}"
        if text := difference(before, after):
            return f"{call}: {text}"
    return ""


def main() -> None:
    warnings.simplefilter("ignore")
    numpy.seterr(all="ignore")
    print(json.dumps({job["id"]: judge(job) for job in json.load(sys.stdin)}))


if __name__ == "__main__":
    main()
