#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "analyzer/analysis/axis_use.h"
#include "analyzer/analysis/item_doubt.h"
#include "analyzer/analysis/progress_bars.h"
#include "analyzer/analysis/read_items.h"
#include "rules/engine/rule.h"
#include "rules/match/carried.h"
#include "rules/match/device_call.h"
#include "rules/match/hashed.h"
#include "rules/match/running_sum.h"
#include "rules/match/story.h"
#include "rules/match/walked_items.h"

namespace cpnlint::rules::r103 {
namespace {

using analysis::Callee;
using ir::OpKind;
using ir::ValueId;

constexpr std::int64_t kSmallAxis = 16;  // items that are few enough to walk

bool IsWalked(const Facts& facts, ValueId value) { return facts.IsDevice(value) && !facts.IsZeroD(value); }

// Known to have few items along its first axis, at the op that walks it: components, corners, axes.
bool HasFewItems(const Facts& facts, ValueId array, ValueId op) {
  const auto items = analysis::MostItemsAt(facts, array, facts.program().ops[op].block);
  return items && *items <= kSmallAxis;
}

bool IsBuiltinCall(const Facts& facts, ValueId call, std::initializer_list<std::string_view> names) {
  if (!call.valid() || facts.program().ops[call].kind != OpKind::kCall) return false;
  const Callee& callee = facts.CalleeOf(call);
  if (callee.kind != Callee::Kind::kBuiltin) return false;
  for (const std::string_view name : names) {
    if (callee.name == name) return true;
  }
  return false;
}

// `tqdm(x)`: each item of `x`.
bool IsProgressBar(const Facts& facts, ValueId call) {
  return call.valid() && facts.program().ops[call].kind == OpKind::kCall &&
         analysis::IsProgressBar(facts.CalleeOf(call).name);
}

// The call gives the items of its one argument, counted, turned round or as they are.
bool PassesOn(const Facts& facts, ValueId call) {
  return IsBuiltinCall(facts, call, {"enumerate", "reversed", "iter"}) || IsProgressBar(facts, call);
}

// The call walks what it is given.
bool Walks(const Facts& facts, ValueId call) {
  return IsBuiltinCall(facts, call, {"zip", "enumerate", "reversed", "map", "iter", "filter"}) ||
         IsProgressBar(facts, call);
}

struct Walked {
  ValueId array;
  Span span;
};

// The first array among the positional arguments that has more than a few items, and rather one that holds numbers for
// sure.
std::optional<Walked> FirstArgument(const Facts& facts, ValueId call, bool& few) {
  std::optional<Walked> first;
  for (std::uint32_t i = 1; i <= facts.PositionalCount(call); ++i) {
    const ValueId argument = facts.program().Operand(call, i);
    if (!IsWalked(facts, argument)) continue;
    if (HasFewItems(facts, argument, call)) {
      few = true;
      continue;
    }
    const Walked walked{argument, facts.program().OperandSpan(call, i)};
    if (!first) {
      first = walked;
      continue;
    }
    if (!analysis::MayHoldText(facts, first->array)) break;
    if (!analysis::MayHoldText(facts, argument)) return walked;
  }
  return first;
}

// A tuple or list of few items: `zip("xyz", position)`, `zip(shift, image.shape)`.
bool IsShortSequence(const Facts& facts, ValueId value) {
  const ir::Program& program = facts.program();
  const ValueId source = facts.Source(value);
  if (!source.valid()) return false;
  const ir::Op& op = program.ops[source];
  if (op.kind == OpKind::kAttr && program.Name(op) == "shape") return true;
  const analysis::Value& known = facts.Of(value);
  if (const auto text = facts.TextOf(value)) return text->size() <= kSmallAxis;
  if (known.kind != analysis::Kind::kTuple && known.kind != analysis::Kind::kList) return false;
  const auto length = facts.store().dims().AsConst(known.dim);
  return length && *length <= kSmallAxis;
}

// zip ends with the shortest of its arguments.
bool ZipsWithFew(const Facts& facts, ValueId call) {
  if (!IsBuiltinCall(facts, call, {"zip"})) return false;
  for (std::uint32_t i = 1; i <= facts.PositionalCount(call); ++i) {
    const ValueId argument = facts.program().Operand(call, i);
    if (IsWalked(facts, argument) ? HasFewItems(facts, argument, call) : IsShortSequence(facts, argument)) return true;
  }
  return false;
}

// The call that takes the items: `zip(u, v)` of `enumerate(zip(u, v))`.
ValueId InnermostWalk(const Facts& facts, ValueId call) {
  for (int nested = 0; nested < 4; ++nested) {
    if (!PassesOn(facts, call) || facts.PositionalCount(call) == 0) break;
    const ValueId inner = facts.Source(facts.program().Operand(call, 1));
    if (!Walks(facts, inner)) break;
    call = inner;
  }
  return call;
}

bool KnowsExtent(const Facts& facts, ValueId array) {
  return facts.ExtentOf(array, 0).valid() || facts.Of(array).unbounded;
}

// A row of a table, or what a reduction along its first axis leaves: the columns. Of those there are few as a rule, and
// nothing says that here there are more.
bool IsRow(const Facts& facts, ValueId array) {
  const ir::Program& program = facts.program();
  const ValueId source = facts.Source(array);
  if (!source.valid() || KnowsExtent(facts, array)) return false;
  const ir::Op& op = program.ops[source];
  if (op.kind == OpKind::kLoopItem) return IsWalked(facts, program.Operand(program.Operand(source, 0), 0));
  if (op.kind == OpKind::kSubscript) {
    const ValueId key = program.Operand(source, 1);
    const ValueId table = program.Operand(source, 0);
    if (!IsWalked(facts, table) || program.Operands(source).size() != 2 || !key.valid()) return false;
    const analysis::Kind kind = facts.Of(key).kind;
    const bool number = analysis::IsNumber(kind) || (kind == analysis::Kind::kUnknown && facts.RankOf(table) >= 2);
    return number && !facts.IntOf(key);  // `p[0]` is one component of all points
  }
  if (op.kind != OpKind::kCall) return false;
  const ValueId axis = facts.KeywordArgument(source, "axis");
  return axis.valid() && facts.IntOf(axis) == 0;
}

// ... and mostly makes few passes where one of them has few items as a rule.
bool UsuallyZipsWithFew(const Facts& facts, ValueId call) {
  if (!IsBuiltinCall(facts, call, {"zip"})) return false;
  for (std::uint32_t i = 1; i <= facts.PositionalCount(call); ++i) {
    const ValueId argument = facts.program().Operand(call, i);
    if (IsWalked(facts, argument) && facts.UsuallyFewItems(argument)) return true;
  }
  return false;
}

Trial::Report Describe(const Facts& facts, const Walked& walked, Span primary, Trial::Report report) {
  report.Arg("array", walked.span).Root(facts.RootOf(walked.array)).Evidence(facts.Of(walked.array).evidence);
  report.Severity(Severity::kError);
  match::TellOrigin(facts, walked.array, primary, report);
  const ir::DimId extent = facts.ExtentOf(walked.array, 0);
  const std::string items = facts.DimText(extent);
  if (!items.empty()) report.PrimaryLabel(Text(items).Add(" items, one after the other"));
  if (IsRow(facts, walked.array) || facts.UsuallyFewItems(walked.array) || analysis::MayHoldText(facts, walked.array))
    report.Confidence(Confidence::kPossible).Severity(Severity::kWarning);
  return report;
}

// `np.arange(n)`: Python counts by itself.
bool CountsUp(const Facts& facts, const Walked& walked) {
  const ValueId source = facts.Source(walked.array);
  const match::DeviceCall call = match::AsDeviceCall(facts, source);
  const ir::Program& program = facts.program();
  if (!call || call.base != "arange" || !walked.span.Contains(program.ops[source].span)) return false;
  const std::size_t given = facts.PositionalCount(source);
  if (given == 0 || given > 3 || program.Operands(source).size() != given + 1) return false;
  for (std::uint32_t i = 1; i <= given; ++i) {
    if (facts.Of(program.Operand(source, i)).kind != analysis::Kind::kInt) return false;
  }
  return true;
}

// One number per pass, or positions: Python may want to index its own lists with them. Rows of which nothing but their
// numbers is taken are lists as well.
bool MayBeNumbers(const Facts& facts, ValueId array, const std::vector<match::WalkedArray>& arrays) {
  if (facts.RankOf(array) == 1 || ir::IsInteger(facts.Of(array).dtype)) return true;
  const auto own = std::ranges::find(arrays, array, &match::WalkedArray::array);
  return own != arrays.end() && match::IsTakenApart(facts, *own);
}

// "`starts.tolist()`, `ends.tolist()`"
Text Fetched(const std::vector<Span>& arrays) {
  Text fetched;
  for (const Span words : arrays)
    fetched.Add(words == arrays.front() ? "`" : ", `").Add(words, Binding::kPrimary).Add(".tolist()`");
  return fetched;
}

// The arrays whose numbers Python waits for, else the one that the finding is about, where these are numbers.
std::vector<Span> ToFetch(const Facts& facts, const Walked& walked, const std::vector<match::WalkedArray>& arrays) {
  std::vector<Span> fetched;
  for (const match::WalkedArray& one : arrays) {
    if (match::MeetsHost(facts, one) && MayBeNumbers(facts, one.array, arrays)) fetched.push_back(one.words);
  }
  if (fetched.empty() && MayBeNumbers(facts, walked.array, arrays)) fetched.push_back(walked.span);
  return fetched;
}

// Each pass takes numbers that only Python uses: nothing is there to work on at once.
bool ServesHostAlone(const Facts& facts, const std::vector<match::WalkedArray>& arrays) {
  return !arrays.empty() && std::ranges::all_of(arrays, [&](const match::WalkedArray& one) {
    return match::ServesHostAlone(facts, one) && (facts.RankOf(one.array) == 1 || match::IsTakenApart(facts, one));
  });
}

Text HelpForRange(const Facts& facts, const Walked& walked) {
  const ValueId call = facts.Source(walked.array);
  Text help("count in Python: `range(");
  for (std::uint32_t i = 1; i < facts.program().Operands(call).size(); ++i)
    help.Add(i > 1 ? ", " : "").Add(facts.program().OperandSpan(call, i));
  return help.Add(")`");
}

// `[np.bincount(row, minlength=m) for row in table]`: `bincount` has no axis, but rows whose numbers are apart are
// counted at once.
Text HelpForCounts(const Facts& facts, ir::LoopId loop, const Walked& walked) {
  const ir::Program& program = facts.program();
  const ValueId item = program.loops[loop].item;
  const auto uses = facts.DeepUsesOf(item);
  if (uses.size() != 1 || facts.RankOf(walked.array) != 2 || walked.array != program.loops[loop].iterable) return {};
  const match::DeviceCall call = match::AsDeviceCall(facts, uses.front());
  if (!call || call.base != "bincount" || call.array != item || program.Operands(call.call).size() != 3) return {};
  const ValueId length = match::Argument(facts, call, 2, "minlength");
  const auto users = facts.UsesOf(call.call);
  const bool collected = users.size() == 1 && program.ops[users.front()].kind == OpKind::kCollectItem;
  if (!collected || !length.valid() || !facts.Invariant(length, loop)) return {};
  if (facts.Of(length).kind != analysis::Kind::kInt && facts.Of(length).kind != analysis::Kind::kUnknown) return {};
  const Span minlength = match::ArgumentSpan(facts, call, 2, "minlength");
  const Text rows = Text("len(").Add(walked.span).Add(")");
  return Text("count all rows at once, where no number reaches `")
      .Add(minlength)
      .Add("`: `np.bincount((")
      .Add(walked.span, Binding::kSum)
      .Add(" + ")
      .Add(minlength, Binding::kUnary)
      .Add(" * np.arange(")
      .Add(rows)
      .Add(")[:, None]).ravel(), minlength=")
      .Add(minlength, Binding::kProduct)
      .Add(" * ")
      .Add(rows)
      .Add(").reshape(")
      .Add(rows)
      .Add(", ")
      .Add(minlength, Binding::kConditional)
      .Add(")`");
}

Text HelpForLoop(const Facts& facts, ir::LoopId loop, const Walked& walked) {
  if (CountsUp(facts, walked)) return HelpForRange(facts, walked);
  if (const Text counts = HelpForCounts(facts, loop, walked); !counts.empty()) return counts;
  if (const auto running = match::RunningSumOf(facts, loop, walked.array, walked.span)) {
    Text help("the sums after each pass, all at once: `");
    help.Add(running->sums).Add("`");
    return running->before ? help.Add("; those before each pass have a 0 in front and not the last") : help;
  }
  const std::vector<match::WalkedArray> arrays = match::WalkedArrays(facts, loop);
  if (facts.LoopFactOf(loop).carried && facts.RankOf(walked.array) <= 1) {
    Text help("each pass needs the one before, so this stays sequential: ");
    if (MayBeNumbers(facts, walked.array, arrays))
      help.Add("walk `").Add(walked.span, Binding::kPrimary).Add(".tolist()` on the host, or ");
    return help.Add("run many series side by side, one array axis for each");
  }
  const std::vector<Span> fetched = ToFetch(facts, walked, arrays);
  if (const Span carried = match::CarriedArray(facts, loop); !carried.empty()) {
    Text help("trips read what other trips write to ");
    help.Add(match::Quoted(carried)).Add(": that order stays");
    if (fetched.empty()) return help;
    return help.Add("; take the numbers from the host, fetched once: walk ").Add(Fetched(fetched));
  }
  if (ServesHostAlone(facts, arrays))
    return Text("nothing but Python needs the numbers: fetch them once and walk ").Add(Fetched(fetched));
  Text help("work on all of ");
  help.Add(match::Quoted(walked.span))
      .Add(" at once: operators as they are, tests as `np.where`, reductions with `axis=`");
  if (fetched.empty()) return help;
  return help.Add("; where Python needs the numbers, fetch them at once: ").Add(Fetched(fetched));
}

// A pass uses an item as a key or puts it into a set, or the call does so with all items: it cannot run.
void TellHash(const Facts& facts, ValueId op, const match::Hashed& hashed, Trial::Report& report) {
  report.Raises()
      .Message("iteration over `{array}`, whose items have no hash: `{hashed}` raises TypeError")
      .Arg("hashed", facts.program().ops[op].span)
      .Key(match::KeyOfHash(facts, hashed))
      .Help(match::HelpForHash(facts, op, hashed));
}

// `for i, _ in enumerate(x): y[i] = 2.0 * x[i]`: the loop is one over a counter, and R101 tells it.
bool PicksItself(const Facts& facts, ir::LoopId loop) {
  const analysis::LoopFact& fact = facts.LoopFactOf(loop);
  const bool sure = !fact.possible && analysis::ConfidenceOf(fact.evidence) != Confidence::kPossible;
  const analysis::LoopKind kind = fact.kind;
  if (!sure || (fact.evidence & analysis::kContradicted) != 0) return false;
  return kind == analysis::LoopKind::kElement || kind == analysis::LoopKind::kRecurrence ||
         kind == analysis::LoopKind::kRow;
}

// `for i, _ in enumerate(x)`: the loop only counts, and nobody waits for an item.
void TellUnread(const Walked& walked, Trial::Report& report) {
  Text help("nothing is done with the items: walk `range(len(");
  help.Add(walked.span).Add("))` in place of ").Add(match::Quoted(walked.span));
  report.Severity(Severity::kWarning)
      .Why("each item of a cuPyNumeric array is a slice or a read of its own, also where nobody looks at it (26.07)")
      .Help(help);
}

// Known to be that large, or so by what its extents are where nobody asks for more or less: `--size` of 1024.
bool IsUsuallyWide(const Facts& facts, ValueId item, std::int64_t split) {
  if (!facts.IsDevice(item) || facts.KnownAtLeast(item, split)) return facts.IsDevice(item);
  const ir::DimId volume = facts.VolumeOf(item);
  ir::DimStore& dims = facts.store().dims();
  const std::vector<Symbol> symbols = dims.Symbols(volume);
  const bool all = std::ranges::all_of(symbols, [&](Symbol symbol) { return facts.UsualCount(symbol).has_value(); });
  if (symbols.empty() || !all) return false;
  const auto usual = dims.Evaluate(volume, [&](Symbol symbol, std::uint32_t) { return *facts.UsualCount(symbol); });
  return usual && *usual >= static_cast<double>(split);
}

// `for frame in stack:` of frames that are split over the processors by themselves: all of them at once would win
// nothing.
bool HandsOutWide(const Facts& facts, const std::vector<match::WalkedArray>& arrays, std::int64_t split) {
  return std::ranges::any_of(arrays, [&](const match::WalkedArray& one) {
    return std::ranges::any_of(one.items, [&](ValueId item) { return IsUsuallyWide(facts, item, split); });
  });
}

// Fires when any of
//   1. a loop or comprehension runs over a device array, or over zip, enumerate, reversed, map or a progress bar of
//      one,
//   2. list, tuple, set, the method extend of a list, itertools.chain or a star takes a device array apart, or zip and
//      the like do outside of a loop header,
//   3. a device array is unpacked into names.
void OnLoop(const Facts& facts, ir::LoopId loop, Trial& trial) {
  const ir::Loop& header = facts.program().loops[loop];
  if (!header.iterable.valid()) return;
  std::optional<Walked> walked;
  bool few = false;
  const ValueId source = facts.Source(header.iterable);
  if (IsWalked(facts, header.iterable)) {
    few = HasFewItems(facts, header.iterable, header.item);
    walked = Walked{header.iterable, header.iterable_span};
  } else if (Walks(facts, source)) {
    const ValueId call = InnermostWalk(facts, source);
    walked = FirstArgument(facts, call, few);
    if (walked) few = ZipsWithFew(facts, call);
  }
  few = few || facts.TripsKnownBelow(loop, kSmallAxis + 1);
  if (walked && facts.IsNoArrayAt(walked->array, header.item)) walked.reset();
  if (!trial.Holds(1, walked.has_value()) || !walked) return;
  if (trial.Quiet('a', few)) return;
  const bool unread = !analysis::ReadsItems(facts, loop);
  if (trial.Quiet('g', unread && PicksItself(facts, loop))) return;
  ValueId hash;
  const std::vector<match::WalkedArray> arrays = match::WalkedArrays(facts, loop);
  for (const match::WalkedArray& one : arrays) {
    if (hash = match::HashesItems(facts, loop, one.array); !hash.valid()) continue;
    walked = Walked{one.array, one.words};
    break;
  }
  if (trial.Quiet('f', !hash.valid() && HandsOutWide(facts, arrays, trial.target().split))) return;
  Trial::Report report = Describe(facts, *walked, header.header_span, trial.ReportLoop(loop));
  const bool usually_few = (facts.LoopFactOf(loop).evidence & analysis::kContradicted) != 0;
  if (usually_few || (source.valid() && UsuallyZipsWithFew(facts, InnermostWalk(facts, source))))
    report.Confidence(Confidence::kPossible).Severity(Severity::kWarning);
  if (unread) return TellUnread(*walked, report);
  if (hash.valid()) {
    for (const match::Hashed& hashed : match::HashedAt(facts, hash)) {
      if (!match::IsItemOf(facts, hashed, loop, walked->array)) continue;
      TellHash(facts, hash, hashed, report);
      if (CountsUp(facts, *walked)) report.Help(HelpForRange(facts, *walked));
      return;
    }
  }
  if (facts.LoopFactOf(loop).hands_out) {
    report.Help(
        Text("the passes stay, for their work is on whole arrays; take the numbers from the host, fetched once: walk `")
            .Add(walked->span, Binding::kPrimary)
            .Add(".tolist()`"));
    return;
  }
  report.Help(HelpForLoop(facts, loop, *walked));
}

bool IsLoopIterable(const Facts& facts, ValueId call) {
  for (const ValueId use : facts.DeepUsesOf(call)) {
    if (facts.program().ops[use].kind == OpKind::kIter) return true;
    if (PassesOn(facts, use) && InnermostWalk(facts, use) == call && IsLoopIterable(facts, use)) return true;
  }
  return false;
}

// `tuple(x)`, `tuple(map(f, x))`
bool MakesTuple(const Facts& facts, ValueId call) {
  if (IsBuiltinCall(facts, call, {"tuple"})) return true;
  const std::span<const ValueId> uses = facts.UsesOf(call);
  return uses.size() == 1 && IsBuiltinCall(facts, uses.front(), {"tuple"});
}

// `out.extend(x)`, `itertools.chain(x, y)`, `functools.reduce(f, x)`; with a builtin the last one is R110.
bool TakesApart(const Facts& facts, ValueId call) {
  const Callee& callee = facts.CalleeOf(call);
  if (callee.kind == Callee::Kind::kContainerMethod) return callee.name == "list.extend";
  if (callee.kind != Callee::Kind::kForeign) return false;
  if (callee.name == "functools.reduce")
    return facts.PositionalCount(call) == 2 &&
           facts.Of(facts.program().Operand(call, 1)).kind != analysis::Kind::kBuiltin;
  return callee.name == "itertools.chain";
}

void OnCall(const Facts& facts, ValueId call, Trial& trial) {
  const bool builtin =
      IsBuiltinCall(facts, call, {"list", "tuple", "set", "frozenset", "zip", "enumerate", "map", "iter", "filter"});
  if (!builtin && !TakesApart(facts, call)) return;
  bool few = false;
  const std::optional<Walked> walked = FirstArgument(facts, call, few);
  if (!walked && !few) return;
  if (builtin && IsLoopIterable(facts, call)) return;  // the loop's finding
  if (trial.Quiet('a', !walked || ZipsWithFew(facts, call))) return;
  if (!trial.Holds(2, walked.has_value()) || !walked) return;
  Trial::Report report = Describe(facts, *walked, facts.program().ops[call].span, trial.ReportOp(call));
  // A tuple is a record: it has few parts, unless their number is known.
  if (MakesTuple(facts, call) && !facts.MostItems(walked->array))
    report.Confidence(Confidence::kPossible).Severity(Severity::kWarning);
  // `set(x)`, `dict(zip(x, y))`
  std::vector<ValueId> hashing = {call};
  if (IsBuiltinCall(facts, call, {"zip"})) hashing.assign(facts.UsesOf(call).begin(), facts.UsesOf(call).end());
  for (const ValueId op : hashing) {
    for (const match::Hashed& hashed : match::HashedAt(facts, op)) {
      if (hashed.value == walked->array && !hashed.MayBeText(facts)) return TellHash(facts, op, hashed, report);
    }
  }
  report.Help(Text("keep ")
                  .Add(match::Quoted(walked->span))
                  .Add(" an array; where a Python list is really needed, `.tolist()` fetches all of it at once"));
}

// `f(*x)`: as many items as f has parameters.
bool IsHandedOver(const Facts& facts, ValueId star) {
  const std::span<const ValueId> uses = facts.UsesOf(star);
  return !uses.empty() && facts.program().ops[uses.front()].kind == OpKind::kCall;
}

void OnStar(const Facts& facts, ValueId star, Trial& trial) {
  const ValueId array = facts.program().Operand(star, 0);
  if (!trial.Holds(2, IsWalked(facts, array))) return;
  if (trial.Quiet('a', HasFewItems(facts, array, star))) return;
  const Span span = facts.program().OperandSpan(star, 0);
  Trial::Report report = Describe(facts, {array, span}, facts.program().ops[star].span, trial.ReportOp(star));
  if (IsHandedOver(facts, star)) report.Confidence(Confidence::kPossible).Severity(Severity::kWarning);
  report.Help(Text("hand over ")
                  .Add(match::Quoted(span))
                  .Add(" as one array; where separate values are needed, `.tolist()` fetches all of them at once"));
}

void OnUnpack(const Facts& facts, ValueId item, Trial& trial) {
  const auto position = ir::ItemPosition::Unpack(facts.program().ops[item].payload);
  if (position.index != 0) return;
  const ValueId array = facts.program().Operand(item, 0);
  if (!trial.Holds(3, IsWalked(facts, array))) return;
  if (trial.Quiet('a', HasFewItems(facts, array, item))) return;
  const Span span = facts.program().OperandSpan(item, 0);
  Trial::Report report = Describe(facts, {array, span}, span, trial.ReportOp(item));
  report.At(span).Message("unpacking `{array}` walks its first axis from Python");
  report.Help(Text("take the parts by index: `")
                  .Add(span, Binding::kPrimary)
                  .Add("[0]`, `")
                  .Add(span, Binding::kPrimary)
                  .Add(position.star == ir::ItemPosition::kNoStar ? "[1]`" : "[1:]`"));
  // The names tell how many items there are: few. That is told only to those who ask for what is merely possible.
  if (position.star == ir::ItemPosition::kNoStar && position.count <= kSmallAxis) {
    report.Confidence(Confidence::kPossible).Severity(Severity::kWarning);
  }
}

void OnOp(const Facts& facts, ValueId op, Trial& trial) {
  switch (facts.program().ops[op].kind) {
    case OpKind::kCall: OnCall(facts, op, trial); break;
    case OpKind::kStarred: OnStar(facts, op, trial); break;
    case OpKind::kUnpackItem: OnUnpack(facts, op, trial); break;
    default: break;
  }
}

}  // namespace

extern constinit const Rule kRule;
constinit const Rule kRule = {
    .code = 103,
    .slug = "array-iteration",
    .family = Family::kBlocks,
    .severity = Severity::kError,
    .cold = Severity::kWarning,
    .summary = "Python iterates over an array",
    .message = "iteration over `{array}`",
    .why =
        "each item of a cuPyNumeric array is a slice or a read of its own, and using it on the host waits for it "
        "(26.07)",
    .details = R"md(
`for row in x`, `list(x)`, `zip(x, y)` and `a, *rest = x` walk the first axis of an array from Python. cuPyNumeric makes
a slice of each item; for a 1-D array that is a task which reads one element. Rows of arrays with more axes are views that cost
nothing until they are used. The wait comes when an item is used on the host.

**Fires when** any of these holds

1. a loop or comprehension runs over a device array, or over `zip`, `enumerate`, `reversed`, `map` or a progress bar (`tqdm`) of one
2. `list`, `tuple`, `set`, `extend` of a list, `itertools.chain` or a star takes a device array apart, or `zip` and the like do outside of a loop header
3. a device array is unpacked into names

Unpacking into a fixed number of up to 16 names is told at the level *possible* only: that many items there must be. So
are the arguments `f(*x)`, `tuple(x)` of unknown length and, where nothing says how many items there are, a row of an
array and what a reduction with `axis=0` leaves. And so is an array that has less than eight items with the defaults of
parameters and the values that attributes are set to, and one whose items may be text: `np.unique(labels)` of whatever
the caller passes.

Where the items are keys of a dictionary or go into a set (`for k in ids: d[k] = 0`, `set(ids)`), the message says that it
raises: an item is an array of rank 0, which has no hash.

Where the items are numbers that go into work on whole arrays (`for dt in steps: u += dt * rhs(u)`), the loop is a loop
over time steps or parameters that takes its table from the device: only the reads count, and what else happens in its body
is told on its own. Where each pass needs the number that the one before made (`level = 0.9 * level + x`), no operator works on all
of them: the loop stays, on the host or over many series side by side, and the verdict counts it as sequential.

**Stays quiet**

- (a) a first axis of known length up to 16: `for comp in wind` with shape `(3, ny, nx)`; and `zip` with anything that short
- (b) Python lists and tuples of arrays
- (c) `x.shape`, `np.ndindex` of a small shape
- (d) host arrays, and `x.tolist()`, which is a conversion (R104)
- (e) the pieces of `np.split(x, 4)`
- (f) items that are large enough to be split over the processors, by what is known or by the defaults of options,
  `for frame in stack`; what waits in the body is told by itself
- (g) loops that do nothing with an item and pick by the counter, `for i, _ in enumerate(x): y[i] = 2.0 * x[i]`, which are R101

The migration guide says every trip waits; it waits only where an item is used on the host.
)md",
    .bad = R"py(import numpy as np


def peaks(n):
    spectra = np.ones((n, 512))
    return [row.max() for row in spectra]
)py",
    .good = R"py(import numpy as np


def peaks(n):
    spectra = np.ones((n, 512))
    return spectra.max(axis=1)
)py",
    .recipe = "RR-loop",
    .fix = FixClass::kUnsafe,
    .doctor = "iteration",
    .ops = {OpKind::kCall, OpKind::kStarred, OpKind::kUnpackItem},
    .on_op = &OnOp,
    .on_loop = &OnLoop,
};

}  // namespace cpnlint::rules::r103
