#pragma once

// Worker processes: a line at a time from their standard output, and an end for them when the user has had enough.

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/base/result.h"

namespace cpnlint::kernels {

// While one lives, Ctrl-C and a polite kill only set a flag.
class Interruption {
 public:
  Interruption();
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

  [[nodiscard]] static bool Asked();
};

struct Ending {
  int code = 0;  // exit status; 128 + the signal that ended it
  bool interrupted = false, late = false, stopped = false;
  std::string last_words;  // what it wrote to standard error last
};

struct ChildRequest {
  std::vector<std::string> command;
  std::vector<std::string> environment;  // "NAME=value", beside ours
  double seconds = 0;                    // allowed in all; 0: as long as it takes
};

// Runs it to its end. `on_line` may say false: no more is wanted. `on_tick` is called about five times a second.
[[nodiscard]] Result<Ending> RunChild(const ChildRequest& request, const std::function<bool(std::string_view)>& on_line,
                                      const std::function<void()>& on_tick);

// The file on PATH that a command's name means; empty where there is none.
[[nodiscard]] std::string FindOnPath(const std::string& name);

// This program's own file.
[[nodiscard]] std::string OwnProgram();

}  // namespace cpnlint::kernels
