#include <algorithm>
#include <string_view>

#include "rules/engine/rule.h"
#include "rules/match/device_call.h"
#include "rules/match/story.h"

namespace cpnlint::rules::r102 {
namespace {

using analysis::Callee;
using analysis::Kind;
using analysis::Library;

bool IsMissingMapper(std::string_view name) {
  return name == "numpy.vectorize" || name == "numpy.frompyfunc" || name == "numpy.apply_along_axis" ||
         name == "numpy.apply_over_axes";
}

constexpr std::string_view kOverAxes = "numpy.apply_over_axes";
constexpr std::string_view kAlong =
    "`{name}` runs a Python function per row or column, and cuPyNumeric has no such function";
constexpr std::string_view kOver = "`{name}` runs a Python function per axis, and cuPyNumeric has no such function";
constexpr std::string_view kLibraryAlong =
    "`{name}` runs `{call}` once per row or column, and cuPyNumeric has no such function";
constexpr std::string_view kLibraryOver = "`{name}` runs `{call}` once per axis, and cuPyNumeric has no such function";

// np.vectorize(f), or functools.partial(np.vectorize, ...): the operand that names the function. Operand 0 is the
// callee.
std::uint32_t MapperOperand(const Facts& facts, ir::ValueId call) {
  const auto operands = facts.program().Operands(call);
  for (std::uint32_t i = 0; i < operands.size() && i < 2; ++i) {
    if (IsMissingMapper(facts.ApiName(operands[i])) && facts.Of(operands[i]).library == Library::kDevice) return i;
  }
  return ir::ItemPosition::kNoStar;
}

// `ramp` of `np.vectorize(ramp)`; a decorated function stands there with its whole definition.
Span NameOfFunction(const Facts& facts, ir::ValueId call, std::uint32_t operand) {
  const ir::Program& program = facts.program();
  const ir::Op& op = program.ops[program.Operand(call, operand)];
  if (op.kind == ir::OpKind::kMakeFunction) {
    const ir::Function& function = program.functions[ir::FunctionId(op.payload)];
    if (function.kind == ir::Function::Kind::kDef) return function.name_span;
  }
  return program.OperandSpan(call, operand);
}

// The function that runs per row is a convolution, or calls one.
bool Convolves(const Facts& facts, ir::ValueId function) {
  const auto is_one = [](std::string_view name) { return name == "numpy.convolve" || name == "numpy.correlate"; };
  if (is_one(facts.ApiName(function))) return true;
  const ir::Program& program = facts.program();
  const analysis::Value& value = facts.Of(function);
  if (value.kind != Kind::kFunction || !value.function.valid()) return false;
  for (const ir::BlockId block : program.functions[value.function].blocks) {
    for (const ir::ValueId op : program.blocks[block].ops) {
      if (program.ops[op].kind == ir::OpKind::kCall && is_one(facts.CalleeOf(op).name)) return true;
    }
  }
  return false;
}

constexpr std::string_view kShiftedSum =
    "pad the array along the axis and add up its shifted slices, each times one weight of the kernel: a pass per "
    "weight, whose slices hold all rows or columns";

// `np.sort(a, axis=0)` for `np.apply_along_axis(np.sort, 0, a)`.
Text HelpForLibraryFunction(const Facts& facts, ir::ValueId call, std::uint32_t operand, bool along,
                            std::string_view version) {
  const ir::Program& program = facts.program();
  const Span function = program.OperandSpan(call, operand);
  const api::Entry* row = match::Row(facts.ApiName(program.Operand(call, operand)), version);
  if (row == nullptr || !api::ParameterPosition(*row, "axis"))
    return Text("write what ").Add(match::Quoted(function)).Add(" does with array operators along the axis");
  if (!along || facts.PositionalCount(call) != operand + 2 || program.Operands(call).size() != operand + 3)
    return Text("call ").Add(match::Quoted(function)).Add(" on the whole array and say the axis (`axis=`)");
  return Text("write `")
      .Add(function)
      .Add("(")
      .Add(program.OperandSpan(call, operand + 2))
      .Add(", axis=")
      .Add(program.OperandSpan(call, operand + 1))
      .Add(")`");
}

// Fires when any of
//   1. np.vectorize, np.frompyfunc, np.apply_along_axis or np.apply_over_axes of the device namespace is called, in a
//      module that has device arrays,
//   2. Python's map() calls a function of the program on each item of a device array.
// The function, or one that it calls, hands what it gets to another library that has no arrays: `Decimal(x)`.
bool NeedsPythonObjects(const Facts& facts, ir::FunctionId function, int depth = 0) {
  constexpr int kDeepest = 3;
  const ir::Program& program = facts.program();
  if (!function.valid() || depth == kDeepest) return false;
  return std::ranges::any_of(program.functions[function].calls, [&](ir::ValueId call) {
    const Callee& callee = facts.CalleeOf(call);
    if (callee.kind == Callee::Kind::kLocal) return NeedsPythonObjects(facts, callee.function, depth + 1);
    return callee.name.starts_with("decimal.") || callee.name.starts_with("fractions.") ||
           callee.name.starts_with("datetime.") || callee.name.starts_with("str.");
  });
}

Text HelpForMap(const Facts& facts, ir::ValueId call, std::uint32_t at) {
  const ir::Program& program = facts.program();
  const analysis::Value& mapped = facts.Of(program.Operand(call, 1));
  const Span array = program.OperandSpan(call, at);
  const Text numbers = Text("`").Add(array, Binding::kPrimary).Add(".tolist()`");
  const bool one_axis = facts.RankOf(program.Operand(call, at)) == 1;
  if (one_axis && NeedsPythonObjects(facts, mapped.function)) {
    return Text()
        .Add(match::Quoted(program.OperandSpan(call, 1)))
        .Add(" works with Python objects: fetch the numbers at once, ")
        .Add(numbers)
        .Add(" in place of ")
        .Add(match::Quoted(array));
  }
  Text help("call ");
  help.Add(match::Quoted(program.OperandSpan(call, 1)))
      .Add(" on the whole array: operators stay as they are, tests become `np.where`");
  return one_axis ? help.Add("; where it has to have Python numbers, hand it ").Add(numbers) : help;
}

void OnCall(const Facts& facts, ir::ValueId call, Trial& trial) {
  const ir::Program& program = facts.program();
  const std::uint32_t mapper = MapperOperand(facts, call);
  if (mapper != ir::ItemPosition::kNoStar) {
    const ir::ValueId name = program.Operand(call, mapper);
    const bool any_arrays = facts.ApiName(name) != "numpy.vectorize" ||
                            facts.HasDeviceArrays(program.functions[program.FunctionOf(call)].module);
    if (!trial.Holds(1, any_arrays)) return;
    Trial::Report report = trial.ReportOp(call);
    report.Arg("name", program.OperandSpan(call, mapper)).Evidence(facts.Of(name).evidence);
    report.PrimaryLabel("raises AttributeError on cuPyNumeric");
    const ir::ValueId function = program.Operand(call, mapper + 1);
    const bool along = facts.ApiName(name) == "numpy.apply_along_axis", over = facts.ApiName(name) == kOverAxes;
    const bool convolves = along && function.valid() && Convolves(facts, function);
    if ((along || over) && !facts.ApiName(function).empty()) {  // `np.sort` has an axis of its own
      report.Message(along ? kLibraryAlong : kLibraryOver).Arg("call", program.OperandSpan(call, mapper + 1));
      report.Help(convolves ? Text(kShiftedSum)
                            : HelpForLibraryFunction(facts, call, mapper + 1, along, trial.target().version));
      return;
    }
    if (along || over) report.Message(along ? kAlong : kOver);
    if (convolves) {
      report.Help(kShiftedSum);
    } else if (along && function.valid()) {
      report.Help(Text("write the body of ")
                      .Add(match::Quoted(NameOfFunction(facts, call, mapper + 1)))
                      .Add(" for the whole array: operators stay, reductions and sorts get the axis (`axis=`), tests "
                           "become `np.where`"));
    } else if (over && function.valid()) {
      report.Help(Text("call ")
                      .Add(match::Quoted(NameOfFunction(facts, call, mapper + 1)))
                      .Add(" once for each axis, and keep the axis: `keepdims=True`"));
    } else if (function.valid()) {
      report.Help(Text("write the body of ")
                      .Add(match::Quoted(NameOfFunction(facts, call, mapper + 1)))
                      .Add(" with array operators and its tests as `np.where`, and call it on the whole array"));
    }
    return;
  }

  const Callee& callee = facts.CalleeOf(call);
  if (callee.kind != Callee::Kind::kBuiltin || callee.name != "map") return;
  const analysis::Value& mapped = facts.Of(program.Operand(call, 1));
  const bool method = mapped.kind == Kind::kMethod && mapped.function.valid();  // of an object of the program
  if (mapped.kind != Kind::kFunction && !method) return;
  ir::ValueId array;
  std::uint32_t at = 2;
  for (; at <= facts.PositionalCount(call); ++at) {
    if (facts.IsDevice(program.Operand(call, at)) && !facts.IsZeroD(program.Operand(call, at))) {
      array = program.Operand(call, at);
      break;
    }
  }
  if (!trial.Holds(2, array.valid()) || !array.valid()) return;
  Trial::Report report = trial.ReportOp(call);
  report.Message("`map` calls `{name}` on every item of `{array}`").Arg("name", program.OperandSpan(call, 1));
  report.Arg("array", program.OperandSpan(call, at)).Root(facts.RootOf(array)).Evidence(facts.Of(array).evidence);
  report.Why("each item is a task of its own, and the Python function runs between them on the host (26.07)");
  report.Help(HelpForMap(facts, call, at));
  match::TellOrigin(facts, array, program.ops[call].span, report);
}

}  // namespace

extern constinit const Rule kRule;
constinit const Rule kRule = {
    .code = 102,
    .slug = "python-callback-per-element",
    .family = Family::kBlocks,
    .severity = Severity::kError,
    .cold = Severity::kError,
    .summary = "a Python function is called for each element of an array",
    .message = "`{name}` runs a Python function per element, and cuPyNumeric has no such function",
    .why =
        "the name is absent from cuPyNumeric, so the call raises AttributeError; host NumPy's own function gathers the "
        "array first (26.07)",
    .details = R"md(
`np.vectorize`, `np.frompyfunc`, `np.apply_along_axis` and `np.apply_over_axes` call back into Python for each element,
each row or each axis. cuPyNumeric 26.07 has none of them: naming one raises AttributeError. Releases before 26.06 handed missing names to
host NumPy, which gathers the whole array and loops.

**Fires when** any of these holds

1. one of the four functions of the device namespace is called, or used as a decorator; `np.vectorize` only in a module with device arrays
2. Python's `map` calls a function of the program on each item of a device array

**Stays quiet**

- (a) `numba.vectorize`, which compiles
- (b) the host alias: `onp.vectorize(f)` on host data
- (c) a class or a variable of the program that is called `vectorize`
- (d) `np.vectorize` in a module without device arrays, which can keep host NumPy
- (e) `jax.vmap`, `torch.vmap`

The migration guide says the function is inherited as a slow loop; it is not there at all.
)md",
    .bad = R"py(import numpy as np


def ramp(d):
    return 0.0 if d < 0.1 else d**1.5


def flux(n):
    depth = np.linspace(0.0, 2.0, n)
    return np.vectorize(ramp)(depth)
)py",
    .good = R"py(import numpy as np


def flux(n):
    depth = np.linspace(0.0, 2.0, n)
    dry = depth < 0.1
    return np.where(dry, 0.0, np.where(dry, 0.0, depth) ** 1.5)
)py",
    .recipe = "RR-where",
    .fix = FixClass::kUnsafe,
    .ops = {ir::OpKind::kCall},
    .on_op = &OnCall,
};

}  // namespace cpnlint::rules::r102
