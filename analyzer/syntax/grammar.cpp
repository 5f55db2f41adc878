#include "analyzer/syntax/grammar.h"

#include <array>
#include <string_view>

#include <tree_sitter/api.h>

#include "analyzer/syntax/parse_table.h"

extern "C" const TSLanguage* tree_sitter_python(void);

namespace cpnlint::syntax {
namespace {

struct KindEntry {
  std::string_view name;
  bool named;
};

constexpr std::array kKinds = {
    KindEntry{"", false},
    KindEntry{"ERROR", true},
    KindEntry{"other", true},
    KindEntry{"other token", false},
#define CPNLINT_NODE(id, name) KindEntry{name, true},
#define CPNLINT_TOKEN(id, text) KindEntry{text, false},
#include "analyzer/syntax/node_kinds.def"
};

constexpr std::array<std::string_view, 33> kFields = {
    "",
#define CPNLINT_FIELD(id, name) name,
#include "analyzer/syntax/node_kinds.def"
};

constexpr std::size_t kFirstListedKind = 4;

Kind FindKind(std::string_view name, bool named) {
  for (std::size_t i = kFirstListedKind; i < kKinds.size(); ++i) {
    if (kKinds[i].named == named && kKinds[i].name == name) return static_cast<Kind>(i);
  }
  return named ? Kind::kOther : Kind::kOtherToken;
}

Field FindField(std::string_view name) {
  for (std::size_t i = 1; i < kFields.size(); ++i) {
    if (kFields[i] == name) return static_cast<Field>(i);
  }
  return Field::kNoField;
}

}  // namespace

std::string_view Name(Kind kind) { return kKinds[static_cast<std::size_t>(kind)].name; }
std::string_view Name(Field field) { return kFields[static_cast<std::size_t>(field)]; }
bool IsNamed(Kind kind) { return kKinds[static_cast<std::size_t>(kind)].named; }

namespace internal {

const TSLanguage* Language() { return WithFullTable(tree_sitter_python()); }

const std::vector<GrammarSymbol>& GrammarSymbols() {
  static const std::vector<GrammarSymbol> symbols = [] {
    std::vector<GrammarSymbol> result;
    for (std::uint32_t i = 0; i < ts_language_symbol_count(Language()); ++i) {
      const TSSymbol symbol = static_cast<TSSymbol>(i);
      const TSSymbolType type = ts_language_symbol_type(Language(), symbol);
      GrammarSymbol entry;
      entry.name = ts_language_symbol_name(Language(), symbol);
      entry.named = type == TSSymbolTypeRegular;
      entry.visible = type == TSSymbolTypeRegular || (type == TSSymbolTypeAnonymous && i != 0);
      entry.kind = FindKind(entry.name, entry.named);
      result.push_back(std::move(entry));
    }
    return result;
  }();
  return symbols;
}

const std::vector<std::string>& GrammarFieldNames() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> result{""};
    for (std::uint32_t i = 1; i <= ts_language_field_count(Language()); ++i) {
      result.emplace_back(ts_language_field_name_for_id(Language(), static_cast<TSFieldId>(i)));
    }
    return result;
  }();
  return names;
}

const std::vector<Kind>& KindOfSymbol() {
  static const std::vector<Kind> kinds = [] {
    std::vector<Kind> result;
    for (const GrammarSymbol& symbol : GrammarSymbols()) result.push_back(symbol.kind);
    return result;
  }();
  return kinds;
}

const std::vector<Field>& FieldOfNumber() {
  static const std::vector<Field> fields = [] {
    std::vector<Field> result;
    for (const std::string& name : GrammarFieldNames()) result.push_back(FindField(name));
    return result;
  }();
  return fields;
}

}  // namespace internal
}  // namespace cpnlint::syntax
