#include "analyzer/syntax/preorder.h"

#include <vector>

#include <src/language.h>
#include <src/subtree.h>
#include <src/tree.h>

namespace cpnlint::syntax::internal {
namespace {

// A subtree whose children are being visited: a node, or what stands for a part of one (a repetition, a rule without a
// name) and is not visible itself.
struct Level {
  const Subtree* next;
  const Subtree* end;
  std::uint32_t at;              // byte where the next child's padding starts
  std::uint32_t structural = 0;  // index of the next child, comments and the like not counted
  const TSSymbol* aliases;       // by structural index; null where no child has another name than its own
  const TSFieldMapEntry* fields;
  const TSFieldMapEntry* end_fields;
  TSFieldId inherited;  // of a part: the field of the whole part
  bool visible;
};

}  // namespace

struct Preorder::Impl {
  const TSTree* tree;
  std::vector<Level> levels;
  const Subtree* current = nullptr;
  TSSymbol alias = 0;

  void Push(const Subtree& parent, std::uint32_t at, TSFieldId inherited, bool visible) {
    Level level{};
    level.at = at;
    level.inherited = inherited;
    level.visible = visible;
    if (const std::uint32_t count = ts_subtree_child_count(parent); count > 0) {
      level.next = ts_subtree_children(parent);
      level.end = level.next + count;
      level.aliases = ts_language_alias_sequence(tree->language, parent.ptr->production_id);
      ts_language_field_map(tree->language, parent.ptr->production_id, &level.fields, &level.end_fields);
    }
    levels.push_back(level);
  }
};

namespace {

TSFieldId FieldOf(const Level& level) {
  for (const TSFieldMapEntry* entry = level.fields; entry != level.end_fields; ++entry) {
    if (!entry->inherited && entry->child_index == level.structural) return entry->field_id;
  }
  return level.inherited;
}

}  // namespace

Preorder::Preorder(const TSTree* tree) : impl_(new Impl{tree, {}}) {
  impl_->current = &tree->root;
  // The first child's padding is the root's, too.
  impl_->Push(tree->root, 0, 0, true);
}

Preorder::~Preorder() = default;

Preorder::Step Preorder::Next() {
  while (true) {
    Level& level = impl_->levels.back();
    if (level.next == level.end) {
      const bool visible = level.visible;
      impl_->levels.pop_back();
      if (visible) return Step::kUp;
      continue;
    }
    const Subtree& child = *level.next++;
    const std::uint32_t padded = level.at;
    const std::uint32_t begin = padded + ts_subtree_padding(child).bytes;
    level.at = begin + ts_subtree_size(child).bytes;
    TSSymbol alias = 0;
    TSFieldId field = 0;
    if (!ts_subtree_extra(child)) {
      if (level.aliases != nullptr) alias = level.aliases[level.structural];
      field = FieldOf(level);
      ++level.structural;
    }
    if (alias == 0 && !ts_subtree_visible(child)) {
      if (ts_subtree_visible_child_count(child) > 0) impl_->Push(child, padded, field, false);
      continue;
    }
    impl_->current = &child;
    impl_->alias = alias;
    item_.symbol = ts_language_public_symbol(impl_->tree->language, alias != 0 ? alias : ts_subtree_symbol(child));
    item_.field = field;
    item_.leaf = ts_subtree_child_count(child) == 0;
    item_.has_error = ts_subtree_error_cost(child) > 0;
    item_.span = {begin, begin + ts_subtree_size(child).bytes};
    return Step::kNode;
  }
}

void Preorder::Enter() {
  const Subtree& entered = *impl_->current;
  impl_->Push(entered, item_.span.begin - ts_subtree_padding(entered).bytes, 0, true);
}

TSNode Preorder::node() const {
  return ts_node_new(impl_->tree, impl_->current, {item_.span.begin, {0, 0}}, impl_->alias);
}

}  // namespace cpnlint::syntax::internal
