#include "analyzer/analysis/count_names.h"

#include <catch2/catch.hpp>

namespace cpnlint::analysis {
namespace {

TEST_CASE("the last word of a name decides") {
  CHECK(UsualCountByName("order") == 3);
  CHECK(UsualCountByName("spline_order") == 3);
  CHECK(UsualCountByName("splineOrder") == 3);
  CHECK(UsualCountByName("order_2") == 3);
  CHECK(UsualCountByName("order_fn") == std::nullopt);
  CHECK(UsualCountByName("reordered") == std::nullopt);
  CHECK(UsualCountByName("border") == std::nullopt);
}

TEST_CASE("one, many, and the number of them") {
  CHECK(UsualCountByName("n_channels") == 4);
  CHECK(UsualCountByName("channel") == 4);
  CHECK(UsualCountByName("nspins") == 2);
  CHECK(UsualCountByName("NSPIN") == 2);
  CHECK(UsualCountByName("_axes_") == 3);
}

TEST_CASE("there are tens of clusters and thousands of points") {
  CHECK(UsualSizeByName("n_clusters") == 10);
  CHECK(UsualSizeByName("self.n_classes") == 10);
  CHECK(UsualSizeByName("nparams") == 10);
  CHECK(UsualSizeByName("n_channels") == 4);
  CHECK(UsualCountByName("n_clusters") == std::nullopt);
  for (const char* name : {"clusters", "n_points", "n_samples", "n_features", "n_bins", "params"})
    CHECK(UsualSizeByName(name) == std::nullopt);
}

TEST_CASE("other names say nothing") {
  for (const char* name : {"", "_", "n", "n_components", "nk", "x2", "dim", "rows"})
    CHECK(UsualCountByName(name) == std::nullopt);
}

TEST_CASE("sequences with an entry for each axis") {
  CHECK(UsualLengthByName("pbc") == 3);
  CHECK(UsualLengthByName("atoms_pbc") == 3);
  CHECK(UsualLengthByName("order") == std::nullopt);
}

}  // namespace
}  // namespace cpnlint::analysis
