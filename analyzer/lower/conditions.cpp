#include <algorithm>
#include <utility>

#include "analyzer/lower/lowerer.h"

namespace cpnlint::lower {
namespace {

bool IsChain(Node node) {
  if (!node.Is(Kind::kComparisonOperator)) return false;
  return node.NamedCount() > 2;
}

bool IsAnd(Node node) { return node.Child(Field::kOperator).Is(Kind::kTokenAnd); }

}  // namespace

void Lowerer::Jump(BlockId block, Span span) {
  Edge();
  builder_.Jump(block, span);
}

// Lowers a test so that control goes to `yes` where it holds and to `no` where it fails.
void Lowerer::Condition(Node node, TruthContext context, Target& yes, Target& no) {
  const Saved<Span> whole(whole_test_, node.span());
  PartOfCondition(node, context, yes, no);
}

void Lowerer::PartOfCondition(Node node, TruthContext context, Target& yes, Target& no) {
  if (TooDeep(node)) return Test(Lost(node), context, yes, no);
  const Saved<int> depth(depth_, depth_ + 1);
  Target* holds = &yes;
  Target* fails = &no;
  for (;;) {
    if (node.Is(Kind::kNotOperator)) {
      std::swap(holds, fails);
      node = node.Child(Field::kArgument);
    } else if (node.Is(Kind::kParenthesizedExpression)) {
      node = node.FirstNamed();
    } else {
      break;
    }
  }
  if (node.Is(Kind::kBooleanOperator)) return BooleanCondition(node, context, *holds, *fails);
  if (IsChain(node)) return ChainCondition(node, context, *holds, *fails);
  Test(Expression(node), context, *holds, *fails);
}

void Lowerer::Test(Operand value, TruthContext context, Target& yes, Target& no) {
  const Operand truth = Make(OpKind::kTruth, value.span, {value}, 0, static_cast<std::uint8_t>(context));
  ++yes.edges;
  yes.truth = truth.value;
  yes.holds = true;
  ++no.edges;
  no.truth = truth.value;
  no.holds = false;
  Edge();
  builder_.Branch(truth, yes.block, no.block, whole_test_);
}

// The operands of `a and b and c`, which the tree nests to the left, onto the node stack, the last one on top. Returns
// where they start.
std::size_t Lowerer::FlattenBoolean(Node node) {
  const std::size_t base = node_stack_.size();
  const bool conjunction = IsAnd(node);
  for (;;) {
    node_stack_.push_back(node.Child(Field::kRight));
    node = node.Child(Field::kLeft);
    if (!node.Is(Kind::kBooleanOperator) || IsAnd(node) != conjunction) break;
  }
  node_stack_.push_back(node);
  std::reverse(node_stack_.begin() + static_cast<std::ptrdiff_t>(base), node_stack_.end());
  return base;
}

void Lowerer::BooleanCondition(Node node, TruthContext context, Target& yes, Target& no) {
  const bool conjunction = IsAnd(node);
  const Saved<GuardId> outer(guard_, guard_);
  const std::size_t base = FlattenBoolean(node);
  const std::size_t end = node_stack_.size();
  for (std::size_t i = base; i + 1 < end; ++i) {
    Target next{NewBlock(), {}};
    PartOfCondition(node_stack_[i], context, conjunction ? next : yes, conjunction ? no : next);
    if (context == TruthContext::kWhile) {
      program_.blocks[next.block].guard = guard_;  // tests of a loop's header are no guards
      builder_.StartSealed(next.block);
    } else {
      StartTarget(next, guard_);
    }
  }
  PartOfCondition(node_stack_[end - 1], context, yes, no);
  node_stack_.resize(base);
}

namespace {

// `< b` of `a < b < c`.
struct Comparison {
  Node op;
  Node right;
};

std::vector<Comparison> ComparisonsOf(Node chain) {
  std::vector<Comparison> comparisons;
  Node op;
  bool first = true;
  for (const Node child : chain.Children()) {
    if (child.field() == Field::kOperators) op = child;
    if (!child.named()) continue;
    if (!first) comparisons.push_back({op, child});
    first = false;
  }
  return comparisons;
}

}  // namespace

void Lowerer::ChainCondition(Node node, TruthContext context, Target& yes, Target& no) {
  const Saved<GuardId> outer(guard_, guard_);
  Operand left = Expression(node.FirstNamed());
  const std::vector<Comparison> comparisons = ComparisonsOf(node);
  for (const Comparison& comparison : comparisons) {
    const Operand right = Expression(comparison.right);
    const Operand compared = CompareTwo(left, comparison.op, right, Join(left.span, right.span));
    left = right;
    if (&comparison == &comparisons.back()) return Test(compared, context, yes, no);
    Target next{NewBlock(), {}};
    Test(compared, TruthContext::kCompareChain, next, no);
    if (context == TruthContext::kWhile) {
      program_.blocks[next.block].guard = guard_;
      builder_.StartSealed(next.block);
    } else {
      StartTarget(next, guard_);
    }
  }
}

// The guard of code that a condition leads to.
GuardId Lowerer::GuardOf(const Target& target, GuardId outer) {
  if (target.edges == 0 || !target.truth.valid()) return outer;
  ir::Guard guard;
  guard.truth = target.truth;
  guard.loop = program_.LoopOf(target.truth);
  guard.holds = target.holds;
  if (target.edges == 1) {
    guard.parent = program_.blocks[program_.ops[target.truth].block].guard;
  } else {
    guard.parent = outer;
    guard.kind = ir::Guard::Kind::kCompound;
  }
  return program_.guards.Add(guard);
}

void Lowerer::StartTarget(const Target& target, GuardId outer) {
  guard_ = GuardOf(target, outer);
  program_.blocks[target.block].guard = guard_;
  builder_.StartSealed(target.block);
}

// The guard of what follows an if or a match: where only one arm gets there, that arm's.
GuardId Lowerer::Reached(std::span<const Arm> arms, Arm rest) {
  for (std::size_t i = arms.size(); i-- > 0;) {
    if (arms[i].reached && rest.reached)
      rest.end = arms[i].before;
    else if (arms[i].reached)
      rest = arms[i];
  }
  return rest.end;
}

// --- As values ---------------------------------------------------------------------------------------------------

// `a and b`: the last operand evaluated. All operands but the last are tested.
Operand Lowerer::BooleanValue(Node node) {
  const bool conjunction = IsAnd(node);
  const auto context = static_cast<std::uint8_t>(conjunction ? TruthContext::kAnd : TruthContext::kOr);
  const Saved<GuardId> outer(guard_, guard_);
  const GuardId before = guard_;
  const ir::Builder::Fork fork = builder_.OpenFork();
  const BlockId join = NewBlock();
  const std::size_t base = FlattenBoolean(node);
  const std::size_t end = node_stack_.size();
  Operands values(*this);
  for (std::size_t i = base; i < end; ++i) {
    const Operand value = Expression(node_stack_[i]);
    values.Add(value);
    if (i + 1 == end) break;
    const Operand truth = Make(OpKind::kTruth, value.span, {value}, 0, context);
    const Target next{NewBlock(), truth.value, conjunction, 1};
    Edge();
    builder_.Branch(truth, conjunction ? next.block : join, conjunction ? join : next.block, value.span);
    StartTarget(next, before);
  }
  node_stack_.resize(base);
  Jump(join, node.span());
  builder_.CloseFork(fork, join);
  builder_.StartSealed(join);
  std::vector<ValueId> merged;
  for (const Operand& value : values.all()) merged.push_back(value.value);
  return {builder_.Merge(merged), node.span()};
}

// `a < b < c`: the first comparison that fails, else the last.
Operand Lowerer::ChainValue(Node node) {
  const Saved<GuardId> outer(guard_, guard_);
  const GuardId before = guard_;
  const ir::Builder::Fork fork = builder_.OpenFork();
  const BlockId join = NewBlock();
  std::vector<ValueId> merged;
  Operand left = Expression(node.FirstNamed());
  const std::vector<Comparison> comparisons = ComparisonsOf(node);
  for (const Comparison& comparison : comparisons) {
    const Operand right = Expression(comparison.right);
    const Operand compared = CompareTwo(left, comparison.op, right, Join(left.span, right.span));
    left = right;
    merged.push_back(compared.value);
    if (&comparison == &comparisons.back()) break;
    const Operand truth =
        Make(OpKind::kTruth, compared.span, {compared}, 0, static_cast<std::uint8_t>(TruthContext::kCompareChain));
    const Target next{NewBlock(), truth.value, true, 1};
    Edge();
    builder_.Branch(truth, next.block, join, compared.span);
    StartTarget(next, before);
  }
  Jump(join, node.span());
  builder_.CloseFork(fork, join);
  builder_.StartSealed(join);
  return {builder_.Merge(merged), node.span()};
}

Operand Lowerer::TernaryValue(Node node) {
  const Saved<GuardId> outer(guard_, guard_);
  const GuardId before = guard_;
  const ir::Builder::Fork fork = builder_.OpenFork();
  const BlockId join = NewBlock();
  Target yes{NewBlock(), {}}, no{NewBlock(), {}};
  Condition(node.NamedChild(1), TruthContext::kTernary, yes, no);
  StartTarget(yes, before);
  const Operand holds = Expression(node.NamedChild(0));
  Jump(join, node.span());
  StartTarget(no, before);
  const Operand fails = Expression(node.NamedChild(2));
  Jump(join, node.span());
  builder_.CloseFork(fork, join);
  builder_.StartSealed(join);
  const ValueId merged[] = {holds.value, fails.value};
  return {builder_.Merge(merged), node.span()};
}

}  // namespace cpnlint::lower
