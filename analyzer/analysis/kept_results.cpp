#include "analyzer/analysis/kept_results.h"

#include <algorithm>
#include <unordered_map>

#include "analyzer/analysis/way_tests.h"

namespace cpnlint::analysis {
namespace {

// What a function stores for later, and the returns that may hand it back early.
struct Keeps {
  std::vector<ir::ValueId> stores;   // StoreAttr, StoreSubscript
  std::vector<ir::ValueId> returns;  // behind a test, of what is stored after it
};

// Both are the same attribute, variable or parameter.
// NOLINTNEXTLINE(misc-no-recursion): `depth` bounds it
bool IsSamePlace(const Facts& facts, ir::ValueId a, ir::ValueId b, int depth = 0) {
  constexpr int kDeepest = 3;
  const ir::Program& program = facts.program();
  if (!a.valid() || !b.valid() || depth > kDeepest) return false;
  a = facts.Source(a);
  b = facts.Source(b);
  if (!a.valid() || !b.valid()) return false;
  if (a == b) return true;
  const ir::Op &first = program.ops[a], &second = program.ops[b];
  if (first.kind != second.kind || first.payload != second.payload) return false;
  if (first.kind == ir::OpKind::kLoadCell) return true;
  // NOLINTNEXTLINE(misc-no-recursion)
  return first.kind == ir::OpKind::kAttr && IsSamePlace(facts, program.Operand(a, 0), program.Operand(b, 0), depth + 1);
}

// A mapping that is still there at the next call: not one that the function makes, and no array.
bool Outlives(const Facts& facts, ir::ValueId mapping) {
  const ir::ValueId source = mapping.valid() ? facts.Source(mapping) : mapping;
  if (!source.valid() || facts.IsArray(source)) return false;
  const ir::OpKind kind = facts.program().ops[source].kind;
  return kind == ir::OpKind::kAttr || kind == ir::OpKind::kLoadCell || kind == ir::OpKind::kParam;
}

bool IsSameKey(const Facts& facts, ir::ValueId a, ir::ValueId b) {
  if (facts.Source(a) == facts.Source(b)) return true;
  const std::optional<std::string_view> text = facts.TextOf(a);
  return text && text == facts.TextOf(b);
}

// An entry of a mapping: `made[key]`, `made.get(key)`.
struct Entry {
  ir::ValueId mapping;
  ir::ValueId key;
};

Entry EntryRead(const Facts& facts, ir::ValueId value) {
  const ir::Program& program = facts.program();
  const ir::Op& op = program.ops[value];
  if (op.kind == ir::OpKind::kSubscript && op.operand_count == 2)
    return {program.Operand(value, 0), program.Operand(value, 1)};
  if (op.kind != ir::OpKind::kCall || program.Shape(op).positional == 0) return {};
  const ir::ValueId called = program.Operand(value, 0);
  if (program.ops[called].kind != ir::OpKind::kAttr || program.Name(program.ops[called]) != "get") return {};
  return {program.Operand(called, 0), program.Operand(value, 1)};
}

// The store keeps what the value reads: the attribute, or the entry of a mapping.
bool StoresWhatIsRead(const Facts& facts, ir::ValueId store, ir::ValueId value) {
  const ir::Program& program = facts.program();
  const ir::Op& op = program.ops[store];
  if (op.kind == ir::OpKind::kStoreAttr) {
    return program.ops[value].kind == ir::OpKind::kAttr && program.ops[value].payload == op.payload &&
           IsSamePlace(facts, program.Operand(store, 0), program.Operand(value, 0));
  }
  const Entry entry = EntryRead(facts, value);
  return entry.mapping.valid() && op.operand_count == 3 && Outlives(facts, entry.mapping) &&
         IsSamePlace(facts, program.Operand(store, 0), entry.mapping) &&
         IsSameKey(facts, program.Operand(store, 2), entry.key);
}

// The test asks whether the result is there: `self._made is not None`, `self._made`, `key in made`, `hasattr(self,
// "_made")`. Of `value`, which a store keeps.
bool AsksFor(const Facts& facts, const Test& test, ir::ValueId value) {
  const ir::Program& program = facts.program();
  const ir::Op& op = program.ops[test.id];
  ir::ValueId asked = test.id;
  if (op.kind == ir::OpKind::kCompare) {
    const auto compare = static_cast<ir::CompareOp>(op.detail);
    if (compare == ir::CompareOp::kIn || compare == ir::CompareOp::kNotIn) {
      const Entry entry = EntryRead(facts, value);
      return test.holds == (compare == ir::CompareOp::kIn) && entry.mapping.valid() &&
             IsSamePlace(facts, entry.mapping, program.Operand(test.id, 1)) &&
             IsSameKey(facts, entry.key, program.Operand(test.id, 0));
    }
    const bool is_not = compare == ir::CompareOp::kIsNot;
    if ((!is_not && compare != ir::CompareOp::kIs) || facts.Of(program.Operand(test.id, 1)).kind != Kind::kNone ||
        test.holds != is_not)
      return false;
    asked = program.Operand(test.id, 0);
  } else if (op.kind == ir::OpKind::kCall) {  // is_shape(stored)
    const std::span<const ir::ValueId> operands = program.Operands(test.id);
    return test.holds && std::ranges::any_of(operands.subspan(1), [&](ir::ValueId operand) {
             return operand.valid() && IsSamePlace(facts, operand, value);
           });
  } else if (!test.holds) {
    return false;
  }
  return IsSamePlace(facts, asked, value);
}

// The function stores what it hands back here, or hands the same back again at its end: `self._make(); return
// self._made` of a method that stores it.
bool IsStoredLater(const Facts& facts, const Keeps& keeps, ir::ValueId leave, ir::ValueId value) {
  const ir::Program& program = facts.program();
  if (std::ranges::any_of(keeps.stores,
                          [&](ir::ValueId store) { return leave < store && StoresWhatIsRead(facts, store, value); }))
    return true;
  const auto& returns = program.functions[program.FunctionOf(leave)].returns;
  return std::ranges::any_of(returns, [&](ir::ValueId other) {
    if (other <= leave || program.ops[other].operand_count == 0 || !program.Operand(other, 0).valid()) return false;
    const ir::ValueId again = facts.Source(program.Operand(other, 0));
    if (!again.valid() || again == value) return false;
    if (IsSamePlace(facts, again, value)) return true;
    const Entry first = EntryRead(facts, value), second = EntryRead(facts, again);
    return first.mapping.valid() && second.mapping.valid() && Outlives(facts, first.mapping) &&
           IsSamePlace(facts, first.mapping, second.mapping) && IsSameKey(facts, first.key, second.key);
  });
}

const Keeps& KeepsOf(const Facts& facts, ir::FunctionId function) {
  struct Known {
    std::uint64_t facts = 0;  // serial
    std::unordered_map<ir::FunctionId, Keeps> functions;
  };
  thread_local Known known;
  if (known.facts != facts.serial()) known = {facts.serial(), {}};
  const auto [entry, is_new] = known.functions.try_emplace(function);
  Keeps& keeps = entry->second;
  if (!is_new) return keeps;
  const ir::Program& program = facts.program();
  for (const ir::BlockId block : program.functions[function].blocks) {
    for (const ir::ValueId op : program.blocks[block].ops) {
      const ir::OpKind kind = program.ops[op].kind;
      if (kind == ir::OpKind::kStoreAttr || kind == ir::OpKind::kStoreSubscript) keeps.stores.push_back(op);
    }
  }
  for (const ir::ValueId leave : program.functions[function].returns) {
    if (program.ops[leave].operand_count == 0 || !program.Operand(leave, 0).valid()) continue;
    const ir::ValueId value = facts.Source(program.Operand(leave, 0));
    if (!value.valid()) continue;
    if (!IsStoredLater(facts, keeps, leave, value)) continue;
    if (AnyTestAround(program, program.ops[leave].block,
                      [&](const Test& test, ir::GuardId) { return AsksFor(facts, test, value); }))
      keeps.returns.push_back(leave);
  }
  return keeps;
}

// `if key not in made:` and then `made[key] = ...`
bool IsNotYet(const Facts& facts, const Keeps& keeps, const Test& test) {
  const ir::Program& program = facts.program();
  const ir::Op& op = program.ops[test.id];
  const auto stores = [&](const auto& is_it) {
    return std::ranges::any_of(keeps.stores, [&](ir::ValueId store) { return test.id < store && is_it(store); });
  };
  if (op.kind != ir::OpKind::kCompare) return false;
  const auto compare = static_cast<ir::CompareOp>(op.detail);
  if (compare != ir::CompareOp::kIn && compare != ir::CompareOp::kNotIn) return false;
  if (test.holds != (compare == ir::CompareOp::kNotIn)) return false;
  const ir::ValueId key = program.Operand(test.id, 0), mapping = program.Operand(test.id, 1);
  return Outlives(facts, mapping) && stores([&](ir::ValueId store) {
           return program.ops[store].kind == ir::OpKind::kStoreSubscript && program.ops[store].operand_count == 3 &&
                  IsSamePlace(facts, program.Operand(store, 0), mapping) &&
                  IsSameKey(facts, program.Operand(store, 2), key);
         });
}

}  // namespace

bool IsKeptThere(const Facts& facts, ir::BlockId block) {
  const ir::Program& program = facts.program();
  if (program.blocks[block].ops.empty()) return false;
  const Keeps& keeps = KeepsOf(facts, program.blocks[block].function);
  if (keeps.stores.empty() && keeps.returns.empty()) return false;
  const ir::ValueId first = program.blocks[block].ops.front();
  if (std::ranges::any_of(keeps.returns, [&](ir::ValueId leave) { return leave < first; })) return true;
  return AnyTestAround(program, block, [&](const Test& test, ir::GuardId) { return IsNotYet(facts, keeps, test); });
}

}  // namespace cpnlint::analysis
