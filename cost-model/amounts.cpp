#include "cost-model/amounts.h"

#include <algorithm>
#include <cmath>

namespace cpnlint::cost {
namespace {

using analysis::WorkKind;
using analysis::WorkOperand;
using analysis::WorkTask;

double Product(const std::vector<double>& extents) {
  double product = 1;
  for (const double extent : extents) product *= extent;
  return product;
}

std::vector<double> Offsets(const analysis::Facts& facts, const WorkOperand& operand, std::size_t rank) {
  const std::vector<std::int64_t> known = OffsetsOf(facts, operand);
  std::vector<double> offsets(known.begin(), known.end());
  offsets.resize(rank);
  return offsets;
}

void Add(const analysis::Facts& facts, ArrayUse& use, const WorkOperand& operand, double elements) {
  use.used = std::max(use.used, elements);
  use.replicated = use.replicated || operand.replicated;
  const std::vector<double> offsets = Offsets(facts, operand, use.extents.size());
  if (operand.written) {
    use.written = true;
    use.home = offsets;
    return;
  }
  use.turned = use.turned || operand.turned;
  if (!use.read) use.least = use.most = offsets;
  use.read = true;
  for (std::size_t axis = 0; axis < offsets.size(); ++axis) {
    use.least[axis] = std::min(use.least[axis], offsets[axis]);
    use.most[axis] = std::max(use.most[axis], offsets[axis]);
  }
}

double SizeOr(const Sizes& sizes, ir::DimId dim, double otherwise) { return dim.valid() ? sizes.Of(dim) : otherwise; }

}  // namespace

Amounts AmountsOf(const WorkTask& task, const Sizes& sizes) {
  Amounts amounts;
  amounts.task = &task;
  amounts.arrays.reserve(task.operands.size());
  double item = 0;
  for (const WorkOperand& operand : task.operands) {
    item = std::max(item, static_cast<double>(operand.item));
    if (operand.shape.valid()) {
      amounts.axes = std::max(amounts.axes, static_cast<double>(sizes.facts().store().Get(operand.shape).size()));
    }
    const double used = sizes.Of(operand.elements);
    const auto same = std::ranges::find_if(
        amounts.arrays, [&](const ArrayUse& use) { return operand.root.valid() && use.root == operand.root; });
    if (same != amounts.arrays.end()) {
      Add(sizes.facts(), *same, operand, used);
      continue;
    }
    ArrayUse use;
    use.root = operand.root;
    use.extents = sizes.Extents(operand.root_shape);
    use.elements = operand.root_shape.valid() ? std::max(used, Product(use.extents)) : used;
    use.item = operand.item == 0 ? 8 : operand.item;
    Add(sizes.facts(), use, operand, used);
    amounts.arrays.push_back(std::move(use));
  }
  amounts.item = item == 0 ? 8 : item;
  double largest = 1;
  for (const ArrayUse& use : amounts.arrays) largest = std::max(largest, use.used);
  const bool counted = task.unpriced.empty();
  amounts.elements = SizeOr(sizes, task.elements, largest);
  amounts.read = task.passes * SizeOr(sizes, task.bytes_read, counted ? amounts.elements * amounts.item : 0);
  amounts.written = task.passes * SizeOr(sizes, task.bytes_written, counted ? amounts.elements * amounts.item : 0);
  amounts.temporary = SizeOr(sizes, task.temporary, 0);
  amounts.m = SizeOr(sizes, task.m, 1);
  amounts.n = SizeOr(sizes, task.n, 1);
  amounts.k = SizeOr(sizes, task.k, 1);
  amounts.batch = std::max(1.0, SizeOr(sizes, task.batch, 1));
  amounts.to_host = SizeOr(sizes, task.to_host, 0);
  amounts.from_host = SizeOr(sizes, task.from_host, 0);
  return amounts;
}

Amounts Grown(const Amounts& amounts, double factor) {
  Amounts grown = amounts;
  if (factor == 1) return grown;
  const WorkKind kind = amounts.task->kind;
  if (amounts.elements > 1) grown.elements *= factor;
  grown.read *= factor;
  grown.written *= factor;
  grown.temporary *= factor;
  if (amounts.to_host > 64) grown.to_host *= factor;
  if (amounts.from_host > 64) grown.from_host *= factor;
  if (kind == WorkKind::kProduct || kind == WorkKind::kFactorise) {
    // Memory per processor stays, so the order of a matrix grows with the root; a batch grows instead of its matrices.
    const double order = amounts.batch > 1 ? 1 : std::sqrt(factor);
    if (amounts.batch > 1) grown.batch *= factor;
    for (double* extent : {&grown.m, &grown.n, &grown.k}) {
      if (*extent > 1) *extent *= order;
    }
  } else if (amounts.batch > 1) {
    grown.batch *= factor;
  } else if (kind != WorkKind::kConvolve) {
    grown.n *= factor;
  }
  for (ArrayUse& use : grown.arrays) {
    if (use.elements <= 1) continue;
    use.elements *= factor;
    use.used *= factor;
    double axes = 0;
    for (const double extent : use.extents) axes += extent > 1 ? 1 : 0;
    for (double& extent : use.extents) {
      if (extent > 1) extent *= std::pow(factor, 1 / axes);
    }
  }
  return grown;
}

}  // namespace cpnlint::cost
