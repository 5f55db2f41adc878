"""Counts the Legate operations of calls in the runtime's own log and writes rulesets/launches.json.

    launches.py [--only NAME]    NAME: print what that name's calls are lowered to, write nothing

Legion Spy logs one line per operation that reaches the runtime (`-lg:spy 1`, `-level legion_spy=2`). Counted are what moves
or computes data: tasks, fills, copies, and the all-reduce behind a scalar reduction. Not counted are what the runtime does
for itself: partitions (made once and kept), discards, deletions, fences, refinements, attaching and mapping host memory.
Each call is made once before it is counted, so that what is kept is there. Two layouts: one CPU, and two CPUs with data that
is divided between them (`--min-cpu-chunk 2`), where a sum is a task, an extraction and an all-reduce.

A start of the runtime costs some seconds: all calls run in one, and after a call that ends the process the rest goes on in
another.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
OUT = ROOT / "rulesets" / "launches.json"
LINE = re.compile(r"\{legion_spy\}: (Individual Task|Index Task|Fill Operation|Copy Operation|All Reduce Operation) (.*)")
MARK = re.compile(r"@@ (begin|end|raises) (\d+) ?(.*)")
LAYOUTS = {"one": (1, ()), "divided": (2, ("--min-cpu-chunk", "2"))}


def own_rows() -> list[dict[str, Any]]:
    """The calls of launch_calls.py."""
    import launch_calls

    made: list[dict[str, Any]] = []
    for line in launch_calls.CALLS.strip().splitlines():
        name, case, code = re.fullmatch(r"(unary \S|\S+) \| ?([^|]*?) ?\| (.*)", line).groups()
        words = [word.strip() for word in case.split(",") if word.strip() not in ("", "each")]
        made.append({"name": name, "when": words, "calls": code.split(" || ")})
    return made


def rows() -> list[dict[str, Any]]:
    """The calls to count: our own, then one of each name of the API table that has none there."""
    import api_oracle

    made = own_rows()
    named = {row["name"] for row in made if not row["when"]}
    for name, row in api_oracle.table("cupynumeric-26.06").items():
        if "call" in row and name not in named and row["status"] != "missing" and not api_oracle.ends_process(row):
            made.append({"name": name, "when": [], "calls": [row["call"]], "operands": "table"})
    return made


def count(calls: list[dict[str, str]], layout: str, program: str = __file__) -> list[Any]:
    """For each call the names of its operations, or the text of what it raised, or None where it ended the process.
    `program --inside JOBS FIRST` makes the calls, each between marks."""
    import environment

    folder = environment.make()
    processors, options = LAYOUTS[layout]
    found: list[Any] = [None] * len(calls)
    first = 0
    with tempfile.TemporaryDirectory() as temporary:
        jobs = Path(temporary) / "jobs.json"
        jobs.write_text(json.dumps(calls), encoding="utf-8")
        while first < len(calls):
            variables = environment.variables(folder) | {"LEGION_DEFAULT_ARGS": "-lg:spy 1 -level legion_spy=2"}
            command = [*environment.command(folder, processors), *options, program, "--inside", str(jobs), str(first)]
            ended = subprocess.run(
                command, env=variables, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", errors="replace"
            )
            number, operations = -1, []
            for line in ended.stdout.splitlines():
                if mark := MARK.search(line):
                    number = int(mark[2])
                    if mark[1] == "begin":
                        operations = []
                    else:
                        found[number] = list(operations) if mark[1] == "end" else mark[3]
                elif logged := LINE.search(line):
                    kind = logged[1].removesuffix(" Operation")
                    operations.append(logged[2].split()[-1].split("::")[-1] if kind.endswith("Task") else kind)
            if number < 0:
                sys.exit(f"cuPyNumeric did not start (exit status {ended.returncode}):\n{ended.stdout[-3000:]}")
            if number == len(calls) - 1 and found[number] is not None:
                break
            first = number + 1
    return found


def inside(jobs: str, first: int) -> None:
    """In the runtime: each call twice, with marks in the log around the second."""
    import ast
    import warnings

    import launch_calls
    import numpy
    import runner
    import cupynumeric
    from legate.core import get_legate_runtime

    warnings.simplefilter("ignore")
    fence = lambda: get_legate_runtime().issue_execution_fence(block=True)
    say = lambda text: os.write(2, f"\n@@ {text}\n".encode())
    own: dict[str, Any] = {"np": cupynumeric, "onp": numpy, "__name__": "program"}
    exec(launch_calls.SETUP, own)
    tables: dict[str, dict[str, Any]] = {}
    for number, job in enumerate(json.loads(Path(jobs).read_text(encoding="utf-8"))):
        if number < first:
            continue
        given = own
        if job["operands"] == "table":
            dtype = runner_dtype(job["name"])
            given = tables.setdefault(dtype, runner.operands(cupynumeric, dtype))
        named = set(re.findall(r"\w+", job["call"]))
        space: dict[str, Any] = {}
        try:
            for _ in range(2):
                space = {name: value for name, value in given.items() if name in named or name in ("np", "onp")}
                for name, value in space.items():
                    if isinstance(value, cupynumeric.ndarray) and value.ndim > 0:
                        space[name] = value.copy()
                *before, last = job["call"].split("; ")
                for part in before:
                    exec(part, space)
                try:
                    code = compile(ast.parse(f"_result = ({last})"), "<call>", "exec")
                except SyntaxError:
                    code = compile(last, "<call>", "exec")
                fence()
                say(f"begin {number}")
                exec(code, space)
                fence()
                say(f"end {number}")
        except Exception as error:
            say(f"raises {number} {type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}"[:150])
        space.clear()
        fence()


def runner_dtype(name: str) -> str:
    import api_oracle

    return api_oracle.call_dtype(name)


def main() -> int:
    sys.path.insert(0, str(Path(__file__).resolve().parent))
    if sys.argv[1:2] == ["--inside"]:
        inside(sys.argv[2], int(sys.argv[3]))
        return 0
    import oracle

    only = sys.argv[2] if sys.argv[1:2] == ["--only"] else ""
    table = [row for row in rows() if not only or row["name"] == only]
    calls = [
        {"name": row["name"], "call": call, "operands": row.get("operands", "")} for row in table for call in row["calls"]
    ]
    counted = {layout: count(calls, layout) for layout in LAYOUTS}
    made: list[dict[str, Any]] = []
    skipped = 0
    at = 0
    for row in table:
        seen = {layout: counted[layout][at : at + len(row["calls"])] for layout in LAYOUTS}
        at += len(row["calls"])
        one, divided = (seen[layout][0] for layout in ("one", "divided"))
        if only:
            print(row["when"], row["calls"], seen["one"], seen["divided"], sep="\n    ")
        if not isinstance(one, list):
            skipped += 1
            if not only:
                print(f"not counted: {row['name']} {row['calls'][0]}: {one}", file=sys.stderr)
            continue
        entry: dict[str, Any] = {"name": row["name"], "when": row["when"], "launches": len(one)}
        if isinstance(divided, list) and len(divided) != len(one):
            entry["divided"] = len(divided)
        if len(row["calls"]) > 1 and all(isinstance(s, list) for s in (*seen["one"], *seen["divided"])):
            entry["each"] = len(seen["one"][1]) - len(one)
        entry["call"] = row["calls"][0]
        entry["seen"] = " ".join(one)
        if isinstance(divided, list) and divided != one:
            entry["seen_divided"] = " ".join(divided)
        made.append(entry)
    if only:
        return 0
    made.sort(key=lambda entry: (entry["name"], entry["when"]))
    head = {
        "schema": "cpnlint-launches/1",
        "provenance": {**oracle.versions(), "layouts": "1 CPU; 2 CPUs with --min-cpu-chunk 2", "by": "tests/oracle/launches.py"},
    }
    lines = ",\n".join(json.dumps(entry, ensure_ascii=False) for entry in made)
    text = json.dumps(head)[:-1] + ',\n"rows": [\n' + lines + "\n]}\n"
    OUT.write_text(text, encoding="utf-8")
    print(f"{len(made)} calls of {len({entry['name'] for entry in made})} names counted, {skipped} raise")
    return 0


if __name__ == "__main__":
    sys.exit(main())
