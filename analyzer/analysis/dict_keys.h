#pragma once

// What containers hold: under which key of a dictionary, and among items of another kind.

#include <string>

#include "analyzer/analysis/engine.h"

namespace cpnlint::analysis {

// How a constant key is kept, a text or a number; None() for one that is not known.
[[nodiscard]] inline Symbol KeptKey(Interner& names, const Value& key) {
  if (!key.constant) return Symbol::None();
  if (key.kind == Kind::kStr) return key.name;
  // No text that a program writes begins like that.
  return key.kind == Kind::kInt ? names.Intern("\x01" + std::to_string(static_cast<std::int64_t>(key.number)))
                                : Symbol::None();
}

// Another item of a container: where some are arrays and others numbers, the one that is read may be either (A.3). 0 is
// what a sum starts with.
[[nodiscard]] inline Value JoinContained(ValueStore& store, const Value& items, const Value& one) {
  Value joined = JoinOptional(store, items, one);
  const auto is_other = [](const Value& value) {
    return IsNumber(value.kind) && !(value.constant && value.number == 0);
  };
  if (joined.kind == Kind::kArray && (is_other(items) || is_other(one))) joined.evidence |= kContradicted;
  return joined;
}

}  // namespace cpnlint::analysis
