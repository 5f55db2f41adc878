#pragma once

// From symbolic work and a machine profile to seconds and bytes (docs/cost-model.md derives each formula). Every time
// is a range: P10, median and P90 over a fixed set of samples of what the profile is not sure of.

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "analyzer/analysis/work.h"
#include "cost-model/profile.h"

namespace cpnlint::cost {

// What the model itself is off by, as a factor to either side that holds eight of ten measured rows of the scorecard's
// programs that constants may be fitted to (every other one; the rest judges, docs/scorecard.md).
inline constexpr double kModelError = 1.8;
// Half a band as a factor, given that of the parameters' scatter: both errors are independent, so their logarithms add
// as squares.
[[nodiscard]] double BandFactor(double scatter);

struct Range {
  double low = 0, mid = 0, high = 0;
};

// What time goes into, and what bounds a region.
enum class Part : std::uint8_t { kLaunch, kMemory, kCompute, kCommunication, kWait, kHost };
inline constexpr std::size_t kParts = 6;
[[nodiscard]] std::string_view Name(Part part);  // "launch", "memory", "compute", "communication", "wait", "host"
using Parts = std::array<double, kParts>;        // seconds

struct Layout {
  int processors = 1;  // GPUs (or cores of a CPU profile) in all
  int nodes = 1;
};

// 1, 2, 4, ... 1,024 processors on as few nodes as have them.
[[nodiscard]] std::vector<Layout> CurveOf(const Profile& profile);

struct Options {
  std::vector<Layout> layouts;  // what is asked for (`--gpus`, `--nodes`); the curve goes to 1,024 besides
  double pool = 0;              // bytes of processor memory per processor (`--fbmem`); 0: 95 % of what the profile has
  double host_pool = 0;         // bytes of host memory per process (`--sysmem`); 0: 80 % of the host's
  int samples = 128;            // of what the profile is not sure of; 0: medians only
  int curves = 1;               // of the heaviest regions, those told up to 1,024 processors; 0: none
};

// Numbers for symbolic extents. What the program, a pragma or `--assume` fixes is known; the rest gets the default of
// rules.md E.1 (4e7 elements in the widest array that it is an extent of), and is listed. Remembers what it evaluated:
// one thread only.
class Sizes {
 public:
  // The arrays of `work` say which symbols are extents, and how large they may be.
  Sizes(const analysis::Facts& facts, const analysis::Work& work);
  // The number, or the default where it is not known: an extent's for a symbol, a whole array's for None().
  [[nodiscard]] double Of(ir::DimId dim) const;
  [[nodiscard]] bool IsKnown(ir::DimId dim) const;
  // Passes of a loop: known, an array's extent, or assumed.
  [[nodiscard]] double TripsOf(const analysis::WorkLoop& loop) const;
  // Its passes are what loops of its kind are assumed to make.
  [[nodiscard]] bool IsAssumed(const analysis::WorkLoop& loop) const;
  // Extents of a shape, the default for unknown ones; empty for an unknown rank.
  [[nodiscard]] std::vector<double> Extents(analysis::ShapeId shape) const;
  [[nodiscard]] double ElementsOf(analysis::ShapeId shape) const;  // of a known rank; 0 where it is empty
  [[nodiscard]] bool IsKnown(analysis::ShapeId shape) const;
  // The sizes in numbers that have a name which `--assume` understands, in the order of names.
  [[nodiscard]] std::vector<std::string> NamesIn(std::span<const ir::DimId> dims) const;
  // The number is the program's own: the default of an option or a parameter, the most that a call hands over. Others
  // are ours.
  [[nodiscard]] bool IsOwnDefault(Symbol symbol, std::uint32_t instance) const;
  [[nodiscard]] bool IsOwnDefault(ir::DimId dim) const;  // of all symbols in it
  // "n = 4096 (the program's default)", "m = 6325 (default)" of ours; in the order of names: all of the program, or
  // those that some sizes depend on; last of these what None() among them stands for.
  [[nodiscard]] std::vector<std::string> Assumptions() const { return Lines(defaulted_, seen_); }
  [[nodiscard]] std::vector<std::string> AssumptionsIn(std::span<const ir::DimId> dims) const;
  [[nodiscard]] const analysis::Facts& facts() const { return facts_; }

 private:
  [[nodiscard]] bool HasName(Symbol symbol) const;
  void FindSlidingWindows();
  void FindWindows(const analysis::Work& work, const std::vector<analysis::ShapeId>& shapes);
  [[nodiscard]] double Widest(const analysis::Shape& shape) const;
  using Key = std::uint64_t;  // a name, or a size without one
  [[nodiscard]] Key KeyOf(Symbol symbol, std::uint32_t instance) const;
  [[nodiscard]] double ExtentOf(ir::DimId dim, analysis::ShapeId shape) const;
  using Number = std::pair<Symbol, std::uint32_t>;  // one symbol: its name, and which of that name it is
  template <class Visit>
  void EachSymbol(ir::DimId dim, const Visit& visit) const;
  void FindCaps(const analysis::Work& work, const std::vector<analysis::ShapeId>& shapes);
  [[nodiscard]] std::set<analysis::Shape> FindNests(const analysis::Work& work) const;
  void FindAxes(std::set<analysis::Shape>& together) const;
  void FindSelections();
  [[nodiscard]] bool IsWindow(Symbol symbol) const;
  [[nodiscard]] bool HasWindow(ir::DimId dim) const;
  [[nodiscard]] double NumberFor(Symbol symbol, std::uint32_t instance, double extent) const;
  [[nodiscard]] double DefaultOf(Symbol symbol, std::uint32_t instance) const;
  [[nodiscard]] double VolumeAt(const analysis::Shape& shape, double extent) const;
  [[nodiscard]] std::string UnnamedIn(std::span<const ir::DimId> dims) const;
  [[nodiscard]] std::vector<std::string> Lines(std::span<const Symbol> symbols, const std::set<Number>& among) const;

  const analysis::Facts& facts_;
  std::unordered_map<Key, double> caps_;  // what is less than a vector's default: an array of it would be too large
  std::map<Number, double> selected_;     // extents that a mask decides: those of its array let them be no larger
  std::set<Number> seen_;                 // symbols of `work`
  std::vector<Symbol> windows_;           // those that are taken off others, `w` of `n - w + 1`: they are smaller
  std::vector<Symbol> extents_;           // names of symbols in extents of arrays, ascending
  std::vector<Symbol> defaulted_;         // of those, and of the sizes that tasks ask for: in order of name
  mutable std::vector<double> memo_;
  mutable std::unordered_map<analysis::ShapeId, double> unknown_;  // what unknown extents of a shape stand for
};

// One task on one layout, by itself.
struct TaskCost {
  Parts parts{};       // of one launch; kLaunch is what it occupies the submitting side with
  double python = 0;   // of parts[kHost], what Python itself takes to call it
  double device = 0;   // time on the busiest processor
  int processors = 1;  // that work on it
  Part bound_by = Part::kLaunch;
};
[[nodiscard]] TaskCost CostOf(const analysis::WorkTask& task, const Sizes& sizes, const Profile& profile,
                              const Layout& layout);

// One pass of an outermost hot loop; where there is none, all that runs from one entry.
inline constexpr std::uint32_t kNoLoop = 0xffff'ffff;
struct Region {
  ir::LoopId loop;  // None(): `function` as a whole
  ir::FunctionId function;
  std::uint32_t root = 0;             // of Work::roots
  std::uint32_t work_loop = kNoLoop;  // of Work::loops; kNoLoop: all steps of the root
  ir::DimId passes;                   // of all loops around it together, through calls; None() unknown
  double assumed_passes = 1;
  double share = 0;  // of the time of all regions that are told, on the first layout
  // False where the passes of loops within it, or sizes, are assumed, and together more than anybody would wait for:
  // the numbers are of sizes that the program never has. Then no time is told, but what to name: "nx".
  bool told = true;
  std::vector<std::string> to_name = {};
};

// How often it runs, as known or assumed.
[[nodiscard]] double PassesOf(const Sizes& sizes, const Region& region);
// The steps of one pass of it.
[[nodiscard]] const std::vector<analysis::WorkStep>& StepsOf(const analysis::Work& work, const Region& region);

// Extents of what a pass works on, None() among them where one is not known, and passes of its loops and of the region.
[[nodiscard]] std::vector<ir::DimId> DimsOf(const Sizes& sizes, const analysis::Work& work, const Region& region);

struct Memory {
  double processor = 0;                    // peak bytes on the busiest processor
  bool fits = true;                        // the pool of a processor holds them
  double host = 0;                         // peak bytes mapped on a node's host
  analysis::WorkTask const* at = nullptr;  // the task at the peak
};

struct Point {
  Layout layout;
  Range time;  // seconds per pass of the region
  // What each part is busy for in one pass, at the median. They overlap, so they do not add up to the time.
  Parts parts{};
  Part bound_by = Part::kLaunch;
  double probability = 0;  // share of the samples in which that is so
  // Where that is less than four fifths: what it is in most of the others.
  std::optional<Part> or_by;
  Memory memory;
};

// "memory", "memory or launch"
[[nodiscard]] std::string BoundBy(const Point& point);

struct RegionPrediction {
  Region region;
  std::vector<Point> asked;   // by Options::layouts
  std::vector<Point> strong;  // 1, 2, 4, ... 1,024 processors, the problem as it is; see Options::curves
  std::vector<Point> weak;    // the same, each processor keeps its share of the problem; of the heaviest region alone
  double one = 0;             // seconds per pass on one processor, at the median
  int fewest = 1;             // processors that hold it, of the curve; 0 where none of it does
  Memory need;                // on one processor
  // The most processors that pay: the doubling that leads there is the last that returns 70 % (T(P)/T(2P) >= 1.41) and
  // is faster than all before. The fastest. Both of those that hold it.
  int stop = 1, best = 1;
  std::string formula;      // "about 7·285 us + 48*n bytes / 2.95 TB/s"
  std::string break_point;  // "launch-bound below 3.5e+07 elements per GPU"; empty where no size decides
  std::vector<std::uint32_t> unpriced = {};   // tasks of a pass that the time does without, each once
  std::vector<ir::LoopId> assumed = {};       // loops in it whose passes are a default, each once
  std::vector<std::string> assumptions = {};  // sizes that it rests on, as Sizes::AssumptionsIn has them
};

struct Prediction {
  double pool = 0;                        // bytes for arrays of one processor (of one process without GPUs)
  std::vector<RegionPrediction> regions;  // heaviest first, those that are not told last
  std::size_t left_out = 0;               // lighter regions that are not predicted one by one,
  double left_share = 0;                  // and their share of the time
  std::vector<std::string> assumptions;
  std::vector<std::string> unmeasured;  // parameters that matter here and were not measured
  std::vector<std::pair<const analysis::WorkTask*, std::string>> unpriced;
};
[[nodiscard]] Prediction Predict(const Sizes& sizes, const analysis::Work& work, const Profile& profile,
                                 const Options& options);

// Time per pass of one region of a tree on one layout, with every parameter at its median.
[[nodiscard]] double MidTimeOf(const Sizes& sizes, const analysis::Work& work, const Region& region,
                               const Profile& profile, const Layout& layout);

// The outermost hot loops; an entry without one is a region as a whole. In the order of the roots.
[[nodiscard]] std::vector<Region> RegionsOf(const Sizes& sizes, const analysis::Work& work);
// The region tells no time where a pass of so many `seconds` rests on assumed sizes or passes and is longer than a day.
void DoubtLength(const Sizes& sizes, const analysis::Work& work, double seconds, Region& region);

}  // namespace cpnlint::cost
