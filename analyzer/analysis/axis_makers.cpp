#include "analyzer/analysis/axis_makers.h"

#include <algorithm>

#include "analyzer/analysis/callee_names.h"

namespace cpnlint::analysis {
namespace {

bool IsSequence(const Value& value) { return value.kind == Kind::kList || value.kind == Kind::kTuple; }

// One axis or none: what is joined or spread out has as many entries as all of them.
bool IsFlat(const Facts& facts, ir::ValueId id) {
  if (!id.valid()) return false;
  const Value& value = facts.Of(id);
  if (IsNumber(value.kind) || value.kind == Kind::kNumpyScalar) return true;
  if (value.kind == Kind::kArray) return facts.RankOf(id) == 0 || facts.RankOf(id) == 1;
  if (!IsSequence(value)) return false;
  // Of numbers, or of nothing at all.
  const auto is_flat = [](const Value& item) { return IsNumber(item.kind) || item.kind == Kind::kNumpyScalar; };
  if (value.elements.valid()) return std::ranges::all_of(facts.store().Get(value.elements), is_flat);
  return value.item.valid() && std::ranges::all_of(facts.store().Get(value.item), is_flat);
}

// The parts of `np.concatenate([a, b])`, where they are written out.
std::vector<ir::ValueId> Displayed(const Facts& facts, ir::ValueId id) {
  const ir::Program& program = facts.program();
  const ir::ValueId display = id.valid() ? facts.Source(id) : id;
  if (!display.valid()) return {};
  const ir::OpKind kind = program.ops[display].kind;
  if (kind != ir::OpKind::kList && kind != ir::OpKind::kTuple) return {};
  const auto parts = program.Operands(display);
  const auto is_starred = [&](ir::ValueId part) { return program.ops[part].kind == ir::OpKind::kStarred; };
  if (std::ranges::any_of(parts, is_starred)) return {};
  return {parts.begin(), parts.end()};
}

std::optional<AxisParts> Flat(const Facts& facts, std::vector<ir::ValueId> parts, std::int64_t more = 0) {
  const bool flat = !parts.empty() && std::ranges::all_of(parts, [&](ir::ValueId part) { return IsFlat(facts, part); });
  return flat ? std::optional(AxisParts{std::move(parts), more, {}}) : std::nullopt;
}

// `len(x)`, `x.shape[0]`; None() of other numbers.
ir::ValueId CountedBy(const Facts& facts, ir::ValueId number) {
  const ir::Program& program = facts.program();
  const ir::ValueId count = number.valid() ? facts.Source(number) : number;
  if (!count.valid()) return {};
  if (program.ops[count].kind == ir::OpKind::kCall)
    return IsBuiltin(facts.CalleeOf(count), {"len"}) ? program.Operand(count, 1) : ir::ValueId::None();
  if (program.ops[count].kind != ir::OpKind::kSubscript || facts.IntOf(program.Operand(count, 1)) != 0) return {};
  const ir::ValueId shape = facts.Source(program.Operand(count, 0));
  const bool extent =
      shape.valid() && program.ops[shape].kind == ir::OpKind::kAttr && program.Name(program.ops[shape]) == "shape";
  return extent ? program.Operand(shape, 0) : ir::ValueId::None();
}

// `np.empty((len(x) - 1, 2))`: as long as another array, but for a few.
std::optional<AxisParts> AsLongAs(const Facts& facts, ir::ValueId shape) {
  const ir::Program& program = facts.program();
  ir::ValueId extent = shape.valid() ? facts.Source(shape) : shape;
  if (extent.valid() && program.ops[extent].kind == ir::OpKind::kTuple && program.ops[extent].operand_count > 0)
    extent = facts.Source(program.Operand(extent, 0));
  if (!extent.valid()) return std::nullopt;
  std::int64_t more = 0;
  if (program.ops[extent].kind == ir::OpKind::kBinary) {
    const auto operation = static_cast<ir::BinaryOp>(program.ops[extent].detail);
    const std::optional<std::int64_t> by = facts.IntOf(program.Operand(extent, 1));
    if (!by || (operation != ir::BinaryOp::kAdd && operation != ir::BinaryOp::kSub)) return std::nullopt;
    more = operation == ir::BinaryOp::kAdd ? *by : -*by;
    extent = program.Operand(extent, 0);
  }
  const ir::ValueId counted = CountedBy(facts, extent);
  const bool array = counted.valid() && facts.IsArray(counted);
  return array ? std::optional(AxisParts{{counted}, more, {}}) : std::nullopt;
}

}  // namespace

bool MakesNew(std::string_view name) { return IsOneOf(name, {"zeros", "ones", "empty", "full"}); }

bool KeepsFirstAxis(std::string_view name) {
  return IsOneOf(name, {"copy",       "astype",       "round",      "around",        "clip",
                        "conj",       "real",         "imag",       "sort",          "argsort",
                        "nan_to_num", "zeros_like",   "ones_like",  "empty_like",    "full_like",
                        "array",      "asarray",      "asanyarray", "flip",          "roll",
                        "cumsum",     "linalg.inv",   "fabs",       "real_if_close", "ascontiguousarray",
                        "partition",  "argpartition", "digitize",   "interp",        "isin",
                        "unwrap",     "cumprod"});
}

bool LeavesAxisOut(std::string_view name) {
  return IsOneOf(name, {"sum", "mean", "min", "max", "amin", "amax", "prod", "std", "var", "median", "nansum",
                        "nanmean", "nanmin", "nanmax", "any", "all", "argmin", "argmax", "linalg.norm"});
}

bool HasHugeStep(const Facts& facts, ir::ValueId call) {
  constexpr std::int64_t kHuge = 1 << 24;
  ir::ValueId step = facts.Argument(call, 2, "step");
  step = step.valid() ? facts.Source(step) : step;
  if (!step.valid()) return false;
  const ir::Op& op = facts.program().ops[step];
  const bool less = op.kind == ir::OpKind::kBinary && static_cast<ir::BinaryOp>(op.detail) == ir::BinaryOp::kSub;
  const std::optional<std::int64_t> known = facts.IntOf(less ? facts.program().Operand(step, 0) : step);
  return known && *known >= kHuge;
}

std::optional<AxisParts> PartsOfAxis(const Facts& facts, ir::ValueId call) {
  const Callee& callee = facts.CalleeOf(call);
  const std::string_view name = BareName(callee);
  const bool method = callee.kind == Callee::Kind::kMethod;
  const ir::ValueId first = method ? callee.receiver : facts.Argument(call, 0, "");
  const auto argument = [&](std::size_t position, std::string_view keyword) {
    return facts.Argument(call, method ? position - 1 : position, keyword);
  };
  const auto has_axis = [&](std::size_t position) { return argument(position, "axis").valid(); };
  const auto is_number = [&](ir::ValueId id) { return id.valid() && IsNumber(facts.Of(id).kind); };
  const auto of = [](ir::ValueId part) {
    return part.valid() ? std::optional(AxisParts{{part}, 0, {}}) : std::nullopt;
  };
  if (name == "concatenate") {
    const ir::ValueId axis = argument(1, "axis");
    std::vector<ir::ValueId> parts = Displayed(facts, first);
    if (parts.empty() || (axis.valid() && facts.IntOf(axis) != 0)) return std::nullopt;
    return AxisParts{std::move(parts), 0, {}};
  }
  if (MakesNew(name)) return AsLongAs(facts, facts.Argument(call, 0, "shape"));
  if (name == "hstack") return Flat(facts, Displayed(facts, first));
  if (name == "append" && !has_axis(2)) return Flat(facts, {first, argument(1, "values")});
  if (name == "insert" && !has_axis(3) && is_number(argument(1, "obj")))
    return Flat(facts, {first, argument(2, "values")});
  if (name == "union1d") return Flat(facts, {first, argument(1, "ar2")});
  if (IsOneOf(name, {"delete", "flatten", "intersect1d", "ravel", "setdiff1d", "squeeze", "trim_zeros", "unique"}))
    return Flat(facts, {first});
  if (name == "diff") return Flat(facts, {first}, -1);
  if (IsOneOf(name, {"nanpercentile", "nanquantile", "percentile", "quantile"}))
    return is_number(argument(1, "q")) ? std::nullopt : of(argument(1, "q"));
  if (name == "searchsorted") return of(argument(1, "v"));
  if (name == "polyval") return of(argument(1, "x"));
  if (name == "atleast_1d") {
    const bool known = first.valid() && (facts.IsArray(first) || IsSequence(facts.Of(first)) || is_number(first));
    return known ? of(first) : std::nullopt;
  }
  if (IsOneOf(name, {"diag", "diagonal"}) && facts.Argument(call, method ? 0 : 1, "k").valid()) return std::nullopt;
  if (IsOneOf(name, {"diag", "diagonal"})) return of(first);
  const ir::ValueId times = argument(1, "repeats");
  if (name == "repeat" && !has_axis(2) && times.valid() && IsFlat(facts, first)) return AxisParts{{first}, 0, times};
  return std::nullopt;
}

std::int64_t RowsStacked(const Facts& facts, ir::ValueId call) {
  const Callee& callee = facts.CalleeOf(call);
  if (callee.kind != Callee::Kind::kApi || !IsOneOf(BareName(callee), {"row_stack", "vstack"})) return 0;
  const std::vector<ir::ValueId> parts = Displayed(facts, facts.Argument(call, 0, "tup"));
  const bool rows = std::ranges::all_of(parts, [&](ir::ValueId part) {
    // `track = np.vstack([track, row])` grows.
    const ir::ValueId source = facts.Source(part);
    return source.valid() && facts.program().ops[source].kind != ir::OpKind::kPhi && facts.RankOf(part) < 2;
  });
  return rows ? static_cast<std::int64_t>(parts.size()) : 0;
}

std::int64_t ColumnsDisplayed(const Facts& facts, ir::ValueId rows) {
  const Value& display = facts.Of(rows);
  if (!display.elements.valid()) return 0;
  std::optional<std::int64_t> columns;
  bool numbers = false;
  for (const Value& row : facts.store().Get(display.elements)) {
    if (!IsSequence(row) || !row.elements.valid()) return 0;
    const std::vector<Value>& items = facts.store().Get(row.elements);
    const auto length = static_cast<std::int64_t>(items.size());
    if (columns && *columns != length) return 0;
    columns = length;
    numbers = numbers || std::ranges::all_of(items, [](const Value& item) { return IsNumber(item.kind); });
  }
  return numbers ? *columns : 0;
}

std::int64_t DifferentItems(const Facts& facts, ir::ValueId array) {
  if (facts.Of(array).dtype == ir::DType::kBool) return 2;
  const ir::ValueId call = array.valid() ? facts.Source(array) : array;
  const bool signs =
      call.valid() && facts.program().ops[call].kind == ir::OpKind::kCall && BareName(facts.CalleeOf(call)) == "sign";
  return signs ? 4 : 0;
}

bool HoldsOnePerAxis(const Facts& facts, ir::ValueId made, bool by_usage) {
  const ir::Program& program = facts.program();
  if (program.ops[made].kind == ir::OpKind::kSubscript) {
    const ir::ValueId key = program.Operand(made, 1);
    return key.valid() && facts.Of(key).kind == Kind::kTuple &&
           facts.ApiName(program.Operand(made, 0)) == "numpy.mgrid";
  }
  if (program.ops[made].kind != ir::OpKind::kCall) return false;
  const std::string_view name = facts.CalleeOf(made).name;
  if (name == "numpy.indices") return true;
  const bool reads = by_usage && (name == "numpy.loadtxt" || name == "numpy.genfromtxt");
  const ir::ValueId unpack = reads ? facts.KeywordArgument(made, "unpack") : ir::ValueId::None();
  return unpack.valid() && facts.BoolOf(unpack).value_or(false);
}

}  // namespace cpnlint::analysis
