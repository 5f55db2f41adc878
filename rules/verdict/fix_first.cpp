// What to fix first: what gains most for its effort, and nothing before what it presupposes (rules.md C.1, E.6).

#include <algorithm>

#include "rules/verdict/judge.h"

namespace cpnlint::verdict {
namespace {

constexpr int kRaises = 2;          // the stage of what does not run: nothing behind it does before it is mended
constexpr double kUnpriced = 0.01;  // share of the time, where a fix has no price and stands in no hot region

struct Candidate {
  IssueRef ref;
  const Issue* issue = nullptr;
  int stage = 0;
  double gain = 0;   // share of the program's time, times confidence
  double hours = 0;  // in the middle
  bool placed = false;
};

bool SamePlace(const Candidate& a, const Candidate& b) {
  if (a.issue->region != kNoRegion || b.issue->region != kNoRegion) return a.issue->region == b.issue->region;
  return a.ref.file == b.ref.file && a.issue->function == b.issue->function;
}

// `later` assumes that `first` has been done.
bool Presupposes(const Candidate& later, const Candidate& first) {
  if (first.stage >= later.stage) return false;
  return first.stage <= kRaises || SamePlace(first, later);
}

// Of a fix alone, or with the best of what it makes possible: a small one in front of a large one comes early.
double Worth(const Candidate& candidate, const std::vector<Candidate>& all) {
  double worth = candidate.gain / candidate.hours;
  for (const Candidate& other : all) {
    if (other.placed || !Presupposes(other, candidate)) continue;
    worth = std::max(worth, (candidate.gain + other.gain) / (candidate.hours + other.hours));
  }
  return worth;
}

std::vector<Candidate> CandidatesOf(const Program& program) {
  std::vector<Candidate> candidates;
  for (const IssueRef ref : program.issues) {
    const Issue& issue = IssueOf(program.inputs, ref);
    if (!Counts(issue, rules::Confidence::kLikely) || issue.severity < rules::Severity::kWarning) continue;
    const Hours hours = HoursOf(issue);
    if (hours.high <= 0) continue;
    double gain = kUnpriced;
    if (issue.saves) {
      gain = *issue.saves;
    } else {
      for (const Region& region : program.regions) {
        if (issue.region != kNoRegion && region.sum.region == issue.region) gain = std::max(gain, region.share);
      }
    }
    const double confidence = issue.confidence == rules::Confidence::kCertain ? 1 : 0.8;
    candidates.push_back(
        {ref, &issue, StageOf(issue.rule->code), gain * confidence, (hours.low + hours.high) / 2, false});
  }
  return candidates;
}

}  // namespace

std::vector<Fix> FixFirst(const Program& program, std::size_t most) {
  std::vector<Candidate> candidates = CandidatesOf(program);
  // Without a single price the order of the recipes is all there is to go by.
  const bool priced = std::any_of(candidates.begin(), candidates.end(),
                                  [](const Candidate& candidate) { return candidate.issue->saves.has_value(); });
  std::vector<Fix> first;
  while (first.size() < std::min(most, candidates.size())) {
    Candidate* best = nullptr;
    double best_worth = 0;
    for (Candidate& candidate : candidates) {
      if (candidate.placed) continue;
      const bool waits = std::any_of(candidates.begin(), candidates.end(), [&](const Candidate& other) {
        return !other.placed && (priced ? Presupposes(candidate, other) : other.stage < candidate.stage);
      });
      if (waits) continue;
      const double worth = priced ? Worth(candidate, candidates) : candidate.gain / candidate.hours;
      if (best != nullptr && worth <= best_worth) continue;
      best = &candidate;
      best_worth = worth;
    }
    if (best == nullptr) break;  // cannot be: the lowest stage waits for nothing
    best->placed = true;
    Fix fix{best->ref, {}};
    for (const Candidate& other : candidates) {
      if (!other.placed && Presupposes(other, *best)) fix.unlocks.push_back(other.ref);
    }
    first.push_back(std::move(fix));
  }
  return first;
}

}  // namespace cpnlint::verdict
