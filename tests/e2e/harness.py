"""What the end-to-end tests share: a folder of their own, files in it, and the program run there as a user runs it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
sys.dont_write_bytecode = True

import common  # noqa: E402  (found by the path above)
import json_schema  # noqa: E402

OK, FINDINGS, TROUBLE = 0, 1, 2
KEPT = ("CPNLINT_VERIFY", "CPNLINT_NO_CACHE")  # of the variables of whoever runs the tests

# One error (R101), one warning (R203), one info (R303), nothing: each alone in its file.
ELEMENT_LOOP = """\
import numpy as np


def double(n):
    a = np.ones(n)
    for i in range(n):
        a[i] = 2.0 * a[i]
    return a
"""
JOIN_IN_LOOP = """\
import numpy as np


def collect(steps, n):
    rows = np.zeros((0, n))
    row = np.ones((1, n))
    for step in range(steps):
        rows = np.vstack([rows, row])
    return rows
"""
FFT = """\
import numpy as np

spectrum = np.fft.fft(np.ones(1_000_000))
"""
CLEAN = """\
import numpy as np

total = np.sum(np.ones(1_000_000))
"""

# Each `a[::2]` is a finding (R106) of its own line, wherever it stands.
STRIDED = """\
import numpy as np


def f(n, g):
    a = np.ones(n)
{body}
    return a
"""


def strided(*lines: str) -> str:
    return STRIDED.format(body="\n".join("    " + line for line in lines))


def cells(*sources: str, as_text: bool = False) -> str:
    """A notebook of code cells, as Jupyter writes it."""
    made = [
        {
            "cell_type": "code",
            "execution_count": None,
            "metadata": {},
            "outputs": [],
            "source": source if as_text else source.splitlines(keepends=True),
        }
        for source in sources
    ]
    metadata = {"language_info": {"name": "python"}}
    document = {"cells": made, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def code_of(notebook: Path) -> list[str]:
    return ["".join(cell["source"]) for cell in json.loads(notebook.read_text())["cells"]]


class ProgramTest(unittest.TestCase):
    """Each test starts in an empty folder; `run` calls the program there, with no setting of the user's in reach."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name).resolve()
        colours = ("NO_COLOR", "FORCE_COLOR", "CLICOLOR", "CLICOLOR_FORCE")
        self.environment = {
            name: value
            for name, value in os.environ.items()
            if name not in colours and (not name.startswith("CPNLINT_") or name in KEPT)
        }
        self.environment["XDG_CONFIG_HOME"] = str(self.folder / ".no-settings")

    def write(self, name: str, content: str | bytes = CLEAN) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    def run_program(self, *args: str, **options: Any) -> subprocess.CompletedProcess[str]:
        options.setdefault("cwd", self.folder)
        options.setdefault("env", self.environment)
        done = common.run(*args, **options)
        # A signal gives a negative code, a sanitizer's report another one: neither is ever right.
        self.assertIn(done.returncode, (OK, FINDINGS, TROUBLE), f"{args}\n{done.stderr}")
        self.assertNotRegex(done.stderr, r"(?i)internal error|terminate called|Sanitizer|runtime error:")
        return done

    def check(self, *args: str, code: int | None = None, **options: Any) -> dict[str, Any]:
        """The JSON document of a check, validated; asserts the exit code where one is given."""
        done = self.run_program("check", "--isolated", "--no-cache", "--output-format", "json", *args, **options)
        if code is not None:
            self.assertEqual(done.returncode, code, f"{args}\n{done.stdout}{done.stderr}")
        document = json.loads(done.stdout)
        self.assertEqual(json_schema.json_errors(document), [])
        return document

    def rules_found(self, document: dict[str, Any]) -> list[str]:
        return [finding["rule"] for finding in document["findings"]]

    def note_kinds(self, document: dict[str, Any]) -> list[str]:
        return [note["kind"] for note in document["notes"]]

    def mount(self, folder: Path, *options: str) -> None:
        folder.mkdir(exist_ok=True)
        done = subprocess.run(["mount", "-t", "tmpfs", *options, "tmpfs", folder], capture_output=True, text=True)
        if done.returncode != 0:
            self.skipTest(f"a file system cannot be mounted here: {done.stderr.strip()}")
        self.addCleanup(subprocess.run, ["umount", folder], check=True)

    def assert_trouble(self, done: subprocess.CompletedProcess[str], *words: str) -> None:
        """Exit code 2, and a message on standard error that has these words in it."""
        self.assertEqual(done.returncode, TROUBLE, done.stdout + done.stderr)
        for word in words:
            self.assertIn(word, done.stderr)


def main() -> None:
    unittest.main(verbosity=0)
