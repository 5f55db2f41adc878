#pragma once

// What one program costs on the target machine: its findings' prices and its prediction, with the mends of --what-if
// taken for done.

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "analyzer/analysis/work.h"
#include "cli/place.h"
#include "cli/report/document.h"
#include "cli/sources.h"
#include "cost-model/footprint.h"
#include "cost-model/price.h"
#include "rules/engine/runner.h"

namespace cpnlint::cli {

struct Options;

// `--what-if fix=R101@FILE:LINE`
struct WhatIf {
  std::string text;  // as given
  std::string rule;  // code or slug
  FilePlace place;
};
[[nodiscard]] Result<WhatIf> ParseWhatIf(const std::string& text);

struct CostSettings {
  cost::Profile profile;
  std::string argument;  // of --profile
  cost::Options options;
  std::vector<WhatIf> what_if;
};

// What the command line says of the machine. An error where its profile cannot be used.
[[nodiscard]] Result<CostSettings> CostSettingsOf(const Options& options);
// Gives rules the machine's numbers: rates, launches, from which size on arrays are divided.
void Aim(rules::Target& target, const cost::Profile& profile);

// What a program costs, in numbers and words that outlive the Pricing they come from.
struct Prices {
  // The most bytes alive on one processor in code of a module, where all sizes of it are known, and the op there.
  struct Peak {
    cost::Peaks peaks;
    ir::ValueId op;
  };
  // What --what-if found to mend, and what it found without a price.
  struct Followed {
    std::vector<std::string> mended;
    std::vector<std::string> troubles;
    std::vector<const rules::Finding*> findings;  // that are mended
  };
  // What mending a finding saves: a share of the program's time, and seconds where the number of passes is known.
  struct Saving {
    double share = 0;
    std::optional<double> seconds;
  };
  // Of all that the verdict counts, told or not, where it has a price.
  std::unordered_map<const rules::Finding*, Saving> savings;
  // By module that is judged:
  std::vector<std::vector<cost::FindingCost>> findings;  // of those that are sure enough, in their order
  std::vector<std::vector<verdict::RegionTime>> times;   // what its regions take, for the gates
  std::vector<std::optional<Peak>> peaks;
  // Of all of them:
  Followed what_if;
  std::vector<report::LoopWaits> waits;
  std::optional<report::Prediction> prediction;
};

class Pricing {
 public:
  // All outlive it.
  Pricing(const analysis::Facts& facts, const CostSettings& settings);
  ~Pricing();
  Pricing(const Pricing&) = delete;
  Pricing& operator=(const Pricing&) = delete;

  // For the rules about memory; their findings come first, so it does not know of --what-if.
  [[nodiscard]] const cost::MemoryPlan& memory() const { return memory_; }
  // All that the report says of costs, `results` being those of the modules in `judged`: findings less sure than
  // `least` are not told of and have no price but for the verdict, and regions are told of one by one for a prediction.
  [[nodiscard]] Prices Tell(std::span<const ir::ModuleId> judged, std::span<const rules::RunResult> results,
                            rules::Confidence least, const Sources& sources, bool predict);
  [[nodiscard]] report::Prediction Predicted(const Sources& sources);

 private:
  [[nodiscard]] std::vector<verdict::RegionTime> TimesIn(ir::ModuleId module);
  [[nodiscard]] Prices::Followed FollowWhatIf(std::span<const rules::RunResult> results, const Sources& sources);
  [[nodiscard]] std::vector<report::LoopWaits> Waits(const Sources& sources) const;
  [[nodiscard]] std::vector<std::string> AssumedPasses(std::vector<ir::LoopId> loops, const Sources& sources) const;
  // Made when first asked for: most programs have no finding to be priced.
  [[nodiscard]] const cost::Prediction& Prediction();
  [[nodiscard]] cost::Pricer& Pricer();

  // The first that was asked for and holds the program, for prices and the times of the gates.
  [[nodiscard]] const cost::Layout& Layout() const { return settings_.options.layouts[layout_]; }

  const analysis::Facts& facts_;
  const CostSettings& settings_;
  analysis::Work work_;
  std::optional<cost::Sizes> sizes_;  // of the work as it is
  cost::MemoryPlan memory_;
  std::vector<std::optional<Prices::Peak>> peaks_;  // by module
  std::size_t layout_ = 0;                          // of those that were asked for
  std::optional<cost::Prediction> prediction_;
  std::optional<cost::Pricer> pricer_;
  std::vector<std::unique_ptr<cost::Mended>> mended_;  // undone in reverse, so each finds what it left
};

}  // namespace cpnlint::cli
