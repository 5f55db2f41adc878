#include "analyzer/analysis/kept_arguments.h"

#include "analyzer/analysis/attribute_stores.h"
#include "analyzer/analysis/engine.h"

namespace cpnlint::analysis {
namespace {

constexpr std::size_t kMostMakers = 8;

struct Made {
  std::vector<KeptArgument> given;
  std::size_t unseen = 0;
};

// By a call of another library's class, or by a function of the program that hands on what such a call makes.
void See(const Facts& facts, ir::ValueId object, std::string_view name, Made& made) {
  const ir::Program& program = facts.program();
  const auto given_in = [&](ir::ValueId id) -> ir::ValueId {
    const ir::ValueId call = id.valid() ? facts.Source(id) : id;
    if (!call.valid() || program.ops[call].kind != ir::OpKind::kCall) return {};
    const Callee::Kind kind = facts.CalleeOf(call).kind;
    const bool foreign = kind == Callee::Kind::kForeign || kind == Callee::Kind::kUnknown;
    return foreign ? facts.KeywordArgument(call, name) : ir::ValueId::None();
  };
  if (facts.IsNoneConstant(object)) return;
  const ir::ValueId call = facts.Source(object);
  const bool local =
      call.valid() && program.ops[call].kind == ir::OpKind::kCall && facts.CalleeOf(call).kind == Callee::Kind::kLocal;
  if (!local) {
    const ir::ValueId given = given_in(object);
    if (given.valid()) made.given.push_back({given, {}});
    if (!given.valid()) ++made.unseen;
    return;
  }
  for (const ir::ValueId leave : program.functions[facts.CalleeOf(call).function].returns) {
    const ir::ValueId given = given_in(program.Operand(leave, 0));
    if (given.valid()) made.given.push_back({given, call});
    if (!given.valid()) ++made.unseen;
  }
}

}  // namespace

std::vector<KeptArgument> KeptArguments(const Facts& facts, Facts::Impl& impl, ir::ValueId object,
                                        std::string_view name) {
  const ir::Program& program = facts.program();
  const ir::ValueId source = object.valid() ? facts.Source(object) : object;
  if (!source.valid()) return {};
  Made made;
  const ir::Op& op = program.ops[source];
  if (op.kind == ir::OpKind::kCall) {
    See(facts, source, name, made);
  } else if (op.kind == ir::OpKind::kAttr) {
    const Value& holder = facts.Of(program.Operand(source, 0));
    if (holder.kind != Kind::kInstance) return {};
    const std::vector<ir::ValueId> stores = StoredIn(impl, holder.class_id, program.SymbolOf(op));
    if (stores.size() > kMostMakers) return {};
    for (const ir::ValueId stored : stores) See(facts, stored, name, made);
  }
  return made.given.size() >= made.unseen ? made.given : std::vector<KeptArgument>();
}

}  // namespace cpnlint::analysis
