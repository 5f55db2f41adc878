"""How a team adopts cpnlint: ignores written and taken out, a baseline."""

from __future__ import annotations

import ast
import json
import subprocess
from typing import Any

import harness
from harness import CLEAN, ELEMENT_LOOP, FINDINGS, JOIN_IN_LOOP, OK, TROUBLE, cells, code_of, strided


class AddIgnores(harness.ProgramTest):
    def add(self, *paths: str, reason: str = "known, see #12") -> subprocess.CompletedProcess[str]:
        return self.run_program("--isolated", "--no-cache", "--add-ignores", reason, *paths)

    def silenced(self, name: str, content: str | bytes) -> str:
        """The file after --add-ignores: it is silent, every ignore has an effect, nothing else changed."""
        path = self.write(name, content)
        before = path.read_bytes()
        self.assertNotEqual(self.rules_found(self.check(name)), [], "the test needs a finding")
        done = self.add(name)
        self.assertEqual((done.returncode, done.stdout), (OK, ""), done.stderr)
        document = self.check(name, code=OK)
        self.assertEqual((self.rules_found(document), self.note_kinds(document)), ([], []), path.read_text("latin-1"))
        self.assertGreater(len(path.read_bytes()), len(before))
        if name.endswith(".py"):
            self.assertEqual(ast.dump(ast.parse(before)), ast.dump(ast.parse(path.read_bytes())))
        self.assertEqual(self.add(name).returncode, OK)
        return path.read_bytes().decode("latin-1")

    def test_the_line_gets_a_comment(self) -> None:
        text = self.silenced("a.py", ELEMENT_LOOP)
        self.assertIn("    for i in range(n):  # cpnlint: ignore[R101] known, see #12\n", text)
        self.assertEqual(len(text.splitlines()), len(ELEMENT_LOOP.splitlines()))

    def test_statements_of_several_lines(self) -> None:
        for lines in (
            ["b = g(", "    a[::2],", "    1,", ")"],
            ["b = g(  # why", "    a[::2], a[::3],", ")"],
            ["b = a[::2] + \\", "    a[::3] + \\", "    1"],
            ['b = g("""one', 'two""", a[::2])'],
            ['b = g(a[::2], """one', "two", '""")'],
            ["b = g(a[::2], '''one'''", "      '''", "''')"],
            ['b = g(f"""{a[::2]}', '""")'],
            ["b = [", "    # a comment of its own", "    a[::2],", "]"],
            ["if g(", "    a[::2]", "):", "    pass"],
            ["with g(a[::2]) as h, \\", "        g(a[::3]):", "    pass"],
            ["b = a[::2]; c = a[::3]"],
            ["if n: b = a[::2]"],
            ["b = a[::2]   "],
            ["b = a[::2]\t# comment"],
            ["b = (a[::2])  # type: ignore[index]"],
            ["b = lambda: a[::2]"],
            ["@g(a[::2])", "def inner():", "    pass"],
            ["b = a[  # x", "    ::2]"],
        ):
            with self.subTest(lines=lines):
                self.silenced("a.py", strided(*lines))

    def check_merge(self, line: str, expected: str, above: str = "") -> None:
        lines = [above, line] if above else [line]
        self.write("a.py", strided(*lines))
        self.assertEqual(self.add("a.py").returncode, OK)
        text = (self.folder / "a.py").read_text()
        self.assertIn(expected, text)
        self.assertEqual(self.rules_found(self.check("a.py")), [])
        self.assertEqual(text.count("cpnlint: ignore["), 1)

    def test_how_an_ignore_is_extended(self) -> None:
        self.check_merge("b = a[::2]  # cpnlint: ignore[R203] old", "[R203, R106] old; known, see #12\n")
        both = "for i in range(n): a[i] = a[i] + a[::2].sum()"
        self.check_merge(f"{both}  # cpnlint: ignore[R106] sums", "[R106, R101] sums; known, see #12\n")
        self.check_merge(f"{both}  # cpnlint: ignore[R106]", "[R106, R101] known, see #12\n")
        self.check_merge(
            f"{both}  # cpnlint: ignore[R106] sums  # type: ignore",
            "[R106, R101] sums; known, see #12  # type: ignore\n",
        )
        self.check_merge(
            both, "    # cpnlint: ignore[R106, R101] sums; known, see #12\n", "# cpnlint: ignore[R106] sums"
        )

    def test_a_noqa_stays_as_it_is(self) -> None:
        text = self.silenced("a.py", strided("b = a[::2]  # noqa: E501"))
        self.assertIn("b = a[::2]  # noqa: E501  # cpnlint: ignore[R106] known, see #12\n", text)

    def test_every_place_of_a_merged_finding(self) -> None:
        source = "import numpy as np\n\n\ndef f(n, m):\n    a = np.ones(n)\n    for i in range(n):\n        a[i] = 0\n"
        source += "    for j in range(n):\n        a[j] = 1\n    return a\n"
        self.silenced("a.py", source)

    def test_further_places_that_a_rule_names_itself(self) -> None:
        source = """\
import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
u = np.ones(1000 // comm.Get_size())
v = np.empty_like(u)
comm.Allreduce(u, v)
comm.Bcast(v, root=0)
"""
        self.write("a.py", source)
        finding = self.check("--select", "R108", "a.py")["findings"][0]
        self.assertGreater(len(finding["also"]), 0, "the test needs further places")
        self.silenced("a.py", source)

    def test_bytes_stay_as_they_are(self) -> None:
        source = strided("s = 'é'; b = a[::2]", "c = a[::3]  # ü")
        crlf = self.silenced("crlf.py", source.replace("\n", "\r\n").encode())
        self.assertEqual(crlf.count("\r\n"), crlf.count("\n"))
        self.assertIn("[R106] known, see #12\r\n", crlf)
        self.assertTrue(self.silenced("bom.py", b"\xef\xbb\xbf" + source.encode()).startswith("\xef\xbb\xbf"))
        latin = self.silenced("latin.py", ("# -*- coding: latin-1 -*-\n" + source).encode("latin-1"))
        self.assertIn("s = 'é'; b = a[::2]  # cpnlint", latin)
        western = self.silenced("western.py", ("# coding: cp1252\n" + source.replace("é", "€")).encode("cp1252"))
        self.assertIn("s = '\x80'; b = a[::2]  # cpnlint", western)
        last = "import numpy as np\na = np.ones(9)\nb = a[::2]"
        self.assertTrue(self.silenced("last.py", last).endswith("b = a[::2]  # cpnlint: ignore[R106] known, see #12"))

    def test_a_reason_that_does_not_fit_the_encoding(self) -> None:
        path = self.write("a.py", "# coding: latin-1\n" + strided("b = a[::2]"))
        path.write_bytes(path.read_text().replace("return a", "return a  # \xfc").encode("latin-1"))
        before = path.read_bytes()
        self.assert_trouble(self.add("a.py", reason="später"), "a.py", "UTF-8")
        self.assertEqual(path.read_bytes(), before)

    def test_reasons_that_are_none(self) -> None:
        path = self.write("a.py", ELEMENT_LOOP)
        for reason in ("", "  ", "one\ntwo"):
            self.assert_trouble(self.add("a.py", reason=reason), "--add-ignores")
        self.assert_trouble(self.add("a.py", reason="x # noqa: R203"), "a.py", "by hand")
        self.assert_trouble(self.run_program("--add-ignores", "x", "-", input=ELEMENT_LOOP), "standard input")
        self.assertEqual(path.read_text(), ELEMENT_LOOP)

    def test_diff_shows_and_writes_nothing(self) -> None:
        path = self.write("a.py", ELEMENT_LOOP)
        done = self.run_program("--isolated", "--add-ignores", "later", "--diff", "a.py")
        self.assertEqual(done.returncode, FINDINGS)
        self.assertIn("-    for i in range(n):\n+    for i in range(n):  # cpnlint: ignore[R101] later\n", done.stdout)
        self.assertEqual(path.read_text(), ELEMENT_LOOP)
        applied = subprocess.run(["patch", "-p0"], input=done.stdout, cwd=self.folder, encoding="utf-8", check=False)
        if applied.returncode == 0:
            self.assertEqual(self.rules_found(self.check("a.py")), [])

    def test_notebooks(self) -> None:
        plain = "import numpy as np\na = np.ones(9)\n"
        for name, text in {
            "lines": cells(plain, "%matplotlib inline\nb = a[::2]\ns = 'é\\t\"'; c = a[::3]", "x = 1"),
            "text": cells(plain, "b = a[::2]\nc = a[::3]", as_text=True),
            "indented": cells(plain, "    b = a[::2]\n    c = 1"),
        }.items():
            with self.subTest(name):
                path = self.write("n.ipynb", text)
                done = self.add("n.ipynb", reason='a "quoted" \\ reason')
                self.assertEqual(done.returncode, OK, done.stderr)
                self.assertEqual(self.rules_found(self.check("n.ipynb")), [])
                old = json.loads(text)["cells"]
                for cell, new in zip(old, code_of(path), strict=True):
                    stripped = new.replace('  # cpnlint: ignore[R106] a "quoted" \\ reason', "")
                    self.assertEqual(stripped, "".join(cell["source"]))

    def test_a_place_that_cannot_be_written_to(self) -> None:
        text = cells("import numpy as np\na = np.ones(9)\n", "%time b = a[::2]")
        path = self.write("n.ipynb", text)
        if self.rules_found(self.check("n.ipynb")):
            done = self.add("n.ipynb")
            if done.returncode == TROUBLE:
                self.assertIn("n.ipynb", done.stderr)
                self.assertEqual(path.read_text(), text)
            else:
                self.assertEqual(self.rules_found(self.check("n.ipynb")), [])

    def test_one_such_place_does_not_keep_the_others_from_it(self) -> None:
        plain = "import numpy as np\na = np.ones(9)"
        path = self.write("n.ipynb", cells(plain, "ac = a[::2] \\", "b = a[::3]"))
        done = self.add("n.ipynb")
        self.assert_trouble(done, "`n.ipynb:cell 2:1`; write it by hand, on a line of its own above: what")
        self.assertEqual(code_of(path), [plain, "ac = a[::2] \\", "b = a[::3]  # cpnlint: ignore[R106] known, see #12"])
        path = self.write("a.py", plain + "\nb = a[::3]\nc = a[::2] \\\n")
        self.assert_trouble(self.add("a.py"), "`a.py:4`; write it by hand")
        self.assertEqual(path.read_text(), plain + "\nb = a[::3]  # cpnlint: ignore[R106] known, see #12\nc = a[::2] \\\n")
        wide = (plain + "\nb = a[::3]\nc = a[::2]\n").encode("utf-16")
        path = self.write("wide.py", wide)
        self.assert_trouble(self.add("wide.py"), "cannot change `wide.py`: ", "save the file as UTF-8")
        self.assertEqual(path.read_bytes(), wide)

    def test_links_and_modes_are_kept(self) -> None:
        target = self.write("real/a.py", ELEMENT_LOOP)
        target.chmod(0o755)
        (self.folder / "a.py").symlink_to("real/a.py")
        self.assertEqual(self.add("a.py").returncode, OK)
        self.assertTrue((self.folder / "a.py").is_symlink())
        self.assertEqual(target.stat().st_mode & 0o777, 0o755)
        self.assertIn("ignore[R101]", target.read_text())


class UnusedIgnores(harness.ProgramTest):
    def fixed(self, name: str, content: str | bytes, *options: str) -> str:
        path = self.write(name, content)
        done = self.run_program("--isolated", "--no-cache", "--fix", *options, ".")
        self.assertEqual(done.returncode, OK, done.stdout + done.stderr)
        return path.read_bytes().decode()

    def test_each_code_counts_for_itself(self) -> None:
        self.write("a.py", ELEMENT_LOOP.replace("range(n):", "range(n):  # cpnlint: ignore[R101, R203] x"))
        document = self.check(".", code=OK)
        self.assertEqual([note["message"] for note in document["notes"]], ["nothing to ignore here for R203"])

    def test_what_goes_and_what_stays(self) -> None:
        for comment, left in (
            ("  # cpnlint: ignore[R101, R203, R104] x", "  # cpnlint: ignore[R101] x"),
            ("  # cpnlint: ignore[R203, R101] x", "  # cpnlint: ignore[R101] x"),
            ("  # type: ignore  # cpnlint: ignore[R203] x  # cpnlint: ignore[R101] y",
             "  # type: ignore  # cpnlint: ignore[R101] y"),
            ("  # cpnlint: ignore[R101] x  # cpnlint: ignore[R203] y  # noqa: E501",
             "  # cpnlint: ignore[R101] x  # noqa: E501"),
            ("  # cpnlint: ignore[R101] x  # cpnlint: ignore[R203] y, see #7  # pragma: no cover",
             "  # cpnlint: ignore[R101] x  # pragma: no cover"),
            ("  # cpnlint: ignore[R101] x  # cpnlint: ignore[R203] y # noqa", "  # cpnlint: ignore[R101] x  # noqa"),
            ("  # noqa: R101, R203, E501", "  # noqa: R101, R203, E501"),
        ):  # fmt: skip
            with self.subTest(comment):
                text = self.fixed("a.py", ELEMENT_LOOP.replace("range(n):", "range(n):" + comment))
                self.assertIn("range(n):" + left + "\n", text)

    def test_nothing_of_a_useless_comment_is_left(self) -> None:
        for end in ("\n", "\r\n"):
            clean = CLEAN.replace("\n", end).encode()
            for before, after in (
                (clean + b"x = 1  # cpnlint: ignore[R101] y" + end.encode(), clean + b"x = 1" + end.encode()),
                (b"\xef\xbb\xbf" + clean + b"# cpnlint: ignore[R106] y" + end.encode() + b"x = 1", None),
                (b"# cpnlint: ignore-file[R101] y" + end.encode() + clean, clean),
                (clean + b"    # cpnlint: ignore[R101] y", clean),
                (clean + b"x = 1  # cpnlint: ignore[R101] y  # cpnlint: ignore[R203] z", clean + b"x = 1"),
            ):
                expected = after if after is not None else b"\xef\xbb\xbf" + clean + b"x = 1"
                self.assertEqual(self.fixed("a.py", before).encode(), expected)

    def test_fix_reports_what_is_left(self) -> None:
        path = self.write("a.py", "# cpnlint: ignore-file[R203] y\n" + ELEMENT_LOOP)
        document = self.check("--fix", ".", code=FINDINGS)
        self.assertEqual(path.read_text(), ELEMENT_LOOP)
        self.assertEqual((self.rules_found(document), document["notes"]), (["R101"], []))
        self.assertEqual(document["findings"][0]["start"]["line"], 6)

    def test_diff_writes_nothing(self) -> None:
        text = "# cpnlint: ignore-file[R203] y\n" + ELEMENT_LOOP
        path = self.write("a.py", text)
        done = self.run_program("--isolated", "--diff", ".")
        self.assertEqual((done.returncode, path.read_text()), (FINDINGS, text))
        self.assertEqual(
            done.stdout.splitlines()[:4], ["--- a.py", "+++ a.py", "@@ -1,4 +1,3 @@", "-" + text.split("\n")[0]]
        )
        self.write("a.py", ELEMENT_LOOP)
        done = self.run_program("--isolated", "--diff", ".")
        self.assertEqual((done.returncode, done.stdout), (OK, ""))

    def test_what_was_not_looked_at_is_not_unused(self) -> None:
        # A rule that did not run, and a file of which a part is missing.
        preview = [rule["code"] for rule in harness.common.all_rules() if rule["preview"]]
        if preview:
            self.write("a.py", CLEAN + f"x = 1  # cpnlint: ignore[{preview[0]}] y\n")
            self.assertEqual(self.check(".")["notes"], [])
            self.assertEqual(self.note_kinds(self.check("--preview", ".")), ["unused-ignore"])
        broken = CLEAN + "x = 1  # cpnlint: ignore[R101] y\ny = = 2\n"
        (self.folder / "a.py").unlink(missing_ok=True)
        self.assertEqual(self.fixed("b.py", broken, "--fail-on", "never"), broken)

    def test_selection_does_not_make_an_ignore_unused(self) -> None:
        self.write("a.py", ELEMENT_LOOP.replace("range(n):", "range(n):  # cpnlint: ignore[R101] x"))
        self.assertEqual(self.check("--select", "R203", ".")["notes"], [])

    def test_a_run_that_does_not_see_the_callers_calls_nothing_unused(self) -> None:
        """A finding may need a caller in another file, or sizes and machines that only this run is told of."""
        lib = "import numpy as np\n\n\ndef half(u):\n    return u[::2]  # cpnlint: ignore[R106] agreed\n"
        main = "import numpy as np\nfrom {} import half\n\nhalf(np.ones(1000))\n"

        def unused(*options: str) -> int:
            return self.note_kinds(self.check(*options, code=OK)).count("unused-ignore")

        for name, module, part in (("lib.py", "lib", "lib.py"), ("pkg/sub/lib.py", "pkg.sub.lib", "pkg/sub")):
            path = self.write(name, lib)
            self.write("main.py", main.format(module))
            if "/" in name:
                self.write("pkg/__init__.py", "")
                self.write("pkg/sub/__init__.py", "")
            self.assertEqual((unused("."), unused(part)), (0, 0))
            self.assertEqual(self.run_program("--isolated", "--diff", part).stdout, "")
            self.assertEqual(self.run_program("--isolated", "--no-cache", "--fix", part).returncode, OK)
            self.assertEqual(path.read_text(), lib)
            (self.folder / "main.py").unlink()
            self.assertEqual(unused("."), 1)
            for option in ("--exclude=x", "--extend-exclude=x", "--assume=u=(9,)", "--gpus=2", "--nodes=2"):
                self.assertEqual(unused(option, "."), 0)
            path.unlink()

    def test_notebooks(self) -> None:
        first = "import numpy as np\n# cpnlint: ignore[R101] why\na = np.ones(9)"
        text = cells(
            first, "b = a  # cpnlint: ignore[R101] why\n# cpnlint: ignore[R106] at the end", "# cpnlint: ignore[R101] x"
        )
        path = self.write("n.ipynb", text)
        self.assertEqual(self.note_kinds(self.check("n.ipynb")), ["unused-ignore"] * 4)
        self.assertEqual(self.run_program("--isolated", "--fix", "n.ipynb").returncode, OK)
        self.assertEqual(code_of(path), ["import numpy as np\na = np.ones(9)", "b = a", ""])
        self.assertEqual(self.check("n.ipynb")["notes"], [])


class Baseline(harness.ProgramTest):
    def entries(self, name: str = "base.json") -> list[dict[str, Any]]:
        document = json.loads((self.folder / name).read_text())
        self.assertEqual((document["schema_version"], document["kind"]), (1, "baseline"))
        entries = document["entries"]
        self.assertEqual(entries, sorted(entries, key=lambda e: (e["path"], e["rule"], e["function"] or "", e["code"])))
        return entries

    def freeze(self, *paths: str, name: str = "base.json") -> None:
        document = self.check("--write-baseline", name, *paths, code=OK)
        self.assertEqual(document["findings"], [])

    def new(self, *options: str, code: int | None = None) -> list[tuple[str, str]]:
        document = self.check("--baseline", "base.json", *options, code=code)
        return [(finding["path"], finding["rule"]) for finding in document["findings"]]

    def stale(self, *options: str) -> list[str]:
        notes = self.check("--baseline", "base.json", *options)["notes"]
        return [note["message"] for note in notes if note["kind"] == "unused-ignore" and note["path"] == "base.json"]

    def test_only_what_is_new_counts(self) -> None:
        self.write("a.py", ELEMENT_LOOP)
        self.write("b.py", JOIN_IN_LOOP)
        self.freeze(".")
        self.assertEqual([(e["path"], e["rule"]) for e in self.entries()], [("a.py", "R101"), ("b.py", "R203")])
        self.assertEqual(self.new(".", code=OK), [])
        self.write("c.py", ELEMENT_LOOP)
        self.assertEqual(self.new(".", code=FINDINGS), [("c.py", "R101")])
        done = self.run_program("--isolated", "--baseline", "base.json", ".")
        self.assertIn("Not shown: 2 findings of the baseline base.json\n", done.stdout)
        hidden = self.check("--baseline", "base.json", ".")["hidden"]
        self.assertEqual(hidden, {"baseline": {"path": "base.json", "findings": 2}, "diff_base": None})

    def test_the_same_bytes_whatever_the_order(self) -> None:
        self.write("a.py", ELEMENT_LOOP)
        self.write("b.py", JOIN_IN_LOOP)
        self.freeze("b.py", "a.py")
        first = (self.folder / "base.json").read_bytes()
        self.freeze("--jobs", "3", "a.py", "b.py")
        self.assertEqual((self.folder / "base.json").read_bytes(), first)
        self.assertNotIn(b'"line"', first)

    def test_moved_and_reformatted_code_is_known(self) -> None:
        source = strided("b = g(a[::2], 'x', [n, 1], 0XFF)", "c = a [1:n:3]")
        self.write("a.py", source)
        self.freeze("a.py")
        self.assertEqual([entry["count"] for entry in self.entries()], [1, 1])  # one merged finding
        moved = "# a line more\nimport os\n" + source
        reflowed = source.replace(
            "g(a[::2], 'x', [n, 1], 0XFF)",
            'g(\n        (a[::2]),  # first\n        "x",\n        [n, 1,],\n        0xff,\n    )',
        )
        reflowed = reflowed.replace("a [1:n:3]", "a[\n        1:n:3\n    ]")
        renamed = source.replace("def f(", "def g2(")
        for text in (moved, reflowed, renamed, source.replace("    ", "\t"), source.replace("\n", "\r\n")):
            self.write("a.py", text)
            self.assertEqual(self.new("a.py", code=OK), [], text)
            self.assertEqual(self.stale("a.py"), [], text)
        self.write("a.py", source.replace("a [1:n:3]", "a[1:n:4]"))
        self.assertEqual(self.new("a.py", code=FINDINGS), [("a.py", "R106")])

    def test_a_second_one_of_the_same_words_is_new(self) -> None:
        self.write("a.py", strided("b = a[::2]"))
        self.freeze("a.py")
        both = strided("b = a[::2]") + strided("b = a[::2]").replace("import numpy as np", "").replace("def f", "def h")
        self.write("a.py", both)
        self.assertEqual(self.new("a.py", code=FINDINGS), [("a.py", "R106")])

    def test_a_further_place_of_a_merged_finding_is_new(self) -> None:
        loop = "    for {0} in range(n):\n        a[{0}] = 2.0 * a[{0}]\n"
        one = ELEMENT_LOOP
        two = ELEMENT_LOOP.replace("    return a", loop.format("i") + "    return a")
        self.write("a.py", one)
        self.freeze("a.py")
        self.write("a.py", two)
        self.assertEqual(self.new("a.py", code=FINDINGS), [("a.py", "R101")])

    def test_mending_one_of_several_places_makes_no_news(self) -> None:
        self.write("a.py", strided("b = a[::2]", "c = a[::3]", "d = a[::5]"))
        self.freeze("a.py")
        self.write("a.py", strided("b = a", "c = a[::3]", "d = a[::5]"))
        self.assertEqual(self.new("a.py", code=OK), [])
        self.assertEqual(len(self.stale("a.py")), 1)
        self.assertEqual(self.new("--prune", "a.py"), [])
        self.assertEqual([entry["code"] for entry in self.entries()], ["a[::3]", "a[::5]"])

    def test_a_renamed_file_is_known_while_the_old_one_is_gone(self) -> None:
        path = self.write("old/a.py", ELEMENT_LOOP)
        self.freeze(".")
        path.rename(self.folder / "b.py")
        self.assertEqual(self.new(".", code=OK), [])
        self.assertEqual(self.stale("."), [])
        self.write("old/a.py", CLEAN)
        self.assertEqual(self.new(".", code=FINDINGS), [("b.py", "R101")])
        self.assertEqual(len(self.stale(".")), 1)

    def test_stale_entries_are_told_and_pruned(self) -> None:
        self.write("a.py", ELEMENT_LOOP)
        self.write("b.py", JOIN_IN_LOOP)
        self.freeze(".")
        self.write("a.py", CLEAN)
        self.assertEqual(len(self.stale(".")), 1)
        self.assertIn("1 place of a.py", self.stale(".")[0])
        self.assertIn("R101", self.stale(".")[0])
        self.assertEqual(self.stale("b.py"), [])  # a.py was not looked at
        self.assertEqual(self.stale("--select", "R203", "."), [])  # R101 was not looked for
        self.assertEqual(self.new("--prune", "b.py"), [])
        self.assertEqual(len(self.entries()), 2)
        done = self.run_program("--isolated", "--no-cache", "--baseline", "base.json", "--prune", ".")
        self.assertEqual(done.returncode, OK, done.stderr)
        self.assertEqual([entry["path"] for entry in self.entries()], ["b.py"])
        self.assertEqual(self.stale("."), [])
        (self.folder / "b.py").unlink()
        self.assertEqual(len(self.stale(".")), 1)
        self.write("sub/c.py", CLEAN)
        self.assertEqual(self.stale("sub"), [])  # b.py may have gone elsewhere

    def test_a_run_over_less_makes_nothing_stale(self) -> None:
        self.write("lib.py", "import numpy as np\n\n\ndef half(u):\n    return u[::2]\n")
        self.write("main.py", "import numpy as np\nfrom lib import half\n\nhalf(np.ones(1000))\n")
        self.freeze(".")
        self.assertEqual(json.loads((self.folder / "base.json").read_text())["over"], ["."])
        before = (self.folder / "base.json").read_bytes()
        self.assertEqual(self.stale("lib.py"), [])
        self.assertEqual(self.new("--prune", "lib.py"), [])
        self.assertEqual((self.folder / "base.json").read_bytes(), before)
        self.assertEqual(self.new("--prune", "."), [])
        self.assertEqual((self.folder / "base.json").read_bytes(), before)
        self.write("main.py", CLEAN)
        self.assertEqual(len(self.stale(".")), 1)
        self.assertEqual(self.stale("lib.py"), [])
        old = json.loads(before)  # of a version that did not write it down
        del old["over"]
        self.write("base.json", json.dumps(old))
        self.assertEqual(self.stale("lib.py"), [])
        self.assertEqual(len(self.stale(".")), 1)
        self.write("base.json", json.dumps({**old, "over": [1]}))
        self.assert_trouble(self.run_program("--baseline", "base.json", "."), "base.json", "over")

    def test_prune_follows_what_moved(self) -> None:
        path = self.write("a.py", ELEMENT_LOOP)
        self.freeze(".")
        path.rename(self.folder / "b.py")
        self.assertEqual(self.new("--prune", "."), [])
        self.assertEqual([entry["path"] for entry in self.entries()], ["b.py"])

    def test_a_new_place_of_a_merged_finding_is_where_it_is_shown(self) -> None:
        """Slices of one array are one finding; of its places, the new one is told."""
        old = "b = a[::2]"
        self.write("a.py", strided(old))
        self.freeze(".")
        same, other = "c = a[::2]", "c = a[::3]"
        for lines, line, message in (
            ((old, same), 7, "`a[::2]` slices `a` with step `2`"),
            ((old, other), 7, "here `a[::3]`, as on line 6: `a[::2]` slices `a` with step `2`"),
            ((other, old), 6, "`a[::3]` slices `a` with step `3`"),
        ):
            self.write("a.py", strided(*lines))
            both = self.check(".")["findings"]
            self.assertEqual([(f["start"]["line"], [p["start"]["line"] for p in f["also"]]) for f in both], [(6, [7])])
            (finding,) = self.check("--baseline", "base.json", ".", code=FINDINGS)["findings"]
            self.assertEqual((finding["start"]["line"], finding["also"], finding["message"]), (line, [], message))
            frame = self.run_program("--isolated", "--baseline", "base.json", ".").stdout
            self.assertRegex(frame, rf"a\.py:{line}:9\n")
            self.assertIn(f"\n{line} |     {lines[line - 6]}\n", frame)
            self.assertRegex(frame, rf"(?m)^  1\. R106 .*  a\.py:{line}:9$")

    def test_a_file_with_errors_makes_nothing_stale(self) -> None:
        self.write("a.py", ELEMENT_LOOP)
        self.freeze(".")
        self.write("a.py", CLEAN + "x = = 1\n")
        self.assertEqual(self.stale("."), [])

    def test_paths_belong_to_the_folder_of_the_baseline(self) -> None:
        self.write("src/a.py", ELEMENT_LOOP)
        self.freeze("src", name="ci/base.json") if (self.folder / "ci").mkdir() is None else None
        self.assertEqual(self.entries("ci/base.json")[0]["path"], "../src/a.py")
        for folder, baseline, path in (
            (".", "ci/base.json", "src"),
            ("src", "../ci/base.json", "."),
            ("ci", "base.json", "../src/a.py"),
        ):
            document = self.check("--baseline", baseline, path, cwd=self.folder / folder, code=OK)
            self.assertEqual(document["findings"], [])

    def test_a_configured_baseline_is_shown_from_the_current_folder(self) -> None:
        self.write("a.py", ELEMENT_LOOP)
        self.freeze(".")
        self.write("cpnlint.toml", 'baseline = "base.json"\n')
        document = json.loads(self.run_program("--output-format", "json", ".").stdout)
        self.assertEqual(document["hidden"]["baseline"]["path"], "base.json")
        self.write("a.py", CLEAN)
        document = json.loads(self.run_program("--output-format", "json", ".").stdout)
        self.assertEqual([note["path"] for note in document["notes"]], ["base.json"])

    def test_what_cannot_be_a_baseline(self) -> None:
        self.write("a.py", ELEMENT_LOOP)
        self.assert_trouble(self.run_program("--baseline", "none.json", "a.py"), "none.json", "--write-baseline")
        good = {"schema_version": 1, "kind": "baseline", "entries": []}
        entry = {"path": "a.py", "rule": "R101", "function": None, "code": "x", "hash": "0", "count": -1}
        for content, word in (
            ("", "no JSON"),
            ("<<<<<<< ours\n{}", "merge conflict"),
            ("[]", "kind"),
            (json.dumps({**good, "schema_version": 2}), "schema_version 2"),
            (json.dumps({**good, "kind": "ratchet"}), "kind"),
            (json.dumps({**good, "entries": [{"path": "a.py"}]}), "entry 1"),
            (json.dumps({**good, "entries": [entry]}), "count"),
            ("[" * 100000, "JSON"),
        ):  # fmt: skip
            self.write("broken.json", content)
            self.assert_trouble(
                self.run_program("--isolated", "--baseline", "broken.json", "a.py"), "broken.json", word
            )
        self.write("empty.json", json.dumps(good))
        self.assertEqual(self.rules_found(self.check("--baseline", "empty.json", "a.py", code=FINDINGS)), ["R101"])

    def test_options_that_contradict_each_other(self) -> None:
        self.write("a.py", ELEMENT_LOOP)
        self.freeze("a.py")
        for options in (
            ["--baseline", "base.json", "--write-baseline", "base.json"],
            ["--write-baseline", "base.json", "--diff-base", "main"],
            ["--prune"],
            ["--fix", "--add-ignores", "x"],
        ):
            self.assert_trouble(self.run_program(*options, "a.py"), options[0])

    def test_nothing_is_written_where_something_could_not_be_read(self) -> None:
        self.write("a.py", ELEMENT_LOOP)
        done = self.run_program("--isolated", "--write-baseline", "base.json", "a.py", "nowhere.py")
        self.assert_trouble(done, "nowhere.py")
        self.assertFalse((self.folder / "base.json").exists())

    def test_the_baseline_of_a_notebook(self) -> None:
        self.write("n.ipynb", cells("import numpy as np\na = np.ones(9)\nb = a[::2]"))
        self.freeze(".")
        self.write("n.ipynb", cells("import numpy as np\na = np.ones(9)", "b = a[::2]"))
        self.assertEqual(self.new(".", code=OK), [])

    def test_findings_of_other_confidence_are_not_stale(self) -> None:
        self.write("a.py", ELEMENT_LOOP)
        self.freeze("--min-confidence", "possible", "a.py")
        document = json.loads((self.folder / "base.json").read_text())
        document["entries"][0].update(confidence="possible", hash="0", code="gone")
        self.write("base.json", json.dumps(document))
        self.assertEqual(self.stale("a.py"), [])
        self.assertEqual(len(self.stale("--min-confidence", "possible", "a.py")), 1)


if __name__ == "__main__":
    harness.main()
