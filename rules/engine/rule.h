#pragma once

// A rule is one .cpp: metadata, text and one hook. Rules see facts, never syntax; they hold no state.

#include <initializer_list>
#include <list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/analysis/facts.h"
#include "rules/engine/finding.h"

namespace cpnlint::cost {
struct MemoryPlan;
}

namespace cpnlint::rules {

using analysis::Confidence;
using analysis::Facts;

// The machine and version the run speaks about; plain numbers with the defaults of rules.md A.4.
struct Target {
  std::string version = "26.07";
  int gpus = 4;                    // in all: the largest of --gpus, times --nodes
  std::int64_t split = 1'048'576;  // elements; Legate env_defaults.h:20-30
  std::int64_t economic = 65'536;  // elements per GPU, guide's floor
  // Of one processor of the target machine; without a profile those of `h100-sxm`.
  std::string machine = "h100-sxm";
  double bandwidth = 2.95e12;                // bytes/s of its memory
  double peak = 60.3e12;                     // flop/s of float64 products
  double launch = 690e-6;                    // seconds of an operation's launch on all of `gpus`
  const cost::MemoryPlan* memory = nullptr;  // for the rules about memory; null where nothing is priced
};

class Trial;

// Op kinds a rule wants to see.
struct OpKinds {
  std::uint64_t low = 0;
  constexpr OpKinds() = default;
  constexpr OpKinds(std::initializer_list<ir::OpKind> kinds) {
    for (const ir::OpKind kind : kinds) low |= std::uint64_t{1} << static_cast<unsigned>(kind);
  }
  [[nodiscard]] constexpr bool Has(ir::OpKind kind) const { return (low >> static_cast<unsigned>(kind) & 1) != 0; }
};

struct Rule {
  int code = 0;
  const char* slug = "";
  Family family = Family::kBlocks;
  Severity severity = Severity::kError;         // where the site is hot
  std::optional<Severity> cold = std::nullopt;  // elsewhere; nullopt = silent
  Confidence cap = Confidence::kCertain;
  const char* valid_for = "26.07";
  const char* summary = "";  // one line for tables and SARIF shortDescription
  const char* message = "";  // template: "element loop over `{array}`"
  const char* why = "";      // one sentence of runtime behaviour, with the version it holds for
  const char* details = "";  // Markdown: what fires, what stays quiet, what the runtime does, corrections
  const char* bad = "";      // complete program on which the rule fires
  const char* good = "";     // the same job without the finding
  const char* recipe = "";   // "RR-loop"; empty without one
  FixClass fix = FixClass::kNone;
  const char* doctor = "";  // Doctor check that can confirm it, e.g. "repeated scalar access"; empty = none
  bool preview = false;     // hidden without --preview until its precision is measured
  // Some of its findings tell of lines that cannot run (Report::Raises): as a preview, too, it is run for those, since
  // the verdict counts them.
  bool may_raise = false;
  // What the numbers and letters of its conditions stand for, where `details` does not say it: lines "1. ..." and
  // "- (a) ..." as there.
  const char* conditions = "";

  OpKinds ops = {};
  void (*on_op)(const Facts&, ir::ValueId, Trial&) = nullptr;
  void (*on_loop)(const Facts&, ir::LoopId, Trial&) = nullptr;
  void (*on_function)(const Facts&, ir::FunctionId, Trial&) = nullptr;
  void (*on_module)(const Facts&, ir::ModuleId, Trial&) = nullptr;
};

// Collects the evidence of one attempt of one rule at one site. In a plain run Holds hands its fact through; `inspect
// why` records which condition failed; the mutation test switches one off.
class Trial {
 public:
  struct Step {
    int condition = 0;
    bool held = false;
    ir::ValueId considered;  // None() where the hook did not say
  };

  Trial(const Rule& rule, const Facts& facts, const Target& target) : rule_(rule), facts_(facts), target_(target) {}

  // A hook that goes through a whole function or module says what it looks at next, so that `inspect why` can tell the
  // conditions of one thing from those of another.
  void Considers(ir::ValueId op);
  // Condition numbers are those of the rule's comment. Write `if (!trial.Holds(2, ...)) return;`.
  bool Holds(int condition, bool fact);
  // An exception of the Quiet list: `if (trial.Quiet('a', ...)) return;`.
  bool Quiet(char exception, bool fact);

  [[nodiscard]] const Rule& rule() const { return rule_; }
  [[nodiscard]] const Target& target() const { return target_; }

  // A report as the rule leaves it; the runner fills in severity, confidence and message.
  struct Pending {
    Finding finding;
    analysis::EvidenceSet evidence = 0;
    analysis::Confidence cap = analysis::Confidence::kCertain;
    ir::ValueId considered;  // as in Step
    std::string pattern;
    std::vector<std::pair<std::string_view, Text>> arguments;
    bool severity_fixed = false;
  };

  // Fluent part: reports at an op (primary span = the op's span) or a loop (primary span = its header).
  class Report {
   public:
    explicit Report(Pending& pending) : pending_(pending) {}
    Report& At(Span span);                          // another primary span
    Report& Arg(std::string_view name, Text text);  // placeholder of the rule's message
    Report& Message(std::string_view pattern);      // another template than the rule's
    Report& Root(ir::ValueId root);
    Report& Key(std::string key);
    Report& Loop(ir::LoopId loop);
    Report& Label(Span span, Text text);
    Report& PrimaryLabel(Text text);
    Report& Why(Text text);
    Report& Help(Text text);
    Report& Evidence(analysis::EvidenceSet evidence);  // unites; the confidence follows (A.2)
    Report& Confidence(analysis::Confidence at_most);
    Report& Severity(rules::Severity severity);  // fixed, regardless of heat
    Report& Doctor(std::string_view check);      // another than the rule's; empty: none can confirm this one
    Report& Raises();  // the line cannot run; rules that speak of nothing else need not say it

   private:
    friend class Trial;
    Pending& pending_;
  };
  Report ReportOp(ir::ValueId op);
  Report ReportLoop(ir::LoopId loop);
  Report ReportModule(ir::ModuleId module, Span span);

  std::list<Pending>& pending() { return pending_; }
  [[nodiscard]] const std::vector<Step>& steps() const { return steps_; }
  void RecordSteps(bool on) { record_ = on; }
  void SwitchOff(int condition) { switched_off_ = condition; }  // mutation test

 private:
  const Rule& rule_;
  const Facts& facts_;
  const Target& target_;
  std::list<Pending> pending_;  // a list: a Report keeps a reference, and most trials report nothing
  std::vector<Step> steps_;
  ir::ValueId considered_;
  bool record_ = false;
  int switched_off_ = 0;
};

// All rules in code order; generated from the files present.
[[nodiscard]] std::span<const Rule* const> AllRules();
[[nodiscard]] std::string CodeText(const Rule& rule);                // "R101"
[[nodiscard]] std::string_view RecipeText(std::string_view recipe);  // the general text of "RR-loop"; empty if unknown

}  // namespace cpnlint::rules
