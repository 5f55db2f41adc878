#include "analyzer/analysis/handed_extents.h"

#include <algorithm>

#include "analyzer/analysis/call_path.h"
#include "analyzer/analysis/impl.h"

namespace cpnlint::analysis {
namespace {

constexpr std::size_t kMostOps = 2'000;  // of a function that is looked through
constexpr int kMostAsked = 256;          // sizes of one question: many calls of many functions lead to one
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

ShapeId WithOwnExtents(Facts::Impl& impl, const Ways& ways, ShapeId joined) {
  if (!joined.valid() || ways.shapes.size() < 2) return joined;
  Shape shape = impl.store.Get(joined);
  const auto fits = [&](ShapeId one) { return one.valid() && impl.store.Get(one).size() == shape.size(); };
  if (!std::ranges::all_of(ways.shapes, fits)) return joined;
  const Shape before = shape;
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    const auto says = [&](ShapeId one) { return impl.store.Get(one)[axis].valid(); };
    if (shape[axis].valid() || !std::ranges::all_of(ways.shapes, says)) continue;
    std::size_t same = 0;
    const auto is_same = [&](ShapeId one) { return impl.store.Get(one)[same] == impl.store.Get(one)[axis]; };
    while (same < axis && (before[same].valid() || !std::ranges::all_of(ways.shapes, is_same))) ++same;
    const Symbol name = NameOfExtent(impl.names, ways.name, same);
    shape[axis] = impl.store.dims().SymbolOf(name, ways.array.index());
  }
  return impl.store.Intern(shape);
}

ShapeId OneOfShapes(Facts::Impl& impl, ir::ValueId phi, Symbol name, ShapeId joined) {
  std::vector<ShapeId> shapes;
  for (const ir::ValueId way : impl.program.Operands(phi)) {
    if (!way.valid() || way == phi) continue;
    const Value& value = impl.Of(way);
    if (value.kind == Kind::kBottom || value.kind == Kind::kNone) continue;
    shapes.push_back(value.kind == Kind::kArray ? value.shape : ShapeId::None());
  }
  const auto has_one = [&](ShapeId one) {
    return one.valid() && std::ranges::any_of(impl.store.Get(one),
                                              [&](ir::DimId extent) { return impl.store.dims().AsConst(extent) == 1; });
  };
  return std::ranges::any_of(shapes, has_one) ? joined : WithOwnExtents(impl, {phi, name, shapes}, joined);
}

std::optional<std::size_t> AxisCounted(const Interner& names, const ir::Param& param, Symbol symbol,
                                       std::uint32_t instance) {
  if (!param.value.valid() || param.value.index() != instance) return std::nullopt;
  const std::string_view name = names.Text(symbol), array = names.Text(param.name);
  return name.starts_with(array) ? AxisNamed(name.substr(array.size())) : std::nullopt;
}

// `m[r, c]` is as long as the longer of its indices, and what a function of the program is handed may meet anything
// there.
static bool IsIndexedOrHandedOn(const Facts::Impl& impl, ir::ValueId op) {
  const ir::Program& program = impl.program;
  const std::span<const ir::ValueId> operands = program.Operands(op);
  if (program.ops[op].kind == ir::OpKind::kCall) {
    const Kind callee = impl.Of(operands.front()).kind;
    return callee != Kind::kApi && callee != Kind::kBuiltin && callee != Kind::kForeign;
  }
  if (program.ops[op].kind != ir::OpKind::kSubscript) return program.ops[op].kind == ir::OpKind::kMakeFunction;
  return std::ranges::any_of(operands.subspan(1), [&](ir::ValueId key) {
    const Kind kind = key.valid() ? impl.Of(key).kind : Kind::kNone;
    return kind == Kind::kArray || kind == Kind::kList || kind == Kind::kUnknown;
  });
}

bool MayGrow(Facts::Impl& impl, ir::FunctionId function, ir::DimId size, const std::function<bool(ir::DimId)>& is_one) {
  std::size_t seen = 0;
  for (const ir::BlockId block : impl.program.functions[function].blocks) {
    for (const ir::ValueId op : impl.program.blocks[block].ops) {
      if (++seen > kMostOps || IsIndexedOrHandedOn(impl, op)) return true;
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

// What leads to the array whose size it is: what calls hand over for a parameter, or the ways to a branch's end.
std::vector<ir::ValueId> WaysTo(const Facts& facts, ir::ValueId array) {
  const ir::Program& program = facts.program();
  std::vector<ir::ValueId> ways;
  if (program.ops[array].kind == ir::OpKind::kParam) {
    for (const Handed& handed : AllHandedOver(facts, array))
      ways.push_back(handed.known ? handed.value : ir::ValueId::None());
  } else if (program.ops[array].kind == ir::OpKind::kPhi) {
    const auto operands = program.Operands(array);
    ways.assign(operands.begin(), operands.end());
  } else if (program.ops[array].kind == ir::OpKind::kCall && facts.CalleeOf(array).kind == Callee::Kind::kLocal) {
    // A size of this call is one of those that the function decides between.
    for (const ir::ValueId leave : program.functions[facts.CalleeOf(array).function].returns) {
      if (program.ops[leave].operand_count != 0) ways.push_back(program.Operand(leave, 0));
    }
  }
  return ways;
}

// `every`: each way has to say how many.
// NOLINTNEXTLINE(misc-no-recursion): `depth` bounds it
std::optional<std::int64_t> Largest(const Facts& facts, Symbol symbol, std::uint32_t instance, bool every, int depth,
                                    int& left) {
  const ir::Program& program = facts.program();
  const std::string_view name = program.names.Text(symbol);
  const std::size_t dot = name.rfind(".shape[");
  const auto axis = dot == std::string_view::npos ? std::nullopt : AxisNamed(name.substr(dot));
  if (!axis || instance >= program.ops.size() || depth > kDeepest || --left < 0) return std::nullopt;
  ir::DimStore& dims = facts.store().dims();
  const ir::ValueId array(instance);
  // What the command line says on one way of a branch is left out where the program says it on another.
  const bool all_say = every || program.ops[array].kind != ir::OpKind::kPhi;
  const bool called = every || program.ops[array].kind == ir::OpKind::kCall;
  std::optional<std::int64_t> largest;
  for (const ir::ValueId way : WaysTo(facts, array)) {
    const bool has_axis = way.valid() && facts.RankOf(way) > static_cast<int>(*axis);
    const ir::DimId extent = has_axis ? facts.ExtentOf(way, static_cast<int>(*axis)) : ir::DimId::None();
    // What a function hands on to itself is no larger.
    if (extent == dims.SymbolOf(symbol, instance)) continue;
    bool known = true;
    // NOLINTNEXTLINE(misc-no-recursion)
    const auto number = dims.Evaluate(extent, [&](Symbol other, std::uint32_t of) {
      const auto one = Largest(facts, other, of, called, depth + 1, left);
      known = known && one.has_value();
      return static_cast<double>(one.value_or(1));
    });
    if (number && known) largest = std::max(largest.value_or(0), static_cast<std::int64_t>(*number));
    if (all_say && !(number && known)) return std::nullopt;
  }
  return largest && *largest > 0 ? largest : std::nullopt;
}

}  // namespace

std::optional<std::int64_t> LargestHandedOver(const Facts& facts, Symbol symbol, std::uint32_t instance) {
  int left = kMostAsked;
  return Largest(facts, symbol, instance, false, 0, left);
}

}  // namespace cpnlint::analysis
