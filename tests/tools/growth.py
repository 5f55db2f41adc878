"""How the cost of a run grows with the program: `python3 tests/tools/growth.py PACKAGE [--copies 1 10 100]`.

Makes so many copies of a folder of Python files below a temporary one, checks each lot on one thread, and prints CPU
seconds and peak memory beside the bytes read. Linear growth shows as a constant last column.
"""

from __future__ import annotations

import argparse
import json
import shutil
import tempfile
from pathlib import Path

import bench
import common


def copy_python(package: Path, target: Path) -> int:
    """Copies the folder's Python files, and says how many bytes they have."""
    size = 0
    for path in sorted(package.rglob("*.py")):
        if not path.is_file():
            continue
        copy = target / path.relative_to(package)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, copy)
        size += copy.stat().st_size
    return size


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("package", type=Path, help="a folder with Python files")
    parser.add_argument("--copies", type=int, nargs="+", default=[1, 10, 100])
    parser.add_argument("--rounds", type=int, default=3, help="the fastest of so many runs counts")
    parser.add_argument("--build", type=Path, default=common.ROOT / "build" / "bench")
    args = parser.parse_args()
    program = str(args.build / "bin" / "cpnlint")

    print(f"{'copies':>6} {'analysed':>8} {'MB':>8} {'findings':>8} {'CPU s':>7} {'peak MiB':>8} {'s per 10 MB':>11}")
    for copies in args.copies:
        with tempfile.TemporaryDirectory() as folder:
            size = sum(copy_python(args.package, Path(folder) / f"copy{i:03}") for i in range(copies))
            if size == 0:
                raise SystemExit(f"no Python file below {args.package}")
            runs = [bench.measure([program, *bench.CHECK, "--jobs", "1", folder]) for _ in range(args.rounds)]
        best = min(runs, key=lambda run: run.cpu)
        document = json.loads(best.output)
        analysed, findings = document["files"]["analysed"], len(document["findings"])
        figures = f"{best.cpu:7.2f} {best.mib:8.0f} {best.cpu / size * 1e7:11.3f}"
        print(f"{copies:6} {analysed:8} {size / 1e6:8.2f} {findings:8} {figures}", flush=True)


if __name__ == "__main__":
    main()
