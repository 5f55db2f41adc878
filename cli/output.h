#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analyzer/base/result.h"

namespace cpnlint::cli {

// Writes to standard output. Where the reader has gone (`cpnlint . | head`) the rest is dropped without a word; another
// failure (a full disk) is an error.
[[nodiscard]] Result<int> WriteStandardOutput(std::string_view text);

struct FileContent {
  std::string path;
  std::string content;
};
// Writes all files or none: first beside their places under other names, then renamed. What is no regular file (a pipe,
// /dev/stderr) is written directly.
[[nodiscard]] Result<int> WriteFiles(const std::vector<FileContent>& files);

// "cpnlint: MESSAGE" on standard error.
void Complain(std::string_view message);

}  // namespace cpnlint::cli
