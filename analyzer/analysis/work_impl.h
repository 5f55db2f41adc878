#pragma once

// Between the files of the work analysis: what one function does, by itself, and the maker of its tasks.

#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "analyzer/analysis/data_lengths.h"
#include "analyzer/analysis/work.h"

namespace cpnlint::analysis {

// One step of a function's own code, calls not yet followed.
struct PlanItem {
  enum class Kind : std::uint8_t { kTask, kOpenLoop, kCloseLoop, kCall, kPython } kind = Kind::kTask;
  std::uint32_t index = 0;  // into Work::tasks or Plan::loops; kPython: a number of statements
  double share = 1;         // within the innermost loop
  ir::ValueId op;           // kCall
  ir::FunctionId callee;    // kCall
  bool ends_loop = false;   // behind it is a `break`: it runs on one pass of all
};

struct PlanLoop {
  ir::LoopId loop;
  ir::DimId trips;
  double assumed_trips = 1;
};

struct Plan {
  std::vector<PlanItem> items;
  std::vector<PlanLoop> loops;
  bool works = false;  // has a task, in what it calls as well
};

// An axis of a default array of two (E.1).
inline constexpr double kDefaultExtent = 6325;

// Makes the tasks of single ops.
class TaskMaker {
 public:
  TaskMaker(const Facts& facts, Work& work);

  // Appends what the op does to the plan of its function. Calls of the program's own functions become kCall items.
  void See(ir::ValueId op, double share, Plan& plan);
  // Before the ops of a function: where its values reach the host.
  void Begin(ir::FunctionId function);

 private:
  // work_ops.cpp
  void SeeOperator(ir::ValueId op);
  void SeeSubscript(ir::ValueId op);
  void SeeStore(ir::ValueId op);
  void SeeLoopItem(ir::ValueId op);
  void SeeUnpack(ir::ValueId op);
  void SeeAttribute(ir::ValueId op);
  [[nodiscard]] ir::FunctionId MethodOf(ir::ClassId class_id, std::string_view name) const;
  void SeeCall(ir::ValueId op);
  [[nodiscard]] bool SeeEither(ir::ValueId op);
  void SeeHostReads(ir::ValueId op);
  void SeeWalk(ir::ValueId op, ir::ValueId array, ir::DimId passes, bool adds, bool waits);
  void SeeApplied(ir::ValueId op, std::size_t position, std::string_view name);
  void SeeOtherCode(ir::ValueId op);
  // work_calls.cpp
  void SeeArrayCall(ir::ValueId op);
  void Elementwise(WorkTask& task, ir::ValueId op);
  void Ufunc(WorkTask& task, ir::ValueId op);
  void Reduction(WorkTask& task, ir::ValueId op);
  void Product(WorkTask& task, ir::ValueId op, ir::ValueId left, ir::ValueId right);
  void ManyProducts(WorkTask& task, ir::ValueId op);
  void Contract(WorkTask& task, ir::ValueId left, ir::ValueId right, ir::DimId summed);
  [[nodiscard]] ir::DimId ContractedBy(ir::ValueId op, ir::ValueId left) const;
  void Einsum(WorkTask& task, ir::ValueId op);
  void Join(WorkTask& task, ir::ValueId op);
  void Creation(WorkTask& task, ir::ValueId op);
  void Moves(WorkTask& task, ir::ValueId op);
  void LinearAlgebra(WorkTask& task, ir::ValueId op);
  void Transform(WorkTask& task, ir::ValueId op);
  void Sorting(WorkTask& task, ir::ValueId op);
  void Selection(WorkTask& task, ir::ValueId op);
  void Waits(WorkTask& task, ir::ValueId op);
  // work_steps.cpp
  void SeeSteps(ir::ValueId op);
  void Step(ir::ValueId op, std::string_view name, ir::DimId passes, double launches, bool waits);
  [[nodiscard]] std::uint64_t WordsOf(ir::ValueId call) const;

  // Of a call: its arrays in the order of arguments, a method's receiver first.
  [[nodiscard]] std::vector<ir::ValueId> ArraysOf(ir::ValueId call) const;
  // The same without `out`.
  [[nodiscard]] std::vector<ir::ValueId> InputsOf(ir::ValueId call) const;
  [[nodiscard]] std::vector<ir::ValueId> ArraysBut(ir::ValueId call, std::optional<std::uint32_t> operand) const;
  // The operand that is written: `out=`, or what a ufunc gets behind its inputs.
  [[nodiscard]] std::optional<std::uint32_t> OutOperand(ir::ValueId call) const;
  // What the call writes: the array that it is given for it, or its value.
  [[nodiscard]] ir::ValueId ResultOf(ir::ValueId call) const;
  [[nodiscard]] ir::ValueId ArgumentOf(ir::ValueId call, std::size_t position, std::string_view keyword) const;

  [[nodiscard]] WorkTask Start(ir::ValueId op, WorkKind kind, std::string_view name) const;
  // Operands, their bytes and what has to be brought from the host; an array of unknown length is waited for.
  // `fallback`: elements where the value's own number is not known.
  void Read(WorkTask& task, ir::ValueId value, ir::DimId fallback = {});
  void AskForLength(WorkTask& task, ir::ValueId value);
  void Write(WorkTask& task, ir::ValueId value, ir::DimId fallback = {});
  [[nodiscard]] ir::DimId ElementsOfResult(ir::ValueId result, std::span<const ir::ValueId> operands);
  // The number of operations from the table; false where the name is not in it.
  bool Count(WorkTask& task, std::string_view name, std::uint64_t words, std::size_t operands = 0);
  void Add(WorkTask&& task);
  void Unpriced(ir::ValueId op, std::string_view name, std::string_view why);

  // Type that an operand of this op is converted to, and whether it has to be.
  [[nodiscard]] bool NeedsCast(ir::ValueId value, ir::DType to) const;
  // A converted array of the type of `like` is written, and read in the place of `value`.
  void Convert(WorkTask& task, ir::ValueId value, ir::DType to);
  [[nodiscard]] ShapeId Completed(ShapeId shape, ir::DimId elements) const;
  [[nodiscard]] WorkOperand OperandOf(ir::ValueId value) const;
  [[nodiscard]] bool IsTurned(ir::ValueId value) const;
  [[nodiscard]] ir::DimId Elements(ir::ValueId value) const;
  // Of an array whose length data decides: what it may be; None() where nothing is known of its source.
  [[nodiscard]] ir::DimId LengthOf(ir::ValueId value) const;
  [[nodiscard]] ir::DimId Bytes(ir::ValueId value) const;
  // Bytes of `elements` of the array's type.
  [[nodiscard]] ir::DimId BytesOf(ir::DimId elements, ir::ValueId array) const;
  // Where the facts have no shape, that of an operand it was computed from.
  [[nodiscard]] ShapeId ShapeOf(ir::ValueId value) const;
  [[nodiscard]] int Rank(ir::ValueId value) const;
  // A device array, or what the library made of numbers alone.
  [[nodiscard]] bool IsOnDevice(ir::ValueId value) const;
  // A part of an array at constants: where each axis of the whole is entered, and how much of it is taken.
  struct Place {
    ir::ValueId whole;  // what is sliced: the root, a variable that holds it, or another view of it
    ShapeId shape;      // of the whole
    std::vector<std::int64_t> offsets;
    std::vector<ir::DimId> extents;
    std::vector<std::size_t> axes;  // of the part: which axis of the whole
  };
  [[nodiscard]] std::optional<Place> PlaceOf(ir::ValueId value) const;
  [[nodiscard]] bool Enter(Place& place, ir::ValueId op, ShapeId view) const;
  [[nodiscard]] bool Overlap(const Place& a, const Place& b) const;
  [[nodiscard]] bool OverlapsShifted(ir::ValueId a, ir::ValueId b) const;
  [[nodiscard]] bool IsReadWith(std::span<const ir::ValueId> read, ir::ValueId value) const;
  // The operands so far, and these values for the result: not all blocks of one shape.
  [[nodiscard]] bool Walks(const WorkTask& task, ir::ValueId result, std::span<const ir::ValueId> values) const;
  [[nodiscard]] ShapeId StartOf(const Place& place) const;
  [[nodiscard]] bool IsBlock(const WorkOperand& operand, const std::optional<Place>& place) const;

  const Facts& facts_;
  const ir::Program& program_;
  ir::DimStore& dims_;
  Work& work_;
  Plan* plan_ = nullptr;
  double share_ = 1;
  std::unordered_map<ir::ValueId, std::vector<HostRead>> reads_;
  std::unordered_map<ir::ValueId, ShapeId> shapes_;
  std::unordered_map<ir::ValueId, ir::DimId> computed_;  // elements of np.sqrt(2.0) and what is computed from it
  std::unordered_map<ir::ValueId, ir::DimId> lengths_;   // elements of results, by those of operands
  mutable DataLengths data_lengths_;
  Selections selections_;
  std::unordered_set<ir::ValueId> known_lengths_;  // selections whose length has been waited for
  std::unordered_set<ir::ValueId> asked_before_;   // ... by what stands above them in a loop
  std::ptrdiff_t first_task_ = 0;                  // of the function
};

// An extent of a shape, counted from its last axis; None() where there is none.
[[nodiscard]] ir::DimId At(const ValueStore& store, ShapeId shape, std::size_t from_end);
// "numpy.ndarray.sum" and "numpy.sum" are "sum", "numpy.linalg.norm" is "linalg.norm".
[[nodiscard]] std::string_view ApiBaseName(std::string_view name);
// Arithmetic of one element, in additions: 1 for add, 20 for exp.
[[nodiscard]] double OperationsOf(std::string_view base_name);

}  // namespace cpnlint::analysis
