#pragma once

// What to say of a command line that CLI11 does not take, in words that a reader need not take apart.

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace cpnlint::cli {

// The option of a word `--exclude=`, for which CLI11 would take the next word; empty where there is none.
[[nodiscard]] std::string WithoutText(const std::vector<std::string>& words);

// Of words that nothing takes, not none.
[[nodiscard]] std::string LeftOver(const CLI::App& app, const std::vector<std::string>& rest);

// What the command cannot do without.
[[nodiscard]] std::string Lacking(const CLI::App& app);

// For "--baseline: 1 required FILE missing", "place: At least 2 required but received 1".
[[nodiscard]] std::string WithoutValue(const CLI::App& app, const std::string& command, const std::string& message);

}  // namespace cpnlint::cli
