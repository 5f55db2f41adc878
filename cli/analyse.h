#pragma once

// One file through the whole pipeline: read, parse, lower, facts, rules.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analyzer/source/file.h"
#include "cli/report/document.h"
#include "rules/engine/rule.h"
#include "rules/engine/selection.h"

namespace cpnlint::cli {

struct Settings {
  rules::Target target;
  rules::Selection selection;
  rules::Confidence min_confidence = rules::Confidence::kLikely;
  std::vector<std::string> assume;
};

struct Outcome {
  report::File file;
  std::string trouble;  // a message for standard error: not readable, or our bug; the exit code is then 2
  report::Timing timing;
};

// Reads the file and analyses it. Never throws: a bug of ours becomes a note and a message.
[[nodiscard]] Outcome AnalyseFile(const std::string& path, const Settings& settings);
// The same for text from elsewhere.
[[nodiscard]] Outcome AnalyseLoaded(const std::string& path, source::LoadOutcome loaded, const Settings& settings);

// Whether some array library is in the file's reach; others are skipped without being parsed.
[[nodiscard]] bool MayUseArrays(std::string_view text);

// "src/pkg/solver.py" -> "pkg.solver"
[[nodiscard]] std::string ModuleName(const std::string& path);

// Bindings of --assume hold for the whole file, as pragmas on its first line would.
void AddAssumptions(ir::Module& module, const std::vector<std::string>& assume);

[[nodiscard]] report::Place PlaceOf(const source::SourceFile& source, Span span);

}  // namespace cpnlint::cli
