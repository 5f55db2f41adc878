// What one call of a function gets back, where what it hands over decides which `return` that is: `flux(u, both=False)`
// of a function that says `if both: return f, g`. Decided by literals alone, so that nothing is taken back later.

#include <algorithm>

#include "analyzer/analysis/engine.h"
#include "analyzer/analysis/named_definitions.h"

namespace cpnlint::analysis {
namespace {

constexpr std::size_t kMostReturns = 8;
constexpr int kMostTests = 16;  // around one return

std::optional<bool> TruthOfLiteral(const ir::Program& program, ir::ValueId id) {
  if (!id.valid()) return std::nullopt;
  const ir::Op& op = program.ops[id];
  switch (op.kind) {
    case ir::OpKind::kNone: return false;
    case ir::OpKind::kBool:
    case ir::OpKind::kInt: return program.ints[op.payload] != 0;
    case ir::OpKind::kStr: return !program.String(op).empty();
    default: return std::nullopt;
  }
}

// `[i, j]` is there, whatever stands in it.
bool IsDisplay(const ir::Program& program, ir::ValueId id) {
  if (!id.valid()) return false;
  const ir::OpKind kind = program.ops[id].kind;
  return kind == ir::OpKind::kList || kind == ir::OpKind::kTuple || kind == ir::OpKind::kDict ||
         kind == ir::OpKind::kSet || kind == ir::OpKind::kCollection;
}

bool IsNoneLiteral(const ir::Program& program, ir::ValueId id) {
  return id.valid() && program.ops[id].kind == ir::OpKind::kNone;
}

// What is handed over for the parameter that is tested; None() where the value is no parameter of the function.
ir::ValueId HandedOver(const ir::Function& function, const std::vector<ir::ValueId>& arguments, ir::ValueId tested) {
  for (std::size_t p = 0; p < function.params.size(); ++p) {
    if (function.params[p].value == tested) return arguments[p];
  }
  return {};
}

// Whether the test holds on this call; nullopt where that is not known.
std::optional<bool> Holds(const ir::Program& program, const ir::Function& function,
                          const std::vector<ir::ValueId>& arguments, ir::ValueId test) {
  bool turned = false;
  std::optional<bool> holds;
  for (int layers = 0; layers < kMostTests && test.valid(); ++layers) {
    const ir::OpKind kind = program.ops[test].kind;
    if (kind != ir::OpKind::kNot && kind != ir::OpKind::kTruth) break;
    if (kind == ir::OpKind::kNot) turned = !turned;
    test = program.Operand(test, 0);
  }
  if (!test.valid()) return std::nullopt;
  const ir::Op& op = program.ops[test];
  if (op.kind == ir::OpKind::kParam) {
    holds = TruthOfLiteral(program, HandedOver(function, arguments, test));
  } else if (op.kind == ir::OpKind::kCompare && IsNoneLiteral(program, program.Operand(test, 1))) {
    const auto compare = static_cast<ir::CompareOp>(op.detail);
    const ir::ValueId handed = HandedOver(function, arguments, program.Operand(test, 0));
    const bool literal =
        IsNoneLiteral(program, handed) || IsDisplay(program, handed) || TruthOfLiteral(program, handed).has_value();
    if (literal && compare == ir::CompareOp::kIs) holds = IsNoneLiteral(program, handed);
    if (literal && compare == ir::CompareOp::kIsNot) holds = !IsNoneLiteral(program, handed);
  }
  if (holds && turned) holds = !*holds;
  return holds;
}

}  // namespace

bool Engine::ReturnsDependOnCall(ir::FunctionId function) const {
  const ir::Function& record = program_.functions[function];
  return record.returns.size() >= 2 && record.returns.size() <= kMostReturns && !record.is_generator;
}

Value Engine::ReturnedTo(ir::FunctionId function_id, const std::vector<ir::ValueId>& arguments) {
  Value value = ReturnedByTests(function_id, arguments);
  if (value.kind != Kind::kArray) return value;
  const ir::Function& function = program_.functions[function_id];
  if (value.dtype == ir::DType::kUnknown) {  // `as_array(rows, dtype=object)`
    for (std::size_t p = 0; p < arguments.size(); ++p) {
      const bool type = arguments[p].valid() && impl_.names.Text(function.params[p].name) == "dtype";
      if (type && IsObjectType(impl_, Of(arguments[p]))) value.dtype = ir::DType::kObject;
    }
  }
  if (value.dtype != ir::DType::kObject) return value;
  // `list2numpy(items, float)`: the call asks for another type than the objects that the function makes by default.
  for (std::size_t p = 0; p < arguments.size(); ++p) {
    const ir::ValueId otherwise = function.params[p].default_value;
    const bool by_default = otherwise.valid() && IsObjectType(impl_, Of(otherwise));
    if (by_default && arguments[p].valid() && !IsObjectType(impl_, Of(arguments[p]))) value.dtype = ir::DType::kUnknown;
  }
  return value;
}

// What a decorator that nobody knows makes of a function gives mostly what the function gives. That is enough to take
// a result for an object of another library, and not enough to take it for an array.
Value Engine::BehindDecorator(ir::ValueId call) {
  const ir::FunctionId function = FunctionNamed(impl_, program_.Operand(call, 0));
  if (!function.valid() || program_.functions[function].decorators.empty()) return Unknown();
  std::vector<ir::ValueId>& calls = decorated_calls_[function];
  if (std::find(calls.begin(), calls.end(), call) == calls.end()) calls.push_back(call);
  const Value returned = Returned(function);
  return returned.kind == Kind::kForeign ? returned : Unknown();
}

// `return layer["top"]` of records: no array for the device, whatever the docstring calls it.
bool Engine::ReturnsField(ir::FunctionId function) const {
  const std::span<const ir::ValueId> returns = program_.functions[function].returns;
  return std::any_of(returns.begin(), returns.end(), [&](ir::ValueId leave) {
    const ir::ValueId returned = program_.Operand(leave, 0);
    if (!returned.valid() || program_.ops[returned].kind != ir::OpKind::kSubscript) return false;
    const Value& base = Of(program_.Operand(returned, 0));
    return base.kind == Kind::kArray && base.dtype == ir::DType::kStructured &&
           Of(program_.Operand(returned, 1)).kind == Kind::kStr;
  });
}

// The returns that one call may come to.
std::vector<ir::ValueId> Engine::ReturnsReached(ir::FunctionId function_id,
                                                const std::vector<ir::ValueId>& arguments) const {
  const ir::Function& function = program_.functions[function_id];
  if (!ReturnsDependOnCall(function_id)) return {function.returns.begin(), function.returns.end()};
  std::vector<ir::ValueId> left;
  for (const ir::ValueId leave : function.returns) {
    bool reached = true, surely = !program_.blocks[program_.ops[leave].block].loop.valid();
    int tests = 0;
    for (ir::GuardId id = program_.blocks[program_.ops[leave].block].guard; id.valid() && tests < kMostTests;
         id = program_.guards[id].parent, ++tests) {
      const ir::Guard& guard = program_.guards[id];
      const bool test = guard.kind == ir::Guard::Kind::kTest && guard.truth.valid();
      const std::optional<bool> holds = test ? Holds(program_, function, arguments, guard.truth) : std::nullopt;
      reached = reached && (!holds || *holds == guard.holds);
      surely = surely && holds.has_value();
    }
    if (reached) left.push_back(leave);
    if (reached && surely) break;
  }
  return left;
}

Value Engine::ReturnedByTests(ir::FunctionId function_id, const std::vector<ir::ValueId>& arguments) {
  if (!ReturnsDependOnCall(function_id)) return ReturnedOf(function_id);
  const std::vector<ir::ValueId> reached = ReturnsReached(function_id, arguments);
  Value joined;
  const ir::BlockId at = here_;
  for (const ir::ValueId leave : reached) {
    const ir::ValueId returned = program_.Operand(leave, 0);
    here_ = program_.ops[leave].block;
    joined = JoinOptional(store_, joined, returned.valid() ? Of(returned) : analysis::Of(Kind::kNone));
  }
  here_ = at;
  const bool any_left_out = reached.size() != program_.functions[function_id].returns.size();
  if (!any_left_out || joined.kind == Kind::kUnknown || joined.kind == Kind::kNone) return ReturnedOf(function_id);
  return joined;
}

// What is promised, but for arrays that some return is known to take from the host: what is really returned counts
// before what an annotation says.
Value Engine::PromisedBeside(ir::FunctionId function) {
  Value promised = PromiseOf(function);
  const auto is_host = [](const Value& value) { return value.kind == Kind::kArray && value.library == Library::kHost; };
  for (const ir::ValueId leave : program_.functions[function].returns) {
    const ir::ValueId id = program_.Operand(leave, 0);
    if (!id.valid()) continue;
    const Value& returned = Of(id);
    if (promised.kind == Kind::kArray && is_host(returned)) return Unknown();
    if (promised.kind != Kind::kTuple || returned.kind != Kind::kTuple || !promised.elements.valid() ||
        !returned.elements.valid())
      continue;
    std::vector<Value> promises = store_.Get(promised.elements);
    const std::vector<Value>& elements = store_.Get(returned.elements);
    for (std::size_t i = 0; i < promises.size() && i < elements.size(); ++i) {
      if (is_host(elements[i])) promises[i] = Unknown();
    }
    promised.elements = store_.Intern(promises);
  }
  return promised;
}

// `def data(self): return self.owner.data`, where the owner may be of that class: a result that waits for itself is
// unknown, or what is promised. What waits for such results alone is known then.
bool Engine::ReleaseCircularResults() {
  std::vector<ir::FunctionId> waiting;
  for (std::size_t i = 0; i < program_.functions.size(); ++i) {
    const ir::FunctionId id(i);
    const ir::Function& function = program_.functions[id];
    const bool returns = !function.returns.empty() && !function.is_generator && !impl_.functions[id].call_sites.empty();
    if (!returns || Returned(id).kind != Kind::kBottom) continue;
    waiting.push_back(id);
  }
  constexpr std::size_t kMostWaiting = 256;  // that are told apart
  const auto calls_of = [&](ir::FunctionId id) {
    std::vector<ir::FunctionId> called;
    for (const ir::FunctionId other : waiting) {
      if (std::ranges::any_of(impl_.functions[other].call_sites,
                              [&](ir::ValueId site) { return program_.FunctionOf(site) == id; }))
        called.push_back(other);
    }
    return called;
  };
  std::unordered_map<ir::FunctionId, std::vector<ir::FunctionId>> called;
  for (const ir::FunctionId id : waiting) {
    if (waiting.size() <= kMostWaiting) called.emplace(id, calls_of(id));
  }
  const auto reached_from = [&](ir::FunctionId id) {
    std::vector<ir::FunctionId> work = called[id];
    std::unordered_set<ir::FunctionId> reached(work.begin(), work.end());
    for (std::size_t i = 0; i < work.size(); ++i) {
      for (const ir::FunctionId next : called[work[i]]) {
        if (reached.insert(next).second) work.push_back(next);
      }
    }
    return reached;
  };
  std::unordered_map<ir::FunctionId, std::unordered_set<ir::FunctionId>> reached;
  for (const ir::FunctionId id : waiting) {
    if (waiting.size() <= kMostWaiting) reached.emplace(id, reached_from(id));
  }
  std::vector<ir::FunctionId> released;
  for (const ir::FunctionId id : waiting) {
    if (waiting.size() > kMostWaiting) break;
    const auto leads_back = [&](ir::FunctionId other) { return reached.at(other).contains(id); };
    if (std::ranges::all_of(reached.at(id), leads_back)) released.push_back(id);
  }
  if (waiting.size() > kMostWaiting) released = waiting;
  for (const ir::FunctionId id : released) {
    flows_[id].returned = impl_.values.Keep(Unknown());
    for (const ir::ValueId site : impl_.functions[id].call_sites) Push(site);
  }
  return !released.empty();
}

}  // namespace cpnlint::analysis
