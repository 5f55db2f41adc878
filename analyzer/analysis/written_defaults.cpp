#include "analyzer/analysis/written_defaults.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "analyzer/analysis/call_keywords.h"
#include "analyzer/analysis/callee_names.h"

namespace cpnlint::analysis {
namespace {

// The method that a call names on its object; empty for other calls.
std::string_view MethodNamed(const ir::Program& program, ir::ValueId call) {
  const ir::ValueId method = program.Operand(call, 0);
  const bool named = method.valid() && program.ops[method].kind == ir::OpKind::kAttr;
  return named ? program.Name(program.ops[method]) : std::string_view();
}

// One key of one dictionary, and of those that it takes over.
class Written {
 public:
  Written(const Facts& facts, std::string_view key) : facts_(facts), program_(facts.program()), key_(key) {}

  std::optional<std::int64_t> In(ir::ValueId dict) {
    const ir::ValueId value = Find(dict, 0);
    if (!value.valid()) return std::nullopt;
    See(value);
    for (std::size_t i = 0; i < program_.ops.size() && !open_; ++i) LookAtStore(ir::ValueId(i));
    return open_ || most_ <= 0 ? std::nullopt : std::optional(most_);
  }

 private:
  // What is written under the key, of several the last; None() where nothing is.
  // NOLINTNEXTLINE(misc-no-recursion): `depth` bounds it
  ir::ValueId Find(ir::ValueId dict, int depth) {
    constexpr int kDeepest = 6;
    const ir::ValueId root = RootOf(dict);
    if (!root.valid() || depth > kDeepest) return {};
    if (std::ranges::find(roots_, root) == roots_.end()) roots_.push_back(root);
    const ir::Op& op = program_.ops[root];
    const std::span<const ir::ValueId> operands = program_.Operands(root);
    if (op.kind == ir::OpKind::kBinary) {  // a | b
      const ir::ValueId later = Find(operands[1], depth + 1), earlier = Find(operands[0], depth + 1);
      return later.valid() ? later : earlier;
    }
    if (op.kind == ir::OpKind::kCall) {  // dict(other, steps=500)
      const ir::ValueId named = ArgumentNamed(program_, root, key_), first = program_.Operand(root, 1);
      return named.valid() || !first.valid() ? named : Find(first, depth + 1);
    }
    ir::ValueId found;
    for (std::size_t i = 0; op.kind == ir::OpKind::kDict && i + 1 < operands.size(); i += 2) {
      const ir::ValueId here = !operands[i].valid()                 ? Find(operands[i + 1], depth + 1)
                               : facts_.TextOf(operands[i]) == key_ ? operands[i + 1]
                                                                    : ir::ValueId::None();
      if (here.valid()) found = here;
    }
    return found;
  }

  ir::ValueId RootOf(ir::ValueId dict) const {
    if (!dict.valid()) return {};
    const Value& value = facts_.Of(dict);
    return value.kind == Kind::kDict ? value.root : ir::ValueId::None();
  }

  bool IsOneOfThem(ir::ValueId dict) const {
    const ir::ValueId root = RootOf(dict);
    return root.valid() && std::ranges::find(roots_, root) != roots_.end();
  }

  // `settings["steps"] = n`, `settings.update(steps=n)`
  void LookAtStore(ir::ValueId id) {
    const ir::Op& op = program_.ops[id];
    if (op.kind == ir::OpKind::kStoreSubscript) {
      if (IsOneOfThem(program_.Operand(id, 0)) && facts_.TextOf(program_.Operand(id, 2)) == key_)
        See(program_.Operand(id, 1));
      return;
    }
    if (op.kind != ir::OpKind::kCall || MethodNamed(program_, id) != "update") return;
    if (!IsOneOfThem(program_.Operand(program_.Operand(id, 0), 0))) return;
    See(ArgumentNamed(program_, id, key_));
    if (program_.Shape(op).positional == 1 && !IsOneOfThem(program_.Operand(id, 1)))
      See(Find(program_.Operand(id, 1), 0));
  }

  void See(ir::ValueId value) {
    if (!value.valid()) return;
    const std::optional<std::int64_t> number = facts_.IntOf(value);
    open_ = open_ || !number;
    if (number) most_ = std::max(most_, *number);
  }

  const Facts& facts_;
  const ir::Program& program_;
  const std::string_view key_;
  std::vector<ir::ValueId> roots_;  // where the dictionaries are made
  std::int64_t most_ = 0;
  bool open_ = false;  // something is stored that is no number which stands there
};

}  // namespace

std::optional<std::int64_t> WrittenDefault(const Facts& facts, ir::ValueId lookup) {
  const ir::Program& program = facts.program();
  const ir::Op& op = program.ops[lookup];
  ir::ValueId dict;
  if (op.kind == ir::OpKind::kSubscript && op.operand_count == 2) dict = program.Operand(lookup, 0);
  if (op.kind == ir::OpKind::kCall && IsOneOf(MethodNamed(program, lookup), {"get", "pop", "setdefault"}))
    dict = program.Operand(program.Operand(lookup, 0), 0);
  const ir::ValueId key = dict.valid() ? program.Operand(lookup, 1) : ir::ValueId::None();
  if (!key.valid() || facts.Of(dict).kind != Kind::kDict) return std::nullopt;
  const std::optional<std::string_view> text = facts.TextOf(key);
  return text ? Written(facts, *text).In(dict) : std::nullopt;
}

}  // namespace cpnlint::analysis
