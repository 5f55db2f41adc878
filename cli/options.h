#pragma once

// The command line: which command, and what it was told.

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "analyzer/base/result.h"
#include "analyzer/source/discover.h"
#include "rules/engine/rule.h"
#include "rules/engine/selection.h"
#include "rules/verdict/evidence.h"
#include "runtime-kernels/calibrate.h"

namespace cpnlint::cli {

enum class Command : std::uint8_t {
  kCheck,
  kReport,
  kPredict,
  kExplain,
  kRules,
  kApi,
  kInspectIr,
  kInspectFacts,
  kInspectWork,
  kInspectWhy,
  kInspectParse,  // not in the manual: reads and parses, for the benchmark
  kCalibrate,
  kCalibrateWorker,  // not in the manual: what calibrate starts
  kProfileList,
  kProfileShow,
  kProfileCompare,
  kCacheDir,
  kCacheClean,
  kConfigShow,
  kConfigSchema,
  kConfigExplain,
  kCompletions,
  kManual,  // not in the manual: prints it, for the package
  kPrint,   // --help, --version: `text` says it all
};

enum class Color : std::uint8_t { kAuto, kAlways, kNever };

struct OutputFile {
  std::string format;
  std::string path;
};

// Where the work of the analysed programs starts: FILE, FILE:FUNCTION or MODULE:FUNCTION; a file counts from `folder`.
struct EntryPoint {
  std::string text;
  std::string folder;
};

struct Options {
  Command command = Command::kCheck;
  std::vector<std::string> arguments;       // paths, names, FILE or FILE:LINE RULE
  std::vector<std::string> argument_files;  // @FILE
  std::string text;                         // kPrint

  std::vector<std::string> config;  // --config: FILE or KEY=VALUE
  bool isolated = false;
  std::set<std::string> given;                 // options of the command line: "--gpus"
  std::map<std::string, std::string> said_by;  // keys that configuration sets: "cpnlint.toml:3: `gpus`"

  std::vector<std::string> select, ignore, extend_select, extend_ignore;
  rules::Selection selection;  // made of these and `preview`
  bool preview = false;
  rules::Confidence min_confidence = rules::Confidence::kLikely;
  std::optional<rules::Severity> fail_on = rules::Severity::kWarning;  // nullopt: never

  std::vector<std::string> formats;  // for standard output; of `explain`, `rules`, `api`: one
  std::vector<OutputFile> outputs;
  bool statistics = false;
  bool show_files = false;
  bool show_settings = false;
  bool quiet = false;
  bool verbose = false;
  Color color = Color::kAuto;

  std::string target_version;
  std::vector<int> gpus = {1, 4};  // of one node
  int nodes = 1;
  std::vector<std::string> assume;
  std::string profile = "h100-sxm";
  std::int64_t fbmem = 0, sysmem = 0;  // MiB; 0: the profile's
  std::vector<std::string> what_if;
  std::optional<verdict::Pattern> pattern;

  // What a team adopts cpnlint with (docs/adopting.md).
  std::string baseline;        // hides what this file lists
  std::string write_baseline;  // lists all that is found
  bool prune = false;          // drops from the baseline what no longer is, takes better figures into the ratchet
  std::string diff_base;       // a commit: hides what later changes did not bring about
  bool fix = false, diff = false;
  std::optional<std::string> add_ignores;                                   // the reason
  std::optional<double> max_blocks, max_waits_per_iteration, min_coverage;  // of the whole run; coverage in per cent
  std::string ratchet;                                                      // figures that may only get better
  std::vector<EntryPoint> entry_points;  // none: modules, scripts, functions that nothing calls
  std::string ruleset;                   // the edition that is asked for; empty: the one there is

  source::DiscoverOptions discover;
  bool no_cache = false;
  std::string cache_dir;  // empty: the project's
  bool watch = false;
  int watcher = -1;   // a file that the run tells of what it read besides (watch.h)
  unsigned jobs = 0;  // 0: as many as the machine has processors
  std::string stdin_filename;

  bool all = false;  // explain --all

  kernels::Request calibration;
  std::string picture;  // calibrate --output svg:FILE
};

// Reads the command line (without the program's name). An error is a message for the user, without the program's name.
[[nodiscard]] Result<Options> ParseCommandLine(std::vector<std::string> arguments);

// What a message about a key calls it: the option, or who configured it. `key` is "gpus" for --gpus.
[[nodiscard]] std::string NameOf(const Options& options, const std::string& key);

// Of the target machine in all, and of one of its nodes.
constexpr std::int64_t kMostGpus = 1 << 20;

// GPUs of the target machine in all, at most.
[[nodiscard]] int MostGpus(const Options& options);

// For completions: the commands with their one-line descriptions, and the options of one ("--select", ...).
struct CommandInfo {
  std::string name;  // "check", "inspect ir"
  std::string summary;
};
[[nodiscard]] const std::vector<CommandInfo>& Commands();
struct OptionInfo {
  std::string name;
  std::string summary;
  bool takes_value = false;
  std::string short_name;           // "-q", or empty
  std::string type;                 // "FILE"
  std::string group;                // heading in the help
  std::vector<std::string> values;  // where only certain ones are allowed
};
[[nodiscard]] std::vector<OptionInfo> OptionsOf(const std::string& command);

}  // namespace cpnlint::cli
