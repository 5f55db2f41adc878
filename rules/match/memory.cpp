#include "rules/match/memory.h"

#include <cstdio>

namespace cpnlint::rules::match {

std::string BytesText(double bytes) {
  constexpr const char* kUnits[] = {"B", "KB", "MB", "GB", "TB", "PB", "EB"};
  std::size_t unit = 0;
  for (; bytes >= 999.5 && unit + 1 < std::size(kUnits); ++unit) bytes /= 1000;
  char text[32];
  std::snprintf(text, sizeof text, bytes >= 10 || unit == 0 ? "%.0f %s" : "%.1f %s", bytes, kUnits[unit]);
  return text;
}

namespace {

Span NameOf(const Facts& facts, ir::ValueId array) {
  const ir::Program& program = facts.program();
  for (const ir::Binding& binding : program.functions[program.FunctionOf(array)].bindings) {
    if (facts.Source(binding.value) == array) return binding.span;
  }
  return {};
}

}  // namespace

Text ArrayText(const Facts& facts, ir::ValueId array) {
  const Span name = NameOf(facts, array);
  return name.empty() ? facts.program().ops[array].span : name;
}

bool IsHeldByName(const Facts& facts, ir::ValueId array) { return !NameOf(facts, array).empty(); }

analysis::EvidenceSet SizeEvidence(const Facts& facts, ir::ValueId array) { return facts.Of(array).evidence; }

ir::ModuleId ModuleOf(const Facts& facts, ir::ValueId op) {
  const ir::Program& program = facts.program();
  return program.functions[program.FunctionOf(op)].module;
}

}  // namespace cpnlint::rules::match
