// Products that contract axes.

#include <algorithm>
#include <iterator>
#include <string>

#include "analyzer/analysis/model/handlers.h"
#include "analyzer/analysis/model/support.h"

namespace cpnlint::analysis::model {

namespace {

// Shape of left @ right.
ShapeId MatMulShape(ValueStore& store, ShapeId left, ShapeId right) {
  if (!left.valid() || !right.valid()) return ShapeId::None();
  const std::span<const ir::DimId> a(store.Get(left)), b(store.Get(right));
  if (a.empty() || b.empty()) return ShapeId::None();  // raises
  const ShapeId lead_a = store.Intern(a.first(a.size() >= 2 ? a.size() - 2 : 0));
  const ShapeId lead_b = store.Intern(b.first(b.size() >= 2 ? b.size() - 2 : 0));
  const ShapeId lead = Broadcast(store, lead_a, lead_b);
  if (!lead.valid()) return lead;
  DimList dims(store.Get(lead));
  if (a.size() >= 2) dims.Push(a[a.size() - 2]);
  if (b.size() >= 2) dims.Push(b.back());
  return dims.Intern(store);
}

// a without its last axis, then b without axis `from_end` (1: last).
ShapeId ContractedShape(ValueStore& store, ShapeId left, ShapeId right, std::size_t from_end) {
  if (!left.valid() || !right.valid()) return ShapeId::None();
  const std::span<const ir::DimId> a(store.Get(left)), b(store.Get(right));
  if (a.empty() || b.empty()) return ShapeId::None();
  DimList dims(a.first(a.size() - 1));
  const std::size_t skipped = b.size() >= from_end ? b.size() - from_end : 0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    if (i != skipped) dims.Push(b[i]);
  }
  return dims.Intern(store);
}

std::array<Operand, 2> Pair(const Call& call, std::string_view first, std::string_view second) {
  return {OperandOf(call.context, call.Find(0, first)), OperandOf(call.context, call.Find(1, second))};
}

}  // namespace

Value MatMul(const Call& call, const Operand& left, const Operand& right) {
  const std::array operands = {left, right};
  return Fresh(call, CommonDType(operands), MatMulShape(call.store(), left.shape, right.shape), AnyUnbounded(operands));
}

std::optional<Value> MatMulCall(const Call& call) {
  if (auto out = OutArgument(call, 2)) return out;
  const auto operands = Pair(call, "x1", "x2");
  Value value = MatMul(call, operands[0], operands[1]);
  value.dtype = DTypeOr(call, 99, value.dtype);
  return value;
}

std::optional<Value> Dot(const Call& call) {
  if (auto out = OutArgument(call, 2)) return out;
  const auto operands = Pair(call, "a", "b");
  const int left = RankOf(call.store(), operands[0].shape), right = RankOf(call.store(), operands[1].shape);
  ShapeId shape;
  if (left == 0 || right == 0) {
    shape = CommonShape(call.store(), operands);
  } else if (left > 0 && right > 0) {
    shape = right >= 2 ? ContractedShape(call.store(), operands[0].shape, operands[1].shape, 2)
                       : MatMulShape(call.store(), operands[0].shape, operands[1].shape);
  }
  return Fresh(call, CommonDType(operands), shape, AnyUnbounded(operands));
}

std::optional<Value> Inner(const Call& call) {
  const auto operands = Pair(call, "a", "b");
  return Fresh(call, CommonDType(operands), ContractedShape(call.store(), operands[0].shape, operands[1].shape, 1));
}

std::optional<Value> VDot(const Call& call) {
  const auto operands = Pair(call, "a", "b");
  return Fresh(call, CommonDType(operands), call.store().Intern(std::span<const ir::DimId>()));
}

std::optional<Value> VecDot(const Call& call) {
  const auto operands = Pair(call, "x1", "x2");
  ShapeId shape = CommonShape(call.store(), operands);
  const int rank = RankOf(call.store(), shape);
  const auto axis = AxisOf(call, 99, "axis", rank, -1);
  if (axis) {
    DimList dims(call.store().Get(shape));
    dims.Erase(static_cast<std::size_t>(*axis));
    shape = dims.Intern(call.store());
  } else {
    shape = UnknownExtents(call.store(), rank - 1);
  }
  return Fresh(call, CommonDType(operands), shape);
}

std::optional<Value> MatVec(const Call& call) {
  auto operands = Pair(call, "x1", "x2");
  ValueStore& store = call.store();
  const ir::DType dtype = CommonDType(operands);
  if (call.a == 1) std::swap(operands[0], operands[1]);  // vecmat: (n) (n, m)
  const int matrix = RankOf(store, operands[0].shape), vector = RankOf(store, operands[1].shape);
  if (matrix < 2 || vector < 1) return Fresh(call, dtype, ShapeId::None());
  const std::span<const ir::DimId> a(store.Get(operands[0].shape)), b(store.Get(operands[1].shape));
  const ShapeId lead = Broadcast(store, store.Intern(a.first(a.size() - 2)), store.Intern(b.first(b.size() - 1)));
  if (!lead.valid()) return Fresh(call, dtype, lead);
  DimList dims(store.Get(lead));
  dims.Push(call.a == 1 ? a.back() : a[a.size() - 2]);
  return Fresh(call, dtype, dims.Intern(store));
}

std::optional<Value> Outer(const Call& call) {
  if (auto out = OutArgument(call, 2)) return out;
  const auto operands = Pair(call, "a", "b");
  const ShapeId shape = call.store().Intern(
      std::array{VolumeOf(call.store(), operands[0].shape), VolumeOf(call.store(), operands[1].shape)});
  return Fresh(call, CommonDType(operands), shape, AnyUnbounded(operands));
}

std::optional<Value> Kron(const Call& call) {
  const auto operands = Pair(call, "a", "b");
  ShapeId shape;
  if (operands[0].shape.valid() && operands[1].shape.valid()) {
    DimList a(call.store().Get(operands[0].shape)), b(call.store().Get(operands[1].shape));
    const ir::DimId one = call.dims().Const(1);
    while (a.size() < b.size()) a.Insert(0, one);
    while (b.size() < a.size()) b.Insert(0, one);
    for (std::size_t i = 0; i < a.size(); ++i) a[i] = call.dims().Mul(a[i], b[i]);
    shape = a.Intern(call.store());
  }
  return Fresh(call, CommonDType(operands), shape);
}

namespace {

// Axes of one operand of tensordot: an int or a sequence of ints, as a bit mask.
std::optional<std::uint64_t> AxisMask(ValueStore& store, const Value& axes, int rank) {
  const auto bit = [&](const Value& value) -> std::optional<std::uint64_t> {
    const auto axis = ConstantInt(store, &value);
    const auto normal = axis ? NormalAxis(*axis, rank) : std::nullopt;
    return normal ? std::optional(std::uint64_t{1} << *normal) : std::nullopt;
  };
  if (axes.kind == Kind::kInt) return bit(axes);
  if ((axes.kind != Kind::kTuple && axes.kind != Kind::kList) || !axes.elements.valid()) return std::nullopt;
  std::uint64_t mask = 0;
  for (const Value& value : store.Get(axes.elements)) {
    const auto one = bit(value);
    if (!one) return std::nullopt;
    mask |= *one;
  }
  return mask;
}

}  // namespace

std::optional<Value> TensorDot(const Call& call) {
  const auto operands = Pair(call, "a", "b");
  ValueStore& store = call.store();
  const ir::DType dtype = CommonDType(operands);
  const int left = RankOf(store, operands[0].shape), right = RankOf(store, operands[1].shape);
  if (left < 0 || right < 0) return Fresh(call, dtype, ShapeId::None());
  const Value* axes = call.Given(2, "axes");
  std::optional<std::uint64_t> from_left, from_right;
  const auto count = axes == nullptr ? std::optional<std::int64_t>(2) : ConstantInt(store, axes);
  if (count) {
    if (*count < 0 || *count > left || *count > right) return Fresh(call, dtype, ShapeId::None());
    const std::uint64_t low = (std::uint64_t{1} << *count) - 1;
    from_left = low << (left - *count);
    from_right = low;
  } else if (axes->elements.valid() && store.Get(axes->elements).size() == 2) {
    from_left = AxisMask(store, store.Get(axes->elements)[0], left);
    from_right = AxisMask(store, store.Get(axes->elements)[1], right);
  }
  if (!from_left || !from_right) return Fresh(call, dtype, ShapeId::None());
  DimList dims;
  const auto keep = [&](ShapeId shape, std::uint64_t contracted) {
    const Shape& extents = store.Get(shape);
    for (std::size_t i = 0; i < extents.size(); ++i) {
      if ((contracted >> i & 1) == 0) dims.Push(extents[i]);
    }
  };
  keep(operands[0].shape, *from_left);
  keep(operands[1].shape, *from_right);
  return Fresh(call, dtype, dims.Intern(store));
}

namespace {

bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

constexpr std::size_t kLetters = 128;

// Extents by subscript letter. False where the subscripts do not fit the operands or have an ellipsis.
bool CollectExtents(ValueStore& store, std::string_view inputs, std::span<const Operand> operands,
                    std::array<ir::DimId, kLetters>& extents, std::array<int, kLetters>& uses) {
  std::size_t operand = 0, position = 0;
  for (std::size_t i = 0; i <= inputs.size(); ++i) {
    if (i == inputs.size() || inputs[i] == ',') {
      if (operand >= operands.size()) return false;
      const int rank = RankOf(store, operands[operand].shape);
      if (rank >= 0 && static_cast<std::size_t>(rank) != position) return false;
      ++operand;
      position = 0;
      continue;
    }
    const auto letter = static_cast<std::size_t>(static_cast<unsigned char>(inputs[i]));
    if (!IsLetter(inputs[i]) || operand >= operands.size()) return false;
    const ShapeId shape = operands[operand].shape;
    const bool known = shape.valid() && position < store.Get(shape).size();
    const ir::DimId extent = known ? store.Get(shape)[position] : ir::DimId::None();
    extents[letter] = uses[letter] == 0 ? extent : BroadcastExtent(store, extents[letter], extent);
    ++uses[letter];
    ++position;
  }
  return operand == operands.size();
}

}  // namespace

std::optional<Value> Einsum(const Call& call) {
  if (auto out = OutArgument(call, 99)) return out;
  std::vector<Operand> operands;
  for (std::size_t i = 1; i < call.positional(); ++i) operands.push_back(OperandOf(call.context, call.Positional(i)));
  const std::string_view written = call.positional() > 0 ? call.Text(call.Positional(0)) : std::string_view();
  const bool pairs = call.positional() > 0 && call.Positional(0).kind == Kind::kArray;  // the sublist form
  const ir::DType dtype = DTypeOr(call, 99, pairs || call.args.has_star ? ir::DType::kUnknown : CommonDType(operands));
  if (written.empty() || call.args.has_star) return Fresh(call, dtype, ShapeId::None());
  std::string subscripts;
  std::ranges::copy_if(written, std::back_inserter(subscripts), [](char c) { return c != ' '; });
  const std::size_t arrow = subscripts.find("->");
  const std::string_view inputs = std::string_view(subscripts).substr(0, arrow);
  std::array<ir::DimId, kLetters> extents{};
  std::array<int, kLetters> uses{};
  if (!CollectExtents(call.store(), inputs, operands, extents, uses)) return Fresh(call, dtype, ShapeId::None());
  DimList dims;
  if (arrow == std::string::npos) {
    // Implicit form: the letters that occur once, in alphabetical order.
    for (std::size_t letter = 0; letter < kLetters; ++letter) {
      if (uses[letter] == 1) dims.Push(extents[letter]);
    }
  } else {
    for (const char c : std::string_view(subscripts).substr(arrow + 2)) {
      const auto letter = static_cast<std::size_t>(static_cast<unsigned char>(c));
      if (!IsLetter(c) || uses[letter] == 0) return Fresh(call, dtype, ShapeId::None());
      dims.Push(extents[letter]);
    }
  }
  return Fresh(call, dtype, dims.Intern(call.store()));
}

}  // namespace cpnlint::analysis::model
