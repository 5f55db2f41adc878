#pragma once

#include <optional>

#include "analyzer/analysis/engine.h"

namespace cpnlint::analysis {

// What a call of `from ._draw import line` gives where the program has no source of `_draw`: a compiled module, which
// works on the host: mostly an array there. nullopt for other calls, those of classes among them.
[[nodiscard]] std::optional<Value> CompiledResult(const Facts::Impl& impl, ir::ValueId call);

}  // namespace cpnlint::analysis
