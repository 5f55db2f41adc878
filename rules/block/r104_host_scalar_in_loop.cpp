#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/api/api.h"
#include "rules/engine/rule.h"
#include "rules/match/before_loop.h"
#include "rules/match/random_draw.h"
#include "rules/match/same_expression.h"
#include "rules/match/scalar_math.h"
#include "rules/match/story.h"
#include "rules/match/strided_view.h"
#include "rules/match/walked_fetch.h"

namespace cpnlint::rules::r104 {
namespace {

using analysis::Heat;
using analysis::HostRead;
using analysis::Kind;
using ir::OpKind;
using ir::ValueId;

constexpr double kSeldom = 10;  // passes per execution from which on a wait is fine

// `h.append(math.sqrt(u.mean()))`: a function of Python numbers is the conversion. Where the array library has the
// function and its result would do, R215 says so; `decimal` and `fractions` take no array.
bool ConvertsForMath(const Facts& facts, const HostRead& read) {
  if (read.kind != HostRead::Kind::kMath || facts.program().ops[read.op].kind != OpKind::kCall) return false;
  const std::string_view name = facts.CalleeOf(read.op).name;
  if (!name.starts_with("math.") && !name.starts_with("cmath.")) return false;
  if (match::WalksItsArgument(name) || name == "math.trunc") return false;  // which raises
  return facts.RankOf(read.value) <= 0 && !match::ScalarMathOf(facts, read).has_rewrite;
}

bool PullsValue(const Facts& facts, const HostRead& read) {
  const HostRead::Kind kind = read.kind;
  return kind == HostRead::Kind::kConversion || kind == HostRead::Kind::kIndex || kind == HostRead::Kind::kContains ||
         kind == HostRead::Kind::kAttribute || ConvertsForMath(facts, read);
}

// Where the value is written that is pulled: `u` of `float(u)` and of `u.item()`.
Span SpanOfValue(const Facts& facts, const HostRead& read) {
  const ir::Program& program = facts.program();
  const bool method = program.ops[read.op].kind == OpKind::kCall && read.operand == 0;
  const ValueId at = method ? program.Operand(read.op, 0) : read.op;
  if (!at.valid()) return program.ops[read.value].span;
  if (method && program.ops[at].kind != OpKind::kAttr) return program.ops[read.value].span;
  return program.OperandSpan(at, method ? 0 : read.operand);
}

// The append of `log.append(x)`, where the value goes into a list and nowhere else; None() elsewhere.
ValueId Append(const Facts& facts, ValueId value) {
  const ir::Program& program = facts.program();
  const std::vector<ValueId> uses = facts.DeepUsesOf(value);
  if (uses.size() != 1 || program.ops[uses.front()].kind != OpKind::kCall) return {};
  const analysis::Callee& callee = facts.CalleeOf(uses.front());
  const bool appends = callee.kind == analysis::Callee::Kind::kContainerMethod && callee.name == "list.append";
  return appends ? uses.front() : ValueId::None();
}

// The list is made empty before the loop and gets one item on each pass, which nothing in the loop looks at.
bool FillsOnEachPass(const Facts& facts, ValueId append, ir::LoopId loop) {
  const ir::Program& program = facts.program();
  if (program.LoopOf(append) != loop || program.loops[loop].has_break) return false;
  const ir::GuardId guard = program.blocks[program.ops[append].block].guard;
  if (guard.valid() && program.guards[guard].loop == loop) return false;  // not on each pass
  const ValueId method = program.Operand(append, 0);
  if (!method.valid() || program.ops[method].kind != OpKind::kAttr) return false;
  const ValueId list = facts.Source(program.Operand(method, 0));
  if (!list.valid() || program.ops[list].kind != OpKind::kList || program.ops[list].operand_count != 0) return false;
  if (facts.InLoop(list, loop)) return false;
  for (const ValueId use : facts.DeepUsesOf(list)) {
    const bool elsewhere = !facts.InLoop(use, loop) && program.ops[use].kind != OpKind::kAttr;
    if (use != method && !elsewhere) return false;
  }
  return true;
}

// `rows[k]` of a list or tuple.
bool IsItemOfList(const Facts& facts, const HostRead& read) {
  const ir::Program& program = facts.program();
  if (read.kind != HostRead::Kind::kIndex || program.ops[read.op].kind != OpKind::kSubscript) return false;
  const Kind kind = facts.Of(program.Operand(read.op, 0)).kind;
  return kind == Kind::kList || kind == Kind::kTuple;
}

// What becomes of the Python number.
enum class Fate : std::uint8_t { kRecorded, kArithmetic, kOther };

Fate FateOf(const Facts& facts, ValueId number) {
  const ir::Program& program = facts.program();
  bool recorded = false, computed = false;
  for (const ValueId use : facts.DeepUsesOf(number)) {
    const ir::Op& op = program.ops[use];
    const bool store = op.kind == OpKind::kStoreSubscript && program.Operand(use, 1) == number;
    if (store && facts.IsDevice(program.Operand(use, 0))) {
      computed = true;
    } else if ((op.kind == OpKind::kBinary || op.kind == OpKind::kInplaceBinary) && facts.IsDevice(use)) {
      computed = true;
    } else if (op.kind == OpKind::kFormatString || store ||
               (op.kind == OpKind::kCall &&
                (facts.CalleeOf(use).name == "list.append" || facts.CalleeOf(use).name == "print"))) {
      recorded = true;
    } else {
      return Fate::kOther;
    }
  }
  return computed ? Fate::kArithmetic : recorded ? Fate::kRecorded : Fate::kOther;
}

// `float(x)` and `x.item()`, which keep the value as it is.
bool KeepsValue(const Facts& facts, const HostRead& read) {
  if (read.kind != HostRead::Kind::kConversion || facts.program().ops[read.op].kind != OpKind::kCall) return false;
  const analysis::Callee& callee = facts.CalleeOf(read.op);
  const std::string_view name = callee.name.substr(callee.name.rfind('.') + 1);
  if (callee.kind == analysis::Callee::Kind::kBuiltin)
    return name == "float" && ir::IsFloat(facts.Of(read.value).dtype);
  return name == "item";
}

// `np.zeros(n)`, of the type of the values.
Text Buffer(const Facts& facts, ir::LoopId loop, ir::DType dtype) {
  const ir::Program& program = facts.program();
  const ValueId range = facts.Source(program.loops[loop].iterable);
  Text made("np.zeros(");
  made.Add(program.OperandSpan(range, 1));
  if (dtype != ir::DType::kFloat64) made.Add(", dtype=np.").Add(std::string(ir::Name(dtype)));
  return made.Add(")");
}

// The number is an end of a slice and nothing else.
bool BoundsSlices(const Facts& facts, const HostRead& read) {
  const auto is_slice = [&](ValueId op) { return facts.program().ops[op].kind == OpKind::kSlice; };
  if (read.kind == HostRead::Kind::kIndex) return is_slice(read.op);
  if (read.kind != HostRead::Kind::kConversion) return false;
  const std::vector<ValueId> uses = facts.DeepUsesOf(read.op);
  return !uses.empty() && std::all_of(uses.begin(), uses.end(), is_slice);
}

// `a[:int(n[i])]` with a table n that the loop leaves alone, or with a number that each pass computes.
Text HelpForBound(const Facts& facts, const HostRead& read, ir::LoopId loop) {
  const ir::Program& program = facts.program();
  const ValueId entry = facts.Source(read.value);
  const bool here = loop.valid() && program.loops[loop].function == program.FunctionOf(read.op);
  if (here && program.ops[entry].kind == OpKind::kSubscript && facts.KeysOf(entry).size() == 1) {
    const ValueId table = program.Operand(entry, 0);
    if (facts.Invariant(entry, loop)) return "no pass changes this end of a slice: convert it once before the loop";
    if (facts.Invariant(table, loop) && !facts.MutatedIn(facts.RootOf(table), loop)) {
      return Text("the end of a slice has to be a Python number: fetch all of them before the loop, `ends = ")
          .Add(program.OperandSpan(entry, 0), Binding::kPrimary)
          .Add(".tolist()`, and slice by `ends[")
          .Add(program.OperandSpan(entry, 1))
          .Add("]`");
    }
  }
  return "the end of a slice has to be a Python number; to stay on the device work on the whole axis, with a mask "
         "(`np.arange(...) < end`) in `np.where`";
}

// `np.float32(x > 0)` of an array: host NumPy's type, which gives a host array. `(x > 0).astype(np.float32)` does the
// same on the device.
Text HelpForCast(const Facts& facts, const HostRead& read, Span value) {
  const ir::Program& program = facts.program();
  if (read.kind != HostRead::Kind::kConversion || program.ops[read.op].kind != OpKind::kCall) return {};
  if (read.operand != 1 || program.Operands(read.op).size() != 2 || !facts.HasAxis(read.value)) return {};
  const api::Entry* row = api::Find(facts.ApiName(program.Operand(read.op, 0)));
  if (row == nullptr || row->kind != api::Kind::kDtype || row->name == "numpy.str_" || row->name == "numpy.bytes_")
    return {};
  return Text("write `")
      .Add(value, Binding::kPrimary)
      .Add(".astype(")
      .Add(program.OperandSpan(read.op, 0))
      .Add(")`, which stays on the device: called with an array, the type gives an array of the host");
}

// `rows[k]` of a list: the numbers of the host alone are its indices.
Text HelpForItem(const Facts& facts, const HostRead& read) {
  const ir::Program& program = facts.program();
  if (!IsItemOfList(facts, read)) return {};
  const Span list = program.OperandSpan(read.op, 0), index = program.OperandSpan(read.op, read.operand);
  const auto uses = facts.UsesOf(facts.Source(read.value));
  const auto items = std::ranges::count_if(uses, [&](ValueId use) {
    return program.ops[use].kind == OpKind::kSubscript && !facts.IsDevice(program.Operand(use, 0));
  });
  if (items > 1) {
    return Text("a list takes Python numbers alone: fetch `")
        .Add(index)
        .Add("` once per pass for all of these places, by `int(...)` where it is computed");
  }
  if (!facts.IsArray(read.op)) {
    return Text("a list takes Python numbers alone: compute ")
        .Add(match::Quoted(index))
        .Add(" on the host, or fetch the positions of several passes at once by `.tolist()`");
  }
  return Text("a list takes Python numbers alone; where its items have one shape, keep them in one array in place of ")
      .Add(match::Quoted(list))
      .Add(", and take `np.take(")
      .Add(list)
      .Add(", ")
      .Add(index, Binding::kPrimary)
      .Add(".reshape(1), axis=0, mode='clip')[0]`, where no index is negative or beyond the end");
}

bool IsComputedFrom(const Facts& facts, ValueId value, ValueId from) {
  constexpr std::size_t kMostValues = 64;
  std::vector<ValueId> work = {value};
  for (std::size_t i = 0; i < work.size(); ++i) {
    if (i == kMostValues || work[i] == from) return true;
    for (const ValueId operand : facts.program().Operands(work[i])) {
      if (operand.valid() && std::ranges::find(work, operand) == work.end()) work.push_back(operand);
    }
  }
  return false;
}

// Between the two ops of one block something is written, code of the program or of nobody knows whom runs, or a name
// that the second is computed from is bound: before the first it would be something else.
bool ChangesBetween(const Facts& facts, ValueId first, ValueId second, ValueId value) {
  const ir::Program& program = facts.program();
  const bool changes = std::ranges::any_of(program.blocks[program.ops[first].block].ops, [&](ValueId op) {
    if (!(first < op && op < second)) return false;
    const OpKind kind = program.ops[op].kind;
    if (kind == OpKind::kStoreSubscript || kind == OpKind::kInplaceBinary || kind == OpKind::kStoreAttr) return true;
    if (kind != OpKind::kCall) return false;
    const analysis::Callee::Kind callee = facts.CalleeOf(op).kind;
    return callee == analysis::Callee::Kind::kLocal || callee == analysis::Callee::Kind::kUnknown ||
           callee == analysis::Callee::Kind::kClass || callee == analysis::Callee::Kind::kContainerMethod;
  });
  const auto& bindings = program.functions[program.FunctionOf(first)].bindings;
  return changes || std::ranges::any_of(bindings, [&](const ir::Binding& one) {
           return first < one.value && one.value < second && IsComputedFrom(facts, value, one.value);
         });
}

// `int(y.max())` and `int(y.min())` one after the other: one wait fetches both. Empty where the pass converts one
// alone.
Text FetchTogether(const Facts& facts, const HostRead& read) {
  const ir::Program& program = facts.program();
  const auto is_number = [&](const HostRead& one) {
    const bool converts = one.kind == HostRead::Kind::kConversion && program.ops[one.op].kind == OpKind::kCall &&
                          facts.CalleeOf(one.op).kind == analysis::Callee::Kind::kBuiltin;
    return converts && facts.IsZeroD(one.value) && facts.Of(one.value).dtype == facts.Of(read.value).dtype;
  };
  const ir::DType dtype = facts.Of(read.value).dtype;
  if (!is_number(read) || (!ir::IsFloat(dtype) && !ir::IsInteger(dtype))) return {};
  for (const HostRead& next : facts.HostReadsOf(program.FunctionOf(read.op))) {
    if (next.op <= read.op || program.ops[next.op].block != program.ops[read.op].block || !is_number(next)) continue;
    if (facts.Source(next.value) == facts.Source(read.value) || IsComputedFrom(facts, next.value, read.op)) continue;
    if (match::SameExpression(facts, next.value, read.value)) continue;
    if (ChangesBetween(facts, read.op, next.op, next.value)) return {};
    return Text("; where it does, one wait fetches several numbers of a pass: `np.stack((")
        .Add(SpanOfValue(facts, read), Binding::kConditional)
        .Add(", ")
        .Add(SpanOfValue(facts, next), Binding::kConditional)
        .Add(")).tolist()`");
  }
  return {};
}

// `np.sqrt(u.mean())` of `math.sqrt(u.mean())`, whose result is a float64 as that of `math` is; empty for others.
Text OnDevice(const Facts& facts, const HostRead& read, Span value) {
  if (read.kind != HostRead::Kind::kMath || facts.PositionalCount(read.op) != 1) return {};
  const std::string_view ufunc = match::ScalarMathOf(facts, read).ufunc;
  const bool real = facts.CalleeOf(read.op).name.starts_with("math.");
  if (ufunc.empty() || ufunc.starts_with("is") || !real || facts.Of(read.value).dtype != ir::DType::kFloat64) return {};
  return Text("np.").Add(std::string(ufunc)).Add("(").Add(value).Add(")");
}

Text HelpForAttribute(const Facts& facts, const HostRead& read) {
  const ir::Program& program = facts.program();
  const auto only_reads = [&](ValueId use) {
    const OpKind kind = program.ops[use].kind;
    return kind == OpKind::kCall || kind == OpKind::kSubscript || kind == OpKind::kBinary;
  };
  const bool flat = program.ops[read.op].kind == OpKind::kAttr && program.Name(program.ops[read.op]) == "flat";
  constexpr std::string_view kOutside = "read the attribute outside of the loop, or do without it";
  if (!flat || !std::ranges::all_of(facts.UsesOf(read.op), only_reads)) return kOutside;
  const auto is_next = [&](ValueId use) {
    if (program.ops[use].kind != OpKind::kCall) return false;
    const analysis::Callee& callee = facts.CalleeOf(use);
    return callee.kind == analysis::Callee::Kind::kBuiltin && callee.name == "next";
  };
  if (const auto uses = facts.UsesOf(read.op); std::ranges::any_of(uses, is_next)) {
    const bool alone = uses.size() == 1 && program.Operands(uses[0]).size() == 2 &&
                       program.ops[uses[0]].span.Contains(program.ops[read.op].span);
    if (!alone) return kOutside;
    return Text("write `")
        .Add(program.OperandSpan(read.op, 0), Binding::kPrimary)
        .Add(".ravel()[0]` for the whole call, an array of the same number, which stays on the device");
  }
  return Text("write `")
      .Add(program.OperandSpan(read.op, 0), Binding::kPrimary)
      .Add(".ravel()`, an array of the same entries, which stays on the device");
}

// `u *= float(c)`: the conversion can be left out, and nothing waits.
bool StaysOnDevice(const Facts& facts, const HostRead& read) {
  return facts.IsZeroD(read.value) && KeepsValue(facts, read) && FateOf(facts, read.op) == Fate::kArithmetic;
}

Text Help(const Facts& facts, const HostRead& read, Span value, ir::LoopId loop) {
  if (const Text walk = match::FetchWalked(facts, read); !walk.empty() && !StaysOnDevice(facts, read)) return walk;
  if (BoundsSlices(facts, read)) return HelpForBound(facts, read, loop);
  if (const Text cast = HelpForCast(facts, read, value); !cast.empty()) return cast;
  if (const Text before = match::ConvertBefore(facts, read); !before.empty()) return before;
  if (const Text draw = match::DrawnOnHost(facts, read.value); !draw.empty())
    return Text("a number that the host needs costs no wait where it is ").Add(draw);
  if (const Text item = HelpForItem(facts, read); !item.empty()) return item;
  const Text on_device = OnDevice(facts, read, value);
  const bool number = facts.IsZeroD(read.value) && (KeepsValue(facts, read) || !on_device.empty());
  const Text kept = on_device.empty() ? Text(value) : on_device;
  const ValueId append = number ? Append(facts, read.op) : ValueId::None();
  const Span pass = match::PassNumberOf(facts, loop);
  const ir::DType dtype = facts.Of(read.value).dtype;
  const bool typed = ir::IsFloat(dtype) || ir::IsInteger(dtype);
  if (append.valid() && typed && !pass.empty() && FillsOnEachPass(facts, append, loop)) {
    const Span list = facts.program().OperandSpan(facts.program().Operand(append, 0), 0);
    return Text("keep it on the device: `hist = ")
        .Add(Buffer(facts, loop, dtype))
        .Add("` before the loop, `hist[")
        .Add(pass)
        .Add("] = ")
        .Add(kept)
        .Add("` in it, `")
        .Add(list)
        .Add(" = hist.tolist()` after it");
  }
  const Fate fate = number ? FateOf(facts, read.op) : Fate::kOther;
  if (fate == Fate::kArithmetic && !on_device.empty()) {
    return Text("write `").Add(on_device).Add("`: array operators take it as it is, and it stays on the device");
  }
  if (fate == Fate::kArithmetic) {
    return Text("leave the conversion out: array operators take ")
        .Add(match::Quoted(value))
        .Add(" as it is, and it stays on the device");
  }
  if (read.kind == HostRead::Kind::kAttribute) return HelpForAttribute(facts, read);
  Text text("keep ");
  text.Add("`").Add(fate == Fate::kRecorded ? kept : Text(value)).Add("` on the device and convert it after the loop");
  if (fate != Fate::kRecorded)
    return text.Add(", where the loop does not need it as a Python value").Add(FetchTogether(facts, read));
  const Span counter = match::CounterOf(facts, loop);
  text.Add(", or only every k passes");
  if (counter.empty()) return text;
  return text.Add(": ").Add(match::SeldomTest(facts, loop, counter));
}

// `x.item()` counts as an access of an element, `float(x)` as a builtin; a whole array is gathered by any conversion.
std::string_view DoctorOf(const Facts& facts, const HostRead& read) {
  if (read.kind != HostRead::Kind::kConversion || facts.program().ops[read.op].kind != OpKind::kCall) return "";
  const analysis::Callee& callee = facts.CalleeOf(read.op);
  if (callee.kind == analysis::Callee::Kind::kBuiltin) return callee.name == "complex" ? "" : "builtin on array";
  if (callee.name.ends_with(".item")) return "repeated scalar access";
  return facts.IsZeroD(read.value) ? "" : "whole-array gather";
}

// Fires when
//   1. the site is hot and runs more often than every tenth pass,
//   2. a device value becomes a Python value there: conversion, index or bound, `in`, an attribute that only the host
//   has, a function of Python numbers that R215 does not tell of,
//   3. the path does not end in a raise.
void OnFunction(const Facts& facts, ir::FunctionId function, Trial& trial) {
  for (const HostRead& read : facts.HostReadsOf(function)) {
    trial.Considers(read.op);
    if (!trial.Holds(2, PullsValue(facts, read))) continue;
    const Heat& heat = facts.HeatOf(read.op);
    if (!trial.Holds(1, heat.hot && heat.period < kSeldom)) continue;
    if (!trial.Holds(3, !heat.dead)) continue;

    if (match::ServesStridedViews(facts, read.op)) continue;  // which raise first (R119)
    const ir::Program& program = facts.program();
    const Span value = SpanOfValue(facts, read);
    const Span primary = program.ops[read.op].span.empty() ? value : program.ops[read.op].span;
    Trial::Report report = trial.ReportOp(read.op);
    report.At(primary).Arg("passes", match::PassesText(facts, read.op));
    if (IsItemOfList(facts, read)) {
      report.Arg("index", value).Message("`{index}` is pulled to the host as the index of `{expr}`[[ {passes}]]");
    }
    report.Root(facts.RootOf(read.value)).Evidence(facts.Of(read.value).evidence).Evidence(read.evidence);
    report.PrimaryLabel("waits here").Doctor(DoctorOf(facts, read));
    match::TellOrigin(facts, read.value, primary, report);
    match::TellHotLoop(facts, read.op, primary, report);
    report.Help(Help(facts, read, value, heat.loop));
    const ValueId root = facts.RootOf(read.value);
    if (!facts.IsZeroD(read.value) && root.valid() && heat.loop.valid() && facts.MutatedIn(root, heat.loop)) {
      report.Why(
          "the whole array is copied to the host and waited for, and each later write to it copies it back (26.07)");
    }
  }
}

}  // namespace

extern constinit const Rule kRule;
constinit const Rule kRule = {
    .code = 104,
    .slug = "host-scalar-in-loop",
    .family = Family::kBlocks,
    .severity = Severity::kError,
    .summary = "a loop pulls a value of an array to the host on each pass",
    .message = "`{expr}` pulls a device value to the host[[ {passes}]]",
    .why = "the conversion waits until all work behind the value is done, so the device runs dry on every pass (26.07)",
    .details = R"md(
`float(x)`, `x.item()`, `x.tolist()`, `int(x)`, host `asarray(x)` and the like need the value on the host: cuPyNumeric
maps the whole store there and Python waits until the work behind it is done. Once per run that is nothing; on every pass of
a hot loop the device has nothing queued while Python prepares the next pass. An array larger than one element stays mapped
on the host, so that each later write to it is copied back.

**Fires when**

1. the site is hot and runs more often than every tenth pass
2. a device value becomes a Python value there: a conversion, a list index, slice bound or `range` bound, `y in x`, one of `.flat`, `.data`, `.ctypes`, `.strides`, or an argument of `math` or `cmath` where R215 has nothing to offer
3. the path does not end in a raise

**Stays quiet**

- (a) behind a cadence: `if it % 100 == 0: print(float(err))`
- (b) after the loop, or in the `return` of a function that no loop calls
- (c) `len(a)`, `a.shape[0]`, `a.ndim`, `a.size`
- (d) in a message that is about to be raised
- (e) host values: `float(cfg["dt"])`
- (f) `abs(x)` and `pow(x, 2)`, which are operators on the device
- (g) loops over files or settings with a few trips
- (h) `x.strides` that goes into `as_strided` alone, which raises first (R119)

All forms end in the same wait. An explicit conversion that feeds a test is this finding, not R105.
)md",
    .bad = R"py(import numpy as np


def relax(n, steps):
    u = np.ones(n)
    log = []
    for it in range(steps):
        u = 0.5 * (u + np.roll(u, 1))
        log.append(float(u.max()))
    return u, log
)py",
    .good = R"py(import numpy as np


def relax(n, steps):
    u = np.ones(n)
    hist = np.zeros(steps)
    for it in range(steps):
        u = 0.5 * (u + np.roll(u, 1))
        hist[it] = u.max()
    return u, hist.tolist()
)py",
    .recipe = "RR-sync",
    .fix = FixClass::kUnsafe,
    .doctor = "builtin on array",
    .on_function = &OnFunction,
};

}  // namespace cpnlint::rules::r104
