#include "rules/match/walked_fetch.h"

#include <algorithm>
#include <vector>

#include "rules/match/one_fetch.h"
#include "rules/match/rewrite.h"
#include "rules/match/walked_items.h"

namespace cpnlint::rules::match {

using analysis::HostRead;
using ir::OpKind;
using ir::ValueId;

namespace {

// `c.item()`, which a Python number does not have.
bool IsItemCall(const Facts& facts, ValueId use) {
  const ir::Program& program = facts.program();
  if (program.ops[use].kind != OpKind::kAttr || program.Name(program.ops[use]) != "item") return false;
  const auto calls = facts.UsesOf(use);
  return !calls.empty() && std::ranges::all_of(calls, [&](ValueId call) {
    return program.ops[call].kind == OpKind::kCall && program.Operand(call, 0) == use &&
           program.Operands(call).size() == 1;
  });
}

// ... on each of the items, and nothing else.
bool AreItemCalls(const Facts& facts, const WalkedArray& walked) {
  return std::ranges::all_of(walked.items, [&](ValueId item) {
    const std::vector<ValueId> uses = facts.DeepUsesOf(item);
    return !uses.empty() && std::ranges::all_of(uses, [&](ValueId use) { return IsItemCall(facts, use); });
  });
}

// `1.0 / c`, `c ** 0.5` of numbers of Python raise, or are complex, where those of NumPy are inf or nan. A divisor that
// is known does not matter, nor does an array on the other side, whose library divides.
bool DiffersInPython(const Facts& facts, ValueId op, const std::vector<ValueId>& numbers) {
  const ir::Program& program = facts.program();
  const auto arithmetic = static_cast<ir::BinaryOp>(program.ops[op].detail);
  const bool power = arithmetic == ir::BinaryOp::kPow;
  const bool divides =
      arithmetic == ir::BinaryOp::kDiv || arithmetic == ir::BinaryOp::kFloorDiv || arithmetic == ir::BinaryOp::kMod;
  if (!power && !divides) return false;
  const auto is_array = [&](ValueId operand) {
    const bool number = std::ranges::any_of(
        numbers, [&](ValueId one) { return one == operand || facts.Source(one) == facts.Source(operand); });
    return !number && facts.IsDevice(operand);
  };
  if (std::ranges::any_of(program.Operands(op), is_array)) return false;
  const analysis::Value& right = facts.Of(program.Operand(op, 1));
  const bool known = facts.IntOf(program.Operand(op, 1)).value_or(0) != 0 ||
                     (right.kind == analysis::Kind::kFloat && right.constant && right.number != 0);
  return power || !known;
}

// The loop computes so of an item, or of what is computed from it.
bool ComputesOtherwise(const Facts& facts, const WalkedArray& walked) {
  constexpr std::size_t kMostNumbers = 64;
  const ir::Program& program = facts.program();
  std::vector<ValueId> numbers = walked.items;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (numbers.size() > kMostNumbers) return true;
    for (const ValueId use : facts.DeepUsesOf(numbers[i])) {
      const OpKind kind = program.ops[use].kind;
      const bool binary = kind == OpKind::kBinary || kind == OpKind::kInplaceBinary;
      if (binary && DiffersInPython(facts, use, numbers)) return true;
      bool number = binary || kind == OpKind::kUnary;
      if (kind == OpKind::kCall && facts.CalleeOf(use).kind == analysis::Callee::Kind::kBuiltin) {
        if (IsOneOf(facts.CalleeOf(use).name, {"divmod", "pow"})) return true;
        number = IsOneOf(facts.CalleeOf(use).name, {"abs", "max", "min", "round"});
      }
      if (number && std::ranges::find(numbers, use) == numbers.end()) numbers.push_back(use);
    }
  }
  return false;
}

// A list of its numbers is the same to the loop.
bool MayBeList(const Facts& facts, const WalkedArray& walked, ir::LoopId loop) {
  const bool numbers =
      facts.RankOf(walked.array) == 1 &&
      ((ServesHostAlone(facts, walked) && !ComputesOtherwise(facts, walked)) || AreItemCalls(facts, walked));
  const ValueId root = facts.RootOf(walked.array);
  return numbers && root.valid() && !facts.MutatedIn(root, loop);
}

// The items that a number is: itself, or all that `10 * c` is computed from, in the precision of Python's numbers.
std::vector<ValueId> ItemsBehind(const Facts& facts, ValueId number) {
  const Origins origins = OriginsOf(facts, number);
  const auto is_wide = [&](ValueId one) {
    const ir::DType dtype = facts.Of(one).dtype;
    return dtype == ir::DType::kFloat64 || dtype == ir::DType::kInt64 || dtype == ir::DType::kComplex128;
  };
  const bool computed = origins.rest_on_host && std::ranges::all_of(origins.on_device, is_wide);
  return computed && !origins.on_device.empty() ? origins.on_device : std::vector<ValueId>{facts.Source(number)};
}

}  // namespace

Text FetchWalked(const Facts& facts, const HostRead& read) {
  const ir::Program& program = facts.program();
  const std::vector<ValueId> items = ItemsBehind(facts, read.value);
  for (ir::LoopId loop = program.LoopOf(read.op); loop.valid(); loop = program.loops[loop].parent) {
    const std::vector<WalkedArray> arrays = WalkedArrays(facts, loop);
    const auto is_item = [&](const WalkedArray& of, ValueId item) {
      return std::ranges::find(of.items, item) != of.items.end();
    };
    const auto with = [&](ValueId item) {
      return std::ranges::find_if(arrays, [&](const WalkedArray& one) { return is_item(one, item); });
    };
    if (std::ranges::none_of(items, [&](ValueId item) { return with(item) != arrays.end(); })) continue;
    if (!std::ranges::all_of(items, [&](ValueId item) {
          const auto walked = with(item);
          return walked != arrays.end() && MayBeList(facts, *walked, loop);
        })) {
      return {};
    }
    std::vector<Cut> lists;
    bool item_calls = false;
    for (const WalkedArray& one : arrays) {
      if (!MayBeList(facts, one, loop)) continue;
      lists.push_back({one.words, Text().Add(one.words, Binding::kPrimary).Add(".tolist()")});
      item_calls = item_calls || AreItemCalls(facts, one);
    }
    Text help("fetch all items at once: walk `");
    help.Add(Replace(program.loops[loop].iterable_span, lists)).Add("`");
    return item_calls ? help.Add(", whose items are Python numbers, without `.item()`") : help;
  }
  return {};
}

}  // namespace cpnlint::rules::match
