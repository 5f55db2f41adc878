#pragma once

#include <cstdint>
#include <string_view>

namespace cpnlint::syntax {

// The value of a number literal (text of a kInteger or kFloat node). The grammar calls 1j an integer; this does not.
struct NumberLiteral {
  enum class Type : std::uint8_t {
    kInvalid,    // not a Python 3 number: 10L, 0777, 1__0, 0x
    kInt,        // fits 64 bits: int_value and float_value
    kBigInt,     // does not fit: float_value is the nearest double (infinity beyond 1.8e308)
    kFloat,      // float_value
    kImaginary,  // float_value is the factor of j
  };
  Type type = Type::kInvalid;
  std::int64_t int_value = 0;
  double float_value = 0;
};

// Decimal, 0x, 0o, 0b with underscores; floats with exponent; j. Correctly rounded, locale-independent.
NumberLiteral ParseNumber(std::string_view text);

}  // namespace cpnlint::syntax
