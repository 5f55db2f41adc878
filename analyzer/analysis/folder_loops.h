#pragma once

// Loops over folders.

#include "analyzer/analysis/facts.h"

namespace cpnlint::analysis {

// Each pass makes a folder of its own: `os.makedirs(f"plane{j}", exist_ok=True)`. Whatever is in them, a program makes
// a few.
[[nodiscard]] bool MakesFolders(const Facts& facts, ir::LoopId loop);

}  // namespace cpnlint::analysis
