"""`inspect why` says of each finding of each rule's example that it was reported, and why."""

from __future__ import annotations

import json
import re
import unittest

import harness
from harness import OK

ALL = ("--preview", "--min-confidence", "possible", "--select", "ALL")


class Why(harness.ProgramTest):
    def test_every_finding_of_the_examples_is_explained(self) -> None:
        silent = []
        for rule in harness.common.all_rules():
            code = rule["code"]
            page = json.loads(self.run_program("explain", code, "--output-format", "json").stdout)
            page = page[0] if isinstance(page, list) else page
            self.write("example.py", page["bad"])
            found = [f for f in self.check("example.py", *ALL)["findings"] if f["rule"] == code]
            for finding in found:
                place = f"example.py:{finding['start']['line']}"
                done = self.run_program("inspect", "why", place, code)
                self.assertEqual(done.returncode, OK, done.stderr)
                if "  reported: " not in done.stdout:
                    silent.append(f"{code} {place}\n{done.stdout}")
        self.assertEqual(silent, [])

    def test_a_place_with_its_column_as_it_is_printed(self) -> None:
        self.write("a.py", harness.ELEMENT_LOOP)
        (finding,) = self.check("a.py")["findings"]
        place = "a.py:{line}:{column}".format(**finding["start"])
        done = self.run_program("inspect", "why", place, "R101")
        self.assertIn(f"at {place}\n", done.stdout)
        self.assertIn("reported: ", done.stdout)

    def test_every_condition_has_words(self) -> None:
        silent = []
        for path in sorted((harness.common.ROOT / "rules").glob("*/r[0-9][0-9][0-9]_*.cpp")):
            code = path.name[:4].upper()
            page = json.loads(self.run_program("explain", code, "--output-format", "json").stdout)
            page = page[0] if isinstance(page, list) else page
            lines = f"{page['details']}\n{page['conditions'] or ''}".splitlines()
            for asked in re.finditer(r"\b(?:Holds\((\d+)|Quiet\('([a-z])')", path.read_text(encoding="utf-8")):
                mark = f"{asked[1]}. " if asked[1] else f"- ({asked[2]}) "
                if not any(line.startswith(mark) for line in lines):
                    silent.append(f"{code}:{asked[1] or asked[2]}")
        self.assertEqual(silent, [])

    def test_it_tells_where_arrays_were_learnt(self) -> None:
        self.write("solver.py", """\
import numpy as np


def smooth(u: np.ndarray, w, n):
    for t in range(n):
        u = u + w.sum()
        print(float(u.max()), t)
    return u


def main(config):
    field = np.zeros(1_000_000)
    return smooth(field, field, 100), config.total + 1


main(None)
""")
        told = self.run_program("inspect", "why", "solver.py:7", "R104").stdout
        self.assertRegex(told, r"`float\(u\.max\(\)\)`\n  2 holds: a device value becomes a Python value there")
        self.assertIn("known of this line:", told)
        self.assertRegex(told, r"`u`: array .*f64\[1000000\].*")
        self.assertRegex(told, r"it is hot.*`for t in range\(n\)` \(solver\.py:5\) runs it again and again")
        told = self.run_program("inspect", "why", "solver.py:6", "R202").stdout
        self.assertRegex(told, r"`w`: array .*; made by `np\.zeros\(1_000_000\)`, solver\.py:12")
        told = self.run_program("inspect", "why", "solver.py:13", "R101").stdout
        self.assertRegex(told, r"`config(\.total)?`: not known to be an array")
        self.assertIn("it is not hot", told)
        told = self.run_program("inspect", "why", "solver.py:5", "R101").stdout
        self.assertRegex(told, r"`for t in range\(n\)`: step loop, .*passes: ")

    def test_it_tells_what_kind_of_evidence(self) -> None:
        self.write("lib.py", """\
import numpy as np


def annotated(u: np.ndarray, n):
    return u * n


def documented(v, n):
    \"\"\"Scales.

    Parameters
    ----------
    v : ndarray
        values
    \"\"\"
    return v * n
""")
        self.assertRegex(self.run_program("inspect", "why", "lib.py:5", "R001").stdout,
                         r"`u`: array .*likely, by its annotation; a parameter of `annotated`")
        self.assertRegex(self.run_program("inspect", "why", "lib.py:16", "R001").stdout,
                         r"`v`: array .*likely, by a docstring; a parameter of `documented`")

    def test_each_thing_on_the_line_has_its_own_conditions(self) -> None:
        self.write("loop.py", "import numpy as np\n\n\ndef run(n):\n    u = np.ones(n)\n    log = []\n"
                              "    for step in range(1000):\n        u = 0.5 * u\n"
                              "        log.append((float(u.max()), len(u)))\n    return float(u.sum()), log\n")
        hot = self.run_program("inspect", "why", "loop.py:9", "R104").stdout
        self.assertIn("`float(u.max())`", hot)
        self.assertIn("reported: error, certain", hot)
        cold = self.run_program("inspect", "why", "loop.py:10", "R104").stdout
        self.assertIn("1 fails", cold)
        self.assertNotIn("u.max()", cold)
        self.assertIn("nothing on this line", self.run_program("inspect", "why", "loop.py:8", "R104").stdout)


if __name__ == "__main__":
    unittest.main()
