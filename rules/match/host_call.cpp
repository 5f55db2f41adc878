#include "rules/match/host_call.h"

#include <algorithm>
#include <string>
#include <vector>

#include "rules/match/device_call.h"
#include "rules/match/name_use.h"
#include "rules/match/rewrite.h"
#include "rules/match/same_expression.h"

namespace cpnlint::rules::match {
namespace {

using analysis::Kind;

// What the code does with an argument: `path`, `onp.asarray(x)`, `x=onp.asarray(x)`, `x.dtype`.
enum class Form : std::uint8_t { kAsItIs, kArray, kArraysFromHere, kDtype };

std::string NameOnHost(const api::Entry& row) { return "onp." + std::string(BaseName(row.name)); }

std::vector<Form> FormsIn(std::string_view arguments) {
  std::vector<Form> forms;
  for (std::size_t at = 0; at < arguments.size();) {
    const std::size_t end = std::min(arguments.find(", ", at), arguments.size());
    const std::string_view one = arguments.substr(at, end - at);
    const bool array = one.starts_with("onp.asarray("), named = one.find("=onp.asarray(") != std::string_view::npos;
    const bool dtype = one.find(".dtype") != std::string_view::npos;
    forms.push_back(array ? Form::kArray : named ? Form::kArraysFromHere : dtype ? Form::kDtype : Form::kAsItIs);
    at = end + 2;
  }
  return forms;
}

// Where the operand stands among the parameters of NumPy's function; nullopt for a keyword that is none of them.
std::optional<std::size_t> PositionOf(const Facts& facts, ir::ValueId call, std::uint32_t operand,
                                      const api::Entry& row) {
  const ir::Program& program = facts.program();
  const std::size_t positional = facts.PositionalCount(call);
  if (operand <= positional) return operand - 1;
  const Symbol keyword = program.Shape(program.ops[call]).keywords[operand - 1 - positional];
  if (!keyword.valid()) return std::nullopt;
  const auto found = std::ranges::find(row.numpy_parameters, program.names.Text(keyword));
  if (found == row.numpy_parameters.end()) return std::nullopt;
  return static_cast<std::size_t>(found - row.numpy_parameters.begin());
}

Form FormOf(const Facts& facts, ir::ValueId call, std::uint32_t operand, const api::Entry& row,
            const std::vector<Form>& forms) {
  if (!forms.empty() && forms.back() == Form::kArraysFromHere && operand >= forms.size()) return Form::kArray;
  // `result_type(*arrays_and_dtypes)`
  if (!forms.empty() && forms.back() == Form::kDtype && row.numpy_parameters.size() < forms.size()) return Form::kDtype;
  const std::optional<std::size_t> position = PositionOf(facts, call, operand, row);
  return position && *position < forms.size() ? forms[*position] : Form::kAsItIs;
}

// `onp.asarray(x)[::4]` for `x[::4]`, which the device refuses to cut; empty for what is cut otherwise.
Text ConvertedBeforeSteps(const Facts& facts, ir::ValueId value, Span words) {
  const ir::Program& program = facts.program();
  if (program.ops[value].kind != ir::OpKind::kSubscript || program.ops[value].span != words) return {};
  const auto steps = [&](ir::ValueId key) {
    if (!key.valid() || program.ops[key].kind != ir::OpKind::kSlice) return false;
    const ir::ValueId step = program.Operand(key, 2);
    return step.valid() && !facts.IsNoneConstant(step) && facts.IntOf(step) != 1;
  };
  if (!std::ranges::any_of(facts.KeysOf(value), steps)) return {};
  const Span array = program.OperandSpan(value, 0);
  return Replace(words, {{array, Text("onp.asarray(").Add(array).Add(")")}});
}

// `energy` of `np.array(energy)` where that is a list of numbers, which host NumPy takes as it is; empty elsewhere.
Span ItemsOf(const Facts& facts, ir::ValueId value, Span words) {
  const ir::Program& program = facts.program();
  if (program.ops[value].kind != ir::OpKind::kCall || program.ops[value].span != words) return {};
  const DeviceCall call = AsDeviceCall(facts, value);
  if (!call || call.method || !IsOneOf(call.base, {"array", "asarray"})) return {};
  if (program.Operands(value).size() != 2 || facts.PositionalCount(value) != 1) return {};
  return IsHostData(facts, facts.Of(program.Operand(value, 1))) ? program.OperandSpan(value, 1) : Span{};
}

// `onp.asarray(x)`, `*map(onp.asarray, pair)`, `x.dtype`, for `**arrays` (`by_names`) a dictionary; nothing where the
// argument stays.
std::optional<Text> Converted(const Facts& facts, ir::ValueId value, Span words, bool by_names, Form form) {
  const ir::Program& program = facts.program();
  if (form == Form::kDtype && facts.IsDevice(value)) return Text().Add(words, Binding::kPrimary).Add(".dtype");
  if (form != Form::kArray) return std::nullopt;
  if (by_names) return Text("{name: onp.asarray(one) for name, one in ").Add(words, Binding::kPrimary).Add(".items()}");
  if (program.ops[value].kind == ir::OpKind::kStarred)
    return Text("*map(onp.asarray, ").Add(program.OperandSpan(value, 0)).Add(")");
  // A dict is pickled as it is, whatever it holds.
  if (IsHostData(facts, facts.Of(value)) || facts.Of(value).kind == Kind::kDict) return std::nullopt;
  if (const Text later = ConvertedBeforeSteps(facts, value, words); !later.empty()) return later;
  if (const Span items = ItemsOf(facts, value, words); !items.empty()) return Text(items);
  return Text("onp.asarray(").Add(words).Add(")");
}

// The call of host NumPy, with each argument in its form. It is put together of the arguments, so that only one of them
// can be too long to be shown.
template <typename FormOfOperand>
Text CallOnHost(const Facts& facts, ir::ValueId call, const api::Entry& row, FormOfOperand form_of) {
  const ir::Program& program = facts.program();
  const std::size_t positional = facts.PositionalCount(call);
  Text code(NameOnHost(row));
  code.Add("(");
  for (std::uint32_t i = 1; i < program.Operands(call).size(); ++i) {
    const Span words = program.OperandSpan(call, i);
    const Symbol keyword = i > positional ? program.Shape(program.ops[call]).keywords[i - 1 - positional] : Symbol();
    const bool by_names = i > positional && !keyword.valid();
    if (i > 1) code.Add(", ");
    if (by_names) code.Add("**");
    if (keyword.valid()) code.Add(program.names.Text(keyword)).Add("=");
    code.Add(Converted(facts, program.Operand(call, i), words, by_names, form_of(i)).value_or(Text(words)));
  }
  return code.Add(")");
}

}  // namespace

bool IsHostData(const Facts& facts, const analysis::Value& value) {
  switch (value.kind) {
    case Kind::kNone:
    case Kind::kStr: return true;
    case Kind::kArray: return value.library == analysis::Library::kHost;
    case Kind::kList:
    case Kind::kTuple: return value.item.valid() && IsHostData(facts, facts.store().Get(value.item).front());
    default: return analysis::IsNumber(value.kind);
  }
}

std::optional<Text> OnHost(const Facts& facts, ir::ValueId op, const api::Entry& row, std::string_view code) {
  const ir::ValueId call = OnlyCall(facts, op);
  if (!call.valid()) return std::nullopt;
  const bool converts = code.starts_with("np.asarray(");
  if (converts) code = code.substr(11, code.size() - 12);
  const std::string name = NameOnHost(row);
  if (!code.starts_with(name + "(")) return std::nullopt;
  const std::vector<Form> forms = FormsIn(code.substr(name.size() + 1, code.size() - name.size() - 2));
  const bool array_first = !forms.empty() && forms.front() == Form::kArray && facts.PositionalCount(call) > 0;
  const ir::ValueId first = array_first ? facts.program().Operand(call, 1) : ir::ValueId::None();
  if (array_first && !converts && facts.RankOf(first) > 2) return std::nullopt;  // of a stack arrays come out
  const Text text =
      CallOnHost(facts, call, row, [&](std::uint32_t operand) { return FormOf(facts, call, operand, row, forms); });
  if (!IsShownWhole(text)) return std::nullopt;
  // Of a number it gives a number again.
  return converts && !(array_first && IsNumber(facts, first)) ? Text("np.asarray(").Add(text).Add(")") : text;
}

Text OnHost(const Facts& facts, ir::ValueId op, const api::Entry& row) {
  const ir::ValueId call = OnlyCall(facts, op);
  if (!call.valid()) return Text(NameOnHost(row));
  const Text text = CallOnHost(facts, call, row, [&](std::uint32_t operand) {
    return facts.IsDevice(facts.program().Operand(call, operand)) ? Form::kArray : Form::kAsItIs;
  });
  return IsShownWhole(text) ? text : Text(NameOnHost(row));
}

bool GivesNoArray(const api::Entry& row) {
  return row.returns == api::Returns::kScalar || row.returns == api::Returns::kNone ||
         row.returns == api::Returns::kOther;
}

}  // namespace cpnlint::rules::match
