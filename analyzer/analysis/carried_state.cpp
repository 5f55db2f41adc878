#include "analyzer/analysis/carried_state.h"

#include <algorithm>
#include <vector>

#include "analyzer/analysis/call_path.h"

namespace cpnlint::analysis {
namespace {

constexpr std::size_t kMostMethods = 16;  // that one call runs
constexpr std::size_t kMostForms = 16;

class StateFinder {
 public:
  StateFinder(const Facts& facts, ir::LoopId loop) : facts_(facts), program_(facts.program()), loop_(loop) {}

  [[nodiscard]] bool Find(std::span<const ir::ValueId> ops) const {
    if (ReadsState(ops)) return true;
    return std::ranges::any_of(ops, [&](ir::ValueId op) {
      const bool local = program_.ops[op].kind == ir::OpKind::kCall && facts_.CalleeOf(op).kind == Callee::Kind::kLocal;
      return local && (HandsOverState(op) || RunsOn(op));
    });
  }

 private:
  [[nodiscard]] bool IsMadeBefore(ir::ValueId value) const { return value.valid() && !facts_.InLoop(value, loop_); }

  // A method of an object that there is before the loop, or one that this calls, goes on from what it left.
  [[nodiscard]] bool RunsOn(ir::ValueId call) const {
    const Callee& callee = facts_.CalleeOf(call);
    if (!callee.receiver.valid() || !IsMadeBefore(facts_.Source(callee.receiver))) return false;
    const ir::ClassId owner = program_.functions[callee.function].owner;
    std::vector<ir::FunctionId> methods = {callee.function};
    for (std::size_t i = 0; owner.valid() && i < methods.size() && i < kMostMethods; ++i) {
      if (ReadsState(OpsOf(methods[i]))) return true;
      for (const ir::ValueId inner : program_.functions[methods[i]].calls) {
        const Callee& called = facts_.CalleeOf(inner);
        const bool own = called.kind == Callee::Kind::kLocal && program_.functions[called.function].owner == owner;
        if (own && std::ranges::find(methods, called.function) == methods.end()) methods.push_back(called.function);
      }
    }
    return false;
  }

  [[nodiscard]] std::vector<ir::ValueId> OpsOf(ir::FunctionId id) const {
    const ir::Function& function = program_.functions[id];
    std::vector<ir::ValueId> ops;
    for (std::uint32_t at = function.first_op.index(); at < function.end_op.index(); ++at) ops.emplace_back(at);
    return ops;
  }

  // `self.level += rain`, `self.level = 0.9 * self.level + rain`, and more than a sum.
  [[nodiscard]] bool ReadsState(std::span<const ir::ValueId> ops) const {
    return std::ranges::any_of(ops, [&](ir::ValueId read) {
      const ir::Op& op = program_.ops[read];
      if (op.kind != ir::OpKind::kAttr || !facts_.IsDevice(read) || facts_.RankOf(read) == 0) return false;
      return IsMadeBefore(ObjectOf(read)) && GoesOn(ops, read) && IsComputedOn(read);
    });
  }

  // Of the read or the store of an attribute.
  [[nodiscard]] ir::ValueId ObjectOf(ir::ValueId access) const { return facts_.Source(program_.Operand(access, 0)); }

  // What runs makes the attribute of what it was.
  [[nodiscard]] bool GoesOn(std::span<const ir::ValueId> ops, ir::ValueId read) const {
    const Symbol attribute = program_.SymbolOf(program_.ops[read]);
    const auto stores = [&](ir::ValueId id) {
      const ir::Op& op = program_.ops[id];
      return op.kind == ir::OpKind::kStoreAttr && program_.SymbolOf(op) == attribute && ObjectOf(id) == ObjectOf(read);
    };
    const auto first = std::ranges::find_if(ops, stores);
    return std::any_of(first, ops.end(), [&](ir::ValueId store) {
      return stores(store) && IsMadeOf(program_.Operand(store, 1), attribute, *first);
    });
  }

  // `self.work = x[i]`, and after it `self.work = 2 * self.work`: each pass makes its own.
  [[nodiscard]] bool IsSetBefore(ir::ValueId store, ir::ValueId read) const {
    const ir::Block& set = program_.blocks[program_.ops[store].block];
    const ir::Block& used = program_.blocks[program_.ops[read].block];
    if (!(store < read) || (set.loop.valid() && !(used.loop.valid() && facts_.LoopContains(set.loop, used.loop))))
      return false;
    ir::GuardId guard = used.guard;
    while (guard.valid() && guard != set.guard) guard = program_.guards[guard].parent;
    return guard == set.guard;
  }

  [[nodiscard]] bool IsMadeOf(ir::ValueId value, Symbol attribute, ir::ValueId first_store) const {
    std::vector<ir::ValueId> parts = {value};
    for (std::size_t i = 0; i < parts.size() && i < kMostForms; ++i) {
      const ir::ValueId part = parts[i].valid() ? facts_.Source(parts[i]) : parts[i];
      if (!part.valid()) continue;
      const ir::Op& op = program_.ops[part];
      if (op.kind == ir::OpKind::kAttr && program_.SymbolOf(op) == attribute) {
        if (!IsSetBefore(first_store, part)) return true;
        continue;
      }
      const bool computes = op.kind == ir::OpKind::kBinary || op.kind == ir::OpKind::kInplaceBinary ||
                            op.kind == ir::OpKind::kUnary || op.kind == ir::OpKind::kCall;
      if (!computes) continue;
      for (const ir::ValueId operand : program_.Operands(part)) parts.push_back(operand);
    }
    return false;
  }

  // More than that something is added to it.
  [[nodiscard]] bool IsComputedOn(ir::ValueId array) const {
    std::vector<ir::ValueId> forms = {array};  // and what it is after `level += x`
    for (std::size_t i = 0; i < forms.size() && i < kMostForms; ++i) {
      for (const ir::ValueId user : facts_.DeepUsesOf(forms[i])) {
        const ir::OpKind kind = program_.ops[user].kind;
        if (kind == ir::OpKind::kInplaceBinary && program_.Operand(user, 0) == forms[i]) {
          if (std::ranges::find(forms, user) == forms.end()) forms.push_back(user);
          continue;
        }
        const bool computes = kind == ir::OpKind::kBinary || kind == ir::OpKind::kInplaceBinary ||
                              kind == ir::OpKind::kUnary || kind == ir::OpKind::kCall;
        if (computes && !IsSum(user, array)) return true;
      }
    }
    return false;
  }

  // `self.total = self.total + x`
  [[nodiscard]] bool IsSum(ir::ValueId user, ir::ValueId array) const {
    const ir::Op& op = program_.ops[user];
    if (op.kind != ir::OpKind::kBinary || static_cast<ir::BinaryOp>(op.detail) != ir::BinaryOp::kAdd) return false;
    const Symbol name =
        program_.ops[array].kind == ir::OpKind::kAttr ? program_.SymbolOf(program_.ops[array]) : Symbol();
    const auto uses = facts_.UsesOf(user);
    return name.valid() && uses.size() == 1 && program_.ops[uses.front()].kind == ir::OpKind::kStoreAttr &&
           program_.SymbolOf(program_.ops[uses.front()]) == name;
  }

  // `step(level, p[t])`, where the function changes its parameter and computes with it.
  [[nodiscard]] bool HandsOverState(ir::ValueId call) const {
    const Callee& callee = facts_.CalleeOf(call);
    const auto& params = program_.functions[callee.function].params;
    for (std::size_t i = 0; i < params.size(); ++i) {
      const Handed handed = HandedOver(facts_, call, callee.function, i);
      if (!handed.known || !facts_.IsDevice(handed.value) || facts_.RankOf(handed.value) == 0) continue;
      const ir::ValueId array = facts_.Source(handed.value);
      const bool lasts = IsMadeBefore(array) || program_.ops[array].kind == ir::OpKind::kAttr;
      if (lasts && IsUpdated(params[i].value) && IsComputedOn(params[i].value)) return true;
    }
    return false;
  }

  // `level += rain`
  [[nodiscard]] bool IsUpdated(ir::ValueId param) const {
    return std::ranges::any_of(facts_.DeepUsesOf(param), [&](ir::ValueId user) {
      return program_.ops[user].kind == ir::OpKind::kInplaceBinary && program_.Operand(user, 0) == param;
    });
  }

  const Facts& facts_;
  const ir::Program& program_;
  ir::LoopId loop_;
};

}  // namespace

bool CarriesState(const Facts& facts, ir::LoopId loop, std::span<const ir::ValueId> ops) {
  return StateFinder(facts, loop).Find(ops);
}

bool CarriesList(const Facts& facts, ir::LoopId loop, std::span<const ir::ValueId> ops) {
  const ir::Program& program = facts.program();
  return std::any_of(ops.begin(), ops.end(), [&](ir::ValueId op) {
    if (program.ops[op].kind != ir::OpKind::kCall || facts.CalleeOf(op).name != "list.append") return false;
    const ir::ValueId list = facts.Of(facts.CalleeOf(op).receiver).root;
    const ir::ValueId added = program.Operand(op, 1);
    if (!list.valid() || facts.InLoop(list, loop) || !facts.IsDevice(added) || facts.RankOf(added) == 0) return false;
    return std::any_of(ops.begin(), ops.end(), [&](ir::ValueId read) {  // before it adds its own
      if (op < read || program.ops[read].kind != ir::OpKind::kSubscript || !facts.IsDevice(read)) return false;
      const Value& base = facts.Of(program.Operand(read, 0));
      return base.kind == Kind::kList && base.root == list;
    });
  });
}

bool TakesFromList(const Facts& facts, ir::LoopId loop, std::span<const ir::ValueId> ops) {
  const ir::Program& program = facts.program();
  return std::any_of(ops.begin(), ops.end(), [&](ir::ValueId op) {
    if (program.ops[op].kind != ir::OpKind::kCall || facts.UsesOf(op).empty()) return false;
    const Callee& callee = facts.CalleeOf(op);
    const bool takes = callee.name == "list.pop" || callee.name == "list.popleft";
    return takes && !facts.InLoop(facts.Of(callee.receiver).root, loop);
  });
}

}  // namespace cpnlint::analysis
