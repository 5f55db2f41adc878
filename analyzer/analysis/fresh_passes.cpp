#include "analyzer/analysis/fresh_passes.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "analyzer/analysis/callee_names.h"
#include "analyzer/analysis/carried_state.h"

namespace cpnlint::analysis {
namespace {

constexpr std::size_t kMostParts = 128;  // that one value is made of
constexpr std::size_t kMostOps = 2'000;  // of one loop
constexpr std::size_t kMostCalled = 16;  // functions that a pass runs
constexpr int kLongest = 8;              // jumps on the way out

class FreshPasses {
 public:
  FreshPasses(const Facts& facts, ir::LoopId loop)
      : facts_(facts), program_(facts.program()), id_(loop), loop_(program_.loops[loop]) {
    if (loop_.kind == ir::Loop::Kind::kComprehension || !loop_.header.valid()) return;
    for (const ir::BlockId block : program_.functions[loop_.function].blocks) {
      if (!facts_.BlockInLoop(block, id_)) continue;
      ops_.insert(ops_.end(), program_.blocks[block].ops.begin(), program_.blocks[block].ops.end());
    }
  }

  // `seen`: all code that a pass runs has to be known. Else a method that hands something back may be trusted to keep
  // nothing.
  [[nodiscard]] bool CarryOnlyCounters(bool seen) const {
    if (ops_.empty() || ops_.size() > kMostOps) return false;
    return !CarriesState(facts_, id_, ops_) &&
           std::ranges::none_of(ops_, [&](ir::ValueId op) { return KeepsSomething(op, seen); }) &&
           std::ranges::none_of(program_.blocks[loop_.header].ops, [&](ir::ValueId op) { return IsCarriedOn(op); });
  }

  [[nodiscard]] bool EndByDraw() const {
    if (std::ranges::none_of(ops_, [&](ir::ValueId op) { return IsDraw(op); })) return false;
    return std::ranges::any_of(ops_, [&](ir::ValueId op) {
      if (program_.ops[op].kind != ir::OpKind::kBranch) return false;
      const auto& ways = program_.blocks[program_.ops[op].block].succs;
      if (ways.size() != 2 || Leaves(ways[0]) == Leaves(ways[1])) return false;
      return IsMadeOfDraw(program_.Operand(op, 0));
    });
  }

 private:
  // Outside of the loop, or straight to a place there; not to raise.
  [[nodiscard]] bool Leaves(ir::BlockId id) const {
    for (int steps = 0; steps < kLongest; ++steps) {
      const ir::Block& block = program_.blocks[id];
      if (block.ops.empty()) return false;
      const ir::OpKind last = program_.ops[block.ops.back()].kind;
      if (last == ir::OpKind::kRaise) return false;
      if (!facts_.BlockInLoop(id, id_) || last == ir::OpKind::kReturn) return true;
      if (last != ir::OpKind::kJump || block.succs.size() != 1 || block.succs[0] == loop_.header) return false;
      id = block.succs[0];
    }
    return false;
  }

  // --- what goes from pass to pass ---

  [[nodiscard]] bool IsHeaderPhi(ir::ValueId id) const {
    return program_.ops[id].kind == ir::OpKind::kPhi && program_.ops[id].block == loop_.header;
  }

  // A whole number, or what each pass moves by one: `k //= 3` of whatever it begins with.
  [[nodiscard]] bool IsCounter(ir::ValueId phi) const {
    if (facts_.Of(phi).kind == Kind::kInt) return true;
    if (facts_.IsArray(phi)) return false;
    return std::ranges::all_of(program_.Operands(phi), [&](ir::ValueId operand) {
      if (!operand.valid() || !facts_.InLoop(operand, id_)) return operand.valid();
      const ir::ValueId moved = facts_.Source(operand);
      if (!moved.valid()) return false;
      const ir::OpKind kind = program_.ops[moved].kind;
      return (kind == ir::OpKind::kBinary || kind == ir::OpKind::kInplaceBinary) &&
             facts_.Source(program_.Operand(moved, 0)) == phi && facts_.IntOf(program_.Operand(moved, 1));
    });
  }

  // Not only kept under its name, as what a loop inside has left in its counter.
  [[nodiscard]] bool IsRead(ir::ValueId phi) const {
    std::vector<ir::ValueId> copies = {phi};
    for (std::size_t i = 0; i < copies.size(); ++i) {
      if (i == kMostParts) return true;
      for (const ir::ValueId user : facts_.UsesOf(copies[i])) {
        if (!facts_.InLoop(user, id_)) continue;
        if (program_.ops[user].kind != ir::OpKind::kPhi) return true;
        if (std::ranges::find(copies, user) == copies.end()) copies.push_back(user);
      }
    }
    return false;
  }

  // A Phi of the header that a later value of it, or of another one, is made of.
  [[nodiscard]] bool IsCarriedOn(ir::ValueId phi) const {
    if (!IsHeaderPhi(phi) || IsCounter(phi) || !IsRead(phi)) return false;
    std::vector<ir::ValueId> parts;
    for (const ir::ValueId operand : program_.Operands(phi)) {
      if (operand.valid() && operand != phi && facts_.InLoop(operand, id_)) parts.push_back(operand);
    }
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (i == kMostParts || (IsHeaderPhi(parts[i]) && !IsCounter(parts[i]))) return true;
      if (!facts_.InLoop(parts[i], id_)) continue;
      for (const ir::ValueId operand : program_.Operands(parts[i])) {
        if (operand.valid() && std::ranges::find(parts, operand) == parts.end()) parts.push_back(operand);
      }
    }
    return false;
  }

  [[nodiscard]] bool KeepsSomething(ir::ValueId op, bool seen) const {
    switch (program_.ops[op].kind) {
      case ir::OpKind::kStoreAttr:
      case ir::OpKind::kStoreCell:
      case ir::OpKind::kDelAttr:
      case ir::OpKind::kDelSubscript:
      case ir::OpKind::kYield:
      case ir::OpKind::kAwait: return true;
      case ir::OpKind::kStoreSubscript: return IsReadBefore(op);
      case ir::OpKind::kCall: return CallKeeps(op, seen);
      default: return false;
    }
  }

  // `x` of `x[i]`, `x.T`
  [[nodiscard]] ir::ValueId WholeOf(ir::ValueId part) const {
    for (int steps = 0; steps < kLongest && part.valid(); ++steps) {
      part = facts_.Source(part);
      if (!part.valid()) break;
      const ir::OpKind kind = program_.ops[part].kind;
      if (kind != ir::OpKind::kSubscript && kind != ir::OpKind::kAttr) break;
      part = program_.Operand(part, 0);
    }
    return part;
  }

  // What is stored into lies outside, and the pass looks at it before.
  [[nodiscard]] bool IsReadBefore(ir::ValueId store) const {
    const ir::ValueId base = WholeOf(program_.Operand(store, 0));
    if (!base.valid() || (facts_.InLoop(base, id_) && !IsHeaderPhi(base))) return false;
    if ((program_.ops[store].flags & ir::kAugmented) != 0) return true;
    const auto stores_into = [&](ir::ValueId op) {
      return program_.ops[op].kind == ir::OpKind::kStoreSubscript && WholeOf(program_.Operand(op, 0)) == base;
    };
    const auto first = std::ranges::find_if(ops_, stores_into);
    return std::any_of(ops_.begin(), ops_.end(), [&](ir::ValueId op) {
      if (op > *first || stores_into(op)) return false;
      const auto operands = program_.Operands(op);
      const ir::OpKind kind = program_.ops[op].kind;
      const bool selects = kind == ir::OpKind::kAttr && program_.Operand(store, 0) == op;  // `x.T` of `x.T[i] = v`
      return kind != ir::OpKind::kPhi && !selects && std::ranges::any_of(operands, [&](ir::ValueId operand) {
               return operand.valid() && facts_.Source(operand) == base;
             });
    });
  }

  [[nodiscard]] bool CallKeeps(ir::ValueId call, bool seen) const {
    const Callee& callee = facts_.CalleeOf(call);
    switch (callee.kind) {
      case Callee::Kind::kApi:
      case Callee::Kind::kClass: return false;
      case Callee::Kind::kMethod: return IsOneOf(BareName(callee), {"fill", "itemset", "partition", "put", "sort"});
      case Callee::Kind::kBuiltin: return IsOneOf(callee.name, {"next", "setattr", "exec", "eval", "delattr"});
      case Callee::Kind::kContainerMethod:
        return IsOneOf(callee.name.substr(callee.name.rfind('.') + 1),
                       {"add", "append", "appendleft", "clear", "extend", "insert", "pop", "popitem", "popleft",
                        "remove", "setdefault", "sort", "update"});
      case Callee::Kind::kLocal: return FunctionKeeps(callee.function, seen);
      default: break;
    }
    if (IsDraw(call) || IsMessage(call)) return false;
    const ir::ValueId called = program_.Operand(call, 0);
    const bool method = called.valid() && program_.ops[called].kind == ir::OpKind::kAttr;
    return seen || (method && facts_.UsesOf(call).empty());
  }

  // The function stores what outlasts it; where all has to be seen, also one that it calls.
  [[nodiscard]] bool FunctionKeeps(ir::FunctionId function, bool seen) const {
    std::vector<ir::FunctionId> run = {function};
    for (std::size_t i = 0; i < (seen ? run.size() : 1); ++i) {
      if (i == kMostCalled) return true;
      const ir::Function& now = program_.functions[run[i]];
      for (std::uint32_t at = now.first_op.index(); at < now.end_op.index(); ++at) {
        const ir::ValueId op(at);
        const ir::OpKind kind = program_.ops[op].kind;
        if (kind == ir::OpKind::kStoreAttr || kind == ir::OpKind::kYield) return true;
        if (kind == ir::OpKind::kStoreSubscript && OutlastsCall(program_.Operand(op, 0))) return true;
      }
      for (const ir::ValueId call : now.calls) {
        const Callee& callee = facts_.CalleeOf(call);
        if (callee.kind == Callee::Kind::kLocal && std::ranges::find(run, callee.function) == run.end())
          run.push_back(callee.function);
      }
    }
    return false;
  }

  // `self.table`, a variable of the module.
  [[nodiscard]] bool OutlastsCall(ir::ValueId base) const {
    const ir::ValueId source = base.valid() ? facts_.Source(base) : base;
    if (!source.valid()) return false;
    const ir::OpKind kind = program_.ops[source].kind;
    return kind == ir::OpKind::kAttr || kind == ir::OpKind::kLoadCell || kind == ir::OpKind::kParam;
  }

  // `self.log.warning("...")`
  [[nodiscard]] bool IsMessage(ir::ValueId call) const {
    const ir::ValueId called = program_.Operand(call, 0);
    if (!called.valid() || program_.ops[called].kind != ir::OpKind::kAttr) return false;
    const ir::ValueId first = program_.ops[call].operand_count > 1 ? program_.Operand(call, 1) : ir::ValueId::None();
    return facts_.Of(first).kind == Kind::kStr &&
           IsOneOf(program_.Name(program_.ops[called]),
                   {"critical", "debug", "error", "exception", "info", "log", "warn", "warning"});
  }

  // --- draws ---

  // `rng.normal(size=3)`, `random.random()`, `pdf.rvs()` of whatever distribution, or a function that has such a call.
  // NOLINTNEXTLINE(misc-no-recursion): `within` one of those no further
  [[nodiscard]] bool IsDraw(ir::ValueId call, bool within = false) const {
    if (program_.ops[call].kind != ir::OpKind::kCall) return false;
    const Callee& callee = facts_.CalleeOf(call);
    if (callee.kind == Callee::Kind::kApi || callee.kind == Callee::Kind::kMethod)
      return callee.name.starts_with("numpy.random.") &&
             !IsOneOf(callee.name, {"numpy.random.seed", "numpy.random.default_rng", "numpy.random.RandomState"});
    if (callee.kind == Callee::Kind::kForeign && callee.name.starts_with("random."))
      return callee.name != "random.seed" && callee.name != "random.Random";
    if (callee.kind == Callee::Kind::kLocal && !within) {  // `x = self.propose()`
      const auto& calls = program_.functions[callee.function].calls;
      return std::ranges::any_of(calls, [&](ir::ValueId inner) { return IsDraw(inner, true); });
    }
    const ir::ValueId called = program_.Operand(call, 0);
    const bool unknown = callee.kind == Callee::Kind::kUnknown || callee.kind == Callee::Kind::kForeign;
    return unknown && called.valid() && program_.ops[called].kind == ir::OpKind::kAttr &&
           program_.Name(program_.ops[called]) == "rvs";
  }

  // Of what this pass has drawn, also through an array that it is written to.
  [[nodiscard]] bool IsMadeOfDraw(ir::ValueId value) const {
    std::vector<ir::ValueId> parts = {value};
    const auto look_at = [&](ir::ValueId id) {
      const ir::ValueId source = id.valid() ? facts_.Source(id) : id;
      if (source.valid() && std::ranges::find(parts, source) == parts.end()) parts.push_back(source);
    };
    for (std::size_t i = 0; i < parts.size() && i < kMostParts; ++i) {
      if (!parts[i].valid()) continue;
      if (IsDraw(parts[i])) return true;
      if (IsHeaderPhi(parts[i])) {  // `while norm(x) > 1: x = rng.normal(size=3)`
        if (!IsCounter(parts[i])) {
          for (const ir::ValueId operand : program_.Operands(parts[i])) look_at(operand);
        }
        continue;
      }
      for (const ir::ValueId op : ops_) {
        const bool into =
            program_.ops[op].kind == ir::OpKind::kStoreSubscript && facts_.Source(program_.Operand(op, 0)) == parts[i];
        const bool collects = program_.ops[op].kind == ir::OpKind::kCollectItem && program_.Operand(op, 0) == parts[i];
        if (into || collects) look_at(program_.Operand(op, 1));
      }
      if (!facts_.InLoop(parts[i], id_)) continue;
      for (const ir::ValueId operand : program_.Operands(parts[i])) look_at(operand);
    }
    return false;
  }

  const Facts& facts_;
  const ir::Program& program_;
  ir::LoopId id_;
  const ir::Loop& loop_;
  std::vector<ir::ValueId> ops_;
};

}  // namespace

bool CarriesOnlyCounters(const Facts& facts, ir::LoopId loop) {
  return FreshPasses(facts, loop).CarryOnlyCounters(true);
}

bool DrawsAnew(const Facts& facts, ir::LoopId loop) {
  const FreshPasses passes(facts, loop);
  return passes.EndByDraw() && passes.CarryOnlyCounters(false);
}

}  // namespace cpnlint::analysis
