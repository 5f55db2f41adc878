"""The pre-commit hooks, run by pre-commit itself in a repository of their own.

The hook that builds cpnlint from a clone takes minutes, so it runs only where CPNLINT_SLOW_TESTS is set.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import unittest
from pathlib import Path

import harness
from harness import common


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

    def hook_runs(self, hook: str, source: Path, revision: str) -> None:
        user = self.folder / "user"
        user.mkdir()
        config = f"repos:\n- repo: {source}\n  rev: {revision}\n  hooks:\n  - id: {hook}\n    args: [--isolated]\n"
        (user / ".pre-commit-config.yaml").write_text(config)
        (user / "clean.py").write_text(harness.CLEAN)
        (user / "notes.txt").write_text("no Python")
        self.commit(user)
        done = self.command(user, self.tool, "run", "--all-files")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("Passed", done.stdout)

        (user / "loop.py").write_text(harness.ELEMENT_LOOP)
        self.command(user, "git", "add", "loop.py")
        done = self.command(user, self.tool, "run")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("R101", done.stdout)
        self.assertNotIn("clean.py", done.stdout)

    def test_program_on_the_path(self) -> None:
        hooks = self.folder / "hooks"
        hooks.mkdir()
        shutil.copy(common.ROOT / ".pre-commit-hooks.yaml", hooks)
        self.hook_runs("cpnlint-system", hooks, self.commit(hooks))

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
