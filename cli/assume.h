#pragma once

// The spelling of an assumption: `N=1e8`, `u=(16384,16384):float32`, `solver.py:step.u=...`.

#include <map>
#include <string>
#include <string_view>

#include "analyzer/base/result.h"

namespace cpnlint::cli {

// An error says what is wrong with it, or that it contradicts one of `known` (name -> value), to which it is added.
[[nodiscard]] Result<int> CheckAssumption(const std::string& text, std::map<std::string, std::string>& known);

// What is wrong with what stands behind the `=`; empty where nothing is.
[[nodiscard]] std::string SizeTrouble(std::string_view value);

}  // namespace cpnlint::cli
