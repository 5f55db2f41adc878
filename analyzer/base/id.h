#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

namespace cpnlint {

// A typed 32-bit index into one append-only table. Ids of different tables do not mix, and "no such thing" is a value.
template <class Tag>
class Id {
 public:
  constexpr Id() = default;
  constexpr explicit Id(std::size_t index) : index_(static_cast<std::uint32_t>(index)) {}

  static constexpr Id None() { return Id(); }

  [[nodiscard]] constexpr bool valid() const { return index_ != kNone; }
  [[nodiscard]] constexpr std::uint32_t index() const { return index_; }

  friend constexpr bool operator==(Id, Id) = default;
  // By creation order; lets ids be keys of ordered containers, so that output never depends on a hash.
  friend constexpr auto operator<=>(Id, Id) = default;

 private:
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
  std::uint32_t index_ = kNone;
};

// A vector that only its own kind of id can index.
template <class IdType, class T>
class IdVector {
 public:
  IdVector() = default;
  explicit IdVector(std::size_t size, const T& value = T()) : items_(size, value) {}

  IdType Add(T value) {
    items_.push_back(std::move(value));
    return IdType(items_.size() - 1);
  }

  T& operator[](IdType id) { return items_[id.index()]; }
  const T& operator[](IdType id) const { return items_[id.index()]; }

  [[nodiscard]] std::size_t size() const { return items_.size(); }
  [[nodiscard]] bool empty() const { return items_.empty(); }
  void resize(std::size_t size, const T& value = T()) { items_.resize(size, value); }
  void reserve(std::size_t size) { items_.reserve(size); }
  void clear() { items_.clear(); }

  auto begin() { return items_.begin(); }
  auto end() { return items_.end(); }
  auto begin() const { return items_.begin(); }
  auto end() const { return items_.end(); }

 private:
  std::vector<T> items_;
};

}  // namespace cpnlint

template <class Tag>
struct std::hash<cpnlint::Id<Tag>> {
  std::size_t operator()(cpnlint::Id<Tag> id) const noexcept { return id.index(); }
};
