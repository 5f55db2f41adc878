#include "analyzer/analysis/left_out.h"

#include <algorithm>

#include "analyzer/analysis/call_path.h"
#include "analyzer/analysis/callee_names.h"
#include "analyzer/analysis/callers.h"
#include "analyzer/analysis/way_tests.h"
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
  if (!method.valid() || program.ops[method].kind != ir::OpKind::kAttr) return {};
  const std::string_view name = program.Name(program.ops[method]);
  if (count == 1 && facts.TextOf(program.Operand(call, 1)) && facts.CalleeOf(call).kind != Callee::Kind::kApi)
    return facts.KeywordArgument(call, "default");
  if (count != 2) return {};
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
  return param != nullptr && param->default_value.valid() && IsNumber(facts.Of(param->default_value).kind);
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

// NOLINTNEXTLINE(misc-no-recursion): `depth` bounds it
static bool NobodyGives(const Facts& facts, Facts::Impl& impl, ir::ValueId id, ir::ClassId object, int depth) {
  constexpr int kDeepest = 3;
  constexpr std::size_t kMostCalls = 32;
  const ir::Program& program = facts.program();
  id = id.valid() ? facts.Source(id) : id;
  if (!id.valid() || program.ops[id].kind != ir::OpKind::kParam || depth > kDeepest) return false;
  const ir::FunctionId function = program.FunctionOf(id);
  const List<ir::Param> params = program.functions[function].params;
  const std::size_t index = program.ops[id].detail;
  if (index >= params.size() || !facts.IsNoneConstant(params[index].default_value)) return false;
  const std::vector<ir::ValueId> calls = CallersOf(facts, impl, function, object);
  // NOLINTNEXTLINE(misc-no-recursion)
  return calls.size() <= kMostCalls && std::ranges::none_of(calls, [&](ir::ValueId call) {
           const ir::ValueId over = GivenBy(facts, impl, call, function, index);
           return over.valid() && !facts.IsNoneConstant(over) && !NobodyGives(facts, impl, over, object, depth + 1);
         });
}

bool NobodyGives(const Facts& facts, Facts::Impl& impl, ir::ValueId id, ir::ClassId object) {
  return NobodyGives(facts, impl, id, object, 0);
}

// A test around the block asks for something else than the default, and than what each known call hands over. That
// nothing is there by default tells nothing of what somebody gives.
static bool AsksForOther(const Facts& facts, const Facts::Impl& impl, ir::BlockId block) {
  const ir::FunctionId function = facts.program().blocks[block].function;
  return AnyTestAround(facts.program(), block, [&](const Test& test, ir::GuardId) {
    const std::optional<std::uint32_t> index = ParamAsked(facts, impl, function, test);
    if (!index) return false;
    const ir::Param& param = facts.program().functions[function].params[*index];
    if (!param.default_value.valid() || facts.IsNoneConstant(param.default_value)) return false;
    const auto keeps_out = [&](ir::ValueId given) {
      return Decide(facts, impl, test.id, facts.Of(given)) == !test.holds;
    };
    return keeps_out(param.default_value) &&
           std::ranges::all_of(AllHandedOver(facts, param.value),
                               [&](const Handed& handed) { return handed.known && keeps_out(handed.value); });
  });
}

std::vector<ir::ValueId> WaysThatCount(const Facts& facts, Facts::Impl& impl, ir::ValueId phi, Trust trust) {
  const ir::Program& program = facts.program();
  const ir::Op& op = program.ops[phi];
  const std::span<const ir::ValueId> operands = program.Operands(op);
  const std::span<const ir::BlockId> before = program.blocks[op.block].preds;
  const bool by_usage = trust == Trust::kUsage && operands.size() == before.size();
  std::vector<ir::ValueId> all, usual;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const ir::ValueId operand = operands[i];
    if (!operand.valid() || facts.Of(operand).kind == Kind::kBottom || facts.IsNoneConstant(operand)) continue;
    all.push_back(operand);
    if (by_usage && !AsksForOther(facts, impl, before[i]) && !NobodyGives(facts, impl, operand, {}))
      usual.push_back(operand);
  }
  return usual.empty() ? all : usual;
}

}  // namespace cpnlint::analysis
