#include "rules/verdict/weight.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "analyzer/analysis/work.h"
#include "rules/engine/runner.h"
#include "rules/verdict/pattern.h"

namespace cpnlint::verdict {
namespace {

using analysis::Facts;

constexpr int kMostCallDepth = 12;
constexpr double kMost = 1e18;          // of passes: shares stay finite
constexpr double kLeast = 1e-70;        // of them behind a long chain of tests: as good as never
constexpr double kCallbackTrips = 100;  // of a driver, where a number is unavoidable (A.5)

// Axes of the widest array that the program works on: a default array has the same number of elements with any rank.
int WidestRank(const Facts& facts) {
  int widest = 1;
  for (std::size_t i = 0; i < facts.program().ops.size(); ++i) {
    if (facts.IsDevice(ir::ValueId(i))) widest = std::max(widest, facts.RankOf(ir::ValueId(i)));
  }
  return std::min(widest, 3);
}

}  // namespace

Frequencies::Frequencies(const Facts& facts) : facts_(facts) {
  extent_ = std::round(std::pow(kDefaultElements, 1.0 / WidestRank(facts)));
  MeasureGuards();
  blocks_.resize(facts.program().blocks.size());
  SpreadThroughCalls();
  FindCalled();
}

double Frequencies::TripsOf(ir::LoopId loop) const {
  const analysis::LoopFact& fact = facts_.LoopFactOf(loop);
  if (const auto trips = facts_.store().dims().AsConst(fact.trips)) return std::max<double>(0, double(*trips));
  if (IsFrontierLoop(facts_, loop)) return extent_;  // visits every node
  return analysis::AssumedTrips(facts_, loop, extent_);
}

// A guard is made after the one around it.
void Frequencies::MeasureGuards() {
  const ir::Program& program = facts_.program();
  guards_.reserve(program.guards.size());
  for (std::size_t i = 0; i < program.guards.size(); ++i) {
    const ir::Guard& guard = program.guards[ir::GuardId(i)];
    const double period = facts_.GuardPeriod(ir::GuardId(i));
    const double around = guard.parent.valid() ? guards_[guard.parent.index()] : 1;
    guards_.push_back(std::max(kLeast, around / (period > 1 ? period : guard.truth.valid() ? 2 : 1)));
  }
}

double Frequencies::Local(ir::BlockId block_id) const {
  const ir::Program& program = facts_.program();
  const ir::Block& block = program.blocks[block_id];
  if (block.ops.empty() || facts_.HeatOf(block.ops.front()).dead) return 0;
  double passes = block.guard.valid() ? guards_[block.guard.index()] : 1;
  for (ir::LoopId loop = block.loop; loop.valid(); loop = program.loops[loop].parent) passes *= TripsOf(loop);
  return std::min(passes, kMost);
}

const Frequencies::Passes& Frequencies::PassesOf(ir::BlockId block_id) {
  Passes& passes = blocks_[block_id.index()];
  if (passes.local >= 0) return passes;
  passes.local = Local(block_id);
  if (passes.local == 0) return passes;
  // Reached from a hot loop through an object that nothing is known of.
  const ir::Program& program = facts_.program();
  const ir::Block& block = program.blocks[block_id];
  const analysis::Heat& heat = facts_.HeatOf(block.ops.front());
  if (heat.callback.valid()) {
    passes.outside = kCallbackTrips;
  } else if (heat.region.valid() && program.loops[heat.region].function != block.function) {
    passes.outside = TripsOf(heat.region);
  }
  return passes;
}

// The most frequent call decides: what a function costs belongs to its heaviest
// region. A function is looked at again where a caller of it has changed.
void Frequencies::SpreadThroughCalls() {
  const ir::Program& program = facts_.program();
  functions_.assign(program.functions.size(), 1);
  std::vector<std::vector<std::uint32_t>> called_from(program.functions.size());
  for (std::uint32_t f = 0; f < program.functions.size(); ++f) {
    for (const ir::ValueId call : facts_.CallSitesOf(ir::FunctionId(f))) {
      std::vector<std::uint32_t>& called = called_from[program.FunctionOf(call).index()];
      if (called.empty() || called.back() != f) called.push_back(f);
    }
  }
  std::vector<bool> open(program.functions.size(), true);
  for (int round = 0; round < kMostCallDepth; ++round) {
    bool changed = false;
    for (std::size_t f = 0; f < program.functions.size(); ++f) {
      if (!open[f]) continue;
      open[f] = false;
      double most = functions_[f];
      for (const ir::ValueId call : facts_.CallSitesOf(ir::FunctionId(f))) {
        if (program.FunctionOf(call).index() == f) continue;  // recursion
        most = std::max(most, Of(program.ops[call].block));
      }
      if (most > functions_[f]) {
        functions_[f] = std::min(most, kMost);
        changed = true;
        for (const std::uint32_t called : called_from[f]) open[called] = true;
      }
    }
    if (!changed) break;
  }
}

void Frequencies::FindCalled() {
  const ir::Program& program = facts_.program();
  called_.assign(program.functions.size(), false);
  for (std::size_t f = 0; f < program.functions.size(); ++f) {
    const ir::Function::Kind kind = program.functions[ir::FunctionId(f)].kind;
    called_[f] = kind == ir::Function::Kind::kModule || kind == ir::Function::Kind::kClassBody;
  }
  for (int round = 0; round < kMostCallDepth; ++round) {
    bool changed = false;
    for (std::size_t f = 0; f < program.functions.size(); ++f) {
      if (called_[f]) continue;
      for (const ir::ValueId call : facts_.CallSitesOf(ir::FunctionId(f))) {
        if (!called_[program.FunctionOf(call).index()]) continue;
        called_[f] = changed = true;
        break;
      }
    }
    if (!changed) break;
  }
}

double Frequencies::Of(ir::BlockId block) {
  const Passes& passes = PassesOf(block);
  const double calls = functions_[facts_.program().blocks[block].function.index()];
  return std::min(passes.local * (calls > 1 ? calls : passes.outside), kMost);
}

double WeightOf(std::optional<std::int64_t> volume) {
  const double elements = volume ? static_cast<double>(*volume) : kDefaultElements;
  return std::max(1.0, elements / kElementsPerLaunch);
}

namespace {

// Elements at most: what a mask selects is no more than there is to select from.
std::optional<std::int64_t> VolumeBound(const Facts& facts, ir::ValueId array) {
  constexpr std::size_t kMostValues = 32;
  const ir::Program& program = facts.program();
  std::vector<ir::ValueId> work = {array};
  std::int64_t bound = 0;
  for (std::size_t i = 0; i < work.size(); ++i) {
    const ir::ValueId value = facts.Source(work[i]);
    if (!value.valid() || !facts.IsDevice(value)) continue;
    if (const auto volume = facts.store().dims().AsConst(facts.VolumeOf(value))) {
      bound = std::max(bound, *volume);
      continue;
    }
    if (!facts.Of(value).unbounded || work.size() > kMostValues) return std::nullopt;
    switch (program.ops[value].kind) {
      case ir::OpKind::kSubscript: work.push_back(program.Operand(value, 0)); break;
      case ir::OpKind::kBinary:
      case ir::OpKind::kInplaceBinary:
      case ir::OpKind::kUnary:
      case ir::OpKind::kCompare:
        if (facts.RankOf(value) != 1) return std::nullopt;  // two of them may span a table
        for (const ir::ValueId operand : program.Operands(value)) {
          if (operand.valid()) work.push_back(operand);
        }
        break;
      default: return std::nullopt;
    }
  }
  return bound;
}

}  // namespace

std::optional<std::int64_t> LargestVolume(const Facts& facts, ir::ValueId op) {
  const ir::Program& program = facts.program();
  std::int64_t largest = 0;
  const auto see = [&](ir::ValueId value) {
    if (!facts.IsDevice(value)) return true;
    const auto volume = VolumeBound(facts, value);
    if (volume) largest = std::max(largest, *volume);
    return volume.has_value();
  };
  bool known = see(op);
  for (const ir::ValueId operand : program.Operands(op)) known = see(operand) && known;
  if (program.ops[op].kind == ir::OpKind::kCall) {
    // A method's array is what its name was taken from.
    const analysis::Callee& callee = facts.CalleeOf(op);
    if (callee.kind == analysis::Callee::Kind::kMethod) known = see(callee.receiver) && known;
  }
  if (!known) return std::nullopt;
  return largest;
}

}  // namespace cpnlint::verdict
