// The tasks of calls of the array library.

#include <algorithm>
#include <array>
#include <cmath>

#include "analyzer/analysis/work_impl.h"
#include "analyzer/api/api.h"
#include "analyzer/api/launches.h"

namespace cpnlint::analysis {

using api::LaunchWord;

namespace {

enum class Family : std::uint8_t {
  kElementwise,  // also where nothing else is said
  kReduction,
  kProduct,
  kEinsum,
  kJoin,
  kCreation,
  kRandom,
  kMove,
  kLinear,
  kTransform,
  kSort,
  kSelect,
  kScan,
};

struct Row {
  std::string_view name;  // without "numpy." and "numpy.ndarray."
  Family family;
  double passes = 1;  // sweeps over the input
};

// Sorted by name.
constexpr auto kRows = std::to_array<Row>({
    {"all", Family::kReduction},
    {"allclose", Family::kReduction},
    {"amax", Family::kReduction},
    {"amin", Family::kReduction},
    {"any", Family::kReduction},
    {"append", Family::kJoin},
    {"arange", Family::kCreation},
    {"argmax", Family::kReduction},
    {"argmin", Family::kReduction},
    {"argpartition", Family::kSort},
    {"argsort", Family::kSort},
    {"argwhere", Family::kSelect},
    {"array", Family::kCreation},
    {"array_equal", Family::kReduction},
    {"array_equiv", Family::kReduction},
    {"array_split", Family::kMove},
    {"asarray", Family::kCreation},
    {"astype", Family::kMove},
    {"average", Family::kReduction},
    {"bincount", Family::kSelect},
    {"block", Family::kJoin},
    {"cholesky", Family::kLinear},
    {"choose", Family::kElementwise},
    {"column_stack", Family::kJoin},
    {"compress", Family::kSelect},
    {"concat", Family::kJoin},
    {"concatenate", Family::kJoin},
    {"convolve", Family::kTransform},
    {"copy", Family::kMove},
    {"count_nonzero", Family::kReduction},
    {"cov", Family::kProduct},
    {"cumprod", Family::kScan, 2},
    {"cumsum", Family::kScan, 2},
    {"delete", Family::kMove},
    {"diag", Family::kMove},
    {"diagonal", Family::kMove},
    {"digitize", Family::kSort},
    {"dot", Family::kProduct},
    {"dstack", Family::kJoin},
    {"einsum", Family::kEinsum},
    {"empty", Family::kCreation},
    {"empty_like", Family::kCreation},
    {"extract", Family::kSelect},
    {"eye", Family::kCreation},
    {"fill", Family::kCreation},
    {"flatnonzero", Family::kSelect},
    {"flatten", Family::kMove},
    {"flip", Family::kMove},
    {"fliplr", Family::kMove},
    {"flipud", Family::kMove},
    {"full", Family::kCreation},
    {"full_like", Family::kCreation},
    {"histogram", Family::kSelect},
    {"histogram2d", Family::kSelect},
    {"histogramdd", Family::kSelect},
    {"hstack", Family::kJoin},
    {"identity", Family::kCreation},
    {"in1d", Family::kSort},
    {"indices", Family::kCreation},
    {"inner", Family::kProduct},
    {"insert", Family::kMove},
    {"isin", Family::kSort},
    {"lexsort", Family::kSort},
    {"linspace", Family::kCreation},
    {"logspace", Family::kCreation},
    {"matmul", Family::kProduct},
    {"max", Family::kReduction},
    {"mean", Family::kReduction},
    {"median", Family::kSort},
    {"meshgrid", Family::kCreation},
    {"min", Family::kReduction},
    {"nanargmax", Family::kReduction},
    {"nanargmin", Family::kReduction},
    {"nancumprod", Family::kScan, 2},
    {"nancumsum", Family::kScan, 2},
    {"nanmax", Family::kReduction},
    {"nanmean", Family::kReduction, 3},
    {"nanmedian", Family::kSort},
    {"nanmin", Family::kReduction},
    {"nanpercentile", Family::kSort},
    {"nanprod", Family::kReduction},
    {"nanquantile", Family::kSort},
    {"nansum", Family::kReduction},
    {"nonzero", Family::kSelect},
    {"ones", Family::kCreation},
    {"ones_like", Family::kCreation},
    {"pad", Family::kMove},
    {"partition", Family::kSort},
    {"percentile", Family::kSort},
    {"prod", Family::kReduction},
    {"put", Family::kSelect},
    {"put_along_axis", Family::kSelect},
    {"putmask", Family::kElementwise},
    {"quantile", Family::kSort},
    {"ravel", Family::kMove},
    {"repeat", Family::kMove},
    {"reshape", Family::kMove},
    {"roll", Family::kMove},
    {"rot90", Family::kMove},
    {"row_stack", Family::kJoin},
    {"searchsorted", Family::kSort},
    {"sort", Family::kSort},
    {"sort_complex", Family::kSort},
    {"split", Family::kMove},
    {"stack", Family::kJoin},
    {"sum", Family::kReduction},
    {"take", Family::kSelect},
    {"take_along_axis", Family::kSelect},
    {"tensordot", Family::kProduct},
    {"tile", Family::kMove},
    {"trace", Family::kReduction},
    {"tril", Family::kMove},
    {"tril_indices", Family::kSelect},
    {"triu", Family::kMove},
    {"triu_indices", Family::kSelect},
    {"unique", Family::kSort},
    {"var", Family::kReduction, 2},
    {"vdot", Family::kProduct},
    {"vecdot", Family::kReduction},
    {"vstack", Family::kJoin},
    {"where", Family::kElementwise},
    {"zeros", Family::kCreation},
    {"zeros_like", Family::kCreation},
});

constexpr auto kLinearRows = std::to_array<Row>({
    {"cho_factor", Family::kLinear},
    {"cho_solve", Family::kLinear},
    {"cholesky", Family::kLinear},
    {"eig", Family::kLinear},
    {"eigh", Family::kLinear},
    {"eigvals", Family::kLinear},
    {"eigvalsh", Family::kLinear},
    {"expm", Family::kLinear},
    {"inv", Family::kLinear},
    {"matrix_power", Family::kProduct},
    {"multi_dot", Family::kProduct},
    {"norm", Family::kReduction},
    {"pinv", Family::kLinear},
    {"qr", Family::kLinear},
    {"solve", Family::kLinear},
    {"solve_triangular", Family::kLinear},
    {"svd", Family::kLinear},
});

Family FamilyOf(std::string_view base, double& passes) {
  const auto in = [&](const auto& rows, std::string_view name) -> const Row* {
    const auto row = std::lower_bound(rows.begin(), rows.end(), name,
                                      [](const Row& a, std::string_view wanted) { return a.name < wanted; });
    return row != rows.end() && row->name == name ? &*row : nullptr;
  };
  const Row* row = nullptr;
  if (base.starts_with("random.")) return Family::kRandom;
  if (base == "fft.fftshift" || base == "fft.ifftshift") return Family::kMove;
  if (base.starts_with("fft.")) return Family::kTransform;
  if (base.starts_with("linalg.")) {
    row = in(kLinearRows, base.substr(7));
  } else {
    row = in(kRows, base);
  }
  if (row == nullptr) return Family::kElementwise;
  passes = row->passes;
  return row->family;
}

// Operations among those counted that go over all the data; fills and numbers do not.
double SweepsIn(std::string_view seen) {
  double sweeps = 0;
  for (std::size_t begin = 0; begin < seen.size();) {
    const std::size_t end = std::min(seen.find(' ', begin), seen.size());
    const std::string_view operation = seen.substr(begin, end - begin);
    for (const std::string_view whole : {"BinaryOpTask", "UnaryOpTask", "WhereTask", "PutmaskTask", "SelectTask"}) {
      sweeps += operation == whole;
    }
    begin = end + 1;
  }
  return sweeps;
}

struct Weight {
  std::string_view name;
  double operations;
};
constexpr auto kWeights = std::to_array<Weight>({
    {"%", 10},          {"**", 40},         {"**=", 40},     {"/", 8},        {"//", 10},          {"//=", 10},
    {"/=", 8},          {"acos", 30},       {"acosh", 30},   {"arccos", 30},  {"arccosh", 30},     {"arcsin", 30},
    {"arcsinh", 30},    {"arctan", 30},     {"arctan2", 40}, {"arctanh", 30}, {"asin", 30},        {"asinh", 30},
    {"atan", 30},       {"atan2", 40},      {"atanh", 30},   {"cbrt", 20},    {"cos", 20},         {"cosh", 30},
    {"divide", 8},      {"exp", 20},        {"exp2", 20},    {"expm1", 20},   {"float_power", 40}, {"floor_divide", 10},
    {"fmod", 10},       {"hypot", 12},      {"log", 20},     {"log10", 20},   {"log1p", 20},       {"log2", 20},
    {"logaddexp", 40},  {"logaddexp2", 40}, {"mod", 10},     {"pow", 40},     {"power", 40},       {"reciprocal", 8},
    {"remainder", 10},  {"sin", 20},        {"sinh", 30},    {"sqrt", 8},     {"tan", 25},         {"tanh", 30},
    {"true_divide", 8},
});

}  // namespace

std::string_view ApiBaseName(std::string_view name) {
  for (const std::string_view prefix : {"numpy.ndarray.", "cupynumeric.", "numpy."}) {
    if (name.starts_with(prefix)) return name.substr(prefix.size());
  }
  return name;
}

double OperationsOf(std::string_view base_name) {
  const auto found = std::lower_bound(kWeights.begin(), kWeights.end(), base_name,
                                      [](const Weight& a, std::string_view wanted) { return a.name < wanted; });
  return found != kWeights.end() && found->name == base_name ? found->operations : 1;
}

namespace {

// Draws that are a number of the generator, scaled; others take logarithms, or several.
bool IsUniform(std::string_view name) {
  constexpr std::string_view kNames[] = {"bytes",           "integers",      "rand", "randint", "random",
                                         "random_integers", "random_sample", "ranf", "sample",  "uniform"};
  return std::find(std::begin(kNames), std::end(kNames), name.substr(name.rfind('.') + 1)) != std::end(kNames);
}

}  // namespace

// --- the families ---

void TaskMaker::SeeArrayCall(ir::ValueId op) {
  const Callee& callee = facts_.CalleeOf(op);
  const std::string_view base = ApiBaseName(callee.name);
  const api::Entry* row = api::Find(callee.name);
  const std::vector<ir::ValueId> arrays = ArraysOf(op);
  const bool device = facts_.IsDevice(op) ||
                      std::any_of(arrays.begin(), arrays.end(), [&](ir::ValueId a) { return facts_.IsDevice(a); });
  if (row != nullptr && row->status == api::Status::kMissing) {
    if (device &&
        (row->kind == api::Kind::kFunction || row->kind == api::Kind::kUfunc || row->kind == api::Kind::kMethod)) {
      Unpriced(op, callee.name, "cuPyNumeric has no such function");
    }
    return;
  }
  if (row != nullptr && row->host_object) return;  // a scalar type or constant
  if (facts_.Of(program_.Operand(op, 0)).kind == Kind::kDType) return;

  WorkTask task = Start(op, WorkKind::kElementwise, callee.name);
  double passes = 1;
  const Family family = FamilyOf(base, passes);
  task.passes = passes;
  // What gives neither an array nor takes one: default_rng, finfo, shape of a list.
  if (!device && family == Family::kElementwise && api::IsUfunc(callee.name)) {
    // np.sqrt(2.0): a task all the same. Of what nothing is known the size is not known either.
    const Kind kind = facts_.Of(op).kind;
    if (kind != Kind::kNumpyScalar && kind != Kind::kUnknown) return;
    task.elements = kind == Kind::kUnknown ? ir::DimId() : dims_.Const(1);
    task.bytes_read = task.bytes_written = dims_.Mul(task.elements, dims_.Const(8));
    task.operations = OperationsOf(base);
    computed_[op] = task.elements;
    return Add(std::move(task));
  }
  // tril_indices(n) gives arrays in a tuple.
  const bool gives_several = row != nullptr && row->returns == api::Returns::kDevices && family == Family::kSelect;
  if (!device && family != Family::kCreation && family != Family::kRandom && !gives_several) return;
  if (family == Family::kRandom && !facts_.IsDevice(op)) return;
  if (callee.name.ends_with(".reduce") && !arrays.empty()) {  // np.add.reduce(a): along the first axis
    Reduction(task, op);
    Count(task, "numpy.sum", task.kind == WorkKind::kReduction ? 0 : LaunchWord("axis"));
    return Add(std::move(task));
  }
  if (!Count(task, callee.name, WordsOf(op)) && !api::IsUfunc(callee.name) && !base.starts_with("fft.")) {
    Unpriced(op, callee.name, "its operations were not counted");
    return SeeSteps(op);
  }
  switch (family) {
    case Family::kElementwise: Ufunc(task, op); break;
    case Family::kReduction:
    case Family::kScan: Reduction(task, op); break;
    case Family::kProduct:
      if (base == "linalg.multi_dot") {
        ManyProducts(task, op);
        break;
      }
      Product(task, op, ArgumentOf(op, 0, "a"), base == "cov" ? ArgumentOf(op, 0, "m") : ArgumentOf(op, 1, "b"));
      break;
    case Family::kEinsum: Einsum(task, op); break;
    case Family::kJoin: Join(task, op); break;
    case Family::kCreation:
    case Family::kRandom: Creation(task, op); break;
    case Family::kMove: Moves(task, op); break;
    case Family::kLinear: LinearAlgebra(task, op); break;
    case Family::kTransform: Transform(task, op); break;
    case Family::kSort: Sorting(task, op); break;
    case Family::kSelect: Selection(task, op); break;
  }
  if (family == Family::kScan) task.kind = WorkKind::kScan;
  Waits(task, op);
  const bool nothing =
      task.launches == 0 && task.launches_divided == 0 && !task.waits && dims_.AsConst(task.from_host) == 0;
  if (nothing && family != Family::kCreation) return;  // a view
  Add(std::move(task));
  SeeSteps(op);
}

void TaskMaker::Ufunc(WorkTask& task, ir::ValueId op) {
  const Callee& callee = facts_.CalleeOf(op);
  task.operations = OperationsOf(ApiBaseName(callee.name));
  const std::vector<ir::ValueId> arrays = InputsOf(op);
  const ir::ValueId result = ResultOf(op);
  double casts = 0;
  const ir::DType as = facts_.IsArray(op) ? facts_.Of(op).dtype : ir::DType::kUnknown;
  const api::Entry* row = api::Find(callee.name);
  const bool ufunc = row != nullptr && row->kind == api::Kind::kUfunc;
  const bool where = ApiBaseName(callee.name) == "where";
  const bool converts = (ufunc && as != ir::DType::kBool && callee.name != "numpy.ldexp") || where;
  const std::size_t inputs = ufunc ? row->inputs : facts_.PositionalCount(op);
  for (std::size_t i = where ? 1 : 0; converts && i < inputs; ++i) {
    const ir::ValueId input = ArgumentOf(op, i, "");
    if (!input.valid() || !NeedsCast(input, as)) continue;
    // abs and the like of complex numbers, division of integers: their types differ by themselves.
    if (ir::IsComplex(facts_.Of(input).dtype) && !ir::IsComplex(as)) continue;
    casts += 1;
    Convert(task, input, as);
  }
  if (ufunc && (task.launches == 0 || task.launches_divided == 0)) task.launches = task.launches_divided = 1;
  const api::Launches* counted = api::FindLaunches(callee.name, WordsOf(op));
  if (!ufunc && counted != nullptr) task.passes = std::max(1.0, SweepsIn(counted->seen));
  // Four over the inside along each axis; the rest works on edges.
  if (task.name == "numpy.gradient") task.passes = 4 * std::max(1.0, std::round(task.launches / 11));
  constexpr std::uint64_t kOtherType = LaunchWord("cast") | LaunchWord("integer") | LaunchWord("bool");
  if (counted != nullptr && (counted->when & kOtherType) != 0) casts = 0;  // counted with the conversion
  const bool overlaps = ufunc && result != op && std::any_of(arrays.begin(), arrays.end(), [&](ir::ValueId array) {
                          return array != result && OverlapsShifted(array, result);
                        });
  task.launches += casts + (overlaps ? 1 : 0);
  task.launches_divided += casts + (overlaps ? 1 : 0);

  task.elements = ElementsOfResult(result, arrays);
  for (const ir::ValueId array : arrays) Read(task, array, task.elements);
  const bool one_argument_where = where && facts_.PositionalCount(op) == 1;
  if (one_argument_where) task.kind = WorkKind::kMaskRead;
  Write(task, result, task.elements);
  if (!arrays.empty() && (!facts_.IsArray(result) || one_argument_where)) task.elements = Elements(arrays.front());
  std::vector<ir::ValueId> given;
  for (std::size_t i = 0; ufunc && i < inputs; ++i) given.push_back(ArgumentOf(op, i, ""));
  task.walks = Walks(task, result, ufunc ? std::span<const ir::ValueId>(given) : std::span<const ir::ValueId>(arrays));
}

void TaskMaker::Reduction(WorkTask& task, ir::ValueId op) {
  const std::vector<ir::ValueId> arrays = InputsOf(op);
  const bool scalar = facts_.IsArray(op) ? Rank(op) == 0 : true;
  task.kind = scalar ? WorkKind::kReduction : WorkKind::kAxisReduction;
  for (const ir::ValueId array : arrays) Read(task, array);
  task.walks = Walks(task, {}, {});
  Write(task, ResultOf(op));
  const ir::ValueId first = arrays.empty() ? ir::ValueId::None() : arrays.front();
  task.elements = first.valid() ? Elements(first) : ir::DimId::None();
  const std::uint64_t words = WordsOf(op);
  task.outer_axis = !scalar && (words & LaunchWord("last")) == 0;
  // Several axes are reduced one after the other.
  const ir::ValueId axes = ArgumentOf(op, 1, "axis");
  if (axes.valid() && facts_.Of(axes).kind == Kind::kTuple && ApiBaseName(task.name) != "linalg.norm") {
    const std::int64_t count = dims_.AsConst(facts_.Of(axes).dim).value_or(2);
    Count(task, task.name, words & ~LaunchWord("axes"));
    const double more = 2.0 * static_cast<double>(std::max<std::int64_t>(count, 1) - 1);
    task.launches += more;
    task.launches_divided += more;
  }
  // Integers are averaged as float64: a converted copy of the whole.
  const std::string_view base = ApiBaseName(task.name);
  if (base == "trace" && Rank(first) == 2) {
    task.elements = At(facts_.store(), ShapeOf(first), 0);
    task.bytes_read = BytesOf(task.elements, first);
  }
  const ir::DType type = first.valid() ? facts_.Of(first).dtype : ir::DType::kUnknown;
  if ((base == "mean" || base == "var") && (ir::IsInteger(type) || type == ir::DType::kBool)) {
    task.temporary = dims_.Mul(task.elements, dims_.Const(8));
    task.passes += 2;
  }
  // What is computed on the way is written and read again.
  const bool axis = (words & LaunchWord("axis")) != 0;
  const bool computes = (base == "var" && axis) ||
                        (base == "linalg.norm" && (axis || (words & LaunchWord("ord")) != 0)) ||
                        (base == "linalg.norm" && (words & (LaunchWord("2d") | LaunchWord("3d"))) != 0) ||
                        base == "nanmean" || (base == "average" && (words & LaunchWord("weights")) != 0);
  if (computes) {
    task.passes += 2;
    if (first.valid()) task.temporary = dims_.Add(task.temporary, Bytes(first));
  }
  // Along another axis than the last a scan works on a copy, which is copied back.
  const bool scans = base.ends_with("cumsum") || base.ends_with("cumprod");
  if (scans && axis && (words & LaunchWord("last")) == 0) {
    task.passes += 2;
    if (first.valid()) task.temporary = dims_.Mul(Bytes(first), dims_.Const(2));
  }
}

void TaskMaker::Join(WorkTask& task, ir::ValueId op) {
  task.kind = WorkKind::kCopy;
  const std::vector<ir::ValueId> arrays = ArraysOf(op);
  for (const ir::ValueId array : arrays) Read(task, array);
  task.elements = Elements(op);
  if (!task.elements.valid() && !arrays.empty()) {
    task.elements = dims_.Const(0);
    for (const ir::ValueId array : arrays) task.elements = dims_.Add(task.elements, Elements(array));
    if (task.elements.valid()) lengths_[facts_.Source(op)] = task.elements;
  }
  Write(task, op);
  const ir::DType as = facts_.IsArray(op) ? facts_.Of(op).dtype : ir::DType::kUnknown;
  const std::size_t more = arrays.size() > 2 ? arrays.size() - 2 : 0;
  std::uint64_t words = WordsOf(op);
  double casts = 0;
  for (const ir::ValueId array : arrays) casts += NeedsCast(array, as);
  Count(task, task.name, words, more);
  task.launches += casts;
  task.launches_divided += casts;
}

void TaskMaker::Creation(WorkTask& task, ir::ValueId op) {
  const std::string_view base = ApiBaseName(task.name);
  const Callee& callee = facts_.CalleeOf(op);
  if (base.starts_with("random.")) {
    task.kind = WorkKind::kRandom;
    task.operations = IsUniform(base.substr(7)) ? 1 : 10;
  } else {
    task.kind = WorkKind::kFill;
  }
  if (callee.kind == Callee::Kind::kMethod) {  // x.fill(0)
    task.elements = Elements(callee.receiver);
    Write(task, callee.receiver);
    return;
  }
  task.elements = facts_.IsArray(op) ? Elements(op) : ir::DimId();
  if (base == "array" || base == "asarray") {
    const ir::ValueId source = program_.Operand(op, 1);
    if (source.valid() && facts_.IsDevice(source)) {
      task.kind = WorkKind::kCopy;
      if (task.launches > 0) {
        Read(task, source);
        Write(task, op);
      }
      return;
    }
    task.kind = WorkKind::kFromHost;
    task.from_host = facts_.IsArray(op) ? Bytes(op) : ir::DimId();
    return;
  }
  // Fills are issued at once, but nothing is written before somebody reads; the bytes are counted here.
  if (facts_.IsArray(op)) Write(task, op);
}

void TaskMaker::Moves(WorkTask& task, ir::ValueId op) {
  task.kind = WorkKind::kCopy;
  const std::vector<ir::ValueId> arrays = ArraysOf(op);
  if (!arrays.empty()) Read(task, arrays.front());
  if (facts_.IsArray(op)) {
    Write(task, op);
    task.elements = Elements(op);
  } else if (!arrays.empty()) {
    task.elements = Elements(arrays.front());
  }
  const std::string_view base = ApiBaseName(task.name);
  const api::Entry* row = api::Find(task.name);
  if (row != nullptr && row->one_device == api::OneDevice::kAlways) task.one_device = true;
  if (base == "flip" || base == "fliplr" || base == "flipud" || base == "rot90") task.one_device = true;
  if (base == "tile" && !task.operands.empty()) task.operands.front().replicated = true;
  if ((base == "roll" || base == "pad" || base == "insert" || base == "reshape") && !arrays.empty()) {
    task.temporary = Bytes(arrays.front());
  }
  if (base == "reshape") task.passes = std::max(1.0, task.launches);
}

void TaskMaker::LinearAlgebra(WorkTask& task, ir::ValueId op) {
  task.kind = WorkKind::kFactorise;
  const std::vector<ir::ValueId> arrays = ArraysOf(op);
  for (const ir::ValueId array : arrays) Read(task, array);
  if (facts_.IsArray(op)) Write(task, op);
  const ir::ValueId matrix = arrays.empty() ? ir::ValueId::None() : arrays.front();
  const ValueStore& store = facts_.store();
  const ShapeId shape = matrix.valid() ? ShapeOf(matrix) : ShapeId();
  task.m = At(store, shape, 1);
  task.n = At(store, shape, 0);
  task.batch = dims_.Const(1);
  if (shape.valid()) {
    const Shape& extents = store.Get(shape);
    for (std::size_t i = 0; i + 2 < extents.size(); ++i) task.batch = dims_.Mul(task.batch, extents[i]);
  }
  // Right-hand sides: a vector is one, whatever the left side's batch.
  if (arrays.size() > 1) task.k = Rank(arrays[1]) == 1 ? dims_.Const(1) : At(store, ShapeOf(arrays[1]), 0);
  task.elements = matrix.valid() ? Elements(matrix) : ir::DimId();
  task.temporary = matrix.valid() ? dims_.Mul(Bytes(matrix), dims_.Const(2)) : ir::DimId();
  const api::Entry* row = api::Find(task.name);
  // One matrix is one task; solve, cholesky and qr are divided from a size on, which is the model's to know.
  if (row != nullptr) {
    task.one_device = row->one_device == api::OneDevice::kAlways ||
                      (row->one_device == api::OneDevice::kPerMatrix && dims_.AsConst(task.batch) == 1);
    task.waits = row->throws;
  }
}

void TaskMaker::Transform(WorkTask& task, ir::ValueId op) {
  const std::vector<ir::ValueId> arrays = ArraysOf(op);
  for (const ir::ValueId array : arrays) Read(task, array);
  if (facts_.IsArray(op)) Write(task, op);
  const ir::ValueId first = arrays.empty() ? ir::ValueId::None() : arrays.front();
  task.elements = first.valid() ? Elements(first) : ir::DimId();
  const std::string_view base = ApiBaseName(task.name);
  if (base == "convolve") {
    task.kind = WorkKind::kConvolve;
    task.k = arrays.size() > 1 ? Elements(arrays[1]) : ir::DimId();
    if (task.operands.size() > 1) task.operands[1].replicated = true;
    return;
  }
  task.kind = WorkKind::kFft;
  // Without a GPU no transform runs, so these are read in the source: real data is converted first, an inverse divides
  // last, and of several axes a real transform takes the last one alone.
  const std::string_view name = base.substr(base.find('.') + 1);
  const bool real = name.starts_with("rfft") || name.starts_with("ihfft");
  const bool converts = !real && first.valid() && ir::IsFloat(facts_.Of(first).dtype);
  const bool several = (name.find("rfft") != std::string_view::npos) && (name.ends_with("2") || name.ends_with("n"));
  task.launches = task.launches_divided = 1 + converts + name.starts_with("i") + several;
  // The inverse of a real transform has as many points as it gives numbers.
  const bool back = name.starts_with("irfft") || name.starts_with("hfft");
  const ShapeId shape = back && ShapeOf(op).valid() ? ShapeOf(op) : first.valid() ? ShapeOf(first) : ShapeId();
  const std::int64_t rank = shape.valid() ? static_cast<std::int64_t>(facts_.store().Get(shape).size()) : 0;
  const ir::ValueId axes = ArgumentOf(op, 2, "axes");
  const std::int64_t given = axes.valid() ? dims_.AsConst(facts_.Of(axes).dim).value_or(2) : rank;
  const std::int64_t count = name.ends_with("n") ? given : name.ends_with("2") ? 2 : 1;
  std::int64_t axis = count == 1 ? facts_.IntOf(ArgumentOf(op, 2, "axis")).value_or(-1) : -1;
  if (axis < 0) axis += rank;
  task.n = shape.valid() ? dims_.Const(1) : task.elements;
  task.batch = dims_.Const(1);
  for (std::int64_t i = 0; i < rank; ++i) {
    const bool transformed = count == 1 ? i == axis : i >= rank - count;
    ir::DimId& side = transformed ? task.n : task.batch;
    side = dims_.Mul(side, facts_.store().Get(shape)[static_cast<std::size_t>(i)]);
  }
  task.passes = static_cast<double>(std::clamp<std::int64_t>(count, 1, 3));
  // Only transforms of one shape to the same one are divided, along the axes that are left.
  const bool resized = name.find("rfft") != std::string_view::npos || name.find("hfft") != std::string_view::npos ||
                       ArgumentOf(op, 1, "n").valid() || facts_.KeywordArgument(op, "s").valid();
  task.one_device = resized || dims_.AsConst(task.batch) == 1;
  if (converts && facts_.IsArray(op)) Convert(task, first, facts_.Of(op).dtype);
  if (name.starts_with("i") && facts_.IsArray(op)) {  // the division
    task.bytes_read = dims_.Add(task.bytes_read, Bytes(op));
    task.bytes_written = dims_.Add(task.bytes_written, Bytes(op));
  }
}

void TaskMaker::Sorting(WorkTask& task, ir::ValueId op) {
  const std::string_view base = ApiBaseName(task.name);
  const std::vector<ir::ValueId> arrays = ArraysOf(op);
  for (const ir::ValueId array : arrays) Read(task, array);
  if (facts_.IsArray(op)) Write(task, op);
  const ir::ValueId first = arrays.empty() ? ir::ValueId::None() : arrays.front();
  task.elements = first.valid() ? Elements(first) : ir::DimId();
  if (base == "searchsorted" || base == "digitize" || base == "isin" || base == "in1d") {
    task.kind = WorkKind::kGather;
    if (arrays.size() > 1) task.elements = Elements(arrays[base == "searchsorted" ? 1 : 0]);
    if (task.operands.size() > 1) task.operands[1].replicated = true;
    return;
  }
  task.kind = WorkKind::kSort;
  task.temporary = first.valid() ? dims_.Mul(Bytes(first), dims_.Const(2)) : ir::DimId();
  const std::uint64_t words = WordsOf(op);
  const bool flat = (words & LaunchWord("axis")) == 0 &&
                    (base == "median" || base == "percentile" || base == "quantile" || base == "unique");
  const ShapeId shape = first.valid() ? ShapeOf(first) : ShapeId();
  task.batch = dims_.Const(1);
  task.n = task.elements;
  if (shape.valid() && !flat && facts_.store().Get(shape).size() > 1) {
    const ir::ValueId axis = ArgumentOf(op, base == "percentile" || base == "quantile" ? 2 : 1, "axis");
    const auto rank = static_cast<std::int64_t>(facts_.store().Get(shape).size());
    std::int64_t at = axis.valid() ? facts_.IntOf(axis).value_or(-1) : -1;
    if (at < 0) at += rank;
    if (at >= 0 && at < rank) {
      task.n = facts_.store().Get(shape)[static_cast<std::size_t>(at)];
      for (std::int64_t i = 0; i < rank; ++i) {
        if (i != at) task.batch = dims_.Mul(task.batch, facts_.store().Get(shape)[static_cast<std::size_t>(i)]);
      }
    }
  }
  task.all_to_all = true;
  if (facts_.CalleeOf(op).kind == Callee::Kind::kMethod && !facts_.IsArray(op) && first.valid()) {
    Write(task, first);  // x.sort()
  }
}

void TaskMaker::Selection(WorkTask& task, ir::ValueId op) {
  const std::string_view base = ApiBaseName(task.name);
  const std::vector<ir::ValueId> arrays = InputsOf(op);
  const bool takes = base == "take" || base == "take_along_axis";
  for (const ir::ValueId array : arrays) Read(task, array);
  Write(task, ResultOf(op));
  const ir::ValueId first = arrays.empty() ? ir::ValueId::None() : arrays.front();
  task.elements = first.valid() ? Elements(first) : ir::DimId();
  if (takes) {
    task.kind = WorkKind::kGather;
    task.elements = facts_.IsArray(op) ? Elements(op) : task.elements;
    // Of the array only what the indices pick.
    if (first.valid()) task.bytes_read = BytesOf(task.elements, first);
    for (std::size_t i = 1; i < arrays.size(); ++i) {
      if (facts_.IsDevice(arrays[i])) task.bytes_read = dims_.Add(task.bytes_read, Bytes(arrays[i]));
    }
    if (!task.operands.empty()) task.operands.front().replicated = true;
  } else if (base == "put" || base == "put_along_axis") {
    task.kind = WorkKind::kScatter;
    task.all_to_all = true;
    if (arrays.size() > 1) task.elements = Elements(arrays[1]);
  } else if (base.starts_with("hist") || base == "bincount") {
    task.kind = WorkKind::kHistogram;
    task.temporary = dims_.Mul(task.elements, dims_.Const(8));
  } else {
    task.kind = WorkKind::kMaskRead;
  }
}

}  // namespace cpnlint::analysis
