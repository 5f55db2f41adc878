#pragma once

// The parts of a finding's story that many rules tell: where an array comes from, how often a loop runs, in which loop
// a site waits. All words about the user's code are spans.

#include "rules/engine/rule.h"

namespace cpnlint::rules::match {

// A label at the place where the storage of `value` comes from ("array created here"); none where that is unknown, in
// another file, or inside of `primary`.
void TellOrigin(const Facts& facts, ir::ValueId value, Span primary, Trial::Report& report);

// "n", "1000": the loop's trip count; empty where unknown.
[[nodiscard]] Text Trips(const Facts& facts, ir::LoopId loop);

// "runs n times", "runs until its test fails", "trip count unknown".
[[nodiscard]] Text RunsText(const Facts& facts, ir::LoopId loop);

// The hot loop around the site: its header in backticks, "a loop in `f`" where it stands in another module, the name of
// the driver that calls a callback. Empty where the site is in no hot loop.
[[nodiscard]] Text HotLoopText(const Facts& facts, ir::ValueId site);
// For a message "... {passes}": "on every pass of `for it in range(n)`", or "every 5 passes of ..." behind
// `if it % 5 == 0:`.
[[nodiscard]] Text PassesText(const Facts& facts, ir::ValueId site);
// The op stands behind a cadence in the loop, be it one that lets through each pass by default: `if it % every == 0:`.
[[nodiscard]] bool IsSeldom(const Facts& facts, ir::ValueId op, ir::LoopId loop);

// A label at the header of the hot loop around the site, where it stands in the same file and outside of `primary`.
void TellHotLoop(const Facts& facts, ir::ValueId site, Span primary, Trial::Report& report);

// The source of an operand in backticks.
[[nodiscard]] Text Quoted(Span span);

// Where the operand `value` of `op` is written; the value's own span where it is not an operand.
[[nodiscard]] Span SpanOfOperand(const Facts& facts, ir::ValueId op, ir::ValueId value);

// The name a `for` loop binds, where its target is one plain name of integers; else empty, as for no loop and for `_`
// that nothing reads.
[[nodiscard]] Span CounterOf(const Facts& facts, ir::LoopId loop);

// ... where it counts the passes from 0, as an index of what each pass makes does: `for i in range(n)`.
[[nodiscard]] Span PassNumberOf(const Facts& facts, ir::LoopId loop);

// 100 of `if it % 100 == 0:` for what need not be done on each pass; fewer where the loop is known to make no more
// passes than that.
[[nodiscard]] int SeldomEnough(const Facts& facts, ir::LoopId loop);
// "`if it % 100 == 0:`"
[[nodiscard]] Text SeldomTest(const Facts& facts, ir::LoopId loop, Span counter);

}  // namespace cpnlint::rules::match
