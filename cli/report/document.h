#pragma once

// What a run found, as plain data: texts are rendered, places are lines and columns, so that neither sources nor facts
// have to live until the report is written.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cost-model/price.h"
#include "rules/engine/rule.h"
#include "rules/verdict/verdict.h"

namespace cpnlint::report {

// The edition of the rule set.
inline constexpr std::string_view kRulesVersion = "2026.1";

// Counts from 1. `column` counts code points, `utf16` UTF-16 units; `byte` is the offset in the line, from 0.
struct Point {
  std::uint32_t line = 1;  // of the analysed text: in a notebook, of all its cells one after another
  std::uint32_t column = 1;
  std::uint32_t utf16 = 1;  // in a notebook, of the file, which is JSON
  std::uint32_t byte = 0;
  // In a notebook: the ordinal among its code cells, the line within the cell; then line, column in code points and
  // column in bytes of the file. 0 elsewhere.
  std::uint32_t cell = 0;
  std::uint32_t cell_line = 0;
  std::uint32_t raw_line = 0;
  std::uint32_t raw_column = 0;
  std::uint32_t raw_byte = 0;

  friend bool operator==(Point, Point) = default;
  friend auto operator<=>(Point, Point) = default;
};

// The line that people count, and the one that machines find in the file, with its columns in code points and in bytes
// of UTF-8, from 1.
[[nodiscard]] inline std::uint32_t ShownLine(const Point& point) {
  return point.cell == 0 ? point.line : point.cell_line;
}
[[nodiscard]] inline std::uint32_t FileLine(const Point& point) {
  return point.cell == 0 ? point.line : point.raw_line;
}
[[nodiscard]] inline std::uint32_t FileColumn(const Point& point) {
  return point.cell == 0 ? point.column : point.raw_column;
}
[[nodiscard]] inline std::uint32_t FileByteColumn(const Point& point) {
  return point.cell == 0 ? point.byte + 1 : point.raw_byte;
}

// Half-open.
struct Place {
  Point start;
  Point end;

  friend bool operator==(const Place&, const Place&) = default;
  friend auto operator<=>(const Place&, const Place&) = default;
};

struct Related {
  Place place;
  std::string message;
  int rule = 0;      // code of the finding that became this remark, else 0
  std::string path;  // where it is another file than the finding's; any bytes
};

struct Finding {
  const rules::Rule* rule = nullptr;
  rules::Severity severity = rules::Severity::kWarning;
  rules::Confidence confidence = rules::Confidence::kCertain;
  Place place;
  std::string function;  // qualified; empty at module level
  std::string message;
  std::string label;  // under the primary span; may be empty
  std::string why;
  std::string help;
  std::string doctor;
  std::string fingerprint;
  // The words of its primary span and of the further places, so written that reformatting does not change them
  // (plain_code.h).
  std::vector<std::string> code;
  Place extent;  // the statement or loop that it is about
  std::vector<Related> related;
  std::vector<Related> causes;  // what makes it hot or an array, from outside in: loops and calls, here and elsewhere
  std::vector<Place> also;
  std::optional<cost::FindingCost> cost;  // nullopt where the run does not price
};

// Evidence of what scales: one rule in one function.
struct Good {
  const rules::Rule* rule = nullptr;
  std::string function;
  std::size_t count = 0;
  std::vector<Place> places;  // some of them, in order; at least one
};

struct Note {
  std::string kind;  // one of those of docs/json.md
  std::optional<Point> start;
  std::string message;
  std::string path;                     // only where the note is not among those of a file
  std::vector<std::string> codes = {};  // of an ignore without effect: those that silence nothing
};

// A line as frames show it.
struct SourceLine {
  std::string text;
  std::uint32_t cell = 0;  // as in Point
  std::uint32_t cell_line = 0;
};

struct UnpricedPlace {
  std::string path;
  std::optional<Point> start;
  std::string what, why;
};

// One outermost hot loop, or a program without one, on the target machine.
struct PredictedRegion {
  std::string path;
  std::string function;  // qualified; empty at module level
  std::string loop;      // its words, "for t in range(nt)"; empty where it is no loop
  std::optional<Point> start;
  std::string passes;  // "nt", "1000"
  bool passes_known = false;
  double number_of_passes = 1;                   // as known or assumed
  double share = 0;                              // of the time of the whole run, on the first layout
  bool told = true;                              // false: it has no time but sizes `to_name` (cost::Region)
  std::vector<std::string> to_name;              // "nx"
  std::vector<cost::Point> asked, strong, weak;  // `Memory::at` is null: facts are gone
  double one = 0;                                // seconds of a pass on one processor
  double need = 0;                               // bytes of one processor that has all of it
  int fewest = 1;                                // processors that hold it; 0 where not even 1,024 do
  int stop = 1, best = 1;
  std::string formula, break_point;
  std::vector<UnpricedPlace> unpriced;   // what it calls without a price; the time is that of the rest
  std::vector<std::string> assumptions;  // those of Prediction::assumptions that it rests on, sizes before passes
};

// How often the host waits for the device in one pass of a hot loop.
struct LoopWaits {
  std::string path;
  Point start;
  std::string loop;             // its words, "for t in range(nt)"
  double waits = 0;             // of one pass
  bool at_least = false;        // loops within it whose passes are not known count once
  std::vector<Related> places;  // where, the most frequent first; some of them
};

// What one program is predicted to take.
struct Prediction {
  double pool = 0;                       // bytes for arrays of one processor (of one process without GPUs)
  std::vector<PredictedRegion> regions;  // heaviest first
  std::size_t left_out = 0;              // lighter regions that are not among them,
  double left_share = 0;                 // and their share of the time
  std::vector<std::string> assumptions;
  std::vector<std::string> unmeasured;
  std::vector<UnpricedPlace> unpriced;
  std::vector<std::string> without_effect;  // of Document::assumptions, those on which none of it rests
};

struct PageFile;  // page_data.h: what the HTML page shows besides; null where it is not asked for
struct PageModel;

struct File {
  // kRead: not asked for. What asked for files call in it enters the verdict and nothing else.
  enum class State : std::uint8_t { kAnalysed, kSkipped, kForeign, kFailed, kRead };  // foreign: no Python

  std::string path;  // any bytes
  State state = State::kAnalysed;
  std::uint32_t lines = 0;
  std::vector<Finding> findings;  // by position, then rule
  std::vector<Good> good;
  std::vector<Note> notes;                   // by position, then kind
  std::map<std::uint32_t, SourceLine> text;  // the lines that the findings' frames show
  verdict::Evidence evidence;                // what the verdict needs of an analysed file
  std::string program;                       // files of one program name the same root; empty: the file itself
  std::optional<Prediction> prediction;      // of its program, in the first file of that
  std::vector<LoopWaits> waits;              // of its program, in the first file of that; loops without a wait left out
  std::vector<std::string> what_if;          // mends of its program that --what-if asked for and that were found
  std::shared_ptr<const PageFile> page;      // where it has findings
  std::shared_ptr<const PageModel> model;    // of its program, in the first file of that
};

struct Timing {
  double discover = 0, read = 0, parse = 0, lower = 0, analyse = 0, rules = 0;  // seconds, summed over threads
  double wall = 0;
};

// Findings that the run does not show, and why.
struct Hidden {
  std::string baseline;  // the file; empty where there is none
  std::size_t known = 0;
  std::string diff_base;  // the commit; empty where there is none
  std::size_t unchanged = 0;
};

// A limit that the user sets to a figure of the whole run (docs/adopting.md defines them).
struct Budget {
  std::string name;  // "max-blocks", "max-waits-per-iteration", "min-coverage", or "ratchet" with one of them
  double limit = 0;
  double found = 0;
  bool exceeded = false;
  std::string message;  // figure, limit and the worst places in words
};

struct Document {
  std::string target_version;
  std::vector<int> gpus;  // of one node
  int nodes = 1;
  std::string profile;       // name of the machine profile
  bool gpu = true;           // false: its processors are cores, and `gpus` counts these
  std::string profile_note;  // where its numbers come from, in a few words
  std::vector<std::string> assumptions;
  std::optional<verdict::Pattern> pattern;  // as the user says that the work is
  std::vector<File> files;                  // by path
  std::vector<Note> notes;                  // of no file
  // Absolute folders: where relative paths start, and the repository around it (the same folder where there is none).
  std::string folder;
  std::string repository;
  // By path, then by line of the file: what GitHub tells findings apart by, where SARIF is to be written (line_hash.h).
  std::map<std::string, std::map<std::uint32_t, std::string>> line_hashes;
  bool show_good = false;                   // rules for what scales were selected: text formats list them
  std::optional<Prediction> prediction;     // with `predict`: of all programs of the run
  std::vector<std::string> what_if;         // mends that the prediction takes for done
  std::optional<Hidden> hidden;             // with a baseline or a commit to compare with
  std::vector<Budget> budgets;              // those that are set
  std::optional<verdict::Verdict> verdict;  // its files are those of `files`; null where none uses arrays
  int exit_code = 0;
  std::optional<Timing> timing;  // with --verbose
};

struct Counts {
  std::size_t found = 0, analysed = 0, skipped = 0, failed = 0, lines = 0;
  std::size_t foreign = 0;  // of the skipped ones, notebooks in other languages
  std::size_t findings = 0, errors = 0, warnings = 0, infos = 0, files_with_findings = 0;
};
[[nodiscard]] Counts Count(const Document& document);

// The files as the verdict takes them, one for one.
[[nodiscard]] std::vector<verdict::Input> VerdictInputs(const Document& document);
// How many findings are shown before those of each file.
[[nodiscard]] std::vector<std::size_t> FindingsBefore(const Document& document);
// The position of a finding among all shown ones; nullopt where the run does not show it. `before`: FindingsBefore.
[[nodiscard]] std::optional<std::size_t> FindingIndex(const Document& document, std::span<const std::size_t> before,
                                                      verdict::IssueRef ref);
// "counts 2 findings in kernels.py, ...": those that decide with the shown ones, in files that were not asked for.
[[nodiscard]] std::string UnnamedText(const Document& document, const verdict::ProgramVerdict& program);
// Findings that decide with the shown ones and that the run does not show: ignored by comments, not selected, of
// previews that were not asked for, or hidden by --min-confidence, a baseline or --diff-base.
struct NotShown {
  std::size_t ignored = 0, unselected = 0, preview = 0, other = 0;
};
[[nodiscard]] NotShown CountNotShown(const Document& document, const verdict::ProgramVerdict& program);
// "counts 2 findings that are not shown: 2 ignored by comments"; empty where there are none.
[[nodiscard]] std::string NotShownText(const Document& document, const verdict::ProgramVerdict& program);
[[nodiscard]] std::string_view WhyHidden(const verdict::Issue& issue);
// What the last step of a run makes of all of them.
void Judge(Document& document, const verdict::Settings& settings);

// Notes that a reader of text is told of without asking; the rest is in JSON and with --verbose.
[[nodiscard]] bool IsNoteworthy(const Note& note);

// Places of a file's findings that are to be shown: for each finding its own, then the further ones of a merged one.
using KeptPlaces = std::vector<std::vector<bool>>;
// Takes the other places out of the document, and findings that have none left; `keep` is parallel to the files. A
// finding whose own place goes stands at the first one that is kept. The verdict goes on counting all of them.
void KeepPlaces(Document& document, const std::vector<KeptPlaces>& keep);

// 64-bit FNV-1a in 16 hexadecimal digits.
[[nodiscard]] std::string HashText(std::string_view text);

// Fills in the fingerprints of a file's findings, given each one's words (the text of its primary span). Made of rule,
// function, words with blanks reduced, and the ordinal among equals: moving code to other lines keeps them.
void SetFingerprints(File& file, const std::vector<std::string>& words);
// Adds to each where its file lies in the repository, from whatever folder the run looks at it.
void PlaceFingerprints(Document& document);

// "src/a.py:41", "a.ipynb:cell 3:5"; the path alone where there is no point.
[[nodiscard]] std::string LineText(const std::string& path, const std::optional<Point>& point);

// Text that is not UTF-8 (a path may be any bytes) with U+FFFD in place of what cannot be read.
[[nodiscard]] std::string ToUtf8(std::string_view bytes);

}  // namespace cpnlint::report
