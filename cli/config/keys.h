#pragma once

// The one table of what can be configured: it is what files are checked against, what the schema, `config show`,
// `config explain` and docs/configuration.md are made of, and how a value gets into the options of a run.

#include <span>
#include <string>
#include <vector>

#include "cli/config/value.h"
#include "cli/options.h"

namespace cpnlint::cli::config {

// Where a value comes from, later ones before earlier ones.
enum class Place : std::uint8_t { kDefault, kUserFile, kFile, kInline, kEnvironment, kCommandLine };

struct Origin {
  Place place = Place::kDefault;
  std::string name;      // the file as shown, the environment variable; else empty
  std::string folder;    // absolute: what files that the value names are relative to; empty: the current folder
  std::string patterns;  // the same for patterns of paths
  Point at;              // of the key, in a file
};
// "cpnlint.toml:3", "CPNLINT_PROFILE", "command line", "default"
[[nodiscard]] std::string Describe(const Origin& origin);

// What one place says about one key.
struct Key;
struct Setting {
  const Key* key = nullptr;
  Value value;
  Origin origin;
  std::size_t rank = 0;  // of two places the one with the higher rank wins; equal only within one place
};
using Settings = std::vector<Setting>;  // lowest rank first

enum class Type : std::uint8_t {
  kBoolean,
  kInteger,           // from `least` to `most`
  kNumber,            // the same
  kText,              // one of `words`, where there are any
  kFile,              // a path; relative to the file that says it
  kList,              // of texts, each one of `words`, where there are any
  kPatterns,          // of paths, as in .gitignore
  kSelectors,         // of rules: codes, prefixes, slugs, families, ALL
  kIntegers,          // one, or a list of them, each from `least` to `most`
  kSeverities,        // a table: selector -> severity
  kPatternSelectors,  // a table: pattern -> selectors
  kAssumptions,       // a list as of --assume, or a table with tables for files and functions
};

enum class Merge : std::uint8_t { kReplace, kAdd, kEntries };

// Whom a key speaks to: one value for the run, or each file the one of the configuration that is nearest to it.
enum class Scope : std::uint8_t { kRun, kFile };

struct Key {
  const char* name;
  const char* group;
  Type type;
  Scope scope = Scope::kRun;
  Merge merge = Merge::kReplace;
  const char* help;         // a line
  const char* fallback;     // what holds where nobody says anything, in words or as TOML
  const char* example;      // lines of cpnlint.toml
  const char* option = "";  // of the command line, where there is one
  const char* environment = "";
  bool check_only = false;  // `report` and `predict` have their own
  std::vector<std::string> (*words)() = nullptr;
  double least = 0, most = 0;
  // Puts it into the options; null where nothing but Configuration asks for it. `parts`: what holds, lowest first, at
  // least one.
  void (*apply)(Options& options, std::span<const Setting* const> parts) = nullptr;
  // What options say; null where they have no such thing. kOther: nothing.
  Value (*read)(const Options& options) = nullptr;
};

[[nodiscard]] std::span<const Key> Keys();
[[nodiscard]] const Key* FindKey(std::string_view name);
// "list of rule selectors"
[[nodiscard]] std::string TypeText(const Key& key);

// What a selector may be, for suggestions.
[[nodiscard]] std::vector<std::string> SelectorWords();

struct Problem {
  Point at;
  std::string message;
};
// Whether the value is one for the key; what is wrong with it, else.
[[nodiscard]] std::vector<Problem> Check(const Key& key, const Value& value);

// What several places together say: the last, all of them, or entry by entry.
[[nodiscard]] Value Merged(const Key& key, std::span<const Setting* const> parts);

// The bindings of an `assume`, each as --assume spells it, together with the file they are for (a pattern; empty: all).
struct Binding {
  std::string pattern;
  std::string text;  // "N=1e8", "step.u=(4,4):float32"
  std::string name;  // as given: "solver.py:step.u"
  Point at;
};
[[nodiscard]] std::vector<Binding> Bindings(const Value& assume);
// What stands behind the name, as TOML says it: a whole number, or a string.
[[nodiscard]] Value SizeOf(const Binding& binding);

// What an environment variable or the command line says of a key: "a,b" is a list of two.
[[nodiscard]] Result<Value> FromWord(const Key& key, const std::string& word);

}  // namespace cpnlint::cli::config
