"""Compares the operations that `cpnlint inspect work` counts in kernels with the runtime's own log.

    launch_counts.py [FILE.py FUNCTION ARGUMENTS]...

Without arguments the kernels of launch_programs.py; the result is tests/oracle/launch_counts.json. With arguments other
programs, and nothing is written. The exit status is 1 where a count differs.
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

HERE = Path(__file__).resolve().parent
OUT = HERE / "launch_counts.json"


def predicted(source: str, function: str, values: dict[str, Any]) -> tuple[float, float, list[str]]:
    """Operations of one call of the function, on one processor and divided, and what is not counted."""
    import common

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "kernel.py"
        file.write_text(source, encoding="utf-8")
        done = common.run("inspect", "work", str(file))
    if done.returncode != 0:
        sys.exit(done.stderr)
    one = divided = 0.0
    missing = []
    times = [1.0]  # of the loops around, by depth
    active = False
    for line in done.stdout.splitlines():
        if line.startswith("root "):
            active = line.split()[1] == function
            continue
        if not active:
            continue
        depth = (len(line) - len(line.lstrip())) // 2
        share = float(found[1]) if (found := re.search(r" share (\S+)$", line)) else 1.0
        del times[depth:]
        if found := re.match(r" *loop .*?trips (.*?)(?: share \S+)?$", line):
            text = found[1]
            trips = eval(text, {}, values) if "?" not in text else float(re.search(r"\((\S+)\)", text)[1])
            times.append(times[-1] * share * trips)
            continue
        if "unpriced" in line:
            missing.append(line.strip())
        if found := re.search(r"\] launches ([\d.]+)(?:/([\d.]+))?", line):
            one += times[-1] * share * float(found[1])
            divided += times[-1] * share * float(found[2] or found[1])
    return one, divided, missing


def counted(kernels: list[dict[str, str]]) -> dict[str, list[Any]]:
    import launches

    return {layout: launches.count(kernels, layout, __file__) for layout in launches.LAYOUTS}


def inside(jobs: str, first: int) -> None:
    import cupynumeric
    import numpy
    import operands
    from legate.core import get_legate_runtime

    fence = lambda: get_legate_runtime().issue_execution_fence(block=True)
    say = lambda text: os.write(2, f"\n@@ {text}\n".encode())
    for number, job in enumerate(json.loads(Path(jobs).read_text(encoding="utf-8"))):
        if number < first:
            continue
        source = re.sub(r"^(\s*)import numpy as np\b", r"\1import cupynumeric as np", job["source"], flags=re.MULTILINE)
        try:
            space: dict[str, Any] = {"np": cupynumeric, "onp": numpy, "__name__": "kernel"}
            exec(operands.SETUP, space)
            exec(compile(source, "<kernel>", "exec"), space)
            for _ in range(2):
                arguments = eval(f"dict({job['arguments']})", space)
                arguments = {
                    name: value.copy() if isinstance(value, cupynumeric.ndarray) else value
                    for name, value in arguments.items()
                }
                fence()
                say(f"begin {number}")
                result = space[job["function"]](**arguments)
                fence()
                say(f"end {number}")
                del result
        except Exception as error:
            say(f"raises {number} {type(error).__name__}: {error}"[:150].replace("\n", " "))


def values_of(arguments: str) -> dict[str, Any]:
    """The plain numbers among the arguments."""
    found = re.findall(r"(\w+)=(-?[\d.]+)(?=,|$|\))", arguments)
    return {name: float(text) if "." in text else int(text) for name, text in found}


def main() -> int:
    sys.path[:0] = [str(HERE), str(HERE.parent / "tools")]
    if sys.argv[1:2] == ["--inside"]:
        inside(sys.argv[2], int(sys.argv[3]))
        return 0
    import launch_programs
    import oracle

    jobs: dict[str, dict[str, Any]] = {}
    for name, kernel in launch_programs.KERNELS.items():
        jobs[name] = {**vars(kernel)}
    given = sys.argv[1:]
    if given:
        jobs = {}
        for file, function, arguments in zip(given[::3], given[1::3], given[2::3]):
            source = Path(file).read_text(encoding="utf-8")
            jobs[f"{Path(file).stem} {function}"] = {"source": source, "function": function, "arguments": arguments}
    runs = counted([{key: job[key] for key in ("source", "function", "arguments")} for job in jobs.values()])
    wrong = 0
    table = []
    for number, (name, job) in enumerate(jobs.items()):
        one, divided, missing = predicted(job["source"], job["function"], values_of(job["arguments"]))
        seen = [runs[layout][number] for layout in ("one", "divided")]
        if not all(isinstance(s, list) for s in seen):
            print(f"{name}: {seen}")
            wrong += 1
            continue
        counts = [len(s) for s in seen]
        same = counts == [one, divided] or (counts[0] == one and bool(job.get("differs")))
        wrong += not same
        print(f"{name}: runtime {counts[0]} / {counts[1]}, cpnlint {one:g} / {divided:g}" + ("" if same else "  DIFFERS"))
        if not same:
            print("   ", " ".join(seen[0]))
            print("   ", " ".join(seen[1]))
        for line in missing:
            print("   ", line)
        row = {"name": name, "runtime": counts, "cpnlint": [one, divided]}
        table.append(row | {"explained": job["differs"]} if counts[1] != divided and job.get("differs") else row)
    if not given:
        rows = ",\n".join(json.dumps(row) for row in table)
        head = {"provenance": {**oracle.versions(), "layouts": "1 CPU; 2 CPUs with --min-cpu-chunk 2", "by": "tests/oracle/launch_counts.py"}}
        OUT.write_text(json.dumps(head)[:-1] + ',\n"kernels": [\n' + rows + "\n]}\n", encoding="utf-8")
    print(f"{len(jobs)} kernels, {wrong} differ")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
