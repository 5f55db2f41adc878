#pragma once

// A text lowered, for tests of the lowering and of what reads its result.

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analyzer/ir/print.h"
#include "analyzer/ir/verify.h"
#include "analyzer/lower/lower.h"
#include "analyzer/source/file.h"
#include "analyzer/syntax/parse.h"

namespace cpnlint::test {

class Lowered {
 public:
  explicit Lowered(std::string text, std::string module_name = "m") {
    source::LoadOutcome outcome = source::LoadBytes("m.py", std::move(text));
    file_ = std::move(outcome.file);
    tree_ = syntax::Parse(file_->text);
    module_ = lower::Lower(*file_, tree_, std::move(module_name), program, notes);
  }

  [[nodiscard]] std::string Print() const { return ir::Print(program, module_, file_->text); }
  [[nodiscard]] std::vector<std::string> Verify() const { return ir::Verify(program, module_, file_->text.size()); }
  [[nodiscard]] const ir::Module& module() const { return program.modules[module_]; }
  [[nodiscard]] std::string_view Text(Span span) const {
    return std::string_view(file_->text).substr(span.begin, span.size());
  }

  // The function of that qualified name; "" is the module's body. None() where there is none.
  [[nodiscard]] ir::FunctionId Function(std::string_view qualified) const {
    for (std::size_t i = 0; i < program.functions.size(); ++i) {
      if (program.functions[ir::FunctionId(i)].qualified == qualified) return ir::FunctionId(i);
    }
    return ir::FunctionId::None();
  }
  // Its ops of that kind, in the order of its blocks.
  [[nodiscard]] std::vector<ir::ValueId> Ops(ir::OpKind kind, std::string_view qualified = "") const {
    std::vector<ir::ValueId> out;
    for (const ir::BlockId block : program.functions[Function(qualified)].blocks) {
      for (const ir::ValueId op : program.blocks[block].ops) {
        if (program.ops[op].kind == kind) out.push_back(op);
      }
    }
    return out;
  }
  [[nodiscard]] const ir::Op& Only(ir::OpKind kind, std::string_view qualified = "") const {
    return program.ops[Ops(kind, qualified).at(0)];
  }
  [[nodiscard]] const ir::Cell* Cell(std::string_view name) const {
    for (const ir::Cell& cell : program.cells) {
      if (program.names.Text(cell.name) == name) return &cell;
    }
    return nullptr;
  }

  ir::Program program;
  std::vector<lower::SyntaxNote> notes;

 private:
  std::unique_ptr<source::SourceFile> file_;
  syntax::Tree tree_;
  ir::ModuleId module_;
};

}  // namespace cpnlint::test
