// The largest of the constants that a number can be: for certain, or where nobody asks for more.

#include <algorithm>
#include <span>
#include <string_view>

#include "analyzer/analysis/call_path.h"
#include "analyzer/analysis/engine.h"

namespace cpnlint::analysis {
namespace {

using Most = std::optional<std::int64_t>;

constexpr int kMostSteps = 8;
constexpr int kMostLookedAt = 1024;
constexpr std::size_t kMostPlaces = 32;  // that assign or hand over one count
constexpr std::size_t kMostStored = 8;   // in an attribute, for a proof

// Attributes by name alone: of objects whose class nobody knows.
constexpr std::uint64_t kAnyClass = 0xffff'ffff;

// `grid.dim`: what is called so has three as a rule.
Most DimensionsByName(std::string_view name) { return name == "dim" || name == "ndim" ? Most(3) : std::nullopt; }

enum class Trust : std::uint8_t {
  kProof,  // it is one of them: what a function returns, what an attribute is ever set to
  kUsage,  // ... of those in sight: defaults, arguments, attributes by their name; others may ask for more
};

class Largest {
 public:
  Largest(const Facts& facts, Facts::Impl& impl, Trust trust)
      : facts_(facts), impl_(impl), program_(facts.program()), by_usage_(trust == Trust::kUsage) {}

  // nullopt where it may be something else.
  // NOLINTNEXTLINE(misc-no-recursion): `steps` bounds it
  [[nodiscard]] Most Of(ir::ValueId id, int steps = 0) {
    id = id.valid() ? facts_.Source(id) : id;
    if (!id.valid() || steps > kMostSteps || ++looked_at_ > kMostLookedAt) return std::nullopt;
    if (const Most known = facts_.IntOf(id)) return known;
    const ir::Op& op = program_.ops[id];
    switch (op.kind) {
      case ir::OpKind::kAttr: return OfAttribute(id, steps);
      case ir::OpKind::kCall: return OfCall(id, steps);
      case ir::OpKind::kPhi: return OfAll(program_.Operands(op), steps);
      case ir::OpKind::kParam: return by_usage_ ? OfParam(id, steps) : std::nullopt;
      case ir::OpKind::kBinary: return by_usage_ ? OfBinary(id, steps) : std::nullopt;
      case ir::OpKind::kLoadCell: return by_usage_ ? OfCell(ir::CellId(op.payload), steps) : std::nullopt;
      default: return std::nullopt;
    }
  }

  // Of what a symbol of a size stands for: an op, a variable or an attribute (kCellInstance, kClassInstance).
  [[nodiscard]] Most OfSymbol(Symbol name, std::uint32_t instance) {
    if (instance < kCellInstance) return instance < program_.ops.size() ? Of(ir::ValueId(instance)) : std::nullopt;
    if (instance < kClassInstance) return OfCell(ir::CellId(instance - kCellInstance), 0);
    const Most stored = OfStores(SlotKey(ir::ClassId(instance - kClassInstance), name), 0);
    return stored ? stored : DimensionsByName(impl_.names.Text(name));
  }

 private:
  // NOLINTNEXTLINE(misc-no-recursion)
  [[nodiscard]] Most OfAll(std::span<const ir::ValueId> values, int steps) {
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
    const Symbol name = program_.SymbolOf(program_.ops[id]);
    if (!by_usage_) return object.kind == Kind::kInstance ? OfSlots(object.class_id, name, steps) : std::nullopt;
    Most most;
    if (object.kind == Kind::kInstance) most = OfStores(SlotKey(FamilyOf(impl_, object.class_id), name), steps);
    if (object.kind == Kind::kUnknown) most = OfStores(kAnyClass << 32 | name.index(), steps);
    return most ? most : DimensionsByName(impl_.names.Text(name));
  }

  // NOLINTNEXTLINE(misc-no-recursion)
  [[nodiscard]] Most OfSlots(ir::ClassId object, Symbol name, int steps) {
    std::vector<ir::ValueId> stored;
    for (const ir::ClassId kin : impl_.kin[object]) {
      const auto found = impl_.slot_of.find(SlotKey(kin, name));
      if (found == impl_.slot_of.end()) continue;
      const std::vector<ir::ValueId>& here = impl_.slots[found->second].stored;
      stored.insert(stored.end(), here.begin(), here.end());
    }
    return stored.size() > kMostStored ? std::nullopt : OfAll(stored, steps);
  }

  // NOLINTNEXTLINE(misc-no-recursion)
  [[nodiscard]] Most OfStores(std::uint64_t owner, int steps) {
    IndexAttributeStores(impl_);
    const auto stores = impl_.attribute_stores.find(owner);
    return stores == impl_.attribute_stores.end() ? std::nullopt : OfAll(stores->second, steps);
  }

  // A variable of the function around.
  // NOLINTNEXTLINE(misc-no-recursion)
  [[nodiscard]] Most OfCell(ir::CellId cell, int steps) {
    std::vector<ir::ValueId> stored;
    for (const ir::ValueId store : program_.cells[cell].stores) stored.push_back(program_.Operand(store, 0));
    return OfAll(stored, steps);
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
    if (by_usage_ && callee.kind == Callee::Kind::kBuiltin && callee.name == "int")
      return Of(program_.Operand(id, 1), steps + 1);
    if (callee.kind != Callee::Kind::kLocal) return std::nullopt;
    const ir::Function& function = program_.functions[callee.function];
    if (function.is_generator || function.is_async) return std::nullopt;
    std::vector<ir::ValueId> returned;
    for (const ir::ValueId leave : function.returns) returned.push_back(program_.Operand(leave, 0));
    return OfAll(returned, steps);
  }

  static constexpr std::int64_t kLargest = 1 << 20;

  const Facts& facts_;
  Facts::Impl& impl_;
  const ir::Program& program_;
  const bool by_usage_;
  int looked_at_ = 0;
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
  Largest largest(facts, impl, Trust::kUsage);
  if (facts.PositionalCount(range) == 1) return largest.Of(program.Operand(range, 1));
  const Most first = facts.IntOf(program.Operand(range, 1));
  const Most last = first ? largest.Of(program.Operand(range, 2)) : std::nullopt;
  return last && facts.PositionalCount(range) == 2 ? Most(*last - *first) : std::nullopt;
}

}  // namespace

std::optional<std::int64_t> LargestConstant(const Facts& facts, Facts::Impl& impl, ir::ValueId number) {
  return Largest(facts, impl, Trust::kProof).Of(number);
}

std::optional<std::int64_t> UsualSize(const Facts& facts, Facts::Impl& impl, ir::DimId size) {
  constexpr double kLargest = 1 << 20;
  if (!size.valid()) return std::nullopt;
  Largest largest(facts, impl, Trust::kUsage);
  bool known = true;
  const auto usual = impl.store.dims().Evaluate(size, [&](Symbol name, std::uint32_t instance) {
    const Most most = largest.OfSymbol(name, instance);
    known = known && most.has_value();
    return static_cast<double>(most.value_or(0));
  });
  return known && usual && *usual >= 0 && *usual < kLargest ? Most(static_cast<std::int64_t>(*usual)) : std::nullopt;
}

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
