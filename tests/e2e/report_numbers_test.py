"""The numbers of the readiness report: times, memory, machines, what is taken for mended."""

from __future__ import annotations

import re

import harness

STEPS = """\
import numpy as np

u = np.ones(50_000_000)
total = 0.0
for step in range(1000):
    u *= 0.999
    total += float(u.sum())
print(total)
"""
OTHER = """\
import numpy as np

w = np.ones((20_000, 20_000))
for pass_ in range(300):
    w += 0.1 * np.sqrt(w)
print(w.mean())
"""
LARGE = """\
import numpy as np

n = 100_000
a = np.zeros((n, n))
b = np.ones((n, n))
for t in range(100):
    a += 0.5 * b
    b -= 0.1 * a
print(a.sum())
"""
ALONE = """\
import numpy as np
from scipy.cluster.vq import kmeans

def groups(n):
    points = np.random.rand(n, 2)
    return kmeans(points, 8)

print(groups(10_000_000))
"""
COMPILED = """\
import numpy as np
from numba import njit

@njit
def step(u):
    u[0] = u[1]

u = np.random.rand(4096, 4096)
for t in range(1000):
    step(u)
    u *= 0.5
print(u.mean())
"""


class Report(harness.ProgramTest):
    def setUp(self) -> None:
        super().setUp()
        for name, text in (("steps.py", STEPS), ("other.py", OTHER), ("large.py", LARGE), ("alone.py", ALONE),
                           ("compiled.py", COMPILED)):
            self.write(name, text)

    def report(self, *args: str) -> str:
        done = self.run_program("report", "--isolated", "--no-cache", *args)
        self.assertEqual(done.returncode, harness.OK, done.stderr)
        return done.stdout

    def test_the_time_is_that_of_the_program_which_is_reported(self) -> None:
        for name in ("steps.py", "other.py"):
            alone = re.search(r"predicted time of .*", self.report(name))
            for others in (("steps.py", "other.py"), ("other.py", "steps.py"), (".",)):
                text = self.report(*others)
                root = re.search(r"program +.*?(\w+\.py)", text)
                if root[1] == name:
                    self.assertIn(alone[0], text)

    def test_the_hot_loops_take_as_long_as_their_passes(self) -> None:
        document = harness.json.loads(self.run_program("predict", "--isolated", "--output-format", "json", "steps.py").stdout)
        seconds = 1000 * document["prediction"]["regions"][0]["asked"][0]["time"]["mid"]
        reason = harness.json.loads(self.report("steps.py", "--output-format", "json"))["verdict"]["gates"][4]["reason"]
        told = re.search(r"% of ([\d.]+) s in hot loops", reason)
        self.assertIsNotNone(told, reason)
        self.assertAlmostEqual(float(told[1]), seconds, delta=0.06 * seconds)

    def test_what_is_taken_for_mended_is_told_and_saves_no_more(self) -> None:
        before = self.report("steps.py")
        text = self.report("steps.py", "--what-if", "fix=R104@steps.py:7")
        self.assertNotIn("as if mended", before)
        self.assertRegex(text, r"as if mended +fix=R104@steps.py:7")
        self.assertRegex(before, r"saves \d+ % of the time")
        self.assertNotIn("saves", text)
        time = re.search(r"predicted time of a pass of `.*`: ([\d.]+ \w+)", text)
        self.assertIn(f"{time[1]} a pass on h100-sxm", text)
        self.assertNotIn(f"{time[1]} a pass on h100-sxm", before)

    def test_memory_is_held_against_each_number_of_gpus(self) -> None:
        document = self.check("large.py")
        verdict = document["verdict"]
        self.assertEqual((verdict["name"], verdict["gates"][0]["status"]), ("READY", "uncertain"))
        self.assertIn("240 GB on 1 GPU exceeds the pool", verdict["gates"][0]["reason"])
        self.assertIn("60 GB on each of 4 GPUs", verdict["gates"][0]["reason"])
        text = self.report("large.py")
        self.assertRegex(text, r"READY: .*; memory: the predicted peak of 240 GB on 1 GPU exceeds")
        self.assertRegex(text, r"predicted time of .*: does not fit on 1 GPU, [\d.]+ ms .* on 4 GPUs")
        self.assertIn("run a smaller problem with `legate --gpus 1 large.py` first, then this one with `--gpus 4`", text)
        text = self.report("large.py", "--gpus", "1")
        self.assertRegex(text, r"what to do: make room first \(its arrays need 4 GPUs or more\)")
        self.assertEqual(self.check("large.py", "--gpus", "1")["verdict"]["composite"], "no-go")
        text = self.report("large.py", "--gpus", "8")
        self.assertNotIn("memory:", text)
        self.assertRegex(text, r"predicted time of .*: [\d.]+ ms .* on 8 GPUs")

    def test_a_size_without_a_type_is_held_against_the_memory_as_well(self) -> None:
        source = "import numpy as np\n\n\ndef f(u):\n    for i in range(1000):\n        u = u * 2\n    return u\n\n\nf(np.ones((3, 3)))\n"
        self.write("u.py", source)
        reason = self.check("u.py", "--assume", "u=(200000,200000)")["verdict"]["gates"][0]["reason"]
        self.assertIn("the predicted peak of 640 GB on 1 GPU", reason)
        self.assertIn("needs 640 GB", self.run_program("predict", "--isolated", "--assume", "u=(200000,200000)", "u.py").stdout)

    def test_several_nodes(self) -> None:
        text = self.report("large.py", "--gpus", "8", "--nodes", "2")
        self.assertRegex(text, r"GPUs +8 of each of 2 nodes")
        self.assertIn("15 GB on each of 16 GPUs", text)
        self.assertIn("per GPU on 16 GPUs", text)
        self.assertRegex(text, r"predicted time of .* on 16 GPUs")
        self.assertIn("then with `--nodes 2 --gpus 8`", text)

    def test_what_has_no_price_is_named_beside_the_time(self) -> None:
        text = self.report("compiled.py")
        self.assertRegex(text, r"predicted time of a pass of .*; without what has no price: step \(compiled\.py:10\)")
        self.assertRegex(text, r"boundary cost .*, without the part that has no price")
        self.assertNotIn("sizes or passes are assumed", text)
        self.assertRegex(self.report("alone.py"),
                         r"predicted time of the array work of the program: .*; without what has no price: "
                         r"scipy\.cluster\.vq\.kmeans \(alone\.py:6\)")
        self.assertNotIn("without what has no price", self.report("steps.py"))


if __name__ == "__main__":
    harness.main()
