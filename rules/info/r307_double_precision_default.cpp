// R307 double-precision-default: hot work in float64 that nobody asked for.

#include <string>

#include "rules/engine/rule.h"
#include "rules/match/device_call.h"
#include "rules/match/expression.h"
#include "rules/match/hot_site.h"
#include "rules/match/matrix_product.h"
#include "rules/match/random_draw.h"
#include "rules/match/story.h"

namespace cpnlint::rules::r307 {

using ir::OpKind;
using ir::ValueId;

constexpr double kFineTolerance = 1e-7;  // below what float32 resolves

static bool NamesDouble(ir::DType dtype) { return dtype == ir::DType::kFloat64 || dtype == ir::DType::kComplex128; }

// Something in the module says that double precision is meant or needed: its name, `float` or a code as an argument, a
// fine tolerance, the spacing of numbers, a long cumulative sum.
static bool NeedsDouble(const Facts& facts, ValueId op) {
  const ir::Program& program = facts.program();
  const ir::Op& it = program.ops[op];
  const analysis::Value& value = facts.Of(op);
  switch (it.kind) {
    case OpKind::kFloat: return value.constant && value.number > 0 && value.number <= kFineTolerance;
    case OpKind::kStr: {
      const auto text = facts.TextOf(op);
      return text && text->size() <= 12 && NamesDouble(ir::ParseDType(*text));
    }
    case OpKind::kCall: {
      const match::DeviceCall call = match::AsDeviceCall(facts, op);
      if (!call) return false;
      if (match::IsOneOf(call.base, {"cumsum", "cumprod", "nancumsum", "nancumprod", "finfo", "spacing", "nextafter"}))
        return true;
      for (const ValueId operand : program.Operands(op).subspan(1)) {
        const bool type = operand.valid() && facts.Of(operand).kind == analysis::Kind::kBuiltin;
        if (type && match::IsOneOf(program.names.Text(facts.Of(operand).name), {"float", "complex"})) return true;
      }
      return false;
    }
    default: return value.kind == analysis::Kind::kDType && NamesDouble(value.dtype);
  }
}

// An array of float64 because nothing else was said: `np.zeros(n)`, `np.linspace(0, 1, n)`, `rng.normal(size=n)`.
static bool IsDefault(const Facts& facts, ValueId op, std::int64_t economic) {
  const match::DeviceCall call = match::AsDeviceCall(facts, op);
  if (!call || call.method || !facts.IsDevice(op) || facts.Of(op).dtype != ir::DType::kFloat64) return false;
  const bool creates = match::IsOneOf(call.base, {"zeros", "ones", "empty", "full", "eye", "identity", "linspace"}) ||
                       call.base.starts_with("random.");
  if (!creates || facts.RankOf(op) < 1 || facts.HasStarArguments(op) || facts.KnownBelow(op, economic)) return false;
  const api::Entry* row = api::Find(call.name);
  const std::size_t position = row != nullptr ? api::ParameterPosition(*row, "dtype").value_or(99) : 99;
  return !facts.Argument(op, position, "dtype").valid();
}

// Work that goes as fast as the bytes of its operands, or as products of their type.
static bool IsWork(const Facts& facts, ValueId op) {
  if (match::IsElementwise(facts, op)) return true;
  if (facts.program().ops[op].kind == OpKind::kInplaceBinary) return facts.IsDevice(op);
  return static_cast<bool>(match::AsMatrixProduct(facts, op)) ||
         match::AsDeviceCall(facts, op).base.starts_with("fft.");
}

// In a loop over steps, and with nothing of another or an unknown type among the arrays that go in.
static bool IsHotWork(const Facts& facts, ValueId op) {
  const match::HotSite hot = match::HotSiteOf(facts, op);
  if (!hot || !IsWork(facts, op) || facts.HeatOf(op).in_element_loop) return false;
  const analysis::LoopKind kind = hot.driven ? analysis::LoopKind::kStep : facts.LoopFactOf(hot.loop).kind;
  const bool steps = kind == analysis::LoopKind::kStep || kind == analysis::LoopKind::kConvergence ||
                     kind == analysis::LoopKind::kSweep;
  if (!steps || facts.Of(op).dtype != ir::DType::kFloat64) return false;
  for (const ValueId operand : facts.program().Operands(op)) {
    const analysis::Value& value = facts.Of(operand);
    const bool callee = facts.program().ops[op].kind == OpKind::kCall && operand == facts.program().Operand(op, 0);
    const bool known = facts.IsDevice(operand) ? value.dtype == ir::DType::kFloat64 : analysis::IsNumber(value.kind);
    if (!callee && !known) return false;
  }
  return true;
}

// Where the array made by `made` is an operand of such work on every pass of a hot loop.
static ValueId HotWorkOn(const Facts& facts, ValueId made) {
  for (const ValueId use : facts.DeepUsesOf(made)) {
    if (IsHotWork(facts, use)) return use;
    // A slice of it.
    if (facts.program().ops[use].kind != OpKind::kSubscript || facts.RootOf(use) != made) continue;
    for (const ValueId next : facts.DeepUsesOf(use)) {
      if (IsHotWork(facts, next)) return next;
    }
  }
  return {};
}

// Fires when
//   1. an array gets float64 from the default of the call that makes it, and is not known to be small,
//   2. it is an operand of elementwise work, products or transforms in a hot loop over steps, all of whose operands are
//      float64, and
//   3. nothing in the module names double precision or shows a need for it.
// Quiet: (a) an explicit type and (b) fine tolerances and cumulative sums fail condition 3, (c) integers condition 1.
static void OnModule(const Facts& facts, ir::ModuleId id, Trial& trial) {
  const ir::Program& program = facts.program();
  const ir::Module& module = program.modules[id];
  ValueId first, work;
  for (std::size_t index = module.first_function.index(); index < module.end_function.index(); ++index) {
    const ir::Function& function = program.functions[ir::FunctionId(index)];
    for (std::uint32_t i = function.first_op.index(); i < function.end_op.index(); ++i) {
      const ValueId op(i);
      if (!program.ops[op].block.valid()) continue;
      if (!trial.Holds(3, !NeedsDouble(facts, op))) return;
      if (work.valid() || !IsDefault(facts, op, trial.target().economic)) continue;
      if (facts.IsDead(op)) continue;
      work = HotWorkOn(facts, op);
      if (work.valid()) first = op;
    }
  }
  if (!trial.Holds(1, first.valid()) || !trial.Holds(2, work.valid()) || !first.valid()) return;
  const Span span = program.ops[first].span;
  Trial::Report report = trial.ReportOp(first);
  report.Arg("array", span).Root(first).Evidence(facts.Of(first).evidence | facts.HeatOf(work).evidence);
  report.Severity(Severity::kInfo).Label(program.ops[work].span, "worked on here, on every pass");
  // Draws take no type, in NumPy's older functions and in cuPyNumeric's.
  if (!match::IsDraw(match::AsDeviceCall(facts, first).base)) return;
  report.Message("`{array}` draws float64, and nothing asks for that");
  report.Help(
      Text("RR-precision  cast what is drawn, `")
          .Add(span)
          .Add(".astype(np.float32)`, give `dtype=np.float32` where other arrays are made and read, keep float64 "
               "where sums are accumulated"));
}

extern constinit const Rule kRule;
constinit const Rule kRule = {
    .code = 307,
    .slug = "double-precision-default",
    .family = Family::kInfo,
    .severity = Severity::kInfo,
    .cap = Confidence::kLikely,
    .summary = "hot work in float64 that nobody asked for",
    .message = "`{array}` is float64 only by default",
    .why =
        "float32 would halve the bytes of every operation and allow TF32 products (`CUPYNUMERIC_FAST_MATH=1`), where "
        "its 7 digits are enough (26.07)",
    .details = R"md(
Arrays made without `dtype=` are float64. Most operations on large arrays are as fast as their bytes move, so half the bytes
are half the time, and half the memory; products of float32 matrices may use TF32 with `CUPYNUMERIC_FAST_MATH=1`. Whether 7
digits are enough, only the author can say: this is a note, once per module.

**Fires when**

1. an array gets float64 from the default of the call that makes it (`zeros`, `ones`, `empty`, `full`, `eye`, `linspace`, draws), and is not known to be small
2. it is an operand of elementwise work, matrix products or transforms in a hot loop over steps, all of whose operands are float64
3. nothing in the module names double precision or shows a need for it

**Stays quiet**

- (a) where `float64`, `double`, `float` as a type, or a code such as `'f8'` stands anywhere in the module
- (b) with tolerances of 1e-7 and less, `finfo`, cumulative sums
- (c) on integers and time stamps
- (d) in tests

A narrower type is a last resort for memory. That double precision never uses tensor units, as the migration guide says, is
not so: the library decides per GPU generation.
)md",
    .bad = R"py(import numpy as np


def diffuse(n, steps):
    u = np.zeros((n, n))
    for _ in range(steps):
        u[1:-1] = u[1:-1] + 0.2 * (u[2:] - 2.0 * u[1:-1] + u[:-2])
    return u
)py",
    .good = R"py(import numpy as np


def diffuse(n, steps):
    u = np.zeros((n, n), dtype=np.float32)
    for _ in range(steps):
        u[1:-1] = u[1:-1] + 0.2 * (u[2:] - 2.0 * u[1:-1] + u[:-2])
    return u
)py",
    .recipe = "RR-precision",
    .preview = true,
    .on_module = &OnModule,
};

}  // namespace cpnlint::rules::r307
