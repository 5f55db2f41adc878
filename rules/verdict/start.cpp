// Which modules are run, and which are only imported.

#include "rules/verdict/start.h"

#include <algorithm>

namespace cpnlint::verdict {
namespace {

using analysis::Callee;
using ir::OpKind;

bool IsNameOfModule(const ir::Program& program, ir::ValueId value) {
  return value.valid() && program.ops[value].kind == OpKind::kBuiltin && program.Name(program.ops[value]) == "__name__";
}

// `if __name__ == "__main__":`, either way round.
bool TestsForMain(const ir::Program& program, const ir::Function& body) {
  for (std::size_t i = body.first_op.index(); i < body.end_op.index(); ++i) {
    const ir::ValueId op(i);
    if (program.ops[op].kind != OpKind::kCompare) continue;
    if (IsNameOfModule(program, program.Operand(op, 0)) || IsNameOfModule(program, program.Operand(op, 1))) return true;
  }
  return false;
}

bool IsMainFile(std::string_view path) {
  constexpr std::string_view kName = "__main__.py";
  return path.ends_with(kName) && (path.size() == kName.size() || path[path.size() - kName.size() - 1] == '/');
}

bool IsCalledBy(const analysis::Facts& facts, const ir::Function& function, ir::ValueId driver) {
  const auto& ops = facts.program().blocks[function.blocks.front()].ops;
  return !ops.empty() && facts.HeatOf(ops.front()).callback == driver;
}

// `FuncAnimation(fig, update)`: another library is to call a function of the program again and again.
bool HandsOverFunction(const analysis::Facts& facts, ir::ValueId call) {
  if (facts.CalleeOf(call).kind != Callee::Kind::kForeign) return false;
  const ir::Program& program = facts.program();
  const auto operands = program.Operands(call);
  return std::any_of(operands.begin() + 1, operands.end(), [&](ir::ValueId operand) {
    if (!operand.valid() || facts.Of(operand).kind != analysis::Kind::kFunction) return false;
    const ir::FunctionId function = facts.Of(operand).function;
    return function.valid() && IsCalledBy(facts, program.functions[function], call);
  });
}

// Its own code works on arrays, calls functions of the program for what they do, or hands them to a driver: more than a
// library does to make its constants.
bool WorksByItself(const analysis::Facts& facts, const ir::Module& module) {
  const ir::Program& program = facts.program();
  const ir::Function& body = program.functions[module.body];
  const bool defines = module.end_function.index() - module.first_function.index() > 1;
  for (std::size_t i = body.first_op.index(); i < body.end_op.index(); ++i) {
    const ir::ValueId op(i);
    if (program.FunctionOf(op) != module.body) continue;
    const bool works = facts.IsArrayWork(op);
    if (works && (!defines || program.LoopOf(op).valid())) return true;
    if (program.ops[op].kind != OpKind::kCall) continue;
    const Callee::Kind kind = facts.CalleeOf(op).kind;
    if (works && kind == Callee::Kind::kUnknown) return true;
    if (kind == Callee::Kind::kLocal && (works || facts.UsesOf(op).empty())) return true;
    if (HandsOverFunction(facts, op)) return true;
  }
  return false;
}

}  // namespace

Starts::Starts(const analysis::Facts& facts)
    : facts_(facts), imported_(facts.program().modules.size(), false), packaged_(imported_) {
  const ir::Program& program = facts.program();
  if (imported_.size() < 2) return;
  const auto see = [&](ir::ModuleId importer, ir::ModuleId module) {
    if (module.valid() && module != importer) imported_[module.index()] = true;
  };
  for (std::size_t i = 0; i < program.ops.size(); ++i) {
    const ir::ValueId op(i);
    if (program.ops[op].kind != OpKind::kImport) continue;
    const ir::ImportRecord& record = program.imports[program.ops[op].payload];
    const ir::ModuleId importer = program.functions[program.FunctionOf(op)].module;
    see(importer, record.target);
    see(importer, record.submodule);
  }
  calls_.resize(program.functions.size());
  for (std::size_t f = 0; f < calls_.size(); ++f) {
    for (const ir::ValueId call : facts.CallSitesOf(ir::FunctionId(f))) {
      calls_[program.FunctionOf(call).index()].push_back(ir::FunctionId(f));
    }
  }
  for (std::size_t i = 0; i < program.modules.size(); ++i) {
    const ir::Module& module = program.modules[ir::ModuleId(i)];
    for (const ir::ModuleId star : module.star_targets) see(ir::ModuleId(i), star);
    // A module of a package is there to be imported, by code that is not here, too.
    for (const auto& [name, member] : module.members) packaged_[member.index()] = true;
  }
}

std::size_t Starts::ReachOf(ir::ModuleId id) const {
  if (calls_.empty()) return 0;  // the only module
  std::vector<bool> seen(calls_.size(), false);
  std::vector<ir::FunctionId> reached = {facts_.program().modules[id].body};
  seen[reached.front().index()] = true;
  for (std::size_t i = 0; i < reached.size(); ++i) {
    for (const ir::FunctionId called : calls_[reached[i].index()]) {
      if (!seen[called.index()]) reached.push_back(called);
      seen[called.index()] = true;
    }
  }
  return reached.size();
}

Start Starts::Of(ir::ModuleId id) const {
  const ir::Module& module = facts_.program().modules[id];
  if (IsMainFile(module.path)) return Start::kMain;
  const bool is_library = imported_[id.index()] || packaged_[id.index()];
  if (TestsForMain(facts_.program(), facts_.program().functions[module.body])) {
    return is_library ? Start::kImported : Start::kMain;
  }
  return !is_library && WorksByItself(facts_, module) ? Start::kScript : Start::kNone;
}

}  // namespace cpnlint::verdict
