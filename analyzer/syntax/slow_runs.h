#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analyzer/base/span.h"

namespace cpnlint::syntax {

// Tree-sitter's scanner for Python looks ahead over all comment lines and all backslash line ends that follow each
// other, and does so again for each of them: ten thousand in a row take seconds. Long runs are replaced by blanks
// before parsing; what they say is kept here.
struct Smoothed {
  std::string text;            // as long as the original; empty when nothing had to be replaced
  std::vector<Span> runs;      // what was replaced
  std::vector<Span> comments;  // the comments in it
};

// Runs listed in `keep` (in source order) stay as they are.
Smoothed SmoothSlowRuns(std::string_view text, const std::vector<Span>& keep);

}  // namespace cpnlint::syntax
