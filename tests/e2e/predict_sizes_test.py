"""Sizes that come from calls and from data: what `predict` takes them for."""

from __future__ import annotations

import json

import harness
from harness import OK


class PredictSizes(harness.ProgramTest):
    def predict(self, *arguments: str) -> dict:
        done = self.run_program("predict", "--isolated", "--no-cache", "--output-format", "json", *arguments)
        self.assertEqual((done.returncode, done.stderr), (OK, ""))
        return json.loads(done.stdout)["prediction"]

    def test_arrays_of_two_sizes_are_priced_by_the_larger_one(self) -> None:
        self.write("a.py", """import numpy as np


def step(u):
    d = np.zeros_like(u)
    d[..., 1:-1] = u[..., 2:] - u[..., :-2]
    return u - 0.1 * d


def halve(X, rows):
    for i in rows:
        X[i] *= 0.5


ens, truth = np.ones((48, 1000, 1000)), np.ones((1, 1000, 1000))
for n in range(1000):
    ens = step(ens)
    truth = step(truth)
print(ens.mean() - truth.mean())
U, V = np.ones((60000, 32)), np.ones((8000, 32))
for e in range(30):
    halve(U, np.arange(60000))
    halve(V, np.arange(8000))
print(U.sum())
""")
        prediction = self.predict("a.py")
        self.assertEqual(["X.shape[0] = 6e4 (the program's default)", "u.shape[0] = 48 (the program's default)"],
                         prediction["assumptions"])
        rows = next(one for one in prediction["regions"] if one["start"]["line"] == 21)
        self.assertIn("68002·", rows["formula"])

    def test_positions_are_no_more_than_the_mask_has(self) -> None:
        self.write("a.py", """import numpy as np


def outliers(u, k=3.0):
    dist = np.linalg.norm(u - u.mean(axis=0), axis=1)
    return [int(row) for row in np.where(dist > k * dist.mean())[0]]


u, x = np.ones((48, 100_000)), np.linspace(0, 1, 48)
for step in range(60):
    u *= 0.99
    for row in outliers(u):
        u[row] = 0.0
    for row in np.nonzero(u[:, 0] > x)[0]:
        u[row] = 1.0
print(u.sum())
""")
        prediction = self.predict("a.py")
        self.assertEqual(["passes of `for row in np.nonzero(u[:, 0] > x)[0]` in line 14 = 24 (default)",
                          "passes of `for row in np.where(dist > k * dist.mean())[0]` in line 6 = 24 (default)",
                          "passes of `for row in outliers(u)` in line 12 = 24 (default)"], sorted(prediction["assumptions"]))
        self.write("a.py", """import numpy as np

P = np.ones((6000, 100))
M = P > 0.5
total = 0.0
for user in range(6000):
    total += P[user, np.nonzero(M[user])[0]].sum()
print(total)
""")
        self.assertEqual([], self.predict("a.py")["assumptions"])

    def test_objects_that_are_called_are_followed(self) -> None:
        self.write("a.py", """import numpy as np


class Merit:
    def __init__(self, n):
        self.x = np.linspace(-1, 1, n)

    def __call__(self, p):
        return np.mean((np.sin(self.x * p[0]) + np.cos(self.x * p[1])) ** 2)


def optimise(f, p):
    for it in range(400):
        p = p - 0.1 * f(p)
    return p


print(optimise(Merit(10_000_000), np.array([1.0, 2.0])))
""")
        prediction = self.predict("a.py")
        self.assertEqual([], prediction["assumptions"])
        self.assertIn("960 MB", prediction["regions"][0]["formula"])

    def test_a_loop_is_priced_where_it_stands(self) -> None:
        """What its items call is called by the hot loop as well; the price of that is no price of the loop."""
        self.write("a.py", """import numpy as np


class Chain:
    def __init__(self, x, temp):
        self.x, self.temp = x, temp
        self.lp = prior(self.x)

    def step(self):
        self.x = self.x + 0.1
        self.lp = prior(self.x)


def prior(th):
    if np.any(th > 50.0):
        return -1.0
    return -0.5 * np.sum(th)


chains = [Chain(np.zeros(1_000_000), t) for t in np.linspace(1.0, 50.0, 40)]
for it in range(20000):
    for c in chains:
        c.step()
print(chains[0].lp)
""")
        done = self.run_program("check", "--isolated", "--no-cache", "--preview", "--select", "R103,R105", "a.py")
        iteration = done.stdout[done.stdout.index("R103"):done.stdout.index("Found")]
        self.assertIn("under 1 % of the time", iteration[:iteration.index("R105")] if "R105" in iteration else iteration)

    def test_what_the_program_says_on_one_way_is_its_size(self) -> None:
        self.write("a.py", """import sys

import numpy as np

BLOCK = 2048


def model(blocks=16, size=BLOCK):
    return np.ones((blocks * size, blocks * size))


def rank(adj):
    r = np.ones(adj.shape[0])
    for it in range(500):
        r = adj @ r
    return r


if len(sys.argv) > 1:
    adj = model(4, int(sys.argv[1]))
else:
    adj = model()
print(rank(adj).sum())
""")
        self.assertEqual(["adj.shape[0] = 3.277e4 (the program's default)"], self.predict("a.py")["assumptions"])


if __name__ == "__main__":
    harness.main()
