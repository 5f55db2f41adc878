#pragma once

// What the formats for sites and servers share: the order of findings, how paths are named, the remarks of a finding.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/report/document.h"

namespace cpnlint::report {

struct Located {
  const File* file = nullptr;
  const Finding* finding = nullptr;
};

// All findings, gravest first: by severity; then those to fix first, in that order; then by the seconds that mending
// saves; then as they stand. Sites show the first few and drop the rest.
[[nodiscard]] std::vector<Located> ByImpact(const Document& document);

// "src/a.py" from the root of the repository, whatever the current folder; "../../other/a.py" for what lies outside of
// it. Any bytes.
[[nodiscard]] std::string PathInRepository(const Document& document, const std::string& path);

// " (cell 2, line 3)": a notebook's lines are those of the file, where sites put their remarks; people look for the
// cell.
[[nodiscard]] std::string InCell(const Point& start);

// "RR-loop  write `...`"; empty where there is nothing to advise.
[[nodiscard]] std::string HelpText(const Finding& finding);

// Name and text of what is said below a message: "why", "cost", "help"; those that there are.
[[nodiscard]] std::vector<std::pair<std::string_view, std::string>> Remarks(const Finding& finding,
                                                                            const Document& document);

// Printable (width.h) line by line: recipes have several.
[[nodiscard]] std::string PrintableLines(std::string_view text);

// A remark about another place, with the code of the finding that it was.
[[nodiscard]] std::string RelatedText(const Related& related);

// "Found 12 findings (3 errors, 7 warnings, 2 info) in 4 files; 9 files analysed"
[[nodiscard]] std::string CountsLine(const Document& document);

}  // namespace cpnlint::report
