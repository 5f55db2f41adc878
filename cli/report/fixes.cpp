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

// "R112 in lines 147 and 148, R106 in src/grid.py:76": as many places as a reader takes in.
std::string PlacesOf(const Document& document, verdict::IssueRef from, const std::vector<verdict::IssueRef>& refs) {
  constexpr std::size_t kMost = 6;
  struct Group {
    std::string code;
    bool here;
    std::vector<std::string> places;
  };
  std::vector<Group> groups;
  std::size_t told = 0, left = 0;
  for (const verdict::IssueRef ref : refs) {
    const verdict::Issue& issue = IssueOf(document, ref);
    // Of the fix's own file a line is enough.
    const bool here = ref.file == from.file && issue.start.cell == 0;
    std::string place =
        here ? std::to_string(issue.start.line) : verdict::PlaceText(document.files[ref.file].path, issue.start);
    auto group = std::ranges::find_if(
        groups, [&](const Group& one) { return one.code == rules::CodeText(*issue.rule) && one.here == here; });
    if (group != groups.end() && std::ranges::find(group->places, place) != group->places.end()) continue;
    if (told == kMost) {
      ++left;
      continue;
    }
    ++told;
    if (group == groups.end()) {
      groups.push_back({rules::CodeText(*issue.rule), here, {}});
      group = std::prev(groups.end());
    }
    group->places.push_back(std::move(place));
  }
  std::string text;
  for (const Group& group : groups) {
    text += (text.empty() ? "" : ", ") + group.code;
    text += !group.here ? " at " : group.places.size() > 1 ? " in lines " : " in line ";
    for (std::size_t i = 0; i < group.places.size(); ++i) text += (i == 0 ? "" : ", ") + group.places[i];
  }
  if (left > 0) text += fmt::format(" and {} more", left);
  return text;
}

}  // namespace

std::string HoursText(verdict::Hours hours) {
  const bool in_days = hours.high >= 2 * kDay;
  return Time(hours.low, in_days) + " to " + Time(hours.high, in_days);
}

std::string FixText(const Document& document, const verdict::Fix& fix) {
  const verdict::Issue& issue = IssueOf(document, fix.issue);
  const std::string work = HoursText(fix.hours) + " of work";
  std::string text;
  if (!fix.along.empty()) {
    text = fmt::format("and {} more place{} raise{}: {}; {}", fix.along.size(), fix.along.size() == 1 ? "" : "s",
                       fix.along.size() == 1 ? "s" : "", PlacesOf(document, fix.issue, fix.along), work);
  } else if (issue.saves && *issue.saves > 0) {
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
