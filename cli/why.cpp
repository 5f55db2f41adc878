#include "cli/why.h"

#include <array>
#include <set>
#include <utility>
#include <vector>

#include "cli/causes.h"
#include "rules/engine/runner.h"

namespace cpnlint::cli {
namespace {

using analysis::Facts;

constexpr std::size_t kLongest = 60;  // of the words of a value

// Kinds of evidence that are weaker than proof, in words.
constexpr std::array<std::pair<analysis::EvidenceSet, std::string_view>, 11> kEvidence = {{
    {analysis::kAnnotated, "its annotation"},
    {analysis::kDocumented, "a docstring"},
    {analysis::kUsed, "the way it is used"},
    {analysis::kCalledWith, "what known callers pass"},
    {analysis::kDefaultValue, "a default value"},
    {analysis::kDemoLiteral, "a literal in a demo"},
    {analysis::kAssumed, "an assumption that was asked for"},
    {analysis::kNamespaceParam, "a parameter that is used as the array library"},
    {analysis::kUnresolvedCall, "a method that was found by its name alone"},
    {analysis::kArgparseDefault, "the default of an option"},
    {analysis::kStandardNamespace, "a namespace of the array API standard"},
}};

std::string EvidenceText(analysis::EvidenceSet evidence) {
  std::string text;
  for (const auto& [kind, words] : kEvidence) {
    if ((evidence & kind) != 0) text += (text.empty() ? "" : ", ") + std::string(words);
  }
  return text;
}

std::string SureText(analysis::EvidenceSet evidence) {
  std::string text(rules::Name(analysis::ConfidenceOf(evidence)));
  if (const std::string on = EvidenceText(evidence); !on.empty()) text += ", by " + on;
  if ((evidence & analysis::kContradicted) != 0) text += ", and something speaks against it";
  return text;
}

class Known {
 public:
  Known(const Facts& facts, ir::ModuleId module, Span line, const Sources& sources)
      : facts_(facts), program_(facts.program()), module_(module), line_(line), sources_(sources) {}

  std::string Text() {
    const ir::Module& module = program_.modules[module_];
    for (std::size_t i = module.first_function.index(); i < module.end_function.index(); ++i) {
      const ir::FunctionId function(i);
      for (const ir::LoopId loop : rules::LoopsOf(program_, function)) SeeLoop(loop);
      for (const ir::BlockId block : program_.functions[function].blocks) {
        for (const ir::ValueId op : program_.blocks[block].ops) SeeOp(op);
      }
    }
    if (first_.valid()) SeeHeat();
    return text_.empty() ? "" : "known of this line:\n" + text_;
  }

 private:
  [[nodiscard]] bool IsOnLine(Span span) const {
    return !span.empty() && line_.begin <= span.begin && span.begin < line_.end;
  }

  [[nodiscard]] std::string PlaceText(Span span) const {
    const report::Place place = sources_.PlaceOf(span);
    std::string text = sources_.File(sources_.ModuleAt(span.begin)).path;
    if (place.start.cell != 0) text += ":cell " + std::to_string(place.start.cell);
    return text + ':' + std::to_string(report::ShownLine(place.start));
  }

  [[nodiscard]] std::string Quoted(Span span) const {
    std::string words(sources_.Words(span));
    if (words.size() > kLongest) words = words.substr(0, kLongest) + "...";
    for (char& c : words) c = c == '\n' ? ' ' : c;
    return '`' + words + '`';
  }

  void SeeLoop(ir::LoopId id) {
    const ir::Loop& loop = program_.loops[id];
    if (!IsOnLine(loop.header_span)) return;
    const analysis::LoopFact& fact = facts_.LoopFactOf(id);
    text_ += "  " + Quoted(loop.header_span) + ": " + std::string(analysis::Name(fact.kind)) + " loop, " +
             SureText(fact.evidence);
    const std::string trips = fact.trips.valid() ? facts_.DimText(fact.trips) : "";
    text_ += trips.empty() ? "; how many passes it makes is not known" : "; passes: " + trips;
    text_ += '\n';
  }

  void SeeOp(ir::ValueId op) {
    const ir::Op& record = program_.ops[op];
    if ((record.flags & (ir::kSynthetic | ir::kInAnnotation)) != 0) return;
    if (IsOnLine(record.span)) {
      if (!first_.valid()) first_ = op;
      if (record.kind == ir::OpKind::kCall || record.kind == ir::OpKind::kSubscript) SeeValue(op, record.span);
    }
    for (std::uint32_t i = 0; i < record.operand_count; ++i) {
      const ir::ValueId operand = program_.Operand(op, i);
      if (operand.valid()) SeeValue(operand, program_.OperandSpan(op, i));
    }
  }

  void SeeValue(ir::ValueId value, Span span) {
    if (!IsOnLine(span)) return;
    const analysis::Value& fact = facts_.Of(value);
    const bool told = fact.kind == analysis::Kind::kArray || fact.kind == analysis::Kind::kUnknown;
    if (!told || !seen_.insert(std::string(sources_.Words(span))).second) return;
    text_ += "  " + Quoted(span) + ": ";
    if (fact.kind == analysis::Kind::kUnknown) {
      text_ += "not known to be an array, so no rule about arrays speaks of it\n";
      return;
    }
    text_ += (fact.library == analysis::Library::kDevice ? "array " : "array of another library, or of the host ") +
             analysis::ToString(facts_.store(), program_.names, fact) + ", " + SureText(fact.evidence);
    TellOrigin(value, span);
    text_ += '\n';
  }

  // Where it was learnt: the call that makes the array, or the parameter that it comes by, and who passes it.
  void TellOrigin(ir::ValueId value, Span span) {
    ir::ValueId root = facts_.RootOf(value);
    if (!root.valid()) root = facts_.Source(value);
    if (!root.valid()) return;
    const Span made = program_.ops[root].span;
    if (program_.ops[root].kind != ir::OpKind::kParam) {
      if (!made.empty() && made != span) text_ += "; made by " + Quoted(made) + ", " + PlaceText(made);
      return;
    }
    text_ += "; a parameter of `" + std::string(facts_.QualifiedName(program_.FunctionOf(root))) + '`';
    if (!made.empty()) text_ += ", " + PlaceText(made);
    if ((facts_.Of(root).evidence & analysis::kCalledWith) == 0) return;
    constexpr std::size_t kMostCallers = 3;
    const auto calls = facts_.CallSitesOf(program_.FunctionOf(root));
    for (std::size_t i = 0; i < calls.size() && i < kMostCallers; ++i) {
      text_ += (i == 0 ? "; passed by " : ", ") + PlaceText(program_.ops[calls[i]].span);
    }
    if (calls.size() > kMostCallers) text_ += " and " + std::to_string(calls.size() - kMostCallers) + " more";
  }

  void SeeHeat() {
    const analysis::Heat& heat = facts_.HeatOf(first_);
    if (heat.dead) {
      text_ += "  it never runs, or only on the way to an exception\n";
      return;
    }
    if (!heat.hot) {
      text_ += "  it is not hot: no loop of many passes runs it\n";
      return;
    }
    text_ += "  it is hot, " + SureText(heat.evidence);
    if (heat.period > 1) text_ += ", every " + std::to_string(static_cast<long>(heat.period)) + " passes";
    rules::Finding finding;
    finding.site = first_;
    for (const Cause& cause : CausesOf(finding, facts_)) {
      text_ += "; " + Quoted(cause.span) + " (" + PlaceText(cause.span) + ") " + std::string(cause.what);
    }
    text_ += '\n';
  }

  const Facts& facts_;
  const ir::Program& program_;
  ir::ModuleId module_;
  Span line_;
  const Sources& sources_;
  ir::ValueId first_;  // op on the line
  std::set<std::string> seen_;
  std::string text_;
};

}  // namespace

std::string AttemptText(const rules::Attempt& attempt, const rules::Rule& rule, const Sources& sources) {
  std::string text = "`" + sources.Render(rules::Text(attempt.span)) + "`\n";
  for (const rules::Trial::Step& step : attempt.steps) {
    const bool exception = step.condition >= 'a' && step.condition <= 'z';
    const std::string name =
        exception ? "(" + std::string(1, static_cast<char>(step.condition)) + ")" : std::to_string(step.condition);
    const char* outcome =
        exception ? (step.held ? "applies, so the rule is quiet" : "does not apply") : (step.held ? "holds" : "fails");
    text += "  " + name + " " + outcome;
    if (const std::string_view words = rules::ConditionText(rule, step.condition); !words.empty()) {
      text += ": " + std::string(words);
    }
    text += '\n';
  }
  if (attempt.shown) {
    text += "  reported: " + std::string(rules::Name(attempt.finding.severity)) + ", " +
            std::string(rules::Name(attempt.finding.confidence)) + ": " + sources.Render(attempt.finding.message) +
            '\n';
    if (const std::string evidence = EvidenceText(attempt.evidence); !evidence.empty()) {
      text += "  it rests on " + evidence + '\n';
    }
  } else if (attempt.reported) {
    text += "  not shown: the rule is silent about code that is not hot, or the code never runs\n";
  } else {
    text += "  not reported\n";
  }
  return text;
}

std::string KnownText(const Facts& facts, ir::ModuleId module, Span line, const Sources& sources) {
  return Known(facts, module, line, sources).Text();
}

}  // namespace cpnlint::cli
