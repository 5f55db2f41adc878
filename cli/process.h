#pragma once

// Runs another program, without a shell in between.

#include <string>
#include <vector>

#include "analyzer/base/result.h"

namespace cpnlint::cli {

struct Finished {
  int code = 0;  // 128 plus the signal's number where one ended it
  std::string out, err;
};

// The program of that name on PATH, in an absolute folder of it: what lies in the folder under analysis is never run.
// Empty where there is none.
[[nodiscard]] std::string FindProgram(const std::string& name);

// `arguments` without the program's own name. Standard input is empty. An error where it cannot be started, or says
// more than `most` bytes.
[[nodiscard]] Result<Finished> RunProgram(const std::string& program, std::vector<std::string> arguments,
                                          const std::vector<std::string>& environment, std::size_t most);

}  // namespace cpnlint::cli
