// Whether an op, or the function it calls, works on whole device arrays.

#include "analyzer/analysis/impl.h"

namespace cpnlint::analysis {

// NOLINTNEXTLINE(misc-no-recursion): call_depth bounds it
bool Facts::IsArrayWork(ir::ValueId op_id) const {
  const ir::Op& op = program_.ops[op_id];
  switch (op.kind) {
    case ir::OpKind::kBinary:
    case ir::OpKind::kUnary:
    case ir::OpKind::kCompare:
    case ir::OpKind::kInplaceBinary: return IsDevice(op_id) && RankOf(op_id) != 0;
    case ir::OpKind::kStoreSubscript: return IsDevice(program_.Operand(op_id, 0));
    case ir::OpKind::kCall: {
      const Callee& callee = CalleeOf(op_id);
      if (callee.kind == Callee::Kind::kLocal) return FunctionHasArrayWork(callee.function);
      if (callee.kind != Callee::Kind::kApi && callee.kind != Callee::Kind::kMethod) return false;
      if (callee.library != Library::kDevice) return false;
      if (callee.kind == Callee::Kind::kMethod) return RankOf(callee.receiver) != 0;
      if (IsDevice(op_id) && RankOf(op_id) != 0) return true;
      for (const ir::ValueId argument : program_.Operands(op_id).subspan(1)) {
        if (IsDevice(argument) && RankOf(argument) != 0) return true;
      }
      return false;
    }
    default: return false;
  }
}

// NOLINTNEXTLINE(misc-no-recursion): call_depth bounds it
bool Facts::FunctionHasArrayWork(ir::FunctionId function_id) const {
  const auto [entry, is_new] =
      impl_->array_work.emplace(function_id, false);  // false while in progress: recursion adds nothing
  if (!is_new) return entry->second;
  const ir::Function& function = program_.functions[function_id];
  bool work = false;
  for (std::uint32_t i = function.first_op.index(); i < function.end_op.index() && !work; ++i) {
    // Calls last: most functions show their own work first, and the chain of calls stays short.
    if (program_.ops[ir::ValueId(i)].kind != ir::OpKind::kCall) work = IsArrayWork(ir::ValueId(i));
  }
  for (const ir::ValueId call : function.calls) {
    if (work) break;
    if (impl_->call_depth > 40) break;
    ++impl_->call_depth;
    work = IsArrayWork(call);
    --impl_->call_depth;
  }
  impl_->array_work[function_id] = work;
  return work;
}

}  // namespace cpnlint::analysis
