// What a symbolic extent is for given numbers.

#include <cmath>

#include "analyzer/ir/dim_impl.h"

namespace cpnlint::ir {

// Depth is bounded by kMostParts, so the recursion is, too. `number` may make new extents, which moves what is stored
// here: nothing is held across its calls.
std::optional<double> DimStore::Impl::Evaluate(DimId id, const NumberOf& number) const {
  double sum = static_cast<double>(Constant(id));
  for (std::size_t i = 0; i < Terms(id).size(); ++i) {
    const Term term = Terms(id)[i];
    double product = static_cast<double>(term.factor);
    for (std::size_t k = 0; k < Factors(term.monomial).size(); ++k) {
      const auto value = EvaluateAtom(Atom(atoms[Factors(term.monomial)[k]]), number);
      if (!value) return std::nullopt;
      product *= *value;
    }
    sum += product;
  }
  return sum;
}

std::optional<double> DimStore::Impl::EvaluateAtom(const Atom& atom, const NumberOf& number) const {
  if (atom.kind == AtomKind::kSymbol) return number(Symbol(atom.a), atom.b);
  const auto a = Evaluate(DimId(atom.a), number), b = Evaluate(DimId(atom.b), number);
  if (!a || !b) return std::nullopt;
  const bool divides = atom.kind == AtomKind::kFloorDiv || atom.kind == AtomKind::kCeilDiv;
  if ((divides || atom.kind == AtomKind::kMod) && *b == 0) return std::nullopt;
  switch (atom.kind) {
    case AtomKind::kFloorDiv: return std::floor(*a / *b);
    case AtomKind::kCeilDiv: return std::ceil(*a / *b);
    case AtomKind::kMod: return *a - *b * std::floor(*a / *b);
    case AtomKind::kMin: return std::min(*a, *b);
    case AtomKind::kMax: return std::max(*a, *b);
    case AtomKind::kSymbol: break;
  }
  return std::nullopt;
}

std::optional<double> DimStore::Evaluate(DimId a, const NumberOf& number) const {
  return a.valid() ? impl_->Evaluate(a, number) : std::nullopt;
}

}  // namespace cpnlint::ir
