#include "analyzer/syntax/refused.h"

#include <optional>
#include <string_view>

namespace cpnlint::syntax {
namespace {

// What stands before a statement that is the first of its line: blanks and tabs, behind the last form feed. nullopt for
// one behind `:` or `;`, also where a backslash has ended the line above.
std::optional<std::string_view> IndentationOf(Node statement) {
  const std::string_view text = statement.source();
  const std::size_t at = statement.span().begin;
  // Not from the beginning of the line, which may have very many statements.
  const std::size_t last = at == 0 ? std::string_view::npos : text.find_last_not_of(" \t\f", at - 1);
  const std::size_t begin = last == std::string_view::npos ? 0 : last + 1;
  if (begin != 0 && text[last] != '\n') return std::nullopt;
  const std::string_view before = text.substr(begin, at - begin);
  if (begin > 1 && text[begin - 2] == '\\') return std::nullopt;
  const std::size_t feed = before.rfind('\f');
  return feed == std::string_view::npos ? before : before.substr(feed + 1);
}

bool IsStatement(Node node) { return node.parent().IsAny(Kind::kModule, Kind::kBlock) && !node.Is(Kind::kCaseClause); }

// Where positional parameters end.
bool EndsPositional(Node parameter) {
  if (parameter.Is(Kind::kTypedParameter)) parameter = parameter.FirstNamed();
  return parameter.IsAny(Kind::kListSplatPattern, Kind::kDictionarySplatPattern, Kind::kKeywordSeparator);
}

}  // namespace

void Refused::See(Node node) {
  switch (node.kind()) {
    case Kind::kBlock:
      if (node.NamedCount() == 0) Add(node, "no indented block behind the colon");
      return SeeIndentation(node);
    case Kind::kModule: return SeeIndentation(node);
    case Kind::kParameters:
    case Kind::kLambdaParameters: return SeeParameters(node);
    case Kind::kArgumentList: return SeeArguments(node);
    case Kind::kExpressionStatement:
      if (node.FirstNamed().Is(Kind::kNamedExpression)) Add(node, "`:=` needs parentheses here");
      return;
    default: return;
  }
}

void Refused::SeeIndentation(Node block) {
  std::optional<std::string_view> expected;
  if (block.Is(Kind::kModule)) expected = "";
  for (const Node statement : block.NamedChildren()) {
    const std::optional<std::string_view> found = IndentationOf(statement);
    if (!found) continue;
    if (expected && *found != *expected) return Add(statement, "unexpected indentation");
    expected = found;
  }
}

void Refused::SeeParameters(Node parameters) {
  bool has_default = false;
  for (const Node parameter : parameters.NamedChildren()) {
    if (EndsPositional(parameter)) return;
    if (parameter.IsAny(Kind::kDefaultParameter, Kind::kTypedDefaultParameter)) {
      has_default = true;
    } else if (has_default && !parameter.Is(Kind::kPositionalSeparator)) {
      return Add(parameter, "a parameter without a default behind one that has one");
    }
  }
}

void Refused::SeeArguments(Node arguments) {
  bool by_name = false;
  for (const Node argument : arguments.NamedChildren()) {
    if (argument.IsAny(Kind::kKeywordArgument, Kind::kDictionarySplat)) {
      by_name = true;
    } else if (by_name && !argument.IsAny(Kind::kListSplat, Kind::kParenthesizedListSplat)) {
      return Add(argument, "a positional argument behind one by name");
    }
  }
}

void Refused::Add(Node at, const char* reason) {
  Node statement = at;
  while (statement && !IsStatement(statement)) statement = statement.parent();
  const std::uint32_t begin = at.Is(Kind::kBlock) ? statement.span().begin : at.span().begin;
  if (!found_.empty() && found_.back().error.begin == begin) return;
  found_.push_back({statement.span(), {begin, begin}, reason});
}

}  // namespace cpnlint::syntax
