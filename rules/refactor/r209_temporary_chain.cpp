// R209 temporary-chain: an expression that makes more full-size arrays than its result needs.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "rules/engine/rule.h"
#include "rules/match/device_call.h"
#include "rules/match/expression.h"
#include "rules/match/hot_site.h"
#include "rules/match/same_expression.h"
#include "rules/match/story.h"

namespace cpnlint::rules::r209 {

using ir::BinaryOp;
using ir::OpKind;

constexpr std::size_t kManyOperators = 4;
constexpr std::size_t kMostNodes = 60;         // compared pairwise
constexpr std::int64_t kSmallBytes = 1 << 20;  // an array below 1 MiB is not worth it
constexpr std::int64_t kFewEntries = 64;       // known to be a number for each axis or the like, not a row of data

// The operators and ufuncs of the expression that make an array, outermost first. The bounds of np.clip are numbers or,
// as a rule, one number for each row.
static std::vector<ir::ValueId> Nodes(const Facts& facts, ir::ValueId root) {
  std::vector<ir::ValueId> nodes;
  std::vector<Span> bounds;
  for (const ir::ValueId op : match::ExpressionOf(facts, root)) {
    const Span span = facts.program().ops[op].span;
    if (std::ranges::any_of(bounds, [&](Span bound) { return bound.Contains(span); })) continue;
    if (!match::IsElementwiseStep(facts, op) || !match::IsWholeArray(facts, op)) continue;
    nodes.push_back(op);
    if (match::AsDeviceCall(facts, op).base != "clip") continue;
    for (std::uint32_t i = 2; i < facts.program().Operands(op).size(); ++i) {
      bounds.push_back(facts.program().OperandSpan(op, i));
    }
  }
  return nodes;
}

// Along which axes of the widest array of an expression a value has one entry only or no axis: a bit per axis, the last
// axis first. None set: it is of full size.
using Thin = std::uint32_t;
constexpr Thin kNumber = ~Thin{0};

static bool IsOneEntry(const Facts& facts, ir::ValueId key) {
  const analysis::Value& value = facts.Of(key);
  if (facts.program().ops[key].kind == OpKind::kList) return facts.program().ops[key].operand_count == 1;
  if (value.kind != analysis::Kind::kSlice || facts.program().ops[key].kind != OpKind::kSlice) return false;
  const auto from = facts.IntOf(facts.program().Operand(key, 0)), to = facts.IntOf(facts.program().Operand(key, 1));
  return from && to && *to - *from == 1 && (*from >= 0) == (*to > 0);
}

// `x[:, None]` of `x[:, None] + k`: what an array is computed from with numbers alone, step by step.
static ir::ValueId ComputedFrom(const Facts& facts, ir::ValueId value) {
  constexpr int kMostSteps = 8;
  for (int step = 0; step < kMostSteps; ++step) {
    const ir::ValueId source = facts.Source(value);
    if (!source.valid() || !match::IsElementwiseStep(facts, source)) break;
    ir::ValueId array;
    const bool call = facts.program().ops[source].kind == OpKind::kCall;
    for (const ir::ValueId operand : facts.program().Operands(source).subspan(call ? 1 : 0)) {
      if (!operand.valid() || match::IsNumber(facts, operand)) continue;
      if (array.valid() || !match::IsWholeArray(facts, operand)) return value;
      array = operand;
    }
    if (!array.valid()) break;
    value = array;
  }
  return value;
}

// The axes of an operand, last first: true where it has one entry. nullopt where the rank cannot be told.
static std::optional<std::vector<bool>> AxesOf(const Facts& facts, ir::ValueId value) {
  std::vector<bool> axes;
  if (const int rank = facts.RankOf(value); rank >= 0) {
    for (int axis = rank - 1; axis >= 0; --axis) {
      const auto extent = facts.store().dims().AsConst(facts.ExtentOf(value, axis));
      axes.push_back(extent == 1);
    }
    return axes;
  }
  // `x[:, 0:1]` of an array of unknown rank: as many axes as keys, most likely.
  const ir::ValueId source = facts.Source(ComputedFrom(facts, value));
  if (!source.valid() || facts.program().ops[source].kind != OpKind::kSubscript) return std::nullopt;
  const auto keys = facts.KeysOf(source);
  if (keys.size() < 2) return std::nullopt;
  for (auto key = keys.rbegin(); key != keys.rend(); ++key) {
    const analysis::Kind kind = facts.Of(*key).kind;
    if (kind == analysis::Kind::kEllipsis || kind == analysis::Kind::kTuple) return std::nullopt;
    if (kind != analysis::Kind::kInt) axes.push_back(kind == analysis::Kind::kNone || IsOneEntry(facts, *key));
  }
  return axes;
}

// `np.median(x, axis)` and what is computed of such: a number for each row, or of a row one number. A parameter
// of unknown rank, `start` in `m = start if start is not None else np.mean(x, axis)`, goes with the rest.
static bool IsReduced(const Facts& facts, ir::ValueId value) {
  constexpr std::size_t kMost = 20;
  std::vector<ir::ValueId> work = {value};
  bool reduced = false;
  for (std::size_t i = 0; i < work.size(); ++i) {
    if (i == kMost) return false;
    const ir::ValueId source = facts.Source(work[i]);
    if (!source.valid() || !facts.IsArray(source) || facts.IsZeroD(source)) continue;
    if (facts.program().ops[source].kind == OpKind::kParam && facts.RankOf(source) < 0) continue;
    const match::DeviceCall call = match::AsDeviceCall(facts, source);
    const bool reduces =
        call && match::IsOneOf(call.base, {"max", "mean", "median", "min", "prod", "std", "sum", "var"});
    if (reduces && facts.RankOf(source) < 0 && !facts.KeywordArgument(source, "keepdims").valid()) {
      reduced = true;
      continue;
    }
    if (facts.program().ops[source].kind != OpKind::kPhi && !match::IsElementwiseStep(facts, source)) return false;
    for (const ir::ValueId operand : facts.program().Operands(source)) {
      if (std::find(work.begin(), work.end(), operand) == work.end()) work.push_back(operand);
    }
  }
  return reduced;
}

// Three numbers for three axes, whichever way leads here.
static bool HasFewEntries(const Facts& facts, ir::ValueId array) {
  if (!facts.KnownBelow(array, kFewEntries)) return false;
  const ir::ValueId source = facts.Source(array);
  if (!source.valid() || facts.program().ops[source].kind != OpKind::kPhi) return true;
  return std::ranges::all_of(facts.program().Operands(source), [&](ir::ValueId one) { return facts.IsArray(one); });
}

// How many of the nodes, outermost first, are as large as the largest: of `(x - c) * x[:, 0:1] * 2` two.
static std::size_t FullSize(const Facts& facts, const std::vector<ir::ValueId>& nodes) {
  std::unordered_map<ir::ValueId, Thin> forms;
  const auto is_node = [&](ir::ValueId id) { return std::find(nodes.begin(), nodes.end(), id) != nodes.end(); };
  const auto operands = [&](ir::ValueId node) {
    const bool call = facts.program().ops[node].kind == OpKind::kCall;
    return facts.program().Operands(node).subspan(call ? 1 : 0);
  };
  const auto is_large = [&](ir::ValueId leaf) {
    return match::IsWholeArray(facts, leaf) && !HasFewEntries(facts, leaf);
  };
  // Beside three numbers for three axes an array of unknown rank is the large one.
  const auto is_open = [&](ir::ValueId leaf) { return facts.IsDevice(leaf) && facts.RankOf(leaf) < 0; };
  std::size_t widest = 0;
  bool any_large = false, any_few = false, any_open = false;
  for (const ir::ValueId node : nodes) {
    for (const ir::ValueId leaf : operands(node)) {
      if (!leaf.valid() || is_node(leaf)) continue;
      if (!match::IsWholeArray(facts, leaf)) {
        any_open = any_open || is_open(leaf);
        continue;
      }
      (is_large(leaf) ? any_large : any_few) = true;
      if (const auto axes = AxesOf(facts, leaf)) {
        widest = std::max(widest, axes->size());
      } else if (IsReduced(facts, leaf)) {
        widest = std::max<std::size_t>(widest, 1);
      }
    }
  }
  if (any_few && !any_large && !any_open && facts.KnownBelow(nodes.front(), kFewEntries)) return 0;
  const auto of_leaf = [&](ir::ValueId leaf) -> Thin {
    if (!leaf.valid()) return kNumber;
    if (!match::IsWholeArray(facts, leaf)) return any_large || !is_open(leaf) ? kNumber : 0;
    const auto axes = AxesOf(facts, leaf);
    if (!axes) return IsReduced(facts, leaf) ? kNumber : 0;
    Thin thin = kNumber;
    for (std::size_t i = 0; i < axes->size() && i < 32; ++i) {
      if (!(*axes)[i]) thin &= ~(Thin{1} << i);
    }
    return thin;
  };
  // What a call or an object gives that nobody knows may be as large as all.
  const auto is_given = [&](ir::ValueId id) {
    if (!id.valid() || facts.Of(id).kind != analysis::Kind::kUnknown) return false;
    const OpKind kind = facts.program().ops[id].kind;
    return kind == OpKind::kCall || kind == OpKind::kAttr;
  };
  const Thin all = widest >= 32 ? kNumber : (Thin{1} << widest) - 1;
  Thin least = all;
  std::vector<ir::ValueId> made_of_few;
  for (auto node = nodes.rbegin(); node != nodes.rend(); ++node) {
    Thin thin = kNumber;
    bool few = true;
    for (const ir::ValueId operand : operands(*node)) {
      const auto inner = forms.find(operand);
      thin &= inner != forms.end() ? inner->second : of_leaf(operand);
      const bool number = inner == forms.end() && (!operand.valid() || (!is_large(operand) && !is_open(operand)));
      few = few && (number || std::ranges::find(made_of_few, operand) != made_of_few.end());
      if (is_given(operand)) least = 0;
    }
    forms.emplace(*node, thin);
    few = few && facts.KnownBelow(*node, kFewEntries);  // no outer product of three axes
    if (few) made_of_few.push_back(*node);
    if (!few) least &= thin;
  }
  return static_cast<std::size_t>(std::ranges::count_if(nodes, [&](ir::ValueId node) {
    return (forms[node] & all) == least && std::ranges::find(made_of_few, node) == made_of_few.end();
  }));
}

// Nodes that are operands of each other: `a * b` and `c + d` of `a * b + np.sum(c + d)` are two parts.
struct Part {
  ir::ValueId top;
  std::size_t full = 0;  // arrays as large as the part's largest
};

static std::vector<Part> PartsOf(const Facts& facts, const std::vector<ir::ValueId>& nodes) {
  std::vector<Part> parts;
  std::vector<ir::ValueId> left = nodes;
  while (!left.empty()) {
    std::vector<ir::ValueId> part = {left.front()};
    left.erase(left.begin());
    for (std::size_t i = 0; i < part.size(); ++i) {
      for (const ir::ValueId operand : facts.program().Operands(part[i])) {
        const auto found = std::find(left.begin(), left.end(), operand);
        if (found == left.end()) continue;
        part.push_back(operand);
        left.erase(found);
      }
    }
    parts.push_back({part.front(), FullSize(facts, part)});
  }
  return parts;
}

// Of `curl.T * (mass * x) - y` the product may be no array, whatever the difference is.
static bool HasManySureOperators(const Facts& facts, std::vector<ir::ValueId> nodes) {
  std::erase_if(nodes, [&](ir::ValueId node) {
    return analysis::ConfidenceOf(facts.Of(node).evidence) == analysis::Confidence::kPossible;
  });
  return std::ranges::any_of(PartsOf(facts, nodes), [](const Part& part) { return part.full >= kManyOperators; });
}

// Some elementwise operation around the op, in the same statement, tells of it.
static bool InsideAnother(const Facts& facts, ir::ValueId op) {
  const ir::Program& program = facts.program();
  std::vector<ir::ValueId> work = {op};
  for (std::size_t i = 0; i < work.size() && i < kMostNodes; ++i) {
    for (const ir::ValueId use : facts.UsesOf(work[i])) {
      const bool around = program.ops[use].statement == program.ops[op].statement &&
                          program.ops[use].span.Contains(program.ops[op].span) && program.ops[use].kind != OpKind::kPhi;
      if (!around || std::find(work.begin(), work.end(), use) != work.end()) continue;
      if (match::IsElementwiseStep(facts, use) && match::IsWholeArray(facts, use)) return true;
      work.push_back(use);
    }
  }
  return false;
}

static bool IsOperator(const Facts& facts, ir::ValueId op, BinaryOp kind) {
  return facts.program().ops[op].kind == OpKind::kBinary &&
         static_cast<BinaryOp>(facts.program().ops[op].detail) == kind;
}

// `array * number`, `number * array`, `array / number`: the array and where the number stands; else no array.
struct Scaled {
  ir::ValueId array, number;
  Span number_span;
  bool divides = false;
};

static Scaled AsScaled(const Facts& facts, ir::ValueId op) {
  const bool multiplies = IsOperator(facts, op, BinaryOp::kMul);
  const bool divides = IsOperator(facts, op, BinaryOp::kDiv);
  if (!multiplies && !divides) return {};
  const ir::Program& program = facts.program();
  const ir::ValueId left = program.Operand(op, 0), right = program.Operand(op, 1);
  const auto is_array = [&](ir::ValueId value) {
    return match::IsWholeArray(facts, value) && !ir::IsInteger(facts.Of(value).dtype) &&
           facts.Of(value).dtype != ir::DType::kBool;
  };
  if (is_array(left) && match::IsNumber(facts, right)) return {left, right, program.OperandSpan(op, 1), divides};
  if (multiplies && is_array(right) && match::IsNumber(facts, left))
    return {right, left, program.OperandSpan(op, 0), false};
  return {};
}

// The longest run of numbers applied to an array one after the other.
struct Chain {
  ir::ValueId top;    // the last of them
  ir::ValueId array;  // what the first is applied to
  Span array_span;
  std::vector<Scaled> factors;  // first applied first
};

static Chain LongestChain(const Facts& facts, const std::vector<ir::ValueId>& nodes) {
  const ir::Program& program = facts.program();
  Chain longest;
  for (const ir::ValueId node : nodes) {
    Chain chain;
    chain.top = node;
    ir::ValueId at = node;
    for (Scaled step = AsScaled(facts, at); step.array.valid(); step = AsScaled(facts, at)) {
      chain.factors.push_back(step);
      chain.array = step.array;
      chain.array_span = match::SpanOfOperand(facts, at, step.array);
      at = step.array;
      // A name is another statement's: only what stands in this expression can be written anew.
      if (program.ops[at].statement != program.ops[node].statement) break;
    }
    std::reverse(chain.factors.begin(), chain.factors.end());
    if (chain.factors.size() > longest.factors.size()) longest = std::move(chain);
  }
  return longest;
}

// `u * (a * b / c)`
static Text Folded(const Chain& chain) {
  Text text;
  text.Add(chain.array_span, Binding::kProduct);
  const bool only_divides =
      std::all_of(chain.factors.begin(), chain.factors.end(), [](const Scaled& factor) { return factor.divides; });
  text.Add(only_divides ? " / (" : " * (");
  bool first = true;
  for (const Scaled& factor : chain.factors) {
    const bool divides = factor.divides && !only_divides;
    if (first && divides) text.Add("1.0");
    if (!first || divides) text.Add(divides ? " / " : " * ");
    text.Add(factor.number_span, first && !divides ? Binding::kProduct : Binding::kUnary);
    first = false;
  }
  return text.Add(")");
}

// Two nodes that compute the same, neither inside of the other; the widest such pair.
static std::pair<ir::ValueId, ir::ValueId> Repeated(const Facts& facts, std::vector<ir::ValueId> nodes) {
  const ir::Program& program = facts.program();
  if (nodes.size() > kMostNodes) nodes.resize(kMostNodes);
  std::pair<ir::ValueId, ir::ValueId> widest;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    for (std::size_t j = i + 1; j < nodes.size(); ++j) {
      const Span a = program.ops[nodes[i]].span, b = program.ops[nodes[j]].span;
      if (program.ops[nodes[i]].kind == OpKind::kUnary || a.Contains(b) || b.Contains(a)) continue;
      if (widest.first.valid() && program.ops[widest.first].span.size() >= a.size()) continue;
      if (match::SameExpression(facts, nodes[i], nodes[j])) widest = {nodes[i], nodes[j]};
    }
  }
  return widest;
}

// The result goes into an array that is there: by `out=`, or a sum by `u += ...`, where each term could.
static bool WrittenInPlace(const Facts& facts, ir::ValueId op) {
  if (facts.KeywordArgument(op, "out").valid()) return true;
  if (!IsOperator(facts, op, BinaryOp::kAdd) && !IsOperator(facts, op, BinaryOp::kSub)) return false;
  const auto uses = facts.UsesOf(op);
  return std::any_of(uses.begin(), uses.end(),
                     [&](ir::ValueId use) { return facts.program().ops[use].kind == OpKind::kInplaceBinary; });
}

static bool IsSmall(const Facts& facts, ir::ValueId array, std::int64_t economic) {
  if (IsReduced(facts, array)) return true;
  if (facts.UsuallyBelow(array, economic)) return true;
  const std::optional<int> size = ir::ItemSize(facts.Of(array).dtype);
  return size && *size > 0 && facts.UsuallyBelow(array, kSmallBytes / *size);
}

// A row or column at a fixed place, as boundary conditions have them.
static bool IsBoundary(const Facts& facts, const std::vector<ir::ValueId>& nodes, const match::HotSite& hot) {
  const ir::Program& program = facts.program();
  bool any = false;
  for (const ir::ValueId node : nodes) {
    for (const ir::ValueId leaf : program.Operands(node)) {
      if (!leaf.valid() || !facts.IsArray(leaf) || facts.IsZeroD(leaf) || match::IsElementwiseStep(facts, leaf))
        continue;
      if (program.ops[leaf].kind != OpKind::kSubscript) return false;
      const auto keys = facts.KeysOf(leaf);
      const std::vector<analysis::Key>& meaning = facts.SubscriptOf(leaf).keys;
      bool fixed = false;
      for (std::size_t i = 0; i < keys.size() && i < meaning.size(); ++i) {
        if (meaning[i].kind != analysis::KeyKind::kInteger) continue;
        fixed = fixed || !hot.in_function || facts.IntOf(keys[i]).has_value() || facts.Invariant(keys[i], hot.loop);
      }
      if (!fixed) return false;
      any = true;
    }
  }
  return any;
}

// The expression is an operand of a product of matrices, which outweighs it.
static bool FeedsMatrixProduct(const Facts& facts, const std::vector<ir::ValueId>& ops) {
  return std::any_of(ops.begin(), ops.end(), [&](ir::ValueId op) {
    if (facts.program().ops[op].kind == OpKind::kBinary) {
      return static_cast<BinaryOp>(facts.program().ops[op].detail) == BinaryOp::kMatMul;
    }
    const match::DeviceCall call = match::AsDeviceCall(facts, op);
    return call && match::IsOneOf(call.base, {"dot", "matmul", "einsum", "tensordot", "inner", "linalg.solve"});
  });
}

// Fires when
//   1. the site is hot,
//   2. one expression applies two numbers or more to an array one after the other, or computes the same array twice, or
//      has four operators or more on arrays (information), and
//   3. the result is not known to be small.
// Quiet: (a) numbers folded first make one factor, (b) a sum of four operators that is already written in place, (c)
// rows and columns at a fixed place, (d) 0-d values are no arrays, (e) products of matrices outweigh the rest, (f) is
// condition 1.
static void OnOp(const Facts& facts, ir::ValueId op, Trial& trial) {
  if (!match::IsElementwiseStep(facts, op) || InsideAnother(facts, op)) return;
  const std::vector<ir::ValueId> nodes = Nodes(facts, op);
  if (nodes.size() < 2 || nodes.front() != op) return;
  const match::HotSite hot = match::HotSiteOf(facts, op);
  if (!trial.Holds(1, static_cast<bool>(hot)) || !hot) return;
  const Chain chain = LongestChain(facts, nodes);
  const auto repeated = Repeated(facts, nodes);
  bool folds = chain.factors.size() >= 2;
  bool twice = repeated.first.valid();
  std::vector<Part> parts = PartsOf(facts, nodes);
  std::erase_if(parts, [](const Part& part) { return part.full < kManyOperators; });
  if (!trial.Holds(2, folds || twice || !parts.empty())) return;
  const std::int64_t economic = trial.target().economic;
  folds = folds && !IsSmall(facts, chain.top, economic);
  twice = twice && !IsSmall(facts, repeated.first, economic);
  std::erase_if(parts, [&](const Part& part) { return IsSmall(facts, part.top, economic); });
  if (!trial.Holds(3, folds || twice || !parts.empty())) return;
  if (trial.Quiet('c', IsBoundary(facts, nodes, hot))) return;
  if (trial.Quiet('b', !folds && !twice && WrittenInPlace(facts, op))) return;
  if (trial.Quiet('e', !folds && !twice && FeedsMatrixProduct(facts, match::ExpressionOf(facts, op)))) return;

  const ir::Program& program = facts.program();
  const Span span = program.ops[op].span;
  Trial::Report report = trial.ReportOp(op);
  report.Evidence(facts.Of(op).evidence);
  if (!folds && !twice && !HasManySureOperators(facts, nodes)) report.Confidence(analysis::Confidence::kPossible);
  Text help("RR-fuse  write `");
  if (folds) {
    const Span part = program.ops[chain.top].span;
    for (const Scaled& factor : chain.factors) report.Evidence(facts.Of(factor.number).evidence);
    report.At(part).Arg("n", std::to_string(chain.factors.size())).Root(facts.RootOf(chain.array)).Key("numbers");
    report.Message("`{expr}` passes over the whole array {n} times for {n} numbers[[, {passes}]]")
        .PrimaryLabel("one array per number")
        .Why("each operator is a task that reads and writes memory, and nothing joins them (26.07)");
    report.Help(help.Add(Folded(chain)).Add("`: the numbers first, in one pass (rounding changes)"));
  } else if (twice) {
    const Span part = program.ops[repeated.first].span;
    report.At(part).Message("`{expr}` is computed more than once in one statement[[, {passes}]]");
    report.PrimaryLabel("computed here")
        .Label(program.ops[repeated.second].span, "and here again")
        .Why(
            "no expression is computed once for several uses: each operator is a task that reads and writes memory "
            "(26.07)");
    report.Help(Text("RR-fuse  give ")
                    .Add(match::Quoted(part))
                    .Add(" a name in a statement before, and use it in both places"));
  } else {
    const Part& most =
        *std::max_element(parts.begin(), parts.end(), [](const Part& a, const Part& b) { return a.full < b.full; });
    report.At(program.ops[most.top].span)
        .Arg("n", std::to_string(most.full))
        .Severity(Severity::kInfo)
        .PrimaryLabel("one array per operator")
        .Help(
            "RR-fuse  write the outer operators into an array that is there (`out=`, `op=`): no fewer tasks, but "
            "fewer arrays alive at once");
  }
  match::TellPasses(facts, op, span, report);
}

extern constinit const Rule kRule;
constinit const Rule kRule = {
    .code = 209,
    .slug = "temporary-chain",
    .family = Family::kRefactor,
    .severity = Severity::kWarning,
    .summary = "an expression that makes more full-size arrays than its result needs, on every pass of a hot loop",
    .message = "`{expr}` makes {n} full-size arrays[[ {passes}]]",
    .why = "each operator is a task that reads and writes memory; `out=` saves arrays, not tasks (26.07)",
    .details = R"md(
Fires in hot loops on an expression that applies two numbers or more to an array one after the other (`u * dt * k /
dx`), or that computes the same array twice in one statement; and, as information, on one with four operators or
more on whole arrays.

Stays quiet where the numbers are folded first (`(dt * k / dx) * u`), on integer arrays (folding changes values), on
arrays known to be below 65,536 elements or 1 MiB, on 0-d values, on rows and columns at a fixed place (boundaries),
outside of hot loops; the count of operators alone stays quiet on sums that are already written in place and beside
matrix products.

Nothing fuses operators in 26.07. Folding numbers and naming a repeated part saves whole passes over memory; `out=`
and `op=` save arrays and lower the peak, but launch as many tasks. Assigning an expression to a slice makes a
temporary array and a copy; `slice op= expression` does not.
)md",
    .bad = R"py(
import numpy as np

def advance(n, steps, dt=0.1, dx=0.5):
    u = np.zeros(n)
    for _ in range(steps):
        u += u * 0.5 * dt / dx
    return u
)py",
    .good = R"py(
import numpy as np

def advance(n, steps, dt=0.1, dx=0.5):
    u = np.zeros(n)
    for _ in range(steps):
        u += u * (0.5 * dt / dx)
    return u
)py",
    .recipe = "RR-fuse",
    .fix = FixClass::kUnsafe,
    .conditions = R"md(
1. the site is hot
2. one expression applies two numbers or more to an array one after the other, or computes the same array twice, or has four operators or more on arrays
3. the result is not known to be small
- (b) a sum of four operators that is already written in place
- (c) rows and columns at a fixed place
- (e) products of matrices outweigh the rest
)md",
    .ops = {OpKind::kBinary, OpKind::kUnary, OpKind::kCompare, OpKind::kCall},
    .on_op = &OnOp,
};

}  // namespace cpnlint::rules::r209
