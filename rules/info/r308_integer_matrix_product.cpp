// R308 integer-matrix-product: products of integer or boolean matrices, for which there is no kernel.

#include <string>
#include <vector>

#include "rules/engine/rule.h"
#include "rules/match/device_call.h"
#include "rules/match/matrix_product.h"
#include "rules/match/rewrite.h"
#include "rules/match/story.h"

namespace cpnlint::rules::r308 {

using ir::OpKind;

static Text AsFloat(Span factor) { return Text().Add(factor, Binding::kPrimary).Add(".astype(np.float64)"); }

// A product by `@` that has no kernel.
static bool IsRefused(const Facts& facts, ir::ValueId op) {
  if (facts.program().ops[op].kind != OpKind::kBinary) return false;
  const match::MatrixProduct product = match::AsMatrixProduct(facts, op);
  return product && match::NeedsMatrixKernel(product) && match::IsOfIntegers(facts, product);
}

// A factor that is written as such a product itself: `a @ b` of `a @ b @ c`.
static bool IsLinkOf(const Facts& facts, ir::ValueId factor, ir::ValueId chain) {
  const ir::Program& program = facts.program();
  return program.ops[chain].span.Contains(program.ops[factor].span) && IsRefused(facts, factor);
}

// `a.astype(np.float64) @ b.astype(np.float64) @ c.astype(np.float64)`
static Text ChainOfFloats(const Facts& facts, ir::ValueId chain) {
  const ir::Program& program = facts.program();
  const ir::ValueId left = program.Operand(chain, 0), right = program.Operand(chain, 1);
  Text code = IsLinkOf(facts, left, chain) ? ChainOfFloats(facts, left) : AsFloat(program.OperandSpan(chain, 0));
  code.Add(" @ ");
  if (!IsLinkOf(facts, right, chain)) return code.Add(AsFloat(program.OperandSpan(chain, 1)));
  return code.Add("(").Add(ChainOfFloats(facts, right)).Add(")");
}

// What holds of the result in its own type: NumPy's sums wrap in a type of few bits, and a float that is beyond it has
// no place there.
static Text Limits(ir::DType dtype) {
  const bool narrow = ir::IsInteger(dtype) && ir::ItemSize(dtype).value_or(8) < 8;
  if (!narrow) return "`: exact where every sum stays below 2**53";
  return Text("`: exact where every sum fits ")
      .Add(ir::Name(dtype))
      .Add(", in which NumPy's wrap around; `.astype(np.int64)` holds larger ones");
}

static Text Help(const Facts& facts, ir::ValueId op, const match::MatrixProduct& product) {
  const ir::Program& program = facts.program();
  const std::string dtype(ir::Name(facts.Of(op).dtype));
  const bool known = ir::IsInteger(facts.Of(op).dtype) || facts.Of(op).dtype == ir::DType::kBool;
  const Text back(known ? ".astype(np." + (dtype == "bool" ? "bool_" : dtype) + ")" : "");
  const Text exact = Limits(facts.Of(op).dtype);
  Text help("RR-intmm  write `");
  if (program.ops[op].kind == OpKind::kBinary) {
    return help.Add("(").Add(ChainOfFloats(facts, op)).Add(")").Add(back).Add(exact);
  }
  const match::DeviceCall call = match::AsDeviceCall(facts, op);
  const bool pair = call && match::IsOneOf(call.base, {"matmul", "dot", "inner", "tensordot"});
  const Span second = pair ? match::ArgumentSpan(facts, call, 1, "b") : Span{};
  if (product.factors.size() == 2 && !second.empty() && call.array_span < second) {
    const std::vector<match::Cut> cuts = {{call.array_span, AsFloat(call.array_span)}, {second, AsFloat(second)}};
    return help.Add(match::Replace(program.ops[op].span, cuts)).Add(back).Add(exact);
  }
  return "RR-intmm  convert the factors with `.astype(np.float64)` and the product back: exact where every sum stays "
         "below 2**53";
}

// Fires when
//   1. the op is a product of device arrays with a factor of rank 2 or more, or an einsum of two operands or more, and
//   2. every factor is known to be of an integer or boolean type, so the result is, too.
// Quiet: (a) products of vectors, (b) `*` and (d) outer are no such products, (c) and (f) are condition 2, (e) host
// arrays, (g) a link of a chain, which is told as a whole.
static void OnOp(const Facts& facts, ir::ValueId op, Trial& trial) {
  const match::MatrixProduct product = match::AsMatrixProduct(facts, op);
  if (!product) return;
  if (!trial.Holds(1, match::NeedsMatrixKernel(product))) return;
  if (!trial.Holds(2, match::IsOfIntegers(facts, product))) return;

  const ir::Program& program = facts.program();
  const auto uses = facts.UsesOf(op);
  if (trial.Quiet('g', uses.size() == 1 && IsRefused(facts, uses.front()) && IsLinkOf(facts, op, uses.front()))) return;
  const bool certain = analysis::ConfidenceOf(product.evidence) == Confidence::kCertain;
  const Span span = program.ops[op].span;
  Trial::Report report = trial.ReportOp(op);
  report.Arg("call", span)
      .Arg("dtype", ir::Name(facts.Of(product.factors.front()).dtype))
      .Root(facts.RootOf(product.factors.front()))
      .Evidence(product.evidence)
      .Severity(certain ? Severity::kError : Severity::kInfo);
  match::TellOrigin(facts, product.factors.front(), span, report);
  report.Help(Help(facts, op, product));
}

extern constinit const Rule kRule;
constinit const Rule kRule = {
    .code = 308,
    .slug = "integer-matrix-product",
    .family = Family::kInfo,
    .severity = Severity::kError,
    .cold = Severity::kError,
    .summary = "a product of integer matrices",
    .message = "`{call}` multiplies {dtype} matrices, for which cuPyNumeric has no kernel",
    .why = "contractions exist for float and complex only: 26.07 raises TypeError",
    .details = R"md(
Fires on `@`, `matmul`, `dot`, `inner`, `tensordot`, `linalg.multi_dot`, `linalg.matrix_power` with a factor of rank 2 or
more, and on `einsum` of two operands or more, where all factors are known to be integers or booleans. Info where the types
are likely only.

Stays quiet on products of vectors, on `*` and `outer`, where one factor is a float, on host arrays, and where a type is not
known. `einsum` of one operand takes any type. A chain, `a @ b @ c`, is one finding.
)md",
    .bad = R"py(
import numpy as np

def two_steps(n):
    adjacency = np.zeros((n, n), dtype=np.int64)
    return adjacency @ adjacency
)py",
    .good = R"py(
import numpy as np

def two_steps(n):
    adjacency = np.zeros((n, n), dtype=np.float32)
    return adjacency @ adjacency
)py",
    .recipe = "RR-intmm",
    .fix = FixClass::kUnsafe,
    .conditions = R"md(
1. a product of device arrays with a factor of rank 2 or more, or an `einsum` of two operands or more
2. every factor is known to be of an integer or boolean type, so the result is, too
- (g) it is a link of a chain of such products, which is told as a whole
)md",
    .ops = {OpKind::kBinary, OpKind::kInplaceBinary, OpKind::kCall},
    .on_op = &OnOp,
};

}  // namespace cpnlint::rules::r308
