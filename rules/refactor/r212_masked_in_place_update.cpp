// R212 masked-in-place-update: the selected elements are copied out, computed on and scattered back.

#include <algorithm>
#include <string>
#include <vector>

#include "rules/engine/rule.h"
#include "rules/match/device_call.h"
#include "rules/match/expression.h"
#include "rules/match/layout.h"
#include "rules/match/rewrite.h"
#include "rules/match/same_expression.h"
#include "rules/match/story.h"

namespace cpnlint::rules::r212 {

using ir::BinaryOp;
using ir::OpKind;

constexpr std::size_t kMostOps = 100;

// What the stored value is made of.
struct Parts {
  std::vector<ir::ValueId> reads;  // y[mask], the array's own y included
  bool elementwise = true;         // of such reads and numbers alone
  bool partial = false;            // something that is not defined everywhere: log, sqrt, a division
  std::vector<Span> open;          // operands of which nothing is known: the rewrite takes them for numbers
};

static bool ReadsThrough(const Facts& facts, ir::ValueId op, ir::ValueId mask, ir::ValueId array) {
  const ir::Program& program = facts.program();
  if (program.ops[op].kind != OpKind::kSubscript || !facts.IsDevice(program.Operand(op, 0))) return false;
  const auto keys = facts.KeysOf(op);
  if (keys.size() != 1 || !match::SameExpression(facts, keys[0], mask)) return false;
  const ir::ValueId base = program.Operand(op, 0);
  return match::SameExpression(facts, base, array) || match::HasWholeMask(facts, op);
}

static bool IsPartial(const Facts& facts, ir::ValueId op) {
  const ir::Op& it = facts.program().ops[op];
  if (it.kind == OpKind::kBinary) {
    const auto kind = static_cast<BinaryOp>(it.detail);
    if (kind == BinaryOp::kPow) return true;
    const bool divides = kind == BinaryOp::kDiv || kind == BinaryOp::kFloorDiv || kind == BinaryOp::kMod;
    return divides && !match::IsScalar(facts, facts.program().Operand(op, 1));
  }
  const match::DeviceCall call = match::AsDeviceCall(facts, op);
  return call && match::IsOneOf(call.base, {"log", "log2", "log10", "log1p", "sqrt", "arcsin", "arccos", "arccosh",
                                            "arctanh", "power", "divide", "true_divide", "reciprocal", "exp"});
}

// A number computed from the selection, such as its mean.
static bool ReducesSelection(const Facts& facts, ir::ValueId number, ir::ValueId mask, ir::ValueId array) {
  const std::vector<ir::ValueId> ops = match::ExpressionOf(facts, number);
  return std::any_of(ops.begin(), ops.end(), [&](ir::ValueId op) { return ReadsThrough(facts, op, mask, array); });
}

// `cfg["drag"]`, `1.0 - cfg["drag"]`: settings have names and hold numbers. A variable of which nothing is known may as
// well be an array with an entry for each element that is selected.
static bool IsSetting(const Facts& facts, ir::ValueId value) {
  const ir::Program& program = facts.program();
  bool named = false;
  std::vector<ir::ValueId> work = {value};
  for (std::size_t i = 0; i < work.size(); ++i) {
    const ir::ValueId source = work[i].valid() ? facts.Source(work[i]) : work[i];
    if (!source.valid() || i == kMostOps) return false;
    if (match::IsNumber(facts, source)) continue;
    if (facts.Of(source).kind != analysis::Kind::kUnknown) return false;
    const ir::Op& op = program.ops[source];
    if (op.kind == OpKind::kSubscript && facts.TextOf(program.Operand(source, 1))) {
      named = true;
    } else if (op.kind == OpKind::kBinary || op.kind == OpKind::kUnary) {
      for (const ir::ValueId operand : program.Operands(source)) work.push_back(operand);
    } else {
      return false;
    }
  }
  return named;
}

static Parts PartsOf(const Facts& facts, ir::ValueId value, ir::ValueId mask, ir::ValueId array, Span words) {
  const ir::Program& program = facts.program();
  const ir::StatementId statement = program.ops[value].statement;
  Parts parts;
  std::vector<ir::ValueId> work = {value};
  for (std::size_t i = 0; i < work.size() && parts.elementwise; ++i) {
    const ir::ValueId op = work[i];
    if (!op.valid()) continue;
    if (match::IsScalar(facts, op)) {
      parts.elementwise = program.ops[op].statement != statement || !ReducesSelection(facts, op, mask, array);
      continue;
    }
    if (program.ops[op].statement == statement && ReadsThrough(facts, op, mask, array)) {
      parts.reads.push_back(op);
      continue;
    }
    if (IsSetting(facts, op)) {
      const bool inside = program.ops[op].statement == statement && words.Contains(program.ops[op].span);
      parts.open.push_back(op == value ? words : inside ? program.ops[op].span : Span());
      parts.elementwise = !parts.open.back().empty();
      continue;
    }
    parts.elementwise = program.ops[op].statement == statement && match::IsElementwiseStep(facts, op) && i < kMostOps;
    parts.partial = parts.partial || IsPartial(facts, op);
    const auto operands = program.Operands(op);
    const std::size_t first = program.ops[op].kind == OpKind::kCall ? 1 : 0;
    if (const match::DeviceCall call = match::AsDeviceCall(facts, op); call && call.method) work.push_back(call.array);
    work.insert(work.end(), operands.begin() + static_cast<std::ptrdiff_t>(first), operands.end());
  }
  return parts;
}

// The value's words without `[mask]`.
static Text Unmasked(const Facts& facts, Span value, const Parts& parts) {
  const ir::Program& program = facts.program();
  std::vector<match::Cut> cuts;
  for (const ir::ValueId read : parts.reads)
    cuts.push_back({program.ops[read].span, Text(program.OperandSpan(read, 0))});
  std::sort(cuts.begin(), cuts.end(), [](const match::Cut& a, const match::Cut& b) { return a.span < b.span; });
  return match::Replace(value, cuts);
}

// The number that leaves an element alone: x + 0, x * 1; empty where there is none.
static std::string Neutral(BinaryOp op) {
  switch (op) {
    case BinaryOp::kAdd:
    case BinaryOp::kSub: return "0";
    case BinaryOp::kMul:
    case BinaryOp::kDiv:
    case BinaryOp::kFloorDiv:
    case BinaryOp::kPow: return "1";
    default: return "";
  }
}

struct Site {
  ir::ValueId store, array, mask, value;  // value: what is stored, or the right side of `op=`
  Span array_span, mask_span, value_span;
  bool augmented = false;
  BinaryOp op = BinaryOp::kAdd;
};

static Site SiteOf(const Facts& facts, ir::ValueId store) {
  const ir::Program& program = facts.program();
  Site site;
  const auto keys = facts.KeysOf(store);
  if (keys.size() != 1 || !keys[0].valid()) return site;
  site = {store,
          program.Operand(store, 0),
          keys[0],
          program.Operand(store, 1),
          program.OperandSpan(store, 0),
          program.OperandSpan(store, 2),
          program.OperandSpan(store, 1)};
  if ((program.ops[store].flags & ir::kAugmented) == 0 || !site.value.valid()) return site;
  const ir::ValueId update = site.value;
  if (program.ops[update].kind != OpKind::kInplaceBinary) return {};
  site.augmented = true;
  site.op = static_cast<BinaryOp>(program.ops[update].detail);
  site.value = program.Operand(update, 1);
  site.value_span = program.OperandSpan(update, 1);
  return site;
}

// `x += np.where(mask, 2, 0)`: an array of int64 or float64, which narrow and unsigned integers refuse.
static bool TakesWhere(const Facts& facts, const Site& site) {
  const ir::DType dtype = facts.Of(site.array).dtype;
  return ir::IsInexact(dtype) || (dtype == ir::DType::kInt64 && ir::IsInteger(facts.Of(site.value).dtype)) ||
         (dtype == ir::DType::kInt64 && facts.Of(site.value).kind == analysis::Kind::kInt);
}

// `dw` of `x[mask] -= dw`, made of reads through the mask by a statement of its own: it has their length.
static bool IsSelectedBefore(const Facts& facts, const Site& site, const Parts& parts) {
  return !parts.reads.empty() && !site.value_span.Contains(facts.program().ops[parts.reads.front()].span);
}

// `dw[0] = 0`: what is stored is no longer what the selection made.
static bool IsChangedBefore(const Facts& facts, const Site& site, const Parts& parts) {
  const ir::ValueId root = facts.RootOf(site.value);
  return IsSelectedBefore(facts, site, parts) && root.valid() && !facts.MutationsOf(root).empty();
}

static bool IsReadElsewhere(const Facts& facts, ir::ValueId value) {
  const ir::Program& program = facts.program();
  const std::vector<ir::ValueId> uses = facts.DeepUsesOf(value);
  return 1 < std::count_if(uses.begin(), uses.end(), [&](ir::ValueId use) {
           const ir::Op& op = program.ops[use];
           return op.kind != OpKind::kStoreCell || !program.cells[ir::CellId(op.payload)].loads.empty();
         });
}

static Text Rewrite(const Facts& facts, const Site& site, const Parts& parts) {
  const bool before = IsSelectedBefore(facts, site, parts);
  Text help("RR-masked-update  ");
  if (before) {
    help.Add("compute ").Add(match::Quoted(site.value_span)).Add(" of all elements (`");
    help.Add(Unmasked(facts, facts.program().ops[site.value].span, parts)).Add("`), then ");
  }
  help.Add("write `");
  const bool number = parts.reads.empty();
  const bool closed = number || before;  // no words change inside of the value
  const ir::ValueId stored = facts.program().Operand(site.store, 1);
  const ir::DType dtype = facts.Of(site.array).dtype;
  const bool same_type = dtype != ir::DType::kUnknown && facts.Of(stored).dtype == dtype;
  // `x += 1` would make x a variable of the function where `x[mask] += 1` does not.
  const bool rebinds = facts.program().ops[site.array].kind == OpKind::kLoadCell;
  const std::string neutral = Neutral(site.op);
  if (site.augmented && number && TakesWhere(facts, site) && !rebinds && !neutral.empty()) {
    help.Add(site.array_span).Add(" ").Add(ir::Spelling(site.op)).Add("= np.where(").Add(site.mask_span).Add(", ");
    return help.Add(site.value_span).Add(", ").Add(neutral).Add(")`");
  }
  Text value;
  const OpKind outer = facts.program().ops[site.value].kind;
  const bool bare = closed || outer == OpKind::kSubscript || outer == OpKind::kCall;
  if (site.augmented) value.Add(site.array_span).Add(" ").Add(ir::Spelling(site.op)).Add(bare ? " " : " (");
  if (closed) {
    value.Add(site.value_span, site.augmented ? match::RightOf(site.op) : Binding::kConditional);
  } else {
    value.Add(Unmasked(facts, site.value_span, parts));
  }
  if (site.augmented && !bare) value.Add(")");
  // putmask takes values of the array's own type only.
  if (same_type) {
    help.Add("np.putmask(").Add(site.array_span).Add(", ").Add(site.mask_span).Add(", ").Add(value).Add(")`");
  } else {
    help.Add(site.array_span).Add("[...] = np.where(").Add(site.mask_span).Add(", ").Add(value).Add(", ");
    help.Add(site.array_span).Add(")`");
  }
  const bool divides = site.augmented && site.op == BinaryOp::kDiv && !number;
  if (parts.partial || divides)
    help.Add(", with the operands guarded where the mask does not hold: all elements are computed");
  if (before && IsReadElsewhere(facts, site.value))
    help.Add("; what else reads ").Add(match::Quoted(site.value_span)).Add(" selects from it");
  return help;
}

static Text WhereNumbers(Text help, const std::vector<Span>& open) {
  if (open.empty()) return help;
  for (const Span words : open) help.Add(words == open.front() ? ", where " : " and ").Add(match::Quoted(words));
  return help.Add(open.size() == 1 ? " is a number" : " are numbers");
}

// A mask of the leading axes: `x[rows] *= 2`.
static bool MasksRows(const Facts& facts, const Site& site) {
  const int rank = facts.RankOf(site.mask);
  return facts.IsDevice(site.mask) && facts.Of(site.mask).dtype == ir::DType::kBool && rank >= 1 &&
         facts.RankOf(site.array) > rank;
}

static Text RowRewrite(const Facts& facts, const Site& site) {
  Text help("RR-masked-update  write `");
  std::string axes = "[...";
  for (int axis = facts.RankOf(site.mask); axis < facts.RankOf(site.array); ++axis) axes += ", None";
  axes += "]";
  if (TakesWhere(facts, site)) {
    help.Add(site.array_span).Add(" ").Add(ir::Spelling(site.op)).Add("= np.where(").Add(site.mask_span).Add(", ");
    return help.Add(site.value_span).Add(", ").Add(Neutral(site.op)).Add(")").Add(axes).Add("`");
  }
  help.Add(site.array_span).Add("[...] = np.where(").Add(site.mask_span, Binding::kPrimary).Add(axes).Add(", ");
  help.Add(site.array_span).Add(" ").Add(ir::Spelling(site.op)).Add(" ").Add(site.value_span, match::RightOf(site.op));
  return help.Add(", ").Add(site.array_span).Add(")`");
}

// Fires when
//   1. `x[mask] op= v`, or a value computed from reads through the mask is stored through it, of a device array,
//   2. the mask is one boolean array of x's shape, and
//   3. the value is elementwise arithmetic of reads through the mask and of numbers.
// Quiet: (a) a number alone, (b) integer indices are no mask, (c) a mask of the leading axes is information, and only
// with a number, (d) host arrays, (e) reductions and sorts of the selection, (f) slices.
static void OnStore(const Facts& facts, ir::ValueId store, Trial& trial) {
  const Site site = SiteOf(facts, store);
  if (!site.store.valid() || !site.value.valid() || !facts.IsDevice(site.array)) return;
  const bool whole = match::HasWholeMask(facts, store);
  const bool rows = !whole && site.augmented && MasksRows(facts, site) && match::IsScalar(facts, site.value) &&
                    !Neutral(site.op).empty();
  if (!trial.Holds(2, whole || rows)) return;
  const Parts parts = PartsOf(facts, site.value, site.mask, site.array, site.value_span);
  if (!trial.Holds(1, site.augmented || !parts.reads.empty())) return;
  if (!trial.Holds(3, parts.elementwise && !IsChangedBefore(facts, site, parts))) return;

  const ir::Program& program = facts.program();
  const Span span = program.statements[program.ops[store].statement].span;
  Trial::Report report = trial.ReportOp(store);
  report.At(span).Arg("array", site.array_span).Root(facts.RootOf(site.array));
  report.Evidence(facts.Of(site.array).evidence | facts.Of(site.mask).evidence);
  const bool copies = !site.augmented && parts.reads.size() == 1 && facts.Source(site.value) == parts.reads.front();
  if (copies) report.Message("`{expr}` compacts and scatters instead of updating `{array}` in place");
  report.PrimaryLabel(copies ? "copied out, scattered in" : "copied out, computed, scattered back");
  report.Help(rows ? RowRewrite(facts, site) : WhereNumbers(Rewrite(facts, site, parts), parts.open));
  for (const ir::ValueId read : parts.reads) {
    if (const Span place = program.ops[read].span; !span.Contains(place)) report.Label(place, "selected here");
  }
  if (rows) report.Severity(Severity::kInfo);
  match::TellHotLoop(facts, store, span, report);
}

extern constinit const Rule kRule;
constinit const Rule kRule = {
    .code = 212,
    .slug = "masked-in-place-update",
    .family = Family::kRefactor,
    .severity = Severity::kWarning,
    .cold = Severity::kInfo,
    .summary = "elements selected by a mask are copied out, computed on and scattered back",
    .message = "`{expr}` compacts, computes and scatters instead of updating `{array}` in place",
    .why =
        "the read has a length that only the device knows, so the arithmetic waits for it, and the store scatters; "
        "`where` and `putmask` stay local to each tile (26.07)",
    .details = R"md(
Fires on `x[mask] op= v` and on `x[mask] = f(x[mask], y[mask])`, with one boolean array of the array's own shape as
the mask (one value, or the same expression written out again) and elementwise arithmetic of reads through it and of
numbers; an item of settings (`cfg["drag"]`) of which nothing is known counts as one. A warning in hot loops, information elsewhere. A mask of the leading axes (`x[rows] *= 2`) is information
everywhere.

Stays quiet on `x[mask] = 0.0`, which is one local task; on integer index arrays, where duplicates matter; where the
selection is reduced or sorted; where a compacted array from elsewhere is stored; on host arrays and slices.

The best-practice text of the vendor recommends this form. It is three steps: a read of unknown length, arithmetic
that waits for it, and a scatter, which moves data between processors and waits again where there are several.
)md",
    .bad = R"py(
import numpy as np

def rain(n, steps, source=0.1):
    level = np.linspace(0.0, 1.0, n)
    for _ in range(steps):
        wet = level > 0.5
        level[wet] += source
    return level
)py",
    .good = R"py(
import numpy as np

def rain(n, steps, source=0.1):
    level = np.linspace(0.0, 1.0, n)
    for _ in range(steps):
        wet = level > 0.5
        level += np.where(wet, source, 0)
    return level
)py",
    .recipe = "RR-masked-update",
    .fix = FixClass::kUnsafe,
    .conditions = R"md(
1. `x[mask] op= v`, or a value computed from reads through the mask is stored through it, of a device array
2. the mask is one boolean array of x's shape
3. the value is elementwise arithmetic of reads through the mask and of numbers
)md",
    .ops = {OpKind::kStoreSubscript},
    .on_op = &OnStore,
};

}  // namespace cpnlint::rules::r212
