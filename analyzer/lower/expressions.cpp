#include <array>
#include <cctype>

#include "analyzer/lower/lowerer.h"
#include "analyzer/syntax/number_literal.h"
#include "analyzer/syntax/string_literal.h"

namespace cpnlint::lower {
namespace {

constexpr std::uint8_t kNoOperator = 0xff;

std::uint8_t BinaryOf(Kind token) {
  using ir::BinaryOp;
  const auto of = [](BinaryOp op) { return static_cast<std::uint8_t>(op); };
  switch (token) {
    case Kind::kTokenPlus: return of(BinaryOp::kAdd);
    case Kind::kTokenMinus: return of(BinaryOp::kSub);
    case Kind::kTokenStar: return of(BinaryOp::kMul);
    case Kind::kTokenSlash: return of(BinaryOp::kDiv);
    case Kind::kTokenDoubleSlash: return of(BinaryOp::kFloorDiv);
    case Kind::kTokenPercent: return of(BinaryOp::kMod);
    case Kind::kTokenDoubleStar: return of(BinaryOp::kPow);
    case Kind::kTokenAt: return of(BinaryOp::kMatMul);
    case Kind::kTokenShiftLeft: return of(BinaryOp::kLeftShift);
    case Kind::kTokenShiftRight: return of(BinaryOp::kRightShift);
    case Kind::kTokenAmpersand: return of(BinaryOp::kAnd);
    case Kind::kTokenPipe: return of(BinaryOp::kOr);
    case Kind::kTokenCaret: return of(BinaryOp::kXor);
    default: return kNoOperator;
  }
}

std::uint8_t CompareOf(Kind token) {
  using ir::CompareOp;
  const auto of = [](CompareOp op) { return static_cast<std::uint8_t>(op); };
  switch (token) {
    case Kind::kTokenEqualEqual: return of(CompareOp::kEq);
    case Kind::kTokenNotEqual:
    case Kind::kTokenLessGreater: return of(CompareOp::kNe);
    case Kind::kTokenLess: return of(CompareOp::kLt);
    case Kind::kTokenLessEqual: return of(CompareOp::kLe);
    case Kind::kTokenGreater: return of(CompareOp::kGt);
    case Kind::kTokenGreaterEqual: return of(CompareOp::kGe);
    case Kind::kTokenIs: return of(CompareOp::kIs);
    case Kind::kTokenIsNot: return of(CompareOp::kIsNot);
    case Kind::kTokenIn: return of(CompareOp::kIn);
    case Kind::kTokenNotIn: return of(CompareOp::kNotIn);
    default: return kNoOperator;
  }
}

// The part that a binary operator, attribute, subscript, call, await or pair of parentheses is built upon.
Node InnerOf(Node node) {
  switch (node.kind()) {
    case Kind::kBinaryOperator: return node.Child(Field::kLeft);
    case Kind::kAttribute: return node.Child(Field::kObject);
    case Kind::kSubscript: return node.Child(Field::kValue);
    case Kind::kCall: return node.Child(Field::kFunction);
    case Kind::kAwait:
    case Kind::kParenthesizedExpression: return node.FirstNamed();
    default: return {};
  }
}

}  // namespace

// Sums of many terms and long chains of calls nest to the left: that side is followed without recursion.
Operand Lowerer::Expression(Node node) {
  const std::size_t base = node_stack_.size();
  for (Node inner = InnerOf(node); inner; inner = InnerOf(node)) {
    node_stack_.push_back(node);
    node = inner;
  }
  const std::size_t before = program_.ops.size();
  Operand value;
  if (TooDeep(node)) {
    value = Lost(node);
  } else {
    const Saved<int> depth(depth_, depth_ + 1);
    value = Primary(node);
  }
  while (node_stack_.size() > base) {
    node = node_stack_.back();
    node_stack_.pop_back();
    if (node.Is(Kind::kParenthesizedExpression)) {
      Flag(value, before, ir::kParenthesized);
    } else if (TooDeep(node)) {
      value = Make(OpKind::kOpaque, node.span(), {value});
    } else {
      const Saved<int> depth(depth_, depth_ + 1);
      value = Apply(node, value);
    }
  }
  return value;
}

Operand Lowerer::Apply(Node node, Operand inner) {
  switch (node.kind()) {
    case Kind::kBinaryOperator: {
      const Operand right = Expression(node.Child(Field::kRight));
      const std::uint8_t op = BinaryOf(node.Child(Field::kOperator).kind());
      if (op == kNoOperator) return Make(OpKind::kOpaque, node.span(), {inner, right});
      return Make(OpKind::kBinary, node.span(), {inner, right}, 0, op);
    }
    case Kind::kAttribute:
      return Make(OpKind::kAttr, node.span(), {inner}, SymbolOf(node.Child(Field::kAttribute)).index());
    case Kind::kSubscript: {
      Operands operands(*this);
      operands.Add(inner);
      std::uint8_t flags = 0;
      Keys(node, operands, flags);
      return Make(OpKind::kSubscript, node.span(), operands.all(), 0, 0, flags);
    }
    case Kind::kCall: return Call(node, inner);
    default: return Make(OpKind::kAwait, node.span(), {inner});
  }
}

Operand Lowerer::Primary(Node node) {
  switch (node.kind()) {
    case Kind::kIdentifier: return ReadName(node);
    case Kind::kNone: return Make(OpKind::kNone, node.span());
    case Kind::kEllipsis: return Make(OpKind::kEllipsis, node.span());
    case Kind::kTrue:
    case Kind::kFalse:
      program_.ints.push_back(node.Is(Kind::kTrue) ? 1 : 0);
      return Make(OpKind::kBool, node.span(), {}, static_cast<std::uint32_t>(program_.ints.size() - 1));
    case Kind::kInteger:
    case Kind::kFloat: return Number(node);
    case Kind::kString:
    case Kind::kConcatenatedString: return String(node);
    case Kind::kTuple:
    case Kind::kExpressionList:
    case Kind::kPatternList:
    case Kind::kTuplePattern: return Elements(OpKind::kTuple, node);
    case Kind::kList:
    case Kind::kListPattern: return Elements(OpKind::kList, node);
    case Kind::kSet: return Elements(OpKind::kSet, node);
    case Kind::kDictionary: return Dictionary(node);
    case Kind::kListSplat:
    case Kind::kListSplatPattern:
    case Kind::kDictionarySplat: return Make(OpKind::kStarred, node.span(), {Expression(node.FirstNamed())});
    case Kind::kParenthesizedListSplat: return Expression(node.FirstNamed());
    case Kind::kListComprehension:
    case Kind::kSetComprehension:
    case Kind::kDictionaryComprehension:
    case Kind::kGeneratorExpression: return Comprehension(node);
    case Kind::kBooleanOperator: return BooleanValue(node);
    case Kind::kNotOperator: {
      const Operand value = Expression(node.Child(Field::kArgument));
      const auto context = static_cast<std::uint8_t>(TruthContext::kNot);
      const Operand truth = Make(OpKind::kTruth, value.span, {value}, 0, context);
      return Make(OpKind::kNot, node.span(), {truth});
    }
    case Kind::kComparisonOperator: return node.NamedCount() > 2 ? ChainValue(node) : Compare(node);
    case Kind::kConditionalExpression: return TernaryValue(node);
    case Kind::kUnaryOperator: return Unary(node);
    case Kind::kLambda: return Lambda(node);
    case Kind::kNamedExpression: {
      const Operand value = Expression(node.Child(Field::kValue));
      const Node name = node.Child(Field::kName);
      WriteName(scopes_.NameOf(name), value, name.span());
      return {value.value, node.span()};
    }
    case Kind::kYield: return Yield(node);
    case Kind::kSlice: return Slice(node);
    case Kind::kKeywordArgument: return Expression(node.Child(Field::kValue));
    default: return TypeExpression(node);
  }
}

Operand Lowerer::TypeExpression(Node node) {
  switch (node.kind()) {
    case Kind::kType:
    case Kind::kConstrainedType: return Expression(node.FirstNamed());
    case Kind::kSplatType: return Make(OpKind::kStarred, node.span(), {Expression(node.FirstNamed())});
    case Kind::kUnionType: {
      const Operand left = Expression(node.FirstNamed());
      const Operand right = Expression(node.LastNamed());
      return Make(OpKind::kBinary, node.span(), {left, right}, 0, static_cast<std::uint8_t>(ir::BinaryOp::kOr));
    }
    case Kind::kMemberType: {
      const Operand object = Expression(node.FirstNamed());
      return Make(OpKind::kAttr, node.span(), {object}, SymbolOf(node.LastNamed()).index());
    }
    case Kind::kGenericType: {
      Operands operands(*this);
      operands.Add(Expression(node.FirstNamed()));
      const Node list = node.ChildOfKind(Kind::kTypeParameter);
      for (const Node argument : list.NamedChildren()) operands.Add(Expression(argument));
      const std::uint8_t flags = operands.size() > 2 ? ir::kTupleIndex : 0;
      if (operands.size() < 2) return operands.all()[0];
      return Make(OpKind::kSubscript, node.span(), operands.all(), 0, 0, flags);
    }
    default: return Lost(node);
  }
}

// --- Literals and displays ---------------------------------------------------------------------------------------

Operand Lowerer::Number(Node node) {
  using Type = syntax::NumberLiteral::Type;
  const syntax::NumberLiteral number = syntax::ParseNumber(node.text());
  if (number.type == Type::kInt) {
    program_.ints.push_back(number.int_value);
    return Make(OpKind::kInt, node.span(), {}, static_cast<std::uint32_t>(program_.ints.size() - 1));
  }
  if (number.type != Type::kFloat && number.type != Type::kImaginary) return Make(OpKind::kOpaque, node.span());
  program_.floats.push_back(number.float_value);
  const OpKind kind = number.type == Type::kFloat ? OpKind::kFloat : OpKind::kComplex;
  return Make(kind, node.span(), {}, static_cast<std::uint32_t>(program_.floats.size() - 1));
}

Operand Lowerer::PlainText(Node node, std::string_view text) {
  return Make(OpKind::kStr, node.span(), {}, program_.strings.Intern(text).index());
}

Operand Lowerer::String(Node node) {
  // Most strings are one piece of text without escapes or prefix.
  if (node.Is(Kind::kString) && node.subtree_size() <= 4) {
    const Node start = node.ChildOfKind(Kind::kStringStart);
    const Node content = node.ChildOfKind(Kind::kStringContent);
    const char first = start.text().empty() ? ' ' : start.text()[0];
    const bool plain = (first == '"' || first == '\'') && node.NamedCount() == (content ? 3U : 2U);
    const std::string_view text = content.text();
    const bool as_it_stands = text.find('\\') == text.npos && text.find('\r') == text.npos;
    if (plain && as_it_stands) return PlainText(node, text);
  }
  const auto literal = syntax::DecodeString(node);
  if (!literal) return Make(OpKind::kOpaque, node.span());
  Operands operands(*this);
  std::string text;
  for (const syntax::StringPiece& piece : literal->pieces) {
    if (!piece.is_interpolation()) {
      text += piece.text;
      continue;
    }
    operands.Add(Expression(piece.expression));
    // A format specifier may hold expressions too, and specifiers of theirs.
    auto range = piece.format_specifier.Subtree();
    for (auto at = range.begin(); at != range.end();) {
      const Node expression = (*at).Child(Field::kExpression);
      if ((*at).IsAny(Kind::kInterpolation, Kind::kFormatExpression) && expression) {
        operands.Add(Expression(expression));
        at.SkipChildren();
      } else {
        ++at;
      }
    }
  }
  if (operands.size() > 0 || literal->templated) return Make(OpKind::kFormatString, node.span(), operands.all());
  if (!literal->exact) return Make(OpKind::kOpaque, node.span());
  if (!literal->bytes) return PlainText(node, text);
  return Make(OpKind::kBytes, node.span(), {}, program_.strings.Intern(text).index());
}

Operand Lowerer::Several(std::span<const Node> nodes, Span span) {
  Operands operands(*this);
  for (const Node node : nodes) operands.Add(Expression(node));
  return Make(OpKind::kTuple, span, operands.all());
}

Operand Lowerer::Elements(OpKind kind, Node node) {
  Operands operands(*this);
  for (const Node element : node.NamedChildren()) operands.Add(Expression(element));
  return Make(kind, node.span(), operands.all());
}

Operand Lowerer::Dictionary(Node node) {
  Operands operands(*this);
  for (const Node entry : node.NamedChildren()) {
    if (entry.Is(Kind::kPair)) {
      operands.Add(Expression(entry.Child(Field::kKey)));
      operands.Add(Expression(entry.Child(Field::kValue)));
    } else {
      operands.Add({ValueId::None(), {entry.span().begin, entry.span().begin}});
      operands.Add(Expression(entry.Is(Kind::kDictionarySplat) ? entry.FirstNamed() : entry));
    }
  }
  return Make(OpKind::kDict, node.span(), operands.all());
}

// --- Operators ---------------------------------------------------------------------------------------------------

Operand Lowerer::Unary(Node node) {
  const Operand value = Expression(node.Child(Field::kArgument));
  const Kind op = node.Child(Field::kOperator).kind();
  ir::UnaryOp unary = ir::UnaryOp::kInvert;
  if (op == Kind::kTokenMinus) unary = ir::UnaryOp::kNegative;
  if (op == Kind::kTokenPlus) unary = ir::UnaryOp::kPositive;
  return Make(OpKind::kUnary, node.span(), {value}, 0, static_cast<std::uint8_t>(unary));
}

Operand Lowerer::Compare(Node node) {
  const Operand left = Expression(node.FirstNamed());
  const Operand right = Expression(node.NamedChild(1));
  return CompareTwo(left, node.Child(Field::kOperators), right, node.span());
}

Operand Lowerer::CompareTwo(Operand left, Node op, Operand right, Span span) {
  const std::uint8_t detail = CompareOf(op.kind());
  if (detail == kNoOperator) return Make(OpKind::kOpaque, span, {left, right});
  return Make(OpKind::kCompare, span, {left, right}, 0, detail);
}

Operand Lowerer::Yield(Node node) {
  const Node value = node.FirstNamed();
  const std::uint8_t from = node.HasToken(Kind::kTokenFrom) ? 1 : 0;
  if (!value) return Make(OpKind::kYield, node.span());
  return Make(OpKind::kYield, node.span(), {Expression(value)}, 0, from);
}

// --- Calls and subscripts ----------------------------------------------------------------------------------------

Operand Lowerer::Call(Node node, Operand callee) {
  const Node arguments = node.Child(Field::kArguments);
  ir::CallShape shape;
  Operands operands(*this);
  operands.Add(callee);
  if (arguments.Is(Kind::kGeneratorExpression)) {
    operands.Add(Expression(arguments));
    shape.positional = 1;
  } else {
    for (const Node argument : arguments.NamedChildren()) {
      if (argument.IsAny(Kind::kKeywordArgument, Kind::kDictionarySplat)) continue;
      operands.Add(Expression(argument));
      ++shape.positional;
    }
    for (const Node argument : arguments.NamedChildren()) {
      if (argument.Is(Kind::kKeywordArgument)) {
        shape.keywords.push_back(SymbolOf(argument.Child(Field::kName)));
        operands.Add(Expression(argument.Child(Field::kValue)));
      } else if (argument.Is(Kind::kDictionarySplat)) {
        shape.keywords.push_back(Symbol::None());
        operands.Add(Expression(argument.FirstNamed()));
      }
    }
  }
  const Operand value = Make(OpKind::kCall, node.span(), operands.all(), program_.Intern(std::move(shape)));
  calls_.push_back(value.value);
  return value;
}

// The keys of a subscript; `x[(i, j)]` is `x[i, j]`.
void Lowerer::Keys(Node subscript, Operands& operands, std::uint8_t& flags) {
  std::size_t count = 0;
  Node only;
  for (const Node key : subscript.ChildrenOf(Field::kSubscript)) {
    only = key;
    ++count;
  }
  if (count == 1 && only.Is(Kind::kTuple) && only.NamedCount() > 0) {
    flags |= ir::kTupleIndex;
    for (const Node key : only.NamedChildren()) operands.Add(Expression(key));
    return;
  }
  if (count > 1 || subscript.HasToken(Kind::kTokenComma)) flags |= ir::kTupleIndex;
  for (const Node key : subscript.ChildrenOf(Field::kSubscript)) operands.Add(Expression(key));
}

Operand Lowerer::Slice(Node node) {
  std::array<Operand, 3> parts{};
  for (Operand& part : parts) part.span = {node.span().begin, node.span().begin};
  std::size_t at = 0;
  for (const Node child : node.Children()) {
    if (child.Is(Kind::kTokenColon)) {
      ++at;
    } else if (child.named() && at < parts.size()) {
      parts[at] = Expression(child);
    }
  }
  return Make(OpKind::kSlice, node.span(), parts);
}

// --- Comprehensions ----------------------------------------------------------------------------------------------

// In place: a loop per `for`, its body the rest of the clauses. A filter that fails goes on with the next trip.
Operand Lowerer::Comprehension(Node node) {
  ir::CollectionKind kind = ir::CollectionKind::kGenerator;
  if (node.Is(Kind::kListComprehension)) kind = ir::CollectionKind::kList;
  if (node.Is(Kind::kSetComprehension)) kind = ir::CollectionKind::kSet;
  if (node.Is(Kind::kDictionaryComprehension)) kind = ir::CollectionKind::kDict;
  const Operand result = Make(OpKind::kCollection, node.span(), {}, 0, static_cast<std::uint8_t>(kind));
  struct Level {
    LoopId outer;
    GuardId guard;
    BlockId header, exit;
    ir::Builder::Fork fork;
  };
  std::vector<Level> levels;
  for (const Node clause : node.NamedChildren()) {
    if (clause.Is(Kind::kIfClause) && !levels.empty()) {
      const GuardId before = guard_;
      Target yes{NewBlock(), {}}, no{levels.back().header, {}};
      Condition(clause.FirstNamed(), TruthContext::kFilter, yes, no);
      StartTarget(yes, before);
    }
    if (!clause.Is(Kind::kForInClause)) continue;
    const Node target = clause.Child(Field::kLeft);
    std::vector<Node> sources;
    for (const Node right : clause.ChildrenOf(Field::kRight)) sources.push_back(right);
    const Span source_span = Join(sources.front().span(), sources.back().span());
    const Operand iterable = sources.size() == 1 ? Expression(sources[0]) : Several(sources, source_span);
    builder_.Keep(iterable.value);
    const LoopId loop = NewLoop(ir::Loop::Kind::kComprehension, clause.span(), clause.span());
    const Operand iter = Make(OpKind::kIter, iterable.span, {iterable}, loop.index());
    Level level{loop_, guard_, BlockId::None(), NewBlock(), builder_.OpenFork()};
    loop_ = loop;
    level.header = NewBlock();
    const BlockId body = NewBlock();
    Jump(level.header, clause.span());
    builder_.Start(level.header);
    builder_.ForNext(loop, iter, body, level.exit, clause.span());
    builder_.StartSealed(body);
    const Operand item = Make(OpKind::kLoopItem, target.span(), {iter}, loop.index());
    ir::Loop& record = program_.loops[loop];
    record.header = level.header;
    record.body = body;
    record.iterable = iterable.value;
    record.item = item.value;
    record.iterable_span = source_span;
    record.target_span = target.span();
    levels.push_back(level);
    Assign(target, item);
  }
  const Node body = node.Child(Field::kBody);
  {
    Operands operands(*this);
    operands.Add(result);
    if (body.Is(Kind::kPair)) {
      operands.Add(Expression(body.Child(Field::kKey)));
      operands.Add(Expression(body.Child(Field::kValue)));
    } else {
      operands.Add(Expression(body));
    }
    Make(OpKind::kCollectItem, body.span(), operands.all());
  }
  for (std::size_t i = levels.size(); i-- > 0;) {
    const Level& level = levels[i];
    Jump(level.header, node.span());
    builder_.Seal(level.header);
    loop_ = level.outer;
    guard_ = level.guard;
    builder_.CloseFork(level.fork, level.exit);
    builder_.StartSealed(level.exit);
  }
  return result;
}

}  // namespace cpnlint::lower
