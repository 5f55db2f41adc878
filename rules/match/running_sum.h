#pragma once

// Loops over an array that do nothing but add up, and note the sum of each pass.

#include <optional>

#include "rules/engine/rule.h"

namespace cpnlint::rules::match {

struct RunningSum {
  Text sums;            // "np.cumsum(gaps[:, 1] - gaps[:, 0], axis=0)": the sum after each pass
  bool before = false;  // the loop notes what there is before it adds
};

// `for g in gaps: edges.append(last); last += g[1] - g[0]`, from 0; nullopt for what does anything else.
[[nodiscard]] std::optional<RunningSum> RunningSumOf(const Facts& facts, ir::LoopId loop, ir::ValueId array,
                                                     Span words);

}  // namespace cpnlint::rules::match
