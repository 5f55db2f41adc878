// How long lists are that a loop fills: `rows = []`, `for t in times: rows.append(f(t))`.

#include <algorithm>

#include "analyzer/analysis/callee_names.h"
#include "analyzer/analysis/engine.h"

namespace cpnlint::analysis {

// How many items a loop over it gets; `reader` is looked at again where that becomes known.
ir::DimId Engine::LengthWalked(ir::ValueId iterable, ir::ValueId reader) {
  if (!iterable.valid()) return {};
  WatchValue(iterable, reader);
  const Value& walked = Of(iterable);
  switch (walked.kind) {
    case Kind::kRange:
    case Kind::kTuple:
    case Kind::kList:
    case Kind::kDict: return walked.dim;
    case Kind::kIterator:
      if (walked.dim.valid()) return walked.dim;
      break;
    case Kind::kArray: return Rank(store_, walked) >= 1 ? store_.Get(walked.shape).front() : ir::DimId::None();
    default: break;
  }
  if (program_.ops[iterable].kind != ir::OpKind::kCall) return {};
  const Value& callee = Of(program_.Operand(iterable, 0));
  const bool counts = callee.kind == Kind::kBuiltin && impl_.names.Text(callee.name) == "enumerate";
  return counts ? LengthWalked(program_.Operand(iterable, 1), reader) : ir::DimId::None();
}

// As many as there are passes of the loops around the one statement that appends, beside what it begins with. None()
// with a condition, with a way out of the loop, or where some code may see the list before it is complete.
ir::DimId Engine::LengthAppended(ir::ValueId list) {
  const auto grower = growers_.find(list);
  if (grower == growers_.end() || !grower->second.valid()) return {};
  const ir::ValueId append = grower->second;
  const ir::ValueId method = program_.Operand(append, 0);
  const bool appends = program_.ops[append].kind == ir::OpKind::kCall && method.valid() &&
                       program_.ops[method].kind == ir::OpKind::kAttr && program_.Operand(method, 0) == list &&
                       program_.Name(program_.ops[method]) == "append";
  const auto is_starred = [&](ir::ValueId item) { return program_.ops[item].kind == ir::OpKind::kStarred; };
  if (!appends || std::ranges::any_of(program_.Operands(list), is_starred)) return {};
  const ir::Block& inside = program_.blocks[program_.ops[append].block];
  const ir::Block& around = program_.blocks[program_.ops[list].block];
  if (inside.function != around.function || inside.guard != around.guard) return {};
  ir::DimStore& dims = store_.dims();
  ir::DimId length = dims.Const(1);
  ir::LoopId outermost;
  for (ir::LoopId loop = inside.loop; loop != around.loop; loop = program_.loops[loop].parent) {
    if (!loop.valid() || program_.loops[loop].kind != ir::Loop::Kind::kFor || program_.loops[loop].has_break) return {};
    const ir::DimId passes = LengthWalked(program_.loops[loop].iterable, list);
    // An inner loop may make another number of passes each time: `for j in range(i)`.
    const bool inner = program_.loops[loop].parent != around.loop;
    if (inner && !dims.AsConst(passes)) return {};
    length = dims.Mul(length, passes);
    outermost = loop;
  }
  if (!outermost.valid() || !IsReadComplete(list, append, outermost)) return {};
  return dims.Add(length, dims.Const(static_cast<std::int64_t>(program_.Operands(list).size())));
}

bool Engine::IsReadComplete(ir::ValueId list, ir::ValueId append, ir::LoopId loop) const {
  const auto is_in_loop = [&](ir::ValueId op) {
    ir::LoopId at = program_.LoopOf(op);
    while (at.valid() && at != loop) at = program_.loops[at].parent;
    return at.valid();
  };
  return std::ranges::all_of(impl_.UsesOf(list), [&](ir::ValueId user) {
    const ir::Op& op = program_.ops[user];
    switch (op.kind) {
      case ir::OpKind::kStoreCell: return program_.cells[ir::CellId(op.payload)].loads.empty();
      case ir::OpKind::kAttr:
        return user == program_.Operand(append, 0) ||
               (!is_in_loop(user) && IsOneOf(program_.Name(op), {"copy", "count", "index", "reverse", "sort"}));
      case ir::OpKind::kSubscript: return true;
      case ir::OpKind::kTuple:  // `rows, times = [], []`: nobody has the pair itself
        return impl_.UsesOf(user).empty() || (user.index() > append.index() && !is_in_loop(user));
      case ir::OpKind::kPhi:
      case ir::OpKind::kInplaceBinary:
      case ir::OpKind::kDelSubscript:
      case ir::OpKind::kStoreSubscript: return false;
      default: return user.index() > append.index() && !is_in_loop(user);
    }
  });
}

}  // namespace cpnlint::analysis
