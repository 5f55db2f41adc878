#include "rules/match/argument_gap.h"

#include <algorithm>

#include "analyzer/analysis/least_rank.h"
#include "analyzer/analysis/model.h"
#include "rules/match/strided_view.h"

namespace cpnlint::rules::match {

using analysis::Facts;
using analysis::Kind;
using analysis::Value;
using api::Behaviour;
using api::LimitKind;

namespace {

bool IsTupleOf(const Facts& facts, const Value& value, std::int64_t at_least, std::optional<std::int64_t>& count) {
  if (value.kind != Kind::kTuple) return false;
  count = facts.store().dims().AsConst(value.dim);
  if (!count && value.elements.valid()) count = static_cast<std::int64_t>(facts.store().Get(value.elements).size());
  return count.value_or(0) >= at_least;
}

bool IsHigherArray(const Facts& facts, ir::ValueId id) { return facts.IsArray(id) && facts.RankOf(id) >= 1; }

bool IsSequence(const Facts& facts, ir::ValueId id) {
  return facts.Of(id).kind == Kind::kList || facts.Of(id).kind == Kind::kTuple;
}

// --- conditions on operands, in the order of api::LimitKind; each sets the argument it is about ---

struct Suspect {
  ir::ValueId value;
  Span span;
};

bool SomeAxes(const Facts& facts, const DeviceCall& call, const api::Entry&, Suspect& suspect) {
  suspect = {Argument(facts, call, 1, "axis"), ArgumentSpan(facts, call, 1, "axis")};
  std::optional<std::int64_t> count;
  const int rank = facts.RankOf(call.array);
  return rank > 0 && IsTupleOf(facts, facts.Of(suspect.value), 2, count) && *count < rank;
}

bool FewerRowsThanColumns(const Facts& facts, const DeviceCall& call, const api::Entry&, Suspect& suspect) {
  suspect = {call.array, call.array_span};
  if (facts.RankOf(call.array) != 2) return false;
  const std::optional<std::int64_t> excess =
      facts.store().dims().Difference(facts.ExtentOf(call.array, 0), facts.ExtentOf(call.array, 1));
  return excess && *excess < 0;
}

bool Stacked(const Facts& facts, const DeviceCall& call, const api::Entry&, Suspect& suspect) {
  suspect = {call.array, call.array_span};
  return LeastRank(facts, call.array, call.call) > 2;
}

// Parameters of a distribution come before size=, dtype= and out=.
bool ArrayParameter(const Facts& facts, const DeviceCall& call, const api::Entry& row, Suspect& suspect) {
  for (std::size_t i = 0; i < row.numpy_parameters.size(); ++i) {
    const std::string_view name = row.numpy_parameters[i];
    if (IsOneOf(name, {"size", "dtype", "out", "method", "endpoint"})) continue;
    const ir::ValueId value = facts.Argument(call.call, i, name);
    if (!IsHigherArray(facts, value) && !IsSequence(facts, value)) continue;
    suspect = {value, ArgumentSpan(facts, call, i, name)};
    return true;
  }
  return false;
}

// Bounds that need Python's own integers; `size` may be anything.
bool DeviceBound(const Facts& facts, const DeviceCall& call, const api::Entry& row, Suspect& suspect) {
  for (const std::string_view name : {"low", "high"}) {
    const std::size_t position = api::ParameterPosition(row, name).value_or(99);
    suspect = {facts.Argument(call.call, position, name), ArgumentSpan(facts, call, position, name)};
    if (facts.IsDevice(suspect.value)) return true;
  }
  return false;
}

bool ListAsSize(const Facts& facts, const DeviceCall& call, const api::Entry& row, Suspect& suspect) {
  const std::size_t position = api::ParameterPosition(row, "size").value_or(99);
  suspect = {facts.Argument(call.call, position, "size"), ArgumentSpan(facts, call, position, "size")};
  return facts.Of(suspect.value).kind == Kind::kList;
}

bool ThirdIsArray(const Facts& facts, const DeviceCall& call, const api::Entry&, Suspect& suspect) {
  if (call.method || facts.PositionalCount(call.call) < 3) return false;
  suspect = {facts.program().Operand(call.call, 3), facts.program().OperandSpan(call.call, 3)};
  return facts.IsArray(suspect.value);
}

bool LacksTheKeyword(const Facts& facts, const DeviceCall& call, const api::Entry& row, Suspect& suspect) {
  suspect = {ir::ValueId::None(), facts.program().ops[call.call].span};
  if (facts.HasStarArguments(call.call)) return false;
  for (const api::Keyword& keyword : row.keywords) {
    if (keyword.behaviour != Behaviour::kValue) continue;
    const std::size_t position = api::ParameterPosition(row, keyword.name).value_or(99);
    if (!Argument(facts, call, position, keyword.name).valid()) return true;
  }
  return false;
}

bool StringBins(const Facts& facts, const DeviceCall& call, const api::Entry&, Suspect& suspect) {
  suspect = {facts.Argument(call.call, 1, "bins"), ArgumentSpan(facts, call, 1, "bins")};
  return facts.Of(suspect.value).kind == Kind::kStr;
}

bool IntegerBins(const Facts& facts, const DeviceCall& call, const api::Entry&, Suspect& suspect) {
  suspect = {facts.Argument(call.call, 2, "bins"), ArgumentSpan(facts, call, 2, "bins")};
  if (suspect.value.valid()) return facts.Of(suspect.value).kind == Kind::kInt;
  suspect.span = facts.program().ops[call.call].span;
  return !facts.HasStarArguments(call.call);
}

bool OtherDtype(const Facts& facts, const DeviceCall& call, const api::Entry&, Suspect& suspect) {
  suspect = {facts.Argument(call.call, 2, "vals"), ArgumentSpan(facts, call, 2, "vals")};
  const ir::DType array = facts.Of(call.array).dtype;
  const ir::DType values = facts.Of(suspect.value).dtype;
  return facts.IsArray(suspect.value) && array != ir::DType::kUnknown && values != ir::DType::kUnknown &&
         array != values;
}

bool DeviceScalar(const Facts& facts, const DeviceCall& call, const api::Entry& row, Suspect& suspect) {
  const std::size_t position = api::ParameterPosition(row, "dtype").value_or(99);
  const ir::ValueId dtype = facts.Argument(call.call, position, "dtype");
  if (facts.HasStarArguments(call.call) || (dtype.valid() && !facts.IsNoneConstant(dtype))) return false;
  for (std::uint32_t i = 1; i < facts.program().ops[call.call].operand_count; ++i) {
    suspect = {facts.program().Operand(call.call, i), facts.program().OperandSpan(call.call, i)};
    if (facts.IsDevice(suspect.value)) return true;
  }
  return false;
}

bool NotOneOfSix(const Facts& facts, const DeviceCall& call, const api::Entry&, Suspect& suspect) {
  suspect = {ir::ValueId::None(), facts.program().OperandSpan(call.call, 0)};
  const std::size_t dot = call.base.rfind('.');
  if (dot == std::string_view::npos || !api::IsUfunc("numpy." + std::string(call.base.substr(0, dot)))) return false;
  return !IsOneOf(call.base.substr(0, dot), {"add", "multiply", "maximum", "minimum", "logical_and", "logical_or"});
}

// `a.transpose(0, 2, 1)`
bool AxesOfTheirOwn(const Facts& facts, const DeviceCall& call, const api::Entry&, Suspect& suspect) {
  suspect = {ir::ValueId::None(), facts.program().ops[call.call].span};
  return call.method && !facts.HasStarArguments(call.call) && facts.PositionalCount(call.call) > 1;
}

// A stack of one matrix is right.
bool WrongStack(const Facts& facts, const DeviceCall& call, const api::Entry& row, Suspect& suspect) {
  if (!Stacked(facts, call, row, suspect)) return false;
  const int rank = facts.RankOf(call.array);
  const auto is_one = [&](int axis) { return facts.store().dims().AsConst(facts.ExtentOf(call.array, axis)) == 1; };
  for (int axis = 0; axis < rank - 2; ++axis) {
    if (!is_one(axis)) return true;
  }
  return rank < 0;
}

// Where such functions take what they read without a copy of their own.
struct Reads {
  std::string_view base;
  std::size_t position;  // of the function; beyond all where it is given by name alone
  std::string_view name;
};
constexpr std::size_t kByName = 99;
constexpr Reads kReads[] = {
    {"histogram", 0, "a"},        {"histogram", kByName, "weights"}, {"isin", 0, "element"},
    {"isin", 1, "test_elements"}, {"searchsorted", 1, "v"},          {"digitize", 0, "x"},
};

bool ColumnRead(const Facts& facts, const DeviceCall& call, const api::Entry&, Suspect& suspect) {
  if (facts.HasStarArguments(call.call)) return false;
  return std::ranges::any_of(kReads, [&](const Reads& read) {
    if (read.base != call.base) return false;
    suspect = {Argument(facts, call, read.position, read.name), ArgumentSpan(facts, call, read.position, read.name)};
    return suspect.value.valid() && IsColumn(facts, suspect.value);
  });
}

// Right-hand sides that `broadcast_to` makes of one, of the matrices' type, so that nothing copies them first.
bool SpreadRead(const Facts& facts, const DeviceCall& call, const api::Entry&, Suspect& suspect) {
  if (call.base != "linalg.solve" || facts.HasStarArguments(call.call)) return false;
  suspect = {Argument(facts, call, 1, "b"), ArgumentSpan(facts, call, 1, "b")};
  const ir::DType dtype = facts.Of(call.array).dtype;
  if (dtype == ir::DType::kUnknown || dtype != facts.Of(suspect.value).dtype) return false;
  const DeviceCall made = AsDeviceCall(facts, facts.Source(suspect.value));
  if (!made || made.method || made.base != "broadcast_to" || facts.RankOf(made.array) != 2) return false;
  return facts.RankOf(suspect.value) == 3 && facts.store().dims().AsConst(facts.ExtentOf(suspect.value, 0)) != 1;
}

bool GappyRead(const Facts& facts, const DeviceCall& call, const api::Entry& row, Suspect& suspect) {
  return ColumnRead(facts, call, row, suspect) || SpreadRead(facts, call, row, suspect);
}

struct LimitCheck {
  LimitKind kind;
  bool (*breaks)(const Facts&, const DeviceCall&, const api::Entry&, Suspect&);
};
constexpr LimitCheck kLimitChecks[] = {
    {LimitKind::kSomeAxes, &SomeAxes},
    {LimitKind::kAtLeastAsManyRows, &FewerRowsThanColumns},
    {LimitKind::kNoStack, &Stacked},
    {LimitKind::kScalarParameters, &ArrayParameter},
    {LimitKind::kPythonInts, &DeviceBound},
    {LimitKind::kSizeNoList, &ListAsSize},
    {LimitKind::kThirdIsDtype, &ThirdIsArray},
    {LimitKind::kDefaultRaises, &LacksTheKeyword},
    {LimitKind::kStringBins, &StringBins},
    {LimitKind::kIntegerBins, &IntegerBins},
    {LimitKind::kSameDtypeValues, &OtherDtype},
    {LimitKind::kNoDeviceScalar, &DeviceScalar},
    {LimitKind::kReduceSix, &NotOneOfSix},
    {LimitKind::kAxesInTuple, &AxesOfTheirOwn},
    {LimitKind::kWrongStack, &WrongStack},
    {LimitKind::kDenseOperand, &ColumnRead},
    {LimitKind::kDenseValues, &GappyRead},
};

// --- keyword values that only some operands make wrong ---

// 2, -2 and 'nuc' are singular-value norms of matrices; of vectors along one axis they work.
bool IsMatrixNorm(const Facts& facts, const DeviceCall& call) {
  const ir::ValueId axis = Argument(facts, call, 2, "axis");
  std::optional<std::int64_t> count;
  if (axis.valid() && !facts.IsNoneConstant(axis)) return IsTupleOf(facts, facts.Of(axis), 2, count);
  return facts.RankOf(call.array) == 2;
}

bool HasArrayOperand(const Facts& facts, const DeviceCall& call) {
  if (call.method && facts.IsArray(call.array)) return true;
  for (std::uint32_t i = 1; i < facts.program().ops[call.call].operand_count; ++i) {
    if (facts.IsArray(facts.program().Operand(call.call, i))) return true;
  }
  return false;
}

std::optional<ArgumentGap> JudgeArgument(const Facts& facts, const DeviceCall& call, const api::Keyword& keyword,
                                         ir::ValueId value, Span span) {
  if (api::RuleOf(keyword) != 113 || keyword.behaviour == Behaviour::kHost || keyword.behaviour == Behaviour::kDiffers)
    return {};
  ArgumentGap gap;
  gap.keyword = &keyword;
  gap.value = value;
  gap.span = span;
  gap.evidence = call.evidence;
  if (keyword.behaviour == Behaviour::kAbsent || keyword.behaviour == Behaviour::kRenamed) return gap;
  if (call.base == "linalg.norm" && keyword.name == "ord" && !IsMatrixNorm(facts, call)) return {};
  const std::string literal = LiteralText(facts, value, keyword.name == "dtype");
  if (!literal.empty() && literal == keyword.numpy_default && keyword.behaviour == Behaviour::kIgnored) return {};
  switch (api::Judge(keyword, literal)) {
    case api::Verdict::kFine: return {};
    case api::Verdict::kRestricted: return gap;
    case api::Verdict::kUnknown: break;
  }
  if (keyword.behaviour == Behaviour::kIgnored) return {};
  // A mask is never the literal True that a ufunc's where= takes.
  const bool array = facts.IsArray(value);
  if (array && keyword.name == "where") {
    gap.evidence |= facts.Of(value).evidence;
    return gap;
  }
  if (array || facts.Of(value).kind == Kind::kUnknown) {
    gap.possible = true;
    return gap;
  }
  return {};
}

std::optional<ArgumentGap> DtypeGapOf(const Facts& facts, const DeviceCall& call, const api::Entry& row) {
  if (row.dtypes.empty() || !facts.IsArray(call.array)) return {};
  const ir::DType dtype = facts.Of(call.array).dtype;
  if (dtype == ir::DType::kUnknown || (row.kind == api::Kind::kUfunc && row.inputs != 1)) return {};
  const api::DtypeGap* found = api::FindDtypeGap(row, ir::Name(dtype), api::DtypeEffect::kRaises);
  if (found == nullptr || api::RuleOf(row, *found) != 113) return {};
  ArgumentGap gap;
  gap.dtype_gap = found;
  gap.dtype = dtype;
  gap.value = call.array;
  gap.span = call.array_span;
  gap.evidence = call.evidence;
  return gap;
}

}  // namespace

api::Raises ArgumentGap::raises() const {
  if (keyword != nullptr) return keyword->raises;
  if (limit != nullptr) return limit->raises;
  return dtype_gap != nullptr ? dtype_gap->raises : api::Raises::kNothing;
}

std::string LiteralText(const Facts& facts, ir::ValueId value, bool is_dtype) {
  if (is_dtype) {
    const ir::DType dtype = analysis::DTypeArgument(facts.program().names, facts.Of(value));
    if (dtype != ir::DType::kUnknown) return std::string(ir::Name(dtype));
  }
  if (facts.IsNoneConstant(value)) return "None";
  if (const auto flag = facts.BoolOf(value)) return *flag ? "True" : "False";
  if (const auto number = facts.IntOf(value)) return std::to_string(*number);
  if (const auto text = facts.TextOf(value)) return "'" + std::string(*text) + "'";
  return "";
}

std::optional<ArgumentGap> FindArgumentGap(const Facts& facts, const DeviceCall& call, const api::Entry& row) {
  if (row.status == api::Status::kMissing) return {};
  const ir::Program& program = facts.program();
  const ir::CallShape& shape = program.Shape(program.ops[call.call]);
  if (row.kind == api::Kind::kUfunc && !HasArrayOperand(facts, call)) return {};
  for (std::uint32_t i = 0; i < shape.positional && !facts.HasStarArguments(call.call); ++i) {
    const api::Keyword* keyword = api::FindKeyword(row, api::ParameterName(row, i));
    if (keyword == nullptr || keyword->behaviour == Behaviour::kRenamed) continue;
    if (keyword->behaviour == Behaviour::kAbsent && (row.parameters.empty() || i < row.parameters.size())) continue;
    std::optional<ArgumentGap> gap =
        JudgeArgument(facts, call, *keyword, program.Operand(call.call, i + 1), program.OperandSpan(call.call, i + 1));
    if (!gap) continue;
    gap->by_position = true;
    return gap;
  }
  for (std::uint32_t k = 0; k < shape.keywords.size(); ++k) {
    const api::Keyword* keyword =
        shape.keywords[k].valid() ? api::FindKeyword(row, program.names.Text(shape.keywords[k])) : nullptr;
    if (keyword == nullptr) continue;
    const std::uint32_t operand = 1 + shape.positional + k;
    std::optional<ArgumentGap> gap = JudgeArgument(facts, call, *keyword, program.Operand(call.call, operand),
                                                   program.OperandSpan(call.call, operand));
    if (gap) return gap;
  }
  for (const LimitCheck& check : kLimitChecks) {
    const api::Limit* limit = api::FindLimit(row, check.kind);
    Suspect suspect;
    if (limit == nullptr || api::RuleOf(*limit) != 113 || !check.breaks(facts, call, row, suspect)) continue;
    ArgumentGap gap;
    gap.limit = limit;
    gap.value = suspect.value;
    gap.span = suspect.span.empty() ? program.ops[call.call].span : suspect.span;
    gap.evidence =
        call.evidence | (facts.IsArray(suspect.value) ? facts.Of(suspect.value).evidence : analysis::EvidenceSet{0});
    return gap;
  }
  return DtypeGapOf(facts, call, row);
}

}  // namespace cpnlint::rules::match
