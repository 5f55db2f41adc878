#pragma once

// Which values NumPy can only store as objects: an array of them has no counterpart on the device (rules.md A.3).

#include <functional>
#include <string_view>

#include "analyzer/analysis/value.h"
#include "analyzer/ir/program.h"

namespace cpnlint::analysis {

// What is known of an op, by the inference or by the facts.
using ValueOf = std::function<const Value&(ir::ValueId)>;

// A class of a library whose objects are no numbers and no sequences: "scipy.interpolate.interp1d".
[[nodiscard]] bool IsObjectClass(std::string_view dotted);
// An object of a class of the program that does not say how to make an array or a number of it, nor does one that
// derives from it, or of such a class of a library.
[[nodiscard]] bool IsPlainObject(const ir::Program& program, const ValueOf& value_of, const Value& value);
// ... or a list or tuple with such objects in it.
[[nodiscard]] bool HoldsPlainObjects(const ir::Program& program, const ValueStore& store, const ValueOf& value_of,
                                     const Value& value);

}  // namespace cpnlint::analysis
