"""What a run would write: never over a source, and never found out after minutes of analysis."""

from __future__ import annotations

import os
from pathlib import Path

import harness
from harness import CLEAN, ELEMENT_LOOP, FINDINGS, OK, TROUBLE, cells


class Targets(harness.ProgramTest):
    def setUp(self) -> None:
        super().setUp()
        self.write("src/a.py", ELEMENT_LOOP)
        self.write("src/n.ipynb", cells("import numpy as np"))
        self.write("notes.txt", ELEMENT_LOOP)
        self.write("other.json", '{"mine": 1}')

    def contents(self) -> dict[Path, bytes]:
        return {path: path.read_bytes() for path in self.folder.rglob("*") if path.is_file()}

    def refused(self, *words: str, option: str, why: str) -> None:
        before = self.contents()
        done = self.run_program("check", "--isolated", "--no-cache", *words)
        self.assert_trouble(done, option, why)
        self.assertEqual(done.stdout, "")
        self.assertEqual(self.contents(), before, words)

    def test_sources_are_never_written_over(self) -> None:
        (self.folder / "link.json").symlink_to("src/a.py")
        for name in ("src/a.py", "src/n.ipynb", "./src/../src/a.py", "link.json", "src/new.py"):
            why = "would be lost" if (self.folder / name).exists() else "the next run would read"
            self.refused("--output", f"json:{name}", "src", option="--output", why=why)
            self.refused("--write-baseline", name, "src", option="--write-baseline", why=why)
            done = self.run_program("calibrate", "--quick", "--no-runtime", "--output", name)
            self.assert_trouble(done, "--output", why)
        self.refused("--output", "json:notes.txt", "notes.txt", option="--output", why="one of the files to be analysed")
        self.refused("--write-baseline", "notes.txt", "notes.txt", option="--write-baseline", why="to be analysed")

    def test_a_baseline_takes_the_place_of_a_baseline_alone(self) -> None:
        self.refused("--write-baseline", "other.json", "src", option="--write-baseline", why="is no baseline of cpnlint")
        self.write("ratchet.json", '{"kind": "ratchet"}')
        self.refused("--write-baseline", "ratchet.json", "src", option="--write-baseline", why="is no baseline")
        for old in ("", "\n", None):
            if old is not None:
                self.write("base.json", old)
            self.assertEqual(self.run_program("--isolated", "--write-baseline", "base.json", "src").returncode, OK)
            self.assertEqual(self.run_program("--isolated", "--baseline", "base.json", "src").returncode, OK)
        whole = (self.folder / "base.json").read_text()
        for broken in (whole[: len(whole) // 2], whole.replace('"entries"', '<<<<<<< ours\n"entries"')):
            self.write("base.json", broken)
            self.assertEqual(self.run_program("--isolated", "--baseline", "base.json", "src").returncode, TROUBLE)
            self.assertEqual(self.run_program("--isolated", "--write-baseline", "base.json", "src").returncode, OK)
            self.assertEqual((self.folder / "base.json").read_text(), whole)

    def test_one_file_has_one_use(self) -> None:
        self.refused("--output", "json:o.json", "--output", "sarif:./o.json", "src", option="--output", why="is named for json and for sarif")
        self.refused("--output", "json:o.json", "--write-baseline", "o.json", "src", option="--write-baseline", why="is named for json and for the baseline")
        self.assertEqual(self.run_program("--isolated", "--write-baseline", "base.json", "src").returncode, OK)
        lost = "is read by this run and would be lost"
        self.refused("--output", "json:base.json", "--baseline", "base.json", "src", option="--output", why=lost)
        self.write("cpnlint.toml", 'baseline = "base.json"\n')
        for name in ("base.json", "cpnlint.toml"):
            before = self.contents()
            self.assert_trouble(self.run_program("--output", f"json:{name}", "src"), name, lost)
            self.assertEqual(self.contents(), before)
        done = self.run_program("--isolated", "--output", "json:/dev/null", "--output", "sarif:/dev/null", "src")
        self.assertEqual(done.returncode, FINDINGS, done.stderr)

    def test_settings_are_never_written_over(self) -> None:
        for name in (".gitignore", "src/pyproject.toml", "cpnlint.toml", "any.toml", "setup.cfg"):
            self.refused("--output", f"json:{name}", "src", option="--output", why="configuration file, which the next")
            self.write(name, "")
            self.refused("--output", f"json:{name}", "src", option="--output", why="configuration file, which would be")
            self.refused("--write-baseline", name, "src", option="--write-baseline", why="would be lost")
        self.write("args.txt", "src\n")
        self.refused("--output", "json:args.txt", "@args.txt", option="--output", why="holds arguments of this run")

    def test_a_baseline_goes_into_a_pipe(self) -> None:
        done = self.run_program("--isolated", "--no-cache", "-q", "--write-baseline", "/dev/stdout", "src", timeout=20)
        self.assertEqual((done.returncode, done.stderr), (OK, ""))
        self.assertTrue(done.stdout.startswith('{\n  "schema_version": 1,\n  "kind": "baseline"'), done.stdout)
        done = self.run_program("--isolated", "--no-cache", "--write-baseline", "/dev/null", "src")
        self.assertEqual(done.returncode, OK, done.stderr)
        self.assertIn("Not shown: 1 finding of the baseline /dev/null", done.stdout)

    def test_places_that_cannot_be_written_are_told_before_the_analysis(self) -> None:
        broken = "src/broken.py"  # what the analysis would complain of
        self.write(broken, CLEAN)
        (self.folder / broken).chmod(0)
        for name, why in (("src", "is a folder"), ("nowhere/out.json", "there is no folder `nowhere`"), ("other.json/out.json", "there is no folder `other.json`")):
            self.refused_alone("--output", f"json:{name}", why)
            self.refused_alone("--write-baseline", name, why)
        if os.geteuid() == 0:
            return
        self.write("kept/out.json", "old")
        (self.folder / "kept").chmod(0o555)
        self.addCleanup((self.folder / "kept").chmod, 0o755)
        self.refused_alone("--output", "json:kept/out.json", "Permission denied")

    def refused_alone(self, option: str, value: str, why: str) -> None:
        done = self.run_program("check", "--isolated", "--no-cache", option, value, "src")
        self.assert_trouble(done, option, why)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)


if __name__ == "__main__":
    harness.main()
