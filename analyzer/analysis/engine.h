#pragma once

// The inference: an optimistic fixpoint over the ops of a program. Every value starts as kBottom, an op is evaluated
// again when an operand (or a cell, slot, parameter or result it reads) has changed. Private to analyzer/analysis.

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "analyzer/analysis/dirty_set.h"
#include "analyzer/analysis/impl.h"

namespace cpnlint::analysis {

// Variables, results and parameters are the join of what is stored, returned and passed *now*: what was thought of a
// value before it was known better leaves no trace. Beyond so many places each new value only widens the last join.
inline constexpr std::size_t kMostJoined = 32;

// What flows into one function and out of it; nobody asks for it when the inference is done.
// Values as ValueTable::Keep numbers them.
struct Flow {
  std::vector<std::uint32_t> passed;  // per parameter: the join of what known call sites pass; kBottom = none yet
  std::vector<std::uint32_t> passed_by_site;           // per call site and parameter
  std::vector<std::uint32_t> passed_elsewhere;         // per parameter: by callbacks and by further call sites
  std::vector<std::uint32_t> local;                    // per parameter: what annotation, docstring, use and default say
  std::uint32_t returned = ValueTable::kNothingKnown;  // the join of what it returns; of a generator: what it yields
  std::uint32_t promised = ValueTable::kNothingKnown;  // what return annotation and docstring say
  bool promise_known = false;
};

constexpr std::size_t kLongestName = 200;  // that attributes of a library's name make: no library nests that deep

class Engine {
 public:
  explicit Engine(Facts::Impl& impl);
  void Run();

 private:
  // engine.cpp: the work-list, and what flows between functions
  void FindCallTargets();
  void FindFamilies();
  void FindMethodsCalled();  // waiting_methods.cpp
  void FindDeclared();
  void SettleNames();
  [[nodiscard]] bool IsUsedAsNamespace(ir::ValueId import) const;
  // chosen_namespaces.cpp
  [[nodiscard]] std::optional<Value> NamespaceGiven(ir::ValueId call);
  [[nodiscard]] std::optional<Value> LibraryLoaded(ir::ValueId call);
  [[nodiscard]] bool IsNamespaceByUse(ir::ValueId id) const;
  // namespace_choices.cpp
  void FindNamespaceChoices();
  void Sweep();
  void Visit(ir::ValueId id);
  void Set(ir::ValueId id, Value value);
  void Push(ir::ValueId id);
  void PushUsers(ir::ValueId id);
  void GrowCell(ir::CellId cell, const Value& value);
  void GrowReturned(ir::FunctionId function, const Value& value);
  [[nodiscard]] const Value& Returned(ir::FunctionId function) const { return Kept(flows_[function].returned); }
  [[nodiscard]] bool SomeCallPassesObject(const Flow& flow, std::size_t parameter) const;
  [[nodiscard]] ir::DType TextsPassed(const Flow& flow, std::size_t parameter) const;
  [[nodiscard]] std::vector<ShapeId> ShapesPassed(const Flow& flow, std::size_t parameter) const;
  [[nodiscard]] Value KnownReturns(ir::FunctionId function, const Value& otherwise);
  void Watch(ir::CellId cell, ir::ValueId reader);
  void WatchValue(ir::ValueId value, ir::ValueId reader);
  void StoreOutside(ir::CellId cell, const Value& value);
  [[nodiscard]] std::size_t SiteOf(ir::FunctionId function, ir::ValueId call);
  void Pass(ir::FunctionId function, std::size_t parameter, const Value& value, std::size_t site);
  [[nodiscard]] bool ReturnsField(ir::FunctionId function) const;
  Value JoinItems(const Value& a, const Value& b);
  void GrowItem(ir::ValueId container, const Value& item);
  void AddItem(ir::ValueId container, const Value& item);  // also what a comprehension collects itself
  [[nodiscard]] ir::DimId EntriesWritten(ir::ValueId dict);
  [[nodiscard]] ir::DimId LengthCollected(ir::ValueId list);
  [[nodiscard]] ir::DimId LengthAppended(ir::ValueId list);
  [[nodiscard]] ir::DimId LengthWalked(ir::ValueId iterable, ir::ValueId reader);
  [[nodiscard]] bool IsReadComplete(ir::ValueId list, ir::ValueId append, ir::LoopId loop) const;
  void GrowItemOfAny(ir::ValueId variable, const Value& item);
  void StoreKey(ir::ValueId dict, Symbol key, const Value& value);
  void GrowKey(ir::ValueId container, Symbol key, const Value& item);
  [[nodiscard]] Value ItemUnder(const Value& dict, Symbol key, ir::ValueId reader);
  Slot* FindSlot(ir::ClassId class_id, Symbol name);
  std::uint32_t MakeSlot(ir::ClassId class_id, Symbol name);
  [[nodiscard]] bool ReleaseAttributes();
  [[nodiscard]] bool WaitsForCalls(ir::FunctionId id) const;
  [[nodiscard]] bool ReleaseWaitingParameters();
  [[nodiscard]] bool ReleaseMethodsCalled();  // waiting_methods.cpp
  [[nodiscard]] bool Release(const std::vector<ir::FunctionId>& waiting);
  [[nodiscard]] bool ReleaseCircularNames();
  [[nodiscard]] bool ReleaseCircularResults();  // returns.cpp
  [[nodiscard]] Value ParameterValue(ir::FunctionId function, std::size_t index);
  [[nodiscard]] Value KnownParameter(ir::FunctionId function, std::size_t index);
  [[nodiscard]] bool IsLeftOut(ir::ValueId param) const;
  [[nodiscard]] bool IsAnyArray(ir::ValueId param, const Value& value) const;
  void FindSizes();

  // transfer.cpp: one op
  [[nodiscard]] Value Transfer(ir::ValueId id, const ir::Op& op);
  [[nodiscard]] Value Phi(ir::ValueId id, const ir::Op& op);
  [[nodiscard]] Value FilledIn(ir::ValueId param, const Value& filled);
  [[nodiscard]] Value Name(ir::ValueId id, const ir::Op& op);
  [[nodiscard]] Value CellValue(ir::CellId cell, ir::ValueId reader);
  [[nodiscard]] Value ImportValue(ir::ValueId id, const ir::Op& op);
  [[nodiscard]] Value StarNameValue(ir::ValueId id, const ir::Op& op);
  [[nodiscard]] std::optional<Value> FromStar(const ir::Module& module, std::size_t star, std::string_view name);
  [[nodiscard]] Value ApiValue(std::string_view dotted, Library library);
  [[nodiscard]] Value ApiAttribute(ir::ValueId id, const Value& object, Symbol name);
  [[nodiscard]] Value LibraryValue(ir::ValueId id, std::string dotted, std::string_view bound);
  [[nodiscard]] Value Attribute(ir::ValueId id, const ir::Op& op);
  [[nodiscard]] std::optional<Value> CountOfUnknown(ir::ValueId id, ir::ValueId object_id, Symbol name);
  [[nodiscard]] ir::DimId RankDim(ir::ValueId array_id, const Value& array);
  [[nodiscard]] Value Arithmetic(ir::ValueId id, const ir::Op& op);
  [[nodiscard]] Value UnaryValue(ir::ValueId id, const ir::Op& op);
  [[nodiscard]] Value CompareValue(ir::ValueId id, const ir::Op& op);
  [[nodiscard]] Value SubscriptValue(ir::ValueId id, const ir::Op& op);
  [[nodiscard]] Value Display(ir::ValueId id, const ir::Op& op);
  [[nodiscard]] Value LoopItemValue(ir::ValueId id);
  [[nodiscard]] Value NotNone(ir::ValueId id, const Value& otherwise);
  [[nodiscard]] Value UnpackValue(const ir::Op& op);
  void StoreItem(ir::ValueId id, const ir::Op& op);

  // modules.cpp: what one module sees of another
  [[nodiscard]] std::optional<Value> ModuleAttribute(ir::ModuleId module, Symbol name, ir::ValueId reader);
  [[nodiscard]] std::optional<Value> ImportedModule(ir::ValueId id, std::string_view dotted);

  // classes.cpp
  [[nodiscard]] Value InstanceAttribute(ir::ValueId id, const Value& object, Symbol name);
  [[nodiscard]] ir::ValueId StoredJustBefore(ir::ValueId read) const;
  [[nodiscard]] bool MayStore(ir::ValueId call) const;
  [[nodiscard]] Value ClassVariable(ir::ValueId reader, ir::ClassId class_id, Symbol name);
  [[nodiscard]] Value VariableHeld(ir::ValueId reader, ir::CellId variable);
  [[nodiscard]] const std::vector<ir::CellId>& VariablesOfHeirs(ir::ClassId class_id, Symbol name);
  [[nodiscard]] Value VariableOfObject(ir::ValueId reader, const Value& object, Symbol name);
  void StoreAttribute(ir::ValueId id, const ir::Op& op);
  void StoreInto(ir::ClassId class_id, Symbol name, ir::ValueId stored);
  void StoreByName(ir::ClassId class_id, ir::ValueId name, ir::ValueId stored);
  [[nodiscard]] Value ClassOf(const Value& object) const;
  [[nodiscard]] const std::vector<ir::FunctionId>& MethodsMeant(ir::ClassId class_id, Symbol name);

  // narrowing.cpp: isinstance, dtype.kind
  void FindTypeTests();
  void FindArrayTests();
  [[nodiscard]] const Value& OfArrayAt(ir::ValueId id, const Value& array) const;
  [[nodiscard]] const Value& NarrowedAt(ir::ValueId id, const Value& otherwise) const;

  // special_methods.cpp: methods that the language calls
  enum class Access : std::uint8_t { kRead, kStore };
  [[nodiscard]] std::optional<Value> CallSpecial(ir::ValueId id, const Value& object, std::string_view name,
                                                 std::span<const Value> arguments);
  [[nodiscard]] Value Entered(ir::ValueId id, const Value& context);
  [[nodiscard]] Value ItemOfObject(ir::ValueId id, const Value& object);
  [[nodiscard]] ir::FunctionId AccessorOf(ir::ClassId class_id, Symbol name, Access access) const;
  [[nodiscard]] bool IsUnsetParameter(ir::ValueId stored) const;
  [[nodiscard]] bool CallSetters(ir::ValueId id, const Value& object, Symbol name, const Value& value);

  // standard_calls.cpp: Python's standard library
  [[nodiscard]] std::optional<Value> CallStandard(ir::ValueId id, const ir::Op& op, std::string_view name);
  // A number that is the same in every run, of less than 9e15; nullopt for others. `reader` is looked at again where it
  // turns out to be none.
  [[nodiscard]] std::optional<double> FoldedNumber(ir::ValueId id, ir::ValueId reader, int depth = 0);
  [[nodiscard]] bool HasKnownShape(const Value& array) const;
  [[nodiscard]] ShapeId ShapeGiven(ir::ValueId call, ir::FunctionId function,
                                   const std::vector<ir::ValueId>& arguments);
  [[nodiscard]] std::optional<Value> PartGiven(ir::ValueId id, ir::ValueId call, ir::FunctionId function,
                                               const std::vector<ir::ValueId>& arguments, int& parts);
  [[nodiscard]] std::optional<Value> SubscriptGiven(ir::ValueId id, ir::ValueId call, ir::FunctionId function,
                                                    const std::vector<ir::ValueId>& arguments, int& parts);
  [[nodiscard]] std::optional<Value> CallGiven(ir::ValueId id, ir::ValueId call, ir::FunctionId function,
                                               const std::vector<ir::ValueId>& arguments, int& parts);
  [[nodiscard]] std::optional<Value> ParsedOptions(ir::ValueId call, std::string_view method);
  [[nodiscard]] Value Reduced(ir::ValueId id);
  [[nodiscard]] Value Operated(ir::ValueId id, std::string_view name);
  [[nodiscard]] Value Walked(ir::ValueId id, const ir::Op& op, std::string_view name);
  [[nodiscard]] Value CallMade(ir::ValueId id, const ir::Op& op, const Value& callee);
  [[nodiscard]] Value MadeDict(ir::ValueId id, const ir::Op& op, std::string_view name);
  void Update(ir::ValueId id, const Value& dict);
  [[nodiscard]] Value MadeBy(ir::ValueId factory, ir::ValueId site);
  [[nodiscard]] Value Combined(ir::ValueId id, const ir::Op& op, std::string_view name);

  // records.cpp: classes whose constructor is made of their fields
  [[nodiscard]] std::vector<Symbol> FieldsOf(ir::ClassId class_id) const;
  [[nodiscard]] Value FieldValue(ir::ValueId assigned);
  [[nodiscard]] const Value& DocumentedField(ir::ClassId class_id, Symbol name);
  enum class Fields : std::uint8_t { kAll, kNamed };
  void StoreFields(ir::ValueId id, const ir::Op& op, ir::ClassId class_id, Fields which);
  [[nodiscard]] std::optional<Value> FieldAt(ir::ValueId id, const Value& object, std::size_t index);
  [[nodiscard]] std::vector<std::string> NamesOfTuple(ir::ValueId call) const;
  [[nodiscard]] Value NamedTuple(ir::ValueId id, const ir::Op& op, ir::ValueId made);
  [[nodiscard]] std::optional<Value> FieldNamed(const Value& tuple, Symbol field) const;

  // array_classes.cpp: classes that derive from ndarray
  void FindArrayClasses();
  [[nodiscard]] Value ObjectOf(ir::ClassId class_id, ir::ValueId root) const;
  [[nodiscard]] bool Defines(const Value& array, std::string_view method) const;
  [[nodiscard]] bool HasOwnOperators(const Value& value) const;
  [[nodiscard]] Value OfClassOf(const ir::Op& op, Value value) const;
  [[nodiscard]] Value OfClassOfArguments(ir::ValueId id, std::string_view name, Value value) const;
  [[nodiscard]] std::optional<Value> AttributeOfArrayClass(ir::ValueId id, const Value& object, Symbol name);
  [[nodiscard]] Value CallArrayClass(ir::ValueId id, const ir::Op& op, ir::ClassId class_id);

  // drivers.cpp: what other libraries hand over
  // What the caller of a driver wants its functions to have besides, handed on as it is.
  struct HandedOn {
    ir::ValueId args;    // a tuple, by position
    ir::ValueId kwargs;  // a dict, by name
  };
  void PassToCallbacks(ir::ValueId call, std::string_view name);
  void PassTo(ir::ValueId call, ir::ValueId argument, std::string_view hands, bool more, const HandedOn& besides);

  // calls.cpp: one call
  [[nodiscard]] Value CallValue(ir::ValueId id, const ir::Op& op);
  [[nodiscard]] Value CallApi(ir::ValueId id, const ir::Op& op, const Value& callee);
  [[nodiscard]] bool IsSuper(ir::ValueId id) const;
  [[nodiscard]] Value SuperValue(ir::ValueId id);
  [[nodiscard]] Value CallMethod(ir::ValueId id, const ir::Op& op, const Value& callee);
  [[nodiscard]] Value CallContainerMethod(ir::ValueId id, const Value& receiver, std::string_view method);
  // What a call hands over: where it says so, None() for an item of `*args`; and what that is.
  struct Given {
    ir::ValueId id;
    Value value;
  };
  struct Handing {
    std::vector<Given> positional;
    std::vector<std::pair<Symbol, Given>> keywords;
    bool has_star = false;  // and nobody knows what else
  };
  static constexpr std::size_t kMostPacked = 32;  // arguments that `*args` takes one by one
  [[nodiscard]] Handing ArgumentsOf(ir::ValueId id, const ir::Op& op, std::uint32_t skipped);
  [[nodiscard]] Value CallWith(ir::ValueId id, const Handing& handing, ir::FunctionId function, const Value* self);
  // compiled_results.cpp
  [[nodiscard]] Value FromCompiled(ir::ValueId call, ir::FunctionId function,
                                   const std::vector<ir::ValueId>& arguments);
  [[nodiscard]] Value CallLocal(ir::ValueId id, const ir::Op& op, ir::FunctionId function, const Value* self);
  [[nodiscard]] Value CallClass(ir::ValueId id, const ir::Op& op, ir::ClassId class_id);
  [[nodiscard]] Value Transposed(ir::ValueId id, const Value& starred);
  [[nodiscard]] Value CallBuiltin(ir::ValueId id, const ir::Op& op, std::string_view name);
  // What NumPy's function gives for these arguments at the op.
  [[nodiscard]] Value ModelResult(ir::ValueId id, std::string_view name, Library library, const Arguments& arguments,
                                  const Value* receiver);
  [[nodiscard]] Value Mapped(ir::ValueId id, const Value& function);  // map(np.asarray, (x, y))
  [[nodiscard]] Value ModelCall(ir::ValueId id, const ir::Op& op, std::string_view name, Library library,
                                const Value* receiver);
  [[nodiscard]] Value Drawn(ir::ValueId id, const ir::Op& op, std::string_view model, std::string_view row,
                            Library library);  // draws.cpp
  [[nodiscard]] Value ReturnedOf(ir::FunctionId function);
  [[nodiscard]] const Value& PromiseOf(ir::FunctionId function);
  [[nodiscard]] Value PromisedBeside(ir::FunctionId function);  // returns.cpp
  // returns.cpp: of one call, whose arguments decide which `return` it is
  [[nodiscard]] bool ReturnsDependOnCall(ir::FunctionId function) const;
  [[nodiscard]] std::vector<ir::ValueId> ReturnsReached(ir::FunctionId function,
                                                        const std::vector<ir::ValueId>& arguments) const;
  [[nodiscard]] Value ReturnedTo(ir::FunctionId function, const std::vector<ir::ValueId>& arguments);
  [[nodiscard]] Value BehindDecorator(ir::ValueId call);
  [[nodiscard]] Value ReturnedByTests(ir::FunctionId function, const std::vector<ir::ValueId>& arguments);
  [[nodiscard]] Value Fulfilled(const Value& known, const Value& promised);
  [[nodiscard]] bool HandsOn(ir::FunctionId decorator) const;
  [[nodiscard]] bool AnyNotReached(const ir::Op& op) const;  // some operand has no value yet

  // What a value is where it is read: at the op that is looked at.
  [[nodiscard]] const Value& Of(ir::ValueId id) const {
    const Value& value = impl_.Of(id);
    const bool tested = value.kind == Kind::kArray && id.index() < tested_arrays_.size() && tested_arrays_[id.index()];
    if (tested) return OfArrayAt(id, value);
    const bool asked = (value.kind == Kind::kUnknown || value.kind == Kind::kStr) && !type_tests_.empty();
    return asked ? NarrowedAt(id, value) : value;
  }
  [[nodiscard]] Value OfOperand(ir::ValueId id) const;  // arithmetic.cpp: of an operator
  [[nodiscard]] const Value& Kept(std::uint32_t index) const { return impl_.values.Kept(index); }
  [[nodiscard]] Value WithLater(ir::ValueId container, const Value& item);
  [[nodiscard]] bool WaitsForItems(const Value& container) const;
  [[nodiscard]] Value ItemWalked(ir::ValueId id, const Value& value);
  [[nodiscard]] Value ItemOf(ir::ValueId id, const Value& value);  // one item of an iterable value
  [[nodiscard]] std::string NameOf(ir::ValueId id) const;          // "u", "self.grid.u"; empty for what has no name
  [[nodiscard]] Symbol NameOrNone(ir::ValueId id);                 // "?" for what has no name
  [[nodiscard]] Symbol NameLookedUp(ir::ValueId call);             // of `options.get("n", 8)` the key, else the same
  [[nodiscard]] Value NamedInt(Symbol name, ir::ValueId id);  // an unknown that, if it is an integer, is called `name`

  static constexpr std::uint32_t kNoSlot = 0xffff'ffff;

  // The tests that find a value to be an array, and the array, as ValueTable::Keep numbers it.
  struct TypeTests {
    std::vector<ir::ValueId> tests;
    std::uint32_t array = ValueTable::kNothingKnown;
  };

  Facts::Impl& impl_;
  const ir::Program& program_;
  ValueStore& store_;
  DirtySet dirty_;
  IdVector<ir::FunctionId, Flow> flows_;
  IdVector<ir::CellId, std::uint32_t> cells_;  // what each variable holds, as ValueTable::Keep numbers it
  std::vector<ir::ValueId> names_;             // what is looked up: imports, variables of modules, attributes
  std::vector<std::uint8_t> changes_;          // how often a value changed: from 6 on it is joined, from 12 on unknown
  std::size_t lowest_pushed_ = 0;              // by the visit that is going on
  std::size_t visits_left_ = 0;
  ir::ValueId now_;   // the op that is looked at
  ir::BlockId here_;  // of the op that is looked at; None(): the values are read at several places
  ir::BlockId next_;  // Phi ops: the block that the way from `here_` leads to
  std::unordered_map<ir::ValueId, TypeTests> type_tests_;
  std::unordered_set<ir::ValueId> of_others_;  // ops that look a name up in another library, as tests around them say
  std::vector<bool> tested_arrays_;            // by op: arrays that some test asks about; empty without any
  std::unordered_map<std::uint64_t, std::uint32_t> documented_fields_;     // by class and name: what docstrings say
  std::unordered_map<std::uint64_t, ir::CellId> class_variables_;          // by class and name
  std::unordered_map<ir::ClassId, std::vector<ir::CellId>> variables_of_;  // by class, in order
  IdVector<ir::ValueId, Symbol> bound_names_;                              // the last name each value was bound to
  std::unordered_map<ir::ValueId, std::int64_t> sizes_;                    // see FindSizes
  std::vector<std::uint32_t> slot_read_;             // by op: the attribute it was last seen to read
  std::unordered_set<std::uint64_t> further_sites_;  // by function and call; see SiteOf
  std::unordered_map<std::uint64_t, std::vector<ir::FunctionId>> methods_meant_;   // by class and name
  std::unordered_map<std::uint64_t, std::vector<ir::CellId>> variables_of_heirs_;  // by class and name
  std::vector<ir::FunctionId> called_by_name_;       // methods that wait for what calls of that name hand over
  IdVector<ir::FunctionId, std::uint8_t> released_;  // parameters no longer wait for call sites
  IdVector<ir::FunctionId, std::vector<ir::FunctionId>> named_by_;  // the functions with calls that name it
  std::unordered_map<ir::CellId, Value> stored_outside_;            // by other modules
  IdVector<ir::ClassId, Library> array_libraries_;                  // whose ndarray a class derives from; kNone
  IdVector<ir::ClassId, ir::DType> array_dtypes_;  // what such a class holds, as its methods use the items
  std::unordered_set<Symbol> stored_names_;        // attributes that some op stores
  std::unordered_map<std::uint32_t, ir::ValueId>
      own_storage_;                                        // by slot that one op fills among others: its name there
  bool attributes_released_ = false;                       // those that nothing is stored in are unknown
  std::unordered_map<ir::ValueId, ir::ValueId> declared_;  // values bound to an annotated parameter: the annotation
  std::unordered_map<std::uint64_t, Value> keyed_items_;   // of dictionaries, by SlotKey of op and key
  std::unordered_map<ir::ValueId, std::vector<ir::ValueId>> key_readers_;  // of dictionaries: what looks a key up
  std::unordered_map<ir::ValueId, std::vector<ir::ValueId>>
      stored_readers_;                           // of a value stored just before: attributes; walked: comprehensions
  std::unordered_set<ir::ValueId> grown_lists_;  // comprehensions whose list gets items later
  std::unordered_map<ir::ValueId, ir::ValueId> growers_;                // the op that puts items there; None(): several
  std::unordered_map<ir::CellId, std::vector<ir::ValueId>> importers_;  // what reads a variable without a LoadCell
  std::unordered_map<ir::FunctionId, std::vector<ir::ValueId>> decorated_calls_;  // see BehindDecorator
};

// Key of an attribute of a class, of a variable of a module body, or the like.
template <class Owner, class Name>
[[nodiscard]] constexpr std::uint64_t SlotKey(Id<Owner> owner, Id<Name> name) {
  return std::uint64_t{owner.index()} << 32 | name.index();
}
[[nodiscard]] constexpr Symbol NameOfSlot(std::uint64_t key) { return Symbol(static_cast<std::uint32_t>(key)); }

// modules.cpp. What a name was given, by the ops alone: a variable, an import of the program, `module.name`. None() for
// what is no such name; of a variable with several assignments there is none, or the first one is taken.
enum class Several : std::uint8_t { kNone, kFirst };
[[nodiscard]] ir::ValueId NextHop(const Facts::Impl& impl, ir::ValueId id, Several several);
// The op behind a name: as many hops as there are.
[[nodiscard]] ir::ValueId OriginOf(const Facts::Impl& impl, ir::ValueId id);
// The MakeFunction or MakeClass op that a value certainly is, decorated or not, and the module it certainly is. None()
// otherwise.
[[nodiscard]] ir::ValueId DefinitionOf(const Facts::Impl& impl, ir::ValueId id);
[[nodiscard]] ir::ModuleId ModuleMeant(const Facts::Impl& impl, ir::ValueId id);
[[nodiscard]] Value ModuleValue(const ir::Program& program, ir::ModuleId module);
// The variable of the module, its own or by star imports from analysed modules; None() where it has none.
[[nodiscard]] ir::CellId FindGlobal(const Facts::Impl& impl, ir::ModuleId module, Symbol name);
// The module has names that nobody sees: by `__getattr__` or by a star import from elsewhere.
[[nodiscard]] bool HasOtherNames(const Facts::Impl& impl, ir::ModuleId module);
void IndexGlobals(Facts::Impl& impl);
void SeeBackends(Facts::Impl& impl);

// Whether NumPy itself has the name (numpy.array, numpy.linalg.norm); api table and what the model knows besides.
[[nodiscard]] bool NumpyHas(std::string_view canonical);
// Whether the library, and whether its arrays have an attribute of that name; asked for every attribute of a program.
struct NumpyNames {
  bool library = false, array = false;
};
[[nodiscard]] NumpyNames NumpyNamesOf(const Facts::Impl& impl, Symbol name);
[[nodiscard]] bool IsBuiltinName(std::string_view name);
// How many different names of NumPy have to be looked up in a variable of that name to take it for a namespace (A.3):
// two, and one where the variable is called as people call NumPy.
[[nodiscard]] std::size_t LeastNamespaceNames(std::string_view variable);
// Names that the array API standard has and NumPy before 2.0 had not: `xp.permute_dims`.
[[nodiscard]] bool IsNameOfStandard(std::string_view name);
// NumPy, where a program chooses its array library as it runs (A.3): *likely*.
[[nodiscard]] Value ChosenNumpy(Facts::Impl& impl);
[[nodiscard]] bool IsHostAlias(std::string_view name);  // A.3: `onp` and the like
// `dtype=object`: what is made with it is no array of numbers, whatever some of the calls say.
[[nodiscard]] bool IsObjectType(const Facts::Impl& impl, const Value& value);
// The call that applies a decorator to a def or class: operand 1 is what it decorates.
[[nodiscard]] bool IsDecoration(const ir::Program& program, ir::ValueId id);
[[nodiscard]] ir::ClassId FamilyOf(const Facts::Impl& impl, ir::ClassId class_id);
// What the only assignment to a variable assigns; None() where there are several or none.
[[nodiscard]] ir::ValueId OnlyAssigned(const ir::Program& program, ir::CellId cell);
// Not all of the methods are abstract: those that are stand for the others (classes.cpp).
[[nodiscard]] bool AnyHasBody(const Facts::Impl& impl, const std::vector<ir::FunctionId>& methods);
// The function that a class or its bases define under the name; None() where there is none.
[[nodiscard]] ir::FunctionId FindMethod(const Facts::Impl& impl, ir::ClassId class_id, Symbol name);

}  // namespace cpnlint::analysis
