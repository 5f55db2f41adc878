"""`python -m cpnlint` runs the native program that this package installed."""

import os
import subprocess
import sys
import sysconfig


def program() -> str:
    """The program in the scripts folder of this Python, or of the user's own installs."""
    name = "cpnlint" + (sysconfig.get_config_var("EXE") or "")
    schemes = (sysconfig.get_default_scheme(), sysconfig.get_preferred_scheme("user"))
    candidates = [os.path.join(sysconfig.get_path("scripts", scheme), name) for scheme in schemes]
    for path in candidates:
        if os.path.isfile(path):
            return path
    sys.exit(f"cpnlint: the program is not where its package puts it: {' or '.join(candidates)}; reinstall it")


if __name__ == "__main__":
    command = [program(), *sys.argv[1:]]
    if os.name == "nt":
        sys.exit(subprocess.call(command))
    os.execv(command[0], command)
