"""`inspect why` says of each finding of each rule's example that it was reported, and why."""

from __future__ import annotations

import json
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
