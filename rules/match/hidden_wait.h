#pragma once

// Calls inside of which the host waits for the device. The data is the API table; here is only how to test when.

#include "rules/match/device_call.h"

namespace cpnlint::rules::match {

struct HiddenWait {
  const api::Wait* wait = nullptr;  // null: this call does not wait, or it is not known to
  Span argument;                    // the argument that makes it wait; empty where none does
  ir::ValueId value;                // ... and what it is
  bool on_device = false;           // that argument is a device array
  analysis::EvidenceSet evidence = 0;

  explicit operator bool() const { return wait != nullptr; }
};

// The first wait of the row that belongs to the rule and that the call, as it is written, comes to.
[[nodiscard]] HiddenWait FindHiddenWait(const analysis::Facts& facts, const DeviceCall& call, const api::Entry& row,
                                        int rule, int processors);

}  // namespace cpnlint::rules::match
