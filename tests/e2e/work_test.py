"""Holds `inspect work` against what was counted in the runtime: each call of tests/oracle/launch_calls.py must be found to
take as many operations as rulesets/launches.json says that it took."""

from __future__ import annotations

import json
import re
import sys

import harness
from harness import common

sys.path.insert(0, str(common.ROOT / "tests" / "oracle"))
import launch_calls  # noqa: E402
import launches  # noqa: E402

# What stands in the table and is found otherwise, and why.
OTHERWISE = {
    "sum(b)": "the first sum converts the 0 that it starts from",
    "max(b)": "the first element is compared with nothing",
}


class Work(harness.ProgramTest):
    def test_calls_take_what_was_counted(self) -> None:
        table = json.loads((common.ROOT / "rulesets" / "launches.json").read_text(encoding="utf-8"))
        counted = {(row["name"], *row["when"]): row for row in table["rows"]}
        text = launch_calls.ARRAYS
        line = text.count("\n")
        asked = {}
        for row in launches.own_rows():
            if "host" in row["calls"][0] or (row["name"], *row["when"]) not in counted:
                continue
            line += 1
            asked[line] = counted[(row["name"], *row["when"])]
            text += row["calls"][0] + "\n"
        self.assertGreater(len(asked), 350)
        self.write("calls.py", text)
        done = self.run_program("inspect", "work", "calls.py")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        found = {number: [0.0, 0.0] for number in asked}
        times = 1
        for written in done.stdout.splitlines():
            if walk := re.match(r" +loop .*trips (\d+)", written):
                times = int(walk[1])
            elif task := re.match(r"( +)(\d+): .*\] launches ([\d.]+)(?:/([\d.]+))?", written):
                times = times if len(task[1]) > 2 else 1
                if int(task[2]) in found:
                    found[int(task[2])][0] += times * float(task[3])
                    found[int(task[2])][1] += times * float(task[4] or task[3])
        wrong = {
            row["call"]: (found[number], row["seen"])
            for number, row in asked.items()
            if found[number] != [row["launches"], row.get("divided", row["launches"])]
        }
        self.assertEqual(wrong.keys(), OTHERWISE.keys(), wrong)


if __name__ == "__main__":
    harness.main()
