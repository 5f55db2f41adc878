#include "runtime-kernels/calibrate.h"

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <optional>
#include <set>

#include "runtime-kernels/bench/cpu.h"
#include "runtime-kernels/harness/clock.h"
#include "runtime-kernels/harness/combine.h"
#include "runtime-kernels/harness/journal.h"
#include "runtime-kernels/harness/nodes.h"
#include "runtime-kernels/harness/source.h"

namespace cpnlint::kernels {
namespace {

// Fresh processes: what they differ in is what a later run may differ in.
int RoundsOf(Effort effort) { return effort == Effort::kQuick ? 1 : effort == Effort::kStandard ? 3 : 5; }

constexpr double kPatience = 6;        // times the expected seconds; a busy machine is slow, a hanging one is worse
constexpr double kLeastPatience = 60;  // seconds

std::string Join(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ",") + word;
  return text;
}

// The last line that says something.
std::string LastLine(const std::string& text) {
  const std::size_t end = text.find_last_not_of(" \t\r\n");
  if (end == std::string::npos) return "";
  const std::size_t start = text.find_last_of('\n', end);
  std::string line =
      text.substr(start == std::string::npos ? 0 : start + 1, end - (start == std::string::npos ? -1 : start));
  if (line.size() > 300) line.resize(300);
  return line;
}

// "AMD EPYC 7742 64-Core Processor" -> "amd-epyc-7742-64-core-processor"
std::string NameOf(const std::string& processor) {
  std::string name;
  for (const char c : processor) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
      name += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    } else if (!name.empty() && name.back() != '-') {
      name += '-';
    }
  }
  while (!name.empty() && name.back() == '-') name.pop_back();
  return name.empty() ? "machine" : name;
}

std::string Today() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[16];
  std::strftime(text, sizeof text, "%Y-%m-%d", &parts);
  return text;
}

// Our GPU benchmarks are a program of their own, so that nobody's linter needs CUDA's libraries.
std::string CudaProgram() {
  const std::string program = (std::filesystem::path(OwnProgram()).parent_path() / "cpnlint-cuda").string();
  return access(program.c_str(), X_OK) == 0 ? program : std::string();
}

std::vector<std::string> WorkerCommand(bool cuda) {
  if (cuda) return {CudaProgram()};
  return {OwnProgram(), "calibrate-worker"};
}

struct Described {
  bool cuda = false;
  Device device;
};

Result<Described> Describe(bool cuda, Effort effort) {
  if (cuda && CudaProgram().empty()) {
    return Fail(
        "--backend cuda: this cpnlint was built without CUDA (no `cpnlint-cuda` beside it); build that target "
        "where nvcc is found, or use --backend cpu");
  }
  ChildRequest request;
  request.command = WorkerCommand(cuda);
  request.command.insert(request.command.end(), {"describe", std::string(Name(effort))});
  request.seconds = kLeastPatience;
  std::optional<Result<Device>> found;
  const auto ending = RunChild(
      request,
      [&](std::string_view line) {
        if (const std::string reason = RefusalOf(line); !reason.empty()) {
          found = Fail(reason);
        } else {
          found = DeviceFromLine(line);
        }
        return true;
      },
      [] {});
  if (!ending) return tl::make_unexpected(ending.error());
  if (!found) return Fail("the benchmarks do not start: " + LastLine(ending->last_words));
  if (!*found) return tl::make_unexpected(found->error());
  return Described{cuda, std::move(**found)};
}

Result<Described> ChooseBackend(const Request& request, std::vector<std::string>& notes) {
  if (request.backend == BackendChoice::kCpu) return Describe(false, request.effort);
  if (request.backend == BackendChoice::kCuda) return Describe(true, request.effort);
  if (!CudaProgram().empty()) {
    auto cuda = Describe(true, request.effort);
    if (cuda) return cuda;
    notes.push_back("no GPU is measured: " + cuda.error().message);
  }
  return Describe(false, request.effort);
}

Source NativeSource(const Described& described, Effort effort) {
  Source source;
  source.name = described.cuda ? "cuda" : "cpu";
  source.offers = described.device.offers;
  source.start_seconds = described.cuda ? 3 : 0.1;
  source.command = [cuda = described.cuda, effort](int round, const std::string& benches) {
    ChildRequest request;
    request.command = WorkerCommand(cuda);
    request.command.insert(request.command.end(),
                           {"measure", std::string(Name(effort)), std::to_string(round), benches});
    return request;
  };
  return source;
}

// Goes through all rounds of all sources.
class Campaign {
 public:
  Campaign(std::vector<Source> sources, int rounds, Journal& journal,
           const std::function<void(const Progress&)>& on_progress)
      : sources_(std::move(sources)), rounds_(rounds), journal_(journal), on_progress_(on_progress) {
    for (int round = 0; round < rounds_; ++round) {
      for (const Source& source : sources_) expected_ += ExpectedOf(source, Missing(source, round));
    }
  }

  // False: interrupted.
  Result<bool> Run() {
    for (int round = 0; round < rounds_; ++round) {
      for (const Source& source : sources_) {
        auto finished = RunRound(source, round);
        if (!finished) return tl::make_unexpected(finished.error());
        if (!*finished) return false;
      }
    }
    return true;
  }

 private:
  [[nodiscard]] std::vector<std::string> Missing(const Source& source, int round) const {
    std::vector<std::string> benches;
    for (const Device::Offer& offer : source.offers) {
      if (!journal_.Has(source.name, offer.bench, round)) benches.push_back(offer.bench);
    }
    return benches;
  }

  [[nodiscard]] static double ExpectedOf(const Source& source, const std::vector<std::string>& benches) {
    double seconds = benches.empty() ? 0 : source.start_seconds;
    for (const Device::Offer& offer : source.offers) {
      if (std::find(benches.begin(), benches.end(), offer.bench) != benches.end()) seconds += offer.seconds;
    }
    return seconds;
  }

  [[nodiscard]] static const Device::Offer* Find(const Source& source, std::string_view bench) {
    for (const Device::Offer& offer : source.offers) {
      if (offer.bench == bench) return &offer;
    }
    return nullptr;
  }

  void Tell() {
    const double spent = watch_.Seconds();
    const double current = std::min(bench_watch_.Seconds(), 0.95 * current_expected_);
    const double done = expected_ > 0 ? std::min((finished_ + current) / expected_, 1.0) : 1;
    // By what was asked at first, then by how fast it goes.
    const double pace = finished_ > 5 ? std::clamp(spent / (finished_ + current), 0.5, 10.0) : 1;
    on_progress_({words_, done, std::max(0.0, (expected_ - finished_ - current) * pace)});
  }

  // One process after another until every benchmark of the round has a record; one that dies costs the benchmark that
  // it was at. False: interrupted.
  Result<bool> RunRound(const Source& source, int round) {
    for (std::vector<std::string> missing = Missing(source, round); !missing.empty();
         missing = Missing(source, round)) {
      std::string begun = missing.front();
      bool begun_any = false;
      Begin(source, begun);
      current_expected_ += source.start_seconds;
      ChildRequest request = source.command(round, Join(missing));
      request.seconds = std::max(kLeastPatience, kPatience * ExpectedOf(source, missing));
      std::optional<Error> failure;
      std::string garbled;
      const auto on_line = [&](std::string_view line) {
        if (std::string bench = BeginOf(line); !bench.empty()) {
          if (Find(source, bench) == nullptr) return true;
          begun = std::move(bench);
          begun_any = true;
          Begin(source, begun);
          return true;
        }
        if (const std::string reason = RefusalOf(line); !reason.empty()) {
          failure = Error{reason};
          return false;
        }
        auto record = FromLine(line);
        if (!record && line.starts_with("{\"bench\"")) garbled = record.error().message;
        if (!record || Find(source, record->bench) == nullptr) return true;  // somebody else's words
        record->source = source.name;
        record->round = round;
        finished_ += Find(source, record->bench)->seconds;
        current_expected_ = 0;
        if (auto added = journal_.Add(std::move(*record)); !added) failure = added.error();
        return !failure;
      };
      const auto ending = RunChild(request, on_line, [&] { Tell(); });
      if (!ending) return tl::make_unexpected(ending.error());
      if (failure) return tl::make_unexpected(*failure);
      if (ending->interrupted) return false;
      if (journal_.Has(source.name, begun, round)) continue;
      std::string why = ending->late         ? "took too long"
                        : ending->code > 128 ? "was ended by signal " + std::to_string(ending->code - 128)
                                             : "ended with code " + std::to_string(ending->code);
      const std::string words = garbled.empty() ? LastLine(ending->last_words) : garbled;
      if (!words.empty()) why += " (" + words + ")";
      // One that does not even start is not started again for each of its benchmarks.
      const bool started = begun_any;
      const std::string place = source.name + ": " + (started ? begun + ": " : "");
      for (const std::string& bench : started ? std::vector{begun} : missing) {
        Record lost;
        lost.source = source.name;
        lost.bench = bench;
        lost.round = round;
        lost.problems.push_back(place + why);
        if (auto added = journal_.Add(std::move(lost)); !added) return tl::make_unexpected(added.error());
      }
    }
    return true;
  }

  void Begin(const Source& source, const std::string& bench) {
    const Device::Offer* offer = Find(source, bench);
    words_ = offer == nullptr ? bench : offer->words;
    current_expected_ = offer == nullptr ? 0 : offer->seconds;
    bench_watch_ = Stopwatch();
    Tell();
  }

  std::vector<Source> sources_;
  int rounds_;
  Journal& journal_;
  const std::function<void(const Progress&)>& on_progress_;
  double expected_ = 0, finished_ = 0, current_expected_ = 0;
  Stopwatch watch_, bench_watch_;
  std::string words_;
};

// What a partial file must agree in to be gone on with.
std::string Header(const Device& device, const Request& request, bool cuda) {
  Device shown = device;
  shown.notes.clear();
  shown.offers.clear();
  return "{\"calibration\": 1, \"effort\": \"" + std::string(Name(request.effort)) + "\", \"backend\": \"" +
         (cuda ? "cuda" : "cpu") + "\", \"machine\": " + ToLine(shown) + "}";
}

}  // namespace

Result<Outcome> Calibrate(const Request& request, const std::function<void(const Progress&)>& on_progress) {
  const Interruption interruption;
  Outcome outcome;
  std::vector<Record> network;  // read first: what cannot be read should not cost a calibration
  if (!request.network.empty()) {
    auto record = ReadNetwork(request.network);
    if (!record) return Fail("--between-nodes: " + record.error().message);
    network.push_back(std::move(*record));
  }
  auto described = ChooseBackend(request, outcome.notes);
  if (!described) return tl::make_unexpected(described.error());
  Device& device = described->device;
  outcome.notes.insert(outcome.notes.end(), device.notes.begin(), device.notes.end());
  const std::string name = request.name.empty() ? NameOf(device.machine.processor) : request.name;
  outcome.path = request.output.empty() ? name + ".json" : request.output;
  auto base = BaseFor(device);
  if (!base) return tl::make_unexpected(base.error());
  outcome.base = base->profile.name;

  auto folder = TemporaryFolder::Make();
  if (!folder) return tl::make_unexpected(folder.error());
  std::vector<Source> sources = {NativeSource(*described, request.effort)};
  auto runtime = RuntimeSources(request, device, folder->path(), outcome.notes);
  if (!runtime) return tl::make_unexpected(runtime.error());
  sources.insert(sources.end(), std::make_move_iterator(runtime->begin()), std::make_move_iterator(runtime->end()));

  const std::string partial = outcome.path + ".partial";
  const std::string header = Header(device, request, described->cuda);
  auto journal = request.resume ? Journal::Reopen(partial, header) : Journal::Create(partial, header);
  if (!journal) return tl::make_unexpected(journal.error());

  const auto finished = Campaign(std::move(sources), RoundsOf(request.effort), *journal, on_progress).Run();
  if (!finished || !*finished) {
    if (journal->records().empty()) {
      journal->Remove();
    } else {
      outcome.partial = partial;
    }
    if (!finished) return tl::make_unexpected(finished.error());
    outcome.interrupted = true;
    return outcome;
  }

  std::vector<Record> records = journal->records();
  records.insert(records.end(), network.begin(), network.end());
  std::set<std::string> told;
  for (const Record& record : records) {
    for (const std::string& problem : record.problems) {
      if (told.insert(problem).second) outcome.notes.push_back(problem);
    }
  }
  outcome.profile = MakeProfile(*base, device, records, outcome.notes);
  outcome.profile.name = name;
  outcome.profile.machine.date = Today();
  // Under what conditions it was measured goes with the numbers.
  for (const std::string& note : device.notes) {
    std::string& all = outcome.profile.machine.note;
    all += (all.empty() ? "" : "; ") + note;
  }
  const std::string text = cost::ToJson(outcome.profile);
  if (const auto read = cost::ParseProfile(text, outcome.path); !read) {
    return Fail("the measurements make no profile, which is our bug (" + read.error().message +
                "); they are kept in `" + partial + "`");
  }
  if (auto written = WriteWhole(outcome.path, text); !written) {
    return Fail(written.error().message + "; what was measured is kept in `" + partial +
                "`, and --resume writes it anew");
  }
  journal->Remove();
  return outcome;
}

int RunCpuWorker(std::span<const std::string> arguments) { return RunWorker(CpuBackend(), arguments); }

}  // namespace cpnlint::kernels
