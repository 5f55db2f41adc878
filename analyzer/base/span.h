#pragma once

#include <algorithm>
#include <cstdint>

namespace cpnlint {

// Half-open range of byte offsets into the UTF-8 text of one source file; in a program of several modules, into their
// texts one after the other (ir::Module::text), so that a span alone says which file it is in.
struct Span {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;

  [[nodiscard]] constexpr std::uint32_t size() const { return end - begin; }
  [[nodiscard]] constexpr bool empty() const { return begin >= end; }
  [[nodiscard]] constexpr bool Contains(Span inner) const { return begin <= inner.begin && inner.end <= end; }

  friend constexpr bool operator==(Span, Span) = default;
  friend constexpr auto operator<=>(Span, Span) = default;
};

constexpr Span Join(Span a, Span b) { return {std::min(a.begin, b.begin), std::max(a.end, b.end)}; }

}  // namespace cpnlint
