#pragma once

// Which variable each identifier of a file means: Python's scoping rules, applied to the whole tree before anything is
// lowered. One pass over the tree's nodes in their order, then one over the names found.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/base/id.h"
#include "analyzer/base/interner.h"
#include "analyzer/ir/program.h"
#include "analyzer/syntax/parse.h"

namespace cpnlint::lower {

using ScopeId = Id<struct ScopeTag>;
using NameId = Id<struct NameTag>;

enum class ScopeKind : std::uint8_t {
  kModule,
  kFunction,
  kLambda,
  kClass,
  kComprehension,   // lowered in place, as part of its unit
  kTypeParameters,  // what `def f[T]` adds around f: in place too
};

struct Scope {
  ScopeKind kind = ScopeKind::kModule;
  ScopeId parent;
  ScopeId unit;  // the scope whose code becomes one ir::Function: itself, or the one it is lowered in
  syntax::Node node;
  ir::FunctionId function;  // units, once their function is made
  bool is_generator = false;
};

// A name as one scope sees it.
struct Name {
  static constexpr std::uint32_t kNoSlot = 0xffff'ffff;

  Symbol symbol;
  ScopeId scope;
  NameId meant;                  // the variable: this very entry where the scope binds it; None() where nobody does
  NameId outside;                // class variables: what the name means where the class body has not assigned it yet
  ir::CellId cell;               // variables that live longer than one flow of one function
  std::uint32_t slot = kNoSlot;  // variables: index among those of the unit
  bool bound = false;            // an assignment, parameter, import, ... of this scope binds it
  bool global = false;           // declared so
  bool nonlocal = false;
  bool deleted = false;
  bool elsewhere = false;  // variables: another unit reads it
  bool rebound = false;    // variables: another unit assigns it; then only the cell knows its value
};

struct Scopes {
  IdVector<ScopeId, Scope> scopes;  // [0] is the module
  IdVector<NameId, Name> names;
  // By node index. Of an identifier its Name; of a definition, lambda, class or comprehension its Scope; else kNothing.
  static constexpr std::uint32_t kNothing = 0xffff'ffff;
  std::vector<std::uint32_t> of_node;
  // Names that a kError statement seems to bind: node index and name, in order.
  struct Lost {
    std::uint32_t node;
    NameId name;
  };
  std::vector<Lost> lost;
  std::vector<bool> binds;  // by node index: an identifier that binds or deletes its name here
  std::vector<Symbol> star_imports;
  bool future_annotations = false;

  std::vector<NameId> variables;              // by unit
  std::vector<std::uint32_t> first_variable;  // by scope, and one more: where a unit's variables start

  // The variables of a unit that have a slot, in the order of their slots.
  [[nodiscard]] std::span<const NameId> VariablesOf(ScopeId unit) const {
    const std::uint32_t first = first_variable[unit.index()];
    return {variables.data() + first, first_variable[unit.index() + 1] - first};
  }
  [[nodiscard]] NameId NameOf(syntax::Node node) const {
    const std::uint32_t at = of_node[node.index()];
    return at == kNothing ? NameId::None() : NameId(at);
  }
  [[nodiscard]] ScopeId ScopeOf(syntax::Node node) const {
    const std::uint32_t at = of_node[node.index()];
    return at == kNothing ? ScopeId::None() : ScopeId(at);
  }
};

[[nodiscard]] Scopes FindScopes(const syntax::Tree& tree, Interner& names);

// What stands in the parentheses. The grammar takes `(x)` for a tuple where it is a target.
[[nodiscard]] syntax::Node WithoutParentheses(syntax::Node node);

// True for names of the builtins module of some Python from 3.8 to 3.14, and those that every module has.
[[nodiscard]] bool IsBuiltin(std::string_view name);

// Names that broken text seems to bind: targets of assignments, definitions, imports, loops. Views into `text`.
[[nodiscard]] std::vector<std::string_view> TargetsInText(std::string_view text);

}  // namespace cpnlint::lower
