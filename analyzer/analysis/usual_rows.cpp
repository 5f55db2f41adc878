// Whether a square matrix is small by what is done with it: what it is multiplied with, what it solves for, what is
// stored in one of its columns, what its shape is compared with. Usage, and no proof.

#include <algorithm>

#include "analyzer/analysis/attribute_stores.h"
#include "analyzer/analysis/call_path.h"
#include "analyzer/analysis/callee_names.h"
#include "analyzer/analysis/count_names.h"
#include "analyzer/analysis/engine.h"

namespace cpnlint::analysis {
namespace {

constexpr std::size_t kMostLookedAt = 32;  // forms of one matrix: transposed, inverted, scaled

// Give a matrix with as many rows of a square one.
bool KeepsSide(std::string_view name) {
  return IsOneOf(name, {"abs", "array", "asarray", "ascontiguousarray", "astype", "conj", "conjugate", "copy",
                        "linalg.inv", "linalg.pinv", "transpose"});
}

class FewRows {
 public:
  FewRows(const Facts& facts, Facts::Impl& impl, std::int64_t rows)
      : facts_(facts), impl_(impl), program_(facts.program()), rows_(rows) {}

  [[nodiscard]] bool Of(ir::ValueId matrix) {
    Add(matrix);
    for (std::size_t i = 0; i < forms_.size(); ++i) {
      if (IsSmall(forms_[i]) || IsProductOfFew(forms_[i])) return true;
      AddSource(forms_[i]);
      for (const ir::ValueId user : facts_.DeepUsesOf(forms_[i])) {
        if (SaysSo(forms_[i], user)) return true;
      }
    }
    return false;
  }

 private:
  void Add(ir::ValueId form) {
    if (form.valid() && forms_.size() < kMostLookedAt && std::find(forms_.begin(), forms_.end(), form) == forms_.end())
      forms_.push_back(form);
  }

  [[nodiscard]] bool IsFew(ir::DimId extent) const {
    const std::optional<std::int64_t> known = facts_.store().dims().AsConst(extent);
    return known ? *known > 1 && *known < rows_ : IsFewByName(extent);
  }

  // Of a parameter, which the size is.
  [[nodiscard]] std::optional<std::int64_t> ByDefault(std::uint32_t instance) const {
    if (instance >= program_.ops.size()) return std::nullopt;
    const ir::ValueId id(instance);
    if (program_.ops[id].kind != ir::OpKind::kParam) return std::nullopt;
    const List<ir::Param>& params = program_.functions[program_.FunctionOf(id)].params;
    const std::size_t index = program_.ops[id].detail;
    return index < params.size() ? facts_.IntOf(params[index].default_value) : std::nullopt;
  }

  // `n_clusters`, `2 * n_clusters + 1`
  [[nodiscard]] bool IsFewByName(ir::DimId extent) const {
    if (!extent.valid()) return false;
    const ir::DimStore& dims = facts_.store().dims();
    bool named = !dims.Symbols(extent).empty();
    const auto usual = dims.Evaluate(extent, [&](Symbol symbol, std::uint32_t instance) {
      const auto left_out = ByDefault(instance);
      const auto size = left_out ? left_out : UsualSizeByName(program_.names.Text(symbol));
      named = named && size;
      return static_cast<double>(size.value_or(0));
    });
    return named && usual && *usual > 1 && *usual < static_cast<double>(rows_);
  }
  [[nodiscard]] bool HasFewFirst(ir::ValueId array) const {
    return array.valid() && (IsFew(facts_.ExtentOf(array, 0)) || facts_.UsuallyFewItems(array));
  }
  [[nodiscard]] bool HasFewLast(ir::ValueId array) const { return array.valid() && IsFew(facts_.ExtentOf(array, -1)); }
  [[nodiscard]] bool IsSmall(ir::ValueId form) const {
    return HasFewFirst(form) || HasFewLast(form) || TakesFewRows(form) || facts_.UsuallyBelow(form, rows_ * rows_);
  }

  // `m[chosen]` with `chosen = np.zeros(n_clusters)`, where nobody knows whether that is a number.
  [[nodiscard]] bool TakesFewRows(ir::ValueId form) const {
    const ir::ValueId part = facts_.Source(form);
    if (!part.valid() || program_.ops[part].kind != ir::OpKind::kSubscript || program_.ops[part].operand_count != 2)
      return false;
    const ir::ValueId chosen = program_.Operand(part, 1);
    const ir::ValueId made = chosen.valid() && facts_.IsArray(chosen) ? facts_.Source(chosen) : ir::ValueId::None();
    if (!made.valid() || program_.ops[made].kind != ir::OpKind::kCall) return false;
    if (!IsOneOf(BareName(facts_.CalleeOf(made)), {"zeros", "ones", "empty", "full"})) return false;
    const ir::ValueId count = facts_.Source(program_.Operand(made, 1));
    if (!count.valid() || program_.ops[count].kind != ir::OpKind::kParam) return false;
    const auto left_out = ByDefault(count.index());
    const auto size = left_out ? left_out : UsualSizeByName(program_.Name(program_.ops[count]));
    return size && *size > 1 && *size < rows_;
  }

  // What the matrix is another form of.
  void AddSource(ir::ValueId form) {
    const ir::ValueId source = facts_.Source(form);
    if (!source.valid()) return;
    const ir::Op& op = program_.ops[source];
    if (op.kind == ir::OpKind::kUnary) Add(program_.Operand(source, 0));
    if (op.kind == ir::OpKind::kAttr && program_.Name(op) == "T") Add(program_.Operand(source, 0));
    if (op.kind == ir::OpKind::kBinary) AddScaled(source);
    if (op.kind == ir::OpKind::kUnpackItem) AddPart(source);
    if (op.kind != ir::OpKind::kCall) return;
    const Callee& callee = facts_.CalleeOf(source);
    if (callee.kind == Callee::Kind::kLocal && program_.functions[callee.function].returns.size() == 1)
      Add(program_.Operand(program_.functions[callee.function].returns.front(), 0));
    if (!KeepsSide(BareName(callee))) return;
    Add(callee.kind == Callee::Kind::kMethod ? callee.receiver : program_.Operand(source, 1));
  }

  // `values, vectors = np.linalg.eigh(m)`; and what a function of the program returns at that place.
  void AddPart(ir::ValueId part) {
    const auto position = ir::ItemPosition::Unpack(program_.ops[part].payload);
    const ir::ValueId call = facts_.Source(program_.Operand(part, 0));
    if (position.star != ir::ItemPosition::kNoStar || !call.valid() || program_.ops[call].kind != ir::OpKind::kCall)
      return;
    const Callee& callee = facts_.CalleeOf(call);
    if (position.index == 1 && IsOneOf(BareName(callee), {"linalg.eig", "linalg.eigh"})) Add(program_.Operand(call, 1));
    if (callee.kind != Callee::Kind::kLocal) return;
    for (const ir::ValueId leave : program_.functions[callee.function].returns) {
      const ir::ValueId tuple = facts_.Source(program_.Operand(leave, 0));
      if (!tuple.valid() || program_.ops[tuple].kind != ir::OpKind::kTuple) continue;  // of another call
      if (position.index < program_.ops[tuple].operand_count) Add(program_.Operand(tuple, position.index));
      return;
    }
  }

  // Of a product the side is the left one's: an array, or an object of the program that makes itself one.
  [[nodiscard]] bool IsProductOfFew(ir::ValueId form) const {
    const ir::ValueId source = facts_.Source(form);
    if (!source.valid()) return false;
    const ir::Op& op = program_.ops[source];
    ir::ValueId left;
    if (op.kind == ir::OpKind::kBinary && static_cast<ir::BinaryOp>(op.detail) == ir::BinaryOp::kMatMul)
      left = program_.Operand(source, 0);
    if (op.kind == ir::OpKind::kCall && IsOneOf(BareName(facts_.CalleeOf(source)), {"dot", "matmul"})) {
      const Callee& callee = facts_.CalleeOf(source);
      left = callee.kind == Callee::Kind::kMethod ? callee.receiver : facts_.Argument(source, 0, "a");
    }
    if (!left.valid()) return false;
    const Value& object = facts_.Of(left);
    if (object.kind == Kind::kInstance) return MakesFew(object.class_id);
    return HasFewFirst(left) || (IsInverted(left) && HasFewFirst(Transposed(left)));
  }

  // What is inverted elsewhere has as many rows as columns.
  [[nodiscard]] bool IsInverted(ir::ValueId matrix) const {
    return std::ranges::any_of(facts_.DeepUsesOf(facts_.Source(matrix)), [&](ir::ValueId use) {
      return program_.ops[use].kind == ir::OpKind::kCall &&
             IsOneOf(BareName(facts_.CalleeOf(use)), {"linalg.inv", "linalg.det", "linalg.solve", "linalg.cholesky"});
    });
  }

  // What the matrix is the transposed of; None() where that is not seen.
  [[nodiscard]] ir::ValueId Transposed(ir::ValueId matrix) const {
    const ir::ValueId source = facts_.Source(matrix);
    if (!source.valid()) return {};
    const ir::Op& op = program_.ops[source];
    if (op.kind == ir::OpKind::kAttr && program_.Name(op) == "T") return program_.Operand(source, 0);
    const bool call = op.kind == ir::OpKind::kCall && BareName(facts_.CalleeOf(source)) == "transpose";
    if (!call) return {};
    const Callee& callee = facts_.CalleeOf(source);
    return callee.kind == Callee::Kind::kMethod ? callee.receiver : program_.Operand(source, 1);
  }

  // `def __array__(self): return self.array`, and what is stored there is tested.
  [[nodiscard]] bool MakesFew(ir::ClassId object) const {
    for (const ir::FunctionId method : program_.classes[object].methods) {
      const ir::Function& function = program_.functions[method];
      if (program_.names.Text(function.name) != "__array__" || function.returns.empty()) continue;
      const ir::ValueId made = facts_.Source(program_.Operand(function.returns.back(), 0));
      if (!made.valid()) return false;
      if (facts_.UsuallyFewItems(made)) return true;
      if (program_.ops[made].kind != ir::OpKind::kAttr) return false;
      IndexAttributeStores(impl_);
      const auto stores =
          impl_.attribute_stores.find(SlotKey(FamilyOf(impl_, object), program_.SymbolOf(program_.ops[made])));
      return stores != impl_.attribute_stores.end() &&
             std::ranges::any_of(stores->second, [&](ir::ValueId stored) { return IsTested(stored); });
    }
    return false;
  }
  [[nodiscard]] bool IsTested(ir::ValueId array) const {
    const std::vector<ir::ValueId> uses = facts_.DeepUsesOf(array);
    return std::ranges::any_of(uses, [&](ir::ValueId use) {
      return program_.ops[use].kind == ir::OpKind::kAttr && program_.Name(program_.ops[use]) == "shape" &&
             IsTestedForFew(use);
    });
  }

  // `2 * m`: the matrix beside a number.
  void AddScaled(ir::ValueId product) {
    if (static_cast<ir::BinaryOp>(program_.ops[product].detail) == ir::BinaryOp::kMatMul) return;
    const ir::ValueId left = program_.Operand(product, 0), right = program_.Operand(product, 1);
    const auto is_number = [&](ir::ValueId id) { return IsNumber(facts_.Of(id).kind) || facts_.IsZeroD(id); };
    if (is_number(left)) Add(right);
    if (is_number(right)) Add(left);
  }

  // The use of a form is another form of it, or says how many rows there are.
  [[nodiscard]] bool SaysSo(ir::ValueId form, ir::ValueId user) {
    const ir::Op& op = program_.ops[user];
    switch (op.kind) {
      case ir::OpKind::kUnary: Add(user); return false;
      case ir::OpKind::kAttr:
        if (program_.Name(op) == "T") Add(user);
        return program_.Name(op) == "shape" && IsTestedForFew(user);
      case ir::OpKind::kBinary: {
        const bool left = IsForm(form, program_.Operand(user, 0));
        const ir::ValueId other = program_.Operand(user, left ? 1 : 0);
        if (static_cast<ir::BinaryOp>(op.detail) == ir::BinaryOp::kMatMul)
          return (left ? HasFewFirst(other) : HasFewLast(other)) || IsTestedElsewhere(user);
        Add(user);  // with a number, a row or a matrix like it
        return false;
      }
      case ir::OpKind::kCall: return SaysCall(form, user);
      case ir::OpKind::kStoreSubscript: return IsForm(form, program_.Operand(user, 0)) && FillsLine(user);
      case ir::OpKind::kSubscript: return IsForm(form, program_.Operand(user, 0)) && TakesShift(form, user);
      default: return false;
    }
  }

  [[nodiscard]] bool IsForm(ir::ValueId form, ir::ValueId id) const {
    return id.valid() && (id == form || facts_.Source(id) == facts_.Source(form));
  }

  [[nodiscard]] bool SaysCall(ir::ValueId form, ir::ValueId call) {
    const Callee& callee = facts_.CalleeOf(call);
    const std::string_view name = BareName(callee);
    const bool method = callee.kind == Callee::Kind::kMethod;
    const ir::ValueId first = method ? callee.receiver : facts_.Argument(call, 0, "a");
    const ir::ValueId second = facts_.Argument(call, method ? 0 : 1, "b");
    if (KeepsSide(name) && IsForm(form, first)) Add(call);
    if (callee.kind == Callee::Kind::kLocal) return ExpectsFew(call, form);
    if (IsOneOf(name, {"dot", "matmul"})) {
      if (IsTestedElsewhere(call)) return true;
      if (IsForm(form, first) && HasFewFirst(second)) return true;
      return IsForm(form, second) && HasFewLast(first);
    }
    // As many equations as there are rows on the right.
    return name == "linalg.solve" && IsForm(form, first) && HasFewFirst(second);
  }

  // The parameter, or what is made of it with the same sides, is tested.
  [[nodiscard]] bool IsTestedInside(ir::ValueId param) const {
    if (IsTested(param)) return true;
    const std::vector<ir::ValueId> uses = facts_.DeepUsesOf(param);
    return std::ranges::any_of(uses, [&](ir::ValueId use) {
      return program_.ops[use].kind == ir::OpKind::kCall && KeepsSide(BareName(facts_.CalleeOf(use))) && IsTested(use);
    });
  }

  // What a function of the program that is handed the matrix does with it says how many rows it has.
  [[nodiscard]] bool ExpectsFew(ir::ValueId call, ir::ValueId form) const {
    const ir::FunctionId function = facts_.CalleeOf(call).function;
    for (std::size_t i = 0; i < program_.functions[function].params.size(); ++i) {
      const ir::ValueId over = HandedOver(facts_, call, function, i).value;
      if (!over.valid() || !IsForm(form, over)) continue;
      const ir::ValueId param = program_.functions[function].params[i].value;
      if (IsTestedInside(param)) return true;
      for (const ir::ValueId user : facts_.DeepUsesOf(param)) {
        const ir::Op& op = program_.ops[user];
        if (op.kind != ir::OpKind::kBinary || static_cast<ir::BinaryOp>(op.detail) != ir::BinaryOp::kMatMul) continue;
        const bool left = IsForm(param, program_.Operand(user, 0));
        if (left ? HasFewFirst(program_.Operand(user, 1)) : HasFewLast(program_.Operand(user, 0))) return true;
      }
    }
    return false;
  }

  // A product that is tested, here or by the function that it is handed to, has few rows and few columns.
  [[nodiscard]] bool IsTestedElsewhere(ir::ValueId product) const {
    if (IsTested(product)) return true;
    const std::vector<ir::ValueId> uses = facts_.DeepUsesOf(product);
    return std::ranges::any_of(uses, [&](ir::ValueId use) {
      if (program_.ops[use].kind != ir::OpKind::kCall || facts_.CalleeOf(use).kind != Callee::Kind::kLocal)
        return false;
      const ir::FunctionId function = facts_.CalleeOf(use).function;
      const List<ir::Param> params = program_.functions[function].params;
      for (std::size_t i = 0; i < params.size(); ++i) {
        const ir::ValueId over = HandedOver(facts_, use, function, i).value;
        if (!over.valid() || facts_.Source(over) != facts_.Source(product)) continue;
        return IsTestedInside(params[i].value);
      }
      return false;
    });
  }

  // `p[:, 3] = 0, 0, 0, 1`, `p[0] = [1, 0, 0]`: a row or a column has as many.
  [[nodiscard]] bool FillsLine(ir::ValueId store) const {
    const Value& stored = facts_.Of(program_.Operand(store, 1));
    if ((stored.kind != Kind::kTuple && stored.kind != Kind::kList) || !IsFew(stored.dim)) return false;
    const std::vector<Key>& keys = facts_.SubscriptOf(store).keys;
    const auto counts = [&](KeyKind kind) {
      return std::ranges::count_if(
          keys, [&](const Key& key) { return key.kind == kind && (kind != KeyKind::kSlice || key.full); });
    };
    const bool line = keys.size() == 2 && counts(KeyKind::kInteger) == 1 && counts(KeyKind::kSlice) == 1;
    return line || (keys.size() == 1 && counts(KeyKind::kInteger) == 1);
  }

  // `m[:3, 3]` beside `m[:3, :3]`: the shift of a transform of places, behind its rotation.
  [[nodiscard]] bool TakesShift(ir::ValueId form, ir::ValueId part) const {
    const std::optional<std::int64_t> axes = AxesCut(part, 1);
    if (!axes || *axes + 1 >= rows_) return false;
    return std::ranges::any_of(facts_.DeepUsesOf(form), [&](ir::ValueId user) { return AxesCut(user, 2) == axes; });
  }

  // n of `m[:n, n]` (one slice) and of `m[:n, :n]` (two).
  [[nodiscard]] std::optional<std::int64_t> AxesCut(ir::ValueId part, std::ptrdiff_t slices) const {
    const ir::Op& op = program_.ops[part];
    if (op.kind != ir::OpKind::kSubscript || op.operand_count != 3) return std::nullopt;
    std::optional<std::int64_t> axes;
    for (const ir::ValueId key : program_.Operands(part).subspan(1)) {
      const bool slice = key.valid() && program_.ops[key].kind == ir::OpKind::kSlice;
      if (slice && (program_.Operand(key, 0).valid() || program_.Operand(key, 2).valid())) return std::nullopt;
      if (slice) --slices;
      const std::optional<std::int64_t> number = facts_.IntOf(slice ? program_.Operand(key, 1) : key);
      if (!number || *number < 2 || (axes && axes != number)) return std::nullopt;
      axes = number;
    }
    return slices == 0 ? axes : std::nullopt;
  }

  // `m.shape == (3, 3)`, `assert m.shape != (4, 4)`: so it is expected, one way or the other. One row is a number.
  [[nodiscard]] bool IsTestedForFew(ir::ValueId shape) const {
    const auto uses = facts_.UsesOf(shape);
    return std::any_of(uses.begin(), uses.end(), [&](ir::ValueId test) {
      if (program_.ops[test].kind != ir::OpKind::kCompare) return false;
      const auto compare = static_cast<ir::CompareOp>(program_.ops[test].detail);
      if (compare != ir::CompareOp::kEq && compare != ir::CompareOp::kNe) return false;
      const ir::ValueId left = program_.Operand(test, 0);
      const Value& wanted = facts_.Of(left == shape ? program_.Operand(test, 1) : left);
      if (wanted.kind != Kind::kTuple || !wanted.elements.valid()) return false;
      const std::vector<Value>& extents = facts_.store().Get(wanted.elements);
      return extents.size() == 2 && std::ranges::all_of(extents, [&](const Value& extent) {
               return extent.kind == Kind::kInt && IsFew(extent.dim);
             });
    });
  }

  const Facts& facts_;
  Facts::Impl& impl_;
  const ir::Program& program_;
  std::int64_t rows_;
  std::vector<ir::ValueId> forms_;
};

}  // namespace

bool Facts::UsuallyFewRows(ir::ValueId matrix, std::int64_t rows) const {
  return FewRows(*this, *impl_, rows).Of(matrix);
}

}  // namespace cpnlint::analysis
