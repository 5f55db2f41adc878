// Whether an array has the same shape on every pass of a loop, whatever happens to its elements.

#include <algorithm>
#include <array>
#include <unordered_set>

#include "analyzer/analysis/call_path.h"
#include "analyzer/analysis/changes.h"
#include "analyzer/analysis/impl.h"
#include "analyzer/api/api.h"

namespace cpnlint::analysis {
namespace {

// Symbols whose instance is an op stand for what that op gave; the others (cells, attributes) for one number of the
// run.
constexpr std::size_t kMostOps = 400;

// `np.diag(a, k)`, `np.repeat(a, k)`: the second argument counts entries.
bool ShapedBySecond(std::string_view name) {
  constexpr auto kNames =
      std::to_array<std::string_view>({"numpy.arange", "numpy.diag", "numpy.diagflat", "numpy.diagonal", "numpy.eye",
                                       "numpy.pad", "numpy.repeat", "numpy.tile", "numpy.tri"});
  return std::ranges::find(kNames, name) != kNames.end();
}

class ExtentsCheck {
 public:
  ExtentsCheck(const Facts& facts, Facts::Impl& impl, ir::LoopId loop)
      : facts_(facts), impl_(impl), program_(facts.program()), loop_(loop) {}

  bool Holds(ir::ValueId array) {
    Add(array);
    while (!work_.empty()) {
      const ir::ValueId next = work_.back();
      work_.pop_back();
      if (seen_.size() > kMostOps || !Step(next)) return false;
    }
    return true;
  }

 private:
  void Add(ir::ValueId id) {
    if (id.valid() && seen_.insert(id).second) work_.push_back(id);
  }

  // Work that keeps the shape of its arrays. Anything else may join or cut.
  [[nodiscard]] bool KeepsShape(ir::ValueId id) const {
    switch (program_.ops[id].kind) {
      case ir::OpKind::kPhi:
      case ir::OpKind::kAnnotate:
      case ir::OpKind::kBinary:
      case ir::OpKind::kInplaceBinary:
      case ir::OpKind::kUnary:
      case ir::OpKind::kCompare: return true;
      case ir::OpKind::kCall: {
        const std::string_view name = facts_.CalleeOf(id).name;
        return api::IsUfunc(name) || name.ends_with("_like") || name.ends_with(".copy");
      }
      default: return false;
    }
  }

  // A later value of the Phi is made from an earlier one by something that may join or cut.
  [[nodiscard]] bool GrowsInCycle(ir::ValueId phi) const {
    std::vector<std::pair<ir::ValueId, bool>> work = {{phi, false}};
    std::unordered_set<std::uint64_t> seen;
    while (!work.empty() && seen.size() < 2 * kMostOps) {
      const auto [id, cut] = work.back();
      work.pop_back();
      const auto operands = program_.Operands(id);
      const std::size_t count = program_.ops[id].kind == ir::OpKind::kInplaceBinary ? 1 : operands.size();
      for (std::size_t i = 0; i < count; ++i) {
        const ir::ValueId next = operands[i];
        if (!next.valid() || program_.FunctionOf(next) != program_.FunctionOf(phi)) continue;
        if (next == phi && cut) return true;
        const bool then_cut = cut || !KeepsShape(next);
        if (seen.insert(std::uint64_t{next.index()} * 2 + (then_cut ? 1 : 0)).second) work.emplace_back(next, then_cut);
      }
    }
    return !work.empty();
  }

  // A value that is an array because what is made of it in place is one, be it that no more is known of it.
  void AddArray(ir::ValueId id) {
    if (id.valid() && facts_.Of(id).kind == Kind::kUnknown) as_array_.insert(id);
    Add(id);
  }

  // Queues what the shape of `id` rests on; false where it may change from pass to pass.
  bool Step(ir::ValueId id) {
    const ir::FunctionId function = program_.FunctionOf(id);
    const bool same_function = function == program_.loops[loop_].function;
    if (same_function && ContainerChangedIn(facts_, id, loop_)) return false;  // a list that grows
    if (same_function && !facts_.InLoop(id, loop_)) return true;
    if (facts_.IsArray(id) && ShapeIsFixed(id, same_function)) return true;
    const ir::Op& op = program_.ops[id];
    if (op.kind == ir::OpKind::kParam) return AddArguments(function, op.detail);
    if (!facts_.IsArray(id) && !as_array_.contains(id)) return AddScalar(id, op, same_function);
    if (facts_.Of(id).unbounded) return false;
    switch (op.kind) {
      case ir::OpKind::kPhi:
        if (GrowsInCycle(id)) return false;
        if (as_array_.contains(id)) {
          for (const ir::ValueId operand : program_.Operands(id)) AddArray(operand);
        }
        break;
      case ir::OpKind::kInplaceBinary:  // the target keeps its shape, whatever is added
        AddArray(program_.Operand(id, 0));
        return true;
      case ir::OpKind::kAnnotate:
      case ir::OpKind::kBinary:
      case ir::OpKind::kUnary:
      case ir::OpKind::kCompare: break;
      case ir::OpKind::kAttr:
        if (!facts_.IsArray(program_.Operand(id, 0))) return AddAttribute(id, op);
        break;
      case ir::OpKind::kSubscript: {
        const SubscriptResult::Selects selects = facts_.SubscriptOf(id).selects;
        if (selects != SubscriptResult::Selects::kView && selects != SubscriptResult::Selects::kElement) return false;
        break;
      }
      case ir::OpKind::kCall: {
        const Callee& callee = facts_.CalleeOf(id);
        if (callee.kind != Callee::Kind::kApi && callee.kind != Callee::Kind::kMethod) return false;
        break;
      }
      default: return false;
    }
    const auto operands = program_.Operands(id);
    const bool call = op.kind == ir::OpKind::kCall;
    const bool shaped_by_numbers =
        op.kind == ir::OpKind::kSubscript || (call && !api::IsUfunc(facts_.CalleeOf(id).name));
    const std::size_t first = call && facts_.CalleeOf(id).kind == Callee::Kind::kApi ? 1 : 0;
    if (shaped_by_numbers && first < operands.size() && MayChange(operands[first])) return false;
    if (call && ShapedBySecond(facts_.CalleeOf(id).name) && first + 1 < operands.size() &&
        MayChange(operands[first + 1]))
      return false;
    if (call && MayChange(SizeOfDraw(id))) return false;
    for (std::size_t i = first; i < operands.size(); ++i) {
      // u + dt * i: a number does not shape the result of elementwise work, whatever its value.
      if (operands[i].valid() && (shaped_by_numbers || !IsNumber(facts_.Of(operands[i]).kind))) Add(operands[i]);
    }
    return true;
  }

  // All extents are known, and none of their symbols is a number that a pass of the loop makes.
  bool ShapeIsFixed(ir::ValueId id, bool same_function) {
    const ShapeId shape = facts_.Of(id).shape;
    if (!shape.valid()) return false;
    bool fixed = true;
    DimStoreWalk(
        facts_.store().Get(shape),
        [&](Symbol name, std::uint32_t instance) {
          // An attribute stands for one number, as long as no pass stores another one.
          if (instance >= kClassInstance && IsStored(name)) fixed = false;
          if (instance >= kCellInstance || instance >= program_.ops.size()) return;
          const ir::ValueId origin(instance);
          const ir::FunctionId made_in = program_.FunctionOf(origin);
          // What the constructor of an object was given stays, unless the loop makes objects.
          if (made_in == program_.loops[loop_].function ? facts_.InLoop(origin, loop_)
                                                        : !same_function && ReachedFrom(facts_, made_in, loop_))
            fixed = false;
        },
        fixed);
    return fixed;
  }

  template <class Visit>
  void DimStoreWalk(const Shape& shape, const Visit& visit, bool& known) {
    // NOLINTNEXTLINE(performance-unnecessary-copy-initialization): substituting may grow the store
    const Shape extents = shape;
    for (const ir::DimId extent : extents) {
      if (!extent.valid()) {
        known = false;
        return;
      }
      facts_.store().dims().Substitute(extent, [&](Symbol name, std::uint32_t instance) {
        visit(name, instance);
        return ir::DimId::None();
      });
    }
  }

  // A pass of the loop assigns the attribute. Code that nobody sees seldom gives an object's array another shape.
  [[nodiscard]] bool IsStored(Symbol attribute) const {
    return AttributesStoredIn(facts_, impl_, loop_).contains(attribute);
  }

  // What an object holds, and no pass of the loop puts something else in.
  bool AddAttribute(ir::ValueId id, const ir::Op& op) {
    const ir::ValueId object = program_.Operand(id, 0);
    if (facts_.Of(object).kind != Kind::kInstance || IsStored(program_.SymbolOf(op))) return false;
    if (IsKeptAndChanged(facts_, id)) return false;
    Add(object);
    return true;
  }

  bool AddScalar(ir::ValueId id, const ir::Op& op, bool same_function) {
    const Value& value = facts_.Of(id);
    if (value.constant || value.kind == Kind::kDType || value.kind == Kind::kApi || value.kind == Kind::kBuiltin)
      return true;
    if (same_function && facts_.Invariant(id, loop_)) return true;
    switch (op.kind) {
      case ir::OpKind::kNone:
      case ir::OpKind::kEllipsis:
      case ir::OpKind::kBool:
      case ir::OpKind::kInt:
      case ir::OpKind::kFloat:
      case ir::OpKind::kComplex:
      case ir::OpKind::kStr: return true;
      case ir::OpKind::kAttr:  // x.shape of an array whose shape stays
        if (!facts_.IsArray(program_.Operand(id, 0)) && value.kind != Kind::kMethod) return AddAttribute(id, op);
        break;
      case ir::OpKind::kLoadCell: return program_.cells[ir::CellId(op.payload)].stores.size() <= 1;
      case ir::OpKind::kBinary:
      case ir::OpKind::kUnary:
      case ir::OpKind::kTuple:
      case ir::OpKind::kList:
      case ir::OpKind::kSlice:
      case ir::OpKind::kUnpackItem:
      case ir::OpKind::kSubscript: break;
      case ir::OpKind::kCall:
        if (facts_.CalleeOf(id).kind != Callee::Kind::kBuiltin) return false;
        break;
      default: return false;
    }
    for (const ir::ValueId operand : program_.Operands(id)) {
      if (MayChange(operand)) return false;
      Add(operand);
    }
    return true;
  }

  // A number computed from an array, `mask.sum()`: an array of no axes, whose value is what shapes others.
  bool MayChange(ir::ValueId number) const {
    if (!number.valid() || !facts_.IsArray(number) || !facts_.IsZeroD(number)) return false;
    return program_.FunctionOf(number) != program_.loops[loop_].function || !facts_.Invariant(number, loop_);
  }

  // `np.random.randint(0, 5, mask.sum())`: the size that a draw is given.
  [[nodiscard]] ir::ValueId SizeOfDraw(ir::ValueId call) const {
    const std::string_view name = facts_.CalleeOf(call).name;
    const api::Entry* row = name.starts_with("numpy.random.") ? api::Find(name) : nullptr;
    const auto at = row == nullptr ? std::nullopt : api::ParameterPosition(*row, "size");
    return at ? facts_.Argument(call, *at, "size") : ir::ValueId::None();
  }

  // The parameter of a function that the loop calls: what all its calls pass, and all of them stand in the loop.
  bool AddArguments(ir::FunctionId function, std::size_t index) {
    const ir::Function& callee = program_.functions[function];
    const auto sites = facts_.CallSitesOf(function);
    if (sites.empty() || index >= callee.params.size()) return false;
    const bool method = callee.owner.valid() && !callee.params.empty();
    if (method && index == 0) return true;
    for (const ir::ValueId site : sites) {
      if (program_.FunctionOf(site) != program_.loops[loop_].function) return false;
      if (!facts_.InLoop(site, loop_)) continue;
      if (facts_.HasStarArguments(site)) return false;
      const std::string_view name = program_.names.Text(callee.params[index].name);
      const ir::ValueId argument = facts_.Argument(site, method ? index - 1 : index, name);
      if (argument.valid()) Add(argument);
    }
    return true;
  }

  const Facts& facts_;
  Facts::Impl& impl_;
  const ir::Program& program_;
  ir::LoopId loop_;
  std::vector<ir::ValueId> work_;
  std::unordered_set<ir::ValueId> seen_;
  std::unordered_set<ir::ValueId> as_array_;
};

}  // namespace

bool Facts::ExtentsInvariant(ir::ValueId array, ir::LoopId loop) const {
  if (!array.valid() || !loop.valid()) return false;
  // In the loop's own function, yet outside of the loop: the loop calls that function again, and what it passes is not
  // followed.
  if (program_.FunctionOf(array) == program_.loops[loop].function && !InLoop(array, loop)) return false;
  return ExtentsCheck(*this, *impl_, loop).Holds(array);
}

}  // namespace cpnlint::analysis
