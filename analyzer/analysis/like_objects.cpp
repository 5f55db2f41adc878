#include "analyzer/analysis/like_objects.h"

#include <algorithm>

#include "analyzer/analysis/axis_use.h"
#include "analyzer/analysis/call_path.h"
#include "analyzer/analysis/callee_names.h"
#include "analyzer/analysis/engine.h"

namespace cpnlint::analysis {
namespace {

// Of objects of one family.
bool IsSameAttribute(const Facts& facts, const Facts::Impl& impl, ir::ValueId one, ir::ValueId other) {
  const ir::Program& program = facts.program();
  const ir::Op &a = program.ops[one], &b = program.ops[other];
  if (a.kind != ir::OpKind::kAttr || b.kind != ir::OpKind::kAttr || program.SymbolOf(a) != program.SymbolOf(b))
    return false;
  const Value& first = facts.Of(program.Operand(one, 0));
  const Value& second = facts.Of(program.Operand(other, 0));
  return first.kind == Kind::kInstance && second.kind == Kind::kInstance &&
         FamilyOf(impl, first.class_id) == FamilyOf(impl, second.class_id);
}

}  // namespace

bool WalksOneOf(const Facts& facts, const Facts::Impl& impl, ir::ValueId iterable,
                std::span<const ir::ValueId> attributes) {
  const ir::Program& program = facts.program();
  const auto is_one = [&](ir::ValueId id) {
    const ir::ValueId read = id.valid() ? facts.Source(id) : id;
    return read.valid() && std::ranges::any_of(attributes, [&](ir::ValueId attribute) {
             return IsSameAttribute(facts, impl, read, attribute);
           });
  };
  if (is_one(iterable)) return true;
  const ir::ValueId call = iterable.valid() ? facts.Source(iterable) : iterable;
  if (!call.valid() || program.ops[call].kind != ir::OpKind::kCall ||
      !IsBuiltin(facts.CalleeOf(call), {"enumerate", "reversed", "zip"}))
    return false;
  return std::ranges::any_of(program.Operands(call).subspan(1), is_one);
}

bool GrowsThere(const Facts& facts, const Facts::Impl& impl, ir::ValueId call, ir::ValueId list) {
  const Callee& callee = facts.CalleeOf(call);
  const ir::FunctionId function = callee.kind == Callee::Kind::kClass
                                      ? FindMethod(impl, callee.class_id, facts.program().names.Find("__init__"))
                                      : callee.function;
  if (!function.valid()) return true;
  const List<ir::Param>& params = facts.program().functions[function].params;
  for (std::size_t i = 0; i < params.size(); ++i) {
    const ir::ValueId over = HandedOver(facts, call, function, i).value;
    const bool taken = over.valid() && facts.Source(over) == list;
    const auto keeps = [&](ir::ValueId user) { return facts.program().ops[user].kind == ir::OpKind::kStoreAttr; };
    if (taken && (GrowsLater(facts, params[i].value) || std::ranges::any_of(facts.DeepUsesOf(params[i].value), keeps)))
      return true;
  }
  return false;
}

}  // namespace cpnlint::analysis
