#include "cli/baseline.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <optional>
#include <tuple>

#include <nlohmann/json.hpp>

#include "cli/coverage.h"
#include "cli/report/plain_code.h"
#include "rules/engine/selection.h"

namespace cpnlint::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr int kVersion = 1;
constexpr std::size_t kLongestCode = 72;
constexpr std::string_view kCure = "; remove it, and `cpnlint --write-baseline` writes it anew";

fs::path FolderOf(const report::Document& document, const std::string& file) {
  return (fs::path(document.folder) / file).lexically_normal().parent_path();
}

std::string PathFrom(const fs::path& folder, const report::Document& document, const std::string& path) {
  const fs::path absolute = (fs::path(document.folder) / path).lexically_normal();
  return report::ToUtf8(absolute.lexically_relative(folder).generic_string());
}

std::string Shortened(const std::string& code) {
  if (code.size() <= kLongestCode) return report::ToUtf8(code);
  std::size_t end = kLongestCode;
  while (end > 0 && (static_cast<unsigned char>(code[end]) & 0xC0) == 0x80) --end;
  return report::ToUtf8(code.substr(0, end)) + "...";
}

auto KeyOf(const BaselineEntry& entry) {
  return std::tie(entry.path, entry.rule, entry.function, entry.code, entry.hash);
}

std::string_view Weaker(std::string_view a, std::string_view b) {
  const auto rank = [](std::string_view name) { return name == "certain" ? 2 : name == "likely" ? 1 : 0; };
  return rank(a) < rank(b) ? a : b;
}

void SortAndJoin(std::vector<BaselineEntry>& entries) {
  std::sort(entries.begin(), entries.end(),
            [](const BaselineEntry& a, const BaselineEntry& b) { return KeyOf(a) < KeyOf(b); });
  std::vector<BaselineEntry> joined;
  for (BaselineEntry& entry : entries) {
    if (joined.empty() || KeyOf(joined.back()) != KeyOf(entry)) {
      joined.push_back(std::move(entry));
      continue;
    }
    joined.back().count += entry.count;
    joined.back().confidence = Weaker(joined.back().confidence, entry.confidence);
  }
  entries = std::move(joined);
}

// One for each place of the finding.
std::vector<BaselineEntry> EntriesOf(const report::Finding& finding, const std::string& path) {
  std::vector<BaselineEntry> entries;
  for (const std::string& code : finding.code) {
    BaselineEntry& entry = entries.emplace_back();
    entry.path = path;
    entry.rule = rules::CodeText(*finding.rule);
    entry.function = report::ToUtf8(finding.function);
    entry.code = Shortened(code);
    entry.hash = report::HashText(code);
    entry.confidence = rules::Name(finding.confidence);
    entry.count = 1;
  }
  return entries;
}

const rules::Rule* RuleOf(const std::string& code) {
  for (const rules::Rule* rule : rules::AllRules()) {
    if (rules::CodeText(*rule) == code) return rule;
  }
  return nullptr;
}

// A message for an entry that is not as it has to be; empty where it is.
std::string ReadEntry(const Json& json, BaselineEntry& entry) {
  if (!json.is_object()) return "is no object";
  const std::pair<const char*, std::string*> texts[] = {
      {"path", &entry.path}, {"rule", &entry.rule}, {"code", &entry.code}, {"hash", &entry.hash}};
  for (const auto& [key, text] : texts) {
    if (!json.contains(key) || !json[key].is_string()) return std::string("has no text `") + key + '`';
    *text = json[key].get<std::string>();
  }
  if (!json.contains("function") || !(json["function"].is_string() || json["function"].is_null())) {
    return "has no `function` (a text, or null)";
  }
  if (json["function"].is_string()) entry.function = json["function"].get<std::string>();
  entry.confidence = json.contains("confidence") && json["confidence"].is_string()
                         ? json["confidence"].get<std::string>()
                         : std::string(rules::Name(rules::Confidence::kCertain));
  const bool counted = json.contains("count") && json["count"].is_number_unsigned();
  if (!counted || json["count"].get<std::uint64_t>() == 0) return "has no number `count` above 0";
  entry.count = json["count"].get<std::size_t>();
  return {};
}

// Hands findings to entries, the most alike first.
class Matcher {
 public:
  Matcher(const report::Document& document, const Baseline& baseline) : entries_(baseline.entries) {
    folder_ = FolderOf(document, baseline.file);
    for (const BaselineEntry& entry : entries_) left_.push_back(entry.count);
    for (std::size_t file = 0; file < document.files.size(); ++file) {
      const std::string path = PathFrom(folder_, document, document.files[file].path);
      for (std::size_t i = 0; i < document.files[file].findings.size(); ++i) {
        std::size_t place = 0;
        for (BaselineEntry& entry : EntriesOf(document.files[file].findings[i], path)) {
          found_.push_back({std::move(entry), file, i, place++, {}});
        }
      }
    }
  }

  void Run() {
    Pass([](const BaselineEntry& a) { return std::tuple(a.path, a.rule, a.hash, a.function); });
    // The function has another name now, or the line stands in another one.
    Pass([](const BaselineEntry& a) { return std::tuple(a.path, a.rule, a.hash, std::string()); });
    // The file has another name now: the old one must be gone.
    Pass([](const BaselineEntry& a) { return std::tuple(std::string(), a.rule, a.hash, a.function); }, true);
  }

  struct Found {
    BaselineEntry entry;
    std::size_t file, finding, place;
    std::optional<std::size_t> known_as;
  };
  [[nodiscard]] const std::vector<Found>& found() const { return found_; }
  [[nodiscard]] const std::vector<std::size_t>& left() const { return left_; }
  [[nodiscard]] bool IsGone(const std::string& path) {
    const auto [known, is_new] = gone_.emplace(path, false);
    std::error_code ignored;
    if (is_new) known->second = !fs::exists(folder_ / path, ignored);
    return known->second;
  }

 private:
  template <typename Key>
  void Pass(Key key, bool gone_only = false) {
    using Text = decltype(key(entries_.front()));
    std::map<Text, std::vector<std::size_t>> open;
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      if (left_[i] == 0 || (gone_only && !IsGone(entries_[i].path))) continue;
      open[key(entries_[i])].push_back(i);
    }
    for (Found& found : found_) {
      if (found.known_as) continue;
      const auto candidates = open.find(key(found.entry));
      if (candidates == open.end()) continue;
      for (const std::size_t i : candidates->second) {
        if (left_[i] == 0) continue;
        --left_[i];
        found.known_as = i;
        break;
      }
    }
  }

  const std::vector<BaselineEntry>& entries_;
  fs::path folder_;
  std::vector<std::size_t> left_;  // parallel to the entries
  std::vector<Found> found_;
  std::map<std::string, bool> gone_;
};

bool IsWhole(const report::File& file) {
  return file.state == report::File::State::kAnalysed &&
         std::none_of(file.notes.begin(), file.notes.end(), [](const report::Note& note) {
           return note.kind == "syntax-error" || note.kind == "budget" || note.kind == "internal-error";
         });
}

// Whether the run reads all that the baseline was made of, but for what is gone.
bool ReadsAllOf(const Options& options, const Baseline& baseline) {
  const fs::path folder = AbsolutePath(baseline.file).parent_path();
  return std::all_of(baseline.over.begin(), baseline.over.end(), [&](const std::string& path) {
    const fs::path absolute = AbsolutePath(folder / path);
    std::error_code ignored;
    return Reads(options, absolute) || !fs::exists(absolute, ignored);
  });
}

}  // namespace

Result<Baseline> ReadBaseline(const std::string& file) {
  const std::string name = "the baseline `" + file + "`";
  std::ifstream stream(file, std::ios::binary);
  if (!stream) {
    return Fail("cannot read " + name + ": " + std::generic_category().message(errno) + "; `cpnlint --write-baseline " +
                file + "` makes one");
  }
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  Json json;
  try {
    json = Json::parse(text);
  } catch (const Json::exception&) {
    const bool conflict = text.find("<<<<<<<") != std::string::npos;
    return Fail(name + (conflict ? " holds a merge conflict; resolve it" : " is no JSON") +
                (conflict ? std::string() : std::string(kCure)));
  }
  if (!json.is_object() || !json.contains("schema_version") || !json["schema_version"].is_number_integer() ||
      json.value("kind", Json()) != "baseline" || !json.contains("entries") || !json["entries"].is_array()) {
    return Fail(name + " is none: it needs `schema_version`, `kind` (\"baseline\") and `entries`" + std::string(kCure));
  }
  if (json["schema_version"].get<std::int64_t>() != kVersion) {
    return Fail(name + " has schema_version " + json["schema_version"].dump() + ", and this cpnlint reads " +
                std::to_string(kVersion) + "; use the cpnlint that wrote it");
  }
  Baseline baseline;
  baseline.file = file;
  // One that does not say so may be of all there is.
  const Json over = json.value("over", Json::array({"."}));
  const auto is_text = [](const Json& path) { return path.is_string(); };
  if (!over.is_array() || !std::all_of(over.begin(), over.end(), is_text)) {
    return Fail(name + ": `over` is to be a list of texts" + std::string(kCure));
  }
  baseline.over = over.get<std::vector<std::string>>();
  for (const Json& entry : json["entries"]) {
    BaselineEntry read;
    const std::string problem = ReadEntry(entry, read);
    if (!problem.empty()) {
      return Fail("entry " + std::to_string(baseline.entries.size() + 1) + " of " + name + ' ' + problem +
                  std::string(kCure));
    }
    baseline.entries.push_back(std::move(read));
  }
  SortAndJoin(baseline.entries);
  return baseline;
}

bool LooksLikeBaseline(std::string_view begin) {
  const std::size_t kind = begin.find("\"kind\"");
  if (kind == std::string_view::npos) return false;
  const std::size_t value = begin.find_first_not_of(" :\t\r\n", kind + 6);
  return value != std::string_view::npos && begin.substr(value).starts_with("\"baseline\"");
}

std::string BaselineText(const Baseline& baseline) {
  std::string out = "{\n  \"schema_version\": " + std::to_string(kVersion) +
                    ",\n  \"kind\": \"baseline\",\n  \"tool\": \"cpnlint\",\n  \"over\": " +
                    Json(baseline.over).dump(-1, ' ', false, Json::error_handler_t::replace) + ",\n  \"entries\": [";
  bool first = true;
  // One line each: readable in a review, and two branches that mend different things merge.
  for (const BaselineEntry& entry : baseline.entries) {
    const Json json = {{"path", entry.path},
                       {"rule", entry.rule},
                       {"function", entry.function.empty() ? Json(nullptr) : Json(entry.function)},
                       {"code", entry.code},
                       {"hash", entry.hash},
                       {"confidence", entry.confidence},
                       {"count", entry.count}};
    out += (first ? "\n    " : ",\n    ") + json.dump(-1, ' ', false, Json::error_handler_t::replace);
    first = false;
  }
  out += first ? "]\n}\n" : "\n  ]\n}\n";
  return out;
}

Baseline MakeBaseline(const report::Document& document, const Options& options, const std::string& file) {
  Baseline baseline;
  baseline.file = file;
  baseline.over = PathsOver(options, file);
  const fs::path folder = FolderOf(document, file);
  for (const report::File& source : document.files) {
    const std::string path = PathFrom(folder, document, source.path);
    for (const report::Finding& finding : source.findings) {
      for (BaselineEntry& entry : EntriesOf(finding, path)) baseline.entries.push_back(std::move(entry));
    }
  }
  SortAndJoin(baseline.entries);
  return baseline;
}

Compared Compare(const report::Document& document, const Baseline& baseline, const Options& options,
                 const Selects& selects) {
  Compared compared;
  compared.pruned.file = baseline.file;
  compared.pruned.over = baseline.over;
  Matcher matcher(document, baseline);
  matcher.Run();
  for (const report::File& file : document.files) {
    report::KeptPlaces& places = compared.fresh.emplace_back();
    for (const report::Finding& finding : file.findings) places.emplace_back(1 + finding.also.size(), false);
  }
  for (const Matcher::Found& found : matcher.found()) {
    if (found.known_as) {
      compared.pruned.entries.push_back(found.entry);
    } else {
      compared.fresh[found.file][found.finding][found.place] = true;
    }
  }

  const fs::path folder = FolderOf(document, baseline.file);
  std::map<std::string, bool> whole;  // by path, of files of this run
  for (const report::File& file : document.files) whole[PathFrom(folder, document, file.path)] = IsWhole(file);
  const bool reads_all = ReadsAllOf(options, baseline);
  const std::string_view least = rules::Name(options.min_confidence);
  const auto would_be_found = [&](const BaselineEntry& entry) {
    if (!reads_all) return false;
    const rules::Rule* rule = RuleOf(entry.rule);
    const fs::path path = (folder / entry.path).lexically_normal();
    const std::string shown = path.lexically_relative(document.folder).generic_string();
    if (rule == nullptr || !selects(*rule, shown)) return false;
    if (Weaker(entry.confidence, least) != least) return false;
    if (const auto known = whole.find(entry.path); known != whole.end()) return known->second;
    return matcher.IsGone(entry.path) && Reads(options, path);
  };
  for (std::size_t i = 0; i < baseline.entries.size(); ++i) {
    BaselineEntry rest = baseline.entries[i];
    rest.count = matcher.left()[i];
    if (rest.count == 0) continue;
    (would_be_found(rest) ? compared.stale : compared.pruned.entries).push_back(std::move(rest));
  }
  SortAndJoin(compared.pruned.entries);
  return compared;
}

}  // namespace cpnlint::cli
