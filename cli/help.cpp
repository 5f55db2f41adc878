#include "cli/help.h"

#include <algorithm>
#include <string_view>

#include "cli/examples.h"
#include "cli/options.h"

namespace cpnlint::cli {
namespace {

// Commands whose names begin so, a line each.
std::string CommandLines(std::string_view beginning) {
  std::string text;
  for (const CommandInfo& command : Commands()) {
    if (!command.name.starts_with(beginning)) continue;
    std::string name = "  " + command.name;
    name.resize(std::max<std::size_t>(name.size() + 2, 19), ' ');
    text += name + command.summary + "\n";
  }
  return text;
}

}  // namespace

std::string RootHelp() {
  std::string text =
      "Find out from the source what keeps NumPy code from running and scaling on GPUs under cuPyNumeric.\n\n"
      "Usage: cpnlint [COMMAND] [OPTIONS] [PATH...]\n\nCommands:\n" +
      CommandLines("") + ExamplesText("");
  text +=
      "\n`cpnlint COMMAND --help` lists a command's options; without a command, `check` is meant. A path that is "
      "called\n"
      "like a command is written with ./ before it. @FILE stands for arguments in a file, one per line.\n\n"
      "Exit codes: 0 nothing at or above --fail-on, 1 findings, 2 bad usage or unreadable input.\n";
  return text;
}

std::string GroupHelp(const std::string& group) {
  std::string text = "Usage: cpnlint " + group + " COMMAND\n\nCommands:\n" + CommandLines(group + ' ');
  std::string examples;
  for (const CommandInfo& command : Commands()) {
    if (!command.name.starts_with(group + ' ')) continue;
    examples += "  " + ExamplesOf(command.name).front().command + '\n';
  }
  return text + "\nExamples:\n" + examples + "\n`cpnlint " + group + " COMMAND --help` lists a command's options.\n";
}

}  // namespace cpnlint::cli
