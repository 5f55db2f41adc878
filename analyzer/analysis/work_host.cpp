// Where Python meets the device: iteration, values that reach the host, and calls that are no array functions.

#include "analyzer/analysis/work_impl.h"

namespace cpnlint::analysis {

namespace {

constexpr double kAppliedItems = 10;  // as of a loop over items (rules.md A.5)

std::string_view ReadName(HostRead::Kind kind) {
  switch (kind) {
    case HostRead::Kind::kConversion: return "conversion";
    case HostRead::Kind::kTruth: return "test";
    case HostRead::Kind::kIndex: return "index";
    case HostRead::Kind::kContains: return "in";
    case HostRead::Kind::kFormat: return "text";
    case HostRead::Kind::kMath: return "math";
    case HostRead::Kind::kForeign: return "other library";
    case HostRead::Kind::kBuiltinWalk:
    case HostRead::Kind::kIteration: return "iteration";
    case HostRead::Kind::kAttribute: return "attribute";
  }
  return "";
}

}  // namespace

// --- iteration ---

void TaskMaker::SeeLoopItem(ir::ValueId op) {
  const ir::LoopId loop(program_.ops[op].payload);
  const ir::ValueId iterable = program_.loops[loop].iterable;
  if (!iterable.valid()) return;
  const auto element = [&](ir::ValueId array) {
    if (!facts_.IsDevice(array) || Rank(array) != 1) return;
    WorkTask task = Start(op, WorkKind::kElementAccess, "iteration");
    task.bytes_read = task.bytes_written = BytesOf(dims_.Const(1), array);
    Add(std::move(task));
  };
  element(iterable);
  const ir::ValueId source = facts_.Source(iterable);
  if (!source.valid() || program_.ops[source].kind != ir::OpKind::kCall) return;
  const Callee& callee = facts_.CalleeOf(source);
  if (callee.kind != Callee::Kind::kBuiltin) return;
  if (callee.name != "enumerate" && callee.name != "zip" && callee.name != "reversed") return;
  for (const ir::ValueId array : program_.Operands(source).subspan(1)) element(array);
}

void TaskMaker::SeeUnpack(ir::ValueId op) {
  const ir::ValueId array = program_.Operand(op, 0);
  if (!array.valid() || !facts_.IsDevice(array) || Rank(array) != 1) return;
  WorkTask task = Start(op, WorkKind::kElementAccess, "iteration");
  task.bytes_read = task.bytes_written = BytesOf(dims_.Const(1), array);
  Add(std::move(task));
}

// list(x), sum(x): one element after the other, each with an operation where the builtin computes.
void TaskMaker::SeeWalk(ir::ValueId op, ir::ValueId array, ir::DimId passes, bool adds, bool waits) {
  plan_->loops.push_back({ir::LoopId::None(), passes, kDefaultExtent});
  const auto index = static_cast<std::uint32_t>(plan_->loops.size() - 1);
  plan_->items.push_back({PlanItem::Kind::kOpenLoop, index, share_, {}, {}});
  const double outside = share_;
  share_ = 1;
  const bool rows = Rank(array) > 1;
  if (!rows) {
    WorkTask task = Start(op, WorkKind::kElementAccess, "iteration");
    task.bytes_read = task.bytes_written = BytesOf(dims_.Const(1), array);
    Add(std::move(task));
  }
  if (adds || waits) {
    WorkTask task = Start(op, WorkKind::kElementwise, adds ? "+" : "<");
    const ir::DimId extent = facts_.ExtentOf(array, 0);
    task.elements = rows ? dims_.FloorDiv(Elements(array), extent) : dims_.Const(1);
    task.bytes_read = task.bytes_written = BytesOf(task.elements, array);
    task.waits = waits;
    if (waits) task.to_host = BytesOf(dims_.Const(1), array);
    Add(std::move(task));
  }
  share_ = outside;
  plan_->items.push_back({PlanItem::Kind::kCloseLoop, 0, 1, {}, {}});
}

// --- the host ---

void TaskMaker::SeeHostReads(ir::ValueId op) {
  for (const HostRead& read : reads_[op]) {
    const ir::OpKind kind = program_.ops[op].kind;
    if (read.kind == HostRead::Kind::kIteration) {
      // Loops and unpackings read item by item where the items are.
      if (kind == ir::OpKind::kIter || kind == ir::OpKind::kUnpackItem) continue;
      if (kind == ir::OpKind::kCall && facts_.CalleeOf(op).kind == Callee::Kind::kBuiltin) {
        const std::string_view name = facts_.CalleeOf(op).name;
        if (name == "enumerate" || name == "zip" || name == "iter" || name == "map" || name == "filter") continue;
      }
      SeeWalk(op, read.value, facts_.ExtentOf(read.value, 0), false, false);
      continue;
    }
    if (read.kind == HostRead::Kind::kBuiltinWalk) {
      const std::string_view name = kind == ir::OpKind::kCall ? facts_.CalleeOf(op).name : std::string_view();
      // They stop at the first item that decides: one is the least, and no source tells more.
      const bool stops = name == "any" || name == "all";
      const ir::DimId passes = stops ? dims_.Const(1) : facts_.ExtentOf(read.value, 0);
      SeeWalk(op, read.value, passes, name == "sum", name != "sum" && name != "reversed");
      continue;
    }
    WorkTask task = Start(op, WorkKind::kToHost, ReadName(read.kind));
    const Callee* callee = kind == ir::OpKind::kCall ? &facts_.CalleeOf(op) : nullptr;
    if (callee != nullptr && !callee->name.empty()) task.name = callee->name;
    const bool one = read.kind == HostRead::Kind::kTruth || read.kind == HostRead::Kind::kMath ||
                     read.kind == HostRead::Kind::kIndex || read.kind == HostRead::Kind::kContains;
    task.elements = one ? dims_.Const(1) : Elements(read.value);
    task.to_host = BytesOf(task.elements, read.value);
    task.launches = task.launches_divided = 0;
    task.waits = true;
    task.operands.push_back(OperandOf(read.value));
    Add(std::move(task));
  }
}

// --- calls that are no array functions ---

void TaskMaker::SeeCall(ir::ValueId op) {
  const Callee& callee = facts_.CalleeOf(op);
  switch (callee.kind) {
    case Callee::Kind::kApi:
    case Callee::Kind::kMethod:
      if (callee.library == Library::kDevice) SeeArrayCall(op);
      return;
    case Callee::Kind::kLocal:
      if (facts_.IsCompiledElsewhere(callee.function)) return SeeOtherCode(op);
      plan_->items.push_back({PlanItem::Kind::kCall, 0, share_, op, callee.function});
      return;
    case Callee::Kind::kClass: {
      const ir::FunctionId init = callee.class_id.valid() ? MethodOf(callee.class_id, "__init__") : ir::FunctionId();
      if (init.valid()) plan_->items.push_back({PlanItem::Kind::kCall, 0, share_, op, init});
      return;
    }
    case Callee::Kind::kBuiltin: {
      if (callee.name == "map" || callee.name == "filter") return SeeApplied(op, 0, callee.name);
      const ir::ValueId first = program_.Operand(op, 1);
      if ((callee.name != "abs" && callee.name != "pow") || !first.valid() || !facts_.IsDevice(first)) return;
      WorkTask task = Start(op, WorkKind::kElementwise, callee.name);
      Read(task, first);
      Write(task, op);
      task.elements = Elements(first);
      task.operations = OperationsOf(callee.name);
      return Add(std::move(task));
    }
    case Callee::Kind::kForeign:
      if (callee.name == "functools.reduce" || callee.name == "itertools.starmap" ||
          callee.name == "itertools.accumulate") {
        return SeeApplied(op, callee.name == "itertools.accumulate" ? 1 : 0, callee.name);
      }
      return SeeOtherCode(op);
    case Callee::Kind::kUnknown:
      if (!SeeEither(op)) SeeOtherCode(op);
      return;
    case Callee::Kind::kContainerMethod: return;
  }
}

// `layer.forward(x)` of one of several classes: as often as the others. `merit(x)` of an object that can be called.
bool TaskMaker::SeeEither(ir::ValueId op) {
  const Value& called = facts_.Of(program_.Operand(op, 0));
  if (!called.elements.valid() && called.kind != Kind::kInstance) return false;
  std::vector<ir::FunctionId> functions;
  for (const Value& one : called.elements.valid() ? facts_.store().Get(called.elements) : std::vector{called}) {
    const bool object = one.kind == Kind::kInstance && one.class_id.valid();
    const ir::FunctionId function = object ? MethodOf(one.class_id, "__call__") : one.function;
    if (!function.valid() || facts_.IsCompiledElsewhere(function)) return false;
    if (std::ranges::find(functions, function) == functions.end()) functions.push_back(function);
  }
  const double share = share_ / static_cast<double>(std::max<std::size_t>(1, functions.size()));
  for (const ir::FunctionId function : functions)
    plan_->items.push_back({PlanItem::Kind::kCall, 0, share, op, function});
  return !functions.empty();
}

// `map(f, xs)`: a function of the program runs once for each item, as a loop would run it.
void TaskMaker::SeeApplied(ir::ValueId op, std::size_t position, std::string_view name) {
  const ir::ValueId function = facts_.Argument(op, position, "");
  if (!function.valid()) return;
  const Value& applied = facts_.Of(function);
  const bool local = applied.kind == Kind::kFunction && applied.function.valid();
  if (local && !facts_.IsCompiledElsewhere(applied.function)) {
    plan_->loops.push_back({ir::LoopId::None(), ir::DimId::None(), kAppliedItems});
    const auto index = static_cast<std::uint32_t>(plan_->loops.size() - 1);
    plan_->items.push_back({PlanItem::Kind::kOpenLoop, index, share_, {}, {}});
    plan_->items.push_back({PlanItem::Kind::kCall, 0, 1, op, applied.function});
    plan_->items.push_back({PlanItem::Kind::kCloseLoop, 0, 1, {}, {}});
    return;
  }
  const bool of_library = applied.kind == Kind::kApi && applied.library == Library::kDevice;
  if (of_library) Unpriced(op, name, "calls a function for each item, and of what size those are is not known");
}

// Arrays go into code that is not ours to see.
void TaskMaker::SeeOtherCode(ir::ValueId op) {
  const Callee& callee = facts_.CalleeOf(op);
  if (callee.kind == Callee::Kind::kUnknown && reads_.contains(op)) return;  // a logger
  if (callee.kind == Callee::Kind::kForeign &&
      (callee.name.starts_with("math.") || callee.name.starts_with("logging."))) {
    return;
  }
  for (const ir::ValueId argument : program_.Operands(op).subspan(1)) {
    if (!argument.valid() || !facts_.IsDevice(argument) || Rank(argument) == 0) continue;
    const std::string_view why = callee.kind == Callee::Kind::kForeign ? "runs in another library"
                                 : callee.kind == Callee::Kind::kLocal ? "is compiled by another tool"
                                                                       : "calls code that is not known";
    if (!callee.name.empty()) return Unpriced(op, callee.name, why);
    if (callee.kind == Callee::Kind::kLocal) {
      return Unpriced(op, program_.names.Text(program_.functions[callee.function].name), why);
    }
    // Of a method of something unknown the name is all there is.
    const ir::Op& called = program_.ops[program_.Operand(op, 0)];
    return Unpriced(op, called.kind == ir::OpKind::kAttr ? program_.Name(called) : "call", why);
  }
}

}  // namespace cpnlint::analysis
