#pragma once

// The ops that have to be visited again, by index. Finding the next one takes a few steps however large the program is.

#include <bit>
#include <cstdint>
#include <vector>

namespace cpnlint::analysis {

class DirtySet {
 public:
  // All of them.
  void Fill(std::size_t size) {
    words_.assign(size / 64 + 1, ~std::uint64_t{0});
    words_.back() = (std::uint64_t{1} << size % 64) - 1;
    filled_.assign(words_.size() / 64 + 1, ~std::uint64_t{0});
  }
  void Add(std::size_t index) {
    words_[index / 64] |= std::uint64_t{1} << index % 64;
    filled_[index / 4096] |= std::uint64_t{1} << index / 64 % 64;
  }
  void Remove(std::size_t index) { words_[index / 64] &= ~(std::uint64_t{1} << index % 64); }
  [[nodiscard]] bool Has(std::size_t index) const { return (words_[index / 64] >> index % 64 & 1) != 0; }

  static constexpr std::size_t kNone = ~std::size_t{0};

  // The lowest one from `from` on, or kNone.
  [[nodiscard]] std::size_t Next(std::size_t from) {
    std::size_t word = from / 64;
    if (word >= words_.size()) return kNone;
    if (const std::uint64_t rest = words_[word] & ~std::uint64_t{0} << from % 64; rest != 0)
      return word * 64 + Low(rest);
    for (++word; word < words_.size(); ++word) {
      std::uint64_t& group = filled_[word / 64];
      const std::uint64_t rest = group & ~std::uint64_t{0} << word % 64;
      if (rest == 0) {
        word |= 63;  // the loop goes on with the next group
        continue;
      }
      word = word / 64 * 64 + Low(rest);
      if (word >= words_.size()) return kNone;
      if (words_[word] != 0) return word * 64 + Low(words_[word]);
      group &= ~(std::uint64_t{1} << word % 64);  // emptied since
    }
    return kNone;
  }

 private:
  static std::size_t Low(std::uint64_t bits) { return static_cast<std::size_t>(std::countr_zero(bits)); }

  std::vector<std::uint64_t> words_;
  std::vector<std::uint64_t> filled_;  // one bit per word that may have some
};

}  // namespace cpnlint::analysis
