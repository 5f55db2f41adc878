#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace cpnlint {

// Memory for lists that are made once and never grow: many to an allocation, and all of them go at once. They stay
// where they are as long as this lives, also when it is moved. T needs no destructor.
template <class T>
class Lists {
 public:
  // A list of so many, to be filled.
  std::span<T> Make(std::size_t count) {
    if (count == 0) return {};
    if (count > free_.size()) {
      const std::size_t size = std::max(count, kChunk);
      chunks_.push_back(std::make_unique<T[]>(size));
      free_ = {chunks_.back().get(), size};
    }
    const std::span<T> list = free_.first(count);
    free_ = free_.subspan(count);
    return list;
  }

  std::span<T> Copy(std::span<const T> from) {
    const std::span<T> list = Make(from.size());
    std::copy(from.begin(), from.end(), list.begin());
    return list;
  }

 private:
  static constexpr std::size_t kChunk = 4096;
  std::vector<std::unique_ptr<T[]>> chunks_;
  std::span<T> free_;  // of the last chunk
};

}  // namespace cpnlint
