"""cpnlint beside its neighbours on the same files: `python3 tests/tools/compare.py`, the tables of docs/performance.md.

The tools come by version from the Python package index into an environment in the user's cache folder (400 MB, once).
Each tree is copied to a temporary folder that holds nothing but its Python files, test files included, so that every
tool reads the same ones. Each command runs once unmeasured where it has a cache to fill, then in turn with all others;
the fastest of its rounds counts. Slow tools run once. CPU is user and system time of the command and all it started;
memory is the peak of its largest process, where that is more than this script's own (Linux counts a new process's peak
from that of the one it was split off).
"""

from __future__ import annotations

import argparse
import dataclasses
import hashlib
import os
import platform
import resource
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import time
import zipfile
from pathlib import Path
from typing import Iterator

import bench
import common
import fetch_packages

TOOLS = ("ruff==0.17.5", "pyrefly==1.4.1", "ty==0.0.104", "pyright==1.1.414", "pylint==3.3.9", "perflint==0.8.1")
SCIPY = "scipy==1.17.0"
PERFLINT = "W8101,W8102,W8201,W8202,W8203,W8204,W8205,W8301,W8401,W8402,W8403"
SLOW = ("ty", "pyright", "pylint")
SKIPPED_FOLDERS = ("site-packages", "dist-packages", "__pycache__", ".git")


@dataclasses.dataclass(frozen=True)
class Tool:
    name: str  # as the table shows it
    command: tuple[str, ...]  # `{tree}`, `{cache}`, `{threads}` are replaced
    environment: tuple[tuple[str, str], ...] = ()
    fills_cache: bool = False  # the measured run finds what an earlier one left
    any_threads: bool = True  # False: has no option for it
    reads_names: bool = False  # takes the files of the prefilter on standard input


@dataclasses.dataclass
class Measured:
    wall: float
    cpu: float
    mib: float


def environment() -> Path:
    """The virtual environment with TOOLS, made on first use."""
    pins = hashlib.sha256(" ".join((*TOOLS, sys.version.split()[0])).encode()).hexdigest()[:12]
    folder = common.cache_folder() / f"compare-env-{pins}"
    if not (folder / "ready").exists():
        folder.parent.mkdir(parents=True, exist_ok=True)
        print(f"installing {' '.join(TOOLS)} into {folder} (once)", file=sys.stderr, flush=True)
        subprocess.run([sys.executable, "-m", "venv", "--clear", folder], check=True)
        pip = [folder / "bin" / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        if subprocess.run([*pip, *TOOLS]).returncode != 0:
            sys.exit(f"pip could not install {' '.join(TOOLS)}; its words are above")
        (folder / "ready").touch()
    return folder


def scipy() -> Path:
    """SciPy's Python files, out of its wheel."""
    folder = common.cache_folder() / "compare" / SCIPY.replace("==", "-")
    if folder.is_dir():
        return folder
    wheels = folder.parent / "wheels"
    print(f"fetching {SCIPY} into {wheels} (40 MB, once)", file=sys.stderr, flush=True)
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
    options = ["--only-binary", ":all:", *fetch_packages.WHEELS_FOR, "-d", wheels, SCIPY]
    if subprocess.run([*pip, *options]).returncode != 0:
        sys.exit(f"pip could not fetch {SCIPY}; its words are above")
    unfinished = folder.with_name(folder.name + ".part")
    shutil.rmtree(unfinished, ignore_errors=True)
    with zipfile.ZipFile(next(wheels.glob("scipy-*.whl"))) as wheel:
        wheel.extractall(unfinished, [name for name in wheel.namelist() if name.endswith(".py")])
    unfinished.rename(folder)
    return folder


def named_tree(name: str) -> list[Path]:
    """The folders that a name of the command line stands for."""
    if name == "scipy":
        return [scipy()]
    if name == "stdlib":
        site = common.test_environment()
        return [
            Path(sysconfig.get_path("stdlib")),
            Path(sysconfig.get_path("purelib", vars={"base": str(site), "platbase": str(site)})),
        ]
    if os.path.isdir(name):
        return [Path(name)]
    for folder in fetch_packages.folders():
        if folder.name.rsplit("-", 1)[0] == name:
            return [folder]
    sys.exit(f"{name} is neither a folder nor scipy, stdlib or one of the packages of {fetch_packages.PINS.name}")


def python_files(folder: Path) -> Iterator[Path]:
    for place, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if name not in SKIPPED_FOLDERS)
        for name in sorted(files):
            path = Path(place) / name
            if name.endswith(".py") and path.is_file() and not path.is_symlink():
                yield path


def copy_tree(sources: list[Path], target: Path) -> tuple[int, int, int]:
    """Copies the Python files; how many there are, their lines and bytes."""
    files = lines = size = 0
    for source in sources:
        for path in python_files(source):
            text = path.read_bytes()
            # A folder of that name inside a tree is passed over by cpnlint and ruff alike.
            name = "packages" if source.name in SKIPPED_FOLDERS else source.name
            copy = target / name / path.relative_to(source)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(text)
            files, lines, size = files + 1, lines + text.count(b"\n"), size + len(text)
    return files, lines, size


def tools(program: str, yardstick: str, bin_folder: Path) -> list[Tool]:
    check = (program, "check", "--isolated", "--include-tests", "--fail-on", "never", "--output-format", "concise")
    ruff = (str(bin_folder / "ruff"), "check", "--isolated", "--select", "PERF,NPY", "--exit-zero", "--quiet",
            "--output-format", "concise")  # fmt: skip
    rayon = (("RAYON_NUM_THREADS", "{threads}"),)
    known = subprocess.run([program, "check", "--help"], capture_output=True, encoding="utf-8").stdout
    found = [
        Tool("bare tree-sitter parse", (yardstick,), any_threads=False, reads_names=True),
        Tool("cpnlint, cold", (*check, "--no-cache", "--jobs", "{threads}", "{tree}")),
        Tool("ruff, cold", (*ruff, "--no-cache", "{tree}"), rayon),
        Tool("ruff, warm", (*ruff, "--cache-dir", "{cache}", "{tree}"), rayon, fills_cache=True),
        Tool("pyrefly", (str(bin_folder / "pyrefly"), "check", "--threads", "{threads}", "{tree}")),
        Tool("ty", (str(bin_folder / "ty"), "check", "--output-format", "concise", "--exit-zero", "{tree}"),
             (("TY_MAX_PARALLELISM", "{threads}"), *rayon)),
        Tool("pyright", (str(bin_folder / "pyright"), "--threads", "{threads}", "{tree}")),
        Tool("pylint + perflint", (str(bin_folder / "pylint"), "--load-plugins=perflint", "--disable=all",
             f"--enable={PERFLINT}", "-j", "{threads}", "--recursive=y", "--exit-zero", "{tree}")),
    ]  # fmt: skip
    # What a run costs that looks at every file and analyses none: finding the files and the search for array libraries.
    listing = Tool("cpnlint, prefilter alone", (*check, "--no-cache", "--show-files", "--jobs", "{threads}", "{tree}"))
    found.insert(2, listing)
    if "--cache-dir" in known:
        warm = Tool("cpnlint, warm", (*check, "--cache-dir", "{cache}", "--jobs", "{threads}", "{tree}"), (), True)
        found.insert(2, warm)
    return found


def run(tool: Tool, threads: int, values: dict[str, str], names: str, limit: float) -> Measured | None:
    """None where it took longer than `limit` seconds."""
    def filled(text: str) -> str:
        for key, value in {**values, "threads": str(threads)}.items():
            text = text.replace("{" + key + "}", value)
        return text

    variables = {**os.environ, **{key: filled(value) for key, value in tool.environment}, "NO_COLOR": "1"}
    variables.pop("CPNLINT_NO_CACHE", None)  # what `common` sets for tests; cold runs ask for none themselves
    with tempfile.TemporaryFile("w+") as given:
        given.write(names if tool.reads_names else "")
        given.seek(0)
        start = time.perf_counter()
        process = subprocess.Popen([filled(word) for word in tool.command], stdin=given, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL, env=variables, cwd=values["tree"],
                                   start_new_session=True)  # fmt: skip
        usage = None
        while usage is None:
            pid, status, spent = os.wait4(process.pid, os.WNOHANG)
            wall = time.perf_counter() - start
            if pid != 0:
                usage = spent
            elif wall > limit:
                os.killpg(process.pid, 9)
                os.wait4(process.pid, 0)
                process.returncode = -9
                return None
            else:
                time.sleep(0.0005 if wall < 0.2 else 0.005)
        process.returncode = os.waitstatus_to_exitcode(status)
    # Type checkers say by 1 that they found something; what ends otherwise was not measured but refused.
    if process.returncode not in (0, 1):
        sys.exit(f"{tool.name} ended with {process.returncode}: {' '.join(map(filled, tool.command))}")
    return Measured(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def measure(found: list[Tool], tree: Path, names: str, args: argparse.Namespace) -> dict[tuple[str, int], Measured]:
    best: dict[tuple[str, int], Measured] = {}
    late: set[tuple[str, int]] = set()
    with tempfile.TemporaryDirectory() as caches:
        def values(tool: Tool) -> dict[str, str]:
            folder = Path(caches) / tool.name.replace(" ", "-")
            return {"tree": str(tree), "cache": str(folder)}

        for tool in found:
            if tool.fills_cache:
                run(tool, 1, values(tool), names, args.limit)
        for round_number in range(args.rounds):
            for tool in found:
                if round_number > 0 and tool.name.startswith(SLOW):
                    continue
                for threads in args.threads if tool.any_threads else args.threads[:1]:
                    if (tool.name, threads) in late:
                        continue
                    print(f"round {round_number + 1}: {tool.name}, {threads} threads", file=sys.stderr, flush=True)
                    now = run(tool, threads, values(tool), names, args.limit)
                    if now is None:
                        late.add((tool.name, threads))
                        continue
                    # CPU time and memory go with the run that was least disturbed.
                    if (tool.name, threads) not in best or now.cpu < best[tool.name, threads].cpu:
                        best[tool.name, threads] = now
    return best


def seconds(value: float) -> str:
    return f"{value:.3f}" if value < 0.995 else f"{value:.2f}" if value < 9.95 else f"{value:.0f}"


def memory(mib: float) -> str:
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return f"{mib:.0f}" if mib > own + 1 else f"< {own + 1:.0f}"


def show(found: list[Tool], best: dict[tuple[str, int], Measured], args: argparse.Namespace) -> None:
    print("| tool | threads | wall s | CPU s | peak MiB | CPU, in cpnlint's cold runs |")
    print("|---|---:|---:|---:|---:|---:|")
    for tool in found:
        for threads in args.threads if tool.any_threads else args.threads[:1]:
            measured, ours = best.get((tool.name, threads)), best.get(("cpnlint, cold", threads))
            if measured is None:
                print(f"| {tool.name} | {threads} | > {args.limit:.0f} | | | |")
                continue
            times = f"{measured.cpu / ours.cpu:.2f}" if ours else ""
            figures = f"{seconds(measured.wall)} | {seconds(measured.cpu)} | {memory(measured.mib)} | {times}"
            print(f"| {tool.name} | {threads} | {figures} |")
    print(flush=True)


def goals(name: str, best: dict[tuple[str, int], Measured], threads: int) -> Iterator[tuple[str, float, str, bool]]:
    """What issue 6 asks for: words, the figure measured, the goal, whether it is met."""
    def ratio(one: str, other: str) -> float | None:
        a, b = best.get((one, threads)), best.get((other, threads))
        return a.cpu / b.cpu if a and b and b.cpu > 0 else None

    at_most = [("cpnlint, cold", "bare tree-sitter parse", 1.3)]
    if name == "scipy":
        at_most.append(("cpnlint, cold", "ruff, cold", 4.5))
    at_most.append(("cpnlint, warm", "ruff, warm", 1.0))
    for one, other, limit in at_most:
        if (value := ratio(one, other)) is not None:
            yield f"{one} / {other}", value, f"at most {limit:g}", value <= limit
    for other, limit in (("pyrefly", 3.0), ("ty", 10.0), ("pyright", 40.0), ("pylint + perflint", 60.0)):
        if (value := ratio(other, "cpnlint, cold")) is not None:
            yield f"{other} / cpnlint, cold", value, f"at least {limit:g}", value >= limit


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("trees", nargs="*", default=["scipy", "scikit-image", "stdlib", "django"],
                        help="folders, names of packages.txt, scipy, or stdlib (with a site-packages)")  # fmt: skip
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--limit", type=float, default=600, help="seconds after which a tool is given up")
    parser.add_argument("--only", nargs="+", help="beginnings of the names of tools to run")
    parser.add_argument("--build", type=Path, default=common.ROOT / "build" / "bench")
    args = parser.parse_args()
    program, yardstick = (str((args.build / "bin" / name).absolute()) for name in ("cpnlint", "parse_only"))
    found = tools(program, yardstick, environment() / "bin")
    if args.only:
        found = [tool for tool in found if tool.name.startswith(tuple(args.only))]
    versions = ", ".join(pin.replace("==", " ") for pin in TOOLS)
    print(f"{os.cpu_count()} processors, {platform.system()}, Python {platform.python_version()}; {versions}.\n")
    judged = []
    for name in args.trees:
        with tempfile.TemporaryDirectory() as folder:
            tree = Path(folder) / "tree"
            files, lines, size = copy_tree(named_tree(name), tree)
            names = "\n".join(bench.analysed_files(program, [str(tree)])) + "\n"
            shown = f"{files:,} files, {lines / 1000:,.0f} k lines, {size / 1e6:.1f} MB"
            print(f"### {Path(name).name}: {shown}; {names.count(chr(10)):,} files analysed\n", flush=True)
            best = measure(found, tree, names, args)
        show(found, best, args)
        judged += [(name, *goal) for goal in goals(name, best, args.threads[0])]
    if judged:
        print("| tree | CPU of | measured | goal | met |\n|---|---|---:|---:|---|")
        for name, words, value, goal, met in judged:
            print(f"| {name} | {words} | {value:.2f} | {goal} | {'yes' if met else 'no'} |")


if __name__ == "__main__":
    main()
