// Times of small trees of work on a machine of round numbers, where they can be told by hand.

#include <catch2/catch.hpp>

#include "tests/unit/cost_support.h"

namespace cpnlint::cost {
namespace {

using analysis::WorkKind;
using analysis::WorkStep;
using analysis::WorkTask;

constexpr double kLaunch = 150e-6;  // of one operation on one processor of the round machine

TEST_CASE("a large operation takes its bytes over the bandwidth", "[cost]") {
  HandMade made;
  const std::uint32_t loop = made.RootLoop(100);
  made.AddToLoop(loop, made.Task(WorkKind::kElementwise, made.Vector(1e9), {1, 2}, 3));
  CHECK(made.Time(RoundProfile(), made.Pass(loop)) == Approx(24e9 / 1e12));
}

TEST_CASE("a chain of small operations takes their launches", "[cost]") {
  for (const int processors : {1, 4, 8}) {
    HandMade made;
    const std::uint32_t loop = made.RootLoop(100);
    const auto shape = made.Vector(2e6);
    for (int i = 0; i < 5; ++i) made.AddToLoop(loop, made.Task(WorkKind::kElementwise, shape, {i}, i + 1));
    CHECK(made.Time(RoundProfile(), made.Pass(loop), {processors, 1}) == Approx(5 * (100e-6 + 50e-6 * processors)));
  }
}

TEST_CASE("below the threshold one processor works, whatever there is", "[cost]") {
  HandMade made;
  const std::uint32_t loop = made.RootLoop(100);
  made.AddToLoop(loop, made.Task(WorkKind::kElementwise, made.Vector(1048575), {1}, 2));
  const Profile profile = RoundProfile();
  CHECK(made.Time(profile, made.Pass(loop), {8, 1}) == Approx(made.Time(profile, made.Pass(loop), {1, 1})));
  const Sizes sizes(*made.facts, made.work);
  CHECK(CostOf(made.work.tasks[0], sizes, profile, {8, 1}).processors == 1);
  made.work.tasks[0] = made.Task(WorkKind::kElementwise, made.Vector(1048576), {1}, 2);
  CHECK(CostOf(made.work.tasks[0], sizes, profile, {8, 1}).processors == 8);
}

TEST_CASE("two processes dispatch more slowly", "[cost]") {
  HandMade made;
  const std::uint32_t loop = made.RootLoop(100);
  made.AddToLoop(loop, made.Task(WorkKind::kElementwise, made.Vector(2e6), {1}, 2));
  const Profile profile = RoundProfile();
  CHECK(made.Time(profile, made.Pass(loop), {2, 2}) == Approx(2 * made.Time(profile, made.Pass(loop), {1, 1})));
}

TEST_CASE("a wait adds its round trip and what it drains", "[cost]") {
  HandMade made;
  const std::uint32_t loop = made.RootLoop(100);
  const auto shape = made.Vector(1e8);  // 1.6 ms to read and write
  for (int i = 0; i < 10; ++i) made.AddToLoop(loop, made.Task(WorkKind::kElementwise, shape, {1}, 2));
  const Profile profile = RoundProfile();
  const double free = made.Time(profile, made.Pass(loop));
  CHECK(free == Approx(10 * 1.6e-3));
  WorkTask wait;
  wait.kind = WorkKind::kToHost;
  wait.name = "float";
  wait.launches = 0;
  wait.waits = true;
  wait.operands.push_back(made.Operand(2, shape, false));
  made.AddToLoop(loop, wait);
  // The device idles for the round trip, for Python and for the first launch after it.
  CHECK(made.Time(profile, made.Pass(loop)) == Approx(free + 1e-3 + 10e-6 + kLaunch));
  made.work.loops[loop].body.back().share = 0.1;
  CHECK(made.Time(profile, made.Pass(loop)) == Approx(free + 0.1 * 1e-3).epsilon(0.02));
}

TEST_CASE("a scalar that the next operation needs holds it up", "[cost]") {
  HandMade made;
  const std::uint32_t loop = made.RootLoop(100);
  const auto shape = made.Vector(1e8);
  WorkTask sum = made.Task(WorkKind::kReduction, shape, {1}, -1);
  sum.operands.push_back(made.Operand(2, made.Vector(1), true));
  made.AddToLoop(loop, sum);
  WorkTask scale = made.Task(WorkKind::kElementwise, shape, {1}, 1);
  scale.operands.push_back(made.Operand(2, made.Vector(1), false));
  made.AddToLoop(loop, scale);
  CHECK(made.Time(RoundProfile(), made.Pass(loop)) == Approx(0.8e-3 + 1e-3 + 1.6e-3));
}

TEST_CASE("inner loops count with their trips", "[cost]") {
  const auto time = [](double trips) {
    HandMade made;
    const std::uint32_t outer = made.RootLoop(10);
    const std::uint32_t inner = made.Loop(trips);
    made.Enter(made.work.loops[outer].body, inner);
    made.AddToLoop(inner, made.Task(WorkKind::kElementwise, made.Vector(1e6), {1}, 1));
    made.AddToLoop(outer, made.Task(WorkKind::kElementwise, made.Vector(1e6), {1}, 2));
    return made.Time(RoundProfile(), made.Pass(outer));
  };
  for (const double trips : {1.0, 2.0, 3.0, 4.0, 50.0, 1000.0}) CHECK(time(trips) == Approx((trips + 1) * kLaunch));
}

TEST_CASE("deep nests are counted, too", "[cost]") {
  HandMade made;
  std::uint32_t loop = made.RootLoop(7);
  const std::uint32_t outermost = loop;
  for (int depth = 0; depth < 5; ++depth) {
    const std::uint32_t inner = made.Loop(7);
    made.Enter(made.work.loops[loop].body, inner);
    loop = inner;
  }
  made.AddToLoop(loop, made.Task(WorkKind::kElementwise, made.Vector(10), {1}, 1));
  CHECK(made.Time(RoundProfile(), made.Pass(outermost)) == Approx(7.0 * 7 * 7 * 7 * 7 * kLaunch).epsilon(0.02));
}

TEST_CASE("waits in deep nests are counted once each", "[cost]") {
  for (const double share : {1.0, 0.1}) {
    HandMade made;
    std::uint32_t loop = made.RootLoop(10);
    const std::uint32_t outermost = loop;
    const auto shape = made.Vector(1e8);
    for (int depth = 0; depth < 5; ++depth) {
      made.AddToLoop(loop, made.Task(WorkKind::kElementwise, shape, {1}, 1));
      const std::uint32_t inner = made.Loop(10);
      made.Enter(made.work.loops[loop].body, inner);
      loop = inner;
    }
    WorkTask wait = made.Task(WorkKind::kElementwise, made.Vector(10), {2}, 2);
    wait.waits = true;
    made.AddToLoop(loop, wait, share);
    const double passes = 1e5, least = passes * share * 1e-3, most = passes * share * (1e-3 + 200e-6) + 11111 * 1.9e-3;
    const double time = made.Time(RoundProfile(), made.Pass(outermost));
    CHECK(time > 0.9 * least);
    CHECK(time < 1.1 * most);
  }
}

TEST_CASE("steps that run only sometimes cost their share", "[cost]") {
  HandMade made;
  const std::uint32_t loop = made.RootLoop(100);
  made.AddToLoop(loop, made.Task(WorkKind::kElementwise, made.Vector(1e6), {1}, 2), 0.25);
  made.AddToLoop(loop, made.Task(WorkKind::kElementwise, made.Vector(1e6), {1}, 3));
  CHECK(made.Time(RoundProfile(), made.Pass(loop)) == Approx(1.25 * kLaunch));
}

TEST_CASE("Python cannot run ahead of more than the window", "[cost]") {
  // 5000 launches of 1 ms of device time, then Python alone for a second: only what the window holds overlaps.
  HandMade made;
  const std::uint32_t loop = made.Loop(5000);
  made.Enter(made.work.roots[0].steps, loop);
  made.AddToLoop(loop, made.Task(WorkKind::kElementwise, made.Vector(62.5e6), {1}, 1));
  Profile profile = RoundProfile();
  Set(profile, Parameter::kStatement, 1e-6);
  made.work.roots[0].steps.push_back({WorkStep::Kind::kPython, 2000000, 1});
  Region whole;
  CHECK(made.Time(profile, whole) == Approx(5.0 - 1.024 + 2.0).epsilon(0.01));
}

TEST_CASE("adding a task never makes a pass faster", "[cost]") {
  const Profile profile = RoundProfile();
  for (const int processors : {1, 2, 8, 32}) {
    HandMade made;
    const std::uint32_t loop = made.RootLoop(100);
    double before = 0;
    for (int i = 0; i < 12; ++i) {
      const auto shape = i % 3 == 0   ? made.Vector(1e8)
                         : i % 3 == 1 ? made.Vector(1000)
                                      : made.Shape({made.C(4000), made.C(3000)});
      WorkTask task =
          made.Task(i % 4 == 3 ? WorkKind::kSort : WorkKind::kElementwise, shape, {3 * (i % 3)}, 3 * (i % 3) + 1);
      task.waits = i % 5 == 4;
      made.AddToLoop(loop, task);
      const double time = made.Time(profile, made.Pass(loop), {processors, (processors + 7) / 8});
      CHECK(time >= before);
      before = time;
    }
  }
}

TEST_CASE("cores that share a memory do not stream faster together than it can", "[cost]") {
  HandMade made;
  const std::uint32_t loop = made.RootLoop(100);
  made.AddToLoop(loop, made.Task(WorkKind::kElementwise, made.Vector(1e9), {1}, 2));
  Profile profile = RoundProfile();
  profile.machine.gpu = false;
  profile.machine.split = 16384;
  Set(profile, Parameter::kBandwidth, 10e9);
  Set(profile, Parameter::kBandwidthShared, 40e9);
  CHECK(made.Time(profile, made.Pass(loop), {1, 1}) == Approx(16e9 / 10e9));
  CHECK(made.Time(profile, made.Pass(loop), {2, 1}) == Approx(16e9 / 20e9));
  CHECK(made.Time(profile, made.Pass(loop), {4, 1}) == Approx(16e9 / 40e9));
  CHECK(made.Time(profile, made.Pass(loop), {8, 1}) == Approx(16e9 / 40e9));
  CHECK(made.Time(profile, made.Pass(loop), {16, 2}) == Approx(16e9 / 80e9));
}

TEST_CASE("element accesses, transfers and what nobody can price", "[cost]") {
  HandMade made;
  const Sizes sizes(*made.facts, made.work);
  const Profile profile = RoundProfile();
  WorkTask access = made.Task(WorkKind::kElementAccess, made.Vector(1e8), {1}, -1);
  CHECK(CostOf(access, sizes, profile, {4, 1}).parts[static_cast<std::size_t>(Part::kLaunch)] == Approx(150e-6));
  WorkTask gather;
  gather.kind = WorkKind::kToHost;
  gather.launches = 0;
  gather.waits = true;
  gather.to_host = made.C(5e11);
  const TaskCost cost = CostOf(gather, sizes, profile, {1, 1});
  CHECK(cost.parts[static_cast<std::size_t>(Part::kHost)] == Approx(0.5));
  CHECK(cost.parts[static_cast<std::size_t>(Part::kWait)] == Approx(1e-3));
  CHECK(cost.bound_by == Part::kHost);
  WorkTask unknown = made.Task(WorkKind::kElementwise, made.Vector(1e9), {1}, 2);
  unknown.unpriced = "no formula";
  const TaskCost nothing = CostOf(unknown, sizes, profile, {1, 1});
  for (const double part : nothing.parts) CHECK(part == 0);
}

}  // namespace
}  // namespace cpnlint::cost
