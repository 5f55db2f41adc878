#pragma once

// What the entries of the model are written with. Private to analyzer/analysis/model.

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "analyzer/analysis/model.h"

namespace cpnlint::analysis::model {

// Extents of a shape under construction: no allocation up to NumPy's old limit of 32 axes, above it the rank is
// unknown.
class DimList {
 public:
  DimList() = default;
  explicit DimList(std::span<const ir::DimId> dims) {
    for (const ir::DimId dim : dims) Push(dim);
  }

  void Push(ir::DimId dim) {
    if (size_ == kMost) {
      overflow_ = true;
    } else {
      dims_[size_++] = dim;
    }
  }
  void Append(std::span<const ir::DimId> dims) {
    for (const ir::DimId dim : dims) Push(dim);
  }
  void Insert(std::size_t at, ir::DimId dim) {
    Push(dim);
    if (overflow_) return;
    for (std::size_t i = size_ - 1; i > at; --i) dims_[i] = dims_[i - 1];
    dims_[at] = dim;
  }
  void Erase(std::size_t at) {
    for (std::size_t i = at; i + 1 < size_; ++i) dims_[i] = dims_[i + 1];
    --size_;
  }
  ir::DimId& operator[](std::size_t i) { return dims_[i]; }
  ir::DimId operator[](std::size_t i) const { return dims_[i]; }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] int rank() const { return static_cast<int>(size_); }
  [[nodiscard]] std::span<const ir::DimId> span() const { return {dims_.data(), size_}; }
  [[nodiscard]] ShapeId Intern(ValueStore& store) const { return overflow_ ? ShapeId::None() : store.Intern(span()); }

 private:
  static constexpr std::size_t kMost = 32;
  std::array<ir::DimId, kMost> dims_;
  std::size_t size_ = 0;
  bool overflow_ = false;
};

// An argument seen as an array.
struct Operand {
  enum class Kind : std::uint8_t {
    kUnknown,  // may be an array or not
    kWeak,     // a Python number: bends to the others' dtype
    kScalar,   // a NumPy scalar
    kArray,
    kSequence,  // a list or tuple, as an array
    kOther,     // None, a string, an object of another library: no array of numbers
  } kind = Kind::kUnknown;
  std::optional<ir::Weak> weak;  // kWeak: which; nullopt where it is an int or a float
  ir::DType dtype = ir::DType::kUnknown;
  ShapeId shape;
  bool unbounded = false;
  Library library = Library::kNone;
  EvidenceSet evidence = 0;
};

struct Entry;

// One call as its handler sees it.
struct Call {
  CallContext& context;
  const Arguments& args;
  std::string_view name;             // bare: "sum"
  std::uint8_t a = 0, b = 0;         // parameters of the entry
  bool method = false;               // of an array: positional[0] is the receiver
  Library library = Library::kNone;  // of the result
  EvidenceSet evidence = 0;          // of the result

  [[nodiscard]] ValueStore& store() const { return context.store; }
  [[nodiscard]] ir::DimStore& dims() const { return context.store.dims(); }
  // nullptr where the argument is not passed; `Given` also where None is passed.
  [[nodiscard]] const Value* Find(std::size_t position, std::string_view keyword) const {
    return args.Find(position, keyword);
  }
  [[nodiscard]] const Value* Given(std::size_t position, std::string_view keyword) const {
    const Value* value = Find(position, keyword);
    return value != nullptr && value->kind == Kind::kNone ? nullptr : value;
  }
  [[nodiscard]] bool Has(std::size_t position, std::string_view keyword) const {
    return Given(position, keyword) != nullptr;
  }
  [[nodiscard]] const Value& Positional(std::size_t i) const { return args.positional[i]; }
  [[nodiscard]] std::size_t positional() const { return args.positional.size(); }
  [[nodiscard]] std::string_view Text(const Value& value) const;  // of a constant string; "" otherwise
};

using Handler = std::optional<Value> (*)(const Call& call);

// A row of one of the sorted tables: what handles the function, and two parameters for the handler.
struct Entry {
  std::string_view name;
  Handler handler;
  std::uint8_t a = 0;
  std::uint8_t b = 0;
};

constexpr bool InOrder(std::span<const Entry> entries) {
  for (std::size_t i = 1; i < entries.size(); ++i) {
    if (entries[i - 1].name >= entries[i].name) return false;
  }
  return true;
}
[[nodiscard]] const Entry* FindEntry(std::span<const Entry> entries, std::string_view name);

// The tables. Names are bare.
[[nodiscard]] std::span<const Entry> MainFunctions();    // numpy.*
[[nodiscard]] std::span<const Entry> ArrayMethods();     // numpy.ndarray.*; what is not here is looked up in numpy.*
[[nodiscard]] std::span<const Entry> LinalgFunctions();  // numpy.linalg.*
[[nodiscard]] std::span<const Entry> FftFunctions();     // numpy.fft.*
[[nodiscard]] std::span<const Entry>
RandomFunctions();  // numpy.random.*, its Generator's and its RandomState's methods

// --- operands ---
[[nodiscard]] Operand OperandOf(CallContext& context, const Value& value);
[[nodiscard]] Operand OperandOf(CallContext& context, const Value* value);  // kUnknown for nullptr
// The common dtype of operands under NEP 50; weak numbers alone have their default dtype.
[[nodiscard]] ir::DType CommonDType(std::span<const Operand> operands);
[[nodiscard]] ShapeId CommonShape(ValueStore& store, std::span<const Operand> operands);
[[nodiscard]] bool AnyUnbounded(std::span<const Operand> operands);
// Of the operand that is most surely an array.
[[nodiscard]] EvidenceSet StrongestEvidence(std::span<const Operand> operands);
// An elementwise function of these gives an array / a scalar / either.
enum class Gives : std::uint8_t { kArray, kScalar, kEither };
[[nodiscard]] Gives ElementwiseGives(std::span<const Operand> operands);
[[nodiscard]] ir::DType DefaultDType(ir::Weak weak);
[[nodiscard]] std::optional<ir::Weak> WeakOf(Kind kind);
// A list, tuple or range as the array that np.array makes of it. `constant` where all items are constant numbers.
struct SequenceFacts {
  ir::DType dtype = ir::DType::kUnknown;
  ShapeId shape;
  bool constant = false;
  bool unbounded = false;
  bool ragged = false;  // the items may well have different shapes
};
[[nodiscard]] SequenceFacts ArrayOfSequence(CallContext& context, const Value& value);

// --- shapes ---
[[nodiscard]] int RankOf(const ValueStore& store, ShapeId shape);  // -1 where unknown
[[nodiscard]] ir::DimId VolumeOf(ValueStore& store, ShapeId shape);
[[nodiscard]] bool HasUnknownExtent(const ValueStore& store, ShapeId shape);
[[nodiscard]] ShapeId UnknownExtents(ValueStore& store, int rank);
[[nodiscard]] ir::DimId BroadcastExtent(ValueStore& store, ir::DimId a, ir::DimId b);
[[nodiscard]] ir::DimId DimOf(ValueStore& store, const Value& value);  // of an integer value; None() otherwise
[[nodiscard]] ir::DimId DimOf(ValueStore& store, const Value* value);
[[nodiscard]] std::optional<std::int64_t> ConstantInt(ValueStore& store, const Value* value);
[[nodiscard]] std::optional<bool> ConstantBool(const Value* value);
[[nodiscard]] std::optional<double> ConstantNumber(const Value* value);
// The axis in [0, rank); nullopt where it is out of range.
[[nodiscard]] std::optional<int> NormalAxis(std::int64_t axis, int rank);

// An `axis` argument.
struct Axes {
  enum class Kind : std::uint8_t { kAll, kKnown, kOneUnknown, kUnknown } kind = Kind::kUnknown;
  std::uint64_t mask = 0;       // kKnown: bit per axis
  std::array<int, 32> order{};  // kKnown: as written
  int count = 0;
};
[[nodiscard]] Axes AxesOf(const Call& call, std::size_t position, std::string_view keyword, int rank);
// One axis with a default; nullopt where it is unknown or out of range.
[[nodiscard]] std::optional<int> AxisOf(const Call& call, std::size_t position, std::string_view keyword, int rank,
                                        std::int64_t fallback);

// --- arguments ---
// The dtype argument, `fallback` where it is not passed.
[[nodiscard]] ir::DType DTypeOr(const Call& call, std::size_t position, ir::DType fallback,
                                std::string_view keyword = "dtype");
// The value passed as out=, where it is an array: the result is it.
[[nodiscard]] std::optional<Value> OutArgument(const Call& call, std::size_t position);
// The list or tuple argument's elements as operands; nullopt where they are not known one by one.
[[nodiscard]] std::optional<std::vector<Operand>> ElementsOf(const Call& call, const Value* sequence);

// --- results ---
[[nodiscard]] Value Fresh(const Call& call, ir::DType dtype, ShapeId shape, bool unbounded = false);
[[nodiscard]] Value FreshWithRank(const Call& call, ir::DType dtype, int rank, bool unbounded = false);
[[nodiscard]] Value Scalar(ir::DType dtype, Library library);
// Without a root: an element of a returned tuple or list.
[[nodiscard]] Value Part(const Call& call, ir::DType dtype, ShapeId shape, bool unbounded = false);
[[nodiscard]] Value TupleOf(const Call& call, std::vector<Value> parts);
[[nodiscard]] Value ListOf(const Call& call, std::vector<Value> parts);
// A view of `base` under another shape; `device_copies` where cuPyNumeric copies (nullopt: it depends on what is
// unknown).
[[nodiscard]] Value View(const Call& call, const Value& base, ShapeId shape, std::optional<bool> device_copies = false);

// View of `base` where it is an array, else a fresh array of what `operand` is.
[[nodiscard]] Value Rearranged(const Call& call, const Value* base, const Operand& operand, ShapeId shape,
                               std::optional<bool> device_copies = false);

// --- shared between files ---
[[nodiscard]] Value MatMul(const Call& call, const Operand& left, const Operand& right);
[[nodiscard]] std::optional<Value> Elementwise(const Call& call, std::span<const Operand> operands, ir::DType dtype);
[[nodiscard]] std::optional<Value> UfuncMethod(const Call& call, std::string_view ufunc, std::string_view method);
[[nodiscard]] ir::DType UfuncDType(std::uint8_t rule, std::span<const Operand> operands);
[[nodiscard]] ir::DType SumDType(ir::DType dtype);   // of sum, prod, cumsum, trace
[[nodiscard]] ir::DType MeanDType(ir::DType dtype);  // integers become float64
[[nodiscard]] ShapeId ReducedShape(const Call& call, const Operand& operand, const Axes& axes,
                                   std::optional<bool> keep_dims);
[[nodiscard]] bool IsUfunc(std::string_view name);

// How a ufunc's result dtype follows from its operands'.
enum class UfuncRule : std::uint8_t {
  kPromote,     // add, maximum
  kNoBool,      // power, floor_divide: as kPromote, bool becomes int8
  kFloat,       // sin, arctan2
  kDivide,      // true_divide
  kBool,        // less, isnan
  kAbsolute,    // complex becomes real
  kFloatPower,  // at least float64
  kUInt8,       // bitwise_count
  kFirstFloat,  // ldexp: the float result of the first
};

}  // namespace cpnlint::analysis::model
