#include "analyzer/analysis/attempts.h"

#include <algorithm>
#include <vector>

#include "analyzer/analysis/way_tests.h"

namespace cpnlint::analysis {
namespace {

constexpr std::size_t kMostBlocks = 256;     // of one loop
constexpr std::size_t kMostParts = 64;       // of what one attempt is made of
constexpr std::int64_t kMostAttempts = 100;  // that anybody makes

class Attempts {
 public:
  Attempts(const Facts& facts, ir::LoopId loop, std::optional<std::int64_t> most)
      : facts_(facts), program_(facts.program()), id_(loop), few_(most && *most <= kMostAttempts) {}

  // The ways through the body on which the attempt does not fail lead out of the loop.
  [[nodiscard]] bool Succeed() {
    const ir::BlockId header = program_.loops[id_].header;
    if (!header.valid()) return false;
    std::vector<ir::BlockId> reached = {header};
    for (std::size_t i = 0; i < reached.size(); ++i) {
      if (i == kMostBlocks) return false;
      const auto& nexts = program_.blocks[reached[i]].succs;
      const std::optional<std::size_t> failing = FailingWay(reached[i]);
      for (std::size_t way = 0; way < nexts.size(); ++way) {
        const ir::BlockId next = nexts[way];
        if (!facts_.BlockInLoop(next, id_)) continue;
        if (way == failing || IsHandler(next)) {
          if (way != failing && TriesItems()) return false;
          fails_ = true;
          continue;
        }
        if (next == header) return false;
        if (std::ranges::find(reached, next) == reached.end()) reached.push_back(next);
      }
    }
    return fails_;
  }

 private:
  // Under an `except` of this loop.
  [[nodiscard]] bool IsHandler(ir::BlockId block) const {
    const ir::GuardId guard = program_.blocks[block].guard;
    if (!guard.valid() || program_.guards[guard].kind != ir::Guard::Kind::kExcept) return false;
    const ir::LoopId around = program_.guards[guard].loop;
    return around.valid() && facts_.LoopContains(id_, around);
  }

  // `for part in parts: try: return look(part)`: what raises may be the rule.
  [[nodiscard]] bool TriesItems() const {
    const ir::ValueId item = program_.loops[id_].item;
    return !few_ && item.valid() && !facts_.UsesOf(item).empty();
  }

  // Which way from the block a failed attempt takes: 0 where `if g is None:` holds.
  [[nodiscard]] std::optional<std::size_t> FailingWay(ir::BlockId id) const {
    const auto [test, holds] = TestAtEnd(facts_, id);
    if (!test.valid() || program_.ops[test].kind != ir::OpKind::kCompare) return std::nullopt;
    const auto compare = static_cast<ir::CompareOp>(program_.ops[test].detail);
    if (compare != ir::CompareOp::kIs && compare != ir::CompareOp::kIsNot) return std::nullopt;
    const std::optional<bool> marks = MarksFailure(program_.Operand(test, 1));
    if (!marks || !IsAttempt(program_.Operand(test, 0))) return std::nullopt;
    const bool fails = (compare == ir::CompareOp::kIs) == *marks;  // where the comparison holds
    return fails == holds ? 0 : 1;
  }

  // None and False; True marks the contrary.
  [[nodiscard]] std::optional<bool> MarksFailure(ir::ValueId marker) const {
    if (!marker.valid()) return std::nullopt;
    if (facts_.IsNoneConstant(marker)) return true;
    const ir::ValueId source = facts_.Source(marker);
    if (!source.valid() || program_.ops[source].kind != ir::OpKind::kBool) return std::nullopt;
    const std::optional<bool> value = facts_.BoolOf(source);
    return value ? std::optional(!*value) : std::nullopt;
  }

  // What a call of this pass has returned, or a part of that. Where many passes are possible it must not be asked of
  // another item in each of them.
  [[nodiscard]] bool IsAttempt(ir::ValueId value) const {
    ir::ValueId made = value.valid() ? facts_.Source(value) : value;
    if (made.valid() && program_.ops[made].kind == ir::OpKind::kUnpackItem)
      made = facts_.Source(program_.Operand(made, 0));
    if (!made.valid() || program_.ops[made].kind != ir::OpKind::kCall || !facts_.InLoop(made, id_)) return false;
    return few_ || !IsMadeOfItem(made);
  }

  [[nodiscard]] bool IsMadeOfItem(ir::ValueId call) const {
    std::vector<ir::ValueId> parts = {call};
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (i == kMostParts || facts_.DependsOnInduction(parts[i], id_)) return true;
      if (!facts_.InLoop(parts[i], id_)) continue;
      for (const ir::ValueId operand : program_.Operands(parts[i])) {
        if (operand.valid() && std::ranges::find(parts, operand) == parts.end()) parts.push_back(operand);
      }
    }
    return false;
  }

  const Facts& facts_;
  const ir::Program& program_;
  ir::LoopId id_;
  bool few_;
  bool fails_ = false;  // some way on which an attempt fails was passed over
};

}  // namespace

bool TriesUntilItWorks(const Facts& facts, ir::LoopId loop, std::optional<std::int64_t> most) {
  return Attempts(facts, loop, most).Succeed();
}

}  // namespace cpnlint::analysis
