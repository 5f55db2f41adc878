#pragma once

// Tests that find a value to be of a type: `isinstance(x, T)`, `type(x) is T`, `np.isscalar(x)`, and functions of the
// program that answer by such a test: `def isint(x): return isinstance(x, (int, np.integer))`. Private to
// analyzer/analysis.

#include <optional>
#include <vector>

#include "analyzer/analysis/engine.h"
#include "analyzer/analysis/object_items.h"

namespace cpnlint::analysis {

// The value, and the types of which it is one where the test comes out true; ops of the function that names them.
struct TypeQuestion {
  ir::ValueId value;
  std::vector<ir::ValueId> types;
};

// What the op asks by itself; without types where it asks nothing of the kind.
[[nodiscard]] TypeQuestion TypeQuestionOf(const ir::Program& program, ir::ValueId test);
// What the answer of the function tells of its parameter where it is true.
[[nodiscard]] std::optional<std::pair<std::uint32_t, TypeQuestion>> AnswerOf(const ir::Program& program,
                                                                             ir::FunctionId function);

// What a value of one of the types is: a number, a text; kUnknown where it may be something else or nobody knows.
[[nodiscard]] Kind KindOfTypes(const ir::Program& program, const ValueStore& store, const ValueOf& value_of,
                               const std::vector<ir::ValueId>& types);

// No value of the types is an array: numbers, texts, lists, classes of other libraries.
[[nodiscard]] bool AreOfNoArray(const ir::Program& program, const ValueStore& store, const ValueOf& value_of,
                                const std::vector<ir::ValueId>& types);
// A class of a library that is no array library, other than those that only say what can be done with a value.
[[nodiscard]] bool IsClassOfOthers(const Interner& names, const Value& type);

// The value that the test finds to be no array; None() where it asks something else.
[[nodiscard]] ir::ValueId FoundNoArray(const Facts& facts, ir::ValueId test);
// The test finds a value to be something else that is an array of the device at this place: it never comes out so.
[[nodiscard]] bool FindsOtherInArray(const Facts& facts, ir::ValueId test);

}  // namespace cpnlint::analysis
