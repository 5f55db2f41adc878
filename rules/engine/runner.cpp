#include "rules/engine/runner.h"

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <limits>
#include <map>
#include <string>
#include <unordered_set>
#include <utility>

#include "analyzer/analysis/dtype_tests.h"
#include "rules/engine/ignore.h"
#include "rules/engine/library_name.h"
#include "rules/engine/root_cause.h"

namespace cpnlint::rules {
namespace {

constexpr double kSeldom = 10;  // passes of the hot loop per execution from which on a refactor site counts as cold

constexpr std::size_t kOpKinds = static_cast<std::size_t>(ir::OpKind::kOpaque) + 1;
static_assert(kOpKinds <= 64, "OpKinds is a mask of 64 bits");

struct Table {
  const Selection* selection = nullptr;  // any of the run's: which rules run is the same for all files
  std::vector<Trial> trials;             // one per rule, reused at every site
  std::array<std::vector<Trial*>, kOpKinds> by_op;
  std::vector<Trial*> by_loop, by_function, by_module;
};

void Subscribe(Table& table) {
  for (Trial& trial : table.trials) {
    const Rule& rule = trial.rule();
    if (rule.on_loop != nullptr) table.by_loop.push_back(&trial);
    if (rule.on_function != nullptr) table.by_function.push_back(&trial);
    if (rule.on_module != nullptr) table.by_module.push_back(&trial);
    if (rule.on_op == nullptr) continue;
    for (std::size_t kind = 0; kind < kOpKinds; ++kind) {
      if (rule.ops.Has(static_cast<ir::OpKind>(kind))) table.by_op[kind].push_back(&trial);
    }
  }
}

void RunFunction(const Facts& facts, ir::FunctionId id, Table& table) {
  const ir::Program& program = facts.program();
  for (Trial* trial : table.by_function) trial->rule().on_function(facts, id, *trial);
  if (!table.by_loop.empty()) {
    for (const ir::LoopId loop : LoopsOf(program, id)) {
      for (Trial* trial : table.by_loop) trial->rule().on_loop(facts, loop, *trial);
    }
  }
  for (const ir::BlockId block : program.functions[id].blocks) {
    for (const ir::ValueId op : program.blocks[block].ops) {
      if ((program.ops[op].flags & ir::kInAnnotation) != 0) continue;
      for (Trial* trial : table.by_op[static_cast<std::size_t>(program.ops[op].kind)]) {
        trial->rule().on_op(facts, op, *trial);
      }
    }
  }
}

ir::FunctionId InnermostFunction(const ir::Program& program, const ir::Module& module, Span span) {
  ir::FunctionId innermost = module.body;
  std::uint32_t smallest = std::numeric_limits<std::uint32_t>::max();
  for (std::size_t i = module.first_function.index(); i < module.end_function.index(); ++i) {
    const ir::FunctionId id(i);
    const Span body = program.functions[id].span;
    if (id == module.body || !body.Contains(span) || body.size() > smallest) continue;
    innermost = id;
    smallest = body.size();
  }
  return innermost;
}

// `# cpnlint: host`: what follows in this function is host code.
bool IsHostCode(const ir::Program& program, const ir::Module& module, const Finding& finding) {
  return std::any_of(module.pragmas.begin(), module.pragmas.end(), [&](const ir::Pragma& pragma) {
    return pragma.kind == ir::Pragma::Kind::kHost && pragma.span.begin < finding.span.begin &&
           InnermostFunction(program, module, pragma.span) == InnermostFunction(program, module, finding.span);
  });
}

std::string Quoted(std::string_view name) { return "`" + std::string(name) + "`"; }

bool IsScales(const Finding& finding) { return finding.rule->family == Family::kScales; }

// A statement that blocks or wants a rewrite is no evidence of what works (rules.md B.1).
void DropCoveredGood(const ir::Program& program, std::vector<Finding>& found) {
  std::unordered_set<ir::StatementId> covered;
  for (const Finding& finding : found) {
    const bool wants_rewrite = finding.rule->family == Family::kRefactor && finding.severity >= Severity::kWarning;
    const bool counts = finding.rule->family == Family::kBlocks || wants_rewrite;
    if (counts && finding.site.valid()) covered.insert(program.ops[finding.site].statement);
  }
  std::erase_if(found, [&](const Finding& finding) {
    return IsScales(finding) && finding.site.valid() && covered.contains(program.ops[finding.site].statement);
  });
}

// Modules whose name is made at run time: what they hold is not known.
void NoteDynamicImports(const Facts& facts, ir::FunctionId function, std::vector<Note>& notes) {
  const ir::Program& program = facts.program();
  for (const ir::ValueId call : program.functions[function].calls) {
    const analysis::Callee& callee = facts.CalleeOf(call);
    const bool import = (callee.kind == analysis::Callee::Kind::kBuiltin && callee.name == "__import__") ||
                        callee.name == "importlib.import_module" || callee.name == "importlib.__import__";
    if (!import || facts.TextOf(program.Operand(call, 1)).has_value()) continue;
    notes.push_back({"not-analysed", program.ops[call].span,
                     "a module is imported whose name is only known at run time: what it holds is not looked into"});
  }
}

}  // namespace

ir::ValueId HeatSite(const Facts& facts, const Finding& finding) {
  if (finding.site.valid()) return finding.site;
  if (!finding.loop.valid()) return ir::ValueId::None();
  const ir::Loop& loop = facts.program().loops[finding.loop];
  if (loop.item.valid()) return loop.item;
  const std::span<const ir::ValueId> ops = facts.program().blocks[loop.body].ops;
  return ops.empty() ? ir::ValueId::None() : ops.front();
}

bool InCompiledRegion(const Facts& facts, ir::FunctionId function) {
  for (; function.valid(); function = facts.program().functions[function].parent) {
    if (facts.IsCompiledElsewhere(function)) return true;
  }
  return false;
}

std::vector<ir::LoopId> LoopsOf(const ir::Program& program, ir::FunctionId function) {
  std::vector<ir::LoopId> loops;
  for (const ir::BlockId block : program.functions[function].blocks) {
    for (ir::LoopId loop = program.blocks[block].loop; loop.valid(); loop = program.loops[loop].parent) {
      loops.push_back(loop);
    }
  }
  std::sort(loops.begin(), loops.end());
  loops.erase(std::unique(loops.begin(), loops.end()), loops.end());
  return loops;
}

// What the finding is about holds texts or objects where it stands: `if x.dtype.kind == "U": y = x.view(...)`.
static bool IsAboutOthers(const Facts& facts, const Finding& finding, ir::ValueId site) {
  const ir::Program& program = facts.program();
  if (!program.blocks[program.ops[site].block].guard.valid()) return false;
  ir::ValueId array = finding.loop.valid() ? program.loops[finding.loop].iterable : ir::ValueId::None();
  if (finding.site.valid()) {
    const ir::Op& op = program.ops[site];
    const bool call = op.kind == ir::OpKind::kCall;
    const ir::ValueId receiver = call ? facts.CalleeOf(site).receiver : ir::ValueId::None();
    array = receiver.valid() ? receiver : program.Operand(site, call ? 1 : 0);
  }
  return analysis::HoldsNoNumbersAt(facts, array, site) || analysis::HoldsNoNumbersAt(facts, finding.root, site);
}

bool Weigh(const Facts& facts, Trial::Pending& pending) {
  Finding& finding = pending.finding;
  const Rule& rule = *finding.rule;
  analysis::EvidenceSet evidence = pending.evidence;

  if (const ir::ValueId site = HeatSite(facts, finding); site.valid()) {
    const analysis::Heat& heat = facts.HeatOf(site);
    if (heat.dead || IsAboutOthers(facts, finding, site)) return false;
    const bool seldom = rule.family == Family::kRefactor && heat.period >= kSeldom;
    // What is there for sure when it is cold says more than what may be hot.
    const bool doubtful = analysis::ConfidenceOf(heat.evidence) == Confidence::kPossible && rule.cold;
    const bool hot = heat.hot && !seldom && !doubtful;
    if (!pending.severity_fixed) {
      if (!hot && !rule.cold) return false;
      finding.severity = hot ? rule.severity : *rule.cold;
      // That the site is hot matters where a cold one is another finding.
      if (hot && rule.cold != rule.severity) evidence |= heat.evidence;
    }
  } else if (!pending.severity_fixed) {
    finding.severity = rule.cold.value_or(rule.severity);
  }
  finding.confidence = analysis::Weaker(analysis::Weaker(rule.cap, pending.cap), analysis::ConfidenceOf(evidence));
  return true;
}

Text MessageOf(const Facts& facts, const Trial::Pending& pending) {
  const Finding& finding = pending.finding;
  std::vector<std::pair<std::string_view, Text>> arguments;
  arguments.emplace_back("expr", finding.span);
  if (finding.loop.valid()) {
    const ir::Program& program = facts.program();
    arguments.emplace_back("loop", program.loops[finding.loop].header_span);
    const ir::DimId trips = facts.TripsOf(finding.loop).count;
    if (trips.valid()) arguments.emplace_back("trips", Text(facts.DimText(trips)));
  }
  for (const auto& argument : pending.arguments) arguments.push_back(argument);
  return Fill(pending.pattern.empty() ? std::string_view(finding.rule->message) : pending.pattern, arguments);
}

namespace {

void RunModule(const Facts& facts, ir::ModuleId module_id, Table& table, std::vector<Note>& notes) {
  const ir::Program& program = facts.program();
  const ir::Module& module = program.modules[module_id];
  for (Trial* trial : table.by_module) trial->rule().on_module(facts, module_id, *trial);
  for (std::size_t index = module.first_function.index(); index < module.end_function.index(); ++index) {
    const ir::FunctionId id(index);
    const ir::Function& function = program.functions[id];
    if (InCompiledRegion(facts, id)) {
      if (!facts.IsCompiledElsewhere(id) || InCompiledRegion(facts, function.parent)) continue;
      notes.push_back({"compiled-region", function.name_span,
                       Quoted(facts.QualifiedName(id)) +
                           " is already compiled for host or device: cuPyNumeric will not speed it up, and each "
                           "call with a cuPyNumeric array gathers that array"});
      continue;
    }
    RunFunction(facts, id, table);
    NoteDynamicImports(facts, id, notes);
  }
}

void AddUnreached(const Facts& facts, RunResult& result) {
  std::vector<ir::FunctionId> unreached;
  for (const Finding& finding : result.findings) {
    if (!facts.IsReachable(finding.function)) unreached.push_back(finding.function);
  }
  std::sort(unreached.begin(), unreached.end());
  unreached.erase(std::unique(unreached.begin(), unreached.end()), unreached.end());
  for (const ir::FunctionId id : unreached) {
    result.notes.push_back({"unreached", facts.program().functions[id].name_span,
                            "no entry point of the analysed files reaches " + Quoted(facts.QualifiedName(id)) +
                                ": its findings do not enter the verdict"});
  }
}

}  // namespace

namespace {

// Findings stay until the report is written, most of them only to be counted, and there are many.
void DropSpareRoom(Finding& finding) {
  for (Text* text : {&finding.message, &finding.primary_label, &finding.why, &finding.help})
    text->pieces.shrink_to_fit();
  finding.labels.shrink_to_fit();
  finding.also.shrink_to_fit();
}

// What is counted, merged or made way for, and never told.
Finding WithoutTexts(const Finding& finding) {
  Finding bare;
  bare.rule = finding.rule;
  bare.severity = finding.severity;
  bare.confidence = finding.confidence;
  bare.module = finding.module;
  bare.function = finding.function;
  bare.site = finding.site;
  bare.loop = finding.loop;
  bare.root = finding.root;
  bare.key = finding.key;
  bare.span = finding.span;
  bare.also = finding.also;
  bare.raises = finding.raises;
  return bare;
}

// Of findings in the modules that were asked for: what those in other modules may have to do with.
std::vector<Finding> Outlines(const std::vector<Finding>& found) {
  std::vector<Finding> outlines;
  outlines.reserve(static_cast<std::size_t>(std::count_if(found.begin(), found.end(), std::not_fn(IsScales))));
  for (const Finding& finding : found) {
    if (!IsScales(finding)) outlines.push_back(WithoutTexts(finding));
  }
  return outlines;
}

// Modules that are run over, and what stands in them for all rules.
struct Seen {
  std::span<const Selection* const> selections;
  std::map<ir::ModuleId, std::size_t> position;
  std::vector<IgnoreMarks> ignores;
};

// What the rules find in one module, each by itself.
std::vector<Finding> Look(const Facts& facts, ir::ModuleId module, Table& table, std::vector<Note>& notes) {
  const ir::Program& program = facts.program();
  RunModule(facts, module, table, notes);
  const std::string library = LibraryName(facts, module), import = MissingImport(facts, module);
  std::vector<Finding> here;
  for (Trial& trial : table.trials) {
    const bool withheld = table.selection->Withholds(trial.rule());
    for (Trial::Pending& pending : trial.pending()) {
      if (!Weigh(facts, pending)) continue;
      if (withheld && pending.finding.confidence == Confidence::kPossible) continue;
      // What scales is counted and not told one by one.
      if (trial.rule().family == Family::kScales) {
        here.push_back(WithoutTexts(pending.finding));
        continue;
      }
      pending.finding.message = MessageOf(facts, pending);
      UseLibraryName(pending.finding.help, library);
      SayImport(pending.finding.help, import);
      here.push_back(std::move(pending.finding));
    }
    trial.pending().clear();
  }
  std::erase_if(here, [&](const Finding& one) { return IsHostCode(program, program.modules[module], one); });
  return here;
}

// Takes those out of a list for which it is so.
template <typename Is>
std::vector<Finding> TakeOut(std::vector<Finding>& from, const Is& is) {
  const auto middle = std::stable_partition(from.begin(), from.end(), std::not_fn(is));
  std::vector<Finding> taken(std::make_move_iterator(middle), std::make_move_iterator(from.end()));
  from.erase(middle, from.end());
  return taken;
}

// What is left of findings of previews that were not asked for, beside all others: what --preview would tell of them.
std::vector<Finding> KeepWithheld(const Facts& facts, std::vector<Finding> withheld, const std::vector<Finding>& others,
                                  const Selection& selection) {
  if (withheld.empty()) return withheld;
  std::vector<Finding> outlines = Outlines(others);
  withheld.insert(withheld.end(), std::make_move_iterator(outlines.begin()), std::make_move_iterator(outlines.end()));
  withheld = KeepCauses(facts, std::move(withheld));
  std::erase_if(withheld, [&](const Finding& finding) { return !selection.Withholds(*finding.rule); });
  return withheld;
}

// What is left of all that was found, into the results of the modules from `first` on.
void Settle(const Facts& facts, std::vector<Finding> found, const Seen& seen, std::size_t first,
            std::vector<RunResult>& results) {
  const auto at = [&](const Finding& finding) { return seen.position.find(finding.module)->second; };
  const auto put = [&](std::vector<Finding> findings, const auto& list_of) {
    for (Finding& finding : MergeIdentical(facts, std::move(findings))) {
      const std::size_t position = at(finding);
      if (position < first) continue;
      DropSpareRoom(finding);
      list_of(finding, position).push_back(std::move(finding));
    }
  };
  // What is told must not depend on what is withheld.
  const Selection& selection = *seen.selections.front();
  std::vector<Finding> withheld =
      TakeOut(found, [&](const Finding& finding) { return selection.Withholds(*finding.rule); });
  withheld = KeepWithheld(facts, std::move(withheld), found, selection);
  found = KeepCauses(facts, std::move(found));
  DropCoveredGood(facts.program(), found);
  std::vector<Finding> silenced =
      TakeOut(found, [&](const Finding& finding) { return seen.ignores[at(finding)].Ignores(finding); });
  std::erase_if(silenced, IsScales);
  for (Finding& finding : found) seen.ignores[at(finding)].DropPlaces(finding);
  put(std::move(found), [&](const Finding& finding, std::size_t position) -> std::vector<Finding>& {
    RunResult& result = results[position];
    if (IsScales(finding)) return result.good;
    return seen.selections[position]->Includes(*finding.rule) ? result.findings : result.unselected;
  });
  put(std::move(silenced),
      [&](const Finding&, std::size_t position) -> std::vector<Finding>& { return results[position].silenced; });
  put(std::move(withheld),
      [&](const Finding&, std::size_t position) -> std::vector<Finding>& { return results[position].withheld; });
}

}  // namespace

std::vector<RunResult> Run(const Facts& facts, std::span<const ir::ModuleId> modules, const Target& target,
                           const Selection& selection) {
  return Run(facts, modules, target, std::vector<const Selection*>(modules.size(), &selection), modules.size());
}

std::vector<RunResult> Run(const Facts& facts, std::span<const ir::ModuleId> modules, const Target& target,
                           std::span<const Selection* const> selections, std::size_t asked) {
  const ir::Program& program = facts.program();
  std::vector<RunResult> results(modules.size());
  if (modules.empty()) return results;

  Table table;
  table.selection = selections.front();
  for (const Rule* rule : AllRules()) {
    if (table.selection->Runs(*rule)) table.trials.emplace_back(*rule, facts, target);
  }
  Subscribe(table);

  Seen seen{selections, {}, {}};
  std::vector<Finding> found;
  for (std::size_t i = 0; i < modules.size(); ++i) {
    if (i == asked) {
      std::vector<Finding> outlines = Outlines(found);
      Settle(facts, std::exchange(found, std::move(outlines)), seen, 0, results);
    }
    seen.position[modules[i]] = i;
    std::vector<Finding> here = Look(facts, modules[i], table, results[i].notes);
    seen.ignores.emplace_back(program.modules[modules[i]]).MarkUsed(here);
    found.insert(found.end(), std::make_move_iterator(here.begin()), std::make_move_iterator(here.end()));
  }
  Settle(facts, std::move(found), seen, asked < modules.size() ? asked : 0, results);

  for (std::size_t i = 0; i < modules.size(); ++i) {
    RunResult& result = results[i];
    for (std::vector<Finding>* list :
         {&result.good, &result.findings, &result.unselected, &result.silenced, &result.withheld}) {
      list->shrink_to_fit();
    }
    seen.ignores[i].AddNotes(*selections[i], result.notes);
    AddUnreached(facts, result);
    std::stable_sort(result.notes.begin(), result.notes.end(),
                     [](const Note& a, const Note& b) { return a.span < b.span; });
  }
  return results;
}

}  // namespace cpnlint::rules
