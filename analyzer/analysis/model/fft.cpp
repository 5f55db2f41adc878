// numpy.fft.

#include <algorithm>

#include "analyzer/analysis/model/handlers.h"
#include "analyzer/analysis/model/support.h"

namespace cpnlint::analysis::model {

namespace {

enum class Transform : std::uint8_t { kComplex, kRealIn, kRealOut };

ir::DType TransformedDType(Transform kind, ir::DType dtype) {
  const ir::DType wide = MeanDType(dtype);
  if (kind == Transform::kRealOut) return ir::RealPart(wide);
  if (wide == ir::DType::kUnknown || ir::IsComplex(wide)) return wide;
  return ir::PromoteWeak(wide, ir::Weak::kComplex);
}

ir::DimId HalfLength(ir::DimStore& dims, ir::DimId n) {
  return dims.Add(dims.FloorDiv(n, dims.Const(2)), dims.Const(1));
}

// The extent that the transform gives along its last axis: `n` is the argument, None() where it is absent.
ir::DimId Transformed(ir::DimStore& dims, Transform kind, ir::DimId extent, bool given, ir::DimId n) {
  switch (kind) {
    case Transform::kComplex: return given ? n : extent;
    case Transform::kRealIn: return HalfLength(dims, given ? n : extent);
    case Transform::kRealOut: return given ? n : dims.Mul(dims.Const(2), dims.Sub(extent, dims.Const(1)));
  }
  return ir::DimId::None();
}

// One axis. a: Transform
std::optional<Value> FftAlongAxis(const Call& call) {
  if (auto out = OutArgument(call, 4)) return out;
  const Operand operand = OperandOf(call.context, call.Find(0, "a"));
  const auto kind = static_cast<Transform>(call.a);
  const ir::DType dtype = TransformedDType(kind, CommonDType(std::array{operand}));
  const int rank = RankOf(call.store(), operand.shape);
  const auto axis = AxisOf(call, 2, "axis", rank, -1);
  if (!axis) return FreshWithRank(call, dtype, rank);
  DimList dims(call.store().Get(operand.shape));
  ir::DimId& extent = dims[static_cast<std::size_t>(*axis)];
  const Value* n = call.Given(1, "n");
  extent = Transformed(call.dims(), kind, extent, n != nullptr, DimOf(call.store(), n));
  return Fresh(call, dtype, dims.Intern(call.store()));
}

// Several axes. a: Transform, b: number of axes by default (0: all)
std::optional<Value> FftAlongAxes(const Call& call) {
  if (auto out = OutArgument(call, 4)) return out;
  const Operand operand = OperandOf(call.context, call.Find(0, "a"));
  const auto kind = static_cast<Transform>(call.a);
  const ir::DType dtype = TransformedDType(kind, CommonDType(std::array{operand}));
  const int rank = RankOf(call.store(), operand.shape);
  if (rank < 0) return Fresh(call, dtype, ShapeId::None());
  const Value* s = call.Given(1, "s");
  const ShapeId lengths = s == nullptr ? ShapeId::None() : ShapeArgument(call.store(), *s);
  if (s != nullptr && !lengths.valid()) return FreshWithRank(call, dtype, rank);
  Axes axes = AxesOf(call, 2, "axes", rank);
  if (axes.kind == Axes::Kind::kAll) {
    const int wanted = call.b != 0 ? call.b : lengths.valid() ? RankOf(call.store(), lengths) : rank;
    axes.kind = wanted <= rank ? Axes::Kind::kKnown : Axes::Kind::kUnknown;
    axes.count = 0;
    for (int i = 0; i < wanted && i < 32; ++i) axes.order[static_cast<std::size_t>(axes.count++)] = rank - wanted + i;
  }
  if (axes.kind != Axes::Kind::kKnown || axes.count == 0) return FreshWithRank(call, dtype, rank);
  if (lengths.valid() && RankOf(call.store(), lengths) != axes.count) return FreshWithRank(call, dtype, rank);
  DimList dims(call.store().Get(operand.shape));
  for (int i = 0; i < axes.count; ++i) {
    ir::DimId& extent = dims[static_cast<std::size_t>(axes.order[static_cast<std::size_t>(i)])];
    const ir::DimId n = lengths.valid() ? call.store().Get(lengths)[static_cast<std::size_t>(i)] : ir::DimId::None();
    const bool last = i + 1 == axes.count;
    extent = Transformed(call.dims(), last ? kind : Transform::kComplex, extent, lengths.valid(), n);
  }
  return Fresh(call, dtype, dims.Intern(call.store()));
}

// a: 1 for half the spectrum
std::optional<Value> Frequencies(const Call& call) {
  const ir::DimId n = DimOf(call.store(), call.Find(0, "n"));
  const ir::DimId length = call.a == 1 ? HalfLength(call.dims(), n) : n;
  return Fresh(call, ir::DType::kFloat64, call.store().Intern(std::array{length}));
}

constexpr auto kComplex = static_cast<std::uint8_t>(Transform::kComplex);
constexpr auto kRealIn = static_cast<std::uint8_t>(Transform::kRealIn);
constexpr auto kRealOut = static_cast<std::uint8_t>(Transform::kRealOut);

constexpr Entry kEntries[] = {
    {"fft", FftAlongAxis, kComplex},
    {"fft2", FftAlongAxes, kComplex, 2},
    {"fftfreq", Frequencies},
    {"fftn", FftAlongAxes, kComplex},
    {"fftshift", SameShape},
    {"hfft", FftAlongAxis, kRealOut},
    {"ifft", FftAlongAxis, kComplex},
    {"ifft2", FftAlongAxes, kComplex, 2},
    {"ifftn", FftAlongAxes, kComplex},
    {"ifftshift", SameShape},
    {"ihfft", FftAlongAxis, kRealIn},
    {"irfft", FftAlongAxis, kRealOut},
    {"irfft2", FftAlongAxes, kRealOut, 2},
    {"irfftn", FftAlongAxes, kRealOut},
    {"rfft", FftAlongAxis, kRealIn},
    {"rfft2", FftAlongAxes, kRealIn, 2},
    {"rfftfreq", Frequencies, 1},
    {"rfftn", FftAlongAxes, kRealIn},
};
static_assert(InOrder(kEntries));

}  // namespace

std::span<const Entry> FftFunctions() { return kEntries; }

}  // namespace cpnlint::analysis::model
