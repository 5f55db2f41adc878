#pragma once

// What the analysis of one program found, as bytes for the cache and back.

#include <string>
#include <string_view>
#include <vector>

#include "cli/analyse.h"

namespace cpnlint::cli {

struct ProgramResult {
  std::vector<Lookup> lookups;    // what its import statements were found to mean
  std::vector<Outcome> outcomes;  // of its reported files; none with trouble
};

[[nodiscard]] std::string ToBytes(const std::vector<Lookup>& lookups, const std::vector<const Outcome*>& outcomes);
// False where the bytes are no such thing; `result` is then anything.
[[nodiscard]] bool FromBytes(std::string_view bytes, ProgramResult& result);

}  // namespace cpnlint::cli
