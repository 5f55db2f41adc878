// What a size is taken for that the program does not say: the default of an option, the length of a list of objects,
// the number of an array's axes, the middle of a loop's counter.

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "analyzer/analysis/callee_names.h"
#include "analyzer/analysis/impl.h"
#include "analyzer/analysis/parser_defaults.h"

namespace cpnlint::analysis {
namespace {

using UsualCounts = std::unordered_map<Symbol, std::optional<double>>;

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
  return facts.program().ops[op].kind == ir::OpKind::kCall && IsBuiltin(facts.CalleeOf(op), {"len"});
}

// Looks at all names of sizes once.
class Finder {
 public:
  explicit Finder(const Facts& facts) : facts_(facts), program_(facts.program()) {}

  UsualCounts Find() {
    FindModulesWithOptions();
    for (const ir::Function& function : program_.functions) {
      const bool has_options = std::ranges::count(with_options_, function.module) != 0;
      for (const ir::BlockId block : function.blocks) {
        for (const ir::ValueId op : program_.blocks[block].ops) {
          if (IsLengthCall(facts_, op)) {
            See(op, HoldsObjects(facts_, program_.Operand(op, 1)) ? std::optional(kUsualItems) : std::nullopt);
          } else if (has_options && program_.ops[op].kind == ir::OpKind::kAttr && facts_.Of(op).dim.valid()) {
            if (const std::optional<double> number = DefaultOfOption(function.module, op)) See(op, number);
          }
        }
      }
    }
    for (std::size_t i = 0; i < program_.loops.size(); ++i) SeeCounter(ir::LoopId(i));
    return std::move(counts_);
  }

 private:
  // `for lag in range(1, 200)`: half of what it gets to.
  void SeeCounter(ir::LoopId loop) {
    const ir::ValueId item = program_.loops[loop].item;
    if (!item.valid() || facts_.Of(item).kind != Kind::kInt || !facts_.Of(item).dim.valid()) return;
    const std::optional<std::int64_t> trips = facts_.store().dims().AsConst(facts_.TripsOf(loop).count);
    See(item, trips ? std::optional(static_cast<double>((*trips + 1) / 2)) : std::nullopt);
  }

  void FindModulesWithOptions() {
    for (const ir::Function& function : program_.functions) {
      const auto adds = [&](ir::ValueId call) { return IsAddArgument(program_, call); };
      const bool is_new = std::ranges::count(with_options_, function.module) == 0;
      if (is_new && std::ranges::any_of(function.calls, adds)) with_options_.push_back(function.module);
    }
  }

  // `args.n` of `parser.add_argument("--n", type=int, default=1024)`
  std::optional<double> DefaultOfOption(ir::ModuleId module, ir::ValueId attribute) {
    const Symbol name = program_.SymbolOf(program_.ops[attribute]);
    const auto [known, is_new] = defaults_.try_emplace({module.index(), name.index()});
    if (!is_new) return known->second;
    const std::optional<std::int64_t> number = ParserDefault(facts_, module, program_.names.Text(name));
    if (number && *number > 0) known->second = static_cast<double>(*number);
    return known->second;
  }

  // The same name elsewhere may be the length of anything.
  void See(ir::ValueId op, std::optional<double> count) {
    for (const Symbol name : facts_.store().dims().Symbols(facts_.Of(op).dim)) {
      const auto [known, is_new] = counts_.emplace(name, count);
      if (known->second) known->second = count ? std::optional(std::max(*count, *known->second)) : std::nullopt;
    }
  }

  const Facts& facts_;
  const ir::Program& program_;
  std::vector<ir::ModuleId> with_options_;
  std::map<std::pair<std::size_t, std::size_t>, std::optional<double>> defaults_;  // by module and attribute
  UsualCounts counts_;
};

}  // namespace

std::optional<double> Facts::UsualCount(Symbol symbol) const {
  if (program_.names.Text(symbol).ends_with(".ndim")) return kUsualAxes;
  if (!impl_->usual_counts) impl_->usual_counts = Finder(*this).Find();
  const auto found = impl_->usual_counts->find(symbol);
  return found == impl_->usual_counts->end() ? std::nullopt : found->second;
}

}  // namespace cpnlint::analysis
