#include "cli/assume.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "analyzer/ir/dtype.h"
#include "cli/near.h"

namespace cpnlint::cli {
namespace {

constexpr double kLargest = 1e15;  // no axis and no array is larger: a petabyte of single bytes
constexpr std::string_view kForm = "NAME=VALUE, for example N=1e8 or u=(16384,16384):float32";

std::string_view Trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

bool IsIdentifier(std::string_view text) {
  const auto letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || static_cast<unsigned char>(c) >= 0x80;
  };
  return !text.empty() && letter(text.front()) &&
         std::all_of(text.begin(), text.end(), [&](char c) { return letter(c) || (c >= '0' && c <= '9'); });
}

// "1000", "1e8", "16_384"; nullopt where it is no number.
std::optional<double> NumberOf(std::string_view text) {
  std::string digits(text);
  std::erase(digits, '_');
  double number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error == std::errc::result_out_of_range && end == digits.data() + digits.size())
    return HUGE_VAL;  // no size either
  if (error != std::errc() || end != digits.data() + digits.size() || std::isnan(number)) return std::nullopt;
  return number;
}

bool IsSize(double number) { return number >= 1 && number <= kLargest && number == std::floor(number); }

std::string SizeProblem(std::string_view text) {
  return '`' + std::string(text) + "` is no size: a whole number from 1 to 1e15 is needed";
}

// What is wrong with "(16384, m):float32"; empty where nothing is.
std::string ShapeProblem(std::string_view text) {
  const std::size_t close = text.find(')');
  if (close == std::string_view::npos) return "`(` is never closed";
  std::string_view extents = text.substr(1, close - 1);
  double elements = 1;
  while (!Trimmed(extents).empty()) {
    const std::size_t comma = extents.find(',');
    const std::string_view extent = Trimmed(extents.substr(0, comma));
    const std::optional<double> number = NumberOf(extent);
    if (number && !IsSize(*number)) return SizeProblem(extent);
    elements *= number.value_or(1);
    if (!number && !IsIdentifier(extent)) {
      return '`' + std::string(extent) + "` is no extent of a shape: a whole number is needed, or a name";
    }
    extents = comma == std::string_view::npos ? std::string_view() : extents.substr(comma + 1);
  }
  if (elements > kLargest) return '`' + std::string(text) + "` is no size: an array has at most 1e15 elements";
  const std::string_view rest = Trimmed(text.substr(close + 1));
  if (rest.empty()) return {};
  if (!rest.starts_with(':')) return "`" + std::string(rest) + "` behind the shape is no `:` with an element type";
  const std::string dtype(Trimmed(rest.substr(1)));
  if (ir::ParseDType(dtype) != ir::DType::kUnknown) return {};
  static const std::vector<std::string> known = {"float16",   "float32",    "float64", "int8",   "int16",
                                                 "int32",     "int64",      "uint8",   "uint16", "uint32",
                                                 "complex64", "complex128", "uint64",  "bool"};
  return '`' + dtype + "` is no element type" + DidYouMean(dtype, known);
}

// [FILE:]a.b.c
bool IsName(std::string_view name) {
  if (const std::size_t colon = name.rfind(':'); colon != std::string_view::npos) {
    if (colon == 0) return false;
    name.remove_prefix(colon + 1);
  }
  while (true) {
    const std::size_t dot = name.find('.');
    if (!IsIdentifier(name.substr(0, dot))) return false;
    if (dot == std::string_view::npos) return true;
    name.remove_prefix(dot + 1);
  }
}

}  // namespace

std::string SizeTrouble(std::string_view value) {
  value = Trimmed(value);
  if (value.starts_with('(')) return ShapeProblem(value);
  const std::optional<double> number = NumberOf(value);
  if (!number) return '`' + std::string(value) + "` is no size: write " + std::string(kForm);
  return IsSize(*number) ? std::string() : SizeProblem(value);
}

// A size is a whole number above 0, or a shape of such numbers and names.
Result<int> CheckAssumption(const std::string& text, std::map<std::string, std::string>& known) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) {
    return Fail('`' + text + "` is not " + std::string(kForm));
  }
  const std::string name(Trimmed(text.substr(0, equals))), value(Trimmed(text.substr(equals + 1)));
  if (const std::size_t shape = name.find(".shape["); shape != std::string::npos) {
    const std::string array = name.substr(0, shape);
    return Fail('`' + text + "`: give the shape as a whole: " + array + "=(16384,16384), or " + array +
                "=(n,m) with names");
  }
  if (!IsName(name)) return Fail('`' + text + "`: `" + name + "` is no name: write " + std::string(kForm));
  if (const std::string trouble = SizeTrouble(value); !trouble.empty()) return Fail('`' + text + "`: " + trouble);
  const auto [other, is_new] = known.emplace(name, value);
  if (!is_new && other->second != value) {
    return Fail('`' + name + "` is said to be " + other->second + " and " + value);
  }
  return 0;
}

}  // namespace cpnlint::cli
