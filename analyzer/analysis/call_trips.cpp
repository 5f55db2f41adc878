#include "analyzer/analysis/call_trips.h"

#include <algorithm>

#include "analyzer/analysis/call_path.h"
#include "analyzer/analysis/handed_extents.h"

namespace cpnlint::analysis {
namespace {

// A parameter's own name says more than `int(sys.argv[1])`, which has none.
bool HasNames(const Facts& facts, ir::DimId size) {
  return std::ranges::none_of(facts.store().dims().Symbols(size), [&](Symbol symbol) {
    const std::string_view name = facts.program().names.Text(symbol);
    return name.empty() || name.find('?') != std::string_view::npos;
  });
}

}  // namespace

ir::DimId HandedOverIn(const Facts& facts, ir::DimId size, ir::ValueId call, ir::FunctionId function) {
  const auto& params = facts.program().functions[function].params;
  const auto handed_over = [&](Symbol name, std::uint32_t instance) {
    const auto is_it = [&](const ir::Param& param) { return param.value.valid() && param.value.index() == instance; };
    const auto param = std::ranges::find_if(params, is_it);
    if (param == params.end()) return ir::DimId::None();
    const Handed handed = HandedOver(facts, call, function, static_cast<std::size_t>(param - params.begin()));
    if (!handed.known || !handed.value.valid()) return ir::DimId::None();
    const Value& value = facts.Of(handed.value);
    if (const auto axis = AxisCounted(facts.program().names, *param, name, instance)) {
      if (static_cast<int>(*axis) >= facts.RankOf(handed.value)) return ir::DimId::None();
      const ir::DimId extent = facts.ExtentOf(handed.value, static_cast<int>(*axis));
      return extent.valid() && HasNames(facts, extent) ? extent : ir::DimId::None();
    }
    const bool count = IsNumber(value.kind) || value.kind == Kind::kUnknown;
    return count && value.dim.valid() && HasNames(facts, value.dim) ? value.dim : ir::DimId::None();
  };
  return size.valid() ? facts.store().dims().Substitute(size, handed_over) : size;
}

}  // namespace cpnlint::analysis
