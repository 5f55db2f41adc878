"""Builds what is published: the source package, and from it the wheel.

    python3 python/make_wheel.py [FOLDER]        (dist/ where none is named; needs the packages build and wheel)

The wheel is tagged for every Linux of its kind of processor only where its program is linked with no shared library at
all; else it keeps the narrow tag that it was built with, and this ends with an error.
"""

from __future__ import annotations

import argparse
import platform
import struct
import subprocess
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LARGEST = 6_000_000  # bytes
PT_DYNAMIC, PT_INTERP = 2, 3


def is_static(program: bytes) -> bool:
    """Whether an ELF file for 64 bits, little-endian, asks for neither a loader nor shared libraries."""
    if program[:6] != b"\x7fELF\x02\x01":
        sys.exit("the wheel's program is no ELF file of 64 bits")
    offset, size, count = *struct.unpack_from("<Q", program, 32), *struct.unpack_from("<HH", program, 54)
    kinds = {struct.unpack_from("<I", program, offset + i * size)[0] for i in range(count)}
    return not kinds & {PT_DYNAMIC, PT_INTERP}


def program_of(wheel: Path) -> bytes:
    with zipfile.ZipFile(wheel) as archive:
        names = [name for name in archive.namelist() if name.endswith(".data/scripts/cpnlint")]
        if len(names) != 1:
            sys.exit(f"{wheel.name} has the programs {names}, and one is meant")
        return archive.read(names[0])


def run(*words: str | Path) -> None:
    if subprocess.run(words, cwd=ROOT).returncode != 0:
        sys.exit(f"{' '.join(map(str, words))} failed; its words are above")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="?", default=ROOT / "dist")
    folder = parser.parse_args().folder.resolve()
    for old in [*folder.glob("cpnlint-*.whl"), *folder.glob("cpnlint-*.tar.gz")]:
        old.unlink()
    run(sys.executable, "-m", "build", "--outdir", folder, ROOT)  # the wheel from the source package, as pip does it
    [wheel] = folder.glob("cpnlint-*.whl")
    if not is_static(program_of(wheel)):
        sys.exit(f"the program in {wheel} needs shared libraries: this system has no static C library to build it with")
    machine = platform.machine()
    tags = ".".join(f"{kind}_{machine}" for kind in ("manylinux_2_17", "manylinux2014", "musllinux_1_2"))
    run(sys.executable, "-m", "wheel", "tags", "--platform-tag", tags, "--remove", wheel)
    for path in sorted(folder.iterdir()):
        print(f"{path.name}  {path.stat().st_size:,} bytes")
    [wheel] = folder.glob("cpnlint-*.whl")
    if wheel.stat().st_size > LARGEST:
        sys.exit(f"{wheel.name} has {wheel.stat().st_size:,} bytes, and {LARGEST:,} are the limit")


if __name__ == "__main__":
    main()
