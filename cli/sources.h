#pragma once

// The texts of a program's modules, which its spans count in (ir::Module::text). Between lowering and report most of a
// large program's wait on disk.

#include <stdexcept>
#include <vector>

#include "analyzer/base/hash.h"
#include "analyzer/ir/program.h"
#include "analyzer/source/file.h"
#include "cli/program.h"
#include "cli/report/document.h"
#include "rules/engine/text.h"

namespace cpnlint::cli {

// A text that was dropped is no longer what it was.
class SourceChanged : public std::runtime_error {
 public:
  explicit SourceChanged(const std::string& path)
      : std::runtime_error("`" + path + "` changed while it was analysed; run it again") {}
};

class Sources {
 public:
  // The source of the module that was lowered last; its text must outlive this.
  void Add(const source::SourceFile& file, std::uint32_t begin) { texts_.push_back({&file, nullptr, begin, {}}); }
  // The same, and its text may be dropped.
  void Add(Input& input, std::uint32_t begin);

  // Drops the text of the last module until somebody asks for it.
  void DropLast();
  // Drops what was read again, where it has become much. What File and Words gave before is gone.
  void Trim() const;

  // Index of the module whose text the offset is in.
  [[nodiscard]] std::size_t ModuleAt(std::uint32_t offset) const;
  [[nodiscard]] const source::SourceFile& File(std::size_t module) const;
  [[nodiscard]] report::Place PlaceOf(Span span) const;
  [[nodiscard]] std::string_view Words(Span span) const;
  [[nodiscard]] std::string Render(const rules::Text& text) const;

 private:
  struct Text {
    const source::SourceFile* file;  // null where it is dropped
    Input* input;                    // null where it stays
    std::uint32_t begin;
    Hash128 hash;  // of a text that was dropped
  };
  mutable std::vector<Text> texts_;         // in their order
  mutable std::vector<std::size_t> again_;  // those that were read again
  mutable std::size_t bytes_again_ = 0;
};

[[nodiscard]] report::Place PlaceOf(const source::SourceFile& source, Span span);

}  // namespace cpnlint::cli
