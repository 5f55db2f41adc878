"""Mutation test of the rules: each numbered condition and each exception of a rule is switched off in turn, and some
fixture must then fail.

    python3 tests/tools/mutation.py [--update] [RULE...]

CPNLINT_MUTATION names the program, the target `cpnlint_mutation` of a build; else it is the release build's. A mutant
that no fixture notices survives: the condition is not tested, or not needed. `--update` writes docs/mutation.md.
"""

from __future__ import annotations

import argparse
import collections
import dataclasses
import os
import re
import sys

import common
import fixtures

PAGE = common.ROOT / "docs" / "mutation.md"
GOAL = 0.1
ASKED = re.compile(r"\b(?:Holds\((\d+)|Quiet\('([a-z])')")
# Mutants that no program can tell from the rule as it is, and why.
EQUIVALENT = {
    "R002:2": "what blocks on the same statement removes evidence of what scales (the runner)",
    "R104:3": "the runner drops findings at places that never run",
    "R113:1": "a missing name has no arguments in the table",
    "R119:f": "the runner drops findings in annotations",
    "R203:1": "the runner is silent about code that is not hot",
    "R209:2": "what is repeated, folded or long and not small (3) is so",
    "R301:1": "what crosses (2) is a device array",
    "R301:2": "without a crossing there is nothing to tell",
    "R309:1": "only seeds and draws have such a fault (2)",
    "R312:1": "without a hot loop there is no header to tell it at, and one GPU has no more than its share (3)",
}


@dataclasses.dataclass(frozen=True)
class Mutant:
    rule: str
    condition: str  # "2" or "b"

    @property
    def name(self) -> str:
        return f"{self.rule}:{self.condition}"


def asked_in(source: str) -> set[str]:
    """The conditions that can be switched off. `Holds(1, x.valid()) || !x.valid()` cannot: the report is about x."""
    conditions = set()
    for asked in ASKED.finditer(source):
        depth, end = 1, source.index("(", asked.start()) + 1
        while depth:
            depth += {"(": 1, ")": -1}.get(source[end], 0)
            end += 1
        if not source.startswith(" ||", end):
            conditions.add(asked[1] or asked[2])
    return conditions


def mutants(wanted: list[str]) -> list[Mutant]:
    """What the sources of the rules ask, in order of code."""
    found = []
    for path in sorted((common.ROOT / "rules").glob("*/r[0-9][0-9][0-9]_*.cpp"), key=lambda path: path.name):
        rule = path.name[:4].upper()
        if wanted and rule not in wanted:
            continue
        conditions = asked_in(path.read_text(encoding="utf-8"))
        found += [Mutant(rule, condition) for condition in sorted(conditions, key=common.natural)]
    return [mutant for mutant in found if mutant.name not in EQUIVALENT]


def run(fixture: fixtures.Fixture, mutant: str) -> list[str]:
    """What the fixture complains of when this mutant runs ("" for none)."""
    try:
        document = fixtures.run(fixture, {**os.environ, "CPNLINT_MUTATE": mutant})
    except SystemExit:
        return ["the program broke"]
    return fixtures.compare(fixture, document)


def in_order(mutant: Mutant, all_fixtures: list[fixtures.Fixture]) -> list[fixtures.Fixture]:
    """The rule's own fixtures first: most mutants end there."""

    def marks(fixture: fixtures.Fixture) -> int:
        own = fixture.path.name.startswith(mutant.rule.lower())
        return 1000 * own + sum(mark.code == mutant.rule for mark in fixture.marks)

    return sorted(all_fixtures, key=marks, reverse=True)


def test(mutant: Mutant, all_fixtures: list[fixtures.Fixture]) -> str:
    """The fixture that notices; empty where none does."""
    for fixture in in_order(mutant, all_fixtures):
        if run(fixture, mutant.name):
            return str(fixture.path.relative_to(fixtures.FIXTURES))
    return ""


def page(noticed: dict[Mutant, str]) -> str:
    by_rule = collections.defaultdict(list)
    for mutant, fixture in noticed.items():
        by_rule[mutant.rule].append((mutant, fixture))
    survivors = sum(not fixture for fixture in noticed.values())
    lines = [
        "# Mutation test of the rules",
        "",
        "Written by `python3 tests/tools/mutation.py --update` on the target `cpnlint_mutation`; not by hand.",
        "",
        "Each condition and each exception that a rule asks by number or letter is switched off in turn; a mutant",
        f"survives when every fixture still passes. {len(noticed)} mutants, {survivors} survive"
        f" ({100 * survivors / max(1, len(noticed)):.0f} %).",
        "",
        "Not tried: conditions that find what the report is about, without which there is nothing to report, and these,",
        "which no program can tell from the rule as it is:",
        "",
        *(f"- {name}: {why}" for name, why in EQUIVALENT.items()),
        "",
        "| rule | mutants | noticed | surviving |",
        "|---|---|---|---|",
    ]
    for rule, tested in sorted(by_rule.items()):
        alive = [mutant.condition for mutant, fixture in tested if not fixture]
        lines.append(f"| {rule} | {len(tested)} | {len(tested) - len(alive)} | {', '.join(alive) or '–'} |")
    return "\n".join(lines) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("rules", nargs="*", help="codes (all rules)")
    parser.add_argument("--update", action="store_true", help="write docs/mutation.md")
    args = parser.parse_args()
    default = common.ROOT / "build" / "release" / "bin" / "cpnlint_mutation"
    os.environ["CPNLINT"] = os.environ.get("CPNLINT_MUTATION", str(default))
    paths = sorted(fixtures.FIXTURES.rglob("*.py"))
    healthy = []
    for fixture in map(fixtures.parse, paths):
        if run(fixture, ""):
            print(f"left out, since it fails as it is: {fixture.path.relative_to(fixtures.FIXTURES)}")
        elif any(mark.code for mark in fixture.marks):
            healthy.append(fixture)
    noticed = {}
    for mutant in mutants([rule.upper() for rule in args.rules]):
        noticed[mutant] = test(mutant, healthy)
        print(f"{mutant.name}: {noticed[mutant] or 'SURVIVES'}", flush=True)
    if args.update:
        PAGE.write_text(page(noticed), encoding="utf-8")
    alive = sum(not fixture for fixture in noticed.values())
    print(f"mutation: {len(noticed)} mutants, {alive} survive")
    return 1 if alive > GOAL * len(noticed) else 0


if __name__ == "__main__":
    sys.exit(main())
