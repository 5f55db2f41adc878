#pragma once

// The inside of the lowering: one object per module, its members spread over the .cpp files of this folder by question.
// Functions are lowered one after the other, nested ones after the one that makes them, so that the ops of each are
// contiguous.

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/ir/builder.h"
#include "analyzer/ir/program.h"
#include "analyzer/lower/lower.h"
#include "analyzer/lower/scopes.h"
#include "analyzer/syntax/node.h"

namespace cpnlint::lower {

using ir::BlockId;
using ir::FunctionId;
using ir::GuardId;
using ir::LoopId;
using ir::Operand;
using ir::OpKind;
using ir::TruthContext;
using ir::ValueId;
using syntax::Field;
using syntax::Kind;
using syntax::Node;

class Lowerer {
 public:
  Lowerer(const source::SourceFile& file, const syntax::Tree& tree, ir::Program& program,
          std::vector<SyntaxNote>& notes)
      : file_(file), tree_(tree), program_(program), notes_(notes), builder_(program) {}

  ir::ModuleId Run(std::string module_name);

 private:
  // Nesting of expressions and statements that is lowered; Python's own limits are about 100 blocks and 200 brackets.
  static constexpr int kMostDepth = 400;
  // Names that an Opaque op for lost code keeps as operands.
  static constexpr std::size_t kMostLostOperands = 64;

  // A function that is made and still has to be lowered.
  struct Task {
    FunctionId function;
    ScopeId scope;
    Node node;
    ir::ClassId made_class;  // class bodies: the class that is made by the same statement
  };

  // Where a branch of a condition goes, and by which test.
  struct Target {
    BlockId block;
    ValueId truth;
    bool holds = true;
    int edges = 0;
  };

  // What `break` and `continue` meet on their way out.
  struct Context {
    LoopId loop;                             // None() for a finally suite
    BlockId go_on;                           // loop: header; finally: its first block
    BlockId leave;                           // loop: the block behind it
    bool breaks = false, continues = false;  // finally: who comes through
  };

  // One arm of an if, match or try: how it ends.
  struct Arm {
    GuardId before;  // where its test was made
    GuardId end;
    bool reached = false;
  };

  // Restores a member at the end of a scope.
  template <class T>
  class Saved {
   public:
    Saved(T& place, T value) : place_(place), old_(place) { place = value; }
    ~Saved() { place_ = old_; }
    Saved(const Saved&) = delete;
    Saved& operator=(const Saved&) = delete;

   private:
    T& place_;
    T old_;
  };

  // Operands of an op that is being put together, on a stack shared by all.
  class Operands {
   public:
    explicit Operands(Lowerer& lowerer) : stack_(lowerer.operand_stack_), base_(stack_.size()) {}
    ~Operands() { stack_.resize(base_); }
    Operands(const Operands&) = delete;
    Operands& operator=(const Operands&) = delete;

    void Add(Operand operand) { stack_.push_back(operand); }
    [[nodiscard]] std::size_t size() const { return stack_.size() - base_; }
    [[nodiscard]] std::span<const Operand> all() const { return std::span<const Operand>(stack_).subspan(base_); }

   private:
    std::vector<Operand>& stack_;
    std::size_t base_;
  };

  // lower.cpp: the module, its functions, ops
  void LowerFunction(const Task& task);
  void FunctionParameters(const Task& task);
  void Settle(std::size_t first_function, std::size_t first_class, std::size_t first_loop);
  void ListCellOps(std::size_t first_cell, std::size_t first_op);
  Operand Make(OpKind kind, Span span, std::span<const Operand> operands, std::uint32_t payload = 0,
               std::uint8_t detail = 0, std::uint8_t flags = 0);
  Operand Make(OpKind kind, Span span, std::initializer_list<Operand> operands = {}, std::uint32_t payload = 0,
               std::uint8_t detail = 0, std::uint8_t flags = 0) {
    return Make(kind, span, std::span<const Operand>(operands.begin(), operands.size()), payload, detail, flags);
  }
  // Sets a flag on an op of this expression; a value that was made earlier stays as it is.
  void Flag(Operand value, std::size_t ops_before, std::uint8_t flag);
  Symbol SymbolOf(Node node) { return program_.names.Intern(node.text()); }
  void Note(Span span, std::string message);
  void NewStatement(Span span);
  static Span HeaderSpan(Node node);

  // names.cpp
  Operand ReadName(Node identifier, std::uint8_t flags = 0);
  void WriteName(NameId name, Operand value, Span span, std::uint8_t flags = 0);
  void DeleteName(NameId name, Span span, std::uint8_t flags);
  ir::CellId CellOf(NameId variable);
  void FindVariables(ScopeId unit);
  [[nodiscard]] bool IsMine(const Name& variable) const;

  // statements.cpp
  void Suite(Node block, Node skip = Node());
  void Statement(Node node, bool followed);
  void ExpressionStatement(Node node);
  void Simple(Node node);
  void Return(Node node);
  void Raise(Node node);
  void Assert(Node node);
  void Import(Node node);
  void ImportName(Node node, Node name, Symbol module, std::uint32_t level);
  void TypeAlias(Node node);
  void LostStatement(Node node);
  void LostNode(Node node);
  [[nodiscard]] bool TooDeep(Node node);

  // targets.cpp
  void Assignment(Node node);
  void Annotated(Node node);
  void Assign(Node target, Operand value, std::uint8_t flags = 0);
  void Unpack(Node target, Operand value);
  void AugmentedAssignment(Node node);
  void Delete(Node target);

  // control.cpp
  void If(Node node);
  void While(Node node);
  void For(Node node);
  void LoopElse(Node node, const ir::Builder::Fork& fork, BlockId otherwise, BlockId exit, LoopId loop);
  LoopId NewLoop(ir::Loop::Kind kind, Span span, Span header);
  [[nodiscard]] std::optional<std::size_t> WayOut() const;
  void Break(Span span);
  void Continue(Span span);
  void With(Node node, bool followed);
  void WithItems(Node node);
  void Match(Node node);
  struct Pattern;
  void ReadPattern(Node pattern, Pattern& out, Operands& operands);
  void Case(Node clause, Operand subject, Target& next);

  // exceptions.cpp
  void Try(Node node);
  void Handlers(Node node, BlockId after);
  void Handler(Node clause, BlockId after);
  void AfterFinally(const Context& context, bool normal, BlockId after, Span span);
  void Edge();

  // conditions.cpp
  void Condition(Node node, TruthContext context, Target& yes, Target& no);
  void PartOfCondition(Node node, TruthContext context, Target& yes, Target& no);
  void Test(Operand value, TruthContext context, Target& yes, Target& no);
  void ChainCondition(Node node, TruthContext context, Target& yes, Target& no);
  void BooleanCondition(Node node, TruthContext context, Target& yes, Target& no);
  GuardId GuardOf(const Target& target, GuardId outer);
  void StartTarget(const Target& target, GuardId outer);
  Operand BooleanValue(Node node);
  Operand ChainValue(Node node);
  Operand TernaryValue(Node node);
  std::size_t FlattenBoolean(Node node);
  static GuardId Reached(std::span<const Arm> arms, Arm rest);
  void Jump(BlockId block, Span span);
  BlockId NewBlock() { return builder_.NewBlock(loop_, guard_); }

  // expressions.cpp
  Operand Expression(Node node);
  Operand Primary(Node node);
  Operand Apply(Node node, Operand inner);
  Operand Several(std::span<const Node> nodes, Span span);
  Operand Elements(OpKind kind, Node node);
  Operand Dictionary(Node node);
  Operand Number(Node node);
  Operand String(Node node);
  Operand PlainText(Node node, std::string_view text);
  Operand Call(Node node, Operand callee);
  void Keys(Node subscript, Operands& operands, std::uint8_t& flags);
  Operand Slice(Node node);
  Operand Compare(Node node);
  Operand CompareTwo(Operand left, Node op, Operand right, Span span);
  Operand Unary(Node node);
  Operand Yield(Node node);
  Operand Comprehension(Node node);
  void Clause(Node clause);
  Operand TypeExpression(Node node);
  Operand Lost(Node node);

  // definitions.cpp
  void Function(Node node, std::span<const Operand> decorators, Span span);
  void Class(Node node, std::span<const Operand> decorators, Span span);
  void Decorated(Node node);
  Operand Lambda(Node node);
  Operand MakeFunction(Node node, ir::Function function, ScopeId scope);
  void Parameters(Node parameters, ir::Function& function, Operands& defaults);
  void TypeParameters(Node list);
  Operand Annotation(Node type, bool evaluated);
  Operand Decorate(Operand value, std::span<const Operand> decorators);
  std::string_view Qualified(std::string_view name);
  std::span<ValueId> ValuesOf(std::span<const Operand> operands);
  static Node DocstringStatement(Node body);

  const source::SourceFile& file_;
  const syntax::Tree& tree_;
  ir::Program& program_;
  std::vector<SyntaxNote>& notes_;
  ir::Builder builder_;
  Scopes scopes_;

  ir::ModuleId module_;
  std::vector<Task> tasks_;

  // The function at work.
  FunctionId function_;
  ScopeId unit_;
  std::vector<ir::Builder::Variable> variables_;
  std::vector<ValueId> calls_, returns_;
  std::vector<ir::Binding> bindings_;
  GuardId guard_;
  LoopId loop_;
  BlockId raise_to_;  // where an exception goes: handlers or a finally suite; None() outside try
  std::vector<Context> contexts_;
  int depth_ = 0;
  Span whole_test_;  // of the condition that is lowered: `a and not b` of `if a and not b:`; its branches have it
  std::uint32_t noted_statement_ = 0xffff'ffff;
  bool exhausted_noted_ = false;
  std::size_t lost_at_ = 0;  // next entry of Scopes::lost

  // Stacks shared by all levels; each user takes off what it put on.
  std::vector<Operand> operand_stack_;
  std::vector<Node> node_stack_;
  std::vector<Arm> arm_stack_;
  std::vector<Span> statement_spans_;
};

}  // namespace cpnlint::lower
