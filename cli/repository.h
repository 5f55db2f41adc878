#pragma once

// What formats for sites need of the files around a run.

#include <filesystem>

#include "cli/report/document.h"

namespace cpnlint::cli {

// The folder that paths on a site start from: the checkout that GitLab names; else the nearest folder upwards that
// holds a repository; else the checkout that another CI system names; else `folder` itself.
[[nodiscard]] std::filesystem::path RepositoryOf(const std::filesystem::path& folder);

// Reads the files with findings once more, as bytes, for Document::line_hashes. A file that cannot be read (standard
// input) has none: then the site makes its own.
void AddLineHashes(report::Document& document);

}  // namespace cpnlint::cli
