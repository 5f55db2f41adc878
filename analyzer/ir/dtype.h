#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace cpnlint::ir {

// Element types. Up to kComplex128 they are those that cuPyNumeric 26.07 has (uarray.py:29-44); the rest raise there.
enum class DType : std::uint8_t {
  kUnknown,
  kBool,
  kInt8,
  kInt16,
  kInt32,
  kInt64,
  kUInt8,
  kUInt16,
  kUInt32,
  kUInt64,
  kFloat16,
  kFloat32,
  kFloat64,
  kComplex64,
  kComplex128,
  kLongDouble,
  kComplexLongDouble,
  kObject,
  kString,
  kBytes,
  kDatetime,
  kTimedelta,
  kStructured,
};

// A Python number as an operand: it bends to the array's dtype within its kind (NEP 50).
enum class Weak : std::uint8_t { kBool, kInt, kFloat, kComplex };

[[nodiscard]] std::string_view Name(DType dtype);        // "float64"
[[nodiscard]] std::string_view ShortName(DType dtype);   // "f64"; "?" for unknown
[[nodiscard]] std::optional<int> ItemSize(DType dtype);  // bytes; nullopt where it is unknown or not fixed

[[nodiscard]] constexpr bool IsInteger(DType d) { return d >= DType::kInt8 && d <= DType::kUInt64; }
[[nodiscard]] constexpr bool IsUnsigned(DType d) { return d >= DType::kUInt8 && d <= DType::kUInt64; }
[[nodiscard]] constexpr bool IsFloat(DType d) { return d >= DType::kFloat16 && d <= DType::kFloat64; }
[[nodiscard]] constexpr bool IsComplex(DType d) { return d == DType::kComplex64 || d == DType::kComplex128; }
[[nodiscard]] constexpr bool IsInexact(DType d) { return IsFloat(d) || IsComplex(d); }
[[nodiscard]] constexpr bool IsNumeric(DType d) { return d >= DType::kBool && d <= DType::kComplex128; }
// Has a representation in cuPyNumeric.
[[nodiscard]] constexpr bool IsSupported(DType d) { return IsNumeric(d); }

// numpy.promote_types; kUnknown where either is unknown or there is no common type.
[[nodiscard]] DType Promote(DType a, DType b);
// Result of an array of dtype `a` with a Python number under NEP 50.
[[nodiscard]] DType PromoteWeak(DType a, Weak b);
// True division and the like: integers and bool become float64, float16 with int8 stays as NumPy has it.
[[nodiscard]] DType TrueDivide(DType a, DType b);
// What a float ufunc (sin, sqrt, ...) makes of it: int8/uint8/bool -> float16, 16-bit -> float32, wider -> float64.
[[nodiscard]] DType FloatResult(DType a);
[[nodiscard]] DType RealPart(DType a);  // complex64 -> float32; others unchanged
// "float64", "f8", "<f8", "d", "i4", "U10", "datetime64[s]", "bool", "object"; kUnknown for others.
[[nodiscard]] DType ParseDType(std::string_view text);

}  // namespace cpnlint::ir
