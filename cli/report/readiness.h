#pragma once

// The readiness report: eight sections on one program (rules.md E.6), as data that each format lays out.

#include <string>
#include <utility>
#include <vector>

#include "cli/report/document.h"
#include "cli/report/style.h"

namespace cpnlint::report {

struct Entry {
  std::string path;  // empty: about no place in particular
  verdict::Spot spot;
  std::string rule;                  // code, or empty
  std::string text;                  // one line
  std::vector<std::string> details;  // further lines
  std::string doctor;                // what cuPyNumeric Doctor would say; empty where the question does not arise
};

struct Section {
  int number = 0;
  std::string title;
  std::vector<Entry> entries;
  std::string empty;                            // stands in place of entries where there are none
  std::vector<std::string> columns;             // of the table, where the section has one
  std::vector<std::vector<std::string>> table;  // after the entries
};

struct Readiness {
  std::vector<std::pair<std::string, std::string>> header;  // what it speaks about and what was taken for granted
  std::vector<Section> sections;                            // always eight; empty where no file uses arrays
  std::vector<Entry> lost;                                  // where there are no sections: what was not analysed
};

// Of the worst program of the run.
[[nodiscard]] Readiness MakeReadiness(const Document& document);

[[nodiscard]] std::string WriteReadinessText(const Document& document, const Style& style);
[[nodiscard]] std::string WriteReadinessMarkdown(const Document& document, const Style& style);
[[nodiscard]] std::string WriteReadinessJson(const Document& document, const Style& style);

// Its parts as the text of a JSON value, `null` where no file uses arrays: the member `report` of docs/json.md.
[[nodiscard]] std::string ReadinessJson(const Document& document);

// What Doctor would say of a finding.
[[nodiscard]] std::string DoctorText(const rules::Rule& rule, const std::string& check);

}  // namespace cpnlint::report
