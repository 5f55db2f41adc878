// Between threads: copies of what another core wrote last, for all pairs of cores and for all at once, and everybody
// meeting everybody.

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>

#include "runtime-kernels/bench/cpu.h"
#include "runtime-kernels/harness/peers.h"

namespace cpnlint::kernels {
namespace {

// Two threads take turns: each copies what the other wrote and hands it back, so a run is two copies.
Case MakeHandOver(const std::shared_ptr<Team>& team, const Pair& pair, std::size_t bytes) {
  const auto first = std::make_shared<Array<char>>(bytes);
  const auto second = std::make_shared<Array<char>>(bytes);
  (*first)[0] = 1;
  Case one;
  one.amount = static_cast<double>(bytes);
  one.run = [=](int repeats) {
    std::atomic<int> arrived = 0, turn = 0;
    double seconds = 0;
    team->Run([&](int member) {
      if (member != pair.from && member != pair.to) return;
      const int place = member == pair.to ? 0 : 1;
      Meet(arrived, 2);
      const Stopwatch watch;
      for (int i = 0; i < repeats; ++i) {
        WaitFor(turn, 2 * i + place);
        if (place == 0) std::memcpy(second->data(), first->data(), bytes);
        if (place == 1) std::memcpy(first->data(), second->data(), bytes);
        turn.store(2 * i + place + 1, std::memory_order_release);
      }
      if (place == 1) seconds = watch.Seconds();  // the last to copy
    });
    return seconds / 2;
  };
  one.correct = [=] { return (*second)[0] == 1; };
  return one;
}

// Each round every receiver copies what its senders wrote in the round before.
class Crowd {
 public:
  Crowd(std::shared_ptr<Team> team, std::span<const Pair> pairs, std::size_t bytes)
      : team_(std::move(team)), bytes_(bytes), senders_(static_cast<std::size_t>(team_->size())) {
    for (const Pair& pair : pairs) senders_[static_cast<std::size_t>(pair.to)].push_back(pair.from);
    for (std::size_t member = 0; member < senders_.size(); ++member) {
      for (auto& side : written_) side.push_back(std::make_shared<Array<char>>(bytes));
      other_.push_back(std::make_shared<Array<char>>(bytes));
      holds_.push_back(static_cast<char>(member + 1));
      std::memset(written_[0].back()->data(), holds_.back(), bytes);
      std::memset(written_[1].back()->data(), holds_.back(), bytes);
    }
  }

  double Run(int rounds) {
    const std::size_t start = done_;
    const double seconds = team_->RunRounds(rounds, [&](int member, int round) {
      const auto me = static_cast<std::size_t>(member);
      const std::size_t now = (start + static_cast<std::size_t>(round)) % 2;
      for (std::size_t i = 0; i < senders_[me].size(); ++i) {
        const auto from = static_cast<std::size_t>(senders_[me][i]);
        // The first is what this thread gives to others in the next round.
        const auto& to = i == 0 ? written_[1 - now][me] : other_[me];
        std::memcpy(to->data(), written_[now][from]->data(), bytes_);
      }
    });
    done_ += static_cast<std::size_t>(rounds);
    for (int round = 0; round < rounds; ++round) Pass();
    return seconds;
  }

  [[nodiscard]] bool Correct() const {
    for (std::size_t me = 0; me < senders_.size(); ++me) {
      const Array<char>& got = *written_[done_ % 2][me];
      if (got[0] != holds_[me] || got[bytes_ - 1] != holds_[me]) return false;
    }
    return true;
  }

 private:
  // Whose data everybody has after one more round.
  void Pass() {
    const std::vector<char> before = holds_;
    for (std::size_t me = 0; me < senders_.size(); ++me) {
      if (!senders_[me].empty()) holds_[me] = before[static_cast<std::size_t>(senders_[me].front())];
    }
  }

  std::shared_ptr<Team> team_;
  std::size_t bytes_;
  std::vector<std::vector<int>> senders_;             // by receiver
  std::array<std::vector<Shared<char>>, 2> written_;  // of this round and of the next
  std::vector<Shared<char>> other_;                   // where all but the first copy go
  std::vector<char> holds_;
  std::size_t done_ = 0;
};

Case MakeCrowd(const std::shared_ptr<Team>& team, std::span<const Pair> pairs, std::size_t bytes) {
  const auto crowd = std::make_shared<Crowd>(team, pairs, bytes);
  Case one;
  one.amount = static_cast<double>(bytes);
  one.run = [=](int repeats) { return crowd->Run(repeats); };
  one.correct = [=] { return crowd->Correct(); };
  return one;
}

// All threads meet, `repeats` times: everybody has heard of everybody.
Case MakeMeeting(const std::shared_ptr<Team>& team) {
  Case one;
  one.run = [=](int repeats) { return team->RunRounds(repeats, [](int, int) {}); };
  return one;
}

// -1 where the system does not say.
int Topology(int processor, const char* what) {
  std::ifstream file("/sys/devices/system/cpu/cpu" + std::to_string(processor) + "/topology/" + what);
  int number = -1;
  file >> number;
  return number;
}

std::string PathOf(const Pair& pair) {
  const int one = AllowedProcessors()[static_cast<std::size_t>(pair.from)];
  const int other = AllowedProcessors()[static_cast<std::size_t>(pair.to)];
  if (Topology(one, "physical_package_id") != Topology(other, "physical_package_id")) return "across sockets";
  const int core = Topology(one, "core_id");
  return core >= 0 && core == Topology(other, "core_id") ? "two threads of one core" : "within a socket";
}

// No cache holds the largest, and all threads together stay below a fraction of the memory.
std::vector<std::size_t> Sizes(const Session& session, int count) {
  std::size_t largest = LargestArray(session);
  while (static_cast<double>(largest) * 16 * count > session.device().host_memory && largest > 1 << 20) largest /= 2;
  return {8, 1 << 12, 1 << 18, largest / 4, largest};
}

}  // namespace

void BenchCpuPeers(Session& session) {
  const auto team = std::make_shared<Team>(AllowedProcessors());
  PeerWays ways;
  ways.unit = "core";
  ways.count = team->size();
  ways.sizes = Sizes(session, ways.count);
  ways.most_pairs = 64;
  ways.symmetric = true;
  ways.path = &PathOf;
  ways.copy = [team](std::span<const Pair> pairs, std::size_t bytes) {
    return pairs.size() == 1 ? MakeHandOver(team, pairs.front(), bytes) : MakeCrowd(team, pairs, bytes);
  };
  MeasurePeers(session, ways);
  if (team->size() < 2) return;
  if (const auto met = session.Measure(
          "meeting", 1, [&](std::size_t) { return MakeMeeting(team); }, session.seconds() / 4)) {
    const Timing& timing = met->timing;
    session.Report(cost::Parameter::kCollectiveLatency, {timing.median, timing.low, timing.high}, timing.samples,
                   "all " + std::to_string(team->size()) + " threads wait for one another");
  }
}

}  // namespace cpnlint::kernels
