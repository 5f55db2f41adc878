#include "analyzer/analysis/loop_flags.h"

#include <algorithm>

namespace cpnlint::analysis {
namespace {

constexpr std::size_t kMostStates = 64;  // of one question: a block and the flags known there
constexpr std::size_t kMostFlags = 8;    // that one way carries along

struct Flag {
  ir::ValueId phi;
  bool value = false;
  friend bool operator==(const Flag&, const Flag&) = default;
};

struct State {
  ir::BlockId block;
  std::vector<Flag> flags;
  friend bool operator==(const State&, const State&) = default;
};

class Ways {
 public:
  Ways(const Facts& facts, ir::LoopId loop) : facts_(facts), program_(facts.program()), loop_(loop) {}

  [[nodiscard]] bool LeadAround(ir::BlockId block) const {
    const ir::BlockId header = program_.loops[loop_].header;
    std::vector<State> states = {{block, {}}};
    for (std::size_t i = 0; i < states.size(); ++i) {
      const State now = states[i];
      for (const ir::BlockId next : program_.blocks[now.block].succs) {
        if (!facts_.BlockInLoop(next, loop_) || !MayGo(now, next)) continue;
        State then = Through(now, next);
        if (next == header && now.block != header) {
          if (MayStay(then)) return true;
          continue;
        }
        if (std::find(states.begin(), states.end(), then) != states.end()) continue;
        if (states.size() == kMostStates) return true;
        states.push_back(std::move(then));
      }
    }
    return false;
  }

 private:
  // What a literal or a flag is on the way; nullopt where that is not known.
  [[nodiscard]] std::optional<bool> Known(ir::ValueId id, const std::vector<Flag>& flags) const {
    bool turned = false;
    for (int layers = 0; layers < 8 && id.valid(); ++layers) {
      id = facts_.Source(id);
      if (!id.valid() || program_.ops[id].kind != ir::OpKind::kNot) break;
      turned = !turned;
      id = program_.Operand(id, 0);
    }
    if (!id.valid()) return std::nullopt;
    std::optional<bool> value;
    if (program_.ops[id].kind == ir::OpKind::kBool) value = facts_.BoolOf(id);
    const auto flag = std::ranges::find(flags, id, &Flag::phi);
    if (flag != flags.end()) value = flag->value;
    return value ? std::optional(*value != turned) : std::nullopt;
  }

  [[nodiscard]] bool MayGo(const State& from, ir::BlockId to) const {
    const ir::Block& block = program_.blocks[from.block];
    if (block.ops.empty() || block.succs.size() != 2 || block.succs[0] == block.succs[1]) return true;
    if (program_.ops[block.ops.back()].kind != ir::OpKind::kBranch) return true;
    const std::optional<bool> holds = Known(program_.Operand(block.ops.back(), 0), from.flags);
    return !holds || block.succs[*holds ? 0 : 1] == to;
  }

  // The header's test lets the next trip begin.
  [[nodiscard]] bool MayStay(const State& at_header) const {
    const auto succs = program_.blocks[at_header.block].succs;
    return std::any_of(succs.begin(), succs.end(),
                       [&](ir::BlockId next) { return facts_.BlockInLoop(next, loop_) && MayGo(at_header, next); });
  }

  // The flags that the next block's Phi ops take over.
  [[nodiscard]] State Through(const State& from, ir::BlockId to) const {
    State then{to, {}};
    const ir::Block& block = program_.blocks[to];
    const auto pred = std::find(block.preds.begin(), block.preds.end(), from.block);
    const auto edge = static_cast<std::uint32_t>(pred - block.preds.begin());
    for (const Flag& flag : from.flags) {
      if (program_.ops[flag.phi].block != to) then.flags.push_back(flag);
    }
    for (const ir::ValueId op : block.ops) {
      if (program_.ops[op].kind != ir::OpKind::kPhi || then.flags.size() == kMostFlags) break;
      if (edge >= program_.ops[op].operand_count) continue;
      if (const auto value = Known(program_.Operand(op, edge), from.flags)) then.flags.push_back({op, *value});
    }
    return then;
  }

  const Facts& facts_;
  const ir::Program& program_;
  ir::LoopId loop_;
};

}  // namespace

bool ComesAround(const Facts& facts, ir::BlockId block, ir::LoopId loop) {
  return block == facts.program().loops[loop].header || Ways(facts, loop).LeadAround(block);
}

}  // namespace cpnlint::analysis
