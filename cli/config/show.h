#pragma once

// The settings in effect as text and JSON.

#include <optional>
#include <string>

#include "cli/config/configuration.h"

namespace cpnlint::cli::config {

// What holds where nobody says anything; nullopt where only words say what that is.
[[nodiscard]] std::optional<Value> DefaultOf(const Key& key);

// TOML that could be a configuration file, with who says each line. `options`: as Load has completed them.
[[nodiscard]] std::string ShowText(const Configuration& configuration, const Options& options);
[[nodiscard]] std::string ShowJson(const Configuration& configuration, const Options& options);

}  // namespace cpnlint::cli::config
