// Arithmetic of symbolic extents.

#include "analyzer/ir/dim_impl.h"

namespace cpnlint::ir {

using dim_internal::Atom;
using dim_internal::AtomKind;
using dim_internal::FloorDivide;
using dim_internal::kLargestPower;
using dim_internal::kMinInt;
using dim_internal::Modulo;
using dim_internal::Polynomial;
using dim_internal::Term;

DimStore::DimStore() : impl_(std::make_unique<Impl>()) {}
DimStore::~DimStore() = default;

DimId DimStore::Const(std::int64_t value) { return impl_->InternPolynomial(value, {}); }

void DimStore::Assume(Symbol name, std::int64_t value, std::uint32_t first, std::uint32_t last) {
  impl_->assumed[name].push_back({value, first, last});
}

bool DimStore::AssumesAnything() const { return !impl_->assumed.empty(); }

std::optional<std::int64_t> DimStore::Assumed(Symbol name, std::uint32_t instance) const {
  const auto found = impl_->assumed.find(name);
  if (found == impl_->assumed.end()) return std::nullopt;
  for (const Impl::Assumed& assumed : found->second) {
    if (assumed.first <= instance && instance <= assumed.last) return assumed.value;
  }
  return std::nullopt;
}

DimId DimStore::SymbolOf(Symbol name, std::uint32_t instance) {
  if (AssumesAnything()) {
    if (const auto assumed = Assumed(name, instance)) return Const(*assumed);
  }
  return impl_->OfAtom({AtomKind::kSymbol, 1, name.index(), instance});
}

DimId DimStore::Add(DimId a, DimId b) {
  if (!a.valid() || !b.valid()) return DimId::None();
  Polynomial& sum = impl_->scratch;
  sum.Clear();
  return impl_->Accumulate(sum, a, 1) && impl_->Accumulate(sum, b, 1) ? impl_->InternPolynomial(sum) : DimId::None();
}

DimId DimStore::Sub(DimId a, DimId b) {
  if (!a.valid() || !b.valid()) return DimId::None();
  Polynomial& sum = impl_->scratch;
  sum.Clear();
  return impl_->Accumulate(sum, a, 1) && impl_->Accumulate(sum, b, -1) ? impl_->InternPolynomial(sum) : DimId::None();
}

DimId DimStore::Negate(DimId a) { return Sub(Const(0), a); }

DimId DimStore::Mul(DimId a, DimId b) {
  if (!a.valid() || !b.valid()) return DimId::None();
  Impl& impl = *impl_;
  if (impl.IsConst(b)) std::swap(a, b);
  Polynomial& sum = impl.scratch;
  sum.Clear();
  if (!impl.Accumulate(sum, b, impl.Constant(a))) return DimId::None();
  for (const Term& term : impl.Terms(a)) {  // products grow meanwhile, terms do not
    if (!impl.AccumulateProduct(sum, b, term.factor, term.monomial)) return DimId::None();
  }
  return impl.InternPolynomial(sum);
}

DimId DimStore::FloorDiv(DimId a, DimId b) {
  if (!a.valid() || !b.valid()) return DimId::None();
  Impl& impl = *impl_;
  Polynomial quotient, rest;
  if (!impl.IsConst(b)) {
    if (impl.IsConst(a) && impl.Constant(a) == 0) return a;
    if (!impl.Divide(a, b, quotient, rest)) return impl.OfOperation(AtomKind::kFloorDiv, a, b);
    const DimId whole = impl.InternPolynomial(quotient);
    const DimId left = impl.InternPolynomial(rest);
    if (!whole.valid() || !left.valid()) return DimId::None();
    if (impl.IsConst(left) && impl.Constant(left) == 0) return whole;
    return Add(whole, impl.OfOperation(AtomKind::kFloorDiv, left, b));
  }
  std::int64_t divisor = impl.Constant(b);
  if (divisor == 0 || divisor == kMinInt) return DimId::None();
  if (divisor < 0) return FloorDiv(Negate(a), Const(-divisor));
  if (divisor == 1) return a;
  // Multiples of the divisor leave the quotient; a common factor of what stays is cancelled.
  std::int64_t common = divisor;
  for (const Term& term : impl.Terms(a)) {
    if (term.factor % divisor == 0) {
      quotient.terms.push_back({term.factor / divisor, term.monomial});
    } else {
      rest.terms.push_back(term);
      if (term.factor == kMinInt) return DimId::None();
      for (std::int64_t x = term.factor < 0 ? -term.factor : term.factor; x != 0;) {
        const std::int64_t y = common % x;
        common = x;
        x = y;
      }
    }
  }
  quotient.constant = FloorDivide(impl.Constant(a), divisor);
  rest.constant = Modulo(impl.Constant(a), divisor);
  const DimId whole = impl.InternPolynomial(quotient);
  if (rest.terms.empty() || !whole.valid()) return whole;
  for (Term& term : rest.terms) term.factor /= common;
  rest.constant = FloorDivide(rest.constant, common);
  const DimId left = impl.InternPolynomial(rest);
  if (!left.valid()) return left;
  return Add(whole, impl.OfOperation(AtomKind::kFloorDiv, left, Const(divisor / common)));
}

DimId DimStore::CeilDiv(DimId a, DimId b) {
  if (!a.valid() || !b.valid()) return DimId::None();
  Impl& impl = *impl_;
  if (impl.IsConst(b) && impl.Constant(b) > 0) return FloorDiv(Add(a, Const(impl.Constant(b) - 1)), b);
  if (impl.IsConst(b)) return Negate(FloorDiv(Negate(a), b));
  Polynomial quotient, rest;
  if (!impl.Divide(a, b, quotient, rest)) return impl.OfOperation(AtomKind::kCeilDiv, a, b);
  const DimId whole = impl.InternPolynomial(quotient);
  const DimId left = impl.InternPolynomial(rest);
  if (!whole.valid() || !left.valid()) return DimId::None();
  if (impl.IsConst(left) && impl.Constant(left) == 0) return whole;
  return Add(whole, impl.OfOperation(AtomKind::kCeilDiv, left, b));
}

DimId DimStore::Mod(DimId a, DimId b) {
  if (!a.valid() || !b.valid()) return DimId::None();
  Impl& impl = *impl_;
  Polynomial quotient, rest;
  if (impl.IsConst(b)) {
    const std::int64_t divisor = impl.Constant(b);
    if (divisor == 0 || divisor == kMinInt) return DimId::None();
    if (divisor < 0) return Negate(Mod(Negate(a), Const(-divisor)));
    for (const Term& term : impl.Terms(a)) {
      const std::int64_t factor = Modulo(term.factor, divisor);
      if (factor != 0) rest.terms.push_back({factor, term.monomial});
    }
    rest.constant = Modulo(impl.Constant(a), divisor);
  } else if (!impl.Divide(a, b, quotient, rest)) {
    return impl.OfOperation(AtomKind::kMod, a, b);
  }
  const DimId left = impl.InternPolynomial(rest);
  if (!left.valid() || (impl.IsConst(left) && (impl.IsConst(b) || impl.Constant(left) == 0))) return left;
  return impl.OfOperation(AtomKind::kMod, left, b);
}

DimId DimStore::Min(DimId a, DimId b) {
  if (!a.valid() || !b.valid()) return DimId::None();
  if (const auto difference = Difference(a, b)) return *difference <= 0 ? a : b;
  return impl_->OfOperation(AtomKind::kMin, std::min(a, b), std::max(a, b));
}

DimId DimStore::Max(DimId a, DimId b) {
  if (!a.valid() || !b.valid()) return DimId::None();
  if (const auto difference = Difference(a, b)) return *difference >= 0 ? a : b;
  return impl_->OfOperation(AtomKind::kMax, std::min(a, b), std::max(a, b));
}

DimId DimStore::Pow(DimId a, DimId b) {
  const auto exponent = AsConst(b);
  if (!a.valid() || !exponent || *exponent < 0) return DimId::None();
  const bool constant = impl_->IsConst(a);
  if (constant && impl_->Constant(a) >= -1 && impl_->Constant(a) <= 1) {
    const std::int64_t base = impl_->Constant(a);
    return *exponent == 0 ? Const(1) : base == -1 && *exponent % 2 == 0 ? Const(1) : a;
  }
  if (*exponent > (constant ? 64 : kLargestPower)) return DimId::None();
  DimId product = Const(1);
  for (std::int64_t i = 0; i < *exponent; ++i) product = Mul(product, a);
  return product;
}

std::optional<std::int64_t> DimStore::AsConst(DimId a) const {
  if (!a.valid() || !impl_->IsConst(a)) return std::nullopt;
  return impl_->Constant(a);
}

std::optional<std::int64_t> DimStore::Difference(DimId a, DimId b) {
  if (!a.valid() || !b.valid()) return std::nullopt;
  if (!std::ranges::equal(impl_->Terms(a), impl_->Terms(b))) return std::nullopt;
  std::int64_t difference = 0;
  if (__builtin_sub_overflow(impl_->Constant(a), impl_->Constant(b), &difference)) return std::nullopt;
  return difference;
}

bool DimStore::KnownEqual(DimId a, DimId b) { return a.valid() && a == b; }

bool DimStore::KnownDifferent(DimId a, DimId b) {
  const auto difference = Difference(a, b);
  return difference && *difference != 0;
}

DimId DimStore::Substitute(DimId a, const std::function<DimId(Symbol name, std::uint32_t instance)>& binding) {
  if (!a.valid()) return a;
  DimId sum = Const(impl_->Constant(a));
  const auto terms = impl_->Terms(a);
  const std::vector<Term> copy(terms.begin(), terms.end());  // the arithmetic below makes further ones
  for (const Term& term : copy) {
    const auto view = impl_->Factors(term.monomial);
    const std::vector<std::uint32_t> factors(view.begin(), view.end());
    DimId product = Const(term.factor);
    for (const std::uint32_t factor : factors) {
      const Atom atom = impl_->atoms[factor];
      DimId value;
      if (atom.kind == AtomKind::kSymbol) {
        value = binding(Symbol(atom.a), atom.b);
        if (!value.valid()) value = SymbolOf(Symbol(atom.a), atom.b);
      } else {
        const DimId left = Substitute(DimId(atom.a), binding), right = Substitute(DimId(atom.b), binding);
        switch (atom.kind) {
          case AtomKind::kFloorDiv: value = FloorDiv(left, right); break;
          case AtomKind::kCeilDiv: value = CeilDiv(left, right); break;
          case AtomKind::kMod: value = Mod(left, right); break;
          case AtomKind::kMin: value = Min(left, right); break;
          case AtomKind::kMax: value = Max(left, right); break;
          case AtomKind::kSymbol: break;
        }
      }
      product = Mul(product, value);
    }
    sum = Add(sum, product);
  }
  return sum;
}

}  // namespace cpnlint::ir
