#include "rules/match/strided_view.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "rules/match/device_call.h"
#include "rules/match/expression.h"

namespace cpnlint::rules::match {

using analysis::Key;
using analysis::KeyKind;
using ir::OpKind;
using ir::ValueId;

namespace {

// One task writes it as a whole, row by row: what is filled, put together of pieces or handed over need not be so, and
// a column of it may then lie by itself (executed on 26.6.1).
bool IsWrittenByRows(const Facts& facts, ValueId array) {
  constexpr int kDeepest = 8;
  const ir::Program& program = facts.program();
  ValueId made = facts.Source(array);
  for (int depth = 0; depth < kDeepest && made.valid() && program.ops[made].kind == OpKind::kSubscript; ++depth)
    made = facts.Source(program.Operand(made, 0));  // rows of rows; an index array makes an array of its own
  if (!made.valid()) return false;
  return IsElementwiseStep(facts, made) || AsDeviceCall(facts, made).base.starts_with("random.");
}

// The axis that is left; nothing where it is not one, or keys are no plain ones.
std::optional<int> OneAxisLeft(const Facts& facts, ValueId subscript, int rank) {
  const std::vector<Key>& keys = facts.SubscriptOf(subscript).keys;
  const auto counts = [](const Key& key) { return key.kind == KeyKind::kInteger || key.kind == KeyKind::kSlice; };
  const int given = static_cast<int>(std::ranges::count_if(keys, counts));
  std::optional<int> left;
  int axis = 0;
  const auto keep = [&](int axes) {
    if (axes == 0) return true;
    if (axes > 1 || left) return false;
    left = axis;
    return true;
  };
  for (const Key& key : keys) {
    const bool open = key.kind == KeyKind::kEllipsis;
    if (!open && !counts(key)) return {};
    if (key.kind == KeyKind::kSlice && key.step != 1) return {};
    const int axes = open ? rank - given : 1;
    if (key.kind != KeyKind::kInteger && !keep(axes)) return {};
    axis += axes;
  }
  if (!keep(rank - axis)) return {};
  return left;
}

}  // namespace

bool IsColumn(const Facts& facts, ValueId value) {
  const ir::Program& program = facts.program();
  const ValueId view = facts.Source(value);
  if (!view.valid() || program.ops[view].kind != OpKind::kSubscript || facts.RankOf(view) != 1) return false;
  const ValueId base = program.Operand(view, 0);
  const int rank = facts.RankOf(base);
  if (!facts.IsDevice(base) || rank < 2) return false;
  const std::optional<int> axis = OneAxisLeft(facts, view, rank);
  if (!axis) return false;
  const auto extent = [&](int of) { return facts.store().dims().AsConst(facts.ExtentOf(base, of)); };
  bool gaps = false;  // one element of each row, which has others
  for (int after = *axis + 1; after < rank; ++after) gaps |= extent(after) != 1;
  const auto length = facts.store().dims().AsConst(facts.ExtentOf(view, 0));
  return gaps && !(length && *length < 2) && IsWrittenByRows(facts, base);
}

bool MayBeColumn(const Facts& facts, ValueId value) {
  if (!value.valid()) return false;
  const ir::Program& program = facts.program();
  const ValueId view = facts.Source(value);
  if (!view.valid() || program.ops[view].kind != OpKind::kSubscript) return false;
  const std::vector<Key>& keys = facts.SubscriptOf(view).keys;
  return keys.size() > 1 && keys.back().kind == KeyKind::kInteger && std::ranges::none_of(keys, [](const Key& key) {
           return key.kind == KeyKind::kMask || key.kind == KeyKind::kIndexArray;
         });
}

bool ServesStridedViews(const Facts& facts, ValueId value) {
  constexpr std::size_t kMostValues = 32;
  const ir::Program& program = facts.program();
  if (program.ops[value].kind != OpKind::kAttr || program.Name(program.ops[value]) != "strides") return false;
  std::vector<ValueId> work = {value};
  bool serves = false;
  for (std::size_t i = 0; i < work.size(); ++i) {
    if (work.size() > kMostValues) return false;
    for (const ValueId use : facts.DeepUsesOf(work[i])) {
      switch (program.ops[use].kind) {
        case OpKind::kBinary:
        case OpKind::kStarred:
        case OpKind::kSubscript:
        case OpKind::kTuple:
        case OpKind::kUnpackItem:
          if (std::ranges::find(work, use) == work.end()) work.push_back(use);
          break;
        case OpKind::kCall:
          if (!facts.CalleeOf(use).name.starts_with("numpy.lib.stride_tricks.")) return false;
          serves = true;
          break;
        default: return false;
      }
    }
  }
  return serves;
}

}  // namespace cpnlint::rules::match
