#include "analyzer/analysis/dtype_tests.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "analyzer/analysis/callee_names.h"
#include "analyzer/analysis/model.h"
#include "analyzer/analysis/way_tests.h"

namespace cpnlint::analysis {
namespace {

using ir::DType;
using ir::OpKind;

// `x` of `x.dtype.kind`.
ir::ValueId ObjectOfDType(const ir::Program& program, ir::ValueId id, std::string_view name) {
  return ObjectOfAttribute(program, ObjectOfAttribute(program, id, name), "dtype");
}

// The texts that the value can be, or that stand in a display; empty where one is not known.
std::vector<std::string> TextsOf(const ir::Program& program, ir::ValueId id) {
  std::vector<std::string> texts;
  if (!id.valid()) return texts;
  if (program.ops[id].kind == OpKind::kStr) return {std::string(program.String(program.ops[id]))};
  const OpKind kind = program.ops[id].kind;
  if (kind != OpKind::kTuple && kind != OpKind::kList && kind != OpKind::kSet && kind != OpKind::kPhi) return texts;
  for (const ir::ValueId element : program.Operands(id)) {
    if (!element.valid() || program.ops[element].kind != OpKind::kStr) return {};
    texts.emplace_back(program.String(program.ops[element]));
  }
  return texts;
}

// What arrays hold whose `dtype.kind` is one of the letters; kUnknown where one of them is a kind of numbers.
DType OfKinds(std::string_view kinds) {
  DType common = DType::kUnknown;
  for (const char kind : kinds) {
    const DType one = kind == 'U'                  ? DType::kString
                      : kind == 'S' || kind == 'a' ? DType::kBytes
                      : kind == 'V'                ? DType::kStructured
                      : kind == 'O' || kind == 'T' ? DType::kObject
                                                   : DType::kUnknown;
    if (one == DType::kUnknown) return one;
    common = common == DType::kUnknown || common == one ? one : DType::kObject;
  }
  return common;
}

// Those that are left where it is none of them.
DType OfOtherKinds(std::string_view kinds) {
  constexpr std::string_view kNumbers = "biufc";
  const bool all = std::ranges::all_of(kNumbers, [&](char kind) { return kinds.find(kind) != std::string_view::npos; });
  return all ? DType::kObject : DType::kUnknown;
}

// What a class of scalars that is no number says: `np.str_`, `object`, `np.character`.
DType OfScalarClass(const ir::Program& program, const Value& type) {
  const std::string_view name = program.names.Text(type.name);
  if (type.kind == Kind::kApi && (name == "numpy.character" || name == "numpy.flexible")) return DType::kString;
  const DType dtype = DTypeArgument(program.names, type);
  return dtype == DType::kUnknown || ir::IsSupported(dtype) ? DType::kUnknown : dtype;
}

std::optional<DTypeTest> OfCompare(const ir::Program& program, const ValueOf& value_of, ir::ValueId test) {
  const auto compare = static_cast<ir::CompareOp>(program.ops[test].detail);
  const ir::ValueId left = program.Operand(test, 0), right = program.Operand(test, 1);
  if (!left.valid() || !right.valid()) return std::nullopt;
  const bool negative =
      compare == ir::CompareOp::kNe || compare == ir::CompareOp::kNotIn || compare == ir::CompareOp::kIsNot;
  const bool asks =
      negative || compare == ir::CompareOp::kEq || compare == ir::CompareOp::kIn || compare == ir::CompareOp::kIs;
  if (!asks) return std::nullopt;
  DTypeTest found;
  DType is = DType::kUnknown, is_not = DType::kUnknown;
  if (found.array = ObjectOfDType(program, left, "kind"); found.array.valid()) {
    std::string kinds;
    for (const std::string& text : TextsOf(program, right)) kinds += text;
    is = OfKinds(kinds);
    is_not = OfOtherKinds(kinds);
  } else if (found.array = ObjectOfDType(program, left, "char"); found.array.valid()) {
    std::string codes;
    for (const std::string& text : TextsOf(program, right)) codes += text;
    is = OfKinds(codes);
  } else if (found.array = ObjectOfAttribute(program, left, "dtype"); found.array.valid()) {
    is = OfScalarClass(program, value_of(right));
  } else if (found.array = ObjectOfDType(program, left, "type"); found.array.valid()) {
    is = OfScalarClass(program, value_of(right));
  } else {
    found.array = ObjectOfDType(program, left, "names");
    if (!found.array.valid()) found.array = ObjectOfDType(program, left, "fields");
    if (!found.array.valid()) return std::nullopt;
    const Kind names = value_of(right).kind;
    if (names == Kind::kTuple) is = DType::kStructured;
    if (program.ops[right].kind == OpKind::kNone) is_not = DType::kStructured;
  }
  found.holds = negative ? is_not : is;
  found.fails = negative ? is : is_not;
  return found;
}

// `np.issubdtype(x.dtype, np.character)`, `is_object_dtype(x)`
std::optional<DTypeTest> OfCall(const ir::Program& program, const ValueOf& value_of, ir::ValueId test) {
  const Value& callee = value_of(program.Operand(test, 0));
  if (callee.kind != Kind::kApi || program.Shape(program.ops[test]).positional == 0) return std::nullopt;
  const std::string_view name = program.names.Text(callee.name);
  const ir::ValueId first = program.Operand(test, 1);
  const ir::ValueId array = ObjectOfAttribute(program, first, "dtype");
  if (name == "numpy.issubdtype" && array.valid() && program.Operand(test, 2).valid())
    return DTypeTest{array, OfScalarClass(program, value_of(program.Operand(test, 2)))};
  const DType asked = name == "pandas.api.types.is_object_dtype"   ? DType::kObject
                      : name == "pandas.api.types.is_string_dtype" ? DType::kString
                                                                   : DType::kUnknown;
  if (asked == DType::kUnknown) return std::nullopt;
  return DTypeTest{array.valid() ? array : first, asked};
}

}  // namespace

ir::ValueId ObjectOfAttribute(const ir::Program& program, ir::ValueId id, std::string_view name) {
  const bool read = id.valid() && program.ops[id].kind == OpKind::kAttr && program.Name(program.ops[id]) == name;
  return read ? program.Operand(id, 0) : ir::ValueId::None();
}

std::optional<DTypeTest> DTypeTestOf(const ir::Program& program, const ValueOf& value_of, ir::ValueId test) {
  std::optional<DTypeTest> found;
  switch (program.ops[test].kind) {
    case OpKind::kCompare: found = OfCompare(program, value_of, test); break;
    case OpKind::kCall: found = OfCall(program, value_of, test); break;
    case OpKind::kAttr:
      for (const std::string_view name : {"names", "fields"}) {
        if (const ir::ValueId array = ObjectOfDType(program, test, name); array.valid())
          return DTypeTest{array, DType::kStructured};
      }
      if (const ir::ValueId array = ObjectOfDType(program, test, "hasobject"); array.valid())
        return DTypeTest{array, DType::kObject};
      break;
    default: break;
  }
  if (!found || (found->holds == DType::kUnknown && found->fails == DType::kUnknown)) return std::nullopt;
  return found;
}

namespace {

// `self._values` is read twice in a function that never sets it.
bool IsSameAttribute(const ir::Program& program, ir::ValueId a, ir::ValueId b) {
  const ir::Op& one = program.ops[a];
  if (one.kind != OpKind::kAttr || program.ops[b].kind != OpKind::kAttr ||
      program.SymbolOf(one) != program.SymbolOf(program.ops[b]) || program.Operand(a, 0) != program.Operand(b, 0) ||
      program.FunctionOf(a) != program.FunctionOf(b))
    return false;
  const ir::Function& function = program.functions[program.FunctionOf(a)];
  for (std::size_t i = function.first_op.index(); i < function.end_op.index(); ++i) {
    const ir::Op& op = program.ops[ir::ValueId(i)];
    if (op.kind == OpKind::kStoreAttr && program.SymbolOf(op) == program.SymbolOf(one)) return false;
  }
  return true;
}

}  // namespace

bool HoldsNoNumbersAt(const Facts& facts, ir::ValueId array, ir::ValueId op) {
  const ir::Program& program = facts.program();
  const ir::ValueId source = array.valid() ? facts.Source(array) : array;
  if (!source.valid() || !op.valid()) return false;
  const auto value_of = [&](ir::ValueId id) -> const Value& { return facts.Of(id); };
  return AnyTestAround(program, program.ops[op].block, [&](const Test& test, ir::GuardId) {
    const std::optional<DTypeTest> found = DTypeTestOf(program, value_of, test.id);
    if (!found || (test.holds ? found->holds : found->fails) == DType::kUnknown) return false;
    const ir::ValueId tested = facts.Source(found->array);
    return tested == source || (tested.valid() && IsSameAttribute(program, tested, source));
  });
}

std::optional<bool> ComesOutOnDevice(const Facts& facts, ir::ValueId test) {
  const ir::Program& program = facts.program();
  const ir::Op& op = program.ops[test];
  if (op.kind == OpKind::kAttr) {
    if (const ir::ValueId array = ObjectOfDType(program, test, "isnative"); array.valid() && facts.IsDevice(array))
      return true;
    if (const ir::ValueId array = ObjectOfAttribute(program, test, "shape"); array.valid() && facts.HasAxis(array))
      return true;
    return std::nullopt;
  }
  if (op.kind != OpKind::kCompare) return std::nullopt;
  const auto compare = static_cast<ir::CompareOp>(op.detail);
  const ir::ValueId left = program.Operand(test, 0), right = program.Operand(test, 1);
  const bool equal = compare == ir::CompareOp::kEq || compare == ir::CompareOp::kIn;
  const bool other = compare == ir::CompareOp::kNe || compare == ir::CompareOp::kNotIn;
  if (!equal && !other) return std::nullopt;
  if (const ir::ValueId array = ObjectOfAttribute(program, left, "ndim"); array.valid()) {
    if (!facts.HasAxis(array) || facts.IntOf(right) != 0) return std::nullopt;
    return other;
  }
  const ir::ValueId array = ObjectOfDType(program, left, "byteorder");
  if (!array.valid() || !facts.IsDevice(array)) return std::nullopt;
  // '=', and '|' for types of one byte.
  const std::vector<std::string> texts = TextsOf(program, right);
  const auto has = [&](std::string_view order) {
    return std::ranges::any_of(texts, [&](const std::string& text) { return text.find(order) != std::string::npos; });
  };
  if (texts.empty() || has("=") != has("|")) return std::nullopt;
  return has("=") == equal;
}

}  // namespace cpnlint::analysis
