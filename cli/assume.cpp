#include "cli/assume.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>

namespace cpnlint::cli {
namespace {

constexpr double kLargest = 1e15;  // no axis is longer: a petabyte of single bytes

std::string_view Trim(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

// "1000", "1e8", "16_384", also such as are no sizes.
std::optional<double> NumberOf(std::string_view text) {
  std::string digits(text);
  std::erase(digits, '_');
  double number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  const bool whole = end == digits.data() + digits.size() && !digits.empty();
  if (error == std::errc::result_out_of_range && whole) return HUGE_VAL;
  return error == std::errc() && whole ? std::optional(number) : std::nullopt;
}

bool IsSize(double number) { return number >= 1 && number <= kLargest && number == std::floor(number); }

bool IsName(std::string_view text) {
  const auto is_part = [](char c) { return c == '_' || c == '.' || std::isalnum(static_cast<unsigned char>(c)) != 0; };
  return !text.empty() && std::isdigit(static_cast<unsigned char>(text.front())) == 0 &&
         std::ranges::all_of(text, is_part);
}

Result<int> NoSize(std::string_view text) {
  return Fail('`' + std::string(text) + "` is no size: a whole number from 1 to 1e15 is needed");
}

// "(16384, m):float32"
bool IsShape(std::string_view text) { return text.starts_with('(') && text.find(')') != std::string_view::npos; }

Result<int> CheckShape(const std::string& whole, std::string_view text) {
  std::string_view extents = text.substr(1, text.rfind(')') - 1);
  while (!Trim(extents).empty()) {
    const std::size_t comma = extents.find(',');
    const std::string_view extent = Trim(extents.substr(0, comma));
    const std::optional<double> number = NumberOf(extent);
    if (number ? !IsSize(*number) : !IsName(extent)) return NoSize(whole);
    extents = comma == std::string_view::npos ? std::string_view() : extents.substr(comma + 1);
  }
  return 0;
}

}  // namespace

// A size is a whole number above 0, or a shape of such numbers and names.
Result<int> CheckAssumption(const std::string& text, std::map<std::string, std::string>& known) {
  const std::size_t equals = text.find('=');
  const std::string form = " is not NAME=VALUE, for example N=1e8 or u=(16384,16384):float32";
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) return Fail('`' + text + '`' + form);
  const std::string name = text.substr(0, equals), value = text.substr(equals + 1);
  const std::optional<double> number = NumberOf(Trim(value));
  if (number && !IsSize(*number)) return NoSize(text);
  if (!number && !IsShape(value)) return Fail('`' + text + '`' + form);
  if (!number) {
    if (auto good = CheckShape(text, value); !good) return good;
  }
  const auto [other, is_new] = known.emplace(name, value);
  if (!is_new && other->second != value) {
    return Fail('`' + name + "` is said to be " + other->second + " and " + value);
  }
  return 0;
}

}  // namespace cpnlint::cli
