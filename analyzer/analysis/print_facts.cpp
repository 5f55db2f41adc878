#include "analyzer/analysis/print_facts.h"

#include <algorithm>

namespace cpnlint::analysis {
namespace {

struct Line {
  std::uint32_t at = 0;
  std::string text;
};

// The name that the storage of a view was given first; empty where the view's storage has no name.
std::string_view NameOfRoot(const Facts& facts, const ir::Function& function, ir::ValueId root) {
  for (const ir::Param& param : function.params) {
    if (param.value == root) return facts.program().names.Text(param.name);
  }
  for (const ir::Binding& binding : function.bindings) {
    if (binding.value == root) return facts.program().names.Text(binding.name);
  }
  return {};
}

std::string Describe(const Facts& facts, const ir::Function& function, ir::ValueId id) {
  const Value& value = facts.Of(id);
  std::string text = ToString(facts.store(), facts.program().names, value);
  if (value.kind != Kind::kArray || value.root == id || !value.root.valid()) return text;
  const ir::OpKind made = facts.program().ops[id].kind;
  if (made != ir::OpKind::kSubscript && made != ir::OpKind::kAttr && made != ir::OpKind::kCall) return text;
  const std::string_view of = NameOfRoot(facts, function, value.root);
  if (of.empty()) return text;
  return text + (value.device_root == value.root ? " view-of(" : " copy-of(") + std::string(of) + ")";
}

void PrintLoop(const Facts& facts, ir::LoopId id, std::vector<Line>& lines) {
  const ir::Loop& loop = facts.program().loops[id];
  const LoopFact& fact = facts.LoopFactOf(id);
  std::string text = "loop " + std::string(Name(fact.kind));
  if (fact.hands_out) text += " hands-out";
  if (fact.trips.valid()) text += " trips " + facts.DimText(fact.trips);
  if (loop.body.valid() && !facts.program().blocks[loop.body].ops.empty()) {
    const Heat& heat = facts.HeatOf(facts.program().blocks[loop.body].ops.front());
    if (heat.hot) text += " hot";
  }
  lines.push_back({loop.header_span.begin, std::move(text)});
}

// `def f` that a driver of another library calls again and again.
void PrintCallback(const Facts& facts, ir::FunctionId id, std::vector<Line>& lines) {
  const ir::Program& program = facts.program();
  const ir::Function& function = program.functions[id];
  const std::span<const ir::ValueId> ops = program.blocks[function.blocks.front()].ops;
  if (ops.empty()) return;
  const Heat& heat = facts.HeatOf(ops.front());
  if (!heat.callback.valid() || !heat.hot) return;
  lines.push_back(
      {function.name_span.begin, "loop callback of " + std::string(facts.CalleeOf(heat.callback).name) + " hot"});
}

}  // namespace

std::vector<NamedFact> NamedFacts(const Facts& facts, ir::ModuleId module) {
  const ir::Program& program = facts.program();
  const ir::Module& record = program.modules[module];
  std::vector<NamedFact> named;
  for (std::uint32_t f = record.first_function.index(); f < record.end_function.index(); ++f) {
    const ir::Function& function = program.functions[ir::FunctionId(f)];
    const auto add = [&](std::uint32_t at, std::string name, ir::ValueId value) {
      named.push_back({at, std::move(name), value, Describe(facts, function, value)});
    };
    for (const ir::Param& param : function.params) {
      add(param.span.begin, std::string(program.names.Text(param.name)), param.value);
    }
    for (const ir::Binding& binding : function.bindings) {
      add(binding.span.begin, std::string(program.names.Text(binding.name)), binding.value);
    }
    for (const ir::BlockId block : function.blocks) {
      for (const ir::ValueId id : program.blocks[block].ops) {
        const ir::Op& op = program.ops[id];
        if (op.kind != ir::OpKind::kStoreAttr) continue;
        add(op.span.begin, "." + std::string(program.names.Text(program.SymbolOf(op))), program.Operands(id)[1]);
      }
    }
  }
  std::stable_sort(named.begin(), named.end(), [](const NamedFact& a, const NamedFact& b) { return a.at < b.at; });
  return named;
}

std::string PrintFacts(const Facts& facts, ir::ModuleId module,
                       const std::function<std::string(std::uint32_t)>& line_of) {
  const ir::Program& program = facts.program();
  const ir::Module& record = program.modules[module];
  std::vector<Line> lines;
  for (std::uint32_t f = record.first_function.index(); f < record.end_function.index(); ++f) {
    const ir::Function& function = program.functions[ir::FunctionId(f)];
    PrintCallback(facts, ir::FunctionId(f), lines);
    for (const ir::Param& param : function.params) {
      lines.push_back({param.span.begin,
                       std::string(program.names.Text(param.name)) + " = " + Describe(facts, function, param.value)});
    }
    for (const ir::Binding& binding : function.bindings) {
      lines.push_back({binding.span.begin, std::string(program.names.Text(binding.name)) + " = " +
                                               Describe(facts, function, binding.value)});
    }
  }
  for (std::size_t i = 0; i < program.loops.size(); ++i) {
    if (program.functions[program.loops[ir::LoopId(i)].function].module == module)
      PrintLoop(facts, ir::LoopId(i), lines);
  }
  std::stable_sort(lines.begin(), lines.end(), [](const Line& a, const Line& b) { return a.at < b.at; });
  std::string text;
  for (const Line& line : lines) text += line_of(line.at) + ": " + line.text + "\n";
  return text;
}

}  // namespace cpnlint::analysis
