#include "analyzer/analysis/impl.h"

namespace cpnlint::analysis {

void BuildUses(Facts::Impl& impl) {
  const ir::Program& program = impl.program;
  constexpr std::uint32_t kSeveral = Facts::Impl::kSeveralUses;
  std::vector<ir::ValueId>&use_of = impl.use_of, &uses = impl.uses;
  use_of.assign(program.ops.size(), ir::ValueId(0));
  for (const ir::Op& op : program.ops) {
    for (const ir::ValueId operand : program.Operands(op)) {
      if (operand.valid()) use_of[operand.index()] = ir::ValueId(use_of[operand.index()].index() + 1);
    }
  }
  std::size_t size = 0;
  for (ir::ValueId& use : use_of) {
    const std::size_t count = use.index();
    use = count < 2 ? ir::ValueId::None() : ir::ValueId(size | kSeveral);
    if (count >= 2) size += 1 + count;
  }
  uses.assign(size, ir::ValueId(0));
  for (std::size_t i = 0; i < program.ops.size(); ++i) {
    const ir::ValueId user(i);
    for (const ir::ValueId operand : program.Operands(user)) {
      if (!operand.valid()) continue;
      ir::ValueId& use = use_of[operand.index()];
      if (!use.valid()) {
        use = user;
        continue;
      }
      ir::ValueId& count = uses[use.index() & ~kSeveral];
      count = ir::ValueId(count.index() + 1);
      uses[(use.index() & ~kSeveral) + count.index()] = user;
    }
  }
}

std::span<const ir::ValueId> Facts::UsesOf(ir::ValueId id) const {
  return id.valid() ? impl_->UsesOf(id) : std::span<const ir::ValueId>();
}

std::vector<ir::ValueId> Facts::DeepUsesOf(ir::ValueId id) const {
  std::vector<ir::ValueId> result;
  if (!id.valid()) return result;
  const auto is_copy = [&](ir::ValueId user) {
    const ir::OpKind kind = program_.ops[user].kind;
    return kind == ir::OpKind::kPhi || kind == ir::OpKind::kAnnotate;
  };
  const std::span<const ir::ValueId> uses = impl_->UsesOf(id);
  if (std::none_of(uses.begin(), uses.end(), is_copy)) {  // as of most values
    result.assign(uses.begin(), uses.end());
  } else {
    std::vector<ir::ValueId> work = {id};
    std::unordered_set<ir::ValueId> seen;
    while (!work.empty()) {
      const ir::ValueId value = work.back();
      work.pop_back();
      for (const ir::ValueId user : impl_->UsesOf(value)) {
        if (!is_copy(user)) {
          result.push_back(user);
        } else if (user != id && seen.insert(user).second) {
          work.push_back(user);
        }
      }
    }
  }
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

ir::ValueId Facts::Source(ir::ValueId id) const {
  for (int steps = 0; id.valid() && steps < 64; ++steps) {
    const ir::Op& op = program_.ops[id];
    if (op.kind == ir::OpKind::kTruth || op.kind == ir::OpKind::kAnnotate) {
      const ir::ValueId inner = program_.Operand(id, 0);
      if (!inner.valid()) return id;
      id = inner;
      continue;
    }
    if (op.kind != ir::OpKind::kPhi) return id;
    ir::ValueId only;
    for (const ir::ValueId operand : program_.Operands(op)) {
      if (operand == id || !operand.valid()) continue;
      if (only.valid() && only != operand) return id;
      only = operand;
    }
    if (!only.valid()) return id;
    id = only;
  }
  return id;
}

bool Facts::Escapes(ir::ValueId id) const {
  for (const ir::ValueId user : DeepUsesOf(id)) {
    const ir::Op& op = program_.ops[user];
    switch (op.kind) {
      case ir::OpKind::kReturn:
      case ir::OpKind::kYield:
      case ir::OpKind::kStoreCell:
      case ir::OpKind::kTuple:
      case ir::OpKind::kList:
      case ir::OpKind::kSet:
      case ir::OpKind::kDict:
      case ir::OpKind::kCollectItem:
      case ir::OpKind::kStarred:
      case ir::OpKind::kMakeFunction:
      case ir::OpKind::kOpaque: return true;
      case ir::OpKind::kStoreAttr:
        if (program_.Operand(user, 1) == id || Source(program_.Operand(user, 1)) == id) return true;
        break;
      case ir::OpKind::kStoreSubscript:
        // Storing into an array copies the elements; storing into a container keeps the object.
        if (Source(program_.Operand(user, 1)) == Source(id) && !IsArray(program_.Operand(user, 0))) return true;
        break;
      case ir::OpKind::kCall: {
        const Callee& callee = CalleeOf(user);
        const bool keeps = callee.kind == Callee::Kind::kUnknown || callee.kind == Callee::Kind::kLocal ||
                           callee.kind == Callee::Kind::kClass || callee.kind == Callee::Kind::kContainerMethod ||
                           callee.kind == Callee::Kind::kForeign;
        if (keeps && Source(program_.Operand(user, 0)) != Source(id)) return true;
        break;
      }
      default: break;
    }
  }
  return false;
}

}  // namespace cpnlint::analysis
