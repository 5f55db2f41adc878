#include "analyzer/analysis/given_numbers.h"

#include <algorithm>

namespace cpnlint::analysis {
namespace {

ir::DimId NumberIn(const GivenCall& given, Facts::Impl& impl, ir::DimId returned) {
  const auto& params = impl.program.functions[given.function].params;
  ir::DimStore& dims = impl.store.dims();
  if (!returned.valid() || dims.AsConst(returned)) return returned;
  return dims.Substitute(returned, [&](Symbol name, std::uint32_t instance) {
    const auto is_it = [&](const ir::Param& param) { return param.value.valid() && param.value.index() == instance; };
    const auto param = std::ranges::find_if(params, is_it);
    if (param == params.end() || param->name != name) return ir::DimId::None();
    const ir::ValueId handed = given.arguments[static_cast<std::size_t>(param - params.begin())];
    const ir::DimId number = handed.valid() ? given.number_of(handed) : ir::DimId::None();
    return number.valid() ? number : dims.SymbolOf(name, given.call.index());
  });
}

}  // namespace

Value InNumbersOf(const GivenCall& given, Facts::Impl& impl, Value returned) {
  switch (returned.kind) {
    case Kind::kInt: {
      returned.dim = NumberIn(given, impl, returned.dim);
      const std::optional<std::int64_t> constant = impl.store.dims().AsConst(returned.dim);
      if (!constant || returned.constant) return returned;
      Value known = Int(impl.store, *constant);
      known.evidence = returned.evidence;
      return known;
    }
    case Kind::kUnknown:
    case Kind::kList: returned.dim = NumberIn(given, impl, returned.dim); return returned;
    case Kind::kArray: {
      if (!returned.shape.valid()) return returned;
      Shape shape = impl.store.Get(returned.shape);
      for (ir::DimId& extent : shape) {
        extent = NumberIn(given, impl, extent);
        const std::optional<std::int64_t> known = impl.store.dims().AsConst(extent);
        if (known && *known < 0) extent = ir::DimId::None();  // the call takes another way
      }
      returned.shape = impl.store.Intern(shape);
      return returned;
    }
    default: return returned;
  }
}

}  // namespace cpnlint::analysis
