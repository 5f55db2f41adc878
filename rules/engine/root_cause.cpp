#include "rules/engine/root_cause.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "analyzer/analysis/callee_names.h"
#include "analyzer/analysis/read_items.h"
#include "rules/engine/runner.h"

namespace cpnlint::rules {
namespace {

using analysis::LoopKind;
using ir::FunctionId;
using ir::LoopId;
using ir::ValueId;

constexpr std::array kRaisingOrder = {120, 102, 106, 119, 107, 109, 112, 113, 308};
constexpr std::array kChainOrder = {104, 110, 105, 117, 115, 116, 114, 215};
// What an element loop causes. A strided slice (R106) is caused by it only where it depends on the loop's index.
constexpr std::array kCausedByElementLoop = {101, 102, 103, 104, 105, 106, 110, 114, 115,
                                             116, 117, 201, 207, 209, 213, 215, 216};
constexpr std::array kSpecificBeatsGeneral = {
    std::pair{305, 306}, std::pair{302, 306}, std::pair{303, 306}, std::pair{313, 305}, std::pair{313, 302},
    std::pair{212, 114}, std::pair{204, 114}, std::pair{204, 116}, std::pair{203, 211}, std::pair{214, 306},
    std::pair{115, 214}, std::pair{207, 101}, std::pair{205, 206}, std::pair{205, 314}, std::pair{309, 314},
    std::pair{120, 314}, std::pair{208, 213}, std::pair{314, 117}};
// At one site both hold, and the second is a fact of the first: a factorisation that throws in a loop (R116) and that
// one processor does it, a peak over the pool and why it is that high.
constexpr std::array kHeadlines = {std::pair{116, 302}, std::pair{116, 305}, std::pair{116, 313},
                                   std::pair{401, 402}, std::pair{401, 403}, std::pair{401, 404}};
// A.7.4: what happens only because of the cause, at the places that it names, becomes a label of it.
constexpr std::array kCausedAtPlace = {std::pair{111, 104}, std::pair{111, 117}, std::pair{118, 104},
                                       std::pair{118, 117}, std::pair{108, 101}, std::pair{108, 104},
                                       std::pair{108, 106}, std::pair{108, 116}, std::pair{108, 117},
                                       std::pair{108, 207}, std::pair{108, 210}};
// What the cause's own story tells already: the gathers by positions of R204, the read inside of `x[mask] op= v`.
constexpr std::array kToldAtPlace = {std::pair{204, 114}, std::pair{204, 116}, std::pair{212, 114}};
// What a loop over pieces causes in its body: it goes with the loop.
constexpr std::array kCausedByChunkLoop = {114, 201, 209, 212, 213, 216};
constexpr std::array kOncePerModule = {301, 304, 307};
constexpr std::array kKeyedByName = {109, 112, 113, 119};

template <std::size_t N>
int PositionIn(const std::array<int, N>& order, int code) {
  const auto at = std::find(order.begin(), order.end(), code);
  return at == order.end() ? -1 : static_cast<int>(at - order.begin());
}

template <std::size_t N>
bool HasPair(const std::array<std::pair<int, int>, N>& table, int first, int second) {
  return std::find(table.begin(), table.end(), std::pair{first, second}) != table.end();
}

template <std::size_t N>
bool HasFirst(const std::array<std::pair<int, int>, N>& table, int first) {
  return std::any_of(table.begin(), table.end(), [&](const auto& pair) { return pair.first == first; });
}

template <std::size_t N>
bool HasSecond(const std::array<std::pair<int, int>, N>& table, int second) {
  return std::any_of(table.begin(), table.end(), [&](const auto& pair) { return pair.second == second; });
}

int Code(const Finding& finding) { return finding.rule->code; }

bool IsOnLoop(const Finding& finding) { return finding.loop.valid() && !finding.site.valid(); }

// Position in the raising order; -1 where the expression runs (an accepted `order=`, say, is information only).
int RaisingRank(const Finding& finding) {
  return finding.severity == Severity::kError ? PositionIn(kRaisingOrder, Code(finding)) : -1;
}

// In place: there are very many, and a second table of them would be the most that a run ever needs.
void Erase(std::vector<Finding>& found, const std::vector<bool>& gone) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (gone[i]) continue;
    if (kept != i) found[kept] = std::move(found[i]);
    ++kept;
  }
  found.erase(found.begin() + static_cast<std::ptrdiff_t>(kept), found.end());
}

// R117 tells a statement once, by the value that it is surest of. Another cause may take that value away and leave the
// others (`print(err, u.sum())`, `if err < tol`): then the next of the statement's findings speaks for the rest.
// Takes the later ones of each statement out, in the order in which the rule gave them.
std::vector<Finding> TakeReserves(std::vector<Finding>& found) {
  std::set<ValueId> told;
  std::vector<Finding> reserves;
  std::vector<bool> taken(found.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (Code(found[i]) != 117 || !found[i].site.valid() || told.insert(found[i].site).second) continue;
    reserves.push_back(std::move(found[i]));
    taken[i] = true;
  }
  if (!reserves.empty()) Erase(found, taken);
  return reserves;
}

class Causes {
 public:
  Causes(const Facts& facts, std::vector<Finding> found, std::vector<Finding> reserves)
      : facts_(facts), found_(std::move(found)), reserves_(std::move(reserves)) {
    gone_.resize(found_.size());
  }

  std::vector<Finding> Reduce() {
    OnExpressions();
    AtPlaces();
    Chains();
    Loops();
    Nests(207);
    Erase(found_, gone_);
    return std::move(found_);
  }

 private:
  [[nodiscard]] bool MayHide(std::size_t cause, std::size_t other) const {
    return cause != other && !gone_[cause] && !gone_[other] && found_[cause].confidence >= found_[other].confidence;
  }

  void Drop(std::size_t other) { gone_[other] = true; }

  void Swallow(std::size_t cause, std::size_t other) {
    Finding& from = found_[other];
    Finding& to = found_[cause];
    to.labels.push_back({from.span, from.message, Code(from)});
    for (Label& label : from.labels) {
      if (label.swallowed_rule != 0) to.labels.push_back(std::move(label));
    }
    gone_[other] = true;
  }

  // A.7.1 and A.7.5. One expression: the same op, a call and what it calls, or the same stretch of source.
  void OnExpressions() {
    std::map<ValueId, std::vector<std::size_t>> by_op;
    std::map<std::pair<FunctionId, Span>, std::vector<std::size_t>> by_span;
    const ir::Program& program = facts_.program();
    for (std::size_t i = 0; i < found_.size(); ++i) {
      const Finding& finding = found_[i];
      if (finding.rule->family == Family::kScales) continue;
      by_span[{finding.function, finding.span}].push_back(i);
      if (!finding.site.valid()) continue;
      by_op[finding.site].push_back(i);
      if (program.ops[finding.site].kind == ir::OpKind::kCall) by_op[program.Operand(finding.site, 0)].push_back(i);
    }
    for (const auto& [op, group] : by_op) OnExpression(group);
    for (const auto& [span, group] : by_span) OnExpression(group);
  }

  void OnExpression(const std::vector<std::size_t>& group) {
    for (const std::size_t cause : group) {
      const int rank = RaisingRank(found_[cause]);
      for (const std::size_t other : group) {
        if (!MayHide(cause, other)) continue;
        const int other_rank = RaisingRank(found_[other]);
        if (rank >= 0 && (other_rank < 0 || rank < other_rank)) Drop(other);
        if (!gone_[other] && BeatsAsSpecific(found_[cause], found_[other])) Drop(other);
      }
    }
    // What another one beats is no fact of the headline. What raises first but is less sure is one of what raises
    // surely.
    for (const std::size_t cause : group) {
      for (const std::size_t other : group) {
        if (!MayHide(cause, other)) continue;
        const bool both_raise = RaisingRank(found_[cause]) >= 0 && RaisingRank(found_[other]) >= 0;
        const bool later = both_raise && RaisingRank(found_[cause]) > RaisingRank(found_[other]);
        if (later || IsHeadline(found_[cause], found_[other])) Swallow(cause, other);
      }
    }
  }

  [[nodiscard]] bool BeatsAsSpecific(const Finding& specific, const Finding& general) const {
    if (!HasPair(kSpecificBeatsGeneral, Code(specific), Code(general))) return false;
    if (Code(specific) == 314 && Code(general) == 117) return specific.raises;  // `json.dump([u.max()], f)`
    return Code(general) != 101 || facts_.LoopFactOf(general.loop).kind == LoopKind::kRow;
  }

  // A cold R116 is a remark of its own.
  [[nodiscard]] bool IsHeadline(const Finding& headline, const Finding& fact) const {
    return HasPair(kHeadlines, Code(headline), Code(fact)) &&
           (Code(headline) != 116 || headline.severity == Severity::kError);
  }

  // The cause itself, one of its further sites, or (R108, R204, R212) a place that its story names.
  [[nodiscard]] static bool IsAtPlaceOf(const Finding& cause, const Finding& finding) {
    const auto overlap = [&](Span place) { return place.Contains(finding.span) || finding.span.Contains(place); };
    if (cause.function == finding.function && overlap(cause.span)) return true;
    // The selection that a statement before makes; other labels of R212 are loops.
    if (Code(cause) == 212) return std::ranges::find(cause.labels, finding.span, &Label::span) != cause.labels.end();
    if (Code(cause) != 108 && Code(cause) != 204) return false;
    return std::any_of(cause.also.begin(), cause.also.end(), overlap) ||
           std::any_of(cause.labels.begin(), cause.labels.end(),
                       [&](const Label& label) { return overlap(label.span); });
  }

  // A conversion that CuPy or a worker asks for, a cut by rank, what is done with positions: all in one module.
  void AtPlaces() {
    std::map<ir::ModuleId, std::vector<std::size_t>> by_module;  // what may be caused at a place
    for (std::size_t i = 0; i < found_.size(); ++i) {
      const int code = Code(found_[i]);
      if (HasSecond(kCausedAtPlace, code) || HasSecond(kToldAtPlace, code)) by_module[found_[i].module].push_back(i);
    }
    for (std::size_t cause = 0; cause < found_.size(); ++cause) {
      if (!HasFirst(kCausedAtPlace, Code(found_[cause])) && !HasFirst(kToldAtPlace, Code(found_[cause]))) continue;
      for (const std::size_t other : by_module[found_[cause].module]) {
        const bool caused = HasPair(kCausedAtPlace, Code(found_[cause]), Code(found_[other]));
        const bool told = HasPair(kToldAtPlace, Code(found_[cause]), Code(found_[other]));
        if ((!caused && !told) || !MayHide(cause, other) || !IsAtPlaceOf(found_[cause], found_[other])) continue;
        if (caused) Swallow(cause, other);
        if (told) Drop(other);
      }
    }
  }

  // A.7.3: a wait is charged where the value leaves the device first.
  void Chains() {
    std::map<WaitKey, std::vector<std::size_t>> by_value;
    for (std::size_t i = 0; i < found_.size(); ++i) {
      const Finding& finding = found_[i];
      if (gone_[i] || !finding.root.valid() || PositionIn(kChainOrder, Code(finding)) < 0) continue;
      by_value[KeyOfWait(finding)].push_back(i);
    }
    std::vector<ValueId> silent;  // statements whose first value is told elsewhere
    for (auto& [value, group] : by_value) {
      std::stable_sort(group.begin(), group.end(), [&](std::size_t a, std::size_t b) {
        return PositionIn(kChainOrder, Code(found_[a])) < PositionIn(kChainOrder, Code(found_[b]));
      });
      for (const std::size_t other : group) {
        if (Code(found_[other]) != Code(found_[group.front()]) && MayHide(group.front(), other)) {
          if (Code(found_[other]) == 117) silent.push_back(found_[other].site);
          Swallow(group.front(), other);
        }
      }
    }
    for (const ValueId site : silent) {
      if (site.valid()) CallReserve(site, by_value);
    }
  }

  using WaitKey = std::tuple<FunctionId, ValueId, LoopId>;

  [[nodiscard]] WaitKey KeyOfWait(const Finding& finding) const {
    return {finding.function, finding.root, RegionOf(finding)};
  }

  // R105 tells the tests of one pass under the root of the first: whether this one is about `s` in `s > 10.0`.
  [[nodiscard]] bool Tests(const Finding& test, ValueId root) const {
    constexpr std::size_t kMost = 16;
    if (!test.site.valid()) return false;
    const ir::Program& program = facts_.program();
    std::vector<ValueId> work = {test.site};
    for (std::size_t i = 0; i < work.size() && i < kMost; ++i) {
      if (!work[i].valid()) continue;
      if (facts_.IsDevice(work[i]) && facts_.RootOf(work[i]) == root) return true;
      const ir::OpKind kind = program.ops[work[i]].kind;
      if (kind != ir::OpKind::kTruth && kind != ir::OpKind::kNot && kind != ir::OpKind::kCompare) continue;
      for (const ValueId operand : program.Operands(work[i])) work.push_back(operand);
    }
    return false;
  }

  [[nodiscard]] bool IsTested(const Finding& reserve) const {
    return std::ranges::any_of(found_, [&](const Finding& test) {
      return Code(test) == 105 && test.function == reserve.function && test.confidence >= reserve.confidence &&
             RegionOf(test) == RegionOf(reserve) && Tests(test, reserve.root);
    });
  }

  // The first of the statement's other values that nothing else tells of.
  void CallReserve(ValueId site, const std::map<WaitKey, std::vector<std::size_t>>& by_value) {
    for (Finding& reserve : reserves_) {
      if (reserve.site != site) continue;
      const auto group = reserve.root.valid() ? by_value.find(KeyOfWait(reserve)) : by_value.end();
      const auto tells = [&](std::size_t i) {
        return Code(found_[i]) != 117 && PositionIn(kChainOrder, Code(found_[i])) < PositionIn(kChainOrder, 117) &&
               found_[i].confidence >= reserve.confidence;
      };
      if (group != by_value.end() && std::ranges::any_of(group->second, tells)) continue;
      if (reserve.root.valid() && IsTested(reserve)) continue;
      found_.push_back(std::move(reserve));
      gone_.push_back(false);
      return;
    }
  }

  [[nodiscard]] LoopId RegionOf(const Finding& finding) const {
    const ValueId site = HeatSite(facts_, finding);
    return site.valid() ? facts_.HeatOf(site).region : LoopId::None();
  }

  [[nodiscard]] bool IsElementLoop(const Finding& finding) const {
    if (!IsOnLoop(finding) || (Code(finding) != 101 && Code(finding) != 103)) return false;
    const analysis::LoopFact& fact = facts_.LoopFactOf(finding.loop);
    if (Code(finding) == 103) return !fact.hands_out && analysis::ReadsItems(facts_, finding.loop);
    const LoopKind kind = fact.kind;
    return kind == LoopKind::kElement || kind == LoopKind::kRecurrence || kind == LoopKind::kIter;
  }

  // A.7.2: element, recurrence and iter loops swallow what they cause.
  void Loops() {
    for (std::size_t i = 0; i < found_.size(); ++i) {
      if (!gone_[i] && IsElementLoop(found_[i])) element_loops_.emplace(found_[i].loop, i);
    }
    // Decided first and done afterwards, so that the outermost loop takes all.
    std::vector<std::pair<std::size_t, std::size_t>> swallowed;
    for (std::size_t i = 0; i < found_.size(); ++i) {
      if (gone_[i] || PositionIn(kCausedByElementLoop, Code(found_[i])) < 0) continue;
      if (const auto cause = CauseOf(i)) swallowed.emplace_back(*cause, i);
    }
    for (const auto& [cause, other] : swallowed) {
      if (!gone_[other]) Swallow(cause, other);
    }
    Hashes();
    RowLoops();
  }

  // A walk tells itself that its items have no hash (R103): each place where one is hashed is part of its story.
  void Hashes() {
    for (std::size_t cause = 0; cause < found_.size(); ++cause) {
      const Finding& walk = found_[cause];
      if (gone_[cause] || Code(walk) != 103 || !walk.raises) continue;
      for (std::size_t other = 0; other < found_.size(); ++other) {
        const Finding& hash = found_[other];
        if (Code(hash) != 314 || hash.key != walk.key || hash.function != walk.function) continue;
        if (!hash.site.valid()) continue;
        const ir::Program& program = facts_.program();
        const bool here = IsOnLoop(walk) ? facts_.InLoop(hash.site, walk.loop)
                                         : program.ops[hash.site].statement == program.ops[walk.site].statement;
        if (here && MayHide(cause, other)) Swallow(cause, other);
      }
    }
  }

  [[nodiscard]] std::optional<std::size_t> CauseOf(std::size_t other) const {
    const ir::Program& program = facts_.program();
    const Finding& finding = found_[other];
    LoopId loop;
    if (finding.site.valid()) loop = program.LoopOf(finding.site);
    if (IsOnLoop(finding)) loop = program.loops[finding.loop].parent;
    std::optional<std::size_t> cause = OutermostAround(loop, other);
    if (cause) return cause;
    // Around a loop is what stands around what it walks. A function that others could call tells its own story.
    const ir::Function& function = program.functions[finding.function];
    const bool nested = function.parent.valid() && program.functions[function.parent].kind == ir::Function::Kind::kDef;
    const bool own = nested || analysis::IsPrivateName(program.names.Text(function.name));
    const ValueId iterable = own && IsOnLoop(finding) ? program.loops[finding.loop].iterable : ValueId::None();
    const ValueId site = iterable.valid() ? iterable : HeatSite(facts_, finding);
    if (!site.valid()) return std::nullopt;
    const analysis::Heat& heat = facts_.HeatOf(site);
    if (!heat.in_element_loop || program.loops[heat.element_loop].function == finding.function) return std::nullopt;
    if (!CalledOnlyIn(finding.function, heat.element_loop)) return std::nullopt;
    return OutermostAround(heat.element_loop, other);
  }

  // Only the walk makes the place hot, and the walk is in doubt because few items are usual or they may be text, not
  // because the array may be none: so is what happens to each of them.
  [[nodiscard]] bool RestsOn(std::size_t other, std::size_t walk) const {
    const Finding& cause = found_[walk];
    if (Code(cause) != 103 || cause.confidence != Confidence::kPossible || walk == other || gone_[walk]) return false;
    const ValueId site = HeatSite(facts_, found_[other]);
    const ValueId iterable = facts_.program().loops[cause.loop].iterable;
    if (!site.valid() || !iterable.valid() || facts_.HeatOf(site).region != cause.loop) return false;
    // A loop within it, or a builtin that walks an array, makes many passes however few the items are.
    const LoopId own = facts_.program().LoopOf(site);
    if (IsOnLoop(found_[other]) || Code(found_[other]) == 110 || (own.valid() && own != cause.loop)) return false;
    const auto is_firm = [&](ValueId array) {
      return array.valid() && facts_.IsDevice(array) && facts_.ConfidenceOfValue(array) != Confidence::kPossible;
    };
    if (is_firm(iterable)) return true;
    const ValueId call = facts_.Source(iterable);  // zip(labels, rows)
    if (!call.valid() || facts_.program().ops[call].kind != ir::OpKind::kCall) return false;
    const auto operands = facts_.program().Operands(call);
    return std::any_of(operands.begin(), operands.end(), is_firm);
  }

  // The outermost element loop from `loop` outwards that may hide `other`.
  [[nodiscard]] std::optional<std::size_t> OutermostAround(LoopId loop, std::size_t other) const {
    std::optional<std::size_t> cause;
    for (; loop.valid(); loop = facts_.program().loops[loop].parent) {
      const auto found = element_loops_.find(loop);
      if (found == element_loops_.end() || (!MayHide(found->second, other) && !RestsOn(other, found->second))) continue;
      const Finding& finding = found_[other];
      if (Code(finding) == 106 && !(finding.site.valid() && facts_.DependsOnInduction(finding.site, loop))) continue;
      cause = found->second;
    }
    return cause;
  }

  [[nodiscard]] bool CalledOnlyIn(FunctionId function, LoopId loop) const {
    std::set<FunctionId> seen = {function};
    std::vector<FunctionId> pending = {function};
    while (!pending.empty()) {
      const FunctionId next = pending.back();
      pending.pop_back();
      const auto sites = facts_.CallSitesOf(next);
      if (sites.empty()) return false;
      for (const ValueId site : sites) {
        if (facts_.InLoop(site, loop)) continue;
        const FunctionId caller = facts_.program().FunctionOf(site);
        if (caller == facts_.program().loops[loop].function) return false;
        if (seen.insert(caller).second) pending.push_back(caller);
      }
    }
    return true;
  }

  // One nest, one finding: a row loop in a row loop, or around an element loop, is part of its story.
  void RowLoops() {
    std::map<LoopId, std::size_t> rows;
    for (std::size_t i = 0; i < found_.size(); ++i) {
      if (!gone_[i] && Code(found_[i]) == 101 && IsOnLoop(found_[i]) && !IsElementLoop(found_[i]))
        rows.emplace(found_[i].loop, i);
    }
    std::vector<std::pair<std::size_t, std::size_t>> swallowed;
    for (const auto& [row, i] : rows) {
      std::optional<std::size_t> cause;
      for (const auto& [loop, element] : element_loops_) {
        if (!cause && facts_.LoopContains(row, loop) && MayHide(element, i)) cause = element;
      }
      for (LoopId loop = facts_.program().loops[row].parent; !cause && loop.valid();
           loop = facts_.program().loops[loop].parent) {
        const auto outer = rows.find(loop);
        if (outer != rows.end() && MayHide(outer->second, i)) cause = outer->second;
      }
      if (cause) swallowed.emplace_back(*cause, i);
    }
    // Innermost first, so that a label is handed on to the outermost.
    for (auto pair = swallowed.rbegin(); pair != swallowed.rend(); ++pair) {
      if (!gone_[pair->first]) Swallow(pair->first, pair->second);
    }
  }

  // A.7.6: findings of one rule on loops of one nest are one, on the outermost. A chunk loop takes what its pieces
  // cause.
  void Nests(int code) {
    std::map<LoopId, std::size_t> nests;
    for (std::size_t i = 0; i < found_.size(); ++i) {
      if (!gone_[i] && Code(found_[i]) == code && IsOnLoop(found_[i])) nests.emplace(found_[i].loop, i);
    }
    if (nests.empty()) return;
    const ir::Program& program = facts_.program();
    for (std::size_t i = 0; i < found_.size(); ++i) {
      const Finding& finding = found_[i];
      const bool inner = Code(finding) == code && IsOnLoop(finding);
      if (gone_[i] || (!inner && PositionIn(kCausedByChunkLoop, Code(finding)) < 0)) continue;
      LoopId loop;
      if (finding.site.valid()) loop = program.LoopOf(finding.site);
      if (inner) loop = program.loops[finding.loop].parent;
      std::optional<std::size_t> outermost;
      for (; loop.valid(); loop = program.loops[loop].parent) {
        const auto nest = nests.find(loop);
        if (nest != nests.end() && MayHide(nest->second, i)) outermost = nest->second;
      }
      if (outermost) Swallow(*outermost, i);
    }
  }

  const Facts& facts_;
  std::vector<Finding> found_;
  std::vector<Finding> reserves_;  // of R117
  std::vector<bool> gone_;
  std::map<LoopId, std::size_t> element_loops_;
};

using MergeKey = std::tuple<int, ir::ModuleId, FunctionId, ValueId, std::string, LoopId, Span>;

// A lambda is part of the function that it stands in.
FunctionId WholeFunction(const ir::Program& program, FunctionId function) {
  while (program.functions[function].kind == ir::Function::Kind::kLambda && program.functions[function].parent.valid())
    function = program.functions[function].parent;
  return function;
}

// `[[c[k] for k in kinds], [d[k] for k in kinds]]`: a statement walks an array again and again, and one fetch serves
// all of it. The rows `x[0]` and `x[1]` are fetched each by itself.
class Walks {
 public:
  explicit Walks(const Facts& facts) : facts_(facts) {}

  // The statement, and the first of its walks that goes over the same; nullopt for other findings.
  struct Same {
    ValueId first;
    Span statement;
  };
  std::optional<Same> Find(const Finding& finding) {
    if (Code(finding) != 103 || !IsOnLoop(finding) || !finding.root.valid()) return {};
    const ir::Program& program = facts_.program();
    const ir::Loop& loop = program.loops[finding.loop];
    if (loop.kind != ir::Loop::Kind::kComprehension || loop.parent.valid() || !loop.item.valid()) return {};
    const ir::StatementId statement = program.ops[loop.item].statement;
    std::vector<ValueId>& others = walked_[statement];
    const auto same = std::ranges::find_if(others, [&](ValueId other) { return IsSame(other, loop.iterable); });
    if (same != others.end()) return Same{*same, program.statements[statement].span};
    others.push_back(loop.iterable);
    return Same{loop.iterable, program.statements[statement].span};
  }

 private:
  // One value, or the same part of one value: a statement stores at its end.
  [[nodiscard]] bool IsSame(ValueId a, ValueId b) const {
    if (a == b) return true;
    if (!a.valid() || !b.valid()) return false;
    const ir::Program& program = facts_.program();
    const ir::Op &x = program.ops[a], &y = program.ops[b];
    if (x.kind != y.kind || x.operand_count != y.operand_count || x.statement != y.statement) return false;
    switch (x.kind) {
      case ir::OpKind::kInt: return program.ints[x.payload] == program.ints[y.payload];
      case ir::OpKind::kNone:
      case ir::OpKind::kEllipsis: return true;
      case ir::OpKind::kAttr:
      case ir::OpKind::kLoadCell:
        if (x.payload != y.payload) return false;
        break;
      case ir::OpKind::kUnary:
      case ir::OpKind::kBinary:
        if (x.detail != y.detail) return false;
        break;
      case ir::OpKind::kSubscript:
      case ir::OpKind::kSlice:
      case ir::OpKind::kTuple: break;
      default: return false;
    }
    return std::ranges::equal(program.Operands(a), program.Operands(b),
                              [&](ValueId one, ValueId other) { return IsSame(one, other); });
  }

  const Facts& facts_;
  std::map<ir::StatementId, std::vector<ValueId>> walked_;
};

MergeKey KeyOf(const Facts& facts, const Finding& finding, Walks& walks) {
  const int code = Code(finding);
  // One for each library and submodule (R301).
  if (PositionIn(kOncePerModule, code) >= 0)
    return {code, finding.module, {}, {}, code == 301 ? finding.key : "", {}, {}};
  // The loop nest stands for the root.
  if (IsOnLoop(finding) && (code == 101 || code == 207))
    return {code, finding.module, finding.function, {}, "", finding.loop, {}};
  const ValueId site = HeatSite(facts, finding);
  const LoopId region = site.valid() ? facts.HeatOf(site).region : LoopId::None();
  const bool by_name = PositionIn(kKeyedByName, code) >= 0 && !finding.key.empty();
  const FunctionId function =
      finding.function.valid() ? WholeFunction(facts.program(), finding.function) : FunctionId();
  if (by_name) return {code, finding.module, function, {}, finding.key, region, {}};
  if (const auto walk = walks.Find(finding))
    return {code, finding.module, function, walk->first, finding.key, {}, walk->statement};
  // `w[low].sum() + w[high].sum()`: each place makes a selection of its own, which is no storage that others know.
  if (code == 114 && site.valid() && facts.program().ops[site].kind == ir::OpKind::kSubscript) {
    const ValueId array = facts.RootOf(facts.program().Operand(site, 0));
    if (array.valid()) return {code, finding.module, finding.function, array, "", region, {}};
  }
  // Without a root nothing says that two places are about one array.
  const bool identified = finding.root.valid() || !finding.key.empty();
  return {
      code, finding.module, finding.function, finding.root, finding.key, region, identified ? Span{} : finding.span};
}

// Both values of `min(x, y)` are read at one place: which of them is told must not depend on what else was found.
bool Before(const Finding& a, const Finding& b) {
  return std::tuple(a.span, Code(a), a.site, a.loop, a.root, std::string_view(a.key)) <
         std::tuple(b.span, Code(b), b.site, b.loop, b.root, std::string_view(b.key));
}

bool SameText(const Text& a, const Text& b) {
  return std::equal(
      a.pieces.begin(), a.pieces.end(), b.pieces.begin(), b.pieces.end(),
      [](const Text::Piece& x, const Text::Piece& y) { return x.literal == y.literal && x.span == y.span; });
}

// One expression is told once, however many values in it have the same fault (both bounds of a slice). `found` is
// sorted.
void DropRepeated(std::vector<Finding>& found) {
  std::size_t kept = 0;
  for (Finding& finding : found) {
    const auto end = std::make_reverse_iterator(found.begin());
    const auto same = std::find_if(end - static_cast<std::ptrdiff_t>(kept), end, [&](const Finding& other) {
      return other.span != finding.span || (other.rule == finding.rule && other.function == finding.function &&
                                            SameText(other.message, finding.message));
    });
    if (finding.rule->family == Family::kScales || same == end || same->span != finding.span) {
      if (&found[kept] != &finding) found[kept] = std::move(finding);
      ++kept;
      continue;
    }
    if (same->confidence < finding.confidence) *same = std::move(finding);
  }
  found.erase(found.begin() + static_cast<std::ptrdiff_t>(kept), found.end());
}

// The help's own words, without the user's.
std::string PatternOf(const Text& help) {
  std::string pattern;
  for (const Text::Piece& piece : help.pieces) pattern += piece.span.empty() ? piece.literal : std::string("_");
  return pattern;
}

// `RR-masked-reduce  ` in front of a help.
Text WithoutRecipe(Text help) {
  if (help.pieces.empty()) return help;
  std::string& first = help.pieces.front().literal;
  if (const std::size_t end = first.find("  "); end != std::string::npos) first.erase(0, end + 2);
  return help;
}

// Each place makes another use of its selection (R114), what helps a sum is of no use to a maximum; one part of a test
// guards a division and another one does not (R105).
void MergeHelps(Finding& primary, const std::vector<const Finding*>& others) {
  constexpr std::size_t kMost = 3;  // ways to help that are told
  std::vector<std::string> told = {PatternOf(primary.help)};
  bool likewise = false;
  Text further;
  for (const Finding* other : others) {
    const std::string pattern = PatternOf(other->help);
    if (std::ranges::find(told, pattern) != told.end()) {
      likewise = likewise || (pattern == told.front() && pattern.find("write `") != std::string::npos);
      continue;
    }
    if (other->help.empty() || told.size() == kMost) continue;
    told.push_back(pattern);
    further.Add("; for `").Add(other->span).Add("` ").Add(WithoutRecipe(other->help));
  }
  if (likewise) primary.help.Add(", and likewise with the other masks");
  primary.help.Add(further);
}

void MergeInto(Finding& primary, Finding&& other) {
  if (other.span != primary.span) primary.also.push_back(other.span);
  for (Label& label : other.labels) {
    if (label.swallowed_rule != 0) primary.labels.push_back(std::move(label));
  }
  for (const Span span : other.also) primary.also.push_back(span);
}

// Draws from one generator, handed on between modules (R304): the first of the surest of them tells of the others, as
// remarks, since further places lie in the finding's own file. A finding that tells of draws from other generators as
// well (`mixed`) stays what it is.
void MergeGenerators(std::vector<Finding>& found, const std::vector<bool>& mixed, std::vector<bool>& gone) {
  std::map<ValueId, std::vector<std::size_t>> by_generator;
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (gone[i] || mixed[i] || Code(found[i]) != 304) continue;
    if (found[i].root.valid()) by_generator[found[i].root].push_back(i);
  }
  for (const auto& [generator, draws] : by_generator) {
    constexpr std::size_t kMostTold = 5;
    const std::size_t primary =
        *std::ranges::max_element(draws, {}, [&](std::size_t i) { return found[i].confidence; });
    const std::size_t others = draws.size() - 1, more = others > kMostTold ? others - kMostTold : 0;
    std::size_t told = 0;
    for (const std::size_t i : draws) {
      if (i == primary) continue;
      gone[i] = true;
      if (++told > kMostTold) continue;
      std::string text = "draws from the same generator";
      if (told == kMostTold && more > 0) text += " (further modules: " + std::to_string(more) + ")";
      found[primary].labels.push_back({found[i].span, text, 304});
    }
  }
}

}  // namespace

std::vector<Finding> KeepCauses(const Facts& facts, std::vector<Finding> found) {
  std::vector<Finding> reserves = TakeReserves(found);
  std::sort(found.begin(), found.end(), Before);
  return Causes(facts, std::move(found), std::move(reserves)).Reduce();
}

std::vector<Finding> MergeIdentical(const Facts& facts, std::vector<Finding> found) {
  std::sort(found.begin(), found.end(), Before);
  DropRepeated(found);
  std::map<MergeKey, std::vector<std::size_t>> groups;
  Walks walks(facts);
  for (std::size_t i = 0; i < found.size(); ++i) {
    // Evidence of what scales is counted place by place.
    if (found[i].rule->family != Family::kScales) groups[KeyOf(facts, found[i], walks)].push_back(i);
  }
  std::vector<bool> gone(found.size()), mixed(found.size());  // mixed: of several roots
  for (const auto& [key, group] : groups) {
    std::size_t primary = group.front();
    for (const std::size_t i : group) {
      const auto weight = [&](std::size_t f) { return std::pair(found[f].confidence, found[f].severity); };
      if (weight(i) > weight(primary)) primary = i;
    }
    if (Code(found[primary]) == 114 || Code(found[primary]) == 105) {
      std::vector<const Finding*> others;
      for (const std::size_t i : group) {
        if (i != primary) others.push_back(&found[i]);
      }
      MergeHelps(found[primary], others);
    }
    for (const std::size_t i : group) {
      if (i == primary) continue;
      if (found[i].root != found[primary].root) mixed[primary] = true;
      MergeInto(found[primary], std::move(found[i]));
      gone[i] = true;
    }
    std::vector<Span>& also = found[primary].also;
    std::sort(also.begin(), also.end());
    also.erase(std::unique(also.begin(), also.end()), also.end());
    std::erase(also, found[primary].span);
  }
  MergeGenerators(found, mixed, gone);
  Erase(found, gone);
  for (Finding& finding : found) {
    std::vector<Label>& labels = finding.labels;
    const auto same = [](const Label& a, const Label& b) {
      return a.span == b.span && a.swallowed_rule == b.swallowed_rule && a.swallowed_rule != 0;
    };
    const auto first_swallowed =
        std::stable_partition(labels.begin(), labels.end(), [](const Label& l) { return l.swallowed_rule == 0; });
    std::stable_sort(first_swallowed, labels.end(), [](const Label& a, const Label& b) {
      return std::pair(a.span, a.swallowed_rule) < std::pair(b.span, b.swallowed_rule);
    });
    labels.erase(std::unique(first_swallowed, labels.end(), same), labels.end());
  }
  // As reports show them: by position, then by rule.
  std::stable_sort(found.begin(), found.end(), [](const Finding& a, const Finding& b) {
    return std::tuple(a.span.begin, Code(a), a.span.end) < std::tuple(b.span.begin, Code(b), b.span.end);
  });
  return found;
}

}  // namespace cpnlint::rules
