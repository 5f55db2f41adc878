#pragma once

#include <string_view>

namespace cpnlint::rules::match {

// Whether a name of numpy.random ("random.normal", "random.Generator.normal", "random.RandomState.normal", without
// "numpy.") draws numbers, unlike constructors, seeds and states.
[[nodiscard]] bool IsDraw(std::string_view base);

}  // namespace cpnlint::rules::match
