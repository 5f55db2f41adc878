#include <algorithm>

#include "analyzer/lower/lowerer.h"

namespace cpnlint::lower {

// The statements of a block, or of the one line behind a colon. What follows a return or its like cannot run and is
// left out.
void Lowerer::Suite(Node block, Node skip) {
  if (!block) return;
  const auto statements = block.NamedChildren();
  for (auto at = statements.begin(); at != statements.end();) {
    if (builder_.dead()) return;
    const Node statement = *at;
    ++at;
    if (statement != skip) Statement(statement, at != statements.end());
  }
}

void Lowerer::Statement(Node node, bool followed) {
  if (TooDeep(node)) return LostStatement(node);
  const Saved<int> depth(depth_, depth_ + 1);
  switch (node.kind()) {
    case Kind::kIfStatement: return If(node);
    case Kind::kForStatement: return For(node);
    case Kind::kWhileStatement: return While(node);
    case Kind::kTryStatement: return Try(node);
    case Kind::kWithStatement: return With(node, followed);
    case Kind::kMatchStatement: return Match(node);
    case Kind::kFunctionDefinition: NewStatement(HeaderSpan(node)); return Function(node, {}, node.span());
    case Kind::kClassDefinition: NewStatement(HeaderSpan(node)); return Class(node, {}, node.span());
    case Kind::kDecoratedDefinition:
      NewStatement({node.span().begin, HeaderSpan(node.Child(Field::kDefinition)).end});
      return Decorated(node);
    default: NewStatement(node.span()); return Simple(node);
  }
}

void Lowerer::Simple(Node node) {
  switch (node.kind()) {
    case Kind::kExpressionStatement: return ExpressionStatement(node);
    case Kind::kReturnStatement: return Return(node);
    case Kind::kRaiseStatement: return Raise(node);
    case Kind::kAssertStatement: return Assert(node);
    case Kind::kBreakStatement: return Break(node.span());
    case Kind::kContinueStatement: return Continue(node.span());
    case Kind::kDeleteStatement:
      for (const Node target : node.NamedChildren()) Delete(target);
      return;
    case Kind::kImportStatement:
    case Kind::kImportFromStatement:
    case Kind::kFutureImportStatement: return Import(node);
    case Kind::kTypeAliasStatement: return TypeAlias(node);
    case Kind::kPassStatement:
    case Kind::kGlobalStatement:
    case Kind::kNonlocalStatement: return;
    case Kind::kError: return LostStatement(node);
    default: return LostNode(node);
  }
}

void Lowerer::ExpressionStatement(Node node) {
  const Node only = node.FirstNamed();
  if (only.Is(Kind::kAssignment)) return Assignment(only);
  if (only.Is(Kind::kAugmentedAssignment)) return AugmentedAssignment(only);
  const std::size_t before = program_.ops.size();
  Operand value;
  if (node.NamedCount() > 1) {
    const std::size_t base = node_stack_.size();
    for (const Node element : node.NamedChildren()) node_stack_.push_back(element);
    const std::vector<Node> elements(node_stack_.begin() + static_cast<std::ptrdiff_t>(base), node_stack_.end());
    node_stack_.resize(base);
    value = Several(elements, node.span());
  } else {
    value = Expression(only);
  }
  Flag(value, before, ir::kDiscarded);
}

void Lowerer::Return(Node node) {
  const ir::Function::Kind kind = program_.functions[function_].kind;
  const bool outside = kind == ir::Function::Kind::kModule || kind == ir::Function::Kind::kClassBody;
  if (outside) return LostNode(node);  // no Python: what follows is read all the same
  Operands operands(*this);
  if (const Node value = node.FirstNamed()) operands.Add(Expression(value));
  Edge();
  returns_.push_back(builder_.Leave(OpKind::kReturn, node.span(), operands.all()));
}

void Lowerer::Raise(Node node) {
  Operands operands(*this);
  const Node cause = node.Child(Field::kCause);
  for (const Node child : node.NamedChildren()) {
    if (child != cause && operands.size() == 0) operands.Add(Expression(child));
  }
  if (cause) {
    if (operands.size() == 0) operands.Add({});
    operands.Add(Expression(cause));
  }
  Edge();
  builder_.Leave(OpKind::kRaise, node.span(), operands.all());
}

void Lowerer::Assert(Node node) {
  const GuardId outer = guard_;
  Target yes{NewBlock(), {}}, no{NewBlock(), {}};
  Condition(node.FirstNamed(), TruthContext::kAssert, yes, no);
  StartTarget(no, outer);
  if (!builder_.dead()) {
    Operands operands(*this);
    if (const Node message = node.NamedChild(1)) operands.Add(Expression(message));
    builder_.Leave(OpKind::kRaise, node.span(), operands.all(), ir::kSynthetic);
  }
  StartTarget(yes, outer);
}

// --- Imports -----------------------------------------------------------------------------------------------------

void Lowerer::Import(Node node) {
  Symbol module;
  std::uint32_t level = 0;
  if (node.Is(Kind::kImportFromStatement)) {
    const Node from = node.Child(Field::kModuleName);
    std::string_view text = from.text();
    if (from.Is(Kind::kRelativeImport)) {
      for (const char c : from.ChildOfKind(Kind::kImportPrefix).text()) level += c == '.' ? 1 : 0;
      const Node dotted = from.ChildOfKind(Kind::kDottedName);
      text = dotted ? dotted.text() : std::string_view();
    }
    module = program_.names.Intern(text);
  } else if (node.Is(Kind::kFutureImportStatement)) {
    module = program_.names.Intern("__future__");
  }
  for (const Node name : node.ChildrenOf(Field::kName)) ImportName(node, name, module, level);
}

void Lowerer::ImportName(Node node, Node name, Symbol module, std::uint32_t level) {
  const bool aliased = name.Is(Kind::kAliasedImport);
  const Node dotted = aliased ? name.Child(Field::kName) : name;
  const Node bound = aliased ? name.Child(Field::kAlias) : name.FirstNamed();
  ir::ImportRecord record;
  record.bound = SymbolOf(bound);
  record.level = level;
  if (node.Is(Kind::kImportStatement)) {
    record.module = SymbolOf(dotted);
    record.root_only = !aliased && dotted.NamedCount() > 1;
  } else {
    record.module = module;
    record.name = SymbolOf(dotted);
  }
  program_.imports.push_back(record);
  const auto index = static_cast<std::uint32_t>(program_.imports.size() - 1);
  const Operand value = Make(OpKind::kImport, name.span(), {}, index);
  WriteName(scopes_.NameOf(bound), value, name.span());
}

void Lowerer::TypeAlias(Node node) {
  Node left = node.Child(Field::kLeft).FirstNamed();
  const Node generic = left;
  if (generic.Is(Kind::kGenericType)) {
    left = generic.FirstNamed();
    TypeParameters(generic.ChildOfKind(Kind::kTypeParameter));
  }
  const Operand meaning = Annotation(node.Child(Field::kRight), false);
  const Operand value = Make(OpKind::kOpaque, node.span(), {meaning});
  if (left.Is(Kind::kIdentifier)) WriteName(scopes_.NameOf(left), value, left.span());
}

// --- What is lost ------------------------------------------------------------------------------------------------

bool Lowerer::TooDeep(Node node) {
  if (depth_ < kMostDepth) return false;
  if (noted_statement_ != builder_.statement.index()) {
    noted_statement_ = builder_.statement.index();
    Note(node.span(), "nested too deeply; this part is not analysed");
  }
  return true;
}

// A statement that is not lowered: nobody knows any more what the names hold that it binds.
void Lowerer::LostStatement(Node node) {
  NewStatement(node.span());
  if (!node.Is(Kind::kError)) {
    Lost(node);
    return;
  }
  const Operand value = Make(OpKind::kOpaque, node.span());
  const auto of_node = [](const Scopes::Lost& lost, std::uint32_t at) { return lost.node < at; };
  for (auto lost = std::lower_bound(scopes_.lost.begin(), scopes_.lost.end(), node.index(), of_node);
       lost != scopes_.lost.end() && lost->node == node.index(); ++lost) {
    WriteName(lost->name, value, node.span(), ir::kSynthetic);
  }
}

// A statement of Python 2, or one that the grammar knows and this does not.
void Lowerer::LostNode(Node node) {
  Operands operands(*this);
  for (const Node child : node.NamedChildren()) {
    operands.Add(Expression(child.Is(Kind::kChevron) ? child.FirstNamed() : child));
  }
  const std::size_t before = program_.ops.size();
  Flag(Make(OpKind::kOpaque, node.span(), operands.all()), before, ir::kDiscarded);
}

// An Opaque op for a piece of code, with the variables that it mentions; what it binds is unknown from here on.
Operand Lowerer::Lost(Node node) {
  Operands operands(*this);
  const auto is_mine = [this](NameId name) {
    if (!name.valid() || !scopes_.names[name].meant.valid()) return false;
    const Scope& scope = scopes_.scopes[scopes_.names[name].scope];
    const Scope& variable = scopes_.scopes[scopes_.names[scopes_.names[name].meant].scope];
    return scope.unit == unit_ && scope.kind != ScopeKind::kComprehension && variable.kind != ScopeKind::kComprehension;
  };
  for (const Node inner : node.Subtree()) {
    if (operands.size() == kMostLostOperands) break;
    if (inner.Is(Kind::kIdentifier) && !scopes_.binds[inner.index()] && is_mine(scopes_.NameOf(inner))) {
      operands.Add(ReadName(inner));
    }
  }
  const Operand value = Make(OpKind::kOpaque, node.span(), operands.all());
  for (const Node inner : node.Subtree()) {
    if (!inner.Is(Kind::kIdentifier) || !scopes_.binds[inner.index()]) continue;
    const NameId name = scopes_.NameOf(inner);
    if (is_mine(name)) WriteName(name, value, inner.span(), ir::kSynthetic);
  }
  return value;
}

}  // namespace cpnlint::lower
