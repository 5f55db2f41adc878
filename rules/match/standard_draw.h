#pragma once

// Draws of a distribution whose location and scale are on the device.

#include <optional>

#include "rules/engine/rule.h"
#include "rules/match/device_call.h"

namespace cpnlint::rules::match {

// `rate * rng.exponential(1.0, n)` for `rng.exponential(rate, n)`: a draw that takes no number of the device, moved and
// stretched on it. nullopt where `parameter` is neither a location nor a scale.
[[nodiscard]] std::optional<Text> StandardDraw(const Facts& facts, const DeviceCall& call, ir::ValueId parameter);

}  // namespace cpnlint::rules::match
