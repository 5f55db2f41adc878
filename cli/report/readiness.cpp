#include "cli/report/readiness.h"
#include "analyzer/base/quantity.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/core.h>

#include "cli/report/ci.h"
#include "cli/report/fixes.h"
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

bool Raises(int code) {
  return code == 102 || code == 106 || code == 107 || code == 112 || code == 113 || code == 119 || code == 308;
}

bool IsApiRule(int code) { return code == 112 || code == 113 || code == 119 || code == 120 || code == 308; }

// Without the column, so that places on one line are one.
verdict::Spot SpotOf(const Point& point) { return {point.cell, ShownLine(point), 0}; }

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
    std::string assumed;
    for (const std::string& text : document_.assumptions) assumed += (assumed.empty() ? "" : ", ") + text;
    out.header = {
        {"program",
         Plural(program_.files.size(), "file") +
             (program_.files.size() > 1 ? " linked by imports, " + program_.root + " first" : ", " + program_.root)},
        {"target", "cuPyNumeric " + document_.target_version + " on Linux (--target-version)"},
        {"GPUs", gpus + " of one node, machine profile " + document_.profile + " (--gpus, --profile)"},
        {"sizes", assumed.empty()
                      ? "as far as the source tells them; weights take 4e7 elements for an array of unknown "
                        "size (--assume)"
                      : assumed},
        {"weights",
         "passes times operations, no times: arrays of unknown extent as above, 1000 passes of a step loop, "
         "500 until convergence, 10 over items"},
        {"team", "effort is for a team that has ported before; a first port takes two to three times as long"}};
  }

  static Section Make(std::string title) {
    Section section;
    section.title = std::move(title);
    return section;
  }

  // What the heaviest region takes on the machines that were asked for.
  std::string SpeedUp() const {
    if (!document_.prediction || document_.prediction->regions.empty()) {
      return "predicted time: none, no loop that works on arrays was found";
    }
    const PredictedRegion& region = document_.prediction->regions.front();
    if (!region.told) return "predicted time: none, " + SizesToName(region);
    std::string text = "predicted time of a pass of " +
                       (region.loop.empty() ? std::string("the program") : '`' + region.loop + '`') + ": ";
    for (std::size_t i = 0; i < region.asked.size(); ++i) {
      const cost::Point& point = region.asked[i];
      text += (i == 0 ? "" : ", ") + SecondsText(point.time.mid) + " (" + SecondsText(point.time.low) + " to " +
              SecondsText(point.time.high) + ") on " + std::to_string(point.layout.processors) +
              (point.layout.processors == 1 ? " GPU" : " GPUs");
    }
    text += "; " + document_.profile;
    for (const std::string& assumed : document_.prediction->assumptions) text += ", " + assumed;
    return text + " (cpnlint predict tells more)";
  }

  Section Verdict() const {
    Section section = Make("Verdict");
    std::string name(verdict::Name(program_.tier));
    if (program_.with_possible != program_.tier) {
      name += " (" + std::string(verdict::Name(program_.with_possible)) + " if the " +
              Plural(program_.possible, "possible finding") + (program_.possible == 1 ? " is" : " are") + " real)";
    }
    if (program_.provisional) name += ", provisional: more than 30 % of the hot code could not be analysed";
    section.entries.push_back({"", {}, "", name + ": " + program_.sentence, {}, ""});
    if (std::string unnamed = UnnamedText(document_, program_); !unnamed.empty()) {
      section.entries.push_back({"", {}, "", std::move(unnamed), {}, ""});
    }
    section.entries.push_back({"", {}, "", "what to do: " + std::string(verdict::Action(program_.tier)), {}, ""});
    const std::string patterns = verdict::MixText(program_.patterns);
    if (!patterns.empty()) section.entries.push_back({"", {}, "", "pattern: " + patterns, {}, ""});
    section.entries.push_back({"", {}, "", SpeedUp(), {}, ""});
    if (!not_recommended_) AddEffort(section);
    const auto& programs = document_.verdict->programs;
    if (programs.size() > 1) {
      Entry others{"", {}, "", "the worst of " + Plural(programs.size(), "program") + "; name one to see its report",
                   {}, ""};
      for (const ProgramVerdict& other : programs) {
        others.details.push_back(std::string(verdict::Name(other.tier)) + "  " + other.root);
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
        HoursText(effort.fixed) + " for plan, reference tests and checks on GPUs";
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
      if (finding.rule->family != Family::kBlocks || IsApiRule(finding.rule->code)) return;
      if (finding.severity < rules::Severity::kWarning) return;  // a remark on code that runs once
      section.entries.push_back(EntryOf(file, finding));
    });
    AddUnnamed(section,
               [](const rules::Rule& rule) { return rule.family == Family::kBlocks && !IsApiRule(rule.code); });
    return section;
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
    ForEachFinding([&](const File& file, const Finding& finding) {
      if (finding.rule->family != Family::kRefactor) return;
      const std::string recipe = finding.rule->recipe;
      by_recipe[recipe].push_back(EntryOf(file, finding));
      sites[recipe] += 1 + finding.also.size();
    });
    for (auto& [recipe, entries] : by_recipe) {
      const rules::Recipe* known = rules::FindRecipe(recipe);
      section.entries.push_back(
          {"",
           {},
           "",
           recipe + (known != nullptr ? ", " + std::string(known->title) : "") + ": " + Plural(sites[recipe], "site"),
           {},
           ""});
      for (Entry& entry : entries) section.entries.push_back(std::move(entry));
    }
    AddUnnamed(section, [](const rules::Rule& rule) { return rule.family == Family::kRefactor; });
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
    AddUnnamed(section, [](const rules::Rule& rule) { return IsApiRule(rule.code); });
    std::set<std::string> fine;
    std::map<std::string, Entry> partial;
    ForEachEvidence([&](const File& file, const verdict::Evidence& evidence) {
      for (const verdict::UsedName& used : evidence.names) {
        if (used.status == "multi") fine.insert(used.name);
        if (used.status != "partial" && used.status != "single") continue;
        Entry entry{file.path, used.first, "", "`" + used.name + "` is " + used.status, {}, ""};
        if (used.status == "single") entry.text += ": one processor works, whatever the number of GPUs";
        if (used.status == "partial") entry.text += ": some ways to call it run on one GPU or raise";
        if (!used.note.empty()) entry.details.push_back(used.note);
        partial.emplace(used.name, std::move(entry));
      }
    });
    for (auto& [name, entry] : partial) section.entries.push_back(std::move(entry));
    if (!section.entries.empty()) return section;
    section.empty = "none of the names in use";
    std::size_t count = 0;
    for (const std::string& name : fine) {
      if (count == kMostNames) break;
      section.empty += (count++ == 0 ? ": " : ", ") + name;
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
    if (!program_.has_hot_work) return "no line, as no loop repeats operations on whole arrays";
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
    for (const std::size_t index : program_.files) AddLost(section, document_.files[index]);
    return section;
  }

  void AddPilot(Section& section) const {
    double array_work = 0;
    for (const verdict::Region& region : program_.regions) array_work += region.sum.device;
    for (const verdict::Region& region : program_.regions) {
      if (!region.sum.is_home || region.sum.device <= 0) continue;
      const std::string name = region.sum.function.empty() ? "the module's own code" : '`' + region.sum.function + '`';
      section.entries.push_back({document_.files[region.file].path,
                                 region.sum.start,
                                 "",
                                 "begin with " + name + ": its " + region.sum.loop + " loop has " +
                                     verdict::Percent(region.sum.device / array_work) + " of the array work in loops",
                                 {},
                                 ""});
      return;
    }
  }

  void AddRuns(Section& section) const {
    std::string runs = "run it with `legate --gpus 1 " + program_.root + "` first";
    for (const int count : document_.gpus) {
      if (count > 1) runs += ", then with `--gpus " + std::to_string(count) + "`";
    }
    section.entries.push_back({"", {}, "", runs, {}, ""});
    section.entries.push_back({"",
                               {},
                               "",
                               "keep results of the NumPy version as references and compare with tolerances: sums "
                               "change in the last digits with the number of GPUs",
                               {},
                               ""});
    Entry doctor{"",
                 {},
                 "",
                 "let cuPyNumeric Doctor watch a short run: `CUPYNUMERIC_DOCTOR=1 CUPYNUMERIC_DOCTOR_FORMAT=json "
                 "CUPYNUMERIC_DOCTOR_FILENAME=doctor.json legate --gpus 1 " +
                     program_.root + "`",
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

  static void AddLost(Section& section, const File& file) {
    for (const Note& note : file.notes) {
      const bool lost = note.kind == "syntax-error" || note.kind == "not-python3" || note.kind == "budget" ||
                        (note.kind == "not-analysed" && note.start);
      if (!lost) continue;
      section.entries.push_back(
          {file.path, note.start ? SpotOf(*note.start) : verdict::Spot{}, "", "not analysed: " + note.message, {}, ""});
    }
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
  if (!document.verdict) return {};
  return Maker(document, document.verdict->programs[document.verdict->worst]).Make();
}

}  // namespace cpnlint::report
