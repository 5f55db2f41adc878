#pragma once

// What findings cost on a machine: the time of a pass of the heaviest region they stand in, as it is and with the
// recipe followed (mend.h).

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "cost-model/mend.h"
#include "cost-model/model.h"
#include "cost-model/schedule.h"
#include "rules/engine/finding.h"

namespace cpnlint::cost {

struct PriceTerm {
  std::string name;     // "launches", "drain", "d2h", "h2d", "stream", "flop", "a2a"
  double seconds = 0;   // per pass
  std::string formula;  // "n launches of 230 us"
};

struct FindingCost {
  Range per_pass;                 // seconds of one pass of the region that mending saves
  std::string passes = "1";       // "nt", "1000"; "1" where nothing repeats it
  std::uint32_t region = 0;       // of Prediction::regions
  std::string per = "pass";       // what a pass is, where no loop of the finding's own message tells: "call of `f`"
  double share = 0;               // of the time of the program
  std::optional<Range> gain;      // seconds over all passes; nullopt where their number is not known
  std::vector<PriceTerm> terms;   // largest first
  Part bound_by = Part::kLaunch;  // what most of it is
  // The sizes that the region's passes and their time rest on; findings of one region have the same list.
  std::shared_ptr<const std::vector<std::string>> assumptions;
  std::string unpriced;  // why there is no price; then all else is empty
};

// One pass of a region: seconds that array operations take by themselves, and those of waits, transfers, single
// elements and plain Python. They overlap, so together they are more than the pass.
struct Sides {
  double device = 0, host = 0;
  bool known = true;   // no size and no number of passes in it is a default
  bool priced = true;  // all of it has a price
};
[[nodiscard]] Sides SidesOf(const Sizes& sizes, const analysis::Work& work, const Region& region,
                            const Profile& profile, const Layout& layout);

// What the largest term is a part of.
[[nodiscard]] Part PartOf(const std::vector<PriceTerm>& terms);

// Of a finding that has a price, and it is nothing.
inline constexpr std::string_view kSavesNothing = "mending it alone saves no time in the model";

// Prices findings of one program one after the other.
class Pricer {
 public:
  // All outlive it; `work` is changed in between and is what it was afterwards.
  Pricer(const Sizes& sizes, analysis::Work& work, const Prediction& prediction, const Profile& profile, Layout layout);

  [[nodiscard]] FindingCost Price(const rules::Finding& finding);
  // What following the finding's recipe does to the work.
  [[nodiscard]] Mend MendFor(const rules::Finding& finding) const;
  // Where a finding stands; empty where the work has nothing of it.
  [[nodiscard]] Site SiteOf(const rules::Finding& finding) const;

 private:
  struct Sums {
    Parts parts{};
    double python = 0;  // seconds, of those on the host
    double launches = 0, waits = 0;
  };
  // A region before any mend: seconds of a pass, what they are made of, and what they rest on.
  struct AsIs {
    double seconds = 0;
    Sums sums;
    std::shared_ptr<const std::vector<std::string>> assumptions;
  };
  static constexpr std::uint32_t kNowhere = 0xffff'ffff;

  [[nodiscard]] std::size_t HeadOf(Span span) const;
  // The tasks of all ops at a span.
  void AddTasks(Span span, std::vector<std::uint32_t>& tasks) const;
  [[nodiscard]] bool HandsOutNumbers(const rules::Finding& finding) const;
  void AddItems(ir::LoopId loop, std::vector<std::uint32_t>& tasks) const;
  void AddParts(ir::ValueId expression, Site& site) const;
  void AddFeeders(Site& site) const;
  void AddConsumers(Site& site) const;
  void AddStorage(ir::ValueId array, Site& site) const;
  template <typename Visit>
  void EachTask(const Region& region, Visit visit) const;
  // `edited`: tasks that are not what they were, ascending.
  [[nodiscard]] Sums SumsOf(const Region& region, std::span<const std::uint32_t> edited);
  [[nodiscard]] std::vector<PriceTerm> TermsOf(const Sums& before, const Sums& after, double saved) const;
  void FindIn(const Region& region, std::uint32_t index);
  [[nodiscard]] std::optional<std::uint32_t> HeaviestRegion(const Site& site) const;
  [[nodiscard]] const AsIs& AsItIs(std::uint32_t region);

  const analysis::Facts& facts_;
  analysis::Work& work_;
  const Prediction& prediction_;
  const Profile& profile_;
  Layout layout_;
  const Sizes& sizes_;
  Samples<1> medians_;
  AmountsBook book_;                                     // of the work as it is
  std::unordered_map<std::uint32_t, TaskCost> cost_of_;  // by task as it is, where it was asked for
  // Tasks by the span of their op: chains through `next_`, which start where the span's hash says.
  std::vector<std::uint32_t> heads_, next_;
  std::optional<LoopsOfTasks> loops_of_;     // where a mend asked for it
  std::vector<std::uint32_t> regions_;       // by task: the heaviest that has it
  std::vector<std::uint32_t> loop_regions_;  // ... and by loop of the work
  std::vector<std::optional<AsIs>> as_is_;   // by region, where it was asked for
};

}  // namespace cpnlint::cost
