// Sizes that are asked for as an extent of an array: `len(x)`, `x.shape[1]`, `rows, columns = x.shape`.

#include <algorithm>
#include <charconv>
#include <cmath>

#include "analyzer/analysis/data_lengths.h"
#include "cost-model/model.h"

namespace cpnlint::cost {
namespace {

struct Axis {
  ir::ValueId array;
  int axis = 0;
};

// The k of "x.shape[k]"; -1 of other names.
int AxisNamed(std::string_view name) {
  constexpr std::string_view kShape = "shape[";
  const std::size_t at = name.rfind(kShape);
  if (at == std::string_view::npos || !name.ends_with(']')) return -1;
  int axis = -1;
  const char* end = name.data() + name.size() - 1;
  const auto [stop, error] = std::from_chars(name.data() + at + kShape.size(), end, axis);
  return error == std::errc() && stop == end ? axis : -1;
}

// The array, and which of its axes the symbol counts; no array for other symbols.
Axis AxisOf(const analysis::Facts& facts, Symbol symbol, std::uint32_t instance) {
  const ir::Program& program = facts.program();
  if (instance >= program.ops.size()) return {};
  const ir::ValueId made(instance);
  const std::string_view name = program.names.Text(symbol);
  const ir::Op& op = program.ops[made];
  if (op.kind == ir::OpKind::kCall && name.starts_with("len(")) return {facts.Source(program.Operand(made, 1)), 0};
  if (op.kind == ir::OpKind::kUnpackItem) {
    const ir::ValueId shape = program.Operand(made, 0);
    const auto item = ir::ItemPosition::Unpack(op.payload);
    const bool of_shape = program.ops[shape].kind == ir::OpKind::kAttr && program.Name(program.ops[shape]) == "shape";
    if (!of_shape || item.star != ir::ItemPosition::kNoStar) return {};
    return {facts.Source(program.Operand(shape, 0)), static_cast<int>(item.index)};
  }
  const int axis = AxisNamed(name);
  return axis < 0 ? Axis() : Axis{facts.Source(made), axis};
}

}  // namespace

// The extents of each array, as far as they are asked for, are axes of one array, whether a task works on it or not.
void Sizes::FindAxes(std::set<analysis::Shape>& together) const {
  ir::DimStore& dims = facts_.store().dims();
  std::unordered_map<ir::ValueId, analysis::Shape> extents;
  for (const auto& [symbol, instance] : seen_) {
    const auto [array, axis] = AxisOf(facts_, symbol, instance);
    if (!array.valid() || !facts_.IsArray(array)) continue;
    const int rank = facts_.RankOf(array);
    const auto [known, is_new] = extents.try_emplace(array);
    if (is_new && rank >= 0) known->second = facts_.store().Get(facts_.Of(array).shape);
    const ir::DimId extent = dims.SymbolOf(symbol, instance);
    const auto at = static_cast<std::size_t>(axis);
    if (rank < 0) {
      if (std::ranges::find(known->second, extent) == known->second.end()) known->second.push_back(extent);
    } else if (axis < rank && !known->second[at].valid()) {
      known->second[at] = extent;
    }
  }
  for (const auto& [array, shape] : extents) {
    // What is left open is the rest of a vector's default, which no name stands for.
    if (shape.size() > 1 && std::ranges::all_of(shape, [](ir::DimId dim) { return dim.valid(); }))
      together.insert(shape);
  }
}

// `x = x[x.sum(axis=1) > 50]; n = len(x)`: rows that a mask selects are no more than there are, half as many where
// nobody says.
void Sizes::FindSelections() {
  analysis::DataLengths lengths(facts_);
  const ir::DimStore& dims = facts_.store().dims();
  for (const auto& [symbol, instance] : seen_) {
    const auto [array, axis] = AxisOf(facts_, symbol, instance);
    const bool selected = array.valid() && facts_.IsArray(array) && facts_.Of(array).unbounded;
    if (!selected || axis >= facts_.RankOf(array) || facts_.ExtentOf(array, axis).valid()) continue;
    const auto number = [&](Symbol name, std::uint32_t of) { return DefaultOf(name, of); };
    std::optional<double> most = dims.Evaluate(lengths.Of(array), number);
    for (int other = 0; most && other < facts_.RankOf(array); ++other) {
      const std::optional<double> extent = dims.Evaluate(facts_.ExtentOf(array, other), number);
      if (other != axis) most = extent && *extent > 0 ? std::optional(*most / *extent) : std::nullopt;
    }
    if (most) selected_[{symbol, instance}] = std::max(1.0, std::round(*most));
  }
}

}  // namespace cpnlint::cost
