#pragma once

#include <cstdint>
#include <memory>

#include <tree_sitter/api.h>

#include "analyzer/base/span.h"

namespace cpnlint::syntax::internal {

// The nodes of a parsed tree in source order, read off tree-sitter's own records. A TSTreeCursor visits the same nodes
// with the same fields through the public interface, but it keeps rows, columns and counts as well, and that makes it
// several times as slow. The records are those of the pinned version.
class Preorder {
 public:
  enum class Step : std::uint8_t {
    kNode,  // item() is the next node
    kUp,    // the node that was entered last has no further children
  };
  struct Item {
    TSSymbol symbol = 0;  // as ts_node_symbol gives it
    TSFieldId field = 0;  // as ts_tree_cursor_current_field_id gives it
    bool has_error = false;
    bool leaf = false;
    Span span;
  };

  // The root is entered already.
  explicit Preorder(const TSTree* tree);
  Preorder(const Preorder&) = delete;
  Preorder& operator=(const Preorder&) = delete;
  ~Preorder();

  // Not to be called again after the root's kUp.
  Step Next();
  // The children of item() come next; a kUp follows them, also where there are none.
  void Enter();

  [[nodiscard]] const Item& item() const { return item_; }
  // The item as tree-sitter's functions take it, without its row and column.
  [[nodiscard]] TSNode node() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
  Item item_;
};

}  // namespace cpnlint::syntax::internal
