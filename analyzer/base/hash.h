#pragma once

// A 128-bit hash of bytes: MurmurHash3_x64_128, whose author gave it to the public domain. Good enough that equal
// hashes mean equal bytes where nobody tries to deceive; no defence where somebody does.

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace cpnlint {

struct Hash128 {
  std::uint64_t high = 0, low = 0;

  friend bool operator==(Hash128, Hash128) = default;
};

namespace hash_detail {

inline std::uint64_t Rotated(std::uint64_t value, int bits) { return value << bits | value >> (64 - bits); }

inline std::uint64_t Mixed(std::uint64_t k) {
  k ^= k >> 33;
  k *= 0xff51afd7ed558ccd;
  k ^= k >> 33;
  k *= 0xc4ceb9fe1a85ec53;
  return k ^ k >> 33;
}

// Of up to eight bytes, the first one lowest.
inline std::uint64_t WordOf(const char* bytes, std::size_t count) {
  static_assert(std::endian::native == std::endian::little);
  std::uint64_t word = 0;
  std::memcpy(&word, bytes, count);
  return word;
}

}  // namespace hash_detail

[[nodiscard]] inline Hash128 HashBytes(std::string_view bytes) {
  using hash_detail::Rotated, hash_detail::WordOf;
  constexpr std::uint64_t kFirst = 0x87c37b91114253d5, kSecond = 0x4cf5ad432745937f;
  const auto first = [](std::uint64_t k) { return Rotated(k * kFirst, 31) * kSecond; };
  const auto second = [](std::uint64_t k) { return Rotated(k * kSecond, 33) * kFirst; };
  std::uint64_t a = 0, b = 0;
  const std::size_t blocks = bytes.size() / 16;
  for (std::size_t i = 0; i < blocks; ++i) {
    const char* at = bytes.data() + i * 16;
    a = (Rotated(a ^ first(WordOf(at, 8)), 27) + b) * 5 + 0x52dce729;
    b = (Rotated(b ^ second(WordOf(at + 8, 8)), 31) + a) * 5 + 0x38495ab5;
  }
  const std::size_t left = bytes.size() % 16;
  const char* tail = bytes.data() + blocks * 16;
  if (left > 8) b ^= second(WordOf(tail + 8, left - 8));
  if (left > 0) a ^= first(WordOf(tail, left < 8 ? left : 8));
  a ^= bytes.size();
  b ^= bytes.size();
  a += b;
  b += a;
  a = hash_detail::Mixed(a);
  b = hash_detail::Mixed(b);
  a += b;
  b += a;
  return {a, b};
}

// 32 hexadecimal digits.
[[nodiscard]] inline std::string HexText(Hash128 hash) {
  std::string digits(32, '0');
  const std::array<std::uint64_t, 2> words = {hash.high, hash.low};
  for (std::size_t i = 0; i < digits.size(); ++i) {
    digits[i] = "0123456789abcdef"[words[i / 16] >> (60 - 4 * (i % 16)) & 15];
  }
  return digits;
}

}  // namespace cpnlint
