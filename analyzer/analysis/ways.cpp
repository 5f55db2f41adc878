// By which calls a place can be reached at all: a method runs on objects of its class only, and a test of a parameter
// may be decided by what the caller hands over. One call after another, from the place outwards.

#include <algorithm>
#include <array>

#include "analyzer/analysis/attribute_stores.h"
#include "analyzer/analysis/dtype_tests.h"
#include "analyzer/analysis/either_objects.h"
#include "analyzer/analysis/engine.h"
#include "analyzer/analysis/kept_results.h"
#include "analyzer/analysis/named_definitions.h"
#include "analyzer/analysis/operator_methods.h"
#include "analyzer/analysis/own_methods.h"
#include "analyzer/analysis/settled_tests.h"
#include "analyzer/analysis/sparse_tests.h"
#include "analyzer/analysis/type_questions.h"
#include "analyzer/analysis/walked_items.h"
#include "analyzer/analysis/way_arrays.h"
#include "analyzer/analysis/way_tests.h"

namespace cpnlint::analysis {
namespace {

constexpr std::size_t kMostNeeds = 8;        // tests that one way carries along
constexpr std::size_t kMostCalls = 32;       // of one function, that are asked what they hand over
constexpr double kUnknownTest = 2;           // A.6: what an `if` of unknown outcome lets through, every second time
constexpr std::size_t kMostWays = 1U << 18;  // from there on all calls of a function count alike

// The class whose objects the function runs on; None() of what is no method.
ir::ClassId ObjectOf(const Facts::Impl& impl, ir::FunctionId function) {
  const ir::Function& record = impl.program.functions[function];
  const FunctionFact& fact = impl.functions[function];
  if (!record.owner.valid() || record.kind != ir::Function::Kind::kDef || record.params.empty()) return {};
  return fact.is_static || fact.is_classmethod ? ir::ClassId::None() : record.owner;
}

void AddNeed(Way& way, Way::Need need) {
  const auto at = std::lower_bound(way.needs.begin(), way.needs.end(), need);
  if (at != way.needs.end() && *at == need) return;
  if (way.needs.size() < kMostNeeds) way.needs.insert(at, need);
}

// An object that is of both classes: one is derived from the other, or some class from both. `narrower` becomes the
// derived one.
bool MayBeBoth(const Facts::Impl& impl, ir::ClassId wanted, ir::ClassId& narrower) {
  if (IsA(impl, narrower, wanted)) return true;
  if (IsA(impl, wanted, narrower)) {
    narrower = wanted;
    return true;
  }
  const std::vector<ir::ClassId>& heirs = impl.heirs[wanted];
  return std::any_of(heirs.begin(), heirs.end(), [&](ir::ClassId heir) { return IsA(impl, heir, narrower); });
}

// `Grid(n)` by the name of the class; `make(n)` of one of several classes and `cls(n)` may make objects of derived
// ones.
bool MakesThatClass(const Facts::Impl& impl, ir::ValueId call) {
  return ClassNamed(impl, impl.program.Operand(call, 0)).valid();
}

bool MayBeMadeAs(const Facts& facts, const Facts::Impl& impl, ir::ValueId call, ir::ClassId wanted) {
  ir::ClassId made = facts.Of(facts.program().Operand(call, 0)).class_id;
  if (IsA(impl, made, wanted)) return true;
  return MayBeBoth(impl, wanted, made) && !MakesThatClass(impl, call);
}

constexpr std::size_t kFew = 3;  // functions or classes of which each may be meant

// An object of the class may be of many, and few of them are `wanted`. Only classes that nobody derives from count:
// the others may be there for that alone.
bool IsOneOfMany(Facts::Impl& impl, ir::ClassId class_id, ir::ClassId wanted) {
  const auto [known, is_new] = impl.one_of_many.try_emplace(SlotKey(class_id, wanted), false);
  if (!is_new) return known->second;
  std::size_t all = 0, these = 0;
  for (const ir::ClassId heir : impl.heirs[class_id]) {
    if (impl.heirs[heir].size() > 1) continue;
    ++all;
    these += IsA(impl, heir, wanted) ? 1 : 0;
  }
  return known->second = all > kFew * std::max<std::size_t>(1, these);
}

// The classes that may be meant define the method in more than a few ways. What a base only promises is none.
bool HasManyForms(Facts::Impl& impl, ir::ClassId class_id, Symbol name) {
  const auto [known, is_new] = impl.many_forms.try_emplace(SlotKey(class_id, name), false);
  if (!is_new) return known->second;
  std::vector<ir::FunctionId> forms;
  for (const ir::ClassId heir : impl.heirs[class_id]) {
    const ir::FunctionId method = FindMethod(impl, heir, name);
    if (!method.valid() || impl.functions[method].abstract) continue;
    if (std::find(forms.begin(), forms.end(), method) == forms.end()) forms.push_back(method);
    if (forms.size() > kFew) return known->second = true;
  }
  return false;
}

// Whether an object of the class is `wanted`, too.
void SeeClass(Facts::Impl& impl, ir::ClassId class_id, ir::ClassId wanted, Symbol method, Doubt& doubt) {
  if (IsA(impl, class_id, wanted)) return;
  doubt.unknown = HasManyForms(impl, class_id, method);
  doubt.one_of_many = IsOneOfMany(impl, class_id, wanted);
}

// ... whether the object is: `each` of a container that is walked. Of `[Wall(), Inlet()]` both are there, whatever else
// derives from their base.
void See(Facts::Impl& impl, const Value& object, ir::ClassId wanted, Symbol method, bool each, Doubt& doubt) {
  if (IsA(impl, object.class_id, wanted)) return;
  if (!object.elements.valid()) return SeeClass(impl, object.class_id, wanted, method, doubt);
  const std::vector<Value>& kinds = impl.store.Get(object.elements);
  if (!each && kinds.size() > kFew) return SeeClass(impl, object.class_id, wanted, method, doubt);
  const auto one = std::ranges::find_if(
      kinds, [&](const Value& kind) { return IsA(impl, kind.class_id, wanted) || IsA(impl, wanted, kind.class_id); });
  if (one != kinds.end()) return SeeClass(impl, one->class_id, wanted, method, doubt);
  doubt.unknown = true;  // somebody else would have to put it there
}

// The object that a method was taken from that nobody finds there: `step = self._step`, which derived classes have.
ir::ValueId TakenFrom(const Facts& facts, ir::ValueId callee) {
  const ir::ValueId taken = facts.Source(callee);
  if (!taken.valid() || facts.program().ops[taken].kind != ir::OpKind::kAttr) return {};
  return facts.program().Operand(taken, 0);
}

// Whose method the call runs: the class that the object is of. False where it cannot be one of `way.object`;
// otherwise `doubt` says where nobody knows which of many methods it is, and `caller`, the class of the object that the
// function around runs on, is narrower where that is the same object.
bool SeeObject(const Facts& facts, Facts::Impl& impl, const Way& way, ir::ValueId call, ir::ClassId& caller,
               Doubt& doubt) {
  if (!way.object.valid()) return true;
  const ir::Program& program = facts.program();
  const ir::FunctionId function = program.FunctionOf(call);
  const ir::OpKind kind = program.ops[call].kind;
  const bool is_call = kind == ir::OpKind::kCall;
  const bool is_binary = kind == ir::OpKind::kBinary || kind == ir::OpKind::kInplaceBinary;
  // The object of a comparison is either operand.
  if (!is_call && !is_binary && kind != ir::OpKind::kAttr && kind != ir::OpKind::kSubscript) return true;
  const ir::FunctionId around = MethodAround(program, function);
  // A function inside of a method has the method's object.
  const bool is_inner = around.valid() && around != function;
  const auto runs_inside = [&](ir::ValueId object, bool by_class) {
    return !is_inner || !IsOwnObject(facts, around, object) || !ObjectOf(impl, around).valid() ||
           RunsWith(facts, impl, around, way.function, way.object, by_class);
  };
  const Value& callee = facts.Of(program.Operand(call, 0));  // of a property: the object
  const Symbol name = facts.program().functions[way.function].name;
  if (is_call && callee.kind == Kind::kClass) {
    // `gate(angle)` of one of the classes that callers hand over
    if (!MakesThatClass(impl, call)) SeeClass(impl, callee.class_id, way.object, name, doubt);
    return MayBeMadeAs(facts, impl, call, way.object);
  }
  if (is_call && callee.kind == Kind::kInstance) {  // obj(x)
    ir::ClassId narrower = callee.class_id;
    if (ParamOf(facts, function, program.Operand(call, 0)) == 0U)  // self(x)
      return !caller.valid() ||
             (MayBeBoth(impl, way.object, caller) && RunsWith(facts, impl, function, way.function, way.object, false));
    See(impl, callee, way.object, name, IsWalked(facts, program.Operand(call, 0)), doubt);
    return MayBeBoth(impl, way.object, narrower) && runs_inside(program.Operand(call, 0), false);
  }
  ir::ValueId receiver = is_call     ? callee.receiver
                         : is_binary ? OperandWithMethod(program, call, impl.names.Text(name))
                                     : program.Operand(call, 0);
  if (is_call && callee.kind != Kind::kMethod) {
    receiver = TakenFrom(facts, program.Operand(call, 0));
    if (ParamOf(facts, function, receiver) != 0U) return true;  // any other may hand on what it is asked for
  }
  if (!receiver.valid()) return true;
  // Base.f(self)
  const bool of_class = is_call && facts.Of(receiver).kind == Kind::kClass;
  if (of_class) receiver = program.Operand(call, 1);
  if (!receiver.valid()) return true;
  // self.f() and super().f(): the object of the caller.
  const ir::ValueId by = program.ops[receiver].kind == ir::OpKind::kCall ? program.Operand(receiver, 0) : ir::ValueId();
  const bool is_super =
      by.valid() && facts.Of(by).kind == Kind::kBuiltin && impl.names.Text(facts.Of(by).name) == "super";
  if (is_super || ParamOf(facts, function, receiver) == 0U) {
    return !caller.valid() || (MayBeBoth(impl, way.object, caller) &&
                               RunsWith(facts, impl, function, way.function, way.object, of_class || is_super));
  }
  const Value& object = facts.Of(receiver);
  if (IsEither(object) && IsWalked(facts, receiver)) {
    for (const Value& one : impl.store.Get(object.elements)) {
      ir::ClassId both = one.class_id;
      if (one.kind != Kind::kInstance || !MayBeBoth(impl, way.object, both)) continue;
      See(impl, one, way.object, name, true, doubt);
      break;
    }
  }
  if (object.kind != Kind::kInstance) return true;
  const ir::ValueId made = facts.Source(receiver);
  const bool made_here = made.valid() && program.ops[made].kind == ir::OpKind::kCall &&
                         facts.Of(program.Operand(made, 0)).kind == Kind::kClass;
  // The object of the method around runs what its class has, as in the method itself.
  if (!is_inner || !IsOwnObject(facts, around, receiver))
    See(impl, object, way.object, name, IsWalked(facts, receiver), doubt);
  if (made_here) return MayBeMadeAs(facts, impl, made, way.object);
  ir::ClassId narrower = object.class_id;
  return MayBeBoth(impl, way.object, narrower) && runs_inside(receiver, of_class);
}

// `"scale" in options` of `def f(**options)`: what the call says about it; nullopt where it hands on what it was given,
// whose place is then `handed_on`.
std::optional<bool> HasKeyword(const Facts& facts, ir::ValueId call, const ir::Function& function, Symbol name,
                               ir::ValueId& handed_on) {
  const ir::Program& program = facts.program();
  if (program.ops[call].kind != ir::OpKind::kCall) return std::nullopt;
  const ir::CallShape& shape = program.Shape(program.ops[call]);
  for (const ir::Param& param : function.params) {
    if (param.name == name) return false;  // has a place of its own
  }
  bool has_star = false;
  for (std::size_t i = 0; i < shape.keywords.size(); ++i) {
    if (shape.keywords[i] == name) return true;
    if (shape.keywords[i].valid()) continue;
    has_star = true;
    handed_on = program.Operand(call, static_cast<std::uint32_t>(1 + shape.positional + i));
  }
  return has_star ? std::nullopt : std::optional(false);
}

// The call fits the method's parameters.
bool Accepts(const ir::Program& program, const ir::Function& method, bool takes_object, ir::ValueId call) {
  const ir::CallShape& shape = program.Shape(program.ops[call]);
  bool open = false;
  for (std::uint32_t i = 0; i < shape.positional; ++i)
    open = open || program.ops[program.Operand(call, 1 + i)].kind == ir::OpKind::kStarred;
  for (const Symbol keyword : shape.keywords) open = open || !keyword.valid();
  std::size_t places = 0, given = shape.positional;
  bool any_position = false, any_keyword = false;
  for (std::size_t p = takes_object ? 1 : 0; p < method.params.size(); ++p) {
    const ir::Param& param = method.params[p];
    any_position = any_position || param.kind == ir::ParamKind::kVarPositional;
    any_keyword = any_keyword || param.kind == ir::ParamKind::kVarKeyword;
    if (param.kind == ir::ParamKind::kVarPositional || param.kind == ir::ParamKind::kVarKeyword) continue;
    const bool named = std::find(shape.keywords.begin(), shape.keywords.end(), param.name) != shape.keywords.end();
    const bool keyword_only = param.kind == ir::ParamKind::kKeywordOnly;
    const bool placed = !keyword_only && places < given;
    if (!keyword_only) ++places;
    if (!named && !placed && !open && !param.default_value.valid()) return false;
  }
  if (given > places && !any_position && !open) return false;
  return any_keyword || std::all_of(shape.keywords.begin(), shape.keywords.end(), [&](Symbol keyword) {
           return !keyword.valid() || std::any_of(method.params.begin(), method.params.end(),
                                                  [&](const ir::Param& param) { return param.name == keyword; });
         });
}

}  // namespace

bool CouldCall(const Facts& facts, const Facts::Impl& impl, ir::ValueId call, ir::FunctionId method) {
  const ir::Program& program = facts.program();
  return program.ops[call].kind != ir::OpKind::kCall ||
         Accepts(program, program.functions[method], !impl.functions[method].is_static, call);
}

namespace {

// What a test of an attribute asks of a parameter of the same function, which alone sets the attribute:
// `if groups is None: self.groups = None` and `else: self.groups = np.asarray(groups)` before.
std::optional<Way::Need> NeedOfAttribute(const Facts& facts, Facts::Impl& impl, ir::FunctionId function,
                                         const Test& test) {
  const ir::Program& program = facts.program();
  const ir::ValueId tested = facts.Source(TestedValue(facts, impl, test));
  if (!tested.valid() || program.ops[tested].kind != ir::OpKind::kAttr) return std::nullopt;
  const ir::ValueId object = facts.Source(program.Operand(tested, 0));
  const ir::ClassId class_id = ObjectOf(impl, function);
  if (!class_id.valid() || ParamOf(facts, function, object) != 0U) return std::nullopt;
  IndexAttributeStores(impl);
  const Symbol name = program.SymbolOf(program.ops[tested]);
  const auto stored = impl.attribute_stores.find(SlotKey(FamilyOf(impl, class_id), name));
  if (stored == impl.attribute_stores.end()) return std::nullopt;
  const auto may_be_ours = [&](ir::ValueId value) {
    const ir::Function& by = program.functions[program.FunctionOf(value)];
    ir::ClassId owner = by.owner;
    if (owner.valid() && program.names.Text(by.name) == "__init__") return false;  // before anything else runs
    return !owner.valid() || MayBeBoth(impl, class_id, owner);
  };
  if (std::count_if(stored->second.begin(), stored->second.end(), may_be_ours) != 2) return std::nullopt;
  std::array<ir::GuardId, 2> guards;  // of what is stored where the test comes out otherwise, and where it may not
  for (const ir::ValueId use : facts.UsesOf(object)) {
    const ir::Op& op = program.ops[use];
    if (op.kind != ir::OpKind::kStoreAttr || program.SymbolOf(op) != name || tested < use) continue;
    const bool other = Decide(facts, impl, test.id, facts.Of(program.Operand(use, 1))) == !test.holds;
    guards[other ? 0 : 1] = program.blocks[op.block].guard;
  }
  if (!guards[0].valid()) return std::nullopt;
  const ir::Guard& first = program.guards[guards[0]];
  while (guards[1].valid() && program.guards[guards[1]].truth != first.truth)  // `if len(groups) != n: raise` between
    guards[1] = program.guards[guards[1]].parent;
  if (!guards[1].valid()) return std::nullopt;
  const ir::Guard& second = program.guards[guards[1]];
  if (first.holds == second.holds || first.parent.valid() || second.parent.valid() ||
      second.kind != ir::Guard::Kind::kTest || !second.truth.valid())
    return std::nullopt;
  const std::optional<std::uint32_t> param = ParamAsked(facts, impl, function, TestOf(program, second));
  return param ? std::optional(Way::Need{*param, guards[1]}) : std::nullopt;
}

// What the test of a guard asks of a parameter of its function.
std::optional<Way::Need> NeedOf(const Facts& facts, Facts::Impl& impl, ir::FunctionId function, ir::GuardId id) {
  const ir::Guard& guard = facts.program().guards[id];
  if (guard.kind != ir::Guard::Kind::kTest || !guard.truth.valid()) return std::nullopt;
  const Test test = TestOf(facts.program(), guard);
  if (!test.id.valid()) return std::nullopt;
  if (const std::optional<std::uint32_t> param = ParamAsked(facts, impl, function, test)) return Way::Need{*param, id};
  return NeedOfAttribute(facts, impl, function, test);
}

// Asked for at each place behind the guard.
const Way::Need& KnownNeedOf(const Facts& facts, Facts::Impl& impl, ir::FunctionId function, ir::GuardId id) {
  constexpr std::uint32_t kOpen = 0xffff'ffffU;
  if (impl.guard_needs.empty()) impl.guard_needs.assign(facts.program().guards.size(), {kOpen, {}});
  Way::Need& need = impl.guard_needs[id.index()];
  if (need.param == kOpen) need = NeedOf(facts, impl, function, id).value_or(Way::Need{});
  return need;
}

Way NewWayTo(const Facts& facts, Facts::Impl& impl, ir::BlockId block) {
  const ir::Program& program = facts.program();
  Way way{program.blocks[block].function, {}, {}};
  if (impl.ways.size() > kMostWays) return way;
  way.object = ObjectOf(impl, way.function);
  ir::GuardId id = program.blocks[block].guard;
  for (int around = 0; id.valid() && around < kMostGuardsAround; ++around, id = program.guards[id].parent) {
    const Way::Need& need = KnownNeedOf(facts, impl, way.function, id);
    if (need.guard.valid()) AddNeed(way, need);
  }
  return way;
}

}  // namespace

std::uint32_t WayTo(const Facts& facts, Facts::Impl& impl, ir::BlockId block) {
  if (impl.way_of.empty()) impl.way_of.resize(facts.program().blocks.size());
  std::uint32_t& known = impl.way_of[block.index()];
  if (known == 0) known = impl.IndexOf(NewWayTo(facts, impl, block)) + 1;
  return known - 1;
}

Way WayWithArray(const Facts& facts, Facts::Impl& impl, ir::BlockId block, ArrayParam param) {
  Way way = impl.ways[WayTo(facts, impl, block)];
  if (impl.ways.size() > kMostWays) return way;
  if (way.needs.size() == kMostNeeds) way.needs.pop_back();  // of all that it asks for, this is what the place is about
  AddNeed(way, NeedOfArray(param));
  return way;
}

namespace {

bool IsHandedOn(const ir::Program& program, const Way& way, const Way::Need& need) {
  return program.FunctionOf(program.guards[need.guard].truth) != way.function;
}

}  // namespace

bool AsksUnknown(const Facts& facts, const Facts::Impl& impl, const Way& way) {
  const ir::Program& program = facts.program();
  const ir::Function& function = program.functions[way.function];
  const std::vector<ir::ValueId>& calls = impl.functions[way.function].call_sites;
  return std::any_of(way.needs.begin(), way.needs.end(), [&](const Way::Need& need) {
    if (IsNeedOfArray(need) || !IsHandedOn(program, way, need)) return false;
    const Test test = TestOf(program, program.guards[need.guard]);
    if (!AsksForOneCase(facts, test)) return false;
    if (function.params[need.param].kind == ir::ParamKind::kVarKeyword) return true;
    const auto lets_in = [&](ir::ValueId argument) {
      return argument.valid() && Decide(facts, impl, test.id, facts.Of(argument)) == test.holds;
    };
    if (calls.empty()) return !lets_in(function.params[need.param].default_value);
    const std::size_t count = std::min(calls.size(), kMostCalls);
    return std::none_of(calls.begin(), calls.begin() + static_cast<std::ptrdiff_t>(count),
                        [&](ir::ValueId call) { return lets_in(Passed(facts, impl, call, function, need.param)); });
  });
}

bool IsSwitchedOff(const Facts& facts, Facts::Impl& impl, ir::BlockId block, ir::LoopId loop) {
  const ir::Program& program = facts.program();
  if (!loop.valid()) return false;
  const ir::FunctionId id = program.blocks[block].function;
  return AnyTestAround(program, block, [&](const Test& test, ir::GuardId at) {
    const ir::Guard& guard = program.guards[at];
    if (!guard.loop.valid() || !facts.LoopContains(loop, guard.loop) || !AsksForOneCase(facts, test)) return false;
    const std::optional<std::uint32_t> param = ParamAsked(facts, impl, id, test);
    return param && IsSettledByCalls(facts, impl, {test.id, !test.holds}, id, *param);
  });
}

namespace {

// What an object does not have yet and then keeps: `if self._table is None:`, `if not hasattr(self, "_table"):`,
// `if getattr(self, "_table", None) is None:`, `if self._table is not None: return self._table`.
bool IsMadeThere(const Facts& facts, const Facts::Impl& impl, const Test& test) {
  const ir::Program& program = facts.program();
  const ir::Op& op = program.ops[test.id];
  if (BuiltinCalled(facts, impl, test.id) == "hasattr") return !test.holds;
  if (op.kind != ir::OpKind::kCompare || facts.Of(program.Operand(test.id, 1)).kind != Kind::kNone) return false;
  const auto compare = static_cast<ir::CompareOp>(op.detail);
  const bool is_none = compare == ir::CompareOp::kIs      ? test.holds
                       : compare == ir::CompareOp::kIsNot ? !test.holds
                                                          : false;
  if (!is_none) return false;
  const ir::ValueId tested = facts.Source(program.Operand(test.id, 0));
  if (!tested.valid()) return false;
  return program.ops[tested].kind == ir::OpKind::kAttr || BuiltinCalled(facts, impl, tested) == "getattr";
}

}  // namespace

bool RunsInOneCaseOnly(const Facts& facts, Facts::Impl& impl, ir::BlockId block) {
  const ir::Program& program = facts.program();
  if (IsKeptThere(facts, block)) return true;
  return AnyTestAround(program, block, [&](const Test& test, ir::GuardId) {
    if (facts.BoolOf(test.id)) return false;
    if (IsMadeThere(facts, impl, test)) return true;
    if (!AsksForOneCase(facts, test)) return false;
    const ir::ValueId tested = facts.Source(TestedValue(facts, impl, test));
    return tested.valid() && program.ops[tested].kind == ir::OpKind::kAttr && !facts.IsArray(tested) &&
           !facts.IsArray(program.Operand(tested, 0)) && !IsNumber(facts.Of(program.Operand(test.id, 1)).kind) &&
           !IsSettledByObjects(facts, impl, test);
  });
}

bool KeepsResult(const Facts::Impl& impl, ir::FunctionId function_id) {
  const ir::Program& program = impl.program;
  const ir::Function& function = program.functions[function_id];
  const auto named = std::count_if(function.params.begin(), function.params.end(), [](const ir::Param& param) {
    return param.kind != ir::ParamKind::kVarPositional && param.kind != ir::ParamKind::kVarKeyword;
  });
  // One result for each set of arguments: of functools what a loop asks for again comes from there, of others who
  // knows.
  const bool by_arguments = named > 1;
  return std::any_of(function.decorators.begin(), function.decorators.end(), [&](ir::ValueId decorator) {
    const ir::ValueId id = DecoratorName(impl, decorator);
    if (!id.valid()) return false;
    const ir::Op& op = program.ops[id];
    std::string_view name;
    if (op.kind == ir::OpKind::kAttr) name = program.Name(op);
    if (op.kind == ir::OpKind::kLoadCell) name = impl.names.Text(program.cells[ir::CellId(op.payload)].name);
    if (op.kind == ir::OpKind::kImport) name = impl.names.Text(program.imports[op.payload].bound);
    if (op.kind == ir::OpKind::kMakeFunction)
      name = impl.names.Text(program.functions[ir::FunctionId(op.payload)].name);
    if (by_arguments) return name == "lru_cache" || name == "cache";
    return name.find("ache") != std::string_view::npos || name.find("emoize") != std::string_view::npos;
  });
}

bool CallsOneOfMany(const Facts& facts, Facts::Impl& impl, ir::ValueId call) {
  if (!impl.functions_called_known) {
    impl.functions_called_known = true;
    std::vector<ir::ValueId> sites;  // as often as they call a function
    for (const FunctionFact& function : impl.functions) {
      sites.insert(sites.end(), function.call_sites.begin(), function.call_sites.end());
    }
    std::sort(sites.begin(), sites.end());
    for (auto same = sites.begin(); same != sites.end();) {
      const auto next = std::find_if(same, sites.end(), [&](ir::ValueId site) { return site != *same; });
      if (const auto count = static_cast<std::size_t>(next - same); count > kFew)
        impl.functions_called.emplace(*same, static_cast<std::uint32_t>(count));
      same = next;
    }
  }
  if (impl.program.ops[call].kind != ir::OpKind::kCall) return false;
  const ir::ValueId callee = impl.program.Operand(call, 0);
  const Kind kind = facts.Of(callee).kind;
  const bool of_object = impl.program.ops[callee].kind == ir::OpKind::kAttr;
  if (of_object && facts.Of(impl.program.Operand(callee, 0)).kind == Kind::kUnknown && AnswersBefore(facts, call))
    return true;
  // Of a sequence that is walked each is called. Of objects SeeObject knows more.
  if (kind == Kind::kFunction && IsWalked(facts, of_object ? impl.program.Operand(callee, 0) : callee)) return false;
  const bool variable = kind == Kind::kUnknown || kind == Kind::kFunction || (kind == Kind::kMethod && !of_object);
  return variable && impl.functions_called.contains(call);
}

int OpenTests(const Facts& facts, Facts::Impl& impl, ir::BlockId block) {
  const ir::Program& program = facts.program();
  const ir::FunctionId function = program.blocks[block].function;
  int open = 0;
  AnyTestAround(program, block, [&](const Test& test, ir::GuardId) {
    if (facts.BoolOf(test.id)) return false;
    const ir::Op& op = program.ops[test.id];
    // `if order > 0`: either side is one case.
    const bool of_number = op.kind == ir::OpKind::kCompare && IsNumber(facts.Of(program.Operand(test.id, 1)).kind);
    if (!of_number && !AsksForOneCase(facts, test)) return false;
    const bool told = ParamAsked(facts, impl, function, test).has_value();  // by the calls
    // What data decide may be so on any pass; that they are one certain number is a case again.
    const bool of_data = facts.IsArray(test.id) && !(of_number && AsksForOneCase(facts, test));
    if (!told && !of_data && !IsSettledByObjects(facts, impl, test)) ++open;
    return false;
  });
  return open;
}

// What stands in an `else` runs as a rule: one case less.
double PeriodOfTests(const Facts& facts, const Facts::Impl& impl, ir::BlockId block) {
  constexpr int kMostTests = 8;
  const ir::Program& program = facts.program();
  const ir::FunctionId function = program.blocks[block].function;
  double period = 1;
  int tests = 0;
  for (ir::GuardId id = program.blocks[block].guard; id.valid() && tests < kMostTests; id = program.guards[id].parent) {
    const ir::Guard& guard = program.guards[id];
    if (guard.kind != ir::Guard::Kind::kTest || !guard.truth.valid()) continue;
    const Test test = TestOf(program, guard);
    if (!test.id.valid() || !test.holds || facts.BoolOf(test.id) || facts.GuardPeriod(id) != 1) continue;
    if (ParamAsked(facts, impl, function, test)) continue;  // the calls tell
    period *= kUnknownTest;
    ++tests;
  }
  return period;
}

namespace {

// What the test gives for a parameter of the function around, by all calls of that.
std::optional<bool> DecideCaptured(const Facts& facts, const Facts::Impl& impl, ir::ValueId test, ir::ValueId value) {
  const ir::Program& program = facts.program();
  value = facts.Source(value);
  if (!value.valid() || program.ops[value].kind != ir::OpKind::kLoadCell) return std::nullopt;
  const ir::Cell& cell = program.cells[ir::CellId(program.ops[value].payload)];
  if (cell.kind != ir::Cell::Kind::kClosure || cell.stores.size() != 1) return std::nullopt;
  const std::optional<std::uint32_t> param = ParamOf(facts, cell.owner, program.Operand(cell.stores.front(), 0));
  const std::vector<ir::ValueId>& calls = impl.functions[cell.owner].call_sites;
  if (!param || calls.empty() || calls.size() > kMostCalls) return std::nullopt;
  std::optional<bool> result;
  for (const ir::ValueId call : calls) {
    const ir::ValueId argument = Passed(facts, impl, call, program.functions[cell.owner], *param);
    const std::optional<bool> here = argument.valid() ? Decide(facts, impl, test, facts.Of(argument)) : std::nullopt;
    if (!here || (result && *here != *result)) return std::nullopt;
    result = here;
  }
  return result;
}

// `kwargs.get("method", "pinv")` of `def f(**kwargs)`, where no known call names the keyword: the default. None() for
// anything else.
ir::ValueId DefaultOfKeyword(const Facts& facts, const Facts::Impl& impl, ir::ValueId call) {
  const ir::Program& program = facts.program();
  if (program.ops[call].kind != ir::OpKind::kCall || facts.PositionalCount(call) != 2) return {};
  const ir::ValueId called = program.Operand(call, 0), key = program.Operand(call, 1);
  if (program.ops[called].kind != ir::OpKind::kAttr || facts.Of(key).kind != Kind::kStr || !facts.Of(key).constant)
    return {};
  const std::string_view method = program.Name(program.ops[called]);
  if (method != "get" && method != "pop") return {};
  const ir::FunctionId id = program.FunctionOf(call);
  const std::optional<std::uint32_t> param = ParamOf(facts, id, program.Operand(called, 0));
  if (!param || program.functions[id].params[*param].kind != ir::ParamKind::kVarKeyword) return {};
  for (const ir::ValueId site : impl.functions[id].call_sites) {
    if (program.ops[site].kind != ir::OpKind::kCall) continue;
    const std::vector<Symbol>& keywords = program.Shape(program.ops[site]).keywords;
    if (std::find(keywords.begin(), keywords.end(), facts.Of(key).name) != keywords.end()) return {};
  }
  return program.Operand(call, 2);
}

// What the test gives for a value as nobody asks for anything else: by defaults of `**kwargs`, and of several branches
// by those that such tests let in.
// NOLINTNEXTLINE(misc-no-recursion): `depth` bounds it
std::optional<bool> DecideByDefault(const Facts& facts, const Facts::Impl& impl, ir::ValueId test, ir::ValueId value,
                                    int depth) {
  constexpr int kDeepest = 4;
  const ir::Program& program = facts.program();
  value = facts.Source(value);
  if (!value.valid() || depth > kDeepest) return std::nullopt;
  if (const std::optional<bool> known = Decide(facts, impl, test, facts.Of(value))) return known;
  if (const ir::ValueId by_default = DefaultOfKeyword(facts, impl, value); by_default.valid())
    return Decide(facts, impl, test, facts.Of(by_default));
  if (program.ops[value].kind != ir::OpKind::kPhi) return std::nullopt;
  const ir::Block& block = program.blocks[program.ops[value].block];
  const std::span<const ir::ValueId> operands = program.Operands(value);
  std::optional<bool> result;
  for (std::size_t i = 0; i < operands.size() && i < block.preds.size(); ++i) {
    const ir::GuardId guard = program.blocks[block.preds[i]].guard;
    if (guard.valid() && guard != block.guard && program.guards[guard].kind == ir::Guard::Kind::kTest) {
      const Test around = TestOf(program, program.guards[guard]);
      const ir::ValueId tested = TestedValue(facts, impl, around);
      // NOLINTNEXTLINE(misc-no-recursion)
      if (tested.valid() && DecideByDefault(facts, impl, around.id, tested, depth + 1) == !around.holds) continue;
    }
    // NOLINTNEXTLINE(misc-no-recursion)
    const std::optional<bool> here = DecideByDefault(facts, impl, test, operands[i], depth + 1);
    if (!here || (result && *here != *result)) return std::nullopt;
    result = here;
  }
  return result;
}

// The way to a call's place, and what the caller has to be given besides for the call to go the way that is asked for.
class WayBefore {
 public:
  WayBefore(const Facts& facts, Facts::Impl& impl, ir::BlockId place)
      : impl_(impl), place_(WayTo(facts, impl, place)) {}

  [[nodiscard]] ir::FunctionId function() const { return impl_.ways[place_].function; }
  [[nodiscard]] ir::ClassId object() const { return impl_.ways[place_].object; }

  void RunOn(ir::ClassId object) {
    if (object != this->object()) Longer().object = object;
  }
  void Add(Way::Need need) { AddNeed(Longer(), need); }

  [[nodiscard]] std::uint32_t Index() const { return longer_ ? impl_.IndexOf(*longer_) : place_; }

 private:
  [[nodiscard]] Way& Longer() {
    if (!longer_) longer_ = impl_.ways[place_];
    return *longer_;
  }

  Facts::Impl& impl_;
  std::uint32_t place_;
  std::optional<Way> longer_;
};

// False where the call hands over a number or nothing; `before` then needs an array for what it only hands on.
bool MayHandOverArray(const Facts& facts, const Facts::Impl& impl, ir::ValueId call, ir::FunctionId to,
                      ArrayParam param, WayBefore& before) {
  const ir::Program& program = facts.program();
  const ir::ValueId argument = GivenTo(facts, impl, Passed(facts, impl, call, program.functions[to], param.index));
  if (!argument.valid()) return true;
  if (const std::optional<std::uint32_t> own = ParamOf(facts, before.function(), argument)) {
    const ir::ParamKind kind = program.functions[before.function()].params[*own].kind;
    if (kind != ir::ParamKind::kVarKeyword) before.Add(NeedOfArray({*own, param.converted}));
    return true;
  }
  const Kind kind = facts.Of(argument).kind;
  return kind != Kind::kNone && kind != Kind::kStr && (param.converted || !IsNumber(kind));
}

}  // namespace

std::optional<std::uint32_t> WayToCall(const Facts& facts, Facts::Impl& impl, const Way& way, ir::ValueId call,
                                       Doubt& doubt) {
  const ir::Program& program = facts.program();
  WayBefore before(facts, impl, program.ops[call].block);
  doubt = {};
  ir::ClassId caller = before.object();
  if (!SeeObject(facts, impl, way, call, caller, doubt)) return std::nullopt;
  before.RunOn(caller);
  const ir::Function& function = program.functions[way.function];
  for (const Way::Need& need : way.needs) {
    if (IsNeedOfArray(need)) {
      if (!MayHandOverArray(facts, impl, call, way.function, ParamOfNeed(need), before)) return std::nullopt;
      continue;
    }
    const Test test = TestOf(program, program.guards[need.guard]);
    ir::ValueId argument;
    std::optional<bool> result;
    if (function.params[need.param].kind == ir::ParamKind::kVarKeyword) {
      if (!AsksForKeyword(facts, test.id)) continue;
      result = HasKeyword(facts, call, function, facts.Of(program.Operand(test.id, 0)).name, argument);
      if (result && static_cast<ir::CompareOp>(program.ops[test.id].detail) == ir::CompareOp::kNotIn) result = !*result;
    } else {
      argument = GivenTo(facts, impl, Passed(facts, impl, call, function, need.param));
    }
    const std::optional<std::uint32_t> param =
        argument.valid() ? ParamOf(facts, before.function(), argument) : std::nullopt;
    if (param) {
      const bool both = program.functions[before.function()].params[*param].kind == function.params[need.param].kind;
      if (both || function.params[need.param].kind != ir::ParamKind::kVarKeyword) before.Add({*param, need.guard});
      continue;
    }
    if (argument.valid() && function.params[need.param].kind != ir::ParamKind::kVarKeyword)
      result = Decide(facts, impl, test.id, facts.Of(argument));
    if (!result && argument.valid()) result = DecideCaptured(facts, impl, test.id, argument);
    if (result && *result != test.holds) return std::nullopt;
    if (result) continue;
    const bool other_by_default = argument.valid() && DecideByDefault(facts, impl, test.id, argument, 0) == !test.holds;
    doubt.unknown = doubt.unknown || AsksForOneCase(facts, test) || other_by_default;
    if (test.holds) doubt.period *= kUnknownTest;
  }
  return before.Index();
}

std::optional<std::uint32_t> WayToDriver(const Facts& facts, Facts::Impl& impl, const Way& way, ir::ValueId call) {
  const ir::Program& program = facts.program();
  const ir::Function& function = program.functions[way.function];
  const std::optional<std::uint32_t> left_out = FirstLeftOut(facts, impl, way.function, call);
  for (const Way::Need& need : way.needs) {
    if (IsNeedOfArray(need) || !left_out || need.param < *left_out) continue;
    const ir::Param& param = function.params[need.param];
    if (!param.default_value.valid()) continue;
    const Test test = TestOf(program, program.guards[need.guard]);
    if (Decide(facts, impl, test.id, facts.Of(param.default_value)) == !test.holds) return std::nullopt;
  }
  return WayTo(facts, impl, program.ops[call].block);
}

namespace {

// Whether the value may be an array where the test comes out as it says: `z = float(z) if scalar else np.asarray(z)` is
// a number behind another `if scalar:`, and so is what is computed from it there and from other numbers.
bool MayBeArray(const Facts& facts, ir::ValueId value, const Test& test) {
  constexpr std::size_t kMostValues = 128;
  const ir::Program& program = facts.program();
  const ir::ValueId flag = facts.Source(test.id);
  const ir::ValueId other = test.holds ? facts.Source(FoundNoArray(facts, test.id)) : ir::ValueId::None();
  std::vector<ir::ValueId> work = {value};
  std::unordered_set<ir::ValueId> seen = {value};
  bool chosen = false;  // by this test
  const auto add = [&](ir::ValueId id) {
    if (id.valid() && seen.insert(id).second) work.push_back(id);
  };
  for (std::size_t i = 0; i < work.size(); ++i) {
    if (i == kMostValues) return true;
    const ir::ValueId id = work[i];
    if (!facts.IsArray(id)) continue;
    if (other.valid() && facts.Source(id) == other) {
      chosen = true;
      continue;
    }
    const ir::Op& op = program.ops[id];
    const std::span<const ir::ValueId> operands = program.Operands(id);
    switch (op.kind) {
      case ir::OpKind::kPhi: {
        const ir::LoopId loop = program.blocks[op.block].loop;
        const bool carried = loop.valid() && program.loops[loop].header == op.block;
        if (carried && facts.InLoop(flag, loop)) return true;  // the test may have come out otherwise the pass before
        const std::span<const ir::BlockId> from = program.blocks[op.block].preds;
        for (std::size_t p = 0; p < operands.size() && p < from.size(); ++p) {
          const bool other_arm = AnyTestAround(program, from[p], [&](const Test& around, ir::GuardId) {
            return around.holds != test.holds && facts.Source(around.id) == flag;
          });
          chosen = chosen || other_arm;
          if (!other_arm) add(operands[p]);
        }
        break;
      }
      case ir::OpKind::kBinary:
      case ir::OpKind::kInplaceBinary:
      case ir::OpKind::kUnary:
      case ir::OpKind::kCompare:
      case ir::OpKind::kAnnotate:
      case ir::OpKind::kTruth:
        for (const ir::ValueId operand : operands) add(operand);
        break;
      case ir::OpKind::kUnpackItem: {  // `t, out = 0.5 * t, 0.5 * out`
        const std::uint32_t index = ir::ItemPosition::Unpack(op.payload).index;
        if (program.ops[operands[0]].kind != ir::OpKind::kTuple || index >= program.ops[operands[0]].operand_count)
          return true;
        add(program.Operand(operands[0], index));
        break;
      }
      case ir::OpKind::kCall:
        if (facts.CalleeOf(id).kind != Callee::Kind::kBuiltin || facts.CalleeOf(id).name != "abs") return true;
        for (const ir::ValueId operand : operands.subspan(1)) add(operand);
        break;
      default: return true;
    }
  }
  return !chosen;
}

}  // namespace

bool Facts::IsNoArrayAt(ir::ValueId value, ir::ValueId op) const {
  const ir::ValueId source = Source(value);
  if (!source.valid()) return false;
  if (HoldsNoNumbersAt(*this, source, op) || IsSparseAt(*this, source, op)) return true;
  return AnyTestAround(program_, program_.ops[op].block, [&](const Test& test, ir::GuardId) {
    const bool is_other_class = !test.holds && IsInstanceTest(*this, *impl_, test.id) &&
                                Source(program_.Operand(test.id, 1)) == source &&
                                ApiName(program_.Operand(test.id, 2)) == "numpy.ndarray";
    return is_other_class || !MayBeArray(*this, source, test);
  });
}

}  // namespace cpnlint::analysis
