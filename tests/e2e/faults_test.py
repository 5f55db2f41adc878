"""What can go wrong around a run: sizes, other processes, the system. CPNLINT_SLOW_TESTS=1 adds what takes long."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import time
import unittest

import harness
from harness import ELEMENT_LOOP, FINDINGS, OK, common

SLOW = unittest.skipUnless(os.environ.get("CPNLINT_SLOW_TESTS") == "1", "slow; CPNLINT_SLOW_TESTS=1 runs it")


class Faults(harness.ProgramTest):
    def setUp(self) -> None:
        super().setUp()
        self.environment.pop("CPNLINT_NO_CACHE", None)

    def measured(self, *arguments: str) -> tuple[subprocess.CompletedProcess[str], float, float]:
        """A run, its wall time in seconds, and the most memory in MiB that any run so far has taken."""
        start = time.monotonic()
        done = self.run_program("check", "--isolated", *arguments, timeout=600)
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
        return done, time.monotonic() - start, peak

    def test_notebook_of_200_megabytes(self) -> None:
        """Refused by its size; the file is a hole, and no test waits for a disk."""
        self.write("small.py", ELEMENT_LOOP)
        for name in ("large.ipynb", "large.py"):
            with open(self.folder / name, "wb") as file:
                file.truncate(200_000_000)
        for _ in range(2):  # the second run knows them from the cache
            done, seconds, peak = self.measured("--output-format", "json", ".")
            document = json.loads(done.stdout)
            self.assertEqual(done.returncode, FINDINGS)
            self.assertEqual(self.note_kinds(document), ["too-large", "too-large"])
            self.assertIn("200.0 MB are too much for a notebook", document["notes"][0]["message"])
            self.assertLess(seconds, 20)
            self.assertLess(peak, 300)
        self.assert_trouble(self.measured("large.ipynb")[0], "none of the files could be analysed")

    @SLOW
    def test_notebook_within_its_limit(self) -> None:
        """Pictures in outputs make notebooks large; 95 MB of one are read, and its code analysed."""
        picture = {"data": {"image/png": "A" * 95_000_000}, "metadata": {}, "output_type": "display_data"}
        cell = {"cell_type": "code", "execution_count": 1, "metadata": {}, "outputs": [picture],
                "source": ELEMENT_LOOP.splitlines(keepends=True)}  # fmt: skip
        self.write("large.ipynb", json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}))
        for _ in range(2):
            done, seconds, peak = self.measured("--output-format", "json", "large.ipynb")
            self.assertEqual(self.rules_found(json.loads(done.stdout)), ["R101"])
            self.assertLess(seconds, 30)
            self.assertLess(peak, 500)

    @SLOW
    def test_ten_thousand_files(self) -> None:
        for i in range(10_000):
            self.write(f"d{i % 100}/f{i}.py", ELEMENT_LOOP if i % 10 == 0 else f"print({i})\n")
        cold, cold_seconds, peak = self.measured("--output-format", "json")
        warm, warm_seconds, _ = self.measured("--output-format", "json")
        time.sleep(3.2)
        self.measured("--output-format", "json")
        warm, warm_seconds, _ = self.measured("--output-format", "json")
        self.assertEqual(cold.stdout, warm.stdout)
        document = json.loads(cold.stdout)
        self.assertEqual(document["files"]["found"], 10_000)
        self.assertEqual(len(document["findings"]), 1000)
        print(f"\n10,000 files: cold {cold_seconds:.2f} s, warm {warm_seconds:.2f} s, peak {peak:.0f} MiB")
        self.assertLess(warm_seconds, cold_seconds)
        self.assertLess(peak, 500)

    def test_output_to_a_closed_pipe(self) -> None:
        for i in range(200):
            self.write(f"f{i}.py", ELEMENT_LOOP)
        command = [common.program(), "check", "--isolated", "--output", "json:out.json"]
        for _ in range(2):
            process = subprocess.Popen(
                command, cwd=self.folder, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE
            )
            assert process.stdout is not None and process.stderr is not None
            process.stdout.read(10)
            process.stdout.close()
            self.assertEqual(process.stderr.read(), b"")
            process.stderr.close()
            self.assertEqual(process.wait(timeout=60), FINDINGS)
            self.assertEqual(len(json.loads((self.folder / "out.json").read_text())["findings"]), 200)

    def test_files_change_while_they_are_read(self) -> None:
        """Whatever a run saw, the next one sees what is there."""
        texts = [ELEMENT_LOOP.replace("2.0", f"{i}.0") for i in range(2)]
        for i in range(60):
            self.write(f"f{i}.py", ELEMENT_LOOP)
        command = [common.program(), "check", "--isolated", "--output-format", "json"]
        for turn in range(6):
            process = subprocess.Popen(command, cwd=self.folder, env=self.environment, stdout=subprocess.DEVNULL)
            while process.poll() is None:
                for i in range(0, 60, 7):
                    self.write(f"f{i}.py", texts[turn % 2] if i % 2 else "x = 1\n")
            process.wait()
            got = self.run_program("check", "--isolated", "--output-format", "json")
            wanted = self.run_program("check", "--isolated", "--output-format", "json", "--no-cache")
            self.assertEqual(got.stdout, wanted.stdout)

    def test_few_files_may_be_open(self) -> None:
        for i in range(50):
            self.write(f"d{i}/f{i}.py", ELEMENT_LOOP)

        def limit() -> None:
            resource.setrlimit(resource.RLIMIT_NOFILE, (16, 16))

        wanted = self.run_program("check", "--isolated", "--no-cache")
        for _ in range(2):
            self.assertEqual(self.run_program("check", "--isolated", preexec_fn=limit).stdout, wanted.stdout)

    def test_first_run_in_a_folder_without_python(self) -> None:
        done = self.run_program()
        self.assert_trouble(done, "no Python file", "the current folder", "cpnlint src/")
        self.assertEqual(list(self.folder.iterdir()), [], "a run that finds nothing leaves nothing")

    def test_an_empty_program_is_fine(self) -> None:
        self.write("a.py", "")
        self.assertEqual(self.run_program("check", "--isolated").returncode, OK)


if __name__ == "__main__":
    harness.main()
