#include "analyzer/analysis/either_objects.h"

#include <algorithm>

#include "analyzer/analysis/named_definitions.h"
#include "analyzer/analysis/own_methods.h"
#include "analyzer/analysis/way_tests.h"

namespace cpnlint::analysis {
namespace {

enum class Verdict : std::uint8_t { kNo, kPerhaps, kYes };

// A variable that is bound once is the same object wherever it is read.
bool IsSame(const ir::Program& program, ir::ValueId a, ir::ValueId b) {
  if (a == b) return true;
  const auto is_load = [&](ir::ValueId id) { return id.valid() && program.ops[id].kind == ir::OpKind::kLoadCell; };
  if (!is_load(a) || !is_load(b) || program.ops[a].payload != program.ops[b].payload) return false;
  return program.cells[ir::CellId(program.ops[a].payload)].stores.size() == 1;
}

Verdict IsOfType(const Facts::Impl& impl, ir::ClassId class_id, ir::ValueId type) {
  const ir::ClassId meant = ClassNamed(impl, type);
  if (!meant.valid()) return Verdict::kPerhaps;
  if (IsA(impl, class_id, meant)) return Verdict::kYes;
  return IsA(impl, meant, class_id) ? Verdict::kPerhaps : Verdict::kNo;
}

// ... of `isinstance(x, (A, B))` any of them.
Verdict IsOfTypes(const Facts::Impl& impl, ir::ClassId class_id, ir::ValueId type) {
  if (impl.program.ops[type].kind != ir::OpKind::kTuple) return IsOfType(impl, class_id, type);
  Verdict any = Verdict::kNo;
  for (const ir::ValueId one : impl.program.Operands(type)) any = std::max(any, IsOfType(impl, class_id, one));
  return any;
}

}  // namespace

std::vector<Value> AlternativesAt(const Facts::Impl& impl, ir::BlockId here, ir::ValueId read, const Value& either) {
  const ir::Program& program = impl.program;
  std::vector<Value> all = impl.store.Get(either.elements);
  if (!here.valid()) return all;
  std::vector<Value> left = all;
  AnyTestAround(program, here, [&](const Test& test, ir::GuardId) {
    const ir::Op& op = program.ops[test.id];
    if (op.kind != ir::OpKind::kCall || op.operand_count != 3) return false;
    const ir::ValueId callee = program.Operand(test.id, 0), type = program.Operand(test.id, 2);
    const bool asks = callee.valid() && program.ops[callee].kind == ir::OpKind::kBuiltin &&
                      program.Name(program.ops[callee]) == "isinstance";
    if (!asks || !type.valid() || !IsSame(program, program.Operand(test.id, 1), read)) return false;
    const Verdict unlike = test.holds ? Verdict::kNo : Verdict::kYes;
    std::erase_if(left, [&](const Value& one) {
      return one.kind == Kind::kInstance && IsOfTypes(impl, one.class_id, type) == unlike;
    });
    return false;
  });
  return left.empty() ? all : left;
}

bool MayHaveOthers(const Facts::Impl& impl, ir::ClassId class_id) {
  constexpr std::size_t kMostClasses = 16;
  std::vector<ir::ClassId> classes = {class_id};
  for (std::size_t i = 0; i < classes.size(); ++i) {
    if (i == kMostClasses) return true;
    const ir::Class& record = impl.program.classes[classes[i]];
    for (const ir::FunctionId method : record.methods) {
      const std::string_view name = impl.names.Text(impl.program.functions[method].name);
      if (name == "__getattr__" || name == "__getattribute__") return true;
    }
    for (const ir::ValueId base : impl.program.Operands(record.made_by)) {
      if (const ir::ClassId known = ClassNamed(impl, base); known.valid()) {
        classes.push_back(known);
        continue;
      }
      const std::string_view name = impl.names.Text(impl.Of(base).name);
      if (name != "object" && !StartsWithModule(name, "abc") && !StartsWithModule(name, "typing")) return true;
    }
  }
  return false;
}

Value JoinEither(ValueStore& store, const Value& others, const Value& one) {
  Value joined = JoinOptional(store, others, one);
  if (joined.kind == Kind::kArray && (IsNumber(others.kind) || IsNumber(one.kind))) joined.evidence |= kContradicted;
  return joined;
}

}  // namespace cpnlint::analysis
