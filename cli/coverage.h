#pragma once

// What of a project a run reads: of the rest it cannot say that nothing in it needs something.

#include <filesystem>
#include <string>
#include <vector>

#include "cli/options.h"

namespace cpnlint::cli {

// Absolute, without `..` and a slash at the end; links are not followed.
[[nodiscard]] std::filesystem::path AbsolutePath(const std::filesystem::path& path);

// Whether a file or folder is named or lies below a folder that is; absolute as above.
[[nodiscard]] bool Reads(const Options& options, const std::filesystem::path& path);

// Whether the run reads whatever may import a file: all of the package or folder that it lies in.
[[nodiscard]] bool ReadsAllAround(const Options& options, const std::string& file);

// The paths that are named, as a file sees them from its folder; sorted. What a figure or list was made of.
[[nodiscard]] std::vector<std::string> PathsOver(const Options& options, const std::string& file);

}  // namespace cpnlint::cli
