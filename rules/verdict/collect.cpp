// What the verdict needs to know of one module, taken out of its facts and
// findings.

#include <algorithm>
#include <map>
#include <unordered_map>

#include "analyzer/api/api.h"
#include "rules/match/carried.h"
#include "rules/match/device_call.h"
#include "rules/match/name_use.h"
#include "rules/match/stand_in.h"
#include "rules/verdict/data_model.h"
#include "rules/verdict/evidence.h"
#include "rules/verdict/pattern.h"
#include "rules/verdict/start.h"
#include "rules/verdict/weight.h"

namespace cpnlint::verdict {
namespace {

using analysis::Callee;
using analysis::Facts;
using analysis::LoopKind;
using ir::OpKind;
using ir::ValueId;
using rules::match::IsOneOf;

// A state of so few elements that its step is Python work with extra steps.
constexpr double kSmallState = 256;
constexpr double kFewDraws = 1e5;  // fewer at once make no Monte Carlo (rules.md E.5)

// What the host has to do for an op; names and numbers cost it nothing.
bool IsHostWork(OpKind kind) {
  switch (kind) {
    case OpKind::kCall:
    case OpKind::kBinary:
    case OpKind::kInplaceBinary:
    case OpKind::kCompare:
    case OpKind::kStoreSubscript:
    case OpKind::kSubscript:
    case OpKind::kStoreAttr:
    case OpKind::kYield: return true;
    default: return false;
  }
}

bool IsApiGap(int code) { return code == 112 || code == 113 || code == 119 || code == 120 || code == 308; }

// Regions of drivers are numbered from here.
constexpr RegionId kFirstDriver = 0x8000'0000U;

class Collector {
 public:
  Collector(const Facts& facts, ir::ModuleId module, const std::vector<bool>& called, const rules::Target& target,
            const Source& source, Frequencies& frequencies)
      : facts_(facts),
        program_(facts.program()),
        module_(module),
        called_(called),
        target_(target),
        source_(source),
        frequencies_(frequencies) {}

  Evidence Take() {
    const ir::Module& module = program_.modules[module_];
    for (std::size_t f = module.first_function.index(); f < module.end_function.index(); ++f) {
      const ir::FunctionId function(f);
      if (called_[f] && !rules::InCompiledRegion(facts_, function) && facts_.IsReachable(function)) {
        SeeFunction(function);
      }
    }
    HeatGaps();
    for (auto& [id, part] : regions_) out_.regions.push_back(std::move(part));
    for (auto& [name, used] : names_) out_.names.push_back(std::move(used));
    return std::move(out_);
  }

  void AddIssue(const rules::Finding& finding, std::optional<std::size_t> shown, Hidden hidden = Hidden::kNot) {
    if (!called_[finding.function.index()]) return;
    Issue issue;
    issue.rule = finding.rule;
    issue.severity = finding.severity;
    issue.confidence = finding.confidence;
    issue.message = rules::Render(finding.message, source_.words);
    issue.function = facts_.QualifiedName(finding.function);
    issue.start = source_.at(finding.span.begin);
    issue.reachable = facts_.IsReachable(finding.function);
    issue.sites = 1 + finding.also.size();
    issue.shown = shown;
    issue.hidden = hidden;
    issue.raises = finding.raises;
    if (source_.price) source_.price(finding, issue);
    if (const ValueId site = rules::HeatSite(facts_, finding); site.valid()) {
      const analysis::Heat& heat = facts_.HeatOf(site);
      issue.hot = heat.hot;
      if (heat.hot) issue.region = RegionOf(heat);
    }
    if (hidden == Hidden::kWithheld && !finding.raises) {
      out_.previews.push_back(std::move(issue));
      return;
    }
    const int code = finding.rule->code;
    issue.cadence = code == 117 && BecomesText(finding);
    issue.structural = code == 118 || (code == 107 && IsDataModel(facts_, finding));
    if (IsApiGap(code)) JudgeSubstitute(finding, issue);
    if (finding.loop.valid() && !finding.site.valid()) issue.nesting = LoopsInside(finding.loop);
    out_.issues.push_back(std::move(issue));
  }

 private:
  bool BecomesText(const rules::Finding& finding) const {
    if (!finding.site.valid()) return false;
    return std::ranges::any_of(facts_.HostReadsOf(finding.function), [&](const analysis::HostRead& read) {
      return read.op == finding.site && read.kind == analysis::HostRead::Kind::kFormat;
    });
  }

  // Masked, record and mapped arrays and the matrix class are a way to hold
  // data, not a call to replace.
  static bool IsDataModelFeature(const std::string& name) {
    if (name == ir::Name(ir::DType::kStructured)) return true;
    const std::string_view base = rules::match::BaseName(name);
    return IsOneOf(base, {"ma", "rec", "recarray", "record", "memmap", "matrix", "mat", "asmatrix", "bmat"});
  }

  void JudgeSubstitute(const rules::Finding& finding, Issue& issue) {
    const int code = finding.rule->code;
    if (code == 119) issue.structural = IsDataModelFeature(finding.key);
    if (code != 112) return;
    const api::Entry* row = rules::match::Row(finding.key, target_.version);
    if (row == nullptr) return;
    // The table has one for calls of another kind, `np.add.at` for `np.maximum.at`.
    const bool none =
        rules::match::HasNoSubstitute(*row) || rules::match::StandInFor(facts_, finding.site, *row, false).none;
    const bool on_host = finding.site.valid() && rules::match::CalledOnHostData(facts_, finding.site, *row).whole;
    issue.substitute = on_host || !none;
    issue.structural = !issue.substitute && issue.hot;
    if (!issue.hot && !IsCalledThere(finding.site)) gaps_.emplace_back(out_.issues.size(), finding.key);
  }

  // The call itself, or the name of what is called.
  bool IsCalledThere(ValueId site) const {
    if (!site.valid()) return false;
    if (program_.ops[site].kind == OpKind::kCall) return true;
    const auto uses = facts_.UsesOf(site);
    return std::any_of(uses.begin(), uses.end(), [&](ValueId use) {
      return program_.ops[use].kind == OpKind::kCall && program_.Operand(use, 0) == site;
    });
  }

  // `from numpy import unwrap`, `f = np.unwrap`: the name is told where it is taken, and counts where it is called. A
  // call counts where it stands.
  void HeatGaps() {
    for (const auto& [index, name] : gaps_) {
      const auto called = hot_names_.find(name);
      if (called == hot_names_.end()) continue;
      Issue& issue = out_.issues[index];
      issue.hot = true;
      issue.region = called->second;
      issue.structural = !issue.substitute;
    }
  }

  std::size_t LoopsInside(ir::LoopId outer) const {
    std::size_t count = 0;
    for (const ir::LoopId loop : rules::LoopsOf(program_, program_.loops[outer].function)) {
      if (loop != outer && facts_.LoopContains(outer, loop)) ++count;
    }
    return count;
  }

  RegionPart& PartOf(ir::LoopId loop, bool hot) {
    const auto id = static_cast<RegionId>(loop.index());
    RegionPart& part = regions_[id];
    part.region = id;
    part.hot = part.hot || hot;
    const ir::Loop& record = program_.loops[loop];
    if (program_.functions[record.function].module != module_) return part;
    part.is_home = true;
    part.start = source_.at(record.header_span.begin);
    part.function = facts_.QualifiedName(record.function);
    part.loop = analysis::Name(facts_.LoopFactOf(loop).kind);
    return part;
  }

  // A function that a driver calls again and again: the driver's call stands for the loop.
  RegionPart& PartOfDriver(ir::ValueId call) {
    const RegionId id = kFirstDriver + call.index();
    RegionPart& part = regions_[id];
    part.region = id;
    part.hot = true;
    const ir::FunctionId function = program_.FunctionOf(call);
    if (program_.functions[function].module != module_) return part;
    part.is_home = true;
    part.start = source_.at(program_.ops[call].span.begin);
    part.function = facts_.QualifiedName(function);
    part.loop = "callback";
    return part;
  }

  // The outermost hot loop; the innermost where a driver stands around it.
  static ir::LoopId RegionLoop(const analysis::Heat& heat) { return heat.region.valid() ? heat.region : heat.loop; }

  static RegionId RegionOf(const analysis::Heat& heat) {
    if (heat.callback.valid()) return kFirstDriver + heat.callback.index();
    const ir::LoopId loop = RegionLoop(heat);
    return loop.valid() ? static_cast<RegionId>(loop.index()) : kNoRegion;
  }

  ir::LoopId Outermost(ir::LoopId loop) const {
    while (loop.valid() && program_.loops[loop].parent.valid()) loop = program_.loops[loop].parent;
    return loop;
  }

  void SeeFunction(ir::FunctionId function) {
    const ShiftedRoots shifted(facts_, function);
    for (const ir::BlockId id : program_.functions[function].blocks) {
      const ir::Block& block = program_.blocks[id];
      if (block.ops.empty()) continue;
      const double passes = frequencies_.Of(id);
      if (passes <= 0) continue;
      const analysis::Heat& heat = facts_.HeatOf(block.ops.front());
      RegionPart* part = &out_.cold;
      if (heat.hot && heat.callback.valid()) {
        part = &PartOfDriver(heat.callback);
      } else if (heat.hot && RegionLoop(heat).valid()) {
        part = &PartOf(RegionLoop(heat), true);
      } else if (block.loop.valid()) {
        part = &PartOf(Outermost(block.loop), false);
      }
      // What an uncalled function of the program calls is a part of that, and no library.
      open_ = !heat.hot && !frequencies_.IsCalledHere(function) && facts_.CallSitesOf(function).empty();
      known_ = frequencies_.IsKnown(id);
      problems_ = frequencies_.ProblemsOf(id);
      SeeBlock(block, heat, passes, shifted, *part);
    }
  }

  void SeeBlock(const ir::Block& block, const analysis::Heat& heat, double passes, const ShiftedRoots& shifted,
                RegionPart& part) {
    std::optional<Pattern> around;
    lines_ = false;
    for (ir::LoopId loop = block.loop; loop.valid() && !around; loop = program_.loops[loop].parent) {
      const LoopKind kind = facts_.LoopFactOf(loop).kind;
      if (IsFrontierLoop(facts_, loop)) around = Pattern::kGraph;
      if (IsSparseRowLoop(facts_, loop)) around = Pattern::kSparse;
      const bool carries = kind == LoopKind::kRecurrence || IsSeries(facts_, loop);
      if (carries && FreePasses(block.loop, loop) <= kSmallState) around = Pattern::kSequential;
      if (IsLineSweep(facts_, loop)) lines_ = true;
    }
    // Of what it does beside whole arrays.
    const std::optional<Pattern> alone = around || !IsOrdered(block.loop) ? around : Pattern::kSequential;
    ir::StatementId last;
    for (const ValueId op : block.ops) {
      const ir::Op& record = program_.ops[op];
      if ((record.flags & (ir::kInAnnotation | ir::kSynthetic)) != 0) continue;
      SeeNames(op, heat);
      if (record.kind == OpKind::kOpaque) part.lost += passes * kStatement;
      const bool own = IsOwnArrayWork(op);
      if (own && heat.in_element_loop && !around && WorksOnWholeArrays(op)) {
        SeeWholeArrays(op, passes, shifted, part);
      } else if (heat.in_element_loop || around || !own) {
        SeeHostOp(op, heat, passes, alone, last, part);
      } else {
        SeeArrayOp(op, passes, shifted, part);
      }
    }
  }

  // `for y in range(1, n): for x in range(m): r[x, y] = 0.5 * r[x, y - 1]`: passes of the loops from `inner` up to
  // `outer` that do not need each other. What they do is one array operation in each pass of `outer`, as in a time
  // step.
  double FreePasses(ir::LoopId inner, ir::LoopId outer) {
    double passes = 1;
    for (ir::LoopId loop = inner; loop != outer; loop = program_.loops[loop].parent) {
      const auto [free, is_new] = free_.try_emplace(loop, false);
      if (is_new) free->second = rules::match::PassesAreFree(facts_, loop);
      if (free->second) passes *= frequencies_.TripsOf(loop);
    }
    return passes;
  }

  // One of the loops from here outwards needs what earlier trips have written.
  bool IsOrdered(ir::LoopId loop) {
    for (; loop.valid(); loop = program_.loops[loop].parent) {
      const auto [ordered, is_new] = ordered_.try_emplace(loop, false);
      if (is_new) ordered->second = DependsOnOrder(facts_, loop);
      if (ordered->second) return true;
    }
    return false;
  }

  // `A[i, :j]` is an array, whatever the rank of A is.
  bool HasSliceKey(ValueId value) const {
    if (!value.valid() || program_.ops[value].kind != OpKind::kSubscript) return false;
    const std::vector<analysis::Key>& keys = facts_.SubscriptOf(value).keys;
    return std::any_of(keys.begin(), keys.end(),
                       [](const analysis::Key& key) { return key.kind == analysis::KeyKind::kSlice; });
  }

  // What a loop over elements does beside them: `k[i] = np.sum(u * w[i])`.
  bool WorksOnWholeArrays(ValueId op) const {
    const auto is_whole = [&](ValueId value) {
      if (!value.valid() || !facts_.IsDevice(value)) return false;
      return facts_.RankOf(value) >= 1 || HasSliceKey(facts_.Source(value));
    };
    if (is_whole(op)) return true;
    if (program_.ops[op].kind != OpKind::kCall) {
      const auto operands = program_.Operands(op);
      return program_.ops[op].kind != OpKind::kStoreSubscript &&
             std::any_of(operands.begin(), operands.end(), is_whole);
    }
    const auto operands = program_.Operands(op);
    return is_whole(facts_.CalleeOf(op).receiver) || std::any_of(operands.begin() + 1, operands.end(), is_whole);
  }

  // Where a loop picks elements, an array of unknown size may be as small as a row: a launch is what is known.
  void SeeWholeArrays(ValueId op, double passes, const ShiftedRoots& shifted, RegionPart& part) {
    if (LargestVolume(facts_, op)) return SeeArrayOp(op, passes, shifted, part);
    out_.has_array_work = true;
    AddWork(part, PatternOfArrayWork(facts_, op, shifted), passes, passes);
    part.device += passes;
    AddSize(part, {std::nullopt, passes, rules::Confidence::kLikely, problems_});
  }

  // Not the work of a function of the program that is called: that is counted
  // where it stands.
  bool IsOwnArrayWork(ValueId op) const {
    const OpKind kind = program_.ops[op].kind;
    if (kind == OpKind::kCall && facts_.CalleeOf(op).kind == Callee::Kind::kLocal) return false;
    if (kind == OpKind::kStoreSubscript &&
        facts_.SubscriptOf(op).selects == analysis::SubscriptResult::Selects::kElement) {
      return false;
    }
    return facts_.IsArrayWork(op);
  }

  bool AreFewDraws(ValueId op, std::optional<std::int64_t> volume, double elements) const {
    return elements < kFewDraws || facts_.UsuallyBelow(op, static_cast<std::int64_t>(kFewDraws)) ||
           (!volume && PicksItems(facts_, op));
  }

  void SeeArrayOp(ValueId op, double passes, const ShiftedRoots& shifted, RegionPart& part) {
    out_.has_array_work = true;
    const std::optional<std::int64_t> volume = LargestVolume(facts_, op);
    const double weight = passes * WeightOf(facts_, op, volume);
    Pattern pattern = PatternOfArrayWork(facts_, op, shifted);
    const double elements = volume ? static_cast<double>(*volume) * problems_ : kFewDraws;
    const bool small = elements <= kSmallState;
    if (pattern == Pattern::kMonteCarlo && AreFewDraws(op, volume, elements)) pattern = Pattern::kElementwise;
    if (part.hot && small && pattern != Pattern::kStencil) {
      pattern = Pattern::kSequential;
      part.small += weight;
    }
    AddWork(part, pattern, weight, volume ? weight : passes);
    part.device += weight;
    if (lines_ && !volume) part.thin += weight;
    if (open_) {
      ++out_.open_operations;
      out_.open_weight += weight;
    }
    const rules::Confidence confidence =
        facts_.IsDevice(op) ? facts_.ConfidenceOfValue(op) : rules::Confidence::kLikely;
    AddSize(part, {volume, weight, confidence, problems_});
    SeeLargest(op);
  }

  void AddWork(RegionPart& part, Pattern pattern, double weight, double plain) {
    part.patterns[static_cast<std::size_t>(pattern)] += weight;
    part.plain[static_cast<std::size_t>(pattern)] += plain;
    if (IsBad(pattern)) ++out_.bad_statements;
  }

  // A statement of the host.
  void AddHostWork(RegionPart& part, Pattern pattern, double passes) {
    // A parameter file that is read on the way is not what the named files are about.
    if (pattern == Pattern::kString && !part.hot && !called_[program_.modules[module_].body.index()]) return;
    AddWork(part, pattern, passes * kStatement, known_ ? passes * kStatement : passes);
  }

  static void AddSize(RegionPart& part, const SizedWeight& size) {
    for (SizedWeight& known : part.sizes) {
      if (known.volume != size.volume || known.confidence != size.confidence || known.problems != size.problems)
        continue;
      known.weight += size.weight;
      return;
    }
    part.sizes.push_back(size);
  }

  void SeeLargest(ValueId op) {
    if (!facts_.IsDevice(op)) return;
    const auto volume = facts_.store().dims().AsConst(facts_.VolumeOf(op));
    const std::optional<int> item = ir::ItemSize(facts_.Of(op).dtype);
    if (!volume || !item || facts_.ConfidenceOfValue(op) == rules::Confidence::kPossible) return;
    const double bytes = static_cast<double>(*volume) * *item;
    if (bytes > 9e18 || (out_.largest_bytes && static_cast<double>(*out_.largest_bytes) >= bytes)) return;
    out_.largest_bytes = static_cast<std::int64_t>(bytes);
    out_.largest = source_.at(program_.ops[op].span.begin);
  }

  void SeeHostOp(ValueId op, const analysis::Heat& heat, double passes, std::optional<Pattern> around,
                 ir::StatementId& last, RegionPart& part) {
    const ir::Op& record = program_.ops[op];
    if (record.kind == OpKind::kCall && SeeForeignCall(op, passes, part)) return;
    // Each operator of a loop over elements is one task; of other Python code a statement is what is counted (E.4).
    const bool by_operator = heat.in_element_loop || around == Pattern::kSequential;
    if (!IsHostWork(record.kind) || (!by_operator && record.statement == last)) return;
    last = record.statement;
    part.host += passes * kStatement;
    if (heat.in_element_loop) SeeElement(op, passes, part);
    if (around) AddHostWork(part, *around, passes);
    // Scalar work on arrays is what the array form would do element by element.
    if (!around && heat.in_element_loop) AddHostWork(part, Pattern::kElementwise, passes);
  }

  // `sel.max()` of what nobody knows: as much as an array may hold, and no proof that there is little of it.
  bool ReducesUnknown(ValueId op) const {
    if (program_.ops[op].kind != OpKind::kCall) return false;
    const ValueId method = program_.Operand(op, 0);
    if (!method.valid() || program_.ops[method].kind != OpKind::kAttr) return false;
    return facts_.Of(program_.Operand(method, 0)).kind == analysis::Kind::kUnknown &&
           IsOneOf(program_.Name(program_.ops[method]),
                   {"all", "any", "argmax", "argmin", "max", "mean", "min", "prod", "std", "sum", "var"});
  }

  // How large an array is of which a loop takes the elements one by one: that is the problem's size, too.
  void SeeElement(ValueId op, double passes, RegionPart& part) {
    const OpKind kind = program_.ops[op].kind;
    if (ReducesUnknown(op)) AddSize(part, {std::nullopt, passes * kStatement, rules::Confidence::kLikely, 1});
    if (kind != OpKind::kSubscript && kind != OpKind::kStoreSubscript) return;
    const ValueId base = program_.Operand(op, 0);
    if (!facts_.IsDevice(base) || facts_.SubscriptOf(op).selects != analysis::SubscriptResult::Selects::kElement)
      return;
    const ValueId root = facts_.RootOf(base);
    const auto volume = facts_.store().dims().AsConst(facts_.VolumeOf(root.valid() ? root : base));
    AddSize(part, {volume, passes * kStatement, facts_.ConfidenceOfValue(base), 1});
  }

  // An array, or what a library of arrays made of one: `ndimage.median_filter(u, 3)`.
  bool IsArrayData(ValueId value) const {
    if (facts_.IsArray(value)) return true;
    const ValueId source = facts_.Source(value);
    if (!source.valid() || program_.ops[source].kind != OpKind::kCall) return false;
    return PatternOfForeignCall(facts_, source) == Pattern::kScipyHeavy;
  }

  bool SeeForeignCall(ValueId call, double passes, RegionPart& part) {
    const std::optional<Pattern> pattern = PatternOfForeignCall(facts_, call);
    if (!pattern) return false;
    const auto operands = program_.Operands(call);
    const bool takes_array =
        std::any_of(operands.begin() + 1, operands.end(), [&](ValueId operand) { return IsArrayData(operand); });
    if (!takes_array && *pattern == Pattern::kScipyHeavy) return false;
    if (!takes_array && (*pattern == Pattern::kString || *pattern == Pattern::kGraph)) {
      AddHostWork(part, *pattern, passes);
      part.host += passes * kStatement;
      return true;
    }
    std::optional<std::int64_t> volume = LargestVolume(facts_, call);
    if (volume == 0) volume.reset();  // its arrays are those of another library
    const double weight = passes * WeightOf(volume ? volume : UsualVolume(facts_, call));
    AddWork(part, *pattern, weight, volume ? weight : passes);
    part.foreign += weight;
    return true;
  }

  void SeeNames(ValueId op, const analysis::Heat& heat) {
    const ir::Op& record = program_.ops[op];
    if (record.kind == OpKind::kCompare || record.kind == OpKind::kAttr) SeePlatform(op);
    if (record.kind != OpKind::kCall) return;
    const Callee& callee = facts_.CalleeOf(op);
    const auto at = [&] { return source_.at(record.span.begin); };
    const bool device = callee.library == analysis::Library::kDevice &&
                        (callee.kind == Callee::Kind::kApi || callee.kind == Callee::Kind::kMethod);
    const bool clock = callee.kind == Callee::Kind::kForeign &&
                       IsOneOf(callee.name, {"time.time", "time.perf_counter", "timeit.default_timer"});
    if (clock && facts_.FunctionHasArrayWork(program_.FunctionOf(op))) {
      out_.timers.push_back({at(), std::string(callee.name)});
    }
    if (HashesArray(op, callee)) out_.exact.push_back({at(), "hashes the bytes of an array"});
    if (callee.kind == Callee::Kind::kForeign && callee.name == "platform.system") {
      out_.platforms.push_back({at(), "platform.system"});
    }
    if (!device) return;
    if (heat.hot) hot_names_.try_emplace(std::string(callee.name), RegionOf(heat));
    UsedName& used = names_[std::string(callee.name)];
    if (used.count++ == 0) {
      used.name = callee.name;
      used.spelled = Spelled(op, callee);
      used.first = at();
      if (const api::Entry* row = rules::match::Row(callee.name, target_.version)) {
        used.status = api::Text(row->status);
        used.note = row->one_device_note.empty() ? row->note : row->one_device_note;
      }
    }
    const std::string_view base = callee.name;
    const bool draw =
        base.starts_with("numpy.random.") && !IsOneOf(base, {"numpy.random.seed", "numpy.random.default_rng"});
    if (draw) out_.draws.push_back({at(), used.name});
  }

  std::string Spelled(ValueId call, const Callee& callee) const {
    constexpr std::string_view kNumpy = "numpy.";
    if (callee.kind == Callee::Kind::kMethod) {
      return std::string(callee.name.starts_with(kNumpy) ? callee.name.substr(kNumpy.size()) : callee.name);
    }
    const std::string_view words = source_.words(program_.OperandSpan(call, 0));
    const bool plain = !words.empty() && words.find_first_of(" \n([") == std::string_view::npos;
    return std::string(plain ? words : std::string_view(callee.name));
  }

  // `sys.platform == "win32"`, `sys.platform.startswith("win")`, `os.name == "nt"`
  void SeePlatform(ValueId op) {
    for (const ValueId operand : program_.Operands(op)) {
      const std::string_view name = facts_.ApiName(operand);
      if (!IsOneOf(name, {"sys.platform", "os.name"})) continue;
      out_.platforms.push_back({source_.at(program_.ops[op].span.begin), std::string(name)});
      return;
    }
  }

  // `hashlib.sha256(u.tobytes())`
  bool HashesArray(ValueId call, const Callee& callee) const {
    if (callee.kind != Callee::Kind::kForeign || !callee.name.starts_with("hashlib.")) return false;
    const ValueId bytes = facts_.Source(program_.Operand(call, 1));
    return bytes.valid() && program_.ops[bytes].kind == OpKind::kCall &&
           facts_.CalleeOf(bytes).name == "numpy.ndarray.tobytes";
  }

  const Facts& facts_;
  const ir::Program& program_;
  ir::ModuleId module_;
  const std::vector<bool>& called_;
  const rules::Target& target_;
  const Source& source_;
  Frequencies& frequencies_;
  std::map<RegionId, RegionPart> regions_;
  std::map<std::string, UsedName> names_;
  std::map<std::string, RegionId> hot_names_;              // what hot code calls
  std::vector<std::pair<std::size_t, std::string>> gaps_;  // issues about missing names that stand in cold code
  // Of the block that is being looked at:
  bool open_ = false;                             // nobody here calls its function
  std::unordered_map<ir::LoopId, bool> ordered_;  // of loops that were asked about
  std::unordered_map<ir::LoopId, bool> free_;     // ... whether their passes do not need each other
  bool lines_ = false;                            // it stands in a sweep over lines
  bool known_ = false;                            // how often it runs rests on no default
  double problems_ = 1;                           // independent ones around it
  Evidence out_;
};

}  // namespace

std::vector<bool> CalledFrom(const Facts& facts, std::span<const ir::ModuleId> modules) {
  const ir::Program& program = facts.program();
  std::vector<bool> called(program.functions.size(), false);
  for (const ir::ModuleId id : modules) {
    const ir::Module& module = program.modules[id];
    for (std::size_t f = module.first_function.index(); f < module.end_function.index(); ++f) called[f] = true;
  }
  const auto is_called_at = [&](ValueId call) { return call.valid() && called[program.FunctionOf(call).index()]; };
  const auto is_called = [&](ir::FunctionId id) {
    const ir::Function& function = program.functions[id];
    if (function.parent.valid() && called[function.parent.index()]) return true;
    const auto sites = facts.CallSitesOf(id);
    if (!sites.empty()) return std::any_of(sites.begin(), sites.end(), is_called_at);
    // Handed to a driver.
    const auto& ops = program.blocks[*function.blocks.begin()].ops;
    return !ops.empty() && is_called_at(facts.HeatOf(ops.front()).callback);
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t f = 0; f < called.size(); ++f) {
      if (called[f] || !is_called(ir::FunctionId(f))) continue;
      called[f] = changed = true;
    }
  }
  return called;
}

std::vector<Evidence> Collect(const Facts& facts, std::span<const ir::ModuleId> modules,
                              const std::vector<bool>& called, std::span<const rules::RunResult> results,
                              const rules::Target& target, rules::Confidence least, const Source& source) {
  Frequencies frequencies(facts);
  const Starts starts(facts);
  std::vector<Evidence> evidence;
  for (std::size_t i = 0; i < modules.size(); ++i) {
    Collector collector(facts, modules[i], called, target, source, frequencies);
    std::size_t shown = 0;
    for (const rules::Finding& finding : results[i].findings) {
      const bool is_shown = finding.confidence >= least;
      collector.AddIssue(finding, is_shown ? std::optional(shown) : std::nullopt);
      if (is_shown) ++shown;
    }
    const auto add = [&](const std::vector<rules::Finding>& findings, Hidden hidden) {
      for (const rules::Finding& finding : findings) collector.AddIssue(finding, std::nullopt, hidden);
    };
    add(results[i].unselected, Hidden::kUnselected);
    add(results[i].silenced, Hidden::kSilenced);
    add(results[i].withheld, Hidden::kWithheld);
    evidence.push_back(collector.Take());
    evidence.back().start = starts.Of(modules[i]);
    if (evidence.back().start != Start::kNone) evidence.back().reach = starts.ReachOf(modules[i]);
    evidence.back().ported = facts.IsPorted(modules[i]);
  }
  return evidence;
}

}  // namespace cpnlint::verdict
