#include "cost-model/storages.h"

#include <optional>
#include <span>

#include "analyzer/analysis/call_path.h"

namespace cpnlint::cost {
namespace {

using analysis::Callee;
using analysis::kNoCall;

constexpr int kMostNames = 24;  // of one storage, through calls within calls

}  // namespace

bool Storages::IsMade(ir::ValueId array) const {
  switch (KindOf(array)) {
    case ir::OpKind::kCall:
    case ir::OpKind::kBinary:
    case ir::OpKind::kUnary:
    case ir::OpKind::kCompare:
    case ir::OpKind::kSubscript: return true;
    case ir::OpKind::kUnpackItem: {  // `q, r = np.linalg.qr(a)`
      const ir::ValueId from = facts_.program().Operand(array, 0);
      return from.valid() && KindOf(from) == ir::OpKind::kCall && facts_.CalleeOf(from).kind == Callee::Kind::kApi;
    }
    default: return false;
  }
}

bool Storages::IsHeaderPhi(ir::ValueId phi) const {
  const ir::Program& program = facts_.program();
  if (KindOf(phi) != ir::OpKind::kPhi) return false;
  const ir::BlockId block = program.ops[phi].block;
  const ir::LoopId loop = program.blocks[block].loop;
  return loop.valid() && program.loops[loop].header == block;
}

ir::ValueId Storages::ReturnedBy(std::uint32_t call) const {
  const ir::Program& program = facts_.program();
  const ir::FunctionId function = work_.calls[call].function;
  const std::span<const ir::ValueId> returns = program.functions[function].returns;
  if (returns.size() != 1 || program.functions[function].is_generator) return {};
  const ir::ValueId value = program.Operand(returns.front(), 0);
  const ir::ValueId root = value.valid() ? facts_.DeviceRootOf(value) : ir::ValueId::None();
  if (!root.valid() || root.index() >= program.ops.size() || program.FunctionOf(root) != function) return {};
  return IsMade(root) ? root : ir::ValueId::None();
}

// What a variable of a module holds where one of its functions reads it: what was stored last before, in a loop else
// what the pass before has stored.
ir::ValueId Storages::StoredIn(ir::CellId cell, std::uint32_t home, std::uint32_t step) const {
  const ir::Program& program = facts_.program();
  const ir::FunctionId owner = program.cells[cell].owner;
  const ir::ValueId place = course_.PlaceIn(home, step);
  if (!place.valid() || program.FunctionOf(place) != owner) return {};
  const ir::LoopId loop = program.blocks[program.ops[place].block].loop;
  ir::ValueId before, later;
  for (const ir::ValueId store : program.cells[cell].stores) {
    if (program.FunctionOf(store) != owner) return {};
    if (store < place) before = store;
    if (place < store && loop.valid() && facts_.InLoop(store, loop)) later = store;
  }
  const bool in_loop = before.valid() && loop.valid() && facts_.InLoop(before, loop);
  return later.valid() && !in_loop ? later : before;
}

// The storage by another name, one step on; None() where this is the last one.
Instance Storages::SameAs(ir::ValueId root, std::uint32_t home, std::uint32_t step) const {
  const ir::Program& program = facts_.program();
  switch (KindOf(root)) {
    case ir::OpKind::kParam: {
      if (home == kNoCall) return {};
      const analysis::WorkCall& call = work_.calls[home];
      const ir::Function& function = program.functions[call.function];
      for (std::size_t param = 0; param < function.params.size(); ++param) {
        if (function.params[param].value != root) continue;
        const analysis::Handed handed = analysis::HandedOver(facts_, call.call, call.function, param);
        if (handed.known && handed.value.valid()) return {facts_.DeviceRootOf(handed.value), call.outer};
      }
      return {};
    }
    case ir::OpKind::kStoreCell: {
      const ir::ValueId store = StoredIn(ir::CellId(program.ops[root].payload), home, step);
      if (!store.valid()) return {};
      return {facts_.DeviceRootOf(program.Operand(store, 0)), home};
    }
    case ir::OpKind::kCall: {
      const std::uint32_t inner = course_.CallOf(root, home);
      if (inner == kNoCall) return {};
      return {ReturnedBy(inner), inner};
    }
    default: return {};
  }
}

Instance Storages::Of(ir::ValueId root, std::uint32_t call, std::uint32_t step) const {
  Instance at{root, call};
  for (int names = 0; names < kMostNames; ++names) {
    const bool real = at.array.index() < facts_.program().ops.size();
    std::optional<std::uint32_t> home;
    if (real) home = course_.HomeOf(facts_.program().FunctionOf(at.array), at.call, step);
    at.call = home.value_or(kNoCall);
    const Instance same = SameAs(at.array, at.call, step);
    if (!same.array.valid() || same.array == at.array) break;
    at = same;
  }
  return at;
}

}  // namespace cpnlint::cost
