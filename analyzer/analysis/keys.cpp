#include "analyzer/analysis/keys.h"

#include <algorithm>

#include "analyzer/analysis/impl.h"

namespace cpnlint::analysis {

// Made by `np.arange(n)`, and by arithmetic with whole numbers from there on: numbers, and no truth values.
static bool CountsUp(const Facts::Impl& impl, ir::ValueId made) {
  constexpr std::size_t kMostSteps = 8;
  std::vector<ir::ValueId> pending = {made};
  for (std::size_t i = 0; i < pending.size(); ++i) {
    if (i == kMostSteps || !pending[i].valid()) return false;
    const ir::Op& op = impl.program.ops[pending[i]];
    if (op.kind == ir::OpKind::kCall) {
      const Value& callee = impl.Of(impl.program.Operand(pending[i], 0));
      if (callee.kind != Kind::kApi || impl.names.Text(callee.name) != "numpy.arange") return false;
      continue;
    }
    if (op.kind != ir::OpKind::kBinary) return false;
    // `i % n` of whole numbers, whatever n is.
    const auto is_whole = [&](ir::ValueId operand) {
      return impl.Of(operand).kind == Kind::kArray && ir::IsInteger(impl.Of(operand).dtype);
    };
    if (std::ranges::any_of(impl.program.Operands(op), is_whole)) continue;
    for (const ir::ValueId operand : impl.program.Operands(op)) {
      const Value& value = impl.Of(operand);
      if (value.kind == Kind::kInt) continue;
      if (value.kind != Kind::kArray) return false;
      if (!ir::IsInteger(value.dtype)) pending.push_back(value.root);
    }
  }
  return true;
}

Value SelectingKey(const Facts::Impl& impl, ir::ValueId key) {
  Value value = KeyValue(impl.program, key, impl.Of(key));
  if (value.kind != Kind::kArray || value.dtype != ir::DType::kUnknown || !CountsUp(impl, value.root)) return value;
  value.dtype = ir::DType::kInt64;  // an index of anything but whole numbers raises
  return value;
}

bool MakesOpenMesh(const Facts::Impl& impl, ir::ValueId key) {
  if (!key.valid() || impl.program.ops[key].kind != ir::OpKind::kCall) return false;
  const Value& callee = impl.Of(impl.program.Operand(key, 0));
  return callee.kind == Kind::kApi && impl.names.Text(callee.name) == "numpy.ix_";
}

Value MeshAsKey(ValueStore& store, const Value& mesh) {
  if (mesh.kind != Kind::kTuple || !mesh.elements.valid()) return mesh;
  std::vector<Value> parts = store.Get(mesh.elements);
  for (Value& part : parts) {
    if (part.kind == Kind::kArray && part.dtype == ir::DType::kUnknown) part.dtype = ir::DType::kInt64;
  }
  Value key = mesh;
  key.elements = store.Intern(parts);
  return key;
}

bool IsOnePosition(const Facts& facts, ir::ValueId key) {
  const Kind kind = facts.Of(key).kind;
  return kind != Kind::kSlice && kind != Kind::kEllipsis && kind != Kind::kNone && !facts.HasAxis(key);
}

static bool HasOnlyPositions(const Facts& facts, ir::ValueId subscript) {
  const auto keys = facts.KeysOf(subscript);
  return !keys.empty() && std::all_of(keys.begin(), keys.end(), [&](ir::ValueId key) {
    return IsOnePosition(facts, key) && facts.Of(key).kind != Kind::kTuple;
  });
}

bool LeadsOn(const Facts& facts, ir::ValueId subscript) {
  const ir::Program& program = facts.program();
  if (program.ops[subscript].kind != ir::OpKind::kSubscript || !HasOnlyPositions(facts, subscript)) return false;
  const std::vector<ir::ValueId> users = facts.DeepUsesOf(subscript);
  return !users.empty() && std::all_of(users.begin(), users.end(), [&](ir::ValueId user) {
    const ir::OpKind kind = program.ops[user].kind;
    return (kind == ir::OpKind::kSubscript || kind == ir::OpKind::kStoreSubscript) &&
           facts.Source(program.Operand(user, 0)) == subscript && HasOnlyPositions(facts, user);
  });
}

Selected SelectedBy(const Facts& facts, ir::ValueId access, ir::LoopId loop) {
  constexpr int kMostLinks = 4;
  const ir::Program& program = facts.program();
  const auto keys = facts.KeysOf(access);
  Selected selected{program.Operand(access, 0), {keys.begin(), keys.end()}};
  if (!HasOnlyPositions(facts, access)) return selected;
  for (int links = 0; links < kMostLinks; ++links) {
    const ir::ValueId link = facts.Source(selected.array);
    if (!link.valid() || !facts.InLoop(link, loop) || !facts.IsDevice(link) || !LeadsOn(facts, link)) break;
    const ir::ValueId array = program.Operand(link, 0);
    if (!facts.IsDevice(array)) break;
    const auto more = facts.KeysOf(link);
    selected.keys.insert(selected.keys.begin(), more.begin(), more.end());
    selected.array = array;
  }
  return selected;
}

}  // namespace cpnlint::analysis
