#pragma once

// The texts of a program's modules, which its spans count in (ir::Module::text).

#include <vector>

#include "analyzer/ir/program.h"
#include "analyzer/source/file.h"
#include "cli/report/document.h"
#include "rules/engine/text.h"

namespace cpnlint::cli {

class Sources {
 public:
  // The source of the module that was lowered last; its text must outlive this.
  void Add(const source::SourceFile& file, std::uint32_t begin) { files_.push_back({&file, begin}); }

  // Index of the module whose text the offset is in.
  [[nodiscard]] std::size_t ModuleAt(std::uint32_t offset) const;
  [[nodiscard]] const source::SourceFile& File(std::size_t module) const { return *files_[module].file; }
  [[nodiscard]] report::Place PlaceOf(Span span) const;
  [[nodiscard]] std::string_view Words(Span span) const;
  [[nodiscard]] std::string Render(const rules::Text& text) const;

 private:
  struct Text {
    const source::SourceFile* file;
    std::uint32_t begin;
  };
  std::vector<Text> files_;  // in order of their texts
};

[[nodiscard]] report::Place PlaceOf(const source::SourceFile& source, Span span);

}  // namespace cpnlint::cli
