// Whether an op, or the function it calls, works on whole device arrays.

#include <algorithm>

#include "analyzer/analysis/impl.h"
#include "analyzer/analysis/one_number.h"

namespace cpnlint::analysis {

// NOLINTNEXTLINE(misc-no-recursion): call_depth bounds it
bool Facts::IsArrayWork(ir::ValueId op_id) const {
  const ir::Op& op = program_.ops[op_id];
  switch (op.kind) {
    case ir::OpKind::kBinary:
    case ir::OpKind::kUnary:
    case ir::OpKind::kCompare:
    case ir::OpKind::kInplaceBinary: return IsDevice(op_id) && !IsOneNumber(*this, op_id);
    case ir::OpKind::kStoreSubscript: return IsDevice(program_.Operand(op_id, 0));
    case ir::OpKind::kCall: {
      const Callee& callee = CalleeOf(op_id);
      if (callee.kind == Callee::Kind::kLocal) return FunctionHasArrayWork(callee.function);
      if (callee.kind == Callee::Kind::kUnknown) return ReachesArrayWork(program_.Operand(op_id, 0));
      if (callee.kind != Callee::Kind::kApi && callee.kind != Callee::Kind::kMethod) return false;
      if (callee.library != Library::kDevice) return false;
      if (callee.kind == Callee::Kind::kMethod) return !IsOneNumber(*this, callee.receiver);
      if (IsDevice(op_id) && !IsOneNumber(*this, op_id)) return true;
      for (const ir::ValueId argument : program_.Operands(op_id).subspan(1)) {
        if (IsDevice(argument) && !IsOneNumber(*this, argument)) return true;
      }
      return false;
    }
    default: return false;
  }
}

// `self.sim.evolve()` on an object we know nothing of, and one of several functions.
// NOLINTNEXTLINE(misc-no-recursion): call_depth bounds it
bool Facts::ReachesArrayWork(ir::ValueId callee) const {
  if (!callee.valid() || impl_->call_depth > 40) return false;
  std::vector<ir::FunctionId> reached;
  const Value& value = Of(callee);
  if (value.kind == Kind::kFunction && value.elements.valid()) {
    for (const Value& one : impl_->store.Get(value.elements)) {
      if (one.kind == Kind::kApi) return true;  // `np.sum if total else np.mean`
      reached.push_back(one.function);
    }
  } else if (value.kind == Kind::kUnknown && program_.ops[callee].kind == ir::OpKind::kAttr) {
    const auto methods = MethodsReachedBy(*impl_, program_.SymbolOf(program_.ops[callee]));
    reached.assign(methods.begin(), methods.end());
  }
  ++impl_->call_depth;
  const bool work = std::any_of(reached.begin(), reached.end(),
                                [this](ir::FunctionId function) { return FunctionHasArrayWork(function); });
  --impl_->call_depth;
  return work;
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
