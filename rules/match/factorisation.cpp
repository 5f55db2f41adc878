#include "rules/match/factorisation.h"

#include <algorithm>
#include <initializer_list>

#include "rules/match/recurrence.h"
#include "rules/match/rewrite.h"
#include "rules/match/square_matrix.h"
#include "rules/match/story.h"

namespace cpnlint::rules::match {

using ir::OpKind;

bool TakesStacks(std::string_view base) {
  return IsOneOf(base, {"linalg.solve", "linalg.inv", "linalg.cholesky", "linalg.eig", "linalg.eigh", "linalg.eigvals",
                        "linalg.eigvalsh"});
}

// `b` of `np.linalg.solve(a, b)`, by its number of axes: 1 a vector, 2 a matrix, -1 unknown.
static int RankOfRightSide(const Facts& facts, const DeviceCall& call) {
  const ir::ValueId right = facts.Argument(call.call, 1, "b");
  return right.valid() ? facts.RankOf(right) : -1;
}

Text StacksAreSolved(const Facts& facts, const DeviceCall& call) {
  if (call.base == "linalg.inv")
    return "; a stack is solved with identity matrices, as `inv` gives wrong numbers there (26.6.1)";
  if (call.base != "linalg.solve" || RankOfRightSide(facts, call) > 1) return {};
  // NumPy 2 and cuPyNumeric take `b` of two axes for one matrix, whatever `a` is.
  return Text("; vectors on the right-hand side need an axis more there, or they are taken for one matrix: `")
      .Add(facts.program().OperandSpan(call.call, 0))
      .Add("(a, b[..., None])[..., 0]`");
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
  Text once("call `");
  once.Add(name)
      .Add("` once for the whole stack ")
      .Add(Quoted(all))
      .Add(", with the right-hand sides of all systems as ");
  switch (RankOfRightSide(facts, call)) {
    case 1: return once.Add("(m, n, 1), and take `[..., 0]` of what it gives");
    case 2: return once.Add("(m, n, k)");
    default: return once.Add("(m, n, k); of vectors as (m, n, 1), with `[..., 0]` behind the call");
  }
}

// Nothing but these of `u, s, vt = np.linalg.svd(a)` is read: 0 for u, 1 for s, 2 for vt.
static bool ReadsOnly(const Facts& facts, ir::ValueId svd, std::initializer_list<std::int64_t> parts) {
  const ir::Program& program = facts.program();
  const auto uses = facts.DeepUsesOf(svd);
  return !uses.empty() && std::ranges::all_of(uses, [&](ir::ValueId use) {
    const ir::Op& op = program.ops[use];
    std::int64_t part = -1;
    if (op.kind == OpKind::kSubscript) part = facts.IntOf(program.Operand(use, 1)).value_or(-1);
    if (op.kind == OpKind::kUnpackItem) part = ir::ItemPosition::Unpack(op.payload).index;
    if (std::ranges::find(parts, part) != parts.end()) return true;
    return op.kind == OpKind::kUnpackItem && facts.DeepUsesOf(use).empty();
  });
}

static bool ReadsValuesAlone(const Facts& facts, ir::ValueId svd) {
  return facts.BoolOf(facts.Argument(svd, 2, "compute_uv")) == false || ReadsOnly(facts, svd, {1});
}

// A matrix in the words of the help: itself, as a factor, its adjoint, and the product of the two.
struct Words {
  Text matrix, factor, turned, square;
  bool real = false;
};

// `pinv(a) @ b`, also behind `c @`: what the pseudo-inverse is multiplied with.
struct ProductWithInverse {
  Span left, right;  // empty where nothing is to the left, and where no such product is known
};

// The factors of `a @ b`, `np.dot(a, b)` or `a.dot(b)` that a value goes into, with where they are written.
struct Factors {
  ir::ValueId product, left, right;
  Span left_words, right_words;
};

static Factors FactorsAround(const Facts& facts, ir::ValueId factor) {
  const ir::Program& program = facts.program();
  const auto uses = facts.UsesOf(factor);
  if (uses.size() != 1) return {};
  ir::ValueId product = uses.front();
  if (program.ops[product].kind == OpKind::kAttr) {  // `pinv(a).dot`
    const auto calls = facts.UsesOf(product);
    if (calls.size() != 1) return {};
    product = calls.front();
  }
  if (!program.ops[product].span.Contains(program.ops[factor].span)) return {};
  if (program.ops[product].kind == OpKind::kBinary) {
    if (static_cast<ir::BinaryOp>(program.ops[product].detail) != ir::BinaryOp::kMatMul) return {};
    return {product, program.Operand(product, 0), program.Operand(product, 1), program.OperandSpan(product, 0),
            program.OperandSpan(product, 1)};
  }
  const DeviceCall call = AsDeviceCall(facts, product);
  if (!call || !IsOneOf(call.base, {"dot", "matmul"}) || facts.HasStarArguments(product)) return {};
  const std::uint32_t second = call.method ? 1 : 2;  // operand 0 is the callee
  if (program.Operands(product).size() != second + 1 || facts.PositionalCount(product) != second) return {};
  return {product, call.array, program.Operand(product, second), call.array_span, program.OperandSpan(product, second)};
}

static ProductWithInverse ProductBehind(const Facts& facts, ir::ValueId inverse) {
  const ir::Program& program = facts.program();
  Factors around = FactorsAround(facts, inverse);
  ProductWithInverse found;
  ir::ValueId factor = inverse;
  // `c @ pinv(a) @ b` is `(c @ pinv(a)) @ b`
  if (around.product.valid() && around.right == inverse && program.ops[around.product].kind == OpKind::kBinary) {
    found.left = around.left_words;
    factor = around.product;
    around = FactorsAround(facts, factor);
  }
  if (!around.product.valid() || around.left != factor || facts.RankOf(around.right) > 2) return {};
  found.right = around.right_words;
  return match::IsShownWhole(Text(found.left).Add(found.right)) ? found : ProductWithInverse{};
}

static Text InsteadOfInverse(const Facts& facts, const DeviceCall& call, const Words& words) {
  const ProductWithInverse product = ProductBehind(facts, call.call);
  const bool square = IsSquare(facts, call.array);
  Text help(square ? "where the matrix has full rank" : "with a tall matrix of full rank");
  help.Add(" solve in place of multiplying: `");
  if (!product.left.empty()) help.Add(product.left, Binding::kProduct).Add(" @ ");
  help.Add("np.linalg.solve(").Add(square ? words.matrix : words.square).Add(", ");
  if (!square) help.Add(words.turned).Add(" @ ");
  if (product.right.empty()) {
    help.Add("b");
  } else {
    help.Add(product.right, square ? Binding::kConditional : RightOf(ir::BinaryOp::kMatMul));
  }
  return help.Add(square ? ")`" : ")`, at half the digits");
}

static Text InsteadOfSvd(const Facts& facts, const DeviceCall& call, const Words& words) {
  const bool values_alone = ReadsValuesAlone(facts, call.call);
  if (IsSquare(facts, call.array)) {
    const GramMatrix gram = AsGramMatrix(facts, call.array);
    const bool symmetric = gram && (gram.conjugated || words.real);
    const Text of = symmetric ? "of a product with its own transpose "
                              : "where the matrix is symmetric and has no negative eigenvalue, ";
    if (values_alone) {
      return Text(of)
          .Add("`np.linalg.eigvalsh(")
          .Add(words.matrix)
          .Add(")` gives the singular values, the smallest first");
    }
    return Text(of)
        .Add("`values, vectors = np.linalg.eigh(")
        .Add(words.matrix)
        .Add(")` gives the singular values, the smallest first, and the vectors as columns, left and right alike");
  }
  if (values_alone) {
    return Text("the singular values of a tall matrix are the square roots of `np.linalg.eigvalsh(")
        .Add(words.square)
        .Add(")`, at half the digits");
  }
  Text help("of a tall matrix `squares, right = np.linalg.eigh(");
  help.Add(words.square)
      .Add(
          ")` gives the squares of the singular values, the smallest first, and the right vectors as columns; the "
          "left ones are `")
      .Add(words.factor)
      .Add(" @ right / np.sqrt(squares)`, at half the digits");
  // A covariance and its root are square.
  if (!HasUnknownShape(facts, call.array) || !ReadsOnly(facts, call.call, {0, 1})) return help;
  return help.Add("; of a symmetric one without negative eigenvalues `np.linalg.eigh(")
      .Add(words.matrix)
      .Add(")` itself gives all of them at all digits");
}

static Text InsteadOfQr(const Facts& facts, const DeviceCall& call, const Words& words) {
  return Text(IsSquare(facts, call.array) ? "the triangle of a matrix of full rank is `np.linalg.cholesky("
                                          : "the triangle of a tall matrix of full rank is `np.linalg.cholesky(")
      .Add(words.square)
      .Add(words.real ? ").T" : ").conj().T")
      .Add("` up to signs, at half the digits");
}

Text InsteadOfFactorisation(const Facts& facts, const DeviceCall& call) {
  constexpr std::uint32_t kShort = 30;  // it is quoted up to three times
  if (!IsOneOf(call.base, {"linalg.svd", "linalg.qr", "linalg.pinv"})) return {};
  const ir::DType dtype = facts.Of(call.array).dtype;
  const bool real = dtype != ir::DType::kUnknown && !ir::IsComplex(dtype);
  const bool quoted = call.array_span.size() <= kShort;
  const Text matrix = quoted ? Text(call.array_span) : Text("a");
  const Text factor = quoted ? Text().Add(call.array_span, Binding::kPrimary) : Text("a");
  const Span untransposed = quoted ? Untransposed(facts, call.array, call.array_span) : Span{};
  const Text turned = untransposed.empty() ? Text(factor).Add(real ? ".T" : ".conj().T")
                                           : Text().Add(untransposed, Binding::kPrimary).Add(real ? "" : ".conj()");
  const Words words = {matrix, factor, turned, Text(turned).Add(" @ ").Add(factor), real};
  const Text help = call.base == "linalg.svd"  ? InsteadOfSvd(facts, call, words)
                    : call.base == "linalg.qr" ? InsteadOfQr(facts, call, words)
                                               : InsteadOfInverse(facts, call, words);
  return quoted ? help : Text(help).Add(" (`a` is the matrix)");
}

}  // namespace cpnlint::rules::match
