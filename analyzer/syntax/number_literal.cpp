#include "analyzer/syntax/number_literal.h"

#include <charconv>
#include <limits>
#include <string>
#include <system_error>

namespace cpnlint::syntax {
namespace {

int DigitOf(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'z') return c - 'a' + 10;
  if (c >= 'A' && c <= 'Z') return c - 'A' + 10;
  return 99;
}

// Without the underscores; empty when one stands where none may (only between digits, or behind a base prefix).
std::string WithoutUnderscores(std::string_view text) {
  std::string digits;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '_') {
      digits += text[i];
      continue;
    }
    const bool before = i > 0 && DigitOf(text[i - 1]) < 36;
    const bool after = i + 1 < text.size() && DigitOf(text[i + 1]) < 36;
    if (!before || !after) return {};
  }
  return digits;
}

// Infinity for what is too large, zero for what is too small; false for what is no decimal number.
bool ParseDouble(const std::string& digits, double& value) {
  const char* const end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, value);
  if (stop != end || error == std::errc::invalid_argument) return false;
  if (error == std::errc::result_out_of_range) {
    const std::size_t exponent = digits.find_first_of("eE");
    const bool small = exponent != std::string::npos && exponent + 1 < digits.size() && digits[exponent + 1] == '-';
    value = small ? 0 : std::numeric_limits<double>::infinity();
  }
  return true;
}

// The value of digits of base 2, 8 or 16 as a double: hexadecimal digits are rounded correctly by from_chars.
double ParsePowerOfTwo(std::string_view digits, int bits) {
  std::string binary;
  for (const char c : digits) {
    for (int bit = bits - 1; bit >= 0; --bit) binary += ((DigitOf(c) >> bit) & 1) != 0 ? '1' : '0';
  }
  binary.insert(0, (4 - binary.size() % 4) % 4, '0');
  std::string hex;
  for (std::size_t i = 0; i < binary.size(); i += 4) {
    int digit = 0;
    for (std::size_t k = 0; k < 4; ++k) digit = digit * 2 + (binary[i + k] - '0');
    hex += "0123456789abcdef"[digit];
  }
  double value = 0;
  const auto [stop, error] = std::from_chars(hex.data(), hex.data() + hex.size(), value, std::chars_format::hex);
  return error == std::errc::result_out_of_range ? std::numeric_limits<double>::infinity() : value;
}

NumberLiteral ParseInteger(std::string_view digits, int base) {
  NumberLiteral number;
  if (digits.empty()) return number;
  for (const char c : digits) {
    if (DigitOf(c) >= base) return number;
  }
  const char* const end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, number.int_value, base);
  if (error == std::errc() && stop == end) {
    number.type = NumberLiteral::Type::kInt;
    number.float_value = static_cast<double>(number.int_value);
    return number;
  }
  number.int_value = 0;
  number.type = NumberLiteral::Type::kBigInt;
  if (base == 10) {
    ParseDouble(std::string(digits), number.float_value);
  } else {
    number.float_value = ParsePowerOfTwo(digits, base == 16 ? 4 : base == 8 ? 3 : 1);
  }
  return number;
}

int BaseOf(std::string_view text) {
  if (text.size() < 2 || text[0] != '0') return 10;
  switch (text[1]) {
    case 'x':
    case 'X': return 16;
    case 'o':
    case 'O': return 8;
    case 'b':
    case 'B': return 2;
    default: return 10;
  }
}

}  // namespace

NumberLiteral ParseNumber(std::string_view text) {
  if (text.size() == 1) return ParseInteger(text, 10);  // most numbers
  const std::string digits = WithoutUnderscores(text);
  if (digits.empty()) return {};
  if (const int base = BaseOf(digits); base != 10) return ParseInteger(std::string_view(digits).substr(2), base);

  NumberLiteral number;
  const bool imaginary = digits.back() == 'j' || digits.back() == 'J';
  const std::string real = imaginary ? digits.substr(0, digits.size() - 1) : digits;
  if (real.empty() || (DigitOf(real[0]) > 9 && real[0] != '.')) return {};
  const bool integer = real.find_first_not_of("0123456789") == std::string::npos;
  if (integer && !imaginary) {
    // 0777 is Python 2; 000 is fine.
    if (real.size() > 1 && real[0] == '0' && real.find_first_not_of('0') != std::string::npos) return {};
    return ParseInteger(real, 10);
  }
  if (real.find_first_not_of("0123456789.eE+-") != std::string::npos) return {};
  if (!ParseDouble(real, number.float_value)) return {};
  number.type = imaginary ? NumberLiteral::Type::kImaginary : NumberLiteral::Type::kFloat;
  return number;
}

}  // namespace cpnlint::syntax
