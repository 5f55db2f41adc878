#include "runtime-kernels/harness/nodes.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <map>
#include <optional>

namespace cpnlint::kernels {
namespace {

// How a family of launchers calls the same things.
struct Names {
  const char *rank, *count, *local;
};
// A launcher within a batch job is nearer than the batch system, whose variables are there as well.
constexpr Names kLaunchers[] = {
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK"},
    {"MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE", "MV2_COMM_WORLD_LOCAL_RANK"},
    {"PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID"},
    {"SLURM_PROCID", "SLURM_NTASKS", "SLURM_LOCALID"},
    {"RANK", "WORLD_SIZE", "LOCAL_RANK"},
};
constexpr const char* kJobs[] = {"PMIX_NAMESPACE", "OMPI_MCA_ess_base_jobid", "PMI_JOBID", "SLURM_JOB_ID"};

std::optional<int> NumberOf(const Environment& environment, const char* name) {
  const char* text = environment(name);
  if (text == nullptr) return std::nullopt;
  const std::string_view digits(text);
  int number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc() || end != digits.data() + digits.size() || number < 0) return std::nullopt;
  return number;
}

std::string JobOf(const Environment& environment) {
  for (const char* name : kJobs) {
    const char* value = environment(name);
    if (value == nullptr) continue;
    const char* step = environment("SLURM_STEP_ID");
    std::string job = std::string(value) + (step == nullptr ? "" : "." + std::string(step));
    std::ranges::replace_if(
        job, [](char c) { return c == ' ' || c == '\n'; }, '_');
    return job;
  }
  return {};
}

int Digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

// Ranks by node, nodes in order of their first rank.
std::vector<std::vector<int>> RanksByNode(const std::vector<std::string>& hosts) {
  std::vector<std::vector<int>> nodes;
  std::map<std::string, std::size_t> numbers;
  for (std::size_t rank = 0; rank < hosts.size(); ++rank) {
    const auto [at, fresh] = numbers.try_emplace(hosts[rank], nodes.size());
    if (fresh) nodes.emplace_back();
    nodes[at->second].push_back(static_cast<int>(rank));
  }
  return nodes;
}

std::vector<Message> Partners(const std::vector<std::string>& hosts, bool back) {
  std::vector<Message> messages;
  const auto nodes = RanksByNode(hosts);
  if (nodes.size() < 2) return messages;
  for (std::size_t i = 0; i < std::min(nodes[0].size(), nodes[1].size()); ++i) {
    messages.push_back(back ? Message{nodes[1][i], nodes[0][i]} : Message{nodes[0][i], nodes[1][i]});
  }
  return messages;
}

}  // namespace

Result<Place> PlaceOf(const Environment& environment) {
  for (const Names& names : kLaunchers) {
    const auto rank = NumberOf(environment, names.rank), count = NumberOf(environment, names.count);
    if (!rank || !count) continue;
    if (*count < 2) return Fail("one process alone has nobody on another node: start one for each GPU of two nodes");
    if (*rank >= *count) {
      return Fail(std::string(names.rank) + " is " + std::to_string(*rank) + ", and there are " +
                  std::to_string(*count) + " processes");
    }
    return Place{*rank, *count, NumberOf(environment, names.local).value_or(0), JobOf(environment)};
  }
  return Fail(
      "no launcher started this: start it with srun or mpirun, one process for each GPU of two nodes, for instance "
      "`srun --nodes 2 --ntasks-per-node 4 cpnlint-cuda between-nodes network.json`");
}

std::string MeetingText(const std::string& job, std::string_view bytes) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text = job + " ";
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text + "\n";
}

std::string MeetingBytes(const std::string& job, std::string_view text) {
  if (!text.starts_with(job + " ") || !text.ends_with('\n')) return {};
  const std::string_view digits = text.substr(job.size() + 1, text.size() - job.size() - 2);
  if (digits.size() % 2 != 0) return {};
  std::string bytes;
  for (std::size_t i = 0; i < digits.size(); i += 2) {
    const int high = Digit(digits[i]), low = Digit(digits[i + 1]);
    if (high < 0 || low < 0) return {};
    bytes += static_cast<char>(high * 16 + low);
  }
  return bytes;
}

std::vector<Message> MessagesOf(Round round, const std::vector<std::string>& hosts) {
  if (round == Round::kThere || round == Round::kBack) return Partners(hosts, round == Round::kBack);
  std::vector<Message> messages;
  const int count = static_cast<int>(hosts.size());
  for (int from = 0; from < count; ++from) {
    for (int to = 0; to < count; ++to) {
      const bool near = from - to == 1 || to - from == 1;
      const bool same = hosts[static_cast<std::size_t>(from)] == hosts[static_cast<std::size_t>(to)];
      if (from == to || (round == Round::kEdges && !near) || (round == Round::kWithin && !same)) continue;
      messages.push_back({from, to});
    }
  }
  return messages;
}

Result<int> CheckHosts(const std::vector<std::string>& hosts) {
  const auto nodes = RanksByNode(hosts);
  if (nodes.size() < 2) {
    return Fail("all " + std::to_string(hosts.size()) + " processes run on `" + (hosts.empty() ? "" : hosts.front()) +
                "`: start them on two nodes");
  }
  for (const auto& ranks : nodes) {
    if (ranks.size() == nodes.front().size()) continue;
    return Fail("`" + hosts[static_cast<std::size_t>(nodes.front().front())] + "` has " +
                std::to_string(nodes.front().size()) + " processes and `" +
                hosts[static_cast<std::size_t>(ranks.front())] + "` has " + std::to_string(ranks.size()) +
                ": start equally many on each node");
  }
  return 0;
}

int NodesOf(const std::vector<std::string>& hosts) { return static_cast<int>(RanksByNode(hosts).size()); }

Result<Record> ReadNetwork(const std::string& path) {
  std::ifstream file(path);
  if (!file) return Fail("cannot read `" + path + "`");
  std::string line;
  std::getline(file, line);
  auto record = FromLine(line);
  if (!record || record->source != kNetworkSource) {
    return Fail("`" + path + "` is not what `cpnlint-cuda between-nodes` writes" +
                (record ? std::string() : " (" + record.error().message + ")"));
  }
  return record;
}

}  // namespace cpnlint::kernels
