#include "rules/match/only_fetches.h"

#include <algorithm>
#include <unordered_set>
#include <vector>

namespace cpnlint::rules::match {
namespace {

using analysis::HostRead;
using ir::OpKind;
using ir::ValueId;

constexpr std::size_t kMostValues = 64;  // that are made of the numbers of one loop

bool IsArithmetic(OpKind kind) { return kind == OpKind::kBinary || kind == OpKind::kUnary; }

// What Python does with its own numbers on their way into text: `round(x)`, `"%d %g" % (i, x)`, `"{}".format(x)`.
bool LeadsToText(const Facts& facts, ValueId user) {
  const OpKind kind = facts.program().ops[user].kind;
  if (kind == OpKind::kTuple || IsArithmetic(kind)) return true;
  if (kind != OpKind::kCall) return false;
  const std::string_view name = facts.CalleeOf(user).name;
  return name == "round" || name == "abs" || name == "int" || name == "float";
}

bool BecomesText(const Facts& facts, ValueId user) {
  if (facts.program().ops[user].kind == OpKind::kFormatString) return true;
  const std::string_view name = facts.CalleeOf(user).name;
  return name == "print" || name == "str" || name == "repr" || name == "format" || name == "str.format";
}

}  // namespace

bool OnlyFetches(const Facts& facts, const analysis::LoopFact& fact) {
  if (fact.accesses.empty() || fact.carried) return false;
  std::vector<ValueId> values;
  for (const analysis::LoopFact::Access& access : fact.accesses) {
    if (access.write || !facts.IsZeroD(access.op)) return false;
    values.push_back(access.op);
  }
  const std::span<const HostRead> reads = facts.HostReadsOf(facts.program().FunctionOf(values.front()));
  const auto read_as = [&](ValueId user, ValueId value) {
    return std::ranges::find_if(reads, [&](const HostRead& read) { return read.op == user && read.value == value; });
  };
  std::unordered_set<ValueId> seen(values.begin(), values.end());
  bool text = false;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i == kMostValues) return false;
    for (const ValueId user : facts.DeepUsesOf(values[i])) {
      const auto read = read_as(user, values[i]);
      const bool formats = read != reads.end() ? read->kind == HostRead::Kind::kFormat : BecomesText(facts, user);
      text = text || formats;
      if (formats) continue;
      const bool converts = read != reads.end() && read->kind == HostRead::Kind::kConversion;
      if (!converts && (read != reads.end() || !LeadsToText(facts, user))) return false;
      if (facts.HasAxis(user)) return false;
      if (seen.insert(user).second) values.push_back(user);
    }
  }
  return text;
}

}  // namespace cpnlint::rules::match
