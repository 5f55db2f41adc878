#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/base/span.h"

// The syntax tree as plain data: all nodes of a file in one array, in source order (pre-order). A Node is an index into
// it: two words, copied freely, comparable, valid as long as the Tree that it came from (moving the Tree is fine).
//
// Every accessor works on a node that is not there (Node(), or Child(Field::...) of an absent field): its kind is
// Kind::kInvalid, its text and span are empty, it has no children. So `node.Child(Field::kType).FirstNamed().Is(...)`
// needs no checks in between.
//
//   children in order            for (Node child : node.Children())
//   without the tokens           for (Node child : node.NamedChildren())
//   the one of a field           node.Child(Field::kLeft)
//   all of a field               for (Node index : node.ChildrenOf(Field::kSubscript))
//   a token                      node.HasToken(Kind::kTokenAsync), node.Token(Kind::kTokenColon)
//   all below, without recursion for (Node inner : node.Subtree())   // `node` itself first; SubtreeRange can skip
//   up                           node.parent()
//   the user's words             node.text(), node.span()
//   side tables                  node.index() counts from 0 to Tree::size() - 1
//
// Cost: Children() and its kin step from sibling to sibling, O(1) each, whatever lies below; Child(field) scans the
// children; parent() is O(1).
//
// What a reader of the tree may rely on:
//   - Comments, line continuations and newlines are not nodes.
//   - kError nodes stand only where a statement stands (children of kModule and kBlock), have no children, and span
//     the whole statement that could not be parsed. Every other node is whole: it has what its kind has by the grammar.
//   - A kBlock may have no statements (a body of comments only): the grammar takes that, and stray indentation.
//   - Only the tokens of the fields `operator` and `operators` have a field; commas and brackets have none.
//   - Tokens of `is not` and `not in` have the two words as children.

namespace cpnlint::syntax {

enum class Kind : std::uint8_t {
  kInvalid,     // of a node that is not there
  kError,       // a statement that could not be parsed
  kOther,       // a named node that node_kinds.def does not list
  kOtherToken,  // a token that node_kinds.def does not list
#define CPNLINT_NODE(id, name) id,
#define CPNLINT_TOKEN(id, text) id,
#include "analyzer/syntax/node_kinds.def"
};

enum class Field : std::uint8_t {
  kNoField,
#define CPNLINT_FIELD(id, name) id,
#include "analyzer/syntax/node_kinds.def"
};

// The name that the grammar uses ("call", "+", "left"); empty for kNoField.
std::string_view Name(Kind kind);
std::string_view Name(Field field);
// False for tokens (and kInvalid, kOtherToken).
bool IsNamed(Kind kind);

namespace internal {

struct Record {
  Span span;
  std::uint32_t parent = 0;  // the root is its own
  std::uint32_t size = 1;    // nodes of the subtree, itself included
  Kind kind = Kind::kInvalid;
  Field field = Field::kNoField;
  bool named = false;
};

struct Storage {
  std::string_view text;
  std::vector<Record> records;
};

inline constexpr Record kNoRecord{};

}  // namespace internal

class ChildRange;
class SubtreeRange;

class Node {
 public:
  constexpr Node() = default;
  Node(const internal::Storage* storage, std::uint32_t index) : storage_(storage), index_(index) {}

  [[nodiscard]] bool valid() const { return storage_ != nullptr; }
  explicit operator bool() const { return valid(); }

  [[nodiscard]] Kind kind() const { return record().kind; }
  [[nodiscard]] bool Is(Kind kind) const { return record().kind == kind; }
  template <class... Kinds>
  [[nodiscard]] bool IsAny(Kinds... kinds) const {
    const Kind mine = kind();
    return ((mine == kinds) || ...);
  }
  [[nodiscard]] bool named() const { return record().named; }
  // The field under which the parent holds this node.
  [[nodiscard]] Field field() const { return record().field; }

  [[nodiscard]] Span span() const { return record().span; }
  [[nodiscard]] std::string_view text() const {
    return valid() ? storage_->text.substr(record().span.begin, record().span.size()) : std::string_view();
  }

  [[nodiscard]] ChildRange Children() const;
  [[nodiscard]] ChildRange NamedChildren() const;
  [[nodiscard]] ChildRange ChildrenOf(Field field) const;
  [[nodiscard]] SubtreeRange Subtree() const;

  // The first child of that field; not valid when there is none.
  [[nodiscard]] Node Child(Field field) const;
  // The first child of that kind, named or token.
  [[nodiscard]] Node ChildOfKind(Kind kind) const;
  [[nodiscard]] Node FirstNamed() const;
  [[nodiscard]] Node LastNamed() const;
  [[nodiscard]] Node NamedChild(std::size_t n) const;
  [[nodiscard]] std::size_t NamedCount() const;
  [[nodiscard]] Node Token(Kind kind) const { return ChildOfKind(kind); }
  [[nodiscard]] bool HasToken(Kind kind) const { return ChildOfKind(kind).valid(); }

  // Not valid for the root.
  [[nodiscard]] Node parent() const { return valid() && index_ != 0 ? Node(storage_, record().parent) : Node(); }

  [[nodiscard]] std::uint32_t index() const { return index_; }
  // Nodes of the subtree, this one included; their indexes are index() to index() + subtree_size() - 1.
  [[nodiscard]] std::uint32_t subtree_size() const { return valid() ? record().size : 0; }
  // The file's whole text.
  [[nodiscard]] std::string_view source() const { return valid() ? storage_->text : std::string_view(); }

  friend bool operator==(Node, Node) = default;

 private:
  [[nodiscard]] const internal::Record& record() const {
    return storage_ == nullptr ? internal::kNoRecord : storage_->records[index_];
  }

  const internal::Storage* storage_ = nullptr;
  std::uint32_t index_ = 0;
};

// The children of one node, in source order: all, the named ones, or those of one field.
class ChildRange {
 public:
  enum class Which : std::uint8_t { kAll, kNamed, kField };

  class Iterator {
   public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = Node;
    using difference_type = std::ptrdiff_t;
    using pointer = const Node*;
    using reference = Node;

    Iterator() = default;
    Iterator(const internal::Storage* storage, std::uint32_t at, std::uint32_t end, Which which, Field field)
        : storage_(storage), at_(at), end_(end), which_(which), field_(field) {
      SkipUnwanted();
    }

    Node operator*() const { return {storage_, at_}; }
    Iterator& operator++() {
      at_ += storage_->records[at_].size;
      SkipUnwanted();
      return *this;
    }
    Iterator operator++(int) {
      Iterator before = *this;
      ++*this;
      return before;
    }
    friend bool operator==(const Iterator& a, const Iterator& b) { return a.at_ == b.at_; }

   private:
    void SkipUnwanted() {
      while (at_ < end_ && !Wanted(storage_->records[at_])) at_ += storage_->records[at_].size;
    }
    [[nodiscard]] bool Wanted(const internal::Record& record) const {
      if (which_ == Which::kAll) return true;
      return which_ == Which::kNamed ? record.named : record.field == field_;
    }

    const internal::Storage* storage_ = nullptr;
    std::uint32_t at_ = 0;
    std::uint32_t end_ = 0;
    Which which_ = Which::kAll;
    Field field_ = Field::kNoField;
  };

  ChildRange() = default;
  ChildRange(const internal::Storage* storage, std::uint32_t begin, std::uint32_t end, Which which, Field field)
      : storage_(storage), begin_(begin), end_(end), which_(which), field_(field) {}

  [[nodiscard]] Iterator begin() const { return {storage_, begin_, end_, which_, field_}; }
  [[nodiscard]] Iterator end() const { return {storage_, end_, end_, which_, field_}; }
  [[nodiscard]] bool empty() const { return begin() == end(); }

 private:
  const internal::Storage* storage_ = nullptr;
  std::uint32_t begin_ = 0;
  std::uint32_t end_ = 0;
  Which which_ = Which::kAll;
  Field field_ = Field::kNoField;
};

// A node and everything below it, in source order, parents before their children. To leave out what lies below a node:
//   auto range = node.Subtree();
//   for (auto it = range.begin(); it != range.end();) {
//     if ((*it).Is(Kind::kLambda)) it.SkipChildren(); else ++it;
//   }
class SubtreeRange {
 public:
  class Iterator {
   public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = Node;
    using difference_type = std::ptrdiff_t;
    using pointer = const Node*;
    using reference = Node;

    Iterator() = default;
    Iterator(const internal::Storage* storage, std::uint32_t at) : storage_(storage), at_(at) {}

    Node operator*() const { return {storage_, at_}; }
    Iterator& operator++() {
      ++at_;
      return *this;
    }
    Iterator operator++(int) {
      Iterator before = *this;
      ++at_;
      return before;
    }
    // Moves on to the first node after the current one's subtree (instead of ++).
    void SkipChildren() { at_ += storage_->records[at_].size; }
    friend bool operator==(const Iterator& a, const Iterator& b) { return a.at_ == b.at_; }

   private:
    const internal::Storage* storage_ = nullptr;
    std::uint32_t at_ = 0;
  };

  SubtreeRange() = default;
  SubtreeRange(const internal::Storage* storage, std::uint32_t begin, std::uint32_t end)
      : storage_(storage), begin_(begin), end_(end) {}

  [[nodiscard]] Iterator begin() const { return {storage_, begin_}; }
  [[nodiscard]] Iterator end() const { return {storage_, end_}; }

 private:
  const internal::Storage* storage_ = nullptr;
  std::uint32_t begin_ = 0;
  std::uint32_t end_ = 0;
};

inline ChildRange Node::Children() const {
  return valid() ? ChildRange(storage_, index_ + 1, index_ + record().size, ChildRange::Which::kAll, Field::kNoField)
                 : ChildRange();
}

inline ChildRange Node::NamedChildren() const {
  return valid() ? ChildRange(storage_, index_ + 1, index_ + record().size, ChildRange::Which::kNamed, Field::kNoField)
                 : ChildRange();
}

inline ChildRange Node::ChildrenOf(Field field) const {
  return valid() ? ChildRange(storage_, index_ + 1, index_ + record().size, ChildRange::Which::kField, field)
                 : ChildRange();
}

inline SubtreeRange Node::Subtree() const {
  return valid() ? SubtreeRange(storage_, index_, index_ + record().size) : SubtreeRange();
}

inline Node Node::Child(Field field) const {
  const ChildRange range = ChildrenOf(field);
  return range.empty() ? Node() : *range.begin();
}

inline Node Node::ChildOfKind(Kind kind) const {
  for (const Node child : Children()) {
    if (child.Is(kind)) return child;
  }
  return {};
}

inline Node Node::FirstNamed() const {
  const ChildRange range = NamedChildren();
  return range.empty() ? Node() : *range.begin();
}

inline Node Node::LastNamed() const {
  Node last;
  for (const Node child : NamedChildren()) last = child;
  return last;
}

inline Node Node::NamedChild(std::size_t n) const {
  for (const Node child : NamedChildren()) {
    if (n-- == 0) return child;
  }
  return {};
}

inline std::size_t Node::NamedCount() const {
  std::size_t count = 0;
  for ([[maybe_unused]] const Node child : NamedChildren()) ++count;
  return count;
}

// The tree below a node on one line, for tests and bug reports: (module (expression_statement left: (identifier "x")
// ...)). Tokens are left out unless asked for; leaves carry their text.
std::string Dump(Node node, bool with_tokens = false);

}  // namespace cpnlint::syntax
