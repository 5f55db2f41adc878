#pragma once

// A kind of process that measures: our own worker, or the probes under the user's runtime on so many processors.

#include <functional>
#include <string>
#include <vector>

#include "runtime-kernels/calibrate.h"
#include "runtime-kernels/harness/child.h"
#include "runtime-kernels/harness/record.h"

namespace cpnlint::kernels {

struct Source {
  std::string name;  // "cpu", "cuda", "python", "runtime 2"
  std::vector<Device::Offer> offers;
  std::function<ChildRequest(int round, const std::string& benches)> command;
  double start_seconds = 0;  // until the first benchmark begins
};

// A folder of our own that goes away with it.
class TemporaryFolder {
 public:
  [[nodiscard]] static Result<TemporaryFolder> Make();
  ~TemporaryFolder();
  TemporaryFolder(TemporaryFolder&& other) noexcept;
  TemporaryFolder& operator=(TemporaryFolder&&) = delete;
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  TemporaryFolder() = default;
  std::string path_;
};

// What the user's Python and Legate can tell: a note where there is no runtime, an error where the one that was named
// cannot be used. Its version becomes the machine's note. The probes are written into `folder`.
[[nodiscard]] Result<std::vector<Source>> RuntimeSources(const Request& request, Device& device,
                                                         const std::string& folder, std::vector<std::string>& notes);

}  // namespace cpnlint::kernels
