"""The pre-commit hooks, run by pre-commit itself in a repository of their own, and the mirror that installs the wheel.

The hook that builds cpnlint from a clone takes minutes, and pip asks the package index for the mirror's build tool, so
these run only where CPNLINT_SLOW_TESTS is set.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

import harness
from ci_test import VERSION, write_wheel
from harness import common

MIRROR = common.ROOT / "python" / "mirror" / "make_mirror.py"
AUTHOR = {f"GIT_{who}_{what}": "test@localhost" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}


class PreCommit(harness.ProgramTest):
    def setUp(self) -> None:
        super().setUp()
        self.tool = common.test_environment() / "bin" / "pre-commit"
        self.environment |= {
            "PRE_COMMIT_HOME": str(self.folder / "pre-commit-cache"),
            "PATH": f"{Path(common.program()).parent}{os.pathsep}{os.environ['PATH']}",
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CONFIG_SYSTEM": os.devnull,
        }
        for name in [name for name in self.environment if name.startswith("GIT_") and "CONFIG" not in name]:
            del self.environment[name]

    def command(self, folder: Path, *words: str | Path) -> subprocess.CompletedProcess[str]:
        return subprocess.run(words, cwd=folder, env=self.environment, capture_output=True, encoding="utf-8")

    def commit(self, folder: Path) -> str:
        author = ("-c", "user.name=test", "-c", "user.email=test@localhost")
        for words in (("init", "-q"), ("add", "-A"), (*author, "commit", "-q", "--no-verify", "-m", "state")):
            done = self.command(folder, "git", *words)
            self.assertEqual(done.returncode, 0, done.stderr)
        return self.command(folder, "git", "rev-parse", "HEAD").stdout.strip()

    def user(self, hook: str, source: Path, revision: str, *args: str) -> Path:
        """A user's repository with a clean file in its one commit."""
        user = self.folder / "user"
        user.mkdir()
        words = ", ".join(("--isolated", *args))
        config = f"repos:\n- repo: {source}\n  rev: {revision}\n  hooks:\n  - id: {hook}\n    args: [{words}]\n"
        (user / ".pre-commit-config.yaml").write_text(config)
        (user / "clean.py").write_text(harness.CLEAN)
        (user / "notes.txt").write_text("no Python")
        self.commit(user)
        return user

    def stage(self, user: Path, name: str, text: str) -> None:
        (user / name).write_text(text)
        self.command(user, "git", "add", name)

    def hook_runs(self, hook: str, source: Path, revision: str) -> None:
        user = self.user(hook, source, revision)
        done = self.command(user, self.tool, "run", "--all-files")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("Passed", done.stdout)

        self.stage(user, "loop.py", harness.ELEMENT_LOOP)
        done = self.command(user, self.tool, "run")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("R101", done.stdout)
        self.assertNotIn("clean.py", done.stdout)

    def hooks(self) -> tuple[Path, str]:
        folder = self.folder / "hooks"
        folder.mkdir()
        shutil.copy(common.ROOT / ".pre-commit-hooks.yaml", folder)
        return folder, self.commit(folder)

    def make_mirror(self, folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
        command = (sys.executable, "-B", str(MIRROR), str(folder), *words)
        return subprocess.run(command, env=self.environment | AUTHOR, capture_output=True, encoding="utf-8")

    def test_program_on_the_path(self) -> None:
        self.hook_runs("cpnlint-system", *self.hooks())

    def test_excludes_hold_for_the_files_that_pre_commit_names(self) -> None:
        user = self.user("cpnlint-system", *self.hooks(), "--extend-exclude", "loop.py")
        self.stage(user, "loop.py", harness.ELEMENT_LOOP)
        done = self.command(user, self.tool, "run")
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_the_whole_project_before_a_push(self) -> None:
        user = self.user("cpnlint-project-system", *self.hooks())
        self.stage(user, "loop.py", harness.ELEMENT_LOOP)
        done = self.command(user, self.tool, "run")
        self.assertNotIn("R101", done.stdout)  # not the stage for it
        self.commit(user)
        self.stage(user, "other.py", harness.CLEAN)
        done = self.command(user, self.tool, "run", "--hook-stage", "pre-push")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("loop.py", done.stdout)

    def test_the_mirror_has_both_hooks_and_one_dependency(self) -> None:
        mirror = self.folder / "mirror"
        done = self.make_mirror(mirror, "--commit")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.command(mirror, "git", "tag").stdout, f"v{VERSION}\n")
        self.assertEqual(self.command(mirror, "git", "status", "--porcelain").stdout, "")
        self.assertIn(f'dependencies = ["cpnlint=={VERSION}"]', (mirror / "pyproject.toml").read_text())
        hooks = (mirror / ".pre-commit-hooks.yaml").read_text()
        self.assertEqual([line for line in hooks.splitlines() if line.startswith("- id")], ["- id: cpnlint", "- id: cpnlint-project"])
        again = self.make_mirror(mirror, "--commit")
        self.assertNotEqual(again.returncode, 0)
        self.assertIn(f"v{VERSION}", again.stderr)
        later = self.make_mirror(mirror, "--commit", "--version", "99.1.0")
        self.assertEqual(later.returncode, 0, later.stderr)
        self.assertEqual(self.command(mirror, "git", "tag").stdout, "\n".join(sorted((f"v{VERSION}", "v99.1.0"))) + "\n")
        self.assertNotEqual(self.make_mirror(mirror, "--version", "1.0; rm").returncode, 0)

    @unittest.skipUnless(os.environ.get("CPNLINT_SLOW_TESTS"), "asks the package index; CPNLINT_SLOW_TESTS=1 runs it")
    def test_from_the_mirror(self) -> None:
        write_wheel(self.folder / "wheels")
        self.environment["PIP_FIND_LINKS"] = str(self.folder / "wheels")
        mirror = self.folder / "mirror"
        self.assertEqual(self.make_mirror(mirror, "--commit").returncode, 0)
        self.hook_runs("cpnlint", mirror, f"v{VERSION}")

    @unittest.skipUnless(os.environ.get("CPNLINT_SLOW_TESTS"), "builds cpnlint; CPNLINT_SLOW_TESTS=1 runs it")
    def test_built_from_a_local_clone(self) -> None:
        clone = self.folder / "clone"
        files = self.command(common.ROOT, "git", "ls-files", "-z", "--cached", "--others", "--exclude-standard").stdout
        for name in filter(None, files.split("\0")):
            if (common.ROOT / name).is_file():
                (clone / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(common.ROOT / name, clone / name)
        self.hook_runs("cpnlint", clone, self.commit(clone))


if __name__ == "__main__":
    harness.main()
