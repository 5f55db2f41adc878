#include "cli/report/readiness.h"
#include "analyzer/base/quantity.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/core.h>

#include "cli/report/ci.h"
#include "cli/report/fixes.h"
#include "cli/report/formats.h"
#include "cli/report/prediction.h"
#include "rules/recipes/recipe.h"

namespace cpnlint::report {
namespace {

using rules::Confidence;
using rules::Family;
using verdict::ProgramVerdict;
using verdict::Tier;

constexpr std::size_t kMostLines = 8;
constexpr std::size_t kMostNames = 40;
constexpr std::string_view kNotebook = ".ipynb";

bool Raises(int code) {
  return code == 102 || code == 106 || code == 107 || code == 112 || code == 113 || code == 119 || code == 308;
}

bool IsApiRule(int code) { return code == 112 || code == 113 || code == 119 || code == 120 || code == 308; }

// Without the column, so that places on one line are one.
verdict::Spot SpotOf(const Point& point) { return {point.cell, ShownLine(point), 0}; }

// What of a file was not analysed.
void AddLost(std::vector<Entry>& entries, const File& file) {
  for (const Note& note : file.notes) {
    const bool lost = note.kind == "syntax-error" || note.kind == "not-python3" || note.kind == "budget" ||
                      (note.kind == "not-analysed" && note.start);
    if (!lost && file.state != File::State::kFailed) continue;
    entries.push_back(
        {file.path, note.start ? SpotOf(*note.start) : verdict::Spot{}, "", "not analysed: " + note.message, {}, ""});
  }
}

// Files that are in no judged program may have belonged to this one, had they been understood.
void AddOutside(std::vector<Entry>& entries, const Document& document) {
  std::set<std::size_t> judged;
  for (const ProgramVerdict& program : document.verdict->programs) {
    judged.insert(program.files.begin(), program.files.end());
  }
  for (std::size_t i = 0; i < document.files.size(); ++i) {
    if (!judged.contains(i)) AddLost(entries, document.files[i]);
  }
}

class Maker {
 public:
  Maker(const Document& document, const ProgramVerdict& program)
      : document_(document), program_(program), not_recommended_(program.tier == Tier::kNotRecommended) {}

  Readiness Make() {
    Readiness out;
    AddHeader(out);
    out.sections = {Verdict(), Works(), Blocks(), Fixable(), Notes(), Gaps(), Gates(), NextSteps()};
    int number = 0;
    for (Section& section : out.sections) {
      section.number = ++number;
      if (section.empty.empty()) section.empty = not_recommended_ ? "n/a — see verdict" : "None for this code";
    }
    return out;
  }

 private:
  template <typename Visit>
  void ForEachFinding(Visit visit) const {
    for (const std::size_t index : program_.files) {
      const File& file = document_.files[index];
      for (const Finding& finding : file.findings) visit(file, finding);
    }
  }

  template <typename Visit>
  void ForEachEvidence(Visit visit) const {
    for (const std::size_t index : program_.files) visit(document_.files[index], document_.files[index].evidence);
  }

  void AddHeader(Readiness& out) const {
    std::string gpus;
    for (const int count : document_.gpus) gpus += (gpus.empty() ? "" : " and ") + std::to_string(count);
    const std::string nodes =
        document_.nodes > 1 ? "each of " + std::to_string(document_.nodes) + " nodes" : std::string("one node");
    std::string assumed;
    for (const std::string& text : document_.assumptions) assumed += (assumed.empty() ? "" : ", ") + text;
    out.header = {
        {"program",
         Plural(program_.files.size(), "file") +
             (program_.files.size() > 1 ? " linked by imports, " + program_.root + " first" : ", " + program_.root)},
        {"target", "cuPyNumeric " + document_.target_version + " on Linux (--target-version)"},
        {document_.gpu ? "GPUs" : "cores",
         gpus + " of " + nodes + ", machine profile " + document_.profile + " (--gpus, --profile)"},
        {"sizes", assumed.empty()
                      ? "as far as the source tells them; weights take 4e7 elements for an array of unknown "
                        "size (--assume)"
                      : assumed},
        {"weights",
         "passes times operations, no times: arrays of unknown extent as above, 1000 passes of a step loop, "
         "500 until convergence, 10 over items, 100 calls by a driver"},
        {"team", "effort is for a team that has ported before; a first port takes two to three times as long"}};
    if (document_.pattern) {
      out.header.insert(std::prev(out.header.end()), {"pattern", std::string(verdict::Name(*document_.pattern)) +
                                                                     ", whatever the source tells (--pattern)"});
    }
    if (document_.what_if.empty()) return;
    std::string mended;
    for (const std::string& text : document_.what_if) mended += (mended.empty() ? "" : ", ") + text;
    out.header.emplace_back("as if mended", mended + ": so the times are, the findings and the verdict are not");
  }

  static Section Make(std::string title) {
    Section section;
    section.title = std::move(title);
    return section;
  }

  Section Verdict() const {
    Section section = Make("Verdict");
    std::string name(verdict::Name(program_.tier));
    if (const std::string wider = WiderText(document_, program_); !wider.empty()) name += " (" + wider + ")";
    if (program_.provisional) name += ", provisional: more than 30 % of the hot code could not be analysed";
    section.entries.push_back({"", {}, "", name + ": " + program_.sentence, {}, ""});
    if (std::string unnamed = UnnamedText(document_, program_); !unnamed.empty()) {
      section.entries.push_back({"", {}, "", std::move(unnamed), {}, ""});
    }
    if (std::string hidden = NotShownText(document_, program_); !hidden.empty()) {
      section.entries.push_back({"", {}, "", std::move(hidden), {}, ""});
    }
    std::string action(verdict::Action(program_));
    if (!not_recommended_ && program_.overfull.size() == document_.gpus.size()) {
      action = "make room first (" + MemoryNeeded() + "), then " + action;
    }
    section.entries.push_back({"", {}, "", "what to do: " + action, {}, ""});
    const std::string patterns = verdict::MixText(program_.patterns);
    if (!patterns.empty()) section.entries.push_back({"", {}, "", "pattern: " + patterns, {}, ""});
    section.entries.push_back({"", {}, "", TimeLine(document_, program_), {}, ""});
    if (!not_recommended_) AddEffort(section);
    const auto& programs = document_.verdict->programs;
    if (programs.size() > 1) {
      Entry others{"", {}, "", ProgramsText(*document_.verdict) + "; name one to see its report", {}, ""};
      for (const ProgramVerdict& other : programs) {
        others.details.push_back(std::string(verdict::Name(other.tier)) + "  " + other.root +
                                 (other.minor ? "  (under 1 % of the work)" : ""));
      }
      section.entries.push_back(std::move(others));
    }
    return section;
  }

  void AddEffort(Section& section) const {
    const verdict::Effort& effort = program_.effort;
    Entry entry;
    entry.text =
        "effort: " + (effort.units.high > 0 ? HoursText(effort.units) + " for the findings, and " : std::string()) +
        HoursText(effort.fixed) + " for plan, reference tests and checks on " + (document_.gpu ? "GPUs" : "the target");
    for (const verdict::EffortPart& part : effort.largest)
      entry.details.push_back(part.what + ": " + HoursText(part.hours));
    section.entries.push_back(std::move(entry));
  }

  Section Works() const {
    Section section = Make("What works");
    for (const std::size_t index : program_.files) {
      const File& file = document_.files[index];
      for (const Good& good : file.good) {
        Entry entry{file.path, SpotOf(good.places.front().start), rules::CodeText(*good.rule), good.rule->slug, {}, ""};
        if (!good.function.empty()) entry.text += " in `" + good.function + '`';
        entry.text += ", " + Plural(good.count, "place");
        if (good.places.size() > 1) entry.details.push_back("also " + LinesOf(good.places, 1));
        section.entries.push_back(std::move(entry));
      }
    }
    return section;
  }

  static std::string LinesOf(const std::vector<Place>& places, std::size_t from) {
    std::set<verdict::Spot> spots;
    for (std::size_t i = from; i < places.size(); ++i) spots.insert(SpotOf(places[i].start));
    std::string text = spots.size() == 1 ? "line " : "lines ";
    std::size_t count = 0;
    for (const verdict::Spot& spot : spots) {
      if (count == kMostLines) return text + " and " + std::to_string(spots.size() - count) + " more";
      text += (count++ == 0 ? "" : ", ") + std::to_string(spot.line);
      if (spot.cell != 0) text += " of cell " + std::to_string(spot.cell);
    }
    return text;
  }

  const verdict::Issue* IssueOf(const File& file, const Finding& finding) const {
    const auto index = static_cast<std::size_t>(&finding - file.findings.data());
    for (const verdict::Issue& issue : file.evidence.issues) {
      if (issue.shown == index) return &issue;
    }
    return nullptr;
  }

  std::string ShareOf(const verdict::Issue& issue) const {
    for (const verdict::Region& region : program_.regions) {
      if (issue.region == verdict::kNoRegion || region.sum.region != issue.region) continue;
      std::string text = "in a hot region with " + verdict::ShareText(region);
      if (region.sum.is_home) {
        text += " (" + region.sum.loop + " loop, " +
                verdict::PlaceText(document_.files[region.file].path, region.sum.start) + ")";
      }
      return text;
    }
    return "";
  }

  Entry EntryOf(const File& file, const Finding& finding) const {
    Entry entry{file.path, SpotOf(finding.place.start), rules::CodeText(*finding.rule), finding.message, {}, ""};
    if (!finding.function.empty()) entry.text += ", in `" + finding.function + '`';
    if (finding.confidence != Confidence::kCertain) {
      entry.text += " (" + std::string(rules::Name(finding.confidence)) + ")";
    }
    if (!finding.also.empty()) entry.details.push_back("also " + LinesOf(finding.also, 0));
    entry.details.push_back("why: " + finding.why);
    if (const std::string cost = CostLine(finding, document_); !cost.empty()) {
      entry.details.push_back("cost: " + cost);
    }
    if (const verdict::Issue* issue = IssueOf(file, finding)) {
      if (const std::string share = ShareOf(*issue); !share.empty()) entry.details.push_back(share);
      if (!issue->reachable) entry.details.push_back("no entry point reaches it, so it does not enter the verdict");
    }
    std::string help = finding.help.starts_with("RR-") ? "" : finding.rule->recipe;
    if (!finding.help.empty()) help += (help.empty() ? "" : "  ") + finding.help;
    if (!help.empty()) entry.details.push_back("help: " + help);
    entry.doctor = DoctorText(*finding.rule, finding.doctor);
    return entry;
  }

  Section Blocks() const {
    Section section = Make("What blocks");
    ForEachFinding([&](const File& file, const Finding& finding) {
      const verdict::Issue* issue = IssueOf(file, finding);
      if (IsApiRule(finding.rule->code)) {
        if (issue == nullptr || !issue->structural || issue->confidence < Confidence::kLikely) return;
        section.entries.push_back(StructuralGap(file, finding));
        return;
      }
      if (finding.rule->family != Family::kBlocks) return;
      if (finding.severity < rules::Severity::kWarning) return;  // a remark on code that runs once
      section.entries.push_back(EntryOf(file, finding));
    });
    const auto blocks = [](const rules::Rule& rule) { return rule.family == Family::kBlocks && !IsApiRule(rule.code); };
    AddHidden(section, blocks);
    AddUnnamed(section, blocks);
    return section;
  }

  // What changes the way to hold data blocks as a unit of its own, beside its place among the gaps.
  static Entry StructuralGap(const File& file, const Finding& finding) {
    Entry entry{file.path, SpotOf(finding.place.start), rules::CodeText(*finding.rule), finding.message, {}, ""};
    if (!finding.function.empty()) entry.text += ", in `" + finding.function + '`';
    entry.details.push_back("a structural unit: the way to hold or compute the data changes; section 6 says more");
    return entry;
  }

  // What the verdict rests on and the run does not show: the first of each unit.
  template <typename Wanted>
  void AddHidden(Section& section, Wanted wanted) const {
    std::vector<verdict::IssueRef> refs = program_.blocking;
    for (const verdict::IssueRef ref : program_.decided_by) {
      if (std::find(refs.begin(), refs.end(), ref) == refs.end()) refs.push_back(ref);
    }
    for (const verdict::IssueRef ref : refs) {
      const File& file = document_.files[ref.file];
      const verdict::Issue& issue = file.evidence.issues[ref.issue];
      if (issue.shown || file.state == File::State::kRead || !wanted(*issue.rule)) continue;
      section.entries.push_back(
          {file.path, issue.start, rules::CodeText(*issue.rule), issue.message, {std::string(WhyHidden(issue))}, ""});
    }
  }

  // What decides in files that were not asked for.
  template <typename Wanted>
  void AddUnnamed(Section& section, Wanted wanted) const {
    for (const std::size_t index : program_.files) {
      const File& file = document_.files[index];
      if (file.state != File::State::kRead) continue;
      for (const verdict::Issue& issue : file.evidence.issues) {
        if (!verdict::Decides(issue) || !wanted(*issue.rule)) continue;
        Entry entry{file.path, issue.start, rules::CodeText(*issue.rule), issue.message, {}, ""};
        if (!issue.function.empty()) entry.text += ", in `" + issue.function + '`';
        if (const std::string share = ShareOf(issue); !share.empty()) entry.details.push_back(share);
        entry.details.push_back("not among the findings of this run: name the file to see more of it");
        section.entries.push_back(std::move(entry));
      }
    }
  }

  Section Fixable() const {
    Section section = Make("What is fixable");
    std::map<std::string, std::vector<Entry>> by_recipe;
    std::map<std::string, std::size_t> sites;
    std::map<std::string, std::vector<double>> savings;  // what each priced finding saves
    ForEachFinding([&](const File& file, const Finding& finding) {
      if (finding.rule->family != Family::kRefactor) return;
      if (finding.cost && finding.cost->share > 0) savings[finding.rule->recipe].push_back(finding.cost->share);
      const std::string recipe = finding.rule->recipe;
      by_recipe[recipe].push_back(EntryOf(file, finding));
      sites[recipe] += 1 + finding.also.size();
    });
    for (auto& [recipe, entries] : by_recipe) {
      const rules::Recipe* known = rules::FindRecipe(recipe);
      std::string text =
          recipe + (known != nullptr ? ", " + std::string(known->title) : "") + ": " + Plural(sites[recipe], "site");
      if (const std::vector<double>& saved = savings[recipe]; !saved.empty()) {
        text += std::string(saved.size() > 1 ? ", the best of them saves " : ", saves ") +
                verdict::Percent(*std::max_element(saved.begin(), saved.end())) + " of the time";
      }
      section.entries.push_back({"", {}, "", std::move(text), {}, ""});
      for (Entry& entry : entries) section.entries.push_back(std::move(entry));
    }
    const auto fixable = [](const rules::Rule& rule) { return rule.family == Family::kRefactor; };
    AddHidden(section, fixable);
    AddUnnamed(section, fixable);
    return section;
  }

  Section Notes() const {
    Section section = Make("Compatibility and cost notes");
    std::set<int> told;
    ForEachFinding([&](const File& file, const Finding& finding) {
      const bool remark = finding.rule->family == Family::kBlocks && finding.severity < rules::Severity::kWarning;
      const bool note = finding.rule->family == Family::kInfo || finding.rule->family == Family::kMemory || remark;
      if (!note || IsApiRule(finding.rule->code)) return;
      told.insert(finding.rule->code);
      section.entries.push_back(EntryOf(file, finding));
    });
    ForEachEvidence([&](const File& file, const verdict::Evidence& evidence) {
      if (!evidence.draws.empty() && !told.contains(304)) {
        section.entries.push_back({file.path,
                                   evidence.draws.front().at,
                                   "R304",
                                   "random numbers are drawn at " + Plural(evidence.draws.size(), "place") +
                                       ": the stream depends on how the array is split, so compare statistics",
                                   {},
                                   ""});
      }
    });
    for (const std::size_t index : program_.files) {
      const File& file = document_.files[index];
      for (const Note& note : file.notes) {
        if (note.kind != "compiled-region" && note.kind != "unreached") continue;
        section.entries.push_back(
            {file.path, note.start ? SpotOf(*note.start) : verdict::Spot{}, "", note.message, {}, ""});
      }
    }
    return section;
  }

  Section Gaps() const {
    Section section = Make("API gaps");
    ForEachFinding([&](const File& file, const Finding& finding) {
      if (IsApiRule(finding.rule->code)) section.entries.push_back(EntryOf(file, finding));
    });
    const auto stops = [](const rules::Rule& rule) { return IsApiRule(rule.code) || rule.family == Family::kInfo; };
    AddHidden(section, stops);
    AddUnnamed(section, stops);
    std::set<std::string> fine;
    std::map<std::string, Entry> partial;
    ForEachEvidence([&](const File& file, const verdict::Evidence& evidence) {
      for (const verdict::UsedName& used : evidence.names) {
        if (used.status == "multi") fine.insert(used.spelled);
        if (used.status != "partial" && used.status != "single") continue;
        Entry entry{file.path, used.first, "", "`" + used.spelled + "` is " + used.status, {}, ""};
        if (used.status == "single") entry.text += ": one processor works, whatever the number of GPUs";
        if (used.status == "partial") entry.text += ": some ways to call it run on one GPU or raise";
        if (!used.note.empty()) entry.details.push_back(used.note);
        partial.emplace(used.spelled, std::move(entry));
      }
    });
    for (auto& [name, entry] : partial) section.entries.push_back(std::move(entry));
    if (!section.entries.empty()) return section;
    if (fine.empty()) return section;
    section.empty = "none; checked are";
    std::size_t count = 0;
    for (const std::string& name : fine) {
      if (count == kMostNames) break;
      section.empty += (count++ == 0 ? " " : ", ") + name;
    }
    if (fine.size() > kMostNames) section.empty += " and " + std::to_string(fine.size() - kMostNames) + " more";
    return section;
  }

  Section Gates() const {
    Section section = Make("Gates");
    section.columns = {"gate", "", "status", "reason"};
    for (const verdict::Gate& gate : program_.gates) {
      section.table.push_back(
          {std::to_string(gate.number), gate.name, std::string(verdict::Name(gate.status)), gate.reason});
      for (const verdict::Place& place : gate.evidence) {
        section.entries.push_back({document_.files[place.file].path,
                                   place.spot,
                                   "",
                                   "gate " + std::to_string(gate.number) + ": " + place.text,
                                   {},
                                   ""});
      }
    }
    section.entries.push_back({"", {}, "", "all in all: " + CompositeText(), {}, ""});
    return section;
  }

  std::string CompositeText() const {
    if (program_.composite) return std::string(verdict::Name(*program_.composite));
    if (!program_.has_hot_arrays) return "no line, as no loop repeats operations on whole arrays";
    return "no line while the sizes are not known";
  }

  Section NextSteps() const {
    Section section = Make("Next steps");
    if (!not_recommended_) {
      int rank = 0;
      for (const verdict::Fix& fix : program_.fix_first) {
        const verdict::IssueRef ref = fix.issue;
        const File& file = document_.files[ref.file];
        const verdict::Issue& issue = file.evidence.issues[ref.issue];
        section.entries.push_back({file.path,
                                   issue.start,
                                   rules::CodeText(*issue.rule),
                                   "fix " + std::to_string(++rank) + ": " + issue.message,
                                   {FixText(document_, fix)},
                                   ""});
      }
      AddPilot(section);
      AddRuns(section);
    }
    for (const std::size_t index : program_.files) AddLost(section.entries, document_.files[index]);
    AddOutside(section.entries, document_);
    return section;
  }

  void AddPilot(Section& section) const {
    double array_work = 0;
    const verdict::Region* pilot = nullptr;
    for (const verdict::Region& region : program_.regions) {
      array_work += region.sum.device;
      if (!region.sum.is_home || region.sum.device <= 0) continue;
      if (pilot == nullptr || region.time.value_or(0) > pilot->time.value_or(0)) pilot = &region;
    }
    if (pilot == nullptr) return;
    const verdict::RegionPart& sum = pilot->sum;
    const std::string name = sum.function.empty() ? "the module's own code" : '`' + sum.function + '`';
    // Beside a loop over elements the time of all array work is nothing.
    constexpr double kTold = 0.1;
    const std::string share = pilot->time.value_or(0) >= kTold
                                  ? verdict::Percent(*pilot->time) + " of the predicted time"
                                  : verdict::Percent(sum.device / array_work) + " of the array work in loops";
    section.entries.push_back({document_.files[pilot->file].path,
                               sum.start,
                               "",
                               "begin with " + name + ": its " + sum.loop + " loop has " + share,
                               {},
                               ""});
  }

  // Where some of the GPUs that were asked for do not hold the arrays.
  std::string MemoryNeeded() const {
    if (program_.holds == 0) return "its arrays fit on no number of GPUs";
    return "its arrays need " + verdict::Processors(program_.holds, document_.gpu) + " or more";
  }

  // What stands behind `legate`: a file that can be run.
  std::string Launched() const {
    if (program_.root.ends_with(kNotebook)) {
      return program_.root.substr(0, program_.root.size() - kNotebook.size()) + ".py";
    }
    const bool named = program_.start != verdict::Start::kNone && program_.root != "<stdin>";
    return named ? program_.root : "PROGRAM.py";
  }

  // What has to be done or known before the launch line means something.
  std::string BeforeLaunch() const {
    if (program_.root.ends_with(kNotebook)) {
      return "make a script of the notebook with `jupyter nbconvert --to script " + program_.root + "`, then ";
    }
    if (program_.root == "<stdin>") return "save it as a file PROGRAM.py, then ";
    if (program_.start == verdict::Start::kNone) return "it only defines: for a program that uses it, ";
    return "";
  }

  void AddRuns(Section& section) const {
    const bool holds = program_.overfull.empty();
    const std::string option = document_.gpu ? "--gpus " : "--cpus ";
    const std::string launch = "legate " + option + "1 " + Launched();
    std::string runs = BeforeLaunch() + (holds ? "run it" : "run a smaller problem") + " with `" + launch + "` first";
    for (const int count : document_.gpus) {
      const int all = count * document_.nodes;
      if (all == 1 || std::ranges::find(program_.overfull, all) != program_.overfull.end()) continue;
      const std::string nodes = document_.nodes > 1 ? "--nodes " + std::to_string(document_.nodes) + ' ' : "";
      runs +=
          ", then " + std::string(holds ? "" : "this one ") + "with `" + nodes + option + std::to_string(count) + "`";
    }
    if (!holds) runs += "; " + MemoryNeeded();
    section.entries.push_back({"", {}, "", runs, {}, ""});
    const std::string references = program_.ported ? "compare with results of NumPy"
                                                   : "keep results of the NumPy version as references and compare";
    section.entries.push_back({"",
                               {},
                               "",
                               references + " with tolerances: sums change in the last digits with the number of " +
                                   (document_.gpu ? "GPUs" : "cores"),
                               {},
                               ""});
    Entry doctor{"",
                 {},
                 "",
                 "let cuPyNumeric Doctor watch a short run: `CUPYNUMERIC_DOCTOR=1 CUPYNUMERIC_DOCTOR_FORMAT=json "
                 "CUPYNUMERIC_DOCTOR_FILENAME=doctor.json " +
                     launch + "`",
                 {},
                 ""};
    std::map<std::string, std::size_t> checks;
    ForEachFinding([&](const File&, const Finding& finding) {
      if (!finding.doctor.empty() && !Raises(finding.rule->code)) ++checks[finding.doctor];
    });
    for (const auto& [check, count] : checks) {
      doctor.details.push_back("look for \"" + check + "\", which " + Plural(count, "finding") + " here predict" +
                               (count == 1 ? "s" : ""));
    }
    section.entries.push_back(std::move(doctor));
  }

  const Document& document_;
  const ProgramVerdict& program_;
  bool not_recommended_;
};

}  // namespace

std::string DoctorText(const rules::Rule& rule, const std::string& check) {
  if (Raises(rule.code)) return "nothing, the line raises first";
  if (rule.code == 120) return "nothing, the process ends first";
  return check.empty() ? "nothing, it has no check for this" : "\"" + check + "\"";
}

Readiness MakeReadiness(const Document& document) {
  if (!document.verdict) {
    Readiness nothing;
    for (const File& file : document.files) AddLost(nothing.lost, file);
    return nothing;
  }
  return Maker(document, document.verdict->programs[document.verdict->worst]).Make();
}

}  // namespace cpnlint::report
