#include <catch2/catch.hpp>

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "analyzer/syntax/grammar.h"

using cpnlint::syntax::Field;
using cpnlint::syntax::IsNamed;
using cpnlint::syntax::Kind;
using cpnlint::syntax::Name;
using cpnlint::syntax::internal::FieldOfNumber;
using cpnlint::syntax::internal::GrammarFieldNames;
using cpnlint::syntax::internal::GrammarSymbol;
using cpnlint::syntax::internal::GrammarSymbols;

TEST_CASE("every kind of node_kinds.def is a symbol of the grammar") {
  std::set<std::pair<std::string, bool>> symbols;
  for (const GrammarSymbol& symbol : GrammarSymbols()) {
    if (symbol.visible) symbols.emplace(symbol.name, symbol.named);
  }
  std::set<std::pair<std::string, bool>> listed;
#define CPNLINT_NODE(id, name)                     \
  CHECK(symbols.count({name, true}) == 1);         \
  CHECK(listed.emplace(name, true).second);        \
  CHECK(Name(Kind::id) == std::string_view(name)); \
  CHECK(IsNamed(Kind::id));
#define CPNLINT_TOKEN(id, text)                    \
  CHECK(symbols.count({text, false}) == 1);        \
  CHECK(listed.emplace(text, false).second);       \
  CHECK(Name(Kind::id) == std::string_view(text)); \
  CHECK_FALSE(IsNamed(Kind::id));
#include "analyzer/syntax/node_kinds.def"
  CHECK(listed.size() > 150);
}

TEST_CASE("every symbol of the grammar that can be a node is in node_kinds.def") {
  for (const GrammarSymbol& symbol : GrammarSymbols()) {
    CAPTURE(symbol.name, symbol.named);
    if (symbol.visible) CHECK((symbol.kind != Kind::kOther && symbol.kind != Kind::kOtherToken));
  }
}

TEST_CASE("the fields of node_kinds.def are those of the grammar") {
  std::set<std::string> listed;
#define CPNLINT_FIELD(id, name) \
  listed.insert(name);          \
  CHECK(Name(Field::id) == std::string_view(name));
#include "analyzer/syntax/node_kinds.def"
  std::set<std::string> fields(GrammarFieldNames().begin() + 1, GrammarFieldNames().end());
  CHECK(listed == fields);
  CHECK(std::count(FieldOfNumber().begin() + 1, FieldOfNumber().end(), Field::kNoField) == 0);
}
