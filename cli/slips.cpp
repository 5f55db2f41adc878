#include "cli/slips.h"

#include <algorithm>

#include <CLI/CLI.hpp>

#include "cli/near.h"

namespace cpnlint::cli {
namespace {

std::vector<std::string> OptionNames(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

// "FILE", "bash|zsh|fish", "NAME|FILE, 2 at least".
std::string Wanted(const CLI::Option& option) {
  const int least = option.get_items_expected_min();
  return option.get_type_name() + (least > 1 ? ", " + std::to_string(least) + " at least" : "");
}

}  // namespace

std::string WithoutText(const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    if (word == "--") break;
    if (word.starts_with("--") && word.find('=') == word.size() - 1) return word.substr(0, word.size() - 1);
  }
  return {};
}

std::string LeftOver(const CLI::App& app, const std::vector<std::string>& rest) {
  const auto option = std::find_if(rest.begin(), rest.end(),
                                   [](const std::string& word) { return word.size() > 1 && word.front() == '-'; });
  if (option == rest.end())
    return "`" + rest.front() + "` is one argument too many; see `" + app.get_name() + " --help`";
  const std::string name = option->substr(0, option->find('='));
  return "there is no option `" + name + "`" + DidYouMean(name, OptionNames(app)) + " (`" + app.get_name() +
         " --help` lists them)";
}

std::string Lacking(const CLI::App& app) {
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_required() && option->count() < static_cast<std::size_t>(option->get_items_expected_min())) {
      return Wanted(*option);
    }
  }
  return "its arguments";
}

std::string WithoutValue(const CLI::App& app, const std::string& command, const std::string& message) {
  const std::string name = message.substr(0, message.find(':'));
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_name() != name) continue;
    if (!name.starts_with('-')) {
      const bool more = option->count() > static_cast<std::size_t>(option->get_items_expected_max());
      return more ? command + ": takes " + option->get_type_name() + " and nothing more"
                  : command + ": say what: " + Wanted(*option);
    }
    if (message.ends_with(" missing")) return name + " needs " + option->get_type_name() + " behind it";
  }
  return message;
}

}  // namespace cpnlint::cli
