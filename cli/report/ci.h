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

// "lines 4, 7, 9", "cell 3 line 2; cell 5 lines 1, 4": as people count them.
[[nodiscard]] std::string LinesText(const std::vector<Place>& places);
// " (also lines 7, 9)": the further places of a merged finding, where its message is all that is shown; or nothing.
[[nodiscard]] std::string AlsoText(const Finding& finding);

// Name and text of what is said below a message: "also", "why", "cost", "help"; those that there are.
[[nodiscard]] std::vector<std::pair<std::string_view, std::string>> Remarks(const Finding& finding,
                                                                            const Document& document);

// "5.1 s in all; RR-loop: work on whole arrays": cost and cure in a line, for readers of which a message is all that is
// shown.
[[nodiscard]] std::string ShortCost(const Finding& finding, const Document& document);
[[nodiscard]] std::string ShortHelp(const Finding& finding);
[[nodiscard]] std::string ShortAdvice(const Finding& finding, const Document& document);

// The start of a file, for what is about all of it.
[[nodiscard]] Place FirstLine();

// Printable (width.h) line by line: recipes have several.
[[nodiscard]] std::string PrintableLines(std::string_view text);

// A remark about another place, with the code of the finding that it was.
[[nodiscard]] std::string RelatedText(const Related& related);

// The limits that were exceeded: they fail a run like a finding, and belong to no line of a file.
[[nodiscard]] std::vector<const Budget*> ExceededBudgets(const Document& document);
// "max-blocks: 2 blocking units, 1 is allowed: ..."
[[nodiscard]] std::string BudgetText(const Budget& budget);
// The file that stands for the run where a format asks for one: the root of the worst program, or the first one that
// was analysed. Null where there is none.
[[nodiscard]] const File* FileOfRun(const Document& document);

// "1 file", "2 files"
[[nodiscard]] std::string Plural(std::size_t count, std::string_view noun);
// "Found 12 findings (3 errors, 7 warnings, 2 info) in 4 files; 9 files analysed"
[[nodiscard]] std::string CountsLine(const Document& document);

}  // namespace cpnlint::report
