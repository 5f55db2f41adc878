#include "cost-model/links.h"

#include <algorithm>
#include <unordered_map>

#include "cost-model/course.h"
#include "cost-model/storages.h"

namespace cpnlint::cost {
namespace {

using analysis::WorkOperand;

constexpr std::size_t kMostPhis = 16;  // between a variable and what it was assigned

class Linker {
 public:
  Linker(const analysis::Facts& facts, const analysis::Work& work, const Region& region)
      : facts_(facts),
        work_(work),
        region_(region),
        course_(facts, work, region.function, StepsOf(work, region)),
        storages_(facts, work, course_) {}

  Links Link() {
    out_.first.push_back(0);
    for (std::uint32_t step = 0; step < course_.size(); ++step) {
      for (const WorkOperand& operand : work_.tasks[course_.tasks()[step]].operands) {
        if (!operand.root.valid()) continue;
        const Instance storage = StorageOf(operand.root, course_.CallAt(step), step);
        out_.links.push_back({operand.root, NumberOf(storage)});
      }
      out_.first.push_back(static_cast<std::uint32_t>(out_.links.size()));
    }
    for (const LoopSpan& loop : course_.loops()) {
      Links::Loop& moves = out_.loops.emplace_back();
      if (loop.begin < loop.end) AddMoves(loop.loop, loop.begin, &moves.enter, moves.pass);
    }
    if (region_.loop.valid() && course_.size() > 0) AddMoves(region_.loop, 0, nullptr, out_.pass);
    out_.storages = static_cast<std::uint32_t>(numbers_.size());
    return std::move(out_);
  }

 private:
  // Where ways join, the array of the last one stands for all.
  [[nodiscard]] Instance StorageOf(ir::ValueId root, std::uint32_t call, std::uint32_t step) const {
    Instance storage = storages_.Of(root, call, step);
    for (std::size_t i = 0; i < kMostPhis && storages_.KindOf(storage.array) == ir::OpKind::kPhi; ++i) {
      if (storages_.IsHeaderPhi(storage.array)) break;
      ir::ValueId last;
      for (const ir::ValueId from : facts_.program().Operands(storage.array)) {
        const ir::ValueId behind = from.valid() ? facts_.DeviceRootOf(from) : ir::ValueId::None();
        if (behind.valid() && behind != storage.array && (!last.valid() || last < behind)) last = behind;
      }
      if (!last.valid()) break;
      storage = storages_.Of(last, storage.call, step);
    }
    return storage;
  }

  std::uint32_t NumberOf(const Instance& storage) {
    return numbers_.try_emplace(storage.Key(), static_cast<std::uint32_t>(numbers_.size())).first->second;
  }

  // What the loop's variables take over, of the storages that some task works on. `step`: one in the loop.
  void AddMoves(ir::LoopId loop, std::uint32_t step, std::vector<Move>* enter, std::vector<Move>& pass) {
    if (!loop.valid()) return;
    const ir::Program& program = facts_.program();
    for (const ir::ValueId phi : program.blocks[program.loops[loop].header].ops) {
      if (program.ops[phi].kind != ir::OpKind::kPhi) break;
      if (!facts_.IsArray(phi)) continue;
      const std::optional<std::uint32_t> home = course_.HomeOf(program.FunctionOf(phi), course_.CallAt(step), step);
      const auto to = home ? numbers_.find(Instance{phi, *home}.Key()) : numbers_.end();
      if (to == numbers_.end()) continue;
      for (const ir::ValueId from : program.Operands(phi)) {
        const ir::ValueId root = from.valid() && from != phi ? facts_.DeviceRootOf(from) : ir::ValueId::None();
        if (!root.valid() || root == phi) continue;
        const auto source = numbers_.find(StorageOf(root, *home, step).Key());
        if (source == numbers_.end() || source->second == to->second) continue;
        std::vector<Move>* moves = facts_.InLoop(from, loop) ? &pass : enter;
        if (moves != nullptr) moves->push_back({to->second, source->second});
      }
    }
    for (std::vector<Move>* moves : {enter, &pass}) {  // one array for each variable
      if (moves == nullptr) continue;
      const auto same = [](const Move& a, const Move& b) { return a.to == b.to; };
      moves->erase(std::unique(moves->begin(), moves->end(), same), moves->end());
    }
  }

  const analysis::Facts& facts_;
  const analysis::Work& work_;
  const Region& region_;
  Course course_;
  Storages storages_;
  std::unordered_map<std::uint64_t, std::uint32_t> numbers_;
  Links out_;
};

}  // namespace

Links LinksOf(const analysis::Facts& facts, const analysis::Work& work, const Region& region) {
  return Linker(facts, work, region).Link();
}

}  // namespace cpnlint::cost
