"""Configuration: where it is looked for, what wins, what each key does, and what is said of mistakes."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import harness
from harness import ELEMENT_LOOP, FFT, FINDINGS, JOIN_IN_LOOP, OK, common, json_schema

SIZED = """\
import numpy as np


def smooth(u, nt):
    v = np.zeros((n, n))
    for t in range(nt):
        v[1:-1, 1:-1] = 0.25 * (v[:-2, 1:-1] + v[2:, 1:-1] + v[1:-1, :-2] + v[1:-1, 2:])
    return v


n = 4096
smooth(np.ones((n, n)), 100)
"""


class ConfigTest(harness.ProgramTest):
    def found(self, *args: str, code: int | None = None, **options: Any) -> list[tuple[str, str]]:
        """(path, rule) of the findings, under whatever is configured."""
        return [(finding["path"], finding["rule"]) for finding in self.document(*args, code=code, **options)["findings"]]

    def document(self, *args: str, code: int | None = None, **options: Any) -> dict[str, Any]:
        done = self.run_program("check", "--output-format", "json", *args, **options)
        if code is not None:
            self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        self.assertEqual(done.stderr, "")
        document = json.loads(done.stdout)
        self.assertEqual(json_schema.json_errors(document), [])
        return document

    def shown(self, *args: str, **options: Any) -> dict[str, Any]:
        """key -> (value, origins), as `config show` has them."""
        done = self.run_program("config", "show", "--output-format", "json", *args, **options)
        self.assertEqual((done.returncode, done.stderr), (OK, ""))
        return {row["key"]: (row["value"], row["origins"]) for row in json.loads(done.stdout)["settings"]}

    def message(self, *args: str, **options: Any) -> str:
        done = self.run_program(*args, **options)
        self.assert_trouble(done)
        self.assertEqual(done.stdout, "")
        return done.stderr

    def with_environment(self, **variables: str) -> dict[str, Any]:
        return {"env": {**self.environment, **variables}}


class Places(ConfigTest):
    def setUp(self) -> None:
        super().setUp()
        self.write("src/a.py", ELEMENT_LOOP)
        self.write("src/b.py", JOIN_IN_LOOP)

    def test_without_any_file(self) -> None:
        self.assertEqual(self.found("."), [("src/a.py", "R101"), ("src/b.py", "R203")])

    def test_each_kind_of_file_is_found_upwards(self) -> None:
        for name, head in (("cpnlint.toml", ""), (".cpnlint.toml", ""), ("pyproject.toml", "[tool.cpnlint]\n")):
            path = self.write(name, head + 'ignore = ["R101"]\n')
            self.assertEqual(self.found("."), [("src/b.py", "R203")], name)
            self.assertEqual(self.found("src/a.py"), [], name)
            self.assertEqual(self.found("a.py", cwd=self.folder / "src"), [], name)
            path.unlink()

    def test_of_one_folder_the_hidden_file_wins_then_ours_then_the_project(self) -> None:
        self.write("pyproject.toml", '[tool.cpnlint]\nignore = ["ALL"]\n')
        self.assertEqual(self.found("."), [])
        self.write("cpnlint.toml", 'ignore = ["R101"]\n')
        self.assertEqual(self.found("."), [("src/b.py", "R203")])
        self.write(".cpnlint.toml", 'ignore = ["R203"]\n')
        self.assertEqual(self.found("."), [("src/a.py", "R101")])

    def test_a_project_file_without_our_table_is_passed_over(self) -> None:
        self.write("cpnlint.toml", 'ignore = ["R101"]\n')
        self.write("src/pyproject.toml", '[project]\nname = "x"\n[tool.other]\nmention = "cpnlint"\n')
        self.assertEqual(self.found("src"), [("src/b.py", "R203")])
        self.write("src/pyproject.toml", "this is = = broken, and not ours\n")
        self.assertEqual(self.found("src"), [("src/b.py", "R203")])

    def test_the_nearest_file_speaks_for_each_analysed_file_and_nothing_is_inherited(self) -> None:
        self.write("cpnlint.toml", 'ignore = ["R101"]\nmin-confidence = "possible"\n')
        self.write("lib/cpnlint.toml", 'ignore = ["R203"]\n')
        self.write("lib/c.py", ELEMENT_LOOP)
        self.write("lib/d.py", JOIN_IN_LOOP)
        self.assertEqual(self.found("."), [("lib/c.py", "R101"), ("src/b.py", "R203")])
        self.assertEqual(self.found("lib"), [("lib/c.py", "R101")])
        self.assertEqual(self.found("src"), [("src/b.py", "R203")])
        # What speaks about the run comes from the file nearest to all that is named.
        self.assertEqual(self.shown()["min-confidence"], ("possible", ["cpnlint.toml:2"]))
        self.assertEqual(self.shown("lib")["min-confidence"], ("likely", ["default"]))
        self.assertEqual(self.shown("lib", "src/a.py")["min-confidence"], ("possible", ["cpnlint.toml:2"]))

    def test_a_key_of_the_run_in_a_file_below_is_told_of(self) -> None:
        self.write("src/cpnlint.toml", "gpus = 8\n")
        done = self.run_program("check", "--verbose", ".")
        self.assertIn("src/cpnlint.toml:1: `gpus`", done.stderr)
        self.assertNotIn("gpus", self.run_program("check", ".").stderr)

    def test_extend(self) -> None:
        self.write("cpnlint.toml", 'ignore = ["R101"]\nnodes = 3\nseverity = { R203 = "error", R101 = "info" }\n')
        self.write("src/cpnlint.toml", 'extend = "../cpnlint.toml"\nnodes = 2\nseverity.R101 = "warning"\n')
        shown = self.shown("src")
        self.assertEqual(shown["nodes"], (2, ["src/cpnlint.toml:2"]))
        self.assertEqual(shown["ignore"], (["R101"], ["cpnlint.toml:1"]))
        self.assertEqual(shown["severity"][0], {"R203": "error", "R101": "warning"})
        findings = self.document("src")["findings"]
        self.assertEqual([(one["rule"], one["severity"]) for one in findings], [("R203", "error")])
        # A select begins anew, an ignore adds.
        self.write("src/cpnlint.toml", 'extend = "../cpnlint.toml"\nselect = ["R1"]\n')
        self.assertEqual(self.found("src"), [("src/a.py", "R101")])
        self.write("src/cpnlint.toml", 'extend = "../cpnlint.toml"\nignore = ["R203"]\n')
        self.assertEqual(self.found("src"), [])

    def test_extend_a_project_file_and_the_folder_of_the_user(self) -> None:
        self.write("base/pyproject.toml", '[tool.cpnlint]\nignore = ["R101"]\n')
        self.write("cpnlint.toml", 'extend = "base/pyproject.toml"\n')
        self.assertEqual(self.found("."), [("src/b.py", "R203")])
        self.write("home/team.toml", 'ignore = ["R203"]\n')
        self.write("cpnlint.toml", 'extend = "~/team.toml"\n')
        home = self.with_environment(HOME=str(self.folder / "home"))
        self.assertEqual(self.found(".", **home), [("src/a.py", "R101")])

    def test_an_empty_extend(self) -> None:
        self.write("cpnlint.toml", 'extend = ""\n')
        self.assert_trouble(self.run_program("."), "cpnlint.toml:1:10: `extend` is empty; it has to be a string")

    def test_extend_errors(self) -> None:
        self.write("cpnlint.toml", 'extend = "other.toml"\n')
        said = self.message("check", ".")
        self.assertIn("cpnlint.toml", said)
        self.assertIn("other.toml", said)
        self.write("other.toml", 'extend = "sub/../cpnlint.toml"\n')
        self.assertRegex(self.message("check", "."), r"circle: cpnlint\.toml -> other\.toml -> .*cpnlint\.toml")
        self.write("cpnlint.toml", 'extend = "cpnlint.toml"\n')
        self.assertIn("circle", self.message("check", "."))
        self.write("pyproject.toml", "[project]\n")
        self.write("cpnlint.toml", 'extend = "pyproject.toml"\n')
        self.assertIn("[tool.cpnlint]", self.message("check", "."))

    def test_the_users_file_holds_only_where_there_is_no_other(self) -> None:
        self.write("settings/cpnlint/cpnlint.toml", 'ignore = ["R101"]\n')
        mine = self.with_environment(XDG_CONFIG_HOME=str(self.folder / "settings"))
        self.assertEqual(self.found("src", **mine), [("src/b.py", "R203")])
        self.assertEqual(self.found("src", "--isolated", **mine), [("src/a.py", "R101"), ("src/b.py", "R203")])
        self.write("src/cpnlint.toml", 'ignore = ["R203"]\n')
        self.assertEqual(self.found("src", **mine), [("src/a.py", "R101")])
        self.write("home/.config/cpnlint/cpnlint.toml", 'ignore = ["R203"]\n')
        (self.folder / "src" / "cpnlint.toml").unlink()
        environment = {**self.environment, "HOME": str(self.folder / "home")}
        del environment["XDG_CONFIG_HOME"]
        self.assertEqual(self.found("src", env=environment), [("src/a.py", "R101")])
        # The specification wants an absolute path.
        self.assertEqual(self.found("src", env={**environment, "XDG_CONFIG_HOME": "settings"}), [("src/a.py", "R101")])

    def test_isolated(self) -> None:
        self.write("cpnlint.toml", 'ignore = ["ALL"]\n')
        self.write("src/cpnlint.toml", "this = is not read")
        self.assertEqual(self.found("--isolated", "."), [("src/a.py", "R101"), ("src/b.py", "R203")])

    def test_standard_input_has_the_settings_of_its_name(self) -> None:
        self.write("src/cpnlint.toml", 'ignore = ["R101"]\n')
        self.assertEqual(self.found("-", input=ELEMENT_LOOP), [("<stdin>", "R101")])
        self.assertEqual(self.found("-", "--stdin-filename", "src/new.py", input=ELEMENT_LOOP), [])


class Precedence(ConfigTest):
    def setUp(self) -> None:
        super().setUp()
        self.write("a.py", ELEMENT_LOOP)

    def test_from_default_to_command_line(self) -> None:
        arguments: list[str] = []
        environment: dict[str, str] = {}

        def profile() -> tuple[Any, Any]:
            return self.shown(*arguments, **self.with_environment(**environment))["profile"]

        self.assertEqual(profile(), ("h100-sxm", ["default"]))
        self.write("settings/cpnlint/cpnlint.toml", 'profile = "a100-40"\n')
        environment["XDG_CONFIG_HOME"] = str(self.folder / "settings")
        value, origins = profile()
        self.assertEqual(value, "a100-40")
        self.assertRegex(origins[0], r"settings/cpnlint/cpnlint\.toml:1$")
        self.write("cpnlint.toml", '\nprofile = "h200"\n')
        self.assertEqual(profile(), ("h200", ["cpnlint.toml:2"]))
        self.write("other.toml", 'profile = "b200"\n')
        arguments += ["--config", "other.toml"]
        self.assertEqual(profile(), ("b200", ["other.toml:1"]))
        arguments += ["--config", 'profile = "l40s"']
        self.assertEqual(profile(), ("l40s", ["--config"]))
        environment["CPNLINT_PROFILE"] = "v100"
        self.assertEqual(profile(), ("v100", ["CPNLINT_PROFILE"]))
        arguments += ["--profile", "gh200"]
        self.assertEqual(profile(), ("gh200", ["command line"]))

    def test_a_named_file_replaces_the_nearest(self) -> None:
        self.write("cpnlint.toml", 'ignore = ["R101"]\n')
        self.write("ci/strict.toml", 'severity.R101 = "warning"\nper-file-ignores."/old/" = ["ALL"]\n')
        self.write("old/b.py", ELEMENT_LOOP)
        self.assertEqual(self.found("--config", "ci/strict.toml", "."), [("a.py", "R101")])
        environment = self.with_environment(CPNLINT_CONFIG="ci/strict.toml")
        self.assertEqual(self.found(".", **environment), [("a.py", "R101")])
        self.assertEqual(self.found("--config", "cpnlint.toml", ".", **environment), [])
        self.assertEqual(len(self.found("--isolated", ".", **environment)), 2)

    def test_settings_in_the_command(self) -> None:
        self.assertEqual(self.found("--config", 'ignore = ["R1"]', "."), [])
        self.assertEqual(self.found("--config", 'per-file-ignores."a.py" = ["R1"]', "."), [])
        self.assertEqual(self.found("--isolated", "--config", 'ignore = ["R1"]', "."), [])
        self.document("--config", 'fail-on="never"', ".", code=OK)
        self.document("--config", 'fail-on="never"', "--config", 'fail-on="error"', ".", code=FINDINGS)
        self.document("--config", 'fail-on="error"', "--fail-on", "never", ".", code=OK)

    def test_mistakes_in_the_command(self) -> None:
        self.assertIn("--config: there is no key `selct`; did you mean `select`?", self.message("--config", "selct=[]"))
        self.assertIn("in quotes", self.message("--config", "profile=a100"))
        self.assertIn("nowhere.toml", self.message("--config", "nowhere.toml"))
        self.assertIn("exclude each other", self.message("--isolated", "--config", "a.py"))
        self.write("b.toml")
        self.write("c.toml")
        self.assertIn("only one file", self.message("--config", "b.toml", "--config", "c.toml"))
        self.assertIn("folder", self.message("--config", str(self.folder)))
        self.assertIn("extend", self.message("--config", 'extend="b.toml"'))
        self.assertIn("CPNLINT_CONFIG", self.message("check", **self.with_environment(CPNLINT_CONFIG="nowhere.toml")))

    def test_a_select_of_the_command_line_begins_anew(self) -> None:
        self.write("b.py", JOIN_IN_LOOP)
        self.write("cpnlint.toml", 'ignore = ["R101"]\n[severity]\nR203 = "off"\n')
        self.assertEqual(self.found("."), [])
        self.assertEqual(self.found("--select", "R101,R203", "."), [("a.py", "R101"), ("b.py", "R203")])
        self.write("cpnlint.toml", 'select = ["R1"]\n')
        self.assertEqual(self.found("--ignore", "R101", "."), [])
        self.assertEqual(self.found("--extend-select", "R2", "."), [("a.py", "R101"), ("b.py", "R203")])

    def test_environment(self) -> None:
        done = self.run_program("check", ".", **self.with_environment(CPNLINT_OUTPUT_FORMAT="concise,json"))
        self.assertTrue(done.stdout.startswith("a.py:6:5: R101"))
        self.assertIn('"schema_version"', done.stdout)
        shown = self.shown(**self.with_environment(CPNLINT_NO_CACHE="1", CPNLINT_CACHE_DIR="there", CPNLINT_JOBS="2"))
        self.assertEqual(shown["no-cache"], (True, ["CPNLINT_NO_CACHE"]))
        self.assertEqual(shown["cache-dir"], ("there", ["CPNLINT_CACHE_DIR"]))
        self.assertEqual(shown["jobs"], (2, ["CPNLINT_JOBS"]))
        self.assertEqual(self.shown(**self.with_environment(CPNLINT_JOBS=""))["jobs"][1], ["default"])
        for name, value in (("JOBS", "many"), ("JOBS", "0"), ("NO_CACHE", "perhaps"), ("OUTPUT_FORMAT", "yaml")):
            said = self.message("check", ".", **self.with_environment(**{f"CPNLINT_{name}": value}))
            self.assertIn(f"CPNLINT_{name}: ", said)
            self.assertIn(value, said)
        self.assertIn("CPNLINT_PROFILE", self.message("check", **self.with_environment(CPNLINT_PROFILE="abacus")))


class Keys(ConfigTest):
    def setUp(self) -> None:
        super().setUp()
        self.write("src/loop.py", ELEMENT_LOOP)
        self.write("src/join.py", JOIN_IN_LOOP)
        self.write("src/fft.py", FFT)

    def configured(self, text: str, *args: str, **options: Any) -> list[str]:
        self.write("cpnlint.toml", text)
        return [rule for _, rule in self.found(*(args or (".",)), **options)]

    def test_selection(self) -> None:
        self.assertEqual(self.configured(""), ["R303", "R203", "R101"])
        self.assertEqual(self.configured('select = ["blocks"]'), ["R101"])
        self.assertEqual(self.configured('select = ["R1", "joining-in-loop"]'), ["R203", "R101"])
        self.assertEqual(self.configured('select = ["R1"]\nextend-select = ["R3"]'), ["R303", "R101"])
        self.assertEqual(self.configured('ignore = ["R1"]\nextend-ignore = ["info"]'), ["R203"])
        self.assertEqual(self.configured('select = ["R101"]\nignore = ["R1"]'), ["R101"])

    def test_per_file_ignores(self) -> None:
        self.write("src/old/loop.py", ELEMENT_LOOP)
        every = ["R303", "R203", "R101", "R101"]
        self.assertEqual(self.configured(""), every)
        for pattern, left in (
            ("loop.py", ["R303", "R203"]),
            ("src/loop.py", ["R303", "R203", "R101"]),
            ("./src/loop.py", ["R303", "R203", "R101"]),
            ("old/", ["R303", "R203", "R101"]),
            ("old/*", every),
            ("src/old/*", ["R303", "R203", "R101"]),
            ("src/**/*.py", ["R303", "R203"]),
            ("*.py", ["R303", "R203"]),
            ("!old/", ["R303", "R203", "R101"]),
            ("lib/", every),
        ):
            self.assertEqual(self.configured(f'per-file-ignores = {{ "{pattern}" = ["R1"] }}'), left, pattern)
        # They win over what selects more precisely.
        self.assertEqual(self.configured('select = ["R101"]\n[per-file-ignores]\n"loop.py" = ["R1"]'), [])
        # Patterns count from the file that says them, wherever the program is started.
        self.write("cpnlint.toml", '[per-file-ignores]\n"src/loop.py" = ["R101"]\n')
        self.assertEqual(self.found("loop.py", cwd=self.folder / "src"), [])
        self.assertEqual(self.found(str(self.folder / "src/loop.py"), cwd="/"), [])

    def test_what_is_ignored_in_a_file_still_counts_for_the_verdict(self) -> None:
        before = self.document(".")["verdict"]
        self.write("cpnlint.toml", '[per-file-ignores]\n"src/" = ["ALL"]\n')
        after = self.document(".", code=OK)
        self.assertEqual(after["findings"], [])
        self.assertEqual(after["verdict"]["units"], before["units"])
        self.assertEqual(after["verdict"]["name"], before["name"])

    def test_severity(self) -> None:
        def severities(text: str) -> dict[str, str]:
            self.write("cpnlint.toml", text)
            return {one["rule"]: one["severity"] for one in self.document(".")["findings"]}

        self.assertEqual(severities(""), {"R101": "error", "R203": "warning", "R303": "info"})
        self.assertEqual(severities('severity = { R1 = "info" }'), {"R101": "info", "R203": "warning", "R303": "info"})
        self.assertEqual(severities('[severity]\nR101 = "warning"\nblocks = "info"')["R101"], "warning")
        self.assertEqual(severities('[severity]\nALL = "error"\njoining-in-loop = "info"'),
                         {"R101": "error", "R203": "info", "R303": "error"})
        self.assertEqual(severities('[severity]\nR2 = "off"'), {"R101": "error", "R303": "info"})
        self.assertEqual(severities('select = ["R203"]\n[severity]\nR2 = "off"'), {"R203": "warning"})
        self.assertEqual(severities('select = ["R2", "R3"]\n[severity]\nR203 = "off"'), {"R303": "info"})

    def test_severity_reaches_outputs_exit_code_and_not_the_verdict(self) -> None:
        verdict = self.document(".")["verdict"]["name"]
        self.write("cpnlint.toml", '[severity]\nALL = "info"\n')
        self.assertEqual(self.document(".", code=OK)["verdict"]["name"], verdict)
        sarif = json.loads(self.run_program("check", "--output-format", "sarif", ".").stdout)
        self.assertEqual({result["level"] for result in sarif["runs"][0]["results"]}, {"note"})
        self.assertIn("0 errors, 0 warnings, 3 info", self.run_program("check", ".").stdout)
        self.write("cpnlint.toml", '[severity]\nR303 = "error"\n')
        self.document("src/fft.py", code=FINDINGS)

    def test_fail_on_and_output_format_are_for_check(self) -> None:
        self.write("cpnlint.toml", 'fail-on = "info"\noutput-format = ["concise"]\n')
        done = self.run_program("check", "src/fft.py")
        self.assertEqual(done.returncode, FINDINGS)
        self.assertTrue(done.stdout.startswith("src/fft.py:"))
        report = self.run_program("report", "src/fft.py")
        self.assertEqual(report.returncode, OK)
        self.assertFalse(report.stdout.startswith("src/fft.py:"))
        self.write("cpnlint.toml", 'fail-on = "never"\n')
        self.assertEqual(self.run_program("check", ".").returncode, OK)

    def test_confidence_and_preview(self) -> None:
        self.write("cpnlint.toml", 'min-confidence = "possible"\npreview = true\n')
        self.assertEqual(self.document("."), self.check("--min-confidence", "possible", "--preview", "."))

    def test_target(self) -> None:
        self.write("cpnlint.toml", 'target-version = "26.6"\ngpus = [8, 2, 8]\nnodes = 2\nprofile = "a100-80"\n')
        target = self.document(".")["target"]
        self.assertEqual((target["version"], target["gpus"], target["profile"]), ("26.06", [2, 8], "a100-80"))
        self.assertEqual(self.configured("gpus = 16"), ["R303", "R203", "R101"])
        self.assertEqual(self.document(".")["target"]["gpus"], [16])

    def test_a_profile_file_counts_from_the_file_that_names_it(self) -> None:
        shown = self.run_program("profile", "show", "h200", "--output-format", "json")
        self.assertEqual(shown.returncode, OK)
        source = common.ROOT / "rulesets" / "profiles" / "h200.json"
        self.write("machines/ours.json", source.read_text().replace('"h200"', '"ours"', 1))
        self.write("cpnlint.toml", 'profile = "machines/ours.json"\n')
        self.assertEqual(self.document("src", cwd=self.folder)["target"]["profile"], "ours")
        self.assertEqual(self.document("fft.py", cwd=self.folder / "src")["target"]["profile"], "ours")
        self.write("cpnlint.toml", '# machine\nprofile = "machines/theirs.json"\n')
        self.assertIn("cpnlint.toml:2: `profile`: ", self.message("check", "."))

    def test_excludes_count_from_the_file(self) -> None:
        self.write("src/gen/a.py", ELEMENT_LOOP)
        self.write("lib/gen/b.py", ELEMENT_LOOP)
        here = self.folder / "src"
        for text, left in (
            ("", {"gen/a.py", "loop.py"}),
            ('extend-exclude = ["gen/"]', {"loop.py"}),
            ('extend-exclude = ["/src/gen"]', {"loop.py"}),
            ('extend-exclude = ["/gen"]', {"gen/a.py", "loop.py"}),
            ('exclude = ["src/loop.py"]', {"gen/a.py"}),
        ):
            self.write("cpnlint.toml", text)
            self.assertEqual({path for path, rule in self.found(cwd=here) if rule == "R101"}, left, text)
        self.write("cpnlint.toml", 'extend-exclude = ["gen/"]')
        self.assertEqual(self.found("--extend-exclude", "loop.py,join.py", "."), [("src/fft.py", "R303")])
        self.write("cpnlint.toml", 'extend-exclude = ["loop.py"]\nforce-exclude = true\n')
        self.assertEqual(self.found("src/loop.py", "src/join.py"), [("src/join.py", "R203")])

    def test_tests_and_gitignore(self) -> None:
        self.write("tests/test_a.py", ELEMENT_LOOP)
        self.assertEqual(self.configured("include-tests = true"), ["R303", "R203", "R101", "R101"])
        self.write(".gitignore", "src/\n")
        self.assertEqual(self.configured("respect-gitignore = false"), ["R303", "R203", "R101"])
        (self.folder / ".gitignore").unlink()

    def test_assumptions(self) -> None:
        self.write("s.py", SIZED.replace("n = 4096\n", ""))
        for text, assumptions in (
            ('assume = ["n=1000", "nt=5"]', ["n=1000", "nt=5"]),
            ("[assume]\nn = 1e3\nnt = 5", ["n=1000", "nt=5"]),
            ('[assume]\nn = "1e3"\nnowhere_named = 3', ["n=1e3"]),
            ('[assume."s.py"]\nn = 7', ["n=7"]),
            ('[assume."s.py:smooth"]\nu = "(8,8):float32"', ["smooth.u=(8,8):float32"]),
            ('[assume.smooth]\nnt = 9', ["smooth.nt=9"]),
            ('[assume]\n"other.py:n" = 7', []),
        ):
            self.write("cpnlint.toml", text)
            self.assertEqual(self.document("s.py")["target"]["assumptions"], assumptions, text)
            if assumptions and ":" not in assumptions[0]:
                given = [word for one in assumptions for word in ("--assume", one)]
                self.assertEqual(self.document("s.py"), self.check(*given, "s.py"), text)

    def test_whose_assumption_counts(self) -> None:
        source = """\
import numpy as np


def run(n, steps):
    a = np.zeros(n)
    for t in range(steps):
        a += 1.0
    return a


def again(n, steps):
    b = np.zeros(n)
    for t in range(steps):
        b += 1.0
    return b
"""

        def passes(*args: str) -> list[str]:
            document = json.loads(self.run_program("predict", "--output-format", "json", *args, "s.py").stdout)
            regions = document["prediction"]["regions"]
            return [region["passes"] for region in sorted(regions, key=lambda region: region["start"]["line"])]

        self.write("s.py", source)
        self.assertEqual(passes(), ["steps", "steps"])
        self.write("cpnlint.toml", "[assume]\nsteps = 10\n")
        self.assertEqual(passes(), ["10", "10"])
        self.assertEqual(passes("--assume", "steps=20"), ["20", "20"])
        self.assertEqual(passes("--isolated"), ["steps", "steps"])
        self.write("cpnlint.toml", '[assume]\nsteps = 10\n"s.py:steps" = 20\n"t.py:steps" = 30\n')
        self.assertEqual(passes(), ["20", "20"])
        self.write("cpnlint.toml", '[assume]\nsteps = 10\n[assume."s.py:again"]\nsteps = 20\n')
        self.assertEqual(passes(), ["10", "20"])
        # A comment in the source knows better than the configuration.
        self.write("s.py", source.replace("import numpy as np\n", "import numpy as np  # cpnlint: assume steps=40\n"))
        self.write("cpnlint.toml", "[assume]\nsteps = 10\nn = 5\n")
        self.assertEqual(passes(), ["40", "40"])

    def test_files_of_one_program_under_two_configurations(self) -> None:
        self.write("app/main.py", "from lib.kernel import double\n\ndouble(100)\n")
        self.write("app/lib/__init__.py", "")
        self.write("app/lib/kernel.py", ELEMENT_LOOP)
        self.write("app/cpnlint.toml", 'ignore = ["R101"]\n')
        self.assertEqual(self.found("app"), [])
        self.write("app/lib/cpnlint.toml", 'severity.R101 = "info"\n')
        findings = self.document("app")["findings"]
        self.assertEqual([(one["path"], one["severity"]) for one in findings], [("app/lib/kernel.py", "info")])

    def test_entry_points(self) -> None:
        self.write("app/main.py", "from kernel import used\n\n\ndef start():\n    used(100)\n\n\ndef other():\n    pass\n")
        used, unused = (ELEMENT_LOOP.replace("double", name) for name in ("used", "unused"))
        self.write("app/kernel.py", used + unused.replace("import numpy as np\n", ""))

        def outcome(entries: str) -> tuple[int, list[str]]:
            self.write("cpnlint.toml", f"entry-points = {entries}")
            document = self.document("app")
            self.assertEqual(self.rules_found(document), ["R101", "R101"])  # shown, whoever reaches them
            verdict = document["verdict"]  # none where nothing that counts uses arrays
            return verdict["units"]["blocks"] if verdict else 0, self.note_kinds(document)

        self.assertEqual(outcome("[]"), (2, []))
        for entry in ("app/main.py:start", "main:start", "main.py:start", "app.main:start", "app/*.py:start"):
            blocks, notes = outcome(f'["{entry}"]')
            self.assertEqual((blocks, "unreached" in notes), (1, True), entry)
        # A module's own code calls neither.
        self.assertEqual(outcome('["app/main.py"]')[0], 0)
        self.assertEqual(outcome('["kernel:unused"]'), (1, ["unreached"]))
        self.assertEqual(outcome('["kernel:unused", "main:start"]'), (2, []))
        # One that is in no analysed file changes nothing, one that its file does not have is told of.
        self.assertEqual(outcome('["elsewhere.py"]'), (2, []))
        self.assertEqual(outcome('["main:strat"]'), (2, ["unknown-name"]))

    def test_budgets_and_edition(self) -> None:
        self.write("cpnlint.toml", 'ruleset = "2026.1"\nmax-blocks = 3\nmax-waits-per-iteration = 0.5\nmin-coverage = 95\n')
        shown = self.shown()
        self.assertEqual(shown["max-blocks"], (3, ["cpnlint.toml:2"]))
        self.assertEqual(shown["max-waits-per-iteration"], (0.5, ["cpnlint.toml:3"]))
        self.assertEqual(shown["min-coverage"], (95, ["cpnlint.toml:4"]))
        self.write("cpnlint.toml", 'ruleset = "2031.1"\n')
        self.assertIn("`2031.1` is none of: 2026.1", self.message("check", "."))


class Mistakes(ConfigTest):
    def setUp(self) -> None:
        super().setUp()
        self.write("a.py", ELEMENT_LOOP)

    def said(self, text: str) -> str:
        self.write("cpnlint.toml", text)
        return self.message("check", "a.py")

    def test_unknown_keys_name_their_place_and_the_nearest(self) -> None:
        said = self.said('gpus = 4\n\nseverty = { R101 = "info" }\n')
        self.assertIn("cpnlint.toml:3:1: there is no key `severty`; did you mean `severity`?", said)
        said = self.said('extend_select = ["R1"]\n')
        self.assertIn("did you mean `extend-select`?", said)
        self.write("pyproject.toml", "[project]\n\n[tool.cpnlint]\nlint.select = []\n")
        (self.folder / "cpnlint.toml").unlink()
        self.assertIn("pyproject.toml:4:1: there is no key `lint`", self.message("check", "a.py"))
        self.write("pyproject.toml", "[tool]\ncpnlint = 3\n")
        self.assertIn("pyproject.toml:2:11: `tool.cpnlint` has to be a table", self.message("check", "a.py"))

    def test_wrong_types(self) -> None:
        for text, place, words in (
            ("gpus = 0", "1:8", "`gpus` has to be a whole number from 1"),
            ('gpus = [1,\n "four"]', "2:2", 'this is a string, "four"'),
            ("gpus = []", "1:8", "a list, []"),
            ("nodes = 1.5", "1:9", "this is a number, 1.5"),
            ('select = "R1"', "1:10", "`select` has to be a list of rules"),
            ("select = [1]", "1:11", "this is a whole number, 1"),
            ("select = []", "1:10", "leave it out"),
            ('select = ["R1", "R9"]', "1:17", "no rule answers to `R9`"),
            ('ignore = ["element-lop"]', "1:11", "did you mean `element-loop`?"),
            ('preview = "yes"', "1:11", "true or false"),
            ('fail-on = "eror"', "1:11", "did you mean `error`?"),
            ('output-format = ["jsn"]', "1:18", "did you mean `json`"),
            ('target-version = "1.0"', "1:18", "nothing is known of cuPyNumeric `1.0`"),
            ('severity = "error"', "1:12", "a table of rules"),
            ('[severity]\nR101 = "fatal"', "2:8", "`fatal` is none of: error, warning, info, off"),
            ('[severity]\nR999 = "info"', "2:1", "no rule answers to `R999`"),
            ('[severity]\nR101.x = "info"', "2:1", "`severity` has to be"),
            ('per-file-ignores = ["a.py"]', "1:20", "a table of patterns"),
            ('[per-file-ignores]\n"a.py" = "R1"', "2:10", "a table of patterns"),
            ('[per-file-ignores]\n"a.py" = ["R8"]', "2:11", "no rule answers to `R8`"),
            ("[assume]\nn = -1", "2:5", "a whole number from 1 to 1e15"),
            ("[assume]\nn = true", "2:5", "`assume.n` has to be a size"),
            ('assume = ["n"]', "1:11", "is not NAME=VALUE"),
            ('assume = ["n=1", "n=2"]', "1:18", "said to be 1 and 2"),
            ("min-coverage = 101", "1:16", "from 0 to 100"),
            ("min-coverage = nan", "1:16", "from 0 to 100"),
            ("max-blocks = -1", "1:14", "at least 0"),
            ("nodes = 2026-01-01", "1:9", "a date or time"),
            ("exclude = [[]]", "1:12", "a list of strings"),
            ('extend = ""', "1:10", "a string"),
        ):
            said = self.said(text)
            self.assertIn(f"cpnlint.toml:{place}: ", said, text)
            self.assertIn(words, said, text)

    def test_all_mistakes_of_a_file_are_told_at_once(self) -> None:
        said = self.said('selct = []\ngpus = "two"\nfail-on = 3\n')
        self.assertEqual([line.split(":")[-3:-2] != [] for line in said.splitlines()], [True, True, True])
        for line in ("cpnlint.toml:1:1: ", "cpnlint.toml:2:8: ", "cpnlint.toml:3:11: "):
            self.assertIn(line, said)

    def test_broken_toml(self) -> None:
        for text, place in (("gpus = = 4\n", "1:8"), ('a = "\n', "1:"), ("[tool\n", "1:6"), ("[{tool]\n", "1:2"), ("gpus = 1\ngpus = 2\n", "2:")):
            said = self.said(text)
            self.assertIn(f"cpnlint.toml:{place}", said, text)
            self.assertIn("no TOML", said)
        self.write("cpnlint.toml", b"gpus = 1 # \xff\xfe\n")
        self.assertIn("cpnlint.toml:1:", self.message("check", "a.py"))
        self.write("cpnlint.toml", "select = " + "[" * 5000)
        self.assertIn("cpnlint.toml:1:", self.message("check", "a.py"))

    def test_a_broken_file_below_stops_the_run(self) -> None:
        self.write("sub/b.py", ELEMENT_LOOP)
        self.write("sub/cpnlint.toml", "gpu = 3\n")
        self.assertIn("sub/cpnlint.toml:1:1: there is no key `gpu`; did you mean `gpus`?", self.message("check", "."))
        self.assertEqual(self.found("a.py"), [("a.py", "R101")])

    def test_odd_files(self) -> None:
        self.write("cpnlint.toml", b"\xef\xbb\xbfignore = ['R101']\r\n")
        self.assertEqual(self.found("a.py"), [])
        (self.folder / "cpnlint.toml").unlink()
        (self.folder / "cpnlint.toml").mkdir()
        self.assertEqual(self.found("a.py"), [("a.py", "R101")])


class Commands(ConfigTest):
    def test_inspect_goes_by_what_check_goes_by(self) -> None:
        self.write("s.py", harness.ELEMENT_LOOP)
        self.write("other/s.py", harness.ELEMENT_LOOP)
        self.write("cpnlint.toml", '[assume]\nn = 4096\n[severity]\nR101 = "info"\n')

        def said(*words: str, folder: str = ".") -> str:
            done = self.run_program("inspect", *words, cwd=self.folder / folder)
            self.assertEqual((done.returncode, done.stderr), (OK, ""))
            return done.stdout

        for folder in (".", "other"):
            self.assertIn("f64[4096]", said("facts", "s.py", folder=folder))
            self.assertIn("reported: info, certain", said("why", "s.py:6", "R101", folder=folder))
        self.assertIn("f64[4096]", said("facts", "."))
        self.assertNotIn("4096", said("facts", "s.py", "--isolated"))
        self.assertIn("f64[5]", said("facts", "s.py", "--assume", "n=5"))
        self.assertIn("reported: error, certain", said("why", "s.py:6", "R101", "--isolated"))
        self.assertIn("f64[7]", said("facts", "s.py", "--config", "assume.n = 7"))
        self.assertNotIn("not among the rules", said("why", "s.py:6", "R101"))
        self.write("cpnlint.toml", 'ignore = ["R101"]\noutput-format = ["json"]\n')
        self.assertIn("R101 is not among the rules that are shown here", said("why", "s.py:6", "R101"))
        self.assertFalse(said("facts", "s.py").startswith("["), "the format is that of check")
        self.write("cpnlint.toml", 'entry-points = ["s.py:nothing"]\n')
        self.assertIn("`s.py:nothing` names no function", self.run_program("inspect", "work", "s.py").stderr)
        self.write("cpnlint.toml", "gpu = 2\n")
        self.assert_trouble(self.run_program("inspect", "why", "s.py:6", "R101"), "cpnlint.toml:1", "did you mean `gpus`")

    def test_api_speaks_of_the_version_that_is_targeted(self) -> None:
        self.assertIn("(cuPyNumeric 26.07)", self.run_program("api", "np.mean").stdout)
        self.write("cpnlint.toml", 'target-version = "26.06"\n')
        for words, version in (((), "26.06"), (("--isolated",), "26.07"), (("--target-version", "26.07"), "26.07")):
            done = self.run_program("api", "np.mean", *words)
            self.assertEqual((done.returncode, done.stderr), (OK, ""))
            self.assertIn(f"(cuPyNumeric {version})", done.stdout)

    def test_show_is_toml_that_says_the_same(self) -> None:
        self.write("a.py", ELEMENT_LOOP)
        self.write("cpnlint.toml", "\n".join([
            'select = ["R1"]', 'ignore = ["R104"]', "gpus = 2", "[severity]", 'R101 = "info"', "[per-file-ignores]",
            '"old \\"x\\".py" = ["R101"]', "[assume]", "n = 100", '"b.py:f.u" = "(3,3):float64"',
        ]))
        done = self.run_program("config", "show", "--ignore", "R105")
        self.assertEqual((done.returncode, done.stderr), (OK, ""))
        self.assertIn("# cpnlint.toml:1\n", done.stdout)
        self.assertRegex(done.stdout, r'(?m)^ignore = \["R104", "R105"\] +# cpnlint\.toml:2, command line$')
        self.assertRegex(done.stdout, r'(?m)^severity\.R101 = "info" +# cpnlint\.toml:5$')
        self.assertRegex(done.stdout, r"(?m)^assume\.n = 100 +# cpnlint\.toml:9$")
        self.assertRegex(done.stdout, r"(?m)^nodes = 1 +# default$")
        self.assertRegex(done.stdout, r"(?m)^# rules shown: R101, R102")
        table = tomllib.loads(done.stdout)
        self.assertEqual(table["per-file-ignores"], {'old "x".py': ["R101"]})
        self.assertEqual(table["assume"], {"n": 100, "b.py:f.u": "(3,3):float64"})
        self.write("again.toml", done.stdout)
        again = self.run_program("config", "show", "--config", "again.toml", "--output-format", "json")
        first = self.run_program("config", "show", "--ignore", "R105", "--output-format", "json")
        values = [[(row["key"], row["value"]) for row in json.loads(one.stdout)["settings"] if row["value"] is not None]
                  for one in (first, again)]
        self.assertEqual(values[0], values[1])
        rows = {row["key"]: row for row in json.loads(first.stdout)["settings"]}
        self.assertEqual(rows["assume"]["entry_origins"], {"n": "cpnlint.toml:9", "b.py:f.u": "cpnlint.toml:10"})
        settings = self.run_program("check", "--show-settings", "--ignore", "R105")
        self.assertEqual(settings.stdout, done.stdout)

    def test_defaults_are_what_happens(self) -> None:
        self.write("a.py", ELEMENT_LOOP)
        shown = self.run_program("config", "show")
        self.assertTrue(shown.stdout.startswith("# no configuration file\n"))
        self.write("cpnlint.toml", shown.stdout)
        self.assertEqual(self.document("."), self.check("."))

    def test_explain(self) -> None:
        self.write("cpnlint.toml", "gpus = [8]\n")
        page = self.run_program("config", "explain", "gpus")
        self.assertEqual(page.returncode, OK)
        for words in ("--gpus", "[1, 4]", "[8]  (cpnlint.toml:1)", "whole number"):
            self.assertIn(words, page.stdout)
        every = self.run_program("config", "explain").stdout
        for key in json.loads(self.run_program("config", "explain", "--output-format", "json").stdout):
            self.assertIn(key["key"], every)
            self.assertEqual(self.run_program("config", "explain", key["key"]).returncode, OK)
        self.assertIn("did you mean `gpus`", self.message("config", "explain", "gpu"))
        # The page that mends a broken file is shown nevertheless.
        self.write("cpnlint.toml", "gpus = 0\n")
        broken = self.run_program("config", "explain", "gpus")
        self.assert_trouble(broken, "cpnlint.toml:1:8")
        self.assertIn("whole number", broken.stdout)
        self.assertEqual(self.run_program("config", "explain").returncode, OK)

    def test_usage(self) -> None:
        self.assertIn("show", self.message("config"))
        self.assertIn("did you mean `show`", self.message("config", "shw"))
        self.assertIn("nowhere.toml", self.message("config", "show", "--config", "nowhere.toml"))
        self.assertIn("yaml", self.message("config", "show", "--output-format", "yaml"))

    def test_the_schema_says_what_the_program_says(self) -> None:
        schema = json.loads(self.run_program("config", "schema").stdout)
        errors = json_schema.errors_by(schema)
        keys = json.loads(self.run_program("config", "explain", "--output-format", "json").stdout)
        self.assertEqual(list(schema["properties"]), [key["key"] for key in keys])
        for key in keys:
            self.assertEqual(errors(tomllib.loads(key["example"])), [], key["key"])
            self.write("base.toml", key["example"].replace("../", "").replace("cpnlint.toml", "none.toml"))
            self.write("none.toml", "")
            self.assertEqual(self.run_program("config", "show", "--config", "base.toml").returncode, OK, key["key"])
        for text in ("selct = []", "gpus = 0", 'gpus = "2"', "gpus = []", 'select = "R1"', "select = []", "preview = 1",
                     'fail-on = "eror"', 'output-format = ["jsn"]', 'severity.R101 = "fatal"', "nodes = 1.5",
                     'per-file-ignores."a.py" = "R1"', "assume.n = -1", "assume.n = true", "min-coverage = 101",
                     'ruleset = "2031.1"', 'extend = ""', "exclude = [[]]"):
            self.assertNotEqual(errors(tomllib.loads(text)), [], text)
            self.write("base.toml", text)
            self.assert_trouble(self.run_program("config", "show", "--config", "base.toml"), "base.toml:1:")

    def test_completions_know_the_command(self) -> None:
        self.assertIn("config", self.run_program("completions", "bash").stdout)

    def test_arguments_from_a_file(self) -> None:
        self.write("a.py", ELEMENT_LOOP)
        self.write("args.txt", '--config\nignore = ["R101"]\n\na.py\n')
        self.assertEqual(self.found("@args.txt"), [])
        self.assertIn("nowhere.txt", self.message("check", "@nowhere.txt"))


if __name__ == "__main__":
    harness.main()
