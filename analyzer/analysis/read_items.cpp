#include "analyzer/analysis/read_items.h"

#include <algorithm>
#include <vector>

namespace cpnlint::analysis {
namespace {

bool IsRead(const Facts& facts, ir::ValueId value) {
  constexpr std::size_t kMost = 32;
  const ir::Program& program = facts.program();
  std::vector<ir::ValueId> names = {value};
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i == kMost) return true;
    for (const ir::ValueId use : facts.UsesOf(names[i])) {
      const ir::Op& op = program.ops[use];
      // A variable of the module is there for all who load it.
      if (op.kind == ir::OpKind::kStoreCell && program.cells[ir::CellId(op.payload)].loads.empty()) continue;
      if (op.kind != ir::OpKind::kPhi) return true;
      if (std::ranges::find(names, use) == names.end()) names.push_back(use);
    }
  }
  return false;
}

}  // namespace

bool ReadsItems(const Facts& facts, ir::LoopId loop) {
  const ir::Program& program = facts.program();
  const ir::ValueId item = program.loops[loop].item, iterable = program.loops[loop].iterable;
  if (!item.valid() || !iterable.valid()) return true;
  if (facts.IsDevice(iterable)) return IsRead(facts, item);
  const ir::ValueId walk = facts.Source(iterable);
  if (!walk.valid() || program.ops[walk].kind != ir::OpKind::kCall || facts.PositionalCount(walk) == 0) return true;
  const Callee& callee = facts.CalleeOf(walk);
  if (callee.kind != Callee::Kind::kBuiltin || callee.name != "enumerate") return true;
  if (!facts.IsDevice(program.Operand(walk, 1))) return true;
  return std::ranges::any_of(facts.UsesOf(item), [&](ir::ValueId use) {
    const ir::Op& op = program.ops[use];
    if (op.kind != ir::OpKind::kUnpackItem) return true;
    return ir::ItemPosition::Unpack(op.payload).index == 1 && IsRead(facts, use);
  });
}

}  // namespace cpnlint::analysis
