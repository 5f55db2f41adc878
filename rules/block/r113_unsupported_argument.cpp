// R113 unsupported-argument: the function exists, the way it is called does not work.

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "rules/engine/rule.h"
#include "rules/match/argument_gap.h"
#include "rules/match/array_class.h"
#include "rules/match/factorisation.h"
#include "rules/match/filled.h"
#include "rules/match/random_draw.h"
#include "rules/match/rewrite.h"

namespace cpnlint::rules::r113 {

using match::ArgumentGap;
using match::DeviceCall;

static std::string Cause(const ArgumentGap& gap) {
  const std::string error = " (" + std::string(api::Text(gap.raises())) + ")";
  if (gap.ignored()) return "ignores";
  switch (gap.keyword->behaviour) {
    case api::Behaviour::kAbsent: return "does not have" + error;
    case api::Behaviour::kRenamed: return "calls `" + std::string(gap.keyword->to) + "`" + error;
    default: return "does not support" + error;
  }
}

// What to write instead, by keyword; in data order, the first that fits.
struct Advice {
  const char* keyword;
  const char* text;
};
static constexpr Advice kAdvice[] = {
    {"where", "compute on `np.where(mask, x, harmless)` and keep the rest with `np.copyto(out, result, where=mask)`"},
    {"equal_nan", "compare without it and take care of NaN apart: `np.isnan(a) & np.isnan(b)`"},
    {"return_counts", "sort, and count by the places of `np.unique(x)` in what is sorted, by `np.searchsorted`"},
    {"return_inverse", "`np.searchsorted(np.unique(x), x)` gives the inverse"},
    {"return_index", "sort with `np.argsort(x, kind=\"stable\")` and compare neighbours"},
    {"ord", "take the singular values with `np.linalg.svd` or use the Frobenius norm"},
    {"min", "pass both bounds by position: `np.clip(a, low, high)`"},
    {"max", "pass both bounds by position: `np.clip(a, low, high)`"},
    {"out", "assign the result: `x[...] = f(...)`"},
    {"dtype", "use a type it has and convert with `.astype`"},
};

// `np.divide(a, b, out=r, where=b != 0)` computed everywhere, on an operand without harm where the mask does not hold.
static Text WithoutMask(const Facts& facts, const DeviceCall& call) {
  const ir::Program& program = facts.program();
  const Span mask = facts.KeywordSpan(call.call, "where"), out = facts.KeywordSpan(call.call, "out");
  const std::size_t operands = facts.PositionalCount(call.call);
  const bool plain = !call.method && !facts.HasStarArguments(call.call) &&
                     program.Operands(call.call).size() == operands + 3 && (operands == 1 || operands == 2);
  if (mask.empty() || out.empty() || !plain) return {};
  Text computed(program.OperandSpan(call.call, 0));
  computed.Add("(");
  if (operands == 2) computed.Add(program.OperandSpan(call.call, 1)).Add(", ");
  computed.Add("np.where(").Add(mask).Add(", ");
  computed.Add(program.OperandSpan(call.call, static_cast<std::uint32_t>(operands))).Add(", 1))");
  // An array that is made in the call has no other reader.
  const ir::ValueId buffer = facts.KeywordArgument(call.call, "out");
  if (out.Contains(program.ops[buffer].span) && program.ops[buffer].kind == ir::OpKind::kCall)
    return Text("`np.where(").Add(mask).Add(", ").Add(computed).Add(", ").Add(out).Add(")`");
  return Text("`np.copyto(")
      .Add(out)
      .Add(", ")
      .Add(computed)
      .Add(", where=")
      .Add(mask)
      .Add(")`, a statement of its own");
}

// Of what `mode='same'` gives, the part that the whole kernel takes part in: of a kernel of nine entries without four
// at each end.
static std::string WithoutEnds(const Facts& facts, ir::ValueId kernel) {
  const auto count = facts.store().dims().AsConst(facts.ExtentOf(kernel, 0));
  if (facts.RankOf(kernel) == 1 && count && *count >= 3)
    return "(x, h, mode='same')[" + std::to_string(*count / 2) + ":-" + std::to_string((*count - 1) / 2) + "]";
  return "(x, h, mode='same')[len(h) // 2:len(x) - (len(h) - 1) // 2]";
}

// `np.convolve(x, h)` in one of the modes that are not there, by `mode='same'`: the full one of a signal that is longer
// by what it is longer.
static Text Convolution(const Facts& facts, const DeviceCall& call) {
  const ir::Program& program = facts.program();
  if (call.base != "convolve") return {};
  const ir::ValueId mode = facts.Argument(call.call, 2, "mode");
  const std::optional<std::string_view> asked = mode.valid() ? facts.TextOf(mode) : "full";
  const bool full = asked == "full";
  if (!full && asked != "valid") return {};
  if (facts.PositionalCount(call.call) < 2) {
    return full
               ? "pad the signal and call it with `mode=\"same\"`"
               : "call it with `mode=\"same\"` and leave out the first `n // 2` and the last `(n - 1) // 2` entries of "
                 "what it gives, for a kernel of n entries";
  }
  std::string code = full ? "(np.pad(x, ((len(h) - 1) // 2, len(h) // 2)), h, mode='same')"
                          : WithoutEnds(facts, program.Operand(call.call, 2));
  std::vector<match::Filling> fillings = {{"x", program.OperandSpan(call.call, 1)},
                                          {"h", program.OperandSpan(call.call, 2)}};
  const Text names = match::NameLong(code, fillings);
  const std::optional<Text> arguments = match::Filled(code, fillings);
  if (!arguments) return {};
  Text help("write `");
  help.Add(program.OperandSpan(call.call, 0)).Add(*arguments).Add("`");
  if (!full) help.Add(", where the signal is the longer one");
  return names.empty() ? help : help.Add(full ? " after " : ", after ").Add(names);
}

// What to do where operands break a condition of the function.
struct LimitAdvice {
  api::LimitKind kind;
  const char* text;
};
static constexpr LimitAdvice kLimitAdvice[] = {
    {api::LimitKind::kSomeAxes, "reduce over one axis after the other"},
    {api::LimitKind::kPythonInts, "convert the bounds with `int(...)`"},
    {api::LimitKind::kSizeNoList, "give the size as a tuple: `tuple(...)`"},
    {api::LimitKind::kThirdIsDtype, "give the array by its name, `out=`"},
    {api::LimitKind::kSameDtypeValues, "convert the values to the array's type with `.astype`"},
};

// `np.arange(float(a.min()), float(a.max()))`: ends that are Python numbers, or the type that NumPy would take of them.
static Text WithPythonNumbers(const Facts& facts, const DeviceCall& call) {
  const ir::Program& program = facts.program();
  const Span whole = program.ops[call.call].span;
  std::vector<match::Cut> cuts;
  for (std::uint32_t i = 1; i < program.ops[call.call].operand_count; ++i) {
    const ir::ValueId value = program.Operand(call.call, i);
    if (!facts.IsDevice(value)) continue;
    const ir::DType dtype = facts.Of(value).dtype;
    const Span words = program.OperandSpan(call.call, i);
    if (dtype == ir::DType::kUnknown) {
      cuts.push_back({words, Text().Add(words, Binding::kPrimary).Add(".item()")});
    } else if (dtype == ir::DType::kFloat64 || dtype == ir::DType::kInt64) {
      const bool whole_number = dtype == ir::DType::kInt64;
      cuts.push_back({words, Text(whole_number ? "int(" : "float(").Add(words).Add(")")});
    } else {
      return Text("give the type, `dtype=np.").Add(ir::Name(dtype)).Add("`");
    }
  }
  const Text code = match::Replace(whole, cuts);
  if (!match::IsShownWhole(code)) return "make Python numbers of the ends first: `.item()`";
  return Text("write `").Add(code).Add("`");
}

// `a.transpose((0, 2, 1))`
static Text WithAxesInTuple(const Facts& facts, const DeviceCall& call) {
  const ir::Program& program = facts.program();
  Text code(program.OperandSpan(call.call, 0));
  code.Add("((");
  for (std::uint32_t i = 1; i <= facts.PositionalCount(call.call); ++i) {
    if (i > 1) code.Add(", ");
    code.Add(program.OperandSpan(call.call, i));
  }
  code.Add("))");
  if (!match::IsShownWhole(code)) return "put the axes into a tuple, `.transpose((...))`, which NumPy takes as well";
  return Text("put the axes into a tuple: `").Add(code).Add("`");
}

// `bins=(n, n)` for `bins=n`, and for 10 where nothing is said.
static Text PairOfBins(const ArgumentGap& gap) {
  constexpr std::string_view kPair = "give one number for each axis, which NumPy takes as well: ";
  if (!gap.value.valid()) return Text(kPair).Add("`bins=(10, 10)`");
  Text pair("(");
  pair.Add(gap.span, Binding::kConditional).Add(", ").Add(gap.span, Binding::kConditional).Add(")");
  if (!match::IsShownWhole(pair)) return "give one number for each axis, as a pair, which NumPy takes as well";
  return Text(kPair).Add("`").Add(pair).Add("`");
}

// `np.linalg.qr(stack)`
static Text WithoutStack(const Facts& facts, const DeviceCall& call) {
  Text on_host("onp.");
  on_host.Add(call.base).Add("(onp.asarray(").Add(call.array_span).Add("))");
  Text help("take the matrices one by one, or all of them on the host, where they are small: `");
  const bool one_result = call.base == "linalg.pinv";
  if (one_result) {
    help.Add("np.asarray(").Add(on_host).Add(")`");
  } else {
    help.Add(on_host).Add("`, with `np.asarray` around each part of what it gives");
  }
  const bool more = facts.program().Operands(call.call).size() > 2;
  return more ? help.Add("; the other arguments stay as they are") : help;
}

// `np.linalg.svd(wide)`: the transpose is tall. The other arguments stay as they are.
static Text ByTranspose(const Facts& facts, const DeviceCall& call) {
  const Text turned = match::WithArray(facts, call, ".T");
  if (call.base == "linalg.pinv") return Text("take the transpose: `").Add(turned).Add(".T`");
  return Text("factorise the transpose, whose factors are the transposed ones in the opposite order: `[f.T for f in ")
      .Add(turned)
      .Add("][::-1]`");
}

// `np.subtract.reduce(x)`: along the first axis where none is named.
static Text AlongAxis(const Facts& facts, const DeviceCall& call) {
  const bool named = facts.Argument(call.call, 1, "axis").valid();
  Text help;
  if (facts.RankOf(call.array) != 1)
    help.Add("go over ").Add(named ? "that axis" : "the first axis").Add(" in a short loop, or ");
  return help.Add("call host NumPy, `onp`, on `onp.asarray(x)` and bring the result back with `np.asarray`");
}

static Text HelpForLimit(const Facts& facts, const DeviceCall& call, const ArgumentGap& gap) {
  const api::Limit& limit = *gap.limit;
  Text help("RR-kwarg  ");
  if (limit.kind == api::LimitKind::kIntegerBins) return help.Add(PairOfBins(gap));
  if (limit.kind == api::LimitKind::kNoDeviceScalar) return help.Add(WithPythonNumbers(facts, call));
  if (limit.kind == api::LimitKind::kAxesInTuple) return help.Add(WithAxesInTuple(facts, call));
  if (limit.kind == api::LimitKind::kDenseOperand || limit.kind == api::LimitKind::kDenseValues)
    return help.Add("copy it: `").Add(gap.span, Binding::kPrimary).Add(".copy()`");
  if (limit.kind == api::LimitKind::kWrongStack) {
    return help.Add("solve with identity matrices, which gives the same: ")
        .Add(match::InverseOfStack(facts, call, call.array, call.array_span));
  }
  if (limit.kind == api::LimitKind::kReduceSix) return help.Add(AlongAxis(facts, call));
  if (limit.kind == api::LimitKind::kNoStack) return help.Add(WithoutStack(facts, call));
  if (limit.kind == api::LimitKind::kAtLeastAsManyRows) return help.Add(ByTranspose(facts, call));
  const auto* const advice = std::ranges::find(kLimitAdvice, limit.kind, &LimitAdvice::kind);
  return advice == std::end(kLimitAdvice) ? Text() : help.Add(advice->text);
}

// Positions and unsigned numbers, which `np.bincount` takes.
static bool IsNeverNegative(const Facts& facts, ir::ValueId array) {
  const ir::DType dtype = facts.Of(array).dtype;
  if (match::IsOneOf(ir::Name(dtype), {"uint8", "uint16", "uint32"})) return true;
  const ir::ValueId source = facts.Source(array);
  if (!source.valid() || facts.program().ops[source].kind != ir::OpKind::kCall) return false;
  return match::IsOneOf(match::AsDeviceCall(facts, source).base,
                        {"argmax", "argmin", "argsort", "digitize", "searchsorted", "flatnonzero"});
}

// `np.unique(x, return_counts=True)`: how long the runs of equal values are, once they are sorted.
static Text Counts(const Facts& facts, const DeviceCall& call) {
  const ir::Program& program = facts.program();
  if (call.base != "unique" || program.Operands(call.call).size() != 3 || facts.PositionalCount(call.call) != 1)
    return {};
  if (!match::IsShownWhole(call.array_span)) return {};
  const analysis::Kind kind = facts.Of(call.array).kind;
  if (facts.IsHost(call.array) || kind == analysis::Kind::kForeign) {
    return Text("it is data of the host: with host NumPy as `onp`, write `onp.unique(")
        .Add(call.array_span)
        .Add(", return_counts=True)`");
  }
  const Text flat = facts.IsArray(call.array) ? Text().Add(call.array_span, Binding::kPrimary).Add(".ravel()")
                                              : Text("np.asarray(").Add(call.array_span).Add(").ravel()");
  Text help(
      "write `(values, np.searchsorted(ordered, values, side=\"right\") - np.searchsorted(ordered, values))` after ");
  help.Add("`values = np.unique(").Add(call.array_span).Add(")` and `ordered = np.sort(").Add(flat).Add(")`");
  if (!IsNeverNegative(facts, call.array)) return help;
  return help.Add("; `np.bincount(").Add(flat).Add(")` counts all numbers from 0 on, those that do not occur as well");
}

// `np.unique(x, return_inverse=True)`, also with return_counts=True: places in what is sorted, and how often each is
// there.
static Text Inverse(const Facts& facts, const DeviceCall& call) {
  const ir::Program& program = facts.program();
  if (call.base != "unique" || facts.HasStarArguments(call.call) || facts.PositionalCount(call.call) != 1) return {};
  if (!match::IsShownWhole(call.array_span) || !facts.IsDevice(call.array)) return {};
  const bool counts = facts.BoolOf(facts.KeywordArgument(call.call, "return_counts")) == true;
  if (facts.BoolOf(facts.KeywordArgument(call.call, "return_inverse")) != true) return {};
  if (program.Operands(call.call).size() != (counts ? 4U : 3U)) return {};
  Text help("write `(values_, inverse_");
  if (counts) help.Add(facts.RankOf(call.array) == 1 ? ", np.bincount(inverse_)" : ", np.bincount(inverse_.ravel())");
  return help.Add(")` after `values_ = np.unique(")
      .Add(call.array_span)
      .Add(")` and `inverse_ = np.searchsorted(values_, ")
      .Add(call.array_span)
      .Add(")`");
}

// `np.array(x, subok=True)` hands on what derives from ndarray; here it does not.
static Text WithoutClass(const Facts& facts, const DeviceCall& call, const ArgumentGap& gap) {
  const ir::Program& program = facts.program();
  Text help("leave `subok=` out: a plain array comes out either way");
  if (facts.BoolOf(gap.value) == false) return help;
  const std::string_view name =
      match::ArrayClassOf(facts, call.array, program.functions[program.FunctionOf(call.call)].module);
  if (name.empty()) return help.Add(", also of an object of a class derived from ndarray");
  return help.Add(", also of an object of a class derived from ndarray, as `")
      .Add(name)
      .Add("` is: what the class adds to the values is to be handed on beside them");
}

// `np.choose(mask, [a, b])`: the first where the mask does not hold, the second where it does.
static Text WhereForChoose(const Facts& facts, const DeviceCall& call) {
  const ir::Program& program = facts.program();
  const ir::ValueId choices = facts.Argument(call.call, call.method ? 0 : 1, "choices");
  if (!choices.valid() || facts.Argument(call.call, call.method ? 1 : 2, "out").valid() ||
      facts.HasStarArguments(call.call))
    return {};
  const ir::Op& display = program.ops[choices];
  if ((display.kind != ir::OpKind::kList && display.kind != ir::OpKind::kTuple) || display.operand_count != 2)
    return {};
  const auto stars = [&](ir::ValueId item) { return program.ops[item].kind == ir::OpKind::kStarred; };
  if (std::ranges::any_of(program.Operands(choices), stars)) return {};
  const Text code = Text("np.where(")
                        .Add(call.array_span, Binding::kConditional)
                        .Add(", ")
                        .Add(program.OperandSpan(choices, 1), Binding::kConditional)
                        .Add(", ")
                        .Add(program.OperandSpan(choices, 0), Binding::kConditional)
                        .Add(")");
  return match::IsShownWhole(code) ? code : Text();
}

// `np.full(n, 0.0, dtype=float)` for `np.full(shape=n, fill_value=0.0, dtype=float)`: what stands before the argument
// has to go by position as well. Empty where it does already.
static Text AllByPosition(const Facts& facts, const DeviceCall& call, const api::Entry& row, const ArgumentGap& gap) {
  const ir::Program& program = facts.program();
  const auto& names = row.numpy_parameters;
  const auto own = std::ranges::find(names, gap.keyword->name);
  const auto position = static_cast<std::size_t>(own - names.begin());
  const std::size_t given = facts.PositionalCount(call.call);
  if (own == names.end() || call.method || facts.HasStarArguments(call.call) || given >= position) return {};
  Text code(program.OperandSpan(call.call, 0));
  code.Add("(");
  for (std::size_t i = 0; i <= position; ++i) {
    const Span words = i < given ? program.OperandSpan(call.call, static_cast<std::uint32_t>(i) + 1)
                                 : facts.KeywordSpan(call.call, names[i]);
    if (words.empty()) return {};
    code.Add(i == 0 ? "" : ", ").Add(words);
  }
  for (std::uint32_t i = static_cast<std::uint32_t>(given) + 1; i < program.Operands(call.call).size(); ++i) {
    const Symbol keyword = program.Shape(program.ops[call.call]).keywords[i - 1 - given];
    if (!keyword.valid()) return {};
    const std::string_view name = program.names.Text(keyword);
    if (std::ranges::find(names.begin(), own + 1, name) != own + 1) continue;
    code.Add(", ").Add(name).Add("=").Add(program.OperandSpan(call.call, i));
  }
  code.Add(")");
  return match::IsShownWhole(code) ? code : Text();
}

// `np.median(z)` of complex numbers: what orders them compares both parts.
static Text OrderedOnHost(const Facts& facts, const DeviceCall& call) {
  Text help("NumPy orders them by their real parts and then by the others, which the parts alone do not tell: ");
  if (call.method) return help.Add("leave it to host NumPy, on `onp.asarray` of the array");
  const Text code = match::Replace(facts.program().ops[call.call].span,
                                   {{facts.program().OperandSpan(call.call, 0), Text("onp.").Add(call.base)},
                                    {call.array_span, Text("onp.asarray(").Add(call.array_span).Add(")")}});
  return help.Add("with host NumPy as `onp`, write `np.asarray(").Add(code).Add(")`");
}

// `np.max(z)` of complex numbers: a conversion would drop their imaginary parts.
static Text WithoutComplex(const Facts& facts, const DeviceCall& call, Span words) {
  if (match::IsOneOf(call.base, {"argsort", "median", "nanmedian", "searchsorted", "sort"}))
    return OrderedOnHost(facts, call);
  const bool compares =
      match::IsOneOf(call.base, {"amax", "amin", "argmax", "argmin", "max", "maximum", "min", "minimum"});
  Text help(compares ? "NumPy compares the real parts first: work on `" : "work on the parts, `");
  help.Add(words, Binding::kPrimary)
      .Add(compares ? ".real`, or where their size is meant on `np.abs(" : ".real` and `");
  if (compares) return help.Add(words).Add(")`");
  return help.Add(words, Binding::kPrimary).Add(".imag`");
}

static Text HelpFor(const Facts& facts, const DeviceCall& call, const api::Entry& row, const ArgumentGap& gap) {
  Text help("RR-kwarg  ");
  if (const Text same = Convolution(facts, call); !same.empty()) return help.Add(same);
  if (gap.limit != nullptr && gap.limit->kind == api::LimitKind::kScalarParameters) {
    const ir::ValueId function = facts.program().Operand(call.call, 0);
    const bool named = facts.program().ops[function].kind == ir::OpKind::kAttr;
    return help.Add(match::DrawWithArrays(facts, call.call, named ? facts.program().OperandSpan(function, 0) : Span{}));
  }
  if (gap.limit != nullptr) return HelpForLimit(facts, call, gap);
  if (gap.keyword == nullptr) {
    if (gap.dtype_gap == nullptr) return {};
    if (call.base == "choose") {
      if (const Text where = WhereForChoose(facts, call); !where.empty())
        return help.Add("write `").Add(where).Add("`");
      return help.Add("convert first: `").Add(gap.span, Binding::kPrimary).Add(".astype(np.int64)`");
    }
    if (ir::IsComplex(gap.dtype)) return help.Add(WithoutComplex(facts, call, gap.span));
    return help.Add("convert first: `").Add(gap.span, Binding::kPrimary).Add(".astype(np.float64)`");
  }
  if (gap.keyword->behaviour == api::Behaviour::kRenamed) {
    if (const Text whole = AllByPosition(facts, call, row, gap); !whole.empty())
      return help.Add("pass it by position, with those before it: `").Add(whole).Add("`");
    return help.Add("pass `").Add(gap.span).Add("` by position, which NumPy and cuPyNumeric both take");
  }
  if (gap.keyword->name == "where") {
    if (const Text without = WithoutMask(facts, call); !without.empty()) return help.Add("write ").Add(without);
  }
  if (gap.keyword->name == "compute_uv" && facts.BoolOf(gap.value) == false && call.base == "linalg.svd") {
    return help.Add("write `")
        .Add(facts.program().OperandSpan(call.call, 0))
        .Add("(")
        .Add(call.array_span, Binding::kConditional)
        .Add(", full_matrices=False)[1]`");
  }
  if (gap.keyword->name == "return_inverse" || gap.keyword->name == "return_counts") {
    if (const Text inverse = Inverse(facts, call); !inverse.empty()) return help.Add(inverse);
  }
  if (gap.keyword->name == "return_counts") {
    if (const Text counts = Counts(facts, call); !counts.empty()) return help.Add(counts);
  }
  for (const Advice& advice : kAdvice) {
    if (gap.keyword->name == advice.keyword) return help.Add(advice.text);
  }
  if (gap.keyword->name == "subok") return help.Add(WithoutClass(facts, call, gap));
  if (gap.ignored()) return help.Add("leave `").Add(gap.keyword->name).Add("=` out");
  return help.Add("say what `")
      .Add(gap.keyword->name)
      .Add("=` asks for by other calls, or call host NumPy outside of loops and convert what it gives");
}

// `np.unique(x, return_inverse=True, return_counts=True)`: the flags behind the one that is told first.
static Text FurtherFlags(const Facts& facts, const DeviceCall& call, const ArgumentGap& gap) {
  Text further;
  if (call.base != "unique" || gap.by_position) return further;
  for (const std::string_view flag : {"return_index", "return_inverse", "return_counts"}) {
    const ir::ValueId value = facts.KeywordArgument(call.call, flag);
    if (flag == gap.keyword->name || !value.valid() || facts.BoolOf(value) != true) continue;
    further.Add(", ").Add(flag).Add("=").Add(facts.KeywordSpan(call.call, flag));
  }
  return further;
}

// The namespace is known to be that of the array API standard, or asked for what only the standard has.
static bool OfStandard(const DeviceCall& call, const ArgumentGap& gap) {
  if ((call.evidence & analysis::kStandardNamespace) != 0) return true;
  return (call.evidence & analysis::kNamespaceParam) != 0 && gap.keyword != nullptr && gap.keyword->name == "device";
}

// Fires when
//   1. the call goes to an implemented function of the device library, and
//   2. an argument is absent, renamed, given a value that is not supported, or ignored there, or the operands break a
//      condition of the function (axes, dtype, rank, shape), by the table of the target version.
// Quiet where (a) the table says nothing of the argument, (b) the value is the default, (c) `**kwargs` is not known,
// (d) a reduction takes `where=`, (e) all operands are scalars; all of that is the table's and the matcher's doing.
// Quiet where (h) the namespace is that of the array API standard, which may take the argument itself.
static void OnOp(const Facts& facts, ir::ValueId op, Trial& trial) {
  const DeviceCall call = match::AsDeviceCall(facts, op);
  if (!call) return;
  const api::Entry* row = match::Row(call.name, trial.target().version);
  if (row == nullptr) return;
  if (!trial.Holds(1, row->status != api::Status::kMissing && (row->owner == 0 || row->owner == 113))) return;
  const std::optional<ArgumentGap> gap = match::FindArgumentGap(facts, call, *row);
  if (!trial.Holds(2, gap.has_value()) || !gap) return;
  if (trial.Quiet('h', OfStandard(call, *gap))) return;

  const std::string argument = gap->keyword != nullptr ? std::string(gap->keyword->name) + "=" : "";
  Trial::Report report = trial.ReportOp(op);
  report.At(gap->span)
      .Arg("call", facts.program().OperandSpan(op, 0))
      .Arg("version", trial.target().version)
      .Key(std::string(row->name) + "(" + argument + ")")
      .Evidence(gap->evidence)
      .Help(HelpFor(facts, call, *row, *gap));
  if (gap->possible) report.Confidence(Confidence::kPossible);
  if (gap->ignored()) {
    report.Severity(Severity::kWarning);
    report.Why("nothing tells that an argument has no effect: the call goes on as if it had been left out (26.07)");
  }
  if (gap->keyword != nullptr) {
    Text told = Text(gap->by_position ? "" : argument).Add(gap->span);
    told.Add(FurtherFlags(facts, call, *gap));
    report.Arg("arg", told).Arg("cause", Cause(*gap));
    report.PrimaryLabel(gap->keyword->note);
  } else if (gap->limit != nullptr && gap->limit->raises == api::Raises::kNothing) {
    // It runs, and what else is said of it holds.
    report.Severity(Severity::kWarning)
        .Message("`{call}` gives wrong numbers in cuPyNumeric {version}, without a message: {cause}")
        .Arg("cause", gap->limit->text)
        .Why("nothing will say so at run time: NumPy's result is another one (executed on 26.6.1)");
  } else if (gap->limit != nullptr && gap->limit->raises == api::Raises::kEndsProcess) {
    report.Message("`{call}` ends the process in cuPyNumeric {version}: {cause}")
        .Arg("cause", gap->limit->text)
        .Why("the task asserts it, so that no `try` catches it (executed on 26.6.1, on CPUs)");
  } else if (gap->limit != nullptr) {
    report.Message("`{call}` is called in a way that cuPyNumeric {version} rejects: {cause}")
        .Arg("cause", gap->limit->text);
  } else {
    report.Message("`{call}` is given {dtype} data, which cuPyNumeric {version} rejects ({cause})")
        .Arg("dtype", ir::Name(gap->dtype))
        .Arg("cause", api::Text(gap->raises()));
  }
}

extern constinit const Rule kRule;
constinit const Rule kRule = {
    .code = 113,
    .slug = "unsupported-argument",
    .family = Family::kBlocks,
    .severity = Severity::kError,
    .cold = Severity::kError,
    .summary = "an argument that cuPyNumeric does not take the way NumPy does",
    .message = "`{call}` passes `{arg}`, which cuPyNumeric {version} {cause}",
    .why =
        "keywords that are absent or renamed raise TypeError in 26.07, values that are not supported raise "
        "NotImplementedError; nothing falls back to host NumPy",
    .details = R"md(
Fires on calls of functions that exist, where the table of the target version restricts the argument: keywords it does
not have, keywords with another name (`full(fill_value=)` is `value` there, `split(ary=)` is `a`), values that raise (a
ufunc with `where=` a mask, `convolve` without `mode="same"`, `equal_nan=True`, `unique` with any `return_*`), and
operands that raise (several but not all axes in `any`, FFT of integer data, a matrix with more columns than rows in
`svd`, arrays as parameters of a distribution, an array in the third place of `max`, axes of `a.transpose(0, 2, 1)`
that are not in a tuple, seen on 26.6.1). Operands that give wrong numbers without a word are told here as well: `inv` of
a stack of matrices, of which 26.6.1 inverts the first of each processor's part alone (it solves with `broadcast_to(eye)`,
which the task reads as if it were stored in full), `solve` with such right-hand sides, and columns of a matrix, whose
elements do not lie side by side, in `searchsorted` and `digitize`, where other numbers are read, and in `histogram` and
`isin`, where they end the process.

Stays quiet on a keyword that the table does not have, on literals equal to the default, on `**kwargs`, on reductions
with `where=` (supported) and on ufuncs of Python numbers alone (`isclose` raises for those, too). `order=` is R109,
integer products of matrices R308.

The migration guide recommends `where=` for ufuncs. 26.07 raises NotImplementedError for any value but `True`.
)md",
    .bad = R"py(
import numpy as np

def roots(n):
    p = np.linspace(-1.0, 1.0, n)
    r = np.zeros(n)
    np.sqrt(p, where=p > 0, out=r)
    return r
)py",
    .good = R"py(
import numpy as np

def roots(n):
    p = np.linspace(-1.0, 1.0, n)
    r = np.zeros(n)
    positive = p > 0
    np.copyto(r, np.sqrt(np.where(positive, p, 0.0)), where=positive)
    return r
)py",
    .recipe = "RR-kwarg",
    .fix = FixClass::kUnsafe,
    .conditions = R"md(
1. the call goes to a function that the device library implements
2. by the table of the target version an argument is absent, renamed, not supported with this value, or ignored, or the operands break a condition of the function (axes, type, rank, shape)
- (h) the namespace is that of the array API standard, which may take the argument itself
)md",
    .ops = {ir::OpKind::kCall},
    .on_op = &OnOp,
};

}  // namespace cpnlint::rules::r113
