#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cli/report/document.h"
#include "cli/report/style.h"

namespace cpnlint::report {

// A span of the source to be underlined, with the remark that stands beside it (may be empty).
struct Mark {
  Place place;
  std::string label;
  bool primary = false;
};

// The lines around a finding that its frame may show: what File::text has to hold.
[[nodiscard]] std::vector<std::uint32_t> LinesOfFrame(const Finding& finding);

// Remarks beyond this many are counted, not shown.
inline constexpr std::size_t kMostRemarks = 8;

// Digits of the largest line number that AppendFrame shows for these marks.
[[nodiscard]] std::size_t GutterWidth(const File& file, const std::vector<Mark>& marks);

// The source lines of the marks in order, with the marks below them; gaps are `...`:
//
//    |
// 38 |     q = np.zeros(n)
//    |     - array created here
// ...
// 41 |     for j in range(n):
//    |     ^^^^^^^^^^^^^^^^^^ runs n times
//    |
//
// Where marks stand in several cells of a notebook, `::: cell 3` goes before each cell's lines.
//
// A primary mark over several lines is drawn as a bracket on their left; others are underlined on their first line.
// Lines wider than the terminal (140 columns where there is none) are cut around the marks.
void AppendFrame(std::string& out, const File& file, std::vector<Mark> marks, Paint primary, const Style& style);

}  // namespace cpnlint::report
