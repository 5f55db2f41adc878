// Predictions for every position of the page's sliders. A size is varied as a user would vary it, by an assumption or
// by another number in the source, and the program is analysed anew: so each position is what `predict` says there.

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "analyzer/analysis/assume.h"
#include "cli/page.h"
#include "cost-model/schedule.h"

namespace cpnlint::cli {
namespace {

using report::PageModel;
using report::PagePoint;

constexpr std::int64_t kSmallestSize = 16;     // smaller numbers of the source are counts of something else
constexpr std::size_t kMostCandidates = 40;    // numbers that may turn out to be sizes
constexpr std::size_t kMostKnobs = 3;          // sizes that have a slider
constexpr std::size_t kMostRegions = 4;        // shown one by one
constexpr int kMostPositions = 11;             // of a slider
constexpr double kFewest = 1e4, kMost = 1e11;  // elements of the widest array, at the ends of a slider
// What a run may take, and how much more for each byte of its source: steps that are priced, ops that are analysed.
constexpr double kSteps = 1.5e6, kStepsPerByte = 2;
constexpr double kOps = 1e6, kOpsPerByte = 2;
constexpr double kMostBands = 2000;  // steps up to which the band of the curve is cheap

// A size that can be varied: a name that `--assume` binds, or a number in the source that a name stands for.
struct Knob {
  std::string name;
  std::string of;  // the function whose parameter it is; empty for a variable
  std::int64_t base = 0;
  ir::ValueId literal;  // the Int op; None(): by assumption
  report::PageModel::SourceEdit edit;
  int uses = 0;
};

bool IsName(std::string_view text) {
  if (text.empty() || (text.front() >= '0' && text.front() <= '9')) return false;
  return std::all_of(text.begin(), text.end(), [](char c) {
    return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           static_cast<unsigned char>(c) >= 0x80;
  });
}

std::optional<std::int64_t> WholeNumber(std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  if (number < 1 || number > 9e15 || number != std::floor(number)) return std::nullopt;
  return static_cast<std::int64_t>(number);
}

// The program with other sizes, for as long as it lives.
class Varied {
 public:
  Varied(ir::Program& program, const std::vector<std::pair<const Knob*, std::int64_t>>& values) : program_(program) {
    ints_ = program.ints.size();
    std::vector<ir::Pragma> pragmas;
    for (const auto& [knob, value] : values) {
      if (knob->literal.valid()) {
        ir::Op& op = program.ops[knob->literal];
        ops_.emplace_back(knob->literal, op.payload);
        op.payload = static_cast<std::uint32_t>(program.ints.size());
        program.ints.push_back(value);
        continue;
      }
      ir::Pragma pragma;
      pragma.kind = ir::Pragma::Kind::kAssume;
      pragma.text = knob->name + "=" + std::to_string(value);
      pragmas.push_back(std::move(pragma));
    }
    // Of two bindings of a name the first holds, and those of the command line are the first of a module.
    pragmas_ = pragmas.size();
    for (std::size_t i = 0; i < program.modules.size(); ++i) {
      auto& list = program.modules[ir::ModuleId(i)].pragmas;
      list.insert(list.begin(), pragmas.begin(), pragmas.end());
    }
  }
  ~Varied() {
    for (const auto& [op, payload] : ops_) program_.ops[op].payload = payload;
    program_.ints.resize(ints_);
    for (std::size_t i = 0; i < program_.modules.size(); ++i) {
      auto& list = program_.modules[ir::ModuleId(i)].pragmas;
      list.erase(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(pragmas_));
    }
  }
  Varied(const Varied&) = delete;
  Varied& operator=(const Varied&) = delete;

 private:
  ir::Program& program_;
  std::size_t ints_ = 0, pragmas_ = 0;
  std::vector<std::pair<ir::ValueId, std::uint32_t>> ops_;
};

// What one analysis of the program says.
struct Analysed {
  explicit Analysed(ir::Program& program)
      : facts(program, program.names), work(analysis::WorkOf(facts)), sizes(facts, work) {}

  analysis::Facts facts;
  analysis::Work work;
  cost::Sizes sizes;
};

// The number that an unpacking has from a tuple as it is written: `nx, ny = 64, 32`.
ir::ValueId WrittenAs(const ir::Program& program, ir::ValueId value) {
  if (!value.valid() || program.ops[value].kind != ir::OpKind::kUnpackItem) return value;
  const auto item = ir::ItemPosition::Unpack(program.ops[value].payload);
  const ir::ValueId tuple = program.Operand(value, 0);
  if (!tuple.valid() || program.ops[tuple].kind != ir::OpKind::kTuple || item.star != ir::ItemPosition::kNoStar ||
      program.ops[tuple].operand_count != item.count) {
    return value;
  }
  return program.Operand(tuple, item.index);
}

// `unnamed`: all numbers of the source, else those that a variable or a parameter has.
std::vector<Knob> Candidates(const ir::Program& program, const analysis::Facts& facts, const cost::Sizes& sizes,
                             const Sources& sources, bool unnamed) {
  std::vector<Knob> knobs;
  std::set<std::string> named;
  const auto by_name = [&](std::string_view name, std::int64_t base) {
    if (base < 1 || !IsName(name) || !named.insert(std::string(name)).second) return;
    knobs.push_back({std::string(name), {}, base, {}, {}, 0});
  };
  for (const auto& [name, size] : analysis::AssumedSizes(program)) by_name(name, size);
  for (const std::string& line : sizes.Assumptions()) {  // "n = 6325 (default)"
    const std::size_t equals = line.find(" = "), end = line.find(" (");
    if (equals == std::string::npos || end == std::string::npos) continue;
    const auto base = WholeNumber(std::string_view(line).substr(equals + 3, end - equals - 3));
    if (base) by_name(std::string_view(line).substr(0, equals), *base);
  }
  std::set<ir::ValueId> seen;
  const auto by_number = [&](std::string name, ir::ValueId value, const ir::Function* of) {
    if (!value.valid() || program.ops[value].kind != ir::OpKind::kInt) return;
    const std::int64_t base = program.ints[program.ops[value].payload];
    if (base < kSmallestSize || knobs.size() >= kMostCandidates || !seen.insert(value).second) return;
    const Span span = program.ops[value].span;
    Knob knob{std::move(name), std::string(of == nullptr ? std::string_view() : of->qualified), base, value, {}, 0};
    knob.edit.path = sources.File(sources.ModuleAt(span.begin)).path;
    knob.edit.at = sources.PlaceOf(span);
    if (knob.name.empty()) knob.name = "number on line " + std::to_string(report::ShownLine(knob.edit.at.start));
    knobs.push_back(std::move(knob));
  };
  const auto text_of = [&](Symbol name) {
    return name.valid() ? std::string(program.names.Text(name)) : std::string();
  };
  for (std::size_t i = 0; i < program.functions.size(); ++i) {
    const ir::Function& function = program.functions[ir::FunctionId(i)];
    for (const ir::Binding& binding : function.bindings)
      by_number(text_of(binding.name), WrittenAs(program, facts.Source(binding.value)), nullptr);
    for (const ir::Param& param : function.params) by_number(text_of(param.name), param.default_value, &function);
    for (const ir::ValueId call : function.calls) {  // `solve(4096, steps=500)`
      const analysis::Callee& callee = facts.CalleeOf(call);
      if (callee.kind != analysis::Callee::Kind::kLocal || facts.HasStarArguments(call)) continue;
      const ir::Function& called = program.functions[callee.function];
      const std::size_t self = called.owner.valid() ? 1 : 0;
      const ir::CallShape& shape = program.Shape(program.ops[call]);
      for (std::uint32_t k = 0; k < shape.positional && self + k < called.params.size(); ++k) {
        by_number(text_of(called.params[self + k].name), facts.Source(program.Operand(call, 1 + k)), &called);
      }
      for (std::uint32_t k = 0; k < shape.keywords.size(); ++k) {
        by_number(text_of(shape.keywords[k]), facts.Source(program.Operand(call, 1 + shape.positional + k)), &called);
      }
    }
  }
  for (std::size_t i = 0; unnamed && i < program.ops.size(); ++i) by_number({}, ir::ValueId(i), nullptr);
  return knobs;
}

// `n`, `n + 1`, `n // 2`, `2 * n` and the like.
bool ComesFrom(std::int64_t extent, std::int64_t value) {
  constexpr std::int64_t kNear = 4, kMostTimes = 4;
  for (std::int64_t times = 1; times <= kMostTimes; ++times) {
    if (std::abs(extent - times * value) <= kNear || std::abs(times * extent - value) <= kNear) return true;
  }
  return false;
}

// Each candidate gets a number of its own; those that come back as extents of arrays are sizes.
void FindSizes(ir::Program& program, std::vector<Knob>& knobs) {
  if (knobs.empty()) return;
  constexpr std::int64_t kFirst = 10'007, kApart = 64;
  std::vector<std::pair<const Knob*, std::int64_t>> values;
  for (std::size_t i = 0; i < knobs.size(); ++i) {
    values.emplace_back(&knobs[i], kFirst + kApart * static_cast<std::int64_t>(i));
  }
  const Varied varied(program, values);
  const Analysed analysed(program);
  const ir::DimStore& dims = analysed.facts.store().dims();
  for (const analysis::WorkTask& task : analysed.work.tasks) {
    for (const analysis::WorkOperand& operand : task.operands) {
      if (!operand.root_shape.valid()) continue;
      for (const ir::DimId dim : analysed.facts.store().Get(operand.root_shape)) {
        const auto extent = dims.AsConst(dim);
        if (!extent) continue;
        for (std::size_t i = 0; i < knobs.size(); ++i) {
          if (ComesFrom(*extent, values[i].second)) ++knobs[i].uses;
        }
      }
    }
  }
  std::erase_if(knobs, [](const Knob& knob) { return knob.uses == 0; });
  std::stable_sort(knobs.begin(), knobs.end(), [](const Knob& a, const Knob& b) { return a.uses > b.uses; });
  if (knobs.size() > kMostKnobs) knobs.resize(kMostKnobs);
}

// "n", "n of solve": with the function where several sizes have the name.
std::string LabelOf(const Knob& knob, const std::vector<Knob>& all) {
  const auto same = std::count_if(all.begin(), all.end(), [&](const Knob& other) { return other.name == knob.name; });
  return same > 1 && !knob.of.empty() ? knob.name + " of " + knob.of : knob.name;
}

// Elements of every array that a task works on, in the order of the tasks.
std::vector<double> VolumesOf(const Analysed& analysed) {
  std::vector<double> volumes;
  for (const analysis::WorkTask& task : analysed.work.tasks) {
    for (const analysis::WorkOperand& operand : task.operands) {
      double elements = 1;
      for (const double extent : analysed.sizes.Extents(operand.root_shape)) elements *= extent;
      volumes.push_back(elements);
    }
  }
  return volumes;
}

// The widest of the arrays that differ, before and after.
std::pair<double, double> WidestChanged(const std::vector<double>& before, const std::vector<double>& after) {
  std::pair<double, double> widest{1, 1};
  for (std::size_t i = 0; i < before.size() && i < after.size(); ++i) {
    if (before[i] != after[i] && before[i] > widest.first) widest = {before[i], after[i]};
  }
  return widest;
}

std::vector<cost::Layout> LayoutsOf(const cost::Profile& profile, const std::vector<int>& processors) {
  std::vector<cost::Layout> layouts;
  const int per_node = std::max(1, profile.machine.processors_per_node);
  for (const int count : processors) layouts.push_back({count, (count + per_node - 1) / per_node});
  return layouts;
}

using RegionKey = std::pair<ir::LoopId, ir::FunctionId>;
RegionKey KeyOf(const cost::Region& region) { return {region.loop, region.function}; }

class Maker {
 public:
  Maker(ir::Program& program, const CostSettings& settings, const PageSettings& page, const Sources& sources)
      : program_(program), settings_(settings), page_(page), sources_(sources) {}

  std::shared_ptr<PageModel> Make() {
    std::vector<Knob> knobs, others;
    {
      const Analysed base(program_);
      const cost::Prediction found = Regions(base);
      if (found.regions.empty() || !found.regions.front().region.told) return nullptr;
      for (const cost::RegionPrediction& one : found.regions) {
        steps_ += static_cast<double>(cost::PlanOf(base.sizes, base.work, one.region).steps.size());
      }
      volumes_ = VolumesOf(base);
      knobs = Candidates(program_, base.facts, base.sizes, sources_, false);
      others = Candidates(program_, base.facts, base.sizes, sources_, true);
      Describe(base.facts);
      AddMachines();
      ChooseRegions(found);
      Price(base, found, 0);
    }
    FindSizes(program_, knobs);
    if (knobs.empty() && !others.empty()) {
      FindSizes(program_, others);
      knobs = std::move(others);
    }
    if (!knobs.empty()) Vary(knobs);
    return made_;
  }

 private:
  // Its part of what the run may take.
  [[nodiscard]] double Budget(double least, double per_byte) const {
    const double bytes = static_cast<double>(std::max<std::size_t>(1, page_.run_bytes));
    const double share = std::min(1.0, static_cast<double>(program_.text_size) / bytes);
    return share * (least + per_byte * bytes);
  }

  [[nodiscard]] cost::Prediction Regions(const Analysed& analysed) const {
    cost::Options options = settings_.options;
    options.samples = 0;
    options.curves = 0;
    return cost::Predict(analysed.sizes, analysed.work, settings_.profile, options);
  }

  // The program as it is, as `predict` tells of it; with the curve and its band where that is cheap.
  void Describe(const analysis::Facts& facts) {
    CostSettings as_is = settings_;
    as_is.what_if.clear();
    const bool bands = steps_ < kMostBands;
    as_is.options.curves = bands ? static_cast<int>(kMostRegions) : 0;
    as_is.options.samples = bands ? static_cast<int>(cost::kSamples) : 0;
    made_->prediction = Pricing(facts, as_is).Predicted(sources_);
    made_->arguments = page_.arguments;
    for (int processors = 1; processors <= 1024; processors *= 2) made_->processors.push_back(processors);
    made_->settings.resize(1);
  }

  // All machines where pricing them is cheap, else the one that was asked for and those before the others.
  void AddMachines() {
    const double each = steps_ * static_cast<double>(made_->processors.size());
    const double most = std::max(1.0, Budget(kSteps, kStepsPerByte) / each);
    std::vector<std::size_t> chosen;
    for (std::size_t i = 0; i < page_.machines.size() && static_cast<double>(i) + 1 <= most; ++i) chosen.push_back(i);
    std::sort(chosen.begin(), chosen.end(), [&](std::size_t a, std::size_t b) {
      return page_.machines[a].profile.name < page_.machines[b].profile.name;
    });
    for (const std::size_t i : chosen) {
      const PageSettings::Machine& machine = page_.machines[i];
      const cost::Profile& profile = machine.profile;
      if (i == 0) made_->machine = profiles_.size();
      made_->machines.push_back({profile.name, profile.machine.processor, machine.argument, profile.machine.gpu,
                                 std::max(1, profile.machine.processors_per_node),
                                 cost::PoolOf(profile, settings_.options)});
      profiles_.push_back(&profile);
      samples_.push_back(cost::SamplesOf<1>(profile));
    }
  }

  // Adds the points of a setting: those of the regions that the page shows, and the sum of the others.
  void Price(const Analysed& analysed, const cost::Prediction& found, std::size_t setting) {
    std::vector<double>& passes = made_->settings[setting].passes;
    passes.assign(keys_.size() + 1, 1);
    first_ = made_->points.size();
    made_->points.resize(first_ + profiles_.size() * passes.size() * made_->processors.size());
    footprints_.clear();
    living_.clear();
    for (const cost::RegionPrediction& one : found.regions) {
      const cost::Region& region = one.region;
      if (!region.told) continue;
      const double count = cost::PassesOf(analysed.sizes, region);
      const auto slot = static_cast<std::size_t>(std::find(keys_.begin(), keys_.end(), KeyOf(region)) - keys_.begin());
      const bool shown = slot < keys_.size();
      if (shown) passes[slot] = count;
      const cost::Plan plan = cost::PlanOf(analysed.sizes, analysed.work, region);
      for (std::size_t machine = 0; machine < profiles_.size(); ++machine) {
        AddPoints(analysed, region, plan, machine, slot, shown ? 1 : count);
      }
    }
  }

  // One region on one machine, `times` passes of it.
  void AddPoints(const Analysed& analysed, const cost::Region& region, const cost::Plan& plan, std::size_t machine,
                 std::size_t slot, double times) {
    const cost::Profile& profile = *profiles_[machine];
    const std::vector<cost::Layout> layouts = LayoutsOf(profile, made_->processors);
    // Machines of one kind divide arrays alike.
    auto& footprints =
        footprints_[{region.root, made_->machines[machine].per_node, profile.machine.gpu, profile.machine.split}];
    PagePoint* points = &made_->points[first_ + (machine * (keys_.size() + 1) + slot) * layouts.size()];
    for (std::size_t i = 0; i < layouts.size(); ++i) {
      if (footprints.size() <= i) {
        const auto [living, is_new] = living_.try_emplace(region.root);
        if (is_new) living->second = cost::LivenessOf(analysed.sizes, analysed.work, region.root);
        footprints.push_back(cost::FootprintOf(living->second, analysed.work, analysed.sizes, profile, layouts[i]));
      }
      const cost::Timing<1> timing =
          cost::Simulate(plan, cost::DemandsOf(plan, profile, layouts[i]), samples_[machine], profile, layouts[i]);
      points[i].time += times * timing.time[0];
      for (std::size_t part = 0; part < cost::kParts; ++part) points[i].parts[part] += times * timing.parts[part][0];
      const cost::Memory memory = cost::MemoryOf(analysed.work, region, footprints[i], cost::PoolOf(profile, {}));
      points[i].memory = std::max(points[i].memory, memory.processor);
    }
  }

  void ChooseRegions(const cost::Prediction& found) {
    for (const cost::RegionPrediction& one : found.regions) {
      if (one.region.told && keys_.size() < kMostRegions) keys_.push_back(KeyOf(one.region));
    }
    // The same regions in the same order: both are sorted by their time on the first layout.
    made_->regions.assign(made_->prediction.regions.begin(),
                          made_->prediction.regions.begin() +
                              static_cast<std::ptrdiff_t>(std::min(keys_.size(), made_->prediction.regions.size())));
  }

  void Vary(const std::vector<Knob>& knobs) {
    std::vector<std::vector<const Knob*>> groups;
    if (knobs.size() > 1) {
      groups.emplace_back();
      for (const Knob& knob : knobs) groups.back().push_back(&knob);
    }
    for (const Knob& knob : knobs) groups.push_back({&knob});
    const double each = steps_ * static_cast<double>(profiles_.size() * made_->processors.size());
    const double by_steps = Budget(kSteps, kStepsPerByte) / each;
    const double by_ops = Budget(kOps, kOpsPerByte) / static_cast<double>(program_.ops.size() + 1);
    double most = std::min(by_ops, by_steps);
    if (groups.size() > 1 && most < 5 * static_cast<double>(groups.size())) groups.resize(1);
    most = std::min(most / static_cast<double>(groups.size()), static_cast<double>(kMostPositions));
    const int positions = static_cast<int>(most);
    if (positions < 3) return;
    for (const auto& group : groups) AddSeries(group, knobs, positions);
  }

  // Powers of two around the sizes as they are, as far as arrays stay within reason.
  void AddSeries(const std::vector<const Knob*>& group, const std::vector<Knob>& knobs, int positions) {
    std::pair<double, double> changed;
    {
      const Varied varied(program_, ValuesOf(group, 1));
      changed = WidestChanged(volumes_, VolumesOf(Analysed(program_)));
    }
    const auto [widest, wider] = changed;
    const double growth = std::log2(wider / widest);  // of the widest array, per doubling of the sizes
    if (!(growth > 0.01)) return;
    int low = -static_cast<int>(std::floor(std::max(0.0, std::log2(widest / kFewest) / growth)));
    int high = static_cast<int>(std::floor(std::max(0.0, std::log2(kMost / widest) / growth)));
    for (const Knob* knob : group) low = std::max(low, -static_cast<int>(std::log2(static_cast<double>(knob->base))));
    low = std::max(low, -20);
    high = std::min(high, 20);
    const int stride = std::max(1, (high - low + positions - 2) / std::max(1, positions - 1));
    PageModel::Series series;
    series.label = group.size() == 1 ? LabelOf(*group.front(), knobs) : "all sizes together";
    for (int step = -((-low) / stride) * stride; step <= high; step += stride) {
      PageModel::Position position;
      if (step == 0) series.at = series.positions.size();
      if (step != 0) position.setting = AddSetting(group, step);
      for (const auto& [knob, value] : ValuesOf(group, step)) {
        position.values.push_back(LabelOf(*knob, knobs) + " = " + NumberText(value));
      }
      series.positions.push_back(std::move(position));
    }
    if (series.positions.size() > 1) made_->series.push_back(std::move(series));
  }

  static std::vector<std::pair<const Knob*, std::int64_t>> ValuesOf(const std::vector<const Knob*>& group, int step) {
    std::vector<std::pair<const Knob*, std::int64_t>> values;
    for (const Knob* knob : group) {
      const double value = std::round(std::ldexp(static_cast<double>(knob->base), step));
      values.emplace_back(knob, std::max<std::int64_t>(1, static_cast<std::int64_t>(std::min(value, 9e15))));
    }
    return values;
  }

  // "4096", "40 000 000"
  static std::string NumberText(std::int64_t value) {
    std::string digits = std::to_string(value);
    if (digits.size() < 5) return digits;
    for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, at > 3 ? " " : "");
    return digits.starts_with(' ') ? digits.substr(1) : digits;
  }

  std::size_t AddSetting(const std::vector<const Knob*>& group, int step) {
    const std::size_t setting = made_->settings.size();
    made_->settings.emplace_back();
    const auto values = ValuesOf(group, step);
    for (const auto& [knob, value] : values) {
      if (knob->literal.valid()) {
        PageModel::SourceEdit edit = knob->edit;
        edit.text = knob->name + " = " + std::to_string(value);
        edit.value = value;
        made_->settings[setting].source.push_back(std::move(edit));
      } else {
        made_->settings[setting].assume.push_back(knob->name + "=" + std::to_string(value));
      }
    }
    const Varied varied(program_, values);
    const Analysed analysed(program_);
    Price(analysed, Regions(analysed), setting);
    return setting;
  }

  ir::Program& program_;
  const CostSettings& settings_;
  const PageSettings& page_;
  const Sources& sources_;
  std::shared_ptr<PageModel> made_ = std::make_shared<PageModel>();
  std::vector<const cost::Profile*> profiles_;
  std::vector<cost::Samples<1>> samples_;
  std::vector<RegionKey> keys_;
  std::size_t first_ = 0;  // point of the setting that is priced
  // By root, processors of a node, GPU or not, and the size from which on arrays are divided: one per layout.
  std::map<std::tuple<std::uint32_t, int, bool, std::int64_t>, std::vector<cost::Footprint>> footprints_;
  std::map<std::uint32_t, cost::Liveness> living_;  // by root
  std::vector<double> volumes_;                     // of the program as it is
  std::size_t steps_ = 0;                           // of all regions of the program as it is
};

}  // namespace

std::vector<PageSettings::Machine> PageMachines(const CostSettings& settings) {
  std::vector<PageSettings::Machine> machines = {{settings.profile, settings.argument}};
  const auto add = [&](std::string_view name) {
    const auto same = [&](const PageSettings::Machine& machine) { return machine.argument == name; };
    if (std::any_of(machines.begin(), machines.end(), same)) return;
    auto profile = cost::LoadProfile(std::string(name));
    if (profile && profile->machine.gpu) machines.push_back({std::move(*profile), std::string(name)});
  };
  for (const std::string_view name : {"h100-sxm", "a100-80", "b200", "gh200"}) add(name);
  for (const std::string_view name : cost::ShippedProfiles()) add(name);
  return machines;
}

std::shared_ptr<PageModel> PageModelOf(ir::Program& program, const CostSettings& settings, const PageSettings& page,
                                       const Sources& sources) {
  return Maker(program, settings, page, sources).Make();
}

}  // namespace cpnlint::cli
