#include "rules/match/short_mask.h"

#include <algorithm>

#include "analyzer/analysis/least_rank.h"
#include "rules/match/rewrite.h"
#include "rules/match/same_expression.h"

namespace cpnlint::rules::match {

using ir::OpKind;
using ir::ValueId;

namespace {

// The axes that a mask takes which is the whole key, an array of any library or a list; 0 for other keys, and for masks
// of unknown rank.
int AxesOfMask(const Facts& facts, ValueId op) {
  const auto& keys = facts.SubscriptOf(op).keys;
  const bool mask = keys.size() == 1 && keys[0].kind == analysis::KeyKind::kMask;
  return mask ? std::max(keys[0].mask_rank, 0) : 0;
}

bool IsOneElement(const Facts& facts, ValueId value) {
  if (!value.valid()) return false;
  if (IsScalar(facts, value)) return true;
  return facts.IsArray(value) && facts.store().dims().AsConst(facts.VolumeOf(value)) == 1;
}

// Nothing is written where there is nothing to write to, and then nothing is compared.
bool MayBeEmpty(const Facts& facts, ValueId array) {
  for (int axis = 0; axis < facts.RankOf(array); ++axis) {
    if (facts.store().dims().AsConst(facts.ExtentOf(array, axis)) == 0) return true;
  }
  return false;
}

}  // namespace

bool WritesOneValueThroughShortMask(const Facts& facts, ValueId op) {
  const ir::Program& program = facts.program();
  const ir::Op& it = program.ops[op];
  if (it.kind != OpKind::kStoreSubscript || (it.flags & ir::kAugmented) != 0) return false;
  const ValueId array = program.Operand(op, 0);
  const auto keys = facts.KeysOf(op);
  if (keys.size() != 1 || !facts.IsDevice(array)) return false;
  const int axes = AxesOfMask(facts, op);
  if (axes == 0 || analysis::LeastRank(facts, array, op) <= axes) return false;
  return IsOneElement(facts, program.Operand(op, 1)) && !MayBeEmpty(facts, array) && !MayBeEmpty(facts, keys[0]);
}

Text WithAllAxes(const Facts& facts, ValueId op) {
  const ir::Program& program = facts.program();
  const ValueId array = program.Operand(op, 0);
  const int rank = facts.RankOf(array), axes = AxesOfMask(facts, op);
  Text code;
  code.Add(program.OperandSpan(op, 0), Binding::kPrimary).Add("[").Add(program.OperandSpan(op, 2));
  const bool known = rank >= 0 || axes == 1;  // beside an Ellipsis a mask of more axes raises
  if (rank < 0) code.Add(", ...");
  for (int axis = axes; axis < rank; ++axis) code.Add(", :");
  code.Add("] = ").Add(program.OperandSpan(op, 1));
  if (!known || !IsShownWhole(code)) return "give the key a `:` for each axis that the mask lacks, `[mask, :]`";
  return Text("write `").Add(code).Add("`");
}

}  // namespace cpnlint::rules::match
