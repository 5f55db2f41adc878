"""Slips that a run could pass over in silence: names that match nothing, sizes that are none, broken pragmas."""

from __future__ import annotations

import json
from typing import Any

import harness
from harness import ELEMENT_LOOP, OK

SOLVER = """\
import numpy as np


class Grid:
    def __init__(self, nx):
        self.nx = nx


def step(grid, cells):
    u = np.zeros((grid.nx, cells))
    return u.sum()
"""


class Slips(harness.ProgramTest):
    def notes(self, *args: str, **options: Any) -> list[str]:
        done = self.run_program("check", "--output-format", "json", "--fail-on", "never", *args, **options)
        self.assertEqual(done.returncode, OK, done.stderr)
        return [f"{n['path']}:{(n['start'] or {}).get('line')}: {n['kind']}: {n['message']}" for n in harness.json.loads(done.stdout)["notes"]]

    def test_assumptions_of_the_command_line(self) -> None:
        self.write("solver.py", SOLVER)
        for given, why in (
            ("NX=100", "no name `NX` occurs in the analysed files; did you mean `nx`?"),
            ("cell=100", "no name `cell` occurs in the analysed files; did you mean `cells`?"),
            ("stepp.cells=100", "no function, class or object `stepp` is in the analysed files; did you mean `step`?"),
            ("Gird.nx=100", "no function, class or object `Gird` is in the analysed files; did you mean `Grid` or `grid`?"),
            ("solvr.py:step.cells=100", "no analysed file is called `solvr.py`; did you mean `solver.py`?"),
            ("solver.py:step.celsl=100", "no name `celsl` occurs in the analysed files; did you mean `cells`?"),
        ):
            done = self.run_program("check", "--isolated", "--assume", given, "solver.py")
            self.assert_trouble(done, f"--assume {given}: {why}")
        for given in ("nx=100", "step.cells=1e3", "grid.nx=5", "Grid.nx=5", "solver.py:step.cells=1_000", "u=(nx, 4,):float32"):
            self.assertEqual(self.run_program("check", "--isolated", "--assume", given, "solver.py").stderr, "", given)

    def test_assumptions_about_what_is_looked_up_under_a_key(self) -> None:
        self.write("swarm.py", """import json
import numpy as np

settings = json.load(open("settings.json"))
u = np.ones((settings["agents"], settings.get("axes", 2)))
print("nobody", u.sum())
""")
        for given in ("agents=5", "axes=3"):
            self.assertEqual(self.run_program("check", "--isolated", "--assume", given, "swarm.py").stderr, "", given)
        for given in ("nobody=5", "agent=5"):
            done = self.run_program("check", "--isolated", "--assume", given, "swarm.py")
            self.assertIn("occurs in the analysed files", done.stderr)
        facts = self.run_program("inspect", "facts", "--assume", "agents=5", "swarm.py").stdout
        self.assertIn("u = f64[5, axes]", facts)

    def test_sizes_that_are_none(self) -> None:
        self.write("solver.py", SOLVER)
        for given, why in (
            ("nx=0x10", "`0x10` is no size"), ("nx=inf", "is no size"), ("nx=+5", "`+5` is no size"), ("nx=1.5", "a whole number from 1 to 1e15 is needed"),
            ("u=(4,4", "`(` is never closed"), ("u=(4,-4)", "`-4` is no size"), ("u=(2*nx,4)", "`2*nx` is no extent"),
            ("u=(4,4):flaot32", "`flaot32` is no element type; did you mean `float32`"), ("u=(4,4)float32", "is no `:` with an element type"),
            ("n x=5", "`n x` is no name"), ("u.shape[0]=5", "give the shape as a whole: u=(16384,16384)"), (":nx=5", "is no name"), ("nx", "NAME=VALUE"),
        ):  # fmt: skip
            self.assert_trouble(self.run_program("check", "--assume", given, "solver.py"), "--assume", why)
            if "=" not in given:
                continue
            self.write("cpnlint.toml", f"assume = [{given!r}]\n")
            self.assert_trouble(self.run_program("check", "solver.py"), "cpnlint.toml:1:11", why)
            (self.folder / "cpnlint.toml").unlink()

    def test_assumptions_of_the_configuration(self) -> None:
        self.write("src/solver.py", SOLVER)
        self.write("cpnlint.toml", '[assume]\nNX = 5\ncells = 3\n[assume."sovler.py"]\nnx = 4\n[assume."solver.py:stepp"]\ncells = 4\n')
        self.assertEqual(
            self.notes("."),
            [
                "cpnlint.toml:2: unknown-name: `assume.NX` has no effect: no name `NX` occurs in the analysed files; did you mean `nx`?",
                "cpnlint.toml:5: unknown-name: `assume.sovler.py:nx` has no effect: no analysed file is called `sovler.py`; did you mean `solver.py`?",
                "cpnlint.toml:7: unknown-name: `assume.solver.py:stepp.cells` has no effect: no function, class or object `stepp` is in the "
                "analysed files; did you mean `step`?",
            ],
        )
        done = self.run_program("check", ".")
        self.assertIn("cpnlint.toml:2: note: `assume.NX` has no effect: ", done.stdout)
        # Who reads a part of the project is not told that the rest is missing.
        self.assertEqual(self.notes("src/solver.py"), [])
        self.assertEqual(self.notes("src"), [])
        (note,) = self.notes("--isolated", "--config", "assume.NX = 5", "src/solver.py")
        self.assertIn("--config: `assume.NX` has no effect: ", note)

    def test_entry_points(self) -> None:
        self.write("src/solver.py", SOLVER)
        self.write("cpnlint.toml", 'entry-points = ["src/sovler.py:step", "solver:stp", "solvr:step", "src/solver.py:step"]\n')
        notes = self.notes(".")
        self.assertEqual(len(notes), 3, notes)
        self.assertTrue(any("the entry point `solver:stp` names no function in it; did you mean `step`?" in note for note in notes))
        self.assertTrue(any("`src/sovler.py:step` has no effect: no analysed file or module is called `src/sovler.py`; did you mean `src/solver.py`?" in note for note in notes))
        self.assertTrue(any("`solvr:step` has no effect" in note and "`solver" in note for note in notes))
        document = json.loads(self.run_program("--no-cache", "--output-format", "json", ".").stdout)
        starts = [(note["path"], note["start"]) for note in document["notes"] if "has no effect" in note["message"]]
        self.assertEqual(starts, [("cpnlint.toml", {"line": 1, "column": 17}), ("cpnlint.toml", {"line": 1, "column": 53})])
        self.write("b.py", "import numpy as np\n\nx = np.ones(4)\n")
        self.assertEqual(self.notes("b.py"), [])
        (note,) = self.notes("--isolated", "--config", 'entry-points = ["c.py:f"]', "b.py")
        self.assertIn("the entry point `c.py:f` has no effect", note)

    def test_rules_in_preview(self) -> None:
        self.write("a.py", ELEMENT_LOOP)
        told = "R206 is in preview, and is shown with --preview (`preview = true`) only\n"
        self.assertEqual(self.run_program("--isolated", "--select", "R206", "a.py").stderr, f"cpnlint: --select: {told}")
        self.assertEqual(self.run_program("--isolated", "--extend-select", "R206,R101", "a.py").stderr, f"cpnlint: --extend-select: {told}")
        for quiet in (("--select", "R206", "--preview"), ("--select", "R2"), ("--select", "R206", "--quiet"), ("--ignore", "R206")):
            self.assertEqual(self.run_program("--isolated", *quiet, "a.py").stderr, "", quiet)
        self.write("cpnlint.toml", 'extend-select = ["R206"]\n')
        self.assertEqual(self.run_program("a.py").stderr, f"cpnlint: cpnlint.toml:1: `extend-select`: {told}")

    def test_pragmas(self) -> None:
        loop = "for i in range(n):"
        for comment, kind, words in (
            ("cpnlint: ignor[R101] known", "unknown-name", "did you mean `ignore`"),
            ("cpnlint: Ignore[R101] known", "unknown-name", "did you mean `ignore`"),
            ("cpnlint: ignore[R101 known", "unused-ignore", "`[` is never closed"),
            ("cpnlint: ignore R101 known", "unused-ignore", "ignore[R101]"),
            ("cpnlint: ignore[] known", "unused-ignore", "no rule in the brackets"),
            ("cpnlint ignore[R101] known", "unknown-name", "a colon is missing"),
            ("cpnlint: ignore[R999] known", "unknown-name", "no rule answers to `R999` (`cpnlint rules` lists them)"),
            ("cpnlint: ignore[elment-loop] known", "unknown-name", "did you mean `element-loop`?"),
            ("cpnlint: ignore[R101]", "ignore-without-reason", "without saying why"),
            ("cpnlint: assume n", "unknown-name", "expected NAME=SIZE"),
            ("cpnlint: assume n=many", "unknown-name", "`many` is no size"),
            ("cpnlint: assume N=5", "unknown-name", "no name `N` occurs in the analysed files; did you mean `n`?"),
            ("cpnlint: assume a=(4:float32", "unknown-name", "`(` is never closed"),
            ("cpnlint: hosts", "unknown-name", "did you mean `host`"),
        ):
            self.write("a.py", ELEMENT_LOOP.replace(loop, f"{loop}  # {comment}"))
            notes = self.notes("--isolated", "a.py")
            self.assertEqual([note.split(": ")[:2] for note in notes], [["a.py:6", kind]], (comment, notes))
            self.assertIn(words, notes[0], comment)
        for comment in ("cpnlint finds this", "we assume cpnlint is there", "cpnlint ignore lists are long", "cpnlint: assume n=5", "cpnlint: host"):
            self.write("a.py", ELEMENT_LOOP.replace(loop, f"{loop}  # {comment}"))
            self.assertEqual(self.notes("--isolated", "a.py"), [], comment)


if __name__ == "__main__":
    harness.main()
