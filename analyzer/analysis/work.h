#pragma once

// What a program asks of the machine, symbolically: Legate operations, bytes, flops, transfers and waits of each array
// operation, in the order in which Python reaches them. No hardware and no seconds here: the cost model has those.
// Extents are expressions of the program's DimStore; None() where nothing is known of one. What cannot be counted is a
// task with a reason in `unpriced`, never left out: the tasks of a tree are the whole.
//
// Behaviour of cuPyNumeric 26.07; how many Legate operations a call is lowered to was counted in the runtime's own
// operation log of 26.6.1 (rulesets/api/launches.json says for each name how).

#include <cstdint>
#include <string_view>
#include <vector>

#include "analyzer/analysis/facts.h"

namespace cpnlint::analysis {

// Operations that the same formula prices.
enum class WorkKind : std::uint8_t {
  kElementwise,    // ufuncs, operators, where, comparisons
  kFill,           // zeros, full, `a[:] = 0`: writes only
  kCopy,           // slice assignment, copy, astype, concatenate, reshape that moves, roll, flip
  kRandom,         // draws
  kReduction,      // to one element
  kAxisReduction,  // along some axes
  kScan,           // cumsum, cumprod
  kProduct,        // matrix products: `m`, `n`, `k`, times `batch`; a matrix times a vector has n = 1
  kSort,           // `n` per line, times `batch`: sort, argsort, unique, median
  kGather,         // read by index arrays, take
  kScatter,        // write by index arrays, put
  kMaskRead,       // compress by a mask, nonzero: length known to the device only
  kConvolve,       // `k` taps
  kFft,            // `n` points per transform, times `batch`
  kFactorise,      // solve, cholesky, qr, svd, eig: order `n` (`m` rows where not square), times `batch`
  kHistogram,      // histogram, bincount
  kElementAccess,  // reads or writes one element: one small task each
  kToHost,         // `to_host` bytes cross, the host waits
  kFromHost,       // `from_host` bytes cross
};
inline constexpr std::size_t kWorkKinds = 19;
[[nodiscard]] std::string_view Name(WorkKind kind);  // "elementwise", "matrix product", ...

// An array that a task reads or writes.
struct WorkOperand {
  ir::ValueId root;    // the storage, as cuPyNumeric sees it (Facts::DeviceRootOf); None() unknown
  ShapeId root_shape;  // of the storage; its tiling is what the operand is cut by
  ShapeId shape;       // of the part that is used; None() = rank unknown
  ir::DimId elements;
  // Per axis of the root, where the used part starts (constants); None() where it is the whole or not known. Parts of
  // one root with different starts in one task are what makes a halo.
  ShapeId start;
  std::uint8_t item = 0;  // bytes per element; 0 unknown
  bool written = false;
  bool replicated = false;  // every processor needs all of it
  bool block = true;        // one block of memory: the whole, or a part of its first axis
  bool turned = false;      // its axes are those of the root in another order: `a.T`
};

struct WorkTask {
  ir::ValueId op;  // where it stands; its span is the finding's
  WorkKind kind = WorkKind::kElementwise;
  bool waits : 1 = false;       // the host waits until it is done, and with it everything submitted before
  bool one_device : 1 = false;  // runs on one processor whatever there is
  bool all_to_all : 1 = false;  // every processor exchanges data with every other
  // Not all operands are whole blocks of memory of one shape: a number, a row against a matrix, a part of several axes.
  // A CPU then steps from one index to the next.
  bool walks : 1 = false;
  bool outer_axis : 1 = false;  // kAxisReduction: along another axis than the last
  std::string_view name;        // canonical API name or operator: "numpy.linalg.solve", "+"
  double launches = 1;          // Legate operations that are submitted; 0 for what is lazy or only a view
  double launches_divided = 1;  // the same where Legate divides the data over several processors
  double passes = 1;            // sweeps over the data: `elements` times item sizes are read and written so often
  double operations = 1;        // arithmetic per element (exp counts what it takes, in additions)
  ir::DimId elements;           // of the launch domain, promoted axes included: what Legate compares with its threshold
  // Of one pass, over all processors. Parts of one array that lie over each other are read once.
  ir::DimId bytes_read, bytes_written;
  ir::DimId temporary;           // bytes of hidden temporaries that live during the task
  ir::DimId m, n, k, batch;      // where the kind says so
  ir::DimId to_host, from_host;  // bytes over the host link
  std::vector<WorkOperand> operands;
  std::string_view unpriced;  // why it cannot be counted; empty where it can
};

inline constexpr std::uint32_t kNoCall = 0xffff'ffff;

// A call that is followed; the calls on one way to it are the same entry wherever a step has them in common.
struct WorkCall {
  ir::ValueId call;
  ir::FunctionId function;        // that it runs
  std::uint32_t outer = kNoCall;  // of Work::calls: the call around it
  std::uint32_t depth = 1;        // with all around it
};

// A step of a tree: a task or a loop over further steps. There are very many, so the kind has two bits.
struct WorkStep {
  enum class Kind : std::uint32_t { kTask, kLoop, kPython };

  WorkStep() = default;
  WorkStep(Kind of, std::uint32_t at, double passes = 1, std::uint32_t from = kNoCall)
      : kind(of), index(at), call(from), share(passes) {}

  Kind kind : 2 = Kind::kTask;
  std::uint32_t index : 30 = 0;  // into Work::tasks or Work::loops; kPython: a number of plain Python statements
  // Of Work::calls: the call of the function that the step stands in; kNoCall in the outermost one.
  std::uint32_t call = kNoCall;
  double share = 1;  // of the passes that come this way (tests before it)
};

struct WorkLoop {
  ir::LoopId loop;
  ir::DimId trips;           // None() where not known: then `assumed_trips`
  double assumed_trips = 1;  // rules.md A.5
  std::vector<WorkStep> body;
};

// What runs from one entry: a module's body, or a function that nothing in the program calls.
struct WorkRoot {
  ir::FunctionId function;
  std::vector<WorkStep> steps;
  bool cut = false;  // too large to be followed to its end; what is missing is an unpriced task
};

struct Work {
  std::vector<WorkTask> tasks;
  std::vector<WorkLoop> loops;
  std::vector<WorkCall> calls;
  std::vector<WorkRoot> roots;  // module bodies first, in the order of modules
};

// Per axis of the root, where the operand's part starts; empty where it is the whole or not known.
[[nodiscard]] std::vector<std::int64_t> OffsetsOf(const Facts& facts, const WorkOperand& operand);

// Passes of a loop whose number is not known, where a number is unavoidable (rules.md A.5); for loops over elements
// `extent`, less where more than two of them stand in one another.
[[nodiscard]] double AssumedTrips(const Facts& facts, ir::LoopId loop, double extent);
// ... of any loop, known or assumed.
[[nodiscard]] double PassesOf(const Facts& facts, ir::LoopId loop);
// How often a driver calls the function that it is given, where a number is unavoidable.
inline constexpr double kDriverCalls = 100;

// Calls of the program's own functions are followed (bounded depth and number of steps).
[[nodiscard]] Work WorkOf(const Facts& facts);

}  // namespace cpnlint::analysis
