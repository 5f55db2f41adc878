#pragma once

// What the verdict needs to know of one module, as plain data: facts do not
// outlive the analysis of a program, the verdict speaks about all of its files
// (rules.md, part E).

#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rules/engine/runner.h"

namespace cpnlint::verdict {

// Lines and columns count from 1; line 0 stands for no place in particular.
struct Spot {
  std::uint32_t cell = 0;  // ordinal among a notebook's code cells, the line then counts within it; 0 elsewhere
  std::uint32_t line = 0;
  std::uint32_t column = 0;

  friend bool operator==(Spot, Spot) = default;
  friend auto operator<=>(Spot, Spot) = default;
};

// The outermost loop of a nest, by its id in the analysed program: modules of
// one program share it.
using RegionId = std::uint32_t;
inline constexpr RegionId kNoRegion = std::numeric_limits<RegionId>::max();

// Rules.md E.5, in the order of its table.
enum class Pattern : std::uint8_t {
  kStencil,
  kDenseLinalg,
  kReduction,
  kElementwise,
  kMonteCarlo,
  kFft,
  kSparse,
  kGraph,
  kMl,
  kString,
  kSequential,
  kScipyHeavy,
};
inline constexpr std::size_t kPatterns = 12;
[[nodiscard]] std::string_view Name(Pattern pattern);          // "stencil", "dense-linalg", ...
[[nodiscard]] std::string_view ScalingClass(Pattern pattern);  // "excellent", "bad", ...
[[nodiscard]] bool IsBad(Pattern pattern);
using PatternWeights = std::array<double, kPatterns>;

// Why a finding is not told, beside --min-confidence, a baseline and --diff-base: it is not selected, a comment ignores
// it, it is of a preview that was not asked for.
enum class Hidden : std::uint8_t { kNot, kUnselected, kSilenced, kWithheld };

// A finding as the verdict sees it; those that the run does not show count, too.
struct Issue {
  const rules::Rule* rule = nullptr;
  rules::Severity severity = rules::Severity::kWarning;
  rules::Confidence confidence = rules::Confidence::kCertain;
  std::string message;
  std::string function;  // qualified; empty at module level
  Spot start;
  RegionId region = kNoRegion;  // where the site is hot
  bool hot = false;
  bool reachable = true;
  bool structural = false;  // its cure changes the data model or the parallel design (E.2)
  bool substitute = true;   // an API gap for which something else can be written
  bool raises = false;      // the line cannot run
  bool cadence = false;     // text of device values: written every k passes, or of one copy (E.7)
  Hidden hidden = Hidden::kNot;
  std::size_t sites = 1;          // merged ones included
  std::size_t nesting = 0;        // further loops inside the reported one
  std::optional<double> saves;    // share of the program's predicted time that mending it saves; nullopt: nobody knows
  std::optional<double> seconds;  // the same over all passes, where their number is known
  std::optional<std::size_t> shown;  // index among the file's shown findings
};

// Work of one size: how heavy it is, and how many elements its largest array
// has.
struct SizedWeight {
  std::optional<std::int64_t> volume;  // nullopt: not known
  double weight = 0;
  rules::Confidence confidence = rules::Confidence::kCertain;
  double problems = 1;  // independent ones of this size that loops walk one by one; infinite: nobody knows how many
};

// The part of a region's work that stands in one module. Weights are in
// launches of an array operation (E.4).
struct RegionPart {
  RegionId region = kNoRegion;
  bool hot = false;      // by A.6; false for a loop over Python objects that may not
                         // run often
  bool is_home = false;  // the loop stands in this module: `start`, `function`
                         // and `loop` say where
  Spot start;
  std::string function;
  std::string loop;  // kind, "step"
  PatternWeights patterns = {};
  PatternWeights plain = {};  // passes times operations, what is not known counting as one
  double device = 0;          // array operations
  double host = 0;            // Python statements, scalar accesses
  double foreign = 0;         // calls of other libraries with array data
  double lost = 0;            // statements that could not be analysed
  double thin = 0;            // of `device`: sweeps over lines of unknown length, one after the other
  double small = 0;           // of the sequential pattern: operations on a state of a few elements
  std::vector<SizedWeight> sizes;
};

// What the cost model makes of a region on the target.
struct RegionTime {
  RegionId region = kNoRegion;
  double pass = 0;           // seconds of one pass
  double all = 0;            // ... of all passes
  double device = 0;         // of all passes: array operations' part
  double host = 0;           // ... that of waits, transfers, single elements and plain Python
  std::string bound_by;      // "launch", "memory", ...
  std::string break_point;   // "launch-bound below 3.5e7 elements per GPU"; empty where no size decides
  bool sizes_known = false;  // no size of it is a default
  bool priced = true;        // nothing in it is without a price
};

// A name of the array library that the module uses.
struct UsedName {
  std::string name;     // "numpy.linalg.qr"
  std::string spelled;  // as the user calls it, "np.linalg.qr"; of a method "ndarray.sum"
  std::string status;   // "multi", "partial", "single", "missing"; empty: not in
                        // the table
  std::string note;
  Spot first;
  std::size_t count = 0;
};

struct Mark {
  Spot at;
  std::string what;
};

// How likely a module is the one that is run, the least first: it only defines; it tests `__name__`, but others import
// it or it belongs to a package; it works on arrays as soon as it is run, belongs to no package, and nobody imports it;
// it is made to be run.
enum class Start : std::uint8_t { kNone, kImported, kScript, kMain };

struct Evidence {
  std::vector<Issue> issues;
  std::vector<Issue> previews;      // of rules that were not asked for, and the lines run: they count for nothing
  std::vector<RegionPart> regions;  // by region
  RegionPart cold;                  // what runs once
  std::vector<RegionTime> times;    // of regions at home here; empty where nothing is priced
  std::vector<UsedName> names;      // by name
  std::vector<Mark> draws;          // random numbers
  std::vector<Mark> timers;         // wall-clock readings beside device work
  std::vector<Mark> exact;          // arrays whose bytes are hashed
  std::vector<Mark> platforms;      // branches on sys.platform and the like
  Start start = Start::kNone;
  std::size_t reach = 0;  // of those that are run: how many functions of the program their code leads to
  bool ported = false;    // it imports cuPyNumeric
  bool has_array_work = false;
  // Array operations, as written, of functions that nothing here calls: how
  // often they run is not known.
  std::size_t open_operations = 0;
  double open_weight = 0;                     // of them, each function run once
  std::size_t bad_statements = 0;             // of bad patterns (E.5), as written
  std::optional<std::int64_t> largest_bytes;  // of one array whose size is known
  Spot largest;
  // The most bytes that one GPU has to hold at once, by Settings::gpus; empty where a size of it is not known
  // (cost-model/footprint.h).
  std::vector<double> peaks;
  int fewest = 0;  // GPUs that hold it, where some of those do not; 0 where not even 1,024 do
  Spot peak;
};

// What turns offsets into places and words, and findings into prices.
struct Source {
  std::function<std::string_view(Span)> words;
  std::function<Spot(std::uint32_t offset)> at;
  std::function<void(const rules::Finding&, Issue&)> price;  // fills in `saves` and `seconds`; may be empty
};

// Which functions of the program, by index, belong to these modules or are called from there.
[[nodiscard]] std::vector<bool> CalledFrom(const analysis::Facts& facts, std::span<const ir::ModuleId> modules);

// Right after the rules ran over modules of a program: one for each, about its functions that are `called`. `least`:
// the lowest confidence that the run shows.
[[nodiscard]] std::vector<Evidence> Collect(const analysis::Facts& facts, std::span<const ir::ModuleId> modules,
                                            const std::vector<bool>& called, std::span<const rules::RunResult> results,
                                            const rules::Target& target, rules::Confidence least, const Source& source);

}  // namespace cpnlint::verdict
