#pragma once

// Limits to figures of the whole run, and the ratchet: a file of figures that may only get better. docs/adopting.md
// defines the figures.

#include <optional>
#include <string>
#include <vector>

#include "analyzer/base/result.h"
#include "cli/options.h"
#include "cli/report/document.h"

namespace cpnlint::cli {

// One figure of a run, with its worst places in words, the worst first.
struct Figure {
  double value = 0;
  bool at_least = false;
  std::vector<std::string> worst;
};

struct Figures {
  Figure blocks;                   // blocking units of all programs
  Figure waits;                    // of the hot loop that has most of them
  std::optional<Figure> coverage;  // per cent; nullopt where no name of NumPy is called
};
[[nodiscard]] Figures FiguresOf(const report::Document& document);

// Holds the figures against the limits that are set and against the ratchet, which --prune takes forward. An error: the
// ratchet cannot be read or written.
[[nodiscard]] Result<std::vector<report::Budget>> JudgeBudgets(const report::Document& document,
                                                               const Options& options);

}  // namespace cpnlint::cli
