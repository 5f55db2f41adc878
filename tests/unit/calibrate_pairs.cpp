#include <algorithm>
#include <numeric>
#include <set>

#include <catch2/catch.hpp>

#include "runtime-kernels/harness/halo.h"
#include "runtime-kernels/harness/pairs.h"
#include "runtime-kernels/harness/peers.h"
#include "runtime-kernels/harness/skew.h"

using namespace cpnlint;
using namespace cpnlint::kernels;

namespace {

PairFit Fit(int from, int to, const char* path, double rate) {
  return {{from, to}, path, {2e-6, 1.9e-6, 2.1e-6}, {rate, 0.98 * rate, 1.02 * rate}, {rate, rate, rate}, 9};
}

// Nothing is timed: a case says how long it took.
Case Pretend(double amount, double seconds) {
  Case one;
  one.amount = amount;
  one.run = [seconds](int repeats) { return repeats * seconds; };
  return one;
}

const Backend kNobody = {"nobody", nullptr, {}, [] {}, [] { return false; }};

const Estimate* Find(const Record& record, cost::Parameter parameter) {
  for (const Estimate& one : record.estimates) {
    if (one.parameter == parameter) return &one;
  }
  return nullptr;
}

std::string AllOf(const std::vector<std::string>& lines) {
  return std::accumulate(lines.begin(), lines.end(), std::string(),
                         [](std::string all, const std::string& line) { return std::move(all) + line + "\n"; });
}

// Two GPUs to a bridge at 100 GB/s, the others at 10, and all share 32 GB/s outside the bridges.
constexpr double kLatency = 5e-6;
double Alone(const Pair& pair) { return pair.from / 2 == pair.to / 2 ? 100e9 : 10e9; }

PeerWays Bridges(int count) {
  PeerWays ways;
  ways.unit = "GPU";
  ways.count = count;
  ways.sizes = {8, 1 << 20, 1 << 24, 1 << 26};
  ways.most_pairs = 64;
  ways.path = [](const Pair& pair) { return std::string(Alone(pair) > 50e9 ? "peer to peer" : "through the host"); };
  ways.copy = [](std::span<const Pair> pairs, std::size_t bytes) {
    double slowest = 1e12, outside = 0;
    for (const Pair& pair : pairs) {
      slowest = std::min(slowest, Alone(pair));
      if (Alone(pair) < 50e9) outside += 1;
    }
    if (outside > 0) slowest = std::min(slowest, 32e9 / outside);
    const auto amount = static_cast<double>(bytes);
    return Pretend(amount, kLatency + amount / slowest);
  };
  return ways;
}

Record MeasuredPeers(const PeerWays& ways) {
  const Device device;
  Session session(kNobody, device, Effort::kQuick, 1, 0.001);
  MeasurePeers(session, ways);
  return session.TakeRecord();
}

}  // namespace

TEST_CASE("pairs: each direction of any two, once") {
  CHECK(PairsOf(1, 100).empty());
  CHECK(PairsOf(0, 100).empty());
  const std::vector<Pair> pairs = PairsOf(5, 100);
  CHECK(pairs.size() == 20);
  std::set<std::pair<int, int>> seen;
  for (const Pair& pair : pairs) {
    CHECK(pair.from != pair.to);
    seen.emplace(pair.from, pair.to);
  }
  CHECK(seen.size() == 20);
}

TEST_CASE("pairs: of many processors a choice at several distances") {
  const std::vector<Pair> pairs = PairsOf(64, 60);
  CHECK(pairs.size() == 60);
  std::set<int> distances;
  for (const Pair& pair : pairs) distances.insert((pair.to - pair.from + 64) % 64);
  CHECK(distances == std::set<int>{1, 2, 4, 8, 16, 32});
}

TEST_CASE("pairs: a ring") {
  CHECK(Ring(1).empty());
  CHECK(Ring(2) == std::vector<Pair>{{0, 1}, {1, 0}});
  CHECK(Ring(3) == std::vector<Pair>{{0, 1}, {1, 2}, {2, 0}});
}

TEST_CASE("pairs: latency of the shortest copy and rate of long ones") {
  std::vector<SweepPoint> points;
  for (const double bytes : {8.0, 65536.0, 1048576.0, 16777216.0, 268435456.0}) {
    const double seconds = 3e-6 + bytes / 40e9;
    points.push_back({static_cast<std::size_t>(bytes), bytes, {seconds, seconds, seconds, 0, 7, 0}});
  }
  const auto fit = FitPair({2, 5}, "peer to peer", points);
  REQUIRE(fit);
  CHECK(fit->latency.value == Approx(3e-6).epsilon(0.01));
  CHECK(fit->rate.value == Approx(40e9).epsilon(0.01));
  CHECK(fit->samples == 35);
  CHECK_FALSE(FitPair({0, 1}, "", {}));
  CHECK(FitPair({0, 1}, "", std::span(points).first(1))->rate.value > 0);
}

TEST_CASE("pairs: classes by path and by rate") {
  // Two and three links, one of them measured with noise, and a path through the host.
  const std::vector<PairClass> classes =
      ClassesOf({Fit(0, 1, "peer", 60e9), Fit(1, 0, "peer", 62e9), Fit(0, 2, "peer", 40e9), Fit(2, 0, "peer", 41e9),
                 Fit(0, 3, "host", 39e9)});
  REQUIRE(classes.size() == 3);
  CHECK(classes[0].pairs == std::vector<Pair>{{1, 0}, {0, 1}});
  CHECK(classes[0].rate.value == Approx(61e9));
  CHECK(classes[0].rate.low <= 60e9);
  CHECK(classes[0].rate.high >= 62e9);
  CHECK(classes[0].samples == 18);
  CHECK(classes[1].pairs.size() == 2);
  CHECK(classes[1].path == "peer");
  CHECK(classes[2].path == "host");
  CHECK(ClassesOf({}).empty());
}

TEST_CASE("pairs: everybody waits for the slowest neighbours") {
  const std::vector<PairClass> classes =
      ClassesOf({Fit(0, 1, "peer", 60e9), Fit(1, 2, "peer", 30e9), Fit(0, 2, "peer", 10e9)});
  REQUIRE(SlowestNeighbours(classes) != nullptr);
  CHECK(SlowestNeighbours(classes)->rate.value == Approx(30e9));  // 0 and 2 are no neighbours
  CHECK(SlowestNeighbours(std::span(classes).last(1))->rate.value == Approx(10e9));
  CHECK(SlowestNeighbours({}) == nullptr);
}

TEST_CASE("pairs: names and shares") {
  CHECK(CountOf(Ring(3)) == "3 pairs");
  CHECK(CountOf(std::vector<Pair>{{0, 1}}) == "1 pair");
  CHECK(NamesOf(Ring(3)) == "0-1 1-2 2-0");
  CHECK(NamesOf(Ring(9)) == "0-1 1-2 2-3 3-4 4-5 5-6 and 3 more");
  CHECK(Kept({5, 4, 6}, {10, 8, 12}).value == 0.5);
  CHECK(Kept({5, 4, 6}, {10, 8, 12}).low == Approx(4.0 / 12));
  CHECK(Kept({5, 4, 6}, {}).value == 0);
  CHECK(Percent(0.553) == "55 %");
}

TEST_CASE("peers: the slowest neighbours all at once make the profile's numbers") {
  const Record record = MeasuredPeers(Bridges(4));
  REQUIRE(Find(record, cost::Parameter::kCopyLatency) != nullptr);
  CHECK(Find(record, cost::Parameter::kCopyLatency)->value == Approx(kLatency).epsilon(0.01));
  const Estimate* rate = Find(record, cost::Parameter::kCopyBandwidth);
  REQUIRE(rate != nullptr);
  // 1 -> 2 and 3 -> 0 go outside; two share what would do for three.
  CHECK(rate->value == Approx(10e9).epsilon(0.05));
  CHECK(rate->method.find("through the host") != std::string::npos);
  const std::string notes = AllOf(record.problems);
  CHECK(notes.find("2 kinds of pairs of GPUs") != std::string::npos);
  CHECK(notes.find("when all pairs copy at once") != std::string::npos);
}

TEST_CASE("peers: what is lost when all copy at once is told and taken") {
  const Record record = MeasuredPeers(Bridges(16));  // eight outside copies share 32 GB/s
  const Estimate* rate = Find(record, cost::Parameter::kCopyBandwidth);
  REQUIRE(rate != nullptr);
  CHECK(rate->value == Approx(32e9 / 8).epsilon(0.05));
  CHECK(rate->method.find("to the next at once: 40 %") != std::string::npos);
  CHECK(AllOf(record.problems).find("keeps 40 %") != std::string::npos);
}

TEST_CASE("peers: a pair is both all and at once; one alone is refused") {
  const Record two = MeasuredPeers(Bridges(2));
  CHECK(Find(two, cost::Parameter::kCopyBandwidth)->value == Approx(100e9).epsilon(0.05));
  CHECK(two.problems.empty());
  const Record one = MeasuredPeers(Bridges(1));
  CHECK(one.estimates.empty());
  CHECK(AllOf(one.problems).find("one GPU has nobody to copy to") != std::string::npos);
}

TEST_CASE("peers: other ways to copy are for review") {
  PeerWays ways = Bridges(4);
  ways.kernel_copy = ways.copy;
  const Device device;
  Session session(kNobody, device, Effort::kStandard, 1, 0.001);
  MeasurePeers(session, ways);
  const Record record = session.TakeRecord();
  CHECK(record.estimates.size() == 2);
  // One of a pair, four rows of the matrix, three ways for each of two classes.
  CHECK(record.curves.size() == 1 + 4 + 6);
  ways.symmetric = true;
  CHECK(Find(MeasuredPeers(ways), cost::Parameter::kCopyLatency)->method.find(" 4 pairs") != std::string::npos);
}

TEST_CASE("halo: faces of tiles in memory") {
  Tile cube;
  cube.axes = 3;
  cube.extents = {4, 5, 6};
  cube.thickness = 2;
  const Face planes = FaceOf(cube, 0, true);
  CHECK(planes.runs == 1);
  CHECK(planes.width == 2 * 5 * 6 * kItem);
  CHECK(planes.start == 2 * 5 * 6 * kItem);
  const Face rows = FaceOf(cube, 1, false);
  CHECK(rows.runs == 4);
  CHECK(rows.width == 2 * 6 * kItem);
  CHECK(rows.pitch == 5 * 6 * kItem);
  CHECK(rows.start == 0);
  const Face items = FaceOf(cube, 2, true);
  CHECK(items.runs == 20);
  CHECK(items.width == 2 * kItem);
  CHECK(items.pitch == 6 * kItem);
  CHECK(items.start == 4 * kItem);
  // The last run ends with the tile.
  CHECK(items.start + (items.runs - 1) * items.pitch + items.width == cube.Bytes());
}

TEST_CASE("halo: tiles whose faces have a size, within a limit") {
  const std::size_t most = 64 << 20;
  for (int axes = 1; axes <= 3; ++axes) {
    for (const std::size_t bytes : {1UL << 10, 1UL << 14, 1UL << 18, 1UL << 22}) {
      const auto tile = TileWithFaces(axes, bytes, most);
      REQUIRE(tile);
      CHECK(tile->Bytes() <= most);
      for (int axis = 0; axis < axes; ++axis) {
        CHECK(static_cast<double>(FaceOf(*tile, axis, false).Bytes()) == Approx(bytes).epsilon(0.35));
      }
    }
  }
  CHECK(TileWithFaces(2, 1 << 14, most)->thickness == 1);
  CHECK(TileWithFaces(2, 1 << 22, most)->thickness > 1);
  CHECK_FALSE(TileWithFaces(3, 1UL << 30, most));
  CHECK_FALSE(TileWithFaces(1, 1UL << 30, most));
}

TEST_CASE("halo: grids and neighbours") {
  CHECK(NearEqual(2, 8) == Grid{4, 2, 1});
  CHECK(NearEqual(3, 8) == Grid{2, 2, 2});
  CHECK(NearEqual(3, 12) == Grid{3, 2, 2});
  CHECK(NearEqual(2, 7) == Grid{7, 1, 1});
  CHECK(NearEqual(1, 6) == Grid{6, 1, 1});
  const auto line = HaloCopies(LineAlong(2, 3));
  REQUIRE(line.size() == 4);
  CHECK(line[0].to == 1);
  CHECK(line[0].high);
  CHECK(line[0].axis == 2);
  CHECK(MostCopies(line) == 2);
  CHECK(MostCopies(HaloCopies({3, 3, 1})) == 4);
  CHECK(HaloCopies({1, 1, 1}).empty());
  // Whoever sends also receives from there.
  const auto grid = HaloCopies({3, 2, 2});
  for (const HaloCopy& one : grid) {
    CHECK(std::ranges::count_if(grid, [&](const HaloCopy& other) {
            return other.from == one.to && other.to == one.from && other.axis == one.axis && other.high != one.high;
          }) == 1);
  }
}

TEST_CASE("halo: faces in pieces are told of, and one processor is refused") {
  const Device device;
  const auto measured = [&](int count) {
    Session session(kNobody, device, Effort::kQuick, 1, 0.001);
    MeasureHalo(session, {"GPU", count, 64 << 20, [](const Tile& tile, const std::vector<HaloCopy>& copies) {
                            const Face face = FaceOf(tile, copies.front().axis, false);
                            const auto amount = static_cast<double>(MostCopies(copies) * face.Bytes());
                            return std::optional(Pretend(amount, amount / (face.runs > 1 ? 1e9 : 10e9)));
                          }});
    return session.TakeRecord();
  };
  const Record four = measured(4);
  CHECK(four.curves.size() == 8);  // six lines, two grids
  const std::string notes = AllOf(four.problems);
  CHECK(notes.find("axis 1 of 2-D arrays lie in pieces and keep 10 %") != std::string::npos);
  CHECK(notes.find("axis 2 of 3-D") != std::string::npos);
  CHECK(four.estimates.empty());
  CHECK(measured(2).curves.size() == 6);
  CHECK(AllOf(measured(1).problems).find("edges need two GPUs") != std::string::npos);
}

TEST_CASE("skew: a split adds up and is as uneven as asked") {
  for (const int count : {2, 3, 8}) {
    for (const double skew : {1.0, 1.5, 2.0}) {
      const Exchange exchange = SkewedExchange(count, skew, 1 << 20);
      CHECK(exchange.Skew() == Approx(skew).epsilon(0.001));
      for (int from = 0; from < count; ++from) {
        CHECK(exchange.Sent(from) == 1 << 20);
        for (int to = 0; to < count; ++to) CHECK(exchange.Part(from, to) % 16 == 0);
      }
    }
  }
  const Exchange all = SkewedExchange(4, 9, 1 << 12);  // no more than all
  CHECK(all.Received(0) == 4 << 12);
  CHECK(all.Received(3) == 0);
  CHECK(SkewedExchange(1, 1, 160).Part(0, 0) == 160);
  const Exchange three = SkewedExchange(3, 1.5, 96);
  CHECK(three.SendOffset(1, 2) == 48 + 16);
  CHECK(three.ReceiveOffset(2, 0) == 96);
}

TEST_CASE("skew: how much longer the fullest takes") {
  const Device device;
  const auto measured = [&](int count) {
    Session session(kNobody, device, Effort::kQuick, 1, 0.001);
    MeasureSkew(session, {"GPU", count, 1 << 20, [](const Exchange& exchange) {
                            const auto fullest = static_cast<double>(exchange.Received(0));
                            return std::optional(Pretend(fullest, fullest / 1e9));
                          }});
    return session.TakeRecord();
  };
  const Record eight = measured(8);
  REQUIRE(eight.curves.size() == 1);
  CHECK(eight.curves[0].points.size() == 5);
  CHECK(eight.curves[0].points.back().second == Approx(4).epsilon(0.01));
  CHECK(AllOf(eight.problems).find("receives 4 times the mean takes 4 times (4 to 4) as long") != std::string::npos);
  CHECK(measured(2).curves[0].points.size() == 3);
  CHECK(AllOf(measured(1).problems).find("nobody to exchange with") != std::string::npos);
}
