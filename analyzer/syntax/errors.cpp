#include "analyzer/syntax/errors.h"

#include <algorithm>
#include <utility>

#include "analyzer/syntax/number_literal.h"
#include "analyzer/syntax/refused.h"
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

// Counts statements, and looks for syntax that only Python 2 or only Python 3 has.
class Census {
 public:
  explicit Census(SyntaxReport& report) : report_(report) {}

  std::size_t signs = 0;    // of Python 2
  std::size_t python3 = 0;  // what Python 2 does not have

  void See(Node node) {
    switch (node.kind()) {
      case Kind::kModule:
      case Kind::kBlock:
        for (const Node child : node.NamedChildren()) {
          if (!child.Is(Kind::kCaseClause)) ++report_.statements;
        }
        return;
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
      case Kind::kTokenArrow: ++python3; return;
      case Kind::kYield:
        if (node.HasToken(Kind::kTokenFrom)) ++python3;
        return;
      case Kind::kAssignment:
        if (node.Child(Field::kType)) ++python3;
        return;
      case Kind::kPrintStatement:  // `print >>f, x` is a tuple to Python 3: no sign by itself.
        if (!node.ChildOfKind(Kind::kChevron)) Sign(node, "print statement");
        return;
      case Kind::kExecStatement: return Sign(node, "exec statement");
      case Kind::kTokenLessGreater: return Sign(node, "`<>`");
      case Kind::kExceptClause:
        if (IsOldExcept(node)) Sign(node, "`except A, e`");
        return;
      case Kind::kRaiseStatement:
        if (node.Child(Field::kCause)) ++python3;
        if (node.FirstNamed().Is(Kind::kExpressionList)) Sign(node, "`raise A, \"message\"`");
        return;
      case Kind::kTuplePattern:
        if (node.parent().IsAny(Kind::kParameters, Kind::kLambdaParameters)) Sign(node, "tuple parameter");
        return;
      case Kind::kStringStart: return SeeString(node);
      case Kind::kInteger: return SeeInteger(node);
      default: return;
    }
  }

 private:
  void Sign(Node node, std::string what) {
    ++signs;
    if (report_.python2.size() >= kMostSigns) return;
    report_.python2.push_back({node.span(), StatementOf(node).span(), std::move(what)});
  }

  void SeeString(Node start) {
    const std::string_view text = start.text();
    if (text.empty() || text.front() == '"' || text.front() == '\'') return;  // no prefix
    const StringPrefix prefix = ParsePrefix(text);
    if (!prefix.python3) {
      Sign(start, text.back() == '`' ? "backticks" : "string prefix `" + std::string(text) + "`");
    } else if (prefix.formatted || prefix.templated) {
      ++python3;
    }
  }

  void SeeInteger(Node integer) {
    const std::string_view text = integer.text();
    if (ParseNumber(text).type != NumberLiteral::Type::kInvalid) return;
    const bool is_long = text.back() == 'l' || text.back() == 'L';
    Sign(integer, (is_long ? "long literal `" : "octal literal `") + std::string(text.substr(0, 40)) + "`");
  }

  SyntaxReport& report_;
};

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
  Census census(report);
  Refused refused(report.refused);
  for (const Node node : tree.root().Subtree()) {
    census.See(node);
    refused.See(node);
  }
  // A file with syntax of both is Python 3 with some statements that are not, as long as those are few.
  const bool mixed = census.python3 > 0 && census.signs * 10 <= report.statements;
  if (census.signs > 0 && !mixed) {
    const Python2Sign& first = report.python2.front();
    // A line of a notebook's text is none that its author knows; the note says where.
    const std::string where =
        tree.cells().empty() ? " in line " + std::to_string(LineOf(tree.text(), first.span.begin)) : "";
    report.not_python3 = "this is Python 2: " + first.what + where + "; convert it to Python 3 first";
  }
  report.errors.assign(tree.broken().begin(), tree.broken().end());
  if (mixed) report.errors = Merge(std::move(report.errors), report.python2);
  // Cells of a notebook have indentations of their own, and lines that are no Python are blank in them. What stands
  // near a statement that cannot be parsed may only look wrong.
  if (!tree.cells().empty() || !report.errors.empty()) report.refused.clear();
  if (report.statements > 0) {
    report.broken_share = static_cast<double>(report.errors.size()) / static_cast<double>(report.statements);
  }
  return report;
}

}  // namespace cpnlint::syntax
