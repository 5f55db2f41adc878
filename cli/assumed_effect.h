#pragma once

// Which assumptions change nothing of what a program asks of the machine.

#include <string>
#include <vector>

#include "analyzer/ir/program.h"

namespace cpnlint::cli {

// Of `NAME=NUMBER` those with whose double, too, all tasks and loops are what they are. The program is analysed once
// more for each, and left as it is.
[[nodiscard]] std::vector<std::string> WithoutEffect(ir::Program& program, const std::vector<std::string>& assumed);

}  // namespace cpnlint::cli
