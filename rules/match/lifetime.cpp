#include "rules/match/lifetime.h"

#include <unordered_set>

#include "rules/match/device_call.h"

namespace cpnlint::rules::match {

using analysis::Callee;
using analysis::Facts;
using ir::OpKind;

namespace {

// Libraries whose functions take numbers and give numbers; code of others may keep what it is given.
bool ComputesOnly(std::string_view dotted) {
  return IsOneOf(dotted.substr(0, dotted.find('.')),
                 {"scipy", "skimage", "sklearn", "cv2", "math", "cmath", "statistics", "logging"});
}

bool Keeps(const Facts& facts, ir::ValueId use, ir::ValueId value, ir::LoopId loop, bool returning) {
  const ir::Program& program = facts.program();
  const bool inside =
      !loop.valid() || facts.InLoop(use, loop) || program.FunctionOf(use) != program.loops[loop].function;
  switch (program.ops[use].kind) {
    case OpKind::kStoreAttr: return inside && program.Operand(use, 1) == value;
    case OpKind::kStoreSubscript: return program.Operand(use, 1) == value && !facts.IsArray(program.Operand(use, 0));
    case OpKind::kReturn: return inside && returning;
    case OpKind::kYield:
    case OpKind::kCollectItem:
    case OpKind::kSet:
    case OpKind::kMakeFunction: return true;
    case OpKind::kCall: {
      if (program.Operand(use, 0) == value) return false;
      const Callee::Kind kind = facts.CalleeOf(use).kind;
      if (kind == Callee::Kind::kForeign) return !ComputesOnly(facts.CalleeOf(use).name);
      return kind == Callee::Kind::kUnknown || kind == Callee::Kind::kClass || kind == Callee::Kind::kContainerMethod;
    }
    default: return false;
  }
}

}  // namespace

bool LeavesThePass(const Facts& facts, ir::ValueId value, ir::LoopId loop, bool returning) {
  const ir::Program& program = facts.program();
  std::vector<ir::ValueId> work = {value};
  std::unordered_set<ir::ValueId> seen = {value};
  while (!work.empty()) {
    const ir::ValueId now = work.back();
    work.pop_back();
    for (const ir::ValueId use : facts.UsesOf(now)) {
      if (Keeps(facts, use, now, loop, returning)) return true;
      switch (program.ops[use].kind) {
        case OpKind::kPhi:
        case OpKind::kAnnotate:
        case OpKind::kTuple:
        case OpKind::kList:
        case OpKind::kDict:
        case OpKind::kStarred:
          if (seen.insert(use).second) work.push_back(use);
          break;
        default: break;
      }
    }
  }
  return false;
}

ir::ValueId NextPassOf(const Facts& facts, ir::ValueId value, ir::LoopId loop) {
  const ir::Program& program = facts.program();
  std::vector<ir::ValueId> work = {value};
  std::unordered_set<ir::ValueId> seen = {value};
  while (!work.empty()) {
    const ir::ValueId now = work.back();
    work.pop_back();
    for (const ir::ValueId use : facts.UsesOf(now)) {
      if (program.ops[use].kind != OpKind::kPhi || !facts.InLoop(use, loop)) continue;
      if (program.ops[use].block == program.loops[loop].header) return use;
      if (seen.insert(use).second) work.push_back(use);
    }
  }
  return {};
}

}  // namespace cpnlint::rules::match
