#include "rules/match/hashed.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "analyzer/analysis/item_doubt.h"
#include "analyzer/api/api.h"
#include "rules/match/device_call.h"
#include "rules/match/rewrite.h"
#include "rules/match/story.h"

namespace cpnlint::rules::match {

using analysis::Callee;
using analysis::Kind;
using ir::OpKind;
using ir::ValueId;

namespace {

struct Written {
  ValueId value;
  Span words;
};

// `np.abs(m)` of a Python number: a ufunc of the device gives an array of rank 0 whatever it is given.
bool IsUfuncOfNumbers(const Facts& facts, ValueId value) {
  if (facts.Of(value).kind != Kind::kNumpyScalar) return false;
  const DeviceCall call = AsDeviceCall(facts, facts.Source(value));
  const api::Entry* row = call && !call.method ? api::Find(call.name) : nullptr;
  return row != nullptr && row->kind == api::Kind::kUfunc;
}

// An item of an array of unknown rank that is hashed has no axes, or NumPy raises as well. It may be text where its
// type is not known.
bool IsNumberOfItems(const Facts& facts, ValueId value) {
  if (!facts.IsDevice(value) || facts.RankOf(value) >= 0 || facts.Of(value).dtype == ir::DType::kUnknown) return false;
  const ValueId made = facts.Source(value);
  const OpKind kind = made.valid() ? facts.program().ops[made].kind : OpKind::kOpaque;
  return kind == OpKind::kLoopItem || kind == OpKind::kUnpackItem || kind == OpKind::kSubscript;
}

bool IsSingleResult(const Facts& facts, ValueId value) {
  if (!value.valid()) return false;
  return (facts.IsDevice(value) && facts.IsZeroD(value)) || IsNumberOfItems(facts, value) ||
         IsUfuncOfNumbers(facts, value);
}

// What is hashed and is a single result: of a tuple each item is.
void AddSingleResults(const Facts& facts, ValueId key, Span words, std::vector<Written>& found) {
  if (!key.valid()) return;
  const ir::Program& program = facts.program();
  const ValueId made = facts.Source(key);
  if (!made.valid() || program.ops[made].kind != OpKind::kTuple) {
    if (IsSingleResult(facts, key)) found.push_back({key, words});
    return;
  }
  const auto items = program.Operands(made);
  for (std::uint32_t i = 0; i < items.size(); ++i)
    AddSingleResults(facts, items[i], program.OperandSpan(made, i), found);
}

// `k` of `k + 1` and `-k`: with a number of Python in its place the whole is one.
ValueId WithoutArithmetic(const Facts& facts, ValueId value) {
  const ir::Program& program = facts.program();
  ValueId at = facts.Source(value);
  while (at.valid()) {
    const OpKind kind = program.ops[at].kind;
    if (kind != OpKind::kBinary && kind != OpKind::kUnary) break;
    const auto operands = program.Operands(at);
    const auto on_device = [&](ValueId operand) { return facts.IsDevice(operand); };
    const auto is_number = [&](ValueId operand) { return analysis::IsNumber(facts.Of(operand).kind); };
    const auto one = std::ranges::find_if(operands, on_device);
    if (one == operands.end() || std::ranges::count_if(operands, is_number) + 1 != std::ssize(operands)) break;
    at = facts.Source(*one);
  }
  return at;
}

// The call behind `zip(u, v)` that a loop walks, or hands to `enumerate`; None() for others.
ValueId WalkingCall(const Facts& facts, ValueId walked) {
  const ValueId made = facts.Source(walked);
  const bool call = made.valid() && facts.program().ops[made].kind == OpKind::kCall;
  return call && facts.CalleeOf(made).kind == Callee::Kind::kBuiltin ? made : ValueId();
}

// The array that the value is an item of: `for label in labels`, `for i, label in enumerate(labels)`, `labels[i]`.
void FindArray(const Facts& facts, Hashed& hashed) {
  const ir::Program& program = facts.program();
  std::vector<std::uint32_t> parts;  // innermost first
  ValueId made = WithoutArithmetic(facts, hashed.value);
  hashed.item = made;
  while (made.valid() && program.ops[made].kind == OpKind::kUnpackItem) {
    parts.push_back(ir::ItemPosition::Unpack(program.ops[made].payload).index);
    made = facts.Source(program.Operand(made, 0));
  }
  if (!made.valid()) return;
  if (program.ops[made].kind == OpKind::kSubscript) {
    hashed.walked = program.Operand(made, 0);
    return;
  }
  if (program.ops[made].kind != OpKind::kLoopItem) return;
  const ir::LoopId loop(program.ops[made].payload);
  Written walked = {program.loops[loop].iterable, program.loops[loop].iterable_span};
  for (ValueId call = WalkingCall(facts, walked.value); call.valid(); call = WalkingCall(facts, walked.value)) {
    const std::string_view name = facts.CalleeOf(call).name;
    std::uint32_t at = 1;
    if (name == "enumerate" || name == "zip") {
      if (parts.empty()) return;
      if (name == "zip") at += parts.back();
      parts.pop_back();
    } else if (name != "reversed" && name != "iter") {
      return;
    }
    if (at > facts.PositionalCount(call) || facts.HasStarArguments(call)) return;
    walked = {program.Operand(call, at), program.OperandSpan(call, at)};
  }
  if (!facts.IsArray(walked.value)) return;
  hashed.walked = walked.value;
  hashed.walked_words = walked.words;
  hashed.loop = loop;
}

using Found = std::vector<Hashed>;  // what an op hashes; those below add to it

void Add(const Facts& facts, ValueId key, Span words, const char* gives, Found& found) {
  std::vector<Written> all;
  AddSingleResults(facts, key, words, all);
  for (const Written& one : all) {
    found.push_back({.value = one.value, .words = one.words, .gives = gives});
    FindArray(facts, found.back());
  }
}

// `counts[k]`, `counts[k] = 1`, `del counts[k]`
void OfKey(const Facts& facts, ValueId op, Found& found) {
  const ir::Program& program = facts.program();
  if (facts.Of(program.Operand(op, 0)).kind != Kind::kDict) return;
  const auto keys = facts.KeysOf(op);
  const std::uint32_t first = program.ops[op].kind == OpKind::kStoreSubscript ? 2 : 1;
  for (std::uint32_t i = 0; i < keys.size(); ++i) {
    Add(facts, keys[i], program.OperandSpan(op, first + i), "the entry of that number", found);
  }
}

// `{u.argmax(): 1}`, `{u.max(), 0}`: keys of a display.
void OfDisplay(const Facts& facts, ValueId op, Found& found) {
  const ir::Program& program = facts.program();
  const bool dict = program.ops[op].kind == OpKind::kDict;
  const auto operands = program.Operands(op);
  for (std::uint32_t i = 0; i < operands.size(); i += dict ? 2 : 1) {
    Add(facts, operands[i], program.OperandSpan(op, i), dict ? "the dictionary" : "the set", found);
  }
}

// `{i: name[i] for i in ids}`, `{i // 2 for i in ids}`
void OfComprehension(const Facts& facts, ValueId op, Found& found) {
  const ir::Program& program = facts.program();
  const auto kind = static_cast<ir::CollectionKind>(program.ops[program.Operand(op, 0)].detail);
  const bool dict = kind == ir::CollectionKind::kDict;
  if (!dict && kind != ir::CollectionKind::kSet) return;
  Add(facts, program.Operand(op, 1), program.OperandSpan(op, 1), dict ? "the dictionary" : "the set", found);
}

// `k in counts`, `k in counts.keys()`
void OfMembership(const Facts& facts, ValueId op, Found& found) {
  const ir::Program& program = facts.program();
  const auto compare = static_cast<ir::CompareOp>(program.ops[op].detail);
  if (compare != ir::CompareOp::kIn && compare != ir::CompareOp::kNotIn) return;
  const ValueId container = program.Operand(op, 1);
  const Kind kind = facts.Of(container).kind;
  const ValueId made = facts.Source(container);
  const bool keys = made.valid() && program.ops[made].kind == OpKind::kCall &&
                    facts.CalleeOf(made).kind == Callee::Kind::kContainerMethod &&
                    facts.CalleeOf(made).name == "dict.keys";
  if (kind != Kind::kDict && kind != Kind::kSet && !keys) return;
  Add(facts, program.Operand(op, 0), program.OperandSpan(op, 0), "an answer", found);
}

// The function keeps its results by what it is given: `@lru_cache`, `@cache`, `@lru_cache(maxsize=8)`.
bool KeepsResults(const Facts& facts, ir::FunctionId function) {
  const ir::Program& program = facts.program();
  return std::ranges::any_of(program.functions[function].decorators, [&](ValueId decorator) {
    if (!decorator.valid()) return false;
    std::string_view name = facts.ApiName(decorator);
    if (name.empty() && program.ops[decorator].kind == OpKind::kCall)
      name = facts.ApiName(program.Operand(decorator, 0));
    return name == "functools.lru_cache" || name == "functools.cache";
  });
}

void OfKeptResult(const Facts& facts, ValueId call, Found& found) {
  const Callee& callee = facts.CalleeOf(call);
  if (callee.kind != Callee::Kind::kLocal || !callee.function.valid() || !KeepsResults(facts, callee.function)) return;
  const auto operands = facts.program().Operands(call);
  for (std::uint32_t i = 1; i < operands.size(); ++i) {
    Add(facts, operands[i], facts.program().OperandSpan(call, i), "the result", found);
  }
}

// `hash(k)`, `counts.get(k)`, `seen.add(k)`
void OfOneArgument(const Facts& facts, ValueId call, Found& found) {
  const Callee& callee = facts.CalleeOf(call);
  if (facts.PositionalCount(call) == 0) return;
  const bool method = callee.kind == Callee::Kind::kContainerMethod;
  const char* gives = nullptr;
  if (callee.kind == Callee::Kind::kBuiltin && callee.name == "hash") gives = "a hash";
  if (method && IsOneOf(callee.name, {"dict.get", "dict.pop", "dict.setdefault"})) gives = "the entry of that number";
  if (method && IsOneOf(callee.name, {"set.add", "set.discard", "set.remove"})) gives = "nothing";
  if (gives == nullptr) return;
  Add(facts, facts.program().Operand(call, 1), facts.program().OperandSpan(call, 1), gives, found);
}

bool IsFromKeys(const Facts& facts, ValueId call) {
  const ir::Program& program = facts.program();
  const ValueId callee = program.Operand(call, 0);
  if (!callee.valid() || program.ops[callee].kind != OpKind::kAttr || program.Name(program.ops[callee]) != "fromkeys")
    return false;
  const ValueId of = program.Operand(callee, 0);
  return (facts.Of(of).kind == Kind::kBuiltin && program.names.Text(facts.Of(of).name) == "dict") ||
         facts.ApiName(of) == "collections.OrderedDict";
}

// What the call makes of the items that it hashes; null where it hashes none.
const char* MadeOfItems(const Facts& facts, ValueId call) {
  const Callee& callee = facts.CalleeOf(call);
  switch (callee.kind) {
    case Callee::Kind::kBuiltin: return callee.name == "set" || callee.name == "frozenset" ? "the set" : nullptr;
    case Callee::Kind::kContainerMethod: {
      const bool whole = IsOneOf(
          callee.name, {"set.update", "set.union", "set.intersection", "set.difference", "set.symmetric_difference",
                        "set.issubset", "set.isdisjoint", "set.difference_update", "set.intersection_update"});
      return whole ? "the set" : nullptr;
    }
    default: break;
  }
  if (callee.name == "collections.Counter") return "the counts";
  return IsFromKeys(facts, call) ? "the dictionary" : nullptr;
}

bool HasItemsToHash(const Facts& facts, ValueId value) {
  return facts.IsDevice(value) && facts.RankOf(value) != 0 && facts.RankOf(value) <= 1;
}

// `set(ids)`, `collections.Counter(ids)`, `dict.fromkeys(ids)`, `set(zip(u, v))`, `dict(zip(ids, names))`
void OfItems(const Facts& facts, ValueId call, Found& found) {
  const ir::Program& program = facts.program();
  if (facts.PositionalCount(call) == 0 || facts.HasStarArguments(call)) return;
  const Callee& callee = facts.CalleeOf(call);
  const bool dict = callee.kind == Callee::Kind::kBuiltin && callee.name == "dict";
  const char* made = dict ? "the dictionary" : MadeOfItems(facts, call);
  if (made == nullptr) return;
  const auto add = [&](ValueId op, std::uint32_t at) {
    const ValueId array = program.Operand(op, at);
    if (!HasItemsToHash(facts, array)) return;
    found.push_back(
        {.value = array, .words = program.OperandSpan(op, at), .each_item = true, .gives = made, .walked = array});
  };
  const ValueId zip = WalkingCall(facts, program.Operand(call, 1));
  if (!zip.valid() || facts.CalleeOf(zip).name != "zip") {
    if (!dict) add(call, 1);
    return;
  }
  // Of pairs the dictionary hashes the first one, all else both.
  const auto given = static_cast<std::uint32_t>(facts.PositionalCount(zip));
  for (std::uint32_t i = 1; i <= (dict ? std::min(given, 1U) : given); ++i) add(zip, i);
}

// The type that Python has for the numbers: `int` of int64; empty where that is not known.
std::string_view PythonType(ir::DType dtype) {
  if (dtype == ir::DType::kBool) return "bool";
  if (ir::IsInteger(dtype)) return "int";
  if (ir::IsComplex(dtype)) return "complex";
  return ir::IsFloat(dtype) ? "float" : "";
}

// Something is asked of it that a Python number does not have.
bool IsAskedAsArray(const Facts& facts, ValueId value) {
  return std::ranges::any_of(facts.DeepUsesOf(value),
                             [&](ValueId use) { return facts.program().ops[use].kind == OpKind::kAttr; });
}

}  // namespace

bool Hashed::MayBeText(const Facts& facts) const {
  return walked.valid() && facts.IsArray(walked) && analysis::MayHoldText(facts, walked);
}

std::vector<Hashed> HashedAt(const Facts& facts, ValueId op) {
  std::vector<Hashed> found;
  switch (facts.program().ops[op].kind) {
    case OpKind::kCompare: OfMembership(facts, op, found); break;
    case OpKind::kSubscript:
    case OpKind::kStoreSubscript:
    case OpKind::kDelSubscript: OfKey(facts, op, found); break;
    case OpKind::kDict:
    case OpKind::kSet: OfDisplay(facts, op, found); break;
    case OpKind::kCollectItem: OfComprehension(facts, op, found); break;
    case OpKind::kCall:
      OfOneArgument(facts, op, found);
      OfKeptResult(facts, op, found);
      OfItems(facts, op, found);
      break;
    default: break;
  }
  return found;
}

std::string KeyOfHash(const Facts& facts, const Hashed& hashed) {
  const ValueId at_fault = hashed.loop.valid() || hashed.each_item ? hashed.walked : hashed.value;
  return "hash %" + std::to_string(facts.Source(at_fault).index());
}

Text HelpForHash(const Facts& facts, ValueId op, const Hashed& hashed) {
  const Text fetched =
      Text().Add(hashed.each_item ? hashed.words : hashed.walked_words, Binding::kPrimary).Add(".tolist()");
  if (hashed.each_item) {
    return Text("fetch the numbers at once: `")
        .Add(Replace(facts.program().ops[op].span, {{hashed.words, fetched}}))
        .Add("`");
  }
  if (hashed.loop.valid() && !IsAskedAsArray(facts, hashed.item))
    return Text("take the numbers from the host, fetched once: walk `").Add(fetched).Add("`");
  const DeviceCall call = AsDeviceCall(facts, facts.Source(hashed.value));
  if (call && IsUfuncOfNumbers(facts, hashed.value) && IsOneOf(call.base, {"abs", "absolute", "fabs"}))
    return Text("write `abs(").Add(call.array_span).Add(")`: a number of Python, made of one");
  const std::string_view type = PythonType(facts.Of(hashed.value).dtype);
  if (type.empty() || hashed.words.empty()) return "convert the key: `float(...)` or `int(...)`, which waits";
  return Text("convert it: `").Add(type).Add("(").Add(hashed.words).Add(")`, which waits");
}

bool IsItemOf(const Facts& facts, const Hashed& hashed, ir::LoopId loop, ValueId array) {
  return hashed.loop == loop && hashed.walked == array && !hashed.MayBeText(facts);
}

ValueId HashesItems(const Facts& facts, ir::LoopId loop, ValueId array) {
  const ir::Program& program = facts.program();
  for (const ir::BlockId block : program.functions[program.loops[loop].function].blocks) {
    const ir::LoopId in = program.blocks[block].loop;
    if (!in.valid() || !facts.LoopContains(loop, in) || facts.IsDead(block)) continue;
    for (const ValueId op : program.blocks[block].ops) {
      const std::vector<Hashed> hashed = HashedAt(facts, op);
      const bool of_array =
          std::ranges::any_of(hashed, [&](const Hashed& one) { return IsItemOf(facts, one, loop, array); });
      if (of_array) return op;
    }
  }
  return {};
}

}  // namespace cpnlint::rules::match
