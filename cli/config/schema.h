#pragma once

#include <string>

namespace cpnlint::cli::config {

// The JSON schema of cpnlint.toml and of [tool.cpnlint], for editors.
[[nodiscard]] std::string Schema();

}  // namespace cpnlint::cli::config
