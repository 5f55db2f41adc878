// What to fix first: what gains most for its effort, and nothing before what it presupposes (rules.md C.1, E.6).

#include <algorithm>
#include <limits>
#include <map>
#include <string_view>
#include <tuple>

#include "rules/verdict/judge.h"

namespace cpnlint::verdict {
namespace {

constexpr int kRaises = 2;          // the stage of what does not run: nothing behind it does before it is mended
constexpr double kUnpriced = 0.01;  // share of the time, of a fix that has no price

struct Candidate {
  IssueRef ref;
  const Issue* issue = nullptr;
  std::size_t place = 0;
  int stage = 0;
  double gain = 0;   // share of the program's time, times confidence
  double hours = 0;  // in the middle
  bool placed = false;
};

struct Candidates {
  std::vector<Candidate> all;
  std::vector<std::vector<std::size_t>> places;  // which of them stand in one: a region, or a function outside of all
};

// `later` assumes that `first` has been done.
bool Presupposes(const Candidate& later, const Candidate& first) {
  if (first.stage >= later.stage) return false;
  return first.stage <= kRaises || first.place == later.place;
}

// ... or would be done twice. What is in another function of the loop stays as it is when this one changes.
bool IsWrittenTwice(const Candidate& later, const Candidate& first) {
  if (first.stage <= kRaises) return true;
  return first.ref.file == later.ref.file && first.issue->function == later.issue->function;
}

// It raises behind the other in the same function, outside of its loops: the other runs in any case.
bool ComesLater(const Candidate& raising, const Candidate& other) {
  const Issue &a = *raising.issue, &b = *other.issue;
  return a.region == kNoRegion && raising.ref.file == other.ref.file && a.function == b.function && b.start < a.start;
}

// Of a fix alone, or with the best of what it makes possible: a small one in front of a large one comes early.
double Worth(const Candidate& candidate, const Candidates& candidates) {
  double worth = candidate.gain / candidate.hours;
  const auto see = [&](const Candidate& other) {
    if (other.placed || !Presupposes(other, candidate)) return;
    worth = std::max(worth, (candidate.gain + other.gain) / (candidate.hours + other.hours));
  };
  if (candidate.stage <= kRaises) {
    for (const Candidate& other : candidates.all) see(other);
  } else {
    for (const std::size_t other : candidates.places[candidate.place]) see(candidates.all[other]);
  }
  return worth;
}

// What each line that raises saves is the same, that the program runs at all, and nothing behind them does before all
// are mended. Where there are more than the list has room for, they are one entry of it.
std::vector<IssueRef> TakeAlong(const Candidate& best, std::vector<Candidate>& all) {
  std::vector<IssueRef> along;
  if (!IsLineThatRaises(*best.issue)) return along;
  for (Candidate& other : all) {
    if (other.placed || !IsLineThatRaises(*other.issue)) continue;
    other.placed = true;
    along.push_back(other.ref);
  }
  return along;
}

// Something that it presupposes is not done. `lowest`: the stage of what is done next.
bool Waits(const Candidate& candidate, const Candidates& candidates, int lowest, bool priced) {
  if (lowest < candidate.stage && (!priced || lowest <= kRaises)) return true;
  const std::vector<std::size_t>& here = candidates.places[candidate.place];
  return priced && std::any_of(here.begin(), here.end(), [&](std::size_t index) {
           const Candidate& other = candidates.all[index];
           return !other.placed && Presupposes(candidate, other) && IsWrittenTwice(candidate, other);
         });
}

// The share of the time that mending it saves. Where nobody knows it can be as much as its region takes, unless other
// fixes there have a price: then the time is known, and only what this one has to do with it is not.
double GainOf(const Program& program, const Issue& issue, bool beside_prices) {
  if (issue.saves) return *issue.saves;
  double gain = kUnpriced;
  if (issue.region == kNoRegion || (beside_prices && StageOf(issue.rule->code) > kRaises)) return gain;
  for (const Region& region : program.regions) {
    if (region.sum.region == issue.region) gain = std::max(gain, region.share);
  }
  return gain;
}

std::vector<RegionId> PricedRegions(const Program& program) {
  std::vector<RegionId> regions;
  for (const IssueRef ref : program.issues) {
    const Issue& issue = IssueOf(program.inputs, ref);
    if (issue.saves) regions.push_back(issue.region);
  }
  return regions;
}

Candidates CandidatesOf(const Program& program) {
  Candidates candidates;
  std::map<std::tuple<RegionId, std::size_t, std::string_view>, std::size_t> places;
  const std::vector<RegionId> priced = PricedRegions(program);
  for (const IssueRef ref : program.issues) {
    const Issue& issue = IssueOf(program.inputs, ref);
    if (!Counts(issue, rules::Confidence::kLikely) || issue.severity < rules::Severity::kWarning) continue;
    // Whoever wrote the comment has decided to leave it, and what is not shown yet is no advice.
    if (issue.hidden == Hidden::kSilenced || issue.hidden == Hidden::kWithheld) continue;
    const Hours hours = HoursOf(issue);
    if (hours.high <= 0) continue;
    const bool beside_prices = std::ranges::find(priced, issue.region) != priced.end();
    const double gain = GainOf(program, issue, beside_prices);
    const double confidence = issue.confidence == rules::Confidence::kCertain ? 1 : kLessSure;
    const bool outside = issue.region == kNoRegion;
    const auto [place, is_new] =
        places.try_emplace({issue.region, outside ? ref.file : 0, outside ? std::string_view(issue.function) : ""},
                           candidates.places.size());
    if (is_new) candidates.places.emplace_back();
    candidates.places[place->second].push_back(candidates.all.size());
    candidates.all.push_back({ref, &issue, place->second, StageOf(issue.rule->code), gain * confidence,
                              (hours.low + hours.high) / 2, false});
  }
  return candidates;
}

}  // namespace

std::vector<Fix> FixFirst(const Program& program, std::size_t most) {
  Candidates candidates = CandidatesOf(program);
  std::vector<Candidate>& all = candidates.all;
  // Without a single price the order of the recipes is all there is to go by.
  const bool priced = std::any_of(all.begin(), all.end(),
                                  [](const Candidate& candidate) { return candidate.issue->saves.has_value(); });
  const bool crowded = all.size() > most;
  std::vector<Fix> first;
  while (first.size() < std::min(most, all.size())) {
    int lowest = std::numeric_limits<int>::max();
    for (const Candidate& candidate : all) lowest = candidate.placed ? lowest : std::min(lowest, candidate.stage);
    Candidate* best = nullptr;
    double best_worth = 0;
    for (Candidate& candidate : all) {
      if (candidate.placed || Waits(candidate, candidates, lowest, priced)) continue;
      const double worth = priced ? Worth(candidate, candidates) : candidate.gain / candidate.hours;
      if (best != nullptr && worth <= best_worth) continue;
      best = &candidate;
      best_worth = worth;
    }
    if (best == nullptr) break;  // cannot be: the lowest stage waits for nothing
    best->placed = true;
    Fix fix{best->ref, {}, {}, HoursOf(*best->issue)};
    if (crowded) fix.along = TakeAlong(*best, all);
    if (!fix.along.empty()) {
      std::vector<IssueRef> together = fix.along;
      together.insert(together.begin(), fix.issue);
      fix.hours = HoursOf(program, together);
    }
    for (const Candidate& other : all) {
      if (!other.placed && Presupposes(other, *best) && !ComesLater(*best, other)) fix.unlocks.push_back(other.ref);
    }
    first.push_back(std::move(fix));
  }
  // What is most of the time is in the list, however much there is to do before.
  const auto dominates = [](const Candidate& one) {
    return !one.placed && one.issue->saves.value_or(0) >= kMostOfTime;
  };
  const auto left = std::ranges::find_if(all, dominates);
  if (left != all.end() && !first.empty()) first.back() = Fix{left->ref, {}, {}, HoursOf(*left->issue)};
  return first;
}

}  // namespace cpnlint::verdict
