#include "cli/unmet.h"

#include <algorithm>
#include <cctype>
#include <string_view>

#include "cli/near.h"

namespace cpnlint::cli {
namespace {

bool IsNamePart(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}

bool SameLetters(std::string_view a, std::string_view b) {
  const auto same = [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), same);
}

// The names of a program that are like a word. A word of a letter or two is like too many: only the same letters count.
std::vector<std::string> NamesLike(const Interner& names, std::string_view word) {
  constexpr std::size_t kShort = 2;
  std::vector<std::string> candidates;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string_view name = names.Text(Symbol(i));
    if (name.empty() || name == word || name.starts_with("__") || !std::all_of(name.begin(), name.end(), IsNamePart)) {
      continue;
    }
    if (word.size() <= kShort && !SameLetters(name, word)) continue;
    candidates.emplace_back(name);
  }
  return Near(word, candidates);
}

// `settings["agents"]`, `settings.get("agents")`: what is looked up under a key is called after the key.
bool IsKeyLookedUp(const ir::Program& program, std::string_view name) {
  const auto is_name = [&](ir::ValueId key) {
    return key.valid() && program.ops[key].kind == ir::OpKind::kStr && program.String(program.ops[key]) == name;
  };
  const auto looks_up = [&](ir::ValueId method) {
    if (!method.valid() || program.ops[method].kind != ir::OpKind::kAttr) return false;
    const std::string_view called = program.Name(program.ops[method]);
    return called == "get" || called == "pop" || called == "setdefault";
  };
  for (std::size_t i = 0; i < program.ops.size(); ++i) {
    const ir::ValueId id(i);
    const ir::OpKind kind = program.ops[id].kind;
    if (kind != ir::OpKind::kSubscript && kind != ir::OpKind::kCall) continue;
    if (kind == ir::OpKind::kCall && !looks_up(program.Operand(id, 0))) continue;
    if (is_name(program.Operand(id, 1))) return true;
  }
  return false;
}

bool EndsWithPart(std::string_view text, std::string_view end) {
  return text.ends_with(end) && (text.size() == end.size() || text[text.size() - end.size() - 1] == '/');
}

}  // namespace

std::optional<Unmet> UnmetIn(const ir::Program& program, const std::string& text) {
  std::string_view name = std::string_view(text).substr(0, text.find('='));
  while (name.ends_with(' ')) name.remove_suffix(1);
  if (const std::size_t colon = name.rfind(':'); colon != std::string_view::npos) {
    const std::string_view file = name.substr(0, colon);
    bool known = false;
    for (std::size_t i = 0; i < program.modules.size(); ++i) {
      known = known || EndsWithPart(program.modules[ir::ModuleId(i)].path, file);
    }
    if (!known) return Unmet{Unmet::Kind::kFile, text, std::string(file), {}};
    name.remove_prefix(colon + 1);
  }
  // `step.u`, `Grid.step.u`, `config.u`: what each part of it names is there.
  for (std::size_t dot = name.find('.'); dot != std::string_view::npos; dot = name.find('.')) {
    const std::string_view owner = name.substr(0, dot);
    if (!program.names.Find(owner).valid()) {
      return Unmet{Unmet::Kind::kOwner, text, std::string(owner), NamesLike(program.names, owner)};
    }
    name.remove_prefix(dot + 1);
  }
  if (program.names.Find(name).valid() || IsKeyLookedUp(program, name)) return std::nullopt;
  return Unmet{Unmet::Kind::kName, text, std::string(name), NamesLike(program.names, name)};
}

std::string Sentence(const Unmet& unmet) {
  const std::string quoted = '`' + unmet.word + '`';
  std::string text;
  switch (unmet.kind) {
    case Unmet::Kind::kFile: text = "no analysed file is called " + quoted; break;
    case Unmet::Kind::kOwner: text = "no function, class or object " + quoted + " is in the analysed files"; break;
    case Unmet::Kind::kName: text = "no name " + quoted + " occurs in the analysed files"; break;
  }
  return text + DidYouMean(unmet.word, unmet.near);
}

}  // namespace cpnlint::cli
