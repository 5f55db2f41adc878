#pragma once

// One of several objects or classes of the program that have no base in common: a list of layers, a strategy that is
// chosen by name. Such a value is of kind kUnknown, and its elements are what it may be. What has a base in common is
// an object of that base; its elements are the classes that it may be of, where each of them was named.

#include <vector>

#include "analyzer/analysis/engine.h"

namespace cpnlint::analysis {

[[nodiscard]] inline bool IsEither(const Value& value) {
  return value.kind == Kind::kUnknown && value.elements.valid();
}

// What the value may be where it is read: tests for the class around the place leave some out.
[[nodiscard]] std::vector<Value> AlternativesAt(const Facts::Impl& impl, ir::BlockId here, ir::ValueId read,
                                                const Value& either);

// Its objects may have attributes that the program does not show: by a base that nobody sees, or by `__getattr__`.
[[nodiscard]] bool MayHaveOthers(const Facts::Impl& impl, ir::ClassId class_id);

// What one alternative gives beside what others give: a number of the one and an array of the other may be either.
[[nodiscard]] Value JoinEither(ValueStore& store, const Value& others, const Value& one);

}  // namespace cpnlint::analysis
