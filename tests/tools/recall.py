"""How much of what a reader expects of a program does cpnlint find?

    recall.py EXPECTED PROGRAMS [--verbose]

EXPECTED holds one JSON document per program: its path below PROGRAMS, the verdict and the findings that somebody wrote
down who knew the rules and had not seen cpnlint's answer. `with` names files beside it that belong to the program,
`package` the folder that it is a part of: then the folder is analysed and the findings of the one file count. An
expected finding is found when cpnlint shows the rule within the same statement: as the finding, as one of its further
sites, or as one that another finding explains; findings of a whole loop may stand anywhere in the same loop.

The lists stay as they were written. What a second reading decided stands beside them: `judged` at an expected finding
says why the list is wrong there, at the program why its verdict is, and `extra` at the program holds findings that
the list does not have, each `judged` with `right` or `wrong` and the reason. An extra finding without such a note is
listed as unread.
"""

from __future__ import annotations

import argparse
import ast
import collections
import functools
import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

import common

# The rules shown by default; R4xx need the sizes of arrays, which the lists do not name.
OPTIONS = ("--isolated", "--no-cache", "--ignore", "R4", "--output-format", "json")
OF_A_LOOP = {"R101", "R103", "R311", "R313"}
LOOPS = (ast.For, ast.AsyncFor, ast.While, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


class Place(NamedTuple):
    rule: str
    path: str
    cell: int | None
    first: int
    last: int


class Layout:
    """Where the statements and the loops of a file, or of a notebook's cell, begin and end."""

    def __init__(self, source: str) -> None:
        self.statement: dict[int, tuple[int, int]] = {}
        self.loops: list[tuple[int, int]] = []
        try:
            tree = ast.parse(source)
        except SyntaxError:  # a cell with a `%magic`: every line is a statement of its own
            return
        for node in ast.walk(tree):
            if isinstance(node, LOOPS):
                self.loops.append((node.lineno, node.end_lineno or node.lineno))
            if isinstance(node, ast.stmt):
                body = getattr(node, "body", None)
                last = min(part.lineno for part in body) - 1 if body else node.end_lineno or node.lineno
                extent = (node.lineno, max(node.lineno, last))  # of a compound statement: its head
                for line in range(extent[0], extent[1] + 1):
                    self.statement[line] = extent

    def near(self, line: int, place: Place) -> bool:
        low, high = self.statement.get(line, (line, line))
        if place.first <= high and low <= place.last:
            return True
        in_loop = any(first <= line <= last and first <= place.first <= last for first, last in self.loops)
        return place.rule in OF_A_LOOP and in_loop


@functools.cache
def layouts(file: Path) -> dict[int | None, Layout]:
    text = file.read_text(encoding="utf-8")
    if file.suffix != ".ipynb":
        return {None: Layout(text)}
    code = [cell for cell in json.loads(text)["cells"] if cell["cell_type"] == "code"]
    return {at + 1: Layout("".join(cell["source"])) for at, cell in enumerate(code)}


@functools.cache
def answer_for(programs: Path, *paths: str) -> Any:
    """Of a package without its tests, as everybody runs it: what they call with three numbers has few everywhere."""
    return common.run_json("report", *OPTIONS, *paths, cwd=programs)


def places(finding: dict[str, Any], explained: bool) -> Iterator[Place]:
    """Where a finding speaks of its rule, and where it explains other rules' findings."""
    related = [place for place in finding["related"] if place["rule"]] if explained else []
    for place in (finding, *finding["also"], *related):
        rule = place.get("rule") or finding["rule"]
        yield Place(rule, place["path"], place["cell"], place["start"]["line"], place["end"]["line"])


class Program:
    def __init__(self, document: dict[str, Any], programs: Path) -> None:
        self.programs = programs
        self.path = PurePosixPath(document["program"])
        self.files = {str(self.path), *(str(self.path.parent / name) for name in document.get("with", []))}
        answer = (
            answer_for(programs, document["package"])
            if "package" in document
            else answer_for(programs, "--include-tests", *sorted(self.files))
        )
        self.findings = answer["findings"]
        self.verdict = answer["verdict"]["name"] if answer["verdict"] else "none"

    def fits(self, expected: dict[str, Any], place: Place) -> bool:
        path = str(self.path.parent / expected["file"]) if "file" in expected else str(self.path)
        if (place.rule, place.path, place.cell) != (expected["rule"], path, expected.get("cell")):
            return False
        return layouts(self.programs / path)[place.cell].near(expected["line"], place)

    def shows(self, expected: dict[str, Any]) -> bool:
        return any(self.fits(expected, at) for finding in self.findings for at in places(finding, explained=True))

    def extra(self, expected: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
        """The findings that no expectation asks for; what a finding merely explains is none."""
        own = [finding for finding in self.findings if finding["path"] in self.files]
        return [finding for finding in own if not any(self.asked(finding, one) for one in expected)]

    def asked(self, finding: dict[str, Any], expected: dict[str, Any]) -> bool:
        return any(self.fits(expected, at) for at in places(finding, explained=False))

    def judgement(self, finding: dict[str, Any], notes: Iterable[dict[str, Any]]) -> str:
        judged = [str(note["judged"]) for note in notes if self.asked(finding, note)]
        return judged[0].split()[0].strip(",:") if judged else "unread"


def compare(document: dict[str, Any], program: Program) -> Iterator[tuple[str, str, str]]:
    """(state, rule, text) of each expected finding, then of each that the list does not have."""
    for one in document["findings"]:
        state = "found" if program.shows(one) else "list-wrong" if "judged" in one else "missed"
        where = "".join(f"{one[key]}:" for key in ("file", "cell") if key in one)
        yield state, one["rule"], f"{where}{one['line']} {one['why']}"
    for finding in program.extra(document["findings"]):
        state = "extra-" + program.judgement(finding, document.get("extra", []))
        cell = f"{finding['cell']}:" if finding["cell"] else ""
        where = f"{PurePosixPath(finding['path']).name}:{cell}{finding['start']['line']}"
        yield state, finding["rule"], f"{where} {finding['message'][:80]}"


def tally(counts: collections.Counter[str]) -> str:
    return ", ".join(f"{count} {state}" for state, count in sorted(counts.items())) or "nothing"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("expected", type=Path)
    parser.add_argument("programs", type=Path)
    parser.add_argument("--verbose", action="store_true", help="list what is found as well")
    args = parser.parse_args()
    total: collections.Counter[str] = collections.Counter()
    verdicts: collections.Counter[str] = collections.Counter()
    by_rule: dict[str, collections.Counter[str]] = collections.defaultdict(collections.Counter)
    for path in sorted(args.expected.glob("*.json")):
        document = json.loads(path.read_text(encoding="utf-8"))
        program = Program(document, args.programs)
        counts: collections.Counter[str] = collections.Counter()
        lines = []
        for state, rule, text in compare(document, program):
            counts[state] += 1
            by_rule[rule][state] += 1
            if state != "found" or args.verbose:
                lines.append(f"  {state} {rule} {text}")
        agrees = program.verdict == document["verdict"]
        verdict = "agrees" if agrees else "list-wrong" if "judged" in document else "differs"
        said = program.verdict + ("" if agrees else f", expected {document['verdict']}")
        print("\n".join([f"{program.path}: {tally(counts)}; verdict {verdict}: {said}", *lines]))
        verdicts[verdict] += 1
        total += counts
    print()
    for rule in sorted(by_rule):
        print(f"{rule}  {tally(by_rule[rule])}")
    asked = total["found"] + total["missed"] + total["list-wrong"]
    standing = asked - total["list-wrong"]
    print(f"found {total['found']} of {asked} as written, {total['found']} of {standing} after the second reading")
    print(f"extra: {tally(collections.Counter({s[6:]: n for s, n in total.items() if s.startswith('extra')}))}")
    print(f"verdicts: {tally(verdicts)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
