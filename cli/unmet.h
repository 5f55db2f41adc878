#pragma once

// An assumption that is about nothing of a program: mostly a slip, and the run would go on with other sizes than meant.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analyzer/ir/program.h"

namespace cpnlint::cli {

struct Unmet {
  // What is not there, the last one where everything in front of it is.
  enum class Kind : std::uint8_t { kFile, kOwner, kName } kind = Kind::kFile;
  std::string text;               // the assumption
  std::string word;               // what is not there
  std::vector<std::string> near;  // what may have been meant; of a file nothing
};

// nullopt where the program has what `NAME=SIZE` is about. To be asked before the analysis, which gives every name that
// somebody assumes an entry.
[[nodiscard]] std::optional<Unmet> UnmetIn(const ir::Program& program, const std::string& text);

// "no name `Nx` occurs in the analysed files; did you mean `nx`?"
[[nodiscard]] std::string Sentence(const Unmet& unmet);

}  // namespace cpnlint::cli
