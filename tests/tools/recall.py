"""How much of what a reader expects of a program does cpnlint find?

    recall.py EXPECTED PROGRAMS [--verbose]

EXPECTED holds one JSON document per program: its path below PROGRAMS (`with` names files beside it that belong to the
program), the verdict and the findings that somebody wrote down who knew the rules and had not seen cpnlint's answer.
An expected finding is found when cpnlint shows the rule within the same statement: as the finding, as one of its
further sites, or as one that another finding explains; findings of a whole loop may stand anywhere in the same loop.

The lists stay as they were written. What a second reading decided stands beside them: `judged` at an expected finding
says why the list is wrong there, at the program why its verdict is, and `extra` at the program holds findings that
the list does not have, each with `right` or `wrong` in front of the reason. An extra finding without such a note is
listed as unread.
"""

from __future__ import annotations

import argparse
import ast
import collections
import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import common

# The rules shown by default; R4xx need the sizes of arrays, which the lists do not name.
OPTIONS = ("--isolated", "--no-cache", "--include-tests", "--ignore", "R4", "--output-format", "json")
OF_A_LOOP = {"R101", "R103", "R311", "R313"}
LOOPS = (ast.For, ast.AsyncFor, ast.While, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)

Place = tuple[str, str, int, int]  # rule, path, first and last line


def spans(source: str) -> tuple[dict[int, tuple[int, int]], list[tuple[int, int]]]:
    """Line -> first and last line of its statement (of a compound one: of its head), and the extents of all loops."""
    statement: dict[int, tuple[int, int]] = {}
    loops = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, LOOPS):
            loops.append((node.lineno, node.end_lineno or node.lineno))
        if isinstance(node, ast.stmt):
            body = getattr(node, "body", None)
            last = min(part.lineno for part in body) - 1 if body else node.end_lineno or node.lineno
            for line in range(node.lineno, max(node.lineno, last) + 1):
                statement[line] = (node.lineno, max(node.lineno, last))
    return statement, loops


def places(finding: dict[str, Any]) -> Iterator[Place]:
    """Where a finding speaks of its rule, and where it explains other rules' findings."""
    for place in (finding, *finding["also"], *(place for place in finding["related"] if place["rule"])):
        rule = place.get("rule") or finding["rule"]
        yield rule, place["path"], place["start"]["line"], place["end"]["line"]


class Program:
    def __init__(self, document: dict[str, Any], programs: Path) -> None:
        self.path = document["program"]
        beside = Path(self.path).parent
        files = [self.path, *((beside / name).as_posix() for name in document.get("with", []))]
        answer = common.run_json("report", *OPTIONS, *files, cwd=programs)
        self.findings = answer["findings"]
        self.verdict = answer["verdict"]["name"] if answer["verdict"] else "none"
        self.spans = {path: spans((programs / path).read_text(encoding="utf-8")) for path in files}

    def fits(self, expected: dict[str, Any], place: Place) -> bool:
        rule, path, first, last = place
        wanted = (Path(self.path).parent / expected["file"]).as_posix() if "file" in expected else self.path
        if rule != expected["rule"] or path != wanted:
            return False
        statement, loops = self.spans[wanted]
        low, high = statement.get(expected["line"], (expected["line"], expected["line"]))
        if first <= high and low <= last:
            return True
        return rule in OF_A_LOOP and any(a <= expected["line"] <= b and a <= first <= b for a, b in loops)

    def shows(self, expected: dict[str, Any]) -> bool:
        return any(self.fits(expected, place) for finding in self.findings for place in places(finding))

    def extra(self, expected: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
        """The findings that no expectation asks for; what a finding merely explains is none."""
        own = ((finding, [p for p in places(finding) if p[0] == finding["rule"]]) for finding in self.findings)
        return [finding for finding, at in own if not any(self.fits(e, place) for e in expected for place in at)]

    def note(self, finding: dict[str, Any], notes: Iterable[dict[str, Any]]) -> str:
        at = [place for place in places(finding) if place[0] == finding["rule"]]
        return next((str(n["judged"]) for n in notes if any(self.fits(n, place) for place in at)), "unread")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("expected", type=Path)
    parser.add_argument("programs", type=Path)
    parser.add_argument("--verbose", action="store_true", help="list what is found as well")
    args = parser.parse_args()
    total: collections.Counter[str] = collections.Counter()
    by_rule: dict[str, collections.Counter[str]] = collections.defaultdict(collections.Counter)
    for path in sorted(args.expected.glob("*.json")):
        document = json.loads(path.read_text(encoding="utf-8"))
        program = Program(document, args.programs)
        counts: collections.Counter[str] = collections.Counter()
        lines = []
        for expected in document["findings"]:
            state = "found" if program.shows(expected) else "list wrong" if "judged" in expected else "missed"
            counts[state] += 1
            by_rule[expected["rule"]][state] += 1
            if state != "found" or args.verbose:
                lines.append(f"  {state} {expected['rule']} {expected.get('file', '')}:{expected['line']} {expected['why']}")
        for finding in program.extra(document["findings"]):
            note = program.note(finding, document.get("extra", []))
            state = "extra " + note.split(":")[0].split()[0]
            counts[state] += 1
            by_rule[finding["rule"]][state] += 1
            where = f"{Path(finding['path']).name}:{finding['start']['line']}"
            lines.append(f"  {state} {finding['rule']} {where} {finding['message'][:70]}")
        agrees = program.verdict == document["verdict"]
        verdict = "verdict agrees" if agrees else "verdict list wrong" if "judged" in document else "verdict differs"
        counts[verdict] += 1
        total += counts
        tally = ", ".join(f"{n} {state}" for state, n in sorted(counts.items()) if not state.startswith("verdict"))
        said = f"{verdict}: {program.verdict}" + ("" if agrees else f", expected {document['verdict']}")
        print("\n".join([f"{program.path}: {tally or 'nothing expected'}; {said}", *lines]))
    print()
    for rule in sorted(by_rule):
        print(f"{rule}  " + ", ".join(f"{n} {state}" for state, n in sorted(by_rule[rule].items())))
    asked = total["found"] + total["missed"] + total["list wrong"]
    right = asked - total["list wrong"]
    print(f"found {total['found']} of {asked} as written, of {right} that a second reading left standing")
    print("extra: " + (", ".join(f"{n} {s[6:]}" for s, n in sorted(total.items()) if s.startswith("extra")) or "none"))
    agreed, differ = total["verdict agrees"], total["verdict differs"]
    print(f"verdicts: {agreed} of {agreed + differ + total['verdict list wrong']} as written, {differ} in doubt")
    return 0


if __name__ == "__main__":
    sys.exit(main())
