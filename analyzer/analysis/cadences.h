#pragma once

// Tests that a loop lets through on every k-th pass: `if it % every == 0:`.

#include "analyzer/analysis/facts.h"

namespace cpnlint::analysis {

// `it` and `every`, where the guard lets through the passes that `every` divides; None() for other tests.
struct RemainderTest {
  ir::ValueId count, every;
};
[[nodiscard]] RemainderTest RemainderAsked(const Facts& facts, const ir::Guard& guard);
// `every` alone.
[[nodiscard]] ir::ValueId EveryAsked(const Facts& facts, const ir::Guard& guard);
// How many passes lie between two of them, as far as that is sure.
[[nodiscard]] double PeriodOf(const Facts& facts, ir::ValueId every);

}  // namespace cpnlint::analysis
