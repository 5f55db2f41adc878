#include "cli/commands.h"

namespace cpnlint::cli {
namespace {

std::string Words(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

// A word in single quotes, for any of the shells.
std::string Quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

std::string FirstWord(const std::string& name) { return name.substr(0, name.find(' ')); }

std::vector<std::string> TopLevel() {
  std::vector<std::string> names;
  for (const CommandInfo& command : Commands()) {
    const std::string name = FirstWord(command.name);
    if (names.empty() || names.back() != name) names.push_back(name);
  }
  return names;
}

// The commands of two words, by the first: "inspect" -> "ir facts work why".
std::vector<std::pair<std::string, std::string>> Groups() {
  std::vector<std::pair<std::string, std::string>> groups;
  for (const CommandInfo& command : Commands()) {
    const std::string first = FirstWord(command.name);
    if (first == command.name) continue;
    if (groups.empty() || groups.back().first != first) groups.emplace_back(first, "");
    std::string& kinds = groups.back().second;
    kinds += (kinds.empty() ? "" : " ") + command.name.substr(first.size() + 1);
  }
  return groups;
}

std::vector<std::string> OptionNames(const std::string& command) {
  std::vector<std::string> names;
  for (const OptionInfo& option : OptionsOf(command)) names.push_back(option.name);
  return names;
}

// What a command is for; of a group, what its kinds are.
std::string SummaryOf(const CommandInfo& command) {
  const std::string first = FirstWord(command.name);
  for (const auto& [group, kinds] : Groups()) {
    if (group == first) return "one of: " + kinds;
  }
  return command.summary;
}

std::string RuleWords() {
  std::vector<std::string> words;
  for (const rules::Rule* rule : rules::AllRules()) {
    words.push_back(rules::CodeText(*rule));
    words.emplace_back(rule->slug);
  }
  return Words(words);
}

constexpr const char* kSelectors = "ALL scales blocks refactor info memory";

std::string Bash() {
  std::string out =
      "# bash completion for cpnlint: eval \"$(cpnlint completions bash)\"\n"
      "_cpnlint() {\n"
      "  local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
      "  local command=check words=''\n"
      "  case ${COMP_WORDS[1]-} in\n    ";
  std::string names;
  for (const std::string& name : TopLevel()) names += (names.empty() ? "" : "|") + name;
  out += names + ") command=${COMP_WORDS[1]} ;;\n  esac\n";
  std::string groups;
  for (const auto& [group, kinds] : Groups()) groups += (groups.empty() ? "" : "|") + group;
  out +=
      "  if [[ $command == @(" + groups + ") && $COMP_CWORD -gt 2 ]]; then command=\"$command ${COMP_WORDS[2]}\"; fi\n";
  out += "  case $before in\n    --select|--ignore|--extend-select|--extend-ignore) words='" + std::string(kSelectors) +
         " " + RuleWords() + "' ;;\n";
  for (const OptionInfo& option : OptionsOf("check")) {
    if (!option.values.empty() && option.name != "--output-format") {
      out += "    " + option.name + ") words='" + Words(option.values) + "' ;;\n";
    }
  }
  out += "    --output-format)\n      case $command in\n";
  for (const std::string command : {"check", "report", "predict", "explain", "rules", "api"}) {
    for (const OptionInfo& option : OptionsOf(command)) {
      if (option.name == "--output-format") out += "        " + command + ") words='" + Words(option.values) + "' ;;\n";
    }
  }
  out += "      esac ;;\n  esac\n";
  out += "  if [[ -n $words ]]; then mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$current\"); return; fi\n";
  out += "  case $command in\n";
  for (const CommandInfo& command : Commands()) {
    out += "    " + Quoted(command.name) + ") words='" + Words(OptionNames(command.name));
    if (command.name == "explain") out += " " + RuleWords();
    if (command.name == "completions") out += " bash zsh fish";
    out += "' ;;\n";
  }
  for (const auto& [group, kinds] : Groups()) out += "    " + group + ") words=" + Quoted(kinds) + " ;;\n";
  out += "  esac\n";
  out += "  if [[ $COMP_CWORD -eq 1 ]]; then words=\"$words " + Words(TopLevel()) + "\"; fi\n";
  out += "  mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$current\"; compgen -f -- \"$current\")\n}\n";
  out += "complete -o filenames -F _cpnlint cpnlint\n";
  return out;
}

std::string Zsh() {
  std::string out =
      "#compdef cpnlint\n# zsh completion for cpnlint: cpnlint completions zsh > \"${fpath[1]}/_cpnlint\"\n"
      "_cpnlint() {\n  local -a commands options\n  commands=(\n";
  std::string last;
  for (const CommandInfo& command : Commands()) {
    const std::string name = FirstWord(command.name);
    if (name == last) continue;
    last = name;
    out += "    " + Quoted(name + ":" + SummaryOf(command)) + "\n";
  }
  out += "  )\n  if (( CURRENT == 2 )); then _describe command commands; fi\n";
  out += "  local command=check\n  if (( ${commands[(I)${words[2]}:*]} )); then command=${words[2]}; fi\n";
  for (const auto& [group, kinds] : Groups()) {
    out += "  if [[ $command == " + group + " ]]; then\n    if (( CURRENT == 3 )); then _values kind " + kinds +
           "; return; fi\n    command=\"" + group + " ${words[3]}\"\n  fi\n";
  }
  out += "  case $command in\n";
  for (const CommandInfo& command : Commands()) {
    out += "    " + Quoted(command.name) + ") options=(\n";
    for (const OptionInfo& option : OptionsOf(command.name)) {
      std::string summary;
      for (const char c : option.summary) summary += c == '[' || c == ']' || c == ':' ? ' ' : c;
      std::string spec = "*" + option.name + "[" + summary + "]";
      if (option.takes_value) spec += ":value:" + (option.values.empty() ? "_files" : "(" + Words(option.values) + ")");
      out += "      " + Quoted(spec) + "\n";
    }
    if (command.name == "explain") {
      out += "      " + Quoted("*:rule:(" + RuleWords() + ")") + "\n";
    } else if (command.name == "completions") {
      out += "      '*:shell:(bash zsh fish)'\n";
    } else {
      out += "      '*:file:_files'\n";
    }
    out += "    ) ;;\n";
  }
  out += "  esac\n  _arguments -S $options\n}\n_cpnlint \"$@\"\n";
  return out;
}

std::string Fish() {
  std::string out =
      "# fish completion for cpnlint: cpnlint completions fish > ~/.config/fish/completions/cpnlint.fish\n";
  const std::string none = "not __fish_seen_subcommand_from " + Words(TopLevel());
  std::string last;
  for (const CommandInfo& command : Commands()) {
    const std::string name = FirstWord(command.name);
    if (name != last) {
      out += "complete -c cpnlint -n __fish_use_subcommand -a " + name + " -d " + Quoted(SummaryOf(command)) + "\n";
    }
    last = name;
    std::string condition = "__fish_seen_subcommand_from " + name;
    if (command.name == "check") condition = none + "; or " + condition;
    if (name != command.name) condition += "; and __fish_seen_subcommand_from " + command.name.substr(name.size() + 1);
    for (const OptionInfo& option : OptionsOf(command.name)) {
      out += "complete -c cpnlint -n " + Quoted(condition) + " -l " + option.name.substr(2) + " -d " +
             Quoted(option.summary);
      if (!option.values.empty()) {
        out += " -x -a " + Quoted(Words(option.values));
      } else if (option.takes_value) {
        out += " -r";
      }
      out += "\n";
    }
  }
  for (const auto& [group, kinds] : Groups()) {
    out += "complete -c cpnlint -n '__fish_seen_subcommand_from " + group + "' -a " + Quoted(kinds) + "\n";
  }
  out += "complete -c cpnlint -f -n '__fish_seen_subcommand_from explain' -a " + Quoted(RuleWords()) + "\n";
  out += "complete -c cpnlint -f -n '__fish_seen_subcommand_from completions' -a 'bash zsh fish'\n";
  return out;
}

}  // namespace

int RunCompletions(const Options& options) {
  const std::string& shell = options.arguments.front();
  return PrintResult(shell == "bash" ? Bash() : shell == "zsh" ? Zsh() : Fish());
}

}  // namespace cpnlint::cli
