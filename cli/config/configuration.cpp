#include "cli/config/configuration.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <set>
#include <string_view>
#include <utility>

#include "analyzer/source/file.h"
#include "analyzer/source/ignore.h"
#include "cli/config/files.h"

namespace cpnlint::cli::config {
namespace {

namespace fs = std::filesystem;

constexpr const char* kConfigVariable = "CPNLINT_CONFIG";

std::string Variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

bool IsFolder(const std::string& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

// The deepest folder that holds all that is named: what speaks about the run is looked for from there upwards.
std::string FolderOfRun(const Options& options, const std::string& here) {
  std::optional<fs::path> common;
  const auto add = [&](const std::string& path) {
    const fs::path absolute = (fs::path(here) / path).lexically_normal();
    fs::path folder = IsFolder(absolute.string()) ? absolute : absolute.parent_path();
    if (!folder.has_filename() && folder.has_relative_path()) folder = folder.parent_path();  // "src/"
    if (!common) {
      common = folder;
      return;
    }
    const auto [end, other] = std::mismatch(common->begin(), common->end(), folder.begin(), folder.end());
    fs::path shared;
    for (auto part = common->begin(); part != end; ++part) shared /= *part;
    common = shared;
  };
  for (const std::string& path : options.arguments) {
    if (path != "-") {
      add(path);
    } else {
      add(options.stdin_filename.empty() ? "." : options.stdin_filename);
    }
  }
  return common ? common->string() : here;
}

// `KEY = VALUE`, or the name of a file.
bool IsInline(const std::string& text) {
  std::error_code ignored;
  return text.find('=') != std::string::npos && !fs::exists(text, ignored);
}

source::IgnoreFile Pattern(std::string text, const std::string& base) {
  if (text.starts_with("./")) text.erase(0, 1);
  source::IgnoreFile file{base, {}};
  source::IgnorePattern pattern;
  if (source::ParseIgnorePattern(text, pattern)) file.patterns.push_back(std::move(pattern));
  return file;
}

// Whether the pattern means the file, or a folder around it.
bool Means(const source::IgnoreFile& pattern, std::string path) {
  for (bool folder = false; path.size() > pattern.base.size(); folder = true) {
    if (source::Match(pattern, path, folder) == source::IgnoreVerdict::kIgnored) return true;
    const std::size_t slash = path.rfind('/');
    if (slash == 0 || slash == std::string::npos) break;
    path.erase(slash);
  }
  return false;
}

bool IsSelection(const Key& key) {
  const std::string_view name = key.name;
  return name == "select" || name == "ignore" || name == "extend-select" || name == "extend-ignore";
}

const Key& KeyOf(const char* name) { return *FindKey(name); }

// What of a key holds. A `select` begins anew: what places below it select and ignore does not count.
std::vector<const Setting*> PartsIn(const Settings& settings, const Key& key) {
  std::size_t floor = 0;
  if (IsSelection(key)) {
    const Key* select = &KeyOf("select");
    for (const Setting& setting : settings) {
      if (setting.key == select) floor = setting.rank;
    }
  }
  std::vector<const Setting*> parts;
  for (const Setting& setting : settings) {
    if (setting.key == &key && setting.rank >= floor) parts.push_back(&setting);
  }
  if (key.merge == Merge::kReplace && parts.size() > 1) parts.erase(parts.begin(), parts.end() - 1);
  return parts;
}

// The entries of tables, later places over earlier ones, each with the place that says it.
struct Entry {
  std::string name;
  const Value* value = nullptr;
  const Setting* setting = nullptr;
};
std::vector<Entry> EntriesOf(const std::vector<const Setting*>& parts) {
  std::vector<Entry> entries;
  for (const Setting* part : parts) {
    for (std::size_t i = 0; i < part->value.items.size(); ++i) {
      const std::string& name = part->value.names[i];
      const auto known =
          std::find_if(entries.begin(), entries.end(), [&](const Entry& entry) { return entry.name == name; });
      if (known == entries.end()) {
        entries.push_back({name, &part->value.items[i], part});
      } else {
        *known = {name, &part->value.items[i], part};
      }
    }
  }
  return entries;
}

rules::Severity SeverityNamed(const std::string& word) {
  return word == "error"     ? rules::Severity::kError
         : word == "warning" ? rules::Severity::kWarning
                             : rules::Severity::kInfo;
}

std::size_t RankOf(const Settings& settings, const Key& key) {
  std::size_t rank = 0;
  for (const Setting& setting : settings) {
    if (setting.key == &key) rank = setting.rank;
  }
  return rank;
}

void AddAll(std::vector<std::string>& to, const std::vector<std::string>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

}  // namespace

bool PatternMeans(const std::string& pattern, const std::string& folder, const std::string& path) {
  return Means(Pattern(pattern, folder), path);
}

rules::Severity SeverityOf(const FileSettings& settings, const rules::Rule& rule, rules::Severity own) {
  const FileSettings::Override* best = nullptr;
  for (const FileSettings::Override& one : settings.severities) {
    if (!rules::SelectorMatches(one.selector, rule)) continue;
    if (best == nullptr || one.weight >= best->weight) best = &one;
  }
  return best == nullptr ? own : best->severity;
}

Configuration::Configuration(const Options& options) : isolated_(options.isolated) {
  std::error_code ignored;
  here_ = fs::current_path(ignored).string();
}

Result<std::unique_ptr<Configuration>> Configuration::Load(Options& options) {
  std::unique_ptr<Configuration> configuration(new Configuration(options));
  Configuration& self = *configuration;
  if (auto read = self.ReadGiven(options); !read) return tl::make_unexpected(read.error());
  auto run = self.Nearest(FolderOfRun(options, self.here_));
  if (!run) return tl::make_unexpected(run.error());
  self.run_ = *run;
  self.Apply(options);
  self.preview_ = options.preview;
  self.of_run_ = self.SettingsFor(*self.run_, "");
  options.selection = self.of_run_->selection;
  return configuration;
}

Result<int> Configuration::ReadGiven(const Options& options) {
  std::string forced, said_by;
  for (const std::string& text : options.config) {
    if (!IsInline(text)) {
      if (!forced.empty()) return Fail("--config: `" + forced + "` and `" + text + "`, and only one file can be named");
      forced = text;
      said_by = "--config";
      continue;
    }
    auto table = ParseToml(text, "--config");
    if (!table) {
      return Fail("--config: `" + text +
                  "` is no KEY=VALUE as in TOML (text stands in quotes: profile=\"a100\"): " + table.error().message);
    }
    auto settings = SettingsOf(*table, {Place::kInline, "--config", "", here_, {}});
    if (!settings) return tl::make_unexpected(settings.error());
    for (Setting& setting : *settings) {
      if (setting.key == &KeyOf("extend")) return Fail("--config: `extend` works in files only; name the file itself");
      given_.push_back(std::move(setting));
    }
    if (!given_.empty()) given_.push_back({});  // what the next --config says is a place above this one
  }
  if (!forced.empty() && isolated_) return Fail("--config FILE and --isolated exclude each other");
  if (forced.empty() && !isolated_) {
    forced = Variable(kConfigVariable);
    said_by = kConfigVariable;
  }
  for (const Key& key : Keys()) {
    const std::string word = *key.environment == '\0' ? "" : Variable(key.environment);
    if (word.empty()) continue;
    auto value = FromWord(key, word);
    if (!value) return Fail(std::string(key.environment) + ": " + value.error().message);
    given_.push_back({&key, std::move(*value), {Place::kEnvironment, key.environment, "", here_, {}}});
  }
  given_.push_back({});
  for (const Key& key : Keys()) {
    const std::string_view option = key.option;
    if (option.empty() || key.read == nullptr || !options.given.contains(std::string(option))) continue;
    given_.push_back({&key, key.read(options), {Place::kCommandLine, "", "", here_, {}}});
  }
  std::size_t rank = std::size_t{1} << 20;  // above all files
  for (Setting& setting : given_) setting.rank = setting.key == nullptr ? ++rank : rank;
  std::erase_if(given_, [](const Setting& setting) { return setting.key == nullptr; });
  return forced.empty() ? Result<int>(0) : ReadForced(forced, said_by);
}

Result<int> Configuration::ReadForced(const std::string& path, const std::string& said_by) {
  const std::string absolute = (fs::path(here_) / path).lexically_normal().string();
  auto group = ReadGroup(absolute, Place::kFile, nullptr);
  if (!group) return Fail(said_by + ": " + group.error().message);
  forced_ = *group;
  return 0;
}

// `parsed`: the file's settings where they have been read.
Result<Configuration::Group*> Configuration::ReadGroup(const std::string& path, Place place, const Value* parsed) {
  std::unique_ptr<Group>& group = groups_[path];
  if (group) return group.get();
  // Not the folder that a file lies in: which file is named must not change what its patterns mean.
  const bool named = parsed == nullptr;
  std::vector<Settings> chain;  // nearest first
  std::vector<std::string> shown;
  std::set<std::string> seen;
  std::string at = path, chain_text;
  while (true) {
    std::error_code ignored;
    const std::string name = source::ShownPath(at);
    chain_text += (chain_text.empty() ? "" : " -> ") + name;
    if (!seen.insert(fs::weakly_canonical(at, ignored).string()).second) {
      return Fail("`extend` goes round in a circle: " + chain_text);
    }
    Value table;
    if (parsed != nullptr && chain.empty()) {
      table = *parsed;
    } else {
      auto found = ReadConfigFile(at);
      if (!found)
        return chain.empty() ? tl::make_unexpected(found.error())
                             : Fail(shown.back() + ": `extend`: " + found.error().message);
      table = std::move(found->table);
    }
    auto settings = SettingsOf(table, {place, name, FolderOf(at), named ? here_ : FolderOf(at), {}});
    if (!settings) return tl::make_unexpected(settings.error());
    chain.push_back(std::move(*settings));
    shown.push_back(name);
    const Value* extend = Find(table, "extend");
    if (extend == nullptr) break;
    at = PathFrom(at, extend->text);
  }
  group = std::make_unique<Group>();
  group->files = std::move(shown);
  for (std::size_t i = chain.size(); i-- > 0;) {
    for (Setting& setting : chain[i]) {
      setting.rank = chain.size() - i;
      group->settings.push_back(std::move(setting));
    }
  }
  Complete(*group);
  return group.get();
}

// Puts what stands above every file on top, and prepares what is asked for each analysed file.
void Configuration::Complete(Group& group) const {
  group.settings.insert(group.settings.end(), given_.begin(), given_.end());
  const auto base = [&](const Setting& setting) {
    return setting.origin.patterns.empty() ? here_ : setting.origin.patterns;
  };
  for (const Entry& entry : EntriesOf(PartsIn(group.settings, KeyOf("per-file-ignores")))) {
    const bool others = entry.name.starts_with('!');
    group.hidings.push_back(
        {Pattern(others ? entry.name.substr(1) : entry.name, base(*entry.setting)), others, Texts(*entry.value)});
  }
  // A later place's before an earlier's, those for certain files before those for all.
  std::vector<Group::Bound> general;
  std::set<std::string> taken;
  const std::vector<const Setting*> parts = PartsIn(group.settings, KeyOf("assume"));
  for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
    for (const Binding& binding : Bindings((*part)->value)) {
      if (!taken.insert(binding.name).second || (*part)->origin.place == Place::kCommandLine) continue;
      if (binding.pattern.empty()) {
        general.push_back({{}, binding.text});
      } else {
        group.bindings.push_back({Pattern(binding.pattern, base(**part)), binding.text});
      }
    }
  }
  group.bindings.insert(group.bindings.end(), general.begin(), general.end());
}

Result<Configuration::Group*> Configuration::UserGroup() {
  std::error_code ignored;
  const std::string file = isolated_ ? "" : UserFile();
  if (!file.empty() && fs::is_regular_file(file, ignored)) return ReadGroup(file, Place::kUserFile, nullptr);
  std::unique_ptr<Group>& group = groups_[""];
  if (!group) {
    group = std::make_unique<Group>();
    Complete(*group);
  }
  return group.get();
}

Result<Configuration::Group*> Configuration::Nearest(const std::string& folder) {
  if (forced_ != nullptr) return forced_;
  if (isolated_) return UserGroup();
  std::vector<std::string> passed;
  Group* group = nullptr;
  for (fs::path at = folder;; at = at.parent_path()) {
    if (const auto known = nearest_.find(at.string()); known != nearest_.end()) {
      group = known->second;
      break;
    }
    passed.push_back(at.string());
    auto found = FileIn(at.string());
    if (!found) return tl::make_unexpected(found.error());
    const bool top = !at.has_relative_path();
    if (*found || top) {
      auto read = *found ? ReadGroup((*found)->path, Place::kFile, &(*found)->table) : UserGroup();
      if (!read) return tl::make_unexpected(read.error());
      group = *read;
      break;
    }
  }
  for (const std::string& one : passed) nearest_[one] = group;
  return group;
}

std::vector<const Setting*> Configuration::PartsOf(const Key& key) const { return PartsIn(run_->settings, key); }

void Configuration::Apply(Options& options) const {
  const bool check = options.command == Command::kCheck || options.command == Command::kConfigShow;
  for (const Key& key : Keys()) {
    if (key.apply == nullptr || (key.check_only && !check)) continue;
    const std::vector<const Setting*> parts = PartsOf(key);
    if (parts.empty()) continue;
    const Origin& origin = parts.back()->origin;
    if (origin.place == Place::kCommandLine && parts.size() == 1) continue;  // is there already
    key.apply(options, parts);
    if (origin.place != Place::kCommandLine) options.said_by[key.name] = Describe(origin) + ": `" + key.name + '`';
  }
}

Result<int> Configuration::Prepare(const std::vector<std::string>& paths) {
  std::set<const Group*> met = {run_};
  for (const std::string& path : paths) {
    const fs::path absolute = (fs::path(here_) / path).lexically_normal();
    auto group = Nearest(absolute.parent_path().string());
    if (!group) return tl::make_unexpected(group.error());
    by_path_[path] = SettingsFor(**group, absolute.string());
    if (!met.insert(*group).second) continue;
    for (const Setting& setting : (*group)->settings) {
      const bool file = setting.origin.place == Place::kFile || setting.origin.place == Place::kUserFile;
      if (!file || setting.key->scope == Scope::kFile || setting.key == &KeyOf("extend")) continue;
      remarks_.push_back(Describe(setting.origin) + ": `" + setting.key->name +
                         "` speaks about a whole run, and this run is larger than what the file is for");
    }
  }
  return 0;
}

const FileSettings& Configuration::Of(const std::string& path) const {
  const auto found = by_path_.find(path);
  return found == by_path_.end() ? *of_run_ : *found->second;
}

// `path` is absolute; empty: what holds where nothing is said of single files.
std::shared_ptr<const FileSettings> Configuration::SettingsFor(Group& group, const std::string& path) const {
  std::string which;
  for (const Group::Hiding& hiding : group.hidings) {
    which += !path.empty() && Means(hiding.pattern, path) != hiding.others ? '1' : '0';
  }
  for (const Group::Bound& bound : group.bindings) {
    const bool all = bound.pattern.base.empty();
    which += all || (!path.empty() && Means(bound.pattern, path)) ? '1' : '0';
  }
  std::shared_ptr<const FileSettings>& made = group.made[which];
  if (made) return made;

  auto settings = std::make_shared<FileSettings>();
  const auto texts = [&](const char* name) {
    std::vector<std::string> all;
    for (const Setting* part : PartsIn(group.settings, KeyOf(name))) AddAll(all, Texts(part->value));
    return all;
  };
  std::vector<std::string> ignore = texts("ignore");
  const std::size_t floor = RankOf(group.settings, KeyOf("select"));
  for (const Entry& entry : EntriesOf(PartsIn(group.settings, KeyOf("severity")))) {
    if (entry.value->text == "off") {
      if (entry.setting->rank >= floor) ignore.push_back(entry.name);
      continue;
    }
    const int weight = rules::Selection::WeightOf(entry.name).value_or(0);
    settings->severities.push_back({entry.name, weight, SeverityNamed(entry.value->text)});
    settings->identity += entry.name + '=' + entry.value->text + ';';
  }
  // Every selector is known: files were checked, and so was the command line.
  auto selection = rules::Selection::Parse(texts("select"), ignore, texts("extend-select"), texts("extend-ignore"));
  if (selection) settings->selection = std::move(*selection);
  settings->selection.ShowPreview(preview_);
  for (const char* name : {"select", "extend-select", "extend-ignore"}) {
    settings->identity += std::string(name) + ToToml(List(texts(name)));
  }
  settings->identity += ToToml(List(ignore));
  for (std::size_t i = 0; i < group.hidings.size(); ++i) {
    if (which[i] == '0') continue;
    settings->selection.Hide(group.hidings[i].selectors);
    settings->identity += ToToml(List(group.hidings[i].selectors));
  }
  for (std::size_t i = 0; i < group.bindings.size(); ++i) {
    if (which[group.hidings.size() + i] == '1') settings->assume.push_back(group.bindings[i].text);
  }
  settings->identity += ToToml(List(settings->assume));
  made = std::move(settings);
  return made;
}

}  // namespace cpnlint::cli::config
