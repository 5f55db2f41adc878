#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>

#include <unistd.h>

#include "analyzer/source/discover.h"
#include "analyzer/source/file.h"
#include "analyzer/source/markers.h"
#include "analyzer/syntax/parse.h"
#include "cli/adopt.h"
#include "cli/analyse.h"
#include "cli/cache/cache.h"
#include "cli/commands.h"
#include "cli/config/show.h"
#include "cli/ignores.h"
#include "cli/near.h"
#include "cli/output.h"
#include "cli/program.h"
#include "cli/report/formats.h"
#include "cli/report/prediction.h"
#include "cli/repository.h"
#include "cli/targets.h"
#include "cli/terminal.h"
#include "cli/unmatched.h"
#include "cli/watch.h"

namespace cpnlint::cli {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::string_view kStandardInput = "-";

double SecondsSince(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

Settings SettingsOf(const Options& options) {
  Settings settings;
  settings.target.version = options.target_version;
  settings.target.gpus = MostGpus(options);
  settings.selection = options.selection;
  settings.min_confidence = options.min_confidence;
  settings.assume = options.assume;
  settings.predict = options.command != Command::kCheck;
  settings.entry_points = options.entry_points;
  return settings;
}

// The regions of all programs of a run, each with its share of the whole. The report tells of one program.
void GatherPredictions(report::Document& document) {
  report::Prediction all;
  const auto add = [](std::vector<std::string>& to, const std::vector<std::string>& from) {
    for (const std::string& text : from) {
      if (std::find(to.begin(), to.end(), text) == to.end()) to.push_back(text);
    }
  };
  double sum = 0, left = 0;
  std::vector<std::string> without;
  for (const report::File& file : document.files) {
    if (!file.prediction) continue;
    const report::Prediction& one = *file.prediction;
    double told = 0;
    for (const report::PredictedRegion& region : one.regions) told += report::TimeOf(region);
    const double missing = one.left_share < 1 ? told * one.left_share / (1 - one.left_share) : 0;
    sum += told + missing;
    left += missing;
    all.left_out += one.left_out;
    all.regions.insert(all.regions.end(), one.regions.begin(), one.regions.end());
    all.unpriced.insert(all.unpriced.end(), one.unpriced.begin(), one.unpriced.end());
    all.pool = one.pool;
    add(all.assumptions, one.assumptions);
    add(all.unmeasured, one.unmeasured);
    add(without, one.without_effect);
  }
  // What one program does not look at another may.
  for (const std::string& text : without) {
    const auto is_idle = [&](const report::File& file) {
      return !file.prediction ||
             std::ranges::find(file.prediction->without_effect, text) != file.prediction->without_effect.end();
    };
    if (std::ranges::all_of(document.files, is_idle)) all.without_effect.push_back(text);
  }
  all.left_share = sum > 0 ? left / sum : 0;
  for (report::PredictedRegion& region : all.regions) region.share = sum > 0 ? report::TimeOf(region) / sum : 0;
  std::stable_sort(all.regions.begin(), all.regions.end(),
                   [](const auto& a, const auto& b) { return a.told != b.told ? a.told : a.share > b.share; });
  document.prediction = std::move(all);
}

// A mend that was asked for and not found is a mistake in the command, not a prediction.
bool AllFollowed(const report::Document& document, const Options& options) {
  bool all = true;
  for (const std::string& text : options.what_if) {
    if (std::find(document.what_if.begin(), document.what_if.end(), text) != document.what_if.end()) continue;
    Complain("--what-if: no finding that has a price stands at `" + text.substr(4) + "`; `cpnlint check` lists them");
    all = false;
  }
  return all;
}

const std::vector<report::Format>& FormatsOf(const Options& options) {
  if (options.command == Command::kPredict) return report::PredictFormats();
  return options.command == Command::kReport ? report::ReportFormats() : report::Formats();
}

bool IsAskedFor(const Options& options, std::string_view format) {
  return std::any_of(options.formats.begin(), options.formats.end(), [&](const auto& one) { return one == format; }) ||
         std::any_of(options.outputs.begin(), options.outputs.end(),
                     [&](const OutputFile& output) { return output.format == format; });
}

// Only where somebody reads of the gates: the project's folders are listed and some files read for it.
bool TellsOfGates(const Options& options) {
  return options.command == Command::kReport || IsAskedFor(options, "json") || IsAskedFor(options, "html");
}

std::optional<PageSettings> PageSettingsOf(const Options& options, const Plan& plan, const CostSettings& cost) {
  if (!IsAskedFor(options, "html")) return std::nullopt;
  PageSettings page{PageMachines(cost), options.arguments, 0};
  for (const std::unique_ptr<Input>& input : plan.inputs) page.run_bytes += input->text_size;
  return page;
}

// The project of what is highest in the tree among the paths that were named: of a folder and not of the first file in
// it.
verdict::Project ProjectAround(const Options& options) {
  namespace fs = std::filesystem;
  std::optional<fs::path> highest;
  const auto depth = [](const fs::path& path) { return std::distance(path.begin(), path.end()); };
  for (const std::string& argument : options.arguments) {
    if (argument == kStandardInput) continue;
    std::error_code ignored;
    fs::path path = fs::absolute(argument, ignored).lexically_normal();
    if (!path.has_filename()) path = path.parent_path();  // `src/`
    if (!fs::is_directory(path, ignored)) path = path.parent_path();
    if (!highest || depth(path) < depth(*highest)) highest = std::move(path);
  }
  source::Markers found = source::FindMarkers(highest ? std::vector{highest->string()} : std::vector<std::string>());
  return {std::move(found.launchers),       std::move(found.benchmarks),  std::move(found.references),
          std::move(found.tolerance_tests), std::move(found.exact_tests), std::move(found.other_systems)};
}

void JudgeRun(report::Document& document, const Options& options, const CostSettings& cost) {
  verdict::Settings settings;
  settings.gpus.clear();
  for (const cost::Layout& layout : cost.options.layouts) settings.gpus.push_back(layout.processors);
  settings.nodes = options.nodes;
  settings.pattern = options.pattern;
  settings.machine = cost.profile.name;
  settings.split = cost.profile.machine.split;
  settings.capability = cost.profile.machine.gpu ? cost.profile.machine.compute_capability : 0;
  settings.memory = cost.profile.Value(cost::Parameter::kMemory);
  settings.pool = cost::PoolOf(cost.profile, cost.options);
  verdict::Project project;
  if (TellsOfGates(options)) {
    project = ProjectAround(options);
    settings.project = &project;
  }
  report::Judge(document, settings);
}

// What the paths of the command line mean.
struct Work {
  source::Discovery discovery;
  bool standard_input = false;
};

// A word that is no path may be a command that was mistyped.
std::string MeantCommand(const std::vector<std::string>& paths) {
  std::vector<std::string> names;
  for (const CommandInfo& command : Commands()) names.push_back(command.name.substr(0, command.name.find(' ')));
  std::error_code ignored;
  if (paths.empty() || std::filesystem::exists(paths.front(), ignored)) return "";
  // `check check`: the second one was not mistyped.
  const bool is_one = std::find(names.begin(), names.end(), paths.front()) != names.end();
  return is_one ? "" : DidYouMean(paths.front(), names);
}

Result<Work> FindWork(const Options& options) {
  Work work;
  std::vector<std::string> paths;
  for (const std::string& path : options.arguments) {
    if (path == kStandardInput) {
      work.standard_input = true;
    } else {
      paths.push_back(path);
    }
  }
  if (!paths.empty() || !work.standard_input) {
    auto found = source::Discover(paths, options.discover);
    if (!found) return Fail(found.error().message + MeantCommand(paths));
    work.discovery = std::move(*found);
  }
  return work;
}

// What a run reads that is no source.
std::vector<std::string> FilesReadBesides(const Options& options, const config::Configuration& configuration) {
  std::vector<std::string> files = configuration.files();
  if (options.profile.find('/') != std::string::npos || options.profile.ends_with(".json")) {
    files.push_back(options.profile);
  }
  return files;
}

// An error where there is nothing to read, unless the user's own excludes took out what was named.
Result<int> CheckNotEmpty(const Work& work, const Options& options) {
  if (work.standard_input || !work.discovery.files.empty()) return 0;
  // Where the way is barred, nothing is known of what is behind.
  if (!work.discovery.skipped.empty()) {
    const source::Discovery::Skipped& first = work.discovery.skipped.front();
    return Fail('`' + first.path + "`: " + first.message);
  }
  std::string shown;
  for (const std::string& path : options.arguments) {
    std::error_code ignored;
    if (!std::filesystem::is_directory(path, ignored)) return 0;
    shown += (shown.empty() ? "`" : ", `") + path + '`';
  }
  std::string hint = "; files have to end in .py or .ipynb, or to be named";
  if (shown.empty()) {
    shown = "the current folder";
    hint = "; go to your program's folder, or name its files or folders, as in `cpnlint src/`" + hint;
  }
  if (!options.discover.include_tests) hint += ", and test files are read with --include-tests";
  return Fail("there is no Python file to read in " + shown + hint);
}

// A line on the terminal that counts the files done; nothing before a second has passed.
class Progress {
 public:
  explicit Progress(bool wanted) : wanted_(wanted && ErrorIsTerminal()) {}

  void Show(std::size_t done, std::size_t total) {
    if (!wanted_ || SecondsSince(start_) < 1) return;
    Write("\r\x1b[K" + std::to_string(done) + " of " + std::to_string(total) + " files");
    shown_ = true;
  }
  void Clear() {
    if (shown_) Write("\r\x1b[K");
  }

 private:
  static void Write(const std::string& text) {
    // Progress that cannot be shown is no loss.
    [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, text.data(), text.size());
  }

  bool wanted_;
  bool shown_ = false;
  Clock::time_point start_ = Clock::now();
};

// Calls `work(i)` for each i below `count`, lowest first, on as many threads as there are jobs.
void ForEach(std::size_t count, const Options& options, Progress& progress,
             const std::function<void(std::size_t)>& work) {
  const std::size_t wanted = options.jobs != 0 ? options.jobs : std::max(1U, std::thread::hardware_concurrency());
  // One job needs no thread of its own, and memory is cheaper to get where there is only one.
  if (std::min(wanted, count) <= 1) {
    for (std::size_t i = 0; i < count; ++i) {
      work(i);
      progress.Show(i + 1, count);
    }
    syntax::ReleaseThreadMemory();
    return;
  }
  std::atomic<std::size_t> next{0};
  std::size_t done = 0;
  std::mutex mutex;
  std::condition_variable changed;
  const auto run = [&] {
    for (std::size_t i = next++; i < count; i = next++) {
      work(i);
      const std::lock_guard lock(mutex);
      ++done;
      if (done == count) changed.notify_one();
    }
    syntax::ReleaseThreadMemory();
  };
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < std::min(wanted, count); ++i) threads.emplace_back(run);
  {
    std::unique_lock lock(mutex);
    while (!changed.wait_for(lock, std::chrono::milliseconds(100), [&] { return done == count; })) {
      progress.Show(done, count);
    }
  }
  for (std::thread& thread : threads) thread.join();
}

Result<std::unique_ptr<Input>> ReadStandardInput(const Options& options) {
  const std::string path = options.stdin_filename.empty() ? "<stdin>" : source::ShownPath(options.stdin_filename);
  auto loaded = source::LoadStandardInput(path);
  if (!loaded) return tl::make_unexpected(loaded.error());
  return MakeInput(path, std::move(*loaded));
}

// A project reaches at least up to these folders; files among them tell how paths are shown.
std::vector<std::string> RootsOf(const Options& options) {
  return options.arguments.empty() ? std::vector<std::string>{"."} : options.arguments;
}

std::vector<std::unique_ptr<Input>> ReadAll(const Work& work, const Options& options, Progress& progress,
                                            WaitingTexts& waiting, FileIndex* index) {
  const std::vector<source::DiscoveredFile>& files = work.discovery.files;
  std::vector<std::unique_ptr<Input>> inputs(files.size());
  ForEach(files.size(), options, progress, [&](std::size_t i) { inputs[i] = ReadInput(files[i], waiting, index); });
  if (work.standard_input) {
    auto input = ReadStandardInput(options);
    if (input) {
      inputs.push_back(std::move(*input));
    } else {
      inputs.push_back(std::make_unique<Input>());
      inputs.back()->path = "<stdin>";
      inputs.back()->trouble = input.error().message;
    }
  }
  return inputs;
}

// What is told of a file that is in no program; nullopt for the others.
std::optional<Outcome> OutcomeWithoutAnalysis(const Input& input) {
  const auto told = [&](report::File::State state, std::string kind, std::string message) {
    Outcome outcome;
    outcome.file.path = input.path;
    outcome.file.state = state;
    outcome.file.notes.push_back({std::move(kind), std::nullopt, std::move(message), {}});
    outcome.trouble = input.trouble;
    return outcome;
  };
  using State = report::File::State;
  if (!input.trouble.empty()) return told(State::kFailed, "skipped", "cannot be read");
  if (input.loaded.refused) {
    return told(State::kFailed, std::string(source::Name(input.loaded.refused->kind)), input.loaded.refused->message);
  }
  // A notebook of another language has no text, and a note that says so.
  const source::SourceFile* file = input.loaded.file.get();
  if (input.skipped && file != nullptr && !file->notes.empty() &&
      file->notes.front().kind == source::LoadNote::Kind::kSkipped) {
    return told(State::kForeign, "not-analysed", file->notes.front().message);
  }
  if (input.skipped) return told(State::kSkipped, "not-analysed", "no array library is in reach of this file");
  return std::nullopt;
}

std::vector<Outcome> AnalyseAll(const Plan& plan, const Linker& linker, const Settings& settings,
                                const Options& options, RunCache* cache, Progress& progress) {
  std::vector<std::optional<std::vector<Outcome>>> kept(plan.programs.size());
  if (cache != nullptr) {
    ForEach(plan.programs.size(), options, progress,
            [&](std::size_t i) { kept[i] = cache->Find(plan.programs[i], linker); });
  }
  std::deque<ProgramRun> runs;
  for (std::size_t i = 0; i < plan.programs.size(); ++i) {
    if (!kept[i]) runs.emplace_back(plan.programs[i], linker, settings, cache != nullptr);
  }
  // The largest first, so that no thread is left alone with it at the end; a single thread takes it last, when the
  // texts of the others are gone.
  std::vector<ProgramRun*> order;
  for (ProgramRun& run : runs) order.push_back(&run);
  std::stable_sort(order.begin(), order.end(),
                   [](const ProgramRun* a, const ProgramRun* b) { return a->size() > b->size(); });
  if (options.jobs == 1) std::reverse(order.begin(), order.end());
  std::vector<std::pair<ProgramRun*, std::size_t>> steps;
  for (ProgramRun* run : order) {
    for (std::size_t i = 0; i < run->size(); ++i) steps.emplace_back(run, i);
  }
  ForEach(steps.size(), options, progress, [&](std::size_t i) {
    const auto& [run, position] = steps[i];
    if (run->Read(position) && cache != nullptr) cache->Keep(*run);
  });

  std::vector<Outcome> outcomes;
  for (std::optional<std::vector<Outcome>>& program : kept) {
    if (!program) continue;
    for (Outcome& outcome : *program) outcomes.push_back(std::move(outcome));
  }
  for (ProgramRun& run : runs) {
    for (Outcome& outcome : run.TakeOutcomes()) outcomes.push_back(std::move(outcome));
  }
  for (const std::unique_ptr<Input>& input : plan.inputs) {
    if (input->context) continue;
    if (std::optional<Outcome> outcome = OutcomeWithoutAnalysis(*input)) outcomes.push_back(std::move(*outcome));
  }
  std::stable_sort(outcomes.begin(), outcomes.end(),
                   [](const Outcome& a, const Outcome& b) { return a.file.path < b.file.path; });
  return outcomes;
}

int ExitCode(const report::Document& document, const Options& options, bool trouble) {
  const report::Counts counts = report::Count(document);
  if (trouble || (counts.failed > 0 && counts.analysed == 0 && counts.skipped == 0)) return kTrouble;
  if (!options.fail_on) return kOk;
  for (const report::File& file : document.files) {
    for (const report::Finding& finding : file.findings) {
      if (finding.severity >= *options.fail_on) return kFindings;
    }
  }
  return kOk;
}

void Add(report::Timing& sum, const report::Timing& part) {
  sum.read += part.read;
  sum.parse += part.parse;
  sum.lower += part.lower;
  sum.analyse += part.analyse;
  sum.rules += part.rules;
}

bool SelectsGood(const Options& options) {
  const auto rules = rules::AllRules();
  return std::any_of(rules.begin(), rules.end(), [&](const rules::Rule* rule) {
    return rule->family == rules::Family::kScales && options.selection.Includes(*rule);
  });
}

// The files that are analysed, one per line.
int ShowFiles(const Plan& plan) {
  std::vector<std::string> paths;
  bool trouble = false;
  for (const std::unique_ptr<Input>& input : plan.inputs) {
    if (!input->trouble.empty()) {
      Complain(input->trouble);
      trouble = true;
    } else if (!input->context && !input->skipped && input->has_text()) {
      paths.push_back(input->path);
    }
  }
  std::sort(paths.begin(), paths.end());
  std::string text;
  for (const std::string& path : paths) text += path + '\n';
  return PrintResult(text, trouble ? kTrouble : kOk);
}

// Finds what holds for each file of the run.
Result<int> PrepareFiles(config::Configuration& configuration, const Plan& plan, const Options& options) {
  std::vector<std::string> paths;
  for (const std::unique_ptr<Input>& input : plan.inputs) {
    if (input->has_text()) paths.push_back(input->path);
  }
  if (auto good = configuration.Prepare(paths); !good) return good;
  if (!options.verbose) return 0;
  for (const std::string& remark : configuration.remarks()) Complain(remark);
  return 0;
}

// Those of the command line, then those of configurations that are about names of the analysed files.
std::vector<std::string> Assumptions(const std::vector<Outcome>& outcomes, const Options& options) {
  std::vector<std::string> all = options.assume;
  for (const Outcome& outcome : outcomes) {
    for (const std::string& text : outcome.assumed) {
      if (std::find(all.begin(), all.end(), text) == all.end()) all.push_back(text);
    }
  }
  return all;
}

int WriteOutputs(const report::Document& document, const Options& options) {
  std::vector<FileContent> files;
  for (const OutputFile& output : options.outputs) {
    files.push_back(
        {output.path, report::FindFormat(output.format, FormatsOf(options))->write(document, report::Style{})});
  }
  int code = document.exit_code;
  if (auto written = WriteFiles(files); !written) {
    Complain(written.error().message);
    code = kTrouble;
  }
  report::Style style;
  style.quiet = options.quiet;
  style.verbose = options.verbose;
  style.statistics = options.statistics;
  style.width = TerminalWidth();
  style.color = WantsColor(options.color);
  if (WantsHyperlinks(style.color)) style.links = document.folder;
  for (const std::string& format : options.formats) {
    code = PrintResult(report::FindFormat(format, FormatsOf(options))->write(document, style), code);
  }
  return code;
}

void TellTiming(const report::Timing& timing) {
  const auto row = [](const char* name, double seconds) {
    const std::string milliseconds = std::to_string(static_cast<long>(seconds * 1000 + 0.5));
    Complain(std::string(name) + " " + milliseconds + " ms");
  };
  row("discover", timing.discover);
  row("read", timing.read);
  row("parse", timing.parse);
  row("lower", timing.lower);
  row("analyse", timing.analyse);
  row("rules", timing.rules);
  row("wall", timing.wall);
}

// How much of the run the cache has spared.
void TellCache(const RunCache& cache, const Plan& plan) {
  const auto known = std::count_if(plan.inputs.begin(), plan.inputs.end(),
                                   [](const std::unique_ptr<Input>& input) { return input->indexed; });
  Complain("cache " + std::to_string(cache.found()) + " of " + std::to_string(plan.programs.size()) + " programs, " +
           std::to_string(known) + " of " + std::to_string(plan.inputs.size()) + " files");
  if (!cache.problem().empty()) Complain("no cache: " + cache.problem());
}

}  // namespace

int RunCheck(const Options& given) {
  const Clock::time_point start = Clock::now();
  Options options = given;
  auto configuration = config::Configuration::Load(options);
  if (!configuration) {
    Complain(configuration.error().message);
    return kTrouble;
  }
  if (options.show_settings) return PrintResult(config::ShowText(**configuration, options));
  TellPreview(options, **configuration);
  // A baseline is written anew where a configured one is read otherwise.
  if (!options.write_baseline.empty() && !options.given.contains("--baseline")) options.baseline.clear();
  if (auto good = CheckAdopting(options); !good) {
    Complain(good.error().message);
    return kTrouble;
  }
  if (auto good = CheckTargets(options, FilesReadBesides(options, **configuration)); !good) {
    Complain(good.error().message);
    return kTrouble;
  }
  auto cost = CostSettingsOf(options);
  if (!cost) {
    Complain(cost.error().message);
    return kTrouble;
  }
  // Whoever reads of the gates reads of the predicted times as well, whichever command it is.
  if (TellsOfGates(options)) cost->options.samples = cost::Options().samples;
  auto work = FindWork(options);
  if (!work) {
    Complain(work.error().message);
    return kTrouble;
  }
  if (auto good = CheckNotEmpty(*work, options); !good) {
    Complain(good.error().message);
    return kTrouble;
  }
  report::Timing timing;
  timing.discover = SecondsSince(start);

  Progress progress(!options.quiet);
  const Linker linker(RootsOf(options));
  WaitingTexts waiting;
  // The page shows more of a program than the cache keeps.
  auto cache = IsAskedFor(options, "html") ? Result<std::unique_ptr<RunCache>>(nullptr) : RunCache::Open(options);
  if (!cache) {
    Complain(cache.error().message);
    return kTrouble;
  }
  FileIndex* index = *cache ? &(*cache)->files() : nullptr;
  const Plan plan = MakePlan(ReadAll(*work, options, progress, waiting, index), linker, waiting, index);
  TellWatcher(options, plan);
  if (options.show_files) return ShowFiles(plan);
  for (const std::unique_ptr<Input>& input : plan.inputs) timing.read += input->read_seconds;
  if (auto good = PrepareFiles(**configuration, plan, options); !good) {
    Complain(good.error().message);
    return kTrouble;
  }
  Settings settings = SettingsOf(options);
  settings.files = configuration->get();
  settings.cost = std::move(*cost);
  Aim(settings.target, settings.cost->profile);
  settings.page = PageSettingsOf(options, plan, *settings.cost);
  settings.predict = settings.predict || settings.page;  // the page has the report in it
  if (*cache) (*cache)->SetSettings(settings);
  std::vector<Outcome> outcomes = AnalyseAll(plan, linker, settings, options, cache->get(), progress);
  if (*cache) (*cache)->Close();
  progress.Clear();

  report::Document document;
  document.target_version = options.target_version;
  document.gpus = options.gpus;
  document.nodes = options.nodes;
  document.profile = settings.cost->profile.name;
  document.gpu = settings.cost->profile.machine.gpu;
  document.profile_note = settings.cost->profile.machine.note;
  document.pattern = options.pattern;
  document.assumptions = Assumptions(outcomes, options);
  document.show_good = SelectsGood(options);
  std::error_code ignored;
  const std::filesystem::path folder = std::filesystem::current_path(ignored);
  document.folder = folder.string();
  document.repository = RepositoryOf(folder).string();
  bool trouble = false;
  if (!AssumptionsAreMet(outcomes, options)) trouble = true;
  for (report::Note& note : UnmatchedConfiguration(outcomes, options, **configuration)) {
    document.notes.push_back(std::move(note));
  }
  for (Outcome& outcome : outcomes) {
    Add(timing, outcome.timing);
    if (!outcome.trouble.empty()) {
      trouble = true;
      Complain(outcome.trouble);
    }
    ForgetUnsettled(outcome.file, options);
    for (const std::string& text : outcome.file.what_if) document.what_if.push_back(text);
    document.files.push_back(std::move(outcome.file));
  }
  outcomes.clear();
  report::PlaceFingerprints(document);
  for (const source::Discovery::Skipped& skipped : work->discovery.skipped) {
    document.notes.push_back({"skipped", std::nullopt, skipped.message, skipped.path});
  }
  if (options.command != Command::kCheck) GatherPredictions(document);
  if (!AllFollowed(document, options)) trouble = true;
  JudgeRun(document, options, *settings.cost);
  const Adopted adopted = Adopt(document, options, trouble, [&](const rules::Rule& rule, const std::string& path) {
    return (*configuration)->Of(path).selection.Includes(rule);
  });
  if (adopted.code) return *adopted.code;
  if (adopted.again) {
    Options next = options;
    next.fix = false;
    return RunCheck(next);
  }
  document.exit_code = ExitCode(document, options, trouble);
  if (adopted.exceeded && document.exit_code == kOk) document.exit_code = kFindings;
  if (document.exit_code == kTrouble && !trouble) Complain("none of the files could be analysed; the notes say why");
  timing.wall = SecondsSince(start);
  if (options.verbose) document.timing = timing;
  if (IsAskedFor(options, "sarif")) AddLineHashes(document);
  const int code = WriteOutputs(document, options);
  if (options.verbose) TellTiming(timing);
  if (options.verbose && *cache) TellCache(**cache, plan);
  return code;
}

}  // namespace cpnlint::cli
