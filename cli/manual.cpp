// The manual page, made of the same table as the help and the completions.

#include <algorithm>

#include "cli/commands.h"
#include "cli/examples.h"

namespace cpnlint::cli {
namespace {

// Text for troff: no request at the start of a line, no escape, and a hyphen that can be copied.
std::string Escaped(std::string_view text) {
  std::string out = text.starts_with('.') || text.starts_with('\'') ? "\\&" : "";
  for (const char c : text) {
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
  }
  return out;
}

std::string Paragraph(std::string_view text) { return ".PP\n" + Escaped(text) + "\n"; }

// ".TP", what is explained, the explanation.
std::string Entry(const std::string& term, std::string_view explanation) {
  return ".TP\n" + term + "\n" + Escaped(explanation) + "\n";
}

std::string Bold(std::string_view text) { return "\\fB" + Escaped(text) + "\\fR"; }
std::string Italic(std::string_view text) { return "\\fI" + Escaped(text) + "\\fR"; }

std::string OptionText(const OptionInfo& option) {
  std::string term = option.short_name.empty() ? "" : Bold(option.short_name) + ", ";
  term += Bold(option.name);
  if (option.takes_value) term += "=" + Italic(option.type.empty() ? "VALUE" : option.type);
  return Entry(term, option.summary);
}

// Options under the headings that the help has them under.
std::string OptionsText(const std::vector<OptionInfo>& options) {
  std::vector<std::string> groups;
  for (const OptionInfo& option : options) {
    if (std::find(groups.begin(), groups.end(), option.group) == groups.end()) groups.push_back(option.group);
  }
  std::string out;
  for (const std::string& group : groups) {
    if (groups.size() > 1) out += ".SS " + Escaped(group) + "\n";
    for (const OptionInfo& option : options) {
      if (option.group == group) out += OptionText(option);
    }
  }
  return out;
}

std::string CommandsText() {
  std::string out;
  for (const CommandInfo& command : Commands()) out += Entry(Bold(command.name), command.summary);
  return out;
}

}  // namespace

int RunManual(const Options&) {
  std::string out = ".TH CPNLINT 1 \"\" \"cpnlint " CPNLINT_VERSION "\" \"User Commands\"\n";
  out += ".SH NAME\ncpnlint \\- static readiness checks for NumPy code on its way to cuPyNumeric\n";
  out += ".SH SYNOPSIS\n" + Bold("cpnlint") + " [" + Italic("COMMAND") + "] [" + Italic("OPTIONS") + "] [" +
         Italic("PATH") + "...]\n";
  out += ".SH DESCRIPTION\n";
  out += Escaped(
             "Reads NumPy programs and notebooks and tells what keeps them from running and scaling on GPUs under "
             "cuPyNumeric, what that costs, and what to mend first. It works from the source alone.") +
         "\n";
  out += Paragraph(
      "Without a command, check is meant; without a path, the current folder; the path - is standard input. @FILE "
      "stands "
      "for arguments in a file, one per line.");
  out += ".SH COMMANDS\n" + CommandsText();
  out += ".SH OPTIONS OF CHECK, REPORT AND PREDICT\n" + OptionsText(OptionsOf("check"));
  for (const CommandInfo& command : Commands()) {
    if (command.name == "check" || command.name == "report" || command.name == "predict") continue;
    std::vector<OptionInfo> options = OptionsOf(command.name);
    std::erase_if(options, [](const OptionInfo& option) { return option.name == "--help"; });
    if (options.empty()) continue;
    std::string name = command.name;
    std::transform(name.begin(), name.end(), name.begin(), [](char c) { return c >= 'a' && c <= 'z' ? c - 32 : c; });
    for (OptionInfo& option : options) option.group.clear();
    out += ".SH OPTIONS OF " + Escaped(name) + "\n" + OptionsText(options);
  }
  out += ".SH EXIT STATUS\n";
  out += Entry("0", "nothing at or above --fail-on");
  out += Entry("1", "findings");
  out += Entry("2", "bad usage, unreadable input or environment; standard error tells what and what to do");
  out += ".SH ENVIRONMENT\n";
  out += Entry(Bold("NO_COLOR") + ", " + Bold("FORCE_COLOR") + ", " + Bold("CLICOLOR") + ", " + Bold("CLICOLOR_FORCE"),
               "colours, where --color is auto");
  out += Entry(Bold("FORCE_HYPERLINK") + ", " + Bold("NO_TERM_HYPERLINKS"),
               "whether file names are links on a terminal (1, 0; not empty: no)");
  out += Entry(Bold("COLUMNS"), "width of the output, where it is no terminal");
  out += Entry(Bold("CI_PROJECT_DIR") + ", " + Bold("GITHUB_WORKSPACE") + ", " + Bold("BUILD_SOURCESDIRECTORY"),
               "the checkout, where paths for sites start from; else the folder of the repository");
  out += ".SH EXAMPLES\n";
  for (const Example& example : ExamplesOf("")) out += Entry(Bold(example.command), example.meaning);
  return PrintResult(out);
}

}  // namespace cpnlint::cli
