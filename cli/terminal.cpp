#include "cli/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
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
