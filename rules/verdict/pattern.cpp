#include "rules/verdict/pattern.h"

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <unordered_map>
#include <vector>

#include "analyzer/analysis/foreign_looks.h"
#include "rules/match/device_call.h"
#include "rules/match/same_expression.h"

namespace cpnlint::verdict {
namespace {

using analysis::Callee;
using analysis::Facts;
using analysis::SubscriptResult;
using ir::OpKind;
using ir::ValueId;
using rules::match::IsOneOf;

struct PatternInfo {
  std::string_view name;
  std::string_view scaling;
  bool bad;
};
constexpr std::array<PatternInfo, kPatterns> kInfo = {{
    {"stencil", "excellent", false},
    {"dense-linalg", "excellent for products, by thresholds for factorisations", false},
    {"reduction", "excellent", false},
    {"elementwise", "excellent", false},
    {"monte-carlo", "excellent", false},
    {"fft", "good, one GPU per transform", false},
    {"sparse", "bad", true},
    {"graph", "bad", true},
    {"ml", "bad", true},
    {"string", "bad", true},
    {"sequential", "bad unless many series run side by side", true},
    {"scipy-heavy", "mixed: isolate", false},
}};

std::string_view BaseName(std::string_view dotted) {
  const std::size_t dot = dotted.rfind('.');
  return dot == std::string_view::npos ? dotted : dotted.substr(dot + 1);
}

bool StartsWith(std::string_view dotted, std::string_view module) {
  return dotted.substr(0, module.size()) == module && (dotted.size() == module.size() || dotted[module.size()] == '.');
}

bool IsReduction(std::string_view name) {
  return IsOneOf(
      name, {"sum",        "prod",     "mean",      "max",       "min",     "amax",          "amin",      "any",
             "all",        "argmax",   "argmin",    "trace",     "var",     "std",           "nansum",    "nanprod",
             "nanmean",    "nanmax",   "nanmin",    "average",   "median",  "norm",          "histogram", "bincount",
             "dot",        "vdot",     "inner",     "cumsum",    "cumprod", "count_nonzero", "allclose",  "array_equal",
             "percentile", "quantile", "nanargmax", "nanargmin", "ptp"});
}

bool IsDenseLinalg(std::string_view name) {
  if (StartsWith(name, "numpy.linalg")) return BaseName(name) != "norm";
  return IsOneOf(BaseName(name), {"matmul", "einsum", "tensordot", "multi_dot", "outer", "kron"});
}

// dot and inner of matrices are products, of vectors reductions.
bool HasMatrixOperand(const Facts& facts, ValueId op) {
  const auto operands = facts.program().Operands(op);
  if (std::any_of(operands.begin(), operands.end(), [&](ValueId operand) { return facts.RankOf(operand) >= 2; })) {
    return true;
  }
  return facts.program().ops[op].kind == OpKind::kCall && facts.RankOf(facts.CalleeOf(op).receiver) >= 2;
}

bool IsSmallShift(const Facts& facts, ValueId call) {
  const auto shift = facts.IntOf(facts.Argument(call, 1, "shift"));
  return !shift || (*shift >= -3 && *shift <= 3);
}

// Where a slice begins along each axis, (1, 0) of `u[1:-1, :-2]`; kOther where a key is no plain slice.
using Shifts = std::vector<std::int64_t>;
constexpr std::int64_t kOther = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kFarthest = 8;  // of neighbours in a stencil

// Empty where that is no constant, no view, or a block: `x[:, 3:6]` is a part of x, and no neighbour of `x[:, 0:3]`.
Shifts ShiftsOf(const Facts& facts, ValueId subscript_op) {
  const SubscriptResult& subscript = facts.SubscriptOf(subscript_op);
  if (subscript.selects != SubscriptResult::Selects::kView) return {};
  const auto& dims = facts.store().dims();
  Shifts shifts;
  for (const analysis::Key& key : subscript.keys) {
    if (key.kind != analysis::KeyKind::kSlice || key.step_given) {
      shifts.push_back(kOther);
      continue;
    }
    const auto lower = key.lower_given ? dims.AsConst(key.lower) : std::optional<std::int64_t>(0);
    const auto upper = key.upper_given ? dims.AsConst(key.upper) : std::nullopt;
    if (!lower || *lower < -kFarthest || *lower > kFarthest || (upper && *upper > 0)) return {};
    shifts.push_back(*lower);
  }
  return shifts;
}

// Neighbours: they begin at other places of the same axes.
bool IsShifted(const Shifts& a, const Shifts& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t axis = 0; axis < a.size(); ++axis) {
    if ((a[axis] == kOther) != (b[axis] == kOther)) return false;
  }
  return a != b;
}

}  // namespace

std::string_view Name(Pattern pattern) { return kInfo[static_cast<std::size_t>(pattern)].name; }
std::string_view ScalingClass(Pattern pattern) { return kInfo[static_cast<std::size_t>(pattern)].scaling; }
bool IsBad(Pattern pattern) { return kInfo[static_cast<std::size_t>(pattern)].bad; }

ShiftedRoots::ShiftedRoots(const Facts& facts, ir::FunctionId function) : facts_(facts) {
  const ir::Program& program = facts.program();
  struct Slices {
    std::vector<Shifts> shifts;  // of the slices of an array, each once
    std::vector<ir::StatementId> statements;
  };
  std::unordered_map<ValueId, Slices> slices;
  for (const ir::BlockId block : program.functions[function].blocks) {
    for (const ValueId op : program.blocks[block].ops) {
      if (program.ops[op].kind != OpKind::kSubscript || !facts.IsDevice(op)) continue;
      const Shifts shifts = ShiftsOf(facts, op);
      const ValueId root = facts.RootOf(op);
      if (!root.valid() || shifts.empty()) continue;
      Slices& seen = slices[root];
      seen.statements.push_back(program.ops[op].statement);
      if (std::find(seen.shifts.begin(), seen.shifts.end(), shifts) != seen.shifts.end()) continue;
      const auto shifted = [&](const Shifts& other) { return IsShifted(other, shifts); };
      if (std::any_of(seen.shifts.begin(), seen.shifts.end(), shifted)) roots_.insert(root);
      seen.shifts.push_back(shifts);
    }
  }
  for (const ValueId root : roots_) {
    const Slices& found = slices.at(root);
    statements_.insert(found.statements.begin(), found.statements.end());
  }
}

bool ShiftedRoots::Feeds(ValueId op) const {
  if (roots_.empty()) return false;
  if (statements_.contains(facts_.program().ops[op].statement)) return true;
  const auto operands = facts_.program().Operands(op);
  return std::any_of(operands.begin(), operands.end(), [&](ValueId operand) {
    return operand.valid() && facts_.IsDevice(operand) && roots_.contains(facts_.RootOf(operand));
  });
}

Pattern PatternOfArrayWork(const Facts& facts, ValueId op, const ShiftedRoots& shifted) {
  const ir::Program& program = facts.program();
  const ir::Op& record = program.ops[op];
  const bool binary = record.kind == OpKind::kBinary || record.kind == OpKind::kInplaceBinary;
  if (binary && static_cast<ir::BinaryOp>(record.detail) == ir::BinaryOp::kMatMul) {
    return HasMatrixOperand(facts, op) ? Pattern::kDenseLinalg : Pattern::kReduction;
  }
  if (record.kind == OpKind::kCall) {
    const std::string_view name = facts.CalleeOf(op).name;
    const std::string_view base = BaseName(name);
    if (StartsWith(name, "numpy.fft")) return Pattern::kFft;
    if (StartsWith(name, "numpy.random")) return Pattern::kMonteCarlo;
    if (StartsWith(name, "numpy.char")) return Pattern::kString;
    if (IsOneOf(base, {"dot", "inner"}) && HasMatrixOperand(facts, op)) return Pattern::kDenseLinalg;
    if (IsDenseLinalg(name)) return Pattern::kDenseLinalg;
    if (IsReduction(base)) return Pattern::kReduction;
    if (base == "roll" && IsSmallShift(facts, op)) return Pattern::kStencil;
    if (IsOneOf(base, {"gradient", "diff", "convolve"})) return Pattern::kStencil;
  }
  return shifted.Feeds(op) ? Pattern::kStencil : Pattern::kElementwise;
}

bool PicksItems(const Facts& facts, ValueId draws) {
  const ir::Program& program = facts.program();
  const std::vector<ValueId> uses = facts.DeepUsesOf(draws);
  return !uses.empty() && std::all_of(uses.begin(), uses.end(), [&](ValueId use) {
    if (program.ops[use].kind != OpKind::kSubscript) return false;
    const auto keys = facts.KeysOf(use);
    return std::any_of(keys.begin(), keys.end(), [&](ValueId key) { return facts.Source(key) == facts.Source(draws); });
  });
}

bool IsTextMethod(const Facts& facts, ValueId call) {
  const ir::Program& program = facts.program();
  const ValueId callee = program.Operand(call, 0);
  if (!callee.valid() || program.ops[callee].kind != OpKind::kAttr) return false;
  const ValueId object = program.Operand(callee, 0);
  const analysis::Kind kind = facts.Of(object).kind;
  if (kind != analysis::Kind::kUnknown && kind != analysis::Kind::kStr) return false;
  return IsOneOf(program.Name(program.ops[callee]),
                 {"lower", "upper", "strip", "lstrip", "rstrip", "splitlines", "startswith", "endswith", "isalpha",
                  "isdigit", "isspace", "casefold", "capitalize", "removeprefix", "removesuffix", "rpartition"});
}

std::optional<Pattern> PatternOfForeignCall(const Facts& facts, ValueId call) {
  const Callee& callee = facts.CalleeOf(call);
  if (IsTextMethod(facts, call)) return Pattern::kString;
  const std::string_view name = callee.name;
  if (callee.kind == Callee::Kind::kContainerMethod) {
    // Formatting a line of output is no string processing.
    const bool text = name.starts_with("str.") && name != "str.format" && name != "str.join";
    return text ? std::optional(Pattern::kString) : std::nullopt;
  }
  if (callee.kind != Callee::Kind::kForeign || analysis::ReadsNoItems(name)) return std::nullopt;
  if (StartsWith(name, "scipy.sparse")) return Pattern::kSparse;
  for (const std::string_view library : {"networkx", "igraph", "graph_tool", "heapq"}) {
    if (StartsWith(name, library)) return Pattern::kGraph;
  }
  if (StartsWith(name, "collections.deque")) return Pattern::kGraph;
  for (const std::string_view library : {"sklearn", "torch", "tensorflow", "keras", "jax", "xgboost", "lightgbm"}) {
    if (StartsWith(name, library)) return Pattern::kMl;
  }
  for (const std::string_view library : {"re", "nltk", "spacy", "tokenizers", "string"}) {
    if (StartsWith(name, library)) return Pattern::kString;
  }
  for (const std::string_view library : {"scipy", "cv2", "skimage"}) {
    if (StartsWith(name, library)) return Pattern::kScipyHeavy;
  }
  return std::nullopt;
}

bool IsFrontierLoop(const Facts& facts, ir::LoopId loop_id) {
  const ir::Program& program = facts.program();
  const ir::Loop& loop = program.loops[loop_id];
  if (loop.kind != ir::Loop::Kind::kWhile || !loop.truth.valid()) return false;
  const ValueId tested = facts.Source(program.Operand(loop.truth, 0));
  if (!tested.valid()) return false;
  const analysis::Value& value = facts.Of(tested);
  if (value.kind == analysis::Kind::kList || value.kind == analysis::Kind::kSet) return true;
  return value.kind == analysis::Kind::kForeign && program.names.Text(value.name) == "collections.deque";
}

bool IsSeries(const Facts& facts, ir::LoopId loop) {
  const analysis::LoopFact& fact = facts.LoopFactOf(loop);
  return fact.kind == analysis::LoopKind::kIter && fact.carried && !fact.hands_out;
}

namespace {

// `a[3, i]`, and `a[i]` where the device holds the number.
bool IsElementAccess(const Facts& facts, ValueId op) {
  const SubscriptResult::Selects selects = facts.SubscriptOf(op).selects;
  const auto keys = facts.KeysOf(op);
  return selects == SubscriptResult::Selects::kElement ||
         (selects == SubscriptResult::Selects::kGather && std::all_of(keys.begin(), keys.end(), [&](ValueId key) {
            return !facts.IsArray(key) || facts.IsZeroD(key);
          }));
}

// A position that each trip takes from data or draws: `recv[p]`, `rng.integers(n)`, `int(order[i]) + 1`.
bool ComesFromData(const Facts& facts, ValueId key, ir::LoopId loop) {
  constexpr std::size_t kMostValues = 16;
  const ir::Program& program = facts.program();
  std::vector<ValueId> open = {key};
  for (std::size_t i = 0; i < open.size() && i < kMostValues; ++i) {
    const ValueId value = open[i].valid() ? facts.Source(open[i]) : open[i];
    if (!value.valid() || program.LoopOf(value) != loop) continue;
    const ir::Op& op = program.ops[value];
    if (op.kind == OpKind::kSubscript) return true;
    const bool call = op.kind == OpKind::kCall;
    if (call && facts.CalleeOf(value).kind != Callee::Kind::kBuiltin) return true;
    const bool converts = call && IsOneOf(facts.CalleeOf(value).name, {"int", "round", "abs", "min", "max"});
    if (!converts && op.kind != OpKind::kBinary && op.kind != OpKind::kUnary) continue;
    for (const ValueId operand : program.Operands(value)) open.push_back(operand);
  }
  return false;
}

}  // namespace

bool DependsOnOrder(const Facts& facts, ir::LoopId loop) {
  const ir::Program& program = facts.program();
  std::vector<ValueId> loads, stores;
  for (const ir::BlockId block : program.functions[program.loops[loop].function].blocks) {
    if (program.blocks[block].loop != loop) continue;
    for (const ValueId op : program.blocks[block].ops) {
      const OpKind kind = program.ops[op].kind;
      if (kind != OpKind::kSubscript && kind != OpKind::kStoreSubscript) continue;
      if (!facts.IsDevice(program.Operand(op, 0)) || !IsElementAccess(facts, op)) continue;
      (kind == OpKind::kSubscript ? loads : stores).push_back(op);
    }
  }
  const auto same = [&](ValueId a, ValueId b) {
    return a.valid() && b.valid() && rules::match::SameExpression(facts, facts.Source(a), facts.Source(b));
  };
  const auto from_data = [&](ValueId op) {
    const auto keys = facts.KeysOf(op);
    return std::any_of(keys.begin(), keys.end(), [&](ValueId key) { return ComesFromData(facts, key, loop); });
  };
  return std::any_of(stores.begin(), stores.end(), [&](ValueId store) {
    const ValueId root = facts.RootOf(program.Operand(store, 0));
    return root.valid() && std::any_of(loads.begin(), loads.end(), [&](ValueId load) {
             if (facts.RootOf(program.Operand(load, 0)) != root || (!from_data(store) && !from_data(load)))
               return false;
             const auto written = facts.KeysOf(store), read = facts.KeysOf(load);
             return !std::equal(written.begin(), written.end(), read.begin(), read.end(), same);
           });
  });
}

bool IsSparseRowLoop(const Facts& facts, ir::LoopId loop_id) {
  const ir::Program& program = facts.program();
  const ir::Loop& loop = program.loops[loop_id];
  if (!loop.iterable.valid() || !loop.parent.valid()) return false;
  const ValueId call = facts.Source(loop.iterable);
  if (!call.valid() || program.ops[call].kind != OpKind::kCall || facts.CalleeOf(call).name != "range") return false;
  const ValueId first = facts.Source(program.Operand(call, 1)), end = facts.Source(program.Operand(call, 2));
  for (const ValueId bound : {first, end}) {
    if (!bound.valid() || program.ops[bound].kind != OpKind::kSubscript) return false;
  }
  const ValueId one = program.Operand(first, 0), other = program.Operand(end, 0);
  const ValueId root = facts.RootOf(one);
  const bool same = facts.Source(one) == facts.Source(other) || (root.valid() && root == facts.RootOf(other));
  const ValueId row = program.loops[loop.parent].item;
  const ValueId next = facts.Source(program.Operand(end, 1));
  if (!same || !row.valid() || facts.Source(program.Operand(first, 1)) != row || !next.valid()) return false;
  const ir::Op& sum = program.ops[next];
  return sum.kind == OpKind::kBinary && static_cast<ir::BinaryOp>(sum.detail) == ir::BinaryOp::kAdd &&
         facts.Source(program.Operand(next, 0)) == row && facts.IntOf(program.Operand(next, 1)) == 1;
}

bool IsLineSweep(const Facts& facts, ir::LoopId loop) {
  const analysis::LoopFact& fact = facts.LoopFactOf(loop);
  if (fact.kind != analysis::LoopKind::kSweep || fact.accesses.empty()) return false;
  return std::all_of(fact.accesses.begin(), fact.accesses.end(), [&](const analysis::LoopFact::Access& access) {
    const std::vector<analysis::Key>& keys = facts.SubscriptOf(access.op).keys;
    const auto slices = std::count_if(keys.begin(), keys.end(),
                                      [](const analysis::Key& key) { return key.kind == analysis::KeyKind::kSlice; });
    const auto integers = std::count_if(
        keys.begin(), keys.end(), [](const analysis::Key& key) { return key.kind == analysis::KeyKind::kInteger; });
    return slices == 1 && integers == 1 && keys.size() == 2;
  });
}

}  // namespace cpnlint::verdict
