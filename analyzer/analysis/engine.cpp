#include "analyzer/analysis/engine.h"

#include <algorithm>
#include <unordered_set>

#include "analyzer/analysis/attribute_bags.h"
#include "analyzer/analysis/callee_names.h"
#include "analyzer/analysis/dict_keys.h"
#include "analyzer/analysis/named_definitions.h"
#include "analyzer/analysis/progress_bars.h"
#include "analyzer/base/check.h"

namespace cpnlint::analysis {
namespace {

// Visits per op that real programs need: 2 to 4. Beyond the budget, what is still unsettled becomes unknown.
constexpr std::size_t kVisitsPerOp = 40;
constexpr std::size_t kVisitsAtLeast = 10'000;
// Modules that a name comes through, one after the other.
constexpr int kMostNamePasses = 8;
// Changes of one value from which on it is joined with what it was, and from which on it is given up.
constexpr std::uint8_t kJoinFrom = 6;
constexpr std::uint8_t kUnknownFrom = 14;

}  // namespace

Engine::Engine(Facts::Impl& impl) : impl_(impl), program_(impl.program), store_(impl.store) {}

void Infer(Facts::Impl& impl) { Engine(impl).Run(); }

void Engine::Run() {
  impl_.values.Fill(program_.ops.size());
  cells_ = IdVector<ir::CellId, std::uint32_t>(program_.cells.size(), ValueTable::kNothingKnown);
  impl_.functions = IdVector<ir::FunctionId, FunctionFact>(program_.functions.size());
  flows_ = IdVector<ir::FunctionId, Flow>(program_.functions.size());
  released_ = IdVector<ir::FunctionId, std::uint8_t>(program_.functions.size(), 0);
  array_libraries_ = IdVector<ir::ClassId, Library>(program_.classes.size(), Library::kNone);
  array_dtypes_ = IdVector<ir::ClassId, ir::DType>(program_.classes.size(), ir::DType::kUnknown);
  for (std::size_t i = 0; i < program_.functions.size(); ++i) {
    flows_[ir::FunctionId(i)].passed.resize(program_.functions[ir::FunctionId(i)].params.size());
  }
  dirty_.Fill(program_.ops.size());
  changes_.assign(program_.ops.size(), 0);
  bound_names_ = IdVector<ir::ValueId, Symbol>(program_.ops.size());
  slot_read_.assign(program_.ops.size(), kNoSlot);
  visits_left_ = kVisitsAtLeast + kVisitsPerOp * program_.ops.size();
  IndexGlobals(impl_);
  SeeBackends(impl_);
  FindFamilies();
  SeeDecorators(impl_);
  FindCallTargets();
  FindMethodsCalled();
  for (const ir::Function& function : program_.functions) {
    for (const ir::Binding& binding : function.bindings) {
      Symbol& name = bound_names_[binding.value];
      // `grid = u`: what is said of one name of a value holds whatever else it is called.
      const bool said = name.valid() && AssumedArray(impl_, program_.FunctionOf(binding.value), name) != nullptr;
      if (!said) name = binding.name;
    }
  }
  FindSizes();
  for (std::size_t i = 0; i < program_.ops.size(); ++i) {
    const ir::Op& op = program_.ops[ir::ValueId(i)];
    if (op.kind == ir::OpKind::kStoreAttr) stored_names_.insert(program_.SymbolOf(op));
  }
  FindDeclared();
  SettleNames();
  do {
    Sweep();
  } while (!impl_.budget_exhausted && (ReleaseMethodsCalled() || ReleaseAttributes() || ReleaseWaitingParameters() ||
                                       ReleaseCircularNames() || ReleaseCircularResults()));
  impl_.values.Settle();
  for (Slot& slot : impl_.slots) slot.readers = {};
}

// `def step(states: States): states = exchange(states)`: what an annotated parameter is bound to later.
void Engine::FindDeclared() {
  for (const ir::Function& function : program_.functions) {
    for (const ir::Param& param : function.params) {
      if (!param.annotation.valid()) continue;
      for (const ir::Binding& binding : function.bindings) {
        if (binding.name == param.name) declared_[binding.value] = param.annotation;
      }
    }
  }
}

// What imports, builtins and definitions are called, before anything else: the evidence of use asks what is called. A
// name that comes over several modules takes several passes.
void Engine::SettleNames() {
  for (std::size_t i = 0; i < program_.ops.size(); ++i) {
    switch (program_.ops[ir::ValueId(i)].kind) {
      case ir::OpKind::kImport:
      case ir::OpKind::kBuiltin:
      case ir::OpKind::kStarName:
      case ir::OpKind::kMakeFunction:
      case ir::OpKind::kMakeClass:
      case ir::OpKind::kStoreCell:
      case ir::OpKind::kLoadCell:
      case ir::OpKind::kAttr: names_.push_back(ir::ValueId(i)); break;
      default: break;
    }
  }
  bool settled = false;
  for (int pass = 0; pass < kMostNamePasses && !settled; ++pass) {
    settled = true;
    for (const ir::ValueId id : names_) {
      lowest_pushed_ = DirtySet::kNone;
      if (pass > 0 && !dirty_.Has(id.index())) continue;
      dirty_.Remove(id.index());
      Visit(id);
      if (lowest_pushed_ != DirtySet::kNone) settled = false;
    }
  }
  FindNamespaceChoices();
  FindArrayClasses();
  FindTypeTests();
  FindArrayTests();
  for (const ir::ValueId id : names_) {
    const bool arrays = Of(id).library == Library::kDevice || Of(id).library == Library::kHost;
    const ir::OpKind kind = program_.ops[id].kind;
    const bool names_library =
        (kind == ir::OpKind::kImport && (arrays || IsUsedAsNamespace(id))) || (kind == ir::OpKind::kStarName && arrays);
    if (names_library) impl_.array_scopes.insert(program_.FunctionOf(id));
  }
  // `def step(np, u)`: a module that is handed its library works on arrays as one that imports it does.
  for (std::size_t i = 0; i < program_.functions.size(); ++i) {
    const ir::Function& function = program_.functions[ir::FunctionId(i)];
    const bool method = function.owner.valid() && !impl_.functions[ir::FunctionId(i)].is_static;
    const bool handed = std::any_of(function.params.begin(), function.params.end(), [&](const ir::Param& param) {
      return !(method && param.value == function.params.front().value) && IsUsedAsNamespace(param.value);
    });
    if (handed) impl_.array_scopes.insert(program_.modules[function.module].body);
  }
}

// An import of a module we do not see, under which names of NumPy are looked up: `from app import nplike` (A.3).
bool Engine::IsUsedAsNamespace(ir::ValueId import) const {
  if (!import.valid() || (Of(import).kind != Kind::kUnknown && Of(import).kind != Kind::kBottom)) return false;
  std::vector<std::string_view> names;
  const bool handed = program_.ops[import].kind == ir::OpKind::kParam;
  std::size_t foreign = 0;  // names that NumPy has not: of an object with methods called as its functions are
  const auto see = [&](ir::ValueId value) {
    for (const ir::ValueId user : impl_.UsesOf(value)) {
      if (program_.ops[user].kind != ir::OpKind::kAttr) continue;
      const std::string_view name = program_.Name(program_.ops[user]);
      const NumpyNames of = NumpyNamesOf(impl_, program_.SymbolOf(program_.ops[user]));
      if (!of.library) ++foreign;
      // A parameter may be anything with an `exp` of its own: only what is called is a function.
      const bool submodule = name == "linalg" || name == "fft" || name == "random";
      const auto users = impl_.UsesOf(user);
      const bool called = std::any_of(users.begin(), users.end(), [&](ir::ValueId at) {
        return (submodule && program_.ops[at].kind == ir::OpKind::kAttr) ||
               (program_.ops[at].kind == ir::OpKind::kCall && program_.Operand(at, 0) == user);
      });
      if (handed && !called) continue;
      const bool of_library = submodule || (of.library && !of.array);
      if (of_library && std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
  };
  see(import);
  for (const ir::ValueId user : impl_.UsesOf(import)) {
    if (program_.ops[user].kind != ir::OpKind::kStoreCell) continue;
    for (const ir::ValueId load : program_.cells[ir::CellId(program_.ops[user].payload)].loads) see(load);
  }
  const std::size_t least = handed ? LeastNamespaceNames(program_.Name(program_.ops[import])) : 2;
  return names.size() >= least && (!handed || foreign < names.size());
}

// Works in op order, which is source order within a function and callers' modules before their functions; jumps back to
// the lowest op that became dirty behind the position.
void Engine::Sweep() {
  for (std::size_t at = dirty_.Next(0); at != DirtySet::kNone;) {
    if (visits_left_ == 0) {
      impl_.budget_exhausted = true;
      for (; at != DirtySet::kNone; at = dirty_.Next(at + 1)) impl_.values.Set(ir::ValueId(at), Unknown());
      return;
    }
    --visits_left_;
    dirty_.Remove(at);
    lowest_pushed_ = DirtySet::kNone;
    Visit(ir::ValueId(at));
    at = lowest_pushed_ <= at ? lowest_pushed_ : dirty_.Next(at + 1);
  }
}

void Engine::Push(ir::ValueId id) {
  dirty_.Add(id.index());
  lowest_pushed_ = std::min<std::size_t>(lowest_pushed_, id.index());
}

void Engine::PushUsers(ir::ValueId id) {
  for (const ir::ValueId user : impl_.UsesOf(id)) Push(user);
}

namespace {

// What the user says of the variable `name` that the value is bound to. An array of another rank is another variable.
void TakeAssumed(const Facts::Impl& impl, ir::ValueId id, Symbol name, Value& value) {
  if (!name.valid() || (value.kind != Kind::kUnknown && value.kind != Kind::kArray)) return;
  const Value* assumed = AssumedArray(impl, impl.program.FunctionOf(id), name);
  if (assumed == nullptr) return;
  if (value.kind == Kind::kUnknown) {
    value = *assumed;
    value.root = value.device_root = id;
    return;
  }
  if (value.shape.valid() && impl.store.Get(value.shape).size() != impl.store.Get(assumed->shape).size()) return;
  value.shape = assumed->shape;
  value.evidence |= assumed->evidence;
  if (assumed->dtype != ir::DType::kUnknown) value.dtype = assumed->dtype;
}

}  // namespace

void Engine::Set(ir::ValueId id, Value value) {
  if (!impl_.assumed_arrays.empty()) TakeAssumed(impl_, id, bound_names_[id], value);
  if (value.kind == Kind::kArray && value.dtype == ir::DType::kUnknown) {
    if (const auto held = impl_.item_types.find(id); held != impl_.item_types.end()) value.dtype = held->second;
  }
  const Value& old = impl_.values[id];
  if (old == value) return;
  std::uint8_t& changes = changes_[id.index()];
  if (changes >= kJoinFrom) {
    value = Join(store_, old, value);
    if (changes >= kUnknownFrom) {
      value = Unknown();
      if (old.kind == Kind::kArray) value = Array(old.library, ir::DType::kUnknown, ShapeId::None(), old.evidence);
      if (changes > kUnknownFrom + 4) value = Unknown();
    }
    if (old == value) return;
  }
  if (changes < 255) ++changes;
  const bool first = old.kind == Kind::kBottom;
  impl_.values.Set(id, value);
  PushUsers(id);
  if (const auto readers = stored_readers_.find(id); readers != stored_readers_.end()) {
    for (const ir::ValueId reader : readers->second) Push(reader);
  }
  if (first) return;
  // `u.astype` is the same method whatever became of `u`: who calls it has to be told besides.
  for (const ir::ValueId user : impl_.UsesOf(id)) {
    const Value& method = impl_.values[user];
    if (method.kind == Kind::kMethod && method.receiver == id) PushUsers(user);
  }
}

void Engine::GrowCell(ir::CellId cell, const Value& value) {
  const std::span<const ir::ValueId> stores = program_.cells[cell].stores;
  Value joined;
  if (stores.size() <= kMostJoined) {
    if (const auto outside = stored_outside_.find(cell); outside != stored_outside_.end()) joined = outside->second;
    const ir::BlockId at = here_;
    for (const ir::ValueId store : stores) {
      here_ = program_.ops[store].block;
      joined = JoinOrigins(impl_.names, store_, joined, Of(program_.Operand(store, 0)));
    }
    here_ = at;
  } else {
    joined = JoinOptional(store_, Kept(cells_[cell]), value);
  }
  if (joined == Kept(cells_[cell])) return;
  cells_[cell] = impl_.values.Keep(joined);
  for (const ir::ValueId load : program_.cells[cell].loads) Push(load);
  if (const auto readers = importers_.find(cell); readers != importers_.end()) {
    for (const ir::ValueId reader : readers->second) Push(reader);
  }
}

// `reader`, which is no LoadCell op, is visited again when the variable changes.
void Engine::Watch(ir::CellId cell, ir::ValueId reader) {
  std::vector<ir::ValueId>& readers = importers_[cell];
  if (std::find(readers.begin(), readers.end(), reader) == readers.end()) readers.push_back(reader);
}

// ... and when the value does, which is no operand of `reader`.
void Engine::WatchValue(ir::ValueId value, ir::ValueId reader) {
  std::vector<ir::ValueId>& readers = stored_readers_[value];
  if (std::find(readers.begin(), readers.end(), reader) == readers.end()) readers.push_back(reader);
}

// `module.name = value` from somewhere else.
void Engine::StoreOutside(ir::CellId cell, const Value& value) {
  Value& outside = stored_outside_[cell];
  outside = JoinOptional(store_, outside, value);
  GrowCell(cell, value);
}

void Engine::GrowReturned(ir::FunctionId function, const Value& value) {
  const Value& known = Returned(function);
  const ir::Function& record = program_.functions[function];
  Value joined;
  if (!record.is_generator && record.returns.size() <= kMostJoined) {
    const ir::BlockId at = here_;
    for (const ir::ValueId leave : record.returns) {
      const ir::ValueId returned = program_.Operand(leave, 0);
      here_ = program_.ops[leave].block;
      joined = JoinOptional(store_, joined, returned.valid() ? Of(returned) : analysis::Of(Kind::kNone));
    }
    here_ = at;
  } else {
    joined = JoinOptional(store_, known, value);
  }
  if (joined.kind == Kind::kUnknown && !record.is_generator) joined = KnownReturns(function, joined);
  if (joined == known && !ReturnsDependOnCall(function)) return;
  flows_[function].returned = impl_.values.Keep(joined);
  for (const ir::ValueId site : impl_.functions[function].call_sites) Push(site);
  if (const auto calls = decorated_calls_.find(function); calls != decorated_calls_.end()) {
    for (const ir::ValueId call : calls->second) Push(call);
  }
}

namespace {

// A tuple that is returned, and what is promised of its elements; `otherwise` where they are not as many.
Value WithPromised(ValueStore& store, const Value& returned, const Value& promised, const Value& otherwise) {
  if (!returned.elements.valid() || !promised.elements.valid()) return otherwise;
  std::vector<Value> elements = store.Get(returned.elements);
  const std::vector<Value> promises = store.Get(promised.elements);
  if (elements.size() != promises.size()) return otherwise;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    elements[i].evidence |= promises[i].kind == Kind::kUnknown ? EvidenceSet{kDocumented} : promises[i].evidence;
  }
  return Tuple(store, std::move(elements));
}

}  // namespace

// Some returns are unknown or of another kind, and annotation or docstring promise an array, an object or a tuple:
// those that are one tell of which kind it is.
Value Engine::KnownReturns(ir::FunctionId function, const Value& otherwise) {
  const Value& promised = PromiseOf(function);
  if (promised.kind != Kind::kArray && promised.kind != Kind::kInstance && promised.kind != Kind::kTuple)
    return otherwise;
  Value result;
  for (const ir::ValueId leave : program_.functions[function].returns) {
    const ir::ValueId returned = program_.Operand(leave, 0);
    const Kind kind = returned.valid() ? Of(returned).kind : Kind::kNone;
    if (kind == promised.kind) result = Join(store_, result, Of(returned));
  }
  if (result.kind != promised.kind) return otherwise;
  if (promised.kind == Kind::kTuple) return WithPromised(store_, result, promised, otherwise);
  result.evidence |= promised.evidence;
  return result;
}

// Position of the call among those of the function that are told apart; kMostJoined for further ones.
std::size_t Engine::SiteOf(ir::FunctionId function, ir::ValueId call) {
  std::vector<ir::ValueId>& sites = impl_.functions[function].call_sites;
  const auto end = sites.begin() + static_cast<std::ptrdiff_t>(std::min(sites.size(), kMostJoined));
  const auto known = std::find(sites.begin(), end, call);
  if (known != end) return static_cast<std::size_t>(known - sites.begin());
  const bool further = sites.size() >= kMostJoined;
  if (!further || further_sites_.insert(SlotKey(function, call)).second) sites.push_back(call);
  return std::min(sites.size() - 1, kMostJoined);
}

void Engine::Pass(ir::FunctionId function, std::size_t parameter, const Value& value, std::size_t site) {
  Flow& flow = flows_[function];
  if (parameter >= flow.passed.size()) return;
  Value joined;
  bool any_number = false;
  if (site < kMostJoined) {
    const std::size_t width = flow.passed.size();
    std::vector<std::uint32_t>& by_site = flow.passed_by_site;
    if (by_site.size() <= site * width) by_site.resize((site + 1) * width);
    std::uint32_t& here = by_site[site * width + parameter];
    if (Kept(here) != value) {
      here = impl_.values.Keep(value);
    } else if (flow.passed_elsewhere.empty()) {
      return;  // what joins them all is as it was
    }
    std::uint32_t last = ValueTable::kNothingKnown;
    for (std::size_t at = parameter; at < by_site.size(); at += width) {
      if (by_site[at] == ValueTable::kNothingKnown || by_site[at] == last) continue;
      last = by_site[at];
      const Value& one = Kept(last);
      if (!(one == joined)) joined = JoinOptional(store_, joined, one);  // most sites pass the same
      any_number = any_number || IsNumber(one.kind);
    }
    if (!flow.passed_elsewhere.empty()) {
      const Value& elsewhere = Kept(flow.passed_elsewhere[parameter]);
      joined = JoinOptional(store_, joined, elsewhere);
      any_number = any_number || IsNumber(elsewhere.kind);
    }
  } else {
    if (flow.passed_elsewhere.empty()) flow.passed_elsewhere.resize(flow.passed.size());
    std::uint32_t& elsewhere = flow.passed_elsewhere[parameter];
    elsewhere = impl_.values.Keep(JoinOptional(store_, Kept(elsewhere), value));
    joined = JoinOptional(store_, Kept(flow.passed[parameter]), value);
    any_number = IsNumber(value.kind);
  }
  // One call hands over a number and another one an array (A.3).
  if (any_number && joined.kind == Kind::kArray) joined.evidence |= kContradicted;
  std::uint32_t& passed = flow.passed[parameter];
  if (joined == Kept(passed)) return;
  const bool was_left_out = Kept(passed).kind == Kind::kNone;
  passed = impl_.values.Keep(joined);
  const ir::ValueId param = program_.functions[function].params[parameter].value;
  Push(param);
  if (was_left_out) PushUsers(param);  // see IsLeftOut
}

// Some items of a list are arrays and others numbers that the program counts: the one that is read may be either (A.3).
// A literal is no more than what the list starts with.
Value Engine::JoinItems(const Value& a, const Value& b) {
  Value joined = JoinOptional(store_, a, b);
  const auto counted = [](const Value& value) { return IsNumber(value.kind) && !value.constant; };
  if (joined.kind == Kind::kArray && (counted(a) || counted(b))) joined.evidence |= kContradicted;
  return joined;
}

void Engine::GrowItem(ir::ValueId container, const Value& item) {
  const bool collected = container.valid() && program_.ops[container].kind == ir::OpKind::kCollection;
  if (collected && grown_lists_.insert(container).second) Push(container);
  const auto [grower, is_first] = growers_.try_emplace(container, now_);
  if (is_first || (grower->second.valid() && grower->second != now_)) {
    if (!is_first) grower->second = {};
    if (container.valid()) Push(container);
  }
  AddItem(container, item);
}

void Engine::AddItem(ir::ValueId container, const Value& item) {
  if (!container.valid()) return;
  const ir::OpKind kind = program_.ops[container].kind;
  if (kind != ir::OpKind::kList && kind != ir::OpKind::kDict && kind != ir::OpKind::kSet &&
      kind != ir::OpKind::kCollection && kind != ir::OpKind::kCall && kind != ir::OpKind::kBinary &&
      kind != ir::OpKind::kBuiltin) {
    return;
  }
  // That something is put there, be it who knows what, says that what a display was made with is not all that it holds.
  if (item.kind == Kind::kBottom && kind != ir::OpKind::kList) return;
  const auto [entry, is_first] = impl_.items.try_emplace(container);
  Value& known = entry->second;
  const Value joined = Of(container).kind == Kind::kList ? JoinItems(known, item) : JoinContained(store_, known, item);
  if (joined == known && !is_first) return;
  known = joined;
  Push(container);
  if (kind == ir::OpKind::kBuiltin) PushUsers(container);  // defaultdict(list)
}

// The variable holds one list or another: `lines = []` before a loop, and again where the loop has handed them on; or
// it is picked out of several by a key that nobody knows: `found[key].append(line)`.
void Engine::GrowItemOfAny(ir::ValueId variable, const Value& item) {
  constexpr std::size_t kMostValues = 64;
  if (!variable.valid()) return;
  if (Of(variable).root.valid()) return GrowItem(Of(variable).root, item);
  std::vector<ir::ValueId> work = {variable};
  for (std::size_t i = 0; i < work.size(); ++i) {
    GrowItem(Of(work[i]).root, item);
    const bool picked = program_.ops[work[i]].kind == ir::OpKind::kSubscript;
    const ir::ValueId several = picked ? Of(program_.Operand(work[i], 0)).root : work[i];
    if (!several.valid()) continue;
    const ir::OpKind kind = program_.ops[several].kind;
    const bool display = kind == ir::OpKind::kDict || kind == ir::OpKind::kList || kind == ir::OpKind::kTuple;
    if (picked ? !display : kind != ir::OpKind::kPhi) continue;
    const std::span<const ir::ValueId> operands = program_.Operands(several);
    const std::size_t step = kind == ir::OpKind::kDict ? 2 : 1;  // a key, its value
    for (std::size_t at = step - 1; at < operands.size(); at += step) {
      const ir::ValueId operand = operands[at];
      const bool is_new = operand.valid() && std::find(work.begin(), work.end(), operand) == work.end();
      if (is_new && work.size() < kMostValues) work.push_back(operand);
    }
  }
}

// `container[key] = item`; None(): under a key that is not known.
void Engine::GrowKey(ir::ValueId container, Symbol key, const Value& item) {
  if (!container.valid()) return;
  Value& known = keyed_items_[SlotKey(container, key)];
  const Value joined = JoinOptional(store_, known, item);
  if (joined == known) return;
  known = joined;
  if (const auto readers = key_readers_.find(container); readers != key_readers_.end()) {
    for (const ir::ValueId reader : readers->second) Push(reader);
  }
}

// `dict[key] = value` and what does the same. What `**options` of a function holds under the key afterwards is open.
void Engine::StoreKey(ir::ValueId dict, Symbol key, const Value& value) {
  GrowKey(dict, key, IsPacked(program_, dict) ? Unknown() : value);
}

// What a dictionary that is made at one place holds under a constant key; kBottom where nothing is stored under it.
Value Engine::ItemUnder(const Value& dict, Symbol key, ir::ValueId reader) {
  constexpr int kMostMerged = 8;  // dictionaries that one takes over: `{**a, **b}`, `a | b`
  std::vector<Value> work = {dict};
  Value item, under_any;  // under a key that is not known: perhaps this one
  // The last one that says something of the key counts.
  for (int merged = 0; merged < kMostMerged && !work.empty(); ++merged) {
    const Value one = work.back();
    work.pop_back();
    const ir::ValueId root = one.root;
    if (!root.valid()) return {};
    const ir::OpKind kind = program_.ops[root].kind;
    std::vector<ir::ValueId>& readers = key_readers_[root];
    if (std::find(readers.begin(), readers.end(), reader) == readers.end()) readers.push_back(reader);
    const auto stored = keyed_items_.find(SlotKey(root, key));
    if (stored != keyed_items_.end()) item = JoinOptional(store_, item, stored->second);
    const auto somewhere = keyed_items_.find(SlotKey(root, Symbol::None()));
    if (somewhere != keyed_items_.end()) under_any = JoinContained(store_, under_any, somewhere->second);
    const std::span<const ir::ValueId> operands = program_.Operands(root);
    if (kind == ir::OpKind::kBinary) {
      for (const ir::ValueId operand : operands) work.push_back(Of(operand));
      continue;
    }
    if (kind == ir::OpKind::kCall && stored == keyed_items_.end()) {  // dict(other, u=a)
      const ir::ValueId copied = program_.Operand(root, 1);
      if (copied.valid() && Of(copied).kind == Kind::kDict) work.push_back(Of(copied));
    }
    if (kind == ir::OpKind::kCall || kind == ir::OpKind::kParam) continue;  // dict(u=a), **options
    if (kind != ir::OpKind::kDict) return {};
    Value shown;
    std::vector<Value> others;
    for (std::size_t i = 0; i + 1 < operands.size(); i += 2) {
      if (!operands[i].valid()) {
        others.push_back(Of(operands[i + 1]));
        continue;
      }
      const Symbol here = KeptKey(impl_.names, Of(operands[i]));
      if (!here.valid()) return {};
      if (here == key) shown = Of(operands[i + 1]);
    }
    if (shown.kind != Kind::kBottom) {
      item = JoinOptional(store_, item, shown);
    } else {
      work.insert(work.end(), others.begin(), others.end());
    }
  }
  return JoinContained(store_, item, under_any);
}

// --- call targets that the text alone tells: parameters of such functions wait for what is passed ---

void Engine::FindCallTargets() {
  named_by_ = IdVector<ir::FunctionId, std::vector<ir::FunctionId>>(program_.functions.size());
  for (std::size_t i = 0; i < program_.ops.size(); ++i) {
    const ir::ValueId id(i);
    const ir::Op& op = program_.ops[id];
    if (op.kind != ir::OpKind::kCall) continue;
    ir::FunctionId target = FunctionNamed(impl_, program_.Operand(id, 0));
    const ir::ValueId callee = program_.Operand(id, 0);
    if (!target.valid() && callee.valid() && program_.ops[callee].kind == ir::OpKind::kAttr) {
      // self.method(...)
      const ir::ValueId object = program_.Operand(callee, 0);
      const ir::FunctionId here = program_.FunctionOf(id);
      const ir::Function& function = program_.functions[here];
      if (object.valid() && program_.ops[object].kind == ir::OpKind::kParam && function.owner.valid() &&
          !function.params.empty() && function.params[0].value == object) {
        target = FindMethod(impl_, function.owner, program_.SymbolOf(program_.ops[callee]));
      }
    }
    if (!target.valid()) continue;
    impl_.functions[target].has_call_sites = true;
    std::vector<ir::FunctionId>& callers = named_by_[target];
    if (callers.empty() || callers.back() != program_.FunctionOf(id)) callers.push_back(program_.FunctionOf(id));
  }
  // What other modules import by name is not closed.
  std::unordered_set<ir::CellId> shared;
  for (const ir::ImportRecord& record : program_.imports) {
    if (record.target.valid() && record.name.valid()) shared.insert(FindGlobal(impl_, record.target, record.name));
  }
  // Closed: private by name or nested, and its value is only ever called.
  for (std::size_t i = 0; i < program_.functions.size(); ++i) {
    const ir::Function& function = program_.functions[ir::FunctionId(i)];
    if (!function.made_by.valid() || !function.decorators.empty()) continue;
    const bool nested = function.parent.valid() && program_.functions[function.parent].kind == ir::Function::Kind::kDef;
    bool closed = nested || IsPrivateName(impl_.names.Text(function.name));
    bool only_called = true;
    for (const ir::ValueId user : impl_.UsesOf(function.made_by)) {
      const ir::OpKind kind = program_.ops[user].kind;
      const bool called = kind == ir::OpKind::kCall && program_.Operand(user, 0) == function.made_by;
      if (!called && kind != ir::OpKind::kStoreCell) closed = only_called = false;
      if (kind != ir::OpKind::kStoreCell) continue;
      const ir::CellId cell(program_.ops[user].payload);
      if (shared.contains(cell)) closed = false;
      for (const ir::ValueId load : program_.cells[cell].loads) {
        for (const ir::ValueId reader : impl_.UsesOf(load)) {
          if (program_.ops[reader].kind != ir::OpKind::kCall || program_.Operand(reader, 0) != load)
            closed = only_called = false;
        }
      }
    }
    impl_.functions[ir::FunctionId(i)].closed = closed;
    // `self.sources = [gravity, drag]`: whoever calls an item of it passes something.
    if (!only_called) impl_.functions[ir::FunctionId(i)].has_call_sites = true;
  }
}

bool IsDecoration(const ir::Program& program, ir::ValueId id) {
  if (!id.valid()) return false;
  const ir::Op& op = program.ops[id];
  return op.kind == ir::OpKind::kCall && (op.flags & ir::kSynthetic) != 0 && op.operand_count == 2;
}

// Variables that are bound once: `N = 256` may be a size, where a counter that starts at 0 is none. Their values give
// way to what the user assumes.
void Engine::FindSizes() {
  if (!store_.dims().AssumesAnything()) return;
  for (const ir::Function& function : program_.functions) {
    std::unordered_map<Symbol, std::size_t> times;
    for (const ir::Binding& binding : function.bindings) ++times[binding.name];
    for (const ir::Binding& binding : function.bindings) {
      if (times[binding.name] != 1 || program_.ops[binding.value].kind == ir::OpKind::kLoopItem) continue;
      const auto assumed = store_.dims().Assumed(binding.name, binding.value.index());
      if (assumed) sizes_.emplace(binding.value, *assumed);
    }
  }
}

namespace {

// `found = {"start": [], "end": []}`, `for part in (xs, ys): part.append(x)`, `self.parts = []`: an empty list that
// something holds is there to be filled, by whatever name.
bool IsHeld(const Facts::Impl& impl, ir::ValueId list) {
  return std::ranges::any_of(impl.UsesOf(list), [&](ir::ValueId use) {
    const ir::OpKind kind = impl.program.ops[use].kind;
    const bool stored = kind == ir::OpKind::kStoreSubscript || kind == ir::OpKind::kStoreAttr;
    return kind == ir::OpKind::kDict || kind == ir::OpKind::kList || kind == ir::OpKind::kTuple ||
           kind == ir::OpKind::kSet || (stored && impl.program.Operand(use, 1) == list);
  });
}

}  // namespace

// Attributes that wait for a store which never comes, and empty lists that wait for items: others fill them. Items of
// comprehensions that collect nothing.
bool Engine::ReleaseAttributes() {
  if (attributes_released_) return false;
  attributes_released_ = true;
  bool any = false;
  for (std::size_t i = 0; i < program_.ops.size(); ++i) {
    const ir::Op& op = program_.ops[ir::ValueId(i)];
    if (op.kind == ir::OpKind::kList && op.operand_count == 0) {
      if (IsHeld(impl_, ir::ValueId(i))) impl_.items.try_emplace(ir::ValueId(i));
      if (!impl_.items.contains(ir::ValueId(i))) continue;
      Push(ir::ValueId(i));
      any = true;
      continue;
    }
    if (impl_.values[ir::ValueId(i)].kind != Kind::kBottom) continue;
    if (op.kind == ir::OpKind::kUnpackItem || op.kind == ir::OpKind::kLoopItem) {
      if (Of(program_.Operand(ir::ValueId(i), 0)).kind == Kind::kBottom) continue;
      Push(ir::ValueId(i));
      any = true;
      continue;
    }
    if (op.kind != ir::OpKind::kAttr) continue;
    const Kind object = Of(program_.Operand(ir::ValueId(i), 0)).kind;
    if (object == Kind::kBottom || object == Kind::kModule) continue;
    Push(ir::ValueId(i));
    any = true;
  }
  return any;
}

// What `**options` takes is not handed over as one value.
bool Engine::WaitsForCalls(ir::FunctionId id) const {
  if (released_[id] != 0 || !impl_.functions[id].has_call_sites) return false;
  const auto& params = program_.functions[id].params;
  for (std::size_t p = 0; p < params.size(); ++p) {
    if (params[p].kind != ir::ParamKind::kVarKeyword && Kept(flows_[id].passed[p]).kind == Kind::kBottom) return true;
  }
  return false;
}

bool Engine::ReleaseWaitingParameters() {
  std::vector<ir::FunctionId> waiting;
  for (std::size_t i = 0; i < program_.functions.size(); ++i) {
    if (WaitsForCalls(ir::FunctionId(i))) waiting.push_back(ir::FunctionId(i));
  }
  return Release(waiting);
}

// Those that nobody calls come first: they tell what the ones that they call are handed, and a function that hands its
// own parameter to itself says nothing of it.
bool Engine::Release(const std::vector<ir::FunctionId>& waiting) {
  std::vector<ir::FunctionId> first;
  for (const ir::FunctionId id : waiting) {
    const auto may_tell = [&](ir::FunctionId caller) { return caller != id && WaitsForCalls(caller); };
    if (std::ranges::none_of(named_by_[id], may_tell)) first.push_back(id);
  }
  for (const ir::FunctionId id : first.empty() ? waiting : first) {
    const Flow& flow = flows_[id];
    for (std::size_t p = 0; p < flow.passed.size(); ++p) {
      if (Kept(flow.passed[p]).kind == Kind::kBottom) Push(program_.functions[id].params[p].value);
    }
    released_[id] = 1;
  }
  return !waiting.empty();
}

// Names that wait for each other (modules that import each other, a decorator that decorates itself) are unknown.
bool Engine::ReleaseCircularNames() {
  bool any = false;
  for (const ir::ValueId id : names_) {
    if (impl_.values[id].kind != Kind::kBottom) continue;
    const ir::OpKind kind = program_.ops[id].kind;
    const bool of_module = kind == ir::OpKind::kAttr && Of(program_.Operand(id, 0)).kind == Kind::kModule;
    const bool name =
        kind == ir::OpKind::kImport || kind == ir::OpKind::kStarName || kind == ir::OpKind::kLoadCell || of_module;
    if (!name) continue;
    Set(id, Unknown());
    any = true;
  }
  return any;
}

std::string Engine::NameOf(ir::ValueId id) const {
  if (!id.valid()) return {};  // `len()`
  const ir::Op& op = program_.ops[id];
  const bool joined = op.kind == ir::OpKind::kPhi && !program_.Name(op).empty();  // `a if test else b` has no name
  if (op.kind == ir::OpKind::kParam || joined) return std::string(program_.Name(op));
  if (op.kind == ir::OpKind::kLoadCell)
    return std::string(impl_.names.Text(program_.cells[ir::CellId(op.payload)].name));
  if (op.kind == ir::OpKind::kAttr) {
    // a.b.c, but no further
    std::string name(program_.Name(op));
    for (int depth = 0; depth < 3; ++depth) {
      id = program_.Operand(id, 0);
      const ir::OpKind kind = program_.ops[id].kind;
      if (kind == ir::OpKind::kParam) return std::string(program_.Name(program_.ops[id])) + "." + name;
      if (kind == ir::OpKind::kLoadCell) {
        return std::string(impl_.names.Text(program_.cells[ir::CellId(program_.ops[id].payload)].name)) + "." + name;
      }
      if (kind != ir::OpKind::kAttr) return name;
      name = std::string(program_.Name(program_.ops[id])) + "." + name;
    }
    return name;
  }
  return std::string(impl_.names.Text(bound_names_[id]));
}

Symbol Engine::NameOrNone(ir::ValueId id) {
  const std::string name = NameOf(id);
  return impl_.names.Intern(name.empty() ? "?" : name);
}

Symbol Engine::NameLookedUp(ir::ValueId call) {
  const ir::ValueId method = program_.Operand(call, 0), key = program_.Operand(call, 1);
  const bool looks_up = method.valid() && program_.ops[method].kind == ir::OpKind::kAttr &&
                        IsOneOf(program_.Name(program_.ops[method]), {"get", "pop", "setdefault"});
  const bool named = !NameOf(call).empty() || !looks_up || !key.valid() || Of(key).kind != Kind::kStr;
  return named || !Of(key).constant ? NameOrNone(call) : Of(key).name;
}

Value Engine::NamedInt(Symbol name, ir::ValueId id) {
  Value value = Unknown();
  value.dim = store_.dims().SymbolOf(name, id.index());
  if (const std::optional<std::int64_t> assumed = store_.dims().AsConst(value.dim)) return Int(store_, *assumed);
  return value;
}

// The number of dimensions of an array of unknown rank; cuPyNumeric has at most 6 (cupynumeric-facts 2.4).
ir::DimId Engine::RankDim(ir::ValueId array_id, const Value& array) {
  const std::string name = NameOf(array_id);
  const Symbol symbol = impl_.names.Intern((name.empty() ? "?" : name) + ".ndim");
  const ir::ValueId instance = array.root.valid() ? array.root : array_id;
  return store_.dims().Min(store_.dims().SymbolOf(symbol, instance.index()), store_.dims().Const(6));
}

// What an attribute of an object that nobody knows counts, whatever the object is: axes, and the items that a sparse
// matrix holds, unless a class of the program has something of that name.
std::optional<Value> Engine::CountOfUnknown(ir::ValueId id, ir::ValueId object_id, Symbol name) {
  const std::string_view attribute = impl_.names.Text(name);
  Value count;
  if (attribute == "ndim") {
    count = IntDim(RankDim(object_id, Of(object_id)));
  } else if (attribute == "nnz" && !stored_names_.contains(name)) {
    const bool defined = std::ranges::any_of(program_.functions, [&](const ir::Function& function) {
      return function.owner.valid() && function.name == name;
    });
    const bool called = std::ranges::any_of(impl_.UsesOf(id), [&](ir::ValueId use) {
      return program_.ops[use].kind == ir::OpKind::kCall && program_.Operand(use, 0) == id;
    });
    if (defined || called) return std::nullopt;
    count = IntDim(NamedInt(name, id).dim);
  } else {
    return std::nullopt;
  }
  count.evidence = kUsed;
  return count;
}

}  // namespace cpnlint::analysis
