// R208 cast-after-creation: an array made in one type and converted to another at once.

#include <optional>

#include "rules/engine/rule.h"
#include "rules/match/device_call.h"
#include "rules/match/hot_site.h"
#include "rules/match/story.h"

namespace cpnlint::rules::r208 {

using ir::DType;
using ir::OpKind;
using match::DeviceCall;

constexpr std::int64_t kSmallTable = 1024;

// How the creation can be asked for the type that is wanted.
enum class Way : std::uint8_t {
  kDtype,      // `dtype=` of the same call
  kGenerator,  // the module's function takes none, a generator's method of the same distribution does
};

static bool IsFloat32Or64(DType dtype) { return dtype == DType::kFloat32 || dtype == DType::kFloat64; }

// The array's values are written out in the call, or stand in a Python list: an array would be copied for another
// reason.
static bool FromPythonValues(const Facts& facts, const DeviceCall& creation) {
  const analysis::Kind kind = facts.Of(creation.array).kind;
  return kind == analysis::Kind::kList || kind == analysis::Kind::kTuple;
}

static std::optional<Way> WayOf(const Facts& facts, const DeviceCall& creation, DType from, DType to) {
  const std::string_view base = creation.base;
  if (match::IsOneOf(base, {"zeros", "ones", "empty", "full", "eye", "identity", "zeros_like", "ones_like",
                            "empty_like", "full_like"}))
    return Way::kDtype;
  // Steps and ends are rounded to the type first: of floats only to floats.
  if (match::IsOneOf(base, {"arange", "linspace"})) {
    // Numbers that do not fit a narrower integer wrap round in `astype`, and raise here.
    const bool fits = !ir::IsInteger(to) || (ir::ItemSize(to).value_or(0) >= ir::ItemSize(from).value_or(8) &&
                                             ir::IsUnsigned(to) == ir::IsUnsigned(from));
    if (ir::IsInteger(from) ? fits : ir::IsFloat(from) && ir::IsFloat(to)) return Way::kDtype;
    return std::nullopt;
  }
  // A number that does not fit raises where `astype` wraps round.
  if (match::IsOneOf(base, {"array", "asarray"}))
    return FromPythonValues(facts, creation) && ir::IsInexact(to) ? std::optional(Way::kDtype) : std::nullopt;
  // The types that both NumPy and cuPyNumeric take.
  if (match::IsOneOf(base, {"random.Generator.random", "random.Generator.standard_exponential",
                            "random.Generator.standard_gamma"}))
    return IsFloat32Or64(to) ? std::optional(Way::kDtype) : std::nullopt;
  if (match::IsOneOf(base, {"random.random", "random.rand", "random.random_sample", "random.ranf", "random.sample"}))
    return IsFloat32Or64(to) ? std::optional(Way::kGenerator) : std::nullopt;
  if (match::IsOneOf(base, {"random.randint", "random.Generator.integers"})) {
    const bool taken = to == DType::kInt16 || to == DType::kInt32 || to == DType::kInt64;
    return taken ? std::optional(Way::kDtype) : std::nullopt;
  }
  return std::nullopt;
}

// Nothing else looks at what the creation made, and the conversion runs as often as the creation.
static bool OnlyConverted(const Facts& facts, ir::ValueId creation, ir::ValueId conversion) {
  const ir::Program& program = facts.program();
  for (const ir::ValueId use : facts.UsesOf(creation)) {
    const ir::Op& op = program.ops[use];
    if (op.kind == OpKind::kStoreCell && program.cells[ir::CellId(op.payload)].loads.empty()) continue;
    if (op.kind == OpKind::kAttr && use == program.Operand(conversion, 0)) continue;
    if (use == conversion) continue;
    return false;
  }
  return program.LoopOf(creation) == program.LoopOf(conversion);
}

// `np.ones(n, dtype=np.float32)` where the call can be put together out of its own words.
static Text Advice(const Facts& facts, const DeviceCall& creation, const DeviceCall& conversion, Way way) {
  const ir::Program& program = facts.program();
  const Span call = program.ops[creation.call].span;
  const Span dtype = match::ArgumentSpan(facts, conversion, 1, "dtype");
  Text help("RR-create  ");
  if (way == Way::kGenerator) {
    return help.Add("draw with a generator, whose `random` takes `dtype=").Add(dtype).Add("`: another random stream");
  }
  if (const Span given = facts.KeywordSpan(creation.call, "dtype"); !given.empty()) {
    return help.Add("write `")
        .Add(Span{call.begin, given.begin})
        .Add(dtype)
        .Add(Span{given.end, call.end})
        .Add("` and drop the conversion");
  }
  const ir::Op& op = program.ops[creation.call];
  const bool closes =
      op.operand_count > 1 && program.OperandSpan(creation.call, op.operand_count - 1).end + 1 == call.end;
  // A second positional argument of zeros, ones, empty is the type itself.
  const bool by_position = facts.PositionalCount(creation.call) >= 2 &&
                           match::IsOneOf(creation.base, {"zeros", "ones", "empty", "array", "asarray"});
  if (!closes || by_position) {
    return help.Add("pass `dtype=").Add(dtype).Add("` to `").Add(program.OperandSpan(creation.call, 0)).Add("`");
  }
  help.Add("write `").Add(Span{call.begin, call.end - 1}).Add(", dtype=").Add(dtype).Add(")`");
  if (creation.base.substr(0, 7) == "random.") help.Add(": another random stream");
  return help;
}

// Fires when
//   1. `astype` converts what a call of the device library just created, and nothing else uses that,
//   2. the two types are known and differ, and
//   3. the creation can be asked for the type that is wanted.
// Quiet: (a) computed arrays are not created, (b) is condition 2, (c) a small table, (d) draws whose generator takes no
// such type are condition 3, (e) files and (f) host arrays are no such calls.
static void OnOp(const Facts& facts, ir::ValueId op, Trial& trial) {
  const DeviceCall conversion = match::AsDeviceCall(facts, op);
  if (!conversion || conversion.base != "astype" || !facts.IsDevice(op)) return;
  const ir::ValueId made = facts.Source(conversion.array);
  const DeviceCall creation = match::AsDeviceCall(facts, made);
  if (!trial.Holds(1, creation && facts.IsDevice(made) && OnlyConverted(facts, made, op)) || !creation) return;
  const DType from = facts.Of(made).dtype, to = facts.Of(op).dtype;
  const bool known = ir::IsSupported(from) && ir::IsSupported(to);
  if (!trial.Holds(2, known && from != to)) return;
  const std::optional<Way> way = WayOf(facts, creation, from, to);
  if (!trial.Holds(3, way.has_value()) || !way) return;
  if (trial.Quiet('c', facts.KnownBelow(op, kSmallTable) || facts.IsZeroD(op))) return;

  const ir::Program& program = facts.program();
  const Span span = program.ops[op].span;
  Trial::Report report = trial.ReportOp(op);
  report.Arg("dtype", std::string(ir::Name(from)))
      .Arg("to", std::string(ir::Name(to)))
      .Root(made)
      .Evidence(creation.evidence | conversion.evidence)
      .PrimaryLabel("a full copy in another type")
      .Help(Advice(facts, creation, conversion, *way));
  const std::string elements = facts.DimText(facts.VolumeOf(op));
  if (!elements.empty()) report.Arg("elems", elements);
  match::TellOrigin(facts, conversion.array, span, report);
  match::TellHotLoop(facts, op, span, report);
}

extern constinit const Rule kRule;
constinit const Rule kRule = {
    .code = 208,
    .slug = "cast-after-creation",
    .family = Family::kRefactor,
    .severity = Severity::kWarning,
    .cold = Severity::kInfo,
    .summary = "an array created in one type and converted to another at once",
    .message = "`{expr}` converts new {dtype} data to {to} at once[[, so that {elems} elements are written twice]]",
    .why = "`astype` reads and writes the whole array in a task of its own, and both arrays live meanwhile (26.07)",
    .details = R"md(
Fires on `astype` of an array that was just created and that nothing else uses: `zeros`, `ones`, `empty`, `full`,
their `_like` forms, `eye`, `identity`, `arange`, `linspace`, `array` of a Python list, and draws, where both types
are known, differ, and the creation can be asked for the type that is wanted. A warning in hot loops, information
elsewhere.

Stays quiet on arrays that were computed, on the same type, on fewer than 1,024 elements, on files (`np.load`), on
host arrays, and where there is no such call: draws of distributions that take no `dtype` in NumPy (`normal`,
`uniform`, `poisson`), `randint` to anything but 16, 32 and 64 bits, `arange` and `linspace` of floats to integers
(they round their ends first), and lists to integers (a number that does not fit raises).

Constants, integer `arange`, `eye` and `identity` keep their bits. `arange` and `linspace` of floats round
differently in the last place, and draws of another type are other draws: the module's functions
(`np.random.random`) take no type at all, a `Generator` does.
)md",
    .bad = R"py(
import numpy as np

def weights(n):
    return np.ones((n, 3)).astype(np.float32)
)py",
    .good = R"py(
import numpy as np

def weights(n):
    return np.ones((n, 3), dtype=np.float32)
)py",
    .recipe = "RR-create",
    .fix = FixClass::kUnsafe,
    .conditions = R"md(
1. `astype` converts what a call of the device library just created, and nothing else uses that
2. the two types are known and differ
3. the creation can be asked for the type that is wanted
- (c) a small table
)md",
    .ops = {OpKind::kCall},
    .on_op = &OnOp,
};

}  // namespace cpnlint::rules::r208
