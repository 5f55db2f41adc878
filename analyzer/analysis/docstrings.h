#pragma once

// What a docstring says of parameters and results (rules.md A.3, evidence 5). Private to analyzer/analysis.

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "analyzer/analysis/value.h"

namespace cpnlint::analysis {

[[nodiscard]] constexpr bool IsNameChar(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}
[[nodiscard]] std::string_view Trim(std::string_view text);

// Type names that a written annotation or a docstring uses for what we model.
[[nodiscard]] Value FromTypeName(std::string_view name, EvidenceSet evidence);

// What a docstring says of one parameter: its type, and the words after it.
struct Documented {
  std::string_view type;
  std::string_view words;
};
// In numpydoc ("name : type"), Google ("name (type): words") or Sphinx form (":type name: type", ":param type name:
// words"); empty where there is nothing.
[[nodiscard]] Documented DocumentedOf(std::string_view docstring, std::string_view name);
// The result in numpydoc, Google or Sphinx form; several results are a tuple. kUnknown where there is nothing.
[[nodiscard]] Value DocumentedResult(ValueStore& store, std::string_view docstring);
// A type in a docstring: "ndarray", "numpy array of shape (n, m)", "(N, M) array_like", "list of arrays", "int".
[[nodiscard]] Value FromDocumentedType(ValueStore& store, std::string_view type);
// A type that is neither an array by its words nor one we model: "Basis", "callable", "csr_array".
[[nodiscard]] bool PromisesOther(std::string_view type);
// The shape in "(N, 2) array", "array of shape (3,)", "ndarray, shape (n, m)"; nullopt where there is none, or several.
[[nodiscard]] std::optional<std::vector<std::optional<std::int64_t>>> StatedShape(const Documented& documented);
// "Returns the parameters [a, b, c, alpha, beta, gamma].": how many items the result has; nullopt where the first line
// does not name them.
[[nodiscard]] std::optional<std::int64_t> NamedItems(std::string_view docstring);
// How many entries each axis of a result has, where the docstring says so and they are as many along all of them:
// "Return basis vectors, ``shape=(3, 3)``.", or below "Returns". `alone`: the function has no parameters that the words
// could be about.
[[nodiscard]] std::optional<std::int64_t> StatedSide(std::string_view docstring, bool alone);
// "Number of image dimensions.": cuPyNumeric's arrays have six at most.
[[nodiscard]] bool CountsAxes(std::string_view words);

}  // namespace cpnlint::analysis
