#include "rules/match/shown_parts.h"

#include <algorithm>
#include <vector>

#include "rules/match/rewrite.h"
#include "rules/match/story.h"

namespace cpnlint::rules::match {

using analysis::Callee;
using analysis::Facts;
using ir::OpKind;
using ir::ValueId;

namespace {

constexpr std::size_t kMostValues = 64;  // that one value is computed from

// Gives the same for the same operands.
bool IsPure(const Facts& facts, ValueId id) {
  switch (facts.program().ops[id].kind) {
    case OpKind::kAttr:
    case OpKind::kBinary:
    case OpKind::kCompare:
    case OpKind::kFormatString:
    case OpKind::kList:
    case OpKind::kNot:
    case OpKind::kSlice:
    case OpKind::kSubscript:
    case OpKind::kTruth:
    case OpKind::kTuple:
    case OpKind::kUnary:
    case OpKind::kUnpackItem: return true;
    case OpKind::kCall: {
      const Callee& callee = facts.CalleeOf(id);
      if (callee.kind == Callee::Kind::kBuiltin) return callee.name != "next" && callee.name != "input";
      const bool library = callee.kind == Callee::Kind::kApi || callee.kind == Callee::Kind::kMethod;
      return library && callee.name.find("random.") == std::string_view::npos;
    }
    default: return false;
  }
}

// The loop hands arrays to nobody but its libraries of arrays and matplotlib, which leaves what it draws as it is.
bool OnlyDraws(const Facts& facts, ir::LoopId loop) {
  const auto& calls = facts.program().functions[facts.program().loops[loop].function].calls;
  return std::ranges::all_of(calls, [&](ValueId call) {
    if (!facts.InLoop(call, loop)) return true;
    const Callee& callee = facts.CalleeOf(call);
    switch (callee.kind) {
      case Callee::Kind::kApi:
      case Callee::Kind::kMethod:
      case Callee::Kind::kBuiltin:
      case Callee::Kind::kContainerMethod: return true;
      case Callee::Kind::kForeign: return callee.name.starts_with("matplotlib.") || callee.name.starts_with("math.");
      default: return false;
    }
  });
}

// A pass may change the array that the value is, or is a view of.
bool MayChange(const Facts& facts, ValueId value, ir::LoopId loop) {
  const ValueId root = facts.RootOf(value);
  if (!facts.IsArray(value) || !root.valid() || !facts.MutatedIn(root, loop)) return false;
  const auto inside = [&](ValueId change) { return facts.InLoop(change, loop); };
  return std::ranges::any_of(facts.MutationsOf(root), inside) || !OnlyDraws(facts, loop);
}

}  // namespace

ShownPart ShownPartOf(const Facts& facts, ValueId op, ValueId value) {
  const ir::Program& program = facts.program();
  const ir::LoopId loop = facts.HeatOf(op).loop;
  if (!loop.valid() || !facts.InLoop(op, loop) || program.loops[loop].kind == ir::Loop::Kind::kWhile) return {};
  ShownPart part;
  std::vector<ValueId> work = {value};
  const auto add = [&](ValueId id) {
    if (id.valid() && std::ranges::find(work, id) == work.end()) work.push_back(id);
  };
  for (std::size_t i = 0; i < work.size(); ++i) {
    if (i == kMostValues) return {};
    const ValueId id = work[i];
    const ir::Op& it = program.ops[id];
    if (it.kind == OpKind::kLoopItem && program.LoopOf(id) == loop) {
      part.found = true;
      continue;
    }
    if (MayChange(facts, id, loop)) return {};
    if (!facts.InLoop(id, loop) || facts.Invariant(id, loop)) continue;
    if (!IsPure(facts, id)) return {};
    if (it.kind == OpKind::kSubscript && part.array.empty()) {
      const auto keys = program.Operands(id).subspan(1);
      if (std::ranges::any_of(keys, [&](ValueId key) { return key.valid() && facts.DependsOnInduction(key, loop); }))
        part.array = program.OperandSpan(id, 0);
    }
    if (it.kind == OpKind::kCall && facts.CalleeOf(id).kind == Callee::Kind::kMethod) add(facts.CalleeOf(id).receiver);
    for (const ValueId operand : it.kind == OpKind::kCall ? program.Operands(id).subspan(1) : program.Operands(id))
      add(operand);
  }
  return part.found ? part : ShownPart();
}

static Text EachShows(const ShownPart& part) {
  if (part.array.empty()) return "each pass shows other data: ";
  return Text("each pass shows another part of ").Add(Quoted(part.array)).Add(": ");
}

Text HelpForShownNumbers(const ShownPart& part) {
  return EachShows(part).Add(
      part.array.empty()
          ? "compute the numbers of all passes first, and fetch them once, as one array, by `.tolist()`"
          : "compute the numbers of all parts before the loop, with their axis in each reduction, and fetch them once, "
            "by `.tolist()`");
}

Text HelpForShownParts(const ShownPart& part) {
  if (part.array.empty() || !IsShownWhole(part.array))
    return EachShows(part).Add("copy all of it to the host once before the loop, and draw from that");
  return EachShows(part)
      .Add("copy it to the host once before the loop, `onp.asarray(")
      .Add(part.array)
      .Add(")` with host NumPy as `onp`, and draw from that");
}

}  // namespace cpnlint::rules::match
