"""The API table of the installed version against the installed package."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import variants

ROOT = Path(__file__).resolve().parents[2]
DTYPES = "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 complex128".split()
# Functions of integers only: their calls take int64 where others take float64.
OF_INTEGERS = set(
    "invert bitwise_not bitwise_and bitwise_or bitwise_xor gcd lcm left_shift right_shift bitwise_count".split()
)
OTHER_VALUES = ("random", "empty", "__version__")  # calls whose values or texts need not agree


def table(file: str) -> dict[str, dict[str, Any]]:
    """The rows of `cupynumeric-26.06` or `numpy-2.4`."""
    path = ROOT / "rulesets" / "api" / f"{file}.json"
    return json.loads(path.read_text(encoding="utf-8"))["entries"]


def call_dtype(name: str) -> str:
    last = name.rsplit(".", 1)[1]
    bare = last.strip("_")
    integer = last in OF_INTEGERS or bare.lstrip("ri") in {"and", "or", "xor", "lshift", "rshift"} or bare == "invert"
    return "int64" if integer else "float64"


def jobs(entries: dict[str, dict[str, Any]]) -> list[dict[str, Any]]:
    made: list[dict[str, Any]] = []
    for name, row in entries.items():
        made.append({"kind": "name", "id": f"name {name}", "name": name})
        if "call" not in row:
            continue
        for dtype in DTYPES:
            for library in ("numpy", "cupynumeric"):
                made.append(call_job(f"call {name} {dtype} {library}", row["call"], dtype, library))
        for keyword, call in keyword_calls(row):
            made.append(call_job(f"keyword {name} {keyword}", call, call_dtype(name), "cupynumeric"))
    # What ends the process costs a start each: at the end, so that little is left to run behind it.
    deadly = {name for name, row in entries.items() if ends_process(row)}
    return sorted(made, key=lambda job: job["id"].split()[1] in deadly)


def call_job(identity: str, call: str, dtype: str, library: str) -> dict[str, Any]:
    return {"kind": "call", "id": identity, "call": call, "dtype": dtype, "library": library}


def keyword_calls(row: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """The row's call with one more keyword, at NumPy's default: what is absent raises, what is there runs."""
    call = row.get("call", "")
    if not re.fullmatch(r"[\w.]+\((?:[^()]|\([^()]*\))*\)", call):
        return  # not one plain call to add to
    for keyword in row.get("keywords", ()):
        if "numpy_default" in keyword and not re.search(rf"\b{keyword['name']}=", call):
            comma = "" if call.endswith("()") else ", "
            yield keyword["name"], f"{call[:-1]}{comma}{keyword['name']}={keyword['numpy_default']})"


def judge_keywords(name: str, row: dict[str, Any], results: dict[str, Any]) -> list[str]:
    wrong = []
    behaviours = {keyword["name"]: keyword for keyword in row.get("keywords", ())}
    for keyword, call in keyword_calls(row):
        says, got = behaviours[keyword], results[f"keyword {name} {keyword}"]
        refused = says["behaviour"] in ("absent", "renamed") or says.get("rejected") in ("*", says["numpy_default"])
        if refused and got.get("raises") != says.get("raises"):
            wrong.append(
                f"`{call}` {got.get('raises', 'runs')}; the table says {says['behaviour']}, {says.get('raises')}"
            )
        if not refused and "result" not in got:
            wrong.append(f"`{call}` raises {got.get('raises')}: {got.get('text')}; the table says {says['behaviour']}")
    return wrong


def ends_process(row: dict[str, Any]) -> bool:
    return any(effect["effect"] == "ends the process" for effect in row.get("dtypes", ()))


def judge_name(name: str, row: dict[str, Any], numpy_row: dict[str, Any], found: dict[str, Any]) -> list[str]:
    missing = row["status"] == "missing"
    if missing == found["present"]:
        return [f"the table says {row['status']}, and it is {'there' if found['present'] else 'not there'}"]
    has = found.get("signature")
    if missing or not has or row["kind"] not in ("function", "method", "ufunc"):
        return []
    wrong = []
    renamed = {
        keyword["name"]: keyword.get("to") for keyword in row.get("keywords", ()) if keyword["behaviour"] == "renamed"
    }
    for keyword in row.get("keywords", ()):
        there = keyword["name"] in has["keywords"]
        if keyword["behaviour"] in ("absent", "renamed") and there:
            wrong.append(f"`{keyword['name']}=` is accepted, the table says {keyword['behaviour']}")
        if keyword["behaviour"] not in ("absent", "renamed") and not there and not has["any_keyword"]:
            wrong.append(f"`{keyword['name']}=` is not accepted, the table says {keyword['behaviour']}")
    wrong += [
        f"`{new}=` (for `{old}`) is not there" for old, new in renamed.items() if new and new not in has["keywords"]
    ]
    listed = [parameter for parameter in row.get("parameters", ()) if not parameter.startswith("*")]
    if has["any_keyword"] and "kwargs" in listed:
        listed.remove("kwargs")
    if listed and not has["any_positional"] and listed != has["parameters"]:
        wrong.append(f"parameters are {', '.join(has['parameters'])}; the table says {', '.join(listed)}")
    # The table does not tell keyword-only parameters apart, which is right as long as NumPy's are the same ones.
    for position, parameter in enumerate(numpy_row.get("positional", ())):
        if parameter in has["keywords"] and parameter not in has["positional"]:
            wrong.append(f"`{parameter}` is argument {position + 1} of NumPy and takes no position here")
    return wrong


def expected_effects(row: dict[str, Any], dtype: str) -> list[dict[str, Any]]:
    return [effect for effect in row.get("dtypes", ()) if dtype in effect["dtypes"]]


def judge_call(
    name: str, row: dict[str, Any], call: str, results: dict[str, Any], difference: Callable[..., str]
) -> tuple[list[str], dict[str, int]]:
    """Contradictions, and how many calls could be compared. `call`: the row's own, or a variant."""
    counts = {"calls": 0, "same": 0}
    by_complaint: dict[str, list[str]] = {}
    raises_always = {limit.get("raises") for limit in row.get("limits", ())} | {row.get("raises")}
    own = call == row.get("call")
    for dtype in DTYPES:
        identity = f"call {name} {dtype}" if own else f"variant {call} {dtype}"
        if f"{identity} numpy" not in results:
            continue
        ours, host = (results[f"{identity} {library}"] for library in ("cupynumeric", "numpy"))
        if "result" not in host and not name.startswith("cupynumeric."):
            continue  # NumPy refuses this dtype, so nothing can be compared
        counts["calls"] += 1
        effects = {effect["effect"]: effect for effect in expected_effects(row, dtype)}
        complaint = ""
        if call in variants.SAID:
            became = "ends" if "ends" in ours else ours.get("raises", "")
            became = became or ("differs" if difference(host["result"], ours["result"], 1e-9) else "same")
            if became != variants.SAID[call]:
                complaint = f"is said to give {variants.SAID[call]}; it gives {became}"
        elif "ends" in ours:
            complaint = "" if "ends the process" in effects else f"ends the process ({ours['ends']})"
        elif "raises" in ours:
            expected = effects.get("raises", {}).get("raises")
            if expected != ours["raises"] and ours["raises"] not in raises_always:
                complaint = f"raises {ours['raises']}: {ours['text']}" + (
                    f" (the table says {expected})" if expected else ""
                )
        else:
            if "raises" in effects and own:
                complaint = f"runs; the table says it raises {effects['raises'].get('raises')}"
            elif name.startswith("cupynumeric.") or any(other in name + call for other in OTHER_VALUES):
                counts["same"] += 1
            else:
                tolerance = 1e-2 if dtype == "float16" else 1e-5 if dtype in ("float32", "complex64") else 1e-9
                found = difference(host["result"], ours["result"], tolerance)
                counts["same"] += not found
                claimed = {"other dtype", "wrong value"} & effects.keys()
                if found and not claimed:
                    complaint = f"gives {found}"
                elif not found and claimed and own and not only_in_some_calls(effects):
                    complaint = f"gives NumPy's result; the table says {', '.join(sorted(claimed))}"
        if complaint:
            by_complaint.setdefault(complaint, []).append(dtype)
        elif own and "result" in ours and dtype == call_dtype(name):
            if wrong := judge_kind(row, ours["result"]):
                by_complaint.setdefault(wrong, []).append(dtype)
    wrong_calls = [
        f"`{variants.shown(call)}` {text} ({'every element type' if len(dtypes) == len(DTYPES) else ', '.join(dtypes)})"
        for text, dtypes in by_complaint.items()
    ]
    return wrong_calls, counts


def only_in_some_calls(effects: dict[str, dict[str, Any]]) -> bool:
    return any(effect.get("text") for name, effect in effects.items() if name in ("other dtype", "wrong value"))


def variant_jobs() -> list[dict[str, Any]]:
    """With fewer element types than the table's calls have."""
    return [
        call_job(f"variant {call} {dtype} {library}", call, dtype, library)
        for call in variants.calls()
        for dtype in variants.element_types(call)
        for library in ("numpy", "cupynumeric")
    ]


def judge_kind(row: dict[str, Any], result: dict[str, Any]) -> str:
    """Whether the result is where the table says."""
    says = row.get("returns")
    if not re.fullmatch(r"[\w.]+\(.*\)", row["call"]) or "pickle" in row["call"]:
        return ""  # the call goes on with what the name gave
    if "array" in result:
        is_kind = {"device": "device", "host": "host array", "scalar": "scalar"}[result["where"]]
    elif "items" in result:
        is_kind = "devices"
        arrays = [item for item in result["items"] if isinstance(item, dict) and item.get("where") == "device"]
        if not arrays:
            return ""
    elif "value" in result:
        is_kind = "none" if result["value"] is None else "scalar"
    else:
        is_kind = "other"
    if says in (None, is_kind) or {says, is_kind} in ({"none", "device"}, {"other", "scalar"}, {"other", "none"}):
        return ""  # a method that returns nothing is called with the array that it changed behind it
    return f"gives {is_kind}; the table says {says}"
