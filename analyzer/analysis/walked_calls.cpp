#include "analyzer/analysis/walked_calls.h"

#include "analyzer/api/api.h"

namespace cpnlint::analysis {
namespace {

// `frame["angle"]`, `frame.angle`: what is looked up may be of a library that has its own results.
bool MayBeTable(const Facts::Impl& impl, ir::ValueId argument) {
  if (!argument.valid() || impl.Of(argument).kind != Kind::kUnknown) return !argument.valid();
  const ir::OpKind kind = impl.program.ops[argument].kind;
  return kind == ir::OpKind::kSubscript || kind == ir::OpKind::kAttr;
}

}  // namespace

Value AsWalked(const Facts::Impl& impl, ir::ValueId walked, const Value& value) {
  if (value.kind != Kind::kUnknown || !walked.valid()) return value;
  const ir::Program& program = impl.program;
  const ir::Op& op = program.ops[walked];
  if (op.kind != ir::OpKind::kCall || op.operand_count < 2) return value;
  const Value& callee = impl.Of(program.Operand(walked, 0));
  const bool elementwise =
      callee.kind == Kind::kApi && callee.library == Library::kDevice && api::IsUfunc(impl.names.Text(callee.name));
  if (!elementwise) return value;
  for (const ir::ValueId argument : program.Operands(walked).subspan(1)) {
    const Kind kind = impl.Of(argument).kind;
    if (kind == Kind::kForeign || kind == Kind::kInstance || MayBeTable(impl, argument)) return value;
  }
  const auto evidence = static_cast<EvidenceSet>(callee.evidence | kUsed);
  Value array = Array(Library::kDevice, ir::DType::kUnknown, ShapeId::None(), evidence);
  array.root = array.device_root = walked;
  return array;
}

}  // namespace cpnlint::analysis
