#pragma once

// What has to be thought of anew where an array is no array on the device.

#include "rules/engine/finding.h"
#include "rules/engine/rule.h"

namespace cpnlint::verdict {

// An array of objects, strings or rows of different lengths (R107) that outlives its function, or holds the program's
// records. Not labels that the program only looks up and counts, `str(self.names[k])`, wherever they are kept: a list
// is the same to it.
[[nodiscard]] bool IsDataModel(const rules::Facts& facts, const rules::Finding& finding);

}  // namespace cpnlint::verdict
