#pragma once

// What the command line and the configuration say of the program and that is about nothing in it.

#include <vector>

#include "cli/analyse.h"
#include "cli/config/configuration.h"
#include "cli/options.h"
#include "cli/report/document.h"

namespace cpnlint::cli {

// Complains of rules that are selected by name and not shown, since they are in preview.
void TellPreview(const Options& options, const config::Configuration& configuration);

// False, and a complaint, where an assumption of the command line is about nothing in the analysed files.
[[nodiscard]] bool AssumptionsAreMet(const std::vector<Outcome>& outcomes, const Options& options);

// Notes for what the configuration assumes, and for entry points. A run that reads a part of the project says nothing
// of names that may be in the rest.
[[nodiscard]] std::vector<report::Note> UnmatchedConfiguration(const std::vector<Outcome>& outcomes,
                                                               const Options& options,
                                                               const config::Configuration& configuration);

}  // namespace cpnlint::cli
