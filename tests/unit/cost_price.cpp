// What findings of real programs cost: which region prices them, how often that runs, what it rests on.

#include <catch2/catch.hpp>

#include <string>

#include "cost-model/price.h"
#include "tests/unit/engine_run.h"

namespace cpnlint::cost {
namespace {

const Profile& H100() {
  static const Profile profile = *LoadProfile("h100-sxm");
  return profile;
}

struct Program {
  explicit Program(const std::string& body)
      : snippet("import numpy as np\n" + body), work(analysis::WorkOf(*snippet.facts)), sizes(*snippet.facts, work) {
    Options options;
    options.layouts = {{1, 1}};
    options.samples = 0;
    prediction = Predict(sizes, work, H100(), options);
  }

  FindingCost CostOf(int code) { return Pricer(sizes, work, prediction, H100(), {1, 1}).Price(snippet.Only(code)); }
  [[nodiscard]] const Region& Heaviest() const { return prediction.regions.at(0).region; }
  [[nodiscard]] std::string Passes() const { return snippet.facts->DimText(Heaviest().passes); }

  Snippet snippet;
  analysis::Work work;
  Sizes sizes;
  Prediction prediction;
};

// `body` in `for t in range(100)`, on matrices of 1000.
std::string InSteps(const std::string& body) {
  return "u = np.random.rand(1000, 1000)\nv = np.zeros_like(u)\nfor t in range(100):\n" + body + "    u[:] = v\n";
}

}  // namespace

TEST_CASE("a nest of element loops is priced by the region that its innermost loop stands in", "[cost]") {
  const std::string element = "                v[i, j] = 0.5 * u[i - 1, j]\n";
  for (const std::string& text :
       {InSteps("    for i in range(1, 999):\n        for j in range(1, 999):\n" + element.substr(4)),
        InSteps("    for i in range(1, 999):\n        for j in range(1, 999):\n            for k in range(9):\n" +
                element),
        std::string("n = 1000\nv = np.zeros((n, n))\nfor i in range(n):\n    for j in range(n):\n"
                    "        v[i, j] = 1.0 / (i + j + 1)\n")}) {
    Program program(text);
    const FindingCost cost = program.CostOf(101);
    CHECK(cost.unpriced.empty());
    CHECK(cost.share > 0.9);
    REQUIRE(cost.gain);
    CHECK(cost.gain->mid > 60);
  }
}

TEST_CASE("a region runs as often as all loops around it, through calls", "[cost]") {
  const std::string fill =
      "def fill(a):\n    for i in range(100_000):\n        a[i] = i * 0.5\na = np.zeros(100_000)\n";
  const auto expect = [](const std::string& text, const std::string& passes, double count) {
    Program program(text);
    CHECK(program.Passes() == passes);
    CHECK(PassesOf(program.sizes, program.Heaviest()) == count);
    const FindingCost cost = program.CostOf(101);
    CHECK(cost.passes == passes);
    REQUIRE(cost.gain);
    CHECK(cost.gain->mid == Approx(count * cost.per_pass.mid));
  };
  expect("a = np.zeros(100_000)\nfor run in range(5):\n    for i in range(100_000):\n        a[i] = i * 0.5\n",
         "500000", 500'000);
  expect(fill + "for run in range(5):\n    fill(a)\n", "500000", 500'000);
  expect(fill + "for run in range(5):\n    fill(a)\nfill(a)\n", "600000", 600'000);
  expect(fill + "for run in range(2):\n    for case in range(3):\n        fill(a)\n", "600000", 600'000);
  expect(fill + "fill(a)\n", "100000", 100'000);
  // Whether a test in front of it lets it run is another question.
  expect(fill + "import sys\nif len(sys.argv) > 1:\n    for run in range(4):\n        fill(a)\n", "400000", 400'000);
}

TEST_CASE("what is not known of an outer loop is not known of the whole", "[cost]") {
  const std::string loop = "    for t in range(1000):\n        a *= 0.5\n        print(float(a.sum()))\n";
  for (const char* outer :
       {"import sys\nfor path in sys.argv:\n", "import sys\nfor case in range(5):\n  if case in sys.argv:\n"}) {
    Program program(std::string("a = np.zeros(100_000)\n") + outer + loop);
    CHECK_FALSE(program.Heaviest().passes.valid());
    CHECK(program.Heaviest().assumed_passes > 1000);
    CHECK_FALSE(program.CostOf(104).gain);
  }
}

TEST_CASE("entries are runs of their own", "[cost]") {
  const Program program(
      "def step(a):\n    for t in range(1000):\n        a *= 0.5\n    return a\n\n\ndef once(n):\n    return "
      "step(np.ones(n))\n\n\n"
      "def twice(n):\n    return step(step(np.ones(n)))\n");
  CHECK(program.Passes() == "2000");
}

TEST_CASE("a recurrence has no price unless it is a running sum", "[cost]") {
  const auto cost_of = [](const std::string& line) {
    return Program("x = np.random.rand(100_000)\ny = np.zeros(100_000)\nfor i in range(1, 100_000):\n    " + line +
                   "\n")
        .CostOf(101);
  };
  for (const char* line :
       {"y[i] = y[i - 1] + x[i]", "y[i] = x[i] + y[i - 1]", "x[i] += x[i - 1]", "y[i] = y[i - 1] * x[i]"}) {
    INFO(line);
    CHECK(cost_of(line).unpriced.empty());
    CHECK(cost_of(line).share > 0.9);
  }
  for (const char* line : {"y[i] = 0.9 * y[i - 1] + x[i]", "y[i] = y[i - 1] - x[i]", "y[i] = np.sin(y[i - 1])",
                           "y[i] = y[i - 1] + y[i - 1] * x[i]"}) {
    INFO(line);
    CHECK_FALSE(cost_of(line).unpriced.empty());
  }
  Program table(
      "c = np.ones((500, 500))\nfor i in range(1, 500):\n    for j in range(1, 500):\n"
      "        c[i, j] = c[i - 1, j] + c[i, j - 1]\n");
  CHECK_FALSE(table.CostOf(101).unpriced.empty());
}

TEST_CASE("a walk over rows that are taken apart costs the reads of their numbers", "[cost]") {
  const auto share_of = [](const std::string& header, const std::string& term) {
    Program program("c = np.random.rand(40, 2)\nx = np.random.rand(2048, 2048)\nf = np.zeros(x.shape)\nfor " + header +
                    " in c:\n    f += np.exp(-" + term + " * x ** 2)\n");
    return program.CostOf(103).share;
  };
  CHECK(share_of("y, z", "(y - z)") < 0.5);
  CHECK(share_of("y, z", "(y - z)") > 0.05);
}

TEST_CASE("a loop that two calls lead to is priced by the heavier one", "[cost]") {
  const std::string loop =
      "def scale(x, n):\n    y = np.zeros(n)\n    for i in range(n):\n        y[i] = 2.0 * x[i]\n    return y\n";
  Program once(loop + "print(scale(np.random.rand(200_000), 200_000))\n");
  Program twice(loop + "print(scale(np.random.rand(3000), 3000))\nprint(scale(np.random.rand(200_000), 200_000))\n");
  CHECK(once.CostOf(101).share > 0.9);
  CHECK(twice.CostOf(101).share > 0.9);
}

TEST_CASE("a join works on what it has grown to", "[cost]") {
  const auto price_of = [](const std::string& passes) {
    Program program("x = np.zeros(0)\nfor t in range(" + passes +
                    "):\n    x = np.concatenate([x, np.random.rand(1_000_000)])\nprint(x.sum())\n");
    return program.CostOf(203).per_pass.mid;
  };
  CHECK(price_of("2000") > 1.5 * price_of("200"));
}

TEST_CASE("a window is shorter than what it slides over", "[cost]") {
  const auto passes = [](const std::string& count) {
    const Program program("def f(x: np.ndarray, w: int, k: int):\n    out = np.empty(" + count +
                          ")\n    for i in range(len(out)):\n        out[i] = x[i:i + w].mean()\n    return out\n");
    return program.Heaviest().assumed_passes;
  };
  CHECK(passes("len(x)") == Approx(4e7));
  CHECK(passes("len(x) - w + 1") == Approx(4e7).epsilon(0.01));
  CHECK(passes("len(x) - w - k") == Approx(4e7).epsilon(0.01));
  const Program lag("def f(n: int, lag: int):\n    x = np.ones(n)\n    return x[:-lag] * x[lag:]\n");
  CHECK(lag.sizes.Assumptions() == std::vector<std::string>{"lag = 6325 (default)", "n = 4e7 (default)"});
  // Pieces are as large as any other size.
  const Program pieces("def f(n: int, m: int):\n    return np.zeros(n // m) + 1.0\n");
  CHECK(pieces.sizes.Assumptions() == std::vector<std::string>{"m = 4e7 (default)", "n = 4e7 (default)"});
}

TEST_CASE("a counter is taken for the middle of what it counts, which is no default of the program", "[cost]") {
  const auto of = [](const std::string& loop) {
    const Program program("out = []\n" + loop + ":\n    out.append(np.ones(lag).sum())\n");
    return program.sizes.Assumptions();
  };
  using Lines = std::vector<std::string>;
  CHECK(of("for lag in range(1, 101)") == Lines{"lag = 50 (default)"});
  CHECK(of("for k, lag in enumerate(range(1, 101))") == Lines{"lag = 50 (default)"});
  CHECK(of("for k, lag in enumerate(range(-50, 51))") == Lines{"lag = 25 (default)"});
  CHECK(of("for k, lag in enumerate(range(20))") == Lines{"lag = 10 (default)"});
  CHECK(of("for lag in (10, 30)") == Lines{"lag = 30 (the program's default)"});
}

TEST_CASE("a size has its own default where another of its name is as long as an array", "[cost]") {
  const Program program(
      "def checked(value: int, least: int):\n    if value < least:\n        raise ValueError\n    return "
      "int(value)\n\n\n"
      "class Search:\n    def __init__(self, size: int = 300):\n        self.size = checked(size, 5)\n"
      "        self.ages = np.zeros(self.size)\n\n    def solve(self):\n        for t in range(1000):\n"
      "            self.ages += 1.0\n\n\n"
      "def ones(x: np.ndarray):\n    size = len(x)\n    return np.ones(size) + x\n");
  CHECK(program.sizes.Assumptions() == std::vector<std::string>{"len(x) = 4e7 (default)", "size = 300 (default)"});
}

TEST_CASE("arithmetic on single elements is no array operation", "[cost]") {
  const auto device_share = [](const std::string& body) {
    const Program program("a = np.random.rand(1_000_000)\ns = np.zeros(())\nfor i in range(1_000_000):\n" + body);
    const Sides sides = SidesOf(program.sizes, program.work, program.Heaviest(), H100(), {1, 1});
    CHECK(sides.known);
    CHECK(sides.priced);
    return sides.device / (sides.device + sides.host);
  };
  CHECK(device_share("    x = a[i]\n    s = s + (x * x + 2.0 * x) / (x + 3.0)\n") < 0.01);
  CHECK(device_share("    a *= 0.5\n") > 0.9);
  CHECK(device_share("    s = s + a.sum()\n") > 0.3);
}

TEST_CASE("what a pass binds anew is waited for, and its neighbours' rows are fetched again", "[cost]") {
  const auto time = [](const std::string& body, Layout layout) {
    const Program program(body);
    return MidTimeOf(program.sizes, program.work, program.Heaviest(), H100(), layout);
  };
  const std::string vector = "x = np.ones(200_000_000)\nfor t in range(100):\n";
  const double in_place = time(vector + "    x *= 0.5\n", {1, 1});
  CHECK(time(vector + "    x = x * 0.5\n", {1, 1}) == Approx(in_place).epsilon(0.001));
  const std::string halved = "def halve(x):\n    return x * 0.5\n\n";
  CHECK(time(halved + vector + "    x = halve(x)\n", {1, 1}) == Approx(in_place).epsilon(0.001));

  const std::string matrices = "u = np.ones((20000, 20000))\nv = np.ones((20000, 20000))\nfor t in range(100):\n";
  const std::string one = "    v[1:-1] = u[2:] + u[:-2]\n", other = "    u[1:-1] = v[2:] + v[:-2]\n";
  const double swapped = time(matrices + one + "    u, v = v, u\n", {4, 1});
  CHECK(2 * swapped == Approx(time(matrices + one + other, {4, 1})).epsilon(0.01));
}

TEST_CASE("of an array that lies on several processors a single element moves alone", "[cost]") {
  const auto time = [](const std::string& body) {
    const Program program("x = np.ones(400_000_000)\nfor t in range(100):\n    x *= 0.5\n" + body);
    return MidTimeOf(program.sizes, program.work, program.Heaviest(), H100(), {4, 1});
  };
  CHECK(time("    x[0] = 1.0\n") < time("") + 1e-3);
}

TEST_CASE("a test every few passes spares all that only it needs", "[cost]") {
  Program program(
      InSteps("    v[1:-1, 1:-1] = u[1:-1, 1:-1] * 0.5\n"
              "    if np.abs(u - v).max() < 1e-6:\n        break\n"));
  const FindingCost cost = program.CostOf(105);
  REQUIRE(cost.unpriced.empty());
  const auto launches = std::ranges::find(cost.terms, "launches", &PriceTerm::name);
  REQUIRE(launches != cost.terms.end());
  CHECK(launches->formula.starts_with("3.6 launches"));  // nine tenths of a difference, abs, max and a comparison
}

TEST_CASE("a test that does not end the loop stays, its wait does not", "[cost]") {
  Program program(InSteps("    if u.max() > 2.0:\n        u *= 0.5\n"));
  const FindingCost cost = program.CostOf(105);
  REQUIRE(cost.unpriced.empty());
  CHECK(std::ranges::find(cost.terms, "drain", &PriceTerm::name) != cost.terms.end());
  CHECK(std::ranges::find(cost.terms, "launches", &PriceTerm::name) == cost.terms.end());
}

TEST_CASE("launches that other work hides in part are told with what they save", "[cost]") {
  Program program(
      "x = np.ones(40_000_000)\nc = np.zeros(101)\n"
      "for k in range(101):\n    c[k] = np.dot(x[:40_000_000 - k], x[k:])\n");
  const FindingCost cost = program.CostOf(101);
  REQUIRE(cost.unpriced.empty());
  REQUIRE_FALSE(cost.terms.empty());
  CHECK(cost.terms.front().name == "launches");
  double told = 0;
  for (const PriceTerm& term : cost.terms) told += term.seconds;
  CHECK(told == Approx(cost.per_pass.mid).epsilon(0.05));
}

TEST_CASE("positions that only index are spared with what they index", "[cost]") {
  Program program(
      "h = np.random.rand(40_000_000)\nb = np.random.rand(40_000_000)\n"
      "for t in range(100):\n    i = np.nonzero(h < 0.5)\n    h[i] = b[i]\n");
  const FindingCost cost = program.CostOf(204);
  REQUIRE(cost.unpriced.empty());
  CHECK(cost.per_pass.mid > 0.5e-3);
}

}  // namespace cpnlint::cost
