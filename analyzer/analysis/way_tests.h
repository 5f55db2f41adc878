#pragma once

// The tests around a place, what they ask of the parameters of the function, and what a call hands over for those.

#include <optional>

#include "analyzer/analysis/engine.h"

namespace cpnlint::analysis {

constexpr int kMostGuardsAround = 32;  // tests around one place that are looked at, innermost first

// A guard's test without its `not`s.
struct Test {
  ir::ValueId id;
  bool holds = true;
};

[[nodiscard]] Test TestOf(const ir::Program& program, const ir::Guard& guard);
// What the block asks at its end, read through names, and what it is on the first of the two ways on; None() where it
// asks nothing.
[[nodiscard]] Test TestAtEnd(const Facts& facts, ir::BlockId block);

// Whether `visit(test, guard)` says so of one of the tests around the block; innermost first, no more after that.
template <typename Visit>
bool AnyTestAround(const ir::Program& program, ir::BlockId block, Visit visit) {
  ir::GuardId id = program.blocks[block].guard;
  for (int around = 0; id.valid() && around < kMostGuardsAround; ++around, id = program.guards[id].parent) {
    const ir::Guard& guard = program.guards[id];
    if (guard.kind != ir::Guard::Kind::kTest || !guard.truth.valid()) continue;
    const Test test = TestOf(program, guard);
    if (test.id.valid() && visit(test, id)) return true;
  }
  return false;
}

// `if table.vectorized(x): ... else: for row in x: table.evaluate(row)`: the object of the call says by an answer
// whether it comes there. Where it is one of several, not all of them do.
[[nodiscard]] bool AnswersBefore(const Facts& facts, ir::ValueId call);

// The parameter that the value is, except `*args`.
[[nodiscard]] std::optional<std::uint32_t> ParamOf(const Facts& facts, ir::FunctionId function, ir::ValueId id);
// The value, or what a function was given that hands back its argument after a check.
[[nodiscard]] ir::ValueId GivenTo(const Facts& facts, const Facts::Impl& impl, ir::ValueId value);
[[nodiscard]] bool IsInstanceTest(const Facts& facts, const Facts::Impl& impl, ir::ValueId id);
// `"name" in options`
[[nodiscard]] bool AsksForKeyword(const Facts& facts, ir::ValueId id);
// What the test looks at besides constants.
[[nodiscard]] ir::ValueId TestedValue(const Facts& facts, const Facts::Impl& impl, const Test& test);
// What the test gives where the tested value is this one.
[[nodiscard]] std::optional<bool> Decide(const Facts& facts, const Facts::Impl& impl, ir::ValueId test,
                                         const Value& value);
// The parameter whose value the test needs to come out as it says: `if method is None: method = "score"` before gives
// only what it does not let in.
[[nodiscard]] std::optional<std::uint32_t> ParamAsked(const Facts& facts, const Facts::Impl& impl,
                                                      ir::FunctionId function, const Test& test);
// The test lets one case in: a switch that is on, a certain kind of argument, one that was left out. Where nobody knows
// what is handed over, that is not how the function runs as a rule (A.2: an unknown flag).
[[nodiscard]] bool AsksForOneCase(const Facts& facts, const Test& test);
// What the call hands over for a parameter; None() where that cannot be told.
[[nodiscard]] ir::ValueId Passed(const Facts& facts, const Facts::Impl& impl, ir::ValueId call,
                                 const ir::Function& function, std::uint32_t param);
// The same, the default included, and of calls on objects that nobody knows by the name alone.
[[nodiscard]] ir::ValueId GivenBy(const Facts& facts, const Facts::Impl& impl, ir::ValueId call,
                                  ir::FunctionId function, std::size_t param);

}  // namespace cpnlint::analysis
