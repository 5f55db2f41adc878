#include "cost-model/footprint.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>

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
  std::uint32_t call = analysis::kNoCall;  // of Work::calls
  std::uint32_t begin = 0, end = 0;
};

constexpr std::size_t kMostPhis = 64;
constexpr int kUnknownItem = 8;  // bytes of an element of unknown type, as everywhere

// The steps at which a function's tasks run, and over them a tree of the largest ops: the first step past an op is
// found in logarithmic time.
class Reached {
 public:
  void Add(std::uint32_t step, ir::ValueId op) {
    steps_.push_back(step);
    ops_.push_back(op.index() + 1);
  }
  void Finish() {
    width_ = std::bit_ceil(ops_.size());
    ops_.insert(ops_.begin(), width_, 0);
    ops_.resize(2 * width_, 0);
    for (std::size_t node = width_ - 1; node > 0; --node) ops_[node] = std::max(ops_[2 * node], ops_[2 * node + 1]);
  }
  // The first step from `from` on whose op comes after `op`; `none` where there is none before it.
  [[nodiscard]] std::uint32_t Past(ir::ValueId op, std::uint32_t from, std::uint32_t none) const {
    const std::size_t least = op.index() + 1;
    const auto first = std::ranges::lower_bound(steps_, from);
    if (first == steps_.end()) return none;
    std::size_t node = width_ + static_cast<std::size_t>(first - steps_.begin());
    while (ops_[node] <= least) {  // up to the next subtree that has one
      while (node % 2 == 1) node /= 2;
      if (node == 0) return none;
      ++node;
    }
    while (node < width_) node = ops_[2 * node] > least ? 2 * node : 2 * node + 1;
    return std::min(none, steps_[node - width_]);
  }

 private:
  std::vector<std::uint32_t> steps_;  // ascending
  std::vector<std::size_t> ops_;      // a complete binary tree, its leaves by step: 1 + op, 0 for none
  std::size_t width_ = 0;
};

class Builder {
 public:
  Builder(const Work& work, const Sizes& sizes) : facts_(sizes.facts()), work_(work), sizes_(sizes) {}

  Liveness Build(std::uint32_t root) {
    Flatten(work_.roots[root].steps);
    for (std::uint32_t step = 0; step < out_.tasks.size(); ++step) {
      const WorkTask& task = work_.tasks[out_.tasks[step]];
      for (const WorkOperand& operand : task.operands) Touch(step, task, operand);
      if (task.op.valid()) reached_[facts_.program().FunctionOf(task.op)].Add(step, task.op);
    }
    for (auto& [function, reached] : reached_) reached.Finish();
    for (Lifetime& array : out_.arrays) Span(array);
    return {std::move(out_), std::move(uses_), std::move(loose_)};
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
        Enter(step.call, now);
        out_.tasks.push_back(step.index);
      }
    }
    Enter(analysis::kNoCall, static_cast<std::uint32_t>(out_.tasks.size()));
  }

  // Ends the calls that a step has left, begins those it has entered.
  void Enter(std::uint32_t call, std::uint32_t step) {
    std::vector<std::uint32_t> entered;  // innermost first
    for (; call != analysis::kNoCall; call = work_.calls[call].outer) {
      const std::uint32_t depth = work_.calls[call].depth;
      if (depth <= stack_.size() && calls_[stack_[depth - 1]].call == call) break;
      entered.push_back(call);
    }
    const std::size_t same = call == analysis::kNoCall ? 0 : work_.calls[call].depth;
    for (; stack_.size() > same; stack_.pop_back()) calls_[stack_.back()].end = step;
    for (; !entered.empty(); entered.pop_back()) {
      stack_.push_back(calls_.size());
      calls_.push_back({entered.back(), step, step});
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
    const Liveness::Use use = UseOf(found->second, shape, operand, array);
    if (last_uses_.size() <= use.of) last_uses_.resize(use.of + 1);
    if (std::exchange(last_uses_[use.of], use) != use) uses_.push_back(use);
    array.shape = shape;
    if (touched_.size() <= found->second) touched_.resize(out_.arrays.size(), false);
    if (!touched_[found->second]) array.first = step;
    touched_[found->second] = true;
    array.last = step;
  }

  // `of`: the array, or the step of a loose one.
  Liveness::Use UseOf(std::size_t of, analysis::ShapeId shape, const WorkOperand& operand, Lifetime& array) const {
    double elements = 1;
    array.known = operand.item != 0;
    if (shape.valid()) {
      bool all = true;
      for (const ir::DimId extent : facts_.store().Get(shape)) {
        array.known = array.known && sizes_.IsKnown(extent);
        all = all && extent.valid();
        elements *= sizes_.ExtentOf(extent);
      }
      // Of a part under a mask the work says more than its shape.
      if (!all && shape == operand.shape && operand.elements.valid())
        elements = std::min(elements, sizes_.Of(operand.elements));
    } else {
      array.known = array.known && sizes_.IsKnown(operand.elements);
      elements = sizes_.Of(operand.elements);
    }
    return {of, elements, operand.item == 0 ? kUnknownItem : operand.item, operand.replicated};
  }

  // Storage that cannot be told from other storage, such as what a library gave: it is there while the task runs.
  void Loose(std::uint32_t step, const WorkTask& task, const WorkOperand& operand) {
    if (task.kind == WorkKind::kFill) return;
    Lifetime array;
    loose_.push_back(UseOf(step, operand.root_shape.valid() ? operand.root_shape : operand.shape, operand, array));
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
    const auto found = reached_.find(function);
    return found == reached_.end() ? none : found->second.Past(op, from, none);
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
      if (call.begin <= array.first && array.first < call.end &&
          facts_.CalleeOf(work_.calls[call.call].call).function == id) {
        scope = call.end;
      }
    }
    std::uint32_t end = 0;
    for (const std::size_t binding : NamesOf(id).bindings.at(array.array)) {
      end = std::max(end, EndOfBinding(array, function, binding, scope));
    }
    return end;
  }

  const Facts& facts_;
  const Work& work_;
  const Sizes& sizes_;
  Footprint out_;
  std::vector<Liveness::Use> uses_, loose_;
  std::vector<std::optional<Liveness::Use>> last_uses_;  // by array
  std::vector<CallSpan> calls_;
  std::vector<std::size_t> stack_;
  std::unordered_map<ir::ValueId, std::size_t> index_;
  std::vector<bool> touched_;
  std::unordered_map<ir::FunctionId, Reached> reached_;
  mutable std::unordered_map<ir::FunctionId, Names> names_;
};

// Adds up the bytes of what lives, on one layout.
class Adder {
 public:
  Adder(const Liveness& liveness, const Work& work, const Sizes& sizes, const Profile& profile, const Layout& layout,
        double factor)
      : liveness_(liveness),
        work_(work),
        sizes_(sizes),
        gpu_(profile.machine.gpu),
        split_(profile.machine.split),
        layout_(layout),
        factor_(factor),
        out_(liveness.footprint) {}

  Footprint Add() {
    for (const Liveness::Use& use : liveness_.uses) {
      double& bytes = out_.arrays[use.of].bytes;
      bytes = std::max(bytes, BytesOf(use));
    }
    if (!liveness_.loose.empty()) loose_.assign(out_.tasks.size(), 0);
    for (const Liveness::Use& use : liveness_.loose) loose_[use.of] += BytesOf(use);
    Sum();
    return std::move(out_);
  }

 private:
  [[nodiscard]] double BytesOf(const Liveness::Use& use) const {
    double elements = use.elements;
    if (elements > 1) elements *= factor_;
    const bool large = elements >= static_cast<double>(split_);
    const int processors = gpu_ ? layout_.processors : layout_.nodes;
    if (large && !use.replicated && processors > 1) elements = std::ceil(elements / processors);
    if (elements <= 1) return 0;  // a future, no storage
    return elements * use.item;
  }

  // Sorts and gathers need no buffers from the pool on CPUs (26.6.1: the runtime's own count of what it used).
  [[nodiscard]] bool TakesMemory(const WorkTask& task) const {
    return gpu_ || (task.kind != WorkKind::kSort && task.kind != WorkKind::kGather && task.kind != WorkKind::kScatter);
  }

  // What a task has of the pool while it runs, beside its arrays.
  [[nodiscard]] double BuffersOf(const WorkTask& task) const {
    // A read through a mask reserves room for all of the array, and gives back what the mask leaves out (26.6.1 on
    // CPUs: a pool without that room ends the program).
    if (!gpu_ && task.kind == WorkKind::kMaskRead && task.name == "[]" && task.bytes_written.valid())
      return factor_ * sizes_.Of(task.bytes_written);
    return task.temporary.valid() && TakesMemory(task) ? factor_ * sizes_.Of(task.temporary) : 0;
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
      const double more = BuffersOf(task);
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

  const Liveness& liveness_;
  const Work& work_;
  const Sizes& sizes_;
  bool gpu_;
  std::int64_t split_;
  Layout layout_;
  double factor_;
  Footprint out_;
  std::vector<double> loose_;  // bytes by step; empty where there are none
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

MemoryPlan PlanMemory(const Sizes& sizes, const Work& work, const Profile& profile, const Options& options) {
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
  for (std::uint32_t root = 0; root < work.roots.size(); ++root) {
    const Liveness liveness = LivenessOf(sizes, work, root);
    plan.roots.push_back(FootprintOf(liveness, work, sizes, profile, largest));
    Peaks& peaks = plan.peaks.emplace_back();
    if (!plan.roots.back().known) continue;
    const auto peak_on = [&](const Layout& layout) {
      return FootprintOf(liveness, work, sizes, profile, layout).peak.bytes;
    };
    for (const Layout& layout : options.layouts) {
      peaks.bytes.push_back(layout.processors == largest.processors ? plan.roots.back().peak.bytes : peak_on(layout));
    }
    if (std::ranges::all_of(peaks.bytes, [&](double bytes) { return bytes <= plan.pool; })) continue;
    for (const Layout& layout : CurveOf(profile)) {
      if (peaks.fewest == 0 && peak_on(layout) <= plan.pool) peaks.fewest = layout.processors;
    }
  }
  return plan;
}

Liveness LivenessOf(const Sizes& sizes, const Work& work, std::uint32_t root) {
  return Builder(work, sizes).Build(root);
}

Footprint FootprintOf(const Liveness& liveness, const Work& work, const Sizes& sizes, const Profile& profile,
                      const Layout& layout, double factor) {
  return Adder(liveness, work, sizes, profile, layout, factor).Add();
}

}  // namespace cpnlint::cost
