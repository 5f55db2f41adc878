#include "analyzer/analysis/left_out.h"

#include <algorithm>

#include "analyzer/analysis/callee_names.h"
#include "analyzer/analysis/impl.h"
#include "analyzer/base/utf8.h"

namespace cpnlint::analysis {
namespace {

bool IsCall(const ir::Program& program, ir::ValueId id) {
  return id.valid() && program.ops[id].kind == ir::OpKind::kCall;
}

// The parameter that the value is, of whatever kind.
const ir::Param* ParamThatIs(const Facts& facts, ir::ValueId id) {
  const ir::Program& program = facts.program();
  const ir::ValueId source = id.valid() ? facts.Source(id) : id;
  if (!source.valid() || program.ops[source].kind != ir::OpKind::kParam) return nullptr;
  const List<ir::Param>& params = program.functions[program.FunctionOf(source)].params;
  const auto param = std::find_if(params.begin(), params.end(), [&](const ir::Param& p) { return p.value == source; });
  return param != params.end() ? &*param : nullptr;
}

}  // namespace

ir::ValueId DefaultOfLookup(const Facts& facts, ir::ValueId call) {
  const ir::Program& program = facts.program();
  const std::size_t count = facts.PositionalCount(call);
  if (IsBuiltin(facts.CalleeOf(call), {"getattr"})) return count == 3 ? program.Operand(call, 3) : ir::ValueId::None();
  const ir::ValueId method = program.Operand(call, 0);
  if (count != 2 || !method.valid() || program.ops[method].kind != ir::OpKind::kAttr) return {};
  const std::string_view name = program.Name(program.ops[method]);
  const bool looks_up = name == "get" || name == "pop" || name == "setdefault";
  return looks_up && facts.TextOf(program.Operand(call, 1)) ? program.Operand(call, 2) : ir::ValueId::None();
}

bool IsNoneWhereLeftOut(const Facts& facts, ir::ValueId id) {
  const ir::Program& program = facts.program();
  ir::ValueId call = id.valid() ? facts.Source(id) : id;
  if (IsCall(program, call) && IsBuiltin(facts.CalleeOf(call), {"len"})) call = facts.Source(program.Operand(call, 1));
  if (!IsCall(program, call)) return false;
  const ir::ValueId by_default = DefaultOfLookup(facts, call);
  return by_default.valid() && facts.IsNoneConstant(by_default);
}

bool IsNumberWhereLeftOut(const Facts& facts, ir::ValueId id) {
  const ir::Param* param = ParamThatIs(facts, id);
  return param != nullptr && param->default_value.valid() && facts.IntOf(param->default_value);
}

std::optional<std::int64_t> FewLettersOf(const Facts& facts, ir::ValueId id) {
  const std::optional<std::string_view> text = facts.TextOf(id);
  const std::int64_t letters = text ? CharactersOf(*text) : 0;
  return letters > 0 && letters < kHotTrips ? std::optional(letters) : std::nullopt;
}

// NOLINTNEXTLINE(misc-no-recursion): `depth` bounds it
static bool HoldsArguments(const Facts& facts, ir::ValueId id, int depth) {
  constexpr int kDeepest = 3;
  const ir::Program& program = facts.program();
  const ir::Param* param = ParamThatIs(facts, id);
  if (param == nullptr || param->kind != ir::ParamKind::kVarPositional || depth > kDeepest) return false;
  // NOLINTNEXTLINE(misc-no-recursion)
  return std::ranges::all_of(facts.CallSitesOf(program.FunctionOf(param->value)), [&](ir::ValueId site) {
    if (!facts.HasStarArguments(site)) return true;
    // NOLINTNEXTLINE(misc-no-recursion)
    return std::ranges::all_of(program.Operands(site), [&](ir::ValueId argument) {
      const bool starred = argument.valid() && program.ops[argument].kind == ir::OpKind::kStarred;
      return !starred || HoldsArguments(facts, program.Operand(argument, 0), depth + 1);
    });
  });
}

bool HoldsArguments(const Facts& facts, ir::ValueId id) { return HoldsArguments(facts, id, 0); }

}  // namespace cpnlint::analysis
