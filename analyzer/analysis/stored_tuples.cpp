#include "analyzer/analysis/stored_tuples.h"

namespace cpnlint::analysis {
namespace {

// The tuple that is written in `list.append((k, u.mean()))`; None() where nothing of the kind is appended.
ir::ValueId Appended(const Facts& facts, ir::ValueId list) {
  const ir::Program& program = facts.program();
  for (const ir::ValueId method : facts.DeepUsesOf(list)) {
    if (program.ops[method].kind != ir::OpKind::kAttr) continue;
    for (const ir::ValueId call : facts.UsesOf(method)) {
      if (program.ops[call].kind != ir::OpKind::kCall || program.Operands(call).size() != 2) continue;
      if (facts.CalleeOf(call).name != "list.append") continue;
      const ir::ValueId item = facts.Source(program.Operand(call, 1));
      if (item.valid() && program.ops[item].kind == ir::OpKind::kTuple) return item;
    }
  }
  return {};
}

// Where the tuple, or one like it, is written out.
ir::ValueId DisplayOf(const Facts& facts, ir::ValueId tuple) {
  const ir::Program& program = facts.program();
  const ir::ValueId source = facts.Source(tuple);
  if (!source.valid()) return {};
  const ir::Op& op = program.ops[source];
  ir::ValueId list;
  switch (op.kind) {
    case ir::OpKind::kTuple: return source;
    case ir::OpKind::kSubscript: list = program.Operand(source, 0); break;
    case ir::OpKind::kLoopItem: list = program.loops[ir::LoopId(op.payload)].iterable; break;
    default: return {};
  }
  if (!list.valid() || facts.Of(list).kind != Kind::kList) return {};
  const ir::ValueId made = facts.Source(list);
  return made.valid() && program.ops[made].kind == ir::OpKind::kList ? Appended(facts, made) : ir::ValueId::None();
}

}  // namespace

std::vector<ir::ValueId> DeviceParts(const Facts& facts, ir::ValueId tuple) {
  if (!tuple.valid()) return {};
  const Value& value = facts.Of(tuple);
  if (value.kind != Kind::kTuple || !value.elements.valid()) return {};
  const ir::ValueId display = DisplayOf(facts, tuple);
  if (!display.valid()) return {};
  const std::vector<Value>& elements = facts.store().Get(value.elements);
  const auto written = facts.program().Operands(display);
  std::vector<ir::ValueId> parts;
  for (std::size_t i = 0; i < elements.size() && elements.size() == written.size(); ++i) {
    const bool always = elements[i].kind == Kind::kArray && (elements[i].evidence & kContradicted) == 0;
    if (always && facts.IsDevice(written[i])) parts.push_back(written[i]);
  }
  return parts;
}

}  // namespace cpnlint::analysis
