"""Counts the judgements of tests/accuracy/ into rulesets/accuracy.json and the table of docs/accuracy.md.

    python3 tests/tools/accuracy_table.py            what would change, exit 1 if anything does
    python3 tests/tools/accuracy_table.py --update   writes both

What counts for a rule are its newest readings, as many as it takes to have 40 findings. Readings 1 to 3 are of builds whose
causes of error were mended before reading 4: they count only for rules of which no finding was read since. What the authors
of the later rules read stands between readings 7 and 8.
"""

from __future__ import annotations

import collections
import json
import sys
from pathlib import Path

import common


def numbered(name: str, first: int, last: int) -> tuple[str, ...]:
    return tuple(f"{name}-{number}" for number in range(first, last + 1))


# The columns of the table, each of readings in the order in which they were made.
COLUMNS = {
    "packages 1 to 7": ("packages-1", "programs", *numbered("packages", 2, 7)),
    "8 to 12": numbered("packages", 8, 12),
    "13 to 20": numbered("packages", 13, 20),
    # Of packages that nothing was mended on before:
    "fresh 1 to 5": numbered("fresh", 1, 5),
    "6 to 18": numbered("fresh", 6, 18),
}
READINGS = tuple(reading for column in COLUMNS.values() for reading in column)
# Read by the authors of the rules, or of mends to them; no columns.
NEW_RULES = ("rules-block", "rules-block-programs", "rules-info", "rules-refactor", "preview-1", "preview-2")
RECENT = READINGS.index("packages-4")
WHOLE_PROGRAMS = READINGS.index("packages-8")  # from there on after the authors' readings
ENOUGH = 40
ABOUT = (
    "Findings that a person read and judged, per rule, in its newest readings; docs/accuracy.md says on which programs "
    "and how many readings. A rule without a row was not measured."
)
BEGIN, END = "<!-- table -->", "<!-- end of the table -->"

Counts = dict[str, tuple[int, int]]  # of a reading or of all that counts: rule to right, wrong


def read(reading: str) -> Counts:
    path = common.ROOT / "tests" / "accuracy" / f"{reading}.jsonl"
    if not path.exists():
        return {}
    count: dict[str, list[int]] = collections.defaultdict(lambda: [0, 0])
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        # A true statement under an untrue explanation or cure is a right finding; the words are mended.
        wrong = row["verdict"] == "wrong" and not row["reason"].startswith("TEXT ONLY")
        count[row["rule"]][wrong] += 1
    return {rule: (right, wrong) for rule, (right, wrong) in count.items()}


def newest(readings: list[Counts], rule: str) -> tuple[int, int]:
    right = wrong = 0
    since = readings[RECENT:] if any(rule in counts for counts in readings[RECENT:]) else readings
    for counts in reversed(since):
        if right + wrong >= ENOUGH:
            break
        right, wrong = right + counts.get(rule, (0, 0))[0], wrong + counts.get(rule, (0, 0))[1]
    return right, wrong


def cell(counts: tuple[int, int]) -> str:
    return f"{counts[0]} of {sum(counts)}" if sum(counts) else ""


def summed(readings: list[Counts]) -> Counts:
    sums: dict[str, tuple[int, int]] = {}
    for counts in readings:
        for rule, (right, wrong) in counts.items():
            before = sums.get(rule, (0, 0))
            sums[rule] = (before[0] + right, before[1] + wrong)
    return sums


def table(readings: dict[str, Counts], rules: list[str], counted: Counts) -> str:
    columns = {name: summed([readings[reading] for reading in those]) for name, those in COLUMNS.items()}
    columns["what counts"] = counted
    lines = ["| rule | " + " | ".join(columns) + " |", "|---|" + "---|" * len(columns)]
    for rule in rules:
        lines.append(f"| {rule} | " + " | ".join(cell(counts.get(rule, (0, 0))) for counts in columns.values()) + " |")
    everything = [(sum(r for r, _ in counts.values()), sum(w for _, w in counts.values())) for counts in columns.values()]
    lines.append("| all | " + " | ".join(cell(each) for each in everything) + " |")
    return "\n".join(lines)


def main() -> int:
    by_name = {name: read(name) for name in READINGS}
    readings = list(by_name.values())
    rules = sorted({rule for counts in readings for rule in counts})
    of_authors = [read(name) for name in NEW_RULES]
    in_order = [*readings[:WHOLE_PROGRAMS], *of_authors, *readings[WHOLE_PROGRAMS:]]
    counted = {rule: newest(in_order, rule) for rule in rules}
    authored = sorted({rule for counts in of_authors for rule in counts} - set(rules))
    all_counted = {**counted, **{rule: newest(of_authors, rule) for rule in authored}}
    document = {"about": ABOUT, "rules": {rule: {"right": r, "wrong": w} for rule, (r, w) in sorted(all_counted.items())}}
    page = common.ROOT / "docs" / "accuracy.md"
    before, rest = page.read_text(encoding="utf-8").split(BEGIN)
    after = rest.split(END)[1]
    wanted: dict[Path, str] = {
        common.ROOT / "rulesets" / "accuracy.json": json.dumps(document, indent=2) + "\n",
        page: f"{before}{BEGIN}\n\n{table(by_name, rules, counted)}\n\n{END}{after}",
    }
    stale = [path for path, text in wanted.items() if path.read_text(encoding="utf-8") != text]
    for path in stale:
        print(f"{path.relative_to(common.ROOT)}: " + ("written" if "--update" in sys.argv else "not what the judgements say"))
        if "--update" in sys.argv:
            path.write_text(wanted[path], encoding="utf-8")
    return 1 if stale and "--update" not in sys.argv else 0


if __name__ == "__main__":
    sys.exit(main())
