#pragma once

#include "rules/engine/rule.h"

namespace cpnlint::rules::match {

// Where a site runs again and again, for rules about repeated work.
struct HotSite {
  ir::LoopId loop;           // the innermost hot loop; None() where the site is not hot or `driven`
  bool in_function = false;  // it stands around the site itself, not around a call of the site's function
  bool driven = false;       // no loop: another library calls the function again and again (A.5, callback)
  analysis::EvidenceSet evidence = 0;

  explicit operator bool() const { return loop.valid() || driven; }
};

// Hot by rules.md A.6 and not only every tenth pass or more seldom (a refactor site counts as cold there).
[[nodiscard]] HotSite HotSiteOf(const Facts& facts, ir::ValueId op);

// The counter of the loop around `site` picks out of Python objects (`lines[i].split()`, `grid.shape[i]`) and never out
// of arrays: an item loop (A.5), hot only where another hot loop stands around it or many trips are known.
[[nodiscard]] bool WalksItems(const Facts& facts, ir::ValueId site, ir::LoopId loop);

// Where a wait is repeated: hot, and not once per item of a list of files or settings.
[[nodiscard]] HotSite WaitSiteOf(const Facts& facts, ir::ValueId op);

// Argument {passes} of the message, the label at the loop's header, the evidence.
void TellPasses(const Facts& facts, ir::ValueId op, Span primary, Trial::Report& report);

}  // namespace cpnlint::rules::match
