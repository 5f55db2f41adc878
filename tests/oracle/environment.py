"""The real cuPyNumeric in a virtual environment of the user's cache folder, made to start without a GPU.

The wheels link the driver library, libcuda.so.1. Where a machine has no driver, a stand-in that answers "no device" to
every call lets Legate start on its CPU path; everything else is the real library.
"""

from __future__ import annotations

import fcntl
import os
import re
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
import common

# The version that the executed part of the API tables was made with, and what programs of the rules import.
VERSION = "26.6.1"
PACKAGES = (f"nvidia-cupynumeric=={VERSION}", "scipy==1.17.1")
PYTHONS = ((3, 11), (3, 14))  # for which there are wheels

# CUDA_ERROR_NO_DEVICE is 100. cuGetProcAddress hands out other entry points, the error texts and the version are read
# before anything else is asked.
STAND_IN = """\
#define _GNU_SOURCE
#include <dlfcn.h>
static int no_device(void) { return 100; }
static void *entry(const char *name) {
  void *found = dlsym(RTLD_DEFAULT, name);
  return found ? found : (void *)no_device;
}
int cuGetErrorName(int error, const char **text) { *text = "CUDA_ERROR_NO_DEVICE"; return 0; }
int cuGetErrorString(int error, const char **text) { *text = "no CUDA-capable device is detected"; return 0; }
int cuDriverGetVersion(int *version) { *version = 13000; return 0; }
int cuGetProcAddress(const char *name, void **to, int version, unsigned long flags) { *to = entry(name); return 0; }
int cuGetProcAddress_v2(const char *name, void **to, int version, unsigned long flags, int *status) {
  *to = entry(name);
  if (status) *status = 0;
  return 0;
}
"""
WRITTEN = set(re.findall(r"^int (cu\w+)", STAND_IN, re.MULTILINE))


def has_driver() -> bool:
    return "libcuda.so.1" in subprocess.run(["ldconfig", "-p"], capture_output=True, text=True).stdout


def make_stand_in(folder: Path) -> None:
    """Every driver function that some library of the environment asks for, in a libcuda.so.1 of our own."""
    libraries = [path for path in folder.rglob("*.so*") if path.is_file() and not path.is_symlink()]
    listed = subprocess.run(["nm", "-D", "--undefined-only", *libraries], capture_output=True, text=True).stdout
    wanted = set(re.findall(r" U (cu[A-Z]\w*)", listed)) - WRITTEN
    source = folder / "driver" / "stand_in.c"
    source.parent.mkdir(exist_ok=True)
    functions = "".join(f"int {name}(void) {{ return 100; }}\n" for name in sorted(wanted))
    source.write_text(STAND_IN + functions)
    library = source.with_name("libcuda.so.1")
    command = ["cc", "-w", "-shared", "-fPIC", "-Wl,-soname,libcuda.so.1", "-o", library, source, "-ldl"]
    if subprocess.run(command).returncode != 0:
        sys.exit("the stand-in for the CUDA driver does not compile; the compiler's words are above")


def make() -> Path:
    """The environment's folder; made once, some 3 GB."""
    if not PYTHONS[0] <= sys.version_info[:2] <= PYTHONS[1]:
        sys.exit(f"cuPyNumeric {VERSION} has wheels for Python 3.11 to 3.14, and this is {sys.version.split()[0]}")
    folder = common.cache_folder() / f"oracle-{VERSION}-py{sys.version_info[0]}{sys.version_info[1]}"
    folder.parent.mkdir(parents=True, exist_ok=True)
    with open(folder.parent / "oracle.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if (folder / "ready").exists():
            return folder
        print(f"installing {' '.join(PACKAGES)} into {folder} (3 GB, once)", file=sys.stderr, flush=True)
        subprocess.run([sys.executable, "-m", "venv", "--clear", folder], check=True)
        pip = [folder / "bin" / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        if subprocess.run([*pip, *PACKAGES]).returncode != 0:
            sys.exit("pip could not install cuPyNumeric; its words are above")
        if not has_driver():
            make_stand_in(folder)
        (folder / "ready").touch()
    return folder


def command(folder: Path, processors: int = 2, memory: int = 4000) -> list[str]:
    return [str(folder / "bin" / "legate"), "--cpus", str(processors), "--gpus", "0", "--sysmem", str(memory)]


def variables(folder: Path) -> dict[str, str]:
    """The environment variables under which `command` runs."""
    path = {**os.environ, "PATH": f"{folder / 'bin'}{os.pathsep}{os.environ.get('PATH', '')}", "PYTHONHASHSEED": "0"}
    if (folder / "driver").is_dir():
        path["LD_LIBRARY_PATH"] = str(folder / "driver")
    return path
