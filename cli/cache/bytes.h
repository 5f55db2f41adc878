#pragma once

// Plain data to bytes and back. A struct says once which fields it has (fields.h); writing and reading follow from it.
// What is read may be anything: a reader never goes beyond its bytes, and says at the end whether all was well.

#include <array>
#include <bit>
#include <concepts>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace cpnlint::cli {

class ByteWriter {
 public:
  [[nodiscard]] std::string Take() { return std::move(bytes_); }

  template <class... Values>
  void operator()(const Values&... values) {
    (Put(values), ...);
  }

 private:
  void PutNumber(std::uint64_t number) {
    for (; number >= 0x80; number >>= 7) bytes_ += static_cast<char>(number | 0x80);
    bytes_ += static_cast<char>(number);
  }
  template <class Value>
  requires std::integral<Value> || std::is_enum_v<Value>
  void Put(Value value) {
    // Small negative numbers do not occur where size matters.
    PutNumber(static_cast<std::uint64_t>(value));
  }
  void Put(double value) {
    const auto bits = std::bit_cast<std::array<char, sizeof value>>(value);
    bytes_.append(bits.data(), bits.size());
  }
  void Put(const std::string& text) {
    PutNumber(text.size());
    bytes_ += text;
  }
  template <class Item>
  void Put(const std::vector<Item>& items) {
    PutNumber(items.size());
    for (const Item& item : items) Put(item);
  }
  template <class Item, std::size_t N>
  void Put(const std::array<Item, N>& items) {
    for (const Item& item : items) Put(item);
  }
  template <class Item>
  void Put(const std::optional<Item>& item) {
    Put(item.has_value());
    if (item) Put(*item);
  }
  template <class Item>
  void Put(const std::shared_ptr<const Item>& item) {
    Put(item != nullptr);
    if (item) Put(*item);
  }
  template <class First, class Second>
  void Put(const std::pair<First, Second>& pair) {
    Put(pair.first);
    Put(pair.second);
  }
  template <class Key, class Item>
  void Put(const std::map<Key, Item>& items) {
    PutNumber(items.size());
    for (const auto& item : items) Put(item);
  }
  template <class Struct>
  requires std::is_class_v<Struct>
  void Put(const Struct& value) {
    // One list of fields serves both directions, so it asks for what can be changed; a writer changes nothing.
    Fields(*this, const_cast<Struct&>(value));
  }

  std::string bytes_;
};

class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : bytes_(bytes) {}

  template <class... Values>
  void operator()(Values&... values) {
    (Get(values), ...);
  }
  // All bytes were read, and they were what they should be.
  [[nodiscard]] bool Complete() const { return good_ && bytes_.empty(); }
  // For a struct's own checks.
  void Refuse() { good_ = false; }

 private:
  std::uint64_t GetNumber() {
    std::uint64_t number = 0;
    for (int shift = 0; shift < 64 && !bytes_.empty(); shift += 7) {
      const auto byte = static_cast<unsigned char>(bytes_.front());
      bytes_.remove_prefix(1);
      number |= std::uint64_t{byte & 0x7FU} << shift;
      if (byte < 0x80) return number;
    }
    good_ = false;
    return 0;
  }
  // Each item takes a byte at least, so a count beyond the bytes is none.
  std::size_t GetCount() {
    const std::uint64_t count = GetNumber();
    if (count > bytes_.size()) good_ = false;
    return good_ ? static_cast<std::size_t>(count) : 0;
  }
  template <class Value>
  requires std::integral<Value> || std::is_enum_v<Value>
  void Get(Value& value) { value = static_cast<Value>(GetNumber()); }
  void Get(double& value) {
    std::array<char, sizeof value> bits{};
    if (bytes_.size() < bits.size()) return Refuse();
    bytes_.copy(bits.data(), bits.size());
    bytes_.remove_prefix(bits.size());
    value = std::bit_cast<double>(bits);
  }
  void Get(std::string& text) {
    const std::size_t size = GetCount();
    text = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
  }
  template <class Item>
  void Get(std::vector<Item>& items) {
    items.clear();
    for (std::size_t count = GetCount(); count > 0 && good_; --count) Get(items.emplace_back());
  }
  template <class Item, std::size_t N>
  void Get(std::array<Item, N>& items) {
    for (Item& item : items) Get(item);
  }
  template <class Item>
  void Get(std::shared_ptr<const Item>& item) {
    bool there = false;
    Get(there);
    if (!there) return;
    auto made = std::make_shared<Item>();
    Get(*made);
    item = std::move(made);
  }
  template <class Item>
  void Get(std::optional<Item>& item) {
    bool is_there = false;
    Get(is_there);
    item.reset();
    if (is_there && good_) Get(item.emplace());
  }
  template <class First, class Second>
  void Get(std::pair<First, Second>& pair) {
    Get(pair.first);
    Get(pair.second);
  }
  template <class Key, class Item>
  void Get(std::map<Key, Item>& items) {
    items.clear();
    for (std::size_t count = GetCount(); count > 0 && good_; --count) {
      Key key{};
      Get(key);
      Get(items[key]);
    }
  }
  template <class Struct>
  requires std::is_class_v<Struct>
  void Get(Struct& value) { Fields(*this, value); }

  std::string_view bytes_;
  bool good_ = true;
};

}  // namespace cpnlint::cli
