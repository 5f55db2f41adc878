#include "rules/match/expression.h"

#include <algorithm>
#include <array>

#include "rules/match/argument_gap.h"
#include "rules/match/matrix_product.h"

namespace cpnlint::rules::match {

using analysis::Facts;
using ir::OpKind;

std::vector<ir::ValueId> ExpressionOf(const Facts& facts, ir::ValueId root) {
  constexpr std::size_t kMost = 500;
  const ir::Program& program = facts.program();
  std::vector<ir::ValueId> ops;
  ops.reserve(16);
  ops.push_back(root);
  for (std::size_t i = 0; i < ops.size() && ops.size() < kMost; ++i) {
    for (const ir::ValueId operand : program.Operands(ops[i])) {
      if (!operand.valid() || program.ops[operand].statement != program.ops[root].statement) continue;
      const bool inside = program.ops[root].span.Contains(program.ops[operand].span);
      if (inside && std::find(ops.begin(), ops.end(), operand) == ops.end()) ops.push_back(operand);
    }
  }
  return ops;
}

bool IsElementwise(const Facts& facts, ir::ValueId op) {
  if (!op.valid() || !facts.IsDevice(op)) return false;
  const ir::Op& it = facts.program().ops[op];
  switch (it.kind) {
    case OpKind::kBinary: return static_cast<ir::BinaryOp>(it.detail) != ir::BinaryOp::kMatMul;
    case OpKind::kUnary: return true;
    case OpKind::kCompare: return static_cast<ir::CompareOp>(it.detail) <= ir::CompareOp::kGe;
    case OpKind::kCall: {
      const DeviceCall call = AsDeviceCall(facts, op);
      return call && !call.method && api::IsUfunc(call.name) && call.base != "matmul";
    }
    default: return false;
  }
}

bool IsElementwiseStep(const Facts& facts, ir::ValueId op) {
  if (IsElementwise(facts, op)) return true;
  const DeviceCall call = AsDeviceCall(facts, op);
  if (!call || !facts.IsDevice(op)) return false;
  if (call.base == "where") return !call.method && facts.program().Operands(op).size() == 4;
  return IsOneOf(call.base, {"clip", "nan_to_num"});
}

bool InsideElementwise(const Facts& facts, ir::ValueId op) {
  const ir::Program& program = facts.program();
  for (const ir::ValueId use : facts.UsesOf(op)) {
    const bool around =
        program.ops[use].statement == program.ops[op].statement && program.ops[use].span.Contains(program.ops[op].span);
    if (around && IsElementwise(facts, use)) return true;
  }
  return false;
}

namespace {

// np.zeros(n): what n is may be open, but nobody makes an array of no axes that way.
bool Creates(const DeviceCall& call) {
  return IsOneOf(call.base, {"zeros", "ones", "empty", "full", "zeros_like", "ones_like", "empty_like", "full_like",
                             "arange", "linspace", "eye", "identity", "random.rand", "random.randn"});
}

}  // namespace

static bool IsComputedFromWhole(const Facts& facts, ir::ValueId value) {
  constexpr std::size_t kMost = 50;
  std::vector<ir::ValueId> work = {value};
  for (std::size_t i = 0; i < work.size() && i < kMost; ++i) {
    if (!facts.IsDevice(work[i])) continue;
    if (facts.HasAxis(work[i])) return true;
    if (facts.RankOf(work[i]) >= 0) continue;
    const ir::ValueId source = facts.Source(work[i]);
    const OpKind kind = facts.program().ops[source].kind;
    constexpr analysis::EvidenceSet kSaysArray = analysis::kAnnotated | analysis::kDocumented | analysis::kUsed;
    const analysis::EvidenceSet evidence = facts.Of(source).evidence;
    if (kind == OpKind::kParam && (evidence & kSaysArray) != 0 && (evidence & ~kSaysArray) == 0) return true;
    if (const DeviceCall call = AsDeviceCall(facts, source); call && Creates(call)) return true;
    if (kind != OpKind::kPhi && kind != OpKind::kInplaceBinary && !IsElementwiseStep(facts, source)) continue;
    for (const ir::ValueId operand : facts.program().Operands(source)) {
      if (operand.valid() && std::find(work.begin(), work.end(), operand) == work.end()) work.push_back(operand);
    }
  }
  return false;
}

bool IsWholeArray(const Facts& facts, ir::ValueId value) {
  if (!facts.IsDevice(value)) return false;
  if (facts.HasAxis(value)) return true;
  if (facts.RankOf(value) >= 0) return false;
  // Rules ask for each operator of an expression, and for its operands again with those around it.
  struct Known {
    std::uint64_t facts = 0;  // serial
    ir::ValueId value;
    bool whole = false;
  };
  thread_local std::array<Known, 64> known;
  Known& entry = known[value.index() % known.size()];
  if (entry.facts != facts.serial() || entry.value != value)
    entry = {facts.serial(), value, IsComputedFromWhole(facts, value)};
  return entry.whole;
}

bool RaisesByItself(const Facts& facts, ir::ValueId op, std::string_view version) {
  const ir::Program& program = facts.program();
  const ir::Op& it = program.ops[op];
  if (it.kind == OpKind::kSubscript || it.kind == OpKind::kStoreSubscript) {
    if (!facts.IsDevice(program.Operand(op, 0))) return false;
    const std::vector<analysis::Key>& keys = facts.SubscriptOf(op).keys;
    return std::any_of(keys.begin(), keys.end(),
                       [](const analysis::Key& key) { return key.step_given && key.step != 1; });
  }
  const MatrixProduct product = AsMatrixProduct(facts, op);
  if (product && NeedsMatrixKernel(product) && IsOfIntegers(facts, product)) return true;
  const DeviceCall call = AsDeviceCall(facts, op);
  if (!call) return false;
  const api::Entry* row = Row(call.name, version);
  if (row == nullptr) return false;
  if (row->status == api::Status::kMissing) return true;
  const std::optional<ArgumentGap> gap = FindArgumentGap(facts, call, *row);
  return gap && !gap->ignored() && (gap->limit == nullptr || gap->raises() != api::Raises::kNothing);
}

bool SomethingRaises(const Facts& facts, ir::ValueId root, std::string_view version) {
  const std::vector<ir::ValueId> ops = ExpressionOf(facts, root);
  return std::any_of(ops.begin(), ops.end(), [&](ir::ValueId op) { return RaisesByItself(facts, op, version); });
}

}  // namespace cpnlint::rules::match
