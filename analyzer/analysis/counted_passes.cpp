#include "analyzer/analysis/counted_passes.h"

#include <algorithm>
#include <cmath>

#include "analyzer/analysis/comparisons.h"
#include "analyzer/analysis/way_tests.h"

namespace cpnlint::analysis {
namespace {

constexpr std::size_t kMostBlocks = 256;  // of one loop
constexpr int kDeepest = 6;               // from a number to the counter that it is made of
constexpr double kMostPasses = 1 << 20;
constexpr double kLeastFactor = 2;  // of what soon leaves every size behind

// How far a number is from the counter at the beginning of the same pass: at least and at most.
struct Distance {
  double least = 0, most = 0;
};

// A number that the first pass begins with and that each pass moves: adds between two amounts to it, or multiplies it.
struct Counter {
  ir::ValueId value;
  double start = 0;
  Distance step;
  double factor = 1;

  [[nodiscard]] bool Rises() const { return step.least > 0 || factor > 1; }
  [[nodiscard]] bool Falls() const { return step.most < 0 || factor < 1; }
};

// A way through a loop's body goes on where the number compares so with the limit.
struct Limit {
  ir::CompareOp compare = ir::CompareOp::kLt;
  double distance = 0;  // of the number that is compared from the counter
  double number = 0;
};

class Passes {
 public:
  Passes(const Facts& facts, Facts::Impl& impl, ir::LoopId loop, Trust trust)
      : facts_(facts), impl_(impl), program_(facts.program()), loop_(program_.loops[loop]), id_(loop), trust_(trust) {}

  [[nodiscard]] std::optional<std::int64_t> Most() {
    if (!loop_.header.valid()) return std::nullopt;
    const auto& before = program_.blocks[loop_.header].preds;
    if (std::ranges::none_of(before, [&](ir::BlockId block) { return facts_.BlockInLoop(block, id_); }))
      return 1;  // left at its end
    FindCounters();
    if (counters_.empty() || !FindWaysAround()) return std::nullopt;
    std::optional<std::int64_t> most;
    for (const ir::BlockId block : around_) {
      const std::optional<std::int64_t> passes = AllowedBy(block);
      if (passes) most = std::min(most.value_or(*passes), *passes);
    }
    return most;
  }

  // A whole number that each pass multiplies or divides, wherever it begins, soon passes what it is compared with.
  [[nodiscard]] bool Scale() {
    if (!loop_.header.valid() || !FindWaysAround()) return false;
    return std::ranges::any_of(program_.blocks[loop_.header].ops, [&](ir::ValueId op) {
      if (program_.ops[op].kind != ir::OpKind::kPhi) return false;
      const auto factor = ScaleOf(op);
      return factor && std::ranges::any_of(around_, [&](ir::BlockId block) {
               return EndsByScale(block, {.value = op, .step = {}, .factor = *factor});
             });
    });
  }

 private:
  // --- counters ---

  void FindCounters() {
    for (const ir::ValueId op : program_.blocks[loop_.header].ops) {
      if (program_.ops[op].kind != ir::OpKind::kPhi) break;
      if (const auto counter = CounterOf(op)) counters_.push_back(*counter);
    }
    if (loop_.item.valid()) AddItem();
  }

  // A Phi of the header whose values are constants before the first pass and moved ones after each.
  [[nodiscard]] std::optional<Counter> CounterOf(ir::ValueId phi) const {
    const ir::Block& header = program_.blocks[loop_.header];
    std::vector<ir::ValueId> starts;
    std::optional<Distance> step;
    std::optional<double> factor;
    for (std::size_t i = 0; i < header.preds.size(); ++i) {
      const ir::ValueId operand = program_.Operand(phi, i);
      if (!operand.valid()) return std::nullopt;
      if (!facts_.BlockInLoop(header.preds[i], id_)) {
        starts.push_back(operand);
        continue;
      }
      if (const auto times = FactorOf(operand, phi)) {
        factor = factor ? std::optional(NearerOne(*factor, *times)) : times;
        continue;
      }
      const auto moved = DistanceOf(operand, phi);
      if (!moved) return std::nullopt;
      step = step ? Distance{std::min(step->least, moved->least), std::max(step->most, moved->most)} : moved;
    }
    if (starts.empty() || step.has_value() == factor.has_value()) return std::nullopt;
    Counter counter{.value = phi, .step = step.value_or(Distance{}), .factor = factor.value_or(1)};
    if (counter.Rises() == counter.Falls()) return std::nullopt;
    std::optional<double> start;
    for (const ir::ValueId one : starts) {
      const auto number = counter.Falls() ? NumberOf(one) : facts_.NumberOf(one);
      if (!number) return std::nullopt;
      const double farther =
          counter.Falls() ? std::max(*number, start.value_or(*number)) : std::min(*number, start.value_or(*number));
      start = farther;
    }
    if (factor && *start <= 0) return std::nullopt;
    counter.start = *start;
    return counter;
  }

  static double NearerOne(double a, double b) {
    if ((a > 1) != (b > 1)) return 1;
    return std::abs(std::log(a)) < std::abs(std::log(b)) ? a : b;
  }

  // The item of `range(100)`, the counter of `enumerate(x)`.
  void AddItem() {
    const ir::ValueId iterable = loop_.iterable.valid() ? facts_.Source(loop_.iterable) : loop_.iterable;
    if (!iterable.valid() || program_.ops[iterable].kind != ir::OpKind::kCall) return;
    const Callee& callee = facts_.CalleeOf(iterable);
    if (callee.kind != Callee::Kind::kBuiltin || facts_.HasStarArguments(iterable)) return;
    const std::size_t count = facts_.PositionalCount(iterable);
    if (callee.name == "range") {
      const auto start = count == 1 ? std::optional(0.0) : facts_.NumberOf(program_.Operand(iterable, 1));
      const auto step = count < 3 ? std::optional(1.0) : facts_.NumberOf(program_.Operand(iterable, 3));
      if (start && step && *step != 0) counters_.push_back({loop_.item, *start, {*step, *step}});
      return;
    }
    if (callee.name != "enumerate" || count != 1 || program_.ops[iterable].operand_count != 2) return;
    for (const ir::ValueId part : facts_.UsesOf(loop_.item)) {
      if (program_.ops[part].kind != ir::OpKind::kUnpackItem) continue;
      if (ir::ItemPosition::Unpack(program_.ops[part].payload).index == 0) counters_.push_back({part, 0, {1, 1}});
    }
  }

  [[nodiscard]] ir::ValueId SourceOf(ir::ValueId id) const { return id.valid() ? facts_.Source(id) : id; }

  // `i + 1`, or what some arms of a test add and others do not.
  // NOLINTNEXTLINE(misc-no-recursion): `depth` bounds it
  [[nodiscard]] std::optional<Distance> DistanceOf(ir::ValueId id, ir::ValueId counter, int depth = 0) const {
    if (id == counter) return Distance{};
    const ir::ValueId source = SourceOf(id);
    if (!source.valid() || depth > kDeepest) return std::nullopt;
    if (source == counter) return Distance{};
    const ir::Op& op = program_.ops[source];
    if (op.kind == ir::OpKind::kPhi) {
      const ir::LoopId in = program_.LoopOf(source);
      if (!in.valid() || program_.loops[in].header == op.block) return std::nullopt;  // moved on each pass of another
      std::optional<Distance> all;
      for (const ir::ValueId operand : program_.Operands(source)) {
        const auto one = DistanceOf(operand, counter, depth + 1);
        if (!one) return std::nullopt;
        all = all ? Distance{std::min(all->least, one->least), std::max(all->most, one->most)} : one;
      }
      return all;
    }
    if (op.kind != ir::OpKind::kBinary && op.kind != ir::OpKind::kInplaceBinary) return std::nullopt;
    const auto kind = static_cast<ir::BinaryOp>(op.detail);
    const ir::ValueId left = program_.Operand(source, 0), right = program_.Operand(source, 1);
    if (kind == ir::BinaryOp::kAdd) {
      const auto by = facts_.NumberOf(right);
      const auto by_left = by ? by : facts_.NumberOf(left);
      const auto from = by_left ? DistanceOf(by ? left : right, counter, depth + 1) : std::nullopt;
      return from ? std::optional(Distance{from->least + *by_left, from->most + *by_left}) : std::nullopt;
    }
    if (kind != ir::BinaryOp::kSub) return std::nullopt;
    const auto by = facts_.NumberOf(right);
    const auto from = by ? DistanceOf(left, counter, depth + 1) : std::nullopt;
    return from ? std::optional(Distance{from->least - *by, from->most - *by}) : std::nullopt;
  }

  // `n *= 2`, `step / 10`
  [[nodiscard]] std::optional<double> FactorOf(ir::ValueId id, ir::ValueId counter) const {
    const ir::ValueId source = SourceOf(id);
    if (!source.valid()) return std::nullopt;
    const ir::Op& op = program_.ops[source];
    if (op.kind != ir::OpKind::kBinary && op.kind != ir::OpKind::kInplaceBinary) return std::nullopt;
    if (SourceOf(program_.Operand(source, 0)) != counter) return std::nullopt;
    const auto by = facts_.NumberOf(program_.Operand(source, 1));
    if (!by || *by <= 0) return std::nullopt;
    switch (static_cast<ir::BinaryOp>(op.detail)) {
      case ir::BinaryOp::kMul: return *by;
      case ir::BinaryOp::kDiv:
      case ir::BinaryOp::kFloorDiv: return 1 / *by;
      case ir::BinaryOp::kLeftShift: return std::exp2(*by);
      case ir::BinaryOp::kRightShift: return std::exp2(-*by);
      default: return std::nullopt;
    }
  }

  // By what each pass multiplies the whole number that the Phi of the header is.
  [[nodiscard]] std::optional<double> ScaleOf(ir::ValueId phi) const {
    const ir::Block& header = program_.blocks[loop_.header];
    std::optional<double> factor;
    for (std::size_t i = 0; i < header.preds.size(); ++i) {
      const ir::ValueId operand = program_.Operand(phi, i);
      if (!operand.valid()) return std::nullopt;
      const Kind kind = facts_.Of(operand).kind;
      const bool whole = kind == Kind::kInt || IsFloored(operand);
      if (!facts_.BlockInLoop(header.preds[i], id_)) {
        if (kind != Kind::kInt && kind != Kind::kUnknown) return std::nullopt;
        continue;
      }
      const auto times = whole ? FactorOf(operand, phi) : std::nullopt;
      if (!times) return std::nullopt;
      factor = factor ? NearerOne(*factor, *times) : *times;
    }
    const bool far = factor && (*factor >= kLeastFactor || *factor <= 1 / kLeastFactor);
    return far ? factor : std::nullopt;
  }

  [[nodiscard]] bool IsFloored(ir::ValueId id) const {
    const ir::ValueId source = SourceOf(id);
    if (!source.valid()) return false;
    const ir::Op& op = program_.ops[source];
    if (op.kind != ir::OpKind::kBinary && op.kind != ir::OpKind::kInplaceBinary) return false;
    const auto kind = static_cast<ir::BinaryOp>(op.detail);
    return !facts_.IsArray(source) && (kind == ir::BinaryOp::kFloorDiv || kind == ir::BinaryOp::kRightShift);
  }

  // --- ways through the body ---

  // The blocks that lead to another pass; false where there are too many to look at.
  [[nodiscard]] bool FindWaysAround() {
    around_ = {loop_.header};
    for (std::size_t i = 0; i < around_.size(); ++i) {
      if (around_.size() > kMostBlocks) return false;
      for (const ir::BlockId before : program_.blocks[around_[i]].preds) {
        if (facts_.BlockInLoop(before, id_) && !LeadsAround(before)) around_.push_back(before);
      }
    }
    return true;
  }

  [[nodiscard]] bool LeadsAround(ir::BlockId block) const { return std::ranges::find(around_, block) != around_.end(); }

  // No pass comes around without the block.
  [[nodiscard]] bool IsOnEachPass(ir::BlockId block) const {
    if (block == loop_.header) return true;
    std::vector<ir::BlockId> reached = {loop_.header};
    for (std::size_t i = 0; i < reached.size(); ++i) {
      for (const ir::BlockId next : program_.blocks[reached[i]].succs) {
        if (next == loop_.header) return false;
        if (next == block || !LeadsAround(next) || std::ranges::find(reached, next) != reached.end()) continue;
        reached.push_back(next);
      }
    }
    return true;
  }

  // --- tests ---

  struct Exit {
    ir::ValueId test;
    bool stays = false;     // where it holds
    bool at_start = false;  // of a pass
  };

  // The test at the end of the block, where each pass has to get by it.
  [[nodiscard]] std::optional<Exit> ExitAt(ir::BlockId id) const {
    const ir::Block& block = program_.blocks[id];
    if (block.ops.empty() || program_.ops[block.ops.back()].kind != ir::OpKind::kBranch) return std::nullopt;
    const bool first = LeadsAround(block.succs[0]), second = LeadsAround(block.succs[1]);
    if (first == second || !IsOnEachPass(id)) return std::nullopt;
    const bool at_start = id == loop_.header || IsTestOfWhile(program_.Operand(block.ops.back(), 0));
    const auto [test, holds] = TestAtEnd(facts_, id);
    return test.valid() ? std::optional(Exit{test, first == holds, at_start}) : std::nullopt;
  }

  // How many passes begin before the test at the end of the block leaves the loop.
  [[nodiscard]] std::optional<std::int64_t> AllowedBy(ir::BlockId id) const {
    const auto exit = ExitAt(id);
    if (!exit) return std::nullopt;
    std::optional<std::int64_t> most;
    for (const Counter& counter : counters_) {
      const auto limit = LimitOf(exit->test, exit->stays, counter);
      const auto passes = limit ? PassesTo(*limit, counter) : std::nullopt;
      // A pass that leaves in the middle has begun.
      if (passes) most = std::min(most.value_or(*passes + 1), *passes + (exit->at_start ? 0 : 1));
    }
    return most;
  }

  // `k > 10`, `n < size` of a number that no pass changes.
  [[nodiscard]] bool EndsByScale(ir::BlockId id, const Counter& counter) const {
    const auto exit = ExitAt(id);
    if (!exit) return false;
    const auto is_scaled = [&](ir::ValueId number) {
      return SourceOf(number) == counter.value || FactorOf(number, counter.value);
    };
    const ir::Op& op = program_.ops[exit->test];
    if (op.kind != ir::OpKind::kCompare) return is_scaled(exit->test) && exit->stays && counter.Falls();
    ir::ValueId moved = program_.Operand(exit->test, 0), limit = program_.Operand(exit->test, 1);
    auto compare = static_cast<ir::CompareOp>(op.detail);
    if (!is_scaled(moved)) {
      std::swap(moved, limit);
      compare = Mirrored(compare);
    }
    if (!is_scaled(moved) || !limit.valid() || !Stays(limit)) return false;
    if (!exit->stays) compare = Turned(compare);
    const bool reaches = compare == ir::CompareOp::kLe || compare == ir::CompareOp::kGe;
    if (counter.Rises()) return compare == ir::CompareOp::kLt || compare == ir::CompareOp::kLe;
    if (compare != ir::CompareOp::kGt && compare != ir::CompareOp::kGe) return false;
    const auto least = facts_.NumberOf(limit);  // zero stays zero
    return !least || *least >= (reaches ? 1 : 0);
  }

  // No pass changes the number; of `len(x)` not the length.
  [[nodiscard]] bool Stays(ir::ValueId number) const {
    if (facts_.Invariant(number, id_)) return true;
    const ir::ValueId length = SourceOf(number);
    if (!length.valid() || program_.ops[length].kind != ir::OpKind::kCall) return false;
    const Callee& callee = facts_.CalleeOf(length);
    const bool counts = callee.kind == Callee::Kind::kBuiltin && callee.name == "len";
    return counts && program_.ops[length].operand_count == 2 &&
           facts_.ExtentsInvariant(program_.Operand(length, 1), id_);
  }

  [[nodiscard]] bool IsTestOfWhile(ir::ValueId truth) const {
    return truth.valid() && program_.ops[truth].kind == ir::OpKind::kTruth &&
           static_cast<ir::TruthContext>(program_.ops[truth].detail) == ir::TruthContext::kWhile;
  }

  // What the test asks of the counter, so that the loop goes on.
  [[nodiscard]] std::optional<Limit> LimitOf(ir::ValueId test, bool stays, const Counter& counter) const {
    const ir::Op& op = program_.ops[test];
    Limit limit;
    ir::ValueId moved = test, number;
    if (op.kind == ir::OpKind::kCompare) {  // else: `while tries:`
      limit.compare = static_cast<ir::CompareOp>(op.detail);
      moved = program_.Operand(test, 0);
      number = program_.Operand(test, 1);
      if (!DistanceOf(moved, counter.value)) {
        std::swap(moved, number);
        limit.compare = Mirrored(limit.compare);
      }
    } else {
      limit.compare = ir::CompareOp::kNe;
    }
    if (!stays) limit.compare = Turned(limit.compare);
    const auto distance = DistanceOf(moved, counter.value);
    if (!distance) return std::nullopt;
    const auto to = number.valid() ? NumberOf(number) : std::optional(0.0);
    if (!to) return std::nullopt;
    limit.distance = counter.Rises() ? distance->least : distance->most;
    limit.number = *to;
    return limit;
  }

  // What is counted to, or down from, may be a default.
  [[nodiscard]] std::optional<double> NumberOf(ir::ValueId id) const {
    if (const auto known = facts_.NumberOf(id)) return known;
    const auto largest = LargestConstant(facts_, impl_, id, trust_);
    return largest ? std::optional(static_cast<double>(*largest)) : std::nullopt;
  }

  // How many passes in a row the limit lets go on.
  [[nodiscard]] static std::optional<std::int64_t> PassesTo(const Limit& limit, const Counter& counter) {
    const bool rises = counter.Rises();
    const bool below = limit.compare == ir::CompareOp::kLt || limit.compare == ir::CompareOp::kLe;
    const bool above = limit.compare == ir::CompareOp::kGt || limit.compare == ir::CompareOp::kGe;
    const bool differs = limit.compare == ir::CompareOp::kNe;
    if (!(rises ? below : above) && !differs) return std::nullopt;
    const bool reaches = limit.compare == ir::CompareOp::kLe || limit.compare == ir::CompareOp::kGe;
    double passes = 0;
    if (counter.factor != 1) {
      const double number = limit.number - limit.distance;
      if (number <= 0) return std::nullopt;
      passes = std::log(number / counter.start) / std::log(counter.factor);
    } else {
      const double step = rises ? counter.step.least : counter.step.most;
      passes = (limit.number - limit.distance - counter.start) / step;
      // `while i != 5`: only what meets the number ends there.
      if (differs && (passes < 0 || passes != std::floor(passes))) return std::nullopt;
    }
    if (differs && counter.factor != 1) return std::nullopt;
    if (!(passes < kMostPasses)) return std::nullopt;
    passes = reaches ? std::floor(passes) + 1 : std::ceil(passes);
    return static_cast<std::int64_t>(std::max(passes, 0.0));
  }

  const Facts& facts_;
  Facts::Impl& impl_;
  const ir::Program& program_;
  const ir::Loop& loop_;
  ir::LoopId id_;
  Trust trust_;
  std::vector<Counter> counters_;
  std::vector<ir::BlockId> around_;
};

}  // namespace

std::optional<std::int64_t> CountedPasses(const Facts& facts, Facts::Impl& impl, ir::LoopId loop, Trust trust) {
  return Passes(facts, impl, loop, trust).Most();
}

bool EndsByScale(const Facts& facts, Facts::Impl& impl, ir::LoopId loop) {
  return Passes(facts, impl, loop, Trust::kUsage).Scale();
}

}  // namespace cpnlint::analysis
