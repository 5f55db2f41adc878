// Legate's tiles, and the copies between them.

#include <catch2/catch.hpp>

#include "tests/unit/cost_support.h"

namespace cpnlint::cost {
namespace {

using analysis::WorkKind;
using analysis::WorkTask;

double Amount(const Terms& terms, Parameter parameter) {
  double sum = 0;
  for (const Term& term : terms) sum += term.parameter == parameter ? term.amount : 0;
  return sum;
}

// A pass of a stencil: v[1:-1] = u[2:] + u[:-2], then u = v; `reach` rows on either side.
struct Stencil : HandMade {
  explicit Stencil(std::int64_t reach, const std::vector<double>& extents) {
    std::vector<ir::DimId> dims;
    for (const double extent : extents) dims.push_back(C(extent));
    const auto shape = Shape(dims);
    const std::size_t rank = extents.size();
    loop = RootLoop(100);
    WorkTask add = Task(WorkKind::kElementwise, shape, {}, -1);
    const auto at = [&](std::int64_t offset) {
      std::vector<std::int64_t> offsets(rank, reach);
      offsets[0] = offset;
      return offsets;
    };
    add.operands = {Operand(1, shape, false, at(0)), Operand(1, shape, false, at(2 * reach)),
                    Operand(2, shape, true, at(reach))};
    AddToLoop(loop, add);
    AddToLoop(loop, Task(WorkKind::kCopy, shape, {2}, 1));
  }

  [[nodiscard]] Terms Copies(Layout layout) const {
    const Sizes sizes(*facts, work);
    const Plan plan = PlanOf(sizes, work, Pass(loop));
    return DemandsOf(plan, RoundProfile(), layout)[0].before;
  }
  std::uint32_t loop = 0;
};

TEST_CASE("tiles: blocks, near-square grids, factors", "[cost]") {
  CHECK(GridOf({1e6}, 4) == Grid{4});
  CHECK(GridOf({3}, 4) == Grid{3});
  CHECK(GridOf({1000, 1000}, 4) == Grid{2, 2});
  CHECK(GridOf({1000, 1000}, 8) == Grid{2, 4});
  CHECK(GridOf({1e6, 100}, 4) == Grid{4, 1});
  CHECK(GridOf({100, 1e6}, 4) == Grid{1, 4});
  CHECK(GridOf({1000, 1000}, 7) == Grid{1, 7});
  CHECK(GridOf({512, 512, 512}, 8) == Grid{2, 2, 2});
  CHECK(GridOf({512, 512, 40}, 16) == Grid{4, 4, 1});
  CHECK(GridOf({512, 512}, 1).empty());
  CHECK(TileOf({10}, {4}) == 3);
  CHECK(TileOf({1000, 1000}, {2, 4}) == 500 * 250);
}

TEST_CASE("an extent that does not divide loads one processor more", "[cost]") {
  HandMade made;
  WorkTask task = made.Task(WorkKind::kElementwise, made.Shape({made.C(10), made.C(1000000)}), {1}, 2);
  const Sizes sizes(*made.facts, made.work);
  const Amounts amounts = AmountsOf(task, sizes);
  CHECK(DivisionOf(amounts, RoundProfile().machine, {4, 1}).share == Approx(0.25));
  WorkTask batched = made.Task(WorkKind::kFactorise, made.Shape({made.C(10), made.C(1000), made.C(1000)}), {1}, 2);
  batched.name = "numpy.linalg.solve";
  batched.n = made.C(1000);
  batched.batch = made.C(10);
  const Division division = DivisionOf(AmountsOf(batched, sizes), RoundProfile().machine, {8, 1});
  CHECK(division.processors == 8);
  CHECK(division.share == Approx(0.2));
}

TEST_CASE("factorisations are divided from their thresholds on", "[cost]") {
  HandMade made;
  const Sizes sizes(*made.facts, made.work);
  const auto processors = [&](std::string_view name, double order) {
    WorkTask task = made.Task(WorkKind::kFactorise, made.Shape({made.C(order), made.C(order)}), {1}, 2);
    task.name = name;
    task.m = task.n = made.C(order);
    return DivisionOf(AmountsOf(task, sizes), RoundProfile().machine, {4, 1}).processors;
  };
  CHECK(processors("numpy.linalg.solve", 2047) == 1);
  CHECK(processors("numpy.linalg.solve", 2048) == 4);
  CHECK(processors("numpy.linalg.cholesky", 8191) == 1);
  CHECK(processors("numpy.linalg.cholesky", 8192) == 4);
  CHECK(processors("numpy.linalg.qr", 1023) == 1);
  CHECK(processors("numpy.linalg.qr", 1024) == 4);
  CHECK(processors("numpy.linalg.svd", 20000) == 1);
  CHECK(processors("numpy.linalg.eigh", 20000) == 1);
}

TEST_CASE("shifted reads of a divided array bring rows of the neighbours", "[cost]") {
  const Stencil rows(1, {1e7});
  const Terms copies = rows.Copies({4, 1});
  CHECK(Amount(copies, Parameter::kCopyLatency) == 2);
  CHECK(Amount(copies, Parameter::kCopyBandwidth) == Approx(2 * 8));
  const Stencil wide(3, {4096, 4096});
  const Terms grid = wide.Copies({4, 1});
  CHECK(Amount(grid, Parameter::kCopyLatency) == 2);
  CHECK(Amount(grid, Parameter::kCopyBandwidth) == Approx(2 * 3 * 2048 * 8));
  // Between nodes one of the faces is another node's.
  const Terms far = wide.Copies({16, 2});
  CHECK(Amount(far, Parameter::kNetworkLatency) == 1);
  CHECK(Amount(far, Parameter::kCopyLatency) == 1);
  // One processor, or too few elements to be divided: nothing moves.
  CHECK(wide.Copies({1, 1}).empty());
  CHECK(Stencil(1, {1000, 1000}).Copies({4, 1}).empty());
}

TEST_CASE("aligned reads move nothing, and what nobody writes moves once", "[cost]") {
  HandMade made;
  const std::uint32_t loop = made.RootLoop(100);
  const auto shape = made.Shape({made.C(4096), made.C(4096)});
  made.AddToLoop(loop, made.Task(WorkKind::kElementwise, shape, {1, 2}, 3));
  made.AddToLoop(loop, made.Task(WorkKind::kElementwise, shape, {3, 2}, 1));
  WorkTask shifted = made.Task(WorkKind::kElementwise, shape, {}, 3);
  shifted.operands.push_back(made.Operand(2, shape, false, {5, 5}));  // array 2 is never written
  made.AddToLoop(loop, shifted);
  const Sizes sizes(*made.facts, made.work);
  for (const Demand& demand : DemandsOf(PlanOf(sizes, made.work, made.Pass(loop)), RoundProfile(), {4, 1}).kinds)
    CHECK(demand.before.empty());
}

TEST_CASE("what every processor needs is broadcast after each write", "[cost]") {
  HandMade made;
  const std::uint32_t loop = made.RootLoop(100);
  const auto shape = made.Vector(1e7);
  made.AddToLoop(loop, made.Task(WorkKind::kElementwise, shape, {1}, 2));
  WorkTask search = made.Task(WorkKind::kElementwise, shape, {3}, 4);
  search.operands.push_back(made.Operand(2, shape, false));
  search.operands.back().replicated = true;
  made.AddToLoop(loop, search);
  const Sizes sizes(*made.facts, made.work);
  const Plan plan = PlanOf(sizes, made.work, made.Pass(loop));
  const Terms near = DemandsOf(plan, RoundProfile(), {8, 1})[1].before;
  CHECK(Amount(near, Parameter::kCopyLatency) == 3);
  CHECK(Amount(near, Parameter::kCopyBandwidth) == Approx(3 * 8e7));
  const Terms far = DemandsOf(plan, RoundProfile(), {32, 4})[1].before;
  CHECK(Amount(far, Parameter::kNetworkLatency) == 2);
  CHECK(Amount(far, Parameter::kCopyLatency) == 3);
}

TEST_CASE("what one processor made is handed out", "[cost]") {
  HandMade made;
  const std::uint32_t loop = made.RootLoop(100);
  const auto shape = made.Vector(1e7);
  WorkTask flip = made.Task(WorkKind::kCopy, shape, {1}, 2);
  flip.one_device = true;
  made.AddToLoop(loop, flip);
  made.AddToLoop(loop, made.Task(WorkKind::kElementwise, shape, {2}, 1));
  const Sizes sizes(*made.facts, made.work);
  const Demands demands = DemandsOf(PlanOf(sizes, made.work, made.Pass(loop)), RoundProfile(), {4, 1});
  CHECK(demands[0].processors == 1);
  CHECK(demands[1].processors == 4);
  for (const Demand& demand : demands.kinds) {
    CHECK(Amount(demand.before, Parameter::kCopyLatency) == 4);
    CHECK(Amount(demand.before, Parameter::kCopyBandwidth) == Approx(8e7 * 3 / 4));
  }
}

TEST_CASE("a border that one processor sets moves the border alone", "[cost]") {
  HandMade made;
  const std::uint32_t loop = made.RootLoop(100);
  const auto grid = made.Shape({made.C(8192), made.C(8192)}), line = made.Vector(8192);
  made.AddToLoop(loop, made.Task(WorkKind::kElementwise, grid, {1}, 2));
  WorkTask border = made.Task(WorkKind::kCopy, line, {}, -1);
  for (const bool written : {false, true}) {
    border.operands.push_back(made.Operand(written ? 2 : 1, grid, written, {0, 0}));
    border.operands.back().shape = line;
    border.operands.back().elements = made.C(8192);
  }
  made.AddToLoop(loop, border);
  made.AddToLoop(loop, made.Task(WorkKind::kElementwise, grid, {2}, 1));
  const Sizes sizes(*made.facts, made.work);
  const Demands demands = DemandsOf(PlanOf(sizes, made.work, made.Pass(loop)), RoundProfile(), {4, 1});
  CHECK(demands[0].before.empty());
  CHECK(demands[1].processors == 1);
  CHECK(Amount(demands[1].before, Parameter::kCopyBandwidth) == Approx(8192 * 8));
  CHECK(demands[2].processors == 4);
  CHECK(Amount(demands[2].before, Parameter::kCopyBandwidth) == Approx(8192 * 8));
  CHECK(Amount(demands[2].before, Parameter::kCopyLatency) == 1);
}

TEST_CASE("arrays of unknown rank are aligned with nothing", "[cost]") {
  HandMade made;
  const std::uint32_t loop = made.RootLoop(100);
  WorkTask read = made.Task(WorkKind::kElementwise, made.Vector(1e8), {1}, -1);
  read.operands[0].root_shape = read.operands[0].shape = analysis::ShapeId::None();
  made.AddToLoop(loop, read);
  made.AddToLoop(loop, read);
  const Sizes sizes(*made.facts, made.work);
  const Demands demands = DemandsOf(PlanOf(sizes, made.work, made.Pass(loop)), RoundProfile(), {4, 1});
  CHECK(demands[0].processors == 4);
  CHECK(Amount(demands[1].before, Parameter::kCopyLatency) == 0);
}

TEST_CASE("sorting exchanges everything and merges", "[cost]") {
  HandMade made;
  const Sizes sizes(*made.facts, made.work);
  WorkTask task = made.Task(WorkKind::kSort, made.Vector(1e8), {1}, 2);
  task.n = made.C(1e8);
  const Amounts amounts = AmountsOf(task, sizes);
  const Profile profile = RoundProfile();
  const auto demand = [&](Layout layout) {
    return DemandOf(amounts, DivisionOf(amounts, profile.machine, layout), profile, layout, false);
  };
  CHECK(demand({1, 1}).exchange.empty());
  CHECK(Amount(demand({1, 1}).memory, Parameter::kSortRate) == Approx(1e8));
  const Demand eight = demand({8, 1});
  CHECK(Amount(eight.memory, Parameter::kSortRate) == Approx(1e8 / 8));
  CHECK(Amount(eight.exchange, Parameter::kCopyBandwidth) == Approx((1e8 + 8 * 16) * 7 / 8));
  CHECK(Amount(eight.exchange, Parameter::kMergeRate) == Approx(1e8 / 8 * 3));
  CHECK(Amount(demand({16, 2}).exchange, Parameter::kNetworkBandwidth) > 0);
}

TEST_CASE("a product counts its operations, a matrix times a vector its bytes", "[cost]") {
  HandMade made;
  const Sizes sizes(*made.facts, made.work);
  Profile profile = RoundProfile();
  Set(profile, Parameter::kProductHalf, 0);
  WorkTask product = made.Task(WorkKind::kProduct, made.Shape({made.C(4000), made.C(4000)}), {1, 2}, 3);
  product.elements = made.C(4000.0 * 4000 * 4000);
  product.m = product.n = product.k = made.C(4000);
  const TaskCost one = CostOf(product, sizes, profile, {1, 1});
  CHECK(one.device == Approx(2 * 4000.0 * 4000 * 4000 / 1e13));
  CHECK(CostOf(product, sizes, profile, {4, 1}).device == Approx(one.device / 4));
  Set(profile, Parameter::kProductHalf, 4000);
  CHECK(CostOf(product, sizes, profile, {1, 1}).device == Approx(2 * one.device));
  for (analysis::WorkOperand& operand : product.operands) operand.item = 16;
  Set(profile, Parameter::kProductHalf, 0);
  CHECK(CostOf(product, sizes, profile, {1, 1}).device == Approx(4 * one.device));
  WorkTask vector = made.Task(WorkKind::kProduct, made.Shape({made.C(40000), made.C(40000)}), {1}, -1);
  vector.m = vector.k = made.C(40000);
  vector.n = made.C(1);
  CHECK(CostOf(vector, sizes, profile, {1, 1}).device == Approx(40000.0 * 40000 * 8 / 1e12));
}

}  // namespace
}  // namespace cpnlint::cost
