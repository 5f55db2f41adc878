#pragma once

// What the HTML page shows of a program beyond its findings (cli/report/page_data.h).

#include <memory>
#include <string>
#include <vector>

#include "cli/pricing.h"
#include "cli/report/page_data.h"
#include "cli/sources.h"

namespace cpnlint::cli {

struct PageSettings {
  struct Machine {
    cost::Profile profile;
    std::string argument;  // of --profile
  };
  std::vector<Machine> machines;       // the one that was asked for, then those that most have
  std::vector<std::string> arguments;  // of the command line, for the commands that the page shows
  std::size_t run_bytes = 0;           // text of the whole run: the more, the fewer positions have the sliders
};

// The lives of a program's arrays, as its work tells them.
class ArrayLives {
 public:
  ArrayLives(const analysis::Facts& facts, const CostSettings& settings, const Sources& sources);

  [[nodiscard]] std::vector<report::PageArray> In(ir::ModuleId module) const;

 private:
  struct Life {
    ir::ModuleId module;
    bool one_number = false;
    bool named = false;
    report::PageArray array;
  };
  std::vector<Life> lives_;
};

[[nodiscard]] std::shared_ptr<report::PageFile> PageFileOf(const ir::Program& program, ir::ModuleId module,
                                                           const source::SourceFile& source, const Sources& sources,
                                                           const ArrayLives& lives);

// The machines that the page offers.
[[nodiscard]] std::vector<PageSettings::Machine> PageMachines(const CostSettings& settings);

// Null where there is nothing to predict. `program` is changed in between and is what it was afterwards.
[[nodiscard]] std::shared_ptr<report::PageModel> PageModelOf(ir::Program& program, const CostSettings& settings,
                                                             const PageSettings& page, const Sources& sources);

}  // namespace cpnlint::cli
