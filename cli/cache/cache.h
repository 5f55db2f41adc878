#pragma once

// What earlier runs found out, for a run that begins. Files that have not changed are not read (index.h), programs
// whose modules have not changed are not analysed again. What it gives is what the analysis would give, or nothing.

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/analyse.h"
#include "cli/cache/folder.h"
#include "cli/cache/index.h"
#include "cli/options.h"

namespace cpnlint::cli {

class RunCache {
 public:
  // Null where the options or the environment (CPNLINT_NO_CACHE) ask for none. An error: --cache-dir names a folder
  // that is something else.
  [[nodiscard]] static Result<std::unique_ptr<RunCache>> Open(const Options& options);

  RunCache(std::filesystem::path folder, const std::filesystem::path& here);

  [[nodiscard]] FileIndex& files() { return files_; }

  // Results from here on are those under these settings, whose configuration outlives this.
  void SetSettings(const Settings& settings);
  // For several threads. The outcomes of a program's reported files; nullopt where it has to be analysed.
  [[nodiscard]] std::optional<std::vector<Outcome>> Find(const std::vector<Input*>& program, const Linker& linker);
  // For several threads. Keeps what was found, where another run may take it over.
  void Keep(const ProgramRun& run);

  // Writes down what the run has learnt of files, and tidies up now and then.
  void Close();

  [[nodiscard]] std::size_t found() const { return found_; }
  [[nodiscard]] std::string problem() const { return folder_.problem(); }

 private:
  CacheFolder folder_;
  std::string index_stamp_;  // of what files_ was read from
  FileIndex files_;
  Hash128 settings_;
  const config::Configuration* configuration_ = nullptr;
  std::atomic<std::size_t> found_{0};
  std::atomic<bool> wrote_{false};
};

// Where the cache of this run lies: --cache-dir, CPNLINT_CACHE_DIR, else the project's.
[[nodiscard]] Result<std::filesystem::path> CacheFolderOf(const Options& options);

}  // namespace cpnlint::cli
