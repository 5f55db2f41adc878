// Sizes that are asked for as an extent of an array: `len(x)`, `x.shape[1]`, `rows, columns = x.shape`.

#include "cost-model/axis_sizes.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>

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
  // `x.shape[0]` is counted from what `x` is a part of, where that is known, else from the shape that is asked for.
  const bool is_shape = op.kind == ir::OpKind::kAttr && program.Name(op) == "shape";
  if (is_shape && axis >= 0) return {facts.Source(program.Operand(made, 0)), axis};
  return axis < 0 ? Axis() : Axis{facts.Source(made), axis};
}

// Of the axis of the array, or of what it is a part of.
ir::DimId ExtentOfWhole(const analysis::Facts& facts, ir::ValueId array, int axis) {
  if (const ir::DimId extent = facts.ExtentOf(array, axis); extent.valid()) return extent;
  const ir::ValueId root = facts.Of(array).root;
  if (!root.valid() || facts.RankOf(root) != facts.RankOf(array)) return {};
  return facts.ExtentOf(root, axis);
}

}  // namespace

bool CountsPart(const analysis::Facts& facts, Symbol symbol, std::uint32_t instance) {
  const auto [array, axis] = AxisOf(facts, symbol, instance);
  return array.valid() && facts.IsArray(array) && !facts.Of(array).unbounded &&
         ExtentOfWhole(facts, array, axis).valid();
}

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
// nobody says. `fit(x[:k])`: a part of what there is, no more than all of it.
void Sizes::FindSelections() {
  analysis::DataLengths lengths(facts_);
  ir::DimStore& dims = facts_.store().dims();
  struct Open {
    ir::ValueId array;
    int axis;
    ir::DimId elements;
    bool is_extent;  // `elements` are those of the axis, not of the array
  };
  std::map<Number, Open> open;
  for (const auto& [symbol, instance] : seen_) {
    const auto [array, axis] = AxisOf(facts_, symbol, instance);
    if (!array.valid() || !facts_.IsArray(array) || axis >= facts_.RankOf(array)) continue;
    if (facts_.Of(array).unbounded && !facts_.ExtentOf(array, axis).valid()) {
      const ir::DimId elements = lengths.Of(array);
      if (elements.valid()) open.try_emplace({symbol, instance}, array, axis, elements, false);
      continue;
    }
    // Our guess for all of it would say no more than that for the part.
    const ir::DimId whole = ExtentOfWhole(facts_, array, axis);
    const bool itself = whole == dims.SymbolOf(symbol, instance);
    if (whole.valid() && !itself && IsOwnDefault(whole)) open.try_emplace({symbol, instance}, array, axis, whole, true);
  }
  // What is selected from a selection rests on the number of that, in whatever order they come; what a loop selects
  // from itself on the default.
  constexpr std::size_t kDeepest = 4;
  std::vector<Number> asked;
  const std::function<std::optional<double>(const Open&)> most_of = [&](const Open& one) {
    const auto number = [&](Symbol name, std::uint32_t of) {
      const auto found = open.find({name, of});
      const bool is_asked = std::ranges::find(asked, Number(name, of)) != asked.end();
      if (found == open.end() || is_asked || asked.size() >= kDeepest) return DefaultOf(name, of);
      asked.emplace_back(name, of);
      const std::optional<double> inner = most_of(found->second);
      asked.pop_back();
      return inner ? std::max(1.0, std::round(*inner)) : DefaultOf(name, of);
    };
    std::optional<double> most = dims.Evaluate(one.elements, number);
    for (int other = 0; most && !one.is_extent && other < facts_.RankOf(one.array); ++other) {
      if (other == one.axis) continue;
      const std::optional<double> extent = dims.Evaluate(facts_.ExtentOf(one.array, other), number);
      most = extent && *extent > 0 ? std::optional(*most / *extent) : std::nullopt;
    }
    return most;
  };
  std::map<Number, double> found;
  for (const auto& [name, one] : open) {
    asked = {name};
    if (const std::optional<double> most = most_of(one)) found[name] = std::max(1.0, std::round(*most));
  }
  selected_ = std::move(found);
}

}  // namespace cpnlint::cost
