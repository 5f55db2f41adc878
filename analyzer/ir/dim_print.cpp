// Symbolic extents as readers write them.

#include "analyzer/ir/dim_impl.h"

namespace cpnlint::ir {

using dim_internal::Atom;
using dim_internal::AtomKind;
using dim_internal::Term;

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
    const DimId dim(id);
    const auto terms = Terms(dim);
    const bool simple = terms.size() == 0 ? Constant(dim) >= 0
                                          : terms.size() == 1 && Constant(dim) == 0 && terms[0].factor == 1 &&
                                                Factors(terms[0].monomial).size() == 1;
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
      const auto dividend = Terms(DimId(atom.a));
      const bool constant_divisor = IsConst(DimId(atom.b));
      if (constant_divisor && Constant(DimId(atom.a)) == Constant(DimId(atom.b)) - 1 && dividend.size() == 1 &&
          dividend[0].factor == 1) {
        // (n+3)//4 reads better as ceil(n/4).
        out += "ceil(";
        bool first = true;
        for (const std::uint32_t factor : Factors(dividend[0].monomial)) {
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
