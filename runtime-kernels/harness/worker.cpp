#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <exception>

#include "runtime-kernels/harness/bench.h"
#include "runtime-kernels/harness/clock.h"

namespace cpnlint::kernels {
namespace {

// False where nobody reads any more.
bool Say(std::string line) {
  line += '\n';
  std::string_view rest = line;
  while (!rest.empty()) {
    const ssize_t written = write(STDOUT_FILENO, rest.data(), rest.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

bool Names(std::string_view list, std::string_view name) {
  for (std::size_t start = 0; start <= list.size();) {
    const std::size_t end = std::min(list.find(',', start), list.size());
    if (list.substr(start, end - start) == name) return true;
    start = end + 1;
  }
  return false;
}

bool Measure(const Bench& bench, const Backend& backend, const Device& device, Effort effort, int round) {
  if (!Say(BeginLine(bench.name))) return false;
  const Stopwatch watch;
  // Another order of sizes each round.
  Session session(backend, device, effort, static_cast<std::uint64_t>(round) * 7919 + 1,
                  bench.seconds[static_cast<std::size_t>(effort)]);
  try {
    bench.run(session);
  } catch (const std::exception& error) {
    session.Problem(std::string(bench.name) + ": " + error.what());
  }
  Record record = session.TakeRecord();
  record.source = backend.name;
  record.bench = bench.name;
  record.round = round;
  record.seconds = watch.Seconds();
  return Say(ToLine(record));
}

constexpr Effort kEfforts[] = {Effort::kQuick, Effort::kStandard, Effort::kFull};

}  // namespace

std::string_view Name(Effort effort) {
  switch (effort) {
    case Effort::kQuick: return "quick";
    case Effort::kStandard: return "standard";
    case Effort::kFull: return "full";
  }
  return "";
}

int RunWorker(const Backend& backend, std::span<const std::string> arguments) {
  const bool describe = arguments.size() == 2 && arguments[0] == "describe";
  const bool measure = arguments.size() == 4 && arguments[0] == "measure";
  const auto* effort = describe || measure ? std::find_if(std::begin(kEfforts), std::end(kEfforts),
                                                          [&](Effort one) { return Name(one) == arguments[1]; })
                                           : std::end(kEfforts);
  if (effort == std::end(kEfforts)) {
    Say(RefusalLine("a worker is started by `cpnlint calibrate`, not by hand"));
    return 2;
  }
  Result<Device> device = backend.open();
  if (!device) {
    Say(RefusalLine(device.error().message));
    return 2;
  }
  if (describe) {
    for (const Bench& bench : backend.benches) {
      device->offers.push_back(
          {std::string(bench.name), std::string(bench.words), bench.seconds[static_cast<std::size_t>(*effort)]});
    }
    return Say(ToLine(*device)) ? 0 : 2;
  }
  const int round = static_cast<int>(std::strtol(arguments[2].c_str(), nullptr, 10));
  for (const Bench& bench : backend.benches) {
    if (Names(arguments[3], bench.name) && !Measure(bench, backend, *device, *effort, round)) return 2;
  }
  return 0;
}

}  // namespace cpnlint::kernels
