#include "rules/match/whole_runs.h"

#include <algorithm>
#include <vector>

namespace cpnlint::rules::match {

using analysis::Callee;
using analysis::Facts;
using analysis::LoopKind;
using ir::OpKind;
using ir::ValueId;

namespace {

constexpr std::int64_t kManySteps = 64;   // rules.md A.5, where an item loop counts as hot
constexpr int kDeepest = 3;               // calls on the way to the steps
constexpr std::size_t kMostValues = 200;  // made of rows that are followed

class Runs {
 public:
  Runs(const Facts& facts, ir::LoopId loop) : facts_(facts), program_(facts.program()), loop_(loop) {}

  [[nodiscard]] bool LeaveRowsAside() const {
    std::vector<ValueId> runs;
    for (const ValueId call : program_.functions[program_.loops[loop_].function].calls) {
      if (program_.LoopOf(call) == loop_ && IsRun(call, 0)) runs.push_back(call);
    }
    if (runs.empty()) return false;
    const auto& accesses = facts_.LoopFactOf(loop_).accesses;
    return std::ranges::all_of(accesses, [&](const analysis::LoopFact::Access& access) {
      const bool handed = std::ranges::any_of(runs, [&](ValueId run) { return IsHanded(run, access.root); });
      return !handed && program_.LoopOf(access.op) == loop_ && (access.write || StaysInPass(access.op));
    });
  }

 private:
  // A function of the program that makes many steps on whole arrays.
  // NOLINTNEXTLINE(misc-no-recursion): `depth` bounds it
  [[nodiscard]] bool IsRun(ValueId call, int depth) const {
    const Callee& callee = facts_.CalleeOf(call);
    if (callee.kind != Callee::Kind::kLocal || depth == kDeepest) return false;
    const ir::Function& function = program_.functions[callee.function];
    if (function.is_generator || function.is_async || !facts_.FunctionHasArrayWork(callee.function)) return false;
    const auto steps = [&](ir::BlockId block) {
      const ir::LoopId loop = program_.blocks[block].loop;
      return loop.valid() && program_.loops[loop].header == block && MakesSteps(loop);
    };
    return std::ranges::any_of(function.blocks, steps) ||
           std::ranges::any_of(function.calls, [&](ValueId inner) { return IsRun(inner, depth + 1); });
  }

  [[nodiscard]] bool MakesSteps(ir::LoopId loop) const {
    const LoopKind kind = facts_.LoopFactOf(loop).kind;
    if (facts_.TripsKnownBelow(loop, kManySteps)) return false;
    const bool steps = kind == LoopKind::kStep || kind == LoopKind::kConvergence || kind == LoopKind::kSweep;
    return steps && (facts_.TripsKnownAtLeast(loop, kManySteps) || (kind == LoopKind::kStep && GoesOn(loop)));
  }

  // `u = 0.9 * u + f`: each step goes on from the array that the one before left, other than by adding to it, as the
  // few terms of a series do. How soon a test ends a loop, nobody knows.
  [[nodiscard]] bool GoesOn(ir::LoopId loop) const {
    return std::ranges::any_of(program_.blocks[program_.loops[loop].header].ops, [&](ValueId variable) {
      if (program_.ops[variable].kind != OpKind::kPhi || !facts_.IsDevice(variable)) return false;
      if (!facts_.HasAxis(variable)) return false;
      return std::ranges::any_of(facts_.UsesOf(variable), [&](ValueId use) {
        const ir::Op& op = program_.ops[use];
        if (op.kind == OpKind::kPhi || !facts_.InLoop(use, loop)) return false;
        const bool binary = op.kind == OpKind::kBinary || op.kind == OpKind::kInplaceBinary;
        const auto sum = static_cast<ir::BinaryOp>(op.detail);
        return !binary || (sum != ir::BinaryOp::kAdd && sum != ir::BinaryOp::kSub);
      });
    });
  }

  // The array itself goes into the run, which may pick the row there.
  [[nodiscard]] bool IsHanded(ValueId run, ValueId root) const {
    if (!root.valid()) return true;
    return std::ranges::any_of(program_.Operands(run).subspan(1), [&](ValueId argument) {
      return argument.valid() && facts_.IsDevice(argument) && facts_.RootOf(argument) == root;
    });
  }

  // Nothing that is made of the row goes into a function of the program, an object, or a loop inside.
  [[nodiscard]] bool StaysInPass(ValueId row) const {
    std::vector<ValueId> made = {row};
    for (std::size_t i = 0; i < made.size(); ++i) {
      if (i == kMostValues) return false;
      for (const ValueId use : facts_.UsesOf(made[i])) {
        if (!facts_.InLoop(use, loop_)) continue;
        const ir::Op& op = program_.ops[use];
        if (program_.LoopOf(use) != loop_ || op.kind == OpKind::kStoreAttr) return false;
        if (op.kind == OpKind::kStoreSubscript && !facts_.IsDevice(program_.Operand(use, 0))) return false;
        const Callee::Kind callee = op.kind == OpKind::kCall ? facts_.CalleeOf(use).kind : Callee::Kind::kApi;
        if (callee == Callee::Kind::kLocal || callee == Callee::Kind::kUnknown || callee == Callee::Kind::kClass)
          return false;
        if (std::ranges::find(made, use) == made.end()) made.push_back(use);
      }
    }
    return true;
  }

  const Facts& facts_;
  const ir::Program& program_;
  ir::LoopId loop_;
};

}  // namespace

bool RowsGoBesideRuns(const Facts& facts, ir::LoopId loop) { return Runs(facts, loop).LeaveRowsAside(); }

}  // namespace cpnlint::rules::match
