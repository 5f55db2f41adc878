#!/usr/bin/env python3
"""Checks the table of tests/unit/model_cases.inc against the installed NumPy.

    model_oracle.py tests/unit/model_cases.inc         exit status 1 where the table says what NumPy contradicts
    model_oracle.py --print 'numpy.sum(f64[3,4])'      what NumPy gives for one call

A row is {"call", "result"}. In a call, `f64[3,4]` is an array, `scalar(f32)` a NumPy scalar, `rng` a Generator; the rest is
Python. In a result, `?` and `...` leave open what NumPy says; everything else must agree.
"""

import argparse
import operator
import pathlib
import re
import sys
import warnings

import numpy

SHORT = {
    "bool": "bool", "int8": "i8", "int16": "i16", "int32": "i32", "int64": "i64", "uint8": "u8", "uint16": "u16",
    "uint32": "u32", "uint64": "u64", "float16": "f16", "float32": "f32", "float64": "f64", "complex64": "c64",
    "complex128": "c128", "float128": "longdouble", "complex256": "clongdouble", "object": "object",
}
# Python bools and ints of NumPy that are 0-d arrays on the device.
DEVICE_ZERO_D = {"allclose", "array_equal", "array_equiv", "count_nonzero"}


class Maker:
    def __init__(self, dtype):
        self.dtype = dtype

    def __getitem__(self, shape):
        # Ones keep divisions, solves and index arrays valid; a square matrix is regular.
        array = numpy.ones(shape, self.dtype)
        if array.ndim >= 2 and array.shape[-1] == array.shape[-2] and self.dtype not in ("bool", "object"):
            array = array + numpy.eye(array.shape[-1], dtype=self.dtype)
        return array


class Operators:
    def __getattr__(self, name):
        return getattr(operator, name)


def index(array, *keys):
    return array[keys if len(keys) != 1 else keys[0]]


def scope():
    names = {short: Maker(long) for long, short in SHORT.items()}
    names.update(numpy=numpy, op=Operators(), index=index, attr=getattr, rng=numpy.random.default_rng(1),
                 scalar=lambda maker: numpy.dtype(maker.dtype).type(1))
    names.update({long: getattr(numpy, long) for long in SHORT if long not in ("bool", "object")})
    names["bool"] = BoolName()
    return names


class BoolName(Maker):
    """`bool` names a builtin as a dtype and a maker of arrays as `bool[3]`."""

    def __init__(self):
        super().__init__("bool")

    def __call__(self, value):
        return bool(value)


def short(dtype):
    if dtype.kind == "U":
        return "str"
    return SHORT.get(dtype.name, dtype.name)


def describe(value, name, scalars_only):
    if isinstance(value, numpy.ndarray):
        return f"{short(value.dtype)}[{', '.join(map(str, value.shape))}]"
    if isinstance(value, numpy.dtype):
        return f"dtype {short(value)}"
    if isinstance(value, type) and issubclass(value, numpy.generic):
        return f"dtype {short(numpy.dtype(value))}"
    if isinstance(value, numpy.generic):
        number = scalars_only or name == "numpy.linalg.lstsq"  # the rank
        return f"scalar {short(value.dtype)}" if number else f"{short(value.dtype)}[]"
    if value is None:
        return "None"
    bare = name.split(".")[-1]
    if bare in DEVICE_ZERO_D:
        return f"{short(numpy.asarray(value).dtype)}[]"
    if name.startswith("numpy.random.") and isinstance(value, (int, float)):
        # One draw is an array on the device: of shape (1,), but of these.
        shape = "" if bare in ("rand", "randn", "randint", "random_integers", "integers", "choice") else "1"
        return f"{short(numpy.asarray(value).dtype)}[{shape}]"
    if isinstance(value, bool):
        return "bool"
    if isinstance(value, int):
        return f"int {value}"
    if isinstance(value, (float, complex, str, bytes)):
        return type(value).__name__
    if isinstance(value, (tuple, list)):
        kind = "list" if isinstance(value, list) else "tuple"
        return f"{kind}({', '.join(describe(v, name, scalars_only) for v in value)})"
    return f"? {type(value).__name__}"


def evaluate(call):
    name = call.split("(", 1)[0]
    python = re.sub(r"\b(bool|[iufc]\d+|object)\[\]", r"\1[()]", call)
    has_array = re.search(r"\[|^index|^attr", python[len(name):]) is not None
    python = re.sub(r"(numpy\.(?:mgrid|ogrid|r_|c_))\((.*)\)$", r"index(\1, \2)", python)
    python = re.sub(r"\bdtype=bool\b", "dtype='bool'", python)
    with warnings.catch_warnings(), numpy.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        value = eval(python, scope())  # the table is ours
    elementwise = isinstance(getattr(numpy, name.split(".")[-1], None), numpy.ufunc) or name.split(".")[-1] in SHORT
    elementwise = elementwise or name.split(".")[-1] in ("clip", "round", "real", "isclose", "nan_to_num")
    return describe(value, name, elementwise and not has_array)


def agrees(claimed, real):
    claimed = re.sub(r" unbounded\b", "", claimed)
    pattern = re.escape(claimed).replace(re.escape("[...]"), r"\[[^\]]*\]").replace(re.escape("?"), r".+?")
    if claimed in ("?", "list(?)"):
        return True
    pattern = re.sub(r"^(list|tuple)\\\((.*)\\\)$", lambda m: open_list(m, real), pattern)
    real = re.sub(r"^list\((int \d+)(, int \d+)*\)$", "list(int)", real)
    pattern = re.sub(r"\bint$", r"int( -?\\d+)?", pattern)
    return re.fullmatch(pattern, real) is not None


def open_list(match, real):
    """A container of one form stands for any number of them."""
    inner = match.group(2)
    if real.count("[") > 1 and match.group(0).count(r"\[") == 1:
        return rf"{match.group(1)}\({inner}(, {inner})*\)"
    return match.group(0)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("table", nargs="?", type=pathlib.Path)
    parser.add_argument("--print", dest="call", help="print what NumPy gives for one call")
    args = parser.parse_args()
    if args.call:
        print(evaluate(args.call))
        return 0
    rows = re.findall(r'\{"((?:[^"\\]|\\.)*)", "((?:[^"\\]|\\.)*)"\}', args.table.read_text())
    wrong = exact = 0
    for call, claimed in rows:
        try:
            real = evaluate(call)
        except Exception as error:  # whatever NumPy raises is the finding
            real = f"raises {type(error).__name__}: {error}"
        exact += real == re.sub(r" unbounded\b", "", claimed)
        if not agrees(claimed, real):
            wrong += 1
            print(f"{call}\n    table: {claimed}\n    NumPy: {real}")
    print(f"NumPy {numpy.__version__}: {len(rows)} rows, {exact} say all that NumPy says, {wrong} are wrong")
    return 1 if wrong or not rows else 0


if __name__ == "__main__":
    sys.exit(main())
