#pragma once

// What GitHub's upload action calls primaryLocationLineHash: it tells findings apart from one upload to the next, and
// the action warns where ours is another than its own.

#include <string>
#include <string_view>
#include <vector>

namespace cpnlint::report {

// The hash of each line, with its number among equal ones, "a7f2ff13bc495cf2:2", for a text with line ends of any kind.
// Empty for bytes that are not UTF-8: how the action reads those is not known.
[[nodiscard]] std::vector<std::string> LineHashes(std::string_view text);

}  // namespace cpnlint::report
