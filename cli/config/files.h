#pragma once

// Configuration files on disk: where they are looked for, what one says, what it extends.

#include <optional>
#include <string>
#include <vector>

#include "cli/config/keys.h"

namespace cpnlint::cli::config {

// The configuration file of a folder: .cpnlint.toml, cpnlint.toml, or a pyproject.toml with [tool.cpnlint]; nullopt
// where there is none.
struct FoundFile {
  std::string path;  // absolute
  Value table;       // its settings
};
[[nodiscard]] Result<std::optional<FoundFile>> FileIn(const std::string& folder);
// One that is named: by --config, by `extend`, or the user's.
[[nodiscard]] Result<FoundFile> ReadConfigFile(const std::string& path);

// The settings of a table, or everything that is wrong with them, a line each. `name`: as Origin::name.
[[nodiscard]] Result<Settings> SettingsOf(const Value& table, const Origin& origin);

// `path` as the file at `from` means it: `~/` is the user's folder, others are relative to the file's. Absolute.
[[nodiscard]] std::string PathFrom(const std::string& from, const std::string& path);
[[nodiscard]] std::string FolderOf(const std::string& path);

// $XDG_CONFIG_HOME/cpnlint/cpnlint.toml or ~/.config/cpnlint/cpnlint.toml; empty where neither is known.
[[nodiscard]] std::string UserFile();

}  // namespace cpnlint::cli::config
