#include "rules/match/extent.h"

#include <algorithm>
#include <unordered_set>
#include <vector>

#include "rules/match/expression.h"

namespace cpnlint::rules::match {

using analysis::Callee;
using analysis::Facts;
using ir::OpKind;

namespace {

constexpr std::size_t kMostValues = 100;

// The values that the items of `id` come from; false where they may come from elsewhere.
bool AddOrigins(const Facts& facts, ir::ValueId id, std::vector<ir::ValueId>& work) {
  const ir::Program& program = facts.program();
  if (program.ops[id].kind == OpKind::kCall && facts.CalleeOf(id).kind == Callee::Kind::kLocal) {
    const ir::Function& function = program.functions[facts.CalleeOf(id).function];
    if (function.is_generator || function.is_async || function.returns.empty()) return false;
    for (const ir::ValueId result : function.returns) {
      const ir::ValueId value = program.Operand(result, 0);
      if (!value.valid()) return false;
      work.push_back(value);
    }
    return true;
  }
  if (!IsElementwise(facts, id)) return false;
  const std::uint32_t first = program.ops[id].kind == OpKind::kCall ? 1 : 0;
  const std::uint32_t end =
      first == 1 ? 1 + static_cast<std::uint32_t>(facts.PositionalCount(id)) : program.ops[id].operand_count;
  bool found = false;
  for (std::uint32_t i = first; i < end; ++i) {
    const ir::ValueId operand = program.Operand(id, i);
    if (!operand.valid() || analysis::IsNumber(facts.Of(operand).kind) || facts.IsZeroD(operand)) continue;
    if (!ItemsOf(facts, operand)) {
      // Nothing is known of it, and it is taken to fit; an array with more axes would decide.
      if (facts.RankOf(operand) >= 1) return false;
      continue;
    }
    work.push_back(operand);
    found = true;
  }
  return found;
}

}  // namespace

std::optional<std::int64_t> ItemsOf(const Facts& facts, ir::ValueId array) {
  std::vector<ir::ValueId> work = {array};
  std::unordered_set<ir::ValueId> seen;
  std::optional<std::int64_t> most;
  while (!work.empty()) {
    const ir::ValueId next = work.back();
    work.pop_back();
    if (!next.valid() || seen.size() > kMostValues) return std::nullopt;
    if (!seen.insert(next).second) continue;
    if (const auto items = facts.store().dims().AsConst(facts.ExtentOf(next, 0))) {
      most = std::max(most.value_or(0), *items);
    } else if (!AddOrigins(facts, facts.Source(next), work)) {
      return std::nullopt;
    }
  }
  return most;
}

bool HasAxis(const Facts& facts, ir::ValueId array) {
  if (!facts.IsArray(array)) return false;
  if (facts.RankOf(array) >= 0) return facts.RankOf(array) >= 1;
  const ir::ValueId source = facts.Source(array);
  if (facts.program().ops[source].kind != OpKind::kSubscript) return false;
  const auto keys = facts.KeysOf(source);
  return std::any_of(keys.begin(), keys.end(), [&](ir::ValueId key) {
    return key.valid() && facts.program().ops[key].kind == OpKind::kSlice;
  });
}

}  // namespace cpnlint::rules::match
