// Between nodes: `cpnlint-cuda between-nodes FILE`, once for each GPU, under the user's launcher. The processes meet
// through NCCL; MPI is not needed.

#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <thread>

#include "runtime-kernels/bench/cuda_clique.h"
#include "runtime-kernels/harness/clock.h"
#include "runtime-kernels/harness/journal.h"
#include "runtime-kernels/harness/nodes.h"

namespace cpnlint::kernels {

#if defined(CPNLINT_NCCL)
namespace {

constexpr int kPatience = 120;   // seconds for the others to start
constexpr double kSeconds = 30;  // of all measurements
constexpr int kWindow = 64;      // messages on their way, as OSU's bandwidth test has them

// What the first process asks all to do next.
struct Order {
  enum Kind : std::int64_t { kEnd, kPingPong, kStream, kEdges, kEveryone, kWithin };
  std::int64_t kind = kEnd, bytes = 0, repeats = 0;
};

// The slowest process counts, and so does one that received something wrong.
struct Verdict {
  double seconds = 0, wrong = 0;
};

char Value(int rank) { return static_cast<char>(rank % 100 + 1); }

class Fleet {
 public:
  Fleet(const Place& place, const ncclUniqueId& id) : place_(place), words_(std::make_shared<DeviceArray<double>>(8)) {
    CheckCode(ncclCommInitRank(&communicator_, place.count, id, place.rank), "NCCL");
    Check(cudaStreamCreate(&stream_));
    FindHosts();
  }
  ~Fleet() {
    cudaStreamDestroy(stream_);
    ncclCommDestroy(communicator_);
  }
  Fleet(const Fleet&) = delete;
  Fleet& operator=(const Fleet&) = delete;

  [[nodiscard]] const std::vector<std::string>& hosts() const { return hosts_; }

  // By the first process.
  Verdict Lead(const Order& order) {
    Tell(order);
    return Do(order);
  }
  // By all others, until the first says that it is over.
  void Follow() {
    for (Order order = Hear(); order.kind != Order::kEnd; order = Hear()) static_cast<void>(Do(order));
  }
  void Tell(Order order) { Share(order); }  // an empty one: it is over

 private:
  void Share(Order& order) {
    static_assert(sizeof order <= 8 * sizeof(double));
    Check(cudaMemcpy(words_->data(), &order, sizeof order, cudaMemcpyDefault));
    CheckCode(ncclBroadcast(words_->data(), words_->data(), sizeof order, ncclChar, 0, communicator_, stream_), "NCCL");
    Check(cudaStreamSynchronize(stream_));
    Check(cudaMemcpy(&order, words_->data(), sizeof order, cudaMemcpyDefault));
  }
  Order Hear() {
    Order order;
    Share(order);
    return order;
  }

  void FindHosts() {
    constexpr std::size_t kLongest = 256;
    const auto names = std::make_shared<DeviceArray<char>>(kLongest * static_cast<std::size_t>(place_.count));
    char* own = names->data() + kLongest * static_cast<std::size_t>(place_.rank);
    std::array<char, kLongest> name{};
    gethostname(name.data(), name.size() - 1);
    Check(cudaMemcpy(own, name.data(), name.size(), cudaMemcpyDefault));
    CheckCode(ncclAllGather(own, names->data(), kLongest, ncclChar, communicator_, stream_), "NCCL");
    Check(cudaStreamSynchronize(stream_));
    std::vector<char> all(names->size());
    Check(cudaMemcpy(all.data(), names->data(), all.size(), cudaMemcpyDefault));
    for (std::size_t start = 0; start < all.size(); start += kLongest) hosts_.emplace_back(all.data() + start);
  }

  // Slots of the receive buffer, one to each sender of a round.
  [[nodiscard]] std::vector<int> Senders(Round round) const {
    std::vector<int> senders;
    for (const Message& one : MessagesOf(round, hosts_)) {
      if (one.to == place_.rank) senders.push_back(one.from);
    }
    return senders;
  }

  void Exchange(Round round, std::size_t bytes, int window) {
    const std::vector<Message> messages = MessagesOf(round, hosts_);
    CheckCode(ncclGroupStart(), "NCCL");
    for (int i = 0; i < window; ++i) {
      std::size_t slot = 0;
      for (const Message& one : messages) {
        if (one.from == place_.rank) {
          CheckCode(ncclSend(sent_->data(), bytes, ncclChar, one.to, communicator_, stream_), "NCCL");
        }
        if (one.to != place_.rank) continue;
        CheckCode(ncclRecv(received_->data() + bytes * slot, bytes, ncclChar, one.from, communicator_, stream_),
                  "NCCL");
        ++slot;
      }
    }
    CheckCode(ncclGroupEnd(), "NCCL");
  }

  void Once(const Order& order) {
    const auto bytes = static_cast<std::size_t>(order.bytes);
    switch (order.kind) {
      case Order::kPingPong:
        Exchange(Round::kThere, bytes, 1);
        Exchange(Round::kBack, bytes, 1);
        break;
      case Order::kStream:
        Exchange(Round::kThere, bytes, kWindow);
        Exchange(Round::kBack, 8, 1);  // that all has come
        break;
      case Order::kEdges: Exchange(Round::kEdges, bytes, 1); break;
      case Order::kEveryone: Exchange(Round::kEveryone, bytes, 1); break;
      default: Exchange(Round::kWithin, bytes, 1); break;
    }
  }

  // Of the last round that was made of large messages.
  [[nodiscard]] static Round Checked(std::int64_t kind) {
    switch (kind) {
      case Order::kPingPong:
      case Order::kStream: return Round::kThere;
      case Order::kEdges: return Round::kEdges;
      case Order::kEveryone: return Round::kEveryone;
      default: return Round::kWithin;
    }
  }

  void MakeRoom(std::size_t bytes) {
    const std::size_t received = bytes * std::max<std::size_t>(hosts_.size(), 1);
    if (sent_ && sent_->size() >= bytes && received_->size() >= received) return;
    sent_ = std::make_shared<DeviceArray<char>>(bytes);
    received_ = std::make_shared<DeviceArray<char>>(received);
    Check(cudaMemset(sent_->data(), Value(place_.rank), bytes));
  }

  Verdict Do(const Order& order) {
    const auto bytes = static_cast<std::size_t>(order.bytes);
    MakeRoom(bytes);
    Check(cudaMemset(received_->data(), 0, received_->size()));
    Check(cudaDeviceSynchronize());
    static_cast<void>(Slowest({}));  // all are ready
    const Stopwatch watch;
    for (std::int64_t i = 0; i < order.repeats; ++i) Once(order);
    Check(cudaStreamSynchronize(stream_));
    Verdict own{watch.Seconds(), 0};
    const std::vector<int> senders = Senders(Checked(order.kind));
    for (std::size_t slot = 0; slot < senders.size(); ++slot) {
      const char value = Value(senders[slot]);
      if (received_->At(bytes * slot) != value || received_->At(bytes * (slot + 1) - 1) != value) own.wrong = 1;
    }
    return Slowest(own);
  }

  Verdict Slowest(Verdict own) {
    Check(cudaMemcpy(words_->data(), &own, sizeof own, cudaMemcpyDefault));
    CheckCode(ncclAllReduce(words_->data(), words_->data(), 2, ncclDouble, ncclMax, communicator_, stream_), "NCCL");
    Check(cudaStreamSynchronize(stream_));
    Check(cudaMemcpy(&own, words_->data(), sizeof own, cudaMemcpyDefault));
    return own;
  }

  Place place_;
  OnDevice<double> words_;
  OnDevice<char> sent_, received_;
  ncclComm_t communicator_ = nullptr;
  cudaStream_t stream_ = nullptr;
  std::vector<std::string> hosts_;
};

// `messages` of `size` bytes go one after another in a run, on which the clock of the slowest process counts.
MakeCase Rounds(Fleet& fleet, Order::Kind kind, double messages) {
  return [&fleet, kind, messages](std::size_t size) {
    const auto wrong = std::make_shared<bool>(false);
    Case one;
    one.amount = static_cast<double>(size) * (kind == Order::kStream ? messages : 1);
    one.run = [&fleet, kind, messages, size, wrong](int repeats) {
      const Verdict verdict = fleet.Lead({kind, static_cast<std::int64_t>(size), repeats});
      *wrong = verdict.wrong > 0;
      // There and back is two of the same.
      return kind == Order::kPingPong ? verdict.seconds / messages : verdict.seconds;
    };
    one.correct = [wrong] { return !*wrong; };
    return std::optional(std::move(one));
  };
}

void ReportCollective(Session& session, Fleet& fleet, double seconds) {
  const int nodes = NodesOf(fleet.hosts());
  if (static_cast<int>(fleet.hosts().size()) == nodes) {
    session.Problem("network: one process per node, so what an all-to-all takes longer on several nodes is not known");
    return;
  }
  const auto all = session.Measure("all-to-all, all nodes", 8, Rounds(fleet, Order::kEveryone, 1), seconds);
  const auto near = session.Measure("all-to-all, each node", 8, Rounds(fleet, Order::kWithin, 1), seconds);
  if (!all || !near) return;
  const double doublings = std::log2(nodes);
  const auto above = [&](double longer) { return std::max(longer, 0.0) / doublings; };
  const Timing &whole = all->timing, &part = near->timing;
  session.Report(cost::Parameter::kCollectivePerDoubling,
                 {above(whole.median - part.median), above(whole.low - part.high), above(whole.high - part.low)},
                 whole.samples,
                 "NCCL send and receive of 8 B between all against within each of " + std::to_string(nodes) + " nodes");
}

Record MeasureNetwork(Fleet& fleet, const Device& device) {
  const Backend backend = {kNetworkSource, nullptr, {}, CudaBackend().before_sample, CudaBackend().disturbed};
  Session session(backend, device, Effort::kStandard, 1, kSeconds);
  const std::string where = std::to_string(fleet.hosts().size()) + " processes on " +
                            std::to_string(NodesOf(fleet.hosts())) + " nodes, all pairs at once, by NCCL";
  const double share = kSeconds / 5;
  const auto draw = [&](const char* name, const std::vector<SweepPoint>& points) {
    if (!points.empty()) session.Draw(RateCurve(name, "B", "B/s per process", points));
  };
  const auto pings = session.Sweep("ping-pong", {8, 1 << 10, 1 << 13, 1 << 16, 1 << 19, 1 << 22},
                                   Rounds(fleet, Order::kPingPong, 2), share);
  draw("between nodes, ping-pong", pings);
  if (!pings.empty()) {
    const Timing& shortest = pings.front().timing;
    session.Report(cost::Parameter::kNetworkLatency, {shortest.median, shortest.low, shortest.high}, shortest.samples,
                   "half a ping-pong of 8 B, " + where + "; Legate's own share is not in it");
  }
  const auto streams = session.Sweep("stream", {1 << 10, 1 << 13, 1 << 16, 1 << 19, 1 << 22},
                                     Rounds(fleet, Order::kStream, kWindow), share);
  draw("between nodes, 64 messages at once", streams);
  session.ReportRate(cost::Parameter::kNetworkBandwidth, LastOf(streams, 2),
                     "64 messages of up to 4 MiB one way, per process, " + where);
  draw("between nodes, edges with the next and the one before",
       session.Sweep("edges", {1 << 10, 1 << 14, 1 << 18, 1 << 22}, Rounds(fleet, Order::kEdges, 1), share));
  draw("all-to-all over all nodes",
       session.Sweep("all-to-all", {8, 1 << 10, 1 << 14, 1 << 18}, Rounds(fleet, Order::kEveryone, 1), share));
  ReportCollective(session, fleet, share / 2);
  Record record = session.TakeRecord();
  record.source = kNetworkSource;
  record.bench = kNetworkSource;
  return record;
}

// The first makes NCCL's address and leaves it where all can read it.
ncclUniqueId Meet(const Place& place, const std::string& path) {
  ncclUniqueId id{};
  if (place.rank == 0) {
    if (access(path.c_str(), F_OK) == 0) throw CudaError("`" + path + "` is left over from another run: delete it");
    CheckCode(ncclGetUniqueId(&id), "NCCL");
    const auto written = WriteWhole(path, MeetingText(place.job, {id.internal, sizeof id.internal}));
    if (!written) throw CudaError(written.error().message);
    return id;
  }
  for (const Stopwatch watch; watch.Seconds() < kPatience;) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    const std::string bytes = MeetingBytes(place.job, text.str());
    if (bytes.size() == sizeof id.internal) {
      std::memcpy(id.internal, bytes.data(), bytes.size());
      return id;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  throw CudaError("the first process did not leave `" + path + "` within " + std::to_string(kPatience) +
                  " s: FILE must lie in a folder that all nodes share");
}

int Complain(const std::string& message) {
  std::fprintf(stderr, "cpnlint-cuda: %s\n", message.c_str());
  return 2;
}

int Measure(const Place& place, const std::string& path) {
  Device device;
  if (place.local == 0) {  // one looks at the node's GPUs, before the others work on them
    auto opened = CudaBackend().open();
    if (!opened) return Complain(opened.error().message);
    device = std::move(*opened);
  }
  int gpus = 0;
  Check(cudaGetDeviceCount(&gpus));
  if (gpus > 1 && place.local >= gpus) {
    return Complain("process " + std::to_string(place.local) + " of a node with " + std::to_string(gpus) +
                    " GPUs: start one process for each GPU");
  }
  Check(cudaSetDevice(gpus == 1 ? 0 : place.local));  // some launchers show each process its own GPU alone
  const std::string meeting = path + ".meeting";
  const ncclUniqueId id = Meet(place, meeting);
  Fleet fleet(place, id);
  if (place.rank == 0) unlink(meeting.c_str());  // all have read it: they are here
  if (const auto hosts = CheckHosts(fleet.hosts()); !hosts) {
    return place.rank == 0 ? Complain(hosts.error().message) : 2;
  }
  if (place.rank != 0) {
    fleet.Follow();
    return 0;
  }
  const Record record = MeasureNetwork(fleet, device);
  fleet.Tell({});
  if (const auto written = WriteWhole(path, ToLine(record) + "\n"); !written) return Complain(written.error().message);
  std::fprintf(stderr, "wrote %s: use it with `cpnlint calibrate --between-nodes %s`\n", path.c_str(), path.c_str());
  return 0;
}

}  // namespace

int MeasureBetweenNodes(std::span<const std::string> arguments) {
  if (arguments.size() != 1) return Complain("usage: cpnlint-cuda between-nodes FILE");
  const auto place = PlaceOf([](const char* name) { return static_cast<const char*>(std::getenv(name)); });
  if (!place) return Complain(place.error().message);
  try {
    return Measure(*place, arguments[0]);
  } catch (const std::exception& error) {
    return Complain(error.what());
  }
}

#else

int MeasureBetweenNodes(std::span<const std::string>) {
  std::fprintf(stderr, "cpnlint-cuda: this program was built without NCCL, and nothing else connects the nodes\n");
  return 2;
}

#endif

}  // namespace cpnlint::kernels
