#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <map>

#include <catch2/catch.hpp>

#include "runtime-kernels/harness/nodes.h"

using namespace cpnlint;
using namespace cpnlint::kernels;

namespace {

Result<Place> Started(const std::map<std::string, std::string>& variables) {
  return PlaceOf([&](const char* name) {
    const auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second.c_str();
  });
}

const std::vector<std::string> kTwoByTwo = {"a", "a", "b", "b"};

}  // namespace

TEST_CASE("nodes: a process learns its place from the launcher") {
  const auto slurm = Started({{"SLURM_PROCID", "5"},
                              {"SLURM_NTASKS", "8"},
                              {"SLURM_LOCALID", "1"},
                              {"SLURM_JOB_ID", "77"},
                              {"SLURM_STEP_ID", "2"}});
  REQUIRE(slurm);
  CHECK(slurm->rank == 5);
  CHECK(slurm->count == 8);
  CHECK(slurm->local == 1);
  CHECK(slurm->job == "77.2");
  // mpirun within a batch job: the job's own variables say rank 0 to everybody.
  const auto open_mpi = Started({{"OMPI_COMM_WORLD_RANK", "3"},
                                 {"OMPI_COMM_WORLD_SIZE", "4"},
                                 {"OMPI_COMM_WORLD_LOCAL_RANK", "1"},
                                 {"SLURM_PROCID", "0"},
                                 {"SLURM_NTASKS", "2"}});
  REQUIRE(open_mpi);
  CHECK(open_mpi->rank == 3);
  CHECK(open_mpi->job.empty());
  CHECK(Started({{"PMI_RANK", "1"}, {"PMI_SIZE", "2"}, {"MPI_LOCALRANKID", "0"}})->rank == 1);
  CHECK(Started({{"RANK", "1"}, {"WORLD_SIZE", "2"}})->local == 0);
}

TEST_CASE("nodes: no launcher, one process, or nonsense is an error") {
  CHECK(Started({}).error().message.find("srun") != std::string::npos);
  CHECK(Started({{"RANK", "0"}, {"WORLD_SIZE", "1"}}).error().message.find("one process alone") != std::string::npos);
  CHECK(Started({{"RANK", "2"}, {"WORLD_SIZE", "2"}}).error().message.find("RANK is 2") != std::string::npos);
  CHECK_FALSE(Started({{"RANK", "first"}, {"WORLD_SIZE", "2"}}));
  CHECK_FALSE(Started({{"RANK", "-1"}, {"WORLD_SIZE", "2"}}));
}

TEST_CASE("nodes: the meeting file") {
  const std::string bytes("\x00\x7f\xff\n x", 6);
  CHECK(MeetingBytes("77.2", MeetingText("77.2", bytes)) == bytes);
  CHECK(MeetingBytes("", MeetingText("", bytes)) == bytes);
  CHECK(MeetingBytes("78.0", MeetingText("77.2", bytes)).empty());  // left over from another start
  const std::string text = MeetingText("j", bytes);
  for (std::size_t cut = 0; cut < text.size(); ++cut) CHECK(MeetingBytes("j", text.substr(0, cut)).empty());
  CHECK(MeetingBytes("j", "j 0g\n").empty());
}

TEST_CASE("nodes: partners, edges and all") {
  CHECK(MessagesOf(Round::kThere, kTwoByTwo) == std::vector<Message>{{0, 2}, {1, 3}});
  CHECK(MessagesOf(Round::kBack, kTwoByTwo) == std::vector<Message>{{2, 0}, {3, 1}});
  // Ranks dealt out to the nodes in turn.
  CHECK(MessagesOf(Round::kThere, {"a", "b", "a", "b"}) == std::vector<Message>{{0, 1}, {2, 3}});
  CHECK(MessagesOf(Round::kEdges, kTwoByTwo).size() == 6);
  CHECK(MessagesOf(Round::kEveryone, kTwoByTwo).size() == 12);
  CHECK(MessagesOf(Round::kWithin, kTwoByTwo) == std::vector<Message>{{0, 1}, {1, 0}, {2, 3}, {3, 2}});
  CHECK(MessagesOf(Round::kThere, {"a", "a"}).empty());
}

TEST_CASE("nodes: several, with equally many processes") {
  CHECK(CheckHosts(kTwoByTwo));
  CHECK(NodesOf(kTwoByTwo) == 2);
  CHECK(CheckHosts({"a", "a"}).error().message.find("all 2 processes run on `a`") != std::string::npos);
  CHECK(CheckHosts({"a", "a", "b"}).error().message.find("`a` has 2 processes and `b` has 1") != std::string::npos);
}

TEST_CASE("nodes: what was measured is read again") {
  std::string path = (std::string(P_tmpdir) + "/cpnlint-unit-XXXXXX");
  const int handle = mkstemp(path.data());
  REQUIRE(handle >= 0);
  close(handle);
  const auto write = [&](const std::string& text) { std::ofstream(path) << text; };
  Record record;
  record.source = kNetworkSource;
  record.bench = "network";
  record.estimates.push_back({cost::Parameter::kNetworkLatency, 4e-6, 3e-6, 5e-6, 9, "ping-pong"});
  write(ToLine(record) + "\n");
  REQUIRE(ReadNetwork(path));
  CHECK(ReadNetwork(path)->estimates.at(0).value == 4e-6);
  record.source = "cpu";
  write(ToLine(record) + "\n");
  CHECK(ReadNetwork(path).error().message.find("is not what") != std::string::npos);
  write("{\"name\": \"a profile\"}");
  CHECK_FALSE(ReadNetwork(path));
  unlink(path.c_str());
  CHECK(ReadNetwork(path).error().message.find("cannot read") != std::string::npos);
}
