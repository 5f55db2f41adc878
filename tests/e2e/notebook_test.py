"""Notebooks as users have them: places in cells, odd files, streams, and files changed at random."""

from __future__ import annotations

import json
import random
from typing import Any

import harness
from harness import FINDINGS, OK, TROUBLE

LOOP = "for i in range(n):\n    a[i] = 2 * a[i]\n"
START = "import numpy as np\nn = 1_000_000\na = np.ones(n)\n"


def code(source: str | list[str], **more: Any) -> dict[str, Any]:
    return {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [], "source": source, **more}


def markdown(source: str) -> dict[str, Any]:
    return {"cell_type": "markdown", "metadata": {}, "source": source}


def notebook(*cells: dict[str, Any] | str, language: str = "python", **how: Any) -> str:
    how.setdefault("indent", 1)
    document = {
        "cells": [code(cell.splitlines(keepends=True)) if isinstance(cell, str) else cell for cell in cells],
        "metadata": {"kernelspec": {"language": language, "name": language}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(document, **how)


class Places(harness.ProgramTest):
    def found(self, text: str) -> dict[str, Any]:
        self.write("n.ipynb", text)
        document = self.check("n.ipynb", code=FINDINGS)
        self.assertEqual(self.rules_found(document), ["R101"])
        return document["findings"][0]

    def test_places_count_within_code_cells(self) -> None:
        finding = self.found(notebook(markdown("# Title"), START, markdown("text"), "", "b = 1\n" + LOOP))
        self.assertEqual((finding["cell"], finding["start"]), (3, {"line": 2, "column": 1}))
        created = finding["related"][0]
        self.assertEqual((created["cell"], created["start"]), (1, {"line": 3, "column": 5}))

    def test_inspect_counts_within_the_cell(self) -> None:
        self.write("n.ipynb", notebook(markdown("# Title"), START, "    b = 1\n    b = a * 2"))
        facts = self.run_program("inspect", "facts", "n.ipynb").stdout
        self.assertIn("cell 1:3: a = f64[1000000]\n", facts)
        self.assertIn("cell 2:2: b = f64[1000000]\n", facts)
        self.assertIn("cell 2:2: * [elementwise]", self.run_program("inspect", "work", "n.ipynb").stdout)
        known = json.loads(self.run_program("inspect", "facts", "n.ipynb", "--output-format", "json").stdout)
        self.assertEqual((known[-1]["cell"], known[-1]["line"], known[-1]["byte_column"]), (2, 2, 5))

    def test_other_languages_are_the_reason(self) -> None:
        self.write("a.ipynb", notebook("x <- 1\n", language="R"))
        text = self.run_program("--isolated", "a.ipynb").stdout
        self.assertIn("0 files analysed, 1 not in Python skipped\nThis notebook is not in Python, so", text)
        self.write("b.py", "print(1)\n")
        text = self.run_program("--isolated", "a.ipynb", "b.py").stdout
        self.assertIn("0 files analysed, 1 without arrays skipped, 1 not in Python skipped\nNo array library", text)
        self.assertEqual(self.check("a.ipynb")["files"]["skipped"], 1)

    def test_indented_cells_keep_their_columns(self) -> None:
        indented = "".join(f"    {line}\n" for line in LOOP.splitlines())
        finding = self.found(notebook(START, indented))
        self.assertEqual((finding["cell"], finding["start"]), (2, {"line": 1, "column": 5}))
        text = self.run_program("check", "n.ipynb").stdout
        self.assertIn("\n1 |     for i in range(n):\n  |     ^^^^", text)

    def test_sarif_points_into_the_json(self) -> None:
        for how in ({"indent": 1}, {"indent": None}, {"indent": None, "ensure_ascii": False}):
            text = notebook(START, "s = 'é\\t\"😀'\nif n:\n\tfor i in range(n):\n\t\ta[i] = 2 * a[i]\n", **how)
            self.write("n.ipynb", text)
            done = self.run_program("check", "--isolated", "--output-format", "sarif", "n.ipynb")
            result = json.loads(done.stdout)["runs"][0]["results"][0]
            region = result["locations"][0]["physicalLocation"]["region"]
            line = text.split("\n")[region["startLine"] - 1]
            units = line.encode("utf-16-le")
            begin, end = region["startColumn"] - 1, region["endColumn"] - 1
            self.assertEqual(region["startLine"], region["endLine"])
            self.assertEqual(units[2 * begin : 2 * end].decode("utf-16-le"), "for i in range(n)", how)
            self.assertEqual(result["properties"]["cell"], 2)
            self.assertIn("(cell 2, line 3)", result["message"]["text"])

    def test_text_and_concise_name_the_cell(self) -> None:
        self.write("n.ipynb", notebook(START, "%matplotlib inline\n" + LOOP))
        concise = self.run_program("check", "--output-format", "concise", "n.ipynb").stdout
        self.assertTrue(concise.startswith("n.ipynb:cell 2:2:1: R101 "), concise)
        text = self.run_program("check", "n.ipynb").stdout
        self.assertRegex(text.split("\n")[0], r" n\.ipynb:cell 2:2:1$")
        self.assertIn("  ::: cell 1\n3 | a = np.ones(n)\n", text)
        self.assertIn("  ::: cell 2\n2 | for i in range(n):\n", text)

    def test_frames_show_the_cell_as_written(self) -> None:
        self.write("n.ipynb", notebook(START, "%time total = np.std(a)\n"))
        text = self.run_program("check", "n.ipynb").stdout
        self.assertIn("\n1 | %time total = np.std(a)\n  |               ^^^^^^ raises AttributeError\n", text)

    def test_frames_never_cross_cells(self) -> None:
        self.write("n.ipynb", notebook(START, "last_of_two = 2\n", "for i in range(n): a[i] = 2 * a[i]", "first_of_four = 4"))
        text = self.run_program("check", "n.ipynb").stdout
        self.assertNotIn("last_of_two", text)
        self.assertNotIn("first_of_four", text)

    def test_inspect_why_takes_a_cell(self) -> None:
        self.write("n.ipynb", notebook(START, LOOP))
        done = self.run_program("inspect", "why", "n.ipynb:cell 2:1", "R101")
        self.assertEqual(done.returncode, OK, done.stderr)
        self.assertIn("reported: error", done.stdout)
        self.assert_trouble(self.run_program("inspect", "why", "n.ipynb:cell 2:9", "R101"), "n.ipynb", "cell 2")
        self.assert_trouble(self.run_program("inspect", "why", "n.ipynb:cell 7:1", "R101"), "n.ipynb", "cell 7")

    def test_moving_code_to_another_cell_keeps_the_fingerprint(self) -> None:
        one = self.found(notebook(START + LOOP))
        two = self.found(notebook(START, "b = 1", LOOP))
        self.assertEqual(one["fingerprint"], two["fingerprint"])


class Files(harness.ProgramTest):
    def test_notebooks_are_found_in_folders(self) -> None:
        self.write("a/n.ipynb", notebook(START, LOOP))
        self.write("a/.ipynb_checkpoints/n-checkpoint.ipynb", notebook(START, LOOP))
        self.write("a/test_n.ipynb", notebook(START, LOOP))
        document = self.check(".", code=FINDINGS)
        self.assertEqual([f["path"] for f in document["findings"]], ["a/n.ipynb"])
        self.assertEqual(document["files"]["found"], 1)
        shown = self.run_program("check", "--show-files", ".").stdout
        self.assertEqual(shown, "a/n.ipynb\n")

    def test_standard_input(self) -> None:
        text = notebook(START, LOOP)
        document = self.check("--stdin-filename", "x.ipynb", "-", code=FINDINGS, input=text)
        self.assertEqual((document["findings"][0]["path"], document["findings"][0]["cell"]), ("x.ipynb", 2))

    def test_what_is_no_notebook_is_a_note(self) -> None:
        pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n"
        for content, words in (
            ("{", "malformed JSON"),
            (notebook(START, LOOP)[:-20], "malformed JSON"),
            (pointer, "git lfs pull"),
            ("{}", "no cells"),
            ("import numpy as np\n", "malformed JSON"),
            (notebook(START, LOOP).replace(" \"cells\"", "<<<<<<< HEAD\n \"cells\""), "merge conflict"),
        ):
            self.write("n.ipynb", content)
            document = self.check("n.ipynb", code=TROUBLE)
            self.assertEqual(self.note_kinds(document), ["skipped"], content)
            self.assertIn(words, document["notes"][0]["message"])
            self.write("good.py")
            self.check("n.ipynb", "good.py", code=OK)

    def test_nothing_to_find(self) -> None:
        for content in ("", notebook(), notebook(markdown("import numpy")), notebook(code([])), notebook("")):
            self.write("n.ipynb", content)
            document = self.check("n.ipynb", code=OK)
            self.assertEqual(document["files"]["skipped"], 1)

    def test_other_languages_are_not_analysed(self) -> None:
        for language in ("julia", "R", "bash"):
            self.write("n.ipynb", notebook(START, LOOP, language=language))
            document = self.check("n.ipynb", code=OK)
            self.assertEqual(self.note_kinds(document), ["not-analysed"])
            self.assertIn(language, document["notes"][0]["message"])

    def test_format_3(self) -> None:
        cells = [
            {"cell_type": "heading", "level": 1, "source": ["Title"]},
            {"cell_type": "code", "input": START.splitlines(keepends=True), "language": "python", "outputs": []},
            {"cell_type": "code", "input": LOOP, "language": "python", "outputs": [], "prompt_number": 2},
        ]
        document = {"metadata": {"name": ""}, "nbformat": 3, "worksheets": [{"cells": cells, "metadata": {}}]}
        self.write("n.ipynb", json.dumps(document))
        found = self.check("n.ipynb", code=FINDINGS)["findings"]
        self.assertEqual([(f["rule"], f["cell"]) for f in found], [("R101", 2)])

    def test_byte_order_mark_and_crlf(self) -> None:
        text = notebook(START.replace("\n", "\r\n"), LOOP.replace("\n", "\r\n")).replace("\n", "\r\n")
        self.write("n.ipynb", b"\xef\xbb\xbf" + text.encode())
        found = self.check("n.ipynb", code=FINDINGS)["findings"]
        self.assertEqual([(f["rule"], f["cell"], f["start"]["line"]) for f in found], [("R101", 2, 1)])

    def test_large_outputs_do_not_count(self) -> None:
        picture = {"output_type": "display_data", "data": {"image/png": "iVBORw0KGgo" * 2_000_000}, "metadata": {}}
        self.write("n.ipynb", notebook(code(START, outputs=[picture, {"value": float("nan")}]), LOOP))
        document = self.check("n.ipynb", code=FINDINGS)
        self.assertEqual(self.rules_found(document), ["R101"])
        self.assertEqual(document["findings"][0]["cell"], 2)

    def test_a_syntax_error_is_told_with_its_cell(self) -> None:
        self.write("n.ipynb", notebook(START, "x = [1, 2", LOOP, "def f(:\n    pass\n"))
        document = self.check("n.ipynb", code=FINDINGS)
        self.assertEqual(self.rules_found(document), ["R101"])
        notes = [(note["kind"], note["cell"], note["start"]["line"]) for note in document["notes"]]
        self.assertEqual(notes, [("syntax-error", 2, 1), ("syntax-error", 4, 1)])
        text = self.run_program("check", "n.ipynb").stdout
        self.assertIn("n.ipynb:cell 2:1:5: note: `[` is never closed", text)

    def test_python_2(self) -> None:
        self.write("n.ipynb", notebook("import numpy as np\n", "print np.pi\n"))
        document = self.check("n.ipynb", code=TROUBLE)
        note = document["notes"][0]
        self.assertEqual((note["kind"], note["cell"], note["start"]["line"]), ("not-python3", 2, 1))
        self.assertNotIn("in line", note["message"])

    def test_pragmas(self) -> None:
        self.write("n.ipynb", notebook(START, "# cpnlint: ignore-file[R101] a lecture\n", LOOP))
        self.assertEqual(self.check("n.ipynb", code=OK)["findings"], [])
        self.write("n.ipynb", notebook(START, "b = 2\n# cpnlint: ignore[R101] not the next cell\n", LOOP))
        document = self.check("n.ipynb", code=FINDINGS)
        self.assertEqual(self.note_kinds(document), ["unused-ignore"])
        self.assertEqual(document["notes"][0]["cell"], 2)


class Anything(harness.ProgramTest):
    def test_changed_at_random(self) -> None:
        """Whatever happens to the bytes of a notebook, the program ends in order and its JSON is valid."""
        rng = random.Random(26)
        whole = notebook(START, "%time f(a)\n" + LOOP, "%%timeit\n" + LOOP, 's = "é😀"\n!ls\nx = !ls\n  \ty?\n').encode()
        pieces = [b'"', b"\\", b"{", b"]", b"\n", b"%%", b"\\u0", b"\xff", b"\x00", b"'''", b"\\n", b":", b",", b"("]
        for number in range(120):
            data = bytearray(whole)
            for _ in range(rng.randint(1, 6)):
                at = rng.randrange(len(data))
                match rng.randrange(3):
                    case 0:
                        data[at : at + rng.randint(0, 30)] = b""
                    case 1:
                        data[at:at] = rng.choice(pieces)
                    case 2:
                        data[at : at + 1] = rng.choice(pieces)
            self.write(f"{number:03}.ipynb", bytes(data))
        self.write("good.py")
        self.check(".")


if __name__ == "__main__":
    harness.main()
