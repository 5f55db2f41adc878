#pragma once

// The output formats: each turns a document into bytes and knows nothing of where they go.

#include <string>
#include <string_view>
#include <vector>

#include "cli/report/document.h"
#include "cli/report/style.h"

namespace cpnlint::report {

[[nodiscard]] std::string WriteText(const Document& document, const Style& style);
[[nodiscard]] std::string WriteConcise(const Document& document, const Style& style);
// `report`: the JSON text of a further member of that name, or empty.
[[nodiscard]] std::string WriteJson(const Document& document, const std::string& report = {});
// The findings alone, one per line, each as in JSON.
[[nodiscard]] std::string WriteJsonLines(const Document& document, const Style& style);
[[nodiscard]] std::string WriteSarif(const Document& document);
[[nodiscard]] std::string WriteGithub(const Document& document, const Style& style);
[[nodiscard]] std::string WriteGitlab(const Document& document, const Style& style);
[[nodiscard]] std::string WriteJunit(const Document& document, const Style& style);
[[nodiscard]] std::string WriteRdjson(const Document& document, const Style& style);
[[nodiscard]] std::string WriteRdjsonLines(const Document& document, const Style& style);
[[nodiscard]] std::string WriteAzure(const Document& document, const Style& style);
[[nodiscard]] std::string WriteMarkdown(const Document& document, const Style& style);
[[nodiscard]] std::string WriteHtml(const Document& document, const Style& style);

struct Format {
  std::string_view name;
  bool for_people = false;  // may be coloured and laid out for a terminal
  std::string (*write)(const Document& document, const Style& style) = nullptr;
};

// All formats of `check`, in the order of the manual.
[[nodiscard]] const std::vector<Format>& Formats();
// Those of `report`.
[[nodiscard]] const std::vector<Format>& ReportFormats();
// Those of `predict`.
[[nodiscard]] const std::vector<Format>& PredictFormats();
// Null where there is none of that name.
[[nodiscard]] const Format* FindFormat(std::string_view name, const std::vector<Format>& among = Formats());

// What text and concise end with: notes worth reading, then one line of counts. `statistics`: a table of findings per
// rule before it.
void AppendEnd(std::string& out, const Document& document, const Style& style);
// What text ends with: the verdict in one sentence, and what to fix first.
void AppendVerdict(std::string& out, const Document& document, const Style& style);
// "the worst of 3 programs: a.py", and which of them do not speak for the run.
[[nodiscard]] std::string ProgramsText(const verdict::Verdict& verdict);
// "LIGHT REFACTOR if the 2 possible findings are real", and how to see them; empty where they would change nothing.
[[nodiscard]] std::string WiderText(const Document& document, const verdict::ProgramVerdict& program);
// "Not shown: 31 findings of the baseline old.json"
[[nodiscard]] std::string HiddenLine(const Hidden& hidden);
// `path:line:column`, `path:cell 3:line:column`, or the path alone.
[[nodiscard]] std::string PlaceText(const File& file, const std::optional<Point>& start);

}  // namespace cpnlint::report
