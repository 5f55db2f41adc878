#include "analyzer/analysis/way_arrays.h"

#include <algorithm>
#include <array>

#include "analyzer/analysis/way_tests.h"
#include "analyzer/api/api.h"

namespace cpnlint::analysis {
namespace {

constexpr std::size_t kMostValues = 32;

// Functions and methods that make one number of a number, besides ufuncs.
bool KeepsNumber(std::string_view canonical) {
  static constexpr auto kNames = std::to_array<std::string_view>(
      {"all",        "allclose", "amax",    "amin",       "any",        "argmax",     "argmin",  "array",
       "asanyarray", "asarray",  "astype",  "atleast_1d", "atleast_2d", "atleast_3d", "average", "clip",
       "copy",       "cumprod",  "cumsum",  "diff",       "flatten",    "imag",       "isclose", "isfinite",
       "item",       "max",      "mean",    "median",     "min",        "nan_to_num", "nanmax",  "nanmean",
       "nanmin",     "nansum",   "nonzero", "prod",       "ravel",      "real",       "round",   "size",
       "sort",       "squeeze",  "std",     "sum",        "tolist",     "unique",     "var",     "where"});
  if (api::IsUfunc(canonical)) return true;
  const std::string_view prefix = canonical.starts_with("numpy.ndarray.") ? "numpy.ndarray." : "numpy.";
  if (!canonical.starts_with(prefix)) return false;
  return std::find(kNames.begin(), kNames.end(), canonical.substr(prefix.size())) != kNames.end();
}

// Makes an array of one item of a number.
bool Converts(std::string_view canonical) {
  static constexpr auto kNames = std::to_array<std::string_view>(
      {"numpy.array", "numpy.asanyarray", "numpy.asarray", "numpy.atleast_1d", "numpy.atleast_2d", "numpy.atleast_3d"});
  return std::ranges::find(kNames, canonical) != kNames.end();
}

class Origin {
 public:
  explicit Origin(const Facts& facts) : facts_(facts), program_(facts.program()) {}

  std::optional<ArrayParam> Of(ir::ValueId op) {
    function_ = program_.FunctionOf(op);
    if (!AddOperands(op)) return std::nullopt;
    for (std::size_t i = 0; i < work_.size(); ++i) {
      if (i == kMostValues || !See(work_[i])) return std::nullopt;
    }
    return param_ ? std::optional(ArrayParam{*param_, converted_}) : std::nullopt;
  }

 private:
  // What a number cannot turn into an array needs no look: texts, numbers, constants.
  bool Add(ir::ValueId id) {
    if (!id.valid()) return true;
    id = facts_.Source(id);
    if (!id.valid()) return false;
    const Value& value = facts_.Of(id);
    const bool shape = program_.ops[id].kind == ir::OpKind::kAttr && program_.Name(program_.ops[id]) == "shape";
    if (value.kind != Kind::kArray && value.kind != Kind::kUnknown) return shape || !MayHoldArrays(value);
    if (std::find(work_.begin(), work_.end(), id) == work_.end()) work_.push_back(id);
    return true;
  }

  static bool MayHoldArrays(const Value& value) {
    switch (value.kind) {
      case Kind::kInstance:
      case Kind::kForeign:
      case Kind::kTuple:
      case Kind::kList:
      case Kind::kDict:
      case Kind::kIterator:
      case Kind::kGenerator: return true;
      default: return false;
    }
  }

  bool AddAll(std::span<const ir::ValueId> operands) {
    return std::ranges::all_of(operands, [&](ir::ValueId operand) { return Add(operand); });
  }

  bool AddOperands(ir::ValueId id) {
    const ir::Op& op = program_.ops[id];
    const std::span<const ir::ValueId> operands = program_.Operands(id);
    switch (op.kind) {
      case ir::OpKind::kTruth:
      case ir::OpKind::kUnary:
      case ir::OpKind::kBinary:
      case ir::OpKind::kInplaceBinary:
      case ir::OpKind::kCompare:
      case ir::OpKind::kPhi:
      case ir::OpKind::kSlice:
      case ir::OpKind::kFormatString: return AddAll(operands);
      case ir::OpKind::kAttr:  // a number has no such attributes, and no items
      case ir::OpKind::kIter:
      case ir::OpKind::kStarred:
      case ir::OpKind::kSubscript:
      case ir::OpKind::kUnpackItem: return Add(operands[0]);
      case ir::OpKind::kCall: return AddArguments(id, operands);
      default: return false;
    }
  }

  bool AddArguments(ir::ValueId call, std::span<const ir::ValueId> operands) {
    const Callee& callee = facts_.CalleeOf(call);
    switch (callee.kind) {
      case Callee::Kind::kApi:
      case Callee::Kind::kMethod:
      case Callee::Kind::kBuiltin:
      case Callee::Kind::kForeign: break;
      default: return false;
    }
    converted_ = converted_ || Converts(callee.name);
    if (callee.kind == Callee::Kind::kMethod && !Add(callee.receiver)) return false;
    return AddAll(operands.subspan(1));
  }

  bool See(ir::ValueId id) {
    const ir::Op& op = program_.ops[id];
    if (op.kind == ir::OpKind::kParam) return SeeParam(id);
    if (op.kind == ir::OpKind::kCall) {
      const Callee& callee = facts_.CalleeOf(id);
      const bool builtin = callee.kind == Callee::Kind::kBuiltin && (callee.name == "abs" || callee.name == "round");
      if (!builtin && !KeepsNumber(callee.name)) return false;
    }
    return AddOperands(id);
  }

  bool SeeParam(ir::ValueId id) {
    const std::optional<std::uint32_t> param = ParamOf(facts_, function_, id);
    if (!param) return false;
    if (program_.functions[function_].params[*param].kind == ir::ParamKind::kVarKeyword) return false;
    if (param_ && *param_ != *param) return false;
    param_ = param;
    return true;
  }

  const Facts& facts_;
  const ir::Program& program_;
  ir::FunctionId function_;
  std::vector<ir::ValueId> work_;
  std::optional<std::uint32_t> param_;
  bool converted_ = false;
};

}  // namespace

bool MayWorkOnParam(const ir::Program& program, ir::ValueId op) {
  return program.ops[op].operand_count > 0 && !program.functions[program.FunctionOf(op)].params.empty();
}

std::optional<ArrayParam> ArrayParamOf(const Facts& facts, ir::ValueId op) { return Origin(facts).Of(op); }

namespace {

constexpr std::uint32_t kConverted = 1U << 31;  // in the parameter of a need

}  // namespace

Way::Need NeedOfArray(ArrayParam param) {
  return {param.index | (param.converted ? kConverted : 0U), ir::GuardId::None()};
}

bool IsNeedOfArray(const Way::Need& need) { return !need.guard.valid(); }

ArrayParam ParamOfNeed(const Way::Need& need) { return {need.param & ~kConverted, (need.param & kConverted) != 0}; }

}  // namespace cpnlint::analysis
