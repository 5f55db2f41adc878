// numpy.random: module functions, and the methods of Generator and RandomState under the same bare names.

#include <algorithm>

#include "analyzer/analysis/model/handlers.h"
#include "analyzer/analysis/model/support.h"

namespace cpnlint::analysis::model {

namespace {

// One sample: a Python number in NumPy, a 0-d array on the device.
Value Sample(const Call& call, ir::DType dtype, ShapeId shape) {
  if (call.library != Library::kHost || RankOf(call.store(), shape) != 0) return Fresh(call, dtype, shape);
  return ir::IsInteger(dtype) ? Of(Kind::kInt) : ir::IsFloat(dtype) ? Of(Kind::kFloat) : Scalar(dtype, Library::kHost);
}

ShapeId Scalar0D(const Call& call) { return call.store().Intern(std::span<const ir::DimId>()); }

// Without a size cuPyNumeric's distributions give an array of one number, shape (1,).
ShapeId OneDraw(const Call& call) {
  if (call.library != Library::kDevice) return Scalar0D(call);
  return call.store().Intern(std::array{call.store().dims().Const(1)});
}

// Shape of the samples: `size`, else the broadcast of `one` draw and the parameters before it.
ShapeId SampleShape(const Call& call, std::size_t first_parameter, std::size_t size_position, ShapeId one) {
  if (const Value* size = call.Given(size_position, "size")) return ShapeArgument(call.store(), *size);
  if (call.args.has_star) return ShapeId::None();
  ShapeId shape = one;
  for (std::size_t i = first_parameter; i < size_position && i < call.positional(); ++i) {
    shape = Broadcast(call.store(), shape, OperandOf(call.context, call.Positional(i)).shape);
  }
  for (const KeywordArgument& keyword : call.args.keywords) {
    if (keyword.name == "dtype" || keyword.name == "out" || keyword.name == "endpoint" || keyword.name == "size" ||
        keyword.name == "method") {
      continue;
    }
    shape = Broadcast(call.store(), shape, OperandOf(call.context, keyword.value).shape);
  }
  return shape;
}

// a: position of size, b: the dtype
std::optional<Value> Distribution(const Call& call) {
  if (auto out = OutArgument(call, 99)) return out;
  const ir::DType dtype = DTypeOr(call, 99, static_cast<ir::DType>(call.b));
  return Sample(call, dtype, SampleShape(call, 0, call.a, OneDraw(call)));
}

// Generator.random, standard_normal, ...: size, then dtype. a: position of size
std::optional<Value> TypedDistribution(const Call& call) {
  if (auto out = OutArgument(call, call.a + 2)) return out;
  const ir::DType dtype = DTypeOr(call, call.a + 1, ir::DType::kFloat64);
  return Sample(call, dtype, SampleShape(call, 0, call.a, OneDraw(call)));
}

std::optional<Value> Integers(const Call& call) {
  return Sample(call, DTypeOr(call, 3, ir::DType::kInt64), SampleShape(call, 0, 2, Scalar0D(call)));
}

// rand, randn: extents as arguments.
std::optional<Value> Extents(const Call& call) {
  if (call.args.has_star) return Fresh(call, ir::DType::kFloat64, ShapeId::None());
  DimList dims;
  for (const Value& extent : call.args.positional) dims.Push(DimOf(call.store(), extent));
  return Sample(call, ir::DType::kFloat64, dims.Intern(call.store()));
}

std::optional<Value> Choice(const Call& call) {
  const Value* a = call.Find(0, "a");
  const Operand operand = OperandOf(call.context, a);
  const ir::DType dtype = CommonDType(std::array{operand});
  // The odds `p` are those of the items, and have no part in the shape.
  const Value* size = call.Given(1, "size");
  ShapeId shape = size != nullptr      ? ShapeArgument(call.store(), *size)
                  : call.args.has_star ? ShapeId::None()
                                       : Scalar0D(call);
  const int rank = RankOf(call.store(), operand.shape);
  if (rank >= 2 || rank < 0) {
    if (rank < 0 || !shape.valid())
      return Fresh(call, dtype, rank < 0 && call.Has(1, "size") ? shape : ShapeId::None());
    const auto axis = AxisOf(call, 4, "axis", rank, 0);
    if (!axis) return Fresh(call, dtype, ShapeId::None());
    const std::span<const ir::DimId> old(call.store().Get(operand.shape));
    DimList dims(old.first(static_cast<std::size_t>(*axis)));
    dims.Append(call.store().Get(shape));
    dims.Append(old.subspan(static_cast<std::size_t>(*axis) + 1));
    shape = dims.Intern(call.store());
  }
  return Sample(call, dtype, shape);
}

std::optional<Value> Permutation(const Call& call) {
  const Value* x = call.Find(0, "x");
  const Operand operand = OperandOf(call.context, x);
  if (x != nullptr && x->kind == Kind::kInt) {
    return Fresh(call, ir::DType::kInt64, call.store().Intern(std::array{x->dim}));
  }
  return Fresh(call, CommonDType(std::array{operand}), operand.shape, operand.unbounded);
}

// size, then one axis more: as long as parameter `b`. a: position of size
std::optional<Value> VectorSample(const Call& call) {
  const ir::DType dtype =
      call.name.starts_with("multivariate_h") || call.name == "multinomial" ? ir::DType::kInt64 : ir::DType::kFloat64;
  const Operand parameter = OperandOf(call.context, call.Find(call.b, call.name == "multinomial"           ? "pvals"
                                                                      : call.name == "multivariate_normal" ? "mean"
                                                                                                           : "alpha"));
  if (call.args.has_star) return Fresh(call, dtype, ShapeId::None());
  DimList dims;
  if (const Value* size = call.Given(call.a, "size")) {
    const ShapeId shape = ShapeArgument(call.store(), *size);
    if (!shape.valid()) return Fresh(call, dtype, shape);
    dims.Append(call.store().Get(shape));
  }
  if (!parameter.shape.valid()) {
    dims.Push(ir::DimId::None());
  } else {
    dims.Append(call.store().Get(parameter.shape));
  }
  return Fresh(call, dtype, dims.Intern(call.store()));
}

std::optional<Value> Spawn(const Call& call) {
  Value rng = Of(Kind::kGeneratorRng);
  rng.library = call.context.library;
  rng.name = call.context.names.Intern("numpy.random.Generator");
  Value list = ContainerOf(call.store(), Kind::kList, rng);
  list.root = call.context.op;
  list.dim = DimOf(call.store(), call.Find(0, "n_children"));
  return list;
}

constexpr auto kF64 = static_cast<std::uint8_t>(ir::DType::kFloat64);
constexpr auto kI64 = static_cast<std::uint8_t>(ir::DType::kInt64);
constexpr auto kNothing = static_cast<std::uint8_t>(Kind::kNone);
constexpr auto kAnything = static_cast<std::uint8_t>(Kind::kUnknown);

constexpr Entry kEntries[] = {
    {"Generator", RngClass},
    {"RandomState", RngClass},
    {"beta", Distribution, 2, kF64},
    {"binomial", Distribution, 2, kI64},
    {"bytes", OfKind, static_cast<std::uint8_t>(Kind::kBytes)},
    {"chisquare", Distribution, 1, kF64},
    {"choice", Choice},
    {"default_rng", RngClass},
    {"dirichlet", VectorSample, 1, 0},
    {"exponential", Distribution, 1, kF64},
    {"f", Distribution, 2, kF64},
    {"gamma", Distribution, 2, kF64},
    {"geometric", Distribution, 1, kI64},
    {"get_state", OfKind, kAnything},
    {"gumbel", Distribution, 2, kF64},
    {"hypergeometric", Distribution, 3, kI64},
    {"integers", Integers},
    {"laplace", Distribution, 2, kF64},
    {"logistic", Distribution, 2, kF64},
    {"lognormal", Distribution, 2, kF64},
    {"logseries", Distribution, 1, kI64},
    {"multinomial", VectorSample, 2, 1},
    {"multivariate_normal", VectorSample, 2, 0},
    {"negative_binomial", Distribution, 2, kI64},
    {"noncentral_chisquare", Distribution, 2, kF64},
    {"noncentral_f", Distribution, 3, kF64},
    {"normal", Distribution, 2, kF64},
    {"pareto", Distribution, 1, kF64},
    {"permutation", Permutation},
    {"permuted", Permutation},
    {"poisson", Distribution, 1, kI64},
    {"power", Distribution, 1, kF64},
    {"rand", Extents},
    {"randint", Integers},
    {"randn", Extents},
    {"random", TypedDistribution, 0},
    {"random_integers", Integers},
    {"random_sample", Distribution, 0, kF64},
    {"ranf", Distribution, 0, kF64},
    {"rayleigh", Distribution, 1, kF64},
    {"sample", Distribution, 0, kF64},
    {"seed", OfKind, kNothing},
    {"set_state", OfKind, kNothing},
    {"shuffle", OfKind, kNothing},
    {"spawn", Spawn},
    {"standard_cauchy", Distribution, 0, kF64},
    {"standard_exponential", TypedDistribution, 0},
    {"standard_gamma", TypedDistribution, 1},
    {"standard_normal", TypedDistribution, 0},
    {"standard_t", Distribution, 1, kF64},
    {"triangular", Distribution, 3, kF64},
    {"uniform", Distribution, 2, kF64},
    {"vonmises", Distribution, 2, kF64},
    {"wald", Distribution, 2, kF64},
    {"weibull", Distribution, 1, kF64},
    {"zipf", Distribution, 1, kI64},
};
static_assert(InOrder(kEntries));

}  // namespace

std::optional<Value> RngClass(const Call& call) {
  Value rng = Of(Kind::kGeneratorRng);
  rng.library = call.context.library;
  rng.name =
      call.context.names.Intern(call.name == "RandomState" ? "numpy.random.RandomState" : "numpy.random.Generator");
  return rng;
}

std::span<const Entry> RandomFunctions() { return kEntries; }

}  // namespace cpnlint::analysis::model
