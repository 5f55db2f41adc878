#pragma once

// The tables behind DimStore. Private to dim*.cpp.

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "analyzer/base/index_table.h"
#include "analyzer/ir/dim.h"

namespace cpnlint::ir {

namespace dim_internal {

// Larger expressions are unknown: nothing that a reader would recognise has that many parts, and sums cannot blow up.
constexpr std::uint32_t kMostParts = 96;  // fits Atom::parts
constexpr std::size_t kMostTerms = 48;
constexpr std::size_t kMostFactors = 12;
constexpr std::int64_t kLargestPower = 8;

enum class AtomKind : std::uint8_t { kSymbol, kFloorDiv, kCeilDiv, kMod, kMin, kMax };

// What a monomial multiplies: a symbol, or an operation that does not distribute.
struct Atom {
  AtomKind kind = AtomKind::kSymbol;
  std::uint8_t parts = 1;  // size of the expression
  std::uint32_t a = 0;     // symbol: index of its name; else the left dim
  std::uint32_t b = 0;     // symbol: instance; else the right dim
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

// A part of a pool, or the one item that stands in none.
template <class T>
class Items {
 public:
  explicit Items(std::span<const T> items) : first_(items.data()), size_(items.size()) {}
  explicit Items(const T& only) : only_(only), size_(1) {}

  [[nodiscard]] const T* begin() const { return first_ != nullptr ? first_ : &only_; }
  [[nodiscard]] const T* end() const { return begin() + size_; }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] const T& operator[](std::size_t i) const { return begin()[i]; }

 private:
  const T* first_ = nullptr;  // nullptr: only_
  T only_{};
  std::size_t size_;
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

inline bool AddTo(std::int64_t& sum, std::int64_t value) { return !__builtin_add_overflow(sum, value, &sum); }
inline bool Times(std::int64_t a, std::int64_t b, std::int64_t& product) {
  return !__builtin_mul_overflow(a, b, &product);
}

// Both for a positive divisor only.
inline std::int64_t FloorDivide(std::int64_t a, std::int64_t divisor) {
  return a % divisor < 0 ? a / divisor - 1 : a / divisor;
}
inline std::int64_t Modulo(std::int64_t a, std::int64_t divisor) {
  return a % divisor < 0 ? a % divisor + divisor : a % divisor;
}

constexpr std::int64_t kMinInt = std::numeric_limits<std::int64_t>::min();

}  // namespace dim_internal

struct DimStore::Impl {
  struct Assumed {
    std::int64_t value;
    std::uint32_t first, last;  // instances it holds for
  };
  std::unordered_map<Symbol, std::vector<Assumed>> assumed;
  using Atom = dim_internal::Atom;
  using AtomKind = dim_internal::AtomKind;
  using Term = dim_internal::Term;
  using Polynomial = dim_internal::Polynomial;
  using Range = dim_internal::Range;
  template <class T>
  using Items = dim_internal::Items<T>;
  using Node = dim_internal::Node;
  using Interval = dim_internal::Interval;

  // Nearly all dims are a symbol by itself, and so are nearly all monomials: those are an atom and nothing else. By dim
  // and by monomial: the atom with kAtomBit, or the index of a node and of a product.
  static constexpr std::uint32_t kAtomBit = 0x8000'0000U;
  std::vector<std::uint32_t> dims, monomials;
  std::vector<Atom> atoms;
  struct Alone {
    std::uint32_t monomial = IndexTable::kFree, dim = IndexTable::kFree;
  };
  std::vector<Alone> alone;  // by atom: the monomial and the dim that it is by itself; kFree where there is none yet
  std::vector<Node> nodes;
  std::vector<Term> term_pool;
  std::vector<Range> products;
  std::vector<std::uint32_t> factor_pool;            // atoms of the products, ascending, repeated for powers
  IndexTable node_table, product_table, atom_table;  // of dims that are nodes, of monomials that are products, of atoms
  Polynomial scratch;                                // reused, so that a known result costs no allocation
  std::vector<std::uint32_t> factor_scratch;

  Items<Term> Terms(DimId id) const {
    const std::uint32_t dim = dims[id.index()];
    if ((dim & kAtomBit) != 0) return Items<Term>(Term{1, alone[dim & ~kAtomBit].monomial});
    const Range& range = nodes[dim].terms;
    return Items<Term>(std::span(term_pool).subspan(range.first, range.count));
  }
  Items<std::uint32_t> Factors(std::uint32_t monomial) const {
    const std::uint32_t form = monomials[monomial];
    if ((form & kAtomBit) != 0) return Items<std::uint32_t>(form & ~kAtomBit);
    const Range& range = products[form];
    return Items<std::uint32_t>(std::span(factor_pool).subspan(range.first, range.count));
  }
  bool IsAtom(DimId id) const { return (dims[id.index()] & kAtomBit) != 0; }
  bool IsConst(DimId id) const { return !IsAtom(id) && nodes[dims[id.index()]].terms.count == 0; }
  std::int64_t Constant(DimId id) const { return IsAtom(id) ? 0 : nodes[dims[id.index()]].constant; }
  std::uint32_t Parts(DimId id) const {
    const std::uint32_t dim = dims[id.index()];
    return (dim & kAtomBit) != 0 ? 1U + atoms[dim & ~kAtomBit].parts : nodes[dim].parts;
  }

  std::uint32_t InternAtom(const Atom& atom) {
    const std::uint64_t hash = Mix(Mix(static_cast<std::uint64_t>(atom.kind), atom.a), atom.b);
    const auto same = [&](std::uint32_t index) { return atoms[index] == atom; };
    if (const std::uint32_t found = atom_table.Find(hash, same); found != IndexTable::kFree) return found;
    atoms.push_back(atom);
    alone.emplace_back();
    atom_table.Insert(hash, static_cast<std::uint32_t>(atoms.size() - 1));
    return static_cast<std::uint32_t>(atoms.size() - 1);
  }

  std::uint32_t InternMonomial(std::span<const std::uint32_t> factors) {
    if (factors.size() == 1) {
      std::uint32_t& known = alone[factors.front()].monomial;
      if (known == IndexTable::kFree) known = AddMonomial(factors.front() | kAtomBit);
      return known;
    }
    std::uint64_t hash = factors.size();
    for (const std::uint32_t factor : factors) hash = Mix(hash, factor);
    const auto same = [&](std::uint32_t index) { return std::ranges::equal(Factors(index), factors); };
    if (const std::uint32_t found = product_table.Find(hash, same); found != IndexTable::kFree) return found;
    products.push_back({static_cast<std::uint32_t>(factor_pool.size()), static_cast<std::uint32_t>(factors.size())});
    factor_pool.insert(factor_pool.end(), factors.begin(), factors.end());
    const std::uint32_t added = AddMonomial(static_cast<std::uint32_t>(products.size() - 1));
    product_table.Insert(hash, added);
    return added;
  }
  std::uint32_t AddMonomial(std::uint32_t form) {
    monomials.push_back(form);
    return static_cast<std::uint32_t>(monomials.size() - 1);
  }

  // None() where the polynomial is too large.
  DimId InternPolynomial(std::int64_t constant, std::span<const Term> terms) {
    if (constant == 0 && terms.size() == 1 && terms.front().factor == 1) {
      const std::uint32_t form = monomials[terms.front().monomial];
      if ((form & kAtomBit) != 0) {
        std::uint32_t& known = alone[form & ~kAtomBit].dim;
        if (known == IndexTable::kFree) known = AddDim(form).index();
        return DimId(known);
      }
    }
    std::uint64_t hash = Mix(terms.size(), static_cast<std::uint64_t>(constant));
    for (const Term& term : terms) hash = Mix(Mix(hash, static_cast<std::uint64_t>(term.factor)), term.monomial);
    const auto same = [&](std::uint32_t index) {
      return Constant(DimId(index)) == constant && std::ranges::equal(Terms(DimId(index)), terms);
    };
    if (const std::uint32_t found = node_table.Find(hash, same); found != IndexTable::kFree) return DimId(found);
    const DimId added = AddNode(constant, terms);
    if (added.valid()) node_table.Insert(hash, added.index());
    return added;
  }
  DimId AddDim(std::uint32_t form) {
    dims.push_back(form);
    return DimId(dims.size() - 1);
  }
  DimId AddNode(std::int64_t constant, std::span<const Term> terms) {
    if (terms.size() > dim_internal::kMostTerms) return DimId::None();
    std::uint32_t parts = 1;
    for (const Term& term : terms) {
      for (const std::uint32_t factor : Factors(term.monomial)) parts += atoms[factor].parts;
    }
    if (parts > dim_internal::kMostParts) return DimId::None();
    const Range range{static_cast<std::uint32_t>(term_pool.size()), static_cast<std::uint32_t>(terms.size())};
    term_pool.insert(term_pool.end(), terms.begin(), terms.end());
    nodes.push_back({constant, range, parts});
    return AddDim(static_cast<std::uint32_t>(nodes.size() - 1));
  }
  DimId InternPolynomial(const Polynomial& polynomial) {
    return InternPolynomial(polynomial.constant, polynomial.terms);
  }

  DimId OfAtom(const Atom& atom) {
    if (atom.parts >= dim_internal::kMostParts) return DimId::None();
    const std::uint32_t index = InternAtom(atom);
    const Term term{1, InternMonomial({&index, 1})};
    return InternPolynomial(0, {&term, 1});
  }
  DimId OfOperation(AtomKind kind, DimId a, DimId b) {
    const std::uint32_t parts = Parts(a) + Parts(b) + 1;
    if (parts > dim_internal::kMostParts) return DimId::None();
    return OfAtom({kind, static_cast<std::uint8_t>(parts), a.index(), b.index()});
  }

  // sum += factor * dim. False on overflow.
  bool Accumulate(Polynomial& sum, DimId id, std::int64_t factor) const {
    std::int64_t scaled = 0;
    if (!dim_internal::Times(Constant(id), factor, scaled) || !dim_internal::AddTo(sum.constant, scaled)) return false;
    for (const Term& term : Terms(id)) {
      if (!dim_internal::Times(term.factor, factor, scaled) || !AddTerm(sum, scaled, term.monomial)) return false;
    }
    return true;
  }
  static bool AddTerm(Polynomial& sum, std::int64_t factor, std::uint32_t monomial) {
    const auto place = std::ranges::lower_bound(sum.terms, monomial, {}, &Term::monomial);
    if (place == sum.terms.end() || place->monomial != monomial) {
      if (factor != 0) sum.terms.insert(place, {factor, monomial});
      return true;
    }
    if (!dim_internal::AddTo(place->factor, factor)) return false;
    if (place->factor == 0) sum.terms.erase(place);
    return true;
  }
  std::optional<std::uint32_t> MonomialProduct(std::uint32_t a, std::uint32_t b) {
    const auto left = Factors(a), right = Factors(b);
    if (left.size() + right.size() > dim_internal::kMostFactors) return std::nullopt;
    factor_scratch.clear();
    std::ranges::merge(left, right, std::back_inserter(factor_scratch));
    return InternMonomial(factor_scratch);
  }
  // sum += factor * monomial * dim.
  bool AccumulateProduct(Polynomial& sum, DimId id, std::int64_t factor, std::uint32_t monomial) {
    std::int64_t scaled = 0;
    if (!dim_internal::Times(Constant(id), factor, scaled) || !AddTerm(sum, scaled, monomial)) return false;
    for (const Term& term : Terms(id)) {  // products grow meanwhile, terms do not
      const auto product = MonomialProduct(term.monomial, monomial);
      if (!product || !dim_internal::Times(term.factor, factor, scaled) || !AddTerm(sum, scaled, *product))
        return false;
    }
    return sum.terms.size() <= dim_internal::kMostTerms * 4;
  }

  // The monomial with `divisor`'s factors taken away; nullopt where it does not have them all. Empty product:
  // kNoFactors.
  static constexpr std::uint32_t kNoFactors = std::numeric_limits<std::uint32_t>::max();
  std::optional<std::uint32_t> MonomialQuotient(std::uint32_t monomial, std::uint32_t divisor) {
    const auto whole = Factors(monomial), part = Factors(divisor);
    if (!std::ranges::includes(whole, part)) return std::nullopt;
    factor_scratch.clear();
    std::ranges::set_difference(whole, part, std::back_inserter(factor_scratch));
    return factor_scratch.empty() ? kNoFactors : InternMonomial(factor_scratch);
  }

  // Leading term of a polynomial in an order that division needs: by degree, then by factors.
  std::optional<Term> Leading(const Items<Term>& terms) const {
    std::optional<Term> leading;
    for (const Term& term : terms) {
      if (!leading || Before(leading->monomial, term.monomial)) leading = term;
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
    const std::optional<Term> found = Leading(Terms(b));
    if (!found) return false;
    const Term leading = *found;
    rest.Clear();
    quotient.Clear();
    if (!Accumulate(rest, a, 1)) return false;
    for (int step = 0; step < 64; ++step) {
      bool divided = false;
      for (std::size_t i = rest.terms.size(); i-- > 0 && !divided;) {
        const Term term = rest.terms[i];
        if (term.factor == dim_internal::kMinInt || term.factor % leading.factor != 0) continue;
        const auto monomial = MonomialQuotient(term.monomial, leading.monomial);
        if (!monomial) continue;
        const std::int64_t factor = term.factor / leading.factor;
        if (*monomial == kNoFactors) {
          if (!dim_internal::AddTo(quotient.constant, factor) || !Accumulate(rest, b, -factor)) return false;
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
  std::optional<double> Evaluate(DimId id, const NumberOf& number) const;
  std::optional<double> EvaluateAtom(const Atom& atom, const NumberOf& number) const;
  void CollectSymbols(DimId id, std::vector<Symbol>& symbols) const;
};

}  // namespace cpnlint::ir
