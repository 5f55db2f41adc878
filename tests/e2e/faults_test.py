"""What can go wrong around a run: sizes, other processes, the system. CPNLINT_SLOW_TESTS=1 adds what takes long."""

from __future__ import annotations

import json
import os
import random
import resource
import shutil
import subprocess
import sys
import time
import unittest
from pathlib import Path

import harness
from harness import ELEMENT_LOOP, FINDINGS, OK, common, strided

SLOW_TESTS = os.environ.get("CPNLINT_SLOW_TESTS") == "1"
SLOW = unittest.skipUnless(SLOW_TESTS, "slow; CPNLINT_SLOW_TESTS=1 runs it")


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

    # --- outputs that are whole or not there ---

    def torn(self, process: subprocess.Popen[bytes], whole: dict[Path, set[bytes]], until: bool = True) -> list[str]:
        """What somebody who reads these files all the time sees of them that is neither old nor new. `until`: the
        process is waited for; else it is killed as soon as a file of another name lies beside them."""
        found: set[str] = set()
        folder = next(iter(whole)).parent
        names = {path.name for path in folder.iterdir()} | {path.name for path in whole}
        running = True
        while running:
            running = process.poll() is None  # looked at once more afterwards
            if not until and {path.name for path in folder.iterdir()} - names:
                process.kill()
            for path, contents in whole.items():
                if path.exists() and path.read_bytes() not in contents:
                    found.add(path.name)
        process.wait()
        return sorted(found)

    def start(self, *command: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            command, cwd=self.folder, env=self.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )

    def test_outputs_are_never_seen_half_written(self) -> None:
        for i in range(150):
            self.write(f"src/f{i}.py", ELEMENT_LOOP)
        formats = ("json", "sarif", "html", "junit")
        outputs = [self.folder / "out" / name for name in formats]
        (self.folder / "out").mkdir()
        command = [common.program(), "check", "--isolated", "--no-cache", "src"]
        for name, path in zip(formats, outputs):
            command += ["--output", f"{name}:{path}"]
        self.start(*command).wait()
        new = {path: path.read_bytes() for path in outputs}
        for _ in range(3):
            for path in outputs:
                path.write_bytes(b"old")
            self.assertEqual(self.torn(self.start(*command), {path: {b"old", new[path]} for path in outputs}), [])
            self.assertEqual({path: path.read_bytes() for path in outputs}, new)
        for _ in range(20 if SLOW_TESTS else 5):  # killed while it writes
            for path in outputs:
                path.write_bytes(b"old")
            torn = self.torn(self.start(*command), {path: {b"old", new[path]} for path in outputs}, until=False)
            self.assertEqual(torn, [])
            for path in (self.folder / "out").iterdir():
                if path not in outputs:
                    path.unlink()

    def test_who_writes_into_the_file_itself_is_seen(self) -> None:
        """That the test above can fail."""
        script = "import time\nfor i in range(200):\n    open('out.json', 'w' if i == 0 else 'a').write('x' * 50)\n    time.sleep(0.002)\n"
        path = self.write("out.json", "old")
        process = self.start(sys.executable, "-c", script)
        self.assertEqual(self.torn(process, {path: {b"old", b"x" * 10_000}}), ["out.json"])

    def test_killed_while_it_changes_what_it_was_given(self) -> None:
        """Sources that --fix and --add-ignores rewrite, a baseline, a ratchet: old or new, each by itself."""
        sources = {f"src/f{i}.py": ELEMENT_LOOP + f"\nx = {i}  # cpnlint: ignore[R104] nothing\n" for i in range(40)}
        chance = random.Random(7)

        def begin_anew() -> None:
            for path in (*self.folder.glob("*.json*"), *(self.folder / "src").glob("*.cpnlint-*")):
                path.unlink()
            for name, text in sources.items():
                self.write(name, text)

        commands = (
            ("--fix",), ("--add-ignores", "why not"), ("--write-baseline", "base.json"), ("--config", 'ratchet="ratchet.json"', "--prune"),
        )  # fmt: skip
        for options in commands:
            command = [common.program(), "check", "--isolated", "--no-cache", *options, "src"]
            begin_anew()
            started = time.monotonic()
            self.start(*command).wait()
            takes = time.monotonic() - started
            written = [path for path in (*self.folder.glob("*.json"), *(self.folder / "src").iterdir()) if path.is_file()]
            new = {path: path.read_bytes() for path in written}
            for _ in range(25 if SLOW_TESTS else 4):
                begin_anew()
                process = self.start(*command)
                time.sleep(chance.random() * takes)
                process.kill()
                process.wait()
                for path, content in new.items():
                    old = sources.get(f"src/{path.name}", "").encode()
                    if path.exists():
                        self.assertIn(path.read_bytes(), (content, old) if old else (content,), f"{options}: {path.name}")
            begin_anew()
            self.start(*command).wait()
            self.assertEqual({path: path.read_bytes() for path in written}, new, "the next run is right")

    def test_outputs_and_sources_on_a_full_disk(self) -> None:
        disk = self.folder / "disk"
        self.mount(disk, "-o", "size=64k")
        source = ELEMENT_LOOP + "\nx = 1  # cpnlint: ignore[R104] nothing\n"
        kept = {"a.py": source, "out.json": "old", "base.json": '{"kind": "baseline"}'}
        for name, text in kept.items():
            (disk / name).write_text(text)
        with open(disk / "filling", "wb", buffering=0) as file, self.assertRaises(OSError):
            while True:
                file.write(bytes(1024))
        sarif = self.folder / "fits.sarif"
        cases = (
            ("--output", f"sarif:{sarif}", "--output", "json:disk/out.json"), ("--fix",), ("--add-ignores", "why not"),
            ("--write-baseline", "disk/base.json"),
        )  # fmt: skip
        for options in cases:
            done = self.run_program("check", "--isolated", "--no-cache", *options, "disk")
            self.assert_trouble(done, "disk/", "No space left on device")
            self.assertEqual({name: (disk / name).read_text() for name in kept}, kept, options)
            self.assertEqual(sorted(path.name for path in disk.iterdir()), ["a.py", "base.json", "filling", "out.json"])
        self.assertFalse(sarif.exists(), "all outputs or none")

    def test_standard_output_on_a_full_disk(self) -> None:
        self.write("a.py", ELEMENT_LOOP)
        words = ("sh", "-c", 'exec "$@" > /dev/full', "sh", common.program(), "check", "--isolated", "a.py")
        done = subprocess.run(words, cwd=self.folder, env=self.environment, capture_output=True, text=True)
        self.assert_trouble(done, "cannot write to standard output", "No space left on device")

    def test_sources_that_may_only_be_read(self) -> None:
        tree = self.folder / "tree"
        self.mount(tree)
        (tree / "a.py").write_text(ELEMENT_LOOP + "\nx = 1  # cpnlint: ignore[R104] nothing\n")
        (tree / "b.py").write_text(strided("b = a[::2]"))
        subprocess.run(["mount", "-o", "remount,ro", tree], check=True)
        self.assertEqual(self.run_program("check", "--isolated", cwd=tree).returncode, FINDINGS)
        for options in (("--fix",), ("--add-ignores", "x"), ("--write-baseline", "base.json"), ("--output", "json:out.json")):
            done = self.run_program("check", "--isolated", *options, cwd=tree)
            self.assert_trouble(done, "cannot write", "Read-only file system")

    def test_two_runs_write_the_same_outputs(self) -> None:
        for i in range(20):
            self.write(f"src/f{i}.py", ELEMENT_LOOP)
        command = [common.program(), "check", "--isolated", "--output", "json:out.json", "--output", "sarif:out.sarif", "src"]
        self.start(*command).wait()
        whole = {self.folder / name: (self.folder / name).read_bytes() for name in ("out.json", "out.sarif")}
        for _ in range(5):
            shutil.rmtree(self.folder / ".cpnlint_cache", ignore_errors=True)
            runs = [self.start(*command) for _ in range(6)]
            self.assertEqual([run.wait() for run in runs], [FINDINGS] * 6)
            self.assertEqual({path: path.read_bytes() for path in whole}, whole)
            self.assertEqual(sorted(path.name for path in self.folder.glob("out*")), ["out.json", "out.sarif"])

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
