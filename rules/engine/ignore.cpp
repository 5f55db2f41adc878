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

bool Hits(const ir::Pragma& pragma, const Finding& finding) {
  if (!Names(pragma, *finding.rule)) return false;
  if (pragma.kind == ir::Pragma::Kind::kIgnoreFile) return true;
  return pragma.target.begin <= finding.span.begin && finding.span.begin < pragma.target.end;
}

std::string Codes(const ir::Pragma& pragma) {
  std::string text;
  for (const std::string& code : pragma.codes) text += (text.empty() ? "" : ", ") + code;
  return text;
}

}  // namespace

IgnoreMarks::IgnoreMarks(const ir::Module& module) {
  for (const ir::Pragma& pragma : module.pragmas) {
    if (pragma.kind == ir::Pragma::Kind::kIgnore || pragma.kind == ir::Pragma::Kind::kIgnoreFile) {
      marks_.push_back({&pragma, false});
    }
  }
}

void IgnoreMarks::MarkUsed(const std::vector<Finding>& found) {
  for (Mark& mark : marks_) {
    mark.used = std::any_of(found.begin(), found.end(), [&](const Finding& f) { return Hits(*mark.pragma, f); });
  }
}

bool IgnoreMarks::Ignores(const Finding& finding) const {
  return std::any_of(marks_.begin(), marks_.end(), [&](const Mark& mark) { return Hits(*mark.pragma, finding); });
}

void IgnoreMarks::AddNotes(std::vector<Note>& notes) const {
  for (const Mark& mark : marks_) {
    if (mark.pragma->noqa) continue;
    if (!mark.used) {
      notes.push_back({"unused-ignore", mark.pragma->span, "nothing to ignore here for " + Codes(*mark.pragma)});
    }
    if (mark.pragma->text.empty()) {
      notes.push_back({"ignore-without-reason", mark.pragma->span,
                       "ignores " + Codes(*mark.pragma) + " without saying why; write the reason behind the bracket"});
    }
  }
}

}  // namespace cpnlint::rules
