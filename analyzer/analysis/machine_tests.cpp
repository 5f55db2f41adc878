#include "analyzer/analysis/machine_tests.h"

#include <algorithm>
#include <string>
#include <vector>

namespace cpnlint::analysis {
namespace {

using ir::OpKind;

std::string_view NamedMachine(std::string_view dotted) {
  if (dotted == "sys.implementation.name") return "cpython";
  if (dotted == "sys.platform") return "linux";
  if (dotted == "os.name") return "posix";
  return {};
}

std::string_view CalledMachine(std::string_view dotted) {
  if (dotted == "platform.python_implementation") return "CPython";
  if (dotted == "platform.system") return "Linux";
  return {};
}

// There are wheels for macOS, too (26.6.1).
std::string_view OtherMachine(std::string_view text) {
  if (text == "linux") return "darwin";
  return text == "Linux" ? "Darwin" : text;
}

// The object of `.lower()`, `.startswith(x)`; None() for other calls.
ir::ValueId ObjectOfMethod(const ir::Program& program, ir::ValueId call, std::string_view method,
                           std::uint32_t arguments) {
  if (program.ops[call].kind != OpKind::kCall || program.ops[call].operand_count != arguments + 1) return {};
  const ir::ValueId called = program.Operand(call, 0);
  const bool named =
      called.valid() && program.ops[called].kind == OpKind::kAttr && program.Name(program.ops[called]) == method;
  return named ? program.Operand(called, 0) : ir::ValueId::None();
}

// What the value is on every machine that cuPyNumeric runs on; empty for what is no such text.
std::string TextOfMachine(const Facts& facts, ir::ValueId value) {
  const ir::Program& program = facts.program();
  value = value.valid() ? facts.Source(value) : value;
  if (!value.valid()) return {};
  const ir::ValueId before = ObjectOfMethod(program, value, "lower", 0);
  if (before.valid()) {
    std::string text = TextOfMachine(facts, before);
    std::ranges::transform(text, text.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return text;
  }
  if (program.ops[value].kind == OpKind::kCall && program.ops[value].operand_count == 1)
    return std::string(CalledMachine(facts.program().names.Text(facts.Of(program.Operand(value, 0)).name)));
  return std::string(NamedMachine(facts.ApiName(value)));
}

// The texts of a constant, or of a display of them; nullopt where one is not known.
std::optional<std::vector<std::string_view>> TextsOf(const Facts& facts, ir::ValueId value) {
  const ir::Program& program = facts.program();
  value = value.valid() ? facts.Source(value) : value;
  if (!value.valid()) return std::nullopt;
  if (const auto text = facts.TextOf(value)) return std::vector{*text};
  const OpKind kind = program.ops[value].kind;
  if (kind != OpKind::kTuple && kind != OpKind::kList && kind != OpKind::kSet) return std::nullopt;
  std::vector<std::string_view> texts;
  for (const ir::ValueId item : program.Operands(value)) {
    const auto text = facts.TextOf(item);
    if (!text) return std::nullopt;
    texts.push_back(*text);
  }
  return texts;
}

}  // namespace

std::optional<bool> ComesOutOnMachine(const Facts& facts, ir::ValueId test) {
  const ir::Program& program = facts.program();
  if (const ir::ValueId object = ObjectOfMethod(program, test, "startswith", 1); object.valid()) {
    const std::string text = TextOfMachine(facts, object);
    const auto beginnings = text.empty() ? std::nullopt : TextsOf(facts, program.Operand(test, 1));
    if (!beginnings) return std::nullopt;
    const auto begins = [&](std::string_view machine) {
      return std::ranges::any_of(*beginnings,
                                 [&](std::string_view beginning) { return machine.starts_with(beginning); });
    };
    return begins(text) == begins(OtherMachine(text)) ? std::optional(begins(text)) : std::nullopt;
  }
  if (program.ops[test].kind != OpKind::kCompare) return std::nullopt;
  const auto compare = static_cast<ir::CompareOp>(program.ops[test].detail);
  const bool equal = compare == ir::CompareOp::kEq || compare == ir::CompareOp::kIn;
  if (!equal && compare != ir::CompareOp::kNe && compare != ir::CompareOp::kNotIn) return std::nullopt;
  const std::string text = TextOfMachine(facts, program.Operand(test, 0));
  const ir::ValueId other = program.Operand(test, 1);
  const auto texts = text.empty() ? std::nullopt : TextsOf(facts, other);
  if (!texts) return std::nullopt;
  const bool display = !facts.TextOf(other);
  const bool in = compare == ir::CompareOp::kIn || compare == ir::CompareOp::kNotIn;
  if (in != display) return std::nullopt;  // `"win" in sys.platform` is another question
  const auto is_one = [&](std::string_view machine) { return (std::ranges::count(*texts, machine) > 0) == equal; };
  return is_one(text) == is_one(OtherMachine(text)) ? std::optional(is_one(text)) : std::nullopt;
}

}  // namespace cpnlint::analysis
