// What a size is taken for that the program does not say: the default of an option, of a setting or of a parameter, the
// largest number that calls hand over or branches leave, the length of a list of objects, the number of an array's
// axes, the middle of a loop's counter, and what a count usually is by its name.

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "analyzer/analysis/attribute_stores.h"
#include "analyzer/analysis/call_path.h"
#include "analyzer/analysis/callee_names.h"
#include "analyzer/analysis/count_names.h"
#include "analyzer/analysis/engine.h"
#include "analyzer/analysis/handed_extents.h"
#include "analyzer/analysis/held_objects.h"
#include "analyzer/analysis/left_out.h"
#include "analyzer/analysis/parser_defaults.h"
#include "analyzer/analysis/written_defaults.h"

namespace cpnlint::analysis {
namespace {

using UsualCounts = std::unordered_map<Symbol, std::optional<double>>;

constexpr double kUsualAxes = 3;

bool IsLengthCall(const Facts& facts, ir::ValueId op) {
  return facts.program().ops[op].kind == ir::OpKind::kCall && IsBuiltin(facts.CalleeOf(op), {"len"});
}

// Looks at all names of sizes once.
class Finder {
 public:
  Finder(const Facts& facts, const Facts::Impl& impl) : facts_(facts), impl_(impl), program_(facts.program()) {}

  UsualCounts Find() {
    for (const ir::Function& function : program_.functions) {
      for (const ir::ValueId call : function.calls) {
        if (IsAddArgument(program_, call)) SeeOption(call);
        SeeLookup(call);
      }
      for (const ir::BlockId block : function.blocks) {
        for (const ir::ValueId op : program_.blocks[block].ops) {
          if (program_.ops[op].kind == ir::OpKind::kSubscript) SeeLookup(op);
          if (IsLengthCall(facts_, op))
            See(op, HoldsObjects(facts_, program_.Operand(op, 1)) ? std::optional(kUsualItems) : std::nullopt);
        }
      }
    }
    for (std::size_t i = 0; i < program_.loops.size(); ++i) SeeCounter(ir::LoopId(i));
    for (std::size_t i = 0; i < program_.ops.size(); ++i) {
      if (program_.ops[ir::ValueId(i)].kind == ir::OpKind::kPhi) SeeBranches(ir::ValueId(i));
    }
    SeeAttributes();
    for (std::size_t i = 0; i < program_.functions.size(); ++i) SeeParameters(ir::FunctionId(i));
    SeeDefaults();
    return std::move(counts_);
  }

 private:
  // `for lag in range(1, 200)`: half of what it gets to. `for n in (256, 512)`: the largest.
  void SeeCounter(ir::LoopId loop) {
    const ir::ValueId item = program_.loops[loop].item;
    if (item.valid()) SeeEnumerated(loop, item);
    if (!item.valid() || facts_.Of(item).kind != Kind::kInt || !facts_.Of(item).dim.valid()) return;
    const Value& walked = facts_.Of(program_.loops[loop].iterable);
    if (walked.elements.valid()) {
      double most = 0;
      for (const Value& one : facts_.store().Get(walked.elements)) most = std::max(most, one.constant ? one.number : 0);
      return See(item, most > 0 ? std::optional(most) : std::nullopt);
    }
    const std::optional<std::int64_t> trips = facts_.store().dims().AsConst(facts_.TripsOf(loop).count);
    See(item, HalfOf(trips));
  }

  // `for k, lag in enumerate(range(-50, 51))`: half of what it gets to, on either side.
  void SeeEnumerated(ir::LoopId loop, ir::ValueId item) {
    const ir::ValueId call = facts_.Source(program_.loops[loop].iterable);
    if (!call.valid() || program_.ops[call].kind != ir::OpKind::kCall) return;
    if (!IsBuiltin(facts_.CalleeOf(call), {"enumerate"}) || program_.Operands(call).size() != 2) return;
    const std::optional<std::int64_t> trips = facts_.store().dims().AsConst(facts_.TripsOf(loop).count);
    for (const ir::ValueId use : facts_.UsesOf(item)) {
      if (program_.ops[use].kind != ir::OpKind::kUnpackItem || facts_.Of(use).kind != Kind::kInt) continue;
      if (!facts_.Of(use).dim.valid()) continue;
      if (ir::ItemPosition::Unpack(program_.ops[use].payload).index != 1) continue;
      if (const auto middle = MiddleOf(program_.Operand(call, 1), trips)) See(use, middle);
    }
  }

  static std::optional<double> HalfOf(std::optional<std::int64_t> trips) {
    return trips ? std::optional(static_cast<double>((*trips + 1) / 2)) : std::nullopt;
  }

  // Of what a range counts, without its sign; nullopt for other values and where the ends are not known.
  [[nodiscard]] std::optional<double> MiddleOf(ir::ValueId walked, std::optional<std::int64_t> trips) const {
    const ir::ValueId range = facts_.Source(walked);
    if (!trips || !range.valid() || program_.ops[range].kind != ir::OpKind::kCall) return std::nullopt;
    if (!IsBuiltin(facts_.CalleeOf(range), {"range"})) return std::nullopt;
    const std::size_t given = program_.Operands(range).size() - 1;
    if (given == 1) return HalfOf(trips);
    const auto start = facts_.IntOf(program_.Operand(range, 1)), stop = facts_.IntOf(program_.Operand(range, 2));
    if (given != 2 || !start || !stop) return std::nullopt;
    const double ends = std::abs(static_cast<double>(*start)) + std::abs(static_cast<double>(*stop - 1));
    return std::max(1.0, std::floor(ends / ((*start < 0) == (*stop < 0) ? 2 : 4)));
  }

  // `parser.add_argument("--n", type=int, default=1024)`
  void SeeOption(ir::ValueId add_argument) {
    const Symbol name = program_.names.Find(OptionName(program_, add_argument));
    const std::optional<std::int64_t> number = facts_.IntOf(facts_.KeywordArgument(add_argument, "default"));
    if (name.valid() && number && *number > 0) Count(name, static_cast<double>(*number));
  }

  // `settings["n"]` of what is written `{"n": 1024}`, `settings.get("n", 1024)`
  void SeeLookup(ir::ValueId lookup) {
    if (!HasName(lookup)) return;
    std::optional<double> number;
    if (const auto written = WrittenDefault(facts_, lookup)) number = static_cast<double>(*written);
    const bool call = program_.ops[lookup].kind == ir::OpKind::kCall;
    if (!number && call) number = NumberOf(DefaultOfLookup(facts_, lookup));
    if (number) See(lookup, number);
  }

  // `n = int(sys.argv[1]) if len(sys.argv) > 1 else 1024`
  void SeeBranches(ir::ValueId phi) {
    const ir::LoopId loop = program_.LoopOf(phi);
    const bool carried = loop.valid() && program_.loops[loop].header == program_.ops[phi].block;
    if (carried || !IsOwn(phi)) return;
    std::optional<double> most;
    for (const ir::ValueId operand : program_.Operands(phi)) {
      if (const std::optional<double> number = NumberOf(operand)) most = std::max(most.value_or(*number), *number);
    }
    if (most) See(phi, most);
  }

  // `settings.n` of a field `n: int = 1024`, where a branch stores another number.
  void SeeAttributes() {
    for (const auto& [key, index] : impl_.slot_of) {
      const Slot& slot = impl_.slots[index];
      if (slot.value.kind != Kind::kInt || slot.value.dim.valid() || slot.stored.size() < 2) continue;
      const auto is_default = [&](ir::ValueId stored) {
        return program_.ops[stored].kind == ir::OpKind::kInt && facts_.IntOf(stored).value_or(0) > 1 &&
               IsOfField(stored);
      };
      const auto stored = std::ranges::find_if(slot.stored, is_default);
      if (stored != slot.stored.end()) Count(NameOfSlot(key), static_cast<double>(*facts_.IntOf(*stored)));
    }
  }

  bool IsOfField(ir::ValueId number) const {
    const auto uses = facts_.UsesOf(number);
    return std::ranges::any_of(uses, [&](ir::ValueId use) { return program_.ops[use].kind == ir::OpKind::kAnnotate; });
  }

  // `run(1024)` here and `run(2048)` there. What nobody knows has no size because an option is of that name.
  void SeeParameters(ir::FunctionId id) {
    for (const ir::Param& param : program_.functions[id].params) {
      if (!IsOwn(param.value)) continue;
      std::optional<double> most = MostHandedOver(param);
      const bool counted = counts_.contains(param.name);
      if (!most && counted) most = LeftOut(param);
      if (most || counted) See(param.value, most);
    }
  }

  // The default, or what the calls hand over: numbers and parameters of theirs that have a default. One stands for a
  // single item.
  // NOLINTNEXTLINE(misc-no-recursion): `depth` bounds it
  std::optional<double> LeftOut(const ir::Param& param, int depth = 0) {
    constexpr int kDeepest = 3;
    constexpr std::size_t kMostCalls = 16;
    const std::vector<Handed> all = AllHandedOver(facts_, param.value);
    if (all.size() > kMostCalls) return std::nullopt;
    std::optional<double> most = all.empty() ? NumberOf(param.default_value) : std::nullopt;
    for (const Handed& handed : all) {
      const ir::ValueId value = handed.known ? handed.value : param.default_value;
      std::optional<double> number = NumberOf(value);
      const ir::ValueId source = value.valid() ? facts_.Source(value) : value;
      if (!number && source.valid() && program_.ops[source].kind == ir::OpKind::kParam && depth < kDeepest) {
        const List<ir::Param>& params = program_.functions[program_.FunctionOf(source)].params;
        const std::size_t index = program_.ops[source].detail;
        if (index < params.size()) number = LeftOut(params[index], depth + 1);
      }
      if (!number) return std::nullopt;
      most = std::max(most.value_or(*number), *number);
    }
    return most && *most > 1 ? most : std::nullopt;
  }

  // `def histogram(x, n_bins=200)`, which nobody in sight calls: so many where all that goes by that name are such
  // parameters.
  void SeeDefaults() {
    UsualCounts defaults;
    for (const ir::Function& function : program_.functions) {
      for (const ir::Param& param : function.params) {
        if (counts_.contains(param.name) || !IsOwn(param.value)) continue;
        const std::optional<double> number = LeftOut(param);
        const auto [known, is_new] = defaults.emplace(param.name, number);
        if (known->second) known->second = number ? std::optional(std::max(*number, *known->second)) : std::nullopt;
      }
    }
    for (const ir::Function& function : program_.functions) {
      for (const ir::Binding& binding : function.bindings) {
        const auto found = defaults.find(binding.name);
        if (found == defaults.end() || !found->second || !binding.value.valid()) continue;
        const bool other = program_.ops[binding.value].kind != ir::OpKind::kParam && IsOwn(binding.value);
        if (other) found->second = std::nullopt;
      }
    }
    for (const auto& [name, number] : defaults) {
      if (number) counts_.emplace(name, number);
    }
  }

  std::optional<double> MostHandedOver(const ir::Param& param) {
    std::optional<double> most;
    for (const Handed& handed : AllHandedOver(facts_, param.value)) {
      const std::optional<double> number = NumberOf(handed.known ? handed.value : param.default_value);
      if (!number) return std::nullopt;
      most = std::max(most.value_or(*number), *number);
    }
    return most;
  }

  // A positive one.
  std::optional<double> NumberOf(ir::ValueId id) {
    if (!id.valid()) return std::nullopt;
    std::optional<double> number;
    if (const auto known = facts_.IntOf(id)) number = static_cast<double>(*known);
    const std::vector<Symbol> symbols = facts_.store().dims().Symbols(facts_.Of(id).dim);
    const auto is_counted = [&](Symbol symbol) {
      const auto found = counts_.find(symbol);
      return found != counts_.end() && found->second.has_value();
    };
    if (!number && !symbols.empty() && std::ranges::all_of(symbols, is_counted)) {
      number = facts_.store().dims().Evaluate(facts_.Of(id).dim,
                                              [&](Symbol symbol, std::uint32_t) { return *counts_.at(symbol); });
    }
    return number && *number > 0 ? number : std::nullopt;
  }

  bool HasName(ir::ValueId variable) {
    const std::vector<Symbol> symbols = facts_.store().dims().Symbols(facts_.Of(variable).dim);
    return symbols.size() == 1 && program_.names.Text(symbols.front()).find('?') == std::string_view::npos;
  }

  // Its number is known by its own name alone.
  bool IsOwn(ir::ValueId variable) {
    const ir::DimId dim = facts_.Of(variable).dim;
    const std::vector<Symbol> symbols = facts_.store().dims().Symbols(dim);
    return symbols.size() == 1 && dim == facts_.store().dims().SymbolOf(symbols.front(), variable.index());
  }

  // Of its own name; `len(x)` of an x that is n long says nothing of n. The same name elsewhere may be the length of
  // anything.
  void See(ir::ValueId op, std::optional<double> count) {
    if (IsOwn(op)) Count(facts_.store().dims().Symbols(facts_.Of(op).dim).front(), count);
  }

  void Count(Symbol name, std::optional<double> count) {
    const auto [known, is_new] = counts_.emplace(name, count);
    if (known->second) known->second = count ? std::optional(std::max(*count, *known->second)) : std::nullopt;
  }

  const Facts& facts_;
  const Facts::Impl& impl_;
  const ir::Program& program_;
  UsualCounts counts_;
};

}  // namespace

std::optional<double> Facts::UsualCount(Symbol symbol) const {
  if (program_.names.Text(symbol).ends_with(".ndim")) return kUsualAxes;
  if (!impl_->usual_counts) impl_->usual_counts = Finder(*this, *impl_).Find();
  const auto found = impl_->usual_counts->find(symbol);
  if (found != impl_->usual_counts->end()) return found->second;
  const std::optional<std::int64_t> named = UsualSizeByName(program_.names.Text(symbol));
  return named ? std::optional(static_cast<double>(*named)) : std::nullopt;
}

// Of an attribute that each class of a family stores by a default of its own, and few of them in other ways: the
// largest of these defaults.
static std::optional<double> CountOfFamily(const Facts& facts, Facts::Impl& impl, Symbol attribute,
                                           ir::ClassId family) {
  constexpr std::size_t kMostStores = 1024;
  IndexAttributeStores(impl);
  const auto found = impl.attribute_stores.find(SlotKey(family, attribute));
  if (found == impl.attribute_stores.end() || found->second.size() > kMostStores) return std::nullopt;
  std::int64_t most = 0;
  std::size_t known = 0, unknown = 0;
  for (const ir::ValueId stored : found->second) {
    if (facts.IsNoneConstant(stored)) continue;
    const std::optional<std::int64_t> one = LargestConstant(facts, impl, stored, Trust::kUsage);
    ++(one && *one > 1 ? known : unknown);
    most = std::max(most, one.value_or(0));
  }
  return known > 2 * unknown ? std::optional(static_cast<double>(most)) : std::nullopt;
}

std::optional<double> Facts::UsualCount(Symbol symbol, std::uint32_t instance) const {
  if (const std::optional<double> count = UsualCount(symbol)) return count;
  struct Known {
    std::uint64_t facts = 0;  // serial
    std::map<std::pair<Symbol, std::uint32_t>, std::optional<double>> counts;
  };
  thread_local Known known;  // a price asks for each size again and again
  if (known.facts != serial()) known = {serial(), {}};
  const auto [entry, is_new] = known.counts.try_emplace({symbol, instance});
  if (!is_new) return entry->second;
  if (const auto handed = LargestHandedOver(*this, symbol, instance)) {
    entry->second = static_cast<double>(*handed);
    return entry->second;
  }
  const std::optional<std::int64_t> made = UsualSize(*this, *impl_, store().dims().SymbolOf(symbol, instance));
  if (made && *made > 1) {
    entry->second = static_cast<double>(*made);
  } else if (!made && instance >= kClassInstance) {
    entry->second = CountOfFamily(*this, *impl_, symbol, ir::ClassId(instance - kClassInstance));
  }
  return entry->second;
}

}  // namespace cpnlint::analysis
