// R119 raising-numpy-feature: whole features of NumPy that cuPyNumeric has no counterpart for.

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "analyzer/analysis/model.h"
#include "rules/engine/rule.h"
#include "rules/match/archive.h"
#include "rules/match/argument_gap.h"
#include "rules/match/device_call.h"
#include "rules/match/ellipsis_mask.h"
#include "rules/match/host_call.h"
#include "rules/match/index_object.h"
#include "rules/match/name_use.h"
#include "rules/match/rewrite.h"
#include "rules/match/same_expression.h"
#include "rules/match/short_mask.h"
#include "rules/match/story.h"

namespace cpnlint::rules::r119 {

using analysis::Kind;
using ir::OpKind;
using match::DeviceCall;

struct Feature {
  const char* cause = nullptr;  // null: none of them
  Text instead = {};
  std::string key;
  Span span;
  analysis::EvidenceSet evidence = 0;
  const char* why = nullptr;  // null: what the rule says
};

// Names that the table gives to this rule, by how they begin; the first that fits says what they are.
struct NamedFeature {
  std::string_view prefix;
  const char* cause;
  const char* instead;
};
static constexpr NamedFeature kNamed[] = {
    {"ndarray.getfield", "record arrays", "keep one array per field"},
    {"ndarray.setfield", "record arrays", "keep one array per field"},
    {"ndarray.base", "the owner of a view's memory", "keep the source array by name"},
    {"ndarray.", "a foreign byte order", "convert on the host when the file is read"},
    {"nd", "an iterator over elements", "work on the whole array; `np.indices` gives the positions"},
    {"mat", "the matrix class", "use a 2-D array and `@`"},
    {"asmatrix", "the matrix class", "use a 2-D array and `@`"},
    {"bmat", "the matrix class", "use `np.block` of 2-D arrays"},
    {"memmap", "memory-mapped files", "read blocks with h5py, or map on the host and convert the part in use"},
    {"ma", "masked arrays",
     "keep values and a boolean mask as two arrays; where it marks the bad ones, pass `where=~mask` to sum, mean, min "
     "and max (those with `initial=`)"},
    {"rec", "record arrays", "keep one array per field"},
    {"datetime", "datetimes", "keep int64 seconds since an epoch"},
    {"timedelta", "time differences", "keep int64 seconds"},
    {"lib.stride_tricks", "strided views",
     "cut blocks that do not overlap by `reshape`; of windows that do, sum shifted slices in a short loop over the "
     "window"},
    {"complex", "extended precision", "use complex128"},
    {"clong", "extended precision", "use complex128"},
    {"", "extended precision", "use float64"},
};

static const api::Entry* OwnRow(std::string_view canonical, std::string_view version) {
  const api::Entry* row = canonical.empty() ? nullptr : match::Row(canonical, version);
  return row != nullptr && row->owner == 119 ? row : nullptr;
}

// The call that a name serves: of `np.lib.stride_tricks` that of `np.lib.stride_tricks.as_strided(...)`.
static ir::ValueId CallBehind(const Facts& facts, ir::ValueId op) {
  const auto uses = facts.UsesOf(op);
  const bool function = uses.size() == 1 && facts.program().ops[uses.front()].kind == OpKind::kAttr;
  return match::OnlyCall(facts, function ? uses.front() : op);
}

// A file that is written is a buffer of the host, of whatever library fills it.
static Text InsteadOfMemmap(const Facts& facts, ir::ValueId op) {
  const ir::ValueId call = match::OnlyCall(facts, op);
  if (!call.valid() && facts.program().ops[op].kind == OpKind::kAttr)
    return "write `onp.memmap`, host NumPy's class: no array of the device is one";
  const ir::ValueId given = call.valid() ? facts.Argument(call, 2, "mode") : ir::ValueId::None();
  const std::string_view mode = facts.TextOf(given).value_or("");
  if (mode == "w+" || mode == "r+" || mode == "write" || mode == "readwrite")
    return "keep it with host NumPy, `onp.memmap`; what the device computes goes in by `[...] = onp.asarray(x)`";
  return {};
}

// `x[np.arange(n)[None, :] + hop * np.arange(frames)[:, None]]` for rows of n entries of a vector, each of which begins
// `hop` entries behind the one before: `as_strided(x, (frames, n), (hop * x.strides[0], x.strides[0]))`.
static Text InsteadOfFrames(const Facts& facts, ir::ValueId call, ir::ValueId shape, ir::ValueId strides) {
  const ir::Program& program = facts.program();
  const ir::ValueId array = program.Operand(call, 1);
  const auto is_own_stride = [&](ir::ValueId value) {
    const ir::ValueId item = facts.Source(value);
    if (!item.valid() || program.ops[item].kind != OpKind::kSubscript) return false;
    const ir::ValueId all = facts.Source(program.Operand(item, 0));
    return program.ops[all].kind == OpKind::kAttr && program.Name(program.ops[all]) == "strides" &&
           facts.Source(program.Operand(all, 0)) == facts.Source(array);
  };
  if (facts.RankOf(array) > 1 || !is_own_stride(program.Operand(strides, 1))) return {};
  const Span words = program.OperandSpan(call, 1), rows = program.OperandSpan(shape, 0);
  Text code;
  code.Add(words, Binding::kPrimary).Add("[np.arange(").Add(program.OperandSpan(shape, 1)).Add(")[None, :] + ");
  const ir::ValueId step = facts.Source(program.Operand(strides, 0));
  if (!is_own_stride(step)) {
    if (program.ops[step].kind != OpKind::kBinary || program.FunctionOf(step) != program.FunctionOf(call)) return {};
    if (static_cast<ir::BinaryOp>(program.ops[step].detail) != ir::BinaryOp::kMul) return {};
    const bool first = is_own_stride(program.Operand(step, 0));
    if (!first && !is_own_stride(program.Operand(step, 1))) return {};
    code.Add(program.OperandSpan(step, first ? 1 : 0), Binding::kProduct).Add(" * ");
  }
  code.Add("np.arange(").Add(rows).Add(")[:, None]]");
  if (!match::IsShownWhole(code)) return {};
  Text help;
  if (facts.RankOf(array) != 1) help.Add("where ").Add(match::Quoted(words)).Add(" is a vector, ");
  return help.Add("gather the rows by their positions, `").Add(code).Add("`, which makes a copy");
}

// Row after row of `as_strided(a, (rows, columns), (columns * stride, stride))` begins where the one before ends.
static Text InsteadOfStrides(const Facts& facts, ir::ValueId call) {
  const ir::Program& program = facts.program();
  if (!call.valid() || facts.CalleeOf(call).name != "numpy.lib.stride_tricks.as_strided") return {};
  const auto pair_of = [&](std::size_t position, std::string_view name) {
    const ir::ValueId pair = facts.Source(facts.Argument(call, position, name));
    const bool two = pair.valid() && program.ops[pair].kind == OpKind::kTuple && program.Operands(pair).size() == 2;
    return two ? pair : ir::ValueId::None();
  };
  const ir::ValueId shape = pair_of(1, "shape"), strides = pair_of(2, "strides");
  if (!shape.valid() || !strides.valid() || facts.PositionalCount(call) == 0) return {};
  const ir::ValueId step = facts.Source(program.Operand(strides, 0)), columns = program.Operand(shape, 1);
  const bool product = program.ops[step].kind == OpKind::kBinary &&
                       static_cast<ir::BinaryOp>(program.ops[step].detail) == ir::BinaryOp::kMul;
  if (!product) return InsteadOfFrames(facts, call, shape, strides);
  const ir::ValueId stride = program.Operand(strides, 1);
  const auto is_product_of = [&](std::uint32_t first) {
    return match::SameExpression(facts, program.Operand(step, first), columns) &&
           match::SameExpression(facts, program.Operand(step, 1 - first), stride);
  };
  if (!is_product_of(0) && !is_product_of(1)) return InsteadOfFrames(facts, call, shape, strides);
  const Span array = program.OperandSpan(call, 1), rows_span = program.OperandSpan(shape, 0);
  const Span columns_span = program.OperandSpan(shape, 1);
  return Text("the blocks do not overlap: `")
      .Add(array, Binding::kPrimary)
      .Add("[:")
      .Add(rows_span, Binding::kProduct)
      .Add(" * ")
      .Add(columns_span, Binding::kUnary)
      .Add("].reshape(")
      .Add(rows_span)
      .Add(", ")
      .Add(columns_span)
      .Add(")`");
}

// The key is the item of the loop's trip, a part of it or computed from it.
static bool ReadsItem(const Facts& facts, ir::ValueId key, ir::LoopId loop) {
  constexpr std::size_t kMostValues = 40;
  const ir::Program& program = facts.program();
  std::vector<ir::ValueId> values = {key};
  for (std::size_t i = 0; i < values.size() && i < kMostValues; ++i) {
    if (!values[i].valid() || !facts.InLoop(values[i], loop)) continue;
    if (values[i] == program.loops[loop].item) return true;
    for (const ir::ValueId operand : program.Operands(values[i])) values.push_back(operand);
  }
  return false;
}

// The positions that the call gives select elements of an array on the device: `for i in np.ndindex(n, m): u[i] = ...`.
static bool WalksDeviceArray(const Facts& facts, ir::ValueId positions) {
  const ir::Program& program = facts.program();
  const ir::Function& function = program.functions[program.FunctionOf(positions)];
  const auto is_walked_by = [&](ir::LoopId loop) {
    const ir::ValueId walked = facts.Source(program.loops[loop].iterable);
    if (!walked.valid()) return false;
    if (walked == positions) return true;
    const auto parts = program.Operands(walked);  // `enumerate(np.ndindex(shape))`
    return program.ops[walked].kind == OpKind::kCall && std::ranges::find(parts, positions) != parts.end();
  };
  for (std::size_t i = function.first_op.index(); i < function.end_op.index(); ++i) {
    const ir::ValueId op(i);
    const OpKind kind = program.ops[op].kind;
    if (kind != OpKind::kSubscript && kind != OpKind::kStoreSubscript) continue;
    if (!facts.IsDevice(program.Operand(op, 0))) continue;
    for (ir::LoopId loop = program.LoopOf(op); loop.valid(); loop = program.loops[loop].parent) {
      if (!is_walked_by(loop)) continue;
      const auto keys = facts.KeysOf(op);
      if (std::ranges::any_of(keys, [&](ir::ValueId key) { return ReadsItem(facts, key, loop); })) return true;
    }
  }
  return false;
}

// Positions are numbers of the host: only where they select elements of the device there is something to rewrite.
static Text InsteadOfPositions(const Facts& facts, ir::ValueId op, std::string_view version) {
  const api::Entry* row = match::Row("numpy.ndindex", version);
  const ir::ValueId call = match::OnlyCall(facts, op);
  if (row == nullptr || !call.valid()) return {};
  if (WalksDeviceArray(facts, call)) {
    return Text(
               "work on the whole array: what a pass does with one element is done with the array itself, and "
               "`np.indices` gives the positions. Host NumPy counts them, `")
        .Add(match::OnHost(facts, op, *row))
        .Add("`, but each element that a pass takes or writes is then a wait of its own");
  }
  if (facts.program().ops[op].kind != OpKind::kAttr)
    return "import it from host NumPy as before: it counts positions there and touches no array";
  return Text("with host NumPy as `onp`, write `")
      .Add(match::OnHost(facts, op, *row))
      .Add("`: it counts positions on the host and touches no array");
}

// What fits the call better than what is said of the feature; empty where nothing does.
static Text InsteadOfCall(const Facts& facts, ir::ValueId op, std::string_view row, std::string_view version) {
  if (row == "numpy.ndindex") return InsteadOfPositions(facts, op, version);
  if (row == "numpy.memmap") return InsteadOfMemmap(facts, op);
  if (row.starts_with("numpy.lib.stride_tricks") && match::WorksOnHostArrays(facts, op)) {
    return facts.program().ops[op].kind == OpKind::kImport
               ? "nothing of the device is handed to it: import it from host NumPy as before"
               : "nothing of the device is handed to it: call it of host NumPy, as `onp`";
  }
  if (row.starts_with("numpy.lib.stride_tricks")) return InsteadOfStrides(facts, CallBehind(facts, op));
  return {};
}

// An attribute of the library or of an array that belongs to such a feature; the innermost one, where it is written.
static Feature OfName(const Facts& facts, ir::ValueId op, std::string_view version) {
  const ir::Program& program = facts.program();
  const ir::Op& it = program.ops[op];
  analysis::EvidenceSet evidence = facts.Of(op).evidence;
  std::string name;
  const ir::ValueId object = it.kind == OpKind::kAttr ? program.Operand(op, 0) : ir::ValueId::None();
  if (facts.IsDevice(object)) {
    name = "numpy.ndarray." + std::string(program.Name(it));
    evidence = facts.Of(object).evidence;
  } else if (facts.Of(op).library == analysis::Library::kDevice && OwnRow(facts.ApiName(object), version) == nullptr) {
    name = facts.ApiName(op);
  }
  const api::Entry* row = OwnRow(name, version);
  if (row == nullptr) return {};
  for (const NamedFeature& named : kNamed) {
    if (row->name.substr(6, named.prefix.size()) != named.prefix) continue;
    const Text own = InsteadOfCall(facts, op, row->name, version);
    return {named.cause, own.empty() ? named.instead : own, std::string(row->name), it.span, evidence};
  }
  return {};
}

static Feature OfStore(const Facts& facts, ir::ValueId op) {
  const ir::Program& program = facts.program();
  const ir::ValueId array = program.Operand(op, 0);
  const std::string_view name = program.Name(program.ops[op]);
  if (!facts.IsDevice(array) || !match::IsOneOf(name, {"shape", "dtype", "real", "imag", "flat", "strides"})) return {};
  const Span target = program.OperandSpan(op, 0), value = program.OperandSpan(op, 1);
  Text instead("assign the result of `reshape`, `astype` or `copy` to the name");
  if (name == "shape") {
    instead = Text("write `").Add(target).Add(" = ").Add(target).Add(".reshape(").Add(value).Add(")`");
  } else if (name == "flat") {
    instead = Text("write `").Add(target, Binding::kPrimary).Add("[...] = ").Add(value, Binding::kPrimary);
    instead.Add(".reshape(").Add(target, Binding::kPrimary).Add(".shape)` where there are as many values as entries");
  } else if (name == "real") {
    instead = Text("write `").Add(target).Add("[...] = ").Add(value, Binding::kSum).Add(" + 1j * ");
    instead.Add(target).Add(".imag`");
  } else if (name == "imag") {
    instead = Text("write `").Add(target).Add("[...] = ").Add(target).Add(".real + 1j * ");
    instead.Add(value, Binding::kUnary).Add("`");
  }
  return {"an attribute of an array that can be set", instead, "set " + std::string(name), program.ops[op].span,
          facts.Of(array).evidence};
}

// `x.view(np.uint8)` shows the same bytes as other numbers; `x.view(Grid)` makes an object of a class.
static Text InsteadOfView(const Facts& facts, const DeviceCall& call) {
  const ir::Program& program = facts.program();
  const ir::ValueId type = program.Operand(call.call, 1);
  if (facts.Of(type).kind == Kind::kClass) return "keep the array in an attribute of the objects of the class";
  const bool dtype = match::IsOneOf(facts.ApiName(type), {"numpy.ndarray", "numpy.matrix"})
                         ? false
                         : facts.Of(type).kind == Kind::kDType || facts.Of(type).kind == Kind::kStr ||
                               facts.Of(type).kind == Kind::kBuiltin || facts.Of(type).kind == Kind::kApi;
  return Text(dtype ? "" : "for a class, keep the array in an attribute of its objects; for a dtype, ")
      .Add("on the host: `np.asarray(onp.asarray(")
      .Add(call.array_span)
      .Add(").view(")
      .Add(program.OperandSpan(call.call, 1))
      .Add("))`; `.astype` converts the values, which is something else");
}

constexpr int kMostAxes = 6;

static bool IsForeignDtype(ir::DType dtype) {
  return dtype == ir::DType::kDatetime || dtype == ir::DType::kTimedelta || dtype == ir::DType::kStructured ||
         dtype == ir::DType::kLongDouble || dtype == ir::DType::kComplexLongDouble;
}

static Feature OfDtype(const Facts& facts, const DeviceCall& call, std::size_t position, std::string_view version) {
  const ir::ValueId dtype_argument = facts.Argument(call.call, position, "dtype");
  // np.longdouble and the like are told where they are named.
  if (!dtype_argument.valid() || OwnRow(facts.ApiName(dtype_argument), version) != nullptr) return {};
  const std::string text = match::LiteralText(facts, dtype_argument, false);
  Span span = facts.KeywordSpan(call.call, "dtype");
  if (span.empty()) span = facts.program().OperandSpan(call.call, static_cast<std::uint32_t>(position) + 1);
  if (text.size() > 2 && text[1] == '>') {
    return {"a foreign byte order", "convert on the host when the file is read", "byte order", span, call.evidence};
  }
  const ir::DType dtype = analysis::DTypeArgument(facts.program().names, facts.Of(dtype_argument));
  if (!IsForeignDtype(dtype)) return {};
  const bool record = dtype == ir::DType::kStructured;
  const bool time = dtype == ir::DType::kDatetime || dtype == ir::DType::kTimedelta;
  return {record ? "a record dtype"
          : time ? "a datetime dtype"
                 : "extended precision",
          record ? "keep one array per field"
          : time ? "keep int64 seconds since an epoch"
                 : "use float64 or complex128",
          std::string(ir::Name(dtype)), span, call.evidence};
}

// The dtypes of which Python's function takes NumPy's scalars: of others it raises under NumPy as well (executed on
// 2.1.3). An unknown one is among them in a program that runs.
enum class Takes : std::uint8_t { kFloat64, kFloats, kWhole, kFloat64OrWhole, kReal, kNumbers, kAll };

static bool IsTaken(Takes takes, ir::DType dtype) {
  if (dtype == ir::DType::kUnknown) return true;
  const bool wide = dtype == ir::DType::kFloat64, real = ir::IsFloat(dtype), whole = ir::IsInteger(dtype);
  switch (takes) {
    case Takes::kFloat64: return wide;
    case Takes::kFloats: return real;
    case Takes::kWhole: return whole;
    case Takes::kFloat64OrWhole: return wide || whole;
    case Takes::kReal: return real || whole;
    case Takes::kNumbers: return real || whole || dtype == ir::DType::kBool;
    case Takes::kAll: return true;
  }
  return false;
}

// What functions of Python's `statistics` are of arrays, before and behind the array; nothing where only a list does.
struct OfItems {
  std::string_view function;
  Takes takes;
  std::string_view before, behind;
};
constexpr auto kOfItems = std::to_array<OfItems>({{"statistics.mean", Takes::kReal, "np.mean(", ")"},
                                                  {"statistics.pstdev", Takes::kFloats, "np.sqrt(np.var(", "))"},
                                                  {"statistics.pvariance", Takes::kReal, "np.var(", ")"},
                                                  {"statistics.stdev", Takes::kFloats, "np.sqrt(np.var(", ", ddof=1))"},
                                                  {"statistics.variance", Takes::kReal, "np.var(", ", ddof=1)"},
                                                  {"statistics.harmonic_mean", Takes::kNumbers, "", ""},
                                                  {"statistics.mode", Takes::kAll, "", ""},
                                                  {"statistics.multimode", Takes::kAll, "", ""}});

// `Fraction(x.sum(), 3)` of one or both of its arguments, which asks for whole numbers.
static Text InsteadOfNumber(const Facts& facts, ir::ValueId op, bool whole) {
  const ir::Program& program = facts.program();
  std::vector<match::Cut> numbers;
  for (std::uint32_t i = 1; i < program.Operands(op).size(); ++i) {
    const Span words = program.OperandSpan(op, i);
    const bool device = facts.IsDevice(program.Operand(op, i));
    if (device) numbers.push_back({words, Text(whole ? "int(" : "float(").Add(words).Add(")")});
  }
  return Text("write `").Add(match::Replace(program.ops[op].span, numbers)).Add("`");
}

// `Decimal(x.sum())`, `statistics.stdev(x)`: Python's own functions ask for a number of Python, which a scalar of NumPy
// is and an array of rank 0 is not.
static Feature OfPythonNumber(const Facts& facts, ir::ValueId op) {
  const analysis::Callee& callee = facts.CalleeOf(op);
  if (callee.kind != analysis::Callee::Kind::kForeign || facts.PositionalCount(op) == 0 || facts.HasStarArguments(op))
    return {};
  const ir::ValueId value = facts.program().Operand(op, 1);
  if (!facts.IsDevice(value)) return {};
  const Span words = facts.program().OperandSpan(op, 1), span = facts.program().ops[op].span;
  const ir::DType dtype = facts.Of(value).dtype;
  const bool more = facts.program().Operands(op).size() > 2;
  Feature feature{.cause = "a NumPy scalar being a number of Python",
                  .key = std::string(callee.name),
                  .span = span,
                  .evidence = facts.Of(value).evidence,
                  .why =
                      "what cuPyNumeric has in the place of NumPy's scalars are arrays of rank 0, also as items: the "
                      "function raises TypeError (executed on 26.6.1)"};
  if (const auto* of_items = std::ranges::find(kOfItems, callee.name, &OfItems::function); of_items != kOfItems.end()) {
    // The rows of a matrix are no numbers in NumPy either.
    if (facts.IsZeroD(value) || facts.RankOf(value) > 1 || !IsTaken(of_items->takes, dtype)) return {};
    feature.instead = of_items->before.empty() || more
                          ? Text("hand it a list: `").Add(words, Binding::kPrimary).Add(".tolist()`")
                          : Text("write `").Add(of_items->before).Add(words).Add(of_items->behind).Add("`");
    return feature;
  }
  if (!facts.IsZeroD(value)) return {};
  if (callee.name == "math.trunc") {
    if (!IsTaken(Takes::kFloat64, dtype)) return {};
    feature.instead = Text("write `int(").Add(words).Add(")`");
    return feature;
  }
  const bool ratio = callee.name == "fractions.Fraction";
  if (!ratio && callee.name != "decimal.Decimal") return {};
  const Takes takes = !ratio ? Takes::kFloat64 : more ? Takes::kWhole : Takes::kFloat64OrWhole;
  if (!IsTaken(takes, dtype)) return {};
  feature.instead = InsteadOfNumber(facts, op, (ratio && more) || ir::IsInteger(dtype));
  return feature;
}

static Feature OfCall(const Facts& facts, ir::ValueId op, std::string_view version) {
  if (Feature number = OfPythonNumber(facts, op); number.cause != nullptr) return number;
  const DeviceCall call = match::AsDeviceCall(facts, op);
  if (!call) return {};
  const Span span = facts.program().ops[op].span;
  if (call.base == "load" && !call.method) {
    const bool archive = match::OpensArchive(facts, call);
    const ir::ValueId map = facts.Argument(op, 1, "mmap_mode");
    const bool mapped = map.valid() && !facts.IsNoneConstant(map);
    const bool pickled = facts.BoolOf(facts.Argument(op, 2, "allow_pickle")).value_or(false);
    if (!archive && !mapped && !pickled) return {};
    if (mapped) return {"memory-mapped files", match::InsteadOfMap(facts, call), "load map", span, call.evidence};
    const bool objects = pickled && !archive;
    return {"archives and pickles of arrays",
            objects ? match::InsteadOfPickle(facts, call)
                    : Text("load with host NumPy and convert: `np.asarray(onp.load(path)[\"name\"])`"),
            objects ? "load pickle" : "load", span, call.evidence};
  }
  if (call.base == "view" && call.method && facts.program().ops[op].operand_count > 1) {
    return {"a view as another type", InsteadOfView(facts, call), "view", span, call.evidence};
  }
  if (call.base == "ndarray" && facts.KeywordArgument(op, "buffer").valid()) {
    return {"an array over a foreign buffer", "copy the data in with `np.asarray`", "buffer", span, call.evidence};
  }
  if (call.base == "dtype") return {};  // describes data, of a host file perhaps; what is made of it raises
  if (call.base == "astype") return OfDtype(facts, call, 0, version);
  const api::Entry* row = api::Find(call.name);
  if (row == nullptr || row->status == api::Status::kMissing) return {};
  const std::size_t position = api::ParameterPosition(*row, "dtype").value_or(99);
  if (Feature typed = OfDtype(facts, call, position, version); typed.cause != nullptr) return typed;
  const ir::ValueId shape = call.method ? ir::ValueId::None() : call.array;
  const analysis::Value& extents = facts.Of(shape);
  if (match::IsOneOf(call.base, {"zeros", "ones", "empty", "full"}) && extents.kind == Kind::kTuple &&
      facts.store().dims().AsConst(extents.dim).value_or(0) > kMostAxes) {
    return {"more than six dimensions", "fold axes together", "rank", call.array_span, call.evidence};
  }
  if (match::IsOneOf(call.base, {"reshape", "expand_dims"}) && facts.RankOf(op) > kMostAxes) {
    return {"more than six dimensions", "fold axes together", "rank", span, call.evidence};
  }
  return {};
}

// `np.mgrid[-1:1:64j, -1:1:64j]`
static Feature OfGrid(const Facts& facts, ir::ValueId op, std::string_view version) {
  const ir::ValueId grid = facts.program().Operand(op, 0);
  if (facts.Of(grid).kind != Kind::kApi || facts.Of(grid).library != analysis::Library::kDevice) return {};
  const api::Entry* row = match::Row(facts.ApiName(grid), version);
  if (row == nullptr || api::FindLimit(*row, api::LimitKind::kRealSteps) == nullptr) return {};
  const auto keys = facts.KeysOf(op);
  if (std::ranges::none_of(keys, [&](ir::ValueId key) { return match::CountsValues(facts, key); })) return {};
  const std::optional<Text> code = match::WithoutIndexObject(facts, op);
  const Text instead =
      code ? Text("write `").Add(*code).Add("`")
           : Text("make the lines with `np.linspace` and join them with `np.meshgrid(..., indexing='ij')`");
  return {"a complex step, the number of values", instead, "complex step", facts.program().ops[op].span,
          facts.Of(grid).evidence};
}

static Feature OfSubscript(const Facts& facts, ir::ValueId op, std::string_view version) {
  const ir::ValueId array = facts.program().Operand(op, 0);
  if (Feature grid = OfGrid(facts, op, version); grid.cause != nullptr) return grid;
  if (!facts.IsDevice(array)) return {};
  for (const ir::ValueId key : facts.KeysOf(op)) {
    if (!key.valid() || facts.program().ops[key].kind != OpKind::kList || facts.program().ops[key].operand_count != 0)
      continue;
    if (!facts.program().ops[op].span.Contains(facts.program().ops[key].span)) continue;  // a list that is filled later
    return {"an empty list as an index", "use a slice of no elements: `[0:0]`", "empty index",
            facts.program().ops[op].span, facts.Of(array).evidence};
  }
  if (facts.RankOf(op) > kMostAxes && facts.RankOf(array) <= kMostAxes) {  // `a[:, None, None, None, None, None]`
    return {"more than six dimensions", "fold axes together", "rank", facts.program().ops[op].span,
            facts.Of(array).evidence};
  }
  return {};
}

// `z[bad] = np.nan`, of a matrix and a mask of its rows
static Feature OfShortMask(const Facts& facts, ir::ValueId op) {
  if (!match::WritesOneValueThroughShortMask(facts, op)) return {};
  const ir::Program& program = facts.program();
  const ir::ValueId array = program.Operand(op, 0), mask = facts.KeysOf(op)[0], value = program.Operand(op, 1);
  return {
      .cause = "a mask of fewer axes than the array to write one value",
      .instead = match::WithAllAxes(facts, op),
      .key = "short mask",
      .span = program.ops[op].span,
      .evidence = analysis::EvidenceSet(facts.Of(array).evidence | facts.Of(mask).evidence | facts.Of(value).evidence),
      .why =
          "a single value goes to a task that asserts that mask and array have one shape: AssertionError "
          "without a message, also where the mask selects nothing (executed on 26.6.1)"};
}

// `u[..., land]`, of fields and a mask of their last two axes
static Feature OfEllipsisMask(const Facts& facts, ir::ValueId op) {
  const ir::ValueId mask = match::MaskBesideEllipsis(facts, op);
  if (!mask.valid()) return {};
  const ir::Program& program = facts.program();
  return {.cause = "a mask of several axes beside an Ellipsis",
          .instead = match::WithoutEllipsis(facts, op),
          .key = "mask beside an Ellipsis",
          .span = program.ops[op].span,
          .evidence = analysis::EvidenceSet(facts.Of(program.Operand(op, 0)).evidence | facts.Of(mask).evidence),
          .why =
              "the mask is compared with the axis at which the `...` stands, not with those that are left for it: "
              "ValueError or IndexError on reads and writes (executed on 26.6.1)"};
}

// Fires when
//   1. the op uses such a feature on device data or in the device namespace: datetimes and record types, masked arrays,
//      the matrix class, memory maps, strided views, settable attributes, element iterators, rank above 6, complex
//      steps of a grid, an empty index, one value through a mask of fewer axes than the array, a mask of several axes
//      beside an Ellipsis, functions of Python that take a NumPy scalar for a number.
// Quiet where (a) host NumPy or (c) another library is asked, which the first condition sees to, (b) the code asks
// first, (d) a record dtype only describes a host file, and (f) in annotations that Python does not evaluate.
static void OnOp(const Facts& facts, ir::ValueId op, Trial& trial) {
  const ir::Op& it = facts.program().ops[op];
  Feature feature;
  switch (it.kind) {
    case OpKind::kAttr:
    case OpKind::kImport: feature = OfName(facts, op, trial.target().version); break;
    case OpKind::kStoreAttr: feature = OfStore(facts, op); break;
    case OpKind::kCall: feature = OfCall(facts, op, trial.target().version); break;
    default: feature = OfSubscript(facts, op, trial.target().version); break;
  }
  if (feature.cause == nullptr) feature = OfShortMask(facts, op);
  if (feature.cause == nullptr) feature = OfEllipsisMask(facts, op);
  if (!trial.Holds(1, feature.cause != nullptr) || feature.cause == nullptr) return;
  if (trial.Quiet('b', facts.IsGuardedAgainstMissing(op))) return;
  if (trial.Quiet('f', (it.flags & ir::kNotEvaluated) != 0)) return;
  Trial::Report report = trial.ReportOp(op);
  if (feature.why != nullptr) report.Why(feature.why);
  report.At(feature.span)
      .Arg("expr", feature.span)
      .Arg("cause", feature.cause)
      .Arg("version", trial.target().version)
      .Key(feature.key)
      .Evidence(feature.evidence)
      .Help(Text("RR-feature  ")
                .Add(match::IsNeverUsed(facts, op) ? Text("it is never used: delete the import") : feature.instead));
}

extern constinit const Rule kRule;
constinit const Rule kRule = {
    .code = 119,
    .slug = "raising-numpy-feature",
    .family = Family::kBlocks,
    .severity = Severity::kError,
    .cold = Severity::kError,
    .summary = "a NumPy feature without a counterpart in cuPyNumeric",
    .message = "`{expr}` relies on {cause}, which raises in cuPyNumeric {version}",
    .why =
        "cuPyNumeric raises NotImplementedError, TypeError or AttributeError here and does not fall back to host NumPy "
        "(26.07)",
    .details = R"md(
Fires, in the device namespace or on device arrays, on datetimes and time differences, record and structured dtypes,
`np.rec`, extended precision, foreign byte orders, masked arrays (`np.ma`), the matrix class, `np.memmap`, `np.load` of
archives, pickles or with `mmap_mode`, `lib.stride_tricks`, `ndarray(buffer=...)`, assignment to `.shape`, `.dtype`,
`.real`, `.imag`, `.flat`, `.base`, `getfield`, `view` with a dtype or class, `nditer`, `ndenumerate`, `ndindex`, more
than six dimensions, complex steps of `mgrid`, an empty list as an index (a float64 array there), and `a[mask] = value`
where the mask has fewer axes than `a` and the value is one element: AssertionError on 26.6.1, whatever the mask selects.
`a[mask, :] = value` works there, and so do values of several elements (`a[mask] = row`), `a[mask] += value` and masks of
a later axis (`a[:, mask] = value`). A mask of two axes or more beside an Ellipsis (`a[..., mask]`, `a[mask, ...]`) raises as
well, read and written; with the axes written out (`a[:, :, mask]`) it does not. `math.trunc`, `Decimal` and `Fraction` of
a 0-d result raise as well, and `statistics.mean`, `stdev`, `mode` and others of an array: they ask for a number of Python,
which a scalar of NumPy is where the dtype is float64 (for `Fraction` and most of `statistics` an integer as well).

Stays quiet on host NumPy whose result is converted before use, on tuples and lists that are reversed, on datetime columns
kept in pandas, on reads of `.real` and `.imag`, and in annotations that are not evaluated. Slices with a step are R106.
)md",
    .bad = R"py(
import numpy as np

def wet_mean(n):
    depth = np.linspace(0.0, 2.0, n)
    wet = np.ma.masked_less(depth, 0.1)
    return wet.mean()
)py",
    .good = R"py(
import numpy as np

def wet_mean(n):
    depth = np.linspace(0.0, 2.0, n)
    return np.mean(depth, where=depth >= 0.1)
)py",
    .recipe = "RR-feature",
    .fix = FixClass::kUnsafe,
    .conditions = R"md(
1. such a feature is used on device data or in the device namespace: datetimes and record types, masked arrays, the matrix class, memory maps, strided views, settable attributes, element iterators, rank above 6, complex steps of a grid, an empty index, one value written through a mask of fewer axes than the array, a mask of several axes beside an Ellipsis, functions of Python that take a NumPy scalar for a number
- (b) the code asks first, or catches the error
- (f) it stands in an annotation that Python does not evaluate
)md",
    .ops = {OpKind::kAttr, OpKind::kImport, OpKind::kStoreAttr, OpKind::kCall, OpKind::kSubscript,
            OpKind::kStoreSubscript},
    .on_op = &OnOp,
};

}  // namespace cpnlint::rules::r119
