"""tests/programs/: programs as people write them, each with the verdict and the gates that a careful reader expects.

The first lines of a program say what is expected:

    # verdict: LIGHT REFACTOR
    # gates: 3 pass, 4 uncertain
    # composite: pilot
    # options: --gpus 4
"""

from __future__ import annotations

import re
from typing import Any

import harness
from harness import common

PROGRAMS = common.ROOT / "tests" / "programs"
VERDICTS = {"READY", "LIGHT REFACTOR", "SIGNIFICANT REFACTOR", "NOT RECOMMENDED"}


def expectation(text: str) -> dict[str, str]:
    return dict(re.findall(r"^# (verdict|gates|composite|options): (.*)$", text, re.MULTILINE))


def gates_of(expected: str) -> dict[int, str]:
    return {int(number): status for number, status in re.findall(r"(\d) (pass|fail|uncertain)", expected)}


class Programs(harness.ProgramTest):
    def verdict_of(self, name: str, text: str, options: str) -> dict[str, Any]:
        self.write(name, text)
        return self.check(*options.split(), name)["verdict"]

    def test_verdicts_and_gates(self) -> None:
        verdicts, failed = set(), set()
        for path in sorted(PROGRAMS.glob("*.py")):
            text = path.read_text(encoding="utf-8")
            expected = expectation(text)
            gates = gates_of(expected["gates"])
            verdicts.add(expected["verdict"])
            failed |= {number for number, status in gates.items() if status == "fail"}
            with self.subTest(path.name):
                verdict = self.verdict_of(path.name, text, expected.get("options", ""))
                found = {gate["gate"]: gate["status"] for gate in verdict["gates"]}
                self.assertEqual(verdict["name"], expected["verdict"], verdict["sentence"])
                for number, status in gates.items():
                    self.assertEqual(found[number], status, verdict["gates"][number - 1]["reason"])
                if "composite" in expected:
                    self.assertEqual(verdict["composite"], expected["composite"])
        self.assertEqual(verdicts, VERDICTS)
        self.assertEqual(failed, {1, 2, 3, 4, 5, 6})

    def test_there_are_enough_and_they_are_real(self) -> None:
        paths = list(PROGRAMS.glob("*.py"))
        self.assertGreaterEqual(len(paths), 20)
        for path in paths:
            lines = path.read_text(encoding="utf-8").count("\n")
            self.assertTrue(20 <= lines <= 150, f"{path.name}: {lines} lines")


class Report(harness.ProgramTest):
    SECTIONS = ["Verdict", "What works", "What blocks", "What is fixable", "Compatibility and cost notes", "API gaps",
                "Gates", "Next steps"]

    def setUp(self) -> None:
        super().setUp()
        for path in sorted(PROGRAMS.glob("*.py")):
            self.write(path.name, path.read_text(encoding="utf-8"))

    def report(self, *args: str) -> str:
        done = self.run_program("report", "--isolated", "--no-cache", *args)
        self.assertEqual(done.returncode, harness.OK, done.stderr)
        return done.stdout

    def test_eight_sections_in_every_format(self) -> None:
        for name in ("heat_plate.py", "billiard_box.py", "sensor_filter.py"):
            text = self.report(name)
            markdown = self.report("--output-format", "markdown", name)
            for number, title in enumerate(self.SECTIONS, 1):
                self.assertRegex(text, rf"(?m)^{number}\. {title}$")
                self.assertRegex(markdown, rf"(?m)^## {number}\. {title}$")
            document = harness.json.loads(self.report("--output-format", "json", name))
            self.assertEqual(harness.json_schema.json_errors(document), [])
            self.assertEqual([section["title"] for section in document["report"]["sections"]], self.SECTIONS)

    def test_every_finding_has_a_place_and_a_word_of_doctor(self) -> None:
        document = harness.json.loads(self.report("--output-format", "json", "billiard_box.py"))
        entries = [entry for section in document["report"]["sections"][2:4] for entry in section["entries"]]
        found = [entry for entry in entries if entry["rule"]]
        self.assertTrue(found)
        for entry in found:
            self.assertEqual(entry["path"], "billiard_box.py")
            self.assertGreater(entry["line"], 0)
            self.assertTrue(entry["doctor"])

    def test_empty_sections_keep_their_heading(self) -> None:
        self.assertIn("3. What blocks\n   None for this code\n", self.report("heat_plate.py"))
        self.assertIn("n/a — see verdict", self.report("classroom_wave.py"))

    def test_the_exit_code_follows_fail_on(self) -> None:
        self.assertEqual(self.run_program("report", "edge_image.py").returncode, harness.OK)
        self.assertEqual(self.run_program("report", "--fail-on", "error", "edge_image.py").returncode, harness.FINDINGS)
        self.assert_trouble(self.run_program("report", "nowhere.py"), "nowhere.py")
        self.assert_trouble(self.run_program("report", "--output-format", "sarif", "edge_image.py"), "sarif")

    def test_the_worst_program_speaks_and_the_others_are_named(self) -> None:
        text = self.report("heat_plate.py", "sensor_filter.py")
        self.assertIn("NOT RECOMMENDED", text)
        self.assertIn("READY  heat_plate.py", text)

    def test_the_project_around_the_code_counts(self) -> None:
        self.write("run.sh", "legate --gpus 4 heat_plate.py\n")
        self.write("benchmarks/heat.py", "")
        self.write("tests/test_heat.py", "import numpy as np\nnp.testing.assert_allclose(1.0, 1.0)\n")
        gates = harness.json.loads(self.report("--output-format", "json", "heat_plate.py"))["verdict"]["gates"]
        self.assertEqual(gates[5]["status"], "pass", gates[5]["reason"])
        self.assertIn("run.sh", gates[5]["reason"])

    def test_hidden_findings_count_for_the_verdict(self) -> None:
        shown = self.check("billiard_box.py")["verdict"]
        hidden = self.check("--select", "R301", "billiard_box.py")["verdict"]
        self.assertEqual(hidden["name"], shown["name"])
        self.assertEqual(hidden["decided_by"], [])

    def test_text_ends_with_the_verdict_and_what_to_fix_first(self) -> None:
        lines = self.run_program("check", "billiard_box.py").stdout.splitlines()
        verdict = next(i for i, line in enumerate(lines) if line.startswith("Verdict: "))
        self.assertTrue(lines[verdict - 1].startswith("Found "))
        self.assertEqual(lines[verdict + 1], "Fix first:")
        fixes = lines[verdict + 2 :]
        self.assertTrue(3 <= len(fixes) / 2 <= 5, fixes)
        for number, (fix, words) in enumerate(zip(fixes[::2], fixes[1::2]), start=1):
            self.assertTrue(fix.startswith(f"  {number}. R"), fix)
            self.assertRegex(words, r"^     (saves .* of the time( \(.*\))? for )?.* to .* of work(; makes way for R.*)?$")
        self.assertIn("makes way for R104, R105", fixes[1])

    def test_fixes_tell_what_they_save_and_make_way_for(self) -> None:
        document = self.check("billiard_box.py")
        fixes = document["verdict"]["fixes"]
        self.assertEqual([fix["finding"] for fix in fixes], document["verdict"]["fix_first"])
        rule = [document["findings"][fix["finding"]]["rule"] for fix in fixes]
        self.assertEqual(rule[0], "R101")
        self.assertGreater(fixes[0]["share"], 0.5)
        self.assertEqual({document["findings"][i]["rule"] for i in fixes[0]["unlocks"]}, {"R104", "R105"})


KERNELS = """\
import numpy as np


def accumulate(field, weights):
    out = np.zeros_like(field)
    for i in range(field.shape[0]):
        out[i] = field[i] * weights[i] + 1.0
    return out


def spread(field, weights):
    return field * weights


def never_called_from_main(field):
    return np.unwrap(field)
"""
MAIN = """\
import numpy as np
from kernels import {kernel}


def main():
    field = np.random.rand(100_000_000)
    weights = np.ones(100_000_000)
    for step in range(100):
        field = {kernel}(field, weights)
    print(field.mean())


if __name__ == "__main__":
    main()
"""


class Imported(harness.ProgramTest):
    """A module that a named file imports is read and not reported; what is called in it counts for the verdict."""

    def setUp(self) -> None:
        super().setUp()
        self.write("kernels.py", KERNELS)
        self.write("slow.py", MAIN.format(kernel="accumulate"))
        self.write("fast.py", MAIN.format(kernel="spread"))

    def test_what_is_called_elsewhere_counts(self) -> None:
        document = self.check("slow.py")
        self.assertEqual(document["files"]["analysed"], 1)
        self.assertEqual({finding["path"] for finding in document["findings"]} - {"slow.py"}, set())
        self.assertEqual(document["verdict"]["name"], "LIGHT REFACTOR")
        self.assertRegex(document["verdict"]["sentence"], r"1 blocking unit: R101 .*\(kernels\.py:6\)")
        text = self.run_program("check", "--isolated", "slow.py").stdout
        self.assertIn("counts 1 finding in kernels.py, which is only read here: name it to see it", text)
        self.assertEqual(self.check("slow.py", "kernels.py")["verdict"]["name"], "LIGHT REFACTOR")

    def test_the_report_lists_it_and_prices_the_whole(self) -> None:
        document = self.run_program("report", "--isolated", "--output-format", "json", "slow.py").stdout
        report = harness.json.loads(document)
        blocks = report["report"]["sections"][2]["entries"]
        self.assertEqual([(entry["path"], entry["rule"]) for entry in blocks], [("kernels.py", "R101")])
        self.assertNotIn("no loop", " ".join(gate["reason"] for gate in report["verdict"]["gates"]))

    def test_what_nobody_calls_does_not(self) -> None:
        document = self.check("fast.py")
        self.assertEqual(document["verdict"]["name"], "READY")
        self.assertNotIn("counts", self.run_program("check", "--isolated", "fast.py").stdout)

    def test_a_kept_result_says_the_same(self) -> None:
        folder = str(self.folder / "cache")
        texts = {self.run_program("check", "--isolated", "--cache-dir", folder, "slow.py").stdout for _ in range(2)}
        self.assertEqual(len(texts), 1)
        self.assertIn("kernels.py:6", texts.pop())

    def test_budgets_are_about_the_named_files(self) -> None:
        for budget in self.check("--config", "max-blocks=0", "slow.py")["budgets"]:
            self.assertEqual((budget["found"], budget["exceeded"]), (0, False))
        for budget in self.check("--config", "max-blocks=0", "kernels.py")["budgets"]:
            self.assertEqual((budget["found"], budget["exceeded"]), (1, True))


if __name__ == "__main__":
    harness.main()
