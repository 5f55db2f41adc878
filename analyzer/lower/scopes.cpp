#include "analyzer/lower/scopes.h"

#include <utility>

namespace cpnlint::lower {
namespace {

using syntax::Field;
using syntax::Kind;
using syntax::Node;

// Deeper nests of functions are beyond what Python compiles; names are not looked up farther out.
constexpr int kMostLevels = 2000;

enum Mark : std::uint8_t {
  kPlain = 0,
  kTarget = 1,  // binds what it names, in the scope where it stands
  kWalrus = 2,  // binds in the nearest scope that is no comprehension
  kDelete = 4,
  kSkip = 8,     // an attribute, a keyword, ...: no variable; or done already
  kRegion = 16,  // of_node holds the scope of this node and all below
};

// (scope, symbol) -> name, open addressing.
class NameTable {
 public:
  NameTable() : slots_(1024) {}

  std::uint32_t& At(ScopeId scope, Symbol symbol) {
    if (used_ * 2 > slots_.size()) Grow();
    Slot& slot = Probe(std::uint64_t{scope.index()} << 32 | symbol.index());
    if (slot.name == Scopes::kNothing) ++used_;
    return slot.name;  // the caller fills an empty one
  }
  [[nodiscard]] NameId Find(ScopeId scope, Symbol symbol) {
    const std::uint32_t name = Probe(std::uint64_t{scope.index()} << 32 | symbol.index(), false).name;
    return name == Scopes::kNothing ? NameId::None() : NameId(name);
  }

 private:
  struct Slot {
    std::uint64_t key = ~std::uint64_t{0};
    std::uint32_t name = Scopes::kNothing;
  };

  Slot& Probe(std::uint64_t key, bool claim = true) {
    const std::size_t mask = slots_.size() - 1;
    std::uint64_t hash = key * 0x9e37'79b9'7f4a'7c15;
    std::size_t at = (hash ^ hash >> 29) & mask;
    while (slots_[at].key != key && slots_[at].key != ~std::uint64_t{0}) at = (at + 1) & mask;
    if (claim) slots_[at].key = key;
    return slots_[at];
  }

  void Grow() {
    std::vector<Slot> old(slots_.size() * 2);
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (slot.name != Scopes::kNothing) Probe(slot.key).name = slot.name;
    }
  }

  std::vector<Slot> slots_;
  std::size_t used_ = 0;
};

class ScopeFinder {
 public:
  ScopeFinder(const syntax::Tree& tree, Interner& interner) : tree_(tree), interner_(interner) {}

  Scopes Run() {
    const std::size_t count = tree_.size();
    out_.of_node.assign(count, Scopes::kNothing);
    out_.binds.assign(count, false);
    marks_.assign(count, kPlain);
    active_.push_back({static_cast<std::uint32_t>(count), NewScope(ScopeKind::kModule, ScopeId::None(), tree_.root())});
    for (std::uint32_t i = 0; i < count; ++i) {
      const Node node = tree_.node(i);
      if (!node.named()) continue;
      while (active_.back().end <= i) active_.pop_back();
      if ((marks_[i] & kRegion) != 0) {
        Enter(node, ScopeId(std::exchange(out_.of_node[i], Scopes::kNothing)));
      }
      scope_ = active_.back().scope;
      Visit(node);
    }
    // A module variable may exist only because functions declare it `global`.
    for (std::size_t i = 0; i < out_.names.size(); ++i) {
      if (out_.names[NameId(i)].global) InModule(out_.names[NameId(i)].symbol);
    }
    for (std::size_t i = 0; i < out_.names.size(); ++i) Resolve(NameId(i));
    NumberVariables();
    return std::move(out_);
  }

 private:
  struct Active {
    std::uint32_t end;
    ScopeId scope;
  };

  ScopeId NewScope(ScopeKind kind, ScopeId parent, Node node) {
    Scope scope;
    scope.kind = kind;
    scope.parent = parent;
    scope.node = node;
    const bool in_place = kind == ScopeKind::kComprehension || kind == ScopeKind::kTypeParameters;
    scope.unit = in_place ? out_.scopes[parent].unit : ScopeId(out_.scopes.size());
    return out_.scopes.Add(scope);
  }

  void Enter(Node node, ScopeId scope) { active_.push_back({node.index() + node.subtree_size(), scope}); }
  // What lies below `node` belongs to `scope`.
  void EnterLater(Node node, ScopeId scope) {
    if (!node) return;
    marks_[node.index()] |= kRegion;
    out_.of_node[node.index()] = scope.index();
  }

  void Put(Node node, std::uint8_t mark) {
    if (node) marks_[node.index()] |= mark;
  }

  NameId Get(ScopeId scope, Symbol symbol) {
    std::uint32_t& slot = table_.At(scope, symbol);
    if (slot == Scopes::kNothing) {
      Name name;
      name.symbol = symbol;
      name.scope = scope;
      slot = out_.names.Add(name).index();
    }
    return NameId(slot);
  }

  NameId Bind(ScopeId scope, std::string_view text) {
    const NameId name = Get(scope, interner_.Intern(text));
    out_.names[name].bound = true;
    return name;
  }
  // An identifier that is done with: visiting it later changes nothing.
  void BindHere(ScopeId scope, Node identifier) {
    if (!identifier) return;
    out_.of_node[identifier.index()] = Bind(scope, identifier.text()).index();
    out_.binds[identifier.index()] = true;
    Put(identifier, kSkip);
  }

  [[nodiscard]] ScopeId StatementScope(ScopeId scope) const {
    while (out_.scopes[scope].kind == ScopeKind::kComprehension) scope = out_.scopes[scope].parent;
    return scope;
  }

  void Identifier(Node node) {
    const std::uint8_t mark = marks_[node.index()];
    if ((mark & kSkip) != 0) return;
    const ScopeId scope = (mark & kWalrus) != 0 ? StatementScope(scope_) : scope_;
    const NameId name = Get(scope, interner_.Intern(node.text()));
    out_.of_node[node.index()] = name.index();
    if ((mark & (kTarget | kWalrus | kDelete)) == 0) return;
    out_.binds[node.index()] = true;
    out_.names[name].bound = true;
    if ((mark & kDelete) != 0) out_.names[name].deleted = true;
  }

  void Visit(Node node) {
    switch (node.kind()) {
      case Kind::kIdentifier: return Identifier(node);
      case Kind::kAttribute: return Put(node.Child(Field::kAttribute), kSkip);
      case Kind::kKeywordArgument: return Put(node.Child(Field::kName), kSkip);
      case Kind::kAssignment:
        // `(x): int` declares nothing.
        if (!node.Child(Field::kRight) && WithoutParentheses(node.Child(Field::kLeft)) != node.Child(Field::kLeft))
          return;
        return Put(node.Child(Field::kLeft), kTarget);
      case Kind::kAugmentedAssignment:
      case Kind::kForStatement:
      case Kind::kForInClause: return Put(node.Child(Field::kLeft), kTarget);
      case Kind::kNamedExpression: return Put(node.Child(Field::kName), kWalrus);
      case Kind::kAsPatternTarget: return Put(node.FirstNamed(), kTarget);
      case Kind::kPatternList:
      case Kind::kTuplePattern:
      case Kind::kListPattern:
      case Kind::kListSplatPattern:
      case Kind::kTuple:
      case Kind::kList:
      case Kind::kListSplat:
      case Kind::kExpressionList:
      case Kind::kParenthesizedExpression:
      case Kind::kParenthesizedListSplat: return Spread(node);
      case Kind::kDeleteStatement:
        for (const Node child : node.NamedChildren()) Put(child, kDelete);
        return;
      case Kind::kGlobalStatement:
      case Kind::kNonlocalStatement: return Declare(node);
      case Kind::kImportStatement:
      case Kind::kImportFromStatement:
      case Kind::kFutureImportStatement: return Import(node);
      case Kind::kFunctionDefinition: return Function(node);
      case Kind::kLambda: return Lambda(node);
      case Kind::kClassDefinition: return Class(node);
      case Kind::kTypeAliasStatement: return TypeAlias(node);
      case Kind::kListComprehension:
      case Kind::kSetComprehension:
      case Kind::kDictionaryComprehension:
      case Kind::kGeneratorExpression: return Comprehension(node);
      case Kind::kYield: out_.scopes[out_.scopes[scope_].unit].is_generator = true; return;
      case Kind::kAsPattern:
        if (node.parent().Is(Kind::kCasePattern)) Put(node.LastNamed(), kTarget);
        return;
      case Kind::kSplatPattern: return Put(node.FirstNamed(), kTarget);
      case Kind::kKeywordPattern: return Put(node.FirstNamed(), kSkip);
      case Kind::kDottedName: return PatternName(node);
      case Kind::kMemberType: return Put(node.LastNamed(), kSkip);
      case Kind::kExceptClause: return Put(node.Child(Field::kAlias), kTarget);
      case Kind::kError: return Lost(node);
      default: return;
    }
  }

  // A target of several parts: its parts are targets. (A tuple that is no target has no mark to pass on.)
  void Spread(Node node) {
    const auto mark = static_cast<std::uint8_t>(marks_[node.index()] & (kTarget | kDelete));
    if (mark == 0) return;
    for (const Node child : node.NamedChildren()) Put(child, mark);
  }

  // In a pattern, a name without dots is a capture, except as the name of a class or as a key.
  void PatternName(Node node) {
    if ((marks_[node.index()] & kSkip) != 0) return;
    const bool capture =
        node.NamedCount() == 1 && node.field() != Field::kKey && !node.parent().Is(Kind::kClassPattern);
    bool first = true;
    for (const Node child : node.NamedChildren()) {
      if (!first) Put(child, kSkip);
      if (first && capture) Put(child, kTarget);
      first = false;
    }
  }

  void Declare(Node node) {
    for (const Node child : node.NamedChildren()) {
      const NameId name = Get(scope_, interner_.Intern(child.text()));
      if (node.Is(Kind::kGlobalStatement))
        out_.names[name].global = true;
      else
        out_.names[name].nonlocal = true;
      Put(child, kSkip);
    }
  }

  void SkipAll(Node node) {
    for (const Node inner : node.Subtree()) Put(inner, kSkip);
  }

  void Import(Node node) {
    SkipAll(node.Child(Field::kModuleName));
    if (node.ChildOfKind(Kind::kWildcardImport)) {
      out_.star_imports.push_back(interner_.Intern(node.Child(Field::kModuleName).text()));
    }
    for (const Node name : node.ChildrenOf(Field::kName)) {
      if (name.Is(Kind::kAliasedImport)) {
        SkipAll(name.Child(Field::kName));
        BindHere(scope_, name.Child(Field::kAlias));
        continue;
      }
      SkipAll(name);
      BindHere(scope_, name.FirstNamed());
      if (node.Is(Kind::kFutureImportStatement) && name.text() == "annotations") out_.future_annotations = true;
    }
  }

  // The identifiers of `def f[T]`, in a scope around the definition; the given scope where there are none.
  ScopeId TypeParameters(Node list, Node definition) {
    if (!list) return scope_;
    const ScopeId scope = NewScope(ScopeKind::kTypeParameters, scope_, definition);
    Enter(definition, scope);
    for (Node parameter : list.NamedChildren()) {
      while (parameter.IsAny(Kind::kType, Kind::kConstrainedType, Kind::kSplatType)) parameter = parameter.FirstNamed();
      if (parameter.Is(Kind::kIdentifier)) BindHere(scope, parameter);
    }
    return scope;
  }

  void Parameters(Node parameters, ScopeId scope) {
    for (const Node parameter : parameters.NamedChildren()) {
      Node target = parameter;
      if (parameter.IsAny(Kind::kDefaultParameter, Kind::kTypedDefaultParameter))
        target = parameter.Child(Field::kName);
      if (parameter.Is(Kind::kTypedParameter)) target = parameter.FirstNamed();
      for (const Node inner : target.Subtree()) {  // below splats, and the tuples of Python 2
        if (inner.Is(Kind::kIdentifier)) BindHere(scope, inner);
      }
    }
  }

  void Function(Node node) {
    BindHere(scope_, node.Child(Field::kName));
    const ScopeId outer = TypeParameters(node.Child(Field::kTypeParameters), node);
    const ScopeId scope = NewScope(ScopeKind::kFunction, outer, node);
    out_.of_node[node.index()] = scope.index();
    Parameters(node.Child(Field::kParameters), scope);
    EnterLater(node.Child(Field::kBody), scope);
  }

  void Lambda(Node node) {
    const ScopeId scope = NewScope(ScopeKind::kLambda, scope_, node);
    out_.of_node[node.index()] = scope.index();
    Parameters(node.Child(Field::kParameters), scope);
    EnterLater(node.Child(Field::kBody), scope);
  }

  void Class(Node node) {
    BindHere(scope_, node.Child(Field::kName));
    const ScopeId outer = TypeParameters(node.Child(Field::kTypeParameters), node);
    const ScopeId scope = NewScope(ScopeKind::kClass, outer, node);
    out_.of_node[node.index()] = scope.index();
    EnterLater(node.Child(Field::kBody), scope);
  }

  void TypeAlias(Node node) {
    Node left = node.Child(Field::kLeft).FirstNamed();
    const Node generic = left;
    if (generic.Is(Kind::kGenericType)) left = generic.FirstNamed();
    if (left.Is(Kind::kIdentifier)) BindHere(scope_, left);
    if (generic.Is(Kind::kGenericType)) TypeParameters(generic.ChildOfKind(Kind::kTypeParameter), node);
  }

  void Comprehension(Node node) {
    const ScopeId outer = scope_;
    const ScopeId scope = NewScope(ScopeKind::kComprehension, outer, node);
    out_.of_node[node.index()] = scope.index();
    Enter(node, scope);
    // The first iterable is evaluated outside.
    for (const Node right : node.ChildOfKind(Kind::kForInClause).ChildrenOf(Field::kRight)) EnterLater(right, outer);
  }

  void Lost(Node node) {
    for (const std::string_view target : TargetsInText(node.text())) {
      out_.lost.push_back({node.index(), Bind(scope_, target)});
    }
  }

  // --- What each name means -------------------------------------------------------------------------------------

  NameId InModule(Symbol symbol) {
    const NameId name = Get(ScopeId(0), symbol);
    out_.names[name].bound = true;
    out_.names[name].meant = name;
    return name;
  }

  // The variable that the scopes around `inside` give to the symbol.
  NameId LookOutside(ScopeId inside, Symbol symbol, bool functions_only) {
    bool class_visible = out_.scopes[inside].kind == ScopeKind::kTypeParameters;
    ScopeId scope = out_.scopes[inside].parent;
    for (int level = 0; scope.valid() && level < kMostLevels; ++level) {
      const ScopeKind kind = out_.scopes[scope].kind;
      const bool visible =
          (kind != ScopeKind::kClass || class_visible) && !(functions_only && kind == ScopeKind::kModule);
      if (visible) {
        const NameId found = table_.Find(scope, symbol);
        if (found.valid() && out_.names[found].global) return InModule(symbol);
        if (found.valid() && out_.names[found].bound && !out_.names[found].nonlocal) return found;
      }
      class_visible = class_visible && kind == ScopeKind::kTypeParameters;
      scope = out_.scopes[scope].parent;
    }
    if (scope.valid() && !functions_only) {
      const NameId found = table_.Find(ScopeId(0), symbol);
      if (found.valid() && out_.names[found].bound) return found;
    }
    return NameId::None();
  }

  void Resolve(NameId id) {
    const Name name = out_.names[id];
    const ScopeId unit = out_.scopes[name.scope].unit;
    NameId meant = id;
    if (name.global && name.scope != ScopeId(0)) {
      meant = InModule(name.symbol);
    } else if (name.nonlocal) {
      meant = LookOutside(name.scope, name.symbol, true);
      if (!meant.valid()) meant = id;
    } else if (!name.bound) {
      meant = LookOutside(name.scope, name.symbol, false);
    } else if (out_.scopes[name.scope].kind == ScopeKind::kClass) {
      const NameId outside = LookOutside(name.scope, name.symbol, false);
      out_.names[id].outside = outside;
      if (outside.valid()) out_.names[outside].elsewhere = true;
    }
    out_.names[id].meant = meant;
    if (!meant.valid() || meant == id) return;
    Name& variable = out_.names[meant];
    if (out_.scopes[variable.scope].unit == unit) return;
    variable.elsewhere = true;
    variable.rebound = variable.rebound || name.bound;
    variable.deleted = variable.deleted || name.deleted;
  }

  void NumberVariables() {
    const std::size_t scopes = out_.scopes.size();
    out_.first_variable.assign(scopes + 1, 0);
    const auto counts = [&](NameId id) {
      return out_.names[id].meant == id && out_.names[id].bound && !out_.names[id].rebound;
    };
    for (std::size_t i = 0; i < out_.names.size(); ++i) {
      if (counts(NameId(i))) ++out_.first_variable[out_.scopes[out_.names[NameId(i)].scope].unit.index() + 1];
    }
    for (std::size_t i = 0; i < scopes; ++i) out_.first_variable[i + 1] += out_.first_variable[i];
    out_.variables.resize(out_.first_variable[scopes]);
    std::vector<std::uint32_t> next(scopes, 0);
    for (std::size_t i = 0; i < out_.names.size(); ++i) {
      if (!counts(NameId(i))) continue;
      const std::uint32_t unit = out_.scopes[out_.names[NameId(i)].scope].unit.index();
      out_.names[NameId(i)].slot = next[unit]++;
      out_.variables[out_.first_variable[unit] + out_.names[NameId(i)].slot] = NameId(i);
    }
  }

  const syntax::Tree& tree_;
  Interner& interner_;
  Scopes out_;
  NameTable table_;
  std::vector<std::uint8_t> marks_;
  std::vector<Active> active_;
  ScopeId scope_;
};

}  // namespace

Node WithoutParentheses(Node node) {
  for (;;) {
    const bool one = node.Is(Kind::kTuplePattern) && node.NamedCount() == 1 && !node.HasToken(Kind::kTokenComma);
    if (!one && !node.Is(Kind::kParenthesizedExpression)) return node;
    node = node.FirstNamed();
  }
}

Scopes FindScopes(const syntax::Tree& tree, Interner& names) { return ScopeFinder(tree, names).Run(); }

}  // namespace cpnlint::lower
