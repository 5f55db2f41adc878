#pragma once

// What a benchmark has to say, and the line of JSON in which a worker process (ours, or a probe in Python under the
// user's runtime) says it.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/base/result.h"
#include "cost-model/profile.h"

namespace cpnlint::kernels {

struct Estimate {
  cost::Parameter parameter{};
  double value = 0, low = 0, high = 0;  // 95 %
  std::uint32_t samples = 0;
  std::string method;  // "add, 64 MiB to 512 MiB per array, 1 thread"
};

// A timing that is not a parameter by itself: several of them, from programs on several numbers of processors, make
// one.
struct Reading {
  std::string name;  // "operation aligned"
  int processors = 1;
  double value = 0, low = 0, high = 0;
  std::uint32_t samples = 0;
};

// All that one benchmark gave in one round.
struct Record {
  std::string source;  // "cpu", "cuda", "runtime 2"
  std::string bench;
  int round = 0;
  double seconds = 0;
  std::vector<Estimate> estimates;
  std::vector<Reading> readings;
  std::vector<cost::Curve> curves;
  std::vector<std::string> problems;
};

// One line, without its end.
[[nodiscard]] std::string ToLine(const Record& record);
[[nodiscard]] Result<Record> FromLine(std::string_view line);

// The machine, as a worker's first line says it.
struct Device {
  cost::Machine machine;
  double memory = 0;       // bytes of one processor
  double host_memory = 0;  // bytes of the host
  double cache = 0;        // bytes of the last cache; 0 unknown
  std::vector<std::string> notes;
  // What can be measured here: name, words for the progress line, seconds that it takes.
  struct Offer {
    std::string bench, words;
    double seconds = 0;
  };
  std::vector<Offer> offers;
};
[[nodiscard]] std::string ToLine(const Device& device);
[[nodiscard]] Result<Device> DeviceFromLine(std::string_view line);

// {"refused": "..."}: why nothing can be measured here.
[[nodiscard]] std::string RefusalLine(std::string_view reason);
[[nodiscard]] std::string RefusalOf(std::string_view line);  // empty where it is none

// {"begin": "stream"}: what is being measured now.
[[nodiscard]] std::string BeginLine(std::string_view bench);
[[nodiscard]] std::string BeginOf(std::string_view line);  // empty where it is none

[[nodiscard]] const cost::ParameterInfo& InfoOf(cost::Parameter parameter);

}  // namespace cpnlint::kernels
