#pragma once

// What a program keeps in an array that no device has: objects, texts, rows.

#include <cstdint>

#include "analyzer/analysis/facts.h"

namespace cpnlint::rules::match {

enum class StoredItems : std::uint8_t {
  kUnknown,
  kObjects,        // instances of classes, functions, dictionaries, what other libraries make
  kTexts,          // strings and bytes
  kRows,           // arrays, lists
  kNumbersOrNone,  // numbers with gaps
  kNone,           // gaps alone
};

// By what the array is made of (`content`, None() where there is nothing) and by what is stored in it.
[[nodiscard]] StoredItems StoredItemsOf(const analysis::Facts& facts, ir::ValueId array, ir::ValueId content);

}  // namespace cpnlint::rules::match
