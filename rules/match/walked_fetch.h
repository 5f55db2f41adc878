#pragma once

// Numbers that a loop takes out of an array one after the other: one fetch of all of them does.

#include "rules/engine/rule.h"

namespace cpnlint::rules::match {

// "fetch all items at once: walk `zip(p.tolist(), names)`" for `float(c)` in `for c, name in zip(p, names)`; empty
// where the loop does more with the item than to make a number of the host of it, or changes the array.
[[nodiscard]] Text FetchWalked(const Facts& facts, const analysis::HostRead& read);

}  // namespace cpnlint::rules::match
