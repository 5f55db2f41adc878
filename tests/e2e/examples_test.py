"""docs/examples/: they run under NumPy, and cpnlint says of them what the README promises."""

from __future__ import annotations

import os
import subprocess

import harness
from harness import common

EXAMPLES = common.ROOT / "docs" / "examples"
# river.py: one mistake of each of these kinds.
MISTAKES = {"R101", "R102", "R104", "R105", "R106", "R107", "R109", "R110", "R112", "R203", "R204"}


class Examples(harness.ProgramTest):
    def test_they_run(self) -> None:
        python = common.test_environment() / "bin" / "python"
        for path in sorted(EXAMPLES.glob("*.py")):
            done = subprocess.run(
                [python, "-W", "error", path], capture_output=True, encoding="utf-8", timeout=120,
                env={**os.environ, "OMP_NUM_THREADS": "1", "PYTHONDONTWRITEBYTECODE": "1"},
            )
            self.assertEqual((done.returncode, done.stderr), (0, ""), path.name)
            self.assertNotEqual(done.stdout, "")

    def test_the_river_holds_every_mistake_that_it_promises(self) -> None:
        found = set(self.rules_found(self.check("river.py", "--preview", code=harness.FINDINGS, cwd=EXAMPLES)))
        self.assertEqual(MISTAKES - found, set())

    def test_good_programs_have_no_blocking_loop(self) -> None:
        for name in ("heat_stencil.py", "monte_carlo_pricing.py", "conjugate_gradient.py", "kmeans.py"):
            found = set(self.rules_found(self.check(name, cwd=EXAMPLES)))
            self.assertEqual(found & {"R101", "R103", "R107", "R109", "R110"}, set(), name)


if __name__ == "__main__":
    harness.main()
