#pragma once

// `cpnlint calibrate`: measures this machine and makes a machine profile of it. The benchmarks run in processes of
// their own, so that one that dies costs itself alone, and rounds do not share a process's luck with its memory.

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "analyzer/base/result.h"
#include "cost-model/profile.h"

namespace cpnlint::kernels {

enum class Effort : std::uint8_t { kQuick, kStandard, kFull };
enum class BackendChoice : std::uint8_t { kAuto, kCpu, kCuda };

struct Request {
  Effort effort = Effort::kQuick;
  BackendChoice backend = BackendChoice::kAuto;
  std::string runtime;           // the user's Python or its `legate`; empty: `legate` on PATH, if there
  bool without_runtime = false;  // measure the machine alone
  std::string network;           // file of `cpnlint-cuda between-nodes`; empty: nothing between nodes is measured
  std::string name;              // of the profile; empty: made of the processor's
  std::string output;            // empty: NAME.json
  bool resume = false;
};

struct Progress {
  std::string words;  // "memory bandwidth"
  double done = 0;    // share of all
  double left = 0;    // seconds
};

struct Outcome {
  cost::Profile profile;
  std::string path;                // of the file
  std::string base;                // the shipped profile that the rest is from
  std::vector<std::string> notes;  // what went wrong or should be known
  bool interrupted = false;
  std::string partial;  // interrupted: what is kept for --resume; empty where nothing was measured
};
[[nodiscard]] Result<Outcome> Calibrate(const Request& request,
                                        const std::function<void(const Progress&)>& on_progress);

[[nodiscard]] std::string SummaryOf(const Outcome& outcome);
// The curves of a profile as one drawing, SVG.
[[nodiscard]] std::string DrawCurves(const cost::Profile& profile);

// What the processes that Calibrate starts from this program run.
[[nodiscard]] int RunCpuWorker(std::span<const std::string> arguments);

}  // namespace cpnlint::kernels
