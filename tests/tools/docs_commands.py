"""Runs every command of cpnlint that a document names, in a project made for it. Part of docs_check.py.

Commands stand in back-ticks, in ```sh blocks and in the steps of ```yaml blocks. What stands for something else (FILE,
PATH...) is replaced by something that there is; a command has to end with 0 or 1, and never with "bad usage". Commands
of ./dev and scripts of ours have to exist.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import common

FENCE = re.compile(r"^(?P<indent> *)```(?P<language>\w*)\n(?P<body>.*?)^(?P=indent)```$", re.DOTALL | re.MULTILINE)
INLINE = re.compile(r"(?<!`)`((?:[^`\n]|\n(?!\s*\n))+)`(?!`)")
BARE = re.compile(r"cpnlint [a-z]+(?: [a-z]+)?")  # the name of a command, where it is spoken of
STEP = re.compile(r"^(?:- )?(?:run|script): *(?:\|)?")
OURS = re.compile(r'(?:eval "\$\()?cpnlint (?!check$|VERSION)\S')
BESIDE = ("git ", "cat ")  # what else a block of commands may hold
# Run by tests of their own: they take a minute, or do not end.
ELSEWHERE = {
    "cpnlint calibrate": "calibrate_test.py",
    "cpnlint --watch src/": "watch_test.py",
    "cpnlint --watch | head": "watch_test.py",
}
STANDS_FOR = (
    ("cpnlint --prune src/", "cpnlint --config 'ratchet=\"ratchet.json\"' --prune src/"),
    ("--write-baseline FILE", "--write-baseline new.json"),
    ("--baseline FILE", "--baseline base.json"),
    ("--exit-code FILE", "--exit-code base.json"),
    ("--profile FILE", "--profile machine.json"),
    ("FILE:LINE RULE", "src/a.py:12 R104"),
    ("FILE:LINE R399", "src/a.py:12 R104"),
    ("profile show NAME", "profile show h100-sxm"),
    ("api NAME", "api np.mean"),
    ("CODE...", "R101 R104"),
    ("PATH...", "src"),
    ("FILE", "src/a.py"),
    ("FOLDER", "folder"),
    ("$(Build.ArtifactStagingDirectory)", "."),
    ("${{ github.base_ref || 'main' }}", "main"),
)
SOURCE = """\
import numpy as np


def run(n, steps):
    u = np.ones(n)
    log = []
    for i in range(n):
        u[i] = 0.5 * i
    for step in range(steps):
        u = 0.5 * u
        u[0] = 1.0
        log.append(float(u.max()))
    return u, log


run(1000, 500)
"""


def make_project(folder: Path) -> None:
    """What the documents speak of: src/, a notebook, a baseline, a profile, a branch, the examples."""
    (folder / "src").mkdir(parents=True)
    (folder / "src" / "a.py").write_text(SOURCE)
    shutil.copytree(common.ROOT / "docs" / "examples", folder / "docs" / "examples")
    shutil.copy(common.ROOT / "docs" / "examples" / "lecture.ipynb", folder)
    (folder / ".config" / "fish" / "completions").mkdir(parents=True)
    tools = folder / "bin"
    tools.mkdir()
    (tools / "cpnlint").symlink_to(Path(common.program()).resolve())
    (tools / "reviewdog").write_text("#!/bin/sh\nexec cat > /dev/null\n")
    (tools / "reviewdog").chmod(0o755)
    profile = common.run("profile", "show", "h100-sxm", "--output-format", "json").stdout
    (folder / "machine.json").write_text(profile)
    common.run("check", "--isolated", "--no-cache", "--write-baseline", "base.json", "src", cwd=folder)
    author = ("-c", "user.name=test", "-c", "user.email=test@localhost")
    for words in (
        ("init", "-q", "-b", "main"), ("add", "src", "docs", "base.json"), (*author, "commit", "-q", "-m", "state"),
        ("update-ref", "refs/remotes/origin/main", "HEAD"),
    ):  # fmt: skip
        subprocess.run(("git", *words), cwd=folder, env=environment(folder), check=True, capture_output=True)


def environment(folder: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("CPNLINT_", "GIT_", "XDG_"))}
    return kept | {
        "HOME": str(folder), "PATH": f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}", "CPNLINT_NO_CACHE": "1",
        "GITHUB_STEP_SUMMARY": str(folder / "step-summary.md"), "GIT_CONFIG_GLOBAL": os.devnull,
    }  # fmt: skip


def commands(text: str) -> Iterator[list[str]]:
    """The commands in a document's text; those of one block belong together."""
    for block in FENCE.finditer(text):
        if block["language"] not in ("sh", "yaml"):
            continue
        lines = [STEP.sub("", line.strip()).strip() for line in block["body"].splitlines()]
        if any(OURS.match(line) for line in lines):
            yield [line for line in lines if OURS.match(line) or line.startswith(BESIDE)]
    for code in INLINE.findall(FENCE.sub("", text)):
        if OURS.match(code):
            yield [" ".join(code.split())]


def replaced(command: str) -> str:
    for words, instead in STANDS_FOR:
        command = command.replace(words, instead)
    return command


def run(command: str, project: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ("bash", "-c", "fpath=(. .)\n" + replaced(command)), cwd=project, env=environment(project),
        input=(project / "lecture.ipynb").read_text(), capture_output=True, encoding="utf-8", timeout=120,
    )  # fmt: skip


def check_commands(documents: dict[str, str]) -> Iterator[str]:
    with tempfile.TemporaryDirectory() as temporary:
        template = Path(temporary) / "template"
        make_project(template)
        seen: set[tuple[str, ...]] = set()
        for name, text in documents.items():
            for together in commands(text):
                if tuple(together) in seen or together[0] in ELSEWHERE:
                    continue
                seen.add(tuple(together))
                project = Path(temporary) / "project"
                shutil.copytree(template, project, symlinks=True)
                for command in together:
                    done = run(command, project)
                    if done.returncode == 2 and BARE.fullmatch(command):
                        done = run(command + " --help", project)
                    if done.returncode not in (0, 1) or "command not found" in done.stderr:
                        yield f"{name}: `{command}` ended with {done.returncode}: {done.stderr.strip()}"
                shutil.rmtree(project)


def check_scripts(documents: dict[str, str]) -> Iterator[str]:
    """./dev COMMAND, and scripts that somebody is told to start."""
    dev = (common.ROOT / "dev").read_text(encoding="utf-8")
    known = set(re.findall(r"^  ([a-z]+) ", dev, re.MULTILINE)) | {"help"}
    for name, text in documents.items():
        for command in re.findall(r"\./dev ([a-z]+)", text):
            if command not in known:
                yield f"{name}: there is no `./dev {command}`"
        for script in re.findall(r"python3? (?:-B )?((?:tests|python)/[\w./]+\.py)", text):
            if not (common.ROOT / script).is_file():
                yield f"{name}: there is no {script}"
    for test in set(ELSEWHERE.values()):
        if not (common.ROOT / "tests" / "e2e" / test).is_file():
            yield f"docs_commands.py: there is no {test}"
