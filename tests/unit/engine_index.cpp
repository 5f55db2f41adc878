// What every rule is called, how severe it is where its site is hot and where it is cold, and which recipes mend it:
// the promise of the rule set, apart from the rules themselves.

#include <catch2/catch.hpp>

#include <algorithm>
#include <string>
#include <string_view>

#include "rules/engine/rule.h"

namespace cpnlint::rules {
namespace {

struct Row {
  int code;
  std::string_view slug;
  std::string_view hot;
  std::string_view cold;  // "silent": nothing is said about a cold site
  std::string_view recipes;
};

constexpr Row kIndex[] = {
    {1, "elementwise-expression", "good", "good", ""},
    {2, "array-reduction", "good", "good", ""},
    {3, "matrix-product", "good", "good", ""},
    {4, "vector-conditional", "good", "good", ""},
    {5, "stencil-slices", "good", "good", "RR-hint"},
    {6, "output-argument", "good", "good", ""},
    {7, "mask-write", "good", "good", ""},
    {101, "element-loop", "error", "warning", "RR-loop, RR-broadcast"},
    {102, "python-callback-per-element", "error", "error", "RR-where"},
    {103, "array-iteration", "error", "warning", "RR-loop"},
    {104, "host-scalar-in-loop", "error", "silent", "RR-sync"},
    {105, "branch-on-array-in-loop", "error", "silent", "RR-converge"},
    {106, "strided-slice", "error", "error", "RR-slice"},
    {107, "object-dtype", "error", "error", "RR-dtype"},
    {108, "mpi4py-beside-arrays", "error", "error", "RR-mpi"},
    {109, "order-keyword", "error", "error", "RR-order"},
    {110, "builtin-over-array", "error", "warning", "RR-builtin"},
    {111, "cupy-mixed-in-loop", "error", "info", "RR-runtime"},
    {112, "missing-name", "error", "error", "RR-api"},
    {113, "unsupported-argument", "error", "error", "RR-kwarg"},
    {114, "data-dependent-shape-in-loop", "error", "silent", "RR-masked-reduce, RR-mask"},
    {115, "hidden-wait-in-loop", "error", "silent", "RR-range"},
    {116, "throwing-task-in-loop", "error", "info", "RR-bounds, RR-batch"},
    {117, "host-library-in-loop", "error", "silent", "RR-host-boundary, RR-log"},
    {118, "process-level-parallelism", "error", "error", "RR-serial"},
    {119, "raising-numpy-feature", "error", "error", "RR-feature"},
    {120, "process-ending-call", "error", "error", "RR-guard"},
    {201, "allocation-in-loop", "warning", "silent", "RR-alloc"},
    {202, "rebinding-in-loop", "warning", "silent", "RR-inplace"},
    {203, "joining-in-loop", "warning", "silent", "RR-stack"},
    {204, "nonzero-then-index", "warning", "warning", "RR-mask"},
    {205, "mutated-copy", "error", "error", "RR-view"},
    {206, "reshape-in-loop", "warning", "silent", "RR-reshape"},
    {207, "tiny-chunk-loop", "warning", "warning", "RR-chunk"},
    {208, "cast-after-creation", "warning", "info", "RR-create"},
    {209, "temporary-chain", "warning", "silent", "RR-fuse"},
    {210, "layout-ping-pong", "warning", "silent", "RR-layout"},
    {211, "list-accumulation-in-loop", "warning", "silent", "RR-collect"},
    {212, "masked-in-place-update", "warning", "info", "RR-masked-update"},
    {213, "repeated-invariant-work", "warning", "silent", "RR-hoist"},
    {214, "shift-or-sort-in-loop", "warning", "silent", "RR-shift"},
    {215, "scalar-math-on-array", "warning", "silent", "RR-ufunc"},
    {216, "array-function-on-scalar", "warning", "silent", "RR-ufunc"},
    {301, "scipy-boundary", "info", "info", "RR-host-boundary"},
    {302, "dense-factorisation-one-device", "info", "info", "RR-batch"},
    {303, "fft-one-device", "warning", "info", "RR-batch"},
    {304, "rng-layout", "info", "info", "RR-seed"},
    {305, "solve-cholesky-routing", "info", "info", "RR-batch"},
    {306, "one-device-operation", "warning", "info", "RR-shift"},
    {307, "double-precision-default", "info", "silent", "RR-precision"},
    {308, "integer-matrix-product", "error", "error", "RR-intmm"},
    {309, "seed-semantics", "warning", "info", "RR-seed"},
    {310, "below-partition-threshold", "info", "silent", "RR-size"},
    {311, "strong-scaling-floor", "info", "silent", "RR-size"},
    {312, "uneven-extents", "info", "silent", "RR-extent"},
    {313, "small-factorisation", "warning", "info", "RR-batch"},
    {314, "silent-difference", "warning", "warning", "RR-guard"},
    {401, "peak-over-pool", "warning", "warning", "RR-fit"},
    {402, "expanding-slices", "info", "info", "RR-hint"},
    {403, "late-release", "info", "info", "RR-release"},
    {404, "idle-large-array", "info", "info", "RR-offload"},
    {405, "host-copy-over-sysmem", "warning", "warning", "RR-reduce-first"},
};

const Row* RowOf(int code) {
  const auto* row = std::find_if(std::begin(kIndex), std::end(kIndex), [&](const Row& r) { return r.code == code; });
  return row == std::end(kIndex) ? nullptr : row;
}

std::string_view ColdName(const Rule& rule) { return rule.cold ? Name(*rule.cold) : "silent"; }

}  // namespace

TEST_CASE("every rule has the slug, the severities and a recipe of the index") {
  for (const Rule* rule : AllRules()) {
    const Row* row = RowOf(rule->code);
    INFO(CodeText(*rule));
    REQUIRE(row != nullptr);
    CHECK(rule->slug == row->slug);
    CHECK(Name(rule->severity) == row->hot);
    CHECK(ColdName(*rule) == row->cold);
    CHECK(row->recipes.find(rule->recipe) != std::string_view::npos);
    CHECK(std::string_view(rule->recipe).empty() == row->recipes.empty());
  }
}

TEST_CASE("the index is in order, and what raises is as severe where it is cold") {
  int last = 0;
  for (const Row& row : kIndex) {
    INFO(row.code);
    CHECK(row.code > last);
    last = row.code;
    // Cold demotion (rules.md A.1) never makes a finding more severe.
    if (row.cold == "error") CHECK(row.hot == "error");
    if (row.cold == "warning") CHECK((row.hot == "warning" || row.hot == "error"));
  }
  for (const int raises : {102, 106, 107, 109, 112, 113, 119, 120, 308}) CHECK(RowOf(raises)->cold == "error");
}

}  // namespace cpnlint::rules
