#include "analyzer/lower/lowerer.h"

// try. An exception may leave the suite before its first statement and at the end of each block that assigned
// something, so that handlers see the variables' old and new values. A finally suite is lowered once; who comes through
// it by break or continue is sent on behind it.

namespace cpnlint::lower {

// Before control leaves a block in a try suite: what it assigned is seen by the handlers.
void Lowerer::Edge() {
  if (!raise_to_.valid() || !builder_.AnyWrittenHere()) return;
  const BlockId next = NewBlock();
  const Span span = program_.statements[builder_.statement].span;
  builder_.Either(next, raise_to_, span);
  builder_.StartSealed(next);
}

void Lowerer::Try(Node node) {
  const Span header = HeaderSpan(node);
  NewStatement(header);
  const Node last = node.ChildOfKind(Kind::kFinallyClause);
  const bool handled = node.ChildOfKind(Kind::kExceptClause).valid();
  const GuardId outer = guard_;
  const BlockId after = NewBlock();
  const BlockId finally_block = last ? NewBlock() : BlockId::None();
  const std::size_t base = arm_stack_.size();
  const ir::Builder::Fork fork = builder_.OpenFork();
  Edge();
  const BlockId target = last ? finally_block : after;
  if (last) contexts_.push_back({LoopId::None(), finally_block, BlockId::None()});
  {
    const Saved<BlockId> raise_outer(raise_to_, last ? finally_block : raise_to_);
    const BlockId suite = NewBlock();
    const BlockId dispatch = handled ? NewBlock() : finally_block;
    if (dispatch.valid()) {
      builder_.Either(suite, dispatch, header);
    } else {
      builder_.Jump(suite, header);  // neither except nor finally: no Python
    }
    {
      const Saved<BlockId> raise_inner(raise_to_, dispatch.valid() ? dispatch : raise_to_);
      builder_.StartSealed(suite);
      Suite(node.Child(Field::kBody));
      if (!builder_.dead()) Edge();
    }
    if (!builder_.dead()) {
      if (const Node otherwise = node.ChildOfKind(Kind::kElseClause)) Suite(otherwise.Child(Field::kBody));
    }
    arm_stack_.push_back({outer, guard_, !builder_.dead()});
    if (!builder_.dead()) Jump(target, header);
    if (handled) {
      ir::Guard guard;
      guard.parent = outer;
      guard.loop = loop_;
      guard.kind = ir::Guard::Kind::kExcept;
      guard_ = program_.guards.Add(guard);
      program_.blocks[dispatch].guard = guard_;
      builder_.CloseFork(fork, dispatch);
      builder_.StartSealed(dispatch);
      Handlers(node, target);
    }
  }
  std::size_t reaching = 0;
  GuardId reached = outer;
  for (std::size_t i = base; i < arm_stack_.size(); ++i) {
    if (!arm_stack_[i].reached) continue;
    ++reaching;
    reached = arm_stack_[i].end;
  }
  arm_stack_.resize(base);
  if (last) {
    const Context context = contexts_.back();
    contexts_.pop_back();
    guard_ = outer;
    builder_.CloseFork(fork, finally_block);
    builder_.StartSealed(finally_block);
    if (!builder_.dead()) Suite(last.ChildOfKind(Kind::kBlock));
    if (!builder_.dead()) AfterFinally(context, reaching > 0, after, header);
  }
  guard_ = reaching == 1 && !last ? reached : outer;
  program_.blocks[after].guard = guard_;
  builder_.CloseFork(fork, after);
  builder_.StartSealed(after);
}

// From the dispatch block on: the clauses one after the other, then what none of them takes.
void Lowerer::Handlers(Node node, BlockId after) {
  const GuardId outer = guard_;
  for (const Node clause : node.Children()) {
    if (!clause.Is(Kind::kExceptClause) || builder_.dead()) continue;
    guard_ = outer;
    Handler(clause, after);
  }
  guard_ = outer;
  if (builder_.dead()) return;
  const Span header = HeaderSpan(node);
  if (raise_to_.valid()) {
    builder_.Jump(raise_to_, header);
  } else {
    builder_.Leave(OpKind::kUnreachable, header, {});
  }
}

void Lowerer::Handler(Node clause, BlockId after) {
  NewStatement(HeaderSpan(clause));
  const GuardId outer = guard_;
  Node name;
  Operand caught;
  BlockId next;
  {
    Operands types(*this);
    Span span = clause.span();
    for (Node value : clause.ChildrenOf(Field::kValue)) {
      if (value.Is(Kind::kAsPattern)) {
        name = value.Child(Field::kAlias).FirstNamed();
        value = value.FirstNamed();
      }
      types.Add(Expression(value));
      span = types.size() == 1 ? value.span() : Join(span, value.span());
    }
    if (const Node alias = clause.Child(Field::kAlias))
      name = alias.Is(Kind::kAsPatternTarget) ? alias.FirstNamed() : alias;
    if (types.size() > 0) {
      next = NewBlock();
      const BlockId suite = NewBlock();
      Operand type = types.all()[0];
      if (types.size() > 1) type = Make(OpKind::kTuple, span, types.all());
      builder_.Either(suite, next, span, {&type, 1});
      builder_.StartSealed(suite);
      caught = Make(OpKind::kCaught, span, {type});
    }
  }
  if (name.Is(Kind::kIdentifier) && caught.value.valid()) WriteName(scopes_.NameOf(name), caught, name.span());
  Suite(clause.ChildOfKind(Kind::kBlock));
  if (!builder_.dead() && name.Is(Kind::kIdentifier)) {
    DeleteName(scopes_.NameOf(name), name.span(), ir::kSynthetic);
  }
  arm_stack_.push_back({outer, guard_, !builder_.dead()});
  if (!builder_.dead()) Jump(after, HeaderSpan(clause));
  guard_ = outer;
  if (next.valid()) {
    builder_.StartSealed(next);
  }
}

// The end of a finally suite: on behind the statement, or to where a break or continue was heading.
void Lowerer::AfterFinally(const Context& context, bool normal, BlockId after, Span span) {
  const auto fork_off = [&](bool more) {
    if (!more) return BlockId::None();
    const BlockId here = NewBlock();
    const BlockId next = NewBlock();
    Edge();
    builder_.Either(here, next, span);
    builder_.StartSealed(here);
    return next;
  };
  if (context.breaks) {
    const BlockId next = fork_off(context.continues || normal);
    Break(span);
    if (!next.valid()) return;
    builder_.StartSealed(next);
  }
  if (context.continues) {
    const BlockId next = fork_off(normal);
    Continue(span);
    if (!next.valid()) return;
    builder_.StartSealed(next);
  }
  if (normal) return Jump(after, span);
  Edge();
  builder_.Leave(OpKind::kUnreachable, span, {});
}

}  // namespace cpnlint::lower
