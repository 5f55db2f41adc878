#include "cost-model/footprint.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>

namespace cpnlint::cost {
namespace {

using analysis::Facts;
using analysis::Work;
using analysis::WorkKind;
using analysis::WorkOperand;
using analysis::WorkStep;
using analysis::WorkTask;

// The steps of an inlined call: [begin, end).
struct CallSpan {
  ir::ValueId call;
  std::uint32_t begin = 0, end = 0;
};

constexpr std::size_t kMostPhis = 64;
constexpr int kUnknownItem = 8;  // bytes of an element of unknown type, as everywhere

class Builder {
 public:
  Builder(const Facts& facts, const Work& work, const Sizes& sizes, const Profile& profile, const Layout& layout,
          double factor)
      : facts_(facts),
        work_(work),
        sizes_(sizes),
        gpu_(profile.machine.gpu),
        split_(profile.machine.split),
        layout_(layout),
        factor_(factor) {}

  Footprint Build(std::uint32_t root) {
    Flatten(work_.roots[root].steps);
    for (std::uint32_t step = 0; step < out_.tasks.size(); ++step) {
      const WorkTask& task = work_.tasks[out_.tasks[step]];
      for (const WorkOperand& operand : task.operands) Touch(step, task, operand);
    }
    for (Lifetime& array : out_.arrays) Span(array);
    Sum();
    return std::move(out_);
  }

 private:
  struct Open {
    const std::vector<WorkStep>* steps;
    std::size_t next = 0;
    std::size_t loop = 0;  // index into out_.loops + 1; 0 for the root
  };

  void Flatten(const std::vector<WorkStep>& steps) {
    std::vector<Open> open = {{&steps}};
    while (!open.empty()) {
      Open& at = open.back();
      const auto now = static_cast<std::uint32_t>(out_.tasks.size());
      if (at.next == at.steps->size()) {
        if (at.loop != 0) out_.loops[at.loop - 1].end = now;
        open.pop_back();
        continue;
      }
      const WorkStep& step = (*at.steps)[at.next++];
      if (step.kind == WorkStep::Kind::kLoop) {
        const analysis::WorkLoop& loop = work_.loops[step.index];
        out_.loops.push_back({loop.loop, step.index, now, now});
        open.push_back({&loop.body, 0, out_.loops.size()});
      } else if (step.kind == WorkStep::Kind::kTask) {
        Enter(step.calls, now);
        out_.tasks.push_back(step.index);
      }
    }
    Enter({}, static_cast<std::uint32_t>(out_.tasks.size()));
  }

  // Ends the calls that a step has left, begins those it has entered.
  void Enter(const std::vector<ir::ValueId>& calls, std::uint32_t step) {
    std::size_t same = 0;
    while (same < stack_.size() && same < calls.size() && calls_[stack_[same]].call == calls[same]) ++same;
    for (; stack_.size() > same; stack_.pop_back()) calls_[stack_.back()].end = step;
    for (std::size_t i = same; i < calls.size(); ++i) {
      stack_.push_back(calls_.size());
      calls_.push_back({calls[i], step, step});
    }
  }

  // Work may be about storage that no op of the program makes.
  [[nodiscard]] ir::OpKind KindOf(ir::ValueId id) const {
    return id.index() < facts_.program().ops.size() ? facts_.program().ops[id].kind : ir::OpKind::kOpaque;
  }

  // What a variable of a loop may hold: the arrays behind its Phi. One from in front of the loop counts where the loop
  // hands it on (`u, v = v, u`), else it is gone after the first pass.
  [[nodiscard]] std::vector<ir::ValueId> Behind(ir::ValueId root) const {
    const ir::Program& program = facts_.program();
    std::vector<ir::ValueId> phis = {root}, arrays;
    for (std::size_t i = 0; i < phis.size() && phis.size() < kMostPhis; ++i) {
      const ir::LoopId loop = program.blocks[program.ops[phis[i]].block].loop;
      const bool kept = IsKept(phis[i]);
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

  void Touch(std::uint32_t step, const WorkTask& task, const WorkOperand& operand) {
    if (!operand.root.valid()) return Loose(step, task, operand);
    if (KindOf(operand.root) == ir::OpKind::kPhi) {
      for (const ir::ValueId array : Behind(operand.root)) {
        WorkOperand one = operand;
        one.root = facts_.DeviceRootOf(array);
        if (!one.root.valid() || facts_.program().ops[one.root].kind == ir::OpKind::kPhi) continue;
        Touch(step, task, one);
      }
      return;
    }
    // A fill is made when something else touches the array.
    const bool lazy = task.kind == WorkKind::kFill;
    const auto [found, is_new] = index_.emplace(operand.root, out_.arrays.size());
    if (is_new) {
      Lifetime array;
      array.array = operand.root;
      array.first = array.last = step;
      array.filled = lazy;
      out_.arrays.push_back(array);
    }
    Lifetime& array = out_.arrays[found->second];
    if (lazy) return;
    const analysis::ShapeId shape = operand.root_shape.valid() ? operand.root_shape : operand.shape;
    const double bytes = BytesOf(shape, operand, array);
    if (bytes > array.bytes) array.bytes = bytes;
    array.shape = shape;
    if (touched_.size() <= found->second) touched_.resize(out_.arrays.size(), false);
    if (!touched_[found->second]) array.first = step;
    touched_[found->second] = true;
    array.last = step;
  }

  double BytesOf(analysis::ShapeId shape, const WorkOperand& operand, Lifetime& array) const {
    double elements = 1;
    array.known = operand.item != 0;
    if (shape.valid()) {
      for (const ir::DimId extent : facts_.store().Get(shape)) {
        array.known = array.known && sizes_.IsKnown(extent);
        elements *= std::max(0.0, sizes_.Of(extent));
      }
    } else {
      array.known = array.known && sizes_.IsKnown(operand.elements);
      elements = sizes_.Of(operand.elements);
    }
    if (elements > 1) elements *= factor_;
    const bool large = elements >= static_cast<double>(split_);
    const int processors = gpu_ ? layout_.processors : layout_.nodes;
    if (large && !operand.replicated && processors > 1) elements = std::ceil(elements / processors);
    if (elements <= 1) return 0;  // a future, no storage
    return elements * (operand.item == 0 ? kUnknownItem : operand.item);
  }

  // Storage that cannot be told from other storage, such as what a library gave: it is there while the task runs.
  void Loose(std::uint32_t step, const WorkTask& task, const WorkOperand& operand) {
    if (task.kind == WorkKind::kFill) return;
    Lifetime array;
    array.bytes = BytesOf(operand.root_shape.valid() ? operand.root_shape : operand.shape, operand, array);
    if (loose_.size() <= step) loose_.resize(out_.tasks.size(), 0);
    loose_[step] += array.bytes;
  }

  // Names of one function: which values they are bound to, and where `del` unbinds one.
  struct Names {
    std::unordered_map<ir::ValueId, std::vector<std::size_t>> bindings;
    std::vector<ir::ValueId> deleted;
  };

  [[nodiscard]] const Names& NamesOf(ir::FunctionId id) const {
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

  // All that happens to it is that its values go into another array: nobody holds on to it.
  [[nodiscard]] bool IsCopied(ir::ValueId array) const {
    const ir::Program& program = facts_.program();
    const auto uses = facts_.UsesOf(array);
    return !uses.empty() && std::all_of(uses.begin(), uses.end(), [&](ir::ValueId use) {
      return program.ops[use].kind == ir::OpKind::kStoreSubscript && program.Operand(use, 1) == array &&
             facts_.IsArray(program.Operand(use, 0));
    });
  }

  [[nodiscard]] bool IsNamed(ir::ValueId array) const {
    return NamesOf(facts_.program().FunctionOf(array)).bindings.contains(array);
  }

  // The loop of this function around an op, as it was flattened around a step.
  [[nodiscard]] const LoopSpan* LoopAround(ir::ValueId op, std::uint32_t step) const {
    const ir::LoopId loop = facts_.program().blocks[facts_.program().ops[op].block].loop;
    if (!loop.valid()) return nullptr;
    for (const LoopSpan& span : out_.loops) {
      if (span.loop == loop && span.begin <= step && step < span.end) return &span;
    }
    return nullptr;
  }

  // A header Phi whose array some variable still holds on the next pass: `u, v = v, u`, or no assignment on some path.
  [[nodiscard]] bool IsKept(ir::ValueId phi) const {
    const ir::Program& program = facts_.program();
    const ir::Block& block = program.blocks[program.ops[phi].block];
    for (const ir::ValueId other : block.ops) {
      if (program.ops[other].kind != ir::OpKind::kPhi) break;
      for (const ir::ValueId operand : program.Operands(other)) {
        if (!operand.valid() || !block.loop.valid() || !facts_.InLoop(operand, block.loop)) continue;
        if (operand == phi || facts_.DeviceRootOf(operand) == phi) return true;
      }
    }
    return false;
  }

  void Span(Lifetime& array) {
    const auto all = static_cast<std::uint32_t>(out_.tasks.size());
    array.begin = array.first;
    array.end = array.last + 1;
    const ir::OpKind kind = KindOf(array.array);
    const bool made_here = kind == ir::OpKind::kCall || kind == ir::OpKind::kBinary || kind == ir::OpKind::kUnary ||
                           kind == ir::OpKind::kCompare || kind == ir::OpKind::kSubscript;
    if (!made_here) {  // a parameter, an attribute, what nothing is known of: somebody else holds it
      array.begin = 0;
      array.end = all;
      return;
    }
    if (facts_.Escapes(array.array) && !IsCopied(array.array)) {
      array.end = all;
    } else if (IsNamed(array.array)) {
      array.end = std::max(array.end, EndOfName(array));
    }
    // What a pass reads and did not make itself is there for all passes.
    for (const LoopSpan& loop : out_.loops) {
      const bool made_before = array.begin < loop.begin;
      const bool used_in = loop.begin <= array.last && array.last < loop.end;
      if (made_before && used_in) array.end = std::max(array.end, loop.end);
    }
    const LoopSpan* loop = LoopAround(array.array, array.first);
    // A fill is put off until the old array is gone.
    if (loop != nullptr && !array.filled && IsNamed(array.array) && array.end >= loop->end) {
      // The name still holds last pass's array while this pass makes the next.
      array.twice = array.first;
      array.begin = std::min(array.begin, loop->begin);
    }
  }

  // The first step from `from` on at which the function has come past an op; `none` where it does not.
  [[nodiscard]] std::uint32_t StepPast(ir::ValueId op, ir::FunctionId function, std::uint32_t from,
                                       std::uint32_t none) const {
    for (std::uint32_t step = from; step < none; ++step) {
      const ir::ValueId at = work_.tasks[out_.tasks[step]].op;
      if (at.valid() && at > op && facts_.program().FunctionOf(at) == function) return step;
    }
    return none;
  }

  // Where one name lets go of the array: at `del`, at its next assignment, or at the end of `scope`.
  [[nodiscard]] std::uint32_t EndOfBinding(const Lifetime& array, const ir::Function& function, std::size_t binding,
                                           std::uint32_t scope) const {
    const ir::Program& program = facts_.program();
    const Symbol name = function.bindings[binding].name;
    const ir::FunctionId id = program.FunctionOf(array.array);
    std::uint32_t end = scope;
    const LoopSpan* loop = LoopAround(array.array, array.first);
    for (std::size_t next = binding + 1; next < function.bindings.size(); ++next) {
      const ir::Binding& other = function.bindings[next];
      if (other.name != name || !other.value.valid()) continue;
      const bool same_loop =
          program.FunctionOf(other.value) == id &&
          program.blocks[program.ops[other.value].block].loop == program.blocks[program.ops[array.array].block].loop;
      if (same_loop) end = std::min(end, StepPast(other.value, id, array.first, scope));
      break;
    }
    for (const ir::ValueId deleted : NamesOf(id).deleted) {
      if (deleted < array.array || program.SymbolOf(program.ops[deleted]) != name) continue;
      end = std::min(end, StepPast(deleted, id, array.first, scope));
      break;
    }
    // In a loop the next assignment is that of the next pass.
    if (loop != nullptr) return std::min(end, loop->end);
    // In front of a loop that assigns the name anew the array is the first pass's alone.
    for (const ir::ValueId use : facts_.UsesOf(array.array)) {
      if (program.ops[use].kind != ir::OpKind::kPhi || IsKept(use)) continue;
      const ir::LoopId at = program.blocks[program.ops[use].block].loop;
      for (const LoopSpan& span : out_.loops) {
        if (at.valid() && span.loop == at && program.loops[at].header == program.ops[use].block &&
            span.begin >= array.first) {
          end = std::min(end, std::max(span.begin, array.last + 1));
        }
      }
    }
    return end;
  }

  // Where the last of its names lets go of the array.
  [[nodiscard]] std::uint32_t EndOfName(const Lifetime& array) const {
    const ir::Program& program = facts_.program();
    const ir::FunctionId id = program.FunctionOf(array.array);
    const ir::Function& function = program.functions[id];
    auto scope = static_cast<std::uint32_t>(out_.tasks.size());
    for (const CallSpan& call : calls_) {  // the innermost call around it that is one of this function
      if (call.begin <= array.first && array.first < call.end && facts_.CalleeOf(call.call).function == id) {
        scope = call.end;
      }
    }
    std::uint32_t end = 0;
    for (const std::size_t binding : NamesOf(id).bindings.at(array.array)) {
      end = std::max(end, EndOfBinding(array, function, binding, scope));
    }
    return end;
  }

  void Sum() {
    out_.bytes.assign(out_.tasks.size(), 0);
    std::vector<double> change(out_.tasks.size() + 1, 0);
    for (const Lifetime& array : out_.arrays) {
      change[array.begin] += array.bytes;
      change[array.end] -= array.bytes;
    }
    double alive = 0;
    for (std::size_t step = 0; step < out_.tasks.size(); ++step) {
      alive += change[step];
      const WorkTask& task = work_.tasks[out_.tasks[step]];
      double more = 0;
      if (task.temporary.valid()) more = factor_ * sizes_.Of(task.temporary);
      const bool divided = gpu_ && layout_.processors > 1 && !task.one_device && task.elements.valid() &&
                           factor_ * sizes_.Of(task.elements) >= static_cast<double>(split_);
      out_.bytes[step] = alive + (divided ? more / layout_.processors : more) + (loose_.empty() ? 0 : loose_[step]);
      if (task.to_host.valid()) out_.host += std::max(0.0, factor_ * sizes_.Of(task.to_host));
    }
    for (const Lifetime& array : out_.arrays) {
      if (array.twice != Lifetime::kNoStep) out_.bytes[array.twice] += array.bytes;
    }
    Hold();
    if (out_.bytes.empty()) return;
    const auto top = std::max_element(out_.bytes.begin(), out_.bytes.end());
    out_.peak = out_.At(static_cast<std::uint32_t>(top - out_.bytes.begin()));
    const bool loose = !loose_.empty() && loose_[out_.peak.step] > 0;
    out_.known = !loose && std::all_of(out_.peak.arrays.begin(), out_.peak.arrays.end(),
                                       [&](std::size_t i) { return out_.arrays[i].known; });
  }

  // Of each kind of storage the most that is alive at once, up to each step.
  void Hold() {
    struct Event {
      std::uint32_t step;
      std::size_t kind;
      double change;
    };
    std::vector<Event> events;
    std::map<std::pair<std::size_t, double>, std::size_t> kinds;  // by shape and bytes, which differ with the type
    for (const Lifetime& array : out_.arrays) {
      const std::size_t shape = array.shape.valid() ? array.shape.index() + 1 : 0;
      const std::size_t kind = kinds.try_emplace({shape, array.bytes}, kinds.size()).first->second;
      events.push_back({array.begin, kind, array.bytes});
      events.push_back({array.end, kind, -array.bytes});
      if (array.twice == Lifetime::kNoStep) continue;
      events.push_back({array.twice, kind, array.bytes});
      events.push_back({array.twice + 1, kind, -array.bytes});
    }
    // What ends at a step is gone before something new begins there.
    std::sort(events.begin(), events.end(),
              [](const Event& a, const Event& b) { return a.step != b.step ? a.step < b.step : a.change < b.change; });
    std::vector<double> alive(kinds.size(), 0), most(kinds.size(), 0);
    double held = 0;
    std::size_t next = 0;
    out_.held.reserve(out_.tasks.size());
    for (std::uint32_t step = 0; step < out_.tasks.size(); ++step) {
      for (; next < events.size() && events[next].step <= step; ++next) {
        const Event& event = events[next];
        alive[event.kind] += event.change;
        if (alive[event.kind] <= most[event.kind]) continue;
        held += alive[event.kind] - most[event.kind];
        most[event.kind] = alive[event.kind];
      }
      out_.held.push_back(std::max(held, out_.bytes[step]));
    }
  }

  const Facts& facts_;
  const Work& work_;
  const Sizes& sizes_;
  bool gpu_;
  std::int64_t split_;
  Layout layout_;
  double factor_;
  Footprint out_;
  std::vector<CallSpan> calls_;
  std::vector<std::size_t> stack_;
  std::unordered_map<ir::ValueId, std::size_t> index_;
  std::vector<bool> touched_;
  std::vector<double> loose_;  // bytes by step; empty where there are none
  mutable std::unordered_map<ir::FunctionId, Names> names_;
};

}  // namespace

Moment Footprint::At(std::uint32_t step) const {
  Moment moment;
  moment.step = step;
  moment.bytes = bytes[step];
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    if (arrays[i].begin <= step && step < arrays[i].end && arrays[i].bytes > 0) moment.arrays.push_back(i);
  }
  std::stable_sort(moment.arrays.begin(), moment.arrays.end(),
                   [&](std::size_t a, std::size_t b) { return arrays[a].bytes > arrays[b].bytes; });
  return moment;
}

namespace {

// Legate takes 95 % of a GPU's free memory and 80 % of the host's (26.07, runtime/detail/flags).
constexpr double kGpuShare = 0.95, kHostShare = 0.8;

double HostPoolOf(const Profile& profile, const Options& options) {
  return options.host_pool > 0 ? options.host_pool : kHostShare * profile.Value(Parameter::kHostMemory);
}

}  // namespace

double PoolOf(const Profile& profile, const Options& options) {
  if (!profile.machine.gpu) return HostPoolOf(profile, options);
  if (options.pool > 0) return options.pool;
  return kGpuShare * (profile.Value(Parameter::kMemory) - profile.Value(Parameter::kMemoryReserve));
}

MemoryPlan PlanMemory(const Facts& facts, const Work& work, const Profile& profile, const Options& options) {
  MemoryPlan plan;
  plan.work = &work;
  plan.gpu = profile.machine.gpu;
  plan.host_pool = HostPoolOf(profile, options);
  plan.pool = PoolOf(profile, options);
  Layout largest = options.layouts.front();
  for (const Layout& layout : options.layouts) {
    if (layout.processors > largest.processors) largest = layout;
  }
  plan.processors = largest.processors;
  const Sizes sizes(facts, work);
  for (std::uint32_t root = 0; root < work.roots.size(); ++root) {
    plan.roots.push_back(FootprintOf(facts, work, root, sizes, profile, largest));
  }
  return plan;
}

Footprint FootprintOf(const Facts& facts, const Work& work, std::uint32_t root, const Sizes& sizes,
                      const Profile& profile, const Layout& layout, double factor) {
  return Builder(facts, work, sizes, profile, layout, factor).Build(root);
}

}  // namespace cpnlint::cost
