#pragma once

// What `cpnlint --help` says, and `cpnlint config --help` of a group of commands.

#include <string>

namespace cpnlint::cli {

[[nodiscard]] std::string RootHelp();
// `group`: the first word of commands of two.
[[nodiscard]] std::string GroupHelp(const std::string& group);

}  // namespace cpnlint::cli
