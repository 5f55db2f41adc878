#include "analyzer/ir/dim.h"

#include <algorithm>
#include <limits>
#include <span>
#include <unordered_map>

namespace cpnlint::ir {

namespace {

// Larger expressions are unknown: nothing that a reader would recognise has that many parts, and sums cannot blow up.
constexpr std::uint32_t kMostParts = 96;
constexpr std::size_t kMostTerms = 48;
constexpr std::size_t kMostFactors = 12;
constexpr std::int64_t kLargestPower = 8;

enum class AtomKind : std::uint8_t { kSymbol, kFloorDiv, kCeilDiv, kMod, kMin, kMax };

// What a monomial multiplies: a symbol, or an operation that does not distribute.
struct Atom {
  AtomKind kind = AtomKind::kSymbol;
  std::uint32_t a = 0;      // symbol: index of its name; else the left dim
  std::uint32_t b = 0;      // symbol: instance; else the right dim
  std::uint32_t parts = 1;  // size of the expression
  friend bool operator==(const Atom& x, const Atom& y) { return x.kind == y.kind && x.a == y.a && x.b == y.b; }
};

struct Term {
  std::int64_t factor = 0;
  std::uint32_t monomial = 0;
  friend bool operator==(const Term&, const Term&) = default;
};

// constant + sum of terms, by ascending monomial, no zero factors.
struct Polynomial {
  std::int64_t constant = 0;
  std::vector<Term> terms;

  void Clear() {
    constant = 0;
    terms.clear();
  }
};

struct Range {
  std::uint32_t first = 0;
  std::uint32_t count = 0;
};

struct Node {
  std::int64_t constant = 0;
  Range terms;
  std::uint32_t parts = 1;
};

struct Interval {
  std::optional<std::int64_t> low, high;
};

std::uint64_t Mix(std::uint64_t hash, std::uint64_t value) {
  hash ^= value + 0x9e3779b97f4a7c15ULL + (hash << 6) + (hash >> 2);
  return hash * 0xff51afd7ed558ccdULL;
}

bool AddTo(std::int64_t& sum, std::int64_t value) { return !__builtin_add_overflow(sum, value, &sum); }
bool Times(std::int64_t a, std::int64_t b, std::int64_t& product) { return !__builtin_mul_overflow(a, b, &product); }

// Both for a positive divisor only.
std::int64_t FloorDivide(std::int64_t a, std::int64_t divisor) {
  return a % divisor < 0 ? a / divisor - 1 : a / divisor;
}
std::int64_t Modulo(std::int64_t a, std::int64_t divisor) {
  return a % divisor < 0 ? a % divisor + divisor : a % divisor;
}

constexpr std::int64_t kMinInt = std::numeric_limits<std::int64_t>::min();

// Open addressing over indices into a table that the caller keeps; `equal` compares a stored index with the candidate.
class IndexTable {
 public:
  template <class Equal>
  std::uint32_t Find(std::uint64_t hash, const Equal& equal) const {
    if (slots_.empty()) return kFree;
    for (std::size_t i = hash & (slots_.size() - 1);; i = (i + 1) & (slots_.size() - 1)) {
      if (slots_[i].index == kFree) return kFree;
      if (slots_[i].hash == hash && equal(slots_[i].index)) return slots_[i].index;
    }
  }
  void Insert(std::uint64_t hash, std::uint32_t index) {
    if (2 * (count_ + 1) > slots_.size()) Grow();
    Place({hash, index});
    ++count_;
  }

  static constexpr std::uint32_t kFree = std::numeric_limits<std::uint32_t>::max();

 private:
  struct Slot {
    std::uint64_t hash = 0;
    std::uint32_t index = kFree;
  };

  void Place(Slot slot) {
    std::size_t i = slot.hash & (slots_.size() - 1);
    while (slots_[i].index != kFree) i = (i + 1) & (slots_.size() - 1);
    slots_[i] = slot;
  }
  void Grow() {
    std::vector<Slot> old(std::max<std::size_t>(64, slots_.size() * 2));
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (slot.index != kFree) Place(slot);
    }
  }

  std::vector<Slot> slots_;
  std::size_t count_ = 0;
};

}  // namespace

struct DimStore::Impl {
  std::vector<Node> nodes;
  std::vector<Term> term_pool;
  std::vector<Range> monomials;
  std::vector<std::uint32_t> factor_pool;  // atoms of the monomials, ascending, repeated for powers
  std::vector<Atom> atoms;
  IndexTable node_table, monomial_table, atom_table;
  Polynomial scratch;  // reused, so that a known result costs no allocation
  std::vector<std::uint32_t> factor_scratch;

  std::span<const Term> Terms(DimId id) const {
    const Node& node = nodes[id.index()];
    return {term_pool.data() + node.terms.first, node.terms.count};
  }
  std::span<const std::uint32_t> Factors(std::uint32_t monomial) const {
    return {factor_pool.data() + monomials[monomial].first, monomials[monomial].count};
  }
  bool IsConst(DimId id) const { return nodes[id.index()].terms.count == 0; }
  std::int64_t Constant(DimId id) const { return nodes[id.index()].constant; }

  std::uint32_t InternAtom(const Atom& atom) {
    const std::uint64_t hash = Mix(Mix(static_cast<std::uint64_t>(atom.kind), atom.a), atom.b);
    const auto same = [&](std::uint32_t index) { return atoms[index] == atom; };
    if (const std::uint32_t found = atom_table.Find(hash, same); found != IndexTable::kFree) return found;
    atoms.push_back(atom);
    atom_table.Insert(hash, static_cast<std::uint32_t>(atoms.size() - 1));
    return static_cast<std::uint32_t>(atoms.size() - 1);
  }

  std::uint32_t InternMonomial(std::span<const std::uint32_t> factors) {
    std::uint64_t hash = factors.size();
    for (const std::uint32_t factor : factors) hash = Mix(hash, factor);
    const auto same = [&](std::uint32_t index) { return std::ranges::equal(Factors(index), factors); };
    if (const std::uint32_t found = monomial_table.Find(hash, same); found != IndexTable::kFree) return found;
    monomials.push_back({static_cast<std::uint32_t>(factor_pool.size()), static_cast<std::uint32_t>(factors.size())});
    factor_pool.insert(factor_pool.end(), factors.begin(), factors.end());
    monomial_table.Insert(hash, static_cast<std::uint32_t>(monomials.size() - 1));
    return static_cast<std::uint32_t>(monomials.size() - 1);
  }

  // None() where the polynomial is too large.
  DimId InternPolynomial(std::int64_t constant, std::span<const Term> terms) {
    std::uint64_t hash = Mix(terms.size(), static_cast<std::uint64_t>(constant));
    for (const Term& term : terms) hash = Mix(Mix(hash, static_cast<std::uint64_t>(term.factor)), term.monomial);
    const auto same = [&](std::uint32_t index) {
      return nodes[index].constant == constant && std::ranges::equal(Terms(DimId(index)), terms);
    };
    if (const std::uint32_t found = node_table.Find(hash, same); found != IndexTable::kFree) return DimId(found);
    if (terms.size() > kMostTerms) return DimId::None();
    std::uint32_t parts = 1;
    for (const Term& term : terms) {
      for (const std::uint32_t factor : Factors(term.monomial)) parts += atoms[factor].parts;
    }
    if (parts > kMostParts) return DimId::None();
    const Range range{static_cast<std::uint32_t>(term_pool.size()), static_cast<std::uint32_t>(terms.size())};
    term_pool.insert(term_pool.end(), terms.begin(), terms.end());
    nodes.push_back({constant, range, parts});
    node_table.Insert(hash, static_cast<std::uint32_t>(nodes.size() - 1));
    return DimId(nodes.size() - 1);
  }
  DimId InternPolynomial(const Polynomial& polynomial) {
    return InternPolynomial(polynomial.constant, polynomial.terms);
  }

  DimId OfAtom(const Atom& atom) {
    if (atom.parts > kMostParts) return DimId::None();
    const std::uint32_t index = InternAtom(atom);
    const Term term{1, InternMonomial({&index, 1})};
    return InternPolynomial(0, {&term, 1});
  }
  DimId OfOperation(AtomKind kind, DimId a, DimId b) {
    const std::uint32_t parts = nodes[a.index()].parts + nodes[b.index()].parts + 1;
    return OfAtom({kind, a.index(), b.index(), parts});
  }

  // sum += factor * dim. False on overflow.
  bool Accumulate(Polynomial& sum, DimId id, std::int64_t factor) const {
    std::int64_t scaled = 0;
    if (!Times(Constant(id), factor, scaled) || !AddTo(sum.constant, scaled)) return false;
    for (const Term& term : Terms(id)) {
      if (!Times(term.factor, factor, scaled) || !AddTerm(sum, scaled, term.monomial)) return false;
    }
    return true;
  }
  static bool AddTerm(Polynomial& sum, std::int64_t factor, std::uint32_t monomial) {
    const auto place = std::ranges::lower_bound(sum.terms, monomial, {}, &Term::monomial);
    if (place == sum.terms.end() || place->monomial != monomial) {
      if (factor != 0) sum.terms.insert(place, {factor, monomial});
      return true;
    }
    if (!AddTo(place->factor, factor)) return false;
    if (place->factor == 0) sum.terms.erase(place);
    return true;
  }
  std::optional<std::uint32_t> MonomialProduct(std::uint32_t a, std::uint32_t b) {
    const auto left = Factors(a), right = Factors(b);
    if (left.size() + right.size() > kMostFactors) return std::nullopt;
    factor_scratch.clear();
    std::ranges::merge(left, right, std::back_inserter(factor_scratch));
    return InternMonomial(factor_scratch);
  }
  // sum += factor * monomial * dim.
  bool AccumulateProduct(Polynomial& sum, DimId id, std::int64_t factor, std::uint32_t monomial) {
    std::int64_t scaled = 0;
    const Node node = nodes[id.index()];
    if (!Times(node.constant, factor, scaled) || !AddTerm(sum, scaled, monomial)) return false;
    for (std::uint32_t i = 0; i < node.terms.count; ++i) {
      const Term term = term_pool[node.terms.first + i];
      const auto product = MonomialProduct(term.monomial, monomial);
      if (!product || !Times(term.factor, factor, scaled) || !AddTerm(sum, scaled, *product)) return false;
    }
    return sum.terms.size() <= kMostTerms * 4;
  }

  // The monomial with `divisor`'s factors taken away; nullopt where it does not have them all. Empty product: kNoFactors.
  static constexpr std::uint32_t kNoFactors = std::numeric_limits<std::uint32_t>::max();
  std::optional<std::uint32_t> MonomialQuotient(std::uint32_t monomial, std::uint32_t divisor) {
    const auto whole = Factors(monomial), part = Factors(divisor);
    if (!std::ranges::includes(whole, part)) return std::nullopt;
    factor_scratch.clear();
    std::ranges::set_difference(whole, part, std::back_inserter(factor_scratch));
    return factor_scratch.empty() ? kNoFactors : InternMonomial(factor_scratch);
  }

  // Leading term of a polynomial in an order that division needs: by degree, then by factors.
  const Term* Leading(std::span<const Term> terms) const {
    const Term* leading = nullptr;
    for (const Term& term : terms) {
      if (leading == nullptr || Before(leading->monomial, term.monomial)) leading = &term;
    }
    return leading;
  }
  bool Before(std::uint32_t a, std::uint32_t b) const {
    const auto x = Factors(a), y = Factors(b);
    if (x.size() != y.size()) return x.size() < y.size();
    return std::ranges::lexicographical_compare(y, x);
  }

  // rest = a - quotient * b, with as much taken out as divides exactly. False on overflow or where it takes too long.
  bool Divide(DimId a, DimId b, Polynomial& quotient, Polynomial& rest) {
    const Term* found = Leading(Terms(b));
    if (found == nullptr) return false;
    const Term leading = *found;
    rest.Clear();
    quotient.Clear();
    if (!Accumulate(rest, a, 1)) return false;
    for (int step = 0; step < 64; ++step) {
      bool divided = false;
      for (std::size_t i = rest.terms.size(); i-- > 0 && !divided;) {
        const Term term = rest.terms[i];
        if (term.factor == kMinInt || term.factor % leading.factor != 0) continue;
        const auto monomial = MonomialQuotient(term.monomial, leading.monomial);
        if (!monomial) continue;
        const std::int64_t factor = term.factor / leading.factor;
        if (*monomial == kNoFactors) {
          if (!AddTo(quotient.constant, factor) || !Accumulate(rest, b, -factor)) return false;
        } else if (!AddTerm(quotient, factor, *monomial) || !AccumulateProduct(rest, b, -factor, *monomial)) {
          return false;
        }
        divided = true;
      }
      if (!divided) return true;
    }
    return false;
  }

  Interval Bounds(DimId id, std::int64_t least) const;
  Interval AtomBounds(const Atom& atom, std::int64_t least) const;
  std::optional<std::int64_t> LowerBound(const Polynomial& polynomial, std::int64_t least, int budget) const;
  void Print(DimId id, const Interner& names, std::string& out) const;
  void PrintAtom(const Atom& atom, bool in_product, const Interner& names, std::string& out) const;
  std::vector<Term> PrintOrder(DimId id) const;
  void CollectSymbols(DimId id, std::vector<Symbol>& symbols) const;
};

DimStore::DimStore() : impl_(std::make_unique<Impl>()) {}
DimStore::~DimStore() = default;

DimId DimStore::Const(std::int64_t value) { return impl_->InternPolynomial(value, {}); }

DimId DimStore::SymbolOf(Symbol name, std::uint32_t instance) {
  return impl_->OfAtom({AtomKind::kSymbol, name.index(), instance, 1});
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
  const Range range = impl.nodes[a.index()].terms;
  for (std::uint32_t i = 0; i < range.count; ++i) {
    const Term term = impl.term_pool[range.first + i];
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

DimId DimStore::Substitute(DimId a, const std::function<DimId(Symbol name, std::uint32_t instance)>& binding) {
  if (!a.valid()) return a;
  DimId sum = Const(impl_->Constant(a));
  const Range range = impl_->nodes[a.index()].terms;
  for (std::uint32_t i = 0; i < range.count; ++i) {
    const Term term = impl_->term_pool[range.first + i];
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

void DimStore::Impl::CollectSymbols(DimId id, std::vector<Symbol>& symbols) const {
  for (const Term& term : PrintOrder(id)) {
    for (const std::uint32_t factor : Factors(term.monomial)) {
      const Atom& atom = atoms[factor];
      if (atom.kind != AtomKind::kSymbol) {
        CollectSymbols(DimId(atom.a), symbols);
        CollectSymbols(DimId(atom.b), symbols);
      } else if (std::ranges::find(symbols, Symbol(atom.a)) == symbols.end()) {
        symbols.push_back(Symbol(atom.a));
      }
    }
  }
}

std::vector<Symbol> DimStore::Symbols(DimId a) const {
  std::vector<Symbol> symbols;
  if (a.valid()) impl_->CollectSymbols(a, symbols);
  return symbols;
}

// Highest degree first, added before subtracted where degrees are equal.
std::vector<Term> DimStore::Impl::PrintOrder(DimId id) const {
  const auto terms = Terms(id);
  std::vector<Term> ordered(terms.begin(), terms.end());
  std::ranges::stable_sort(ordered, [&](const Term& x, const Term& y) {
    const std::size_t left = Factors(x.monomial).size(), right = Factors(y.monomial).size();
    return left != right ? left > right : (x.factor > 0) > (y.factor > 0);
  });
  return ordered;
}

void DimStore::Impl::PrintAtom(const Atom& atom, bool in_product, const Interner& names, std::string& out) const {
  const auto operand = [&](std::uint32_t id) {
    const Node& node = nodes[id];
    const bool simple = node.terms.count == 0 ? node.constant >= 0
                                              : node.terms.count == 1 && node.constant == 0 &&
                                                    term_pool[node.terms.first].factor == 1 &&
                                                    Factors(term_pool[node.terms.first].monomial).size() == 1;
    if (!simple) out += '(';
    Print(DimId(id), names, out);
    if (!simple) out += ')';
  };
  const auto call = [&](std::string_view name, std::string_view separator) {
    out += name;
    Print(DimId(atom.a), names, out);
    out += separator;
    Print(DimId(atom.b), names, out);
    out += ')';
  };
  switch (atom.kind) {
    case AtomKind::kSymbol: out += names.Text(Symbol(atom.a)); return;
    case AtomKind::kMin: call("min(", ", "); return;
    case AtomKind::kMax: call("max(", ", "); return;
    case AtomKind::kCeilDiv:
      out += "ceil(";
      operand(atom.a);
      out += '/';
      operand(atom.b);
      out += ')';
      return;
    case AtomKind::kFloorDiv: {
      const Node& dividend = nodes[atom.a];
      const bool constant_divisor = IsConst(DimId(atom.b));
      if (constant_divisor && dividend.constant == Constant(DimId(atom.b)) - 1 && dividend.terms.count == 1 &&
          term_pool[dividend.terms.first].factor == 1) {
        // (n+3)//4 reads better as ceil(n/4).
        out += "ceil(";
        bool first = true;
        for (const std::uint32_t factor : Factors(term_pool[dividend.terms.first].monomial)) {
          if (!first) out += '*';
          first = false;
          PrintAtom(atoms[factor], true, names, out);
        }
        out += '/';
        operand(atom.b);
        out += ')';
        return;
      }
      [[fallthrough]];
    }
    case AtomKind::kMod:
      if (in_product) out += '(';
      operand(atom.a);
      out += atom.kind == AtomKind::kMod ? "%" : "//";
      operand(atom.b);
      if (in_product) out += ')';
      return;
  }
}

void DimStore::Impl::Print(DimId id, const Interner& names, std::string& out) const {
  const std::int64_t constant = Constant(id);
  if (IsConst(id)) {
    out += std::to_string(constant);
    return;
  }
  bool first = true;
  for (const Term& term : PrintOrder(id)) {
    if (term.factor < 0) {
      out += '-';
    } else if (!first) {
      out += '+';
    }
    first = false;
    const auto factors = Factors(term.monomial);
    const bool scaled = term.factor != 1 && term.factor != -1;
    if (scaled) {
      const std::string digits = std::to_string(term.factor);
      out += term.factor < 0 ? digits.substr(1) : digits;
      out += '*';
    }
    for (std::size_t i = 0; i < factors.size(); ++i) {
      if (i > 0) out += '*';
      PrintAtom(atoms[factors[i]], scaled || factors.size() > 1, names, out);
    }
  }
  if (constant > 0) out += '+';
  if (constant != 0) out += std::to_string(constant);
}

std::string DimStore::ToString(DimId a, const Interner& names) const {
  if (!a.valid()) return "?";
  std::string out;
  impl_->Print(a, names, out);
  return out;
}

}  // namespace cpnlint::ir
