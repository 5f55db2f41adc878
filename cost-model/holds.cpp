#include "cost-model/holds.h"

#include <algorithm>
#include <span>
#include <vector>

#include "analyzer/analysis/call_path.h"

namespace cpnlint::cost {
namespace {

using analysis::Callee;

constexpr std::size_t kMostAliases = 64;
constexpr int kMostDepth = 6;  // calls within calls that an array is followed into

}  // namespace

bool Holds::IsHandedOn(ir::ValueId phi) const {
  const ir::Program& program = facts_.program();
  const ir::Block& block = program.blocks[program.ops[phi].block];
  for (const ir::ValueId other : block.ops) {
    if (program.ops[other].kind != ir::OpKind::kPhi) break;
    for (const ir::ValueId operand : program.Operands(other)) {
      if (!operand.valid() || !block.loop.valid() || !facts_.InLoop(operand, block.loop)) continue;
      if (operand == phi || facts_.DeviceRootOf(operand) == phi) return true;
    }
  }
  return false;
}

// What comes from in front of a loop that assigns the name anew is gone after the first pass.
bool Holds::LeavesAtLoop(ir::ValueId phi, ir::ValueId value) const {
  const ir::Program& program = facts_.program();
  const ir::LoopId loop = program.blocks[program.ops[phi].block].loop;
  const bool header = loop.valid() && program.loops[loop].header == program.ops[phi].block;
  return header && !facts_.InLoop(value, loop) && !IsHandedOn(phi);
}

Hold Holds::Of(ir::ValueId value, int depth) {
  if (depth > kMostDepth) return Hold::kKept;
  if (const auto [known, is_new] = known_.emplace(value, Hold::kNames); !is_new) return known->second;
  const ir::Program& program = facts_.program();
  Hold hold = Hold::kNames;
  std::vector<ir::ValueId> aliases = {value};
  const auto follow = [&](ir::ValueId alias) {
    if (std::ranges::find(aliases, alias) == aliases.end()) aliases.push_back(alias);
  };
  for (std::size_t i = 0; i < aliases.size() && hold != Hold::kKept; ++i) {
    if (i == kMostAliases) hold = Hold::kKept;
    const ir::ValueId alias = aliases[i];
    for (const ir::ValueId user : facts_.UsesOf(alias)) {
      Hold more = Hold::kNames;
      switch (program.ops[user].kind) {
        case ir::OpKind::kPhi:
          if (!LeavesAtLoop(user, alias)) follow(user);
          break;
        case ir::OpKind::kAnnotate:
        case ir::OpKind::kTruth:
        case ir::OpKind::kTuple: follow(user); break;
        case ir::OpKind::kReturn: more = Hold::kReturned; break;
        case ir::OpKind::kStoreCell: {  // a variable of a module is a name like others
          const ir::Cell& cell = program.cells[ir::CellId(program.ops[user].payload)];
          const bool own = cell.kind == ir::Cell::Kind::kGlobal && cell.owner == program.FunctionOf(user);
          if (!own) more = Hold::kKept;
          break;
        }
        case ir::OpKind::kList: {  // `np.stack([a, b])`
          const auto joins = [&](ir::ValueId use) {
            return program.ops[use].kind == ir::OpKind::kCall && facts_.CalleeOf(use).kind == Callee::Kind::kApi;
          };
          if (!std::ranges::all_of(facts_.UsesOf(user), joins)) more = Hold::kKept;
          break;
        }
        case ir::OpKind::kCollectItem: {  // a generator's item is gone with the next
          const auto into = static_cast<ir::CollectionKind>(program.ops[program.Operand(user, 0)].detail);
          if (into != ir::CollectionKind::kGenerator) more = Hold::kKept;
          break;
        }
        case ir::OpKind::kYield:
        case ir::OpKind::kSet:
        case ir::OpKind::kDict:
        case ir::OpKind::kStarred:
        case ir::OpKind::kMakeFunction:
        case ir::OpKind::kOpaque: more = Hold::kKept; break;
        case ir::OpKind::kStoreAttr:
          if (program.Operand(user, 1) == alias) more = Hold::kKept;
          break;
        case ir::OpKind::kStoreSubscript:
          // Storing into an array copies the elements; storing into a container keeps the object.
          if (program.Operand(user, 1) == alias && !facts_.IsArray(program.Operand(user, 0))) more = Hold::kKept;
          break;
        case ir::OpKind::kCall: {
          if (program.Operand(user, 0) == alias) break;
          more = OfCall(user, alias, depth);
          if (more != Hold::kReturned) break;  // what comes back is the array itself
          more = Hold::kNames;
          follow(user);
          break;
        }
        default: break;
      }
      hold = std::max(hold, more);
    }
  }
  known_[value] = hold;
  return hold;
}

// What a call does with a value that it is given.
Hold Holds::OfCall(ir::ValueId call, ir::ValueId value, int depth) {
  const Callee& callee = facts_.CalleeOf(call);
  switch (callee.kind) {
    case Callee::Kind::kUnknown:
    case Callee::Kind::kContainerMethod:
    case Callee::Kind::kForeign:
    case Callee::Kind::kClass: return Hold::kKept;
    case Callee::Kind::kLocal: break;
    default: return Hold::kNames;
  }
  const ir::Function& function = facts_.program().functions[callee.function];
  Hold hold = Hold::kNames;
  bool found = false;
  for (std::size_t param = 0; param < function.params.size(); ++param) {
    const analysis::Handed handed = analysis::HandedOver(facts_, call, callee.function, param);
    if (!handed.known || handed.value != value) continue;
    found = true;
    hold = std::max(hold, Of(function.params[param].value, depth + 1));
  }
  return found ? hold : Hold::kKept;
}

}  // namespace cpnlint::cost
