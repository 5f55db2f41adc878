"""Bad input: each gets a clear message or a note, and the exit code that the interface promises."""

from __future__ import annotations

import os
import subprocess
import unittest

import harness
from harness import CLEAN, ELEMENT_LOOP, FINDINGS, OK, TROUBLE, cells, common


class Paths(harness.ProgramTest):
    def test_missing_path_is_named(self) -> None:
        self.assert_trouble(self.run_program("nowhere.py"), "nowhere.py")
        self.assert_trouble(self.run_program("check", "no/such/folder"), "no/such/folder")

    def test_missing_path_beside_a_good_one(self) -> None:
        self.write("good.py")
        self.assert_trouble(self.run_program("good.py", "nowhere.py"), "nowhere.py")

    def test_file_used_as_a_folder_cannot_be_read(self) -> None:
        self.write("plain.py")
        self.assert_trouble(self.run_program("plain.py/inner.py"), "plain.py/inner.py")

    @unittest.skipIf(os.geteuid() == 0, "root reads every file")
    def test_file_without_permission(self) -> None:
        self.write("locked.py").chmod(0)
        self.assert_trouble(self.run_program("locked.py"), "locked.py")

    def test_folder_named_like_a_file(self) -> None:
        self.write("odd.py/inner.py", ELEMENT_LOOP)
        document = self.check(".", code=FINDINGS)
        self.assertEqual([f["path"] for f in document["findings"]], ["odd.py/inner.py"])

    def test_folder_without_python_says_so(self) -> None:
        self.write("docs/readme.txt", "nothing here")
        self.assert_trouble(self.run_program("docs"), "docs")

    def test_folder_that_cannot_be_listed_says_so(self) -> None:
        self.write("locked/a.py").parent.chmod(0)
        self.folder.chmod(0o755)
        self.addCleanup((self.folder / "locked").chmod, 0o755)
        user = {"user": 65534} if os.geteuid() == 0 else {}
        done = self.run_program("--isolated", "--no-cache", "locked", **user)
        self.assert_trouble(done, "`locked`: cannot list this folder: Permission denied")

    def test_device_is_no_input(self) -> None:
        self.assert_trouble(self.run_program("/dev/null/x.py"), "/dev/null")

    def test_symlink_loops_end(self) -> None:
        self.write("src/a.py", ELEMENT_LOOP)
        (self.folder / "src" / "again").symlink_to(self.folder / "src", target_is_directory=True)
        (self.folder / "src" / "ping.py").symlink_to("pong.py")
        (self.folder / "src" / "pong.py").symlink_to("ping.py")
        document = self.check("src", code=FINDINGS)
        self.assertEqual([f["path"] for f in document["findings"]], ["src/a.py"])

    def test_two_names_of_one_file_count_once(self) -> None:
        self.write("a.py", ELEMENT_LOOP)
        (self.folder / "b.py").symlink_to("a.py")
        document = self.check("a.py", "./a.py", "b.py", code=FINDINGS)
        self.assertEqual(document["files"]["found"], 1)
        self.assertEqual(len(document["findings"]), 1)

    def test_files_of_the_same_name_stay_apart(self) -> None:
        helper = "import numpy as np\n\n\ndef make(n):\n    return {}\n"
        loop = "    for i in range(n):\n        x[i] = 2 * x[i]\n"
        use = "from util import make\n\n\ndef run(n):\n    x = make(n)\n" + loop
        self.write("one/util.py", helper.format("np.zeros(n)"))
        self.write("one/main.py", use)
        self.write("two/util.py", helper.format("[0] * n"))
        self.write("two/main.py", use)
        document = self.check("one", "two")
        self.assertNotIn("two/main.py", [f["path"] for f in document["findings"]])
        self.assertNotIn("internal-error", self.note_kinds(document))

    def test_module_and_package_of_the_same_name(self) -> None:
        self.write("util.py", ELEMENT_LOOP)
        self.write("util/__init__.py", ELEMENT_LOOP)
        document = self.check(".", code=FINDINGS)
        self.assertEqual([f["path"] for f in document["findings"]], ["util.py", "util/__init__.py"])

    def test_name_that_is_not_utf8(self) -> None:
        path = os.path.join(os.fsencode(self.folder), b"caf\xe9.py")
        with open(path, "wb") as file:
            file.write(ELEMENT_LOOP.encode())
        self.assertEqual(len(self.check(".", code=FINDINGS)["findings"]), 1)


class Contents(harness.ProgramTest):
    def note_of(self, content: str | bytes, kind: str) -> str:
        """The one note of a file that cannot be analysed: alone it is trouble, beside a good file it is not."""
        self.write("bad.py", content)
        self.write("good.py", ELEMENT_LOOP)
        document = self.check("bad.py", "good.py", code=FINDINGS)
        self.assertEqual(self.rules_found(document), ["R101"])
        notes = [note for note in document["notes"] if note["path"] == "bad.py"]
        self.assertEqual([note["kind"] for note in notes], [kind])
        self.assertEqual(self.run_program("bad.py").returncode, TROUBLE)
        return notes[0]["message"]

    def test_binary_file(self) -> None:
        self.note_of(b"\x7fELF\x02\x01\x01\x00numpy\x00\x00\x01" * 100, "skipped")

    def test_file_of_50_megabytes(self) -> None:
        self.note_of(b"import numpy as np\n" + b"x = np.ones(3)\n" * 3_500_000, "too-large")

    def test_python_2(self) -> None:
        message = self.note_of("import numpy as np\nprint 'x', np.ones(3)\nexec 'y = 1'\n", "not-python3")
        self.assertIn("Python 2", message)

    def test_nothing_but_a_syntax_error(self) -> None:
        self.note_of("import numpy as np (\n", "syntax-error")

    def test_empty_files_are_fine(self) -> None:
        for content in ("", "\n", "   \n\t\n", "# nothing\n", "\ufeff", "\f"):
            self.write("empty.py", content)
            self.assertEqual(self.check("empty.py", code=OK)["findings"], [])

    def test_invalid_utf8_costs_no_finding(self) -> None:
        self.write("latin.py", ELEMENT_LOOP.encode() + b"name = '\xe9\xff'\n")
        document = self.check("latin.py", code=FINDINGS)
        self.assertEqual(self.rules_found(document), ["R101"])
        self.assertEqual(self.note_kinds(document), ["encoding"])

    def test_coding_cookie_is_honoured(self) -> None:
        source = "# -*- coding: latin-1 -*-\n" + ELEMENT_LOOP.replace("a[i] =", "é = 'ü'; a[i] =")
        self.write("latin.py", source.encode("latin-1"))
        document = self.check("latin.py", code=FINDINGS)
        self.assertEqual((self.rules_found(document), self.note_kinds(document)), (["R101"], []))

    def test_line_ends_do_not_move_findings(self) -> None:
        self.write("unix.py", ELEMENT_LOOP)
        self.write("windows.py", ELEMENT_LOOP.replace("\n", "\r\n"))
        self.write("marked.py", b"\xef\xbb\xbf" + ELEMENT_LOOP.encode())
        places = {(f["start"]["line"], f["start"]["column"]) for f in self.check(".", code=FINDINGS)["findings"]}
        self.assertEqual(len(places), 1)

    def test_syntax_error_costs_its_statement_alone(self) -> None:
        self.write("half.py", ELEMENT_LOOP + "\n\nx = = 3\n\n\n" + ELEMENT_LOOP.replace("double", "again"))
        document = self.check("half.py", code=FINDINGS)
        self.assertEqual(self.rules_found(document), ["R101", "R101"])
        self.assertEqual(self.note_kinds(document), ["syntax-error"])

    def test_what_the_grammar_takes_and_no_python_does(self) -> None:
        """Bad programs that a tree can be made of; good ones that look like them."""
        bad = {
            "if x:\ny = 1\n": "no indented block", "while x:\n    # only\n": "no indented block",
            "try:\n    pass\nexcept E:\nx = 1\n": "no indented block", "match x:\ny = 1\n": "no indented block",
            "x = 1\n    y = 2\n": "unexpected indentation", "if x:\n        a = 1\n    b = 2\n": "unexpected indentation",
            "if x:\n    a = 1\n        b = 2\n": "unexpected indentation",
            "if x:\n\ta = 1\n        b = 2\n": "unexpected indentation",
            "def f(a=1, b):\n    pass\n": "without a default", "lambda a=1, b: 1\n": "without a default",
            "f(a=1, 2)\n": "positional argument", "f(**k, 2)\n": "positional argument", "x := 3\n": "needs parentheses",
        }  # fmt: skip
        good = (
            "def f(a=1, *, b, c=2, **k):\n    pass\n", "def f(a=1, *b: int, c: int):\n    pass\n", "def f(a=1, /, b=2): ...\n",
            "f(*a, b, c=1, *d, **e)\n", "f(a := 1, b)\n", "f(x for x in y)\n", "(x := 3)\n", "lambda *, a: 1\n",
            "if (y := 3): z = 1; \\\n   w = 2\n", "if x: \\\n    y = 1\n", "\f\nif x:\n\f    y = 1\n    z = 2\n",
            "if x:\r\n\ty = 1\r\n\tz = 2\r\n", "# c\n  # c\nx = 1\n", "@a\n\n  # c\n@b\ndef f(): ...\n", "x = (1,\n  2)\n",
            "match x:\n    case 1: pass\n    case _:\n        y = 1\n", "if 1:\n    # c \\\n    y = 2\n    z = 3\n",
        )  # fmt: skip
        for source in (*bad, *good):
            self.write("a.py", "import numpy\n" + source)
            notes = [note["message"] for note in self.check("a.py")["notes"]]
            self.assertEqual(len(notes), 1 if source in bad else 0, (source, notes))
            if source in bad:
                self.assertIn(bad[source], notes[0])
        self.write("a.ipynb", cells("import numpy\ntry:\n    !pip install x\nexcept E:\n    pass"))
        self.assertEqual(self.check("a.ipynb")["notes"], [])


class Extremes(harness.ProgramTest):
    """Input built to break a parser or a tree walk: any answer is right that comes in time."""

    def survives(self, body: str) -> None:
        self.write("deep.py", f"import numpy as np\n{body}\n")
        done = self.run_program("check", "--no-cache", "--isolated", "deep.py", timeout=100)
        self.assertLess(len(done.stdout) + len(done.stderr), 20_000)

    def test_nested_brackets(self) -> None:
        for opening, closing in ("()", "[]", "{}"):
            self.survives("x = " + opening * 100_000 + "1" + closing * 100_000)

    def test_brackets_that_never_close(self) -> None:
        self.survives("x = " + "(" * 100_000)
        self.survives("x = " + "np.ones([" * 50_000)

    def test_nested_calls_and_subscripts(self) -> None:
        self.survives("x = " + "np.abs(" * 30_000 + "1" + ")" * 30_000)
        self.survives("x = np" + "[0]" * 100_000)
        self.survives("x = np" + ".a" * 100_000)
        self.survives("x = f" + "(f" * 30_000 + ")" * 30_000)

    def test_long_operator_chains(self) -> None:
        self.survives("x = np.ones(3)" + " + 1" * 100_000)
        self.survives("x = " + "not " * 100_000 + "np")
        self.survives("x = " + "-" * 100_000 + "1")
        self.survives("x = " + "lambda: " * 10_000 + "1")
        self.survives("x = " + "1 if np else " * 30_000 + "1")
        self.survives("x = np < " + "1 < " * 50_000 + "1")

    def test_deep_blocks(self) -> None:
        self.survives("\n".join(" " * depth + "if np:" for depth in range(1_500)) + "\n" + " " * 1_500 + "pass")
        self.survives("\n".join(" " * depth + f"def f{depth}():" for depth in range(800)) + "\n" + " " * 800 + "pass")
        self.survives("if np:\n    pass\n" + "elif np:\n    pass\n" * 30_000)

    def test_endless_line(self) -> None:
        self.survives("x = np.array([" + "1, " * 300_000 + "])")
        self.survives("x = '" + "a" * 5_000_000 + "'")
        self.survives("x = 1; " * 100_000)

    def test_many_variables_in_a_loop(self) -> None:
        body = "".join(f"    v{i} = v{i - 1 if i else 999} + 1\n" for i in range(1000))
        self.survives("v999 = np.ones(3)\nfor i in range(10):\n" + body)

    def test_chains_of_arrays_and_types(self) -> None:
        head = "def f(a: np.ndarray, k: np.ndarray):\n"
        self.survives(head + "    k = a[k]\n" * 50_000 + "    for v in k:\n        print(v)")
        self.survives("def f(a: '" + "Optional[" * 400_000 + "np.ndarray" + "]" * 400_000 + "'):\n    return a.sum()")
        self.survives("def f(a: '" + "None | " * 400_000 + "np.ndarray'):\n    return a.sum()")


class Pipes(harness.ProgramTest):
    def test_variables_that_functions_swap(self) -> None:
        """Each of them may be each of the others, on ways whose number grows without bound."""
        self.write("a.py", """import numpy as np


def ordered(a, b, c, mode):
    if to_swap(mode, a, b):
        a, b, c = b, c, a
    elif to_swap(mode, b, c):
        a, b, c = c, a, b
    return a, b, c, mode


def by_transform(a, b, c, axes):
    if not len(axes):
        return a * b + c


def convolve(a, b, c, mode):
    a, b, c, axes = ordered(a, b, c, mode)
    return by_transform(a, b, c, axes)


def by_pieces(a, b, c, mode):
    a, b, c = np.asarray(a), np.asarray(b), np.asarray(c)
    a, b, c, axes = ordered(a, b, c, mode)
    if same_steps:
        return convolve(a, b, c, mode)
""")
        self.assertIn("1 file analysed", self.run_program("check", "--isolated", "a.py").stdout)

    def test_closed_output_pipe_is_no_crash(self) -> None:
        for name in range(40):
            self.write(f"f{name}.py", ELEMENT_LOOP * 30)
        for output_format in ("text", "json"):
            command = [common.program(), "check", "--isolated", "--output-format", output_format, "."]
            with subprocess.Popen(
                command, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8"
            ) as process:
                assert process.stdout and process.stderr
                process.stdout.close()
                errors = process.stderr.read()
                process.wait(60)
            self.assertNotRegex(errors, "(?i)internal error|terminate|Sanitizer")
            self.assertGreaterEqual(process.returncode, -13, errors)  # SIGPIPE is how other programs end here

    @unittest.skipUnless(os.path.exists("/dev/full"), "this system has no /dev/full")
    def test_full_disk_is_told(self) -> None:
        self.write("a.py", ELEMENT_LOOP)
        with open("/dev/full", "w") as full:
            done = subprocess.run(
                [common.program(), "check", "--isolated", "--output-format", "json", "a.py"],
                cwd=self.folder, stdout=full, stderr=subprocess.PIPE, encoding="utf-8", timeout=60,
            )
        self.assertEqual(done.returncode, TROUBLE)
        self.assertNotEqual(done.stderr, "")

    def test_standard_input(self) -> None:
        document = self.check("-", "--stdin-filename", "editor/buffer.py", code=FINDINGS, input=ELEMENT_LOOP)
        self.assertEqual(document["findings"][0]["path"], "editor/buffer.py")
        self.assertEqual(self.check("-", code=OK, input=CLEAN)["findings"], [])
        self.assertEqual(self.check("-", code=OK, input="")["findings"], [])


if __name__ == "__main__":
    harness.main()
