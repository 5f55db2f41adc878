#include "analyzer/analysis/counted_items.h"

#include <algorithm>

#include "analyzer/analysis/impl.h"

namespace cpnlint::analysis {
namespace {

constexpr std::size_t kMostArrays = 8;  // of one expression
constexpr std::int64_t kFew = 8;

bool ReadInFewPasses(const Facts& facts, ir::ValueId array) {
  const ir::Program& program = facts.program();
  bool counted = false;
  for (const ir::ValueId use : facts.DeepUsesOf(array)) {
    if (program.ops[use].kind == ir::OpKind::kStoreSubscript && facts.Source(program.Operand(use, 0)) == array)
      return false;
    if (program.ops[use].kind != ir::OpKind::kSubscript || facts.Source(program.Operand(use, 0)) != array) continue;
    const auto keys = facts.KeysOf(use);
    if (keys.size() != 1) return false;
    if (facts.IntOf(keys[0])) continue;  // `a[0]` may be the first of many
    const ir::ValueId key = facts.Source(keys[0]);
    if (!key.valid() || program.ops[key].kind != ir::OpKind::kLoopItem) return false;
    if (!facts.TripsKnownBelow(ir::LoopId(program.ops[key].payload), kFew)) return false;
    counted = true;
  }
  return counted;
}

}  // namespace

bool ItemsAreCounted(const Facts& facts, ir::ValueId array) {
  const ir::Program& program = facts.program();
  std::vector<ir::ValueId> work = {array};
  for (std::size_t i = 0; i < work.size() && i < kMostArrays; ++i) {
    const ir::ValueId made = work[i].valid() ? facts.Source(work[i]) : work[i];
    if (!made.valid() || !facts.IsArray(made) || facts.RankOf(made) > 1) continue;
    if (ReadInFewPasses(facts, made)) return true;
    const ir::OpKind kind = program.ops[made].kind;
    if (kind != ir::OpKind::kBinary && kind != ir::OpKind::kUnary && kind != ir::OpKind::kCompare) continue;
    const auto operands = program.Operands(made);
    work.insert(work.end(), operands.begin(), operands.end());
  }
  return false;
}

}  // namespace cpnlint::analysis
