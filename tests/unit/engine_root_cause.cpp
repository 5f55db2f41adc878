// One cause, one finding (rules.md A.7), and what the runner does around it.

#include "tests/unit/engine_run.h"

#include "rules/engine/why.h"

using Strings = std::vector<std::string>;

TEST_CASE("an element loop takes what it causes as labels") {
  const Snippet run(R"py(import numpy as np
def f(n):
    a = np.ones(n)
    hits = 0
    for i in range(n):
        if a[i] > 0.5:
            hits += 1
        a[i] = float(a[i]) * hits
    return hits
)py");
  CHECK(run.Findings() == Strings{"R101@5"});
  CHECK(run.Swallowed(run.Only(101)) == Strings{"R105@6", "R104@8"});
}

TEST_CASE("the outermost element loop of a nest tells for all") {
  const Snippet run(R"py(import numpy as np
def f(n, m):
    g = np.zeros((n, m))
    for i in range(n):
        for j in range(m):
            g[i, j] = i * j
    return g
)py");
  CHECK(run.Findings() == Strings{"R101@4"});
  CHECK(run.Swallowed(run.Only(101)) == Strings{"R101@5"});
}

TEST_CASE("row loops of a nest are one finding, on the outermost") {
  const Snippet run(R"py(import numpy as np
def f(n, m):
    out = np.zeros((8, n, m))
    x = np.ones((8, n, m))
    for i in range(n):
        for j in range(m):
            out[:, i, j] = 2 * x[:, i, j]
    return out
)py");
  CHECK(run.Findings() == Strings{"R101@5"});
  CHECK(run.Swallowed(run.Only(101)) == Strings{"R101@6"});
}

TEST_CASE("a cast of what was just made is told as that, not as repeated work") {
  const Snippet run(R"py(import numpy as np
def f(n, steps):
    u = np.zeros(n, dtype=np.float32)
    for _ in range(steps):
        u += np.linspace(0.0, 1.0, n).astype(np.float32)
    return u
)py");
  CHECK(run.Findings() == Strings{"R201@5", "R208@5"});
}

TEST_CASE("what follows from an element loop in a function that it alone calls is its own") {
  const Snippet run(R"py(import numpy as np
def level(x):
    return float(x)
def f(n):
    a = np.ones(n)
    out = np.zeros(n)
    for i in range(n):
        out[i] = level(a[i])
    return out
)py");
  CHECK(run.Findings() == Strings{"R101@7"});
  CHECK(run.Swallowed(run.Only(101)) == Strings{"R104@3"});
}

TEST_CASE("a step loop takes nothing") {
  const Snippet run(R"py(import numpy as np
def f(n, steps):
    u = np.ones(n)
    top = 0.0
    for _ in range(steps):
        u *= 0.5
        top = float(u.max())
    return top
)py");
  CHECK(run.Findings() == Strings{"R104@7"});
}

TEST_CASE("a conversion and a test of one value are one finding") {
  const Snippet run(R"py(import numpy as np
def f(n, steps, tol):
    u = np.ones(n)
    last = 0.0
    for _ in range(steps):
        u *= 0.5
        err = np.max(u)
        last = float(err)
        if err < tol:
            break
    return last
)py");
  CHECK(run.Findings() == Strings{"R104@8"});
  CHECK(run.Swallowed(run.Only(104)) == Strings{"R105@9"});
}

TEST_CASE("findings of one rule on one array in one loop are one with further sites") {
  const Snippet run(R"py(import numpy as np
def f(n):
    a = np.ones(n)
    b = np.ones(n)
    return a[::2], a[1::2], b[::2]
)py");
  CHECK(run.Findings() == Strings{"R106@5", "R106@5"});
  CHECK(run.Also(run.result.findings[0]) == Strings{"5"});
  CHECK(run.Also(run.result.findings[1]).empty());
}

TEST_CASE("a raising expression is told by the first of the raising rules alone") {
  const Snippet run(R"py(import numpy as np
def g(x):
    return x
def f(n):
    a = np.ones(n)
    return np.vectorize(g)(a)
)py");
  CHECK(run.Findings() == Strings{"R102@6"});
}

TEST_CASE("an ignore hides its finding, and what is odd about an ignore is noted") {
  const Snippet run(R"py(import numpy as np
def f(n):
    a = np.ones(n)
    b = a[::2]  # cpnlint: ignore[R106] read on the host anyway
    c = a[::2]  # cpnlint: ignore[R106]
    d = a[1:]  # cpnlint: ignore[R106] nothing strided here
    e = a[::2]  # noqa: R106
    g = a[::2]  # noqa
    return b, c, d, e, g
)py");
  CHECK(run.Findings() == Strings{"R106@8"});
  CHECK(run.Notes() == Strings{"ignore-without-reason@5", "unused-ignore@6"});
}

TEST_CASE("ignoring the cause does not bring up what it stands for") {
  const std::string text = R"py(import numpy as np
def f(n):
    a = np.ones(n)
    for i in range(n):
        a[i] = float(a[i])
    return a
)py";
  const auto selection = cpnlint::rules::Selection::Parse({}, {"R101"});
  REQUIRE(selection.has_value());
  CHECK(Snippet(text, *selection).Findings().empty());
  CHECK(Snippet(text).Findings() == Strings{"R101@4"});
}

TEST_CASE("a compiled function is not looked into and noted once") {
  const Snippet run(R"py(import numba
import numpy as np
@numba.njit
def f(n):
    def g(a):
        for i in range(n):
            a[i] = 1
    a = np.ones(n)
    g(a)
    return a[::2]
)py");
  CHECK(run.Findings().empty());
  CHECK(run.Notes() == Strings{"compiled-region@4"});
}

TEST_CASE("evidence of what scales stands apart") {
  const Snippet run(R"py(import numpy as np
def f(n):
    a = np.ones(n)
    return a * 2 + 1
)py");
  CHECK(run.Findings().empty());
  CHECK_FALSE(run.result.good.empty());
}

TEST_CASE("why tells which condition failed") {
  const Snippet run(R"py(import numpy as np
def f():
    a = np.ones(9)
    for i in range(4):
        a[i] = i
    return a
)py");
  const cpnlint::rules::Rule* rule = nullptr;
  for (const auto* each : cpnlint::rules::AllRules()) {
    if (each->code == 101) rule = each;
  }
  REQUIRE(rule != nullptr);
  const auto attempts = Why(*run.facts, run.module, run.target, *rule, run.file->lines.LineSpan(4));
  REQUIRE(attempts.size() == 1);
  CHECK_FALSE(attempts[0].reported);
  REQUIRE(attempts[0].steps.size() == 2);
  CHECK(attempts[0].steps[0].held);
  CHECK(attempts[0].steps[1].condition == 2);
  CHECK_FALSE(attempts[0].steps[1].held);
}
