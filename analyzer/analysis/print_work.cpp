#include "analyzer/analysis/print_work.h"

#include <cmath>
#include <cstdio>

namespace cpnlint::analysis {
namespace {

std::string Text(double number) {
  char buffer[32];
  const bool whole = std::floor(number) == number && std::abs(number) < 1e15;
  std::snprintf(buffer, sizeof buffer, whole ? "%.0f" : "%.3g", number);
  return buffer;
}

class Printer {
 public:
  Printer(const Facts& facts, const Work& work, ir::ModuleId module,
          const std::function<std::string(std::uint32_t)>& line_of)
      : facts_(facts), work_(work), module_(module), line_of_(line_of) {}

  std::string Print() {
    for (const WorkRoot& root : work_.roots) {
      if (facts_.program().functions[root.function].module != module_) continue;
      const std::string_view name = facts_.QualifiedName(root.function);
      text_ += "root " + (name.empty() ? "<module>" : std::string(name)) + (root.cut ? " cut" : "") + "\n";
      // Loops within loops, without recursion.
      struct Open {
        const std::vector<WorkStep>* steps;
        std::size_t next;
      };
      std::vector<Open> open = {{&root.steps, 0}};
      while (!open.empty()) {
        if (open.back().next == open.back().steps->size()) {
          open.pop_back();
          continue;
        }
        const WorkStep& step = (*open.back().steps)[open.back().next++];
        PrintStep(step, open.size());
        if (step.kind == WorkStep::Kind::kLoop) open.push_back({&work_.loops[step.index].body, 0});
      }
    }
    return std::move(text_);
  }

 private:
  std::string Dim(ir::DimId dim) const {
    return dim.valid() ? facts_.store().dims().ToString(dim, facts_.program().names) : "?";
  }

  std::string Place(ir::ValueId op) const {
    if (!op.valid()) return "-";
    const ir::Program& program = facts_.program();
    const ir::ModuleId module = program.functions[program.FunctionOf(op)].module;
    return module == module_ ? line_of_(program.ops[op].span.begin) : program.modules[module].name;
  }

  void PrintStep(const WorkStep& step, std::size_t depth) {
    text_.append(2 * depth, ' ');
    switch (step.kind) {
      case WorkStep::Kind::kPython: text_ += "python " + std::to_string(step.index); break;
      case WorkStep::Kind::kLoop: {
        const WorkLoop& loop = work_.loops[step.index];
        text_ += "loop";
        if (loop.loop.valid()) text_ += " " + std::string(Name(facts_.LoopFactOf(loop.loop).kind));
        text_ += " trips " + (loop.trips.valid() ? Dim(loop.trips) : "? (" + Text(loop.assumed_trips) + ")");
        break;
      }
      case WorkStep::Kind::kTask: PrintTask(work_.tasks[step.index]); break;
    }
    if (step.share != 1) text_ += " share " + Text(step.share);
    text_ += '\n';
  }

  void PrintTask(const WorkTask& task) {
    text_ += Place(task.op) + ": " + std::string(task.name);
    if (!task.unpriced.empty()) {
      text_ += ": unpriced: " + std::string(task.unpriced);
      return;
    }
    text_ += " [" + std::string(Name(task.kind)) + "] launches " + Text(task.launches);
    if (task.launches_divided != task.launches) text_ += "/" + Text(task.launches_divided);
    ir::DimStore& dims = facts_.store().dims();
    text_ += " elements " + Dim(task.elements);
    text_ += " read " + Dim(task.bytes_read) + " write " + Dim(task.bytes_written);
    if (task.passes != 1) text_ += " passes " + Text(task.passes);
    if (task.operations != 1) text_ += " operations " + Text(task.operations);
    if (task.kind == WorkKind::kProduct || task.kind == WorkKind::kFactorise || task.kind == WorkKind::kFft ||
        task.kind == WorkKind::kSort || task.kind == WorkKind::kConvolve) {
      text_ += " size";
      for (const auto& [letter, dim] : {std::pair('m', task.m), {'n', task.n}, {'k', task.k}, {'b', task.batch}}) {
        if (dim.valid() && !(letter == 'b' && dims.AsConst(dim) == 1))
          text_ += std::string(" ") + letter + "=" + Dim(dim);
      }
    }
    if (dims.AsConst(task.temporary) != 0) text_ += " temporary " + Dim(task.temporary);
    if (dims.AsConst(task.to_host) != 0) text_ += " to-host " + Dim(task.to_host);
    if (dims.AsConst(task.from_host) != 0) text_ += " from-host " + Dim(task.from_host);
    for (const WorkOperand& operand : task.operands) {
      if (!operand.start.valid()) continue;
      const std::vector<std::int64_t> offsets = OffsetsOf(facts_, operand);
      text_ += operand.written ? " to(" : " at(";
      for (std::size_t i = 0; i < offsets.size(); ++i) text_ += (i == 0 ? "" : ",") + std::to_string(offsets[i]);
      text_ += ")";
    }
    if (task.waits) text_ += " waits";
    if (task.one_device) text_ += " one-device";
    if (task.all_to_all) text_ += " all-to-all";
    if (task.walks) text_ += " by-index";
    if (task.outer_axis) text_ += " outer-axis";
    if (std::ranges::any_of(task.operands, &WorkOperand::turned)) text_ += " turned";
  }

  const Facts& facts_;
  const Work& work_;
  ir::ModuleId module_;
  const std::function<std::string(std::uint32_t)>& line_of_;
  std::string text_;
};

}  // namespace

std::string PrintWork(const Facts& facts, const Work& work, ir::ModuleId module,
                      const std::function<std::string(std::uint32_t)>& line_of) {
  return Printer(facts, work, module, line_of).Print();
}

}  // namespace cpnlint::analysis
