#include "rules/match/before_loop.h"

#include <algorithm>
#include <optional>

#include "rules/match/one_fetch.h"
#include "rules/match/story.h"

namespace cpnlint::rules::match {

using analysis::HostRead;
using ir::LoopId;
using ir::OpKind;
using ir::ValueId;

namespace {

// Made of what the loop binds to a name, which is not there before it.
bool RestsOnNamesOf(const Facts& facts, ValueId value, LoopId loop) {
  constexpr std::size_t kMostValues = 64;
  const ir::Program& program = facts.program();
  const auto& bindings = program.functions[program.loops[loop].function].bindings;
  std::vector<ValueId> made = {value};
  for (std::size_t i = 0; i < made.size(); ++i) {
    if (i == kMostValues) return true;
    if (!facts.InLoop(made[i], loop)) continue;
    if (std::ranges::any_of(bindings, [&](const ir::Binding& one) { return one.value == made[i]; })) return true;
    for (const ValueId operand : program.Operands(made[i])) {
      if (operand.valid() && std::ranges::find(made, operand) == made.end()) made.push_back(operand);
    }
  }
  return false;
}

}  // namespace

LoopId LoopThatKeeps(const Facts& facts, ValueId value, ValueId site) {
  return LoopThatKeeps(facts, std::vector<ValueId>{value}, site);
}

LoopId LoopThatKeeps(const Facts& facts, const std::vector<ValueId>& values, ValueId site) {
  const ir::Program& program = facts.program();
  LoopId outermost;
  for (LoopId loop = program.LoopOf(site); loop.valid(); loop = program.loops[loop].parent) {
    const bool keeps = std::ranges::all_of(values, [&](ValueId value) {
      if (!value.valid() || program.FunctionOf(value) != program.loops[loop].function) return false;
      if (RestsOnNamesOf(facts, value, loop)) return false;
      const ValueId root = facts.RootOf(value);
      return facts.Invariant(value, loop) && !(root.valid() && facts.MutatedIn(root, loop));
    });
    if (!keeps) break;
    outermost = loop;
  }
  return values.empty() ? LoopId::None() : outermost;
}

namespace {

// An entry that a test inside of the loop lets through alone, which may not be there else.
bool IsGuardedEntry(const Facts& facts, const HostRead& read, LoopId loop) {
  const ir::Program& program = facts.program();
  const ir::GuardId guard = program.blocks[program.ops[read.op].block].guard;
  if (!guard.valid() || !program.guards[guard].loop.valid()) return false;
  if (!facts.LoopContains(loop, program.guards[guard].loop)) return false;
  std::vector<ValueId> made = {facts.Source(read.value)};
  for (std::size_t i = 0; i < made.size() && i < 64; ++i) {
    if (!made[i].valid()) continue;
    if (program.ops[made[i]].kind == OpKind::kSubscript) return true;
    for (const ValueId operand : program.Operands(made[i])) made.push_back(operand);
  }
  return false;
}

Text Before(const Facts& facts, LoopId loop) {
  return Text("once before ").Add(Quoted(facts.program().loops[loop].header_span));
}

// A number of Python or NumPy, which has a hash.
bool IsHostNumber(const Facts& facts, ValueId value) {
  return value.valid() && !facts.IsDevice(value) && analysis::IsNumber(facts.Of(value).kind);
}

// `idx in picks`
Text LookUpBefore(const Facts& facts, const HostRead& read, LoopId loop) {
  const ir::Program& program = facts.program();
  if (program.ops[read.op].kind != OpKind::kCompare || program.Operands(read.op).size() != 2) return {};
  const Span items = program.OperandSpan(read.op, read.operand);
  const bool hashed = facts.RankOf(read.value) == 1 && IsHostNumber(facts, program.Operand(read.op, 0));
  const bool negated = static_cast<ir::CompareOp>(program.ops[read.op].detail) == ir::CompareOp::kNotIn;
  Text help("the loop does not change ");
  help.Add(Quoted(items)).Add(": fetch it ").Add(Before(facts, loop));
  if (hashed) {
    help.Add(", `found = set(").Add(items, Binding::kPrimary).Add(".tolist())`, and ask `");
  } else {
    help.Add(", `found = onp.asarray(").Add(items).Add(")` of host NumPy, and ask `");
  }
  return help.Add(program.OperandSpan(read.op, 0), Binding::kBitOr).Add(negated ? " not in found`" : " in found`");
}

// `picks[idx]`, with a vector that the loop leaves alone: all of it at once.
Text TableBefore(const Facts& facts, const HostRead& read) {
  const ir::Program& program = facts.program();
  const ValueId entry = facts.Source(read.value);
  if (!entry.valid() || program.ops[entry].kind != OpKind::kSubscript || facts.KeysOf(entry).size() != 1) return {};
  const ValueId table = program.Operand(entry, 0), key = facts.KeysOf(entry)[0];
  const LoopId loop = LoopThatKeeps(facts, table, read.op);
  // The index of a list is one number.
  const bool numbers = read.kind == HostRead::Kind::kIndex || facts.RankOf(table) == 1;
  if (!loop.valid() || !numbers || !facts.IsDevice(table) || IsGuardedEntry(facts, read, loop)) return {};
  const LoopId around = program.LoopOf(entry);
  if (!around.valid() || !IsHostNumber(facts, key) || !facts.DependsOnInduction(key, around)) return {};
  return Text("the loop does not change ")
      .Add(Quoted(program.OperandSpan(entry, 0)))
      .Add(": fetch all of it ")
      .Add(Before(facts, loop))
      .Add(", `found = ")
      .Add(program.OperandSpan(entry, 0), Binding::kPrimary)
      .Add(".tolist()`, and take `found[")
      .Add(program.OperandSpan(entry, 1))
      .Add("]`");
}

}  // namespace

Text ConvertBefore(const Facts& facts, const HostRead& read) {
  if (read.kind == HostRead::Kind::kAttribute) return {};
  if (Text table = TableBefore(facts, read); !table.empty()) return table;
  const LoopId loop = LoopThatKeeps(facts, read.value, read.op);
  if (!loop.valid() || IsGuardedEntry(facts, read, loop)) return {};
  const ir::Program& program = facts.program();
  // `u.tolist()` gives a new list each time, which a pass may change.
  if (read.kind == HostRead::Kind::kConversion && facts.HasAxis(read.value)) return {};
  if (read.kind == HostRead::Kind::kContains) return LookUpBefore(facts, read, loop);
  if (read.kind == HostRead::Kind::kConversion && program.ops[read.op].kind == OpKind::kCall) {
    return Text("no pass changes what is converted: do `")
        .Add(program.ops[read.op].span)
        .Add("` ")
        .Add(Before(facts, loop));
  }
  const Span index = SpanOfOperand(facts, read.op, read.value);
  return Text("no pass changes this number: convert it, `int(").Add(index).Add(")`, ").Add(Before(facts, loop));
}

Text TestBefore(const Facts& facts, const HostRead& read) {
  if (facts.program().ops[read.op].kind != OpKind::kTruth) return {};
  const Span test = SpanOfOperand(facts, read.op, read.value);
  if (const LoopId whole = LoopThatKeeps(facts, read.value, read.op); whole.valid()) {
    if (IsGuardedEntry(facts, read, whole)) return {};
    return Text("no pass changes this test: make it ")
        .Add(Before(facts, whole))
        .Add(", `test = bool(")
        .Add(test)
        .Add(")`, and ask `test`");
  }
  const Origins origins = OriginsOf(facts, read.value);
  const LoopId loop = origins.rest_on_host ? LoopThatKeeps(facts, origins.on_device, read.op) : LoopId::None();
  if (!loop.valid() || IsGuardedEntry(facts, read, loop)) return {};
  Text help("what the device computes for this test stays the same: fetch it ");
  help.Add(Before(facts, loop));
  const std::optional<Text> fetches = Fetches(facts, origins.on_device);
  return fetches ? help.Add(", ").Add(*fetches) : help.Add(", as Python numbers");
}

}  // namespace cpnlint::rules::match
