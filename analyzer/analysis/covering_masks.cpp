#include "analyzer/analysis/covering_masks.h"

#include <algorithm>

#include "analyzer/analysis/call_keywords.h"
#include "analyzer/analysis/callee_names.h"
#include "analyzer/analysis/same_place.h"
#include "analyzer/api/api.h"

namespace cpnlint::analysis {
namespace {

constexpr int kDeepest = 8;  // of what a mask is made of

// `np.isnan(x)`, `x.astype(bool)`: of the shape of what it is made of.
bool KeepsShape(const Facts::Impl& impl, ir::ValueId call) {
  const Value& callee = impl.Of(impl.program.Operand(call, 0));
  const std::string_view name = callee.name.valid() ? impl.names.Text(callee.name) : std::string_view();
  if (callee.kind == Kind::kMethod) return IsOneOf(name, {"astype", "copy"});
  if (callee.kind != Kind::kApi) return false;
  if (api::IsUfunc(name)) return true;
  return IsOneOf(name.substr(name.rfind('.') + 1),
                 {"array", "asarray", "isclose", "isin", "isreal", "isneginf", "isposinf", "getmaskarray"});
}

// `x.sum(axis=1)`, `x[:, 0]`: how many axes it has less than what it is made of.
int AxesDropped(const Facts::Impl& impl, ir::ValueId array) {
  const ir::Op& op = impl.program.ops[array];
  if (op.kind == ir::OpKind::kSubscript) {
    int slices = 0, positions = 0;
    for (const ir::ValueId key : impl.program.Operands(op).subspan(1)) {
      slices += impl.Of(key).kind == Kind::kSlice || impl.Of(key).kind == Kind::kEllipsis ? 1 : 0;
      positions += impl.Of(key).kind == Kind::kInt ? 1 : 0;
    }
    return slices > 0 && slices + positions + 1 == static_cast<int>(op.operand_count) ? positions : 0;
  }
  if (op.kind != ir::OpKind::kCall || ArgumentNamed(impl.program, array, "keepdims").valid()) return 0;
  const Value& callee = impl.Of(impl.program.Operand(array, 0));
  const std::string_view name = callee.name.valid() ? impl.names.Text(callee.name) : std::string_view();
  const bool reduces = IsOneOf(name.substr(name.rfind('.') + 1),
                               {"all", "amax", "amin", "any", "count_nonzero", "max", "mean", "median", "min", "nanmax",
                                "nanmean", "nanmin", "nansum", "norm", "prod", "std", "sum", "var"});
  const ir::ValueId axis = ArgumentNamed(impl.program, array, "axis");
  return reduces && axis.valid() && impl.Of(axis).kind == Kind::kInt ? 1 : 0;
}

// What such an array is made of.
ir::ValueId Undropped(const Facts::Impl& impl, ir::ValueId array) {
  if (impl.program.ops[array].kind == ir::OpKind::kSubscript) return impl.program.Operand(array, 0);
  const Value& callee = impl.Of(impl.program.Operand(array, 0));
  return callee.kind == Kind::kMethod ? callee.receiver : impl.program.Operand(array, 1);
}

class MaskParts {
 public:
  MaskParts(const Facts::Impl& impl, ir::ValueId base) : impl_(impl), program_(impl.program), base_(base) {}

  // NOLINTNEXTLINE(misc-no-recursion): `depth` bounds it
  void Look(ir::ValueId mask, int dropped, int depth) {
    if (!mask.valid() || depth == kDeepest) return;
    if (IsSamePlace(program_, mask, base_)) {
      fewest_dropped_ = std::min(fewest_dropped_.value_or(dropped), dropped);
      return;
    }
    if (const int axes = AxesDropped(impl_, mask); axes > 0) {
      some_dropped_ = true;
      return Look(Undropped(impl_, mask), dropped + axes, depth + 1);
    }
    const ir::Op& op = program_.ops[mask];
    const auto look_at = [&](std::span<const ir::ValueId> parts) {
      // NOLINTNEXTLINE(misc-no-recursion)
      for (const ir::ValueId part : parts) Look(part, dropped, depth + 1);
    };
    switch (op.kind) {
      case ir::OpKind::kBinary:
        if (static_cast<ir::BinaryOp>(op.detail) != ir::BinaryOp::kMatMul) look_at(program_.Operands(op));
        return;
      case ir::OpKind::kUnary:
      case ir::OpKind::kInplaceBinary:
      case ir::OpKind::kCompare:
      case ir::OpKind::kPhi: return look_at(program_.Operands(op));
      case ir::OpKind::kCall: {
        if (!KeepsShape(impl_, mask)) return;
        const Value& callee = impl_.Of(program_.Operand(mask, 0));
        if (callee.kind == Kind::kMethod) return look_at({&callee.receiver, 1});
        return look_at(program_.Operands(op).subspan(1));
      }
      default: return;
    }
  }

  [[nodiscard]] std::optional<int> FewestDropped() const { return fewest_dropped_; }
  [[nodiscard]] bool HasDropped() const { return some_dropped_; }

 private:
  const Facts::Impl& impl_;
  const ir::Program& program_;
  ir::ValueId base_;
  std::optional<int> fewest_dropped_;  // on the way from the array that it selects from
  bool some_dropped_ = false;          // on any way
};

// NOLINTNEXTLINE(misc-no-recursion): `depth` bounds it
bool IsPart(const Facts::Impl& impl, ir::ValueId array, int depth = 0) {
  if (!array.valid() || depth == kDeepest) return false;
  if (AxesDropped(impl, array) > 0) return true;
  const ir::Op& op = impl.program.ops[array];
  const bool elementwise = op.kind == ir::OpKind::kBinary || op.kind == ir::OpKind::kUnary;
  if (!elementwise) return false;
  // NOLINTNEXTLINE(misc-no-recursion)
  return std::ranges::any_of(impl.program.Operands(op), [&](ir::ValueId one) { return IsPart(impl, one, depth + 1); });
}

}  // namespace

void SettleMaskedRank(Facts::Impl& impl, ir::ValueId base, std::span<const ir::ValueId> keys, SubscriptResult& result) {
  const bool unknown = result.selects == SubscriptResult::Selects::kMasked && !result.value.shape.valid();
  if (!unknown || keys.size() != 1 || Rank(impl.store, impl.Of(base)) >= 0 || result.keys[0].mask_rank >= 0) return;
  MaskParts parts(impl, base);
  parts.Look(keys[0], 0, 0);
  const bool rows = parts.HasDropped() && !parts.FewestDropped();
  if (rows && !IsPart(impl, base)) return;
  const int axes = 1 + parts.FewestDropped().value_or(0);
  result.value.shape = impl.store.Intern(Shape(static_cast<std::size_t>(axes), ir::DimId::None()));
}

}  // namespace cpnlint::analysis
