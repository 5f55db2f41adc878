#pragma once

// One program through the pipeline: its modules parsed and lowered, facts, rules.

#include <condition_variable>
#include <mutex>
#include <string>
#include <vector>

#include "analyzer/ir/program.h"
#include "analyzer/syntax/parse.h"
#include "cli/config/configuration.h"
#include "cli/page.h"
#include "cli/pricing.h"
#include "cli/program.h"
#include "cli/report/document.h"
#include "cli/sources.h"
#include "cli/unmet.h"
#include "rules/engine/rule.h"
#include "rules/engine/selection.h"

namespace cpnlint::cli {

struct Settings {
  rules::Target target;
  rules::Selection selection;
  rules::Confidence min_confidence = rules::Confidence::kLikely;
  std::vector<std::string> assume;
  std::optional<CostSettings> cost;  // nullopt: nothing is priced
  bool predict = false;
  std::optional<PageSettings> page;              // nullopt: no HTML page is asked for
  const config::Configuration* files = nullptr;  // what holds for single files; null: the above for all of them
  std::vector<EntryPoint> entry_points;
};

struct Outcome {
  report::File file;
  std::vector<std::string> assumed;  // assumptions about what its program has
  std::vector<Unmet> unmet;          // of --assume and the configuration, those about nothing of it
  std::string trouble;               // a message for standard error: not readable, or our bug; the exit code is then 2
  report::Timing timing;
};

// Files may be parsed by several threads at once; each is lowered when all before it are, and whoever lowers the last
// one concludes. Never throws: a bug of ours becomes a note and a message.
class ProgramRun {
 public:
  // The inputs have texts, in the order of their paths, and outlive this. `kept`: for a cache, which asks for
  // lookups().
  ProgramRun(std::vector<Input*> inputs, const Linker& linker, const Settings& settings, bool kept = false);

  [[nodiscard]] std::size_t size() const { return inputs_.size(); }
  // Call it once for each position; of two calls the one for the lower position has to start first. True from the one
  // that concluded the program.
  bool Read(std::size_t position);
  // One for each input that is reported, and for modules besides that the verdict counts, in their order.
  [[nodiscard]] std::vector<Outcome> TakeOutcomes();

  // Once it is concluded, and until the outcomes are taken: its modules, the outcomes of the reported ones, and what
  // import statements were found to mean.
  [[nodiscard]] const std::vector<Input*>& inputs() const { return inputs_; }
  [[nodiscard]] std::vector<const Outcome*> outcomes() const;
  [[nodiscard]] const std::vector<Lookup>& lookups() const { return lookups_; }

 private:
  void LowerModule(std::size_t position, const syntax::Tree& tree);
  [[nodiscard]] bool IsLarge() const;  // its texts wait on disk between lowering and report
  void Finish();
  void Conclude();
  [[nodiscard]] bool TellsOfAssumptions() const;
  void AddCalled(const std::vector<bool>& called, std::vector<ir::ModuleId>& judged,
                 std::vector<std::size_t>& positions) const;
  [[nodiscard]] bool IsTold(std::size_t position) const;
  void AddPage(const analysis::Facts& facts, const std::vector<ir::ModuleId>& reported,
               const std::vector<std::size_t>& positions);
  [[nodiscard]] const config::FileSettings* FileSettingsOf(std::size_t position) const;
  void AddConfigured();
  void StartOver(const std::string& why);
  void GiveUp(const std::string& why);
  void Release();

  std::vector<Input*> inputs_;
  const Linker& linker_;
  const Settings& settings_;
  bool kept_;
  bool started_over_ = false;
  std::vector<Outcome> outcomes_;
  ir::Program program_;
  std::vector<LoweredModule> modules_;
  std::vector<Lookup> lookups_;
  Sources sources_;
  std::size_t text_size_ = 0;  // of all modules
  std::mutex mutex_;           // guards all that follows, program_, modules_ and sources_
  std::condition_variable turn_changed_;
  std::size_t turn_ = 0;
  std::string failure_;  // our bug in lowering: the program cannot be used
};

// "src/pkg/solver.py" -> "pkg.solver"
[[nodiscard]] std::string ModuleName(const std::string& path);

// Bindings of --assume hold for the whole file, as pragmas on its first line would.
void AddAssumptions(ir::Module& module, const std::vector<std::string>& assume);

}  // namespace cpnlint::cli
