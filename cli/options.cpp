#include "cli/options.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
#include <map>
#include <thread>

#include <CLI/CLI.hpp>

#include "analyzer/api/api.h"
#include "cli/assume.h"
#include "cli/config/keys.h"
#include "cli/examples.h"
#include "cli/help.h"
#include "cli/near.h"
#include "cli/pricing.h"
#include "cli/report/formats.h"
#include "cli/slips.h"

namespace cpnlint::cli {
namespace {

// What CLI11 fills in; ParseCommandLine makes the Options of it.
struct Raw {
  Options options;
  std::string min_confidence = "likely";
  std::string fail_on = "warning";
  std::string color = "auto";
  std::vector<std::string> outputs;
  std::string shell;
  std::string format;
  std::string backend = "auto";
  std::string pattern;
  bool quick = false, standard = false, full = false;
  bool no_respect_gitignore = false;
};

using Values = std::vector<std::string>;

const Values kConfidences = {"certain", "likely", "possible"};
const Values kSeverities = {"error", "warning", "info", "never"};
const Values kColors = {"auto", "always", "never"};
const Values kBackends = {"auto", "cpu", "cuda"};
const Values kShells = {"bash", "zsh", "fish"};

// CLI11 would take any number of words after a list's option, paths included; a list is one word, A,B or repeated.
CLI::Option* AddList(CLI::App& app, const std::string& name, Values& values, const std::string& help) {
  return app.add_option(name, values, help)->allow_extra_args(false)->delimiter(',');
}

// A whole number from 1 on.
CLI::Validator Whole(std::int64_t most) {
  return CLI::Validator(
      [most](std::string& word) {
        std::int64_t number = 0;
        const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
        const bool whole = error == std::errc() && end == word.data() + word.size() && number >= 1 && number <= most;
        return whole ? std::string() : "`" + word + "` is no whole number from 1 to " + std::to_string(most);
      },
      "");
}

CLI::Option* AddChoice(CLI::App& app, const std::string& name, std::string& value, const Values& allowed,
                       const std::string& help) {
  std::string type;
  for (const std::string& word : allowed) type += (type.empty() ? "" : "|") + word;
  return app.add_option(name, value, help)
      ->type_name(type)
      ->check(CLI::Validator(
          [name, allowed](std::string& word) {
            if (std::find(allowed.begin(), allowed.end(), word) != allowed.end()) return std::string();
            std::string all;
            for (const std::string& other : allowed) all += (all.empty() ? "" : ", ") + other;
            return "`" + word + "` is none of: " + all;
          },
          ""));
}

const std::vector<report::Format>& FormatsOf(Command command) {
  if (command == Command::kPredict) return report::PredictFormats();
  return command == Command::kReport ? report::ReportFormats() : report::Formats();
}

Values FormatNames(Command command) {
  Values names;
  for (const report::Format& format : FormatsOf(command)) names.emplace_back(format.name);
  return names;
}

Values PatternNames() {
  Values names;
  for (std::size_t i = 0; i < verdict::kPatterns; ++i) names.emplace_back(Name(static_cast<verdict::Pattern>(i)));
  return names;
}

// The options that change what is known of a program.
void AddAnalysis(CLI::App& app, Raw& raw) {
  app.add_option("--target-version", raw.options.target_version, "cuPyNumeric version that is meant (newest known)")
      ->type_name("VERSION")
      ->group("Target");
  app.add_option("--gpus", raw.options.gpus, "numbers of GPUs of the target machine (1,4)")
      ->allow_extra_args(false)
      ->delimiter(',')
      ->check(Whole(kMostGpus))
      ->type_name("N[,N...]")
      ->group("Target");
  app.add_option("--nodes", raw.options.nodes, "machines of that kind; --gpus counts those of one (1)")
      ->check(Whole(kMostGpus))
      ->type_name("N")
      ->group("Target");
  app.add_option("--profile", raw.options.profile,
                 "machine profile, a name of `cpnlint profile list` or a file (h100-sxm)")
      ->type_name("NAME|FILE")
      ->group("Target");
  app.add_option("--fbmem", raw.options.fbmem, "memory of one GPU for arrays, in MiB (95 % of what it has)")
      ->check(Whole(std::int64_t{1} << 40))
      ->type_name("MIB")
      ->group("Target");
  app.add_option("--sysmem", raw.options.sysmem, "host memory of one process for arrays, in MiB (80 % of the host's)")
      ->check(Whole(std::int64_t{1} << 40))
      ->type_name("MIB")
      ->group("Target");
  AddChoice(app, "--pattern", raw.pattern, PatternNames(),
            "what kind of work it is, whatever the source tells: stencil, dense-linalg, ...")
      ->type_name("NAME")
      ->group("Target");
  app.add_option("--what-if", raw.options.what_if,
                 "predict as if a finding were mended: fix=R101@FILE:LINE; repeatable")
      ->allow_extra_args(false)
      ->type_name("fix=RULE@FILE:LINE")
      ->group("Target");
  app.add_option("--assume", raw.options.assume, "a size that the source does not tell: N=1e8; repeatable")
      ->allow_extra_args(false)
      ->type_name("NAME=VALUE")
      ->group("Target");
}

void AddColor(CLI::App& app, Raw& raw) {
  AddChoice(app, "--color", raw.color, kColors, "colours (auto: on a terminal)")->group("Output");
}

std::string Joined(const Values& words) {
  std::string all;
  for (const std::string& word : words) all += (all.empty() ? "" : ", ") + word;
  return all;
}

// What silences findings, and what takes them away.
void AddAdopting(CLI::App& app, Options& o) {
  const char* adopting = "Adopting";
  app.add_option("--baseline", o.baseline, "show only findings that this file does not list")
      ->type_name("FILE")
      ->group(adopting);
  app.add_option("--write-baseline", o.write_baseline, "list all findings in this file, and show none of them")
      ->type_name("FILE")
      ->group(adopting);
  app.add_flag("--prune", o.prune, "drop from the baseline (and the ratchet) what no longer is")->group(adopting);
  app.add_option("--diff-base", o.diff_base, "show only findings of what changed since this git commit or branch")
      ->type_name("REF")
      ->group(adopting);
  app.add_option("--add-ignores", o.add_ignores, "write an ignore with this reason for each finding")
      ->type_name("REASON")
      ->group(adopting);
  app.add_flag("--fix", o.fix, "apply safe fixes: removes ignores that silence nothing")->group(adopting);
  app.add_flag("--diff", o.diff, "show what --fix or --add-ignores would write, and write nothing")->group(adopting);
}

void AddCacheDir(CLI::App& app, Options& options) {
  app.add_option("--cache-dir", options.cache_dir, "folder of the cache (.cpnlint_cache in the project's)")
      ->type_name("FOLDER")
      ->group("Running");
}

void AddConfig(CLI::App& app, Raw& raw) {
  app.add_option("--config", raw.options.config,
                 "a configuration file in place of the nearest, or a setting as in one: 'severity.R104=\"error\"'; "
                 "repeatable")
      ->allow_extra_args(false)
      ->type_name("FILE|KEY=VALUE")
      ->group("Running");
  app.add_flag("--isolated", raw.options.isolated, "ignore configuration files")->group("Running");
}

// The options of the commands that analyse programs.
void AddRun(CLI::App& app, Raw& raw) {
  Options& o = raw.options;
  app.add_option("paths", o.arguments, "files and folders; none: the current folder; `-`: standard input")
      ->type_name("PATH");

  const char* selection = "Rules";
  AddList(app, "--select", o.select, "codes, prefixes (R1), slugs, families, ALL (all but R001-R007 and previews)")
      ->type_name("A,B")
      ->group(selection);
  AddList(app, "--ignore", o.ignore, "the more specific of select and ignore wins, ignore wins a tie")
      ->type_name("A,B")
      ->group(selection);
  AddList(app, "--extend-select", o.extend_select, "in addition to what is selected")
      ->type_name("A,B")
      ->group(selection);
  AddList(app, "--extend-ignore", o.extend_ignore, "in addition to what is ignored")
      ->type_name("A,B")
      ->group(selection);
  AddChoice(app, "--min-confidence", raw.min_confidence, kConfidences, "least confidence that is shown (likely)")
      ->group(selection);
  app.add_flag("--preview", o.preview, "with rules whose precision is not yet shown")->group(selection);
  AddChoice(app, "--fail-on", raw.fail_on, kSeverities,
            "lowest severity that makes the exit code 1 (" + raw.fail_on + ")")
      ->group(selection);

  const char* output = "Output";
  if (o.command == Command::kConfigShow) {
    AddChoice(app, "--output-format", raw.format, {"text", "json"}, "form of the output (text)")->group(output);
  } else {
    AddList(app, "--output-format", o.formats, Joined(FormatNames(o.command)) + " (text)")
        ->type_name("F[,F...]")
        ->group(output);
  }
  app.add_option("--output", raw.outputs, "also into a file, written whole or not at all; repeatable")
      ->allow_extra_args(false)
      ->type_name("F:FILE")
      ->group(output);
  if (o.command == Command::kCheck || o.command == Command::kConfigShow) {
    app.add_flag("--statistics", o.statistics, "count findings per rule instead of showing them")->group(output);
  }
  app.add_flag("--show-files", o.show_files, "list the files that would be analysed, and end")->group(output);
  app.add_flag("--show-settings", o.show_settings, "print the settings in effect, and end")->group(output);
  const bool report = o.command == Command::kReport || o.command == Command::kPredict;
  app.add_flag("-q,--quiet", o.quiet,
               report ? "no progress and no remarks beside the report" : "findings, nothing else")
      ->group(output);
  app.add_flag("-v,--verbose", o.verbose, "all notes, and where the time went")->group(output);
  AddColor(app, raw);

  AddAnalysis(app, raw);

  AddAdopting(app, o);

  const char* files = "Files";
  AddList(app, "--exclude", o.discover.exclude, "patterns as in .gitignore, in place of the default ones")
      ->type_name("PATTERN")
      ->group(files);
  AddList(app, "--extend-exclude", o.discover.extend_exclude, "in addition to what is excluded")
      ->type_name("PATTERN")
      ->group(files);
  app.add_flag("--force-exclude", o.discover.force_exclude, "excludes also hold for files named here")->group(files);
  app.add_flag("--no-respect-gitignore", raw.no_respect_gitignore, "read files that .gitignore names")->group(files);
  app.add_flag("--include-tests", o.discover.include_tests, "with test files, setup.py, stubs")->group(files);
  app.add_option("--stdin-filename", o.stdin_filename, "name for `-`")->type_name("PATH")->group(files);

  const char* running = "Running";
  AddConfig(app, raw);
  app.add_flag("--no-cache", o.no_cache, "neither read nor write a cache")->group(running);
  AddCacheDir(app, o);
  app.add_flag("--watch", o.watch, "run again whenever a file changes, until Ctrl-C")->group(running);
  app.add_option("--jobs", o.jobs, "threads (as many as processors)")
      ->check(Whole(1024))
      ->type_name("N")
      ->group(running);
}

void AddFormat(CLI::App& app, Raw& raw, const Values& formats) {
  AddChoice(app, "--output-format", raw.format, formats, "form of the output (text)")->group("Output");
  AddColor(app, raw);
}

void AddInspect(CLI::App& app, Raw& raw) {
  app.add_option("file", raw.options.arguments, "a Python file")
      ->required()
      ->type_name("FILE")
      ->allow_extra_args(false);
  AddAnalysis(app, raw);
  AddConfig(app, raw);
}

void AddCalibrate(CLI::App& app, Raw& raw) {
  const char* effort = "Effort";
  auto* quick = app.add_flag("--quick", raw.quick, "about a minute (the default)")->group(effort);
  auto* standard = app.add_flag("--standard", raw.standard, "about five minutes, in three processes")->group(effort);
  auto* full = app.add_flag("--full", raw.full, "about twenty minutes, in five processes")->group(effort);
  quick->excludes(standard)->excludes(full);
  standard->excludes(full);
  const char* machine = "Machine";
  AddChoice(app, "--backend", raw.backend, kBackends, "what is measured (auto: GPUs where there are any)")
      ->group(machine);
  app.add_option("--runtime", raw.options.calibration.runtime,
                 "Python or legate of the environment with cuPyNumeric (legate on PATH)")
      ->type_name("PATH")
      ->group(machine);
  app.add_flag("--no-runtime", raw.options.calibration.without_runtime, "measure the machine alone")->group(machine);
  app.add_option("--between-nodes", raw.options.calibration.network,
                 "what `cpnlint-cuda between-nodes` measured under your launcher")
      ->type_name("FILE")
      ->group(machine);
  const char* output = "Output";
  app.add_option("--name", raw.options.calibration.name, "of the profile (made of the processor's)")
      ->type_name("NAME")
      ->group(output);
  app.add_option("--output", raw.outputs, "where the profile goes (NAME.json); svg:FILE draws what was measured")
      ->allow_extra_args(false)
      ->type_name("FILE")
      ->group(output);
  app.add_flag("--resume", raw.options.calibration.resume, "go on with an interrupted calibration")->group(output);
  app.add_flag("-q,--quiet", raw.options.quiet, "neither progress nor summary")->group(output);
}

struct CommandEntry {
  Command command;
  CommandInfo info;
  std::function<void(CLI::App&, Raw&)> add;
  bool hidden = false;
};

const std::vector<CommandEntry>& Entries() {
  static const std::vector<CommandEntry> entries = {
      {Command::kCheck, {"check", "findings; the default command"}, &AddRun},
      {Command::kReport,
       {"report", "is it worth porting: verdict, gates, what to fix, in eight sections"},
       [](CLI::App& app, Raw& raw) {
         raw.fail_on = "never";
         AddRun(app, raw);
       }},
      {Command::kPredict,
       {"predict", "time per iteration, memory and scaling over GPU counts, what bounds it"},
       [](CLI::App& app, Raw& raw) {
         raw.fail_on = "never";
         AddRun(app, raw);
       }},
      {Command::kExplain,
       {"explain", "the page of a rule or recipe"},
       [](CLI::App& app, Raw& raw) {
         app.add_option("names", raw.options.arguments, "codes, slugs, recipes")->type_name("CODE|SLUG|RECIPE");
         app.add_flag("--all", raw.options.all, "every rule");
         AddFormat(app, raw, {"text", "json", "markdown"});
       }},
      {Command::kRules,
       {"rules", "the table of rules"},
       [](CLI::App& app, Raw& raw) {
         AddFormat(app, raw, {"text", "json"});
       }},
      {Command::kApi,
       {"api", "is a NumPy name there, does it distribute, what instead"},
       [](CLI::App& app, Raw& raw) {
         app.add_option("names", raw.options.arguments, "np.linalg.qr, ndarray.std, add.at, ...")
             ->required()
             ->type_name("NAME");
         app.add_option("--target-version", raw.options.target_version, "cuPyNumeric version (newest known)")
             ->type_name("VERSION");
         AddConfig(app, raw);
         AddFormat(app, raw, {"text", "json"});
       }},
      {Command::kCalibrate, {"calibrate", "measure this machine, write a machine profile"}, &AddCalibrate},
      {Command::kCalibrateWorker,
       {"calibrate-worker", "what calibrate starts"},
       [](CLI::App& app, Raw& raw) { app.add_option("arguments", raw.options.arguments, "for the worker"); },
       true},
      {Command::kInspectIr, {"inspect ir", "the intermediate form of a file"}, &AddInspect},
      {Command::kInspectFacts,
       {"inspect facts", "what is known of the values of a file"},
       [](CLI::App& app, Raw& raw) {
         AddInspect(app, raw);
         AddFormat(app, raw, {"text", "json"});
       }},
      {Command::kInspectWork, {"inspect work", "what a file asks of the machine, step by step"}, &AddInspect},
      {Command::kInspectWhy,
       {"inspect why", "which condition of a rule held or failed on a line"},
       [](CLI::App& app, Raw& raw) {
         app.add_option("place", raw.options.arguments, "FILE:LINE or FILE:LINE:COLUMN, and a rule's code or slug")
             ->required()
             ->expected(2)
             ->type_name("FILE:LINE RULE");
         AddAnalysis(app, raw);
         AddConfig(app, raw);
       }},
      {Command::kInspectParse,
       {"inspect parse", "read and parse, nothing else"},
       [](CLI::App& app, Raw& raw) {
         app.add_option("paths", raw.options.arguments, "files and folders")->type_name("PATH");
         app.add_flag("--include-tests", raw.options.discover.include_tests, "with test files");
       },
       true},
      {Command::kProfileList,
       {"profile list", "the machine profiles that come with cpnlint"},
       [](CLI::App& app, Raw& raw) {
         AddFormat(app, raw, {"text", "json"});
       }},
      {Command::kProfileShow,
       {"profile show", "every number of a machine profile, and where it comes from"},
       [](CLI::App& app, Raw& raw) {
         app.add_option("profile", raw.options.arguments, "a profile's name or its file")
             ->required()
             ->type_name("NAME|FILE")
             ->allow_extra_args(false);
         AddFormat(app, raw, {"text", "json"});
       }},
      {Command::kProfileCompare,
       {"profile compare", "machine profiles side by side"},
       [](CLI::App& app, Raw& raw) {
         app.add_option("profiles", raw.options.arguments, "two or more names or files")
             ->required()
             ->expected(2, 8)
             ->type_name("NAME|FILE");
         AddFormat(app, raw, {"text", "json"});
       }},
      {Command::kCacheDir,
       {"cache dir", "where the cache lies"},
       [](CLI::App& app, Raw& raw) { AddCacheDir(app, raw.options); }},
      {Command::kCacheClean,
       {"cache clean", "remove the cache"},
       [](CLI::App& app, Raw& raw) { AddCacheDir(app, raw.options); }},
      {Command::kConfigShow,
       {"config show", "the settings in effect, and who says each"},
       [](CLI::App& app, Raw& raw) { AddRun(app, raw); }},
      {Command::kConfigSchema, {"config schema", "the JSON schema of configuration files"}, [](CLI::App&, Raw&) {}},
      {Command::kConfigExplain,
       {"config explain", "what a key of the configuration means, and what it is here; without one, all keys"},
       [](CLI::App& app, Raw& raw) {
         app.add_option("keys", raw.options.arguments, "keys: gpus, per-file-ignores, ...")->type_name("KEY");
         AddConfig(app, raw);
         AddFormat(app, raw, {"text", "json"});
       }},
      {Command::kCompletions,
       {"completions", "completions for a shell: bash, zsh, fish"},
       [](CLI::App& app, Raw& raw) { AddChoice(app, "shell", raw.shell, kShells, "the shell")->required(); }},
      {Command::kManual, {"manual", "the manual page"}, [](CLI::App&, Raw&) {}, true},
  };
  return entries;
}

void Configure(CLI::App& app, const CommandEntry& entry, Raw& raw) {
  app.name("cpnlint " + entry.info.name);
  app.allow_extras();
  app.set_help_flag("-h,--help", "this text");
  app.footer(ExamplesText(entry.info.name));
  entry.add(app, raw);
  // An empty value is mostly a variable of a script that is not set: not to be taken for no option at all.
  const CLI::Validator given([](std::string& word) { return word.empty() ? "it is empty" : std::string(); }, "");
  for (CLI::Option* option : app.get_options()) {
    if (option->get_positional() || option->get_items_expected_max() == 0) continue;
    option->check(given);
    // What is set by a hook or an alias can be set anew behind it.
    if (option->get_expected_max() == 1) option->take_last();
  }
}

// @FILE: one argument per line; blank lines do not count.
Result<std::vector<std::string>> ExpandFiles(std::vector<std::string> arguments, std::vector<std::string>& files) {
  std::vector<std::string> expanded;
  for (std::string& argument : arguments) {
    if (argument.size() < 2 || argument.front() != '@') {
      expanded.push_back(std::move(argument));
      continue;
    }
    const std::string path = argument.substr(1);
    std::ifstream file(path);
    if (!file) return Fail("cannot read `" + path + "`, which @ names as a file of arguments");
    for (std::string line; std::getline(file, line);) {
      if (!line.empty() && line.back() == '\r') line.pop_back();
      if (line.find_first_not_of(" \t") != std::string::npos) expanded.push_back(line);
    }
    if (file.bad()) return Fail("cannot read `" + path + "` to its end");
    files.push_back(path);
  }
  return expanded;
}

Result<rules::Selection> MakeSelection(const Options& options) {
  const std::pair<const char*, const Values*> lists[] = {{"--select", &options.select},
                                                         {"--ignore", &options.ignore},
                                                         {"--extend-select", &options.extend_select},
                                                         {"--extend-ignore", &options.extend_ignore}};
  for (const auto& [name, list] : lists) {
    for (const std::string& selector : *list) {
      if (rules::SelectorIsKnown(selector)) continue;
      return Fail(std::string(name) + ": no rule answers to `" + selector + "`" +
                  DidYouMean(selector, config::SelectorWords()) + " (`cpnlint rules` lists codes, slugs and families)");
    }
  }
  return rules::Selection::Parse(options.select, options.ignore, options.extend_select, options.extend_ignore)
      .map([&](rules::Selection selection) { return selection.ShowPreview(options.preview); });
}

Result<std::string> ParseVersion(const std::string& text) {
  if (text.empty()) return std::string(api::Name(api::kLatest));
  if (const auto version = api::ParseVersion(text)) return std::string(api::Name(*version));
  std::string known;
  for (const api::Version version : api::Versions())
    known += (known.empty() ? "" : ", ") + std::string(api::Name(version));
  return Fail("--target-version: nothing is known of cuPyNumeric `" + text + "`; known: " + known);
}

Result<OutputFile> ParseOutput(const std::string& text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos || colon + 1 == text.size()) {
    return Fail("--output: `" + text + "` is not FORMAT:FILE, for example sarif:findings.sarif");
  }
  if (text.substr(colon + 1) == "-") {
    return Fail("--output: `" + text + "`: what goes to standard output is named by --output-format " +
                text.substr(0, colon));
  }
  return OutputFile{text.substr(0, colon), text.substr(colon + 1)};
}

Result<int> CheckFormat(Command command, const char* option, const std::string& format) {
  if (report::FindFormat(format, FormatsOf(command)) != nullptr) return 0;
  return Fail(std::string(option) + ": there is no format `" + format + "`; there are " + Joined(FormatNames(command)));
}

Result<int> FinishCalibration(Raw& raw) {
  kernels::Request& request = raw.options.calibration;
  request.effort = raw.full       ? kernels::Effort::kFull
                   : raw.standard ? kernels::Effort::kStandard
                                  : kernels::Effort::kQuick;
  request.backend = raw.backend == "cpu"    ? kernels::BackendChoice::kCpu
                    : raw.backend == "cuda" ? kernels::BackendChoice::kCuda
                                            : kernels::BackendChoice::kAuto;
  if (request.without_runtime && !request.runtime.empty()) return Fail("--runtime and --no-runtime exclude each other");
  for (const std::string& output : raw.outputs) {
    const bool picture = output.starts_with("svg:");
    std::string& path = picture ? raw.options.picture : request.output;
    if (!path.empty()) return Fail("--output: one profile and one svg:FILE, and `" + output + "` is one more");
    path = picture ? output.substr(4) : output;
    if (path.empty()) return Fail("--output: `" + output + "` names no file");
  }
  return 0;
}

// Everything that CLI11 cannot say of the values.
Result<Options> Finish(Raw raw) {
  Options& options = raw.options;
  options.min_confidence = raw.min_confidence == "certain"  ? rules::Confidence::kCertain
                           : raw.min_confidence == "likely" ? rules::Confidence::kLikely
                                                            : rules::Confidence::kPossible;
  options.fail_on = raw.fail_on == "error"     ? std::optional(rules::Severity::kError)
                    : raw.fail_on == "warning" ? std::optional(rules::Severity::kWarning)
                    : raw.fail_on == "info"    ? std::optional(rules::Severity::kInfo)
                                               : std::nullopt;
  for (std::size_t i = 0; i < verdict::kPatterns; ++i) {
    if (Name(static_cast<verdict::Pattern>(i)) == raw.pattern) options.pattern = static_cast<verdict::Pattern>(i);
  }
  options.color = raw.color == "always" ? Color::kAlways : raw.color == "never" ? Color::kNever : Color::kAuto;
  options.discover.respect_gitignore = !raw.no_respect_gitignore;

  auto version = ParseVersion(options.target_version);
  if (!version) return tl::make_unexpected(version.error());
  options.target_version = *version;
  std::sort(options.gpus.begin(), options.gpus.end());
  options.gpus.erase(std::unique(options.gpus.begin(), options.gpus.end()), options.gpus.end());
  std::map<std::string, std::string> sizes;
  for (const std::string& text : options.assume) {
    if (auto good = CheckAssumption(text, sizes); !good) return Fail("--assume: " + good.error().message);
  }
  if (options.command == Command::kCalibrate) {
    if (auto good = FinishCalibration(raw); !good) return tl::make_unexpected(good.error());
  }
  if (!raw.format.empty()) options.formats = {raw.format};
  if (!raw.shell.empty()) options.arguments = {raw.shell};
  if (options.command == Command::kExplain && options.arguments.empty() && !options.all) {
    return Fail("explain: name a rule (R101, element-loop) or a recipe (RR-loop), or give --all");
  }
  for (const std::string& text : options.what_if) {
    if (auto good = ParseWhatIf(text); !good) return tl::make_unexpected(good.error());
  }
  if (options.command != Command::kCheck && options.command != Command::kReport &&
      options.command != Command::kPredict && options.command != Command::kConfigShow) {
    return std::move(options);
  }

  const bool stream = std::find(options.arguments.begin(), options.arguments.end(), "-") != options.arguments.end();
  if (!options.stdin_filename.empty() && !stream) {
    return Fail("--stdin-filename names standard input, and `-` is not among the paths: `cpnlint --stdin-filename " +
                options.stdin_filename + " -`");
  }
  auto selection = MakeSelection(options);
  if (!selection) return tl::make_unexpected(selection.error());
  options.selection = std::move(*selection);
  for (const std::string& text : raw.outputs) {
    auto output = ParseOutput(text);
    if (!output) return tl::make_unexpected(output.error());
    if (auto good = CheckFormat(options.command, "--output", output->format); !good)
      return tl::make_unexpected(good.error());
    options.outputs.push_back(std::move(*output));
  }
  if (options.formats.empty()) options.formats = {"text"};
  for (const std::string& format : options.formats) {
    if (auto good = CheckFormat(options.command, "--output-format", format); !good)
      return tl::make_unexpected(good.error());
  }
  return std::move(options);
}

// CLI11 leaves two lines free before each heading.
std::string WithoutGaps(std::string text) {
  for (std::size_t at = text.find("\n\n\n"); at != std::string::npos; at = text.find("\n\n\n", at)) text.erase(at, 1);
  return text;
}

Options Print(std::string text) {
  Options options;
  options.command = Command::kPrint;
  options.text = std::move(text);
  return options;
}

// Commands of two words, by the first.
constexpr std::pair<std::string_view, std::string_view> kGroups[] = {
    {"inspect", "ir FILE, facts FILE, work FILE, or why FILE:LINE RULE"},
    {"profile", "list, show NAME, or compare NAME NAME"},
    {"cache", "dir or clean"},
    {"config", "show, schema, or explain KEY"},
};

bool IsGroup(const std::string& word) {
  return std::find_if(std::begin(kGroups), std::end(kGroups), [&](const auto& group) { return group.first == word; }) !=
         std::end(kGroups);
}

// The command that the first words name, and how many they are; `check` where they name none.
Result<std::pair<const CommandEntry*, std::size_t>> FindCommand(const std::vector<std::string>& words) {
  const std::vector<CommandEntry>& entries = Entries();
  if (words.empty() || words.front().starts_with('-')) return std::pair(&entries.front(), std::size_t{0});
  for (const auto& [group, usage] : kGroups) {
    if (words.front() != group) continue;
    Values kinds;
    for (const CommandEntry& entry : entries) {
      if (!entry.info.name.starts_with(std::string(group) + " ")) continue;
      const std::string kind = entry.info.name.substr(group.size() + 1);
      if (words.size() > 1 && words[1] == kind) return std::pair(&entry, std::size_t{2});
      if (!entry.hidden) kinds.push_back(kind);
    }
    const std::string given = words.size() > 1 ? words[1] : "";
    return Fail(std::string(group) + ": say what: " + std::string(usage) + DidYouMean(given, kinds));
  }
  for (const CommandEntry& entry : entries) {
    if (entry.info.name == words.front()) return std::pair(&entry, std::size_t{1});
  }
  return std::pair(&entries.front(), std::size_t{0});
}

// Whether the first of these paths is a command that stood behind options.
bool IsMisplaced(const std::vector<std::string>& paths) {
  std::error_code ignored;
  if (paths.empty() || std::filesystem::exists(paths.front(), ignored)) return false;
  return IsGroup(paths.front()) || std::any_of(Entries().begin(), Entries().end(), [&](const CommandEntry& entry) {
           return !entry.hidden && entry.info.name == paths.front();
         });
}

bool AsksForHelp(const std::string& word) { return word == "--help" || word == "-h"; }

}  // namespace

std::string NameOf(const Options& options, const std::string& key) {
  const auto found = options.said_by.find(key);
  return found == options.said_by.end() ? "--" + key : found->second;
}

int MostGpus(const Options& options) {
  const std::int64_t of_one_node = options.gpus.empty() ? 1 : options.gpus.back();
  return static_cast<int>(std::min<std::int64_t>(of_one_node * options.nodes, std::numeric_limits<int>::max()));
}

Result<Options> ParseCommandLine(std::vector<std::string> arguments) {
  Raw raw;
  auto expanded = ExpandFiles(std::move(arguments), raw.options.argument_files);
  if (!expanded) return tl::make_unexpected(expanded.error());
  std::vector<std::string>& words = *expanded;
  if (!words.empty() && (words.front() == "--version" || words.front() == "-V")) {
    return Print("cpnlint " CPNLINT_VERSION "\n");
  }
  if (!words.empty() && (AsksForHelp(words.front()) || (words.front() == "help" && words.size() == 1))) {
    return Print(RootHelp());
  }
  if (!words.empty() && words.front() == "help") {  // `help check` as in other programs
    words.erase(words.begin());
    words.emplace_back("--help");
  }
  if (words.size() == 2 && IsGroup(words.front()) && AsksForHelp(words.back())) return Print(GroupHelp(words.front()));

  auto found = FindCommand(words);
  if (!found) return tl::make_unexpected(found.error());
  const CommandEntry& entry = *found->first;
  words.erase(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(found->second));

  raw.options.command = entry.command;
  CLI::App app("cpnlint " + entry.info.name + ": " + entry.info.summary);
  Configure(app, entry, raw);
  if (const std::string option = WithoutText(words); !option.empty()) {
    return Fail(option + ": it is empty (see `" + app.get_name() + " --help`)");
  }
  try {
    std::vector<std::string> reversed(words.rbegin(), words.rend());  // as CLI11 wants them
    app.parse(reversed);
  } catch (const CLI::CallForHelp&) {
    return Print(WithoutGaps(app.help()));
  } catch (const CLI::RequiredError&) {
    return Fail(entry.info.name + ": say what: " + Lacking(app) + " (see `" + app.get_name() + " --help`)");
  } catch (const CLI::ArgumentMismatch& error) {
    return Fail(WithoutValue(app, entry.info.name, error.what()) + " (see `" + app.get_name() + " --help`)");
  } catch (const CLI::ParseError& error) {
    return Fail(std::string(error.what()) + " (see `" + app.get_name() + " --help`)");
  }
  for (const CLI::Option* option : app.get_options()) {
    if (option->count() == 0) continue;
    for (const std::string& name : option->get_lnames()) raw.options.given.insert("--" + name);
  }
  std::vector<std::string> rest = app.remaining();
  std::erase(rest, "--");  // CLI11 counts the mark itself among what is left
  if (!rest.empty()) return Fail(LeftOver(app, rest));
  if (found->second == 0 && IsMisplaced(raw.options.arguments)) {
    const std::string& command = raw.options.arguments.front();
    return Fail("`" + command + "` is no file or folder here; a command comes before its options: `cpnlint " + command +
                " --output-format json src/`");
  }
  return Finish(std::move(raw));
}

const std::vector<CommandInfo>& Commands() {
  static const std::vector<CommandInfo> commands = [] {
    std::vector<CommandInfo> result;
    for (const CommandEntry& entry : Entries()) {
      if (!entry.hidden) result.push_back(entry.info);
    }
    return result;
  }();
  return commands;
}

std::vector<OptionInfo> OptionsOf(const std::string& command) {
  const std::map<std::string, Values> choices = {{"pattern", PatternNames()},
                                                 {"min-confidence", kConfidences},
                                                 {"fail-on", kSeverities},
                                                 {"color", kColors},
                                                 {"backend", kBackends}};
  std::vector<OptionInfo> result;
  for (const CommandEntry& entry : Entries()) {
    if (entry.info.name != command) continue;
    Raw raw;
    raw.options.command = entry.command;
    CLI::App app;
    Configure(app, entry, raw);
    for (const CLI::Option* option : app.get_options()) {
      for (const std::string& name : option->get_lnames()) {
        OptionInfo info;
        info.name = "--" + name;
        info.summary = option->get_description();
        info.takes_value = option->get_items_expected_max() > 0;
        if (!option->get_snames().empty()) info.short_name = "-" + option->get_snames().front();
        info.type = option->get_type_name();
        info.group = option->get_group();
        if (const auto found = choices.find(name); found != choices.end()) info.values = found->second;
        const bool runs =
            entry.command == Command::kCheck || entry.command == Command::kReport || entry.command == Command::kPredict;
        if (name == "output-format" && runs) info.values = FormatNames(entry.command);
        if (name == "output-format" && command == "explain") info.values = {"text", "json", "markdown"};
        if (name == "output-format" && (command == "rules" || command == "api" || command.starts_with("profile ") ||
                                        command.starts_with("config ")))
          info.values = {"text", "json"};
        result.push_back(std::move(info));
      }
    }
  }
  return result;
}

}  // namespace cpnlint::cli
