// What a CPU feels and a GPU hides: steps from index to index, chains of additions, choices, caches, shared units.

#include <catch2/catch.hpp>

#include "cost-model/price.h"
#include "tests/unit/cost_support.h"

namespace cpnlint::cost {
namespace {

using analysis::WorkKind;
using analysis::WorkTask;

// Rates that are far apart, so that a time names its term: memory 1 ps a byte, all else below.
Profile Cpu() {
  Profile profile = RoundProfile();
  profile.machine.gpu = false;
  profile.machine.processors_per_node = 2;
  profile.machine.split = 1000;
  Set(profile, Parameter::kTaskFloor, 0);
  Set(profile, Parameter::kFoldRate, 0);
  Set(profile, Parameter::kWalkRate, 1e9);
  Set(profile, Parameter::kWalkAxisRate, 5e8);
  return profile;
}

double DeviceOf(HandMade& made, const WorkTask& task, const Profile& profile, Layout layout = {}) {
  const Sizes sizes(*made.facts, made.work);
  return CostOf(task, sizes, profile, layout).device;
}

}  // namespace

TEST_CASE("blocks of one shape stream, the rest goes from index to index", "[cost]") {
  HandMade made;
  const auto line = made.Vector(1e6);
  const auto square = made.Shape({made.C(1e3), made.C(1e3)});
  WorkTask sum = made.Task(WorkKind::kElementwise, line, {1, 2}, 3);
  CHECK(DeviceOf(made, sum, Cpu()) == Approx(24e6 / 1e12));
  sum.walks = true;
  CHECK(DeviceOf(made, sum, Cpu()) == Approx(1e-3).epsilon(0.01));
  WorkTask of_two = made.Task(WorkKind::kElementwise, square, {1, 2}, 3);
  of_two.walks = true;
  CHECK(DeviceOf(made, of_two, Cpu()) == Approx(1e-3 + 2e-3).epsilon(0.01));
  Profile gpu = Cpu();
  Set(gpu, Parameter::kWalkRate, 0);
  Set(gpu, Parameter::kWalkAxisRate, 0);
  CHECK(DeviceOf(made, of_two, gpu) == Approx(24e6 / 1e12));
}

TEST_CASE("what is written where nothing was read is read first", "[cost]") {
  HandMade made;
  Profile profile = Cpu();
  Set(profile, Parameter::kWriteAllocate, 1);
  const auto line = made.Vector(1e6);
  CHECK(DeviceOf(made, made.Task(WorkKind::kElementwise, line, {1, 2}, 3), profile) == Approx(32e6 / 1e12));
  CHECK(DeviceOf(made, made.Task(WorkKind::kElementwise, line, {1, 2}, 1), profile) == Approx(24e6 / 1e12));
}

TEST_CASE("a sum is bound by its bytes or by its chain of additions", "[cost]") {
  HandMade made;
  const auto line = made.Vector(1e6);
  WorkTask sum = made.Task(WorkKind::kReduction, line, {1}, -1);
  Profile profile = Cpu();
  CHECK(DeviceOf(made, sum, profile) == Approx(8e6 / 1e12));
  Set(profile, Parameter::kFoldRate, 1e9);
  CHECK(DeviceOf(made, sum, profile) == Approx(1e-3).epsilon(0.01));
}

TEST_CASE("where, masks and histograms have rates of their own", "[cost]") {
  HandMade made;
  const auto line = made.Vector(1e6);
  Profile profile = Cpu();
  Set(profile, Parameter::kChoiceRate, 2e8);
  Set(profile, Parameter::kMaskRate, 1e8);
  Set(profile, Parameter::kHistogramRate, 5e7);
  WorkTask where = made.Task(WorkKind::kElementwise, line, {1, 2}, 3);
  where.name = "numpy.where";
  CHECK(DeviceOf(made, where, profile) == Approx(5e-3));
  CHECK(DeviceOf(made, made.Task(WorkKind::kMaskRead, line, {1}, 2), profile) == Approx(1e-2));
  CHECK(DeviceOf(made, made.Task(WorkKind::kHistogram, line, {1}, 2), profile) == Approx(1e-2));
  WorkTask masked = made.Task(WorkKind::kReduction, line, {1, 2}, -1);
  masked.operands[1].item = 1;  // where=
  CHECK(DeviceOf(made, masked, profile) == Approx(5e-3).epsilon(0.01));
}

TEST_CASE("a gather of a large table pays for memory, whatever the size of the cache", "[cost]") {
  HandMade made;
  Profile profile = Cpu();
  Set(profile, Parameter::kGatherRate, 1e7);
  Set(profile, Parameter::kGatherCachedRate, 1e8);
  Set(profile, Parameter::kCacheSize, 1e6);
  const auto gather = [&](double table) {
    WorkTask task = made.Task(WorkKind::kGather, made.Vector(1e6), {2}, 3);
    task.name = "[]";
    task.operands.push_back(made.Operand(1, made.Vector(table / 8), false));
    return DeviceOf(made, task, profile);
  };
  constexpr double kMiB = 1 << 20;
  CHECK(gather(kMiB) == Approx(1e-2));
  CHECK(gather(16 * kMiB) == Approx(1e-1));
  CHECK(gather(256 * kMiB) == Approx(1e-1));
  CHECK(gather(4 * kMiB) == Approx(0.5 * 1e-2 + 0.5 * 1e-1));
  CHECK(gather(1e3) == Approx(1e-2));
}

TEST_CASE("without an all-to-all the elements of a divided gather are copied one by one", "[cost]") {
  HandMade made;
  Profile profile = Cpu();
  Set(profile, Parameter::kGatherRate, 1e8);
  Set(profile, Parameter::kGatherCachedRate, 1e8);
  Set(profile, Parameter::kIndexedExchangeRate, 1e6);
  WorkTask task = made.Task(WorkKind::kGather, made.Vector(1e6), {2}, 3);
  CHECK(DeviceOf(made, task, profile, {1, 1}) == Approx(1e-2));
  CHECK(DeviceOf(made, task, profile, {2, 1}) == Approx(0.5));
}

TEST_CASE("a processor keeps a part of its arithmetic while its whole node works", "[cost]") {
  HandMade made;
  const std::uint32_t loop = made.RootLoop(10);
  WorkTask task = made.Task(WorkKind::kElementwise, made.Vector(1e7), {1}, 2);
  task.operations = 20;
  made.AddToLoop(loop, task);
  Profile profile = Cpu();
  Set(profile, Parameter::kTranscendentalRate, 1e8);
  Set(profile, Parameter::kArithmeticTogether, 0.5);
  CHECK(made.Time(profile, made.Pass(loop), {1, 1}) == Approx(0.1));
  CHECK(made.Time(profile, made.Pass(loop), {2, 1}) == Approx(0.1));  // half the work at half the rate
  profile.machine.processors_per_node = 64;
  CHECK(made.Time(profile, made.Pass(loop), {2, 1}) == Approx(0.05));
}

TEST_CASE("threads that share the cores of a node share its time", "[cost]") {
  HandMade made;
  const std::uint32_t loop = made.RootLoop(10);
  WorkTask task = made.Task(WorkKind::kElementwise, made.Vector(1e6), {1}, 2);
  task.walks = true;
  made.AddToLoop(loop, task);
  Profile profile = Cpu();
  Set(profile, Parameter::kLaunchBase, 0);
  Set(profile, Parameter::kLaunchPerProcessor, 0);
  Set(profile, Parameter::kRuntimeWork, 100e-6);
  const auto time = [&](double cores, Layout layout) {
    Set(profile, Parameter::kHostCores, cores);
    return made.Time(profile, made.Pass(loop), layout);
  };
  // A millisecond of work; Python takes 10 us, the runtime 100 us for each processor.
  CHECK(time(0, {2, 1}) == Approx(0.5e-3).epsilon(0.005));
  CHECK(time(64, {2, 1}) == Approx(0.5e-3).epsilon(0.005));
  CHECK(time(2, {2, 1}) == Approx((1e-3 + 200e-6 + 10e-6) / 2).epsilon(0.005));
  CHECK(time(2, {1, 1}) == Approx(1e-3).epsilon(0.005));  // the other core is free for them
  CHECK(time(1, {1, 1}) == Approx(1e-3 + 100e-6 + 10e-6).epsilon(0.005));
  CHECK(time(2, {4, 2}) == Approx((0.5e-3 + 200e-6 + 10e-6) / 2).epsilon(0.005));  // each node has its own
}

TEST_CASE("the cores do all passes of an inner loop, and plain Python", "[cost]") {
  HandMade made;
  const std::uint32_t loop = made.RootLoop(10), inner = made.Loop(20);
  made.AddToLoop(inner, made.Task(WorkKind::kElementwise, made.Vector(100), {1}, 2));
  made.Enter(made.work.loops[loop].body, inner);
  made.work.loops[loop].body.push_back({analysis::WorkStep::Kind::kPython, 5, 1});
  Profile profile = Cpu();
  Set(profile, Parameter::kLaunchBase, 0);
  Set(profile, Parameter::kLaunchPerProcessor, 0);
  Set(profile, Parameter::kStatement, 1e-6);
  Set(profile, Parameter::kRuntimeWork, 100e-6);
  Set(profile, Parameter::kHostCores, 1);
  CHECK(made.Time(profile, made.Pass(loop)) == Approx(20 * 110e-6 + 5e-6).epsilon(0.001));
}

TEST_CASE("tasks on all cores leave none to the runtime's threads", "[cost]") {
  const auto time = [](double cores, Layout layout) {
    HandMade made;
    const std::uint32_t loop = made.RootLoop(10);
    made.AddToLoop(loop, made.Task(WorkKind::kElementwise, made.Vector(1e6), {1}, 2));
    Profile profile = Cpu();
    Set(profile, Parameter::kLaunchBase, 0);
    Set(profile, Parameter::kLaunchPerProcessor, 0);
    Set(profile, Parameter::kLaunchPython, 0);
    Set(profile, Parameter::kRuntimeWork, 0);
    Set(profile, Parameter::kHostCores, cores);
    const double alone = made.Time(profile, made.Pass(loop), layout);
    Set(profile, Parameter::kQueuedFactor, 1.5);
    return made.Time(profile, made.Pass(loop), layout) / alone;
  };
  CHECK(time(2, {2, 1}) == Approx(1.5).epsilon(0.02));
  CHECK(time(2, {4, 2}) == Approx(1.5).epsilon(0.02));
  CHECK(time(2, {1, 1}) == Approx(1));  // one is free
  CHECK(time(4, {2, 1}) == Approx(1));
  CHECK(time(0, {2, 1}) == Approx(1));  // GPUs
}

TEST_CASE("a GPU's host has cores to spare, and a CPU's are its processors", "[cost]") {
  for (const std::string_view name : ShippedProfiles()) {
    const Profile profile = *LoadProfile(std::string(name));
    CHECK((profile.Value(Parameter::kHostCores) == 0) == profile.machine.gpu);
    if (!profile.machine.gpu) CHECK(profile.Value(Parameter::kHostCores) == profile.machine.processors_per_node);
  }
}

TEST_CASE("a CPU's histogram sorts, by shorter digits where there are many elements", "[cost]") {
  HandMade made;
  Profile profile = Cpu();
  Set(profile, Parameter::kHistogramRate, 1e7);
  const auto histogram = [&](double n, int item, Layout layout = {}) {
    WorkTask task = made.Task(WorkKind::kHistogram, made.Vector(n), {1}, -1);
    task.operands[0].item = static_cast<std::uint8_t>(item);
    return DeviceOf(made, task, profile, layout) / (n / layout.processors) * 1e7;
  };
  constexpr double kMany = 1 << 21;
  CHECK(histogram(kMany, 8) == Approx(1));
  CHECK(histogram(kMany - 2, 8) == Approx(0.5));
  CHECK(histogram(kMany, 8, {2, 1}) == Approx(0.5));  // each of two processors has fewer
  CHECK(histogram(2 * kMany, 4) == Approx(0.5));
  CHECK(histogram(kMany, 4) == Approx(0.25));
  CHECK(histogram(kMany, 1) == Approx(1.0 / 16));
  profile.machine.gpu = true;
  CHECK(histogram(kMany - 2, 8) == Approx(1));
}

TEST_CASE("a CPU sorts by comparing", "[cost]") {
  HandMade made;
  Profile profile = Cpu();
  Set(profile, Parameter::kSortRate, 1e7);
  const auto sort = [&](double n) {
    return DeviceOf(made, made.Task(WorkKind::kSort, made.Vector(n), {1}, 2), profile);
  };
  CHECK(sort(1e7) == Approx(1));
  CHECK(sort(1e4) == Approx(1e-3 * 4 / 7));
  profile.machine.gpu = true;
  CHECK(sort(1e4) == Approx(1e-3));
}

TEST_CASE("normal draws are not uniform ones", "[cost]") {
  HandMade made;
  Profile profile = Cpu();
  Set(profile, Parameter::kRandomRate, 1e9);
  Set(profile, Parameter::kNormalRate, 1e8);
  WorkTask draws = made.Task(WorkKind::kRandom, made.Vector(1e6), {}, 1);
  CHECK(DeviceOf(made, draws, profile) == Approx(1e-3));
  draws.operations = 10;
  CHECK(DeviceOf(made, draws, profile) == Approx(1e-2));
}

TEST_CASE("a sum that one processor makes waits for nobody else", "[cost]") {
  HandMade made;
  Profile profile = Cpu();
  Set(profile, Parameter::kScalarLatency, 1e-4);
  Set(profile, Parameter::kScalarLatencyDivided, 1e-2);
  const std::uint32_t loop = made.RootLoop(100);
  WorkTask sum = made.Task(WorkKind::kReduction, made.Vector(1e4), {1}, -1);
  sum.operands.push_back(made.Operand(2, made.Vector(1), true));
  made.AddToLoop(loop, sum);
  WorkTask scale = made.Task(WorkKind::kElementwise, made.Vector(1e4), {1, 2}, 1);
  made.AddToLoop(loop, scale);
  const double alone = made.Time(profile, made.Pass(loop), {1, 1});
  CHECK(alone < 1e-3);
  CHECK(made.Time(profile, made.Pass(loop), {2, 1}) > 1e-2);
}

TEST_CASE("what the host does is told apart from array operations", "[cost]") {
  HandMade made;
  Profile profile = Cpu();
  Set(profile, Parameter::kStatement, 1e-6);
  const std::uint32_t loop = made.RootLoop(10);
  made.AddToLoop(loop, made.Task(WorkKind::kElementwise, made.Vector(100), {1}, 2));
  WorkTask access = made.Task(WorkKind::kElementAccess, made.Vector(1), {1}, -1);
  made.AddToLoop(loop, access);
  made.work.loops[loop].body.push_back({analysis::WorkStep::Kind::kPython, 5, 1});
  const Sides sides = SidesOf(Sizes(*made.facts, made.work), made.work, made.Pass(loop), profile, {1, 1});
  CHECK(sides.device == Approx(150e-6).epsilon(0.01));
  CHECK(sides.known);
  CHECK(sides.host == Approx(150e-6 + 2 * 10e-6 + 5e-6).epsilon(0.01));  // calls of both, and five statements
}

}  // namespace cpnlint::cost
