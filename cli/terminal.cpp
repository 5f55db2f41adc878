#include "cli/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <initializer_list>
#include <string>
#include <string_view>

namespace cpnlint::cli {
namespace {

std::string_view Variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string_view() : std::string_view(value);
}

bool Forces(const char* name) { return !Variable(name).empty() && Variable(name) != "0"; }

constexpr std::uint32_t kLeastColumns = 20;  // less is no layout but a mistake
constexpr std::uint32_t kMostColumns = 1000;

}  // namespace

bool WantsColor(Color color) {
  if (color != Color::kAuto) return color == Color::kAlways;
  if (!Variable("NO_COLOR").empty()) return false;
  if (Forces("FORCE_COLOR") || Forces("CLICOLOR_FORCE")) return true;
  if (Variable("FORCE_COLOR") == "0" || Variable("CLICOLOR") == "0" || Variable("TERM") == "dumb") return false;
  return isatty(STDOUT_FILENO) != 0;
}

bool WantsHyperlinks(bool color) {
  if (!color) return false;
  if (!Variable("FORCE_HYPERLINK").empty()) return Variable("FORCE_HYPERLINK") != "0";
  if (!Variable("NO_TERM_HYPERLINKS").empty() || isatty(STDOUT_FILENO) == 0) return false;
  for (const char* name : {"KITTY_WINDOW_ID", "WT_SESSION", "KONSOLE_VERSION", "DOMTERM", "WEZTERM_PANE"}) {
    if (!Variable(name).empty()) return true;
  }
  // VTE, which GNOME's terminal and others are made of, took them for something else before 0.50.
  constexpr long kFirstVte = 5000;
  if (std::strtol(std::string(Variable("VTE_VERSION")).c_str(), nullptr, 10) >= kFirstVte) return true;
  const auto is_one_of = [](std::string_view word, std::initializer_list<std::string_view> known) {
    return std::find(known.begin(), known.end(), word) != known.end();
  };
  return is_one_of(Variable("TERM_PROGRAM"), {"iTerm.app", "WezTerm", "vscode", "ghostty", "Hyper", "rio"}) ||
         is_one_of(Variable("TERM"), {"xterm-kitty", "alacritty", "foot", "foot-extra", "xterm-ghostty", "wezterm"});
}

std::uint32_t TerminalWidth() {
  if (const long columns = std::strtol(std::string(Variable("COLUMNS")).c_str(), nullptr, 10);
      columns >= kLeastColumns && columns <= kMostColumns) {
    return static_cast<std::uint32_t>(columns);
  }
  winsize size{};
  if (isatty(STDOUT_FILENO) == 0 || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0) return 0;
  return size.ws_col < kLeastColumns ? 0 : size.ws_col;
}

bool ErrorIsTerminal() { return isatty(STDERR_FILENO) != 0; }

}  // namespace cpnlint::cli
