#pragma once

// Which modules of a program are run: what a launch line can name (rules.md E.6, section 8).

#include <vector>

#include "analyzer/analysis/facts.h"
#include "rules/verdict/evidence.h"

namespace cpnlint::verdict {

class Starts {
 public:
  explicit Starts(const analysis::Facts& facts);
  [[nodiscard]] Start Of(ir::ModuleId module) const;

 private:
  const analysis::Facts& facts_;
  std::vector<bool> imported_;  // by another module of the program
  std::vector<bool> packaged_;  // it belongs to a package
};

}  // namespace cpnlint::verdict
