#pragma once

// Files of `np.load` that give no array on the device, and what to write for them.

#include "rules/engine/text.h"
#include "rules/match/device_call.h"

namespace cpnlint::rules::match {

// `mmap_mode=`: the file stays on the host, and parts of it are converted.
[[nodiscard]] Text InsteadOfMap(const analysis::Facts& facts, const DeviceCall& call);
// `allow_pickle=True`: objects of Python, as a rule.
[[nodiscard]] Text InsteadOfPickle(const analysis::Facts& facts, const DeviceCall& call);

}  // namespace cpnlint::rules::match
