#include "analyzer/analysis/walked_texts.h"

#include <optional>
#include <span>

#include "analyzer/analysis/item_types.h"

namespace cpnlint::analysis {
namespace {

// What a tuple or list that stays as it is was written with; empty for others.
std::span<const ir::ValueId> WrittenItems(const Facts::Impl& impl, ir::ValueId container) {
  if (!container.valid()) return {};
  const Value& value = impl.Of(container);
  if ((value.kind != Kind::kTuple && value.kind != Kind::kList) || !value.elements.valid() || !value.root.valid())
    return {};
  const ir::OpKind kind = impl.program.ops[value.root].kind;
  if (kind != ir::OpKind::kTuple && kind != ir::OpKind::kList) return {};
  const std::span<const ir::ValueId> items = impl.program.Operands(value.root);
  return items.size() == impl.store.Get(value.elements).size() ? items : std::span<const ir::ValueId>();
}

// `("u", n)` of `for name, size in (("u", n), ("v", m))`
ir::ValueId PartOf(const Facts::Impl& impl, ir::ValueId item, std::uint32_t position) {
  const std::span<const ir::ValueId> parts = WrittenItems(impl, item);
  return position < parts.size() ? parts[position] : ir::ValueId::None();
}

}  // namespace

std::vector<WalkedText> TextsWalked(const Facts::Impl& impl, ir::ValueId item) {
  const ir::Program& program = impl.program;
  if (!item.valid()) return {};
  ir::ValueId container = ContainerOfItem(program, item);
  std::optional<std::uint32_t> position;
  if (!container.valid() && program.ops[item].kind == ir::OpKind::kUnpackItem) {
    const auto part = ir::ItemPosition::Unpack(program.ops[item].payload);
    const ir::ValueId whole = program.Operand(item, 0);
    if (part.star != ir::ItemPosition::kNoStar || program.ops[whole].kind != ir::OpKind::kLoopItem) return {};
    container = ContainerOfItem(program, whole);
    position = part.index;
  }
  std::vector<WalkedText> texts;
  for (ir::ValueId one : WrittenItems(impl, container)) {
    if (position) one = PartOf(impl, one, *position);
    if (!one.valid()) return {};
    const Value& text = impl.Of(one);
    if (text.kind != Kind::kStr || !text.constant) return {};
    texts.push_back({text.name, one});
  }
  return texts;
}

}  // namespace cpnlint::analysis
