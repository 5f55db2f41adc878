#include "rules/match/stepped_read.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace cpnlint::rules::match {

using analysis::Facts;
using analysis::Key;
using analysis::KeyKind;
using ir::OpKind;
using ir::ValueId;

namespace {

bool HasStep(const Key& key) { return key.kind == KeyKind::kSlice && key.step_given && key.step != 1; }

bool TakesAxis(const Key& key) { return key.kind == KeyKind::kInteger || key.kind == KeyKind::kSlice; }

bool GivesAxis(const Key& key) { return key.kind == KeyKind::kSlice || key.kind == KeyKind::kNewAxis; }

// A slice with a step: the axis of the array that it cuts and the one that its entries lie on in what is read.
// Negative ones count from the end, where an ellipsis stands before it.
struct Stepped {
  std::size_t key = 0;
  int cut = 0;
  int given = 0;
};

std::vector<Stepped> SteppedAxes(const std::vector<Key>& keys) {
  std::vector<Stepped> found;
  int cut = 0, given = 0;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (keys[i].kind == KeyKind::kEllipsis) {
      cut = -static_cast<int>(std::count_if(keys.begin() + static_cast<std::ptrdiff_t>(i), keys.end(), TakesAxis));
      given = -static_cast<int>(std::count_if(keys.begin() + static_cast<std::ptrdiff_t>(i), keys.end(), GivesAxis));
      continue;
    }
    if (HasStep(keys[i])) found.push_back({.key = i, .cut = cut, .given = given});
    cut += TakesAxis(keys[i]) ? 1 : 0;
    given += GivesAxis(keys[i]) ? 1 : 0;
  }
  return found;
}

// The first position of a slice that goes to the end; nothing where it has to be cut first.
std::optional<std::int64_t> FirstToEnd(const Facts& facts, const Key& key) {
  if (key.upper_given) return {};
  if (!key.lower_given) return 0;
  const auto first = facts.store().dims().AsConst(key.lower);
  return first && *first >= 0 ? first : std::nullopt;
}

// What is read with the step left out: `:`, `2:n`.
Text Unstepped(const ir::Program& program, ValueId slice) {
  Text key;
  if (program.Operand(slice, 0).valid()) key.Add(program.OperandSpan(slice, 0));
  key.Add(":");
  if (program.Operand(slice, 1).valid()) key.Add(program.OperandSpan(slice, 1));
  return key;
}

// The subscript of `base` with the steps left out, and the ends of their slices where nothing else sees to them.
Text WithKeys(const Facts& facts, ValueId subscript, const Text& base, bool keeps_ends) {
  const ir::Program& program = facts.program();
  const std::vector<Key>& keys = facts.SubscriptOf(subscript).keys;
  const auto written = facts.KeysOf(subscript);
  const auto first = static_cast<std::uint32_t>(program.Operands(subscript).size() - written.size());
  Text code = Text(base).Add("[");
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (i > 0) code.Add(", ");
    if (!HasStep(keys[i])) {
      code.Add(program.OperandSpan(subscript, first + static_cast<std::uint32_t>(i)));
    } else {
      code.Add(keeps_ends ? Unstepped(program, written[i]) : Text(":"));
    }
  }
  return code.Add("]");
}

bool IsPlain(const Key& key) {
  return TakesAxis(key) || key.kind == KeyKind::kNewAxis || key.kind == KeyKind::kEllipsis;
}

// Each key says what it selects, and slices with steps are written out.
bool AreWrittenOut(const Facts& facts, ValueId subscript) {
  const std::vector<Key>& keys = facts.SubscriptOf(subscript).keys;
  const auto written = facts.KeysOf(subscript);
  if (keys.empty() || keys.size() != written.size() || !std::ranges::all_of(keys, IsPlain)) return false;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (HasStep(keys[i]) && facts.program().ops[written[i]].kind != OpKind::kSlice) return false;
  }
  return true;
}

// `len(x)`, `x.shape[1]`
Text Extent(const Text& array, int axis) {
  if (axis == 0) return Text("len(").Add(array).Add(")");
  return Text(array).Add(".shape[" + std::to_string(axis) + "]");
}

// What selects the entries of one axis: `np.flip(x, 0)`, `np.take(x, np.arange(1, len(x), 2), axis=0, mode='clip')`.
Text Picked(const Text& from, const Text& extent, const Key& key, std::int64_t first, const Text& step, int axis) {
  const std::string at = std::to_string(axis);
  if (key.step == -1) return Text("np.flip(").Add(from).Add(", " + at + ")");
  Text code("np.take(");
  code.Add(from).Add(", np.arange(");
  if (key.step.value_or(1) < 0) {
    code.Add(extent).Add(" - 1, -1, ");
  } else {
    code.Add(std::to_string(first) + ", ").Add(extent).Add(", ");
  }
  return code.Add(step).Add("), axis=" + at + ", mode='clip')");
}

}  // namespace

Text PartWithoutStep(const Facts& facts, ValueId subscript) {
  if (!AreWrittenOut(facts, subscript)) return {};
  const std::vector<Stepped> stepped = SteppedAxes(facts.SubscriptOf(subscript).keys);
  if (stepped.size() != 1 || stepped[0].given != 0) return {};
  const Text array = Text().Add(facts.program().OperandSpan(subscript, 0), Binding::kPrimary);
  return WithKeys(facts, subscript, array, true);
}

std::size_t CountOfSteps(const Facts& facts, ValueId subscript) {
  return static_cast<std::size_t>(std::ranges::count_if(facts.SubscriptOf(subscript).keys, HasStep));
}

bool CanBeRepeated(const Facts& facts, ValueId array, Span words) {
  const ir::Op& op = facts.program().ops[array];
  if (op.span != words) return true;
  return op.kind != OpKind::kCall && op.kind != OpKind::kBinary && op.kind != OpKind::kUnary;
}

std::string_view NameForPart(const ir::Program& program, ValueId op) {
  constexpr std::array<std::string_view, 4> kNames = {"x", "part", "cut", "uncut"};
  const ir::Function& function = program.functions[program.FunctionOf(op)];
  const auto is_free = [&](std::string_view name) {
    const Symbol symbol = program.names.Find(name);
    const auto has_name = [&](const auto& one) { return one.name == symbol; };
    const auto is_seen = [&](const ir::Cell& cell) {
      return cell.name == symbol && program.functions[cell.owner].module == function.module;
    };
    return !symbol.valid() ||
           (std::ranges::none_of(function.bindings, has_name) && std::ranges::none_of(function.params, has_name) &&
            std::ranges::none_of(program.cells, is_seen));
  };
  const auto* const found = std::ranges::find_if(kNames, is_free);
  return found == kNames.end() ? "x_" : *found;
}

Text WithoutSteps(const Facts& facts, ValueId subscript) {
  const ir::Program& program = facts.program();
  const std::vector<Key>& keys = facts.SubscriptOf(subscript).keys;
  const auto written = facts.KeysOf(subscript);
  if (!AreWrittenOut(facts, subscript)) return {};
  const std::vector<Stepped> stepped = SteppedAxes(keys);

  bool cuts_first = false;  // an end of a slice may lie beyond that of the axis, or count from it
  for (const Stepped& one : stepped) {
    const Key& key = keys[one.key];
    if (key.step.value_or(1) < 0 && (key.lower_given || key.upper_given)) return {};
    cuts_first = cuts_first || !FirstToEnd(facts, key);
  }
  const auto is_whole = [](const Key& key) { return HasStep(key) || key.full || key.kind == KeyKind::kEllipsis; };
  const bool whole = std::ranges::all_of(keys, is_whole);

  const Span array = program.OperandSpan(subscript, 0);
  const bool named = CanBeRepeated(facts, program.Operand(subscript, 0), array);
  const std::string_view part = named && !cuts_first ? std::string_view() : NameForPart(program, subscript);
  const auto with_keys = [&](const Text& base) { return WithKeys(facts, subscript, base, cuts_first); };

  const Text given = Text().Add(array, Binding::kPrimary);
  const Text base = part.empty() ? given : Text(part);
  Text code = cuts_first || whole ? base : with_keys(base);
  for (const Stepped& one : stepped) {
    const Key& key = keys[one.key];
    const ValueId slice = written[one.key];
    const Text step = key.step ? Text(std::to_string(*key.step)) : Text(program.OperandSpan(slice, 2));
    const Text extent = Extent(base, cuts_first ? one.given : one.cut);
    code = Picked(code, extent, key, cuts_first ? 0 : *FirstToEnd(facts, key), step, one.given);
  }
  Text help = Text("`").Add(code).Add("`");
  if (part.empty()) return help;
  return help.Add(" with `").Add(part).Add(" = ").Add(cuts_first ? with_keys(given) : Text(array)).Add("`");
}

}  // namespace cpnlint::rules::match
