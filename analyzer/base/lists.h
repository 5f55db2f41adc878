#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace cpnlint {

// A list that lies in Lists or the like, as constant as what holds it.
template <class T>
class List {
 public:
  List() = default;
  List(std::span<T> items) : items_(items) {}  // NOLINT: what it is made of

  [[nodiscard]] T* begin() { return items_.data(); }
  [[nodiscard]] T* end() { return items_.data() + items_.size(); }
  [[nodiscard]] const T* begin() const { return items_.data(); }
  [[nodiscard]] const T* end() const { return items_.data() + items_.size(); }
  [[nodiscard]] std::size_t size() const { return items_.size(); }
  [[nodiscard]] bool empty() const { return items_.empty(); }
  [[nodiscard]] T& operator[](std::size_t i) { return items_[i]; }
  [[nodiscard]] const T& operator[](std::size_t i) const { return items_[i]; }
  [[nodiscard]] const T& front() const { return items_.front(); }
  [[nodiscard]] const T& back() const { return items_.back(); }
  operator std::span<const T>() const { return items_; }  // NOLINT: as of a vector

 private:
  std::span<T> items_;
};

// Memory for lists that are made once and never grow: many to an allocation, and all of them go at once. They stay
// where they are as long as this lives, also when it is moved. T needs no destructor.
template <class T>
class Lists {
 public:
  // A list of so many, to be filled.
  std::span<T> Make(std::size_t count) {
    if (count == 0) return {};
    if (count > free_.size()) {
      const std::size_t size = std::max(count, next_);
      next_ = std::min(next_ * 2, kMostInChunk);
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
  static constexpr std::size_t kMostInChunk = 4096;
  std::size_t next_ = 64;  // size of the next chunk: few lists cost little
  std::vector<std::unique_ptr<T[]>> chunks_;
  std::span<T> free_;  // of the last chunk
};

}  // namespace cpnlint
