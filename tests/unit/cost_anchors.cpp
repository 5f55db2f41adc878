// What the shipped profiles make of published measurements. CPNLINT_ANCHORS=1 prints the table of docs/cost-model.md.

#include <catch2/catch.hpp>

#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "tests/unit/cost_support.h"

namespace cpnlint::cost {
namespace {

using analysis::WorkKind;
using analysis::WorkTask;

struct Anchor {
  int number;
  const char* what;
  const char* source;
  double seconds;
};

constexpr Anchor kAnchors[] = {
#define CPNLINT_ANCHOR(number, what, source, seconds) {number, what, source, seconds},
#define CPNLINT_ANCHOR_ASIDE(number, what, source, seconds)
#include "tests/unit/cost_anchors.inc"
#undef CPNLINT_ANCHOR
#undef CPNLINT_ANCHOR_ASIDE
};
// Nothing was fitted to these: they judge.
constexpr Anchor kAside[] = {
#define CPNLINT_ANCHOR(number, what, source, seconds)
#define CPNLINT_ANCHOR_ASIDE(number, what, source, seconds) {number, what, source, seconds},
#include "tests/unit/cost_anchors.inc"
#undef CPNLINT_ANCHOR
#undef CPNLINT_ANCHOR_ASIDE
};

Profile Shipped(const char* name) { return *LoadProfile(name); }

// A step of `tasks` operations on slices of square arrays.
double Elementwise(const char* profile, double side, int tasks, Layout layout, std::uint8_t item = 8) {
  HandMade made;
  const std::uint32_t loop = made.RootLoop(100);
  const auto shape = made.Shape({made.C(side), made.C(side)});
  for (int i = 0; i < tasks; ++i) {
    WorkTask task = made.Task(WorkKind::kElementwise, shape, {i, i + 1}, i + 2);
    task.bytes_read = made.C(2 * side * side * item);
    task.bytes_written = made.C(side * side * item);
    for (analysis::WorkOperand& operand : task.operands) operand.item = item;
    made.AddToLoop(loop, task);
  }
  return made.Time(Shipped(profile), made.Pass(loop), layout);
}

// copy, three sums, a product, an assignment, two borders; the error: difference, square, sum, square, sum, quotient,
// root of the quotient. Read off the published program; Legate NumPy of 2021 submitted one operation for each.
double Jacobi(double error_share, double wait_share) {
  HandMade made;
  const std::uint32_t loop = made.RootLoop(5000);
  const auto grid = made.Shape({made.C(5001), made.C(5001)}), line = made.Shape({made.C(5001)});
  const auto scalar = made.Vector(1);
  made.AddToLoop(loop, made.Task(WorkKind::kCopy, grid, {1}, 2));
  for (int i = 0; i < 3; ++i) made.AddToLoop(loop, made.Task(WorkKind::kElementwise, grid, {2, 3 + i}, 4 + i));
  made.AddToLoop(loop, made.Task(WorkKind::kElementwise, grid, {6}, 7));
  made.AddToLoop(loop, made.Task(WorkKind::kCopy, grid, {7}, 1));
  for (int i = 0; i < 2; ++i) made.AddToLoop(loop, made.Task(WorkKind::kCopy, line, {8}, 8));
  made.AddToLoop(loop, made.Task(WorkKind::kElementwise, grid, {1, 2}, 9), error_share);
  for (const int from : {9, 2}) {
    made.AddToLoop(loop, made.Task(WorkKind::kElementwise, grid, {from}, 10), error_share);
    WorkTask sum = made.Task(WorkKind::kReduction, grid, {10}, -1);
    sum.operands.push_back(made.Operand(11 + from, scalar, true));
    made.AddToLoop(loop, sum, error_share);
  }
  for (int i = 0; i < 2; ++i)
    made.AddToLoop(loop, made.Task(WorkKind::kElementwise, scalar, {20, 13}, 30), error_share);
  WorkTask wait;
  wait.kind = WorkKind::kToHost;
  wait.launches = 0;
  wait.waits = true;
  wait.operands.push_back(made.Operand(30, scalar, false));
  made.AddToLoop(loop, wait, wait_share);
  return made.Time(Shipped("a100-80"), made.Pass(loop));
}

double Factorisation(const char* name, double order, std::uint8_t item) {
  HandMade made;
  WorkTask task = made.Task(WorkKind::kFactorise, made.Shape({made.C(order), made.C(order)}), {1}, 2);
  task.name = name;
  task.m = task.n = made.C(order);
  for (analysis::WorkOperand& operand : task.operands) operand.item = item;
  const Sizes sizes(*made.facts, made.work);
  return CostOf(task, sizes, Shipped("a100-80"), {1, 1}).device;
}

double Fft() {
  HandMade made;
  const double points = 512.0 * 512 * 512;
  WorkTask task = made.Task(WorkKind::kFft, made.Vector(points), {1}, 2);
  task.n = made.C(points);
  const Sizes sizes(*made.facts, made.work);
  return 2 * CostOf(task, sizes, Shipped("a100-80"), {1, 1}).device;
}

double AllToAll(const char* name, double bytes) {
  Terms terms;
  AddAllToAll(terms, bytes, 8, {8, 1});
  return SecondsOf(terms, Shipped(name));
}

double Predicted(int number) {
  switch (number) {
    case 17: return Elementwise("a100-80", 2000, 48, {1, 1});
    case 18: return Elementwise("a100-80", 2828, 48, {2, 1});
    case 19: return Elementwise("a100-80", 4000, 48, {4, 1});
    case 20: return Elementwise("a100-80", 5657, 48, {8, 1});
    case 26: return Elementwise("a100-80", 1000, 10, {1, 1}, 4) / 10;
    case 25: return Elementwise("a100-80", 1000, 10, {1, 1}, 4) / 10;
    case 104: return Jacobi(1, 1);
    case 105: return Jacobi(1, 0.01);
    case 106: return Jacobi(0.01, 0.01);
    case 110: return Elementwise("v100", 1449, 10, {8, 2}) / 10;
    case 124: return Factorisation("numpy.linalg.cholesky", 16, 4);
    case 125: return Factorisation("numpy.linalg.cholesky", 128, 4);
    case 126: return Factorisation("numpy.linalg.cholesky", 512, 4);
    case 127: return Factorisation("numpy.linalg.cholesky", 2048, 4);
    case 128: return Factorisation("numpy.linalg.qr", 64, 4);
    case 129: return Factorisation("numpy.linalg.qr", 256, 4);
    case 130: return Factorisation("numpy.linalg.qr", 512, 4);
    case 131: return Factorisation("numpy.linalg.qr", 1024, 4);
    case 132: return Factorisation("numpy.linalg.qr", 4096, 4);
    case 133: return Factorisation("numpy.linalg.svd", 400, 16);
    case 137: return Factorisation("numpy.linalg.svd", 1200, 16);
    case 139: return Factorisation("numpy.linalg.svd", 256, 8);
    case 140: return Fft();
    case 141: return AllToAll("a100-80", 1024);
    case 142: return AllToAll("h100-sxm", 1024);
    case 143: return AllToAll("h200", 1024);
    case 144: return AllToAll("a100-80", 65536);
    case 145: return AllToAll("h100-sxm", 65536);
    case 146: return AllToAll("h200", 65536);
    default: return 0;
  }
}

TEST_CASE("published measurements that the defaults were fitted to", "[cost]") {
  const bool shows = std::getenv("CPNLINT_ANCHORS") != nullptr;
  if (shows) std::printf("| row | measured | model | error | what | source |\n|---|---|---|---|---|---|\n");
  std::vector<double> errors;
  for (const Anchor& anchor : kAnchors) {
    const double predicted = Predicted(anchor.number), error = predicted / anchor.seconds - 1;
    errors.push_back(std::abs(error));
    if (shows) {
      std::printf("| %d | %.4g ms | %.4g ms | %+.0f %% | %s | %s |\n", anchor.number, anchor.seconds * 1e3,
                  predicted * 1e3, error * 100, anchor.what, anchor.source);
    }
    INFO(anchor.number << " " << anchor.what << ": " << predicted << " s where " << anchor.seconds
                       << " s were measured");
    CHECK(std::abs(std::log(predicted / anchor.seconds)) < std::log(1.5));
  }
  const double median = Quantile(errors, 0.5);
  if (shows) std::printf("\nmedian of |error| %.0f %%\n", median * 100);
  CHECK(median < 0.15);
}

TEST_CASE("published measurements that nothing was fitted to", "[cost]") {
  const bool shows = std::getenv("CPNLINT_ANCHORS") != nullptr;
  for (const Anchor& anchor : kAside) {
    const double predicted = Predicted(anchor.number);
    if (shows) {
      std::printf("| %d | %.4g ms | %.4g ms | %+.0f %% | %s | %s |\n", anchor.number, anchor.seconds * 1e3,
                  predicted * 1e3, (predicted / anchor.seconds - 1) * 100, anchor.what, anchor.source);
    }
    INFO(anchor.number << " " << anchor.what << ": " << predicted << " s where " << anchor.seconds
                       << " s were measured");
    CHECK(std::abs(std::log(predicted / anchor.seconds)) < std::log(2.0));
  }
}

}  // namespace
}  // namespace cpnlint::cost
