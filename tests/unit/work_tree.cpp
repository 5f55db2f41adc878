// What programs ask of the machine: the tree of steps, and single tasks by kind.

#include <catch2/catch.hpp>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "analyzer/analysis/work.h"
#include "analyzer/api/launches.h"
#include "analyzer/lower/lower.h"
#include "analyzer/source/file.h"
#include "analyzer/syntax/parse.h"

namespace cpnlint::analysis {
namespace {

struct Analysed {
  ir::Program program;
  std::unique_ptr<Facts> facts;
  Work work;
};

std::unique_ptr<Analysed> Analyse(const std::string& body) {
  auto result = std::make_unique<Analysed>();
  const source::LoadOutcome loaded = source::LoadBytes("program.py", "import numpy as np\n" + body);
  REQUIRE(loaded.file);
  const syntax::Tree tree = syntax::Parse(loaded.file->text);
  std::vector<lower::SyntaxNote> notes;
  lower::Lower(*loaded.file, tree, "program", result->program, notes);
  REQUIRE(notes.empty());
  result->facts = std::make_unique<Facts>(result->program, result->program.names);
  result->work = WorkOf(*result->facts);
  return result;
}

constexpr const char* kMake =
    "n = 1000\n"
    "a = np.ones((n, n))\nb = np.ones((n, n))\nx = np.ones(n)\ny = np.ones(n)\nk = np.arange(n)\n"
    "f = np.ones(n, dtype=np.float32)\nm = x > 0.5\n";

// The tasks of the last line, which follows the arrays of kMake.
std::vector<WorkTask> TasksOf(const std::string& line) {
  const auto before = Analyse(kMake);
  const auto after = Analyse(std::string(kMake) + line + "\n");
  const std::vector<WorkTask>& all = after->work.tasks;
  return {all.begin() + static_cast<std::ptrdiff_t>(before->work.tasks.size()), all.end()};
}

double LaunchesOf(const std::string& line) {
  double launches = 0;
  for (const WorkTask& task : TasksOf(line)) launches += task.launches;
  return launches;
}

}  // namespace

TEST_CASE("operators launch one operation and one more for each operand that is converted", "[work]") {
  CHECK(LaunchesOf("x + y") == 1);
  CHECK(LaunchesOf("x + 1.0") == 1);
  CHECK(LaunchesOf("x + 1") == 2);
  CHECK(LaunchesOf("k + 1") == 1);
  CHECK(LaunchesOf("x + k") == 2);
  CHECK(LaunchesOf("f * 2.0") == 2);
  CHECK(LaunchesOf("k / 2") == 1);
  CHECK(LaunchesOf("x < 1") == 2);
  CHECK(LaunchesOf("-x") == 1);
  CHECK(LaunchesOf("2.0 * x + y") == 2);
  CHECK(LaunchesOf("np.sqrt(k)") == 2);
  CHECK(LaunchesOf("np.maximum(x, 0)") == 2);
  CHECK(LaunchesOf("np.exp(x, out=y)") == 1);
}

TEST_CASE("calls that go through data in Python have a step for each element", "[work]") {
  // The passes of the loops that the last line makes, and how many operations each step is.
  const auto steps = [](const std::string& line) {
    const auto after = Analyse(std::string(kMake) + line + "\n");
    std::vector<std::pair<std::int64_t, double>> found;
    for (const WorkLoop& loop : after->work.loops) {
      REQUIRE(loop.body.size() == 1);
      const std::int64_t passes =
          loop.trips.valid() ? after->facts->store().dims().AsConst(loop.trips).value_or(-2) : -1;
      found.emplace_back(passes, after->work.tasks[loop.body.front().index].launches);
    }
    return found;
  };
  using Found = std::vector<std::pair<std::int64_t, double>>;
  CHECK(steps("np.histogram(x, np.linspace(0.0, 1.0, 101))") == Found{{100, 1}});
  CHECK(steps("np.histogram(x, [0.0, 0.5, 0.7, 1.0])") == Found{{3, 1}});
  CHECK(steps("np.histogram(x, np.ones(101), density=True)") == Found{{100, 1}, {100, 2}});
  CHECK(steps("np.histogram(x, 64, range=(0.0, 1.0), density=True)") == Found{{64, 2}});
  CHECK(steps("np.histogram(x, density=True)") == Found{{10, 2}});
  CHECK(steps("np.histogram2d(x, y, [np.ones(11), np.ones(21)])") == Found{{10, 1}, {20, 1}});
  CHECK(steps("np.histogram(x, 64, range=(0.0, 1.0))").empty());
  CHECK(steps("np.histogram(x, 64)").empty());
  CHECK(steps("np.histogram2d(x, y, [10, 20])").empty());
  CHECK(steps("np.cov(a, aweights=x)") == Found{{1000, 1}});
  CHECK(steps("np.cov(a)").empty());
  CHECK(steps("np.nanmedian(a, axis=1)") == Found{{1000, 5}});
  CHECK(steps("np.nanmedian(a)").empty());
  CHECK(steps("np.median(a, axis=1)").empty());
}

TEST_CASE("operands that are no blocks of one shape are stepped through", "[work]") {
  const auto walks = [](const std::string& line) { return TasksOf(line).back().walks; };
  CHECK_FALSE(walks("x + y"));
  CHECK_FALSE(walks("np.sqrt(x)"));
  CHECK_FALSE(walks("np.add(a, b, out=a)"));
  CHECK(walks("x + 1.0"));
  CHECK(walks("np.maximum(x, 0.0)"));
  CHECK(walks("x > 0.5"));
  CHECK(walks("a + x"));  // a row against a matrix
  CHECK_FALSE(walks("x[1:] + y[1:]"));
  CHECK_FALSE(walks("a[1:] + b[1:]"));  // whole rows
  CHECK(walks("a[:, 1:] + b[:, 1:]"));
  CHECK(walks("a[1:-1, 1:-1] = b[1:-1, 1:-1]"));
  CHECK_FALSE(walks("a[1:-1] = b[1:-1]"));
  CHECK_FALSE(walks("a[3] + x"));
  CHECK(walks("a[:, 3] + x"));
  CHECK(walks("a[1:-1, 1:-1].sum()"));
  CHECK_FALSE(walks("a.sum()"));
}

TEST_CASE("sums along the last axis are told from the others", "[work]") {
  const auto outer = [](const std::string& line) { return TasksOf(line).back().outer_axis; };
  CHECK(outer("a.sum(axis=0)"));
  CHECK_FALSE(outer("a.sum(axis=1)"));
  CHECK_FALSE(outer("a.sum(axis=-1)"));
  CHECK_FALSE(outer("a.sum()"));
}

TEST_CASE("a masked part has half of the elements it was taken from, and so has what is made of it", "[work]") {
  const auto analysed = Analyse(std::string(kMake) + "q = x[m]\nr = q * 2.0\ns = r.sum()\n");
  const WorkTask& sum = analysed->work.tasks.back();
  REQUIRE(sum.kind == WorkKind::kReduction);
  CHECK(analysed->facts->store().dims().AsConst(sum.elements) == 500);
}

TEST_CASE("selections are followed into functions, rows, products and positions", "[work]") {
  const auto elements = [](const std::string& body) {
    const auto analysed = Analyse(std::string(kMake) + body + "t = q.sum()\n");
    const auto is_sum = [](const WorkTask& task) { return task.kind == WorkKind::kReduction; };
    const auto sum = std::ranges::find_if(analysed->work.tasks, is_sum);
    REQUIRE(sum != analysed->work.tasks.end());
    return analysed->facts->store().dims().AsConst(sum->elements);
  };
  CHECK(elements("def f(v):\n  return np.exp(v) - 1\nq = f(x[m])\n") == 500);
  CHECK(elements("q = a[3, m]\n") == 500);
  CHECK(elements("q = np.nonzero(m)[0]\n") == 500);
  CHECK(elements("q = y[np.nonzero(m)[0]]\n") == 500);
  CHECK(elements("p, = np.nonzero(m)\nq = y[p]\n") == 500);
  CHECK(elements("q = np.concatenate([x[m], y])\n") == 1500);
  CHECK(elements("v = x[m]\nq = np.vstack([v, v, v]).T @ np.ones(3)\n") == 500);
  CHECK_FALSE(elements("import data\nq = data.get()[m] + np.asarray(data.get())[m]\n"));
}

TEST_CASE("lists that loops collect and counts have usual lengths", "[work]") {
  const auto elements = [](const std::string& body) {
    const auto analysed = Analyse(std::string(kMake) + body);
    return analysed->facts->store().dims().AsConst(analysed->work.tasks.back().elements);
  };
  const std::string loop = "log = []\nfor t in range(300):\n  ";
  CHECK(elements(loop + "log.append(x.sum())\nq = np.array(log)\n") == 300);
  CHECK(elements(loop + "if t % 10 == 0:\n    log.append(float(t))\nq = np.asarray(log)\n") == 300);
  CHECK(elements("log = []\nlog.append(1.0)\nfor t in range(5):\n  for s in range(6):\n    log.append(2.0)\n"
                 "q = np.array(log)\n") == 31);
  CHECK(elements(loop + "log.append(x)\nq = np.array(log)\n") == 300'000);
  CHECK_FALSE(elements(loop + "if t > 9:\n    log.append(x)\nq = np.array(log)\n"));
  CHECK_FALSE(elements(loop + "log.extend(data)\nq = np.array(log)\n"));
  CHECK(elements("q = np.bincount(k, minlength=77)\nr = q.max()\n") == 77);
  CHECK(elements("q = np.bincount(k)\nr = q.max()\n") == 1000);
  CHECK(elements("q = np.bincount(k, None, 77)\nr = q * 2\n") == 77);
}

TEST_CASE("the length of a selection is waited for once", "[work]") {
  // Waits of all passes of a loop of 100.
  const auto waits = [](const std::string& body) {
    const auto analysed = Analyse(std::string(kMake) + body);
    const Work& work = analysed->work;
    double waits = 0;
    const auto add = [&](const auto& self, const std::vector<WorkStep>& steps, double times) -> void {
      for (const WorkStep& step : steps) {
        if (step.kind == WorkStep::Kind::kTask && work.tasks[step.index].waits) waits += times;
        if (step.kind == WorkStep::Kind::kLoop) self(self, work.loops[step.index].body, times * 100);
      }
    };
    add(add, work.roots.front().steps, 1);
    return waits;
  };
  const std::string loop = "for t in range(100):\n  ";
  CHECK(waits("q = x[m]\nr = np.sin(q) + np.cos(q)\nr = r * 2.0\n") == 1);
  CHECK(waits("q = x[m]\n" + loop + "q = np.sin(q) + np.cos(q) * 0.5\n  q = q * 0.9\n") == 1);
  CHECK(waits("q = x[m]\n" + loop + "y[:q.size] = q * 0.9\n") == 1);
  CHECK(waits(loop + "q = x[m]\n  r = np.sin(q) + np.cos(q)\n  r = r * r\n") == 100);
  CHECK(waits("q = x[m]\n" + loop + "q = np.sin(q)\n  q = q[q > 0.1]\n") == 101);
  CHECK(waits(loop + "x = x * 0.5\n  y = x[m] * 2\n  z = x[m] * 3\n") == 200);
  CHECK(waits(loop + "q = x[m]\n  for s in range(100):\n    q = q * 0.5\n") == 100);
  CHECK(waits("def f(v):\n  w = np.exp(v)\n  return w - 1\n" + loop + "q = f(x[m])\n  q = q * 2\n") == 100);
  CHECK(waits("def f(v):\n  return np.exp(v) - 1\nq = x[m] + 1\n" + loop + "q = f(q)\n") == 1);
  CHECK(waits("def f(v):\n  return v[m]\n" + loop + "q = f(x)\n  q = q * 2\n  q = q * 3\n") == 100);
  CHECK(waits(loop + "p, = np.nonzero(m)\n  q = p * 2\n  q = q + p\n") == 100);
}

TEST_CASE("draws that are a number of the generator are cheap", "[work]") {
  CHECK(TasksOf("np.random.rand(n)").back().operations == 1);
  CHECK(TasksOf("np.random.uniform(size=n)").back().operations == 1);
  CHECK(TasksOf("np.random.normal(size=n)").back().operations > 1);
}

TEST_CASE("slices are views, what is written through them is not", "[work]") {
  CHECK(TasksOf("x[1:-1]").empty());
  CHECK(TasksOf("a[3]").empty());
  CHECK(TasksOf("a.T").empty());
  CHECK(LaunchesOf("x[1:] = y[1:]") == 1);
  CHECK(LaunchesOf("x[1:] = x[:-1]") == 2);  // they overlap: a copy first
  CHECK(LaunchesOf("x[1:] = 0.0") == 1);
  CHECK(LaunchesOf("x[1:] = 0") == 2);
  CHECK(LaunchesOf("x[1:] += y[1:]") == 1);
  CHECK(LaunchesOf("x[1:] += x[:-1]") == 2);
  CHECK(TasksOf("x[1:] = 0.0").front().kind == WorkKind::kFill);
  CHECK(TasksOf("x[1:] = y[1:]").front().kind == WorkKind::kCopy);
}

TEST_CASE("elements, gathers and masks", "[work]") {
  CHECK(TasksOf("x[3]").front().kind == WorkKind::kElementAccess);
  CHECK(LaunchesOf("x[3] = 1.0") == 1);
  CHECK(LaunchesOf("x[3] = 1") == 2);
  CHECK(LaunchesOf("x[3] += 1.0") == 3);  // read, add, write
  CHECK(TasksOf("x[k]").front().kind == WorkKind::kGather);
  CHECK(TasksOf("x[k]").front().waits);
  CHECK(TasksOf("x[k]").front().launches_divided == 3);
  CHECK(TasksOf("x[m]").front().kind == WorkKind::kMaskRead);
  CHECK_FALSE(TasksOf("x[m]").front().waits);
  CHECK(TasksOf("x[m].sum()").back().waits);  // its length is asked for
  CHECK(TasksOf("x[m] = 0.0").front().kind == WorkKind::kElementwise);
  CHECK(TasksOf("x[m] = y[m]").back().kind == WorkKind::kScatter);
}

TEST_CASE("reductions", "[work]") {
  const std::vector<WorkTask> sum = TasksOf("x.sum()");
  REQUIRE(sum.size() == 1);
  CHECK(sum.front().kind == WorkKind::kReduction);
  CHECK(sum.front().launches == 1);
  CHECK(sum.front().launches_divided == 3);
  CHECK_FALSE(sum.front().waits);
  const std::vector<WorkTask> rows = TasksOf("np.sum(a, axis=0)");
  CHECK(rows.front().kind == WorkKind::kAxisReduction);
  CHECK(rows.front().launches == 2);
  CHECK(LaunchesOf("np.mean(k)") == 3);
  CHECK(LaunchesOf("np.linalg.norm(x)") == 2);
  CHECK(TasksOf("np.cumsum(x)").front().kind == WorkKind::kScan);
  CHECK(TasksOf("np.cumsum(x)").front().waits);
}

TEST_CASE("products know their sizes", "[work]") {
  const auto analysed = Analyse(std::string(kMake) + "c = a[:100] @ b\nd = b @ x\ne = x @ y\n");
  const std::vector<WorkTask>& tasks = analysed->work.tasks;
  const ir::DimStore& dims = analysed->facts->store().dims();
  const WorkTask& matrix = tasks[tasks.size() - 3];
  CHECK(matrix.kind == WorkKind::kProduct);
  CHECK(dims.AsConst(matrix.m) == 100);
  CHECK(dims.AsConst(matrix.n) == 1000);
  CHECK(dims.AsConst(matrix.k) == 1000);
  CHECK(dims.AsConst(matrix.elements) == 100 * 1000 * 1000);
  CHECK(matrix.launches == 2);
  const WorkTask& vector = tasks[tasks.size() - 2];
  CHECK(dims.AsConst(vector.n) == 1);
  CHECK(vector.operands[1].replicated);
  CHECK(tasks.back().kind == WorkKind::kReduction);
}

TEST_CASE("products of the library know their sizes", "[work]") {
  const auto sizes = [](const std::string& line) {
    const auto analysed = Analyse(
        "o = np.ones((2000, 8))\nt = np.ones((4, 5, 6))\ns = np.ones((6, 7))\n"
        "v = np.ones(2000)\nr = np.ones((3, 6, 2))\nq = np.ones((5, 6))\n" +
        line + "\n");
    const WorkTask& task = analysed->work.tasks.back();
    const ir::DimStore& dims = analysed->facts->store().dims();
    const auto size = [&](ir::DimId dim) { return dims.AsConst(dim).value_or(-1); };
    if (task.kind == WorkKind::kReduction) return std::vector<std::int64_t>{size(task.elements)};
    return std::vector<std::int64_t>{size(task.m), size(task.n), size(task.k), size(task.elements)};
  };
  using Sizes = std::vector<std::int64_t>;
  CHECK(sizes("np.cov(o, rowvar=False)") == Sizes{8, 8, 2000, 128000});
  CHECK(sizes("np.cov(o.T)") == Sizes{8, 8, 2000, 128000});
  CHECK(sizes("np.cov(o)") == Sizes{2000, 2000, 8, 32000000});
  CHECK(sizes("np.cov(v)") == Sizes{1, 1, 2000, 2000});
  CHECK(sizes("np.vdot(o, o)") == Sizes{16000});
  CHECK(sizes("np.inner(q, q)") == Sizes{5, 5, 6, 150});
  CHECK(sizes("np.inner(t, q)") == Sizes{20, 5, 6, 600});
  CHECK(sizes("np.dot(t, s)") == Sizes{20, 7, 6, 840});
  CHECK(sizes("np.dot(t, r)") == Sizes{20, 6, 6, 720});
  CHECK(sizes("np.tensordot(t, s, 1)") == Sizes{20, 7, 6, 840});
  CHECK(sizes("np.tensordot(t, q)") == Sizes{4, 1, 30, 120});
  CHECK(sizes("np.tensordot(t, s, axes=([2], [0]))") == Sizes{20, 7, 6, 840});
  CHECK(sizes("np.tensordot(t, q, axes=((1, 2), (0, 1)))") == Sizes{4, 1, 30, 120});
  CHECK(sizes("np.tensordot(v, v, axes=0)") == Sizes{2000, 2000, 1, 4000000});
  CHECK(sizes("np.trace(np.ones((300, 300)))") == Sizes{300});
}

TEST_CASE("transforms, sorts and factorisations know their sizes", "[work]") {
  const auto analysed = Analyse(std::string(kMake) +
                                "s = np.fft.fft(a, axis=0)\nt = np.sort(a[:10])\nu = np.linalg.solve(a, x)\n"
                                "v = np.fft.rfft(a)\n");
  const std::vector<WorkTask>& tasks = analysed->work.tasks;
  const ir::DimStore& dims = analysed->facts->store().dims();
  const WorkTask& fft = tasks[tasks.size() - 4];
  CHECK(fft.kind == WorkKind::kFft);
  CHECK(fft.launches == 2);  // real data is converted
  CHECK(dims.AsConst(fft.n) == 1000);
  CHECK(dims.AsConst(fft.batch) == 1000);
  CHECK_FALSE(fft.one_device);
  const WorkTask& sort = tasks[tasks.size() - 3];
  CHECK(sort.kind == WorkKind::kSort);
  CHECK(dims.AsConst(sort.n) == 1000);
  CHECK(dims.AsConst(sort.batch) == 10);
  const WorkTask& solve = tasks[tasks.size() - 2];
  CHECK(solve.kind == WorkKind::kFactorise);
  CHECK(dims.AsConst(solve.n) == 1000);
  CHECK(solve.waits);
  CHECK(tasks.back().launches == 1);
  CHECK(tasks.back().one_device);
}

TEST_CASE("bytes of an operator are those of its operands", "[work]") {
  const auto analysed = Analyse(std::string(kMake) + "z = a[1:-1, 1:] + b[:-2, :-1]\n");
  const WorkTask& task = analysed->work.tasks.back();
  const ir::DimStore& dims = analysed->facts->store().dims();
  CHECK(dims.AsConst(task.elements) == 998 * 999);
  CHECK(dims.AsConst(task.bytes_read) == 2 * 8 * 998 * 999);
  CHECK(dims.AsConst(task.bytes_written) == 8 * 998 * 999);
  REQUIRE(task.operands.size() == 3);
  CHECK(OffsetsOf(*analysed->facts, task.operands[0]) == std::vector<std::int64_t>{1, 1});
  CHECK(OffsetsOf(*analysed->facts, task.operands[1]) == std::vector<std::int64_t>{0, 0});
  CHECK(task.operands[2].written);
}

TEST_CASE("what is not known to be an array is a number beside elements", "[work]") {
  const auto analysed = Analyse("import numpy as np\ndef f(k):\n  q = np.zeros(100)\n  z = q[0] - k * q[1]\n");
  CHECK(analysed->facts->store().dims().AsConst(analysed->work.tasks.back().elements) == 1);
}

TEST_CASE("parts of one array that lie over each other are read once", "[work]") {
  const auto read = [](const char* line) {
    const auto analysed = Analyse(std::string(kMake) + line + "\n");
    return analysed->facts->store().dims().AsConst(analysed->work.tasks.back().bytes_read).value_or(-1);
  };
  CHECK(read("z = a[1:-1, :-2] + a[1:-1, 2:]") == 8 * 998 * 998);
  CHECK(read("z = a * a") == 8 * 1000 * 1000);
  CHECK(read("z = a + a[0]") == 8 * 1000 * 1000);
  CHECK(read("z = a[:500] + a[500:]") == 2 * 8 * 500 * 1000);
  CHECK(read("z = a[0] + a[1]") == 2 * 8 * 1000);
  CHECK(read("z = a[:, :-1] + b[:, 1:]") == 2 * 8 * 1000 * 999);
  CHECK(read("z = a + a.T") == 2 * 8 * 1000 * 1000);
}

TEST_CASE("what reaches the host waits", "[work]") {
  const std::vector<WorkTask> number = TasksOf("float(x.sum())");
  REQUIRE(number.size() == 2);
  CHECK(number.back().kind == WorkKind::kToHost);
  CHECK(number.back().waits);
  CHECK(number.back().launches == 0);
  CHECK(TasksOf("print(a)").back().kind == WorkKind::kToHost);
  CHECK(TasksOf("if x.max() > 3.0:\n  pass").back().waits);
  CHECK(TasksOf("np.array([1.0, 2.0])").front().kind == WorkKind::kFromHost);
}

TEST_CASE("what cannot be counted is a task that says so", "[work]") {
  CHECK(TasksOf("np.std(x)").front().unpriced == "cuPyNumeric has no such function");
  CHECK(TasksOf("import scipy.ndimage\nscipy.ndimage.zoom(x, 2)").front().unpriced == "runs in another library");
}

namespace {

// The array work of the module's own root: t task, l( ... ) loop.
void Spell(const Work& work, const std::vector<WorkStep>& steps, std::string& text) {
  for (const WorkStep& step : steps) {
    if (step.kind == WorkStep::Kind::kTask) text += 't';
    if (step.kind != WorkStep::Kind::kLoop) continue;
    text += "l(";
    Spell(work, work.loops[step.index].body, text);
    text += ')';
  }
}

std::string ShapeOf(const std::string& body) {
  const auto analysed = Analyse(body);
  if (analysed->work.roots.empty()) return "";
  std::string text;
  Spell(analysed->work, analysed->work.roots.front().steps, text);
  return text;
}

double ShareOfLast(const std::string& body) {
  const auto analysed = Analyse(body);
  const std::vector<WorkStep>* steps = &analysed->work.roots.front().steps;
  double share = 1;
  while (!steps->empty()) {
    const WorkStep* task = nullptr;
    for (const WorkStep& step : *steps) {
      if (step.kind != WorkStep::Kind::kPython) task = &step;
    }
    share *= task->share;
    if (task->kind == WorkStep::Kind::kTask) break;
    steps = &analysed->work.loops[task->index].body;
  }
  return share;
}

}  // namespace

TEST_CASE("steps come in the order in which Python reaches them", "[work]") {
  CHECK(ShapeOf("a = np.ones(9)\nfor i in range(5):\n  a = a + a\n  for j in range(3):\n    a = a * a\nb = a - a\n") ==
        "tl(tl(t))t");
  CHECK(ShapeOf("def f(x):\n  return x * x\na = np.ones(9)\nfor i in range(5):\n  a = f(a)\n") == "tl(t)");
  CHECK(ShapeOf("a = np.ones(9)\nc = [a * k for k in range(4)]\n") == "tl(t)");
  CHECK(ShapeOf("x = 3\n").empty());
}

TEST_CASE("plain statements are counted between the tasks", "[work]") {
  const auto analysed = Analyse("a = np.ones(9)\nn = 3\nm = n + 1\nb = a + a\n");
  const std::vector<WorkStep>& steps = analysed->work.roots.front().steps;
  REQUIRE(steps.size() >= 3);
  CHECK(steps[steps.size() - 2].kind == WorkStep::Kind::kPython);
  CHECK(steps[steps.size() - 2].index == 2);
}

TEST_CASE("a call is followed with the chain that leads to it", "[work]") {
  const auto analysed = Analyse("def g(x):\n  return x * x\ndef f(x):\n  return g(x) + x\na = np.ones(9)\nb = f(a)\n");
  REQUIRE(analysed->work.roots.size() == 1);
  const std::vector<WorkStep>& steps = analysed->work.roots.front().steps;
  const auto product = std::find_if(steps.begin(), steps.end(), [&](const WorkStep& step) {
    return step.kind == WorkStep::Kind::kTask && analysed->work.tasks[step.index].name == "*";
  });
  REQUIRE(product != steps.end());
  REQUIRE(product->call != kNoCall);
  CHECK(analysed->work.calls[product->call].depth == 2);
}

TEST_CASE("constructors and properties are calls", "[work]") {
  CHECK(
      ShapeOf(
          "class G:\n  def __init__(self, n):\n    self.u = np.ones(n)\n  @property\n  def e(self):\n    return self.u "
          "* self.u\ng = G(9)\nfor i in range(3):\n  x = g.e + 1.0\n") == "tl(tt)");
}

TEST_CASE("recursion ends in a task that is not counted", "[work]") {
  const auto analysed = Analyse("def f(x):\n  y = x * x\n  return f(y)\na = np.ones(9)\nf(a)\n");
  CHECK(analysed->work.tasks.back().unpriced == "calls itself: how often is not known");
}

TEST_CASE("functions that nobody calls are roots", "[work]") {
  const auto analysed = Analyse("def f(n):\n  return np.ones(n) * 2.0\ndef g(n):\n  return np.ones(n) * 3.0\n");
  CHECK(analysed->work.roots.size() == 2);
}

TEST_CASE("tests let a share of the passes through", "[work]") {
  const std::string make = "a = np.ones(9)\nfor i in range(100):\n";
  CHECK(ShareOfLast(make + "  a = a * a\n") == 1);
  CHECK(ShareOfLast(make + "  if i % 20 == 0:\n    a = a * a\n") == Approx(0.05));
  CHECK(ShareOfLast("def f(n, m):\n  a = np.ones(n)\n  if m:\n    a = a * a\n") == 0.5);
  CHECK(ShareOfLast("def f(n, m):\n  a = np.ones(n)\n  if m < 0:\n    raise ValueError('m')\n  a = a * a\n") == 1);
  CHECK(ShareOfLast(
            "def f(n):\n  a = np.ones(n)\n  for i in range(50):\n    if n > 3:\n      a = a * a\n      break\n") ==
        Approx(0.02));
  CHECK(ShareOfLast("a = np.ones(9)\nif __name__ == '__main__':\n  a = a * a\n") == 1);
  // A test that leaves the loop happens once, of however many parts it is.
  for (const std::string leaves :
       {"n > i", "n > i and m > i", "n > i or m > i", "n < i < m", "n > i and (m > i or k)"}) {
    CAPTURE(leaves);
    const std::string loop = "def f(n, m, k):\n  a = np.ones(9)\n  for i in range(100):\n    if " + leaves + ":\n";
    CHECK(ShareOfLast(loop + "      break\n    a = a * a\n") == 1);
    CHECK(ShareOfLast(loop + "      raise ValueError(k)\n    a = a * a\n") == 1);
  }
  CHECK(ShareOfLast("def f(n, m):\n  a = np.ones(9)\n  for i in range(100):\n    if n > i and m > i:\n"
                    "      a = a + 1\n      continue\n    a = a * a\n") == 0.5);
  CHECK(ShareOfLast("def f(n, m):\n  a = np.ones(9)\n  for i in range(100):\n    if n > i or m > i:\n"
                    "      a = a * a\n      break\n") == Approx(0.01));
}

TEST_CASE("dead code is left out", "[work]") {
  CHECK(ShapeOf("a = np.ones(9)\nif False:\n  a = a * a\n") == "t");
  CHECK(ShapeOf("a = np.ones(9)\ntry:\n  a = a * a\nexcept ValueError:\n  a = a + a\n") == "tt");
}

TEST_CASE("builtins walk arrays element by element", "[work]") {
  const auto analysed = Analyse("a = np.ones(9)\nb = sum(a)\n");
  REQUIRE(analysed->work.loops.size() == 1);
  CHECK_FALSE(analysed->work.loops.front().loop.valid());
  CHECK(analysed->facts->store().dims().AsConst(analysed->work.loops.front().trips) == 9);
  CHECK(analysed->work.loops.front().body.size() == 2);
}

TEST_CASE("a tree that is too large is cut and says so", "[work]") {
  std::string body = "def f0(x):\n  return x * x\n";
  for (int i = 1; i < 12; ++i) {
    const std::string inner = "f" + std::to_string(i - 1) + "(x)";
    body +=
        "def f" + std::to_string(i) + "(x):\n  return " + inner + " + " + inner + " + " + inner + " + " + inner + "\n";
  }
  const auto analysed = Analyse(body + "a = np.ones(9)\nf11(a)\n");
  REQUIRE(analysed->work.roots.size() == 1);
  CHECK(analysed->work.roots.front().cut);
  CHECK(analysed->work.roots.front().steps.size() <= 20'001);
  CHECK(analysed->work.tasks.back().unpriced == "more steps than are followed");
}

TEST_CASE("the table of launches is sound", "[work]") {
  const std::span<const api::Launches> table = api::LaunchTable();
  REQUIRE(table.size() > 500);
  for (const api::Launches& row : table) {
    CHECK(row.divided >= 0);
    CHECK_FALSE(row.call.empty());
  }
  CHECK(api::FindLaunches("numpy.sum", 0)->launches == 1);
  CHECK(api::FindLaunches("numpy.sum", 0)->divided == 3);
  CHECK(api::FindLaunches("numpy.sum", api::LaunchWord("axis"))->launches == 2);
  CHECK(api::FindLaunches("numpy.ndarray.sum", api::LaunchWord("axis"))->launches == 2);
  CHECK(api::FindLaunches("numpy.no_such_thing", 0) == nullptr);
}

TEST_CASE("an array that is given for the result is written; it is read where it is an input as well", "[work]") {
  const auto bytes = [](const std::string& line) {
    const auto analysed = Analyse(std::string(kMake) + line + "\n");
    const WorkTask& task = analysed->work.tasks.back();
    const ir::DimStore& dims = analysed->facts->store().dims();
    return std::pair(dims.AsConst(task.bytes_read).value_or(-1), dims.AsConst(task.bytes_written).value_or(-1));
  };
  CHECK(bytes("np.add(x, y, out=y)") == std::pair<std::int64_t, std::int64_t>(16000, 8000));
  CHECK(bytes("np.add(x, 1.0, out=x)") == std::pair<std::int64_t, std::int64_t>(8000, 8000));
  CHECK(bytes("np.add(x, x, y)") == std::pair<std::int64_t, std::int64_t>(16000, 8000));
  CHECK(bytes("np.sqrt(x, x)") == std::pair<std::int64_t, std::int64_t>(8000, 8000));
  CHECK(bytes("np.take(a, [1, 2], axis=0)") == std::pair<std::int64_t, std::int64_t>(16000, 16000));
}

TEST_CASE("right-hand sides are counted, and each product of a power", "[work]") {
  const auto extent = [](const std::string& line, ir::DimId WorkTask::*which) {
    const auto analysed = Analyse(std::string(kMake) + line + "\n");
    return analysed->facts->store().dims().AsConst(analysed->work.tasks.back().*which).value_or(-1);
  };
  CHECK(extent("np.linalg.solve(a, b)", &WorkTask::k) == 1000);
  CHECK(extent("np.linalg.solve(a, x)", &WorkTask::k) == 1);
  CHECK(extent("np.linalg.matrix_power(a, 5)", &WorkTask::batch) == 3);
  CHECK(extent("np.fft.irfft(np.fft.rfft(x))", &WorkTask::n) == 1000);
}

TEST_CASE("transposes are turned, and so are their parts", "[work]") {
  const auto turned = [](const std::string& line) {
    const WorkTask task = TasksOf(line).back();
    return std::ranges::any_of(task.operands, &WorkOperand::turned);
  };
  CHECK(turned("a + b.T"));
  CHECK(turned("a[1:] + np.transpose(b)[1:]"));
  CHECK_FALSE(turned("a + b.T.T"));
  CHECK_FALSE(turned("x + y.T"));
}

TEST_CASE("functions that are applied to items run as in a loop", "[work]") {
  const auto analysed =
      Analyse(std::string(kMake) + "def f(q):\n    return q + x\nfor q in map(f, [x, y]):\n    pass\n");
  CHECK(analysed->work.tasks.back().name == "+");
  const auto unpriced = Analyse(std::string(kMake) + "r = list(map(np.exp, [x, y]))\n");
  CHECK(unpriced->work.tasks.back().name == "map");
  CHECK_FALSE(unpriced->work.tasks.back().unpriced.empty());
}

TEST_CASE("builtins that stop at the first item that decides make one pass at least", "[work]") {
  const auto passes = [](const std::string& line) {
    const auto analysed = Analyse(std::string(kMake) + line + "\n");
    return analysed->facts->store().dims().AsConst(analysed->work.loops.back().trips).value_or(-1);
  };
  CHECK(passes("all(m)") == 1);
  CHECK(passes("any(m)") == 1);
  CHECK(passes("max(x)") == 1000);
}

TEST_CASE("a walk through a list of arrays makes as many passes as its length is taken for", "[work]") {
  const auto assumed = [](const std::string& parameter, const std::string& walk) {
    const auto analysed = Analyse("def f(" + parameter + "):\n    out = np.zeros((len(parts), 9))\n    for k, x in " +
                                  walk + ":\n        out[k] = np.sum(x)\n    return out\n\n");
    return analysed->work.loops.back().assumed_trips;
  };
  CHECK(assumed("parts: list[np.ndarray]", "enumerate(parts)") == 10);
  CHECK(assumed("parts: dict[str, np.ndarray]", "enumerate(parts.values())") == 10);
  CHECK(assumed("parts: list[np.ndarray]", "enumerate(reversed(parts))") == 10);
  CHECK(assumed("parts: np.ndarray", "enumerate(parts)") > 1000);
  CHECK(assumed("parts: list[float]", "enumerate(parts)") > 1000);
}

TEST_CASE("a loop up to the counter of a known one makes as many passes as on average", "[work]") {
  const auto assumed = [](const std::string& outer, const std::string& inner) {
    const auto analysed =
        Analyse(std::string(kMake) + "for i in " + outer + ":\n    for j in " + inner + ":\n        x = x * y\n");
    return analysed->work.loops.back().assumed_trips;
  };
  CHECK(assumed("range(4)", "range(i + 1, 4)") == 1.5);
  CHECK(assumed("range(1, 11)", "range(i)") == 5.5);
  CHECK(assumed("range(10, 0, -1)", "range(i)") == 5.5);
}

TEST_CASE("a loop up to the counter of another makes half as many passes as that is taken to make", "[work]") {
  const auto share = [](const std::string& outer, const std::string& inner) {
    const auto analysed = Analyse(std::string(kMake) + "n = int(input())\nk = int(input())\nfor i in " + outer +
                                  ":\n    for j in " + inner + ":\n        x = x * y\n");
    const std::vector<WorkLoop>& loops = analysed->work.loops;
    return loops.back().assumed_trips / loops.front().assumed_trips;
  };
  CHECK(share("range(n)", "range(i)") == Approx(0.5).epsilon(0.01));
  CHECK(share("range(n)", "range(i + 1, n)") == Approx(0.5).epsilon(0.01));
  CHECK(share("range(1, n - 1)", "range(i, n)") == Approx(0.5).epsilon(0.01));
  CHECK(share("range(n)", "range(n)") == 1);
  CHECK(share("range(n)", "range(i, k)") == 1);  // nothing tells how far apart they are
}

}  // namespace cpnlint::analysis
