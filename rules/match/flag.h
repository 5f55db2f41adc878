#pragma once

#include <cstdint>

#include "analyzer/analysis/facts.h"

namespace cpnlint::rules::match {

enum class Flag : std::uint8_t { kNone, kOn, kUnknown };

// The op runs only where a setting says so (`if verbose:`, `if self.plot and it > 0:`): a test between the hot loop and
// the op asks for something that the loop does not change. Its value decides how often the op runs: by default it is
// on, or nobody knows.
[[nodiscard]] Flag FlagAround(const analysis::Facts& facts, ir::ValueId op);

// A test of a device value decides whether the op runs: the message of a case that may be rare. A test that ends the
// loop, and the op behind it runs on all passes but the last, is none.
[[nodiscard]] bool RunsUnderDeviceTest(const analysis::Facts& facts, ir::ValueId op);

// The op runs at certain times only: a test between the hot loop and the op compares with a value that the code behind
// the test sets anew (`if t >= t_next: ...; t_next += dt_out`).
[[nodiscard]] bool RunsAtMarks(const analysis::Facts& facts, ir::ValueId op);

}  // namespace cpnlint::rules::match
