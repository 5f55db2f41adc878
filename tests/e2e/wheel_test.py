"""The wheel and the source package: built, looked into, installed in clean environments, run.

Building takes minutes, so all of it runs only where CPNLINT_SLOW_TESTS is set; CPNLINT_DIST names a folder with both,
already built by python/make_wheel.py. What needs no wheel is tested always.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest
import venv
import zipfile
from pathlib import Path

import harness
from ci_test import VERSION, write_wheel
from harness import common

sys.path.insert(0, str(common.ROOT / "python"))
import make_wheel  # noqa: E402

SLOW = os.environ.get("CPNLINT_SLOW_TESTS") or os.environ.get("CPNLINT_DIST")


def make_environment(folder: Path) -> Path:
    venv.create(folder, with_pip=True, symlinks=True)
    return folder / "bin"


def said(*words: str | Path, **options: object) -> str:
    done = subprocess.run(words, capture_output=True, encoding="utf-8", **options)  # type: ignore[call-overload]
    if done.returncode != 0:
        raise AssertionError(f"{words} ended with {done.returncode}: {done.stdout}{done.stderr}")
    return done.stdout


class Package(harness.ProgramTest):
    """The Python side, with a program in the wheel's place that starts the one under test."""

    def setUp(self) -> None:
        super().setUp()
        write_wheel(self.folder / "wheels")
        [self.wheel] = (self.folder / "wheels").glob("*.whl")
        with zipfile.ZipFile(self.wheel, "a") as archive:
            for name in ("__init__.py", "__main__.py"):
                archive.write(common.ROOT / "python" / "cpnlint" / name, f"cpnlint/{name}")

    def runs(self, python: Path, **environment: str) -> None:
        env = {**os.environ, **environment}
        self.assertEqual(said(python, "-m", "cpnlint", "--version", env=env), f"cpnlint {VERSION}\n")
        found = said(python, "-c", "import cpnlint; print(cpnlint.find_cpnlint_bin())", env=env).strip()
        self.assertTrue(os.access(found, os.X_OK), found)
        done = subprocess.run([python, "-m", "cpnlint", "nowhere.py"], env=env, capture_output=True)
        self.assertEqual(done.returncode, 2)

    def test_environment_target_and_prefix(self) -> None:
        bin_folder = make_environment(self.folder / "env")
        pip = (bin_folder / "pip", "install", "-q", "--disable-pip-version-check", "--no-index", "--no-deps")
        python = bin_folder / "python"
        target, prefix = self.folder / "target", self.folder / "prefix"
        said(*pip, "--target", target, self.wheel)
        self.runs(python, PYTHONPATH=str(target))
        said(*pip, "--prefix", prefix, self.wheel)
        [packages] = prefix.glob("lib/python*/site-packages")
        self.runs(python, PYTHONPATH=str(packages))
        said(*pip, self.wheel)
        self.runs(python)
        (bin_folder / "cpnlint").unlink()
        done = subprocess.run([python, "-m", "cpnlint"], capture_output=True, encoding="utf-8")
        self.assertEqual(done.returncode, 1)
        self.assertIn("reinstall cpnlint", done.stderr)
        self.assertNotIn("Traceback", done.stderr)


class Manual(harness.ProgramTest):
    def test_every_command_and_option_is_in_it(self) -> None:
        page = self.run_program("manual").stdout.replace("\\-", "-")
        for command in ("check", "report", "predict", "explain", "completions"):
            self.assertIn(f"\\fB{command}\\fR", page)
            for option in re.findall(r"--[a-z][a-z-]+", self.run_program(command, "--help").stdout):
                if option != "--help":
                    self.assertIn(option, page, f"of {command}")

    @unittest.skipUnless(shutil.which("groff"), "without groff")
    def test_it_is_sound(self) -> None:
        page = self.run_program("manual").stdout
        done = subprocess.run(
            ["groff", "-man", "-Tutf8", "-ww", "-K", "utf8", "-P", "-cbou"], input=page, capture_output=True, encoding="utf-8"
        )
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("EXIT STATUS", done.stdout)


@unittest.skipUnless(SLOW, "builds cpnlint; CPNLINT_SLOW_TESTS=1 runs it")
class Wheel(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.temporary.cleanup)
        cls.folder = Path(cls.temporary.name)
        dist = Path(os.environ.get("CPNLINT_DIST", cls.folder / "dist"))
        if not dist.is_dir():
            tools = make_environment(cls.folder / "tools")
            said(tools / "pip", "install", "-q", "--disable-pip-version-check", "build", "wheel")
            said(tools / "python", common.ROOT / "python" / "make_wheel.py", dist)
        [cls.wheel] = dist.glob("*.whl")
        [cls.sources] = dist.glob("*.tar.gz")
        cls.bin = make_environment(cls.folder / "env")
        said(cls.bin / "pip", "install", "-q", "--disable-pip-version-check", "--no-index", cls.wheel)

    def test_what_the_wheel_is(self) -> None:
        pattern = r"cpnlint-[0-9.]+-py3-none-manylinux2014_(\w+)\.manylinux_2_17_\1\.musllinux_1_2_\1\.whl"
        self.assertRegex(self.wheel.name, pattern)
        self.assertLessEqual(self.wheel.stat().st_size, make_wheel.LARGEST)
        self.assertTrue(make_wheel.is_static(make_wheel.program_of(self.wheel)))
        with zipfile.ZipFile(self.wheel) as archive:
            modules = [name for name in archive.namelist() if name.startswith("cpnlint/")]
        self.assertEqual(sorted(modules), ["cpnlint/__init__.py", "cpnlint/__main__.py"])

    def test_it_runs_in_a_clean_environment(self) -> None:
        nothing = {"PATH": "/usr/bin:/bin", "HOME": str(self.folder)}
        for command in ((self.bin / "cpnlint",), (self.bin / "python", "-m", "cpnlint")):
            self.assertEqual(said(*command, "--version", env=nothing), f"cpnlint {VERSION}\n")
        (self.folder / "a.py").write_text(harness.ELEMENT_LOOP)
        done = subprocess.run([self.bin / "cpnlint", "a.py"], cwd=self.folder, env=nothing, capture_output=True, encoding="utf-8")
        self.assertEqual(done.returncode, harness.FINDINGS, done.stderr)
        self.assertIn("R101", done.stdout)

    def test_manual_and_completions_are_installed(self) -> None:
        share = self.bin.parent / "share"
        for name in (
            "man/man1/cpnlint.1", "bash-completion/completions/cpnlint", "zsh/site-functions/_cpnlint",
            "fish/vendor_completions.d/cpnlint.fish",
        ):  # fmt: skip
            self.assertIn("cpnlint", (share / name).read_text(), name)

    def test_encodings_without_tables(self) -> None:
        """A static program has no tables of encodings; it says what it could not read, or reads the rest."""
        for name, code in (("koi8-r", harness.FINDINGS), ("euc-jp", harness.FINDINGS), ("gbk", harness.TROUBLE)):
            text = f"# -*- coding: {name} -*-\ns = 'x'\n{harness.ELEMENT_LOOP}".encode().replace(b"'x'", b"'\xb0\xa1'")
            (self.folder / "coded.py").write_bytes(text)
            done = subprocess.run([self.bin / "cpnlint", "coded.py"], cwd=self.folder, capture_output=True, encoding="utf-8")
            self.assertEqual(done.returncode, code, done.stdout + done.stderr)
            self.assertIn("(encoding)", done.stdout)

    def test_the_source_package_has_what_a_build_needs_and_no_more(self) -> None:
        with tarfile.open(self.sources) as archive:
            names = [name.split("/", 1)[1] for name in archive.getnames() if "/" in name]
        for needed in ("CMakeLists.txt", "LICENSE", "README.md", "cli/main.cpp", "third_party/scanner.patch", "python/cpnlint/__init__.py"):
            self.assertIn(needed, names)
        self.assertEqual([name for name in names if name.startswith(("tests/", "docs/", ".ci/", "build/"))], [])


if __name__ == "__main__":
    harness.main()
