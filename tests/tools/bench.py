"""Our own cost beside bare parsing, over a large tree: `./dev bench [PATH...]`.

The yardstick (parse_only) reads, parses with tree-sitter and walks the files that pass cpnlint's prefilter; cpnlint
does its whole run. Both on one thread, in turn, so that what else the machine does hits both. Then cpnlint with more
threads, and where its time goes. Times are CPU seconds of whole processes, memory is the peak resident size; phases
are on the wall clock.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import os
import statistics
import subprocess
import sysconfig
import tempfile
import time
from pathlib import Path

import common

LIMIT_RATIO, LIMIT_MIB = 1.5, 100
CHECK = ("check", "--isolated", "--no-cache", "--include-tests", "--fail-on", "never", "--output-format", "json")


@dataclasses.dataclass
class Run:
    cpu: float  # seconds, user and system
    wall: float
    mib: float  # peak resident size
    output: str


def measure(command: list[str], stdin: str = "") -> Run:
    with tempfile.TemporaryFile("w+") as given, tempfile.TemporaryFile("w+") as output:
        given.write(stdin)
        given.seek(0)
        start = time.perf_counter()
        process = subprocess.Popen(command, stdin=given, stdout=output)
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            raise SystemExit(f"{' '.join(command[:4])} ... ended with {process.returncode}")
        output.seek(0)
        return Run(usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss / 1024, output.read())


def analysed_files(program: str, paths: list[str]) -> list[str]:
    """The files that cpnlint does not skip, as cpnlint itself lists them."""
    done = subprocess.run([program, *CHECK, "--show-files", *paths], capture_output=True, encoding="utf-8")
    return [line for line in done.stdout.splitlines() if os.path.isfile(line)]


def show_phases(command: list[str]) -> None:
    """The fastest of three runs on one thread, phase by phase, as --verbose tells them."""
    timings = []
    for _ in range(3):
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
        timings.append(json.loads(done.stdout)["timing"])
    best = min(timings, key=lambda timing: timing["wall"])
    rest = best["wall"] - sum(seconds for name, seconds in best.items() if name != "wall")
    shown = {**{name: seconds for name, seconds in best.items() if name != "wall"}, "the rest": rest}
    print("phases: " + ", ".join(f"{name} {seconds:.2f}" for name, seconds in shown.items()) + f" of {best['wall']:.2f} s")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("paths", nargs="*", help="trees (Python's standard library and site-packages)")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--build", type=Path, default=common.ROOT / "build" / "bench")
    args = parser.parse_args()
    paths = args.paths or [sysconfig.get_path("stdlib"), str(common.cache_folder() / "packages")]
    paths = [path for path in paths if os.path.exists(path)]
    program, yardstick = (str(args.build / "bin" / name) for name in ("cpnlint", "parse_only"))

    files = analysed_files(program, paths)
    listed = "\n".join(files) + "\n"
    largest = max(files, key=os.path.getsize)
    print(f"{' '.join(paths)}\n{len(files)} files pass the prefilter, {sum(map(os.path.getsize, files)) / 1e6:.1f} MB")
    pairs = []
    for round_number in range(args.rounds):
        bare = measure([yardstick], listed)
        whole = measure([program, *CHECK, "--jobs", "1", *paths])
        pairs.append((bare, whole))
        ratio = whole.cpu / bare.cpu
        times = f"parse {bare.cpu:6.2f} s, cpnlint {whole.cpu:6.2f} s"
        print(f"round {round_number + 1}: {times}, ratio {ratio:.2f}", flush=True)
    document = json.loads(pairs[0][1].output)
    analysed = document["files"]["analysed"] + document["files"]["failed"]
    parsed = json.loads(pairs[0][0].output)["files"]
    if abs(analysed - parsed) > 0.01 * parsed:
        raise SystemExit(f"no fair comparison: cpnlint analysed {analysed} files, the yardstick parsed {parsed}")

    ratio = statistics.median(whole.cpu / bare.cpu for bare, whole in pairs)
    one_tree = measure([yardstick], largest + "\n").mib
    extra = statistics.median(whole.mib for _, whole in pairs) - one_tree
    print(f"ratio (median of {args.rounds} pairs)  {ratio:5.2f}   of at most {LIMIT_RATIO}")
    name = os.path.basename(largest)
    print(f"peak memory beyond the largest file's tree ({name})  {extra:5.0f} MiB   of at most {LIMIT_MIB}")
    for jobs in sorted({1, 2, os.cpu_count() or 1}):
        runs = [measure([program, *CHECK, "--jobs", str(jobs), *paths]) for _ in range(3)]
        best = min(runs, key=lambda run: run.wall)
        print(f"--jobs {jobs}: {best.wall:6.2f} s wall, {best.cpu:6.2f} s CPU, {best.mib:5.0f} MiB")
    show_phases([program, *CHECK, "--jobs", "1", "--verbose", *paths])


if __name__ == "__main__":
    main()
