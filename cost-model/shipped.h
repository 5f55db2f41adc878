#pragma once

// The profile files that are compiled in. The source is made by the build from the files present in rulesets/profiles.

#include <span>
#include <string_view>

namespace cpnlint::cost {

struct ShippedFile {
  std::string_view name;  // "h100-sxm"
  std::string_view text;
};
[[nodiscard]] std::span<const ShippedFile> ShippedFiles();  // by name

}  // namespace cpnlint::cost
