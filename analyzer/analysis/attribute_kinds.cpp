// What the whole program tells of attributes by their names, where nothing is known of the objects that have them.

#include "analyzer/analysis/engine.h"

namespace cpnlint::analysis {
namespace {

constexpr int kMostFactors = 8;

const ir::Op* OpOf(const ir::Program& program, ir::ValueId id, ir::OpKind kind) {
  return id.valid() && program.ops[id].kind == kind ? &program.ops[id] : nullptr;
}

bool IsProduct(const ir::Program& program, ir::ValueId id) {
  const ir::Op* op = OpOf(program, id, ir::OpKind::kBinary);
  return op != nullptr && static_cast<ir::BinaryOp>(op->detail) == ir::BinaryOp::kMul;
}

// What `x` is of `x.T`.
ir::ValueId Transposed(const ir::Program& program, ir::ValueId id) {
  const ir::Op* op = OpOf(program, id, ir::OpKind::kAttr);
  return op != nullptr && program.Name(*op) == "T" ? program.Operand(id, 0) : ir::ValueId::None();
}

bool IsText(const ir::Program& program, ir::ValueId id) { return OpOf(program, id, ir::OpKind::kStr) != nullptr; }

const AttributeKinds& KindsOf(Facts::Impl& impl) {
  if (impl.attribute_kinds) return *impl.attribute_kinds;
  AttributeKinds& kinds = impl.attribute_kinds.emplace();
  const ir::Program& program = impl.program;
  std::unordered_set<Symbol> others;
  const auto see = [&](Symbol name, ir::ValueId stored) {
    if (IsText(program, stored))
      kinds.texts.insert(name);
    else
      others.insert(name);
  };
  for (const ir::Cell& cell : program.cells) {
    if (cell.kind != ir::Cell::Kind::kClassVariable) continue;
    for (const ir::ValueId store : cell.stores) see(cell.name, program.Operand(store, 0));
  }
  for (std::size_t i = 0; i < program.ops.size(); ++i) {
    const ir::ValueId id(i);
    if (program.ops[id].kind == ir::OpKind::kStoreAttr) see(program.SymbolOf(program.ops[id]), program.Operand(id, 1));
    if (!IsProduct(program, id)) continue;
    const ir::Op* factor = OpOf(program, Transposed(program, program.Operand(id, 0)), ir::OpKind::kAttr);
    if (factor != nullptr) kinds.operators.insert(program.SymbolOf(*factor));
  }
  for (const Symbol name : others) kinds.texts.erase(name);
  return kinds;
}

}  // namespace

bool IsTextKey(Facts::Impl& impl, ir::ValueId key) {
  if (IsText(impl.program, key)) return true;
  const ir::Op* op = OpOf(impl.program, key, ir::OpKind::kAttr);
  return op != nullptr && KindsOf(impl).texts.contains(impl.program.SymbolOf(*op));
}

// Arrays are seldom multiplied with a transposed one, item by item; matrices of SciPy and operators of other libraries
// are applied like that, one after the other: `curl.T * (mass * x)`.
bool MayBeOperator(Facts::Impl& impl, ir::ValueId factor, ir::ValueId other) {
  const ir::Program& program = impl.program;
  if (Transposed(program, factor).valid() && IsProduct(program, other)) return true;
  // `curl.T * mass * x`: what stands first.
  for (int factors = 0; factors < kMostFactors && IsProduct(program, factor); ++factors)
    factor = program.Operand(factor, 0);
  const ir::ValueId transposed = Transposed(program, factor);
  const ir::Op* op = OpOf(program, transposed.valid() ? transposed : factor, ir::OpKind::kAttr);
  return op != nullptr && KindsOf(impl).operators.contains(program.SymbolOf(*op));
}

}  // namespace cpnlint::analysis
