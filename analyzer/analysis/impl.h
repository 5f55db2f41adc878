#pragma once

// The tables behind Facts. Private to analyzer/analysis: each question has its own .cpp that fills and reads its part.

#include <array>
#include <compare>
#include <cstdint>
#include <deque>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "analyzer/analysis/facts.h"
#include "analyzer/analysis/value_table.h"

namespace cpnlint::analysis {

struct Driver;  // drivers.h

// An attribute of the objects of one class: the join of all that is stored into it by that class.
struct Slot {
  Value value;
  std::vector<ir::ValueId> readers;  // Attr ops to visit again when it changes, while values are inferred
  std::vector<ir::ValueId> stored;   // what is stored; beyond kMostJoined values the last join only widens
};

// What is known of one function as a whole.
struct FunctionFact {
  std::vector<ir::ValueId> call_sites;
  bool has_call_sites = false;  // some call names it, so parameters wait for what is passed
  bool closed = false;          // private and never leaves as a value: all callers are known
  bool compiled = false;        // another tool compiles it (rules.md A.8)
  bool is_property = false, is_static = false, is_classmethod = false;
  bool abstract = false;  // a method without a body, for others to override: what it gives is not None
};

// Symbols of values (ir::DimStore) have the op as their instance; those of cells and of attributes count from here.
constexpr std::uint32_t kCellInstance = 0x8000'0000U;
constexpr std::uint32_t kClassInstance = 0xc000'0000U;

constexpr std::int64_t kMostAxes = 6;  // of a cuPyNumeric array
constexpr std::int64_t kHotTrips = 8;  // hot.min_trips of rules.md A.6: fewer passes make no loop hot

enum class Mode : std::uint8_t { kPrePort, kPorted };

// What a largest number or a small bound rests on.
enum class Trust : std::uint8_t {
  kProof,  // it can be nothing else: what a function returns, what an attribute is ever set to
  kUsage,  // of those in sight: defaults, arguments, attributes by their name; others may ask for more
};

// What the ways that lead to a place take for granted (ways.cpp): of which class the object is whose method runs, and
// what tests around the place ask of parameters that callers hand on unchanged.
struct Way {
  struct Need {
    std::uint32_t param = 0;  // of `function`
    ir::GuardId guard;
    friend auto operator<=>(const Need& a, const Need& b) {
      return std::pair(a.param, a.guard.index()) <=> std::pair(b.param, b.guard.index());
    }
    friend bool operator==(const Need&, const Need&) = default;
  };
  ir::FunctionId function;
  ir::ClassId object;  // of this class or derived from it; None(): any
  std::vector<Need> needs;
  friend bool operator==(const Way&, const Way&) = default;
};

// Whether a call runs the function as the way says.
struct Doubt {
  bool unknown = false;      // a test asks for one case, such as a switch that is on, or the object may be anything
  bool one_of_many = false;  // the object may be of many classes, and the way takes one of them for granted
  double period = 1;         // of the tests that nobody decides
};

// The heat of a place, and what the calls that lead there from the hot loop leave open.
struct WayHeat : Heat {
  int open = 0;  // switches, kinds of things and classes of objects that nobody decides
};

// Values of a loop computed from its induction value, and how.
struct Induction {
  std::unordered_map<ir::ValueId, bool> values;  // true: the bare induction value itself
};

// What a test and those around it say of the code behind it (heat.cpp).
struct GuardFact {
  bool known = false;
  bool dead = false;         // one of them all can never let anything through
  double period = 1;         // of it and those right around it that stand in the same loop
  EvidenceSet evidence = 0;  // that the period rests on
  ir::GuardId outside;       // the first one around it that stands in another loop
};

// What attributes are called, by the whole program (attribute_kinds.cpp).
struct AttributeKinds {
  std::unordered_set<Symbol> texts;      // whatever is stored in them is a text of the program
  std::unordered_set<Symbol> operators;  // whose transposed is multiplied with something: `self.curl.T * e`
};

struct Facts::Impl {
  Impl(const ir::Program& p, Interner& n) : program(p), names(n), unknown(Unknown()) {}

  const ir::Program& program;
  Interner& names;
  const Value unknown;
  ValueStore store;

  ValueTable values;
  IdVector<ir::FunctionId, FunctionFact> functions;
  std::vector<Slot> slots;
  std::unordered_map<std::uint64_t, std::uint32_t> slot_of;  // class and attribute name → index in slots
  IdVector<ir::ClassId, ir::ClassId> family;                 // topmost analysed base class
  IdVector<ir::ClassId, std::vector<ir::ClassId>> bases;
  IdVector<ir::ClassId, std::vector<ir::ClassId>> heirs;    // the class itself and all derived from it
  IdVector<ir::ClassId, std::vector<ir::ClassId>> heir_of;  // the classes that count it among their heirs
  IdVector<ir::ClassId, std::vector<ir::ClassId>> kin;  // whose objects may be its objects: heirs, and their ancestors
  std::unordered_map<ir::ValueId, Value> items;         // List, Dict, ... ops: what is added after creation
  // What the documentation says of extents: the first and the last one of a parameter, the items of a result.
  std::unordered_map<ir::ValueId, std::array<std::optional<std::int64_t>, 2>> documented_extents;
  std::unordered_map<ir::FunctionId, std::int64_t> documented_items;
  std::unordered_map<ir::ValueId, ir::DType> item_types;    // item_types.cpp: what arrays hold, as their items are used
  std::unordered_map<std::uint64_t, Value> assumed_arrays;  // by module and name, or function and name (assume.cpp)
  std::unordered_map<std::uint64_t, ir::CellId> globals;    // module variables, by SlotKey of body and name
  std::unordered_map<Symbol, ir::ClassId> classes_by_name;  // None() where several are called so; filled when asked
  std::optional<AttributeKinds> attribute_kinds;            // filled when asked
  IdVector<ir::ModuleId, Mode> modes;
  std::unordered_set<ir::ModuleId> backends;        // modules.cpp: hand on the names of an array library
  std::unordered_set<ir::FunctionId> array_scopes;  // functions and module bodies that import the array library
  bool budget_exhausted = false;
  mutable std::vector<std::uint8_t> numpy_names;  // by symbol: see NumpyNames
  mutable std::vector<bool> property_names;       // by symbol: some property is called so (changes.cpp)
  mutable IdVector<ir::ModuleId, std::vector<ir::ModuleId>> with_stars;  // modules.cpp; empty until asked for
  mutable std::vector<std::uint8_t> called_by_class;  // own_methods.cpp, by function: 0 not asked for, 1 no, 2 yes

  // uses.cpp. By value: None(), its only user, or with kSeveralUses where in `uses` their number stands, and then they.
  static constexpr std::uint32_t kSeveralUses = 0x8000'0000U;
  std::vector<ir::ValueId> use_of, uses;

  // Lazily computed, per function or loop; absent until asked for.
  std::vector<const Callee*> callee_of;  // by index of the value that is called; null: not asked yet
  std::deque<Callee> callees;
  std::vector<std::uint8_t> has_axis;  // by op: 0 not asked for, 1 no, 2 yes
  std::vector<ir::ValueId> random_calls;
  bool random_calls_known = false;
  std::unordered_set<std::string_view> imported_packages;
  bool imported_packages_known = false;
  std::unordered_map<ir::ValueId, SubscriptResult> subscripts;
  std::unordered_map<std::uint64_t, ir::DimId> small_extents;  // bounds.cpp, by array and axis
  std::unordered_map<std::uint64_t, std::vector<ir::ValueId>>
      attribute_stores;  // attribute_stores.cpp, by family, or any, and attribute name
  bool attribute_stores_known = false;
  std::unordered_map<ir::FunctionId, std::vector<Symbol>> kept_under;  // attribute_stores.cpp
  bool kept_under_known = false;
  std::unordered_map<ir::LoopId, Trips> trips;
  std::unordered_map<ir::LoopId, std::optional<std::int64_t>> most_trips;
  std::unordered_map<ir::LoopId, std::optional<std::int64_t>> usual_trips;
  std::optional<std::unordered_map<Symbol, std::optional<double>>> usual_counts;  // usual_counts.cpp
  std::unordered_map<ir::LoopId, LoopFact> loops;
  std::unordered_map<ir::LoopId, Induction> inductions;
  std::vector<std::uint32_t> heat_of;        // by block: index in heats and 1
  std::vector<std::uint32_t> local_heat_of;  // by block: of LocalHeat alone
  std::deque<WayHeat> heats;                 // equal ones are one
  IndexTable heat_table;
  std::vector<GuardFact> guards;       // by index
  std::vector<Way::Need> guard_needs;  // ways.cpp, by index, once asked for; without a guard: none
  std::unordered_map<ir::LoopId, std::unordered_set<ir::BlockId>> repeating;  // blocks from which the loop goes on
  std::unordered_map<ir::FunctionId, std::vector<HostRead>> host_reads;
  std::unordered_map<ir::ValueId, std::vector<ir::ValueId>> mutations;
  std::unordered_set<ir::FunctionId> mutations_done;
  // Of the function's own ops: what is changed, and by which op.
  std::unordered_map<ir::FunctionId, std::vector<std::pair<ir::ValueId, ir::ValueId>>> mutated_roots;
  std::unordered_map<ir::LoopId, std::unordered_set<ir::ValueId>> changed_in_loop;  // roots
  std::unordered_map<ir::LoopId, std::unordered_set<Symbol>> attributes_stored;     // None(): any may be
  std::unordered_map<std::uint64_t, bool> invariant;                                // by loop and value
  static constexpr std::uint32_t kOpenHeat = 0xffff'ffffU;                          // not known yet
  std::deque<Way> ways;                  // that were asked for; equal ones are one
  std::vector<std::uint32_t> way_heats;  // parallel: index in heats, or kOpenHeat
  IndexTable way_table;
  std::vector<std::uint32_t> way_of;                           // by block: index in ways of all that leads there, and 1
  std::unordered_map<ir::ValueId, std::uint32_t> array_heats;  // heat_ways.cpp: HeatWithArray, as index in heats
  std::unordered_map<std::uint64_t, bool> many_forms;          // ways.cpp, by SlotKey of class and method
  std::unordered_map<std::uint64_t, bool> one_of_many;         // ways.cpp, by SlotKey of class and the one wanted
  std::unordered_map<Symbol, std::vector<ir::ValueId>>
      unresolved_calls;                                     // calls of methods of unknown objects, by name
  std::unordered_map<Symbol, ir::ClassId> method_families;  // by method name: the one family that has it, or None()
  std::unordered_map<Symbol, std::vector<ir::FunctionId>> methods_by_name;  // filled with method_families
  bool unresolved_calls_known = false;
  std::unordered_map<ir::FunctionId, std::vector<ir::ValueId>> driver_calls;  // that a function is handed to (A.5)
  bool driver_calls_known = false;
  std::unordered_map<ir::FunctionId, bool> array_work;
  std::vector<bool> reachable;
  bool reachability_known = false;
  int call_depth = 0;   // of the recursions through calls below; bounded
  int usual_depth = 0;  // of questions for usual extents that ask for others
  // Answers to such questions: of a size, of an axis of an array, by how deep they were asked.
  std::unordered_map<std::uint64_t, std::optional<std::int64_t>> usual_sizes, usual_items;

  std::unordered_map<ir::ValueId, std::uint32_t> functions_called;  // how many each call may mean; see CallsOneOfMany
  bool functions_called_known = false;

  [[nodiscard]] std::uint32_t Keep(const WayHeat& heat);  // its index in heats
  [[nodiscard]] const WayHeat& SiteHeat(const Facts& facts, ir::ValueId op);
  [[nodiscard]] std::uint32_t IndexOf(const Way& way);                            // in ways; from then on it is there
  [[nodiscard]] const WayHeat& LocalHeat(const Facts& facts, ir::BlockId block);  // within the function alone
  // The place's function is run that way, and as hot as `callers`.
  [[nodiscard]] WayHeat HeatOn(const Facts& facts, ir::ValueId op, const Way& way, const WayHeat& callers);
  // By the calls that may hand over arrays; `heat` is that by all calls.
  [[nodiscard]] WayHeat HeatWithArray(const Facts& facts, ir::ValueId op, const WayHeat& heat);
  [[nodiscard]] const Value& Of(ir::ValueId id) const { return id.valid() ? values[id] : unknown; }
  [[nodiscard]] std::span<const ir::ValueId> UsesOf(ir::ValueId id) const {
    const ir::ValueId& use = use_of[id.index()];
    if (!use.valid()) return {};
    if ((use.index() & kSeveralUses) == 0) return {&use, 1};
    const ir::ValueId* count = uses.data() + (use.index() & ~kSeveralUses);
    return {count + 1, count->index()};
  }
};

void BuildUses(Facts::Impl& impl);
// The methods that a call of that name on an object we know nothing of reaches (A.6, heat.cpp).
[[nodiscard]] std::span<const ir::FunctionId> MethodsReachedBy(Facts::Impl& impl, Symbol name);
// Calls that hand the function to a driver which calls it again and again (callbacks.cpp).
[[nodiscard]] const std::vector<ir::ValueId>& DriverCallsOf(const Facts& facts, Facts::Impl& impl,
                                                            ir::FunctionId function);
// The way to an op of the function's own.
[[nodiscard]] std::uint32_t WayTo(const Facts& facts, Facts::Impl& impl, ir::BlockId block);
// The way to the call (or the read of a property) on which the function is run as `way` says; nullopt where it never
// is: the object is of another class, or an argument decides the tests the other way.
[[nodiscard]] std::optional<std::uint32_t> WayToCall(const Facts& facts, Facts::Impl& impl, const Way& way,
                                                     ir::ValueId call, Doubt& doubt);
// The same for a call that hands the way's function to a driver; nullopt where a default decides the tests.
[[nodiscard]] std::optional<std::uint32_t> WayToDriver(const Facts& facts, Facts::Impl& impl, const Way& way,
                                                       ir::ValueId call);
// What the table of drivers says of the function that the call hands over; null where it does not know it.
[[nodiscard]] const Driver* DriverOf(const Facts& facts, const Facts::Impl& impl, ir::FunctionId function,
                                     ir::ValueId call);
[[nodiscard]] bool HandsOnlyNumbers(const Driver& driver);
// Calls like `src.update_E()` on an object we know nothing of (heat_ways.cpp).
[[nodiscard]] const std::vector<ir::ValueId>& UnresolvedCallsOf(const Facts& facts, Facts::Impl& impl, Symbol name);
// The first parameter of the function that the driver never hands over anything for; nullopt where that is not known.
[[nodiscard]] std::optional<std::uint32_t> FirstLeftOut(const Facts& facts, const Facts::Impl& impl,
                                                        ir::FunctionId function, ir::ValueId call);
// `unknown` of what the way's function is itself handed, by all that call it.
[[nodiscard]] bool AsksUnknown(const Facts& facts, const Facts::Impl& impl, const Way& way);
// ... and of attributes that the block's own function tests: `if self.verbose:`, `if self._table is None:`.
[[nodiscard]] bool RunsInOneCaseOnly(const Facts& facts, Facts::Impl& impl, ir::BlockId block);
// A decorator keeps the one result there is: `@cached_property`, `@lru_cache` without arguments, `@_cached` of its own.
[[nodiscard]] bool KeepsResult(const Facts::Impl& impl, ir::FunctionId function);
// A key of a subscript as it selects; `*slices` is any number of keys.
[[nodiscard]] Value KeyValue(const ir::Program& program, ir::ValueId key, const Value& value);
// The call runs one function of more than a few, and nobody knows which: a variable or an attribute holds it.
[[nodiscard]] bool CallsOneOfMany(const Facts& facts, Facts::Impl& impl, ir::ValueId call);
// How many tests around the block let one case of something in that no caller decides: a switch, a number, a kind of
// thing.
[[nodiscard]] int OpenTests(const Facts& facts, Facts::Impl& impl, ir::BlockId block);
// The loop runs the block only with a switch on that is off by default, and nobody is seen to set it.
[[nodiscard]] bool IsSwitchedOff(const Facts& facts, Facts::Impl& impl, ir::BlockId block, ir::LoopId loop);
// How seldom the tests around the block that no caller decides let its function through to it (A.6).
[[nodiscard]] double PeriodOfTests(const Facts& facts, const Facts::Impl& impl, ir::BlockId block);
// The arguments of a call on an object that nothing is known of fit the method.
[[nodiscard]] bool CouldCall(const Facts& facts, const Facts::Impl& impl, ir::ValueId call, ir::FunctionId method);
void SeeItems(Facts::Impl& impl);
// The largest of the constants that a number can be: where it can be nothing else, or by usage (usual_trips.cpp).
[[nodiscard]] std::optional<std::int64_t> LargestConstant(const Facts& facts, Facts::Impl& impl, ir::ValueId number,
                                                          Trust trust);
// The counter numbers the axes of an array: `axis=i`, `x.shape[i]` (loop_axes.cpp).
[[nodiscard]] bool CountsAxes(const Facts& facts, ir::LoopId loop);
// What a size comes to with the largest constants that its numbers are given, where they come from nowhere else
// (usual_trips.cpp). No proof: others may ask for more.
[[nodiscard]] std::optional<std::int64_t> UsualSize(const Facts& facts, Facts::Impl& impl, ir::DimId size);
// ... and of the first (0) or last (-1) axis of an array: no more than a few (bounds.cpp). nullopt for others, and
// where that is asked too deep inside of another such question.
[[nodiscard]] std::optional<std::int64_t> UsualItems(const Facts& facts, Facts::Impl& impl, ir::ValueId array,
                                                     int axis);
// The extent of an array that each pass of the loop indexes with its counter (trips.cpp).
[[nodiscard]] std::optional<std::int64_t> BoundByIndex(const Facts& facts, Facts::Impl& impl, ir::LoopId loop,
                                                       Trust trust);
// The most passes that a loop makes with the constants that are assigned to what it counts to, handed over for a
// parameter, or stand as its default (usual_trips.cpp). nullopt where a count comes from anywhere else. No proof.
[[nodiscard]] std::optional<std::int64_t> UsualTrips(const Facts& facts, Facts::Impl& impl, ir::LoopId loop);
// Too few to make the loop hot, where nobody asks for more (usual_trips.cpp). No proof: others may.
[[nodiscard]] bool MakesFewPasses(const Facts& facts, Facts::Impl& impl, ir::LoopId loop);
// A list, dict or set that the loop may change: a method of it is called there, an item is stored, or other code gets
// it.
[[nodiscard]] bool ContainerChangedIn(const Facts& facts, ir::ValueId container, ir::LoopId loop);
// The tests on which a loop ends ask a file or a list for what comes next: `while line.strip():`, `while stack:`,
// `while True: if f.tell() >= size: break` (sequences.cpp).
[[nodiscard]] bool TestsWhatIsNext(const Facts& facts, ir::LoopId loop, std::vector<ir::ValueId> tests);
void ChooseModes(Facts::Impl& impl);
// What annotation, docstring, use and default value say of each parameter (A.3, evidence 4 to 6).
[[nodiscard]] std::vector<Value> LocalEvidence(Facts::Impl& impl, ir::FunctionId function);
// What return annotation and docstring say of the result: arrays, objects of ours, containers of them; else kUnknown.
[[nodiscard]] Value PromisedResult(Facts::Impl& impl, ir::FunctionId function);
// The value an annotation promises; kUnknown where it promises nothing we model.
[[nodiscard]] Value FromAnnotation(Facts::Impl& impl, ir::ValueId annotation);
void SeeDecorators(Facts::Impl& impl);
void ReadAssumptions(Facts::Impl& impl);
// The array that the user says a parameter, module variable or attribute holds; nullptr without a word about it.
[[nodiscard]] const Value* AssumedArray(const Facts::Impl& impl, ir::FunctionId function, Symbol name);
void Infer(Facts::Impl& impl);
// Some import of the program names the package or a module of it.
[[nodiscard]] bool ImportsPackage(Facts::Impl& impl, std::string_view package);
[[nodiscard]] Callee ResolveCallee(const Facts::Impl& impl, ir::ValueId call);
// The op that a decorator entry of a function or class names (the callee where it is a call).
[[nodiscard]] ir::ValueId DecoratorName(const Facts::Impl& impl, ir::ValueId decorator);

// Whose methods have the name (method_names.cpp).
enum class MethodOf : std::uint8_t {
  kText = 1,       // an array whose items have it holds strings
  kTextOnly = 2,   // whatever has it is a string
  kContainer = 4,  // of lists, dictionaries, strings, files and tables: what is used so is no array
  kAnything = 8,   // of containers, strings, files or arrays: says nothing about classes of the program
};
[[nodiscard]] bool IsMethodOf(std::string_view name, MethodOf whose);
// A method of lists, dictionaries, strings and files that arrays do not have.
[[nodiscard]] bool IsContainerMethod(std::string_view name);
// `for name in options:`, `for name, field in fields.items():`: one entry after the other, left early or not
// (trips.cpp).
[[nodiscard]] bool WalksNames(const Facts& facts, ir::LoopId loop);
// `for i in range(n): self.grids[i].fill()`: the counter picks objects of the program out of a list (trips.cpp).
[[nodiscard]] bool IndexesObjects(const Facts& facts, ir::LoopId loop);
// `for block in blocks: a[:, i:i + block.width]`: the slabs belong to objects, whose attributes are read (trips.cpp).
[[nodiscard]] bool CutsForObjects(const Facts& facts, ir::LoopId loop, LoopKind kind);
// How often a loop makes an access at most because its counter, never the same twice, indexes a short axis (trips.cpp).
[[nodiscard]] std::optional<std::int64_t> MostTimes(const Facts& facts, ir::ValueId subscript, ir::LoopId loop);

// Joins that treat None as "not there yet": an attribute that starts as None and becomes an array is an array.
[[nodiscard]] Value JoinOptional(ValueStore& store, const Value& a, const Value& b);

// Libraries whose functions need host data and whose results are no arrays of ours (namespaces.cpp).
[[nodiscard]] bool IsForeignLibrary(std::string_view dotted);
// Functions of SciPy that compute an array out of arrays.
[[nodiscard]] bool GivesHostArray(std::string_view dotted);
// What is in the tuple that such a call gives, in this order; nothing where it gives none, or has keywords that change
// that.
struct HostParts {
  std::size_t arrays = 0, numbers = 0;
};
[[nodiscard]] HostParts HostPartsGiven(const Interner& names, std::string_view dotted, const ir::CallShape& call);
// A text, or an attribute that is one in all classes: no array takes it as a key (attribute_kinds.cpp).
[[nodiscard]] bool IsTextKey(Facts::Impl& impl, ir::ValueId key);
// `factor * other` may apply a matrix of SciPy, by what the program does with the factor (attribute_kinds.cpp).
[[nodiscard]] bool MayBeOperator(Facts::Impl& impl, ir::ValueId factor, ir::ValueId other);
// Libraries that run functions of the program in other processes or threads.
[[nodiscard]] bool IsWorkerLibrary(std::string_view dotted);
[[nodiscard]] bool StartsWithModule(std::string_view dotted, std::string_view module);

}  // namespace cpnlint::analysis
