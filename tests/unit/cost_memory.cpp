// Peak memory of programs whose use the runtime itself reported (`--show-memory-usage`, one CPU; docs/scorecard.md).

#include <catch2/catch.hpp>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "analyzer/analysis/work.h"
#include "analyzer/lower/lower.h"
#include "analyzer/source/file.h"
#include "analyzer/syntax/parse.h"
#include "cost-model/footprint.h"
#include "cost-model/model.h"

namespace cpnlint::cost {
namespace {

// The largest over all regions.
Memory MemoryOf(const std::string& text, const char* profile = "cpu") {
  const source::LoadOutcome loaded = source::LoadBytes("program.py", text);
  REQUIRE(loaded.file);
  const syntax::Tree tree = syntax::Parse(loaded.file->text);
  ir::Program program;
  std::vector<lower::SyntaxNote> notes;
  lower::Lower(*loaded.file, tree, "program", program, notes);
  const analysis::Facts facts(program, program.names);
  const analysis::Work work = analysis::WorkOf(facts);
  Options options;
  options.layouts = {{1, 1}};
  options.curves = 0;
  Memory most;
  for (const RegionPrediction& region : Predict(Sizes(facts, work), work, *LoadProfile(profile), options).regions) {
    if (region.asked.front().memory.processor > most.processor) most = region.asked.front().memory;
  }
  most.at = nullptr;
  return most;
}

}  // namespace

TEST_CASE("freed storage is used again by arrays of its own shape alone", "[cost]") {
  // Six arrays of 2500 x 2500, and three temporaries of 2498 x 2498 that are gone when the sixth is made.
  const Memory memory = MemoryOf(R"py(
import numpy as np

n = 2500
u = np.random.rand(n, n)
w = np.random.rand(n, n)
lap = np.zeros((n, n))
for step in range(1000):
    lap[1:-1, 1:-1] = u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:] - 4.0 * u[1:-1, 1:-1]
    w = 2.0 * u - w + 0.1 * lap
    u, w = w, u
)py");
  CHECK(memory.processor == Approx(449'760'096));
}

TEST_CASE("one shape is as much as is alive", "[cost]") {
  const Memory memory = MemoryOf(R"py(
import numpy as np

n = 8_000_000
a = np.random.rand(n)
b = np.ones(n)
for step in range(1000):
    c = a + b
)py");
  CHECK(memory.processor == Approx(256'000'000));
}

TEST_CASE("sorts and gathers take no buffers from a CPU's pool", "[cost]") {
  const Memory sorted = MemoryOf(R"py(
import numpy as np

n = 2_000_000
a = np.random.rand(n)
for step in range(1000):
    c = np.sort(a)
)py");
  CHECK(sorted.processor == Approx(48'000'000));
  const Memory gathered = MemoryOf(R"py(
import numpy as np

n = 2_000_000
a = np.random.rand(n)
i = np.random.randint(0, n, n)
for step in range(1000):
    c = a[i]
)py");
  CHECK(gathered.processor == Approx(64'000'000));
}

TEST_CASE("a part under a mask has no default size; a CPU reserves room for all of the array", "[cost]") {
  const char* const text = R"py(
import numpy as np

n = 2_000_000
q = np.random.rand(n)
total = 0.0
for step in range(1000):
    total += float(np.sum(q[q > 0.5]))
)py";
  CHECK(MemoryOf(text, "h100-sxm").processor == Approx(26'000'000));  // the array, its mask and half of the array
  // While the read runs, the array, its mask and as much as the array again. 64 passes ended in a pool of 34 MiB, for
  // want of "a dynamic memory pool of 16000000 bytes", and ran in one of 35 MiB (26.6.1).
  CHECK(MemoryOf(text).processor == Approx(34'000'000));
}

TEST_CASE("arrays of unknown type, and storage that is not known apart, take memory", "[cost]") {
  const Memory memory = MemoryOf(R"py(
import numpy as np


class State:
    def __init__(self, n, kind):
        self.u = np.zeros((n, n), dtype=kind)
        self.v = np.zeros((n, n), dtype=kind)

    def step(self):
        for k in range(1000):
            self.u[1:] = self.u[1:] + self.v[1:]


state = State(1000, unknown())
state.step()
)py");
  CHECK(memory.processor >= 2 * 8e6);
}

TEST_CASE("a name that is bound anew lets go of what it held", "[cost]") {
  // At any time the old array and the new one; inside `f` a temporary besides.
  const char* const chain = R"py(
import numpy as np

n = 1_000_000
x = np.ones(n)
x = np.sin(x)
x = np.cos(x)
x = np.tan(x)
x = np.exp(x)
x = np.log(x)
print(float(x.sum()))
)py";
  CHECK(MemoryOf(chain).processor == Approx(16e6));
  const char* const calls = R"py(
import numpy as np


def f(x):
    return x * 0.5 + 1.0


n = 1_000_000
x = np.ones(n)
x = f(x)
x = f(x)
x = f(x)
x = f(x)
print(float(x.sum()))
)py";
  CHECK(MemoryOf(calls).processor == Approx(24e6));
  const char* const loop = R"py(
import numpy as np


def f(x):
    return x * 0.5 + 1.0


n = 1_000_000
x = np.ones(n)
for step in range(1000):
    x = f(x)
print(float(x.sum()))
)py";
  CHECK(MemoryOf(loop).processor == Approx(24e6));
  const char* const several = R"py(
import numpy as np


def step(u, v):
    a = u + v
    b = u - v
    return a, b


n = 1_000_000
u = np.ones(n)
v = np.ones(n)
for k in range(1000):
    u, v = step(u, v)
print(float(u.sum()))
)py";
  CHECK(MemoryOf(several).processor == Approx(32e6));
}

TEST_CASE("a temporary lives beside the old and the new array of a name", "[cost]") {
  // 32,000,000 bytes by the runtime's own report of 30 and of 300 passes (26.6.1, one CPU).
  const Memory memory = MemoryOf(R"py(
import numpy as np

n = 1_000_000
u = np.ones(n)
v = np.ones(n)
for step in range(300):
    u = u * 0.5 + v
print(float(u.sum()))
)py");
  CHECK(memory.processor == Approx(32e6));
}

TEST_CASE("a name that works in place keeps its array", "[cost]") {
  const Memory memory = MemoryOf(R"py(
import numpy as np

n = 1_000_000
q = np.ones(n)
for step in range(1000):
    w = np.zeros(n)
    w += q
    q = q * 0.5
)py");
  CHECK(memory.processor == Approx(24e6));
}

TEST_CASE("each call of a function has arrays of its own, which go with it", "[cost]") {
  const char* const text = R"py(
import numpy as np


def smooth(x):
    y = np.zeros_like(x)
    y[1:-1] = 0.5 * (x[2:] + x[:-2])
    return y


n = 1_000_000
u = np.ones(n)
v = np.ones(n)
for step in range(1000):
    u = smooth(u)
    v = smooth(v)
print(float(u.sum() + v.sum()))
)py";
  // u, v, what becomes of one of them, and two temporaries.
  CHECK(MemoryOf(text).processor == Approx(40e6).epsilon(0.01));
}

TEST_CASE("what a loop collects is there once for each pass", "[cost]") {
  const char* const text = R"py(
import numpy as np

n = 1_000_000
u = np.ones(n)
kept = []
for step in range(50):
    u = u * 0.5
    kept.append(u)
print(len(kept))
)py";
  CHECK(MemoryOf(text).processor == Approx(51 * 8e6).epsilon(0.02));
  const char* const comprehension = R"py(
import numpy as np

n = 1_000_000
parts = [np.ones(n) * k for k in range(20)]
total = parts[0] + parts[1]
print(float(total.sum()))
)py";
  CHECK(MemoryOf(comprehension).processor >= 20 * 8e6);
  CHECK(MemoryOf(comprehension).processor <= 23 * 8e6);
}

}  // namespace cpnlint::cost
