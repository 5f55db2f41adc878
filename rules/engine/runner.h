#pragma once

// Runs the rules over modules of a program and hands over what a report shows: findings after root causes, ignores and
// merging.

#include <span>
#include <string>
#include <vector>

#include "rules/engine/rule.h"
#include "rules/engine/selection.h"

namespace cpnlint::rules {

struct Note {
  std::string kind;  // "compiled-region", "not-analysed", "unreached", "unused-ignore", "ignore-without-reason"
  Span span;
  std::string message;
  std::vector<std::string> codes = {};  // unused-ignore: those that silence nothing
};

struct RunResult {
  std::vector<Finding> findings;  // by position, then rule; every confidence level
  // Found, but not shown; the verdict counts them: hidden by the selection; ignored by a comment; of previews that were
  // not asked for, what raises.
  std::vector<Finding> unselected, silenced, withheld;
  std::vector<Finding> good;  // of the family `scales`, whatever is selected unless it is ignored by name
  std::vector<Note> notes;
};

// One result per module, parallel to `modules`; so is `selections`, which differ in what they show and not in what
// runs. Causes are looked for in all of them together: a loop in one module explains what it costs in another. What is
// said of the first `asked` modules does not depend on the others.
[[nodiscard]] std::vector<RunResult> Run(const Facts& facts, std::span<const ir::ModuleId> modules,
                                         const Target& target, std::span<const Selection* const> selections,
                                         std::size_t asked);
[[nodiscard]] std::vector<RunResult> Run(const Facts& facts, std::span<const ir::ModuleId> modules,
                                         const Target& target, const Selection& selection);

// Gives what a rule reported its confidence (A.2) and its severity by heat (A.6). False where it is silent: a cold
// site of a rule that speaks about hot ones only, or a site that never runs.
[[nodiscard]] bool Weigh(const Facts& facts, Trial::Pending& pending);
[[nodiscard]] Text MessageOf(const Facts& facts, const Trial::Pending& pending);

// The op whose heat is that of the finding: its site, or something each trip of its loop runs. None() without either.
[[nodiscard]] ir::ValueId HeatSite(const Facts& facts, const Finding& finding);

// Whether the function or one around it is compiled by another tool (A.8).
[[nodiscard]] bool InCompiledRegion(const Facts& facts, ir::FunctionId function);

// Loops of the function in source order.
[[nodiscard]] std::vector<ir::LoopId> LoopsOf(const ir::Program& program, ir::FunctionId function);

}  // namespace cpnlint::rules
