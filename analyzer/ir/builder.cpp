#include "analyzer/ir/builder.h"

#include <algorithm>
#include <utility>

#include "analyzer/base/check.h"

namespace cpnlint::ir {
namespace {

constexpr std::size_t kFirstTableSize = 256;
constexpr int kMostTrivialPasses = 8;  // what is left then is correct, only not minimal

std::uint64_t KeyOf(BlockId block, std::uint32_t variable) { return std::uint64_t{block.index()} << 32 | variable; }

std::size_t HashOf(std::uint64_t key) {
  key *= 0x9e37'79b9'7f4a'7c15;
  return key ^ key >> 29;
}

}  // namespace

void Builder::Begin(FunctionId function, std::span<const Variable> variables) {
  function_ = function;
  variables_ = variables;
  first_block_ = static_cast<std::uint32_t>(program_.blocks.size());
  first_op_ = static_cast<std::uint32_t>(program_.ops.size());
  first_operand_ = static_cast<std::uint32_t>(program_.operands.size());
  first_loop_ = static_cast<std::uint32_t>(program_.loops.size());
  states_.clear();
  order_.clear();
  if (table_used_ != 0 || table_.empty()) table_.assign(kFirstTableSize, Slot());
  table_used_ = 0;
  writes_.clear();
  last_write_.assign(variables.size(), kNever);
  last_write_block_.assign(variables.size(), BlockId::None());
  any_written_block_ = BlockId::None();
  write_clock_ = 0;
  phis_.clear();
  phi_operands_.clear();
  entry_values_.assign(variables.size(), kNever);
  exhausted_value_ = kNever;
  kept_.clear();
  steps_ = 0;
  ambient_flags = 0;
  const BlockId entry = NewBlock(LoopId::None(), GuardId::None());
  StateOf(entry).sealed = true;
  StateOf(entry).started = true;
  StateOf(entry).statement = statement;
  order_.push_back(entry);
  current_ = entry;
}

BlockId Builder::NewBlock(LoopId loop, GuardId guard) {
  Block block;
  block.function = function_;
  block.loop = loop;
  block.guard = guard;
  if (preds_.size() == states_.size()) preds_.emplace_back();
  preds_[states_.size()].clear();
  states_.emplace_back();
  return program_.blocks.Add(std::move(block));
}

void Builder::Start(BlockId block) {
  if (!HasPredecessors(block)) {
    current_ = BlockId::None();
    return;
  }
  BlockState& state = StateOf(block);
  CPNLINT_CHECK(!state.started);
  state.started = true;
  state.statement = statement;
  state.begin_clock = write_clock_;
  order_.push_back(block);
  current_ = block;
  if (state.sealed) FindWayBack(block);
}

void Builder::FindWayBack(BlockId block) {
  BlockState& state = StateOf(block);
  BlockId parent = state.fork.block;
  if (!parent.valid() && PredsOf(block).size() == 1) parent = PredsOf(block)[0];
  if (!parent.valid()) return;
  const BlockState& up = StateOf(parent);
  state.depth = up.depth + 1;
  state.jump = parent;
  if (!up.jump.valid()) return;
  const BlockState& over = StateOf(up.jump);
  const std::uint32_t beyond = over.jump.valid() ? StateOf(over.jump).depth : 0;
  if (over.jump.valid() && up.depth - over.depth == over.depth - beyond) state.jump = over.jump;
}

void Builder::Seal(BlockId block) {
  BlockState& state = StateOf(block);
  if (state.sealed) return;
  state.sealed = true;
  for (std::uint32_t phi = state.first_waiting; phi != kNever; phi = phis_[phi].next) pending_.push_back(phi);
  state.first_waiting = kNever;
  FillPending();
}

ValueId Builder::Emit(OpKind kind, Span span, std::span<const Operand> operands, std::uint32_t payload,
                      std::uint8_t detail, std::uint8_t flags) {
  CPNLINT_CHECK(current_.valid());
  Op op;
  op.kind = kind;
  op.detail = detail;
  op.flags = static_cast<std::uint8_t>(flags | ambient_flags);
  op.payload = payload;
  op.first_operand = static_cast<std::uint32_t>(program_.operands.size());
  op.operand_count = static_cast<std::uint32_t>(operands.size());
  op.span = span;
  op.block = current_;
  op.statement = statement;
  for (const Operand& operand : operands) {
    program_.operands.push_back(operand.value);
    program_.operand_spans.Add(span, operand.span);
  }
  return program_.ops.Add(op);
}

void Builder::End(OpKind kind, Span span, std::span<const Operand> operands, std::uint32_t payload,
                  std::initializer_list<BlockId> targets) {
  Emit(kind, span, operands, payload);
  BlockState& state = StateOf(current_);
  std::copy(targets.begin(), targets.end(), state.succs.begin());
  for (const BlockId target : targets) {
    CPNLINT_CHECK(!StateOf(target).sealed);
    PredsOf(target).push_back(current_);
  }
  state.end_clock = write_clock_;
  current_ = BlockId::None();
}

void Builder::Jump(BlockId target, Span span) { End(OpKind::kJump, span, {}, 0, {target}); }

void Builder::Branch(Operand truth, BlockId holds, BlockId fails, Span span) {
  End(OpKind::kBranch, span, {&truth, 1}, 0, {holds, fails});
}

void Builder::ForNext(LoopId loop, Operand iter, BlockId body, BlockId end, Span span) {
  End(OpKind::kForNext, span, {&iter, 1}, loop.index(), {body, end});
}

void Builder::Either(BlockId first, BlockId second, Span span, std::span<const Operand> operands) {
  End(OpKind::kEither, span, operands, 0, {first, second});
}

ValueId Builder::Leave(OpKind kind, Span span, std::span<const Operand> operands, std::uint8_t flags) {
  const ValueId id = Emit(kind, span, operands, 0, 0, flags);
  current_ = BlockId::None();
  return id;
}

// --- Variables ---------------------------------------------------------------------------------------------------

Builder::Slot& Builder::Find(BlockId block, std::uint32_t variable) {
  const std::uint64_t key = KeyOf(block, variable);
  const std::size_t mask = table_.size() - 1;
  std::size_t at = HashOf(key) & mask;
  while (table_[at].key != key && table_[at].key != ~std::uint64_t{0}) at = (at + 1) & mask;
  return table_[at];
}

void Builder::Grow() {
  std::vector<Slot> old(table_.size() * 2);
  old.swap(table_);
  const std::size_t mask = table_.size() - 1;
  for (const Slot& slot : old) {
    if (slot.key == ~std::uint64_t{0}) continue;
    std::size_t at = HashOf(slot.key) & mask;
    while (table_[at].key != ~std::uint64_t{0}) at = (at + 1) & mask;
    table_[at] = slot;
  }
}

void Builder::Define(BlockId block, std::uint32_t variable, ValueId value) {
  Slot& slot = Find(block, variable);
  slot.value = value;
  if (slot.key != ~std::uint64_t{0}) return;
  slot.key = KeyOf(block, variable);
  if (++table_used_ * 2 > table_.size()) Grow();
}

void Builder::Write(std::uint32_t variable, ValueId value, bool visible) {
  if (dead()) return;
  if (last_write_block_[variable] != current_) {
    last_write_block_[variable] = current_;
    const std::uint32_t previous = last_write_[variable];
    WriteEvent event{++write_clock_, previous, previous, 1};
    if (previous != kNever) {
      const WriteEvent& before = writes_[previous];
      event.count = before.count + 1;
      if (before.jump != kNever) {
        const WriteEvent& over = writes_[before.jump];
        const std::uint32_t beyond = over.jump == kNever ? 0 : writes_[over.jump].count;
        if (over.jump != kNever && before.count - over.count == over.count - beyond) event.jump = over.jump;
      }
    }
    writes_.push_back(event);
    last_write_[variable] = static_cast<std::uint32_t>(writes_.size() - 1);
  }
  if (visible) any_written_block_ = current_;
  Define(current_, variable, value);
}

ValueId Builder::Read(std::uint32_t variable) {
  CPNLINT_CHECK(current_.valid());
  const ValueId value = LookUp(variable, current_);
  if (!pending_.empty()) FillPending();
  return Resolve(value);
}

bool Builder::WroteBetween(std::uint32_t variable, std::uint32_t begin, std::uint32_t end) {
  std::uint32_t at = last_write_[variable];
  while (at != kNever && writes_[at].clock > end) {
    ++steps_;
    const std::uint32_t jump = writes_[at].jump;
    at = jump != kNever && writes_[jump].clock > end ? jump : writes_[at].previous;
  }
  return at != kNever && writes_[at].clock > begin;
}

ValueId Builder::LookUp(std::uint32_t variable, BlockId block) {
  path_.clear();
  ValueId value;
  for (BlockId at = block;;) {
    if (++steps_ > kMostSteps) {
      if (exhausted_value_ == kNever) {
        exhausted_value_ = static_cast<std::uint32_t>(phis_.size());
        phis_.emplace_back().entry = true;
      }
      return ValueId(kPhiBit | exhausted_value_);
    }
    const Slot& slot = Find(at, variable);
    if (slot.key != ~std::uint64_t{0}) {
      value = slot.value;
      break;
    }
    BlockState& state = StateOf(at);
    if (!state.sealed) {
      value = NewPhi(at, variable);
      const auto phi = static_cast<std::uint32_t>(phis_.size() - 1);
      phis_[phi].next = std::exchange(state.first_waiting, phi);
      break;
    }
    if (state.jump.valid() && !WroteBetween(variable, StateOf(state.jump).end_clock, state.begin_clock)) {
      path_.push_back(at);
      at = state.jump;
      continue;
    }
    if (state.fork.block.valid() && !WroteBetween(variable, state.fork.writes, state.fork_end)) {
      path_.push_back(at);
      at = state.fork.block;
      continue;
    }
    const std::vector<BlockId>& preds = PredsOf(at);
    if (preds.size() == 1) {
      path_.push_back(at);
      at = preds[0];
      continue;
    }
    if (preds.empty()) {
      value = EntryValue(variable);
    } else {
      value = NewPhi(at, variable);
      pending_.push_back(static_cast<std::uint32_t>(phis_.size() - 1));
    }
    break;
  }
  // Remembering the value in each block on a long way would cost more memory than it saves steps.
  for (std::size_t i = 0; i < path_.size(); i += 8) Define(path_[i], variable, value);
  return value;
}

ValueId Builder::NewPhi(BlockId block, std::uint32_t variable) {
  const ValueId id(kPhiBit | phis_.size());
  Phi& phi = phis_.emplace_back();
  phi.block = block;
  phi.variable = variable;
  Define(block, variable, id);
  return id;
}

ValueId Builder::EntryValue(std::uint32_t variable) {
  std::uint32_t& index = entry_values_[variable];
  if (index == kNever) {
    index = static_cast<std::uint32_t>(phis_.size());
    Phi& phi = phis_.emplace_back();
    phi.variable = variable;
    phi.entry = true;
  }
  return ValueId(kPhiBit | index);
}

void Builder::FillPending() {
  for (std::size_t i = 0; i < pending_.size(); ++i) Fill(pending_[i]);  // grows while it runs
  // A phi made later may be an operand of an earlier one; so the later ones first.
  for (std::size_t i = pending_.size(); i-- > 0;) RemoveIfTrivial(pending_[i]);
  pending_.clear();
}

void Builder::Fill(std::uint32_t phi) {
  const BlockId block = phis_[phi].block;
  const std::size_t count = PredsOf(block).size();
  const std::size_t first = phi_operands_.size();
  phi_operands_.resize(first + count);
  phis_[phi].first_operand = static_cast<std::uint32_t>(first);
  phis_[phi].operand_count = static_cast<std::uint32_t>(count);
  for (std::size_t i = 0; i < count; ++i) {
    phi_operands_[first + i] = LookUp(phis_[phi].variable, PredsOf(block)[i]);
  }
}

ValueId Builder::Resolve(ValueId value) {
  while (value.valid() && (value.index() & kPhiBit) != 0) {
    Phi& phi = phis_[value.index() & ~kPhiBit];
    if (!phi.same_as.valid()) return value;
    // Halves the way for the next reader.
    const ValueId next = phi.same_as;
    if ((next.index() & kPhiBit) != 0) {
      const ValueId after = phis_[next.index() & ~kPhiBit].same_as;
      if (after.valid()) phi.same_as = after;
    }
    value = next;
  }
  return value;
}

bool Builder::RemoveIfTrivial(std::uint32_t index) {
  if (phis_[index].entry || phis_[index].same_as.valid() || phis_[index].first_operand == kNever) return false;
  const ValueId self(kPhiBit | index);
  ValueId only;
  for (std::uint32_t i = 0; i < phis_[index].operand_count; ++i) {
    const ValueId value = Resolve(phi_operands_[phis_[index].first_operand + i]);
    if (value == self || value == only) continue;
    if (only.valid()) return false;
    only = value;
  }
  if (!only.valid() && phis_[index].variable != kNever) only = EntryValue(phis_[index].variable);
  phis_[index].same_as = only;
  return only.valid();
}

ValueId Builder::Merge(std::span<const ValueId> values) {
  CPNLINT_CHECK(values.size() == PredsOf(current_).size());
  const auto index = static_cast<std::uint32_t>(phis_.size());
  Phi& phi = phis_.emplace_back();
  phi.block = current_;
  phi.first_operand = static_cast<std::uint32_t>(phi_operands_.size());
  phi.operand_count = static_cast<std::uint32_t>(values.size());
  phi_operands_.insert(phi_operands_.end(), values.begin(), values.end());
  RemoveIfTrivial(index);
  return Resolve(ValueId(kPhiBit | index));
}

void Builder::CloseFork(const Fork& fork, BlockId join) {
  BlockState& state = StateOf(join);
  state.fork = fork;
  state.fork_end = write_clock_;
}

void Builder::Keep(ValueId value) {
  if (value.valid() && (value.index() & kPhiBit) != 0) kept_.push_back(value);
}

ValueId Builder::Final(ValueId value) const {
  if (!value.valid() || (value.index() & kPhiBit) == 0) return value;
  while ((value.index() & kPhiBit) != 0) {
    const std::uint32_t index = value.index() & ~kPhiBit;
    value = phis_[index].same_as.valid() ? phis_[index].same_as : placed_[index];
    if (!value.valid()) break;
  }
  return value;
}

// --- The end of a function ---------------------------------------------------------------------------------------

void Builder::Finish() {
  RemoveTrivialPhis();
  live_.assign(phis_.size(), 0);
  for (std::size_t i = first_operand_; i < program_.operands.size(); ++i) MarkLive(program_.operands[i]);
  for (const ValueId value : kept_) MarkLive(value);
  while (!work_.empty()) {
    const Phi& phi = phis_[work_.back()];
    work_.pop_back();
    for (std::uint32_t i = 0; i < phi.operand_count; ++i) MarkLive(phi_operands_[phi.first_operand + i]);
  }
  const std::size_t end_operand = program_.operands.size();
  const auto first_placed = static_cast<std::uint32_t>(program_.ops.size());
  PlacePhis();
  for (std::size_t i = first_operand_; i < end_operand; ++i) {
    ValueId& value = program_.operands[i];
    if (value.valid() && (value.index() & kPhiBit) != 0) value = Final(value);
  }
  RenumberBlocks();
  FillBlocks(first_placed);
  Function& function = program_.functions[function_];
  function.first_op = ValueId(first_op_);
  function.end_op = ValueId(program_.ops.size());
}

void Builder::RemoveTrivialPhis() {
  bool changed = true;
  for (int pass = 0; changed && pass < kMostTrivialPasses; ++pass) {
    changed = false;
    for (std::uint32_t i = 0; i < phis_.size(); ++i) changed |= RemoveIfTrivial(i);
  }
}

void Builder::MarkLive(ValueId value) {
  value = Resolve(value);
  if (!value.valid() || (value.index() & kPhiBit) == 0) return;
  const std::uint32_t index = value.index() & ~kPhiBit;
  if (live_[index] != 0) return;
  live_[index] = 1;
  work_.push_back(index);
}

void Builder::PlacePhis() {
  placed_.assign(phis_.size(), ValueId::None());
  std::uint32_t next = static_cast<std::uint32_t>(program_.ops.size());
  for (std::uint32_t i = 0; i < phis_.size(); ++i) {
    if (live_[i] != 0) placed_[i] = ValueId(next++);
  }
  for (std::uint32_t i = 0; i < phis_.size(); ++i) {
    if (live_[i] != 0) PlacePhi(i);
  }
}

void Builder::PlacePhi(std::uint32_t index) {
  const Phi& phi = phis_[index];
  Op op;
  op.flags = kSynthetic;
  op.first_operand = static_cast<std::uint32_t>(program_.operands.size());
  if (phi.entry) {
    op.block = order_[0];
    op.kind = OpKind::kOpaque;
    if (phi.variable != kNever) {
      op.kind = variables_[phi.variable].entry;
      op.payload = variables_[phi.variable].payload;
    }
  } else {
    op.kind = OpKind::kPhi;
    op.block = phi.block;
    op.payload = (phi.variable == kNever ? Symbol::None() : variables_[phi.variable].name).index();
    op.operand_count = phi.operand_count;
  }
  op.statement = StateOf(op.block).statement;
  op.span = op.statement.valid() ? program_.statements[op.statement].span : Span();
  for (std::uint32_t i = 0; i < op.operand_count; ++i) {
    program_.operands.push_back(Final(phi_operands_[phi.first_operand + i]));
    program_.operand_spans.Add(op.span, op.span);
  }
  program_.ops.Add(op);
}

void Builder::RenumberBlocks() {
  renamed_.assign(states_.size(), BlockId::None());
  blocks_.clear();
  for (std::size_t i = 0; i < order_.size(); ++i) {
    renamed_[order_[i].index() - first_block_] = BlockId(first_block_ + i);
    blocks_.push_back(program_.blocks[order_[i]]);
  }
  const auto rename = [&](BlockId& block) {
    if (block.valid()) block = renamed_[block.index() - first_block_];
  };
  const auto list = [&](std::span<const BlockId> blocks) {
    const std::span<BlockId> kept = program_.edges.Copy(blocks);
    for (BlockId& block : kept) rename(block);
    return kept;
  };
  program_.blocks.resize(first_block_);
  Function& function = program_.functions[function_];
  const std::span<BlockId> blocks = program_.edges.Make(blocks_.size());
  function.blocks = blocks;
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    const std::array<BlockId, 2>& succs = StateOf(order_[i]).succs;
    blocks_[i].preds = list(PredsOf(order_[i]));
    blocks_[i].succs = list(std::span(succs).first(succs[1].valid() ? 2 : succs[0].valid() ? 1 : 0));
    blocks[i] = program_.blocks.Add(blocks_[i]);
  }
  for (std::size_t i = first_op_; i < program_.ops.size(); ++i) rename(program_.ops[ValueId(i)].block);
  for (std::size_t i = first_loop_; i < program_.loops.size(); ++i) {
    rename(program_.loops[LoopId(i)].header);
    rename(program_.loops[LoopId(i)].body);
  }
}

void Builder::FillBlocks(std::uint32_t first_placed) {
  counts_.assign(program_.blocks.size() - first_block_, 0);
  const auto end = static_cast<std::uint32_t>(program_.ops.size());
  for (std::uint32_t i = first_op_; i < end; ++i) ++counts_[program_.ops[ValueId(i)].block.index() - first_block_];
  lists_.clear();
  for (std::size_t i = 0; i < counts_.size(); ++i) {
    lists_.push_back(program_.block_ops.Make(counts_[i]));
    program_.blocks[BlockId(first_block_ + i)].ops = lists_.back();
  }
  const auto add = [&](std::uint32_t i) {
    std::span<ValueId>& list = lists_[program_.ops[ValueId(i)].block.index() - first_block_];
    list.front() = ValueId(i);
    list = list.subspan(1);
  };
  // Parameters stand before the values that other variables have on entry.
  std::uint32_t first = first_op_;
  while (first < first_placed && program_.ops[ValueId(first)].kind == OpKind::kParam) add(first++);
  for (std::uint32_t i = first_placed; i < end; ++i) add(i);
  for (std::uint32_t i = first; i < first_placed; ++i) add(i);
}

}  // namespace cpnlint::ir
