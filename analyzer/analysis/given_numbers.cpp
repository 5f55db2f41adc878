#include "analyzer/analysis/given_numbers.h"

#include <algorithm>
#include <utility>

#include "analyzer/analysis/handed_extents.h"

namespace cpnlint::analysis {
namespace {

class Numbers {
 public:
  Numbers(const GivenCall& given, Facts::Impl& impl) : given_(given), impl_(impl), dims_(impl.store.dims()) {}

  ir::DimId Of(ir::DimId returned) {
    if (!returned.valid() || dims_.AsConst(returned)) return returned;
    const auto& params = impl_.program.functions[given_.function].params;
    return dims_.Substitute(returned, [&](Symbol name, std::uint32_t instance) {
      const auto param = std::ranges::find_if(
          params, [&](const ir::Param& one) { return one.value.valid() && one.value.index() == instance; });
      // What a branch of the function decides is decided anew on each call.
      if (param == params.end())
        return IsOwnSize(name, instance) ? dims_.SymbolOf(name, given_.call.index()) : ir::DimId();
      const ir::ValueId handed = given_.arguments[static_cast<std::size_t>(param - params.begin())];
      if (param->name != name) return Extent(*param, name, instance, handed);
      const ir::DimId number = handed.valid() ? given_.value_of(handed).dim : ir::DimId::None();
      return number.valid() ? number : dims_.SymbolOf(name, given_.call.index());
    });
  }

  // Of an array. What is one entry long here may have met a longer array, which made it as long.
  ir::DimId OfExtent(ir::DimId returned) {
    ones_.clear();
    const ir::DimId extent = Of(returned);
    const auto is_one = [&](ir::DimId other) { return dims_.AsConst(Of(other)) == 1; };
    const std::vector<ir::DimId> ones = std::move(ones_);
    const bool may_grow =
        std::ranges::any_of(ones, [&](ir::DimId size) { return MayGrow(impl_, given_.function, size, is_one); });
    return may_grow ? ir::DimId::None() : extent;
  }

 private:
  ir::DimId Extent(const ir::Param& param, Symbol name, std::uint32_t instance, ir::ValueId handed) {
    const auto axis = AxisCounted(impl_.names, param, name, instance);
    if (!axis || !handed.valid()) return {};
    const Value& array = given_.value_of(handed);
    if (array.kind != Kind::kArray || !array.shape.valid()) return {};
    const Shape& shape = impl_.store.Get(array.shape);
    const ir::DimId extent = *axis < shape.size() ? shape[*axis] : ir::DimId::None();
    if (dims_.AsConst(extent) == 1) ones_.push_back(dims_.SymbolOf(name, instance));
    return extent;
  }

  [[nodiscard]] bool IsOwnSize(Symbol name, std::uint32_t instance) const {
    const ir::Program& program = impl_.program;
    if (instance >= program.ops.size() || program.FunctionOf(ir::ValueId(instance)) != given_.function) return false;
    const ir::OpKind kind = program.ops[ir::ValueId(instance)].kind;
    const bool joins = kind == ir::OpKind::kPhi || kind == ir::OpKind::kCall;
    return joins && impl_.names.Text(name).find(".shape[") != std::string_view::npos;
  }

  const GivenCall& given_;
  Facts::Impl& impl_;
  ir::DimStore& dims_;
  std::vector<ir::DimId> ones_;  // sizes that are one on this call
};

}  // namespace

// NOLINTNEXTLINE(misc-no-recursion): tuples nest a few levels
Value InNumbersOf(const GivenCall& given, Facts::Impl& impl, Value returned) {
  Numbers numbers(given, impl);
  switch (returned.kind) {
    case Kind::kInt: {
      returned.dim = numbers.Of(returned.dim);
      const std::optional<std::int64_t> constant = impl.store.dims().AsConst(returned.dim);
      if (!constant || returned.constant) return returned;
      Value known = Int(impl.store, *constant);
      known.evidence = returned.evidence;
      return known;
    }
    case Kind::kUnknown:
    case Kind::kList: returned.dim = numbers.Of(returned.dim); return returned;
    case Kind::kArray: {
      if (!returned.shape.valid()) return returned;
      Shape shape = impl.store.Get(returned.shape);
      for (ir::DimId& extent : shape) {
        extent = numbers.OfExtent(extent);
        const std::optional<std::int64_t> known = impl.store.dims().AsConst(extent);
        if (known && *known < 0) extent = ir::DimId::None();  // the call takes another way
      }
      returned.shape = impl.store.Intern(shape);
      return returned;
    }
    case Kind::kTuple: {
      if (!returned.elements.valid()) return returned;
      std::vector<Value> elements = impl.store.Get(returned.elements);
      for (Value& element : elements) element = InNumbersOf(given, impl, element);
      returned.elements = impl.store.Intern(elements);
      return returned;
    }
    default: return returned;
  }
}

}  // namespace cpnlint::analysis
