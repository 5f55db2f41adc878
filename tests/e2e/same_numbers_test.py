"""All that a run says of a program has one source: the last lines of `check`, the report in each form, JSON, the page and
`predict` give the same counts, verdicts, gates, savings and times."""

from __future__ import annotations

import json
import re
from typing import Any

import harness
from harness import common
from page_support import islands

EXAMPLES = sorted((common.ROOT / "docs" / "examples").iterdir())
PROGRAMS = sorted((common.ROOT / "tests" / "programs").glob("*.py"))
ISOLATED = ("--isolated", "--no-cache")


class SameNumbers(harness.ProgramTest):
    def json_of(self, command: str, name: str) -> dict[str, Any]:
        return json.loads(self.run_program(command, *ISOLATED, "--output-format", "json", name).stdout)

    def text_of(self, command: str, name: str, form: str = "text") -> str:
        return self.run_program(command, *ISOLATED, "--output-format", form, name).stdout

    def page_of(self, command: str, name: str) -> tuple[dict[str, Any], dict[str, Any]]:
        self.run_program(command, *ISOLATED, "--quiet", "--output", "html:page.html", name)
        return islands((self.folder / "page.html").read_text(encoding="utf-8"))

    def compare_commands(self, name: str) -> dict[str, Any]:
        """The parts that each command gives are the same in all of them."""
        report = self.json_of("report", name)
        page, extra = self.page_of("check", name)
        for document in (self.json_of("check", name), self.json_of("predict", name), page):
            for key in ("files", "findings", "good", "verdict", "notes"):
                self.assertEqual(document[key], report[key], key)
        self.assertEqual(extra["report"], report["report"])
        return report

    def compare_texts(self, name: str, report: dict[str, Any]) -> None:
        check, text, markdown = (self.text_of("check", name), self.text_of("report", name),
                                 self.text_of("report", name, "markdown"))
        severities = [finding["severity"] for finding in report["findings"]]
        counts = re.search(r"Found (\d+) findings? \((\d+) errors?, (\d+) warnings?, (\d+) info\)", check)
        if counts or report["findings"]:
            self.assertEqual([int(count) for count in counts.groups()],
                             [len(severities), *(severities.count(one) for one in ("error", "warning", "info"))])
        verdict = report["verdict"]
        if verdict is None:
            self.assertIn("No verdict", check)
            return
        self.assertRegex(check, rf"Verdict: {verdict['name']}\b.*: {re.escape(verdict['sentence'])}\n")
        for said in (text, markdown):
            self.assertRegex(said, rf"{verdict['name']}\b.*: ")
        self.assertIn(verdict["sentence"], text)
        for gate in verdict["gates"]:
            self.assertRegex(text, rf"{gate['gate']} +{gate['name']} +{gate['status']} +{re.escape(gate['reason'])}")
        fixes = re.findall(r"\n  \d\. (R\d+) .*\n     (?:saves (.*?) of the time)?", check)
        for (rule, saves), fix in zip(fixes, verdict["fixes"]):
            self.assertEqual(rule, report["findings"][fix["finding"]]["rule"])
            if saves and saves != "under 1 %":
                self.assertAlmostEqual(float(saves.split()[0]) / 100, fix["share"], delta=0.06)
            self.assertEqual(report["findings"][fix["finding"]]["cost"].get("share"), fix["share"])
        self.assertEqual(len(re.findall(r"fix \d: ", text)), len(fixes))

    def compare_times(self, name: str, report: dict[str, Any]) -> None:
        """The report's predicted time is a row of `predict`, whose regions have the page's names."""
        time = next((entry["text"] for entry in report["report"]["sections"][0]["entries"]
                     if entry["text"].startswith("predicted time of")), None) if report["report"] else None
        prediction = self.json_of("predict", name)["prediction"]
        told = [region for region in prediction["regions"] if region["asked"]]
        if time is None:
            return
        spoken = re.search(r": ([\d.]+ \S+) \(", time)
        if spoken is None:
            return
        self.assertIn(spoken[1], self.text_of("predict", name))
        for region in told:
            curve = [point["gpus"] for point in region["scaling"]] if "scaling" in region else []
            if curve:
                self.assertIn(region["best"], curve)
                self.assertIn(region["stop"], curve)
                self.assertLessEqual(region["stop"], region["best"])

    def test_examples_and_programs(self) -> None:
        for path in (*EXAMPLES, *PROGRAMS):
            if path.suffix not in (".py", ".ipynb"):
                continue
            self.write(path.name, path.read_bytes())
            with self.subTest(path.name):
                report = self.compare_commands(path.name)
                self.compare_texts(path.name, report)
                self.compare_times(path.name, report)

    def test_a_folder_of_programs(self) -> None:
        for path in PROGRAMS[:8]:
            self.write(f"many/{path.name}", path.read_bytes())
        report = self.compare_commands("many")
        self.compare_texts("many", report)


if __name__ == "__main__":
    harness.main()
