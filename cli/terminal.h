#pragma once

#include <cstdint>

#include "cli/options.h"

namespace cpnlint::cli {

// Whether text on standard output is coloured. --color, then NO_COLOR (not empty: off), then FORCE_COLOR (not empty and
// not 0: on) and CLICOLOR_FORCE (the same), then CLICOLOR=0 or TERM=dumb (off), then whether it is a terminal.
[[nodiscard]] bool WantsColor(Color color);

// Whether file names on standard output are links (OSC 8): never without colours; else FORCE_HYPERLINK (not empty: on,
// and 0: off), NO_TERM_HYPERLINKS (not empty: off), then whether it is a terminal that is known to have them.
[[nodiscard]] bool WantsHyperlinks(bool color);

// Columns of the terminal that standard output is: COLUMNS, else what the terminal says; 0 where it is none.
[[nodiscard]] std::uint32_t TerminalWidth();

[[nodiscard]] bool ErrorIsTerminal();

}  // namespace cpnlint::cli
