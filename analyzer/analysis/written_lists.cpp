#include "analyzer/analysis/written_lists.h"

#include <algorithm>

#include "analyzer/analysis/axis_use.h"
#include "analyzer/analysis/callee_names.h"
#include "analyzer/analysis/left_out.h"

namespace cpnlint::analysis {
namespace {

constexpr std::size_t kMostGrowths = 10;
constexpr int kMostTests = 32;

// What one statement adds.
struct Growth {
  ir::BlockId block;
  std::int64_t items = 0;
};

class WrittenList {
 public:
  WrittenList(const Facts& facts, ir::ValueId list) : facts_(facts), program_(facts.program()), list_(list) {}

  [[nodiscard]] std::optional<std::int64_t> Most() {
    const std::optional<std::int64_t> first = ItemsOf(list_);
    if (!first) return std::nullopt;
    for (const ir::ValueId user : facts_.DeepUsesOf(list_)) {
      if (!See(user) || growths_.size() > kMostGrowths) return std::nullopt;
    }
    return *first + MostAdded(0, {});
  }

 private:
  [[nodiscard]] bool IsList(ir::ValueId id) const { return id.valid() && facts_.Source(id) == list_; }

  // Of a display without stars.
  [[nodiscard]] std::optional<std::int64_t> ItemsOf(ir::ValueId id) const {
    const ir::ValueId display = id.valid() ? facts_.Source(id) : id;
    if (!display.valid()) return std::nullopt;
    const ir::OpKind kind = program_.ops[display].kind;
    if (kind != ir::OpKind::kList && kind != ir::OpKind::kTuple) return std::nullopt;
    const auto items = program_.Operands(display);
    const auto is_starred = [&](ir::ValueId item) { return program_.ops[item].kind == ir::OpKind::kStarred; };
    if (std::ranges::any_of(items, is_starred)) return std::nullopt;
    return static_cast<std::int64_t>(items.size());
  }

  // false where nobody knows what the use adds.
  // NOLINTNEXTLINE(misc-no-recursion): what += gives is looked at once
  [[nodiscard]] bool See(ir::ValueId user) {
    const ir::Op& op = program_.ops[user];
    switch (op.kind) {
      case ir::OpKind::kIter:
      case ir::OpKind::kSubscript:
      case ir::OpKind::kCompare:
      case ir::OpKind::kTruth:
      case ir::OpKind::kStarred:
      case ir::OpKind::kFormatString:
      case ir::OpKind::kUnpackItem:
      case ir::OpKind::kDelSubscript:
      case ir::OpKind::kBinary:
      case ir::OpKind::kReturn: return true;
      case ir::OpKind::kStoreSubscript:  // names[0] = "y", and not names[:] = others
        return op.operand_count == 3 && facts_.Of(program_.Operand(user, 2)).kind == Kind::kInt;
      case ir::OpKind::kInplaceBinary: {
        const bool longer =
            IsList(program_.Operand(user, 0)) && static_cast<ir::BinaryOp>(op.detail) == ir::BinaryOp::kAdd;
        const auto items = longer ? ItemsOf(program_.Operand(user, 1)) : std::nullopt;
        return items && Add(user, *items) && SeeAllOf(user);
      }
      case ir::OpKind::kCall: return !IsHandedOn(user);
      case ir::OpKind::kAttr: return SeeMethod(user);
      default: return false;
    }
  }

  // What `names += [...]` gives is the list again.
  // NOLINTNEXTLINE(misc-no-recursion)
  [[nodiscard]] bool SeeAllOf(ir::ValueId again) {
    const std::vector<ir::ValueId> users = facts_.DeepUsesOf(again);
    // NOLINTNEXTLINE(misc-no-recursion)
    const auto see = [&](ir::ValueId user) {
      return program_.ops[user].kind != ir::OpKind::kInplaceBinary && See(user);
    };
    return std::ranges::all_of(users, see);
  }

  // A function of the program or of who knows which library may make the list longer.
  [[nodiscard]] bool IsHandedOn(ir::ValueId call) const {
    const Callee::Kind kind = facts_.CalleeOf(call).kind;
    return kind != Callee::Kind::kApi && kind != Callee::Kind::kBuiltin && kind != Callee::Kind::kMethod &&
           kind != Callee::Kind::kContainerMethod;
  }

  [[nodiscard]] bool SeeMethod(ir::ValueId method) {
    const std::string_view name = program_.Name(program_.ops[method]);
    if (IsOneOf(name, {"copy", "count", "index", "sort", "reverse", "remove", "pop", "clear"})) return true;
    if (!IsOneOf(name, {"append", "extend", "insert"})) return false;
    const auto calls = facts_.UsesOf(method);
    return std::ranges::all_of(calls, [&](ir::ValueId call) {
      if (program_.ops[call].kind != ir::OpKind::kCall || program_.Operand(call, 0) != method) return false;
      const auto items = name == "extend" ? ItemsOf(program_.Operand(call, 1)) : std::optional<std::int64_t>(1);
      return items && Add(call, *items);
    });
  }

  // Once, and not on each pass of a loop.
  [[nodiscard]] bool Add(ir::ValueId op, std::int64_t items) {
    if (program_.LoopOf(op) != program_.LoopOf(list_)) return false;
    growths_.push_back({program_.ops[op].block, items});
    return true;
  }

  // The arms of one test that the two stand in are different ones.
  [[nodiscard]] bool Exclude(const Growth& a, const Growth& b) const {
    ir::GuardId one = program_.blocks[a.block].guard;
    for (int tests = 0; one.valid() && tests < kMostTests; ++tests, one = program_.guards[one].parent) {
      const ir::Guard& first = program_.guards[one];
      if (first.kind != ir::Guard::Kind::kTest) continue;
      ir::GuardId other = program_.blocks[b.block].guard;
      for (int more = 0; other.valid() && more < kMostTests; ++more, other = program_.guards[other].parent) {
        const ir::Guard& second = program_.guards[other];
        if (second.kind == ir::Guard::Kind::kTest && first.truth == second.truth && first.holds != second.holds)
          return true;
      }
    }
    return false;
  }

  // By statements that may all run.
  // NOLINTNEXTLINE(misc-no-recursion): kMostGrowths bounds it
  [[nodiscard]] std::int64_t MostAdded(std::size_t next, const std::vector<std::size_t>& taken) const {
    if (next == growths_.size()) return 0;
    const std::int64_t without = MostAdded(next + 1, taken);
    const auto excludes = [&](std::size_t one) { return Exclude(growths_[one], growths_[next]); };
    if (std::ranges::any_of(taken, excludes)) return without;
    std::vector<std::size_t> also = taken;
    also.push_back(next);
    return std::max(without, growths_[next].items + MostAdded(next + 1, also));
  }

  const Facts& facts_;
  const ir::Program& program_;
  ir::ValueId list_;
  std::vector<Growth> growths_;
};

}  // namespace

namespace {

constexpr std::size_t kMostForms = 8;

// The display that the list is, `names += ["y"]` in some arm or not; None() where it may be another one.
ir::ValueId MadeAt(const Facts& facts, ir::ValueId list) {
  const ir::Program& program = facts.program();
  std::vector<ir::ValueId> forms = {list};
  ir::ValueId made;
  for (std::size_t i = 0; i < forms.size(); ++i) {
    const ir::ValueId source = forms[i].valid() ? facts.Source(forms[i]) : forms[i];
    if (!source.valid() || forms.size() > kMostForms) return {};
    const ir::Op& op = program.ops[source];
    if (op.kind == ir::OpKind::kInplaceBinary) {
      forms.push_back(program.Operand(source, 0));
    } else if (op.kind == ir::OpKind::kPhi && i == 0) {
      const auto operands = program.Operands(source);
      forms.insert(forms.end(), operands.begin(), operands.end());
    } else if (op.kind == ir::OpKind::kList && (!made.valid() || made == source)) {
      made = source;
    } else {
      return {};
    }
  }
  return made;
}

// `names = ["x"]` in one arm and `names = ["y", "z"]` in another: the longest of them.
std::optional<std::int64_t> MostOfArms(const Facts& facts, ir::ValueId list) {
  const ir::Program& program = facts.program();
  const ir::ValueId phi = list.valid() ? facts.Source(list) : list;
  if (!phi.valid() || program.ops[phi].kind != ir::OpKind::kPhi || program.ops[phi].operand_count > kMostForms)
    return std::nullopt;
  std::optional<std::int64_t> most;
  for (const ir::ValueId arm : program.Operands(phi)) {
    const ir::ValueId made = MadeAt(facts, arm);
    const auto one = made.valid() ? WrittenList(facts, made).Most() : std::nullopt;
    if (!one) return std::nullopt;
    most = std::max(most.value_or(*one), *one);
  }
  return most;
}

}  // namespace

std::optional<std::int64_t> WrittenItems(const Facts& facts, ir::ValueId list) {
  const ir::ValueId source = MadeAt(facts, list);
  return source.valid() ? WrittenList(facts, source).Most() : MostOfArms(facts, list);
}

std::optional<std::int64_t> WrittenItemsWalked(const Facts& facts, ir::ValueId iterable) {
  constexpr int kMostLayers = 4;
  const ir::Program& program = facts.program();
  for (int layers = 0; layers < kMostLayers && iterable.valid(); ++layers) {
    const ir::ValueId source = facts.Source(iterable);
    if (!source.valid() || program.ops[source].kind != ir::OpKind::kCall) return WrittenItems(facts, source);
    const Callee& callee = facts.CalleeOf(source);
    if (callee.kind != Callee::Kind::kBuiltin || facts.HasStarArguments(source)) return std::nullopt;
    if (callee.name == "zip") {  // as long as the shortest
      std::optional<std::int64_t> least;
      for (const ir::ValueId part : program.Operands(source).subspan(1)) {
        const auto items = WrittenItems(facts, part);
        if (items) least = std::min(least.value_or(*items), *items);
      }
      return least;
    }
    if (!IsOneOf(callee.name, {"enumerate", "iter", "list", "reversed", "set", "sorted", "tuple"})) return std::nullopt;
    iterable = program.Operand(source, 1);
  }
  return std::nullopt;
}

bool IsDisplay(const Facts& facts, ir::ValueId id) {
  const ir::Program& program = facts.program();
  const bool call = program.ops[id].kind == ir::OpKind::kCall;
  if (const ir::ValueId left_out = call ? DefaultOfLookup(facts, id) : ir::ValueId::None(); left_out.valid())
    id = facts.Source(left_out);
  return id.valid() && program.ops[id].kind == ir::OpKind::kList && !GrowsLater(facts, id);
}

bool HoldsStarred(const ir::Program& program, const ir::Op& op) {
  const auto is_starred = [&](ir::ValueId part) { return program.ops[part].kind == ir::OpKind::kStarred; };
  return op.kind == ir::OpKind::kList && std::ranges::any_of(program.Operands(op), is_starred);
}

bool ChangesLater(const Facts& facts, ir::ValueId list) {
  const auto changes = [&](ir::ValueId user) {
    const ir::OpKind kind = facts.program().ops[user].kind;
    return kind == ir::OpKind::kStoreSubscript || kind == ir::OpKind::kStoreCell;
  };
  return GrowsLater(facts, list) || std::ranges::any_of(facts.DeepUsesOf(list), changes);
}

}  // namespace cpnlint::analysis
