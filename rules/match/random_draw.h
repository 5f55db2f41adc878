#pragma once

#include <string_view>

#include "rules/engine/rule.h"

namespace cpnlint::rules::match {

// Whether a name of numpy.random ("random.normal", "random.Generator.normal", "random.RandomState.normal", without
// "numpy.") draws numbers, unlike constructors, seeds and states.
[[nodiscard]] bool IsDraw(std::string_view base);

// The call that made the generator which is drawn from: of the function itself, or of the only place of the program
// that keeps one in the attribute of that name, in the class of the object or its kin. None() where that is not known.
[[nodiscard]] ir::ValueId GeneratorOf(const Facts& facts, ir::ValueId draw);

// The call draws one number: it asks for no size, and no parameter is an array.
[[nodiscard]] bool DrawsOne(const Facts& facts, ir::ValueId call);

// The array that the draw is put into, `u` of `rng.random(out=u)`; empty where it makes one.
[[nodiscard]] Span FilledBy(const Facts& facts, ir::ValueId call);

// The same draw by host NumPy: "draw on the host: `np.asarray(host_rng.normal(0.0, 1.0, n))`, with ...", of a function
// of the module `np.asarray(onp.random.rand(n))`, of one number or bytes as it is. Where it fills an array, in words:
// the call as it stands would fill a copy.
[[nodiscard]] Text DrawOnHost(const Facts& facts, ir::ValueId call);
// "drawn on the host: `host_rng.random()`, with ..." for a number that is computed from single draws alone
// (one_fetch.h), none of which has an argument on the device; empty for others.
[[nodiscard]] Text DrawnOnHost(const Facts& facts, ir::ValueId number);

// A parameter of the distribution is an array, which no draw of cuPyNumeric takes.
[[nodiscard]] bool DrawsByArrays(const Facts& facts, ir::ValueId call);

// What draws the same there, from the generator of that name: `loc + 2 * rng.normal(0.0, 1.0, loc.shape)`; else a
// draw on the host.
[[nodiscard]] Text DrawWithArrays(const Facts& facts, ir::ValueId call, Span generator);

}  // namespace cpnlint::rules::match
