"""Builds the documents as a site (build/site) and fails on any link or anchor that leads nowhere. `./dev site`."""

from __future__ import annotations

import subprocess
import sys

import common

PACKAGES = ("mkdocs==1.6.1",)


def main() -> None:
    python = common.test_environment(PACKAGES) / "bin" / "python"
    command = [python, "-m", "mkdocs", "build", "--clean", "-f", common.ROOT / "mkdocs.yml"]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    if done.returncode != 0:
        sys.exit(done.stdout + done.stderr + "\nthe site could not be built; the words above name the pages")
    print(f"site: {len(list((common.ROOT / 'build' / 'site').rglob('*.html')))} pages in build/site, no broken link")


if __name__ == "__main__":
    main()
