"""Runs the libFuzzer targets of a build, one after the other; `./dev fuzz [SECONDS]` builds them and calls this.

    fuzz.py [--seconds 60] [--build build/fuzz] [TARGET...]

The corpus lies in the build folder, so a later run goes on where this one ended; its seeds are our fixtures. What
breaks a target lies under `crashes` there, and the exit status is 1. The smallest form becomes a fixture or a unit test:

    build/fuzz/bin/fuzz_pipeline -minimize_crash=1 -max_total_time=60 build/fuzz/crashes/...
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SEEDS = {
    ".py": (ROOT / "tests" / "fixtures", ROOT / "tests" / "golden", ROOT / "docs" / "examples"),
    ".ipynb": (ROOT / "tests" / "fixtures",),
}
LARGEST = 6000  # bytes: larger programs are slow and reach nothing new
# One input may take this long under the sanitizers on a busy machine; ordinary ones take milliseconds.
LIMITS = ("-timeout=30", "-rss_limit_mb=4096", f"-max_len={LARGEST}", "-print_final_stats=1", "-verbosity=0")


def seed(corpus: Path, suffix: str) -> None:
    corpus.mkdir(parents=True, exist_ok=True)
    for folder in SEEDS[suffix]:
        for path in sorted(folder.rglob(f"*{suffix}")):
            if path.stat().st_size <= LARGEST:
                shutil.copyfile(path, corpus / f"seed-{path.stem}{suffix}")


def run(build: Path, target: str, seconds: int) -> bool:
    corpus = build / "corpus" / target
    crashes = build / "crashes"
    crashes.mkdir(parents=True, exist_ok=True)
    seed(corpus, ".ipynb" if target == "notebook" else ".py")
    command = [build / "bin" / f"fuzz_{target}", *LIMITS, f"-max_total_time={seconds}"]
    command += [f"-artifact_prefix={crashes}/{target}-", corpus]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    said = done.stdout.decode("utf-8", "replace")
    executed = re.search(r"stat::number_of_executed_units: (\d+)", said)
    print(f"{target}: {executed[1] if executed else '?'} inputs, corpus {sum(1 for _ in corpus.iterdir())}")
    if done.returncode:
        print(said[-6000:])
    return done.returncode == 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("targets", nargs="*", help="names without `fuzz_` (all)")
    parser.add_argument("--seconds", type=int, default=60, help="per target (60)")
    parser.add_argument("--build", type=Path, default=ROOT / "build" / "fuzz")
    args = parser.parse_args()
    build = args.build.resolve()
    there = sorted(path.name.removeprefix("fuzz_") for path in (build / "bin").glob("fuzz_*"))
    if not there:
        sys.exit(f"there are no targets in {build}: ./dev fuzz builds them")
    results = [run(build, target, args.seconds) for target in args.targets or there]
    print(f"fuzz: {results.count(True)} passed, {results.count(False)} failed")
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
