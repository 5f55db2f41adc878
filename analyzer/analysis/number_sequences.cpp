#include "analyzer/analysis/number_sequences.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "analyzer/analysis/callee_names.h"
#include "analyzer/api/api.h"

namespace cpnlint::analysis {
namespace {

constexpr std::size_t kMostParts = 24;

bool IsReduction(std::string_view name) {
  return IsOneOf(name, {"all", "amax", "amin", "any", "max", "mean", "median", "min", "prod", "sum"});
}

bool IsPlainNumber(const Value& value) { return IsNumber(value.kind) || value.kind == Kind::kNumpyScalar; }

// A number that is no item of a container: others may store arrays there.
bool IsOwnNumber(const Facts& facts, ir::ValueId id) {
  if (!IsPlainNumber(facts.Of(id))) return false;
  if (facts.program().ops[id].kind != ir::OpKind::kSubscript) return true;
  return facts.Of(facts.program().Operand(id, 0)).kind == Kind::kTuple;
}

// `[x.size for x in arrays]`
bool CollectsNumbers(const Facts& facts, ir::ValueId id) {
  const Value& known = facts.Of(id);
  return facts.program().ops[id].kind == ir::OpKind::kCollection && known.kind == Kind::kList && known.item.valid() &&
         std::ranges::all_of(facts.store().Get(known.item), IsPlainNumber);
}

// Arrays have an attribute of that name, or objects of the program.
bool MayBeOfArray(const Value& known, std::string_view name) {
  const bool nobody_knows = known.kind == Kind::kUnknown || (known.kind == Kind::kMethod && !known.function.valid());
  return !nobody_knows || api::FindExact("numpy.ndarray." + std::string(name)) != nullptr;
}

bool IsSequence(const Value& value) { return value.kind == Kind::kTuple || value.kind == Kind::kList; }

}  // namespace

bool IsOfNumbersAlone(const Facts& facts, ir::ValueId value) {
  const ir::Program& program = facts.program();
  std::vector<ir::ValueId> work = {value};
  for (std::size_t i = 0; i < work.size(); ++i) {
    if (i == kMostParts || !work[i].valid()) return false;
    const ir::ValueId id = facts.Source(work[i]);
    if (!id.valid()) return false;
    const Value& known = facts.Of(id);
    if (IsOwnNumber(facts, id) || CollectsNumbers(facts, id)) continue;
    const ir::Op& op = program.ops[id];
    const bool sequence = IsSequence(known);
    const std::span<const ir::ValueId> operands = program.Operands(op);
    switch (op.kind) {
      case ir::OpKind::kBinary:
      case ir::OpKind::kUnary:
      case ir::OpKind::kCompare: work.insert(work.end(), operands.begin(), operands.end()); break;
      case ir::OpKind::kAttr:  // `x.shape`, and what no array has: `matrix.nnz`
        if (sequence ? program.Name(op) != "shape" : MayBeOfArray(known, program.Name(op))) return false;
        break;
      case ir::OpKind::kPhi:
        for (const ir::ValueId operand : operands) {
          if (std::ranges::find(work, operand) == work.end()) work.push_back(operand);
        }
        break;
      case ir::OpKind::kSubscript:  // `x.shape[1:]`
        if (known.kind != Kind::kTuple) return false;
        work.push_back(operands[0]);
        break;
      case ir::OpKind::kList:
        if (facts.UsesOf(id).size() != 1) return false;  // others may append to it
        work.insert(work.end(), operands.begin(), operands.end());
        break;
      case ir::OpKind::kTuple: work.insert(work.end(), operands.begin(), operands.end()); break;
      case ir::OpKind::kCall: {
        const Callee& callee = facts.CalleeOf(id);
        if (callee.kind != Callee::Kind::kApi || !IsReduction(BareName(callee)) || facts.PositionalCount(id) != 1)
          return false;
        // What is reduced may be an array, whatever else is known of it, unless it is a sequence.
        if (!IsSequence(facts.Of(operands[1]))) return false;
        work.push_back(operands[1]);
        break;
      }
      default: return false;
    }
  }
  return true;
}

}  // namespace cpnlint::analysis
