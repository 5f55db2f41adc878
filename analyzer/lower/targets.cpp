#include "analyzer/lower/lowerer.h"

namespace cpnlint::lower {
namespace {

constexpr std::uint8_t kNoOperator = 0xff;

std::uint8_t BinaryOf(Kind token) {
  using ir::BinaryOp;
  const auto of = [](BinaryOp op) { return static_cast<std::uint8_t>(op); };
  switch (token) {
    case Kind::kTokenPlusEqual: return of(BinaryOp::kAdd);
    case Kind::kTokenMinusEqual: return of(BinaryOp::kSub);
    case Kind::kTokenStarEqual: return of(BinaryOp::kMul);
    case Kind::kTokenSlashEqual: return of(BinaryOp::kDiv);
    case Kind::kTokenDoubleSlashEqual: return of(BinaryOp::kFloorDiv);
    case Kind::kTokenPercentEqual: return of(BinaryOp::kMod);
    case Kind::kTokenDoubleStarEqual: return of(BinaryOp::kPow);
    case Kind::kTokenAtEqual: return of(BinaryOp::kMatMul);
    case Kind::kTokenShiftLeftEqual: return of(BinaryOp::kLeftShift);
    case Kind::kTokenShiftRightEqual: return of(BinaryOp::kRightShift);
    case Kind::kTokenAmpersandEqual: return of(BinaryOp::kAnd);
    case Kind::kTokenPipeEqual: return of(BinaryOp::kOr);
    case Kind::kTokenCaretEqual: return of(BinaryOp::kXor);
    default: return kNoOperator;
  }
}

bool IsStarred(Node node) { return node.IsAny(Kind::kListSplatPattern, Kind::kListSplat); }

// A tuple of so many values, one by one: `a, b = b, a` gives each target a value that is known. What will become a phi
// (ir/builder.h) is no op yet.
bool HoldsJust(const ir::Program& program, ValueId tuple, std::uint32_t count) {
  const auto is = [&](ValueId value, OpKind kind) {
    return value.valid() && value.index() < program.ops.size() && program.ops[value].kind == kind;
  };
  if (!is(tuple, OpKind::kTuple)) return false;
  const std::span<const ValueId> items = program.Operands(tuple);
  return items.size() == count &&
         std::ranges::none_of(items, [&](ValueId item) { return !item.valid() || is(item, OpKind::kStarred); });
}

}  // namespace

// `a = b = value`: one value, the targets from left to right.
void Lowerer::Assignment(Node node) {
  Node right = node;
  while (right.Is(Kind::kAssignment)) {
    if (right.Child(Field::kType)) return Annotated(node);
    right = right.Child(Field::kRight);
  }
  const Operand value = Expression(right);
  for (Node part = node; part.Is(Kind::kAssignment); part = part.Child(Field::kRight)) {
    Assign(part.Child(Field::kLeft), value);
  }
}

void Lowerer::Annotated(Node node) {
  const Node left = node.Child(Field::kLeft);
  const Node right = node.Child(Field::kRight);
  const ir::Function::Kind kind = program_.functions[function_].kind;
  const bool evaluated = kind == ir::Function::Kind::kModule || kind == ir::Function::Kind::kClassBody;
  Operand value;
  if (right.Is(Kind::kAssignment)) {  // x: int = y = 3 is no Python; the grammar lets it pass
    Assignment(right);
    return;
  }
  if (right) value = Expression(right);
  const Node type = node.Child(Field::kType);
  if (!type) return Assign(left, value);
  const Operand annotation = Annotation(type, evaluated);
  const Operand annotated = Make(OpKind::kAnnotate, node.span(), {value, annotation});
  if (right) return Assign(left, {annotated.value, right.span()});
  // A field of a dataclass and its like: the class knows the name, though nothing is assigned.
  if (kind == ir::Function::Kind::kClassBody && left.Is(Kind::kIdentifier)) {
    WriteName(scopes_.NameOf(left), annotated, left.span(), ir::kSynthetic);
  }
}

void Lowerer::Assign(Node target, Operand value, std::uint8_t flags) {
  target = WithoutParentheses(target);
  switch (target.kind()) {
    case Kind::kIdentifier: return WriteName(scopes_.NameOf(target), value, target.span(), flags);
    case Kind::kAttribute: {
      const Operand object = Expression(target.Child(Field::kObject));
      const Symbol name = SymbolOf(target.Child(Field::kAttribute));
      Make(OpKind::kStoreAttr, target.span(), {object, value}, name.index(), 0, flags);
      return;
    }
    case Kind::kSubscript: {
      Operands operands(*this);
      operands.Add(Expression(target.Child(Field::kValue)));
      operands.Add(value);
      Keys(target, operands, flags);
      Make(OpKind::kStoreSubscript, target.span(), operands.all(), 0, 0, flags);
      return;
    }
    case Kind::kListSplatPattern:
    case Kind::kListSplat: return Assign(target.FirstNamed(), value, flags);
    case Kind::kPatternList:
    case Kind::kTuplePattern:
    case Kind::kListPattern:
    case Kind::kExpressionList:
    case Kind::kTuple:
    case Kind::kList:
      if (TooDeep(target)) {
        Lost(target);
        return;
      }
      return Unpack(target, value);
    default: Expression(target); return;
  }
}

void Lowerer::Unpack(Node target, Operand value) {
  const Saved<int> depth(depth_, depth_ + 1);
  ir::ItemPosition position;
  for (const Node part : target.NamedChildren()) {
    if (IsStarred(part)) position.star = position.count;
    ++position.count;
  }
  if (position.star == ir::ItemPosition::kNoStar && HoldsJust(program_, value.value, position.count)) {
    for (const Node part : target.NamedChildren()) {
      const std::uint32_t index = position.index++;
      Assign(part, {program_.Operand(value.value, index), program_.OperandSpan(value.value, index)});
    }
    return;
  }
  const bool known = position.count <= ir::ItemPosition::kMost;
  for (const Node part : target.NamedChildren()) {
    const Operand item = known ? Make(OpKind::kUnpackItem, part.span(), {value}, position.Pack())
                               : Make(OpKind::kOpaque, part.span(), {value});
    ++position.index;
    Assign(part, item);
  }
}

void Lowerer::AugmentedAssignment(Node node) {
  const Node target = WithoutParentheses(node.Child(Field::kLeft));
  const std::uint8_t op = BinaryOf(node.Child(Field::kOperator).kind());
  const OpKind kind = op == kNoOperator ? OpKind::kOpaque : OpKind::kInplaceBinary;
  const auto change = [&](Operand old) {
    const Operand right = Expression(node.Child(Field::kRight));
    return Make(kind, node.span(), {{old.value, target.span()}, right}, 0, op == kNoOperator ? 0 : op, ir::kAugmented);
  };
  if (target.Is(Kind::kIdentifier)) {
    const Operand changed = change(ReadName(target, ir::kAugmented));
    return WriteName(scopes_.NameOf(target), changed, target.span(), ir::kAugmented);
  }
  if (target.Is(Kind::kAttribute)) {
    const Operand object = Expression(target.Child(Field::kObject));
    const Symbol name = SymbolOf(target.Child(Field::kAttribute));
    const Operand old = Make(OpKind::kAttr, target.span(), {object}, name.index(), 0, ir::kAugmented);
    const Operand changed = change(old);
    Make(OpKind::kStoreAttr, target.span(), {object, changed}, name.index(), 0, ir::kAugmented);
    return;
  }
  if (target.Is(Kind::kSubscript)) {
    const Operand base = Expression(target.Child(Field::kValue));
    std::uint8_t flags = ir::kAugmented;
    Operands keys(*this);
    Keys(target, keys, flags);
    const std::vector<Operand> indexes(keys.all().begin(), keys.all().end());
    Operands operands(*this);
    operands.Add(base);
    for (const Operand& index : indexes) operands.Add(index);
    const Operand old = Make(OpKind::kSubscript, target.span(), operands.all(), 0, 0, flags);
    const Operand changed = change(old);
    Operands stored(*this);
    stored.Add(base);
    stored.Add(changed);
    for (const Operand& index : indexes) stored.Add(index);
    Make(OpKind::kStoreSubscript, target.span(), stored.all(), 0, 0, flags);
    return;
  }
  Assign(target, change(Expression(target)), ir::kAugmented);
}

void Lowerer::Delete(Node target) {
  target = WithoutParentheses(target);
  switch (target.kind()) {
    case Kind::kIdentifier: return DeleteName(scopes_.NameOf(target), target.span(), 0);
    case Kind::kAttribute: {
      const Operand object = Expression(target.Child(Field::kObject));
      Make(OpKind::kDelAttr, target.span(), {object}, SymbolOf(target.Child(Field::kAttribute)).index());
      return;
    }
    case Kind::kSubscript: {
      Operands operands(*this);
      operands.Add(Expression(target.Child(Field::kValue)));
      std::uint8_t flags = 0;
      Keys(target, operands, flags);
      Make(OpKind::kDelSubscript, target.span(), operands.all(), 0, 0, flags);
      return;
    }
    default: break;
  }
  if (TooDeep(target)) {
    Lost(target);
    return;
  }
  const Saved<int> depth(depth_, depth_ + 1);
  for (const Node part : target.NamedChildren()) Delete(part);
}

}  // namespace cpnlint::lower
