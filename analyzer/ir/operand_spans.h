#pragma once

// Where the user wrote each operand. Nearly all operands stand within their op or right around it, so what is kept is
// where in it they start, and how long they are.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "analyzer/base/span.h"

namespace cpnlint::ir {

class OperandSpans {
 public:
  // The next operand, of an op with the span `op`.
  void Add(Span op, Span operand) {
    const std::int64_t start = std::int64_t{operand.begin} - op.begin + kBefore;
    if (start >= 0 && start <= kMost && operand.end >= operand.begin && operand.size() < kMost) {
      packed_.push_back(static_cast<std::uint32_t>(start) << 16 | operand.size());
      return;
    }
    wide_.push_back({static_cast<std::uint32_t>(packed_.size()), operand});
    packed_.push_back(kWide);
  }
  [[nodiscard]] Span Of(std::size_t index, Span op) const {
    const std::uint32_t packed = packed_[index];
    if (packed == kWide) return Find(index)->span;
    const std::uint32_t begin = op.begin + (packed >> 16) - kBefore;
    return {begin, begin + (packed & 0xffff)};
  }
  void Set(std::size_t index, Span span) {
    if (packed_[index] != kWide) {
      wide_.insert(Find(index), Wide{static_cast<std::uint32_t>(index), span});
      packed_[index] = kWide;
    } else {
      Find(index)->span = span;
    }
  }
  // The ops of the operands from `first` on were moved by so much.
  void Shift(std::size_t first, std::uint32_t by) {
    for (auto wide = Find(first); wide != wide_.end(); ++wide)
      wide->span = {wide->span.begin + by, wide->span.end + by};
  }
  [[nodiscard]] std::size_t size() const { return packed_.size(); }
  void reserve(std::size_t size) { packed_.reserve(size); }

 private:
  struct Wide {
    std::uint32_t index;
    Span span;
  };
  static constexpr std::uint32_t kBefore = 0x1000;  // so far before the op's start
  static constexpr std::uint32_t kMost = 0xffff;
  static constexpr std::uint32_t kWide = 0xffff'ffff;

  [[nodiscard]] std::vector<Wide>::iterator Find(std::size_t index) {
    return std::ranges::lower_bound(wide_, index, {}, &Wide::index);
  }
  [[nodiscard]] std::vector<Wide>::const_iterator Find(std::size_t index) const {
    return std::ranges::lower_bound(wide_, index, {}, &Wide::index);
  }

  std::vector<std::uint32_t> packed_;
  std::vector<Wide> wide_;  // those that do not fit, by index
};

}  // namespace cpnlint::ir
