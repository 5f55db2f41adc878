#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/base/span.h"
#include "analyzer/syntax/node.h"

namespace cpnlint::source {
struct SourceFile;
}

namespace cpnlint::syntax {

// A statement that is not part of the tree's content because it could not be parsed. The tree has a kError node with
// the same span as `statement`.
struct BrokenStatement {
  Span statement;      // from its first character to its last; of a compound statement, its blocks too
  Span error;          // the spot where parsing failed, within `statement`
  std::string reason;  // "syntax error", "`(` is never closed", "string is never closed", ...
};

struct ParseLimits {
  // Parser steps that a file may cost; ordinary code takes under one per byte, so this stops only input built to be
  // slow. Counted in steps, not seconds, so that the same file gives the same tree on every machine.
  std::uint64_t steps_per_byte = 40;
  std::uint64_t steps_at_least = 2'000'000;
  // Memory that parsing may take while it runs, per byte of text and at least; ordinary code takes 30 to 60 per byte.
  std::size_t bytes_per_byte = 400;
  std::size_t bytes_at_least = std::size_t{64} << 20;
  // How often broken statements are taken out and the rest parsed again.
  int repairs = 8;
};

// One parsed file. Holds a view of the text: the text has to outlive it. Immutable, so several threads may read it.
class Tree {
 public:
  Tree();
  Tree(Tree&&) noexcept;
  Tree& operator=(Tree&&) noexcept;
  ~Tree();

  // A kModule, whatever the text is.
  [[nodiscard]] Node root() const { return {storage_.get(), 0}; }
  [[nodiscard]] Node node(std::uint32_t index) const { return {storage_.get(), index}; }
  [[nodiscard]] std::string_view text() const { return storage_->text; }
  [[nodiscard]] std::size_t size() const { return storage_->records.size(); }

  // Spans of all comments from `#` to the end of the line (without it), in source order; none lies within a string.
  [[nodiscard]] std::span<const Span> comments() const { return comments_; }
  // In source order, none within another.
  [[nodiscard]] std::span<const BrokenStatement> broken() const { return broken_; }
  // As given to Parse().
  [[nodiscard]] std::span<const Span> cells() const { return cells_; }
  // The budget ran out: the tree is an empty module (note of kind `budget`).
  [[nodiscard]] bool incomplete() const { return incomplete_; }

  // The smallest node, token or not, that covers the span; the root where nothing else does.
  [[nodiscard]] Node Covering(Span span) const;

 private:
  friend struct TreeBuilder;
  friend Tree Parse(std::string_view utf8, const ParseLimits& limits, std::span<const Span> cells);

  std::unique_ptr<internal::Storage> storage_;
  std::vector<Span> comments_;
  std::vector<BrokenStatement> broken_;
  std::vector<Span> cells_;
  bool incomplete_ = false;
};

// Parses Python source in UTF-8 (with a byte-order mark or without). Any bytes give a tree; what is broken costs its
// statement. May be called from several threads at the same time: parser and memory are per thread and reused.
// `utf8` shorter than 4 GiB - 1.
//
// `cells`: pieces of the text, in order, none within another, of which each has to be sound by itself: what is broken
// in one never reaches into the next.
Tree Parse(std::string_view utf8, const ParseLimits& limits = {}, std::span<const Span> cells = {});

// The text of a file, cell by cell where it is a notebook.
Tree Parse(const source::SourceFile& file);

// Releases what this thread keeps from file to file (parser, one chunk of memory). Parsing afterwards works.
void ReleaseThreadMemory();

}  // namespace cpnlint::syntax
