#include "analyzer/analysis/checked_extents.h"

#include <algorithm>

#include "analyzer/analysis/axis_numbers.h"
#include "analyzer/analysis/axis_use.h"
#include "analyzer/analysis/tested_numbers.h"

namespace cpnlint::analysis {
namespace {

using Most = std::optional<std::int64_t>;

class Checks {
 public:
  Checks(const Facts& facts, Facts::Impl& impl, int axis, Trust trust)
      : facts_(facts), impl_(impl), program_(facts.program()), axis_(axis), trust_(trust) {}

  [[nodiscard]] Most Of(ir::ValueId use) const {
    const ir::Op& op = program_.ops[use];
    if (op.kind == ir::OpKind::kCall) return axis_ == 0 && IsLength(use) ? OfSize(use) : std::nullopt;
    if (op.kind != ir::OpKind::kAttr) return std::nullopt;
    if (program_.Name(op) == "size") return axis_ == 0 ? Compared(use, trust_) : std::nullopt;
    if (program_.Name(op) != "shape") return std::nullopt;
    if (const Most most = Compared(use, trust_)) return most;
    for (const ir::ValueId extent : facts_.UsesOf(use)) {
      if (!IsOfAxis(extent)) continue;
      if (CountsAxes(extent)) return kMostAxes;
      if (const Most most = ComparedAlways(extent)) return most;
    }
    return std::nullopt;
  }

 private:
  [[nodiscard]] bool IsLength(ir::ValueId call) const {
    const Callee& callee = facts_.CalleeOf(call);
    return callee.kind == Callee::Kind::kBuiltin && callee.name == "len";
  }

  [[nodiscard]] Most OfSize(ir::ValueId size) const {
    return CountsAxes(size) ? Most(kMostAxes) : Compared(size, trust_);
  }

  [[nodiscard]] bool CountsAxes(ir::ValueId number) const {
    return trust_ == Trust::kUsage && IsNumberOfAxes(facts_, facts_.Source(number));
  }

  // `x.shape[0]`; the last axis of what has two is also called 1.
  [[nodiscard]] bool IsOfAxis(ir::ValueId extent) const {
    const ir::Op& op = program_.ops[extent];
    if (op.kind == ir::OpKind::kUnpackItem) {
      const auto item = ir::ItemPosition::Unpack(op.payload);
      return item.star == ir::ItemPosition::kNoStar && item.index == (axis_ == 0 ? 0U : item.count - 1);
    }
    if (op.kind != ir::OpKind::kSubscript || op.operand_count != 2) return false;
    const Most index = facts_.IntOf(program_.Operand(extent, 1));
    if (!index) return false;
    if (axis_ == 0 || *index == -1) return *index == axis_;
    const int rank = facts_.RankOf(program_.Operand(program_.Operand(extent, 0), 0));
    return *index == 1 && (rank == 2 || (rank < 0 && trust_ == Trust::kUsage));
  }

  [[nodiscard]] Most Number(ir::DimId dim, Trust trust) const {
    if (const Most known = impl_.store.dims().AsConst(dim)) return known;
    const Most least = dim.valid() ? impl_.store.dims().LowerBound(impl_.store.dims().Negate(dim), 0) : std::nullopt;
    if (least && *least < 0 && *least >= -kSmall) return -*least;  // a number of dimensions
    return trust == Trust::kUsage ? UsualSize(facts_, impl_, dim) : std::nullopt;
  }

  // `if single and x.shape[0] != 1: raise` says nothing.
  [[nodiscard]] Most ComparedAlways(ir::ValueId size) const {
    const auto tests = facts_.UsesOf(size);
    const bool always = std::ranges::all_of(tests, [&](ir::ValueId test) {
      return program_.ops[test].kind != ir::OpKind::kCompare || IsAlwaysTested(facts_, test);
    });
    return always ? Compared(size, Trust::kProof) : std::nullopt;
  }

  // The length, the extent or the shape is compared with something, and the function ends where that does not fit.
  [[nodiscard]] Most Compared(ir::ValueId size, Trust trust) const {
    for (const ir::ValueId compare : facts_.UsesOf(size)) {
      const ir::Op& test = program_.ops[compare];
      if (test.kind != ir::OpKind::kCompare) continue;
      const ir::ValueId left = program_.Operand(compare, 0);
      const ir::ValueId other = left == size ? program_.Operand(compare, 1) : left;
      const Value& wanted = facts_.Of(other);
      const auto asked = static_cast<ir::CompareOp>(test.detail);
      if (asked != ir::CompareOp::kNe && asked != ir::CompareOp::kEq) {
        const Most number = left == size && wanted.kind == Kind::kInt ? Number(wanted.dim, trust) : std::nullopt;
        const Most most = number ? MostAfter(facts_, compare, *number) : std::nullopt;
        if (most) return most;
        continue;
      }
      if (!EndsWhere(facts_, compare, asked == ir::CompareOp::kNe)) continue;
      Most most;
      if (wanted.kind == Kind::kInt) most = Number(wanted.dim, trust);
      if (!most && trust == Trust::kUsage && wanted.kind == Kind::kInt && CountsAxes(other)) most = kMostAxes;
      if (wanted.kind == Kind::kTuple && wanted.elements.valid()) {
        const std::vector<Value>& extents = impl_.store.Get(wanted.elements);
        if (extents.empty()) continue;
        const Value& extent = axis_ == 0 ? extents.front() : extents.back();
        if (extent.kind == Kind::kInt) most = Number(extent.dim, trust);
      }
      if (most) return most;
    }
    return std::nullopt;
  }

  static constexpr std::int64_t kSmall = 16;  // axis.max of rules.md A.5

  const Facts& facts_;
  Facts::Impl& impl_;
  const ir::Program& program_;
  int axis_;
  Trust trust_;
};

}  // namespace

std::optional<std::int64_t> CheckedExtent(const Facts& facts, Facts::Impl& impl, const std::vector<ir::ValueId>& uses,
                                          int axis, Trust trust) {
  const Checks checks(facts, impl, axis, trust);
  for (const ir::ValueId use : uses) {
    if (const Most most = checks.Of(use)) return most;
  }
  return std::nullopt;
}

}  // namespace cpnlint::analysis
