#include "rules/engine/ignore.h"

#include <algorithm>
#include <string>

#include "rules/engine/runner.h"

namespace cpnlint::rules {
namespace {

bool Names(const ir::Pragma& pragma, const Rule& rule) {
  return std::any_of(pragma.codes.begin(), pragma.codes.end(),
                     [&](const std::string& code) { return SelectorMatches(code, rule); });
}

bool Reaches(const ir::Pragma& pragma, Span span) {
  if (pragma.kind == ir::Pragma::Kind::kIgnoreFile) return true;
  return pragma.target.begin <= span.begin && span.begin < pragma.target.end;
}

std::string Joined(const std::vector<std::string>& codes) {
  std::string text;
  for (const std::string& code : codes) text += (text.empty() ? "" : ", ") + code;
  return text;
}

bool WasChecked(const std::string& code, const Selection& selection) {
  const auto rules = AllRules();
  return SelectorIsKnown(code) && std::all_of(rules.begin(), rules.end(), [&](const Rule* rule) {
           return !selection.Withholds(*rule) || !SelectorMatches(code, *rule);
         });
}

}  // namespace

IgnoreMarks::IgnoreMarks(const ir::Module& module) {
  for (const ir::Pragma& pragma : module.pragmas) {
    if (pragma.kind == ir::Pragma::Kind::kIgnore || pragma.kind == ir::Pragma::Kind::kIgnoreFile) {
      marks_.push_back({&pragma, std::vector<bool>(pragma.codes.size())});
    }
  }
}

void IgnoreMarks::MarkUsed(const std::vector<Finding>& found) {
  for (Mark& mark : marks_) {
    for (const Finding& finding : found) {
      const bool reached =
          Reaches(*mark.pragma, finding.span) || std::any_of(finding.also.begin(), finding.also.end(),
                                                             [&](Span place) { return Reaches(*mark.pragma, place); });
      if (!reached) continue;
      for (std::size_t i = 0; i < mark.used.size(); ++i) {
        if (SelectorMatches(mark.pragma->codes[i], *finding.rule)) mark.used[i] = true;
      }
    }
  }
}

bool IgnoreMarks::IgnoresAt(const Rule& rule, Span span) const {
  return std::any_of(marks_.begin(), marks_.end(),
                     [&](const Mark& mark) { return Reaches(*mark.pragma, span) && Names(*mark.pragma, rule); });
}

bool IgnoreMarks::Ignores(const Finding& finding) const { return IgnoresAt(*finding.rule, finding.span); }

void IgnoreMarks::DropPlaces(Finding& finding) const {
  std::erase_if(finding.also, [&](Span place) { return IgnoresAt(*finding.rule, place); });
}

void IgnoreMarks::AddNotes(const Selection& selection, std::vector<Note>& notes) const {
  for (const Mark& mark : marks_) {
    if (mark.pragma->noqa) continue;
    std::vector<std::string> unused;
    for (std::size_t i = 0; i < mark.used.size(); ++i) {
      const std::string& code = mark.pragma->codes[i];
      if (!mark.used[i] && WasChecked(code, selection)) unused.push_back(code);
    }
    if (!unused.empty()) {
      notes.push_back({"unused-ignore", mark.pragma->span, "nothing to ignore here for " + Joined(unused), unused});
    }
    if (mark.pragma->text.empty()) {
      notes.push_back(
          {"ignore-without-reason", mark.pragma->span,
           "ignores " + Joined(mark.pragma->codes) + " without saying why; write the reason behind the bracket"});
    }
  }
}

}  // namespace cpnlint::rules
