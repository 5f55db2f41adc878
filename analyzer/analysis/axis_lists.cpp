#include "analyzer/analysis/axis_lists.h"

#include <algorithm>
#include <array>

#include "analyzer/analysis/callee_names.h"
#include "analyzer/analysis/engine.h"
#include "analyzer/api/api.h"

namespace cpnlint::analysis {
namespace {

constexpr std::size_t kMostForms = 32;   // of one sequence
constexpr std::size_t kMostBlocks = 16;  // of a loop that collects

struct ShapePlace {
  std::string_view name;
  std::size_t position;
};

// Arguments with an entry for each axis, by function; a method's position is one less.
constexpr auto kShapePlaces = std::to_array<ShapePlace>({{"broadcast_to", 1},
                                                         {"empty", 0},
                                                         {"full", 0},
                                                         {"indices", 0},
                                                         {"ndindex", 0},
                                                         {"ones", 0},
                                                         {"ravel_multi_index", 0},
                                                         {"ravel_multi_index", 1},
                                                         {"reshape", 1},
                                                         {"resize", 1},
                                                         {"tile", 1},
                                                         {"transpose", 1},
                                                         {"unravel_index", 1},
                                                         {"zeros", 0}});

class Forms {
 public:
  Forms(const Facts& facts, bool by_usage) : facts_(facts), program_(facts.program()), by_usage_(by_usage) {}

  [[nodiscard]] bool BecomeAxes(ir::ValueId sequence) {
    Add(sequence);
    for (std::size_t i = 0; i < forms_.size(); ++i) {
      const ir::ValueId form = forms_[i];
      for (const ir::ValueId user : facts_.DeepUsesOf(form)) {
        if (NumbersAxes(form, user)) return true;
      }
    }
    return false;
  }

  // Lists that each pass of the loop makes longer by one.
  [[nodiscard]] std::vector<ir::ValueId> CollectedIn(ir::LoopId loop) const {
    std::vector<ir::ValueId> collected;
    if (!program_.loops[loop].body.valid()) return collected;
    std::vector<ir::BlockId> blocks = {program_.loops[loop].body};
    for (std::size_t i = 0; i < blocks.size() && i < kMostBlocks; ++i) {
      const ir::Block& block = program_.blocks[blocks[i]];
      for (const ir::ValueId op : block.ops) {
        if (const ir::ValueId list = LongerBy(op, loop); list.valid()) collected.push_back(list);
      }
      for (const ir::BlockId next : block.succs) {
        if (program_.blocks[next].loop == loop && std::ranges::find(blocks, next) == blocks.end())
          blocks.push_back(next);
      }
    }
    return collected;
  }

 private:
  // The list that `parts.append(x)` or a comprehension's item makes longer, whatever the pass tests.
  [[nodiscard]] ir::ValueId LongerBy(ir::ValueId op, ir::LoopId loop) const {
    const ir::Op& added = program_.ops[op];
    const ir::GuardId guard = program_.blocks[added.block].guard;
    if (guard.valid() && program_.guards[guard].loop == loop) return {};
    if (added.kind == ir::OpKind::kCollectItem) return program_.Operand(op, 0);
    if (added.kind != ir::OpKind::kCall) return {};
    const ir::ValueId method = program_.Operand(op, 0);
    if (!method.valid() || program_.ops[method].kind != ir::OpKind::kAttr) return {};
    if (program_.Name(program_.ops[method]) != "append") return {};
    const ir::ValueId list = facts_.Source(program_.Operand(method, 0));
    const bool made_here = list.valid() && program_.ops[list].kind == ir::OpKind::kList;
    return made_here && !facts_.InLoop(list, loop) ? list : ir::ValueId::None();
  }

  void Add(ir::ValueId form) {
    if (form.valid() && forms_.size() < kMostForms && std::ranges::find(forms_, form) == forms_.end())
      forms_.push_back(form);
  }

  // The use says so, or is another form of the sequence.
  [[nodiscard]] bool NumbersAxes(ir::ValueId form, ir::ValueId user) {
    const ir::Op& op = program_.ops[user];
    switch (op.kind) {
      case ir::OpKind::kStarred: return Starred(user);
      case ir::OpKind::kIter: AddCollected(ir::LoopId(op.payload)); return CountsAxes(facts_, ir::LoopId(op.payload));
      case ir::OpKind::kStoreCell: AddLoads(ir::CellId(op.payload)); return false;
      case ir::OpKind::kUnary: Add(user); return false;
      case ir::OpKind::kBinary:
        if (static_cast<ir::BinaryOp>(op.detail) != ir::BinaryOp::kMatMul && !WidensTo(form, user)) Add(user);
        return false;
      case ir::OpKind::kSubscript:
      case ir::OpKind::kStoreSubscript: return IsKeyOf(user, form);
      case ir::OpKind::kCall: return Call(form, user);
      default: return false;
    }
  }

  // `matrix + row` has the entries of the matrix.
  [[nodiscard]] bool WidensTo(ir::ValueId form, ir::ValueId result) const {
    return facts_.RankOf(result) >= 2 && facts_.RankOf(form) < facts_.RankOf(result);
  }

  void AddCollected(ir::LoopId loop) {
    for (const ir::ValueId list : CollectedIn(loop)) Add(list);
  }

  // What a function inside reads under the name.
  void AddLoads(ir::CellId cell) {
    if (!OnlyAssigned(program_, cell).valid()) return;
    for (const ir::ValueId load : program_.cells[cell].loads) Add(load);
  }

  // `(n, *shape)` is longer than the shape; `np.meshgrid(*parts)` has an axis for each.
  [[nodiscard]] bool Starred(ir::ValueId star) {
    for (const ir::ValueId user : facts_.UsesOf(star)) {
      const ir::OpKind kind = program_.ops[user].kind;
      if (kind == ir::OpKind::kTuple || kind == ir::OpKind::kList) Add(user);
      if (kind == ir::OpKind::kSubscript || kind == ir::OpKind::kStoreSubscript) {  // x[0, *indices]
        if (facts_.IsArray(program_.Operand(user, 0)) && program_.Operand(user, 0) != star) return true;
      }
      if (kind != ir::OpKind::kCall) continue;
      const Callee& callee = facts_.CalleeOf(user);
      if (by_usage_ && callee.name == "itertools.product") return true;
      if (IsOneOf(BareName(callee),
                  {"ix_", "meshgrid", "ndindex", "random.rand", "random.randn", "reshape", "resize", "transpose"}))
        return true;
    }
    return false;
  }

  // `image[tuple(v)]`; an array in a subscript selects along one axis.
  [[nodiscard]] bool IsKeyOf(ir::ValueId subscript, ir::ValueId form) const {
    if (facts_.Of(form).kind != Kind::kTuple || !facts_.IsArray(program_.Operand(subscript, 0))) return false;
    const auto keys = facts_.KeysOf(subscript);
    return std::ranges::any_of(
        keys, [&](ir::ValueId key) { return key.valid() && facts_.Source(key) == facts_.Source(form); });
  }

  // `map(slice, start, end)`: keys of a subscript.
  [[nodiscard]] bool MakesSlices(ir::ValueId map) const {
    const Value& made = facts_.Of(program_.Operand(map, 1));
    return made.kind == Kind::kBuiltin && program_.names.Text(made.name) == "slice";
  }

  [[nodiscard]] bool Call(ir::ValueId form, ir::ValueId call) {
    const Callee& callee = facts_.CalleeOf(call);
    const auto is_form = [&](ir::ValueId argument) {
      return argument.valid() && facts_.Source(argument) == facts_.Source(form);
    };
    if (callee.kind == Callee::Kind::kBuiltin) {
      if (callee.name == "map" && MakesSlices(call)) return true;
      if (IsOneOf(callee.name, {"enumerate", "list", "map", "reversed", "sorted", "tuple", "zip"})) Add(call);
      return false;
    }
    if (callee.name == "itertools.chain.from_iterable" && is_form(program_.Operand(call, 1))) Add(call);
    const std::string_view name = BareName(callee);
    if (name.empty()) return false;
    const std::size_t before = callee.kind == Callee::Kind::kMethod ? 1 : 0;
    // `x.reshape(n, -1)`, `np.zeros(n)`: numbers.
    const bool numbers = before == 1 && facts_.PositionalCount(call) > 1;
    const bool sequence = !facts_.IsArray(form) || facts_.HasAxis(form);
    for (const ShapePlace& place : kShapePlaces) {
      if (numbers || !sequence) break;
      if (place.name == name && place.position >= before &&
          is_form(facts_.Argument(call, place.position - before, place.name == "ravel_multi_index" ? "dims" : "shape")))
        return true;
    }
    if (callee.name.starts_with("numpy.random.") && is_form(facts_.KeywordArgument(call, "size"))) return true;
    const bool same_entries =
        IsOneOf(name, {"array", "asarray", "astype", "copy", "flip", "tolist"}) || api::IsUfunc(callee.name);
    const ir::ValueId first = before == 1 ? callee.receiver : program_.Operand(call, 1);
    if (same_entries && is_form(first)) Add(call);
    return false;
  }

  const Facts& facts_;
  const ir::Program& program_;
  bool by_usage_;
  std::vector<ir::ValueId> forms_;
};

}  // namespace

bool BecomesAxes(const Facts& facts, ir::ValueId sequence, bool by_usage) {
  const Kind kind = facts.Of(sequence).kind;
  const bool collects = facts.program().ops[sequence].kind == ir::OpKind::kCollection;
  // `n` of `np.zeros(n)` may be a number.
  const bool sequences = kind == Kind::kTuple || kind == Kind::kList || kind == Kind::kRange;
  if (!collects && !sequences && !facts.IsArray(sequence)) return false;
  return Forms(facts, by_usage).BecomeAxes(sequence);
}

bool CollectsAxes(const Facts& facts, ir::LoopId loop, bool by_usage) {
  const std::vector<ir::ValueId> lists = Forms(facts, by_usage).CollectedIn(loop);
  return std::ranges::any_of(lists, [&](ir::ValueId list) { return BecomesAxes(facts, list, by_usage); });
}

}  // namespace cpnlint::analysis
