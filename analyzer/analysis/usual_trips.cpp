// How many passes a loop makes where nobody asks for more.

#include <algorithm>
#include <string_view>

#include "analyzer/analysis/call_path.h"
#include "analyzer/analysis/engine.h"

namespace cpnlint::analysis {
namespace {

using Most = std::optional<std::int64_t>;

constexpr int kMostSteps = 8;
constexpr std::size_t kMostPlaces = 32;  // that assign or hand over one count

// Attributes by name alone: of objects whose class nobody knows.
constexpr std::uint64_t kAnyClass = 0xffff'ffff;

// `grid.dim`: what is called so has three as a rule.
Most DimensionsByName(std::string_view name) { return name == "dim" || name == "ndim" ? Most(3) : std::nullopt; }

class Counter {
 public:
  Counter(const Facts& facts, Facts::Impl& impl) : facts_(facts), impl_(impl), program_(facts.program()) {}

  // NOLINTNEXTLINE(misc-no-recursion): `steps` bounds it
  [[nodiscard]] Most Of(ir::ValueId id, int steps) {
    id = id.valid() ? facts_.Source(id) : id;
    if (!id.valid() || steps > kMostSteps) return std::nullopt;
    if (const Most known = facts_.IntOf(id)) return known;
    const ir::Op& op = program_.ops[id];
    switch (op.kind) {
      case ir::OpKind::kParam: return OfParam(id, steps);
      case ir::OpKind::kAttr: {
        const Most most = OfAttribute(id, steps);
        return most ? most : DimensionsByName(impl_.names.Text(program_.SymbolOf(op)));
      }
      case ir::OpKind::kBinary: return OfBinary(id, steps);
      case ir::OpKind::kCall: return OfCall(id, steps);
      case ir::OpKind::kLoadCell: {  // a variable of the function around
        std::vector<ir::ValueId> stored;
        for (const ir::ValueId store : program_.cells[ir::CellId(op.payload)].stores)
          stored.push_back(program_.Operand(store, 0));
        return OfAll(stored, steps);
      }
      case ir::OpKind::kPhi: {
        const std::span<const ir::ValueId> paths = program_.Operands(op);
        return OfAll(std::vector<ir::ValueId>(paths.begin(), paths.end()), steps);
      }
      default: return std::nullopt;
    }
  }

 private:
  // NOLINTNEXTLINE(misc-no-recursion)
  [[nodiscard]] Most OfAll(const std::vector<ir::ValueId>& values, int steps) {
    Most most;
    if (values.size() > kMostPlaces) return most;
    for (const ir::ValueId value : values) {
      if (facts_.IsNoneConstant(value)) continue;  // not there yet
      const Most one = Of(value, steps + 1);
      if (!one) return std::nullopt;
      most = std::max(most.value_or(*one), *one);
    }
    return most;
  }

  // NOLINTNEXTLINE(misc-no-recursion)
  [[nodiscard]] Most OfParam(ir::ValueId id, int steps) {
    const ir::FunctionId function = program_.FunctionOf(id);
    const List<ir::Param> params = program_.functions[function].params;
    const auto param = std::find_if(params.begin(), params.end(), [&](const ir::Param& p) { return p.value == id; });
    if (param == params.end()) return std::nullopt;
    // Whoever has to say how many is not to be found here, unless all callers are.
    const bool left_out = param->default_value.valid();
    if (!left_out && !impl_.functions[function].closed) return std::nullopt;
    std::vector<ir::ValueId> handed;
    if (left_out) handed.push_back(param->default_value);
    for (const ir::ValueId call : facts_.CallSitesOf(function)) {
      if (handed.size() > kMostPlaces) return std::nullopt;
      if (program_.ops[call].kind != ir::OpKind::kCall) return std::nullopt;
      ir::ValueId over = facts_.KeywordArgument(call, impl_.names.Text(param->name));
      if (!over.valid())
        over = HandedOver(facts_, call, function, static_cast<std::size_t>(param - params.begin())).value;
      if (over.valid())
        handed.push_back(over);
      else if (!left_out)
        return std::nullopt;  // `f(*args)`
    }
    return OfAll(handed, steps);
  }

  // NOLINTNEXTLINE(misc-no-recursion)
  [[nodiscard]] Most OfAttribute(ir::ValueId id, int steps) {
    const Value& object = facts_.Of(program_.Operand(id, 0));
    IndexAttributeStores(impl_);
    std::uint64_t owner = 0;
    if (object.kind == Kind::kInstance) {
      owner = SlotKey(FamilyOf(impl_, object.class_id), program_.SymbolOf(program_.ops[id]));
    } else if (object.kind == Kind::kUnknown) {
      owner = kAnyClass << 32 | program_.SymbolOf(program_.ops[id]).index();
    } else {
      return std::nullopt;
    }
    const auto stores = impl_.attribute_stores.find(owner);
    return stores == impl_.attribute_stores.end() ? std::nullopt : OfAll(stores->second, steps);
  }

  // NOLINTNEXTLINE(misc-no-recursion)
  [[nodiscard]] Most OfBinary(ir::ValueId id, int steps) {
    const Most left = Of(program_.Operand(id, 0), steps + 1);
    const Most right = left ? Of(program_.Operand(id, 1), steps + 1) : std::nullopt;
    if (!right || *left < 0 || *right < 0 || *left > kLargest || *right > kLargest) return std::nullopt;
    switch (static_cast<ir::BinaryOp>(program_.ops[id].detail)) {
      case ir::BinaryOp::kAdd: return *left + *right;
      case ir::BinaryOp::kMul: return *left * *right;
      case ir::BinaryOp::kSub: return facts_.IntOf(program_.Operand(id, 1)) ? Most(*left - *right) : std::nullopt;
      default: return std::nullopt;
    }
  }

  // NOLINTNEXTLINE(misc-no-recursion)
  [[nodiscard]] Most OfCall(ir::ValueId id, int steps) {
    const Callee& callee = facts_.CalleeOf(id);
    if (callee.kind == Callee::Kind::kBuiltin && callee.name == "int") return Of(program_.Operand(id, 1), steps + 1);
    if (callee.kind != Callee::Kind::kLocal || program_.functions[callee.function].is_generator) return std::nullopt;
    std::vector<ir::ValueId> returned;
    for (const ir::ValueId leave : program_.functions[callee.function].returns)
      returned.push_back(program_.Operand(leave, 0));
    return OfAll(returned, steps);
  }

  static constexpr std::int64_t kLargest = 1 << 20;

  const Facts& facts_;
  Facts::Impl& impl_;
  const ir::Program& program_;
};

// `range(n)` of `for i in range(n)` and `for i, x in enumerate(range(n))`.
ir::ValueId RangeOf(const Facts& facts, ir::ValueId iterable) {
  const ir::Program& program = facts.program();
  for (int steps = 0; steps < 3 && iterable.valid(); ++steps) {
    const ir::ValueId source = facts.Source(iterable);
    if (!source.valid() || program.ops[source].kind != ir::OpKind::kCall || program.ops[source].operand_count < 2)
      return {};
    const Callee& callee = facts.CalleeOf(source);
    if (callee.kind == Callee::Kind::kBuiltin && callee.name == "range") return source;
    const bool hands_on = callee.kind == Callee::Kind::kBuiltin &&
                          (callee.name == "enumerate" || callee.name == "reversed" || callee.name == "list");
    if (!hands_on) return {};
    iterable = program.Operand(source, 1);
  }
  return {};
}

Most Count(const Facts& facts, Facts::Impl& impl, ir::LoopId loop) {
  const ir::Program& program = facts.program();
  const ir::ValueId range = RangeOf(facts, program.loops[loop].iterable);
  if (!range.valid() || facts.HasStarArguments(range)) return std::nullopt;
  Counter counter(facts, impl);
  if (facts.PositionalCount(range) == 1) return counter.Of(program.Operand(range, 1), 0);
  const Most first = facts.IntOf(program.Operand(range, 1));
  const Most last = first ? counter.Of(program.Operand(range, 2), 0) : std::nullopt;
  return last && facts.PositionalCount(range) == 2 ? Most(*last - *first) : std::nullopt;
}

}  // namespace

void IndexAttributeStores(Facts::Impl& impl) {
  if (impl.attribute_stores_known) return;
  impl.attribute_stores_known = true;
  const ir::Program& program = impl.program;
  for (std::size_t i = 0; i < program.ops.size(); ++i) {
    const ir::Op& op = program.ops[ir::ValueId(i)];
    if (op.kind != ir::OpKind::kStoreAttr) continue;
    const ir::ValueId stored = program.Operand(ir::ValueId(i), 1);
    impl.attribute_stores[kAnyClass << 32 | program.SymbolOf(op).index()].push_back(stored);
    const Value& object = impl.Of(program.Operand(ir::ValueId(i), 0));
    if (object.kind != Kind::kInstance) continue;
    impl.attribute_stores[SlotKey(FamilyOf(impl, object.class_id), program.SymbolOf(op))].push_back(stored);
  }
}

namespace {

// The most that `range(self.order)` counts to, by the constants that are assigned to the attribute, handed over for a
// parameter, or stand as its default. nullopt where a count comes from anywhere else.
Most UsualTrips(const Facts& facts, Facts::Impl& impl, ir::LoopId loop) {
  if (const auto found = impl.usual_trips.find(loop); found != impl.usual_trips.end()) return found->second;
  const Most most = Count(facts, impl, loop);
  impl.usual_trips.emplace(loop, most);
  return most;
}

}  // namespace

bool MakesFewPasses(const Facts& facts, Facts::Impl& impl, ir::LoopId loop) {
  constexpr std::int64_t kHotTrips = 8;  // hot.min_trips
  const std::optional<std::int64_t> usual = UsualTrips(facts, impl, loop);
  return usual && *usual < kHotTrips;
}

}  // namespace cpnlint::analysis
