"""How well cpnlint knows which names are arrays, measured against programs that run.

    python3 tests/tools/arrayness.py [--update] [--only NAME] [--seconds N]

The packages of arrayness.txt are installed, with NumPy, into a virtual environment of the user's cache folder; their
own test suites run while each binding of a name is recorded (arrayness_recorder.py). What `cpnlint inspect facts` says
of the same binding is compared:

    found: of the bindings that were arrays and nothing else, how many are known as arrays, certain or likely
    right: of the bindings known as arrays, certain or likely, how many held one at run time

Bindings that no test reached do not count. `--update` writes docs/arrayness.md.
"""

from __future__ import annotations

import argparse
import collections
import dataclasses
import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import common

PINS = Path(__file__).with_name("arrayness.txt")
PAGE = common.ROOT / "docs" / "arrayness.md"
ARRAYS = {"array", "array0"}
# A full reduction gives NumPy's scalar where cuPyNumeric gives an array without dimensions.
ZERO_D = {"scalar"}


@dataclasses.dataclass(frozen=True)
class Package:
    requirement: str
    module: str
    tests: tuple[str, ...]

    @property
    def name(self) -> str:
        return self.requirement.split("==")[0]


def packages() -> list[Package]:
    found = []
    for line in PINS.read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            requirement, module, *tests = line.split()
            found.append(Package(requirement, module, tuple(tests)))
    return found


def environment(pinned: list[Package]) -> Path:
    requirements = ["pytest", "hypothesis", *(package.requirement for package in pinned)]
    digest = hashlib.sha256(" ".join((*requirements, sys.version.split()[0])).encode()).hexdigest()[:12]
    folder = common.cache_folder() / f"arrayness-{digest}"
    if not (folder / "ready").exists():
        print(f"installing {len(pinned)} packages into {folder} (once)", file=sys.stderr, flush=True)
        subprocess.run([sys.executable, "-m", "venv", "--clear", folder], check=True)
        pip = [folder / "bin" / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        if subprocess.run([*pip, *requirements]).returncode != 0:
            sys.exit("pip could not install the packages; its words are above")
        (folder / "ready").touch()
    return folder


def watch(package: Package, folder: Path, seconds: int) -> dict[str, list[Any]]:
    """Runs the package's tests; file -> [line, column, name, kinds]."""
    site = next((folder / "lib").glob("python*")) / "site-packages"
    work = folder / "seen" / package.name
    work.mkdir(parents=True, exist_ok=True)
    for old in work.glob("seen.json.*"):
        old.unlink()
    variables = os.environ | {
        "ARRAYNESS_ROOTS": str(site / package.module),
        "ARRAYNESS_OUT": str(work / "seen.json"),
        "ARRAYNESS_SECONDS": str(seconds),
        "PYTHONPATH": str(Path(__file__).parent),
        "NUMBA_DISABLE_JIT": "1",
        "MPLBACKEND": "Agg",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    options = ["-p", "arrayness_recorder", "-p", "no:cacheprovider", "-p", "no:warnings", "-q", "--no-header"]
    options.append("--continue-on-collection-errors")
    tests = [str(site / test) if "/" in test else test for test in package.tests]
    command = [folder / "bin" / "python", "-m", "pytest", *options, "--pyargs", *tests]
    print(f"arrayness: {package.name}", file=sys.stderr, flush=True)
    done = subprocess.run(command, env=variables, cwd=work, capture_output=True, encoding="utf-8", errors="replace")
    last = done.stdout.strip().split("\n")[-1][:150]
    print(f"  {last}", file=sys.stderr, flush=True)
    files: dict[str, dict[tuple[int, int, str], set[str]]] = collections.defaultdict(
        lambda: collections.defaultdict(set)
    )
    for part in work.glob("seen.json.*"):
        for file, entries in json.loads(part.read_text()).items():
            for line, column, name, kinds in entries:
                files[file][line, column, name] |= set(kinds)
    return {file: [[*key, sorted(kinds)] for key, kinds in entries.items()] for file, entries in files.items()}


@dataclasses.dataclass
class Tally:
    arrays: int = 0  # bindings that were arrays and nothing else
    found: int = 0
    called: int = 0  # bindings called arrays, of those that ran
    right: int = 0
    mixed: int = 0  # of `right`: something else came by as well
    wrong: list[str] = dataclasses.field(default_factory=list)
    missed: collections.Counter[str] = dataclasses.field(default_factory=collections.Counter)
    examples: list[str] = dataclasses.field(default_factory=list)

    def add(self, other: Tally) -> None:
        for field in ("arrays", "found", "called", "right", "mixed"):
            setattr(self, field, getattr(self, field) + getattr(other, field))
        self.wrong += other.wrong
        self.missed += other.missed


def facts_of(folder: Path) -> dict[str, dict[tuple[int, int, str], Any]]:
    """What cpnlint says of each binding of a package that it analyses as a whole: file -> place and name -> fact."""
    files: dict[str, dict[tuple[int, int, str], Any]] = collections.defaultdict(dict)
    for fact in common.run_json("inspect", "facts", "--output-format", "json", folder, timeout=600):
        files[os.path.realpath(fact["path"])][fact["line"], fact["byte_column"], fact["name"]] = fact
    return files


def compare(place: Path, entries: list[Any], facts: dict[tuple[int, int, str], Any] | None) -> Tally:
    """`facts`: of the file; None where cpnlint did not read it, and so knows of none of its arrays."""
    tally = Tally()
    for line, column, name, kinds_list in entries:
        if facts is None and set(kinds_list) <= ARRAYS:
            tally.arrays += 1
            tally.missed["in a file that was not read"] += 1
        fact = (facts or {}).get((line, column + 1, name))
        if fact is None:
            continue  # not a binding to the analysis (an annotated name without a value, say)
        kinds = set(kinds_list) - {"None"}
        called = fact["kind"] == "array" and fact["confidence"] in ("certain", "likely")
        said = f"{place}:{line}: {name}: {', '.join(kinds_list)}; said: {fact['text']}"
        if kinds and kinds <= ARRAYS:
            tally.arrays += 1
            tally.found += called
            if not called:
                tally.missed["possible" if fact["kind"] == "array" else fact["kind"]] += 1
                tally.examples.append(said)
        if called and fact["rank"] == 0 and kinds == {"other"}:
            continue  # a Python bool or number of NumPy's where cuPyNumeric gives an array without dimensions
        if called and kinds:  # None alone says nothing: an optional array that nobody passed
            tally.called += 1
            zero_d = fact["rank"] in (None, 0)
            if kinds & ARRAYS or (zero_d and kinds & ZERO_D):
                tally.right += 1
                tally.mixed += not kinds <= ARRAYS | ZERO_D
            elif "object array" in kinds:
                tally.right += 1
            else:
                tally.wrong.append(said)
    return tally


def share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "–"


def page(tallies: dict[str, Tally], seconds: int) -> str:
    total = Tally()
    for tally in tallies.values():
        total.add(tally)
    lines = [
        "# Which names are arrays",
        "",
        "Written by `python3 tests/tools/arrayness.py --update`; not by hand.",
        "",
        "The packages' own tests run while every binding of a name or of an attribute of `self` is recorded, and what",
        "`cpnlint inspect facts` of the whole package says of the same binding is compared. *found*: of the bindings that",
        "held arrays and nothing else, how many are known as arrays, certain or likely. *right*: of the bindings called arrays, certain",
        "or likely, how many held one. *mixed*: right, and something else (a list, a number) came by as well. `None`",
        "never counts: an optional array that nobody passed says nothing. Each test suite had",
        f"{seconds} seconds of processor time.",
        "",
        "| package | arrays at run time | found | called arrays | right | mixed |",
        "|---|---|---|---|---|---|",
    ]
    for name, tally in [*tallies.items(), ("all", total)]:
        lines.append(
            f"| {name} | {tally.arrays} | {tally.found} ({share(tally.found, tally.arrays)}) | {tally.called} "
            f"| {tally.right} ({share(tally.right, tally.called)}) | {tally.mixed} |"
        )
    lines += ["", "What was said of the arrays that are not found:", "", "| said | bindings |", "|---|---|"]
    lines += [f"| {kind} | {count} |" for kind, count in total.missed.most_common()]
    if total.wrong:
        lines += ["", "Called an array, and never one when the tests ran:", "", *(f"- {text}" for text in total.wrong)]
    return "\n".join(lines) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--update", action="store_true", help="write docs/arrayness.md")
    parser.add_argument("--only", help="one package; prints every miss")
    parser.add_argument("--seconds", type=int, default=60, help="of processor time per test suite (60)")
    parser.add_argument("--again", action="store_true", help="compare what the last run recorded")
    args = parser.parse_args()
    pinned = packages()
    folder = environment(pinned)
    site = next((folder / "lib").glob("python*")) / "site-packages"
    tallies = {}
    for package in pinned:
        if args.only not in (None, package.name):
            continue
        kept = folder / "seen" / f"{package.name}.json"
        if not args.again or not kept.exists():
            seen = watch(package, folder, args.seconds)
            kept.write_text(json.dumps(seen))
        tally = Tally()
        facts = facts_of(site / package.module)
        for file, entries in sorted(json.loads(kept.read_text()).items()):
            one = compare(Path(file).relative_to(site), entries, facts.get(os.path.realpath(file)))
            tally.add(one)
            tally.examples += one.examples
        tallies[package.name] = tally
        if args.only:
            print("\n".join(tally.examples))
    text = page(tallies, args.seconds)
    if args.update:
        PAGE.write_text(text, encoding="utf-8")
    print(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
