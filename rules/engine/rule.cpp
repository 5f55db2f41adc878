#include "rules/engine/rule.h"

#ifdef CPNLINT_MUTATION
#include <cstdlib>
#endif

namespace cpnlint::rules {
namespace {

#ifdef CPNLINT_MUTATION
// The mutation test switches one condition of one rule off for a whole run: CPNLINT_MUTATE=R101:2, or R101:b.
bool Mutated(const Rule& rule, int condition) {
  static const char* const mutant = std::getenv("CPNLINT_MUTATE");
  if (mutant == nullptr) return false;
  const std::string name = condition >= 'a' ? std::string(1, static_cast<char>(condition)) : std::to_string(condition);
  return CodeText(rule) + ":" + name == mutant;
}
#else
constexpr bool Mutated(const Rule&, int) { return false; }
#endif

}  // namespace

std::string_view Name(Family family) {
  switch (family) {
    case Family::kScales: return "scales";
    case Family::kBlocks: return "blocks";
    case Family::kRefactor: return "refactor";
    case Family::kInfo: return "info";
    case Family::kMemory: return "memory";
  }
  return "";
}

std::string_view Name(Severity severity) {
  switch (severity) {
    case Severity::kGood: return "good";
    case Severity::kInfo: return "info";
    case Severity::kWarning: return "warning";
    case Severity::kError: return "error";
  }
  return "";
}

std::string_view Name(analysis::Confidence confidence) {
  switch (confidence) {
    case analysis::Confidence::kPossible: return "possible";
    case analysis::Confidence::kLikely: return "likely";
    case analysis::Confidence::kCertain: return "certain";
  }
  return "";
}

std::string_view Name(FixClass fix_class) {
  switch (fix_class) {
    case FixClass::kNone: return "none";
    case FixClass::kDisplay: return "display";
    case FixClass::kUnsafe: return "unsafe";
    case FixClass::kSafe: return "safe";
  }
  return "";
}

std::string CodeText(const Rule& rule) {
  std::string digits = std::to_string(rule.code);
  return "R" + std::string(digits.size() < 3 ? 3 - digits.size() : 0, '0') + digits;
}

void Trial::Considers(ir::ValueId op) { considered_ = op; }

bool Trial::Holds(int condition, bool fact) {
  if (condition == switched_off_ || Mutated(rule_, condition)) fact = true;
  if (record_) steps_.push_back({condition, fact, considered_});
  return fact;
}

bool Trial::Quiet(char exception, bool fact) {
  if (exception == switched_off_ || Mutated(rule_, exception)) fact = false;
  if (record_) steps_.push_back({exception, fact, considered_});
  return fact;
}

Trial::Report Trial::ReportOp(ir::ValueId op) {
  const ir::Program& program = facts_.program();
  Pending& pending = pending_.emplace_back();
  pending.considered = considered_;
  Finding& finding = pending.finding;
  finding.rule = &rule_;
  finding.doctor = rule_.doctor;
  finding.site = op;
  finding.function = program.FunctionOf(op);
  finding.module = program.functions[finding.function].module;
  finding.loop = program.LoopOf(op);
  finding.span = program.ops[op].span;
  return Report(pending);
}

Trial::Report Trial::ReportLoop(ir::LoopId loop) {
  const ir::Program& program = facts_.program();
  Pending& pending = pending_.emplace_back();
  pending.considered = considered_;
  Finding& finding = pending.finding;
  finding.rule = &rule_;
  finding.doctor = rule_.doctor;
  finding.function = program.loops[loop].function;
  finding.module = program.functions[finding.function].module;
  finding.loop = loop;
  finding.span = program.loops[loop].header_span;
  return Report(pending);
}

Trial::Report Trial::ReportModule(ir::ModuleId module, Span span) {
  Pending& pending = pending_.emplace_back();
  pending.considered = considered_;
  Finding& finding = pending.finding;
  finding.rule = &rule_;
  finding.doctor = rule_.doctor;
  finding.module = module;
  finding.function = facts_.program().modules[module].body;
  finding.span = span;
  return Report(pending);
}

Trial::Report& Trial::Report::At(Span span) {
  pending_.finding.span = span;
  return *this;
}

Trial::Report& Trial::Report::Arg(std::string_view name, Text text) {
  pending_.arguments.emplace_back(name, std::move(text));
  return *this;
}

Trial::Report& Trial::Report::Message(std::string_view pattern) {
  pending_.pattern = pattern;
  return *this;
}

Trial::Report& Trial::Report::Root(ir::ValueId root) {
  pending_.finding.root = root;
  return *this;
}

Trial::Report& Trial::Report::Key(std::string key) {
  pending_.finding.key = std::move(key);
  return *this;
}

Trial::Report& Trial::Report::Loop(ir::LoopId loop) {
  pending_.finding.loop = loop;
  return *this;
}

Trial::Report& Trial::Report::Label(Span span, Text text) {
  if (!span.empty()) pending_.finding.labels.push_back({span, std::move(text), 0});
  return *this;
}

Trial::Report& Trial::Report::PrimaryLabel(Text text) {
  pending_.finding.primary_label = std::move(text);
  return *this;
}

Trial::Report& Trial::Report::Why(Text text) {
  pending_.finding.why = std::move(text);
  return *this;
}

Trial::Report& Trial::Report::Help(Text text) {
  pending_.finding.help = std::move(text);
  return *this;
}

Trial::Report& Trial::Report::Evidence(analysis::EvidenceSet evidence) {
  pending_.evidence |= evidence;
  return *this;
}

Trial::Report& Trial::Report::Confidence(analysis::Confidence at_most) {
  pending_.cap = analysis::Weaker(pending_.cap, at_most);
  return *this;
}

Trial::Report& Trial::Report::Severity(rules::Severity severity) {
  pending_.finding.severity = severity;
  pending_.severity_fixed = true;
  return *this;
}

Trial::Report& Trial::Report::Doctor(std::string_view check) {
  pending_.finding.doctor = check;
  return *this;
}

Trial::Report& Trial::Report::Raises() {
  pending_.finding.raises = true;
  return *this;
}

}  // namespace cpnlint::rules
