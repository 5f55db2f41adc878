#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cpnlint::report {

// One user-perceived character as a terminal shows it: a base character with what joins it (combining marks, variation
// selectors, emoji joined by U+200D, skin tones, the second half of a flag).
struct Cluster {
  std::uint32_t begin = 0;  // byte offsets into the text
  std::uint32_t end = 0;
  std::uint32_t cell = 0;   // 0-based column on the terminal, tabs expanded
  std::uint32_t width = 0;  // cells: 0, 1, 2; a tab up to kTabWidth
};

inline constexpr std::uint32_t kTabWidth = 4;

// Reads the character at text[at] and moves `at` behind it. What is not UTF-8 gives U+FFFD and moves one byte.
char32_t NextCharacter(std::string_view text, std::size_t& at);

// Cells of one character by itself: 0 for marks and format characters, 2 for wide ones, 1 for the rest (control
// characters are shown as pictures of one cell).
std::uint32_t CharacterWidth(char32_t character);

// The clusters of one line (without its end), in order; a byte-order mark at its start is left out.
std::vector<Cluster> Clusters(std::string_view line);

// Cells of a text without tabs.
std::uint32_t DisplayWidth(std::string_view text);

// What a terminal may be given for one cluster: tabs as blanks, control characters as pictures (U+2400...), characters
// that reorder text (bidirectional controls) as U+FFFD, the rest as it is.
void AppendPrintable(std::string_view line, const Cluster& cluster, std::string& out);

// The same for a text of one line (messages, paths).
std::string Printable(std::string_view text);

}  // namespace cpnlint::report
