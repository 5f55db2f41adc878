#pragma once

#include <string_view>

#include "analyzer/analysis/impl.h"

namespace cpnlint::analysis {

// A function of a library that stands around what a loop walks, shows how far it is and hands on each item: `tqdm(x)`.
// It asks for the length and nothing else of what it walks.
[[nodiscard]] bool IsProgressBar(std::string_view dotted);
// `trange(n)`: one around `range`.
[[nodiscard]] bool CountsWithBar(std::string_view dotted);

// What a name with several origins is. `except ImportError: trange = range`, `def tqdm(x, **options): return x` stand
// in for a progress bar and do what it does; other origins are joined as ever.
[[nodiscard]] Value JoinOrigins(const Interner& names, ValueStore& store, const Value& a, const Value& b);

}  // namespace cpnlint::analysis
