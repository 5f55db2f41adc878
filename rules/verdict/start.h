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
  // How many functions of the program the module's own code leads to.
  [[nodiscard]] std::size_t ReachOf(ir::ModuleId module) const;

 private:
  const analysis::Facts& facts_;
  std::vector<bool> imported_;                      // by another module of the program
  std::vector<bool> packaged_;                      // it belongs to a package
  std::vector<std::vector<ir::FunctionId>> calls_;  // by function: which ones it calls
};

}  // namespace cpnlint::verdict
