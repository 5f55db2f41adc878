#pragma once

// Which lines changed since a commit, as git tells (docs/adopting.md says what counts as changed).

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/base/result.h"
#include "cli/report/document.h"

namespace cpnlint::cli {

// Of one file: lines of the file as it is now, both ends included, ascending.
struct ChangedLines {
  bool all = false;  // new, not tracked, or nothing that git compares by lines
  std::vector<std::pair<std::uint32_t, std::uint32_t>> ranges;
  std::vector<std::uint32_t> gaps;  // behind these lines others were taken out

  [[nodiscard]] bool Touch(std::uint32_t first, std::uint32_t last) const;
};

// What a unified diff without context (`git diff --unified=0`) says of the new side's lines, by path. Lines that were
// taken out touch what stands on both sides of them: a statement or a loop that they were a part of.
[[nodiscard]] std::map<std::string, ChangedLines> ReadDiff(const std::string& diff);

class Differences {
 public:
  // Between the working tree and where this branch left `ref`. `path`: some file of the run, whose repository counts
  // where the current folder is in none.
  [[nodiscard]] static Result<Differences> Since(const std::string& ref, const std::string& path);

  [[nodiscard]] const ChangedLines& Of(const std::string& path) const;

 private:
  std::string top_;  // of the working tree, links resolved
  std::map<std::string, ChangedLines> changed_;
  ChangedLines all_;
  mutable std::map<std::string, const ChangedLines*> asked_;  // by path as asked for
};

// Of a finding's own place and its further ones, those on a changed line; all of them where what brings it about is on
// one.
[[nodiscard]] std::vector<bool> ChangedPlaces(const Differences& differences, const report::File& file,
                                              const report::Finding& finding);

}  // namespace cpnlint::cli
