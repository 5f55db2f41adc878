#pragma once

// Numbers of the device that a call needs on the host: shapes, shifts, spacings (api::WaitWhen::kHostNumber).

#include <cstddef>
#include <string_view>

#include "analyzer/analysis/facts.h"
#include "analyzer/api/api.h"

namespace cpnlint::analysis {

struct HostNumber {
  ir::ValueId number;  // None(): the call fetches none
  std::size_t position =
      0;  // of the argument that it is, or that holds it: `np.zeros((n, 3))`; a receiver counts as one
  std::string_view parameter;  // its name, with the star of one that takes several

  explicit operator bool() const { return number.valid(); }
};

// The first argument of the call for one of the wait's parameters that is on the device and made on each pass of the
// hot loop around the call. What is done before the first pass is there for all of them, and nobody waits for it.
[[nodiscard]] HostNumber FindHostNumber(const Facts& facts, ir::ValueId call, const api::Entry& row,
                                        const api::Wait& wait);

}  // namespace cpnlint::analysis
