#include <algorithm>
#include <functional>
#include <iterator>
#include <optional>
#include <vector>

#include "analyzer/analysis/loop_windows.h"
#include "analyzer/analysis/moving_positions.h"
#include "analyzer/analysis/put_away.h"
#include "rules/engine/rule.h"
#include "rules/match/carried.h"
#include "rules/match/device_call.h"
#include "rules/match/hot_site.h"
#include "rules/match/only_fetches.h"
#include "rules/match/same_expression.h"
#include "rules/match/story.h"
#include "rules/match/symmetry.h"
#include "rules/match/wavefront.h"
#include "rules/match/whole_loop.h"
#include "rules/match/whole_runs.h"

namespace cpnlint::rules::r101 {
namespace {

using analysis::LoopFact;
using analysis::LoopKind;

constexpr std::int64_t kUnrolled = 8;  // trips below which a constant loop counts as straight-line code
constexpr double kSeldom = 10;         // trips per access from which on it is no element loop

bool Happens(const Facts& facts, const LoopFact::Access& access) {
  return facts.IsDevice(facts.program().Operand(access.op, 0)) && facts.HeatOf(access.op).period <= kSeldom;
}

// Read to index another array: `idx[i]` of `a[idx[i]]`.
bool IsKey(const Facts& facts, const LoopFact& fact, ir::ValueId op) {
  return std::any_of(fact.accesses.begin(), fact.accesses.end(), [&](const LoopFact::Access& access) {
    const auto keys = facts.KeysOf(access.op);
    return std::find(keys.begin(), keys.end(), op) != keys.end();
  });
}

// `out[s : s + n]` with `s = t * hop`: the counter moves a piece along the array, and names no row of it.
bool MovesPiece(const Facts& facts, ir::LoopId loop, ir::ValueId op) {
  const auto keys = facts.KeysOf(op);
  return std::ranges::any_of(keys, [&](ir::ValueId key) { return analysis::SliceDepends(facts, key, loop); }) &&
         std::ranges::none_of(keys, [&](ir::ValueId key) {
           return facts.Of(key).kind != analysis::Kind::kSlice && facts.DependsOnInduction(key, loop);
         });
}

// As many axes as the piece, or as its array where the piece does not tell, and no broadcast along the first of them.
bool HasItsOwnRows(const Facts& facts, ir::ValueId piece, ir::ValueId added) {
  const int rank = facts.RankOf(piece), rows = facts.RankOf(added);
  return rank > 0 && rank == rows && facts.store().dims().AsConst(facts.ExtentOf(added, 0)) != 1;
}

// `out` of `out[s : s + n] += frames[t]`: rows are added up where the pieces overlap. Empty for others.
Span AddsToPieces(const Facts& facts, ir::LoopId loop, const LoopFact& fact) {
  const ir::Program& program = facts.program();
  const auto adds = std::ranges::find_if(fact.accesses, [&](const LoopFact::Access& access) {
    if (!access.write || (program.ops[access.op].flags & ir::kAugmented) == 0) return false;
    const ir::ValueId sum = program.Operand(access.op, 1);
    if (!MovesPiece(facts, loop, access.op) || !sum.valid() || program.ops[sum].kind != ir::OpKind::kInplaceBinary ||
        static_cast<ir::BinaryOp>(program.ops[sum].detail) != ir::BinaryOp::kAdd)
      return false;
    // `a[k - 1:k + 2] += b[k]`: one row, added to three.
    return HasItsOwnRows(facts, program.Operand(sum, 0), program.Operand(sum, 1));
  });
  return adds == fact.accesses.end() ? Span() : program.OperandSpan(adds->op, 0);
}

// The access that makes the loop what it is: one element before a slab, firm evidence before weak, a write before a
// read before a key, then in source order. A row that is only put away comes last. The finding is about a row rather
// than about a piece (`named`).
const LoopFact::Access* Chief(const Facts& facts, ir::LoopId loop, const LoopFact& fact, bool named) {
  const LoopFact::Access* chief = nullptr;
  int best = -64;
  const bool elements = fact.kind != LoopKind::kRow;
  for (const LoopFact::Access& access : fact.accesses) {
    if (!Happens(facts, access)) continue;
    const bool element = facts.SubscriptOf(access.op).selects == analysis::SubscriptResult::Selects::kElement;
    const ir::ValueId base = facts.program().Operand(access.op, 0);
    int weight = access.write ? 2 : IsKey(facts, fact, access.op) ? 0 : 1;
    weight += 4 * static_cast<int>(facts.ConfidenceOfValue(base));
    weight += elements == element ? 16 : 0;
    if (named && !elements && MovesPiece(facts, loop, access.op)) weight -= 16;
    if (!elements && analysis::IsPutAway(facts, access.op, loop)) weight -= 32;  // a view is no task
    if (weight > best) {
      chief = &access;
      best = weight;
    }
  }
  return chief;
}

// Some slab is known to be large enough to be split over the processors.
bool HasWideSlab(const Facts& facts, const LoopFact& fact, std::int64_t split) {
  return std::any_of(fact.accesses.begin(), fact.accesses.end(), [&](const LoopFact::Access& access) {
    if (!access.write) return facts.KnownAtLeast(access.op, split);
    const ir::ValueId value = facts.program().Operand(access.op, 1);
    return facts.IsDevice(value) && facts.KnownAtLeast(value, split);
  });
}

ir::DimId VolumeOfSlab(const Facts& facts, const LoopFact::Access& access) {
  return facts.VolumeOf(access.write ? facts.program().Operand(access.op, 1) : access.op);
}

// The array is split by itself and much larger than each of the slabs, or an image of which a slab is one line.
bool DwarfsSlabs(const Facts& facts, const LoopFact& fact, ir::ValueId array, std::int64_t split) {
  constexpr std::int64_t kMuch = 8;  // rules.md, R207 (b)
  const ir::DimId volume = facts.VolumeOf(array);
  ir::DimStore& dims = facts.store().dims();
  return std::ranges::all_of(fact.accesses, [&](const LoopFact::Access& access) {
    const ir::DimId slab = VolumeOfSlab(facts, access), times = dims.FloorDiv(volume, slab);
    if (const auto known = dims.AsConst(times)) return *known >= kMuch && facts.KnownAtLeast(array, split);
    const std::vector<Symbol> own = dims.Symbols(slab), more = dims.Symbols(times);
    return dims.KnownEqual(dims.Mul(times, slab), volume) &&
           std::ranges::all_of(more, [&](Symbol symbol) { return std::ranges::count(own, symbol) > 0; });
  });
}

// `sino[k] = np.histogram(t * theta[k], ...)[0]`: each trip computes on far more than the slab it fills, which all
// trips at once would have to hold side by side.
bool ComputesOnMore(const Facts& facts, ir::LoopId loop, const LoopFact& fact, std::int64_t split) {
  const ir::Program& program = facts.program();
  if (std::ranges::none_of(fact.accesses, &LoopFact::Access::write)) return false;
  const auto computes = [&](ir::ValueId op) {
    const ir::OpKind kind = program.ops[op].kind;
    const bool product =
        kind == ir::OpKind::kBinary && static_cast<ir::BinaryOp>(program.ops[op].detail) == ir::BinaryOp::kMatMul;
    const bool elementwise = kind == ir::OpKind::kBinary ? !product : api::IsUfunc(match::AsDeviceCall(facts, op).name);
    return elementwise && facts.IsDevice(op) && !facts.Invariant(op, loop) && DwarfsSlabs(facts, fact, op, split);
  };
  return std::ranges::any_of(program.functions[program.loops[loop].function].blocks, [&](ir::BlockId block) {
    const bool inside = program.blocks[block].loop.valid() && facts.LoopContains(loop, program.blocks[block].loop);
    return inside && std::ranges::any_of(program.blocks[block].ops, computes);
  });
}

// The subscript of the array itself: `a[i]` of `a[i]`, and of `a[i][j]` where the loop counts `i`.
ir::ValueId FirstSubscript(const Facts& facts, ir::LoopId loop, ir::ValueId access) {
  constexpr int kMostLinks = 4;
  const ir::Program& program = facts.program();
  for (int links = 0; links < kMostLinks; ++links) {
    const ir::ValueId base = program.Operand(access, 0);
    const ir::ValueId link = facts.Source(base);
    if (link != base || program.ops[link].kind != ir::OpKind::kSubscript || !facts.InLoop(link, loop)) break;
    const auto keys = facts.KeysOf(link);
    const bool moves =
        std::any_of(keys.begin(), keys.end(), [&](ir::ValueId key) { return facts.DependsOnInduction(key, loop); });
    if (!moves || !facts.IsDevice(program.Operand(link, 0))) break;
    access = link;
  }
  return access;
}

// `if a[i] < b[j]: i += 1, else: j += 1`: keys are counters, but none of them is the number of the trip.
bool MovesOnSomeTrips(const Facts& facts, ir::LoopId loop, const LoopFact& fact) {
  bool moves = false;
  for (const LoopFact::Access& access : fact.accesses) {
    for (const ir::ValueId key : facts.KeysOf(access.op)) {
      if (facts.IsBareInduction(key, loop)) return false;
      const bool joined = facts.program().ops[facts.Source(key)].kind == ir::OpKind::kPhi;
      moves = moves || (joined && facts.DependsOnInduction(key, loop));
    }
  }
  return moves;
}

// `obs` of `log_b[:, obs[t]]`: all that the loop takes numbers from names rows or columns of others, and stays as it
// is. Empty for others.
Span NamesPositions(const Facts& facts, ir::LoopId loop, const LoopFact& fact) {
  const ir::Program& program = facts.program();
  Span names;
  for (const LoopFact::Access& access : fact.accesses) {
    if (facts.RankOf(program.Operand(access.op, 0)) > 1) continue;
    if (facts.MutatedIn(access.root, loop)) return {};
    const std::vector<ir::ValueId> uses = facts.DeepUsesOf(access.op);
    const bool only_keys = std::ranges::all_of(uses, [&](ir::ValueId user) {
      const ir::OpKind use = program.ops[user].kind;
      return (use == ir::OpKind::kSubscript || use == ir::OpKind::kStoreSubscript) &&
             std::ranges::count(facts.KeysOf(user), access.op) != 0;
    });
    if (access.write || uses.empty() || !only_keys) return {};
    names = program.OperandSpan(access.op, 0);
  }
  return names;
}

// `w` of `x[w[i] : w[i + 1]]`: all that the loop takes numbers from is ends of slices. Empty for others.
Span BoundsSlices(const Facts& facts, const LoopFact& fact, ir::ValueId table) {
  const ir::Program& program = facts.program();
  Span array;
  for (const LoopFact::Access& access : fact.accesses) {
    if (facts.SubscriptOf(access.op).selects != analysis::SubscriptResult::Selects::kElement) continue;
    const std::vector<ir::ValueId> uses = facts.DeepUsesOf(access.op);
    const bool only_ends =
        std::ranges::all_of(uses, [&](ir::ValueId user) { return program.ops[user].kind == ir::OpKind::kSlice; });
    if (access.write || uses.empty() || !only_ends || access.root != facts.RootOf(table)) return {};
    array = program.OperandSpan(access.op, 0);
  }
  return array;
}

// Each trip writes numbers that Python makes out of an item of its own list: `u[i] = float(words[1])` of `for i, words
// in enumerate(rows)`.
bool WritesNumbersOfPython(const Facts& facts, ir::LoopId loop, const LoopFact& fact) {
  const ir::Program& program = facts.program();
  const ir::ValueId iterable = program.loops[loop].iterable;
  const ir::ValueId walked = iterable.valid() ? facts.Source(iterable) : iterable;
  const bool counts =
      !walked.valid() || program.ops[walked].kind != ir::OpKind::kCall || facts.CalleeOf(walked).name != "enumerate";
  if (counts || facts.IsDevice(program.Operand(walked, 1))) return false;
  return std::ranges::all_of(fact.accesses, [&](const LoopFact::Access& access) {
    if (!access.write || (program.ops[access.op].flags & ir::kAugmented) != 0) return false;
    const ir::ValueId value = facts.Source(program.Operand(access.op, 1));
    if (facts.IsArray(value)) return false;
    const analysis::Callee& callee = facts.CalleeOf(value);
    const bool converts = program.ops[value].kind == ir::OpKind::kCall &&
                          callee.kind == analysis::Callee::Kind::kBuiltin &&
                          (callee.name == "float" || callee.name == "int");
    return converts && facts.PositionalCount(value) == 1 && !facts.IsDevice(program.Operand(value, 1));
  });
}

// `table[k, :] = splines[k](x)`: all that the loop does with the array is to write down values that `comes_so` holds
// for. The array is one of the function's own, which nothing else in the loop reads.
bool OnlyWritesDown(const Facts& facts, ir::LoopId loop, const LoopFact& fact,
                    const std::function<bool(ir::ValueId)>& comes_so) {
  const ir::Program& program = facts.program();
  const auto is_access = [&](ir::ValueId use) {
    return std::ranges::any_of(fact.accesses, [&](const LoopFact::Access& access) { return access.op == use; });
  };
  return !fact.accesses.empty() && std::ranges::all_of(fact.accesses, [&](const LoopFact::Access& access) {
    if (!access.write || (program.ops[access.op].flags & ir::kAugmented) != 0) return false;
    const ir::ValueId root = access.root;
    if (!root.valid() || program.ops[root].kind != ir::OpKind::kCall) return false;
    const bool only_written = std::ranges::all_of(
        facts.DeepUsesOf(root), [&](ir::ValueId use) { return !facts.InLoop(use, loop) || is_access(use); });
    if (!only_written) return false;
    const ir::ValueId value = facts.Source(program.Operand(access.op, 1));
    return value.valid() && !facts.IsDevice(value) && comes_so(value);
  });
}

// What another library computes.
bool WritesRowsOfLibraries(const Facts& facts, ir::LoopId loop, const LoopFact& fact) {
  const ir::Program& program = facts.program();
  return OnlyWritesDown(facts, loop, fact, [&](ir::ValueId value) {
    if (program.ops[value].kind != ir::OpKind::kCall) return false;
    const bool of_object = facts.Of(program.Operand(value, 0)).kind == analysis::Kind::kForeign;
    return of_object || facts.CalleeOf(value).kind == analysis::Callee::Kind::kForeign;
  });
}

// `for i, row in enumerate(pool.imap(f, k)): a[i] = row`: nobody knows what gives the rows, one after the other. One
// copy of each is the least there is.
bool WritesRowsOfUnknown(const Facts& facts, ir::LoopId loop, const LoopFact& fact) {
  const ir::Program& program = facts.program();
  return OnlyWritesDown(facts, loop, fact, [&](ir::ValueId value) {
    const ir::OpKind kind = program.ops[value].kind;
    const bool item = kind == ir::OpKind::kLoopItem || kind == ir::OpKind::kUnpackItem;
    return item && facts.Of(value).kind == analysis::Kind::kUnknown;
  });
}

// `sns.kdeplot(samples[:, j], ax=ax)`: each slab goes to another library and nowhere else, which is what R117 tells,
// and what is written is what a library gives back.
bool OnlyFeedsLibraries(const Facts& facts, ir::LoopId loop, const LoopFact& fact) {
  const auto reads = facts.HostReadsOf(facts.program().loops[loop].function);
  LoopFact writes;
  std::ranges::copy_if(fact.accesses, std::back_inserter(writes.accesses), &LoopFact::Access::write);
  if (writes.accesses.size() == fact.accesses.size()) return false;
  if (!writes.accesses.empty() && !WritesRowsOfLibraries(facts, loop, writes)) return false;
  return std::ranges::all_of(fact.accesses, [&](const LoopFact::Access& access) {
    if (access.write) return true;
    const std::vector<ir::ValueId> uses = facts.DeepUsesOf(access.op);
    return !uses.empty() && std::ranges::all_of(uses, [&](ir::ValueId use) {
      if (facts.program().ops[use].kind != ir::OpKind::kCall || !match::WaitSiteOf(facts, use)) return false;
      return std::ranges::any_of(reads, [&](const analysis::HostRead& read) {
        return read.op == use && read.kind == analysis::HostRead::Kind::kForeign &&
               facts.Source(read.value) == access.op;
      });
    });
  });
}

// A function that a caller hands over does the work of each trip: its name, else an empty span.
Span HandedOver(const Facts& facts, ir::LoopId loop) {
  const ir::Program& program = facts.program();
  for (const ir::ValueId call : program.functions[program.loops[loop].function].calls) {
    if (!facts.InLoop(call, loop) || facts.CalleeOf(call).kind != analysis::Callee::Kind::kUnknown) continue;
    const ir::ValueId callee = facts.Source(program.Operand(call, 0));
    // `update()` reports what is done, `rng((n, 2))` draws.
    const bool takes = std::ranges::any_of(program.Operands(call).subspan(1), [&](ir::ValueId argument) {
      const analysis::Kind kind = facts.Of(argument).kind;
      return !analysis::IsNumber(kind) && kind != analysis::Kind::kTuple && kind != analysis::Kind::kList &&
             kind != analysis::Kind::kStr && kind != analysis::Kind::kNone;
    });
    if (!takes || program.ops[callee].kind != ir::OpKind::kParam) continue;
    const ir::Function& own = program.functions[program.FunctionOf(callee)];
    const bool itself = own.owner.valid() && program.ops[callee].detail == 0;  // `self(x[i])`
    if (!itself) return program.OperandSpan(call, 0);
  }
  return {};
}

// Of a loop that only writes the numbers down.
Text HelpForText(const Facts& facts, ir::ValueId table, Span array) {
  Text help("Python only makes text of these numbers: fetch all of ");
  help.Add(match::Quoted(array)).Add(" at once before the loop, `");
  if (facts.RankOf(table) == 1) return help.Add(array, Binding::kPrimary).Add(".tolist()`, and read the list");
  return help.Add("onp.asarray(").Add(array).Add(")` with host NumPy as `onp`, and read the copy");
}

// `a[:, k]`, wherever the loop takes a slab.
bool GoesOverColumns(const Facts& facts, ir::LoopId loop, const LoopFact& fact) {
  bool columns = false;
  for (const LoopFact::Access& access : fact.accesses) {
    const auto keys = facts.KeysOf(access.op);
    if (keys.size() == 1 && facts.RankOf(facts.program().Operand(access.op, 0)) == 1) continue;
    if (keys.size() != 2 || !facts.DependsOnInduction(keys[1], loop)) return false;
    if (!facts.SubscriptOf(access.op).keys[0].full) return false;
    columns = true;
  }
  return columns;
}

// `interp1d(x[s:e], y[s:e])(new)`: each trip hands another piece to a library of the host. Its call; empty for others.
Span HandsPiecesToHost(const Facts& facts, ir::LoopId loop) {
  const ir::Program& program = facts.program();
  for (const analysis::HostRead& read : facts.HostReadsOf(program.loops[loop].function)) {
    if (read.kind != analysis::HostRead::Kind::kForeign || !facts.InLoop(read.op, loop)) continue;
    if (program.ops[read.op].kind != ir::OpKind::kCall || facts.IsDead(read.op)) continue;
    const std::string_view name = facts.CalleeOf(read.op).name;
    if (!match::IsOneOf(name.substr(0, name.find('.')),
                        {"cv2", "pandas", "scipy", "skimage", "sklearn", "statsmodels"}))
      continue;
    const ir::ValueId piece = facts.Source(read.value);
    if (!facts.HasAxis(read.value) || !facts.InLoop(piece, loop)) continue;
    if (program.ops[piece].kind != ir::OpKind::kSubscript) continue;
    const ir::ValueId whole = facts.RootOf(program.Operand(piece, 0));
    const auto stores = whole.valid() ? facts.MutationsOf(whole) : std::span<const ir::ValueId>();
    const bool fills = std::ranges::any_of(stores, [&](ir::ValueId store) { return facts.InLoop(store, loop); });
    if (!fills) return program.OperandSpan(read.op, 0);
  }
  return {};
}

Text HelpForPieces(const Facts& facts, const LoopFact& fact, Span library) {
  Text help("each trip hands a piece of its own to ");
  help.Add(match::Quoted(library))
      .Add(", which works on the host: keep this loop there, with what it reads fetched once before it");
  const auto read = std::ranges::find_if(fact.accesses, [](const LoopFact::Access& access) { return !access.write; });
  if (read == fact.accesses.end()) return help;
  return help.Add(", `onp.asarray(").Add(facts.program().OperandSpan(read->op, 0)).Add(")` with host NumPy as `onp`");
}

// `counts[k] += 1`: nothing else in the loop asks for the array, which has one axis.
bool OnlyCounts(const Facts& facts, ir::LoopId loop, ir::ValueId store) {
  const ir::Program& program = facts.program();
  const ir::ValueId root = facts.RootOf(program.Operand(store, 0)), sum = facts.Source(program.Operand(store, 1));
  if (!root.valid() || (program.ops[store].flags & ir::kAugmented) == 0) return false;
  if (facts.RankOf(program.Operand(store, 0)) != 1 || program.ops[sum].kind != ir::OpKind::kInplaceBinary) return false;
  const auto operation = static_cast<ir::BinaryOp>(program.ops[sum].detail);
  if (operation != ir::BinaryOp::kAdd && operation != ir::BinaryOp::kSub) return false;
  if (!facts.IntOf(program.Operand(sum, 1))) return false;
  return std::ranges::all_of(facts.DeepUsesOf(root), [&](ir::ValueId use) {
    return !facts.InLoop(use, loop) || use == store || use == program.Operand(sum, 0);
  });
}

// Of entries at positions that Python draws or carries on.
Text HelpForPositions(const Facts& facts, ir::LoopId loop, ir::ValueId store, Span array) {
  Text help(
      "Python finds these positions one after the other: work on an array of host NumPy (`onp`) in this loop, and ");
  help.Add("convert ")
      .Add(match::Quoted(array))
      .Add(" once after it, `np.asarray(")
      .Add(array, Binding::kPrimary)
      .Add(")`");
  if (!OnlyCounts(facts, loop, store)) return help;
  return help.Add(
      "; or collect the positions in a list and count all of them after the loop, by `np.bincount` where none is "
      "negative");
}

bool AllMoveByThemselves(const Facts& facts, ir::LoopId loop, const LoopFact& fact) {
  return !fact.accesses.empty() && std::ranges::all_of(fact.accesses, [&](const LoopFact::Access& access) {
    const auto counts = [&](ir::ValueId key) { return facts.DependsOnInduction(key, loop); };
    return analysis::MovesByItself(facts, access.op, loop) && std::ranges::none_of(facts.KeysOf(access.op), counts);
  });
}

Text Help(const Facts& facts, ir::LoopId loop, const LoopFact& fact, ir::ValueId table, Span array) {
  const LoopKind kind = fact.kind;
  if (AllMoveByThemselves(facts, loop, fact)) return HelpForPositions(facts, loop, fact.accesses.front().op, array);
  if (const Span library = HandsPiecesToHost(facts, loop); kind == LoopKind::kElement && !library.empty()) {
    return HelpForPieces(facts, fact, library);
  }
  if (const std::optional<Text> test = match::InsteadOfSymmetryTest(facts, loop); kind == LoopKind::kElement && test)
    return *test;
  if (match::OnlyFetches(facts, fact)) return HelpForText(facts, table, array);
  if (const Span ends = BoundsSlices(facts, fact, table); kind == LoopKind::kElement && !ends.empty()) {
    return Text("Python has to know the ends of slices: fetch all of them before the loop, `")
        .Add(ends, Binding::kPrimary)
        .Add(".tolist()`; pieces of different lengths stay a list");
  }
  if (kind == LoopKind::kElement && WritesNumbersOfPython(facts, loop, fact)) {
    return Text("Python makes these numbers: collect them in a list, one item for each trip, and make ")
        .Add(match::Quoted(array))
        .Add(" of it once, by `np.array`");
  }
  if (kind == LoopKind::kElement) {
    if (const std::optional<Text> whole = match::WithoutIndex(facts, loop))
      return Text("write `").Add(*whole).Add("` instead of the loop");
  }
  if (const Span carried = match::CarriedArray(facts, loop); kind == LoopKind::kElement && !carried.empty()) {
    if (const Span names = NamesPositions(facts, loop, fact); !names.empty()) {
      return Text("each pass waits for the position that ")
          .Add(match::Quoted(names))
          .Add(" names: make it a list before the loop (`")
          .Add(names, Binding::kPrimary)
          .Add(".tolist()`); the order of the trips stays");
    }
    return Text("trips read what other trips write to ")
        .Add(match::Quoted(carried))
        .Add(": that order stays; work on whole rows or columns inside it, or use a library routine for the whole job");
  }
  if (const Span carried = match::CarriedVariable(facts, loop); kind == LoopKind::kElement && !carried.empty()) {
    return Text("each trip needs the ")
        .Add(match::Quoted(carried))
        .Add(" that the one before left: over ")
        .Add(match::Quoted(array))
        .Add(" this stays sequential; run many of them side by side, one array axis for each");
  }
  if (const ir::LoopId free = match::FreeLoopInside(facts, loop); free.valid()) {
    const ir::Program& program = facts.program();
    Text help;
    if (const std::optional<Text> whole = match::WithoutIndex(facts, free)) {
      help.Add("write `").Add(*whole).Add("` instead of the loop inside");
    } else {
      help.Add("keep the outer loop, and write what is done inside as expressions over whole slices of ");
      help.Add(match::Quoted(array));
    }
    return help.Add(": each pass of ")
        .Add(match::Quoted(program.loops[loop].header_span))
        .Add(" needs the one before, but those of ")
        .Add(match::Quoted(program.loops[free].header_span))
        .Add(" do not need each other");
  }
  if (kind == LoopKind::kRecurrence && match::IsWavefront(facts, loop, table)) {
    return Text("each entry needs its neighbours, but those of one anti-diagonal of ")
        .Add(match::Quoted(array))
        .Add(
            " do not need each other: go over the diagonals, each of them one array; where there are many tables, work "
            "on all of them side by side, one array axis for each");
  }
  if (kind == LoopKind::kRecurrence) {
    return Text(
               "each trip needs the one before: a running sum or product has a whole-array form (`np.cumsum`), any "
               "other recurrence over ")
        .Add(match::Quoted(array))
        .Add(" stays sequential; then run many of them side by side, one array axis for each");
  }
  if (const Span carried = match::CarriedArray(facts, loop); kind == LoopKind::kRow && !carried.empty()) {
    return Text("trips read what other trips write to ")
        .Add(match::Quoted(carried))
        .Add(": that order stays; run many of them side by side, one array axis for each");
  }
  if (kind == LoopKind::kRow && WritesRowsOfLibraries(facts, loop, fact)) {
    return Text(
               "another library makes these slabs on the host: fill an array of host NumPy (`onp`) with them, and "
               "convert ")
        .Add(match::Quoted(array))
        .Add(" once after the loop, `np.asarray(")
        .Add(array, Binding::kPrimary)
        .Add(")`");
  }
  if (kind == LoopKind::kRow) {
    const bool columns = GoesOverColumns(facts, loop, fact);
    if (const Span function = HandedOver(facts, loop); !function.empty()) {
      return Text("what callers hand over as ")
          .Add(match::Quoted(function))
          .Add(columns ? " has to take all columns of " : " has to take all rows of ")
          .Add(match::Quoted(array))
          .Add(" at once, with an axis (`axis=`), before this loop can go");
    }
    if (const Span pieces = AddsToPieces(facts, loop, fact); !pieces.empty() && pieces != array && !columns) {
      return Text("work on all rows of ")
          .Add(match::Quoted(array))
          .Add(" at once; where the pieces of ")
          .Add(match::Quoted(pieces))
          .Add(
              " overlap, cut the rows into blocks as long as the step from piece to piece, and add the first block of "
              "all rows, then the second: as many slices as a row has blocks");
    }
    Text help(columns ? "work on all columns of " : "work on all rows of ");
    help.Add(match::Quoted(array)).Add(" at once");
    if (columns) return help.Add(", with the axis of the columns in each operator and reduction");
    // `gain` of `spec[c] * gain[c]`: one number per row.
    const auto number = std::find_if(fact.accesses.begin(), fact.accesses.end(), [&](const LoopFact::Access& access) {
      return !access.write && !access.offset && facts.RankOf(facts.program().Operand(access.op, 0)) == 1;
    });
    if (number == fact.accesses.end()) return help.Add(", with the axis of the rows in each operator and reduction");
    const Span per_row = facts.program().OperandSpan(number->op, 0);
    int rank = 2;
    for (const LoopFact::Access& access : fact.accesses)
      rank = std::max(rank, facts.RankOf(facts.program().Operand(access.op, 0)));
    help.Add("; what has one number per row gets the other axes: `").Add(per_row, Binding::kPrimary).Add("[:");
    for (int axis = 1; axis < rank; ++axis) help.Add(", None");
    return help.Add("]`");
  }
  if (MovesOnSomeTrips(facts, loop, fact)) {
    return Text("its counter moves on some trips only: to look sorted values up in ")
        .Add(match::Quoted(array))
        .Add(" at once use `np.searchsorted`, to keep some of them a mask (`x[x > 0]`)");
  }
  return Text("work on ")
      .Add(match::Quoted(array))
      .Add(
          " as a whole: tests become `np.where`, running sums `np.sum`, offsets slices, the counter itself "
          "`np.arange`");
}

// Doctor counts `a[i, :]`, a slice beside a number, and single elements; `a[i]` of a matrix it does not.
std::string_view DoctorOfRows(const Facts& facts, const LoopFact& fact) {
  bool elements = false;
  for (const LoopFact::Access& access : fact.accesses) {
    const analysis::SubscriptResult& subscript = facts.SubscriptOf(access.op);
    if (facts.RankOf(facts.program().Operand(access.op, 0)) != static_cast<int>(subscript.keys.size())) continue;
    const auto has = [&](analysis::KeyKind kind) {
      return std::ranges::find(subscript.keys, kind, &analysis::Key::kind) != subscript.keys.end();
    };
    if (has(analysis::KeyKind::kSlice) && has(analysis::KeyKind::kInteger)) return "repeated slice access";
    elements |= subscript.selects == analysis::SubscriptResult::Selects::kElement;
  }
  return elements ? "repeated scalar access" : "";
}

// Fires when
//   1. the loop selects single elements of arrays by its induction value (element loop, recurrence), or independent
//      slabs (row loop), or puts elements at positions that move by themselves,
//   2. the trip count is not known to be below 8,
//   3. such an access happens on at least one trip in ten,
//   4. a row loop carries nothing from trip to trip but sums.
void OnLoop(const Facts& facts, ir::LoopId loop, Trial& trial) {
  const LoopFact& fact = facts.LoopFactOf(loop);
  const bool row = fact.kind == LoopKind::kRow;
  if (!trial.Holds(1, row || fact.kind == LoopKind::kElement || fact.kind == LoopKind::kRecurrence)) return;
  if (!trial.Holds(2, !facts.TripsKnownBelow(loop, kUnrolled))) return;
  const LoopFact::Access* access = Chief(facts, loop, fact, true);
  if (!trial.Holds(3, access != nullptr) || access == nullptr) return;
  if (!trial.Holds(4, !row || !fact.carried)) return;
  const bool put_away = row && std::ranges::all_of(fact.accesses, [&](const LoopFact::Access& one) {
                          return analysis::IsPutAway(facts, one.op, loop);
                        });
  if (trial.Quiet('d', put_away)) return;
  const std::int64_t split = trial.target().split;
  if (trial.Quiet('g', row && (HasWideSlab(facts, fact, split) || ComputesOnMore(facts, loop, fact, split)))) return;
  if (trial.Quiet('i', row && OnlyFeedsLibraries(facts, loop, fact))) return;
  if (trial.Quiet('h', row && match::RowsGoBesideRuns(facts, loop))) return;

  const ir::Program& program = facts.program();
  const ir::ValueId read = FirstSubscript(facts, loop, access->op);
  const ir::ValueId base = program.Operand(read, 0);
  const Span array = program.OperandSpan(read, 0);
  const Span header = program.loops[loop].header_span;
  Trial::Report report = trial.ReportLoop(loop);
  report.Arg("array", array).Root(facts.RootOf(base));
  // One access on firm ground makes the loop what it is, whatever else it touches.
  const ir::ValueId firmest = program.Operand(Chief(facts, loop, fact, false)->op, 0);
  report.Evidence(facts.Of(firmest).evidence).Severity(row ? Severity::kWarning : Severity::kError);
  if (fact.possible || (fact.evidence & analysis::kContradicted) != 0 ||
      (row && WritesRowsOfUnknown(facts, loop, fact)))
    report.Confidence(Confidence::kPossible);
  report.PrimaryLabel(match::RunsText(facts, loop));
  match::TellOrigin(facts, base, header, report);
  const std::size_t places = fact.accesses.size();
  // An item may be an element or a slab.
  const bool open =
      row && (facts.RankOf(base) < 0 || std::ranges::any_of(facts.SubscriptOf(read).keys, [](const analysis::Key& key) {
                return key.kind == analysis::KeyKind::kUnknown;
              }));
  const bool columns = row && GoesOverColumns(facts, loop, fact);
  Text what = columns         ? "one column per trip"
              : open          ? "one item per trip"
              : row           ? "one slab per trip"
              : access->write ? "writes one element: a task of its own"
                              : "reads one element: a task of its own";
  if (places > 1)
    what.Add(", as at ").Add(std::to_string(places - 1)).Add(places > 2 ? " other places" : " other place");
  report.Label(array, what);
  report.Help(Help(facts, loop, fact, base, array));
  if (row) report.Doctor(DoctorOfRows(facts, fact));
  if (row) report.Message(columns ? "loop over the columns of `{array}`" : "row loop over `{array}`");
  if (open && !columns) report.Message("loop over `{array}`, one item per trip");
  if (fact.kind == LoopKind::kRecurrence) report.Message("element loop over `{array}`, each trip needs an earlier one");
  if (row)
    report.Why(
        "each item of a cuPyNumeric array, element or slab, is a task of its own; one too small to be split leaves the "
        "other processors idle (26.07)");
}

}  // namespace

extern constinit const Rule kRule;
constinit const Rule kRule = {
    .code = 101,
    .slug = "element-loop",
    .family = Family::kBlocks,
    .severity = Severity::kError,
    .cold = Severity::kWarning,
    .summary = "a Python loop works on an array element by element, or on small slabs one by one",
    .message = "element loop over `{array}`",
    .why =
        "each scalar subscript of a cuPyNumeric array is a task of its own, and so is each operator on what it gives "
        "(26.07)",
    .details = R"md(
A loop selects single elements of an array by its counter. In NumPy this is slow; in cuPyNumeric each access and each
operator on the 0-d array it gives launches a task of its own, so a loop over a million elements launches several million
tasks, one after the other, whatever the number of GPUs. Nothing waits as long as values stay on the device; tests,
`math.*` functions and conversions in the body wait as well.

**Fires when**

1. the loop selects single elements of an array by its counter (element loop, recurrence) or independent slabs (row loop),
   or does nothing with whole arrays and puts single elements at positions that Python draws or carries on from pass to
   pass: `S[random.randrange(n)] -= 1`
2. the trip count is not known to be below 8
3. such an access happens on at least one trip in ten
4. a row loop carries nothing from trip to trip but sums

A row loop is a warning: each slab is one task, which wastes the other processors as long as a slab is too small to be split.

**Stays quiet**

- (a) axis loops over a few components: `for c in range(3): flux[c] = vel[c] * rho`
- (b) sweeps, where a slab depends on the one before: `path[:, t] = path[:, t-1] * growth`
- (c) histories and tables of scalars: `hist[step] = np.sum(u)`, `dt[step]`, `c[i] * f[i].sum()`, also where the loop tests what it has written there
- (d) lists and dicts of arrays, also where the loop does no more than put rows of an array into one, `rows[name] = table[i]`,
  which are views and no tasks, and arrays of host NumPy
- (e) a constant index in a loop: `grid[0, 0]`
- (f) functions that numba or another compiler compiles
- (g) row loops whose slabs are known to be large enough to be split over the processors, or whose trips compute on arrays
  as large as that and eight times as large as their slabs: `sino[k] = np.histogram(t * theta[k], ...)[0]`
- (h) row loops whose trips call a function that makes many steps on arrays of its own, into which no row goes:
  `record = model.run(k); misfit += np.sum((record - data[k]) ** 2)`
- (i) row loops whose slabs go to another library and nowhere else: `sns.kdeplot(samples[:, j], ax=ax)`, which is
  R117, also where a row that the library gives back is written: `up[:, j] = spline(x)`

A loop is *possible* and no more where defaults, constants that callers hand over, or names say that it makes fewer than
eight passes: `range(order + 1)`, `range(n_channels)`, `for spin in range(n)`. So is a loop over functions, of which a program names a few.

Where an outer loop carries something on and the passes of the loop inside do not need each other, as in a sweep column by
column, the help keeps the outer loop and writes the inner one as expressions over whole slices.

Entries of a table that need their neighbours above and to the left, as in alignments and sweeps of Gauss and Seidel, do not
need those of their anti-diagonal: the help says so where every subscript in the nest shows it.

The migration guide counts one task per trip; it is one per access and one per operator. What else an element loop causes
in its body (waits, branches, conversions) is told as a part of this finding.
)md",
    .bad = R"py(import numpy as np


def decay(n, k):
    q = np.ones(n)
    e = np.linspace(0.0, 1.0, n)
    for j in range(n):
        q[j] = q[j] - k * q[j] * e[j]
    return q
)py",
    .good = R"py(import numpy as np


def decay(n, k):
    q = np.ones(n)
    e = np.linspace(0.0, 1.0, n)
    q -= k * q * e
    return q
)py",
    .recipe = "RR-loop",
    .fix = FixClass::kSafe,
    .doctor = "repeated scalar access",
    .on_loop = &OnLoop,
};

}  // namespace cpnlint::rules::r101
