// What a symbolic extent is at least.

#include "analyzer/ir/dim_impl.h"

namespace cpnlint::ir {

using dim_internal::AddTo;
using dim_internal::Atom;
using dim_internal::AtomKind;
using dim_internal::FloorDivide;
using dim_internal::Interval;
using dim_internal::kMinInt;
using dim_internal::Polynomial;
using dim_internal::Term;
using dim_internal::Times;

namespace {

std::optional<std::int64_t> Sum(std::optional<std::int64_t> a, std::optional<std::int64_t> b) {
  std::int64_t sum = 0;
  if (!a || !b || __builtin_add_overflow(*a, *b, &sum)) return std::nullopt;
  return sum;
}

Interval Product(const Interval& a, const Interval& b) {
  Interval product;
  std::int64_t value = 0;
  if (a.low && b.low && *a.low >= 0 && *b.low >= 0) {
    if (Times(*a.low, *b.low, value)) product.low = value;
    if (a.high && b.high && Times(*a.high, *b.high, value)) product.high = value;
    return product;
  }
  if (!a.low || !a.high || !b.low || !b.high) return product;
  for (const std::int64_t x : {*a.low, *a.high}) {
    for (const std::int64_t y : {*b.low, *b.high}) {
      if (!Times(x, y, value)) return {};
      product.low = product.low ? std::min(*product.low, value) : value;
      product.high = product.high ? std::max(*product.high, value) : value;
    }
  }
  return product;
}

}  // namespace

// Depth is bounded by kMostParts, so the recursion of the functions below is, too.
Interval DimStore::Impl::Bounds(DimId id, std::int64_t least) const {
  Interval sum{Constant(id), Constant(id)};
  for (const Term& term : Terms(id)) {
    Interval product{1, 1};
    for (const std::uint32_t factor : Factors(term.monomial)) {
      product = Product(product, AtomBounds(atoms[factor], least));
    }
    std::int64_t low = 0, high = 0;
    const bool has_low = product.low && Times(*product.low, term.factor, low);
    const bool has_high = product.high && Times(*product.high, term.factor, high);
    Interval scaled{has_low ? std::optional(low) : std::nullopt, has_high ? std::optional(high) : std::nullopt};
    if (term.factor < 0) std::swap(scaled.low, scaled.high);
    sum = {Sum(sum.low, scaled.low), Sum(sum.high, scaled.high)};
  }
  return sum;
}

Interval DimStore::Impl::AtomBounds(const Atom& atom, std::int64_t least) const {
  if (atom.kind == AtomKind::kSymbol) return {least, std::nullopt};
  const Interval a = Bounds(DimId(atom.a), least), b = Bounds(DimId(atom.b), least);
  switch (atom.kind) {
    case AtomKind::kMin: {
      Interval result;
      if (a.low && b.low) result.low = std::min(*a.low, *b.low);
      if (a.high || b.high) result.high = !a.high ? b.high : !b.high ? a.high : std::min(*a.high, *b.high);
      return result;
    }
    case AtomKind::kMax: {
      Interval result;
      if (a.low || b.low) result.low = !a.low ? b.low : !b.low ? a.low : std::max(*a.low, *b.low);
      if (a.high && b.high) result.high = std::max(*a.high, *b.high);
      return result;
    }
    case AtomKind::kMod:
      if (!b.low || *b.low < 0) return {};
      return {0, b.high && *b.high > 0 ? std::optional(*b.high - 1) : std::nullopt};
    case AtomKind::kFloorDiv:
    case AtomKind::kCeilDiv: {
      // Zero divisors raise, so a divisor that is not negative is at least 1.
      if (!b.low || *b.low < 0) return {};
      Interval result;
      const bool constant = b.high && *b.low == *b.high && *b.low > 0;
      const std::int64_t up = atom.kind == AtomKind::kCeilDiv && constant ? *b.low - 1 : 0;
      if (constant) {
        if (a.low) result.low = FloorDivide(*a.low + up, *b.low);
        if (a.high) result.high = FloorDivide(*a.high + up, *b.low);
        return result;
      }
      if (a.low && *a.low >= 0) result.low = 0;
      if (a.high && *a.high >= 0) result.high = a.high;
      return result;
    }
    case AtomKind::kSymbol: break;
  }
  return {};
}

// Operations that stand alone in a term are replaced by a linear bound, which keeps what they share with other terms:
// n - n//2 is at least 0 although n//2 has no upper bound by itself.
std::optional<std::int64_t> DimStore::Impl::LowerBound(const Polynomial& polynomial, std::int64_t least,
                                                       int budget) const {
  for (const Term& term : polynomial.terms) {
    const auto factors = Factors(term.monomial);
    if (budget == 0 || factors.size() != 1 || atoms[factors[0]].kind == AtomKind::kSymbol) continue;
    const Atom& atom = atoms[factors[0]];
    Polynomial others = polynomial;
    std::erase_if(others.terms, [&](const Term& t) { return t.monomial == term.monomial; });
    if ((atom.kind == AtomKind::kMin && term.factor < 0) || (atom.kind == AtomKind::kMax && term.factor > 0)) {
      Polynomial other_side = others;
      std::optional<std::int64_t> left, right;
      if (Accumulate(others, DimId(atom.a), term.factor)) left = LowerBound(others, least, budget - 1);
      if (Accumulate(other_side, DimId(atom.b), term.factor)) right = LowerBound(other_side, least, budget - 1);
      return !left ? right : !right ? left : std::max(*left, *right);
    }
    if (atom.kind == AtomKind::kFloorDiv && IsConst(DimId(atom.b)) && Constant(DimId(atom.b)) > 0) {
      const std::int64_t divisor = Constant(DimId(atom.b));
      Polynomial scaled;
      bool fits = Times(others.constant, divisor, scaled.constant);
      for (const Term& t : others.terms) {
        std::int64_t factor = 0;
        fits = fits && Times(t.factor, divisor, factor);
        scaled.terms.push_back({factor, t.monomial});
      }
      std::int64_t slack = 0;
      fits = fits && Accumulate(scaled, DimId(atom.a), term.factor);
      if (term.factor > 0) fits = fits && Times(term.factor, divisor - 1, slack) && AddTo(scaled.constant, -slack);
      if (!fits) continue;
      const auto bound = LowerBound(scaled, least, budget - 1);
      if (bound && *bound != kMinInt) return -FloorDivide(-*bound, divisor);
    }
  }
  std::optional<std::int64_t> sum = polynomial.constant;
  for (const Term& term : polynomial.terms) {
    Interval product{1, 1};
    for (const std::uint32_t factor : Factors(term.monomial)) {
      product = Product(product, AtomBounds(atoms[factor], least));
    }
    const auto& side = term.factor > 0 ? product.low : product.high;
    std::int64_t scaled = 0;
    if (!side || !Times(*side, term.factor, scaled)) return std::nullopt;
    sum = Sum(sum, scaled);
  }
  return sum;
}

std::optional<std::int64_t> DimStore::LowerBound(DimId a, std::int64_t least) const {
  if (!a.valid()) return std::nullopt;
  if (impl_->IsConst(a)) return impl_->Constant(a);
  Polynomial polynomial;
  if (!impl_->Accumulate(polynomial, a, 1)) return std::nullopt;
  return impl_->LowerBound(polynomial, least, 6);
}

}  // namespace cpnlint::ir
