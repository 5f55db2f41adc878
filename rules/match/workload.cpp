#include "rules/match/workload.h"

#include <algorithm>
#include <set>

#include "analyzer/analysis/one_number.h"
#include "rules/match/device_call.h"
#include "rules/match/matrix_product.h"

namespace cpnlint::rules::match {

using analysis::Callee;
using analysis::Facts;
using analysis::LoopKind;
using ir::OpKind;

namespace {

constexpr std::size_t kMostFunctions = 40;  // that a pass is followed into

// Calls that launch nothing of the array's size.
bool IsCheap(const DeviceCall& call) {
  return IsOneOf(call.base, {"reshape", "ravel", "transpose", "swapaxes", "squeeze", "expand_dims", "broadcast_to",
                             "asarray", "asanyarray", "atleast_1d", "shape", "ndim", "size", "moveaxis", "view",
                             "random.default_rng", "random.seed", "split", "array_split"});
}

class Counter {
 public:
  Counter(const Facts& facts, ir::LoopId loop) : facts_(facts), program_(facts.program()), loop_(loop) {}

  std::optional<Workload> Count() {
    pending_ = {program_.loops[loop_].function};
    for (std::size_t i = 0; i < pending_.size(); ++i) {
      if (i > kMostFunctions) return std::nullopt;
      for (const ir::BlockId block : program_.functions[pending_[i]].blocks) {
        const bool inside =
            i > 0 || (program_.blocks[block].loop.valid() && facts_.LoopContains(loop_, program_.blocks[block].loop));
        if (inside && !CountBlock(program_.blocks[block])) return std::nullopt;
      }
    }
    if (work_.launches.empty()) return std::nullopt;
    return std::move(work_);
  }

 private:
  // False where something in the block is of unknown size.
  bool CountBlock(const ir::Block& block) {
    for (const ir::ValueId op : block.ops) {
      const analysis::Heat& heat = facts_.HeatOf(op);
      if (heat.dead) break;
      if (heat.in_element_loop) return false;
      if (!CountOp(op)) return false;
    }
    return true;
  }

  bool CountOp(ir::ValueId op) {
    switch (program_.ops[op].kind) {
      case OpKind::kCall: return CountCall(op);
      case OpKind::kBinary:
      case OpKind::kInplaceBinary:
      case OpKind::kUnary:
        // What nothing is known of may be an array of any size.
        return !IsUnknown(op) && Launches(op, program_.Operands(op));
      case OpKind::kCompare: return Launches(op, program_.Operands(op));
      case OpKind::kStoreSubscript: return !IsUnknown(program_.Operand(op, 0)) && Launches(op, program_.Operands(op));
      case OpKind::kSubscript: {
        if (IsUnknown(op)) return false;
        // np.c_[a, b]
        if (!facts_.IsArray(program_.Operand(op, 0)) && facts_.Of(program_.Operand(op, 0)).kind == analysis::Kind::kApi)
          return Launches(op, {});
        const auto& keys = facts_.SubscriptOf(op).keys;
        const bool gathers = std::any_of(keys.begin(), keys.end(), [](const analysis::Key& key) {
          return key.kind == analysis::KeyKind::kMask || key.kind == analysis::KeyKind::kIndexArray;
        });
        return !gathers || Launches(op, program_.Operands(op));
      }
      default: return true;
    }
  }

  [[nodiscard]] bool IsUnknown(ir::ValueId value) const { return facts_.Of(value).kind == analysis::Kind::kUnknown; }

  bool CountCall(ir::ValueId op) {
    const Callee& callee = facts_.CalleeOf(op);
    const auto arguments = program_.Operands(op).subspan(1);
    switch (callee.kind) {
      case Callee::Kind::kLocal:
        if (seen_.insert(callee.function).second && callee.function != pending_.front())
          pending_.push_back(callee.function);
        return !facts_.IsCompiledElsewhere(callee.function);
      case Callee::Kind::kApi:
      case Callee::Kind::kMethod: {
        const DeviceCall call = AsDeviceCall(facts_, op);
        if (!call || IsCheap(call)) return true;
        std::vector<ir::ValueId> operands(arguments.begin(), arguments.end());
        if (call.method) operands.push_back(call.array);
        return Launches(op, operands);
      }
      // Code out of sight may work on larger arrays of its own.
      case Callee::Kind::kUnknown:
      case Callee::Kind::kClass: return false;
      default: return true;
    }
  }

  // Elements of the storage behind the value; nullopt where unknown.
  std::optional<std::int64_t> StoreOf(ir::ValueId value) const {
    ir::DimStore& dims = facts_.store().dims();
    const auto own = dims.AsConst(facts_.VolumeOf(value));
    const ir::ValueId root = facts_.RootOf(value);
    if (!root.valid() || root == value || !facts_.IsArray(root)) return own;
    const auto whole = dims.AsConst(facts_.VolumeOf(root));
    if (!own && facts_.Of(value).unbounded) return whole;
    if (!own || !whole) return std::nullopt;
    return std::max(*own, *whole);
  }

  // Adds an array of the launch; false where its size is not known. `whole`: all of it is read or written.
  bool Add(Launch& launch, ir::ValueId value, Span span, bool whole) {
    const auto elements = StoreOf(value);
    if (!elements) return false;
    work_.evidence |= facts_.Of(value).evidence;
    if (*elements > launch.stored) {
      launch.stored = launch.launched = *elements;
      launch.array = span;
      launch.root = facts_.RootOf(value);
    }
    if (!whole) return true;
    const std::int64_t own = facts_.store().dims().AsConst(facts_.VolumeOf(value)).value_or(*elements);
    launch.touched = std::max(launch.touched, own);
    const auto item = ir::ItemSize(facts_.Of(value).dtype);
    launch.bytes =
        item && launch.bytes ? std::optional(*launch.bytes + static_cast<double>(own) * *item) : std::nullopt;
    return true;
  }

  [[nodiscard]] bool IsWide(ir::ValueId value) const {
    return value.valid() && facts_.IsDevice(value) && !facts_.IsZeroD(value) &&
           !analysis::HoldsOneNumber(facts_, value);
  }

  bool Launches(ir::ValueId op, std::span<const ir::ValueId> operands) {
    Launch launch;
    launch.op = op;
    launch.bytes = 0;
    // `u[1:-1] = v` writes as much as it reads.
    const bool stores = program_.ops[op].kind == OpKind::kStoreSubscript && IsWide(program_.Operand(op, 1));
    for (const ir::ValueId operand : operands) {
      const bool part = stores && operand == program_.Operand(op, 0);
      if (IsWide(operand) && !Add(launch, operand, SpanIn(op, operand), !part)) return false;
    }
    if (stores && launch.bytes) *launch.bytes *= 2;
    // A result whose length the data decides is no longer than what it comes from.
    const bool bounded = facts_.Of(op).unbounded && launch.stored > 0;
    if (IsWide(op) && !bounded && !Add(launch, op, program_.ops[op].span, true)) return false;
    if (launch.stored == 0) return true;
    if (const MatrixProduct product = AsMatrixProduct(facts_, op); product && product.rank >= 2) {
      if (!CountProduct(product, launch)) return false;
    }
    work_.launches.push_back(launch);
    return true;
  }

  // A product of m * k by k * n is a launch over m * k * n.
  bool CountProduct(const MatrixProduct& product, Launch& launch) const {
    if (product.factors.size() != 2 || product.einsum) return false;
    ir::DimStore& dims = facts_.store().dims();
    const auto inner = dims.AsConst(facts_.ExtentOf(product.factors[0], -1));
    const auto result =
        facts_.IsZeroD(product.op) ? std::optional<std::int64_t>(1) : dims.AsConst(facts_.VolumeOf(product.op));
    if (!inner || !result || *inner <= 0 || *result > INT64_MAX / *inner) return false;
    launch.launched = std::max(launch.launched, *inner * *result);
    launch.flops = 2.0 * static_cast<double>(*inner) * static_cast<double>(*result);
    return true;
  }

  [[nodiscard]] Span SpanIn(ir::ValueId op, ir::ValueId operand) const {
    const auto operands = program_.Operands(op);
    for (std::uint32_t i = 0; i < operands.size(); ++i) {
      if (operands[i] == operand) return program_.OperandSpan(op, i);
    }
    const ir::ValueId callee = operands.empty() ? ir::ValueId() : operands[0];
    const bool method = callee.valid() && program_.ops[callee].kind == OpKind::kAttr;
    return method ? program_.OperandSpan(callee, 0) : program_.ops[op].span;
  }

  const Facts& facts_;
  const ir::Program& program_;
  ir::LoopId loop_;
  std::vector<ir::FunctionId> pending_;
  std::set<ir::FunctionId> seen_;
  Workload work_;
};

ir::ValueId SomeOpOf(const ir::Program& program, ir::LoopId loop) {
  if (program.loops[loop].item.valid()) return program.loops[loop].item;
  const std::span<const ir::ValueId> ops = program.blocks[program.loops[loop].body].ops;
  return ops.empty() ? ir::ValueId::None() : ops.front();
}

}  // namespace

bool IsHotRegion(const Facts& facts, ir::LoopId loop) {
  if (!facts.program().loops[loop].body.valid()) return false;
  const ir::ValueId op = SomeOpOf(facts.program(), loop);
  if (!op.valid()) return false;
  const analysis::Heat& heat = facts.HeatOf(op);
  return heat.hot && !heat.dead && heat.region == loop && !heat.callback.valid();
}

std::optional<Workload> WorkloadOf(const Facts& facts, ir::LoopId loop) {
  switch (facts.LoopFactOf(loop).kind) {
    case LoopKind::kIter:
    case LoopKind::kElement:
    case LoopKind::kRecurrence:
    case LoopKind::kCompiled:
    case LoopKind::kUnknown: return std::nullopt;
    default: return Counter(facts, loop).Count();
  }
}

std::string Grouped(std::int64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3 && digits[at - 4] != '-';) {
    at -= 3;
    digits.insert(at, ",");
  }
  return digits;
}

}  // namespace cpnlint::rules::match
