#include "rules/verdict/weight.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "analyzer/analysis/call_path.h"
#include "analyzer/analysis/call_trips.h"
#include "analyzer/analysis/data_lengths.h"
#include "analyzer/analysis/slot_values.h"
#include "analyzer/analysis/work.h"
#include "analyzer/api/api.h"
#include "rules/engine/runner.h"
#include "rules/verdict/pattern.h"

namespace cpnlint::verdict {
namespace {

using analysis::Facts;

constexpr int kMostCallDepth = 12;
constexpr double kMost = 1e18;    // of passes: shares stay finite
constexpr double kLeast = 1e-70;  // of them behind a long chain of tests: as good as never

// Axes of the widest array that the program works on: a default array has the same number of elements with any rank.
int WidestRank(const Facts& facts) {
  int widest = 1;
  for (std::size_t i = 0; i < facts.program().ops.size(); ++i) {
    if (facts.IsDevice(ir::ValueId(i))) widest = std::max(widest, facts.RankOf(ir::ValueId(i)));
  }
  return std::min(widest, 3);
}

// `total = total + part`, and not `level = 0.9 * level + part`
bool IsPartOfSum(const Facts& facts, ir::ValueId user) {
  const ir::Program& program = facts.program();
  const ir::OpKind kind = program.ops[user].kind;
  if (kind != ir::OpKind::kBinary && kind != ir::OpKind::kInplaceBinary) return false;
  return std::ranges::any_of(facts.UsesOf(user),
                             [&](ir::ValueId next) { return program.ops[next].kind == ir::OpKind::kPhi; });
}

// An array or a number of the device goes from pass to pass, and not only into a sum.
bool CarriesArray(const Facts& facts, ir::LoopId loop) {
  const ir::Program& program = facts.program();
  for (const ir::ValueId phi : program.blocks[program.loops[loop].header].ops) {
    if (program.ops[phi].kind != ir::OpKind::kPhi) break;
    if (!facts.IsDevice(phi)) continue;
    std::size_t uses = 0;
    bool only_sums = true;
    for (const ir::ValueId user : facts.UsesOf(phi)) {
      if (program.ops[user].kind == ir::OpKind::kPhi || !facts.InLoop(user, loop)) continue;
      ++uses;
      only_sums = only_sums && IsPartOfSum(facts, user);
    }
    if (uses > 1 || !only_sums) return true;
  }
  return false;
}

// An array or an object that the passes write is read by others: `y[i] = y[i - 1] + x`, `self.state = f(self.state)`.
// `k[cell] += part` is a sum.
bool KeepsState(const Facts& facts, ir::LoopId loop) {
  const ir::Program& program = facts.program();
  std::unordered_map<ir::ValueId, ir::StatementId> written;
  const auto ops_inside = [&](auto see) {
    for (const ir::BlockId block : program.functions[program.loops[loop].function].blocks) {
      for (const ir::ValueId op : program.blocks[block].ops) {
        if (facts.InLoop(op, loop) && see(op)) return true;
      }
    }
    return false;
  };
  const bool in_objects = ops_inside([&](ir::ValueId op) {
    const ir::Op& record = program.ops[op];
    if (record.kind == ir::OpKind::kStoreSubscript) written[facts.RootOf(program.Operand(op, 0))] = record.statement;
    if (record.kind == ir::OpKind::kCall) return facts.CalleeOf(op).receiver.valid() && !facts.IsArrayWork(op);
    // What nobody loads is a variable of the module's own code, whose values are seen without it.
    const bool shared =
        record.kind == ir::OpKind::kStoreCell && !program.cells[ir::CellId(record.payload)].loads.empty();
    return shared || record.kind == ir::OpKind::kStoreAttr;
  });
  return in_objects || ops_inside([&](ir::ValueId op) {
           if (program.ops[op].kind != ir::OpKind::kSubscript) return false;
           const auto store = written.find(facts.RootOf(program.Operand(op, 0)));
           return store != written.end() && store->second != program.ops[op].statement;
         });
}

// Each pass is a problem of its own: a row, an element with all that belongs to it, a piece of an array, an object.
bool WalksProblems(const Facts& facts, ir::LoopId loop) {
  switch (facts.LoopFactOf(loop).kind) {
    case analysis::LoopKind::kRow: return true;
    case analysis::LoopKind::kIter:
      return !facts.LoopFactOf(loop).carried && !CarriesArray(facts, loop) && !KeepsState(facts, loop);
    case analysis::LoopKind::kElement:
    case analysis::LoopKind::kChunk:
    case analysis::LoopKind::kItem: return !CarriesArray(facts, loop);
    // `[simulate(rng) for _ in range(cells)]`: no pass of a comprehension sees another's result.
    case analysis::LoopKind::kStep: return facts.program().loops[loop].kind == ir::Loop::Kind::kComprehension;
    default: return false;
  }
}

}  // namespace

Frequencies::Frequencies(const Facts& facts) : facts_(facts) {
  extent_ = std::round(std::pow(kDefaultElements, 1.0 / WidestRank(facts)));
  for (std::size_t i = 0; i < facts.program().loops.size(); ++i)
    trips_.push_back(facts.LoopFactOf(ir::LoopId(i)).trips);
  MeasureGuards();
  FindCalled();
  blocks_.resize(facts.program().blocks.size());
  SpreadThroughCalls();
  if (!CountForCalls()) return;
  blocks_.assign(blocks_.size(), {});
  SpreadThroughCalls();
}

double Frequencies::TripsOf(ir::LoopId loop) const {
  const ir::DimId trips = trips_[loop.index()];
  if (const auto known = facts_.store().dims().AsConst(trips)) return std::max<double>(0, double(*known));
  if (IsFrontierLoop(facts_, loop)) return extent_;  // visits every node
  return analysis::AssumedTripsOf(facts_, loop, trips, extent_);
}

// `smooth(u, 2)` in a loop and `smooth(u, 50)` before it: two passes. False where that changes nothing.
bool Frequencies::CountForCalls() {
  bool changed = false;
  for (std::size_t i = 0; i < trips_.size(); ++i) {
    const ir::DimId before = trips_[i];
    if (facts_.store().dims().Symbols(before).empty()) continue;
    ir::FunctionId function = facts_.program().loops[ir::LoopId(i)].function;
    for (int depth = 0; depth < kMostCallDepth; ++depth) {
      const ir::ValueId call = MostFrequentCallOf(function);
      if (!call.valid()) break;
      trips_[i] = analysis::HandedOverIn(facts_, trips_[i], call, function);
      function = facts_.program().FunctionOf(call);
    }
    changed = changed || trips_[i] != before;
  }
  return changed;
}

ir::ValueId Frequencies::MostFrequentCallOf(ir::FunctionId function) {
  ir::ValueId most;
  for (const ir::ValueId call : facts_.CallSitesOf(function)) {
    if (facts_.program().FunctionOf(call) == function) continue;  // recursion
    if (!most.valid() || Of(facts_.program().ops[call].block) > Of(facts_.program().ops[most].block)) most = call;
  }
  return most;
}

// A guard is made after the one around it.
void Frequencies::MeasureGuards() {
  const ir::Program& program = facts_.program();
  guards_.reserve(program.guards.size());
  for (std::size_t i = 0; i < program.guards.size(); ++i) {
    const ir::Guard& guard = program.guards[ir::GuardId(i)];
    const double period = facts_.GuardPeriod(ir::GuardId(i));
    const double around = guard.parent.valid() ? guards_[guard.parent.index()] : 1;
    guards_.push_back(std::max(kLeast, around / (period > 1 ? period : guard.truth.valid() ? 2 : 1)));
  }
}

Frequencies::Passes Frequencies::Local(ir::BlockId block_id) const {
  const ir::Program& program = facts_.program();
  const ir::Block& block = program.blocks[block_id];
  Passes passes;
  passes.local = 0;
  if (block.ops.empty() || facts_.IsDead(block_id)) return passes;
  passes.local = block.guard.valid() ? guards_[block.guard.index()] : 1;
  for (ir::LoopId loop = block.loop; loop.valid(); loop = program.loops[loop].parent) {
    const bool known = facts_.store().dims().AsConst(trips_[loop.index()]).has_value();
    const double trips = TripsOf(loop);
    passes.local *= trips;
    passes.known = passes.known && known;
    if (WalksProblems(facts_, loop)) passes.problems *= known ? trips : std::numeric_limits<double>::infinity();
  }
  passes.local = std::min(passes.local, kMost);
  return passes;
}

const Frequencies::Passes& Frequencies::PassesOf(ir::BlockId block_id) {
  Passes& passes = blocks_[block_id.index()];
  if (passes.local < 0) passes = Local(block_id);
  return passes;
}

// Reached from a hot loop through an object that nothing is known of.
double Frequencies::OutsideOf(ir::BlockId block_id) {
  Passes& passes = blocks_[block_id.index()];
  if (passes.outside >= 0) return passes.outside;
  passes.outside = 1;
  if (passes.local == 0) return 1;
  const ir::Program& program = facts_.program();
  const ir::Block& block = program.blocks[block_id];
  const analysis::Heat& heat = facts_.HeatOf(block.ops.front());
  if (heat.callback.valid()) {
    passes.outside = analysis::kDriverCalls;
  } else if (heat.region.valid() && program.loops[heat.region].function != block.function) {
    passes.outside = TripsOf(heat.region);
  }
  return passes.outside;
}

// The most frequent call decides: what a function costs belongs to its heaviest
// region. A function is looked at again where a caller of it has changed.
void Frequencies::SpreadThroughCalls() {
  const ir::Program& program = facts_.program();
  functions_.assign(program.functions.size(), {});
  for (std::size_t f = 0; f < functions_.size(); ++f) functions_[f].known = called_[f];
  std::vector<std::vector<std::uint32_t>> called_from(program.functions.size());
  for (std::uint32_t f = 0; f < program.functions.size(); ++f) {
    for (const ir::ValueId call : facts_.CallSitesOf(ir::FunctionId(f))) {
      std::vector<std::uint32_t>& called = called_from[program.FunctionOf(call).index()];
      if (called.empty() || called.back() != f) called.push_back(f);
    }
  }
  std::vector<bool> open(program.functions.size(), true);
  for (int round = 0; round < kMostCallDepth; ++round) {
    bool changed = false;
    for (std::size_t f = 0; f < program.functions.size(); ++f) {
      if (!open[f]) continue;
      open[f] = false;
      Calls most = functions_[f];
      for (const ir::ValueId call : facts_.CallSitesOf(ir::FunctionId(f))) {
        if (program.FunctionOf(call).index() == f) continue;  // recursion
        const ir::BlockId block = program.ops[call].block;
        if (const double passes = Of(block); passes > most.passes) most = {passes, ProblemsOf(block), IsKnown(block)};
      }
      if (most.passes > functions_[f].passes) {
        functions_[f] = most;
        changed = true;
        for (const std::uint32_t called : called_from[f]) open[called] = true;
      }
    }
    if (!changed) break;
  }
}

void Frequencies::FindCalled() {
  const ir::Program& program = facts_.program();
  called_.assign(program.functions.size(), false);
  for (std::size_t f = 0; f < program.functions.size(); ++f) {
    const ir::Function::Kind kind = program.functions[ir::FunctionId(f)].kind;
    called_[f] = kind == ir::Function::Kind::kModule || kind == ir::Function::Kind::kClassBody;
  }
  for (int round = 0; round < kMostCallDepth; ++round) {
    bool changed = false;
    for (std::size_t f = 0; f < program.functions.size(); ++f) {
      if (called_[f]) continue;
      for (const ir::ValueId call : facts_.CallSitesOf(ir::FunctionId(f))) {
        if (!called_[program.FunctionOf(call).index()]) continue;
        called_[f] = changed = true;
        break;
      }
    }
    if (!changed) break;
  }
}

const Frequencies::Calls& Frequencies::CallsOf(ir::BlockId block) const {
  return functions_[facts_.program().blocks[block].function.index()];
}

double Frequencies::Of(ir::BlockId block) {
  const Passes& passes = PassesOf(block);
  const double calls = CallsOf(block).passes;
  return std::min(passes.local * (calls > 1 ? calls : OutsideOf(block)), kMost);
}

double Frequencies::ProblemsOf(ir::BlockId block) { return PassesOf(block).problems * CallsOf(block).problems; }

bool Frequencies::IsKnown(ir::BlockId block) {
  const Passes& passes = PassesOf(block);
  return passes.known && CallsOf(block).known && OutsideOf(block) == 1;
}

double WeightOf(std::optional<std::int64_t> volume) {
  const double elements = volume ? static_cast<double>(*volume) : kDefaultElements;
  return std::max(1.0, elements / kElementsPerLaunch);
}

namespace {

// What calls hand over for the parameter; false where one is not known.
bool AddHandedOver(const Facts& facts, ir::ValueId param, std::vector<ir::ValueId>& values) {
  const std::vector<analysis::Handed> all = analysis::AllHandedOver(facts, param);
  for (const analysis::Handed& handed : all) {
    if (!handed.known || !facts.IsDevice(handed.value)) return false;
    values.push_back(handed.value);
  }
  return !all.empty();
}

// The number that a size is; with `usual` also one by the defaults of options, calls and branches (Facts::UsualCount).
std::optional<std::int64_t> NumberOf(const Facts& facts, ir::DimId size, bool usual) {
  const ir::DimStore& dims = facts.store().dims();
  if (const auto known = dims.AsConst(size); known || !usual || !size.valid()) return known;
  const std::vector<Symbol> symbols = dims.Symbols(size);
  const auto has_count = [&](Symbol symbol) { return facts.UsualCount(symbol).has_value(); };
  if (symbols.empty() || !std::ranges::all_of(symbols, has_count)) return std::nullopt;
  const auto number =
      dims.Evaluate(size, [&](Symbol symbol, std::uint32_t) { return facts.UsualCount(symbol).value_or(1); });
  if (!number || *number < 0 || *number > 1e15) return std::nullopt;
  return static_cast<std::int64_t>(*number);
}

// Elements at most: what a mask or a slice selects is no more than there is to select from, a variable no more than the
// largest that it is bound to.
std::optional<std::int64_t> VolumeBound(const Facts& facts, ir::ValueId array, bool usual) {
  constexpr std::size_t kMostValues = 32;
  const ir::Program& program = facts.program();
  std::vector<ir::ValueId> work = {array}, seen;
  std::int64_t bound = 0;
  for (std::size_t i = 0; i < work.size(); ++i) {
    const ir::ValueId value = work[i].valid() ? facts.Source(work[i]) : work[i];
    if (!value.valid() || !facts.IsDevice(value) || std::ranges::find(seen, value) != seen.end()) continue;
    seen.push_back(value);
    if (const auto volume = NumberOf(facts, facts.VolumeOf(value), usual)) {
      bound = std::max(bound, *volume);
      continue;
    }
    if (work.size() > kMostValues) return std::nullopt;
    const api::Entry* row =
        program.ops[value].kind == ir::OpKind::kCall ? api::Find(facts.CalleeOf(value).name) : nullptr;
    const bool elementwise = row != nullptr && row->kind == api::Kind::kUfunc;
    switch (elementwise ? ir::OpKind::kBinary : program.ops[value].kind) {
      case ir::OpKind::kCall: {
        const auto count = NumberOf(facts, analysis::UsualCount(facts, value), usual);
        if (!count) return std::nullopt;
        bound = std::max(bound, *count);
        break;
      }
      case ir::OpKind::kSubscript: {
        if (!facts.IsArray(program.Operand(value, 0))) {  // `rows["a"]`: what the program puts there
          const auto held = analysis::SlotValues(facts, value);
          if (!held || !std::ranges::all_of(*held, [&](ir::ValueId one) { return facts.IsDevice(one); }))
            return std::nullopt;
          work.insert(work.end(), held->begin(), held->end());
          break;
        }
        const bool part = facts.SubscriptOf(value).selects == analysis::SubscriptResult::Selects::kView;
        if (!part && !facts.Of(value).unbounded) return std::nullopt;
        work.push_back(program.Operand(value, 0));
        break;
      }
      case ir::OpKind::kParam:
        if (!AddHandedOver(facts, value, work)) return std::nullopt;
        break;
      case ir::OpKind::kPhi:
        for (const ir::ValueId operand : program.Operands(value)) {
          if (operand.valid() && facts.Of(operand).kind == analysis::Kind::kUnknown) return std::nullopt;
          work.push_back(operand);
        }
        break;
      case ir::OpKind::kBinary:
      case ir::OpKind::kInplaceBinary:
      case ir::OpKind::kUnary:
      case ir::OpKind::kCompare:
        if (facts.RankOf(value) != 1) return std::nullopt;  // two of them may span a table
        for (const ir::ValueId operand : program.Operands(value)) {
          if (operand.valid()) work.push_back(operand);
        }
        break;
      default: return std::nullopt;
    }
  }
  return bound;
}

// Of what the op works on.
std::optional<std::int64_t> Largest(const Facts& facts, ir::ValueId op, bool usual) {
  const ir::Program& program = facts.program();
  std::int64_t largest = 0;
  const auto see = [&](ir::ValueId value) {
    if (!facts.IsDevice(value)) return true;
    const auto volume = VolumeBound(facts, value, usual);
    if (volume) largest = std::max(largest, *volume);
    return volume.has_value();
  };
  // `traj[i]` of a table works on one row of it.
  const ir::OpKind kind = program.ops[op].kind;
  const bool selects = kind == ir::OpKind::kSubscript || kind == ir::OpKind::kStoreSubscript;
  if (selects && facts.SubscriptOf(op).selects == analysis::SubscriptResult::Selects::kView) {
    const analysis::Value& part = facts.SubscriptOf(op).value;
    if (const auto volume = NumberOf(facts, analysis::Volume(facts.store(), part), usual)) return volume;
  }
  bool known = see(op);
  for (const ir::ValueId operand : program.Operands(op)) known = see(operand) && known;
  if (program.ops[op].kind == ir::OpKind::kCall) {
    // A method's array is what its name was taken from.
    const analysis::Callee& callee = facts.CalleeOf(op);
    if (callee.kind == analysis::Callee::Kind::kMethod) known = see(callee.receiver) && known;
  }
  if (!known) return std::nullopt;
  return largest;
}

}  // namespace

std::optional<std::int64_t> LargestVolume(const Facts& facts, ir::ValueId op) { return Largest(facts, op, false); }

std::optional<std::int64_t> UsualVolume(const Facts& facts, ir::ValueId op) {
  const std::optional<std::int64_t> volume = Largest(facts, op, true);
  return volume == 0 ? std::nullopt : volume;  // its arrays are those of another library
}

namespace {

// What a factorisation of order n takes, in n^3 additions and multiplications.
struct Cubic {
  std::string_view name;
  double factor;
};
constexpr std::array kFactorisations = {
    Cubic{"cholesky", 0.33}, Cubic{"solve", 0.67}, Cubic{"det", 0.67}, Cubic{"slogdet", 0.67}, Cubic{"inv", 2},
    Cubic{"qr", 4},          Cubic{"eigvalsh", 4}, Cubic{"lstsq", 4},  Cubic{"eigh", 9},       Cubic{"eigvals", 10},
    Cubic{"matrix_rank", 4}, Cubic{"svd", 20},     Cubic{"pinv", 20},  Cubic{"eig", 25},
};

// 0 where the sizes do not tell.
double FlopsOfProduct(const Facts& facts, ir::ValueId op, ir::ValueId left, ir::ValueId right) {
  const auto& dims = facts.store().dims();
  const int rank = facts.RankOf(left);
  if (rank < 1 || facts.RankOf(right) < 1) return 0;
  const auto length = dims.AsConst(facts.ExtentOf(left, rank - 1)), volume = dims.AsConst(facts.VolumeOf(op));
  return length && volume ? 2.0 * static_cast<double>(*length) * static_cast<double>(*volume) : 0;
}

double FlopsOfFactorisation(const Facts& facts, ir::ValueId matrix, double factor) {
  const auto& dims = facts.store().dims();
  const int rank = facts.RankOf(matrix);
  if (rank < 2) return 0;
  const auto rows = dims.AsConst(facts.ExtentOf(matrix, rank - 2)),
             columns = dims.AsConst(facts.ExtentOf(matrix, rank - 1));
  const auto volume = dims.AsConst(facts.VolumeOf(matrix));
  if (!rows || !columns || !volume) return 0;
  return factor * static_cast<double>(*volume) * static_cast<double>(std::min(*rows, *columns));
}

double FlopsOf(const Facts& facts, ir::ValueId op) {
  const ir::Program& program = facts.program();
  const ir::Op& record = program.ops[op];
  if (record.kind == ir::OpKind::kBinary || record.kind == ir::OpKind::kInplaceBinary) {
    const bool product = static_cast<ir::BinaryOp>(record.detail) == ir::BinaryOp::kMatMul;
    return product ? FlopsOfProduct(facts, op, program.Operand(op, 0), program.Operand(op, 1)) : 0;
  }
  if (record.kind != ir::OpKind::kCall) return 0;
  const analysis::Callee& callee = facts.CalleeOf(op);
  if (callee.library != analysis::Library::kDevice) return 0;
  const bool method = callee.kind == analysis::Callee::Kind::kMethod;
  if (callee.name == "numpy.ndarray.dot" && method) {
    return FlopsOfProduct(facts, op, callee.receiver, program.Operand(op, 1));
  }
  if (callee.name == "numpy.dot" || callee.name == "numpy.matmul") {
    return FlopsOfProduct(facts, op, program.Operand(op, 1), program.Operand(op, 2));
  }
  constexpr std::string_view kModule = "numpy.linalg.";
  if (!callee.name.starts_with(kModule)) return 0;
  const std::string_view name = callee.name.substr(kModule.size());
  const auto* const row =
      std::find_if(kFactorisations.begin(), kFactorisations.end(), [&](const Cubic& one) { return one.name == name; });
  return row == kFactorisations.end() ? 0 : FlopsOfFactorisation(facts, program.Operand(op, 1), row->factor);
}

}  // namespace

double WeightOf(const Facts& facts, ir::ValueId op, std::optional<std::int64_t> volume) {
  if (!volume) volume = UsualVolume(facts, op);
  return std::max(WeightOf(volume), FlopsOf(facts, op) / (kFlopsPerElement * kElementsPerLaunch));
}

}  // namespace cpnlint::verdict
