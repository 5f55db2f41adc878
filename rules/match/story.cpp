#include "rules/match/story.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "analyzer/analysis/cadences.h"

namespace cpnlint::rules::match {
namespace {

using analysis::Evidence;
using ir::OpKind;

const char* HowParameterIsArray(analysis::EvidenceSet evidence) {
  if ((evidence & Evidence::kAnnotated) != 0) return "annotated as an array";
  if ((evidence & Evidence::kDocumented) != 0) return "documented as an array";
  if ((evidence & Evidence::kCalledWith) != 0) return "callers pass an array";
  return "used as an array in this function";
}

ir::ModuleId ModuleOf(const Facts& facts, ir::ValueId op) {
  const ir::Program& program = facts.program();
  return program.functions[program.FunctionOf(op)].module;
}

}  // namespace

Text Quoted(Span span) { return Text("`").Add(span).Add("`"); }

void TellOrigin(const Facts& facts, ir::ValueId value, Span primary, Trial::Report& report) {
  const ir::ValueId root = facts.RootOf(value);
  if (!root.valid() || ModuleOf(facts, root) != ModuleOf(facts, value)) return;
  const ir::Program& program = facts.program();
  const ir::Op& op = program.ops[root];
  if (op.span.empty() || primary.Contains(op.span) || op.span.Contains(primary)) return;
  if ((op.flags & ir::kSynthetic) != 0) return;
  switch (op.kind) {
    case OpKind::kParam: report.Label(op.span, HowParameterIsArray(facts.Of(value).evidence)); break;
    case OpKind::kCall: {
      // `max(worst, abs(delta))` gives one of its values.
      const bool builtin = facts.CalleeOf(root).kind == analysis::Callee::Kind::kBuiltin;
      report.Label(op.span, builtin || facts.IsZeroD(value) ? "value computed here" : "array created here");
      break;
    }
    case OpKind::kBinary:
    case OpKind::kUnary:
    case OpKind::kCompare:
    case OpKind::kSubscript:
    case OpKind::kAttr:
      report.Label(op.span, facts.IsZeroD(value) ? "value computed here" : "array computed here");
      break;
    default: break;
  }
}

Text Trips(const Facts& facts, ir::LoopId loop) {
  const ir::DimId trips = facts.TripsOf(loop).count;
  if (facts.store().dims().AsConst(trips)) return facts.DimText(trips);
  // `range(spec.shape[0])`: the user's words are the best name of that number.
  const ir::Program& program = facts.program();
  const ir::ValueId iterable = program.loops[loop].iterable;
  const ir::ValueId range = iterable.valid() ? facts.Source(iterable) : iterable;
  if (range.valid() && program.ops[range].kind == OpKind::kCall && facts.PositionalCount(range) == 1) {
    const analysis::Callee& callee = facts.CalleeOf(range);
    if (callee.kind == analysis::Callee::Kind::kBuiltin && callee.name == "range") return program.OperandSpan(range, 1);
  }
  return trips.valid() ? Text(facts.DimText(trips)) : Text();
}

// `break` or `return` may end it before its trips are done.
static bool MayEndEarly(const Facts& facts, ir::LoopId loop) {
  const ir::Loop& it = facts.program().loops[loop];
  return it.has_break || std::ranges::any_of(facts.program().functions[it.function].returns,
                                             [&](ir::ValueId leave) { return facts.InLoop(leave, loop); });
}

Text RunsText(const Facts& facts, ir::LoopId loop) {
  const Text trips = Trips(facts, loop);
  if (!trips.empty()) {
    const bool once = trips.pieces.size() == 1 && trips.pieces[0].literal == "1";
    return Text(MayEndEarly(facts, loop) ? "runs at most " : "runs ").Add(trips).Add(once ? " time" : " times");
  }
  if (facts.program().loops[loop].kind == ir::Loop::Kind::kWhile) return "runs until its test fails";
  return "runs an unknown number of times";
}

Text HotLoopText(const Facts& facts, ir::ValueId site) {
  if (const ir::ValueId driver = facts.HeatOf(site).callback; driver.valid()) {
    return Text("`" + std::string(facts.CalleeOf(driver).name) + "`");
  }
  const ir::LoopId loop = facts.HeatOf(site).loop;
  if (!loop.valid()) return {};
  const ir::Program& program = facts.program();
  const ir::Loop& hot = program.loops[loop];
  if (program.functions[hot.function].module == ModuleOf(facts, site)) return Quoted(hot.header_span);
  const std::string_view caller = facts.QualifiedName(hot.function);
  return caller.empty() ? Text("a loop of another module") : Text("a loop in `" + std::string(caller) + "`");
}

namespace {

// The tests between the op and the loop; those on the way from a loop of a caller are another matter.
std::vector<ir::GuardId> TestsInLoop(const Facts& facts, ir::ValueId op, ir::LoopId hot) {
  constexpr int kMostTests = 32;
  const ir::Program& program = facts.program();
  std::vector<ir::GuardId> tests;
  ir::GuardId guard = program.blocks[program.ops[op].block].guard;
  for (int steps = 0; guard.valid() && steps < kMostTests; guard = program.guards[guard].parent, ++steps) {
    const ir::LoopId loop = program.guards[guard].loop;
    if (hot.valid() && loop.valid() && facts.LoopContains(hot, loop)) tests.push_back(guard);
  }
  return tests;
}

// The loop whose passes the test tells apart, of those between it and `hot`: the outer one of `if it % 5 == 0:` in a
// loop of its own counter.
ir::LoopId LoopOfTest(const Facts& facts, ir::GuardId test, ir::LoopId hot) {
  constexpr std::size_t kMostParts = 16;
  const ir::Program& program = facts.program();
  ir::LoopId loop = program.guards[test].loop;
  if (loop == hot || !program.guards[test].truth.valid()) return loop;
  std::vector<ir::ValueId> numbers, parts = {program.guards[test].truth};
  for (std::size_t i = 0; i < parts.size() && i < kMostParts; ++i) {
    switch (program.ops[parts[i]].kind) {
      case OpKind::kTruth:
      case OpKind::kNot:
      case OpKind::kCompare:
      case OpKind::kBinary:
        for (const ir::ValueId part : program.Operands(parts[i])) parts.push_back(facts.Source(part));
        break;
      default:
        if (!facts.IntOf(parts[i])) numbers.push_back(parts[i]);
        break;
    }
  }
  const auto changes = [&](ir::ValueId number) { return !facts.Invariant(number, loop); };
  while (loop != hot && program.loops[loop].parent.valid() && std::ranges::none_of(numbers, changes))
    loop = program.loops[loop].parent;
  return loop;
}

// On how many of the passes of the loop the op runs, by the tests that stand before it.
struct Passes {
  std::int64_t every = 1;
  bool each = true;  // of those: no test lets through fewer passes of an inner loop than that makes
};

Passes PassesOf(const Facts& facts, ir::ValueId op, ir::LoopId hot) {
  constexpr double kLongest = 1e9;
  Passes passes;
  ir::ValueId counts;
  for (const ir::GuardId test : TestsInLoop(facts, op, hot)) {
    const double period = std::min(facts.CadenceOf(test).period, kLongest);
    if (period <= 1) continue;
    const ir::LoopId loop = LoopOfTest(facts, test, hot);
    if (loop == hot) {
      // `it % 4 == 0` behind `it % 2 == 0`; a counter that itself moves seldom makes all of it as seldom as both.
      const auto more = static_cast<std::int64_t>(period);
      const ir::ValueId asked = analysis::RemainderAsked(facts, facts.program().guards[test]).count;
      const ir::ValueId counted = asked.valid() ? facts.Source(asked) : asked;
      const bool same = passes.every == 1 || (counted.valid() && counted == counts);
      counts = counted;
      const std::int64_t both = same ? std::lcm(passes.every, more) : passes.every * more;
      passes.every = std::min(both, static_cast<std::int64_t>(kLongest));
      continue;
    }
    const std::optional<std::int64_t> trips = facts.MostTrips(loop);
    passes.each = passes.each && (!trips || static_cast<double>(*trips) >= period);
  }
  return passes;
}

}  // namespace

bool IsSeldom(const Facts& facts, ir::ValueId op, ir::LoopId loop) {
  return std::ranges::any_of(TestsInLoop(facts, op, loop), [&](ir::GuardId test) {
    return facts.GuardPeriod(test) > 1 && LoopOfTest(facts, test, loop) == loop;
  });
}

Text PassesText(const Facts& facts, ir::ValueId site) {
  const Text loop = HotLoopText(facts, site);
  if (loop.empty()) return loop;
  const Passes passes = PassesOf(facts, site, facts.HeatOf(site).loop);
  if (!passes.each) return Text("on some passes of ").Add(loop);
  if (passes.every <= 1) return Text("on every pass of ").Add(loop);
  return Text("every " + std::to_string(passes.every) + " passes of ").Add(loop);
}

void TellHotLoop(const Facts& facts, ir::ValueId site, Span primary, Trial::Report& report) {
  if (const ir::ValueId driver = facts.HeatOf(site).callback; driver.valid()) {
    if (ModuleOf(facts, driver) == ModuleOf(facts, site))
      report.Label(facts.program().ops[driver].span, "calls this function again and again");
    return;
  }
  const ir::LoopId loop = facts.HeatOf(site).loop;
  if (!loop.valid()) return;
  const ir::Program& program = facts.program();
  const ir::Loop& hot = program.loops[loop];
  if (program.functions[hot.function].module != ModuleOf(facts, site)) return;
  if (hot.header_span.Contains(primary) || primary.Contains(hot.header_span)) return;
  report.Label(hot.header_span, RunsText(facts, loop));
}

Span SpanOfOperand(const Facts& facts, ir::ValueId op, ir::ValueId value) {
  const ir::Program& program = facts.program();
  const auto operands = program.Operands(op);
  for (std::uint32_t i = 0; i < operands.size(); ++i) {
    if (operands[i] == value) return program.OperandSpan(op, i);
  }
  return value.valid() ? program.ops[value].span : Span{};
}

// `_`, `_i`
static bool IsPlaceholder(const Facts& facts, const ir::Loop& loop) {
  const ir::Program& program = facts.program();
  for (const ir::Binding& binding : program.functions[loop.function].bindings) {
    if (binding.value == loop.item) return program.names.Text(binding.name).starts_with('_');
  }
  return true;
}

Span CounterOf(const Facts& facts, ir::LoopId loop_id) {
  if (!loop_id.valid()) return {};
  const ir::Loop& loop = facts.program().loops[loop_id];
  if (!loop.item.valid() || loop.target_span.empty()) return {};
  if (facts.Of(loop.item).kind != analysis::Kind::kInt) return {};
  if (facts.DeepUsesOf(loop.item).empty() && IsPlaceholder(facts, loop)) return {};
  for (const ir::ValueId use : facts.UsesOf(loop.item)) {
    if (facts.program().ops[use].kind == ir::OpKind::kUnpackItem) return {};
  }
  return loop.target_span;
}

int SeldomEnough(const Facts& facts, ir::LoopId loop) {
  const std::optional<std::int64_t> most = facts.MostTrips(loop);
  return !most || *most > 100 ? 100 : 10;
}

Text SeldomTest(const Facts& facts, ir::LoopId loop, Span counter) {
  return Text("`if ").Add(counter).Add(" % ").Add(std::to_string(SeldomEnough(facts, loop))).Add(" == 0:`");
}

Span PassNumberOf(const Facts& facts, ir::LoopId loop) {
  if (!loop.valid() || !facts.program().loops[loop].iterable.valid()) return {};
  const ir::ValueId iterable = facts.Source(facts.program().loops[loop].iterable);
  if (facts.program().ops[iterable].kind != ir::OpKind::kCall || facts.PositionalCount(iterable) != 1) return {};
  const analysis::Callee& callee = facts.CalleeOf(iterable);
  const bool range = callee.kind == analysis::Callee::Kind::kBuiltin && callee.name == "range";
  return range ? CounterOf(facts, loop) : Span{};
}

}  // namespace cpnlint::rules::match
