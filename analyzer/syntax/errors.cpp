#include "analyzer/syntax/errors.h"

#include <algorithm>
#include <utility>

#include "analyzer/syntax/number_literal.h"
#include "analyzer/syntax/string_literal.h"

namespace cpnlint::syntax {
namespace {

constexpr std::size_t kMostSigns = 100;

bool IsStatement(Node node) {
  const Node parent = node.parent();
  return parent.IsAny(Kind::kModule, Kind::kBlock) && !node.Is(Kind::kCaseClause);
}

Node StatementOf(Node node) {
  while (node && !IsStatement(node)) node = node.parent();
  return node;
}

// `except A, e`: two types without brackets, the second a lower-case name. Python 3.14 takes `except A, B`, but nobody
// names a type like that.
bool IsOldExcept(Node clause) {
  if (!clause.HasToken(Kind::kTokenComma)) return false;
  Node last;
  int values = 0;
  for (const Node value : clause.ChildrenOf(Field::kValue)) {
    last = value;
    ++values;
  }
  if (const Node alias = clause.Child(Field::kAlias)) last = alias;
  const std::string_view name = last.text();
  return values <= 2 && last.Is(Kind::kIdentifier) && !name.empty() && name.front() >= 'a' && name.front() <= 'z';
}

// What makes the node Python 2; empty when nothing does.
std::string SignOf(Node node) {
  switch (node.kind()) {
    case Kind::kPrintStatement:  // `print >>f, x` is a tuple to Python 3: no sign by itself.
      return node.ChildOfKind(Kind::kChevron) ? "" : "print statement";
    case Kind::kExecStatement: return "exec statement";
    case Kind::kTokenLessGreater: return "`<>`";
    case Kind::kExceptClause: return IsOldExcept(node) ? "`except A, e`" : "";
    case Kind::kRaiseStatement: return node.FirstNamed().Is(Kind::kExpressionList) ? "`raise A, \"message\"`" : "";
    case Kind::kTuplePattern:
      return node.parent().IsAny(Kind::kParameters, Kind::kLambdaParameters) ? "tuple parameter" : "";
    case Kind::kStringStart:
      if (ParsePrefix(node.text()).python3) return "";
      return node.text().back() == '`' ? "backticks" : "string prefix `" + std::string(node.text()) + "`";
    case Kind::kInteger: {
      if (ParseNumber(node.text()).type != NumberLiteral::Type::kInvalid) return "";
      const char last = node.text().back();
      const bool is_long = last == 'l' || last == 'L';
      return (is_long ? "long literal `" : "octal literal `") + std::string(node.text().substr(0, 40)) + "`";
    }
    default: return "";
  }
}

// Syntax that Python 2 does not have.
bool IsPython3Only(Node node) {
  switch (node.kind()) {
    case Kind::kTypedParameter:
    case Kind::kTypedDefaultParameter:
    case Kind::kNamedExpression:
    case Kind::kNonlocalStatement:
    case Kind::kAwait:
    case Kind::kTokenAsync:
    case Kind::kMatchStatement:
    case Kind::kKeywordSeparator:
    case Kind::kPositionalSeparator:
    case Kind::kTypeAliasStatement:
    case Kind::kTokenArrow: return true;
    case Kind::kRaiseStatement: return node.Child(Field::kCause).valid();
    case Kind::kYield: return node.HasToken(Kind::kTokenFrom);
    case Kind::kAssignment: return node.Child(Field::kType).valid();
    case Kind::kStringStart: {
      const StringPrefix prefix = ParsePrefix(node.text());
      return prefix.python3 && (prefix.formatted || prefix.templated);
    }
    default: return false;
  }
}

std::size_t LineOf(std::string_view text, std::uint32_t offset) {
  return static_cast<std::size_t>(std::count(text.begin(), text.begin() + offset, '\n')) + 1;
}

// A broken statement for each statement with a sign, outermost ones only, in source order.
std::vector<BrokenStatement> Merge(std::vector<BrokenStatement> errors, const std::vector<Python2Sign>& signs) {
  for (const Python2Sign& sign : signs) errors.push_back({sign.statement, sign.span, sign.what + " of Python 2"});
  std::stable_sort(errors.begin(), errors.end(), [](const BrokenStatement& a, const BrokenStatement& b) {
    return a.statement.begin != b.statement.begin ? a.statement.begin < b.statement.begin
                                                  : a.statement.end > b.statement.end;
  });
  std::vector<BrokenStatement> outer;
  for (BrokenStatement& error : errors) {
    if (outer.empty() || !outer.back().statement.Contains(error.statement)) outer.push_back(std::move(error));
  }
  return outer;
}

}  // namespace

SyntaxReport CheckSyntax(const Tree& tree) {
  SyntaxReport report;
  std::size_t signs = 0;
  std::size_t python3 = 0;
  for (const Node node : tree.root().Subtree()) {
    if (node.named() && IsStatement(node)) ++report.statements;
    if (IsPython3Only(node)) ++python3;
    std::string what = SignOf(node);
    if (what.empty()) continue;
    ++signs;
    const Node statement = StatementOf(node);
    if (report.python2.size() < kMostSigns) {
      report.python2.push_back({node.span(), statement.span(), std::move(what)});
    }
  }
  // A file with syntax of both is Python 3 with some statements that are not, as long as those are few.
  const bool mixed = python3 > 0 && signs * 10 <= report.statements;
  if (signs > 0 && !mixed) {
    const Python2Sign& first = report.python2.front();
    // A line of a notebook's text is none that its author knows; the note says where.
    const std::string where =
        tree.cells().empty() ? " in line " + std::to_string(LineOf(tree.text(), first.span.begin)) : "";
    report.not_python3 = "this is Python 2: " + first.what + where + "; convert it to Python 3 first";
  }
  report.errors.assign(tree.broken().begin(), tree.broken().end());
  if (mixed) report.errors = Merge(std::move(report.errors), report.python2);
  if (report.statements > 0) {
    report.broken_share = static_cast<double>(report.errors.size()) / static_cast<double>(report.statements);
  }
  return report;
}

}  // namespace cpnlint::syntax
