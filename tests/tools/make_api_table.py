#!/usr/bin/env python3
"""Makes the API support tables of cpnlint. docs/api-tables.md tells the whole story.

    make_api_table.py signatures --names SUPPORT.json    rulesets/api/numpy-2.4.json; needs a Python with NumPy 2.4
    make_api_table.py tables SUPPORT.json EXECUTED.json  rulesets/api/cupynumeric-*.json, and the C++ tables
    make_api_table.py cpp                                analyzer/api/*.inc out of cupynumeric-*.json and launches.json
    make_api_table.py --check                            the committed tables are what the committed data give

SUPPORT.json says what the library's source has (schema cpn-api-support/1), EXECUTED.json what each name did when it was
called (schema cpn-api-executed/1). Neither is part of this repository; what they say is kept in the tables.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "rulesets" / "api"
CODE = ROOT / "analyzer" / "api"
VERSIONS = ("26.06", "26.07")

DTYPES = ("bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 complex128").split()

# What NumPy 2.4 no longer has cannot be inspected there.
LEGACY_DTYPES = set(
    "float_ complex_ cfloat longfloat clongfloat longcomplex singlecomplex string_ unicode_ float96 complex192".split()
)
LEGACY_CONSTANTS = set("Inf Infinity NAN NINF NZERO NaN PINF PZERO infty sctypes sctypeDict nbytes".split())
LEGACY_MODULES = set("core compat".split())
LEGACY_CLASSES = set("deprecate".split())
INDEXERS = set("mgrid ogrid r_ c_ s_ index_exp".split())
CUPYNUMERIC_CLASSES = set("XORWOW MRG32k3a PHILOX4_32_10".split())

# Where the text of NumPy's signature says less than its parser takes.
SIGNATURES = {"numpy.arange": ["start", "stop", "step", "dtype"]}

# Messages of calls that raise for every element type: the call is at fault, and a limit says so.
CALL_AT_FAULT = ("'int' object", "cuPyNumeric's Array API", "cuPyNumeric does not currently", "memoryview")

# Parameters of NumPy that are no part of its documented interface, or that NumPy itself refuses by keyword.
NO_INTERFACE = {
    "numpy.einsum_path": {"einsum_call"},
    "numpy.ndarray.reshape": {"shape"},
    "numpy.test": {"coverage", "doctests", "durations", "extra_argv", "label", "tests", "verbose"},
}


# ---------------------------------------------------------------------------------------------------------------------
# NumPy's own signatures


def signature_row(value: Any) -> dict[str, Any]:
    import inspect
    import types

    import numpy

    if isinstance(value, numpy.ufunc):
        parameters = inspect.signature(value).parameters.values()
        defaults = {parameter.name: repr(parameter.default) for parameter in parameters
                    if parameter.default is None or isinstance(parameter.default, (bool, str))}
        return {"kind": "ufunc", "inputs": value.nin, "outputs": value.nout, "defaults": defaults}
    if isinstance(value, types.ModuleType):
        return {"kind": "module"}
    if isinstance(value, (types.GetSetDescriptorType, types.MemberDescriptorType, property)):
        return {"kind": "attribute"}
    if isinstance(value, type):
        kind = "dtype" if issubclass(value, numpy.generic) else "class"
    elif callable(value):
        kind = "function"
    elif isinstance(value, (int, float, str, type(None), numpy.generic, dict, list, tuple)):
        return {"kind": "constant"}
    else:
        return {"kind": "object"}
    row: dict[str, Any] = {"kind": kind}
    try:
        parameters = list(inspect.signature(value).parameters.values())
    except (TypeError, ValueError):
        return row
    if parameters and parameters[0].name in ("self", "cls"):
        parameters = parameters[1:]
    positional, defaults = [], {}
    for parameter in parameters:
        if parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD):
            positional.append(parameter.name)
        elif parameter.kind == parameter.VAR_POSITIONAL:
            positional.append("*" + parameter.name)
        default = parameter.default
        if default is None or isinstance(default, (bool, int, float, str, tuple)):
            defaults[parameter.name] = repr(default)
        elif isinstance(default, type) and default in (int, float, bool, complex):
            defaults[parameter.name] = default.__name__
        elif isinstance(default, type) and issubclass(default, numpy.generic):
            defaults[parameter.name] = default.__name__
    row["positional"] = positional
    if defaults:
        row["defaults"] = defaults
    return row


def make_signatures(names_file: Path) -> None:
    import numpy

    if not numpy.__version__.startswith("2.4."):
        sys.exit(f"this is NumPy {numpy.__version__}; the tables are made with 2.4")
    names = [entry["name"] for entry in json.loads(names_file.read_text())["entries"]]
    names += [f"numpy.random.RandomState.{name}" for name in dir(numpy.random.RandomState) if not name.startswith("_")]
    rows = {}
    for name in sorted(set(names)):
        value: Any = numpy
        try:
            for part in name.split(".")[1:]:
                value = getattr(value, part)
        except AttributeError:
            continue
        row = signature_row(value)
        if name == "numpy.ndarray.__hash__":  # None in NumPy: an array has no hash
            row = {"kind": "function"}
        if name in SIGNATURES:
            row["positional"] = SIGNATURES[name]
        if row["kind"] == "function" and re.match(r"numpy\.(ndarray|ufunc|random\.(Generator|RandomState))\.", name):
            row["kind"] = "method"
        rows[name] = row
    head = {"schema": "cpnlint-numpy-signatures/1", "numpy_version": numpy.__version__}
    write_json(DATA / "numpy-2.4.json", head, rows)


# ---------------------------------------------------------------------------------------------------------------------
# Rows out of the data files


def keyword_row(name: str, text: str) -> dict[str, Any]:
    """One restriction of a keyword, from the words of the support table."""
    row: dict[str, Any] = {"name": name}
    renamed = re.match(r"renamed to '(\w+)': TypeError", text)
    if text == "absent: TypeError":
        return row | {"behaviour": "absent", "raises": "TypeError"}
    if renamed:
        return row | {"behaviour": "renamed", "raises": "TypeError", "to": renamed[1]}
    not_implemented = {"behaviour": "value", "raises": "NotImplementedError"}
    fixed = {
        "ignored": {"behaviour": "ignored"},
        "True only, else NotImplementedError": not_implemented
        | {"accepted": "True", "note": "anything but True raises NotImplementedError"},
        "True: NotImplementedError": not_implemented
        | {"accepted": "False", "rejected": "True", "note": "True raises NotImplementedError"},
        'anything but "same": NotImplementedError (default is "full")': not_implemented
        | {"accepted": "'same'", "note": "anything but 'same' raises NotImplementedError, NumPy's default 'full' too"},
        "negative: NotImplementedError": not_implemented
        | {"rejected": "<0", "note": "a negative number raises NotImplementedError"},
        '2, -2 and "nuc" on matrices: NotImplementedError': not_implemented
        | {"rejected": "2|-2|'nuc'",
           "note": "2, -2 and 'nuc' raise NotImplementedError for a matrix; vector norms work"},
        "not None: ValueError": {
            "behaviour": "value", "raises": "ValueError", "accepted": "None",
            "note": "anything but None raises ValueError"},
        "only int16/int32/int64, else NotImplementedError": not_implemented
        | {"accepted": "int16|int32|int64", "note": "a dtype but int16, int32 and int64 raises NotImplementedError"},
        "only uint32": {
            "behaviour": "value", "raises": "an error", "accepted": "uint32", "note": "only uint32 works"},
        "float32/float64 only": {
            "behaviour": "value", "raises": "an error", "accepted": "float32|float64",
            "note": "only float32 and float64 work"},
        "F: host fallback": {
            "behaviour": "host", "accepted": "'C'|'A'", "rejected": "'F'",
            "note": "'F' sends the whole array through host NumPy"},
        "F/K: host fallback": {
            "behaviour": "host", "accepted": "'C'|'A'", "rejected": "'F'|'K'",
            "note": "'F' sends the whole array through host NumPy; 'K' raises ValueError when executed"},
        "F: host fallback; A/C native": {
            "behaviour": "host", "accepted": "'C'|'A'", "rejected": "'F'",
            "note": "'F' sends the whole array through host NumPy"},
        "False with complex: host fallback": {
            "behaviour": "host", "accepted": "True", "note": "False sends complex data through host NumPy"},
        "same dtype: returns self regardless": {
            "behaviour": "differs", "note": "the same dtype gives the array itself, even with copy=True"},
        "raise blocks (bounds check)": {
            "behaviour": "differs", "accepted": "'clip'|'wrap'", "rejected": "'raise'",
            "note": "'raise', the default, waits for a test of the bounds"},
    }
    if text == "NotImplementedError":
        if name in ("return_index", "return_inverse", "return_counts"):
            return row | not_implemented | {
                "accepted": "False", "rejected": "True", "note": "True raises NotImplementedError"}
        if name in ("order", "axis"):
            return row | not_implemented | {
                "accepted": "None", "note": "anything but None raises NotImplementedError"}
        return row | not_implemented | {"rejected": "*", "note": "raises NotImplementedError whatever the value"}
    if text not in fixed:
        sys.exit(f"unknown words for the keyword {name}: {text}")
    return row | fixed[text]


def keyword_rows(name: str, behaviours: dict[str, str], executed: dict[str, Any],
                 defaults: dict[str, str]) -> list[dict[str, Any]]:
    rows = {keyword: keyword_row(keyword, text) for keyword, text in behaviours.items()}
    if name in ("numpy.ndarray.ravel", "numpy.ndarray.flatten"):  # executed: 'K' is a ValueError
        rows["order"]["note"] += "; 'K' raises ValueError when executed"
        rows["order"]["rejected"] = "'F'|'K'"
    if executed.get("params") is not None:
        for keyword in executed["missing_params"]:
            if keyword in rows or keyword in NO_INTERFACE.get(name, ()):
                continue
            to = executed["extra_params"][0] if len(executed["extra_params"]) == 1 else ""
            gap = {"behaviour": "renamed", "to": to} if to else {"behaviour": "absent"}
            rows[keyword] = {"name": keyword, **gap, "raises": "TypeError",
                             "note": "not in the table of the source; seen in the signature of 26.6.1"}
    for keyword, row in rows.items():
        if keyword in defaults:
            row["numpy_default"] = defaults[keyword]
    return [rows[keyword] for keyword in sorted(rows)]


def dtype_rows(executed: dict[str, Any]) -> list[dict[str, Any]]:
    """Which element types raise, end the process, or give another result, in runs of equal behaviour."""
    ending = executed.get("dtypes_ending_process", [])
    groups: dict[tuple[str, ...], list[str]] = {}
    if ending:
        groups[("ends the process", "", "", "", "")] = list(ending)
    raising = {dtype: text for dtype, text in executed.get("dtypes_raising", {}).items() if dtype not in ending}
    for dtype, text in raising.items():
        error, _, message = text.partition(":")
        message = re.sub(r"\s*=+.*", "", message.strip()).rstrip(": ")
        if "FFT is not yet supported on CPU" in message or not message:
            continue
        if message.startswith(CALL_AT_FAULT):
            continue
        if "doesn't" in message and len(raising) >= 12:
            continue
        for known in DTYPES:
            message = message.replace(f"<class 'numpy.{known}'>", "{dtype}")
            message = message.replace(f"Unsupported type: {known}", "Unsupported type: {dtype}")
        message = message.replace("LEGATE ERROR", "a Legate error")
        groups.setdefault(("raises", error, "", "", message), []).append(dtype)
    for dtype, text in executed.get("dtype_differs", {}).items():
        differs = re.fullmatch(r"(\w+) \(NumPy (\w+)\)", text)
        if differs:
            groups.setdefault(("other dtype", "", differs[1], differs[2], ""), []).append(dtype)
        else:
            words = text.removeprefix("wrong value").strip(" :()")
            groups.setdefault(("wrong value", "", "", "", words), []).append(dtype)
    rows = []
    for (effect, raises, here, numpy, text), dtypes in groups.items():
        row: dict[str, Any] = {"dtypes": sorted(dtypes, key=DTYPES.index), "effect": effect}
        for key, value in (("raises", raises), ("here", here), ("numpy", numpy), ("text", text)):
            if value:
                row[key] = value
        rows.append(row)
    return sort_dtype_rows(rows)


def sort_dtype_rows(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    effects = ("raises", "ends the process", "other dtype", "wrong value")
    return sorted(rows, key=lambda row: (effects.index(row["effect"]), DTYPES.index(row["dtypes"][0])))


def kind_of(name: str, entry: dict[str, Any], executed: dict[str, Any], signature: dict[str, Any]) -> str:
    last = name.rsplit(".", 1)[-1]
    if executed.get("kind") == "ufunc" or (entry["notes"].startswith("ufunc") and entry["status"] == "multi"):
        return "ufunc"
    if last in INDEXERS:
        return "object"
    if signature:
        kind = signature["kind"]
        if kind == "ufunc" and entry["status"] != "missing":
            return "function"  # matmul is a ufunc in NumPy and a function here
        return kind
    for kind, names in (("dtype", LEGACY_DTYPES), ("constant", LEGACY_CONSTANTS), ("module", LEGACY_MODULES),
                        ("class", LEGACY_CLASSES | CUPYNUMERIC_CLASSES)):
        if last in names:
            return kind
    return "method" if re.search(r"\.(ndarray|ufunc|Generator)\.", name) else "function"


def returns_of(executed: dict[str, Any]) -> str:
    return {"cupynumeric": "device", "numpy": "host array", "scalar": "scalar", "none": "none", "other": "other"}.get(
        executed.get("returns") or "", "")


def ufunc_shape(name: str, entry: dict[str, Any], signature: dict[str, Any],
                signatures: dict[str, Any]) -> tuple[int, int]:
    if signature.get("kind") == "ufunc":
        return signature["inputs"], signature["outputs"]
    alias = re.search(r"alias of (\w+)", entry["notes"])
    if alias:
        row = signatures[f"numpy.{alias[1]}"]
        return row["inputs"], row["outputs"]
    sys.exit(f"{name}: how many operands does this ufunc have?")


def make_row(name: str, entry: dict[str, Any], executed: dict[str, Any], behaviours: dict[str, str], source: str,
             signatures: dict[str, Any]) -> dict[str, Any]:
    signature = signatures.get(name, {})
    kind = kind_of(name, entry, executed, signature)
    row: dict[str, Any] = {"status": entry["status"], "kind": kind}
    if entry["status"] == "missing":
        row["raises"] = "AttributeError"
    elif returns_of(executed):
        row["returns"] = returns_of(executed)
    if entry["notes"].startswith("host object re-exported"):
        row["host_object"] = True
    if kind == "ufunc" and entry["status"] != "missing":
        row["inputs"], row["outputs"] = ufunc_shape(name, entry, signature, signatures)
    if executed.get("params") and entry["status"] != "missing":
        row["parameters"] = executed["params"]
    positional = signature.get("positional", [])
    if positional and positional != row.get("parameters"):
        row["numpy_parameters"] = positional
    keywords = keyword_rows(name, behaviours, executed, signature.get("defaults", {}))
    if keywords and entry["status"] != "missing":
        row["keywords"] = keywords
    if entry["status"] != "missing":
        dtypes = dtype_rows(executed)
        if dtypes:
            row["dtypes"] = dtypes
    note = entry["notes"]
    if note and note not in ("ufunc", "host attr", "none"):
        row["note"] = note.removeprefix("ufunc; ")
    if entry["status"] == "missing" and note in ("AttributeError", "raises NotImplementedError"):
        row.pop("note")
    if executed.get("called", "not_called") != "not_called" or executed.get("status") in ("absent", "leaked"):
        row["executed"] = True
    if executed.get("call"):
        row["call"] = executed["call"]
    if source:
        row["source"] = source
    return row


# ---------------------------------------------------------------------------------------------------------------------
# The overlay


def full_name(short: str) -> str:
    return short if short.startswith("cupynumeric.") else f"numpy.{short}"


LISTS = ("limits", "waits", "dtypes")
FLAGS = ("owner", "one_device", "one_device_note", "unbound", "view", "copy", "throws", "disagreement")
PLAIN = ("status", "returns", "raises", *FLAGS)
OVERLAID = ("limits", "waits", "substitute", *FLAGS)   # what the overlay alone holds


def apply_overlay(rows: dict[str, dict[str, Any]], version: str, overlay: dict[str, Any]) -> None:
    """Lays the hand-written part over the rows. Doing it twice changes nothing, so that a check can repeat it."""
    for row in rows.values():
        for key in OVERLAID:
            row.pop(key, None)
    for layer in overlay["rows"]:
        if version not in layer.get("versions", VERSIONS):
            continue
        names = [full_name(name) for name in layer["names"]]
        if names == ["numpy.*has size*"]:
            names = [name for name, row in rows.items() if name.startswith("numpy.random.")
                     and row["status"] != "missing" and "size" in row.get("parameters", ())]
        for name in names:
            if "add" in layer:
                rows.setdefault(name, dict(layer["add"]))
            row = rows.get(name)
            if row is None:
                sys.exit(f"overlay: {version} has no {name}")
            overlay_row(name, row, layer)
    for layer in overlay["substitutes"]:
        if version not in layer.get("versions", VERSIONS):
            continue
        for name in map(full_name, layer["names"]):
            if rows[name]["status"] != "missing":
                sys.exit(f"overlay: a substitute for {name}, which {version} has")
            substitute = {key: layer[key] for key in ("fix", "host", "to", "text", "same", "when") if key in layer}
            if "to" in substitute:
                substitute["to"] = full_name(substitute["to"])
            rows[name]["substitute"] = substitute


def overlay_row(name: str, row: dict[str, Any], layer: dict[str, Any]) -> None:
    for key in PLAIN:
        if key in layer:
            if key == "raises" and layer[key] == "nothing":
                row.pop("raises", None)
            else:
                row[key] = layer[key]
    for key in LISTS:
        for item in layer.get(key, ()):
            if item not in row.setdefault(key, []):
                row[key].append(item)
    for keyword in layer.get("keywords", ()):
        row["keywords"] = [keyword if old["name"] == keyword["name"] else old for old in row["keywords"]]
    if "dtypes" in layer:
        row["dtypes"] = sort_dtype_rows(row["dtypes"])
    if "dtype_text" in layer:
        split_dtype_texts(row, layer["dtype_text"])


def split_dtype_texts(row: dict[str, Any], texts: dict[str, str]) -> None:
    """Adds words to the dtype rows of some element types; a row of types with different words becomes several."""
    rows = []
    for gap in row.get("dtypes", ()):
        groups: dict[str, list[str]] = {}
        for dtype in gap["dtypes"]:
            wanted = texts.get(dtype) if gap["effect"] in ("ends the process", "other dtype") else None
            groups.setdefault(wanted or gap.get("text", ""), []).append(dtype)
        for text, dtypes in groups.items():
            part = gap | {"dtypes": dtypes}
            part.pop("text", None)
            if text:
                part["text"] = text
            rows.append(part)
    row["dtypes"] = sort_dtype_rows(rows)


# ---------------------------------------------------------------------------------------------------------------------
# The tables


def make_rows(version: str, support: dict[str, Any], executed: dict[str, Any],
              signatures: dict[str, Any]) -> dict[str, Any]:
    later = set(executed["only_from_26.07"]) if version == "26.06" else set()
    rows = {}
    for entry in support["entries"]:
        name = entry["name"]
        if name in later:
            entry = entry | {"status": "missing", "notes": "exists from 26.07 on"}
        ran = executed["entries"].get(name, {})
        if name in executed["only_from_26.07"] and version != "26.06":
            ran = {}
        source = "" if name in later else support["evidence"].get(name, "")
        rows[name] = make_row(name, entry, ran, support["kwarg_behaviour"].get(name, {}), source, signatures)
    for entry in support["cupynumeric_only"]:
        absent = {keyword: "absent: TypeError" for keyword in entry["unsupported_kwargs"]}
        if entry["name"] == "cupynumeric.ndimage.convolve":
            absent = {"axes": "NotImplementedError"}
        rows[entry["name"]] = make_row(entry["name"], entry, {}, absent, "", signatures)
    for name, signature in signatures.items():
        if name.startswith("numpy.random.RandomState.") and name not in rows:
            rows[name] = {"status": "missing", "kind": signature["kind"], "raises": "AttributeError",
                          "numpy_parameters": signature.get("positional", []),
                          "note": "RandomState has a constructor only"}
    return rows


def write_json(path: Path, head: dict[str, Any], rows: dict[str, Any]) -> None:
    path.write_text(json_text(head, rows))
    print(f"{path.relative_to(ROOT)}: {len(rows)} entries")


def json_text(head: dict[str, Any], rows: dict[str, Any]) -> str:
    lines = ["{"]
    lines += [f"{json.dumps(key)}: {json.dumps(value, ensure_ascii=True)}," for key, value in head.items()]
    lines.append('"entries": {')
    entries = [f"{json.dumps(name)}: {json.dumps(rows[name], ensure_ascii=True)}" for name in sorted(rows)]
    lines.append(",\n".join(entries))
    lines += ["}", "}", ""]
    return "\n".join(lines)


def order_fields(row: dict[str, Any]) -> dict[str, Any]:
    known = ("status kind returns raises host_object owner inputs outputs parameters numpy_parameters keywords limits "
             "dtypes waits unbound one_device one_device_note view copy throws substitute note disagreement executed "
             "call source").split()
    unknown = set(row) - set(known)
    if unknown:
        sys.exit(f"unknown fields {sorted(unknown)}")
    return {key: row[key] for key in known if key in row and row[key] != []}


def make_tables(support_file: Path, executed_file: Path) -> None:
    support = json.loads(support_file.read_text())
    executed = json.loads(executed_file.read_text())
    if support["schema"] != "cpn-api-support/1" or executed["schema"] != "cpn-api-executed/1":
        sys.exit("these are not the two data files")
    signatures = json.loads((DATA / "numpy-2.4.json").read_text())
    overlay = json.loads((DATA / "overlay.json").read_text())
    for version in VERSIONS:
        rows = make_rows(version, support, executed, signatures["entries"])
        apply_overlay(rows, version, overlay)
        check_rows(version, rows)
        missing = "" if version == support["cupynumeric_version"] else (
            "; names that only 26.07 has are missing, everything else is the row of 26.07")
        head = {
            "schema": "cpnlint-api/1",
            "library": "cupynumeric",
            "version": version,
            "provenance": {
                "names": f"source of cuPyNumeric {support['cupynumeric_version']} compared with "
                         f"{support['numpy_reference']}{missing}",
                "executed": f"every name called with small operands on cuPyNumeric {executed['cupynumeric_version']}, "
                            f"Legate {executed['legate_version']}, NumPy {executed['numpy_version']}, "
                            f"Python {executed['python']}, {executed['processors']}",
                "signatures": f"NumPy {signatures['numpy_version']}",
                "overlay": "rulesets/api/overlay.json: waits, limits, routing, owners, substitutes",
            },
        }
        write_json(DATA / f"cupynumeric-{version}.json", head, {name: order_fields(row) for name, row in rows.items()})


def check_rows(version: str, rows: dict[str, Any]) -> None:
    """What a table promises: renames lead to names it has, and code for a missing name uses only names it has."""
    problems = []
    for name, row in rows.items():
        substitute = row.get("substitute", {})
        if "to" in substitute and rows.get(substitute["to"], {}).get("status", "missing") == "missing":
            problems.append(f"{name}: its substitute {substitute['to']} is missing")
        for used in re.findall(r"\bnp((?:\.\w+)+)", substitute.get("text", "")):
            found = rows.get("numpy" + used)
            if found is None or found["status"] == "missing":
                problems.append(f"{name}: its substitute uses np{used}, which is missing")
        if row["status"] == "missing" and ("waits" in row or "keywords" in row):
            problems.append(f"{name}: missing, and yet it has keywords or waits")
    if problems:
        sys.exit(f"{version}:\n" + "\n".join(problems))


# ---------------------------------------------------------------------------------------------------------------------
# C++


def camel(words: str) -> str:
    return "k" + "".join(word[:1].upper() + word[1:] for word in re.split(r"[ _-]", words))


def text(value: str) -> str:
    return json.dumps(value, ensure_ascii=True)


class Pool:
    """Arrays that rows point into; equal ones are kept once."""

    def __init__(self, prefix: str, type_name: str) -> None:
        self.prefix, self.type_name, self.arrays = prefix, type_name, {}

    def add(self, items: list[str]) -> str:
        body = ", ".join(items)
        return self.arrays.setdefault(body, f"{self.prefix}{len(self.arrays)}")

    def lines(self) -> list[str]:
        return [f"constexpr {self.type_name} {name}[] = {{{body}}};" for body, name in self.arrays.items()]


def designated(pairs: list[tuple[str, str]]) -> str:
    return "{" + ", ".join(f".{field} = {value}" for field, value in pairs if value) + "}"


def keyword_cpp(row: dict[str, Any]) -> str:
    return designated([
        ("name", text(row["name"])),
        ("behaviour", "Behaviour::" + camel(row["behaviour"])),
        ("raises", raises_cpp(row)),
        *[(field, text(row[field]))
          for field in ("to", "accepted", "rejected", "numpy_default", "note") if field in row],
    ])


def raises_cpp(row: dict[str, Any]) -> str:
    value = row.get("raises", "")
    if not value:
        return ""
    return "Raises::" + {"an error": "kError", "ends the process": "kEndsProcess"}.get(value, camel(value))


def limit_cpp(row: dict[str, Any]) -> str:
    return designated([
        ("kind", "LimitKind::" + camel(row["kind"])), ("raises", raises_cpp(row)), ("text", text(row["text"]))])


def dtype_cpp(row: dict[str, Any]) -> str:
    effects = {"raises": "kRaises", "ends the process": "kEndsProcess", "other dtype": "kOtherDtype",
               "wrong value": "kWrongValue"}
    whens = {"with axis=None": "kWholeArray", "with axis=": "kWithAxis", "with False in the divisor": "kZeroDivisor"}
    bits = sum(1 << DTYPES.index(dtype) for dtype in row["dtypes"])
    when = whens.get(row.get("text", ""), "")
    return designated([
        ("dtypes", f"0x{bits:04x}"), ("effect", "DtypeEffect::" + effects[row["effect"]]),
        ("when", when and f"GapWhen::{when}"), ("raises", raises_cpp(row)),
        *[(field, text(row[field])) for field in ("here", "numpy", "text") if field in row]])


def wait_cpp(row: dict[str, Any]) -> str:
    return designated([
        ("when", "WaitWhen::" + camel(row["when"])),
        ("count", str(row["count"]) if "count" in row else ""),
        ("gathers", "true" if row.get("gathers") else ""),
        ("bounds_check", "true" if row.get("bounds_check") else ""),
        ("rule", str(row.get("rule", ""))),
        ("parameters", text(" ".join(row["parameters"])) if "parameters" in row else ""),
        ("cause", text(row["cause"])),
        ("instead", text(row["instead"]) if "instead" in row else "")])


def substitute_cpp(row: dict[str, Any]) -> str:
    return designated([
        ("fix", "Fix::" + camel(row["fix"])), ("rename", "true" if "to" in row else ""),
        ("host", "true" if row.get("host") else ""),
        *[(field, text(row[field])) for field in ("to", "text", "same", "when") if field in row]])


RETURNS = {"device": "kDevice", "devices": "kDevices", "host array": "kHostArray", "scalar": "kScalar", "none": "kNone",
           "other": "kOther"}


def entry_cpp(name: str, row: dict[str, Any], pools: dict[str, Pool]) -> str:
    def pooled(key: str, items: list[str]) -> str:
        return pools[key].add(items) if items else ""

    flags = [(flag, "true" if row.get(flag) else "") for flag in ("view", "copy", "throws", "host_object", "executed")]
    numpy_parameters = row.get("numpy_parameters", row.get("parameters", []))
    return designated([
        ("name", text(name)),
        ("status", "Status::" + camel(row["status"])),
        ("kind", "Kind::" + camel(row["kind"])),
        ("returns", "Returns::" + RETURNS[row["returns"]] if "returns" in row else ""),
        ("raises", raises_cpp(row)),
        ("owner", str(row.get("owner", ""))),
        ("one_device", "OneDevice::" + camel(row["one_device"]) if "one_device" in row else ""),
        ("unbound", "Unbound::" + camel(row["unbound"]) if "unbound" in row else ""),
        *flags,
        ("inputs", str(row.get("inputs", ""))),
        ("outputs", str(row.get("outputs", ""))),
        *[(field, text(row[field])) for field in ("one_device_note", "note", "disagreement") if field in row],
        ("parameters", pooled("names", [text(item) for item in row.get("parameters", [])])),
        ("numpy_parameters", pooled("names", [text(item) for item in numpy_parameters])),
        ("keywords", pooled("keywords", [keyword_cpp(item) for item in row.get("keywords", [])])),
        ("limits", pooled("limits", [limit_cpp(item) for item in row.get("limits", [])])),
        ("dtypes", pooled("dtypes", [dtype_cpp(item) for item in row.get("dtypes", [])])),
        ("waits", pooled("waits", [wait_cpp(item) for item in row.get("waits", [])])),
        ("substitute", substitute_cpp(row["substitute"]) if "substitute" in row else ""),
    ])


def cpp_text(table: dict[str, Any]) -> str:
    pools = {
        "names": Pool("kNames", "std::string_view"), "keywords": Pool("kKeywords", "Keyword"),
        "limits": Pool("kLimits", "Limit"), "dtypes": Pool("kDtypes", "DtypeGap"), "waits": Pool("kWaits", "Wait")}
    entries = [entry_cpp(name, row, pools) for name, row in sorted(table["entries"].items())]
    provenance = table["provenance"]
    source = f"rulesets/api/cupynumeric-{table['version']}.json"
    lines = [f"// Made by tests/tools/make_api_table.py out of {source}; do not edit."]
    for pool in pools.values():
        lines += pool.lines()
    lines.append("constexpr std::string_view kProvenance =")
    lines.append(f"    {text(provenance['names'] + '. Executed: ' + provenance['executed'] + '.')};")
    lines.append("constexpr Entry kEntries[] = {")
    lines += [f"    {entry}," for entry in entries]
    lines += ["};", ""]
    return "\n".join(lines)


def cpp_path(version: str) -> Path:
    return CODE / f"table_{version.replace('.', '_')}.inc"


LAUNCHES = CODE / "launches.inc"


def launches_text() -> str:
    table = json.loads((DATA / "launches.json").read_text(encoding="utf-8"))
    lines = ["// Made by tests/tools/make_api_table.py out of rulesets/api/launches.json; do not edit."]
    lines.append("constexpr Launches kLaunches[] = {")
    for row in sorted(table["rows"], key=lambda row: row["name"]):
        words = " | ".join(f"LaunchWord({text(word)})" for word in row["when"]) or "0"
        numbers = f"{row['launches']}, {row.get('divided', row['launches'])}, {row.get('each', 0)}"
        lines.append(f"    {{{text(row['name'])}, {words}, {numbers}, {text(row['call'])}, {text(row['seen'])}}},")
    return "\n".join([*lines, "};", ""])


def make_cpp() -> None:
    LAUNCHES.write_text(launches_text(), encoding="utf-8")
    print(LAUNCHES.relative_to(ROOT))
    for version in VERSIONS:
        table = json.loads((DATA / f"cupynumeric-{version}.json").read_text())
        path = cpp_path(version)
        path.write_text(cpp_text(table))
        print(path.relative_to(ROOT))


def check() -> None:
    """Repeats every step whose inputs are committed; ends the run where a committed file is not what they give."""
    overlay = json.loads((DATA / "overlay.json").read_text())
    stale = []
    if LAUNCHES.read_text(encoding="utf-8") != launches_text():
        stale.append(f"{LAUNCHES.relative_to(ROOT)} is not made of rulesets/api/launches.json: run make_api_table.py cpp")
    for version in VERSIONS:
        path = DATA / f"cupynumeric-{version}.json"
        committed = path.read_text()
        table = json.loads(committed)
        if cpp_path(version).read_text() != cpp_text(table):
            stale.append(f"{cpp_path(version).relative_to(ROOT)} is not made of {path.relative_to(ROOT)}: "
                         "run make_api_table.py cpp")
        rows = table.pop("entries")
        apply_overlay(rows, version, overlay)
        check_rows(version, rows)
        if json_text(table, {name: order_fields(row) for name, row in rows.items()}) != committed:
            stale.append(f"{path.relative_to(ROOT)} does not agree with rulesets/api/overlay.json: "
                         "run make_api_table.py tables")
    if stale:
        sys.exit("\n".join(stale))
    print(f"the tables of {', '.join(VERSIONS)} are what the data give")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="the committed tables are what the committed data give")
    commands = parser.add_subparsers(dest="command")
    signatures = commands.add_parser("signatures", help="NumPy's own signatures")
    signatures.add_argument("--names", type=Path, required=True, metavar="SUPPORT.json")
    tables = commands.add_parser("tables", help="the tables out of the two data files")
    tables.add_argument("support", type=Path)
    tables.add_argument("executed", type=Path)
    commands.add_parser("cpp", help="the C++ tables")
    arguments = parser.parse_args()
    if arguments.check:
        check()
    elif arguments.command == "signatures":
        make_signatures(arguments.names)
    elif arguments.command == "tables":
        make_tables(arguments.support, arguments.executed)
        make_cpp()
    elif arguments.command == "cpp":
        make_cpp()
    else:
        parser.error("say what to make, or --check")


if __name__ == "__main__":
    main()
