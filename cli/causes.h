#pragma once

// What brings a finding about besides the line it stands on: the loops that make it hot and the calls that lead there.

#include <string_view>
#include <vector>

#include "analyzer/analysis/facts.h"
#include "rules/engine/finding.h"

namespace cpnlint::cli {

struct Cause {
  Span span;
  std::string_view what;
};

// From outside in: the outermost hot loop or the driver around the finding, a chain of calls from there to its
// function, the innermost hot loop; then the calls that make a parameter an array, where nothing else says that it is
// one.
[[nodiscard]] std::vector<Cause> CausesOf(const rules::Finding& finding, const analysis::Facts& facts);

// The statement that the finding stands in; the whole loop where it is about that.
[[nodiscard]] Span ExtentOf(const rules::Finding& finding, const analysis::Facts& facts);

}  // namespace cpnlint::cli
