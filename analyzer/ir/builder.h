#pragma once

// Builds one function's blocks and ops in SSA form while its source is walked once, after Braun, Buchwald, Hack et al.,
// "Simple and Efficient Construction of Static Single Assignment Form" (CC 2013): a variable is looked up backwards
// through the blocks when it is read, a block whose predecessors are not all known yet ("unsealed": a loop's header)
// gets a provisional phi. Provisional phis live in a table of their own; those that are trivial or unused vanish, and
// only the others become ops when the function ends.

#include <array>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

#include "analyzer/base/span.h"
#include "analyzer/ir/program.h"

namespace cpnlint::ir {

// A value as an operand, and where the user wrote it at this place.
struct Operand {
  ValueId value;
  Span span;
};

class Builder {
 public:
  // A variable that lives in SSA values. `entry` is the op that a read finds on a path from the function's entry
  // without an assignment: kUnbound, kBuiltin, kStarName, kUndefined (payload is the name) or kLoadCell (payload is the
  // cell).
  struct Variable {
    Symbol name;
    OpKind entry = OpKind::kUnbound;
    std::uint32_t payload = 0;
  };

  explicit Builder(Program& program) : program_(program) {}

  // Starts a function; its entry block is the current one. `statement` is set before and stands for the function as a
  // whole. `variables` has to outlive the function's building.
  void Begin(FunctionId function, std::span<const Variable> variables);
  // Ends the function: places the phis, fills Block::ops, Function::blocks and the function's range of ops. Values that
  // the caller noted down meanwhile have to be translated by Final().
  void Finish();

  BlockId NewBlock(LoopId loop, GuardId guard);
  // Makes it the current block; ops go to its end. Blocks are listed in the order in which they are started.
  // A block that nothing leads to is not started: what would come next is dead, and the block vanishes.
  void Start(BlockId block);
  // No further predecessor will come.
  void Seal(BlockId block);
  void StartSealed(BlockId block) {
    Seal(block);
    Start(block);
  }
  // None() behind a control-flow op: what follows cannot run.
  [[nodiscard]] BlockId current() const { return current_; }
  [[nodiscard]] bool dead() const { return !current_.valid(); }
  [[nodiscard]] bool HasPredecessors(BlockId block) const { return !preds_[block.index() - first_block_].empty(); }

  ValueId Emit(OpKind kind, Span span, std::span<const Operand> operands, std::uint32_t payload = 0,
               std::uint8_t detail = 0, std::uint8_t flags = 0);
  ValueId Emit(OpKind kind, Span span, std::initializer_list<Operand> operands, std::uint32_t payload = 0,
               std::uint8_t detail = 0, std::uint8_t flags = 0) {
    return Emit(kind, span, std::span<const Operand>(operands.begin(), operands.size()), payload, detail, flags);
  }

  // Control flow; each ends the current block.
  void Jump(BlockId target, Span span);
  void Branch(Operand truth, BlockId holds, BlockId fails, Span span);
  void ForNext(LoopId loop, Operand iter, BlockId body, BlockId end, Span span);
  void Either(BlockId first, BlockId second, Span span, std::span<const Operand> operands = {});
  ValueId Leave(OpKind kind, Span span, std::span<const Operand> operands, std::uint8_t flags = 0);

  // What a slot of `variables` holds at the end of the current block.
  // `visible`: an exception handler may see the variable (AnyWrittenHere).
  void Write(std::uint32_t variable, ValueId value, bool visible = true);
  ValueId Read(std::uint32_t variable);
  // True where `variable` was written in the current block.
  [[nodiscard]] bool WrittenHere(std::uint32_t variable) const { return last_write_block_[variable] == current_; }
  [[nodiscard]] bool AnyWrittenHere() const { return any_written_block_ == current_; }

  // One value out of one per predecessor of the current block (which has no op yet), in the order of the predecessors.
  ValueId Merge(std::span<const ValueId> values);

  // The value is used though no op has it as an operand.
  void Keep(ValueId value);
  // After Finish(): the op behind a value that was handed out while building.
  [[nodiscard]] ValueId Final(ValueId value) const;

  // Joins that come from one block by branches that end again here: a variable that nothing in between wrote has its
  // value from there. Without it the look-up of old variables would leave a phi in every join on its way.
  struct Fork {
    BlockId block;
    std::uint32_t writes = 0;
  };
  [[nodiscard]] Fork OpenFork() const { return {current_, write_clock_}; }
  void CloseFork(const Fork& fork, BlockId join);

  // Ops get these: the statement, and flags such as kInAnnotation while an annotation is lowered.
  StatementId statement;
  std::uint8_t ambient_flags = 0;

  // The look-ups of this function cost more than they may; reads then give Opaque ops.
  [[nodiscard]] bool exhausted() const { return steps_ > kMostSteps; }

 private:
  static constexpr std::uint32_t kPhiBit = 0x8000'0000;
  static constexpr std::uint32_t kNever = 0xffff'ffff;
  static constexpr std::uint64_t kMostSteps = 20'000'000;

  struct BlockState {
    bool sealed = false;
    bool started = false;
    std::array<BlockId, 2> succs;  // None() where there is none
    StatementId statement;
    std::uint32_t first_waiting = kNever;  // phis to fill when the block is sealed; linked by Phi::next
    Fork fork;                             // block is None() where there is none
    std::uint32_t fork_end = 0;            // write clock when the fork was closed
    // The way back: `parent` dominates the block, `jump` is one of its ancestors, chosen so that any ancestor is a
    // logarithmic number of jumps and steps away (skew-binary, after Myers).
    BlockId jump;
    std::uint32_t depth = 0;
    std::uint32_t begin_clock = 0, end_clock = 0;  // write clock when its ops began and ended
  };
  struct Phi {
    BlockId block;
    std::uint32_t variable = kNever;       // kNever: made by Merge
    std::uint32_t first_operand = kNever;  // into phi_operands_
    std::uint32_t operand_count = 0;
    std::uint32_t next = kNever;
    ValueId same_as;     // trivial: stands for this value
    bool entry = false;  // not a phi: the variable's value on entry
  };
  struct Slot {
    std::uint64_t key = ~std::uint64_t{0};
    ValueId value;
  };

  [[nodiscard]] BlockState& StateOf(BlockId block) { return states_[block.index() - first_block_]; }
  [[nodiscard]] std::vector<BlockId>& PredsOf(BlockId block) { return preds_[block.index() - first_block_]; }
  [[nodiscard]] Slot& Find(BlockId block, std::uint32_t variable);
  void Define(BlockId block, std::uint32_t variable, ValueId value);
  void Grow();
  void FindWayBack(BlockId block);
  ValueId LookUp(std::uint32_t variable, BlockId block);
  ValueId NewPhi(BlockId block, std::uint32_t variable);
  ValueId EntryValue(std::uint32_t variable);
  void FillPending();
  void Fill(std::uint32_t phi);
  [[nodiscard]] ValueId Resolve(ValueId value);
  bool RemoveIfTrivial(std::uint32_t phi);
  [[nodiscard]] bool WroteBetween(std::uint32_t variable, std::uint32_t begin, std::uint32_t end);
  void End(OpKind kind, Span span, std::span<const Operand> operands, std::uint32_t payload,
           std::initializer_list<BlockId> targets);
  void RemoveTrivialPhis();
  void MarkLive(ValueId value);
  void PlacePhis();
  void PlacePhi(std::uint32_t index);
  void RenumberBlocks();
  void FillBlocks(std::uint32_t first_placed);

  Program& program_;
  FunctionId function_;
  std::span<const Variable> variables_;
  std::uint32_t first_block_ = 0, first_op_ = 0, first_operand_ = 0, first_loop_ = 0;
  BlockId current_;
  std::vector<BlockState> states_;
  std::vector<std::vector<BlockId>> preds_;  // parallel to states_; further ones keep their memory for other functions
  std::vector<BlockId> order_;

  // Value of a variable at the end of a block: open addressing, key is block and variable.
  std::vector<Slot> table_;
  std::size_t table_used_ = 0;
  // Per variable, when it was written: a list in one pool, from the last write back, with jumps like those of the
  // blocks.
  struct WriteEvent {
    std::uint32_t clock = 0, previous = kNever, jump = kNever, count = 0;
  };
  std::vector<WriteEvent> writes_;
  std::vector<std::uint32_t> last_write_;
  std::vector<BlockId> last_write_block_;
  BlockId any_written_block_;
  std::uint32_t write_clock_ = 0;

  std::vector<Phi> phis_;
  std::vector<ValueId> phi_operands_;
  std::vector<std::uint32_t> entry_values_;  // per variable: its Phi with `entry`, or kNever
  std::vector<std::uint32_t> pending_;       // phis whose operands are still to be looked up
  std::vector<BlockId> path_;
  std::uint32_t exhausted_value_ = kNever;
  std::vector<ValueId> kept_;
  std::vector<std::uint8_t> live_;
  std::vector<std::uint32_t> work_;
  std::vector<ValueId> placed_;
  std::vector<BlockId> renamed_;           // by block, less first_block_
  std::vector<Block> blocks_;              // in their final order
  std::vector<std::uint32_t> counts_;      // of the ops in each
  std::vector<std::span<ValueId>> lists_;  // of their ops, as far as they are to be filled
  std::uint64_t steps_ = 0;
};

}  // namespace cpnlint::ir
