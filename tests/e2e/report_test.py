"""What the readiness report says in words: launch lines, prices, what is hidden, what was not analysed."""

from __future__ import annotations

import json
from typing import Any

import harness

STENCIL = """\
import numpy as np


def solve(n, steps):
    u = np.zeros((n, n))
    for t in range(steps):
        u[1:-1, 1:-1] = 0.25 * (u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2])
    return u
"""
MAIN = """

if __name__ == "__main__":
    print(solve(16384, 1000).mean())
"""
WAITS = """\
import numpy as np


def main():
    u = np.random.rand(40_000_000)
    for t in range(500):
        r = u[2:] - 2 * u[1:-1] + u[:-2]
        if r.max() > 10:
            break
        u[1:-1] += 0.1 * r
    print(u.sum())


main()
"""


class Words(harness.ProgramTest):
    def report(self, *args: str, code: int = harness.OK, **options: Any) -> str:
        done = self.run_program("report", "--isolated", "--no-cache", *args, **options)
        self.assertEqual(done.returncode, code, done.stderr)
        return done.stdout

    def report_json(self, *args: str) -> dict[str, Any]:
        document = json.loads(self.report("--output-format", "json", *args))
        self.assertEqual(harness.json_schema.json_errors(document), [])
        return document

    def section(self, text: str, number: int) -> str:
        following = text.split(f"\n{number}. ", 1)[1]
        return following.split(f"\n{number + 1}. ", 1)[0]


class Launch(Words):
    def patterns(self, source: str) -> str:
        """The name of the verdict and what gate 4 says."""
        self.write("a.py", source)
        verdict = self.check("a.py")["verdict"]
        return verdict["name"] + ": " + verdict["gates"][3]["reason"]

    def test_trips_that_read_what_others_wrote_are_sequential(self) -> None:
        anneal = ("import random\n\nimport numpy as np\n\nrng = np.random.default_rng(1)\ne = rng.random((200, 200))\ns = np.arange(200)\n"
                  "for it in range(20000):\n    i = {0}\n    j = {0}\n    if {1} < np.exp(e[s[i], j] - e[s[j], i]):\n        s[i] = s[j]\n")
        for i, u in (("rng.integers(0, 200)", "rng.random()"), ("int(rng.integers(0, 200))", "rng.random()"),
                     ("random.randrange(200)", "random.random()")):
            with self.subTest(i):
                self.assertRegex(self.patterns(anneal.format(i, u)), "^NOT RECOMMENDED: sequential work carries 95 %")
        flow = ("import numpy as np\n\nn = 1000000\norder = np.argsort(np.random.rand(n))\nrecv = np.random.randint(0, n, n)\nacc = np.ones(n)\n"
                "out = np.zeros(n)\nfor p in order:\n    ")
        self.assertRegex(self.patterns(flow + "acc[recv[p]] += acc[p]\n"), "^NOT RECOMMENDED: sequential work")
        self.assertRegex(self.patterns(flow + "acc[p] = acc[recv[p]] + 1.0\n"), "^NOT RECOMMENDED: sequential work")
        for near in ("out[recv[p]] += acc[p]", "out[p] = acc[recv[p]]", "acc[recv[p]] = acc[recv[p]] * 0.5"):
            with self.subTest(near):
                self.assertRegex(self.patterns(flow + near + "\n"), "^LIGHT REFACTOR: .*elementwise")

    def test_a_few_draws_make_no_monte_carlo(self) -> None:
        source = ("import numpy as np\n\nrng = np.random.default_rng(1)\ntotal = 0.0\nfor t in range(1000):\n"
                  "    x = rng.random({0})\n    total = total + np.sqrt(x * x + 1.0).mean()\nprint(total)\n")
        self.assertIn("monte-carlo 100 %", self.patterns(source.format("1000000")))
        self.assertNotIn("monte-carlo", self.patterns(source.format("20000")))

    def test_what_carries_no_weight_makes_no_gate_uncertain(self) -> None:
        """A list of a few numbers, and counts into so many bins."""
        loop = "import numpy as np\n\nx = np.linspace(0.0, 1.0, 4000000)\nk = (x * 999).astype(np.int64)\nlog = []\nfor t in range(1000):\n    x = x * 0.999\n"
        for rest in ("    if t % 100 == 0:\n        log.append(x.sum())\nprint(np.array(log))\n",
                     "    x += np.bincount(k, minlength=1000).max()\nprint(x[0])\n"):
            with self.subTest(rest):
                self.write("a.py", loop + rest)
                gates = self.check("a.py")["verdict"]["gates"]
                self.assertEqual([gate["status"] for gate in gates[:2]], ["pass", "pass"], gates)

    def test_a_selection_in_a_slot_is_as_large_as_its_source_at_most(self) -> None:
        """Also behind a call, a comprehension, a return; what nobody knows the size of is no small state."""
        loop = "out = np.zeros(500)\nfor u in range(500):\n    out[u] = np.max({0} * u) + 1.0\nprint(out.sum())\n"
        start = "import numpy as np\n\nx = np.random.uniform(size={0})\n"
        made = (("rows = {'a': x[x > 0.1]}\n", "rows['a']"), ("rows = dict(a=x[x > 0.1])\n", "rows['a']"),
                ("rows = [x[x > 0.1], x[x > 0.5]]\n", "rows[0]"), ("rows = {}\nrows['a'] = x[x > 0.1]\n", "rows['a']"),
                ("t = {'a': x}\nok = x > 0.1\nrows = {k: v[ok] for k, v in t.items()}\n", "rows['a']"),
                ("def select(x):\n    return {'a': x[x > 0.1]}\n\nrows = select(x)\n", "rows['a']"))
        for rows, read in made:
            with self.subTest(rows):
                self.assertRegex(self.patterns(start.format(10_000_000) + rows + loop.format(read)), "^READY: (reduction|elementwise) 50 %")
                gate = self.check("a.py")["verdict"]["gates"][1]
                self.assertRegex(gate["reason"], "^arrays of at most 1e7 elements")
                self.assertRegex(self.patterns(start.format(100) + rows + loop.format(read)), "^NOT RECOMMENDED: sequential work")
        unknown = "import numpy as np\n\n\ndef work(rows, more):\n    rows = {'a': np.asarray(more)[np.asarray(more) > 0]}\n"
        body = "    " + loop.format("rows['a']").replace("\n", "\n    ").rstrip() + "\n"
        self.assertNotIn("NOT RECOMMENDED", self.patterns(unknown + body))

    def test_what_may_be_an_array_of_any_size_makes_no_loop_small(self) -> None:
        """The sums of an unknown value; a loop over numbers is as small as it looks."""
        source = ("import numpy as np\nfrom data import load\n\nt = load()\nout = np.zeros(500)\nfor u in range(500):\n    sel = t[u]\n"
                  "    out[u] = {0}\nprint(out.sum())\n")
        self.assertNotIn("NOT RECOMMENDED", self.patterns(source.format("sel.max() - sel.min()")))
        self.assertEqual(self.check("a.py")["verdict"]["gates"][1]["status"], "uncertain")
        self.patterns(source.format("0.5 * u + 1.0"))
        self.assertEqual(self.check("a.py")["verdict"]["gates"][1]["status"], "fail")

    def test_a_gap_is_hot_where_it_is_called_in_a_loop(self) -> None:
        """Another line of the same name is not; a name that is taken once is hot where what it is called by is."""
        source = ("import numpy as np\n{2}\n\ndef once(x):\n    return np.std(x)\n\n\ndef loop(u):\n    for it in range(500):\n        u = u * 0.99\n"
                  "        v = {0}(u)\n    return v\n\n\nx = np.ones(10_000_000)\nprint({1}, loop(x))\n")
        self.write("a.py", source.format("np.std", "once(x)", ""))
        text = self.report("a.py")
        self.assertRegex(text, r"2 API gaps to close, above all R112 `np.std` .*\(a.py:11\)")
        self.assertRegex(self.section(text, 8), r"a.py:11 +R112 fix 1:(.|\n)*a.py:5 +R112 fix 2:")
        gaps = self.section(text, 6).split("   a.py:")
        self.assertEqual([("hot region" in gap) for gap in gaps[1:]], [False, True], gaps)
        self.write("a.py", source.format("std", "0", "std = np.std"))
        gaps = self.section(self.report("a.py"), 6).split("   a.py:")
        self.assertIn("hot region", gaps[1])

    def test_what_only_another_interpreter_takes_is_reached_by_nobody(self) -> None:
        source = ("import platform\nimport sys\n\nimport numpy as np\n\n\ndef slowly(f):\n    def wrapped(a):\n        c = np.empty(a.shape)\n"
                  "        for a_i, c_i in zip(a, c):\n            f(a_i, c_i)\n        return c\n\n    return wrapped\n\n\n"
                  "def each(a):\n    return np.sqrt(a)\n\n\ndef fast(f):\n    return f\n\n\nif {0}:\n    wrap = slowly\nelse:\n    wrap = fast\n")
        for test, verdict in (("sys.implementation.name.lower() == 'pypy'", "READY"), ("platform.python_implementation() == 'PyPy'", "READY"),
                              ("sys.platform == 'win32'", "READY"), ("sys.implementation.name == 'cpython'", "LIGHT REFACTOR"),
                              ("sys.argv[1] == 'slow'", "LIGHT REFACTOR")):
            with self.subTest(test):
                self.assertRegex(self.patterns(source.format(test)), f"^{verdict}:")
                notes = [note["kind"] for note in self.check("a.py")["notes"]]
                self.assertEqual("unreached" in notes, verdict == "READY")

    def test_a_program_is_called_by_the_file_that_is_run(self) -> None:
        self.write("app/pkg/__init__.py", "from .solver import solve\n")
        self.write("app/pkg/solver.py", STENCIL + "\n\nif __name__ == \"__main__\":\n    solve(10, 1)\n")
        self.write("app/run/main.py", "from pkg import solve\n" + MAIN)
        self.write("app/pyproject.toml", "")
        text = self.report("app")
        self.assertIn("3 files linked by imports, app/run/main.py first", text)
        self.assertIn("`legate --gpus 1 app/run/main.py` first, then with `--gpus 4`", text)
        self.assertIn("CUPYNUMERIC_DOCTOR_FILENAME=doctor.json legate --gpus 1 app/run/main.py`", text)
        self.assertEqual(self.report_json("app")["report"]["program"], "app/run/main.py")

    def test_of_several_the_one_that_leads_to_most_names_the_program(self) -> None:
        self.write("kernels.py", STENCIL + "\n\ndef frame(u):\n    return u[::2]\n")
        self.write("a_plot.py", "import numpy as np\nfrom kernels import frame\n\nif __name__ == \"__main__\":\n"
                                "    print(frame(np.ones(50_000_000)).mean())\n")
        self.write("study.py", "from kernels import frame, solve\n\n\ndef main():\n    print(frame(solve(16384, 1000)).mean())\n\n\n"
                               "if __name__ == \"__main__\":\n    main()\n")
        self.assertIn("`legate --gpus 1 study.py` first", self.report("."))

    def test_a_function_handed_to_a_driver_is_run(self) -> None:
        self.write("film.py", "import numpy as np\nimport matplotlib.pyplot as plt\nfrom matplotlib.animation import FuncAnimation\n\n"
                              "u = np.ones((4096, 4096))\n\n\ndef update(frame):\n    u[1:-1] *= 0.5\n\n\n"
                              "film = FuncAnimation(plt.figure(), update)\nplt.show()\n")
        self.assertIn("`legate --gpus 1 film.py` first", self.report("film.py"))

    def test_a_script_needs_no_test_of_its_name(self) -> None:
        self.write("kernels.py", STENCIL)
        self.write("a_study.py", "import numpy as np\nfrom kernels import solve\n\nprint(solve(16384, 1000).mean())\n")
        self.assertIn("`legate --gpus 1 a_study.py` first", self.report("."))

    def test_a_library_is_not_launched(self) -> None:
        self.write("kernels.py", STENCIL)
        text = self.report("kernels.py")
        self.assertIn("it only defines: for a program that uses it, run it with `legate --gpus 1 PROGRAM.py` first", text)
        self.assertNotIn("--gpus 1 kernels.py", text)
        self.write("kernels.py", STENCIL + MAIN)
        self.assertIn("run it with `legate --gpus 1 kernels.py` first", self.report("kernels.py"))

    def test_a_module_of_a_package_is_no_script(self) -> None:
        self.write("pkg/__init__.py", "from .kernels import solve\n")
        self.write("pkg/kernels.py", STENCIL)
        self.write("pkg/tables.py", "from .kernels import solve\n\nTABLE = solve(16384, 1000)\n")
        self.assertIn("it only defines", self.report("pkg"))
        self.write("pkg/__main__.py", "from .kernels import solve\n\nprint(solve(16384, 1000).mean())\n")
        self.assertIn("`legate --gpus 1 pkg/__main__.py` first", self.report("pkg"))

    def test_notebooks_and_standard_input_are_made_files_first(self) -> None:
        source = STENCIL + "\nprint(solve(16384, 1000).mean())\n"
        self.write("study/nb.ipynb", harness.cells(source))
        text = self.report("study/nb.ipynb")
        self.assertIn("`jupyter nbconvert --to script study/nb.ipynb`", text)
        self.assertIn("`legate --gpus 1 study/nb.py` first", text)
        text = self.report("-", input=source)
        self.assertIn("save it as a file PROGRAM.py, then run it with `legate --gpus 1 PROGRAM.py`", text)

    def test_ported_code_is_not_told_to_swap_the_import(self) -> None:
        self.write("ported.py", (STENCIL + MAIN).replace("import numpy", "import cupynumeric"))
        text = self.report("ported.py")
        self.assertIn("what to do: benchmark it", text)
        self.assertIn("compare with results of NumPy with tolerances", text)
        self.assertNotIn("swap the import", text)

    def test_a_machine_without_gpus_has_cores(self) -> None:
        self.write("a.py", STENCIL + MAIN)
        for command in ("report", "predict"):
            text = self.run_program(command, "--isolated", "--no-cache", "--profile", "cpu", "a.py").stdout
            self.assertRegex(text, r"\b4 cores\b")
            self.assertNotRegex(text, r"--gpus [14]|\b[14] GPUs?\b|per GPU|of GPUs")
        self.assertIn("`legate --cpus 1 a.py` first, then with `--cpus 4`", self.report("--profile", "cpu", "a.py"))

    def test_a_gpu_that_cannot_run_it_has_no_predicted_time(self) -> None:
        self.write("a.py", STENCIL + MAIN)
        text = self.section(self.report("--profile", "p100", "a.py"), 1)
        self.assertIn("what to do: take GPUs that cuPyNumeric runs on", text)
        self.assertIn("predicted time: none, cuPyNumeric does not run on these GPUs", text)


class Sections(Words):
    def test_findings_have_their_price(self) -> None:
        self.write("waits.py", WAITS)
        text = self.report("waits.py")
        self.assertRegex(self.section(text, 3), r"cost: about .* per pass, .* in all, .* of the time: .*\(profile h100-sxm")
        self.assertRegex(self.section(text, 1), r"; slower on 4 GPUs than on 1;")
        self.write("large.py", STENCIL + MAIN)
        self.assertRegex(self.section(self.report("large.py"), 1), r"; 2\.\d times as fast on 4 GPUs as on 1;")
        self.write("growth.py", (harness.common.ROOT / "tests/programs/capped_growth.py").read_text())
        self.assertRegex(self.section(self.report("growth.py"), 4), r"RR-masked-update, .*: 1 site, saves \d+ % of the time")

    def test_structural_gaps_are_told_where_they_block(self) -> None:
        self.write("s.py", """\
import numpy as np


def main():
    p = np.zeros(10_000_000, dtype=[("x", float), ("v", float)])
    for t in range(1000):
        p["x"] += 0.01 * p["v"]
    print(p["x"].mean())


main()
""")
        text = self.report("s.py")
        self.assertIn("1 structural", self.section(text, 1))
        self.assertIn("R119", self.section(text, 3))
        self.assertIn("R119", self.section(text, 6))

    def test_labels_that_are_only_looked_up_are_no_data_model(self) -> None:
        program = """\
import numpy as np


class Net:
    def __init__(self, n):
        self.names = np.array([f"node {k}" for k in range(n)])

    def label(self, k: int):
        return {use}


net = Net(24)
u = np.ones(10_000_000)
for step in range(1000):
    u = u * 0.5
print(net.label(3), u.sum())
"""
        for use, structural in (("str(self.names[k])", False), ("f'{{len(self.names)}} {{self.names[k]}}'", False),
                                ("self.names == 'node 3'", True), ("np.sort(self.names)[k]", True), ("self.names", True)):
            self.write("net.py", program.replace("{use}", use.replace("{{", "{").replace("}}", "}")))
            self.assertEqual("1 structural" in self.section(self.report("net.py"), 1), structural, use)

    def test_what_is_hidden_is_said(self) -> None:
        self.write("waits.py", WAITS)
        self.assertIn("R105", self.section(self.report("waits.py"), 3))
        self.assertEqual(self.report_json("waits.py")["verdict"]["hidden"], [])
        hidden = self.section(self.report("--select", "R2", "waits.py"), 3)
        self.assertRegex(hidden, r"waits.py:8  R105 .*\n +not selected; the verdict counts it")
        document = self.report_json("--select", "R2", "waits.py")
        self.assertIn(("R105", "waits.py", 8), [(one["rule"], one["path"], one["start"]["line"])
                                                for one in document["verdict"]["hidden"]])

    def test_possible_findings_are_told_with_the_way_to_see_them(self) -> None:
        self.write("poss.py", """\
import numpy as np
from numpy.typing import ArrayLike


def clip_all(x: ArrayLike, hi: float):
    for i in range(len(x)):
        if x[i] > hi:
            x[i] = hi
    return x


u = np.zeros(50_000_000)
for t in range(1000):
    u += 0.5
print(u.sum())
""")
        for command in ("report", "check"):
            found = self.run_program(command, "--isolated", "--no-cache", "poss.py").stdout
            self.assertRegex(found, r"READY \(LIGHT REFACTOR if the \d possible findings? (is|are) real; "
                                    r"--min-confidence possible shows (it|them)\)")
            found = self.run_program(command, "--isolated", "--no-cache", "--min-confidence", "possible", "poss.py").stdout
            self.assertNotIn("--min-confidence possible shows", found)

    def test_names_are_those_of_the_user(self) -> None:
        self.write("a.py", "import numpy as mine\n\nu = mine.linalg.inv(mine.ones((5000, 5000)))\nprint(u.sum())\n")
        text = self.report("a.py")
        self.assertIn("`mine.linalg.inv` is", self.section(text, 6))
        self.write("a.py", STENCIL + MAIN)
        self.assertIn("none; checked are ndarray.mean, np.zeros\n", self.section(self.report("a.py"), 6))


class Lost(Words):
    BROKEN = "import numpy as np\n\ndef f(:\n"  # one statement is lost
    GONE = "import numpy as np\nprint 'two'\nprint 'times'\n"  # the whole file is

    def test_a_file_that_cannot_be_read_is_in_the_list_of_what_was_not_analysed(self) -> None:
        self.write("a.py", STENCIL + MAIN)
        for content in (self.BROKEN, self.GONE):
            self.write("broken.py", content)
            for form in ("text", "markdown"):
                text = self.report("--output-format", form, "a.py", "broken.py")
                self.assertRegex(text, r"broken.py:\d.*not analysed|not analysed.*broken.py:\d")
            entries = self.report_json("a.py", "broken.py")["report"]["sections"][7]["entries"]
            self.assertIn("broken.py", [entry["path"] for entry in entries])

    def test_alone_it_is_told_what_it_is(self) -> None:
        self.write("broken.py", self.BROKEN)
        self.write("gone.py", self.GONE)
        for form in ("text", "markdown"):
            text = self.report("--output-format", form, "broken.py")
            self.assertIn("No work on arrays was found", text)
            self.assertRegex(text, r"broken.py:3")
            text = self.report("--output-format", form, "gone.py", code=harness.TROUBLE)
            self.assertIn("Nothing could be analysed", text)
            self.assertRegex(text, r"gone.py:2")
        self.write("plain.py", "print('no arrays')\n")
        self.assertIn("No work on arrays was found", self.report("plain.py"))


class Inputs(Words):
    def test_the_project_is_that_of_the_named_folder(self) -> None:
        self.write("g/app/solver.py", STENCIL)
        self.write("g/run.py", "from app.solver import solve\n" + MAIN)
        self.write("g/bench_solver.py", "from app.solver import solve\nsolve(4096, 100)\n")
        self.write("g/scripts/run.sh", "legate --gpus 4 run.py\n")
        self.write("g/tests/test_solver.py", "import numpy as np\nnp.testing.assert_allclose(1, 1)\n")
        for paths, folder in ((("g",), ""), ((".",), "g"), ((), "g"), (("run.py", "app/solver.py"), "g"),
                              (("app/solver.py", "run.py"), "g"), (("g/",), "")):
            text = self.report(*paths, cwd=self.folder / folder)
            self.assertIn("benchmark: yes (bench_solver.py)", text, paths)
            self.assertIn("launch script: yes (scripts/run.sh)", text, paths)

    def test_the_pattern_can_be_said(self) -> None:
        self.write("a.py", STENCIL + MAIN)
        text = self.report("--pattern", "dense-linalg", "a.py")
        self.assertIn("dense-linalg, whatever the source tells (--pattern)", text)
        self.assertIn("pattern: dense-linalg 100 %", self.section(text, 1))
        self.assertRegex(self.section(text, 7), r"4 +compute pattern +pass +dense-linalg \(.*\), as --pattern says")
        self.assertIn("NOT RECOMMENDED", self.report("--pattern", "graph", "a.py"))
        self.assert_trouble(self.run_program("report", "--pattern", "stencils", "a.py"), "stencils")

    def test_a_test_for_sparse_matrices_is_no_sparse_work(self) -> None:
        self.write("solver.py", """\
import numpy as np
from scipy.sparse import issparse

def run(u: np.ndarray, steps=1000):
    for step in range(steps):
        if issparse(u):
            raise TypeError("dense arrays only")
        u = u + 0.1 * np.sin(u)
    return u
""")
        self.assertIn("pattern: elementwise 100 %", self.section(self.report("solver.py"), 1))

    def test_sizes_of_local_variables_are_taken(self) -> None:
        self.write("a.py", """\
import numpy as np


def main(path, n):
    u = np.load(path)
    v = np.ones((n, n))
    for t in range(1000):
        u += 0.1 * v
    print(u.sum())


main("a.npy", int(input()))
""")
        self.assertIn("the source does not tell the sizes", self.section(self.report("a.py"), 7))
        said = self.section(self.report("--assume", "u=(16384,16384):float32", "--assume", "v=(16384,16384)", "a.py"), 7)
        self.assertIn("arrays of at most 2.7e8 elements", said)
        other = self.report("--assume", "v=(16384,)", "a.py")
        self.assertIn("the source does not tell the sizes", self.section(other, 7))

    def test_sizes_of_comments_are_in_the_header(self) -> None:
        self.write("a.py", "# cpnlint: assume n=9000, w=(n, 3):float32\n" + STENCIL)
        self.assertRegex(self.report("a.py"), r"\n   sizes +n=9000, w=\(n, 3\):float32\n")
        self.assertEqual(self.report_json("a.py")["target"]["assumptions"], ["n=9000", "w=(n, 3):float32"])

    def test_branches_on_the_platform_are_seen(self) -> None:
        for test in ("sys.platform == 'win32'", "sys.platform.startswith('win')", "os.name == 'nt'",
                     "platform.system() == 'Windows'"):
            self.write("a.py", f"import os, platform, sys\n{STENCIL}\nOUT = 'u' if {test} else 'v'\n{MAIN}")
            gate = self.report_json("a.py")["verdict"]["gates"][0]
            self.assertEqual(gate["status"], "uncertain", test)
            self.assertIn("names other systems", gate["reason"])
        self.write("a.py", f"import os, sys\n{STENCIL}\nprint(os.getcwd(), sys.argv)\n{MAIN}")
        self.assertNotIn("other systems", self.report_json("a.py")["verdict"]["gates"][0]["reason"])


if __name__ == "__main__":
    harness.main()
