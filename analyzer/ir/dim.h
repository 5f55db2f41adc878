#pragma once

// Symbolic extents and integer values: integer polynomials over symbols, and floor-div, ceil-div, mod, min, max of
// them. Equal expressions have equal ids (hash-consing after normalisation), so comparing ids compares values
// symbolically.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/base/id.h"
#include "analyzer/base/interner.h"

namespace cpnlint::ir {

using DimId = Id<struct DimTag>;  // None() = unknown

class DimStore {
 public:
  DimStore();
  ~DimStore();
  DimStore(const DimStore&) = delete;
  DimStore& operator=(const DimStore&) = delete;

  // An unknown operand makes an unknown result everywhere below. Overflow of 64 bits makes it unknown, too.
  DimId Const(std::int64_t value);
  // A symbol is one run-time integer: equal (name, instance) pairs are the same number. `name` is what users read.
  DimId SymbolOf(Symbol name, std::uint32_t instance);
  // From now on every symbol of that name with an instance from `first` to `last` is this number (`--assume N=1e8`).
  void Assume(Symbol name, std::int64_t value, std::uint32_t first, std::uint32_t last);
  [[nodiscard]] bool AssumesAnything() const;
  [[nodiscard]] std::optional<std::int64_t> Assumed(Symbol name, std::uint32_t instance) const;
  DimId Add(DimId a, DimId b);
  DimId Sub(DimId a, DimId b);
  DimId Mul(DimId a, DimId b);
  DimId FloorDiv(DimId a, DimId b);  // Python's //
  DimId CeilDiv(DimId a, DimId b);
  DimId Mod(DimId a, DimId b);  // Python's %
  DimId Min(DimId a, DimId b);
  DimId Max(DimId a, DimId b);
  DimId Pow(DimId a, DimId b);  // constant non-negative exponent <= 8, or all constant; else unknown
  DimId Negate(DimId a);

  [[nodiscard]] std::optional<std::int64_t> AsConst(DimId a) const;
  // a - b where that is a constant: n+2 against n is 2. nullopt where unknown.
  [[nodiscard]] std::optional<std::int64_t> Difference(DimId a, DimId b);
  // True only where a and b are proved equal / proved different.
  [[nodiscard]] bool KnownEqual(DimId a, DimId b);
  [[nodiscard]] bool KnownDifferent(DimId a, DimId b);
  // A bound that holds if every symbol is >= `least` (extents are >= 0, trip counts >= 0). nullopt where
  // unbounded/unknown.
  [[nodiscard]] std::optional<std::int64_t> LowerBound(DimId a, std::int64_t least) const;

  // Replaces symbols; `binding` returns None() for symbols that stay. Used by `--assume`.
  DimId Substitute(DimId a, const std::function<DimId(Symbol name, std::uint32_t instance)>& binding);
  // The value where every symbol is the number that `number` says; nullopt where unknown or divided by zero.
  using NumberOf = std::function<double(Symbol name, std::uint32_t instance)>;
  [[nodiscard]] std::optional<double> Evaluate(DimId a, const NumberOf& number) const;
  // Symbols in the expression, in order of first occurrence.
  [[nodiscard]] std::vector<Symbol> Symbols(DimId a) const;

  // "n-2", "2*n*m", "ceil(n/4)", "n//2", "min(n, m)"; "?" for unknown.
  [[nodiscard]] std::string ToString(DimId a, const Interner& names) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace cpnlint::ir
