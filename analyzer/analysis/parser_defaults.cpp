#include "analyzer/analysis/parser_defaults.h"

#include <algorithm>

#include "analyzer/analysis/call_keywords.h"

namespace cpnlint::analysis {
namespace {

std::optional<std::string_view> TextAt(const ir::Program& program, ir::ValueId id) {
  if (!id.valid() || program.ops[id].kind != ir::OpKind::kStr) return std::nullopt;
  return program.String(program.ops[id]);
}

// `n_steps` of `--n-steps`
std::string AsAttribute(std::string_view option) {
  while (option.starts_with('-')) option.remove_prefix(1);
  std::string attribute(option);
  std::ranges::replace(attribute, '-', '_');
  return attribute;
}

// Without it the option is None.
bool HasValue(const ir::Program& program, ir::ValueId call, std::string_view option) {
  const ir::ValueId by_default = ArgumentNamed(program, call, "default");
  if (by_default.valid()) return program.ops[by_default].kind != ir::OpKind::kNone;
  const ir::ValueId required = ArgumentNamed(program, call, "required");
  const bool has_to_be_given = required.valid() && program.ops[required].kind == ir::OpKind::kBool;
  return has_to_be_given || !option.starts_with('-');
}

}  // namespace

bool IsAddArgument(const ir::Program& program, ir::ValueId call) {
  const ir::ValueId method = program.Operand(call, 0);
  return method.valid() && program.ops[method].kind == ir::OpKind::kAttr &&
         program.Name(program.ops[method]) == "add_argument";
}

std::string OptionName(const ir::Program& program, ir::ValueId add_argument) {
  if (const ir::ValueId stored = ArgumentNamed(program, add_argument, "dest"); stored.valid())
    return std::string(TextAt(program, stored).value_or(""));
  std::string name;  // the first long one, else the first
  for (std::uint32_t i = 1; i <= program.Shape(program.ops[add_argument]).positional; ++i) {
    const auto option = TextAt(program, program.Operand(add_argument, i));
    if (!option) return {};
    if (option->starts_with("--") || !option->starts_with('-')) return AsAttribute(*option);
    if (name.empty()) name = AsAttribute(*option);
  }
  return name;
}

Kind OptionKind(const ir::Program& program, ir::ValueId add_argument) {
  const auto option = TextAt(program, program.Operand(add_argument, 1));
  if (!option) return Kind::kUnknown;
  if (const ir::ValueId action = ArgumentNamed(program, add_argument, "action"); action.valid()) {
    const auto what = TextAt(program, action);
    if (what == "store_true" || what == "store_false") return Kind::kBool;
    if (what != "store") return Kind::kUnknown;
  }
  if (ArgumentNamed(program, add_argument, "nargs").valid() || !HasValue(program, add_argument, *option))
    return Kind::kUnknown;
  const ir::ValueId type = ArgumentNamed(program, add_argument, "type");
  if (!type.valid()) {
    const bool text = TextAt(program, ArgumentNamed(program, add_argument, "default")).has_value();
    return text ? Kind::kStr : Kind::kUnknown;
  }
  const ir::Op& op = program.ops[type];
  if (op.kind != ir::OpKind::kBuiltin) return Kind::kUnknown;
  const std::string_view name = program.Name(op);
  return name == "int" ? Kind::kInt : name == "float" ? Kind::kFloat : name == "str" ? Kind::kStr : Kind::kUnknown;
}

std::optional<std::int64_t> ParserDefault(const Facts& facts, ir::ModuleId module, std::string_view attribute) {
  const ir::Program& program = facts.program();
  std::optional<std::int64_t> most;
  for (const ir::Function& function : program.functions) {
    if (function.module != module) continue;
    for (const ir::ValueId call : function.calls) {
      if (!IsAddArgument(program, call) || OptionName(program, call) != attribute) continue;
      const auto by_default = facts.IntOf(facts.KeywordArgument(call, "default"));
      if (!by_default) return std::nullopt;
      most = std::max(most.value_or(*by_default), *by_default);
    }
  }
  return most;
}

}  // namespace cpnlint::analysis
