// The probes: programs in Python of ours, run under the user's own runtime. What it achieves is what a program gets.

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>

#include <unistd.h>

#include "embedded/probe_algebra.h"
#include "embedded/probe_exchange.h"
#include "embedded/probe_launches.h"
#include "embedded/probe_main.h"
#include "embedded/probe_measure.h"
#include "embedded/probe_rates.h"
#include "embedded/probe_statement.h"
#include "runtime-kernels/harness/journal.h"
#include "runtime-kernels/harness/source.h"

namespace cpnlint::kernels {
namespace {

struct Probe {
  const char* name;
  const char* words;
  double seconds[3];  // by Effort
  bool alone = true;  // on one processor
  bool many = false;  // on several
  enum Where : std::uint8_t { kAnywhere, kGpu, kCpu } where = kAnywhere;
  Effort least = Effort::kQuick;
};

constexpr Probe kProbes[] = {
    {"first touch", "first use of memory", {1, 2, 4}},
    {"operations", "submitting operations", {4, 10, 24}, true, true},
    {"host work", "what the runtime takes of the cores", {4, 9, 20}, true, true, Probe::kCpu},
    {"chains", "operations that depend on each other", {5, 13, 30}, true, true},
    {"waits", "waiting for results", {4, 10, 24}, true, true},
    {"sizes", "sizes of operations", {4, 10, 24}, true, true},
    {"window", "outstanding operations", {3, 5, 5}, true, false, Probe::kAnywhere, Effort::kStandard},
    {"streams", "memory bandwidth", {7, 16, 40}, true, true},
    {"classes", "kinds of operations", {7, 16, 40}},
    {"together", "processors that work together", {5, 12, 28}, true, true},
    {"queues", "operations that wait behind others", {5, 12, 28}, true, true, Probe::kCpu},
    {"walks", "steps from index to index", {5, 12, 28}},
    {"choices", "choices and bins", {7, 16, 40}},
    {"normals", "normal draws", {3, 6, 14}},
    {"small tables", "small gathers", {4, 9, 20}},
    {"sort", "sorting", {6, 12, 26}},
    {"fourier", "Fourier transforms", {3, 6, 14}, true, false, Probe::kGpu},
    {"products", "matrix products", {8, 20, 48}},
    {"factorisations", "factorisations", {7, 16, 40}},
    {"spectra", "spectra", {8, 16, 40}},
    {"edges", "copies of edges", {4, 10, 24}, false, true},
    {"layouts", "changes of layout", {5, 12, 26}, false, true},
    {"everybody", "exchanges of all with all", {4, 9, 20}, false, true},
    {"merges", "merging", {6, 13, 28}, false, true},
};

constexpr double kStart = 6;  // seconds that Legate takes to start
constexpr double kStartPatience = 120;

Result<int> WriteProbes(const std::string& folder) {
  const std::pair<const char*, std::string_view> files[] = {
      {"algebra.py", embedded::probe_algebra()},    {"exchange.py", embedded::probe_exchange()},
      {"launches.py", embedded::probe_launches()},  {"main.py", embedded::probe_main()},
      {"measure.py", embedded::probe_measure()},    {"rates.py", embedded::probe_rates()},
      {"statement.py", embedded::probe_statement()}};
  for (const auto& [name, text] : files) {
    if (auto written = WriteWhole(folder + "/" + name, text); !written) return written;
  }
  return 0;
}

bool Runs(const std::string& path) { return !path.empty() && access(path.c_str(), X_OK) == 0; }

// `legate` of the environment that was named or is on PATH; empty where there is none.
Result<std::string> FindLegate(const Request& request) {
  if (request.runtime.empty()) return FindOnPath("legate");
  const std::filesystem::path named = request.runtime;
  std::error_code ignored;
  std::string legate = named.filename().string().starts_with("legate") ? named.string()
                       : std::filesystem::is_directory(named, ignored) ? (named / "bin" / "legate").string()
                                                                       : (named.parent_path() / "legate").string();
  if (!Runs(legate)) {
    return Fail("--runtime: there is no `" + legate +
                "`; name the Python or the `legate` of the environment where cuPyNumeric is");
  }
  return legate;
}

std::string LastLine(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  return text.substr(text.find_last_of('\n') + 1);
}

ChildRequest LegateCommand(const std::string& legate, const Device& device, const std::string& folder, int processors,
                           const std::vector<std::string>& arguments) {
  ChildRequest request;
  const std::string count = std::to_string(processors);
  if (device.machine.gpu) {
    request.command = {legate, "--gpus", count};
  } else {
    const double pool = std::clamp(device.host_memory / 4, 1024.0 * 1024 * 1024, 8192.0 * 1024 * 1024);
    request.command = {
        legate, "--cpus", count, "--gpus", "0", "--sysmem", std::to_string(static_cast<long>(pool / 1024 / 1024))};
  }
  request.command.push_back(folder + "/main.py");
  request.command.insert(request.command.end(), arguments.begin(), arguments.end());
  // The script of `legate` looks for its own Python on PATH.
  const char* path = std::getenv("PATH");
  const std::string own = std::filesystem::path(legate).parent_path().string();
  request.environment = {"PATH=" + own + (path == nullptr ? "" : ":" + std::string(path)), "PYTHONDONTWRITEBYTECODE=1"};
  // A processor is one core. Left alone, OpenBLAS starts threads of its own for each of them: on two cores, small
  // systems then took ten times as long under `--cpus 2` (cuPyNumeric 26.6.1).
  if (!device.machine.gpu) request.environment.emplace_back("OPENBLAS_NUM_THREADS=1");
  return request;
}

std::vector<std::string> Arguments(int processors, const Device& device, Effort effort, const std::string& probes) {
  const std::string kind = device.machine.gpu ? "gpu" : "cpu";
  const std::string words(effort == Effort::kQuick ? "quick" : effort == Effort::kStandard ? "standard" : "full");
  return {std::to_string(processors), std::to_string(device.machine.processors_per_node), kind, words, probes};
}

// Starts it once and measures nothing: the names and versions, or why it does not start.
Result<std::string> TryRuntime(const std::string& legate, const Device& device, const std::string& folder) {
  ChildRequest request = LegateCommand(legate, device, folder, 1, Arguments(1, device, Effort::kQuick, "none"));
  request.seconds = kStartPatience;
  std::string versions;
  const auto ending = RunChild(
      request,
      [&](std::string_view line) {
        constexpr std::string_view kMark = "{\"runtime\": \"";
        if (line.starts_with(kMark)) versions = line.substr(kMark.size(), line.size() - kMark.size() - 2);
        return true;
      },
      [] {});
  if (!ending) return tl::make_unexpected(ending.error());
  if (!versions.empty() && ending->code == 0) return versions;
  if (ending->interrupted) return Fail("interrupted while `" + legate + "` started");
  if (ending->late) return Fail("`" + legate + "` did not start within two minutes");
  return Fail("`" + legate + "` does not run cuPyNumeric: " + LastLine(ending->last_words));
}

// 1, 2, 4, ..., all; for a quick look the two ends.
std::vector<int> ProcessorCounts(int most, Effort effort) {
  std::vector<int> counts = {1};
  if (effort != Effort::kQuick) {
    for (int count = 2; count < most; count *= 2) counts.push_back(count);
  }
  if (most > 1) counts.push_back(most);
  return counts;
}

std::vector<Device::Offer> OffersOn(int processors, const Device& device, Effort effort) {
  std::vector<Device::Offer> offers;
  for (const Probe& probe : kProbes) {
    if (!(processors == 1 ? probe.alone : probe.many)) continue;
    if (probe.where == (device.machine.gpu ? Probe::kCpu : Probe::kGpu)) continue;
    if (effort < probe.least) continue;
    std::string words = std::string(probe.words) + " under Legate";
    if (processors > 1) words += " on " + std::to_string(processors);
    offers.push_back({probe.name, std::move(words), probe.seconds[static_cast<std::size_t>(effort)]});
  }
  return offers;
}

void AddPython(const std::string& python, const std::string& folder, std::vector<Source>& sources) {
  if (!Runs(python)) return;
  Source source;
  source.name = "python";
  source.offers = {{"statement", "plain Python", 1}};
  source.start_seconds = 0.1;
  source.command = [python, folder](int, const std::string&) {
    ChildRequest request;
    request.command = {python, "-I", folder + "/statement.py"};
    return request;
  };
  sources.push_back(std::move(source));
}

}  // namespace

Result<std::vector<Source>> RuntimeSources(const Request& request, Device& device, const std::string& folder,
                                           std::vector<std::string>& notes) {
  if (auto written = WriteProbes(folder); !written) return tl::make_unexpected(written.error());
  std::vector<Source> sources;
  auto legate = request.without_runtime ? std::string() : FindLegate(request);
  if (!legate) return tl::make_unexpected(legate.error());
  std::string python = legate->empty() ? "" : (std::filesystem::path(*legate).parent_path() / "python3").string();
  if (!Runs(python)) python = FindOnPath("python3");
  AddPython(python, folder, sources);
  if (legate->empty()) {
    if (!request.without_runtime) {
      notes.push_back("no `legate` on PATH: what the runtime costs is not measured; --runtime names one");
    }
    return sources;
  }
  const auto versions = TryRuntime(*legate, device, folder);
  if (!versions) {
    if (!request.runtime.empty() || Interruption::Asked()) return tl::make_unexpected(versions.error());
    notes.push_back("what the runtime costs is not measured: " + versions.error().message);
    return sources;
  }
  device.machine.note = *versions;
  for (const int processors : ProcessorCounts(device.machine.processors_per_node, request.effort)) {
    Source source;
    source.name = "runtime " + std::to_string(processors);
    source.offers = OffersOn(processors, device, request.effort);
    source.start_seconds = kStart;
    source.command = [legate = *legate, device, folder, processors, effort = request.effort](
                         int, const std::string& probes) {
      return LegateCommand(legate, device, folder, processors, Arguments(processors, device, effort, probes));
    };
    sources.push_back(std::move(source));
  }
  return sources;
}

}  // namespace cpnlint::kernels
