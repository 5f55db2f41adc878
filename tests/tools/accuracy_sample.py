"""Prints findings with the code around them, for a person to judge; docs/accuracy.md counts the verdicts.

    accuracy_sample.py PATH... [--count 150] [--per-rule 20] [--rule R101] [--shown] [--context 4] [--seed x]

Which findings are drawn depends on their fingerprints alone: the sample stays while the tool's other findings change,
so a judged finding need not be judged again; another --seed draws others. --per-rule caps the share of the commonest
rules, --skip leaves out what was judged before, --shown leaves out rules in preview.
"""

from __future__ import annotations

import argparse
import collections
import hashlib
import json
import os
from pathlib import Path
from typing import Any

import common

OPTIONS = ("--isolated", "--no-cache")


def rank(finding: dict[str, Any], seed: str) -> str:
    return hashlib.sha256((seed + finding["fingerprint"]).encode()).hexdigest()


def judged_places(files: list[str]) -> set[tuple[str, int, str]]:
    rows = [json.loads(line) for file in files for line in Path(file).read_text(encoding="utf-8").splitlines()]
    return {(row["path"], row["line"], row["rule"]) for row in rows}


def source_lines(path: str) -> list[str]:
    return Path(path).read_text(encoding="utf-8", errors="replace").split("\n")


def show(number: int, finding: dict[str, Any], context: int) -> None:
    start, end = finding["start"], finding["end"]
    print(f"=== {number}. {finding['rule']} {finding['slug']} · {finding['severity']} · {finding['confidence']}")
    print(f"    {finding['path']}:{start['line']}:{start['column']} in {finding['function'] or 'the module'}")
    print(f"    {finding['message']}")
    print(f"    recipe {finding['recipe']} · fingerprint {finding['fingerprint']}")
    marked = set(range(start["line"], end["line"] + 1))
    if finding["cell"] is None:
        lines = source_lines(finding["path"])
        for at in range(max(1, start["line"] - context), min(len(lines), end["line"] + context) + 1):
            print(f"  {'>' if at in marked else ' '} {at:5} | {lines[at - 1].rstrip()}")
    for place in finding["related"]:
        rule = f" ({place['rule']})" if place["rule"] else ""
        print(f"    - {place['path']}:{place['start']['line']}: {place['message']}{rule}")
    for place in finding["also"]:
        print(f"    - also {place['path']}:{place['start']['line']}")
    print()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("paths", nargs="+")
    parser.add_argument("--count", type=int, default=150)
    parser.add_argument("--per-rule", type=int, default=20)
    parser.add_argument("--rule", help="only this rule")
    parser.add_argument("--shown", action="store_true", help="only rules that are shown without --preview")
    parser.add_argument("--context", type=int, default=4, help="lines of code around a finding")
    parser.add_argument("--seed", default="", help="another seed draws another sample")
    parser.add_argument("--skip", nargs="*", default=[], help="files of judgements: leave these findings out")
    args = parser.parse_args()
    select = (*(() if args.shown else ("--preview",)), *(("--select", args.rule) if args.rule else ()))
    paths = [os.path.relpath(path) for path in args.paths]
    document = common.run_json("check", *OPTIONS, *select, "--output-format", "json", *paths, timeout=600)
    judged = judged_places(args.skip)
    findings = [f for f in document["findings"] if (f["path"], f["start"]["line"], f["rule"]) not in judged]
    findings.sort(key=lambda finding: rank(finding, args.seed))
    drawn: collections.Counter[str] = collections.Counter()
    sample = []
    for finding in findings:
        if len(sample) < args.count and drawn[finding["rule"]] < args.per_rule:
            drawn[finding["rule"]] += 1
            sample.append(finding)
    for number, finding in enumerate(sorted(sample, key=lambda f: (f["rule"], rank(f, args.seed))), 1):
        show(number, finding, args.context)
    every = collections.Counter(finding["rule"] for finding in findings)
    print(f"{len(sample)} of {len(findings)} findings")
    for rule, count in sorted(every.items()):
        print(f"  {rule}: {drawn[rule]} of {count}")


if __name__ == "__main__":
    main()
