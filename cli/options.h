#pragma once

// The command line: which command, and what it was told.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analyzer/base/result.h"
#include "analyzer/source/discover.h"
#include "rules/engine/rule.h"
#include "rules/engine/selection.h"
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
  kCompletions,
  kManual,  // not in the manual: prints it, for the package
  kPrint,   // --help, --version: `text` says it all
};

enum class Color : std::uint8_t { kAuto, kAlways, kNever };

struct OutputFile {
  std::string format;
  std::string path;
};

struct Options {
  Command command = Command::kCheck;
  std::vector<std::string> arguments;  // paths, names, FILE or FILE:LINE RULE
  std::string text;                    // kPrint

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

  source::DiscoverOptions discover;
  bool isolated = false;
  bool no_cache = false;
  unsigned jobs = 0;  // 0: as many as the machine has processors
  std::string stdin_filename;

  bool all = false;  // explain --all

  kernels::Request calibration;
  std::string picture;  // calibrate --output svg:FILE
};

// Reads the command line (without the program's name). An error is a message for the user, without the program's name.
[[nodiscard]] Result<Options> ParseCommandLine(std::vector<std::string> arguments);

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
