#pragma once

#include <functional>
#include <string>
#include <vector>

#include "analyzer/analysis/facts.h"

namespace cpnlint::analysis {

// What is known of a module, one line per assigned name, parameter and loop, in source order:
//   12: u = f64[n] view-of(grid)
//   15: loop step trips nt hot
// `line_of` gives the line of a byte offset, as it is shown.
[[nodiscard]] std::string PrintFacts(const Facts& facts, ir::ModuleId module,
                                     const std::function<std::string(std::uint32_t)>& line_of);

// The same name by name, for tools that compare it with something.
struct NamedFact {
  std::uint32_t at = 0;  // byte offset of the name; of an attribute, of the object's name before it
  std::string name;      // "u", ".u" for an attribute that is assigned
  ir::ValueId value;
  std::string text;
};
[[nodiscard]] std::vector<NamedFact> NamedFacts(const Facts& facts, ir::ModuleId module);

}  // namespace cpnlint::analysis
