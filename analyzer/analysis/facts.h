#pragma once

// The read-only façade that rules ask. Values are inferred up front (infer.h); loop kinds, hotness, effects and uses
// are computed when first asked for, per function. Nothing here fails: what is not known is kUnknown, None() or
// nullopt.

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/analysis/model.h"
#include "analyzer/analysis/value.h"
#include "analyzer/analysis/value_table.h"
#include "analyzer/ir/program.h"

namespace cpnlint::analysis {

// What a call calls.
struct Callee {
  enum class Kind : std::uint8_t {
    kUnknown,
    kApi,  // array-library function or class: `name` canonical ("numpy.linalg.norm", "numpy.random.Generator.normal")
    kMethod,           // method of an array: `name` "numpy.ndarray.sum", `receiver` the array
    kBuiltin,          // `name` "float"
    kLocal,            // function or method of the analysed files: `function`
    kClass,            // constructor of a class of the analysed files: `class_id`
    kForeign,          // another library's function ("scipy.ndimage.zoom", "math.sqrt"), or a method of its object
    kContainerMethod,  // method of a Python value: `name` "list.append", "str.format"
  } kind = Kind::kUnknown;
  std::string_view name;
  Library library = Library::kNone;  // kApi, kMethod: of the namespace or the receiver
  ir::ValueId receiver;
  ir::FunctionId function;
  ir::ClassId class_id;
  EvidenceSet evidence = 0;  // what the resolution rests on
};

enum class LoopKind : std::uint8_t {  // rules.md A.5, in the order in which they are tested
  kUnknown,
  kCompiled,
  kIter,
  kRecurrence,
  kElement,
  kChunk,
  kAxis,
  kSweep,
  kRow,
  kConvergence,
  kStep,
  kItem,
};
[[nodiscard]] std::string_view Name(LoopKind kind);  // "element", "step", ...

// How many passes a loop makes; None() where that is unknown (while loops, iterators).
struct Trips {
  ir::DimId count;
  EvidenceSet evidence = 0;
};

struct LoopFact {
  LoopKind kind = LoopKind::kUnknown;
  EvidenceSet evidence = 0;
  bool possible = false;  // the kind itself is in doubt (A.5: unknown rank decides)
  ir::DimId trips;        // symbolic trip count; None() where unknown (while loops)
  EvidenceSet trips_evidence = 0;
  // kElement, kRecurrence, kRow, kChunk, kSweep: the arrays selected by the induction value, and where.
  struct Access {
    ir::ValueId op;  // Subscript or StoreSubscript
    ir::ValueId root;
    bool write = false;
    bool offset = false;  // the key is not the bare induction value (i+1, idx[i], 2*i)
  };
  std::vector<Access> accesses;
  ir::DimId piece;           // kChunk: elements per piece
  bool carried = false;      // a value written in one trip is read in a later one (beyond associative sums)
  bool accumulates = false;  // sums or other associative accumulations across trips
  // kIter: what is walked hands out numbers, one per trip, for work on whole arrays. The trips stay: it could be a
  // list.
  bool hands_out = false;
};

// How often a site runs (A.6).
struct Heat {
  bool hot = false;
  bool dead = false;  // only on a raising path, in an except body or under a constant false test
  EvidenceSet evidence = 0;
  double period = 1;             // k where it runs only every k passes of the hot loop; >= 10 counts as cold for waits
  ir::LoopId loop;               // innermost hot loop around the site (possibly in a calling function); None() where
                                 // that is no loop but a driver: `callback`
  ir::ValueId callback;          // loop kind `callback` (A.5): the call that hands the site's function to minimize,
                                 // solve_ivp, map, ..., which call it many times
  ir::LoopId region;             // outermost hot loop of the nest
  ir::DimId trips;               // product of known trip counts; None() where unknown
  double passes = 1;             // ... with what loops of their kind are taken to make where unknown: to compare
  bool in_element_loop = false;  // inside an element, recurrence, iter loop (A.7.2): `element_loop`
  ir::LoopId element_loop;
};

// Where a device value reaches the host, and how (effects.cpp). `op` is the site, `value` the device value.
struct HostRead {
  enum class Kind : std::uint8_t {
    kConversion,   // float(x), int(x), bool(x), complex(x), np.float64(x), x.item(), x.tolist(), x.tobytes(), host
                   // asarray(x), ...
    kTruth,        // if x, while x, not x, and/or, assert, filter; min(x, y) of 0-d values
    kIndex,        // x used as list index, slice bound, range bound
    kContains,     // y in x
    kFormat,       // print, f-string, str(), %, logging
    kMath,         // math.*, cmath.*, statistics.*
    kForeign,      // passed to another library
    kBuiltinWalk,  // sum(x), max(x), sorted(x): walks an array of rank >= 1
    kIteration,    // for, comprehension, list(x), *x, unpacking
    kAttribute,    // .flat .data .ctypes .strides
  } kind = Kind::kConversion;
  ir::ValueId op;
  ir::ValueId value;
  std::uint32_t operand = 0;  // which operand of `op` is `value` (for OperandSpan)
  EvidenceSet evidence = 0;   // what speaks against it
};

class Facts {
 public:
  Facts(const ir::Program& program, Interner& names);
  ~Facts();
  Facts(const Facts&) = delete;
  Facts& operator=(const Facts&) = delete;

  [[nodiscard]] const ir::Program& program() const { return program_; }
  [[nodiscard]] ValueStore& store() const;
  // No other facts of this process have it: for those who keep what they were told.
  [[nodiscard]] std::uint64_t serial() const { return serial_; }

  // --- values ---
  // kUnknown for None(). Asked many times for each op, so it is no call.
  [[nodiscard]] const Value& Of(ir::ValueId id) const { return id.valid() ? values_[id] : unknown_; }
  [[nodiscard]] bool IsArray(ir::ValueId id) const { return Of(id).kind == Kind::kArray; }  // of any library
  [[nodiscard]] bool IsDevice(ir::ValueId id) const;  // a device array, 0-d results included
  [[nodiscard]] bool IsHost(ir::ValueId id) const;    // a host array or NumPy scalar
  [[nodiscard]] int RankOf(ir::ValueId id) const;     // -1 where unknown or not an array
  [[nodiscard]] bool IsZeroD(ir::ValueId id) const;   // an array known to have rank 0
  // An extent that cannot exceed a small bound counts as that bound (x[0:3], a number of dimensions).
  [[nodiscard]] ir::DimId ExtentOf(ir::ValueId id, int axis) const;
  // Of the first axis, where that is a known number or bounded by a small one.
  [[nodiscard]] std::optional<std::int64_t> MostItems(ir::ValueId array) const;
  // ... or with the sizes that defaults and known callers ask for: too few to make a loop hot. No proof: others may.
  [[nodiscard]] bool UsuallyFewItems(ir::ValueId array) const;
  // The op stands where `isinstance(value, np.ndarray)` does not hold.
  [[nodiscard]] bool IsNoArrayAt(ir::ValueId value, ir::ValueId op) const;
  // Has an axis, of whatever extent: known rank, a slice of something (`x[:, c]`), or computed from what has one.
  [[nodiscard]] bool HasAxis(ir::ValueId array) const;
  [[nodiscard]] ir::DimId VolumeOf(ir::ValueId id) const;
  // True only where the volume is known to be below (a constant, or bounded by one) / at least `elements`.
  [[nodiscard]] bool KnownBelow(ir::ValueId id, std::int64_t elements) const;
  [[nodiscard]] bool KnownAtLeast(ir::ValueId id, std::int64_t elements) const;
  // ... or with the sizes that literals and defaults give to what it is made of. No proof: others may ask for more.
  [[nodiscard]] bool UsuallyBelow(ir::ValueId array, std::int64_t elements) const;
  // A square matrix has fewer rows, by its shape, by what it is made of, or by what it is multiplied with. No proof.
  [[nodiscard]] bool UsuallyFewRows(ir::ValueId matrix, std::int64_t rows) const;
  [[nodiscard]] Confidence ConfidenceOfValue(ir::ValueId id) const;
  [[nodiscard]] ir::ValueId RootOf(ir::ValueId id) const;  // the op that made NumPy's storage; None() unknown
  [[nodiscard]] ir::ValueId DeviceRootOf(ir::ValueId id) const;
  [[nodiscard]] bool IsFresh(ir::ValueId id) const;  // A.4 fresh(v)
  // Looks through Phi, Annotate and Truth ops that only pass on one value.
  [[nodiscard]] ir::ValueId Source(ir::ValueId id) const;

  // --- constants ---
  [[nodiscard]] std::optional<std::int64_t> IntOf(ir::ValueId id) const;
  [[nodiscard]] std::optional<double> NumberOf(ir::ValueId id) const;  // int or float constant
  [[nodiscard]] std::optional<bool> BoolOf(ir::ValueId id) const;
  [[nodiscard]] std::optional<std::string_view> TextOf(ir::ValueId id) const;
  [[nodiscard]] bool IsNoneConstant(ir::ValueId id) const;
  [[nodiscard]] std::string DimText(ir::DimId dim) const;  // "n-2"; "" for unknown

  // --- def-use ---
  [[nodiscard]] std::span<const ir::ValueId> UsesOf(
      ir::ValueId id) const;  // ops that have it as an operand, in order; Phi ops included
  // Ops that use the value or, through Phi/Annotate, a copy of it.
  [[nodiscard]] std::vector<ir::ValueId> DeepUsesOf(ir::ValueId id) const;
  // Leaves the function: returned, yielded, stored in an attribute, container, cell, captured, passed to unknown code.
  [[nodiscard]] bool Escapes(ir::ValueId id) const;

  // --- names and calls ---
  [[nodiscard]] std::string_view ApiName(ir::ValueId id) const;  // canonical dotted name of a kApi value, else ""
  [[nodiscard]] const Callee& CalleeOf(ir::ValueId call) const;  // of a Call op
  [[nodiscard]] bool CallsDevice(ir::ValueId call,
                                 std::string_view canonical_name) const;  // np.f or, for "numpy.ndarray.f", x.f
  // The operand passed at NumPy's position or under the keyword; None() where it is not passed. A method's receiver is
  // not counted: the first argument of x.sum(0) has position 0.
  [[nodiscard]] ir::ValueId Argument(ir::ValueId call, std::size_t position, std::string_view keyword) const;
  [[nodiscard]] ir::ValueId KeywordArgument(ir::ValueId call, std::string_view keyword) const;
  [[nodiscard]] Span KeywordSpan(ir::ValueId call, std::string_view keyword) const;  // of its value; empty where absent
  [[nodiscard]] std::size_t PositionalCount(ir::ValueId call) const;
  [[nodiscard]] bool HasStarArguments(ir::ValueId call) const;
  [[nodiscard]] std::span<const ir::ValueId> CallSitesOf(ir::FunctionId function) const;  // known Call ops
  // The program's calls of what numpy.random has, on the device, in order.
  [[nodiscard]] std::span<const ir::ValueId> RandomCalls() const;
  // Some import statement of the program names the package or a module of it.
  [[nodiscard]] bool Imports(std::string_view package) const;

  // --- subscripts ---
  [[nodiscard]] const SubscriptResult& SubscriptOf(
      ir::ValueId op) const;  // Subscript/StoreSubscript/DelSubscript of an array
  [[nodiscard]] std::span<const ir::ValueId> KeysOf(ir::ValueId op) const;  // index operands

  // --- loops and hotness ---
  [[nodiscard]] const Trips& TripsOf(ir::LoopId loop) const;
  [[nodiscard]] const LoopFact& LoopFactOf(ir::LoopId loop) const;   // an iter loop over an array: trips are its extent
  [[nodiscard]] bool InLoop(ir::ValueId op, ir::LoopId loop) const;  // in the loop or one nested in it, same function
  [[nodiscard]] bool BlockInLoop(ir::BlockId block, ir::LoopId loop) const;   // the same of a block
  [[nodiscard]] bool LoopContains(ir::LoopId outer, ir::LoopId inner) const;  // outer == inner counts
  // True where the value is computed from the loop's induction value (or is it: the bare one).
  [[nodiscard]] bool DependsOnInduction(ir::ValueId value, ir::LoopId loop) const;
  [[nodiscard]] bool IsBareInduction(ir::ValueId value, ir::LoopId loop) const;
  [[nodiscard]] bool Invariant(ir::ValueId value,
                               ir::LoopId loop) const;                    // A.4 inv: reads nothing that the loop writes
  [[nodiscard]] bool MutatedIn(ir::ValueId root, ir::LoopId loop) const;  // A.4 mut, any alias
  // The array has the same shape on every pass; the loop may stand around a call of the array's function. Proof only.
  [[nodiscard]] bool ExtentsInvariant(ir::ValueId array, ir::LoopId loop) const;
  // Some object's attribute of that name is assigned in the loop, or code that may do so is called.
  [[nodiscard]] bool AttributeStoredIn(Symbol name, ir::LoopId loop) const;
  [[nodiscard]] const Heat& HeatOf(ir::ValueId op) const;
  [[nodiscard]] bool IsDead(ir::BlockId block) const;  // `dead` of its heat, without asking who calls the function
  [[nodiscard]] bool IsDead(ir::ValueId op) const { return IsDead(program_.ops[op].block); }
  // 1/k of a guard like `i % k == 0` as k; 10 for an unknown k; 1 for other tests.
  [[nodiscard]] double GuardPeriod(ir::GuardId guard) const;
  // ... with the value that `every` of `if it % every == 0:` has where nobody asks for another one, and what that rests
  // on.
  struct Cadence {
    double period = 1;
    EvidenceSet evidence = 0;
  };
  [[nodiscard]] Cadence CadenceOf(ir::GuardId guard) const;
  // Work on whole device arrays (rank not known to be 0), in the op itself or in the function of the program it calls.
  [[nodiscard]] bool IsArrayWork(ir::ValueId op) const;
  [[nodiscard]] bool FunctionHasArrayWork(ir::FunctionId function) const;
  [[nodiscard]] bool ReachesArrayWork(ir::ValueId callee) const;
  [[nodiscard]] std::optional<std::int64_t> MostTrips(ir::LoopId loop) const;  // nullopt where there is no bound
  // The largest number of passes by the constants that the program gives; others may ask for more.
  [[nodiscard]] std::optional<std::int64_t> UsualTrips(ir::LoopId loop) const;
  // What a size is taken for that the program does not say: the default of an option on the command line, the objects
  // in a list, the axes of an array; nullopt for others.
  [[nodiscard]] std::optional<double> UsualCount(Symbol symbol) const;
  // ... of the one size that has that name there: also by the defaults of what the program makes it of.
  [[nodiscard]] std::optional<double> UsualCount(Symbol symbol, std::uint32_t instance) const;
  [[nodiscard]] bool TripsKnownBelow(ir::LoopId loop, std::int64_t trips) const;
  [[nodiscard]] bool TripsKnownAtLeast(ir::LoopId loop, std::int64_t trips) const;

  // --- effects ---
  [[nodiscard]] std::span<const HostRead> HostReadsOf(ir::FunctionId function) const;
  // Stores through the value or an alias of its root: StoreSubscript, in-place operators, out=, fill/sort/put.
  [[nodiscard]] std::span<const ir::ValueId> MutationsOf(ir::ValueId root) const;

  // --- programs and functions ---
  [[nodiscard]] bool IsPorted(ir::ModuleId module) const;                 // A.3 mode
  [[nodiscard]] bool IsCompiledElsewhere(ir::FunctionId function) const;  // A.8: numba and the like
  [[nodiscard]] bool HasDeviceArrays(ir::ModuleId module) const;
  [[nodiscard]] bool IsReachable(ir::FunctionId function) const;
  // Under hasattr/getattr default or try/except AttributeError/ImportError.
  [[nodiscard]] bool IsGuardedAgainstMissing(ir::ValueId op) const;
  [[nodiscard]] std::string_view QualifiedName(ir::FunctionId function) const;

  struct Impl;

 private:
  [[nodiscard]] Heat LocalHeat(ir::BlockId block) const;  // within the function alone

  const ir::Program& program_;
  std::unique_ptr<Impl> impl_;
  const ValueTable& values_;  // of impl_, as is unknown_
  const Value& unknown_;
  std::uint64_t serial_;
};

}  // namespace cpnlint::analysis
