#pragma once

// Measuring between nodes: processes that the user's launcher started, one to a GPU, find one another and exchange
// messages. All of it that needs no GPU.

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/base/result.h"
#include "runtime-kernels/harness/record.h"

namespace cpnlint::kernels {

// What a launcher says to each process that it starts.
struct Place {
  int rank = 0, count = 1;
  int local = 0;    // rank on its node
  std::string job;  // the same for all processes of one start; empty where the launcher does not say
};
// The value of an environment variable, or nullptr.
using Environment = std::function<const char*(const char* name)>;
// Of mpirun (Open MPI, MPICH, Intel MPI, MVAPICH), srun, or RANK, WORLD_SIZE and LOCAL_RANK. An error where there is no
// launcher, or one process alone.
[[nodiscard]] Result<Place> PlaceOf(const Environment& environment);

// The file through which the first process tells the others where to meet: the job's name, and bytes as hexadecimal
// digits.
[[nodiscard]] std::string MeetingText(const std::string& job, std::string_view bytes);
// Empty where the text is not whole yet, or of another job.
[[nodiscard]] std::string MeetingBytes(const std::string& job, std::string_view text);

// Messages of one round, by rank.
struct Message {
  int from = 0, to = 0;
  bool operator==(const Message&) const = default;
};
enum class Round { kThere, kBack, kEdges, kEveryone, kWithin };
// kThere, kBack: between each rank of the first node and its partner on the second. kEdges: each rank with the next and
// the one before. kEveryone: all ranks to all. kWithin: to those on the same node alone.
[[nodiscard]] std::vector<Message> MessagesOf(Round round, const std::vector<std::string>& hosts);
// An error where the ranks do not lie on several nodes, or not equally many on each.
[[nodiscard]] Result<int> CheckHosts(const std::vector<std::string>& hosts);
[[nodiscard]] int NodesOf(const std::vector<std::string>& hosts);

inline constexpr std::string_view kNetworkSource = "network";
// The file that such a run wrote: one line.
[[nodiscard]] Result<Record> ReadNetwork(const std::string& path);

}  // namespace cpnlint::kernels
