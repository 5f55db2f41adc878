"""--watch: the same run again whenever something changes that it depends on."""

from __future__ import annotations

import os
import queue
import shutil
import signal
import subprocess
import threading
import time

import harness
from harness import CLEAN, ELEMENT_LOOP, FFT, JOIN_IN_LOOP, common

PATIENCE = 30.0  # seconds; a busy machine takes its time


class Watch(harness.ProgramTest):
    def start(self, *arguments: str, isolated: bool = True, **options: object) -> None:
        command = [common.program(), "check", "--watch", "--output-format", "concise", *arguments]
        if isolated:
            command.append("--isolated")
        options.setdefault("cwd", self.folder)
        self.process = subprocess.Popen(
            command, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options
        )
        self.addCleanup(self.stop)
        self.lines: queue.Queue[str] = queue.Queue()
        streams = (self.process.stdout, self.process.stderr)
        self.readers = [threading.Thread(target=self.read, args=(stream,), daemon=True) for stream in streams]
        for reader in self.readers:
            reader.start()

    def read(self, stream: object) -> None:
        for line in stream:  # type: ignore[attr-defined]
            self.lines.put(line.rstrip("\n"))

    def stop(self) -> None:
        process, readers = self.process, self.readers
        process.kill()
        process.wait()
        for stream, reader in zip((process.stdout, process.stderr), readers):
            reader.join()
            stream.close()  # a second time does nothing

    def run_seen(self, end: float) -> str:
        """What comes until the watcher says that it waits."""
        seen = []
        while time.monotonic() < end:
            try:
                line = self.lines.get(timeout=0.2)
            except queue.Empty:
                self.assertIsNone(self.process.poll(), seen)
                continue
            if "watching" in line:
                # Standard output and standard error are two streams; what belongs to the run is on its way.
                time.sleep(0.1)
                while not self.lines.empty():
                    seen.append(self.lines.get())
                return "\n".join(seen)
            seen.append(line)
        self.fail(f"the watcher does not wait again: {seen}")

    def nothing_happens(self) -> None:
        time.sleep(0.7)
        self.assertTrue(self.lines.empty(), list(self.lines.queue))

    def expect(self, *rules: str, words: str = "") -> None:
        """Waits for the run that finds these, and no others; one that saw a file half-way through may come before it."""
        end = time.monotonic() + PATIENCE
        runs = []
        while time.monotonic() < end:
            seen = self.run_seen(end)
            runs.append(seen)
            if words in seen and all((rule in seen) == (rule in rules) for rule in ("R101", "R203", "R303")):
                return
        self.fail(f"not found: {rules} {words}: {runs}")

    def test_files_change_come_and_go(self) -> None:
        self.write("src/a.py", ELEMENT_LOOP)
        self.start("src")
        self.expect("R101")
        self.write("src/a.py", JOIN_IN_LOOP)
        self.expect("R203", words="`src/a.py` changed")
        self.write("src/b.py", ELEMENT_LOOP)
        self.expect("R101", "R203")
        (self.folder / "src" / "a.py").unlink()
        self.expect("R101")
        self.write("src/deep/er/c.py", FFT)
        self.expect("R101", "R303")
        self.write("src/deep/er/c.py", CLEAN)
        self.expect("R101")
        self.write("src/deep/notes.txt", "nothing that matters")
        self.nothing_happens()

    def test_saved_as_editors_do(self) -> None:
        self.write("a.py", ELEMENT_LOOP)
        self.start()
        self.expect("R101")
        for text, rule in ((JOIN_IN_LOOP, "R203"), (ELEMENT_LOOP, "R101"), (FFT, "R303")):
            self.write("a.py~", text)
            os.replace(self.folder / "a.py~", self.folder / "a.py")
            self.expect(rule)
        (self.folder / "a.py").rename(self.folder / "a.py.bak")
        self.write("a.py", JOIN_IN_LOOP)
        (self.folder / "a.py.bak").unlink()
        self.expect("R203")

    def test_a_folder_goes_and_comes_again(self) -> None:
        self.write("src/a.py", ELEMENT_LOOP)
        self.start("src")
        self.expect("R101")
        shutil.rmtree(self.folder / "src")
        self.expect(words="no such file or folder")
        self.write("src/a.py", JOIN_IN_LOOP)
        self.expect("R203")
        self.write("src/a.py", ELEMENT_LOOP)
        self.expect("R101")

    def test_configuration(self) -> None:
        self.write("a.py", ELEMENT_LOOP)
        self.start()
        self.expect("R101")
        self.write("pyproject.toml", "[project]\n")
        self.expect("R101", words="pyproject.toml` changed")
        self.write(".gitignore", "a.py\n")
        self.expect(words="no Python file")

    def test_what_is_configured(self) -> None:
        self.write("cpnlint.toml", 'ignore = ["R101"]\n')
        self.write("src/a.py", ELEMENT_LOOP)
        self.start("src", isolated=False)
        self.expect()
        self.write("cpnlint.toml", "jobs = true\n")
        self.expect(words="cpnlint.toml")
        self.write("cpnlint.toml", "")
        self.expect("R101")
        self.write("cpnlint.toml", "include-tests = true\n")
        self.expect("R101")
        self.write("src/test_b.py", FFT)
        self.expect("R101", "R303")

    def test_what_is_imported_from_elsewhere(self) -> None:
        self.write("pyproject.toml", "")
        self.write("helper.py", "import numpy as np\n\n\ndef make(n):\n    return np.ones(n)\n")
        body = "    a = make(n)\n    for i in range(n):\n        a[i] = 2.0 * a[i]\n"
        self.write("app/main.py", "from helper import make\n\n\ndef run(n):\n" + body)
        self.start("app/main.py")
        self.expect("R101")
        self.write("helper.py", "def make(n):\n    return [1.0] * n\n")
        self.expect()

    def test_by_looking_from_time_to_time(self) -> None:
        self.environment["CPNLINT_WATCH"] = "poll"
        self.write("a.py", ELEMENT_LOOP)
        self.start()
        self.expect("R101")
        self.write("a.py", JOIN_IN_LOOP)
        self.expect("R203")

    def test_with_a_cache(self) -> None:
        self.environment.pop("CPNLINT_NO_CACHE", None)
        self.write("a.py", ELEMENT_LOOP)
        self.write("b.py", FFT)
        self.start("--verbose")
        self.expect("R101", "R303", words="cache 0 of 2 programs")
        self.write("a.py", JOIN_IN_LOOP)
        self.expect("R203", "R303", words="cache 1 of 2 programs")

    def test_signals_end_it_as_they_end_any_program(self) -> None:
        self.write("a.py", ELEMENT_LOOP)
        for number in (signal.SIGINT, signal.SIGTERM):
            self.start()
            self.expect("R101")
            self.process.send_signal(number)
            self.assertEqual(self.process.wait(timeout=PATIENCE), -number)
            self.stop()

    def test_nobody_reads_any_more(self) -> None:
        self.write("a.py", ELEMENT_LOOP)
        read, write = os.pipe()
        command = [common.program(), "check", "--isolated", "--watch", "--quiet"]
        with open(read, "rb") as output:
            process = subprocess.Popen(command, cwd=self.folder, env=self.environment, stdout=write)
            os.close(write)
            self.addCleanup(process.kill)
            self.assertIn(b"R101", output.readline())
        self.write("a.py", JOIN_IN_LOOP)
        self.assertEqual(process.wait(timeout=PATIENCE), 0)

    def test_standard_input_cannot_be_watched(self) -> None:
        self.assert_trouble(self.run_program("--watch", "-", input=CLEAN), "--watch", "standard input")


if __name__ == "__main__":
    harness.main()
