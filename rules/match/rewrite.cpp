#include "rules/match/rewrite.h"

#include <algorithm>
#include <set>
#include <vector>

namespace cpnlint::rules::match {
namespace {

using ir::LoopId;
using ir::OpKind;
using ir::StatementId;
using ir::ValueId;

// The loop and the loops nested in it, as long as each body is the next loop alone.
std::vector<LoopId> PerfectNest(const Facts& facts, LoopId outer) {
  const ir::Program& program = facts.program();
  std::vector<LoopId> nest = {outer};
  while (nest.size() < 8) {
    LoopId inner;
    for (const ir::BlockId block : program.functions[program.loops[outer].function].blocks) {
      const LoopId loop = program.blocks[block].loop;
      if (!loop.valid() || program.loops[loop].parent != nest.back() || loop == inner) continue;
      if (inner.valid()) return nest;
      inner = loop;
    }
    if (!inner.valid()) return nest;
    nest.push_back(inner);
  }
  return nest;
}

bool IsCounter(const Facts& facts, ValueId value, const std::vector<LoopId>& nest) {
  const ValueId source = facts.Source(value);
  return std::any_of(nest.begin(), nest.end(),
                     [&](LoopId loop) { return source.valid() && facts.program().loops[loop].item == source; });
}

bool RunsOverRange(const Facts& facts, LoopId loop) {
  return facts.Of(facts.program().loops[loop].iterable).kind == analysis::Kind::kRange &&
         !facts.program().loops[loop].has_break && !facts.program().loops[loop].has_else;
}

// Operators and calls that read the same for elements and for whole arrays.
bool IsElementwise(const Facts& facts, ValueId op) {
  switch (facts.program().ops[op].kind) {
    case OpKind::kBinary:
    case OpKind::kInplaceBinary:
    case OpKind::kUnary:
    case OpKind::kInt:
    case OpKind::kFloat:
    case OpKind::kComplex:
    case OpKind::kPhi:
    case OpKind::kParam:
    case OpKind::kAttr:
    case OpKind::kImport:
    case OpKind::kLoadCell:
    case OpKind::kBuiltin:
    case OpKind::kSubscript:
    case OpKind::kStoreSubscript:
    case OpKind::kStoreCell:
    case OpKind::kLoopItem:
    case OpKind::kJump: return true;
    case OpKind::kCall: {
      const analysis::Callee& callee = facts.CalleeOf(op);
      if (callee.kind != analysis::Callee::Kind::kApi || facts.program().Operands(op).size() != 2) return false;
      for (const std::string_view name : {"numpy.sqrt", "numpy.exp", "numpy.log", "numpy.sin", "numpy.cos", "numpy.tan",
                                          "numpy.abs", "numpy.absolute", "numpy.tanh"}) {
        if (callee.name == name) return true;
      }
      return false;
    }
    default: return false;
  }
}

}  // namespace

Text Replace(Span whole, const std::vector<Cut>& cuts) {
  Text out;
  std::uint32_t at = whole.begin;
  for (const Cut& cut : cuts) {
    if (cut.span.begin < at || cut.span.end > whole.end) continue;
    out.Add(Span{at, cut.span.begin}).Add(cut.replacement);
    at = cut.span.end;
  }
  return out.Add(Span{at, whole.end});
}

std::optional<Text> WithoutIndex(const Facts& facts, LoopId outer) {
  const ir::Program& program = facts.program();
  const std::vector<LoopId> nest = PerfectNest(facts, outer);
  if (!std::all_of(nest.begin(), nest.end(), [&](LoopId loop) { return RunsOverRange(facts, loop); }))
    return std::nullopt;

  std::set<StatementId> statements;
  std::vector<Cut> cuts;
  int stores = 0;
  for (const ir::BlockId block : program.functions[program.loops[outer].function].blocks) {
    if (program.blocks[block].loop != nest.back()) continue;
    for (const ValueId id : program.blocks[block].ops) {
      const ir::Op& op = program.ops[id];
      if (op.kind == OpKind::kForNext || op.kind == OpKind::kLoopItem || op.kind == OpKind::kPhi) continue;
      if (!IsElementwise(facts, id)) return std::nullopt;
      if (op.kind == OpKind::kJump || (op.flags & ir::kSynthetic) != 0) continue;
      if (op.span.begin < program.loops[nest.back()].header_span.end) continue;  // bounds of an inner loop
      statements.insert(op.statement);
      if (op.kind != OpKind::kSubscript && op.kind != OpKind::kStoreSubscript) continue;
      stores += op.kind == OpKind::kStoreSubscript ? 1 : 0;
      const auto keys = facts.KeysOf(id);
      if (!facts.IsDevice(program.Operand(id, 0)) || keys.size() != nest.size()) return std::nullopt;
      for (std::size_t i = 0; i < keys.size(); ++i) {
        if (facts.Source(keys[i]) != program.loops[nest[i]].item || !IsCounter(facts, keys[i], nest))
          return std::nullopt;
      }
      const Span base = program.OperandSpan(id, 0);
      if (base.begin != op.span.begin) return std::nullopt;
      // A store's op may span the whole statement; its last key ends the target, the bracket follows.
      const std::uint32_t first_key = op.kind == OpKind::kSubscript ? 1 : 2;
      const Span last = program.OperandSpan(id, first_key + static_cast<std::uint32_t>(keys.size()) - 1);
      if (op.kind == OpKind::kSubscript) {
        cuts.push_back({op.span, Text(base)});
      } else {
        cuts.push_back({{base.begin, last.end + 1}, Text(base).Add("[:]")});
      }
    }
  }
  if (statements.size() != 1 || stores != 1) return std::nullopt;
  std::stable_sort(cuts.begin(), cuts.end(), [](const Cut& a, const Cut& b) {
    return std::pair(a.span.begin, !a.replacement.empty()) < std::pair(b.span.begin, !b.replacement.empty());
  });
  // An augmented target is both a read and a write; the plain name serves both.
  std::vector<Cut> unique;
  for (Cut& cut : cuts) {
    if (!unique.empty() && cut.span.begin < unique.back().span.end) {
      unique.back().replacement = Text(Span{cut.span.begin, cut.replacement.pieces.front().span.end});
      continue;
    }
    unique.push_back(std::move(cut));
  }
  return Replace(program.statements[*statements.begin()].span, unique);
}

}  // namespace cpnlint::rules::match
