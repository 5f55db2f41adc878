"""`cpnlint calibrate`: a profile in bounded time, and nothing half-written whatever happens on the way."""

from __future__ import annotations

import json
import os
import signal
import stat
import subprocess
import sys
import time
import unittest
from pathlib import Path
from typing import Any

import harness
from harness import OK, TROUBLE, common

# The benchmarks measure for some 30 s; the rest is for a machine that is busy with other tests.
LIMIT = 400

# Speaks as `legate` does to the probes, without any runtime behind it.
FAKE_LEGATE = """\
#!{python}
import json, sys, time
words = sys.argv[1:]
script = next(i for i, word in enumerate(words) if word.endswith("main.py"))
processors, most, kind, effort, probes = words[script + 1 : script + 6]
print("[0 - 7f0000] {{4}}{{gpu}}: a runtime that talks", flush=True)
print(json.dumps({{"runtime": "cuPyNumeric 0.0, Legate 0.0"}}), flush=True)
for name in probes.split(","):
    if name == "none":
        continue
    print(json.dumps({{"begin": name}}), flush=True)
    content = {{"bench": name, "numbers": [], "readings": []}}
    if name == "operations":
        seconds = 100e-6 + 25e-6 * int(processors)
        content["readings"].append({{"reading": "operation aligned", "processors": int(processors), "value": seconds,
                                     "low": 0.99 * seconds, "high": 1.01 * seconds, "samples": 20}})
    if name == "streams" and processors == "1":
        content["numbers"].append({{"number": "bandwidth", "value": 1.25e9, "low": 1.2e9, "high": 1.3e9, "samples": 9,
                                    "method": "fake"}})
    if name == "sort":
        sys.exit("the runtime gave up")
    print(json.dumps(content), flush=True)
"""

# What `cpnlint-cuda between-nodes` writes.
NETWORK = """\
{"bench": "network", "source": "network", "problems": ["the nodes talked"], "numbers": [{"number": "network_latency",
 "value": 4e-6, "low": 3e-6, "high": 5e-6, "samples": 9, "method": "fake"}]}
""".replace("\n ", " ")


class Calibration(harness.ProgramTest):
    def calibrate(self, *args: str, **options: Any) -> subprocess.CompletedProcess[str]:
        options.setdefault("timeout", LIMIT)
        return self.run_program("calibrate", "--backend", "cpu", *args, **options)

    def start(self, *args: str) -> subprocess.Popen[str]:
        command = [str(common.program()), "calibrate", "--backend", "cpu", "--no-runtime", *args]
        process = subprocess.Popen(command, cwd=self.folder, env=self.environment, text=True, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.kill)
        return process

    def wait_for_lines(self, path: Path, count: int) -> None:
        end = time.monotonic() + LIMIT
        while time.monotonic() < end:
            if path.exists() and path.read_text().count("\n") >= count:
                return
            time.sleep(0.05)
        self.fail(f"{path} did not reach {count} lines")

    def fake_legate(self) -> Path:
        path = self.write("bin/legate", FAKE_LEGATE.format(python=sys.executable))
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        return path

    def test_a_quick_look_resumed_after_an_interruption(self) -> None:
        """One whole calibration, in two parts: each takes long enough to run it only once here."""
        partial = self.folder / "machine.json.partial"
        process = self.start("--output", "machine.json")
        self.wait_for_lines(partial, 3)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, TROUBLE)
        self.assertIn("machine.json.partial", errors)
        self.assertIn("--resume", errors)
        self.assertEqual([p.name for p in self.folder.iterdir()], [partial.name])
        kept = [json.loads(line)["bench"] for line in partial.read_text().splitlines()[1:]]
        self.assertGreaterEqual(len(kept), 2)

        # What is kept is not overwritten by accident, and not mixed with what was measured otherwise.
        self.assert_trouble(self.calibrate("--no-runtime", "--output", "machine.json"), "--resume", "machine.json.partial")
        self.assert_trouble(self.calibrate("--no-runtime", "--standard", "--resume", "--output", "machine.json"), "delete it")

        start = time.monotonic()
        fake = str(self.fake_legate())
        done = self.calibrate("--no-runtime", "--resume", "--name", "mine", "--output", "machine.json", "--output",
                              "svg:curves.svg")
        self.assertEqual(done.returncode, OK, done.stderr)
        self.assertLess(time.monotonic() - start, LIMIT)
        self.assertFalse(partial.exists())
        self.check_profile(json.loads((self.folder / "machine.json").read_text()), done.stdout)
        drawing = (self.folder / "curves.svg").read_text()
        self.assertTrue(drawing.startswith("<svg") and drawing.endswith("</svg>\n"))
        self.assertIn("polyline", drawing)
        self.assertTrue(Path(fake).exists())

    def check_profile(self, profile: dict[str, Any], summary: str) -> None:
        self.assertEqual(profile["name"], "mine")
        self.assertEqual(profile["machine"]["kind"], "cpu")
        self.assertEqual(profile["machine"]["processors_per_node"], len(os.sched_getaffinity(0)))
        numbers = profile["parameters"]
        measured = {name for name, number in numbers.items() if number["provenance"] == "measured"}
        wanted = {"bandwidth", "bandwidth_shared", "fill_rate", "first_touch", "reduction_rate", "axis_reduction_rate",
                  "scan_rate", "random_rate", "sort_rate", "gather_rate", "scatter_rate", "arithmetic_rate",
                  "transcendental_rate", "product_rate_f64", "product_rate_f32", "factor_rate", "fft_rate",
                  "host_bandwidth", "memory", "host_memory", "statement"}
        if len(os.sched_getaffinity(0)) > 1:
            wanted |= {"copy_latency", "copy_bandwidth", "collective_latency"}
        self.assertEqual(wanted - measured, set())
        self.assertNotIn("launch_base", measured)
        for name in measured:
            number = numbers[name]
            low, high = number["range"]
            self.assertTrue(0 <= low <= number["value"] <= high, name)
            self.assertGreater(number["n"], 0, name)
            self.assertTrue(number["method"], name)
            self.assertIn(name, summary)
        # Orders of magnitude, so that a unit that is wrong shows.
        self.assertTrue(1e8 < numbers["bandwidth"]["value"] < 1e12)
        self.assertTrue(1e7 < numbers["product_rate_f64"]["value"] < 1e12)
        self.assertTrue(1e-9 < numbers["statement"]["value"] < 1e-5)
        self.assertGreater(len(profile["curves"]), 3)
        self.assertIn("Not measured", summary)

    def test_a_worker_that_is_killed_leaves_no_process_and_no_file(self) -> None:
        process = self.start("--output", "machine.json")
        self.wait_for_lines(self.folder / "machine.json.partial", 2)
        process.kill()
        process.wait(timeout=10)
        self.assertFalse((self.folder / "machine.json").exists())
        time.sleep(0.5)
        # Its workers die with it: nobody writes into the partial file any more.
        size = (self.folder / "machine.json.partial").stat().st_size
        time.sleep(1.5)
        self.assertEqual((self.folder / "machine.json.partial").stat().st_size, size)

    def test_nothing_measured_leaves_nothing(self) -> None:
        process = self.start("--output", "machine.json")
        self.wait_for_lines(self.folder / "machine.json.partial", 1)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, TROUBLE)
        self.assertEqual([p.name for p in self.folder.iterdir() if p.name == "machine.json"], [])

    def test_bad_usage_is_named(self) -> None:
        self.assert_trouble(self.calibrate("--output", "no/such/folder/machine.json", "--no-runtime"), "no/such/folder")
        self.assert_trouble(self.calibrate("--resume", "--no-runtime", "--output", "m.json"), "m.json.partial")
        self.assert_trouble(self.calibrate("--runtime", "/no/such/python"), "/no/such/legate", "--runtime")
        self.assert_trouble(self.calibrate("--quick", "--full"), "--full")
        self.assert_trouble(self.run_program("calibrate", "--backend", "tpu"), "tpu")
        self.assert_trouble(self.calibrate("--output", "a.json", "--output", "b.json"), "b.json")
        self.assert_trouble(self.calibrate("--between-nodes", "no.json"), "--between-nodes", "no.json")
        self.assertEqual(list(self.folder.iterdir()), [])
        self.write("other.json", "{}")
        self.assert_trouble(self.calibrate("--between-nodes", "other.json"), "other.json", "cpnlint-cuda between-nodes")
        self.assertEqual([p.name for p in self.folder.iterdir()], ["other.json"])

    def test_a_runtime_that_does_not_start_is_told(self) -> None:
        broken = self.write("bin/legate", "#!/bin/sh\necho 'libcuda.so.1: not found' >&2\nexit 1\n")
        broken.chmod(0o755)
        done = self.calibrate("--runtime", str(broken), "--output", "machine.json")
        self.assert_trouble(done, "libcuda.so.1: not found")
        self.assertEqual([p.name for p in self.folder.iterdir()], ["bin"])

    def test_the_gpu_benchmarks_are_refused_with_a_reason(self) -> None:
        done = self.run_program("calibrate", "--backend", "cuda", "--no-runtime", "--output", "machine.json")
        if done.returncode == OK:
            self.skipTest("there is a GPU here")
        self.assert_trouble(done)
        self.assertRegex(done.stderr, "built without CUDA|driver|GPU")
        self.assertEqual(list(self.folder.iterdir()), [])

    @unittest.skipUnless(os.geteuid() == 0, "needs a small file system of its own")
    def test_a_full_disk_is_told(self) -> None:
        small = self.folder / "small"
        small.mkdir()
        mount = ["mount", "-t", "tmpfs", "-o", "size=8k", "tmpfs", str(small)]
        if subprocess.run(mount, capture_output=True).returncode != 0:
            self.skipTest("no file system can be mounted here")
        self.addCleanup(subprocess.run, ["umount", str(small)], check=True)
        done = self.calibrate("--no-runtime", "--output", "small/machine.json")
        self.assert_trouble(done, "small/machine.json.partial", "No space left")
        self.assertFalse((small / "machine.json").exists())


class Runtime(Calibration):
    """The conversation with the probes, with somebody else at the other end."""

    def test_launches_are_taken_apart_and_the_rest_is_kept(self) -> None:
        self.write("network.json", NETWORK)
        done = self.calibrate("--runtime", str(self.fake_legate()), "--between-nodes", "network.json", "--output",
                              "machine.json")
        self.assertEqual(done.returncode, OK, done.stderr)
        profile = json.loads((self.folder / "machine.json").read_text())
        numbers = profile["parameters"]
        self.assertEqual(numbers["launch_base"]["provenance"], "measured")
        if profile["machine"]["processors_per_node"] > 1:
            self.assertAlmostEqual(numbers["launch_base"]["value"], 100e-6, delta=2e-6)
            self.assertAlmostEqual(numbers["launch_per_processor"]["value"], 25e-6, delta=1e-6)
        self.assertEqual(numbers["bandwidth"]["value"], 1.25e9)
        self.assertEqual(numbers["bandwidth"]["method"], "fake")
        self.assertEqual(numbers["sort_rate"]["provenance"], "measured")  # by our own kernel
        self.assertEqual(numbers["network_latency"]["value"], 4e-6)
        self.assertEqual(numbers["network_latency"]["provenance"], "measured")
        self.assertIn("the nodes talked", done.stdout)
        self.assertIn("the runtime gave up", done.stdout)
        self.assertIn("cuPyNumeric 0.0", profile["machine"]["note"])


def load_tests(loader: unittest.TestLoader, tests: unittest.TestSuite, pattern: str | None) -> unittest.TestSuite:
    # Runtime inherits helpers; their tests need to run once.
    suite = loader.loadTestsFromTestCase(Calibration)
    suite.addTest(Runtime("test_launches_are_taken_apart_and_the_rest_is_kept"))
    return suite


if __name__ == "__main__":
    harness.main()
