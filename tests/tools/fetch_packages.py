"""Fetches the packages of packages.txt into the user's cache folder, unpacks their Python files, prints the folders.

    python3 tests/tools/fetch_packages.py            once; later calls only print
    python3 tests/tools/fetch_packages.py --fresh    those of packages-fresh.txt, which nothing was mended on
    cpnlint check $(python3 tests/tools/fetch_packages.py)
"""

from __future__ import annotations

import hashlib
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import common

PINS = Path(__file__).with_name("packages.txt")
FRESH = Path(__file__).with_name("packages-fresh.txt")
# The wheels are read, never imported, so their Python and platform need not be this machine's.
WHEELS_FOR = ("--ignore-requires-python", "--python-version", "3.11", *(
    word for name in ("manylinux2014_x86_64", "manylinux_2_17_x86_64", "manylinux_2_28_x86_64", "any")
    for word in ("--platform", name)
))  # fmt: skip


def download(folder: Path, pins: Path) -> None:
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
    options = ["--only-binary", ":all:", *WHEELS_FOR, "--require-hashes", "-d", folder, "-r", pins]
    print(f"fetching the packages of {pins.name} into {folder} (some 180 to 500 MB, once)", file=sys.stderr, flush=True)
    if subprocess.run([*pip, *options]).returncode != 0:
        sys.exit("pip could not fetch the packages; its words are above")


def unpack(wheel: Path, folder: Path) -> None:
    """The Python files and notebooks of a wheel. Into a neighbour first: a folder that is there is whole."""
    unfinished = folder.with_name(folder.name + ".part")
    shutil.rmtree(unfinished, ignore_errors=True)
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(unfinished, [name for name in archive.namelist() if name.endswith((".py", ".ipynb"))])
    unfinished.rename(folder)


def folders(pins: Path = PINS) -> list[Path]:
    """The unpacked packages, in the order of their list."""
    cache = common.cache_folder() / pins.stem
    cache.mkdir(parents=True, exist_ok=True)
    listed = re.findall(r"^([\w-]+)==(\S+) --hash=sha256:(\w+)$", pins.read_text(), re.MULTILINE)
    found = [cache / f"{name}-{version}" for name, version, _ in listed]
    if all(folder.is_dir() for folder in found):
        return found
    wheels = cache / "wheels"
    download(wheels, pins)
    by_hash = {hashlib.sha256(wheel.read_bytes()).hexdigest(): wheel for wheel in wheels.glob("*.whl")}
    for folder, (_, _, digest) in zip(found, listed):
        if not folder.is_dir():
            unpack(by_hash[digest], folder)
    return found


if __name__ == "__main__":
    for package in folders(FRESH if sys.argv[1:] == ["--fresh"] else PINS):
        print(package)
