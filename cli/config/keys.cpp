#include "cli/config/keys.h"

#include <algorithm>
#include <cstdlib>

#include "analyzer/api/api.h"
#include "cli/report/document.h"
#include "cli/report/formats.h"

namespace cpnlint::cli::config {
namespace {

using Parts = std::span<const Setting* const>;
using Words = std::vector<std::string>;

Words Confidences() { return {"certain", "likely", "possible"}; }
Words FailOn() { return {"error", "warning", "info", "never"}; }
Words Severities() { return {"error", "warning", "info", "off"}; }
Words Editions() { return {std::string(report::kRulesVersion)}; }

Words Formats() {
  Words names;
  for (const report::Format& format : report::Formats()) names.emplace_back(format.name);
  return names;
}

Words Versions() {
  Words names;
  for (const api::Version version : api::Versions()) names.emplace_back(api::Name(version));
  return names;
}

const Value& Last(Parts parts) { return parts.back()->value; }

// A path as the current folder sees it.
std::string Path(const Setting& setting, const std::string& path) {
  const char* home = std::getenv("HOME");
  if (path.starts_with("~/") && home != nullptr) return home + path.substr(1);
  if (path.starts_with('/') || setting.origin.folder.empty()) return path;
  return setting.origin.folder + '/' + path;
}

rules::Confidence ConfidenceOf(const std::string& word) {
  return word == "certain"  ? rules::Confidence::kCertain
         : word == "likely" ? rules::Confidence::kLikely
                            : rules::Confidence::kPossible;
}

std::optional<rules::Severity> FailOnOf(const std::string& word) {
  if (word == "never") return std::nullopt;
  return word == "error"     ? rules::Severity::kError
         : word == "warning" ? rules::Severity::kWarning
                             : rules::Severity::kInfo;
}

Value OrNothing(std::optional<double> number) { return number ? Number(*number) : Value(); }
Value OrNothing(std::int64_t integer) { return integer == 0 ? Value() : Integer(integer); }
Value OrNothing(const std::string& text) { return text.empty() ? Value() : Text(text); }

Value Integers(const std::vector<int>& numbers) {
  Value list = List({});
  for (const int number : numbers) list.items.push_back(Integer(number));
  return list;
}

constexpr double kMostProcessors = 1 << 20;
constexpr double kMostMebibytes = static_cast<double>(std::int64_t{1} << 40);
constexpr double kManyThousands = 1e9;

constexpr const char* kRules = "Rules";
constexpr const char* kTarget = "Target machine";
constexpr const char* kProgram = "The program";
constexpr const char* kFiles = "Files";
constexpr const char* kGates = "Gates and output";
constexpr const char* kRunning = "Running";

const std::vector<Key>& AllKeys() {
  static const std::vector<Key> keys = {
      {.name = "extend",
       .group = kRules,
       .type = Type::kFile,
       .help = "another configuration file that holds below this one",
       .fallback = "none",
       .example = "extend = \"../cpnlint.toml\""},
      {.name = "ruleset",
       .group = kRules,
       .type = Type::kText,
       .help = "edition of the rule set; one that this cpnlint does not know is refused",
       .fallback = "the one that cpnlint comes with",
       .example = "ruleset = \"2026.1\"",
       .words = &Editions,
       .apply = [](Options& options, Parts parts) { options.ruleset = Last(parts).text; },
       .read = [](const Options& options) { return OrNothing(options.ruleset); }},
      {.name = "select",
       .group = kRules,
       .type = Type::kSelectors,
       .scope = Scope::kFile,
       .help = "rules that are shown, in place of the default ones: codes, prefixes, names, families, ALL",
       .fallback = "all but R001-R007 and previews",
       .example = "select = [\"blocks\", \"R2\", \"R404\"]",
       .option = "--select",
       .read = [](const Options& options) { return List(options.select); }},
      {.name = "ignore",
       .group = kRules,
       .type = Type::kSelectors,
       .scope = Scope::kFile,
       .merge = Merge::kAdd,
       .help = "rules that are not shown; of select and ignore the more specific wins, ignore wins a tie",
       .fallback = "none",
       .example = "ignore = [\"R307\"]",
       .option = "--ignore",
       .read = [](const Options& options) { return List(options.ignore); }},
      {.name = "extend-select",
       .group = kRules,
       .type = Type::kSelectors,
       .scope = Scope::kFile,
       .merge = Merge::kAdd,
       .help = "rules that are shown besides those of select",
       .fallback = "none",
       .example = "extend-select = [\"scales\"]",
       .option = "--extend-select",
       .read = [](const Options& options) { return List(options.extend_select); }},
      {.name = "extend-ignore",
       .group = kRules,
       .type = Type::kSelectors,
       .scope = Scope::kFile,
       .merge = Merge::kAdd,
       .help = "rules that are not shown besides those of ignore",
       .fallback = "none",
       .example = "extend-ignore = [\"joining-in-loop\"]",
       .option = "--extend-ignore",
       .read = [](const Options& options) { return List(options.extend_ignore); }},
      {.name = "per-file-ignores",
       .group = kRules,
       .type = Type::kPatternSelectors,
       .scope = Scope::kFile,
       .merge = Merge::kEntries,
       .help =
           "rules that are not shown in files of a pattern, whatever else selects them; `!` in front: in all others",
       .fallback = "none",
       .example = "[per-file-ignores]\n\"benchmarks/\" = [\"R2\"]\n\"!src/\" = [\"info\"]"},
      {.name = "severity",
       .group = kRules,
       .type = Type::kSeverities,
       .scope = Scope::kFile,
       .merge = Merge::kEntries,
       .help = "severity of a rule's findings, in every output and for fail-on; the verdict does not change; off: as "
               "in ignore",
       .fallback = "as each rule says",
       .example = "[severity]\nR104 = \"error\"\nrefactor = \"info\"\nR307 = \"off\"",
       .words = &Severities},
      {.name = "min-confidence",
       .group = kRules,
       .type = Type::kText,
       .help = "least confidence that is shown",
       .fallback = "\"likely\"",
       .example = "min-confidence = \"certain\"",
       .option = "--min-confidence",
       .words = &Confidences,
       .apply = [](Options& options, Parts parts) { options.min_confidence = ConfidenceOf(Last(parts).text); },
       .read = [](const Options& options) { return Text(std::string(rules::Name(options.min_confidence))); }},
      {.name = "preview",
       .group = kRules,
       .type = Type::kBoolean,
       .help = "with rules whose precision is not yet shown",
       .fallback = "false",
       .example = "preview = true",
       .option = "--preview",
       .apply = [](Options& options, Parts parts) { options.preview = Last(parts).truth; },
       .read = [](const Options& options) { return Boolean(options.preview); }},

      {.name = "assume",
       .group = kProgram,
       .type = Type::kAssumptions,
       .scope = Scope::kFile,
       .merge = Merge::kEntries,
       .help = "sizes that the source does not tell, for all files or with file and function in front",
       .fallback = "none",
       .example = "[assume]\nN = 1e8\n\"solver.py:steps\" = 1000\n\n[assume.\"solver.py:step\"]\nu = "
                  "\"(16384,16384):float32\"",
       .option = "--assume",
       .read = [](const Options& options) { return List(options.assume); }},
      {.name = "entry-points",
       .group = kProgram,
       .type = Type::kPatterns,
       .help = "files and functions (FILE:FUNCTION, MODULE:FUNCTION) where the work starts; what they do not reach "
               "does not enter the verdict",
       .fallback = "modules, scripts, and functions that nothing calls",
       .example = "entry-points = [\"src/main.py\", \"solver.cli:run\"]",
       .apply =
           [](Options& options, Parts parts) {
             for (const std::string& text : Texts(Last(parts))) {
               options.entry_points.push_back({text, parts.back()->origin.patterns});
             }
           }},

      {.name = "target-version",
       .group = kTarget,
       .type = Type::kText,
       .help = "cuPyNumeric version whose behaviour is meant",
       .fallback = "the newest known",
       .example = "target-version = \"26.07\"",
       .option = "--target-version",
       .words = &Versions,
       .apply =
           [](Options& options, Parts parts) {
             const auto version = api::ParseVersion(Last(parts).text);
             options.target_version = std::string(api::Name(version.value_or(api::kLatest)));
           },
       .read = [](const Options& options) { return OrNothing(options.target_version); }},
      {.name = "gpus",
       .group = kTarget,
       .type = Type::kIntegers,
       .help = "numbers of GPUs of one machine that findings and predictions are made for",
       .fallback = "[1, 4]",
       .example = "gpus = [1, 8]",
       .option = "--gpus",
       .least = 1,
       .most = kMostProcessors,
       .apply =
           [](Options& options, Parts parts) {
             const Value& value = Last(parts);
             options.gpus.clear();
             if (value.kind == Value::Kind::kInteger) options.gpus.push_back(static_cast<int>(value.integer));
             for (const Value& item : value.items) options.gpus.push_back(static_cast<int>(item.integer));
             std::sort(options.gpus.begin(), options.gpus.end());
             options.gpus.erase(std::unique(options.gpus.begin(), options.gpus.end()), options.gpus.end());
           },
       .read = [](const Options& options) { return Integers(options.gpus); }},
      {.name = "nodes",
       .group = kTarget,
       .type = Type::kInteger,
       .help = "machines of that kind",
       .fallback = "1",
       .example = "nodes = 4",
       .option = "--nodes",
       .least = 1,
       .most = kMostProcessors,
       .apply = [](Options& options, Parts parts) { options.nodes = static_cast<int>(Last(parts).integer); },
       .read = [](const Options& options) { return Integer(options.nodes); }},
      {.name = "profile",
       .group = kTarget,
       .type = Type::kText,
       .help = "machine profile: a name of `cpnlint profile list`, or a file (with a `/` or .json)",
       .fallback = "\"h100-sxm\"",
       .example = "profile = \"machines/our-cluster.json\"",
       .option = "--profile",
       .environment = "CPNLINT_PROFILE",
       .apply =
           [](Options& options, Parts parts) {
             const std::string& text = Last(parts).text;
             const bool file = text.find('/') != std::string::npos || text.ends_with(".json");
             options.profile = file ? Path(*parts.back(), text) : text;
           },
       .read = [](const Options& options) { return Text(options.profile); }},
      {.name = "fbmem",
       .group = kTarget,
       .type = Type::kInteger,
       .help = "memory of one GPU for arrays, in MiB",
       .fallback = "95 % of what it has",
       .example = "fbmem = 70000",
       .option = "--fbmem",
       .least = 1,
       .most = kMostMebibytes,
       .apply = [](Options& options, Parts parts) { options.fbmem = Last(parts).integer; },
       .read = [](const Options& options) { return OrNothing(options.fbmem); }},
      {.name = "sysmem",
       .group = kTarget,
       .type = Type::kInteger,
       .help = "host memory of one process for arrays, in MiB",
       .fallback = "80 % of the host's",
       .example = "sysmem = 200000",
       .option = "--sysmem",
       .least = 1,
       .most = kMostMebibytes,
       .apply = [](Options& options, Parts parts) { options.sysmem = Last(parts).integer; },
       .read = [](const Options& options) { return OrNothing(options.sysmem); }},

      {.name = "exclude",
       .group = kFiles,
       .type = Type::kPatterns,
       .help = "files and folders that are not read, in place of the default ones; patterns as in .gitignore",
       .fallback = ".git, .venv, build, dist, node_modules and the like",
       .example = "exclude = [\".venv/\", \"third_party/\"]",
       .option = "--exclude",
       .apply =
           [](Options& options, Parts parts) {
             options.discover.exclude = Texts(Last(parts));
             options.discover.exclude_base = parts.back()->origin.patterns;
           },
       .read = [](const Options& options) { return List(options.discover.exclude); }},
      {.name = "extend-exclude",
       .group = kFiles,
       .type = Type::kPatterns,
       .merge = Merge::kAdd,
       .help = "files and folders that are not read besides those of exclude",
       .fallback = "none",
       .example = "extend-exclude = [\"*_pb2.py\", \"/old/\"]",
       .option = "--extend-exclude",
       .apply =
           [](Options& options, Parts parts) {
             for (const Setting* part : parts) {
               if (part->origin.place == Place::kCommandLine) continue;  // is there already
               options.discover.more_excludes.push_back({part->origin.patterns, Texts(part->value)});
             }
           },
       .read = [](const Options& options) { return List(options.discover.extend_exclude); }},
      {.name = "force-exclude",
       .group = kFiles,
       .type = Type::kBoolean,
       .help = "excludes also hold for files named on the command line",
       .fallback = "false",
       .example = "force-exclude = true",
       .option = "--force-exclude",
       .apply = [](Options& options, Parts parts) { options.discover.force_exclude = Last(parts).truth; },
       .read = [](const Options& options) { return Boolean(options.discover.force_exclude); }},
      {.name = "respect-gitignore",
       .group = kFiles,
       .type = Type::kBoolean,
       .help = "files that .gitignore names are not read",
       .fallback = "true",
       .example = "respect-gitignore = false",
       .option = "--no-respect-gitignore",
       .apply = [](Options& options, Parts parts) { options.discover.respect_gitignore = Last(parts).truth; },
       .read = [](const Options& options) { return Boolean(options.discover.respect_gitignore); }},
      {.name = "include-tests",
       .group = kFiles,
       .type = Type::kBoolean,
       .help = "with test files, setup.py, stubs",
       .fallback = "false",
       .example = "include-tests = true",
       .option = "--include-tests",
       .apply = [](Options& options, Parts parts) { options.discover.include_tests = Last(parts).truth; },
       .read = [](const Options& options) { return Boolean(options.discover.include_tests); }},

      {.name = "fail-on",
       .group = kGates,
       .type = Type::kText,
       .help = "lowest severity that makes the exit code of check 1",
       .fallback = "\"warning\"",
       .example = "fail-on = \"error\"",
       .option = "--fail-on",
       .check_only = true,
       .words = &FailOn,
       .apply = [](Options& options, Parts parts) { options.fail_on = FailOnOf(Last(parts).text); },
       .read =
           [](const Options& options) {
             return Text(options.fail_on ? std::string(rules::Name(*options.fail_on)) : "never");
           }},
      {.name = "output-format",
       .group = kGates,
       .type = Type::kList,
       .help = "forms of the output of check, one after another",
       .fallback = "[\"text\"]",
       .example = "output-format = [\"concise\"]",
       .option = "--output-format",
       .environment = "CPNLINT_OUTPUT_FORMAT",
       .check_only = true,
       .words = &Formats,
       .apply = [](Options& options, Parts parts) { options.formats = Texts(Last(parts)); },
       .read = [](const Options& options) { return List(options.formats); }},
      {.name = "baseline",
       .group = kGates,
       .type = Type::kFile,
       .help = "file of findings that are known and not shown",
       .fallback = "none",
       .example = "baseline = \".cpnlint-baseline.json\"",
       .option = "--baseline",
       .check_only = true,
       .apply = [](Options& options, Parts parts) { options.baseline = Path(*parts.back(), Last(parts).text); },
       .read = [](const Options& options) { return OrNothing(options.baseline); }},
      {.name = "ratchet",
       .group = kGates,
       .type = Type::kFile,
       .help = "file of figures that may only get better",
       .fallback = "none",
       .example = "ratchet = \".cpnlint-ratchet.json\"",
       .check_only = true,
       .apply = [](Options& options, Parts parts) { options.ratchet = Path(*parts.back(), Last(parts).text); },
       .read = [](const Options& options) { return OrNothing(options.ratchet); }},
      {.name = "max-blocks",
       .group = kGates,
       .type = Type::kInteger,
       .help = "more blocking units than so many fail the check",
       .fallback = "no limit",
       .example = "max-blocks = 0",
       .check_only = true,
       .most = kManyThousands,
       .apply = [](Options& options, Parts parts) { options.max_blocks = Last(parts).number; },
       .read = [](const Options& options) { return OrNothing(options.max_blocks); }},
      {.name = "max-waits-per-iteration",
       .group = kGates,
       .type = Type::kNumber,
       .help = "more waits of the host per pass of a hot loop than so many fail the check",
       .fallback = "no limit",
       .example = "max-waits-per-iteration = 1",
       .check_only = true,
       .most = kManyThousands,
       .apply = [](Options& options, Parts parts) { options.max_waits_per_iteration = Last(parts).number; },
       .read = [](const Options& options) { return OrNothing(options.max_waits_per_iteration); }},
      {.name = "min-coverage",
       .group = kGates,
       .type = Type::kNumber,
       .help = "a smaller share of calls into NumPy whose names cuPyNumeric has, in percent, fails the check",
       .fallback = "no limit",
       .example = "min-coverage = 95",
       .check_only = true,
       .most = 100,
       .apply = [](Options& options, Parts parts) { options.min_coverage = Last(parts).number; },
       .read = [](const Options& options) { return OrNothing(options.min_coverage); }},

      {.name = "jobs",
       .group = kRunning,
       .type = Type::kInteger,
       .help = "threads",
       .fallback = "as many as processors",
       .example = "jobs = 4",
       .option = "--jobs",
       .environment = "CPNLINT_JOBS",
       .least = 1,
       .most = 1024,
       .apply = [](Options& options, Parts parts) { options.jobs = static_cast<unsigned>(Last(parts).integer); },
       .read = [](const Options& options) { return OrNothing(std::int64_t{options.jobs}); }},
      {.name = "cache-dir",
       .group = kRunning,
       .type = Type::kFile,
       .help = "folder of the cache",
       .fallback = "`.cpnlint_cache` in the project's folder",
       .example = "cache-dir = \".cpnlint_cache\"",
       .option = "--cache-dir",
       .environment = "CPNLINT_CACHE_DIR",
       .apply = [](Options& options, Parts parts) { options.cache_dir = Path(*parts.back(), Last(parts).text); },
       .read = [](const Options& options) { return OrNothing(options.cache_dir); }},
      {.name = "no-cache",
       .group = kRunning,
       .type = Type::kBoolean,
       .help = "neither read nor write a cache",
       .fallback = "false",
       .example = "no-cache = true",
       .option = "--no-cache",
       .environment = "CPNLINT_NO_CACHE",
       .apply = [](Options& options, Parts parts) { options.no_cache = Last(parts).truth; },
       .read = [](const Options& options) { return Boolean(options.no_cache); }},
  };
  return keys;
}

}  // namespace

std::span<const Key> Keys() { return AllKeys(); }

const Key* FindKey(std::string_view name) {
  for (const Key& key : AllKeys()) {
    if (key.name == name) return &key;
  }
  return nullptr;
}

std::string Describe(const Origin& origin) {
  switch (origin.place) {
    case Place::kDefault: return "default";
    case Place::kUserFile:
    case Place::kFile: return origin.name + ":" + std::to_string(origin.at.line);
    case Place::kInline: return "--config";
    case Place::kEnvironment: return origin.name;
    case Place::kCommandLine: return "command line";
  }
  return "";
}

Value Merged(const Key& key, std::span<const Setting* const> parts) {
  if (parts.empty()) return {};
  if (key.merge == Merge::kReplace || parts.size() == 1) return parts.back()->value;
  if (key.merge == Merge::kAdd) {
    Value all = parts.front()->value;
    for (const Setting* part : parts.subspan(1)) {
      all.items.insert(all.items.end(), part->value.items.begin(), part->value.items.end());
    }
    return all;
  }
  Value all = Table();
  for (const Setting* part : parts) {
    if (key.type == Type::kAssumptions) {
      for (const Binding& binding : Bindings(part->value)) {
        Put(all, binding.name, SizeOf(binding));
      }
      continue;
    }
    for (std::size_t i = 0; i < part->value.items.size(); ++i) Put(all, part->value.names[i], part->value.items[i]);
  }
  return all;
}

}  // namespace cpnlint::cli::config
