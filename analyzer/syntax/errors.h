#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analyzer/base/span.h"
#include "analyzer/syntax/parse.h"

namespace cpnlint::syntax {

// Code of Python 2 that the grammar accepts and Python 3 rejects.
struct Python2Sign {
  Span span;
  Span statement;    // the statement that it makes invalid
  std::string what;  // "print statement", "`except A, e`", "octal literal `0777`", ...
};

struct SyntaxReport {
  // One per statement that is not analysed, in source order: those of Tree::broken(), and those with a sign of Python 2
  // when the file as a whole is Python 3.
  std::vector<BrokenStatement> errors;
  // What the grammar takes and no Python does, where that is all that is wrong; it is analysed as it stands.
  std::vector<BrokenStatement> refused;
  // All signs of Python 2 in the file, in source order (at most 100).
  std::vector<Python2Sign> python2;
  // The file as a whole is not Python 3: refuse it with one note `not-python3`. The message names the first sign and
  // its kind, without the file's name: "this is Python 2: print statement in line 3; convert it first, for example with
  // 2to3".
  std::optional<std::string> not_python3;
  // Statements of the file, broken ones included.
  std::size_t statements = 0;
  // Statements that cannot be analysed / all statements, 0 to 1.
  double broken_share = 0;
};

// `tree` as parsed. What Python 3 takes as well is no sign: `except A, B:` with a second type (3.14), `print >>f, x`.
SyntaxReport CheckSyntax(const Tree& tree);

}  // namespace cpnlint::syntax
