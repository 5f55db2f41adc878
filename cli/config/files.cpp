#include "cli/config/files.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <fmt/format.h>

#include "analyzer/source/file.h"
#include "cli/near.h"

namespace cpnlint::cli::config {
namespace {

namespace fs = std::filesystem;

constexpr const char* kProject = "pyproject.toml";
constexpr const char* kNames[] = {".cpnlint.toml", "cpnlint.toml", kProject};
constexpr std::uintmax_t kLargest = 10'000'000;

Result<std::string> ReadText(const std::string& path) {
  std::error_code error;
  const std::string shown = source::ShownPath(path);
  if (!fs::exists(path, error)) return Fail("there is no configuration file `" + shown + "`");
  if (fs::is_directory(path, error)) return Fail("`" + shown + "` is a folder; name the configuration file in it");
  const std::uintmax_t size = fs::file_size(path, error);
  if (!error && size > kLargest) return Fail(shown + ": too large for a configuration file");
  std::ifstream file(path, std::ios::binary);
  std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (!file) return Fail(shown + ": cannot be read; make it readable, or pass --isolated to do without it");
  return text;
}

// The settings in a file's text; nullopt for a pyproject.toml that says nothing of cpnlint.
Result<std::optional<Value>> TableOf(const std::string& path, const std::string& text) {
  const bool project = fs::path(path).filename() == kProject;
  // Trees hold broken ones for the tests of other tools; they are none of our business.
  if (project && text.find("cpnlint") == std::string::npos) return std::optional<Value>();
  const std::string shown = source::ShownPath(path);
  auto document = ParseToml(text, shown);
  if (!document) return tl::make_unexpected(document.error());
  if (!project) return std::optional(std::move(*document));
  const Value* tool = Find(*document, "tool");
  const Value* ours = tool == nullptr ? nullptr : Find(*tool, "cpnlint");
  if (ours == nullptr) return std::optional<Value>();
  if (ours->kind != Value::Kind::kTable) {
    return Fail(fmt::format("{}:{}:{}: `tool.cpnlint` has to be a table, and this is {}", shown, ours->at.line,
                            ours->at.column, KindName(*ours)));
  }
  return std::optional(*ours);
}

std::vector<std::string> KeyNames() {
  std::vector<std::string> names;
  for (const Key& key : Keys()) names.emplace_back(key.name);
  return names;
}

std::string Home() {
  const char* home = std::getenv("HOME");
  return home == nullptr ? "" : home;
}

}  // namespace

Result<std::optional<FoundFile>> FileIn(const std::string& folder) {
  for (const char* name : kNames) {
    const std::string path = folder == "/" ? folder + name : folder + '/' + name;
    std::error_code ignored;
    if (!fs::is_regular_file(path, ignored)) continue;
    auto text = ReadText(path);
    if (!text) return tl::make_unexpected(text.error());
    auto table = TableOf(path, *text);
    if (!table) return tl::make_unexpected(table.error());
    if (*table) return std::optional(FoundFile{path, std::move(**table)});
  }
  return std::optional<FoundFile>();
}

Result<FoundFile> ReadConfigFile(const std::string& path) {
  auto text = ReadText(path);
  if (!text) return tl::make_unexpected(text.error());
  auto table = TableOf(path, *text);
  if (!table) return tl::make_unexpected(table.error());
  if (!*table) return Fail(source::ShownPath(path) + ": has no table [tool.cpnlint]");
  return FoundFile{path, std::move(**table)};
}

Result<Settings> SettingsOf(const Value& table, const Origin& origin) {
  Settings settings;
  std::string wrong;
  const auto tell = [&](Point at, const std::string& message) {
    if (!wrong.empty()) wrong += '\n';
    wrong += origin.place == Place::kInline ? "--config" : fmt::format("{}:{}:{}", origin.name, at.line, at.column);
    wrong += ": " + message;
  };
  for (std::size_t i = 0; i < table.items.size(); ++i) {
    const Value& value = table.items[i];
    const Key* key = FindKey(table.names[i]);
    if (key == nullptr) {
      tell(value.name_at, fmt::format("there is no key `{}`{} (`cpnlint config explain` lists them)", table.names[i],
                                      DidYouMean(table.names[i], KeyNames())));
      continue;
    }
    const std::vector<Problem> problems = Check(*key, value);
    for (const Problem& problem : problems) tell(problem.at, problem.message);
    if (!problems.empty()) continue;
    settings.push_back({key, value, origin});
    settings.back().origin.at = value.name_at;
  }
  if (!wrong.empty()) return Fail(wrong);
  return settings;
}

std::string PathFrom(const std::string& from, const std::string& path) {
  if (path.starts_with("~/") && !Home().empty()) return (fs::path(Home()) / path.substr(2)).lexically_normal().string();
  return (fs::path(FolderOf(from)) / path).lexically_normal().string();
}

std::string FolderOf(const std::string& path) { return fs::path(path).parent_path().string(); }

std::string UserFile() {
  const char* base = std::getenv("XDG_CONFIG_HOME");
  // The specification: a path that is not absolute does not count.
  if (base != nullptr && *base == '/') return std::string(base) + "/cpnlint/cpnlint.toml";
  return Home().empty() ? "" : Home() + "/.config/cpnlint/cpnlint.toml";
}

}  // namespace cpnlint::cli::config
