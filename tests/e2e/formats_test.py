"""The output formats: one place for one finding in all of them, nothing that a path or a word of the user's could break,
and several of them from one run."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import unittest
from pathlib import Path
from typing import Any

import harness
from harness import FINDINGS, OK
from notebook_test import code, notebook

import format_checks  # found by harness's path
import places

FORMATS = [name for name in format_checks.CHECKS]

STATEMENT = "y = np.std(np.ones(9))"
WORDS = "np.std"  # what the finding R112 marks
PREFIXES = ("", "x = 'é'; ", "x = '日本語'; ", "x = '😀👩\u200d🔬'; ", "x = '\t';\t", "x = 'e\u0301'; ", "if 1: x = '\\\\'; ")


class FormatTest(harness.ProgramTest):
    def setUp(self) -> None:
        super().setUp()
        for name in ("CI_PROJECT_DIR", "GITHUB_WORKSPACE", "BUILD_SOURCESDIRECTORY"):
            self.environment.pop(name, None)

    def outputs(self, *args: str, code: int | None = None, cwd: Path | None = None, valid: bool = True) -> dict[str, str]:
        """What one run writes in each format; each is validated."""
        folder = self.folder / "outputs"
        folder.mkdir(exist_ok=True)
        words = [word for name in FORMATS for word in ("--output", f"{name}:{folder / name}")]
        done = self.run_program("check", "--isolated", "--no-cache", *words, *args, cwd=cwd or self.folder)
        if code is not None:
            self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        texts = {name: (folder / name).read_bytes().decode("utf-8") for name in FORMATS}
        shutil.rmtree(folder)
        for name, text in texts.items():
            if valid:
                self.assertEqual(format_checks.errors(name, text, self.folder), [], name)
        return texts


class Places(FormatTest):
    def check_places(self, name: str, data: bytes, formats: list[str]) -> dict[str, str]:
        self.write(name, data)
        lines = data.removeprefix(b"\xef\xbb\xbf").split(b"\n")
        texts = self.outputs("--select", "R112", name, code=FINDINGS)
        found = {f: places.places(f, texts[f], self.folder) for f in formats}
        self.assertEqual([len(there) for there in found.values()], [1] * len(found), found)
        first = found[formats[0]][0]
        self.assertEqual(lines[first.line - 1][first.begin : first.end].decode(), WORDS)
        for output_format in formats:
            other = found[output_format][0]
            self.assertEqual(other[:5], first[:5], output_format)
            self.assertIn(other.end, (first.end, None), output_format)
        return texts

    def test_programs(self) -> None:
        for prefix in PREFIXES:
            for mark, line_end in ((b"", "\n"), (b"\xef\xbb\xbf", "\r\n")):
                for first in ("import numpy as np\n\n", "import numpy as np; "):
                    if first.endswith("; ") and prefix.startswith("if"):
                        continue
                    text = (first + prefix + STATEMENT + "\n").replace("\n", line_end)
                    with self.subTest(text=text, mark=mark):
                        self.check_places("a.py", mark + text.encode(), FORMATS)

    def test_tabs_as_indentation(self) -> None:
        text = "import numpy as np\ndef f():\n\tif 1:\n\t\t'é'; " + STATEMENT + "\n"
        self.check_places("a.py", text.encode(), FORMATS)

    def test_notebooks(self) -> None:
        """Sites get lines of the JSON, people the cell; all mean the same words."""
        magic = '!echo "a" "\tb" \'c\' "d" "e" "f" "g" "h" "i"\n'
        for prefix in PREFIXES:
            for how in ({}, {"ensure_ascii": False}, {"indent": None}, {"indent": None, "ensure_ascii": False}):
                cells = ("import numpy as np\ns = '😀 é'\n", "# é\n" + magic + prefix + STATEMENT + "\n")
                with self.subTest(prefix=prefix, how=how):
                    texts = self.check_places("a.ipynb", notebook(*cells, **how).encode(), list(places.OF_THE_FILE))
                    finding = json.loads(texts["json"])["findings"][0]
                    self.assertEqual(list(places.disagreements({f: texts[f] for f in places.LISTING}, self.folder)), [])
                    start, end = finding["start"], finding["end"]
                    self.assertEqual((finding["cell"], start["line"], end["line"]), (2, 3, 3))
                    line = cells[1].split("\n")[2]
                    self.assertEqual(line[start["column"] - 1 : end["column"] - 1], WORDS)
                    place = f"a.ipynb:cell 2:3:{start['column']}"
                    self.assertTrue(texts["concise"].startswith(place + ": R112 "), texts["concise"])
                    self.assertIn(f"`{place}`", texts["markdown"])
                    for name in ("gitlab", "sarif", "rdjson", "azure"):
                        self.assertIn("(cell 2, line 3)", texts[name], name)

    def test_several_lines(self) -> None:
        """A region of several lines: columns only where they mean something, the last line in GitLab's range."""
        text = "import numpy as np\ny = np.empty(\n    (9, 9),\n    dtype=object)\n"
        self.write("a.py", text)
        texts = self.outputs("--select", "R107", "a.py", code=FINDINGS)
        finding = json.loads(texts["json"])["findings"][0]
        first, last = finding["start"]["line"], finding["end"]["line"]
        self.assertGreater(last, first)
        command = format_checks.parse_github(texts["github"])[0]
        self.assertEqual((int(command["line"]), int(command["endLine"]), command.get("col")), (first, last, None))
        self.assertEqual(json.loads(texts["gitlab"])[0]["location"]["lines"], {"begin": first, "end": last})
        region = json.loads(texts["sarif"])["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"]
        self.assertEqual((region["startLine"], region["endLine"]), (first, last))


class Hostile(FormatTest):
    NAMES = (
        b"a,b.py", b"50%41.py", b"a:b;c.py", b"a]]>b.py", b"\"q\"'.py", b"<b>&amp;.py", b"`a|b`.py", b"[x](y).py", b"#@x.py",
        b"line\nend.py", b"bell\x07\x1b[31m.py", b"caf\xe9.py", "\u202egnp.py".encode(), "日本 é😀.py".encode(),
    )

    def test_paths(self) -> None:
        for name in self.NAMES:
            path = os.fsencode(self.folder) + b"/" + name
            with open(path, "wb") as file:
                file.write(harness.ELEMENT_LOOP.encode())
        texts = self.outputs(".", code=FINDINGS)
        shown = {name.decode("utf-8", "replace") for name in self.NAMES}
        self.assertEqual({f["path"] for f in json.loads(texts["json"])["findings"]}, shown)
        self.assertEqual({f["location"]["path"] for f in json.loads(texts["gitlab"])}, shown)
        self.assertEqual({d["location"]["path"] for d in json.loads(texts["rdjson"])["diagnostics"]}, shown)
        pictures = {code: 0x2400 + code for code in range(32)} | {0x202E: 0xFFFD}
        printable = {name.translate(pictures) for name in shown}
        self.assertEqual({c["sourcepath"] for c in format_checks.parse_azure(texts["azure"])}, printable)
        annotated = [c["file"] for c in format_checks.parse_github(texts["github"]) if "file" in c]
        self.assertEqual((len(annotated), set(annotated) - printable), (10, set()))
        results = json.loads(texts["sarif"])["runs"][0]["results"]
        uris = {r["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for r in results}
        self.assertEqual({format_checks.urllib.parse.unquote_to_bytes(uri) for uri in uris}, set(self.NAMES))
        self.assertTrue(all("primaryLocationLineHash" in r["partialFingerprints"] for r in results))
        self.assertEqual(texts["junit"].count("<testsuite "), len(self.NAMES))
        self.assertEqual(texts["markdown"].count("\n| error | R101 |"), len(self.NAMES))

    def test_words(self) -> None:
        """Messages quote the source, about forty characters of it."""
        for inside in ("]]> %0A%25 ,:;", "| <b>&amp; `` #1", "[x](1) @me \\ ::", "\x1b[31m \u202e \x7f", "##vso[x]::error::"):
            self.write("a.py", f"import numpy as np\ny = np.empty(f('{inside}'), dtype=object)\n")
            with self.subTest(inside):
                texts = self.outputs("--select", "R107", "a.py", code=FINDINGS)
                message = json.loads(texts["json"])["findings"][0]["message"]
                self.assertIn(inside, message)
                self.assertIn(message, json.loads(texts["rdjson"])["diagnostics"][0]["message"])
                sarif = json.loads(texts["sarif"])["runs"][0]["results"][0]["message"]["text"]
                self.assertIn(message.replace("](", "\\]("), sarif)
                clean = message.replace("\x1b", "\u241b").replace("\u202e", "\ufffd").replace("\x7f", "\u2421")
                self.assertIn(clean, format_checks.parse_github(texts["github"])[0]["message"])
                self.assertIn(clean, format_checks.parse_azure(texts["azure"])[0]["message"])
                self.assertIn(clean, json.loads(texts["gitlab"])[0]["description"])

    def test_source_that_is_no_utf_8(self) -> None:
        self.write("a.py", b"import numpy as np\nx = '\xff'; y = np.std(np.ones(9))\n")
        texts = self.outputs("--select", "R112", "a.py", code=FINDINGS)
        prints = json.loads(texts["sarif"])["runs"][0]["results"][0]["partialFingerprints"]
        self.assertEqual(list(prints), ["cpnlint/v1"])

    def test_standard_input(self) -> None:
        for name in ("x.py", "x y%.ipynb"):
            text = harness.ELEMENT_LOOP if name.endswith(".py") else notebook(code(harness.ELEMENT_LOOP))
            folder = self.folder / "out"
            folder.mkdir(exist_ok=True)
            words = [word for f in FORMATS for word in ("--output", f"{f}:{folder / f}")]
            self.run_program("check", "--isolated", "--stdin-filename", name, *words, "-", input=text)
            for f in FORMATS:
                self.assertEqual(format_checks.errors(f, (folder / f).read_text(), self.folder), [], f)


class Repository(FormatTest):
    def paths(self, folder: str, **environment: str) -> dict[str, str]:
        self.write("repo/sub/a.py", harness.ELEMENT_LOOP)
        self.environment |= environment
        texts = self.outputs("a.py", cwd=self.folder / folder, valid=False)
        for name in environment:
            del self.environment[name]
        result = json.loads(texts["sarif"])["runs"][0]["results"][0]
        return {
            "sarif": result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"],
            "github": format_checks.parse_github(texts["github"])[0]["file"],
            "gitlab": json.loads(texts["gitlab"])[0]["location"]["path"],
            "azure": format_checks.parse_azure(texts["azure"])[0]["sourcepath"],
            "json": json.loads(texts["json"])["findings"][0]["path"],
            "rdjson": json.loads(texts["rdjson"])["diagnostics"][0]["location"]["path"],
        }

    def test_sites_get_paths_from_the_root_of_the_repository(self) -> None:
        (self.folder / "repo" / ".git").mkdir(parents=True)
        found = self.paths("repo/sub")
        for name in ("sarif", "github", "gitlab", "azure"):
            self.assertEqual(found[name], "sub/a.py", name)
        for name in ("json", "rdjson"):
            self.assertEqual(found[name], "a.py", name)

    def test_a_fingerprint_is_the_same_from_every_folder(self) -> None:
        (self.folder / "repo" / ".git").mkdir(parents=True)
        self.write("repo/sub/a.py", harness.ELEMENT_LOOP)
        self.write("repo/other/b.txt", "")
        prints = {}
        for folder, name in (("", "sub/a.py"), ("", "."), ("sub", "a.py"), ("sub", "../sub/a.py"), ("other", "../sub/a.py"), ("other", str(self.folder / "repo" / "sub" / "a.py"))):  # fmt: skip
            texts = self.outputs(name, cwd=self.folder / "repo" / folder, valid=False)
            (finding,) = json.loads(texts["json"])["findings"]
            (result,) = json.loads(texts["sarif"])["runs"][0]["results"]
            (issue,) = json.loads(texts["gitlab"])
            prints[folder, name] = (finding["fingerprint"], result["partialFingerprints"]["cpnlint/v1"], issue["fingerprint"])  # fmt: skip
        self.assertEqual(len(set(prints.values())), 1, prints)
        self.write("repo/other/a.py", harness.ELEMENT_LOOP)
        texts = self.outputs("a.py", cwd=self.folder / "repo" / "other", valid=False)
        self.assertNotIn(json.loads(texts["json"])["findings"][0]["fingerprint"], next(iter(prints.values())))

    def test_files_outside_of_the_folder_are_called_what_the_user_calls_them(self) -> None:
        main = "import numpy as np\nfrom lib import half\n\nhalf(np.ones(1000))\n"
        self.write("repo/a.py", main)
        self.write("repo/lib.py", "import numpy as np\n\n\ndef half(u):\n    return u[::2]\n")
        self.write("repo/sub/deep/c.py", harness.CLEAN)
        inner = self.folder / "repo" / "sub"
        absolute = str(self.folder / "repo" / "lib.py")
        for given, shown in (
            (("../lib.py", "../a.py"), "../lib.py"),
            (("..",), "../lib.py"),
            (("../../repo",), "../lib.py"),
            ((absolute, str(self.folder / "repo" / "a.py")), absolute),
            (("../sub/deep/c.py", absolute, "../a.py"), "../lib.py"),
        ):
            texts = self.outputs(*given, cwd=inner, valid=False)
            self.assertEqual([f["path"] for f in json.loads(texts["json"])["findings"]], [shown], given)
            self.assertIn(f"{shown}:5:", texts["concise"])
            self.assertEqual(json.loads(texts["rdjson"])["diagnostics"][0]["location"]["path"], shown)
            self.assertIn("../lib.py", texts["github"])

    def test_ci_systems_name_their_checkout(self) -> None:
        for variable in ("CI_PROJECT_DIR", "GITHUB_WORKSPACE", "BUILD_SOURCESDIRECTORY"):
            self.assertEqual(self.paths("repo/sub", **{variable: str(self.folder / "repo")})["gitlab"], "sub/a.py")
            self.assertEqual(self.paths("repo/sub", **{variable: str(self.folder / "elsewhere")})["gitlab"], "a.py")
        # A submodule is a repository of its own; GitLab counts from the checkout all the same.
        (self.folder / "repo" / "sub" / ".git").mkdir()
        self.assertEqual(self.paths("repo/sub", CI_PROJECT_DIR=str(self.folder / "repo"))["gitlab"], "sub/a.py")
        self.assertEqual(self.paths("repo/sub", GITHUB_WORKSPACE=str(self.folder / "repo"))["github"], "a.py")


class Several(FormatTest):
    def test_formats_follow_one_another_on_standard_output(self) -> None:
        self.write("a.py", harness.ELEMENT_LOOP)
        parts = [self.run_program("check", "--isolated", "--output-format", f, "a.py").stdout for f in ("concise", "github")]
        both = self.run_program("check", "--isolated", "--output-format", "concise,github", "a.py").stdout
        self.assertEqual(both, "".join(parts))

    def test_files_and_standard_output_say_the_same(self) -> None:
        self.write("a.py", harness.ELEMENT_LOOP)
        texts = self.outputs("a.py")
        for name in FORMATS:
            done = self.run_program("check", "--isolated", "--output-format", name, "a.py")
            self.assertEqual((done.returncode, done.stdout), (FINDINGS, texts[name]), name)

    def test_none_is_written_where_one_cannot_be(self) -> None:
        self.write("a.py", harness.ELEMENT_LOOP)
        self.write("old.json", "old")
        done = self.run_program("check", "--output", "json:old.json", "--output", "sarif:nowhere/x.sarif", "a.py")
        self.assert_trouble(done, "nowhere/x.sarif")
        self.assertEqual((self.folder / "old.json").read_text(), "old")
        self.assertEqual(sorted(p.name for p in self.folder.iterdir()), ["a.py", "old.json"])

    def test_slips_are_told(self) -> None:
        self.write("a.py")
        both = ("--output", "json:x", "--output", "sarif:./x")
        self.assert_trouble(self.run_program("check", *both, "a.py"), "`./x`", "json", "sarif")
        self.assert_trouble(self.run_program("check", "--output", "sarif:-", "a.py"), "--output-format sarif")
        self.assert_trouble(self.run_program("check", "--output", "serif:x", "a.py"), "serif")
        self.assert_trouble(self.run_program("check", "--output", "sarif", "a.py"), "FORMAT:FILE")
        devices = ("--output", "github:/dev/stdout", "--output", "azure:/dev/stdout")
        self.assertEqual(self.run_program("check", *devices, "a.py").returncode, OK)

    def test_further_places_are_told_wherever_a_message_is_all_that_is_shown(self) -> None:
        self.write("a.py", harness.strided("b = a[::2]", "c = 1", "d = a[::2]", "e = a[::2]"))
        texts = self.outputs("a.py")
        (finding,) = map(json.loads, texts["jsonl"].splitlines())
        self.assertEqual([place["start"]["line"] for place in finding["also"]], [8, 9])
        for name in ("text", "concise", "github", "gitlab", "junit", "azure", "markdown", "sarif", "rdjson", "rdjsonl"):
            self.assertIn("lines 8, 9", texts[name], name)

    def test_cost_and_cure_are_told_everywhere(self) -> None:
        self.write("a.py", harness.ELEMENT_LOOP + "\n\ndouble(10**6)\n")
        texts = self.outputs("a.py")
        for name in ("text", "github", "gitlab", "junit", "azure", "markdown", "sarif", "rdjson", "rdjsonl"):
            self.assertIn("RR-loop", texts[name], name)
            self.assertRegex(texts[name], r"write .{0,2}a\[:\] = 2\.0 \* a.{0,2} instead of the loop", name)
            self.assertRegex(texts[name], r"per pass, \d+", name)
        (result,) = json.loads(texts["sarif"])["runs"][0]["results"]
        self.assertRegex(result["message"]["markdown"], r"\n\n\*\*help:\*\* RR-loop")
        self.assertEqual(set(result["properties"]["cost"]["gainIfFixed"]), {"low", "mid", "high"})
        self.assertIn("\ncost: ", result["message"]["text"])

    def test_no_finding(self) -> None:
        self.write("a.py")
        texts = self.outputs("a.py", code=OK)
        self.assertEqual((texts["github"], texts["azure"], texts["jsonl"], texts["rdjsonl"]), ("", "", "", ""))
        self.assertEqual(json.loads(texts["gitlab"]), [])
        self.assertEqual(json.loads(texts["sarif"])["runs"][0]["results"], [])
        self.assertIn("No errors found", texts["junit"])


class Checks(FormatTest):
    """The checks themselves: what is wrong in one way is found."""

    def broken(self, name: str, text: str) -> None:
        self.assertNotEqual(format_checks.errors(name, text, self.folder), [], f"{name}: {text[:200]}")

    def test_sarif(self) -> None:
        self.write("a.py", harness.ELEMENT_LOOP)
        sound = self.outputs("a.py")["sarif"]

        def result(document: dict[str, Any]) -> dict[str, Any]:
            return document["runs"][0]["results"][0]

        def rule(document: dict[str, Any]) -> dict[str, Any]:
            return document["runs"][0]["tool"]["driver"]["rules"][0]

        def place(document: dict[str, Any]) -> dict[str, Any]:
            return result(document)["locations"][0]["physicalLocation"]

        changes = [
            lambda d: d.pop("$schema"),
            lambda d: d["runs"][0].pop("columnKind"),
            lambda d: d["runs"][0].update(automationDetails={"id": "x/"}),
            lambda d: d["runs"][0]["results"].extend([result(d)] * 5000),
            lambda d: d["runs"][0]["results"].insert(0, {**result(d), "level": "note"}),
            lambda d: rule(d).update(id=d["runs"][0]["tool"]["driver"]["rules"][1]["id"]),
            lambda d: rule(d)["fullDescription"].update(text="x" * 1025),
            lambda d: rule(d).pop("help"),
            lambda d: rule(d)["properties"].update({"problem.severity": "note"}),
            lambda d: rule(d)["properties"].update({"security-severity": "5"}),
            lambda d: rule(d)["properties"].update({"precision": "great"}),
            lambda d: result(d).update(locations=[]),
            lambda d: result(d).update(ruleIndex=1),
            lambda d: result(d)["message"].update(text="no stop"),
            lambda d: result(d)["message"].update(text="a [link](77)."),
            lambda d: result(d)["partialFingerprints"].update(primaryLocationLineHash="1:1"),
            lambda d: result(d)["partialFingerprints"].pop("primaryLocationLineHash"),
            lambda d: place(d)["artifactLocation"].update(uri="file:///a.py"),
            lambda d: place(d)["artifactLocation"].update(uri="a b.py"),
            lambda d: place(d)["artifactLocation"].pop("uriBaseId"),
            lambda d: place(d)["region"].pop("startLine"),
            lambda d: place(d)["region"].update(endLine=1),
            lambda d: place(d)["contextRegion"].update(startLine=1, endLine=1),
            lambda d: result(d)["codeFlows"][0]["threadFlows"][0].update(locations=[{"index": 0}]),
        ]
        for number, change in enumerate(changes):
            document = json.loads(sound)
            change(document)
            with self.subTest(number):
                self.broken("sarif", json.dumps(document))

    def test_same_places(self) -> None:
        self.write("a.py", "x = 'é'\n" + harness.ELEMENT_LOOP + harness.JOIN_IN_LOOP.replace("collect", "again"))
        sound = {name: text for name, text in self.outputs("a.py").items() if name in places.LISTING}
        self.assertEqual(list(places.disagreements(sound, self.folder)), [])
        changes = {
            "sarif": ('"startLine":7', '"startLine":8'), "gitlab": ('"R101"', '"R102"'), "rdjsonl": ('"column":5', '"column":6'),
            "azure": ("linenumber=7", "linenumber=6"), "junit": ('line="7"', 'line="8"'), "concise": ("a.py:7:5: R101", "a.py:7:5: x"),
            "jsonl": ('"column":5', '"column":4'), "text": ("a.py:7:5\n", "a.py:7:6\n"),
        }  # fmt: skip
        for name, (old, new) in changes.items():
            self.assertIn(old, sound[name], name)
            broken = sound | {name: sound[name].replace(old, new, 1)}
            self.assertNotEqual(list(places.disagreements(broken, self.folder)), [], name)

    def test_others(self) -> None:
        self.write("a.py", harness.ELEMENT_LOOP + harness.JOIN_IN_LOOP.replace("collect", "again"))
        sound = self.outputs("a.py")
        issues = json.loads(sound["gitlab"])
        self.assertGreater(len(issues), 1)
        self.broken("gitlab", json.dumps([{**issue, "fingerprint": "x"} for issue in issues]))
        for change in ({"severity": "bad"}, {"description": "no rule"}, {"location": {"path": "./a.py", "lines": {"begin": 1, "end": 1}}}):
            self.broken("gitlab", json.dumps([{**issues[0], **change}]))
        self.broken("rdjson", sound["rdjson"].replace('"ERROR"', '"BAD"'))
        self.broken("rdjson", sound["rdjson"].replace('"column":', '"column":0,"was":'))
        self.broken("rdjsonl", sound["rdjsonl"].replace('"ERROR"', '"BAD"'))
        self.broken("jsonl", sound["jsonl"].replace('"rule"', '"rulez"'))
        self.broken("junit", sound["junit"].replace('failures="2"', 'failures="3"'))
        self.broken("junit", sound["junit"].replace("<failure ", "<failed ").replace("</failure>", "</failed>"))
        self.broken("junit", sound["junit"].replace("loop over", "loop & over"))
        self.broken("github", sound["github"] * 11)
        self.broken("github", sound["github"].replace("endLine=", "endLine=9"))
        self.broken("azure", sound["azure"].replace("type=error", "type=fatal"))
        self.broken("markdown", sound["markdown"].replace("| error |", "| error | more |"))
        self.broken("text", sound["text"] + "\x1b[31m")


class Completions(FormatTest):
    def test_bash_offers_the_formats_of_each_command(self) -> None:
        script = self.run_program("completions", "bash").stdout
        for command, expected in (("check", "rdjsonl"), ("predict", "svg"), ("report", "markdown")):
            line = f"COMP_WORDS=(cpnlint {command} --output-format x); COMP_CWORD=3; COMP_WORDS[3]=''; _cpnlint; echo ${{COMPREPLY[@]}}"
            done = subprocess.run(["bash", "-c", script + "\n" + line], capture_output=True, encoding="utf-8")
            self.assertIn(expected, done.stdout.split(), done.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=0)
