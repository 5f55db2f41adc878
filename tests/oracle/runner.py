"""Runs jobs in the environment of the oracle and writes what came of each; oracle.py starts it and judges.

    runner.py JOBS RESULTS    one JSON value per line in both

A call may end the process. So each job is announced in RESULTS before it starts: the last one without a result is the
culprit, and oracle.py goes on behind it.
"""

from __future__ import annotations

import atexit
import copy
import importlib
import inspect
import io
import json
import operator
import pickle
import re
import shutil
import sys
import tempfile
import types
import warnings
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import cupynumeric
import numpy

LIBRARIES = {"numpy": numpy, "cupynumeric": cupynumeric}
FOLDER = Path(tempfile.mkdtemp())
IMPORT = re.compile(r"^(\s*)import numpy as np\b", re.MULTILINE)
STATEMENT = re.compile(r"\w+(\[.*\])? ([-+*/%@&|^<>]*)= ")


def encode(value: Any, depth: int = 0) -> Any:
    """A result as JSON: arrays of both libraries and NumPy's scalars alike, with where they live."""
    if isinstance(value, (numpy.ndarray, numpy.generic, cupynumeric.ndarray)):
        where = "device" if isinstance(value, cupynumeric.ndarray) else "host"
        where = "scalar" if isinstance(value, numpy.generic) else where
        host = numpy.asarray(value)
        flat = host.ravel()
        items = [[v.real, v.imag] for v in flat.tolist()] if host.dtype.kind == "c" else flat.tolist()
        if host.dtype.kind not in "biufc":
            items = [repr(item) for item in items]
        return {"array": items, "dtype": str(host.dtype), "shape": list(host.shape), "where": where}
    if isinstance(value, (list, tuple)) and depth < 4:
        return {"items": [encode(item, depth + 1) for item in value]}
    if isinstance(value, dict) and depth < 4:
        return {"items": [[repr(key), encode(item, depth + 1)] for key, item in sorted(value.items(), key=repr)]}
    if value is None or isinstance(value, (bool, int, float, str)):
        return {"value": value, "type": type(value).__name__}
    if isinstance(value, complex):
        return {"value": [value.real, value.imag], "type": "complex"}
    return {"object": type(value).__name__}


def outcome(action: Any) -> dict[str, Any]:
    try:
        with redirect_stdout(io.StringIO()) as said:
            value = action()
            result = encode(value)
    except Exception as error:
        return {"raises": type(error).__name__, "text": str(error).split("\n")[0][:200]}
    return {"result": result, "said": said.getvalue()} if said.getvalue() else {"result": result}


def run_program(job: dict[str, Any]) -> dict[str, Any]:
    """The program under one library, then a call in its namespace. `lines_before` keeps the places of jobs apart, since
    Doctor counts by line number alone."""
    library = LIBRARIES[job["library"]]
    source = "\n" * job["lines_before"] + job["source"]
    if library is cupynumeric:
        source = IMPORT.sub(r"\1import cupynumeric as np", source)
    file = FOLDER / f"{job['id']}.py"  # a real file, since Doctor reads the line
    file.write_text(source, encoding="utf-8")

    def action() -> Any:
        space = {"np": library, "onp": numpy, "math": __import__("math"), "__name__": "program"}
        exec(compile(job["setup"], "<setup>", "exec"), space)
        exec(compile(source, file, "exec"), space)
        return eval(compile(job["call"], f"<call {job['id']}>", "eval"), space)

    return outcome(action)


def find(name: str) -> Any:
    """`numpy.linalg.norm` of the table as an object of cuPyNumeric; LookupError where there is none."""
    value: Any = cupynumeric
    for part in name.split(".")[1:]:
        if value is cupynumeric and part in ("ufunc", "ndimage"):
            value = type(cupynumeric.add) if part == "ufunc" else importlib.import_module("cupynumeric.ndimage")
            continue
        if value is cupynumeric.random.Generator and part == "bit_generator":
            value = cupynumeric.random.default_rng(0)  # an attribute of the object, not of its class
        try:
            value = inspect.getattr_static(value, part) if isinstance(value, type) else getattr(value, part)
        except AttributeError:
            raise LookupError(name) from None
    return value


def signature(value: Any) -> dict[str, Any] | None:
    if isinstance(value, (classmethod, staticmethod)):
        value = value.__func__
    target = value
    if not isinstance(value, (type, types.FunctionType, types.MethodType)) and hasattr(type(value), "__call__"):
        target = getattr(value, "__call__", value)
    try:
        parameters = list(inspect.signature(target).parameters.values())
    except (TypeError, ValueError):
        return None
    if parameters and parameters[0].name in ("self", "cls"):
        parameters = parameters[1:]
    positional = [p.name for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    return {
        "parameters": [p.name for p in parameters if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)],
        "positional": positional,
        "keywords": [p.name for p in parameters if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)],
        "any_positional": any(p.kind == p.VAR_POSITIONAL for p in parameters),
        "any_keyword": any(p.kind == p.VAR_KEYWORD for p in parameters),
    }


def look_up(job: dict[str, Any]) -> dict[str, Any]:
    try:
        value = find(job["name"])
    except LookupError:
        return {"present": False}
    return {"present": True, "signature": signature(value)}


numpy.save(FOLDER / "a.npy", numpy.arange(3.0))


def operands(library: Any, dtype: str) -> dict[str, Any]:
    """The names that the calls of the tables use."""
    count = numpy.arange(12) + 1

    def make(values: Any) -> Any:
        return library.array(numpy.asarray(values).astype(dtype))

    return {
        "np": library, "onp": numpy, "copy": copy, "operator": operator, "pickle": pickle,
        "PATH": str(FOLDER / "a.npy"), "PATH2": str(FOLDER / "b.bin"),
        "x": make(count), "y": make(count[::-1]), "a": make(count.reshape(3, 4)), "b": make(count[:4]),
        "sq": make(numpy.eye(4) * 3 + 1), "t3": make(numpy.arange(24).reshape(2, 3, 4)),
        "i": library.array([2, 0, 1]), "m": library.array(numpy.arange(12) > 5), "c": library.arange(12),
        "i4": library.array([[0, 1], [1, 2], [3, 0]]),
    }  # fmt: skip


def run_call(job: dict[str, Any]) -> dict[str, Any]:
    """A call of the table, under one library, on operands of one dtype."""

    def action() -> Any:
        space = operands(LIBRARIES[job["library"]], job["dtype"])
        *first, last = job["call"].split("; ")
        for part in first:
            exec(part, space)
        if not STATEMENT.match(last):
            return eval(last, space)
        exec(last, space)
        return space[re.match(r"\w+", last)[0]]

    return outcome(action)


RUN = {"program": run_program, "name": look_up, "call": run_call}


def main() -> None:
    warnings.simplefilter("ignore")
    numpy.seterr(all="ignore")
    jobs, results = Path(sys.argv[1]), Path(sys.argv[2])
    atexit.register(shutil.rmtree, FOLDER, ignore_errors=True)
    with open(results, "a", encoding="utf-8") as out:
        for line in jobs.read_text(encoding="utf-8").splitlines():
            job = json.loads(line)
            print(json.dumps({"begins": job["id"]}), file=out, flush=True)
            print(json.dumps({"id": job["id"], **RUN[job["kind"]](job)}), file=out, flush=True)


if __name__ == "__main__":
    main()
