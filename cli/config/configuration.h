#pragma once

// What configuration files, --config, the environment and the command line say together: for the run, and for each
// file.
//
// Of two places that speak of one key the later of these wins: default, the user's file (only where there is no other),
// the nearest file upwards (below it what it extends), --config, environment, command line.

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "analyzer/source/ignore.h"
#include "cli/config/keys.h"
#include "cli/options.h"
#include "rules/engine/selection.h"

namespace cpnlint::cli::config {

// What holds for one analysed file.
struct FileSettings {
  struct Override {
    std::string selector;
    int weight = 0;  // how specific it is
    rules::Severity severity = rules::Severity::kWarning;
  };
  rules::Selection selection;
  std::vector<Override> severities;
  std::vector<std::string> assume;  // of files, strongest first, without FILE in front; those of --assume are no part
  std::string identity;             // equal where everything above is
};

// The severity of a rule's findings under these settings; `own` is what the rule says.
[[nodiscard]] rules::Severity SeverityOf(const FileSettings& settings, const rules::Rule& rule, rules::Severity own);

// Whether a pattern as in .gitignore, relative to a folder, means a file or a folder around it; both are absolute.
[[nodiscard]] bool PatternMeans(const std::string& pattern, const std::string& folder, const std::string& path);

class Configuration {
 public:
  // Finds and reads the files of the run, and completes the options by what is configured. The arguments of the options
  // are paths; none: the current folder.
  [[nodiscard]] static Result<std::unique_ptr<Configuration>> Load(Options& options);

  // Finds the settings of these files, which may be governed by other configuration files than the run. Before `Of`.
  [[nodiscard]] Result<int> Prepare(const std::vector<std::string>& paths);
  // For several threads. Of a file that was not prepared: those of the run.
  [[nodiscard]] const FileSettings& Of(const std::string& path) const;

  // What of a key holds for the run, lowest first; without the default.
  [[nodiscard]] std::vector<const Setting*> PartsOf(const Key& key) const;
  // Configuration files of the run, the nearest first; none: nothing was found.
  [[nodiscard]] const std::vector<std::string>& files() const { return run_->files; }
  // Keys about the whole run that a file nearer to some analysed files has, where they have no effect.
  [[nodiscard]] const std::vector<std::string>& remarks() const { return remarks_; }

 private:
  // A configuration file with all that it extends, and what holds above every file.
  struct Group {
    std::vector<std::string> files;  // as shown, the nearest first
    Settings settings;
    // Made of the settings when they are complete:
    struct Hiding {  // an entry of per-file-ignores
      source::IgnoreFile pattern;
      bool others = false;  // `!`: the files that the pattern does not mean
      std::vector<std::string> selectors;
    };
    std::vector<Hiding> hidings;
    struct Bound {                 // an entry of assume
      source::IgnoreFile pattern;  // without one: all files
      std::string text;
    };
    std::vector<Bound> bindings;                                      // strongest first
    std::map<std::string, std::shared_ptr<const FileSettings>> made;  // by which of these two speak of a file
  };

  explicit Configuration(const Options& options);
  Result<int> ReadGiven(const Options& options);
  Result<int> ReadForced(const std::string& path, const std::string& said_by);
  Result<Group*> Nearest(const std::string& folder);
  Result<Group*> UserGroup();
  Result<Group*> ReadGroup(const std::string& path, Place place, const Value* parsed);
  void Complete(Group& group) const;
  void Apply(Options& options) const;
  [[nodiscard]] std::shared_ptr<const FileSettings> SettingsFor(Group& group, const std::string& path) const;

  std::string here_;  // the current folder
  bool isolated_ = false;
  bool preview_ = false;
  Settings given_;                                        // --config KEY=VALUE, environment, command line
  std::map<std::string, std::unique_ptr<Group>> groups_;  // by the file's absolute path; "": without a file
  std::map<std::string, Group*> nearest_;                 // by folder
  Group* forced_ = nullptr;                               // --config FILE
  Group* run_ = nullptr;
  std::shared_ptr<const FileSettings> of_run_;
  std::unordered_map<std::string, std::shared_ptr<const FileSettings>> by_path_;
  std::vector<std::string> remarks_;
};

}  // namespace cpnlint::cli::config
