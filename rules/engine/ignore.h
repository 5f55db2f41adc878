#pragma once

// `# cpnlint: ignore[R104] reason`, `ignore-file[R1]`, `# noqa: R104`: which findings they hide, and what is odd about
// them.

#include <vector>

#include "analyzer/ir/program.h"
#include "rules/engine/finding.h"

namespace cpnlint::rules {

struct Note;

class IgnoreMarks {
 public:
  explicit IgnoreMarks(const ir::Module& module);

  // Every finding before root causes: a mark that hits one of them has an effect.
  void MarkUsed(const std::vector<Finding>& found);
  [[nodiscard]] bool Ignores(const Finding& finding) const;
  // unused-ignore and ignore-without-reason. Marks for other tools (`noqa: E501`) are none of our business.
  void AddNotes(std::vector<Note>& notes) const;

 private:
  struct Mark {
    const ir::Pragma* pragma = nullptr;
    bool used = false;
  };
  std::vector<Mark> marks_;
};

}  // namespace cpnlint::rules
