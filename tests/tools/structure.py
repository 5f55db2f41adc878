"""Checks what the compiler cannot: who may include whom, where each library may appear, and how long a file may be.

The table is that of docs/architecture.md. Exit code 1 and one line per offence.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import common

BEFORE_RULES = ("analyzer/base", "analyzer/api", "analyzer/ir", "analyzer/analysis")
ENGINE = (*BEFORE_RULES, "rules/engine")
FAMILY = (*ENGINE, "rules/match", "rules/recipes")
FAMILIES = ("rules/scale", "rules/block", "rules/refactor", "rules/info")

# Folder -> the folders (or headers) that it may include besides itself.
MAY_INCLUDE: dict[str, tuple[str, ...]] = {
    "analyzer/base": (),
    "analyzer/source": ("analyzer/base",),
    "analyzer/syntax": ("analyzer/base", "analyzer/source"),
    "analyzer/ir": ("analyzer/base",),
    "analyzer/api": ("analyzer/base", "embedded"),
    "analyzer/lower": ("analyzer/base", "analyzer/source", "analyzer/syntax", "analyzer/ir", "analyzer/api"),
    "analyzer/analysis": ("analyzer/base", "analyzer/ir", "analyzer/api"),
    "analyzer/native": ("analyzer/base",),
    "rules/engine": BEFORE_RULES,
    "rules/match": ENGINE,
    "rules/recipes": ENGINE,
    **{family: FAMILY for family in FAMILIES},
    "rules/memory": (*FAMILY, "cost-model"),
    "rules/verdict": (*FAMILY, "cost-model"),
    "cost-model": (*ENGINE, "rules/match/carried.h"),  # what a help says stays in order has no price
    "cli": (
        *(f"analyzer/{room}" for room in ("base", "source", "syntax", "ir", "api", "lower", "analysis")),
        *("rules/engine", "rules/recipes", "rules/verdict", "cost-model", "cli", "embedded"),
        "runtime-kernels/calibrate.h",
    ),
    "runtime-kernels": ("analyzer/base", "cost-model/profile.h", "embedded"),
}
# A rule is one .cpp that nobody includes, so its folder has no header to include either.
WITHOUT_HEADERS = (*FAMILIES, "rules/memory")

# Header prefix in <> -> the one place that may include it (beside tests/bench, which measures the parser alone).
ONLY_IN = {
    "tree_sitter/": "analyzer/syntax",
    "clang/": "analyzer/native",
    "llvm/": "analyzer/native",
    "cuda": "runtime-kernels",
    "cublas": "runtime-kernels",
    "nccl": "runtime-kernels",
    "mpi.h": "runtime-kernels",
    "CLI/": "cli",
    "toml++/": "cli",
}
# Each costs seconds per file that includes it, so never from a header of ours.
HEAVY = ("nlohmann/", "CLI/", "toml++/", "fmt/")

LONGEST = 800
COUNTED = {".h", ".cpp", ".def", ".cu", ".cuh", ".py", ".sh", ".cmake", ".txt", ""}
DATA = ("tests/fixtures/", "tests/golden/", "tests/schemas/", "docs/", "rulesets/", "LICENSE")
INCLUDE = re.compile(r'^\s*#\s*include\s*(?:"([^"]+)"|<([^>]+)>)', re.MULTILINE)
# What only this project's makers have; a clone elsewhere could not follow it.
FOREIGN = re.compile(r"/work/main|\.\./shared\b|\.library/")


def files() -> list[str]:
    """Every file of ours: tracked, or new and not ignored."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(command, cwd=common.ROOT, check=True, capture_output=True, encoding="utf-8").stdout
    return sorted({name for name in names.split("\0") if name and (common.ROOT / name).is_file()})


def room_of(name: str) -> str | None:
    """The folder of the table that a file belongs to."""
    folders = [folder for folder in MAY_INCLUDE if name.startswith(folder + "/")]
    return max(folders, key=len, default=None)


def covers(allowed: str, included: str) -> bool:
    return included == allowed or included.startswith(allowed + "/")


def check_quoted(name: str, room: str, included: str) -> Iterator[str]:
    exists = (common.ROOT / included).is_file() or included.startswith("embedded/")
    if not exists:
        yield f'{name}: "{included}" is no path from the repository root'
    elif not any(covers(allowed, included) for allowed in (room, *MAY_INCLUDE[room])):
        yield f'{name}: {room} may not include "{included}"'


def check_angled(name: str, included: str) -> Iterator[str]:
    for prefix, place in ONLY_IN.items():
        if included.startswith(prefix) and not name.startswith((place + "/", "tests/bench/")):
            yield f"{name}: <{included}> belongs into {place}"
    if name.endswith(".h") and included.startswith(HEAVY):
        yield f"{name}: <{included}> is too costly for a header"


def check_python(name: str, text: str) -> Iterator[str]:
    try:
        compile(text, name, "exec", dont_inherit=True)
    except SyntaxError as error:
        yield f"{name}:{error.lineno}: {error.msg}"


def check_file(name: str, text: str) -> Iterator[str]:
    path = Path(name)
    lines = text.count("\n") + (not text.endswith("\n"))
    if path.suffix in COUNTED and not name.startswith(DATA) and lines > LONGEST:
        yield f"{name}: {lines} lines, and {LONGEST} are the limit: split it by what it is for"
    if name != "tests/tools/structure.py" and (match := FOREIGN.search(text)):
        yield f"{name}: names {match[0]}, which exists only on one machine"
    if path.suffix == ".py" and not name.startswith(("tests/fixtures/", "tests/golden/")):
        yield from check_python(name, text)
    if path.suffix not in {".h", ".cpp", ".cu", ".cuh", ".def"}:
        return
    room = room_of(name)
    if room in WITHOUT_HEADERS and path.suffix == ".h":
        yield f"{name}: a rule has no header; what three rules share belongs into rules/match"
    if room is None and not name.startswith("tests/"):
        yield f"{name}: its folder is not in the include table"
    if path.suffix == ".h" and "#pragma once" not in text:
        yield f"{name}: lacks #pragma once"
    for quoted, angled in INCLUDE.findall(text):
        if quoted and room is not None:
            yield from check_quoted(name, room, quoted)
        if angled:
            yield from check_angled(name, angled)


def main() -> int:
    offences: list[str] = []
    names = files()
    for name in names:
        try:
            text = (common.ROOT / name).read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue  # test inputs may be any bytes
        offences += check_file(name, text)
    print("".join(f"{offence}\n" for offence in offences), end="")
    print(f"structure: {len(names)} files, {len(offences)} offences")
    return 1 if offences or not names else 0


if __name__ == "__main__":
    sys.exit(main())
