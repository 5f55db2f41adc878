#include "cli/unmatched.h"

#include <algorithm>
#include <filesystem>

#include "cli/config/program.h"
#include "cli/coverage.h"
#include "cli/near.h"
#include "cli/output.h"

namespace cpnlint::cli {
namespace {

namespace fs = std::filesystem;

bool IsAnalysed(const Outcome& outcome) { return outcome.file.state == report::File::State::kAnalysed; }

bool IsMet(const Outcome& outcome, const std::string& text) {
  return std::find(outcome.assumed.begin(), outcome.assumed.end(), text) != outcome.assumed.end();
}

// Why an assumption is about nothing: of what the programs say, what comes closest to it. `outcomes`: not none.
std::string WhyUnmet(const std::vector<const Outcome*>& outcomes, const std::string& text) {
  const Unmet* best = nullptr;
  for (const Outcome* outcome : outcomes) {
    for (const Unmet& unmet : outcome->unmet) {
      if (unmet.text != text) continue;
      const bool closer = best == nullptr || unmet.kind > best->kind;
      if (closer || (unmet.kind == best->kind && best->near.empty())) best = &unmet;
    }
  }
  if (best == nullptr) return "nothing in the analysed files is called that";
  if (best->kind != Unmet::Kind::kFile) return Sentence(*best);
  Unmet unmet = *best;
  for (const Outcome* outcome : outcomes) {
    unmet.near.push_back(outcome->file.path);
    unmet.near.push_back(fs::path(outcome->file.path).filename().string());
  }
  return Sentence(unmet);
}

// Not `--config KEY=VALUE` or the environment, which are about this run and no other.
bool IsFile(const config::Origin& origin) {
  return origin.place == config::Place::kFile || origin.place == config::Place::kUserFile;
}

report::Note NoteAt(const config::Origin& origin, config::Point at, std::string message) {
  if (!IsFile(origin)) return {"unknown-name", std::nullopt, config::Describe(origin) + ": " + message, ""};
  report::Note note = {"unknown-name", std::nullopt, std::move(message), origin.name};
  if (at.line == 0) return note;
  note.start.emplace();
  note.start->line = at.line;
  note.start->column = note.start->utf16 = at.column;
  return note;
}

void AddAssumptionNotes(const std::vector<Outcome>& outcomes, const Options& options,
                        const config::Configuration& configuration, std::vector<report::Note>& notes) {
  const config::Key& key = *config::FindKey("assume");
  for (const config::Setting* part : configuration.PartsOf(key)) {
    if (part->origin.place == config::Place::kCommandLine) continue;
    const std::string folder = part->origin.patterns.empty() ? AbsolutePath(".").string() : part->origin.patterns;
    if (IsFile(part->origin) && !Reads(options, folder)) continue;
    for (const config::Binding& binding : config::Bindings(part->value)) {
      std::vector<const Outcome*> meant;
      std::vector<std::string> files;
      for (const Outcome& outcome : outcomes) {
        files.push_back(outcome.file.path);
        files.push_back(fs::path(outcome.file.path).filename().string());
        const bool here = binding.pattern.empty() ||
                          config::PatternMeans(binding.pattern, folder, AbsolutePath(outcome.file.path).string());
        if (here && IsAnalysed(outcome)) meant.push_back(&outcome);
      }
      const auto is_met = [&](const Outcome* outcome) { return IsMet(*outcome, binding.text); };
      if (std::any_of(meant.begin(), meant.end(), is_met)) continue;
      const std::string why =
          meant.empty() ? "no analysed file is called `" + binding.pattern + '`' + DidYouMean(binding.pattern, files)
                        : WhyUnmet(meant, binding.text);
      notes.push_back(NoteAt(part->origin, binding.at, "`assume." + binding.name + "` has no effect: " + why));
    }
  }
}

void AddEntryNotes(const std::vector<Outcome>& outcomes, const Options& options,
                   const config::Configuration& configuration, std::vector<report::Note>& notes) {
  const std::vector<const config::Setting*> parts = configuration.PartsOf(*config::FindKey("entry-points"));
  if (parts.empty()) return;
  const config::Setting& said = *parts.back();
  for (std::size_t i = 0; i < options.entry_points.size(); ++i) {
    const EntryPoint& entry = options.entry_points[i];
    const std::string folder = entry.folder.empty() ? AbsolutePath(".").string() : entry.folder;
    std::vector<std::string> candidates;
    const bool found = std::any_of(outcomes.begin(), outcomes.end(), [&](const Outcome& outcome) {
      candidates.push_back(outcome.file.path);
      candidates.push_back(ModuleName(outcome.file.path));
      return config::NamesFile(entry, candidates.back(), outcome.file.path);
    });
    const bool of_this_run = said.origin.place == config::Place::kInline;
    if (found || !(of_this_run || Reads(options, folder))) continue;
    const std::string where = entry.text.substr(0, entry.text.rfind(':'));
    notes.push_back(NoteAt(said.origin, said.value.items[i].at,
                           "the entry point `" + entry.text +
                               "` has no effect: no analysed file or module is called `" + where + '`' +
                               DidYouMean(where, candidates)));
  }
}

}  // namespace

void TellPreview(const Options& options, const config::Configuration& configuration) {
  if (options.preview || options.quiet) return;
  for (const char* name : {"select", "extend-select"}) {
    for (const config::Setting* part : configuration.PartsOf(*config::FindKey(name))) {
      for (const std::string& selector : config::Texts(part->value)) {
        for (const rules::Rule* rule : rules::AllRules()) {
          if (!rule->preview || (selector != rules::CodeText(*rule) && selector != rule->slug)) continue;
          const bool given = part->origin.place == config::Place::kCommandLine;
          Complain((given ? std::string("--") + name : config::Describe(part->origin) + ": `" + name + '`') + ": " +
                   rules::CodeText(*rule) + " is in preview, and is shown with --preview (`preview = true`) only");
        }
      }
    }
  }
}

bool AssumptionsAreMet(const std::vector<Outcome>& outcomes, const Options& options) {
  std::vector<const Outcome*> analysed;
  for (const Outcome& outcome : outcomes) {
    if (IsAnalysed(outcome)) analysed.push_back(&outcome);
  }
  bool all = true;
  for (const std::string& text : options.assume) {
    if (analysed.empty()) break;
    if (std::any_of(analysed.begin(), analysed.end(), [&](const Outcome* one) { return IsMet(*one, text); })) continue;
    Complain("--assume " + text + ": " + WhyUnmet(analysed, text));
    all = false;
  }
  return all;
}

std::vector<report::Note> UnmatchedConfiguration(const std::vector<Outcome>& outcomes, const Options& options,
                                                 const config::Configuration& configuration) {
  std::vector<report::Note> notes;
  if (std::any_of(outcomes.begin(), outcomes.end(), IsAnalysed)) {
    AddAssumptionNotes(outcomes, options, configuration, notes);
  }
  AddEntryNotes(outcomes, options, configuration, notes);
  return notes;
}

}  // namespace cpnlint::cli
