"""Runs cpnlint on the programs and notebooks below tests/fixtures and compares what it finds with what they say beside
the code.

A comment speaks of its own line; on a line of its own, of the next line of code:

    # expect: R101 "part of the message", R205     these findings start here
    # ok: R101, R205   why                         these do not
    # todo-expect: R101   why                      should be found and is not; fails once it is
    # todo-ok: R101   why                          is found and should not be; fails once it is not
    # also: R101                                   a further place of a merged finding
    # reveal: v = f64[n-2] view-of(a)              what `inspect facts` says of v; `...` stands for anything

Strict both ways: a finding without its `expect` fails as an `expect` without its finding does. Findings of the rules
for what scales (R0xx) are compared only in fixtures that expect one, and so are notes about whole modules (R307). Options stand in a comment anywhere in the file:

    # cpnlint-test: assume n=1000000; gpus 4

which adds `--assume n=1000000 --gpus 4`. The files of a folder tests/fixtures/programs/NAME are one program: each is
compared with what is found in it when the whole folder is checked.
"""

from __future__ import annotations

import argparse
import collections
import concurrent.futures
import dataclasses
import difflib
import json
import re
import shlex
import sys
from pathlib import Path
from typing import Any

import common
import json_schema

FIXTURES = common.ROOT / "tests" / "fixtures"
OPTIONS = (
    *("--isolated", "--no-cache", "--include-tests"),
    *("--select", "ALL", "--preview"),
)
EVERY_CONFIDENCE = ("--min-confidence", "possible")
LEAST_EXPECT, LEAST_OK = 2, 4
CELL = 100_000  # line 7 of a notebook's cell 3 counts as line 300007

MARK = re.compile(r"#\s*(expect|ok|todo-expect|todo-ok|also|reveal|cpnlint-test):")
CODE = re.compile(r"\s*(R\d{3})\s*(?:\"((?:[^\"\\]|\\.)*)\"|`([^`]*)`(?=\s*(?:,|$)))?\s*(,)?")
ONCE_PER_MODULE = {"R307"}


@dataclasses.dataclass(frozen=True)
class Mark:
    kind: str
    line: int
    code: str = ""
    text: str = ""  # expect: part of the message; reveal: the fact

    def __str__(self) -> str:
        what = f'{self.code} "{self.text}"' if self.code and self.text else self.code or self.text
        return f"{spoken(self.line)}: {self.kind} {what}"


def spoken(line: int) -> str:
    return f"cell {line // CELL}:{line % CELL}" if line > CELL else str(line)


def place(item: dict[str, Any]) -> int:
    return (item["cell"] or 0) * CELL + item["start"]["line"]


@dataclasses.dataclass
class Fixture:
    path: Path
    options: list[str]
    marks: list[Mark]
    errors: list[str]

    def of(self, kind: str) -> list[Mark]:
        return [mark for mark in self.marks if mark.kind == kind]


def parse(path: Path) -> Fixture:
    fixture = Fixture(path, [], [], [])
    text = path.read_bytes().decode("utf-8", "replace")
    if path.suffix == ".ipynb":
        cells = [cell for cell in json.loads(text)["cells"] if cell["cell_type"] == "code"]
        for ordinal, cell in enumerate(cells, 1):
            parse_lines(fixture, "".join(cell["source"]).split("\n"), ordinal * CELL)
    else:
        parse_lines(fixture, text.split("\n"), 0)
    return fixture


def parse_lines(fixture: Fixture, lines: list[str], before: int) -> None:
    for number, line in enumerate(lines, 1):
        found = list(MARK.finditer(line))
        if not found:
            continue
        target = number
        if not line[: found[0].start()].strip():  # nothing but the comment: it speaks of the next line of code
            while target < len(lines) and (not lines[target].strip() or lines[target].lstrip().startswith("#")):
                target += 1
            target += 1
        for mark, following in zip(found, [*found[1:], None]):
            rest = line[mark.end() : following.start() if following else None].strip()
            add_mark(fixture, mark[1], before + target, rest)


def add_mark(fixture: Fixture, kind: str, line: int, rest: str) -> None:
    if kind == "cpnlint-test":
        for option in filter(None, (part.strip() for part in rest.split(";"))):
            name, *values = shlex.split(option)
            fixture.options += [f"--{name}", *values]
        return
    if kind == "reveal":
        fixture.marks.append(Mark(kind, line, text=rest))
        return
    position = 0
    while code := CODE.match(rest, position):
        fixture.marks.append(Mark(kind, line, code[1], code[2] or code[3] or ""))
        position = code.end()
        if not code[4]:
            break
    else:
        fixture.errors.append(f"{line}: `{kind}: {rest}` names no rule")


def findings(fixture: Fixture, document: dict[str, Any]) -> list[Mark]:
    """What was found, in the form of the marks. Evidence of what scales stands in `good`, one line each."""
    found = [Mark("found", place(f), f["rule"], f["message"]) for f in document["findings"]]
    found = [mark for mark in found if not mark.code.startswith("R0")]
    # A note about a module as a whole would stand in most fixtures.
    spoken_of = {mark.code for mark in fixture.marks}
    found = [mark for mark in found if mark.code not in ONCE_PER_MODULE or mark.code in spoken_of]
    if any(mark.code.startswith("R0") for mark in fixture.of("expect") + fixture.of("todo-ok")):
        for good in document["good"]:
            cells = good.get("cells") or [0] * len(good["lines"])
            found += [Mark("found", cell * CELL + line, good["rule"]) for cell, line in zip(cells, good["lines"])]
    return found


def compare(fixture: Fixture, document: dict[str, Any]) -> list[str]:
    errors = []
    unclaimed = findings(fixture, document)

    def claim(wanted: Mark) -> bool:
        for found in unclaimed:
            # A `good` line carries no message, so a text cannot be asked of it.
            if (found.line, found.code) == (wanted.line, wanted.code) and wanted.text in (found.text or wanted.text):
                unclaimed.remove(found)
                return True
        return False

    # The most particular expectations choose first, so that a bare one does not take their finding.
    for mark in sorted(fixture.of("expect"), key=lambda mark: -len(mark.text)):
        if not claim(mark):
            errors.append(f"{mark}: not found")
    for mark in fixture.of("todo-ok"):
        if not claim(mark):
            errors.append(f"{mark}: is no longer found, so this can become `ok`")
    for mark in fixture.of("todo-expect"):
        if claim(mark):
            errors.append(f"{mark}: is found now, so this can become `expect`")
    for mark in fixture.of("ok"):
        if any((found.line, found.code) == (mark.line, mark.code) for found in unclaimed):
            errors.append(f"{mark}: found all the same")
    errors += [
        f"{good['rule']}: {good['count']} places in `{good['function']}`, but {len(good['lines'])} lines: split it"
        for good in document["good"]
        if good["count"] > len(good["lines"]) and any(mark.code == good["rule"] for mark in fixture.marks)
    ]
    also = {(place(further), f["rule"]) for f in document["findings"] for further in f["also"]}
    errors += [f"{mark}: no such further place" for mark in fixture.of("also") if (mark.line, mark.code) not in also]
    errors += [f'{spoken(found.line)}: {found.code} "{found.text}": found, and nothing expects it' for found in unclaimed]
    return errors


def facts_of(text: str) -> dict[int, list[str]]:
    facts: dict[int, list[str]] = collections.defaultdict(list)
    for line in text.splitlines():
        if match := re.match(r"\s*(\d+):\s+(\S.*)", line):
            facts[int(match[1])].append(" ".join(match[2].split()))
    return facts


def compare_facts(fixture: Fixture) -> list[str]:
    reveals = fixture.of("reveal")
    if not reveals:
        return []
    done = common.run("inspect", "facts", *assumptions(fixture), fixture.path)
    facts = facts_of(done.stdout)
    errors = [f"inspect facts ended with {done.returncode}: {done.stderr}"] if done.returncode else []
    for mark in reveals:
        wanted = " ".join(mark.text.split())
        pattern = ".*".join(map(re.escape, wanted.split("...")))
        if any(re.fullmatch(pattern, fact) for fact in facts[mark.line]):
            continue
        name = wanted.split("=")[0]
        near = [fact for fact in facts[mark.line] if fact.startswith(name)] or facts[mark.line] or ["nothing"]
        errors += [f"{mark.line}: reveal", *difflib.ndiff([wanted], near)]
    return errors


def assumptions(fixture: Fixture) -> list[str]:
    """The options that change facts; `inspect` takes no others."""
    pairs = zip(fixture.options, fixture.options[1:])
    return [word for name, value in pairs if name in ("--assume", "--target-version") for word in (name, value)]


def program_of(path: Path) -> Path | None:
    """The folder whose files are one program: tests/fixtures/programs/NAME."""
    programs = FIXTURES / "programs"
    if programs not in path.parents:
        return None
    return programs / path.relative_to(programs).parts[0]


def run(fixture: Fixture, environment: dict[str, str] | None = None) -> dict[str, Any]:
    """What the program finds in the fixture, as JSON; of a program of several files, in this file alone."""
    folder = program_of(fixture.path) or fixture.path.parent
    named = "." if program_of(fixture.path) else fixture.path.name
    confidence = () if EVERY_CONFIDENCE[0] in fixture.options else EVERY_CONFIDENCE
    command = ("check", *OPTIONS, *confidence, "--output-format", "json", *fixture.options, named)
    document = common.run_json(*command, cwd=folder, env=environment)
    mine = fixture.path.relative_to(folder).as_posix()
    for key in ("findings", "good"):
        document[key] = [entry for entry in document[key] if entry["path"] == mine]
    return document


def check(path: Path) -> tuple[Fixture, list[str]]:
    fixture = parse(path)
    document = run(fixture)
    errors = fixture.errors + compare(fixture, document) + compare_facts(fixture)
    errors += [f"JSON: {error}" for error in json_schema.json_errors(document)]
    errors += [f"note: {n['kind']}: {n['message']}" for n in document["notes"] if n["kind"] == "internal-error"]
    return fixture, sorted(errors, key=common.natural) if not fixture.of("reveal") else errors


def coverage(fixtures: list[Fixture]) -> list[str]:
    """A rule earns trust by its near misses: it needs enough places where it fires and where it does not."""
    counts = collections.Counter((mark.kind, mark.code) for fixture in fixtures for mark in fixture.marks)
    errors = []
    known = {rule["code"] for rule in common.all_rules()}
    for code in sorted(known):
        expects, oks = counts["expect", code], counts["ok", code]
        if expects < LEAST_EXPECT or oks < LEAST_OK:
            errors.append(f"{code}: {expects} expect and {oks} ok, of at least {LEAST_EXPECT} and {LEAST_OK}")
    named = {code for _, code in counts if code}
    errors += [f"{code}: named in a fixture, but there is no such rule" for code in named - known]
    return sorted(errors)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("paths", nargs="*", type=Path, help="fixtures or folders (all)")
    parser.add_argument("--jobs", type=int, default=2)
    args = parser.parse_args()
    paths: list[Path] = []
    for path in args.paths or [FIXTURES]:
        paths += sorted([*path.resolve().rglob("*.py"), *path.resolve().rglob("*.ipynb")]) if path.is_dir() else [path.resolve()]
    if not paths:
        print("fixtures: there are none")
        return 1
    json_schema.validators()  # once, before the threads ask for them
    failed = 0
    fixtures = []
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for fixture, errors in pool.map(check, paths):
            fixtures.append(fixture)
            if errors:
                failed += 1
                print(f"{fixture.path.relative_to(common.ROOT)}")
                print("".join(f"  {error}\n" for error in errors), end="")
    uncovered = [] if args.paths else coverage(fixtures)
    for error in uncovered:
        print(error)
    marks = collections.Counter(mark.kind for fixture in fixtures for mark in fixture.marks)
    counts = ", ".join(f"{marks[kind]} {kind}" for kind in sorted(marks))
    print(f"{counts}; {len(uncovered)} rules with too few")
    print(f"fixtures: {len(paths) - failed} passed, {failed} failed")
    return 1 if failed or uncovered else 0


if __name__ == "__main__":
    sys.exit(main())
