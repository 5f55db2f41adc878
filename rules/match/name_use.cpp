#include "rules/match/name_use.h"

#include <algorithm>
#include <vector>

#include "rules/match/host_call.h"

namespace cpnlint::rules::match {

using analysis::Facts;
using ir::OpKind;

// The ops that read an imported name: its own, and the loads in functions. Empty where it goes elsewhere, too.
static std::vector<ir::ValueId> ReadersOf(const Facts& facts, ir::ValueId import) {
  const ir::Program& program = facts.program();
  std::vector<ir::ValueId> readers;
  for (const ir::ValueId use : facts.UsesOf(import)) {
    if (program.ops[use].kind != OpKind::kStoreCell) {
      readers.push_back(use);
      continue;
    }
    for (const ir::ValueId load : program.cells[ir::CellId(program.ops[use].payload)].loads) {
      const std::span<const ir::ValueId> uses = facts.UsesOf(load);
      readers.insert(readers.end(), uses.begin(), uses.end());
    }
  }
  return readers;
}

ir::ValueId OnlyCall(const Facts& facts, ir::ValueId op) {
  const ir::Program& program = facts.program();
  const OpKind kind = program.ops[op].kind;
  if (kind != OpKind::kAttr && kind != OpKind::kImport && kind != OpKind::kStarName) return {};
  const std::vector<ir::ValueId> readers = ReadersOf(facts, op);
  if (readers.size() != 1 || program.ops[readers.front()].kind != OpKind::kCall) return {};
  const ir::ValueId callee = program.Operand(readers.front(), 0);
  const bool loads = program.ops[callee].kind == OpKind::kLoadCell;
  return callee == op || (kind == OpKind::kImport && loads) ? readers.front() : ir::ValueId::None();
}

// Classes are no such functions: what their objects are applied to later may be on the device.
static bool IsFunctionName(std::string_view name) { return !name.empty() && (name[0] < 'A' || name[0] > 'Z'); }

// A table or column of pandas, whose values are on the host; whichever way comes to it.
static bool IsOfPandas(const Facts& facts, ir::ValueId value, int depth = 0) {
  constexpr int kDeepest = 4;
  const ir::ValueId source = value.valid() ? facts.Source(value) : value;
  if (!source.valid() || facts.Of(source).kind != analysis::Kind::kForeign || depth > kDeepest) return false;
  const ir::Program& program = facts.program();
  if (program.ops[source].kind == OpKind::kPhi) {
    return std::ranges::all_of(program.Operands(source),
                               [&](ir::ValueId way) { return IsOfPandas(facts, way, depth + 1); });
  }
  return program.names.Text(facts.Of(source).name).starts_with("pandas.");
}

static bool IsCallOnHostData(const Facts& facts, ir::ValueId call) {
  const auto arguments = facts.program().Operands(call).subspan(1);
  return !arguments.empty() && !facts.HasStarArguments(call) &&
         std::ranges::all_of(arguments, [&](ir::ValueId argument) {
           return IsHostData(facts, facts.Of(argument)) || IsOfPandas(facts, argument);
         });
}

// The first argument, which the function works on.
static bool IsCallOnHostArray(const Facts& facts, ir::ValueId call) {
  if (facts.PositionalCount(call) == 0 || facts.HasStarArguments(call)) return false;
  const ir::ValueId array = facts.program().Operand(call, 1);
  return IsHostData(facts, facts.Of(array)) || IsOfPandas(facts, array);
}

using Question = bool (*)(const Facts& facts, ir::ValueId call);

static HostUse CallsOnHostData(const Facts& facts, ir::ValueId name, Question is_on_host = &IsCallOnHostData) {
  const ir::Program& program = facts.program();
  const ir::Op& it = program.ops[name];
  if (it.kind == OpKind::kAttr && !IsFunctionName(program.Name(it))) return {};
  HostUse found;
  const std::vector<ir::ValueId> readers = ReadersOf(facts, name);
  for (const ir::ValueId reader : readers) {
    const OpKind kind = program.ops[reader].kind;
    HostUse use;
    if (kind == OpKind::kAttr) use = CallsOnHostData(facts, reader, is_on_host);
    if (kind == OpKind::kCall && is_on_host(facts, reader)) use = {true, reader};
    if (!use.whole) return {};
    found = {true, readers.size() == 1 ? use.call : ir::ValueId::None()};
  }
  return found;
}

bool HasNoSubstitute(const api::Entry& row) {
  const api::Substitute& fix = row.substitute;
  return fix.fix == api::Fix::kStructural || (fix.fix == api::Fix::kNone && fix.text.empty() && fix.to.empty());
}

HostUse CalledOnHostData(const Facts& facts, ir::ValueId op, const api::Entry& row) {
  const bool function =
      row.kind == api::Kind::kFunction || row.kind == api::Kind::kUfunc || row.kind == api::Kind::kModule;
  // Host NumPy draws from a generator of its own, and may draw much.
  if (!function || !HasNoSubstitute(row) || row.name.starts_with("numpy.random.")) return {};
  return CallsOnHostData(facts, op);
}

bool WorksOnHostArrays(const Facts& facts, ir::ValueId op) {
  return CallsOnHostData(facts, op, &IsCallOnHostArray).whole;
}

bool IsNeverUsed(const Facts& facts, ir::ValueId import) {
  const ir::Program& program = facts.program();
  const ir::Op& op = program.ops[import];
  if (op.kind != OpKind::kImport || !program.imports[op.payload].name.valid()) return false;
  const ir::ModuleId here = program.functions[program.FunctionOf(import)].module;
  const ir::Module& module = program.modules[here];
  const Symbol bound = program.imports[op.payload].bound;
  const auto& bindings = program.functions[module.body].bindings;
  const bool lists = std::any_of(bindings.begin(), bindings.end(), [&](const ir::Binding& binding) {
    return program.names.Text(binding.name) == "__all__";
  });
  const bool handed_on =
      std::any_of(program.imports.begin(), program.imports.end(),
                  [&](const ir::ImportRecord& other) { return other.target == here && other.name == bound; });
  return !lists && !handed_on && !module.path.ends_with("__init__.py") && ReadersOf(facts, import).empty();
}

}  // namespace cpnlint::rules::match
