#include "rules/match/array_class.h"

#include <algorithm>

namespace cpnlint::rules::match {

using analysis::Facts;
using analysis::Kind;

namespace {

bool DerivesFromArray(const Facts& facts, const ir::Class& record) {
  if (!record.made_by.valid()) return false;
  return std::ranges::any_of(facts.program().Operands(record.made_by),
                             [&](ir::ValueId base) { return facts.ApiName(base) == "numpy.ndarray"; });
}

// What NumPy makes a plain array of, of whatever classes there are.
bool IsNoObject(const analysis::Value& value) {
  return analysis::IsNumber(value.kind) || value.kind == Kind::kStr || value.kind == Kind::kList ||
         value.kind == Kind::kTuple || value.kind == Kind::kNone;
}

}  // namespace

std::string_view ArrayClassOf(const Facts& facts, ir::ValueId value, ir::ModuleId module) {
  const ir::Program& program = facts.program();
  const analysis::Value& known = facts.Of(value);
  if (IsNoObject(known)) return {};
  if (known.kind == Kind::kArray && known.class_id.valid())
    return program.names.Text(program.classes[known.class_id].name);
  std::string_view elsewhere;  // one with a name for others before one without
  for (std::size_t i = 0; i < program.classes.size(); ++i) {
    const ir::Class& record = program.classes[ir::ClassId(i)];
    if (!DerivesFromArray(facts, record)) continue;
    if (record.module == module) return program.names.Text(record.name);
    if (elsewhere.empty() || elsewhere.starts_with('_')) elsewhere = program.names.Text(record.name);
  }
  return elsewhere;
}

}  // namespace cpnlint::rules::match
