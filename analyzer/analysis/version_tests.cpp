#include "analyzer/analysis/version_tests.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string>
#include <vector>

#include "analyzer/analysis/callee_names.h"

namespace cpnlint::analysis {
namespace {

using ir::OpKind;

constexpr std::string_view kBeginning = "26.";  // of the version
constexpr std::string_view kFirstPart = "26";
constexpr double kMajor = 26;

// What a program makes of the version before it compares it.
enum class Step : std::uint8_t {
  kParse,    // `Version(x)`, `parse(x)`, `NumpyVersion(x)`: compared number by number
  kSplit,    // `x.split(".")`
  kToInts,   // `map(int, x)`, `(int(part) for part in x)`
  kRelease,  // `.release`: the numbers of a parsed one
  kFirst,    // `x[0]`, `.major`
  kStart,    // `x[:n]`
  kNumber,   // `int(x)`, `float(x)`
  kTuple,    // `(x, y)`
};

struct Made {
  enum class Form : std::uint8_t { kNothing, kText, kParsed, kTexts, kNumbers, kNumber } form = Form::kNothing;
  std::string text = {};  // kText: how it begins
  bool whole = false;     // ... and nothing follows
};

bool IsVersionOfDevice(const Facts::Impl& impl, ir::ValueId id) {
  const Value& value = impl.Of(id);
  return value.kind == Kind::kApi && value.library == Library::kDevice &&
         impl.names.Text(value.name) == "numpy.__version__";
}

// By the last part of the name: many programs carry a copy of the library along.
bool Parses(const Facts::Impl& impl, const Value& callee) {
  std::string_view name;
  switch (callee.kind) {
    case Kind::kForeign:
    case Kind::kApi:
      name = impl.names.Text(callee.name);
      name = name.substr(name.rfind('.') + 1);
      break;
    case Kind::kFunction:
      if (callee.function.valid()) name = impl.names.Text(impl.program.functions[callee.function].name);
      break;
    case Kind::kClass: name = impl.names.Text(impl.program.classes[callee.class_id].name); break;
    default: break;
  }
  return IsOneOf(name, {"Version", "parse", "parse_version", "LooseVersion", "StrictVersion", "NumpyVersion"});
}

bool IsInt(const Facts::Impl& impl, ir::ValueId id) {
  const Value& value = impl.Of(id);
  return value.kind == Kind::kBuiltin && impl.names.Text(value.name) == "int";
}

// `x` of `(int(part) for part in x)`.
ir::ValueId WalkedForInts(const Facts::Impl& impl, ir::ValueId collection) {
  const ir::Program& program = impl.program;
  for (const ir::ValueId use : impl.UsesOf(collection)) {
    if (program.ops[use].kind != OpKind::kCollectItem || program.ops[use].operand_count != 2) continue;
    const ir::ValueId made = program.Operand(use, 1);
    if (program.ops[made].kind != OpKind::kCall || program.ops[made].operand_count != 2 ||
        !IsInt(impl, program.Operand(made, 0)))
      return {};
    const ir::ValueId item = program.Operand(made, 1);
    if (program.ops[item].kind != OpKind::kLoopItem) return {};
    const ir::ValueId walk = program.Operand(item, 0);
    return program.ops[walk].kind == OpKind::kIter ? program.Operand(walk, 0) : ir::ValueId::None();
  }
  return {};
}

// One op towards the version, and what the op does to it; None() where it is none of those above.
struct Before {
  ir::ValueId id;
  std::optional<Step> step;
};

Before BeforeCall(const Facts::Impl& impl, ir::ValueId call) {
  const ir::Program& program = impl.program;
  const ir::ValueId called = program.Operand(call, 0);
  const std::uint32_t given = program.ops[call].operand_count - 1;
  if (!called.valid() || given == 0 || given > 2) return {};
  if (program.ops[called].kind == OpKind::kAttr && program.Name(program.ops[called]) == "split") {
    const Value& by = impl.Of(program.Operand(call, 1));
    const bool dots = by.kind == Kind::kStr && by.constant && impl.names.Text(by.name) == ".";
    return dots ? Before{program.Operand(called, 0), Step::kSplit} : Before{};
  }
  const Value& callee = impl.Of(called);
  if (callee.kind != Kind::kBuiltin) {
    return given == 1 && Parses(impl, callee) ? Before{program.Operand(call, 1), Step::kParse} : Before{};
  }
  const std::string_view name = impl.names.Text(callee.name);
  if (given == 2) {
    const bool ints = name == "map" && IsInt(impl, program.Operand(call, 1));
    return ints ? Before{program.Operand(call, 2), Step::kToInts} : Before{};
  }
  if (name == "int" || name == "float") return {program.Operand(call, 1), Step::kNumber};
  if (name == "tuple" || name == "list" || name == "str") return {program.Operand(call, 1), std::nullopt};
  return {};
}

Before BeforeSubscript(const Facts::Impl& impl, ir::ValueId id) {
  const ir::Program& program = impl.program;
  if (program.ops[id].operand_count != 2) return {};
  const ir::ValueId key = program.Operand(id, 1);
  if (!key.valid()) return {};
  if (program.ops[key].kind == OpKind::kInt)
    return program.ints[program.ops[key].payload] == 0 ? Before{program.Operand(id, 0), Step::kFirst} : Before{};
  if (program.ops[key].kind != OpKind::kSlice) return {};
  const auto parts = program.Operands(key);
  const bool from_start = !parts[0].valid() || (program.ops[parts[0]].kind == OpKind::kInt &&
                                                program.ints[program.ops[parts[0]].payload] == 0);
  const bool to_number = parts.size() > 1 && parts[1].valid() && program.ops[parts[1]].kind == OpKind::kInt &&
                         program.ints[program.ops[parts[1]].payload] > 0;
  const bool no_step = parts.size() < 3 || !parts[2].valid();
  return from_start && to_number && no_step ? Before{program.Operand(id, 0), Step::kStart} : Before{};
}

Before BeforeOp(const Facts::Impl& impl, ir::ValueId id) {
  const ir::Op& op = impl.program.ops[id];
  switch (op.kind) {
    case OpKind::kCall: return BeforeCall(impl, id);
    case OpKind::kSubscript: return BeforeSubscript(impl, id);
    case OpKind::kTuple: return op.operand_count == 0 ? Before{} : Before{impl.program.Operand(id, 0), Step::kTuple};
    case OpKind::kUnpackItem: {
      const ir::ItemPosition at = ir::ItemPosition::Unpack(op.payload);
      return at.index == 0 && at.star != 0 ? Before{impl.program.Operand(id, 0), Step::kFirst} : Before{};
    }
    case OpKind::kCollection: return {WalkedForInts(impl, id), Step::kToInts};
    case OpKind::kAttr: {
      const std::string_view name = impl.program.Name(op);
      if (name == "release" || name == "version") return {impl.program.Operand(id, 0), Step::kRelease};
      return name == "major" ? Before{impl.program.Operand(id, 0), Step::kFirst} : Before{};
    }
    default: return {};
  }
}

// How many characters `x[:n]` keeps; SIZE_MAX of anything else.
std::size_t LengthOfStart(const ir::Program& program, ir::ValueId subscript) {
  if (program.ops[subscript].kind != OpKind::kSubscript) return SIZE_MAX;
  const ir::ValueId key = program.Operand(subscript, 1);
  if (program.ops[key].kind != OpKind::kSlice) return 1;
  return static_cast<std::size_t>(program.ints[program.ops[program.Operand(key, 1)].payload]);
}

Made After(Made made, Step step, std::size_t length) {
  using Form = Made::Form;
  const bool text = made.form == Form::kText;
  switch (step) {
    case Step::kParse: return {text && !made.whole ? Form::kParsed : Form::kNothing};
    case Step::kSplit: return {text && !made.whole ? Form::kTexts : Form::kNothing};
    case Step::kToInts: return {made.form == Form::kTexts ? Form::kNumbers : Form::kNothing};
    case Step::kRelease: return {made.form == Form::kParsed ? Form::kNumbers : Form::kNothing};
    case Step::kTuple:
      if (text) return {made.whole && made.text == kFirstPart ? Form::kTexts : Form::kNothing};
      return {made.form == Form::kNumber ? Form::kNumbers : Form::kNothing};
    case Step::kNumber:
      if (made.form == Form::kNumber) return made;
      return {text && made.text.starts_with(kFirstPart) ? Form::kNumber : Form::kNothing};
    case Step::kStart:
    case Step::kFirst: break;
  }
  if (text) {
    if (length <= made.text.size()) return {Form::kText, made.text.substr(0, length), true};
    return made;
  }
  if (step == Step::kStart) return made.form == Form::kTexts || made.form == Form::kNumbers ? made : Made{};
  if (made.form == Form::kTexts) return {Form::kText, std::string(kFirstPart), true};
  return {made.form == Form::kNumbers || made.form == Form::kParsed ? Form::kNumber : Form::kNothing};
}

// `version_tuple(x)`: what the function of the program gives, and its parameter, which is `x`.
struct Helped {
  ir::ValueId given, param;
};

Helped HelpedBy(const Facts::Impl& impl, ir::ValueId call) {
  const ir::Program& program = impl.program;
  if (program.ops[call].kind != OpKind::kCall || program.ops[call].operand_count != 2) return {};
  const Value& callee = impl.Of(program.Operand(call, 0));
  if (callee.kind != Kind::kFunction || !callee.function.valid()) return {};
  const ir::Function& function = program.functions[callee.function];
  if (function.params.size() != 1 || function.returns.size() != 1 || function.is_generator) return {};
  const ir::ValueId leave = function.returns[0];
  if (program.ops[leave].operand_count == 0) return {};
  return {program.Operand(leave, 0), function.params[0].value};
}

Made MadeOfVersion(const Facts::Impl& impl, ir::ValueId id) {
  constexpr std::size_t kMostSteps = 8;
  std::array<std::pair<Step, std::size_t>, kMostSteps> steps;
  std::size_t count = 0;
  ir::ValueId param, argument;  // of the helper that the walk is in
  for (std::size_t looked_at = 0; looked_at < 2 * kMostSteps && id.valid(); ++looked_at) {
    id = OriginOf(impl, id);
    if (!id.valid()) return {};
    if (IsVersionOfDevice(impl, id)) {
      Made made{Made::Form::kText, std::string(kBeginning)};
      while (count > 0) {
        --count;
        made = After(std::move(made), steps[count].first, steps[count].second);
      }
      return made;
    }
    if (id == param) {
      id = argument;
      param = {};
      continue;
    }
    const Before before = BeforeOp(impl, id);
    if (const Helped helped = before.id.valid() || param.valid() ? Helped{} : HelpedBy(impl, id);
        helped.given.valid()) {
      param = helped.param;
      argument = impl.program.Operand(id, 1);
      id = helped.given;
      continue;
    }
    if (before.step) {
      if (count == kMostSteps) return {};
      steps[count++] = {*before.step, LengthOfStart(impl.program, id)};
    }
    id = before.id;
  }
  return {};
}

// 1 where the version is more than the number or what stands first of several, -1 where it is less.
std::optional<int> AgainstNumber(const Value& literal) {
  if (!literal.constant || !IsNumber(literal.kind)) return std::nullopt;
  if (literal.number < kMajor) return 1;
  return literal.number >= kMajor + 1 ? std::optional(-1) : std::nullopt;
}

std::optional<int> AgainstText(const Facts::Impl& impl, const Made& made, const Value& literal) {
  if (literal.kind != Kind::kStr || !literal.constant) return std::nullopt;
  const std::string_view text = impl.names.Text(literal.name);
  const int order = std::string_view(made.text).compare(text);
  if (!made.whole && text.starts_with(made.text.substr(0, kFirstPart.size()))) return std::nullopt;
  return order == 0 ? 0 : order > 0 ? 1 : -1;
}

std::optional<int> AgainstParsed(const Facts::Impl& impl, ir::ValueId other) {
  const ir::Program& program = impl.program;
  other = OriginOf(impl, other);
  if (!other.valid()) return std::nullopt;
  if (program.ops[other].kind == OpKind::kCall && program.ops[other].operand_count == 2 &&
      Parses(impl, impl.Of(program.Operand(other, 0))))
    other = program.Operand(other, 1);
  const Value& literal = impl.Of(other);
  if (literal.kind != Kind::kStr || !literal.constant) return std::nullopt;
  const std::string_view text = impl.names.Text(literal.name);
  int major = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), major);
  if (error != std::errc() || (end != text.data() + text.size() && *end != '.') || major == kMajor) return std::nullopt;
  return kMajor > major ? 1 : -1;
}

std::optional<int> AgainstSeveral(const Facts::Impl& impl, const Made& made, const Value& literal) {
  if ((literal.kind != Kind::kTuple && literal.kind != Kind::kList) || !literal.elements.valid()) return std::nullopt;
  const std::vector<Value>& elements = impl.store.Get(literal.elements);
  if (elements.empty()) return std::nullopt;
  if (made.form == Made::Form::kNumbers) return AgainstNumber(elements.front());
  const std::optional<int> order = AgainstText(impl, {Made::Form::kText, std::string(kFirstPart), true}, elements[0]);
  return order == 0 ? std::nullopt : order;
}

std::optional<int> Against(const Facts::Impl& impl, const Made& made, ir::ValueId other) {
  switch (made.form) {
    case Made::Form::kNothing: return std::nullopt;
    case Made::Form::kText: return AgainstText(impl, made, impl.Of(other));
    case Made::Form::kParsed: return AgainstParsed(impl, other);
    case Made::Form::kTexts:
    case Made::Form::kNumbers: return AgainstSeveral(impl, made, impl.Of(other));
    case Made::Form::kNumber: return AgainstNumber(impl.Of(other));
  }
  return std::nullopt;
}

// `np.__version__[:4] in ("1.16", "1.17")`
std::optional<bool> IsAmong(const Facts::Impl& impl, const Made& made, const Value& literals) {
  if (made.form != Made::Form::kText && made.form != Made::Form::kNumber) return std::nullopt;
  if (!literals.elements.valid()) return std::nullopt;
  if (literals.kind != Kind::kTuple && literals.kind != Kind::kList && literals.kind != Kind::kSet) return std::nullopt;
  bool among = false;
  for (const Value& literal : impl.store.Get(literals.elements)) {
    const std::optional<int> order =
        made.form == Made::Form::kText ? AgainstText(impl, made, literal) : AgainstNumber(literal);
    if (!order) return std::nullopt;
    among = among || *order == 0;
  }
  return among;
}

}  // namespace

std::optional<bool> VersionTest(const Facts::Impl& impl, const ir::Op& compare) {
  const auto operands = impl.program.Operands(compare);
  if (operands.size() != 2) return std::nullopt;
  const auto how = static_cast<ir::CompareOp>(compare.detail);
  const Made left = MadeOfVersion(impl, operands[0]);
  if (how == ir::CompareOp::kIn || how == ir::CompareOp::kNotIn) {
    const std::optional<bool> among = IsAmong(impl, left, impl.Of(operands[1]));
    return among ? std::optional(*among == (how == ir::CompareOp::kIn)) : std::nullopt;
  }
  std::optional<int> order = Against(impl, left, operands[1]);
  if (!order) {
    order = Against(impl, MadeOfVersion(impl, operands[1]), operands[0]);
    if (order) order = -*order;
  }
  if (!order) return std::nullopt;
  switch (how) {
    case ir::CompareOp::kEq: return *order == 0;
    case ir::CompareOp::kNe: return *order != 0;
    case ir::CompareOp::kLt: return *order < 0;
    case ir::CompareOp::kLe: return *order <= 0;
    case ir::CompareOp::kGt: return *order > 0;
    case ir::CompareOp::kGe: return *order >= 0;
    default: return std::nullopt;
  }
}

std::optional<bool> VersionStartsWith(const Facts::Impl& impl, const ir::Op& call) {
  const ir::Program& program = impl.program;
  const auto operands = program.Operands(call);
  if (operands.size() != 2 || !operands[0].valid() || program.ops[operands[0]].kind != OpKind::kAttr ||
      program.Name(program.ops[operands[0]]) != "startswith")
    return std::nullopt;
  const Value& literal = impl.Of(operands[1]);
  if (literal.kind != Kind::kStr || !literal.constant) return std::nullopt;
  const Made made = MadeOfVersion(impl, program.Operand(operands[0], 0));
  if (made.form != Made::Form::kText) return std::nullopt;
  const std::string_view text = impl.names.Text(literal.name);
  if (made.text.starts_with(text)) return true;
  return made.whole || !text.starts_with(made.text) ? std::optional(false) : std::nullopt;
}

}  // namespace cpnlint::analysis
