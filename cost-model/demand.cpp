// What each kind of operation asks of a processor (docs/cost-model.md, "One task").

#include "cost-model/demand.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <string_view>

namespace cpnlint::cost {
namespace {

using analysis::WorkKind;

constexpr double kSliceBytes = 128 << 20;  // of the operands of one slice of a product (26.07, deferred.py:3100)
constexpr double kOneSweep = 4096;         // points of a transform that one sweep over the data does, on a GPU
constexpr double kTwoSweeps = 1 << 24;
constexpr double kDivision = 8;  // what a quotient and an exponential count as in WorkTask::operations
constexpr double kExp = 20;
constexpr double kSortedKeys = 1e7;  // of the sort that `sort_rate` is measured on
constexpr double kComplexFlops = 4;  // real products and sums per complex one, over a real one's

double Log2(double x) { return std::log2(std::max(1.0, x)); }

bool IsComplex(const Amounts& amounts) { return amounts.item >= 16; }

// float32 and narrower take half the time of float64 in arithmetic.
double Width(const Amounts& amounts) { return amounts.item <= 4 ? 0.5 : IsComplex(amounts) ? 2 : 1; }

void Add(Terms& terms, Parameter parameter, double amount) {
  if (amount > 0) terms.push_back({parameter, amount});
}

std::string_view LastName(std::string_view name) { return name.substr(name.rfind('.') + 1); }

struct Builder {
  const Amounts& a;
  const Division& division;
  const Profile& profile;
  const Layout& layout;
  bool in_cache;
  Demand& demand;

  [[nodiscard]] double Share() const { return division.share; }
  [[nodiscard]] bool Divided() const { return division.processors > 1; }
  [[nodiscard]] double Moved() const { return (a.read + a.written) * Share(); }

  // Bytes that go to memory and were not read by the same task.
  [[nodiscard]] double Fresh() const {
    double fresh = 0;
    for (const ArrayUse& use : a.arrays) {
      if (use.written && !use.read) fresh += use.used * use.item;
    }
    return std::min(fresh, a.written) * Share();
  }

  // Elementwise work: a processor with write-back caches reads what it is about to write.
  void StreamThrough() { Stream(Parameter::kBandwidth, Moved() + profile.Value(Parameter::kWriteAllocate) * Fresh()); }

  void Stream(Parameter rate, double bytes) {
    if (in_cache && IsStream(rate) && IsBoundByMemory(rate)) {
      Add(demand.memory, Parameter::kCacheBandwidth, bytes);
    } else {
      Add(demand.memory, rate, bytes);
    }
  }
  // What is far below the memory's rate waits for something else, which no cache makes faster.
  [[nodiscard]] bool IsBoundByMemory(Parameter rate) const {
    constexpr double kNearly = 0.8;
    return profile.Value(rate) >= kNearly * profile.Value(Parameter::kBandwidth);
  }
  static bool IsStream(Parameter rate) {
    return rate == Parameter::kBandwidth || rate == Parameter::kFillRate || rate == Parameter::kReductionRate;
  }

  void Arithmetic() {
    const double elements = a.elements * Share() * Width(a), operations = a.task->operations;
    if (operations >= kExp) {
      Add(demand.compute, Parameter::kTranscendentalRate, elements * operations / kExp);
    } else if (operations >= kDivision) {
      Add(demand.compute, Parameter::kDivisionRate, elements * operations / kDivision);
    } else {
      Add(demand.compute, Parameter::kArithmeticRate, elements * operations);
    }
  }

  // An operation per element beside its arithmetic, for which the parameter has a rate of its own.
  void PerElement(Parameter rate, double elements) {
    if (profile.Value(rate) > 0) Add(demand.compute, rate, elements);
  }

  // A processor that has few threads feels the arithmetic of the indices.
  void Walk() {
    if (!a.task->walks) return;
    PerElement(Parameter::kWalkRate, a.elements * Share());
    PerElement(Parameter::kWalkAxisRate, a.elements * Share() * std::max(0.0, a.axes - 1));
  }

  // A sum of what `where=` says: an operand of truth values beside that of numbers.
  [[nodiscard]] bool HasMask() const {
    const auto& operands = a.task->operands;
    return operands.size() > 1 && a.item > 1 &&
           std::any_of(operands.begin(), operands.end(),
                       [](const analysis::WorkOperand& operand) { return operand.item == 1 && !operand.written; });
  }

  // `where`, and writes through a mask.
  [[nodiscard]] bool Chooses() const {
    constexpr std::string_view kNames[] = {"where", "putmask", "copyto", "select", "choose", "[]="};
    return std::find(std::begin(kNames), std::end(kNames), LastName(a.task->name)) != std::end(kNames);
  }

  void Elementwise() {
    StreamThrough();
    if (Chooses() && profile.Value(Parameter::kChoiceRate) > 0) {
      PerElement(Parameter::kChoiceRate, a.elements * Share());
    } else {
      Arithmetic();
      Walk();
    }
  }

  void Product() {
    const bool single = a.item <= 4;
    const double flops = 2 * a.m * a.n * a.k * a.batch * (IsComplex(a) ? kComplexFlops : 1);
    Stream(Parameter::kBandwidth, Moved());
    if (std::min({a.m, a.n, a.k}) <= 1) return;  // a matrix times a vector streams the matrix
    const double processors = division.processors;
    // Small tiles do not fill the machine: the rate at order x is x / (x + half).
    const double order = std::cbrt(a.m * a.n * a.k / processors);
    const double fill = 1 + profile.Value(Parameter::kProductHalf) / std::max(1.0, order);
    Add(demand.compute, single ? Parameter::kProductRate32 : Parameter::kProductRate64, flops / processors * fill);
    if (!Divided()) return;
    // Operands larger than the slices are multiplied slice by slice.
    const double columns = std::sqrt(processors);
    const double tile = (a.m + a.n) / columns * a.k * a.item;
    if ((a.m + a.n) * a.k * a.item >= kSliceBytes * processors)
      demand.launches *= std::max(1.0, std::ceil(tile / kSliceBytes));
  }

  void Sort() {
    const double keys = std::max(a.n * a.batch, a.elements) * Share();
    if (profile.machine.gpu) {
      // Radix passes grow with the bytes of a key, and so does what each moves.
      Add(demand.memory, Parameter::kSortRate, keys * std::pow(a.item / 8, 1.8));
    } else {
      // CPUs compare: each key goes through the levels of its line, and how wide it is changes little.
      const double line = a.batch > 1 ? a.n : keys;
      Add(demand.memory, Parameter::kSortRate, keys * std::max(1.0, Log2(line)) / Log2(kSortedKeys));
    }
    if (!Divided()) return;
    const double processors = a.batch > 1 ? std::sqrt(division.processors) : division.processors;
    const double bytes = keys * a.item;
    const bool nccl = profile.Value(Parameter::kIndexedExchangeRate) <= 0;  // else merging is measured with its copies
    AddAllToAll(demand.exchange, nccl ? bytes : 0, division.processors, layout);
    AddAllToAll(demand.exchange, processors * 16, division.processors, layout);
    Add(demand.exchange, Parameter::kMergeRate, keys * a.item / 8 * Log2(processors));
  }

  // Bytes of the array that indices pick from, or write to: what is subscripted comes last, a function's array first.
  [[nodiscard]] double Table() const {
    const auto& operands = a.task->operands;
    if (operands.empty()) return a.elements * a.item;
    const ir::ValueId root = a.task->name.starts_with("[]") ? operands.back().root : operands.front().root;
    for (const ArrayUse& use : a.arrays) {
      if (use.root == root) return use.elements * use.item;
    }
    return a.elements * a.item;
  }

  void Indexed(Parameter far, Parameter near) {
    const double elements = a.elements * Share();
    if (Divided() && profile.Value(Parameter::kIndexedExchangeRate) > 0) {
      Add(demand.memory, Parameter::kIndexedExchangeRate, elements);
      Add(demand.exchange, Parameter::kCollectiveLatency, 1);
      return;
    }
    // From a table that is read at the cache's rate to one that is read at the memory's the time goes from one to the
    // other. On a CPU those are the two that `cpnlint calibrate` measures (probes/rates.py): single reads miss the
    // tables of pages and a neighbour's share of the last cache long before that is full.
    constexpr double kNearTable = 1 << 20, kFarTable = 1 << 24;
    const bool gpu = profile.machine.gpu;
    const double times = Table() / (gpu ? std::max(1.0, profile.Value(Parameter::kCacheSize)) : kNearTable);
    const double beyond =
        std::clamp(std::log(std::max(times, 1e-9)) / std::log(gpu ? 4.0 : kFarTable / kNearTable), 0.0, 1.0);
    const double weighed = elements * std::max(1.0, a.item / 8);
    Add(demand.memory, near, weighed * (1 - beyond));
    Add(demand.memory, far, weighed * beyond);
    if (Divided()) AddAllToAll(demand.exchange, elements * (8 + a.item), division.processors, layout);
  }

  // The CPU task sorts the elements by a radix sort of one thread (Thrust, sequential/stable_radix_sort.inl). Its
  // digits have 8 bits where the elements are few and 4 where they are many, which takes twice the passes;
  // `histogram_rate` is that of many float64.
  [[nodiscard]] double SortedForHistogram() const {
    const double elements = a.elements * Share();
    if (profile.machine.gpu) return elements;
    const auto& operands = a.task->operands;
    const auto source = std::find_if(operands.begin(), operands.end(), [](const auto& one) { return !one.written; });
    const double item = source == operands.end() ? a.item : static_cast<double>(source->item);
    const bool many = item >= 8 ? elements >= 1 << 21 : item >= 4 && elements >= 1 << 22;
    const double passes = item * 8 / (many ? 4 : 8);
    return elements * passes / 16;
  }

  void Fft() {
    const double bytes = Moved();
    const double sweeps = a.n <= kOneSweep ? 1 : a.n <= kTwoSweeps ? 2 : 3;
    Stream(Parameter::kFftRate, bytes * std::max(1.0, sweeps / std::max(1.0, a.task->passes)));
  }

  void Factorise() {
    const std::string_view name = LastName(a.task->name);
    const double rows = std::max(a.m, a.n), order = a.n;
    const double field = IsComplex(a) ? kComplexFlops : 1;
    const double batch = std::max(1.0, std::ceil(a.batch * Share()));
    // A divided one leaves processors idle at its panels: the efficiency falls with their square root.
    const double speed = Divided() && a.batch <= 1 ? division.processors / std::sqrt(Log2(division.processors) + 1) : 1;
    const auto add = [&](Parameter rate, double flops, Parameter column, double columns) {
      Add(demand.compute, rate, batch * field * flops / speed);
      Add(demand.compute, column, batch * columns);
    };
    const double cube = order * order * order;
    if (name == "cholesky") {
      add(Parameter::kFactorRate, cube / 3, Parameter::kFactorColumn, order);
    } else if (name == "solve" || name == "inv") {
      const double sides = name == "inv" ? 4.0 / 3 * cube : 2 * order * order * a.k;
      add(Parameter::kFactorRate, 2.0 / 3 * cube + sides, Parameter::kFactorColumn, 1.5 * order);
    } else if (name == "qr") {
      add(Parameter::kFactorRate, 4.0 / 3 * order * order * rows, Parameter::kFactorColumn, 4 * order);
    } else {
      const bool vectors = name == "svd" || name == "eigh" || name == "eig" || name == "pinv";
      const double flops = name.starts_with("eigh") || name == "eigvalsh" ? 9 : name.starts_with("eig") ? 25 : 20;
      add(Parameter::kSpectralRate, (vectors ? flops : flops / 2) * order * order * rows, Parameter::kSpectralColumn,
          order);
    }
    Stream(Parameter::kBandwidth, Moved());
    if (Divided() && a.batch <= 1) {
      AddAllToAll(demand.exchange, a.elements * a.item * Share(), division.processors, layout);
      AddAllToAll(demand.exchange, a.elements * a.item * Share(), division.processors, layout);
    }
  }

  void AxisReduction() {
    Stream(a.task->outer_axis ? Parameter::kOuterReductionRate : Parameter::kAxisReductionRate, Moved());
    Arithmetic();
    if (!Divided()) return;
    AddCopies(demand.after, Log2(division.processors), a.written / std::sqrt(division.processors), layout);
  }

  void Host() {
    if (a.to_host > 0) {
      const double nodes = std::max(1, layout.nodes);
      Add(demand.host, Parameter::kHostLatency, 1);
      Add(demand.host, Parameter::kHostBandwidth, a.to_host / nodes);
      if (nodes > 1) {
        Add(demand.host, Parameter::kNetworkLatency, Log2(nodes));
        Add(demand.host, Parameter::kNetworkBandwidth, a.to_host * (nodes - 1) / nodes);
      }
    }
    if (a.from_host > 0) {
      Add(demand.before, Parameter::kHostLatency, 1);
      Add(demand.before, Parameter::kHostBandwidth, a.from_host * Share());
    }
  }

  void Build() {
    switch (a.task->kind) {
      case WorkKind::kElementwise: Elementwise(); break;
      case WorkKind::kHistogram:
        Stream(Parameter::kBandwidth, Moved());
        PerElement(Parameter::kHistogramRate, SortedForHistogram());
        break;
      case WorkKind::kFill:
        Stream(Parameter::kFillRate, Moved());
        Walk();
        break;
      case WorkKind::kCopy:
        StreamThrough();
        Walk();
        break;
      case WorkKind::kMaskRead:
        Add(demand.memory, Parameter::kMaskRate, a.elements * Share() * std::max(1.0, a.item / 8));
        break;
      case WorkKind::kRandom:
        Stream(Parameter::kFillRate, Moved());
        PerElement(a.task->operations > 1 ? Parameter::kNormalRate : Parameter::kRandomRate, a.elements * Share());
        break;
      case WorkKind::kReduction:
        Stream(Parameter::kReductionRate, Moved());
        PerElement(Parameter::kFoldRate, a.elements * Share());
        if (HasMask()) PerElement(Parameter::kChoiceRate, a.elements * Share());
        Arithmetic();
        Walk();
        Add(demand.after, Parameter::kScalarLatency, 1);
        if (Divided()) Add(demand.after, Parameter::kScalarLatencyDivided, 1);
        Add(demand.after, Parameter::kScalarLatencyPerDoubling, Log2(layout.nodes));
        break;
      case WorkKind::kAxisReduction: AxisReduction(); break;
      case WorkKind::kScan:
        // Both sweeps of one processor are in its rate; where it is divided, what came before is added in another.
        Stream(Parameter::kScanRate, Moved() / 2 * (Divided() ? 2 : 1));
        if (Divided()) AddCopies(demand.exchange, 2, 16, layout);
        break;
      case WorkKind::kProduct: Product(); break;
      case WorkKind::kSort: Sort(); break;
      case WorkKind::kGather: Indexed(Parameter::kGatherRate, Parameter::kGatherCachedRate); break;
      case WorkKind::kScatter: Indexed(Parameter::kScatterRate, Parameter::kScatterCachedRate); break;
      case WorkKind::kConvolve:
        Stream(Parameter::kBandwidth, Moved());
        Add(demand.compute, Parameter::kArithmeticRate, 2 * a.elements * Share() * std::max(1.0, a.k) * Width(a));
        break;
      case WorkKind::kFft: Fft(); break;
      case WorkKind::kFactorise: Factorise(); break;
      case WorkKind::kElementAccess: break;
      case WorkKind::kToHost:
      case WorkKind::kFromHost: break;
    }
    const WorkKind kind = a.task->kind;
    const bool exchanged = kind == WorkKind::kSort || kind == WorkKind::kGather || kind == WorkKind::kScatter ||
                           kind == WorkKind::kFactorise;
    if (a.task->all_to_all && !exchanged && Divided())
      AddAllToAll(demand.exchange, (a.read + a.written) / 2 * Share(), division.processors, layout);
    Host();
  }
};

}  // namespace

bool IsRate(Parameter parameter) {
  static constexpr std::array<bool, kParameters> kRates = {
#define CPNLINT_PARAMETER(name, json, unit, spread, meaning) std::string_view(unit).ends_with("/s"),
#include "cost-model/parameters.def"
#undef CPNLINT_PARAMETER
  };
  return kRates[static_cast<std::size_t>(parameter)];
}

void AddAllToAll(Terms& terms, double bytes, int processors, const Layout& layout) {
  const double all = processors, near = std::min(PerNode(layout), processors);
  Add(terms, Parameter::kCollectiveLatency, 1 + std::max(0.0, all - 8) / 64);
  Add(terms, Parameter::kCollectivePerDoubling, Log2(all / near));
  Add(terms, Parameter::kCopyBandwidth, bytes * (near - 1) / all);
  Add(terms, Parameter::kNetworkBandwidth, bytes * (all - near) / all);
}

void AddBroadcast(Terms& terms, double bytes, int processors, const Layout& layout) {
  const double near = std::min(PerNode(layout), processors), far = Log2(processors / near);
  Add(terms, Parameter::kNetworkLatency, far);
  Add(terms, Parameter::kNetworkBandwidth, far * bytes);
  Add(terms, Parameter::kCopyLatency, Log2(near));
  Add(terms, Parameter::kCopyBandwidth, Log2(near) * bytes);
}

void AddCopies(Terms& terms, double copies, double bytes, const Layout& layout) {
  const bool far = layout.nodes > 1;
  Add(terms, far ? Parameter::kNetworkLatency : Parameter::kCopyLatency, copies);
  Add(terms, far ? Parameter::kNetworkBandwidth : Parameter::kCopyBandwidth, bytes);
}

// Slices, which the runtime looks up in the arrays that they are parts of.
static bool UsesParts(const Amounts& amounts) {
  return std::ranges::any_of(amounts.arrays,
                             [](const ArrayUse& use) { return use.used > 0 && use.used < use.elements; });
}

Demand DemandOf(const Amounts& amounts, const Division& division, const Profile& profile, const Layout& layout,
                bool in_cache) {
  Demand demand;
  const analysis::WorkTask& task = *amounts.task;
  demand.waits = task.waits;
  if (!task.unpriced.empty()) return demand;
  demand.processors = division.processors;
  demand.launches = division.processors > 1 ? task.launches_divided : task.launches;
  demand.points = std::min(PerNode(layout), division.processors);
  demand.together = demand.points > 1;
  demand.element = task.kind == WorkKind::kElementAccess;
  Builder builder{amounts, division, profile, layout, in_cache, demand};
  if (demand.launches > 0 || task.waits || amounts.to_host > 0 || amounts.from_host > 0) builder.Build();
  demand.runs = demand.launches > 0;
  const bool parts = !demand.element && UsesParts(amounts);
  demand.dispatches = demand.launches * (parts ? profile.Value(Parameter::kPartFactor) : 1);
  return demand;
}

}  // namespace cpnlint::cost
