"""Which findings say that cuPyNumeric Doctor speaks of the same line: as it did when such lines ran (26.6.1)."""

from __future__ import annotations

import harness

HEAD = """\
import numpy as np


def main():
    u, pos, tab, at = np.ones(5000), np.ones((1000, 3)), np.ones((6, 3)), np.arange(1000) % 6
    big, rows = np.ones((2, 2, 2, 2, 6)), np.arange(2)
    total = 0.0
    for k in range(300):
        {0}
        total = total + x.sum() + k
    print(total)


main()
"""


class Doctor(harness.ProgramTest):
    def test_it_speaks_of_joins_by_hstack_and_vstack_alone(self) -> None:
        for line, said in (
            ("x = u = np.hstack([u, pos[:3, 0]])", "repeated stacking"),
            ("x = u = np.concatenate([u, pos[:3, 0]])", None),
            ("x = u = np.append(u, pos[:3, 0])", None),
        ):
            self.says("R203", line, said)

    def test_it_speaks_of_slow_keys_alone(self) -> None:
        for line, said in (
            ("x = pos[at * 2]", None),
            ("x = tab[at, 0]", None),
            ("x = tab[:, rows]", None),
            ("x = tab[at, at % 3]", "advanced indexing"),
            ("x = tab[1:, rows]", "advanced indexing"),
            ("x = big[rows]", "advanced indexing"),
        ):
            self.says("R116", line, said)

    def says(self, rule: str, line: str, said: str | None) -> None:
        with self.subTest(line):
            self.write("a.py", HEAD.format(line))
            findings = self.check("a.py", "--preview", "--min-confidence", "possible")["findings"]
            told = [finding["doctor"] for finding in findings if finding["rule"] == rule]
            self.assertEqual(told, [said], [finding["rule"] for finding in findings])


if __name__ == "__main__":
    harness.main()
