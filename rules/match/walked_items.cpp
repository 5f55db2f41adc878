#include "rules/match/walked_items.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "rules/match/device_call.h"
#include "rules/match/hashed.h"

namespace cpnlint::rules::match {

using analysis::Callee;
using analysis::Facts;
using analysis::Kind;
using ir::OpKind;
using ir::ValueId;

namespace {

constexpr int kMostSteps = 8;  // of arithmetic, walks and unpackings that are followed

bool IsWalked(const Facts& facts, ValueId value) { return facts.IsDevice(value) && !facts.IsZeroD(value); }

std::string_view BuiltinName(const Facts& facts, ValueId call) {
  if (!call.valid() || facts.program().ops[call].kind != OpKind::kCall) return {};
  const Callee& callee = facts.CalleeOf(call);
  return callee.kind == Callee::Kind::kBuiltin ? std::string_view(callee.name) : std::string_view();
}

// The names that part `index` of the values is unpacked to.
std::vector<ValueId> Parts(const Facts& facts, const std::vector<ValueId>& values, std::uint32_t index) {
  std::vector<ValueId> parts;
  for (const ValueId value : values) {
    for (const ValueId use : facts.DeepUsesOf(value)) {
      const ir::Op& op = facts.program().ops[use];
      if (op.kind == OpKind::kUnpackItem && ir::ItemPosition::Unpack(op.payload).index == index) parts.push_back(use);
    }
  }
  return parts;
}

// The part of what the call hands out that comes from the operand; nothing where it is no such call.
std::optional<std::uint32_t> PartOf(std::string_view walking_call, std::uint32_t operand) {
  if (walking_call == "zip") return operand - 1;
  if (walking_call == "enumerate" && operand == 1) return 1;
  return std::nullopt;
}

void Collect(const Facts& facts, ValueId walked, Span words, const std::vector<ValueId>& items, int depth,
             std::vector<WalkedArray>& found) {
  if (IsWalked(facts, walked)) {
    found.push_back({walked, words, items});
    return;
  }
  const ir::Program& program = facts.program();
  const ValueId call = facts.Source(walked);
  const std::string_view name = BuiltinName(facts, call);
  if (name.empty() || depth == 0 || facts.HasStarArguments(call)) return;
  for (std::uint32_t i = 1; i <= facts.PositionalCount(call); ++i) {
    const auto part = PartOf(name, i);
    const bool whole = i == 1 && IsOneOf(name, {"reversed", "iter"});
    if (!part && !whole) continue;
    Collect(facts, program.Operand(call, i), program.OperandSpan(call, i), whole ? items : Parts(facts, items, *part),
            depth - 1, found);
  }
}

class Uses {
 public:
  explicit Uses(const Facts& facts) : facts_(facts), program_(facts.program()) {}

  struct Sum {
    bool meets = false;   // some use is the host's
    bool others = false;  // some use is not, or nobody knows
  };

  Sum Of(ValueId item, int depth) {
    Sum sum;
    for (const ValueId use : facts_.DeepUsesOf(item)) See(item, use, depth, sum);
    return sum;
  }

 private:
  void Add(Sum& sum, const Sum& other) {
    sum.meets = sum.meets || other.meets;
    sum.others = sum.others || other.others || !other.meets;
  }

  void Follow(ValueId value, int depth, Sum& sum) {
    if (depth == 0) {
      sum.others = true;
      return;
    }
    Add(sum, Of(value, depth - 1));
  }

  [[nodiscard]] bool IsRead(ValueId value, ValueId use) const {
    const auto reads = facts_.HostReadsOf(program_.FunctionOf(use));
    return std::ranges::any_of(reads, [&](const analysis::HostRead& read) {
      return read.op == use && facts_.Source(read.value) == facts_.Source(value) &&
             read.kind != analysis::HostRead::Kind::kIteration;
    });
  }

  // A number of Python would do in its place as well: arithmetic with Python numbers, or with other such items.
  [[nodiscard]] bool IsArithmeticOfNumbers(ValueId use) const {
    const auto operands = program_.Operands(use);
    return std::ranges::all_of(operands, [&](ValueId operand) {
      return operand.valid() && (analysis::IsNumber(facts_.Of(operand).kind) || facts_.IsZeroD(operand));
    });
  }

  [[nodiscard]] bool IsKey(ValueId value, ValueId use) const {
    const auto keys = facts_.KeysOf(use);
    return std::ranges::any_of(keys, [&](ValueId key) { return facts_.Source(key) == facts_.Source(value); });
  }

  void See(ValueId item, ValueId use, int depth, Sum& sum) {
    const ir::Op& op = program_.ops[use];
    if (IsRead(item, use)) {
      sum.meets = true;
      return;
    }
    const std::vector<Hashed> hashed = HashedAt(facts_, use);
    if (std::ranges::any_of(hashed,
                            [&](const Hashed& one) { return facts_.Source(one.value) == facts_.Source(item); })) {
      sum.meets = true;
      return;
    }
    switch (op.kind) {
      case OpKind::kSlice: sum.meets = true; return;
      case OpKind::kSubscript:
      case OpKind::kStoreSubscript:
        // Of an array of the device it selects what all passes together may select at once.
        if (IsKey(item, use)) {
          const bool of_array = facts_.IsDevice(program_.Operand(use, 0)) || facts_.RankOf(item) > 0;
          sum.meets = sum.meets || !of_array || facts_.IsZeroD(item);
          sum.others = sum.others || of_array;
        } else if (op.kind == OpKind::kSubscript && IsOneNumber(use)) {
          Follow(use, depth, sum);
        } else {
          sum.others = true;
        }
        return;
      case OpKind::kBinary:
      case OpKind::kUnary:
      case OpKind::kCompare:
        if (IsArithmeticOfNumbers(use)) {
          Follow(use, depth, sum);
        } else {
          sum.others = true;
        }
        return;
      case OpKind::kIter: Follow(program_.loops[ir::LoopId(op.payload)].item, depth, sum); return;
      case OpKind::kUnpackItem: Follow(use, depth, sum); return;
      case OpKind::kCall: SeeCall(item, use, depth, sum); return;
      default: sum.others = true;
    }
  }

  // `row[0]`, `row[k]`
  [[nodiscard]] bool IsOneNumber(ValueId subscript) const {
    const auto keys = facts_.KeysOf(subscript);
    return keys.size() == 1 && keys[0].valid() && facts_.Of(keys[0]).kind == Kind::kInt;
  }

  void SeeCall(ValueId item, ValueId call, int depth, Sum& sum) {
    const std::string_view name = BuiltinName(facts_, call);
    if (name == "len") return;
    const auto operands = program_.Operands(call);
    for (std::uint32_t i = 1; i < operands.size(); ++i) {
      if (facts_.Source(operands[i]) != facts_.Source(item)) continue;
      const auto part = PartOf(name, i);
      if (!part || depth == 0) {
        sum.others = true;
        continue;
      }
      for (const ValueId use : facts_.DeepUsesOf(call)) {
        if (program_.ops[use].kind != OpKind::kIter) {
          sum.others = true;
          continue;
        }
        const ValueId handed = program_.loops[ir::LoopId(program_.ops[use].payload)].item;
        for (const ValueId one : Parts(facts_, {handed}, *part)) Follow(one, depth - 1, sum);
      }
    }
  }

  const Facts& facts_;
  const ir::Program& program_;
};

Uses::Sum UsesOf(const Facts& facts, const WalkedArray& walked) {
  Uses::Sum sum;
  Uses uses(facts);
  for (const ValueId item : walked.items) {
    const Uses::Sum one = uses.Of(item, kMostSteps);
    sum.meets = sum.meets || one.meets;
    sum.others = sum.others || one.others;
  }
  return sum;
}

bool IsTakenApart(const Facts& facts, ValueId item, int depth);

// The loops over what `zip(row, names)` hands out take the item apart.
bool IsTakenApartBy(const Facts& facts, ValueId item, ValueId call, int depth) {
  const ir::Program& program = facts.program();
  const std::string_view name = BuiltinName(facts, call);
  if (IsOneOf(name, {"len", "list", "tuple", "int", "float", "bool", "range"})) return true;
  const auto operands = program.Operands(call);
  for (std::uint32_t i = 1; i < operands.size(); ++i) {
    if (facts.Source(operands[i]) != facts.Source(item)) continue;
    const auto part = PartOf(name, i);
    if (!part) return false;
    for (const ValueId use : facts.DeepUsesOf(call)) {
      if (program.ops[use].kind != OpKind::kIter) return false;
      const ValueId handed = program.loops[ir::LoopId(program.ops[use].payload)].item;
      const std::vector<ValueId> parts = Parts(facts, {handed}, *part);
      if (!std::ranges::all_of(parts, [&](ValueId one) { return IsTakenApart(facts, one, depth); })) return false;
    }
  }
  return true;
}

// Only one number can be tested, be an index of a list or go to `math`.
bool IsReadAsNumber(const Facts& facts, ValueId item, ValueId use) {
  using Read = analysis::HostRead::Kind;
  const auto reads = facts.HostReadsOf(facts.program().FunctionOf(use));
  return std::ranges::any_of(reads, [&](const analysis::HostRead& read) {
    return read.op == use && facts.Source(read.value) == facts.Source(item) &&
           (read.kind == Read::kTruth || read.kind == Read::kIndex || read.kind == Read::kMath);
  });
}

// A number, or a row of which nothing but its numbers is taken.
bool IsTakenApart(const Facts& facts, ValueId item, int depth) {
  if (facts.IsZeroD(item)) return true;
  const auto uses = facts.DeepUsesOf(item);
  if (depth == 0) return false;
  const ir::Program& program = facts.program();
  return std::ranges::all_of(uses, [&](ValueId use) {
    const ir::Op& op = program.ops[use];
    if (IsReadAsNumber(facts, item, use)) return true;
    switch (op.kind) {
      case OpKind::kIter: return IsTakenApart(facts, program.loops[ir::LoopId(op.payload)].item, depth - 1);
      case OpKind::kUnpackItem: return IsTakenApart(facts, use, depth - 1);
      case OpKind::kSubscript: {
        const auto keys = facts.KeysOf(use);
        // It is the key, which a list cannot be where it is no number.
        if (facts.Source(program.Operand(use, 0)) != facts.Source(item)) return facts.RankOf(item) < 1;
        return keys.size() == 1 && keys[0].valid() && facts.Of(keys[0]).kind == Kind::kInt &&
               IsTakenApart(facts, use, depth - 1);
      }
      case OpKind::kCall: return IsTakenApartBy(facts, item, use, depth - 1);
      default: return false;
    }
  });
}

}  // namespace

std::vector<WalkedArray> WalkedArrays(const Facts& facts, ir::LoopId loop) {
  const ir::Loop& header = facts.program().loops[loop];
  std::vector<WalkedArray> found;
  Collect(facts, header.iterable, header.iterable_span, {header.item}, kMostSteps, found);
  return found;
}

bool MeetsHost(const Facts& facts, const WalkedArray& walked) { return UsesOf(facts, walked).meets; }

bool ServesHostAlone(const Facts& facts, const WalkedArray& walked) {
  const Uses::Sum sum = UsesOf(facts, walked);
  return sum.meets && !sum.others;
}

bool IsTakenApart(const Facts& facts, const WalkedArray& walked) {
  const auto is_used = [&](ValueId item) { return !facts.DeepUsesOf(item).empty(); };
  return std::ranges::any_of(walked.items, is_used) &&
         std::ranges::all_of(walked.items, [&](ValueId item) { return IsTakenApart(facts, item, kMostSteps); });
}

}  // namespace cpnlint::rules::match
