#pragma once

// What a dictionary of settings is written with, and somebody may overwrite: `DEFAULTS = {"steps": 500}`, then
// `settings = {**DEFAULTS, **json.load(f)}`.

#include <cstdint>
#include <optional>

#include "analyzer/analysis/facts.h"

namespace cpnlint::analysis {

// The number that `settings["steps"]` or `settings.get("steps")` is where nobody asks for another: a positive one.
// nullopt where none is written out, and where the program itself puts there what it works out.
[[nodiscard]] std::optional<std::int64_t> WrittenDefault(const Facts& facts, ir::ValueId lookup);

}  // namespace cpnlint::analysis
