#pragma once

// What the parts of the verdict share: one program with its findings and
// regions.

#include "rules/verdict/verdict.h"

namespace cpnlint::verdict {

struct Program {
  std::span<const Input> inputs;  // of the whole run
  std::vector<std::size_t> files;
  std::vector<IssueRef> issues;   // in the order of files and places
  std::vector<Region> regions;    // heaviest first
  std::vector<RegionTime> times;  // as predicted; empty where nothing is priced
  double hot = 0;                 // weight of all regions
  double cold = 0;                // of what runs once
  RegionPart total;               // sum of the regions; of all code where there is none with
                                  // array work
  PatternWeights in_loops = {};   // of `total.plain`, the part that stands in loops
  std::size_t open_operations = 0, bad_statements = 0;
  double open_weight = 0;
  bool has_array_work = false;
  bool has_hot_work = false;    // some region works on arrays
  bool has_hot_arrays = false;  // ... or takes their elements one by one
};

// Reachable and at least this certain: enters the verdict.
[[nodiscard]] inline bool Counts(const Issue& issue, rules::Confidence least) {
  return issue.reachable && issue.confidence >= least;
}

[[nodiscard]] bool IsApiGap(const Issue& issue);

inline constexpr double kMostOfTime = 0.5;  // of the predicted time
inline constexpr double kLessSure = 0.8;    // what a likely finding saves counts, of a certain one's

// Steps 3 to 8 of E.2, over findings of at least this confidence.
struct Decision {
  Tier tier = Tier::kReady;
  int step = 7;  // the one that decided
  bool demoted = false;
  Units units;
  std::size_t optional = 0;  // rewrites that are worth a remark and no unit
  std::vector<IssueRef> by;
  std::vector<IssueRef> blocking;  // the first finding of each blocking unit, heaviest first
};
// `fixes`: in their order what decides is told.
[[nodiscard]] Decision Decide(const Program& program, rules::Confidence least, std::span<const Fix> fixes);

[[nodiscard]] std::vector<PatternShare> SharesOf(const Program& program, const Settings& settings);
// The library does not run on the target's GPUs at all.
[[nodiscard]] bool IsUnsupported(const Settings& settings);
// Bytes alive at once on one GPU, in the file where they are most.
struct Peak {
  std::size_t file = 0;
  std::vector<double> bytes;  // by Settings::gpus
  std::vector<int> overfull;  // of those, the numbers of GPUs that do not hold it
  int holds = 0;              // the fewest GPUs that do, where some do not; 0: not even 1,024
};
// nullopt where no file's sizes are known.
[[nodiscard]] std::optional<Peak> PeakOf(const Program& program, const Settings& settings);
[[nodiscard]] Gate CapacityGate(const Program& program, const Settings& settings);
[[nodiscard]] Gate SizeGate(const Program& program, const Settings& settings);
[[nodiscard]] Gate ShapeGate(const Decision& decision, Tier with_possible);
[[nodiscard]] Gate PatternGate(const Program& program, const Settings& settings,
                               const std::vector<PatternShare>& shares);
[[nodiscard]] Gate BoundaryGate(const Program& program, const Settings& settings);
[[nodiscard]] Gate OperationalGate(const Program& program, const Settings& settings);
// nullopt where nothing fails and no loop repeats work on arrays of known size.
[[nodiscard]] std::optional<Composite> CompositeOf(const Program& program, const Settings& settings,
                                                   const std::vector<Gate>& gates, Tier tier,
                                                   const std::vector<PatternShare>& shares);
// Elements at most of the arrays that carry four fifths of the hot weight.
struct TypicalSize {
  std::optional<double> elements;  // nullopt: unknown for more than a fifth of the weight
  rules::Confidence confidence = rules::Confidence::kCertain;
  // Of arrays that hold the problems of a loop side by side; infinite where nobody knows how many problems there are.
  double batched = 0;
};
[[nodiscard]] TypicalSize TypicalSizeOf(const Program& program);

// What findings take together: what is alike in one function counts less from the second on.
[[nodiscard]] Hours HoursOf(const Program& program, std::span<const IssueRef> issues);
[[nodiscard]] Effort EffortOf(const Program& program, const Settings& settings);
[[nodiscard]] std::vector<Fix> FixFirst(const Program& program, std::size_t most);

}  // namespace cpnlint::verdict
