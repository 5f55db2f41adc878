#include "analyzer/lower/lowerer.h"

namespace cpnlint::lower {

namespace {

OpKind KindOfUnresolved(const Interner& names, Symbol symbol, bool star_imports) {
  if (star_imports) return OpKind::kStarName;
  return IsBuiltin(names.Text(symbol)) ? OpKind::kBuiltin : OpKind::kUndefined;
}

}  // namespace

bool Lowerer::IsMine(const Name& variable) const { return scopes_.scopes[variable.scope].unit == unit_; }

// What each SSA variable of the unit holds before it is assigned.
void Lowerer::FindVariables(ScopeId unit) {
  variables_.clear();
  for (const NameId id : scopes_.VariablesOf(unit)) {
    const Name& name = scopes_.names[id];
    ir::Builder::Variable variable;
    variable.name = name.symbol;
    variable.payload = name.symbol.index();
    const ScopeKind kind = scopes_.scopes[name.scope].kind;
    if (kind == ScopeKind::kModule || kind == ScopeKind::kClass) {
      variable.entry = KindOfUnresolved(program_.names, name.symbol, !scopes_.star_imports.empty());
      if (variable.entry == OpKind::kUndefined) variable.entry = OpKind::kUnbound;
      if (name.outside.valid()) {
        variable.entry = OpKind::kLoadCell;
        variable.payload = CellOf(name.outside).index();
      }
    }
    variables_.push_back(variable);
  }
}

ir::CellId Lowerer::CellOf(NameId id) {
  Name& variable = scopes_.names[id];
  if (variable.cell.valid()) return variable.cell;
  const Scope& scope = scopes_.scopes[variable.scope];
  ir::Cell cell;
  cell.name = variable.symbol;
  cell.owner = scopes_.scopes[scope.unit].function;
  cell.deleted = variable.deleted;
  cell.kind = ir::Cell::Kind::kClosure;
  if (scope.kind == ScopeKind::kModule) cell.kind = ir::Cell::Kind::kGlobal;
  if (scope.kind == ScopeKind::kClass) cell.kind = ir::Cell::Kind::kClassVariable;
  variable.cell = program_.cells.Add(std::move(cell));
  return variable.cell;
}

Operand Lowerer::ReadName(Node identifier, std::uint8_t flags) {
  const Span span = identifier.span();
  const NameId id = scopes_.NameOf(identifier);
  if (!id.valid()) return Make(OpKind::kUndefined, span, {}, SymbolOf(identifier).index(), 0, flags);
  const Symbol symbol = scopes_.names[id].symbol;
  const NameId meant = scopes_.names[id].meant;
  if (!meant.valid() || !scopes_.names[meant].bound) {
    const OpKind kind = KindOfUnresolved(program_.names, symbol, !scopes_.star_imports.empty());
    return Make(kind, span, {}, symbol.index(), 0, flags);
  }
  const Name& variable = scopes_.names[meant];
  if (IsMine(variable) && variable.slot != Name::kNoSlot) return {builder_.Read(variable.slot), span};
  const ir::CellId cell = CellOf(meant);
  return Make(OpKind::kLoadCell, span, {}, cell.index(), 0, flags);
}

void Lowerer::WriteName(NameId id, Operand value, Span span, std::uint8_t flags) {
  if (!id.valid() || builder_.dead()) return;
  const NameId meant = scopes_.names[id].meant;
  if (!meant.valid()) return;
  const Name& variable = scopes_.names[meant];
  const ScopeKind kind = scopes_.scopes[variable.scope].kind;
  if ((flags & ir::kSynthetic) == 0) bindings_.push_back({variable.symbol, value.value, span});
  if (IsMine(variable) && variable.slot != Name::kNoSlot) {
    const bool visible = kind != ScopeKind::kComprehension;
    // A handler may come after the first of two assignments, so both have to be seen.
    if (visible && raise_to_.valid() && builder_.WrittenHere(variable.slot)) Edge();
    builder_.Write(variable.slot, value.value, visible);
  }
  const bool stored = kind == ScopeKind::kModule || kind == ScopeKind::kClass || variable.elsewhere || variable.rebound;
  if (!stored) return;
  const ir::CellId cell = CellOf(meant);
  Make(OpKind::kStoreCell, span, {value}, cell.index(), 0, flags);
}

void Lowerer::DeleteName(NameId id, Span span, std::uint8_t flags) {
  if (!id.valid() || builder_.dead()) return;
  const NameId meant = scopes_.names[id].meant;
  if (!meant.valid()) return;
  const Name& variable = scopes_.names[meant];
  if (variable.cell.valid()) program_.cells[variable.cell].deleted = true;
  if (!IsMine(variable) || variable.slot == Name::kNoSlot) return;
  if (raise_to_.valid() && builder_.WrittenHere(variable.slot)) Edge();
  const Operand unbound = Make(OpKind::kUnbound, span, {}, variable.symbol.index(), 0, flags);
  builder_.Write(variable.slot, unbound.value);
}

}  // namespace cpnlint::lower
