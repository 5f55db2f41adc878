// What operators give: arithmetic, signs and comparisons.

#include <algorithm>
#include <array>

#include "analyzer/analysis/engine.h"
#include "analyzer/analysis/loaded_data.h"
#include "analyzer/analysis/operator_methods.h"
#include "analyzer/analysis/text_arrays.h"
#include "analyzer/analysis/version_tests.h"

namespace cpnlint::analysis {
namespace {

// `"|S%d" % length` spells a type of texts, whatever the length.
Value TextMadeFrom(const Interner& names, const Value& left, ir::BinaryOp op) {
  Value text = analysis::Of(Kind::kStr);
  if (op != ir::BinaryOp::kMod || !left.constant) return text;
  const std::string_view format = names.Text(left.name);
  const std::size_t number = format.find("%d");
  if (number != std::string_view::npos && number + 2 == format.size())
    text.dtype = ir::ParseDType(std::string(format.substr(0, number)) + '1');
  return text;
}

// An array of the host beside one that nothing but its use makes an array: whether that is on the device nobody knows.
Value DoubtedBeside(const Value& left, const Value& right, Value result) {
  if (result.kind != Kind::kArray || left.kind != Kind::kArray || right.kind != Kind::kArray) return result;
  const Value& device = left.library == Library::kDevice ? left : right;
  const Value& host = left.library == Library::kDevice ? right : left;
  if (device.library != Library::kDevice || host.library != Library::kHost) return result;
  if (device.evidence == kUsed) result.evidence |= kContradicted;
  return result;
}

}  // namespace

// What such functions of SciPy give is an array of the host, and so is what `frame.values` hands out.
Value Engine::OfOperand(ir::ValueId id) const {
  const Value& value = Of(id);
  if (value.kind != Kind::kForeign || !value.name.valid()) return value;
  const std::string_view name = impl_.names.Text(value.name);
  const bool called = program_.ops[id].kind == ir::OpKind::kCall;
  const bool array = called ? GivesHostArray(name) || name.ends_with(".to_numpy") : name.ends_with(".values");
  return array ? Array(Library::kHost, ir::DType::kUnknown, ShapeId::None(), 0) : value;
}

Value Engine::Arithmetic(ir::ValueId id, const ir::Op& op) {
  const ir::ValueId left_id = program_.Operand(id, 0), right_id = program_.Operand(id, 1);
  Value left = OfOperand(left_id), right = OfOperand(right_id);
  if (left.kind == Kind::kBottom || right.kind == Kind::kBottom) return {};
  const auto binary = static_cast<ir::BinaryOp>(op.detail);
  const bool left_array = left.kind == Kind::kArray, right_array = right.kind == Kind::kArray;
  const auto is_many = [&](const Value& value) { return value.kind == Kind::kArray && Rank(store_, value) != 0; };
  if (binary != ir::BinaryOp::kMatMul && (is_many(left) || is_many(right))) {
    left = AsOperand(left);
    right = AsOperand(right);
  }
  if (left.kind == Kind::kInstance) {
    return CallSpecial(id, left, OperatorMethod(op.detail), {&right, 1}).value_or(Unknown());
  }
  if (right.kind == Kind::kInstance && !left_array) {
    return CallSpecial(id, right, ReflectedMethod(op.detail), {&left, 1}).value_or(Unknown());
  }
  // `"%g" % u.max()`
  if (left.kind == Kind::kStr && binary == ir::BinaryOp::kMod) return TextMadeFrom(impl_.names, left, binary);
  if (left_array || right_array) {
    const Value& other = left_array ? right : left;
    const bool in_place = op.kind == ir::OpKind::kInplaceBinary && left_array;
    // `w *= norm.pdf(x)`: an array takes in what another library gives and stays the array that it is. A number does
    // not.
    const bool takes_in = in_place && other.kind == Kind::kForeign && Rank(store_, left) > 0;
    if ((other.kind == Kind::kForeign && !takes_in) || other.kind == Kind::kInstance) return Unknown();
    if (HasOwnOperators(left) || HasOwnOperators(right)) return Unknown();
    const Library library = left_array && left.library == Library::kDevice     ? Library::kDevice
                            : right_array && right.library == Library::kDevice ? Library::kDevice
                            : left_array                                       ? left.library
                                                                               : right.library;
    CallContext context{store_, impl_.names, id, library};
    // A number of an array and something unknown: whether that knows arrays decides what comes out.
    if (other.kind == Kind::kUnknown && Rank(store_, left_array ? left : right) == 0) {
      Value value = ResultOfBinary(context, binary, left, right);
      if (value.evidence == 0) value.evidence = kUsed;
      return value;
    }
    if (in_place) return ResultOfInplace(context, binary, left, takes_in ? Unknown() : right);
    if (op.kind == ir::OpKind::kInplaceBinary && left.kind == Kind::kList) return left;
    Value value = DoubtedBeside(left, right, ResultOfBinary(context, binary, left, right));
    const bool product = value.kind == Kind::kArray && binary == ir::BinaryOp::kMul && left.kind == Kind::kUnknown;
    if (product && MayBeOperator(impl_, left_id, right_id)) value.evidence |= kContradicted;
    return value;
  }
  if (left.kind == Kind::kNumpyScalar || right.kind == Kind::kNumpyScalar) {
    const Value& other = left.kind == Kind::kNumpyScalar ? right : left;
    if (!IsNumber(other.kind) && other.kind != Kind::kNumpyScalar) return Unknown();
    CallContext context{store_, impl_.names, id, Library::kHost};
    return ResultOfBinary(context, binary, left, right);
  }
  // Lists, tuples, strings: concatenation and repetition.
  const bool sequence = left.kind == Kind::kList || left.kind == Kind::kTuple || left.kind == Kind::kStr;
  if (sequence) {
    if (left.kind == Kind::kStr) return TextMadeFrom(impl_.names, left, binary);
    if (op.kind == ir::OpKind::kInplaceBinary && left.kind == Kind::kList) {
      const bool known = right.item.valid() || right.elements.valid();
      if (right.kind != Kind::kBottom) GrowItemOfAny(left_id, known ? ItemOf(id, right) : Value());
      return left;
    }
    if (binary == ir::BinaryOp::kAdd && left.kind == right.kind) {
      if (left.kind == Kind::kTuple && left.elements.valid() && right.elements.valid()) {
        std::vector<Value> all = store_.Get(left.elements);
        const std::vector<Value>& more = store_.Get(right.elements);
        if (all.size() + more.size() <= 32) {
          all.insert(all.end(), more.begin(), more.end());
          return Tuple(store_, std::move(all));
        }
      }
      Value value = analysis::Of(left.kind);
      value.root = id;
      const Value item = WithLater(id, Join(store_, ItemOf(id, left), ItemOf(id, right)));
      if (item.kind != Kind::kBottom) value.item = store_.Intern({item});
      value.dim = store_.dims().Add(left.dim, right.dim);
      return value;
    }
    if (binary == ir::BinaryOp::kMul) {
      Value value = left;
      value.root = id;
      const Value first = ItemOf(id, left), item = WithLater(id, first);
      if (item.kind != Kind::kBottom) value.item = store_.Intern({item});
      if (right.kind == Kind::kInt && right.constant && left.elements.valid() && item == first) {
        const std::vector<Value>& once = store_.Get(left.elements);
        const double times = right.number;
        if (times >= 0 && static_cast<double>(once.size()) * times <= 16) {
          std::vector<Value> all;
          for (int i = 0; i < static_cast<int>(times); ++i) all.insert(all.end(), once.begin(), once.end());
          value.elements = store_.Intern(all);
          value.dim = store_.dims().Const(static_cast<std::int64_t>(all.size()));
          return value;
        }
      }
      value.elements = ElementsId::None();
      value.dim = store_.dims().Mul(left.dim, right.kind == Kind::kInt ? right.dim : ir::DimId::None());
      return value;
    }
    return binary == ir::BinaryOp::kMod ? analysis::Of(left.kind) : Unknown();
  }
  const bool maps = right.kind == Kind::kDict || right.kind == Kind::kUnknown;
  if (binary == ir::BinaryOp::kOr && left.kind == Kind::kDict && maps) {
    Value merged = analysis::Of(Kind::kDict);
    merged.root = op.kind == ir::OpKind::kBinary ? id : left.root;
    const Value item = WithLater(id, JoinOptional(store_, ItemOf(id, left), ItemOf(id, right)));
    if (item.kind != Kind::kBottom) merged.item = store_.Intern({item});
    return merged;
  }
  // Matrices of another library.
  if (binary == ir::BinaryOp::kMatMul && left.kind == Kind::kForeign && right.kind == Kind::kForeign) return left;
  // Numbers.
  Value value = Unknown();
  value.evidence = static_cast<EvidenceSet>(left.evidence | right.evidence);
  const bool left_number = IsNumber(left.kind), right_number = IsNumber(right.kind);
  if (left_number && right_number) {
    value.kind = std::max(std::max(left.kind, right.kind), Kind::kInt);
    if (binary == ir::BinaryOp::kDiv && value.kind == Kind::kInt) value.kind = Kind::kFloat;
    if (binary == ir::BinaryOp::kPow && value.kind == Kind::kInt && !(right.constant && right.number >= 0)) {
      value.kind = right.constant ? Kind::kFloat : Kind::kUnknown;
    }
    if (left.constant && right.constant && value.kind == Kind::kFloat) {
      const double a = left.number, b = right.number;
      switch (binary) {
        case ir::BinaryOp::kAdd: return Float(a + b);
        case ir::BinaryOp::kSub: return Float(a - b);
        case ir::BinaryOp::kMul: return Float(a * b);
        case ir::BinaryOp::kDiv:
          if (b != 0) return Float(a / b);
          break;
        default: break;
      }
    }
  } else if (!left_number && left.kind != Kind::kUnknown) {
    return Unknown();
  } else if (!right_number && right.kind != Kind::kUnknown) {
    return Unknown();
  }
  ir::DimStore& dims = store_.dims();
  if (value.kind == Kind::kComplex && binary == ir::BinaryOp::kMul && left.kind != right.kind)
    value.dim = dims.Mul(left.dim, right.dim);
  if (value.kind == Kind::kFloat || value.kind == Kind::kComplex) return value;
  switch (binary) {
    case ir::BinaryOp::kAdd: value.dim = dims.Add(left.dim, right.dim); break;
    case ir::BinaryOp::kSub: value.dim = dims.Sub(left.dim, right.dim); break;
    case ir::BinaryOp::kMul: value.dim = dims.Mul(left.dim, right.dim); break;
    case ir::BinaryOp::kFloorDiv: value.dim = dims.FloorDiv(left.dim, right.dim); break;
    case ir::BinaryOp::kMod: value.dim = dims.Mod(left.dim, right.dim); break;
    case ir::BinaryOp::kPow: value.dim = dims.Pow(left.dim, right.dim); break;
    case ir::BinaryOp::kLeftShift: value.dim = dims.Mul(left.dim, dims.Pow(dims.Const(2), right.dim)); break;
    case ir::BinaryOp::kRightShift: value.dim = dims.FloorDiv(left.dim, dims.Pow(dims.Const(2), right.dim)); break;
    default: break;
  }
  if (IsLoaded(left) && (right_number || IsLoaded(right))) return LoadedAs(left, value);
  if (IsLoaded(right) && left_number) return LoadedAs(right, value);
  if (value.kind == Kind::kInt) {
    if (const std::optional<std::int64_t> constant = dims.AsConst(value.dim)) {
      const EvidenceSet evidence = value.evidence;
      value = Int(store_, *constant);
      value.evidence = evidence;
    }
  }
  return value;
}

Value Engine::UnaryValue(ir::ValueId id, const ir::Op& op) {
  const Value& operand = Of(program_.Operand(id, 0));
  const auto unary = static_cast<ir::UnaryOp>(op.detail);
  if (operand.kind == Kind::kBottom) return {};
  if (HasOwnOperators(operand)) return Unknown();
  if (operand.kind == Kind::kInstance && unary == ir::UnaryOp::kNegative)
    return CallSpecial(id, operand, "__neg__", {}).value_or(Unknown());
  if (operand.kind == Kind::kArray || operand.kind == Kind::kNumpyScalar) {
    CallContext context{store_, impl_.names, id, operand.library};
    return ResultOfUnary(context, unary, operand);
  }
  if (unary == ir::UnaryOp::kPositive) return operand;
  if (unary == ir::UnaryOp::kNegative && operand.kind == Kind::kInt && operand.constant) {
    // The number itself is rounded beyond 2^53.
    if (const auto negated = store_.dims().AsConst(store_.dims().Negate(operand.dim))) return Int(store_, *negated);
  }
  if (unary == ir::UnaryOp::kNegative && operand.kind == Kind::kFloat && operand.constant)
    return Float(-operand.number);
  if (IsNumber(operand.kind) || operand.kind == Kind::kUnknown) {
    Value value = operand.kind == Kind::kBool ? analysis::Of(Kind::kInt) : analysis::Of(operand.kind);
    value.evidence = operand.evidence;
    if (unary == ir::UnaryOp::kNegative) value.dim = store_.dims().Negate(operand.dim);
    return LoadedAs(operand, value);
  }
  return Unknown();
}

Value Engine::CompareValue(ir::ValueId id, const ir::Op& op) {
  const Value left = AsOperand(OfOperand(program_.Operand(id, 0)));
  const Value right = AsOperand(OfOperand(program_.Operand(id, 1)));
  const auto compare = static_cast<ir::CompareOp>(op.detail);
  if (left.kind == Kind::kBottom || right.kind == Kind::kBottom) return {};
  if (const std::optional<bool> newer = VersionTest(impl_, op)) {
    Value answer = analysis::Of(Kind::kBool);
    answer.constant = true;
    answer.number = *newer ? 1 : 0;
    return answer;
  }
  if (compare >= ir::CompareOp::kIs) return analysis::Of(Kind::kBool);  // is, is not, in, not in: a Python bool
  if (left.kind == Kind::kArray || right.kind == Kind::kArray) {
    const Value& array = left.kind == Kind::kArray ? left : right;
    const Value& other = left.kind == Kind::kArray ? right : left;
    if (other.kind == Kind::kForeign || other.kind == Kind::kInstance) return Unknown();
    if (HasOwnOperators(left) || HasOwnOperators(right)) return Unknown();
    const auto on_device = [](const Value& value) {
      return value.kind == Kind::kArray && value.library == Library::kDevice && !IsTextArray(value);
    };
    const Library here = IsTextArray(array) ? Library::kHost : array.library;  // texts get onto no device
    CallContext context{store_, impl_.names, id, on_device(left) || on_device(right) ? Library::kDevice : here};
    return DoubtedBeside(left, right, ResultOfCompare(context, compare, left, right));
  }
  const bool scalars =
      (IsNumber(left.kind) || left.kind == Kind::kStr) && (IsNumber(right.kind) || right.kind == Kind::kStr);
  if (!scalars) return Unknown();
  Value value = analysis::Of(Kind::kBool);
  value.evidence = static_cast<EvidenceSet>(left.evidence | right.evidence);
  if (left.constant && right.constant && IsNumber(left.kind) && IsNumber(right.kind)) {
    const double a = left.number, b = right.number;
    const std::array<bool, 6> results = {a == b, a != b, a<b, a <= b, a> b, a >= b};
    value.constant = true;
    value.number = results[static_cast<std::size_t>(compare)] ? 1 : 0;
  }
  return value;
}

}  // namespace cpnlint::analysis
