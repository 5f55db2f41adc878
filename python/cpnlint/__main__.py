"""`python -m cpnlint` runs the native program that this package installed."""

import os
import subprocess
import sys

from cpnlint import find_cpnlint_bin

if __name__ == "__main__":
    try:
        command = [find_cpnlint_bin(), *sys.argv[1:]]
    except FileNotFoundError as error:
        sys.exit(f"cpnlint: {error}")
    if os.name == "nt":
        sys.exit(subprocess.call(command))
    os.execv(command[0], command)
