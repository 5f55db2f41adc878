#include "cli/report/line_hash.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <unordered_map>

#include "cli/report/width.h"

namespace cpnlint::report {
namespace {

constexpr std::size_t kWindow = 100;  // UTF-16 units, blanks left out, that a line's hash is made of
constexpr std::uint64_t kFactor = 37;
constexpr std::uint16_t kEnd = 65535;

constexpr std::uint64_t OldestFactor() {
  std::uint64_t product = 1;
  for (std::size_t i = 0; i < kWindow; ++i) product *= kFactor;
  return product;
}

std::string Hexadecimal(std::uint64_t value) {
  std::string digits;
  do {
    digits.insert(digits.begin(), "0123456789abcdef"[value & 15]);
    value >>= 4;
  } while (value != 0);
  return digits;
}

// A rolling hash over the last units. A line's hash is taken when the unit it starts with leaves the window.
class Roller {
 public:
  void Take(std::uint16_t unit) {
    const bool after_return = after_return_;
    after_return_ = unit == '\r';
    if (unit == ' ' || unit == '\t' || (after_return && unit == '\n')) return;
    if (unit == '\r') unit = '\n';
    if (starts_line_[at_]) Conclude();
    starts_line_[at_] = at_line_start_;
    at_line_start_ = unit == '\n';
    Push(unit);
  }

  std::vector<std::string> Finish() {
    Take(kEnd);
    for (std::size_t i = 0; i < kWindow; ++i) {
      if (starts_line_[at_]) Conclude();
      Push(0);
    }
    return std::move(hashes_);
  }

 private:
  void Push(std::uint16_t unit) {
    constexpr std::uint64_t kOldest = OldestFactor();
    hash_ = kFactor * hash_ + unit - kOldest * window_[at_];
    window_[at_] = unit;
    at_ = (at_ + 1) % kWindow;
  }

  void Conclude() {
    starts_line_[at_] = false;
    hashes_.push_back(Hexadecimal(hash_) + ':' + std::to_string(++seen_[hash_]));
  }

  std::array<std::uint16_t, kWindow> window_{};
  std::array<bool, kWindow> starts_line_{};
  std::size_t at_ = 0;
  std::uint64_t hash_ = 0;
  bool at_line_start_ = true;
  bool after_return_ = false;
  std::unordered_map<std::uint64_t, std::size_t> seen_;
  std::vector<std::string> hashes_;
};

}  // namespace

std::vector<std::string> LineHashes(std::string_view text) {
  Roller roller;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    const char32_t character = NextCharacter(text, at);
    if (character == 0xFFFD && at == begin + 1) return {};
    if (character < 0x10000) {
      roller.Take(static_cast<std::uint16_t>(character));
    } else {
      roller.Take(static_cast<std::uint16_t>(0xD800 + ((character - 0x10000) >> 10)));
      roller.Take(static_cast<std::uint16_t>(0xDC00 + ((character - 0x10000) & 0x3FF)));
    }
  }
  return roller.Finish();
}

}  // namespace cpnlint::report
