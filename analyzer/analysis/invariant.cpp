// What gives the same on every pass of a loop (A.4 inv): in the loop itself, and in functions that the loop calls.

#include <algorithm>
#include <array>

#include "analyzer/analysis/call_path.h"
#include "analyzer/analysis/changes.h"
#include "analyzer/analysis/impl.h"

namespace cpnlint::analysis {

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
        const Callee& callee = facts.CalleeOf(use);
        if (callee.kind == Callee::Kind::kLocal || callee.kind == Callee::Kind::kUnknown) return true;
        if (callee.name.starts_with("heapq.")) return true;
        break;
      }
      default: break;
    }
  }
  return false;
}

bool IsKeptAndChanged(const Facts& facts, ir::ValueId container) {
  const ir::Program& program = facts.program();
  const ir::Op& op = program.ops[container];
  const Kind kind = facts.Of(container).kind;
  if (op.kind != ir::OpKind::kAttr || (kind != Kind::kList && kind != Kind::kDict && kind != Kind::kSet)) return false;
  return std::ranges::any_of(program.functions[program.FunctionOf(container)].calls, [&](ir::ValueId call) {
    const ir::ValueId method = program.Operand(call, 0);
    if (!method.valid() || program.ops[method].kind != ir::OpKind::kAttr) return false;
    const ir::ValueId held = facts.Source(program.Operand(method, 0));
    return held.valid() && program.ops[held].kind == ir::OpKind::kAttr &&
           program.SymbolOf(program.ops[held]) == program.SymbolOf(op);
  });
}

namespace {

constexpr std::size_t kMostFunctions = 40;  // that one call leads to
constexpr std::size_t kMostOps = 400;       // that one value is computed from

// Builtins that give the same for the same arguments, and leave them alone.
constexpr auto kPureBuiltins = std::to_array<std::string_view>(
    {"abs",      "all",   "any",        "bool",       "complex", "dict", "divmod", "enumerate", "float", "getattr",
     "hasattr",  "int",   "isinstance", "issubclass", "len",     "list", "max",    "min",       "pow",   "range",
     "reversed", "round", "slice",      "sorted",     "str",     "sum",  "super",  "tuple",     "type",  "zip"});

bool IsPureBuiltin(std::string_view name) {
  return std::find(kPureBuiltins.begin(), kPureBuiltins.end(), name) != kPureBuiltins.end();
}

// Calls of libraries that leave everything alone; nullopt of what is no library's.
std::optional<bool> IsPureLibraryCall(const Callee& callee) {
  switch (callee.kind) {
    case Callee::Kind::kApi:
    case Callee::Kind::kMethod: return !callee.name.starts_with("numpy.random.");
    case Callee::Kind::kForeign: return callee.name.starts_with("math.");
    default: return std::nullopt;
  }
}

std::uint64_t KeyOf(ir::LoopId loop, ir::ValueId value) { return std::uint64_t{loop.index()} << 32 | value.index(); }

class SameOnEveryPass {
 public:
  SameOnEveryPass(const Facts& facts, Facts::Impl& impl, ir::LoopId loop)
      : facts_(facts), impl_(impl), program_(impl.program), loop_(loop), home_(program_.loops[loop].function) {}

  // `calls` lead from the loop to the function of the value; none where that is the loop's own.
  bool Holds(ir::ValueId value, const std::vector<ir::ValueId>& calls) {
    calls_ = &calls;
    Add(value, calls.size());
    while (!work_.empty()) {
      const auto [now, depth] = work_.back();
      work_.pop_back();
      if (seen_.size() > kMostOps || !(depth == 0 ? StepInLoop(now) : StepInCallee(now, depth))) return false;
    }
    return true;
  }

 private:
  void Add(ir::ValueId id, std::size_t depth) {
    if (id.valid() && seen_.insert(id).second) work_.emplace_back(id, depth);
  }

  void AddOperands(ir::ValueId id, std::size_t depth) {
    for (const ir::ValueId operand : program_.Operands(id)) Add(operand, depth);
  }

  [[nodiscard]] bool IsChangedArray(ir::ValueId id) const {
    return facts_.IsArray(id) && facts_.MutatedIn(facts_.RootOf(id), loop_);
  }

  // `x[i] = y` in the loop, where nobody knows what x is.
  [[nodiscard]] bool IsStoredInto(ir::ValueId id) const {
    if (facts_.Of(id).kind != Kind::kUnknown) return false;
    const ir::ValueId object = facts_.Source(id);
    return std::ranges::any_of(facts_.DeepUsesOf(object), [&](ir::ValueId use) {
      const ir::OpKind kind = program_.ops[use].kind;
      return (kind == ir::OpKind::kStoreSubscript || kind == ir::OpKind::kInplaceBinary) && facts_.InLoop(use, loop_) &&
             facts_.Source(program_.Operand(use, 0)) == object;
    });
  }

  // The loop's own function. What is known of inner parts is not walked again.
  bool StepInLoop(ir::ValueId now) {
    const std::uint64_t key = KeyOf(loop_, now);
    if (const auto known = impl_.invariant.find(key); known != impl_.invariant.end()) return known->second;
    if (IsChangedArray(now) || ContainerChangedIn(facts_, now, loop_) || IsStoredInto(now)) return false;
    if (!facts_.InLoop(now, loop_)) {
      return program_.ops[now].kind != ir::OpKind::kLoadCell ||
             program_.cells[ir::CellId(program_.ops[now].payload)].stores.size() <= 1;
    }
    if (!GivesTheSame(now) || IsItemOfHeld(now)) return false;
    AddOperands(now, 0);
    return true;
  }

  // `self.fields["u"]`, `state["u"]`: an item of what others hold as well, who may store another one.
  [[nodiscard]] bool IsItemOfHeld(ir::ValueId now) const {
    if (program_.ops[now].kind != ir::OpKind::kSubscript) return false;
    const ir::ValueId base = facts_.Source(program_.Operand(now, 0));
    if (!base.valid()) return true;
    const Kind kind = facts_.Of(base).kind;
    const ir::OpKind from = program_.ops[base].kind;
    const bool held = from == ir::OpKind::kAttr || from == ir::OpKind::kLoadCell || from == ir::OpKind::kSubscript;
    return held && kind != Kind::kArray && kind != Kind::kTuple;
  }

  // A function that the loop calls, by the call before `depth`.
  bool StepInCallee(ir::ValueId now, std::size_t depth) {
    if (IsChangedArray(now)) return false;
    const ir::Op& op = program_.ops[now];
    if (op.kind == ir::OpKind::kParam) {
      const Handed handed = HandedOver(facts_, (*calls_)[depth - 1], program_.FunctionOf(now), op.detail);
      if (!handed.known) return false;
      const bool passed = program_.FunctionOf(handed.value) == program_.FunctionOf((*calls_)[depth - 1]);
      if (passed) Add(handed.value, depth - 1);
      return passed || facts_.Of(handed.value).constant;  // a default
    }
    if (!GivesTheSame(now) || IsFilledLater(now) || IsKeptAndChanged(facts_, now)) return false;
    if (op.kind == ir::OpKind::kSubscript) {
      const Kind base = facts_.Of(program_.Operand(now, 0)).kind;
      if (base != Kind::kArray && base != Kind::kTuple) return false;
    }
    AddOperands(now, depth);
    return true;
  }

  // A list that more is done with than reading it in one place, as it stands: `np.array([a, b])`.
  [[nodiscard]] bool IsFilledLater(ir::ValueId now) const {
    const Kind kind = facts_.Of(now).kind;
    if (kind != Kind::kList && kind != Kind::kDict && kind != Kind::kSet) return false;
    const auto uses = facts_.UsesOf(now);
    return uses.size() != 1 || program_.ops[uses.front()].kind != ir::OpKind::kCall;
  }

  // The op gives the same wherever its operands do.
  bool GivesTheSame(ir::ValueId now) {
    const ir::Op& op = program_.ops[now];
    switch (op.kind) {
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
      case ir::OpKind::kSlice:
      case ir::OpKind::kTuple:
      case ir::OpKind::kList:
      case ir::OpKind::kStarred: return true;
      case ir::OpKind::kUnary:
      case ir::OpKind::kBinary:
      case ir::OpKind::kCompare:
      case ir::OpKind::kSubscript: return !RunBy(facts_, impl_, now).unknown;
      case ir::OpKind::kUnpackItem: {
        const Kind of = facts_.Of(program_.Operand(now, 0)).kind;
        return of == Kind::kTuple || of == Kind::kArray;
      }
      case ir::OpKind::kLoadCell: return IsFixed(ir::CellId(op.payload), facts_.Of(now).kind);
      case ir::OpKind::kAttr: return ReadsTheSame(now);
      case ir::OpKind::kCall: return CallGivesTheSame(now);
      default: return false;
    }
  }

  // No pass binds the variable to something else.
  [[nodiscard]] bool IsFixed(ir::CellId id, Kind kind) const {
    const ir::Cell& cell = program_.cells[id];
    if (kind == Kind::kApi || kind == Kind::kFunction || kind == Kind::kClass || kind == Kind::kDType) return true;
    if (cell.stores.size() > 1) return false;
    if (cell.stores.empty()) return true;
    const ir::FunctionId binds = program_.FunctionOf(cell.stores.front());
    if (binds == home_) return !facts_.InLoop(cell.stores.front(), loop_);
    const ir::Function::Kind of = program_.functions[binds].kind;
    if (of == ir::Function::Kind::kModule || of == ir::Function::Kind::kClassBody) return true;
    // A function around the loop's binds it before the loop.
    for (ir::FunctionId around = program_.functions[home_].parent; around.valid();
         around = program_.functions[around].parent) {
      if (around == binds) return true;
    }
    return false;
  }

  bool ReadsTheSame(ir::ValueId attribute) {
    const bool property = !RunBy(facts_, impl_, attribute).functions.empty();
    return property ? OnlyComputes(attribute) : ReadsStored(attribute);
  }

  [[nodiscard]] bool ReadsStored(ir::ValueId attribute) const {
    const Value& object = facts_.Of(program_.Operand(attribute, 0));
    const Kind of = object.kind;
    if (of == Kind::kModule) {
      const Kind kind = facts_.Of(attribute).kind;
      return kind == Kind::kFunction || kind == Kind::kClass || kind == Kind::kApi || kind == Kind::kModule;
    }
    if (facts_.Of(attribute).kind == Kind::kMethod && of != Kind::kUnknown) return true;
    if (of != Kind::kApi && of != Kind::kArray && of != Kind::kInstance) return false;
    const bool slots = of == Kind::kInstance || (of == Kind::kArray && object.class_id.valid());
    return !slots || !facts_.AttributeStoredIn(program_.SymbolOf(program_.ops[attribute]), loop_);
  }

  bool CallGivesTheSame(ir::ValueId call) {
    const Callee& callee = facts_.CalleeOf(call);
    if (const std::optional<bool> pure = IsPureLibraryCall(callee)) return *pure;
    switch (callee.kind) {
      case Callee::Kind::kBuiltin: return callee.name != "input" && callee.name != "next";
      case Callee::Kind::kLocal: return OnlyComputes(call);
      default: return false;
    }
  }

  // A call of the program's functions that leaves everything alone, and reads nothing but its arguments and what no
  // pass changes; or the read of a property.
  bool OnlyComputes(ir::ValueId call) {
    std::vector<ir::FunctionId> functions = RunBy(facts_, impl_, call).functions;
    for (std::size_t at = 0; at < functions.size(); ++at) {
      if (at == kMostFunctions) return false;
      const ir::FunctionId id = functions[at];
      const ir::Function& function = program_.functions[id];
      if (function.is_generator || function.is_async || facts_.IsCompiledElsewhere(id)) return false;
      FindMutations(facts_, impl_, id);
      for (const auto& change : impl_.mutated_roots[id]) {
        const ir::Op& root = program_.ops[change.first];
        const bool own = program_.FunctionOf(change.first) == id;
        if (!own || (root.kind != ir::OpKind::kCall && root.kind != ir::OpKind::kBinary)) return false;
      }
      for (std::uint32_t i = function.first_op.index(); i < function.end_op.index(); ++i) {
        const ir::ValueId op(i);
        if (!IsHarmless(op)) return false;
        const Runs runs = RunBy(facts_, impl_, op);
        if (runs.unknown || runs.by_library) return false;
        for (const ir::FunctionId next : runs.functions) {
          if (std::find(functions.begin(), functions.end(), next) == functions.end()) functions.push_back(next);
        }
      }
    }
    return !functions.empty();
  }

  [[nodiscard]] bool IsHarmless(ir::ValueId id) const {
    const ir::Op& op = program_.ops[id];
    switch (op.kind) {
      case ir::OpKind::kStoreAttr:
      case ir::OpKind::kDelAttr:
      case ir::OpKind::kStoreCell:
      case ir::OpKind::kYield:
      case ir::OpKind::kAwait:
      case ir::OpKind::kWithEnter:
      case ir::OpKind::kMakeClass:
      case ir::OpKind::kOpaque: return false;
      case ir::OpKind::kStoreSubscript:
      case ir::OpKind::kDelSubscript: return facts_.IsArray(program_.Operand(id, 0));
      case ir::OpKind::kInplaceBinary: return facts_.IsArray(id) || IsNumber(facts_.Of(id).kind);
      case ir::OpKind::kLoadCell: return IsFixed(ir::CellId(op.payload), facts_.Of(id).kind) && !IsChangedArray(id);
      case ir::OpKind::kAttr: {
        const Value& object = facts_.Of(program_.Operand(id, 0));
        if (object.kind == Kind::kUnknown) return IsOnlyStored(program_.SymbolOf(op));
        if (!RunBy(facts_, impl_, id).functions.empty()) return true;  // its code is looked at, too
        return ReadsStored(id) && !IsChangedArray(id);
      }
      case ir::OpKind::kCall: {
        const Callee& callee = facts_.CalleeOf(id);
        if (const std::optional<bool> pure = IsPureLibraryCall(callee)) return *pure;
        switch (callee.kind) {
          case Callee::Kind::kBuiltin:
            return IsPureBuiltin(callee.name) || callee.name.ends_with("Error");  // that is raised
          case Callee::Kind::kLocal: return true;
          default: return false;
        }
      }
      default: return true;
    }
  }

  // Some class of the program stores the attribute, none computes it, and no pass of the loop assigns it.
  [[nodiscard]] bool IsOnlyStored(Symbol name) const {
    if (facts_.AttributeStoredIn(name, loop_)) return false;
    const bool stored = std::any_of(impl_.slot_of.begin(), impl_.slot_of.end(), [&](const auto& slot) {
      return static_cast<std::uint32_t>(slot.first) == name.index() &&
             impl_.slots[slot.second].value.kind != Kind::kBottom;
    });
    return stored && std::none_of(program_.functions.begin(), program_.functions.end(),
                                  [&](const ir::Function& one) { return one.owner.valid() && one.name == name; });
  }

  const Facts& facts_;
  Facts::Impl& impl_;
  const ir::Program& program_;
  ir::LoopId loop_;
  ir::FunctionId home_;
  const std::vector<ir::ValueId>* calls_ = nullptr;
  std::vector<std::pair<ir::ValueId, std::size_t>> work_;
  std::unordered_set<ir::ValueId> seen_;
};

}  // namespace

bool Facts::Invariant(ir::ValueId value, ir::LoopId loop) const {
  if (!value.valid()) return true;
  const std::uint64_t key = KeyOf(loop, value);
  const auto known = impl_->invariant.find(key);
  if (known != impl_->invariant.end()) return known->second;
  const ir::FunctionId function = program_.FunctionOf(value);
  std::optional<std::vector<ir::ValueId>> calls(std::in_place);
  if (function != program_.loops[loop].function) calls = OnlyWayTo(*this, function, loop);
  return impl_->invariant[key] = calls && SameOnEveryPass(*this, *impl_, loop).Holds(value, *calls);
}

}  // namespace cpnlint::analysis
