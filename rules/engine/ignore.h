#pragma once

// `# cpnlint: ignore[R104] reason`, `ignore-file[R1]`, `# noqa: R104`: which findings they hide, and what is odd about
// them.

#include <vector>

#include "analyzer/ir/program.h"
#include "rules/engine/finding.h"
#include "rules/engine/selection.h"

namespace cpnlint::rules {

struct Note;

class IgnoreMarks {
 public:
  explicit IgnoreMarks(const ir::Module& module);

  // Every finding before root causes: a code that hits one of them has an effect.
  void MarkUsed(const std::vector<Finding>& found);
  [[nodiscard]] bool Ignores(const Finding& finding) const;
  // unused-ignore and ignore-without-reason. A code is unused only where every rule that it means was run. `noqa` is
  // other tools' as well, and what their codes are for is none of our business.
  void AddNotes(const Selection& selection, std::vector<Note>& notes) const;

 private:
  struct Mark {
    const ir::Pragma* pragma = nullptr;
    std::vector<bool> used;  // parallel to its codes
  };
  std::vector<Mark> marks_;
};

}  // namespace cpnlint::rules
