"""`predict`, prices of findings, --what-if and machine profiles, as the interface promises them."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ElementTree

import harness
from harness import ELEMENT_LOOP, OK, cells, json_schema

STENCIL = """\
import numpy as np

n = 4096
u = np.random.rand(n, n)
v = np.zeros((n, n))
for step in range(500):
    v[1:-1, 1:-1] = 0.25 * (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:])
    u, v = v, u
print(u.sum())
"""
WAITS = """\
import numpy as np

u = np.ones(50_000_000)
total = 0.0
for step in range(1000):
    u *= 0.999
    total += float(u.sum())
print(total)
"""
SWEEPS = """\
from dataclasses import dataclass

import numpy as np


@dataclass
class Config:
    cycles: int = 500
    sub: int = 4


def integrate(x, n_steps):
    for _ in range(n_steps):
        x = x + 0.1 * np.sin(x)
    return x


def settle(x, most):
    for _ in range(most):
        x = 0.5 * x
        if x.sum() < 1.0:
            x = np.cos(x)
            break
    return x


def spin_up(n_steps=2000):
    return integrate(np.ones(40_000_000), n_steps)


def main(cfg):
    x = settle(spin_up(), 400)
    for cycle in range(cfg.cycles):
        x = integrate(x, cfg.sub)
        x = settle(x, 2)
    return x


main(Config(cycles=300))
"""
IN_ORDER = """\
import numpy as np


def follow(x, n):
    out, u = np.zeros(n), np.ones(8_000_000)
    for i in range(n):
        u = 0.5 * u + x[i] * np.roll(u, 1) if x[i] > 0 else u
        out[i] = u[3]
    return out


print(follow(np.random.rand(100_000), 100_000))
"""
ROWS = """\
import numpy as np


def assemble(points, n):
    rows = np.zeros((n, 9))
    for e in range(n):
        rows[e] = np.outer(points[e], points[e]).ravel()
    return rows


assemble(np.ones((2_000_000, 3)), 2_000_000)
"""


class Predict(harness.ProgramTest):
    def predict(self, *arguments: str) -> dict:
        done = self.run_program("predict", "--isolated", "--no-cache", "--output-format", "json", *arguments)
        self.assertEqual((done.returncode, done.stderr), (OK, ""))
        document = json.loads(done.stdout)
        self.assertEqual(json_schema.json_errors(document), [])
        return document["prediction"]

    def test_curve_of_a_stencil(self) -> None:
        self.write("a.py", STENCIL)
        prediction = self.predict("a.py")
        region = prediction["regions"][0]
        self.assertEqual((region["path"], region["start"]["line"], region["passes"]), ("a.py", 6, "500"))
        self.assertEqual([point["gpus"] for point in prediction["scaling"]], [2**k for k in range(11)])
        for point in (*prediction["scaling"], *prediction["weak"]):
            time = point["time"]
            self.assertTrue(0 < time["low"] <= time["mid"] <= time["high"], point)
            self.assertGreater(point["memory"]["processor"], 0)
        self.assertIn(prediction["stop"], [point["gpus"] for point in prediction["scaling"]])
        self.assertEqual(prediction, self.predict("a.py"))

    def test_each_call_has_passes_of_its_own(self) -> None:
        """12 operations of `integrate(x, 4)`; two passes of two (and a sum and a test), half of a cosine in each."""
        self.write("a.py", SWEEPS)
        prediction = self.predict("a.py")
        cycles = prediction["regions"][0]
        self.assertEqual((cycles["start"]["line"], cycles["passes"]), (33, "300"))
        self.assertTrue(cycles["formula"].startswith("about 19·"), cycles["formula"])
        self.assertEqual(prediction["assumptions"], [])

    def test_a_notebook_and_what_was_assumed(self) -> None:
        """Places in a notebook have a cell in every form; sizes that were said are said again."""
        source = STENCIL.replace("n = 4096", "n, steps = int(sys.argv[1]), int(sys.argv[2])").replace("500", "steps")
        self.write("a.ipynb", harness.cells("import sys\n", source))
        words = ("predict", "--isolated", "--no-cache", "--assume", "n=4096", "--assume", "steps=1e6", "a.ipynb")
        region = self.predict(*words[3:])["regions"][0]
        self.assertEqual((region["path"], region["cell"], region["start"]["line"]), ("a.ipynb", 2, 6))
        text = self.run_program(*words).stdout
        self.assertIn("\na.ipynb:cell 2:6: `for step in range(steps)`\n", text)
        self.assertIn("sizes: n = 4096 (assumed), steps = 1e6 (assumed)\n", text)
        self.assertIn("## a.ipynb:cell 2:6", self.run_program(*words, "--output-format", "markdown").stdout)
        self.assertIn("of a.ipynb:cell 2:6 on", self.run_program(*words, "--output-format", "svg").stdout)

    def test_long_times_are_told_in_days(self) -> None:
        self.write("a.py", "import numpy as np\n\n\ndef f(n, x):\n    a = np.ones(n)\n    for t in range(500):\n        for i in range(n):\n"
                           "            a[i] = a[i] * x\n    return a\n")
        text = self.run_program("check", "--isolated", "--no-cache", "--assume", "n=4e7", "a.py").stdout
        self.assertRegex(text, r"about [\d.]+ h per pass of `for t in range\(500\)`, \d+ days in all")
        self.assertNotRegex(text, r"\de\+|\d{5,} s\b")

    def test_a_price_names_the_loop_whose_pass_it_is_of(self) -> None:
        def costs(source: str) -> dict[str, str]:
            self.write("a.py", "import numpy as np\n\nu = np.random.rand(4096, 4096)\n" + source)
            text = self.run_program("check", "--isolated", "--no-cache", "a.py").stdout
            return {block[:4]: block.split("= cost: ")[1] for block in text.split("\n\n") if "= cost: " in block}

        loop = "for it in range(200):\n    u = u*0.99\n    if np.abs(u).max() < 1e-9: break\n"
        self.assertRegex(costs(loop)["R105"], r"^about [\d.]+ ms per pass, .*: 0\.9 waits of 1 ms, ")
        inner = costs("for s in range(50):\n    " + loop.replace("\n", "\n    ") + "u = u + 1.0\n")
        self.assertRegex(inner["R105"], r"^about \d+ ms per pass of `for s in range\(50\)`, \d+ s in all.*: \d+ waits of 1 ms")
        called = costs("def f(u):\n    if u.max() < 0.0: u[0] = 1.0\n    u[1:] = u[:-1] * u[2:]\nfor s in range(50):\n    f(u)\n")
        self.assertRegex(called["R105"], r"^about [\d.]+ ms per pass of `for s in range\(50\)`, ")

    def test_sizes_and_machines_change_it(self) -> None:
        self.write("a.py", STENCIL)
        small = self.predict("a.py")["regions"][0]["asked"][0]["time"]["mid"]
        self.write("b.py", STENCIL.replace("4096", "32768"))
        large = self.predict("b.py")["regions"][0]["asked"][0]["time"]["mid"]
        self.assertGreater(large, small)
        slower = self.predict("b.py", "--profile", "v100")["regions"][0]["asked"][0]["time"]["mid"]
        self.assertGreater(slower, large)
        gpus = self.predict("b.py", "--gpus", "1,8")["regions"][0]["asked"]
        self.assertEqual([point["gpus"] for point in gpus], [1, 8])
        self.assertGreater(gpus[0]["time"]["mid"], gpus[1]["time"]["mid"])

    def test_unknown_extents_of_two_axes_are_no_petabytes(self) -> None:
        self.write("a.py", "import numpy as np\n\n\ndef start(n, m):\n    seed = min(150, n, m)\n"
                           "    u = np.ones((n, m))\n    u[:seed, :seed] = np.random.rand(seed, seed)\n    return u\n")
        region = self.predict("a.py")["regions"][0]
        self.assertLess(region["asked"][0]["memory"]["processor"], 1e10)
        self.assertGreater(region["asked"][0]["memory"]["processor"], 1e8)

    def test_memory_is_told_from_how_many_gpus_on_it_fits(self) -> None:
        self.write("a.py", STENCIL.replace("4096", "120_000"))
        prediction = self.predict("a.py")
        memory = prediction["regions"][0]["memory"]
        self.assertEqual(memory, prediction["memory"])
        self.assertGreater(memory["need"], memory["pool"])
        self.assertGreater(memory["fewest"], 1)
        for point in prediction["scaling"]:
            self.assertEqual(point["fits"], point["gpus"] >= memory["fewest"], point)
        self.assertGreaterEqual(prediction["stop"], memory["fewest"])
        words = f"fits from {memory['fewest']} GPUs"
        text = self.run_program("predict", "--isolated", "a.py").stdout
        self.assertRegex(text, rf"does not fit on 1 GPU \(needs [\d.]+ GB of [\d.]+ GB\), {words}")
        self.assertRegex(text, r"GB, too much")
        self.assertIn(words, self.run_program("predict", "--isolated", "a.py", "--output-format", "markdown").stdout)
        self.assertIn(words, self.run_program("predict", "--isolated", "a.py", "--output-format", "svg").stdout)
        larger = self.predict("a.py", "--fbmem", "1000000")["memory"]
        self.assertEqual(larger["fewest"], 1)

    def test_sizes_of_options_and_lists_are_what_the_program_tells_of_them(self) -> None:
        self.write("a.py", """import argparse

import numpy as np

parser = argparse.ArgumentParser()
parser.add_argument("--cells", type=int, default=1500)
parser.add_argument("--steps", type=int, default=70)
args = parser.parse_args()


class Fields:
    def __init__(self, names):
        self.names = []
        for name in names:
            self.names.append(name)


def run(cells, fields, probe):
    u = np.zeros((cells, cells, len(fields.names)))
    centre = np.zeros(probe.ndim)
    for t in range(args.steps):
        for k in range(len(fields.names)):
            u[:, :, k] = 0.5 * (u[:, :, k] + centre[0])
    return u


def main(names, probe):
    cells = args.cells
    print(run(cells, Fields(names), probe).sum())
""")
        prediction = self.predict("a.py")
        self.assertIn("cells = 1500 (the program's default)", prediction["assumptions"])
        self.assertIn("len(fields.names) = 10 (default)", prediction["assumptions"])
        self.assertIn("passes of `for t in range(args.steps)` in line 21 = 70 (the program's default)", prediction["assumptions"])
        mine = self.predict("a.py", "--assume", "cells=3000")
        self.assertNotIn("cells = 1500 (the program's default)", mine["assumptions"])

    def test_what_calls_hand_over_and_branches_leave_is_a_size(self) -> None:
        self.write("a.py", """import argparse
import sys
import numpy as np

parser = argparse.ArgumentParser()
parser.add_argument("--n", type=int, default=7)
parser.add_argument("--grid", type=int, default=4096)
args = parser.parse_args()
size = int(sys.argv[1]) if len(sys.argv) > 1 else 300


def run(n, x):
    u = np.zeros((n, n))
    for k in range(100):
        u += x.sum()
        x = 0.5 * (x[:-1] + x[1:])
    return u


print(run(args.grid, np.ones(2000)) + run(1000, np.ones(500)))
field = np.zeros((size, size, size))
for k in range(50):
    field += 1.0


def solve(m):
    a = np.ones((m, 3))
    for k in range(100):
        a *= 0.5
    return a


solve(20_000)
solve(10_000)


def wave(cells):
    w = np.ones((cells, cells))
    for k in range(100):
        w *= 0.5
    return w


def wrap(v):
    return np.sin(v) * 2.0


for cells in (256, 512, 1024):
    wave(cells)
for k in range(100):
    field = wrap(field) + wrap(field[0, 0, 0])
""")
        prediction = self.predict("a.py")
        self.assertEqual(sorted(line for line in prediction["assumptions"] if "passes" not in line),
                         ["cells = 1024 (the program's default)", "m = 2e4 (the program's default)", "n = 4096 (the program's default)", "size = 300 (the program's default)",
                          "x.shape[0] = 2000 (the program's default)"])

    def test_what_settings_are_written_with_is_a_size(self) -> None:
        self.write("a.py", """import argparse
import json
import sys
from dataclasses import dataclass
import numpy as np

DEFAULTS = {"agents": 200_000, "predators": 3, "steps": 500, "cells": 7, "none": 0}


@dataclass
class Settings:
    grid: int = 96


def load(path):
    settings = dict(DEFAULTS)
    if path:
        settings.update(json.load(open(path)))
    return settings


settings = load(sys.argv[1] if len(sys.argv) > 1 else None)
settings["cells"] = len(sys.argv[2])
parser = argparse.ArgumentParser()
parser.add_argument("--grid", type=int, default=Settings.grid)
mine = Settings(grid=parser.parse_args().grid)
swarm = np.ones((settings["agents"], 2))
hunters = np.ones((settings["predators"], 2))
probes = np.ones((settings.get("probes", 50), settings["cells"], settings["none"]))
field = np.ones((mine.grid, mine.grid, mine.grid))
for step in range(settings["steps"]):
    swarm += 1.0
    hunters += 1.0
    probes += 1.0
    field += 1.0
""")
        prediction = self.predict("a.py")
        for line in ("agents = 2e5 (the program's default)", "predators = 3 (the program's default)", "probes = 50 (the program's default)", "grid = 96 (the program's default)"):
            self.assertIn(line, prediction["assumptions"])
        self.assertIn("passes of `for step in range(settings[\"steps\"])` in line 31 = 500 (the program's default)", prediction["assumptions"])
        self.assertNotIn("cells = 7 (default)", prediction["assumptions"])
        self.assertNotIn("none = 0 (default)", prediction["assumptions"])

    def test_a_product_is_no_wider_than_its_arrays(self) -> None:
        self.write("a.py", """import numpy as np

def gram(n):
    a = np.ones((1000, n))
    for k in range(100):
        a *= 0.5
        s = a @ a.T
    return s


def latest(u):
    errors = []
    for k in range(100):
        errors.append(float(u.mean()))
        w = np.array(errors[-10:])
        u *= w.max()
    return u
""")
        self.assertIn("n = 4e4 (default)", self.predict("a.py")["assumptions"])
        self.assertNotIn("sizes without a name = 4e7 (default)", self.predict("a.py")["assumptions"])

    def test_other_axes_hold_the_same_elements(self) -> None:
        self.write("a.py", """import numpy as np

n = 20
psi = np.ones(1 << n)
for k in range(100):
    for i in range(n):
        psi = psi.reshape(-1, 2, 1 << i)
        up = psi[:, 0, :].copy()
        psi[:, 0, :] = 0.5 * up
        psi = psi.reshape(-1)
    psi = 1.5 * psi
print(psi.sum())
""")
        self.assertEqual([], self.predict("a.py")["assumptions"])

    def test_selected_rows_are_no_more_than_there_are(self) -> None:
        self.write("a.py", """import numpy as np

x = np.random.uniform(size=(20_000, 100))
x = x[x.sum(axis=1) > 50.0]
n = x.shape[0]
w = np.zeros(n)
for i in range(n):
    w[i] = x[i].sum() / n
print(w.sum())
""")
        self.assertEqual(["shape[0] = 1e4 (default)"], self.predict("a.py")["assumptions"])

    def test_a_part_has_no_more_rows_than_the_array(self) -> None:
        text = """import argparse
import numpy as np


def fit(X, batch):
    w = np.zeros(X.shape[1])
    for s in range(0, X.shape[0], batch):
        xb = X[s:s + batch]
        w -= 1e-3 * (xb.T @ (xb @ w - 1.0))
    return w


parser = argparse.ArgumentParser()
parser.add_argument("-n", type=int, default=400_000)
parser.add_argument("--batch", type=int, default=8192)
args = parser.parse_args()
X = np.random.default_rng(3).normal(size=(args.n * 3, 512))
k = int(0.8 * len(X))
print(fit(X[:k], args.batch).sum())
"""
        for extent in ("X.shape[0]", "len(X)"):
            self.write("a.py", text.replace("range(0, X.shape[0]", f"range(0, {extent}"))
            self.assertEqual(["batch = 8192 (the program's default)", "n = 4e5 (the program's default)"],
                             self.predict("a.py")["assumptions"])

    def test_a_field_that_a_branch_overrides_keeps_its_default(self) -> None:
        self.write("a.py", """from dataclasses import dataclass
import sys

import numpy as np


@dataclass
class Cfg:
    n: int = 2_000_000


def run(cfg):
    s = np.ones((cfg.n, 4))
    for t in range(64):
        s *= np.exp(s)
    return s


cfg = Cfg()
if len(sys.argv) > 1:
    cfg.n = int(sys.argv[1])
print(run(cfg).mean())
""")
        self.assertEqual(["n = 2e6 (the program's default)"], self.predict("a.py")["assumptions"])

    def test_extents_of_one_array_share_its_default(self) -> None:
        self.write("a.py", """import numpy as np


def fit(X: np.ndarray, y: np.ndarray):
    X = np.hstack([X, np.ones((len(X), 1))])
    w = np.zeros(X.shape[1])
    for e in range(200):
        w -= 0.1 * X.T @ (X @ w - y)
    return w
""")
        assumptions = self.predict("a.py")["assumptions"]
        self.assertIn("len(X) = 6325 (default)", assumptions)
        self.assertIn("shape[1] = 6325 (default)", assumptions)

    def test_a_method_of_one_of_several_classes_is_followed(self) -> None:
        self.write("a.py", """import numpy as np


class Dense:
    def __init__(self, n):
        self.w = np.ones((n, n))

    def forward(self, x):
        return x @ self.w


class Relu:
    def forward(self, x):
        return np.maximum(x, 0.0)


layers = [Dense(2048), Relu(), Dense(2048)]
x = np.ones((4096, 2048))
for epoch in range(500):
    h = x
    for layer in layers:
        h = layer.forward(h)
print(h.sum())
""")
        region = self.predict("a.py")["regions"][0]
        self.assertEqual((region["start"]["line"], region["passes"]), (19, "500"))
        self.assertIn("of arithmetic", region["formula"])

    def test_windows_are_smaller_than_what_they_slide_over(self) -> None:
        self.write("a.py", """import numpy as np


def convolve(image, kernel):
    kh, kw = kernel.shape
    h, w = image.shape
    out = np.zeros((h, w))
    for i in range(h - kh):
        for j in range(w - kw):
            out[i, j] = np.sum(image[i : i + kh, j : j + kw] * kernel)
    return out


def blocks(x, n, m):
    return [x[k * n : (k + 1) * n].sum() for k in range(m)]
""")
        rows = dict(re.sub(r" \(.*default\)$", "", line).split(" = ") for line in self.predict("a.py")["assumptions"] if " = " in line)
        self.assertLess(float(rows["kernel.shape[0]"]) ** 2, 1.1 * float(rows["image.shape[0]"]))

    def test_sizes_by_defaults_of_parameters_and_by_names(self) -> None:
        self.write("a.py", """import numpy as np


def histogram(rows, n_bins=200):
    counts = np.zeros(n_bins)
    for k in range(rows):
        counts += np.ones(n_bins) * k
    return counts


def shares(rows, n_clusters: int):
    totals = np.zeros(n_clusters)
    for k in range(rows):
        totals += np.ones(n_clusters) * k
    return totals


def given(rows, width=100):
    totals = np.zeros(width)
    for k in range(rows):
        totals += np.ones(width) * k
    return totals


def rest(rows, table: np.ndarray, width: int):
    return given(rows, width) + table[:width]


def one(rows, copies=1):
    totals = np.zeros(copies)
    for k in range(rows):
        totals += np.ones(copies) * k
    return totals
""")
        sizes = dict(re.sub(r" \(.*default\)$", "", line).split(" = ") for line in self.predict("a.py")["assumptions"] if " = " in line)
        self.assertEqual((sizes["n_bins"], sizes["n_clusters"]), ("200", "10"))
        self.assertGreater(float(sizes["width"]), 1000)   # one function must be given it
        self.assertGreater(float(sizes["copies"]), 1000)  # one stands for a single item
        self.assertEqual(self.predict("a.py", "--assume", "n_bins=4096")["assumptions"].count("n_bins = 200 (the program's default)"), 0)

    def test_a_counter_is_half_of_what_it_gets_to(self) -> None:
        self.write("a.py", """import numpy as np


def correlations(n):
    x = np.ones(n)
    return [np.dot(x[:-lag], x[lag:]) for lag in range(1, 201)]
""")
        self.assertIn("lag = 100 (default)", self.predict("a.py", "--assume", "n=1e8")["assumptions"])

    def test_edges_of_bins_cost_a_step_each_outside_of_loops_as_well(self) -> None:
        seconds = {}
        for bins in ("np.linspace(0.0, 1.0, 5001)", "5000, range=(0.0, 1.0)"):
            self.write("a.py", f"""import numpy as np

x = np.random.rand(10_000_000)
h = np.histogram(x, {bins})[0]
print(h.sum())
""")
            regions = self.predict("a.py")["regions"]
            self.assertEqual([region["passes"] for region in regions], ["1"])
            seconds[bins] = regions[0]["asked"][0]["time"]["mid"]
        edges, numbers = seconds.values()
        self.assertGreater(edges, 50 * numbers)

    def test_a_walk_of_a_builtin_has_its_place(self) -> None:
        self.write("a.py", """import numpy as np

x = np.random.rand(5000)
print(sum(x))
""")
        region = self.predict("a.py")["regions"][0]
        self.assertEqual((region["start"]["line"], region["passes"]), (4, "5000"))

    def test_a_counter_that_goes_on_counts_once_for_all_passes_around_it(self) -> None:
        program = """import numpy as np


def sampled(times, steps):
    times = np.linspace(0.0, 1.0, 200)
    seen, state, j = np.zeros(200), np.zeros(1000), 0
    for step in range(100):
        state = state + 1.0
        while j < 200 and times[j] < step * 0.01:
            seen[j] = state[0]
            j += 1
    return seen, state
"""
        self.write("a.py", program)
        goes_on = self.predict("a.py")["assumptions"]
        self.assertIn("passes of `while j < 200 and times[j] < step * 0.01` in line 9 = 2 (default)", goes_on)
        self.write("a.py", program.replace("        while j", "        j = 0\n        while j"))
        set_back = self.predict("a.py")["assumptions"]
        self.assertNotIn("passes of `while j < 200 and times[j] < step * 0.01` in line 10 = 2 (default)", set_back)

    def test_sizes_are_those_that_the_prediction_rests_on(self) -> None:
        self.write("a.py", "import numpy as np\n\n\ndef f(n, m, tol):\n    u = np.ones((n, n))\n    for t in range(100):\n"
                           "        u = u * 0.5\n        while abs(u).max() > tol:\n            u *= 0.5\n    return u, m\n")
        prediction = self.predict("a.py", "--assume", "m=5", "--assume", "tol=7")
        self.assertEqual(prediction["without_effect"], ["m=5", "tol=7"])
        self.assertEqual(prediction["assumptions"], ["n = 6325 (default)",
                                                     "passes of `while abs(u).max() > tol` in line 8 = 500 (default)"])
        text = self.run_program("predict", "--isolated", "a.py", "--assume", "n=1000", "--assume", "m=5").stdout
        self.assertIn("n = 1000 (assumed), m = 5 (assumed, without effect)", text)

    def test_more_gpus_than_a_node_has_are_on_several_nodes(self) -> None:
        self.write("a.py", STENCIL)
        prediction = self.predict("a.py", "--gpus", "8,16")
        self.assertEqual([(point["gpus"], point["nodes"]) for point in prediction["regions"][0]["asked"]], [(8, 1), (16, 2)])
        curve = {point["gpus"]: point for point in prediction["scaling"]}
        self.assertEqual(prediction["regions"][0]["asked"][1], curve[16])

    def test_text_markdown_and_svg(self) -> None:
        self.write("a.py", STENCIL)
        text = self.run_program("predict", "--isolated", "a.py").stdout
        for words in ("a.py:6", "bound by", "GPUs", "launch", "500 passes"):
            self.assertIn(words, text)
        markdown = self.run_program("predict", "--isolated", "--output-format", "markdown", "a.py").stdout
        self.assertIn("| GPUs | per pass |", markdown)
        self.run_program("predict", "--isolated", "--quiet", "--output", "svg:curve.svg", "a.py")
        root = ElementTree.fromstring((self.folder / "curve.svg").read_text())
        self.assertTrue(root.tag.endswith("svg"))

    def test_hostile_names_stay_text(self) -> None:
        name = "a<b>&\"c.py"
        self.write(name, STENCIL)
        self.run_program("predict", "--isolated", "--quiet", "--output", "svg:curve.svg", name)
        ElementTree.fromstring((self.folder / "curve.svg").read_text())

    def test_what_if(self) -> None:
        self.write("a.py", WAITS)
        before = self.predict("a.py")["regions"][0]["asked"][0]["time"]["mid"]
        mended = self.predict("a.py", "--what-if", "fix=R104@a.py:7")
        self.assertEqual(mended["what_if"], ["fix=R104@a.py:7"])
        self.assertLess(mended["regions"][0]["asked"][0]["time"]["mid"], before)
        self.assert_trouble(self.run_program("predict", "a.py", "--what-if", "fix=R104@a.py:1"), "fix=R104@a.py:1"[4:])
        self.assert_trouble(self.run_program("predict", "a.py", "--what-if", "R104"), "fix=RULE@FILE:LINE")

    def test_what_if_takes_places_as_they_are_printed(self) -> None:
        self.write("a.py", WAITS)
        self.write("n.ipynb", cells("import numpy as np", WAITS))
        for file, place in (
            ("a.py", "./a.py:7"),
            ("a.py", f"{self.folder}/a.py:7"),
            ("./a.py", "a.py:7:12"),
            (f"{self.folder}/a.py", "a.py:7"),
            ("n.ipynb", "n.ipynb:cell 2:7"),
            ("n.ipynb", "n.ipynb:cell 2:7:1"),
        ):
            what_if = f"fix=R104@{place}"
            self.assertEqual(self.predict(file, "--what-if", what_if)["what_if"], [what_if])
        for file, place in (("a.py", "b/a.py:7"), ("a.py", "a.py:cell 1:7"), ("n.ipynb", "n.ipynb:cell 1:7")):
            done = self.run_program("predict", file, "--what-if", f"fix=R104@{place}")
            self.assert_trouble(done, "no finding that has a price")

    def test_findings_are_priced(self) -> None:
        self.write("a.py", WAITS)
        findings = {finding["rule"]: finding["cost"] for finding in self.check("a.py")["findings"]}
        cost = findings["R104"]
        self.assertTrue(0 < cost["per_pass"]["low"] <= cost["per_pass"]["mid"] <= cost["per_pass"]["high"])
        self.assertEqual((cost["passes"], cost["profile"]), ("1000", "h100-sxm"))
        self.assertAlmostEqual(cost["gain_if_fixed"]["mid"], 1000 * cost["per_pass"]["mid"], delta=cost["gain_if_fixed"]["mid"] / 100)
        self.assertIn("drain", [term["name"] for term in cost["terms"]])
        text = self.run_program("--isolated", "a.py").stdout
        self.assertIn("= cost:", text)

    def test_element_loop_gains_by_size(self) -> None:
        self.write("a.py", ELEMENT_LOOP + "\n\ndouble(1_000)\n")
        self.write("b.py", ELEMENT_LOOP + "\n\ndouble(100_000)\n")
        costs = [self.check(name)["findings"][0]["cost"]["gain_if_fixed"]["mid"] for name in ("a.py", "b.py")]
        self.assertGreater(costs[1], 50 * costs[0])

    def test_what_stays_in_order_saves_nothing(self) -> None:
        self.write("a.py", IN_ORDER)
        document = self.check("a.py")
        loop = next(finding for finding in document["findings"] if finding["rule"] == "R101")
        self.assertEqual(list(loop["cost"]), ["unpriced"])
        text = self.run_program("--isolated", "a.py").stdout
        self.assertIn("over `out` this stays sequential", text)
        self.assertNotRegex(text, r"saves \d+ %")

    def test_short_rows_stay_launch_bound(self) -> None:
        """However many rows of nine there are: no size that a GPU holds is where that ends."""
        self.write("a.py", ROWS)
        self.assertEqual(self.predict("a.py")["regions"][0]["break_point"], "")

    def test_a_price_names_the_sizes_it_rests_on(self) -> None:
        """Those of its own region, and not all of the program."""
        other = ELEMENT_LOOP.replace("double", "triple").replace("(n)", "(m)")
        self.write("a.py", ELEMENT_LOOP + "\n\n" + other.replace("import numpy as np", ""))
        costs = [finding["cost"] for finding in self.check("a.py")["findings"] if finding["rule"] == "R101"]
        names = [[line.split(" ")[0] for line in cost["assumptions"]] for cost in costs]
        self.assertEqual(names, [["n"], ["m"]])

    def test_a_driver_calls_its_function_many_times(self) -> None:
        objective = """\
def objective(p):
    return float(np.sum(np.exp(-A * p[0])) + p[1] ** 2)
"""
        lines = ["import numpy as np", "from scipy.optimize import minimize", "A = np.ones((8192, 8192))", objective]
        self.write("a.py", "\n".join([*lines, "print(minimize(objective, [0.0, 0.0]).x)", ""]))
        (region,) = (one for one in self.predict("a.py")["regions"] if one["function"] == "objective")
        self.assertGreater(region["share"], 0.9)
        text = self.run_program("predict", "--isolated", "--no-cache", "a.py").stdout
        self.assertIn("100 calls (assumed)", text)
        self.write("b.py", "\n".join([*lines, "print(objective([0.0, 0.0]))", ""]))
        self.assertNotIn("calls (assumed)", self.run_program("predict", "--isolated", "--no-cache", "b.py").stdout)

    def test_bad_input(self) -> None:
        self.write("a.py", STENCIL)
        self.assert_trouble(self.run_program("predict", "a.py", "--profile", "h1000"), "h1000")
        self.write("broken.json", "{")
        self.assert_trouble(self.run_program("predict", "a.py", "--profile", "broken.json"), "broken.json")
        for size in ("n=-4", "n=0", "n=1e30", "n=1.5", "n=0x10", "u=(-3,4)", "u=(0,4)", "u=(1e30,4)", "u=(99999999,99999999,99999999)", "u=(3,4", "u=(3;4)"):
            self.assert_trouble(self.run_program("predict", "a.py", "--assume", size), size)
        self.assert_trouble(self.run_program("predict", "a.py", "--fbmem", "0"), "--fbmem")

    def test_nothing_to_predict(self) -> None:
        self.write("a.py", "print(1)\n")
        done = self.run_program("predict", "--isolated", "a.py")
        self.assertEqual(done.returncode, OK)
        self.assertIn("nothing to predict", done.stdout)


if __name__ == "__main__":
    harness.main()
