#include "rules/match/stored_items.h"

namespace cpnlint::rules::match {

using analysis::Facts;
using analysis::Kind;
using analysis::Value;
using ir::OpKind;

namespace {

constexpr int kMostLevels = 3;  // of lists in lists

struct Seen {
  bool objects = false, texts = false, arrays = false, lists = false, numbers = false, none = false;
};

void Look(const Facts& facts, const Value& value, int level, Seen& seen) {
  switch (value.kind) {
    case Kind::kStr:
    case Kind::kBytes: seen.texts = true; return;
    case Kind::kNone: seen.none = true; return;
    case Kind::kInstance:
    case Kind::kForeign:
    case Kind::kFunction:
    case Kind::kClass:
    case Kind::kDict:
    case Kind::kSet: seen.objects = true; return;
    case Kind::kArray: seen.arrays |= analysis::Rank(facts.store(), value) != 0; return;
    case Kind::kList:
    case Kind::kTuple: break;
    default: seen.numbers |= analysis::IsNumber(value.kind) || value.kind == Kind::kNumpyScalar; return;
  }
  Seen inside;
  const analysis::ElementsId held = value.elements.valid() ? value.elements : value.item;
  if (held.valid() && level < kMostLevels) {
    for (const Value& element : facts.store().Get(held)) Look(facts, element, level + 1, inside);
  }
  seen.arrays |= inside.arrays;
  seen.lists |= inside.lists || (level > 0 && (!inside.none || inside.numbers));
  seen.objects |= inside.objects;
  seen.texts |= inside.texts;
  seen.numbers |= inside.numbers;
  seen.none |= inside.none;
}

}  // namespace

StoredItems StoredItemsOf(const Facts& facts, ir::ValueId array, ir::ValueId content) {
  const ir::Program& program = facts.program();
  Seen seen;
  if (content.valid()) Look(facts, facts.Of(content), 0, seen);
  if (const ir::ValueId root = facts.RootOf(array); root.valid()) {
    for (const ir::ValueId write : facts.MutationsOf(root)) {
      if (program.ops[write].kind == OpKind::kStoreSubscript) Look(facts, facts.Of(program.Operand(write, 1)), 1, seen);
    }
  }
  if (seen.objects) return StoredItems::kObjects;
  if (seen.texts) return StoredItems::kTexts;
  if (seen.arrays) return StoredItems::kRows;
  if (seen.none && seen.numbers) return StoredItems::kNumbersOrNone;
  if (seen.lists) return StoredItems::kRows;
  return seen.none ? StoredItems::kNone : StoredItems::kUnknown;
}

}  // namespace cpnlint::rules::match
