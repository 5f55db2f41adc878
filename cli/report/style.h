#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "rules/engine/finding.h"

namespace cpnlint::report {

// How a text may look where it goes.
struct Style {
  bool color = false;
  bool quiet = false;       // findings, nothing else
  bool verbose = false;     // notes that are otherwise only counted
  bool statistics = false;  // a table of counts in place of the findings
  std::uint32_t width = 0;  // columns of the terminal; 0 where there is none
  // Absolute folder that paths start from, where names of files are to be links of the terminal; else empty.
  std::string links;
};

enum class Paint : std::uint8_t { kNone, kError, kWarning, kInfo, kGood, kHelp, kPath, kGutter, kBold };

[[nodiscard]] Paint PaintOf(rules::Severity severity);

// Appends the name of a place in a file, which on some terminals opens it. `path`: any bytes.
void AppendPlace(std::string& out, const Style& style, std::string_view text, const std::string& path);

// RFC 3986: unreserved characters and the slash stay.
[[nodiscard]] std::string PercentEncode(std::string_view path);

// Appends the text in its colour; as it is where there are no colours.
void Append(std::string& out, const Style& style, Paint paint, std::string_view text);

}  // namespace cpnlint::report
