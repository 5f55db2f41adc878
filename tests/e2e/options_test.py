"""Commands, options, exit codes and formats, as the interface promises them."""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess

import harness
from harness import CLEAN, ELEMENT_LOOP, FFT, FINDINGS, JOIN_IN_LOOP, OK, common, json_schema

ESCAPE = "\x1b["


class Commands(harness.ProgramTest):
    def test_version_and_help(self) -> None:
        version = self.run_program("--version")
        self.assertRegex(version.stdout, r"^cpnlint \d+\.\d+\.\d+")
        self.assertEqual(version.returncode, OK)
        for command in ((), ("check",), ("explain",), ("rules",), ("api",), ("inspect",)):
            done = self.run_program(*command, "--help")
            self.assertEqual((done.returncode, done.stderr), (OK, ""))
            self.assertIn("cpnlint", done.stdout)

    def test_the_examples_of_the_help_run(self) -> None:
        self.write("src/solver.py", ELEMENT_LOOP)
        self.write("notebooks/lecture.ipynb", harness.cells(CLEAN))
        (self.folder / "machines").mkdir()
        found = 0
        names = re.findall(r"(?m)^  ([a-z]+(?: [a-z]+)?)  ", self.run_program("--help").stdout)
        self.assertIn("inspect why", names)
        for name in ("", *names, "config", "profile", "cache", "inspect"):
            text = self.run_program(*name.split(), "--help").stdout
            examples = re.findall(r"(?m)^  cpnlint (.*?)(?:  |$)", text.partition("\nExamples:\n")[2])
            self.assertTrue(examples, f"{name} has no example")
            for example in examples:
                found += 1
                if example.startswith("calibrate"):
                    continue  # a minute each
                done = self.run_program(*example.split())
                self.assertIn(done.returncode, (OK, FINDINGS), f"{example}: {done.stderr}")
                self.assertEqual(done.stderr.replace("cpnlint: wrote 1 finding into `known.json`\n", ""), "", example)
        self.assertGreater(found, 40)
        self.assertEqual(self.run_program("help", "check").stdout, self.run_program("check", "--help").stdout)
        self.assertIn("config explain", self.run_program("config", "--help").stdout)
        self.assertNotIn("calibrate", self.run_program("config", "--help").stdout)

    def test_check_is_the_default_and_here_is_the_default_path(self) -> None:
        self.write("a.py", ELEMENT_LOOP)
        options = ("--isolated", "--no-cache", "--output-format", "json")
        outputs = {
            self.run_program(*command, *options, *path).stdout
            for command in ((), ("check",))
            for path in ((), (".",), ("a.py",))
        }
        self.assertEqual(len(outputs), 1)

    def test_usage_errors_name_what_is_wrong(self) -> None:
        self.write("a.py")
        self.assert_trouble(self.run_program("--no-such-option", "a.py"), "--no-such-option")
        self.assert_trouble(self.run_program("a.py", "--select", "R999"), "R999")
        self.assert_trouble(self.run_program("a.py", "--output-format", "yaml"), "yaml")
        self.assert_trouble(self.run_program("a.py", "--min-confidence", "sure"), "sure")
        self.assert_trouble(self.run_program("a.py", "--jobs", "many"), "many")

    def test_slips_are_answered_with_what_may_be_meant(self) -> None:
        self.write("a.py")
        for words, answer in (
            (("chekc",), "did you mean `check`?"),
            (("reports", "a.py"), "did you mean `report`?"),
            (("--format", "json", "a.py"), "did you mean `--output-format`?"),
            (("--baseline",), "--baseline needs FILE behind it"),
            (("api",), "api: say what: NAME"),
            (("completions",), "say what: bash|zsh|fish"),
            (("inspect", "facts"), "inspect facts: say what: FILE"),
            (("inspect", "why", "a.py:1"), "inspect why: say what: FILE:LINE RULE"),
            (("profile", "compare", "a100-80"), "profile compare: say what: NAME|FILE"),
            (("--prune", "a.py"), "--baseline FILE, or a `ratchet` in the configuration"),
        ):
            self.assert_trouble(self.run_program(*words), answer)
        self.assertNotIn("did you mean", self.run_program("nowhere/b.py").stderr)
        for words, answer in (
            (("inspect", "why", "a.py:1", "R101", "x"), "inspect why: takes FILE:LINE RULE and nothing more"),
            (("--output-format", "json", "predict", "a.py"), "`cpnlint predict --output-format json src/`"),
            (("--isolated", "inspect", "ir", "a.py"), "a command comes before its options: `cpnlint inspect"),
            (("--stdin-filename", "b.py", "a.py"), "`-` is not among the paths"),
            (("report", "--statistics", "a.py"), "there is no option `--statistics`"),
            (("predict", "--statistics", "a.py"), "there is no option `--statistics`"),
            (("--exclude", "", "a.py"), "--exclude: it is empty"),
            (("--exclude=", "a.py"), "--exclude: it is empty"),
            (("--write-baseline=", "a.py"), "--write-baseline: it is empty"),
            (("--gpus", "4097", "--nodes", "1048576", "a.py"), "from 1 to 1048576 in all"),
            (("--gpus", "1048577", "a.py"), "from 1 to 1048576"),
        ):
            self.assert_trouble(self.run_program(*words), answer)
        self.assertIn("no remarks", self.run_program("report", "--help").stdout)

    def test_of_two_values_the_last_one_counts(self) -> None:
        """An alias or a hook sets some, and whoever calls it others."""
        self.write("a.py", ELEMENT_LOOP)
        self.assertEqual(self.run_program("--fail-on", "never", "--fail-on", "error", "a.py").returncode, FINDINGS)
        self.assertEqual(self.run_program("--fail-on", "error", "--fail-on", "never", "a.py").returncode, OK)
        done = self.run_program("--jobs", "2", "--jobs", "1", "--min-confidence", "possible", "--min-confidence", "certain", "a.py")  # fmt: skip
        self.assertEqual(done.returncode, FINDINGS, done.stderr)
        self.assertEqual(self.check("--nodes", "2", "--nodes", "3", "a.py")["target"]["nodes"], 3)

    def test_explain(self) -> None:
        page = self.run_program("explain", "R101")
        self.assertEqual(page.returncode, OK)
        self.assertIn("element-loop", page.stdout)
        self.assertEqual(self.run_program("explain", "element-loop").stdout, page.stdout)
        self.assertIn("# ", self.run_program("explain", "R101", "--output-format", "markdown").stdout)
        self.assert_trouble(self.run_program("explain", "R999"), "R999")
        whole = self.run_program("explain", "--all", "--output-format", "markdown").stdout
        for rule in common.all_rules():
            self.assertIn(rule["code"], whole)

    def test_rules(self) -> None:
        rules = common.all_rules()
        codes = [rule["code"] for rule in rules]
        self.assertEqual(codes, sorted(set(codes)))
        self.assertIn("R101", codes)
        table = self.run_program("rules").stdout
        for rule in rules:
            self.assertIn(rule["slug"], table)

    def test_api(self) -> None:
        self.assertIn("std", self.run_program("api", "np.std").stdout)
        self.assertEqual(self.run_program("api", "np.linalg.qr", "numpy.sum").returncode, OK)
        miss = self.run_program("api", "np.linalg.qrr")
        self.assertIn("qr", miss.stdout + miss.stderr)

    def test_inspect(self) -> None:
        self.write("a.py", ELEMENT_LOOP)
        for what in ("ir", "facts", "work"):
            done = self.run_program("inspect", what, "a.py")
            self.assertEqual((done.returncode, done.stderr), (OK, ""))
            self.assertNotEqual(done.stdout, "")
        line = self.check("a.py")["findings"][0]["start"]["line"]
        why = self.run_program("inspect", "why", f"a.py:{line}", "R101")
        self.assertEqual(why.returncode, OK)
        self.assertRegex(why.stdout, r"(?m)\b1\b")
        self.assert_trouble(self.run_program("inspect", "ir", "nowhere.py"), "nowhere.py")
        self.write("parts/solver.py", ELEMENT_LOOP)
        self.assertTrue(self.run_program("inspect", "facts", "parts").stdout.startswith("parts/solver.py:\n"))
        facts = json.loads(self.run_program("inspect", "facts", "parts", "--output-format", "json").stdout)
        self.assertEqual({fact["path"] for fact in facts}, {"parts/solver.py"})

    def test_completions(self) -> None:
        for shell in ("bash", "zsh", "fish"):
            done = self.run_program("completions", shell)
            self.assertEqual(done.returncode, OK)
            self.assertIn("cpnlint", done.stdout)
            self.assertIn("explain", done.stdout)
            if shell == "bash":
                subprocess.run(["bash", "-n"], input=done.stdout, encoding="utf-8", check=True)
        self.assert_trouble(self.run_program("completions", "tcsh"), "tcsh")


class Selection(harness.ProgramTest):
    def setUp(self) -> None:
        super().setUp()
        self.write("loop.py", ELEMENT_LOOP)
        self.write("join.py", JOIN_IN_LOOP)
        self.write("fft.py", FFT)

    def selected(self, *options: str) -> set[str]:
        return set(self.rules_found(self.check(*options, "loop.py", "join.py", "fft.py")))

    def test_each_file_has_its_finding(self) -> None:
        self.assertEqual(self.selected(), {"R101", "R203", "R303"})

    def test_select_by_code_prefix_slug_and_family(self) -> None:
        self.assertEqual(self.selected("--select", "R101"), {"R101"})
        self.assertEqual(self.selected("--select", "R1,R3"), {"R101", "R303"})
        self.assertEqual(self.selected("--select", "joining-in-loop"), {"R203"})
        self.assertEqual(self.selected("--select", "info"), {"R303"})
        self.assertEqual(self.selected("--select", "ALL"), {"R101", "R203", "R303"})
        self.assertEqual(self.selected("--select", "R101", "--extend-select", "R203"), {"R101", "R203"})

    def test_ignore(self) -> None:
        self.assertEqual(self.selected("--ignore", "R101"), {"R203", "R303"})
        self.assertEqual(self.selected("--ignore", "R1,R2"), {"R303"})
        self.assertEqual(self.selected("--extend-ignore", "refactor"), {"R101", "R303"})

    def test_the_more_specific_wins_and_ignore_wins_a_tie(self) -> None:
        self.assertEqual(self.selected("--select", "R101", "--ignore", "R1"), {"R101"})
        self.assertEqual(self.selected("--select", "R1,R2", "--ignore", "R101"), {"R203"})
        self.assertEqual(self.selected("--select", "R101", "--ignore", "R101"), set())

    def test_fail_on_decides_the_exit_code(self) -> None:
        severities = {"error": "loop.py", "warning": "join.py", "info": "fft.py"}
        order = list(severities)
        for severity, path in severities.items():
            for lowest in order:
                code = FINDINGS if order.index(severity) <= order.index(lowest) else OK
                self.check("--fail-on", lowest, path, code=code)
            self.check("--fail-on", "never", path, code=OK)
            self.check(path, code=OK if severity == "info" else FINDINGS)

    def test_severities_are_as_documented(self) -> None:
        document = self.check("loop.py", "join.py", "fft.py")
        severities = {finding["rule"]: finding["severity"] for finding in document["findings"]}
        self.assertEqual(severities, {"R101": "error", "R203": "warning", "R303": "info"})

    def test_confidence_hides_and_shows(self) -> None:
        every = self.check("--min-confidence", "possible", ".")["findings"]
        certain = self.check("--min-confidence", "certain", ".")["findings"]
        self.assertTrue(all(finding["confidence"] == "certain" for finding in certain))
        self.assertLessEqual(len(certain), len(every))


class Discovery(harness.ProgramTest):
    def paths(self, *options: str) -> list[str]:
        return [finding["path"] for finding in self.check(*options)["findings"]]

    def test_tests_are_left_out_unless_asked_for_or_named(self) -> None:
        self.write("src/a.py", ELEMENT_LOOP)
        self.write("tests/test_a.py", ELEMENT_LOOP)
        self.assertEqual(self.paths("."), ["src/a.py"])
        self.assertEqual(self.paths("--include-tests", "."), ["src/a.py", "tests/test_a.py"])
        self.assertEqual(self.paths("tests/test_a.py"), ["tests/test_a.py"])

    def test_excludes(self) -> None:
        self.write("src/a.py", ELEMENT_LOOP)
        self.write("src/old/b.py", ELEMENT_LOOP)
        self.write(".venv/lib/c.py", ELEMENT_LOOP)
        self.assertEqual(self.paths("."), ["src/a.py", "src/old/b.py"])
        self.assertEqual(self.paths("--exclude", "old/", "src"), ["src/a.py"])

    def test_gitignore(self) -> None:
        subprocess.run(["git", "init", "-q"], cwd=self.folder, check=True)
        self.write(".gitignore", "generated/\n*_pb2.py\n")
        self.write("a.py", ELEMENT_LOOP)
        self.write("generated/b.py", ELEMENT_LOOP)
        self.write("c_pb2.py", ELEMENT_LOOP)
        self.assertEqual(self.paths("."), ["a.py"])


class Formats(harness.ProgramTest):
    def output(self, output_format: str, *options: str) -> str:
        return self.run_program("check", "--isolated", "--output-format", output_format, *options, "a.py").stdout

    def test_text_is_the_default_and_frames_the_code(self) -> None:
        self.write("a.py", ELEMENT_LOOP)
        text = self.output("text")
        self.assertEqual(self.run_program("check", "--isolated", "a.py").stdout, text)
        self.assertRegex(text, r"(?m)^R101 .* +a\.py:\d+:\d+$")
        self.assertRegex(text, r"(?m)^\s*\d+ \|     for i in range\(n\):$")
        self.assertIn("^^^", text)
        self.assertIn("= help: ", text)

    def test_marks_stand_under_what_they_mark(self) -> None:
        """Whatever the width of the characters before it on the line."""
        for word, columns in (("abc", 3), ("日本", 4), ("é", 1), ("e\u0301", 1), ("🌊", 2), ("ﾊﾝ", 2)):
            line = f"x = '{word}'; y = np.std(np.ones(9))"
            self.write("a.py", f"import numpy as np\n\n{line}\n")
            finding = self.check("a.py", "--select", "R112")["findings"][0]
            start, end = (finding[key]["column"] - 1 for key in ("start", "end"))
            self.assertIn("np.std", line[start:end])
            frame = re.search(r"(?m)^(3 \| )(.*)\n( +\| )( *)(\^+)", self.output("text", "--select", "R112"))
            assert frame is not None, self.output("text")
            self.assertEqual((frame[2], len(frame[1])), (line, len(frame[3])))
            self.assertEqual(len(frame[4]), start - len(word) + columns, word)
            self.assertEqual(len(frame[5]), end - start, word)

    def test_concise_is_one_line_per_finding(self) -> None:
        self.write("a.py", ELEMENT_LOOP)
        finding = self.check("a.py")["findings"][0]
        place = f"a.py:{finding['start']['line']}:{finding['start']['column']}"
        self.assertIn(f"{place}: R101 {finding['message']}\n", self.output("concise"))

    def test_sarif(self) -> None:
        self.write("a b.py", ELEMENT_LOOP)
        done = self.run_program("check", "--isolated", "--output-format", "sarif", "a b.py")
        document = json.loads(done.stdout)
        self.assertEqual(json_schema.sarif_errors(document), [])
        run = document["runs"][0]
        self.assertIn(run["columnKind"], ("unicodeCodePoints", "utf16CodeUnits"))
        result = run["results"][0]
        self.assertEqual((result["ruleId"], result["level"]), ("R101", "error"))
        self.assertEqual(result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "a%20b.py")

    def test_columns_count_code_points(self) -> None:
        self.write("a.py", ELEMENT_LOOP.replace("a[i] = 2.0 * a[i]", "x = '🌊é'; a[i] = 2.0 * a[i]"))
        for finding in self.check("a.py")["findings"]:
            line = (self.folder / "a.py").read_text().split("\n")[finding["start"]["line"] - 1]
            self.assertLessEqual(finding["end"]["column"] - 1, len(line))
            self.assertNotEqual(line[finding["start"]["column"] - 1], " ")

    def test_colour(self) -> None:
        self.write("a.py", ELEMENT_LOOP)
        self.assertNotIn(ESCAPE, self.output("text"))
        self.assertIn(ESCAPE, self.output("text", "--color", "always"))
        self.environment["FORCE_COLOR"] = "1"
        self.assertIn(ESCAPE, self.output("text"))
        self.assertNotIn(ESCAPE, self.output("text", "--color", "never"))
        self.environment["NO_COLOR"] = "1"
        self.assertNotIn(ESCAPE, self.output("text"))
        self.assertNotIn(ESCAPE, self.output("json", "--color", "always"))

    def on_a_terminal(self, *args: str, **variables: str) -> str:
        """What the program says where standard output is a terminal."""
        near, far = pty.openpty()
        kept = {key: value for key, value in self.environment.items() if key not in ("TERM", "TERM_PROGRAM", "VTE_VERSION")}
        process = subprocess.Popen([common.program(), *args], cwd=self.folder, env={**kept, **variables}, stdout=far, stderr=far)
        os.close(far)
        said = b""
        while True:
            try:
                part = os.read(near, 65536)
            except OSError:  # nobody writes any more
                break
            said += part
        os.close(near)
        process.wait()
        return said.decode()

    def test_file_names_are_links_on_terminals_that_have_them(self) -> None:
        self.write("a b.py", ELEMENT_LOOP)
        words = ("--isolated", "--no-cache", "a b.py")
        link = f"\x1b]8;;file://{self.folder}/a%20b.py\x1b\\"
        for options in ((), ("--output-format", "concise")):
            said = self.on_a_terminal(*words, *options, TERM="xterm-kitty")
            self.assertIn(link, said)
            self.assertEqual(said.count("\x1b]8;;file"), said.count("\x1b]8;;\x1b\\"))
            plain = re.sub(r"\x1b\]8;;.*?\x1b\\", "", said)
            self.assertEqual(plain, self.on_a_terminal(*words, *options, TERM="xterm-256color"))
        for variables in ({"TERM": "xterm-256color"}, {"TERM": "xterm-kitty", "NO_COLOR": "1"}, {"TERM": "dumb"},
                          {"TERM": "xterm-kitty", "NO_TERM_HYPERLINKS": "1"}, {"TERM": "xterm-kitty", "FORCE_HYPERLINK": "0"}, {}):  # fmt: skip
            self.assertNotIn("\x1b]8", self.on_a_terminal(*words, **variables), variables)
        for variables in ({"TERM": "xterm-256color", "VTE_VERSION": "7200"}, {"TERM": "x", "FORCE_HYPERLINK": "1"}, {"TERM": "xterm", "TERM_PROGRAM": "vscode"}):
            self.assertIn(link, self.on_a_terminal(*words, **variables), variables)
        piped = self.run_program(*words, "--color", "always", env={**self.environment, "TERM": "xterm-kitty"})
        self.assertNotIn("\x1b]8", piped.stdout)

    def test_the_end_is_a_line_of_counts(self) -> None:
        self.write("a.py", ELEMENT_LOOP)
        self.assertRegex(self.output("text"), r"1 error")
        self.write("a.py", CLEAN)
        done = self.run_program("check", "--isolated", "a.py")
        self.assertEqual(done.returncode, OK)
        self.assertNotEqual(done.stdout + done.stderr, "")


class Pragmas(harness.ProgramTest):
    def with_comment(self, comment: str) -> dict[str, object]:
        lines = ELEMENT_LOOP.split("\n")
        self.write("a.py", ELEMENT_LOOP)
        line = self.check(".")["findings"][0]["start"]["line"]
        lines[line - 1] += f"  {comment}"
        self.write("a.py", "\n".join(lines))
        return self.check(".")

    def test_ignores(self) -> None:
        for comment in ("# cpnlint: ignore[R101] small", "# noqa: R101", "# cpnlint: ignore[R1] small"):
            document = self.with_comment(comment)
            self.assertEqual((self.rules_found(document), self.note_kinds(document)), ([], []), comment)

    def test_what_does_not_ignore(self) -> None:
        for comment in ("# noqa", "# noqa: E501", "# cpnlint: ignore[R203] other"):
            self.assertEqual(self.rules_found(self.with_comment(comment)), ["R101"], comment)

    def test_notes_on_ignores(self) -> None:
        self.assertEqual(self.note_kinds(self.with_comment("# cpnlint: ignore[R101]")), ["ignore-without-reason"])
        self.assertEqual(self.note_kinds(self.with_comment("# cpnlint: ignore[R203] other")), ["unused-ignore"])
        self.assertEqual(self.note_kinds(self.with_comment("# cpnlint: ignore[R999] other")), ["unknown-name"])

    def test_a_whole_file(self) -> None:
        self.write("a.py", "# cpnlint: ignore-file[R101] generated\n" + ELEMENT_LOOP)
        self.assertEqual(self.rules_found(self.check(".", code=OK)), [])


if __name__ == "__main__":
    harness.main()
