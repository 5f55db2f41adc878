#include "analyzer/analysis/handed_extents.h"

#include <algorithm>

#include "analyzer/analysis/call_path.h"
#include "analyzer/analysis/impl.h"

namespace cpnlint::analysis {
namespace {

constexpr std::size_t kMostOps = 2'000;  // of a function that is looked through
constexpr int kDeepest = 4;              // calls that hand on what they are handed

Symbol NameOfExtent(Interner& names, Symbol param, std::size_t axis) {
  return names.Intern(std::string(names.Text(param)) + ".shape[" + std::to_string(axis) + "]");
}

// The axis in ".shape[1]". An array has few axes, which one digit counts.
std::optional<std::size_t> AxisNamed(std::string_view name) {
  constexpr std::string_view kShape = ".shape[";
  const bool is_axis = name.size() == kShape.size() + 2 && name.starts_with(kShape) && name.ends_with(']');
  const char digit = is_axis ? name[kShape.size()] : 'x';
  return digit >= '0' && digit <= '9' ? std::optional(static_cast<std::size_t>(digit - '0')) : std::nullopt;
}

// The parameter that a size may belong to by its instance.
const ir::Param* ParamAt(const ir::Program& program, std::uint32_t instance) {
  if (instance >= program.ops.size() || program.ops[ir::ValueId(instance)].kind != ir::OpKind::kParam) return nullptr;
  const ir::ValueId value(instance);
  const auto& params = program.functions[program.FunctionOf(value)].params;
  const auto found = std::ranges::find(params, value, &ir::Param::value);
  return found == params.end() ? nullptr : &*found;
}

// The axis of an array that lies over the axis `from_end` of the others.
ir::DimId ExtentBeside(const Shape& shape, std::size_t from_end) {
  return from_end < shape.size() ? shape[shape.size() - 1 - from_end] : ir::DimId::None();
}

bool Counts(ir::DimStore& dims, ir::DimId extent, ir::DimId size) {
  if (extent == size) return true;
  bool counts = false;
  (void)dims.Substitute(extent, [&](Symbol name, std::uint32_t instance) {
    counts = counts || dims.SymbolOf(name, instance) == size;
    return ir::DimId::None();
  });
  return counts;
}

// Of arrays that meet in one op: one of them has the size, and another one may be longer there.
bool MeetsLonger(Facts::Impl& impl, std::span<const ir::ValueId> operands, ir::DimId size,
                 const std::function<bool(ir::DimId)>& is_one) {
  ir::DimStore& dims = impl.store.dims();
  std::vector<ShapeId> shapes;
  bool any_open = false, has_size = false;
  for (const ir::ValueId operand : operands) {
    const Value& value = impl.Of(operand);
    if (value.kind != Kind::kArray && value.kind != Kind::kUnknown) continue;
    any_open = any_open || value.kind == Kind::kUnknown || !value.shape.valid();
    if (value.kind == Kind::kArray && value.shape.valid()) shapes.push_back(value.shape);
  }
  for (const ShapeId id : shapes) {
    const Shape shape = impl.store.Get(id);
    for (std::size_t from_end = 0; from_end < shape.size(); ++from_end) {
      if (!Counts(dims, ExtentBeside(shape, from_end), size)) continue;
      has_size = true;
      const bool longer = std::ranges::any_of(shapes, [&](ShapeId other) {
        const Shape beside = impl.store.Get(other);
        if (from_end >= beside.size()) return false;
        const ir::DimId extent = ExtentBeside(beside, from_end);
        if (!extent.valid()) return true;
        return !dims.AsConst(extent) && !Counts(dims, extent, size) && !is_one(extent);
      });
      if (longer) return true;
    }
  }
  return has_size && any_open;
}

}  // namespace

ShapeId WithOwnExtents(Facts::Impl& impl, const ir::Param& param, ShapeId joined, std::span<const ShapeId> by_call) {
  if (!joined.valid() || by_call.size() < 2) return joined;
  Shape shape = impl.store.Get(joined);
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    if (shape[axis].valid()) continue;
    const bool all_say = std::ranges::all_of(by_call, [&](ShapeId one) {
      return one.valid() && impl.store.Get(one).size() == shape.size() && impl.store.Get(one)[axis].valid();
    });
    if (all_say)
      shape[axis] = impl.store.dims().SymbolOf(NameOfExtent(impl.names, param.name, axis), param.value.index());
  }
  return impl.store.Intern(shape);
}

std::optional<std::size_t> AxisCounted(const Interner& names, const ir::Param& param, Symbol symbol,
                                       std::uint32_t instance) {
  if (!param.value.valid() || param.value.index() != instance) return std::nullopt;
  const std::string_view name = names.Text(symbol), array = names.Text(param.name);
  return name.starts_with(array) ? AxisNamed(name.substr(array.size())) : std::nullopt;
}

bool MayGrow(Facts::Impl& impl, ir::FunctionId function, ir::DimId size, const std::function<bool(ir::DimId)>& is_one) {
  std::size_t seen = 0;
  for (const ir::BlockId block : impl.program.functions[function].blocks) {
    for (const ir::ValueId op : impl.program.blocks[block].ops) {
      if (++seen > kMostOps) return true;
      switch (impl.program.ops[op].kind) {
        case ir::OpKind::kBinary:
        case ir::OpKind::kCompare:
        case ir::OpKind::kCall:
          if (MeetsLonger(impl, impl.program.Operands(op), size, is_one)) return true;
          break;
        default: break;
      }
    }
  }
  return false;
}

namespace {

// `adj = model(4, int(sys.argv[1])) if given else model()`: the extents on the ways that lead to a value.
std::vector<ir::DimId> ExtentsOnWays(const Facts& facts, ir::ValueId array, int axis) {
  const ir::Program& program = facts.program();
  if (const ir::DimId extent = facts.ExtentOf(array, axis); extent.valid()) return {extent};
  const ir::ValueId joined = facts.Source(array);
  if (!joined.valid() || program.ops[joined].kind != ir::OpKind::kPhi) return {ir::DimId::None()};
  const ir::LoopId loop = program.LoopOf(joined);
  if (loop.valid() && program.loops[loop].header == program.ops[joined].block) return {ir::DimId::None()};
  std::vector<ir::DimId> extents;
  for (const ir::ValueId way : program.Operands(joined)) {
    const bool fits = way.valid() && facts.RankOf(way) > axis;
    extents.push_back(fits ? facts.ExtentOf(way, axis) : ir::DimId::None());
  }
  return extents;
}

// NOLINTNEXTLINE(misc-no-recursion): `depth` bounds it
std::optional<std::int64_t> Largest(const Facts& facts, Symbol symbol, std::uint32_t instance, int depth) {
  const ir::Program& program = facts.program();
  const ir::Param* param = ParamAt(program, instance);
  const auto axis = param == nullptr ? std::nullopt : AxisCounted(program.names, *param, symbol, instance);
  if (!axis || depth > kDeepest) return std::nullopt;
  ir::DimStore& dims = facts.store().dims();
  std::optional<std::int64_t> largest;
  for (const Handed& handed : AllHandedOver(facts, param->value)) {
    if (!handed.known || facts.RankOf(handed.value) <= static_cast<int>(*axis)) return std::nullopt;
    std::optional<std::int64_t> here;
    for (const ir::DimId extent : ExtentsOnWays(facts, handed.value, static_cast<int>(*axis))) {
      // What a function hands on to itself is no larger.
      if (extent == dims.SymbolOf(symbol, instance)) {
        here = std::max(here.value_or(0), std::int64_t{0});
        continue;
      }
      bool known = true;
      // NOLINTNEXTLINE(misc-no-recursion)
      const auto number = dims.Evaluate(extent, [&](Symbol name, std::uint32_t of) {
        const auto one = Largest(facts, name, of, depth + 1);
        known = known && one.has_value();
        return static_cast<double>(one.value_or(1));
      });
      // What the command line says on one way is left out where the program says it on another.
      if (number && known) here = std::max(here.value_or(0), static_cast<std::int64_t>(*number));
    }
    if (!here) return std::nullopt;
    largest = std::max(largest.value_or(0), *here);
  }
  return largest && *largest > 0 ? largest : std::nullopt;
}

}  // namespace

std::optional<std::int64_t> LargestHandedOver(const Facts& facts, Symbol symbol, std::uint32_t instance) {
  const ir::Program& program = facts.program();
  if (instance >= program.ops.size()) return std::nullopt;
  if (program.ops[ir::ValueId(instance)].kind != ir::OpKind::kPhi) return Largest(facts, symbol, instance, 0);
  // `adj.shape[0]` of an array that one of two branches made.
  const std::string_view name = program.names.Text(symbol);
  const std::size_t dot = name.rfind(".shape[");
  const auto axis = dot == std::string_view::npos ? std::nullopt : AxisNamed(name.substr(dot));
  std::optional<std::int64_t> largest;
  if (!axis || facts.RankOf(ir::ValueId(instance)) <= static_cast<int>(*axis)) return std::nullopt;
  for (const ir::DimId extent : ExtentsOnWays(facts, ir::ValueId(instance), static_cast<int>(*axis))) {
    const auto known = facts.store().dims().AsConst(extent);
    if (known) largest = std::max(largest.value_or(0), *known);
  }
  return largest;
}

}  // namespace cpnlint::analysis
