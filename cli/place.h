#pragma once

// Places as the output names them and people paste them back.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "cli/report/document.h"

namespace cpnlint::cli {

struct FilePlace {
  std::string path;
  std::uint32_t cell = 0;  // of a notebook, else 0
  std::uint32_t line = 0;
};

// "a.py:12", "n.ipynb:cell 3:12", with or without the column; nullopt where it is something else.
[[nodiscard]] std::optional<FilePlace> SplitPlace(std::string_view text);

// Whether a file of the output is meant by a path that somebody wrote: the same one, or the end of it.
[[nodiscard]] bool NamesFile(const std::string& written, const std::string& file);
[[nodiscard]] bool IsAt(const FilePlace& place, const report::Point& point);

}  // namespace cpnlint::cli
