#include "runtime-kernels/harness/combine.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <map>

#include "runtime-kernels/harness/fit.h"
#include "runtime-kernels/harness/statistics.h"

namespace cpnlint::kernels {
namespace {

// An interval of a factor is what the model can use: one that reaches zero ends at a fifth of the value.
constexpr double kWidest = 5;

bool IsRuntime(const Record& record) { return record.source.starts_with("runtime"); }

// Of one parameter or reading, over the rounds.
struct Rounds {
  std::vector<double> values, lows, highs;
  std::uint32_t samples = 0;
  std::string method;

  void Add(double value, double low, double high, std::uint32_t count, const std::string& how) {
    values.push_back(value);
    lows.push_back(low);
    highs.push_back(high);
    samples += count;
    method = how;
  }

  // What a round is unsure of, and how far the rounds lie apart.
  [[nodiscard]] Interval Whole() const {
    return {Median(values), std::min(Median(lows), *std::min_element(values.begin(), values.end())),
            std::max(Median(highs), *std::max_element(values.begin(), values.end()))};
  }
};

std::string WithRounds(const Rounds& rounds) {
  if (rounds.values.size() < 2) return rounds.method;
  return rounds.method + "; " + std::to_string(rounds.values.size()) + " processes";
}

// The numbers of processors that a reading was taken on, with its value on each.
std::map<int, Rounds> ReadingsOf(std::span<const Record> records, const std::string& name) {
  std::map<int, Rounds> result;
  for (const Record& record : records) {
    for (const Reading& reading : record.readings) {
      if (reading.name == name) {
        result[reading.processors].Add(reading.value, reading.low, reading.high, reading.samples, "");
      }
    }
  }
  return result;
}

// t = c0 + c1 n.
void AddLaunch(std::span<const Record> records, std::vector<Estimate>& estimates) {
  const std::map<int, Rounds> all = ReadingsOf(records, "operation aligned");
  std::vector<FitPoint> points;
  std::uint32_t samples = 0;
  std::string counts;
  for (const auto& [processors, rounds] : all) {
    const Interval whole = rounds.Whole();
    points.push_back({static_cast<double>(processors), whole.value, (whole.high - whole.low) / 4});
    samples += rounds.samples;
    counts += (counts.empty() ? "" : ", ") + std::to_string(processors);
  }
  if (points.empty()) return;
  const std::string method =
      "independent operations on whole arrays that all processors share, on " + counts + " processors";
  if (points.size() == 1) {
    const Interval whole = all.begin()->second.Whole();
    estimates.push_back({cost::Parameter::kLaunchBase, whole.value, whole.low, whole.high, samples, method});
    estimates.push_back({cost::Parameter::kLaunchPerProcessor, 0, 0, 0, samples, method});
    return;
  }
  // Each processor more costs at least nothing. How sure the whole of a launch is, is known from the fewest processors.
  const FitPoint& first = points.front();
  const FitPoint& last = points.back();
  const double span = last.x - first.x;
  double slope = std::max(0.0, (last.t - first.t) / span);
  if (points.size() > 2) {
    if (const Line line = FitLine(points); line.good) slope = 1 / line.rate.value;
  }
  std::vector<double> starts;
  for (const FitPoint& point : points) starts.push_back(point.t - slope * point.x);
  const double base = std::max(Median(starts), first.t / kWidest);
  const Interval whole = all.begin()->second.Whole();
  estimates.push_back({cost::Parameter::kLaunchBase, base, base * whole.low / whole.value,
                       base * whole.high / whole.value, samples, method});
  const double error = 2 * (first.error + last.error) / span;
  estimates.push_back({cost::Parameter::kLaunchPerProcessor, slope, std::max(slope / kWidest, slope - error),
                       slope > 0 ? slope + error : 0, samples, method});
}

// How much more the same operations cost on slices; the middle of the numbers of processors.
void AddPartFactor(std::span<const Record> records, std::vector<Estimate>& estimates) {
  const std::map<int, Rounds> whole = ReadingsOf(records, "operation aligned");
  Rounds factors;
  for (const auto& [processors, sliced] : ReadingsOf(records, "operation sliced")) {
    const auto found = whole.find(processors);
    if (found == whole.end()) continue;
    const Interval parts = sliced.Whole(), all = found->second.Whole();
    if (!(all.low > 0)) continue;
    const auto least = [](double factor) { return std::max(factor, 1.0); };
    factors.Add(least(parts.value / all.value), least(parts.low / all.high), least(parts.high / all.low),
                sliced.samples, "a[1:-1] + b[2:] against a + b");
  }
  if (factors.values.empty()) return;
  const Interval middle = factors.Whole();
  estimates.push_back(
      {cost::Parameter::kPartFactor, middle.value, middle.low, middle.high, factors.samples, factors.method});
}

// What a processor keeps of its rate while all work: the time of the same work for each, on the fewest and the most.
void AddTogether(std::span<const Record> records, const char* reading, cost::Parameter parameter, const char* what,
                 std::vector<Estimate>& estimates) {
  const std::map<int, Rounds> all = ReadingsOf(records, reading);
  if (all.size() < 2) return;
  const Interval alone = all.begin()->second.Whole(), together = all.rbegin()->second.Whole();
  if (!(together.low > 0)) return;
  const auto kept = [](double ratio) { return std::min(ratio, 1.0); };
  estimates.push_back({parameter, kept(alone.value / together.value), kept(alone.low / together.high),
                       kept(alone.high / together.low), all.rbegin()->second.samples,
                       std::string(what) + " of one processor against " + std::to_string(all.rbegin()->first)});
}

// Of a chain through numbers, what it takes longer on the most processors than on one.
void AddScalarDivided(std::span<const Record> records, std::vector<Estimate>& estimates) {
  const std::map<int, Rounds> all = ReadingsOf(records, "scalar chain");
  if (all.size() < 2 || all.begin()->first != 1) return;
  const Interval alone = all.begin()->second.Whole(), together = all.rbegin()->second.Whole();
  const auto above = [](double seconds) { return std::max(seconds, 0.0); };
  estimates.push_back({cost::Parameter::kScalarLatencyDivided, above(together.value - alone.value),
                       above(together.low - alone.high), above(together.high - alone.low), all.rbegin()->second.samples,
                       "dot -> multiply -> dot against the same operations apart, " +
                           std::to_string(all.rbegin()->first) + " processors beyond one"});
}

std::vector<std::string> Words(const std::string& text) {
  std::vector<std::string> words;
  std::string word;
  for (const char c : text + " ") {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
      word += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    } else if (!word.empty()) {
      words.push_back(std::move(word));
      word.clear();
    }
  }
  return words;
}

double Likeness(const cost::Profile& profile, const Device& device) {
  const std::vector<std::string> words = Words(device.machine.processor);
  double score = 0;
  for (const std::string& word : Words(profile.machine.processor)) {
    if (std::find(words.begin(), words.end(), word) != words.end()) score += 1;
  }
  if (profile.machine.compute_capability == device.machine.compute_capability) score += 10;
  const double ratio = profile.Value(cost::Parameter::kMemory) / std::max(device.memory, 1.0);
  return score - std::abs(std::log(std::max(ratio, 1e-9)));
}

// False: noise may explain all of it, and the shipped number is as good a guess.
bool Settle(Estimate& one, const cost::Number& shipped) {
  if (one.low > 0 || one.high == 0) {
    one.low = std::max(one.low, one.value / kWidest);
    return true;
  }
  if (shipped.value <= one.high) return false;
  one.value = one.value > 0 ? one.value : one.high / 2;
  one.low = one.value / kWidest;
  return true;
}

cost::Number Read(double bytes) { return {bytes, bytes, bytes, 1, "as the system says", cost::Provenance::kMeasured}; }

}  // namespace

std::vector<Estimate> Combine(std::span<const Record> records) {
  std::map<cost::Parameter, Rounds> native, runtime;
  for (const Record& record : records) {
    auto& into = IsRuntime(record) ? runtime : native;
    for (const Estimate& one : record.estimates) {
      into[one.parameter].Add(one.value, one.low, one.high, one.samples, one.method);
    }
  }
  runtime.merge(native);  // keeps what is there
  std::vector<Estimate> estimates;
  for (const auto& [parameter, rounds] : runtime) {
    const Interval whole = rounds.Whole();
    estimates.push_back({parameter, whole.value, whole.low, whole.high, rounds.samples, WithRounds(rounds)});
  }
  return estimates;
}

std::vector<Estimate> FromReadings(std::span<const Record> records) {
  std::vector<Estimate> estimates;
  AddLaunch(records, estimates);
  AddPartFactor(records, estimates);
  AddTogether(records, "together arithmetic", cost::Parameter::kArithmeticTogether, "np.exp", estimates);
  AddTogether(records, "together product", cost::Parameter::kProductTogether, "matrix products", estimates);
  AddScalarDivided(records, estimates);
  // Of little data, so what is left beyond the launches is what all wait for one another.
  const std::map<int, Rounds> gathers = ReadingsOf(records, "small gather beyond an addition");
  if (!gathers.empty() && gathers.rbegin()->first > 1) {
    const Interval whole = gathers.rbegin()->second.Whole();
    estimates.push_back(
        {cost::Parameter::kCollectiveLatency, whole.value, whole.low, whole.high, gathers.rbegin()->second.samples,
         "a[i] of little data against a + a, " + std::to_string(gathers.rbegin()->first) + " processors under Legate"});
  }
  return estimates;
}

std::vector<cost::Curve> CurvesOf(std::span<const Record> records) {
  std::map<std::string, cost::Curve> curves;
  for (const Record& record : records) {
    for (const cost::Curve& curve : record.curves) curves[curve.name] = curve;
  }
  std::vector<cost::Curve> result;
  for (auto& [name, curve] : curves) result.push_back(std::move(curve));
  return result;
}

Result<Base> BaseFor(const Device& device) {
  Base best;
  double score = 0;
  for (const std::string_view name : cost::ShippedProfiles()) {
    auto profile = cost::LoadProfile(std::string(name));
    if (!profile) return tl::make_unexpected(profile.error());
    if (profile->machine.gpu != device.machine.gpu) continue;
    const double likeness = Likeness(*profile, device);
    if (!best.profile.name.empty() && likeness <= score) continue;
    score = likeness;
    best.profile = std::move(*profile);
  }
  if (best.profile.name.empty()) return Fail("no shipped profile is of that kind of machine; this is our bug");
  const double ratio = best.profile.Value(cost::Parameter::kMemory) / std::max(device.memory, 1.0);
  best.same_machine = device.machine.gpu && ratio > 0.85 && ratio < 1.15 &&
                      best.profile.machine.compute_capability == device.machine.compute_capability;
  return best;
}

cost::Profile MakeProfile(const Base& base, const Device& device, std::span<const Record> records,
                          std::vector<std::string>& notes) {
  cost::Profile profile = base.profile;
  profile.machine = device.machine;
  if (!base.same_machine) {
    for (cost::Number& number : profile.numbers) {
      number.provenance = cost::Provenance::kDefault;
      number.method = "from the profile `" + base.profile.name + "`: " + number.method;
    }
  }
  const auto set = [&](cost::Parameter parameter, cost::Number number) {
    profile.numbers[static_cast<std::size_t>(parameter)] = std::move(number);
  };
  set(cost::Parameter::kMemory, Read(device.memory));
  set(cost::Parameter::kHostMemory, Read(device.host_memory));
  // Where each processor has memory of its own, nothing is shared; on a CPU all is.
  if (device.machine.gpu) set(cost::Parameter::kBandwidthShared, Read(0));
  // A processor of a CPU profile is a core, and Python and the runtime have no others.
  set(cost::Parameter::kHostCores, Read(device.machine.gpu ? 0 : device.machine.processors_per_node));
  std::vector<Estimate> estimates = Combine(records);
  for (Estimate& estimate : FromReadings(records)) estimates.push_back(std::move(estimate));
  for (Estimate& one : estimates) {
    if (!Settle(one, base.profile[one.parameter])) {
      char most[32];
      std::snprintf(most, sizeof most, "%.2g", one.high);
      const cost::ParameterInfo& info = InfoOf(one.parameter);
      notes.push_back(std::string(info.name) + " is too small to be told from noise here: at most " + most +
                      (info.unit == "1" ? "" : " " + std::string(info.unit)));
      continue;
    }
    set(one.parameter, {one.value, one.low, one.high, one.samples, one.method, cost::Provenance::kMeasured});
  }
  profile.curves = CurvesOf(records);
  return profile;
}

}  // namespace cpnlint::kernels
