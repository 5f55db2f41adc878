#include "analyzer/analysis/parser_defaults.h"

#include <algorithm>

namespace cpnlint::analysis {
namespace {

// `--n-steps` and `n_steps`
bool Names(std::string_view option, std::string_view attribute) {
  while (option.starts_with('-')) option.remove_prefix(1);
  return std::ranges::equal(option, attribute, [](char a, char b) { return (a == '-' ? '_' : a) == b; });
}

bool AddsOption(const Facts& facts, ir::ValueId call, std::string_view attribute) {
  const ir::Program& program = facts.program();
  if (!IsAddArgument(program, call)) return false;
  if (const ir::ValueId stored = facts.KeywordArgument(call, "dest"); stored.valid())
    return facts.TextOf(stored) == attribute;
  for (std::size_t i = 0; i < facts.PositionalCount(call); ++i) {
    const auto option = facts.TextOf(program.Operand(call, static_cast<std::uint32_t>(1 + i)));
    if (option && Names(*option, attribute)) return true;
  }
  return false;
}

}  // namespace

bool IsAddArgument(const ir::Program& program, ir::ValueId call) {
  const ir::ValueId method = program.Operand(call, 0);
  return method.valid() && program.ops[method].kind == ir::OpKind::kAttr &&
         program.Name(program.ops[method]) == "add_argument";
}

std::optional<std::int64_t> ParserDefault(const Facts& facts, ir::ModuleId module, std::string_view attribute) {
  const ir::Program& program = facts.program();
  std::optional<std::int64_t> most;
  for (const ir::Function& function : program.functions) {
    if (function.module != module) continue;
    for (const ir::ValueId call : function.calls) {
      if (!AddsOption(facts, call, attribute)) continue;
      const auto by_default = facts.IntOf(facts.KeywordArgument(call, "default"));
      if (!by_default) return std::nullopt;
      most = std::max(most.value_or(*by_default), *by_default);
    }
  }
  return most;
}

}  // namespace cpnlint::analysis
