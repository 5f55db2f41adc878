#include "cli/report/ci.h"

#include <algorithm>
#include <filesystem>
#include <map>

#include "cli/report/prediction.h"
#include "cli/report/width.h"

namespace cpnlint::report {
namespace {

constexpr std::size_t kMostPlaces = 12;

// Seconds of a whole run where the number of passes is known, else of one pass.
double Saved(const Finding& finding) {
  if (!finding.cost) return 0;
  const double seconds = finding.cost->gain ? finding.cost->gain->mid : finding.cost->per_pass.mid;
  return seconds > 0 ? seconds : 0;
}

}  // namespace

std::string Plural(std::size_t count, std::string_view noun) {
  return std::to_string(count) + ' ' + std::string(noun) + (count == 1 ? "" : "s");
}

std::vector<Located> ByImpact(const Document& document) {
  std::vector<Located> all;
  for (const File& file : document.files) {
    for (const Finding& finding : file.findings) all.push_back({&file, &finding});
  }
  std::map<const Finding*, std::size_t> first;  // and which number it has in the plan
  if (document.verdict) {
    const std::vector<std::size_t> before = FindingsBefore(document);
    for (const verdict::Fix& fix : document.verdict->programs[document.verdict->fixed].fix_first) {
      const auto add = [&](verdict::IssueRef ref) {
        const auto index = FindingIndex(document, before, ref);
        if (index && *index < all.size()) first.emplace(all[*index].finding, first.size());
      };
      add(fix.issue);
      std::ranges::for_each(fix.along, add);
    }
  }
  const auto number = [&](const Located& located) {
    const auto found = first.find(located.finding);
    return found == first.end() ? first.size() : found->second;
  };
  std::stable_sort(all.begin(), all.end(), [&](const Located& a, const Located& b) {
    if (a.finding->severity != b.finding->severity) return a.finding->severity > b.finding->severity;
    if (number(a) != number(b)) return number(a) < number(b);
    return Saved(*a.finding) > Saved(*b.finding);
  });
  return all;
}

std::string PathInRepository(const Document& document, const std::string& path) {
  const std::filesystem::path absolute = (std::filesystem::path(document.folder) / path).lexically_normal();
  const std::string relative = absolute.lexically_relative(document.repository).generic_string();
  return relative.empty() ? path : relative;
}

std::string InCell(const Point& start) {
  if (start.cell == 0) return "";
  return " (cell " + std::to_string(start.cell) + ", line " + std::to_string(start.cell_line) + ")";
}

std::string LinesText(const std::vector<Place>& places) {
  std::vector<Point> lines;
  for (const Place& place : places) {
    if (lines.empty() || lines.back().line != place.start.line) lines.push_back(place.start);
  }
  std::string text;
  for (std::size_t i = 0; i < lines.size() && i < kMostPlaces; ++i) {
    if (i == 0 || lines[i].cell != lines[i - 1].cell) {
      const bool several = i + 1 < lines.size() && i + 1 < kMostPlaces && lines[i + 1].cell == lines[i].cell;
      text += i == 0 ? "" : "; ";
      if (lines[i].cell != 0) text += "cell " + std::to_string(lines[i].cell) + ' ';
      text += several ? "lines " : "line ";
    } else {
      text += ", ";
    }
    text += std::to_string(ShownLine(lines[i]));
  }
  if (lines.size() > kMostPlaces) text += " and " + std::to_string(lines.size() - kMostPlaces) + " more";
  return text;
}

std::string AlsoText(const Finding& finding) {
  return finding.also.empty() ? "" : " (also " + LinesText(finding.also) + ")";
}

std::string HelpText(const Finding& finding) {
  std::string help = finding.help.starts_with("RR-") ? "" : finding.rule->recipe;
  if (!finding.help.empty()) help += (help.empty() ? "" : "  ") + finding.help;
  return help;
}

std::vector<std::pair<std::string_view, std::string>> Remarks(const Finding& finding, const Document& document) {
  std::vector<std::pair<std::string_view, std::string>> remarks = {{"also", LinesText(finding.also)},
                                                                   {"why", finding.why},
                                                                   {"cost", CostLine(finding, document)},
                                                                   {"help", HelpText(finding)}};
  std::erase_if(remarks, [](const auto& remark) { return remark.second.empty(); });
  return remarks;
}

std::string ShortCost(const Finding& finding, const Document& document) {
  std::string cost = CostLine(finding, document);
  if (const std::size_t colon = cost.find(": "); colon != std::string::npos) cost.resize(colon);
  return cost;
}

std::string ShortHelp(const Finding& finding) {
  std::string help = HelpText(finding);
  const std::size_t line = help.find('\n');
  if (line != std::string::npos) help.resize(line);
  if (help.ends_with(':')) help.pop_back();  // what followed is code
  const std::size_t recipe = help.find("  ");
  if (help.starts_with("RR-") && recipe != std::string::npos) help.replace(recipe, 2, ": ");
  return help;
}

std::string ShortAdvice(const Finding& finding, const Document& document) {
  const std::string cost = ShortCost(finding, document), help = ShortHelp(finding);
  return cost + (cost.empty() || help.empty() ? "" : "; ") + help;
}

Place FirstLine() {
  Point start;
  start.raw_line = start.raw_column = start.raw_byte = 1;
  return {start, start};
}

std::string PrintableLines(std::string_view text) {
  std::string out;
  while (true) {
    const std::size_t end = text.find('\n');
    out += Printable(text.substr(0, end));
    if (end == std::string_view::npos) return out;
    out += '\n';
    text.remove_prefix(end + 1);
  }
}

std::string RelatedText(const Related& related) {
  for (const rules::Rule* rule : rules::AllRules()) {
    if (rule->code == related.rule) return rules::CodeText(*rule) + ' ' + related.message;
  }
  return related.message;
}

std::vector<const Budget*> ExceededBudgets(const Document& document) {
  std::vector<const Budget*> exceeded;
  for (const Budget& budget : document.budgets) {
    if (budget.exceeded) exceeded.push_back(&budget);
  }
  return exceeded;
}

std::string BudgetText(const Budget& budget) { return budget.name + ": " + budget.message; }

const File* FileOfRun(const Document& document) {
  const std::string root = document.verdict ? document.verdict->programs[document.verdict->worst].root : "";
  const File* first = nullptr;
  for (const File& file : document.files) {
    if (file.state != File::State::kAnalysed) continue;
    if (ToUtf8(file.path) == root) return &file;
    if (first == nullptr) first = &file;
  }
  return first;
}

std::string CountsLine(const Document& document) {
  const Counts counts = Count(document);
  std::string line;
  if (counts.findings == 0) {
    line = "No findings";
  } else {
    line = "Found " + Plural(counts.findings, "finding") + " (" + Plural(counts.errors, "error") + ", " +
           Plural(counts.warnings, "warning") + ", " + std::to_string(counts.infos) + " info) in " +
           Plural(counts.files_with_findings, "file");
  }
  line += "; " + Plural(counts.analysed, "file") + " analysed";
  const std::size_t plain = counts.skipped - counts.foreign;
  if (plain > 0) line += ", " + std::to_string(plain) + " without arrays skipped";
  if (counts.foreign > 0) line += ", " + std::to_string(counts.foreign) + " not in Python skipped";
  if (counts.failed > 0) line += ", " + std::to_string(counts.failed) + " could not be analysed";
  std::size_t compiled = 0;
  for (const File& file : document.files) {
    compiled += static_cast<std::size_t>(
        std::count_if(file.notes.begin(), file.notes.end(), [](const Note& n) { return n.kind == "compiled-region"; }));
  }
  if (compiled > 0) line += "; " + Plural(compiled, "function") + " compiled by other tools left out";
  return line;
}

}  // namespace cpnlint::report
