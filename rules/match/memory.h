#pragma once

// What the rules about memory say alike.

#include <string>

#include "rules/engine/rule.h"

namespace cpnlint::rules::match {

// "2.1 GB", "640 MB": powers of ten, as the datasheets have them.
[[nodiscard]] std::string BytesText(double bytes);
// The variable that holds the array, in the user's words; the expression that makes it where none does.
[[nodiscard]] Text ArrayText(const Facts& facts, ir::ValueId array);
// Some variable of the function that makes the array holds it.
[[nodiscard]] bool IsHeldByName(const Facts& facts, ir::ValueId array);
// Evidence that an array's size rests on: an assumption or a demo literal among it is no certainty.
[[nodiscard]] analysis::EvidenceSet SizeEvidence(const Facts& facts, ir::ValueId array);
// The module in which an op stands.
[[nodiscard]] ir::ModuleId ModuleOf(const Facts& facts, ir::ValueId op);

}  // namespace cpnlint::rules::match
