"""Holds findings that people judged (tests/accuracy/*.jsonl) against what the program says today.

usage: accuracy_recheck.py JUDGED FOLDER      e.g. tests/accuracy/packages-2.jsonl and the folder of unpacked packages

Prints which wrong findings are still reported and which right ones are lost, and how many of each.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import common


def places(document: dict[str, Any]) -> set[tuple[str, int, str]]:
    """Path, line and rule of every finding and its further sites."""
    found = set()
    for finding in document["findings"]:
        for place in [finding, *finding["also"]]:
            found.add((place["path"] or finding["path"], place["start"]["line"], finding["rule"]))
    return found


def main() -> int:
    if len(sys.argv) != 3:
        print(__doc__)
        return 2
    judged = [json.loads(line) for line in Path(sys.argv[1]).read_text(encoding="utf-8").splitlines()]
    program = str(Path(common.program()).resolve())
    done = subprocess.run(
        [program, "check", ".", "--isolated", "--no-cache", "--preview", "--output-format", "json"],
        cwd=sys.argv[2], capture_output=True, encoding="utf-8", check=False,
    )
    now = places(json.loads(done.stdout))
    count = {"right": [0, 0], "wrong": [0, 0]}
    for row in judged:
        if not (Path(sys.argv[2]) / row["path"]).exists():  # judged in another folder
            continue
        there = (row["path"], row["line"], row["rule"]) in now
        count[row["verdict"]][0] += there
        count[row["verdict"]][1] += 1
        if there == (row["verdict"] == "wrong"):
            print("still there" if there else "lost", f"{row['path']}:{row['line']}", row["rule"], row["reason"], sep="  ")
    for verdict, (there, all_of_them) in count.items():
        print(f"{verdict}: {there} of {all_of_them} are reported today")
    return 0


if __name__ == "__main__":
    sys.exit(main())
