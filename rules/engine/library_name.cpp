#include "rules/engine/library_name.h"

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
