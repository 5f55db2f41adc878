#pragma once

#include <string_view>

#include "rules/engine/rule.h"

namespace cpnlint::rules::match {

// Whether a name of numpy.random ("random.normal", "random.Generator.normal", "random.RandomState.normal", without
// "numpy.") draws numbers, unlike constructors, seeds and states.
[[nodiscard]] bool IsDraw(std::string_view base);

// A parameter of the distribution is an array, which no draw of cuPyNumeric takes.
[[nodiscard]] bool DrawsByArrays(const Facts& facts, ir::ValueId call);

// What draws the same there, from the generator of that name: `loc + 2 * rng.normal(0.0, 1.0, loc.shape)`; else a
// draw on the host.
[[nodiscard]] Text DrawWithArrays(const Facts& facts, ir::ValueId call, Span generator);

}  // namespace cpnlint::rules::match
