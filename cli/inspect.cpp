#include <algorithm>
#include <cctype>
#include <filesystem>
#include <limits>
#include <memory>

#include <nlohmann/json.hpp>

#include "analyzer/analysis/facts.h"
#include "analyzer/analysis/print_facts.h"
#include "analyzer/analysis/print_work.h"
#include "analyzer/ir/print.h"
#include "analyzer/ir/verify.h"
#include "analyzer/lower/lower.h"
#include "analyzer/source/discover.h"
#include "analyzer/source/file.h"
#include "analyzer/syntax/parse.h"
#include "cli/analyse.h"
#include "cli/commands.h"
#include "cli/config/program.h"
#include "cli/near.h"
#include "cli/output.h"
#include "cli/place.h"
#include "cli/program.h"
#include "cli/sources.h"
#include "cli/why.h"
#include "rules/engine/why.h"

namespace cpnlint::cli {
namespace {

constexpr std::size_t kKeepAll = std::numeric_limits<std::size_t>::max();  // bytes of texts

// A program as far as its IR. Not moved: spans and facts refer to it.
struct Lowered {
  ir::Program program;
  Sources sources;
  std::vector<std::pair<const Input*, ir::ModuleId>> modules;
};

// What `check` would go by: the command line and the configuration around the files.
struct Configured {
  Options options;
  std::unique_ptr<config::Configuration> files;
};

Result<Configured> Configure(const Options& given, const std::string& path) {
  Configured configured;
  configured.options = given;
  configured.options.arguments = {path};
  auto files = config::Configuration::Load(configured.options);
  if (!files) return tl::make_unexpected(files.error());
  configured.files = std::move(*files);
  return configured;
}

// Finds what holds for the files of a plan.
Result<int> Prepare(Configured& configured, const Plan& plan) {
  std::vector<std::string> paths;
  for (const std::unique_ptr<Input>& input : plan.inputs) {
    if (input->has_text()) paths.push_back(input->path);
  }
  return configured.files->Prepare(paths);
}

std::unique_ptr<Lowered> LowerProgram(const std::vector<Input*>& files, const Linker& linker,
                                      const Configured& configured) {
  auto lowered = std::make_unique<Lowered>();
  std::vector<LoweredModule> modules;
  for (std::size_t i = 0; i < files.size(); ++i) {
    const source::SourceFile& source = *files[i]->loaded.file;
    const syntax::Tree tree = syntax::Parse(source);
    std::vector<lower::SyntaxNote> notes;
    modules.push_back({i, lower::Lower(source, tree, ModuleName(files[i]->path), lowered->program, notes)});
    ir::Module& module = lowered->program.modules[modules.back().module];
    lowered->sources.Add(source, module.text.begin);
    AddAssumptions(module, configured.options.assume);
    lowered->modules.emplace_back(files[i], modules.back().module);
  }
  linker.Link(lowered->program, modules, files);
  std::vector<config::ConfiguredModule> known;
  for (const auto& [input, module] : lowered->modules) {
    const std::string& path = input->path;
    for (const std::string& message :
         config::AddEntryPoints(configured.options.entry_points, lowered->program, module, path)) {
      Complain(path + ": " + message);
    }
    known.push_back({module, &configured.files->Of(path)});
  }
  config::AddAssumptions(lowered->program, known);
  return lowered;
}

// One file, in the program of what it imports.
struct LoweredFile {
  Configured configured;
  Plan plan;
  const source::SourceFile* source = nullptr;
  std::unique_ptr<Lowered> lowered;
  ir::ModuleId module;
};

// `with_imports`: together with the modules that it imports, as `check` sees it.
Result<LoweredFile> LowerFile(const std::string& path, const Options& options, bool with_imports) {
  auto loaded = source::Load(path);
  if (!loaded) return tl::make_unexpected(loaded.error());
  if (loaded->file == nullptr) {
    return cpnlint::Fail(path + ": " + (loaded->refused ? loaded->refused->message : "cannot be analysed"));
  }
  std::vector<std::unique_ptr<Input>> inputs;
  inputs.push_back(MakeInput(source::ShownPath(path), std::move(*loaded)));
  Input* const wanted = inputs.front().get();
  wanted->loaded.file->path = wanted->path;
  inputs.front()->mentions = true;  // asked for by name
  LoweredFile file;
  auto configured = Configure(options, path);
  if (!configured) return tl::make_unexpected(configured.error());
  file.configured = std::move(*configured);
  file.source = wanted->loaded.file.get();
  const Linker linker({path});
  WaitingTexts waiting(kKeepAll);
  file.plan = MakePlan(std::move(inputs), linker, waiting);
  if (auto good = Prepare(file.configured, file.plan); !good) return tl::make_unexpected(good.error());
  file.lowered = LowerProgram(with_imports ? file.plan.programs.front() : std::vector{wanted}, linker, file.configured);
  for (const auto& [input, module] : file.lowered->modules) {
    if (input == wanted) file.module = module;
  }
  return file;
}

int Tell(const Error& error) {
  Complain(error.message);
  return kTrouble;
}

const rules::Rule* FindRule(std::string_view name, std::vector<std::string>& known) {
  const auto same = [&](std::string_view other) {
    return std::equal(name.begin(), name.end(), other.begin(), other.end(),
                      [](unsigned char a, unsigned char b) { return std::tolower(a) == std::tolower(b); });
  };
  for (const rules::Rule* rule : rules::AllRules()) {
    if (same(rules::CodeText(*rule)) || same(rule->slug)) return rule;
    known.push_back(rules::CodeText(*rule));
    known.emplace_back(rule->slug);
  }
  return nullptr;
}

// The line of the text that the place means.
Result<std::uint32_t> FindLine(const source::SourceFile& file, const FilePlace& place) {
  if (file.notebook == nullptr) {
    const std::uint32_t lines = file.lines.line_count();
    if (place.cell == 0 && place.line <= lines) return place.line;
    if (place.cell != 0) return cpnlint::Fail(place.path + " is no notebook, so it has no cells");
    return cpnlint::Fail(place.path + " has no line " + std::to_string(place.line) + "; its last one is " +
                         std::to_string(lines));
  }
  if (place.cell == 0) return cpnlint::Fail(place.path + ": name the cell, as in `" + place.path + ":cell 3:12`");
  const std::uint32_t line = file.notebook->LineOf(place.cell, place.line);
  if (line != 0) return line;
  return cpnlint::Fail(place.path + " has no line " + std::to_string(place.line) + " of Python in cell " +
                       std::to_string(place.cell) + "; code cells are counted from 1");
}

std::string_view PlainKind(const analysis::Value& value) {
  switch (value.kind) {
    case analysis::Kind::kArray: return "array";
    case analysis::Kind::kUnknown: return "unknown";
    case analysis::Kind::kBottom: return "unreached";
    case analysis::Kind::kNumpyScalar: return "numpy scalar";
    default: return "other";
  }
}

// `folder`: with the path of the file.
void AddFacts(nlohmann::ordered_json& list, const analysis::Facts& facts, ir::ModuleId module,
              const source::SourceFile& file, bool folder) {
  const std::uint32_t begin = facts.program().modules[module].text.begin;
  for (const analysis::NamedFact& fact : analysis::NamedFacts(facts, module)) {
    const analysis::Value& value = facts.Of(fact.value);
    const report::Point at = PlaceOf(file, {fact.at - begin, fact.at - begin}).start;
    const int rank = value.kind == analysis::Kind::kArray ? analysis::Rank(facts.store(), value) : -1;
    nlohmann::ordered_json entry = nlohmann::ordered_json::object();
    if (folder) entry["path"] = file.path;
    if (at.cell != 0) entry["cell"] = at.cell;
    entry["line"] = report::ShownLine(at);
    entry["byte_column"] = at.byte + 1;
    entry["name"] = fact.name;
    entry["kind"] = PlainKind(value);
    entry["confidence"] = rules::Name(analysis::ConfidenceOf(value.evidence));
    entry["rank"] = rank < 0 ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(rank);
    entry["text"] = fact.text;
    list.push_back(std::move(entry));
  }
}

// "12", of a notebook "cell 2:3".
std::string LineText(const source::SourceFile& file, std::uint32_t at) {
  const report::Point point = PlaceOf(file, {at, at}).start;
  return (point.cell == 0 ? "" : "cell " + std::to_string(point.cell) + ':') + std::to_string(report::ShownLine(point));
}

std::string Lines(const analysis::Facts& facts, ir::ModuleId module, const source::SourceFile& file) {
  const std::uint32_t begin = facts.program().modules[module].text.begin;
  return analysis::PrintFacts(facts, module, [&](std::uint32_t offset) { return LineText(file, offset - begin); });
}

std::string Dump(const nlohmann::ordered_json& list) {
  return list.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

// All files of a folder, in the programs that `check` makes of them.
int InspectFolder(const Options& given, bool json) {
  auto configured = Configure(given, given.arguments.front());
  if (!configured) return Tell(configured.error());
  const Options& options = configured->options;
  auto found = source::Discover(options.arguments, options.discover);
  if (!found) return Tell(found.error());
  std::vector<std::unique_ptr<Input>> inputs;
  WaitingTexts waiting(kKeepAll);
  for (const source::DiscoveredFile& file : found->files) inputs.push_back(ReadInput(file, waiting));
  const Linker linker(options.arguments);
  const Plan plan = MakePlan(std::move(inputs), linker, waiting);
  if (auto good = Prepare(*configured, plan); !good) return Tell(good.error());
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  std::string text;
  for (const std::vector<Input*>& files : plan.programs) {
    const std::unique_ptr<Lowered> lowered = LowerProgram(files, linker, *configured);
    const analysis::Facts facts(lowered->program, lowered->program.names);
    for (const auto& [input, module] : lowered->modules) {
      if (input->context) continue;
      const source::SourceFile& file = *input->loaded.file;
      if (json) {
        AddFacts(list, facts, module, file, true);
      } else {
        text.append(file.path).append(":\n").append(Lines(facts, module, file));
      }
    }
  }
  return PrintResult(json ? Dump(list) : text);
}

}  // namespace

int RunInspectIr(const Options& options) {
  auto lowered = LowerFile(options.arguments.front(), options, false);
  if (!lowered) return Tell(lowered.error());
  const ir::Program& program = lowered->lowered->program;
  const std::string& text = lowered->source->text;
  int code = kOk;
  for (const std::string& broken : ir::Verify(program, lowered->module, text.size())) {
    Complain("internal error, which is our bug: the IR is not sound: " + broken);
    code = kTrouble;
  }
  return PrintResult(ir::Print(program, lowered->module, text), code);
}

int RunInspectFacts(const Options& options) {
  const bool json = !options.formats.empty() && options.formats.front() == "json";
  std::error_code ignored;
  if (std::filesystem::is_directory(options.arguments.front(), ignored)) return InspectFolder(options, json);
  auto lowered = LowerFile(options.arguments.front(), options, true);
  if (!lowered) return Tell(lowered.error());
  ir::Program& program = lowered->lowered->program;
  const analysis::Facts facts(program, program.names);
  if (!json) return PrintResult(Lines(facts, lowered->module, *lowered->source));
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  AddFacts(list, facts, lowered->module, *lowered->source, false);
  return PrintResult(Dump(list));
}

int RunInspectWork(const Options& options) {
  auto lowered = LowerFile(options.arguments.front(), options, true);
  if (!lowered) return Tell(lowered.error());
  ir::Program& program = lowered->lowered->program;
  const analysis::Facts facts(program, program.names);
  const analysis::Work work = analysis::WorkOf(facts);
  const std::uint32_t begin = program.modules[lowered->module].text.begin;
  const auto line_of = [&](std::uint32_t offset) { return LineText(*lowered->source, offset - begin); };
  return PrintResult(analysis::PrintWork(facts, work, lowered->module, line_of));
}

int RunInspectWhy(const Options& given) {
  const auto place = SplitPlace(given.arguments[0]);
  if (!place)
    return Tell({"inspect why: `" + given.arguments[0] +
                 "` is not FILE:LINE, for example solver.py:41 or notes.ipynb:cell 3:12"});
  std::vector<std::string> known;
  const rules::Rule* rule = FindRule(given.arguments[1], known);
  if (rule == nullptr) {
    return Tell({"inspect why: there is no rule `" + given.arguments[1] + "`" + DidYouMean(given.arguments[1], known)});
  }
  auto lowered = LowerFile(place->path, given, true);
  if (!lowered) return Tell(lowered.error());
  const Options& options = lowered->configured.options;
  const config::FileSettings& settings = lowered->configured.files->Of(lowered->source->path);
  const source::SourceFile& source = *lowered->source;
  ir::Program& program = lowered->lowered->program;
  const auto line_number = FindLine(source, *place);
  if (!line_number) return Tell(line_number.error());
  const analysis::Facts facts(program, program.names);
  rules::Target target;
  target.version = options.target_version;
  target.gpus = MostGpus(options);
  auto cost = CostSettingsOf(options);
  if (!cost) return Tell(cost.error());
  Aim(target, cost->profile);
  const Pricing pricing(facts, *cost);  // the rules about memory ask it
  target.memory = &pricing.memory();
  const std::uint32_t begin = program.modules[lowered->module].text.begin;
  Span line = source.lines.LineSpan(*line_number);
  line = {line.begin + begin, line.end + begin};
  std::vector<rules::Attempt> attempts = rules::Why(facts, lowered->module, target, *rule, line);
  std::string text = rules::CodeText(*rule) + " " + rule->slug + " at " + given.arguments[0] + "\n";
  if (attempts.empty()) text += "nothing on this line is of a kind that the rule looks at\n";
  for (rules::Attempt& attempt : attempts) {
    attempt.finding.severity = SeverityOf(settings, *rule, attempt.finding.severity);
    text += AttemptText(attempt, *rule, lowered->lowered->sources);
  }
  text += KnownText(facts, lowered->module, line, lowered->lowered->sources);
  if (!attempts.empty() && !settings.selection.Includes(*rule)) {
    text += rules::CodeText(*rule) + " is not among the rules that are shown here (`cpnlint config show`)\n";
  }
  return PrintResult(text);
}

int RunInspectParse(const Options& options) {
  auto found = source::Discover(options.arguments, options.discover);
  if (!found) return Tell(found.error());
  std::size_t files = 0;
  std::size_t bytes = 0;
  std::size_t lines = 0;
  std::size_t nodes = 0;
  for (const source::DiscoveredFile& file : found->files) {
    WaitingTexts waiting;
    const std::unique_ptr<Input> input = ReadInput(file, waiting);
    if (input->loaded.file == nullptr) continue;
    const source::SourceFile& source = *input->loaded.file;
    const syntax::Tree tree = syntax::Parse(source);
    for ([[maybe_unused]] const syntax::Node node : tree.root().Subtree()) ++nodes;
    ++files;
    bytes += source.text.size();
    lines += source.lines.line_count();
  }
  return PrintResult(std::to_string(files) + " files, " + std::to_string(bytes) + " bytes, " + std::to_string(lines) +
                     " lines, " + std::to_string(nodes) + " nodes\n");
}

}  // namespace cpnlint::cli
