#pragma once

// Work written by hand, for tests of the cost model: no program behind it, extents are numbers or symbols.

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/analysis/work.h"
#include "cost-model/demand.h"
#include "cost-model/model.h"
#include "cost-model/schedule.h"
#include "tests/unit/lower_support.h"

namespace cpnlint::cost {

class HandMade {
 public:
  HandMade() : lowered_("import numpy as np\n") {
    facts = std::make_unique<analysis::Facts>(lowered_.program, lowered_.program.names);
    work.roots.emplace_back();
  }

  ir::DimId C(double value) { return facts->store().dims().Const(static_cast<std::int64_t>(value)); }
  ir::DimId S(std::string_view name) { return facts->store().dims().SymbolOf(lowered_.program.names.Intern(name), 0); }
  analysis::ShapeId Shape(const std::vector<ir::DimId>& extents) { return facts->store().Intern(extents); }
  analysis::ShapeId Vector(double n) { return Shape({C(n)}); }

  // The whole of an array, or a part of the root's shape that starts elsewhere.
  analysis::WorkOperand Operand(int root, analysis::ShapeId shape, bool written,
                                const std::vector<std::int64_t>& offsets = {}) {
    analysis::WorkOperand operand;
    operand.root = ir::ValueId(static_cast<std::size_t>(root));
    operand.root_shape = operand.shape = shape;
    operand.elements = Volume(shape);
    operand.item = 8;
    operand.written = written;
    std::vector<ir::DimId> start;
    for (const std::int64_t offset : offsets) start.push_back(C(static_cast<double>(offset)));
    if (!start.empty()) operand.start = Shape(start);
    return operand;
  }

  // Reads the arrays `from`, writes `to`; bytes as the operands have them.
  analysis::WorkTask Task(analysis::WorkKind kind, analysis::ShapeId shape, const std::vector<int>& from, int to) {
    analysis::WorkTask task;
    task.kind = kind;
    task.name = "+";
    task.elements = Volume(shape);
    ir::DimStore& dims = facts->store().dims();
    const ir::DimId bytes = dims.Mul(task.elements, dims.Const(8));
    task.bytes_read = dims.Mul(bytes, dims.Const(static_cast<std::int64_t>(from.size())));
    task.bytes_written = to >= 0 ? bytes : dims.Const(0);
    for (const int root : from) task.operands.push_back(Operand(root, shape, false));
    if (to >= 0) task.operands.push_back(Operand(to, shape, true));
    return task;
  }

  // Appends a task to a loop's body, or to the root.
  void Add(analysis::WorkTask task, double share = 1) { AddTo(work.roots[0].steps, std::move(task), share); }
  void AddToLoop(std::uint32_t loop, analysis::WorkTask task, double share = 1) {
    AddTo(work.loops[loop].body, std::move(task), share);
  }
  std::uint32_t Loop(double trips) {
    const auto index = static_cast<std::uint32_t>(work.loops.size());
    work.loops.emplace_back();
    work.loops.back().trips = C(trips);
    return index;
  }
  void Enter(std::vector<analysis::WorkStep>& steps, std::uint32_t loop) {
    steps.push_back({analysis::WorkStep::Kind::kLoop, loop, 1});
  }
  // A loop in the root, of which one pass is the region.
  std::uint32_t RootLoop(double trips) {
    const std::uint32_t loop = Loop(trips);
    Enter(work.roots[0].steps, loop);
    return loop;
  }

  [[nodiscard]] Region Pass(std::uint32_t loop) const {
    Region region;
    region.work_loop = loop;
    return region;
  }
  [[nodiscard]] double Time(const Profile& profile, const Region& region, Layout layout = {}) const {
    return MidTimeOf(Sizes(*facts, work), work, region, profile, layout);
  }

  ir::DimId Volume(analysis::ShapeId shape) {
    ir::DimId volume = C(1);
    for (const ir::DimId dim : facts->store().Get(shape)) volume = facts->store().dims().Mul(volume, dim);
    return volume;
  }

  std::unique_ptr<analysis::Facts> facts;
  analysis::Work work;

 private:
  void AddTo(std::vector<analysis::WorkStep>& steps, analysis::WorkTask task, double share) {
    steps.push_back({analysis::WorkStep::Kind::kTask, static_cast<std::uint32_t>(work.tasks.size()), share});
    work.tasks.push_back(std::move(task));
  }

  test::Lowered lowered_;
};

// A machine of round numbers, every one exact: 100 us per operation and 50 more per processor, 1 TB/s.
inline Profile RoundProfile() {
  Profile profile;
  profile.name = "round";
  profile.machine.processor = "round";
  profile.machine.processors_per_node = 8;
  for (std::size_t i = 0; i < kParameters; ++i) {
    Number& number = profile.numbers[i];
    const std::string_view unit = Parameters()[i].unit;
    number.value = unit == "B/s" ? 1e12 : unit == "flop/s" ? 1e13 : unit == "1/s" ? 1e12 : 0;
    number.low = number.high = number.value;
    number.provenance = Provenance::kMeasured;
  }
  const auto set = [&](Parameter parameter, double value) {
    Number& number = profile.numbers[static_cast<std::size_t>(parameter)];
    number.value = number.low = number.high = value;
  };
  set(Parameter::kLaunchBase, 100e-6);
  set(Parameter::kLaunchPerProcessor, 50e-6);
  set(Parameter::kLaunchPython, 10e-6);
  set(Parameter::kRankFactor, 2);
  set(Parameter::kWindow, 1024);
  set(Parameter::kTaskFloor, 10e-6);
  set(Parameter::kWait, 1e-3);
  set(Parameter::kElementAccess, 150e-6);
  set(Parameter::kBandwidthShared, 0);
  set(Parameter::kCacheSize, 0);
  set(Parameter::kHostCores, 0);
  set(Parameter::kMergeRate, 1e12 / 16);
  set(Parameter::kIndexedExchangeRate, 0);
  set(Parameter::kArithmeticTogether, 1);
  set(Parameter::kProductTogether, 1);
  set(Parameter::kCopyLatency, 50e-6);
  set(Parameter::kNetworkLatency, 100e-6);
  set(Parameter::kScalarLatency, 1e-3);
  set(Parameter::kMemory, 80e9);
  set(Parameter::kHostMemory, 1e12);
  return profile;
}

inline void Set(Profile& profile, Parameter parameter, double value) {
  Number& number = profile.numbers[static_cast<std::size_t>(parameter)];
  number.value = number.low = number.high = value;
}

}  // namespace cpnlint::cost
