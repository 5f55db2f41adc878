#pragma once

// Examples of each command, for its help and the manual page. A test runs them.

#include <string>
#include <vector>

namespace cpnlint::cli {

struct Example {
  std::string command;  // "cpnlint src/"
  std::string meaning;
};
// None for commands that are not in the manual. "" has those of the program as a whole.
[[nodiscard]] const std::vector<Example>& ExamplesOf(const std::string& command);

// "\nExamples:\n  cpnlint src/   findings, ...\n"; empty where there are none.
[[nodiscard]] std::string ExamplesText(const std::string& command);

}  // namespace cpnlint::cli
