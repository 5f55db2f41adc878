// Numbers for symbolic extents.

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>

#include "analyzer/analysis/count_names.h"
#include "analyzer/analysis/handed_extents.h"
#include "analyzer/analysis/shares.h"
#include "cost-model/amounts.h"
#include "cost-model/axis_sizes.h"
#include "cost-model/model.h"

namespace cpnlint::cost {
namespace {

constexpr double kWidest = kUnknownElements;

using analysis::Work;
using analysis::WorkOperand;
using analysis::WorkTask;

void AddSymbols(const ir::DimStore& dims, ir::DimId dim, std::vector<Symbol>& symbols) {
  for (const Symbol symbol : dims.Symbols(dim)) symbols.push_back(symbol);
}

void SortUnique(std::vector<Symbol>& symbols) {
  std::ranges::sort(symbols);
  symbols.erase(std::unique(symbols.begin(), symbols.end()), symbols.end());
}

// The window that is taken off an extent is much shorter than that.
double WindowOf(double extent) { return std::max(1.0, std::round(std::sqrt(extent))); }

// The one of the two names in `n - w + 1` that makes it smaller: were both as large, nothing would be left of it.
std::optional<Symbol> FindWindow(const ir::DimStore& dims, ir::DimId dim, const std::vector<Symbol>& windows) {
  const std::vector<Symbol> symbols = dims.Symbols(dim);
  if (symbols.size() < 2) return std::nullopt;
  // Where one of them is twice as large, or all are.
  const auto value_at = [&](std::optional<Symbol> doubled, bool all) {
    const auto number = [&](Symbol symbol, std::uint32_t) {
      const bool window = std::ranges::find(windows, symbol) != windows.end();
      return (window ? WindowOf(kWidest) : kWidest) * (all || symbol == doubled ? 2 : 1);
    };
    return dims.Evaluate(dim, number).value_or(kWidest);
  };
  const double value = value_at(std::nullopt, false), much = kWidest / 2;
  if (value >= much || value_at(std::nullopt, true) - value >= much) return std::nullopt;
  const auto grows = [&](Symbol symbol) { return value_at(symbol, false) - value >= much; };
  const auto shrinks = [&](Symbol symbol) { return value - value_at(symbol, false) >= much; };
  if (!std::ranges::any_of(symbols, grows)) return std::nullopt;
  const auto window = std::ranges::find_if(symbols, shrinks);
  return window == symbols.end() ? std::nullopt : std::optional(*window);
}

// `n` of `for n in range(100, 600)`: what is taken for it is the middle, which the program names nowhere. One of `for n
// in (256, 512)` is the larger number.
bool CountsPasses(const analysis::Facts& facts, std::uint32_t instance) {
  const ir::Program& program = facts.program();
  if (instance >= program.ops.size()) return false;
  ir::ValueId item(instance);
  if (program.ops[item].kind == ir::OpKind::kUnpackItem) item = program.Operand(item, 0);
  if (program.ops[item].kind != ir::OpKind::kLoopItem) return false;
  return !facts.Of(program.loops[ir::LoopId(program.ops[item].payload)].iterable).elements.valid();
}

// As people write it: 4e7 for "4e+07".
std::string NumberText(double value) {
  std::string number = fmt::format("{:.4g}", value);
  if (const std::size_t plus = number.find("e+0"); plus != std::string::npos) number.erase(plus + 1, 2);
  return number;
}

}  // namespace

Sizes::Sizes(const analysis::Facts& facts, const Work& work) : facts_(facts) {
  const analysis::ValueStore& store = facts.store();
  const ir::DimStore& dims = store.dims();
  std::vector<analysis::ShapeId> shapes;
  for (const WorkTask& task : work.tasks) {
    for (const WorkOperand& operand : task.operands) {
      if (operand.root_shape.valid()) shapes.push_back(operand.root_shape);
    }
    for (const ir::DimId dim : {task.elements, task.m, task.n, task.k, task.batch}) AddSymbols(dims, dim, defaulted_);
  }
  std::ranges::sort(shapes);
  shapes.erase(std::unique(shapes.begin(), shapes.end()), shapes.end());
  for (const analysis::ShapeId shape : shapes) {
    for (const ir::DimId dim : store.Get(shape)) AddSymbols(dims, dim, extents_);
  }
  SortUnique(extents_);
  defaulted_.insert(defaulted_.end(), extents_.begin(), extents_.end());
  SortUnique(defaulted_);
  const auto see = [&](ir::DimId dim) {
    EachSymbol(dim, [&](Symbol symbol, std::uint32_t instance) { seen_.emplace(symbol, instance); });
  };
  for (const WorkTask& task : work.tasks) {
    for (const ir::DimId dim : {task.elements, task.m, task.n, task.k, task.batch}) see(dim);
  }
  for (const analysis::WorkLoop& loop : work.loops) see(loop.trips);
  for (const analysis::ShapeId shape : shapes) std::ranges::for_each(store.Get(shape), see);
  FindWindows(work, shapes);
  FindCaps(work, shapes);
  FindSelections();
}

// The largest number that keeps the array within the widest; that of a vector where no number would.
double Sizes::Widest(const analysis::Shape& shape) const {
  const ir::DimStore& dims = facts_.store().dims();
  const bool constant = std::ranges::all_of(shape, [&](ir::DimId dim) { return dims.AsConst(dim).has_value(); });
  if (constant || VolumeAt(shape, kWidest) <= kWidest || VolumeAt(shape, 1) > kWidest) return kWidest;
  double low = 1, high = kWidest;
  for (int step = 0; step < 100 && high > low * (1 + 1e-9); ++step) {
    const double middle = std::sqrt(low * high);
    (VolumeAt(shape, middle) <= kWidest ? low : high) = middle;
  }
  return std::max(1.0, std::round(low));
}

template <class Visit>
void Sizes::EachSymbol(ir::DimId dim, const Visit& visit) const {
  const auto look = [&](Symbol symbol, std::uint32_t instance) {
    visit(symbol, instance);
    return 1.0;
  };
  (void)facts_.store().dims().Evaluate(dim, look);
}

// One without a name is another number in each array.
Sizes::Key Sizes::KeyOf(Symbol symbol, std::uint32_t instance) const {
  return Key{symbol.index()} << 32 | (HasName(symbol) ? 0 : instance);
}

// What has a name is one number wherever it stands: `n` of a vector and of a matrix is no longer than the matrix lets
// it be; arrays of other sizes leave it alone.
void Sizes::FindCaps(const Work& work, const std::vector<analysis::ShapeId>& shapes) {
  std::set<analysis::Shape> together = FindNests(work);
  for (const analysis::ShapeId shape : shapes) together.insert(facts_.store().Get(shape));
  for (const WorkTask& task : work.tasks) {
    // What a product multiplies is kept nowhere: `a @ a.T` of 1000 rows is no wider than these.
    const bool is_kept = task.kind != analysis::WorkKind::kProduct;
    if (is_kept && task.elements.valid()) together.insert({task.elements});
  }
  FindAxes(together);
  for (const analysis::Shape& shape : together) {
    const double widest = Widest(shape);
    if (widest >= kWidest) continue;
    for (const ir::DimId dim : shape) {
      EachSymbol(dim, [&](Symbol symbol, std::uint32_t instance) {
        const auto [known, is_new] = caps_.emplace(KeyOf(symbol, instance), widest);
        known->second = std::min(known->second, widest);
      });
    }
  }
}

// Passes of a loop over an extent, and an extent that they work on or the passes of a loop in it: axes of one array, as
// if all that they make were kept. Were both as long as a vector may be, the loop would never end. A window is part of
// what its loop walks.
std::set<analysis::Shape> Sizes::FindNests(const Work& work) const {
  struct Open {
    const std::vector<analysis::WorkStep>* steps;
    std::vector<ir::DimId> passes;
  };
  std::set<analysis::Shape> nests;
  std::vector<Open> open;
  for (const analysis::WorkRoot& root : work.roots) open.push_back({&root.steps, {}});
  while (!open.empty()) {
    const Open at = std::move(open.back());
    open.pop_back();
    const auto inside = [&](ir::DimId dim) {
      // However long that is known to be, there are as many passes as a matrix has rows.
      const bool is_long = IsKnown(dim) && Of(dim) > WindowOf(kWidest);
      for (const ir::DimId passes : at.passes) nests.insert({passes, is_long ? passes : dim});
    };
    for (const analysis::WorkStep& step : *at.steps) {
      if (step.kind == analysis::WorkStep::Kind::kLoop) {
        const analysis::WorkLoop& loop = work.loops[step.index];
        open.push_back({&loop.body, at.passes});
        if (IsKnown(loop.trips) || IsAssumed(loop)) continue;
        inside(loop.trips);
        open.back().passes.push_back(loop.trips);
      } else if (step.kind == analysis::WorkStep::Kind::kTask && !at.passes.empty()) {
        for (const WorkOperand& operand : work.tasks[step.index].operands) {
          if (!operand.shape.valid() || (IsKnown(operand.elements) && Of(operand.elements) <= 1)) continue;
          for (const ir::DimId dim : facts_.store().Get(operand.shape)) {
            if (dim.valid() && !HasWindow(dim)) inside(dim);
          }
        }
      }
    }
  }
  return nests;
}

// `w` of `u[i : i + w]` in a loop that counts `i` up by one.
void Sizes::FindSlidingWindows() {
  const ir::Program& program = facts_.program();
  ir::DimStore& dims = facts_.store().dims();
  const auto slides = [&](ir::ValueId start, ir::LoopId loop) {
    return facts_.IsBareInduction(start, loop) && analysis::CountsByOne(facts_, loop);
  };
  for (std::size_t i = 0; i < program.ops.size(); ++i) {
    const ir::ValueId slice(i);
    if (program.ops[slice].kind != ir::OpKind::kSlice || !program.LoopOf(slice).valid()) continue;
    const ir::ValueId start = program.Operand(slice, 0), stop = program.Operand(slice, 1);
    if (!start.valid() || !stop.valid()) continue;
    const std::vector<Symbol> width = dims.Symbols(dims.Sub(facts_.Of(stop).dim, facts_.Of(start).dim));
    if (width.size() != 1) continue;
    for (ir::LoopId loop = program.LoopOf(slice); loop.valid(); loop = program.loops[loop].parent) {
      if (slides(start, loop)) windows_.push_back(width.front());
    }
  }
  SortUnique(windows_);
}

void Sizes::FindWindows(const Work& work, const std::vector<analysis::ShapeId>& shapes) {
  FindSlidingWindows();
  const ir::DimStore& dims = facts_.store().dims();
  const auto look = [&](ir::DimId dim) {
    if (!dim.valid()) return;
    if (const std::optional<Symbol> window = FindWindow(dims, dim, windows_)) windows_.push_back(*window);
  };
  for (const analysis::ShapeId shape : shapes) {
    for (const ir::DimId dim : facts_.store().Get(shape)) look(dim);
  }
  for (const WorkTask& task : work.tasks) look(task.elements);
  for (const analysis::WorkLoop& loop : work.loops) look(loop.trips);
}

bool Sizes::IsWindow(Symbol symbol) const { return std::ranges::find(windows_, symbol) != windows_.end(); }

bool Sizes::HasWindow(ir::DimId dim) const {
  const std::vector<Symbol> symbols = facts_.store().dims().Symbols(dim);
  return std::ranges::any_of(symbols, [&](Symbol symbol) { return IsWindow(symbol); });
}

double Sizes::NumberFor(Symbol symbol, std::uint32_t instance, double extent) const {
  if (const std::optional<double> count = facts_.UsualCount(symbol, instance)) return *count;
  return IsWindow(symbol) ? WindowOf(extent) : extent;
}

double Sizes::DefaultOf(Symbol symbol, std::uint32_t instance) const {
  const auto selected = selected_.find({symbol, instance});
  if (selected != selected_.end()) return selected->second;
  const auto cap = caps_.find(KeyOf(symbol, instance));
  return NumberFor(symbol, instance, cap == caps_.end() ? kWidest : cap->second);
}

// Elements where extents without a number are `extent`; what is unknown is that, too.
double Sizes::VolumeAt(const analysis::Shape& shape, double extent) const {
  double volume = 1;
  for (const ir::DimId dim : shape) {
    const auto number = [&](Symbol symbol, std::uint32_t instance) { return NumberFor(symbol, instance, extent); };
    volume *= std::max(1.0, facts_.store().dims().Evaluate(dim, number).value_or(extent));
  }
  return volume;
}

double Sizes::Of(ir::DimId dim) const {
  if (!dim.valid()) return kWidest;
  if (dim.index() >= memo_.size()) memo_.resize(dim.index() + 64, std::numeric_limits<double>::quiet_NaN());
  double& value = memo_[dim.index()];
  if (std::isnan(value)) {
    const auto number_for = [&](Symbol symbol, std::uint32_t instance) { return DefaultOf(symbol, instance); };
    value = std::max(0.0, facts_.store().dims().Evaluate(dim, number_for).value_or(kWidest));
  }
  return value;
}

bool Sizes::IsKnown(ir::DimId dim) const { return dim.valid() && facts_.store().dims().AsConst(dim).has_value(); }

bool Sizes::IsAssumed(const analysis::WorkLoop& loop) const {
  if (!loop.trips.valid()) return true;
  bool known = true;
  EachSymbol(loop.trips, [&](Symbol symbol, std::uint32_t instance) {
    // One without a name is another each time.
    const bool is_extent = HasName(symbol) && std::ranges::binary_search(extents_, symbol);
    // What a mask selects is a guess, and says nothing of how long somebody waits.
    const bool is_part = selected_.contains({symbol, instance}) && CountsPart(facts_, symbol, instance);
    known = known && (is_extent || is_part);
  });
  return !known;
}

bool Sizes::IsOwnDefault(Symbol symbol, std::uint32_t instance) const {
  if (selected_.contains({symbol, instance})) return false;
  const std::optional<double> count = facts_.UsualCount(symbol);
  if (!count) return analysis::LargestHandedOver(facts_, symbol, instance).has_value();
  const std::string_view name = facts_.program().names.Text(symbol);
  if (CountsPasses(facts_, instance)) return false;
  // A list of objects, the axes of an array, a count by what it is called.
  if (name.ends_with(".ndim") || name.starts_with("len(")) return false;
  const std::optional<std::int64_t> named = analysis::UsualSizeByName(name);
  return !named || static_cast<double>(*named) != *count;
}

bool Sizes::IsOwnDefault(ir::DimId dim) const {
  if (!dim.valid()) return false;
  bool own = true;
  EachSymbol(dim, [&](Symbol symbol, std::uint32_t instance) { own = own && IsOwnDefault(symbol, instance); });
  return own;
}

bool Sizes::HasName(Symbol symbol) const {
  const std::string_view name = facts_.program().names.Text(symbol);
  return !name.empty() && name.find('?') == std::string_view::npos;
}

double Sizes::TripsOf(const analysis::WorkLoop& loop) const {
  if (IsKnown(loop.trips)) return Of(loop.trips);
  return IsAssumed(loop) ? std::max(1.0, loop.assumed_trips) : std::max(1.0, Of(loop.trips));
}

std::vector<double> Sizes::Extents(analysis::ShapeId id) const {
  std::vector<double> extents;
  if (!id.valid()) return extents;
  for (const ir::DimId dim : facts_.store().Get(id)) extents.push_back(std::max(1.0, ExtentOf(dim, id)));
  return extents;
}

double Sizes::ElementsOf(analysis::ShapeId id) const {
  double elements = 1;
  for (const ir::DimId dim : facts_.store().Get(id)) elements *= ExtentOf(dim, id);
  return elements;
}

double Sizes::ExtentOf(ir::DimId dim, analysis::ShapeId id) const {
  if (dim.valid()) return Of(dim);
  const auto [known, is_new] = unknown_.try_emplace(id);
  if (is_new) known->second = Widest(facts_.store().Get(id));
  return known->second;
}

bool Sizes::IsKnown(analysis::ShapeId shape) const {
  return shape.valid() && std::ranges::all_of(facts_.store().Get(shape), [&](ir::DimId dim) { return IsKnown(dim); });
}

std::vector<std::string> Sizes::NamesIn(std::span<const ir::DimId> dims) const {
  std::vector<Symbol> symbols;
  for (const ir::DimId dim : dims) AddSymbols(facts_.store().dims(), dim, symbols);
  std::vector<std::string> names;
  for (const Symbol symbol : symbols) {
    const std::string_view name = facts_.program().names.Text(symbol);
    const bool plain = std::ranges::all_of(name, [](char c) { return c == '_' || c == '.' || std::isalnum(c) != 0; });
    if (plain && !name.empty()) names.emplace_back(name);
  }
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

std::vector<std::string> Sizes::AssumptionsIn(std::span<const ir::DimId> dims) const {
  std::vector<Symbol> symbols;
  for (const ir::DimId dim : dims) AddSymbols(facts_.store().dims(), dim, symbols);
  SortUnique(symbols);
  std::erase_if(symbols, [&](Symbol symbol) { return !std::ranges::binary_search(defaulted_, symbol); });
  std::set<Number> among;
  for (const ir::DimId dim : dims)
    EachSymbol(dim, [&](Symbol symbol, std::uint32_t instance) { among.emplace(symbol, instance); });
  std::vector<std::string> lines = Lines(symbols, among);
  if (const std::string unnamed = UnnamedIn(dims); !unnamed.empty())
    lines.push_back("sizes without a name = " + unnamed + " (default)");
  const bool unknown = std::ranges::any_of(dims, [](ir::DimId dim) { return !dim.valid(); });
  if (unknown) lines.push_back("arrays of unknown size = " + NumberText(kWidest) + " elements (default)");
  return lines;
}

// "6325", "6325 or 4e7"
static std::string TextOf(const std::set<double>& numbers) {
  std::string text;
  for (const double number : numbers) text += (text.empty() ? "" : " or ") + NumberText(number);
  return text;
}

std::string Sizes::UnnamedIn(std::span<const ir::DimId> dims) const {
  std::set<double> numbers;
  const auto look = [&](Symbol symbol, std::uint32_t instance) {
    const double number = DefaultOf(symbol, instance);
    if (!HasName(symbol) && std::ranges::binary_search(defaulted_, symbol)) numbers.insert(number);
    return number;
  };
  // `min(n, 10)` of an n that nobody knows is ten.
  const auto value_at = [&](ir::DimId dim, double share) {
    return facts_.store().dims().Evaluate(dim, [&](Symbol symbol, std::uint32_t instance) {
      return DefaultOf(symbol, instance) * (HasName(symbol) ? 1 : share);
    });
  };
  for (const ir::DimId dim : dims) {
    if (value_at(dim, 1) != value_at(dim, 0.5)) (void)facts_.store().dims().Evaluate(dim, look);
  }
  return TextOf(numbers);
}

std::vector<std::string> Sizes::Lines(std::span<const Symbol> symbols, const std::set<Number>& among) const {
  std::vector<std::string> lines;
  for (const Symbol symbol : symbols) {
    if (!HasName(symbol)) continue;
    std::set<double> numbers;
    bool own = true;
    const auto add = [&](std::uint32_t instance) {
      numbers.insert(DefaultOf(symbol, instance));
      own = own && IsOwnDefault(symbol, instance);
    };
    for (auto one = among.lower_bound({symbol, 0}); one != among.end() && one->first == symbol; ++one) add(one->second);
    if (numbers.empty()) add(0);
    lines.push_back(std::string(facts_.program().names.Text(symbol)) + " = " + TextOf(numbers) +
                    (own ? " (the program's default)" : " (default)"));
  }
  std::ranges::sort(lines);
  lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
  return lines;
}

}  // namespace cpnlint::cost
