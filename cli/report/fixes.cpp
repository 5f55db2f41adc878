#include "cli/report/fixes.h"

#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include "analyzer/base/quantity.h"

namespace cpnlint::report {
namespace {

const verdict::Issue& IssueOf(const Document& document, verdict::IssueRef ref) {
  return document.files[ref.file].evidence.issues[ref.issue];
}

constexpr double kDay = 8;

// "20 min", "3 h", "2 d": working time, with what a reader can plan with. A day is one where the range goes to days.
std::string Time(double hours, bool in_days) {
  if (in_days && hours >= kDay) return fmt::format("{:.0f} d", hours / kDay);
  if (hours < 1) return fmt::format("{:.0f} min", hours * 60);
  return fmt::format("{:.0f} h", hours);
}

// "R201, R209": each rule once, as many as a reader takes in.
std::string CodesOf(const Document& document, const std::vector<verdict::IssueRef>& refs) {
  constexpr std::size_t kMost = 4;
  std::vector<std::string> codes;
  for (const verdict::IssueRef ref : refs) {
    std::string code = rules::CodeText(*IssueOf(document, ref).rule);
    if (std::find(codes.begin(), codes.end(), code) == codes.end()) codes.push_back(std::move(code));
  }
  std::string text;
  for (std::size_t i = 0; i < codes.size() && i < kMost; ++i) text += (i == 0 ? "" : ", ") + codes[i];
  if (codes.size() > kMost) text += fmt::format(" and {} more", codes.size() - kMost);
  return text;
}

}  // namespace

std::string HoursText(verdict::Hours hours) {
  const bool in_days = hours.high >= 2 * kDay;
  return Time(hours.low, in_days) + " to " + Time(hours.high, in_days);
}

std::string FixText(const Document& document, const verdict::Fix& fix) {
  const verdict::Issue& issue = IssueOf(document, fix.issue);
  const std::string work = HoursText(verdict::HoursOf(issue)) + " of work";
  std::string text;
  if (issue.saves && *issue.saves > 0) {
    text = "saves " + verdict::Percent(*issue.saves) + " of the time";
    if (issue.seconds) text += " (" + SecondsText(*issue.seconds) + ")";
    text += " for " + work;
  } else {
    text = work;
  }
  if (!fix.unlocks.empty()) text += "; makes way for " + CodesOf(document, fix.unlocks);
  return text;
}

}  // namespace cpnlint::report
