// Which arrays a root makes, each call of a function its own, and from where to where they live.

#include <algorithm>
#include <cmath>
#include <optional>
#include <unordered_map>
#include <utility>

#include "cost-model/course.h"
#include "cost-model/footprint.h"
#include "cost-model/holds.h"
#include "cost-model/storages.h"

namespace cpnlint::cost {
namespace {

using analysis::Facts;
using analysis::kNoCall;
using analysis::Work;
using analysis::WorkKind;
using analysis::WorkOperand;
using analysis::WorkTask;

constexpr std::size_t kMostPhis = 64;
constexpr std::size_t kMostHolders = 32;
constexpr int kMostDepth = 24;   // of Phis between an array and its use
constexpr int kUnknownItem = 8;  // bytes of an element of unknown type, as everywhere

class Builder {
 public:
  Builder(const Work& work, const Sizes& sizes, std::uint32_t root)
      : facts_(sizes.facts()),
        work_(work),
        sizes_(sizes),
        course_(facts_, work, work.roots[root].function, work.roots[root].steps),
        storages_(facts_, work, course_),
        holds_(facts_) {}

  Liveness Build() {
    course_.Reach();
    out_.tasks = course_.tasks();
    out_.loops = course_.loops();
    for (std::uint32_t step = 0; step < course_.size(); ++step) {
      const WorkTask& task = work_.tasks[out_.tasks[step]];
      for (const WorkOperand& operand : task.operands) Touch(step, task, operand);
    }
    for (std::size_t i = 0; i < out_.arrays.size(); ++i) Span(out_.arrays[i], seen_[i]);
    return {std::move(out_), std::move(uses_), std::move(loose_)};
  }

 private:
  struct Found {
    Instance instance;
    bool old = false;  // the one that the pass before has left

    bool operator==(const Found&) const = default;
  };
  // Of an array, by its index.
  struct Seen {
    std::uint32_t call = kNoCall;            // in whose function it is made
    std::uint32_t made = Lifetime::kNoStep;  // the first step that writes it
    std::uint32_t old_end = 0;               // past the last step that reads what the pass before has left
    bool touched = false;                    // by something else than a fill
    std::optional<Liveness::Use> use = {};   // the last one
  };
  // A value that is an array, or has it in a tuple, and the call in whose function it stands.
  struct Holder {
    ir::ValueId value;
    std::uint32_t call = kNoCall;
  };

  // What a variable of a loop may hold: the arrays behind its Phi. One from in front of the loop counts where the loop
  // hands it on (`u, v = v, u`), else it is gone after the first pass.
  [[nodiscard]] std::vector<ir::ValueId> Behind(ir::ValueId root) const {
    const ir::Program& program = facts_.program();
    std::vector<ir::ValueId> phis = {root}, arrays;
    for (std::size_t i = 0; i < phis.size() && phis.size() < kMostPhis; ++i) {
      const ir::LoopId loop = program.blocks[program.ops[phis[i]].block].loop;
      const bool kept = holds_.IsHandedOn(phis[i]);
      for (const ir::ValueId from : program.Operands(phis[i])) {
        if (!from.valid()) continue;
        const bool inside = loop.valid() && facts_.InLoop(from, loop);
        // An unpacked item has the array that went into the tuple.
        const ir::ValueId storage = facts_.DeviceRootOf(from);
        const ir::ValueId operand = storage.valid() ? storage : from;
        std::vector<ir::ValueId>& list = program.ops[operand].kind == ir::OpKind::kPhi ? phis : arrays;
        if (&list == &arrays && !inside && !kept && loop.valid()) continue;
        if (std::find(list.begin(), list.end(), operand) == list.end()) list.push_back(operand);
      }
    }
    return arrays;
  }

  // The arrays that `root` may be where a step of `call` uses it.
  void Find(ir::ValueId root, std::uint32_t call, std::uint32_t step, bool old, int depth) {
    if (!root.valid() || depth > kMostDepth) return;
    const Instance storage = storages_.Of(root, call, step);
    if (storages_.KindOf(storage.array) != ir::OpKind::kPhi) {
      const Found found{storage, old};
      if (std::ranges::find(found_, found) == found_.end()) found_.push_back(found);
      return;
    }
    const Found variable{storage, old};  // on many ways, where one calls the other with what a third one gave
    if (std::ranges::find(looked_behind_, variable) != looked_behind_.end()) return;
    looked_behind_.push_back(variable);
    // Behind the loop it is what the last pass has made.
    const bool header = storages_.IsHeaderPhi(storage.array) && course_.LoopAround(storage.array, step) != nullptr;
    for (const ir::ValueId array : Behind(storage.array)) {
      const ir::ValueId behind = facts_.DeviceRootOf(array);
      if (behind.valid() && storages_.KindOf(behind) != ir::OpKind::kPhi)
        Find(behind, storage.call, step, old || header, depth + 1);
    }
  }

  void Touch(std::uint32_t step, const WorkTask& task, const WorkOperand& operand) {
    if (!operand.root.valid()) return Loose(step, task, operand);
    found_.clear();
    looked_behind_.clear();
    Find(operand.root, course_.CallAt(step), step, false, 0);
    for (const Found& one : found_) TouchOne(step, task, operand, one);
  }

  void TouchOne(std::uint32_t step, const WorkTask& task, const WorkOperand& operand, const Found& one) {
    // A fill is made when something else touches the array.
    const bool lazy = task.kind == WorkKind::kFill;
    const auto [found, is_new] = index_.emplace(one.instance.Key(), out_.arrays.size());
    if (is_new) {
      Lifetime array;
      array.array = one.instance.array;
      array.first = array.last = step;
      array.filled = lazy;
      out_.arrays.push_back(array);
      seen_.push_back({one.instance.call});
    }
    Lifetime& array = out_.arrays[found->second];
    Seen& seen = seen_[found->second];
    if (lazy) return;
    const analysis::ShapeId shape = operand.root_shape.valid() ? operand.root_shape : operand.shape;
    const Liveness::Use use = UseOf(found->second, shape, operand, !seen.touched, array);
    if (seen.use != use) uses_.push_back(use);
    seen.use = use;
    array.shape = shape;
    if (!seen.touched) array.first = step;
    seen.touched = true;
    array.last = step;
    if (operand.written && seen.made == Lifetime::kNoStep) seen.made = step;
    if (one.old) seen.old_end = step + 1;
  }

  // `of`: the array, or the step of a loose one.
  Liveness::Use UseOf(std::size_t of, analysis::ShapeId shape, const WorkOperand& operand, bool first,
                      Lifetime& array) const {
    double elements = 1;
    bool known = true;  // an element of unknown type has a size by default
    if (shape.valid()) {
      bool all = true;
      for (const ir::DimId extent : facts_.store().Get(shape)) {
        known = known && sizes_.IsKnown(extent);
        all = all && extent.valid();
      }
      elements = sizes_.ElementsOf(shape);
      // Of a part under a mask the work says more than its shape.
      if (!all && shape == operand.shape && operand.elements.valid())
        elements = std::min(elements, sizes_.Of(operand.elements));
    } else {
      known = sizes_.IsKnown(operand.elements);
      elements = sizes_.Of(operand.elements);
    }
    array.known = known && (first || array.known);
    return {of, elements, operand.item == 0 ? kUnknownItem : operand.item, operand.replicated};
  }

  // Storage that cannot be told from other storage, such as what a library gave: it is there while the task runs.
  void Loose(std::uint32_t step, const WorkTask& task, const WorkOperand& operand) {
    if (task.kind == WorkKind::kFill) return;
    Lifetime array;
    loose_.push_back(
        UseOf(step, operand.root_shape.valid() ? operand.root_shape : operand.shape, operand, true, array));
  }

  // Names of one function: which values they are bound to, and where `del` unbinds one.
  struct Names {
    std::unordered_map<ir::ValueId, std::vector<std::size_t>> bindings;
    std::vector<ir::ValueId> deleted;
  };

  [[nodiscard]] const Names& NamesOf(ir::FunctionId id) {
    const auto [found, is_new] = names_.emplace(id, Names());
    if (!is_new) return found->second;
    const ir::Program& program = facts_.program();
    const ir::Function& function = program.functions[id];
    for (std::size_t i = 0; i < function.bindings.size(); ++i) {
      found->second.bindings[facts_.Source(function.bindings[i].value)].push_back(i);
    }
    for (std::uint32_t i = function.first_op.index(); i < function.end_op.index(); ++i) {
      if (program.ops[ir::ValueId(i)].kind == ir::OpKind::kUnbound) found->second.deleted.emplace_back(i);
    }
    return found->second;
  }

  [[nodiscard]] bool IsNamed(ir::ValueId value) {
    return NamesOf(facts_.program().FunctionOf(value)).bindings.contains(value);
  }

  void Span(Lifetime& array, const Seen& seen) {
    array.begin = array.first;
    array.end = array.last + 1;
    if (!storages_.IsMade(array.array)) {
      array.begin = 0;
      array.end = course_.size();
      return;
    }
    // What a function that has several `return`s gives is there from where it returns.
    if (const std::uint32_t call = course_.CallOf(array.array, seen.call); call != kNoCall)
      array.begin = std::min(array.begin, course_.SpanOf(call).end);
    std::vector<Holder> holders = {{array.array, seen.call}};
    for (std::size_t i = 0; i < holders.size() && i < kMostHolders; ++i) {
      const Holder holder = holders[i];
      const Hold hold = holds_.Of(holder.value);
      if (hold == Hold::kKept || (hold == Hold::kReturned && holder.call == kNoCall)) array.end = course_.size();
      if (IsNamed(holder.value)) array.end = std::max(array.end, EndOfName(holder, array.first));
      if (hold == Hold::kReturned && holder.call != kNoCall) HandBack(array, holder, holders);
    }
    // What a pass reads and did not make itself is there for all passes.
    for (const LoopSpan& loop : out_.loops) {
      const bool made_before = array.begin < loop.begin;
      const bool used_in = loop.begin <= array.last && array.last < loop.end;
      if (made_before && used_in) array.end = std::max(array.end, loop.end);
    }
    for (const Holder& holder : holders) Collect(array, seen, holder);
    if (array.copies > 1) return;
    for (const Holder& holder : holders) Overlap(array, seen, holder);
  }

  // `kept.append(u)`, `[f(u) for i in range(4)]`: the container has one of each pass.
  void Collect(Lifetime& array, const Seen& seen, const Holder& holder) const {
    const ir::Program& program = facts_.program();
    for (const ir::ValueId user : facts_.DeepUsesOf(holder.value)) {
      const ir::ValueId into = CollectedInto(user);
      if (!into.valid()) continue;
      const ir::Block& block = program.blocks[program.ops[user].block];
      // Collected in some passes only: nobody knows in how many.
      if (block.guard != program.blocks[program.ops[holder.value].block].guard) {
        array.known = false;
        continue;
      }
      const std::uint32_t made = seen.made == Lifetime::kNoStep ? array.first : seen.made;
      double copies = course_.ShareOf(made);
      for (ir::LoopId loop = block.loop; loop.valid() && !facts_.InLoop(into, loop);
           loop = program.loops[loop].parent) {
        const auto around = [&](const LoopSpan& span) {
          return span.loop == loop && span.begin <= made && made < span.end;
        };
        const auto span = std::ranges::find_if(out_.loops, around);
        if (span == out_.loops.end()) break;
        const analysis::WorkLoop& passes = work_.loops[span->work_loop];
        copies *= sizes_.TripsOf(passes);
        array.known = array.known && sizes_.IsKnown(passes.trips);
      }
      array.copies = std::max(array.copies, copies);
    }
  }

  // The container that an op adds an item to: where it is made, as far as that is known. None() where the op does not.
  [[nodiscard]] ir::ValueId CollectedInto(ir::ValueId op) const {
    const ir::Program& program = facts_.program();
    const ir::Op& record = program.ops[op];
    if (record.kind == ir::OpKind::kCollectItem) {
      const ir::ValueId result = program.Operand(op, 0);
      const auto kind = static_cast<ir::CollectionKind>(program.ops[result].detail);
      return kind == ir::CollectionKind::kGenerator ? ir::ValueId::None() : result;
    }
    if (record.kind != ir::OpKind::kCall || facts_.CalleeOf(op).name != "list.append") return {};
    ir::ValueId list = facts_.Source(program.Operand(program.Operand(op, 0), 0));
    for (std::size_t i = 0; i < kMostPhis && storages_.KindOf(list) == ir::OpKind::kPhi; ++i) {
      const auto other = [&](ir::ValueId from) { return from.valid() && from != list && from < list; };
      const auto operands = program.Operands(list);
      const auto from = std::ranges::find_if(operands, other);
      if (from == operands.end()) break;
      list = facts_.Source(*from);
    }
    return list;
  }

  // The array goes on as what the call gives.
  void HandBack(Lifetime& array, const Holder& holder, std::vector<Holder>& holders) const {
    const ir::ValueId call = work_.calls[holder.call].call;
    const std::uint32_t outer = work_.calls[holder.call].outer;
    array.end = std::max(array.end, course_.SpanOf(holder.call).end);
    if (storages_.KindOf(call) != ir::OpKind::kCall) return;
    if (facts_.IsArray(call)) {
      const bool same = facts_.DeviceRootOf(call) != call || storages_.ReturnedBy(holder.call).valid();
      if (same) holders.push_back({call, outer});
      return;
    }
    holders.push_back({call, outer});  // a tuple
    for (const ir::ValueId item : facts_.UsesOf(call)) {
      if (facts_.DeviceRootOf(item) == array.array) holders.push_back({item, outer});
    }
  }

  // In a loop the name still holds last pass's array while this pass makes the next.
  void Overlap(Lifetime& array, const Seen& seen, const Holder& holder) {
    const std::uint32_t made = seen.made == Lifetime::kNoStep ? array.first : seen.made;
    const LoopSpan* loop = course_.LoopAround(holder.value, made);
    if (loop == nullptr || !IsNamed(holder.value) || array.end < loop->end) return;
    // A fill is put off until the old array is gone, if nobody reads that any more. What a call gives replaces the old
    // array only when the call is through.
    const bool here = holder.value == array.array;
    if (here && array.filled && seen.old_end <= made) return;
    array.twice = made;
    array.twice_end = std::max(made + 1, std::min(seen.old_end, loop->end));
    if (!here) array.twice_end = std::max(array.twice_end, StepBehind(holder.value, holder.call, made, loop->end));
    array.begin = std::min(array.begin, loop->begin);
  }

  // Where the value is there: at a call that is followed once it is through.
  [[nodiscard]] std::uint32_t StepBehind(ir::ValueId value, std::uint32_t home, std::uint32_t from,
                                         std::uint32_t none) const {
    const bool item = storages_.KindOf(value) == ir::OpKind::kUnpackItem;
    const ir::ValueId made_by = item ? facts_.program().Operand(value, 0) : value;
    if (const std::uint32_t call = course_.CallOf(made_by, home); call != kNoCall) {
      const std::uint32_t end = course_.SpanOf(call).end;
      if (end > from) return std::min(end, none);
    }
    return course_.StepPast(value, from, none);
  }

  // Where one name lets go of the array: at `del`, at its next assignment, or at the end of `scope`.
  [[nodiscard]] std::uint32_t EndOfBinding(const Holder& holder, std::uint32_t first, const ir::Function& function,
                                           std::size_t binding, std::uint32_t scope) {
    const ir::Program& program = facts_.program();
    const Symbol name = function.bindings[binding].name;
    const ir::FunctionId id = program.FunctionOf(holder.value);
    std::uint32_t end = scope;
    const LoopSpan* loop = course_.LoopAround(holder.value, first);
    for (std::size_t next = binding + 1; next < function.bindings.size(); ++next) {
      const ir::Binding& other = function.bindings[next];
      if (other.name != name || !other.value.valid()) continue;
      // `w += q`, `w = w[1:]`: the same storage by the same name.
      if (facts_.IsArray(other.value) && facts_.DeviceRootOf(other.value) == facts_.DeviceRootOf(holder.value))
        continue;
      const bool same_loop =
          program.FunctionOf(other.value) == id &&
          program.blocks[program.ops[other.value].block].loop == program.blocks[program.ops[holder.value].block].loop;
      if (same_loop) end = std::min(end, StepBehind(other.value, holder.call, first, scope));
      break;
    }
    for (const ir::ValueId deleted : NamesOf(id).deleted) {
      if (deleted < holder.value || program.SymbolOf(program.ops[deleted]) != name) continue;
      end = std::min(end, course_.StepPast(deleted, first, scope));
      break;
    }
    // In a loop the next assignment is that of the next pass.
    if (loop != nullptr) return std::min(end, loop->end);
    // In front of a loop that assigns the name anew the array is the first pass's alone.
    for (const ir::ValueId use : facts_.UsesOf(holder.value)) {
      if (program.ops[use].kind != ir::OpKind::kPhi || holds_.IsHandedOn(use)) continue;
      const ir::LoopId at = program.blocks[program.ops[use].block].loop;
      for (const LoopSpan& span : out_.loops) {
        if (at.valid() && span.loop == at && program.loops[at].header == program.ops[use].block &&
            span.begin >= first) {
          end = std::min(end, span.begin);
        }
      }
    }
    return end;
  }

  // Where the last of its names lets go of the array.
  [[nodiscard]] std::uint32_t EndOfName(const Holder& holder, std::uint32_t first) {
    const ir::FunctionId id = facts_.program().FunctionOf(holder.value);
    const ir::Function& function = facts_.program().functions[id];
    const std::uint32_t scope = course_.SpanOf(holder.call).end;
    std::uint32_t end = 0;
    for (const std::size_t binding : NamesOf(id).bindings.at(holder.value)) {
      end = std::max(end, EndOfBinding(holder, first, function, binding, scope));
    }
    return end;
  }

  const Facts& facts_;
  const Work& work_;
  const Sizes& sizes_;
  Course course_;
  Storages storages_;
  Holds holds_;
  Footprint out_;
  std::vector<Seen> seen_;  // by array
  std::vector<Liveness::Use> uses_, loose_;
  std::vector<Found> found_;                              // what is touched
  std::vector<Found> looked_behind_;                      // variables, on the way there
  std::unordered_map<std::uint64_t, std::size_t> index_;  // by call and storage: the array
  std::unordered_map<ir::FunctionId, Names> names_;
};

}  // namespace

Liveness LivenessOf(const Sizes& sizes, const Work& work, std::uint32_t root) {
  return Builder(work, sizes, root).Build();
}

}  // namespace cpnlint::cost
