#include "analyzer/analysis/loaded_files.h"

#include <algorithm>
#include <unordered_set>

#include "analyzer/analysis/callee_names.h"
#include "analyzer/analysis/impl.h"

namespace cpnlint::analysis {
namespace {

constexpr int kMostLayers = 8;

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

std::optional<EvidenceSet> LoadsArray(const Facts::Impl& impl, ir::ValueId call) {
  const ir::Program& program = impl.program;
  const ir::CallShape& shape = program.Shape(program.ops[call]);
  for (std::size_t i = 0; i < shape.keywords.size(); ++i) {
    // A pickle is whatever somebody pickled.
    const bool pickle = shape.keywords[i].valid() && impl.names.Text(shape.keywords[i]) == "allow_pickle";
    if (pickle && IsTrue(impl.Of(program.Operand(call, static_cast<std::uint32_t>(1 + shape.positional + i)))))
      return {};
  }
  if (shape.positional == 0) return {};
  const std::string_view end = EndOfPath(program, program.Operand(call, 1));
  if (end.ends_with(".npz")) return {};
  bool array = end.ends_with(".npy");
  const EvidenceSet evidence = array ? EvidenceSet(0) : EvidenceSet(kUsed);
  std::vector<ir::ValueId> work = {call};
  std::unordered_set<ir::ValueId> seen;  // joins of it with other values
  while (!work.empty()) {
    const ir::ValueId now = work.back();
    work.pop_back();
    for (const ir::ValueId use : impl.UsesOf(now)) {
      const ir::OpKind kind = program.ops[use].kind;
      if ((kind == ir::OpKind::kPhi || kind == ir::OpKind::kAnnotate) && seen.insert(use).second) work.push_back(use);
      if (UsesArchive(program, use)) return {};
      array = array || UsesArray(impl, use, now);
    }
  }
  return array ? std::optional(evidence) : std::nullopt;
}

}  // namespace cpnlint::analysis
