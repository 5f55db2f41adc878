// SSA construction by hand, without a front end.

#include <vector>

#include <catch2/catch.hpp>

#include "analyzer/ir/builder.h"
#include "analyzer/ir/verify.h"

namespace cpnlint::ir {
namespace {

// One module of one function with two variables, x and y.
struct Fixture {
  Fixture() : builder(program) {
    Function function;
    function.kind = Function::Kind::kModule;
    Module module;
    function.module = program.modules.Add(module);
    body = program.functions.Add(function);
    variables = {{program.names.Intern("x"), OpKind::kUnbound, program.names.Intern("x").index()},
                 {program.names.Intern("y"), OpKind::kUnbound, program.names.Intern("y").index()}};
    builder.statement = program.statements.Add({Span{0, 0}, body});
    builder.Begin(body, variables);
  }

  ValueId Constant() { return builder.Emit(OpKind::kNone, {}, {}); }
  Operand Test() {
    const Operand value{Constant(), {}};
    return {builder.Emit(OpKind::kTruth, {}, {value}), {}};
  }
  BlockId Block(LoopId loop = {}) { return builder.NewBlock(loop, GuardId::None()); }
  // Ends the function by returning a value; gives back the value as it is in the end.
  ValueId Return(ValueId value) {
    const Operand operand{value, {}};
    const ValueId leave = builder.Leave(OpKind::kReturn, {}, {&operand, 1});
    program.functions[body].returns = program.values.Copy({&leave, 1});
    builder.Finish();
    program.modules[ModuleId(0)].body = body;
    program.modules[ModuleId(0)].first_function = body;
    program.modules[ModuleId(0)].end_function = FunctionId(program.functions.size());
    CHECK(Verify(program, ModuleId(0), 0) == std::vector<std::string>());
    return builder.Final(value);
  }
  [[nodiscard]] std::size_t Phis() const {
    std::size_t count = 0;
    for (const Op& op : program.ops) count += op.kind == OpKind::kPhi ? 1 : 0;
    return count;
  }

  Program program;
  Builder builder;
  FunctionId body;
  std::vector<Builder::Variable> variables;
};

TEST_CASE("within a block the last assignment counts", "[builder]") {
  Fixture f;
  f.builder.Write(0, f.Constant());
  const ValueId second = f.Constant();
  f.builder.Write(0, second);
  CHECK(f.Return(f.builder.Read(0)) == second);
}

TEST_CASE("a join of two assignments is a phi, parallel to the predecessors", "[builder]") {
  Fixture f;
  const BlockId left = f.Block(), right = f.Block(), join = f.Block();
  f.builder.Branch(f.Test(), left, right, {});
  f.builder.StartSealed(left);
  const ValueId one = f.Constant();
  f.builder.Write(0, one);
  f.builder.Jump(join, {});
  f.builder.StartSealed(right);
  const ValueId two = f.Constant();
  f.builder.Write(0, two);
  f.builder.Jump(join, {});
  f.builder.StartSealed(join);
  const ValueId merged = f.Return(f.builder.Read(0));
  REQUIRE(f.program.ops[merged].kind == OpKind::kPhi);
  CHECK(f.program.Name(f.program.ops[merged]) == "x");
  CHECK(f.program.Operand(merged, 0) == one);
  CHECK(f.program.Operand(merged, 1) == two);
  CHECK(f.program.blocks[f.program.ops[merged].block].ops.front() == merged);
}

TEST_CASE("a join without assignments needs no phi, with or without its fork", "[builder]") {
  const bool forked = GENERATE(false, true);
  Fixture f;
  const ValueId one = f.Constant();
  f.builder.Write(0, one);
  const BlockId left = f.Block(), join = f.Block();
  const Operand test = f.Test();
  const Builder::Fork fork = f.builder.OpenFork();
  f.builder.Branch(test, left, join, {});
  f.builder.StartSealed(left);
  f.builder.Write(1, f.Constant());
  f.builder.Jump(join, {});
  if (forked) f.builder.CloseFork(fork, join);
  f.builder.StartSealed(join);
  CHECK(f.Return(f.builder.Read(0)) == one);
  CHECK(f.Phis() == 0);
}

TEST_CASE("a loop's phi takes the value of the trip before", "[builder]") {
  Fixture f;
  const ValueId start = f.Constant();
  f.builder.Write(0, start);
  f.builder.Write(1, start);
  const BlockId header = f.Block(), body = f.Block(), exit = f.Block();
  f.builder.Jump(header, {});
  f.builder.Start(header);
  f.builder.Branch(f.Test(), body, exit, {});
  f.builder.StartSealed(body);
  const Operand operands[] = {{f.builder.Read(0), {}}, {f.builder.Read(1), {}}};
  const ValueId sum = f.builder.Emit(OpKind::kBinary, {}, operands);
  f.builder.Write(0, sum);
  f.builder.Jump(header, {});
  f.builder.Seal(header);
  f.builder.StartSealed(exit);
  const ValueId result = f.Return(f.builder.Read(0));
  REQUIRE(f.program.ops[result].kind == OpKind::kPhi);
  CHECK(f.program.Operand(result, 0) == start);
  CHECK(f.program.Operand(result, 1) == sum);
  CHECK(f.program.Operand(sum, 0) == result);
  CHECK(f.program.Operand(sum, 1) == start);  // y never changes: its provisional phi is gone
  CHECK(f.Phis() == 1);
}

TEST_CASE("a variable that is not assigned on a path is unbound there", "[builder]") {
  Fixture f;
  const BlockId left = f.Block(), join = f.Block();
  f.builder.Branch(f.Test(), left, join, {});
  f.builder.StartSealed(left);
  f.builder.Write(0, f.Constant());
  f.builder.Jump(join, {});
  f.builder.StartSealed(join);
  const ValueId merged = f.Return(f.builder.Read(0));
  REQUIRE(f.program.ops[merged].kind == OpKind::kPhi);
  CHECK(f.program.ops[f.program.Operand(merged, 0)].kind == OpKind::kUnbound);
}

TEST_CASE("a block that nothing leads to vanishes", "[builder]") {
  Fixture f;
  const BlockId lost = f.Block();
  const BlockId next = f.Block();
  f.builder.Jump(next, {});
  f.builder.StartSealed(lost);
  CHECK(f.builder.dead());
  f.builder.StartSealed(next);
  f.Return(f.Constant());
  CHECK(f.program.functions[f.body].blocks.size() == 2);
  CHECK(f.program.blocks.size() == 2);
}

TEST_CASE("old variables are found fast behind thousands of branches", "[builder]") {
  Fixture f;
  const ValueId one = f.Constant();
  f.builder.Write(0, one);
  for (int i = 0; i < 20000; ++i) {
    const BlockId left = f.Block(), join = f.Block();
    const Operand test = f.Test();
    const Builder::Fork fork = f.builder.OpenFork();
    f.builder.Branch(test, left, join, {});
    f.builder.StartSealed(left);
    f.builder.Write(1, test.value);
    f.builder.Jump(join, {});
    f.builder.CloseFork(fork, join);
    f.builder.StartSealed(join);
  }
  CHECK(f.builder.Read(0) == one);
  CHECK_FALSE(f.builder.exhausted());
  f.Return(one);
}

}  // namespace
}  // namespace cpnlint::ir
