// `if isinstance(x, np.ndarray):` makes an array of `x` where the test holds, and only there.

#include <algorithm>
#include <array>

#include "analyzer/analysis/dtype_tests.h"
#include "analyzer/analysis/engine.h"
#include "analyzer/analysis/item_types.h"
#include "analyzer/analysis/way_tests.h"

namespace cpnlint::analysis {
namespace {

constexpr int kMostTests = 64;  // around one place, innermost first

bool IsBuiltin(const ir::Program& program, ir::ValueId id, std::string_view name) {
  return id.valid() && program.ops[id].kind == ir::OpKind::kBuiltin && program.Name(program.ops[id]) == name;
}

// The value that the test finds to be of a type, and the type: `isinstance(x, T)`, `type(x) is T`, `type(x) == T`.
std::pair<ir::ValueId, ir::ValueId> TypeTest(const ir::Program& program, ir::ValueId id) {
  const ir::Op& op = program.ops[id];
  if (op.kind == ir::OpKind::kCall && op.operand_count == 3 && IsBuiltin(program, program.Operand(id, 0), "isinstance"))
    return {program.Operand(id, 1), program.Operand(id, 2)};
  if (op.kind != ir::OpKind::kCompare) return {};
  const auto compare = static_cast<ir::CompareOp>(op.detail);
  const ir::ValueId left = program.Operand(id, 0);
  if (compare != ir::CompareOp::kIs && compare != ir::CompareOp::kEq) return {};
  if (!left.valid() || program.ops[left].kind != ir::OpKind::kCall || program.ops[left].operand_count != 2 ||
      !IsBuiltin(program, program.Operand(left, 0), "type"))
    return {};
  return {program.Operand(left, 1), program.Operand(id, 1)};
}

// Modules whose classes say what can be done with a value, not what it is: numbers may be of them.
bool IsOfProtocols(std::string_view dotted) {
  constexpr auto kModules = std::to_array<std::string_view>({"abc", "builtins", "collections", "cupy", "cupynumeric",
                                                             "jax", "numbers", "numpy", "typing", "typing_extensions"});
  return std::ranges::any_of(kModules, [&](std::string_view module) { return StartsWithModule(dotted, module); });
}

// What an array holds whose items are tested for being of the type: texts, or objects of a class. kUnknown where
// numbers may be of the type, or nobody knows it.
ir::DType TypeOfItem(const Facts::Impl& impl, const IdVector<ir::ClassId, Library>& array_libraries, ir::ValueId type) {
  const Value& meant = impl.Of(OriginOf(impl, type));
  const std::string_view name = impl.names.Text(meant.name);
  switch (meant.kind) {
    case Kind::kBuiltin:
      if (name == "str") return ir::DType::kString;
      if (name == "bytes") return ir::DType::kBytes;
      return name == "dict" || name == "set" || name == "type" ? ir::DType::kObject : ir::DType::kUnknown;
    case Kind::kClass:
      return array_libraries[meant.class_id] == Library::kNone ? ir::DType::kObject : ir::DType::kUnknown;
    case Kind::kApi: {
      const std::string_view last = name.substr(name.rfind('.') + 1);
      const bool is_class = !last.empty() && last.front() >= 'A' && last.front() <= 'Z';
      const bool known = meant.library == Library::kOther && is_class && !IsOfProtocols(name);
      return known ? ir::DType::kObject : ir::DType::kUnknown;
    }
    default: return ir::DType::kUnknown;
  }
}

// ... of `isinstance(x, (A, B))` of all of them.
ir::DType TypeOfItems(const Facts::Impl& impl, const IdVector<ir::ClassId, Library>& array_libraries,
                      ir::ValueId type) {
  if (impl.program.ops[type].kind != ir::OpKind::kTuple) return TypeOfItem(impl, array_libraries, type);
  ir::DType common = ir::DType::kUnknown;
  for (const ir::ValueId one : impl.program.Operands(type)) {
    const ir::DType item = TypeOfItem(impl, array_libraries, one);
    if (item == ir::DType::kUnknown) return item;
    common = common == ir::DType::kUnknown || common == item ? item : ir::DType::kObject;
  }
  return common;
}

}  // namespace

void Engine::FindTypeTests() {
  for (std::size_t i = 0; i < program_.ops.size(); ++i) {
    const auto [tested, type] = TypeTest(program_, ir::ValueId(i));
    if (!tested.valid() || !type.valid()) continue;
    if (const ir::DType item = TypeOfItems(impl_, array_libraries_, type); item != ir::DType::kUnknown)
      SeeItemOfType(impl_, tested, item);
    const Value& meant = impl_.Of(OriginOf(impl_, type));
    if (meant.kind != Kind::kApi || impl_.names.Text(meant.name) != "numpy.ndarray") continue;
    TypeTests& tests = type_tests_[tested];
    if (tests.tests.empty()) {
      Value array = Array(meant.library, ir::DType::kUnknown, ShapeId::None(), kUsed);
      array.root = array.device_root = tested;
      tests.array = impl_.values.Keep(array);
    }
    tests.tests.emplace_back(i);
  }
}

void Engine::FindDTypeTests() {
  const auto value_of = [&](ir::ValueId id) -> const Value& { return impl_.Of(id); };
  for (std::size_t i = 0; i < program_.ops.size(); ++i) {
    const std::optional<DTypeTest> test = DTypeTestOf(program_, value_of, ir::ValueId(i));
    if (!test) continue;
    if (dtype_tested_.empty()) dtype_tested_.resize(program_.ops.size());
    dtype_tested_[test->array.index()] = true;
  }
}

// The array where it is read: behind `if x.dtype.kind == "U":` it holds texts.
const Value& Engine::OfTypeAt(ir::ValueId id, const Value& array) const {
  if (!here_.valid() || array.dtype != ir::DType::kUnknown) return array;
  const auto value_of = [&](ir::ValueId at) -> const Value& { return impl_.Of(at); };
  ir::DType shown = ir::DType::kUnknown;
  AnyTestAround(program_, here_, [&](const Test& test, ir::GuardId) {
    const std::optional<DTypeTest> found = DTypeTestOf(program_, value_of, test.id);
    if (found && found->array == id) shown = test.holds ? found->holds : found->fails;
    return shown != ir::DType::kUnknown;
  });
  if (shown == ir::DType::kUnknown) return array;
  Value narrowed = array;
  narrowed.dtype = shown;
  return Kept(impl_.values.Keep(narrowed));
}

const Value& Engine::NarrowedAt(ir::ValueId id, const Value& otherwise) const {
  const auto found = type_tests_.find(id);
  if (found == type_tests_.end() || !here_.valid()) return otherwise;
  const std::vector<ir::ValueId>& tests = found->second.tests;
  const auto holds = [&](ir::ValueId truth) {
    return truth.valid() && std::find(tests.begin(), tests.end(), program_.Operand(truth, 0)) != tests.end();
  };
  // The way from the block before leads here only where the test holds.
  if (next_.valid()) {
    const ir::Block& before = program_.blocks[here_];
    const ir::ValueId last = before.ops.empty() ? ir::ValueId::None() : before.ops.back();
    const bool branch = last.valid() && program_.ops[last].kind == ir::OpKind::kBranch && before.succs.size() == 2;
    if (branch && before.succs[0] == next_ && before.succs[1] != next_ && holds(program_.Operand(last, 0)))
      return Kept(found->second.array);
  }
  int seen = 0;
  for (ir::GuardId at = program_.blocks[here_].guard; at.valid() && seen < kMostTests;
       at = program_.guards[at].parent) {
    const ir::Guard& guard = program_.guards[at];
    if (guard.kind == ir::Guard::Kind::kTest && guard.holds && holds(guard.truth)) return Kept(found->second.array);
    ++seen;
  }
  return otherwise;
}

}  // namespace cpnlint::analysis
