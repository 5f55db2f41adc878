#include "analyzer/analysis/slot_values.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <unordered_map>

#include "analyzer/analysis/call_path.h"
#include "analyzer/analysis/callee_names.h"

namespace cpnlint::analysis {
namespace {

constexpr std::size_t kMostContainers = 16;
constexpr std::size_t kMostValues = 32;
constexpr int kDeepest = 4;     // containers that are handed on
constexpr int kMostInside = 2;  // containers in containers

bool IsContainer(Kind kind) { return kind == Kind::kDict || kind == Kind::kList || kind == Kind::kTuple; }

// Where containers are changed after they were made, by the op that made them; None() of one of several.
struct Changes {
  std::uint64_t facts = 0;  // serial
  std::unordered_map<ir::ValueId, std::vector<ir::ValueId>> of;
};

const Changes& ChangesOf(const Facts& facts) {
  thread_local Changes changes;
  if (changes.facts == facts.serial()) return changes;
  changes = {facts.serial(), {}};
  const ir::Program& program = facts.program();
  for (std::size_t i = 0; i < program.ops.size(); ++i) {
    const ir::ValueId id(i);
    const ir::Op& op = program.ops[id];
    ir::ValueId changed;
    if (op.kind == ir::OpKind::kStoreSubscript || op.kind == ir::OpKind::kCollectItem ||
        op.kind == ir::OpKind::kInplaceBinary) {
      changed = program.Operand(id, 0);
    } else if (op.kind == ir::OpKind::kCall && program.ops[program.Operand(id, 0)].kind == ir::OpKind::kAttr) {
      changed = program.Operand(program.Operand(id, 0), 0);
    }
    if (!changed.valid()) continue;
    const Value& container = facts.Of(changed);
    if (IsContainer(container.kind)) changes.of[container.root].push_back(id);
  }
  return changes;
}

std::optional<std::vector<ir::ValueId>> ValuesOf(const Facts& facts, ir::ValueId read, int inside);

class Slot {
 public:
  Slot(const Facts& facts, ir::ValueId key, int inside)
      : facts_(facts), program_(facts.program()), key_(key), inside_(inside) {}

  // What a container holds there, which `value` is.
  // NOLINTNEXTLINE(misc-no-recursion): `depth` bounds it
  [[nodiscard]] bool Of(ir::ValueId value, int depth) {
    if (!value.valid() || depth > kDeepest) return false;
    value = facts_.Source(value);
    if (std::ranges::find(seen_, value) != seen_.end()) return true;
    if (seen_.size() == kMostContainers) return false;
    seen_.push_back(value);
    switch (program_.ops[value].kind) {
      case ir::OpKind::kDict:
      case ir::OpKind::kList:
      case ir::OpKind::kTuple: return OfDisplay(value, depth) && OfChanges(value, depth);
      case ir::OpKind::kCollection: return OfChanges(value, depth);
      case ir::OpKind::kCall: return OfCall(value, depth);
      case ir::OpKind::kParam: return OfParam(value, depth);
      case ir::OpKind::kPhi: return OfAll(program_.Operands(value), depth);
      case ir::OpKind::kLoadCell: return OfStores(value, depth);
      case ir::OpKind::kSubscript: {  // a container in another
        const auto held = ValuesOf(facts_, value, inside_ + 1);
        return held && OfAll(*held, depth + 1);
      }
      default: return false;
    }
  }

  [[nodiscard]] std::vector<ir::ValueId> Take() { return std::move(values_); }

 private:
  // NOLINTNEXTLINE(misc-no-recursion)
  [[nodiscard]] bool OfAll(std::span<const ir::ValueId> containers, int depth) {
    // NOLINTNEXTLINE(misc-no-recursion)
    return std::ranges::all_of(containers, [&](ir::ValueId one) { return Of(one, depth + 1); });
  }

  [[nodiscard]] bool Add(ir::ValueId value) {
    if (!value.valid() || values_.size() == kMostValues) return false;
    if (std::ranges::find(values_, value) == values_.end()) values_.push_back(value);
    return true;
  }

  // Both keys are known, and they are not the same.
  [[nodiscard]] bool IsOther(ir::ValueId key) const {
    const auto text = facts_.TextOf(key), asked = facts_.TextOf(key_);
    if (text && asked) return *text != *asked;
    const auto number = facts_.IntOf(key), wanted = facts_.IntOf(key_);
    // Counted from one end both.
    if (number && wanted) return *number != *wanted && (*number < 0) == (*wanted < 0);
    return (text && wanted) || (number && asked);
  }

  // NOLINTNEXTLINE(misc-no-recursion)
  [[nodiscard]] bool OfDisplay(ir::ValueId display, int depth) {
    const auto held = program_.Operands(display);
    if (program_.ops[display].kind == ir::OpKind::kDict) {
      for (std::size_t i = 0; i + 1 < held.size(); i += 2) {
        if (!held[i].valid() ? !Of(held[i + 1], depth + 1) : !IsOther(held[i]) && !Add(held[i + 1])) return false;
      }
      return true;
    }
    if (std::ranges::any_of(held, [&](ir::ValueId one) { return program_.ops[one].kind == ir::OpKind::kStarred; }))
      return false;
    auto index = facts_.IntOf(key_);
    if (index && *index < 0) *index += static_cast<std::int64_t>(held.size());
    if (!index) return std::ranges::all_of(held, [&](ir::ValueId one) { return Add(one); });
    const bool there = *index >= 0 && *index < static_cast<std::int64_t>(held.size());
    return !there || Add(held[static_cast<std::size_t>(*index)]);
  }

  // `dict(a=x)`, `dict(other)`, `{}.copy()`, `make(x)`
  // NOLINTNEXTLINE(misc-no-recursion)
  [[nodiscard]] bool OfCall(ir::ValueId call, int depth) {
    const Callee& callee = facts_.CalleeOf(call);
    if (callee.kind == Callee::Kind::kLocal) {
      const ir::Function& function = program_.functions[callee.function];
      if (function.is_generator || function.is_async || function.returns.empty()) return false;
      // NOLINTNEXTLINE(misc-no-recursion)
      return std::ranges::all_of(function.returns, [&](ir::ValueId leave) {
        return program_.ops[leave].operand_count != 0 && Of(program_.Operand(leave, 0), depth + 1);
      });
    }
    if (!IsBuiltin(callee, {"dict", "list", "tuple"}) || facts_.PositionalCount(call) > 1) return false;
    const ir::CallShape& shape = program_.Shape(program_.ops[call]);
    if (shape.positional == 1 && !Of(program_.Operand(call, 1), depth + 1)) return false;
    const auto asked = facts_.TextOf(key_);
    for (std::size_t i = 0; i < shape.keywords.size(); ++i) {
      const ir::ValueId given = program_.Operand(call, static_cast<std::uint32_t>(1 + shape.positional + i));
      if (!shape.keywords[i].valid()) return false;
      if ((!asked || *asked == program_.names.Text(shape.keywords[i])) && !Add(given)) return false;
    }
    return OfChanges(call, depth);
  }

  // NOLINTNEXTLINE(misc-no-recursion)
  [[nodiscard]] bool OfParam(ir::ValueId param, int depth) {
    const std::vector<Handed> all = AllHandedOver(facts_, param);
    // NOLINTNEXTLINE(misc-no-recursion)
    return !all.empty() &&
           std::ranges::all_of(all, [&](const Handed& handed) { return handed.known && Of(handed.value, depth + 1); });
  }

  // NOLINTNEXTLINE(misc-no-recursion)
  [[nodiscard]] bool OfStores(ir::ValueId load, int depth) {
    const ir::Cell& cell = program_.cells[ir::CellId(program_.ops[load].payload)];
    // NOLINTNEXTLINE(misc-no-recursion)
    return !cell.stores.empty() && std::ranges::all_of(cell.stores, [&](ir::ValueId store) {
      return Of(program_.Operand(store, 0), depth + 1);
    });
  }

  // NOLINTNEXTLINE(misc-no-recursion)
  [[nodiscard]] bool OfChanges(ir::ValueId container, int depth) {
    const Changes& changes = ChangesOf(facts_);
    // NOLINTNEXTLINE(misc-no-recursion)
    return std::ranges::all_of(std::to_array({container, ir::ValueId::None()}), [&](ir::ValueId made) {
      const auto found = changes.of.find(made);
      // NOLINTNEXTLINE(misc-no-recursion)
      return found == changes.of.end() ||
             std::ranges::all_of(found->second, [&](ir::ValueId change) { return OfChange(change, depth); });
    });
  }

  // NOLINTNEXTLINE(misc-no-recursion)
  [[nodiscard]] bool OfChange(ir::ValueId change, int depth) {
    const ir::Op& op = program_.ops[change];
    switch (op.kind) {
      case ir::OpKind::kStoreSubscript: return IsOther(program_.Operand(change, 2)) || Add(program_.Operand(change, 1));
      case ir::OpKind::kCollectItem: {
        const bool keyed = op.operand_count == 3;
        return (keyed && IsOther(program_.Operand(change, 1))) || Add(program_.Operand(change, op.operand_count - 1));
      }
      case ir::OpKind::kCall: break;
      default: return false;
    }
    const std::string_view method = program_.Name(program_.ops[program_.Operand(change, 0)]);
    // Where an item was, there is another one.
    const bool moves = IsOneOf(method, {"clear", "extend", "insert", "pop", "remove", "reverse", "sort"});
    if (moves && facts_.IntOf(key_)) return false;
    if (method == "append") return Add(program_.Operand(change, 1));
    if (method == "update" || method == "extend") {
      return facts_.PositionalCount(change) == 1 && program_.Shape(op).keywords.empty() &&
             Of(program_.Operand(change, 1), depth + 1);
    }
    return IsOneOf(method, {"items", "values", "keys", "get", "pop", "popitem", "copy", "clear", "remove", "index",
                            "count", "reverse", "sort"});
  }

  const Facts& facts_;
  const ir::Program& program_;
  ir::ValueId key_;
  int inside_;
  std::vector<ir::ValueId> seen_, values_;
};

// NOLINTNEXTLINE(misc-no-recursion): `inside` bounds it
std::optional<std::vector<ir::ValueId>> ValuesOf(const Facts& facts, ir::ValueId read, int inside) {
  const ir::Program& program = facts.program();
  const ir::Op& op = program.ops[read];
  if (op.kind != ir::OpKind::kSubscript || op.operand_count != 2 || inside > kMostInside) return std::nullopt;
  const ir::ValueId container = program.Operand(read, 0);
  if (!IsContainer(facts.Of(container).kind) || facts.Of(program.Operand(read, 1)).kind == Kind::kSlice)
    return std::nullopt;
  Slot slot(facts, program.Operand(read, 1), inside);
  if (!slot.Of(container, 0)) return std::nullopt;
  std::vector<ir::ValueId> values = slot.Take();
  return values.empty() ? std::nullopt : std::optional(std::move(values));
}

}  // namespace

std::optional<std::vector<ir::ValueId>> SlotValues(const Facts& facts, ir::ValueId read) {
  return ValuesOf(facts, read, 0);
}

}  // namespace cpnlint::analysis
