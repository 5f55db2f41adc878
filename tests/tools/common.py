"""What the test tools share: where things are, how cpnlint is run, what may be installed from the package index."""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]

# A test looks at what the program does, not at what an earlier run found; those of the cache ask for one.
os.environ["CPNLINT_NO_CACHE"] = "1"

# pip packages that tests use. They go into a virtual environment in the user's cache folder, made on first use.
TEST_PACKAGES = ("jsonschema==4.23.0", "pre-commit==4.0.1", "numpy==2.1.3", "lxml==5.3.0")
# What drives a browser (tests/e2e/page_test.py), in an environment of its own: installed only where there is a browser.
BROWSER_PACKAGES = ("playwright==1.65.2",)


def program() -> str:
    """The cpnlint under test: CPNLINT names it, else it is the release build."""
    path = os.environ.get("CPNLINT", str(ROOT / "build" / "release" / "bin" / "cpnlint"))
    if not os.access(path, os.X_OK):
        sys.exit(f"there is no program {path}: build it with ./dev build, or name one in CPNLINT")
    return path


def run(*args: str | os.PathLike[str], **options: Any) -> subprocess.CompletedProcess[str]:
    """Runs cpnlint and captures what it says. `timeout` guards against a hang; text is UTF-8 whatever the locale."""
    options.setdefault("timeout", 120)
    options.setdefault("stdin", subprocess.DEVNULL if "input" not in options else None)
    if options["stdin"] is None:
        del options["stdin"]
    command = [program(), *map(os.fspath, args)]
    return subprocess.run(command, capture_output=True, encoding="utf-8", errors="surrogateescape", **options)


def run_json(*args: str | os.PathLike[str], **options: Any) -> Any:
    """The JSON that a command prints; a command that fails or prints anything else ends the test run."""
    done = run(*args, **options)
    try:
        return json.loads(done.stdout)
    except json.JSONDecodeError as error:
        words = " ".join(map(os.fspath, args))
        said = done.stderr + done.stdout[:2000]
        sys.exit(f"cpnlint {words}\nprinted no JSON ({error}), exit code {done.returncode}:\n{said}")


def all_rules() -> list[dict[str, Any]]:
    """The rules' metadata in code order, as `cpnlint rules` gives them."""
    document = run_json("rules", "--output-format", "json")
    return document["rules"] if isinstance(document, dict) else document


def cache_folder() -> Path:
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return Path(base) / "cpnlint"


def test_environment(packages: tuple[str, ...] = TEST_PACKAGES) -> Path:
    """The virtual environment with these packages. Its name holds their versions, so a new pin makes a new one."""
    pins = hashlib.sha256(" ".join((*packages, sys.version.split()[0])).encode()).hexdigest()[:12]
    folder = cache_folder() / f"test-env-{pins}"
    ready = folder / "ready"
    if ready.exists():
        return folder
    folder.parent.mkdir(parents=True, exist_ok=True)
    with open(folder.parent / "test-env.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # ctest runs tests side by side; the first one installs, the others wait
        if not ready.exists():
            print(f"installing {' '.join(packages)} into {folder} (once)", file=sys.stderr, flush=True)
            subprocess.run([sys.executable, "-m", "venv", "--clear", folder], check=True)
            pip = [folder / "bin" / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
            if subprocess.run([*pip, *packages]).returncode != 0:
                sys.exit(f"pip could not install {' '.join(packages)}, which tests need; its words are above")
            ready.touch()
    return folder


def use_test_packages(packages: tuple[str, ...] = TEST_PACKAGES) -> None:
    """Makes packages importable in this process."""
    folder = test_environment(packages)
    path = sysconfig.get_path("purelib", vars={"base": str(folder), "platbase": str(folder)})
    if path not in sys.path:
        sys.path.insert(0, path)


def browser() -> str | None:
    """A Chromium: CPNLINT_BROWSER names one, else the one on the path; None where there is none."""
    named = os.environ.get("CPNLINT_BROWSER")
    return named or next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


def natural(text: str) -> list[Any]:
    """Sort key that counts: R2 before R10, line 9 before line 10."""
    return [int(part) if part.isdigit() else part for part in re.split(r"(\d+)", text)]
