// All threads to all, where one receives more than the others.

#include <algorithm>
#include <cstring>

#include "runtime-kernels/bench/cpu.h"
#include "runtime-kernels/harness/skew.h"

namespace cpnlint::kernels {
namespace {

constexpr char Value(std::size_t member) { return static_cast<char>(member % 100 + 1); }

struct Parts {
  std::vector<Shared<char>> from, to;
};

// The ends of each part carry their sender's number.
bool Came(const Parts& parts, const Exchange& exchange) {
  for (int to = 0; to < exchange.count; ++to) {
    for (int from = 0; from < exchange.count; ++from) {
      const std::size_t bytes = exchange.Part(from, to);
      if (bytes == 0) continue;
      const char* part = parts.to[static_cast<std::size_t>(to)]->data() + exchange.ReceiveOffset(from, to);
      const char value = Value(static_cast<std::size_t>(from));
      if (part[0] != value || part[bytes - 1] != value) return false;
    }
  }
  return true;
}

Case MakeUneven(const std::shared_ptr<Team>& team, const Exchange& exchange) {
  const auto parts = std::make_shared<Parts>();
  std::size_t most = 0;
  for (int member = 0; member < exchange.count; ++member) {
    const std::size_t sent = exchange.Sent(member), received = exchange.Received(member);
    most = std::max(most, received);
    parts->from.push_back(std::make_shared<Array<char>>(sent));
    parts->to.push_back(std::make_shared<Array<char>>(std::max<std::size_t>(received, 1)));
    std::memset(parts->from.back()->data(), Value(parts->from.size() - 1), sent);
  }
  Case one;
  one.amount = static_cast<double>(most);
  one.run = [=](int repeats) {
    return team->RunRounds(repeats, [&](int to, int) {
      for (int from = 0; from < exchange.count; ++from) {
        std::memcpy(parts->to[static_cast<std::size_t>(to)]->data() + exchange.ReceiveOffset(from, to),
                    parts->from[static_cast<std::size_t>(from)]->data() + exchange.SendOffset(from, to),
                    exchange.Part(from, to));
      }
    });
  };
  one.correct = [=] { return Came(*parts, exchange); };
  return one;
}

}  // namespace

void BenchCpuSkew(Session& session) {
  const auto team = std::make_shared<Team>(AllowedProcessors());
  std::size_t sent = LargestArray(session) / 4;
  while (static_cast<double>(sent) * 64 * team->size() > session.device().host_memory && sent > 1 << 20) sent /= 2;
  MeasureSkew(session,
              {"core", team->size(), sent, [team](const Exchange& exchange) { return MakeUneven(team, exchange); }});
}

}  // namespace cpnlint::kernels
