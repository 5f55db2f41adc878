// How many items a loop walks where data decides that: `for i in np.nonzero(mask)[0]`.

#include <algorithm>

#include "analyzer/analysis/callee_names.h"
#include "analyzer/analysis/data_lengths.h"

namespace cpnlint::analysis {
namespace {

// One item for each item of the first argument.
bool GivesEachItem(const Callee& callee) {
  const bool builtin = callee.kind == Callee::Kind::kBuiltin &&
                       IsOneOf(callee.name, {"enumerate", "list", "reversed", "sorted", "tuple"});
  return builtin || IsOneOf(callee.name, {"numpy.ndarray.tolist", "tqdm.tqdm"});
}

}  // namespace

// NOLINTNEXTLINE(misc-no-recursion): a list is collected from what was made before it
ir::DimId DataLengths::OfWalked(ir::ValueId iterable) {
  constexpr int kMostWalked = 32;
  if (!iterable.valid() || ++walked_ > kMostWalked) return {};
  iterable = facts_.Source(iterable);
  if (!iterable.valid()) return {};
  const Value& value = facts_.Of(iterable);
  if (value.kind == Kind::kArray) {
    const bool by_data = value.unbounded && facts_.RankOf(iterable) == 1;
    return by_data && !facts_.VolumeOf(iterable).valid() ? Of(iterable) : ir::DimId::None();
  }
  if (value.dim.valid() && value.kind != Kind::kUnknown) return {};
  const ir::OpKind kind = program_.ops[iterable].kind;
  if (kind == ir::OpKind::kCollection) return OfCollected(iterable);
  if (kind != ir::OpKind::kCall) return {};
  const Callee& callee = facts_.CalleeOf(iterable);
  if (callee.kind == Callee::Kind::kLocal) {
    const auto returns = program_.functions[callee.function].returns;
    const bool list = value.kind == Kind::kList && returns.size() == 1;
    return list ? OfWalked(program_.Operand(returns.front(), 0)) : ir::DimId::None();
  }
  if (!GivesEachItem(callee)) return {};
  return OfWalked(callee.receiver.valid() ? callee.receiver : program_.Operand(iterable, 1));
}

// Of `[int(i) for i in found]`: as many as there are, or fewer with a condition.
// NOLINTNEXTLINE(misc-no-recursion)
ir::DimId DataLengths::OfCollected(ir::ValueId list) {
  ir::LoopId loop;
  for (const ir::ValueId user : facts_.UsesOf(list)) {
    const bool collects = program_.ops[user].kind == ir::OpKind::kCollectItem && program_.Operand(user, 0) == list;
    if (collects) loop = program_.LoopOf(user);
  }
  if (!loop.valid() || program_.loops[loop].parent != program_.LoopOf(list)) return {};
  return OfWalked(program_.loops[loop].iterable);
}

}  // namespace cpnlint::analysis
