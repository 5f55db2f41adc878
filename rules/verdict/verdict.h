#pragma once

// The verdict over programs (rules.md, part E): units, an ordered list of
// decisions, six gates, effort, and what to fix first. Everything here is plain
// data; files are known by their position in the input.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "rules/verdict/evidence.h"

namespace cpnlint::verdict {

enum class Tier : std::uint8_t { kReady, kLight, kSignificant, kNotRecommended };
[[nodiscard]] std::string_view Name(Tier tier);  // "READY", "LIGHT REFACTOR", ...

enum class Status : std::uint8_t { kPass, kFail, kUncertain };
[[nodiscard]] std::string_view Name(Status status);  // "pass", "fail", "uncertain"

enum class Composite : std::uint8_t { kStrongGo, kPilot, kNoGo };
[[nodiscard]] std::string_view Name(Composite composite);  // "strong-go", ...

// One analysed file.
struct Input {
  std::string path;
  std::string program;  // files of one program name the same root
  const Evidence* evidence = nullptr;
  bool failed = false;  // nothing of it could be analysed
  std::uint32_t lines = 0;
};

// What lies in the project beside the code, for gate 6. Paths of examples,
// empty where there is none.
struct Project {
  std::vector<std::string> launchers, benchmarks, references, tolerance_tests, exact_tests, other_systems;
};

struct Settings {
  std::vector<int> gpus = {1, 4};  // in all
  int nodes = 1;
  std::int64_t economic = 65'536;    // elements per GPU (rules.md A.4, ECON)
  std::int64_t split = 1'048'576;    // elements in all (SPLIT)
  std::string machine = "h100-sxm";  // the profile's name
  double capability = 9.0;           // compute capability of its GPU; 0 where it has none
  double memory = 80e9;              // bytes of one GPU
  double pool = 0.95 * 80e9;         // bytes for arrays of one GPU (of one process without GPUs)
  std::optional<Pattern> pattern;    // what the user says that the work is, in place of what the source tells
  const Project* project = nullptr;  // null: not looked at
};

struct IssueRef {
  std::size_t file = 0;   // of the input
  std::size_t issue = 0;  // of its evidence

  friend bool operator==(IssueRef, IssueRef) = default;
};

struct Place {
  std::size_t file = 0;
  Spot spot;  // line 0: the file as a whole
  std::string text;
};

struct Gate {
  int number = 0;
  std::string name;
  Status status = Status::kUncertain;
  std::string reason;
  std::vector<Place> evidence;
  bool hard = false;  // a failure that alone decides (gates 1, 2, 4)
};

struct Units {
  std::size_t blocks = 0;  // structural ones included
  std::size_t structural = 0;
  std::size_t refactor = 0;
  std::size_t api_gaps = 0;
};

// Working hours, from and to.
struct Hours {
  double low = 0, high = 0;
};
struct EffortPart {
  std::string what;
  Hours hours;
};
struct Effort {
  Hours units;                      // what the findings take
  Hours fixed;                      // plan, reference tests, checks on GPUs
  std::vector<EffortPart> largest;  // up to three of the units
};

// One of the fixes to make first.
struct Fix {
  IssueRef issue;
  std::vector<IssueRef> along;    // further lines that raise: each by itself would fill the list, and says no more
  std::vector<IssueRef> unlocks;  // what presupposes it: pending ones that only make sense once it is done
  Hours hours;                    // of all of them
};

struct PatternShare {
  Pattern pattern = Pattern::kElementwise;
  double share = 0;  // of the hot weight; of all work where nothing is hot
};

// A region with all its parts.
struct Region {
  RegionPart sum;
  std::size_t file = 0;  // where its loop stands
  double weight = 0;
  double share = 0;
  std::optional<double> time;  // share of what the regions are predicted to take, where each has a time
};

struct ProgramVerdict {
  std::string root;
  std::vector<std::size_t> files;
  Tier tier = Tier::kReady;
  Tier with_possible = Tier::kReady;  // were the possible findings real
  std::size_t possible = 0;           // how many there are that would change it
  bool provisional = false;
  std::vector<int> overfull;  // of Settings::gpus, those that cannot hold the predicted peak
  int holds = 0;              // the fewest GPUs that can, where some cannot; 0: not even 1,024
  int decided_by_gate = 0;    // 0: by `decided_by`, or by nothing
  std::vector<IssueRef> decided_by;
  std::string sentence;
  Units units;
  std::vector<IssueRef> blocking;  // the first finding of each blocking unit, heaviest first
  std::vector<Fix> fix_first;
  std::vector<Gate> gates;
  std::optional<Composite> composite;
  Effort effort;
  std::vector<PatternShare> patterns;  // heaviest first
  std::vector<Region> regions;         // heaviest first
  bool has_hot_arrays = false;         // a hot loop works on arrays or takes their elements
  double weight = 0;                   // of all of its work, in launches (E.4)
  bool redesign = false;               // its data model or parallel design has to change (R108 and structural units)
  bool minor = false;          // next to another program of the run it hardly works, and it does not speak for the run
  Start start = Start::kNone;  // of `root`
  bool ported = false;         // it uses cuPyNumeric already
};

struct Verdict {
  std::vector<ProgramVerdict> programs;  // by root
  std::size_t worst = 0;                 // of those that are not minor
  std::size_t fixed = 0;                 // whose fixes are told: the worst one's, or of the next worst that has some
};

// nullopt where no file uses arrays.
[[nodiscard]] std::optional<Verdict> Judge(std::span<const Input> files, const Settings& settings);

// What to do about it, in one line.
[[nodiscard]] std::string_view Action(const ProgramVerdict& program);

// "1 GPU", "4 GPUs"; of a machine without GPUs "4 cores".
[[nodiscard]] std::string Processors(int count, bool gpu);

// "7 %", with one significant digit.
[[nodiscard]] std::string Percent(double share);
// The same where `other` is told beside it: rounded, they are no more than the whole.
[[nodiscard]] std::string PercentBeside(double share, double other);
// "stencil 80 %, reduction 20 %": the two that weigh most.
[[nodiscard]] std::string MixText(std::span<const PatternShare> shares, bool with_scaling = false);
// "80 % of the predicted time", or of the hot work where no times are known.
[[nodiscard]] std::string ShareText(const Region& region);

// "src/a.py:41", "a.ipynb:cell 3:5"; the path alone where the spot is none.
[[nodiscard]] std::string PlaceText(const std::string& path, Spot spot);

[[nodiscard]] const Issue& IssueOf(std::span<const Input> files, IssueRef ref);

// A finding that by itself or with others makes a verdict, or an API gap.
[[nodiscard]] bool Decides(const Issue& issue);
// The stage of C.1 at which a rule's recipe is applied: 0 is first.
[[nodiscard]] int StageOf(int code);
// What one finding takes (E.7).
[[nodiscard]] Hours HoursOf(const Issue& issue);
// It does not run, and another call or spelling takes its place: a matter of minutes.
[[nodiscard]] bool IsLineThatRaises(const Issue& issue);

}  // namespace cpnlint::verdict
