#include "rules/match/recurrence.h"

#include <unordered_set>
#include <vector>

namespace cpnlint::rules::match {

using analysis::Facts;
using ir::OpKind;

namespace {

constexpr std::size_t kMostOps = 500;  // that are looked through; more may hide anything

}  // namespace

bool MayFeedItself(const Facts& facts, ir::ValueId op, ir::LoopId loop) {
  const ir::Program& program = facts.program();
  std::vector<ir::ValueId> work;
  std::unordered_set<ir::ValueId> seen;
  const auto follow = [&](ir::ValueId value) {
    if (value.valid() && seen.insert(value).second) work.push_back(value);
  };
  // What is written into the storage of an array on some pass is read through every name of it. False where the writing
  // is out of sight.
  const auto follow_writes = [&](ir::ValueId value) {
    const ir::ValueId root = facts.RootOf(value);
    if (!root.valid() || !facts.MutatedIn(root, loop)) return true;
    bool seen_write = false;
    for (const ir::ValueId write : facts.MutationsOf(root)) {
      if (!facts.InLoop(write, loop)) continue;
      seen_write = true;
      follow(write);
      for (const ir::ValueId operand : program.Operands(write)) follow(operand);
    }
    return seen_write;
  };
  // A function that is called by its name is no input.
  const auto follow_operands = [&](ir::ValueId value) {
    const bool call = program.ops[value].kind == OpKind::kCall;
    const bool method = call && facts.CalleeOf(value).kind == analysis::Callee::Kind::kMethod;
    if (method) follow(facts.CalleeOf(value).receiver);
    for (const ir::ValueId operand : program.Operands(value).subspan(call ? 1 : 0)) follow(operand);
  };
  follow_operands(op);
  while (!work.empty()) {
    const ir::ValueId value = work.back();
    work.pop_back();
    if (value == op || seen.size() > kMostOps) return true;
    if (facts.IsArray(value) && !follow_writes(value)) return true;
    if (!facts.InLoop(value, loop)) continue;
    const ir::Op& it = program.ops[value];
    if (it.kind == OpKind::kLoadCell) {
      if (!facts.Invariant(value, loop)) return true;
      continue;
    }
    if (it.kind == OpKind::kAttr && !facts.IsArray(program.Operand(value, 0)) &&
        facts.AttributeStoredIn(program.SymbolOf(it), loop)) {
      return true;
    }
    // A method of the program may read what another one of its object wrote.
    if (it.kind == OpKind::kCall && facts.CalleeOf(value).kind == analysis::Callee::Kind::kLocal &&
        facts.CalleeOf(value).receiver.valid()) {
      return true;
    }
    follow_operands(value);
  }
  return false;
}

}  // namespace cpnlint::rules::match
