#include "analyzer/analysis/sparse_tests.h"

#include <algorithm>

#include "analyzer/analysis/type_questions.h"
#include "analyzer/analysis/way_tests.h"

namespace cpnlint::analysis {
namespace {

constexpr std::string_view kSparse = "scipy.sparse.";

// The dotted name of a function or class of scipy.sparse, without the module; empty for others.
std::string_view NameInSparse(const ir::Program& program, const Value& value) {
  if (value.kind != Kind::kApi && value.kind != Kind::kForeign) return {};
  const std::string_view name = program.names.Text(value.name);
  return name.starts_with(kSparse) ? name.substr(kSparse.size()) : std::string_view();
}

bool AsksForSparse(std::string_view function) {
  const std::string_view last = function.substr(function.rfind('.') + 1);
  return last == "issparse" || last.starts_with("isspmatrix");
}

}  // namespace

ir::ValueId FoundSparse(const ir::Program& program, const ValueOf& value_of, ir::ValueId test) {
  if (!test.valid() || program.ops[test].kind != ir::OpKind::kCall) return {};
  const ir::ValueId callee = program.Operand(test, 0);
  if (program.ops[test].operand_count == 2 && AsksForSparse(NameInSparse(program, value_of(callee))))
    return program.Operand(test, 1);
  if (program.ops[callee].kind != ir::OpKind::kBuiltin) return {};
  const TypeQuestion question = TypeQuestionOf(program, test);
  const bool sparse = !question.types.empty() && std::ranges::all_of(question.types, [&](ir::ValueId type) {
    const std::string_view name = NameInSparse(program, value_of(type));
    return !name.empty() && !name.starts_with("linalg.");
  });
  return sparse ? question.value : ir::ValueId::None();
}

bool IsSparseAt(const Facts& facts, ir::ValueId value, ir::ValueId op) {
  const ir::Program& program = facts.program();
  const ir::ValueId source = facts.Source(value);
  if (!source.valid()) return false;
  const auto value_of = [&](ir::ValueId id) -> const Value& { return facts.Of(id); };
  return AnyTestAround(program, program.ops[op].block, [&](const Test& test, ir::GuardId) {
    if (!test.holds) return false;
    const ir::ValueId found = FoundSparse(program, value_of, test.id);
    return found.valid() && facts.Source(found) == source;
  });
}

}  // namespace cpnlint::analysis
