#include "rules/match/factorisation.h"

#include <algorithm>

#include "rules/match/recurrence.h"
#include "rules/match/rewrite.h"
#include "rules/match/story.h"

namespace cpnlint::rules::match {

using ir::OpKind;

bool TakesStacks(std::string_view base) {
  return IsOneOf(base, {"linalg.solve", "linalg.inv", "linalg.cholesky", "linalg.eig", "linalg.eigh", "linalg.eigvals",
                        "linalg.eigvalsh"});
}

ir::LoopId LoopOverSystems(const Facts& facts, const DeviceCall& call) {
  const ir::Program& program = facts.program();
  const ir::ValueId matrix = facts.Source(call.array);
  if (program.ops[matrix].kind != ir::OpKind::kSubscript || !facts.IsDevice(program.Operand(matrix, 0))) return {};
  const auto keys = facts.KeysOf(matrix);
  if (keys.size() != 1) return {};
  for (ir::LoopId loop = program.LoopOf(call.call); loop.valid(); loop = program.loops[loop].parent) {
    if (facts.IsBareInduction(keys[0], loop)) return loop;
  }
  return {};
}

bool AreIndependent(const Facts& facts, const DeviceCall& call, ir::LoopId systems) {
  const ir::Program& program = facts.program();
  const ir::ValueId matrix = facts.Source(call.array), stack = facts.Source(program.Operand(matrix, 0));
  const ir::ValueId root = facts.RootOf(stack), counter = facts.Source(facts.KeysOf(matrix)[0]);
  // `c[j] = c[j] + eye` in front of `cholesky(c[j])`: before the loop the systems are others.
  const auto is_late = [&](ir::ValueId write) { return !facts.InLoop(write, systems) || matrix < write; };
  if (root.valid() && !std::ranges::all_of(facts.MutationsOf(root), is_late)) return false;
  if (!MayFeedItself(facts, call.call, systems)) return true;
  if (program.Operands(call.call).size() != 2 || !root.valid() || facts.InLoop(stack, systems)) return false;
  return std::ranges::all_of(facts.MutationsOf(root), [&](ir::ValueId write) {
    if (!facts.InLoop(write, systems)) return true;
    const auto keys = facts.KeysOf(write);
    return program.ops[write].kind == OpKind::kStoreSubscript && keys.size() == 1 && facts.Source(keys[0]) == counter;
  });
}

// `np.linalg.solve` where the user wrote `np.linalg.inv`.
static Text SolveBeside(const Facts& facts, const DeviceCall& call) {
  const ir::Program& program = facts.program();
  const ir::ValueId function = program.Operand(call.call, 0);
  const bool named = program.ops[function].kind == OpKind::kAttr;
  return named ? Text(program.OperandSpan(function, 0)).Add(".solve") : Text("np.linalg.solve");
}

Text InverseOfStack(const Facts& facts, const DeviceCall& call, ir::ValueId stack, Span words) {
  constexpr std::uint32_t kShort = 12;  // it is quoted up to four times
  const bool quoted = words.size() <= kShort;
  const Text name = quoted ? Text().Add(words, Binding::kPrimary) : Text("a");
  const int rank = facts.RankOf(stack);
  const auto rows = facts.store().dims().AsConst(facts.ExtentOf(stack, -1));
  const ir::DType dtype = facts.Of(stack).dtype;
  // NumPy inverts float32 as float32; integers and double precision give what identities of float64 give.
  const bool wide = dtype == ir::DType::kFloat64 || dtype == ir::DType::kComplex128 || ir::IsInteger(dtype);
  Text code = SolveBeside(facts, call);
  code.Add("(").Add(quoted ? Text(words) : name).Add(", np.tile(np.eye(");
  if (rank > 0 && rows) {
    code.Add(std::to_string(*rows));
  } else {
    code.Add(name).Add(".shape[-1]");
  }
  if (!wide) code.Add(", dtype=").Add(name).Add(".dtype");
  code.Add("), (");
  if (rank == 3) {
    code.Add("len(").Add(quoted ? Text(words) : name).Add(")");
  } else {
    code.Add("*").Add(name).Add(".shape[:-2]");
  }
  code.Add(", 1, 1)))");
  return quoted ? Text("`").Add(code).Add("`") : Text("`").Add(code).Add("` (`a` is the stack)");
}

Text HelpForStack(const Facts& facts, const DeviceCall& call) {
  const ir::Program& program = facts.program();
  const ir::ValueId matrix = facts.Source(call.array);
  const Span name = program.OperandSpan(call.call, 0), all = program.OperandSpan(matrix, 0);
  if (call.base == "linalg.inv") {
    return Text("solve once for the whole stack, as `inv` gives wrong numbers for stacks (26.6.1): ")
        .Add(InverseOfStack(facts, call, program.Operand(matrix, 0), all));
  }
  Text help("call it once for the whole stack: `");
  help.Add(name).Add("(").Add(all);
  if (call.base != "linalg.solve") return help.Add(")`");
  const ir::ValueId right = facts.Source(facts.Argument(call.call, 1, "b"));
  const auto keys = right.valid() && program.ops[right].kind == ir::OpKind::kSubscript ? facts.KeysOf(right)
                                                                                       : std::span<const ir::ValueId>{};
  const bool same = keys.size() == 1 && facts.Source(keys[0]) == facts.Source(facts.KeysOf(matrix)[0]);
  const int rank = same ? facts.RankOf(program.Operand(right, 0)) : -1;
  if (rank == 3) return help.Add(", ").Add(program.OperandSpan(right, 0)).Add(")`");
  if (rank == 2) {
    help.Add(", ").Add(program.OperandSpan(right, 0), Binding::kPrimary);
    return help.Add("[..., None])[..., 0]`");
  }
  return Text("call `")
      .Add(name)
      .Add("` once for the whole stack ")
      .Add(Quoted(all))
      .Add(", with the right-hand sides of all systems as (m, n, 1)");
}

// Nothing but the singular values of `u, s, vt = np.linalg.svd(a)` is read.
static bool ReadsValuesAlone(const Facts& facts, ir::ValueId svd) {
  const ir::Program& program = facts.program();
  if (facts.BoolOf(facts.Argument(svd, 2, "compute_uv")) == false) return true;
  const auto uses = facts.DeepUsesOf(svd);
  return !uses.empty() && std::ranges::all_of(uses, [&](ir::ValueId use) {
    const ir::Op& op = program.ops[use];
    if (op.kind == OpKind::kSubscript) return facts.IntOf(program.Operand(use, 1)) == 1;
    if (op.kind != OpKind::kUnpackItem) return false;
    return ir::ItemPosition::Unpack(op.payload).index == 1 || facts.DeepUsesOf(use).empty();
  });
}

// What gives the same, with `a` for the matrix and `turned` for its adjoint.
static Text InWords(std::string_view base, bool values_alone, const Text& a, const Text& turned, bool real) {
  const Text square = Text(turned).Add(" @ ").Add(a);
  if (base == "linalg.svd" && values_alone) {
    return Text("the singular values of a tall matrix are the square roots of `np.linalg.eigvalsh(")
        .Add(square)
        .Add(")`, at half the digits");
  }
  if (base == "linalg.svd") {
    return Text("of a tall matrix `squares, right = np.linalg.eigh(")
        .Add(square)
        .Add(
            ")` gives the squares of the singular values, the smallest first, and the right vectors as columns; the "
            "left ones are `")
        .Add(a)
        .Add(" @ right / np.sqrt(squares)`, at half the digits");
  }
  if (base == "linalg.qr") {
    return Text("the triangle of a tall matrix of full rank is `np.linalg.cholesky(")
        .Add(square)
        .Add(real ? ").T" : ").conj().T")
        .Add("` up to signs, at half the digits");
  }
  return Text("with a tall matrix of full rank solve in place of multiplying: `np.linalg.solve(")
      .Add(square)
      .Add(", ")
      .Add(turned)
      .Add(" @ b)`, at half the digits");
}

Text InsteadOfFactorisation(const Facts& facts, const DeviceCall& call) {
  constexpr std::uint32_t kShort = 30;  // it is quoted up to three times
  if (!IsOneOf(call.base, {"linalg.svd", "linalg.qr", "linalg.pinv"})) return {};
  const ir::DType dtype = facts.Of(call.array).dtype;
  const bool real = dtype != ir::DType::kUnknown && !ir::IsComplex(dtype);
  const bool values_alone = call.base == "linalg.svd" && ReadsValuesAlone(facts, call.call);
  const bool quoted = call.array_span.size() <= kShort;
  const Text matrix = quoted ? Text().Add(call.array_span, Binding::kPrimary) : Text("a");
  const Span untransposed = quoted ? Untransposed(facts, call.array, call.array_span) : Span{};
  const Text turned = untransposed.empty() ? Text(matrix).Add(real ? ".T" : ".conj().T")
                                           : Text().Add(untransposed, Binding::kPrimary).Add(real ? "" : ".conj()");
  Text help = InWords(call.base, values_alone, matrix, turned, real);
  return quoted ? help : help.Add(" (`a` is the matrix)");
}

}  // namespace cpnlint::rules::match
