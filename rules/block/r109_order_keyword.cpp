// R109 order-keyword: a memory order that cuPyNumeric rejects, ignores, or obtains through the host.

#include <algorithm>
#include <string>

#include "rules/engine/rule.h"
#include "rules/match/argument_gap.h"
#include "rules/match/device_call.h"

namespace cpnlint::rules::r109 {

using api::Behaviour;
using match::DeviceCall;

struct Outcome {
  const char* cause = nullptr;  // null: nothing to say
  const char* label = "";
  bool info = false;
  bool possible = false;
};

// What the order does on this call: `row` restricts it as `keyword` says, `literal` is its value.
static Outcome Judge(const DeviceCall& call, const api::Keyword& keyword, const std::string& literal, bool is_text) {
  const bool reshapes = match::IsOneOf(call.base, {"reshape", "ravel", "flatten"});
  switch (keyword.behaviour) {
    case Behaviour::kAbsent: return {"raises TypeError: there is no such keyword", "not accepted, not even 'C'"};
    case Behaviour::kRenamed: return {"raises TypeError: there is no such keyword", "not accepted"};
    case Behaviour::kIgnored: return {"has no effect", "ignored", true};
    case Behaviour::kValue:
      if (literal == "None") return {};
      return {"raises NotImplementedError", "sorting by field", false, literal.empty() && !is_text};
    case Behaviour::kHost:
    case Behaviour::kDiffers: break;
  }
  if (literal == "'C'" || literal == "'A'") return {"has no effect", "the only order there is", true};
  if (literal == "'K'" && reshapes && call.base != "reshape") return {"raises ValueError", "not accepted"};
  if (literal.empty()) return {"goes through host NumPy unless it is 'C'", "decided at run time", false, true};
  return {"sends the whole array through host NumPy and back", "gathers, reorders and copies back"};
}

// The extents of a reshape the other way round: `n, m` of `x.reshape(m, n, order="F")`, `(n, m)`, `shape[::-1]`.
static Text Reversed(const Facts& facts, const DeviceCall& call) {
  const ir::Program& program = facts.program();
  const auto backwards = [&](ir::ValueId op, std::uint32_t first, std::uint32_t count) {
    Text text;
    for (std::uint32_t i = count; i > 0; --i) {
      if (!text.empty()) text.Add(", ");
      text.Add(program.OperandSpan(op, first + i - 1), Binding::kConditional);
    }
    return text;
  };
  const auto is_star = [&](ir::ValueId item) { return program.ops[item].kind == ir::OpKind::kStarred; };
  const auto positional = static_cast<std::uint32_t>(facts.PositionalCount(call.call));
  if (call.method && positional > 1 && !facts.HasStarArguments(call.call)) return backwards(call.call, 1, positional);
  const ir::ValueId shape = match::Argument(facts, call, 1, "newshape");
  const Span span = match::ArgumentSpan(facts, call, 1, "newshape");
  if (!shape.valid() || span.empty()) return "shape[::-1]";
  const analysis::Kind kind = facts.Of(shape).kind;
  if (kind == analysis::Kind::kInt) return span;
  const ir::Op& op = program.ops[shape];
  const bool display = op.kind == ir::OpKind::kTuple || op.kind == ir::OpKind::kList;
  const auto items = program.Operands(shape);
  if (display && span.Contains(op.span) && items.size() > 1 && std::none_of(items.begin(), items.end(), is_star))
    return Text("(").Add(backwards(shape, 0, op.operand_count)).Add(")");
  if (kind == analysis::Kind::kTuple || kind == analysis::Kind::kList)
    return Text().Add(span, Binding::kPrimary).Add("[::-1]");
  return "shape[::-1]";
}

static Text Advice(const Facts& facts, const DeviceCall& call, const std::string& literal, const Outcome& outcome) {
  Text help("RR-order  ");
  if (call.base == "reshape" && literal == "'F'") {
    help.Add("reverse the axes twice: `").Add(call.array_span, Binding::kPrimary).Add(".T.reshape(");
    return help.Add(Reversed(facts, call)).Add(").T`");
  }
  if (match::IsOneOf(call.base, {"ravel", "flatten"}) && literal == "'F'") {
    return help.Add("write `").Add(call.array_span, Binding::kPrimary).Add(".T.").Add(call.base).Add("()`");
  }
  if (outcome.info || literal == "'C'") return help.Add("delete the argument");
  if (match::IsOneOf(call.base, {"sort", "argsort", "partition", "argpartition"})) {
    return help.Add("keep one array per field and sort by `np.argsort` of one of them");
  }
  return help.Add(
      "delete the argument; where host code needs the layout, make it at the boundary: "
      "`onp.asfortranarray(onp.asarray(a))`");
}

// Fires when
//   1. a call of the device library passes `order`, by keyword or in its position, and
//   2. the table restricts it: absent, ignored, through the host, or raising.
// Quiet where (a) the library is another one, (b) host NumPy, (c) the function implements it, (d) a user's function;
// the first condition sees to these. A literal 'C' that is accepted without effect is info.
static void OnOp(const Facts& facts, ir::ValueId op, Trial& trial) {
  const DeviceCall call = match::AsDeviceCall(facts, op);
  if (!call) return;
  const api::Entry* row = match::Row(call.name, trial.target().version);
  if (row == nullptr || row->status == api::Status::kMissing) return;
  // `np.ndarray.copy(x)` hands over its object first.
  const bool unbound = !call.method && call.name.starts_with("numpy.ndarray.");
  const std::size_t position = api::ParameterPosition(*row, "order").value_or(99) + (unbound ? 1 : 0);
  const ir::ValueId value = facts.Argument(op, position, "order");
  if (!trial.Holds(1, value.valid()) || !value.valid()) return;
  const api::Keyword* keyword = api::FindKeyword(*row, "order");
  if (keyword == nullptr) return;
  const std::string literal = match::LiteralText(facts, value, false);
  const Outcome outcome = Judge(call, *keyword, literal, facts.IsArray(value));
  if (!trial.Holds(2, outcome.cause != nullptr) || outcome.cause == nullptr) return;

  const bool by_keyword = !facts.KeywordSpan(op, "order").empty();
  const Span span = by_keyword ? facts.KeywordSpan(op, "order")
                               : facts.program().OperandSpan(op, static_cast<std::uint32_t>(position) + 1);
  Trial::Report report = trial.ReportOp(op);
  report.At(span)
      .Arg("call", facts.program().OperandSpan(op, 0))
      .Arg("arg", Text(by_keyword ? "order=" : "").Add(span))
      .Arg("cause", outcome.cause)
      .Key(std::string(row->name) + "(order=" + literal + ")")
      .Evidence(call.evidence)
      .PrimaryLabel(outcome.label)
      .Help(Advice(facts, call, literal, outcome));
  if (outcome.info) report.Severity(Severity::kInfo);
  if (outcome.possible) report.Confidence(Confidence::kPossible);
  if (keyword->behaviour == Behaviour::kHost && !outcome.info) report.Doctor("whole-array gather");
}

extern constinit const Rule kRule;
constinit const Rule kRule = {
    .code = 109,
    .slug = "order-keyword",
    .family = Family::kBlocks,
    .severity = Severity::kError,
    .cold = Severity::kError,
    .summary = "a memory order asked of the array library",
    .message = "`{call}` asks for memory order with `{arg}`, which {cause}",
    .why =
        "cuPyNumeric 26.07 has no memory orders: creation functions refuse the keyword, array, copy and astype ignore "
        "it, reshape, ravel and flatten obtain 'F' through host NumPy",
    .details = R"md(
Fires on `order=` (or its position) in a call of the device library: `zeros`, `ones`, `empty`, `full`, `eye`, their
`_like` forms, `asarray` and `np.copy` raise TypeError, also for `'C'`; `reshape`, `ravel` and `flatten` with `'F'`
gather the whole array into host NumPy and copy it back, with `'K'` ravel and flatten raise ValueError; `sort`,
`argsort` and `partition` raise NotImplementedError. Where the keyword is accepted without effect (`array`, `.copy`,
`.astype`, ufuncs, and `'C'` for reshape, ravel, flatten) the finding is info.

Stays quiet on `order` of other libraries (`sort_values`, `ndimage.zoom(order=3)`), of functions of the program, of host
NumPy, and on `unravel_index` and `ravel_multi_index`, which implement it.

The migration guide says that `order='F'` falls back: in 26.07 only reshape, ravel and flatten do, and their result has
NumPy's element order. The warning about it is off by default.
)md",
    .bad = R"py(
import numpy as np

def table(rows, columns):
    return np.zeros((rows, columns), order="F")
)py",
    .good = R"py(
import numpy as np

def table(rows, columns):
    return np.zeros((rows, columns))
)py",
    .recipe = "RR-order",
    .fix = FixClass::kSafe,
    .doctor = "",
    .conditions = R"md(
1. a call of the device library passes `order`, by keyword or in its position
2. the table of the target version restricts it: absent, ignored, through the host, or raising
)md",
    .ops = {ir::OpKind::kCall},
    .on_op = &OnOp,
};

}  // namespace cpnlint::rules::r109
