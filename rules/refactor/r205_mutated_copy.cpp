// R205 mutated-copy: a write through what NumPy gives as a view and cuPyNumeric as a copy (or the other way round).

#include <algorithm>
#include <vector>

#include "rules/engine/rule.h"
#include "rules/match/device_call.h"
#include "rules/match/layout.h"
#include "rules/match/rebinding.h"
#include "rules/match/rewrite.h"
#include "rules/match/story.h"

namespace cpnlint::rules::r205 {

using ir::OpKind;

enum class Form : std::uint8_t { kNone, kCopy, kDiagonal, kSameArray };

// `a.astype(a.dtype)`: whatever the type is.
static bool IsOwnType(const Facts& facts, ir::ValueId type, ir::ValueId array) {
  const ir::Program& program = facts.program();
  const ir::ValueId attribute = type.valid() ? facts.Source(type) : type;
  return attribute.valid() && program.ops[attribute].kind == OpKind::kAttr &&
         program.Name(program.ops[attribute]) == "dtype" &&
         facts.Source(program.Operand(attribute, 0)) == facts.Source(array);
}

// A device array made from another one, whose storage the two libraries see differently.
struct Derived {
  Form form = Form::kNone;
  ir::ValueId source;
  Span source_span;
};

static Derived Derive(const Facts& facts, ir::ValueId op) {
  const ir::Program& program = facts.program();
  const ir::Op& it = program.ops[op];
  if (!facts.IsDevice(op)) return {};
  if (it.kind == OpKind::kAttr) {
    const ir::ValueId object = program.Operand(op, 0);
    const bool part = match::IsOneOf(program.Name(it), {"real", "imag"});
    if (!part || !facts.IsDevice(object) || !ir::IsComplex(facts.Of(object).dtype)) return {};
    return {Form::kCopy, object, program.OperandSpan(op, 0)};
  }
  const match::DeviceCall call = match::AsDeviceCall(facts, op);
  if (!call || !facts.IsDevice(call.array)) return {};
  const Derived copy{Form::kCopy, call.array, call.array_span};
  if (match::IsOneOf(call.base, {"flip", "fliplr", "flipud", "rot90"})) return copy;
  if (call.base == "ravel" && facts.RankOf(call.array) >= 2 &&
      match::ChangesLayout(facts, call.array, op).value_or(false))
    return copy;
  if (call.base == "reshape" && match::ChangesLayout(facts, call.array, op).value_or(false)) return copy;
  if (match::IsOneOf(call.base, {"diag", "diagonal"}) && facts.RankOf(call.array) >= 2) {
    return {Form::kDiagonal, call.array, call.array_span};
  }
  if (call.base == "astype" && call.method) {
    const ir::DType from = facts.Of(call.array).dtype;
    const bool same = (from != ir::DType::kUnknown && from == facts.Of(op).dtype) ||
                      IsOwnType(facts, facts.Argument(op, 0, "dtype"), call.array);
    const bool alias_in_numpy = facts.BoolOf(facts.Argument(op, 4, "copy")) == false;
    if (same && !alias_in_numpy) return {Form::kSameArray, call.array, call.array_span};
  }
  return {};
}

// `d.flags.writeable = True`: NumPy then writes through the diagonal.
static bool MadeWriteable(const Facts& facts, ir::ValueId array) {
  const ir::Program& program = facts.program();
  for (const ir::ValueId use : facts.DeepUsesOf(array)) {
    const ir::Op& flags = program.ops[use];
    if (flags.kind != OpKind::kAttr) continue;
    if (program.Name(flags) == "setflags") return true;
    if (program.Name(flags) != "flags") continue;
    for (const ir::ValueId store : facts.DeepUsesOf(use)) {
      const OpKind kind = program.ops[store].kind;
      if (kind == OpKind::kStoreAttr || kind == OpKind::kStoreSubscript) return true;
    }
  }
  return false;
}

// The array is used after `place`, where what is made from it by `but` does not count.
static bool UsedAfter(const Facts& facts, ir::ValueId array, ir::ValueId place, ir::ValueId but) {
  const ir::Program& program = facts.program();
  const ir::LoopId loop = program.LoopOf(place);
  for (const ir::ValueId use : facts.DeepUsesOf(array)) {
    if (use == but || use == place) continue;
    const OpKind kind = program.ops[use].kind;
    if (kind == OpKind::kStoreCell && program.cells[ir::CellId(program.ops[use].payload)].loads.empty()) continue;
    if (use > place) return true;
    // Stored in an attribute or container before: somebody else has it.
    if (kind == OpKind::kStoreAttr && program.Operand(use, 1) == array) return true;
    if (loop.valid() && facts.InLoop(use, loop) && !facts.InLoop(but, loop)) return true;
  }
  return false;
}

// The caller or another object keeps the array.
static bool LivesOn(const Facts& facts, ir::ValueId array) {
  const ir::Program& program = facts.program();
  const auto kept = [&](ir::ValueId value) {
    const OpKind kind = program.ops[value].kind;
    return kind == OpKind::kParam || kind == OpKind::kAttr || kind == OpKind::kLoadCell;
  };
  const ir::ValueId root = facts.Source(facts.RootOf(array));
  if (!root.valid()) return false;
  // `self.m`, made by another method: `u.T` of an own array is an attribute, too, and nobody else has it.
  const ir::ValueId source = facts.Source(array);
  const bool made_elsewhere = program.FunctionOf(root) != program.FunctionOf(source);
  return kept(root) || (made_elsewhere && kept(source));
}

// `m[...] = flat.reshape(m.shape)`, `self.m = flat.reshape(n, n)`: what was written is put back before anybody reads.
static bool PutBack(const Facts& facts, ir::ValueId array, ir::ValueId write) {
  const ir::Program& program = facts.program();
  const ir::Function& function = program.functions[program.FunctionOf(write)];
  const ir::ValueId source = facts.Source(array);
  for (std::uint32_t i = write.index() + 1; i < function.end_op.index(); ++i) {
    const ir::ValueId id(i);
    const ir::Op& op = program.ops[id];
    if (op.kind == OpKind::kStoreAttr && match::StoresToPlace(facts, id, source)) return true;
    if (op.kind == OpKind::kStoreSubscript && facts.Source(program.Operand(id, 0)) == source) {
      const std::vector<analysis::Key>& keys = facts.SubscriptOf(id).keys;
      return std::all_of(keys.begin(), keys.end(),
                         [](const analysis::Key& key) { return key.full || key.kind == analysis::KeyKind::kEllipsis; });
    }
    const bool reads = op.kind == OpKind::kSubscript || op.kind == OpKind::kReturn || op.kind == OpKind::kBinary;
    if (reads && facts.Source(program.Operand(id, 0)) == source) return false;
  }
  return false;
}

// The write that makes the difference; None() where there is none.
static ir::ValueId Write(const Facts& facts, ir::ValueId op, const Derived& derived) {
  const ir::Program& program = facts.program();
  const auto first_after = [&](std::span<const ir::ValueId> writes, ir::ValueId root) {
    for (const ir::ValueId write : writes) {
      if (write < op || program.FunctionOf(write) != program.FunctionOf(op)) continue;
      const ir::ValueId target = program.Operand(write, 0);
      // `z.real += 1` sets the attribute, which raises; `part = z.real; part += 1` does not.
      if (target == op && program.ops[op].kind == OpKind::kAttr && program.ops[write].kind == OpKind::kInplaceBinary &&
          program.ops[write].statement == program.ops[op].statement)
        continue;
      if (root.valid() && facts.IsArray(target) && facts.RootOf(target) != root) continue;
      return write;
    }
    return ir::ValueId::None();
  };
  if (derived.form != Form::kSameArray) {
    // Under cuPyNumeric the op is the root of what is written to.
    if (facts.DeviceRootOf(op) != op) return ir::ValueId::None();
    return first_after(facts.MutationsOf(op), ir::ValueId::None());
  }
  const ir::ValueId through_copy = first_after(facts.MutationsOf(facts.RootOf(op)), facts.RootOf(op));
  const bool caller_has_source = through_copy.valid() && LivesOn(facts, derived.source);
  if (caller_has_source || (through_copy.valid() && UsedAfter(facts, derived.source, through_copy, op)))
    return through_copy;
  const ir::ValueId through_source =
      first_after(facts.MutationsOf(facts.RootOf(derived.source)), facts.RootOf(derived.source));
  return through_source.valid() && UsedAfter(facts, op, through_source, op) ? through_source : ir::ValueId::None();
}

// `np.fill_diagonal(m, 0.0)` for `np.diagonal(m)[:] = 0.0`.
static Text FillText(const Facts& facts, ir::ValueId op, ir::ValueId write, Span source) {
  const ir::Program& program = facts.program();
  const match::DeviceCall call = match::AsDeviceCall(facts, op);
  const bool main = program.Operands(op).size() == (call.method ? 1U : 2U);  // no offset, the first two axes
  if (!main) return "write to the source itself, at the positions of that diagonal";
  const auto& keys = facts.SubscriptOf(write).keys;
  const bool whole = program.ops[write].kind == OpKind::kStoreSubscript &&
                     (program.ops[write].flags & ir::kAugmented) == 0 && !keys.empty() &&
                     std::all_of(keys.begin(), keys.end(), [](const analysis::Key& key) {
                       return key.full || key.kind == analysis::KeyKind::kEllipsis;
                     });
  Text text("write `np.fill_diagonal(");
  text.Add(source).Add(", ");
  if (whole) return text.Add(program.OperandSpan(write, 1), Binding::kConditional).Add(")`");
  return text.Add("value)`");
}

// How the changed copy gets back into its source: the operation undone.
static Text PutBackText(const Facts& facts, ir::ValueId op, Span source) {
  const ir::Program& program = facts.program();
  Text text(": `");
  text.Add(source).Add("[...] = ");
  if (program.ops[op].kind == OpKind::kAttr) {
    const bool real = program.Name(program.ops[op]) == "real";
    if (real) return text.Add("changed + 1j * ").Add(source).Add(".imag`");
    return text.Add(source).Add(".real + 1j * changed`");
  }
  const match::DeviceCall call = match::AsDeviceCall(facts, op);
  if (match::IsOneOf(call.base, {"ravel", "reshape"})) return text.Add("changed.reshape(").Add(source).Add(".shape)`");
  // Turning it round twice gives what there was.
  if (match::IsOneOf(call.base, {"flip", "fliplr", "flipud"}) && !call.method)
    return text.Add(match::Replace(program.ops[op].span, {{call.array_span, "changed"}})).Add("`");
  return ", turned as the source is";
}

// Fires when
//   1. an operation gives a view in NumPy and a copy in cuPyNumeric (or, for astype to the same type, the reverse),
//   2. its result is written to, and
//   3. the source is read afterwards, or belongs to the caller or an object.
// Quiet: (a) (b) (c) (f) are no such operations, (d) is condition 3, (e) an explicit copy has a root of its own,
// (g) the changed copy is put back.
static void OnOp(const Facts& facts, ir::ValueId op, Trial& trial) {
  const Derived derived = Derive(facts, op);
  if (!trial.Holds(1, derived.form != Form::kNone) || derived.form == Form::kNone) return;
  const ir::ValueId write = Write(facts, op, derived);
  if (!trial.Holds(2, write.valid()) || !write.valid()) return;
  if (!trial.Holds(3, derived.form == Form::kSameArray || LivesOn(facts, derived.source) ||
                          UsedAfter(facts, derived.source, write, op))) {
    return;
  }
  if (trial.Quiet('g', derived.form == Form::kCopy && PutBack(facts, derived.source, write))) return;

  const ir::Program& program = facts.program();
  const Span made = program.ops[op].span;
  const analysis::EvidenceSet evidence = facts.Of(derived.source).evidence | facts.Of(op).evidence;
  const ir::ValueId root = facts.RootOf(derived.source);  // one source, one finding
  Trial::Report report = trial.ReportOp(write);
  report.Arg("call", made).Arg("array", derived.source_span).Root(root.valid() ? root : op).Evidence(evidence);
  // What a parameter or an attribute holds has that type as far as the calls show that are known.
  const bool by_callers = derived.form == Form::kSameArray && LivesOn(facts, derived.source);
  if (by_callers) report.Confidence(Confidence::kLikely);
  if (by_callers || analysis::ConfidenceOf(evidence) != Confidence::kCertain) report.Severity(Severity::kWarning);
  if (!program.ops[write].span.Contains(made)) {
    report.Label(made,
                 derived.form == Form::kSameArray ? "no copy here: both names are one array" : "a copy on cuPyNumeric");
  }
  Text help("RR-view  ");
  switch (derived.form) {
    case Form::kSameArray:
      report
          .Message(
              "`{expr}` writes to an array that `{call}` does not copy on cuPyNumeric, so `{array}` and its result "
              "change together")
          .PrimaryLabel("changes both")
          .Help(help.Add("copy it: `").Add(derived.source_span, Binding::kPrimary).Add(".copy()`"));
      return;
    case Form::kDiagonal:
      if (!MadeWriteable(facts, op)) {
        report.Message(
            "`{expr}` writes to the result of `{call}`, which NumPy refuses and cuPyNumeric drops, so `{array}` "
            "keeps its old values");
      }
      report.PrimaryLabel("goes into a copy").Help(help.Add(FillText(facts, op, write, derived.source_span)));
      return;
    default: break;
  }
  report.PrimaryLabel("goes into a copy")
      .Help(help.Add("write through the source with the index it has in `")
                .Add(derived.source_span)
                .Add("`, or put the changed copy back")
                .Add(PutBackText(facts, op, derived.source_span)));
}

extern constinit const Rule kRule;
constinit const Rule kRule = {
    .code = 205,
    .slug = "mutated-copy",
    .family = Family::kRefactor,
    .severity = Severity::kError,
    .cold = Severity::kError,
    .summary = "a write to a copy where NumPy gives a view",
    .message =
        "`{expr}` writes to the result of `{call}`, which is a copy on cuPyNumeric and a view in NumPy, so `{array}` "
        "keeps its old values",
    .why = "no message is given: the program runs on and its numbers are wrong",
    .details = R"md(
Fires where the result of `flip`, `fliplr`, `flipud`, `rot90`, of `ravel` of a matrix, of a `reshape` that changes more
than axes of extent 1, or of `.real` and `.imag` of complex data is written to (subscript, `op=`, `out=`, `fill`, `sort`,
`put`), and the source is read afterwards or belongs to the caller or to an object. Two more forms: a store through
`np.diag(m)` or `m.diagonal()`, which NumPy refuses; and `b = a.astype(t)` to the type that a has, which gives one array
here and two in NumPy.

Stays quiet on `flatten` and `roll` (copies in both), on `.T`, `swapaxes`, `squeeze`, basic slices, `view()` and reshapes
that only add or drop axes of extent 1 (views in both), on reads, where the source is dead after the write, and on an
explicit `.copy()`.
)md",
    .bad = R"py(
import numpy as np

def set_first(n, m):
    grid = np.zeros((n, m))
    flat = grid.ravel()
    flat[0] = 1.0
    return grid
)py",
    .good = R"py(
import numpy as np

def set_first(n, m):
    grid = np.zeros((n, m))
    grid[0, 0] = 1.0
    return grid
)py",
    .recipe = "RR-view",
    .fix = FixClass::kUnsafe,
    .conditions = R"md(
1. an operation gives a view in NumPy and a copy in cuPyNumeric (or, for `astype` to the same type, the reverse)
2. its result is written to
3. the source is read afterwards, or belongs to the caller or an object
- (g) the changed copy is put back
)md",
    .ops = {OpKind::kCall, OpKind::kAttr},
    .on_op = &OnOp,
};

}  // namespace cpnlint::rules::r205
