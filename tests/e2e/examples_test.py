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
    def run_under_numpy(self, name: str) -> str:
        program = (EXAMPLES / name).read_text(encoding="utf-8").replace("import cupynumeric as np", "import numpy as np")
        python = common.test_environment() / "bin" / "python"
        done = subprocess.run(
            [python, "-W", "error", self.write(name, program)], capture_output=True, encoding="utf-8", timeout=120,
            env={**os.environ, "OMP_NUM_THREADS": "1", "PYTHONDONTWRITEBYTECODE": "1"},
        )
        self.assertEqual((done.returncode, done.stderr), (0, ""), name)
        return done.stdout

    def test_they_run(self) -> None:
        for path in sorted(EXAMPLES.glob("*.py")):
            self.assertNotEqual(self.run_under_numpy(path.name), "")

    def test_the_ported_river_gives_the_same_numbers(self) -> None:
        self.assertEqual(self.run_under_numpy("river_ported.py"), self.run_under_numpy("river.py"))
        document = self.check("--assume", "n=1e8", "river_ported.py", code=harness.OK, cwd=EXAMPLES)
        self.assertEqual(document["findings"], [])
        self.assertEqual(document["verdict"]["name"], "READY")

    def test_the_river_holds_every_mistake_that_it_promises(self) -> None:
        found = set(self.rules_found(self.check("river.py", "--preview", code=harness.FINDINGS, cwd=EXAMPLES)))
        self.assertEqual(MISTAKES - found, set())

    def test_good_programs_have_no_blocking_loop(self) -> None:
        for name in ("heat_stencil.py", "monte_carlo_pricing.py", "conjugate_gradient.py", "kmeans.py"):
            found = set(self.rules_found(self.check(name, cwd=EXAMPLES)))
            self.assertEqual(found & {"R101", "R103", "R107", "R109", "R110"}, set(), name)


if __name__ == "__main__":
    harness.main()
