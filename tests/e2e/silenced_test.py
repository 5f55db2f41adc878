"""A verdict does not get better by looking away: it judges the program as it is, whatever is shown of it."""

from __future__ import annotations

import json
from typing import Any

import harness

WAITS = """\
import numpy as np


def relax(n, steps):
    u = np.ones(n)
    log = []
    for it in range(steps):
        u = 0.5 * (u + 1.0)
        log.append(float(u.max())){comment}
    return u, log


print(relax(50_000_000, 1000)[0].sum())
"""
# Nothing that is shown: the process ends at the division, `divmod` raises. Both rules are previews.
RAISES = """\
import numpy as np


def share(n):
    total = np.ones(n, dtype=np.int64)
    rank = np.arange(n)
    return np.where(rank == 0, 0, total // rank)


print(share(50_000_000).sum())
"""
DIVIDES = """\
import numpy as np

q, r = divmod(np.arange(50_000_000), 7)
print(q.sum(), r.sum())
"""


class Silenced(harness.ProgramTest):
    def verdict(self, *args: str) -> dict[str, Any]:
        return self.check(*args, "a.py")["verdict"]

    def report(self, *args: str) -> str:
        return self.run_program("report", "--isolated", "--no-cache", *args).stdout

    def test_a_comment_changes_what_is_shown_and_not_the_verdict(self) -> None:
        self.write("a.py", WAITS.format(comment=""))
        plain = self.verdict()
        self.assertEqual((plain["name"], plain["units"]["blocks"]), ("LIGHT REFACTOR", 1))
        for comment in ("  # cpnlint: ignore[R104] wanted", "  # noqa: R104"):
            self.write("a.py", WAITS.format(comment=comment))
            document = self.check("a.py")
            verdict = document["verdict"]
            self.assertNotIn("R104", self.rules_found(document))
            for key in ("name", "range", "sentence", "units", "gates"):
                self.assertEqual(verdict[key], plain[key], (comment, key))
            self.assertEqual(verdict["not_shown"], {"ignored": 1, "unselected": 0, "preview": 0, "other": 0})
            self.assertEqual([(one["rule"], one["start"]["line"]) for one in verdict["hidden"]], [("R104", 9)])
            # Whoever wrote the comment has decided to leave it.
            self.assertEqual(verdict["fix_first"], [])
            told = "counts 1 finding that is not shown: 1 ignored by comments"
            self.assertIn(told, self.run_program("check", "--isolated", "--no-cache", "a.py").stdout)
            text = self.report("a.py")
            self.assertIn(told, text)
            self.assertRegex(text, r"a\.py:9  R104 .*\n +ignored by a comment; the verdict counts it")
        self.write("a.py", "# cpnlint: ignore-file[R1] later\n" + WAITS.format(comment=""))
        self.assertEqual(self.verdict()["name"], "LIGHT REFACTOR")

    def test_nor_do_the_other_ways_to_hide(self) -> None:
        self.write("a.py", WAITS.format(comment=""))
        plain = self.verdict()
        self.run_program("check", "--isolated", "--write-baseline", "known.json", "a.py")
        for args, key in ((("--select", "R2"), "unselected"), (("--ignore", "R104"), "unselected"),
                          (("--config", 'per-file-ignores={"a.py"=["R1"]}'), "unselected"),
                          (("--config", 'severity={R104="off"}'), "unselected"),
                          (("--baseline", "known.json"), "other")):
            document = self.check(*args, "a.py")
            verdict = document["verdict"]
            self.assertNotIn("R104", self.rules_found(document), args)
            for same in ("name", "range", "sentence", "units", "gates"):
                self.assertEqual(verdict[same], plain[same], (args, same))
            self.assertEqual(verdict["not_shown"][key], 1, args)
        for args, name in ((("--config", 'severity={R104="info"}'), "LIGHT REFACTOR"),):
            self.assertEqual(self.verdict(*args)["name"], name)

    def test_the_order_of_fixes_does_not_depend_on_what_is_selected(self) -> None:
        self.write("a.py", (harness.common.ROOT / "tests/programs/billiard_box.py").read_text())
        fixes = [line for line in self.run_program("check", "--isolated", "a.py").stdout.splitlines()
                 if line.startswith("  ") and line.strip()[:2].rstrip(".").isdigit()]
        other = [line for line in self.run_program("check", "--isolated", "--select", "R301", "a.py").stdout.splitlines()
                 if line.startswith("  ") and line.strip()[:2].rstrip(".").isdigit()]
        self.assertTrue(fixes)
        self.assertEqual(fixes, other)

    def test_what_raises_counts_though_its_rule_is_a_preview(self) -> None:
        for program, rule in ((RAISES, "R120"), (DIVIDES, "R110")):
            self.write("a.py", program)
            document = self.check("a.py")
            verdict = document["verdict"]
            self.assertNotIn(rule, self.rules_found(document))
            self.assertEqual(verdict["name"], "LIGHT REFACTOR", verdict["sentence"])
            self.assertIn(rule, verdict["sentence"])
            self.assertIn("LIGHT REFACTOR", verdict["gates"][2]["reason"])
            self.assertEqual(verdict["not_shown"]["preview"], 1)
            self.assertIn("1 of previews (--preview shows them)", self.report("a.py"))
            shown = self.check("--preview", "a.py")
            self.assertIn(rule, self.rules_found(shown))
            self.assertEqual(shown["verdict"]["name"], verdict["name"])

    def test_what_raises_in_an_element_loop_goes_with_the_loop(self) -> None:
        self.write("a.py", "import numpy as np\n\norder = np.argsort(np.random.rand(1000000))\ntotal = 0\nfor p in order:\n"
                           "    i, j = divmod(p, 1000)\n    total += i * j\n")
        plain, shown = self.check("a.py")["verdict"], self.check("--preview", "a.py")["verdict"]
        self.assertEqual(plain["units"], shown["units"])
        self.assertEqual((plain["units"]["blocks"], plain["not_shown"]["preview"]), (1, 0))

    def test_a_kept_result_says_the_same(self) -> None:
        self.write("a.py", WAITS.format(comment="  # cpnlint: ignore[R104] wanted"))
        folder = str(self.folder / "cache")
        texts = {self.run_program("report", "--isolated", "--cache-dir", folder, "a.py").stdout for _ in range(2)}
        self.assertEqual(len(texts), 1)
        self.assertIn("1 ignored by comments", texts.pop())


class Programs(harness.ProgramTest):
    """Several programs of one run: the worst of those that have a share in the work speaks."""

    TOY = """\
import numpy as np

x = np.zeros(20)
for t in range(10):
    x = x + 0.5 * x
    x[0] = float(x.max())
print(x)
"""
    LARGE = """\
import numpy as np


def main():
    u = np.random.rand(100_000_000)
    for t in range(500):
        u = 0.5 * (u + np.sqrt(u))
        if float(u.max()) > 10:
            break
    print(u.sum())


main()
"""

    def test_a_toy_does_not_speak_for_the_run(self) -> None:
        self.write("solver.py", self.LARGE)
        self.write("demo.py", self.TOY)
        self.assertEqual(self.check("demo.py")["verdict"]["name"], "NOT RECOMMENDED")
        alone = self.check("solver.py")["verdict"]
        document = self.check(".")
        verdict = document["verdict"]
        self.assertEqual((verdict["name"], verdict["sentence"]), (alone["name"], alone["sentence"]))
        self.assertEqual([(one["root"], one["minor"]) for one in verdict["programs"]],
                         [("demo.py", True), ("solver.py", False)])
        self.assertEqual(verdict["fixes_of"], "solver.py")
        self.assertEqual({document["findings"][i]["path"] for i in verdict["fix_first"]}, {"solver.py"})
        text = self.run_program("check", "--isolated", ".").stdout
        self.assertIn("the program: solver.py; 1 other has under 1 % of the work of the heaviest and does not speak for "
                      "the run", text)
        self.assertIn("NOT RECOMMENDED  demo.py  (under 1 % of the work)",
                      self.run_program("report", "--isolated", ".").stdout)

    LIBRARY = """\
import numpy as np


def normalise(u: np.ndarray):
    return (u - np.mean(u)) / np.sqrt(np.mean(u ** 2))


def smooth(u: np.ndarray, w: np.ndarray):
    out = np.empty_like(u)
    out[1:-1] = 0.5 * (u[2:] + u[:-2]) * w[1:-1]
    return out


def energy(u: np.ndarray, v: np.ndarray):
    return 0.5 * np.sum(u ** 2 + v ** 2) + np.std(u) + np.sqrt(np.sum(np.abs(u * v)))


def blend(a: np.ndarray, b: np.ndarray, t):
    w = np.clip(t, 0, 1)
    return a * (1 - w) + b * w + np.sin(a) * np.cos(b)
"""
    DEMO = """\
import numpy as np
from pkg import normalise

x = np.linspace(0, 1, 50)
for k in range(20):
    x = normalise(x)
print(x)
"""

    def test_a_demo_does_not_speak_for_the_library_that_it_shows(self) -> None:
        self.write("pkg/__init__.py", "from .tools import blend, energy, normalise, smooth\n")
        self.write("pkg/tools.py", self.LIBRARY)
        self.write("examples/demo.py", self.DEMO)
        self.write("pyproject.toml", "[project]\nname = \"pkg\"\n")
        document = self.check(".")
        verdict = document["verdict"]
        self.assertEqual(verdict["name"], "LIGHT REFACTOR", verdict["sentence"])
        self.assertIn("functions that nothing here calls", verdict["gates"][1]["reason"])
        self.assertEqual([document["findings"][i]["rule"] for i in verdict["fix_first"]], ["R112"])

    def test_fixes_of_the_next_worst_where_the_worst_has_none(self) -> None:
        self.write("solver.py", self.LARGE)
        self.write("filter.py", (harness.common.ROOT / "tests/programs/sensor_filter.py").read_text())
        verdict = self.check(".")["verdict"]
        self.assertEqual(verdict["name"], "NOT RECOMMENDED", json.dumps(verdict["programs"]))
        self.assertEqual(verdict["fixes_of"], "solver.py")
        self.assertTrue(verdict["fix_first"])
        self.assertIn("Fix first in solver.py, which is LIGHT REFACTOR:",
                      self.run_program("check", "--isolated", ".").stdout)


if __name__ == "__main__":
    harness.main()
