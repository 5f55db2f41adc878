#include "rules/match/ellipsis_mask.h"

#include <optional>

#include "analyzer/analysis/model.h"
#include "rules/match/rewrite.h"

namespace cpnlint::rules::match {

using analysis::Key;
using analysis::KeyKind;
using ir::OpKind;
using ir::ValueId;

namespace {

// How many axes the Ellipsis stands for; nothing where that is not known or not executed beside such a mask.
std::optional<int> AxesOfEllipsis(const Facts& facts, ValueId op) {
  int left = facts.RankOf(facts.program().Operand(op, 0));
  if (left < 0) return std::nullopt;
  for (const Key& key : facts.SubscriptOf(op).keys) {
    switch (key.kind) {
      case KeyKind::kEllipsis: break;
      case KeyKind::kSlice:
      case KeyKind::kInteger: left -= 1; break;
      case KeyKind::kMask:
        if (key.mask_rank < 1) return std::nullopt;
        left -= key.mask_rank;
        break;
      default: return std::nullopt;  // beside a new axis such a mask raises as well
    }
  }
  return left >= 0 ? std::optional(left) : std::nullopt;
}

}  // namespace

ValueId MaskBesideEllipsis(const Facts& facts, ValueId op) {
  const ir::Program& program = facts.program();
  const OpKind kind = program.ops[op].kind;
  if (kind != OpKind::kSubscript && kind != OpKind::kStoreSubscript) return {};
  if (!facts.IsDevice(program.Operand(op, 0))) return {};
  const auto values = facts.KeysOf(op);
  const auto& keys = facts.SubscriptOf(op).keys;
  if (keys.size() != values.size()) return {};
  ValueId mask;
  bool ellipsis = false;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    ellipsis = ellipsis || keys[i].kind == KeyKind::kEllipsis;
    if (keys[i].kind == KeyKind::kMask && keys[i].mask_rank >= 2) mask = values[i];
  }
  return ellipsis ? mask : ValueId::None();
}

Text WithoutEllipsis(const Facts& facts, ValueId op) {
  const Text general = "write a `:` for each axis that the `...` stands for, `u[:, :, mask]`";
  const ir::Program& program = facts.program();
  const std::optional<int> axes = AxesOfEllipsis(facts, op);
  const auto& keys = facts.SubscriptOf(op).keys;
  const std::uint32_t first = program.ops[op].kind == OpKind::kStoreSubscript ? 2 : 1;
  if (!axes || program.ops[op].operand_count != first + keys.size()) return general;
  Text code;
  code.Add(program.OperandSpan(op, 0), Binding::kPrimary).Add("[");
  const char* between = "";
  const auto add = [&](const Text& key) {
    code.Add(between).Add(key);
    between = ", ";
  };
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (keys[i].kind != KeyKind::kEllipsis) {
      add(program.OperandSpan(op, first + static_cast<std::uint32_t>(i)));
      continue;
    }
    for (int axis = 0; axis < *axes; ++axis) add(":");
  }
  code.Add("]");
  return IsShownWhole(code) ? Text("write `").Add(code).Add("`") : general;
}

}  // namespace cpnlint::rules::match
