#include "analyzer/analysis/loaded_files.h"

#include <algorithm>
#include <vector>

#include "analyzer/analysis/callee_names.h"
#include "analyzer/analysis/engine.h"
#include "analyzer/analysis/named_definitions.h"
#include "analyzer/analysis/way_tests.h"
#include "analyzer/api/api.h"

namespace cpnlint::analysis {
namespace {

constexpr int kMostLayers = 8;
constexpr std::size_t kMostFollowed = 32;  // names that the result goes by

// What archives have not: `x.shape`, `x.astype(float)`.
bool IsAttributeOfArrays(std::string_view name) {
  return IsOneOf(
      name, {"T",   "argmax", "argmin", "astype",  "copy",  "cumsum", "dot",     "dtype", "flatten", "max",      "mean",
             "min", "ndim",   "ravel",  "reshape", "shape", "size",   "squeeze", "std",   "sum",     "transpose"});
}

// `x + 1`, `x > 0`, `np.sin(x)`, `x[:, 0]`, `x.shape`
bool UsesArray(const Facts::Impl& impl, ir::ValueId use, ir::ValueId value) {
  const ir::Program& program = impl.program;
  const ir::Op& op = program.ops[use];
  switch (op.kind) {
    case ir::OpKind::kBinary:
    case ir::OpKind::kInplaceBinary:
    case ir::OpKind::kUnary: return true;
    case ir::OpKind::kAttr: return IsAttributeOfArrays(program.Name(op));
    case ir::OpKind::kSubscript: {
      if (program.Operand(use, 0) != value) return false;
      const auto is_slice = [&](ir::ValueId key) { return key.valid() && program.ops[key].kind == ir::OpKind::kSlice; };
      return (op.flags & ir::kTupleIndex) != 0 || std::ranges::any_of(program.Operands(use).subspan(1), is_slice);
    }
    case ir::OpKind::kCall: {
      const Value& callee = impl.Of(program.Operand(use, 0));
      return callee.kind == Kind::kApi && callee.library == Library::kDevice && program.Operand(use, 1) == value &&
             impl.names.Text(callee.name).starts_with("numpy.");
    }
    default: return false;
  }
}

bool IsTrue(const Value& value) { return value.kind == Kind::kBool && value.constant && value.number != 0; }

// What is done with a result of `load`, by whatever names of the program it goes.
class Uses {
 public:
  explicit Uses(const Facts::Impl& impl) : impl_(impl), program_(impl.program) {}

  [[nodiscard]] bool OfArchive() const { return archive_; }
  [[nodiscard]] bool OfArray() const { return array_; }

  void Follow(ir::ValueId call) {
    Add(call);
    for (std::size_t i = 0; i < work_.size() && !archive_ && i < kMostFollowed; ++i) {
      const ir::ValueId now = work_[i];
      for (const ir::ValueId use : impl_.UsesOf(now)) See(use, now);
    }
  }

 private:
  void Add(ir::ValueId value) {
    if (std::ranges::find(work_, value) == work_.end()) work_.push_back(value);
  }

  void See(ir::ValueId use, ir::ValueId value) {
    archive_ = archive_ || UsesArchive(program_, use);
    array_ = array_ || UsesArray(impl_, use, value);
    switch (program_.ops[use].kind) {
      case ir::OpKind::kPhi:
      case ir::OpKind::kAnnotate: return Add(use);
      case ir::OpKind::kCall: return SeeCall(use, value);
      case ir::OpKind::kIter: return SeeWalk(use, value);
      case ir::OpKind::kReturn: return SeeReturn(program_.FunctionOf(use));
      // An archive has names for keys, and nothing is written into it.
      case ir::OpKind::kStoreSubscript: array_ = array_ || program_.Operand(use, 0) == value; return;
      case ir::OpKind::kSubscript:
        array_ = array_ || (program_.Operand(use, 0) == value && IsNumber(program_.Operand(use, 1)));
        return;
      default: return;
    }
  }

  // `data[0]`, and `data[i]` of `for i in range(n)`: by what the text says, for values are known only later.
  [[nodiscard]] bool IsNumber(ir::ValueId key) const {
    const ir::Op& op = program_.ops[key];
    if (op.kind == ir::OpKind::kInt) return true;
    if (op.kind != ir::OpKind::kLoopItem) return false;
    const ir::ValueId walked = program_.loops[ir::LoopId(op.payload)].iterable;
    if (!walked.valid() || program_.ops[walked].kind != ir::OpKind::kCall) return false;
    const ir::ValueId callee = program_.Operand(walked, 0);
    return program_.ops[callee].kind == ir::OpKind::kBuiltin && program_.Name(program_.ops[callee]) == "range";
  }

  // What raises with a name, `row.max()`, `np.exp(row)`: names can be added up and cut as well.
  [[nodiscard]] bool UsesRow(ir::ValueId use, ir::ValueId item) const {
    const ir::Op& op = program_.ops[use];
    switch (op.kind) {
      case ir::OpKind::kAttr:
      case ir::OpKind::kUnary: return UsesArray(impl_, use, item);
      case ir::OpKind::kStoreSubscript: return program_.Operand(use, 0) == item;
      case ir::OpKind::kBinary: {
        const auto binary = static_cast<ir::BinaryOp>(op.detail);
        const bool of_texts =
            binary == ir::BinaryOp::kAdd || binary == ir::BinaryOp::kMul || binary == ir::BinaryOp::kMod;
        return !of_texts || (binary == ir::BinaryOp::kMul && program_.Operand(use, 0) == program_.Operand(use, 1));
      }
      case ir::OpKind::kCall: {
        if (program_.Operand(use, 1) != item) return false;
        const Value& callee = impl_.Of(program_.Operand(use, 0));
        const std::string_view name = callee.kind == Kind::kApi ? impl_.names.Text(callee.name) : std::string_view();
        return api::IsUfunc(name) || IsOneOf(name, {"numpy.sum", "numpy.mean", "numpy.max", "numpy.min", "numpy.dot",
                                                    "numpy.var", "numpy.linalg.norm"});
      }
      default: return false;
    }
  }

  // `for row in data: row.max()` of an array, `for name in data: data[name]` of an archive.
  void SeeWalk(ir::ValueId iter, ir::ValueId value) {
    for (const ir::ValueId item : impl_.UsesOf(iter)) {
      if (program_.ops[item].kind != ir::OpKind::kLoopItem) continue;
      for (const ir::ValueId use : impl_.UsesOf(item)) {
        const bool looks_up = program_.ops[use].kind == ir::OpKind::kSubscript && program_.Operand(use, 0) == value;
        archive_ = archive_ || looks_up;
        array_ = array_ || (!looks_up && UsesRow(use, item));
      }
    }
  }

  void SeeCall(ir::ValueId call, ir::ValueId value) {
    const ir::FunctionId function = FunctionNamed(impl_, program_.Operand(call, 0));
    if (!function.valid()) return;
    const List<ir::Param>& params = program_.functions[function].params;
    const std::uint32_t positional = program_.Shape(program_.ops[call]).positional;
    for (std::uint32_t i = 0; i < positional && i < params.size(); ++i) {
      const ir::ValueId argument = program_.Operand(call, i + 1);
      if (program_.ops[argument].kind == ir::OpKind::kStarred) return;
      if (argument == value && params[i].kind <= ir::ParamKind::kPositional) Add(params[i].value);
    }
  }

  void SeeReturn(ir::FunctionId function) {
    if (program_.functions[function].owner.valid() || program_.functions[function].is_generator) return;
    for (std::size_t i = 0; i < program_.functions.size(); ++i) {
      for (const ir::ValueId call : program_.functions[ir::FunctionId(i)].calls) {
        if (FunctionNamed(impl_, program_.Operand(call, 0)) == function) Add(call);
      }
    }
  }

  const Facts::Impl& impl_;
  const ir::Program& program_;
  std::vector<ir::ValueId> work_;
  bool archive_ = false, array_ = false;
};

// `if path.endswith(".npy"):` around the call.
bool IsTestedForArray(const ir::Program& program, ir::ValueId call, ir::ValueId path) {
  return AnyTestAround(program, program.ops[call].block, [&](const Test& test, ir::GuardId) {
    const ir::Op& op = program.ops[test.id];
    if (!test.holds || op.kind != ir::OpKind::kCall || op.operand_count != 2) return false;
    const ir::ValueId method = program.Operand(test.id, 0), end = program.Operand(test.id, 1);
    return program.ops[method].kind == ir::OpKind::kAttr && program.Name(program.ops[method]) == "endswith" &&
           program.Operand(method, 0) == path && program.ops[end].kind == ir::OpKind::kStr &&
           program.String(program.ops[end]) == ".npy";
  });
}

}  // namespace

std::string_view EndOfPath(const ir::Program& program, ir::ValueId path) {
  for (int layer = 0; layer < kMostLayers && path.valid(); ++layer) {
    const ir::Op& op = program.ops[path];
    switch (op.kind) {
      case ir::OpKind::kStr: return program.String(op);
      case ir::OpKind::kBinary:  // folder / "table.npz", "%s.npz" % name
        path = program.Operand(path, static_cast<ir::BinaryOp>(op.detail) == ir::BinaryOp::kMod ? 0 : 1);
        break;
      case ir::OpKind::kCall: {  // os.path.join(folder, "table.npz")
        const std::size_t count = program.Shape(op).positional;
        path = count == 0 ? ir::ValueId::None() : program.Operand(path, static_cast<std::uint32_t>(count));
        break;
      }
      default: return {};
    }
  }
  return {};
}

bool UsesArchive(const ir::Program& program, ir::ValueId use) {
  const ir::Op& op = program.ops[use];
  if (op.kind == ir::OpKind::kWithEnter) return true;
  if (op.kind == ir::OpKind::kAttr) return IsOneOf(program.Name(op), {"close", "files", "items", "keys", "values"});
  if (op.kind == ir::OpKind::kCall) {
    const ir::ValueId callee = program.Operand(use, 0);
    return callee.valid() && program.ops[callee].kind == ir::OpKind::kBuiltin &&
           program.Name(program.ops[callee]) == "dict";
  }
  if (op.kind != ir::OpKind::kSubscript) return false;
  const ir::ValueId key = program.Operand(use, 1);
  return key.valid() && program.ops[key].kind == ir::OpKind::kStr;
}

bool LoadsArray(const Facts::Impl& impl, ir::ValueId call) {
  const ir::Program& program = impl.program;
  const ir::CallShape& shape = program.Shape(program.ops[call]);
  for (std::size_t i = 0; i < shape.keywords.size(); ++i) {
    // A pickle is whatever somebody pickled.
    const bool pickle = shape.keywords[i].valid() && impl.names.Text(shape.keywords[i]) == "allow_pickle";
    if (pickle && IsTrue(impl.Of(program.Operand(call, static_cast<std::uint32_t>(1 + shape.positional + i)))))
      return false;
  }
  if (shape.positional == 0) return false;
  const std::string_view end = EndOfPath(program, program.Operand(call, 1));
  if (end.ends_with(".npz")) return false;
  const bool named = end.ends_with(".npy") || IsTestedForArray(program, call, program.Operand(call, 1));
  Uses uses(impl);
  uses.Follow(call);
  return !uses.OfArchive() && (named || uses.OfArray());
}

}  // namespace cpnlint::analysis
