#pragma once

// Calls of what the library lacks, done by host NumPy under the name `onp`.

#include <optional>
#include <string_view>

#include "analyzer/api/api.h"
#include "rules/engine/rule.h"

namespace cpnlint::rules::match {

// Nothing that lies on the device: a number, a text, None, a host array, a list of such.
[[nodiscard]] bool IsHostData(const Facts& facts, const analysis::Value& value);

// `np.asarray(onp.interp(q, onp.asarray(xp), onp.asarray(fp), left=0.0))`: the call of `op` in the form of the table's
// code, which says what is converted. nullopt where `op` is not called once, or the code is no such call.
[[nodiscard]] std::optional<Text> OnHost(const Facts& facts, ir::ValueId op, const api::Entry& row,
                                         std::string_view code);

// `onp.polyfit(onp.asarray(x), onp.asarray(y), 3)`; `onp.polyfit` where the call is too long to be quoted or is not
// the only one.
[[nodiscard]] Text OnHost(const Facts& facts, ir::ValueId op, const api::Entry& row);

// Host NumPy gives no array here, so nothing is converted back.
[[nodiscard]] bool GivesNoArray(const api::Entry& row);

}  // namespace cpnlint::rules::match
