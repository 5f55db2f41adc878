#include "rules/engine/library_name.h"

#include <algorithm>

namespace cpnlint::rules {

std::string LibraryName(const analysis::Facts& facts, ir::ModuleId module) {
  const ir::Program& program = facts.program();
  std::string name;
  for (const ir::Binding& binding : program.functions[program.modules[module].body].bindings) {
    if (!binding.value.valid()) continue;
    const ir::Op& op = program.ops[binding.value];
    if (op.kind != ir::OpKind::kImport || facts.ApiName(binding.value) != "numpy") continue;
    if (facts.Of(binding.value).library != analysis::Library::kDevice) continue;
    const std::string_view bound = program.names.Text(binding.name);
    if (bound == "np" || (!name.empty() && name != bound)) return "np";
    name = bound;
  }
  return name.empty() ? "np" : name;
}

// The value of a binding is all of the library, by whatever name.
static bool IsLibrary(const analysis::Facts& facts, ir::ValueId value) {
  return value.valid() && facts.program().ops[value].kind == ir::OpKind::kImport && facts.ApiName(value) == "numpy";
}

static bool IsTakenOut(const analysis::Facts& facts, ir::ValueId value) {
  return value.valid() && facts.program().ops[value].kind == ir::OpKind::kImport &&
         facts.Of(value).library == analysis::Library::kDevice && facts.ApiName(value).starts_with("numpy.");
}

std::string MissingImport(const analysis::Facts& facts, ir::ModuleId module) {
  const ir::Program& program = facts.program();
  const ir::Module& here = program.modules[module];
  bool taken = std::ranges::any_of(here.star_imports, [&](Symbol star) {
    return program.names.Text(star) == "numpy" || program.names.Text(star) == "cupynumeric";
  });
  for (std::uint32_t i = here.first_function.index(); i < here.end_function.index(); ++i) {
    for (const ir::Binding& binding : program.functions[ir::FunctionId(i)].bindings) {
      if (IsLibrary(facts, binding.value)) return {};
      taken = taken || IsTakenOut(facts, binding.value);
    }
  }
  if (!taken) return {};
  return facts.IsPorted(module) ? "import cupynumeric as np" : "import numpy as np";
}

void SayImport(Text& help, std::string_view import) {
  if (import.empty()) return;
  bool device = false, host = false, said = false;
  for (const Text::Piece& piece : help.pieces) {
    const std::string& words = piece.literal;
    said = said || words.find("as `onp`") != std::string::npos;
    for (std::size_t at = words.find("np."); at != std::string::npos; at = words.find("np.", at + 1)) {
      const bool of_host = at > 0 && words[at - 1] == 'o';
      host = host || of_host;
      device = device || !of_host;
    }
  }
  host = host && !said;
  if (!device && !host) return;
  help.Add("; it needs `");
  if (device) help.Add(import);
  if (device && host) help.Add("` and `");
  if (host) help.Add("import numpy as onp");
  help.Add("`");
}

void UseLibraryName(Text& text, std::string_view name) {
  if (name == "np") return;
  constexpr std::string_view kUsual = "np.";
  const auto is_name_part = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
  };
  for (Text::Piece& piece : text.pieces) {
    std::string& words = piece.literal;
    for (std::size_t at = words.find(kUsual); at != std::string::npos; at = words.find(kUsual, at + 1)) {
      if (at > 0 && is_name_part(words[at - 1])) continue;
      words.replace(at, kUsual.size() - 1, name);
      at += name.size();
    }
  }
}

}  // namespace cpnlint::rules
