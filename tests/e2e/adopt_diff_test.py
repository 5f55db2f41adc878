"""What a branch changed (git repositories made for the test), budgets and the ratchet."""

from __future__ import annotations

import json
import os
import subprocess
from typing import Any

import harness
from harness import CLEAN, ELEMENT_LOOP, FINDINGS, JOIN_IN_LOOP, OK, cells, strided
import format_checks
from page_support import islands


class DiffBase(harness.ProgramTest):
    def setUp(self) -> None:
        super().setUp()
        self.environment.update(
            GIT_CONFIG_GLOBAL=os.devnull, GIT_CONFIG_SYSTEM=os.devnull,
            GIT_AUTHOR_NAME="t", GIT_AUTHOR_EMAIL="t@t", GIT_COMMITTER_NAME="t", GIT_COMMITTER_EMAIL="t@t",
        )  # fmt: skip
        for name in [name for name in self.environment if name in ("GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE")]:
            del self.environment[name]
        self.environment["GIT_CEILING_DIRECTORIES"] = str(self.folder.parent)

    def git(self, *words: str) -> str:
        done = subprocess.run(
            ["git", *words], cwd=self.folder, env=self.environment, capture_output=True, encoding="utf-8"
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def commit(self) -> None:
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", "x")

    def start(self) -> None:
        self.git("init", "--quiet", "--initial-branch", "main")
        self.commit()

    def changed(self, *options: str, ref: str = "main", **more: Any) -> list[tuple[str, str, int]]:
        document = self.check("--diff-base", ref, *options, **more)
        return [(f["path"], f["rule"], f["start"]["line"]) for f in document["findings"]]

    def test_why_git_gives_up(self) -> None:
        self.write("a.py", ELEMENT_LOOP)
        self.write("bin/git", "#!/bin/sh\nprintf 'warning: odd\\nhint: more\\nfatal: this is why\\nhint: x\\n' >&2\nexit 128\n").chmod(0o755)
        path = f"{self.folder / 'bin'}:{os.environ['PATH']}"
        done = self.run_program("--isolated", "--diff-base", "main", ".", env=self.environment | {"PATH": path})
        self.assert_trouble(done, "git says: fatal: this is why\n")

    def test_only_changed_lines(self) -> None:
        lines = ["b = np.ones(n)[::2]", "c = 1", "d = np.ones(n)[::3]", "e = 2"]
        self.write("a.py", strided(*lines))
        self.write("src/two words/é.py", strided(*lines))
        self.start()
        self.assertEqual(self.changed(".", code=OK), [])
        lines[2] = "d = np.ones(n)[::5]"
        for name in ("a.py", "src/two words/é.py"):
            self.write(name, strided(*lines))
        expected = [("a.py", "R106", 8), ("src/two words/é.py", "R106", 8)]
        self.assertEqual(self.changed(".", code=FINDINGS), expected)
        self.assertEqual(self.changed(".", ref="HEAD"), expected)
        self.git("add", "--all")
        self.assertEqual(self.changed("."), expected)
        self.commit()
        self.assertEqual(self.changed(".", ref="HEAD~1"), expected)
        self.assertEqual(self.changed(".", code=OK), [])
        below = self.changed("two words", cwd=self.folder / "src", ref="HEAD~1")
        self.assertEqual(below, [("two words/é.py", "R106", 8)])
        done = self.run_program("--isolated", "--diff-base", "HEAD~1", ".")
        self.assertIn("Not shown: 2 findings in what is unchanged since HEAD~1\n", done.stdout)

    def test_a_new_place_of_a_merged_finding_is_where_it_is_shown(self) -> None:
        self.write("a.py", strided("b = a[::2]"))
        self.start()
        self.write("a.py", strided("b = a[::2]", "c = a[::2]"))
        self.assertEqual([(f["start"]["line"], len(f["also"])) for f in self.check("a.py")["findings"]], [(6, 1)])
        self.assertEqual(self.changed(".", code=FINDINGS), [("a.py", "R106", 7)])
        self.write("a.py", strided("b = a[::2]", "c = a[::2]").replace("np.ones(n)", "np.ones(n)  # here"))
        self.assertEqual(self.changed("."), [("a.py", "R106", 6)])

    def test_lines_above_do_not_count(self) -> None:
        self.write("a.py", strided("b = np.ones(n)[::2]", "c = 1"))
        self.start()
        self.write("a.py", "# one\n# two\n" + strided("b = np.ones(n)[::2]", "c = 2"))
        self.assertEqual(self.changed("."), [])
        self.write("a.py", strided("b = np.ones(n)[::2]"))
        self.assertEqual(self.changed("."), [])

    def test_from_where_the_branch_left(self) -> None:
        self.write("a.py", strided("b = np.ones(n)[::2]"))
        self.start()
        self.git("switch", "--quiet", "--create", "work")
        self.write("b.py", strided("b = np.ones(n)[::2]"))
        self.commit()
        self.git("switch", "--quiet", "main")
        self.write("a.py", CLEAN)
        self.commit()
        self.git("switch", "--quiet", "work")
        self.assertEqual([path for path, *_ in self.changed(".")], ["b.py"])

    def test_new_untracked_ignored_and_renamed_files(self) -> None:
        source = strided("b = np.ones(n)[::2]", "c = 1", "d = 2", "e = 3")
        self.write("old.py", source)
        self.write(".gitignore", "hidden.py\n")
        self.start()
        self.git("mv", "old.py", "new.py")
        self.assertEqual(self.changed("."), [])
        self.write("new.py", source.replace("e = 3", "e = np.ones(n)[::3]"))
        self.assertEqual(self.changed("."), [("new.py", "R106", 9)])
        self.write("untracked.py", source)
        self.assertIn(("untracked.py", "R106", 6), self.changed("."))
        self.write("hidden.py", source)
        self.assertEqual(self.changed("hidden.py"), [("hidden.py", "R106", 6)])

    def test_a_change_within_the_loop_that_a_finding_is_about(self) -> None:
        self.write("a.py", ELEMENT_LOOP.replace("a[i] = 2.0 * a[i]", "print(i)"))
        self.start()
        self.write("a.py", ELEMENT_LOOP)
        self.assertEqual(self.changed("."), [("a.py", "R101", 6)])
        self.commit()
        self.write("a.py", ELEMENT_LOOP.replace("a[i] = 2.0 * a[i]", "print(i)\n        a[i] = 2.0 * a[i]"))
        self.assertEqual(self.changed("."), [("a.py", "R101", 6)])
        self.commit()
        self.write("a.py", ELEMENT_LOOP)  # the print between header and body is taken out again
        self.assertEqual(self.changed("."), [("a.py", "R101", 6)])

    def test_what_a_call_brings_about(self) -> None:
        self.write("lib.py", "import numpy as np\n\n\ndef norm(u):\n    s = np.sum(u * u)\n    return float(s)\n")
        head = "import numpy as np\nfrom lib import norm\n\n\ndef main(n, steps):\n    u = np.ones(n)\n"
        end = "    return u, r\n\n\nmain(10**6, 100)\n"
        loop = "    for t in range(steps):\n        u = 0.5 * u\n"
        once = head + "    r = norm(u)\n" + loop + end
        often = head + loop + "        r = norm(u)\n" + end
        self.write("app.py", once)
        self.start()
        self.write("app.py", often)
        found = self.changed(".")
        self.assertIn(("lib.py", "R104", 6), found)
        self.commit()
        self.write("app.py", often.replace("return u, r", "return r, u"))
        self.assertEqual(self.changed("."), [])

    def test_notebooks_count_in_lines_of_their_json(self) -> None:
        self.write("n.ipynb", cells("import numpy as np\nn = 9\nb = np.ones(n)[::2]\nc = 1"))
        self.start()
        self.write("n.ipynb", cells("import numpy as np\nn = 9\nb = np.ones(n)[::2]\nc = np.ones(n)[::3]"))
        document = self.check("--diff-base", "main", ".")
        self.assertEqual([finding["start"]["line"] for finding in document["findings"]], [4])

    def test_a_file_that_git_takes_for_binary_is_changed_as_a_whole(self) -> None:
        self.write(".gitattributes", "*.ipynb -diff\n")
        self.write("n.ipynb", cells("import numpy as np\nn = 9\nb = np.ones(n)[::2]\nc = 1"))
        self.write("m.ipynb", cells("import numpy as np\nn = 9\nb = np.ones(n)[::2]"))
        self.start()
        self.write("n.ipynb", cells("import numpy as np\nn = 9\nb = np.ones(n)[::2]\nc = 2"))
        self.assertEqual([path for path, *_ in self.changed(".")], ["n.ipynb"])

    def test_the_user_s_git_settings_change_nothing(self) -> None:
        self.write("a.py", strided("b = np.ones(n)[::2]", "c = 1", "d = 2"))
        self.start()
        trap = self.folder / "trap"
        trap.write_text(f"#!/bin/sh\ntouch {self.folder}/ran\n")
        trap.chmod(0o755)
        for name, value in (
            ("diff.noprefix", "true"), ("diff.external", str(trap)), ("core.fsmonitor", str(trap)),
            ("diff.renames", "false"), ("diff.interHunkContext", "9"), ("color.ui", "always"),
            ("diff.python.textconv", str(trap)), ("core.quotePath", "true"),
        ):  # fmt: skip
            self.git("config", name, value)
        self.write(".git/info/attributes", "*.py diff=python\n")
        self.write("a.py", strided("b = np.ones(n)[::2]", "c = 1", "d = np.ones(n)[::3]"))
        self.write("git", "#!/bin/sh\ntouch ran\n").chmod(0o755)
        self.environment["PATH"] = ".:" + self.environment["PATH"]
        self.assertEqual(self.changed("a.py"), [("a.py", "R106", 8)])
        self.assertFalse((self.folder / "ran").exists())

    def test_what_git_cannot_say(self) -> None:
        self.write("a.py", ELEMENT_LOOP)
        self.assert_trouble(self.run_program("--diff-base", "main", "a.py", env=self.environment), "git repository")
        self.start()
        self.assert_trouble(self.run_program("--diff-base", "nowhere", "a.py"), "nowhere", "fetch")
        self.assert_trouble(self.run_program("--diff-base=--output=x", "a.py"), "--output=x")
        self.git("checkout", "--quiet", "--orphan", "other")
        self.write("b.py")
        self.commit()
        self.assert_trouble(self.run_program("--diff-base", "main", "a.py"), "in common")
        self.environment["PATH"] = str(self.folder)
        self.assert_trouble(self.run_program("--diff-base", "main", "a.py"), "git", "PATH")

    def test_with_a_baseline_and_ignores(self) -> None:
        self.write("a.py", ELEMENT_LOOP)
        self.start()
        self.write("b.py", JOIN_IN_LOOP)
        self.write("c.py", strided("b = np.ones(n)[::2]"))
        self.check("--write-baseline", "base.json", "b.py", code=OK)
        document = self.check("--baseline", "base.json", "--diff-base", "main", ".")
        self.assertEqual([finding["path"] for finding in document["findings"]], ["c.py"])
        done = self.run_program(
            "--isolated", "--no-cache", "--baseline", "base.json", "--diff-base", "main", "--add-ignores", "new", "."
        )
        self.assertEqual(done.returncode, OK, done.stderr)
        self.assertEqual((self.folder / "a.py").read_text(), ELEMENT_LOOP)
        self.assertIn("ignore[R106] new", (self.folder / "c.py").read_text())


# Two waits in each pass, one of them in a loop of four; a third in every tenth.
WAITS = """\
import numpy as np


def main(n, steps):
    u = np.ones(n)
    for t in range(steps):
        u = 0.5 * u
        r = float(np.sum(u))
        for k in range(4):
            s = float(np.max(u))
        if t % 10 == 0:
            print(float(np.min(u)), r, s)
    return u


main(10**7, 1000)
"""


class Budgets(harness.ProgramTest):
    def judged(self, *options: str, code: int | None = None) -> dict[str, Any]:
        words = [word for option in options if "=" in option for word in ("--config", option)]
        rest = [option for option in options if "=" not in option]
        document = self.check("--fail-on", "never", *words, *rest, code=code)
        return {budget["name"]: budget for budget in document.get("budgets", [])}

    def told(self, *options: str) -> str:
        words = [word for option in options for word in (("--config", option) if "=" in option else (option,))]
        done = self.run_program("--isolated", "--no-cache", "--fail-on", "never", *words, ".")
        return done.stdout + done.stderr

    def test_blocks(self) -> None:
        self.write("a.py", ELEMENT_LOOP)
        self.write("b.py", strided("b = a[::2]"))
        found = self.judged("max-blocks=2", ".", code=OK)["max-blocks"]
        self.assertEqual((found["limit"], found["found"], found["exceeded"]), (2, 2, False))
        found = self.judged("max-blocks=1", ".", code=FINDINGS)["max-blocks"]
        self.assertTrue(found["exceeded"])
        words = self.told("max-blocks=0")
        for word in (
            "max-blocks: 2 blocking units, 0 are allowed: ",
            "R101 element loop over `a` (a.py:6)",
            "(b.py:6)",
        ):
            self.assertIn(word, words)
        self.write("b.py", strided("b = a[::2]  # cpnlint: ignore[R106] once"))
        self.judged("max-blocks=1", ".", code=OK)
        self.check("--write-baseline", "base.json", ".", code=OK)
        self.judged("max-blocks=0", "--baseline", "base.json", ".", code=FINDINGS)
        done = self.run_program("--isolated", "--config", "max-blocks=0", "--output-format", "rdjson", ".")
        first = {"line": 1, "column": 1}
        self.assertEqual(json.loads(done.stdout)["diagnostics"][0]["location"], {"path": "a.py", "range": {"start": first, "end": first}})

    def test_waits(self) -> None:
        self.write("a.py", WAITS)
        found = self.judged("max-waits-per-iteration=5.1", ".", code=OK)["max-waits-per-iteration"]
        self.assertAlmostEqual(found["found"], 5.1)
        words = self.told("max-waits-per-iteration=5")
        self.assertIn(
            "max-waits-per-iteration: the host waits 5.1 times in one pass of a hot loop, 5 are allowed: ", words
        )
        self.assertIn("`for t in range(steps)` (a.py:6), `float(np.max(u))` (a.py:10)", words)
        self.write("a.py", WAITS.replace("range(4)", "range(int(input()))"))
        words = self.told("max-waits-per-iteration=1")
        self.assertIn("waits at least 2.1 times", words)
        self.write("a.py", CLEAN)
        self.judged("max-waits-per-iteration=0", ".", code=OK)

    def test_coverage(self) -> None:
        self.write(
            "a.py",
            "import numpy as np\n\na = np.ones(10)\nb = np.sum(a)\nc = np.interp(a, a, a)\nd = np.interp(a, a, b)\n",
        )
        missing = self.rules_found(self.check("--select", "R112", "a.py"))
        self.assertEqual(missing, ["R112"], "the test needs a missing name")
        found = self.judged("min-coverage=50", ".", code=OK)["min-coverage"]
        self.assertEqual(found["found"], 50)
        words = self.told("min-coverage=51")
        self.assertIn("min-coverage: cuPyNumeric has the names of 50 % of the calls, 51 % are asked for: ", words)
        self.assertIn("`numpy.interp` (2 calls, a.py:5)", words)
        self.write("a.py", "x = 1\n")
        self.assertEqual(self.judged("min-coverage=100", ".", code=OK), {})

    def test_markdown_and_the_page_tell_of_them_and_of_what_is_hidden(self) -> None:
        self.write("a.py", ELEMENT_LOOP)
        self.check("--write-baseline", "base_1.json", ".", code=OK)
        words = ("--isolated", "--no-cache", "--config", "max-blocks=0", "--config", "min-coverage=50", "--baseline", "base_1.json")
        done = self.run_program(*words, "--output", "html:page.html", "--output-format", "markdown", ".")
        self.assertEqual(done.returncode, FINDINGS)
        self.assertIn("1 file analysed. Not shown: 1 finding of the baseline base\\_1.json.\n", done.stdout)
        self.assertIn("\n### Budgets\n\n- **exceeded** `max-blocks`: 1 blocking unit, 0 are allowed: ", done.stdout)
        self.assertIn("\n- kept `min-coverage`: ", done.stdout)
        page = islands((self.folder / "page.html").read_text(encoding="utf-8"))[0]
        self.assertEqual([budget["exceeded"] for budget in page["budgets"]], [True, False])
        self.assertEqual(page["hidden"]["baseline"], {"path": "base_1.json", "findings": 1})

    def test_every_format_that_somebody_reads_tells_of_an_exceeded_budget(self) -> None:
        self.write("src/a.py", ELEMENT_LOOP)
        self.write("src/b.py", CLEAN)
        self.check("--write-baseline", "base.json", ".", code=OK)
        words = ("check", "--isolated", "--no-cache", "--config", "max-blocks=0", "--config", "min-coverage=50", "--baseline", "base.json")
        message = "max-blocks: 1 blocking unit, 0 are allowed: R101 element loop over `a` (src/a.py:6)"
        for name in sorted(set(format_checks.CHECKS) - {"json", "jsonl", "html"}):
            done = self.run_program(*words, "--output-format", name, "src")
            self.assertEqual(done.returncode, FINDINGS)
            self.assertEqual(list(format_checks.CHECKS[name](done.stdout, self.folder)), [], name)
            said = done.stdout.replace("`max-blocks`", "max-blocks").replace("&apos;", "'")
            self.assertIn(message, said, name)
            self.assertNotIn("min-coverage:", said if name != "markdown" else "", name)
            told = name in ("text", "concise")
            self.assertEqual(message in done.stderr, not told, name)
            self.assertEqual(message in self.run_program(*words, "--quiet", "--output-format", name, "src").stdout, message in done.stdout, name)
        (result,) = json.loads(self.run_program(*words, "--output-format", "sarif", "src").stdout)["runs"][0]["results"]
        self.assertEqual((result["ruleId"], result["level"], result["properties"]), ("budget", "error", {"budget": "max-blocks", "limit": 0.0, "found": 1.0}))
        junit = self.run_program(*words, "--output-format", "junit", "src").stdout
        self.assertIn('<testsuites name="cpnlint" tests="2" failures="1" errors="0">', junit)
        self.assertIn('<testcase name="cpnlint.min-coverage" classname="budgets"/>', junit)
        github = self.run_program(*words[:-2], "--output-format", "github", "src").stdout.splitlines()
        self.assertTrue(github[0].startswith("::error title=cpnlint max-blocks::"), github)

    def test_report_and_predict_judge_nothing(self) -> None:
        self.write("a.py", ELEMENT_LOOP)
        for command in ("report", "predict"):
            done = self.run_program(command, "--isolated", "--config", "max-blocks=0", "a.py")
            self.assertEqual((done.returncode, done.stderr), (OK, ""))

    def ratchet(self) -> dict[str, Any]:
        return json.loads((self.folder / "ratchet.json").read_text())

    def test_the_ratchet_only_gets_better(self) -> None:
        option = 'ratchet="ratchet.json"'
        self.write("a.py", ELEMENT_LOOP)
        self.write("b.py", WAITS)
        self.assert_trouble(self.run_program("--isolated", "--config", option, "."), "ratchet.json", "--prune")
        self.judged(option, "--prune", ".", code=OK)
        first = self.ratchet()
        self.assertEqual((first["over"], first["blocks"], first["coverage"]), (["."], first["blocks"], 100))
        self.assertGreater(first["blocks"], 0)
        self.assertAlmostEqual(first["waits_per_iteration"], 5.1)
        before = (self.folder / "ratchet.json").read_bytes()
        self.judged(option, "--prune", ".", code=OK)
        self.assertEqual((self.folder / "ratchet.json").read_bytes(), before)
        self.write("c.py", ELEMENT_LOOP)  # worse
        budgets = self.judged(option, "--prune", ".", code=FINDINGS)
        self.assertEqual([name for name, budget in budgets.items() if budget["exceeded"]], ["ratchet max-blocks"])
        self.assertEqual((self.folder / "ratchet.json").read_bytes(), before)
        self.assertIn("blocking units", self.told(option))
        (self.folder / "c.py").unlink()
        self.write("a.py", CLEAN)  # better
        self.judged(option, ".", code=OK)
        self.assertEqual((self.folder / "ratchet.json").read_bytes(), before)
        self.assertIn("--prune", self.told(option))
        self.judged(option, "--prune", ".", code=OK)
        self.assertLess(self.ratchet()["blocks"], first["blocks"])
        self.write("a.py", ELEMENT_LOOP)
        self.judged(option, ".", code=FINDINGS)
        self.assertIn("other paths", self.run_program("--isolated", "--config", option, "b.py").stderr)

    def test_what_cannot_be_a_ratchet(self) -> None:
        self.write("a.py", CLEAN)
        good = {"schema_version": 1, "kind": "ratchet", "over": ["."]}
        for content in ("", "{}", json.dumps({**good, "schema_version": 2}), json.dumps({**good, "blocks": "few"})):
            self.write("ratchet.json", content)
            for prune in ([], ["--prune"]):
                done = self.run_program("--isolated", "--config", 'ratchet="ratchet.json"', *prune, ".")
                self.assert_trouble(done, "ratchet.json")
            self.assertEqual((self.folder / "ratchet.json").read_text(), content)


if __name__ == "__main__":
    harness.main()
