"""What loops over elements, recurrences and loops over pieces of arrays weigh in the verdict and its gates (rules.md E.2 to E.5)."""

from __future__ import annotations

from typing import Any

import harness

MAIN = "\n\nn = 10_000_000\nu = np.ones(n)\nv = np.ones(n)\nprint({call})\n"
ELEMENTS = """\
import numpy as np


def relax(u, v, n):
    out = np.zeros(n)
    for i in range(n):
        out[i] = u[i] * v[i] + np.sqrt(u[i]) - 0.5 * v[i]
    return out
"""
WHOLE = """\
import numpy as np


def overlap(u, n):
    k = np.zeros(n)
    for i in range(n):
        k[i] = np.sum(u * u[i]) + np.max(np.abs(u - u[i]))
    return k


print(overlap(np.random.rand(4_000_000), 4_000_000).sum())
"""
RECURRENCE = """\
import numpy as np


def settle(x):
    y = np.zeros(len(x))
    for i in range(1, len(x)):
        y[i] = 0.9 * y[i - 1] + 0.1 * x[i]
    return y


print(settle(np.random.rand(10_000_000)).sum())
"""
SMALL = """\
import numpy as np


def inertia(n):
    a = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            a[i, j] = 1.0 / (i + j + 1)
    return a


print(inertia(40).sum())
"""
BATCHES = """\
import numpy as np

B = 65_536


def train(X, y, epochs):
    w = np.zeros(64)
    for e in range(epochs):
        for i in range(0, 2_097_152, B):
            xb, yb = X[i:i + B], y[i:i + B]
            p = 1.0 / (1.0 + np.exp(-xb @ w))
            w -= 0.1 * (xb.T @ (p - yb)) / B
    return w


print(train(np.random.rand(2_097_152, 64), np.random.rand(2_097_152), 5))
"""
PIECES = """\
import numpy as np


def means(x, b):
    out = np.zeros(10_000)
    for k in range(10_000):
        out[k] = np.mean(np.sqrt(x[k * 1000:(k + 1) * 1000]))
    return out


print(means(np.random.rand(10_000_000), 1000).sum())
"""
MISSING = """\
import numpy as np
{take}


def run(n, steps):
    u = np.ones((n, n))
    for t in range(steps):
        u = 0.5 * u + {call}(u)
    return u


print(run(4096, 100).sum())
"""
CALLS = """\
import numpy as np


def smooth(u, sweeps):
    for _ in range(sweeps):
        u = 0.5 * (u + np.roll(u, 1, axis=0))
    return u


u = smooth(np.random.rand(4000, 4000), 5000)
for step in range(300):
    u = smooth(u, 2)
    u = u @ u
print(u.sum())
"""


class HotWeight(harness.ProgramTest):
    def verdict(self, program: str) -> dict[str, Any]:
        self.write("a.py", program)
        return self.check("a.py")["verdict"]

    def gate(self, verdict: dict[str, Any], number: int) -> tuple[str, str]:
        gate = verdict["gates"][number - 1]
        return gate["status"], gate["reason"]

    def test_elements_tell_the_size_of_their_arrays(self) -> None:
        verdict = self.verdict(ELEMENTS + MAIN.format(call="relax(u, v, n).sum()"))
        self.assertEqual(verdict["name"], "LIGHT REFACTOR")
        self.assertIn("arrays of at most 1e7 elements carry the hot work", self.gate(verdict, 2)[1])
        self.assertEqual(self.gate(verdict, 5)[0], "fail")
        verdict = self.verdict(SMALL)
        self.assertEqual(verdict["name"], "NOT RECOMMENDED")
        self.assertIn("arrays of at most 1600 elements", self.gate(verdict, 2)[1])

    def test_whole_arrays_within_a_loop_over_elements_count(self) -> None:
        verdict = self.verdict(WHOLE)
        self.assertEqual(verdict["name"], "LIGHT REFACTOR")
        self.assertIn("arrays of at most 4e6 elements carry the hot work", self.gate(verdict, 2)[1])
        self.assertRegex(self.gate(verdict, 4)[1], r"elementwise \d+ % .*, reduction \d+ %")

    def test_a_loop_makes_the_passes_that_its_most_frequent_call_asks_for(self) -> None:
        verdict = self.verdict(CALLS)
        self.assertRegex(self.gate(verdict, 4)[1], r"^dense-linalg [6-9]\d %")

    def test_slices_are_arrays_whatever_the_rank(self) -> None:
        verdict = self.verdict("import numpy as np\n\n\ndef kernel(A: np.ndarray):\n    for i in range(A.shape[0]):\n"
                               "        for j in range(i):\n            A[i, j] -= A[i, :j] @ A[:j, j]\n"
                               "            A[i, j] /= A[j, j]\n")
        self.assertEqual(verdict["units"]["blocks"], 1)
        self.assertIn("the source does not tell the sizes", self.gate(verdict, 2)[1])

    def test_a_recurrence_that_dominates_is_sequential(self) -> None:
        verdict = self.verdict(RECURRENCE)
        self.assertEqual((verdict["name"], verdict["decided_by"]), ("NOT RECOMMENDED", ["gate 4"]))

    def test_batches_are_no_loop_over_elements_and_their_weights_no_sequential_work(self) -> None:
        verdict = self.verdict(BATCHES)
        self.assertEqual(verdict["units"]["blocks"], 0)
        self.assertEqual(self.gate(verdict, 4)[0], "pass")
        self.assertNotIn("sequential", self.gate(verdict, 4)[1])

    def test_pieces_of_an_array_are_no_small_problems(self) -> None:
        verdict = self.verdict(PIECES)
        self.assertNotEqual(self.gate(verdict, 2)[0], "fail", self.gate(verdict, 2)[1])
        self.assertEqual(verdict["name"], "LIGHT REFACTOR")

    def test_a_hot_call_without_a_substitute_is_structural_wherever_its_name_is_taken(self) -> None:
        for take, call in (("", "np.unwrap"), ("from numpy import unwrap", "unwrap"), ("f = np.unwrap", "f")):
            verdict = self.verdict(MISSING.format(take=take, call=call))
            self.assertEqual(verdict["name"], "SIGNIFICANT REFACTOR", take)
            self.assertEqual(verdict["units"]["structural"], 1, take)
        cold = MISSING.format(take="from numpy import unwrap", call="unwrap").replace("for t in range(steps)", "if steps > 1")
        self.assertEqual(self.verdict(cold)["name"], "LIGHT REFACTOR")


if __name__ == "__main__":
    harness.main()
