// How often a site runs (rules.md A.6): through its loops, its guards and the calls that lead to its function.

#include <algorithm>
#include <array>
#include <unordered_set>

#include "analyzer/analysis/cadences.h"
#include "analyzer/analysis/call_path.h"
#include "analyzer/analysis/callee_names.h"
#include "analyzer/analysis/dtype_tests.h"
#include "analyzer/analysis/engine.h"
#include "analyzer/analysis/entries.h"
#include "analyzer/analysis/growing_extents.h"
#include "analyzer/analysis/item_doubt.h"
#include "analyzer/analysis/loop_flags.h"
#include "analyzer/analysis/machine_tests.h"
#include "analyzer/analysis/type_questions.h"
#include "analyzer/analysis/way_tests.h"
#include "analyzer/analysis/work.h"

namespace cpnlint::analysis {
namespace {

constexpr std::int64_t kHotItems = 64;  // an item loop is hot only from this many known trips on
constexpr double kFullPeriod = 10;      // `len(lines) >= limit`, an unknown number of passes (rules.md A.4)
constexpr double kOncePeriod = 1000;    // `i == c`: once in a loop of unknown length

bool IsHotKind(LoopKind kind) {
  switch (kind) {
    case LoopKind::kIter:
    case LoopKind::kRecurrence:
    case LoopKind::kElement:
    case LoopKind::kChunk:
    case LoopKind::kSweep:
    case LoopKind::kRow:
    case LoopKind::kConvergence:
    case LoopKind::kStep: return true;
    default: return false;
  }
}

bool SwallowsBody(const LoopFact& fact) {
  return fact.kind == LoopKind::kElement || fact.kind == LoopKind::kRecurrence ||
         (fact.kind == LoopKind::kIter && !fact.hands_out);
}

}  // namespace

// `steps - 1` and `len(times) - 1` of what was there before the loop.
static bool IsArithmeticOfOutside(const Facts& facts, ir::ValueId value, ir::LoopId loop) {
  constexpr std::size_t kMostSteps = 8;
  const ir::Program& program = facts.program();
  std::vector<ir::ValueId> pending = {value};
  for (std::size_t i = 0; i < pending.size(); ++i) {
    if (i == kMostSteps || !pending[i].valid()) return false;
    const ir::ValueId source = facts.Source(pending[i]);
    if (!facts.InLoop(source, loop) || facts.IntOf(source)) continue;
    const ir::Op& op = program.ops[source];
    const bool length = op.kind == ir::OpKind::kCall && op.operand_count == 2 &&
                        facts.CalleeOf(source).kind == Callee::Kind::kBuiltin && facts.CalleeOf(source).name == "len";
    if (length) {
      if (facts.InLoop(facts.Source(program.Operand(source, 1)), loop)) return false;
      continue;
    }
    if (op.kind != ir::OpKind::kBinary) return false;
    for (const ir::ValueId operand : program.Operands(op)) pending.push_back(operand);
  }
  return true;
}

namespace {

// The number of the pass, or what stands a constant above it: `i`, `count + 1` of a counter that each pass moves.
bool CountsPasses(const Facts& facts, ir::ValueId value, ir::LoopId loop) {
  const ir::Program& program = facts.program();
  if (value.valid() && facts.InLoop(value, loop)) {
    const ir::Op& op = program.ops[value];
    const bool moved = (op.kind == ir::OpKind::kBinary || op.kind == ir::OpKind::kInplaceBinary) &&
                       static_cast<ir::BinaryOp>(op.detail) == ir::BinaryOp::kAdd &&
                       facts.IntOf(program.Operand(value, 1));
    if (moved) value = program.Operand(value, 0);
  }
  return value.valid() && facts.IsBareInduction(value, loop);
}

}  // namespace

double Facts::GuardPeriod(ir::GuardId guard_id) const {
  const ir::Guard& guard = program_.guards[guard_id];
  if (guard.kind != ir::Guard::Kind::kTest || !guard.truth.valid()) return 1;
  if (const ir::ValueId every = EveryAsked(*this, guard); every.valid()) return PeriodOf(*this, every);
  ir::ValueId test =
      program_.ops[guard.truth].kind == ir::OpKind::kTruth ? program_.Operand(guard.truth, 0) : guard.truth;
  bool holds = guard.holds;
  for (int steps = 0; steps < 8 && test.valid(); ++steps) {
    const ir::Op& op = program_.ops[test];
    if (op.kind == ir::OpKind::kNot) {
      holds = !holds;
      test = program_.Operand(test, 0);
      if (test.valid() && program_.ops[test].kind == ir::OpKind::kTruth) test = program_.Operand(test, 0);
      continue;
    }
    if (op.kind != ir::OpKind::kCompare) return 1;
    const auto compare = static_cast<ir::CompareOp>(op.detail);
    const bool equal = compare == ir::CompareOp::kEq ? holds : compare == ir::CompareOp::kNe ? !holds : false;
    if (!equal) return HoldsWhereFull(*this, guard_id) ? kFullPeriod : 1;
    const ir::ValueId left = program_.Operand(test, 0), right = program_.Operand(test, 1);
    // `i == c` of the loop's own counter: once in all its trips.
    if (!guard.loop.valid()) return 1;
    const auto stays = [&](ir::ValueId value) {
      return !InLoop(value, guard.loop) || IntOf(value) || IsArithmeticOfOutside(*this, value, guard.loop);
    };
    const bool counter = (CountsPasses(*this, left, guard.loop) && stays(right)) ||
                         (CountsPasses(*this, right, guard.loop) && stays(left));
    if (!counter) return 1;
    const std::optional<std::int64_t> trips = impl_->store.dims().AsConst(TripsOf(guard.loop).count);
    return trips ? std::max<double>(1, static_cast<double>(*trips)) : kOncePeriod;
  }
  return 1;
}

namespace {

// `total += x` where only later statements of the function bind `total`: Python raises. Asked for block after block.
bool UsesUnbound(const Facts& facts, ir::BlockId block) {
  struct Known {
    std::uint64_t facts = 0;  // serial
    std::unordered_set<ir::BlockId> blocks;
  };
  thread_local Known known;
  if (known.facts != facts.serial()) {
    known = {facts.serial(), {}};
    const ir::Program& program = facts.program();
    for (std::size_t i = 0; i < program.ops.size(); ++i) {
      if (program.ops[ir::ValueId(i)].kind != ir::OpKind::kUnbound) continue;
      for (const ir::ValueId use : facts.UsesOf(ir::ValueId(i))) {
        const ir::OpKind kind = program.ops[use].kind;
        if (kind != ir::OpKind::kPhi && kind != ir::OpKind::kStoreCell) known.blocks.insert(program.ops[use].block);
      }
    }
  }
  return known.blocks.contains(block);
}

// Only reached to raise: whichever way goes on from the block ends in a raise, be it through the loop of
// `[x for x in found if x < 0]`.
bool EndsInRaise(const Facts& facts, ir::BlockId block_id) {
  const ir::Program& program = facts.program();
  constexpr std::size_t kMostBlocks = 12;
  std::array<ir::BlockId, kMostBlocks> work = {block_id};  // asked of every block, so it costs no memory of its own
  std::size_t count = 1;
  bool raises = false;
  for (std::size_t i = 0; i < count; ++i) {
    const ir::Block& block = program.blocks[work[i]];
    if (block.ops.empty()) return false;
    if (program.ops[block.ops.back()].kind == ir::OpKind::kRaise) {
      raises = true;
      continue;
    }
    if (block.succs.empty()) return false;
    for (const ir::BlockId next : block.succs) {
      if (!next.valid()) return false;
      const auto end = work.begin() + static_cast<std::ptrdiff_t>(count);
      if (std::find(work.begin(), end, next) != end) continue;
      if (count == kMostBlocks) return false;
      work[count++] = next;
    }
  }
  return raises;
}

// What stands behind a test to prepare an error, and raises it under a last test: `if not known: missing = wanted -
// have` and in it `if np.any(u > 0): raise ValueError(missing)`. Where nothing goes wrong nobody comes here.
bool PreparesRaise(const Facts& facts, ir::BlockId block_id) {
  const ir::Program& program = facts.program();
  const ir::Block& block = program.blocks[block_id];
  if (!block.guard.valid() || program.guards[block.guard].kind != ir::Guard::Kind::kTest || block.succs.size() != 2 ||
      block.ops.empty())
    return false;
  const bool first = EndsInRaise(facts, block.succs[0]);
  if (first == EndsInRaise(facts, block.succs[1])) return false;
  // The other way leaves at once what the test lets in.
  ir::BlockId left = block.succs[first ? 1 : 0];
  constexpr int kMostJumps = 4;
  for (int jumps = 0; jumps < kMostJumps && program.blocks[left].ops.size() == 1 &&
                      program.blocks[left].succs.size() == 1 && program.blocks[left].guard != block.guard;
       ++jumps)
    left = program.blocks[left].succs[0];
  if (program.blocks[left].guard != program.guards[block.guard].parent) return false;
  bool prepares = false;
  for (const ir::ValueId id : block.ops) {
    const ir::Op& op = program.ops[id];
    switch (op.kind) {
      case ir::OpKind::kStoreAttr:
      case ir::OpKind::kStoreCell:
      case ir::OpKind::kStoreSubscript:
      case ir::OpKind::kInplaceBinary: return false;
      default: break;
    }
    const std::span<const ir::ValueId> uses = facts.UsesOf(id);
    if (op.kind == ir::OpKind::kCall && uses.empty()) return false;  // what it does counts
    bool all_to_raise = !uses.empty();
    for (const ir::ValueId use : uses) {
      const ir::BlockId at = program.ops[use].block;
      const bool to_raise = at != block_id && EndsInRaise(facts, at);
      if (!to_raise && at != block_id) return false;
      all_to_raise = all_to_raise && to_raise;
    }
    prepares = prepares || (op.kind == ir::OpKind::kCall && all_to_raise);
  }
  return prepares;
}

// `done = True` and then `if done: break`: the test always leads elsewhere.
bool NeverGoesTo(const Facts& facts, ir::BlockId from, ir::BlockId to) {
  const ir::Program& program = facts.program();
  const ir::Block& block = program.blocks[from];
  if (block.ops.empty() || block.succs.size() != 2 || block.succs[0] == block.succs[1]) return false;
  if (program.ops[block.ops.back()].kind != ir::OpKind::kBranch) return false;
  const ir::ValueId tested = facts.Source(program.Operand(block.ops.back(), 0));
  // A parameter may be handed over in another way by calls that nobody knows.
  if (!tested.valid() || program.ops[tested].kind != ir::OpKind::kBool) return false;
  return block.succs[*facts.BoolOf(tested) ? 0 : 1] != to;
}

// Whether another trip of the loop can follow the block; what leads to a return, break or raise runs at most once.
bool Repeats(const Facts& facts, Facts::Impl& impl, ir::BlockId block, ir::LoopId loop) {
  const auto [entry, is_new] = impl.repeating.try_emplace(loop);
  std::unordered_set<ir::BlockId>& blocks = entry->second;
  if (is_new) {
    const ir::Program& program = facts.program();
    std::vector<ir::BlockId> work = {program.loops[loop].header};
    blocks.insert(work.front());
    while (!work.empty()) {
      const ir::BlockId now = work.back();
      work.pop_back();
      for (const ir::BlockId pred : program.blocks[now].preds) {
        const ir::LoopId in = program.blocks[pred].loop;
        if (NeverGoesTo(facts, pred, now)) continue;
        if (in.valid() && facts.LoopContains(loop, in) && blocks.insert(pred).second) work.push_back(pred);
      }
    }
  }
  return blocks.contains(block) && ComesAround(facts, block, loop);
}

// The test is known to come out the other way.
bool NeverComesOut(const Facts& facts, const ir::Guard& guard) {
  const ir::ValueId tested = facts.program().Operand(guard.truth, 0);
  if (facts.ApiName(tested) == "typing.TYPE_CHECKING") return guard.holds;
  std::optional<bool> value = facts.BoolOf(tested);
  if (tested.valid() && facts.program().ops[tested].kind == ir::OpKind::kInt) value = facts.IntOf(tested) != 0;
  if (value) return *value != guard.holds;
  const Test test = TestOf(facts.program(), guard);
  if (!test.id.valid()) return false;
  value = ComesOutOnDevice(facts, test.id);
  if (!value) value = ComesOutOnMachine(facts, test.id);
  if (value) return *value != test.holds;
  return test.holds && FindsOtherInArray(facts, test.id);
}

// `if old or np.__version__ < "2":` where neither of the tests lets anything through.
bool NoneComesOut(const Facts& facts, const ir::Guard& guard) {
  constexpr std::size_t kMostTests = 8;
  const ir::Program& program = facts.program();
  const auto& nexts = program.blocks[program.ops[guard.truth].block].succs;
  if (nexts.size() != 2) return false;
  const ir::BlockId here = nexts[guard.holds ? 0 : 1];
  const auto& before = program.blocks[here].preds;
  return before.size() <= kMostTests && std::ranges::all_of(before, [&](ir::BlockId from) {
           const ir::Block& block = program.blocks[from];
           if (block.ops.empty() || program.ops[block.ops.back()].kind != ir::OpKind::kBranch) return false;
           ir::Guard one;
           one.truth = program.Operand(block.ops.back(), 0);
           one.holds = block.succs[0] == here;
           const bool tests = one.truth.valid() && program.ops[one.truth].kind == ir::OpKind::kTruth;
           return tests && block.succs[0] != block.succs[1] && NeverComesOut(facts, one);
         });
}

bool IsDeadGuard(const Facts& facts, const ir::Guard& guard) {
  if (guard.kind == ir::Guard::Kind::kExcept) return true;
  if (!guard.truth.valid()) return false;
  if (guard.kind == ir::Guard::Kind::kCompound) return NoneComesOut(facts, guard);
  return guard.kind == ir::Guard::Kind::kTest && NeverComesOut(facts, guard);
}

// Not the items of a list, which may come in any order.
bool CountsUpwards(const Facts& facts, ir::ValueId value, ir::LoopId loop) {
  const ir::Program& program = facts.program();
  if (!CountsPasses(facts, value, loop)) return false;
  const ir::Loop& header = program.loops[loop];
  if (facts.Source(value) != header.item) return true;
  return facts.Of(header.iterable).kind == Kind::kRange;
}

// `if i < 3:`, `if lags > i:`, `if i - lags < 0:` in a loop that `i` counts: on how many passes it holds, where these
// are few.
std::optional<std::int64_t> FewFirstPasses(const Facts& facts, Facts::Impl& impl, ir::ValueId test, bool holds,
                                           ir::LoopId loop) {
  const ir::Program& program = facts.program();
  auto compare = static_cast<ir::CompareOp>(program.ops[test].detail);
  ir::ValueId left = program.Operand(test, 0), right = program.Operand(test, 1);
  if (compare == ir::CompareOp::kGt || compare == ir::CompareOp::kGe) {  // the other way round
    std::swap(left, right);
    compare = compare == ir::CompareOp::kGt ? ir::CompareOp::kLt : ir::CompareOp::kLe;
  }
  if (compare != ir::CompareOp::kLt && compare != ir::CompareOp::kLe) return std::nullopt;
  if (!holds) {  // not i >= 3
    std::swap(left, right);
    compare = compare == ir::CompareOp::kLt ? ir::CompareOp::kLe : ir::CompareOp::kLt;
  }
  std::int64_t more = compare == ir::CompareOp::kLe ? 1 : 0;
  const ir::ValueId difference = facts.Source(left);
  if (difference.valid() && program.ops[difference].kind == ir::OpKind::kBinary &&
      static_cast<ir::BinaryOp>(program.ops[difference].detail) == ir::BinaryOp::kSub) {
    const std::optional<std::int64_t> limit = facts.IntOf(right);
    if (!limit || *limit < 0 || *limit >= kHotTrips) return std::nullopt;
    more += *limit;
    left = program.Operand(difference, 0);
    right = program.Operand(difference, 1);
  }
  if (!CountsUpwards(facts, left, loop)) return std::nullopt;
  std::optional<std::int64_t> few = facts.IntOf(right);
  if (!few && !facts.DependsOnInduction(right, loop)) few = LargestConstant(facts, impl, right, Trust::kUsage);
  if (!few || *few < 0 || *few + more >= kHotTrips) return std::nullopt;
  return *few + more;
}

// What the counter of a loop is on its first pass: of `range(n)`, `range(1, n)`, `enumerate(xs)`.
std::optional<std::int64_t> FirstCount(const Facts& facts, ir::ValueId counter, ir::LoopId loop) {
  const ir::Program& program = facts.program();
  const ir::Loop& header = program.loops[loop];
  const ir::ValueId count = counter.valid() ? facts.Source(counter) : counter;
  const ir::ValueId made = header.iterable.valid() ? facts.Source(header.iterable) : header.iterable;
  if (!count.valid() || !made.valid() || program.ops[made].kind != ir::OpKind::kCall) return std::nullopt;
  const Callee& callee = facts.CalleeOf(made);
  if (callee.kind != Callee::Kind::kBuiltin || !program.Shape(program.ops[made]).keywords.empty()) return std::nullopt;
  const std::size_t given = facts.PositionalCount(made);
  if (callee.name == "range") {
    if (count != header.item || given > 2) return std::nullopt;
    return given == 1 ? std::optional<std::int64_t>(0) : facts.IntOf(program.Operand(made, 1));
  }
  const bool first_of_two = program.ops[count].kind == ir::OpKind::kUnpackItem &&
                            program.Operand(count, 0) == header.item && facts.IsBareInduction(count, loop);
  if (callee.name != "enumerate" || given != 1 || !first_of_two) return std::nullopt;
  return 0;
}

// `if i >= n - 2:`, `if i + 1 < n: ... else:` in a loop that `i` counts up to `n`: on how many passes at its end it
// holds, where these are few.
std::optional<std::int64_t> FewLastPasses(const Facts& facts, Facts::Impl& impl, ir::ValueId test, bool holds,
                                          ir::LoopId loop) {
  const ir::Program& program = facts.program();
  auto compare = static_cast<ir::CompareOp>(program.ops[test].detail);
  ir::ValueId left = program.Operand(test, 0), right = program.Operand(test, 1);
  if (compare == ir::CompareOp::kLt || compare == ir::CompareOp::kLe) {  // the other way round
    std::swap(left, right);
    compare = compare == ir::CompareOp::kLt ? ir::CompareOp::kGt : ir::CompareOp::kGe;
  }
  if (compare != ir::CompareOp::kGt && compare != ir::CompareOp::kGe) return std::nullopt;
  if (!holds) {  // not n > i
    std::swap(left, right);
    compare = compare == ir::CompareOp::kGt ? ir::CompareOp::kGe : ir::CompareOp::kGt;
  }
  std::int64_t more = compare == ir::CompareOp::kGe ? 0 : -1;
  if (left.valid() && facts.InLoop(left, loop) && program.ops[left].kind == ir::OpKind::kBinary &&
      static_cast<ir::BinaryOp>(program.ops[left].detail) == ir::BinaryOp::kAdd) {
    const std::optional<std::int64_t> ahead = facts.IntOf(program.Operand(left, 1));
    if (!ahead) return std::nullopt;
    more += *ahead;
    left = program.Operand(left, 0);
  }
  const std::optional<std::int64_t> first = FirstCount(facts, left, loop);
  if (!first || facts.DependsOnInduction(right, loop)) return std::nullopt;
  const ir::DimId trips = facts.TripsOf(loop).count, bound = facts.Of(right).dim;
  if (!trips.valid() || !bound.valid()) return std::nullopt;
  const std::optional<std::int64_t> rest = impl.store.dims().Difference(trips, bound);
  if (!rest) return std::nullopt;
  const std::int64_t passes = *rest + *first + more;
  return passes >= 1 && passes < kHotTrips ? std::optional(passes) : std::nullopt;
}

// How seldom the first few passes are among all, or the last few.
double PeriodOfEnds(const Facts& facts, Facts::Impl& impl, const ir::Guard& guard) {
  const ir::Program& program = facts.program();
  if (guard.kind != ir::Guard::Kind::kTest || !guard.truth.valid() || !guard.loop.valid()) return 1;
  const Test test = TestOf(program, guard);
  if (!test.id.valid() || program.ops[test.id].kind != ir::OpKind::kCompare) return 1;
  std::optional<std::int64_t> few = FewFirstPasses(facts, impl, test.id, test.holds, guard.loop);
  if (!few) few = FewLastPasses(facts, impl, test.id, test.holds, guard.loop);
  if (!few) return 1;
  const std::optional<std::int64_t> trips = impl.store.dims().AsConst(facts.TripsOf(guard.loop).count);
  const double all = trips ? static_cast<double>(*trips) : kOncePeriod;
  return std::max(1.0, all / static_cast<double>(std::max<std::int64_t>(1, *few)));
}

// Some attribute or text of the program goes by the name: `pool.map(utils._spread, parts)`.
bool IsNamedElsewhere(const Facts::Impl& impl, Symbol name) {
  const ir::Program& program = impl.program;
  return std::ranges::any_of(program.ops, [&](const ir::Op& op) {
    if (op.kind == ir::OpKind::kAttr) return program.SymbolOf(op) == name;
    return op.kind == ir::OpKind::kStr && program.String(op) == impl.names.Text(name);
  });
}

// `if noise is None:` in a private function all of whose calls are known, and write None for it or leave it out.
bool AsksForNothing(const Facts& facts, const Facts::Impl& impl, const ir::Guard& guard) {
  if (guard.kind != ir::Guard::Kind::kTest || !guard.truth.valid()) return false;
  const ir::Program& program = facts.program();
  const Test test = TestOf(program, guard);
  if (!test.id.valid() || program.ops[test.id].kind != ir::OpKind::kCompare) return false;
  const auto compare = static_cast<ir::CompareOp>(program.ops[test.id].detail);
  if (compare != (test.holds ? ir::CompareOp::kIsNot : ir::CompareOp::kIs)) return false;
  const ir::ValueId param = facts.Source(program.Operand(test.id, 0)), none = program.Operand(test.id, 1);
  if (!param.valid() || program.ops[param].kind != ir::OpKind::kParam || !facts.IsNoneConstant(none)) return false;
  const ir::FunctionId function = program.FunctionOf(param);
  if (!impl.functions[function].closed || program.functions[function].owner.valid()) return false;
  const auto sites = facts.CallSitesOf(function);
  const bool nothing = !sites.empty() && std::ranges::all_of(sites, [&](ir::ValueId site) {
    const Handed handed = HandedOver(facts, site, function, program.ops[param].detail);
    return handed.known && handed.value.valid() && program.ops[handed.value].kind == ir::OpKind::kNone;
  });
  return nothing && !IsNamedElsewhere(impl, program.functions[function].name);
}

// From the outermost one inwards, so that each is looked at once: a chain may have thousands of tests.
const GuardFact& GuardFactOf(const Facts& facts, Facts::Impl& impl, ir::GuardId guard) {
  const ir::Program& program = facts.program();
  if (impl.guards.empty()) impl.guards.resize(program.guards.size());
  std::vector<ir::GuardId> chain;
  for (ir::GuardId at = guard; at.valid() && !impl.guards[at.index()].known; at = program.guards[at].parent) {
    chain.push_back(at);
  }
  for (auto at = chain.rbegin(); at != chain.rend(); ++at) {
    const ir::Guard& record = program.guards[*at];
    GuardFact fact;
    fact.known = true;
    fact.dead = IsDeadGuard(facts, record) || AsksForNothing(facts, impl, record);
    fact.outside = record.parent;
    GuardFact around;  // of those in the same loop
    if (record.parent.valid()) {
      fact.dead = fact.dead || impl.guards[record.parent.index()].dead;
      if (program.guards[record.parent].loop == record.loop) {
        around = impl.guards[record.parent.index()];
        fact.outside = around.outside;
      }
    }
    fact.period = facts.GuardPeriod(*at) * around.period;
    fact.evidence = around.evidence;
    impl.guards[at->index()] = fact;  // for who asks it on the way
    const Facts::Cadence cadence = facts.CadenceOf(*at);
    fact.period = std::max(cadence.period, PeriodOfEnds(facts, impl, record)) * around.period;
    fact.evidence |= cadence.evidence;
    impl.guards[at->index()] = fact;
  }
  return impl.guards[guard.index()];
}

// A short loop that runs every k passes of a loop around it: `if it % 100 == 0: for k in range(8):`. Of the tests from
// `guard` to before `end`.
double PeriodOfShortLoop(const Facts& facts, ir::LoopId loop, ir::GuardId guard, ir::GuardId end) {
  constexpr int kMostTests = 256;
  const std::optional<std::int64_t> trips = facts.MostTrips(loop);
  if (!trips || *trips <= 0) return 1;
  double period = 1;
  for (int tests = 0; guard != end && tests < kMostTests; guard = facts.program().guards[guard].parent, ++tests) {
    period *= std::max(1.0, facts.GuardPeriod(guard) / static_cast<double>(*trips));
  }
  return period;
}

bool IsHotLoop(const Facts& facts, ir::LoopId loop, EvidenceSet& evidence) {
  const LoopFact& fact = facts.LoopFactOf(loop);
  if (fact.kind == LoopKind::kItem) return facts.TripsKnownAtLeast(loop, kHotItems);
  if (!IsHotKind(fact.kind)) return false;
  if (facts.TripsKnownBelow(loop, kHotTrips)) return false;
  evidence |= fact.evidence;
  return true;
}

// `for kind in np.unique(kinds)` where those may be texts: a walk over the names of a few groups.
bool WalksGroups(const Facts& facts, ir::LoopId loop) {
  const ir::ValueId iterable = facts.program().loops[loop].iterable;
  if (!iterable.valid() || !facts.IsDevice(iterable)) return false;
  const ir::ValueId made = facts.Source(iterable);
  const bool unique = made.valid() && facts.program().ops[made].kind == ir::OpKind::kCall &&
                      facts.CalleeOf(made).name == "numpy.unique";
  return unique && MayHoldText(facts, iterable);
}

}  // namespace

Heat Facts::LocalHeat(ir::BlockId block_id) const {
  Heat heat;
  ir::DimStore& dims = impl_->store.dims();
  const ir::Block& block = program_.blocks[block_id];
  heat.dead = EndsInRaise(*this, block_id) || UsesUnbound(*this, block_id) || PreparesRaise(*this, block_id);
  heat.trips = dims.Const(1);
  bool only_few = false;
  for (ir::LoopId loop = block.loop; loop.valid(); loop = program_.loops[loop].parent) {
    if (!Repeats(*this, *impl_, block_id, loop)) continue;  // on the way out: once, not once per trip
    const LoopFact& fact = LoopFactOf(loop);
    heat.trips = dims.Mul(heat.trips, fact.trips);
    heat.passes *= std::max(1.0, PassesOf(*this, loop));
    if (SwallowsBody(fact) && !heat.in_element_loop && !TripsKnownBelow(loop, kHotTrips)) {
      heat.in_element_loop = true;
      heat.element_loop = loop;
    }
    EvidenceSet evidence = 0;
    if (!IsHotLoop(*this, loop, evidence)) continue;
    const bool few = MakesFewPasses(*this, *impl_, loop) || WalksGroups(*this, loop);
    if (few) evidence |= kContradicted;
    if (!heat.hot || (only_few && !few)) {  // what stands around loops of few passes is as hot as without them
      only_few = few;
      heat.hot = true;
      heat.loop = loop;
      heat.evidence = evidence;
    }
    heat.region = loop;
  }
  for (ir::GuardId guard = block.guard; guard.valid();) {
    const GuardFact& fact = GuardFactOf(*this, *impl_, guard);
    const ir::LoopId loop = program_.guards[guard].loop;
    heat.dead = heat.dead || fact.dead;
    // A cadence counts where it stands inside the hot loop.
    if (heat.hot && loop.valid() && LoopContains(heat.loop, loop)) {
      heat.period *= fact.period;
      heat.evidence |= fact.evidence;
    } else if (heat.hot && loop.valid() && LoopContains(heat.region, loop)) {
      heat.period *= PeriodOfShortLoop(*this, heat.loop, guard, fact.outside);
    }
    if (!heat.hot && !loop.valid()) heat.period *= fact.period;
    guard = fact.outside;
  }
  return heat;
}

// --- reachability (rules.md A.8) ---

namespace {

// Behind a test that never comes out so: `if sys.implementation.name == "pypy":`.
bool StandsWhereNothingRuns(const Facts& facts, ir::ValueId op) {
  const ir::Program& program = facts.program();
  return AnyTestAround(program, program.ops[op].block, [&](const Test&, ir::GuardId guard) {
    return program.ops[program.guards[guard].truth].kind == ir::OpKind::kTruth &&
           NeverComesOut(facts, program.guards[guard]);
  });
}

// How the function that a def makes is used, if it is.
enum class Reads : std::uint8_t { kNone, kWhereNothingRuns, kSome };

Reads ReadsOf(const Facts& facts, const ir::Function& function) {
  const ir::Program& program = facts.program();
  Reads reads = Reads::kNone;
  for (const ir::ValueId use : facts.UsesOf(function.made_by)) {
    if (StandsWhereNothingRuns(facts, use)) {
      reads = Reads::kWhereNothingRuns;
      continue;
    }
    const ir::Op& op = program.ops[use];
    if (op.kind != ir::OpKind::kStoreCell) return Reads::kSome;
    for (const ir::ValueId load : program.cells[ir::CellId(op.payload)].loads) {
      if (!StandsWhereNothingRuns(facts, load)) return Reads::kSome;
      reads = Reads::kWhereNothingRuns;
    }
  }
  return reads;
}

// Names that something other than a variable of theirs may lead to: attributes, imported names, texts.
std::unordered_set<std::string_view> MentionedNames(const Facts::Impl& impl) {
  const ir::Program& program = impl.program;
  std::unordered_set<std::string_view> names;
  for (const ir::Op& op : program.ops) {
    if (op.kind == ir::OpKind::kAttr) names.insert(program.Name(op));
    if (op.kind == ir::OpKind::kStr) names.insert(program.String(op));
    if (op.kind != ir::OpKind::kImport) continue;
    const Symbol name = program.imports[op.payload].name;
    if (name.valid()) names.insert(impl.names.Text(name));
  }
  return names;
}

// Functions that nothing calls or takes as a value: a def inside of a function, a private one of a module, and one that
// is named where nothing runs alone.
class NeverUsed {
 public:
  NeverUsed(const Facts& facts, const Facts::Impl& impl) : facts_(facts), impl_(impl) {}

  [[nodiscard]] bool Holds(const ir::Function& function) {
    if (function.kind != ir::Function::Kind::kDef || !function.parent.valid() || !function.made_by.valid())
      return false;
    const Reads reads = function.decorators.empty() ? ReadsOf(facts_, function) : Reads::kSome;
    if (reads == Reads::kSome) return false;
    const ir::Function::Kind parent = impl_.program.functions[function.parent].kind;
    if (parent == ir::Function::Kind::kDef) return true;
    const std::string_view name = impl_.names.Text(function.name);
    const bool own = IsPrivateName(name) || reads == Reads::kWhereNothingRuns;
    if (parent != ir::Function::Kind::kModule || !own) return false;
    if (!mentioned_) mentioned_ = MentionedNames(impl_);
    return !mentioned_->contains(name);
  }

 private:
  const Facts& facts_;
  const Facts::Impl& impl_;
  std::optional<std::unordered_set<std::string_view>> mentioned_;
};

// The functions that the function's calls lead to, itself only where it is called again.
class CallGraph {
 public:
  CallGraph(const Facts& facts, Facts::Impl& impl)
      : facts_(facts), impl_(impl), called_from_(impl.program.functions.size()) {
    for (std::size_t i = 0; i < impl.program.functions.size(); ++i) {
      for (const ir::ValueId site : impl.functions[ir::FunctionId(i)].call_sites) {
        std::vector<ir::FunctionId>& called = called_from_[impl.program.FunctionOf(site)];
        if (called.empty() || called.back() != ir::FunctionId(i)) called.emplace_back(i);
      }
    }
  }

  void Reach(ir::FunctionId function) {
    if (!impl_.reachable[function.index()]) work_.push_back(function);
    while (!work_.empty()) {
      const ir::FunctionId from = work_.back();
      work_.pop_back();
      if (impl_.reachable[from.index()]) continue;
      impl_.reachable[from.index()] = true;
      EachCallee(from, [this](ir::FunctionId to) { work_.push_back(to); });
    }
  }

  [[nodiscard]] bool CallsItself(ir::FunctionId function) const {
    std::unordered_set<ir::FunctionId> seen;
    std::vector<ir::FunctionId> work = {function};
    while (!work.empty()) {
      const ir::FunctionId from = work.back();
      work.pop_back();
      EachCallee(from, [&](ir::FunctionId to) {
        if (seen.insert(to).second) work.push_back(to);
      });
    }
    return seen.contains(function);
  }

 private:
  template <class Use>
  void EachCallee(ir::FunctionId from, const Use& use) const {
    for (const ir::ValueId call : impl_.program.functions[from].calls) {
      const Callee& callee = facts_.CalleeOf(call);
      if (callee.kind == Callee::Kind::kLocal) use(callee.function);
      if (callee.kind != Callee::Kind::kClass) continue;
      const ir::FunctionId init = FindMethod(impl_, callee.class_id, impl_.names.Intern("__init__"));
      if (init.valid()) use(init);
    }
    // Methods that override the one called, one of several functions, properties.
    for (const ir::FunctionId called : called_from_[from]) use(called);
  }

  const Facts& facts_;
  Facts::Impl& impl_;
  IdVector<ir::FunctionId, std::vector<ir::FunctionId>> called_from_;
  std::vector<ir::FunctionId> work_;
};

}  // namespace

// Entry points are module bodies and every function that no analysed code calls; the rest follows the call graph. Of
// functions that only call each other the first one is an entry point, too.
bool Facts::IsReachable(ir::FunctionId function) const {
  if (!impl_->reachability_known) {
    impl_->reachability_known = true;
    if (ReachFromDeclared(*this, *impl_)) return impl_->reachable[function.index()];
    impl_->reachable.assign(program_.functions.size(), false);
    CallGraph graph(*this, *impl_);
    NeverUsed never_used(*this, *impl_);
    std::vector<bool> never(program_.functions.size());  // ... and what they define
    for (std::size_t i = 0; i < program_.functions.size(); ++i) {
      const ir::FunctionId id(i);
      const ir::Function& candidate = program_.functions[id];
      const bool body =
          candidate.kind == ir::Function::Kind::kModule || candidate.kind == ir::Function::Kind::kClassBody;
      never[i] = (candidate.parent.valid() && never[candidate.parent.index()]) ||
                 (!body && impl_->functions[id].call_sites.empty() && never_used.Holds(candidate));
      if (!never[i] && (body || impl_->functions[id].call_sites.empty())) graph.Reach(id);
    }
    for (std::size_t i = 0; i < program_.functions.size(); ++i) {
      const ir::FunctionId id(i);
      if (!impl_->reachable[i] && graph.CallsItself(id)) graph.Reach(id);
    }
  }
  return impl_->reachable[function.index()];
}

}  // namespace cpnlint::analysis
