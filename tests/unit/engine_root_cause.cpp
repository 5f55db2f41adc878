// One cause, one finding (rules.md A.7), and what the runner does around it.

#include "tests/unit/engine_run.h"

#include <deque>

#include "rules/engine/root_cause.h"
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
)py",
                    cpnlint::rules::Selection().ShowPreview(true));
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

TEST_CASE("a function that nothing uses has findings that no entry point reaches") {
  const Snippet run(R"py(import numpy as np
def f(n):
    def unused():
        return np.ones(n)[::2]
    def used():
        return np.ones(n)[::3]
    return used()
def again(a, k):
    return again(a[::2], k - 1) if k else a
def ping(a, k):
    return pong(a[::2], k - 1) if k else a
def pong(a, k):
    return ping(a, k)
x = again(np.ones(3), 2)
)py");
  CHECK(run.Findings() == Strings{"R106@4", "R106@6", "R106@9"});
  CHECK(run.Notes() == Strings{"unreached@3"});
}

TEST_CASE("a module whose name is made at run time is noted, a written one is not") {
  const Snippet run(R"py(import importlib
import numpy as np
def f(name):
    a = importlib.import_module(name)
    b = importlib.import_module("json")
    return a, b, np.ones(3)
)py");
  CHECK(run.Notes() == Strings{"not-analysed@4"});
}

TEST_CASE("what a comment exports to Pythran is compiled, another function is not") {
  const Snippet run(R"py(import numpy as np
# pythran export f(float64[:], int), g(int)
# pythran is fast
def f(a, n):
    return np.ones(n)[::2]
def g(n):
    return np.ones(n)[::2]
def h(n):
    return np.ones(n)[::2]
)py");
  CHECK(run.Findings() == Strings{"R106@9"});
  CHECK(run.Notes() == Strings{"compiled-region@4", "compiled-region@6"});
}

TEST_CASE("what a partial compiler decorates is compiled") {
  const Snippet run(R"py(import jax
import numpy as np
from functools import partial
@partial(jax.jit, static_argnums=0)
def f(n):
    return np.ones(n)[::2]
)py");
  CHECK(run.Notes() == Strings{"compiled-region@5"});
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

// --- A.7 as a table: findings made by hand, so that the order holds for every rule, whatever else is on a line ---

namespace {

using cpnlint::analysis::Confidence;
using cpnlint::ir::LoopId;
using cpnlint::ir::OpKind;
using cpnlint::ir::ValueId;
using cpnlint::rules::Family;
using cpnlint::rules::Finding;
using cpnlint::rules::Rule;
using cpnlint::rules::Severity;

// One finding per rule code at places of a program.
class Bench {
 public:
  explicit Bench(const std::string& text) : run(text) {}

  // The first op of the kind on the line.
  [[nodiscard]] ValueId OpOn(int line, OpKind kind) const {
    for (std::size_t i = 0; i < run.program.ops.size(); ++i) {
      const ValueId id(i);
      if (run.program.ops[id].kind == kind && run.Line(run.program.ops[id].span) == std::to_string(line)) return id;
    }
    FAIL("no such op on line " << line);
    return {};
  }

  Finding& Add(int code, ValueId site, ValueId root = {}) {
    Finding finding = Blank(code);
    finding.site = site;
    finding.root = root;
    finding.function = run.program.FunctionOf(site);
    finding.loop = run.program.LoopOf(site);
    finding.span = run.program.ops[site].span;
    return found.emplace_back(std::move(finding));
  }

  Finding& AddLoop(int code, std::size_t loop) {
    Finding finding = Blank(code);
    finding.loop = LoopId(loop);
    finding.function = run.program.loops[finding.loop].function;
    finding.span = run.program.loops[finding.loop].header_span;
    return found.emplace_back(std::move(finding));
  }

  // Codes that are kept, in order; swallowed ones behind their cause: "R116(R302)".
  [[nodiscard]] Strings Reduced() const {
    Strings out;
    for (const Finding& finding : MergeIdentical(*run.facts, KeepCauses(*run.facts, found))) {
      std::string text = Snippet::Code(finding);
      for (const auto& label : finding.labels) {
        if (label.swallowed_rule != 0) text += "(R" + std::to_string(label.swallowed_rule) + ")";
      }
      out.push_back(std::move(text));
    }
    return out;
  }

  Snippet run;
  std::deque<Rule> rules;
  std::vector<Finding> found;

 private:
  Finding Blank(int code) {
    Rule& rule = rules.emplace_back();
    rule.code = code;
    rule.family = code >= 400   ? Family::kMemory
                  : code >= 300 ? Family::kInfo
                  : code >= 200 ? Family::kRefactor
                                : Family::kBlocks;
    Finding finding;
    finding.rule = &rule;
    finding.severity = Severity::kError;
    finding.module = run.module;
    return finding;
  }
};

const std::string kOneCall = "import numpy as np\ndef f(a, b):\n    return np.add(a, b)\n";

// What is left of two findings on one call.
Strings Both(int first, int second, Confidence of_second = Confidence::kCertain, Severity of_first = Severity::kError) {
  Bench bench(kOneCall);
  const ValueId call = bench.OpOn(3, OpKind::kCall);
  bench.Add(first, call).severity = of_first;
  bench.found.back().confidence = Confidence::kCertain;
  bench.Add(second, call).confidence = of_second;
  return bench.Reduced();
}

std::string R(int code) { return "R" + std::to_string(code); }

}  // namespace

TEST_CASE("of two rules about raising the earlier one speaks") {
  const int order[] = {120, 102, 106, 119, 107, 109, 112, 113, 308};
  for (std::size_t i = 0; i < std::size(order); ++i) {
    for (std::size_t j = i + 1; j < std::size(order); ++j) {
      INFO(order[i] << " before " << order[j]);
      CHECK(Both(order[i], order[j]) == Strings{R(order[i])});
    }
  }
  for (const int slow : {104, 116, 203, 214, 302, 314}) {
    INFO(slow);
    CHECK(Both(112, slow) == Strings{"R112"});
  }
}

TEST_CASE("what does not raise hides nothing by the order of raising") {
  CHECK(Both(308, 203, Confidence::kCertain, Severity::kInfo) == Strings{"R203", "R308"});
}

TEST_CASE("a specific rule beats a general one at the same site") {
  const std::pair<int, int> pairs[] = {{305, 306}, {302, 306}, {303, 306}, {313, 305}, {313, 302},
                                       {212, 114}, {204, 116}, {204, 114}, {203, 211}, {214, 306},
                                       {115, 214}, {205, 314}, {309, 314}, {205, 206}, {208, 213}};
  for (const auto& [specific, general] : pairs) {
    INFO(specific << " before " << general);
    CHECK(Both(specific, general) == Strings{R(specific)});
  }
}

TEST_CASE("a finding of lower confidence hides none of higher confidence") {
  Bench bench(kOneCall);
  const ValueId call = bench.OpOn(3, OpKind::kCall);
  bench.Add(305, call).confidence = Confidence::kLikely;
  bench.Add(306, call).confidence = Confidence::kCertain;
  CHECK(bench.Reduced() == Strings{"R305", "R306"});
}

TEST_CASE("a headline takes the facts about its site as labels") {
  CHECK(Both(116, 302) == Strings{"R116(R302)"});
  CHECK(Both(116, 305) == Strings{"R116(R305)"});
  CHECK(Both(116, 313) == Strings{"R116(R313)"});
  CHECK(Both(401, 402) == Strings{"R401(R402)"});
  // What a more specific fact beats is no fact of the headline, in whatever order they were found.
  Bench bench(kOneCall);
  const ValueId call = bench.OpOn(3, OpKind::kCall);
  for (const int code : {302, 116, 313}) bench.Add(code, call).confidence = Confidence::kCertain;
  CHECK(bench.Reduced() == Strings{"R116(R313)"});
  // A factorisation that is not in a hot loop is no headline.
  CHECK(Both(116, 302, Confidence::kCertain, Severity::kInfo) == Strings{"R116", "R302"});
}

TEST_CASE("a wait is charged where the value leaves the device first") {
  const int order[] = {104, 110, 105, 117, 115, 116, 114, 215};
  for (std::size_t i = 0; i + 1 < std::size(order); ++i) {
    Bench bench("import numpy as np\ndef f(a):\n    x = np.max(a)\n    y = abs(x)\n    return str(x), y\n");
    const ValueId value = bench.OpOn(3, OpKind::kCall);
    INFO(order[i] << " before " << order[i + 1]);
    bench.Add(order[i + 1], bench.OpOn(4, OpKind::kCall), value);
    bench.Add(order[i], bench.OpOn(5, OpKind::kCall), value);
    CHECK(bench.Reduced() == Strings{R(order[i]) + "(" + R(order[i + 1]) + ")"});
  }
}

TEST_CASE("what CuPy, workers and ranks ask for is told by their rules") {
  for (const auto& [cause, other] :
       {std::pair{111, 104}, std::pair{111, 117}, std::pair{118, 104}, std::pair{118, 117}, std::pair{108, 116}}) {
    Bench bench("import numpy as np\ndef f(pool, g, a):\n    return pool.map(g, np.asarray(a))\n");
    INFO(cause << " takes " << other);
    const ValueId outer = bench.OpOn(3, OpKind::kCall);
    cpnlint::Span& inner = bench.Add(other, outer).span;
    inner = {inner.begin + 12, inner.end - 1};
    bench.Add(cause, outer);
    CHECK(bench.Reduced() == Strings{R(cause) + "(" + R(other) + ")"});
  }
}

TEST_CASE("a cut by rank is told at each of its places, elsewhere a slice is its own") {
  Bench bench(
      "import numpy as np\ndef f(comm, a):\n    comm.send(a)\n    b = a[::2]\n    c = a[::3]\n    return b, c\n");
  bench.Add(108, bench.OpOn(3, OpKind::kCall));
  bench.found.back().also.push_back(bench.run.program.ops[bench.OpOn(4, OpKind::kSubscript)].span);
  bench.Add(106, bench.OpOn(4, OpKind::kSubscript));
  bench.Add(106, bench.OpOn(5, OpKind::kSubscript));
  CHECK(bench.Reduced() == Strings{"R108(R106)", "R106"});
}

TEST_CASE("chunk loops of a nest are one finding that takes what its pieces cause") {
  Bench bench(R"py(import numpy as np
def f(n, m, a):
    for i in range(0, n, 64):
        for j in range(0, m, 64):
            p = a[i:i + 64, j:j + 64]
            p[p > 0] *= 2
    return np.abs(a)
)py");
  bench.AddLoop(207, 1);
  bench.AddLoop(207, 0);
  bench.Add(212, bench.OpOn(6, OpKind::kStoreSubscript));
  bench.Add(209, bench.OpOn(7, OpKind::kCall));
  CHECK(bench.Reduced() == Strings{"R207(R207)(R212)", "R209"});
}

TEST_CASE("R301, R304 and R307 report once per module, R301 for each library") {
  Bench bench("import numpy as np\ndef f(a):\n    return np.abs(a)\ndef g(a):\n    return np.abs(a)\n");
  for (const int code : {301, 304, 307}) {
    bench.Add(code, bench.OpOn(3, OpKind::kCall)).key = "scipy";
    bench.Add(code, bench.OpOn(5, OpKind::kCall)).key = code == 301 ? "cv2" : "scipy";
  }
  CHECK(bench.Reduced() == Strings{"R301", "R304", "R307", "R301"});
}

TEST_CASE("findings about names and arguments merge by the name, not by the array") {
  for (const int code : {109, 112, 113, 119}) {
    Bench bench("import numpy as np\ndef f(a, b):\n    x = np.abs(a)\n    y = np.abs(b)\n    return np.cos(x), y\n");
    INFO(code);
    for (const int line : {3, 4, 5}) {
      const ValueId call = bench.OpOn(line, OpKind::kCall);
      bench.Add(code, call, call).key = line == 5 ? "cos" : "abs";
    }
    const std::vector<Finding> merged = MergeIdentical(*bench.run.facts, bench.found);
    REQUIRE(merged.size() == 2);
    CHECK(merged[0].also.size() == 1);
    CHECK(merged[1].also.empty());
  }
}

TEST_CASE("which of two findings at one place is told does not depend on which was found first") {
  for (const bool turned : {false, true}) {
    Bench bench(kOneCall);
    const ValueId call = bench.OpOn(3, OpKind::kCall);
    const ValueId a = bench.run.program.Operand(call, 1), b = bench.run.program.Operand(call, 2);
    bench.Add(105, call, turned ? b : a);
    bench.Add(105, call, turned ? a : b).rule = bench.found.front().rule;
    const std::vector<Finding> merged = MergeIdentical(*bench.run.facts, KeepCauses(*bench.run.facts, bench.found));
    REQUIRE(merged.size() == 1);
    CHECK(merged.front().root == a);
  }
}
