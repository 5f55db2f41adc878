// R314 silent-difference: code that runs on cuPyNumeric and gives another result, without a word.

#include <algorithm>
#include <optional>
#include <span>
#include <string>

#include "rules/engine/rule.h"
#include "rules/match/device_call.h"
#include "rules/match/hashed.h"
#include "rules/match/json_dump.h"
#include "rules/match/layout.h"
#include "rules/match/loop_exit.h"
#include "rules/match/rewrite.h"
#include "rules/match/story.h"

namespace cpnlint::rules::r314 {

using analysis::Callee;
using analysis::Kind;
using ir::DType;
using ir::OpKind;
using ir::ValueId;
using match::DeviceCall;

struct Difference {
  Text there = {}, here = {};  // what cuPyNumeric and what NumPy gives
  Text help = {};
  Span label = {};  // where it matters
  const char* label_text = "";
  Confidence at_most = Confidence::kCertain;
  bool raises = false;                           // `there` is an exception, which says so itself
  ValueId value = {};                            // what it is about, where that is no operand of the op
  std::string key = {};                          // what findings about one fault have in common
  const char* lack = "an array without a hash";  // what a single result is where that raises
  analysis::EvidenceSet evidence = 0;
};
using Found = std::optional<Difference>;

static bool IsNarrow(DType dtype) { return ir::IsInteger(dtype) && dtype != DType::kInt64 && dtype != DType::kUInt64; }

static bool IsNarrowUnsigned(DType dtype) { return ir::IsUnsigned(dtype) && dtype != DType::kUInt64; }

static bool OverAllAxes(const Facts& facts, const DeviceCall& call) {
  const ValueId axis = match::Argument(facts, call, 1, "axis");
  return !facts.HasStarArguments(call.call) && (!axis.valid() || facts.IsNoneConstant(axis));
}

static Text Written(const char* before, Span array, const char* after) { return Text(before).Add(array).Add(after); }

// The call with its array as another type.
static Text Converted(const Facts& facts, const DeviceCall& call, const char* before, const char* conversion) {
  return Text(before).Add(match::WithArray(facts, call, conversion)).Add("`");
}

// The type that NumPy sums in.
static Text StateType(DType dtype) {
  return ir::IsUnsigned(dtype) ? "RR-guard  state the type: `dtype=np.uint64`"
                               : "RR-guard  state the type: `dtype=np.int64`";
}

// The first use of the value that `wanted` accepts.
template <class Wanted>
static ValueId UseThat(const Facts& facts, ValueId value, const Wanted& wanted) {
  for (const ValueId use : facts.DeepUsesOf(value)) {
    if (wanted(use)) return use;
  }
  return {};
}

static bool IsUsed(const Facts& facts, ValueId value) { return !facts.DeepUsesOf(value).empty(); }

// Nothing but the real part is taken.
static bool TakesReal(const Facts& facts, ValueId value) {
  const ir::Program& program = facts.program();
  return !UseThat(facts, value, [&](ValueId use) {
            return program.ops[use].kind != OpKind::kAttr || program.Name(program.ops[use]) != "real";
          }).valid();
}

// --- types that stay narrow, and values that are wrong ---

// `np.cumsum(mask) == 0`, and nothing else is done with it.
static bool IsComparedWithZero(const Facts& facts, ValueId value) {
  const ir::Program& program = facts.program();
  return !UseThat(facts, value, [&](ValueId use) {
            if (program.ops[use].kind != OpKind::kCompare) return true;
            const auto compare = static_cast<ir::CompareOp>(program.ops[use].detail);
            const bool by_zero =
                compare == ir::CompareOp::kEq || compare == ir::CompareOp::kNe || compare == ir::CompareOp::kGt;
            return !by_zero || facts.IntOf(program.Operand(use, 1)) != 0;
          }).valid();
}

static Found OfType(const Facts& facts, const DeviceCall& call) {
  const DType dtype = facts.Of(call.array).dtype;
  const std::string name(ir::Name(dtype));
  if (match::IsOneOf(call.base, {"cumsum", "cumprod"})) {
    const bool narrow = dtype == DType::kBool || IsNarrowUnsigned(dtype);
    if (dtype == DType::kBool && IsComparedWithZero(facts, call.call)) return {};  // False where 0 is
    if (!narrow || match::Argument(facts, call, 2, "dtype").valid() || facts.HasStarArguments(call.call)) return {};
    return Difference{Text(dtype == DType::kBool ? "an array of bool" : name + ", which overflows"),
                      dtype == DType::kBool ? "int64" : "uint64", StateType(dtype)};
  }
  if (call.base == "trace") {
    if (!IsNarrow(dtype) || facts.KeywordArgument(call.call, "dtype").valid()) return {};
    return Difference{name + ", which overflows", ir::IsUnsigned(dtype) ? "uint64" : "int64", StateType(dtype)};
  }
  if (call.base == "var") {
    if ((dtype != DType::kInt64 && dtype != DType::kUInt64) || !OverAllAxes(facts, call)) return {};
    return Difference{"a wrong number for integers", "the variance",
                      Converted(facts, call, "RR-guard  write `", ".astype(np.float64)")};
  }
  if (call.base == "any") {
    if (dtype != DType::kComplex128 || !OverAllAxes(facts, call)) return {};
    return Difference{"False for complex128, whatever it holds", "True where something is not 0",
                      Text("RR-guard  write `(").Add(call.array_span, Binding::kBitOr).Add(" != 0).any()`")};
  }
  if (call.base == "clip") {
    if (!ir::IsComplex(dtype) || TakesReal(facts, call.call)) return {};
    return Difference{"the real part only", "complex numbers",
                      Converted(facts, call, "RR-guard  where the imaginary part is 0 anyway, write `", ".real")};
  }
  if (call.base == "convolve") {
    const ValueId kernel = match::Argument(facts, call, 1, "v");
    if (!ir::IsFloat(dtype) || !facts.IsDevice(kernel) || !ir::IsComplex(facts.Of(kernel).dtype)) return {};
    if (TakesReal(facts, call.call)) return {};
    return Difference{"the real part only", "complex numbers",
                      Converted(facts, call, "RR-guard  write `", ".astype(np.complex128)")};
  }
  return {};
}

// `np.quantile(x, 0.5)` of float32 is float32 in NumPy: told where the type is asked for, or equality.
static Found OfWidened(const Facts& facts, const DeviceCall& call) {
  if (!match::IsOneOf(call.base, {"angle", "quantile", "percentile", "nanquantile", "nanpercentile"})) return {};
  const ir::Program& program = facts.program();
  const DType dtype = facts.Of(call.array).dtype;
  const bool narrow = call.base == "angle" ? dtype == DType::kFloat32 || dtype == DType::kComplex64
                                           : dtype == DType::kFloat16 || dtype == DType::kFloat32;
  if (!narrow) return {};
  const ValueId use = UseThat(facts, call.call, [&](ValueId op) {
    const ir::Op& it = program.ops[op];
    if (it.kind == OpKind::kAttr)
      return match::IsOneOf(program.Name(it), {"dtype", "itemsize", "nbytes", "tobytes", "tofile"});
    if (it.kind != OpKind::kCompare) return false;
    const auto compare = static_cast<ir::CompareOp>(it.detail);
    return compare == ir::CompareOp::kEq || compare == ir::CompareOp::kNe;
  });
  if (!use.valid()) return {};
  const DType here = dtype == DType::kComplex64 ? DType::kFloat32 : dtype;
  return Difference{"float64", std::string(ir::Name(here)),
                    Text("RR-guard  convert it: `").Add(program.ops[call.call].span).Add(".astype(...)`"),
                    program.ops[use].span, "the type matters here"};
}

// --- counts and eigenvalues: another type, which matters for what follows ---

// `m.size - np.count_nonzero(m)`, `len(m) - ...`, `n - ...` of n entries: no more are counted than there are.
static bool IsOwnSize(const Facts& facts, ValueId number, ValueId array) {
  const ir::Program& program = facts.program();
  const ir::DimId volume = facts.VolumeOf(array);
  if (volume.valid() && facts.store().dims().KnownEqual(facts.Of(number).dim, volume)) return true;
  const ValueId made = facts.Source(number);
  if (!made.valid()) return false;
  const ir::Op& op = program.ops[made];
  const auto is_of_array = [&](ValueId other) {
    return facts.Source(other) == facts.Source(array) || match::SameShape(facts, other, array);
  };
  if (op.kind == OpKind::kAttr) return program.Name(op) == "size" && is_of_array(program.Operand(made, 0));
  const bool flat = facts.RankOf(array) <= 1;
  if (op.kind == OpKind::kCall) {
    const Callee& callee = facts.CalleeOf(made);
    return flat && callee.kind == Callee::Kind::kBuiltin && callee.name == "len" &&
           is_of_array(program.Operand(made, 1));
  }
  if (op.kind != OpKind::kSubscript || !flat) return false;
  const ValueId shape = facts.Source(program.Operand(made, 0));
  return shape.valid() && program.ops[shape].kind == OpKind::kAttr && program.Name(program.ops[shape]) == "shape" &&
         is_of_array(program.Operand(shape, 0));
}

static Found OfCount(const Facts& facts, const DeviceCall& call) {
  if (call.base != "count_nonzero" || !OverAllAxes(facts, call)) return {};
  const ir::Program& program = facts.program();
  const auto is_whole = [&](ValueId value) {
    const Kind kind = facts.Of(value).kind;
    const DeviceCall other = match::AsDeviceCall(facts, facts.Source(value));
    return kind == Kind::kInt || kind == Kind::kBool || (other && other.base == "count_nonzero");
  };
  const ValueId use = UseThat(facts, call.call, [&](ValueId op) {
    const ir::Op& it = program.ops[op];
    if (it.kind == OpKind::kUnary) return static_cast<ir::UnaryOp>(it.detail) == ir::UnaryOp::kNegative;
    if (it.kind != OpKind::kBinary || static_cast<ir::BinaryOp>(it.detail) != ir::BinaryOp::kSub) return false;
    if (IsOwnSize(facts, program.Operand(op, 0), call.array)) return false;
    return is_whole(program.Operand(op, 0)) && is_whole(program.Operand(op, 1));
  });
  if (!use.valid()) return {};
  // `total - np.count_nonzero(m)`: of all, as a rule.
  const ValueId from = program.Operand(use, 0);
  const DeviceCall counted = match::AsDeviceCall(facts, facts.Source(from));
  const bool total = (facts.Of(from).kind == Kind::kInt && !facts.IntOf(from).has_value()) ||
                     (counted.base == "count_nonzero" && counted.call != call.call);
  const bool from_all = program.ops[use].kind == OpKind::kBinary && total;
  return Difference{"uint64, which wraps below zero",
                    "an int",
                    Text("RR-guard  convert it: `int(").Add(program.ops[call.call].span).Add(")`, which waits"),
                    program.ops[use].span,
                    "wraps where the result is negative",
                    from_all ? Confidence::kPossible : Confidence::kCertain};
}

static Found OfEigenvalues(const Facts& facts, const DeviceCall& call) {
  const bool pair = call.base == "linalg.eig";
  if (!pair && call.base != "linalg.eigvals") return {};
  const DType dtype = facts.Of(call.array).dtype;
  if (!ir::IsFloat(dtype) && !ir::IsInteger(dtype)) return {};
  const ir::Program& program = facts.program();
  std::vector<ValueId> values;
  if (!pair) values.push_back(call.call);
  if (pair) {
    for (const ValueId use : facts.DeepUsesOf(call.call)) {
      const ir::Op& it = program.ops[use];
      if (it.kind == OpKind::kUnpackItem && ir::ItemPosition::Unpack(it.payload).index == 0) values.push_back(use);
      if (it.kind == OpKind::kSubscript && facts.IntOf(program.Operand(use, 1)) == 0) values.push_back(use);
    }
  }
  for (const ValueId value : values) {
    const ValueId use = UseThat(facts, value, [&](ValueId op) {
      const ir::Op& it = program.ops[op];
      if (it.kind == OpKind::kCompare) {
        const auto compare = static_cast<ir::CompareOp>(it.detail);
        return compare >= ir::CompareOp::kLt && compare <= ir::CompareOp::kGe;
      }
      const bool stores = it.kind == OpKind::kStoreSubscript && program.Operand(op, 1) == value;
      return stores && ir::IsFloat(facts.Of(program.Operand(op, 0)).dtype);
    });
    if (!use.valid()) continue;
    return Difference{"complex numbers", "real ones where all of them are real",
                      "RR-guard  take `.real`, or `np.linalg.eigvalsh` of a symmetric matrix", program.ops[use].span,
                      "expects real numbers"};
  }
  return {};
}

// --- NaN, which the reductions skip ---

static bool IsExtremum(std::string_view base) {
  return match::IsOneOf(base, {"max", "min", "amax", "amin", "argmax", "argmin"});
}

// `np.nan`, `math.nan`, `float("nan")`
static bool IsNan(const Facts& facts, ValueId value) {
  const ir::Program& program = facts.program();
  const ValueId source = facts.Source(value);
  if (!source.valid()) return false;
  const ir::Op& op = program.ops[source];
  if (op.kind == OpKind::kAttr) {
    return match::IsOneOf(program.Name(op), {"nan", "NaN", "NAN"}) &&
           match::IsOneOf(facts.ApiName(program.Operand(source, 0)), {"numpy", "math"});
  }
  if (op.kind != OpKind::kCall) return false;
  const Callee& callee = facts.CalleeOf(source);
  return callee.kind == Callee::Kind::kBuiltin && callee.name == "float" &&
         facts.TextOf(program.Operand(source, 1)) == "nan";
}

static bool ChecksForNan(const Facts& facts, ValueId op) {
  if (facts.program().ops[op].kind != OpKind::kCall) return false;
  const Callee& callee = facts.CalleeOf(op);
  if (callee.kind != Callee::Kind::kApi && callee.kind != Callee::Kind::kForeign) return false;
  return match::IsOneOf(callee.name, {"numpy.isnan", "numpy.isfinite", "math.isnan", "math.isfinite"});
}

// NaN was written into the array before: `x[mask] = np.nan`, `np.where(ok, x, np.nan)`.
static ValueId NanIn(const Facts& facts, ValueId array, ValueId before) {
  const ir::Program& program = facts.program();
  const ValueId source = facts.Source(array);
  const DeviceCall made = match::AsDeviceCall(facts, source);
  if (made && made.base == "where") {
    for (const std::size_t position : {std::size_t{1}, std::size_t{2}}) {
      if (const ValueId value = match::Argument(facts, made, position, ""); value.valid() && IsNan(facts, value))
        return source;
    }
  }
  const ValueId root = facts.RootOf(array);
  if (!root.valid()) return {};
  const DeviceCall filled = match::AsDeviceCall(facts, root);
  const bool full_of_nan = match::IsOneOf(filled.base, {"full", "full_like"}) &&
                           IsNan(facts, match::Argument(facts, filled, 1, "fill_value"));
  ValueId last;
  for (const ValueId write : facts.MutationsOf(root)) {
    if (write >= before || program.FunctionOf(write) != program.FunctionOf(before)) continue;
    if (program.ops[write].kind == OpKind::kStoreSubscript) last = write;
  }
  if (!last.valid()) return {};
  // Numbers where a mask lets them: NaN is left elsewhere.
  if (full_of_nan) {
    const auto& keys = facts.SubscriptOf(last).keys;
    const bool masked = !keys.empty() && std::all_of(keys.begin(), keys.end(), [](const analysis::Key& key) {
      return key.kind == analysis::KeyKind::kMask;
    });
    if (masked && facts.Source(array) == root) return root;
  }
  if (!IsNan(facts, program.Operand(last, 1))) return {};
  // A mask or an index: the whole array set to NaN is a mark that is overwritten later.
  const auto& keys = facts.SubscriptOf(last).keys;
  const bool part = std::any_of(keys.begin(), keys.end(), [](const analysis::Key& key) {
    return key.kind == analysis::KeyKind::kMask || key.kind == analysis::KeyKind::kInteger ||
           key.kind == analysis::KeyKind::kIndexArray;
  });
  return part ? last : ValueId();
}

// Some other code of the function looks for NaN.
static bool FunctionChecks(const Facts& facts, ir::FunctionId function) {
  const std::span<const ValueId> calls = facts.program().functions[function].calls;
  return std::any_of(calls.begin(), calls.end(), [&](ValueId call) { return ChecksForNan(facts, call); });
}

// max(abs(r)), abs(r).max()
static bool IsLargestDeviation(const Facts& facts, const DeviceCall& call) {
  if (!match::IsOneOf(call.base, {"max", "amax"}) || !OverAllAxes(facts, call)) return false;
  const ValueId source = facts.Source(call.array);
  if (!source.valid() || facts.program().ops[source].kind != OpKind::kCall) return false;
  const Callee& callee = facts.CalleeOf(source);
  if (callee.kind == Callee::Kind::kBuiltin) return callee.name == "abs";
  const DeviceCall inner = match::AsDeviceCall(facts, source);
  return inner && match::IsOneOf(inner.base, {"abs", "absolute", "fabs"});
}

// The op compares with a tolerance and decides whether a loop goes on.
static bool DecidesLoop(const Facts& facts, ValueId op) {
  const ir::Program& program = facts.program();
  const ir::Op& it = program.ops[op];
  if (it.kind != OpKind::kCompare) return false;
  const auto compare = static_cast<ir::CompareOp>(it.detail);
  if (compare < ir::CompareOp::kLt || compare > ir::CompareOp::kGe) return false;
  for (ir::LoopId loop = program.LoopOf(op); loop.valid(); loop = program.loops[loop].parent) {
    if (facts.LoopFactOf(loop).kind != analysis::LoopKind::kConvergence) continue;
    if (program.loops[loop].truth.valid() && facts.Source(program.loops[loop].truth) == op) return true;
    // `if err < tol: break`: something under the test leaves the loop.
    for (const ValueId use : facts.DeepUsesOf(op)) {
      if (program.ops[use].kind == OpKind::kTruth && match::EndsLoop(facts, use, loop)) return true;
    }
  }
  return false;
}

// `np.maximum(floor, np.where(ok, x, np.nan))`: of the second operand NaN gets lost, of the first one of fmax it stays.
static Found OfNanOperand(const Facts& facts, const DeviceCall& call) {
  const bool ignores_nan = call.base.starts_with('f');
  const ValueId operand = ignores_nan ? facts.Argument(call.call, 0, "x1") : facts.Argument(call.call, 1, "x2");
  if (!operand.valid() || !facts.IsDevice(operand)) return {};
  const ValueId nan = NanIn(facts, operand, call.call);
  if (!nan.valid()) return {};
  return Difference{ignores_nan ? "NaN" : "the other operand in place of NaN",
                    ignores_nan ? "the other operand" : "NaN",
                    ignores_nan ? "RR-guard  choose them: `np.where(np.isnan(a), b, ...)`"
                                : "RR-guard  give the operand with NaN first",
                    facts.program().ops[nan].span,
                    "NaN enters here",
                    Confidence::kLikely};
}

static Found OfNan(const Facts& facts, const DeviceCall& call) {
  const ir::Program& program = facts.program();
  const bool elementwise = match::IsOneOf(call.base, {"maximum", "minimum", "fmax", "fmin"});
  if (!elementwise && !facts.IsDevice(call.array)) return {};
  if (!elementwise && !IsExtremum(call.base)) return {};
  const DType dtype = facts.Of(call.array).dtype;
  if (ir::IsInteger(dtype) || dtype == DType::kBool || ir::IsComplex(dtype)) return {};
  const ValueId op = call.call;
  const char* const there = elementwise ? "the other operand in place of some NaN" : "a number where data are NaN";
  if (const ValueId check = UseThat(facts, op, [&](ValueId use) { return ChecksForNan(facts, use); }); check.valid()) {
    return Difference{there, call.base.starts_with('f') ? Text("another choice") : Text("NaN"),
                      Written("RR-guard  test the data: `np.isnan(", call.array_span, ").any()`"),
                      program.ops[check].span, "finds nothing there"};
  }
  if (elementwise) return OfNanOperand(facts, call);
  if (const ValueId nan = NanIn(facts, call.array, op); nan.valid()) {
    return Difference{there,
                      "NaN",
                      Written("RR-guard  where NaN is to show: test `np.isnan(", call.array_span,
                              ").any()`, where not: write `np.nanmax` or `np.nanmin`"),
                      program.ops[nan].span,
                      "NaN enters here",
                      Confidence::kLikely};
  }
  if (!ir::IsFloat(dtype) || !IsLargestDeviation(facts, call) || FunctionChecks(facts, program.FunctionOf(op)))
    return {};
  const ValueId test = UseThat(facts, op, [&](ValueId use) { return DecidesLoop(facts, use); });
  if (!test.valid()) return {};
  return Difference{there,
                    "NaN",
                    Written("RR-guard  end the loop on NaN as well: `... or np.isnan(", call.array_span, ").any()`"),
                    program.ops[test].span,
                    "does not see that the iteration has blown up",
                    Confidence::kLikely};
}

// --- what a 0-d result is not ---

static bool IsScalarClass(const Facts& facts, ValueId type, DType dtype) {
  const analysis::Value& value = facts.Of(type);
  if (value.kind == Kind::kBuiltin)
    return facts.program().names.Text(value.name) == "float" && dtype == DType::kFloat64;
  const std::string_view name = facts.ApiName(type);
  if (match::IsOneOf(name, {"numpy.floating", "numpy.inexact"})) return ir::IsFloat(dtype);
  if (match::IsOneOf(name, {"numpy.integer", "numpy.signedinteger"})) return ir::IsInteger(dtype);
  return match::IsOneOf(name, {"numpy.generic", "numpy.number"}) && dtype != DType::kUnknown;
}

static Found OfIsinstance(const Facts& facts, ValueId op) {
  const Callee& callee = facts.CalleeOf(op);
  if (callee.kind != Callee::Kind::kBuiltin || facts.PositionalCount(op) == 0) return {};
  const ValueId object = facts.program().Operand(op, 1);
  if (callee.name != "isinstance" || facts.PositionalCount(op) != 2 || !facts.IsDevice(object)) return {};
  const ValueId type = facts.program().Operand(op, 2);
  const auto is_scalar_class = [&](ValueId one) {
    return one.valid() && IsScalarClass(facts, one, facts.Of(object).dtype);
  };
  // `isinstance(x, (int, float))`
  const bool several = type.valid() && facts.program().ops[type].kind == OpKind::kTuple;
  const auto types = several ? facts.program().Operands(type) : std::span<const ValueId>(&type, 1);
  if (facts.IsZeroD(object) && std::any_of(types.begin(), types.end(), is_scalar_class)) {
    return Difference{"False, because a single result is an array of rank 0", "True",
                      "RR-guard  ask for `np.ndim(...) == 0`, or convert with `float(...)`, which waits"};
  }
  const analysis::Value& of = facts.Of(type);
  if (facts.ApiName(type) == "numpy.ndarray" && of.library == analysis::Library::kHost) {
    return Difference{"False, because it is no array of host NumPy", "True",
                      "RR-guard  ask for cuPyNumeric's own `np.ndarray`"};
  }
  return {};
}

// `counts[u.argmax()]`, `seen.add(u.argmax())`, `set(ids)`: what has no hash.
static Found OfHash(const Facts& facts, ValueId op) {
  const std::vector<match::Hashed> all = match::HashedAt(facts, op);
  if (all.empty()) return {};
  const match::Hashed& hashed = all.front();
  return Difference{.there = "TypeError",
                    .here = hashed.gives,
                    .help = Text("RR-guard  ").Add(match::HelpForHash(facts, op, hashed)),
                    .at_most = hashed.MayBeText(facts) ? Confidence::kPossible : Confidence::kCertain,
                    .raises = true,
                    .value = hashed.value,
                    .key = match::KeyOfHash(facts, hashed)};
}

// `json.dump({"max": u.max()}, f)`
static Found OfJson(const Facts& facts, ValueId op) {
  const std::optional<match::Dumped> dumped = match::DumpedResult(facts, op);
  if (!dumped) return {};
  return Difference{.there = "TypeError",
                    .here = "the number",
                    .help = Text("RR-guard  let the writer convert what it does not know: `")
                                .Add(match::WithDefaultFloat(facts, op))
                                .Add("`, which waits for each number"),
                    .label = dumped->words,
                    .label_text = "an array of rank 0 on the device",
                    .raises = true,
                    .lack = "an array and no float",
                    .evidence = dumped->evidence};
}

// `np.allclose(a, b) is True`: a Python bool in NumPy.
static Found OfIdentity(const Facts& facts, ValueId op) {
  const ir::Program& program = facts.program();
  const auto compare = static_cast<ir::CompareOp>(program.ops[op].detail);
  if (compare != ir::CompareOp::kIs && compare != ir::CompareOp::kIsNot) return {};
  if (!facts.BoolOf(program.Operand(op, 1))) return {};
  const DeviceCall call = match::AsDeviceCall(facts, facts.Source(program.Operand(op, 0)));
  if (!call || !match::IsOneOf(call.base, {"allclose", "array_equal", "array_equiv"})) return {};
  const bool is = compare == ir::CompareOp::kIs;
  return Difference{is ? "False, because the result is an array of rank 0"
                       : "True, because the result is an array of "
                         "rank 0",
                    "an answer about a Python bool",
                    Text("RR-guard  write `bool(").Add(program.ops[call.call].span).Add(")`, which waits")};
}

// --- memory that NumPy leaves as it is ---

static Found OfEmpty(const Facts& facts, const DeviceCall& call) {
  if (!match::IsOneOf(call.base, {"empty", "empty_like"})) return {};
  const ir::Program& program = facts.program();
  const ValueId op = call.call;
  if (facts.Escapes(op) || !facts.MutationsOf(op).empty()) return {};
  const auto volume = facts.store().dims().AsConst(facts.VolumeOf(op));
  if (!facts.VolumeOf(op).valid() || (volume && *volume == 0)) return {};
  const ValueId use = UseThat(facts, op, [&](ValueId reader) {
    const OpKind kind = program.ops[reader].kind;
    return kind == OpKind::kCompare && facts.IsDevice(reader);
  });
  if (!use.valid()) return {};
  return Difference{"zeros", "what memory held before", "RR-guard  fill it with what is meant: `np.zeros`, `np.full`",
                    program.ops[use].span, "reads what nothing has written"};
}

static Found OfHistogram(const Facts& facts, const DeviceCall& call) {
  if (call.base != "histogram" || match::Argument(facts, call, 2, "range").valid()) return {};
  const ValueId root = facts.RootOf(call.array);
  const DeviceCall made = match::AsDeviceCall(facts, root);
  if (!made || !match::IsOneOf(made.base, {"zeros", "ones", "full"}) || !facts.MutationsOf(root).empty()) return {};
  return Difference{"no counts for data that are all equal", "one bin with all of them",
                    "RR-guard  state the range: `range=(low, high)` with `low < high`"};
}

static Found DifferenceAt(const Facts& facts, ValueId op) {
  const OpKind kind = facts.program().ops[op].kind;
  const DeviceCall call = match::AsDeviceCall(facts, op);
  if (!call) {
    if (Found unhashable = OfHash(facts, op)) return unhashable;
    if (Found dumped = OfJson(facts, op)) return dumped;
    if (kind == OpKind::kCompare) return OfIdentity(facts, op);
    return kind == OpKind::kCall ? OfIsinstance(facts, op) : Found();
  }
  if (Found empty = OfEmpty(facts, call)) return empty;
  // `np.maximum(0.0, x)`: the array stands second.
  if (!facts.IsDevice(call.array)) return facts.IsDevice(op) && IsUsed(facts, op) ? OfNan(facts, call) : Found();
  if (!IsUsed(facts, op)) return {};
  for (const auto check : {&OfType, &OfWidened, &OfCount, &OfEigenvalues, &OfNan, &OfHistogram}) {
    if (Found difference = check(facts, call)) return difference;
  }
  return {};
}

// Fires when
//   1. the op gives another value, type or shape in cuPyNumeric than in NumPy, and the difference reaches a result or a
//   decision.
// Quiet: (a) unknown types, (b) an explicit type, (c) a conversion at once and (d) host arrays are condition 1; (e)
// R205 and R309 tell of copies and of draws.
static void OnOp(const Facts& facts, ValueId op, Trial& trial) {
  const Found difference = DifferenceAt(facts, op);
  if (!trial.Holds(1, difference.has_value()) || !difference) return;
  const DeviceCall call = match::AsDeviceCall(facts, op);
  const Span span = facts.program().ops[op].span;
  Trial::Report report = trial.ReportOp(op);
  report.Arg("call", span).Arg("there", difference->there).Arg("here", difference->here).Help(difference->help);
  if (difference->raises) {
    report.Raises().Message(
        "`{call}` raises {there} in cuPyNumeric, where a single result is {lack}, and in NumPy gives {here}");
    report.Arg("lack", difference->lack);
    report.Why(
        "a single result is an array of rank 0 on the device: the line raises as soon as it is reached (26.06 "
        "executed, 26.07)");
    report.Key(difference->key);
  }
  report.Evidence(call ? call.evidence : analysis::EvidenceSet{0}).Confidence(difference->at_most);
  report.Evidence(difference->evidence);
  if (call && call.array.valid()) report.Evidence(facts.Of(call.array).evidence).Root(facts.RootOf(call.array));
  if (!call || !facts.IsDevice(call.array)) {
    for (const ValueId operand : facts.program().Operands(op)) {
      if (operand.valid() && facts.IsDevice(operand)) report.Evidence(facts.Of(operand).evidence);
    }
    if (difference->value.valid()) report.Evidence(facts.Of(difference->value).evidence);
  }
  if (!span.Contains(difference->label) && !difference->label.Contains(span))
    report.Label(difference->label, difference->label_text);
  if (call && call.array.valid()) match::TellOrigin(facts, call.array, span, report);
}

extern constinit const Rule kRule;
constinit const Rule kRule = {
    .code = 314,
    .slug = "silent-difference",
    .family = Family::kInfo,
    .severity = Severity::kWarning,
    .cold = Severity::kWarning,
    .valid_for = "26.06 executed, 26.07",
    .summary = "code that gives another result on cuPyNumeric without a message",
    .message = "`{call}` gives {there} in cuPyNumeric where NumPy gives {here}, without a message",
    .why =
        "nothing will say so at run time: compare results with NumPy's before and after the port (26.06 executed, "
        "26.07)",
    .details = R"md(
Fires where the difference reaches a result or a decision:

- `cumsum` and `cumprod` of booleans and of unsigned integers below 64 bits without `dtype=`, `trace` of integers below 64
  bits: the type stays, so the sum overflows; of booleans the result is boolean
- `var` of int64 and uint64 over all axes is wrong, `any` of complex128 over all axes is False
- `clip` of complex numbers and `convolve` of a real array with a complex kernel lose the imaginary part
- `max`, `min`, `argmax`, `argmin` skip NaN, `maximum` and `minimum` keep only a NaN of the first operand: where the result
  is tested for NaN, where NaN was just written into the data (or filled them, before a mask wrote some), or where `max(abs(r))` against a tolerance decides whether a
  loop goes on and nothing in the function looks for NaN
- `isinstance` of a single result against `float` or NumPy's scalar classes, of an array against host NumPy's `ndarray`; a
  single result in `hash`, as a key of a dictionary or an item of a set, alone or in a tuple, as an argument of a function
  under `lru_cache`; an array in `set`, `Counter`, `dict.fromkeys`. Where a loop hands out what is hashed, R103 tells it
- a single result in what `json.dump` and `json.dumps` write, without `default=` or `cls=`: in NumPy it is a float
- comparisons with an `np.empty` that nothing has written to: it is zeros
- `histogram` without a range of data that are all equal
- `angle`, `quantile` and `percentile` of float32 and the like, which give float64, where the type is read or
  equality asked for
- `count_nonzero`, which is unsigned, in a subtraction of whole numbers or negated; not what is taken from the array's own size
- `eig` and `eigvals` of real matrices, which are always complex, compared by size or stored in a real array

Stays quiet

- (a) where a type is not known, or NaN is not expected
- (b) on an explicit `dtype=`
- (c) where the result is converted at once: `int(...)`, `float(...)`, `.astype(...)`, `.real`
- (d) on host arrays
- (e) on copies that NumPy shares (R205), seeds and draws (R309), what ends the process (R120)
)md",
    .bad = R"py(
import numpy as np

def positions(x):
    x = np.asarray(x, dtype=np.float64)
    mask = x > 0
    return np.cumsum(mask)
)py",
    .good = R"py(
import numpy as np

def positions(x):
    x = np.asarray(x, dtype=np.float64)
    mask = x > 0
    return np.cumsum(mask, dtype=np.int64)
)py",
    .recipe = "RR-guard",
    .fix = FixClass::kUnsafe,
    .preview = true,
    .may_raise = true,
    .conditions = R"md(
1. the operation gives another value, type or shape in cuPyNumeric than in NumPy, and the difference reaches a result or a decision
)md",
    .ops = {OpKind::kCall, OpKind::kCompare, OpKind::kSubscript, OpKind::kStoreSubscript, OpKind::kDelSubscript,
            OpKind::kDict, OpKind::kSet, OpKind::kCollectItem},
    .on_op = &OnOp,
};

}  // namespace cpnlint::rules::r314
