#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analyzer/analysis/value.h"
#include "analyzer/ir/program.h"
#include "rules/engine/text.h"

namespace cpnlint::rules {

struct Rule;

enum class Family : std::uint8_t { kScales, kBlocks, kRefactor, kInfo, kMemory };
enum class Severity : std::uint8_t { kGood, kInfo, kWarning, kError };
enum class FixClass : std::uint8_t { kNone, kDisplay, kUnsafe, kSafe };

[[nodiscard]] std::string_view Name(Family family);      // "scales", "blocks", ...
[[nodiscard]] std::string_view Name(Severity severity);  // "good", "info", ...
[[nodiscard]] std::string_view Name(analysis::Confidence confidence);
[[nodiscard]] std::string_view Name(FixClass fix_class);

// A place with a remark: the story behind a finding.
struct Label {
  Span span;
  Text text;
  int swallowed_rule = 0;  // code of the rule whose finding became this label (A.7), else 0
};

struct Finding {
  const Rule* rule = nullptr;
  Severity severity = Severity::kWarning;
  analysis::Confidence confidence = analysis::Confidence::kCertain;
  ir::ModuleId module;
  ir::FunctionId function;
  ir::ValueId site;  // the op the finding is about; None() for a finding on a loop header or module
  ir::LoopId loop;   // the loop the finding is about or happens in
  ir::ValueId root;  // storage of the array it is about (merge key); None() where there is none
  std::string key;   // further merge key: the API name with its argument (R109, R112, R113, R119)
  Span span;         // primary
  Text message;
  Text primary_label;         // stands under the primary span in frames; may be empty
  Text why;                   // one sentence: what follows from it, for this site; empty = the rule's own why line
  Text help;                  // recipe text in the user's own names; empty = the recipe's general text
  std::vector<Label> labels;  // related locations
  std::vector<Span> also;     // further sites of a merged finding
  std::string_view doctor;    // Doctor check that can confirm it, or empty; a literal
  bool raises = false;        // the line cannot run: it raises, or ends the process
};

}  // namespace cpnlint::rules
