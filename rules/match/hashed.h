#pragma once

// What Python hashes: keys of dictionaries, items of sets, arguments of functions that keep their results. A single
// result of the device is an array of rank 0, which has no hash: hashing it raises TypeError.

#include <string>
#include <vector>

#include "rules/engine/rule.h"

namespace cpnlint::rules::match {

struct Hashed {
  ir::ValueId value = {};   // a single result, or an array of which each item is hashed
  Span words = {};          // where it is written
  bool each_item = false;   // `set(ids)`
  const char* gives = "";   // what NumPy gives in place of the exception
  ir::ValueId walked = {};  // the array of which it is an item, or computed from one; None() where it is none
  Span walked_words = {};   // where it is written, if a loop walks it
  ir::LoopId loop = {};     // that hands the item out; None() where no loop does
  ir::ValueId item = {};

  // Items of it may be text, which no array of the device holds.
  [[nodiscard]] bool MayBeText(const Facts& facts) const;
};

// What the op hashes and has no hash; nothing where there is no such value.
[[nodiscard]] std::vector<Hashed> HashedAt(const Facts& facts, ir::ValueId op);

// What findings about one value, or about one walk of an array, have in common.
[[nodiscard]] std::string KeyOfHash(const Facts& facts, const Hashed& hashed);

// How the code gets a value that has one: "walk `ids.tolist()`, ...", "write `set(ids.tolist())`".
[[nodiscard]] Text HelpForHash(const Facts& facts, ir::ValueId op, const Hashed& hashed);

// The loop hands it out of the array, which holds no text.
[[nodiscard]] bool IsItemOf(const Facts& facts, const Hashed& hashed, ir::LoopId loop, ir::ValueId array);

// The first op in the loop that hashes what the loop hands out of the array; None() where none does.
[[nodiscard]] ir::ValueId HashesItems(const Facts& facts, ir::LoopId loop, ir::ValueId array);

}  // namespace cpnlint::rules::match
