// Predictions over numbers of processors, their ranges, and the sizes that they take.

#include <catch2/catch.hpp>

#include "cost-model/uncertainty.h"
#include "tests/unit/cost_support.h"

namespace cpnlint::cost {
namespace {

using analysis::WorkKind;
using analysis::WorkTask;

// Six operations on n by n arrays, hundred passes.
struct Program : HandMade {
  explicit Program(double n, int tasks = 6) {
    loop = RootLoop(100);
    const auto shape = Shape({C(n), C(n)});
    for (int i = 0; i < tasks; ++i) AddToLoop(loop, Task(WorkKind::kElementwise, shape, {i, i + 1}, i + 2));
  }
  [[nodiscard]] Prediction Predicted(const Profile& profile, std::vector<Layout> layouts = {{1, 1}, {4, 1}}) const {
    Options options;
    options.layouts = std::move(layouts);
    return Predict(Sizes(*facts, work), work, profile, options);
  }
  std::uint32_t loop = 0;
};

const Profile& H100() {
  static const Profile profile = *LoadProfile("h100-sxm");
  return profile;
}

TEST_CASE("ranges are in order, shares add up, the curve reaches 1024", "[cost]") {
  const Program program(20000);
  const Prediction prediction = program.Predicted(H100());
  REQUIRE(prediction.regions.size() == 1);
  const RegionPrediction& region = prediction.regions[0];
  CHECK(region.region.share == Approx(1));
  CHECK(region.region.assumed_passes == 100);
  REQUIRE(region.asked.size() == 2);
  REQUIRE(region.strong.size() == 11);
  REQUIRE(region.weak.size() == 11);
  CHECK(region.strong.back().layout.processors == 1024);
  CHECK(region.strong.back().layout.nodes == 128);
  for (const auto* points : {&region.asked, &region.strong, &region.weak}) {
    for (const Point& point : *points) {
      CHECK(point.time.low <= point.time.mid);
      CHECK(point.time.mid <= point.time.high);
      CHECK(point.time.low > 0);
      CHECK(point.probability > 0);
      CHECK(point.probability <= 1);
      double largest = 0, sum = 0;
      for (const double part : point.parts) {
        largest = std::max(largest, part);
        sum += part;
      }
      CHECK(point.parts[static_cast<std::size_t>(point.bound_by)] == largest);
      CHECK(sum > 0.5 * point.time.mid);
    }
  }
}

TEST_CASE("large arrays are bound by memory, small ones by launches", "[cost]") {
  const Point large = Program(20000).Predicted(H100()).regions[0].asked[0];
  CHECK(large.bound_by == Part::kMemory);
  CHECK(large.probability > 0.95);
  CHECK(large.time.mid == Approx(6 * 24.0 * 20000 * 20000 / H100().Value(Parameter::kBandwidth)).epsilon(0.1));
  const Point small = Program(500).Predicted(H100()).regions[0].asked[0];
  CHECK(small.bound_by == Part::kLaunch);
  CHECK(small.probability > 0.95);
  CHECK(small.time.mid == Approx(6 * 285e-6).epsilon(0.15));
  // Dispatch is worth a wide band, bandwidth a narrow one.
  CHECK(small.time.high / small.time.low > 1.5);
  CHECK(large.time.high / large.time.low < small.time.high / small.time.low);
}

TEST_CASE("strong scaling ends, weak scaling at the price of dispatch", "[cost]") {
  const RegionPrediction region = Program(50000).Predicted(H100()).regions[0];
  CHECK(region.strong[0].time.mid / region.strong[3].time.mid > 5);  // 1 to 8
  CHECK(region.stop >= 4);
  CHECK(region.stop <= 16);
  CHECK(region.best >= region.stop);
  CHECK(region.strong.back().bound_by == Part::kLaunch);
  // Efficiency T(1) / (P T(P)) never exceeds one where no cache helps.
  for (const Point& point : region.strong)
    CHECK(region.strong[0].time.mid / (point.layout.processors * point.time.mid) < 1.1);
  for (const Point& point : region.weak) CHECK(point.time.mid < 2 * region.weak[0].time.mid);
  CHECK(region.weak.back().bound_by == Part::kMemory);
}

TEST_CASE("the last doubling that pays leads to `stop`", "[cost]") {
  const RegionPrediction region = Program(50000).Predicted(H100()).regions[0];
  const auto& curve = region.strong;
  std::size_t stop = 0;
  while (curve[stop].layout.processors != region.stop) ++stop;
  REQUIRE(stop > 0);
  CHECK(curve[stop - 1].time.mid >= 1.41 * curve[stop].time.mid);
  CHECK(curve[stop].time.mid < 1.41 * curve[stop + 1].time.mid);
  // Eight arrays of 20 GB.
  CHECK(region.fewest == 4);
  CHECK(region.stop >= region.fewest);
  CHECK(region.need.processor == Approx(160e9));
  CHECK_FALSE(curve[1].memory.fits);
  CHECK(curve[2].memory.fits);
  CHECK(Program(5000).Predicted(H100()).regions[0].fewest == 1);
}

TEST_CASE("the same input gives the same numbers", "[cost]") {
  const Program program(3000);
  const Prediction a = program.Predicted(H100()), b = program.Predicted(H100());
  for (std::size_t i = 0; i < a.regions[0].strong.size(); ++i) {
    CHECK(a.regions[0].strong[i].time.low == b.regions[0].strong[i].time.low);
    CHECK(a.regions[0].strong[i].time.high == b.regions[0].strong[i].time.high);
    CHECK(a.regions[0].strong[i].probability == b.regions[0].strong[i].probability);
  }
}

TEST_CASE("samples spread as the ranges say", "[cost]") {
  const auto samples = SamplesOf<kSamples>(H100());
  const auto spread = [&](Parameter parameter) {
    const auto& lanes = samples.unit[static_cast<std::size_t>(parameter)];
    const std::vector<double> values(lanes.begin(), lanes.end());
    return Quantile(values, 0.9) / Quantile(values, 0.1);
  };
  // P90 / P10 of a log-normal is GSD to the power of 2.563.
  CHECK(spread(Parameter::kLaunchBase) == Approx(std::pow(1.4, 2.563)).epsilon(0.15));
  CHECK(spread(Parameter::kBandwidth) == Approx(std::pow(1.12, 2.563)).epsilon(0.15));
  CHECK(spread(Parameter::kSpectralRate) == Approx(std::pow(1.6, 2.563)).epsilon(0.15));
  CHECK(spread(Parameter::kWindow) == 1);
  // Lane 0 is the profile itself.
  CHECK(samples.unit[static_cast<std::size_t>(Parameter::kBandwidth)][0] ==
        Approx(1 / H100().Value(Parameter::kBandwidth)));
  // Parameters of submitting move together, a rate of another kind does not.
  const auto correlation = [&](Parameter a, Parameter b) {
    const auto &x = samples.unit[static_cast<std::size_t>(a)], &y = samples.unit[static_cast<std::size_t>(b)];
    double mx = 0, my = 0, xy = 0, xx = 0, yy = 0;
    for (std::size_t i = 0; i < kSamples; ++i) mx += std::log(x[i]) / kSamples, my += std::log(y[i]) / kSamples;
    for (std::size_t i = 0; i < kSamples; ++i) {
      const double dx = std::log(x[i]) - mx, dy = std::log(y[i]) - my;
      xy += dx * dy, xx += dx * dx, yy += dy * dy;
    }
    return xy / std::sqrt(xx * yy);
  };
  CHECK(correlation(Parameter::kLaunchBase, Parameter::kLaunchPerProcessor) > 0.5);
  CHECK(std::abs(correlation(Parameter::kLaunchBase, Parameter::kBandwidth)) < 0.3);
  CHECK(std::abs(correlation(Parameter::kSortRate, Parameter::kProductRate64)) < 0.3);
}

TEST_CASE("what nobody said has a default, and is listed", "[cost]") {
  HandMade made;
  const std::uint32_t loop = made.RootLoop(100);
  const auto shape = made.Shape({made.S("n"), made.S("n")});
  made.AddToLoop(loop, made.Task(WorkKind::kElementwise, shape, {1}, 2));
  made.AddToLoop(loop, made.Task(WorkKind::kElementwise, made.Shape({made.S("m"), made.C(3)}), {3}, 4));
  const Sizes sizes(*made.facts, made.work);
  CHECK(sizes.Of(made.S("n")) == Approx(6325).epsilon(0.001));
  CHECK(sizes.Of(made.Volume(shape)) == Approx(4e7).epsilon(0.001));
  CHECK_FALSE(sizes.IsKnown(made.S("n")));
  CHECK(sizes.IsKnown(made.C(17)));
  CHECK(sizes.Of(made.C(17)) == 17);
  CHECK(sizes.Of(made.Volume(made.Shape({made.S("m"), made.C(3)}))) == Approx(4e7).epsilon(0.001));
  CHECK(sizes.Assumptions() == std::vector<std::string>{"m = 1.333e7 (default)", "n = 6325 (default)"});
}

TEST_CASE("an array has the size of its own extents, whatever others have", "[cost]") {
  HandMade made;
  const std::uint32_t loop = made.RootLoop(100);
  made.AddToLoop(loop, made.Task(WorkKind::kElementwise, made.Shape({made.S("rows"), made.S("cols")}), {1}, 2));
  made.AddToLoop(loop, made.Task(WorkKind::kElementwise, made.Shape({made.S("n")}), {3}, 4));
  const ir::DimId none = ir::DimId::None();
  const auto vector = made.Shape({none}), matrix = made.Shape({none, none});
  made.AddToLoop(loop, made.Task(WorkKind::kElementwise, vector, {5}, 6));
  made.AddToLoop(loop, made.Task(WorkKind::kElementwise, matrix, {7}, 8));
  const Sizes sizes(*made.facts, made.work);
  CHECK(sizes.Of(made.S("rows")) == Approx(6325).epsilon(0.001));
  CHECK(sizes.Of(made.S("n")) == Approx(4e7));
  CHECK(sizes.Extents(vector) == std::vector<double>{4e7});
  CHECK(sizes.Extents(matrix) == std::vector<double>{6325, 6325});
}

TEST_CASE("a loop over an extent and what it works on are axes of one array", "[cost]") {
  HandMade made;
  made.Add(made.Task(WorkKind::kFill, made.Shape({made.S("n")}), {}, 1));
  const std::uint32_t loop = made.RootLoop(1);
  made.work.loops[loop].trips = made.S("n");
  made.AddToLoop(loop, made.Task(WorkKind::kElementwise, made.Shape({made.S("m")}), {2}, 3));
  made.Add(made.Task(WorkKind::kFill, made.Shape({made.S("other")}), {}, 4));
  for (const auto& [name, width] : {std::pair{"steps", 1'000'000}, std::pair{"points", 3}}) {
    made.Add(made.Task(WorkKind::kFill, made.Shape({made.S(name)}), {}, 5));
    const std::uint32_t one = made.RootLoop(1);
    made.work.loops[one].trips = made.S(name);
    made.AddToLoop(one, made.Task(WorkKind::kElementwise, made.Vector(width), {6}, 7));
  }
  const Sizes sizes(*made.facts, made.work);
  CHECK(sizes.Of(made.S("n")) == Approx(6325).epsilon(0.001));
  CHECK(sizes.Of(made.S("m")) == Approx(6325).epsilon(0.001));
  CHECK(sizes.Of(made.S("other")) == Approx(4e7));
  CHECK(sizes.Of(made.S("steps")) == Approx(6325).epsilon(0.001));
  CHECK(sizes.Of(made.S("points")) == Approx(1.333e7).epsilon(0.001));
}

TEST_CASE("loops make as many passes as is known, assumed or an array is long", "[cost]") {
  HandMade made;
  const std::uint32_t loop = made.RootLoop(12);
  made.AddToLoop(loop, made.Task(WorkKind::kElementwise, made.Shape({made.S("n")}), {1}, 2));
  const Sizes sizes(*made.facts, made.work);
  analysis::WorkLoop trips;
  CHECK(sizes.TripsOf(made.work.loops[loop]) == 12);
  trips.assumed_trips = 1000;
  CHECK(sizes.TripsOf(trips) == 1000);
  trips.trips = made.S("steps");
  CHECK(sizes.TripsOf(trips) == 1000);
  trips.trips = made.S("n");
  CHECK(sizes.TripsOf(trips) == Approx(4e7));
}

TEST_CASE("an entry without a hot loop is a region as a whole", "[cost]") {
  HandMade made;
  made.Add(made.Task(WorkKind::kElementwise, made.Vector(1e9), {1}, 2));
  made.work.roots.emplace_back();  // nothing runs there
  const Sizes sizes(*made.facts, made.work);
  const std::vector<Region> regions = RegionsOf(sizes, made.work);
  REQUIRE(regions.size() == 1);
  CHECK(regions[0].work_loop == kNoLoop);
  CHECK(made.Time(RoundProfile(), regions[0]) == Approx(150e-6 + 10e-6 + 16e-3));
}

TEST_CASE("samples are followed as the median alone is", "[cost]") {
  // Nests of three levels, shares, waits, tasks that ask for the same and others: every lane keeps its own clocks.
  HandMade made;
  const std::uint32_t outer = made.RootLoop(50), middle = made.Loop(2.0), inner = made.Loop(7), deepest = made.Loop(30);
  const auto large = made.Vector(1e8), small = made.Vector(5000);
  for (int i = 0; i < 3; ++i) made.AddToLoop(outer, made.Task(WorkKind::kElementwise, large, {i, i + 1}, i + 2));
  made.Enter(made.work.loops[outer].body, middle);
  made.AddToLoop(middle, made.Task(WorkKind::kReduction, large, {2}, 5), 0.5);
  made.Enter(made.work.loops[middle].body, inner);
  WorkTask wait = made.Task(WorkKind::kElementwise, small, {5}, 6);
  wait.waits = true;
  made.AddToLoop(inner, wait);
  made.Enter(made.work.loops[inner].body, deepest);
  made.work.loops[inner].body.back().share = 0.25;
  made.AddToLoop(deepest, made.Task(WorkKind::kSort, small, {6}, 7));
  const Sizes sizes(*made.facts, made.work);
  const Plan plan = PlanOf(sizes, made.work, made.Pass(outer));
  for (const Layout& layout : {Layout{1, 1}, Layout{8, 1}, Layout{32, 4}}) {
    const Demands demands = DemandsOf(plan, H100(), layout);
    const auto one = Simulate(plan, demands, SamplesOf<1>(H100()), H100(), layout);
    const auto all = Simulate(plan, demands, SamplesOf<kSamples>(H100()), H100(), layout);
    CHECK(one.time[0] == all.time[0]);
    CHECK(one.time[0] > 0);
    for (std::size_t part = 0; part < kParts; ++part) CHECK(one.parts[part][0] == all.parts[part][0]);
    // Each lane by itself is the median of a profile that has its numbers.
    for (const std::size_t lane : {std::size_t{1}, std::size_t{33}, kSamples - 1}) {
      Samples<1> alone;
      const auto samples = SamplesOf<kSamples>(H100());
      for (std::size_t i = 0; i < kParameters; ++i) alone.unit[i][0] = samples.unit[i][lane];
      CHECK(Simulate(plan, demands, alone, H100(), layout).time[0] == all.time[lane]);
    }
  }
}

TEST_CASE("the parts of a task are those of a plan that has it alone", "[cost]") {
  HandMade made;
  WorkTask task = made.Task(WorkKind::kReduction, made.Vector(1e8), {1}, 2);
  task.waits = true;
  task.to_host = made.C(800);
  made.Add(task);
  const Sizes sizes(*made.facts, made.work);
  Region whole;
  for (const Layout& layout : {Layout{1, 1}, Layout{4, 1}}) {
    const Plan plan = PlanOf(sizes, made.work, whole);
    const auto timing =
        Simulate(plan, DemandsOf(plan, RoundProfile(), layout), SamplesOf<1>(RoundProfile()), RoundProfile(), layout);
    const TaskCost cost = CostOf(task, sizes, RoundProfile(), layout);
    for (const Part part : {Part::kLaunch, Part::kWait, Part::kHost}) {
      const auto i = static_cast<std::size_t>(part);
      CHECK(cost.parts[i] == Approx(timing.parts[i][0]));
    }
  }
}

TEST_CASE("lighter regions have medians of the same curve", "[cost]") {
  HandMade made;
  for (const double n : {2e9, 1e8}) {
    const std::uint32_t loop = made.RootLoop(100);
    for (int i = 0; i < 3; ++i) made.AddToLoop(loop, made.Task(WorkKind::kElementwise, made.Vector(n), {i}, i + 1));
  }
  Options options;
  options.layouts = {{1, 1}};
  const Prediction few = Predict(Sizes(*made.facts, made.work), made.work, H100(), options);
  options.curves = 2;
  const Prediction all = Predict(Sizes(*made.facts, made.work), made.work, H100(), options);
  REQUIRE(few.regions.size() == 2);
  REQUIRE(all.regions.size() == 2);
  CHECK(few.regions[0].strong.size() == 11);
  CHECK(few.regions[1].strong.empty());
  CHECK(few.regions[1].weak.empty());
  CHECK(all.regions[1].strong.size() == 11);
  for (std::size_t i = 0; i < 2; ++i) {
    CHECK(few.regions[i].one == all.regions[i].strong[0].time.mid);
    CHECK(few.regions[i].stop == all.regions[i].stop);
    CHECK(few.regions[i].best == all.regions[i].best);
  }
}

TEST_CASE("loops over sizes that nobody names have no time where they multiply", "[cost]") {
  // Two nested loops over the extents of a matrix have as many passes as it has elements; a third is too many.
  for (const int depth : {2, 3}) {
    HandMade made;
    std::uint32_t loop = made.RootLoop(10);
    made.AddToLoop(loop, made.Task(WorkKind::kElementwise, made.Shape({made.S("nx"), made.S("ny")}), {1}, 2));
    for (int i = 0; i < depth; ++i) {
      const std::uint32_t inner = made.Loop(1);
      made.work.loops[inner].trips = made.S(i == 1 ? "ny" : "nx");
      made.Enter(made.work.loops[loop].body, inner);
      loop = inner;
    }
    made.AddToLoop(loop, made.Task(WorkKind::kElementAccess, made.Vector(1), {1}, -1));
    Options options;
    options.layouts = {{1, 1}};
    const Prediction prediction = Predict(Sizes(*made.facts, made.work), made.work, H100(), options);
    REQUIRE(prediction.regions.size() == 1);
    const RegionPrediction& region = prediction.regions[0];
    CHECK(region.region.told == (depth == 2));
    CHECK(region.asked.empty() == !region.region.told);
    if (depth == 2) continue;
    CHECK(region.region.to_name == std::vector<std::string>{"nx", "ny"});
    CHECK(region.region.share == 0);
  }
}

TEST_CASE("a formula and a break point to follow with a pencil", "[cost]") {
  HandMade made;
  const std::uint32_t loop = made.RootLoop(100);
  const auto shape = made.Shape({made.S("n")});
  for (int i = 0; i < 2; ++i) made.AddToLoop(loop, made.Task(WorkKind::kElementwise, shape, {1, 2}, 3));
  const Prediction prediction = Predict(Sizes(*made.facts, made.work), made.work, RoundProfile(), {});
  REQUIRE(prediction.regions.size() == 1);
  CHECK(prediction.regions[0].formula == "about 2·150 us + 48*n bytes / 1 TB/s");
  CHECK_THAT(prediction.regions[0].break_point, Catch::Matchers::StartsWith("launch-bound below 6.") &&
                                                    Catch::Matchers::Contains("e6 elements per GPU (n = 6.") &&
                                                    Catch::Matchers::EndsWith("e6 on one)"));
}

TEST_CASE("what matters and was not measured is named, heaviest first", "[cost]") {
  const Prediction small = Program(500).Predicted(H100(), {{1, 1}});
  REQUIRE(small.unmeasured.size() >= 2);
  CHECK(small.unmeasured[0] == "launch_base (literature)");
  CHECK(small.unmeasured[1] == "launch_per_processor (literature)");
  const Prediction large = Program(30000).Predicted(H100(), {{1, 1}});
  REQUIRE_FALSE(large.unmeasured.empty());
  CHECK(large.unmeasured[0] == "bandwidth (literature)");
  CHECK(Program(500).Predicted(RoundProfile()).unmeasured.empty());
}

TEST_CASE("what cannot be priced is listed", "[cost]") {
  Program program(1000);
  program.work.tasks[2].unpriced = "shape unknown";
  const Prediction prediction = program.Predicted(H100());
  REQUIRE(prediction.unpriced.size() == 1);
  CHECK(prediction.unpriced[0].first == &program.work.tasks[2]);
  CHECK(prediction.unpriced[0].second == "shape unknown");
}

}  // namespace
}  // namespace cpnlint::cost
