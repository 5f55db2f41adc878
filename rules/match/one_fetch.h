#pragma once

// Several tests and conversions of one number in one pass of a loop: one fetch would do for all of them.

#include <optional>
#include <vector>

#include "rules/engine/text.h"
#include "rules/match/device_call.h"

namespace cpnlint::rules::match {

// What a number is computed from, element by element.
struct Origins {
  std::vector<ir::ValueId> on_device;  // sorted
  bool rest_on_host = true;            // all else is known to be numbers of the host
};
[[nodiscard]] Origins OriginsOf(const analysis::Facts& facts, ir::ValueId number);
// What the number is computed from in the same pass, element by element: `c = m[k][j]` of `abs(abs(c) - 1) <= eps`, the
// sums behind `(a - b) / a`. Sorted; empty where none of it is on the device.
[[nodiscard]] std::vector<ir::ValueId> BeginningsOf(const analysis::Facts& facts, ir::ValueId number);
// One of the two is computed from nothing else than the other.
[[nodiscard]] bool HaveOneOrigin(const std::vector<ir::ValueId>& a, const std::vector<ir::ValueId>& b);

// What else a pass that asks fetches that is computed from the same: neither behind a cadence of its own nor in an arm
// that excludes the one that asks.
struct Shared {
  std::vector<ir::ValueId> tests;  // Truth ops of other statements
  std::size_t together = 0;        // how many of them, and of `min(c, 1.0)` in other statements, one pass may reach
  bool converted = false;          // `int(c)`, `math.sqrt(c)`, `range(c)`
};
// One fetch in place of three waits, where each might do without.
[[nodiscard]] inline bool IsAskedOften(const Shared& shared) { return shared.together >= 2; }
[[nodiscard]] Shared SharedWith(const analysis::Facts& facts, ir::ValueId asking,
                                const std::vector<ir::ValueId>& beginnings);

// "`c = float(m[k][j])`, `d = float(d)`"; nullopt where one of them has no name, or there are many.
[[nodiscard]] std::optional<Text> Fetches(const analysis::Facts& facts, const std::vector<ir::ValueId>& beginnings);

// "fetch it once per pass, `c = float(m[k][j])`: ..."
[[nodiscard]] Text FetchOnce(const analysis::Facts& facts, const std::vector<ir::ValueId>& beginnings);

}  // namespace cpnlint::rules::match
