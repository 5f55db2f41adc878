#include "cost-model/footprint.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

namespace cpnlint::cost {
namespace {

using analysis::Work;
using analysis::WorkKind;
using analysis::WorkTask;

// Adds up the bytes of what lives, on one layout.
class Adder {
 public:
  Adder(const Liveness& liveness, const Work& work, const Sizes& sizes, const Profile& profile, const Layout& layout,
        double factor)
      : liveness_(liveness),
        work_(work),
        sizes_(sizes),
        gpu_(profile.machine.gpu),
        split_(profile.machine.split),
        layout_(layout),
        factor_(factor),
        out_(liveness.footprint) {}

  Footprint Add() {
    for (const Liveness::Use& use : liveness_.uses) {
      double& bytes = out_.arrays[use.of].bytes;
      bytes = std::max(bytes, BytesOf(use));
    }
    for (Lifetime& array : out_.arrays) array.bytes *= array.copies;
    if (!liveness_.loose.empty()) loose_.assign(out_.tasks.size(), 0);
    for (const Liveness::Use& use : liveness_.loose) loose_[use.of] += BytesOf(use);
    Sum();
    return std::move(out_);
  }

 private:
  [[nodiscard]] double BytesOf(const Liveness::Use& use) const {
    double elements = use.elements;
    if (elements > 1) elements *= factor_;
    const bool large = elements >= static_cast<double>(split_);
    const int processors = gpu_ ? layout_.processors : layout_.nodes;
    if (large && !use.replicated && processors > 1) elements = std::ceil(elements / processors);
    if (elements <= 1) return 0;  // a future, no storage
    return elements * use.item;
  }

  // Sorts and gathers need no buffers from the pool on CPUs (26.6.1: the runtime's own count of what it used).
  [[nodiscard]] bool TakesMemory(const WorkTask& task) const {
    return gpu_ || (task.kind != WorkKind::kSort && task.kind != WorkKind::kGather && task.kind != WorkKind::kScatter);
  }

  // What a task has of the pool while it runs, beside its arrays.
  [[nodiscard]] double BuffersOf(const WorkTask& task) const {
    // A read through a mask reserves room for all of the array, and gives back what the mask leaves out (26.6.1 on
    // CPUs: a pool without that room ends the program).
    if (!gpu_ && task.kind == WorkKind::kMaskRead && task.name == "[]" && task.bytes_written.valid())
      return factor_ * sizes_.Of(task.bytes_written);
    return task.temporary.valid() && TakesMemory(task) ? factor_ * sizes_.Of(task.temporary) : 0;
  }

  void Sum() {
    out_.bytes.assign(out_.tasks.size(), 0);
    std::vector<double> change(out_.tasks.size() + 1, 0);
    for (const Lifetime& array : out_.arrays) {
      change[array.begin] += array.bytes;
      change[array.end] -= array.bytes;
    }
    double alive = 0;
    for (std::size_t step = 0; step < out_.tasks.size(); ++step) {
      alive += change[step];
      const WorkTask& task = work_.tasks[out_.tasks[step]];
      const double more = BuffersOf(task);
      const bool divided = gpu_ && layout_.processors > 1 && !task.one_device && task.elements.valid() &&
                           factor_ * sizes_.Of(task.elements) >= static_cast<double>(split_);
      out_.bytes[step] = alive + (divided ? more / layout_.processors : more) + (loose_.empty() ? 0 : loose_[step]);
      if (task.to_host.valid()) out_.host += std::max(0.0, factor_ * sizes_.Of(task.to_host));
    }
    for (const Lifetime& array : out_.arrays) {
      if (array.twice == Lifetime::kNoStep) continue;
      for (std::uint32_t step = array.twice; step < array.twice_end; ++step) out_.bytes[step] += array.bytes;
    }
    Hold();
    if (out_.bytes.empty()) return;
    const auto top = std::max_element(out_.bytes.begin(), out_.bytes.end());
    out_.peak = out_.At(static_cast<std::uint32_t>(top - out_.bytes.begin()));
    const bool loose = !loose_.empty() && loose_[out_.peak.step] > 0;
    out_.known = !loose && std::all_of(out_.peak.arrays.begin(), out_.peak.arrays.end(),
                                       [&](std::size_t i) { return out_.arrays[i].known; });
  }

  // Of each kind of storage the most that is alive at once, up to each step.
  void Hold() {
    struct Event {
      std::uint32_t step;
      std::size_t kind;
      double change;
    };
    std::vector<Event> events;
    std::map<std::pair<std::size_t, double>, std::size_t> kinds;  // by shape and bytes, which differ with the type
    for (const Lifetime& array : out_.arrays) {
      const std::size_t shape = array.shape.valid() ? array.shape.index() + 1 : 0;
      const std::size_t kind = kinds.try_emplace({shape, array.bytes}, kinds.size()).first->second;
      events.push_back({array.begin, kind, array.bytes});
      events.push_back({array.end, kind, -array.bytes});
      if (array.twice == Lifetime::kNoStep) continue;
      events.push_back({array.twice, kind, array.bytes});
      events.push_back({array.twice_end, kind, -array.bytes});
    }
    // What ends at a step is gone before something new begins there.
    std::sort(events.begin(), events.end(),
              [](const Event& a, const Event& b) { return a.step != b.step ? a.step < b.step : a.change < b.change; });
    std::vector<double> alive(kinds.size(), 0), most(kinds.size(), 0);
    double held = 0;
    std::size_t next = 0;
    out_.held.reserve(out_.tasks.size());
    for (std::uint32_t step = 0; step < out_.tasks.size(); ++step) {
      for (; next < events.size() && events[next].step <= step; ++next) {
        const Event& event = events[next];
        alive[event.kind] += event.change;
        if (alive[event.kind] <= most[event.kind]) continue;
        held += alive[event.kind] - most[event.kind];
        most[event.kind] = alive[event.kind];
      }
      out_.held.push_back(std::max(held, out_.bytes[step]));
    }
  }

  const Liveness& liveness_;
  const Work& work_;
  const Sizes& sizes_;
  bool gpu_;
  std::int64_t split_;
  Layout layout_;
  double factor_;
  Footprint out_;
  std::vector<double> loose_;  // bytes by step; empty where there are none
};

}  // namespace

Moment Footprint::At(std::uint32_t step) const {
  Moment moment;
  moment.step = step;
  moment.bytes = bytes[step];
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    if (arrays[i].begin <= step && step < arrays[i].end && arrays[i].bytes > 0) moment.arrays.push_back(i);
  }
  std::stable_sort(moment.arrays.begin(), moment.arrays.end(),
                   [&](std::size_t a, std::size_t b) { return arrays[a].bytes > arrays[b].bytes; });
  return moment;
}

namespace {

// Legate takes 95 % of a GPU's free memory and 80 % of the host's (26.07, runtime/detail/flags).
constexpr double kGpuShare = 0.95, kHostShare = 0.8;

double HostPoolOf(const Profile& profile, const Options& options) {
  return options.host_pool > 0 ? options.host_pool : kHostShare * profile.Value(Parameter::kHostMemory);
}

}  // namespace

double PoolOf(const Profile& profile, const Options& options) {
  if (!profile.machine.gpu) return HostPoolOf(profile, options);
  if (options.pool > 0) return options.pool;
  return kGpuShare * (profile.Value(Parameter::kMemory) - profile.Value(Parameter::kMemoryReserve));
}

MemoryPlan PlanMemory(const Sizes& sizes, const Work& work, const Profile& profile, const Options& options) {
  MemoryPlan plan;
  plan.work = &work;
  plan.gpu = profile.machine.gpu;
  plan.host_pool = HostPoolOf(profile, options);
  plan.pool = PoolOf(profile, options);
  Layout largest = options.layouts.front();
  for (const Layout& layout : options.layouts) {
    if (layout.processors > largest.processors) largest = layout;
  }
  plan.processors = largest.processors;
  for (std::uint32_t task = 0; task < work.tasks.size(); ++task) {
    if (work.tasks[task].kind == analysis::WorkKind::kToHost && work.tasks[task].op.valid())
      plan.gathers.push_back(task);
  }
  for (std::uint32_t root = 0; root < work.roots.size(); ++root) {
    const Liveness liveness = LivenessOf(sizes, work, root);
    plan.roots.push_back(FootprintOf(liveness, work, sizes, profile, largest));
    Peaks& peaks = plan.peaks.emplace_back();
    if (!plan.roots.back().known) continue;
    const auto peak_on = [&](const Layout& layout) {
      return FootprintOf(liveness, work, sizes, profile, layout).peak.bytes;
    };
    for (const Layout& layout : options.layouts) {
      peaks.bytes.push_back(layout.processors == largest.processors ? plan.roots.back().peak.bytes : peak_on(layout));
    }
    if (std::ranges::all_of(peaks.bytes, [&](double bytes) { return bytes <= plan.pool; })) continue;
    for (const Layout& layout : CurveOf(profile)) {
      if (peaks.fewest == 0 && peak_on(layout) <= plan.pool) peaks.fewest = layout.processors;
    }
  }
  return plan;
}

Footprint FootprintOf(const Liveness& liveness, const Work& work, const Sizes& sizes, const Profile& profile,
                      const Layout& layout, double factor) {
  return Adder(liveness, work, sizes, profile, layout, factor).Add();
}

}  // namespace cpnlint::cost
