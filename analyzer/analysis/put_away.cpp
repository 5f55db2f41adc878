#include "analyzer/analysis/put_away.h"

#include <algorithm>
#include <vector>

#include "analyzer/analysis/callee_names.h"

namespace cpnlint::analysis {
namespace {

constexpr int kDeepest = 2;  // `(name, row)` in a list

// `np.stack(rows)`, `rows[0]`, `for row in rows`: what the container holds is worked on here after all.
bool IsReadHere(const Facts& facts, ir::ValueId container) {
  const ir::Program& program = facts.program();
  return std::ranges::any_of(facts.DeepUsesOf(facts.Source(container)), [&](ir::ValueId user) {
    const ir::OpKind kind = program.ops[user].kind;
    if (kind == ir::OpKind::kCall) {  // what others do with it is theirs
      const Callee::Kind callee = facts.CalleeOf(user).kind;
      return callee != Callee::Kind::kUnknown && callee != Callee::Kind::kForeign;
    }
    if (kind == ir::OpKind::kAttr) return !IsOneOf(program.Name(program.ops[user]), {"append", "update", "setdefault"});
    return kind != ir::OpKind::kStoreSubscript && kind != ir::OpKind::kCollectItem && kind != ir::OpKind::kReturn &&
           kind != ir::OpKind::kStoreAttr && kind != ir::OpKind::kTuple;
  });
}

// One that stands by itself: `groups[key].append(row)` is read through `groups`.
bool IsContainer(const Facts& facts, ir::ValueId object) {
  const Kind kind = facts.Of(object).kind;
  const bool known = kind == Kind::kDict || kind == Kind::kList;
  return known && facts.program().ops[facts.Source(object)].kind != ir::OpKind::kSubscript &&
         !IsReadHere(facts, object);
}

// The value goes into a container by `user`, and `user` does nothing else with it.
// NOLINTNEXTLINE(misc-no-recursion): `depth` bounds it
bool GoesIntoContainer(const Facts& facts, ir::ValueId user, ir::ValueId value, int depth) {
  const ir::Program& program = facts.program();
  const ir::Op& op = program.ops[user];
  switch (op.kind) {
    case ir::OpKind::kStoreSubscript:
      return facts.Source(program.Operand(user, 1)) == value && IsContainer(facts, program.Operand(user, 0));
    case ir::OpKind::kCollectItem: return IsContainer(facts, program.Operand(user, 0));
    case ir::OpKind::kCall: {
      const Callee& callee = facts.CalleeOf(user);
      return callee.name == "list.append" && callee.receiver.valid() && IsContainer(facts, callee.receiver);
    }
    case ir::OpKind::kTuple: {
      const std::vector<ir::ValueId> users = facts.DeepUsesOf(user);
      return depth < kDeepest && !users.empty() && std::ranges::all_of(users, [&](ir::ValueId next) {
               return GoesIntoContainer(facts, next, user, depth + 1);
             });
    }
    default: return false;
  }
}

}  // namespace

bool IsPutAway(const Facts& facts, ir::ValueId subscript, ir::LoopId loop) {
  const ir::Program& program = facts.program();
  if (program.ops[subscript].kind != ir::OpKind::kSubscript) return false;
  // `if wanted[i] == 1: rows.append(table[i])` selects, as a mask does.
  const ir::GuardId guard = program.blocks[program.ops[subscript].block].guard;
  if (guard.valid() && program.guards[guard].loop.valid() && facts.LoopContains(loop, program.guards[guard].loop))
    return false;
  if (facts.SubscriptOf(subscript).selects != SubscriptResult::Selects::kView) return false;
  const std::vector<ir::ValueId> users = facts.DeepUsesOf(subscript);
  return !users.empty() &&
         std::ranges::all_of(users, [&](ir::ValueId user) { return GoesIntoContainer(facts, user, subscript, 0); });
}

}  // namespace cpnlint::analysis
