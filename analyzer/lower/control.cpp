#include "analyzer/lower/lowerer.h"

namespace cpnlint::lower {
namespace {

bool IsAlwaysTrue(Node node) {
  while (node.Is(Kind::kParenthesizedExpression)) node = node.FirstNamed();
  return node.Is(Kind::kTrue) || (node.Is(Kind::kInteger) && node.text() == "1");
}

// Ends by leaving: its last statement is a return, raise, break or continue.
bool EndsByLeaving(Node block) {
  for (int level = 0; level < 20; ++level) {
    const Node last = block.LastNamed();
    if (last.Is(Kind::kWithStatement)) {
      block = last.Child(Field::kBody);
      continue;
    }
    return last.IsAny(Kind::kReturnStatement, Kind::kRaiseStatement, Kind::kBreakStatement, Kind::kContinueStatement);
  }
  return false;
}

}  // namespace

void Lowerer::If(Node node) {
  const GuardId outer = guard_;
  const std::size_t base = arm_stack_.size();
  const BlockId join = NewBlock();
  ir::Builder::Fork fork;
  Arm rest;  // how control gets behind the statement past all the tests
  Target no;
  Node clause = node;
  auto alternatives = node.ChildrenOf(Field::kAlternative);
  auto next = alternatives.begin();
  for (;;) {
    NewStatement(HeaderSpan(clause));
    if (clause == node) fork = builder_.OpenFork();
    const Node alternative = next == alternatives.end() ? Node() : *next;
    const GuardId before = guard_;
    Target yes{NewBlock(), {}};
    no = Target{alternative ? NewBlock() : join, {}};
    Condition(clause.Child(Field::kCondition), TruthContext::kIf, yes, no);
    StartTarget(yes, before);
    Suite(clause.Child(Field::kConsequence));
    arm_stack_.push_back({before, guard_, !builder_.dead()});
    if (!builder_.dead()) Jump(join, HeaderSpan(clause));
    guard_ = before;
    if (!alternative) {
      const bool needed = !arm_stack_.back().reached;
      rest = {before, needed ? GuardOf(no, before) : before, no.edges > 0};
      break;
    }
    StartTarget(no, before);
    if (alternative.Is(Kind::kElseClause)) {
      Suite(alternative.Child(Field::kBody));
      rest = {before, guard_, !builder_.dead()};
      if (!builder_.dead()) Jump(join, HeaderSpan(alternative));
      break;
    }
    clause = alternative;
    ++next;
  }
  guard_ = Reached(std::span<const Arm>(arm_stack_).subspan(base), rest);
  if (arm_stack_.size() == base) guard_ = outer;
  arm_stack_.resize(base);
  program_.blocks[join].guard = guard_;
  builder_.CloseFork(fork, join);
  builder_.StartSealed(join);
}

LoopId Lowerer::NewLoop(ir::Loop::Kind kind, Span span, Span header) {
  ir::Loop loop;
  loop.kind = kind;
  loop.parent = loop_;
  loop.function = function_;
  loop.span = span;
  loop.header_span = header;
  return program_.loops.Add(loop);
}

void Lowerer::While(Node node) {
  NewStatement(HeaderSpan(node));
  const GuardId outer = guard_;
  const LoopId outer_loop = loop_;
  const Node test = node.Child(Field::kCondition);
  const bool endless = IsAlwaysTrue(test);
  const Node otherwise = node.Child(Field::kAlternative);
  const LoopId loop = NewLoop(ir::Loop::Kind::kWhile, node.span(), HeaderSpan(node));
  program_.loops[loop].has_else = otherwise.valid();
  const BlockId exit = NewBlock();
  const BlockId else_block = otherwise ? NewBlock() : exit;
  loop_ = loop;
  const BlockId header = NewBlock();
  const ir::Builder::Fork fork = builder_.OpenFork();
  Jump(header, HeaderSpan(node));
  builder_.Start(header);
  Target yes{NewBlock(), {}}, no{else_block, {}};
  if (endless) {
    Jump(yes.block, test.span());
  } else {
    Condition(test, TruthContext::kWhile, yes, no);
    if (yes.edges == 1 && no.edges == 1) program_.loops[loop].truth = yes.truth;
  }
  program_.loops[loop].header = header;
  program_.loops[loop].body = yes.block;
  guard_ = outer;
  builder_.StartSealed(yes.block);
  contexts_.push_back({loop, header, exit});
  Suite(node.Child(Field::kBody));
  if (!builder_.dead()) Jump(header, HeaderSpan(node));
  builder_.Seal(header);
  contexts_.pop_back();
  loop_ = outer_loop;
  guard_ = outer;
  LoopElse(otherwise, fork, else_block, exit, loop);
}

void Lowerer::For(Node node) {
  NewStatement(HeaderSpan(node));
  const GuardId outer = guard_;
  const LoopId outer_loop = loop_;
  const Node target = node.Child(Field::kLeft);
  const Node right = node.Child(Field::kRight);
  const Node otherwise = node.Child(Field::kAlternative);
  const Operand iterable = Expression(right);
  builder_.Keep(iterable.value);
  const LoopId loop = NewLoop(ir::Loop::Kind::kFor, node.span(), HeaderSpan(node));
  const Operand iter = Make(OpKind::kIter, iterable.span, {iterable}, loop.index());
  const BlockId exit = NewBlock();
  const BlockId else_block = otherwise ? NewBlock() : exit;
  loop_ = loop;
  const BlockId header = NewBlock();
  const BlockId body = NewBlock();
  const ir::Builder::Fork fork = builder_.OpenFork();
  Jump(header, HeaderSpan(node));
  builder_.Start(header);
  builder_.ForNext(loop, iter, body, else_block, HeaderSpan(node));
  builder_.StartSealed(body);
  const Operand item = Make(OpKind::kLoopItem, target.span(), {iter}, loop.index());
  ir::Loop& record = program_.loops[loop];
  record.has_else = otherwise.valid();
  record.header = header;
  record.body = body;
  record.iterable = iterable.value;
  record.item = item.value;
  record.iterable_span = right.span();
  record.target_span = target.span();
  contexts_.push_back({loop, header, exit});
  Assign(target, item);
  Suite(node.Child(Field::kBody));
  if (!builder_.dead()) Jump(header, HeaderSpan(node));
  builder_.Seal(header);
  contexts_.pop_back();
  loop_ = outer_loop;
  guard_ = outer;
  LoopElse(otherwise, fork, else_block, exit, loop);
}

// The else suite, if there is one, and the block behind the loop.
void Lowerer::LoopElse(Node otherwise, const ir::Builder::Fork& fork, BlockId else_block, BlockId exit, LoopId loop) {
  const GuardId outer = guard_;
  if (otherwise) {
    if (program_.loops[loop].has_break) {
      ir::Guard guard;
      guard.parent = guard_;
      guard.loop = loop_;
      guard.kind = ir::Guard::Kind::kLoopElse;
      guard_ = program_.guards.Add(guard);
      program_.blocks[else_block].guard = guard_;
    }
    builder_.StartSealed(else_block);
    Suite(otherwise.Child(Field::kBody));
    if (!builder_.dead()) Jump(exit, HeaderSpan(otherwise));
  }
  guard_ = outer;
  builder_.CloseFork(fork, exit);
  builder_.StartSealed(exit);
}

// The place among the contexts that a break or continue goes to first: the loop, or a finally suite on the way, which
// takes over and sends control on when it is done. None outside of loops.
std::optional<std::size_t> Lowerer::WayOut() const {
  for (std::size_t i = contexts_.size(); i-- > 0;) {
    if (contexts_[i].loop.valid()) return contexts_.size() - 1;
  }
  return std::nullopt;
}

void Lowerer::Break(Span span) {
  const std::optional<std::size_t> at = WayOut();
  if (!at) {
    Make(OpKind::kOpaque, span);  // no Python
    return;
  }
  Context& context = contexts_[*at];
  if (!context.loop.valid()) {
    context.breaks = true;
    return Jump(context.go_on, span);
  }
  program_.loops[context.loop].has_break = true;
  Jump(context.leave, span);
}

void Lowerer::Continue(Span span) {
  const std::optional<std::size_t> at = WayOut();
  if (!at) {
    Make(OpKind::kOpaque, span);
    return;
  }
  Context& context = contexts_[*at];
  if (!context.loop.valid()) context.continues = true;
  Jump(context.go_on, span);
}

void Lowerer::WithItems(Node node) {
  for (const Node item : node.ChildOfKind(Kind::kWithClause).NamedChildren()) {
    const Node value = item.Is(Kind::kWithItem) ? item.Child(Field::kValue) : item;
    const bool named = value.Is(Kind::kAsPattern);
    const Operand context = Expression(named ? value.FirstNamed() : value);
    const Operand entered = Make(OpKind::kWithEnter, value.span(), {context});
    program_.withs.push_back({entered.value, node.Child(Field::kBody).span()});
    if (named) Assign(value.Child(Field::kAlias).FirstNamed(), entered);
  }
}

// Code behind a `with` whose suite leaves can only run when the context swallows exceptions, as contextlib.suppress
// does; so then an exception is taken to lead there, and else to pass by.
void Lowerer::With(Node node, bool followed) {
  NewStatement(HeaderSpan(node));
  WithItems(node);
  const Node body = node.Child(Field::kBody);
  if (!followed || !EndsByLeaving(body)) return Suite(body);
  const GuardId outer = guard_;
  const BlockId after = NewBlock();
  const BlockId suite = NewBlock();
  const ir::Builder::Fork fork = builder_.OpenFork();
  Edge();
  builder_.Either(suite, after, HeaderSpan(node));
  {
    const Saved<BlockId> raise_to(raise_to_, after);
    builder_.StartSealed(suite);
    Suite(body);
    if (!builder_.dead()) Jump(after, HeaderSpan(node));
  }
  guard_ = outer;
  builder_.CloseFork(fork, after);
  builder_.StartSealed(after);
}

// --- match -------------------------------------------------------------------------------------------------------

struct Lowerer::Pattern {
  std::vector<Node> captures;  // identifiers
  bool refutable = false;
};

void Lowerer::Match(Node node) {
  NewStatement(HeaderSpan(node));
  std::vector<Node> subjects;
  for (const Node subject : node.ChildrenOf(Field::kSubject)) subjects.push_back(subject);
  const bool sequence = subjects.size() > 1 || node.HasToken(Kind::kTokenComma);
  const Span span = subjects.empty() ? node.span() : Join(subjects.front().span(), subjects.back().span());
  const Operand subject = sequence || subjects.empty() ? Several(subjects, span) : Expression(subjects[0]);
  const std::size_t base = arm_stack_.size();
  const BlockId join = NewBlock();
  const ir::Builder::Fork fork = builder_.OpenFork();
  const GuardId outer = guard_;
  for (const Node clause : node.Child(Field::kBody).NamedChildren()) {
    if (!clause.Is(Kind::kCaseClause) || builder_.dead()) continue;
    NewStatement(HeaderSpan(clause));
    const GuardId before = guard_;
    Target next{NewBlock(), {}};
    Case(clause, subject, next);
    arm_stack_.push_back({before, guard_, !builder_.dead()});
    if (!builder_.dead()) Jump(join, HeaderSpan(clause));
    guard_ = before;
    if (next.edges == 0) {
      builder_.StartSealed(next.block);  // nothing gets past a case that takes all
      continue;
    }
    StartTarget(next, before);
  }
  const Arm rest{guard_, guard_, !builder_.dead()};
  if (!builder_.dead()) Jump(join, HeaderSpan(node));
  guard_ = Reached(std::span<const Arm>(arm_stack_).subspan(base), rest);
  if (arm_stack_.size() == base) guard_ = outer;
  arm_stack_.resize(base);
  program_.blocks[join].guard = guard_;
  builder_.CloseFork(fork, join);
  builder_.StartSealed(join);
}

void Lowerer::Case(Node clause, Operand subject, Target& next) {
  const GuardId before = guard_;
  Pattern pattern;
  Span span{};
  std::size_t count = 0;
  {
    Operands operands(*this);
    operands.Add(subject);
    for (const Node child : clause.NamedChildren()) {
      if (!child.Is(Kind::kCasePattern)) continue;
      span = count++ == 0 ? child.span() : Join(span, child.span());
      ReadPattern(child, pattern, operands);
    }
    pattern.refutable = pattern.refutable || count > 1 || clause.HasToken(Kind::kTokenComma);
    if (pattern.refutable) {
      const Operand test = Make(OpKind::kMatchTest, span, operands.all());
      const Target yes{NewBlock(), test.value, true, 1};
      ++next.edges;
      next.truth = test.value;
      next.holds = false;
      Edge();
      builder_.Branch(test, yes.block, next.block, span);
      StartTarget(yes, before);
    }
  }
  for (const Node capture : pattern.captures) {
    const Operand bound = Make(OpKind::kMatchBind, capture.span(), {subject}, SymbolOf(capture).index());
    WriteName(scopes_.NameOf(capture), bound, capture.span());
  }
  if (const Node guard = clause.Child(Field::kGuard)) {
    const GuardId matched = guard_;
    Target holds{NewBlock(), {}};
    Condition(guard.FirstNamed(), TruthContext::kMatchGuard, holds, next);
    StartTarget(holds, matched);
  }
  Suite(clause.Child(Field::kConsequence));
}

// The values that a pattern mentions become operands, the names it binds are noted down. Below the case_pattern, only a
// bare capture or `_` matches anything.
void Lowerer::ReadPattern(Node root, Pattern& out, Operands& operands) {
  auto range = root.Subtree();
  for (auto at = range.begin(); at != range.end();) {
    const Node node = *at;
    if (node.Is(Kind::kDottedName)) {
      const Node first = node.FirstNamed();
      if (scopes_.binds[first.index()]) {
        out.captures.push_back(first);
      } else {
        out.refutable = true;
        Operand value = ReadName(first);
        bool skipped = false;
        for (const Node part : node.NamedChildren()) {
          if (skipped) {
            value = Make(OpKind::kAttr, {node.span().begin, part.span().end}, {value}, SymbolOf(part).index());
          }
          skipped = true;
        }
        operands.Add(value);
      }
      at.SkipChildren();
      continue;
    }
    if (node.Is(Kind::kIdentifier)) {
      if (scopes_.binds[node.index()]) out.captures.push_back(node);
    } else if (node.IsAny(Kind::kInteger, Kind::kFloat, Kind::kString, Kind::kConcatenatedString, Kind::kTrue,
                          Kind::kFalse, Kind::kNone)) {
      out.refutable = true;
      operands.Add(Expression(node));
      at.SkipChildren();
      continue;
    } else if (node.named() && !node.IsAny(Kind::kCasePattern, Kind::kAsPattern, Kind::kUnionPattern)) {
      out.refutable =
          out.refutable || !node.Is(Kind::kTuplePattern) || node.NamedCount() != 1 || node.HasToken(Kind::kTokenComma);
    }
    ++at;
  }
}

}  // namespace cpnlint::lower
