"""cpnlint: static readiness checks for NumPy code on its way to cuPyNumeric. The program itself is native."""

from __future__ import annotations

import os
import sys
import sysconfig

__all__ = ["find_cpnlint_bin"]


def _folders() -> list[str]:
    """Where installers put a package's programs, the likeliest first."""
    here = os.path.dirname(os.path.abspath(__file__))  # <site-packages>/cpnlint
    folders = []
    # Beside this very package: `pip install --prefix`, `--target`.
    root = os.path.dirname(here)
    for _ in range(4):
        folders.append(os.path.join(root, "bin"))
        root = os.path.dirname(root)
    if os.name == "nt":
        folders = [os.path.join(os.path.dirname(folder), "Scripts") for folder in folders]
    folders.append(sysconfig.get_path("scripts"))
    # A virtual environment that sees the packages of the Python it was made with.
    folders.append(sysconfig.get_path("scripts", vars={"base": sys.base_prefix}))
    user = "nt_user" if os.name == "nt" else "posix_user"
    if sys.platform == "darwin" and sysconfig.get_config_var("PYTHONFRAMEWORK"):
        user = "osx_framework_user"
    folders.append(sysconfig.get_path("scripts", scheme=user))
    return list(dict.fromkeys(folders))


def find_cpnlint_bin() -> str:
    """The path of the native program that this package installed."""
    name = "cpnlint" + (sysconfig.get_config_var("EXE") or "")
    folders = _folders()
    for folder in folders:
        path = os.path.join(folder, name)
        if os.path.isfile(path):
            return path
    raise FileNotFoundError(f"the program {name} is in none of {', '.join(folders)}; reinstall cpnlint")
