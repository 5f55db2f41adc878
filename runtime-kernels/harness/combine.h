#pragma once

// From what the rounds said to the numbers of a profile.

#include <span>
#include <string>
#include <vector>

#include "runtime-kernels/harness/record.h"

namespace cpnlint::kernels {

// The median of the rounds; the interval covers what they lie apart, so what changes from process to process shows.
// Where the runtime was measured, its numbers win over those of our own kernels: they are what a program gets.
[[nodiscard]] std::vector<Estimate> Combine(std::span<const Record> records);

// What takes programs on several numbers of processors: the parts of a launch.
[[nodiscard]] std::vector<Estimate> FromReadings(std::span<const Record> records);

// One of each name, of the last round.
[[nodiscard]] std::vector<cost::Curve> CurvesOf(std::span<const Record> records);

// The shipped profile that fits the machine best: for what was not measured.
struct Base {
  cost::Profile profile;
  bool same_machine = false;  // that kind of GPU: its numbers keep their provenance
};
[[nodiscard]] Result<Base> BaseFor(const Device& device);

// What cannot be told from noise stays as shipped, with a note.
[[nodiscard]] cost::Profile MakeProfile(const Base& base, const Device& device, std::span<const Record> records,
                                        std::vector<std::string>& notes);

}  // namespace cpnlint::kernels
