#pragma once

#include <string>
#include <vector>

#include "analyzer/ir/program.h"

namespace cpnlint::ir {

// Checks the invariants that program.h and ops.def promise: indexes in range, blocks well formed and connected both
// ways, phis parallel to predecessors, every use dominated by its definition, loops, guards, cells and calls
// consistent, spans within the text. Returns what is broken, in words, at most a hundred; empty for a sound module.
// `text_size`: bytes of the module's source.
[[nodiscard]] std::vector<std::string> Verify(const Program& program, ModuleId module, std::size_t text_size);

}  // namespace cpnlint::ir
