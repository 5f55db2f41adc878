#pragma once

// Which arrays live at which task, and how many bytes that is on the busiest processor. Storage is freed when the last
// reference goes, and fields of freed arrays are used again at once: what `--show-memory-usage` of 26.6.1 tells of
// chains, loops, stencils and swaps (docs/cost-model.md has the runs).

#include <cstdint>
#include <vector>

#include "cost-model/course.h"
#include "cost-model/model.h"

namespace cpnlint::cost {

// One array: steps are counted in the order in which Python reaches the tasks of a root, bodies of loops once.
struct Lifetime {
  ir::ValueId array;                  // the op that made the storage
  double bytes = 0;                   // on the busiest processor
  analysis::ShapeId shape;            // freed storage is used again by arrays of the same shape and type alone
  double copies = 1;                  // that a loop has collected by its end; `bytes` are of all of them
  bool known = false;                 // its size is not a default
  bool filled = false;                // made by a fill, which is put off
  std::uint32_t first = 0, last = 0;  // steps that touch it
  std::uint32_t begin = 0, end = 0;   // alive in [begin, end)
  // There, in [twice, twice_end), the old generation lives beside the new one.
  std::uint32_t twice = kNoStep, twice_end = kNoStep;

  static constexpr std::uint32_t kNoStep = 0xffff'ffff;
};

struct Moment {
  std::uint32_t step = 0;
  double bytes = 0;
  std::vector<std::size_t> arrays;  // alive, largest first: indexes into Footprint::arrays
};

struct Footprint {
  std::vector<std::uint32_t> tasks;  // of Work, by step
  std::vector<LoopSpan> loops;       // outer before inner
  std::vector<Lifetime> arrays;      // by first step
  std::vector<double> bytes;         // alive on the busiest processor, by step
  // What the runtime holds by then: of each shape and type the most that was alive at once. It gives the rest back only
  // when memory runs short.
  std::vector<double> held;
  bool known = false;  // every size that the peak is made of is known
  Moment peak;
  double host = 0;  // bytes mapped on a host by arrays that were gathered; they stay mapped

  [[nodiscard]] Moment At(std::uint32_t step) const;
};

// The peak of a root by layout.
struct Peaks {
  std::vector<double> bytes;  // by Options::layouts; empty where a size of it is not known
  int fewest = 0;             // processors that hold it; 0 where not even 1,024 do
};

// What the rules about memory look at: every root of a program on the largest layout that was asked for.
struct MemoryPlan {
  const analysis::Work* work = nullptr;
  std::vector<Footprint> roots;        // by Work::roots
  std::vector<Peaks> peaks;            // likewise
  std::vector<std::uint32_t> gathers;  // tasks of the work that map arrays into host memory
  double pool = 0;                     // bytes for arrays of one processor (of one process where it has no GPU)
  double host_pool = 0;                // bytes for arrays on the host, of one process
  bool gpu = true;
  int processors = 1;
};
// Bytes for arrays of one processor (of one process without GPUs).
[[nodiscard]] double PoolOf(const Profile& profile, const Options& options);
[[nodiscard]] MemoryPlan PlanMemory(const Sizes& sizes, const analysis::Work& work, const Profile& profile,
                                    const Options& options);

// What of a footprint is the same on every layout: which arrays there are, and when they live.
struct Liveness {
  // A way in which an array is used, as far as its bytes depend on it.
  struct Use {
    std::size_t of = 0;  // of Footprint::arrays, or the step of an array that cannot be told from others
    double elements = 1;
    int item = 8;
    bool replicated = false;

    bool operator==(const Use&) const = default;
  };
  Footprint footprint;  // without bytes
  std::vector<Use> uses, loose;
};
// `root`: index into Work::roots.
[[nodiscard]] Liveness LivenessOf(const Sizes& sizes, const analysis::Work& work, std::uint32_t root);
// `factor`: of a problem whose arrays are that many times as large.
[[nodiscard]] Footprint FootprintOf(const Liveness& liveness, const analysis::Work& work, const Sizes& sizes,
                                    const Profile& profile, const Layout& layout, double factor = 1);

// The peak of the program up to the end of the region: what is too much before the loop begins ends the run as well.
// `pool`: bytes for arrays of one processor.
[[nodiscard]] Memory MemoryOf(const analysis::Work& work, const Region& region, const Footprint& footprint,
                              double pool);

}  // namespace cpnlint::cost
