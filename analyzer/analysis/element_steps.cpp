#include "analyzer/analysis/element_steps.h"

#include <span>

namespace cpnlint::analysis {
namespace {

// `[0.0, 1.0, 5.0]`: what the display holds; nothing for other values.
std::span<const ir::ValueId> ItemsWritten(const Facts& facts, ir::ValueId value) {
  const ir::Program& program = facts.program();
  const ir::ValueId source = facts.Source(value);
  if (!source.valid()) return {};
  const ir::OpKind kind = program.ops[source].kind;
  if (kind != ir::OpKind::kList && kind != ir::OpKind::kTuple) return {};
  return program.Operands(source);
}

bool IsSequence(const Facts& facts, ir::ValueId value) {
  if (!value.valid()) return false;
  const Kind kind = facts.Of(value).kind;
  return (facts.IsArray(value) && facts.RankOf(value) > 0) || kind == Kind::kList || kind == Kind::kTuple;
}

}  // namespace

std::vector<ir::ValueId> BinEdges(const Facts& facts, std::string_view base, ir::ValueId bins) {
  if (!IsSequence(facts, bins)) return {};
  if (base == "histogram") return {bins};
  if (facts.IsArray(bins)) return base == "histogram2d" ? std::vector{bins, bins} : std::vector<ir::ValueId>();
  std::vector<ir::ValueId> edges;
  for (const ir::ValueId item : ItemsWritten(facts, bins)) {
    if (IsSequence(facts, item)) edges.push_back(item);
  }
  return edges;
}

ir::DimId BinsBetween(const Facts& facts, ir::ValueId edges) {
  ir::DimStore& dims = facts.store().dims();
  if (facts.IsArray(edges)) {
    const ir::DimId extent = facts.ExtentOf(edges, 0);
    return extent.valid() ? dims.Sub(extent, dims.Const(1)) : extent;
  }
  const ir::DimId length = facts.Of(edges).dim;
  return length.valid() ? dims.Sub(length, dims.Const(1)) : length;
}

}  // namespace cpnlint::analysis
