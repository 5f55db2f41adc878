// What a size is taken for that the program does not say: the default of an option, the length of a list of objects,
// the number of an array's axes.

#include <algorithm>
#include <string_view>

#include "analyzer/analysis/impl.h"
#include "analyzer/analysis/parser_defaults.h"

namespace cpnlint::analysis {
namespace {

constexpr double kUsualItems = 10;  // rules.md A.5, of item loops
constexpr double kUsualAxes = 3;

// A list of layers, names or whatever else is handed about in Python; one of numbers may be as long as an array.
bool HoldsObjects(const Facts& facts, ir::ValueId id) {
  if (!id.valid()) return false;
  const Value& value = facts.Of(id);
  if (value.kind != Kind::kList && value.kind != Kind::kTuple && value.kind != Kind::kDict && value.kind != Kind::kSet)
    return false;
  return !value.item.valid() || !IsNumber(facts.store().Get(value.item).front().kind);
}

bool IsLengthCall(const Facts& facts, ir::ValueId op) {
  if (facts.program().ops[op].kind != ir::OpKind::kCall) return false;
  const Callee& callee = facts.CalleeOf(op);
  return callee.kind == Callee::Kind::kBuiltin && callee.name == "len";
}

// `args.n` of `parser.add_argument("--n", type=int, default=1024)`
std::optional<double> DefaultOfOption(const Facts& facts, ir::ValueId op) {
  const ir::Program& program = facts.program();
  const ir::ModuleId module = program.functions[program.FunctionOf(op)].module;
  const std::optional<std::int64_t> number = ParserDefault(facts, module, program.Name(program.ops[op]));
  return number && *number > 0 ? std::optional(static_cast<double>(*number)) : std::nullopt;
}

// The modules that add options to a parser.
std::vector<ir::ModuleId> ModulesWithOptions(const ir::Program& program) {
  std::vector<ir::ModuleId> modules;
  for (const ir::Function& function : program.functions) {
    const bool adds = std::ranges::any_of(function.calls, [&](ir::ValueId call) {
      const ir::ValueId method = program.Operand(call, 0);
      return method.valid() && program.ops[method].kind == ir::OpKind::kAttr &&
             program.Name(program.ops[method]) == "add_argument";
    });
    if (adds && std::ranges::count(modules, function.module) == 0) modules.push_back(function.module);
  }
  return modules;
}

}  // namespace

std::optional<double> Facts::UsualCount(Symbol symbol) const {
  if (program_.names.Text(symbol).ends_with(".ndim")) return kUsualAxes;
  if (!impl_->usual_counts) {
    auto& counts = impl_->usual_counts.emplace();
    // The same name elsewhere may be the length of anything.
    const auto see = [&](ir::ValueId op, std::optional<double> count) {
      for (const Symbol name : store().dims().Symbols(Of(op).dim)) {
        const auto [known, is_new] = counts.emplace(name, count);
        if (known->second) known->second = count ? std::optional(std::max(*count, *known->second)) : std::nullopt;
      }
    };
    const std::vector<ir::ModuleId> modules = ModulesWithOptions(program_);
    for (const ir::Function& function : program_.functions) {
      const bool has_options = std::ranges::count(modules, function.module) != 0;
      for (const ir::BlockId block : function.blocks) {
        for (const ir::ValueId op : program_.blocks[block].ops) {
          if (IsLengthCall(*this, op)) {
            const bool objects = HoldsObjects(*this, program_.Operand(op, 1));
            see(op, objects ? std::optional(kUsualItems) : std::nullopt);
          } else if (has_options && program_.ops[op].kind == ir::OpKind::kAttr && Of(op).dim.valid()) {
            if (const std::optional<double> number = DefaultOfOption(*this, op)) see(op, number);
          }
        }
      }
    }
  }
  const auto found = impl_->usual_counts->find(symbol);
  return found == impl_->usual_counts->end() ? std::nullopt : found->second;
}

}  // namespace cpnlint::analysis
