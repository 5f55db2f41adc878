#include <array>
#include <optional>
#include <string_view>

#include "analyzer/analysis/object_items.h"
#include "rules/engine/rule.h"
#include "rules/match/device_call.h"
#include "rules/match/rewrite.h"
#include "rules/match/stored_items.h"
#include "rules/match/story.h"

namespace cpnlint::rules::r107 {
namespace {

using analysis::Callee;
using analysis::ElementsId;
using analysis::Kind;
using analysis::Library;
using analysis::Value;
using ir::DType;
using ir::ValueId;

// Functions that make an array of a given dtype, and the position of `dtype`.
struct Creator {
  std::string_view name;
  std::size_t position;
};
constexpr std::array kCreators = {
    Creator{"numpy.array", 1},          Creator{"numpy.asarray", 1},    Creator{"numpy.asanyarray", 1},
    Creator{"numpy.zeros", 1},          Creator{"numpy.ones", 1},       Creator{"numpy.empty", 1},
    Creator{"numpy.full", 2},           Creator{"numpy.zeros_like", 1}, Creator{"numpy.ones_like", 1},
    Creator{"numpy.empty_like", 1},     Creator{"numpy.full_like", 2},  Creator{"numpy.ndarray", 1},
    Creator{"numpy.ndarray.astype", 0}, Creator{"numpy.arange", 3},
};

const Creator* CreatorOf(const Callee& callee) {
  if (callee.library != Library::kDevice) return nullptr;
  for (const Creator& creator : kCreators) {
    if (creator.name == callee.name) return &creator;
  }
  return nullptr;
}

bool HasNoRepresentation(DType dtype) {
  return dtype == DType::kObject || dtype == DType::kString || dtype == DType::kBytes;
}

// "object", "string", "bytes" by the dtype argument.
const char* NameOf(DType dtype) {
  if (dtype == DType::kString) return "string";
  return dtype == DType::kBytes ? "bytes" : "object";
}

// What NumPy makes of one element: "string", "object"; null where it is a number, or unknown.
const char* ElementDType(const Facts& facts, const Value& value) {
  switch (value.kind) {
    case Kind::kStr: return "string";
    case Kind::kBytes: return "bytes";
    case Kind::kNone:
    case Kind::kDict:
    case Kind::kFunction:
    case Kind::kClass:
    case Kind::kSet: return "object";
    default: {
      const auto value_of = [&](ValueId id) -> const Value& { return facts.Of(id); };
      return analysis::IsPlainObject(facts.program(), value_of, value) ? "object" : nullptr;
    }
  }
}

// Rows whose known lengths differ.
bool IsRagged(const Facts& facts, const std::vector<Value>& rows) {
  std::optional<std::int64_t> length;
  for (const Value& row : rows) {
    if (row.kind != Kind::kList && row.kind != Kind::kTuple) return false;
    const auto known = facts.store().dims().AsConst(row.dim);
    if (!known) continue;
    if (length && *length != *known) return true;
    length = known;
  }
  return false;
}

const char* ContentDType(const Facts& facts, const Value& content) {
  if (const char* dtype = ElementDType(facts, content)) return content.kind == Kind::kDict ? nullptr : dtype;
  if (content.kind != Kind::kList && content.kind != Kind::kTuple) return nullptr;
  // One level of rows is looked into: np.array([["a", "b"], ["c", "d"]]).
  std::vector<ElementsId> pending;
  const auto push = [&](const Value& value) {
    pending.push_back(value.elements.valid() ? value.elements : value.item);
  };
  push(content);
  for (std::size_t level = 0; level < pending.size() && level < 64; ++level) {
    if (!pending[level].valid()) continue;
    const std::vector<Value>& elements = facts.store().Get(pending[level]);
    if (IsRagged(facts, elements)) return "ragged";
    for (const Value& element : elements) {
      if (const char* dtype = ElementDType(facts, element)) return dtype;
      if (level == 0 && (element.kind == Kind::kList || element.kind == Kind::kTuple)) push(element);
    }
  }
  return nullptr;
}

// Objects and texts are on no device: what made them is found, not what becomes of them. What is only said to hold
// objects may hold numbers here.
bool IsOfOthers(const Facts& facts, ValueId receiver) {
  if (!receiver.valid() || facts.IsDevice(receiver)) return false;
  const ValueId source = facts.Source(receiver);
  return source.valid() && facts.program().ops[source].kind != ir::OpKind::kParam;
}

// The call under host NumPy, which keeps anything; nothing where an argument is on the device.
Text OnHost(const Facts& facts, ValueId call, ValueId dtype) {
  const ir::Program& program = facts.program();
  const ValueId callee = program.Operand(call, 0);
  const std::string_view name = facts.CalleeOf(call).name;
  if (facts.CalleeOf(call).kind != Callee::Kind::kApi || program.ops[callee].kind != ir::OpKind::kAttr) return {};
  std::vector<match::Cut> cuts = {{program.OperandSpan(call, 0), Text("onp.").Add(match::BaseName(name))}};
  for (std::uint32_t i = 1; i < program.Operands(call).size(); ++i) {
    const ValueId operand = program.Operand(call, i);
    if (facts.IsDevice(operand)) return {};
    const bool of_library = facts.Of(operand).library == Library::kDevice;  // `np.object_`
    if (of_library && operand != dtype) return {};
    if (of_library) cuts.push_back({program.OperandSpan(call, i), "object"});
  }
  const Text code = match::Replace(program.ops[call].span, cuts);
  return match::IsShownWhole(code) ? Text("`").Add(code).Add("`") : Text();
}

// What fits what is kept in the array.
Text HelpFor(const Facts& facts, ValueId call, ValueId content, ValueId dtype, bool texts) {
  constexpr std::string_view kPadded =
      "RR-dtype  keep the rows in a list; where work goes over all of them, pad them into one matrix and keep their "
      "lengths in a vector, or keep flat values and offsets";
  constexpr std::string_view kNan = "RR-dtype  put `np.nan` in the place of None";
  match::StoredItems items = match::StoredItemsOf(facts, call, content);
  if (texts && items != match::StoredItems::kObjects) items = match::StoredItems::kTexts;
  if (items == match::StoredItems::kRows) return kPadded;
  if (items == match::StoredItems::kNumbersOrNone) return kNan;
  if (items == match::StoredItems::kNone) return dtype.valid() ? Text() : Text(kNan);  // objects may go there later
  if (items == match::StoredItems::kUnknown) return {};
  Text help("RR-dtype  keep ");
  help.Add(items == match::StoredItems::kObjects ? "the objects" : "the texts").Add(" in a list");
  const Text host = OnHost(facts, call, dtype);
  help.Add(host.empty() ? Text(", or in an array of host NumPy")
                        : Text(" or, with host NumPy as `onp`, in ").Add(host));
  if (items == match::StoredItems::kObjects) return help;
  return help.Add("; where values are computed by label, replace labels by integer codes and a list to look them up");
}

// Fires when any of
//   1. a creating function or `astype` of the device namespace is asked for dtype object, string or bytes,
//   2. np.array, np.asarray or np.full, without a dtype, is given strings, None, dicts, functions, instances or rows of
//      different lengths.
void OnCall(const Facts& facts, ValueId call, Trial& trial) {
  const Callee& callee = facts.CalleeOf(call);
  const Creator* creator = CreatorOf(callee);
  if (creator == nullptr) return;
  if (IsOfOthers(facts, callee.receiver)) return;
  const ValueId argument = facts.Argument(call, creator->position, "dtype");
  if (argument.valid()) {
    const DType dtype = analysis::DTypeArgument(facts.program().names, facts.Of(argument));
    if (!trial.Holds(1, HasNoRepresentation(dtype))) return;
    Trial::Report report = trial.ReportOp(call);
    report.Arg("dtype", NameOf(dtype)).Evidence(callee.evidence | facts.Of(argument).evidence);
    report.PrimaryLabel("raises TypeError on cuPyNumeric");
    report.Label(match::SpanOfOperand(facts, call, argument), "asked for here");
    const bool converts = match::IsOneOf(callee.name, {"numpy.array", "numpy.asarray", "numpy.asanyarray"});
    const ValueId given = converts ? facts.Argument(call, 0, "object") : ValueId::None();
    report.Help(HelpFor(facts, call, given, argument, dtype != DType::kObject));
    return;
  }
  const bool fills = callee.name == "numpy.full";
  if (!fills && callee.name != "numpy.array" && callee.name != "numpy.asarray" && callee.name != "numpy.asanyarray")
    return;
  if (facts.HasStarArguments(call)) return;
  const ValueId content = fills ? facts.Argument(call, 1, "fill_value") : facts.Argument(call, 0, "object");
  const char* dtype = content.valid() ? ContentDType(facts, facts.Of(content)) : nullptr;
  const Value& made = facts.Of(call);
  const bool written = content.valid() && (facts.program().ops[content].kind == ir::OpKind::kList ||
                                           facts.program().ops[content].kind == ir::OpKind::kTuple);
  const bool texts = made.kind == Kind::kArray && (made.dtype == DType::kString || made.dtype == DType::kBytes);
  if (dtype == nullptr && written && texts) dtype = NameOf(made.dtype);  // deeper inside
  // A text by all that is known, and none behind `if not isinstance(x, str):`.
  if (!fills && content.valid() && facts.Of(content).kind == Kind::kStr && !texts) return;
  if (!trial.Holds(2, dtype != nullptr) || dtype == nullptr) return;
  Trial::Report report = trial.ReportOp(call);
  report.Evidence(callee.evidence | facts.Of(content).evidence).PrimaryLabel("raises on cuPyNumeric");
  report.Arg("dtype", dtype);
  if (std::string_view(dtype) == "ragged") {
    report.Message("`{expr}` makes an array of rows of different lengths");
    report.Help("pad the rows into one matrix and keep their lengths in a vector, or keep flat values and offsets");
  } else {
    report.Help(HelpFor(facts, call, content, {}, std::string_view(dtype) == "string"));
  }
}

}  // namespace

extern constinit const Rule kRule;
constinit const Rule kRule = {
    .code = 107,
    .slug = "object-dtype",
    .family = Family::kBlocks,
    .severity = Severity::kError,
    .cold = Severity::kError,
    .summary = "an array of Python objects, strings or ragged rows is created",
    .message = "`{expr}` creates an array of dtype {dtype}",
    .why = "cuPyNumeric has numbers and booleans only: the dtype raises TypeError when the array is made (26.07)",
    .details = R"md(
cuPyNumeric 26.07 stores booleans, integers, floats and complex numbers. Arrays of Python objects, of strings or of bytes
raise TypeError when they are made; nothing is handed to host NumPy.

**Fires when** any of these holds

1. a creating function or `astype` of the device namespace is asked for dtype `object`, `str`, `bytes`, `'O'`, `'U…'` or `'S…'`
2. `np.array`, `np.asarray` or `np.full`, without a dtype, is given strings, `None`, dicts, functions, instances of a class or rows of different lengths

**Stays quiet**

- (a) Python lists of arrays or objects that stay lists
- (b) the host alias: `onp.array(names)`
- (c) `dtype=float`, `bool`, `int`
- (d) a pandas column of objects that is never converted
- (e) `np.array([1, 2.5, True])`

The migration guide hints at a route through the host; there is none. Dates and records raise as well, see R119.
)md",
    .bad = R"py(import numpy as np


def totals(w):
    names = np.array(["ash", "oak", "elm"], dtype=object)
    weights = np.asarray(w, dtype=float)
    return names, weights.sum()
)py",
    .good = R"py(import numpy as np


def totals(w):
    names = ["ash", "oak", "elm"]
    codes = np.array([names.index(name) for name in names])
    weights = np.asarray(w, dtype=float)
    return codes, weights.sum()
)py",
    .recipe = "RR-dtype",
    .ops = {ir::OpKind::kCall},
    .on_op = &OnCall,
};

}  // namespace cpnlint::rules::r107
