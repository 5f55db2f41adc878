// cpnlint config show, schema, explain.

#include "cli/config/show.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/config/schema.h"
#include "cli/near.h"
#include "cli/output.h"

namespace cpnlint::cli {
namespace config {
namespace {

using Json = nlohmann::ordered_json;
using Kind = Value::Kind;

std::string Dump(const Json& json) { return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"; }

// The values of settings are at most two levels deep: a table of lists.
Json ScalarJson(const Value& value) {
  switch (value.kind) {
    case Kind::kBoolean: return value.truth;
    case Kind::kInteger: return value.integer;
    case Kind::kNumber: return value.number;
    case Kind::kText: return value.text;
    default: return nullptr;
  }
}

Json ListJson(const Value& value) {
  if (value.kind != Kind::kList) return ScalarJson(value);
  Json list = Json::array();
  for (const Value& item : value.items) list.push_back(ScalarJson(item));
  return list;
}

Json ValueJson(const Value& value) {
  if (value.kind != Kind::kTable) return ListJson(value);
  Json table = Json::object();
  for (std::size_t i = 0; i < value.items.size(); ++i) table[value.names[i]] = ListJson(value.items[i]);
  return table;
}

// A line of what is in effect: a key, or an entry of a table.
struct Row {
  const Key* key = nullptr;
  std::string name;  // as TOML spells it: `severity.R104`
  Value value;
  std::vector<std::string> origins;
};

void AddOrigin(Row& row, const Origin& origin) {
  const std::string text = Describe(origin);
  if (std::find(row.origins.begin(), row.origins.end(), text) == row.origins.end()) row.origins.push_back(text);
}

// Where in its file an entry of a table stands; of an entry that is said elsewhere nowhere.
Origin OriginOf(const Setting& setting, const std::string& entry) {
  Origin origin = setting.origin;
  const auto take = [&](Point at) {
    if (at.line != 0 && origin.at.line != 0) origin.at = at;
  };
  if (setting.key->type == Type::kAssumptions) {
    for (const Binding& binding : Bindings(setting.value)) {
      if (binding.name == entry) take(binding.at);
    }
    return origin;
  }
  for (std::size_t i = 0; i < setting.value.names.size(); ++i) {
    if (setting.value.names[i] == entry) take(setting.value.items[i].name_at);
  }
  return origin;
}

// The entries of a table, each from the last place that has it.
std::vector<Row> EntryRows(const Key& key, const std::vector<const Setting*>& parts) {
  std::vector<Row> rows;
  for (const Setting* part : parts) {
    const Value table = Merged(key, std::vector{part, part});  // bindings as a table
    for (std::size_t i = 0; i < table.items.size(); ++i) {
      Row row = {&key, std::string(key.name) + '.' + KeyToToml(table.names[i]), table.items[i], {}};
      AddOrigin(row, OriginOf(*part, table.names[i]));
      const auto known = std::find_if(rows.begin(), rows.end(), [&](const Row& one) { return one.name == row.name; });
      if (known == rows.end()) {
        rows.push_back(std::move(row));
      } else {
        *known = std::move(row);
      }
    }
  }
  return rows;
}

std::vector<Row> RowsOf(const Key& key, const Configuration& configuration) {
  const std::vector<const Setting*> parts = configuration.PartsOf(key);
  if (parts.empty()) return {};
  if (key.merge == Merge::kEntries) return EntryRows(key, parts);
  Row row = {&key, key.name, Merged(key, parts), {}};
  for (const Setting* part : parts) AddOrigin(row, part->origin);
  return {row};
}

std::string Joined(const std::vector<std::string>& words) { return fmt::format("{}", fmt::join(words, ", ")); }

std::vector<std::string> RulesShown(const Options& options) {
  std::vector<std::string> codes;
  for (const rules::Rule* rule : rules::AllRules()) {
    if (options.selection.Includes(*rule)) codes.push_back(rules::CodeText(*rule));
  }
  return codes;
}

// The option that does the same; empty where there is none.
std::string OptionOf(const Key& key) {
  for (const OptionInfo& option : OptionsOf("check")) {
    if (option.name == key.option) return option.name;
  }
  return "";
}

// What the command line says and no file can say.
std::string OptionsWithoutKey(const Options& options) {
  std::vector<std::string> names;
  for (const std::string& name : options.given) {
    const bool has_key = std::any_of(Keys().begin(), Keys().end(), [&](const Key& key) { return name == key.option; });
    const bool of_config = name == "--config" || name == "--isolated" || name == "--show-settings";
    if (!has_key && !of_config) names.push_back(name);
  }
  return Joined(names);
}

bool IsExtend(const Key& key) { return std::string_view(key.name) == "extend"; }

// "cpnlint.toml:4, command line"; empty where nobody says anything.
std::string HereText(const Key& key, const Configuration& configuration) {
  std::string text;
  for (const Row& row : RowsOf(key, configuration)) {
    const std::string name = key.merge == Merge::kEntries ? row.name + " = " : "";
    text += fmt::format("  here         {}{}  ({})\n", name, ToToml(row.value), Joined(row.origins));
  }
  return text;
}

std::string Page(const Key& key, const Configuration* configuration) {
  std::string text = fmt::format("{}\n  {}\n\n", key.name, key.help);
  const auto row = [&](const char* name, const std::string& value) {
    if (!value.empty()) text += fmt::format("  {:<13}{}\n", name, value);
  };
  row("type", TypeText(key));
  row("default", key.fallback);
  row("option", OptionOf(key));
  row("environment", key.environment);
  row("holds for", key.scope == Scope::kFile ? "each file: the nearest configuration file upwards of it"
                   : key.check_only          ? "the whole run, of check"
                                             : "the whole run");
  if (configuration != nullptr) text += HereText(key, *configuration);
  std::string example = std::string(key.example) + '\n';
  text += '\n';
  for (std::size_t at = 0; at < example.size();) {
    const std::size_t end = example.find('\n', at);
    if (end > at) text += "    " + example.substr(at, end - at);
    text += '\n';
    at = end + 1;
  }
  return text;
}

Json KeyJson(const Key& key, const Configuration* configuration) {
  const auto or_null = [](const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); };
  Json json = {{"key", key.name},
               {"group", key.group},
               {"meaning", key.help},
               {"type", TypeText(key)},
               {"default", key.fallback},
               {"example", key.example},
               {"option", or_null(OptionOf(key))},
               {"environment", or_null(key.environment)},
               {"holds_for", key.scope == Scope::kFile ? "file" : "run"},
               {"check_only", key.check_only}};
  if (configuration == nullptr) return json;
  json["here"] = Json::array();
  for (const Row& row : RowsOf(key, *configuration)) {
    json["here"].push_back({{"name", row.name}, {"value", ValueJson(row.value)}, {"origins", row.origins}});
  }
  return json;
}

}  // namespace

std::optional<Value> DefaultOf(const Key& key) {
  const auto parsed = ParseToml(std::string("it = ") + key.fallback, "");
  if (!parsed) return std::nullopt;
  return *Find(*parsed, "it");
}

std::string ShowText(const Configuration& configuration, const Options& options) {
  const std::vector<std::string>& files = configuration.files();
  std::string text = files.empty() ? "# no configuration file\n" : fmt::format("# {}\n", fmt::join(files, " extends "));
  std::vector<std::pair<std::string, std::string>> lines;  // with what stands behind them
  const char* group = "";
  for (const Key& key : Keys()) {
    if (IsExtend(key)) continue;
    if (key.group != std::string_view(group)) {
      group = key.group;
      lines.emplace_back(fmt::format("\n# {}", group), "");
    }
    const std::vector<Row> rows = RowsOf(key, configuration);
    for (const Row& row : rows) {
      lines.emplace_back(fmt::format("{} = {}", row.name, ToToml(row.value)), Joined(row.origins));
    }
    if (!rows.empty()) continue;
    const std::optional<Value> fallback = DefaultOf(key);
    lines.emplace_back(fallback ? fmt::format("{} = {}", key.name, ToToml(*fallback))
                                : fmt::format("# {}: {}", key.name, key.fallback),
                       "default");
  }
  constexpr std::size_t kColumn = 44;
  for (const auto& [line, origin] : lines) {
    text += origin.empty() ? line + '\n' : fmt::format("{:<{}}  # {}\n", line, kColumn, origin);
  }
  if (const std::string others = OptionsWithoutKey(options); !others.empty()) {
    text += "\n# on the command line besides: " + others + '\n';
  }
  return text + fmt::format("\n# rules shown: {}\n", fmt::join(RulesShown(options), ", "));
}

std::string ShowJson(const Configuration& configuration, const Options& options) {
  Json json = {{"files", configuration.files()}, {"settings", Json::array()}, {"rules", RulesShown(options)}};
  for (const Key& key : Keys()) {
    if (IsExtend(key)) continue;
    Json origins = Json::array();
    Json value = key.merge == Merge::kEntries ? Json::object() : Json(nullptr);
    Json entry_origins = Json::object();
    for (const Row& row : RowsOf(key, configuration)) {
      if (key.merge == Merge::kEntries) {
        const std::string name = row.name.substr(std::string(key.name).size() + 1);
        const std::string bare = name.starts_with('"') ? name.substr(1, name.size() - 2) : name;
        value[bare] = ValueJson(row.value);
        entry_origins[bare] = row.origins.front();  // a later one takes the place of the whole entry
      } else {
        value = ValueJson(row.value);
      }
      for (const std::string& origin : row.origins) {
        if (std::find(origins.begin(), origins.end(), origin) == origins.end()) origins.push_back(origin);
      }
    }
    if (origins.empty()) {
      origins.push_back("default");
      if (const std::optional<Value> fallback = DefaultOf(key)) value = ValueJson(*fallback);
    }
    json["settings"].push_back({{"key", key.name}, {"value", std::move(value)}, {"origins", std::move(origins)}});
    if (!entry_origins.empty()) json["settings"].back()["entry_origins"] = std::move(entry_origins);
  }
  return Dump(json);
}

}  // namespace config

int RunConfigShow(const Options& given) {
  Options options = given;
  for (const std::string& path : options.arguments) {
    std::error_code ignored;
    if (path == "-" || std::filesystem::exists(path, ignored)) continue;
    Complain("config show: no such file or folder: `" + path + '`');
    return kTrouble;
  }
  const bool json = options.formats.front() == "json";
  auto configuration = config::Configuration::Load(options);
  if (!configuration) {
    Complain(configuration.error().message);
    return kTrouble;
  }
  return PrintResult(json ? config::ShowJson(**configuration, options) : config::ShowText(**configuration, options));
}

int RunConfigSchema(const Options&) { return PrintResult(config::Schema()); }

int RunConfigExplain(const Options& given) {
  const bool json = !given.formats.empty() && given.formats.front() == "json";
  std::vector<const config::Key*> keys;
  std::vector<std::string> names;
  for (const config::Key& key : config::Keys()) names.emplace_back(key.name);
  for (const std::string& name : given.arguments) {
    keys.push_back(config::FindKey(name));
    if (keys.back() != nullptr) continue;
    Complain("config explain: there is no key `" + name + '`' + DidYouMean(name, names) +
             " (`cpnlint config explain` lists them)");
    return kTrouble;
  }
  std::string text;
  config::Json list = config::Json::array();
  if (keys.empty()) {
    for (const config::Key& key : config::Keys()) {
      text += fmt::format("{:<25}{}\n", key.name, key.help);
      list.push_back(config::KeyJson(key, nullptr));
    }
    return PrintResult(json ? config::Dump(list) : text);
  }
  Options options = given;
  options.arguments.clear();
  auto configuration = config::Configuration::Load(options);
  if (!configuration) Complain(configuration.error().message);  // the page is what mends it
  const config::Configuration* here = configuration ? configuration->get() : nullptr;
  for (const config::Key* key : keys) {
    text += (text.empty() ? "" : "\n") + config::Page(*key, here);
    list.push_back(config::KeyJson(*key, here));
  }
  return PrintResult(json ? config::Dump(list) : text, here == nullptr ? kTrouble : kOk);
}

}  // namespace cpnlint::cli
