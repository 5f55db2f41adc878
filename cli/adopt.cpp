#include "cli/adopt.h"

#include <algorithm>
#include <map>

#include "analyzer/source/file.h"
#include "cli/baseline.h"
#include "cli/budgets.h"
#include "cli/commands.h"
#include "cli/diff_base.h"
#include "cli/ignores.h"
#include "cli/output.h"
#include "cli/report/ci.h"

namespace cpnlint::cli {
namespace {

constexpr std::size_t kMostNamed = 3;  // stale entries of one file that are named

int Trouble(const std::string& message) {
  Complain(message);
  return kTrouble;
}

// Writes or shows the changes; the exit code where the run ends with that.
std::optional<int> Make(const Changes& changes, const Options& options, const std::string& what) {
  for (const std::string& trouble : changes.troubles) Complain(trouble);
  if (options.diff) {
    std::string text;
    for (const ChangedFile& file : changes.files) text += UnifiedDiff(file.path, file.bytes, file.edits);
    const int code = !changes.troubles.empty() ? kTrouble : changes.files.empty() ? kOk : kFindings;
    return PrintResult(text, code);
  }
  std::vector<FileContent> files;
  for (const ChangedFile& file : changes.files) files.push_back({file.path, Applied(file.bytes, file.edits)});
  if (auto written = WriteFiles(files); !written) return Trouble(written.error().message);
  if (!options.quiet && !files.empty())
    Complain(what + ' ' + report::Plural(changes.number, "ignore") + " in " + report::Plural(files.size(), "file"));
  return changes.troubles.empty() ? std::nullopt : std::optional(kTrouble);
}

void TellStale(report::Document& document, const Baseline& baseline, const std::vector<BaselineEntry>& stale) {
  std::map<std::string, std::vector<const BaselineEntry*>> by_path;
  for (const BaselineEntry& entry : stale) by_path[entry.path].push_back(&entry);
  for (const auto& [path, entries] : by_path) {
    std::size_t count = 0;
    std::string named;
    for (std::size_t i = 0; i < entries.size(); ++i) {
      count += entries[i]->count;
      if (i >= kMostNamed) continue;
      named += (i == 0 ? "" : ", ") + entries[i]->rule + " `" + entries[i]->code + '`';
      if (!entries[i]->function.empty()) named += " in `" + entries[i]->function + '`';
    }
    if (entries.size() > kMostNamed) named += " and " + std::to_string(entries.size() - kMostNamed) + " more";
    document.notes.push_back({"unused-ignore", std::nullopt,
                              "lists " + report::Plural(count, "place") + " of " + path +
                                  " where nothing is found any more: " + named + "; --prune drops " +
                                  (count == 1 ? "it" : "them"),
                              source::ShownPath(baseline.file)});
  }
}

// Findings of which no place is kept.
std::size_t CountHidden(const std::vector<report::KeptPlaces>& keep) {
  std::size_t count = 0;
  for (const report::KeptPlaces& file : keep) {
    count += static_cast<std::size_t>(std::count_if(file.begin(), file.end(), [](const std::vector<bool>& places) {
      return std::find(places.begin(), places.end(), true) == places.end();
    }));
  }
  return count;
}

// nullopt, or the exit code with which the run ends.
std::optional<int> ApplyBaseline(report::Document& document, const Options& options, const Selects& selects,
                                 const Result<Baseline>& baseline, report::Hidden& hidden) {
  if (!baseline) return Trouble(baseline.error().message);
  const Compared compared = Compare(document, *baseline, options, selects);
  hidden.baseline = source::ShownPath(baseline->file);
  hidden.known = CountHidden(compared.fresh);
  report::KeepPlaces(document, compared.fresh);
  if (!options.prune) {
    TellStale(document, *baseline, compared.stale);
    return std::nullopt;
  }
  const std::string text = BaselineText(compared.pruned);
  if (text == BaselineText(*baseline)) return std::nullopt;
  if (auto written = WriteFiles({{baseline->file, text}}); !written) return Trouble(written.error().message);
  std::size_t dropped = 0, left = 0;
  for (const BaselineEntry& entry : compared.stale) dropped += entry.count;
  for (const BaselineEntry& entry : compared.pruned.entries) left += entry.count;
  if (!options.quiet) {
    Complain("dropped " + report::Plural(dropped, "place") + " from `" + baseline->file + "`, which now lists " +
             report::Plural(left, "place"));
  }
  return std::nullopt;
}

std::optional<int> HideUnchanged(report::Document& document, const Options& options, report::Hidden& hidden) {
  const std::string path = document.files.empty() ? std::string() : document.files.front().path;
  auto differences = Differences::Since(options.diff_base, path);
  if (!differences) return Trouble(differences.error().message);
  hidden.diff_base = options.diff_base;
  std::vector<report::KeptPlaces> keep;
  for (const report::File& file : document.files) {
    report::KeptPlaces& here = keep.emplace_back();
    for (const report::Finding& finding : file.findings) here.push_back(ChangedPlaces(*differences, file, finding));
  }
  hidden.unchanged = CountHidden(keep);
  report::KeepPlaces(document, keep);
  return std::nullopt;
}

// Writes the baseline of the run, and gives it: what is written may be a pipe, which cannot be read again.
Result<Baseline> WriteBaseline(const report::Document& document, const Options& options, bool trouble) {
  if (trouble) return Fail("the baseline is not written, since not everything could be read");
  Baseline baseline = MakeBaseline(document, options, options.write_baseline);
  if (auto written = WriteFiles({{baseline.file, BaselineText(baseline)}}); !written) {
    return tl::make_unexpected(written.error());
  }
  const std::size_t count = report::Count(document).findings;
  if (!options.quiet) Complain("wrote " + report::Plural(count, "finding") + " into `" + baseline.file + '`');
  return baseline;
}

}  // namespace

Result<int> CheckAdopting(const Options& options) {
  const bool changes = options.fix || options.diff || options.add_ignores;
  if (options.add_ignores) {
    const std::string& reason = *options.add_ignores;
    if (reason.find_first_not_of(" \t") == std::string::npos) {
      return Fail("--add-ignores: say why these findings are to stay: --add-ignores \"known before 2.0\"");
    }
    if (std::any_of(reason.begin(), reason.end(), [](unsigned char c) { return c < 0x20 || c == 0x7F; })) {
      return Fail("--add-ignores: the reason goes into a comment; it can be one line of text only");
    }
    if (options.fix) return Fail("--add-ignores and --fix both write into the files; run one after the other");
  }
  if ((options.add_ignores || options.diff) && !options.outputs.empty()) {
    return Fail(std::string(options.diff ? "--diff" : "--add-ignores") +
                " changes files or shows changes, and makes no report; leave --output out");
  }
  if (!options.baseline.empty() && !options.write_baseline.empty()) {
    return Fail("--baseline reads a baseline and --write-baseline makes one; give one of them");
  }
  if (!options.write_baseline.empty() && (changes || !options.diff_base.empty())) {
    return Fail(
        "--write-baseline lists all findings; it goes with none of --diff-base, --add-ignores, --fix and --diff");
  }
  if (options.prune && options.baseline.empty() && options.ratchet.empty()) {
    return Fail("--prune: say what to prune: --baseline FILE, or a `ratchet` in the configuration");
  }
  if (options.diff_base.starts_with('-')) return Fail("--diff-base: `" + options.diff_base + "` is no commit");
  const bool stream = std::find(options.arguments.begin(), options.arguments.end(), "-") != options.arguments.end();
  if (changes && stream) return Fail("--fix, --diff and --add-ignores change files; standard input is none");
  return 0;
}

Adopted Adopt(report::Document& document, const Options& options, bool trouble, const Selects& selects) {
  Adopted adopted;
  if (!options.add_ignores && (options.fix || options.diff)) {
    const Changes changes = RemoveUnusedIgnores(document);
    adopted.again = !options.diff && !changes.files.empty();
    if (options.diff || adopted.again || !changes.troubles.empty()) adopted.code = Make(changes, options, "removed");
    if (adopted.code || adopted.again) return adopted;
  }
  report::Hidden hidden;
  if (!options.write_baseline.empty()) {
    adopted.code = ApplyBaseline(document, options, selects, WriteBaseline(document, options, trouble), hidden);
  } else if (!options.baseline.empty()) {
    adopted.code = ApplyBaseline(document, options, selects, ReadBaseline(options.baseline), hidden);
  }
  if (!adopted.code && !options.diff_base.empty()) adopted.code = HideUnchanged(document, options, hidden);
  if (adopted.code) return adopted;
  if (!hidden.baseline.empty() || !hidden.diff_base.empty()) document.hidden = hidden;
  if (options.add_ignores) {
    adopted.code = Make(AddIgnores(document, *options.add_ignores), options, "wrote").value_or(kOk);
    if (trouble) adopted.code = kTrouble;
    return adopted;
  }
  if (options.command != Command::kCheck) return adopted;
  auto budgets = JudgeBudgets(document, options);
  if (!budgets) {
    adopted.code = Trouble(budgets.error().message);
    return adopted;
  }
  document.budgets = std::move(*budgets);
  // Formats for people say it themselves; of the others nothing may be seen on a terminal.
  const bool said = std::any_of(options.formats.begin(), options.formats.end(),
                                [](const std::string& format) { return format == "text" || format == "concise"; });
  for (const report::Budget& budget : document.budgets) {
    if (!budget.exceeded) continue;
    adopted.exceeded = true;
    if (!said) Complain(report::BudgetText(budget));
  }
  return adopted;
}

}  // namespace cpnlint::cli
