#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/analysis/axis_use.h"
#include "analyzer/analysis/fresh_passes.h"
#include "analyzer/analysis/number_sequences.h"
#include "rules/engine/rule.h"
#include "rules/match/arms.h"
#include "rules/match/before_loop.h"
#include "rules/match/device_call.h"
#include "rules/match/loop_exit.h"
#include "rules/match/one_fetch.h"
#include "rules/match/random_draw.h"
#include "rules/match/same_expression.h"
#include "rules/match/story.h"

namespace cpnlint::rules::r105 {
namespace {

using analysis::Heat;
using analysis::HostRead;
using ir::OpKind;
using ir::ValueId;

constexpr double kSeldom = 10;  // passes per execution from which on a wait is fine

// What the condition is about: `err` of `not (err < tol)`. The root of the finding, so that a conversion of the same
// value and this test are told as one.
ValueId Tested(const Facts& facts, ValueId value) {
  const ir::Program& program = facts.program();
  for (int depth = 0; depth < 16; ++depth) {
    value = facts.Source(value);
    if (!value.valid()) return value;
    const OpKind kind = program.ops[value].kind;
    if (kind != OpKind::kCompare && kind != OpKind::kUnary && kind != OpKind::kBinary && kind != OpKind::kNot)
      return value;
    ValueId next;
    for (const ValueId operand : program.Operands(value)) {
      if (!next.valid() && facts.IsDevice(operand)) next = operand;
    }
    if (!next.valid()) return value;
    value = next;
  }
  return value;
}

// The value, or what a ufunc makes of it, divides something in the loop: `if rs == 0: break` keeps that from failing.
bool Divides(const Facts& facts, ValueId value, ir::LoopId loop) {
  const ir::Program& program = facts.program();
  if (!value.valid()) return false;
  const auto divides = [&](ValueId use, ValueId divisor) {
    const OpKind kind = program.ops[use].kind;
    if ((kind != OpKind::kBinary && kind != OpKind::kInplaceBinary) || !facts.InLoop(use, loop)) return false;
    const auto binary = static_cast<ir::BinaryOp>(program.ops[use].detail);
    const bool division =
        binary == ir::BinaryOp::kDiv || binary == ir::BinaryOp::kFloorDiv || binary == ir::BinaryOp::kMod;
    return division && facts.Source(program.Operand(use, 1)) == facts.Source(divisor);
  };
  std::vector<ValueId> same = {value};
  for (std::size_t i = 0; i < same.size() && same.size() < 16; ++i) {
    for (const ValueId use : facts.UsesOf(same[i])) {
      if (divides(use, same[i])) return true;
      const bool carried = program.ops[use].kind == OpKind::kPhi;
      if (carried && std::find(same.begin(), same.end(), use) == same.end()) same.push_back(use);
    }
  }
  return false;
}

// `rs` of `np.sqrt(rs) < tol`
ValueId BehindCalls(const Facts& facts, ValueId value) {
  for (int depth = 0; depth < 4; ++depth) {
    const match::DeviceCall call = match::AsDeviceCall(facts, value);
    if (!call || !match::IsOneOf(call.base, {"sqrt", "abs", "absolute", "fabs"})) break;
    value = facts.Source(call.array);
  }
  return value;
}

// The test compares sizes and no more, so that a later pass would have ended the loop as well.
bool IsTolerance(const Facts& facts, ValueId condition) {
  const ir::Program& program = facts.program();
  for (int depth = 0; depth < 4 && condition.valid(); ++depth) {
    condition = facts.Source(condition);
    const ir::Op& op = program.ops[condition];
    if (op.kind == OpKind::kCompare) {
      const auto compare = static_cast<ir::CompareOp>(op.detail);
      return compare >= ir::CompareOp::kLt && compare <= ir::CompareOp::kGe;
    }
    if (op.kind == OpKind::kCall)
      return match::IsOneOf(match::AsDeviceCall(facts, condition).base, {"allclose", "array_equal"});
    if (op.kind != OpKind::kNot && op.kind != OpKind::kTruth) return false;
    condition = program.Operand(condition, 0);
  }
  return false;
}

// Each pass goes on from what the one before left: the tested value comes from a variable that the loop carries, from
// an array that it writes to, or from where that is not seen. `while rank(A) < n: A = draw()` begins anew on each pass.
bool GoesOn(const Facts& facts, ValueId value, ir::LoopId loop) {
  if (!value.valid()) return true;
  constexpr std::size_t kMost = 300;
  const ir::Program& program = facts.program();
  const auto carried = [&](ValueId phi) {
    return program.ops[phi].kind == OpKind::kPhi && program.ops[phi].block == program.loops[loop].header;
  };
  const auto reached_from = [&](std::vector<ValueId> work, ValueId wanted) {
    for (std::size_t i = 0; i < work.size(); ++i) {
      if (i == kMost) return true;
      const ir::Op& op = program.ops[work[i]];
      if (!facts.InLoop(work[i], loop)) continue;
      const bool hidden = op.kind == OpKind::kAttr || op.kind == OpKind::kLoadCell ||
                          (op.kind == OpKind::kCall && facts.CalleeOf(work[i]).kind == analysis::Callee::Kind::kLocal);
      const bool state =
          hidden && facts.Of(work[i]).kind != analysis::Kind::kApi && facts.Of(work[i]).kind != analysis::Kind::kMethod;
      const ValueId root = facts.RootOf(work[i]);
      if (state || (root.valid() && facts.IsDevice(work[i]) && facts.MutatedIn(root, loop))) return true;
      for (const ValueId operand : program.Operands(op)) {
        if (!operand.valid()) continue;
        if (operand == wanted) return true;
        if (std::find(work.begin(), work.end(), operand) == work.end()) work.push_back(operand);
      }
    }
    return false;
  };
  if (reached_from({value}, ValueId::None())) return true;
  std::vector<ValueId> work = {value};
  for (std::size_t i = 0; i < work.size(); ++i) {
    if (i == kMost) return true;
    if (carried(work[i]) && facts.Of(work[i]).kind != analysis::Kind::kInt) {
      const auto entering = program.Operands(work[i]);
      std::vector<ValueId> inside;
      for (const ValueId operand : entering) {
        if (operand.valid() && operand != work[i] && facts.InLoop(operand, loop)) inside.push_back(operand);
      }
      if (reached_from(inside, work[i])) return true;
    }
    if (!facts.InLoop(work[i], loop)) continue;
    for (const ValueId operand : program.Operands(work[i])) {
      if (operand.valid() && std::find(work.begin(), work.end(), operand) == work.end()) work.push_back(operand);
    }
  }
  return false;
}

// `if not np.isfinite(u).all(): raise`
bool OnlyChecks(const Facts& facts, const HostRead& read) {
  if (facts.program().ops[read.op].kind != OpKind::kTruth) return false;
  const ValueId test = facts.program().Operand(read.op, 0);
  return analysis::RaisesWhere(facts, test, true) || analysis::RaisesWhere(facts, test, false);
}

Text HelpForCheck(const Facts& facts, ir::LoopId loop) {
  Text help("what only checks can come later: test every k passes");
  const Span counter = loop.valid() ? match::CounterOf(facts, loop) : Span();
  if (!counter.empty()) {
    const std::string passes = std::to_string(match::SeldomEnough(facts, loop));
    help.Add(" (`if ").Add(counter).Add(" % ").Add(passes).Add(" == 0 and ...:`)");
  }
  return help.Add(", or once after the loop");
}

// No array and no number comes out of what depends on the test: ranges, texts, a `return` or a `break` alone. False
// where that is not known.
bool DecidesNoArray(const Facts& facts, ValueId truth) {
  const ir::Program& program = facts.program();
  const auto depends = [&](ir::BlockId block) {
    for (ir::GuardId guard = program.blocks[block].guard; guard.valid(); guard = program.guards[guard].parent) {
      if (program.guards[guard].truth == truth) return true;
    }
    return false;
  };
  if (!match::ArmsOf(facts, truth).bound.empty()) return false;
  bool decides = false;
  for (const ir::BlockId block : program.functions[program.FunctionOf(truth)].blocks) {
    const bool inside = depends(block);
    decides = decides || inside;
    for (const ValueId op : program.blocks[block].ops) {
      switch (program.ops[op].kind) {
        case OpKind::kStoreSubscript:
        case OpKind::kStoreAttr:
        case OpKind::kStoreCell:
          if (inside) return false;
          break;
        default: break;
      }
    }
  }
  return decides;
}

constexpr std::string_view kNoArrays =
    "Python has to know the way, as no array is assigned by it: decide by values that the host has, or test more "
    "seldom";

// An arm leaves an array whose length depends on data, `x = x[keep]`, where the other one leaves x as it is. What
// `np.any(keep)` asks for is a mask.
bool ChangesLengths(const Facts& facts, ValueId truth) {
  const ir::Program& program = facts.program();
  const match::DeviceCall test = match::AsDeviceCall(facts, facts.Source(program.Operand(truth, 0)));
  const ValueId mask = test && match::IsOneOf(test.base, {"any", "all"}) ? facts.Source(test.array) : ValueId::None();
  const auto by_mask = [&](ValueId value) {
    return mask.valid() && std::ranges::any_of(facts.KeysOf(value),
                                               [&](ValueId key) { return key.valid() && facts.Source(key) == mask; });
  };
  const auto selects = [&](ValueId value) {
    if (!value.valid() || program.ops[value].kind != OpKind::kSubscript) return false;
    const bool made_here = facts.Of(value).unbounded && !facts.Of(program.Operand(value, 0)).unbounded;
    if (!made_here && !by_mask(value)) return false;
    const ir::GuardId guard = program.blocks[program.ops[value].block].guard;
    return guard.valid() && program.guards[guard].truth == truth;
  };
  for (const ir::BlockId block : program.functions[program.FunctionOf(truth)].blocks) {
    for (const ValueId op : program.blocks[block].ops) {
      if (program.ops[op].kind == OpKind::kPhi && std::ranges::any_of(program.Operands(op), selects)) return true;
    }
  }
  return false;
}

constexpr std::string_view kLengths =
    "the two ways leave arrays of different lengths, between which the device cannot choose: decide by values that the "
    "host has, or test more seldom";
constexpr std::string_view kWay =
    "Python has to know the way, as its arms do more than assign arrays: decide by values that the host has, or test "
    "more seldom";
constexpr std::string_view kFilter =
    "a filter has no two values to choose from: select with the whole mask before the comprehension, or fetch what it "
    "tests once, by `.tolist()`";

constexpr std::string_view kLeaves =
    "a way leaves the loop, which is for Python to decide: where a pass too many does no harm, test every k passes "
    "only";

constexpr std::string_view kJoined =
    "where the arms only assign arrays, join the parts of the test by `np.logical_or` or `np.logical_and` and let the "
    "device choose: `x = np.where(test, new, old)`; anything else that depends on the test waits for it";

// `np.any(u > 1) or np.any(q < 0)`: another part of the test asks the device as well.
bool AsksDeviceAgain(const Facts& facts, ValueId truth) {
  const ir::Program& program = facts.program();
  const Span whole = match::WholeTest(facts, truth);
  return std::ranges::any_of(program.functions[program.FunctionOf(truth)].blocks, [&](ir::BlockId id) {
    const auto ops = program.blocks[id].ops;
    if (ops.empty() || program.ops[ops.back()].kind != OpKind::kBranch || program.ops[ops.back()].span != whole)
      return false;
    const ValueId part = program.Operand(ops.back(), 0);
    if (part == truth || program.ops[part].kind != OpKind::kTruth) return false;
    const ValueId asked = facts.Source(program.Operand(part, 0));
    return asked.valid() && facts.IsDevice(asked);
  });
}

// The arms change arrays that others see.
Text HelpForChanges(const match::Arms& arms, Span condition) {
  constexpr std::string_view kDots = "with the values of the two ways in place of the dots";
  constexpr std::string_view kRest = "; anything else that depends on the test waits for it";
  if (arms.changes == 1) {
    return Text("an arm changes an array: let the device choose what it gets, `")
        .Add(arms.changed)
        .Add(" = np.where(")
        .Add(condition, Binding::kConditional)
        .Add(", ..., ...)` ")
        .Add(kDots)
        .Add(kRest);
  }
  return Text("the arms change arrays: let the device choose what each of them gets, `")
      .Add(arms.changed)
      .Add(" = np.where(test, ..., ...)` after `test = ")
      .Add(condition)
      .Add("`, ")
      .Add(kDots)
      .Add(kRest);
}

Text HelpForTest(const Facts& facts, const HostRead& read) {
  const Span condition = match::SpanOfOperand(facts, read.op, read.value);
  const auto context = static_cast<ir::TruthContext>(facts.program().ops[read.op].detail);
  const bool truth = facts.program().ops[read.op].kind == OpKind::kTruth;
  if (truth && context == ir::TruthContext::kAssert) return "check once after the loop, or every k passes only";
  if (truth && context == ir::TruthContext::kFilter) return kFilter;
  const ir::LoopId around = facts.program().LoopOf(read.op);
  if (truth && around.valid() && match::EndsLoop(facts, read.op, around)) return kLeaves;
  if (truth && AsksDeviceAgain(facts, read.op)) return kJoined;
  if (truth && DecidesNoArray(facts, read.op)) return kNoArrays;
  if (truth && ChangesLengths(facts, read.op)) return kLengths;
  if (truth && context == ir::TruthContext::kTernary) {
    return Text("let the device choose: `np.where(")
        .Add(condition, Binding::kConditional)
        .Add(", ..., ...)` with the two values in place of the dots");
  }
  const match::Arms arms = truth ? match::ArmsOf(facts, read.op) : match::Arms();
  if (arms.changes > 0) return HelpForChanges(arms, condition);
  if (truth && arms.bound.empty()) return kWay;
  Text help("where ");
  if (truth && !arms.bound_surely) help.Add("`").Add(arms.bound).Add("` is an array or a number and ");
  help.Add("both arms only assign arrays, let the device choose: `");
  help.Add(truth ? arms.bound : "x").Add(" = np.where(").Add(condition, Binding::kConditional);
  help.Add(arms.bound_where_not ? ", old, new)`" : ", new, old)`");
  return help.Add("; anything else that depends on the test waits for it");
}

// A limit on the passes after which the loop raises: `if it == 99: raise`, a `raise` behind it.
bool RaisesAtLimit(const Facts& facts, ir::LoopId loop) {
  const ir::Program& program = facts.program();
  const auto& ways = program.blocks[program.loops[loop].header].succs;
  if (program.loops[loop].kind == ir::Loop::Kind::kFor && ways.size() == 2) {
    const auto& after = program.blocks[ways[1]].ops;
    if (!after.empty() && program.ops[after.back()].kind == OpKind::kRaise) return true;
  }
  const auto raises = [&](ValueId op) {
    if (program.ops[op].kind != OpKind::kCompare) return false;
    const bool counts = std::ranges::any_of(program.Operands(op), [&](ValueId operand) {
      return operand.valid() && facts.DependsOnInduction(operand, loop) && !facts.IsDevice(operand);
    });
    return counts && (analysis::RaisesWhere(facts, op, true) || analysis::RaisesWhere(facts, op, false));
  };
  return std::ranges::any_of(program.functions[program.loops[loop].function].blocks, [&](ir::BlockId id) {
    const ir::Block& block = program.blocks[id];
    return block.loop == loop && std::ranges::any_of(block.ops, raises);
  });
}

// `if it % 25 == 0 and err < tol:`; of a test that is too long to quote the beginning.
Text HelpForCadence(const Facts& facts, ValueId truth, ir::LoopId loop, Span counter) {
  constexpr std::uint32_t kLongest = 60;
  const int passes = std::min(25, match::SeldomEnough(facts, loop));
  const Span whole = match::WholeTest(facts, truth);
  Text help("where up to ");
  help.Add(std::to_string(passes - 1)).Add(" passes more do no harm: `if ").Add(counter).Add(" % ");
  help.Add(std::to_string(passes)).Add(" == 0 and ");
  if (whole.size() > kLongest) {
    help.Add("...:`, with the test as it is for the dots");
  } else {
    help.Add(whole, Binding::kAnd).Add(":`");
  }
  const bool last = facts.program().loops[loop].has_else || RaisesAtLimit(facts, loop);
  return last ? help.Add(", and test in the last pass as well") : help;
}

// Some other test of the pass is computed from the same, and neither ends the loop nor raises: each pass needs it.
bool IsNeededAnyway(const Facts& facts, const match::Shared& shared, ir::LoopId loop) {
  return std::ranges::any_of(shared.tests, [&](ValueId truth) {
    const ValueId test = facts.program().Operand(truth, 0);
    return !match::EndsLoop(facts, truth, loop) && !analysis::RaisesWhere(facts, test, true) &&
           !analysis::RaisesWhere(facts, test, false);
  });
}

constexpr std::string_view kDraws =
    "each pass draws anew, so a test that comes later would throw draws away: draw several candidates at once, test "
    "them together, and take the first that passes";
constexpr std::string_view kSearch =
    "no pass goes on from the one before, and where the loop ends is what it looks for: compute the values of several "
    "passes first and fetch them together";

// `rng.random() < p`: what decides is a number drawn for this pass, and nothing else of the device.
Text HelpForDraw(const Facts& facts, const HostRead& read, ValueId tested) {
  const Text draw = match::DrawnOnHost(facts, read.value);
  if (draw.empty()) return {};
  const match::DeviceCall call = match::AsDeviceCall(facts, facts.Source(tested));
  Text help("a number that decides the way costs no wait where it is ");
  return help.Add(draw).Add(call && !match::IsDraw(call.base) ? ", and what is computed from it by `math`" : "");
}

// The conditions of a cadence are said where they are not known to hold: more passes have to do no harm. Of a number
// that the pass needs more than once, `fetch` says how to fetch it: what an earlier part of the finding has said, or
// what is said here.
Text Help(const Facts& facts, const HostRead& read, ValueId tested, ir::LoopId loop, Text& fetch) {
  const ir::Program& program = facts.program();
  const ir::LoopId around = program.LoopOf(read.op);
  const std::vector<ValueId> beginnings = match::BeginningsOf(facts, read.value);
  if (const Text before = match::TestBefore(facts, read); !before.empty()) return before;
  if (const Text draw = HelpForDraw(facts, read, tested); !draw.empty()) return draw;
  if (OnlyChecks(facts, read)) return HelpForCheck(facts, around);
  const bool truth = program.ops[read.op].kind == OpKind::kTruth;
  if (truth && around.valid() && match::EndsLoop(facts, read.op, around) && analysis::DrawsAnew(facts, around))
    return kDraws;
  const bool ends = truth && loop.valid() && match::EndsLoop(facts, read.op, loop);
  const match::Shared shared = match::SharedWith(facts, read.op, beginnings);
  if (!ends || facts.LoopFactOf(loop).kind != analysis::LoopKind::kConvergence) {
    const bool anyway = !fetch.empty() || shared.converted || match::IsAskedOften(shared) ||
                        (loop.valid() && std::ranges::any_of(shared.tests, [&](ValueId test) {
                           return match::EndsLoop(facts, test, loop);
                         }));
    if (!anyway) return HelpForTest(facts, read);
    if (fetch.empty()) fetch = match::FetchOnce(facts, beginnings);
    return fetch;
  }
  if (!fetch.empty() || IsNeededAnyway(facts, shared, loop)) {
    if (fetch.empty()) fetch = match::FetchOnce(facts, beginnings);
    return fetch;
  }
  if (analysis::CarriesOnlyCounters(facts, loop)) return kSearch;
  const Span condition = match::SpanOfOperand(facts, read.op, read.value);
  const ValueId value = BehindCalls(facts, tested);
  if (!IsTolerance(facts, read.value) || !GoesOn(facts, tested, loop)) {
    return Text(
        "the loop needs this test on every pass unless a pass too many does no harm; then test every k passes "
        "only");
  }
  if (Divides(facts, value, loop)) {
    return Text("a pass too many may divide by zero here: guard the division (`np.where`), then test ")
        .Add(match::Quoted(condition))
        .Add(" every k passes only");
  }
  // `it % 5 == 4 and it % 25 == 0` never holds.
  if (match::IsSeldom(facts, read.op, loop))
    return Text("where more passes do no harm, test ").Add(match::Quoted(condition)).Add(" more seldom");
  const Span counter = match::CounterOf(facts, loop);
  if (program.loops[loop].kind == ir::Loop::Kind::kFor && !counter.empty() &&
      match::EndsLoopWhereItHolds(facts, read.op, loop)) {
    return HelpForCadence(facts, read.op, loop, counter);
  }
  return Text("where a few passes more do no harm, count the passes and test ")
      .Add(match::Quoted(condition))
      .Add(" every k of them only");
}

// `if max(x, y) > 1.0:`
bool IsTested(const Facts& facts, ValueId value) {
  const ir::Program& program = facts.program();
  return std::ranges::any_of(facts.DeepUsesOf(value), [&](ValueId use) {
    if (program.ops[use].kind == OpKind::kTruth) return true;
    const auto uses = facts.UsesOf(use);
    return program.ops[use].kind == OpKind::kCompare &&
           std::ranges::any_of(uses, [&](ValueId test) { return program.ops[test].kind == OpKind::kTruth; });
  });
}

// `np.minimum(a.max(), 1.0)` for `min(a.max(), 1.0)`.
Text HelpForExtremum(const Facts& facts, const HostRead& read, const std::vector<ValueId>& numbers, Text& fetch) {
  if (const Text draw = HelpForDraw(facts, read, read.value); !draw.empty()) return draw;
  if (const match::Shared shared = match::SharedWith(facts, read.op, numbers);
      !fetch.empty() || shared.converted || match::IsAskedOften(shared)) {
    if (fetch.empty()) fetch = match::FetchOnce(facts, numbers);
    return fetch;
  }
  const ValueId call = read.op;
  const ir::Program& program = facts.program();
  const std::string_view name = facts.CalleeOf(call).name == "min" ? "np.minimum" : "np.maximum";
  if (facts.PositionalCount(call) != 2)
    return Text("compare two at a time with `").Add(name).Add("`: the result stays on the device");
  return Text("write `")
      .Add(name)
      .Add("(")
      .Add(program.OperandSpan(call, 1))
      .Add(", ")
      .Add(program.OperandSpan(call, 2))
      .Add(IsTested(facts, call) ? ")`, so that the test alone waits" : ")`: the result stays on the device");
}

// A value that was told, and where it and that of the finding that it is part of come from.
struct Told {
  ValueId value;
  std::vector<ValueId> numbers;     // what it is computed from in its pass
  std::vector<ValueId> beginnings;  // the same, of tests alone
  ir::LoopId loop;
  Span test;                        // the whole `if a or b:` that it is a part of
  analysis::Confidence confidence;  // a finding is as sure at each of its places
  ValueId own_root;
  ValueId root;
  Text fetch;  // how it is fetched once per pass; empty: nothing said that
};

// What an earlier part of the finding has said of fetching the number that is tested, or a part of it; empty: none did.
Text SaidBefore(const std::vector<Told>& told) {
  const Told& now = told.back();
  for (const Told& earlier : told) {
    if (earlier.root != now.root || earlier.fetch.empty()) continue;
    if (!match::HaveOneOrigin(earlier.numbers, now.numbers)) continue;
    const bool whole = std::ranges::includes(earlier.numbers, now.numbers);
    return whole ? earlier.fetch : Text("fetch likewise what else it is computed from");
  }
  return {};
}

// Of the values that a statement computes anew though it has them, of those that one pass computes from the same
// numbers, and of those that one test asks for: the root of the first, so that they are one finding.
ValueId RootOfFirst(const Facts& facts, Told now, std::vector<Told>& told) {
  const auto sure_of = [&](ValueId root) {
    analysis::Confidence sure = analysis::Confidence::kPossible;
    for (const Told& part : told) {
      if (part.root == root) sure = std::max(sure, part.confidence);
    }
    return sure;
  };
  // What is surer than the finding that this root has become part of stands by itself.
  const auto has_root = [&](const Told& other) {
    if (!now.own_root.valid() || other.own_root != now.own_root) return false;
    return other.root == now.own_root || sure_of(other.root) >= now.confidence;
  };
  const auto is_like = [&](const Told& other) {
    const bool one_test = !now.test.empty() && other.test == now.test && sure_of(other.root) == now.confidence;
    return one_test || match::SameExpression(facts, other.value, now.value) ||
           (other.loop == now.loop && match::HaveOneOrigin(other.beginnings, now.beginnings) &&
            sure_of(other.root) == now.confidence);
  };
  auto same = std::ranges::find_if(told, has_root);
  if (same == told.end()) same = std::ranges::find_if(told, is_like);
  now.root = same == told.end() ? now.own_root : same->root;
  told.push_back(std::move(now));
  return told.back().root;
}

// Fires when
//   1. the site is hot and runs more often than every tenth pass,
//   2. a value computed on the device is tested for truth.
void OnFunction(const Facts& facts, ir::FunctionId function, Trial& trial) {
  std::vector<Told> told;
  for (const HostRead& read : facts.HostReadsOf(function)) {
    trial.Considers(read.op);
    if (!trial.Holds(2, read.kind == HostRead::Kind::kTruth)) continue;
    const Heat& heat = facts.HeatOf(read.op);
    if (!trial.Holds(1, heat.hot && heat.period < kSeldom && !heat.dead)) continue;

    const ir::Program& program = facts.program();
    const bool call = program.ops[read.op].kind == OpKind::kCall;  // min(x, y), max(x, y)
    const Span primary = call ? program.ops[read.op].span : program.OperandSpan(read.op, read.operand);
    const ValueId tested = Tested(facts, read.value);
    if (facts.IsNoArrayAt(tested, read.op) || analysis::IsOfNumbersAlone(facts, tested)) continue;
    const std::vector<ValueId> numbers = match::BeginningsOf(facts, read.value);
    const Told now = {.value = tested,
                      .numbers = numbers,
                      .beginnings = call ? std::vector<ValueId>() : numbers,
                      .loop = program.LoopOf(read.op),
                      .test = call ? Span() : match::WholeTest(facts, read.op),
                      .confidence = analysis::ConfidenceOf(facts.Of(read.value).evidence | heat.evidence),
                      .own_root = facts.RootOf(tested),
                      .root = {},
                      .fetch = {}};
    Trial::Report report = trial.ReportOp(read.op);
    report.At(primary).Arg("passes", match::PassesText(facts, read.op)).Root(RootOfFirst(facts, now, told));
    report.Evidence(facts.Of(read.value).evidence).PrimaryLabel("Python waits here for the device");
    if (call) report.Message("`{expr}` compares device values in Python[[ {passes}]]");
    match::TellOrigin(facts, tested, primary, report);
    match::TellHotLoop(facts, read.op, primary, report);
    Text fetch = SaidBefore(told);
    report.Help(call ? HelpForExtremum(facts, read, told.back().numbers, fetch)
                     : Help(facts, read, tested, heat.loop, fetch));
    told.back().fetch = fetch;
  }
}

}  // namespace

extern constinit const Rule kRule;
constinit const Rule kRule = {
    .code = 105,
    .slug = "branch-on-array-in-loop",
    .family = Family::kBlocks,
    .severity = Severity::kError,
    .summary = "a loop branches on a value that the device computes",
    .message = "condition `{expr}` is computed on the device[[ and tested {passes}]]",
    .why =
        "a truth test fetches the value, so Python waits for all work behind it and the next pass is not queued "
        "meanwhile (26.07)",
    .details = R"md(
`if err < tol`, `while np.abs(r).max() > tol`, `assert np.allclose(a, b)`: the truth of a device value is known only when
the device has computed it. Python waits there, and while it waits it queues nothing: the overlap of one pass with the next
is lost, which costs more than the few bytes that travel.

**Fires when**

1. the site is hot and runs more often than every tenth pass
2. a value computed on the device is tested for truth: `if`, `while`, `assert`, a conditional expression, `and`/`or`/`not`, the filter of a comprehension, or Python's `min(x, y)` and `max(x, y)` of single device values

**Stays quiet**

- (a) `x is None`, `isinstance(x, ...)`, `x.ndim == 2`, `len(x) > 4`
- (b) conditions on host values, such as a Python bool that is refreshed every k passes
- (c) a cadence in front: `if it % 50 == 0 and err < tol`, which asks the cheap question first
- (d) `np.where(cond, ...)` and masks that stay arrays
- (e) a single test before or after the loop

The parts of one test, `if np.any(q < 0) or np.any(q > 1)`, are one finding. The migration guide says Doctor reports this; no
Doctor check does.
)md",
    .bad = R"py(import numpy as np


def solve(n, tol):
    x = np.ones(n)
    err = np.abs(x).max()
    while err > tol:
        y = 0.5 * (x + np.roll(x, 1))
        err = np.abs(y - x).max()
        x = y
    return x
)py",
    .good = R"py(import numpy as np


def solve(n, tol, every=25, most=100_000):
    x = np.ones(n)
    for it in range(1, most + 1):
        y = 0.5 * (x + np.roll(x, 1))
        if it % every == 0 and np.abs(y - x).max() <= tol:
            return y
        x = y
    return x
)py",
    .recipe = "RR-converge",
    .fix = FixClass::kUnsafe,
    .on_function = &OnFunction,
};

}  // namespace cpnlint::rules::r105
