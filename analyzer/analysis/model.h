#pragma once

// What a call to the array library gives back: NumPy's rules for dtype, shape and storage, function by function.
// One entry of the model serves `np.f(...)`, `x.f(...)` and operators alike.
//
// `evidence` of a result speaks of its being an array: a function of the namespace that returns an array in any case
// gives none, a method has its receiver's, an operator or ufunc that of the operand that is most surely an array. What
// the callee itself rests on (a namespace that is a parameter) is the caller's to add.
//
// Storage: a fresh result has the call's op as root; a view has its base's. Arrays in a tuple or list that a call
// returns have no root when they are fresh: the op that takes them out is it.
//
// A ufunc or another elementwise function of Python numbers only gives a kNumpyScalar (A.3), of values that may be
// either gives kUnknown. On the host a 0-d result is a kNumpyScalar, too.

#include <optional>
#include <span>
#include <string_view>

#include "analyzer/analysis/value.h"

namespace cpnlint::analysis {

struct KeywordArgument {
  std::string_view name;
  Value value;
};

// Arguments of one call. For a method the receiver is `positional[0]`, as in the function of the same name.
struct Arguments {
  std::span<const Value> positional;
  std::span<const KeywordArgument> keywords;
  bool has_star = false;  // *args or **kwargs: positions after it are unknown

  // By NumPy's position and name; nullptr where it is not passed (or cannot be told because of a star).
  [[nodiscard]] const Value* Find(std::size_t position, std::string_view name) const;
};

struct CallContext {
  ValueStore& store;
  Interner& names;
  ir::ValueId op;   // the call: root of fresh results
  Library library;  // of the namespace that is called, or of the receiver
};

// `name` is canonical: "numpy.zeros", "numpy.linalg.svd", "numpy.ndarray.sum", "numpy.random.Generator.normal",
// "numpy.fft.fft". nullopt where the model does not know the function: the caller takes a value of unknown kind for
// names outside the API table and an array of unknown shape for table functions that return arrays.
[[nodiscard]] std::optional<Value> ResultOfCall(CallContext& context, std::string_view name,
                                                const Arguments& arguments);

// `np.mgrid[...]`, ogrid, r_, c_, s_, index_exp: `name` as above, `keys` as for ResultOfSubscript; nullopt for others.
[[nodiscard]] std::optional<Value> ResultOfApiSubscript(CallContext& context, std::string_view name,
                                                        std::span<const Value> keys);
// True where ResultOfCall knows the name.
[[nodiscard]] bool IsModelled(std::string_view name);

// Attribute of an array: shape (a tuple of dims), ndim, size, T, dtype, real, imag, flat, ...; nullopt for methods and
// unknown names.
[[nodiscard]] std::optional<Value> AttributeOfArray(CallContext& context, const Value& array,
                                                    std::string_view attribute);

// Operators with at least one array operand (numbers are weak). Promotion, broadcasting, matmul shapes.
[[nodiscard]] Value ResultOfBinary(CallContext& context, ir::BinaryOp op, const Value& left, const Value& right);
[[nodiscard]] Value ResultOfInplace(CallContext& context, ir::BinaryOp op, const Value& target, const Value& right);
[[nodiscard]] Value ResultOfUnary(CallContext& context, ir::UnaryOp op, const Value& operand);
[[nodiscard]] Value ResultOfCompare(CallContext& context, ir::CompareOp op, const Value& left, const Value& right);

// How one key of a subscript selects.
enum class KeyKind : std::uint8_t {
  kInteger,  // drops the axis (Python int, NumPy scalar, or 0-d integer array: `device_scalar`)
  kSlice,    // basic slice; `full` where it is `:`
  kNewAxis,
  kEllipsis,
  kMask,        // boolean array or list; takes `mask_rank` axes
  kIndexArray,  // integer array or list of integers
  kUnknown,
};
struct Key {
  KeyKind kind = KeyKind::kUnknown;
  bool full = false;
  bool device_scalar = false;        // a 0-d device value used as an integer
  std::optional<std::int64_t> step;  // kSlice: folded step (1 where absent); nullopt where unknown
  bool step_given = false;
  ir::DimId lower, upper;  // kSlice: bounds as written (None() where absent or unknown)
  bool lower_given = false, upper_given = false;
  int mask_rank = 1;  // kMask; -1 unknown
  int axis = -1;      // axis of the base this key starts at; -1 where an unknown rank or mask hides it
};

struct SubscriptResult {
  std::vector<Key> keys;  // as written, Ellipsis included
  enum class Selects : std::uint8_t { kUnknown, kElement, kView, kGather, kMasked } selects = Selects::kUnknown;
  Value value;  // what a read gives: a 0-d array for kElement, else an array (view: root kept)
};
// Subscript of an array by `keys` (values of the index operands; Slice ops are kSlice values with `elements` = lower,
// upper, step).
[[nodiscard]] SubscriptResult ResultOfSubscript(CallContext& context, const Value& base, std::span<const Value> keys);

// Broadcast of shapes; None() where a rank is unknown. Extents that cannot be told apart stay as the left one says.
[[nodiscard]] ShapeId Broadcast(ValueStore& store, ShapeId a, ShapeId b);
// Value of a dtype argument (kDType, kStr constant, builtin float/int/bool/complex, kApi numpy.float32, ...); kUnknown
// otherwise.
[[nodiscard]] ir::DType DTypeArgument(const Interner& names, const Value& value);
// Value of a shape argument: an int, a tuple or list of ints. None() where the rank is unknown.
[[nodiscard]] ShapeId ShapeArgument(ValueStore& store, const Value& value);

}  // namespace cpnlint::analysis
