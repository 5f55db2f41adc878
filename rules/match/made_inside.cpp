#include "rules/match/made_inside.h"

#include <algorithm>
#include <vector>

#include "rules/match/expression.h"
#include "rules/match/story.h"

namespace cpnlint::rules::match {

namespace {

template <class Moves>
Text After(const Facts& facts, ir::ValueId expression, std::string_view relation, const Moves& moves) {
  constexpr std::size_t kMostNames = 3;
  const ir::Program& program = facts.program();
  std::vector<ir::ValueId> seen;
  std::vector<Span> names;
  for (const ir::ValueId op : ExpressionOf(facts, expression)) {
    const auto operands = program.Operands(op);
    for (std::uint32_t i = 0; i < operands.size(); ++i) {
      const ir::ValueId value = operands[i].valid() ? facts.Source(operands[i]) : operands[i];
      if (!value.valid() || program.ops[value].kind == ir::OpKind::kImport || !moves(value)) continue;
      if (program.ops[value].statement == program.ops[expression].statement) continue;
      if (std::find(seen.begin(), seen.end(), value) != seen.end()) continue;
      seen.push_back(value);
      names.push_back(program.OperandSpan(op, i));
    }
  }
  if (names.empty()) return {};
  Text text(relation);
  if (names.size() > kMostNames) return text.Add(" the statements that make what it reads");
  text.Add(names.size() == 1 ? " the statement that makes " : " the statements that make ");
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text.Add(i + 1 == names.size() ? " and " : ", ");
    text.Add(Quoted(names[i]));
  }
  return text;
}

}  // namespace

Text AfterWhatItReads(const Facts& facts, ir::ValueId expression, ir::LoopId loop) {
  // They stand in the loop, so they go with it.
  return After(facts, expression, ", together with", [&](ir::ValueId value) { return facts.InLoop(value, loop); });
}

Text AfterWhatItsFunctionMakes(const Facts& facts, ir::ValueId expression) {
  const ir::Program& program = facts.program();
  return After(facts, expression, ", after", [&](ir::ValueId value) {
    return program.FunctionOf(value) == program.FunctionOf(expression) && program.ops[value].kind != ir::OpKind::kParam;
  });
}

}  // namespace cpnlint::rules::match
