#pragma once

// What a file of settings or data holds as Python reads it: `json.load(f)`, `yaml.safe_load(f)`, `tomllib.load(f)`.
// Numbers, texts, lists and dictionaries, and never an array. Nobody knows which of them an item is: it is unknown, and
// marked by the `name` that no other unknown value has.

#include "analyzer/analysis/impl.h"

namespace cpnlint::analysis {

// The call reads such a file; one with hooks makes objects of whatever kind.
[[nodiscard]] bool LoadsData(const Facts::Impl& impl, ir::ValueId call, std::string_view callee);

[[nodiscard]] inline bool IsLoaded(const Value& value) { return value.kind == Kind::kUnknown && value.name.valid(); }

// An item of `from`, or what is computed from it alone, of which nothing else is known.
[[nodiscard]] inline Value LoadedAs(const Value& from, Value value) {
  if (value.kind == Kind::kUnknown && IsLoaded(from)) value.name = from.name;
  return value;
}

// Beside an array: what multiplies an array and is no array is a number, or a list that is spread over it.
[[nodiscard]] inline Value AsOperand(const Value& value) {
  if (!IsLoaded(value)) return value;
  Value number = Of(Kind::kNumber);
  number.evidence = value.evidence;
  return number;
}

}  // namespace cpnlint::analysis
