#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analyzer/base/span.h"
#include "analyzer/syntax/parse.h"

namespace cpnlint::syntax {

// One rule named in brackets: a code, a prefix (R1), a slug or a family, in the user's spelling. Whether it exists is
// for the rules to say.
struct PragmaCode {
  std::string text;
  Span span;
};

// `N=1e8`, `u=(16384, 16384):float32`, `step.u=(n, n)`: both sides as written, outer blanks removed.
struct PragmaBinding {
  std::string name;
  std::string value;
  Span span;
};

struct Pragma {
  enum class Type : std::uint8_t {
    kIgnore,      // # cpnlint: ignore[R104, R105] reason
    kIgnoreFile,  // # cpnlint: ignore-file[R1] reason
    kAssume,      // # cpnlint: assume N=1e8, u=(16384, 16384):float32
    kHost,        // # cpnlint: host
    kNoqa,        // # noqa: R104, R105      (a bare `# noqa` is not a pragma of ours and not listed)
    kPythran,     // # pythran export step(float64[:,:], int): another tool compiles these functions
    kMalformed,   // says cpnlint: but is none of these; `problem` says why
  };
  Type type = Type::kMalformed;
  // From the `#` that starts it (a comment may hold other text before: `# type: ignore  # noqa: R104`) to the end of
  // the comment, or to the next `#` that starts another pragma.
  Span span;
  std::vector<PragmaCode> codes;        // ignore, ignore-file, noqa: at least one; pythran: names of functions
  std::vector<PragmaBinding> bindings;  // assume: at least one
  std::string reason;                   // ignore, ignore-file: what follows the bracket; may be empty
  std::string problem;                  // malformed: `expected codes in brackets: ignore[R101]`
  bool own_line = false;                // nothing but blanks before the comment
  // Where an ignore or noqa holds: a finding whose primary span starts in here is meant. Whole lines.
  //   behind code                     its logical line: all lines of a simple statement, the header of a compound
  //                                   one; in the middle of a statement of several lines, that one line
  //   on its own line                 the next logical line; of a decorated definition the decorators and the
  //                                   header; within brackets, the next line that has code
  //   ignore-file                     the whole text
  // For assume and host: the same lines, though they hold from their place on (see the function that contains `span`).
  Span applies_to;
};

// All pragmas of a file, in source order. Only comments are read, so a string that looks like a pragma is none.
std::vector<Pragma> FindPragmas(const Tree& tree);

}  // namespace cpnlint::syntax
