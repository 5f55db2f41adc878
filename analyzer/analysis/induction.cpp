// What is computed from a loop's induction value, what a loop changes, and what it leaves alone.

#include <algorithm>

#include "analyzer/analysis/impl.h"

namespace cpnlint::analysis {
namespace {

// Ops whose result is a number computed from the operand, so that it still says where to look.
bool CarriesIndex(const Facts::Impl& impl, ir::ValueId user) {
  const ir::Op& op = impl.program.ops[user];
  const Value& value = impl.Of(user);
  switch (op.kind) {
    case ir::OpKind::kBinary:
    case ir::OpKind::kInplaceBinary:
    case ir::OpKind::kUnary:
    case ir::OpKind::kPhi:
    case ir::OpKind::kUnpackItem:
    case ir::OpKind::kTuple:
    case ir::OpKind::kSlice: return value.kind != Kind::kArray || Rank(impl.store, value) == 0;
    case ir::OpKind::kSubscript: return value.kind != Kind::kArray || Rank(impl.store, value) <= 0;
    case ir::OpKind::kCall: {
      const Callee callee = ResolveCallee(impl, user);
      if (callee.kind == Callee::Kind::kBuiltin) {
        return callee.name == "int" || callee.name == "round" || callee.name == "min" || callee.name == "max" ||
               callee.name == "abs" || callee.name == "float" || callee.name == "slice";
      }
      if (callee.kind == Callee::Kind::kForeign) return callee.name.starts_with("math.");
      if (callee.kind == Callee::Kind::kApi || callee.kind == Callee::Kind::kMethod) {
        return value.kind == Kind::kNumpyScalar || (value.kind == Kind::kArray && Rank(impl.store, value) == 0);
      }
      return false;
    }
    default: return false;
  }
}

bool InLoopBlocks(const ir::Program& program, ir::LoopId inner, ir::LoopId outer) {
  for (; inner.valid(); inner = program.loops[inner].parent) {
    if (inner == outer) return true;
  }
  return false;
}

// A manual counter: a Phi of the loop's header that each trip moves by a constant.
bool IsCounter(const Facts::Impl& impl, ir::ValueId phi, ir::LoopId loop_id) {
  const ir::Program& program = impl.program;
  for (const ir::ValueId operand : program.Operands(phi)) {
    if (!operand.valid() || operand == phi) continue;
    if (!InLoopBlocks(program, program.LoopOf(operand), loop_id)) continue;
    const ir::Op& op = program.ops[operand];
    const bool step = (op.kind == ir::OpKind::kBinary || op.kind == ir::OpKind::kInplaceBinary) &&
                      (static_cast<ir::BinaryOp>(op.detail) == ir::BinaryOp::kAdd ||
                       static_cast<ir::BinaryOp>(op.detail) == ir::BinaryOp::kSub) &&
                      program.Operand(operand, 0) == phi;
    if (!step) return false;
    const Value& by = impl.Of(program.Operand(operand, 1));
    const Value& now = impl.Of(phi);
    if (by.kind != Kind::kInt || (now.kind != Kind::kInt && now.kind != Kind::kUnknown)) return false;
    return true;
  }
  return false;
}

const Induction& InductionOf(Facts::Impl& impl, ir::LoopId loop_id) {
  const auto found = impl.inductions.find(loop_id);
  if (found != impl.inductions.end()) return found->second;
  const ir::Program& program = impl.program;
  const ir::Loop& loop = program.loops[loop_id];
  Induction induction;
  std::vector<ir::ValueId> work;
  const auto add = [&](ir::ValueId value, bool bare) {
    if (induction.values.emplace(value, bare).second) work.push_back(value);
  };
  if (loop.item.valid()) {
    // `for i in range(n)`; of enumerate and zip the items that are numbers.
    const Value& item = impl.Of(loop.item);
    if (item.kind == Kind::kTuple) {
      for (const ir::ValueId user : impl.UsesOf(loop.item)) {
        if (program.ops[user].kind == ir::OpKind::kUnpackItem && impl.Of(user).kind == Kind::kInt) {
          add(user, true);
        }
      }
    } else if (item.kind == Kind::kInt || (item.kind == Kind::kArray && Rank(impl.store, item) == 0)) {
      add(loop.item, item.kind == Kind::kInt);  // an item of unknown kind may be anything
    }
  }
  if (loop.header.valid()) {  // a for loop may have a counter of its own besides: `row += 1`
    for (const ir::ValueId op : program.blocks[loop.header].ops) {
      if (program.ops[op].kind != ir::OpKind::kPhi) break;
      if (IsCounter(impl, op, loop_id)) add(op, true);
    }
  }
  while (!work.empty()) {
    const ir::ValueId value = work.back();
    work.pop_back();
    for (const ir::ValueId user : impl.UsesOf(value)) {
      if (!InLoopBlocks(program, program.LoopOf(user), loop_id)) continue;
      const ir::Op& op = program.ops[user];
      // An element read by the induction value is data, not an index, unless it is an integer (idx[i]).
      if (op.kind == ir::OpKind::kSubscript) {
        if (program.Operand(user, 0) == value) continue;
        const Value& element = impl.Of(user);
        const bool index = element.kind == Kind::kInt || (element.kind == Kind::kArray && ir::IsInteger(element.dtype));
        if (!index) continue;
      }
      if (CarriesIndex(impl, user)) add(user, op.kind == ir::OpKind::kPhi || op.kind == ir::OpKind::kUnpackItem);
    }
  }
  return impl.inductions.emplace(loop_id, std::move(induction)).first->second;
}

}  // namespace

bool Facts::InLoop(ir::ValueId op, ir::LoopId loop) const {
  return op.valid() && InLoopBlocks(program_, program_.LoopOf(op), loop);
}

bool Facts::LoopContains(ir::LoopId outer, ir::LoopId inner) const { return InLoopBlocks(program_, inner, outer); }

bool Facts::DependsOnInduction(ir::ValueId value, ir::LoopId loop) const {
  return value.valid() && InductionOf(*impl_, loop).values.contains(value);
}

bool Facts::IsBareInduction(ir::ValueId value, ir::LoopId loop) const {
  const Induction& induction = InductionOf(*impl_, loop);
  const auto found = induction.values.find(value);
  return found != induction.values.end() && found->second;
}

namespace {

// Fills the mutation table of one function: every op that changes an array in place, keyed by the array's root.
void FindMutations(const Facts& facts, Facts::Impl& impl, ir::FunctionId function_id) {
  if (!impl.mutations_done.insert(function_id).second) return;
  const ir::Program& program = impl.program;
  const ir::Function& function = program.functions[function_id];
  const auto add = [&](ir::ValueId array, ir::ValueId op) {
    if (!facts.IsArray(array)) return;
    const ir::ValueId root = impl.Of(array).root;
    const auto note = [&](ir::ValueId changed) {
      impl.mutations[changed].push_back(op);
      impl.mutated_roots[function_id].emplace_back(changed, op);
    };
    if (root.valid()) note(root);
    const ir::ValueId device_root = impl.Of(array).device_root;
    if (device_root.valid() && device_root != root) note(device_root);
  };
  for (std::uint32_t i = function.first_op.index(); i < function.end_op.index(); ++i) {
    const ir::ValueId id(i);
    const ir::Op& op = program.ops[id];
    switch (op.kind) {
      case ir::OpKind::kStoreSubscript:
      case ir::OpKind::kDelSubscript:
      case ir::OpKind::kInplaceBinary: add(program.Operand(id, 0), id); break;
      case ir::OpKind::kCall: {
        if (const ir::ValueId out = facts.KeywordArgument(id, "out"); out.valid()) add(out, id);
        const Callee& callee = facts.CalleeOf(id);
        const auto is = [&](std::string_view name) { return callee.name == name; };
        if (callee.kind == Callee::Kind::kMethod &&
            (is("numpy.ndarray.fill") || is("numpy.ndarray.sort") || is("numpy.ndarray.put") ||
             is("numpy.ndarray.partition") || is("numpy.ndarray.resize"))) {
          add(callee.receiver, id);
        }
        if (callee.kind == Callee::Kind::kApi &&
            (is("numpy.copyto") || is("numpy.putmask") || is("numpy.place") || is("numpy.put") ||
             is("numpy.fill_diagonal") || is("numpy.put_along_axis") || is("numpy.random.shuffle") ||
             callee.name.ends_with(".at"))) {
          add(program.Operand(id, 1), id);
        }
        // Ufuncs take their output by position as well.
        if (callee.kind == Callee::Kind::kApi && facts.Of(id).kind == Kind::kArray) {
          for (const ir::ValueId argument : program.Operands(id).subspan(1)) {
            if (argument.valid() && facts.IsArray(argument) && facts.Of(id).root == facts.Of(argument).root &&
                program.OperandSpan(id, 0).size() > 0 && facts.Argument(id, 2, "out") == argument) {
              add(argument, id);
            }
          }
        }
        break;
      }
      default: break;
    }
  }
}

// The storage that a call of the function may change, in itself or in functions of the program that it calls.
// Attributes and module variables have one root wherever they are read, so that this says what a method does to
// `self.u`.
const std::unordered_set<ir::ValueId>& WrittenByCall(const Facts& facts, Facts::Impl& impl, ir::FunctionId function) {
  constexpr std::size_t kMostFunctions = 200;
  const auto [entry, is_new] = impl.written_by_call.try_emplace(function);
  if (!is_new) return entry->second;
  std::vector<ir::FunctionId> work = {function};
  std::unordered_set<ir::FunctionId> seen = {function};
  std::unordered_set<ir::ValueId> written;
  for (std::size_t i = 0; i < work.size() && i < kMostFunctions; ++i) {
    FindMutations(facts, impl, work[i]);
    for (const auto& change : impl.mutated_roots[work[i]]) written.insert(change.first);
    for (const ir::ValueId call : facts.program().functions[work[i]].calls) {
      const Callee& callee = facts.CalleeOf(call);
      if (callee.kind == Callee::Kind::kLocal && seen.insert(callee.function).second) work.push_back(callee.function);
    }
  }
  return impl.written_by_call[function] = std::move(written);
}

}  // namespace

std::span<const ir::ValueId> Facts::MutationsOf(ir::ValueId root) const {
  if (!root.valid()) return {};
  FindMutations(*this, *impl_, program_.FunctionOf(root));
  const auto found = impl_->mutations.find(root);
  return found == impl_->mutations.end() ? std::span<const ir::ValueId>() : std::span<const ir::ValueId>(found->second);
}

namespace {

// The storage that a pass of the loop may change: by its own ops, by what its calls of the program do, and all that is
// handed to code that may change it.
const std::unordered_set<ir::ValueId>& ChangedIn(const Facts& facts, Facts::Impl& impl, ir::LoopId loop) {
  if (const auto known = impl.changed_in_loop.find(loop); known != impl.changed_in_loop.end()) return known->second;
  const ir::Program& program = facts.program();
  const ir::FunctionId function = program.loops[loop].function;
  FindMutations(facts, impl, function);
  std::unordered_set<ir::ValueId> changed;
  for (const auto& [root, op] : impl.mutated_roots[function]) {
    if (facts.InLoop(op, loop)) changed.insert(root);
  }
  std::unordered_set<ir::FunctionId> called;
  for (const ir::ValueId call : program.functions[function].calls) {
    if (!facts.InLoop(call, loop)) continue;
    const Callee& callee = facts.CalleeOf(call);
    if (callee.kind != Callee::Kind::kLocal && callee.kind != Callee::Kind::kUnknown &&
        callee.kind != Callee::Kind::kForeign)
      continue;
    for (const ir::ValueId argument : program.Operands(call).subspan(1)) {
      if (argument.valid() && facts.RootOf(argument).valid()) changed.insert(facts.RootOf(argument));
    }
    if (callee.kind != Callee::Kind::kLocal || !called.insert(callee.function).second) continue;
    const std::unordered_set<ir::ValueId>& written = WrittenByCall(facts, impl, callee.function);
    changed.insert(written.begin(), written.end());
  }
  return impl.changed_in_loop[loop] = std::move(changed);
}

// The attributes that a pass of the loop stores; with None() where a call of code we see or do not see may store any.
const std::unordered_set<Symbol>& AttributesStoredIn(const Facts& facts, Facts::Impl& impl, ir::LoopId loop) {
  if (const auto known = impl.attributes_stored.find(loop); known != impl.attributes_stored.end()) return known->second;
  const ir::Program& program = facts.program();
  const ir::Function& function = program.functions[program.loops[loop].function];
  std::unordered_set<Symbol> stored;
  for (std::uint32_t i = function.first_op.index(); i < function.end_op.index(); ++i) {
    const ir::ValueId id(i);
    const ir::Op& op = program.ops[id];
    if (op.kind != ir::OpKind::kStoreAttr && op.kind != ir::OpKind::kCall) continue;
    if (!facts.InLoop(id, loop)) continue;
    if (op.kind == ir::OpKind::kStoreAttr) {
      stored.insert(program.SymbolOf(op));
      continue;
    }
    const Callee& callee = facts.CalleeOf(id);
    if (callee.kind == Callee::Kind::kLocal || callee.kind == Callee::Kind::kUnknown) stored.insert(Symbol::None());
  }
  return impl.attributes_stored[loop] = std::move(stored);
}

}  // namespace

bool Facts::MutatedIn(ir::ValueId root, ir::LoopId loop) const {
  // Unknown storage: anything may change it.
  return !root.valid() || ChangedIn(*this, *impl_, loop).contains(root);
}

bool Facts::AttributeStoredIn(Symbol name, ir::LoopId loop) const {
  const std::unordered_set<Symbol>& stored = AttributesStoredIn(*this, *impl_, loop);
  return stored.contains(name) || stored.contains(Symbol::None());
}

bool ContainerChangedIn(const Facts& facts, ir::ValueId container, ir::LoopId loop) {
  const ir::Program& program = facts.program();
  const Kind kind = facts.Of(container).kind;
  if (kind != Kind::kList && kind != Kind::kDict && kind != Kind::kSet) return false;
  for (const ir::ValueId use : facts.DeepUsesOf(facts.Source(container))) {
    const ir::Op& op = program.ops[use];
    if (op.kind == ir::OpKind::kAttr) {
      for (const ir::ValueId call : facts.UsesOf(use)) {
        if (facts.InLoop(call, loop) && program.ops[call].kind == ir::OpKind::kCall) return true;
      }
    }
    if (!facts.InLoop(use, loop)) continue;
    switch (op.kind) {
      case ir::OpKind::kStoreSubscript:
      case ir::OpKind::kDelSubscript:
      case ir::OpKind::kInplaceBinary:
        if (facts.Source(program.Operand(use, 0)) == facts.Source(container)) return true;
        break;
      case ir::OpKind::kCollectItem: return true;
      case ir::OpKind::kCall: {
        const Callee::Kind callee = facts.CalleeOf(use).kind;
        if (callee == Callee::Kind::kLocal || callee == Callee::Kind::kUnknown) return true;
        break;
      }
      default: break;
    }
  }
  return false;
}

namespace {

std::uint64_t InvariantKey(ir::ValueId value, ir::LoopId loop) {
  return std::uint64_t{loop.index()} << 32 | value.index();
}

// Nothing that the value is computed from changes in the loop. What is known of inner parts is not walked again.
bool ReadsNothingThatChanges(const Facts& facts, const Facts::Impl& impl, ir::ValueId value, ir::LoopId loop) {
  const ir::Program& program = facts.program();
  std::vector<ir::ValueId> work = {value};
  std::unordered_set<ir::ValueId> seen = {value};
  while (!work.empty()) {
    const ir::ValueId now = work.back();
    work.pop_back();
    if (!now.valid()) continue;
    if (const auto known = impl.invariant.find(InvariantKey(now, loop)); known != impl.invariant.end()) {
      if (!known->second) return false;
      continue;
    }
    if (facts.IsArray(now) && facts.MutatedIn(facts.RootOf(now), loop)) return false;
    if (ContainerChangedIn(facts, now, loop)) return false;
    if (!facts.InLoop(now, loop)) {
      if (program.ops[now].kind == ir::OpKind::kLoadCell &&
          program.cells[ir::CellId(program.ops[now].payload)].stores.size() > 1)
        return false;
      continue;
    }
    switch (program.ops[now].kind) {
      case ir::OpKind::kNone:
      case ir::OpKind::kEllipsis:
      case ir::OpKind::kBool:
      case ir::OpKind::kInt:
      case ir::OpKind::kFloat:
      case ir::OpKind::kComplex:
      case ir::OpKind::kStr:
      case ir::OpKind::kBuiltin:
      case ir::OpKind::kImport:
      case ir::OpKind::kStarName:
      case ir::OpKind::kUnary:
      case ir::OpKind::kBinary:
      case ir::OpKind::kCompare:
      case ir::OpKind::kSubscript:
      case ir::OpKind::kSlice:
      case ir::OpKind::kTuple:
      case ir::OpKind::kList:
      case ir::OpKind::kStarred: break;
      case ir::OpKind::kLoadCell: {
        const ir::Cell& cell = program.cells[ir::CellId(program.ops[now].payload)];
        const Kind kind = facts.Of(now).kind;
        const bool fixed =
            kind == Kind::kApi || kind == Kind::kFunction || kind == Kind::kClass || kind == Kind::kDType;
        if (cell.stores.size() > 1 && !fixed) return false;
        break;
      }
      case ir::OpKind::kAttr: {
        const Value& object = facts.Of(program.Operand(now, 0));
        const Kind of = object.kind;
        if (of != Kind::kApi && of != Kind::kArray && of != Kind::kInstance) return false;
        const bool slots = of == Kind::kInstance || (of == Kind::kArray && object.class_id.valid());
        if (slots && facts.AttributeStoredIn(program.SymbolOf(program.ops[now]), loop)) return false;
        break;
      }
      case ir::OpKind::kCall: {
        const Callee& callee = facts.CalleeOf(now);
        const bool pure = callee.kind == Callee::Kind::kApi || callee.kind == Callee::Kind::kMethod ||
                          callee.kind == Callee::Kind::kBuiltin;
        if (!pure || callee.name.starts_with("numpy.random.") || callee.name == "input" || callee.name == "next")
          return false;
        break;
      }
      default: return false;
    }
    for (const ir::ValueId operand : program.Operands(now)) {
      if (operand.valid() && seen.insert(operand).second) work.push_back(operand);
    }
  }
  return true;
}

}  // namespace

bool Facts::Invariant(ir::ValueId value, ir::LoopId loop) const {
  if (!value.valid()) return true;
  const std::uint64_t key = InvariantKey(value, loop);
  const auto known = impl_->invariant.find(key);
  if (known != impl_->invariant.end()) return known->second;
  return impl_->invariant[key] = ReadsNothingThatChanges(*this, *impl_, value, loop);
}

}  // namespace cpnlint::analysis
