// The tasks of products of matrices.

#include <algorithm>
#include <array>

#include "analyzer/analysis/work_impl.h"
#include "analyzer/api/launches.h"

namespace cpnlint::analysis {

using api::LaunchWord;

ir::DimId At(const ValueStore& store, ShapeId shape, std::size_t from_end) {
  if (!shape.valid()) return {};
  const Shape& extents = store.Get(shape);
  return from_end < extents.size() ? extents[extents.size() - 1 - from_end] : ir::DimId();
}

void TaskMaker::Product(WorkTask& task, ir::ValueId op, ir::ValueId left, ir::ValueId right) {
  task.kind = WorkKind::kProduct;
  const ValueStore& store = facts_.store();
  const auto shape = [&](ir::ValueId value) { return ShapeOf(value); };
  const int left_rank = left.valid() ? Rank(left) : -1, right_rank = right.valid() ? Rank(right) : -1;
  const ir::DimId one = dims_.Const(1);
  task.batch = one;
  const std::string_view base = ApiBaseName(task.name);
  if (task.name == "@") {
    std::uint64_t words = 0;
    if (left_rank == 1 && right_rank == 1)
      words = LaunchWord("1d 1d");
    else if (left_rank == 2 && right_rank == 1)
      words = LaunchWord("2d 1d");
    else if (left_rank == 1 && right_rank == 2)
      words = LaunchWord("1d 2d");
    else if (left_rank >= 3 || right_rank >= 3)
      words = LaunchWord("3d");
    else
      words = LaunchWord("2d 2d");
    Count(task, "@", words);
    const ir::DType as = facts_.IsArray(op) ? facts_.Of(op).dtype : ir::DType::kUnknown;
    const double casts = NeedsCast(left, as) + NeedsCast(right, as);
    task.launches += casts;
    task.launches_divided += casts;
  }
  const bool scalar_side = left_rank == 0 || right_rank == 0 || !left.valid() || !right.valid() ||
                           !facts_.IsArray(left) || !facts_.IsArray(right);
  if (left.valid()) Read(task, left);
  if (right.valid() && right != left) Read(task, right);
  Write(task, task.name == "@" ? op : ResultOf(op));
  if (base == "linalg.matrix_power") {
    // By squaring: each bit of the exponent is a product, and so is each one that is set.
    const ShapeId square = left.valid() ? shape(left) : ShapeId();
    task.m = task.n = task.k = At(store, square, 0);
    const std::int64_t power = facts_.IntOf(ArgumentOf(op, 1, "n")).value_or(3);
    std::int64_t products = 0;
    for (std::int64_t rest = power; rest > 1; rest /= 2) products += 1 + rest % 2;
    task.batch = dims_.Const(std::max<std::int64_t>(products, 1));
    task.launches = task.launches_divided = 2.0 * static_cast<double>(std::max<std::int64_t>(products, 1));
    task.passes = static_cast<double>(std::max<std::int64_t>(products, 1));
  } else if (base == "cov") {
    // Variables are rows unless `rowvar=False` is said; a vector is one variable.
    const bool in_columns = facts_.BoolOf(ArgumentOf(op, 2, "rowvar")) == false;
    const ShapeId samples = shape(left.valid() ? left : right);
    task.m = task.n = left_rank == 1 ? one : At(store, samples, in_columns ? 0 : 1);
    task.k = At(store, samples, in_columns && left_rank != 1 ? 1 : 0);
  } else if (scalar_side) {
    task.kind = WorkKind::kElementwise;  // np.dot(x, 2.0)
    task.elements = Elements(facts_.IsArray(op) ? op : left);
    return;
  } else if (base == "tensordot") {
    Contract(task, left, right, ContractedBy(op, left));
  } else if (base == "vdot" || (left_rank == 1 && right_rank == 1)) {
    task.kind = WorkKind::kReduction;
    task.elements = Elements(left);
    return;
  } else if (task.name != "@" && base != "matmul" && (left_rank > 2 || right_rank > 2)) {
    Contract(task, left, right, At(store, shape(left), 0));  // each row of one with each column of the other
  } else {
    // Of unknown ranks a product of matrices is the likelier.
    if (task.name != "@" && (left_rank < 0 || right_rank < 0)) Count(task, task.name, LaunchWord("2d 2d"));
    task.m = left_rank == 1 ? one : At(store, shape(left), 1);
    task.k = At(store, shape(left), 0);
    task.n = right_rank == 1 ? one : At(store, shape(right), base == "inner" ? 1 : 0);
    // The operand that every tile needs a part of.
    if (right_rank == 1 && task.operands.size() > 1) task.operands[1].replicated = true;
    if (left_rank == 1 && !task.operands.empty()) task.operands[0].replicated = true;
    const ShapeId result = shape(op);
    if (result.valid() && (left_rank > 2 || right_rank > 2)) {
      const Shape& extents = store.Get(result);
      for (std::size_t i = 0; i + 2 < extents.size(); ++i) task.batch = dims_.Mul(task.batch, extents[i]);
    }
  }
  task.elements = dims_.Mul(dims_.Mul(task.m, task.n), dims_.Mul(task.k, task.batch));
  task.operations = 2;
}

// All axes of both sides but those that are summed.
void TaskMaker::Contract(WorkTask& task, ir::ValueId left, ir::ValueId right, ir::DimId summed) {
  task.k = summed;
  task.m = dims_.CeilDiv(Elements(left), summed);
  task.n = dims_.CeilDiv(Elements(right), summed);
}

// What `np.tensordot(a, b, axes=2)` sums over: so many axes of `a` from the end, or those that are told.
ir::DimId TaskMaker::ContractedBy(ir::ValueId op, ir::ValueId left) const {
  const ir::ValueId axes = ArgumentOf(op, 2, "axes");
  const ShapeId shape = ShapeOf(left);
  if (!shape.valid()) return {};
  const Shape& extents = facts_.store().Get(shape);
  const auto rank = static_cast<std::int64_t>(extents.size());
  const auto is_list = [&](ir::ValueId value) {
    return value.valid() &&
           (program_.ops[value].kind == ir::OpKind::kTuple || program_.ops[value].kind == ir::OpKind::kList);
  };
  std::vector<std::int64_t> summed;
  const std::optional<std::int64_t> count = axes.valid() ? facts_.IntOf(axes) : std::optional<std::int64_t>(2);
  if (count) {
    for (std::int64_t axis = std::max<std::int64_t>(rank - *count, 0); axis < rank; ++axis) summed.push_back(axis);
  } else {
    const ir::ValueId pair = facts_.Source(axes);
    if (!is_list(pair) || program_.Operands(pair).empty()) return {};
    const ir::ValueId of_left = facts_.Source(program_.Operand(pair, 0));
    const auto listed = is_list(of_left) ? program_.Operands(of_left) : program_.Operands(pair).first(1);
    for (const ir::ValueId one : listed) {
      const std::optional<std::int64_t> axis = facts_.IntOf(one);
      if (!axis) return {};
      summed.push_back(*axis < 0 ? *axis + rank : *axis);
    }
  }
  ir::DimId product = dims_.Const(1);
  for (const std::int64_t axis : summed) {
    if (axis < 0 || axis >= rank) return {};
    product = dims_.Mul(product, extents[static_cast<std::size_t>(axis)]);
  }
  return product;
}

// From the left, one after the other.
void TaskMaker::ManyProducts(WorkTask& task, ir::ValueId op) {
  task.kind = WorkKind::kProduct;
  task.operations = 2;
  const std::vector<ir::ValueId> arrays = InputsOf(op);
  for (const ir::ValueId array : arrays) Read(task, array);
  Write(task, ResultOf(op));
  const ValueStore& store = facts_.store();
  const auto extent = [&](std::size_t i, std::size_t from_end) {
    return i < arrays.size() ? At(store, ShapeOf(arrays[i]), from_end) : ir::DimId();
  };
  const auto products = static_cast<std::int64_t>(arrays.size() > 2 ? arrays.size() - 1 : 1);
  task.m = extent(0, Rank(arrays.empty() ? op : arrays.front()) == 1 ? 0 : 1);
  task.k = extent(0, 0);
  task.n = extent(1, 0);
  task.batch = dims_.Const(products);
  task.launches = task.launches_divided = 2.0 * static_cast<double>(products);
  task.elements = dims_.Mul(dims_.Mul(task.m, task.n), dims_.Mul(task.k, task.batch));
}

// The product over all letters; which of them are summed decides the kind.
void TaskMaker::Einsum(WorkTask& task, ir::ValueId op) {
  const std::vector<ir::ValueId> arrays = InputsOf(op);
  for (const ir::ValueId array : arrays) Read(task, array);
  Write(task, ResultOf(op));
  const std::optional<std::string_view> pattern = facts_.TextOf(program_.Operand(op, 1));
  task.kind = arrays.size() >= 2 ? WorkKind::kProduct : WorkKind::kAxisReduction;
  task.elements = arrays.empty() ? ir::DimId() : Elements(arrays.front());
  task.operations = 2;
  task.batch = task.m = task.n = task.k = dims_.Const(1);
  if (!pattern || arrays.empty()) return;
  const std::size_t arrow = pattern->find("->");
  const std::string_view inputs = pattern->substr(0, arrow);
  const std::string_view output = arrow == std::string_view::npos ? std::string_view() : pattern->substr(arrow + 2);
  std::array<ir::DimId, 128> extents;
  std::array<int, 128> seen{};
  std::size_t array = 0, axis = 0;
  for (const char letter : inputs) {
    if (letter == ',') {
      ++array;
      axis = 0;
      continue;
    }
    if (letter < 'A' || letter > 'z' || array >= arrays.size()) continue;
    const auto index = static_cast<std::size_t>(letter);
    const ShapeId shape = ShapeOf(arrays[array]);
    if (shape.valid() && axis < facts_.store().Get(shape).size()) extents[index] = facts_.store().Get(shape)[axis];
    seen[index] |= 1 << std::min<std::size_t>(array, 3);
    ++axis;
  }
  task.elements = dims_.Const(1);
  for (std::size_t letter = 'A'; letter <= 'z'; ++letter) {
    if (seen[letter] == 0) continue;
    task.elements = dims_.Mul(task.elements, extents[letter]);
    const bool kept = output.find(static_cast<char>(letter)) != std::string_view::npos;
    ir::DimId& side = !kept ? task.k : seen[letter] == 1 ? task.m : seen[letter] == 2 ? task.n : task.batch;
    side = dims_.Mul(side, extents[letter]);
  }
  std::uint64_t words = 0;
  if (arrays.size() >= 3) words |= LaunchWord("three");
  if (arrays.size() == 1) {
    const bool repeated = inputs.size() >= 2 && inputs[0] == inputs[1];
    words |= repeated ? LaunchWord("diagonal") : LaunchWord("one operand");
  }
  if (arrays.size() == 2) {
    const int left = Rank(arrays[0]), right = Rank(arrays[1]);
    const bool shared_output = std::any_of(output.begin(), output.end(), [&](char letter) {
      return letter >= 'A' && letter <= 'z' && seen[static_cast<std::size_t>(letter)] == 3;
    });
    if (shared_output)
      words |= LaunchWord("elementwise");
    else if (left == 2 && right == 1)
      words |= LaunchWord("2d 1d");
    else if (left == 1 && right == 1)
      words |= LaunchWord("1d 1d");
    else
      words |= LaunchWord("2d 2d");
  }
  Count(task, "numpy.einsum", words);
}

}  // namespace cpnlint::analysis
