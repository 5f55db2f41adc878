"""How much of what the running library complained about does cpnlint find in the source?

    doctor_recall.py DOCTOR.jsonl PROGRAMS [--verbose]

DOCTOR.jsonl holds one program per line: its path below PROGRAMS, the places that cuPyNumeric Doctor reported (with
`expect: false` where a static tool should stay silent) and the exceptions that were raised. A place counts as found
when cpnlint reports a rule of the fitting kind on its line (as the finding itself, one of its further sites, or a
finding that another one explains), or an element loop or iteration at the head of a loop that the line stands in:
Doctor counts accesses, cpnlint reports the loop that makes them. Every miss is listed.
"""

from __future__ import annotations

import argparse
import ast
import collections
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import common

# Doctor's checks -> the rules that see the same thing in the source.
RULES_OF_CHECK = {
    "scalar-access": {"R101", "R104"},
    "slice-access": {"R101"},
    "gather": {"R104", "R109", "R111", "R117", "R301", "R405"},
    "stack": {"R203"},
    "nonzero": {"R204", "R114"},
    "advanced-indexing": {"R116", "R204"},
    "builtin": {"R110", "R104", "R105", "R215"},  # R105: `max(a, b)` of two device scalars tests one
    "iteration": {"R103"},
    "mpi4py": {"R108"},
}
RAISING = {"R102", "R106", "R107", "R109", "R112", "R113", "R119", "R120", "R308"}
OF_A_LOOP = {"R101", "R103"}
OPTIONS = ("--isolated", "--no-cache", "--include-tests", "--preview", "--min-confidence", "likely")


def loop_heads(source: str) -> dict[int, set[int]]:
    """Line -> lines of the heads of the loops (comprehensions too) that it stands in, its own included."""
    loops = (ast.For, ast.AsyncFor, ast.While, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
    heads: dict[int, set[int]] = collections.defaultdict(set)
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, loops):
            for line in range(node.lineno, (node.end_lineno or node.lineno) + 1):
                heads[line].add(node.lineno)
    return heads


def reports(args: argparse.Namespace, path: str) -> dict[int, set[str]]:
    """Line -> rules that cpnlint reports for it, for one program."""
    document = common.run_json("check", *OPTIONS, "--output-format", "json", path, cwd=args.programs)
    at: dict[int, set[str]] = collections.defaultdict(set)
    for finding in document["findings"]:
        for place in (finding, *finding["also"], *(place for place in finding["related"] if place["rule"])):
            if place["path"] == path:
                rules = {finding["rule"], place.get("rule") or finding["rule"]}
                for line in range(place["start"]["line"], place["end"]["line"] + 1):
                    at[line] |= rules
    lines = {line: set(rules) for line, rules in at.items()}
    for line, heads in loop_heads((args.programs / path).read_text(encoding="utf-8")).items():
        for head in heads:
            lines[line] = lines.get(line, set()) | (at.get(head, set()) & OF_A_LOOP)
    return lines


def places(program: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any], set[str]]]:
    """(kind, place, fitting rules) of what is expected in one program."""
    for report in program["doctor"]:
        if report.get("expect", True):
            yield report["check"], report, RULES_OF_CHECK.get(report["check"], set())
    for raised in program["raised"]:
        if raised.get("expect", True):
            yield f"raises {raised['type']}", raised, RAISING


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("doctor", type=Path)
    parser.add_argument("programs", type=Path)
    parser.add_argument("--verbose", action="store_true", help="list what is found as well")
    args = parser.parse_args()
    total: collections.Counter[str] = collections.Counter()
    hit: collections.Counter[str] = collections.Counter()
    silent = kept_silent = 0
    for line in args.doctor.read_text(encoding="utf-8").splitlines():
        program = json.loads(line)
        if not (program["doctor"] or program["raised"]):
            continue
        found = reports(args, program["path"])
        for kind, place, fitting in places(program):
            total[kind] += 1
            here = found.get(place["line"], set())
            hit[kind] += bool(here & fitting)
            if args.verbose or not here & fitting:
                said = ", ".join(sorted(here)) or "nothing"
                word = "found " if here & fitting else "missed"
                text = place.get("message") or place.get("description", "")
                print(f"{word} {program['path']}:{place['line']}: {kind} ({text[:70]}); cpnlint says {said}")
        for report in program["doctor"]:
            if not report.get("expect", True):
                silent += 1
                kept_silent += not found.get(report["line"], set()) & RULES_OF_CHECK.get(report["check"], set())
    for kind in sorted(total):
        print(f"{kind:24} {hit[kind]:4} of {total[kind]:4}")
    print(f"{'all expected places':24} {sum(hit.values()):4} of {sum(total.values()):4}")
    print(f"{'rightly silent':24} {kept_silent:4} of {silent:4}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
