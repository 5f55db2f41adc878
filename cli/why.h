#pragma once

// What `inspect why` tells of one line: what a rule asked there and got for an answer, and what is known of the values
// that stand on it.

#include <string>

#include "analyzer/analysis/facts.h"
#include "cli/sources.h"
#include "rules/engine/why.h"

namespace cpnlint::cli {

// The conditions of one attempt, each with its words, and what came of them.
[[nodiscard]] std::string AttemptText(const rules::Attempt& attempt, const rules::Rule& rule, const Sources& sources);

// Of the values on the line: which are arrays, how sure that is, and where it was learnt; and how often the line runs.
[[nodiscard]] std::string KnownText(const analysis::Facts& facts, ir::ModuleId module, Span line,
                                    const Sources& sources);

}  // namespace cpnlint::cli
