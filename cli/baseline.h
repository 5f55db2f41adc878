#pragma once

// A list of findings that are known and not to be shown: what a team starts with. It holds no line numbers; an entry is
// found again by rule, function and the words of the finding, so moved, reformatted and renamed code stays known
// (docs/adopting.md tells how).

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/base/result.h"
#include "cli/options.h"
#include "cli/report/document.h"

namespace cpnlint::cli {

// Places of findings of one rule in one function of one file that have the same words. A merged finding has several
// places, each for itself.
struct BaselineEntry {
  std::string path;  // relative to the baseline's folder
  std::string rule;  // code
  std::string function;
  std::string code;  // the words, as report::PlainCode writes them; cut where they are long
  std::string hash;  // of all words
  std::string confidence;
  std::size_t count = 0;
};

struct Baseline {
  std::string file;
  std::vector<std::string> over;       // the paths that it was made of, relative to its folder
  std::vector<BaselineEntry> entries;  // sorted
};

[[nodiscard]] Result<Baseline> ReadBaseline(const std::string& file);
// Whether a file that begins so was a baseline once: it may be cut off, or hold a merge conflict.
[[nodiscard]] bool LooksLikeBaseline(std::string_view begin);
[[nodiscard]] std::string BaselineText(const Baseline& baseline);
// Of everything that the document shows.
[[nodiscard]] Baseline MakeBaseline(const report::Document& document, const Options& options, const std::string& file);

// Whether the run shows a rule in a file of that path.
using Selects = std::function<bool(const rules::Rule&, const std::string& path)>;

struct Compared {
  std::vector<report::KeptPlaces> fresh;  // by file: the places that are not listed
  // The baseline as it ought to be now: without stale entries, moved ones where they are now.
  Baseline pruned;
  // Entries that match nothing any more, with how many of their `count` that is.
  std::vector<BaselineEntry> stale;
};
// An entry is stale only where the run would have found it: it reads all that the baseline was made of; the file was
// analysed as a whole, or is gone from below a folder that was named; the rule was selected.
[[nodiscard]] Compared Compare(const report::Document& document, const Baseline& baseline, const Options& options,
                               const Selects& selects);

}  // namespace cpnlint::cli
